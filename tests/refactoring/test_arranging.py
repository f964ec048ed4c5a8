"""Frames line up or are evenly spaced, what is measured from them moves along, and nothing turns."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from sdfviewer.files.opening import open_document
from sdfviewer.formats.load import Loader, load_model
from sdfviewer.model.model import Model
from sdfviewer.refactoring.arranging import Arrangement, arrange
from sdfviewer.refactoring.editable import RefactoringError

TEXT = """<sdf version="1.11"><model name="m">
  <link name="a"><pose>0 1 2 0.1 0 0</pose></link>
  <link name="b"><pose>5 -1 0 0 0.2 0</pose></link>
  <link name="c"><pose>1 3 7 0 0 0.3</pose></link>
  <link name="d"><pose relative_to="b">0 0 1 0 0 0</pose></link>
  <frame name="f" attached_to="c"><pose>0 1 0 0 0 0</pose></frame>
  <frame name="turned"><pose>0 0 0 0 0 1.5707963267948966</pose></frame>
</model></sdf>
"""


def after(how: Arrangement, names: str, axes: list[int], frame: str = "m") -> tuple[Model, Model]:
    model = load_model(TEXT)
    rows = [model.row(f"m::{name}") for name in names.split()]
    edit = arrange(model, rows, how, axes, frame=model.row(frame))
    changed = load_model(model.document.edited(edit.replacements).text)
    assert not changed.diagnostics
    np.testing.assert_allclose(changed.X_RootF[:, :3, :3], model.X_RootF[:, :3, :3], atol=1e-12)
    return model, changed


def place(model: Model, name: str) -> np.ndarray:
    return np.asarray(model.X_RootF[model.row(f"m::{name}")][:3, 3])


def test_the_last_one_stays_and_the_others_go_to_its_coordinate() -> None:
    model, changed = after(Arrangement.ALIGN, "a b c", [2])
    np.testing.assert_allclose(place(changed, "a"), [0, 1, 7])
    np.testing.assert_allclose(place(changed, "b"), [5, -1, 7])
    np.testing.assert_allclose(place(changed, "c"), place(model, "c"))
    # What is measured from b moves with it.
    np.testing.assert_allclose(place(changed, "d") - place(model, "d"), [0, 0, 7])


def test_a_frame_that_is_measured_from_another_one_goes_to_its_own_place() -> None:
    _, changed = after(Arrangement.ALIGN, "b d c", [0, 2])
    np.testing.assert_allclose(place(changed, "b"), [1, -1, 7])
    np.testing.assert_allclose(place(changed, "d")[[0, 2]], [1, 7], atol=1e-12)


def test_the_axes_may_be_those_of_a_frame() -> None:
    _, changed = after(Arrangement.ALIGN, "a c", [0], "m::turned")
    np.testing.assert_allclose(place(changed, "a"), [0, 3, 2], atol=1e-12)


def test_distances_become_equal_in_the_order_along_the_line() -> None:
    _, changed = after(Arrangement.DISTRIBUTE, "b c a", [0])
    np.testing.assert_allclose([place(changed, name)[0] for name in "acb"], [0, 2.5, 5], atol=1e-12)
    np.testing.assert_allclose(place(changed, "c")[1:], [3, 7])
    np.testing.assert_allclose(place(changed, "f") - place(changed, "c"), place(load_model(TEXT), "f") - [1, 3, 7])


@pytest.mark.parametrize("last", ["m", "m::in::b"])
def test_only_what_moves_must_be_of_this_file(last: str, tmp_path: Path) -> None:
    inner = '<sdf version="1.11"><model name="in"><link name="b"><pose>0 0 2 0 0 0</pose></link></model></sdf>'
    (tmp_path / "in.sdf").write_text(inner, encoding="utf-8")
    (tmp_path / "out.sdf").write_text(
        '<sdf version="1.11"><model name="m"><include><uri>in.sdf</uri><pose>0 0 1 0 0 0</pose></include>'
        '<link name="a"/><link name="c"><pose>0 0 9 0 0 0</pose></link></model></sdf>',
        encoding="utf-8",
    )
    model = Loader().load(open_document(tmp_path / "out.sdf"))
    edit = arrange(model, [model.row("m::c"), model.row(last)], Arrangement.ALIGN, [2])
    text = model.document.edited(edit.replacements).text
    assert "0 0 9 " not in text
    with pytest.raises(RefactoringError):
        arrange(model, [model.row("m::in::b"), model.row("m::c")], Arrangement.ALIGN, [2])


@pytest.mark.parametrize(
    ("how", "names", "axes", "reason"),
    [
        (Arrangement.ALIGN, "a", [0], "at least 2"),
        (Arrangement.DISTRIBUTE, "a b", [0], "at least 3"),
        (Arrangement.ALIGN, "a b", [], "choose an axis"),
    ],
)
def test_what_cannot_be_arranged_says_why(how: Arrangement, names: str, axes: list[int], reason: str) -> None:
    with pytest.raises(RefactoringError, match=reason):
        after(how, names, axes)
