"""Elements added and duplicated, with the file's own indentation."""

from __future__ import annotations

from sdfviewer.document.edits import Edit, element_source, insert_child
from sdfviewer.document.parse import escape
from sdfviewer.semantics.editing.editable import RefactoringError, require_editable
from sdfviewer.semantics.kinds import Kind
from sdfviewer.semantics.members import is_valid_member_name
from sdfviewer.semantics.model import Model
from sdfviewer.semantics.names import free_name_among
from sdfviewer.semantics.references import set_name

_GEOMETRY = "<geometry>\n  <box>\n    <size>0.1 0.1 0.1</size>\n  </box>\n</geometry>"

#: The XML of a new element of each kind; ``{name}``, ``{parent}`` and ``{child}`` are filled in.
TEMPLATES: dict[str, str] = {
    "link": '<link name="{name}">\n  <pose>0 0 0 0 0 0</pose>\n</link>',
    "frame": '<frame name="{name}"{attached_to}>\n  <pose>0 0 0 0 0 0</pose>\n</frame>',
    "joint": (
        '<joint name="{name}" type="{type}">\n  <parent>{parent}</parent>\n  <child>{child}</child>{axes}\n</joint>'
    ),
    "visual": f'<visual name="{{name}}">\n  {_GEOMETRY.replace(chr(10), chr(10) + "  ")}\n</visual>',
    "collision": f'<collision name="{{name}}">\n  {_GEOMETRY.replace(chr(10), chr(10) + "  ")}\n</collision>',
    "model": '<model name="{name}">\n  <link name="link"/>\n</model>',
    "include": "<include>\n  <name>{name}</name>\n  <uri>{uri}</uri>\n</include>",
}

#: The directions of the axes that a new joint starts with; ball and fixed joints have none to choose.
_NEW_AXES: dict[str, tuple[str, ...]] = {
    "ball": (),
    "fixed": (),
    "gearbox": ("0 0 1", "0 0 1"),
    "revolute2": ("0 0 1", "1 0 0"),
    "universal": ("1 0 0", "0 1 0"),
}

#: What can be added to a thing of each kind.
CHILDREN_OF: dict[Kind, tuple[str, ...]] = {
    Kind.WORLD: ("model", "include", "frame"),
    Kind.MODEL: ("link", "joint", "frame", "model", "include"),
    Kind.LINK: ("visual", "collision"),
}


def free_name(model: Model, owner: int, wanted: str) -> str:
    """Return ``wanted``, or ``wanted_1``, ``wanted_2`` ..., whichever no member of ``owner`` has."""
    prefix = model.member_prefix(owner)
    return free_name_among(prefix + wanted, model.rows_by_name, 1)[len(prefix) :]


def insert_member(model: Model, owner: int, tag: str, name: str | None = None, **fields: str) -> Edit:
    """Return the edit that adds an element to a world, model or link.

    Parameters
    ----------
    owner
        Row of the world, model or link.
    tag
        One of :data:`CHILDREN_OF` its kind.
    name
        Its name; a free one by default.
    **fields
        ``type``, ``parent`` and ``child`` of a joint, ``attached_to`` of a frame, ``uri`` of an include, as they would
        stand in the file.

    Raises
    ------
    RefactoringError
        If it cannot stand there, or the name cannot be used.
    """
    require_editable(model, owner)
    element = model.elements[owner]
    if tag not in CHILDREN_OF.get(model.kinds[owner], ()) or element.tag == "include":
        raise RefactoringError(f"a <{tag}> cannot be added to '{model.names[owner]}'")
    name = name or free_name(model, owner, tag)
    if not is_valid_member_name(name) or free_name(model, owner, name) != name:
        raise RefactoringError(f"the name '{name}' is taken, empty or reserved")
    if tag == "joint" and not (fields.get("parent") and fields.get("child")):
        raise RefactoringError("a joint needs a parent and a child")
    given = {"name": name, "type": "revolute", "uri": f"model://{name}", **fields}
    written = {key: escape(value, '"') for key, value in given.items()}
    written["axes"] = _axes(given["type"])
    written["attached_to"] = f' attached_to="{written["attached_to"]}"' if fields.get("attached_to") else ""
    xml = TEMPLATES[tag].format(**written)
    prefix = model.member_prefix(owner)
    return Edit(f"Add {tag} {name}", insert_child(model.document, element, xml), added=(prefix + name,))


def _axes(joint_type: str) -> str:
    """Return the XML of the axes of a new joint."""
    tags = ("axis", "axis2")
    axes = zip(tags, _NEW_AXES.get(joint_type, ("0 0 1",)), strict=False)
    return "".join(f"\n  <{tag}>\n    <xyz>{xyz}</xyz>\n  </{tag}>" for tag, xyz in axes)


def duplicate(model: Model, row: int) -> Edit:
    """Return the edit that writes a copy of an element behind it.

    References inside the copy still name what they named: a copied joint connects the same links.

    Raises
    ------
    RefactoringError
        If the row is the root or comes from another file.
    """
    require_editable(model, row)
    if row == 0:
        raise RefactoringError("the root of a file cannot be duplicated")
    document, element, owner = model.document, model.elements[row], int(model.owners[row])
    old = model.local_names[row]
    name = free_name(model, owner, f"{old}_copy")
    # Not the owner's element: members of a model that an older tool has flattened stand beside it.
    around = document.parent(element)
    assert around is not None
    siblings = around.children
    following = siblings.index(element) + 1
    before = siblings[following] if following < len(siblings) else None
    xml = element_source(document, element, set_name(document, element, name))
    copy = model.names[row][: -len(old)] + name
    return Edit(f"Duplicate {old}", insert_child(document, around, xml, before), added=(copy,))
