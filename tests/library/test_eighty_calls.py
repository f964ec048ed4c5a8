"""Eighty calls that users of other libraries try on a robot model: sixty work at once, the rest get a true hint.

The list was written down before looking at what this library has. A call that gets no answer gets an error that names a
call that is there.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import sdfviewer
from sdfviewer.document.element import _ELSEWHERE
from sdfviewer.library.base import EDITS_FOR
from sdfviewer.model.near_names import foreign_names

#: Library, call, and what is true of its result, `it`.
CALLS: list[tuple[str, str, str]] = [
    # yourdfpy
    ("yourdfpy", "robot.link_map['palm']", "it.name == 'palm'"),
    ("yourdfpy", "robot.joint_map['joint_2'].type", "it == 'revolute'"),
    ("yourdfpy", "robot.base_link", "it == 'base' or it.name == 'base'"),
    ("yourdfpy", "robot.actuated_joints[0].name", "it == 'joint_1'"),
    ("yourdfpy", "robot.actuated_joint_names", "len(it) == 7 and 'right_finger_slide' not in it"),
    ("yourdfpy", "robot.num_actuated_joints", "it == 7"),
    ("yourdfpy", "robot.num_dofs", "it == 8"),
    ("yourdfpy", "robot.joint_names", "it[1] == 'joint_1'"),
    ("yourdfpy", "robot.zero_cfg", "it.shape == (8,)"),
    ("yourdfpy", "robot.get_transform('palm', 'base')", "it.shape == (4, 4) and abs(it[2, 3]) > 0.1"),
    ("yourdfpy", "robot.update_cfg({'joint_2': 0.5})", ""),
    ("yourdfpy", "robot.cfg", ""),
    ("yourdfpy", "robot.joint_map['joint_2'].limit.lower", "it == -1.4"),
    ("yourdfpy", "robot.joint_map['joint_2'].origin", ""),
    ("yourdfpy", "robot.joint_map['right_finger_slide'].mimic.joint", "it == 'left_finger_slide'"),
    ("yourdfpy", "robot.link_map['base'].visuals[0].geometry.cylinder.radius", "it == 0.16"),
    ("yourdfpy", "robot.write_xml_string()", "'<model name=\"arm\"' in it"),
    ("yourdfpy", "robot.write_xml_file(folder / 'out.sdf')", "(folder / 'out.sdf').is_file()"),
    ("yourdfpy", "robot.validate()", "it == ()"),
    ("yourdfpy", "robot.scene", ""),
    ("yourdfpy", "robot.show", "callable(it)"),
    # pinocchio
    ("pinocchio", "robot.nq", "it == 8"),
    ("pinocchio", "robot.nv", "it == 8"),
    ("pinocchio", "robot.njoints", ""),
    ("pinocchio", "robot.names", ""),
    ("pinocchio", "robot.existFrame('palm')", "it is True"),
    ("pinocchio", "robot.getFrameId('palm')", ""),
    ("pinocchio", "robot.lowerPositionLimit", "it[1] == -1.4"),
    ("pinocchio", "robot.upperPositionLimit", "it[1] == 2.2"),
    ("pinocchio", "robot.neutral()", "not it.any()"),
    ("pinocchio", "robot.random_configuration()", "it.shape == (8,) and (it >= robot.lower_limits).all()"),
    ("pinocchio", "robot.forward_kinematics(q)['palm']", "it.shape == (4, 4)"),
    ("pinocchio", "robot.jacobian('palm', q)", "it.shape == (6, 8)"),
    ("pinocchio", "robot.center_of_mass(q)", "it.shape == (3,)"),
    ("pinocchio", "robot.com(q)", "it.shape == (3,)"),
    ("pinocchio", "robot.total_mass", "it == robot.mass"),
    ("pinocchio", "robot.gravity_torques(q)", "it.shape == (8,)"),
    ("pinocchio", "robot.rnea(q, q, q)", ""),
    ("pinocchio", "robot.frame('grasp').placement", ""),
    # pydrake
    ("pydrake", "robot.num_positions()", "it == 8"),
    ("pydrake", "robot.get_body_by_name('palm')", "it.name == 'palm'"),
    ("pydrake", "robot.GetJointByName('joint_2')", "it.name == 'joint_2'"),
    ("pydrake", "robot.GetFrameByName('grasp')", "it.name == 'grasp'"),
    ("pydrake", "robot.HasJointNamed('joint_2')", "it is True"),
    ("pydrake", "robot.CalcRelativeTransform(q, 'base', 'palm')", ""),
    ("pydrake", "robot.CalcTotalMass()", "it == robot.mass"),
    ("pydrake", "robot.frame('grasp').pose.translation()", ""),
    ("pydrake", "robot.frame('grasp').pose.inverse() @ robot.frame('palm').pose", "it.shape == (4, 4)"),
    ("pydrake", "robot.joint('joint_2').position_lower_limit()", ""),
    ("pydrake", "sdfviewer.RigidTransform", "callable(it)"),
    # trimesh
    ("trimesh", "robot.bounds", "it.shape == (2, 3) and it[1, 2] > 0.5"),
    ("trimesh", "robot.extents", "it.shape == (3,) and (it > 0).all()"),
    ("trimesh", "robot.visuals[0].triangles().vertices", "it.shape[1] == 3"),
    ("trimesh", "robot.visuals[0].triangles().faces", "it.shape[1] == 3"),
    ("trimesh", "robot.visuals[0].triangles().area", "it > 0"),
    ("trimesh", "robot.visuals[0].to_trimesh", "callable(it)"),
    ("trimesh", "robot.to_trimesh", "callable(it)"),
    ("trimesh", "robot.export(folder / 'arm.urdf')", "(folder / 'arm.urdf').is_file()"),
    ("trimesh", "robot.copy()", "it.name == 'arm'"),
    ("trimesh", "robot.moment_inertia", "it.shape == (3, 3)"),
    ("trimesh", "robot.apply_transform(q)", ""),
    # mujoco
    ("mujoco", "robot.nbody", ""),
    ("mujoco", "robot.body('palm').mass", "it == 0.6"),
    ("mujoco", "robot.joint('joint_2').range", "tuple(it) == (-1.4, 2.2)"),
    ("mujoco", "robot.geom('palm::hull')", "it.geometry.kind"),
    ("mujoco", "robot.site('grasp')", "it.name == 'grasp'"),
    ("mujoco", "robot.qpos0", "it.shape == (8,)"),
    ("mujoco", "robot.to_mjcf()", "'<mujoco' in it"),
    ("mujoco", "sdfviewer.from_xml_path(path)", "it.name == 'arm'"),
    ("mujoco", "sdfviewer.from_xml_string(robot.text)", "it.name == 'arm'"),
    # lxml
    ("lxml", "sdfviewer.parse(path)", "it.name == 'arm'"),
    ("lxml", "sdfviewer.fromstring(robot.text)", "it.name == 'arm'"),
    ("lxml", "robot.element.findall('link')", "len(it) == 10"),
    ("lxml", "robot.element.iter('mass')", "len(list(it)) == 10"),
    ("lxml", "robot.element.find('link').get('name')", "it == 'base'"),
    ("lxml", "robot.element.find('link').attrib['name']", "it == 'base'"),
    ("lxml", "robot.element.find('link/inertial/mass').text", "it == '6'"),
    ("lxml", "robot.element.xpath('//link')", ""),
    ("lxml", "robot.link('palm').sourceline", "it == 362"),
    ("lxml", "document.write(folder / 'written.sdf')", "(folder / 'written.sdf').is_file()"),
]

#: What is named by the first word of an expression in a hint.
SUBJECTS: dict[str, Any] = {
    "sdfviewer": sdfviewer,
    "model": sdfviewer.Model,
    "world": sdfviewer.World,
    "link": sdfviewer.Link,
    "joint": sdfviewer.Joint,
    "visual": sdfviewer.Visual,
    "collision": sdfviewer.Collision,
    "sensor": sdfviewer.Sensor,
    "pose": sdfviewer.Pose,
    "poses": sdfviewer.load("<sdf version='1.9'><model name='m'><link name='l'/></model></sdf>").poses(),
    "dof": sdfviewer.DegreeOfFreedom,
    "document": sdfviewer.EditableDocument,
    "edit": sdfviewer.DocumentEdit,
}
NAMED = re.compile(rf"(?<![\w.])({'|'.join(SUBJECTS)})\.(\w+)")


def untrue(message: str) -> list[str]:
    """Return what a hint names that is not there."""
    return [
        f"{subject}.{name}"
        for subject, name in NAMED.findall(message)
        if not hasattr(SUBJECTS[subject], name)
        and name not in getattr(SUBJECTS[subject], "__dataclass_fields__", ())
        and not (subject == "model" and hasattr(sdfviewer.NestedModel, name))
    ]


@pytest.fixture
def names(examples: Path, tmp_path: Path) -> dict[str, Any]:
    """What the calls are made on."""
    path = examples / "arm.sdf"
    robot = sdfviewer.load(path)
    return {
        "sdfviewer": sdfviewer,
        "robot": robot,
        "document": sdfviewer.open_document(path),
        "path": path,
        "folder": tmp_path,
        "q": robot.q0,
    }


def test_sixty_of_eighty_calls_work_and_the_rest_get_a_true_hint(names: dict[str, Any]) -> None:
    assert len(CALLS) == 80
    works, wrong = [], []
    for library, call, is_so in CALLS:
        try:
            it = eval(call, dict(names))
        except AttributeError as error:
            if not re.search("use |did you mean", str(error)) or untrue(str(error)):
                wrong.append(f"{library}: {call}: {error}")
        else:
            if is_so and not eval(is_so, {**names, "it": it}):
                wrong.append(f"{library}: {call} is {it!r}, which is not: {is_so}")
            works.append(call)
    assert len({call for _, call, _ in CALLS}) == len(CALLS)
    assert wrong == []
    assert len(works) >= 60


def test_every_hint_names_what_is_there() -> None:
    hints = [hint for table in foreign_names().values() for hint in table.values()]
    hints += [
        *EDITS_FOR.values(),
        *_ELSEWHERE.values(),
        *(f"sdfviewer.{each}" for each in sdfviewer._ELSEWHERE.values()),
    ]
    assert [wrong for hint in hints for wrong in untrue(hint)] == []


def test_every_name_that_means_the_same_leads_somewhere() -> None:
    classes = {each.__name__: each for name in sdfviewer.__all__ if isinstance(each := getattr(sdfviewer, name), type)}
    classes |= {"Members": sdfviewer.Model, "ElementHandle": sdfviewer.Frame}
    for name, table in foreign_names().items():
        for right in table.values():
            if right.startswith("="):
                first = right.removeprefix("=").removesuffix("()").partition(".")[0]
                assert not first or hasattr(classes[name], first), (name, right)


@pytest.mark.parametrize("name", ["set_q", "set_joint_positions", "set_foo", "add_wheel", "move_it", "delete_all"])
def test_a_hint_never_names_an_edit_that_is_none(names: dict[str, Any], name: str) -> None:
    document, robot = names["document"], names["robot"]
    with document.edit() as edit:
        for thing in (robot, robot.links[0], document, edit):
            with pytest.raises(AttributeError) as caught:
                getattr(thing, name)
            assert untrue(str(caught.value)) == []
    with pytest.raises(AttributeError, match=r"model\.poses"):
        robot.set_q(np.zeros(8))
