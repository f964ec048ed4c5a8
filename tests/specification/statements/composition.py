"""The statements of *Model Composition: proposed behavior* up to its parsing stages."""

from __future__ import annotations

from typing import Any

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
    world,
)

_SEED = "tests/specification/test_seed_composition.py"
_INTERFACE = "tests/formats/test_interface.py"
_STATIC = "tests/specification/test_static.py"
_UP = {"errors": ["attached-to-invalid"]}
_MUG = {
    "mug.sdf": model("mug", pose("0 0 9 0 0 0") + link("body") + frame("bottom_center", None, pose("0 0 -1 0 0 0"))),
    "table.sdf": model("table", link("top") + frame("top_center", None, pose("0 0 1 0 0 0"))),
}
_ARM = {
    "arm.sdf": model("arm", link("body") + frame("gripper_mount", None, pose("1 0 0 0 0 0"))),
    "gripper.sdf": model("gripper", link("body") + frame("mount_point", None, pose("0 0 1 0 0 0"))),
    "bad.sdf": model("gripper", link("body") + joint("arm::body", "body", name="weld")),
}
_ASSEMBLY = include("arm.sdf") + include(
    "gripper.sdf", "<placement_frame>mount_point</placement_frame>" + pose("", "arm::gripper_mount")
)


def statements() -> list[Statement]:
    """Return the statements, in the order of the document."""
    return [*_interfaces(), *_references(), *_nested_references(), *_of_worlds(), *_including(), *_placing(),
    *_static(),
            *_other_formats(), *_examples()]  # fmt: skip


def _interfaces() -> list[Statement]:
    s = about(COMPOSITION, "1.8")
    alone, ends = (
        "1.1 Standalone Components Individual Files",
        ("1.2.2 //joint/parent and //joint/child refer to frames, not just links"),
    )
    private, world_joint = "1.2.3 Frame, Link, and Joint Naming Suggestion", "1.2.4 Reintroduce //world/joint"
    inner = model("n", A + frame("f", None, pose("0 0 1 0 0 0")))
    at_frame = A + B + frame("f", "B", pose("0 1 0 0 0 0"))
    two = model("a", L) + model("b", pose("1 0 0 0 0 0") + L)
    return [
        s(alone, "a file refers to what is defined in it", L + frame("f", "L"), errors=[]),
        s(alone, "a file refers to what is in the files that it includes", include("mug.sdf") + frame("f", "mug::body"),
          files=_MUG, bodies={"m::f": "m::mug::body"}),
        s(alone, "a file refers to nothing else", L + frame("f", "arm::body"), errors=["attached-to-invalid"]),
        s(alone, "a reference cannot be completed by the file that includes it", include("arm.sdf")
          + include("bad.sdf"),
          files=_ARM, errors=["joint-parent-invalid"]),
        s(alone, "poses in a file are rigidly related, wherever it is included",
          include("mug.sdf", pose("1 0 0 0 0 0")), files=_MUG,
          at={"m::mug::body": (1, 0, 0), "m::mug::bottom_center": (1, 0, -1)}),
        s("1.2.1 Frames as primary interface elements", "frames of nested models are their interface",
          L + inner + frame("g", "n::f"), bodies={"m::g": "m::n::A"}, at={"m::g": (0, 0, 1)}),
        s("1.2.1 Frames as primary interface elements",
          "a mounting point can be moved without changing who refers to it",
          L + model("n", A + frame("f", None, pose("0 0 2 0 0 0"))) + frame("g", "n::f"), at={"m::g": (0, 0, 2)}),
        s(ends, "the parent may be a frame", at_frame + joint("f", "A"), bodies={"m::j": "m::A"}),
        s(ends, "the child may be a frame", at_frame + joint("A", "f"), bodies={"m::j": "m::B"}),
        s(ends, "a joint may name another joint", A + B + link("C") + joint("A", "B") + joint("j", "C", name="k"),
          bodies={"m::k": "m::C"}),
        s(ends, "a joint may name a nested model", A + model("n", L) + joint("A", "n"), bodies={"m::j": "m::n::L"}),
        s(ends, "the child link is the link to which the child frame is attached", at_frame + joint("A", "f"),
          attached_to={"m::j": "m::f"}, bodies={"m::j": "m::B"}),
        s(ends, "the joint frame is attached to the child frame", at_frame + joint("A", "f"),
          attached_to={"m::j": "m::f"}),
        s(ends, "a joint is relative to its child frame by default", at_frame + joint("A", "f"), at={"m::j": (1, 1, 0)},
          relative_to={"m::j": "m::f"}),
        s(ends, "before 1.8 the ends of a joint are links", at_frame + joint("A", "f"), version="1.7",
          warnings=["newer-reference"]),
        s(ends, "frames are kept when a file is saved", test="tests/properties/test_edits.py::"
          "test_an_edit_changes_the_bytes_of_its_spans_and_no_others"),
        s(private, "what begins with an underscore is private: using it from outside is a warning",
          L + model("n", link("_a")) + frame("f", "n::_a"), warnings=["private-name"]),
        s(private, "using it inside its model is not", link("_a") + frame("f", "_a"), warnings=[]),
        s(private, "links, joints and frames without one are the interface of a model",
          L + model("n", A) + frame("f", "n::A"), warnings=[]),
        s(world_joint, "a world may have joints", world(two + joint("a::L", "b::L")), version="1.10", warnings=[],
          bodies={"j": "b::L"}, at={"j": (1, 0, 0)}),
        s(world_joint, "world may be the parent of such a joint", world(two + joint("world", "b::L")), version="1.10",
          errors=[]),
        s(world_joint, "the specification after 1.7 has them", world(two + joint("a::L", "b::L")), version="1.8",
          warnings=["newer-element"], differs="they are back since 1.10; before, there is a warning"),
    ]  # fmt: skip


