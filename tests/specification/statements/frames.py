"""The statements of *Pose Frame Semantics Proposal* up to its phases."""

from __future__ import annotations

from tests.specification.statements.statement import (
    FRAMES,
    A,
    B,
    L,
    Statement,
    about,
    frame,
    joint,
    link,
    model,
    pose,
    shape,
    world,
)

_SEED = "tests/specification/test_seed_pose_frame_semantics.py"
_CONVENTIONS = "tests/model/kinematics/test_conventions.py"
_P, _C = link("P"), link("C", pose("1 0 0 0 0 0"))
_JOINT = joint("P", "C", name="J")


def statements() -> list[Statement]:
    """Return the statements, in the order of the document."""
    return [
        *_terms(), *_explicit_and_implicit(), *_model_frame(), *_names(), *_frame_name(), *_attached_to(),
        *_world_frames(), *_relative_to(), *_relative_to_examples(), *_empty(), *_example(), *_parity(), *_reserved(),
    ]  # fmt: skip


def _terms() -> list[Statement]:
    s = about(FRAMES, "1.7")
    terms, motivation = "Terminology for frames and poses", "Motivation"
    table = model("table", link("top") + frame("corner", None, pose("0.5 0.5 0.8 0 0 0")))
    placed = frame("spot", "table", pose("0.5 0.5 0.8 0 0 0"))
    return [
        s("Pose Frame Semantics Proposal", "the kinematics of a URDF can be described in 1.7",
          test=f"{_CONVENTIONS}::test_the_parity_models_are_one_robot"),
        s(motivation, "arbitrary frames can be defined within a model", A + frame("f", None, pose("1 2 3 0 0 0")),
          at={"m::f": (1, 2, 3)}),
        s(motivation, "the frame relative to which each frame is defined can be chosen",
          A + B + frame("f", "A", pose("0 1 0 0 0 0", "B")), at={"m::f": (1, 1, 0)}),
        s(motivation, "an object can be added at the corner of a table", world(
            table + placed + model("box", pose("0 0 0.1 0 0 0", "spot") + L)), at={"box": (0.5, 0.5, 0.9)}),
        s(motivation, "a frame such as that of a camera is named without the link that it is on",
          B + frame("camera", "B", pose("0 0 1 0 0 0")) + frame("lens", "camera", pose("0 1 0 0 0 0")),
          at={"m::lens": (1, 1, 1)}, bodies={"m::lens": "m::B"}),
        s(terms, "each pose is relative to a frame", A + B, relative_to={"m::A": "m", "m::B": "m"}),
        s(terms, "a frame has a name", L + "<frame/>", errors=["missing-attribute"]),
        s(terms, "a frame is attached to a link or another frame", B + frame("f", "B") + frame("g", "f"),
          attached_to={"m::f": "m::B", "m::g": "m::f"}),
        s(terms, "a frame has a defined pose", B + frame("f", "B", pose("0 0 1 0 0 0")), at={"m::f": (1, 0, 1)}),
        s(terms, "relative_to does not imply attached_to", A + B + frame("f", "A", pose("", "B")),
          at={"m::f": (1, 0, 0)}, bodies={"m::f": "m::A"}),
        s(terms, "relative_to defines only the initial configuration: a frame moves with what it is attached to",
          A + B + joint("A", "B", type="revolute", axis="<axis><xyz>0 0 1</xyz></axis>")
          + frame("still", "A", pose("1 0 0 0 0 0", "B")) + frame("moving", "B", pose("1 0 0 0 0 0")),
          q={"m::j": 3.141592653589793}, at={"m::still": (2, 0, 0), "m::moving": (0, 0, 0)}),
    ]  # fmt: skip


