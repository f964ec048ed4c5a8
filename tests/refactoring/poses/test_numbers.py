"""Poses typed in one notation and written in another: what the user wrote stays, and changing it moves nothing."""

from __future__ import annotations

import math
import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sdfviewer.document.edits import Edit
from sdfviewer.formats.load import Loader, load_model
from sdfviewer.model.model import Model
from sdfviewer.refactoring.editable import RefactoringError
from sdfviewer.refactoring.forms import to_element_relative_form, to_model_absolute_form
from sdfviewer.refactoring.pose_notation import (
    Notation,
    convert,
    matrix_of,
    nearest,
    normalised,
    numbers_of,
    written_numbers,
)
from sdfviewer.refactoring.pose_writing import (
    set_notation,
    set_pose_component,
    set_pose_numbers,
    set_relative_to,
    write_pose,
)
from sdfviewer.transforms import pose_to_matrix

TEXT = """<sdf version="1.9">
  <model name="m">
    <link name="base"/>
    <frame name="rad"><pose><!-- measured -->0.1 0   0 0.1 0.2 1.5</pose></frame>
    <frame name="deg"><pose degrees="true">0 0 1  0 100 -190</pose></frame>
    <frame name="quat"><pose rotation_format="quat_xyzw" relative_to="deg">1 2 3  0 0 -1 -1</pose></frame>
    <frame name="bare"/>
    <frame name="broken"><pose>1 2</pose></frame>
  </model>
</sdf>
"""


@pytest.fixture
def model() -> Model:
    return load_model(TEXT)


def edited(model: Model, edit: Edit) -> Model:
    result = Loader().load(model.document.edited(edit.replacements))
    assert result is not None
    return result


def line_of(model: Model, name: str) -> str:
    return next(line.strip() for line in model.document.text.splitlines() if f'"{name}"' in line)


def test_numbers_are_reported_as_they_are_written(model: Model) -> None:
    deg, quat = model.row("m::deg"), model.row("m::quat")
    assert written_numbers(model, deg, Notation.DEGREES) == [0, 0, 1, 0, 100, -190]
    assert written_numbers(model, quat, Notation.QUATERNION) == [1, 2, 3, 0, 0, -1, -1]
    assert written_numbers(model, deg)[4] == math.radians(100)
    assert written_numbers(model, model.row("m::bare"), Notation.QUATERNION) == [0, 0, 0, 0, 0, 0, 1]


@pytest.mark.parametrize(
    ("name", "numbers", "notation", "line"),
    [
        (
            "deg",
            [0, 0, 1, 10, 100, 20],
            Notation.DEGREES,
            '<frame name="deg"><pose degrees="true">0 0 1  10 100 20</pose></frame>',
        ),
        (
            "deg",
            [0, 0, 2, 0, 0, math.pi],
            Notation.RADIANS,
            '<frame name="deg"><pose degrees="true">0 0 2  0 0 180</pose></frame>',
        ),
        (
            "rad",
            [0.1, 0, 0, 0, 0, 0, 2],
            Notation.QUATERNION,
            '<frame name="rad"><pose><!-- measured -->0.1 0   0 0 0 0</pose></frame>',
        ),
        (
            "rad",
            [0.1, 0, 0, 10, 100, 20],
            Notation.DEGREES,
            '<frame name="rad"><pose><!-- measured -->0.1 0   0 '
            "0.17453292519943295 1.7453292519943295 0.3490658503988659</pose></frame>",
        ),
        # The rotation is the one that is written, though its numbers are of another length and sign.
        (
            "quat",
            [1, 2, 4, 0, 0, math.pi / 2],
            Notation.RADIANS,
            '<frame name="quat"><pose rotation_format="quat_xyzw" relative_to="deg">1 2 4  0 0 -1 -1</pose></frame>',
        ),
        ("bare", [0, 0, 0, 0, 0, 90], Notation.DEGREES, "<pose>0 0 0 0 0 1.5707963267948966</pose>"),
    ],
)
def test_numbers_are_written_in_the_notation_of_the_file(
    model: Model, name: str, numbers: list[float], notation: Notation, line: str
) -> None:
    edit = set_pose_numbers(model, model.row(f"m::{name}"), numbers, notation)
    after = edited(model, edit)
    assert line in after.document.text
    np.testing.assert_allclose(after.raw_poses[after.row(f"m::{name}")], matrix_of(numbers, notation), atol=1e-12)