def _references() -> list[Statement]:
    s = about(COMPOSITION, "1.8")
    token, refers = "1.3.1 Reserved Delimiter Token ::", "1.3.2 Reference Types"
    scope, of_model = "1.3.2 Scope of Interface Elements", "1.3.3 Model Frame References"
    nested = model("n", pose("0 2 0 0 0 0") + link("c", pose("0 0 3 0 0 0")))
    deep = model("a", A + model("b", A + link("c", pose("1 0 0 0 0 0"))))
    return [
        *(s(token, f"no {kind} has a name with ::", xml, errors=["separator-in-name"]) for kind, xml in {
            "link": link("a::b"), "joint": A + B + joint("A", "B", name="a::b"), "frame": L + frame("a::b"),
            "model": L + model("a::b", A),
        }.items()),
        s(token, "before 1.8 names may have it", link("a::b"), version="1.7", errors=[]),
        s(token, "/ is not a delimiter", L + nested + frame("x", "n/c"), errors=["attached-to-invalid"]),
        s(refers, "references are relative: to a sibling", L + frame("x", "L"), attached_to={"m::x": "m::L"}),
        s(refers, "references go down into nested models", L + nested + frame("x", "n::c"), bodies={"m::x": "m::n::c"}),
        s(refers, "frames are referred to in their own scope only: a nested link needs the name of its model",
          L + nested + frame("x", "c"), errors=["attached-to-invalid"]),
        s(refers, "scopes are models, not joints: the child of a joint is no scope",
          A + B + joint("A", "B") + frame("x", "A::B"), errors=["attached-to-invalid"]),
        s(refers, "a reference that goes up, with ^, was not chosen", L + model("n", A + frame("x", "^L")), **_UP),
        s(refers, "a reference that goes up, with ../, was not chosen", L + model("n", A + frame("x", "../L")), **_UP),
        s(refers, "absolute references were not chosen", L + model("n", A + frame("x", "m::L")), **_UP),
        s(scope, "all interface elements of a model are one level of nesting below it", L + model("n", A + B
          + joint("A", "B")
          + frame("f")) + frame("x", "n::j") + frame("y", "n::f"), attached_to={"m::x": "m::n::j", "m::y": "m::n::f"}),
        s(scope, "in a::b::c, a and b are models", deep + L + frame("x", "a::b::c"), bodies={"m::x": "m::a::b::c"}),
        s(scope, "b is never a link", L + frame("x", "L::v"), errors=["attached-to-invalid"]),
        s(of_model, "a nested model is named by its name", L + nested + frame("x", None, pose("", "n")),
          at={"m::x": (0, 2, 0)}, relative_to={"m::x": "m::n"}),
        s(of_model, "name::__model__ means the same", L + nested + frame("x", None, pose("", "n::__model__")),
          relative_to={"m::x": "m::n"}),
        s(of_model, "it can be used in attached_to", L + nested + frame("x", "n"), attached_to={"m::x": "m::n"},
          bodies={"m::x": "m::n::c"}),
        s(of_model, "a model of a world is named by its name in the world",
          world(model("a", pose("1 0 0 0 0 0") + L) + frame("x", None, pose("", "a"))), at={"x": (1, 0, 0)}),
        s("1.3.4 Cross-Referencing Rules", "references lead to siblings or descendants, so encapsulation is enforced",
          test=f"{_SEED}::test_a_name_that_goes_up_is_explained"),
    ]  # fmt: skip


