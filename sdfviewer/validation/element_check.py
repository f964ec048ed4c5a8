"""Elements, attributes and values against the element tables.

libsdformat converts a file to the newest version and then checks it against that version's tables, so these decide
what is an error; the tables of the file's own version say what its author could know, and word the warnings.

Two tables are woven into one tree of :class:`.ElementNode`, once for each version, and a model is checked by one
walk over dictionaries: 36 000 elements take some 40 ms.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple, TypeAlias

from sdfviewer.diagnostics import Message, Rule, Severity
from sdfviewer.document.element import Element
from sdfviewer.document.tables import AttributeDefinition
from sdfviewer.model.findings import ElementPart, Finding, Findings
from sdfviewer.model.kinds import VERTICES
from sdfviewer.model.names import is_reserved
from sdfviewer.model.near_names import offer_names
from sdfviewer.model.scope import Origin
from sdfviewer.validation import element_rules as rules
from sdfviewer.validation import name_rules
from sdfviewer.validation.element_tree import (
    SUCCESSORS,
    Advice,
    ElementNode,
    advise_misplaced,
    advise_pose_frame,
    advise_removed,
    element_tree,
    known_later,
    removed_in,
    since,
)
from sdfviewer.versions import POSE_FRAME, SCOPED_REFERENCES, format_version

#: Words that a wrong one may have meant.
Words: TypeAlias = tuple[str, ...]
#: Elements that no version knows and that Gazebo reads; its documentation asks for them.
_READ_BY_GAZEBO = frozenset({("sensor", "gz_frame_id"), ("sensor", "ignition_frame_id")})


class _Walk:
    """One walk over an element and what is in it, collecting findings.

    ``top`` is where it starts: a model or world, whose members' names are seen to when they are given out.
    """

    def __init__(self, origin: Origin, top: Element) -> None:
        self.origin = origin
        self.top = top
        self.version = format_version(origin.version)
        self.findings = Findings()
        self.stray_includes: list[Element] = []
        self.is_newer = False  # whether the walk is in something that is reported as newer than the file
        self._parents: dict[int, Element] = {}
        self._singles: dict[int, frozenset[str]] = {}

    def report(self, finding: Finding) -> None:
        self.findings.append(finding)

    def meant(self, rule: Rule, name: str, element: Element, node: ElementNode, *, is_attribute: bool = False) -> Words:
        """Return what a wrong tag in an element, or its attribute, may have meant."""
        if not self.findings.may_hint(rule):
            return ()
        # What is there already would be there twice.
        taken = element.attributes if is_attribute else self._single_in(element, node)
        return tuple(node.near[is_attribute].nearest(name, taken))

    def _single_in(self, element: Element, node: ElementNode) -> frozenset[str]:
        """Return the tags in an element of which there can be one only."""
        found = self._singles.get(id(element))
        if found is None:  # once for each element: it may have a hundred thousand children, all of them unknown
            found = self._singles[id(element)] = node.single.intersection(child.tag for child in element.children)
        return found

    def element(self, element: Element, node: ElementNode) -> None:
        """Check an element and everything below it, but for nested models, which are scopes of their own."""
        attributes = element.attributes
        if attributes or node.required:
            name = attributes.get("name") if node.wants_name and len(attributes) == 1 else None
            # A plain name alone needs no check.
            if not name or name[0] <= " " or name == "world" or name[:2] == "__" or "::" in name:
                self.attributes(element, node)
        right = node.right
        # A value that is right in one notation may be wrong in another.
        if right is not None and (element.text not in right or "rotation_format" in attributes):  # noqa: SIM102  # speed
            if not node.accepts(element):
                self.value(element, node)
        if node.contents is not None:
            self.findings += node.contents(element, self.origin)
        if node.needed_by_joint:
            self.needed(element, node)
        below: Sequence[Element] = element.children
        if element is self.top:  # a world has thousands of models, which are scopes of their own
            quiet = node.quiet_scopes
            below = [child for child in below if child.tag not in quiet]
        if not below or node.definition.allows_any_child:
            return
        named = self.children(element, below, node)
        if len(below) > 1:
            if named > 1 and element is not self.top:
                self.sibling_names(element, node.children)
            if len({child.tag for child in below}) < len(below):
                self.repeated(element, below, node)

    def children(self, element: Element, below: Sequence[Element], node: ElementNode) -> int:
        """Check what is in an element and return how much of it can have a name."""
        known, is_newer = node.children, self.is_newer
        named = 0
        for child in below:
            inner = known.get(child.tag)
            if inner is None:
                self.unknown(child, element, node)
                named += "name" in child.attributes
                continue
            if inner.default_name is not None:
                named += 1
            if inner.is_odd:
                self.age(child, element, inner)
            if child.attributes or child.children or inner.required or inner.contents is not None:
                if not inner.is_current:
                    self.given_up(child, inner)
                elif not (inner.is_scope and node.is_scope):
                    self.element(child, inner)
                    if child.tag == "include" and element is not self.top:
                        self.stray_includes.append(child)
            elif inner.right is not None and child.text not in inner.right and not inner.accepts(child):
                self.value(child, inner)
            if inner.is_odd:
                self.is_newer = is_newer
        return named

    def given_up(self, element: Element, node: ElementNode) -> None:
        """Check an element that the newest version does not have: libsdformat passes it by, all but the names in it."""
        around, self.findings = self.findings, Findings()
        self.element(element, node)
        around += self.findings.mapped(_without_effect)
        self.findings = around

    def needed(self, element: Element, node: ElementNode) -> None:
        """Report what a joint lacks."""
        for tag in node.needed_by_joint:
            if element.find(tag) is None:
                message = rules.missing_element.format(tag, element.tag)
                self.report(Finding(rules.missing_element, ElementPart(self.origin.source, element), message))

    def repeated(self, element: Element, below: Sequence[Element], node: ElementNode) -> None:
        """Report children that come again though the first one counts."""
        seen: set[str] = set()
        for child in below:
            if child.tag in seen and child.tag in node.single:
                message = rules.repeated_element.format(child.tag, element.tag)
                self.report(Finding(rules.repeated_element, ElementPart(self.origin.source, child), message))
            seen.add(child.tag)

    def attributes(self, element: Element, node: ElementNode) -> None:
        defined = node.definition.attributes
        attributes = element.attributes
        location = ElementPart(self.origin.source, element)
        for name, value in attributes.items():
            attribute = defined.get(name)
            if attribute is None:
                if name == "frame" and value == "__root__" and element.tag == "pose":  # which becomes relative_to
                    message = rules.bad_attribute_value.format(name, element.tag, "'__root__' is reserved")
                    self.report(Finding(rules.bad_attribute_value, _attribute_location(location, name), message))
                elif ":" not in name and not node.definition.allows_any_child:
                    self.unknown_attribute(element, node, name)
                continue
            if name not in node.own_attributes and node.is_known and value and not self.is_newer:
                self.newer_attribute(element, name)
            if attribute.type != "string" or not value.strip():
                self.attribute_value(element, attribute, value)
            elif name == "name":
                if value == "world" or value[:2] == "__" or "::" in value:
                    self.odd_name(element, value)
            elif value == "__root__" and (element.tag, name) in _FRAME_REFERENCES:
                message = rules.bad_attribute_value.format(name, element.tag, "'__root__' is reserved")
                self.report(Finding(rules.bad_attribute_value, _attribute_location(location, name), message))
        for name in node.required:
            if name not in attributes:
                message = rules.missing_attribute.format(name, element.tag)
                self.report(Finding(rules.missing_attribute, location, message))

    def odd_name(self, element: Element, name: str) -> None:
        """Report names that SDFormat keeps for itself, of what is no frame: visuals, collisions, sensors, lights ..."""
        location = ElementPart(self.origin.source, element, "@name")
        if element.tag in _SCOPED:
            return
        if element.tag in _RESERVING and is_reserved(name):
            self.report(Finding(name_rules.reserved_name, location, name_rules.reserved_name.format(element.tag, name)))
        elif "::" in name and self.origin.version >= SCOPED_REFERENCES and element.tag != "plugin":
            message = name_rules.separator_in_name.format(element.tag, name)
            self.report(Finding(name_rules.separator_in_name, location, message))

    def attribute_value(self, element: Element, attribute: AttributeDefinition, value: str) -> None:
        fault = attribute.check(value)
        if fault is None or (attribute.name == "name" and element.tag in _SCOPED and not fault.accepted):
            return  # `name_rules` reports an empty name of a link, joint, frame or model
        name = attribute.name
        if name == "name" and not value.strip():
            rule, message = name_rules.empty_name, name_rules.empty_name.format(element.tag)
        else:
            rule = rules.bad_attribute_value
            message = rule.format(name, element.tag, fault.message)
        severity = Severity.WARNING if fault.accepted else None
        self.report(Finding(rule, ElementPart(self.origin.source, element, f"@{name}"), message, severity=severity))

    def value(self, element: Element, node: ElementNode) -> None:
        fault = node.definition.check(element.text, element.attributes)
        if fault is None:
            return
        rule = rules.bad_value
        severity = Severity.WARNING if fault.accepted or not node.is_current else None
        location = ElementPart(self.origin.source, element, "text")
        self.report(Finding(rule, location, rule.format(element.tag, fault.message), severity=severity))

    def unknown(self, child: Element, element: Element, node: ElementNode) -> None:
        if ":" in child.tag:
            return
        if (element.tag, child.tag) in _READ_BY_GAZEBO:
            return
        if went := removed_in(element.tag, child.tag, self.origin.version):
            location, advice = ElementPart(self.origin.source, child), advise_removed(child, element)
            message = rules.removed.format(f"<{child.tag}>", went, advice.effect, advice.instead)
            self.report(Finding(rules.removed, location, message, fixes=advice.fixes))
        elif misplaced := advise_misplaced(child, element):
            message = rules.misplaced.format(misplaced.effect)
            location = ElementPart(self.origin.source, child)
            self.report(Finding(rules.misplaced, location, message, fixes=misplaced.fixes))
        else:
            rule = rules.unknown_element
            if not self.findings.leave_out(rule):
                later = known_later(element.tag, child.tag, self.origin.version)
                meant = () if later else self.meant(rule, child.tag, element, node)
                hint = Message("", f"only SDFormat {later} knows it") if later else offer_names(meant)
                message = rule.format(child.tag, element.tag, self.version, hint)
                self.report(Finding(rule, ElementPart(self.origin.source, child), message, meant=meant))
        if child.tag == "include":
            self.stray_includes.append(child)
        if child.children or child.attributes:
            self.foreign(child)

    def foreign(self, element: Element) -> None:
        """Check the names in what the tables do not know: libsdformat copies it and compares all names."""
        stack = [element]
        while stack:
            walk = stack.pop()
            if walk.tag != "plugin" and ":" not in walk.tag:
                name = walk.attributes.get("name", "")
                if "::" in name and self.origin.version >= SCOPED_REFERENCES:
                    rule, location = name_rules.separator_in_name, ElementPart(self.origin.source, walk, "@name")
                    self.report(Finding(rule, location, rule.format(walk.tag, name)))
                self.sibling_names(walk, {})
                stack.extend(walk.children)

    def unknown_attribute(self, element: Element, node: ElementNode, name: str) -> None:
        if name in node.own_attributes:
            return  # given up since
        if element.tag == "pose" and name == "frame" and self.origin.version < POSE_FRAME:
            self.newer_attribute(element, name)
            return
        if went := removed_in(element.tag, f"@{name}", self.origin.version):
            advice, became = Advice("it is ignored"), ""
            if element.tag == "pose" and (owner := self.parent(element)) is not None:
                advice, became = advise_pose_frame(element, owner), "relative_to"
            message = rules.removed.format(f"'{name}'", went, advice.effect, advice.instead, became)
            location = ElementPart(self.origin.source, element, f"@{name}")
            self.report(Finding(rules.removed, location, message, fixes=advice.fixes))
            return
        rule = rules.unknown_attribute
        if not self.findings.leave_out(rule):
            meant = self.meant(rule, name, element, node, is_attribute=True)
            message = rule.format(name, element.tag, self.version, offer_names(meant))
            self.report(Finding(rule, ElementPart(self.origin.source, element, f"@{name}"), message, meant=meant))

    def newer_attribute(self, element: Element, name: str) -> None:
        first = since(element.tag, f"@{name}", self.origin.version)
        message = rules.newer_attribute.format(name, element.tag, first, self.version)
        self.report(Finding(rules.newer_attribute, ElementPart(self.origin.source, element, f"@{name}"), message))

    def parent(self, element: Element) -> Element | None:
        """Return the element around another, None for the one where the walk began."""
        if not self._parents:
            stack = [self.top]
            while stack:
                parent = stack.pop()
                self._parents.update((id(child), parent) for child in parent.children)
                stack += parent.children
        return self._parents.get(id(element))

    def age(self, child: Element, element: Element, node: ElementNode) -> None:
        """Report an element that the file's own version does not know yet, or that has been given up."""
        location = ElementPart(self.origin.source, child)
        if not node.is_known:
            if not self.is_newer:
                first = since(element.tag, child.tag, self.origin.version)
                message = rules.newer_element.format(child.tag, element.tag, first, self.version)
                self.report(Finding(rules.newer_element, location, message))
            self.is_newer = True  # one message for all that is in it
        elif node.is_deprecated:
            what, instead = f"<{child.tag}> inside <{element.tag}>", SUCCESSORS.get((element.tag, child.tag), "")
            message = rules.deprecated.format(what, instead)
            self.report(Finding(rules.deprecated, location, message))

    def sibling_names(self, element: Element, known: dict[str, ElementNode]) -> None:
        """Report reserved and equal names below a link, a joint, a sensor ...; models and worlds see to their own."""
        holders: dict[str, Element] = {}
        for child in element.children:
            below = known.get(child.tag)
            name = child.word("name") or (below.default_name if below is not None else None)
            if not name or child.tag == "plugin":
                continue
            holder = holders.setdefault(name, child)
            if holder is child:
                continue
            location = ElementPart(self.origin.source, child, "@name")
            related = ((f"'{name}' is first used here", ElementPart(self.origin.source, holder, "@name")),)
            rule = name_rules.duplicate_name if holder.tag == child.tag else name_rules.shared_name
            self.report(Finding(rule, location, rule.format(child.tag, name, holder.tag), related=related))