def test_a_quaternion_without_length_is_refused(model: Model) -> None:
    assert normalised([0, 0, 0, 0, 0, 0, 1e-12]) is None
    with pytest.raises(RefactoringError, match="length zero"):
        set_pose_numbers(model, model.row("m::quat"), [0, 0, 0, 0, 0, 0, 0], Notation.QUATERNION)


def test_moving_leaves_a_quaternion_that_nobody_turned(model: Model) -> None:
    row = model.row("m::quat")
    X_RF = model.raw_poses[row].copy()
    X_RF[:3, 3] = 0
    text = edited(model, Edit("Move", model.document, write_pose(model, row, X_RF))).document.text
    assert text.split('relative_to="deg">')[1].split("</pose>")[0].endswith("  0 0 -1 -1")


@pytest.mark.parametrize("notation", list(Notation))
@pytest.mark.parametrize("name", ["rad", "deg", "quat"])
def test_another_notation_moves_nothing(model: Model, name: str, notation: Notation) -> None:
    row = model.row(f"m::{name}")
    after = edited(model, set_notation(model, [row], notation))
    np.testing.assert_allclose(after.X_RootF, model.X_RootF, atol=1e-12)
    assert [each.rule for each in after.diagnostics] == [each.rule for each in model.diagnostics]
    pose = after.elements[row].find("pose")
    assert pose is not None
    assert ("degrees" in pose.attributes, "rotation_format" in pose.attributes) == {
        Notation.RADIANS: (False, False),
        Notation.DEGREES: (True, False),
        Notation.QUATERNION: (False, True),
    }[notation]


def test_another_notation_touches_only_what_it_must(model: Model) -> None:
    after = edited(model, set_notation(model, [model.row("m::deg")], Notation.RADIANS))
    assert line_of(after, "deg") == (
        '<frame name="deg"><pose>0 0 1  0 1.7453292519943295 -3.3161255787892263</pose></frame>'
    )
    after = edited(model, set_notation(model, [model.row("m::rad")], Notation.QUATERNION))
    assert line_of(after, "rad").startswith(
        '<frame name="rad"><pose rotation_format="quat_xyzw"><!-- measured -->0.1 0   0 '
    )
    rows = [model.row(f"m::{name}") for name in ("rad", "deg", "quat", "bare")]
    after = edited(model, set_notation(model, rows, Notation.DEGREES))
    assert after.document.text.count('degrees="true"') == 3
    np.testing.assert_allclose(after.X_RootF, model.X_RootF, atol=1e-12)


def test_an_empty_pose_gets_another_notation_alone_and_is_left_among_several() -> None:
    model = load_model(TEXT.replace("<pose>1 2</pose>", '<pose relative_to="rad"/>'))
    rows = [model.row(f"m::{name}") for name in ("rad", "broken")]
    after = edited(model, set_notation(model, rows[1:], Notation.DEGREES))
    assert line_of(after, "broken").endswith('<pose relative_to="rad" degrees="true">0 0 0 0 0 0</pose></frame>')
    np.testing.assert_allclose(after.X_RootF, model.X_RootF, atol=1e-12)
    after = edited(model, set_notation(model, rows, Notation.DEGREES))
    assert line_of(after, "broken").endswith('<pose relative_to="rad"/></frame>')
    assert 'degrees="true"' in line_of(after, "rad")


def test_a_notation_that_cannot_be_written_is_refused(model: Model) -> None:
    with pytest.raises(RefactoringError, match="no <pose>"):
        set_notation(model, [model.row("m::bare")], Notation.DEGREES)
    with pytest.raises(RefactoringError, match="does not have 6 numbers"):
        set_notation(model, [model.row("m::broken")], Notation.DEGREES)
    old = load_model(TEXT.replace('"1.9"', '"1.8"'))
    with pytest.raises(RefactoringError, match=r"1\.8 writes angles in radians"):
        set_notation(old, [old.row("m::rad")], Notation.DEGREES)


NUMBERS = st.lists(st.floats(-7, 7), min_size=6, max_size=6)


@given(NUMBERS, st.sampled_from(list(Notation)), st.sampled_from(list(Notation)))
def test_conversion_keeps_the_pose(numbers: list[float], through: Notation, target: Notation) -> None:
    X = matrix_of(numbers, Notation.RADIANS)
    converted = convert(convert(numbers, Notation.RADIANS, through), through, target)
    np.testing.assert_allclose(matrix_of(converted, target), X, atol=1e-9)


