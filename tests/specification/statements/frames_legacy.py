"""The statements of *Pose Frame Semantics: legacy behavior*."""

from __future__ import annotations

from tests.specification.statements.statement import (
    FRAMES_LEGACY,
    MASS,
    REFUSED,
    A,
    B,
    L,
    Statement,
    about,
    axis,
    frame,
    joint,
    link,
    model,
    pose,
    shape,
    world,
)

_CONVENTIONS = "tests/model/kinematics/test_conventions.py"
_BUILD = "tests/formats/urdf/test_build.py"
_EXPORT = "tests/export/test_urdf.py"
_SEED = "tests/specification/test_seed_pose_frame_legacy.py::test_example"
_SENSOR = '<sensor name="s" type="imu">{}</sensor>'
_INERTIAL = "<inertial>{}<mass>1</mass></inertial>"
_THREE = A + B + link("C")
#: Two elements of one name, by type.
_TWICE = {
    "model": world(model("a", A) * 2),
    "actor": world('<actor name="a"><skin><filename>x.dae</filename></skin></actor>' * 2),
    "link": model("m", L * 2),
    "joint": model("m", _THREE + joint("A", "B") + joint("B", "C")),
    "collision": model("m", link("A", shape("collision") * 2)),
    "visual": model("m", link("A", shape("visual") * 2)),
    "sensor": model("m", link("A", _SENSOR.format("") * 2)),
    "light": world('<light name="a" type="point"/>' * 2),
}


def statements() -> list[Statement]:
    """Return the statements, in the order of the document."""
    return [*_legacy(), *_names(), *_parents(), *_urdf(), *_axes(), *_joints(), *_nested(), *_phases(), *_worlds()]


def _legacy() -> list[Statement]:
    s = about(FRAMES_LEGACY, "1.5")
    section = "Legacy behavior"
    return [
        s(section, "until 1.4 a link is always relative to its model", A + B, version="1.4", relative_to={"m::B": "m"}),
        s(section, "until 1.4 a joint is always relative to its child", A + B + joint("A", "B"), version="1.4",
          relative_to={"m::j": "m::B"}),
        s(section, "until 1.4 a pose has no frame attribute", B + link("C", pose("0 1 0 0 0 0", "B", "frame")),
          version="1.4", warnings=["newer-attribute"]),
        s(section, "since 1.5 the frame attribute of a pose names the frame that it is relative to",
          B + link("C", pose("0 1 0 0 0 0", "B", "frame")), warnings=[], at={"m::C": (1, 1, 0)},
          relative_to={"m::C": "m::B"}),
        s(section, "with it kinematics can be defined as in URDF: joint from parent, child from joint",
          B + link("C", pose("", "j", "frame")) + joint("B", "C", pose("0 1 0 0 0 0", "B", "frame")),
          at={"m::j": (1, 1, 0), "m::C": (1, 1, 0)}, relative_to={"m::j": "m::B", "m::C": "m::j"}),
        s(section, "a frame attribute that names nothing is an error", link("C", pose("0 1 0 0 0 0", "X", "frame")),
          errors=["relative-to-invalid"]),
        s(section, "1.5 adds <frame> elements", A + frame("f", None, pose("1 0 0 0 0 0")), warnings=[],
          at={"m::f": (1, 0, 0)}),
        s(section, "until 1.4 there is no <frame>", A + frame("f"), version="1.4", warnings=["newer-element"]),
    ]  # fmt: skip


def _names() -> list[Statement]:
    s = about(FRAMES_LEGACY, "1.4")
    section = "Element naming rules in SDFormat 1.4"
    return [
        s(section, "links of a model have unique names", L + L, errors=["duplicate-name"]),
        s(section, "joints of a model have unique names", _THREE + joint("A", "B") + joint("B", "C"),
          errors=["duplicate-name"]),
        s(section, "collisions of a link have unique names", link("L", shape("collision") * 2),
          errors=["duplicate-name"]),
        s(section, "collisions of different links may have the same name",
          link("A", shape("collision")) + link("B", shape("collision"))),
        s(section, "siblings of different types may have the same name", A + B + joint("A", "B", name="B"),
          errors=["renamed-clash"], differs=REFUSED),
        s(section, "a link may be called world, which is not recommended", link("world"), errors=["reserved-name"],
          differs=REFUSED),
        s(section, "a link may be called world_link", link("world_link")),
    ]  # fmt: skip


