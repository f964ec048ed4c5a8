"""Dragged frames: what follows or stays, at any joint position, and what is written."""

from __future__ import annotations

import itertools
import re
from pathlib import Path

import numpy as np
import pytest

from sdfviewer.document.document import Document, parse_document
from sdfviewer.formats.load import Loader
from sdfviewer.model.kinematics.forward import Kinematics
from sdfviewer.model.model import Model
from sdfviewer.refactoring.editable import RefactoringError
from sdfviewer.refactoring.pose_moving import Move, MoveSet
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
    <link name="hand">
      <pose relative_to="j3"/>
      <inertial><pose degrees="true">0 0 0.1 0 90 0</pose><mass>1</mass></inertial>
      <visual name="v"><pose>0.1 0 0 0 0 0</pose><geometry><sphere><radius>0.1</radius></sphere></geometry></visual>
    </link>
    <joint name="j3" type="revolute">
      <pose relative_to="lower">0 0 0.4 0.3 0 0</pose>
      <parent>lower</parent><child>hand</child><axis><xyz>1 0 0</xyz></axis>
    </joint>
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


def take(kinematics: Kinematics, q: object, *names: str, alone: bool = False) -> Move:
    model = kinematics.model
    return Move(kinematics, np.array(q), MoveSet(model, [model.row(name) for name in names], alone=alone))


def written(document: Document, move: Move) -> Model:
    """Return what the text means once the move is written."""
    return load(document.edited(move.edit().replacements))


NAMES = ("upper", "lower", "j1", "j2", "j3", "hand", "pointer")
SELECTIONS = [names for count in (1, 2, 3) for names in itertools.combinations(NAMES, count)]
POSED = (0.5, -0.8, 0.6)


@pytest.mark.parametrize("alone", [False, True])
@pytest.mark.parametrize("q", [(0.0, 0.0, 0.0), POSED])
def test_what_is_shown_is_what_the_written_text_means(q: tuple[float, ...], alone: bool) -> None:
    document, _, kinematics = read()
    for names in SELECTIONS:
        move = take(kinematics, q, *names, alone=alone)
        shown = move.by(M)
        edited = written(document, move)
        resolved = np.isfinite(edited.X_RootF)
        np.testing.assert_array_equal(resolved, np.isfinite(shown))
        np.testing.assert_allclose(
            Kinematics(edited).poses(q)[resolved], shown[resolved], atol=1e-9, err_msg=str(names)
        )


@pytest.mark.parametrize("alone", [False, True])
def test_all_frames_land_where_the_hand_left_them(alone: bool) -> None:
    _, model, kinematics = read(TEXT.replace(' expressed_in="pointer"', ""))
    for names in SELECTIONS:
        move = take(kinematics, POSED, *names, alone=alone)
        move.by(pose_to_matrix([9, 9, 9, 1, 1, 1]))  # only the last motion counts
        shown = move.by(M)
        for name in names:
            wanted = M @ at(model, move.start, name)
            np.testing.assert_allclose(at(model, shown, name), wanted, atol=1e-9, err_msg=f"{name} of {names}")


@pytest.mark.parametrize("name", ["a", "b", "c", "lamp"])
def test_frames_of_several_arms_are_moved_as_one(name: str) -> None:
    """Joints that are measured from the model stay, so that links between them are each seen from elsewhere."""
    text = """<sdf version="1.9"><model name="m"><link name="base"/>
      <link name="a"><pose>0 0 1 0 0 0</pose></link>
      <link name="b"><pose relative_to="a">0 0 1 0 0 0</pose></link>
      <link name="c"><pose relative_to="b">0 0 1 0 0 0</pose></link>
      <frame name="lamp" attached_to="c"><pose>0 0 0.5 0 0 0</pose></frame>
      <joint name="ja" type="revolute"><pose relative_to="__model__">0 0 0.5 0 0 0</pose>
        <parent>base</parent><child>a</child><axis><xyz>0 1 0</xyz></axis></joint>
      <joint name="jb" type="revolute"><parent>a</parent><child>b</child><axis><xyz>1 0 0</xyz></axis></joint>
      <joint name="jc" type="revolute"><pose relative_to="__model__">0 0 2.5 0 0 0</pose>
        <parent>b</parent><child>c</child><axis><xyz>0 1 0</xyz></axis></joint>
      </model></sdf>"""
    document, model, kinematics = read(text)
    q = (0.4, 0.9, -0.7)
    move = take(kinematics, q, "a", "b", "c", "lamp")
    shown = move.by(M)
    np.testing.assert_allclose(at(model, shown, name), M @ at(model, move.start, name), atol=1e-9)
    np.testing.assert_allclose(Kinematics(written(document, move)).poses(q), shown, atol=1e-9)


def test_only_what_is_relative_to_it_moves_with_it() -> None:
    _, model, kinematics = read()
    move = take(kinematics, kinematics.q0, "lower")
    shown = move.by(M)
    for name in ("base", "upper", "j1", "j2"):
        np.testing.assert_array_equal(at(model, shown, name), at(model, model.X_RootF, name))
    np.testing.assert_allclose(at(model, shown, "pointer"), M @ at(model, model.X_RootF, "pointer"))
    assert [model.local_names[row] for row in move.move_set.followers] == ["pointer", "hand", "v", "j3"]


