"""Every command on files as large as the program accepts: none takes more than 5 s of processor time or 1 GB.

``python -m tests.attack.bounds`` measures all, with words only the files whose name contains one of them, and with
``--only=TEXT`` only the commands that contain a text. ``--write`` puts ``check`` and ``frames --json`` into
docs/reliability.md.
"""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.attack.attacks import MOST_BYTES, MOST_SECONDS
from tests.attack.faults import model
from tests.attack.figures import write_table

_INERTIAL = '<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>'
_BOX = "<geometry><box><size>1 1 1</size></box></geometry>"
_AXIS = "<axis><xyz>0 0 1</xyz></axis>"


@dataclass(frozen=True)
class Bound:
    """A file at a bound.

    Attributes
    ----------
    name
        What it holds, in words.
    write
        Writes ``a.sdf``, ``a.urdf`` or ``a.xacro`` into a folder, and what it needs.
    frame
        A frame of it, for commands that want one.
    """

    name: str
    write: Callable[[Path], None]
    frame: str


def _each(count: int, form: str) -> str:
    return "".join(form.format(number, number + 1, max(number - 1, 0)) for number in range(count))


def _file(name: str, make: Callable[[], str]) -> Callable[[Path], None]:
    def write(folder: Path) -> None:
        (folder / name).write_text(make(), encoding="utf-8")

    return write


def _sdf(make: Callable[[], str], version: str = "1.11") -> Callable[[Path], None]:
    return _file("a.sdf", lambda: model(make(), version))


def _world(make: Callable[[], str]) -> Callable[[Path], None]:
    return _file("a.sdf", lambda: f'<sdf version="1.11">{make()}</sdf>')


def _robot(make: Callable[[], str]) -> Callable[[Path], None]:
    return _file("a.urdf", lambda: f'<robot name="r"><link name="l0">{_INERTIAL}</link>{make()}</robot>')


def _doubling(merge: str) -> Callable[[Path], None]:
    def write(folder: Path) -> None:
        for number in range(13):
            uri = "a.sdf" if number == 0 else f"d{number}.sdf"
            include = f"<uri>d{number + 1}.sdf</uri></include>"
            twice = "".join(f"<include{merge}><name>{name}</name>{include}" for name in "ab")
            (folder / uri).write_text(model(twice), encoding="utf-8")
        (folder / "d13.sdf").write_text(model(_each(8, '<link name="l{0}"/>')), encoding="utf-8")

    return write


_XACRO = '<robot name="r" xmlns:xacro="http://www.ros.org/wiki/xacro"><link name="l0"/>'
_XACRO += '<xacro:macro name="m" params="n"><link name="k${n}"/><joint name="i${n}" type="fixed">'
_XACRO += '<parent link="l0"/><child link="k${n}"/></joint></xacro:macro>'

