"""What is wrong with a file, before its places in the text are computed.

A file may have a million problems. Of each rule only the first :data:`MOST_OF_A_RULE` are listed and the rest is
counted, so that a million messages are not worded, shown and written.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import NamedTuple, TypeAlias

from sdfviewer.diagnostics import Message, Rule, Severity, Span
from sdfviewer.document.document import Document
from sdfviewer.document.edits import Replacements
from sdfviewer.document.element import Element

#: The document that an element is in: None is the file that is being loaded, others are files it includes.
Source: TypeAlias = Document | None
#: Computes the text edits of a fix from the present snapshot of the file.
MakeEdits: TypeAlias = Callable[[Document], Replacements]

#: Maximum number of listed problems of one rule and severity.
MOST_OF_A_RULE = 10_000
#: Similar names are searched for so many problems of a rule: each search takes a tenth of a millisecond.
MOST_WITH_HINTS = 1_000
#: The most includes listed for one problem.
MAX_RELATED = 20


@dataclass(frozen=True, slots=True)
class ElementPart:
    """A part of an element, see :meth:`Document.offsets`."""

    source: Source
    element: Element
    part: str | None = None


class FaultyEdge(NamedTuple):
    """A reference at fault, in the rows of the scope it was found in; see :class:`~sdfviewer.diagnostics.Edge`.

    ``target`` is negative where it leads nowhere; ``axis`` is ``axis`` or ``axis2`` where a joint may have two of them.
    """

    row: int
    attribute: str
    target: int = -1
    axis: str = ""

    def shifted(self, offset: int) -> FaultyEdge:
        """Return this edge in the rows of the scope around."""
        target = self.target if self.target < 0 else self.target + offset
        return self._replace(row=self.row + offset, target=target)


@dataclass(frozen=True, slots=True)
class Finding:
    """A violated rule before its location in the text is computed; rows are those of the scope it was found in.

    ``reference`` is a name that finds nothing, where that is what is wrong, and ``attribute`` how the file calls what
    names it: whoever knows the scopes around can explain it. ``tried`` lists where a file that is not found was looked
    for, ``found_in`` is the folder to add where it would be found, ``missing_uri`` names it, and ``is_remote`` says
    that it is on a server. ``meant`` lists the words that a misspelt one may have meant: each of them is a quick fix.
    ``edges`` are the references at fault. ``places`` take part in files that are no models, such as the settings.
    """

    rule: Rule
    location: ElementPart
    message: str
    rows: tuple[int, ...] = ()
    related: tuple[tuple[str, ElementPart], ...] = ()
    fixes: tuple[tuple[str, MakeEdits], ...] = ()
    severity: Severity | None = None
    reference: str = ""
    tried: tuple[str, ...] = ()
    attribute: str = ""
    meant: tuple[str, ...] = ()
    edges: tuple[FaultyEdge, ...] = ()
    found_in: str = ""
    missing_uri: str = ""
    is_remote: bool = False
    places: tuple[tuple[str, Span], ...] = ()

    @property
    def is_cycle(self) -> bool:
        """Whether the edges lead in a cycle."""
        return bool(self.edges) and self.edges[-1].target == self.edges[0].row

    def shifted(self, offset: int) -> Finding:
        """Return this finding in the rows of the scope around."""
        edges = tuple(edge.shifted(offset) for edge in self.edges)
        return replace(self, rows=tuple(row + offset for row in self.rows), edges=edges)


#: What counts as one kind of problem: the name of its rule, and its severity where that is not the rule's own.
_Key: TypeAlias = tuple[str, Severity | None]


class Findings(list[Finding]):
    """Findings in the order in which they are made, no more than :data:`MOST_OF_A_RULE` of a rule and severity.

    The rest is counted. One of a file that is included more than once is listed once, with its includes.
    """

    __slots__ = ("_counts", "_numbers", "_unlisted")

    def __init__(self, findings: Iterable[Finding] = ()) -> None:
        self._counts: dict[_Key, int] = {}
        self._unlisted: dict[_Key, tuple[Finding, int]] = {}
        self._numbers: dict[tuple[object, ...], int] = {}
        if findings:
            self.extend(findings)

    def append(self, finding: Finding) -> None:
        """Add a finding; beyond the limit it is only counted."""
        if finding.location.source is not None and self._merge(finding):
            return
        key = (finding.rule.name, finding.severity)
        count = self._counts[key] = self._counts.get(key, 0) + 1
        if count <= MOST_OF_A_RULE:
            super().append(finding)
        else:
            self._leave_out(finding, 1)

    def extend(self, findings: Iterable[Finding]) -> None:
        """Add findings, and the number of those that another list leaves out."""
        for finding in findings:
            self.append(finding)
        if isinstance(findings, Findings):
            for first, number in findings._unlisted.values():
                self._leave_out(first, number)

    def __iadd__(self, findings: Iterable[Finding]) -> Findings:  # type: ignore[override,misc]  # of any iterable
        if findings:  # a file without problems adds thousands of empty lists
            self.extend(findings)
        return self

    def leave_out(self, rule: Rule) -> bool:
        """Count another problem of a rule of which no more are listed; return False where it is still to be added."""
        known = self._unlisted.get((rule.name, None))
        if known is None:
            return False
        self._leave_out(known[0], 1)
        return True

    def _leave_out(self, finding: Finding, number: int) -> None:
        key = (finding.rule.name, finding.severity)
        first, before = self._unlisted.get(key, (finding, 0))
        self._unlisted[key] = (first, before + number)

    def _merge(self, finding: Finding) -> bool:
        """Name the includes of a finding at one that is listed already; return whether there is one."""
        key = (finding.rule.name, id(finding.location.element), finding.location.part, finding.message)
        number = self._numbers.setdefault(key, len(self))
        if number >= len(self):
            return False
        first = self[number]
        if len(first.related) < MAX_RELATED:
            more = tuple(related for related in finding.related if related not in first.related)
            self[number] = replace(first, related=(*first.related, *more)[:MAX_RELATED])
        return True

    def mapped(self, change: Callable[[Finding], Finding]) -> Findings:
        """Return as many findings, each changed."""
        result = Findings(map(change, self))
        for first, number in self._unlisted.values():
            result._leave_out(change(first), number)
        return result

    def may_hint(self, rule: Rule) -> bool:
        """Return whether the names that may have been meant are sought for another problem of a rule."""
        return sum(count for (name, _), count in self._counts.items() if name == rule.name) < MOST_WITH_HINTS

    @property
    def number(self) -> int:
        """How many problems there are, listed or not."""
        unlisted = self._unlisted
        return len(self) + (sum(number for _, number in unlisted.values()) if unlisted else 0)

    def count_by_rule(self) -> Counter[str]:
        """Return how many problems there are of each rule, listed or not."""
        counts = Counter(finding.rule.name for finding in self)
        for first, number in self._unlisted.values():
            counts[first.rule.name] += number
        return counts

    def listed(self) -> list[Finding]:
        """Return the findings, and for each rule of which not all are listed one more, which says so."""
        result = list(self)
        for first, number in self._unlisted.values():
            others = Message("", f"{number - 1:,} more problems of this rule are not listed") if number > 1 else ""
            result.append(replace(first, message=first.message + others))
        return result