@given(NUMBERS, NUMBERS, st.sampled_from(list(Notation)))
def test_the_nearest_numbers_mean_the_same_pose(numbers: list[float], written: list[float], notation: Notation) -> None:
    here = convert(numbers, Notation.RADIANS, notation)
    there = convert(written, Notation.RADIANS, notation)
    X = matrix_of(here, notation)
    np.testing.assert_allclose(matrix_of(nearest(here, there, notation), notation), X, atol=1e-9)


@pytest.mark.parametrize(
    ("numbers", "notation", "label"),
    [
        ((1.2, 2, 3, 0, 0, 0), Notation.RADIANS, "Set x of f to 1.2"),
        ((1, 2, 3, 0, 0, 90), Notation.DEGREES, "Set yaw of f to 90°"),
        ((1, 0, 0.5, 0, 0, 0), Notation.RADIANS, "Move f to 1, 0, 0.5"),
        ((1, 2, 3, 0, 0.5, 1), Notation.RADIANS, "Rotate f to 0, 0.5, 1 rad"),
        ((1, 2, 4, 0, 0, 1), Notation.RADIANS, "Move f to 1, 2, 4 and rotate it to 0, 0, 1 rad"),
        ((1, 2, 3, 0, 0, 1, 0), Notation.QUATERNION, "Rotate f to 0, 0, 1, 0"),
        ((1, 2, 3, 0, 0, 0), Notation.RADIANS, "Move f"),
    ],
)
def test_labels_say_what_changes(numbers: tuple[float, ...], notation: Notation, label: str) -> None:
    """So that the steps of a history can be told apart."""
    model = load_model(
        '<sdf version="1.9"><model name="m"><link name="f"><pose>1 2 3 0 0 0</pose></link></model></sdf>'
    )
    assert set_pose_numbers(model, model.row("m::f"), numbers, notation).label == label


def test_a_component_of_several_elements_is_in_the_label() -> None:
    model = load_model('<sdf version="1.9"><model name="m"><link name="a"/><link name="b"/></model></sdf>')
    rows = [model.row("m::a"), model.row("m::b")]
    assert set_pose_component(model, rows, 2, 0.5).label == "Set z of 2 elements to 0.5"
    assert set_pose_component(model, rows[:1], 2, 0.5).label == "Set z of a to 0.5"


def test_the_label_tells_links_of_one_name_apart() -> None:
    models = "".join(f'<model name="{name}"><link name="link"/></model>' for name in ("box", "ball"))
    model = load_model(f'<sdf version="1.9"><world name="w">{models}</world></sdf>')
    assert set_pose_component(model, [model.row("ball::link")], 0, 2).label == "Set x of ball::link to 2"
    assert set_relative_to(model, model.row("box::link"), "__model__").label.startswith("Make box::link ")


@pytest.mark.parametrize(
    ("angles", "written"),
    [
        ((0.0, 0.0, 0.0), (math.pi, math.pi - 1.5708, math.pi)),  # identity, whatever was there
        ((0.0, 1.5708, 0.0), (0.5, 0.2, 0.1)),  # a pitch of slightly more than a quarter turn
        ((0.0, 2.0, 0.0), (0.0, 0.0, 0.0)),
        ((0.0, 0.0, math.pi), (0.0, 0.0, 0.0)),
        ((math.pi, 0.5, 3.0), (math.pi, 0.5, math.pi)),  # two angles stay
        ((math.pi, math.pi, math.pi), (math.pi, math.pi, math.pi)),  # all of them
    ],
)
@pytest.mark.parametrize("notation", [Notation.RADIANS, Notation.DEGREES])
def test_a_rotation_is_written_with_most_zeros(
    angles: tuple[float, ...], written: tuple[float, ...], notation: Notation
) -> None:
    unit = math.pi / 180 if notation is Notation.DEGREES else 1.0
    X = pose_to_matrix((0, 0, 0, *angles))
    found = nearest(numbers_of(X, notation), [0, 0, 0, *(each / unit for each in written)], notation)
    np.testing.assert_allclose(np.array(found[3:]) * unit, angles, atol=1e-12)


def test_a_pose_that_goes_through_both_forms_ends_as_identity() -> None:
    text = """<sdf version="1.7"><model name="m"><link name="a"/><link name="b"><pose>0 0 1 0 1.5708 0</pose></link>
    <joint name="j" type="revolute"><parent>a</parent><child>b</child><axis><xyz>0 0 1</xyz></axis></joint>
    </model></sdf>"""
    for form in (to_element_relative_form, to_model_absolute_form):
        model = load_model(text)
        text = model.document.edited(form(model).replacements).text
    assert re.findall("<pose>(.*?)</pose>", text) == ["0 0 1 0 1.5708 0", "0 0 0 0 0 0"]
