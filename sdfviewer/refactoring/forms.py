"""Write a model in another form in which nothing moves: of its poses, of its defaults, and of its numbers.

In element-relative form each joint is written relative to its parent and each link relative to the joint that drives
it, so that the numbers are those of a URDF. In model-absolute form links are measured from their model and joints from
their child, which needs no ``relative_to`` at all. Explicit frames and nested models stay as they are.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence

import numpy as np

from sdfviewer import transforms
from sdfviewer.diagnostics import Replacement
from sdfviewer.document.edits import Edit, Replacements, remove_element, set_attribute
from sdfviewer.formats.registry import writing_of
from sdfviewer.formats.writing import pose_attribute
from sdfviewer.model import graph
from sdfviewer.model.graph import UNRESOLVED, Rows
from sdfviewer.model.kinds import Kind
from sdfviewer.model.kinematics.conventions import driving_joints, element_relative_target
from sdfviewer.model.model import Model
from sdfviewer.model.references import point_to
from sdfviewer.model.targets import default_relative_to
from sdfviewer.model.values import IDENTITY, format_number, read_pose
from sdfviewer.number_text import counted
from sdfviewer.refactoring.editable import RefactoringError, require_editable, require_sdformat
from sdfviewer.refactoring.pose_notation import written_pose
from sdfviewer.refactoring.pose_writing import write_relative_to
from sdfviewer.versions import AXIS_IN_JOINT_FRAME, FRAME_SEMANTICS


def to_element_relative_form(model: Model) -> Edit:
    """Return the edit that writes joints relative to their parent and links relative to the joint that drives them.

    A reference that cannot be written in its scope, or that would close a circle, is left as it is: a link of a nested
    model cannot name a joint outside of it.

    Raises
    ------
    RefactoringError
        If the file is no SDFormat file of version 1.5 or later, or its poses are not all defined.
    """
    if model.version < AXIS_IN_JOINT_FRAME:
        raise RefactoringError("poses can name a frame since SDFormat 1.5; convert the file to a later version first")
    drivers = driving_joints(model)

    def target_of(row: int) -> int:
        if model.kinds[row] is Kind.LINK and row not in drivers:
            return UNRESOLVED  # nothing to be measured from: it stays as it is
        return element_relative_target(model, row, drivers)

    return _rewritten(model, "Convert to element-relative form", target_of, by_default=False)


def to_model_absolute_form(model: Model) -> Edit:
    """Return the edit that writes links relative to their model and joints relative to their child: the defaults.

    Raises
    ------
    RefactoringError
        If the file is no SDFormat file, or its poses are not all defined.
    """

    def target_of(row: int) -> int:
        return default_relative_to(model, row)

    return _rewritten(model, "Convert to model-absolute form", target_of, by_default=True)


def _rewritten(model: Model, label: str, target_of: Callable[[int], int], *, by_default: bool) -> Edit:
    """Return the edit that measures each link and joint of the file from another frame and keeps it where it is."""
    require_sdformat(model)
    rows = [
        row
        for row, kind in enumerate(model.kinds)
        if (kind is Kind.LINK or kind is Kind.JOINT) and model.sources[row] is None
    ]
    if not np.isfinite(model.X_RootF[rows]).all():
        raise RefactoringError("some poses are undefined and could not be kept; fix these problems first")
    wanted = {row: target_of(row) for row in rows}
    names = {
        row: None if by_default else model.name_in(int(model.scopes[row]), target) for row, target in wanted.items()
    }
    movable = [row for row in rows if wanted[row] >= 0 and (by_default or names[row] is not None)]
    targets = _without_circles(model, {row: wanted[row] for row in movable})
    edits: list[Replacement] = []
    for row in movable:
        target = int(targets[row])
        if target != wanted[row]:
            continue
        moved = target != model.relative_to[row]
        if moved or (model.relative_to_written[row] is None) != by_default:
            X_RF = transforms.invert(model.X_RootF[target]) @ model.X_RootF[row] if moved else None
            edits += write_relative_to(model, row, names[row], X_RF)
    return Edit(label, model.document, tuple(edits))


def _without_circles(model: Model, wanted: dict[int, int]) -> Rows:
    """Return the target rows (n,) after the change, old ones wherever new ones would close a circle."""
    targets: Rows = model.relative_to.copy()
    for row, target in wanted.items():
        targets[row] = target
    while circles := [
        row for cycle in graph.cycles(targets) for row in cycle if targets[row] != model.relative_to[row]
    ]:
        targets[circles] = model.relative_to[circles]
    return targets


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
