"""From elements to scopes: one model or world at a time, every reference in it resolved, every fault noted."""

from __future__ import annotations

import numpy as np

from sdfviewer.document.element import Element
from sdfviewer.semantics import graph
from sdfviewer.semantics.graph import ROOT, UNRESOLVED, Rows
from sdfviewer.semantics.include import Inclusion, Library
from sdfviewer.semantics.kinds import Kind
from sdfviewer.semantics.members import Origin, add_joint, add_link, add_posed, resolve_axes_names, resolve_joint
from sdfviewer.semantics.names import NameRegister, did_you_mean, reference_hint
from sdfviewer.semantics.rules import attached_to as attached_to_rules
from sdfviewer.semantics.rules import joints as joint_rules
from sdfviewer.semantics.rules import relative_to as relative_to_rules
from sdfviewer.semantics.schema import check_schema
from sdfviewer.semantics.scope import Finding, Place, Scope, WrittenJoint
from sdfviewer.semantics.values import parse_bool
from sdfviewer.transforms import Array, invert, pose_to_matrix


class ScopeCache:
    """The scopes of the last load by element, so that an edit costs only what it touches."""

    def __init__(self) -> None:
        self._last: dict[tuple[int, Origin], Scope] = {}
        self._next: dict[tuple[int, Origin], Scope] = {}

    def find(self, element: Element, origin: Origin) -> Scope | None:
        """Return the scope made from the very same element before, None if there is none."""
        key = (id(element), origin)
        scope = self._last.get(key)
        if scope is not None:
            self._next[key] = scope
        return scope

    def keep(self, element: Element, origin: Origin, scope: Scope) -> None:
        """Remember a scope; it keeps its element alive, so the element's identity stays its own."""
        self._next[(id(element), origin)] = scope

    def turn(self) -> None:
        """Forget what the load that ends now has not used."""
        self._last, self._next = self._next, {}