def _nested_references() -> list[Statement]:
    s = about(COMPOSITION, "1.8")
    section = "1.3.2 Reference Types"

    def three(top: str = "", mid: str = "", bottom: str = "", mid_pose: str = "", bottom_pose: str = "") -> str:
        inner = model("bottom_model", bottom_pose + link("bottom_link", bottom))
        around = model("mid_model", mid_pose + link("mid_link", mid) + inner)
        return frame("top_frame", None, pose("1 0 0 0 0 0")) + link("top_link", top) + around

    def one(text: str, xml: str, **more: Any) -> Statement:
        return s(section, text, xml, **more)

    wrong = {"errors": ["relative-to-invalid"]}
    again = model("mid_model", link("mid_link", pose("0 0 1 0 0 0")))
    two = link("top_link") + model("mid_model", link("mid_link") + model("bottom_model", link("bottom_link")
        + frame("bottom_frame", "{}")) )  # fmt: skip
    of_mid = link("top_link") + frame("top_frame") + model("mid_model", link("mid_link")
        + model("bottom_model", link("bottom_link")) + frame("f", "{}"))  # fmt: skip
    return [
        one("top_link relative to top_frame: valid", three(pose("", "top_frame")), at={"m::top_link": (1, 0, 0)}),
        one("top_link relative to an unknown frame: an error", three(pose("", "some_unknown_frame")), **wrong),
        one("top_link relative to m::top_frame: its own model by name, an error", three(pose("", "m::top_frame")),
          **wrong),
        one("mid_model relative to top_link: valid", three(pose("0 1 0 0 0 0"), mid_pose=pose("", "top_link")),
            at={"m::mid_model": (0, 1, 0)}),
        one("mid_link with an empty pose: valid, the model frame", three(mid=pose()),
            relative_to={"m::mid_model::mid_link": "m::mid_model"}),
        one("mid_link relative to __model__: the same", three(mid=pose("", "__model__")),
            relative_to={"m::mid_model::mid_link": "m::mid_model"}),
        one("mid_link relative to top_link: shadowing, an error", three(mid=pose("", "top_link")), **wrong),
        one("bottom_model relative to mid_link: valid", three(mid=pose("0 0 1 0 0 0"), bottom_pose=pose("",
          "mid_link")),
            at={"m::mid_model::bottom_model": (0, 0, 1)}),
        one("bottom_link with an empty pose: valid", three(bottom=pose()), errors=[]),
        one("bottom_link relative to mid_link: shadowing, an error", three(bottom=pose("", "mid_link")), **wrong),
        one("bottom_link relative to mid_model::mid_link: an error", three(bottom=pose("", "mid_model::mid_link")),
            **wrong),
        one("bottom_link relative to top_frame: shadowing, an error", three(bottom=pose("", "top_frame")), **wrong),
        one("bottom_frame attached to bottom_link: valid", two.format("bottom_link"),
            bodies={"m::mid_model::bottom_model::bottom_frame": "m::mid_model::bottom_model::bottom_link"}),
        one("bottom_frame attached to bottom_model::bottom_link: an error", two.format("bottom_model::bottom_link"),
          **_UP),
        one("a nested model of the same name as the one around is what a reference means",
            model("mid_model", link("l") + model("bottom_model_2", again
                  + link("bottom_link", pose("", "mid_model::mid_link")))),
            at={"m::mid_model::bottom_model_2::bottom_link": (0, 0, 1)}),
        one("mid_to_top attached to top_frame: shadowing, an error", of_mid.format("top_frame"), **_UP),
        one("mid_to_bottom attached to bottom_model::bottom_link: valid", of_mid.format("bottom_model::bottom_link"),
            bodies={"m::mid_model::f": "m::mid_model::bottom_model::bottom_link"}),
        one("mid_to_bottom attached to bottom_link: bad scope, an error", of_mid.format("bottom_link"), **_UP),
        one("mid_to_bottom attached to mid_model::bottom_model::bottom_link: an error",
            of_mid.format("mid_model::bottom_model::bottom_link"), **_UP),
    ]  # fmt: skip


