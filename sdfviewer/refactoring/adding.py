"""Add and duplicate elements, in the style of the file."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

import numpy as np

from sdfviewer.display_text import as_sentence
from sdfviewer.document.edits import Edit, element_source, insert_behind, insert_child, set_attribute
from sdfviewer.document.element import Element
from sdfviewer.document.tables import table
from sdfviewer.formats.registry import writing_of
from sdfviewer.formats.sdformat.members import why_invalid_name
from sdfviewer.formats.writing import CHILDREN_OF
from sdfviewer.model.kinds import Kind
from sdfviewer.model.model import Model
from sdfviewer.model.names import free_name_among, merged_frame, merged_model
from sdfviewer.model.references import set_name
from sdfviewer.model.targets import Attribute, ReferenceTargets
from sdfviewer.model.values import format_numbers, parse_numbers
from sdfviewer.refactoring.editable import RefactoringError, require_editable
from sdfviewer.refactoring.new_elements import element_xml
from sdfviewer.refactoring.pose_notation import Notation, numbers_of
from sdfviewer.refactoring.properties.catalogue import version_of
from sdfviewer.transforms import invert, pose_to_matrix
from sdfviewer.versions import FRAME_SEMANTICS, VERSIONS, Version, format_version

MODEL_FRAME = "__model__"
#: The path of a thing of each kind in the element tables.
_PATHS = {
    Kind.WORLD: "world",
    Kind.MODEL: "model",
    Kind.LINK: "model/link",
    Kind.JOINT: "model/joint",
    Kind.SENSOR: "model/link/sensor",
    Kind.VISUAL: "model/link/visual",
}
_OTHER_END: dict[str, Attribute] = {"parent": "child", "child": "parent"}
#: Elements that have no name: a thing has one of them.
_UNNAMED = frozenset({"inertial"})
#: Elements that need no name in URDF.
_PARTS = frozenset({"visual", "collision"})
#: Elements that are no frame and cannot be selected.
_NO_ROWS = frozenset({"inertial", "plugin"})


# --- where ---------------------------------------------------------------------------------------------------------


def owners_for(model: Model, tag: str) -> list[int]:
    """Return the rows that an element may be added to: what is written in the file itself and can hold it."""
    holders = tuple(kind for kind in CHILDREN_OF if tag in CHILDREN_OF[kind])
    kinds, sources, elements = model.kinds, model.sources, model.elements
    is_known = tag in children_of(model, 0) or not model.scope.joins_links_only
    return [
        row
        for row in range(len(model))
        if kinds[row] in holders
        and sources[row] is None
        and elements[row].tag != "include"
        and (is_known or tag in children_of(model, row))
    ]


def children_of(model: Model, row: int) -> tuple[str, ...]:
    """Return the tags of what can be added to a row by the format of its file, the most usual first."""
    return writing_of(model, row).children_of(model.kinds[row])


def _can_own(model: Model, row: int, tag: str) -> bool:
    return tag in children_of(model, row) and model.sources[row] is None and model.elements[row].tag != "include"


def nearest_owner(model: Model, row: int | None, tag: str, also: Sequence[int] = ()) -> int | None:
    """Return the owner of a new element while ``row`` is selected: it, or the nearest one around it that can be.

    A joint is added where it can name everything else that is selected, too: ``also``.

    Where none around it can be, the link that it moves with, as for a visual at a joint or a frame, or the first one
    inside of it: a visual is added to the first link of the selected model. Otherwise the first one of the file, in a
    world the first one that is not static: the robot and not its ground. None where there is none, or where what is
    selected comes from another file: no other is meant then.
    """
    for around in () if row is None else model.around(row):
        reaches_all = tag != "joint" or all(around in model.around(each) for each in also)
        if reaches_all and _can_own(model, around, tag):
            return around
    if row is not None and row > 0 and (model.sources[row] is not None or model.elements[row].tag == "include"):
        return None
    if (
        row is not None
        and row > 0
        and model.kinds[row] in (Kind.JOINT, Kind.FRAME)
        and (body := int(model.bodies[row])) >= 0
        and _can_own(model, body, tag)
    ):
        return body
    owners = owners_for(model, tag)
    inside = next((each for each in owners if row is not None and row > 0 and each in model.inside(row)), None)
    if inside is not None:
        return inside
    # A world is static itself.
    return next((each for each in owners if each == 0 or not (model.is_world and model.static[each])), None)


def explain_no_owner(model: Model, row: int | None, tag: str) -> str:
    """Return in words why a new element has no owner while ``row`` is selected, and what to do."""
    ways = () if row is None else model.around(row)
    around = next((each for each in ways if model.sources[each] is None), None)
    if around is not None and around > 0 and model.elements[around].tag == "include":
        what_to_do = f"Open that file to add a {tag} to it, or select a model of this file."
        return f"'{model.names[around]}' is included from another file. {what_to_do}"
    if why := writing_of(model, 0).why_no_child(model, tag):
        return as_sentence(why)
    if owners_for(model, tag):
        return f"All models here are static. Select the one to add a {tag} to, or add a model first."
    return f"No element in this file can contain a <{tag}>."


def suggest_fields(model: Model, owner: int, tag: str, selection: Sequence[int]) -> dict[str, str]:
    """Return the fields that the selection suggests for a new element in ``owner``.

    Parameters
    ----------
    selection
        Selected rows, the one selected last at the end.
    """
    prefix = model.member_prefix(owner)
    names = [
        model.names[row][len(prefix) :]
        for row in selection
        if row != owner and model.kinds[row].is_vertex and model.names[row].startswith(prefix)
    ]
    if tag == "link":
        bodies = [
            model.names[int(model.bodies[row])] for row in selection if row != owner and model.bodies[row] > owner
        ]
        parents = [name[len(prefix) :] for name in bodies if name.startswith(prefix)]
        return {"parent": parents[-1]} if parents else {}
    if tag == "joint" and names:
        return dict(zip(("parent", "child"), names, strict=False))
    if tag == "frame" and names:
        return {"attached_to": names[-1]}
    return {}


def free_name(model: Model, owner: int, wanted: str) -> str:
    """Return ``wanted``, or ``wanted_1``, ``wanted_2`` ..., whichever no member of ``owner`` has."""
    prefix = model.member_prefix(owner)
    return free_name_among(prefix + wanted, model.rows_by_name, 1)[len(prefix) :]


def name_of_included(model: Model, owner: int, uri: str) -> str:
    """Return a free name for a model that is included: that of its file, or of the folder of a ``model.sdf``."""
    *folders, file = uri.rstrip("/").split("/")
    stem = file.partition(".")[0]
    if folders and re.fullmatch(r"model([-_][\d_]+)?", stem) and folders[-1] not in ("", ".", ".."):
        stem = folders[-1]
    return free_name(model, owner, stem or "model")


def require_free_name(model: Model, owner: int, name: str, *, among_rows: bool = True) -> None:
    """Raise a `RefactoringError` where a new member of ``owner`` cannot have a name; the message says why.

    Parameters
    ----------
    among_rows
        Whether the names of other members are taken: a plugin is no member.
    """
    if not name:
        raise RefactoringError("enter a name")
    if not among_rows:
        return  # a system of Gazebo is called gz::sim::systems::DiffDrive
    if why := why_invalid_name(name):
        raise RefactoringError(f"the name '{name}' {why}")
    taken = model.find(owner, name)
    if taken is not None:
        raise RefactoringError(f"the name '{name}' is taken by a {model.kinds[taken]}")


# --- what ----------------------------------------------------------------------------------------------------------


def insert_member(model: Model, owner: int, tag: str, name: str | None = None, **fields: str) -> Edit:
    """Return the edit that adds an element to a world, model, link or joint.

    Parameters
    ----------
    owner
        Row of the thing that is to hold it.
    tag
        One of :data:`CHILDREN_OF` its kind.
    name
        Its name; a free one by default.
    **fields
        As they would be written in the file: ``pose`` (six numbers) and ``relative_to`` of anything that has a pose;
        ``type``, ``parent``, ``child``, ``axis``, ``lower``, ``upper``, ``effort`` and ``velocity`` of a joint;
        ``attached_to`` of a frame; ``shape`` and ``dimensions`` (the lines in it) of a visual or collision, and
        ``uri`` and ``scale`` of its mesh; ``type`` of a light or sensor; ``filename`` of a plugin; ``uri`` of an
        include; ``mass`` and ``moments`` of an inertial; ``content`` of a link or model, as
        :func:`~sdfviewer.refactoring.new_elements.element_lines` gives it.

    Raises
    ------
    RefactoringError
        If it cannot be added there, or a field or the name cannot be used.
    """
    require_editable(model, owner)
    element = model.elements[owner]
    require_place(model, owner, tag)
    given = {key: value for key, value in fields.items() if value}
    require_targets(model, owner, given)
    if is_robot(model, owner) and tag in _PARTS and not name:
        name = ""  # as most people write it
    elif tag not in _UNNAMED:
        name = name or free_name(model, owner, tag)
        require_free_name(model, owner, name, among_rows=tag not in _NO_ROWS)
    given["name"] = name or ""
    notes: tuple[str, ...] = ()
    if tag == "frame" and is_robot(model, owner):
        given["joint_name"] = free_name(model, owner, f"{name}_joint")
        given["parent"] = carrying_link(model, given.get("attached_to"))
        notes = (f"URDF has no frames: '{name}' is a link without mass on the fixed joint '{given['joint_name']}'",)
    xml = element_xml(model, owner, tag, in_words_of_file(model, owner, tag, given))
    parent = _parent_of_new(model, owner, tag)
    edits = insert_child(model.document, parent, xml, _before(parent, tag) if parent is element else None)
    added = () if tag in _NO_ROWS else (name_of_new(model, owner, tag, name or ""),)
    return Edit(adding_label(model, owner, tag, name or ""), model.document, edits, added=added, notes=notes)


def name_of_new(model: Model, owner: int, tag: str, name: str) -> str:
    """Return the scoped name of an element that is added to a row, from the name that is written."""
    return model.member_prefix(owner) + writing_of(model, owner).name_of_new(model, owner, tag, name)


def is_robot(model: Model, row: int) -> bool:
    """Return whether a row is written in URDF."""
    return writing_of(model, row).places(model, row) is not None


def _parent_of_new(model: Model, owner: int, tag: str) -> Element:
    """Return the element that a new one is written in: what a ``<gazebo>`` holds is not written in what it is on."""
    root = model.document.root
    is_extension = is_robot(model, owner) and tag in ("sensor", "light", "plugin")
    return root if is_extension and root is not None else model.elements[owner]


def carrying_link(model: Model, name: str | None) -> str:
    """Return the link of a URDF that is at a frame, the root link where no frame is named.

    Raises
    ------
    RefactoringError
        If the robot has no link yet, or the frame is at none.
    """
    row = 0 if name is None else ReferenceTargets(model, None, "attached_to", owner=0).row_of(name)
    link = -1 if row is None else int(model.bodies[row])
    if link < 0:
        raise RefactoringError("add a link first" if name is None else f"no link carries '{name}'")
    return model.local_names[link]


def targets_of_new(model: Model, owner: int, attribute: Attribute, fields: Mapping[str, str]) -> ReferenceTargets:
    """Return what a reference of a new element may name, beside its other fields: the ends of a joint must differ."""
    other = _OTHER_END.get(attribute)
    name = fields.get(other, "") if other is not None else ""
    row = ReferenceTargets(model, None, other, owner=owner).row_of(name) if other is not None and name else None
    return ReferenceTargets(model, None, attribute, owner=owner, other=row)


def require_targets(model: Model, owner: int, fields: Mapping[str, str]) -> None:
    """Raise a `RefactoringError` where the fields of a new element name a frame that they must not name."""
    measured = ("relative_to",) if model.version >= FRAME_SEMANTICS else ()  # else it becomes numbers
    for attribute in (*measured, "attached_to", "parent", "child"):
        if name := fields.get(attribute):
            reason = targets_of_new(model, owner, attribute, fields).named(name).reason
            if reason is not None:
                raise RefactoringError(f"{attribute} '{name}': {reason}")


def adding_label(model: Model, owner: int, tag: str, name: str) -> str:
    """Return what adding an element is called: ``Add visual lid to box``, and ``Add link`` for one called link."""
    what = f"Add {tag}" if name in ("", tag) else f"Add {tag} {name}"
    return what if owner == 0 else f"{what} to {model.distinct_name(owner)}"


class TooOldError(RefactoringError):
    """The file's version of SDFormat has no such element; a later one has it.

    Attributes
    ----------
    needed
        The first version that has it.
    """

    def __init__(self, message: str, needed: Version) -> None:
        super().__init__(message)
        self.needed = needed


def require_place(model: Model, owner: int, tag: str) -> None:
    """Raise a `RefactoringError` where an element of a tag cannot be added to a row."""
    kind, element, version = model.kinds[owner], model.elements[owner], version_of(model)
    if why := writing_of(model, owner).why_no_child(model, tag):
        raise RefactoringError(why)
    if tag not in children_of(model, owner) or element.tag == "include":
        places = " or ".join(str(each) for each, tags in CHILDREN_OF.items() if tag in tags)
        raise RefactoringError(f"a <{tag}> cannot be added to '{model.names[owner]}', but to a {places} of this file")
    if not is_robot(model, owner) and not _is_known(kind, tag, version):
        needed = next((each for each in VERSIONS if each > version and _is_known(kind, tag, each)), None)
        fault = f"SDFormat {format_version(version)} has no <{tag}> in a <{element.tag}>"
        if tag == "frame" and kind is Kind.MODEL and needed is not None:
            fault = f"a <frame> in a <model> needs SDFormat {format_version(needed)} or newer"
        raise RefactoringError(fault) if needed is None else TooOldError(fault, needed)
    if tag in _UNNAMED and element.find(tag) is not None:
        raise RefactoringError(f"'{model.names[owner]}' already has an <{tag}>")


def _is_known(kind: Kind, tag: str, version: Version) -> bool:
    """Return whether a version of SDFormat has an element of a tag, with today's meaning, in a kind of element."""
    definition = table(version).element(_PATHS[kind])
    is_unknown = definition is not None and tag not in definition.children and tag != "include"
    return not (is_unknown or (tag == "frame" and version < FRAME_SEMANTICS))


