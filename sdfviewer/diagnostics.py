"""Diagnostics of a file: rules, severities, locations and fixes.

Knows how a statement about a file is put together; must not know what any statement means.
"""

from __future__ import annotations

import inspect
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from importlib import import_module
from typing import TYPE_CHECKING, Any, NoReturn, overload

from sdfviewer.display_text import LONGEST_MESSAGE, visible, visible_message


class SdfViewerError(Exception):
    """Root of the exceptions of this package: unreadable files, misuse. Faults *in* a file are diagnostics instead."""

    def __str__(self) -> str:
        return "\n".join(map(visible, super().__str__().split("\n")))  # paths and names are in it


class PlacedSentence(str):
    """A sentence about a place of a file: ``file:line:``, and the words.

    Parameters
    ----------
    path, line
        The file as a string, and the line counted from 1.
    words
        What is so there.
    """

    __slots__ = ("line", "path", "words")
    path: str
    line: int
    words: str

    def __new__(cls, path: str, line: int, words: str) -> PlacedSentence:
        """Return the sentence with its parts."""
        self = super().__new__(cls, f"{path}:{line}: {words}")
        self.path, self.line, self.words = path, line, words
        return self

    @staticmethod
    def at(span: Span, words: str) -> PlacedSentence:
        """Return a sentence about a stretch of text."""
        return PlacedSentence(span.path, span.line, words)

    def __reduce__(self) -> tuple[type[PlacedSentence], tuple[str, int, str]]:
        return PlacedSentence, (self.path, self.line, self.words)


class Message(str):
    """The message of a rule: what is wrong, and what to do about it or what follows, behind a semicolon.

    It is joined here and never taken apart again: what is written before or behind one with ``+`` leaves the parts
    known, so that a reason that has advice hands it on.

    Parameters
    ----------
    what
        What is wrong; empty in the end of a message, such as the names that may have been meant.
    advice
        What to do, or what follows.
    reason
        What is wrong without the words that a rule writes before the reason it is given; by default all of ``what``.
    """

    __slots__ = ("advice", "reason", "what")
    what: str
    advice: str
    reason: str

    def __new__(cls, what: str, advice: str = "", reason: str = "") -> Message:
        """Return the message with its parts."""
        self = super().__new__(cls, f"{what}; {advice}" if advice else what)
        self.what, self.advice, self.reason = what, advice, reason or what
        return self

    def __reduce__(self) -> tuple[type[Message], tuple[str, str, str]]:
        return Message, (self.what, self.advice, self.reason)

    def __add__(self, end: str) -> Message:
        if self.advice:
            return Message(self.what, self.advice + end, self.reason)
        end = message_of(end)
        return Message(self.what + end.what, end.advice, self.reason + end.what)

    def __radd__(self, beginning: str) -> Message:
        return Message(beginning + self.what, self.advice, self.reason)


def message_of(words: str | Exception) -> Message:
    """Return the message that a text is, or that an exception was raised with."""
    if isinstance(words, Exception):
        words = words.args[0] if words.args and isinstance(words.args[0], Message) else str(words)
    return words if isinstance(words, Message) else Message(words)


class InvalidValueError(SdfViewerError, ValueError):
    """A value has the wrong shape, or is not a finite number."""


class Severity(Enum):
    """How much a diagnostic matters: only an ERROR makes a file invalid."""

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"


