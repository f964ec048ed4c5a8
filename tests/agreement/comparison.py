"""What the command line says of a file, compared with what libsdformat says of it: verdict, codes and frames."""

from __future__ import annotations

import contextlib
import io
import json
import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sdfviewer.cli import main
from tests.agreement.recorded import Answer, Recorded

#: libsdformat reads no further after these, or says by them only that a world did not load.
_STOPS = frozenset({"FILE_READ", "PARSING_ERROR", "ELEMENT_INVALID"})
#: What has no frame that can be named.
_LEFT_OUT = frozenset({"actor", "projector", "particle_emitter"})
#: Metres for each metre of distance from the root, and radians; axes are unit vectors.
TOLERANCE = 1e-6


@dataclass(frozen=True)
class Disagreement:
    """Where the program and libsdformat differ about a file: in the verdict, in all codes, or in a frame."""

    file: str
    what: str
    libsdformat: object
    here: object

    def __str__(self) -> str:
        return f"{self.file}: {self.what}: libsdformat says {self.libsdformat}, the program {self.here}"


@dataclass
class Agreement:
    """What a comparison found.

    Attributes
    ----------
    counts
        ``files``, ``invalid`` and ``with frames``, and how many of these agree: ``verdicts``, ``codes`` and
        ``frame files``.
    disagreements
        What differs, in the order of the files.
    """

    counts: Counter[str] = field(default_factory=Counter)
    disagreements: list[Disagreement] = field(default_factory=list)

    def __str__(self) -> str:
        n = self.counts
        return (
            f"{n['verdicts']} of {n['files']} verdicts, {n['codes']} of {n['invalid']} invalid files with a cause in "
            f"common, {n['frame files']} of {n['with frames']} valid files with every frame equal "
            f"({n['frames']} frames)"
        )

    def add(self, found: Iterable[Disagreement]) -> bool:
        """Take up what differs, and return whether nothing does."""
        before = len(self.disagreements)
        self.disagreements += found
        return len(self.disagreements) == before


def compare_recorded(recorded: Recorded) -> Agreement:
    """Return how the program's answers about all files compare with libsdformat's."""
    agreement = Agreement()
    for paths, wanted in recorded.batches():
        files = [recorded.folder / answer["file"] for answer in wanted]
        checks, frames = (ask(verb, files, paths) for verb in ("check", "frames"))
        for want, check, frame in zip(wanted, checks, frames, strict=True):
            compare(want, check, frame, agreement)
    return agreement


def ask(verb: str, files: Iterable[Path], paths: Iterable[Path]) -> list[dict[str, Any]]:
    """Return what ``sdfviewer check --json`` or ``frames --json`` answers, one object for each file."""
    words = [word for path in paths for word in ("--path", str(path))]
    out = io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(io.StringIO()):
        main([verb, "--json", *words, *map(str, files)])
    return [json.loads(line) for line in out.getvalue().splitlines()]


def compare(want: Answer, check: Mapping[str, Any], frames: Mapping[str, Any], agreement: Agreement) -> None:
    """Compare one file.

    Parameters
    ----------
    want
        libsdformat's answer.
    check, frames
        The program's answers to both commands.
    agreement
        Takes up what is found.
    """
    agreement.counts["files"] += 1
    agreement.counts["verdicts"] += agreement.add(_verdict(want, check))
    if not want["valid"]:
        agreement.counts["invalid"] += 1
        agreement.counts["codes"] += agreement.add(_codes(want, check)) and not check["valid"]
    elif want["frames"]:
        agreement.counts["with frames"] += 1
        agreement.counts["frames"] += len(want["frames"])
        agreement.counts["frame files"] += agreement.add(list(_frames(want, frames))[:1])


def _errors(check: Mapping[str, Any]) -> list[dict[str, Any]]:
    return [each for each in check["diagnostics"] if each["severity"] == "error"]


def _verdict(want: Answer, check: Mapping[str, Any]) -> Iterator[Disagreement]:
    if check["valid"] != want["valid"]:
        said = [(each["line"], each["message"]) for each in _errors(check)]
        yield Disagreement(want["file"], "verdict", want["codes"] or "valid", said[:3] or "valid")


def _codes(want: Answer, check: Mapping[str, Any]) -> Iterator[Disagreement]:
    """Yield that no cause of libsdformat is among those of the program.

    What follows from a cause need not be said, and where libsdformat gave up reading, more can be.
    """
    codes, here = set(want["codes"]), {each["libsdformat"] for each in _errors(check)} - {None}
    if not check["valid"] and not (here & codes or (here and codes <= _STOPS)):
        yield Disagreement(want["file"], "codes", sorted(codes), sorted(here))


def _frames(want: Answer, frames: Mapping[str, Any]) -> Iterator[Disagreement]:
    found: dict[object, dict[str, Any]] = {}
    for each in frames["frames"]:
        found.setdefault((each["name"], each["kind"]), each)
        found.setdefault(each["name"], each)
    for wanted in want["frames"]:
        name, kind = wanted["name"], wanted["kind"]
        if wanted["pose"] is None or kind in _LEFT_OUT:
            continue
        here = found.get((name, kind)) or found.get(name)
        if here is None or here["pose"] is None:
            yield Disagreement(want["file"], f"{kind} '{name}'", wanted["pose"], "nothing")
        elif not _is_same_pose(wanted["pose"], here["pose"]):
            yield Disagreement(want["file"], f"pose of {kind} '{name}'", wanted["pose"], here["pose"])
        else:
            yield from _what_else(want["file"], wanted, here)


def _what_else(file: str, wanted: Mapping[str, Any], here: Mapping[str, Any]) -> Iterator[Disagreement]:
    """Yield what differs of a frame besides its pose: the body it is fixed to, the axes of a joint."""
    body = wanted.get("attached_to_body")
    if body and not body.endswith("__model__") and here["kind"] == "frame" and here.get("body") != body:
        yield Disagreement(file, f"body of '{wanted['name']}'", body, here.get("body"))
    for axis in ("axis", "axis2"):
        if wanted["kind"] != "joint" or not wanted.get(axis):
            continue
        if not here.get(axis) or math.dist(wanted[axis], here[axis]) > TOLERANCE:
            yield Disagreement(file, f"{axis} of '{wanted['name']}'", wanted[axis], here.get(axis))


def _is_same_pose(one: list[float], other: list[float]) -> bool:
    """Return whether two poses (7,) differ by rounding only; a quaternion and its negative are one rotation."""
    scale = max(1.0, *(abs(value) for value in one[:3]))
    length, length_other = math.hypot(*one[3:]) or 1.0, math.hypot(*other[3:]) or 1.0
    q, r = [value / length for value in one[3:]], [value / length_other for value in other[3:]]
    apart = min(math.dist(q, r), math.dist(q, [-value for value in r]))
    return math.dist(one[:3], other[:3]) <= TOLERANCE * scale and 2.0 * apart <= TOLERANCE
