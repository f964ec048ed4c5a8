"""The statements of *Pose Frame Semantics Proposal*: its phases of parsing, and the addendum."""

from __future__ import annotations

from tests.specification.statements.statement import (
    FRAMES,
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

_JOINT_FRAMES = "tests/model/kinematics/test_joint_frames.py"
_CONVENTIONS = "tests/model/kinematics/test_conventions.py"


def statements() -> list[Statement]:
    """Return the statements, in the order of the document."""
    return [
        *_model_names(),
        *_model_attached_to(),
        *_model_relative_to(),
        *_world(),
        *_world_relative_to(),
        *_addendum(),
    ]


def _model_names() -> list[Statement]:
    s = about(FRAMES, "1.7")
    section = "Phases of parsing kinematics of an sdf 1.7 model"
    two = A + B
    clashes = {
        "a link and a joint": two + joint("A", "B", name="A"),
        "a link and a frame": A + frame("A"),
        "a joint and a frame": two + joint("A", "B") + frame("j"),
        "a nested model and a frame": A + model("n", L) + frame("n"),
    }
    shared = {
        "a visual and a collision": link("L", shape("visual", "x") + shape("collision", "x")),
        "a sensor and a visual": link("L", '<sensor name="x" type="imu"/>' + shape("visual", "x")),
        "a light and a visual": link("L", '<light name="x" type="point"/>' + shape("visual", "x")),
    }
    return [
        s(section, "phase 1: there are no XML syntax errors", '<sdf version="1.7"><model name="m"><link name="l">',
          errors=["xml-syntax"]),
        s(section, "phase 1: the data fits the schema", "<link/>", errors=["missing-attribute"]),
        s(section, "phase 2: names of links are not empty", link(""), errors=["empty-name"]),
        s(section, "phase 2: names of joints are not empty", two + joint("A", "B", name=""), errors=["empty-name"]),
        *(s(section, f"phase 2: {what} have different names", xml, errors=["duplicate-name"])
          for what, xml in clashes.items()),
        *(s(section, f"phase 2: {what} have different names", xml, errors=["shared-name"])
          for what, xml in shared.items()),
        s(section, "phase 2: libsdformat does not check this when it loads a file", L + L, errors=["duplicate-name"],
          differs="it does since libsdformat 9, and so does this program"),
        s(section, "phase 3: parent and child differ", A + joint("A", "A"), errors=["joint-parent-is-child"]),
        s(section, "phase 3: the parent is a sibling", A + joint("X", "A"), errors=["joint-parent-invalid"]),
        s(section, "phase 3: the child is a sibling", A + joint("A", "X"), errors=["joint-child-invalid"]),
        s(section, "phase 3: world may be the parent", A + joint("world", "A"), errors=[]),
        s(section, "phase 3: world may be the child", A + joint("A", "world"), errors=["joint-child-invalid"],
          differs="libsdformat 12 and later refuse it; the quick fix makes the world the parent"),
    ]  # fmt: skip


def _model_attached_to() -> list[Statement]:
    s = about(FRAMES, "1.7")
    section = "Phases of parsing kinematics of an sdf 1.7 model"
    two = A + B + joint("A", "B")
    return [
        s(section, "phase 4: attached_to names a sibling link", two + frame("F", "B"), attached_to={"m::F": "m::B"}),
        s(section, "phase 4: attached_to names a sibling joint", two + frame("F", "j"), attached_to={"m::F": "m::j"}),
        s(section, "phase 4: attached_to names a sibling frame", two + frame("G", "B") + frame("F", "G"),
          attached_to={"m::F": "m::G"}),
        s(section, "phase 4: other values are errors", L + frame("F", "X"), errors=["attached-to-invalid"]),
        s(section, "phase 4: an empty value is not checked", L + frame("F", ""), errors=[]),
        s(section, "phase 5.1: each link has a vertex, which is a root", two, bodies={"m::A": "m::A", "m::B": "m::B"}),
        s(section, "phase 5.2: the model frame leads to the canonical link", B + A, attached_to={"m": "m::B"}),
        s(section, "phase 5.3: a joint leads to its child", two, attached_to={"m::j": "m::B"}),
        s(section, "phase 5.4.2: a frame leads to what its attached_to names", two + frame("F", "B"),
          attached_to={"m::F": "m::B"}),
        s(section, "phase 5.4.3: a frame without attached_to leads to the model frame", two + frame("F"),
          attached_to={"m::F": "m"}),
        s(section, "phase 5.4.3: so does a frame where it is empty", two + frame("F", ""), attached_to={"m::F": "m"}),
        s(section, "phase 5.5: the graph has no cycles", L + frame("F", "G") + frame("G", "F"),
          errors=["attached-to-cycle"]),
        s(section, "phase 5.5: every vertex leads to a link, which carries the frame",
          two + frame("F", "j") + frame("G", "F"), bodies={"m::F": "m::B", "m::G": "m::B"}),
    ]  # fmt: skip


def _model_relative_to() -> list[Statement]:
    s = about(FRAMES, "1.7")
    section = "Phases of parsing kinematics of an sdf 1.7 model"
    two = A + B
    named = {
        "link": A + link("C", pose("", "{}")),
        "joint": two + joint("A", "B", pose("", "{}"), "k"),
        "frame": A + frame("F", None, pose("", "{}")),
    }
    return [
        *(s(section, f"phase 6: relative_to of a {kind} names a sibling", xml.format("X"),
          errors=["relative-to-invalid"])
          for kind, xml in named.items()),
        *(s(section, f"phase 6: an empty relative_to of a {kind} is not checked", xml.format(""), errors=[])
          for kind, xml in named.items()),
        s(section, "phase 6: it may name a joint", two + joint("A", "B") + link("C", pose("", "j")),
          relative_to={"m::C": "m::j"}),
        s(section, "phase 7.1: the model frame is the root", A, relative_to={"m::A": "m"}),
        s(section, "phase 7.3.1: a link leads to what its relative_to names", B + link("C", pose("", "B")),
          relative_to={"m::C": "m::B"}),
        s(section, "phase 7.3.2: a link without a pose leads to the model frame", A, relative_to={"m::A": "m"}),
        s(section, "phase 7.3.2: a link without relative_to leads to the model frame", B, relative_to={"m::B": "m"}),
        s(section, "phase 7.3.2: so does a link where it is empty", link("B", pose("", "")), relative_to={"m::B": "m"}),
        s(section, "phase 7.4.1: a joint leads to what its relative_to names", two + joint("A", "B", pose("", "A")),
          relative_to={"m::j": "m::A"}),
        s(section, "phase 7.4.2: a joint without a pose leads to its child", two + joint("A", "B"),
          relative_to={"m::j": "m::B"}),
        s(section, "phase 7.4.2: a joint without relative_to leads to its child",
          two + joint("A", "B", pose("0 0 1 0 0 0")), relative_to={"m::j": "m::B"}),
        s(section, "phase 7.4.2: so does a joint where it is empty", two + joint("A", "B", pose("", "")),
          relative_to={"m::j": "m::B"}),
        s(section, "phase 7.5.1: a frame leads to what its relative_to names", two + frame("F", "A", pose("", "B")),
          relative_to={"m::F": "m::B"}),
        s(section, "phase 7.5.2: a frame without a pose leads to what attached_to names", two + frame("F", "B"),
          relative_to={"m::F": "m::B"}),
        s(section, "phase 7.5.2: so does a frame without relative_to", two + frame("F", "B", pose("0 0 1 0 0 0")),
          relative_to={"m::F": "m::B"}),
        s(section, "phase 7.5.2: so does a frame where it is empty", two + frame("F", "B", pose("", "")),
          relative_to={"m::F": "m::B"}),
        s(section, "phase 7.5.3: a frame with neither leads to the model frame", two + frame("F"),
          relative_to={"m::F": "m"}),
        s(section, "phase 7.6: the graph has no cycles", link("C", pose("", "C")), errors=["relative-to-cycle"]),
        s(section, "phase 7.6: every vertex leads to the model frame",
          link("C", pose("", "D")) + link("D", pose("", "C")) + link("E", pose("", "C")), errors=["relative-to-cycle"]),
    ]  # fmt: skip


def _world() -> list[Statement]:
    s = about(FRAMES, "1.7")
    section = "Phases of parsing kinematics of an sdf 1.7 world"
    one = model("M", L)
    return [
        s(section, "phase 1: there are no XML syntax errors", '<sdf version="1.7"><world name="w">',
          errors=["xml-syntax"]),
        s(section, "phase 1: the data fits the schema", world(one).replace(' name="w"', ""),
          errors=["missing-attribute"]),
        s(section, "phase 2: names of models are not empty", world(model("", L)), errors=["empty-name"]),
        s(section, "phase 2: names of frames are not empty", world(frame("")), errors=["empty-name"]),
        s(section, "phase 2: models have unique names", world(one + one), errors=["duplicate-name"]),
        s(section, "phase 2: models and frames have different names", world(one + frame("M")),
          errors=["duplicate-name"]),
        s(section, "phase 3: each model is checked", world(one + model("N", frame("F", "F") + L)),
          errors=["attached-to-cycle"]),
        s(section, "phase 4: attached_to names a sibling model", world(one + frame("F", "M")), attached_to={"F": "M"}),
        s(section, "phase 4: attached_to names a sibling frame", world(frame("G") + frame("F", "G")),
          attached_to={"F": "G"}),
        s(section, "phase 4: other values are errors", world(one + frame("F", "L")), errors=["attached-to-invalid"]),
        s(section, "phase 4: an empty value is not checked", world(frame("F", "")), errors=[]),
        s(section, "phase 5.3.2: a frame leads to what its attached_to names", world(one + frame("F", "M")),
          attached_to={"F": "M"}),
        s(section, "phase 5.3.3: a frame without attached_to leads to the world", world(frame("F")),
          attached_to={"F": "world"}),
        s(section, "phase 5.3.3: so does a frame where it is empty", world(frame("F", "")), attached_to={"F": "world"}),
        s(section, "phase 5.4: the graph has no cycles", world(frame("F", "F")), errors=["attached-to-cycle"]),
        s(section, "phase 5.4: a frame that leads to the world is a fixed inertial frame",
          world(frame("F") + frame("G", "F")), bodies={"G": "world"}),
        s(section, "phase 5.4: a frame that leads to a model is attached to its canonical link",
          world(one + frame("F", "M") + frame("G", "F")), bodies={"G": "M::L"}),
    ]  # fmt: skip


def _world_relative_to() -> list[Statement]:
    s = about(FRAMES, "1.7")
    section = "Phases of parsing kinematics of an sdf 1.7 world"
    one, around = model("M", L), {"N": "world"}
    return [
        s(section, "phase 6: relative_to of a model names a sibling", world(model("N", pose("", "X") + L)),
          errors=["relative-to-invalid"]),
        s(section, "phase 6: relative_to of a frame names a sibling", world(frame("F", None, pose("", "X"))),
          errors=["relative-to-invalid"]),
        s(section, "phase 6: an empty value is not checked", world(model("N", pose("", "") + L)), errors=[]),
        s(section, "phase 7.3.1: a model leads to what its relative_to names",
          world(one + model("N", pose("", "M") + L)), relative_to={"N": "M"}),
        s(section, "phase 7.3.2: a model without a pose leads to the world", world(model("N", L)), relative_to=around),
        s(section, "phase 7.3.2: a model without relative_to leads to the world",
          world(model("N", pose("1 0 0 0 0 0") + L)), relative_to=around),
        s(section, "phase 7.3.2: so does a model where it is empty", world(model("N", pose("", "") + L)),
          relative_to=around),
        s(section, "phase 7.4.1: a frame leads to what its relative_to names",
          world(one + frame("F", None, pose("", "M"))), relative_to={"F": "M"}, bodies={"F": "world"}),
        s(section, "phase 7.4.2: a frame without relative_to leads to what attached_to names",
          world(one + frame("F", "M")), relative_to={"F": "M"}),
        s(section, "phase 7.4.2: so does a frame where it is empty", world(one + frame("F", "M", pose("", ""))),
          relative_to={"F": "M"}),
        s(section, "phase 7.4.3: a frame with neither leads to the world", world(frame("F")),
          relative_to={"F": "world"}),
        s(section, "phase 7.5: the graph has no cycles",
          world(model("a", pose("", "b") + L) + model("b", pose("", "a") + L)), errors=["relative-to-cycle"]),
        s(section, "phase 7.5: every vertex leads to the world",
          world(frame("F", None, pose("", "F")) + frame("G", None, pose("", "F"))), errors=["relative-to-cycle"]),
    ]  # fmt: skip


def _addendum() -> list[Statement]:
    s = about(FRAMES, "1.7")
    section = 'Addendum: Model Building, Contrast "Model-Absolute" vs "Element-Relative" Coordinates'
    absolute = link("P", pose("1 0 0 0 0 0")) + link("C", pose("3 0 0 0 0 0")) + joint(
        "P", "C", pose("-1 0 0 0 0 0"), "J", "revolute", axis("0 0 1"))  # fmt: skip
    return [
        s(section, "X_JpJc(0) is the identity", test=f"{_JOINT_FRAMES}::test_jp_and_jc_coincide_at_zero"),
        s(section, "model-absolute: P at X_MP(0), C at X_MC(0), J at X_MJ(0)", absolute,
          at={"m::P": (1, 0, 0), "m::C": (3, 0, 0), "m::J": (2, 0, 0)}),
        s(section, "model-absolute: P is connected at X_PJp = X_PM(0) X_MJ(0), C at X_CJc = X_CM(0) X_MJ(0)",
          test=f"{_JOINT_FRAMES}::test_the_child_moves_with_the_joint"),
        s(section, "X_MC(q) = X_MP(q) X_PJp X_JpJc(q) X_JcC", absolute, q={"m::J": 1.5707963267948966},
          at={"m::C": (2, 1, 0)}),
        s(section, "the same for every joint type", test=f"{_JOINT_FRAMES}::test_the_child_moves_with_the_joint"),
        s(section, "element-relative: poses of links are driven by their joints",
          test=f"{_CONVENTIONS}::test_read_the_urdf_way_the_legacy_numbers_are_the_parity_model"),
        s(section, "both conventions can be compared at any joint position",
          test=f"{_CONVENTIONS}::test_the_parity_models_read_alike_at_every_position"),
    ]  # fmt: skip
