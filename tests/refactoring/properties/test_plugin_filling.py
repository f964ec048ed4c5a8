"""What a new plugin gets from the model."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import pytest

import sdfviewer
from sdfviewer import EditableDocument

_DRIVE, _MOTOR = "gz-sim-diff-drive-system", "gz-sim-multicopter-motor-model-system"


@pytest.fixture
def cart() -> EditableDocument:
    """A base of 0.4 m with two wheels, a caster and an arm that is no wheel."""
    document = sdfviewer.new("model", name="cart")
    with document.edit() as edit:
        wheel: dict[str, Any] = {
            "joined_to": "base",
            "joint_type": "continuous",
            "axis": (0, 1, 0),
            "geometry": sdfviewer.Cylinder(0.12, 0.04),
        }
        edit.add_link("left_wheel", pose=(0.1, 0.2, 0, 0, 0, 0), **wheel)
        edit.add_link("right_wheel", pose=(0.1, -0.2, 0, 0, 0, 0), **wheel)
        edit.add_link("left_arm", joined_to="base", joint_type="revolute", axis=(0, 1, 0))
        edit.add_link("left_finger", joined_to="left_arm", joint_type="prismatic", axis=(0, 1, 0))
        edit.add_link("caster", joined_to="base", joint_type="ball", geometry="sphere")
    return document


def _written(document: EditableDocument) -> list[list[tuple[str, str]]]:
    plugins = re.findall(r"(?s)<plugin.*?(?:</plugin>|/>)", document.text)
    return [re.findall(r"<(\w+)>([^<]*)</", plugin) for plugin in plugins]


def _add(document: EditableDocument, filename: str, of: Sequence[str] = ()) -> list[list[tuple[str, str]]]:
    with document.edit() as edit:
        edit.add_plugin("cart", filename, "x", of=of)
    return _written(document)


def test_a_drive_gets_its_wheels_with_their_separation_and_radius(cart: EditableDocument) -> None:
    assert _add(cart, _DRIVE) == [
        [
            ("left_joint", "left_wheel_joint"),
            ("right_joint", "right_wheel_joint"),
            ("wheel_separation", "0.4"),
            ("wheel_radius", "0.12"),
        ]
    ]


def test_what_the_model_does_not_give_is_left_out(cart: EditableDocument) -> None:
    with cart.edit() as edit:
        edit.remove("right_wheel", "right_wheel_joint")
    assert _add(cart, _DRIVE) == [[("left_joint", "left_wheel_joint"), ("wheel_radius", "0.12")]]


def test_each_selected_joint_gets_a_controller(cart: EditableDocument) -> None:
    chosen = ["left_arm_joint", "left_wheel"]
    assert _add(cart, "gz-sim-joint-position-controller-system", chosen) == [
        [("joint_name", "left_arm_joint")],
        [("joint_name", "left_wheel_joint")],
    ]


def test_the_rotors_of_each_diagonal_turn_the_same_way_and_have_numbers() -> None:
    document = sdfviewer.new("model", name="cart")
    with document.edit() as edit:
        edit.add_link("rotor_0", pose=(0.2, -0.2, 0, 0, 0, 0), joined_to="base", joint_type="continuous")
        edit.repeat("rotor_0")
    found = [dict(each) for each in _add(document, _MOTOR, [f"rotor_{number}" for number in range(4)])]
    assert [each["turningDirection"] for each in found] == ["ccw", "cw", "ccw", "cw"]
    assert [each["linkName"] for each in found] == ["rotor_0", "rotor_1", "rotor_2", "rotor_3"]
    assert [each["actuator_number"] for each in found] == ["0", "1", "2", "3"]
    assert dict(_add(document, _MOTOR, ["rotor_0"])[-1])["actuator_number"] == "4"
