"""From a document to its meaning: build, check, resolve."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from sdfviewer.diagnostics import Diagnostic, Related
from sdfviewer.document.document import Document, paused_collection
from sdfviewer.document.element import Element
from sdfviewer.document.finder import Finder
from sdfviewer.semantics.build import Builder, ScopeCache
from sdfviewer.semantics.checks import check_graphs
from sdfviewer.semantics.include import Library, Shelf
from sdfviewer.semantics.kinds import Kind
from sdfviewer.semantics.kinematics.checks import check_mimics
from sdfviewer.semantics.model import Model
from sdfviewer.semantics.outside import explain_outside
from sdfviewer.semantics.placement import raw_pose_matrices
from sdfviewer.semantics.roots import build_root
from sdfviewer.semantics.scope import Finding, Place
from sdfviewer.transforms import Array

if TYPE_CHECKING:
    from sdfviewer.semantics.editing.fixes import Mender

#: Of a fault in a file that is included more often, only so many includes are named.
MAX_RELATED = 20


@dataclass
class Loader:
    """Loads a document, and its later snapshots at the cost of what has changed.

    Attributes
    ----------
    finder
        Finds included files.
    instead
        Documents that are included instead of what lies on the disk, by the resolved path of their file: unsaved ones.
        It may change from load to load.
    """

    finder: Finder = field(default_factory=Finder)
    instead: Mapping[Path, Document] = field(default_factory=dict, repr=False)
    _cache: ScopeCache = field(default_factory=ScopeCache, repr=False)

    def __post_init__(self) -> None:
        self._shelf = Shelf(self.instead)

    def load(self, document: Document) -> Model | None:
        """Return what a document means, or None where it has no meaning at all; see :func:`diagnose`."""
        return self.load_with_diagnostics(document)[0]

    def open_included(self, including: Sequence[Document], include: Element) -> Document | None:
        """Return the document that an ``<include>`` leads to, None where there is none.

        Parameters
        ----------
        including
            The files that lead to it, each including the next; the last one holds the include.
        """
        return Library(self.finder, self._shelf, including[0]).open(include, including[1:])

    def load_with_diagnostics(
        self, document: Document, including: Sequence[Document] = ()
    ) -> tuple[Model | None, tuple[Diagnostic, ...]]:
        """Return what a document means, None where no root can be read, and everything that is wrong with it.

        Parameters
        ----------
        document
            The file.
        including
            Files that include it, each the next: what it includes is looked for beside them too.
        """
        if document.root is None:
            return None, document.diagnostics
        with paused_collection():
            findings: list[Finding] = []
            builder = Builder(Library(self.finder, self._shelf, document, including), self._cache)
            scope, version = build_root(builder, document, document.root, findings)
            self._cache.turn()
            model = None
            if scope is not None:
                model = Model(document, version, scope, raw_pose_matrices(scope))
                findings += scope.findings
                findings += check_graphs(model)
                findings += check_mimics(model)
                for row, reposture in scope.repostures:
                    reposture(_pose_of(model, row))
            diagnostics = _diagnostics(document, _once(findings), model)
            diagnostics.sort(key=lambda diagnostic: _order(document, diagnostic))
            everything = (*document.diagnostics, *diagnostics)
            if model is not None:
                model.diagnostics = everything
        return model, everything


def _once(findings: list[Finding]) -> list[Finding]:
    """Return findings with those of files that are included more than once told once, with every include."""
    told: dict[tuple[object, ...], int] = {}
    result: list[Finding] = []
    for finding in findings:
        if finding.place.source is None:
            result.append(finding)
            continue
        key = (finding.rule.name, id(finding.place.element), finding.place.part, finding.message)
        number = told.setdefault(key, len(result))
        if number == len(result):
            result.append(finding)
        else:
            first = result[number]
            more = tuple(related for related in finding.related if related not in first.related)
            if len(first.related) < MAX_RELATED:
                result[number] = replace(first, related=(*first.related, *more))
    return result


def _pose_of(model: Model, row: int) -> Callable[[str], Array]:
    """Return the function that tells an interface model where its frames are."""

    is_merged = model.kinds[row] is not Kind.MODEL  # then its members are those of the scope around
    scope = int(model.scopes[row]) if is_merged else row
    prefix = model.member_prefix(scope)

    def pose(name: str) -> Array:
        return model.X_RootF[row] if name in ("", "__model__") else model.frame(prefix + name).pose

    return pose


def _order(document: Document, diagnostic: Diagnostic) -> int:
    """Return where in the file a diagnostic belongs: for one of an included file, where that is included."""
    spans = (diagnostic.span, *(related.span for related in reversed(diagnostic.related)))
    return next((span.start for span in spans if span is not None and span.path == document.name), -1)


def _diagnostics(document: Document, findings: list[Finding], model: Model | None) -> list[Diagnostic]:
    """Return findings with their places in the text and the ways to mend them."""
    if not findings:
        return []
    from sdfviewer.semantics.editing.fixes import Mender  # noqa: PLC0415  # needed only where something is wrong

    mender = Mender(model)
    return [_diagnostic(document, finding, model, mender) for finding in findings]


def _diagnostic(document: Document, finding: Finding, model: Model | None, mender: Mender) -> Diagnostic:
    """Return a finding with its places in the text."""

    def owner(place: Place) -> Document:
        return document if place.source is None else place.source

    place = finding.place
    file = owner(place)
    related = tuple(
        Related(message, owner(other).span(other.element, other.part)) for message, other in finding.related
    )
    fixes = tuple(mender.fixes(file, finding))
    severity = finding.severity or finding.rule.severity
    message = finding.message
    if finding.reference and finding.rows and model is not None:
        outside = explain_outside(model, finding.rows[0], finding.reference)
        # What it means outside is known: no need to guess what it may have meant inside.
        message = message.partition("; did you mean")[0] + outside if outside else message
    names = model.names if model is not None else []
    return Diagnostic(
        finding.rule,
        severity,
        message,
        file.span(place.element, place.part),
        related,
        fixes,
        tuple(names[row] for row in finding.rows if row < len(names)),
        finding.rule.libsdformat,
    )
