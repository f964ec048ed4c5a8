"""A document: a snapshot of a text that never changes, with its elements and their locations."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from sdfviewer.computed import computed_from, forget, reuse_caches, state_of
from sdfviewer.diagnostics import Diagnostic, Fix, Replacement, SdfViewerError, Span
from sdfviewer.document import text_rules as rules
from sdfviewer.document.element import ATTRIBUTE, Element
from sdfviewer.document.indexes import ElementIndex, LineIndex
from sdfviewer.document.xml.encoding import Encoding, encode, lacking_character, storable
from sdfviewer.document.xml.incremental import (
    PathStep,
    Tree,
    carried_over,
    from_tag,
    path_between,
    read_again,
    read_outside,
    read_surroundings,
)
from sdfviewer.document.xml.read import TextProblem, read_text
from sdfviewer.document.xml.wellformed import check_well_formed
from sdfviewer.faults import describe_fault, log_fault
from sdfviewer.garbage_collection import paused_collection

if TYPE_CHECKING:
    from sdfviewer.document.xml.reconstruction import Reconstruction

#: Child indices from the root element down to an element: () is the root.
Address: TypeAlias = tuple[int, ...]

#: Larger files are refused: no robot needs them, and they would exhaust memory.
MAX_FILE_BYTES = 128 * 1024 * 1024
#: What a document computes when it is first asked for a location.
#: Above this number, all attribute offsets are computed at once.
_MANY_ATTRIBUTES = 32
#: Number of characters that show how a file is written: reading all of a large world takes as long as an edit of it.
_SAMPLE = 100_000


class UnreadableFileError(SdfViewerError):
    """A file cannot be read at all: missing, no permission, a folder, too large."""


class Document:
    """A snapshot of a file: its text and its elements never change.

    Made by :func:`parse_document` and :func:`open_document`; :meth:`edited` returns the next snapshot and shares all
    elements that the edit does not touch. The locations of its elements are computed on demand and kept.

    Attributes
    ----------
    path
        The file, or None for text without a file.
    text
        The whole text, line ends as they are in the file.
    root
        The root element, or None where the text is not well-formed.
    diagnostics
        Problems of the text itself.
    encoding
        How the text is written as bytes.
    fingerprint
        Identifies the content on disk that the first snapshot was read from, or None.
    """

    def __init__(
        self,
        text: str,
        path: Path | None,
        root: Element | None,
        root_offset: int,
        encoding: Encoding,
        on_disk: Fingerprint | None,
    ) -> None:
        self.text = text
        self.path = path
        self.root = root
        self.encoding = encoding
        self.fingerprint = on_disk
        self.diagnostics: tuple[Diagnostic, ...] = ()
        self.root_offset = root_offset
        # Kept once requested. Threads may share a document: each reads the attribute once and uses what it read.
        self._last_attributes: tuple[Element, dict[str, tuple[int, int]]] | None = None
        self._absent: set[str] = set()
        # While there are problems: the last snapshot without any, and start and end of what was replaced in it since.
        self._faultless: tuple[Document, int, int] | None = None
        #: Whether its elements are only those that a text has that is not XML: see :attr:`recovered`.
        self.is_recovered = False
        # While the text cannot be read: its elements as far as they are known from the text before.
        self._carried: Tree | None = None
        self._is_guessed = False
        self._recovered: Document | None = None

    def __getstate__(self) -> dict[str, object]:
        return {**state_of(self), "_recovered": None}

    @property
    def name(self) -> str:
        """The path as a string, ``"-"`` for text without a file."""
        return "-" if self.path is None else str(self.path)

    @property
    def is_data(self) -> bool:
        """Whether the file holds settings or values, rather than a model."""
        return self.path is not None and self.path.suffix.lower() in (".toml", ".yaml", ".yml")

    @property
    def faultless(self) -> Document:
        """The last snapshot without problems that this one was edited from, itself where it has none or none is known.

        While a text cannot be read, views show what the last one meant.
        """
        return self if self._faultless is None else self._faultless[0]

    @property
    def recovered(self) -> Document:
        """This snapshot with the elements that its text has in spite of its problems, itself where it has none.

        What is not well-formed is left out, or as it was before it was edited; a text that was not XML when it was
        opened is read as it may have been meant. Locations are those in the text. It is for looking at: only a document
        with a :attr:`root` may be edited with its elements, and what writes a file takes the :attr:`repaired` text.
        Its own root is None where nothing can be guessed.
        """
        if self._carried is None and self.root is None and not self._is_guessed:
            self._carried, self._is_guessed = _guessed_tree(self), True
        if self._carried is None:
            return self  # not kept: a document that refers to itself would be left to the garbage collector
        if self._recovered is not None:
            return self._recovered
        document = Document(self.text, self.path, *self._carried, self.encoding, self.fingerprint)
        document.diagnostics, document.is_recovered = self.diagnostics, True
        self._recovered = document
        return document

    @property
    def repaired(self) -> Document:
        """The document of the text with all repairs made, itself where it needs none or none can be guessed.

        Lines keep their numbers.
        """
        meant = None if self.root is not None else _reconstruct(self)
        return self if meant is None else parse_document(meant.text, self.path, encoding=self.encoding)

    def to_bytes(self) -> bytes:
        """Return the bytes that saving writes: the text in the file's own encoding, where that can write it."""
        return encode(*storable(self.text, self.encoding))

    def storable(self, tell: Callable[[str], object] = lambda _: None) -> Document:
        """Return the document as saving writes it: this one unless its encoding cannot write it.

        Parameters
        ----------
        tell
            Called with a sentence for the user where the encoding has to be UTF-8.
        """
        text, encoding = storable(self.text, self.encoding)
        if (text, encoding) == (self.text, self.encoding):
            return self
        if text != self.text:
            lacking = lacking_character(self.text, self.encoding)
            name = self.encoding.name.upper()
            tell(f"{self.name} is saved as UTF-8, and declares it: {name} has no '{lacking}'.")
        return parse_document(text, self.path, encoding=encoding, on_disk=self.fingerprint)

    # --- locations ---------------------------------------------------------------------------------------------

    @computed_from("text")
    def _lines(self) -> LineIndex:
        return LineIndex.of(self.text)

    @computed_from("root")
    def _elements(self) -> ElementIndex:
        return ElementIndex.of(self.root)

    def __contains__(self, element: Element) -> bool:
        try:
            self.offset(element)
        except LookupError:
            return False
        return True

    def offset(self, element: Element) -> int:
        """Return the offset of an element's first character.

        Raises
        ------
        LookupError
            If the element is not in this document.
        """
        return self.root_offset + self._elements.offset(element)

    def parent(self, element: Element) -> Element | None:
        """Return the element around ``element``, None for the root."""
        return next(self._elements.path_up(element), (None, 0))[0]

    def outwards(self, element: Element) -> Iterator[Element]:
        """Yield an element, the one around it, and so on up to the root."""
        yield element
        yield from (around for around, _ in self._elements.path_up(element))

    def address(self, element: Element) -> Address:
        """Return the child indices that lead from the root to ``element``."""
        return tuple(number for _, number in self._elements.path_up(element))[::-1]

    def element(self, address: Address) -> Element:
        """Return the element at an address.

        Raises
        ------
        LookupError
            If there is none.
        """
        element = self.root
        if element is None:
            raise LookupError("the text is not well-formed")
        for number in address:
            element = element.children[number]
        return element

    def element_at(self, offset: int) -> Element | None:
        """Return the innermost element whose text holds the character at ``offset``, None outside the root."""
        path = self.path_to(offset, offset + 1)
        return path[-1][0] if path else None

    def path_to(self, start: int, end: int) -> list[PathStep]:
        """Return the elements that hold ``start`` to ``end``, outermost first, with their offset and child index."""
        return path_between(self.root, self.root_offset, start, end)

    def attribute_offsets(self, element: Element, name: str, at: int | None = None) -> tuple[int, int] | None:
        """Return start and end of an attribute ``name="value"`` in the text, None where it is not written.

        Parameters
        ----------
        element, name
            The attribute.
        at
            The offset of the element, where it is known; else it is looked up.
        """
        start = self.offset(element) if at is None else at
        if len(element.attributes) > _MANY_ATTRIBUTES:
            spans = self._spans_of_attributes(element)
            return spans.get(name)
        for match in ATTRIBUTE.finditer(self.text, start + 1 + len(element.tag), start + element.start_length):
            if match[1] == name:
                return match.span()
        return None

    def value_offsets(self, element: Element, name: str, at: int | None = None) -> tuple[int, int] | None:
        """Return start and end of the value of an attribute, without its quotes; None where it is not written.

        The parameters are those of :meth:`attribute_offsets`.
        """
        written = self.attribute_offsets(element, name, at)
        if written is None:
            return None
        start, end = written
        return self.text.index(self.text[end - 1], start) + 1, end - 1

    def _spans_of_attributes(self, element: Element) -> dict[str, tuple[int, int]]:
        """Return where the attributes of an element are; those of the last one that was requested are remembered."""
        last = self._last_attributes
        if last is not None and last[0] is element:
            return last[1]
        start = self.offset(element)
        spans: dict[str, tuple[int, int]] = {}
        for match in ATTRIBUTE.finditer(self.text, start + 1 + len(element.tag), start + element.start_length):
            spans.setdefault(match[1], match.span())
        self._last_attributes = element, spans
        return spans

    def content_offsets(self, element: Element) -> tuple[int, int]:
        """Return start and end of what is between the tags; both are the element's end for ``<a/>``."""
        start = self.offset(element)
        return start + element.start_length, start + element.length - element.end_length

    def offsets(self, element: Element, part: str | None = None) -> tuple[int, int]:
        """Return start and end of a part of an element.

        Parameters
        ----------
        element
            An element of this document.
        part
            None for the start tag, ``"@name"`` for an attribute (the start tag where it is not written), ``"text"``
            for the content without surrounding blanks (the start tag where it is blank), ``"element"`` for all of it.
        """
        start = self.offset(element)
        if part == "element":
            return start, start + element.length
        if part == "text":
            first, last = self.content_offsets(element)
            content = self.text[first:last]
            if stripped := content.strip():
                first += len(content) - len(content.lstrip())
                return first, first + len(stripped)
        elif part is not None and (attribute := self.attribute_offsets(element, part[1:])):
            return attribute
        return start, start + element.start_length

    def span(self, element: Element, part: str | None = None) -> Span:
        """Return where a part of an element is; see :meth:`offsets`."""
        return self.span_between(*self.offsets(element, part))

    def span_between(self, start: int, end: int) -> Span:
        """Return the span of the characters from ``start`` to ``end``."""
        line, column = self.position(start)
        end_line, end_column = self.position(end)
        return Span(self.name, start, end, line, column, end_line, end_column)

    def position(self, offset: int) -> tuple[int, int]:
        """Return line and column of a character, both counted from 1."""
        return self._lines.position(offset)

    def offset_of_line(self, line: int) -> int:
        """Return the offset of the first character of a line counted from 1."""
        return self._lines.start(line)

    def line(self, number: int) -> str:
        """Return a line, counted from 1, without its line end."""
        end = self._lines.start(number + 1) if number < len(self._lines) else len(self.text)
        return self.text[self._lines.start(number) : end].rstrip("\r\n")

    @property
    def is_well_formed(self) -> bool:
        """Whether the text has elements that are written as XML demands: each is known, and the depth of each line."""
        return self.root is not None and check_well_formed(self.text) is None

    def contains(self, words: str) -> bool:
        """Return whether the text contains some characters; what it does not contain is known after an edit, too."""
        if words in self._absent:
            return False
        if words in self.text:
            return True
        self._absent.add(words)
        return False

    # --- edits -------------------------------------------------------------------------------------------------

    def spliced(self, replacements: Sequence[Replacement]) -> str:
        """Return the text with ``replacements`` made; nothing is read.

        Raises
        ------
        ValueError
            If replacements overlap or lie outside the text.
        """
        pieces: list[str] = []
        at = 0
        for change in sorted(replacements, key=_by_place):
            if change.start < at or change.end < change.start or change.end > len(self.text):
                raise ValueError(f"replacement {change} overlaps another or lies outside the text")
            pieces += (self.text[at : change.start], change.text)
            at = change.end
        return "".join((*pieces, self.text[at:]))

    def edited(self, replacements: Sequence[Replacement]) -> Document:
        """Return the document with ``replacements`` made, all of them given in offsets of this document.

        The smallest element around all replacements is read again, or of its children those that they touch; every
        other element is shared. While the text has problems, that is so for all replacements since it had none.

        Raises
        ------
        ValueError
            If replacements overlap or lie outside the text.
        """
        if not replacements:
            return self
        text = self.spliced(replacements)
        ordered = sorted(replacements, key=_by_place)
        start, end = ordered[0].start, ordered[-1].end
        base = None if self.diagnostics else self
        if self._faultless is not None:
            base, first, last = self._faultless
            grown = len(self.text) - len(base.text)
            start, end = min(first, start), max(last, end - grown)
        document = None if base is None else base._edited(text, start, end, self)
        if document is None:
            document = parse_document(text, self.path, encoding=self.encoding, on_disk=self.fingerprint)
        if document.diagnostics and base is not None:
            document._faultless = base, start, end
        if document.root is None or _hides_tags(document):
            document._carry_over(self, ordered[0].start, ordered[-1].end)
        return document

    def _carry_over(self, before: Document, start: int, end: int) -> None:
        """Take over the elements of the text before an edit, which this one cannot be read for."""
        tree = before._carried
        if tree is None and before.root is not None:
            tree = Tree(before.root, before.root_offset)
        if tree is None:
            return
        delta = len(self.text) - len(before.text)
        if start == end and delta > 0:
            start = end = from_tag(self.text, start, start + delta)[0]
        elif delta < 0 and end - start == -delta:
            start, end = from_tag(before.text, start, end)
        self._carried = carried_over(tree, self.text, start, end, delta)
        known = Document._elements.known(before._recovered or before)
        if self._carried is not None and known is not None:
            Document._elements.keep(self.recovered, known.carried_over(self._carried.root))

    def _edited(self, text: str, start: int, end: int, last: Document) -> Document | None:
        """Return the document of a text that differs between ``start`` and ``end``, None where it must be read whole.

        This document has no problems; that of the ``last`` text may have.
        """
        if self.root is None:
            return None
        delta = len(text) - len(self.text)
        root_offset = self.root_offset
        reread = read_again(self.path_to(start, end), text, start, end, delta)
        problems: Sequence[TextProblem] = ()
        if reread is None:
            edit = text, start, end, delta, last.encoding.name
            if end <= root_offset or start >= root_offset + self.root.length:
                read = read_outside(self.root, root_offset + (delta if end <= root_offset else 0), *edit)
            else:
                read = read_surroundings(self.root, root_offset, *edit)
            if read is None:
                return None
            problems, reread, root_offset = read
        root = None if reread is None else reread.branch[-1]
        document = Document(text, last.path, root, root_offset, last.encoding, last.fingerprint)
        elements, lines = Document._elements.known(self), Document._lines.known(self)
        if elements is not None and reread is not None:
            Document._elements.keep(document, elements.edited(reread.branch[-1], reread.fresh, reread.branch))
        if lines is not None:
            Document._lines.keep(document, lines.edited(text, start, end, delta))
        for words in tuple(self._absent):
            reach = len(words) - 1
            if words not in text[max(start - reach, 0) : end + delta + reach]:
                document._absent.add(words)
        document.diagnostics = tuple(_diagnostic(document, problem) for problem in problems)
        return document

    def moved_to(self, path: Path | None, on_disk: Fingerprint | None) -> Document:
        """Return this document as that of another path, with the fingerprint of the file there."""
        if self.diagnostics and path != self.path:  # they say where they are
            return parse_document(self.text, path, encoding=self.encoding, on_disk=on_disk)
        document = Document(self.text, path, self.root, self.root_offset, self.encoding, on_disk)
        document.diagnostics, document._faultless = self.diagnostics, self._faultless
        document._carried = self._carried
        reuse_caches(document, self)
        return document

    def take_locations(self, other: Document) -> None:
        """Reuse the element index of another document that shares most elements with this one."""
        index = Document._elements
        known = index.known(other) or index.known(other.faultless)
        taker = self if self.root is not None else self.faultless
        if known is not None and taker.root is not None and index.known(taker) is None:
            index.keep(taker, known.carried_over(taker.root))

    def forget_locations(self) -> None:
        """Free the memory of the element index, which is computed again when needed; the lines take little of it."""
        forget(self, "root")
        self._recovered = None

    @computed_from("text")
    def quote(self) -> str:
        """The quote that most attributes have where the text begins, ``"\""`` where there are as many of each."""
        counts = {quote: self.text.count(f"={quote}", 0, _SAMPLE) for quote in "'\""}
        return "'" if counts["'"] > counts['"'] else '"'

    @property
    def newline(self) -> str:
        """The line end of the first line, ``"\\n"`` where there is only one line."""
        first = self.text.find("\n")
        return "\r\n" if first > 0 and self.text[first - 1] == "\r" else "\n"


