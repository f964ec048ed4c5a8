"""The statements of the five documents that specify frames, poses, kinematics and composition, each with its file.

A statement is what a document says, in few words, with the smallest file that shows it and what follows from the file.
``packaging/specification.py`` makes the table of them in ``docs/specification.md``.
"""

from tests.specification.statements import (
    composition,
    composition_legacy,
    composition_phases,
    frames,
    frames_legacy,
    frames_phases,
    kinematics,
)
from tests.specification.statements.statement import (
    AGREES,
    COMPOSITION,
    COMPOSITION_LEGACY,
    DIFFERS,
    DOCUMENTS,
    FRAMES,
    FRAMES_LEGACY,
    KINEMATICS,
    NOT_COVERED,
    Statement,
)

__all__ = [
    "AGREES",
    "COMPOSITION",
    "COMPOSITION_LEGACY",
    "DIFFERS",
    "DOCUMENTS",
    "FRAMES",
    "FRAMES_LEGACY",
    "KINEMATICS",
    "NOT_COVERED",
    "STATEMENTS",
    "Statement",
]

STATEMENTS: tuple[Statement, ...] = (
    *kinematics.statements(),
    *frames_legacy.statements(),
    *frames.statements(),
    *frames_phases.statements(),
    *composition_legacy.statements(),
    *composition.statements(),
    *composition_phases.statements(),
)
