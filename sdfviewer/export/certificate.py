"""What a conversion keeps, changes and loses, as JSON and in lines to read; and what a model would lose as URDF.

The obstacles to URDF are the notes of the exporter, so that both say the same.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from sdfviewer.diagnostics import SdfViewerError, Span
from sdfviewer.display_text import visible
from sdfviewer.export.conversion import Step
from sdfviewer.export.urdf import Requirement, export_urdf
from sdfviewer.export.verification import Verification
from sdfviewer.formats.comparison import CONFIGURATIONS, Difference, FoundDifference, Verdict
from sdfviewer.model.comparison.difference import PropertyDifference
from sdfviewer.model.comparison.frames import SAME_POSE
from sdfviewer.model.comparison.values import ABSOLUTE, RELATIVE
from sdfviewer.model.kinds import Kind
from sdfviewer.model.model import Model


@dataclass(frozen=True, slots=True)
class UrdfObstacle:
    """What keeps one frame from being copied into a URDF, and where the frame is written."""

    frame: str
    span: Span
    message: str


@dataclass(frozen=True, slots=True)
class Readiness:
    """The requirements of URDF, each with what does not meet it; ``refusal`` is why there is no URDF at all."""

    requirements: dict[str, list[UrdfObstacle]]
    refusal: str = ""

    @property
    def is_ready(self) -> bool:
        """Whether every requirement is met."""
        return not self.refusal and not any(self.requirements.values())

    @property
    def verdict(self) -> str:
        """The result in a few words."""
        if self.refusal:
            return f"cannot be converted to URDF: {self.refusal}"
        return "ready for URDF" if self.is_ready else "not ready for URDF"

    def lines(self, name: str) -> list[str]:
        """Return the report as text."""
        lines = [f"{visible(name)}: {visible(self.verdict)}"]
        for requirement, obstacles in self.requirements.items():
            lines.append(f"  {'no ' if obstacles else 'yes'}  {requirement}")
            for each in obstacles:
                where = f"{each.span.path}:{each.span.line}"
                lines.append(visible(f"         {where}: '{each.frame}': {each.message}"))
        return lines

    def as_json(self) -> dict[str, Any]:
        """Return the report as JSON."""
        return {
            "ready": self.is_ready,
            "refusal": self.refusal or None,
            "requirements": [
                {
                    "requirement": requirement,
                    "met": not obstacles,
                    "obstacles": [
                        {"frame": each.frame, "file": each.span.path, "line": each.span.line, "message": each.message}
                        for each in obstacles
                    ],
                }
                for requirement, obstacles in self.requirements.items()
            ],
        }


def check_urdf_readiness(model: Model | None) -> Readiness:
    """Return how ready a model is to become URDF."""
    if model is None:
        return Readiness({}, "the file contains no readable model")
    try:
        notes = export_urdf(model).notes
    except SdfViewerError as error:
        return Readiness({}, str(error))
    found: dict[str, list[UrdfObstacle]] = {requirement.value: [] for requirement in Requirement}
    for note in notes:
        span = model.document_of(note.row).span(model.elements[note.row])
        found[note.requirement.value].append(UrdfObstacle(model.names[note.row], span, note.message))
    return Readiness(found)


#: The version of the form of a certificate; ``resources/schemas/certificate-1.json`` describes it.
VERSION = 1


@dataclass(slots=True)
class CertificateLine:
    """Something that a conversion says of its source, for people.

    Attributes
    ----------
    verdict
        What became of it; None for an error of this program.
    sentence
        It begins with ``file:line:`` where it is about a line.
    values
        What is found to differ: the quantity, its value in the source, and the one in what is written.
    names
        The frames of the source that it is about, by their scoped names.
    """

    verdict: Verdict | None
    sentence: str
    values: list[tuple[str, str, str]] = field(default_factory=list)
    names: list[str] = field(default_factory=list)


def certificate_lines(steps: Sequence[Step], more: Sequence[str] = ()) -> list[CertificateLine]:
    """Return what a conversion says: errors of this program, what is lost, what is changed, what the format adds.

    Parameters
    ----------
    more
        What is lost beside the steps, in sentences.
    """
    lines = [CertificateLine(Verdict.LOST, sentence) for sentence in more]
    for step in steps:
        said = {each: CertificateLine(Verdict.CHANGED, each) for each in step.notes}
        said |= {each: CertificateLine(Verdict.LOST, each) for each in step.losses}
        for found in step.read_back.found:
            if found.verdict is Verdict.ADDED:  # which is written nowhere in the source
                words = f"{found.difference.kind} '{found.difference.after}'"
                if isinstance(found.difference, PropertyDifference):
                    words = step.read_back.words(found.difference)
                said[words] = CertificateLine(Verdict.ADDED, words)
                continue
            sentence = step.at_source((step.read_back.sentence(found),))[0]
            announced = step.at_source((found.announced,))[0]
            if found.is_fault or announced not in said:
                said[sentence] = line = CertificateLine(None if found.is_fault else found.verdict, sentence)
            else:
                line = said[announced]
                line.values.append(_values(found.difference))
            if found.difference.before and found.difference.before not in line.names:
                line.names.append(found.difference.before)
        said |= {each: CertificateLine(None, each) for each in step.faults if each not in said}
        lines += said.values()
    order = [None, Verdict.LOST, Verdict.CHANGED, Verdict.ADDED]
    return sorted(lines, key=lambda each: order.index(each.verdict))


def _values(difference: Difference) -> tuple[str, str, str]:
    if isinstance(difference, PropertyDifference):
        return difference.quantity, difference.value_before or "", difference.value_after or ""
    return ", ".join(change.value for change in difference.changes), difference.before or "", difference.after or ""


def certificate(
    source: Model,
    target: str,
    written: bytes,
    path: Path | None,
    steps: Sequence[Step],
    exit_code: int,
    verified: Sequence[Verification] = (),
    *,
    program: str = "",
) -> dict[str, Any]:
    """Return the certificate of a conversion, of values that JSON has.

    Parameters
    ----------
    source, target
        What was converted, and to what.
    written, path
        What was written, and where; None for standard output.
    steps
        How.
    exit_code
        That of the command.
    verified
        What other programs make of it.
    program
        The version of sdfviewer.
    """
    differences = [each for step in steps for each in _differences(step)]
    document = source.document
    return {
        "certificate": VERSION,
        "sdfviewer": program,
        "source": {"file": document.name, "sha256": _digest(document.to_bytes()), "model": source.names[0]},
        "target": {"format": target, "file": None if path is None else str(path), "sha256": _digest(written)},
        "compared": {
            "configurations": CONFIGURATIONS,
            "tolerances": {"pose": SAME_POSE, "relative": RELATIVE, "absolute": ABSOLUTE},
        },
        "kept": kept(source, steps),
        "differences": differences,
        "losses": [each for step in steps for each in step.losses],
        "notes": [each for step in steps for each in step.notes],
        "errors": [each for step in steps for each in step.faults],
        "verified": [{**asdict(each), "agrees": each.agrees} for each in verified],
        "exit_code": exit_code,
    }


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _differences(step: Step) -> Iterator[dict[str, Any]]:
    for found in step.read_back.found:
        yield difference_fields(step, found)


def difference_fields(step: Step, found: FoundDifference) -> dict[str, Any]:
    """Return a difference as a certificate holds it."""
    difference, comparison = found.difference, step.read_back.comparison
    place, place_after = comparison.spans(difference)
    kind = comparison.a.kinds[difference.row_before].value if difference.row_before >= 0 else difference.kind
    fields: dict[str, Any] = {
        "verdict": found.verdict.value,
        "kind": kind,
        "name": difference.before or difference.after,
        "written_as": difference.after,
        "place": None if place is None else step.place_in_source(place),
        "place_written": None if place_after is None else f"{place_after.path}:{place_after.line}",
        "announced": step.at_source((found.announced,))[0] if found.announced else None,
        "is_error": found.is_fault,
    }
    if isinstance(difference, PropertyDifference):
        values = {"before": difference.value_before, "after": difference.value_after}
        return {**fields, "aspect": difference.aspect.value, "quantity": difference.quantity, **values}
    changes = ", ".join(change.value for change in difference.changes)
    metres, radians = (
        float(value) if np.isfinite(value) else None for value in (difference.metres, difference.radians)
    )
    bodies = {"before": difference.body_before or None, "after": difference.body_after or None}
    return {**fields, "aspect": "frame", "quantity": changes, **bodies, "metres": metres, "radians": radians}


def kept(source: Model, steps: Sequence[Step]) -> dict[str, int]:
    """Return how many things of each kind are written as they were."""
    found = (each for step in steps for each in step.read_back.found if each.verdict is not Verdict.ADDED)
    differing = {each.difference.before or each.difference.after for each in found}
    counts = {kind.value: 0 for kind in Kind}
    for kind, name in zip(source.kinds, source.names, strict=True):
        counts[kind.value] += name not in differing
    return {kind: count for kind, count in counts.items() if count}
