"""An include whose model is not found has a row: its pose and its name take part like those of any other model."""

from __future__ import annotations

from pathlib import Path

import pytest

import sdfviewer
from sdfviewer.formats.load import load_model
from sdfviewer.language.annotations import semantic_tokens
from sdfviewer.language.names import name_at, names_of
from sdfviewer.model.model import Model
from sdfviewer.model.targets import ReferenceTargets
from sdfviewer.refactoring.adding import duplicate
from sdfviewer.refactoring.editable import RefactoringError
from sdfviewer.refactoring.pose_writing import set_relative_to
from sdfviewer.refactoring.removal import find_dependents, references_to, remove, replacement_targets
from sdfviewer.refactoring.renaming import rename

TEXT = """<sdf version="1.11"><model name="m">
  <link name="base"/>
  <link name="other"/>
  <include><uri>nowhere</uri><name>tool</name><pose relative_to="base">1 0 0 0 0 0</pose></include>
  <model name="inner">
    <link name="base"/>
    <include><uri>nowhere</uri><name>part</name><pose relative_to="base">1 0 0 0 0 0</pose></include>
  </model>
</model></sdf>
"""


@pytest.fixture
def model() -> Model:
    return load_model(TEXT)


@pytest.mark.parametrize(
    ("row", "around"), [("m::base", '<model name="m">'), ("m::inner::base", '<model name="inner">')]
)
def test_a_rename_reaches_its_pose(model: Model, row: str, around: str) -> None:
    edit = rename(model, model.row(row), "B")
    start = TEXT.index(around)
    expected = TEXT[:start] + TEXT[start:].replace('"base"', '"B"', 2)
    assert model.document.edited(edit.replacements).text == expected


def test_what_its_pose_names_is_asked_about_on_removal(model: Model) -> None:
    (reference,) = references_to(model, [model.row("m::base")])
    assert (reference.name, reference.row) == ("base", model.row("m::tool"))
    offered = [target.name for target in replacement_targets(model, reference, [model.row("m::base")])]
    assert "other" in offered
    assert "base" not in offered
    edit = remove(model, [model.row("m::base")], {reference: "other"})
    assert '<name>tool</name><pose relative_to="other">' in model.document.edited(edit.replacements).text
    (dependent,) = find_dependents(model, [model.row("m::inner::base")])
    assert dependent.row == model.row("m::inner::part")


def test_its_pose_is_a_name_for_hover_and_colours(model: Model) -> None:
    at = TEXT.index('relative_to="base"') + len('relative_to="b')
    name = name_at(model, at)
    assert name is not None
    assert name.row == model.row("m::base")
    assert (name.start, name.end) in names_of(model, name.row)
    assert any(token.start == name.start for token in semantic_tokens(model))


NAMED = """<sdf version="1.11"><model name="m">
  <link name="base"/>
  <include><uri>nowhere</uri><name>arm</name><pose relative_to="base">1 0 0 0 0 0</pose></include>
  <include><uri>model://unnamed</uri></include>
  <include><uri>nowhere</uri><name>placed</name><placement_frame>tip</placement_frame><pose>1 0 0 0 0 0</pose></include>
  <include merge="true"><uri>nowhere</uri><name>parts</name><pose>0 2 0 0 0 0</pose></include>
  <frame name="on" attached_to="arm"><pose>0 1 0 0 0 0</pose></frame>
  <frame name="in" attached_to="arm::hand"/>
</model></sdf>
"""


def problems(model: Model) -> list[str]:
    return sorted({each.rule.name for each in model.diagnostics})


