"""What the pose of an include names whose model is not found is followed like any other reference."""

from __future__ import annotations

import pytest

from sdfviewer.formats.load import load_model
from sdfviewer.language.names import name_at, names_of
from sdfviewer.language.tokens import semantic_tokens
from sdfviewer.model.model import Model
from sdfviewer.refactoring.removal import find_dependents, references_to, remove, replacement_targets
from sdfviewer.refactoring.renaming.rename import rename

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
    assert (reference.name, reference.has_row) == ("base", False)
    offered = [target.name for target in replacement_targets(model, reference, [model.row("m::base")])]
    assert "other" in offered
    assert "base" not in offered
    edit = remove(model, [model.row("m::base")], {reference: "other"})
    assert '<name>tool</name><pose relative_to="other">' in model.document.edited(edit.replacements).text
    assert find_dependents(model, [model.row("m::inner::base")]) == (), "it has no row that could go along"


def test_its_pose_is_a_name_for_hover_and_colours(model: Model) -> None:
    at = TEXT.index('relative_to="base"') + len('relative_to="b')
    name = name_at(model, at)
    assert name is not None
    assert name.row == model.row("m::base")
    assert (name.start, name.end) in names_of(model, name.row)
    assert any(token.start == name.start for token in semantic_tokens(model))
