"""Write the pairs of links that need not be tested for collisions into an SRDF."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from sdfviewer.document.document import Document, parse_document
from sdfviewer.document.edits import Edit, format_attribute, insert_child
from sdfviewer.formats.srdf import DisabledPair, Semantics, is_semantic, read_semantics
from sdfviewer.number_text import counted
from sdfviewer.refactoring.editable import RefactoringError


def disable_collisions(document: Document, pairs: Sequence[tuple[str, str, str]]) -> Edit:
    """Return the edit that adds pairs of links to those that an SRDF disables; what is written in it stays.

    Parameters
    ----------
    document
        The SRDF.
    pairs
        Two links, and the reason: ``Adjacent``, ``Never``, ``Default`` or ``Always``. Those that are in the file
        already, in either order, are left out.

    Raises
    ------
    RefactoringError
        If the document is no SRDF.
    """
    if document.root is None or not (is_semantic(document) or not document.root.children):
        raise RefactoringError(f"{document.name} is not an SRDF file")
    semantics = read_semantics(document)
    known = {pair.links for pair in semantics.disabled}
    new = [each for each in pairs if frozenset(each[:2]) not in known]
    lines = (
        f"<disable_collisions {format_attribute('link1', first)} {format_attribute('link2', second)} "
        f"{format_attribute('reason', reason)}/>"
        for first, second, reason in new
    )
    children = semantics.root.children
    last = semantics.disabled[-1].element if semantics.disabled else None
    after = children.index(last) + 1 if last is not None else len(children)
    before = children[after] if after < len(children) else None
    edits = insert_child(document, semantics.root, "\n".join(lines), before) if new else ()
    return Edit(f"Disable {counted(len(new), 'pair')} of links", document, edits)


def new_semantics(robot: str, path: Path | None = None) -> Document:
    """Return an SRDF of a robot that says nothing yet, for a file."""
    return parse_document(f'<?xml version="1.0"?>\n<robot {format_attribute("name", robot)}>\n</robot>\n', path)


def wrongly_disabled(semantics: Semantics, colliding: Sequence[tuple[str, str]]) -> list[DisabledPair]:
    """Return the pairs that an SRDF disables because they never collide, though they are among those that do."""
    found = {frozenset(pair) for pair in colliding}
    return [pair for pair in semantics.disabled if pair.reason == "Never" and pair.links in found]