class Builder:
    """Builds scopes for one load.

    Parameters
    ----------
    library
        Answers includes.
    cache
        Scopes of the load before.
    """

    def __init__(self, library: Library, cache: ScopeCache) -> None:
        self._library = library
        self._cache = cache

    def build_world(self, element: Element, origin: Origin) -> Scope:
        """Return the scope of a ``<world>``."""
        scope = Scope()
        scope.add_row(Kind.WORLD, element.attributes.get("name", ""), element, origin.source, -1, (0.0,) * 6, None)
        scope.findings += check_schema(element, "world", origin)
        self._add_members(scope, element, origin)
        self._resolve(scope, origin)
        scope.static[0] = True
        return scope

    def build_model(self, element: Element, origin: Origin) -> Scope:
        """Return the scope of a ``<model>``, the one of the last load if its text has not changed."""
        reusable = origin.source is None
        if reusable and (known := self._cache.find(element, origin)):
            return known
        scope = Scope()
        add_posed(scope, origin, Kind.MODEL, element.attributes.get("name", ""), element, -1)
        scope.findings += check_schema(element, "model", origin)
        self._add_members(scope, element, origin)
        scope.canonical_link = self._canonical_link(scope, origin)
        scope.attached_to[0] = scope.canonical_link
        self._resolve(scope, origin)
        scope.placement_frame = element.attributes.get("placement_frame") or None
        place_by_frame(scope, Place(origin.source, element, "@placement_frame"))
        set_static(scope, parse_bool(element.text_of("static")))
        if reusable and not scope.has_includes:
            self._cache.keep(element, origin, scope)
        return scope

    def _add_members(self, scope: Scope, element: Element, origin: Origin) -> None:
        """Append the rows of all members in document order."""
        inner = Origin(origin.source, origin.version, origin.depth + 1) if not scope.is_world else origin
        nested: list[tuple[Element, Scope]] = []
        inclusions: dict[int, Inclusion] = {}
        for child in element.children:
            if child.tag == "model":
                nested.append((child, self.build_model(child, inner)))
            elif child.tag == "include":
                scope.has_includes = True
                inclusion = self._library.include(self, child, origin)
                scope.findings += inclusion.findings
                inclusions[id(child)] = inclusion
        names = self._name_members(scope, element, origin, inclusions)
        models = dict((id(child), model) for child, model in nested)
        for child in element.children:
            name = names.get(id(child))
            if name is None:
                continue
            tag = child.tag
            if tag == "link":
                row = add_link(scope, origin, child, name)
            elif tag == "joint":
                row = add_joint(scope, origin, child, name)
            elif tag == "frame":
                attached_to = child.attributes.get("attached_to") or None
                row = add_posed(scope, origin, Kind.FRAME, name, child, 0, attached_to)
            elif tag == "model":
                row = self._add_nested(scope, models[id(child)], name)
            elif tag == "include":
                row = self._add_nested(scope, inclusions[id(child)].scope, name)
            else:
                add_posed(scope, origin, Kind(tag), name, child, 0)
                continue
            scope.members.setdefault(name, row)

    def _add_nested(self, scope: Scope, nested: Scope, name: str) -> int:
        row = scope.add_scope(nested, name)
        scope.nested.setdefault(name, (nested, row))
        return row

    def _name_members(
        self, scope: Scope, element: Element, origin: Origin, inclusions: dict[int, Inclusion]
    ) -> dict[int, str]:
        """Return the name of each member by its element's identity.

        Names are given out to models first, then links, joints and frames: the order in which libsdformat fills a
        scope, which decides who is renamed when an old file lets names clash.
        """
        register = NameRegister(scope, origin.source, origin.version)
        names: dict[int, str] = {}
        others = ("light", "actor") if scope.is_world else ()
        tags = ("model", "include"), ("link",), ("joint",), ("frame",), others
        if scope.is_world:  # a world has no links, and joints only since 1.10 (and in 1.5 and older)
            tags = ("model", "include"), ("joint",), ("frame",), others
        for group in tags:
            for child in element.children:
                if child.tag not in group:
                    continue
                if child.tag == "include":
                    inclusion = inclusions[id(child)]
                    if inclusion.scope is not None:
                        names[id(child)] = register.claim(child, inclusion.name)
                elif child.tag in others:
                    names[id(child)] = child.attributes.get("name", "")
                else:
                    names[id(child)] = register.claim(child, child.attributes.get("name", ""))
        return names

    def _canonical_link(self, scope: Scope, origin: Origin) -> int:
        """Return the row of a model's canonical link, UNRESOLVED if it has none."""
        element = scope.elements[0]
        written = element.attributes.get("canonical_link")
        if written:
            row = scope.lookup(written)
            if row is not None and scope.kinds[row] is Kind.LINK:
                return row
            links = [name for name, kind in zip(scope.names, scope.kinds, strict=True) if kind is Kind.LINK]
            rule = joint_rules.canonical_link_invalid
            message = rule.format(written, did_you_mean(written, links))
            scope.findings.append(Finding(rule, Place(origin.source, element, "@canonical_link"), message, (0,)))
            return UNRESOLVED
        for row, kind in enumerate(scope.kinds):
            if kind is Kind.LINK and scope.owners[row] == 0:
                return row
        for nested, offset in scope.nested.values():
            if nested.canonical_link >= 0:
                return nested.canonical_link + offset
        if not parse_bool(element.text_of("static")) and not scope.nested:
            rule = joint_rules.model_without_link
            message = rule.format(element.attributes.get("name", ""))
            scope.findings.append(Finding(rule, Place(origin.source, element), message, (0,)))
        return UNRESOLVED

    def _resolve(self, scope: Scope, origin: Origin) -> None:
        """Set the targets of the rows that this scope itself names, nested models' own frames included."""
        joints: list[WrittenJoint] = []
        kinds, relative_to, attached_to = scope.kinds, scope.relative_to, scope.attached_to
        for row in range(1, len(kinds)):
            if scope.scopes[row] != 0:
                continue
            kind = kinds[row]
            default = 0
            if kind is Kind.FRAME:
                written = scope.attached_to_written[row]
                if written is not None:
                    default = self._reference(scope, row, written, "attached_to")
                attached_to[row] = default
            elif kind is Kind.JOINT:
                joint = resolve_joint(scope, origin, row)
                joints.append(joint)
                default = attached_to[row] = joint.child
            elif kind is Kind.MODEL:
                if attached_to[row] == ROOT:  # static models are fixed in the world around them
                    attached_to[row] = 0 if scope.is_world else ROOT
            elif kind is not Kind.LINK:
                default = attached_to[row] = scope.owners[row]
            written = scope.relative_to_written[row]
            relative_to[row] = default if written is None else self._reference(scope, row, written, "relative_to")
        resolve_axes_names(scope, origin, joints)
        scope.joints += joints

    def _reference(self, scope: Scope, row: int, name: str, attribute: str) -> int:
        """Return the row that ``name`` means, or UNRESOLVED and a finding."""
        target = scope.lookup(name)
        if target is not None:
            return target
        element, source = scope.elements[row], scope.sources[row]
        if attribute == "attached_to":
            rule, place = attached_to_rules.attached_to_invalid, Place(source, element, "@attached_to")
        else:
            pose = element.find("pose") or element
            part = "@relative_to" if "relative_to" in pose.attributes else "@frame"
            rule, place = relative_to_rules.relative_to_invalid, Place(source, pose, part)
        scope.findings.append(Finding(rule, place, rule.format(name, reference_hint(scope, name)), (row,)))
        return UNRESOLVED


def raw_pose_matrices(scope: Scope) -> Array:
    """Return the raw poses of all rows as matrices (n, 4, 4)."""
    X = pose_to_matrix(np.array(scope.raw_poses, dtype=np.float64).reshape(-1, 6))
    for row, exact in scope.exact_poses.items():
        X[row] = exact
    return X


def place_by_frame(scope: Scope, place: Place) -> None:
    """Turn the pose of a model's placement frame P into that of the model M: X_RM = X_RP · X_PM."""
    name = scope.placement_frame
    if name is None:
        return
    frame = scope.lookup(name)
    if frame is None:
        rule = relative_to_rules.placement_frame_invalid
        scope.findings.append(Finding(rule, place, rule.format(name, reference_hint(scope, name)), (0,)))
        return
    parents: Rows = np.array(scope.relative_to, dtype=np.int64)
    X_RP = raw_pose_matrices(scope)
    X_MP = graph.resolve(parents, X_RP)[frame]
    if np.isfinite(X_MP).all():
        scope.exact_poses[0] = X_RP[0] @ invert(X_MP)
        scope.placement_frames[0] = frame


def set_static(scope: Scope, static: bool) -> None:
    """Fix a model, and all in it, in the world (a model inside a static one is static too)."""
    if static:
        scope.static = [True] * len(scope)
        scope.attached_to[0] = ROOT
