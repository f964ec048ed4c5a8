"""The element tables of two versions woven into one tree, and what takes the place of names that came and went.

The element tables of all versions know when something came and when it went; what takes its place is declared here.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import cache, lru_cache
from typing import NamedTuple

from sdfviewer.diagnostics import Message
from sdfviewer.document.document import Document
from sdfviewer.document.edits import (
    Replacements,
    element_source,
    insert_child,
    remove_element,
    replace_element,
    set_attribute,
)
from sdfviewer.document.element import Element
from sdfviewer.document.tables import ElementDefinition, table
from sdfviewer.document.xml.parse import escape
from sdfviewer.model.findings import Finding, MakeEdits
from sdfviewer.model.near_names import NearNames
from sdfviewer.model.scope import Origin
from sdfviewer.model.values import parse_bool
from sdfviewer.validation.content_rules import CONTENTS
from sdfviewer.versions import NEWEST, VERSIONS, Version, format_version

#: Texts already found right are remembered for each element, up to this many.
_REMEMBERED_TEXTS = 20_000

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
        if len(self.right) >= _REMEMBERED_TEXTS:
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


#: What to write instead of a deprecated child, by the tag of the element and that of the child.
SUCCESSORS = {
    ("joint", "thread_pitch"): "write <screw_thread_pitch>, which is -2π divided by it",
    ("camera", "optical_frame_id"): "write <frame_id> in the <sensor>",
    ("joint_state", "angle"): "write <axis_state> with a <position>, and <axis2_state> for the second axis",
    ("link_state", "velocity"): "write <linear_velocity> and <angular_velocity>",
    ("link_state", "acceleration"): "write <linear_acceleration> and <angular_acceleration>",
    ("link_state", "wrench"): "write <force> and <torque>",
}
#: Answers about so many names are kept: a file that has a wrong one often has it many times.
_REMEMBERED = 4096


class Advice(NamedTuple):
    """What a message about an element or attribute adds: what happens to it, what to write, and the fixes."""

    effect: str
    instead: str = ""
    fixes: tuple[tuple[str, MakeEdits], ...] = ()


@cache
def _known_pairs(version: Version) -> frozenset[tuple[str, str]]:
    """Return every pair of an element and a child, or an ``@attribute``, that a version knows."""
    pairs: set[tuple[str, str]] = set()
    seen: set[int] = set()
    stack: list[ElementDefinition] = [table(version).root]
    while stack:
        definition = stack.pop()
        if id(definition) in seen:
            continue
        seen.add(id(definition))
        pairs |= {(definition.tag, f"@{name}") for name in definition.attributes}
        for tag, child in definition.children.items():
            pairs.add((definition.tag, tag))
            stack.append(child)
    return frozenset(pairs)


@lru_cache(maxsize=_REMEMBERED)
def since(parent: str, part: str, version: Version) -> str:
    """Return the first version after one that knows a child, or an ``@attribute``, of an element; empty if none."""
    later = (each for each in VERSIONS if each > version and (parent, part) in _known_pairs(each))
    return next(map(format_version, later), "")


@lru_cache(maxsize=1)
def _ever_known() -> frozenset[tuple[str, str]]:
    """Return what any version knows: a file may hold a million other names, of which none is worth remembering."""
    return frozenset().union(*map(_known_pairs, VERSIONS))


def read_all_versions() -> None:
    """Read the element tables of all versions, which takes 150 ms: the first message about an unknown name needs them.

    It may be called in another thread.
    """
    _ever_known()


def removed_in(parent: str, part: str, version: Version) -> str:
    """Return the version, this one or an earlier one, that took something away; empty if none has known it."""
    return _removed_in(parent, part, version) if (parent, part) in _ever_known() else ""


@lru_cache(maxsize=_REMEMBERED)
def _removed_in(parent: str, part: str, version: Version) -> str:
    if (parent, part) in _known_pairs(version):
        return ""  # known in another place: it was never here
    number = VERSIONS.index(version)
    while number > 0:
        if (parent, part) in _known_pairs(VERSIONS[number - 1]):
            return format_version(VERSIONS[number])
        number -= 1
    return ""


def known_later(parent: str, part: str, version: Version) -> str:
    """Return which later versions know something, ``1.5 to 1.6``; empty if none does."""
    return _known_later(parent, part, version) if (parent, part) in _ever_known() else ""


@lru_cache(maxsize=_REMEMBERED)
def _known_later(parent: str, part: str, version: Version) -> str:
    later = [each for each in VERSIONS if each > version and (parent, part) in _known_pairs(each)]
    if not later:
        return ""
    first, last = format_version(later[0]), format_version(later[-1])
    return first if first == last else f"{first} to {last}"


# --- what is written instead ---------------------------------------------------------------------------------------


def advise_removed(element: Element, parent: Element) -> Advice:
    """Return the successor of an element of an earlier version."""
    if element.tag == "use_parent_model_frame":
        return _use_parent_model_frame(element, parent)
    if element.tag == "frame":
        return Advice("it is ignored", "Write the <frame> in the <model> or <world>, with attached_to")
    if parent.tag == "physics" and element.tag in ("gravity", "magnetic_field"):
        move = (f"move <{element.tag}> to the <world>", lambda document: _moved_to_world(document, element, parent))
        return Advice("it is ignored, so the world has its default", "Write it in the <world>", (move,))
    remove = ("remove it", lambda document: remove_element(document, element))
    return Advice("it is ignored", fixes=(remove,))


def _moved_to_world(document: Document, element: Element, physics: Element) -> Replacements:
    """Return the edit that moves a property of the physics to the world, where it is since SDFormat 1.6."""
    edits = remove_element(document, element)
    worlds = (each for each in document.root.descendants() if each.tag == "world") if document.root is not None else ()
    world = next((each for each in worlds if any(child is physics for child in each.children)), None)
    if world is None or world.find(element.tag) is not None:
        return edits
    return (*edits, *insert_child(document, world, element_source(document, element), physics))


def _use_parent_model_frame(element: Element, axis: Element) -> Advice:
    effect = "it is ignored, so the axis is read in the joint frame"
    xyz = axis.find("xyz")
    remove = ("remove <use_parent_model_frame>, which is ignored", lambda document: remove_element(document, element))
    if not parse_bool(element.text) or (xyz is not None and "expressed_in" in xyz.attributes):
        return Advice("it is ignored", fixes=(remove,))

    def express(document: Document) -> Replacements:
        if xyz is None:
            new = insert_child(document, axis, '<xyz expressed_in="__model__">0 0 1</xyz>')
        else:
            new = set_attribute(document, xyz, "expressed_in", "__model__")
        return (*remove_element(document, element), *new)

    fixes = (('write <xyz expressed_in="__model__"> instead', express), remove)
    return Advice(effect, 'Write <xyz expressed_in="__model__">', fixes)


def advise_pose_frame(pose: Element, owner: Element) -> Advice:
    """Return the successor of the attribute ``frame`` of a ``<pose>``: ``relative_to`` since 1.7."""
    name = pose.attributes["frame"]
    what = f"'{owner.word('name')}'" if owner.word("name") else f"the <{owner.tag}>"
    remove = ("remove frame, which is ignored", lambda document: set_attribute(document, pose, "frame", None))
    if "relative_to" in pose.attributes or not name or owner.tag == "inertial":
        return Advice("it is ignored", fixes=(remove,))
    rename = (
        f"write relative_to='{name}' instead",
        lambda document: (
            *set_attribute(document, pose, "frame", None),
            *set_attribute(document, pose, "relative_to", name),
        ),
    )
    default = {"joint": "its child", "model": "what is around it", "link": "the model"}.get(owner.tag, "its default")
    return Advice(f"it is ignored, so {what} is measured from {default}", "Write relative_to", (rename, remove))


# --- what is in the wrong place ------------------------------------------------------------------------------------

#: Where elements belong that are often written elsewhere.
_HOMES = {
    **dict.fromkeys(("link", "joint", "frame", "include"), "model"),
    **dict.fromkeys(("visual", "collision", "inertial", "sensor"), "link"),
    "axis": "joint",
    "axis2": "joint",
    "limit": "axis",
    "mimic": "axis",
    "geometry": "visual",
}


def advise_misplaced(element: Element, parent: Element) -> Advice | None:
    """Return advice for an element that is unknown in its parent but valid elsewhere; None if unknown everywhere."""
    tag = element.tag
    if tag in ("frame", "joint") and parent.tag == "include":
        return _proposed_in_include(element, parent)
    home = _HOMES.get(tag)
    if home is None or home == parent.tag:
        return None
    fixes: tuple[tuple[str, MakeEdits], ...] = ()
    if tag == "link" and parent.tag == "world":
        fixes = (("put this <link> into a <model>", lambda document: _wrapped(document, element, parent)),)
    article = "an" if home[0] in "aeio" else "a"
    return Advice(Message(f"{_article(tag)} <{tag}> belongs in {article} <{home}>", "it is ignored here"), fixes=fixes)


def _article(tag: str) -> str:
    return "an" if tag[0] in "aeio" else "a"


def _wrapped(document: Document, link: Element, world: Element) -> Replacements:
    """Return the edit that puts a link into a model of its own."""
    taken = set(_names(world))
    name = link.word("name") or "model"
    while name in taken:
        name += "_model"
    source = element_source(document, link)
    indented = source.replace("\n", "\n  ")
    return replace_element(document, link, f'<model name="{escape(name, chr(34))}">\n  {indented}\n</model>')


def _names(world: Element) -> Iterator[str]:
    for child in world.children:
        if child.tag != "link":
            yield child.given_name


def _proposed_in_include(element: Element, include: Element) -> Advice:
    """Return the replacement of a ``<frame>`` or ``<joint>`` in an ``<include>``, which was only proposed."""
    name = include.included_name
    if element.tag == "frame":
        target = element.word("attached_to")
        example = f"attached_to='{name}::{target}'" if target else f"attached_to='{name}'"
    else:
        child = element.text_of("child")
        example = f"<child>{name}::{child}</child>" if child else f"names such as '{name}::link'"
    return Advice(
        Message(
            f"a <{element.tag}> in an <include> was proposed and never became part of SDFormat",
            f"it is ignored. Write it beside the <include>, with {example}",
        )
    )
