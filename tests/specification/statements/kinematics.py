"""The statements of *Specifying model kinematics in SDFormat*."""

from __future__ import annotations

from tests.specification.statements.statement import (
    KINEMATICS,
    MASS,
    A,
    B,
    L,
    Statement,
    about,
    axis,
    joint,
    link,
    model,
    pose,
    shape,
    world,
)

_SEED = "tests/specification/test_seed_kinematics.py"
_JOINT_FRAMES = "tests/model/kinematics/test_joint_frames.py"
_FORWARD = "tests/model/kinematics/test_forward.py"
_URDF = "tests/formats/urdf/test_build.py"
_TYPES = {
    "ball": ("3 rotational degrees of freedom", 3, ""),
    "continuous": ("1 rotational degree of freedom", 1, "<axis><xyz>0 0 1</xyz></axis>"),
    "fixed": ("0 degrees of freedom", 0, ""),
    "prismatic": ("1 translational degree of freedom", 1, axis()),
    "revolute": ("1 rotational degree of freedom", 1, axis()),
    "screw": ("1 coupled degree of freedom", 1, axis()),
    "universal": ("2 rotational degrees of freedom", 2, axis() + axis("0 1 0", tag="axis2")),
}
_ORTHOGONAL_1 = (
    link("linkA") + link("linkB", pose("0.1 0 0.1 0 0 0"))
    + joint("linkA", "linkB", pose("0 0 -0.1 0 0 0"), "jointAB", "revolute", axis("0 1 0"))
    + joint("world", "linkA", name="joint_world")
)  # fmt: skip
_ORTHOGONAL_2 = (
    link("link1") + link("link2", pose("0.1 0 0.1 0 0 0"))
    + joint("link1", "link2", pose("-0.1 0 0.0 0 0 0"), "joint12", "revolute", axis("0 1 0"))
    + joint("world", "link1", name="joint_world")
)  # fmt: skip
_SIN, _COS = 0.70327942, 0.71091354  # of 0.78 rad


def statements() -> list[Statement]:
    """Return the statements, in the order of the document."""
    s = about(KINEMATICS, "1.4")
    return [*_models_and_links(), *_joints(), *_axes(), *_joint_poses(), *_urdf(), *_examples(), *[
        s("Specifying model kinematics in SDFormat", "links, joints and models each have a frame that a pose offsets",
          world(model("m", pose("1 0 0 0 0 0") + A + link("B", pose("0 1 0 0 0 0"))
                      + joint("A", "B", pose("0 0 1 0 0 0")))),
          at={"m": (1, 0, 0), "m::B": (1, 1, 0), "m::j": (1, 1, 1)}),
    ]]  # fmt: skip


def _models_and_links() -> list[Statement]:
    s = about(KINEMATICS, "1.4")
    parts = shape("visual", "v", pose("0 1 0 0 0 0")) + shape("collision", "c", pose("0 0 1 0 0 0"))
    return [
        s("<model>", "a model is a named container of links and joints", model("m", A + B + joint("A", "B")),
          bodies={"m": "m::A", "m::j": "m::B"}),
        s("<model>", "a model needs a name", f"<model>{L}</model>", errors=["missing-attribute"]),
        s("<model>", "a model may have neither links nor joints", '<model name="empty"/>',
          errors=["model-without-link"],
          differs="libsdformat refuses a model without a link that is not static, and so does this program"),
        s("<model>", "the pose of a model offsets its frame when it is inserted into a world",
          world(model("m", pose("1 2 3 0 0 0.5") + L)), at={"m": (1, 2, 3)}, turned={"m": (0, 0, 0.5)}),
        s("<link>", "a link is the child of a model", world(L + model("m", A)), errors=[], warnings=["misplaced"]),
        s("<link>", "a link needs a name", "<link/>", errors=["missing-attribute"]),
        s("<link>", "a model may have one link", L, errors=[], bodies={"m": "m::L"}),
        s("<link>", "a link is a rigid body: its parts move with it",
          A + link("B", parts) + joint("A", "B", type="revolute", axis=axis("0 0 1")), q={"m::j": 1.5707963267948966},
          at={"m::B::v": (-1, 0, 0), "m::B::c": (0, 0, 1)}),
        s("<link>", "sibling elements of one type have unique names", L + L, errors=["duplicate-name"]),
        s("<link>", "links with unique names are valid", link("link1") + link("link2")),
        s("<link>", "the frame of a link is fixed to its body", B, bodies={"m::B": "m::B"}),
        s("<link>", "the pose of a link is relative to the model frame", world(model("m", pose("1 0 0 0 0 0") + B)),
          at={"m::B": (2, 0, 0)}, relative_to={"m::B": "m"}),
        s("<link>", "poses of model and link compose: X_WL = X_WM X_ML",
          world(model("m", pose("1 0 0 0 0 1.5707963267948966") + B) + model("n", link("B", pose("1 1 0 0 0 0")))),
          at={"m::B": (1, 1, 0), "n::B": (1, 1, 0)}),
    ]  # fmt: skip


