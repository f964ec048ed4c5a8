"""Load what was written in other programs and compare poses, masses, centres, inertia and shapes with the source.

MuJoCo, Drake, Pinocchio and yourdfpy run only when they are asked for, each in a process of its own
(:mod:`sdfviewer.export.peer_programs`); none of them is a dependency.
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryFile
from threading import Timer
from typing import IO, Any

import numpy as np

from sdfviewer import transforms
from sdfviewer.diagnostics import SdfViewerError
from sdfviewer.document.topics import Aspect
from sdfviewer.export.conversion import Step, written_names
from sdfviewer.export.urdf import MOVING
from sdfviewer.formats.mass import LinkBodies, link_bodies
from sdfviewer.model.comparison.difference import PropertyDifference
from sdfviewer.model.kinds import SHAPED, Kind
from sdfviewer.model.kinematics.forward import Kinematics
from sdfviewer.model.model import Model
from sdfviewer.model.solids import Body, combine
from sdfviewer.programs import python_process
from sdfviewer.transforms import Array, invert

#: How many random configurations are compared.
CONFIGURATIONS = 20
#: Poses are the same within this, in metres and radians: other programs read rotations with fewer digits.
POSE_TOLERANCE = 1e-6
#: Masses, and moments of inertia as a part of the largest, are the same within this; so are centres in metres.
MASS_TOLERANCE = 1e-6
#: What a program may give to a link without mass, in kg: MuJoCo moves nothing that has none.
LEAST_MASS = 1.1e-4

#: Seconds that a program may take to load a file and move it.
_PATIENCE = 300.0

#: The programs: the name of the package that installs each, and its module.
PROGRAMS: Mapping[str, tuple[str, str]] = {
    "mujoco": ("mujoco", "mujoco"),
    "drake": ("drake", "pydrake"),
    "pinocchio": ("pin", "pinocchio"),
    "yourdfpy": ("yourdfpy", "yourdfpy"),
}


@dataclass(frozen=True)
class Verification:
    """What another program makes of what was written.

    Attributes
    ----------
    program, version
        For example ``mujoco``.
    message
        Why it could not be compared; empty where it could.
    links
        How many links were compared.
    metres, radians
        By how much the pose of a link differs at most, seen from the first of them.
    mass, center, inertia
        By how much the mass in kg differs, the centre of mass in metres at most, and the inertia in kg m² at most.
    shapes
        How many visuals and collisions were written, and how many the program has; None where that is not known.
    differences
        What differs by more than the tolerances, in words.
    """

    program: str
    version: str = ""
    message: str = ""
    links: int = 0
    metres: float = 0.0
    radians: float = 0.0
    mass: float = 0.0
    center: float = 0.0
    inertia: float = 0.0
    shapes: tuple[int, int] | None = None
    differences: tuple[str, ...] = field(default=())

    @property
    def agrees(self) -> bool:
        """Whether the program has loaded it and finds the same."""
        return not self.message and not self.differences

    def __str__(self) -> str:
        name = f"{self.program} {self.version}".strip()
        if self.message:
            return f"{name}: {self.message}"
        if self.differences:
            return f"{name}: {'; '.join(self.differences)}"
        far = f"{self.metres:.1g} m, {self.radians:.1g} rad"
        return f"{name}: agrees: {self.links} links at {CONFIGURATIONS} configurations within {far}, mass, inertia"


def verify(
    program: str,
    file: Path,
    source: Model,
    names: Mapping[str, str],
    shapes: int | None = None,
    bodies: LinkBodies | None = None,
) -> Verification:
    """Return what a program makes of a file that a model was written as.

    Parameters
    ----------
    program
        One of `PROGRAMS`.
    file, source
        What was written, and the model that it was made from.
    names
        The names of links and joints in the file, by scoped name in the model.
    shapes
        How many visuals and collisions were written, None where they are not compared.
    bodies
        The bodies of the links as they were written; by default those of the source.
    """
    if not is_installed(program):
        return Verification(
            program, message=f"it is not installed; install it with: pip install {PROGRAMS[program][0]}"
        )
    installed = version(PROGRAMS[program][0])
    try:
        with _loaded(program, file) as robot:
            return _compared(Verification(program, installed), robot, source, names, shapes, bodies)
    except SdfViewerError as error:
        return Verification(program, installed, str(error))


def verify_steps(program: str, file: Path, source: Model, steps: Sequence[Step]) -> Verification:
    """Return what a program makes of a file that some steps have made from a model."""
    last = steps[-1].read_back.comparison.b if steps and steps[-1].names is None else None
    shapes = None if last is None else int(last.kinds_are(*SHAPED).sum())
    return verify(program, file, source, written_names(source, steps), shapes, _written_bodies(source, steps))


def _written_bodies(source: Model, steps: Sequence[Step]) -> LinkBodies | None:
    """Return the bodies of links, where a note has announced another mass or inertia as it was written."""
    if len(steps) != 1:
        return None
    read_back = steps[0].read_back
    comparison = read_back.comparison
    changed = {
        each.difference.row_before: each.difference.row_after
        for each in read_back.found
        if each.announced and isinstance(each.difference, PropertyDifference) and each.difference.aspect is Aspect.MASS
    }
    links = [row for row, kind in enumerate(source.kinds) if kind is Kind.LINK]
    own = link_bodies(source, [row for row in links if row not in changed])
    written = link_bodies(comparison.b, list(changed.values()))
    X_a, X_b = comparison.poses()
    row_in_a = {other: row for row, other in changed.items()}
    rows = [row_in_a[other] for other in written.links]
    moved = [
        body.moved(invert(X_a[row]) @ X_b[other])
        for row, other, body in zip(rows, written.links, written.bodies, strict=True)
    ]
    return LinkBodies((*own.links, *rows), (*own.bodies, *moved), own.unknown)


def is_installed(program: str) -> bool:
    """Return whether a program can be asked here."""
    package, module = PROGRAMS[program]
    try:
        version(package)
    except PackageNotFoundError:
        return False
    return find_spec(module) is not None


@dataclass(frozen=True)
class _OtherRobot:
    """A file that a program has loaded in a process of its own."""

    process: subprocess.Popen[str]
    said: IO[bytes]
    joints: set[str]
    shapes: int | None

    def move(self, configurations: Sequence[Mapping[str, float]]) -> list[tuple[dict[str, Array], Body]]:
        """Return for each configuration the poses (4, 4) of links in the program's world, and all bodies as one."""
        assert self.process.stdin is not None
        with suppress(OSError):  # it has ended: its answer says so
            self.process.stdin.write(json.dumps(configurations) + "\n")
            self.process.stdin.flush()
        moved = []
        for each in _answer_of(self.process, self.said):
            mass, p_WB, I_B = each["body"]
            poses = {name: np.array(X) for name, X in each["poses"].items()}
            moved.append((poses, Body(mass, np.array(p_WB), np.array(I_B))))
        return moved


