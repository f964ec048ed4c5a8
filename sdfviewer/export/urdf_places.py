"""Where what is said of the SDFormat text that a URDF becomes is written in the URDF."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from sdfviewer.diagnostics import PlacedSentence
from sdfviewer.document.element import Element
from sdfviewer.model.model import Model
from sdfviewer.refactoring.editable import RefactoringError


@contextmanager
def urdf_places_in_refusals(written: Model, robot: Model | None) -> Iterator[None]:
    """Raise what a conversion refuses with file and line of the URDF that the text was made from, if it was.

    Raises
    ------
    RefactoringError
        In place of one that names lines of the SDFormat text.
    """
    try:
        yield
    except RefactoringError as error:
        raise RefactoringError(*at_urdf_places(error.sentences, written, robot)) from error


def at_urdf_places(sentences: Iterable[str], written: Model, robot: Model | None) -> tuple[str, ...]:
    """Return sentences about an SDFormat text with file and line of the URDF that it was made from.

    Parameters
    ----------
    sentences
        Those about a line of the SDFormat text are changed.
    written, robot
        What the SDFormat text means, and the robot; None where it was not made from one.
    """
    return tuple(
        PlacedSentence(*urdf_place(each.path, each.line, written, robot), each.words)
        if isinstance(each, PlacedSentence)
        else each
        for each in sentences
    )


def urdf_place(path: str, line: int, written: Model, robot: Model | None) -> tuple[str, int]:
    """Return file and line of a URDF where a line of the SDFormat text comes from; the same where that is no such."""
    if robot is None or path != written.document.name:
        return path, line
    span = robot.document.span(_source(line, written, robot))  # of a macro, in the file that holds it
    return span.path, span.line


def _source(line: int, written: Model, robot: Model) -> Element:
    """Return the element of the robot that a line of the SDFormat text was made from: of its kind, or its owner."""
    document = written.document
    spans = {row: document.span(each, "element") for row, each in enumerate(written.elements)}
    row = max((row for row, span in spans.items() if span.line <= line <= span.end_line), default=0)
    try:
        owner = robot.elements[robot.names.index(written.names[row])]
    except ValueError:
        return robot.elements[0]
    parts = (each for each in written.elements[row].descendants() if document.span(each).line == line)
    tags = [each.tag for each in parts]
    return next((each for each in owner.descendants() if each.tag in tags), owner)