def _joints() -> list[Statement]:
    s = about(KINEMATICS, "1.4")
    return [
        s("<joint>", "a joint is a child of a model", link("A", joint("A", "B")) + B, warnings=["misplaced"]),
        s("<joint>", "a joint needs a type", A + B + '<joint name="j"><parent>A</parent><child>B</child></joint>',
          errors=["missing-attribute"]),
        *(s("<joint>", f"{kind}: {freedom}", A + B + joint("A", "B", type=kind, axis=xml), dofs=dofs)
          for kind, (freedom, dofs, xml) in _TYPES.items()),
        s("<joint>", "continuous: no joint limits", test="tests/rules/limits-ignored/bad.sdf"),
        s("<joint>", "revolute: with joint limits", test="tests/rules/limits-missing/bad.sdf"),
        s("<joint>", "screw: rotation and translation are coupled",
          test=f"{_FORWARD}::test_a_screw_travels_its_pitch_in_a_turn"),
        s("<joint>", "each type lets its links move by its definition",
          test=f"{_FORWARD}::test_each_joint_type_moves_its_child_by_the_definition"),
        s("<joint>", "other types do not exist", A + B + joint("A", "B", type="hinge"), errors=["joint-type-invalid"]),
        s("<joint>", "a joint has a parent", A + '<joint name="j" type="fixed"><child>A</child></joint>',
          errors=["missing-element"]),
        s("<joint>", "a joint has a child", A + '<joint name="j" type="fixed"><parent>A</parent></joint>',
          errors=["missing-element"]),
        s("<joint>", "parent and child name links inside the model", A + B + joint("A", "B"),
          attached_to={"m::j": "m::B"}),
        s("<joint>", "a parent that is not in the model is invalid", A + joint("X", "A"),
          errors=["joint-parent-invalid"]),
        s("<joint>", "a child that is not in the model is invalid", A + joint("A", "X"),
          errors=["joint-child-invalid"]),
        s("<joint>", "joints of a model have unique names", A + B + link("C") + joint("A", "B") + joint("B", "C"),
          errors=["duplicate-name"]),
        s("<joint>", "a sibling link and joint may have the same name, which is not recommended",
          A + B + joint("A", "B", name="B"), errors=["renamed-clash"],
          differs="the file loads and the joint is renamed, but `gz sdf --check` refuses it, and so does this program"),
    ]  # fmt: skip


