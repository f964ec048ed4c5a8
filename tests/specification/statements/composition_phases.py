"""The statements of *Model Composition: proposed behavior*: its parsing stages."""

from __future__ import annotations

from tests.specification.statements.statement import (
    COMPOSITION,
    A,
    B,
    L,
    Statement,
    about,
    frame,
    include,
    joint,
    link,
    model,
    pose,
    shape,
    world,
)

_INTERFACE = "tests/formats/test_interface.py"


def statements() -> list[Statement]:
    """Return the statements, in the order of the document."""
    return [*_model_names(), *_model_graphs(), *_model_relative_to(), *_world(), *_world_relative_to()]


def _model_names() -> list[Statement]:
    s = about(COMPOSITION, "1.8")
    section = "1.6.1 Model"
    two = A + B
    return [
        s(section, "stage 1: there are no XML syntax errors", '<sdf version="1.8"><model name="m"><link name="l">',
          errors=["xml-syntax"]),
        s(section, "stage 1: the data fits the schema", "<link/>", errors=["missing-attribute"]),
        s(section, "stage 2: names are not empty", L + frame(""), errors=["empty-name"]),
        s(section, "stage 2: no name is __.*__", L + frame("__f__"), errors=["reserved-name"]),
        s(section, "stage 2: no name is world", link("world"), errors=["reserved-name"]),
        s(section, "stage 2: siblings of any type have unique names", two + joint("A", "B", name="A"),
          errors=["duplicate-name"]),
        s(section, "stage 2.2: clashes that are no frames are only printed", link("L", shape("visual", "x")
          + shape("collision", "x")), errors=["shared-name"],
          differs="the check that stage 2.3 describes makes them errors, and so does this program"),
        s(section, "stage 2.3: the check goes down into all elements",
          L + model("n", link("c", shape("visual", "x") * 2)), errors=["duplicate-name"]),
        s(section, "stage 3: parent and child differ", A + joint("A", "A"), errors=["joint-parent-is-child"]),
        s(section, "stage 3: the parent is a sibling frame", two + frame("f", "A") + joint("f", "B"), errors=[]),
        s(section, "stage 3: the child is a sibling frame", two + frame("f", "B") + joint("A", "f"), errors=[]),
        s(section, "stage 3: a parent that is none is an error", A + joint("X", "A"), errors=["joint-parent-invalid"]),
        s(section, "stage 3: a child that is none is an error", A + joint("A", "X"), errors=["joint-child-invalid"]),
        s(section, "stage 3: world may be the parent", A + joint("world", "A"), errors=[]),
        s(section, "stage 3: world is not the child", A + joint("A", "world"), errors=["joint-child-invalid"]),
        s(section, "stage 4: canonical_link names a link of the model", model("m", L + frame("f"),
          ' canonical_link="f"'),
          errors=["canonical-link-invalid"]),
        s(section, "stage 4: it may be in a nested model", model("m", L + model("n", A), ' canonical_link="n::A"'),
          bodies={"m": "m::n::A"}),
        s(section, "stage 4: an empty value is not checked", model("m", L, ' canonical_link=""'), errors=[]),
        s(section, "stage 4: that of a static model is not checked",
          model("m", "<static>true</static>" + L, ' canonical_link="X"'), errors=["canonical-link-invalid"],
          differs="`gz sdf --check` checks it in static models too, and so does this program"),
    ]  # fmt: skip


def _model_graphs() -> list[Statement]:
    s = about(COMPOSITION, "1.8")
    section = "1.6.1 Model"
    two = A + B
    static = world(model("m", "<static>true</static>" + L + frame("f")))
    return [
        s(section, "stage 5: attached_to names a sibling", L + frame("F", "X"), errors=["attached-to-invalid"]),
        s(section, "stage 5: a frame is not attached to itself", L + frame("f", "f"), errors=["attached-to-cycle"]),
        s(section, "stage 6.1: each link has a vertex", two, bodies={"m::B": "m::B"}),
        s(section, "stage 6.2: the model frame of a model that is not static leads to its canonical link", B + A,
          attached_to={"m": "m::B"}),
        s(section, "stage 6.2: that of a static model does not", static, bodies={"m": "world"}),
        s(section, "stage 6.3: a joint has a vertex, which leads to its child frame",
          two + frame("f", "B") + joint("A", "f"), attached_to={"m::j": "m::f"}),
        s(section, "stage 6.4: each frame has a vertex", L + frame("f"), bodies={"m::f": "m::L"}),
        s(section, "stage 6.6.1: a frame leads to what its attached_to names", two + frame("f", "B"),
          attached_to={"m::f": "m::B"}),
        s(section, "stage 6.6.2: a frame without it leads to the model frame", two + frame("f"),
          attached_to={"m::f": "m"}),
        s(section, "stage 6.6.2: so does a frame where it is empty", two + frame("f", ""), attached_to={"m::f": "m"}),
        s(section, "stage 6.7: the graph has no cycles", L + frame("f", "g") + frame("g", "f"),
          errors=["attached-to-cycle"]),
        s(section, "stage 6.7: a joint takes part in a cycle through its child",
          two + frame("f", "j") + joint("A", "f"), errors=["attached-to-cycle"],
          differs="libsdformat reports the pose graph too, which has the same cause; here one cause is one problem"),
        s(section, "stage 6.7: every vertex leads to a link, to which the frame is attached",
          two + frame("f", "B") + frame("g", "f"), bodies={"m::g": "m::B"}),
        s(section, "stage 6.8: parent and child resolve to different links", A + frame("f", "A") + joint("A", "f"),
          errors=["joint-parent-is-child"]),
        s(section, "stage 6.8: two frames of one link are no joint", A + frame("f", "A") + frame("g", "A")
          + joint("f", "g"), errors=["joint-parent-is-child"]),
        s(section, "stage 6.8: with world as the parent this is not checked", A + joint("world", "A"), errors=[]),
    ]  # fmt: skip


