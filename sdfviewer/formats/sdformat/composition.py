"""How a world is composed of models: flattened ones (``a::b``) are nested again, unchanged ones are reused in runs.

Before SDFormat 1.8 libsdformat itself put the links, joints and frames of an included model into the model around,
with its name and ``::`` before theirs, and wrote such files. In a world they are nested again when they are read.
"""

from __future__ import annotations

import operator
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import count
from typing import cast

import numpy as np
from numpy.typing import NDArray

from sdfviewer.document.element import Element
from sdfviewer.model.findings import MOST_OF_A_RULE
from sdfviewer.model.scope import Origin, Scope
from sdfviewer.validation.name_rules import NameRegister
from sdfviewer.versions import SCOPED_REFERENCES


@dataclass(frozen=True, eq=False)
class Composition:
    """What each child of a world has brought.

    Attributes
    ----------
    scope
        The scope of the world.
    origin
        Where its children come from.
    children
        What is written in it.
    names, scopes
        Name and scope of each child that can be taken over, None for all others: a model that comes from no other file,
        and about whose name nothing was to be said.
    starts
        What the scope held before each child (n + 1, 5), and in the end: rows, findings, exact poses, placement frames
        and cost.
    """

    scope: Scope
    origin: Origin
    children: Sequence[Element]
    names: Sequence[str | None]
    scopes: Sequence[Scope | None]
    starts: NDArray[np.int64]

    @cached_property
    def numbers(self) -> Mapping[int, int]:
        """The number of each child by the identity of its element."""
        return dict(zip(map(id, self.children), count(), strict=False))

    def count_same(self, first: int, children: Sequence[Element]) -> int:
        """Return how many children from ``first`` on can be taken over as the first of ``children``."""
        same = [*map(operator.is_, self.children[first:], children), False].index(False)
        # One comparison of many: in a world of thousands of models few children are anything else.
        names = self.names[first : first + same]
        return names.index(None) if None in names else same