def _explicit_and_implicit() -> list[Statement]:
    s = about(FRAMES, "1.7")
    section = "Explicit vs. Implicit frames"
    parts = {"visual": shape("visual", "v"), "collision": shape("collision", "v"),
             "sensor": '<sensor name="v" type="imu"/>'}  # fmt: skip
    return [
        s(section, "a <frame> may be in a <model>", L + frame("f"), warnings=[], attached_to={"m::f": "m"}),
        s(section, "a <frame> may be in a <world>", world(frame("f")), warnings=[], attached_to={"f": "world"}),
        s(section, "a <frame> may not be in a <link>", link("L", frame("f")), warnings=["removed"]),
        s(section, "a <frame> may not be in a <visual>", link("L", shape("visual", "v", frame("f"))),
          warnings=["removed"]),
        s(section, "a <frame> may not be in a <joint>", A + B + joint("A", "B", frame("f")), warnings=["removed"]),
        s(section, "each link has a frame of its name at its origin", B + frame("f", None, pose("", "B")),
          at={"m::f": (1, 0, 0)}),
        s(section, "the frame of a link is attached to the link", A + B, bodies={"m::B": "m::B"}),
        s(section, "each joint has a frame of its name at its origin",
          A + B + joint("A", "B", pose("0 0 1 0 0 0")) + frame("f", None, pose("", "j")), at={"m::f": (1, 0, 1)}),
        s(section, "the frame of a joint is attached to its child", A + B + joint("A", "B"),
          attached_to={"m::j": "m::B"}),
        s(section, "each model has a frame, meant where relative_to is empty", A + frame("f", None, pose("", "")),
          relative_to={"m::f": "m"}),
        s(section, "the model frame can be meant in no other way", A + frame("f", None, pose("", "__model__")),
          relative_to={"m::f": "m"},
          differs="1.7 got the name `__model__` for it, and libsdformat and this program know it"),
        s(section, "each world has a fixed inertial frame, to which its frames are attached by default",
          world(frame("f")), attached_to={"f": "world"}, bodies={"f": "world"}),
        s(section, "poses of models are relative to the world by default", world(model("a", pose("1 0 0 0 0 0") + L)),
          relative_to={"a": "world"}),
        s(section, "an empty relative_to of a model means the world", world(model("a", pose("1 0 0 0 0 0", "") + L)),
          relative_to={"a": "world"}),
        *(s(section, f"{part}s have no implicit frame", link("L", xml) + frame("f", "v"),
            errors=["attached-to-invalid"]) for part, xml in parts.items()),
    ]  # fmt: skip


def _model_frame() -> list[Statement]:
    s = about(FRAMES, "1.7")
    canonical = "Implicit frame defined by //model/pose attached to canonical link"
    reference = "Referencing the implicit model frame"
    two = link("link1") + link("link2")
    return [
        s(canonical, "each model has an implicit frame, defined by its pose", world(model("a", pose("0 0 1 0 0 0")
          + L)),
          at={"a": (0, 0, 1)}),
        s(canonical, "it is what poses of links are relative to", A + B, relative_to={"m::B": "m"}),
        s(canonical, "it is attached to the canonical link", B + A, attached_to={"m": "m::B"}, bodies={"m": "m::B"}),
        s(canonical, "the canonical link is the first one by default", two, bodies={"m": "m::link1"}),
        s(canonical, "canonical_link names it", model("m", two, ' canonical_link="link2"'), bodies={"m": "m::link2"}),
        s(canonical, "naming the first link changes nothing", model("m", two, ' canonical_link="link1"'),
          bodies={"m": "m::link1"}),
        s(canonical, "an empty canonical_link is the default", model("m", two, ' canonical_link=""'),
          bodies={"m": "m::link1"}),
        s(canonical, "canonical_link names a link of the model", model("m", two, ' canonical_link="X"'),
          errors=["canonical-link-invalid"]),
        s(canonical, "future versions may require canonical_link", model("m", two), version="1.12", errors=[],
          differs="no version up to 1.12 requires it"),
        s(canonical, "the alternative <link canonical> was not chosen", '<link name="L" canonical="true"/>',
          warnings=["unknown-attribute"]),
        s(canonical, "the alternative <canonical_link> was not chosen", L + "<canonical_link>L</canonical_link>",
          warnings=["unknown-element"]),
        s(reference, "the model frame has no name of its own: that of the model means nothing inside",
          link("L", pose("", "m")), errors=["relative-to-invalid"]),
        s(reference, "a frame with an identity pose has the value of the model frame",
          world(model("a", pose("1 0 0 0 0 0") + L + frame("model_frame"))), at={"a::model_frame": (1, 0, 0)},
          attached_to={"a::model_frame": "a"}),
        s(reference, "nested models have their own model frames",
          L + model("n", pose("1 0 0 0 0 0") + link("c", pose("0 1 0 0 0 0"))), relative_to={"m::n::c": "m::n"},
          at={"m::n::c": (1, 1, 0)}),
        s(reference, "the name model_frame is not reserved", link("model_frame"), errors=[], warnings=[]),
        s(reference, "a link may have the name of its model", link("m"), errors=[], warnings=[]),
    ]  # fmt: skip


