"""Conversion between :mod:`sdfviewer.language` and the types of the protocol."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import TypeVar
from urllib.parse import unquote_to_bytes, urlsplit

from lsprotocol import types
from pygls import uris

from sdfviewer.diagnostics import Diagnostic, Replacement, Rule, Severity, Span
from sdfviewer.document.document import Document
from sdfviewer.language.actions import causes
from sdfviewer.language.text_map import Positions, Unit
from sdfviewer.lsp.files import Snapshot


class RulePages:
    """Addresses of rule pages.

    Parameters
    ----------
    address
        Of a site with a page for each rule. Without one the pages are written into a folder on this computer, each when
        it is first linked to.
    """

    def __init__(self, address: str = "") -> None:
        self._address = address
        self._folder: Path | None = None
        self._known: dict[str, str] = {}

    def address_of(self, rule: Rule) -> str:
        """Return the address of a rule's page, empty where it could not be written."""
        known = self._known.get(rule.name)
        if known is None:
            known = self._known[rule.name] = f"{self._address}/{rule.name}.html" if self._address else self._write(rule)
        return known

    def _write(self, rule: Rule) -> str:
        heading = f"# {rule.name}\n\n*{rule.code}, {rule.severity.value}*\n\n"
        try:
            if self._folder is None:
                self._folder = Path(tempfile.mkdtemp(prefix="sdfviewer-rules-"))
            path = self._folder / f"{rule.name}.md"
            path.write_text(heading + rule.page.replace("``", "`") + "\n", encoding="utf-8")
        except OSError:
            return ""
        return uris.from_fs_path(str(path)) or ""

    def close(self) -> None:
        """Remove the pages."""
        if self._folder is not None:
            for page in self._folder.glob("*.md"):
                page.unlink(missing_ok=True)
            self._folder.rmdir()
            self._folder = None


SOURCE = "sdfviewer"
#: After so many items of a long answer, check whether the request was cancelled.
_CHECKED_ITEMS = 256
_Item = TypeVar("_Item")
_SEVERITIES = {
    Severity.ERROR: types.DiagnosticSeverity.Error,
    Severity.WARNING: types.DiagnosticSeverity.Warning,
    Severity.INFO: types.DiagnosticSeverity.Information,
}
_TAGS = {
    "deprecated": [types.DiagnosticTag.Deprecated],
    "unknown-attribute": [types.DiagnosticTag.Unnecessary],
    "unknown-element": [types.DiagnosticTag.Unnecessary],
    "repeated-element": [types.DiagnosticTag.Unnecessary],
}
_SYMBOL_KINDS = {
    "world": types.SymbolKind.Namespace,
    "model": types.SymbolKind.Class,
    "robot": types.SymbolKind.Class,
    "include": types.SymbolKind.Module,
    "link": types.SymbolKind.Struct,
    "joint": types.SymbolKind.Method,
    "frame": types.SymbolKind.Variable,
    "sensor": types.SymbolKind.Event,
    "light": types.SymbolKind.Event,
    "plugin": types.SymbolKind.Package,
}


def path_of(uri: str) -> Path | None:
    """Return the path of a ``file://`` URI, None for any other."""
    if not uri.startswith("file:"):
        return None
    path = uris.to_fs_path(uri)
    if path is not None and "\ufffd" in path:  # bytes that are not UTF-8, as in names that an old program wrote
        path = os.fsdecode(unquote_to_bytes(urlsplit(uri).path))
    return None if path is None else Path(path)


def uri_of(path: Path | str) -> str:
    """Return the URI of a file."""
    absolute = Path(path).absolute()
    try:
        return uris.from_fs_path(str(absolute)) or ""
    except UnicodeEncodeError:  # its name is not UTF-8
        return absolute.as_uri()