def _without_effect(finding: Finding) -> Finding:
    """Return a finding on what is ignored: only equal names in it matter."""
    if finding.rule in (name_rules.duplicate_name, name_rules.shared_name):
        return finding
    return replace(finding, severity=Severity.WARNING)


_FRAME_REFERENCES = {
    ("frame", "attached_to"),
    ("pose", "relative_to"),
    ("model", "placement_frame"),
    ("model", "canonical_link"),
    ("custom_rpy", "parent_frame"),
}
#: Others that must not have a reserved name.
_RESERVING = frozenset(("visual", "collision", "sensor", "light", "physics", "projector", "particle_emitter"))
#: Whose names are given out by :class:`~sdfviewer.validation.name_rules.NameRegister`.
_SCOPED: frozenset[str] = VERTICES


def _attribute_location(location: ElementPart, name: str) -> ElementPart:
    return ElementPart(location.source, location.element, f"@{name}")


def _node_of(kind: str, origin: Origin) -> ElementNode:
    root = element_tree(origin.version)
    return root if kind == "sdf" else root.children[kind]


class SchemaReport(NamedTuple):
    """What the element tables say against an element, and the includes in it that bring nothing.

    libsdformat follows every ``<include>``, wherever it is, but only those in models and worlds bring a model.
    """

    findings: Findings
    stray_includes: list[Element]


def check_schema(element: Element, kind: str, origin: Origin) -> SchemaReport:
    """Return the findings of the element tables on an element and its contents, without nested models.

    Parameters
    ----------
    element
        A model, world, light or actor.
    kind
        Its tag.
    origin
        Where it comes from.
    """
    walk = _Walk(origin, element)
    walk.element(element, _node_of(kind, origin))
    return SchemaReport(walk.findings, walk.stray_includes)


def check_root(root: Element, origin: Origin) -> Findings:
    """Return the findings of the element tables on the ``<sdf>`` element and unknown elements in it."""
    walk = _Walk(origin, root)
    node = _node_of("sdf", origin)
    for child in root.children:
        if child.tag not in node.children:
            walk.unknown(child, root, node)
    for name in root.attributes:
        if name not in node.definition.attributes and ":" not in name:
            walk.unknown_attribute(root, node, name)
    return walk.findings
