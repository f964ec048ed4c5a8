"""Elements and attributes that an older version of SDFormat does not have, by the element tables."""

from __future__ import annotations

from sdfviewer.document.edits import Replacements, insert_child, remove_element, replace_element, set_attribute
from sdfviewer.document.element import Element
from sdfviewer.document.tables import ElementDefinition, table
from sdfviewer.refactoring.versions.lowering import Lowering
from sdfviewer.versions import VERSIONS, format_version

#: What determines where something is or how it moves: a file that cannot express it is refused.
_MOVING = frozenset({"mimic", "joint", "include", "frame", "link", "model", "pose", "relative_to", "attached_to"})
#: A default that has changed: without the element an older program would take another value.
_CHANGED_DEFAULT = "sampling"


def lower_elements(lowering: Lowering) -> Replacements:
    """Return the edit that takes out what the older version does not know, translations left aside."""
    root = lowering.document.root
    assert root is not None
    own, older = table(lowering.model.version), table(lowering.target)
    return _lowered(lowering, root, own.root, older.root, ())


def _lowered(
    lowering: Lowering, element: Element, own: ElementDefinition, older: ElementDefinition, path: tuple[str, ...]
) -> Replacements:
    edits: Replacements = ()
    for name in element.attributes:
        if name in own.attributes and name not in older.attributes:
            lowering.lose(element, f"'{name}' of <{element.tag}> {_since(path, name)}; left out")
            edits += set_attribute(lowering.document, element, name, None)
    if own.allows_any_child:
        return edits
    for child in element.children:
        known, still = own.children.get(child.tag), older.children.get(child.tag)
        if known is None:
            continue
        inner = (*path, child.tag)
        if still is not None:
            edits += _lowered(lowering, child, known, still, inner)
        elif child.tag in _MOVING:
            lowering.refuse(child, f"<{child.tag}> of <{element.tag}> {_since(inner)}, and motion depends on it")
        elif element.tag == "geometry":
            lowering.lose(child, f"the shape <{child.tag}> {_since(inner)} and has no equivalent")
            edits += replace_element(lowering.document, child, "<empty/>")
        else:
            lowering.lose(child, f"<{child.tag}> of <{element.tag}> {_since(inner)}; left out")
            edits += remove_element(lowering.document, child)
    return edits + _changed_defaults(lowering, element, own, older)


def _changed_defaults(
    lowering: Lowering, element: Element, own: ElementDefinition, older: ElementDefinition
) -> Replacements:
    """Return the edit that writes a value which was another one by default."""
    tag = _CHANGED_DEFAULT
    was, default = older.children.get(tag), own.children.get(tag)
    if was is None or default is None or was.default == default.default or element.find(tag) is not None:
        return ()
    return insert_child(lowering.document, element, f"<{tag}>{default.default}</{tag}>")


def _since(path: tuple[str, ...], attribute: str = "") -> str:
    """Return in words since when there is an element or attribute."""
    for version in VERSIONS:
        definition = table(version).element("/".join(path))
        if definition is not None and (not attribute or attribute in definition.attributes):
            return f"is new in SDFormat {format_version(version)}"
    return "does not exist in that version"