def _names() -> list[Statement]:
    s = about(FRAMES, "1.7")
    section = "Element naming rule: unique names for all sibling elements"
    clash = link("base") + link("attachment") + joint("base", "attachment", name="attachment")
    return [
        s(section, "siblings of any type have unique names", clash, errors=["duplicate-name"]),
        s(section, "a frame and a joint have different names", A + B + joint("A", "B") + frame("j"),
          errors=["duplicate-name"]),
        s(section, "a nested model and a link have different names", L + model("L", A), errors=["duplicate-name"]),
        s(section, "files of 1.4 may break this rule, which is not recommended", clash, version="1.4",
          errors=["renamed-clash"],
          differs="such a file loads with a renamed joint, but `gz sdf --check` refuses it, and so does this program"),
        s(section, "a validation tool finds models of older versions that break it", clash, version="1.6",
          errors=["renamed-clash"]),
        s(section, "converting from an older version solves the clash",
          test="tests/refactoring/versions/test_versions.py::test_a_newer_version_is_reached_step_by_step"),
        s(section, "the alternative to name a type, link://base, was not chosen", link("base")
          + frame("f", None, pose("", "link://base")), errors=["relative-to-invalid"]),
    ]  # fmt: skip


def _frame_name() -> list[Statement]:
    s = about(FRAMES, "1.7")
    section = "The //model/frame[@name] attribute"
    return [
        s("Details of //model/frame", "a frame has a name, attached_to, and a pose that is its initial pose",
          B + frame("f", "B", pose("0 1 0 0 0 0")), at={"m::f": (1, 1, 0)}),
        s(section, "the name is required", L + "<frame/>", errors=["missing-attribute"]),
        s(section, "the name is not empty", L + frame(""), errors=["empty-name"]),
        s(section, "frames A and B are valid", L + frame("A") + frame("B"), errors=[]),
        s(section, "other frames refer to it in attached_to", L + frame("A") + frame("B", "A"),
          attached_to={"m::B": "m::A"}),
        s(section, "other frames refer to it in relative_to", L + frame("A") + frame("B", None, pose("", "A")),
          relative_to={"m::B": "m::A"}),
        s(section, "sibling frames have unique names", L + frame("F") + frame("F"), errors=["duplicate-name"]),
        s(section, "a frame and a sibling link have different names", L + frame("L"), errors=["duplicate-name"]),
    ]  # fmt: skip