class Ranges:
    """Makes ranges of the protocol from offsets in any document, each document's lines counted once.

    Parameters
    ----------
    unit
        How the editor counts characters.
    snapshot
        The file that was asked about.
    pages
        The rules' pages.
    check
        Called now and then while a long answer is made; raises an exception where it is no longer needed.
    """

    def __init__(
        self, unit: Unit, snapshot: Snapshot, pages: RulePages, check: Callable[[], None] = lambda: None
    ) -> None:
        self._check = check
        self._unit = unit
        self._pages = pages
        self._snapshot = snapshot
        self._others: dict[int, Positions] = {}

    def interruptible(self, items: Iterable[_Item]) -> Iterator[_Item]:
        """Yield items as long as the answer that is made of them is needed."""
        for number, item in enumerate(items):
            if number % _CHECKED_ITEMS == 0:
                self._check()
            yield item

    def range(self, start: int, end: int, document: Document | None = None) -> types.Range:
        """Return the range between two offsets, of the file that was asked about by default."""
        positions = self._positions(document)
        return types.Range(types.Position(*positions.position(start)), types.Position(*positions.position(end)))

    def _positions(self, document: Document | None) -> Positions:
        if document is None or document is self._snapshot.document or document.text is self._snapshot.text:
            return self._snapshot.positions
        known = self._others.get(id(document))
        if known is None:
            known = self._others[id(document)] = Positions(document.text, self._unit)
        return known

    def location(self, document: Document, start: int, end: int) -> types.Location:
        """Return a location in any document."""
        same = document.path == self._snapshot.document.path
        uri = self._snapshot.uri if same else uri_of(document.name)
        return types.Location(uri, self.range(start, end, document))

    def edits(self, replacements: Iterable[Replacement], document: Document | None = None) -> list[types.TextEdit]:
        """Return text edits; the protocol wants them not to overlap, which replacements do not."""
        return [
            types.TextEdit(self.range(each.start, each.end, document), each.text)
            for each in sorted(replacements, key=lambda each: (each.start, each.end))
        ]

    def span(self, span: Span) -> types.Range:
        """Return the range of a span. In another file it is right to the line: that file's text is not at hand."""
        if span.path == self._snapshot.document.name:
            return self.range(span.start, span.end)
        start = types.Position(span.line - 1, span.column - 1)
        return types.Range(start, types.Position(span.end_line - 1, span.end_column - 1))

    def span_location(self, span: Span) -> types.Location:
        """Return the location of a span."""
        uri = self._snapshot.uri if span.path == self._snapshot.document.name else uri_of(span.path)
        return types.Location(uri, self.span(span))

    def diagnostics(self, diagnostics: Sequence[Diagnostic]) -> list[types.Diagnostic]:
        """Return the diagnostics of a file; their data say what each is about, wherever it is by now."""
        found = zip(diagnostics, causes(diagnostics), strict=True)
        return [self._diagnostic(diagnostic, cause) for diagnostic, cause in found]

    def _diagnostic(self, diagnostic: Diagnostic, cause: dict[str, object]) -> types.Diagnostic:
        """Return a diagnostic. One in an included file is shown where the file includes it."""
        own = self._snapshot.document.name
        places = [diagnostic.span, *(related.span for related in diagnostic.related)]
        here = next((span for span in places if span is not None and span.path == own), None)
        related = [
            types.DiagnosticRelatedInformation(self.span_location(each.span), each.message)
            for each in diagnostic.related
            if each.span is not None
        ]
        if diagnostic.span is not None and here is not diagnostic.span:
            related.insert(0, types.DiagnosticRelatedInformation(self.span_location(diagnostic.span), "the problem"))
        start = types.Position(0, 0)
        page = self._pages.address_of(diagnostic.rule)
        return types.Diagnostic(
            self.span(here) if here is not None else types.Range(start, start),
            diagnostic.message,
            _SEVERITIES[diagnostic.severity],
            diagnostic.rule.name,
            types.CodeDescription(page) if page else None,
            SOURCE,
            _TAGS.get(diagnostic.rule.name),
            related or None,
            data=cause,
        )


def symbol_kind(tag: str) -> types.SymbolKind:
    """Return the kind under which editors show an element."""
    return _SYMBOL_KINDS.get(tag, types.SymbolKind.Property)