def _axes() -> list[Statement]:
    s = about(KINEMATICS, "1.5")
    tilted = pose("0 0 0 1.5707963267948966 0 0")
    in_model = "<use_parent_model_frame>true</use_parent_model_frame>"

    def one(version: str, more: str = "", attribute: str = "") -> str:
        return A + B + joint("A", "B", tilted, type="revolute", axis=axis("0 0 1", more, attribute=attribute))

    seen_from_joint, seen_from_model = {"m::j": (0.0, -1.0, 0.0)}, {"m::j": (0.0, 0.0, 1.0)}
    section = "<joint><axis>"
    return [
        s(section, "a joint with one degree of freedom has <axis>", A + B + joint("A", "B", type="revolute"),
          warnings=["axis-missing"]),
        s(section, "a joint with two degrees of freedom has <axis> and <axis2>",
          A + B + joint("A", "B", type="universal", axis=axis()), warnings=["axis-missing"]),
        s(section, "the axis is a unit vector", test="tests/rules/axis-not-unit/bad.sdf"),
        s(section, "an axis has a direction", A + B + joint("A", "B", type="revolute", axis=axis("0 0 0")),
          errors=["axis-zero"]),
        s(section, "until 1.4 the axis is in the model frame of the parent link", one("1.4"), version="1.4",
          axes=seen_from_model),
        *(s(section, f"in {version} the axis is in the joint frame", one(version), version=version,
            axes=seen_from_joint) for version in ("1.5", "1.6")),
        *(s(section, f"in {version} use_parent_model_frame puts it in the model frame", one(version, in_model),
            version=version, axes=seen_from_model) for version in ("1.5", "1.6")),
        s(section, "use_parent_model_frame false is the default",
          one("1.5", "<use_parent_model_frame>false</use_parent_model_frame>"), axes=seen_from_joint),
        s(section, "use_parent_model_frame may be removed: since 1.7 it is ignored, with what to write",
          one("1.7", in_model), version="1.7", warnings=["removed"], axes=seen_from_joint),
        s(section, "since 1.7 expressed_in=\"__model__\" says the same", one("1.7",
          attribute=' expressed_in="__model__"'),
          version="1.7", axes=seen_from_model),
        s(section, "in the example the axes of J1 and J2 are orthogonal",
          A + link("B") + link("C") + joint("A", "B", tilted, "J1", "revolute", axis())
          + joint("B", "C", "", "J2", "revolute", axis(more=in_model)),
          axes={"m::J1": (0, -1, 0), "m::J2": (0, 0, 1)}),
    ]  # fmt: skip


def _joint_poses() -> list[Statement]:
    s = about(KINEMATICS, "1.4")
    section, revolute = "<joint><pose>", "Example Joint: revolute"
    turning = A + B + joint("A", "B", pose("0 1 0 0 0 0"), type="revolute", axis=axis("0 0 1"))
    return [
        s(section, "the pose of a joint is X_CJc, relative to the child link",
          A + B + joint("A", "B", pose("0 0 1 0 0 0")), at={"m::j": (1, 0, 1)}, relative_to={"m::j": "m::B"}),
        s(section, "Jc is fixed to the child link", A + B + joint("A", "B"), bodies={"m::j": "m::B"}),
        s(section, "Jc keeps its pose in the child as the joint moves", turning, q={"m::j": 1.5707963267948966},
          at={"m::j": (1, 1, 0), "m::B": (2, 1, 0)}),
        s(section, "Jp is fixed to the parent", test=f"{_JOINT_FRAMES}::test_the_child_moves_with_the_joint"),
        s(section, "X_PJp is inferred from the poses at the zero configuration",
          test=f"{_JOINT_FRAMES}::test_the_child_moves_with_the_joint"),
        s(section, "X_PJp, X_CJc and X_JpJc(q) can be read", test="tests/cli/test_why_and_graph.py::"
          "test_the_frames_of_a_joint_in_the_notation_of_the_kinematics_document"),
        s(section, "Jp and Jc coincide at the zero configuration",
          test=f"{_JOINT_FRAMES}::test_jp_and_jc_coincide_at_zero"),
        s(section, "the joint type says how Jp and Jc move relative to each other",
          test=f"{_FORWARD}::test_each_joint_type_moves_its_child_by_the_definition"),
        s(section, "Jp and Jc of a fixed joint do not move", A + B + joint("A", "B"), dofs=0),
        s(section, "a fixed joint needs no pose", A + B + joint("A", "B"), at={"m::j": (1, 0, 0)}),
        s(revolute, "the axis has the same coordinates in Jp and in Jc",
          test=f"{_JOINT_FRAMES}::test_the_axis_is_the_same_in_jp_and_jc"),
        s(revolute, "the frames M, P, C and Jc of the figure",
          link("Parent", pose("0.1 0 0 0 0 0")) + link("Child", pose("0.5 0 0.1 0 0 0"))
          + joint("Parent", "Child", pose("-0.2 0 0 0 0 0"), "joint", "revolute", axis("0 1 0")),
          at={"m": (0, 0, 0), "m::Parent": (0.1, 0, 0), "m::Child": (0.5, 0, 0.1), "m::joint": (0.3, 0, 0.1)}),
    ]  # fmt: skip