def _parents() -> list[Statement]:
    s = about(FRAMES_LEGACY, "1.4")
    section = "Parent frames in SDFormat 1.4"
    parts = {
        "inertial": (_INERTIAL, "inertial"), "collision": (shape("collision", "c", "{}"), "c"),
        "visual": (shape("visual", "v", "{}"), "v"), "sensor": (_SENSOR, "s"),
    }  # fmt: skip
    found = [
        s(section, "the frame of a model is relative to the world", world(model("m", pose("1 0 0 0 0 0") + A)),
          at={"m": (1, 0, 0)}),
        s(section, "the frame of a link is relative to its model", world(model("m", pose("1 0 0 0 0 0") + B)),
          at={"m::B": (2, 0, 0)}),
        *(s(section, f"the frame of a {part} is relative to its link",
            link("B", pose("1 0 0 0 0 0") + xml.format(pose("0 1 0 0 0 0"))), at={f"m::B::{name}": (1, 1, 0)})
          for part, (xml, name) in parts.items() if part != "inertial"),
        s(section, "the frame of an inertial is relative to its link",
          test="tests/formats/test_contents.py::test_inertia_in_the_axes_of_the_link"),
        s(section, "a joint is relative to its child link", A + B + joint("A", "B", pose("0 0 1 0 0 0")),
          at={"m::j": (1, 0, 1)}),
        s(section, "in 1.5 an empty frame attribute of a model means the same",
          world(model("m", pose("1 0 0 0 0 0", "", "frame") + A)), version="1.5", warnings=[], at={"m": (1, 0, 0)}),
        s(section, "in 1.5 an empty frame attribute of a link means the same",
          link("B", pose("1 0 0 0 0 0", "", "frame")), version="1.5", warnings=[], relative_to={"m::B": "m"}),
        *(s(section, f"in 1.5 an empty frame attribute of a {part} means the same",
            link("B", pose("1 0 0 0 0 0") + xml.format(pose("0 1 0 0 0 0", "", "frame"))), version="1.5", warnings=[],
            **({"at": {f"m::B::{name}": (1, 1, 0)}} if part != "inertial" else {}))
          for part, (xml, name) in parts.items()),
        s(section, "in 1.5 an empty frame attribute of a joint means the same",
          A + B + joint("A", "B", pose("0 0 1 0 0 0", "", "frame")), version="1.5", warnings=[],
          at={"m::j": (1, 0, 1)}),
    ]  # fmt: skip
    return found


def _robot(inside: str) -> str:
    links = "".join(f'<link name="link{number}">{MASS}</link>' for number in (1, 2, 3, 4))
    return f'<robot name="r">{links}{inside}</robot>'


def _urdf_joint(name: str, parent: str, child: str, origin: str) -> str:
    return (
        f'<joint name="{name}" type="revolute">{origin}<parent link="{parent}"/><child link="{child}"/>'
        '<axis xyz="0 0 1"/><limit lower="-1" upper="1" effort="1" velocity="1"/></joint>'
    )


_TREE = (
    _urdf_joint("joint1", "link1", "link2", '<origin xyz="1 0 0"/>')
    + _urdf_joint("joint2", "link1", "link3", '<origin xyz="0 1 0"/>')
    + _urdf_joint("joint3", "link3", "link4", '<origin xyz="0 0 1"/>')
)


