"""Expand a xacro file, with the source location of every element."""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from sdfviewer.diagnostics import Message, Replacement, SdfViewerError, message_of
from sdfviewer.document.document import Document
from sdfviewer.document.edits import text_offsets
from sdfviewer.document.element import Element
from sdfviewer.extras import MissingExtraError
from sdfviewer.files import saving
from sdfviewer.files.finder import Finder, shown_from
from sdfviewer.formats.expansion import ExpandedDocument
from sdfviewer.formats.xacro.decisions import Permission
from sdfviewer.model.findings import ElementPart, Finding, Source
from sdfviewer.validation import format_rules as rules
from sdfviewer.validation.format_rules import OF_XACRO

if TYPE_CHECKING:
    from sdfviewer.formats.xacro.engine import SourceOrigin
    from sdfviewer.formats.xacro.evaluation import Evaluated, Evaluation
    from sdfviewer.formats.xacro.reads import TextRow
    from sdfviewer.formats.xacro.surroundings import EvaluatedFiles
    from sdfviewer.formats.xacro.value_origins import Origins, ValueOrigin, WrittenValue

#: So many expansions are remembered: the fixes of one load are tried out with the same ones.
_REMEMBERED = 32
#: How a value reads an argument.
_READ_ARGUMENT = re.compile(r"\$\(arg\s+([^\s()]+)\s*\)")
#: How an expression compares an argument, in quotes or not, with a word.
_COMPARED = re.compile(r"\$\(arg ([^\s()]+)\)['\"]? ?[=!]= ?['\"]([^'\"]+)['\"]")
#: What is between the values that a comment lists, and what is around each.
_WORD, _VALUE = re.compile(r"\w+"), re.compile(r"[\w.+-]+")
_BETWEEN, _AROUND = re.compile(r",|\||;|\bor\b"), " \t\r\n'\"`.[](){}"


def is_xacro(document: Document) -> bool:
    """Return whether a document is a xacro file, by its name: ``robot.xacro``, ``robot.urdf.xacro``."""
    return (
        document.path is not None
        and document.path.suffix.lower() == ".xacro"
        and not isinstance(document, ExpandedDocument)
    )


def holds_xacro(document: Document) -> bool:
    """Return whether a robot whose file is not named as one of xacro holds elements or expressions of xacro."""
    root, text = document.root, document.text
    return (
        document.path is not None
        and root is not None
        and root.tag == "robot"
        and ("<xacro:" in text or "${" in text or "$(" in text)
        and not is_xacro(document)
        and not isinstance(document, ExpandedDocument)
        and any(each.tag in OF_XACRO or expression_in(each) is not None for each in root.descendants())
    )


def expression_in(element: Element) -> str | None:
    """Return the first attribute of an element in which there is an expression of xacro; None without one."""
    return next((name for name, value in element.attributes.items() if "${" in value or "$(" in value), None)


class XacroArgument(NamedTuple):
    """An ``<xacro:arg>``.

    Attributes
    ----------
    name, default
        Its name, and its default as written, None where it has none.
    is_read_before
        Whether the file reads it above its declaration, where its default does not hold yet.
    choices
        The values that the file names for it, in a comment or where it compares it; more may be possible.
    """

    name: str
    default: str | None
    is_read_before: bool = False
    choices: tuple[str, ...] = ()


def declared_arguments(document: Document) -> list[XacroArgument]:
    """Return the arguments that a file itself declares, in document order; an included file may declare more."""
    found: dict[str, XacroArgument] = {}
    read: set[str] = set()
    for element in document.root.descendants() if document.root is not None else ():
        if element.tag == "xacro:arg" and (name := element.attributes.get("name")):
            found.setdefault(name, XacroArgument(name, element.attributes.get("default"), name in read))
        read.update(name for value in element.attributes.values() for name in _READ_ARGUMENT.findall(value))
    if not found:
        return []
    choices = _choices(document, found)
    return [each._replace(choices=tuple(dict.fromkeys(choices[each.name]))) for each in found.values()]


