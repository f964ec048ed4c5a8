"""Read what was written for another program again and compare it with the model that it was made from."""

from __future__ import annotations

from collections.abc import Iterable

from sdfviewer.document.document import parse_document
from sdfviewer.export.urdf import Requirement, UrdfExport, UrdfNote
from sdfviewer.export.urdf_to_sdformat import SdfExport
from sdfviewer.export.writing import Obstacle
from sdfviewer.files.finder import Finder
from sdfviewer.formats.comparison import compare
from sdfviewer.formats.load import Loader
from sdfviewer.formats.read_back import ALL, FRAME, Announced, silent_differences, silent_sentences
from sdfviewer.model.comparison.difference import Aspect
from sdfviewer.model.model import Model


def urdf_faults(model: Model, export: UrdfExport) -> tuple[str, ...]:
    """Return what a URDF says otherwise than its model though no note says so: errors of this program.

    Each is a sentence that begins with file and line of the model.
    """
    path = model.document_of(0).path
    document = parse_document(export.text, path and path.with_suffix(".urdf"))
    after, diagnostics = Loader(Finder()).load_with_diagnostics(document)
    if after is None:
        why = diagnostics[0].message if diagnostics else "nothing is in it"
        return (f"{model.document.name}:1: error of sdfviewer: the URDF cannot be read: {why}",)
    written = (
        [each for link in document.root.findall("link") for each in link.findall("visual", "collision")]
        if document.root is not None
        else []
    )
    rows = dict(zip([after.rows_by_element.get(id(each), -1) for each in written], export.parts, strict=True))
    root = after.names[0]
    renamed = [(name, f"{root}::{new}") for name, new in export.names.items()]
    renamed += [(model.names[row], after.names[other]) for other, row in rows.items() if row >= 0 <= other]
    comparison = compare(model, after, renamed, X_AB=export.X_ModelUrdf)
    announced = Announced(_announced(export.notes), added={other for other, row in rows.items() if row < 0})
    return silent_sentences(comparison, silent_differences(comparison, announced))


#: What differs of a row that is written otherwise, by what keeps it from being copied: the rest of it is as it was.
_REWRITTEN: dict[Requirement, frozenset[Aspect | None]] = {
    Requirement.ROOT: frozenset({Aspect.MODEL}),
    Requirement.TREE: frozenset({FRAME, Aspect.JOINT}),
    Requirement.JOINTS: frozenset({FRAME, Aspect.JOINT}),
    Requirement.FRAMES: frozenset({FRAME}),
    Requirement.CONTENTS: frozenset({Aspect.SHAPE}),
}


def _announced(notes: Iterable[UrdfNote]) -> dict[int, frozenset[Aspect | None]]:
    """Return what notes say may differ, by row: all of what is lost, some of what is written otherwise."""
    found: dict[int, frozenset[Aspect | None]] = {}
    for note in notes:
        what: frozenset[Aspect | None] = frozenset()
        if note.obstacle is Obstacle.LOST:
            what = ALL
        elif note.obstacle is Obstacle.REWRITTEN:
            what = _REWRITTEN.get(note.requirement, what)
        found[note.row] = found.get(note.row, frozenset()) | what
    return found


def sdformat_faults(model: Model, export: SdfExport, after: Model) -> tuple[str, ...]:
    """Return what an SDFormat text says otherwise than its URDF though no note says so: errors of this program.

    Each is a sentence that begins with file and line of the URDF.

    Parameters
    ----------
    model, export
        The robot, and what it was written as, with all its links.
    after
        What that means.
    """
    known = set(after.names)
    renamed = [(name, name) for name in model.names[1:] if name in known]  # a link without mass becomes a frame
    comparison = compare(model, after, renamed)
    announced = Announced(
        {note.row: ALL for note in export.notes if note.row is not None},
        [note.sentence(model) for note in export.notes],
    )
    return silent_sentences(comparison, silent_differences(comparison, announced))