@contextmanager
def _loaded(program: str, file: Path) -> Iterator[_OtherRobot]:
    """Load a file in a program.

    Raises
    ------
    SdfViewerError
        If it refuses the file, or ends.
    """
    start = python_process(
        "from sdfviewer.export.peer_programs import main; main(*sys.argv[1:])", program, str(file.absolute())
    )
    with (
        TemporaryFile() as said,
        subprocess.Popen(
            start.command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=said,
            env=start.environment,
            cwd=start.folder,
            encoding="utf-8",
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
        ) as process,
    ):
        patience = Timer(_PATIENCE, process.kill)
        patience.start()
        try:
            found = _answer_of(process, said)
            yield _OtherRobot(process, said, set(found["joints"]), found["shapes"])
        finally:
            patience.cancel()
            process.kill()


def _answer_of(process: subprocess.Popen[str], said: IO[bytes]) -> Any:
    assert process.stdout is not None
    line = process.stdout.readline()
    if not line:
        said.seek(0)
        words = said.read().decode(errors="replace").strip().rpartition("\n")[2]
        raise SdfViewerError(f"it ended with {process.wait()}" + (f": {words}" if words else ""))
    answer = json.loads(line)
    if isinstance(answer, dict) and "error" in answer:
        raise SdfViewerError(answer["error"])
    return answer


