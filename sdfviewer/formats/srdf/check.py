"""Check an SRDF against its robot. Names of links and joints in it are references, which are checked as all others."""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import partial

from sdfviewer.diagnostics import Message
from sdfviewer.document.document import Document
from sdfviewer.document.edits import Replacements, remove_element, set_attribute
from sdfviewer.document.element import Element
from sdfviewer.formats.srdf.semantics import GroupState, JointGroup, Semantics, chain_rows
from sdfviewer.model.findings import ElementPart, Finding
from sdfviewer.model.near_names import nearest, offer_names
from sdfviewer.model.scope import Scope, WrittenJoint
from sdfviewer.validation import srdf_rules as rules


def check_semantics(semantics: Semantics, scope: Scope) -> Iterator[Finding]:
    """Yield what is wrong with an SRDF.

    Parameters
    ----------
    semantics
        What the file says.
    scope
        The robot that it is about.
    """
    joints = {joint.row: joint for joint in scope.joints}
    groups: set[tuple[str, ...]] = set()
    for group in semantics.groups:
        what = Message(f"two groups are called '{group.name}'", "rename one")
        yield from _repeated(groups, (group.name,), what, group.element)
        for child in group.element.findall("group"):
            yield from _check_group(semantics, child, "name", f"group '{group.name}'")
        yield from _check_chains(group, scope)
    yield from _check_velocities(semantics, scope, joints)
    states: set[tuple[str, ...]] = set()
    for state in semantics.states:
        key = state.group, state.name
        what = Message(f"two states of group '{state.group}' are called '{state.name}'", "rename one")
        yield from _repeated(states, key, what, state.element)
        yield from _check_group(semantics, state.element, "group", f"state '{state.name}'")
        yield from _check_state(state, scope, joints)
    for effector in semantics.end_effectors:
        for attribute in ("group", "parent_group"):
            yield from _check_group(semantics, effector.element, attribute, f"end effector '{effector.name}'")
    pairs: set[frozenset[str]] = set()
    for pair in semantics.disabled:
        if pair.first == pair.second:
            what = Message(f"link '{pair.first}' is never tested against itself", "remove this pair")
            yield _useless(what, pair.element)
        elif pair.links in pairs:
            what = Message(f"the pair '{pair.first}' and '{pair.second}' is disabled above already", "remove this one")
            yield _useless(what, pair.element)
        pairs.add(pair.links)


def _repeated(seen: set[tuple[str, ...]], key: tuple[str, ...], what: str, element: Element) -> Iterator[Finding]:
    if key in seen:
        yield Finding(rules.srdf_repeated, ElementPart(None, element, "@name"), what)
    seen.add(key)


def _useless(what: str, element: Element) -> Finding:
    fix = ("remove it", partial(_without, element))
    return Finding(rules.srdf_repeated, ElementPart(None, element), what, fixes=(fix,))


def _without(element: Element, document: Document) -> Replacements:
    return remove_element(document, element)


def _check_group(semantics: Semantics, element: Element, attribute: str, what: str) -> Iterator[Finding]:
    name = element.attributes.get(attribute, "")
    if not name or semantics.group(name) is not None:
        return
    meant = nearest(name, [group.name for group in semantics.groups])
    message = rules.srdf_name_unknown.format(what, name, offer_names(meant))
    location = ElementPart(None, element, f"@{attribute}")
    yield Finding(rules.srdf_name_unknown, location, message, meant=tuple(meant))


def _check_chains(group: JointGroup, scope: Scope) -> Iterator[Finding]:
    for (base, tip), element in zip(group.chains, group.element.findall("chain"), strict=True):
        first, last = scope.lookup(base), scope.lookup(tip)
        if first is None or last is None or chain_rows(scope.joints, first, last) is not None:
            continue
        is_reversed = chain_rows(scope.joints, last, first) is not None
        hint = Message("", "the other way round it is one") if is_reversed else ""
        message = rules.srdf_not_a_chain.format(group.name, base, tip, hint)
        fixes = (("swap the ends of the chain", partial(_swapped, element)),) if is_reversed else ()
        yield Finding(rules.srdf_not_a_chain, ElementPart(None, element), message, (first, last), fixes=fixes)


def _swapped(chain: Element, document: Document) -> Replacements:
    base, tip = chain.attributes["base_link"], chain.attributes["tip_link"]
    return (*set_attribute(document, chain, "base_link", tip), *set_attribute(document, chain, "tip_link", base))


def _check_state(state: GroupState, scope: Scope, joints: dict[int, WrittenJoint]) -> Iterator[Finding]:
    for element in state.element.findall("joint"):
        name = element.attributes.get("name", "")
        row = scope.lookup(name)
        joint = None if row is None else joints.get(row)
        positions = state.positions.get(name, ())
        why = ""
        if not positions:
            why = f"at '{element.attributes.get('value', '')}', which is no number"
        elif joint is not None and len(joint.axes) == len(positions) == 1:
            axis, position = joint.axes[0], positions[0]
            if not axis.lower - _ROUNDING <= position <= axis.upper + _ROUNDING:
                why = f"at {position:g}, outside of its limits {axis.lower:g} and {axis.upper:g}"
        if why:
            message = rules.srdf_state.format(state.name, name, why)
            rows = () if row is None else (row,)
            yield Finding(rules.srdf_state, ElementPart(None, element, "@value"), message, rows)


#: Radians or metres: states are written with four digits.
_ROUNDING = 1e-4


def _check_velocities(semantics: Semantics, scope: Scope, joints: dict[int, WrittenJoint]) -> Iterator[Finding]:
    """Yield the joints of groups whose motion MoveIt cannot time, each once."""
    passive = {scope.lookup(name) for name in semantics.passive_joints}
    seen: set[int] = set()
    for group in semantics.groups:
        rows = [scope.lookup(name) for name in group.joints]
        rows += [joint.row for link in group.links for joint in scope.joints if joint.child == scope.lookup(link)]
        for base, tip in group.chains:
            rows += chain_rows(scope.joints, scope.lookup(base), scope.lookup(tip)) or ()
        for row in rows:
            joint = None if row is None or row in seen or row in passive else joints.get(row)
            if joint is None or not joint.axes or joint.type == "fixed" or joint.axes[0].mimic is not None:
                continue
            seen.add(joint.row)
            if not 0.0 < joint.axes[0].velocity < math.inf:
                message = rules.srdf_no_velocity.format(scope.local_names[joint.row], group.name)
                yield Finding(rules.srdf_no_velocity, ElementPart(None, group.element), message, (joint.row,))
