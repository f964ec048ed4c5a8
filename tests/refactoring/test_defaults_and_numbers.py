"""Refactorings of a whole file move nothing."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from sdfviewer.document.document import parse_document
from sdfviewer.document.edits import Edit
from sdfviewer.files.opening import open_document
from sdfviewer.formats.load import Loader, load_model
from sdfviewer.model.model import Model
from sdfviewer.refactoring.editable import RefactoringError, why_not_sdformat
from sdfviewer.refactoring.forms import remove_redundant, round_poses, shorten_poses, write_defaults
from sdfviewer.refactoring.unmoved import unannounced
from tests.corpus import at_least

TEXT = """<sdf version="1.9">
  <model name="m">
    <link name="a"/>
    <link name="b"><pose relative_to="__model__">1.500 0 0 0 0 0</pose></link>
    <joint name="j" type="revolute">
      <pose>0 0 0.30000000000000004 0 0 0</pose>
      <parent>a</parent>
      <child>b</child>
      <axis><xyz>0 0 1</xyz></axis>
    </joint>
    <frame name="f" attached_to="b"/>
    <frame name="g">
      <pose relative_to="__model__">0 0 0 0 0 0</pose>
    </frame>
    <frame name="h" attached_to="__model__"/>
    <model name="hand" placement_frame="wrist">
      <pose relative_to="b">0 0 1 0 0 0</pose>
      <link name="palm"/>
      <frame name="wrist"><pose>0 0.1 0 0 0 0</pose></frame>
    </model>
    <frame name="tip" attached_to="hand::palm"/>
  </model>
</sdf>
"""


def edited(model: Model, edit: Edit) -> Model:
    result = Loader().load(model.document.edited(edit.replacements))
    assert result is not None
    return result


def assert_same(after: Model, before: Model) -> None:
    assert after.names == before.names
    assert not after.diagnostics
    np.testing.assert_allclose(after.X_RootF, before.X_RootF, atol=1e-12)
    np.testing.assert_array_equal(after.bodies, before.bodies)


@pytest.fixture
def model() -> Model:
    return load_model(TEXT)


def test_defaults_can_be_written_and_left_out_again(model: Model) -> None:
    written = edited(model, write_defaults(model))
    assert_same(written, model)
    assert None not in [written.relative_to_written[row] for row in range(1, len(written))]
    assert '<pose relative_to="b">0 0 0.30000000000000004 0 0 0</pose>' in written.document.text
    assert '<frame name="g" attached_to="__model__">' in written.document.text
    plain = edited(written, remove_redundant(written))
    assert_same(plain, model)
    assert (
        plain.document.text
        == (
            TEXT.replace(' relative_to="__model__">1.5', ">1.5")
            .replace('      <pose relative_to="__model__">0 0 0 0 0 0</pose>\n', "")
            .replace(' attached_to="__model__"', "")
        )
        or 'relative_to="__model__"' not in plain.document.text
    )


def test_numbers_are_shortened_in_place(model: Model) -> None:
    after = edited(model, shorten_poses(model))
    assert after.document.text == TEXT.replace("1.500", "1.5").replace("0.30000000000000004", "0.3")


def test_defaults_are_written_with_any_name() -> None:
    text = '<link name="a &amp; &quot;b&quot;"/><frame name="f" attached_to="a &amp; &quot;b&quot;"/>'
    model = load_model(f'<sdf version="1.9"><model name="m">{text}</model></sdf>')
    after = edited(model, write_defaults(model))
    assert_same(after, model)
    assert 'relative_to="a &amp; &quot;b&quot;"' in after.document.text


def test_old_files_have_no_names_for_defaults() -> None:
    model = load_model('<sdf version="1.6"><model name="m"><link name="a"/></model></sdf>')
    with pytest.raises(RefactoringError, match="convert the file"):
        write_defaults(model)


def test_tidying_moves_nothing_in_files_of_the_corpus(corpus: Path) -> None:
    done = 0
    for path in sorted(corpus.rglob("*.sdf"))[::7]:
        model = Loader().load(open_document(path))
        if (
            model is None
            or any(d.is_error for d in model.diagnostics)
            or why_not_sdformat(model)
            or model.version < (1, 7)
        ):
            continue
        for refactoring in (write_defaults, remove_redundant, shorten_poses):
            after = edited(model, refactoring(model))
            np.testing.assert_allclose(after.X_RootF, model.X_RootF, atol=1e-9, err_msg=f"{path} {refactoring}")
            assert after.names == model.names
        done += 1
    assert done > at_least(10)


def test_poses_are_rounded_as_they_are_written() -> None:
    text = """<sdf version="1.9"><model name="m">
      <link name="a"><pose degrees="true">0.12345 -0.0001 1 45.06 0 0</pose></link>
      <frame name="f"><pose>0.5 0 0 0 0 0</pose></frame>
    </model></sdf>"""
    model = load_model(text)
    expected = text.replace("0.12345 -0.0001 1 45.06 0 0", "0.12 0 1 45.06 0 0")
    edit = round_poses(model, range(len(model)), 2)
    assert model.document.edited(edit.replacements).text == expected
    assert edit.label == "Round poses to 2 decimals"
    assert round_poses(model, [model.row("m::f")], 1).replacements == ()


@pytest.mark.parametrize("around", ["world", "model"])
def test_a_merged_include_has_the_defaults_of_an_include(tmp_path: Path, around: str) -> None:
    part = '<link name="l"/>' if around == "model" else '<model name="inner"><link name="l"/></model>'
    (tmp_path / "part.sdf").write_text(f'<sdf version="1.10"><model name="part">{part}</model></sdf>')
    include = '<include merge="true"><uri>part.sdf</uri><pose>1 0 0 0 0 0</pose></include>'
    text = f'<sdf version="1.10"><{around} name="w">{include}</{around}></sdf>'
    model = Loader().load(parse_document(text, tmp_path / "w.sdf"))
    assert model is not None
    edit = write_defaults(model)
    after = Loader().load(model.document.edited(edit.replacements))
    assert after is not None
    default = "world" if around == "world" else "__model__"
    assert include.replace("<pose>", f'<pose relative_to="{default}">') in after.document.text
    assert unannounced(model, edit, Loader()) == ()
    back = remove_redundant(after)
    assert after.document.edited(back.replacements).text == text


def test_a_model_that_an_older_tool_has_flattened_keeps_the_frame_that_says_where_it_is() -> None:
    text = (
        '<sdf version="1.7"><world name="w"><model name="P"><frame name="M::__model__" attached_to="M::L">'
        '<pose relative_to="__model__">1 0 0 0 0 0</pose></frame>'
        '<link name="M::L"><pose relative_to="M::__model__">0 0 1 0 0 0</pose></link></model></world></sdf>'
    )
    model = load_model(text)
    assert unannounced(model, write_defaults(model), Loader()) == ()