SEVERITY_RANK = {severity: rank for rank, severity in enumerate(Severity)}
"""The place of each severity among all, 0 for what matters most."""


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of a file's text.

    Attributes
    ----------
    path
        The file as a string, ``"-"`` for standard input or text without a file.
    start, end
        Character offsets into the text, ``end`` exclusive.
    line, column, end_line, end_column
        The same places counted from 1, columns in characters.
    """

    path: str
    start: int
    end: int
    line: int
    column: int
    end_line: int
    end_column: int


@dataclass(frozen=True, slots=True)
class Replacement:
    """Replace the characters from ``start`` to ``end`` (exclusive) of a text by ``text``."""

    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class Fix:
    """A quick fix. Applying it removes its problem, adds no other, and moves and loses nothing that it does not name.

    One that corrects a misspelt word makes something count, and what is wrong in that element is found only then.

    Attributes
    ----------
    label
        A sentence for a menu.
    path, replacements
        The text edits that make it, and the file that they are made in.
    frame
        Scoped name of the frame whose element or reference is edited, empty where it is not a frame.
    moves
        Scoped names of all frames that it moves, which the label names; that of ``frame`` may be left out where its
        pose was undefined.
    loses
        Masses, shapes and what else is written before it and not after it, which the label names.
    operation, arguments
        The operation that makes the same edit, also of a text that has changed elsewhere, with its arguments: that of a
        fix that names another frame, see :mod:`sdfviewer.operations`. Empty where a fix repairs the text itself.
    """

    label: str
    path: str
    replacements: tuple[Replacement, ...]
    frame: str = ""
    moves: tuple[str, ...] = ()
    loses: tuple[str, ...] = ()
    operation: str = ""
    arguments: Mapping[str, object] = field(default_factory=dict, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "label", visible_message(self.label))


class DeferredFixes(Sequence[Fix]):
    """Fixes that are computed when they are first used: each is tried out, which takes as long as loading.

    Parameters
    ----------
    compute
        Returns them.
    takes_long
        Whether other programs have to be asked for that, as xacro.
    """

    def __init__(self, compute: Callable[[], Iterable[Fix]], *, takes_long: bool = False) -> None:
        self._compute: Callable[[], Iterable[Fix]] | None = compute
        self._takes_long = takes_long
        self._fixes: tuple[Fix, ...] = ()

    @property
    def is_computed(self) -> bool:
        """Whether the fixes have been computed."""
        return self._compute is None

    @property
    def are_at_hand(self) -> bool:
        """Whether the window may ask for them: else they are computed in the background first."""
        return self.is_computed or not self._takes_long

    def _all(self) -> tuple[Fix, ...]:
        compute = self._compute
        if compute is not None:  # in two threads at once it is computed twice, and neither sees half of it
            self._fixes = tuple(compute())
            self._compute = None  # which lets go of all that it refers to
        return self._fixes

    def __reduce__(self) -> tuple[Callable[[Iterable[Fix]], tuple[Fix, ...]], tuple[tuple[Fix, ...]]]:
        return tuple, (self._all(),)

    def __len__(self) -> int:
        return len(self._all())

    @overload
    def __getitem__(self, index: int) -> Fix: ...

    @overload
    def __getitem__(self, index: slice) -> tuple[Fix, ...]: ...

    def __getitem__(self, index: int | slice) -> Fix | tuple[Fix, ...]:
        return self._all()[index]


@dataclass(frozen=True, slots=True)
class Related:
    """Another place that takes part in a problem, for example one edge of a cycle."""

    message: str
    span: Span

    def __post_init__(self) -> None:
        object.__setattr__(self, "message", visible_message(self.message))


@dataclass(frozen=True, slots=True)
class Edge:
    """A reference that takes part in a problem: what it names is missing, or it is one step of a cycle.

    Attributes
    ----------
    frame
        Scoped name of the frame whose reference it is.
    attribute
        What holds the name, or would hold it where the default counts: ``relative_to``, ``attached_to``, ``parent`` ...
    target
        Scoped name of the frame that it leads to, empty where it names nothing.
    axis
        ``axis`` or ``axis2`` of a joint, for ``expressed_in``.
    """

    frame: str
    attribute: str
    target: str = ""
    axis: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Rule:
    """A statement about files that can be violated, declared by :func:`rule`.

    Attributes
    ----------
    name
        Kebab-case name that reads as "allow X", for example ``relative-to-cycle``.
    code
        ``E502``, ``W203``: severity letter and number; the hundreds are the phase of validation.
    severity
        What a violation usually is.
    libsdformat
        The name of the error code by which libsdformat reports the same, or None where it is silent.
    format
        Returns the message of one violation; its docstring is the manual page.
    """

    name: str
    code: str
    severity: Severity
    libsdformat: str | None
    format: Callable[..., str]

    @property
    def number(self) -> int:
        """The number of its code."""
        return int(self.code[1:])

    @property
    def phase(self) -> int:
        """The hundreds of its number: names are 2."""
        return self.number // 100

    @property
    def page(self) -> str:
        """The manual page."""
        without = "Python runs with -OO, which leaves out the manual. Run it without to read this page."
        return inspect.getdoc(self.format) or f"{self.name}\n\n{without}"

    @property
    def summary(self) -> str:
        """The first line of the manual page."""
        return self.page.splitlines()[0]

    def __repr__(self) -> str:
        return f"<Rule {self.name}>"  # its function says nothing

    def __reduce__(self) -> tuple[Callable[[str, str], Rule], tuple[str, str]]:
        return _declared_rule, (self.name, self.format.__module__)


def _declared_rule(name: str, module: str) -> Rule:
    """Return a rule by its name and the module that declares it."""
    import_module(module)
    return RULES[name]


#: Every declared rule by name, in the order of declaration (the order of the phases).
RULES: dict[str, Rule] = {}
_NUMBERS: set[int] = set()


def rule(
    name: str, number: int, libsdformat: str | None = None, severity: Severity = Severity.ERROR
) -> Callable[[Callable[..., str]], Rule]:
    """Declare a rule by decorating the function that words its message; the function's docstring is its manual page.

    Parameters
    ----------
    name
        Kebab-case name.
    number
        1xx XML and schema, 2xx names, 3xx joints and canonical link, 4xx attached_to, 5xx relative_to,
        6xx kinematics, 7xx files and resources.
    libsdformat
        Name of the matching libsdformat error code, if any.
    severity
        Usual severity.
    """

    def declare(format_message: Callable[..., str]) -> Rule:
        if not format_message.__doc__ and sys.flags.optimize <= 1:
            raise SdfViewerError(f"rule {name} has no manual page")
        if name in RULES or number in _NUMBERS:
            raise SdfViewerError(f"rule {name} ({number}) is declared twice")
        code = f"{severity.value[0].upper()}{number}"
        declared = RULES[name] = Rule(name, code, severity, libsdformat, format_message)
        _NUMBERS.add(number)
        return declared

    return declare


#: What other libraries call the parts of a diagnostic.
_ELSEWHERE = {
    **dict.fromkeys(("line", "line_number", "lineno"), "span.line"),
    **dict.fromkeys(("column", "col", "character"), "span.column"),
    **dict.fromkeys(("path", "file", "filename", "file_path"), "span.path"),
    **dict.fromkeys(("location", "range", "position"), "span"),
    **dict.fromkeys(("text", "description"), "message"),
    **dict.fromkeys(("name", "id"), "rule.name"),
    **dict.fromkeys(("level", "kind", "type"), "severity"),
    "code": "rule.code, or rule.name",
    "frame": "frames",
    "fix": "fixes",
}


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One problem of a file, reported once, at its root cause.

    Attributes
    ----------
    rule
        The rule that is violated.
    severity
        Usually the rule's.
    message
        What is wrong and what to do, in plain words.
    span
        The place to look at first, or None where the problem is of the whole file.
    related
        Other places that take part, in reading order: every edge of a cycle, the first of two equal names.
    fixes
        Quick fixes, the likeliest first. They may be computed when they are first used: ask
        :attr:`may_have_fixes` to know whether that is worthwhile.
    frames
        Scoped names of the frames concerned, so that views can mark them.
    libsdformat
        The error code that libsdformat gives for this violation, or None where it gives none.
    tried
        Where a file that is not found was looked for, in order.
    found_in
        The folder in which it would be found if that were added to the folders of models; empty where none is known.
    missing_uri
        The URI of a file that is not found; empty where something else is wrong.
    is_remote
        Whether that file is on a server, from which it was not downloaded.
    edges
        The references at fault: each step of a cycle, beginning with that of the first of :attr:`frames`, or the one
        that names nothing.
    holder
        Scoped name of the innermost frame in whose element it is written; empty where :attr:`frames` says more.
    meant
        What a misspelt word was probably meant to be, the likeliest first.
    """

    rule: Rule
    severity: Severity
    message: str
    span: Span | None = None
    related: tuple[Related, ...] = ()
    fixes: Sequence[Fix] = ()
    frames: tuple[str, ...] = field(default=())
    libsdformat: str | None = None
    tried: tuple[str, ...] = ()
    edges: tuple[Edge, ...] = ()
    holder: str = ""
    found_in: str = ""
    meant: tuple[str, ...] = ()
    missing_uri: str = ""
    is_remote: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "message", _shown(message_of(self.message)))

    def __str__(self) -> str:
        where = "" if self.span is None else f"{visible(self.span.path)}:{self.span.line}:{self.span.column}: "
        return f"{where}{self.severity.value}: {self.message} [{self.rule.name}]"

    def __repr__(self) -> str:
        return f"<Diagnostic {self}>"

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> NoReturn:
            hint = f"; use {right}" if (right := _ELSEWHERE.get(name)) else ""
            raise AttributeError(f"'Diagnostic' has no attribute '{name}'{hint}", name=name, obj=self)

    @property
    def what(self) -> str:
        """The message without its advice: what is wrong."""
        return message_of(self.message).what

    @property
    def reason(self) -> str:
        """What is wrong, without the words that its rule writes before the reason it is given."""
        return message_of(self.message).reason

    @property
    def advice(self) -> str:
        """What to do, or what follows: the end of the message, empty where its rule has none."""
        return message_of(self.message).advice

    @property
    def marked(self) -> tuple[str, ...]:
        """Scoped names of the frames at which views mark it: those that it is about, else the one it is written in."""
        return self.frames or ((self.holder,) if self.holder else ())

    @property
    def is_error(self) -> bool:
        """Whether this makes the file invalid."""
        return self.severity is Severity.ERROR

    @property
    def is_cycle(self) -> bool:
        """Whether its edges lead in a cycle; then each of them has one of the related places."""
        leads_back = bool(self.edges) and self.edges[-1].target == self.edges[0].frame
        return leads_back and len(self.related) == len(self.edges)

    @property
    def fixes_at_hand(self) -> Sequence[Fix]:
        """The fixes, none while those that take long to find have not been found yet."""
        return () if self.fixes_are_late else self.fixes

    @property
    def fixes_are_late(self) -> bool:
        """Whether its fixes take long to find and have not been found yet: the window finds them in the background."""
        return isinstance(self.fixes, DeferredFixes) and not self.fixes.are_at_hand

    @property
    def may_have_fixes(self) -> bool:
        """Whether there may be quick fixes; false where there are none. Takes no time, unlike :attr:`fixes`."""
        return isinstance(self.fixes, DeferredFixes) or bool(self.fixes)