def _choices(document: Document, arguments: Mapping[str, XacroArgument]) -> dict[str, list[str]]:
    """Return the values that a file names for each of its arguments."""
    choices: dict[str, list[str]] = {
        name: ["true", "false"] if (each.default or "").lower() in ("true", "false") else []
        for name, each in arguments.items()
    }
    for part in document.text.split("<!--")[1:]:
        head, colon, tail = part.partition("-->")[0].rpartition(":")
        values = [each.strip(_AROUND) for each in _BETWEEN.split(tail)]
        if colon and len(values) > 1 and all(map(_VALUE.fullmatch, values)):
            for name in set(_WORD.findall(head)) & arguments.keys():
                choices[name] += values
    for element in document.root.descendants() if document.root is not None else ():
        for text in element.attributes.values():
            for name, value in _COMPARED.findall(text) if "$(arg" in text else ():
                if name in choices:
                    choices[name].append(value)
    return choices


class XacroExpansion(ExpandedDocument):
    """The output of a xacro file: macros write elements, and values are computed."""

    language = "xacro"

    @classmethod
    def from_output(cls, document: Document, evaluated: Evaluated, data: Iterable[Document]) -> XacroExpansion:
        """Return the document that xacro has written for another one."""
        from sdfviewer.formats.xacro.reads import DefinitionRow, TextRow  # noqa: PLC0415  # few files are xacro
        from sdfviewer.formats.xacro.value_origins import Origins  # noqa: PLC0415

        output, sources = evaluated.output, evaluated.sources
        elements = [[*source.root.descendants()] if source.root is not None else [] for source in sources]

        def locate(origin: SourceOrigin | None) -> tuple[Document, Element] | None:
            return None if origin is None else (sources[origin.source], elements[origin.source][origin.number])

        def located(calls: Iterable[SourceOrigin]) -> tuple[tuple[Document, Element], ...]:
            return tuple(found for each in calls if (found := locate(each)) is not None)

        data = tuple(data)
        expanded = cls.written(
            document, output.text, map(locate, output.origins), map(located, output.calls), sources, data
        )
        written = [*expanded.root.descendants()] if expanded.root is not None else []
        expanded._values = Origins([DefinitionRow(*row) for row in output.definitions], sources, elements, data)
        expanded._reads = {
            id(element): {_plain(row[0]): TextRow(*row) for row in reads}
            for element, reads in zip(written, output.reads, strict=True)
            if reads
        }
        return expanded

    def edited(self, replacements: Sequence[Replacement]) -> Document:
        """Return the document with ``replacements`` made: one that is no xacro, and nobody's expansion."""
        document = super().edited(replacements)
        return (
            document
            if document is self or self.path is None
            else document.moved_to(self.path.with_suffix(".xml"), None)
        )

    def words_of(self, caller: Element) -> str:
        """Return in words how a macro call leads to an element."""
        return f"in the macro '{caller.tag.removeprefix('xacro:')}' called here"

    def value_origins(self, element: Element, part: str) -> tuple[ValueOrigin, ...]:
        """Return the properties, arguments, parameters and YAML values that a value of an element was computed with.

        Each leads on to those that it was computed with itself. Of a value in a collection that is no part of a YAML
        file, it is the property that holds the collection. A value that is written as it is has none.

        Parameters
        ----------
        element
            An element of this document.
        part
            ``"@name"`` for an attribute, ``"text"`` for the text.
        """
        written = self.written_value(element, part)
        return () if written is None else written.origins

    def written_value(self, element: Element, part: str) -> WrittenValue | None:
        """Return what a value of an element is written as in a source, None where an expression has made its element.

        Parameters
        ----------
        element, part
            As for :meth:`value_origins`.
        """
        from sdfviewer.formats.xacro.value_origins import Form, WrittenValue, written_part  # noqa: PLC0415

        written = self._origins.get(id(element))
        place = None if written is None else written_part(written[1], part)
        if written is None or place is None:
            return None
        document, (holder, held) = written[0], place
        if held == "text":
            text, form = holder.text, Form.TEXT
            start, end = document.content_offsets(holder)
            if "<" in document.text[start:end]:
                start, end = text_offsets(document, holder)
        else:
            text, form = holder.attributes[held[1:]], Form.ATTRIBUTE
            start, end = document.value_offsets(holder, held[1:]) or document.offsets(holder)
        row = self._reads.get(id(element), {}).get(_plain(text))
        parts, numbers = ((), ()) if row is None else (row.parts, row.reads)
        return WrittenValue(document, start, end, form, tuple(parts), tuple(map(self._values.origin, numbers)))

    def changing_with(
        self, origin: ValueOrigin, *, in_call: bool = False
    ) -> tuple[tuple[tuple[Element, str], ...], frozenset[int]]:
        """Return the values of this document that change with what is written where an origin is.

        Parameters
        ----------
        in_call
            Whether only the call counts that leaves out the parameter.

        Returns
        -------
            The values, each an element and the part of it: ``"@name"`` for an attribute, ``"text"`` for the text; and
            the numbers of the origins whose values change.
        """
        changing = frozenset(self._values.computed_with(origin, in_call=in_call))
        if self._users is None:
            self._users = {}
            elements = self.root.descendants() if self.root is not None else ()
            for order, element in enumerate(elements):
                for row in self._reads.get(id(element), {}).values():
                    for read in row.reads:
                        self._users.setdefault(read, {})[order] = element
        users = {order: each for number in changing for order, each in self._users.get(number, {}).items()}
        values: list[tuple[Element, str]] = []
        for _, element in sorted(users.items(), key=lambda user: user[0]):
            rows = self._reads[id(element)].values()
            texts = {_plain(row.text) for row in rows if not changing.isdisjoint(row.reads)}
            values += ((element, part) for part in self._parts_written_as(element, texts))
        return tuple(values), changing

    def _parts_written_as(self, element: Element, texts: Collection[str]) -> Iterator[str]:
        from sdfviewer.formats.xacro.value_origins import written_part  # noqa: PLC0415

        found = self._origins.get(id(element))
        if found is None:
            return
        written = found[1]
        for part in (*(f"@{name}" for name in element.attributes), "text"):
            place = written_part(written, part)
            if place is None:
                continue
            holder, held = place
            if _plain(holder.text if held == "text" else holder.attributes[held[1:]]) in texts:
                yield part

    def set_at(self, element: Element, offset: int) -> Iterator[ValueOrigin]:
        """Yield the properties, arguments and parameters that get their value from what is written at a place.

        A parameter is there once for each macro call that gives it, or that leaves it to its default. Of what no value
        of this document was computed with, nothing is known.

        Parameters
        ----------
        element
            An element of a source: a macro call, or what defines a property, an argument or a macro.
        offset
            The place in that source.
        """
        return self._values.set_at(element, offset)

    _values: Origins
    _reads: dict[int, dict[str, TextRow]]
    _users: dict[int, dict[int, Element]] | None = None