def _model_relative_to() -> list[Statement]:
    s = about(COMPOSITION, "1.8")
    section = "1.6.1 Model"
    two = A + B
    wrong = {"link": link("C", pose("", "X")), "joint": two + joint("A", "B", pose("", "X")),
             "frame": L + frame("f", None, pose("", "X")), "nested model": L + model("n", pose("", "X")
             + A)}  # fmt: skip
    parts = {"collision": shape("collision", "c", pose("", "{}")), "visual": shape("visual", "c", pose("", "{}")),
             "sensor": '<sensor name="c" type="imu">' + pose("", "{}") + "</sensor>",
             "light": '<light name="c" type="point">' + pose("", "{}") + "</light>"}  # fmt: skip
    return [
        *(s(section, f"stage 7: relative_to of a {kind} names a frame of the scope", xml,
          errors=["relative-to-invalid"])
          for kind, xml in wrong.items()),
        *(s(section, f"stage 7: so does that of a {kind}", link("L", xml.format("X")),
            errors=[] if kind in ("collision", "visual", "sensor", "light") else ["relative-to-invalid"],
            warnings=["relative-to-invalid"],
            differs="libsdformat finds it only when the pose is asked for, and loads the file; here it is a warning")
          for kind, xml in parts.items()),
        *(s(section, f"stage 7: a {kind} may be relative to a frame of the model",
            B + link("L", xml.format("B")), warnings=[], relative_to={"m::L::c": "m::B"}) for kind,
            xml in parts.items()),
        s(section, "stage 7: a nested model may be named", L + model("n", pose("1 0 0 0 0 0") + A)
          + link("C", pose("", "n")), at={"m::C": (1, 0, 0)}),
        s(section, "stage 8.1: the model frame has the vertex __model__", link("C", pose("", "__model__")),
          relative_to={"m::C": "m"}),
        s(section, "stage 8.3.1: a link leads to what its relative_to names", B + link("C", pose("", "B")),
          relative_to={"m::C": "m::B"}),
        s(section, "stage 8.3.2: otherwise to the model frame", B + link("C", pose("", "")),
          relative_to={"m::B": "m", "m::C": "m"}),
        s(section, "stage 8.4.1: a joint leads to what its relative_to names", two + joint("A", "B", pose("", "A")),
          relative_to={"m::j": "m::A"}),
        s(section, "stage 8.4.2: otherwise to its child frame", two + frame("f", "B") + joint("A", "f"),
          relative_to={"m::j": "m::f"}),
        s(section, "stage 8.5.1: a frame leads to what its relative_to names", two + frame("f", "A", pose("", "B")),
          relative_to={"m::f": "m::B"}),
        s(section, "stage 8.5.2: otherwise to what its attached_to names", two + frame("f", "B", pose("1 0 0 0 0 0")),
          relative_to={"m::f": "m::B"}),
        s(section, "stage 8.5.3: otherwise to the model frame", two + frame("f"), relative_to={"m::f": "m"}),
        s(section, "stage 8.6: the graph has no cycles", L + frame("f", None, pose("", "f")),
          errors=["relative-to-cycle"]),
        s(section, "stage 8.6: a joint and its child take part", A + link("C", pose("", "j")) + joint("A", "C"),
          errors=["relative-to-cycle"]),
        s(section, "stage 8.6: poses of collisions and lights need no check, since nothing refers to them",
          link("L", shape("collision", "c")) + link("C", pose("", "c")), errors=["relative-to-invalid"]),
    ]  # fmt: skip


