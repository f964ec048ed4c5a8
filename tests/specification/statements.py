"""The statements of the five documents that specify frames, poses, kinematics and composition, each with its file.

A statement is what a document says, in few words, with the smallest file that shows it and what follows from the file.
``packaging/specification.py`` makes the table of them in ``docs/specification.md``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

KINEMATICS = "Specifying model kinematics in SDFormat"
FRAMES = "Pose Frame Semantics Proposal"
FRAMES_LEGACY = "Pose Frame Semantics: legacy behavior"
COMPOSITION = "Model Composition: proposed behavior"
COMPOSITION_LEGACY = "Composition: legacy behavior"
DOCUMENTS = (KINEMATICS, FRAMES_LEGACY, FRAMES, COMPOSITION_LEGACY, COMPOSITION)

AGREES, DIFFERS, NOT_COVERED = "agrees", "libsdformat differs", "not covered"


@dataclass(frozen=True)
class Statement:
    """One statement.

    Attributes
    ----------
    document, section
        Where it is made; the section is a heading of the document.
    text
        What it says.
    xml, version
        The file that shows it; without a ``<model>`` or ``<world>`` around it, it is put into model ``m``.
    errors
        The rules that the file breaks, in the order of the file; only errors count.
    at
        Positions in the root frame by frame.
    bodies, relative_to
        The body that carries a frame, and the frame that it is measured from.
    state, why
        Whether this program agrees with the document, and why not.
    test
        Another test that shows it, in place of a file.
    """

    document: str
    section: str
    text: str
    xml: str = ""
    version: str = "1.11"
    errors: Sequence[str] = ()
    at: Mapping[str, tuple[float, float, float]] = field(default_factory=dict)
    bodies: Mapping[str, str] = field(default_factory=dict)
    relative_to: Mapping[str, str] = field(default_factory=dict)
    state: str = AGREES
    why: str = ""
    test: str = ""

    def __str__(self) -> str:
        return f"{self.section}: {self.text}".replace("::", "..").replace("[", "(").replace("]", ")")


def joint(parent: str, child: str, pose: str = "", name: str = "j", type: str = "fixed", axis: str = "") -> str:
    """Return a joint."""
    return f'<joint name="{name}" type="{type}">{pose}<parent>{parent}</parent><child>{child}</child>{axis}</joint>'


L, A, B = '<link name="L"/>', '<link name="A"/>', '<link name="B"><pose>1 0 0 0 0 0</pose></link>'
NESTED = '<model name="n"><pose>0 2 0 0 0 0</pose><link name="c"><pose>0 0 3 0 0 0</pose></link></model>'


def _kinematics() -> list[Statement]:
    def s(section: str, text: str, xml: str = "", **more: object) -> Statement:
        return Statement(KINEMATICS, section, text, xml, **more)  # type: ignore[arg-type]

    seed = "tests/specification/test_seed_kinematics.py"
    return [
        s("<model>", "a model needs a name", f"<model>{L}</model>", errors=["missing-attribute"]),
        s(
            "<model>", "a model may have neither links nor joints", '<model name="empty"/>',
            errors=["model-without-link"], state=DIFFERS,
            why="libsdformat refuses a model without a link that is not static, and so does this program",
        ),
        s("<model>", "the pose of a model offsets its frame from what is around it",
          f'<world name="w"><model name="m"><pose>1 2 3 0 0 0</pose>{L}</model></world>', at={"m": (1, 2, 3)}),
        s("<link>", "a link needs a name", "<link/>", errors=["missing-attribute"]),
        s("<link>", "sibling elements of one type have unique names", L + L, errors=["duplicate-name"]),
        s("<link>", "the pose of a link is relative to the model frame",
          f'<world name="w"><model name="m"><pose>1 0 0 0 0 0</pose>{B}</model></world>', at={"m::B": (2, 0, 0)}),
        s("<joint>", "a joint is a child of a model", f'<model name="m">{A}{B}{joint("A", "B")}</model>'),
        *(
            s("<joint>", f"there is a joint type {kind}", A + B + joint("A", "B", type=kind, axis=axis))
            for kind, axis in {
                "ball": "", "continuous": "<axis/>", "fixed": "", "prismatic": "<axis/>", "revolute": "<axis/>",
                "screw": "<axis/>", "universal": "<axis/><axis2/>",
            }.items()
        ),
        s("<joint>", "other types do not exist", A + B + joint("A", "B", type="hinge"), errors=["joint-type-invalid"]),
        s("<joint>", "parent and child name links of the model", A + joint("A", "X"), errors=["joint-child-invalid"]),
        s("<joint>", "a sibling link and joint may have the same name, which is not recommended",
          A + B + joint("A", "B", name="B"), version="1.4", errors=["renamed-clash"], state=DIFFERS,
          why="the file loads and the joint is renamed, but `gz sdf --check` refuses it, and so does this program"),
        s("<joint><axis>", "until 1.4 the axis is in the model frame of the parent link",
          test="tests/formats/sdformat/test_versions.py::test_the_frame_of_an_axis"),
        s("<joint><axis>", "in 1.5 and 1.6 the axis is in the joint frame unless use_parent_model_frame is true",
          test="tests/formats/sdformat/test_versions.py::test_the_frame_of_an_axis"),
        s("<joint><axis>", "the axis is a unit vector", test="tests/rules/axis-not-unit/bad.sdf"),
        s("<joint><pose>", "the pose of a joint is X_CJc, relative to the child link",
          A + B + joint("A", "B", "<pose>0 0 1 0 0 0</pose>"), at={"m::j": (1, 0, 1)}, relative_to={"m::j": "m::B"}),
        s("<joint><pose>", "Jc is fixed to the child link", A + B + joint("A", "B"), bodies={"m::j": "m::B"}),
        s("<joint><pose>", "Jp is fixed to the parent and coincides with Jc at the zero configuration",
          test="tests/model/kinematics/test_joint_frames.py::test_jp_and_jc_coincide_at_zero"),
        s("Example Joint: revolute", "the axis has the same coordinates in Jp and in Jc",
          test="tests/model/kinematics/test_joint_frames.py::test_the_axis_is_the_same_in_jp_and_jc"),
        s("Example Joint: revolute", "URDF gives X_PJp, and its child link frame is Jc",
          test="tests/formats/urdf/test_build.py"),
        s("Model two_links_orthogonal_1", "the joint is at 0.1 0 0 in the world", test=f"{seed}::test_example"),
        s("Model two_links_orthogonal_2", "the joint is at 0 0 0.1 in the world", test=f"{seed}::test_example"),
        s("Comparison after joint motion", "at 0.78 rad the two links are at different places",
          test="tests/model/kinematics/test_joint_frames.py::test_the_two_examples_after_joint_motion"),
    ]  # fmt: skip


def _frames_legacy() -> list[Statement]:
    def s(section: str, text: str, xml: str = "", version: str = "1.4", **more: object) -> Statement:
        return Statement(FRAMES_LEGACY, section, text, xml, version, **more)  # type: ignore[arg-type]

    collision = '<collision name="c"><geometry><empty/></geometry></collision>'
    names, frames = "Element naming rules in SDFormat 1.4", "Parent frames in SDFormat 1.4"
    axes = "Specifying joint axes in SDFormat 1.5 with //joint/axis/use_parent_model_frame"
    phases = "Phases of parsing kinematics of an SDFormat 1.4 model"
    three = A + B + '<link name="C"/>'
    refused = "libsdformat 9 and later refuse it in files of every version, and so does this program"
    return [
        s(names, "links of a model have unique names", L + L, errors=["duplicate-name"]),
        s(names, "joints of a model have unique names", three + joint("A", "B") + joint("B", "C"),
          errors=["duplicate-name"]),
        s(names, "collisions of a link have unique names", f'<link name="L">{collision}{collision}</link>',
          errors=["duplicate-name"]),
        s(names, "collisions of different links may have the same name",
          f'<link name="A">{collision}</link><link name="B">{collision}</link>'),
        s(names, "siblings of different types may have the same name", A + B + joint("A", "B", name="B"),
          errors=["renamed-clash"], state=DIFFERS, why=refused),
        s(names, "a link may be called world, which is not recommended", '<link name="world"/>',
          errors=["reserved-name"], state=DIFFERS, why=refused),
        s(frames, "a link is relative to its model",
          f'<world name="w"><model name="m"><pose>1 0 0 0 0 0</pose>{B}</model></world>', at={"m::B": (2, 0, 0)}),
        s(frames, "inertials, collisions, visuals and sensors are relative to their link",
          '<link name="B"><pose>1 0 0 0 0 0</pose><collision name="c"><pose>0 1 0 0 0 0</pose><geometry><empty/>'
          "</geometry></collision></link>", at={"m::B::c": (1, 1, 0)}),
        s(frames, "a joint is relative to its child link", A + B + joint("A", "B", "<pose>0 0 1 0 0 0</pose>"),
          at={"m::j": (1, 0, 1)}),
        s(frames, "an empty frame attribute means the same as none", '<link name="B"><pose frame="">1 0 0 0 0 0</pose>'
          "</link>", "1.5", at={"m::B": (1, 0, 0)}),
        s("Legacy behavior", "since 1.5 the frame attribute of a pose names the frame that it is relative to",
          B + '<link name="C"><pose frame="B">0 1 0 0 0 0</pose></link>', "1.5", at={"m::C": (1, 1, 0)}),
        s("Parent frames in URDF", "URDF poses are relative to the kinematic parent, SDFormat poses to the XML parent",
          test="tests/model/kinematics/test_conventions.py"),
        s("Parent frames in URDF", "URDF is a tree, SDFormat may have closed loops",
          A + B + joint("A", "B") + joint("A", "B", name="k")),
        s("Specifying joint axes in SDFormat 1.4", "the axis is in the frame of the parent link's model",
          test="tests/formats/sdformat/test_versions.py::test_the_frame_of_an_axis"),
        s(axes, "in 1.5 the axis is in the joint frame by default",
          test="tests/formats/sdformat/test_versions.py::test_the_frame_of_an_axis"),
        s(axes, "converting 1.4 to 1.5 sets use_parent_model_frame",
          test="tests/refactoring/versions/test_versions.py"),
        s(axes, "parent and child are siblings of the joint", A + joint("X", "A"), errors=["joint-parent-invalid"]),
        s(axes, "world as the parent is a fixed inertial frame", A + joint("world", "A")),
        s(axes, "world as the child is a fixed inertial frame", A + joint("A", "world"),
          errors=["joint-child-invalid"], state=DIFFERS,
          why="libsdformat 12 and later refuse it; the quick fix swaps the ends"),
        s(axes, "a link called world is meant where a joint names world",
          A + '<link name="world"/>' + joint("world", "A"), errors=["reserved-name"], state=DIFFERS, why=refused),
        s(axes, "a link of another model is not a sibling",
          f'<world name="w"><model name="a">{A}</model><model name="b">{B}{joint("A", "B")}</model></world>',
          errors=["joint-parent-invalid"]),
        s(axes, "since 1.5 a model may contain models, whose links may have the same names",
          f'{L}<model name="n">{L}</model>', "1.5"),
        s(axes, "a nested model is relative to its parent element", L + NESTED, "1.5", at={"m::n::c": (0, 2, 3)}),
        s(axes, "a joint may connect links of sibling models with ::",
          f'<model name="a">{L}</model><model name="b">{L}</model>{joint("a::L", "b::L")}', "1.5"),
        s(axes, "a joint may connect a sibling link with a link of a nested model",
          f'<model name="a">{L}</model>{L}{joint("a::L", "L")}', "1.5"),
        s(phases, "phase 1: the file is XML and fits the schema", "<link><mass/></link>", errors=["missing-attribute"]),
        s(phases, "phase 2: names are not empty", '<link name=""/>', errors=["empty-name"]),
        s(phases, "phase 3: parent and child differ", A + joint("A", "A"), errors=["joint-parent-is-child"]),
        s("Phases of parsing kinematics of an SDFormat 1.5 model", "parent and child may be inside sibling models",
          f'{A}<model name="n">{L}</model>{joint("A", "n::X")}', "1.5", errors=["joint-child-invalid"]),
        s("Phases of parsing kinematics of an SDFormat world", "models of a world have unique names",
          f'<world name="w"><model name="a">{A}</model><model name="a">{A}</model></world>', errors=["duplicate-name"]),
    ]  # fmt: skip


def _frames() -> list[Statement]:
    def s(section: str, text: str, xml: str = "", version: str = "1.7", **more: object) -> Statement:
        return Statement(FRAMES, section, text, xml, version, **more)  # type: ignore[arg-type]

    def world(xml: str) -> str:
        return f'<world name="w">{xml}</world>'

    def pose(target: str, tag: str = "link", name: str = "C", numbers: str = "0 1 0 0 0 0") -> str:
        return f'<{tag} name="{name}"><pose relative_to="{target}">{numbers}</pose></{tag}>'

    terms, canonical = "Terminology for frames and poses", "Model Frame and Canonical Link"
    name, attached = "The //model/frame[@name] attribute", "The //model/frame[@attached_to] attribute"
    in_world, relative = "The //world/frame[@attached_to] attribute", "The //pose[@relative_to] attribute"
    model = "Phases of parsing kinematics of an sdf 1.7 model"
    of_world = "Phases of parsing kinematics of an sdf 1.7 world"
    empty, reserved = "Empty //pose and //frame elements imply identity pose", "Element naming rule: reserved names"
    two = f'<model name="M0">{L}</model>'
    return [
        s(terms, "relative_to does not imply attached_to", A + B + '<frame name="f" attached_to="A"><pose '
          'relative_to="B"/></frame>', at={"m::f": (1, 0, 0)}, bodies={"m::f": "m::A"}),
        s(terms, "relative_to defines only the initial configuration",
          test="tests/model/kinematics/test_forward.py"),
        s("Explicit vs. Implicit frames", "only models and worlds have <frame> elements",
          test="tests/rules/misplaced/bad.sdf"),
        s("Explicit vs. Implicit frames", "each link, joint and model has a frame of its name",
          A + B + joint("A", "B") + pose("j"), at={"m::C": (1, 1, 0)}),
        s("Explicit vs. Implicit frames", "each world has a fixed inertial frame",
          world('<frame name="f"/>'), bodies={"f": "world"}),
        s(canonical, "the canonical link is the first link by default", A + B + '<frame name="f"/>',
          bodies={"m": "m::A", "m::f": "m::A"}),
        s(canonical, "canonical_link names another one", f'<model name="m" canonical_link="B">{A}{B}</model>',
          bodies={"m": "m::B"}),
        s(canonical, "canonical_link names a link of the model", f'<model name="m" canonical_link="X">{A}</model>',
          errors=["canonical-link-invalid"]),
        s("Referencing the implicit model frame", "a frame with an identity pose represents the model frame",
          A + '<frame name="model_frame"/>', at={"m::model_frame": (0, 0, 0)}),
        s("Element naming rule: unique names for all sibling elements", "siblings of any type have unique names",
          A + B + joint("A", "B", name="B"), errors=["duplicate-name"]),
        s("Element naming rule: unique names for all sibling elements", "files of 1.4 may break this rule",
          A + B + joint("A", "B", name="B"), "1.4", errors=["renamed-clash"], state=DIFFERS,
          why="such a file loads with a renamed joint, but `gz sdf --check` refuses it, and so does this program"),
        s(name, "a frame needs a name", L + "<frame/>", errors=["missing-attribute"]),
        s(name, "the name is not empty", L + '<frame name=""/>', errors=["empty-name"]),
        s(name, "frames have unique names", L + '<frame name="F"/><frame name="F"/>', errors=["duplicate-name"]),
        s(name, "a frame and a link differ in name", L + '<frame name="L"/>', errors=["duplicate-name"]),
        s(attached, "attached_to names a sibling frame", L + '<frame name="F" attached_to="A"/>',
          errors=["attached-to-invalid"]),
        s(attached, "an empty attached_to is the default, the model frame", L + '<frame name="F" attached_to=""/>',
          bodies={"m::F": "m::L"}),
        s(attached, "a frame may be attached to a link, joint or frame",
          A + B + joint("A", "B") + '<frame name="F" attached_to="j"/><frame name="G" attached_to="F"/>',
          bodies={"m::F": "m::B", "m::G": "m::B"}),
        s(attached, "cycles are not allowed", L + '<frame name="F" attached_to="G"/><frame name="G" attached_to="F"/>',
          errors=["attached-to-cycle"]),
        s("The //world/frame[@name] attribute", "frames and models of a world have unique names",
          world(two + '<frame name="M0"/>'), errors=["duplicate-name"]),
        s(in_world, "a frame of a world is attached to the world by default", world('<frame name="F"/>'),
          bodies={"F": "world"}),
        s(in_world, "or to a sibling frame", world('<frame name="F"/><frame name="G" attached_to="F"/>'),
          bodies={"G": "world"}),
        s(in_world, "or to a model, and so to its canonical link", world(two + '<frame name="F" attached_to="M0"/>'),
          bodies={"F": "M0::L"}),
        s(in_world, "other names are refused", world('<frame name="F" attached_to="A"/>'),
          errors=["attached-to-invalid"]),
        s(in_world, "cycles are not allowed",
          world('<frame name="F" attached_to="G"/><frame name="G" attached_to="F"/>'), errors=["attached-to-cycle"]),
        s(relative, "a link is relative to the model frame by default", B, relative_to={"m::B": "m"}),
        s(relative, "an empty relative_to is the default", pose(""), relative_to={"m::C": "m"}),
        s(relative, "a link may be relative to another link", B + pose("B"), at={"m::C": (1, 1, 0)}),
        s(relative, "a joint is relative to its child by default", A + B + joint("A", "B"),
          relative_to={"m::j": "m::B"}),
        s(relative, "a joint may be relative to its parent, and the child to the joint",
          A + joint("A", "C", '<pose relative_to="A">0 0 1 0 0 0</pose>') + pose("j"), at={"m::C": (0, 1, 1)}),
        s(relative, "a frame is relative to what it is attached to by default",
          B + '<frame name="F" attached_to="B"/>', relative_to={"m::F": "m::B"}),
        s(relative, "cycles are not allowed", pose("C", name="D") + pose("D"), errors=["relative-to-cycle"]),
        s(relative, "a joint and its child may not be relative to each other",
          A + joint("A", "C", '<pose relative_to="C"/>') + pose("j"), errors=["relative-to-cycle"]),
        s(relative, "the two graphs are separate: attached_to one way and relative_to the other is no cycle",
          A + '<frame name="F" attached_to="C"><pose relative_to="A">1 0 0 0 0 0</pose></frame>' + pose("F"),
          at={"m::C": (1, 1, 0)}, bodies={"m::F": "m::C"}),
        s(relative, "in a world the chain ends at the world",
          world('<frame name="F"><pose>1 0 0 0 0 0</pose></frame>' + pose("F", "frame")), at={"C": (1, 1, 0)}),
        s(empty, "an empty pose is the identity", '<link name="C"><pose/></link>', at={"m::C": (0, 0, 0)}),
        s(empty, "an empty pose may have relative_to", B + '<link name="C"><pose relative_to="B"/></link>',
          at={"m::C": (1, 0, 0)}),
        s(empty, "an empty frame is at what it is attached to", B + '<frame name="F" attached_to="B"/>',
          at={"m::F": (1, 0, 0)}),
        s("Example using the //pose[@relative_to] attribute", "Jp and Jc can be written as frames",
          A + B + joint("A", "B") + '<frame name="Jp" attached_to="A"><pose relative_to="j"/></frame>'
          '<frame name="Jc" attached_to="j"/>', at={"m::Jp": (1, 0, 0), "m::Jc": (1, 0, 0)},
          bodies={"m::Jp": "m::A", "m::Jc": "m::B"}),
        s("Example: Parity with URDF", "poses can be copied from URDF",
          test="tests/specification/test_seed_pose_frame_semantics.py::test_the_two_ways_to_say_a_urdf_agree"),
        s("Example: Parity with URDF", "a validator can identify files that convert to URDF without transformations",
          test="tests/cli/test_more_checks.py"),
        s("Example: Parity with URDF", "the alternative //joint[@attached_to_child]", state=NOT_COVERED,
          why="considered and not included in SDFormat"),
        s("Example: Parity with URDF using //model/frame", "frames can hold all poses of a model",
          test="tests/specification/test_seed_pose_frame_semantics.py::test_example"),
        *(s(reserved, f"'{bad}' is reserved", f'<link name="{bad}"/>', errors=["reserved-name"])
          for bad in ("world", "__link__", "__model__")),
        *(s(reserved, f"'{good}' is not reserved", f'<link name="{good}"/>') for good in ("world_link", "_a", "a__")),
        s(model, "phase 1: the file is XML and fits the schema", "<link/>", errors=["missing-attribute"]),
        s(model, "phase 2: names are not empty and unique among siblings of any type",
          '<link name="L"><visual name="v"><geometry><empty/></geometry></visual><collision name="v"><geometry><empty/>'
          "</geometry></collision></link>", errors=["shared-name"]),
        s(model, "phase 3: parent and child differ and are siblings", A + joint("A", "A"),
          errors=["joint-parent-is-child"]),
        s(model, "phase 3: world may be the parent", A + joint("world", "A")),
        s(model, "phase 4: attached_to names a sibling link, joint or frame", L + '<frame name="F" attached_to="m"/>',
          errors=["attached-to-invalid"]),
        s(model, "phase 5: every frame leads to a link", L + '<frame name="F" attached_to="F"/>',
          errors=["attached-to-cycle"]),
        s(model, "phase 6: relative_to names a sibling link, joint or frame", pose("X"),
          errors=["relative-to-invalid"]),
        s(model, "phase 7: every pose leads to the model frame", pose("C"), errors=["relative-to-cycle"]),
        s(of_world, "phase 2: models and frames have unique names", world(two + two), errors=["duplicate-name"]),
        s(of_world, "phase 3: each model is checked", world('<model name="a"/>'), errors=["model-without-link"]),
        s(of_world, "phase 4: attached_to names a sibling model or frame", world(two + '<frame name="F" '
          'attached_to="L"/>'), errors=["attached-to-invalid"]),
        s(of_world, "phase 5: every frame leads to a model or the world", world('<frame name="F" attached_to="F"/>'),
          errors=["attached-to-cycle"]),
        s(of_world, "phase 6: relative_to names a sibling model or frame",
          world(f'<model name="a"><pose relative_to="X"/>{L}</model>'), errors=["relative-to-invalid"]),
        s(of_world, "phase 7: every pose leads to the world",
          world(f'<model name="a"><pose relative_to="b"/>{L}</model>'
                f'<model name="b"><pose relative_to="a"/>{L}</model>'),
          errors=["relative-to-cycle"]),
        s('Addendum: Model Building, Contrast "Model-Absolute" vs "Element-Relative" Coordinates',
          "X_MC(q) = X_MP(q) X_PJp X_JpJc(q) X_JcC",
          test="tests/model/kinematics/test_joint_frames.py::test_the_child_moves_with_the_joint"),
        s('Addendum: Model Building, Contrast "Model-Absolute" vs "Element-Relative" Coordinates',
          "both conventions can be compared", test="tests/model/kinematics/test_conventions.py"),
    ]  # fmt: skip


def _composition_legacy() -> list[Statement]:
    def s(section: str, text: str, xml: str = "", version: str = "1.5", **more: object) -> Statement:
        return Statement(COMPOSITION_LEGACY, section, text, xml, version, **more)  # type: ignore[arg-type]

    seed, files = "tests/specification/test_seed_composition_legacy.py", "tests/files/test_finder.py"
    include = "Including a model"
    return [
        s("Defining models directly inside parent models", "a model may contain models", L + NESTED),
        s("Defining models in separate files", "a folder with model.config names its file",
          test=f"{seed}::test_models_in_separate_files"),
        s(include, "<uri> is the location of the model", test=f"{seed}::test_models_in_separate_files"),
        s(include, "<name> overrides the name, which is unique among siblings",
          test="tests/specification/test_seed_composition.py::test_the_name_of_an_include_makes_the_scope"),
        s(include, "<pose> overrides the pose", test=f"{seed}::test_pose_and_nested_models"),
        s(include, "<static> overrides the static value",
          test="tests/specification/test_static.py::test_an_include_overrides_static"),
        s(include, "<plugin> is added to the model", test="tests/refactoring/composition/test_standalone.py"),
        *(s(include, text, test=files) for text in (
            "a path registered for a scheme is searched first", "the working directory is searched",
            "SDF_PATH is searched", "an absolute path is taken as it is")),
        s(include, "a callback of the user is asked last", state=NOT_COVERED,
          why="a library of this kind has no such callback; `paths` and `parsers` serve the purpose"),
        s("libsdformat's implementation of <include> in models", "an included model is copied with ModelName:: before "
          "its names", test=f"{seed}::test_flattened_and_nested_are_the_same"),
        s("libsdformat's implementation of <include> in models", "axes of nested models are in the model frame, a bug",
          state=NOT_COVERED, why="libsdformat 17 reads them in the joint frame, and so does this program"),
        s("Pose and nested models", "a nested model is relative to its parent model", L + NESTED,
          at={"m::n": (0, 2, 0)}),
        s("Pose and nested models", "links of a nested model are relative to that model", L + NESTED,
          at={"m::n::c": (0, 2, 3)}),
        s("Joints and nested models", "a joint may name model::link as parent or child",
          L + NESTED + joint("L", "n::c"), bodies={"m::j": "m::n::c"}),
        s("Joints and nested models", "libsdformat does not check such names", L + NESTED + joint("L", "n::X"),
          errors=["joint-child-invalid"], state=DIFFERS, why="libsdformat 9 and later do, and so does this program"),
        s("Joints and nested models", "a joint may connect links of two nested models",
          f'{L}{NESTED}<model name="o">{L}</model>{joint("n::c", "o::L")}'),
        s("Joints and nested models", "a joint of a nested model may name a link of its parent; not recommended",
          f'{L}<model name="n">{A}{joint("m::L", "A")}</model>', errors=["joint-parent-invalid"], state=DIFFERS,
          why="since 1.8 references only go down; libsdformat does not look, here it is an error with a fix"),
        s("Using <include> in <world>", "a model included in a world is a model of the world",
          test=f"{seed}::test_include_in_a_world"),
    ]  # fmt: skip


def _composition() -> list[Statement]:
    def s(section: str, text: str, xml: str = "", version: str = "1.8", **more: object) -> Statement:
        return Statement(COMPOSITION, section, text, xml, version, **more)  # type: ignore[arg-type]

    seed, interface = "tests/specification/test_seed_composition.py", "tests/formats/test_interface.py"
    frame = '<frame name="f"/>'
    refers, ends = "1.3.2 Reference Types", "1.2.2 //joint/parent and //joint/child refer to frames, not just links"
    api = "1.5 Minimal libsdformat Interface Types for Non-SDFormat Models"
    model, world = "1.6.1 Model", "1.6.2 World"

    def nested(inner: str, **more: Any) -> Statement:
        text, body = inner.split("|")
        return s(refers, text, f'{L}<frame name="top"/><model name="n">{A}{body}</model>', **more)

    up = {"errors": ["attached-to-invalid"]}
    return [
        s("1.1 Standalone Components Individual Files", "a file refers only to what is in or below it",
          L + '<frame name="f" attached_to="arm::body"/>', errors=["attached-to-invalid"]),
        s("1.2.1 Frames as primary interface elements", "frames of nested models can be named",
          f'{L}<model name="n">{A}{frame}</model><frame name="g" attached_to="n::f"/>', bodies={"m::g": "m::n::A"}),
        s(ends, "parent and child may be frames", A + B + '<frame name="f" attached_to="B"/>' + joint("A", "f"),
          bodies={"m::j": "m::B"}),
        s(ends, "a joint is relative to its child frame by default",
          A + B + '<frame name="f" attached_to="B"><pose>0 1 0 0 0 0</pose></frame>' + joint("A", "f"),
          at={"m::j": (1, 1, 0)}, relative_to={"m::j": "m::f"}),
        s("1.2.3 Frame, Link, and Joint Naming Suggestion", "names with an underscore are private",
          test="tests/rules/private-name/bad.sdf"),
        s("1.2.4 Reintroduce //world/joint", "a world may have joints",
          f'<world name="w"><model name="a">{L}</model><model name="b">{L}</model>{joint("a::L", "b::L")}</world>',
          "1.10", bodies={"j": "b::L"}),
        s("1.3.1 Reserved Delimiter Token ::", "no name holds ::", '<link name="a::b"/>', errors=["separator-in-name"]),
        nested("a name may be that of a sibling|<frame name='x' attached_to='A'/>", bodies={"m::n::x": "m::n::A"}),
        nested("a frame of the model around is not visible|<frame name='x' attached_to='top'/>", **up),
        nested("nor is a link of the model around|<frame name='x' attached_to='L'/>", **up),
        nested("nor by the name of the model around|<frame name='x' attached_to='m::L'/>", **up),
        nested("a model does not see its own name|<frame name='x' attached_to='n::A'/>", **up),
        s(refers, "a name leads down through models", L + NESTED + '<frame name="x" attached_to="n::c"/>',
          bodies={"m::x": "m::n::c"}),
        s(refers, "a link of a nested model needs the name of its model", L + NESTED + '<frame name="x" '
          'attached_to="c"/>', errors=["attached-to-invalid"]),
        s("1.3.2 Scope of Interface Elements", "in a::b::c, a and b are models",
          L + '<frame name="x" attached_to="L::v"/>', errors=["attached-to-invalid"]),
        s("1.3.3 Model Frame References", "a nested model is named by its name",
          L + NESTED + '<frame name="x"><pose relative_to="n"/></frame>', at={"m::x": (0, 2, 0)}),
        s("1.3.3 Model Frame References", "name::__model__ means the same",
          L + NESTED + '<frame name="x"><pose relative_to="n::__model__"/></frame>', at={"m::x": (0, 2, 0)}),
        s("1.3.4 Cross-Referencing Rules", "references lead to siblings or descendants",
          test=f"{seed}::test_a_name_that_goes_up_is_explained"),
        s("1.4.1 Permissible //include Elements", "an include brings models, not worlds",
          test="tests/rules/include-without-root/bad.sdf"),
        s("1.4.1 Permissible //include Elements", "<joint> and <frame> in an <include>", state=NOT_COVERED,
          why="never became part of SDFormat; reported as `misplaced` with what to write instead"),
        s("1.4.2 //include/name and Cross-References", "the name of the include makes the scope",
          test=f"{seed}::test_the_name_of_an_include_makes_the_scope"),
        s("1.4.3 //include/pose", "the pose is of the scope around the include",
          test=f"{seed}::test_the_pose_of_an_include_is_of_the_scope_around_it"),
        s("1.4.4 Placement frame: //include/placement_frame", "the pose places the placement frame",
          test=f"{seed}::test_a_placement_frame_is_what_the_pose_places"),
        s("1.4.4 Placement frame: //include/placement_frame", "a placement frame needs a pose",
          test="tests/rules/placement-frame-without-pose/bad.sdf"),
        s("1.4.5 Permit files directly in //include/uri", "a URI may name a file, relative to the including file",
          test=f"{seed}::test_weld_arm_and_gripper"),
        s("1.4.6 //include/static", "static has three states: unspecified, true, false",
          test=f"{interface}::test_static_has_three_states"),
        s("1.4.6 //include/static", "true reaches every model that is included",
          test="tests/specification/test_static.py::test_true_reaches_every_nested_model"),
        s("1.4.6 //include/static", "false is refused where an included model is static", state=DIFFERS,
          why="libsdformat lets false override the model's own value, and so does this program",
          test="tests/specification/test_static.py::test_false_undoes_the_value_of_the_included_model_only"),
        *(s(api, text, test=f"{interface}::{test}") for text, test in {
            "links and frames of other formats can be named": "test_its_frames_can_be_referred_to",
            "a parser is asked once for each include": "test_each_include_is_one_request_with_its_absolute_name",
            "reposture is called once the poses are known": "test_it_is_told_where_its_frames_are",
            "the last parser registered is asked first": "test_the_last_parser_is_asked_first",
            "parsers are not asked about .sdf and .world files": "test_parsers_are_not_asked_about_sdformat",
            "errors of a parser are errors of the file":
                "test_whatever_it_does_wrong_is_a_diagnostic_of_the_include",
        }.items()),
        s(api, "exceptions of a parser are not intercepted", state=DIFFERS, test=f"{interface}::"
          "test_whatever_it_does_wrong_is_a_diagnostic_of_the_include",
          why="a viewer must not stop at a failing plugin: the exception is a problem at the include"),
        s(model, "phase 2: reserved names are refused", '<frame name="__f__"/>' + L, errors=["reserved-name"]),
        s(model, "phase 3: parent and child name sibling frames", A + joint("A", "X"), errors=["joint-child-invalid"]),
        s(model, "phase 4: canonical_link names a link", f'<model name="m" canonical_link="f">{L}{frame}</model>',
          errors=["canonical-link-invalid"]),
        s(model, "phase 5: attached_to does not name its own frame", L + '<frame name="f" attached_to="f"/>',
          errors=["attached-to-cycle"]),
        s(model, "phase 6.2: a static model is not attached to a canonical link",
          f'<world name="w"><model name="m"><static>true</static>{L}</model></world>', bodies={"m": "world"}),
        s(model, "phase 6.8: parent and child resolve to different links",
          A + '<frame name="f" attached_to="A"/>' + joint("A", "f"), errors=["joint-parent-is-child"]),
        s(model, "phase 7: relative_to of any pose names a frame of the scope", L + '<link name="C"><pose '
          'relative_to="X"/></link>', errors=["relative-to-invalid"]),
        s(model, "phase 8: every pose leads to the model frame",
          L + '<frame name="f"><pose relative_to="f"/></frame>', errors=["relative-to-cycle"]),
        s(world, "phase 2: models and frames have unique names",
          f'<world name="w"><model name="a">{L}</model><frame name="a"/></world>', errors=["duplicate-name"]),
        s(world, "phase 5: a frame attached to a model is carried by its canonical link",
          f'<world name="w"><model name="a">{L}</model><frame name="f" attached_to="a"/></world>',
          bodies={"f": "a::L"}),
        s(world, "phase 6: relative_to names a sibling model or frame",
          '<world name="w"><frame name="f"><pose relative_to="X"/></frame></world>', errors=["relative-to-invalid"]),
        s("1.1 Positive Example", "an arm and a gripper are welded at frames",
          test=f"{seed}::test_weld_arm_and_gripper"),
        s("1.2 Negative Example", "a weld cannot reach out of its file",
          test=f"{seed}::test_a_weld_cannot_reach_out_of_its_file"),
        s("2 Robot Arm with Gripper and Intermediate Flanges", "flanges can be exchanged",
          test=f"{seed}::test_robot_arm_with_gripper_and_intermediate_flanges"),
    ]  # fmt: skip


STATEMENTS = (*_kinematics(), *_frames_legacy(), *_frames(), *_composition_legacy(), *_composition())