def _urdf() -> list[Statement]:
    s = about(KINEMATICS, "1.4")
    section = "Example Joint: revolute"

    def robot(inside: str) -> str:
        return f'<robot name="r"><link name="P">{MASS}</link><link name="C">{MASS}</link>{inside}</robot>'

    one = (
        '<joint name="J" type="revolute"><origin xyz="1 0 0" rpy="0 0 1.5707963267948966"/><parent link="P"/>'
        '<child link="C"/><axis xyz="0 0 1"/><limit lower="-2" upper="2" effort="1" velocity="1"/></joint>'
    )
    again = one.replace('"J"', '"K"')
    return [
        s(section, "URDF: the kinematic topology is a tree without loops", robot(one + again),
          errors=["urdf-not-a-tree"]),
        s(section, "URDF: frames are defined along each chain of links and joints",
          test=f"{_URDF}::test_links_are_at_joints_and_joints_at_their_parents"),
        s(section, "URDF: <origin> is the analog of <pose>: its xyz and rpy", robot(one), at={"r::J": (1, 0, 0)},
          turned={"r::J": (0, 0, 1.5707963267948966)}),
        s(section, "URDF: the joint origin is X_PJp, in the parent link frame", robot(one),
          relative_to={"r::J": "r::P"}),
        s(section, "URDF: Jc is fixed to the child link", robot(one), bodies={"r::J": "r::C"}),
        s(section, "URDF: the child link frame is where Jc is, at any position", robot(one), q={"r::J": 1.0},
          at={"r::C": (1, 0, 0), "r::J": (1, 0, 0)}),
        s(section, "URDF: the axis is in the joint frame", robot(one.replace('xyz="0 0 1"', 'xyz="1 0 0"')),
          axes={"r::J": (0, 1, 0)}),
    ]  # fmt: skip


def _examples() -> list[Statement]:
    s = about(KINEMATICS, "1.5")
    one, two, moved = "Model two_links_orthogonal_1", "Model two_links_orthogonal_2", "Comparison after joint motion"
    return [
        s(one, "the joint is at 0.1 0 0 in the world", _ORTHOGONAL_1, at={"m::jointAB": (0.1, 0, 0)}),
        s(one, "its displacements to the links are orthogonal: along x and along z", _ORTHOGONAL_1,
          at={"m::linkA": (0, 0, 0), "m::jointAB": (0.1, 0, 0), "m::linkB": (0.1, 0, 0.1)}),
        s(one, "joint_world fixes linkA in the world", _ORTHOGONAL_1, q={"m::jointAB": 1}, at={"m::linkA": (0, 0, 0)}),
        s(two, "the joint is at 0 0 0.1 in the world", _ORTHOGONAL_2, at={"m::joint12": (0, 0, 0.1)}),
        s(two, "its displacements to the links are orthogonal: along z and along x", _ORTHOGONAL_2,
          at={"m::link1": (0, 0, 0), "m::joint12": (0, 0, 0.1), "m::link2": (0.1, 0, 0.1)}),
        s(two, "the links are where those of the first model are", _ORTHOGONAL_2,
          at={"m::link1": (0, 0, 0), "m::link2": (0.1, 0, 0.1)}),
        s(moved, "the axis is relative to the joint frame", _ORTHOGONAL_1, axes={"m::jointAB": (0, 1, 0)}),
        s(moved, "at 0.78 rad linkB is beyond the joint", _ORTHOGONAL_1, q={"m::jointAB": 0.78},
          at={"m::linkB": (0.1 + 0.1 * _SIN, 0, 0.1 * _COS)}),
        s(moved, "at 0.78 rad link2 is below the joint", _ORTHOGONAL_2, q={"m::joint12": 0.78},
          at={"m::link2": (0.1 * _COS, 0, 0.1 - 0.1 * _SIN)}),
        s(moved, "the two figures can be reproduced", test="tests/gui/shell/test_help.py::"
          "test_a_link_opens_the_figure_of_the_kinematics_page"),
    ]  # fmt: skip
