"""Record what each value of an expansion is computed from: properties, arguments, parameters and keys of YAML files.

xacro evaluates a text, and on the way reads names, whose values are evaluated in turn. A :class:`Definition` says where
a name got its value; what its own text reads leads on to the next ones, down to literals.
"""

from __future__ import annotations

from typing import Any, NamedTuple, TypeAlias

#: Of one text so many names are recorded: an expression with more is not edited by hand.
MOST_READS = 100


class DefinitionKind:
    """What gives a name its value, in words that are sent from one process to the other."""

    PROPERTY = "property"
    ARGUMENT = "argument"
    #: An argument whose value comes with the evaluation, not from a file.
    GIVEN = "given argument"
    PARAMETER = "parameter"
    #: A parameter that a call leaves out.
    DEFAULT = "default"
    YAML = "YAML key"


class ElementPlace(NamedTuple):
    """A part of an element of a XML file: the file and the element, both counted, and its attribute."""

    source: int
    number: int
    attribute: str


class FilePlace(NamedTuple):
    """Characters of a file that is no XML."""

    path: str
    start: int
    end: int


class Definition:
    """Where a name got its value.

    Attributes
    ----------
    kind, name
        What it is, one of :class:`DefinitionKind`, and its name: of a YAML file the path of keys.
    place
        Where its value is written, None where that is in no file.
    reads
        What its value was computed from.
    """

    __slots__ = ("kind", "name", "place", "reads")

    def __init__(
        self, kind: str, name: str, place: ElementPlace | FilePlace | None, reads: tuple[Definition, ...] = ()
    ) -> None:
        self.kind, self.name, self.place, self.reads = kind, name, place, reads


#: What the values of one element read, by their texts as they are written.
Reads: TypeAlias = dict[str, tuple[Definition, ...]]
#: A definition as it is sent: kind, name, place, and the numbers of those that it reads.
Row: TypeAlias = tuple[str, str, ElementPlace | FilePlace | None, list[int]]


class Recorder:
    """Notes what is read while texts are evaluated, which may lie in each other.

    Attributes
    ----------
    last
        What the text that was evaluated last has read.
    definer
        What sets names at the moment: its kind, the file and number of its element, and the attribute with the value,
        empty where that is called as the name is.
    """

    def __init__(self) -> None:
        self.definer: tuple[str, tuple[int, int] | None, str] = (DefinitionKind.PROPERTY, None, "")
        self.last: tuple[Definition, ...] = ()
        self._texts: list[dict[Definition, None]] = []
        self._elements: list[Reads] = []

    def begin_element(self) -> None:
        """Begin with an element; what is evaluated for it is noted until its end."""
        self._elements.append({})

    def end_element(self) -> Reads:
        """Return what the values of the element read, of those that read anything."""
        return self._elements.pop()

    def begin(self) -> None:
        """Begin with the evaluation of a text."""
        self._texts.append({})

    def end(self, text: str) -> None:
        """End the evaluation of a text, which is empty where no element has it."""
        found = self._texts.pop()
        self.last = tuple(found)
        if found and text and not self._texts and self._elements:
            self._elements[-1].setdefault(text, self.last)

    def read(self, definition: Definition | None) -> None:
        """Note that a value is read."""
        if definition is not None and self._texts and len(self._texts[-1]) < MOST_READS:
            self._texts[-1][definition] = None

    def read_key(self, container: Any, key: Any) -> None:
        """Note that a value is read out of a collection, where that comes from a YAML file.

        Of a collection in a collection nothing is noted: it knows itself where it comes from.
        """
        places = container.places
        if places is not None:
            self.read(places.definition(key))

    def abandon(self) -> None:
        """Forget what an evaluation that failed has begun."""
        self.last = ()
        self._texts.clear()
        self._elements.clear()


class Arguments(dict[str, str]):
    """The values of ``<xacro:arg>`` by name.

    Attributes
    ----------
    place
        Where an argument is declared, while that is evaluated.
    """

    def __init__(self, given: dict[str, str], recorder: Recorder) -> None:
        super().__init__(given)
        self.place: ElementPlace | None = None
        self._recorder = recorder
        self._definitions = {name: Definition(DefinitionKind.GIVEN, name, None) for name in given}

    def declare(self, name: str, place: ElementPlace) -> None:
        """Note where an argument is declared, before its default is evaluated."""
        self.place = place
        known = self._definitions.get(name)
        if known is not None and known.place is None:
            known.place = place

    def __setitem__(self, name: str, value: str) -> None:
        super().__setitem__(name, value)
        self._definitions[name] = Definition(DefinitionKind.ARGUMENT, name, self.place, self._recorder.last)

    def __getitem__(self, name: str) -> str:
        value = super().__getitem__(name)
        self._recorder.read(self._definitions.get(name))
        return value


def number_definitions(elements: list[Reads | None]) -> tuple[list[Row], list[list[tuple[str, list[int]]]]]:
    """Return all definitions that elements read, numbered, and of each element its texts with those that they read."""
    rows: list[Row] = []
    numbers: dict[Definition, int] = {}
    waiting: list[Definition] = []

    def number(definition: Definition) -> int:
        known = numbers.get(definition)
        if known is None:
            known = numbers[definition] = len(rows)
            rows.append((definition.kind, definition.name, definition.place, []))
            waiting.append(definition)
        return known

    def numbered(definitions: tuple[Definition, ...]) -> list[int]:
        found = [number(each) for each in definitions]
        while waiting:
            each = waiting.pop()
            rows[numbers[each]][3].extend(map(number, each.reads))
        return found

    written = [[(text, numbered(found)) for text, found in (reads or {}).items()] for reads in elements]
    return rows, written