def _world() -> list[Statement]:
    s = about(COMPOSITION, "1.8")
    section = "1.6.2 World"
    one = model("M", L)
    return [
        s(section, "stage 1: there are no XML syntax errors", '<sdf version="1.8"><world name="w">',
          errors=["xml-syntax"]),
        s(section, "stage 2: names are not empty", world(frame("")), errors=["empty-name"]),
        s(section, "stage 2: no name is reserved", world(frame("__f__")), errors=["reserved-name"]),
        s(section, "stage 2: no name is world", world(model("world", L)), errors=["reserved-name"]),
        s(section, "stage 2: models have unique names", world(one + one), errors=["duplicate-name"]),
        s(section, "stage 2: models and frames have different names", world(one + frame("M")),
          errors=["duplicate-name"]),
        s(section, "stage 3: each model is checked", world(one + model("N", A + joint("A", "X"))),
          errors=["joint-child-invalid"]),
        s(section, "stage 4: attached_to names a sibling model or frame", world(one + frame("F", "L")),
          errors=["attached-to-invalid"]),
        s(section, "stage 4: since 1.8 it may name what is in a model", world(one + frame("F", "M::L")),
          bodies={"F": "M::L"}),
        s(section, "stage 4: a frame is not attached to itself", world(frame("F", "F")), errors=["attached-to-cycle"]),
        s(section, "stage 5.1: the world frame has the vertex world", world(frame("F", "world")),
          bodies={"F": "world"}),
        s(section, "stage 5.3.2: a frame leads to what its attached_to names", world(one + frame("F", "M")),
          attached_to={"F": "M"}),
        s(section, "stage 5.3.3: otherwise to the world", world(frame("F", "")), attached_to={"F": "world"}),
        s(section, "stage 5.4: the graph has no cycles", world(frame("F", "G") + frame("G", "F")),
          errors=["attached-to-cycle"]),
        s(section, "stage 5.4: a frame that leads to the world is a fixed inertial frame", world(frame("F")),
          bodies={"F": "world"}),
        s(section, "stage 5.4: a frame that leads to a model is attached to its model frame", world(one + frame("F",
          "M")),
          attached_to={"F": "M"}, bodies={"F": "M::L"}),
        s(section, "stage 5.4: to that of a static model, and so to the world",
          world(model("M", "<static>true</static>" + L) + frame("F", "M")), bodies={"F": "world"}),
    ]  # fmt: skip


def _world_relative_to() -> list[Statement]:
    s = about(COMPOSITION, "1.8")
    section = "1.6.2 World"
    one = model("M", pose("1 0 0 0 0 0") + L)
    light = '<light name="c" type="point">{}</light>'
    return [
        s(section, "stage 6: relative_to of a model names a sibling", world(model("N", pose("", "X") + L)),
          errors=["relative-to-invalid"]),
        s(section, "stage 6: relative_to of a frame names a sibling", world(frame("F", None, pose("", "X"))),
          errors=["relative-to-invalid"]),
        s(section, "stage 6: relative_to of an include names a sibling", world(include("a.sdf", pose("", "X"))),
          files={"a.sdf": one}, errors=["relative-to-invalid"]),
        s(section, "stage 7.1: the world frame has the vertex world", world(model("N", pose("", "world") + L)),
          relative_to={"N": "world"}),
        s(section, "stage 7.3.1: a model leads to what its relative_to names", world(one + model("N", pose("", "M")
          + A)),
          relative_to={"N": "M"}, at={"N": (1, 0, 0)}),
        s(section, "stage 7.3.2: otherwise to the world", world(one), relative_to={"M": "world"}),
        s(section, "stage 7.4.1: a frame leads to what its relative_to names",
          world(one + frame("F", None, pose("", "M"))), relative_to={"F": "M"}),
        s(section, "stage 7.4.2: otherwise to what its attached_to names", world(one + frame("F", "M")),
          relative_to={"F": "M"}),
        s(section, "stage 7.4.3: otherwise to the world", world(frame("F")), relative_to={"F": "world"}),
        s(section, "stage 7.5: the graph has no cycles", world(frame("F", None, pose("", "F"))),
          errors=["relative-to-cycle"]),
        s(section, "stage 7.5: a light may be relative to a model", world(one + light.format(pose("0 1 0 0 0 0", "M"))),
          at={"c": (1, 1, 0)}),
        s(section, "then: non-SDFormat models are loaded, the graphs resolved, and the models repostured",
          test=f"{_INTERFACE}::test_it_gets_the_poses_of_its_frames"),
    ]  # fmt: skip
