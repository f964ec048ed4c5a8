"""From a document to its meaning: build, check, resolve."""

from __future__ import annotations

from dataclasses import dataclass, field

from sdfviewer.diagnostics import Diagnostic, Fix, Related
from sdfviewer.document.document import Document, paused_collection
from sdfviewer.document.element import Element
from sdfviewer.document.finder import Finder
from sdfviewer.semantics.build import Builder, ScopeCache, raw_pose_matrices
from sdfviewer.semantics.checks import check_graphs
from sdfviewer.semantics.include import Library
from sdfviewer.semantics.kinds import Kind
from sdfviewer.semantics.kinematics_checks import check_mimics
from sdfviewer.semantics.members import Origin, add_posed
from sdfviewer.semantics.model import Model
from sdfviewer.semantics.rules import schema as rules
from sdfviewer.semantics.scope import Finding, Place, Scope
from sdfviewer.semantics.values import NEWEST, Version, parse_version

_ROOTS = ("world", "model", "light", "actor")


@dataclass
class Loader:
    """Loads a document, and its later snapshots at the cost of what has changed.

    Attributes
    ----------
    finder
        Finds included files.
    """

    finder: Finder = field(default_factory=Finder)
    _cache: ScopeCache = field(default_factory=ScopeCache, repr=False)

    def load(self, document: Document) -> Model | None:
        """Return what a document means, or None where it has no meaning at all; see :func:`diagnose`."""
        return self.load_with_diagnostics(document)[0]

    def load_with_diagnostics(self, document: Document) -> tuple[Model | None, tuple[Diagnostic, ...]]:
        """Return what a document means, None where no root can be read, and everything that is wrong with it."""
        if document.root is None:
            return None, document.diagnostics
        with paused_collection():
            findings: list[Finding] = []
            scope, version = self._build_root(document, document.root, findings)
            self._cache.turn()
            model = None
            if scope is not None:
                model = Model(document, version, scope, raw_pose_matrices(scope))
                findings += scope.findings
                findings += check_graphs(model)
                findings += check_mimics(model)
            names = model.names if model is not None else []
            diagnostics = [_diagnostic(document, finding, names) for finding in findings]
            diagnostics.sort(key=lambda diagnostic: diagnostic.span.start if diagnostic.span else -1)
            everything = (*document.diagnostics, *diagnostics)
            if model is not None:
                model.diagnostics = everything
        return model, everything

    def _build_root(self, document: Document, root: Element, findings: list[Finding]) -> tuple[Scope | None, Version]:
        """Return the scope of the file's first model or world, and the file's version."""
        if root.tag not in ("sdf", "gazebo"):
            message = rules.not_sdformat.format(root.tag)
            findings.append(Finding(rules.not_sdformat, Place(None, root), message))
            return None, NEWEST
        version = self._read_version(root, findings)
        builder = Builder(Library(self.finder, document.path), self._cache)
        tops = [child for child in root.children if child.tag in _ROOTS]
        worlds = [child for child in tops if child.tag == "world"]
        top = worlds[0] if worlds else tops[0] if tops else None
        if top is None:
            findings.append(Finding(rules.no_root, Place(None, root), rules.no_root.format(root.tag)))
            return None, version
        for other in tops:
            if other is not top:
                place = Place(None, other)
                severity = None if version >= (1, 9) else rules.unknown_element.severity
                message = rules.several_roots.format(other.tag)
                findings.append(Finding(rules.several_roots, place, message, severity=severity))
        origin = Origin(None, version)
        if top.tag == "world":
            return builder.build_world(top, origin), version
        if top.tag == "model":
            return builder.build_model(top, origin), version
        scope = Scope()
        add_posed(scope, origin, Kind(top.tag), top.attributes.get("name", ""), top, -1)
        return scope, version

    def _read_version(self, root: Element, findings: list[Finding]) -> Version:
        written = root.attributes.get("version")
        if written is None:
            findings.append(Finding(rules.version_missing, Place(None, root), rules.version_missing.format()))
            return NEWEST
        version = parse_version(written)
        if version is None or version > NEWEST:
            message = rules.version_unsupported.format(written)
            findings.append(Finding(rules.version_unsupported, Place(None, root, "@version"), message))
            return NEWEST
        return version


def _diagnostic(document: Document, finding: Finding, names: list[str]) -> Diagnostic:
    """Return a finding with its places in the text."""

    def owner(place: Place) -> Document:
        return document if place.source is None else place.source

    place = finding.place
    file = owner(place)
    related = tuple(
        Related(message, owner(other).span(other.element, other.part)) for message, other in finding.related
    )
    fixes = tuple(Fix(label, file.name, make_edits(file)) for label, make_edits in finding.fixes)
    severity = finding.severity or finding.rule.severity
    return Diagnostic(
        finding.rule,
        severity,
        finding.message,
        file.span(place.element, place.part),
        related,
        fixes,
        tuple(names[row] for row in finding.rows),
        finding.rule.libsdformat,
    )