def _attached_to() -> list[Statement]:
    s = about(FRAMES, "1.7")
    section = "The //model/frame[@attached_to] attribute"
    chain = frame("F1", "L") + frame("F2", "F1")
    return [
        s(section, "it names the link to which a frame is attached", A + B + frame("F", "B"), bodies={"m::F": "m::B"}),
        s(section, "it is optional: then the frame is attached to the model frame", A + B + frame("F"),
          attached_to={"m::F": "m"}),
        s(section, "and so to the canonical link", A + B + frame("F"), bodies={"m::F": "m::A"}),
        s(section, "an empty value means the same", A + B + frame("F", ""), attached_to={"m::F": "m"}),
        s(section, "its value is the name of a sibling", L + frame("F", "A"), errors=["attached-to-invalid"]),
        s(section, "a frame may be attached to a frame, and indirectly to a link", L + chain, bodies={"m::F2": "m::L"}),
        s(section, "a frame may be attached to a joint, and so to its child", _P + _C + _JOINT + frame("F3", "J"),
          attached_to={"m::F3": "m::J"}, bodies={"m::F3": "m::C"}),
        s(section, "a frame may be attached to a frame that is attached to a joint",
          _P + _C + _JOINT + frame("F3", "J") + frame("F4", "F3"), bodies={"m::F4": "m::C"}),
        s(section, "cycles are not allowed", L + frame("F1", "F2") + frame("F2", "F1"), errors=["attached-to-cycle"]),
        s(section, "a frame is not attached to itself", L + frame("F", "F"), errors=["attached-to-cycle"]),
        s(section, "the attributes lead to a link: a frame that leads into a cycle has none",
          L + frame("F1", "F2") + frame("F2", "F1") + frame("F3", "F1"), errors=["attached-to-cycle"]),
    ]  # fmt: skip


def _world_frames() -> list[Statement]:
    s = about(FRAMES, "1.7")
    name, section = "The //world/frame[@name] attribute", "The //world/frame[@attached_to] attribute"
    one = model("M0", L)
    return [
        s("Details of //world/frame", "a frame of a world has a name, attached_to, and a pose",
          world(frame("F") + frame("G", "F", pose("1 0 0 0 0 0"))), at={"G": (1, 0, 0)}),
        s(name, "frames of a world have unique names", world(frame("F") + frame("F")), errors=["duplicate-name"]),
        s(name, "a frame and a model of a world have different names", world(one + frame("M0")),
          errors=["duplicate-name"]),
        s(section, "a frame is attached to the world by default", world(frame("F")), bodies={"F": "world"}),
        s(section, "an empty value means the same", world(frame("F", "")), bodies={"F": "world"}),
        s(section, "it may name the world", world(frame("F", "world")), attached_to={"F": "world"}),
        s(section, "it may name a sibling frame", world(frame("F") + frame("G", "F")), attached_to={"G": "F"}),
        s(section, "it may name a model", world(one + frame("F", "M0")), attached_to={"F": "M0"}),
        s(section, "a frame attached to a model moves with its canonical link", world(
            model("M0", A + B, ' canonical_link="B"') + frame("F", "M0")), bodies={"F": "M0::B"}),
        s(section, "other names are refused", world(frame("F", "A")), errors=["attached-to-invalid"]),
        s(section, "a link of a model is no sibling", world(one + frame("F", "L")), errors=["attached-to-invalid"]),
        s(section, "cycles are not allowed", world(frame("F1", "F2") + frame("F2", "F1")),
          errors=["attached-to-cycle"]),
        s(section, "the attributes lead to the world or to a canonical link",
          world(frame("F1", "F2") + frame("F2", "F1") + frame("F3", "F1")), errors=["attached-to-cycle"]),
    ]  # fmt: skip


