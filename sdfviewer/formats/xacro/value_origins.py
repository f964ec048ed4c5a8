"""Where the values of an expansion come from: properties, arguments, parameters and keys of YAML files."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from sdfviewer.diagnostics import Span
from sdfviewer.document.document import Document
from sdfviewer.document.element import Element
from sdfviewer.formats.xacro.reads import DefinitionKind, DefinitionRow

#: A parameter of a macro, and its default: ``name``, ``name:=default``, ``name:=^|default``.
_PARAMETER = re.compile(
    r"""\s*([^\s:=]+)(?:\s*:?=\s*(?:\^\|?)?(\$\{.*?\}|\$\(.*?\)|(?:'.*?'|".*?"|[^\s'"]+)+|)(?=\s|$))?""",
    re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class WrittenValue:
    """A text of a file, and what its evaluation has made of it.

    Attributes
    ----------
    document
        The file.
    start, end
        Where the text is there: the value of an attribute without its quotes, the text of an element, the value of a
        YAML key.
    form
        How it is written: one of :class:`Form`.
    parts
        What the parts of the text became; see :class:`~sdfviewer.formats.xacro.reads.TextReading`.
    origins
        What its expressions have read.
    """

    document: Document
    start: int
    end: int
    form: str
    parts: tuple[str | None, ...]
    origins: tuple[ValueOrigin, ...]


class Form:
    """How a value is written in a file."""

    ATTRIBUTE = "attribute"
    TEXT = "text"
    #: The value of a property, of which xacro takes quotes away.
    PROPERTY = "property"
    #: A default among the parameters of a macro.
    DEFAULT = "default"
    YAML = "YAML"


@dataclass(frozen=True, slots=True)
class ValueOrigin:
    """What gives a name its value, which a value of an expansion was computed with.

    Attributes
    ----------
    kind
        What it is: one of :class:`~sdfviewer.formats.xacro.reads.Kind`.
    name
        Its name; of a value of a YAML file the keys that lead to it, with dots between, empty for a whole file.
    document
        The file in which the value is written. None for an argument that is declared nowhere and was given.
    start, end
        Where it is written there: the value of the attribute without its quotes, the value of a YAML key.
    """

    kind: str
    name: str
    document: Document | None
    start: int
    end: int
    number: int = field(repr=False)
    _origins: Origins = field(repr=False, compare=False)

    @property
    def text(self) -> str:
        """The value as it is written: a literal, or an expression."""
        return "" if self.document is None else self.document.text[self.start : self.end]

    @property
    def span(self) -> Span | None:
        """Where the value is written."""
        return None if self.document is None else self.document.span_between(self.start, self.end)

    @property
    def origins(self) -> tuple[ValueOrigin, ...]:
        """What the value itself was computed with; none for a literal."""
        return self._origins.read_by(self.number)

    @property
    def written(self) -> WrittenValue | None:
        """The text that gives the value, None where it is in no file."""
        if self.document is None:
            return None
        forms = {DefinitionKind.YAML: Form.YAML, DefinitionKind.PROPERTY: Form.PROPERTY}
        form = forms.get(self.kind, Form.DEFAULT if self.kind == DefinitionKind.DEFAULT else Form.ATTRIBUTE)
        parts = tuple(self._origins.row(self.number).parts)
        return WrittenValue(self.document, self.start, self.end, form, parts, self.origins)

    @property
    def call(self) -> tuple[Document, Element] | None:
        """Of a parameter that a call leaves out, the file and the element of the call."""
        return self._origins.call(self.number)

    def ends(self) -> tuple[ValueOrigin, ...]:
        """Return what all of it comes from in the end: the literals, given arguments and keys that were read."""
        return ends_of((self,))


def ends_of(origins: Iterable[ValueOrigin]) -> tuple[ValueOrigin, ...]:
    """Return what values come from in the end, each once."""
    found: list[ValueOrigin] = []
    seen: set[int] = set()
    waiting = [*origins][::-1]
    while waiting:
        origin = waiting.pop()
        if origin.number in seen:
            continue
        seen.add(origin.number)
        if inner := origin.origins:
            waiting += reversed(inner)
        else:
            found.append(origin)
    return tuple(found)


class Origins:
    """The origins of all values of an expansion.

    Parameters
    ----------
    rows
        The definitions as :mod:`.reads` sends them.
    sources, elements
        The files that were read, and the elements of each in document order.
    data
        The files that were read and are no XML.
    """

    def __init__(
        self,
        rows: Sequence[DefinitionRow],
        sources: Sequence[Document],
        elements: Sequence[Sequence[Element]],
        data: Iterable[Document],
    ) -> None:
        self._rows, self._sources, self._elements = rows, sources, elements
        self._readers: list[list[int]] | None = None
        self._at: dict[tuple[str | int, ...], list[int]] = {}
        self._data: Mapping[Path, Document] = {each.path: each for each in data if each.path is not None}

    def row(self, number: int) -> DefinitionRow:
        """Return a definition as it was sent."""
        return self._rows[number]

    def read_by(self, number: int) -> tuple[ValueOrigin, ...]:
        """Return what the value of a definition was computed with."""
        return tuple(map(self.origin, self._rows[number].reads))

    def call(self, number: int) -> tuple[Document, Element] | None:
        """Return the call that leaves out a parameter."""
        call = self._rows[number].call
        return None if call is None else (self._sources[call[0]], self._elements[call[0]][call[1]])

    def origin(self, number: int) -> ValueOrigin:
        """Return a definition by its number."""
        row = self._rows[number]
        return ValueOrigin(row.kind, row.name, *self._find(row.name, row.place), number, self)

    def computed_with(self, origin: ValueOrigin, *, in_call: bool = False) -> set[int]:
        """Return the numbers of the definitions whose values change with what is written where an origin is.

        Parameters
        ----------
        in_call
            Whether only the call counts that leaves out the parameter.
        """
        row = self._rows[origin.number]
        if self._readers is None:
            self._readers = [[] for _ in self._rows]
            for number, each in enumerate(self._rows):
                self._at.setdefault(tuple(each.place or ()), []).append(number)
                for read in each.reads:
                    self._readers[read].append(number)
        found = {
            number
            for number in ([origin.number] if row.place is None else self._at[tuple(row.place)])
            if (row.kind != DefinitionKind.DEFAULT or self._rows[number].name == row.name)
            and (not in_call or self._rows[number].call == row.call)
        }
        waiting = [*found]
        while waiting:
            new = [each for each in self._readers[waiting.pop()] if each not in found]
            found.update(new)
            waiting += new
        return found

    def set_at(self, element: Element, offset: int) -> Iterator[ValueOrigin]:
        """Yield what gets its value, in some macro call, from what is written at an offset of a source's element."""
        for number, row in enumerate(self._rows):
            place = row.place
            if place is None or isinstance(place[0], str) or self._elements[place[0]][int(place[1])] is not element:
                continue
            origin = self.origin(number)
            if origin.start <= offset <= origin.end:
                yield origin

    def _find(self, name: str, place: Sequence[str | int] | None) -> tuple[Document | None, int, int]:
        if place is None:
            return None, 0, 0
        first, second, third = place
        if isinstance(first, str):
            file = self._data.get(Path(first).resolve())
            return file, int(second), int(third)
        document, element = self._sources[first], self._elements[first][int(second)]
        value = document.value_offsets(element, str(third))
        if value is None:
            return (document, *document.offsets(element))
        start, end = value
        if third == "params":
            first, last = _default_in(document.text[start:end], name)
            start, end = start + first, start + last
        return document, start, end


def _default_in(params: str, name: str) -> tuple[int, int]:
    """Return where the default of a parameter is among the parameters of a macro, which are read as xacro does."""
    at = 0
    while (found := _PARAMETER.match(params, at)) is not None:
        if found[1] == name and found[2] is not None:
            return found.span(2)
        at = found.end()
    return 0, len(params)


def written_part(element: Element, part: str) -> tuple[Element, str] | None:
    """Return where a part of an element of a source is written that its expansion has; None where it is not written.

    Parameters
    ----------
    element
        The element in the source.
    part
        ``"@name"`` for an attribute, ``"text"`` for the text.

    Returns
    -------
        The element that holds the value, and the part of it: an attribute may be written in an element of its own.
    """
    if part == "text":
        return element, part
    name = part.removeprefix("@")
    for child in element.children:
        if child.tag == "xacro:attribute" and child.attributes.get("name") == name:
            return (child, "@value") if "value" in child.attributes else None
    return (element, part) if name in element.attributes else None
