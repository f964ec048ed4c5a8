"""Convert a file to a newer version of SDFormat; nothing moves.

Source: libsdformat, the conversion tables sdf/1.5/1_4.convert to sdf/1.12/1_11.convert.
"""

from __future__ import annotations

from collections.abc import Iterator

from sdfviewer.diagnostics import Replacement
from sdfviewer.document.document import Document
from sdfviewer.document.edits import Edit, Replacements, insert_child, remove_element, set_attribute, set_tag
from sdfviewer.document.element import Element
from sdfviewer.document.xml.parse import escape
from sdfviewer.model.kinds import Kind
from sdfviewer.model.model import Model
from sdfviewer.model.values import parse_numbers
from sdfviewer.refactoring.draft import note
from sdfviewer.refactoring.editable import RefactoringError, require_sdformat
from sdfviewer.versions import (
    AXIS_IN_JOINT_FRAME,
    FRAME_SEMANTICS,
    NEWEST,
    SCOPED_REFERENCES,
    STATE_ELEMENTS,
    WORLD_GRAVITY,
    WORLD_JOINTS_AND_INFINITE_LIMITS,
    Version,
    format_version,
)

#: The oldest version that can be raised; what is older has another layout.
OLDEST = (1, 4)

_STATE_TAGS = ("model", "link", "joint", "light")


def raise_version(model: Model, target: Version = NEWEST) -> Edit:
    """Return the edit that raises a file to a newer version of SDFormat, the newest by default.

    Included files keep theirs, whatever it is: each file says its own version.

    Raises
    ------
    RefactoringError
        If the file is older than 1.4, is no SDFormat file, or holds names that the version does not allow.
    """
    require_sdformat(model)
    document, root, version = model.document, model.document.root, model.version
    if root is None or root.tag != "sdf" or version < OLDEST:
        oldest = format_version(OLDEST)
        raise RefactoringError(f"only files of SDFormat {oldest} or later can be converted; this one is older")
    flattened = [name for name in _written_names(model) if "::" in name]
    if flattened and version < SCOPED_REFERENCES <= target:
        raise RefactoringError(f"the name '{flattened[0]}' contains '::', which names must not since SDFormat 1.8")
    edits = set_attribute(document, root, "version", format_version(target))
    notes: tuple[str, ...] = ()
    if version < WORLD_GRAVITY <= target:
        edits += _raise_gravity(document, root)
    if version < AXIS_IN_JOINT_FRAME <= target < FRAME_SEMANTICS:
        edits += _flag_axes(model)
    if version < FRAME_SEMANTICS <= target:
        edits += _raise_frames(model)
        notes = tuple(_renamed_clashes(model))
    if version < WORLD_JOINTS_AND_INFINITE_LIMITS <= target:
        edits += _raise_limits(document, root)
    if version < STATE_ELEMENTS <= target:
        edits += _raise_states(document, root)
    return Edit(f"Convert to SDFormat {format_version(target)}", model.document, edits, notes=notes)


def _renamed_clashes(model: Model) -> Iterator[str]:
    """Yield a sentence for each link, joint or frame that shares its name with a sibling, and so gets another."""
    for row, element in enumerate(model.elements):
        if model.rows_by_element.get(id(element)) != row or element.tag not in ("link", "joint", "frame"):
            continue
        written, name = element.attributes.get("name", "").rpartition("::")[2], model.local_names[row]
        if written not in ("", name):
            message = f"<{element.tag}> '{written}' shares its name with a sibling; it is renamed to '{name}'"
            yield note(model.document, element, message)


def _written_names(model: Model) -> Iterator[str]:
    for row, element in enumerate(model.elements):
        if model.sources[row] is None and model.kinds[row].is_vertex:
            yield element.attributes.get("name", "")


def _raise_gravity(document: Document, root: Element) -> Replacements:
    """Gravity and magnetic field belonged to the physics, and belong to the world since 1.6."""
    edits: Replacements = ()
    for world in root.findall("world"):
        for physics in world.findall("physics"):
            for moved in physics.findall("gravity", "magnetic_field"):
                edits += remove_element(document, moved)
                if world.find(moved.tag) is None:
                    xml = f"<{moved.tag}>{escape(moved.text.strip())}</{moved.tag}>"
                    edits += insert_child(document, world, xml, physics)
    return edits