def test_a_frame_whose_reference_moves_too_is_not_written_twice() -> None:
    document, model, kinematics = read()
    move = take(kinematics, kinematics.q0, "lower", "pointer", "hand")
    # The pointer is on the body of the link; at other joint positions the hand would go another way.
    assert [model.local_names[row] for row in move.move_set.leads] == ["lower", "hand"]
    shown = move.by(M)
    for name in ("lower", "pointer", "hand"):
        np.testing.assert_allclose(at(model, shown, name), M @ at(model, model.X_RootF, name), atol=1e-12)
    edited = document.edited(move.edit().replacements).text
    pose = '<pose relative_to="upper">0 0 1 0.2 0 0</pose>'
    numbers = re.search(r'<link name="lower"><pose relative_to="upper">(.*)</pose>', edited)
    assert numbers is not None
    assert edited == TEXT.replace(pose, pose.replace("0 0 1 0.2 0 0", numbers[1]))


@pytest.mark.parametrize("names", [("lower",), ("j2",), ("pointer",), ("hand",), ("upper", "lower"), ("m::hand::v",)])
def test_a_frame_that_is_moved_alone_leaves_all_others_where_they_are(names: tuple[str, ...]) -> None:
    document, model, kinematics = read()
    move = take(kinematics, POSED, *names, alone=True)
    move.by(M)
    edited = written(document, move)
    chosen = [model.row(name) for name in names]
    for row in range(len(model)):
        moved = not np.allclose(edited.X_RootF[row], model.X_RootF[row], atol=1e-9, equal_nan=True)
        assert moved == (row in chosen), model.names[row]
    # An axis that is expressed in it keeps its way, too.
    for before, after in zip(model.joints, edited.joints, strict=True):
        if before.row not in chosen:
            np.testing.assert_allclose(after.axes[0].xyz, before.axes[0].xyz, atol=1e-9)


def test_a_link_that_is_moved_alone_leaves_its_inertia_where_it_is() -> None:
    document, model, kinematics = read()
    move = take(kinematics, kinematics.q0, "hand", alone=True)
    move.by(M)
    edited = written(document, move)
    pose = edited.elements[edited.row("hand")].find("inertial").find("pose")  # type: ignore[union-attr]
    assert pose is not None
    assert pose.attributes == {"degrees": "true"}
    x, y, z, *degrees = (float(word) for word in pose.text.split())
    X_LI = pose_to_matrix([x, y, z, *np.radians(degrees)])
    X_RootI = at(model, model.X_RootF, "hand") @ pose_to_matrix([0, 0, 0.1, 0, np.pi / 2, 0])
    np.testing.assert_allclose(at(edited, edited.X_RootF, "hand") @ X_LI, X_RootI, atol=1e-9)


PLACED = """<sdf version="1.9"><world name="w">
  <model name="m" placement_frame="grip"><pose degrees="true">1 0 0 0 0 90</pose>
    <link name="l"><pose>0 0 1 0 0 0</pose></link><frame name="grip" attached_to="l"><pose>0 0.5 0 0 0 0</pose></frame>
  </model></world></sdf>"""


@pytest.mark.parametrize("alone", [False, True])
@pytest.mark.parametrize("name", ["m", "m::l", "m::grip"])
def test_a_model_stays_when_its_placement_frame_is_moved(name: str, alone: bool) -> None:
    document, model, kinematics = read(PLACED)
    move = take(kinematics, kinematics.q0, name, alone=alone)
    shown = move.by(M)
    np.testing.assert_allclose(at(model, shown, name), M @ at(model, model.X_RootF, name), atol=1e-12)
    np.testing.assert_allclose(written(document, move).X_RootF, shown, atol=1e-9)
    if name != "m":
        np.testing.assert_array_equal(at(model, shown, "m"), at(model, model.X_RootF, "m"))


@pytest.mark.parametrize("name", ["m", "m::lost"])
def test_what_has_no_place_cannot_be_moved(name: str) -> None:
    _, model, _ = read()
    with pytest.raises(RefactoringError, match="cannot be moved"):
        MoveSet(model, [model.row("lower"), model.rows_by_name[name]])


def test_what_is_written_elsewhere_is_refused_with_what_to_take_instead(tmp_path: Path) -> None:
    (tmp_path / "hand.sdf").write_text(
        '<sdf version="1.9"><model name="hand"><link name="palm"/><frame name="tip"/></model></sdf>'
    )
    text = """<sdf version="1.9"><model name="m"><link name="base"/>
      <include><uri>hand.sdf</uri><name>hand</name><pose>0 0 1 0 0 0</pose></include></model></sdf>"""
    model = load(parse_document(text, tmp_path / "m.sdf"))
    with pytest.raises(RefactoringError, match=r"defined in .*hand\.sdf.*or select 'm::hand' to move the whole model"):
        MoveSet(model, [model.row("hand::tip")])
    # It goes along with the model that it is written in, but cannot stay behind.
    hand = [model.row("hand"), model.row("hand::tip")]
    assert MoveSet(model, hand).leads.tolist() == hand[:1]
    with pytest.raises(RefactoringError, match=r"cannot be kept: 'm::hand::palm' is defined in .*hand\.sdf"):
        MoveSet(model, hand[:1], alone=True)