def _relative_to() -> list[Statement]:
    s = about(FRAMES, "1.7")
    section = "The //pose[@relative_to] attribute"
    of_joint = {"m::j": "m::B"}
    return [
        s(section, "it says what the initial pose of a link is relative to", B + link("C", pose("0 1 0 0 0 0", "B")),
          relative_to={"m::C": "m::B"}),
        s(section, "it says what the initial pose of a joint is relative to", A + B + joint("A", "B", pose("", "A")),
          relative_to={"m::j": "m::A"}),
        s(section, "it says what the initial pose of a frame is relative to", A + B + frame("F", "A", pose("", "B")),
          relative_to={"m::F": "m::B"}),
        s(section, "a link without it is relative to the model frame", B, relative_to={"m::B": "m"}),
        s(section, "a link where it is empty is relative to the model frame", link("B", pose("1 0 0 0 0 0", "")),
          relative_to={"m::B": "m"}),
        s(section, "a joint without it is relative to its child", A + B + joint("A", "B"), relative_to=of_joint),
        s(section, "a joint where it is empty is relative to its child", A + B + joint("A", "B", pose("", "")),
          relative_to=of_joint),
        s(section, "a frame without it is relative to what it is attached to", A + B + frame("F", "B"),
          relative_to={"m::F": "m::B"}),
        s(section, "a frame where it is empty is relative to what it is attached to",
          A + B + frame("F", "B", pose("", "")), relative_to={"m::F": "m::B"}),
        s(section, "a frame with neither is relative to the model frame", A + frame("F"), relative_to={"m::F": "m"}),
        s(section, "cycles are not allowed", link("C", pose("", "D")) + link("D", pose("", "C")),
          errors=["relative-to-cycle"]),
        s(section, "cycles are checked apart from those of attached_to: a file may have one of each",
          link("C", pose("", "D")) + link("D", pose("", "C")) + frame("F1", "F2", pose("", "__model__"))
          + frame("F2", "F1", pose("", "__model__")), errors=["relative-to-cycle", "attached-to-cycle"]),
        s(section, "the attributes lead to the model frame", link("C", pose("1 0 0 0 0 0", "D"))
          + link("D", pose("1 0 0 0 0 0")), at={"m::C": (2, 0, 0)}),
        s(section, "those of frames of a world lead to the world",
          world(frame("F", None, pose("1 0 0 0 0 0")) + frame("G", None, pose("0 1 0 0 0 0", "F"))),
          at={"G": (1, 1, 0)}, relative_to={"F": "world", "G": "F"}),
        s(section, "those of models of a world lead to the world",
          world(model("a", pose("1 0 0 0 0 0") + L) + model("b", pose("0 1 0 0 0 0", "a") + L)),
          at={"b": (1, 1, 0)}, relative_to={"a": "world", "b": "a"}),
        s(section, "attached_to one way and relative_to the other is no cycle",
          A + frame("F", "C", pose("1 0 0 0 0 0", "A")) + link("C", pose("0 1 0 0 0 0", "F")),
          at={"m::C": (1, 1, 0)}, bodies={"m::F": "m::C"}),
    ]  # fmt: skip


def _relative_to_examples() -> list[Statement]:
    s = about(FRAMES, "1.7")
    section = "The //pose[@relative_to] attribute"
    links = (
        link("L1", pose("1 0 0 0 0 0")) + link("L2", pose("2 0 0 0 0 0", "")) + link("L3", pose("0 1 0 0 0 0", "L1"))
    )
    joints = link("P2") + joint("P2", "C2", pose("1 0 0 0 0 0", "P2"), "J2") + link("C2", pose("0 1 0 0 0 0", "J2"))
    around = link("P3") + link("C3", pose("", "J3")) + joint("P3", "C3", pose("", "C3"), "J3")
    frames = (
        link("L", pose("1 0 0 0 0 0")) + frame("F0", None, pose("0 0 1 0 0 0")) + frame("F1", "L", pose("0 1 0 0 0 0"))
        + frame("F2", "L", pose("0 2 0 0 0 0", "")) + frame("F3", None, pose("0 3 0 0 0 0", "L"))
    )  # fmt: skip
    of_world = (
        frame("F0", None, pose("1 0 0 0 0 0")) + frame("F1", "F0", pose("0 1 0 0 0 0"))
        + frame("F2", "F0", pose("0 2 0 0 0 0", "")) + frame("F3", None, pose("0 3 0 0 0 0", "F0"))
    )  # fmt: skip
    return [
        s(section, "example of links: L1, L2 and L3", links,
          at={"m::L1": (1, 0, 0), "m::L2": (2, 0, 0), "m::L3": (1, 1, 0)}),
        s(section, "example of links: cycle1 and cycle2", link("cycle1", pose("", "cycle2"))
          + link("cycle2", pose("", "cycle1")) + links, errors=["relative-to-cycle"], at={"m::L3": (1, 1, 0)}),
        s(section, "example of joints: J2 from its parent, C2 from J2", joints,
          at={"m::J2": (1, 0, 0), "m::C2": (1, 1, 0)}),
        s(section, "example of joints: J3 and its child relative to each other", around, errors=["relative-to-cycle"]),
        s(section, "example of frames: F0, F1, F2 and F3", frames,
          at={"m::F0": (0, 0, 1), "m::F1": (1, 1, 0), "m::F2": (1, 2, 0), "m::F3": (1, 3, 0)}),
        s(section, "example of frames: F3 is attached to the canonical link through the model frame", frames,
          attached_to={"m::F3": "m"}, bodies={"m::F3": "m::L"}),
        s(section, "example of frames: cycle1 and cycle2", L + frame("cycle1", None, pose("", "cycle2"))
          + frame("cycle2", None, pose("", "cycle1")), errors=["relative-to-cycle"]),
        s(section, "example of a world: F0, F1, F2 and F3", world(of_world),
          at={"F0": (1, 0, 0), "F1": (1, 1, 0), "F2": (1, 2, 0), "F3": (1, 3, 0)}),
        s(section, "example of a world: cycle1 and cycle2", world(frame("cycle1", None, pose("", "cycle2"))
          + frame("cycle2", None, pose("", "cycle1"))), errors=["relative-to-cycle"]),
    ]  # fmt: skip


