"""Write a value of an expansion back: which edits of the source files give it another value.

A literal is changed at its place. An expression is followed to what gives it its value: properties, arguments,
parameters of macro calls with their defaults, and keys of YAML files; on the way it is solved for one of its terms.
Each of these places is a choice, and so is a literal in place of an expression. What else is computed with a place
changes along, and is named.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import islice, pairwise, product
from pathlib import Path

from sdfviewer.diagnostics import Replacement, SdfViewerError, Span
from sdfviewer.display_text import cut
from sdfviewer.document.document import Document
from sdfviewer.document.edits import set_attribute
from sdfviewer.document.element import Element
from sdfviewer.formats.xacro.expansion import XacroExpansion
from sdfviewer.formats.xacro.reads import DefinitionKind
from sdfviewer.formats.xacro.solving import Chain, solve
from sdfviewer.formats.xacro.value_origins import Form, ValueOrigin, WrittenValue
from sdfviewer.formats.xacro.written_text import (
    TextPart,
    WrittenText,
    is_same_word,
    overlapping,
    tokens,
    value_of,
)

#: So many steps are followed from a value to where it comes from, and so many choices are kept on the way.
_MOST_STEPS, _MOST_CHOICES = 40, 24
#: Characters of a text that are shown in a line.
_MOST_SHOWN = 60


class WriteBackError(SdfViewerError):
    """A value cannot be written back, or in several places; the message says why, or lists them.

    Parameters
    ----------
    message
        The message.
    span
        Where the value is written, None where there are several places.
    """

    def __init__(self, message: str, span: Span | None = None) -> None:
        super().__init__(message)
        self.span = span


class PlaceKind:
    """What is changed in a source file, beside what :class:`.DefinitionKind` names."""

    #: What is written as it is, in the element itself.
    LITERAL = "literal"
    #: A number or text in an expression.
    TERM = "term"
    #: An expression, in place of which a literal is written.
    EXPRESSION = "expression"
    #: A parameter that a macro call has left out is given there, or a call goes with all that it writes.
    CALL = "call"
    #: An element is added or removed, or an attribute of it.
    ELEMENT = "element"
    #: The same in a macro, for all its calls.
    MACRO = "macro"
    #: The same in a macro, where a condition holds.
    CONDITION = "condition"


class ChangedPart:
    """What of an element of an expansion changes, beside ``"@name"`` for an attribute and ``"text"`` for the text."""

    #: The element goes.
    WHOLE = "-"
    #: It gets a child; the tag follows.
    CHILD = "+"


@dataclass(frozen=True, slots=True)
class SourceChange:
    """A change of a source file that gives a value of the expansion another value.

    Attributes
    ----------
    kind
        What is changed: one of :class:`PlaceKind` or :class:`.DefinitionKind`.
    name
        That of the property, argument or parameter; the keys of a YAML value; empty for what has none.
    document, start, end
        Where.
    text
        What is written there.
    values
        The values of the expansion that change with it: an element and a part of it each.
    is_exact
        Whether the value becomes the wanted one exactly, rather than but for the rounding of a few operations.
    numbers
        The definitions whose values change with it, see :meth:`.Origins.computed_with`.
    also
        What it replaces in the expansion beside what was meant: what is added and removed for other macro calls.
    done
        What it does in words, where the text before and after does not say that.
    """

    kind: str
    name: str
    document: Document
    start: int
    end: int
    text: str
    values: tuple[tuple[Element, str], ...] = ()
    is_exact: bool = True
    numbers: frozenset[int] = frozenset()
    also: tuple[Replacement, ...] = ()
    done: str = ""

    @property
    def label(self) -> str:
        """What is changed: ``property wheel_radius``."""
        return f"{self.kind} {self.name}".rstrip()

    @property
    def span(self) -> Span:
        """Where it is written."""
        return self.document.span_between(self.start, self.end)

    @property
    def place(self) -> str:
        """File and line: ``base.xacro:12``."""
        return f"{Path(self.document.name).name}:{self.span.line}"

    @property
    def before(self) -> str:
        """What is written there now."""
        return self.document.text[self.start : self.end]

    @property
    def rewrites(self) -> bool:
        """Whether a literal takes the place of an expression."""
        return self.kind == PlaceKind.EXPRESSION

    def describe(self) -> str:
        """Return what is changed, where, and into what, in one line."""
        return f"{self.label} ({self.place}): " + (self.done or f"{_short(self.before)} → {_short(self.text)}")

    def matches(self, where: str) -> bool:
        """Return whether words name this place: its label, its kind, its name, or its file and line."""
        return where in (self.label, self.kind, self.place, f"{self.label} {self.place}") or (
            bool(self.name) and where in (self.name, self.name.rpartition(".")[2])
        )


@dataclass(frozen=True, slots=True)
class WriteChoice:
    """One way to give a value another value: changes that belong together.

    Attributes
    ----------
    changes
        The changes, of one file or several.
    """

    changes: tuple[SourceChange, ...]

    @property
    def label(self) -> str:
        """What is changed, each once."""
        return ", ".join(dict.fromkeys(change.label for change in self.changes))

    @property
    def rewrites(self) -> bool:
        """Whether a literal takes the place of an expression."""
        return any(change.rewrites for change in self.changes)

    @property
    def is_exact(self) -> bool:
        """Whether the value becomes the wanted one exactly."""
        return all(change.is_exact for change in self.changes)

    @property
    def numbers(self) -> frozenset[int]:
        """The definitions whose values change."""
        return frozenset[int]().union(*(change.numbers for change in self.changes))

    @property
    def values(self) -> tuple[tuple[Element, str], ...]:
        """The values of the expansion that change, in document order of the first change."""
        found = {(id(element), part): (element, part) for change in self.changes for element, part in change.values}
        return tuple(found.values())

    def describe(self, expanded: XacroExpansion) -> str:
        """Return what is changed, where, into what, and how many values change along, in one line."""
        words = [change.describe() for change in self.changes]
        number_of = len(self.values)
        along = "" if number_of < 2 else f"; {number_of} values change: " + listed_values(expanded, self.values)
        return "; ".join(words) + along

    def matches(self, where: str) -> bool:
        """Return whether words name a place that is changed."""
        return any(change.matches(where) for change in self.changes)

    def replacements_in(self, document: Document) -> tuple[Replacement, ...]:
        """Return what is replaced in a file."""
        return tuple(
            Replacement(each.start, each.end, each.text) for each in self.changes if each.document.name == document.name
        )

    def other_files(self, document: Document) -> tuple[tuple[Document, Document], ...]:
        """Return the files beside one that change: before and after."""
        others = {each.document.name: each.document for each in self.changes if each.document.name != document.name}
        return tuple((each, _edited(each, self.replacements_in(each))) for each in others.values())


@dataclass(frozen=True, slots=True)
class WriteBack:
    """How a value of an expansion can be given another value.

    Attributes
    ----------
    expanded
        The expansion.
    element, part
        The value; see :func:`write_back`.
    groups
        For each part of the value that changes, the ways to change it: those that keep expressions first. None where
        the value is written as wanted already.
    refusals
        Why what it comes from cannot be changed, each in a sentence with its place.
    """

    expanded: XacroExpansion
    element: Element
    part: str
    groups: tuple[tuple[WriteChoice, ...], ...]
    refusals: tuple[str, ...] = ()

    @property
    def choices(self) -> tuple[WriteChoice, ...]:
        """All ways, those that keep expressions first."""
        combined = islice(product(*self.groups), _MOST_CHOICES)
        found = [each for each in map(merged, combined) if each is not None]
        return tuple(sorted(found, key=lambda each: each.rewrites))

    def chosen(self, where: Sequence[str] = ()) -> WriteChoice:
        """Return the way that is named, or the only one that keeps expressions.

        Parameters
        ----------
        where
            What is to be changed: words that :meth:`SourceChange.matches` knows, those of the first place that is
            possible count.

        Raises
        ------
        WriteBackError
            If there is none, or there are several; the message lists them.
        """
        self._require_ways()
        picked: list[WriteChoice] = []
        for group in self.groups:
            named = next((found for word in where if (found := [each for each in group if each.matches(word)])), [])
            fitting = named or [each for each in group if not each.rewrites] or list(group)
            if len(fitting) != 1:
                raise WriteBackError(self._listed(fitting))
            picked.append(fitting[0])
        choice = merged(picked)
        if choice is None:
            raise WriteBackError(
                f"the parts of {self.what} would need different texts at one place; write a literal: 'expression'"
            )
        return choice

    @property
    def possible(self) -> tuple[WriteChoice, ...]:
        """All ways, of which there is one at least.

        Raises
        ------
        WriteBackError
            If there is none; the message says why.
        """
        self._require_ways()
        if not (choices := self.choices):
            raise WriteBackError(f"the parts of {self.what} would need different texts at one place")
        return choices

    def _require_ways(self) -> None:
        if any(not group for group in self.groups):
            why = "; ".join(self.refusals) or "see its line"
            raise WriteBackError(f"{self.what} cannot be written back: {why}", self.expanded.span(self.element))

    @property
    def what(self) -> str:
        """The value: ``joint left_wheel: origin/xyz``."""
        return describe_value(self.expanded, self.element, self.part)

    def _listed(self, choices: Sequence[WriteChoice]) -> str:
        lines = [f"  {each.describe(self.expanded)}" for each in choices]
        lines += [f"  not possible: {each}" for each in self.refusals]
        return "\n".join((f"{self.what} can be changed in several places; choose one:", *lines))


def write_back(expanded: XacroExpansion, element: Element, part: str, value: str) -> WriteBack:
    """Return how a value of an expansion can be given another value.

    Parameters
    ----------
    expanded
        The expansion.
    element
        An element of it.
    part
        ``"@name"`` for an attribute, ``"text"`` for the text.
    value
        The wanted value.

    Raises
    ------
    WriteBackError
        If the value is not written in a source file at all; the message says why.
    """
    written = expanded.written_value(element, part)
    if "${" in value or "$(" in value:
        raise WriteBackError("an expression is written in the source itself, not here")
    if written is None:
        span = expanded.span(element)
        why = "an expression makes this element, or it has no such attribute there"
        raise WriteBackError(f"{why}: edit {_place(span)}", span)
    writer = _Writer(expanded)
    source = expanded.source_of(element)
    assert source is not None
    values = tuple((each, part) for each in expanded.written_by(source[1]) if _has(each, part))
    groups = writer.groups(written, value, _Holder(PlaceKind.LITERAL, "", values), 0)
    if part == "@name":
        groups = [writer.without_doubles(written, element.tag, group) for group in groups]
    return WriteBack(expanded, element, part, tuple(map(tuple, groups)), tuple(dict.fromkeys(writer.refusals)))


@dataclass(frozen=True, slots=True)
class _Holder:
    """What holds a written value: its kind and name, and the values and definitions that change with it."""

    kind: str
    name: str
    values: tuple[tuple[Element, str], ...]
    numbers: frozenset[int] = frozenset()


class _Writer:
    """Follows values to where they come from."""

    def __init__(self, expanded: XacroExpansion) -> None:
        self._expanded = expanded
        self.refusals: list[str] = []

    def groups(self, written: WrittenValue, value: str, holder: _Holder, steps: int) -> list[list[WriteChoice]]:
        """Return the ways to give a written value another value, for each part of it that changes."""
        text = WrittenText(written)
        if not text.text and not written.parts and len(written.origins) == 1:  # a value of the caller is handed on
            return [self._through_origin(written.origins[0], value, steps)]
        if written.form == Form.YAML:
            return [self._plain(text, 0, len(text.text), value, holder)]
        parts = text.parts()
        if parts is None:
            self._refuse(written, "what its expressions became is no text or number")
            return [[]]
        old = "".join(part.value for part in parts)
        words, wanted = tokens(old), value.split()
        if len(words) == len(wanted):
            changed = [
                (start, end, new)
                for (start, end), new in zip(words, wanted, strict=True)
                if not is_same_word(old[start:end], new)
            ]
        else:
            first, last = (words[0][0], words[-1][1]) if words else (0, len(old))
            changed = [(first, last, value.strip())]
        return self._changed(text, parts, changed, holder, steps)

    def without_doubles(self, written: WrittenValue, tag: str, choices: list[WriteChoice]) -> list[WriteChoice]:
        """Return the ways to change a name without those that give it to all that a macro or loop writes there."""
        found: list[WriteChoice] = []
        for choice in choices:
            named = sum(element.tag == tag and part == "@name" for element, part in choice.values)
            if choice.rewrites and named > 1:
                self._refuse(written, f"{named} of <{tag}> would get one name; change what tells them apart")
            else:
                found.append(choice)
        return found

    def _changed(
        self, text: WrittenText, parts: list[TextPart], changed: list[tuple[int, int, str]], holder: _Holder, steps: int
    ) -> list[list[WriteChoice]]:
        places = [*overlapping(parts)]
        groups: list[list[WriteChoice]] = []
        whole: dict[int, list[tuple[int, int, str]]] = {}
        for start, end, new in changed:
            touched = [index for index, (at, to, _) in enumerate(places) if at < end and start < to]
            touched = touched or [next(i for i, (at, to, _) in enumerate(places) if at <= start <= to)]
            at, _, part = places[touched[0]]
            if len(touched) > 1:
                groups.append(self._across(text, places, touched, (start, end, new), holder, steps))
            elif part.is_literal:
                first = part.start + start - at
                groups.append(self._plain(text, first, first + end - start, new, holder))
            else:
                whole.setdefault(touched[0], []).append((start - at, end - at, new))
        for index, each in whole.items():
            groups.append(
                self._through_part(text, places[index][2], _replaced(places[index][2].value, each), holder, steps)
            )
        return groups

    def _across(
        self,
        text: WrittenText,
        places: Sequence[tuple[int, int, TextPart]],
        touched: Sequence[int],
        change: tuple[int, int, str],
        holder: _Holder,
        steps: int,
    ) -> list[WriteChoice]:
        """Return the ways to change a word that several parts make: ``${prefix}wheel``."""
        start, end, new = change
        old = "".join(part.value for _, _, part in places)
        found: list[WriteChoice] = []
        for index in touched:
            at, to, part = places[index]
            before, after = old[start : max(at, start)], old[min(to, end) : end]
            if not (new.startswith(before) and new.endswith(after) and len(new) >= len(before) + len(after)):
                continue
            middle = new[len(before) : len(new) - len(after)]
            first, last = max(at, start) - at, min(to, end) - at
            if part.is_literal:
                found += self._plain(text, part.start + first, part.start + last, middle, holder)
            else:
                value = part.value[:first] + middle + part.value[last:]
                found += self._through_part(text, part, value, holder, steps, rewrite=False)
        (at, _, first_part), (_, to, last_part) = places[touched[0]], places[touched[-1]]
        first = first_part.start + (start - at if first_part.is_literal else 0)
        last = last_part.end - (to - end if last_part.is_literal else 0)
        if (first_part.is_literal or at == start) and (last_part.is_literal or to == end):
            found += self._plain(text, first, last, new, replace(holder, kind=PlaceKind.EXPRESSION, name=""))
        return _distinct(found)

    def _through_part(
        self, text: WrittenText, part: TextPart, value: str, holder: _Holder, steps: int, *, rewrite: bool = True
    ) -> list[WriteChoice]:
        """Return the ways to give a part that is evaluated another value."""
        found: list[WriteChoice] = []
        origins = text.written.origins
        if part.argument:
            for origin in origins:
                if origin.name == part.argument:
                    found += self._through_origin(origin, value, steps)
        elif part.expression is not None:
            for term in solve(part.expression, value, lambda chain: _value_at(chain, origins)):
                origin_of = _origin_at(term.chain, origins)
                if origin_of is not None:
                    inner = self._through_origin(origin_of, term.text, steps)
                    others = {each.number for each in origins if each is not origin_of}
                    apart = [each for each in inner if others.isdisjoint(each.numbers)]
                    if len(apart) < len(inner):
                        self._refuse(text.written, f"'{origin_of.name}' changes more than one of its terms")
                    inner = apart
                    found += inner if term.is_exact else [_inexact(each) for each in inner]
                elif not term.chain:
                    first, last = part.inner + term.start, part.inner + term.end
                    term_holder = replace(holder, kind=PlaceKind.TERM, name=text.text[first:last])
                    constant = self._plain(text, first, last, term.text, term_holder)
                    found += constant if term.is_exact else [_inexact(each) for each in constant]
            if not found:
                self._refuse(text.written, f"'{part.expression.strip()}' cannot be solved for a value")
        if rewrite:
            holder = replace(holder, kind=PlaceKind.EXPRESSION, name="")
            found += self._plain(text, part.start, part.end, value, holder)
        return _distinct(found)

    def _through_origin(self, origin: ValueOrigin, value: str, steps: int) -> list[WriteChoice]:
        """Return the ways to give a name another value."""
        if steps >= _MOST_STEPS:
            return []
        if origin.kind == DefinitionKind.GIVEN:
            self.refusals.append(
                f"the value of the argument '{origin.name}' is given with the evaluation: give another"
            )
            return []
        written = origin.written
        if written is None or (origin.kind == DefinitionKind.YAML and not origin.name):
            return []
        values, numbers = self._expanded.changing_with(origin)
        holder = _Holder(origin.kind, origin.name, values, numbers)
        groups = self.groups(written, value, holder, steps + 1)
        found = [
            each for each in map(merged, islice(product(*groups), _MOST_CHOICES)) if each is not None and each.changes
        ]
        if (call := origin.call) is not None:
            document, element = call
            values, numbers = self._expanded.changing_with(origin, in_call=True)
            found += [
                WriteChoice(
                    (SourceChange(PlaceKind.CALL, origin.name, document, *_inserted(each), values, numbers=numbers),)
                )
                for each in set_attribute(document, element, origin.name, value)
            ]
        return found

    def _plain(self, text: WrittenText, start: int, end: int, value: str, holder: _Holder) -> list[WriteChoice]:
        """Return the way to write something in place of characters of a text."""
        encoded = text.encoded(value, start, end)
        if encoded is None:
            self._refuse(text.written, f"'{value}' cannot be written there")
            return []
        place = text.place(start, end)
        change = SourceChange(
            holder.kind, holder.name, text.written.document, *place, encoded, holder.values, numbers=holder.numbers
        )
        return [WriteChoice((change,))]

    def _refuse(self, written: WrittenValue, why: str) -> None:
        span = written.document.span_between(written.start, written.end)
        line = written.document.text[written.start : written.end].strip()
        self.refusals.append(f"{_place(span)}: {line}: {why}")


def _edited(document: Document, replacements: tuple[Replacement, ...]) -> Document:
    """Return a file after an edit; one of values is no XML, which nobody reads as such."""
    if document.root is not None:
        return document.edited(replacements)
    text = document.spliced(replacements)
    return Document(text, document.path, None, 0, document.encoding, document.fingerprint)


def _inserted(change: Replacement) -> tuple[int, int, str]:
    return change.start, change.end, change.text


def _inexact(choice: WriteChoice) -> WriteChoice:
    return WriteChoice(tuple(replace(change, is_exact=False) for change in choice.changes))


def _replaced(text: str, changes: Sequence[tuple[int, int, str]]) -> str:
    for start, end, new in sorted(changes, reverse=True):
        text = text[:start] + new + text[end:]
    return text


def merged(choices: Sequence[WriteChoice]) -> WriteChoice | None:
    """Return several ways as one, None where they write different things at one place; what is new goes together."""
    found: dict[tuple[str, int, int], SourceChange] = {}
    for change in (change for choice in choices for change in choice.changes):
        key = change.document.name, change.start, change.end
        known = found.setdefault(key, change)
        if known.text == change.text:
            continue
        if change.start < change.end or (known.kind == change.kind == PlaceKind.CALL and known.name == change.name):
            return None
        found[key] = replace(known, text=known.text + change.text, values=(*known.values, *change.values))
    ordered = sorted(found)
    for one, other in pairwise(ordered):
        if one[0] == other[0] and other[1] < one[2]:
            return None
    return WriteChoice(tuple(found.values()))


def _distinct(choices: Sequence[WriteChoice]) -> list[WriteChoice]:
    """Return ways without those that make the same changes as an earlier one; at most :data:`_MOST_CHOICES`."""
    found: dict[frozenset[tuple[str, int, int, str]], WriteChoice] = {}
    for choice in choices:
        key = frozenset((each.document.name, each.start, each.end, each.text) for each in choice.changes)
        found.setdefault(key, choice)
    return sorted(islice(found.values(), _MOST_CHOICES), key=lambda each: each.rewrites)


# --- names ---------------------------------------------------------------------------------------------------------


def _origin_at(chain: Chain, origins: Sequence[ValueOrigin]) -> ValueOrigin | None:
    """Return the origin that the names of an expression lead to, None where it is not clear."""
    if not chain:
        return None
    if len(chain) == 1:
        found = [each for each in origins if each.name == chain[0] and each.kind != DefinitionKind.YAML]
        return found[0] if len(found) == 1 else None
    keyed = [each for each in origins if each.kind == DefinitionKind.YAML and each.name]
    for length in range(len(chain) - 1, 0, -1):
        fitting = [each for each in keyed if _ends_with(each.name, chain[-length:])]
        if fitting:
            return fitting[0] if len(fitting) == 1 else None
    named = [each for each in origins if each.name == chain[-1] and each.kind != DefinitionKind.YAML]
    return named[0] if len(named) == 1 and not keyed else None


def _ends_with(name: str, chain: Chain) -> bool:
    words = name.split(".")
    return len(words) >= len(chain) and all(
        key is None or key == word for key, word in zip(chain, words[-len(chain) :], strict=True)
    )


def _value_at(chain: Chain, origins: Sequence[ValueOrigin]) -> str | None:
    origin = _origin_at(chain, origins)
    return None if origin is None else value_of(origin)


# --- words ---------------------------------------------------------------------------------------------------------


def _short(text: str) -> str:
    words = " ".join(text.split())
    return cut(words, _MOST_SHOWN) if words else "nothing"


def _has(element: Element, part: str) -> bool:
    return part == "text" or part[1:] in element.attributes


def _place(span: Span) -> str:
    return f"{Path(span.path).name}:{span.line}"


def describe_value(expanded: XacroExpansion, element: Element, part: str) -> str:
    """Return what a value of an expansion is: ``joint left_wheel: origin/xyz``."""
    path: list[str] = [] if part in ("text", ChangedPart.WHOLE) else [part[1:]]
    each: Element | None = element
    while each is not None:
        above = expanded.parent(each)
        if above is None or "name" in each.attributes or "reference" in each.attributes:
            name = each.attributes.get("name", each.attributes.get("reference", ""))
            return f"{each.tag} {name}" + (f": {'/'.join(path)}" if path else "")
        path.insert(0, each.tag)
        each = above
    return "/".join(path)


def along_in_words(expanded: XacroExpansion, values: Sequence[tuple[Element, str]], most: int = 4) -> list[str]:
    """Return what changes along with something, and what is removed along with it, each in a sentence."""
    gone = [value for value in values if value[1] == ChangedPart.WHOLE]
    kept = [value for value in values if value[1] != ChangedPart.WHOLE]
    said = (("Changes", kept), ("Is removed", gone))
    return [f"{what} along with it: {listed_values(expanded, each, most)}" for what, each in said if each]


def listed_values(expanded: XacroExpansion, values: Sequence[tuple[Element, str]], most: int = 4) -> str:
    """Return the first of some values of an expansion in words, and how many more there are."""
    words = [describe_value(expanded, element, part) for element, part in islice(values, most)]
    return ", ".join(words) + (f" and {len(values) - most} more" if len(values) > most else "")


def changed_words(before: str, after: str) -> bool:
    """Return whether two values differ, other than in blanks or in how a number is written."""
    one, two = before.split(), after.split()
    return len(one) != len(two) or any(not is_same_word(a, b) for a, b in zip(one, two, strict=True))
