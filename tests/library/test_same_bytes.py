"""An edit by a script writes the same bytes as the same edit in the window: every edit, on real files."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

import sdfviewer
from sdfviewer.document.edits import Edit
from sdfviewer.export.conversion import convert_copied
from sdfviewer.files.finder import Finder
from sdfviewer.files.opening import open_document
from sdfviewer.formats.load import Loader, load_document
from sdfviewer.library.edit_block import EditBlock
from sdfviewer.model.kinematics.forward import Kinematics
from sdfviewer.model.model import Model
from sdfviewer.model.values import format_numbers
from sdfviewer.operations import structure
from sdfviewer.operations.collisions import align_collisions, decompose_collisions, fit_collisions
from sdfviewer.operations.copying import copy_from
from sdfviewer.operations.declaration import EditContext, Operation
from sdfviewer.refactoring import inertia as inertias
from sdfviewer.refactoring.adding import duplicate, insert_member
from sdfviewer.refactoring.arranging import Arrangement, Mate, arrange, write_mate
from sdfviewer.refactoring.composition.flatten import dissolve, flatten
from sdfviewer.refactoring.composition.grouping import group, transfer
from sdfviewer.refactoring.composition.inlining import inline_includes, split_off
from sdfviewer.refactoring.composition.joining import join_robot
from sdfviewer.refactoring.composition.overrides import set_override
from sdfviewer.refactoring.composition.overriding import override_pose
from sdfviewer.refactoring.composition.pasting import paste
from sdfviewer.refactoring.fix_check import fix_all
from sdfviewer.refactoring.forms import (
    remove_redundant,
    round_poses,
    shorten_poses,
    to_element_relative_form,
    to_model_absolute_form,
    write_defaults,
)
from sdfviewer.refactoring.limb import Mirror, repetitions
from sdfviewer.refactoring.mirroring import mirror_limb, repeat_limb
from sdfviewer.refactoring.pose_moving import Move, MoveSet
from sdfviewer.refactoring.pose_notation import Notation
from sdfviewer.refactoring.pose_writing import (
    set_attached_to,
    set_notation,
    set_pose_component,
    set_pose_numbers,
    set_relative_to,
)
from sdfviewer.refactoring.properties.plugin_parameters import find_plugin, set_plugin_parameter
from sdfviewer.refactoring.properties.property_values import set_joint_end, set_property, set_shape, specs_of
from sdfviewer.refactoring.removal import remove
from sdfviewer.refactoring.renaming import rename
from sdfviewer.refactoring.versions.changing import change_version
from sdfviewer.session.session import Session
from sdfviewer.transforms import invert

pytest.importorskip("PIL", reason="inertials are computed from meshes too, which needs the extra [render]")

#: Edits that write no byte of the document: tests/contracts/test_keeping.py and tests/operations/test_semantics.py test
#: what they write.
OF_OTHER_FILES = {"keep_true", "disable_collisions"}
ARM, NESTED, CYCLE, WORLD = "arm.sdf", "nested_gripper.sdf", "relative_to_cycle.sdf", "world_frames.sdf"
PARITY, INCLUDES = "parity_relative_to.sdf", "two_links_orthogonal.sdf"
PASTED = "<link name='pasted'/>"
LONG = "<sdf version='1.9'><model name='m'><pose>0.30000000000000004 0 0 0 0 0</pose><link name='l'/></model></sdf>"
INCLUDING = "two_links_orthogonal.sdf"
DRIVE = "gz-sim-diff-drive-system"
ROBOT = "<robot name='r'>\n  <link name='base'/>\n</robot>"
SLED = Path(__file__).parents[1] / "collection" / "partial" / "snapshot-main" / "urdf" / "sled.urdf"
X = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6)


@dataclass
class Window:
    """What the window does: one refactoring after the other, each of the present text."""

    session: Session

    @property
    def model(self) -> Model:
        assert self.session.model is not None
        return self.session.model

    def row(self, name: str) -> int:
        return self.model.row(name)

    def do(self, make: Callable[[Model], Edit]) -> None:
        self.session.apply(make(self.model))

    def set(self, name: str, path: str, value: str) -> None:
        specs = {spec.path: spec for spec in specs_of(self.model, self.row(name))}
        self.do(lambda model: set_property(model, [self.row(name)], specs[path], value))

    def pose(self, name: str, numbers: tuple[float, ...] = X) -> None:
        self.do(lambda model: set_pose_numbers(model, self.row(name), numbers, Notation.RADIANS))

    def move(self, name: str, X_RootF: np.ndarray) -> None:
        kinematics = Kinematics(self.model)
        move = Move(kinematics, kinematics.q0, MoveSet(self.model, [self.row(name)]))
        move.by(X_RootF @ invert(self.model.X_RootF[self.row(name)]))
        self.session.apply(move.edit())

    def fix(self, rule: str) -> None:
        problem = next(each for each in self.session.diagnostics if each.rule.name == rule)
        self.session.apply(Edit("", self.session.document, problem.fixes[0].replacements))

    def fix_all(self) -> None:
        for fix in fix_all(self.session.make_loader(), self.session.document, unsafe=True).applied:
            self.session.apply(Edit("", self.session.document, fix.replacements))


def _limits(window: Window) -> None:
    window.set("joint_1", "axis/limit/lower", "-1")
    window.set("joint_1", "axis/limit/upper", "1.5")


def _inertial(window: Window) -> None:
    window.set("palm", "inertial/mass", "2")


def _performed(operation: Operation, **arguments: object) -> Callable[[Model], Edit]:
    """Return what makes the edit of an operation, as its form in the window does."""
    return lambda model: operation.perform(EditContext(model, Loader(Finder())), arguments).edit


def _new_visual(window: Window) -> None:
    window.do(lambda m: insert_member(m, m.row("palm"), "visual", "extra"))
    window.pose("palm::extra")
    window.do(lambda m: set_shape(m, m.row("palm::extra"), "sphere"))
    window.set("palm::extra", "geometry/sphere/radius", "0.25")


def _new_joint(window: Window) -> None:
    window.do(lambda m: insert_member(m, 0, "link", "box"))
    window.do(lambda m: insert_member(m, 0, "joint", "hold", type="fixed", parent="palm", child="box"))


def _make_joint(edit: sdfviewer.DocumentEdit) -> None:
    edit.add_link("box")
    edit.add_joint("hold", "fixed", "palm", "box")


def _make_weight(edit: sdfviewer.DocumentEdit) -> None:
    edit.add_link("box")
    edit.add_visual("box", "shape")
    edit.add_inertial("box", density=500)


def _new_weight(window: Window) -> None:
    window.do(lambda m: insert_member(m, 0, "link", "box"))
    window.do(lambda m: insert_member(m, m.row("box"), "visual", "shape"))
    window.do(
        lambda m: insert_member(
            m,
            m.row("box"),
            "inertial",
            **inertias.inertial_fields(inertias.computed_body(m, m.row("box"), 500)),
        )
    )


Script = Callable[[sdfviewer.DocumentEdit], object]
Clicks = Callable[[Window], object]

#: For each edit the file, the call, and the same in the window.
EDITS: dict[str, tuple[str, Script, Clicks]] = {
    "rename": (ARM, lambda e: e.rename("palm", "hand"), lambda w: w.do(lambda m: rename(m, m.row("palm"), "hand"))),
    "set_pose": (ARM, lambda e: e.set_pose("grasp", X), lambda w: w.pose("grasp")),
    "move": (
        ARM,
        lambda e: e.move("grasp", sdfviewer.Pose(X)),
        lambda w: w.move("grasp", np.asarray(sdfviewer.Pose(X))),
    ),
    "set_coordinate": (
        ARM,
        lambda e: e.set_coordinate("grasp", coordinate="z", value=0.25),
        lambda w: w.do(lambda m: set_pose_component(m, [m.row("grasp")], 2, 0.25)),
    ),
    "set_notation": (
        ARM,
        lambda e: e.set_notation("grasp", notation="quaternion"),
        lambda w: w.do(lambda m: set_notation(m, [m.row("grasp")], Notation.QUATERNION)),
    ),
    "set_relative_to": (
        ARM,
        lambda e: e.set_relative_to("flange", "base"),
        lambda w: w.do(lambda m: set_relative_to(m, m.row("flange"), "base")),
    ),
    "set_attached_to": (
        ARM,
        lambda e: e.set_attached_to("grasp", "arm::base", keep="numbers"),
        lambda w: w.do(lambda m: set_attached_to(m, m.row("grasp"), "base", "numbers")),
    ),
    "mate": (
        ARM,
        lambda e: e.mate("base", "grasp", offset=(0.5, 0, 0)),
        lambda w: w.do(lambda m: write_mate(m, Mate(m.row("base"), m.row("grasp"), offset=(0.5, 0.0, 0.0)))),
    ),
    "align": (
        ARM,
        lambda e: e.align("grasp", "inspection", axes="xz"),
        lambda w: w.do(lambda m: arrange(m, [m.row("grasp"), m.row("inspection")], Arrangement.ALIGN, [0, 2])),
    ),
    "distribute": (
        ARM,
        lambda e: e.distribute("base", "grasp", "palm"),
        lambda w: w.do(
            lambda m: arrange(m, [m.row("base"), m.row("grasp"), m.row("palm")], Arrangement.DISTRIBUTE, [0, 1, 2])
        ),
    ),
    "mirror": (
        ARM,
        lambda e: e.mirror("forearm", ("forearm", "other"), axis="x"),
        lambda w: w.do(lambda m: mirror_limb(m, Mirror(m.row("forearm"), -1, 0, "forearm", "other"))),
    ),
    "repeat": (
        ARM,
        lambda e: e.repeat("forearm", 3, axis="x", angle=0.5),
        lambda w: w.do(lambda m: repeat_limb(m, repetitions(m, m.row("forearm"), 3, -1, 0, 0.5, 0.0))),
    ),
    "set_parent": (
        ARM,
        lambda e: e.set_parent("joint_3", "shoulder"),
        lambda w: w.do(lambda m: set_joint_end(m, m.row("joint_3"), "parent", "shoulder")),
    ),
    "set_child": (
        NESTED,
        lambda e: e.set_child("lift", "gripper::body"),
        lambda w: w.do(lambda m: set_joint_end(m, m.row("lift"), "child", "gripper::body")),
    ),
    "reverse_joint": (
        ARM,
        lambda e: e.reverse_joint("joint_3"),
        lambda w: w.do(
            lambda m: (
                structure.reverse_joint.perform(
                    EditContext(m, w.session.make_loader()), {"joint": m.names[m.row("joint_3")]}
                ).edit
            )
        ),
    ),
    "join_robot": (
        "robot.urdf",
        lambda e: e.join_robot(SLED, "base", pose=X),
        lambda w: w.do(
            lambda m: join_robot(m, m.row("base"), load_document(open_document(SLED), Loader()), pose=format_numbers(X))
        ),
    ),
    "add_link": (ARM, lambda e: e.add_link("box"), lambda w: w.do(lambda m: insert_member(m, 0, "link", "box"))),
    "add_inertial": (ARM, _make_weight, _new_weight),
    "add_joint": (ARM, _make_joint, _new_joint),
    "add_frame": (
        ARM,
        lambda e: e.add_frame("tcp", attached_to="palm", pose=X),
        lambda w: (w.do(lambda m: insert_member(m, 0, "frame", "tcp", attached_to="palm")), w.pose("tcp")),
    ),
    "add_visual": (
        ARM,
        lambda e: e.add_visual("palm", "extra", geometry=sdfviewer.Sphere(0.25), pose=X),
        _new_visual,
    ),
    "add_collision": (
        ARM,
        lambda e: e.add_collision("palm", "extra"),
        lambda w: w.do(lambda m: insert_member(m, m.row("palm"), "collision", "extra")),
    ),
    "add_model": (
        WORLD,
        lambda e: e.add_model("box", pose=X),
        lambda w: (w.do(lambda m: insert_member(m, 0, "model", "box")), w.pose("box")),
    ),
    "add_include": (
        NESTED,
        lambda e: e.add_include("arm.sdf", "other"),
        lambda w: w.do(lambda m: insert_member(m, 0, "include", "other", uri="arm.sdf")),
    ),
    "add_sensor": (
        ARM,
        lambda e: e.add_sensor("palm", "imu", "imu"),
        lambda w: w.do(lambda m: insert_member(m, m.row("palm"), "sensor", "imu", type="imu")),
    ),
    "add_light": (
        ARM,
        lambda e: e.add_light("palm", "spot", "lamp"),
        lambda w: w.do(lambda m: insert_member(m, m.row("palm"), "light", "lamp", type="spot")),
    ),
    "add_plugin": (
        ARM,
        lambda e: e.add_plugin("arm", "libx.so", "x"),
        lambda w: w.do(lambda m: insert_member(m, 0, "plugin", "x", filename="libx.so")),
    ),
    "override_pose": (
        INCLUDING,
        lambda e: e.override_pose("pair_1::linkA", (0, 0, 1, 0, 0, 0)),
        lambda w: w.do(lambda m: override_pose(m, m.row("pair_1::linkA"), "0 0 1 0 0 0")),
    ),
    "set_override": (
        INCLUDING,
        lambda e: (
            e.override_pose("pair_1::linkA", (0, 0, 1, 0, 0, 0)),
            e.set_override("pair_1", "linkA/pose", "0 0 2 0 0 0"),
        ),
        lambda w: (
            w.do(lambda m: override_pose(m, m.row("pair_1::linkA"), "0 0 1 0 0 0")),
            w.do(lambda m: set_override(m, m.row("pair_1"), "linkA/pose", "0 0 2 0 0 0")),
        ),
    ),
    "set_plugin_parameter": (
        ARM,
        lambda e: (e.add_plugin("arm", DRIVE, "x"), e.set_plugin_parameter("arm", "wheel_radius", 0.25)),
        lambda w: (
            w.do(lambda m: insert_member(m, 0, "plugin", "x", filename=DRIVE)),
            w.do(lambda m: set_plugin_parameter(m, 0, find_plugin(m, 0, ""), "wheel_radius", "0.25")),
        ),
    ),
    "paste": (ARM, lambda e: e.paste(PASTED), lambda w: w.do(lambda m: paste(m, PASTED, Loader()).edit)),
    "copy_from": (
        ARM,
        lambda e: e.copy_from(SLED, "deck", into="flange"),
        lambda w: w.do(
            lambda m: (
                copy_from.perform(
                    EditContext(m, w.session.make_loader(), convert=convert_copied),
                    {"file": SLED, "things": "deck", "into": m.row("flange")},
                ).edit
            )
        ),
    ),
    "duplicate": (ARM, lambda e: e.duplicate("flange"), lambda w: w.do(lambda m: duplicate(m, m.row("flange")))),
    "remove": (ARM, lambda e: e.remove("grasp"), lambda w: w.do(lambda m: remove(m, [m.row("grasp")]))),
    "move_to_model": (
        NESTED,
        lambda e: e.move_to_model("gripper::grasp", "nested_gripper"),
        lambda w: w.do(lambda m: transfer(m, [m.row("gripper::grasp")], 0)),
    ),
    "group": (
        NESTED,
        lambda e: e.group("beam", name="upper", alone=True),
        lambda w: w.do(lambda m: group(m, [m.row("beam")], "upper")),
    ),
    "ungroup": (
        NESTED,
        lambda e: e.ungroup("gripper"),
        lambda w: w.do(lambda m: dissolve(m, m.row("gripper"), Loader())),
    ),
    "set_property": (
        ARM,
        lambda e: e.set_property("joint_1", "axis/xyz", (0, 1, 0)),
        lambda w: w.set("joint_1", "axis/xyz", "0 1 0"),
    ),
    "set_limits": (ARM, lambda e: e.set_limits("joint_1", -1, 1.5), _limits),
    "set_geometry": (
        ARM,
        lambda e: e.set_geometry("base::plate", "box"),
        lambda w: w.do(lambda m: set_shape(m, m.row("base::plate"), "box")),
    ),
    "align_collisions": (
        ARM,
        lambda e: e.align_collisions("base"),
        lambda w: w.do(_performed(align_collisions, links=["arm::base"])),
    ),
    "fit_collisions": (
        ARM,
        lambda e: e.fit_collisions("base::plate", shape="box"),
        lambda w: w.do(_performed(fit_collisions, parts=["arm::base::plate"], shape="box")),
    ),
    "decompose_collisions": (
        ARM,
        lambda e: e.decompose_collisions("base::plate", pieces=4),
        lambda w: w.do(_performed(decompose_collisions, parts=["arm::base::plate"], pieces=4)),
    ),
    "set_inertial": (ARM, lambda e: e.set_inertial("palm", mass=2), _inertial),
    "compute_inertials": (
        ARM,
        lambda e: e.compute_inertials("base", "palm", density=500),
        lambda w: w.do(lambda m: inertias.set_inertials(m, [m.row("base"), m.row("palm")], 500)),
    ),
    "to_element_relative_form": (
        ARM,
        lambda e: e.to_element_relative_form(),
        lambda w: w.do(to_element_relative_form),
    ),
    "to_model_absolute_form": (
        PARITY,
        lambda e: e.to_model_absolute_form(),
        lambda w: w.do(to_model_absolute_form),
    ),
    "write_defaults": (ARM, lambda e: e.write_defaults(), lambda w: w.do(write_defaults)),
    "remove_redundant": (
        ARM,
        lambda e: (e.write_defaults(), e.set_relative_to("flange", "base"), e.remove_redundant()),
        lambda w: (
            w.do(write_defaults),
            w.do(lambda m: set_relative_to(m, m.row("flange"), "base")),
            w.do(remove_redundant),
        ),
    ),
    "shorten_poses": (
        "long.sdf",
        lambda e: e.shorten_poses(),
        lambda w: w.do(shorten_poses),
    ),
    "round_poses": (
        "long.sdf",
        lambda e: e.round_poses(decimals=1),
        lambda w: w.do(lambda m: round_poses(m, range(len(m)), 1)),
    ),
    "split_off": (
        NESTED,
        lambda e: e.split_off("gripper", "hand.sdf"),
        lambda w: w.do(lambda m: split_off(m, m.row("gripper"), m.document.path.parent / "hand.sdf")[0]),
    ),
    "inline_includes": (
        INCLUDES,
        lambda e: e.inline_includes(),
        lambda w: w.session.apply(inline_includes(w.session.document, w.session.make_loader())),
    ),
    "flatten": (
        NESTED,
        lambda e: e.flatten(),
        lambda w: w.session.apply(flatten(w.session.document, w.session.make_loader())),
    ),
    "change_version": (
        PARITY,
        lambda e: e.change_version("1.8"),
        lambda w: w.session.apply(change_version(w.session.document, w.session.make_loader(), (1, 8))),
    ),
    "fix": (CYCLE, lambda e: e.fix("relative-to-cycle"), lambda w: w.fix("relative-to-cycle")),
    "fix_all": (CYCLE, lambda e: e.fix_all(unsafe=True), lambda w: w.fix_all()),
}


def test_every_edit_is_here() -> None:
    members = inspect.getmembers(sdfviewer.DocumentEdit, inspect.isfunction)
    edits = {name for name, _ in members if not name.startswith("_") and not hasattr(EditBlock, name)}
    assert edits == set(EDITS) | OF_OTHER_FILES


@pytest.mark.parametrize("name", sorted(EDITS))
def test_a_script_writes_the_bytes_of_the_window(examples: Path, tmp_path: Path, name: str) -> None:
    file, script, clicks = EDITS[name]
    path = tmp_path / file
    for each in examples.glob("*.sdf"):
        (tmp_path / each.name).write_bytes(each.read_bytes())
    (tmp_path / "long.sdf").write_text(LONG, encoding="utf-8")
    (tmp_path / "robot.urdf").write_text(ROBOT, encoding="utf-8")
    before = path.read_bytes()
    window = Window(Session(open_document(path)))
    clicks(window)
    document = sdfviewer.open_document(path)
    with document.edit() as edit:
        script(edit)
    document.save()
    assert path.read_bytes() == window.session.document.to_bytes()
    assert path.read_bytes() != before
    if len(window.session.history.steps) == 2 and not name.startswith(("fix", "set_inertial")):
        assert document.history == (window.session.history.steps[-1].label,)


def test_an_inertial_is_written_in_the_axes_of_its_frame(examples: Path) -> None:
    document = sdfviewer.open_document((examples / "arm.sdf").read_text(encoding="utf-8"))
    link = document.model.link("palm")
    wanted = np.array([[2, 0.1, 0], [0.1, 3, 0.2], [0, 0.2, 4]])
    with document.edit() as edit:
        edit.set_property("palm", "inertial/pose", (0, 0, 0.1, 0.3, 0.2, 0.1))
        edit.set_inertial("palm", mass=2, center_of_mass=(0, 0.1, 0.2), inertia=wanted)
    np.testing.assert_allclose(link.inertial.inertia_in_link, wanted, atol=1e-12)
    np.testing.assert_allclose(link.inertial.center_of_mass, (0, 0.1, 0.2))
    assert (link.mass, document.history) == (2, ("2 edits",))


def test_a_link_comes_with_its_shape_and_its_joint(examples: Path) -> None:
    document = sdfviewer.open_document((examples / "arm.sdf").read_text(encoding="utf-8"))
    with document.edit() as edit:
        edit.add_link(
            "probe",
            pose=(0, 0, 0.1, 0, 0, 0),
            geometry=sdfviewer.Cylinder(0.01, 0.04),
            density=2700,
            joined_to="palm",
            joint_type="prismatic",
            axis=(0, 0, 1),
            upper=0.05,
        )
    model = document.model
    probe, joint = model.link("probe"), model.joint("probe_joint")
    assert probe.mass == pytest.approx(2700 * np.pi * 0.01**2 * 0.04, rel=1e-6)
    assert [(each.name, each.geometry.kind) for each in probe.visuals] == [("probe::visual", "cylinder")]
    assert [(each.name, each.geometry.kind) for each in probe.collisions] == [("probe::collision", "cylinder")]
    assert (joint.type, joint.parent.name, joint.child.name) == ("prismatic", "palm", "probe")
    assert joint.axes[0].limits.upper == 0.05
    with pytest.raises(sdfviewer.SdfViewerError, match="from the start: use box"), document.edit() as edit:
        edit.add_link("other", geometry="heightmap")


def test_a_mesh_keeps_the_name_of_its_part(examples: Path) -> None:
    document = sdfviewer.open_document((examples / "arm.sdf").read_text(encoding="utf-8"))
    with document.edit() as edit:
        edit.add_visual("palm", "part", geometry=sdfviewer.Mesh("a.dae", submesh="lid", center=True))
    mesh = next(each for each in document.model.link("palm").visuals if each.name == "palm::part").geometry
    assert isinstance(mesh, sdfviewer.Mesh)
    assert (mesh.uri, mesh.submesh, mesh.center) == ("a.dae", "lid", True)


def test_computed_inertials_have_the_total_mass(examples: Path) -> None:
    document = sdfviewer.open_document((examples / "arm.sdf").read_text(encoding="utf-8"))
    with document.edit() as edit:
        edit.compute_inertials(total_mass=30)
    assert document.model.mass == pytest.approx(30, rel=1e-6)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (lambda e: e.set_inertial("palm"), "give a mass"),
        (lambda e: e.set_inertial("palm", mass=float("nan")), "finite"),
        (lambda e: e.set_inertial("palm", mass=-1), "negative"),
        (lambda e: e.set_inertial("palm", inertia=np.eye(2)), "matrix"),
        (lambda e: e.set_inertial("palm", inertia=np.arange(9).reshape(3, 3)), "symmetric"),
        (lambda e: e.set_limits("joint_1"), "give a limit"),
        (lambda e: e.compute_inertials("palm", density=0), "positive"),
        (lambda e: e.add_sensor("palm", "camra"), "use camera"),
        (lambda e: e.add_light("palm", "sun"), "use point"),
        (lambda e: e.set_geometry("base::plate", 3), "a geometry is a name"),
        (lambda e: e.set_geometry("base::plate", "boxx"), "no shape 'boxx'"),
        (lambda e: e.add_plugin("palm", "libx.so", "x"), "plugin"),
    ],
)
def test_what_would_be_wrong_is_refused_and_changes_nothing(examples: Path, wrong: Script, message: str) -> None:
    document = sdfviewer.open_document((examples / "arm.sdf").read_text(encoding="utf-8"))
    before = document.text

    def make() -> None:
        with document.edit() as edit:
            wrong(edit)

    with pytest.raises(sdfviewer.SdfViewerError, match=message):
        make()
    assert (document.text, document.history) == (before, ())