def _plain(text: str) -> str:
    """Return a text without line ends, which XML and this program read differently."""
    return " ".join(text.split())


class EvaluationPendingError(SdfViewerError):
    """A xacro file must be evaluated first, for which the caller may not wait."""

    def __init__(self, name: str) -> None:
        super().__init__(f"{name} is being evaluated; try again when that is done")


@dataclass
class _Results:
    """What has been evaluated, and what was stopped; threads share it."""

    known: dict[tuple[object, ...], tuple[XacroExpansion, list[Finding]]] = field(default_factory=dict)
    stopped: dict[tuple[object, ...], list[Finding]] = field(default_factory=dict)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def recall(
        self, key: tuple[object, ...], files: EvaluatedFiles
    ) -> tuple[XacroExpansion | None, list[Finding]] | None:
        known = self.known.get(key)
        if known is not None and _unchanged(known[0].sources[1:], files) and not _have_changed(known[0].data, files):
            return known
        stopped = self.stopped.get(key)
        return None if stopped is None else (None, stopped)

    def remember(self, key: tuple[object, ...], expanded: XacroExpansion, findings: list[Finding]) -> None:
        with self.lock:
            while len(self.known) >= _REMEMBERED:
                self.known.pop(next(iter(self.known)))
            self.known[key] = expanded, findings