def _empty() -> list[Statement]:
    s = about(FRAMES, "1.7")
    section = "Empty //pose and //frame elements imply identity pose"
    four = ("", pose(), pose("", "B"), pose("0 0 0 0 0 0", "B"))
    return [
        s(section, "an empty pose is the identity", link("C", pose()), at={"m::C": (0, 0, 0)}, turned={"m::C": (0, 0,
          0)}),
        s(section, "an empty pose with relative_to is the identity in that frame", B + link("C", pose("", "B")),
          at={"m::C": (1, 0, 0)}),
        s(section, "an empty frame is at what it is attached to", B + frame("F", "B"), at={"m::F": (1, 0, 0)}),
        s(section, "the four ways to write a frame are equivalent",
          B + "".join(frame(f"F{number}", "B", inside) for number, inside in enumerate(four)),
          at={f"m::F{number}": (1, 0, 0) for number in range(4)}),
    ]  # fmt: skip


def _example() -> list[Statement]:
    s = about(FRAMES, "1.7")
    section = "Example using the //pose[@relative_to] attribute"
    xml = (
        frame("model_frame") + link("P", pose("1 0 0 0 0 0", "model_frame")) + link("C", pose("1 0 1 0 0 0", "P"))
        + joint("P", "C", pose("0.5 0 0 0 0 0", "P"), "J") + frame("Jp", "P", pose("", "J"))
        + frame("Jc", "C", pose("", "J")) + frame("Jc1", "J", pose("", "J")) + frame("Jc2", "J")
    )  # fmt: skip
    there = (1.5, 0, 0)
    return [
        s(section, "model_frame stands for the implicit model frame", xml, at={"m::model_frame": (0, 0, 0)}),
        s(section, "P is relative to the model frame through it", xml, at={"m::P": (1, 0, 0)}),
        s(section, "C is defined recursively, relative to P", xml, at={"m::C": (2, 0, 1)}),
        s(section, "Jp and Jc are frames attached to parent and child, both at J", xml,
          at={"m::Jp": there, "m::Jc": there}, bodies={"m::Jp": "m::P", "m::Jc": "m::C"}),
        s(section, "Jc1 is Jc, since J is attached to C", xml, at={"m::Jc1": there}, bodies={"m::Jc1": "m::C"}),
        s(section, "Jc2 is Jc1, since relative_to defaults to J", xml, at={"m::Jc2": there},
          relative_to={"m::Jc2": "m::J"}, bodies={"m::Jc2": "m::C"}),
    ]  # fmt: skip