BOUNDS = (
    Bound("99,000 links", _sdf(lambda: _each(99_000, '<link name="l{0}"/>')), "m::l98999"),
    Bound("99,000 visuals of one link", _sdf(
        lambda: '<link name="l">' + _each(99_000, f'<visual name="v{{0}}">{_BOX}</visual>') + "</link>"), "m::l"),
    Bound("a chain of 99,000 frames", _sdf(lambda: '<frame name="f0"/><link name="l"/>' + _each(
        99_000, '<frame name="f{1}" attached_to="f{0}"><pose>1 0 0 0 0 1</pose></frame>')), "m::f98999"),
    Bound("49,000 joints in a chain", _sdf(lambda: '<link name="l0"/>' + _each(
        49_000, '<link name="l{1}"><pose>{0} 0 0 0 0 0</pose></link>'
        f'<joint name="j{{0}}" type="revolute"><parent>l{{0}}</parent><child>l{{1}}</child>{_AXIS}</joint>')),
        "m::l49000"),
    Bound("49,000 joints of one link in SDFormat 1.4", _sdf(lambda: '<link name="l"/>' + _each(
        49_000, '<link name="l{0}"><pose>{0} 0 0 0 0 0</pose></link>'
        f'<joint name="j{{0}}" type="revolute"><parent>l</parent><child>l{{0}}</child>{_AXIS}</joint>'), "1.4"),
        "m::l48999"),
    Bound("30,000 solid links", _sdf(lambda: _each(30_000, '<link name="l{0}"><pose>{0} 0 0 0 0 0</pose>'
        f'<inertial><mass>1</mass></inertial><collision name="c">{_BOX}</collision><visual name="v">{_BOX}</visual>'
        "</link>")), "m::l29999"),
    Bound("a world of 33,000 models with a box", _world(lambda: '<world name="w">' + _each(
        33_000, f'<model name="m{{0}}"><link name="l"><visual name="v">{_BOX}</visual></link></model>')
        + "</world>"), "m32999::l"),
    Bound("a URDF of 50,000 links and joints", _robot(lambda: _each(24_990, f'<link name="l{{1}}">{_INERTIAL}</link>'
        '<joint name="j{0}" type="continuous"><parent link="l{0}"/><child link="l{1}"/><axis xyz="0 0 1"/></joint>')),
        "l24990"),
    Bound("130,000 frames with three mistakes each", _sdf(lambda: '<link name="l"/>' + _each(
        130_000, '<frame name="f{0}" attached_to="x{0}" zap="1"><pose>a 0 0 0 0 0</pose></frame>')), "m::l"),
    Bound("10,000 worlds", _world(lambda: _each(
        10_000, '<world name="w{0}"><model name="m"><link name="l"/></model></world>')), "m::l"),
    Bound("100 models in each other", _world(lambda: _each(
        100, '<model name="m{0}"><link name="l"/>' + _each(900, '<frame name="f{0}"/>').replace("{", "{{"))
        + "</model>" * 100), "m0::l"),
    Bound("includes that double 13 times", _doubling(""), "m::a"),
    Bound("merged includes that double 13 times", _doubling(' merge="true"'), "m"),
    Bound("99,000 meshes that are missing", _sdf(lambda: '<link name="l">' + _each(
        99_000, '<visual name="v{0}"><geometry><mesh><uri>model://m/{0}.dae</uri></mesh></geometry></visual>')
        + "</link>"), "m::l"),
    Bound("799,980 known elements", _sdf(
        lambda: '<link name="l">' + "<gravity>true</gravity>" * 799_980 + "</link>"), "m::l"),
    Bound("799,980 different unknown elements", _sdf(
        lambda: '<link name="l"/>' + _each(799_980, "<a{0}/>")), "m::l"),
    Bound("750,000 unknown attributes", _sdf(
        lambda: '<link name="l"/>' + "<link " + _each(749_990, 'a{0}="1" ') + ' name="k"/>'), "m::l"),
    Bound("120 MB of comments and texts", _sdf(
        lambda: '<link name="l"/>' + f"<!--{'a ' * 4_900_000}-->" * 6 + f"<plugin>{'b ' * 4_900_000}</plugin>" * 6),
        "m::l"),
    Bound("5,000,000 numbers in a pose", _sdf(
        lambda: f'<link name="l"><pose>{"1 " * 4_990_000}</pose></link>'), "m::l"),
    Bound("a URDF of 50,000 fixed links and joints", _robot(lambda: _each(24_990,
        f'<link name="l{{1}}">{_INERTIAL}</link>'
        '<joint name="j{0}" type="fixed"><parent link="l0"/><child link="l{1}"/></joint>')), "l0"),
    Bound("a xacro of 99,000 elements", _file("a.xacro", lambda: _XACRO + _each(
        24_000, '<xacro:m n="{0}"/>') + "</robot>"), "l0"),
)  # fmt: skip

