"""How the formats write what is edited: poses and the values of properties.

Each function that edits asks :func:`~sdfviewer.formats.registry.writing_of`; what it returns are replacements in the
text that the row is written in. The class here writes SDFormat, another format derives its own from it.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from sdfviewer.diagnostics import Replacement
from sdfviewer.document.document import Document
from sdfviewer.document.edits import Replacements, prepend_child, set_attribute, set_text, text_offsets
from sdfviewer.document.element import Element
from sdfviewer.document.tables import ElementDefinition
from sdfviewer.model.kinds import JOINT_TYPES, Kind
from sdfviewer.model.model import Model
from sdfviewer.model.values import (
    NOISE,
    WrittenPose,
    format_number,
    format_numbers,
    format_pose,
    parse_numbers,
    read_pose,
)
from sdfviewer.versions import FRAME_SEMANTICS, ROTATION_FORMAT, Version, format_version

#: What can be added to a thing of each kind in SDFormat, the most usual first.
CHILDREN_OF: dict[Kind, tuple[str, ...]] = {
    Kind.WORLD: ("model", "include", "frame", "joint", "light", "plugin"),
    Kind.MODEL: ("link", "joint", "frame", "model", "include", "plugin"),
    Kind.LINK: ("visual", "collision", "inertial", "sensor", "light"),
    Kind.JOINT: ("sensor",),
    Kind.SENSOR: ("plugin",),
    Kind.VISUAL: ("plugin",),
}


@dataclass(frozen=True, slots=True)
class PropertyPlace:
    """Where a format writes a property that SDFormat has too.

    Attributes
    ----------
    paths
        Tags below the thing's element, ``@name`` at the end for an attribute; the values of several are joined.
    default
        What counts where nothing is written.
    missing
        What counts for one of several that is not written.
    values
        The words that are allowed, where they are not those of SDFormat.
    """

    paths: tuple[str, ...]
    default: str = ""
    missing: str = ""
    values: tuple[str, ...] = ()


class Writing:
    """How a row is written; here in SDFormat.

    Attributes
    ----------
    joint_types
        The types that a joint may have.
    """

    joint_types: ClassVar[tuple[str, ...]] = tuple(JOINT_TYPES)

    def places(self, model: Model, row: int) -> Mapping[str, PropertyPlace] | None:
        """Return where a row writes the properties of SDFormat, by their paths there; None where as SDFormat does."""
        return None

    def definition(self, model: Model, row: int) -> ElementDefinition | None:
        """Return the definition of the element of a row; None where the tables of SDFormat have it."""
        return None

    def why_no_value(self, model: Model, row: int, path: str, value: str | None) -> str | None:
        """Return why a property cannot have a value that SDFormat allows, or (None) cannot be taken out."""
        return None

    def set_value(self, model: Model, row: int, path: str, value: str | None) -> Replacements | None:
        """Return the edit that writes a property, or (None) takes it out; None where as in SDFormat."""
        return None

    def notes_on_value(self, model: Model, row: int, path: str, value: str | None) -> tuple[str, ...]:
        """Return what else :meth:`set_value` writes or changes, in sentences."""
        return ()

    def children_of(self, kind: Kind) -> tuple[str, ...]:
        """Return the tags of what can be added to a kind of row, the most usual first."""
        return CHILDREN_OF.get(kind, ())

    def why_no_child(self, model: Model, tag: str) -> str | None:
        """Return why the format has nothing of a tag, and what helps; None where it depends on the version."""
        return None

    def why_not_new(self, model: Model, tag: str, fields: Mapping[str, str]) -> str | None:
        """Return why the fields of a new element cannot be written, None where they can or SDFormat decides."""
        return None

    def new_lines(self, model: Model, owner: int, tag: str, fields: Mapping[str, str]) -> list[str] | None:
        """Return the lines of a new element, each level indented by two blanks; None where as in SDFormat."""
        return None

    def name_of_new(self, model: Model, owner: int, tag: str, name: str) -> str:
        """Return how the row of a new element will be called in its owner, from the name that is written."""
        return name

    def shape_tags(self, model: Model) -> Collection[str] | None:
        """Return the tags of the shapes that a file can hold; None where the tables of SDFormat say so."""
        return None

    def shape_xml(self, tag: str) -> str | None:
        """Return a new shape of a usual size; None where as in SDFormat."""
        return None

    # --- structure -------------------------------------------------------------------------------------------------

    def carried(self, model: Model, row: int) -> int | None:
        """Return the row that cannot be without a row, though no name says so; None where there is none."""
        return None

    def going_with(self, model: Model, rows: Collection[int]) -> list[Element]:
        """Return the elements, beside those of the rows that depend on them, that say nothing once rows are gone."""
        return []

    # --- poses -----------------------------------------------------------------------------------------------------

    def rows_at(self, model: Model, row: int) -> tuple[int, ...]:
        """Return the rows that are always where a row is, itself among them; the first one's element says where."""
        return (row,)

    def why_fixed(self, model: Model, row: int) -> str | None:
        """Return why the format has no pose for a row at all, None where it has one."""
        return None

    def read_pose(self, model: Model, element: Element) -> WrittenPose:
        """Return the pose that an element, that of a row or a part of it, writes."""
        return read_pose(element, model.version)

    def pose_numbers(self, written: WrittenPose) -> tuple[float, ...] | None:
        """Return the numbers of a pose in its own notation; None where it is not written, or not in numbers."""
        return None if written.element is None else parse_numbers(written.element.text)

    def pose_texts(self, document: Document, written: WrittenPose) -> list[tuple[int, int]]:
        """Return from where to where in the text the numbers of a pose are written."""
        return [] if written.element is None else [text_offsets(document, written.element)]

    def write_pose(self, document: Document, written: WrittenPose, numbers: Sequence[float]) -> Replacements:
        """Return the edit that puts numbers into a pose that is there; words whose number stays are not touched.

        Parameters
        ----------
        numbers
            Six with angles as the pose has them, or seven with a quaternion ``x y z w``.
        """
        return write_pose_text(document, written, numbers)

    def insert_pose(self, document: Document, element: Element, numbers: Sequence[float]) -> Replacements:
        """Return the edit that writes the pose of an element that has none, in metres and radians."""
        return prepend_child(document, element, format_pose(numbers))

    def new_pose(
        self, model: Model, row: int, numbers: Sequence[float], default: Sequence[float], target: str | None
    ) -> Replacements:
        """Return the edit that writes the pose of a row that has none, unless it would say the default.

        Parameters
        ----------
        numbers, default
            ``x y z roll pitch yaw`` in metres and radians, and those that count without a pose.
        target
            What it is measured from, as it would stand in the file; None for the default.
        """
        xml = format_pose(numbers, target or None, pose_attribute(None, model.version))
        return () if xml == format_pose(default) else prepend_child(model.document, model.elements[row], xml)

    def measure_from(self, model: Model, row: int, written: WrittenPose, target: str | None) -> Replacements:
        """Return the edit of what a pose that is there is measured from: its name, None for the default."""
        assert written.element is not None
        return set_attribute(model.document, written.element, pose_attribute(written.element, model.version), target)

    def why_no_notation(self, model: Model, row: int, *, degrees: bool, quaternion: bool) -> str | None:
        """Return why the file cannot write a pose in degrees or with a quaternion, None where it can."""
        if model.version < ROTATION_FORMAT and (degrees or quaternion):
            what, version = "as a quaternion" if quaternion else "in degrees", format_version(model.version)
            return f"SDFormat {version} writes angles in radians; poses {what} are new in 1.9"
        return None

    def declare_notation(
        self, document: Document, written: WrittenPose, *, degrees: bool, quaternion: bool
    ) -> Replacements:
        """Return the edit of what a pose says about its own notation."""
        edits: Replacements = ()
        assert written.element is not None
        if degrees != written.degrees:
            edits += set_attribute(document, written.element, "degrees", "true" if degrees else None)
        if quaternion != written.quaternion:
            edits += set_attribute(document, written.element, "rotation_format", "quat_xyzw" if quaternion else None)
        return edits