def _no_arguments(_document: Document) -> Mapping[str, str]:
    return {}


@dataclass
class Expander:
    """Expands xacro files, each with the arguments that were given for it.

    Attributes
    ----------
    arguments
        Values by name, for every file.
    arguments_of
        Values by name for one file, which come before those for every file.
    permission
        Says whether a file may be evaluated at all; by default none may.
    waits
        Whether it evaluates files. Else it expands only those whose expansion is known.
    failed_sources
        The files that were read for evaluations that failed.
    refused
        The files that may not be evaluated.
    """

    arguments: Mapping[str, str] = field(default_factory=dict)
    arguments_of: Callable[[Document], Mapping[str, str]] = _no_arguments
    permission: Permission = field(default_factory=Permission)
    waits: bool = True
    failed_sources: list[Document] = field(default_factory=list, repr=False)
    refused: list[Document] = field(default_factory=list, repr=False)
    _running: set[Evaluation] = field(default_factory=set, repr=False)
    _results: _Results = field(default_factory=_Results, repr=False)
    _end: str = field(default="", repr=False)
    _seconds: float = field(default=0.0, repr=False)

    def fork(self, *, waits: bool = True) -> Expander:
        """Return an expander that shares the results of this one, and whose evaluations end apart from the others."""
        return replace(self, waits=waits, failed_sources=[], refused=[], _running=set(), _end="", _seconds=0.0)

    def begin(self) -> None:
        """Begin the load of a file: all evaluations until the next one share one limit of time."""
        self._seconds = 0.0
        self.failed_sources.clear()
        self.refused.clear()

    def __reduce__(self) -> tuple[type[Expander], tuple[object, ...]]:
        return Expander, (self.arguments, self.arguments_of, self.permission)

    def retry(self) -> None:
        """Evaluate again what was cancelled or took too long; until then each load reports that at once."""
        self._results.stopped.clear()

    def cancel(self) -> None:
        """Stop all evaluations; each ends with a problem that says so, until :meth:`retry`."""
        self._stop("cancelled")

    def abandon(self) -> None:
        """Stop all evaluations because their results are no longer needed; a later request starts again."""
        self._stop("abandoned")

    def _stop(self, end: str) -> None:
        self._end = self._end or end
        for evaluation in tuple(self._running):
            evaluation.cancel()

    def expand(
        self, document: Document, source: Source, finder: Finder, files: EvaluatedFiles
    ) -> tuple[XacroExpansion | None, list[Finding]]:
        """Return the output of a xacro file, None where it cannot be evaluated, and its findings.

        Parameters
        ----------
        document
            The file.
        source
            The same, or None where it is the file being loaded.
        finder
            Finds packages.
        files
            Reads included files and those of values.

        Raises
        ------
        EvaluationPendingError
            If the file must be evaluated first and this expander does not wait.
        """
        from sdfviewer.formats.xacro.evaluation import (  # noqa: PLC0415  # few files are xacro
            MOST_SECONDS,
            Evaluation,
            ExpansionError,
            has_evaluator,
        )
        from sdfviewer.formats.xacro.surroundings import Surroundings  # noqa: PLC0415

        assert document.root is not None
        whole = ElementPart(source, document.root)
        if not self.permission.may_evaluate(document):
            return None, [self._refusal(document, whole)]
        arguments = {**self.arguments, **self.arguments_of(document)}
        key = (document.text, document.path, tuple(sorted(arguments.items())), source is None)
        if (earlier := self._results.recall(key, files)) is not None:
            return earlier
        if not self.waits and has_evaluator():
            raise EvaluationPendingError(document.name)

        def locate(origin: SourceOrigin | None, sources: Sequence[Document]) -> ElementPart:
            if origin is None:
                return whole
            file = sources[origin.source]
            root = file.root
            written = [*root.descendants()] if root is not None else []
            if origin.number >= len(written):
                return whole
            return ElementPart(source if origin.source == 0 else file, written[origin.number])

        surroundings = Surroundings(document, finder, self.permission, files)
        evaluation, begin = Evaluation(), time.monotonic()
        self._running.add(evaluation)
        if self._end:  # before this one began
            evaluation.cancel()
        try:
            evaluated = evaluation.run(document, arguments, surroundings, MOST_SECONDS - self._seconds)
        except MissingExtraError:
            return None, [Finding(rules.xacro_not_installed, whole, rules.xacro_not_installed.format())]
        except ExpansionError as error:
            self.failed_sources += (*error.sources[1:], *surroundings.data.values())
            if surroundings.refused is not None:
                self.failed_sources += filter(None, [surroundings.refused_source])
                return None, [self._refusal(document, whole, surroundings.refused)]
            related = tuple(("in the macro called here", locate(call, error.sources)) for call in error.calls)
            place, tried = locate(error.origin, error.sources), tuple(map(str, surroundings.missing))
            from sdfviewer.formats.xacro.misuse import explain_failure  # noqa: PLC0415  # few files are xacro

            message = rules.xacro_failed.format(message_of(error))
            failure = Finding(rules.xacro_failed, place, message, related=related, tried=tried)
            if surroundings.lacking:
                failure = _with_offer(failure, surroundings.lacking, document, finder)
            failed = [explain_failure(failure, error.sources, unbound_prefix=error.unbound_prefix)]
            if error.was_stopped and self._end != "abandoned":
                self._results.stopped[key] = failed
            return None, failed
        finally:
            self._running.discard(evaluation)
            self._seconds += time.monotonic() - begin
        self.permission.note_evaluated(document, surroundings.texts)
        expanded = XacroExpansion.from_output(document, evaluated, surroundings.data.values())
        findings = [
            Finding(rules.xacro_warning, locate(origin, evaluated.sources), rules.xacro_warning.format(message))
            for message, origin in dict.fromkeys(evaluated.output.warnings)
        ]
        from sdfviewer.formats.xacro.misuse import find_unprefixed  # noqa: PLC0415

        findings += find_unprefixed(evaluated.sources, source)
        self._results.remember(key, expanded, findings)
        return expanded, findings

    def _refusal(self, document: Document, whole: ElementPart, other: Path | None = None) -> Finding:
        """Return the finding of a file that may not be evaluated, or not with another file that it reads."""
        self.refused.append(document)
        rule = rules.xacro_not_evaluated
        return Finding(rule, whole, rule.format(Path(document.name).name, other, self.permission.advice))


def _with_offer(failure: Finding, package: str, document: Document, finder: Finder) -> Finding:
    """Return the finding that a package is not found with the folder in which it would be."""
    assert document.path is not None
    uri = f"package://{package}"
    folder = finder.folder_to_add(uri, document.path)
    if folder is None:
        return replace(failure, missing_uri=uri)
    where = shown_from(folder, document.path.absolute().parent)
    advice = f"it is in {where}: add that folder to the model folders"
    message = rules.xacro_failed.format(Message(f"package '{package}' is not found", advice))
    return replace(failure, message=message, missing_uri=uri, found_in=str(folder))


def _unchanged(sources: Sequence[Document], files: EvaluatedFiles) -> bool:
    """Return whether included files hold what they did."""
    return all(source.path is not None and files.read(source.path).text == source.text for source in sources)


def _have_changed(data: Sequence[Document], files: EvaluatedFiles) -> bool:
    """Return whether files that are no XML hold something else than what was read."""

    def has_changed(each: Document) -> bool:
        assert each.path is not None
        unsaved = files.unsaved(each.path)
        if unsaved is not None:
            return unsaved.text != each.text
        return each.fingerprint is None or saving.has_changed(each.path, each.fingerprint)

    return any(map(has_changed, data))
