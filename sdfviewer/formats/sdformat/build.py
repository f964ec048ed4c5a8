"""Build scopes from elements: one model or world at a time, with resolved references and diagnostics."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from sdfviewer.diagnostics import Severity
from sdfviewer.document.element import Element
from sdfviewer.formats.sdformat.composition import Composer, Composition, FlattenedModel, unflatten
from sdfviewer.formats.sdformat.include import IncludeResolver, Inclusion
from sdfviewer.formats.sdformat.members import (
    add_joint,
    add_link,
    add_missing,
    add_posed,
    leave_unplaced,
    note_newer_reference,
    resolve_joint,
    resolve_mimics,
)
from sdfviewer.formats.sdformat.settings import RawPoses, place_by_frame, set_static
from sdfviewer.formats.xacro.expansion import Expander
from sdfviewer.model.findings import ElementPart, FaultyEdge, Finding, Source
from sdfviewer.model.graph import ROOT, UNRESOLVED
from sdfviewer.model.kinds import Kind
from sdfviewer.model.model import Model
from sdfviewer.model.names import did_you_mean, merged_frame, reference_hint
from sdfviewer.model.scope import ANY_NAME, FailedInclude, Origin, Scope, WrittenJoint
from sdfviewer.model.values import parse_bool
from sdfviewer.validation import file_rules as files_rules
from sdfviewer.validation import frame_rules, joint_rules, name_rules
from sdfviewer.validation.element_check import check_schema
from sdfviewer.validation.name_rules import NameRegister
from sdfviewer.versions import SCOPED_REFERENCES

#: A file holds no more rows than this, and composing it takes no more than :data:`MAX_COMPOSED` (a row that is nested
#: five levels deep is copied five times): a handful of small files that include each other often would exhaust memory.
MAX_ROWS = 100_000
MAX_COMPOSED = 800_000
#: A file holds no more worlds and models beside each other.
MAX_TOPS = 10_000
#: Models are nested no deeper than this, those of included files counted too.
MAX_MODEL_DEPTH = 100
#: The default names of elements with an optional name, which libsdformat still compares with those of siblings.
_DEFAULT_NAMES = {"physics": "default_physics"}


class ScopeCache:
    """The scopes of the last load by element, so that an edit costs only what it touches.

    Attributes
    ----------
    raw_poses
        The raw poses of the last load.
    model
        The model of the last load.
    """

    def __init__(self) -> None:
        self.raw_poses = RawPoses()
        self.model: Model | None = None
        self._last: dict[Origin, dict[int, Scope]] = {}
        self._next: dict[Origin, dict[int, Scope]] = {}
        self._last_worlds: dict[str, Composition] = {}
        self._next_worlds: dict[str, Composition] = {}

    def find(self, element: Element, origin: Origin) -> Scope | None:
        """Return the scope that was built from the same element before, None if there is none."""
        scope = self._last.get(origin, {}).get(id(element)) if self._last else None
        if scope is not None:
            self.keep(element, scope, origin)
        return scope

    def keep(self, element: Element, scope: Scope, origin: Origin) -> None:
        """Remember the scope of an element; it keeps the element alive, so that the identity stays its own."""
        self._next.setdefault(origin, {})[id(element)] = scope

    def keep_all(self, elements: Iterable[Element], scopes: Iterable[Scope], origin: Origin) -> None:
        """Remember the scopes of several elements."""
        self._next.setdefault(origin, {}).update(zip(map(id, elements), scopes, strict=True))

    def find_world(self, name: str) -> Composition | None:
        """Return how a world was composed before, None if it was not there."""
        return self._last_worlds.get(name)

    def keep_world(self, name: str, composition: Composition) -> None:
        """Remember how a world was composed."""
        self._next_worlds[name] = composition

    def borrowed(self) -> ScopeCache:
        """Return a cache that finds what this one holds now; what is put into either is not seen by the other."""
        cache = ScopeCache()
        cache._last, cache._last_worlds = self._last, self._last_worlds
        cache.raw_poses, cache.model = self.raw_poses.copy(), self.model
        return cache

    def turn(self, *, forget: bool = True) -> None:
        """End a load, and forget what it has not used."""
        if not forget:
            for origin, scopes in self._last.items():
                self._next[origin] = scopes | self._next.get(origin, {})
        self._last, self._next = self._next, {}
        self._last_worlds, self._next_worlds = self._next_worlds, {}


class Builder:
    """Builds scopes for one load.

    Parameters
    ----------
    resolver
        Answers includes.
    cache
        Scopes of the load before.
    expander
        Evaluates xacro files.

    Attributes
    ----------
    path
        The names of the models that are being built, from the top model of the file down.
    included_as
        The name that an include gives the model that is built next, empty where it gives none.
    """

    def __init__(self, resolver: IncludeResolver, cache: ScopeCache, expander: Expander) -> None:
        self.resolver = resolver
        self.expander = expander
        self._cache = cache
        self._depth = 0
        self.path: list[str] = []
        self.included_as = ""

    def build_world(self, element: Element, origin: Origin) -> Scope:
        """Return the scope of a ``<world>``."""
        scope = Scope()
        scope.add_row(Kind.WORLD, element.word("name"), element, origin.source, -1, (0.0,) * 6, None)
        self._check(scope, element, "world", origin)
        rows = self._add_members_of_world(scope, element, Origin(origin.source, origin.version, 0, True))
        self._resolve(scope, origin, rows)
        scope.static[0] = True
        return scope

    def _add_members_of_world(self, scope: Scope, world: Element, origin: Origin) -> Sequence[int]:
        """Append the rows of all members of a world; runs of models that are as they were at the last load at once.

        Return the rows whose targets are to be resolved.
        """
        register, last = NameRegister(scope, origin.source, origin.version), self._cache.find_world(scope.names[0])
        limits = {"most_rows": MAX_ROWS, "most_composed": MAX_COMPOSED}
        kinds, attached_to = scope.kinds, scope.attached_to
        composer = Composer(scope, register, origin, world.children, last, **limits)
        while True:
            elements, scopes = composer.take_over()
            if elements:
                self._cache.keep_all(elements, scopes, origin)
            child = composer.begin()
            if child is None:
                break
            first = len(kinds)
            self._add_member(scope, register, child, origin)
            for row, kind in enumerate(kinds[first:], first):
                if kind is Kind.MODEL and attached_to[row] == ROOT:
                    attached_to[row] = 0  # static models, nested ones too, are fixed in the world around them
            composer.end()
        composition = composer.composition
        if origin.source is None:
            self._cache.keep_world(scope.names[0], composition)
        return [*composer.open_rows, *add_missing(scope, origin, MAX_ROWS)]

    def build_model(self, element: Element, origin: Origin, static: bool | None = None) -> Scope:
        """Return the scope of a ``<model>``, the one of the last load if its text has not changed.

        Parameters
        ----------
        element
            The ``<model>``.
        origin
            Where it comes from.
        static
            What an include says in place of the model's own ``<static>``, None if it says nothing.
        """
        reusable = origin.source is None
        if reusable and (known := self._cache.find(element, origin)):
            return known
        scope = Scope()
        add_posed(scope, origin, Kind.MODEL, element.word("name"), element, -1)
        self._check(scope, element, "model", origin)
        if static is None:
            static = parse_bool(element.text_of("static"))
        self._depth += 1
        self.path.append(self.included_as or element.word("name"))
        self.included_as = ""
        self._fill_model(scope, element.children, origin, element.word("canonical_link"), static)
        self.path.pop()
        self._depth -= 1
        scope.placement_frame = element.word("placement_frame") or None
        if scope.placement_frame is not None:
            place_by_frame(scope, ElementPart(origin.source, element, "@placement_frame"))
        if reusable and not scope.has_includes:
            self._cache.keep(element, scope, origin)
        return scope

    def _check(self, scope: Scope, element: Element, kind: str, origin: Origin) -> None:
        """Check a model or world against the element tables, and that what it includes in vain can be found."""
        report = check_schema(element, kind, origin)
        scope.findings += report.findings
        for include in report.stray_includes:
            scope.has_includes = True
            scope.findings += self.resolver.look_up(include, origin)

    def _build_flattened(self, model: FlattenedModel, origin: Origin) -> Scope:
        """Return the scope of a nested model that is written flattened into the model around."""
        scope = Scope(prefix=model.prefix)
        if model.frame is not None:
            add_posed(scope, origin, Kind.MODEL, model.name, model.frame, -1)
            canonical = model.frame.word("attached_to")
        else:
            scope.add_row(Kind.MODEL, model.name, model.members[0], origin.source, -1, (0.0,) * 6, None)
            canonical = ""
        self._fill_model(scope, model.members, origin, canonical, static=False)
        return scope

    def _fill_model(
        self, scope: Scope, children: Sequence[Element], origin: Origin, canonical_link: str, static: bool
    ) -> None:
        self._add_members(scope, children, origin)
        scope.canonical_link = self._canonical_link(scope, origin, canonical_link, static)
        scope.attached_to[0] = scope.canonical_link
        self._resolve(scope, origin, [row for row, holder in enumerate(scope.scopes) if holder == 0])
        if static:
            set_static(scope)

    def _add_members(self, scope: Scope, children: Sequence[Element], origin: Origin) -> None:
        """Append the rows of all members of a model in document order."""
        children, flattened = unflatten(children, scope.prefix, origin)
        register = NameRegister(scope, origin.source, origin.version)
        for child in children:
            self._add_member(scope, register, child, origin)
        for model in flattened:
            if model.members:
                nested = self._build_flattened(model, origin.nested)
                self._nest(scope, nested, model.name, origin.source, model.members[0])
        add_missing(scope, origin, MAX_ROWS)

    def _add_member(self, scope: Scope, register: NameRegister, child: Element, origin: Origin) -> None:
        """Append the rows of a child of a model or world."""
        tag = child.tag
        if len(scope.kinds) >= MAX_ROWS:
            self._report_too_large(scope, _name(scope, child), ElementPart(origin.source, child), tag)
            return
        if tag == "include":
            self._include(scope, register, child, origin)
        elif tag == "model":
            name = register.claim(child, _name(scope, child))
            if self._may_nest(scope, name, origin.source, child):
                inner = origin if scope.is_world else origin.nested
                self._nest(scope, self.build_model(child, inner), name, origin.source, child)
        elif tag == "link":
            if not scope.is_world:
                self._enlist(scope, add_link(scope, origin, child, register.claim(child, _name(scope, child))))
        elif tag == "joint":
            self._enlist(scope, add_joint(scope, origin, child, register.claim(child, _name(scope, child))))
        elif tag == "frame":
            attached_to = child.word("attached_to") or None
            name = register.claim(child, _name(scope, child))
            self._enlist(scope, add_posed(scope, origin, Kind.FRAME, name, child, 0, attached_to))
        elif scope.is_world and tag in ("light", "actor"):
            name = register.note(child, child.word("name"))
            add_posed(scope, origin, Kind(tag), name, child, 0)
        elif tag != "plugin" and (other := child.word("name") or _DEFAULT_NAMES.get(tag)):
            register.note(child, other)

    @staticmethod
    def _enlist(scope: Scope, row: int) -> None:
        scope.members.setdefault(scope.names[row], row)

    def _may_nest(self, scope: Scope, name: str, source: Source, element: Element) -> bool:
        """Return whether another model may be built inside a scope at all, and report it if not."""
        if self._depth < MAX_MODEL_DEPTH and scope.composed < MAX_COMPOSED:
            return True
        location = ElementPart(source, element)
        if self._depth >= MAX_MODEL_DEPTH:
            rule = files_rules.models_too_deep
            scope.findings.append(Finding(rule, location, rule.format(name, MAX_MODEL_DEPTH)))
        else:
            self._report_too_large(scope, name, location)
        scope.missing.add(name)
        return False

    @staticmethod
    def _report_too_large(scope: Scope, name: str, location: ElementPart, tag: str = "model") -> None:
        rule = files_rules.too_large
        scope.missing.add(name)
        if scope.findings.leave_out(rule):
            return
        what = f"{MAX_ROWS:,} links, joints, frames and shapes"
        scope.findings.append(Finding(rule, location, rule.format(tag, name, what)))

    def _fits(self, scope: Scope, nested: Scope, name: str, source: Source, element: Element) -> bool:
        """Return whether a model can be added without the file growing beyond all bounds, and report it if not.

        Everything is counted before it is copied. What building the model took counts even where it does not fit.
        """
        cost = scope.cost_of(nested, name)
        scope.composed += nested.composed
        fits = len(scope) + len(nested) <= MAX_ROWS and scope.composed + cost <= MAX_COMPOSED
        if fits:
            scope.composed += cost
        else:
            self._report_too_large(scope, name, ElementPart(source, element))
        return fits

    def _nest(self, scope: Scope, nested: Scope, name: str, source: Source, element: Element) -> None:
        if not self._fits(scope, nested, name, source, element):
            return
        row = scope.add_scope(nested, name)
        scope.nested.setdefault(name, (nested, row))
        scope.members.setdefault(name, row)

    def _include(self, scope: Scope, register: NameRegister, element: Element, origin: Origin) -> None:
        scope.has_includes = True
        if not self._may_nest(scope, element.text_of("name") or element.text_of("uri"), origin.source, element):
            return
        inclusion = self.resolver.include(self, element, origin, scope.is_world)
        scope.findings += [finding.shifted(len(scope)) for finding in inclusion.findings]
        included = inclusion.scope
        if included is not None and origin.version >= SCOPED_REFERENCES:
            scope.findings += _check_separators(included, ElementPart(origin.source, element))
        if included is None:
            problems = tuple(finding.message for finding in inclusion.findings)
            failed = FailedInclude(-1, 0, inclusion.name, element.text_of("uri"), element, origin.source, problems)
            scope.failed_includes.append(failed)
            if inclusion.name:
                scope.missing.add(inclusion.name)
            if not element.text_of("name"):
                scope.missing.add(ANY_NAME)
        elif included.kinds[0] is not Kind.MODEL:
            name = register.note(element, inclusion.name)
            scope.add_scope(included, name)
        elif inclusion.is_merged:
            self._merge(scope, register, inclusion, element, origin)
        else:
            name = register.claim(element, inclusion.name, "model")
            self._nest(scope, included, name, origin.source, element)

    def _merge(
        self, scope: Scope, register: NameRegister, inclusion: Inclusion, element: Element, origin: Origin
    ) -> None:
        included = inclusion.scope
        assert included is not None
        if not self._fits(scope, included, inclusion.name, origin.source, element):
            return
        frame = merged_frame(inclusion.name)
        register.claim_merged(element, included, frame, len(scope))
        scope.merge_scope(included, frame, element, origin.source)

    def _canonical_link(self, scope: Scope, origin: Origin, written: str, static: bool) -> int:
        """Return the row of a model's canonical link, UNRESOLVED if it has none."""
        element = scope.elements[0]
        if written:
            row = scope.lookup(written)
            if row is not None and scope.kinds[row] is Kind.LINK:
                return row
            if scope.leans_on_missing(written):
                return UNRESOLVED
            links = [name for name, kind in zip(scope.names, scope.kinds, strict=True) if kind is Kind.LINK]
            rule = joint_rules.canonical_link_invalid
            message = rule.format(written, did_you_mean(written, links))
            location = ElementPart(origin.source, element, "@canonical_link")
            severity = origin.leniency if static else None
            finding = Finding(rule, location, message, (0,), severity=severity, reference=written)
            edges = (FaultyEdge(0, "canonical_link"),)
            scope.findings.append(replace(finding, attribute="canonical_link", edges=edges))
            return UNRESOLVED
        for row, kind in enumerate(scope.kinds):
            if kind is Kind.LINK and scope.owners[row] == 0:
                return row
        for nested, offset in scope.nested.values():
            if nested.canonical_link >= 0:
                return nested.canonical_link + offset
        if not static and not scope.nested and not scope.missing:
            rule = joint_rules.model_without_link
            scope.findings.append(Finding(rule, ElementPart(origin.source, element), rule.format(scope.names[0]), (0,)))
        return UNRESOLVED

    def _resolve(self, scope: Scope, origin: Origin, rows: Sequence[int]) -> None:
        """Set the targets of rows that this scope itself names, nested models' own frames included."""
        joints: list[WrittenJoint] = []
        frame, joint_kind, bodies = Kind.FRAME, Kind.JOINT, (Kind.LINK, Kind.MODEL)  # slow to reach for each row
        kinds, relative_to, attached_to = scope.kinds, scope.relative_to, scope.attached_to
        for row in rows:
            if row == 0 or row in scope.settled:
                continue
            kind = kinds[row]
            default = 0
            if kind is frame:
                written = scope.attached_to_written[row]
                if written is not None:
                    default = self._reference(scope, origin, row, written, "attached_to")
                if attached_to[row] == ROOT:  # else it represents a merged model, whose link is known
                    attached_to[row] = default
            elif kind is joint_kind:
                joint = resolve_joint(scope, origin, row)
                joints.append(joint)
                default = attached_to[row] = joint.child
            elif kind not in bodies:
                default = attached_to[row] = scope.owners[row]
            written = scope.relative_to_written[row]
            relative_to[row] = (
                default if written is None else self._reference(scope, origin, row, written, "relative_to")
            )
        leave_unplaced(scope)
        resolve_mimics(scope, origin, joints)
        if joints:
            scope.joints = sorted(scope.joints + joints, key=lambda joint: joint.row)

    def _reference(self, scope: Scope, origin: Origin, row: int, name: str, attribute: str) -> int:
        """Return the row that ``name`` means, or UNRESOLVED and a finding."""
        target = scope.lookup(name)
        element, source = scope.elements[row], scope.sources[row]
        if target is not None:
            if origin.version < SCOPED_REFERENCES:
                pose = element.find("pose") if attribute == "relative_to" else None
                note_newer_reference(
                    scope, origin, row, ElementPart(source, pose or element, f"@{attribute}"), name, target
                )
            return target
        if scope.leans_on_missing(name):
            return UNRESOLVED
        severity, own_name, edges = None, scope.names[row], (FaultyEdge(row, attribute),)
        if attribute == "attached_to":
            rule, location = frame_rules.attached_to_invalid, ElementPart(source, element, "@attached_to")
            message = rule.format(name, reference_hint(scope, rule, name, own_name))
        else:
            pose = element.find("pose") or element
            attribute = "frame" if "frame" in pose.attributes else "relative_to"
            rule, location = frame_rules.relative_to_invalid, ElementPart(source, pose, f"@{attribute}")
            message = rule.format(name, reference_hint(scope, rule, name, own_name), attribute)
            if not scope.kinds[row].is_vertex:  # which libsdformat asks for only when somebody asks for the pose
                severity = Severity.WARNING
        finding = Finding(rule, location, message, (row,), severity=severity, reference=name, attribute=attribute)
        scope.findings.append(replace(finding, edges=edges))
        return UNRESOLVED


def _check_separators(included: Scope, location: ElementPart) -> Iterable[Finding]:
    """Yield findings of names with ``::`` in an older file, which a file of 1.8 or newer includes.

    Notes
    -----
    Source: libsdformat, ``readDoc``, which looks for them in a file with everything that it includes.
    """
    for element, source in zip(included.elements[1:], included.sources[1:], strict=True):
        name = element.attributes.get("name", "")
        if "::" in name and source is not None:
            rule = name_rules.separator_in_name
            related = (("included from here", location),)
            yield Finding(rule, ElementPart(source, element, "@name"), rule.format(element.tag, name), related=related)


def _name(scope: Scope, element: Element) -> str:
    """Return the name that an element gives itself inside its scope."""
    return element.word("name").removeprefix(scope.prefix)