SDFORMAT_WRITING = Writing()


def pose_attribute(pose: Element | None, version: Version) -> str:
    """Return the attribute by which a pose names, or would name, its frame: old files may use either of two."""
    written = pose.attributes if pose is not None else {}
    if version >= FRAME_SEMANTICS or ("relative_to" in written and "frame" not in written):
        return "relative_to"
    return "frame"


def write_pose_text(document: Document, written: WrittenPose, numbers: Sequence[float]) -> Replacements:
    """Return the edit that puts numbers into a ``<pose>`` that is there; words whose number stays are not touched."""
    assert written.element is not None
    first, last = text_offsets(document, written.element)
    words = list(re.finditer(r"\S+", document.text[first:last]))
    old = parse_numbers(document.text[first:last])
    if old is None or len(old) not in (6, 7):
        return set_text(document, written.element, format_numbers(numbers))
    same = 3 if len(old) != len(numbers) else len(numbers)
    edits: Replacements = tuple(
        Replacement(first + word.start(), first + word.end(), format_number(number))
        for word, before, number in list(zip(words, old, numbers, strict=False))[:same]
        if abs(before - number) > NOISE
    )
    if same == 3:  # another way to write the rotation: its words go together
        rotation = format_numbers(numbers[3:])
        edits += (Replacement(first + words[3].start(), first + words[-1].end(), rotation),)
    return edits