def _of_worlds() -> list[Statement]:
    s = about(COMPOSITION, "1.10")
    section = "1.3.2 Reference Types"
    base = frame("world_frame", None, pose("1 0 0 0 0 0"))

    def top(inside: str) -> str:
        return world(base + model("top_model", inside))

    welded = base + model("top_model", link("top_link")) + joint("{}", "{}", name="weld")
    return [
        s(section, "a frame of a world attached to world_frame: valid", world(base + frame("f", "world_frame")),
          attached_to={"f": "world_frame"}),
        s(section, "a frame of a world attached to w::world_frame: an error", world(base + frame("f",
          "w::world_frame")),
          **_UP),
        s(section, "a model relative to world_frame: valid", top(pose("", "world_frame") + L), at={"top_model": (1, 0,
          0)}),
        s(section, "a frame of a model: valid, relative to the model", top(L + frame("top_frame")),
          relative_to={"top_model::top_frame": "top_model"}),
        s(section, "a frame of a model attached to world_frame: shadowing, an error", top(L + frame("f",
          "world_frame")),
          **_UP),
        s(section, "a link relative to a frame of its model: valid", top(frame("f") + link("L", pose("", "f"))),
          errors=[]),
        s(section, "a link relative to top_model::top_frame: shadowing, an error",
          top(frame("f") + link("L", pose("", "top_model::f"))), errors=["relative-to-invalid"]),
        s(section, "a world joint with world as its parent: valid", world(welded.format("world",
          "top_model::top_link")),
          errors=[]),
        s(section, "a world joint with world_frame as its parent: valid",
          world(welded.format("world_frame", "top_model::top_link")), bodies={"weld": "top_model::top_link"}),
        s(section, "a world joint with top_link as its child: an error", world(welded.format("world", "top_link")),
          errors=["joint-child-invalid"]),
    ]  # fmt: skip