def _urdf() -> list[Statement]:
    s = about(FRAMES_LEGACY, "1.4")
    section = "Parent frames in URDF"
    origin = '<origin xyz="1 0 0" rpy="0 0 0.5"/>'
    box = f'{origin}<geometry><box size="1 1 1"/></geometry>'
    part = f'<robot name="r"><link name="l">{MASS.replace("<mass", origin + "<mass")}'
    two = A + link("B") + joint("A", "B", pose("1 0 0 0 0 0"))
    return [
        s(section, "<origin xyz rpy> has the numbers of <pose>",
          f'{part}<visual name="v">{box}</visual></link></robot>', at={"r::l::l_fixed_joint_lump__v_visual": (1, 0, 0)},
          turned={"r::l::l_fixed_joint_lump__v_visual": (0, 0, 0.5)}),
        s(section, "the origin of an inertial is relative to its link", test="tests/formats/urdf/test_origins.py::"
          "test_the_parts_of_a_link_turn_too"),
        s(section, "the origin of a collision is relative to its link",
          f'{part}<collision name="c">{box}</collision></link></robot>',
          relative_to={"r::l::l_fixed_joint_lump__c_collision": "r::l"}),
        s(section, "the origin of a visual is relative to its link",
          f'{part}<visual name="v">{box}</visual></link></robot>',
          relative_to={"r::l::l_fixed_joint_lump__v_visual": "r::l"}),
        s(section, "links have no origin", f'<robot name="r"><link name="l">{origin}{MASS}</link></robot>',
          at={"r::l": (0, 0, 0)}),
        s(section, "robots have no origin", f'<robot name="r">{origin}<link name="l">{MASS}</link></robot>',
          at={"r": (0, 0, 0)}),
        s(section, "inertials, collisions and visuals convert one to one", test=f"{_EXPORT}::"
          "test_a_model_in_element_relative_form_is_copied_directly"),
        s(section, "SDFormat allows closed loops", A + B + joint("A", "B") + joint("A", "B", name="k")),
        s(section, "URDF is a tree: each link is the child of at most one joint",
          _robot(_TREE + _urdf_joint("joint4", "link2", "link4", "")), errors=["urdf-not-a-tree"]),
        s(section, "URDF is a tree: one link has no parent", f'<robot name="r"><link name="a">{MASS}</link>'
          f'<link name="b">{MASS}</link></robot>', errors=["urdf-not-a-tree"]),
        s(section, "URDF frames are defined recursively: link1, joint1, link2 and link1, joint2, link3, joint3, link4",
          _robot(_TREE), at={"r::link2": (1, 0, 0), "r::link3": (0, 1, 0), "r::link4": (0, 1, 1)},
          relative_to={"r::joint3": "r::link3", "r::link4": "r::joint3"}),
        s(section, "the origin of a joint is the transform from the parent link frame to the child link frame",
          _robot(_TREE), at={"r::joint3": (0, 1, 1), "r::link4": (0, 1, 1)}),
        s(section, "the same numbers in SDFormat are not equivalent: the joint is moved, the child is not", two,
          at={"m::j": (1, 0, 0), "m::B": (0, 0, 0)}),
        s(section, "the difference can be seen in both conventions",
          test=f"{_CONVENTIONS}::test_the_legacy_numbers_differ_and_each_difference_names_its_default"),
        s(section, "the model of the image in SDFormat: links relative to the model, joints to their children",
          test=_SEED),
        s(section, "joint poses that are zero put each joint at its child", A + B + joint("A", "B",
          pose("0 0 0 0 0 0")),
          at={"m::j": (1, 0, 0)}),
        s(section, "with frame semantics an SDFormat model can behave as a URDF",
          test=f"{_CONVENTIONS}::test_the_parity_models_are_one_robot"),
        s("Parent frames in URDF", "URDF poses are relative to the kinematic parent, SDFormat poses to the XML parent",
          test=f"{_CONVENTIONS}::test_two_links_orthogonal_as_in_the_figures"),
    ]  # fmt: skip


