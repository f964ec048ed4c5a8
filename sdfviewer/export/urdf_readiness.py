"""Whether a model would survive as URDF: the requirements of URDF, each with what does not meet it.

The obstacles are the notes of the exporter, so that both say the same.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sdfviewer.diagnostics import SdfViewerError, Span
from sdfviewer.display_text import visible
from sdfviewer.export.urdf import Requirement, export_urdf
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
