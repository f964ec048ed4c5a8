"""New files are valid, move as they should, and read as if a careful person had written them."""

from __future__ import annotations

import math
import re

import numpy as np
import pytest

from sdfviewer.document.document import parse_document
from sdfviewer.formats.load import Loader, load_model
from sdfviewer.formats.mass import link_bodies, links_of
from sdfviewer.model.kinematics.conventions import Comparison
from sdfviewer.model.kinematics.forward import Kinematics
from sdfviewer.model.shapes.box import Box
from sdfviewer.model.shapes.cylinder import Cylinder
from sdfviewer.model.shapes.sphere import Sphere
from sdfviewer.operations.adding import add_link
from sdfviewer.operations.declaration import EditContext
from sdfviewer.refactoring.inertia import explain_inertia
from sdfviewer.refactoring.templates import SIMULATORS, TEMPLATES
from sdfviewer.versions import Version, format_version
from tests.frames import frame_in


@pytest.mark.parametrize("name", list(TEMPLATES))
def test_a_new_file_has_no_problem(name: str) -> None:
    document = parse_document(TEMPLATES[name].text("thing"))
    model, diagnostics = Loader().load_with_diagnostics(document)
    assert not diagnostics
    assert model is not None
    assert model.names[0] in ("thing", "world")
    assert "\t" not in document.text
    assert max(len(line) for line in document.text.splitlines()) <= 100


@pytest.mark.parametrize("version", SIMULATORS.values(), ids=format_version)
@pytest.mark.parametrize("name", [name for name, template in TEMPLATES.items() if not template.is_urdf])
def test_a_new_file_can_be_of_the_version_of_each_simulator(name: str, version: Version) -> None:
    text = TEMPLATES[name].text(version=version)
    assert f'<sdf version="{format_version(version)}">' in text
    assert not Loader().load_with_diagnostics(parse_document(text))[1]


@pytest.mark.parametrize("name", ["arm_gripper", "rover", "quadrotor"])
def test_plugins_of_a_template_name_joints_and_links_that_are_there(name: str) -> None:
    text = TEMPLATES[name].text()
    named = set(re.findall(r"<(?:left_joint|right_joint|joint_name|jointName|linkName)>([^<]+)<", text))
    assert named
    assert named <= set(load_model(text).local_names)


@pytest.mark.parametrize(
    ("name", "dofs", "mass"), [("arm", 2, 7.0), ("arm_gripper", 4, 7.4), ("rover", 5, 9.4), ("quadrotor", 4, 1.52)]
)
def test_a_robot_moves_and_has_plausible_inertia(name: str, dofs: int, mass: float) -> None:
    model = load_model(TEMPLATES[name].text())
    assert len(Kinematics(model).dofs) == dofs
    links = links_of(model, [0])
    assert link_bodies(model, links).total(model.X_RootF)[0].mass == pytest.approx(mass)
    for link in links:
        assert explain_inertia(model, link) is None
    assert Comparison(model).equal, "it means the same in URDF"


def test_the_wheels_touch_the_ground() -> None:
    model = load_model(TEMPLATES["rover"].text())
    heights = [
        frame_in(model, f"rover::{wheel}").pose[2, 3] - radius
        for wheel, radius in (("left_wheel", 0.1), ("right_wheel", 0.1), ("caster", 0.05))
    ]
    np.testing.assert_allclose(heights, heights[0], atol=1e-9)


def test_the_mobile_base_is_what_operations_build_on_an_empty_robot() -> None:
    model = load_model('<?xml version="1.0"?>\n<robot name="mobile_base">\n</robot>\n')
    wheel: dict[str, object] = {"geometry": Cylinder(0.1, 0.04), "joined_to": "base_link", "joint_type": "continuous"}
    quarter = -math.pi / 2
    steps: list[dict[str, object]] = [
        {"name": "base_link", "geometry": Box((0.4, 0.3, 0.1))},
        {"name": "left_wheel", **wheel, "pose": (0.1, 0.17, 0, quarter, 0, 0)},
        {"name": "right_wheel", **wheel, "pose": (0.1, -0.17, 0, quarter, 0, 0)},
        {"name": "caster", "geometry": Sphere(0.05), "joined_to": "base_link", "pose": (-0.15, 0, -0.1, 0, 0, 0)},
    ]
    for step in steps:
        edit = add_link.perform(EditContext(model, Loader()), {"density": 500, **step}).edit
        model = load_model(model.document.edited(edit.replacements).text)
    assert model.document.text == TEMPLATES["urdf_base"].text()
    assert len(Kinematics(model).dofs) == 2
