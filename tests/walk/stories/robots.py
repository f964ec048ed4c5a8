"""Robots that are built from an empty file with the mouse and the keyboard; each key and each click is counted.

``packaging/walk.sh rover.sdf --out FOLDER --only rover`` with an empty ``rover.sdf`` prints how many there were.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from PySide6.QtWidgets import QComboBox, QLineEdit

from sdfviewer.gui.operations.form_dialog import EditDialog
from sdfviewer.model.kinds import Kind
from tests.walk.actions import Steps, press, rest, shot, type_text, wait
from tests.walk.stories.building import pick
from tests.walk.story import story
from tests.walk.walk import Walk

_SHARE = 5
"""What is pressed is less than one in so many of the characters of the file."""
_PATIENCE = 2.0
"""Seconds until the hand goes on where the window is not at rest: it types faster than a slow screen is drawn."""
_LOADED_BY_DRAKE = """
import sys
from pydrake.multibody.parsing import Parser
from pydrake.multibody.plant import MultibodyPlant
plant = MultibodyPlant(0.0)
[model] = Parser(plant).AddModels(sys.argv[1])
plant.Finalize()
print(plant.num_bodies() - 1, "bodies and", plant.num_joints(), "joints in Drake")
"""


def _begin(w: Walk) -> None:
    path = w.session.path
    w.need(path is not None and path.suffix == ".sdf" and not w.session.document.text.strip(), "not an empty .sdf")
    w.begin_counting()


def _select(w: Walk, *names: str) -> Steps:
    """Click a name in the tree, and those after it with Ctrl."""
    yield rest(20)  # the tree scrolls to what was added
    for number, name in enumerate(names):
        tree, keys = w.file.tree.view.viewport(), "ctrl" if number else ""
        yield w.click(tree, w.tree_point(name), f"“{name}” in the tree", modifiers=keys, limit=_PATIENCE)
    wanted = [w.model.names[w.model.row(name)] for name in names]
    yield wait(f"{', '.join(names)} selected", lambda: list(w.session.selection) == wanted)


def _form(w: Walk, keys: str, choices: dict[str, str], texts: dict[str, str], picture: str) -> Steps:
    """Open a form by its keys, choose and type what is not there yet, and accept it with Enter."""
    yield press(keys, _PATIENCE)
    yield wait("a form opens", lambda: isinstance(w.dialog, EditDialog))
    dialog = w.dialog
    if not w.expect(isinstance(dialog, EditDialog), f"{keys} opens a form"):
        return
    assert isinstance(dialog, EditDialog)
    boxes = {each.accessibleName(): each for each in dialog.findChildren(QComboBox)}
    for name, choice in choices.items():
        if boxes[name].currentText() != choice:
            yield from pick(w, boxes[name], choice)
    lines = {each.accessibleName(): each for each in dialog.findChildren(QLineEdit)}
    for name, text in texts.items():
        line = lines[name]
        if not line.hasFocus():
            yield w.click(w.bring(line), what=name, limit=_PATIENCE)
        if line.text() and line.selectedText() != line.text():
            yield press("ctrl+a", _PATIENCE)
        yield type_text(text, _PATIENCE)
    if "filename" in texts:  # of those that the list offers
        yield press("down", _PATIENCE)
    yield shot(picture)
    yield press("enter", _PATIENCE)
    if "filename" in texts and w.is_open(dialog):  # the first one has closed the list
        yield shot(f"{picture}_chosen")
        yield press("enter", _PATIENCE)
    yield wait("the form is accepted", lambda: not w.is_open(dialog))


def _link(w: Walk, name: str, joint: str, shape: str, texts: dict[str, str], axis: str = "") -> Steps:
    """Add a link with its joint to what is selected."""
    choices = {key: text for key, text in (("Joint type", joint), ("axis", axis), ("Shape", shape)) if text}
    yield from _form(w, "ctrl+k, l", choices, {"Name": name, **texts}, name)


def _sensor(w: Walk, kind: str, texts: dict[str, str]) -> Steps:
    yield from _form(w, "ctrl+k, z", {"Type": kind}, texts, f"sensor_{kind}")


def _plugin(w: Walk, part: str) -> Steps:
    """Add a plugin of the catalogue by a part of its file name."""
    yield from _form(w, "ctrl+k, k", {}, {"filename": part}, f"plugin_{part}")


def _end(w: Walk, links: int, joints: int, *written: str) -> Steps:
    """Save, and check what has come of it: so many links and joints, and some lines."""
    yield press("ctrl+s")
    yield wait("the file is saved", lambda: not w.session.dirty)
    w.expect((len(w.rows(Kind.LINK)), len(w.rows(Kind.JOINT))) == (links, joints), f"{links} links, {joints} joints")
    for line in written:
        w.expect(line in w.session.document.text, f"{line} is written")
    path, presses, characters = w.session.path, w.presses, len(w.session.document.text)
    assert path is not None
    counted = f"{presses} keys and clicks for {characters} characters, {100 * presses / characters:.1f} %"
    w.expect(presses * _SHARE < characters, counted)
    print(f"{path.name}: {counted}")
    _run(w, path, "`sdfviewer check --strict` is clean", sys.executable, "-m", "sdfviewer", "check", "--strict")
    if drake := os.environ.get("SDFVIEWER_DRAKE"):
        _run(w, path, "Drake loads it", drake, "-c", _LOADED_BY_DRAKE)
    else:
        w.note("SDFVIEWER_DRAKE names no Python with Drake")
    print(path.read_text(encoding="utf-8"), file=sys.stderr)
    yield press("home")
    yield shot("whole")


def _run(w: Walk, path: Path, what: str, *command: str) -> None:
    done = subprocess.run([*command, str(path)], capture_output=True, encoding="utf-8", check=False)
    w.expect(not done.returncode, f"{what}: {(done.stdout + done.stderr).strip()}")


@story
def rover(w: Walk) -> Steps:
    """From an empty file to a robot with two driven wheels, a caster, a lidar, a camera and an IMU."""
    _begin(w)
    body = {"size": ".4 .3 .1", "pose": "0 0 .06", "density": "400", "color": "blue"}
    yield from _link(w, "chassis", "", "box", body)
    wheel = {"pose": ".1 .175 .04", "radius": ".1", "length": ".04", "density": "800", "color": "black"}
    yield from _link(w, "left_wheel", "continuous", "cylinder", wheel, "0 1 0")
    yield from _form(w, "ctrl+k, ctrl+o", {}, {}, "mirror")
    yield from _select(w, "chassis")
    caster = {"pose": "-.15 0 -.01", "radius": ".05", "density": "800", "color": "grey"}
    yield from _link(w, "caster", "ball", "sphere", caster)
    yield from _select(w, "chassis")
    yield from _sensor(w, "imu", {})
    yield from _select(w, "chassis")
    yield from _link(w, "lidar", "fixed", "cylinder", {"radius": ".04", "length": ".06", "color": "black"})
    yield from _sensor(w, "gpu_lidar", {"pose": "0 0 .04"})
    yield from _select(w, "chassis")
    yield from _link(w, "camera", "fixed", "box", {"size": ".03 .08 .03", "pose": ".2 0 .05", "color": "black"})
    yield from _sensor(w, "camera", {"pose": ".02 0 .015"})
    yield from _plugin(w, "diff")
    yield shot("driven")
    yield from _plugin(w, "joint-state")
    drive = ("<left_joint>left_wheel_joint</left_joint>", "<wheel_separation>0.35<", "<wheel_radius>0.1<")
    yield from _end(w, 6, 5, *drive, "gz::sim::systems::JointStatePublisher")


@story
def quadrotor(w: Walk) -> Steps:
    """From an empty file to a body with four arms, rotors that turn on them, their motors and an IMU."""
    _begin(w)
    body = {"size": ".24 .18 .06", "pose": "0 0 .1", "density": "500", "color": "dark grey"}
    yield from _link(w, "base", "", "box", body)
    yield from _sensor(w, "imu", {})
    yield from _select(w, "base")
    beam = {"pose": "0 0 .03 0 0 -45deg", "size": ".26 .02 .015", "shape at": ".13 0 0", "density": "300"}
    beam["color"] = "grey"
    yield from _link(w, "arm_0", "fixed", "box", beam)
    blades = {"pose": ".25 0 .02", "radius": ".1", "length": ".005", "density": "100", "color": "black"}
    yield from _link(w, "rotor_0", "continuous", "cylinder", blades)
    yield from _select(w, "arm_0")
    yield from _form(w, "ctrl+k, shift+r", {}, {}, "repeat")
    yield from _select(w, *(f"rotor_{number}_joint" for number in range(4)))
    yield from _plugin(w, "motor")
    yield from _plugin(w, "odometry-pub")
    yield from _plugin(w, "joint-state")
    motors = [f"<jointName>rotor_{number}_joint</jointName>" for number in range(4)]
    yield from _end(w, 9, 8, *motors, "<turningDirection>cw<", "<turningDirection>ccw<")


@story
def arm_of_three_joints(w: Walk) -> Steps:
    """From an empty file to an arm of three joints with limits, a controller for each, and the frame of a tool."""
    _begin(w)
    foot = {"radius": ".1", "length": ".1", "density": "2700", "color": "dark grey"}
    yield from _link(w, "base", "", "cylinder", foot)
    for name, axis, limit, radius, length, color in (
        ("shoulder", "", "170deg", ".06", ".12", "orange"),
        ("upper_arm", "0 1 0", "110deg", ".05", ".3", "light grey"),
        ("forearm", "0 1 0", "150deg", ".04", ".25", "orange"),
    ):
        limits = {"lower": f"-{limit}", "upper": limit, "effort": "80", "velocity": "2"}
        shape = {"radius": radius, "length": length, "color": color}
        yield from _link(w, name, "revolute", "cylinder", {**limits, **shape}, axis)
    yield from _form(w, "ctrl+k, f", {}, {"Name": "tool", "pose": "0 0 .25"}, "tool")
    yield from _select(w, *(f"{name}_joint" for name in ("shoulder", "upper_arm", "forearm")))
    yield from _plugin(w, "joint-position")
    yield from _plugin(w, "joint-state")
    yield from _end(w, 4, 3, "<joint_name>forearm_joint</joint_name>", '<frame name="tool" attached_to="forearm">')
