"""A nested model in a file of its own is where it was."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import sdfviewer
from sdfviewer.formats.load import Loader, load_model
from sdfviewer.refactoring.composition.inlining import split_off
from sdfviewer.refactoring.editable import RefactoringError

TEXT = """<sdf version="1.9" xmlns:gz="http://gazebosim.org/schema">
    <model name="m">
        <link name="a"/>
        <model name="hand" placement_frame="wrist">
            <pose relative_to="a">0 0 1
                0 0 0</pose>
            <link name="palm">
                <gz:system_priority>1</gz:system_priority>
            </link>
            <frame name="wrist"><pose>0 0.1 0 0 0 0</pose></frame>
        </model>
        <frame name="tip" attached_to="hand::palm"/>
    </model>
</sdf>
"""


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_a_nested_model_moves_to_a_file_of_its_own(newline: str, tmp_path: Path) -> None:
    main, hand = tmp_path / "m.sdf", tmp_path / "hand.sdf"
    main.write_text(TEXT, encoding="utf-8", newline=newline)
    model = load_model(main)
    edit, text, _ = split_off(model, model.row("m::hand"), hand)
    hand.write_text(text, encoding="utf-8", newline="")
    assert not sdfviewer.check(hand)
    assert text.count("\n") == text.count(newline)
    assert 'xmlns:gz="http://gazebosim.org/schema"' in text
    assert "<pose relative_to" not in text
    after = Loader().load(model.document.edited(edit.replacements))
    assert after is not None
    assert not after.diagnostics
    assert after.names == model.names
    np.testing.assert_allclose(after.X_RootF, model.X_RootF, atol=1e-12)
    np.testing.assert_array_equal(after.bodies, model.bodies)
    include = (
        f"        <include>{newline}            <name>hand</name>{newline}            <uri>hand.sdf</uri>{newline}"
    )
    assert include in after.document.text
    assert after.document.text.count("\n") == after.document.text.count(newline)


def test_only_a_nested_model_of_the_file_itself_is_split_off(tmp_path: Path) -> None:
    model = load_model(TEXT)
    for name in ("m", "m::a"):
        with pytest.raises(RefactoringError, match="not a nested model"):
            split_off(model, model.row(name), tmp_path / "x.sdf")


def test_what_an_older_tool_has_flattened_is_not_split_off(tmp_path: Path) -> None:
    """In a file of its own the names would be what they say: only worlds have them unfolded."""
    model = load_model(
        '<sdf version="1.7"><world name="w"><model name="m">'
        '<link name="a"/><frame name="n::__model__" attached_to="n::b"/><link name="n::b"/>'
        '<model name="n::k"><link name="c"/></model><model name="free"><link name="d"/></model>'
        "</model></world></sdf>"
    )
    for name in ("m", "m::n::k"):
        with pytest.raises(RefactoringError, match="older tool has flattened"):
            split_off(model, model.row(name), tmp_path / "x.sdf")
    assert split_off(model, model.row("m::free"), tmp_path / "x.sdf")
