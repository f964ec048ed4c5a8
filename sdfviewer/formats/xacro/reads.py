"""Record what each value of an expansion is computed from: properties, arguments, parameters and keys of YAML files.

xacro evaluates a text, and on the way reads names, whose values are evaluated in turn. A :class:`Definition` says where
a name got its value; what its own text reads leads on to the next ones, down to literals.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, TypeAlias
from xml.dom import minidom

#: Of one text so many names are recorded: an expression with more is not edited by hand.
MOST_READS = 100

#: The parts of a text as xacro reads them: ``$${``, ``${expression}``, ``$(extension)``, and what is neither.
TEXT_PART = re.compile(r"(\$\$+[{(])|\$\{([^}]*)\}|\$\(([^)]*)\)|([^$]+|\$[^{($]+|\$$)")


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


class TextReading(NamedTuple):
    """What the evaluation of a text has read, and what its parts became.

    Attributes
    ----------
    definitions
        What was read.
    parts
        The values of the expressions in the text and of what is between them, in the order of the text; None for what
        is neither a text nor a number, or is long. Empty for a text that needs no evaluation.
    """

    definitions: tuple[Definition, ...] = ()
    parts: tuple[str | None, ...] = ()


_NOTHING = TextReading()


class Definition:
    """Where a name got its value.

    Attributes
    ----------
    kind, name
        What it is, one of :class:`DefinitionKind`, and its name: of a YAML file the path of keys.
    place
        Where its value is written, None where that is in no file.
    reading
        What its value was computed from.
    call
        Of a parameter that a call leaves out, the file and the number of the call.
    """

    __slots__ = ("call", "kind", "name", "place", "reading")

    def __init__(
        self,
        kind: str,
        name: str,
        place: ElementPlace | FilePlace | None,
        reading: TextReading = _NOTHING,
        call: tuple[int, int] | None = None,
    ) -> None:
        self.kind, self.name, self.place, self.reading, self.call = kind, name, place, reading, call


#: What the values of one element read, by their texts as they are written.
Reads: TypeAlias = dict[str, TextReading]


class DefinitionRow(NamedTuple):
    """A :class:`Definition` as it is sent: those that it reads by their numbers."""

    kind: str
    name: str
    place: ElementPlace | FilePlace | None
    reads: list[int]
    parts: Sequence[str | None]
    call: tuple[int, int] | None


class TextRow(NamedTuple):
    """A text of an element as it is sent, with what its evaluation has read and what its parts became."""

    text: str
    reads: Sequence[int]
    parts: Sequence[str | None]


class Recorder:
    """Notes what is read while texts are evaluated, which may lie in each other.

    Attributes
    ----------
    last
        What the text that was evaluated last has read.
    definer
        What sets names at the moment: its kind, the file and number of its element, and the attribute with the value,
        empty where that is called as the name is.
    call
        The file and number of the macro call that is evaluated at the moment.
    """

    def __init__(self) -> None:
        self.definer: tuple[str, tuple[int, int] | None, str] = (DefinitionKind.PROPERTY, None, "")
        self.call: tuple[int, int] | None = None
        self.last = _NOTHING
        self._texts: list[dict[Definition, None]] = []
        self._elements: list[Reads] = []

    def begin_element(self) -> None:
        """Begin with an element; what is evaluated for it is noted until its end."""
        self._elements.append({})

    def end_element(self) -> Reads:
        """Return what the values of the element read, of those that were evaluated."""
        return self._elements.pop()

    def begin(self) -> None:
        """Begin with the evaluation of a text."""
        self._texts.append({})

    def begin_plain(self) -> None:
        """Note that a text needs no evaluation."""
        self.last = _NOTHING

    def end(self, text: str, parts: tuple[str | None, ...] = ()) -> None:
        """End the evaluation of a text, which is empty where no element has it."""
        self.last = TextReading(tuple(self._texts.pop()), parts)
        if text and not self._texts and self._elements:
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
        self.last, self.call = _NOTHING, None
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


def number_definitions(elements: Sequence[Reads | None]) -> tuple[list[DefinitionRow], list[list[TextRow]]]:
    """Return all definitions that elements read, numbered, and of each element its texts with those that they read."""
    rows: list[DefinitionRow] = []
    numbers: dict[Definition, int] = {}
    waiting: list[Definition] = []

    def number(each: Definition) -> int:
        known = numbers.get(each)
        if known is None:
            known = numbers[each] = len(rows)
            rows.append(DefinitionRow(each.kind, each.name, each.place, [], each.reading.parts, each.call))
            waiting.append(each)
        return known

    def numbered(definitions: tuple[Definition, ...]) -> list[int]:
        found = [number(each) for each in definitions]
        while waiting:
            each = waiting.pop()
            rows[numbers[each]].reads.extend(map(number, each.reading.definitions))
        return found

    written = [
        [TextRow(text, numbered(found.definitions), found.parts) for text, found in (reads or {}).items()]
        for reads in elements
    ]
    return rows, written


#: The attribute of a table that holds where its names got their values.
_DEFINITIONS = "sdfviewer_definitions"


def record_names(
    engine: Any, recorder: Recorder, origin_of: Callable[[minidom.Element], tuple[int, int] | None]
) -> None:
    """Wrap what sets and reads names.

    Parameters
    ----------
    engine
        The module ``xacro``, which has no types.
    recorder
        Notes what is read, and knows which macro is called.
    origin_of
        Returns the file and the number of an element.
    """
    grab, default_of = engine.grab_property, engine.eval_default_arg
    set_item, resolve = engine.Table._setitem, engine.Table._resolve_

    def grab_property(element: minidom.Element, table: Any) -> None:
        before = recorder.definer
        attribute = "default" if element.hasAttribute("default") else "value"
        recorder.definer = (DefinitionKind.PROPERTY, origin_of(element), attribute)
        try:
            grab(element, table)
        finally:
            recorder.definer = before

    def evaluate_default(forwarded: str | None, default: str | None, symbols: Any, macro: Any) -> Any:
        recorder.begin()  # a property of the caller that is forwarded is read without an expression
        try:
            value = default_of(forwarded, default, symbols, macro)
            evaluated = recorder.last
        finally:
            recorder.end("")
        if not recorder.last.definitions:
            recorder.last = evaluated
        recorder.definer = (DefinitionKind.DEFAULT, origin_of(macro.body), "params")
        return value

    def define(table: Any, name: str, value: Any, unevaluated: bool) -> None:
        set_item(table, name, value, unevaluated)
        if name.startswith("*") or isinstance(value, engine.NameSpace):  # a block, a namespace
            return
        kind, origin, attribute = recorder.definer
        place = None if origin is None else ElementPlace(*origin, attribute or name)
        reading = TextReading() if unevaluated else recorder.last
        call = recorder.call if kind == DefinitionKind.DEFAULT else None
        table.__dict__.setdefault(_DEFINITIONS, {})[name] = Definition(kind, name, place, reading, call)

    def read(table: Any, name: str) -> Any:
        definition = table.__dict__.get(_DEFINITIONS, {}).get(name)
        if definition is None:
            return resolve(table, name)
        is_new = name in table.unevaluated
        value = resolve(table, name)
        if is_new:  # its text has been evaluated just now
            definition.reading = recorder.last
        recorder.read(definition)
        return value

    engine.grab_property, engine.eval_default_arg = grab_property, evaluate_default
    engine.Table._setitem, engine.Table._resolve_ = define, read
