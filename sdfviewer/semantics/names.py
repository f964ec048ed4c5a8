"""Names: which are allowed, who holds which, and what a wrong one may have meant."""

from __future__ import annotations

from collections.abc import Container, Iterable
from itertools import count

from sdfviewer.diagnostics import Rule
from sdfviewer.document.element import Element
from sdfviewer.semantics.rules import names as rules
from sdfviewer.semantics.scope import Finding, Place, Scope, Source
from sdfviewer.semantics.values import Version, format_version


def is_reserved(name: str) -> bool:
    """Return whether SDFormat keeps a name for itself."""
    return name == "world" or (len(name) > 3 and name.startswith("__") and name.endswith("__"))


def free_name_among(wanted: str, taken: Container[str], first: int = 2) -> str:
    """Return ``wanted``, or with the first number behind it, from ``first`` on, that makes a name nobody has."""
    if wanted not in taken:
        return wanted
    return next(name for number in count(first) if (name := f"{wanted}_{number}") not in taken)


def nearest(name: str, choices: Iterable[str]) -> list[str]:
    """Return the names, two at most, that a wrong one may have meant."""
    import difflib  # noqa: PLC0415  # needed only where something is wrong

    return difflib.get_close_matches(name, list(choices), n=2, cutoff=0.6)


def did_you_mean(name: str, choices: Iterable[str]) -> str:
    """Return the end of a message that offers the nearest of ``choices``, empty where none is near."""
    near = nearest(name, choices)
    return f"; did you mean {' or '.join(repr(match) for match in near)}?" if near else ""


def reference_hint(scope: Scope, name: str) -> str:
    """Return the end of a message about a reference that finds nothing in ``scope``."""
    head, separator, tail = name.partition("::")
    if separator and (nested := scope.nested.get(head)):
        inner = nested[0]
        return f"; model '{head}' is there, but nothing in it is called '{tail}'" + did_you_mean(tail, inner.members)
    if not name.strip():
        return ""
    choices = list(scope.members)
    choices += [f"{model}::{member}" for model, (inner, _) in scope.nested.items() for member in inner.members]
    # The nearest name is more likely the tail of a longer one than a typing error.
    ends = [choice for choice in choices if choice.endswith(f"::{name}")]
    return f"; did you mean {ends[0]!r}?" if ends else did_you_mean(name, choices)


class NameRegister:
    """Gives out the names of one scope's members, in document order, and reports those that cannot be given."""

    def __init__(self, scope: Scope, source: Source, version: Version) -> None:
        self._scope = scope
        self._source = source
        self._version = version
        self._holders: dict[str, tuple[Element, str]] = {}
        self._rows: dict[str, int] = {}

    def claim(self, element: Element, name: str, tag: str = "", row: int | None = None) -> str:
        """Return the name under which a member is known: its own, or a new one where an old file allows a clash.

        Parameters
        ----------
        element
            Where the name is written: the member, or the ``<include>`` that brings it.
        name
            The name it wants.
        tag
            What it is; the element's own tag by default.
        row
            The row that it gets; the next one by default.
        """
        tag = tag or element.tag
        if not name:
            if "name" in element.attributes:  # a missing attribute is the element tables' business
                self._report(rules.empty_name, element, name, rules.empty_name.format(tag))
            return name
        if name in self._holders:
            return self._clash(element, name, tag)
        self._holders[name] = element, tag
        self._rows[name] = len(self._scope) if row is None else row
        if is_reserved(name):
            self._report(rules.reserved_name, element, name, rules.reserved_name.format(tag, name))
        elif "::" in name and self._version >= (1, 8):
            self._report(rules.separator_in_name, element, name, rules.separator_in_name.format(tag, name))
        return name

    def note(self, element: Element, name: str) -> str:
        """Return the name of what is no frame, a light for example, and report it if a sibling has it already."""
        holder = self._holders.get(name)
        if holder is None:
            self._holders[name] = element, element.tag
        elif name:
            rule = rules.duplicate_name if holder[1] == element.tag else rules.shared_name
            self._report(rule, element, name, rule.format(element.tag, name, holder[1]), holder[0])
        return name

    def _clash(self, element: Element, name: str, tag: str) -> str:
        holder, holder_tag = self._holders[name]
        if holder_tag not in ("model", "link", "joint", "frame"):
            self._report(rules.shared_name, element, name, rules.shared_name.format(tag, name, holder_tag), holder)
            return name
        if self._version >= (1, 7) or tag in (holder_tag, "model"):
            message = rules.duplicate_name.format(tag, name, holder_tag)
            self._report(rules.duplicate_name, element, name, message, holder)
            return name
        renamed = candidate = f"{name}_{tag}"
        number = 0
        while renamed in self._holders:
            renamed = f"{candidate}{number}"
            number += 1
        self._holders[renamed] = element, tag
        message = rules.renamed_clash.format(tag, name, renamed, format_version(self._version))
        self._report(rules.renamed_clash, element, name, message, holder)
        return renamed

    def _report(self, rule: Rule, element: Element, name: str, message: str, holder: Element | None = None) -> None:
        related = () if holder is None else (("the name is first used here", Place(self._source, holder, "@name")),)
        rows = (self._rows[name],) if name in self._rows else ()  # that of the first holder, which references mean
        self._scope.findings.append(Finding(rule, Place(self._source, element, "@name"), message, rows, related))