def _by_place(change: Replacement) -> tuple[int, int]:
    return change.start, change.end


def parse_document(
    text: str, path: Path | None = None, *, encoding: Encoding | None = None, on_disk: Fingerprint | None = None
) -> Document:
    """Return the document of a text. Text that is not well-formed gives a document without a root and a diagnostic."""
    encoding = encoding or Encoding()
    with paused_collection():
        read = read_text(text, encoding.name)
    document = Document(text, path, read.root, read.offset, encoding, on_disk)
    document.diagnostics = tuple(_diagnostic(document, problem) for problem in read.problems)
    return document


def unread_document(text: str, like: Document, error: Exception) -> Document:
    """Return the document of a text that this program fails to read, of the same file as another document.

    It has no root, and a diagnostic that says so: the text can still be edited, saved and undone.
    """
    document = Document(text, like.path, None, 0, like.encoding, like.fingerprint)
    document.diagnostics = (internal_error(document, error),)
    return document


def internal_error(document: Document, error: Exception, doing: str = "read") -> Diagnostic:
    """Return the diagnostic of a fault of this program, not of the file, which could not be ``read`` or ``drawn``."""
    return _diagnostic(document, TextProblem(rules.internal_error, 0, 1, (*describe_fault(error), doing)))


def _hides_tags(document: Document) -> bool:
    """Return whether a comment or declaration of a text that libsdformat reads lacks its end, and hides what follows.

    It goes on to the end of the next one, or of the next tag.
    """
    text = document.text
    for problem in document.diagnostics:
        if problem.rule is not rules.xml_not_strict or problem.span is None:
            continue
        start, end = problem.span.start, problem.span.end
        is_declaration, has_dashes = text.startswith("<!", start), text.startswith("--", start)
        if is_declaration and text.find("<", start + 1, end) >= 0:
            return True
        # What two dashes are a fault in is a comment, which has an end.
        if has_dashes and text.find("<!--", start - len("<!"), text.find("-->", start + 1)) >= 0:
            return True
    return False


