"""A certificate of a conversion: what is kept, what is changed, what is lost, as JSON."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from sdfviewer.export.conversion import Step
from sdfviewer.export.verification import Verification
from sdfviewer.formats.read_back import CONFIGURATIONS, FoundDifference
from sdfviewer.model.comparison.difference import PropertyDifference
from sdfviewer.model.comparison.frames import SAME_POSE
from sdfviewer.model.comparison.values import ABSOLUTE, RELATIVE
from sdfviewer.model.kinds import Kind
from sdfviewer.model.model import Model

#: The version of the form of a certificate; ``resources/schemas/certificate-1.json`` describes it.
VERSION = 1


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
        "kept": _kept(source, differences),
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
    place, place_after = comparison.places(difference)
    if place is not None:
        place = step.at_source((f"{place}: ",))[0].removesuffix(": ")
    kind = comparison.a.kinds[difference.row_before].value if difference.row_before >= 0 else difference.kind
    fields: dict[str, Any] = {
        "verdict": found.verdict.value,
        "kind": kind,
        "name": difference.before or difference.after,
        "written_as": difference.after,
        "place": place,
        "place_written": place_after,
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


def _kept(source: Model, differences: Sequence[Mapping[str, Any]]) -> dict[str, int]:
    """Return how many things of each kind are written as they were."""
    differing = {each["name"] for each in differences if each["verdict"] != "added by the format"}
    kept = {kind.value: 0 for kind in Kind}
    for kind, name in zip(source.kinds, source.names, strict=True):
        kept[kind.value] += name not in differing
    return {kind: count for kind, count in kept.items() if count}
