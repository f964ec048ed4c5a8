"""Refactorings that move nothing: write or remove defaults, shorten numbers.

Each function returns one :class:`~sdfviewer.document.edits.Edit` of the model's document.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from sdfviewer.diagnostics import Replacement
from sdfviewer.document.edits import Edit, Replacements, remove_element, set_attribute
from sdfviewer.formats.registry import writing_of
from sdfviewer.formats.writing import pose_attribute
from sdfviewer.model.kinds import Kind
from sdfviewer.model.model import Model
from sdfviewer.model.references import point_to
from sdfviewer.model.targets import default_relative_to
from sdfviewer.model.values import IDENTITY, format_number, read_pose
from sdfviewer.number_text import counted
from sdfviewer.refactoring.editable import RefactoringError, require_editable, require_sdformat
from sdfviewer.refactoring.poses.notation import written_pose
from sdfviewer.versions import FRAME_SEMANTICS

_LINKS_AND_FRAMES = (Kind.LINK, Kind.JOINT, Kind.FRAME, Kind.MODEL)


def _own_rows(model: Model) -> Iterator[int]:
    """Yield the rows of frames that are written in the file itself, the root left out."""
    for row in range(1, len(model)):
        if model.sources[row] is None and model.kinds[row] in _LINKS_AND_FRAMES:
            yield row


def write_defaults(model: Model) -> Edit:
    """Return the edit that writes every ``relative_to`` and ``attached_to`` that the file leaves to its default.

    Raises
    ------
    RefactoringError
        If the file is older than SDFormat 1.7, which has no names for the default frames.
    """
    if model.version < FRAME_SEMANTICS:
        raise RefactoringError("defaults can be written since SDFormat 1.7; convert the file to a later version first")
    require_sdformat(model)
    edits: Replacements = ()
    for row in _own_rows(model):
        element, scope = model.elements[row], int(model.scopes[row])
        is_frame = model.kinds[row] is Kind.FRAME and element.tag == "frame"
        if is_frame and model.attached_to_written[row] is None:
            edits += set_attribute(model.document, element, "attached_to", model.name_in(scope, scope))
        if model.relative_to_written[row] is None and (element.tag != "include" or element.find("pose") is not None):
            name = model.name_in(scope, default_relative_to(model, row))
            if name is not None:
                edits += point_to(model.document, element, "relative_to", name)
    return Edit("Write defaults", model.document, edits)


def remove_redundant(model: Model) -> Edit:
    """Return the edit that removes every ``relative_to``, ``attached_to`` and ``<pose>`` that says the default."""
    require_sdformat(model)
    edits: Replacements = ()
    for row in _own_rows(model):
        element = model.elements[row]
        pose = element.find("pose")
        if element.attributes.get("attached_to") is not None and model.attached_to[row] == model.scopes[row]:
            edits += set_attribute(model.document, element, "attached_to", None)
        if pose is None:
            continue
        leans_on_default = model.relative_to[row] == default_relative_to(model, row)
        written = read_pose(element, model.version)
        is_identity = written.exact is None and written.raw == IDENTITY and element.tag != "include"
        if leans_on_default and is_identity and not pose.children:
            edits += remove_element(model.document, pose)
        elif leans_on_default:
            edits += set_attribute(model.document, pose, pose_attribute(pose, model.version), None)
    return Edit("Remove redundant attributes", model.document, edits)


def _pose_words(model: Model, rows: Iterable[int]) -> Iterator[tuple[int, int, float, str]]:
    """Yield the numbers in the poses of some rows that are written in the file itself: start, end, value, text."""
    held = dict.fromkeys(writing_of(model, row).rows_at(model, row)[0] for row in rows if model.sources[row] is None)
    for row in held:
        pose = written_pose(model, row)
        for first, last in writing_of(model, row).pose_texts(model.document, pose):
            for word in re.finditer(r"\S+", model.document.text[first:last]):
                try:
                    value = float(word[0])
                except ValueError:
                    continue  # no number: the element tables report it
                yield first + word.start(), first + word.end(), value, word[0]


def shorten_poses(model: Model) -> Edit:
    """Return the edit that writes each number of each pose as short as it can be within a picometre."""
    require_editable(model, 0)
    edits: list[Replacement] = []
    for start, end, value, text in _pose_words(model, range(len(model))):
        short = format_number(value)
        if len(short) < len(text):
            edits.append(Replacement(start, end, short))
    return Edit("Shorten poses", model.document, tuple(edits))


def round_poses(model: Model, rows: Sequence[int], decimals: int) -> Edit:
    """Return the edit that rounds the numbers of poses, as they are written, to some decimals.

    Raises
    ------
    RefactoringError
        If a row is written elsewhere.
    """
    for row in rows:
        require_editable(model, row)
    edits: list[Replacement] = []
    for start, end, value, _ in _pose_words(model, dict.fromkeys(rows)):
        rounded = round(value, decimals) + 0.0  # no negative zero
        if rounded != value:
            edits.append(Replacement(start, end, format_number(rounded)))
    return Edit(f"Round poses to {counted(decimals, 'decimal')}", model.document, tuple(edits))