def _reconstruct(document: Document) -> Reconstruction | None:
    from sdfviewer.document.xml.reconstruction import reconstruct  # noqa: PLC0415  # its patterns compile slowly

    try:
        return reconstruct(document.text)
    except Exception as error:  # the text as it is has been read; it must not be lost for a guess
        log_fault(f"guess what {document.name} means", error)
        return None


def _guessed_tree(document: Document) -> Tree | None:
    """Return the elements that a text may be meant to have, where they are in it; None if none can be guessed."""
    meant = _reconstruct(document)
    if meant is None:
        return None
    read = read_text(meant.text, document.encoding.name)
    tree = None if read.root is None else Tree(read.root, read.offset)
    after = meant.text
    for before, step in reversed(meant.steps):
        if tree is None:
            return None
        grown = len(after) - len(before)
        start, end = min(each.start for each in step.replacements), max(each.end for each in step.replacements)
        tree, after = carried_over(tree, before, start, end + grown, -grown), before
    return tree


def _diagnostic(document: Document, problem: TextProblem) -> Diagnostic:
    rule = problem.rule
    span = document.span_between(problem.start, min(problem.end, len(document.text)))
    fixes = () if problem.fix is None else (Fix(problem.fix[0], document.name, tuple(problem.fix[1])),)
    message = rule.format(*problem.arguments)
    return Diagnostic(rule, rule.severity, message, span, libsdformat=rule.libsdformat, fixes=fixes)


@dataclass(frozen=True, slots=True)
class Fingerprint:
    """A file at one moment: time of the last change, size in bytes, SHA-256, and where its path led.

    Links are resolved in ``real_path``, which is empty where it is not known.
    """

    mtime_ns: int
    size: int
    digest: str
    real_path: str = ""