def _before(element: Element, tag: str) -> Element | None:
    """Return the child before which people write an element: the inertial of a link comes first, after its pose."""
    if tag != "inertial":
        return None
    return next((child for child in element.children if child.tag in ("collision", "visual", "sensor", "light")), None)


# --- what its pose is measured from ---------------------------------------------------------------------------------


def in_words_of_file(model: Model, owner: int, tag: str, fields: Mapping[str, str]) -> dict[str, str]:
    """Return the fields of a new element as the version of the file can write them.

    Before SDFormat 1.7 and in URDF no pose has a ``relative_to``: it becomes a pose in the frame that counts without
    one, which is that of the owner, and for a joint that of its child, in URDF that of its parent.

    Raises
    ------
    RefactoringError
        If ``relative_to`` names no frame, or the pose is undefined.
    """
    written = dict(fields)
    in_robot = is_robot(model, owner) and tag not in ("sensor", "light", "plugin")
    if (model.version >= FRAME_SEMANTICS and not in_robot) or not written.get("relative_to"):
        return written
    end: Attribute = "parent" if in_robot else "child"
    by_end = tag in ("joint", "frame") and written.get(end)
    base = _named_row(model, owner, end, written[end]) if by_end else owner
    reference = _named_row(model, owner, "attached_to", written.pop("relative_to"))  # later versions could write it
    written["pose"] = _pose_in(model, base, reference, written.get("pose", ""))
    return written