def _compared(
    empty: Verification,
    robot: _OtherRobot,
    source: Model,
    names: Mapping[str, str],
    shapes: int | None,
    bodies: LinkBodies | None,
) -> Verification:
    kinematics = Kinematics(source)
    q = _configurations(kinematics, names, robot.joints)
    moved = robot.move(
        [
            {
                names[dof.joint.name]: float(value)
                for dof, value in zip(kinematics.dofs, positions, strict=True)
                if dof.joint.name in names
            }
            for positions in q
        ]
    )
    bodies = bodies or link_bodies(source, [row for row, kind in enumerate(source.kinds) if kind is Kind.LINK])
    massless = 0
    worst: dict[str, tuple[float, str]] = {}
    links: list[int] = []
    mine = combine(())
    for positions, (theirs, body) in zip(q, moved, strict=True):
        X = kinematics.poses(positions)
        links = [
            row
            for row, kind in enumerate(source.kinds)
            if kind is Kind.LINK and names.get(source.names[row]) in theirs and np.isfinite(X[row]).all()
        ]
        if not links:
            return Verification(empty.program, empty.version, "it has none of the links")
        first = theirs[names[source.names[links[0]]]]
        for row in links:
            apart = transforms.pose_error(
                invert(X[links[0]]) @ X[row], invert(first) @ theirs[names[source.names[row]]]
            )
            for quantity, error in zip(("metres", "radians"), apart, strict=True):
                worst[quantity] = max(worst.get(quantity, (0.0, "")), (float(error), source.names[row]))
        mine, other = bodies.total(X, X[links[0]])[0], body.moved(invert(first))
        if mine.mass > 0 and other.mass > 0:
            found = (
                ("mass", abs(mine.mass - other.mass)),
                ("center", float(np.abs(mine.p_FB - other.p_FB).max())),
                ("inertia", float(np.abs(mine.I_B - other.I_B).max())),
            )
            for quantity, value in found:
                worst[quantity] = max(worst.get(quantity, (0.0, "")), (value, ""))
    values = {quantity: value for quantity, (value, _) in worst.items()}
    if empty.program == "mujoco":  # also frames and halves of joints that became bodies
        massless = max(max(len(theirs) for theirs, _ in moved) - len(bodies.links), 0)
    slack = LEAST_MASS * massless / mine.mass if mine.mass > 0 else 0.0
    size = float(np.abs(mine.p_FB).max()) + 1.0
    tolerances = {
        "metres": POSE_TOLERANCE,
        "radians": POSE_TOLERANCE,
        "mass": (MASS_TOLERANCE + slack) * mine.mass,
        "center": MASS_TOLERANCE + slack * size,
        "inertia": (MASS_TOLERANCE + slack) * (float(np.abs(mine.I_B).max()) + mine.mass * size**2),
    }
    words = {"metres": "m", "radians": "rad", "mass": "kg of mass", "center": "m of the centre of mass"}
    differences = [
        f"{value:.6g} {words.get(quantity, 'kg m² of inertia')}"
        + (f" at '{worst[quantity][1]}'" if worst[quantity][1] else "")
        for quantity, value in values.items()
        if value > tolerances[quantity]
    ]
    counts = None if shapes is None or robot.shapes is None else (shapes, robot.shapes)
    if counts is not None and counts[0] != counts[1]:
        differences.append(f"{counts[0]} shapes are written and it has {counts[1]}")
    return Verification(
        empty.program, empty.version, "", len(links), shapes=counts, differences=tuple(differences), **values
    )


def _configurations(kinematics: Kinematics, names: Mapping[str, str], known: set[str]) -> Array:
    """Return random configurations (k, dofs): joints that the other program cannot move stay at zero."""
    lower, upper = (np.array([getattr(dof, end) for dof in kinematics.dofs]) for end in ("lower", "upper"))
    lower, upper = np.where(np.isfinite(lower), lower, -1.0), np.where(np.isfinite(upper), upper, 1.0)
    low, high = np.minimum(lower, upper), np.maximum(lower, upper)
    q = np.random.default_rng(0).uniform(low, high, (CONFIGURATIONS, len(kinematics.dofs)))
    for column, dof in enumerate(kinematics.dofs):
        if dof.joint.type not in MOVING or names.get(dof.joint.name) not in known:
            q[:, column] = 0.0
    return kinematics.follow(q)


def parse_programs(text: str) -> Sequence[str]:
    """Return the programs that a comma-separated text names.

    Raises
    ------
    SdfViewerError
        If it names another one.
    """
    names = [each.strip().lower() for each in text.split(",") if each.strip()]
    unknown = [each for each in names if each not in PROGRAMS]
    if unknown or not names:
        raise SdfViewerError(
            f"'{unknown[0] if unknown else text}' is no program to verify with: use {', '.join(PROGRAMS)}"
        )
    return names
