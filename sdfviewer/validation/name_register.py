"""The index of names in a scope, and reserved names."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import repeat

from sdfviewer.diagnostics import Rule
from sdfviewer.document.element import Element
from sdfviewer.model.findings import ElementPart, Finding, Source
from sdfviewer.model.model import Model
from sdfviewer.model.names import is_merged_frame, is_reserved, merged_model
from sdfviewer.model.scope import Scope
from sdfviewer.validation import name_rules as rules
from sdfviewer.versions import FRAME_SEMANTICS, SCOPED_REFERENCES, Version, format_version


class NameRegister:
    """Gives out the names of one scope's members, in document order, and reports those that cannot be given."""

    def __init__(self, scope: Scope, source: Source, version: Version) -> None:
        self._scope = scope
        self._source = source
        self._version = version
        self._holders: dict[str, tuple[Element, str]] = {}
        self._merged: dict[str, ElementPart] = {}  # where what a merged model brings is written, by its name
        self._rows: dict[str, int] = {}
        self._numbers: dict[str, int] = {}  # the next number to try behind a name that is taken

    def claim_merged(self, include: Element, included: Scope, frame: str, row: int) -> None:
        """Give out the names of what a merged model brings.

        Parameters
        ----------
        include
            Where the model is merged.
        included
            Its scope.
        frame
            The name of the frame that represents it.
        row
            The row that this frame gets.
        """
        self.claim(include, frame, "frame", row)
        for name, inner in included.members.items():
            written = ElementPart(included.sources[inner], included.elements[inner], "@name")
            if name in self._holders:
                self._clash(include, name, str(included.kinds[inner]), written)
            else:
                self.claim(include, name, str(included.kinds[inner]), row + inner)
                self._merged[name] = written

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
        elif "::" in name and self._version >= SCOPED_REFERENCES:
            self._report(rules.separator_in_name, element, name, rules.separator_in_name.format(tag, name))
        return name

    def count_free(self, names: Sequence[str]) -> int:
        """Return how many names come before the first one that is taken."""
        if self._holders.keys().isdisjoint(names):
            return len(names)
        return next(number for number, name in enumerate(names) if name in self._holders)

    def claim_models(self, elements: Sequence[Element], names: Sequence[str], rows: Sequence[int]) -> None:
        """Give out the names of models, all of them free and allowed, to their elements and rows."""
        self._holders.update(zip(names, zip(elements, repeat("model")), strict=True))
        self._rows.update(zip(names, rows, strict=True))

    def note(self, element: Element, name: str) -> str:
        """Return the name of what is no frame, a light for example, and report it if a sibling has it already."""
        holder = self._holders.get(name)
        if holder is None:
            self._holders[name] = element, element.tag
        elif name:
            rule = rules.duplicate_name if holder[1] == element.tag else rules.shared_name
            self._report(rule, element, name, rule.format(element.tag, name, holder[1]), holder[0])
        return name

    def _clash(self, element: Element, name: str, tag: str, merged: ElementPart | None = None) -> str:
        """Report a name that is taken, and return it, or another where an old file allows a clash.

        ``merged`` is where it is written in a merged model; ``element`` is then the ``<include>`` that merges it.
        """
        holder, holder_tag = self._holders[name]
        if holder_tag not in ("model", "link", "joint", "frame"):
            self._report(rules.shared_name, element, name, rules.shared_name.format(tag, name, holder_tag), holder)
            return name
        if merged is not None or name in self._merged:
            both = merged is not None and name in self._merged
            message = rules.duplicate_name.format(tag, name, holder_tag, merged="both" if both else "one")
            self._report(rules.duplicate_name, element, name, message, holder, merged)
            return name
        if self._version >= FRAME_SEMANTICS or tag in (holder_tag, "model"):
            of_includes = element.tag == holder.tag == "include" and element is not holder
            tags = ("include", "include") if of_includes else (tag, holder_tag)
            can_be_named = of_includes and (element.find("name") is None or holder.find("name") is None)
            shown = merged_model(name) if of_includes and is_merged_frame(name) else name
            message = rules.duplicate_name.format(tags[0], shown, tags[1], can_be_named)
            self._report(rules.duplicate_name, element, name, message, holder)
            return name
        renamed = candidate = f"{name}_{tag}"
        number = self._numbers.get(candidate, 0)
        while renamed in self._holders:
            renamed = f"{candidate}{number}"
            number += 1
        self._numbers[candidate] = number
        self._holders[renamed] = element, tag
        message = rules.renamed_clash.format(tag, name, renamed, format_version(self._version))
        self._report(rules.renamed_clash, element, name, message, holder)
        return renamed

    def _report(
        self,
        rule: Rule,
        element: Element,
        name: str,
        message: str,
        holder: Element | None = None,
        merged: ElementPart | None = None,
    ) -> None:
        related: tuple[tuple[str, ElementPart], ...] = ()
        if holder is not None:
            related = (("the name is first used here", ElementPart(self._source, holder, "@name")),)
        if name in self._merged:
            related += (("it is in the model that is merged there", self._merged[name]),)
        if merged is not None:
            related += ((f"'{name}' of the model that is merged here", merged),)
        rows = (self._rows[name],) if name in self._rows else ()  # that of the first holder, which references mean
        location = ElementPart(self._source, element, "@name")
        self._scope.findings.append(Finding(rule, location, message, rows, related))


def check_portable_names(model: Model) -> Iterator[Finding]:
    """Yield names in the file that its own version allows and a later one does not; ``check --portable-names``."""
    if model.version >= SCOPED_REFERENCES:
        return
    seen: set[int] = set()
    for row, element in enumerate(model.elements):
        name = element.attributes.get("name", "")
        if "::" not in name or id(element) in seen or not model.kinds[row].is_vertex:
            continue
        seen.add(id(element))
        since = format_version(SCOPED_REFERENCES)
        message = rules.name_not_portable.format(element.tag, name, since)
        yield Finding(rules.name_not_portable, ElementPart(model.sources[row], element, "@name"), message, (row,))