def _including() -> list[Statement]:
    s = about(COMPOSITION, "1.8")
    permissible, names = "1.4.1 Permissible //include Elements", "1.4.2 //include/name and Cross-References"
    at, files = "1.4.3 //include/pose", "1.4.5 Permit files directly in //include/uri"
    worlds = {"w.sdf": world(model("a", L))}
    one = {"mid_model.sdf": model("mid_model", link("mid_link"))}
    custom = include("mid_model.sdf", "<name>my_custom_name</name>")
    framed = frame("super_frame", None, pose("0 1 0 0 0 0"))
    return [
        s(permissible, "an include brings models, not worlds", L + include("w.sdf"), files=worlds,
          errors=["include-without-root"]),
        s(permissible, "<name> can be overridden", include("mug.sdf", "<name>cup</name>"), files=_MUG,
          bodies={"m::cup": "m::cup::body"}),
        s(permissible, "<pose> can be overridden", include("mug.sdf", pose("1 0 0 0 0 0")), files=_MUG,
          at={"m::mug": (1, 0, 0)}),
        s(permissible, "<static> can be overridden", world(include("mug.sdf", "<static>true</static>")), files=_MUG,
          bodies={"mug": "world"}),
        s(permissible, "<plugin> can be added", include("mug.sdf", '<plugin name="p" filename="p"/>'), files=_MUG,
          warnings=[]),
        s(permissible, "<frame> can be added", include("mug.sdf", frame("f")), files=_MUG, warnings=["misplaced"],
          differs="it never became part of SDFormat; the warning says what to write beside the include"),
        s(permissible, "<joint> can be added", include("mug.sdf", joint("world", "body")), files=_MUG,
          warnings=["misplaced"],
          differs="it never became part of SDFormat; the warning says what to write beside the include"),
        s(permissible, "a model is not changed otherwise", include("mug.sdf", link("extra")), files=_MUG,
          warnings=["misplaced"]),
        s(names, "scopes have the name of the include: my_custom_name::mid_link is valid",
          custom + frame("f", "my_custom_name::mid_link"), files=one, bodies={"m::f": "m::my_custom_name::mid_link"}),
        s(names, "not that of the file: mid_model::mid_link is invalid", custom + frame("f", "mid_model::mid_link"),
          files=one, **_UP),
        s(names, "nothing in a file depends on the name of its model", include("self.sdf", "<name>x</name>"),
          files={"self.sdf": model("self", link("l") + frame("f", "l"))}, bodies={"m::x::f": "m::x::l"}),
        s(at, "the pose of an include overrides that of the model", include("mug.sdf", pose("1 0 0 0 0 0")), files=_MUG,
          at={"m::mug": (1, 0, 0), "m::mug::body": (1, 0, 0)}),
        s(at, "all poses in the model move rigidly with it, whatever its joints",
          include("two.sdf", pose("0 0 1 0 0 0")),
          files={"two.sdf": model("two", A + B + joint("world", "A") + joint("A", "B", name="k"))},
          at={"m::two::A": (0, 0, 1), "m::two::B": (1, 0, 1)}),
        s(at, "it is in the scope around the include", framed + include("mug.sdf", pose("1 0 0 0 0 0", "super_frame")),
          files=_MUG, at={"m::mug": (1, 1, 0)}, relative_to={"m::mug": "m::super_frame"}),
        s(at, "not in that of the included model", framed + include("mug.sdf", pose("", "mug::super_frame")),
          files=_MUG,
          errors=["relative-to-invalid"]),
        s(at, "as the pose of a nested model is", framed + model("n", pose("1 0 0 0 0 0", "super_frame") + L),
          at={"m::n": (1, 1, 0)}),
        s(files, "a <uri> may name a file", include("mug.sdf"), files=_MUG, at={"m::mug": (0, 0, 9)}),
        s(files, "a folder with model.config may be named too",
          test="tests/files/test_finder.py::test_model_folder_offers_its_newest_supported_file"),
        s(files, "a relative file is next to the file itself", include("sub/a.sdf"),
          files={"sub/a.sdf": model("a", include("b.sdf")), "sub/b.sdf": model("b", L)}, bodies={"m::a": "m::a::b::L"}),
        s(files, "package:// is found for ROS", test="tests/files/test_finder.py::test_package_of_ros_2"),
        s(files, "model:// is found for Gazebo",
          test="tests/files/test_finder.py::test_order_of_libsdformat_and_then_of_gazebo"),
    ]  # fmt: skip


def _placing() -> list[Statement]:
    s = about(COMPOSITION, "1.8")
    section = "1.4.4 Placement frame: //include/placement_frame"
    by_bottom = "<placement_frame>bottom_center</placement_frame>"
    both = include("table.sdf", "<placement_frame>top_center</placement_frame>" + pose()) + include(
        "mug.sdf", by_bottom + pose("", "table::top_center"))  # fmt: skip
    return [
        s(section, "the pose of an include places the placement frame", include("mug.sdf", by_bottom
          + pose("1 0 0 0 0 0")),
          files=_MUG, at={"m::mug::bottom_center": (1, 0, 0), "m::mug": (1, 0, 1)}),
        s(section, "the pose of the model itself no longer counts", include("mug.sdf", by_bottom + pose()), files=_MUG,
          at={"m::mug::bottom_center": (0, 0, 0)}),
        s(section, "with a placement frame a pose must be specified", include("mug.sdf", by_bottom), files=_MUG,
          errors=["placement-frame-without-pose"]),
        s(section, "it is a frame of the included model", include(
            "mug.sdf", "<placement_frame>X</placement_frame>" + pose()), files=_MUG,
            errors=["placement-frame-invalid"]),
        s(section, "example: the table is placed with its frame at the model frame", both, files=_MUG,
          at={"m::table::top_center": (0, 0, 0), "m::table": (0, 0, -1)}),
        s(section, "example: the bottom of the mug is at the top of the table", both, files=_MUG,
          at={"m::mug::bottom_center": (0, 0, 0), "m::mug": (0, 0, 1)}),
        s(section, "why and frames show the pose as written and the one that follows",
          test="tests/cli/test_why_and_graph.py::test_a_placement_frame_is_shown_with_the_pose_as_written"),
    ]  # fmt: skip


