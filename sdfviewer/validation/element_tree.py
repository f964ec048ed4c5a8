"""The element tables of two versions, the newest and a file's own, woven into one tree."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import lru_cache

from sdfviewer.document.element import Element
from sdfviewer.document.tables import ElementDefinition, table
from sdfviewer.model.findings import Finding
from sdfviewer.model.near_names import NearNames
from sdfviewer.model.scope import Origin
from sdfviewer.validation.content_rules import CONTENTS
from sdfviewer.versions import NEWEST, VERSIONS, Version

#: Texts already found right are remembered for each element, up to this many.
_REMEMBERED = 20_000

# Too short to be out of range.
_NUMBER = r"[+-]?(?:[0-9]{1,99}\.?[0-9]{0,17}|\.[0-9]{1,17})(?:[eE][+-]?[0-9]{1,2})?"
_PLAIN_POSE = re.compile(rf"\s*{_NUMBER}(?:\s+{_NUMBER}){{5}}\s*")


class ElementNode:
    """An element as two versions define it: the newest, which decides, and the file's own.

    Attributes
    ----------
    definition
        The newest definition, or the file's own where the newest version has none.
    children
        Nodes of the children that either version knows.
    is_known, is_current
        Whether the file's own version knows it, whether the newest does.
    is_deprecated
        Whether the file's own version has given it up, or the newest where the own one does not know it.
    is_odd
        Whether one of the two versions does not know it, or it is deprecated.
    is_scope
        Whether it is a world, or a model that is a scope of its own.
    required, own_attributes
        Names of the attributes that must be given, and of those that the file's own version knows.
    single
        Tags of the children of which only the first counts.
    default_name, wants_name
        What a missing name represents, None where it can have no name; whether it needs no other attribute.
    right
        Texts that are known to be of the right type, None where any text is.
    contents
        Yields what else is wrong with the element.
    """

    __slots__ = (
        "_near",
        "_quiet_scopes",
        "children",
        "contents",
        "default_name",
        "definition",
        "is_current",
        "is_deprecated",
        "is_known",
        "is_odd",
        "is_scope",
        "needed_by_joint",
        "own_attributes",
        "required",
        "right",
        "single",
        "wants_name",
    )

    def __init__(self, newest: ElementDefinition | None, own: ElementDefinition | None) -> None:
        definition = newest or own
        assert definition is not None
        self.definition = definition
        self.is_known = is_known = own is not None
        self.is_current = is_current = newest is not None
        self.own_attributes = frozenset(own.attributes) if own is not None else frozenset()
        self.children: dict[str, ElementNode] = {}
        self._near: tuple[NearNames, NearNames] | None = None
        self._quiet_scopes: frozenset[str] | None = None
        self.required = tuple(name for name, attribute in definition.attributes.items() if attribute.is_required)
        takes_any_text = definition.type is None or (definition.type == "string" and definition.cardinality != "1")
        self.right: set[str] | None = None if takes_any_text else set()
        self.single: frozenset[str] = frozenset()
        # Other required elements than those of joints are added by libsdformat, with their defaults.
        needed = (tag for tag, child in definition.children.items() if child.is_required)
        self.needed_by_joint = tuple(needed) if definition.tag == "joint" else ()
        self.is_deprecated = (own or definition).is_deprecated
        self.is_odd = not (is_known and is_current) or self.is_deprecated
        self.contents: Callable[[Element, Origin], Iterable[Finding]] | None = None
        name = definition.attributes.get("name")
        self.default_name = name.default if name is not None else None
        self.wants_name = self.default_name is not None and set(self.required) <= {"name"}
        self.is_scope = False

    @property
    def near(self) -> tuple[NearNames, NearNames]:
        """What a wrong tag in it may have meant, and a wrong attribute."""
        if self._near is None:
            self._near = NearNames(self.children), NearNames(self.definition.attributes)
        return self._near

    @property
    def quiet_scopes(self) -> frozenset[str]:
        """The tags of children in which another check looks, and about which nothing is reported here."""
        if self._quiet_scopes is None:
            self._quiet_scopes = frozenset(
                tag
                for tag, child in self.children.items()
                if self.is_scope and child.is_scope and not child.is_odd and tag not in self.single
            )
        return self._quiet_scopes

    def accepts(self, element: Element) -> bool:
        """Return whether a value is right at first sight: seen before, or written the plain way."""
        text = element.text
        if "rotation_format" in element.attributes:
            return self.definition.check(text, element.attributes) is None
        if self.right is None or text in self.right:
            return True
        plain = self.definition.type == "pose" and _PLAIN_POSE.fullmatch(text) is not None
        if not plain and self.definition.check(text, element.attributes) is not None:
            return False
        if len(self.right) >= _REMEMBERED:
            self.right.clear()
        self.right.add(text)
        return True


@lru_cache(maxsize=len(VERSIONS))
def element_tree(version: Version) -> ElementNode:
    """Return the node of the root element for files of a version."""
    newest = table(NEWEST).root
    return _weave({}, newest, newest if version == NEWEST else table(version).root, "")


def _weave(
    made: dict[tuple[int, int, str], ElementNode],
    newest: ElementDefinition | None,
    own: ElementDefinition | None,
    parent: str,
) -> ElementNode:
    """Return the node of an element by its definitions in the newest version and in a file's own, and all below it."""
    definition = newest or own
    assert definition is not None
    contents = CONTENTS.get((parent, definition.tag)) or CONTENTS.get(("", definition.tag))
    key = (id(newest), id(own), parent if (parent, definition.tag) in CONTENTS else "")
    node = made.get(key)
    if node is not None:
        return node
    node = made[key] = ElementNode(newest, own)
    node.contents = contents
    node.is_scope = definition.tag == "world" or (definition.tag == "model" and parent in ("sdf", "world", "model"))
    single = set()
    for tag in {**(own.children if own else {}), **(newest.children if newest else {})}:
        newest_child = newest.children.get(tag) if newest else None
        own_child = own.children.get(tag) if own else None
        child = node.children[tag] = _weave(made, newest_child, own_child, definition.tag)
        if not child.definition.is_repeatable and child.default_name is None:  # what has a name may come again
            single.add(tag)
    node.single = frozenset(single)
    return node