def _raise_frames(model: Model) -> Replacements:
    """Since 1.7 a pose names its frame in ``relative_to``, an axis in ``expressed_in``, and names are unique."""
    document = model.document
    edits = _raise_poses(document)
    for row, element in enumerate(model.elements):
        if model.rows_by_element.get(id(element)) != row:
            continue  # of another file, or standing also for the model around it, which an older tool has flattened
        if model.kinds[row].is_vertex and row != 0 and element.tag != "include":
            around, separator, _ = element.attributes.get("name", "").rpartition("::")
            if not separator or model.kinds[row] is not Kind.MODEL:  # else a frame that represents a flattened model
                name = around + separator + model.local_names[row]
                edits += set_attribute(document, element, "name", name) if name else ()
    return edits + _raise_axes(model)


def _raise_poses(document: Document) -> Replacements:
    """Until 1.6 a pose named its frame in ``frame``; that of an inertia never had one, whatever was written there."""
    edits: Replacements = ()
    stack = [document.root] if document.root is not None else []
    while stack:
        element = stack.pop()
        stack += [child for child in element.children if child.tag != "plugin"]
        for pose in element.findall("pose"):
            written = document.attribute_offsets(pose, "frame")
            if written is None:
                continue
            if pose.attributes["frame"] and "relative_to" not in pose.attributes and element.tag != "inertial":
                edits += (Replacement(written[0], written[0] + len("frame"), "relative_to"),)
                continue
            edits += set_attribute(document, pose, "frame", None)
            if pose.attributes["frame"] and element.tag != "inertial":  # which counted, where both are written
                edits += set_attribute(document, pose, "relative_to", pose.attributes["frame"])
    return edits


def _flag_axes(model: Model) -> Replacements:
    """Until 1.4 an axis was written in the model frame, in 1.5 and 1.6 where ``use_parent_model_frame`` says so."""
    document = model.document
    edits: Replacements = ()
    for joint in model.scope.joints:
        for axis in joint.axes if model.sources[joint.row] is None else ():
            in_model_frame = axis.expressed_in >= 0 and axis.expressed_in != joint.row
            if in_model_frame and axis.element.find("use_parent_model_frame") is None:
                xyz = axis.element.find("xyz")
                after = axis.element.children.index(xyz) + 1 if xyz is not None else 0
                before = axis.element.children[after] if after < len(axis.element.children) else None
                xml = "<use_parent_model_frame>true</use_parent_model_frame>"
                edits += insert_child(document, axis.element, xml, before)
    return edits


def _raise_axes(model: Model) -> Replacements:
    """Until 1.4 an axis was written in the model frame, until 1.6 where ``use_parent_model_frame`` said so."""
    document = model.document
    edits: Replacements = ()
    for joint in model.scope.joints:
        for axis in joint.axes if model.sources[joint.row] is None else ():
            xyz, flag = axis.element.find("xyz"), axis.element.find("use_parent_model_frame")
            if flag is not None:
                edits += remove_element(document, flag)
            if axis.expressed_in == joint.row or axis.expressed_in < 0:
                continue
            own = "world" if model.kinds[axis.expressed_in] is Kind.WORLD else "__model__"
            if xyz is not None:
                edits += set_attribute(document, xyz, "expressed_in", own)
            else:
                edits += insert_child(document, axis.element, f'<xyz expressed_in="{own}">0 0 1</xyz>')
    return edits


def _raise_limits(document: Document, root: Element) -> Replacements:
    """Until 1.9 a negative effort or velocity meant that there is no limit; since 1.10 saying nothing means that."""
    edits: Replacements = ()
    for limit in root.descendants():
        for child in limit.findall("effort", "velocity") if limit.tag == "limit" else ():
            numbers = parse_numbers(child.text)
            if numbers and numbers[0] < 0:
                edits += remove_element(document, child)
    return edits


def _raise_states(document: Document, root: Element) -> Replacements:
    """Since 1.12 the parts of a ``<state>`` are called ``<model_state>`` and so on."""
    edits: Replacements = ()
    for world in root.findall("world"):
        for state in world.findall("state"):
            for part in state.descendants():
                if part.tag in _STATE_TAGS and part is not state:
                    edits += set_tag(document, part, f"{part.tag}_state")
    return edits
