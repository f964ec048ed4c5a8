"""Where what is said of the SDFormat text that a URDF becomes is written in the URDF."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from sdfviewer.document.element import Element
from sdfviewer.model.model import Model
from sdfviewer.refactoring.editable import RefactoringError

_PLACE = re.compile(r"(?P<name>.*?):(?P<line>\d+): ", re.DOTALL)


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
        raise RefactoringError("\n".join(at_urdf_places(str(error).split("\n"), written, robot))) from error


def at_urdf_places(sentences: Iterable[str], written: Model, robot: Model | None) -> tuple[str, ...]:
    """Return sentences about an SDFormat text with file and line of the URDF that it was made from.

    Parameters
    ----------
    sentences
        Those that begin with ``file:line:`` of the SDFormat text are changed.
    written, robot
        What the SDFormat text means, and the robot; None where it was not made from one.
    """
    if robot is None:
        return tuple(sentences)
    return tuple(_at_urdf(sentence, written, robot) for sentence in sentences)


def _at_urdf(sentence: str, written: Model, robot: Model) -> str:
    place = _PLACE.match(sentence)
    if place is None or place["name"] != written.document.name:
        return sentence
    element = _source(int(place["line"]), written, robot)
    span = robot.document.span(element)  # of a macro, in the file that holds it
    return f"{span.path}:{span.line}: {sentence[place.end() :]}"


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