def _parity() -> list[Statement]:
    s = about(FRAMES, "1.7")
    section, frames = "Example: Parity with URDF", "Example: Parity with URDF using //model/frame"
    export, ready = "tests/export/test_urdf.py", "tests/cli/test_more_checks.py"
    one = link("link1") + joint("link1", "link2", pose("1 0 0 0 0 0", "link1"), "joint1") + link(
        "link2", pose("", "joint1"))  # fmt: skip
    in_frames = (
        frame("joint1_frame", "link1", pose("1 0 0 0 0 0")) + frame("link2_frame", "joint1") + link("link1")
        + joint("link1", "link2", pose("", "joint1_frame"), "joint1") + link("link2", pose("", "link2_frame"))
    )  # fmt: skip
    return [
        s(section, "a joint relative to its parent, and its child to the joint, is what URDF says", one,
          at={"m::joint1": (1, 0, 0), "m::link2": (1, 0, 0)}),
        s(section, "the SDFormat model and the URDF have identical kinematics",
          test=f"{_CONVENTIONS}::test_the_parity_models_read_alike_at_every_position"),
        s(section, "both conventions agree about it",
          test=f"{_SEED}::test_the_two_ways_to_say_a_urdf_agree"),
        s(section, "xyz and rpy can be copied to URDF without transformations",
          test=f"{export}::test_a_model_in_element_relative_form_is_copied_directly"),
        s(section, "a well-formed file is a tree, with relative_to at joints and children and no link poses",
          test=f"{ready}::test_a_model_in_the_form_of_urdf_is_ready"),
        s(section, "a validator identifies files that can be converted directly: `check --urdf-ready`",
          test=f"{ready}::test_each_requirement_is_judged_by_itself"),
        s(section, "a URDF can be written in this form", test=f"{export}::"
          "test_a_round_trip_through_sdformat_keeps_the_kinematics"),
        s(section, "the alternative <joint attached_to_child> was not chosen",
          A + B + joint("A", "B").replace('type="fixed"', 'type="fixed" attached_to_child="false"'),
          warnings=["unknown-attribute"]),
        s(frames, "pose values can be stored in frames and referenced by name", in_frames,
          at={"m::joint1": (1, 0, 0), "m::link2": (1, 0, 0)}),
        s(frames, "joint1_frame is fixed to link1", in_frames, bodies={"m::joint1_frame": "m::link1"}),
        s(frames, "link2_frame is fixed to link2 through the joint", in_frames, bodies={"m::link2_frame": "m::link2"}),
        s(frames, "it is equivalent to the model of the section before",
          test=f"{_SEED}::test_the_two_ways_to_say_a_urdf_agree"),
    ]  # fmt: skip


def _reserved() -> list[Statement]:
    s = about(FRAMES, "1.7")
    section = "Element naming rule: reserved names"
    two = A + B
    return [
        s(section, "a model is not called world", world(model("world", L)), errors=["reserved-name"]),
        s(section, "a model may be called world_model", world(model("world_model", L)), errors=[]),
        s(section, "a link is not called world", link("world"), errors=["reserved-name"]),
        s(section, "a link may be called world_link", link("world_link"), errors=[]),
        s(section, "a joint is not called world", two + joint("A", "B", name="world"), errors=["reserved-name"]),
        s(section, "a frame is not called world", L + frame("world"), errors=["reserved-name"]),
        s(section, "a collision is not called world", link("L", shape("collision", "world")), errors=["reserved-name"]),
        s(section, "a model is not called __model__", world(model("__model__", L)), errors=["reserved-name"]),
        s(section, "a link is not called __link__", link("__link__"), errors=["reserved-name"]),
        s(section, "a frame is not called __wheel__", L + frame("__wheel__"), errors=["reserved-name"]),
        s(section, "a joint is not called __joint__", two + joint("A", "B", name="__joint__"),
          errors=["reserved-name"]),
        s(section, "a name may begin with underscores", link("__a"), errors=[]),
        s(section, "a name may end with underscores", link("a__"), errors=[]),
        s(section, "single underscores are not reserved", link("_a_"), errors=[]),
    ]  # fmt: skip
