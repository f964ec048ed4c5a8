"""Names: which are allowed, who holds which, and what a wrong one may have meant."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

from sdfviewer.document.element import Element
from sdfviewer.semantics.rules import names as rules
from sdfviewer.semantics.scope import Finding, Place, Scope, Source
from sdfviewer.semantics.values import Version


def is_reserved(name: str) -> bool:
    """Return whether SDFormat keeps a name for itself."""
    return name == "world" or (len(name) > 3 and name.startswith("__") and name.endswith("__"))


def did_you_mean(name: str, choices: Iterable[str]) -> str:
    """Return the end of a message that offers the nearest of ``choices``, empty where none is near."""
    near = difflib.get_close_matches(name, list(choices), n=2, cutoff=0.6)
    if not near:
        return ""
    return f"; did you mean {' or '.join(repr(match) for match in near)}?"


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
    """Gives out the names of one scope's members and reports those that cannot be given."""

    def __init__(self, scope: Scope, source: Source, version: Version) -> None:
        self._scope = scope
        self._source = source
        self._version = version
        self._holders: dict[str, Element] = {}

    def claim(self, element: Element, name: str) -> str:
        """Return the name under which a member is known: its own, or a new one where an old file allows a clash."""
        holder = self._holders.get(name)
        if holder is None:
            self._holders[name] = element
        place = Place(self._source, element, "@name")
        tag = element.tag
        if not name:
            if "name" in element.attributes:  # a missing attribute is the element tables' business
                self._report(Finding(rules.empty_name, place, rules.empty_name.format(tag)))
            return name
        if holder is not None:
            return self._clash(element, name, holder, place)
        if is_reserved(name):
            self._report(Finding(rules.reserved_name, place, rules.reserved_name.format(tag, name)))
        elif "::" in name and self._version >= (1, 8):
            self._report(Finding(rules.separator_in_name, place, rules.separator_in_name.format(tag, name)))
        return name

    def _clash(self, element: Element, name: str, holder: Element, place: Place) -> str:
        related = ((f"'{name}' is first used here", Place(self._source, holder, "@name")),)
        if self._version >= (1, 7) or holder.tag == element.tag:
            message = rules.duplicate_name.format(element.tag, name, holder.tag)
            self._report(Finding(rules.duplicate_name, place, message, related=related))
            return name
        renamed = candidate = f"{name}_{element.tag}"
        number = 0
        while renamed in self._holders:
            renamed = f"{candidate}{number}"
            number += 1
        self._holders[renamed] = element
        version = ".".join(map(str, self._version))
        message = rules.renamed_clash.format(element.tag, name, renamed, version)
        self._report(Finding(rules.renamed_clash, place, message, related=related))
        return renamed

    def _report(self, finding: Finding) -> None:
        self._scope.findings.append(finding)
