"""Diagnostics as text with excerpts and as JSON."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from pathlib import Path, PurePath
from typing import Any

from sdfviewer.diagnostics import Diagnostic, Fix, SdfViewerError, Severity, Span, record_of
from sdfviewer.display_text import path_here, visible, visible_columns
from sdfviewer.document.document import Document
from sdfviewer.files.finder import shown_from
from sdfviewer.files.opening import open_document
from sdfviewer.number_text import counted

_COLOURS = {Severity.ERROR: "\x1b[1;31m", Severity.WARNING: "\x1b[1;33m", Severity.INFO: "\x1b[1;36m"}
_BOLD, _FAINT, _RESET = "\x1b[1m", "\x1b[2m", "\x1b[0m"
#: Longer lines are cut around the marked part.
MAX_EXCERPT = 160
#: Problems of a file whose fixes are printed.
MOST_WITH_FIXES = 20


def path_advice(folder: str) -> str:
    """Return with which option what a file names would be found in a folder."""
    import shlex  # few files need it

    shown = visible(shown_from(Path(folder), Path.cwd()))
    return f"found in {shown}: add `--path {shlex.quote(shown)}`"


class TextReport:
    """Words diagnostics as ``file:line:column: severity: message [rule]`` with a source excerpt.

    Parameters
    ----------
    document
        The file that was checked; lines of included files are read where they are needed.
    colour
        Whether to colour for a terminal.
    """

    def __init__(self, document: Document, colour: bool = False) -> None:
        self._documents: dict[str, Document | None] = {document.name: document}
        self._name = document.name
        self._colour = colour
        self._count = 0

    def format(self, diagnostic: Diagnostic) -> str:
        """Return a diagnostic, its excerpt, its other places and its fixes."""
        span = diagnostic.span
        where = self._place(span) if span else visible(self._name)
        severity = self._paint(f"{diagnostic.severity.value}:", _COLOURS[diagnostic.severity])
        rule = self._paint(f"[{diagnostic.rule.name}]", _FAINT)
        lines = [f"{self._paint(where + ':', _BOLD)} {severity} {diagnostic.message} {rule}"]
        if span is not None:
            lines += self._excerpt(span, _COLOURS[diagnostic.severity])
        for related in diagnostic.related:
            lines.append(f"  {self._place(related.span)}: note: {related.message}")
        lines += [f"  tried: {visible(str(place))}" for place in diagnostic.tried]
        if diagnostic.found_in:
            lines.append(f"  {path_advice(diagnostic.found_in)}")
        # Each fix is tried out: for thousands of problems that would take hours.
        self._count += 1
        if self._count <= MOST_WITH_FIXES:
            lines += [f"  fix: {visible(fix.label)}" for fix in diagnostic.fixes]
        return "\n".join(lines)

    def _place(self, span: Span) -> str:
        """Return a place: in the file as it was named, in others as they are written in the current folder."""
        path = span.path if span.path == self._name else path_here(span.path)
        return visible(f"{path}:{span.line}:{span.column}")

    def _paint(self, text: str, colour: str) -> str:
        return f"{colour}{text}{_RESET}" if self._colour else text

    def _excerpt(self, span: Span, colour: str) -> list[str]:
        document = self._document(span.path)
        if document is None or span.end > len(document.text):
            return []
        # Use only the part of a long line around the problem: the line may have thousands of problems.
        line = document.offset_of_line(span.line)
        found = document.text.find("\n", line + span.column - 1, line + span.column - 1 + MAX_EXCERPT)
        line_end = found if found >= 0 else min(len(document.text), line + span.column - 1 + MAX_EXCERPT)
        first = max(0, min(span.column - 1 - MAX_EXCERPT // 4, line_end - line - MAX_EXCERPT))
        source = document.text[line + first : min(line_end, line + first + MAX_EXCERPT)].rstrip("\r")
        shown = visible_columns(source.replace("\t", " "))
        end = span.end_column if span.end_line == span.line else line_end - line + 1
        caret = span.column - 1 - first
        width = max(1, min(end - span.column, len(shown) - caret))
        number = f"{span.line:>6} | "
        blank = " " * (len(number) - 2) + "| "
        marks = "^" + "~" * (width - 1)
        return [number + shown, blank + " " * caret + self._paint(marks, colour)]

    def _document(self, path: str) -> Document | None:
        if path not in self._documents:
            try:
                self._documents[path] = open_document(path)
            except SdfViewerError:  # gone meanwhile: the diagnostic is reported without its line
                self._documents[path] = None
        return self._documents[path]


def summarise(errors: int, warnings: int, files: int, unreadable: int = 0, *, is_known_left_out: bool = False) -> str:
    """Return the last line of a report; of ``files``, so many cannot be read, folders among them."""
    not_read = f"{counted(unreadable, 'file')} cannot be read"
    if files == 0:
        return "there is no file to check"
    if unreadable == files:
        return not_read
    new = "new " if is_known_left_out else ""
    in_files = counted(files - unreadable, "file")
    found = f"{in_files}: no {new}problems found"
    if errors or warnings:
        found = f"{counted(errors, 'error')} and {counted(warnings, 'warning')} in {in_files}"
    return f"{found}; {not_read}" if unreadable else found


def as_json(name: str, diagnostics: Iterable[Diagnostic], unreadable: str | None = None) -> dict[str, Any]:
    """Return the findings of a file as one JSON object.

    Parameters
    ----------
    name
        The file as it was given.
    diagnostics
        What was found.
    unreadable
        Why the file could not be read at all, None where it could.
    """
    found = list(diagnostics)
    valid = unreadable is None and not any(diagnostic.is_error for diagnostic in found)
    result: dict[str, Any] = {"file": name, "valid": valid}
    if unreadable is not None:
        result["unreadable"] = unreadable
    result["diagnostics"] = [
        record_of(diagnostic, name) | {"fixes": list(map(_fix_as_json, diagnostic.fixes))} for diagnostic in found
    ]
    return result


def _fix_as_json(fix: Fix) -> dict[str, Any]:
    changes = [{"start": each.start, "end": each.end, "text": each.text} for each in fix.replacements]
    return {"label": fix.label, "file": fix.path, "replacements": changes}


def with_slashes(path: str, kind: type[PurePath] = PurePath) -> str:
    """Return a path with ``/`` between its parts, as reports name it on every system.

    Parameters
    ----------
    path
        A path of this system, or ``-``.
    kind
        The paths of a system, this one by default.
    """
    return path if path == "-" else kind(path).as_posix()


def as_uri(path: str, quote: Callable[[bytes], str], kind: type[PurePath] = PurePath) -> str:
    """Return a path as a URI, relative where the path is; the others as of :func:`with_slashes`."""
    if path == "-":
        return "stdin"
    file = kind(path)
    return file.as_uri() if file.is_absolute() else quote(os.fsencode(file.as_posix()))
