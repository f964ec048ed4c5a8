"""Whatever edits a pose writes the shortest numbers that mean it: drags, the graphs, forms of several frames, xacro."""

from __future__ import annotations

import math
import re

import numpy as np
import pytest

from sdfviewer.document.edits import Edit
from sdfviewer.formats.load import Loader, load_model
from sdfviewer.formats.urdf.values import parse_origin
from sdfviewer.formats.xacro.solving import solve
from sdfviewer.model.kinematics.forward import Kinematics
from sdfviewer.model.model import Model
from sdfviewer.operations import frames
from sdfviewer.operations.declaration import EditContext
from sdfviewer.refactoring.pose_moving import Move, MoveSet
from sdfviewer.refactoring.pose_notation import as_xyz_rpy
from sdfviewer.transforms import Array, axis_angle_to_matrix, invert, pose, pose_to_matrix, written_numbers_of

URDF = """<robot name="r"><link name="a"/><link name="b"/><link name="c"/>
<joint name="j" type="fixed"><parent link="a"/><child link="b"/><origin xyz="0.2 0.1 0.3" rpy="0 0 0.7"/></joint>
<joint name="k" type="fixed"><parent link="b"/><child link="c"/>
<origin xyz="0.1 0.7 0.3" rpy="0 1.5707963267948966 0.3"/></joint></robot>"""
SDF = """<sdf version="1.9"><model name="m"><link name="base"/>
<frame name="turned"><pose>0.7 0.1 0.2 0 0 0.7853981633974483</pose></frame>
<frame name="f" attached_to="base"><pose relative_to="turned">0.1 0.2 0.3 0 0 0.5235987755982988</pose></frame>
<frame name="g" attached_to="base"><pose>0.1 0.2 0.3 0 0 0</pose></frame></model></sdf>"""


def numbers_in(text: str) -> list[str]:
    """Return the numbers in the poses of a text."""
    found = re.findall(r'(?:xyz|rpy)="([^"]*)"|<pose[^>]*>([^<]*)<', text)
    return [word for pair in found for part in pair for word in part.split()]


def is_plain(word: str) -> bool:
    """Return whether a number has at most twelve decimals, or is an angle of whole degrees."""
    decimals = len(word.partition(".")[2])
    return decimals <= 12 or float(word) == math.radians(round(math.degrees(float(word))))


def dragged(model: Model, name: str, motion: Array) -> str:
    """Return the text after a frame is dragged by a motion (4, 4) along its own axes."""
    X = model.X_RootF[model.row(name)]
    move = Move(Kinematics(model), np.zeros(0), MoveSet(model, [model.row(name)]))
    move.by(X @ motion @ invert(X))
    return after(model, move.edit())


def after(model: Model, edit: Edit) -> str:
    return model.document.edited(edit.replacements).text


@pytest.mark.parametrize("text", [URDF, SDF])
@pytest.mark.parametrize("axis", range(3))
@pytest.mark.parametrize("amount", [0.05, -0.001, math.radians(15), math.radians(90)])
def test_a_drag_in_a_rotated_frame_writes_short_numbers(text: str, axis: int, amount: float) -> None:
    model = load_model(text)
    name = "r::c" if text is URDF else "m::f"
    R = axis_angle_to_matrix(np.eye(3)[axis], amount)
    for motion in (pose(np.eye(3), amount * np.eye(3)[axis]), pose(R, np.zeros(3))):
        written = dragged(model, name, motion)
        assert all(map(is_plain, numbers_in(written))), numbers_in(written)
        moved = Loader().load(model.document.edited(_whole(model, written)))
        assert moved is not None
        wanted = model.X_RootF[model.row(name)] @ motion
        np.testing.assert_allclose(moved.X_RootF[moved.row(name)], wanted, atol=1e-11)


def _whole(model: Model, text: str) -> tuple:  # type: ignore[type-arg]  # of replacements
    from sdfviewer.diagnostics import Replacement

    return (Replacement(0, len(model.document.text), text),)


def test_a_drag_in_the_graph_writes_angles_of_whole_degrees_as_they_are() -> None:
    model = load_model(SDF)
    on = EditContext(model, Loader())
    arguments = {"frame": "m::f", "target": "m", "keep": "pose"}
    edit = frames.set_relative_to.perform(on, {**arguments, "target": None}).edit
    line = next(line for line in after(model, edit).splitlines() if 'name="f"' in line)
    assert numbers_in(line)[3:] == ["0", "0", repr(math.radians(75))]


def test_the_form_of_several_frames_writes_what_is_typed() -> None:
    model = load_model(SDF)
    arguments = {"frames": ("m::f", "m::g"), "coordinate": "yaw", "value": math.radians(30)}
    text = after(model, frames.set_coordinate.perform(EditContext(model, Loader()), arguments).edit)
    assert text.count(repr(math.radians(30))) == 2


def test_what_is_copied_and_what_a_quaternion_becomes_have_the_most_zeros() -> None:
    X = pose_to_matrix([1, 0, 0, 0, math.pi, 0])
    assert as_xyz_rpy(X) == f"1 0 0 0 {math.pi} 0"
    assert written_numbers_of(X) == [1, 0, 0, 0, math.pi, 0]
    model = load_model(
        '<robot name="r" version="1.1"><link name="a"><visual><origin quat_xyzw="0 1 0 0"/></visual></link></robot>'
    )
    visual = model.elements[0].findall("link")
    assert parse_origin(next(iter(next(iter(visual)).findall("visual"))), (1, 1)).raw[3:] == (0, math.pi, 0)


@pytest.mark.parametrize("expression", ["track*0.4", "track/4*1.6", "track*0.4+0"])
def test_a_value_of_a_xacro_file_is_the_shortest_that_gives_it(expression: str) -> None:
    terms = solve(expression, "0.7", lambda _chain: "1")
    assert [each.text for each in terms if each.chain] == ["1.75"]
