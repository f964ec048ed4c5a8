"""Override what an included file writes, in ``<experimental:params>`` of the include: that file stays as it is."""

from __future__ import annotations

from sdfviewer.document.document import Document
from sdfviewer.document.edits import Edit, Replacements, format_attribute, insert_child, replace_element, set_text
from sdfviewer.document.element import Element
from sdfviewer.model.kinds import Kind
from sdfviewer.model.model import Model
from sdfviewer.model.values import parse_bool
from sdfviewer.refactoring.editable import RefactoringError
from sdfviewer.versions import format_version

PARAMS = "experimental:params"
_NAMESPACE = "http://sdformat.org/schemas/experimental"
#: First version of SDFormat whose includes have parameters.
_FIRST = (1, 8)
#: What has a pose that an include can override.
_POSED = frozenset(
    {Kind.LINK, Kind.JOINT, Kind.FRAME, Kind.MODEL, Kind.VISUAL, Kind.COLLISION, Kind.SENSOR, Kind.LIGHT}
)


def why_not_overridden(model: Model, row: int) -> str | None:
    """Return why the pose of a thing cannot be overridden in an include, None where it can."""
    include = model.include_of(row)
    name = model.local_names[row]
    if include is None:
        return f"'{name}' is not in a model that this file includes"
    if model.kinds[row] not in _POSED:
        return f"a {model.kinds[row].value} has no pose that an include could override"
    if model.version < _FIRST:
        return f"includes have parameters from SDFormat {format_version(_FIRST)} on; convert the file first"
    if model.elements[row].tag == "include":
        return f"'{name}' is included by the file that this file includes; override what is in it, or its place there"
    return None


def override_pose(model: Model, row: int, numbers: str) -> Edit:
    """Return the edit by which an include gives something in its model another pose.

    Parameters
    ----------
    numbers
        ``x y z roll pitch yaw`` in metres and radians, measured as the pose in the included file is.

    Raises
    ------
    RefactoringError
        If that is not possible.
    """
    include = model.include_of(row)
    if (why := why_not_overridden(model, row)) is not None or include is None:
        raise RefactoringError(why or "")
    document, element, target = model.document, model.elements[include], model.elements[row]
    # What is merged is called as in the model around the include.
    holder = include if model.kinds[include] is Kind.MODEL else int(model.owners[include])
    path = model.names[row].removeprefix(model.member_prefix(holder))
    label = f"Override the pose of {path} in the include"
    return Edit(label, document, _pose(document, element, target, path, numbers))


def _pose(document: Document, include: Element, target: Element, path: str, numbers: str) -> Replacements:
    params = include.find(PARAMS)
    changes = [] if params is None else params.findall(target.tag)
    change = next((each for each in changes if each.attributes.get("element_id") == path), None)
    action = None if change is None else change.attributes.get("action")
    if change is not None and action in ("remove", "replace", "add"):
        raise RefactoringError(f"the include already has {action} for '{path}'; edit it there")
    if change is not None and (pose := change.find("pose")) is not None:
        if set(pose.attributes) - {"action"}:
            return replace_element(document, pose, _written(target, numbers, pose.attributes.get("action", "")))
        return set_text(document, pose, numbers)
    # What is modified has to be there; a pose that is not written is added.
    xml = _written(target, numbers, "" if action == "modify" else "modify" if target.find("pose") else "add")
    if change is not None:
        if action == "modify" and target.find("pose") is None:
            raise RefactoringError(f"the include modifies '{path}', which writes no pose; add one there by hand")
        return insert_child(document, change, xml)
    xml = f"<{target.tag} {format_attribute('element_id', path)}>\n  {xml}\n</{target.tag}>"
    if params is not None:
        return insert_child(document, params, xml)
    root = document.root
    is_declared = root is not None and "xmlns:experimental" in root.attributes
    namespace = "" if is_declared else f" {format_attribute('xmlns:experimental', _NAMESPACE)}"
    inner = xml.replace("\n", "\n  ")
    return insert_child(document, include, f"<{PARAMS}{namespace}>\n  {inner}\n</{PARAMS}>")


def _written(target: Element, numbers: str, action: str) -> str:
    """Return a pose in metres and radians, whatever the included one is written in."""
    written = target.find("pose")
    own = {} if written is None else written.attributes
    attributes = {"action": action} if action else {}
    if parse_bool(own.get("degrees", "")):
        attributes["degrees"] = "false"
    if own.get("rotation_format", "euler_rpy") != "euler_rpy":
        attributes["rotation_format"] = "euler_rpy"
    return f"<pose{''.join(' ' + format_attribute(*each) for each in attributes.items())}>{numbers}</pose>"