def _axes() -> list[Statement]:
    s = about(FRAMES_LEGACY, "1.5")
    old = "Specifying joint axes in SDFormat 1.4"
    new = "Specifying joint axes in SDFormat 1.5 with //joint/axis/use_parent_model_frame"
    tilted, converting = pose("0 0 0 1.5707963267948966 0 0"), "tests/refactoring/versions/test_versions.py"
    true, false = (f"<use_parent_model_frame>{word}</use_parent_model_frame>" for word in ("true", "false"))

    def one(more: str = "") -> str:
        return A + B + joint("A", "B", tilted, type="revolute", axis=axis("0 0 1", more))

    two = A + B + joint("A", "B", tilted, type="universal", axis=axis("0 1 0") + axis("0 0 1", true, "axis2"))
    return [
        s(old, "an axis is a unit vector in <xyz>", test="tests/rules/axis-not-unit/bad.sdf"),
        s(old, "a joint with several degrees of freedom has <axis2>", two, dofs=2),
        s(old, "the axis is in the frame of the parent link's model", one(), version="1.4", axes={"m::j": (0, 0, 1)}),
        s(new, "in 1.5 the axis is in the joint frame", one(), axes={"m::j": (0, -1, 0)}),
        s(new, "use_parent_model_frame true is the behavior of 1.4", one(true), axes={"m::j": (0, 0, 1)}),
        s(new, "use_parent_model_frame false is the default", one(false), axes={"m::j": (0, -1, 0)}),
        s(new, "use_parent_model_frame is in <axis2> too", two, warnings=[]),
        s(new, "use_parent_model_frame does not exist in 1.4", one(true), version="1.4", warnings=["unknown-element"]),
        s(new, "converting 1.4 to 1.5 sets use_parent_model_frame in every axis: axes keep their direction",
          test=f"{converting}::test_a_newer_version_is_reached_step_by_step"),
    ]  # fmt: skip


def _joints() -> list[Statement]:
    s = about(FRAMES_LEGACY, "1.4")
    section = "Specifying joint axes in SDFormat 1.5 with //joint/axis/use_parent_model_frame"
    apart = world(model("a", A) + model("b", B + joint("A", "B")))
    return [
        s(section, "parent and child are siblings of the joint", link("link1") + link("link2") + joint("link1",
          "link2")),
        s(section, "world as the parent is a fixed inertial frame", A + B + joint("world", "B"),
          bodies={"m::B": "m::B"}),
        s(section, "world as the child is a fixed inertial frame", A + joint("A", "world"),
          errors=["joint-child-invalid"],
          differs="libsdformat 12 and later refuse it; the quick fix makes the world the "
          "parent, and keeps the place and the direction of the joint"),
        s(section, "not both of parent and child are world", A + joint("world", "world"),
          errors=["joint-child-invalid", "joint-parent-is-child"]),
        s(section, "a link called world is meant where a joint names world", A + link("world") + joint("world", "A"),
          errors=["reserved-name"], differs=REFUSED),
        s(section, "a parent that does not exist is invalid", A + joint("X", "A"), errors=["joint-parent-invalid"]),
        s(section, "a child that does not exist is invalid", A + joint("A", "X"), errors=["joint-child-invalid"]),
        s(section, "a link of another model is not a sibling", apart, errors=["joint-parent-invalid"]),
        s(section, "a joint may be a child of a world, without rules for its names",
          world(model("a", A) + model("b", B) + joint("a::A", "b::B")), bodies={"j": "b::B"}),
    ]  # fmt: skip


def _nested() -> list[Statement]:
    s = about(FRAMES_LEGACY, "1.5")
    section = "Specifying joint axes in SDFormat 1.5 with //joint/axis/use_parent_model_frame"
    nested = model("n", pose("0 2 0 0 0 0") + link("c", pose("0 0 3 0 0 0")))
    return [
        s(section, "since 1.5 a model may contain models", L + nested, warnings=[]),
        s(section, "until 1.4 it may not", L + nested, version="1.4", warnings=["newer-element"]),
        s(section, "links of different nested models may have the same names", L + model("a", L) + model("b", L)),
        s(section, "a nested model is relative to its parent element", L + nested, at={"m::n": (0, 2, 0)},
          relative_to={"m::n": "m"}),
        s(section, "a joint may connect links of sibling models with ::",
          model("a", L) + model("b", L) + joint("a::L", "b::L"), bodies={"m::j": "m::b::L"}),
        s(section, "a joint may connect a link of a sibling model with a sibling link",
          model("a", L) + L + joint("a::L", "L"), bodies={"m::j": "m::L"}),
    ]  # fmt: skip


