"""Report which requirements of URDF a model meets."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sdfviewer.diagnostics import SdfViewerError
from sdfviewer.model.model import Model


@dataclass(frozen=True, slots=True)
class _Obstacle:
    frame: str
    file: str
    line: int
    message: str


@dataclass(frozen=True, slots=True)
class Readiness:
    """The requirements of URDF, each with what does not meet it; ``refusal`` is why there is no URDF at all."""

    requirements: dict[str, list[_Obstacle]]
    refusal: str = ""

    @staticmethod
    def of(model: Model | None) -> Readiness:
        """Return how ready a model is; the notes are those of the exporter."""
        from sdfviewer.export.urdf import Requirement, export_urdf

        if model is None:
            return Readiness({}, "the file contains no readable model")
        try:
            notes = export_urdf(model).notes
        except SdfViewerError as error:
            return Readiness({}, str(error))
        found: dict[str, list[_Obstacle]] = {requirement.value: [] for requirement in Requirement}
        for note in notes:
            span = model.document_of(note.row).span(model.elements[note.row])
            obstacle = _Obstacle(model.names[note.row], span.path, span.line, note.message)
            found[note.requirement.value].append(obstacle)
        return Readiness(found)

    @property
    def is_ready(self) -> bool:
        """Whether every requirement is met."""
        return not self.refusal and not any(self.requirements.values())

    def lines(self, name: str) -> list[str]:
        """Return the report as text."""
        if self.refusal:
            return [f"{name}: cannot be converted to URDF: {self.refusal}"]
        lines = [f"{name}: {'ready' if self.is_ready else 'not ready'} for URDF"]
        for requirement, obstacles in self.requirements.items():
            lines.append(f"  {'no ' if obstacles else 'yes'}  {requirement}")
            lines += [f"         {each.file}:{each.line}: '{each.frame}': {each.message}" for each in obstacles]
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
                        {"frame": each.frame, "file": each.file, "line": each.line, "message": each.message}
                        for each in obstacles
                    ],
                }
                for requirement, obstacles in self.requirements.items()
            ],
        }