def _static() -> list[Statement]:
    s = about(COMPOSITION, "1.8")
    section = "1.4.6 //include/static"
    only_frames = {"f.sdf": model("f", "<static>true</static>" + frame("g"))}
    return [
        s(section, "the value of the model can be overridden", test=f"{_STATIC}::test_an_include_overrides_static"),
        s(section, "true reaches all models that are included",
          test=f"{_STATIC}::test_true_reaches_every_nested_model"),
        s(section, "the value can only change from false to true",
          differs="libsdformat lets false override the model's own value, and so does this program",
          test=f"{_STATIC}::test_false_undoes_the_value_of_the_included_model_only"),
        s(section, "false is refused where an included model is static",
          differs="libsdformat lets it be, and so does this program; `why` names the models that stay static",
          test=f"{_STATIC}::test_what_false_does_not_undo_is_explained"),
        s(section, "there are three states: unspecified, true, false",
          test=f"{_INTERFACE}::test_static_has_three_states"),
        s(section, "a model that is static is attached to the world", world(include("mug.sdf",
          "<static>true</static>")),
          files=_MUG, attached_to={"mug": "world"}),
        s(section, "a static model may have only frames", world(include("f.sdf")), files=only_frames, errors=[],
          bodies={"f::g": "world"}),
        s(section, "such a model cannot be made non-static", world(include("f.sdf", "<static>false</static>")),
          files=only_frames, errors=["model-without-link"]),
    ]  # fmt: skip


def _other_formats() -> list[Statement]:
    s = about(COMPOSITION, "1.8")
    section = "1.5 Minimal libsdformat Interface Types for Non-SDFormat Models"
    named = {
        "parsers for other formats can be registered": "test_its_frames_can_be_referred_to",
        "a request holds the URI and the file that it leads to":
            "test_a_request_holds_the_file_and_the_elements_of_the_parser",
        "a request holds the name in the hierarchy and the local name":
            "test_each_include_is_one_request_with_its_absolute_name",
        "a request holds what <static> says": "test_static_has_three_states",
        "a request holds the elements that SDFormat does not know":
            "test_a_request_holds_the_file_and_the_elements_of_the_parser",
        "a model has links, with poses in the model frame": "test_its_frames_can_be_referred_to",
        "a model has frames, each attached to another or to __model__": "test_its_frames_can_be_referred_to",
        "reposture is called after the pose graphs are known": "test_it_gets_the_poses_of_its_frames",
        "reposture can ask for the pose of the model in the world": "test_it_gets_the_poses_of_its_frames",
        "reposture can ask for poses relative to a frame of the model, by default the world":
            "test_it_gets_the_poses_of_its_frames",
        "a name with :: is an error": "test_names_and_references_are_checked_like_those_of_sdformat",
        "the canonical link is one of the links": "test_names_and_references_are_checked_like_those_of_sdformat",
        "the last parser registered is asked first": "test_the_last_parser_is_asked_first",
        "a parser that answers nothing lets others be asked": "test_a_parser_that_answers_nothing_lets_others_be_asked",
        "a .urdf file is first offered to the parsers, then converted":
            "test_a_urdf_is_offered_to_the_parsers_first",
        "nested interface models are incorporated": "test_nested_interface_models_are_incorporated",
        "parsers are not asked about .sdf and .world files": "test_parsers_are_not_asked_about_sdformat",
        "where no parser answers, it is an error that names those asked":
            "test_a_file_that_no_parser_takes_names_those_that_were_asked",
        "errors of a parser are errors of the file": "test_whatever_it_does_wrong_is_a_diagnostic_of_the_include",
    }  # fmt: skip
    return [
        *(s(section, text, test=f"{_INTERFACE}::{test}") for text, test in named.items()),
        s(section, "exceptions of a parser are not intercepted",
          differs="a viewer must not stop at a failing plugin: the exception is a problem at the include",
          test=f"{_INTERFACE}::test_whatever_it_does_wrong_is_a_diagnostic_of_the_include"),
        s("1.5.1 Modifications to existing libsdformat API", "the existing API of libsdformat hardly changes",
          uncovered="about the API of libsdformat"),
        s("1.5.2 Motivating Example", "a prototype in Drake", uncovered="about another program"),
    ]  # fmt: skip