def _phases() -> list[Statement]:
    s = about(FRAMES_LEGACY, "1.4")
    section, newer = (f"Phases of parsing kinematics of an SDFormat {version} model" for version in ("1.4", "1.5"))
    in_order = B + joint("A", "B") + A
    return [
        s(section, "phase 1: there are no XML syntax errors", '<sdf version="1.4"><model name="m"><link name="l"/>',
          errors=["xml-syntax"]),
        s(section, "phase 1: required attributes are there", "<link/>", errors=["missing-attribute"]),
        s(section, "phase 1: required elements are there", link("L", "<inertial><inertia/></inertial>")
          + '<joint name="j" type="fixed"><child>L</child></joint>', errors=["missing-element"]),
        s(section, "phase 1: elements are those of the schema", L + "<lynk/>", warnings=["unknown-element"]),
        s(section, "phase 1: values have the type of the schema", link("L", "<gravity>perhaps</gravity>"),
          errors=["bad-value"]),
        s(section, "phase 2: names are not empty", link(""), errors=["empty-name"]),
        *(s(section, f"phase 2: {tag}s that are siblings have unique names", xml, errors=["duplicate-name"])
          for tag, xml in _TWICE.items()),
        s(section, "phase 3: parent and child differ", A + joint("A", "A"), errors=["joint-parent-is-child"]),
        s(section, "phase 3: the parent is a sibling link", A + joint("X", "A"), errors=["joint-parent-invalid"]),
        s(section, "phase 3: the child is a sibling link", A + joint("A", "X"), errors=["joint-child-invalid"]),
        s(section, "phase 3: world is a fixed reference frame", A + joint("world", "A"), errors=[]),
        s(section, "then: a graph with a node for each link and an edge for each joint",
          test="tests/cli/test_why_and_graph.py::test_graphs_in_every_form"),
        s(section, "then: without loops it is a tree, which URDF can express",
          test="tests/cli/test_more_checks.py::test_each_requirement_is_judged_by_itself"),
        s(section, "then: initial poses are computed recursively, in any order of the elements", in_order,
          at={"m::j": (1, 0, 0)}),
        s(newer, "phases 1 and 2 are those of 1.4", L + L, version="1.5", errors=["duplicate-name"]),
        s(newer, "parent and child may be inside sibling models", A + model("n", L) + joint("A", "n::L"),
          version="1.5"),
        s(newer, "they are descendants of sibling models", A + model("n", L) + joint("A", "n::X"), version="1.5",
          errors=["joint-child-invalid"]),
    ]  # fmt: skip


def _worlds() -> list[Statement]:
    s = about(FRAMES_LEGACY, "1.4")
    section = "Phases of parsing kinematics of an SDFormat world"
    return [
        s(section, "phase 1: there are no XML syntax errors", '<sdf version="1.4"><world name="w"><model>',
          errors=["xml-syntax"]),
        s(section, "phase 1: the data fits the schema", world(model("a", A)).replace(' name="w"', ""),
          errors=["missing-attribute"]),
        s(section, "phase 2: names of models are not empty", world(model("", A)), errors=["empty-name"]),
        s(section, "phase 2: models of a world have unique names", world(model("a", A) + model("a", A)),
          errors=["duplicate-name"]),
        s(section, "phase 3: each model is checked", world(model("a", A) + model("b", L + L)),
          errors=["duplicate-name"]),
        s(section, "phase 3: models are independent, and their order does not count",
          world(model("b", B) + model("a", A)), at={"b::B": (1, 0, 0), "a::A": (0, 0, 0)}),
    ]  # fmt: skip
