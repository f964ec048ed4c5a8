"""Frames taken in hand: what moves along, at any joint position, and what is written."""

from __future__ import annotations

import numpy as np
import pytest

from sdfviewer.document.document import Document, parse_document
from sdfviewer.semantics.editing.moving import Move
from sdfviewer.semantics.editing.refactor import RefactoringError
from sdfviewer.semantics.kinematics.forward import Kinematics
from sdfviewer.semantics.load import Loader
from sdfviewer.semantics.model import Model
from sdfviewer.transforms import Array, pose_to_matrix

TEXT = """<sdf version="1.11">
  <model name="m">
    <link name="base"/>
    <link name="upper"><pose>0 0 1 0 0.3 0</pose></link>
    <link name="lower"><pose relative_to="upper">0 0 1 0.2 0 0</pose></link>
    <joint name="j1" type="revolute"><parent>base</parent><child>upper</child><axis><xyz>0 1 0</xyz></axis></joint>
    <joint name="j2" type="revolute">
      <pose relative_to="upper">0 0 1 0 0 0</pose>
      <parent>upper</parent><child>lower</child><axis><xyz expressed_in="pointer">1 0 0</xyz></axis>
    </joint>
    <frame name="pointer" attached_to="lower"><pose>0 0 0.5 0 0 0.4</pose></frame>
    <frame name="lost" attached_to="nothing"/>
  </model>
</sdf>
"""
M = pose_to_matrix([0.2, -0.1, 0.3, 0.4, -0.2, 0.7])


def load(document: Document) -> Model:
    model = Loader().load(document)
    assert model is not None
    return model


def read(text: str = TEXT) -> tuple[Document, Model, Kinematics]:
    document = parse_document(text)
    model = load(document)
    return document, model, Kinematics(model)


def at(model: Model, X: Array, name: str) -> Array:
    return np.asarray(X[model.row(name)])


@pytest.mark.parametrize("q", [(0.0, 0.0), (0.5, -0.8)])
@pytest.mark.parametrize("name", ["upper", "lower", "j1", "j2", "pointer"])
def test_what_is_shown_is_what_the_written_text_means(name: str, q: tuple[float, float]) -> None:
    document, model, kinematics = read()
    move = Move(kinematics, q, model.row(name))
    shown = move.by(M)
    edited = load(document.edited(move.edit().replacements))
    resolved = np.isfinite(edited.X_RootF)
    np.testing.assert_array_equal(resolved, np.isfinite(shown))
    np.testing.assert_allclose(Kinematics(edited).poses(q)[resolved], shown[resolved], atol=1e-9)


@pytest.mark.parametrize("name", ["upper", "j1", "j2", "pointer"])
def test_the_frame_lands_where_the_hand_left_it(name: str) -> None:
    _, model, kinematics = read(TEXT.replace(' expressed_in="pointer"', ""))
    move = Move(kinematics, (0.5, -0.8), model.row(name))
    before = move.start.copy()
    move.by(pose_to_matrix([9, 9, 9, 1, 1, 1]))  # only the last motion counts
    np.testing.assert_allclose(at(model, move.by(M), name), M @ before, atol=1e-12)


def test_only_what_is_relative_to_it_moves_along() -> None:
    _, model, kinematics = read()
    move = Move(kinematics, kinematics.q0, model.row("lower"))
    shown = move.by(M)
    for name in ("base", "upper", "j1", "j2"):
        np.testing.assert_array_equal(at(model, shown, name), at(model, model.X_RootF, name))
    np.testing.assert_allclose(at(model, shown, "pointer"), M @ at(model, model.X_RootF, "pointer"))


@pytest.mark.parametrize("name", ["m", "lost"])
def test_what_has_no_place_cannot_be_moved(name: str) -> None:
    _, model, kinematics = read()
    with pytest.raises(RefactoringError, match="cannot be moved"):
        Move(kinematics, kinematics.q0, model.rows_by_name[name if name == "m" else "m::lost"])