def _examples() -> list[Statement]:
    s = about(COMPOSITION, "1.8")
    positive, negative = "1.1 Positive Example", "1.2 Negative Example"
    flanges = "2 Robot Arm with Gripper and Intermediate Flanges"
    parts = {
        "arm.sdf": model("arm", link("link") + frame("flange_mount", None, pose("1 0 0 0 0 0", "link"))),
        "electric.sdf": model("flange_electric", link("body") + frame("mount", None, pose("0 1 0 0 0 0", "body"))
                              + frame("gripper_mount", None, pose("0 2 0 0 0 0", "body"))),
        "gripper.sdf": model("gripper", link("gripper") + frame("mount", None, pose("0 0 1 0 0 0"))),
    }  # fmt: skip
    by_mount = "<placement_frame>mount</placement_frame>"
    robot = (
        include("arm.sdf", "<name>arm</name>")
        + include("electric.sdf", "<name>flange</name>" + by_mount + pose("", "arm::flange_mount"))
        + joint("arm::flange_mount", "flange::mount", name="weld1")
        + include("gripper.sdf", by_mount + pose("", "flange::gripper_mount"))
        + joint("flange::gripper_mount", "gripper::mount", name="weld2")
    )  # fmt: skip
    brothers = model("robot_1", pose("0 0 5 0 0 0") + robot) + model("robot_2", pose("0 9 0 0 0 0", "robot_1") + robot)
    return [
        s(positive, "the mount of the gripper is at the mount of the arm", _ASSEMBLY, files=_ARM,
          at={"m::arm::gripper_mount": (1, 0, 0), "m::gripper::mount_point": (1, 0, 0), "m::gripper": (1, 0, -1)}),
        s(positive, "a joint welds the two frames, that is, the links that they are attached to",
          _ASSEMBLY + joint("arm::gripper_mount", "gripper::mount_point", name="weld"), files=_ARM,
          bodies={"m::weld": "m::gripper::body"}, dofs=0),
        s(positive, "the joint is where both mounts are",
          _ASSEMBLY + joint("arm::gripper_mount", "gripper::mount_point", name="weld"), files=_ARM,
          at={"m::weld": (1, 0, 0)}),
        s(negative, "the weld cannot be in the gripper: arm::body does not exist in its file", include("bad.sdf"),
          files=_ARM, errors=["joint-parent-invalid"]),
        s(negative, "nor where the gripper is included beside the arm", include("arm.sdf") + include("bad.sdf"),
          files=_ARM, errors=["joint-parent-invalid"]),
        s(flanges, "a flange is between arm and gripper", brothers, files=parts,
          at={"m::robot_1::flange::mount": (1, 0, 5), "m::robot_1::gripper::mount": (1, 1, 5)}),
        s(flanges, "the second robot is relative to the first", brothers, files=parts, at={"m::robot_2": (0, 9, 5)}),
        s(flanges, "robots may use other flanges with the same references",
          test=f"{_SEED}::test_robot_arm_with_gripper_and_intermediate_flanges"),
        s(flanges, "an attribute `file` of an include is not known", include("arm.sdf").replace(
            "<include>", '<include file="arm.sdf">'), files=parts, warnings=["unknown-attribute"]),
    ]  # fmt: skip