def _named_row(model: Model, owner: int, attribute: Attribute, name: str) -> int:
    target = ReferenceTargets(model, None, attribute, owner=owner).named(name)
    if target.reason is not None:
        raise RefactoringError(target.reason)
    return target.row


def _pose_in(model: Model, base: int, reference: int, pose: str) -> str:
    """Return a pose that is given in one frame as it is in another, as six numbers."""
    numbers = parse_numbers(pose) if pose else (0.0,) * 6
    if numbers is None or len(numbers) != 6:
        return pose  # which is refused as any that has not six numbers
    X_BaseNew = invert(model.X_RootF[base]) @ model.X_RootF[reference] @ pose_to_matrix(numbers)
    if not np.isfinite(X_BaseNew).all():
        raise RefactoringError(f"the pose of '{model.names[reference]}' is undefined")
    return format_numbers(numbers_of(X_BaseNew, Notation.RADIANS))


# --- copies --------------------------------------------------------------------------------------------------------


def duplicate(model: Model, row: int, name: str | None = None) -> Edit:
    """Return the edit that writes a copy of an element behind it.

    References inside the copy still name what they named: a copied joint connects the same links.

    Parameters
    ----------
    model, row
        What is copied; of a merged include the frame that represents it.
    name
        The name of the copy, a free one by default; of a merged include that of the copied ``<include>``.

    Raises
    ------
    RefactoringError
        If the row is the root or comes from another file, or if the name cannot be given.
    """
    require_editable(model, row)
    if row == 0:
        raise RefactoringError("the root of a file cannot be duplicated")
    if is_robot(model, row) and model.kinds[row] in (Kind.LINK, Kind.JOINT):
        return _duplicate_link(model, row, name)
    document, element, owner = model.document, model.elements[row], int(model.owners[row])
    old = model.local_names[row]
    is_merged = element.tag == "include" and model.kinds[row] is Kind.FRAME  # which is called after the include
    own = merged_model(old) if is_merged else old
    taken = set(map(merged_model, model.local_names)) if is_merged else ()
    if name is None:
        name = free_name_among(f"{own}_copy", taken, 1) if is_merged else free_name(model, owner, f"{own}_copy")
    else:
        require_free_name(model, owner, name, among_rows=not is_merged)
        if name in taken:
            raise RefactoringError(f"the name '{name}' is taken by a merged model")
    # Not the owner's element: members of a model that an older tool has flattened stand beside it.
    around = document.parent(element)
    assert around is not None
    xml = element_source(document, element, set_name(document, element, name))
    if is_robot(model, row):  # where the names of those that have none count them, so it comes last
        copy, edits = name_of_new(model, owner, element.tag, name), insert_child(document, around, xml)
    else:
        copy = model.names[row].removesuffix(old) + (merged_frame(name) if is_merged else name)
        edits = insert_behind(document, element, xml)
    return Edit(f"Duplicate {model.distinct_name(row)}", document, edits, added=(copy,))


