"""Edits the robots that people have, saves them, and loads them in other programs: a table of what held.

``packaging/robots.sh FOLDER...`` looks for known robots in folders, copies the folder of each, and makes the edits of
:data:`EDITS` in the copy, as the window makes them: by the operations and the handles of the 3D view, in a xacro file
written back where that changes least. After each edit the file is saved. Only what the edit replaces may differ, byte
by byte, in the files that it changes; what the package xacro makes of them has to place every link as the session does.
At the end yourdfpy, Drake and MuJoCo load the robot and place its links at random configurations, and undo has to give
back every byte.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from lxml import etree

from sdfviewer.diagnostics import SdfViewerError
from sdfviewer.document.edits import Edit
from sdfviewer.export.verification import verify
from sdfviewer.files.finder import Finder
from sdfviewer.files.opening import open_document
from sdfviewer.files.paths import real_path
from sdfviewer.formats.expansion import ExpandedDocument
from sdfviewer.formats.load import Loader
from sdfviewer.formats.xacro.decisions import NamedFiles
from sdfviewer.formats.xacro.expansion import Expander
from sdfviewer.library.edit_block import read_mesh_bodies
from sdfviewer.model.kinds import Kind
from sdfviewer.model.model import Model
from sdfviewer.operations import adding, arranging, frames, structure
from sdfviewer.operations.declaration import EditContext, Operation
from sdfviewer.refactoring.pose_moving import Move, MoveSet
from sdfviewer.refactoring.xacro_edits import WaysBack, ways_back, write_edit_back
from sdfviewer.session.other_files import OtherEdits
from sdfviewer.session.session import Session
from sdfviewer.transforms import Array, pose_error
from tests.formats.xacro.reference import expand_as_xacro, packages_below

PROGRAMS = ("yourdfpy", "drake", "mujoco")
#: Metres and radians within which a link is where the session has it.
TOLERANCE = 1e-9
#: By how much a handle moves something: metres along x, y and z.
MOTION = (0.01, 0.02, 0.03)

#: What is joined to an arm.
GRIPPER = """<?xml version="1.0"?>
<robot name="grip">
  <link name="palm">
    <inertial><mass value="0.2"/><inertia ixx="1e-3" iyy="1e-3" izz="1e-3" ixy="0" ixz="0" iyz="0"/></inertial>
  </link>
  <link name="jaw">
    <inertial><mass value="0.1"/><inertia ixx="1e-4" iyy="1e-4" izz="1e-4" ixy="0" ixz="0" iyz="0"/></inertial>
  </link>
  <joint name="slide" type="prismatic">
    <origin xyz="0 0.02 0.1"/><parent link="palm"/><child link="jaw"/><axis xyz="0 1 0"/>
    <limit lower="0" upper="0.04" effort="20" velocity="0.1"/>
  </joint>
</robot>
"""
#: What TurtleBot 4 needs of another package, which is not in its repository.
CREATE3 = """<?xml version="1.0"?>
<robot xmlns:xacro="http://ros.org/wiki/xacro">
  <xacro:property name="cm2m" value="0.01"/>
  <xacro:property name="deg2rad" value="${pi/180}"/>
  <xacro:property name="M_PI" value="${pi}"/>
  <xacro:macro name="inertial_cuboid" params="mass x y z">
    <inertial>
      <mass value="${mass}"/>
      <inertia ixx="${mass*(y*y+z*z)/12}" iyy="${mass*(x*x+z*z)/12}" izz="${mass*(x*x+y*y)/12}"
        ixy="0" ixz="0" iyz="0"/>
    </inertial>
  </xacro:macro>
  <xacro:macro name="inertial_dummy">
    <xacro:inertial_cuboid mass="0.001" x="0.1" y="0.1" z="0.1"/>
  </xacro:macro>
  <xacro:macro name="ray_sensor" params="sensor_name gazebo update_rate visualize h_samples h_res h_min_angle
    h_max_angle r_min r_max r_res *plugin"/>
  <xacro:macro name="material_black"/>
  <xacro:macro name="material_darkgray"/>
</robot>
"""
CREATE3_BASE = """<?xml version="1.0"?>
<robot xmlns:xacro="http://ros.org/wiki/xacro">
  <xacro:arg name="gazebo" default="classic"/>
  <xacro:include filename="common_properties.urdf.xacro"/>
  <xacro:property name="base_link_z_offset" value="${6.42*cm2m}"/>
  <link name="base_link"/>