def _shown(message: Message) -> Message:
    """Return a message as it can be shown: names and values of the file are in it, of any length."""
    if len(message) > LONGEST_MESSAGE:
        return Message(visible_message(message))
    if message.isprintable():
        return message
    return Message(visible(message.what), visible(message.advice), visible(message.reason))


def new_problems(after: Iterable[Diagnostic], *before: Sequence[Diagnostic], renames: bool = False) -> list[Diagnostic]:
    """Return the problems of a text that none of those before it has; the others have the same rule and message.

    Parameters
    ----------
    after
        What is wrong with the text.
    before
        What was wrong with the text, or with each of several that it was made of.
    renames
        Whether names have changed, and with them messages: of each rule only so many are new as there are more now.
    """
    known, kept = Counter[tuple[str, str]](), Counter[str]()
    for each in before:
        known |= Counter((problem.rule.name, problem.message) for problem in each)
        kept |= Counter(problem.rule.name for problem in each)
    listed = list(after)
    more = Counter(problem.rule.name for problem in listed) - kept
    new = []
    for problem in listed:
        rule, key = problem.rule.name, (problem.rule.name, problem.message)
        if known[key]:
            known[key] -= 1
        elif not renames or more[rule]:
            more[rule] -= 1
            new.append(problem)
    return new


def record_of(diagnostic: Diagnostic, name: str | None = None) -> dict[str, Any]:
    """Return a diagnostic without its fixes as it is written in JSON; what has no place is in the file ``name``."""

    def place(span: Span | None) -> dict[str, Any]:
        if span is None:
            return {"file": name, "line": None, "column": None}
        end = {"end_line": span.end_line, "end_column": span.end_column}
        return {"file": span.path, "line": span.line, "column": span.column, **end}

    return {
        "rule": diagnostic.rule.name,
        "code": diagnostic.rule.code,
        "severity": diagnostic.severity.value,
        "message": diagnostic.message,
        "libsdformat": diagnostic.libsdformat,
        **place(diagnostic.span),
        "frames": list(diagnostic.frames),
        "related": [{"message": related.message, **place(related.span)} for related in diagnostic.related],
        "tried": list(diagnostic.tried),
        "found_in": diagnostic.found_in or None,
    }