def _duplicate_link(model: Model, row: int, name: str | None) -> Edit:
    """Return the edit that copies a link of a URDF with the joint that carries it: both are the leaf of a tree."""
    writing, document = writing_of(model, row), model.document
    if model.kinds[row] is Kind.JOINT:
        raise RefactoringError(
            "a joint of a URDF cannot be duplicated alone, since a link has one parent; duplicate its link"
        )
    if (why := writing.why_fixed(model, row)) is not None:
        raise RefactoringError(f"a URDF has one root: {why}")
    joint, old = writing.rows_at(model, row)[0], model.local_names[row]
    name = free_name(model, 0, f"{old}_copy") if name is None else name
    require_free_name(model, 0, name)
    joint_name = free_name(model, 0, f"{name}_joint")
    child = model.elements[joint].find("child")
    assert child is not None
    changes = set_name(document, model.elements[joint], joint_name) + set_attribute(document, child, "link", name)
    copies = [
        element_source(document, model.elements[joint], changes),
        element_source(document, model.elements[row], set_name(document, model.elements[row], name)),
    ]
    last = max((model.elements[each] for each in (joint, row)), key=document.offset)
    edits = insert_behind(document, last, "\n".join(copies))
    added = tuple(model.member_prefix(0) + each for each in (name, joint_name))
    return Edit(f"Duplicate {model.distinct_name(row)}", document, edits, added=added)
