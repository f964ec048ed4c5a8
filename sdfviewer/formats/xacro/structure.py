"""Write elements and attributes that are added to an expansion, or removed from it, back to what they are written as.

What one element of a source writes changes there. Where several macro calls write it, there are several ways: in the
macro for all calls; in the macro under a condition, for the elements that were meant alone; and a call that writes
nothing but what is removed goes itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from sdfviewer.diagnostics import Replacement
from sdfviewer.document.document import Document
from sdfviewer.document.edits import (
    Replacements,
    add_attributes,
    element_source,
    indentation_step,
    insert_child,
    reindented,
    remove_element,
    replace_element,
    set_attribute,
)
from sdfviewer.document.element import Element
from sdfviewer.document.xml.parse import escape
from sdfviewer.formats.expansion import Written
from sdfviewer.formats.xacro.expansion import XacroExpansion
from sdfviewer.formats.xacro.solving import number
from sdfviewer.formats.xacro.write_back import (
    ChangedPart,
    PlaceKind,
    SourceChange,
    WriteBack,
    WriteBackError,
    WriteChoice,
)
from sdfviewer.formats.xacro.written_text import WrittenText

#: What names an element, or says what it is about.
_NAMES = ("name", "reference")
_MACRO = "xacro:macro"


@dataclass
class Difference:
    """Elements or attributes that an edit adds or removes, where one element of a source writes what holds them.

    Attributes
    ----------
    source
        The element of the source: what is added goes into it, what is removed is written as it.
    elements
        The elements of the expansion that were meant, written as that.
    attributes
        The attributes with their new values, None for one that goes.
    xml
        The new child.
    following
        The element of the source before which the child goes, None where it comes last.
    """

    source: Written
    elements: list[Element] = field(default_factory=list)
    attributes: dict[str, str | None] = field(default_factory=dict)
    xml: str = ""
    following: Element | None = None

    @property
    def parts(self) -> tuple[str, ...]:
        """What of an element changes: see :class:`.ChangedPart`."""
        if self.xml:
            return (ChangedPart.CHILD + re.split(r"[\s/>]", self.xml[1:], maxsplit=1)[0],)
        return tuple(f"@{name}" for name in self.attributes) or (ChangedPart.WHOLE,)

    @property
    def words(self) -> str:
        """What is added or removed: ``attribute rpy``, ``<visual>``."""
        if self.attributes:
            return "attribute " + ", ".join(self.attributes)
        return f"<{self.parts[0][1:] or self.source[1].tag}>"

    @property
    def done(self) -> str:
        """What is done, in words."""
        is_new = self.xml or any(value is not None for value in self.attributes.values())
        return f"{'adds' if is_new else 'removes'} {self.words}"

    def of(self, elements: Sequence[Element]) -> tuple[tuple[Element, str], ...]:
        """Return what of some elements changes."""
        return tuple((each, part) for each in elements for part in self.parts)

    def made_in(self, document: Document, element: Element, following: Element | None) -> Replacements:
        """Return what it takes in a document: a source, or the expansion."""
        if self.xml:
            return insert_child(document, element, self.xml, following)
        if not self.attributes:
            return remove_element(document, element)
        gone = [each for name in self.attributes for each in set_attribute(document, element, name, None)]
        new = {name: value for name, value in self.attributes.items() if value is not None}
        return (*gone, *(add_attributes(document, element, new) if new else ()))

    def made_where(self, condition: str) -> Replacements:
        """Return what it takes in the source for the elements alone for which a condition holds."""
        document, element = self.source
        if self.xml:
            return insert_child(document, element, _under(document, "if", condition, self.xml), self.following)
        present = element_source(document, element)
        text = _under(document, "unless", condition, present)
        if self.attributes:
            changed = element_source(document, element, self.made_in(document, element, None))
            text = f"{_under(document, 'if', condition, changed)}{document.newline}{text}"
        return replace_element(document, element, text)

    @property
    def can_be_conditional(self) -> bool:
        """Whether a condition can be written around it: what has no children is short enough to be written twice."""
        return not self.attributes or not self.source[1].children


@dataclass(frozen=True)
class StructureBack:
    """How what an edit adds and removes is written back.

    Attributes
    ----------
    changes
        What can be written at one place.
    shared
        The ways for the rest, which several macro calls write; None where there is none.
    meant
        The elements that were meant, each with what of it changes.
    """

    changes: tuple[SourceChange, ...]
    shared: WriteBack | None
    meant: tuple[tuple[Element, str], ...]


def structure_back(
    expanded: XacroExpansion,
    after: Document,
    attributes: Sequence[tuple[Element, str, str | None]],
    inserted: Sequence[tuple[Element, Element, Element | None]],
    removed: Sequence[Element],
) -> StructureBack:
    """Return how what an edit adds to an expansion, and removes from it, can be written back.

    Parameters
    ----------
    expanded, after
        The expansion before the edit, and after it.
    attributes
        Elements with the name of an attribute that is new, and its value; None for one that goes.
    inserted
        Elements with a new child, and the element that follows that.
    removed
        Elements that go.

    Raises
    ------
    WriteBackError
        If an expression makes an element, so that none is written there.
    """
    found: dict[tuple[object, ...], Difference] = {}

    def add(element: Element, difference: Difference, *key: object) -> None:
        each = found.setdefault((id(difference.source[1]), *key), difference)
        if all(known is not element for known in each.elements):
            each.elements.append(element)

    together: dict[int, tuple[Element, dict[str, str | None]]] = {}
    for element, name, value in attributes:
        together.setdefault(id(element), (element, {}))[1][name] = value
    for element, values in together.values():
        add(element, Difference(_written(expanded, element), attributes=values), *values.items())
    for parent, element, before in inserted:
        at, source = _written(expanded, parent), None if before is None else expanded.source_of(before)
        following = source[1] if source is not None and source[1] in at[1].children else None
        new = Difference(at, xml=element_source(after, element), following=following)
        alone = len(expanded.written_by(at[1])) == 1
        add(parent, new, "new", len(found) if alone else new.xml, id(following))
    for element in removed:
        add(element, Difference(_written(expanded, element)))
    changes: list[SourceChange] = []
    shared: list[tuple[Difference, tuple[Element, ...]]] = []
    for each in found.values():
        meant = {id(element) for element in each.elements}
        others = tuple(other for other in expanded.written_by(each.source[1]) if id(other) not in meant)
        if others:
            shared.append((each, others))
        else:
            changes += _in_macro(expanded, each, ())
    meant_parts = tuple(part for each in found.values() for part in each.of(each.elements))
    if not shared:
        return StructureBack(tuple(changes), None, meant_parts)
    ways = [_calls_removed(expanded, shared, removed), _where_meant(expanded, shared)]
    ways.append([change for each, others in shared for change in _in_macro(expanded, each, others)])
    choices = tuple(WriteChoice(tuple(each)) for each in ways if each)
    element, part = shared[0][0].of(shared[0][0].elements)[0]
    return StructureBack(tuple(changes), WriteBack(expanded, element, part, (choices,)), meant_parts)


def _written(expanded: XacroExpansion, element: Element) -> Written:
    """Return what an element is written as.

    Raises
    ------
    WriteBackError
        If an expression makes it.
    """
    found = expanded.source_of(element)
    assert found is not None
    document, written = found
    if written.tag != element.tag:
        span = document.span(written)
        raise WriteBackError(f"<{element.tag}> is made by an expression: edit {Path(span.path).name}:{span.line}", span)
    return found


# --- the ways --------------------------------------------------------------------------------------------------------


def _in_macro(expanded: XacroExpansion, each: Difference, others: Sequence[Element]) -> Iterator[SourceChange]:
    """Yield the changes of a source for all that it writes: `others` change along."""
    document, written = each.source
    macro = _macro_around(document, written) if others else None
    also = tuple(
        made for other in others for made in each.made_in(expanded, other, _child_written_as(expanded, other, each))
    )
    values = each.of((*each.elements, *others))
    for made in each.made_in(document, written, each.following):
        if macro is None:
            yield _change(PlaceKind.ELEMENT, each.words, document, made, values, also)
        else:
            yield _change(PlaceKind.MACRO, macro, document, made, values, also, f"{each.done} for all calls")
        also = ()


def _where_meant(
    expanded: XacroExpansion, shared: Sequence[tuple[Difference, Sequence[Element]]]
) -> list[SourceChange]:
    """Return the changes under conditions, which hold for what was meant alone; none where nothing tells it apart."""
    changes: list[SourceChange] = []
    for each, others in shared:
        found = [_what_tells_apart(expanded, each.source, element, others) for element in each.elements]
        if None in found or not each.can_be_conditional:
            return []
        condition = " or ".join(dict.fromkeys(filter(None, found)))
        values = each.of(each.elements)
        changes += (
            _change(PlaceKind.CONDITION, condition, each.source[0], made, values, done=each.done)
            for made in each.made_where(condition)
        )
    return changes


def _calls_removed(
    expanded: XacroExpansion, shared: Sequence[tuple[Difference, Sequence[Element]]], removed: Sequence[Element]
) -> list[SourceChange]:
    """Return the removal of the macro calls that write only what is removed; none where one writes more."""
    gone = {id(inner) for each in removed for inner in each.descendants()}
    remains: set[int] = set()
    for each in expanded.root.descendants() if expanded.root is not None else ():
        if id(each) not in gone:
            remains.update(id(call) for _, call in expanded.calls_of(each))
    calls: dict[int, tuple[Written, list[tuple[Element, str]]]] = {}
    for difference, _ in shared:
        for element in difference.elements:
            whole = next((each for each in expanded.calls_of(element) if id(each[1]) not in remains), None)
            if whole is None or id(element) not in gone:
                return []
            calls.setdefault(id(whole[1]), (whole, []))[1].append((element, ChangedPart.WHOLE))
    return [
        _change(PlaceKind.CALL, call.tag.removeprefix("xacro:"), document, made, tuple(values))
        for (document, call), values in calls.values()
        for made in remove_element(document, call)
    ]


def _change(
    kind: str,
    name: str,
    document: Document,
    made: Replacement,
    values: tuple[tuple[Element, str], ...],
    also: Replacements = (),
    done: str = "",
) -> SourceChange:
    return SourceChange(kind, name, document, made.start, made.end, made.text, values, also=tuple(also), done=done)


# --- words of a source -----------------------------------------------------------------------------------------------


def _macro_around(document: Document, element: Element) -> str | None:
    """Return the name of the macro in which an element is written, None outside of macros."""
    above = document.parent(element)
    while above is not None and above.tag != _MACRO:
        above = document.parent(above)
    return None if above is None else above.attributes.get("name")


def _child_written_as(expanded: XacroExpansion, parent: Element, each: Difference) -> Element | None:
    """Return the child of an element of the expansion before which a new one goes."""
    if each.following is None:
        return None
    sources = ((child, expanded.source_of(child)) for child in parent.children)
    return next((child for child, at in sources if at is not None and at[1] is each.following), None)


def _under(document: Document, tag: str, condition: str, xml: str) -> str:
    step, newline = indentation_step(document), document.newline
    test = escape(f"${{{condition}}}", document.quote)
    inner = step + reindented(xml, "", step, newline)
    return f"<xacro:{tag} value={document.quote}{test}{document.quote}>{newline}{inner}{newline}</xacro:{tag}>"


def _what_tells_apart(
    expanded: XacroExpansion, source: Written, element: Element, others: Sequence[Element]
) -> str | None:
    """Return an expression that is true where a source writes an element, and false where it writes others.

    The expressions in the name of the element tell that, or in the name of what is around it.
    """
    document, written = source
    here, around, levels = element, written, 0
    while True:
        for name in _NAMES:
            values = [_terms(expanded, each, f"@{name}") for each in (here, *_above(expanded, others, levels))]
            mine, theirs = values[0], values[1:]
            if "$" not in around.attributes.get(name, "") or not mine or mine in theirs:
                continue
            alone = [term for term in mine if all(term not in each for each in theirs)]
            return " and ".join(f"{_compared(text, value)} == {value!r}" for text, value in (alone[:1] or mine))
        above, outer = document.parent(around), expanded.parent(here)
        while above is not None and above.tag.startswith("xacro:") and above.tag != _MACRO:
            above = document.parent(above)
        at = None if outer is None else expanded.source_of(outer)
        if above is None or outer is None or at is None or at[1] is not above:
            return None
        here, around, levels = outer, above, levels + 1


def _above(expanded: XacroExpansion, elements: Sequence[Element], levels: int) -> Iterator[Element]:
    """Yield what is so many levels around elements."""
    for element in elements:
        above: Element | None = element
        for _ in range(levels):
            above = None if above is None else expanded.parent(above)
        if above is not None:
            yield above


def _terms(expanded: XacroExpansion, element: Element, part: str) -> list[tuple[str, str]]:
    """Return the expressions in a value, each with what it became."""
    written = expanded.written_value(element, part)
    parts = (None if written is None else WrittenText(written).parts()) or []
    return [(each.expression.strip(), each.value) for each in parts if each.expression is not None]


def _compared(expression: str, value: str) -> str:
    """Return an expression as it is compared with its value as text: a macro gets ``1`` as a number."""
    is_text = number(value) is None and value not in ("True", "False", "None")
    return expression if is_text and expression.isidentifier() else f"str({expression})"