#: Every command; F is a frame of the file.
COMMANDS = (
    "check A", "check --json A", "check --sarif A", "check --resources --kinematics --portable-names --urdf-ready A",
    "check --unsafe-fixes --diff A", "check --output-format junit A",
    "frames A", "frames --json A", "frames --csv A", "frames --mass A", "frames --relative-to F --json A",
    "frames --convention element-relative --json A", "why F A", "why --json F A",
    "graph A", "graph --format svg A", "graph --format json --kind attached_to A", "graph --kind kinematic A",
    "graph --kind kinematic --format svg A",
    "convert --to 1.12 A", "convert --to 1.7 A", "convert --to urdf A", "convert --to mjcf A",
    "convert --to standalone A", "convert --to flat A", "convert --to element-relative A",
    "convert --to model-absolute A", "convert --to 1.11 --merge-fixed A", "convert --to urdf --bundle out A",
    "diff A A", "edit --rename F=zzz A", "edit --remove F --with-dependents A", "edit --add frame:zzz A",
    "edit --set-relative-to F= A", "edit --set-pose F='1 2 3 0 0 0' --diff A", "edit --fix invalid-value A",
    "screenshot A -o a.png", "collisions A", "assets A", "assets --json --copy copied A", "fetch --dry-run A",
)  # fmt: skip


#: Those in the table.
_SHOWN = ("check A", "frames --json A")


@dataclass(frozen=True)
class Cost:
    """Processor time and peak memory of a command, its exit code and what it wrote last."""

    seconds: float
    peak_bytes: int
    code: int
    said: str


def cost(command: str, folder: Path, patience: float = 100.0) -> Cost:
    """Run a command in a folder, with the processes that it starts."""
    try:
        done = subprocess.run(
            [sys.executable, "-c", _RUN, *shlex.split(command)],
            cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}, timeout=patience, check=False,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return Cost(float("inf"), 0, -1, f"no end after {patience:.0f} s")
    *said, figures = done.stderr.decode("utf-8", "replace").splitlines() or [""]
    try:
        seconds, peak = figures.split()
        return Cost(float(seconds), int(peak) << 10, done.returncode, said[-1] if said else "")
    except ValueError:
        return Cost(float("inf"), 0, done.returncode, figures)


_RUN = """
import atexit, os, resource, sys
def tell():
    times = os.times()
    most = max(resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    seconds = times.user + times.system + times.children_user + times.children_system
    print("\\n%.2f %d" % (seconds, most), file=sys.stderr)
atexit.register(tell)
from sdfviewer.cli import main
sys.exit(main(sys.argv[1:]))
"""


def main(words: Sequence[str]) -> int:
    """Measure; return 1 where a command took more than it may."""
    wanted = [word for word in words if not word.startswith("--")]
    only = [word.removeprefix("--only=") for word in words if word.startswith("--only=")]
    lines = ["| file | `check` | `frames --json` |", "|---|--:|--:|"]
    is_over = False
    for bound in BOUNDS:
        if wanted and not any(word in bound.name for word in wanted):
            continue
        costs: dict[str, Cost] = {}
        with TemporaryDirectory() as name:
            folder = Path(name)
            bound.write(folder)
            (file,) = (each.name for each in folder.glob("a.*"))
            for command in COMMANDS:
                if only and not any(each in command for each in only):
                    continue
                line = " ".join({"A": file, "F": bound.frame}.get(each, each) for each in command.split(" "))
                took = costs[command] = cost(line.replace("F=", f"{bound.frame}="), folder)
                too_much = took.seconds > MOST_SECONDS or took.peak_bytes > MOST_BYTES
                is_over |= too_much
                print(f"{'OVER' if too_much else '    '} {took.seconds:6.2f} s {took.peak_bytes >> 20:5d} MB  "
                      f"[{took.code}] {bound.name}: {command}  {took.said[:100]}", flush=True)  # fmt: skip
        if all(each in costs for each in _SHOWN):
            lines.append(_row(bound, costs))
    if "--write" in words:
        write_table("bounds", lines)
    return int(is_over)


def _row(bound: Bound, costs: dict[str, Cost]) -> str:
    def shown(each: Cost) -> str:
        return f"{each.seconds:.1f} s, {each.peak_bytes >> 20} MB"

    return f"| {bound.name} | {' | '.join(shown(costs[each]) for each in _SHOWN)} |"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