</robot>
"""


@dataclass(frozen=True)
class Robot:
    """A robot, and what is edited in it.

    Attributes
    ----------
    name
        In the table.
    path
        What the path of its file ends with.
    wheel, limb
        The joint or link that a handle moves, and the link whose limb is mirrored: part of its name.
    tool
        The link that carries the tool frame and the gripper; the last one by default.
    arguments
        Of the xacro file.
    prepare
        Writes what the copy of the folder needs besides.
    """

    name: str
    path: str
    wheel: str
    limb: str
    tool: str = ""
    arguments: Mapping[str, str] = field(default_factory=dict)
    prepare: Callable[[Path], object] = lambda _folder: None


def _with_create3(folder: Path) -> None:
    urdf = folder / "irobot_create_description" / "urdf"
    urdf.mkdir(parents=True, exist_ok=True)
    (urdf.parent / "package.xml").write_text("<package><name>irobot_create_description</name></package>")
    (urdf / "common_properties.urdf.xacro").write_text(CREATE3)
    (urdf / "create3.urdf.xacro").write_text(CREATE3_BASE)


def _as_installed(folder: Path) -> None:
    """Put what is in ``description`` where the installation of a package of ros2_control_demos puts it."""
    for description in [*folder.glob("*/description")]:
        shutil.copytree(description, description.parent, dirs_exist_ok=True)


_UR5E = {"ur_type": "ur5e", "name": "ur5e"}
ROBOTS = (
    Robot("panda", "panda_description/urdf/panda.urdf", "panda_joint4", "panda_leftfinger", "panda_hand"),
    Robot("PR2", "urdf/pr2.urdf", "fl_caster_l_wheel_joint", "l_shoulder_pan_link", "r_gripper_palm_link"),
    Robot("anymal", "anymal_c_simple_description/urdf/anymal.urdf", "LF_KFE", "LF_HIP", "base"),
    Robot("iCub", "icub_description/robots/icub.urdf", "l_knee", "l_hip_1", "l_hand"),
    Robot("UR5e", "urdf/ur.urdf.xacro", "wrist_1_joint", "forearm_link", "tool0", _UR5E),
    Robot("TurtleBot 3", "urdf/turtlebot3_burger.urdf", "wheel_left_joint", "wheel_left_link"),
    Robot("TurtleBot 4", "standard/turtlebot4.urdf.xacro", "rplidar_joint", "front_left_tower", "", {}, _with_create3),
    Robot("WAM-V", "urdf/wamv_gazebo.urdf.xacro", "left_chassis_engine_joint", "left_engine_link", "wamv/base_link"),
    Robot("rrbot", "example_1/description/urdf/rrbot.urdf.xacro", "joint2", "link2", "tool_link", {}, _as_installed),
    Robot("diffbot", "urdf/diffbot.urdf.xacro", "left_wheel_joint", "left_wheel", "base_link", {}, _as_installed),
)


class EditedRobot:
    """A robot that is edited as in the window, in a copy of its folder."""

    def __init__(self, robot: Robot, file: Path, packages: Mapping[str, str]) -> None:
        self.robot, self.file, self.packages = robot, file, packages
        finder = Finder([Path(each).parent for each in packages.values()])
        #: Where the last drag left something, by name.
        self.wanted: dict[str, Array] = {}
        self.expander = Expander(dict(robot.arguments), permission=NamedFiles(None, ""))
        self.session = Session(open_document(file), finder, expander=self.expander)
        if self.session.model is None or not self.session.is_current:
            raise SdfViewerError(self.session.diagnostics[0].message if self.session.diagnostics else "no model")

    @property
    def model(self) -> Model:
        """What is edited."""
        model = self.session.edited_model
        assert model is not None
        return model

    @property
    def is_xacro(self) -> bool:
        """Whether an evaluation writes the robot."""
        return isinstance(self.model.document, ExpandedDocument)

    def row(self, part: str, *kinds: Kind) -> int:
        """Return the row whose local name is, or has in it, a text; the last one of the kinds for an empty one."""
        model = self.model
        rows = [row for row, kind in enumerate(model.kinds) if kind in kinds and part in model.local_names[row]]
        same = [row for row in rows if model.local_names[row] == part]
        if not rows:
            raise SdfViewerError(f"there is no '{part}'")
        return (same or (rows if part else rows[::-1]))[0]

    def do(self, operation: Operation, **arguments: object) -> Edit:
        """Return the edit of an operation."""
        loader = self.session.make_loader()
        on = EditContext(self.model, loader, mesh_body=read_mesh_bodies(loader.finder))
        return operation.perform(on, arguments).only_edit

    def drag(self, row: int, by: tuple[float, float, float] = MOTION) -> Edit:
        """Return the edit with which a handle of the 3D view has moved a row; it has to be where the handle left it."""
        session = self.session
        kinematics = session.kinematics
        assert kinematics is not None
        move = Move(kinematics, kinematics.positions(session.positions), MoveSet(self.model, [row]))
        motion = np.eye(4)
        motion[:3, 3] = by
        X = move.by(motion)
        self.wanted = {self.model.names[each]: X[each] for each in move.move_set.rows}
        return move.edit()

    def apply(self, edit: Edit, pick: Callable[[WaysBack], Any] | None = None) -> dict[Path, tuple[bytes, Edit]]:
        """Make an edit and save it; return what the bytes of each file that it changes were, and its edit."""
        session, wanted = self.session, self.wanted
        self.wanted = {}
        others = OtherEdits()
        if isinstance(edit.document, ExpandedDocument):
            assert session.model is not None
            ways = ways_back(session.model, edit)
            choice = ways.merged(ways.smallest) if pick is None else pick(ways)
            if choice is None:
                raise SdfViewerError("its values need different texts at one place")
            if ways.along(choice):  # what carries it may have moved too, as the views show before
                wanted = {}
            edit, files = write_edit_back(session.model, session.make_loader(), edit, choice=choice)
            for before, after in files:
                others.write(before, after)
            made = {real_path(before.path): choice.replacements_in(before) for before, _ in files if before.path}
        else:
            made = {}
        written = {
            path: (path.read_bytes(), Edit("", before, made[path]))
            for path, before in others.touched.items()
            if before is not None
        }
        if edit.replacements:
            written[real_path(self.file)] = self.file.read_bytes(), edit
        session.apply(edit, others=others)
        session.save()
        if not session.is_current:
            raise SdfViewerError("it cannot be read then: " + "; ".join(map(str, session.diagnostics[:1])))
        for name, X in wanted.items():
            shown = session.pose_of(name)
            if shown is None or max(pose_error(X, shown)) > TOLERANCE:
                raise SdfViewerError(f"'{name}' is not where the handle left it")
        return written

    def expanded(self) -> str:
        """Return the URDF that other programs get: of a xacro file what the package xacro makes of it."""
        if not self.is_xacro:
            return self.file.read_bytes().decode()
        text = expand_as_xacro(self.file, self.robot.arguments, self.packages.get)
        if text.startswith("error: "):
            raise SdfViewerError(f"xacro: {text}")
        return text

    def require_expansion(self) -> None:
        """Refuse where what xacro makes of the saved files places a link elsewhere than the session does."""
        text, session = self.expanded(), self.session
        folder = self.file.parent / "expanded_by_xacro.urdf"
        folder.write_text(text, encoding="utf-8")
        try:
            other = Loader(session.finder).load(open_document(folder))
        finally:
            folder.unlink()
        if other is None:
            raise SdfViewerError("xacro writes no robot")
        model = session.model
        assert model is not None
        mine = {model.local_names[row]: model.X_RootF[row] for row, kind in enumerate(model.kinds) if kind is Kind.LINK}
        theirs = {
            other.local_names[row]: other.X_RootF[row] for row, kind in enumerate(other.kinds) if kind is Kind.LINK
        }
        if mine.keys() != theirs.keys():
            raise SdfViewerError(f"xacro writes other links: {sorted(mine.keys() ^ theirs.keys())[:4]}")
        for name, X in mine.items():
            if np.isfinite(X).all() and max(pose_error(X, theirs[name])) > TOLERANCE:
                raise SdfViewerError(f"xacro places '{name}' elsewhere")


# --- the edits -------------------------------------------------------------------------------------------------------


def _require(holds: object, why: str) -> None:
    if not holds:
        raise SdfViewerError(why)


def add_tool_frame(robot: EditedRobot) -> Edit:
    """Add a frame on the tool link."""
    link = robot.row(robot.robot.tool, Kind.LINK)
    return robot.do(
        adding.add_frame, name="tool_centre", attached_to=robot.model.local_names[link], pose=(0, 0, 0.1, 0, 0, 0)
    )


def move_wheel(robot: EditedRobot) -> Edit:
    """Drag a wheel, or a joint, by a handle of the 3D view."""
    return robot.drag(robot.row(robot.robot.wheel, Kind.JOINT))


def mount_sensor(robot: EditedRobot) -> Edit:
    """Add a sensor on the tool link."""
    link = robot.row(robot.robot.tool, Kind.LINK)
    return robot.do(adding.add_sensor, parent=link, type="imu", name="mounted_imu", pose=(0.01, 0, 0.02, 0, 0, 0))


def mirror_limb(robot: EditedRobot) -> Edit:
    """Write a limb again on the other side."""
    link = robot.row(robot.robot.limb, Kind.LINK)
    return robot.do(arranging.mirror, link=link, names=(robot.model.local_names[link], "mirrored_limb"))


def join_gripper(robot: EditedRobot) -> Edit:
    """Join a gripper from another URDF."""
    (robot.file.parent / "grip.urdf").write_text(GRIPPER, encoding="utf-8")
    return robot.do(structure.join_robot, file="grip.urdf", link=robot.row(robot.robot.tool, Kind.LINK), prefix="grip_")


def rename_link(robot: EditedRobot) -> Edit:
    """Rename the link that the dragged joint carries."""
    model = robot.model
    joint = robot.row(robot.robot.wheel, Kind.JOINT)
    child = next(each.child for each in model.joints if each.row == joint)
    return robot.do(frames.rename, old=child, new=f"{model.local_names[child]}_renamed")


def _with_property(ways: WaysBack) -> Any:
    """Return the choice that changes a property, an argument or the like, None where there is none."""
    picked, is_defined = [], False
    for value in ways.values:
        kept = [each for each in value.possible if not each.rewrites]
        defined = [each for each in kept if any(change.kind in _DEFINED for change in each.changes)]
        picked += (defined or kept)[:1]
        is_defined = is_defined or bool(defined)
    return ways.merged(picked) if is_defined and len(picked) == len(ways.values) else None


_DEFINED = ("property", "argument", "YAML key", "default", "parameter")


def drag_property(robot: EditedRobot) -> Edit:
    """Drag the first joint whose origin comes from a property, an argument or a YAML file."""
    for row, kind in enumerate(robot.model.kinds):
        if kind is not Kind.JOINT or not robot.is_xacro:
            continue
        for by in ((0.01, 0, 0), (0, 0.01, 0), (0, 0, 0.01)):
            try:
                edit = robot.drag(row, by)
                assert robot.session.model is not None
                if _with_property(ways_back(robot.session.model, edit)) is not None:
                    return edit
            except SdfViewerError:
                continue
    robot.wanted = {}
    raise _NotHereError("no joint is placed by a property" if robot.is_xacro else "no xacro file")


class _NotHereError(Exception):
    """A robot has nothing to try an edit on."""


#: The edits, by what the table calls them.
EDITS: Mapping[str, Callable[[EditedRobot], Edit]] = {
    "tool frame": add_tool_frame,
    "wheel": move_wheel,
    "sensor": mount_sensor,
    "limb": mirror_limb,
    "gripper": join_gripper,
    "rename": rename_link,
    "property": drag_property,
}


# --- what has to hold ------------------------------------------------------------------------------------------------


def require_bytes(before: bytes, edit: Edit, after: bytes) -> None:
    """Refuse where a file differs in more than what an edit replaces."""
    text, at, parts = before.decode("utf-8-sig"), 0, []
    for change in sorted(edit.replacements, key=lambda each: (each.start, each.end)):
        parts += [text[at : change.start], change.text]
        at = change.end
    start = before[: len(before) - len(text.encode())]
    if start + "".join([*parts, text[at:]]).encode() != after:
        raise SdfViewerError("other bytes than those of the edit have changed")


def contents(folder: Path) -> dict[Path, bytes]:
    """Return the bytes of all files below a folder."""
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def stripped(text: str) -> bytes:
    """Return a URDF with what places its links alone: MuJoCo would need all meshes, and joints of some mass."""
    root = etree.fromstring(text.encode(), etree.XMLParser(huge_tree=True, remove_comments=True))
    for tag in ("visual", "collision", "gazebo", "transmission", "ros2_control", "material"):
        for element in [*root.iter(tag)]:
            element.getparent().remove(element)
    mujoco = etree.SubElement(root, "mujoco")
    etree.SubElement(
        mujoco, "compiler", fusestatic="false", boundmass="1e-4", boundinertia="1e-9", balanceinertia="true"
    )
    return etree.tostring(root)


def load_elsewhere(robot: EditedRobot, folder: Path, programs: Sequence[str]) -> dict[str, str]:
    """Return what other programs say of a robot: empty where they place every link where the session has it."""
    session = robot.session
    model = session.model
    assert model is not None
    names = {
        model.names[row]: model.local_names[row]
        for row, kind in enumerate(model.kinds)
        if kind in (Kind.LINK, Kind.JOINT)
    }
    file = folder / "robot.urdf"
    file.write_bytes(stripped(robot.expanded()))
    said = {}
    for program in programs:
        found = verify(program, file, model, names)
        apart = [each for each in found.differences if " m at " in each or " rad at " in each]
        said[program] = found.message or "; ".join(apart)
        if not said[program] and found.links < model.kinds.count(Kind.LINK) - (program != "yourdfpy"):
            said[program] = f"it has {found.links} of {model.kinds.count(Kind.LINK)} links"
    return said


def try_robot(robot: Robot, source: Path, programs: Sequence[str]) -> dict[str, str]:
    """Return for each edit and program what went wrong; empty where nothing did, ``–`` for nothing to try."""
    with tempfile.TemporaryDirectory() as temporary:
        top = Path(temporary).resolve() / "copy"
        depth = len(Path(robot.path).parts) - 1
        package = source.parents[max(depth - 1, 0)]
        while not (package / "package.xml").exists() and package.parent != package and len(package.parts) > 3:
            package = package.parent
        origin = package.parent if (package / "package.xml").exists() else source.parents[max(depth - 1, 0)]
        ignored = shutil.ignore_patterns(".git", "*.dae", "*.stl", "*.STL", "*.obj", "*.png", "*.jpg", "*.tif")
        if (package / "package.xml").exists() and not robot.path.endswith(".xacro"):
            origin = package
        shutil.copytree(origin, top / origin.name, ignore=ignored, copy_function=shutil.copyfile)
        robot.prepare(top / origin.name)
        file = top / origin.name / source.relative_to(origin)
        first = contents(top)
        edited = EditedRobot(robot, file, packages_below([top]))
        results: dict[str, str] = {}
        for name, compute in EDITS.items():
            before = contents(top)
            try:
                edit = compute(edited)
                before = contents(top)  # with the gripper
                written = edited.apply(edit, _with_property if name == "property" else None)
                _require(written, "nothing has changed")
                now = contents(top)
                for path, (old, made) in written.items():
                    require_bytes(old, made, now[path])
                changed = {path for path in now if now[path] != before.get(path)}
                _require(changed == set(written), f"other files have changed: {sorted(changed ^ set(written))[:3]}")
                edited.require_expansion()
                results[name] = ""
            except _NotHereError:
                results[name] = "–"
            except SdfViewerError as error:
                results[name] = str(error)
        try:
            results |= load_elsewhere(edited, Path(temporary), programs)
        except SdfViewerError as error:
            results |= dict.fromkeys(programs, str(error))
        session = edited.session
        while session.can_undo:
            session.undo()
        session.save()
        last = contents(top)
        differs = [path.name for path in first if last.get(path) != first[path]]
        results["undo"] = f"{differs[:3]} differ" if differs else ""
        return results


def find(robot: Robot, folders: Sequence[Path]) -> Path | None:
    """Return the file of a robot in some folders, None where it is in none."""
    ending = Path(robot.path).parts
    for folder in folders:
        for path in sorted(folder.rglob(ending[-1])):
            if path.parts[-len(ending) :] == ending:
                return path.resolve()
    return None


def main(arguments: Sequence[str] | None = None) -> int:
    """Try the robots that are in some folders; return 1 where something did not hold."""
    parser = argparse.ArgumentParser(prog="packaging/robots.sh", description=__doc__)
    parser.add_argument("folders", nargs="+", type=Path, metavar="FOLDER")
    parser.add_argument("--only", default="", metavar="NAME", help="only robots with this in their name")
    parser.add_argument("--without", action="append", default=[], choices=PROGRAMS, help="a program that is not asked")
    options = parser.parse_args(arguments)
    programs = [each for each in PROGRAMS if each not in options.without]
    columns = [*EDITS, *programs, "undo"]
    print("| robot | " + " | ".join(columns) + " |")
    print("|---|" + "---|" * len(columns))
    failed = False
    for robot in ROBOTS:
        if options.only.lower() not in robot.name.lower():
            continue
        source = find(robot, options.folders)
        if source is None:
            print(f"| {robot.name} | " + " | ".join(["not here"] * len(columns)) + " |")
            continue
        try:
            results = try_robot(robot, source, programs)
        except SdfViewerError as error:
            results = dict.fromkeys(columns, str(error))
        cells = [{"": "yes", "–": "–"}.get(results[each], "no") for each in columns]
        print(f"| {robot.name} | " + " | ".join(cells) + " |", flush=True)
        failed = failed or "no" in cells
        for each in columns:
            if results[each] not in ("", "–"):
                print(f"{robot.name}, {each}: {results[each]}", file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
