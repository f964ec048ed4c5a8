"""Load a model from a document: build, check, resolve."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, TypeAlias

import numpy as np

from sdfviewer.diagnostics import (
    DeferredFixes,
    Diagnostic,
    Edge,
    Fix,
    Message,
    Related,
    Replacement,
    SdfViewerError,
    Severity,
)
from sdfviewer.document import text_rules
from sdfviewer.document.document import Document, internal_error
from sdfviewer.document.element import Element
from sdfviewer.document.text_rules import misplaced_instruction
from sdfviewer.faults import FOREIGN_ERRORS, describe_error, log_fault
from sdfviewer.files.finder import Finder
from sdfviewer.files.opening import read_source
from sdfviewer.formats.expansion import ExpandedDocument
from sdfviewer.formats.registry import broken_plugins, reader_of
from sdfviewer.formats.sdformat.build import MAX_TOPS, Builder, ScopeCache
from sdfviewer.formats.sdformat.include import DocumentCache, IncludeResolver
from sdfviewer.formats.sdformat.settings import raw_pose_matrices
from sdfviewer.formats.written_rows import with_holders
from sdfviewer.formats.xacro.decisions import NamedFiles
from sdfviewer.formats.xacro.expansion import Expander
from sdfviewer.garbage_collection import paused_collection
from sdfviewer.logs import RoomLog
from sdfviewer.model.findings import ElementPart, Finding, Findings
from sdfviewer.model.kinds import Kind
from sdfviewer.model.model import Model
from sdfviewer.model.near_names import nearest, offer_names
from sdfviewer.model.outside import explain_outside
from sdfviewer.model.scope import FramePoses, Origin, Scope
from sdfviewer.transforms import Array, invert
from sdfviewer.validation.element_rules import not_sdformat
from sdfviewer.validation.file_rules import plugin_failed
from sdfviewer.validation.frame_rules import check_graphs, check_mimics, check_private_names, check_references
from sdfviewer.validation.migration_rules import check_migration

if TYPE_CHECKING:
    from sdfviewer.formats.interface import ModelParser

_LOG = RoomLog("formats")

#: Loads a file again after an edit: the file and the document that it becomes.
Rebuild: TypeAlias = Callable[[Document, Document], tuple[Model | None, Findings]]


class FixProvider(Protocol):
    """Offers quick fixes for the findings of one load."""

    def has_candidates(self, file: Document, finding: Finding) -> bool:
        """Return whether it is worthwhile to ask for the fixes of a finding."""
        ...

    def fixes(self, file: Document, finding: Finding) -> Iterator[Fix]:
        """Yield the quick fixes of a finding in the file where it is, the likeliest first."""
        ...


#: Larger models have no quick fixes: to try one out is to load the file again, which takes seconds.
MOST_ROWS_WITH_FIXES = 100_000
#: Makes a provider of a model, None where nothing can be read, and everything that is wrong with it.
OfferFixes: TypeAlias = Callable[[Model | None, Findings, Rebuild], FixProvider]

#: What files with another root element are that people mistake for models.
_OTHERS = {
    "COLLADA": Message("", "this is a mesh: reference it from the <uri> of a <mesh> in a model"),
    "launch": Message("", "this is a launch file: open the model that it references"),
    "package": Message("", "this describes a ROS package: open a model in the package"),
}
#: Rules that say why a file has no meaning at all.
_STOPPING = frozenset(
    {
        "internal-error",
        "not-sdformat",
        "no-root",
        "text-too-large",
        "too-deep",
        "xacro-failed",
        "xacro-not-evaluated",
        "xacro-not-installed",
        "xml-syntax",
    }
)


@dataclass
class Loader:
    """Loads a document, and its later snapshots at the cost of what has changed.

    Attributes
    ----------
    finder
        Finds included files.
    instead
        Unsaved documents that are included instead of their files, by the resolved path of the file.
        It may change from load to load.
    expander
        Evaluates xacro files, with their arguments.
    parsers
        Read included files that are not SDFormat, asked before those of installed packages, the last one first.
    extra_checks
        Yield the findings of an additional check.
    offer_fixes
        Makes the provider of quick fixes, see :func:`.offer_fixes`; None for no fixes.
    keeps_all
        Whether what one load has read is kept for all later ones, rather than for the next: for many files that include
        the same ones.
    """

    finder: Finder = field(default_factory=Finder)
    instead: Mapping[Path, Document] = field(default_factory=dict, repr=False)
    expander: Expander = field(default_factory=Expander)
    parsers: Sequence[ModelParser] = ()
    extra_checks: Sequence[Callable[[Model], Iterable[Finding]]] = ()
    offer_fixes: OfferFixes | None = field(default=None, repr=False)
    keeps_all: bool = False
    _cache: ScopeCache = field(default_factory=ScopeCache, repr=False)

    def __post_init__(self) -> None:
        self._document_cache = DocumentCache(self.instead)

    def load(self, document: Document) -> Model | None:
        """Return the model of a document, None where it has none; see :func:`diagnose`."""
        return self.load_with_diagnostics(document)[0]

    def load_recovered(
        self, document: Document, *, repaired: bool = False
    ) -> tuple[Model | None, tuple[Diagnostic, ...]]:
        """Return the model of a document, also of a text that is no XML, and what is wrong with the text.

        Parameters
        ----------
        document
            The file.
        repaired
            Whether the model of a text that is no XML is that of the repaired text, which can be written; by default it
            is that of the elements that the text has as it is, which is for looking at. The diagnostics of the repaired
            one also say what is wrong with the text; those of the other one only what is wrong with its elements.
        """
        model, diagnostics = self.load_with_diagnostics(document)
        if document.root is None and not any(each.rule is text_rules.internal_error for each in diagnostics):
            model = self.load_with_diagnostics(document.repaired if repaired else document.recovered)[0]
            if model is not None and repaired:
                model.diagnostics = (*diagnostics, *model.diagnostics)
        return model, diagnostics

    def open_included(self, including: Sequence[Document], include: Element) -> Document | None:
        """Return the document that an ``<include>`` names, None if there is none.

        Parameters
        ----------
        including
            The files that lead to it, each including the next; the last one holds the include.
        """
        resolver = IncludeResolver(self.finder, self._document_cache, _build_included, including[0])
        return resolver.open(include, including[1:])

    def load_with_diagnostics(
        self, document: Document, including: Sequence[Document] = ()
    ) -> tuple[Model | None, tuple[Diagnostic, ...]]:
        """Return the model of a document, None where no root can be read, and all diagnostics.

        Parameters
        ----------
        document
            The file.
        including
            Files that include it, each the next: what it includes is looked for beside them too.

        Notes
        -----
        An exception that nobody foresaw becomes the diagnostic ``internal-error`` of a file without a model.
        """
        try:
            return self._load(document, including)
        except SdfViewerError:
            raise
        except Exception as error:
            log_fault(f"read {document.name}", error)
            self._cache, self._document_cache = ScopeCache(), DocumentCache(self.instead)  # they may be incomplete
            return None, (*document.diagnostics, internal_error(document, error))

    def _load(self, document: Document, including: Sequence[Document]) -> tuple[Model | None, tuple[Diagnostic, ...]]:
        self.expander.begin()
        if document.root is None:
            return None, document.diagnostics
        with paused_collection():
            model, findings = self._build(document, including, self._document_cache, self._cache)
            self._cache.turn(forget=not self.keeps_all)
            if model is not None:
                findings += _reposture(model)
            diagnostics = self._diagnostics(document, including, model, findings)
            diagnostics.sort(key=lambda diagnostic: _order(document, diagnostic))
            everything = (*document.diagnostics, *misplaced_instructions(document), *diagnostics)
            if model is not None:
                everything = model.diagnostics = with_holders(model, everything)
        rows = 0 if model is None else len(model)
        _LOG.debug("loaded %s: %s rows, %s diagnostics", document.name, rows, len(everything))
        return model, everything

    def load_expansion(self, model: Model) -> Model:
        """Return the model of what a xacro file writes, which is what other formats get; others as they are.

        Raises
        ------
        SdfViewerError
            If it writes no model.
        """
        document = model.document_of(0)
        if not isinstance(document, ExpandedDocument):
            return model
        expanded, diagnostics = self.load_with_diagnostics(document)
        if expanded is None:
            raise SdfViewerError(f"{document.name}: {why_not_loaded(diagnostics)}")
        return expanded

    def load_other_worlds(self, model: Model) -> list[Model]:
        """Return the worlds of a file after the first one, which is what its model represents."""
        root = model.document.root
        if root is None or not model.is_world:
            return []
        with paused_collection():
            resolver = IncludeResolver(self.finder, self._document_cache, _build_included, model.document)
            builder = Builder(resolver, self._cache.borrowed(), self.expander)
            scopes = [
                builder.build_world(world, Origin(None, model.version)) for world in root.findall("world")[1:MAX_TOPS]
            ]
            return [Model(model.document, model.version, scope, raw_pose_matrices(scope)) for scope in scopes]

    def _build(
        self, document: Document, including: Sequence[Document], documents: DocumentCache, cache: ScopeCache
    ) -> tuple[Model | None, Findings]:
        """Return the model of a document and its findings, without places."""
        if document.root is None:
            return None, Findings()
        findings = Findings()
        resolver = IncludeResolver(self.finder, documents, _build_included, document, including, self.parsers)
        builder = Builder(resolver, cache, self.expander)
        known = reader_of(document, self.expander)
        if known is None:
            location = ElementPart(None, document.root)
            findings += [Finding(plugin_failed, location, plugin_failed.format(fault)) for fault in broken_plugins()]
            findings.append(_unknown_format(document.root))
            return None, findings
        scope, version = known.build(builder, document, findings)
        findings += check_migration(document)
        if scope is None:
            return None, findings
        model = cache.model = Model(document, version, scope, cache.raw_poses.matrices(scope), cache.model)
        findings += scope.findings
        findings += check_graphs(model)
        findings += check_mimics(model)
        findings += check_private_names(model)
        findings += check_references(model)
        for check in self.extra_checks:
            findings += check(model)
        return model, findings

    def _diagnostics(
        self, document: Document, including: Sequence[Document], model: Model | None, findings: Findings
    ) -> list[Diagnostic]:
        """Return findings with their places in the text and their quick fixes, which are tried out by loading again."""
        if not findings:
            return []
        # What tries fixes out refers neither to the model nor to this loader. The diagnostics of the model refer to it:
        # in a circle of references each edit would leave a whole model to the garbage collector.
        table = None if model is None else model.without_diagnostics()
        trial = self._for_trials(table)

        def rebuild(file: Document, after: Document) -> tuple[Model | None, Findings]:
            if file is document or file.name == document.name:  # xacro has kept what it read before
                return trial._build(after, including, trial._document_cache, trial._cache.borrowed())
            assert file.path is not None  # it was included, so it was read
            documents = trial._document_cache.with_instead(file.path, after)
            return trial._build(document, including, documents, trial._cache.borrowed())

        is_large = model is not None and len(model) > MOST_ROWS_WITH_FIXES
        provider = None if self.offer_fixes is None or is_large else self.offer_fixes(table, findings, rebuild)
        return [_diagnostic(document, finding, model, provider) for finding in findings.listed()]

    def _for_trials(self, model: Model | None) -> Loader:
        """Return a loader that finds what this one has read, and a model in place of its own."""
        trial = replace(self, _cache=self._cache.borrowed(), expander=self.expander.fork())
        trial._document_cache, trial._cache.model = self._document_cache, model
        return trial


def _build_included(builder: Builder, document: Document, static: bool | None) -> Scope | Finding | None:
    """Return the scope that including a file of any known format adds."""
    known = reader_of(document, builder.expander)
    return None if known is None else known.build_included(builder, document, static)


def _unknown_format(root: Element) -> Finding:
    other = _OTHERS.get(root.tag)
    meant = () if other else tuple(nearest(root.tag, ("sdf", "robot", "mujoco")))
    message = not_sdformat.format(root.tag, other or offer_names(meant))
    return Finding(not_sdformat, ElementPart(None, root), message, meant=meant)


def load_model(
    path_or_text: str | Path,
    *,
    paths: Iterable[str | Path] = (),
    arguments: Mapping[str, str] | None = None,
    parsers: Iterable[ModelParser] = (),
) -> Model:
    """Return the model of a file, or of a text that starts with ``<``; see :func:`load_document`.

    Parameters
    ----------
    path_or_text
        A path, or the text itself.
    paths
        Folders to look for included models in, before those of the environment.
    arguments
        Values of the arguments of a xacro file.
    parsers
        Read included files that are not SDFormat.
    """
    document = read_source(path_or_text)
    expander = Expander(dict(arguments or {}), permission=NamedFiles(named_in(document), "load it by itself"))
    finder = Finder([Path(path) for path in paths])
    return load_document(document, Loader(finder, expander=expander, parsers=tuple(parsers)))


def named_in(document: Document) -> tuple[Path, ...]:
    """Return the file that a document was read from where that was named itself."""
    return () if document.path is None else (document.path,)


def load_document(document: Document, loader: Loader) -> Model:
    """Return the model of a document; that of a text that is no XML is the model of its repaired text.

    Raises
    ------
    SdfViewerError
        If it holds no model or world.
    """
    model, diagnostics = loader.load_recovered(document, repaired=True)
    if model is None:
        raise SdfViewerError(why_not_loaded(diagnostics))
    return model


def why_not_loaded(diagnostics: Sequence[Diagnostic]) -> str:
    """Return the message of the problem that keeps a file from having any meaning."""
    stopping = [diagnostic for diagnostic in diagnostics if diagnostic.rule.name in _STOPPING]
    errors = [diagnostic for diagnostic in diagnostics if diagnostic.is_error]
    first = next(iter(stopping or errors or diagnostics), None)
    return "the file contains no model or world" if first is None else first.message


def _reposture(model: Model) -> Iterator[Finding]:
    """Let interface models know where their frames are; yield a finding for each that fails."""
    for row, reposture in model.scope.repostures:
        try:
            reposture(_poses_of(model, row))
        except FOREIGN_ERRORS as error:
            location = ElementPart(model.sources[row], model.elements[row])
            name = getattr(reposture, "__qualname__", "") or type(reposture).__qualname__
            message = plugin_failed.format(name, f"fails: {describe_error(error)}")
            yield Finding(plugin_failed, location, message, (row,), severity=Severity.ERROR)


def _poses_of(model: Model, row: int) -> FramePoses:
    """Return the function that gives an interface model the poses of its frames."""
    is_merged = model.kinds[row] is not Kind.MODEL  # then its members are those of the scope around
    scope = int(model.scopes[row]) if is_merged else row
    prefix = model.member_prefix(scope)

    def in_root(name: str) -> Array:
        if name == "world":
            return np.eye(4)
        X_RootF: Array = model.X_RootF[row if name == "__model__" else model.row(prefix + name)]
        return X_RootF

    def pose(name: str, relative_to: str = "world") -> Array:
        X_RF: Array = invert(in_root(relative_to)) @ in_root(name)
        return X_RF

    return pose


def _order(document: Document, diagnostic: Diagnostic) -> int:
    """Return where in the file a diagnostic belongs: for one of an included file, where that is included."""
    spans = (diagnostic.span, *(related.span for related in reversed(diagnostic.related)))
    return next((span.start for span in spans if span is not None and span.path == document.name), -1)


def _diagnostic(document: Document, finding: Finding, model: Model | None, provider: FixProvider | None) -> Diagnostic:
    """Return a finding with its places in the text."""

    def owner(location: ElementPart) -> Document:
        return document if location.source is None else location.source

    location = finding.location
    file = owner(location)
    related = tuple(
        Related(message, owner(other).span(other.element, other.part)) for message, other in finding.related
    )
    related += tuple(Related(message, span) for message, span in finding.places)
    if isinstance(file, ExpandedDocument):
        related += tuple(Related(message, span) for message, span in file.callers(location.element))
    fixes: Sequence[Fix] = ()
    if provider is not None and provider.has_candidates(file, finding):
        takes_long = isinstance(file, ExpandedDocument)
        fixes = DeferredFixes(partial(_fixes, provider, file, finding), takes_long=takes_long)
    severity = finding.severity or finding.rule.severity
    message = finding.message
    if finding.reference and finding.rows and model is not None:
        outside = explain_outside(model, finding.rows[0], finding.reference, finding.attribute)
        message = f"{finding.attribute} '{finding.reference}': " + outside if outside else message
    names = model.names if model is not None else []
    return Diagnostic(
        finding.rule,
        severity,
        message,
        file.span(location.element, location.part),
        related,
        fixes,
        tuple(names[row] for row in finding.rows if row < len(names)),
        finding.rule.libsdformat,
        finding.tried,
        tuple(
            Edge(names[edge.row], edge.attribute, names[edge.target] if edge.target >= 0 else "", edge.axis)
            for edge in (finding.edges if model is not None else ())
        ),
        found_in=finding.found_in,
        meant=finding.meant,
        missing_uri=finding.missing_uri,
        is_remote=finding.is_remote,
    )


def _fixes(provider: FixProvider, file: Document, finding: Finding) -> list[Fix]:
    """Return the quick fixes of a finding; a fault in one of them takes nothing from the problem but the rest."""
    fixes: list[Fix] = []
    try:
        fixes.extend(provider.fixes(file, finding))
    except SdfViewerError:
        raise
    except Exception as error:
        log_fault(f"find the fixes of '{finding.message}' in {file.name}", error)
    return fixes


_FIRST = re.compile(r"(?:\s|<\?.*?\?>)*", re.DOTALL)
_TOKEN = re.compile(r"<!--.*?-->|<!\[CDATA\[.*?\]\]>|(<\?.*?\?>)", re.DOTALL)


def misplaced_instructions(document: Document) -> tuple[Diagnostic, ...]:
    """Return the diagnostic of the first processing instruction after something else; xacro reads them anywhere."""
    text = document.text
    if text.find("<?", 1, text.rfind("?") + 1) < 0 or "xmlns:xacro" in text:
        return ()
    first = _FIRST.match(text)
    at = 0 if first is None else first.end()
    found = next((token for token in _TOKEN.finditer(text, at) if token[1]), None) if "<?" in text[at:] else None
    if found is None:
        return ()
    rule = misplaced_instruction
    fix = Fix("Remove the processing instruction", document.name, (Replacement(*found.span(), ""),))
    span = document.span_between(*found.span())
    return (Diagnostic(rule, rule.severity, rule.format(), span, libsdformat=rule.libsdformat, fixes=(fix,)),)