class Composer:
    """Composes a world from its children, and reuses its last composition where possible.

    Parameters
    ----------
    scope
        The scope of the world, which the rows are appended to.
    register
        Gives out the names in it.
    origin
        Where its children come from.
    children
        What is written in it.
    last
        How it was composed at the last load.
    most_rows, most_composed
        How large the scope may become, see :mod:`sdfviewer.formats.sdformat.build`.

    Notes
    -----
    A model means the same wherever it is, so the same element has the same rows again. In a world of 3 000
    models an edit changes one: all others are two runs, each copied with an offset.
    """

    def __init__(
        self,
        scope: Scope,
        register: NameRegister,
        origin: Origin,
        children: Sequence[Element],
        last: Composition | None,
        *,
        most_rows: int,
        most_composed: int,
    ) -> None:
        self._scope, self._register, self._origin, self._children = scope, register, origin, children
        self._last = last if last is not None and last.origin == origin else None
        self._most_rows, self._most_composed = most_rows, most_composed
        self._names: list[str | None] = []
        self._scopes: list[Scope | None] = []
        self._starts: list[NDArray[np.int64]] = []
        # Where the children since the last run start: one array for all of them is made at once.
        self._built: list[tuple[int, ...]] = []
        self._open: list[int] = []

    def take_over(self) -> tuple[Sequence[Element], Sequence[Scope]]:
        """Append the next children while they are unchanged; return their elements and scopes."""
        last, number = self._last, len(self._names)
        first = None if last is None or number == len(self._children) else last.numbers.get(id(self._children[number]))
        if last is None or first is None or last.names[first] is None:
            return (), ()
        length = last.count_same(first, self._children[number:])
        # None of them is None: that is where the count ends.
        names = cast("Sequence[str]", last.names[first : first + length])
        length = self._register.count_free(names)
        names, elements = names[:length], self._children[number : number + length]
        scopes = cast("Sequence[Scope]", last.scopes[first : first + length])
        begin, end = last.starts[first], last.starts[first + length]
        shift = np.array(self._scope.counts) - begin
        if not length or (end + shift)[0] > self._most_rows or (end + shift)[-1] > self._most_composed:
            return (), ()
        if (end + shift)[1] > MOST_OF_A_RULE:  # some may only be counted, so that the numbers here would be wrong
            return (), ()
        rows = (last.starts[first : first + length, 0] + shift[0]).tolist()
        self._register.claim_models(elements, names, rows)
        self._scope.add_run(last.scope, begin.tolist(), end.tolist())
        self._scope.members.update(zip(names, rows, strict=True))
        self._scope.nested.update(zip(names, zip(scopes, rows, strict=True), strict=True))
        self._names += names
        self._scopes += scopes
        self._end_run_of_built()
        self._starts.append(last.starts[first : first + length] + shift)
        written = self._scope.relative_to_written
        self._open += [row for row in rows if written[row] is not None]
        return elements, scopes

    def begin(self) -> Element | None:
        """Return the next child, which must be built, None at the end."""
        number = len(self._names)
        self._built.append(self._scope.counts)
        return self._children[number] if number < len(self._children) else None

    def end(self) -> None:
        """Take note of what the child has brought."""
        row, findings = self._built[-1][:2]
        scope = self._scope
        taken: tuple[str, Scope] | tuple[None, None] = None, None
        name = self._children[len(self._names)].word("name")
        nested, at = scope.nested.get(name, (None, -1))
        if nested is not None and at == row:
            self._open.append(row)
            # What else was found says something about it in this world, of two models of one name for example.
            if not nested.has_includes and len(scope.findings) == findings + nested.findings.number:
                taken = name, nested
        else:
            self._open += [each for each, holder in enumerate(scope.scopes[row:], row) if holder == 0]
        self._names.append(taken[0])
        self._scopes.append(taken[1])

    def _end_run_of_built(self) -> None:
        if self._built:
            self._starts.append(np.array(self._built))
            self._built = []

    @property
    def open_rows(self) -> Sequence[int]:
        """The rows that see the names of the world and whose targets are to be resolved, in their order.

        A model that is as it was before and names nothing has kept its targets.
        """
        return self._open

    @property
    def composition(self) -> Composition:
        """How it was composed, when all is there."""
        self._end_run_of_built()
        starts = np.concatenate(self._starts)
        return Composition(self._scope, self._origin, self._children, self._names, self._scopes, starts)


_TAGS = ("frame", "joint", "link", "model", "gripper")


@dataclass(slots=True)
class FlattenedModel:
    """A nested model as it is written flattened.

    Attributes
    ----------
    name
        Its name, the first part of its members' names.
    prefix
        What comes before the names of its members as they are written.
    members
        The elements whose names begin with the prefix.
    frame
        The ``<frame>`` called ``…::__model__`` that says where the model is and which link carries it.
    """

    name: str
    prefix: str
    members: list[Element] = field(default_factory=list)
    frame: Element | None = None


def unflatten(children: Sequence[Element], prefix: str, origin: Origin) -> tuple[list[Element], list[FlattenedModel]]:
    """Return the members that stay in a model, and the nested models that the others are put into.

    Parameters
    ----------
    children
        The elements in the model.
    prefix
        What comes before all of their names already.
    origin
        Only models in worlds older than 1.8 are taken to be flattened.

    Notes
    -----
    Source: libsdformat, ``Converter::Unflatten`` and ``Converter::FindNewModelElements``, sdf/1.8/1_7.convert.
    """
    if origin.version >= SCOPED_REFERENCES or not origin.in_world:
        return list(children), []
    # Thousands of models in a world, and hardly one that is flattened.
    if not any("::" in child.attributes.get("name", "") for child in children):
        return list(children), []
    models: dict[str, FlattenedModel] = {}
    rest: list[Element] = []
    for child in children:
        name = child.word("name") if child.tag in _TAGS else ""
        head, separator, tail = name.removeprefix(prefix).partition("::")
        if not separator:
            rest.append(child)
            continue
        model = models.setdefault(head, FlattenedModel(head, f"{prefix}{head}::"))
        if child.tag == "frame" and tail == "__model__" and model.frame is None:
            model.frame = child
        elif child.tag != "gripper":
            model.members.append(child)
    return rest, list(models.values())