def test_it_has_a_row_with_its_pose_and_leaves_open_what_only_its_file_says() -> None:
    model = load_model(NAMED)
    assert model.X_RootF[model.row("m::arm")][:3, 3].tolist() == [1, 0, 0]
    assert model.X_RootF[model.row("m::on")][:3, 3].tolist() == [1, 1, 0]
    assert model.X_RootF[model.row("m::_merged__parts__model__")][:3, 3].tolist() == [0, 2, 0]
    # Without a pose the one that is written in the missing file counts; a placement frame is written there, too.
    unknown = [model.names[row] for row in range(len(model)) if not model.is_resolved[row]]
    assert sorted(unknown) == ["m::in", "m::placed", "m::unnamed"]
    assert model.bodies[model.row("m::arm")] < 0, "which link carries it is not known"
    assert problems(model) == ["uri-not-found"], "what refers to it is not reported again"


def test_its_name_is_renamed_and_offered_like_any_other() -> None:
    model = load_model(NAMED)
    text = model.document.edited(rename(model, model.row("m::arm"), "B").replacements).text
    assert text == NAMED.replace(">arm<", ">B<").replace('"arm', '"B')
    text = model.document.edited(rename(model, model.row("m::unnamed"), "B").replacements).text
    assert text == NAMED.replace("<include><uri>model://unnamed", "<include><name>B</name><uri>model://unnamed")
    names = [target.name for target in ReferenceTargets(model, model.row("m::on"), "relative_to")]
    assert "arm" in names


def test_its_pose_is_checked_and_edited() -> None:
    model = load_model(NAMED)
    wrong = load_model(NAMED.replace('relative_to="base"', 'relative_to="bsae"'))
    assert problems(wrong) == ["relative-to-invalid", "uri-not-found"]
    text = model.document.edited(
        set_relative_to(model, model.row("m::_merged__parts__model__"), "arm").replacements
    ).text
    assert '<name>parts</name><pose relative_to="arm">-1 2 0 0 0 0</pose>' in text


def test_of_what_is_called_the_same_the_one_that_is_there_is_meant() -> None:
    include = "<include><uri>nowhere</uri><name>a</name><pose>1 0 0 0 0 0</pose></include>"
    model = load_model(
        f'<sdf version="1.11"><model name="m">{include}<link name="a"/><frame name="f" attached_to="a"/></model></sdf>'
    )
    assert model.names[model.attached_to[model.row("m::f")]] == "m::a"
    assert model.X_RootF[model.row("m::f")][:3, 3].tolist() == [0, 0, 0]
    assert problems(model) == ["uri-not-found"]


def test_one_without_a_name_is_duplicated_too() -> None:
    model = load_model('<sdf version="1.11"><model name="m"><link name="a"/><include/></model></sdf>')
    edit = duplicate(model, model.row("m::"))
    assert edit.added == ("m::_copy",)
    after = load_model(model.document.edited(edit.replacements).text)
    assert after.names[-2:] == ["m::", "m::_copy"]


@pytest.mark.parametrize("name", [None, "other"])
def test_one_that_was_to_be_merged_is_duplicated_under_a_name_of_its_own(name: str | None, tmp_path: Path) -> None:
    file = tmp_path / "m.sdf"
    include = '<include merge="true"><uri>lost</uri></include>'
    file.write_text(f'<sdf version="1.11"><model name="m"><link name="a"/>{include}</model></sdf>', "utf-8")
    document = sdfviewer.open_document(file)
    with document.edit() as edit:
        copy = edit.duplicate("m::_merged__lost__model__", name)
    written = name or "lost_copy"
    assert copy == f"_merged__{written}__model__"
    assert f"<name>{written}</name>" in document.text
    assert f"m::{copy}" in load_model(document.text).names


def test_a_copy_gets_no_name_that_a_merged_model_has() -> None:
    includes = "".join(f'<include merge="true"><uri>{uri}</uri></include>' for uri in ("lost", "lost_copy"))
    model = load_model(f'<sdf version="1.11"><model name="m"><link name="a"/>{includes}</model></sdf>')
    row = model.row("m::_merged__lost__model__")
    assert duplicate(model, row).added == ("m::_merged__lost_copy_1__model__",)
    with pytest.raises(RefactoringError, match="'lost_copy' is taken"):
        duplicate(model, row, "lost_copy")
