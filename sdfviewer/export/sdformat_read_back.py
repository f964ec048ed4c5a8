"""Read the SDFormat that was made of a URDF again and compare it with the robot."""

from __future__ import annotations

from sdfviewer.export.urdf_to_sdformat import SdfExport
from sdfviewer.formats.comparison import compare
from sdfviewer.formats.read_back import ALL, Announced, silent_differences, silent_sentences
from sdfviewer.model.model import Model


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
