"""Dissolve nested models: their members move to the enclosing model under new names.

A model's own frame becomes an explicit ``<frame>`` that is attached to the canonical link and has the model's pose, so
that everything that named the model, or leaned on it by a default, still finds it.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, chain, repeat
from types import MappingProxyType

import numpy as np

from sdfviewer.diagnostics import Replacement
from sdfviewer.document.document import Document
from sdfviewer.document.edits import (
    CDATA,
    Replacements,
    element_source,
    indentation,
    indentation_step,
    insert_child,
    prepend_child,
    reindented,
    remove_element,
    set_attribute,
)
from sdfviewer.document.element import Element
from sdfviewer.document.xml.parse import escape
from sdfviewer.formats.writing import write_pose_text
from sdfviewer.model.graph import ROOT
from sdfviewer.model.kinds import Kind
from sdfviewer.model.model import Model
from sdfviewer.model.references import Reference, find_mentions, find_references, set_name
from sdfviewer.model.scope import Scope
from sdfviewer.model.values import format_pose, read_pose
from sdfviewer.refactoring.draft import Draft, moved_offsets
from sdfviewer.refactoring.pose_notation import Notation, notation_of, numbers_of, written_numbers

#: What moves out of a model with it; all else in a model is about the model itself.
MEMBERS = frozenset({"link", "joint", "frame", "model", "include", "gripper", "plugin"})
#: What a part of a state says about its model itself.
OF_STATE = ("pose", "scale", "wrench")
_SCOPES = (Kind.WORLD, Kind.MODEL)


class Dissolution:
    """Models of one file on their way into what is around them.

    Parameters
    ----------
    model
        What the file means, of SDFormat 1.7 or later.
    frames
        How the frame is called that takes the place of a model, by the model's row. Row 0 may be among them: then the
        model goes into what an include is in.
    names
        New names of their members, by row; others keep theirs.
    inherited
        XML that links of the models get, by row: what the models have decided for them.
    outside
        How a member of what is around row 0 calls the frame of that: ``__model__`` or ``world``.
    plain
        Models whose frame nothing needs, so that no frame takes their place, by row: each with the row of the link
        that takes over its pose, None where the model is where the one around it is.
    """

    def __init__(
        self,
        model: Model,
        frames: Mapping[int, str],
        names: Mapping[int, str],
        inherited: Mapping[int, Sequence[str]] | None = None,
        outside: str = "__model__",
        plain: Mapping[int, int | None] = MappingProxyType({}),
    ) -> None:
        self.model = model
        self.frames = frames
        self._names = names
        self._inherited = inherited if inherited is not None else {}
        self._outside = outside
        self.plain = plain
        self._scopes: dict[int, tuple[Scope, int]] = {}
        stack = [(model.scope, 0)]
        while stack:
            scope, at = stack.pop()
            self._scopes[at] = scope, at
            stack += [(inner, at + row) for inner, row in scope.nested.values()]

    # --- names -------------------------------------------------------------------------------------------------

    def lookup(self, scope: int, name: str) -> int | None:
        """Return the row that a name means to the members of a model or world, None if nothing."""
        known = self._scopes.get(scope)
        row = known[0].lookup(name) if known is not None else None
        return None if row is None or known is None else row + known[1]

    def holder(self, row: int) -> int:
        """Return the model or world that holds a model's members afterwards, ROOT where that is outside."""
        while row in self.frames:
            row = int(self.model.owners[row])
        return row

    def local_name(self, row: int) -> str:
        """Return the name of a row afterwards, without those of what it is in."""
        return self.frames.get(row) or self._names.get(row) or self.model.local_names[row]

    def name_in(self, holder: int, row: int) -> str:
        """Return how a member of ``holder`` calls a row afterwards."""
        if row in self.plain:
            row = self.holder(row)
        if row == holder:
            return "world" if self.model.kinds[row] is Kind.WORLD else "__model__"
        parts = [self.local_name(row)]
        while (row := self.holder(int(self.model.owners[row]))) not in (holder, ROOT):
            parts.append(self.local_name(row))
        return "::".join(reversed(parts))

    def scoped_name(self, row: int) -> str:
        """Return the name of a row from the root of the file afterwards."""
        if row == 0:
            return self.model.names[0]
        name = self.name_in(0, row)
        return name if self.model.is_world else f"{self.model.names[0]}::{name}"

    def renamed(self) -> tuple[tuple[str, str], ...]:
        """Return the old and new scoped names of all that is called otherwise, or has become a frame."""
        pairs = ((self.model.names[row], self.scoped_name(row), row) for row in range(len(self.model)))
        return tuple(
            (old, new) for old, new, row in pairs if row not in self.plain and (old != new or row in self.frames)
        )

    # --- the edit ----------------------------------------------------------------------------------------------

    def apply(self, draft: Draft, more: Replacements = ()) -> None:
        """Dissolve the models in a draft of the file; ``more`` edits what is in them along the way."""
        offset = self.model.document.offset
        states = ((each, ROOT) for each in self.states())
        shells = sorted([*self._models(), *states], key=lambda shell: offset(shell[0]))
        # Replace all names while the locations of the elements are known, then the tags around them.
        edits = more + self._members() + self._references()
        draft.edit(edits)
        starts = moved_offsets([offset(element) for element, _ in shells], edits)
        found = ((draft.document.element_at(at), row) for at, (_, row) in zip(starts, shells, strict=True))
        draft.edit(_unwrap(draft.document, [self._shell(draft.document, each, row) for each, row in found if each]))
        draft.edit(self._namespaces(draft.document))

    def _models(self) -> Iterator[tuple[Element, int]]:
        for row in self.frames:
            if self.model.elements[row].tag == "model":
                yield self.model.elements[row], row

    def states(self) -> Iterator[Element]:
        """Yield the parts of states that are about models which are dissolved."""
        for reference in find_mentions(self.model):
            if reference.element.tag.startswith("model") and self._target(reference) in self.frames:
                yield reference.element

    def _shell(self, document: Document, element: Element, row: int) -> Shell:
        """Return the edits of the tags of a model, or of its part in a state (ROOT)."""
        if row == ROOT:
            return Shell(element, (), tuple(element.findall(*OF_STATE)))
        removed = tuple(child for child in element.children if child.tag not in MEMBERS and ":" not in child.tag)
        if row in self.plain:
            return Shell(element, (), removed)
        pose = element.find("pose")
        if pose is None:
            written = self._pose(row)
        else:
            first, last = document.offsets(pose, "element")
            written = " ".join(document.text[first:last].split()).replace("> ", ">").replace(" <", "<")
        return Shell(element, (self._frame_tag(row), f"  {written}", "</frame>"), removed)

    def _frame_tag(self, row: int) -> str:
        """Return the start tag of the frame that represents a model."""
        link = self._carrier(row)
        attached = f' attached_to="{escape(link, chr(34))}"' if link is not None else ""
        return f'<frame name="{escape(self.frames[row], chr(34))}"{attached}>'

    def _carrier(self, row: int) -> str | None:
        """Return how the canonical link of a model is called afterwards, None where it has none or does not move."""
        link = self.model.scope.canonical_link if row == 0 else int(self.model.attached_to[row])
        if link < 0 or self.model.kinds[link] is not Kind.LINK:
            return None
        return self.name_in(self._around(row), link)

    def _around(self, row: int) -> int:
        """Return the row of what holds a model's frame afterwards."""
        return self.holder(int(self.model.owners[row])) if row else ROOT

    def _relative_to(self, row: int) -> str:
        """Return the new name of the frame that the pose of a model is relative to."""
        if row == 0:  # what an include says is a name out there
            return self.model.relative_to_written[0] or self._outside
        written = self.model.relative_to_written[row]
        if written and self._around(row) != ROOT and self.lookup(int(self.model.owners[row]), written) is None:
            return written  # it is in an include that is not found
        return self.name_in(self._around(row), int(self.model.relative_to[row]))

    def _pose(self, row: int) -> str:
        """Return the ``<pose>`` of a model that is written without one."""
        return _pose_tag(self._relative_to(row), numbers_of(self.model.raw_poses[row], Notation.RADIANS))

    def _members(self) -> Replacements:
        """Return the edit of what is in the models: names, and defaults that the model around decided."""
        model = self.model
        edits: Replacements = ()
        for row, element in enumerate(model.elements):
            if model.sources[row] is not None:
                continue
            if row in self.plain:
                edits += self._passed_on(row, element)
            elif row in self.frames:
                edits += self._own_frame(row, element)
            elif int(model.owners[row]) in self.frames:
                if row in self._names:
                    edits += set_name(model.document, element, self._names[row])
                edits += self._defaults(row, element)
        return edits

    def _own_frame(self, row: int, element: Element) -> Replacements:
        """Return the edit of a model's own pose, which will be that of its frame."""
        model, document = self.model, self.model.document
        if element.tag not in ("model", "frame"):  # flattened by an older tool, and nothing represents its frame
            return insert_child(document, _parent(document, element), self._flattened_frame(row), element)
        edits: Replacements = ()
        if element.tag == "frame":  # flattened by an older tool: it is a frame already
            edits += set_attribute(document, element, "name", self.frames[row])
            edits += set_attribute(document, element, "attached_to", self._carrier(row))
        pose = read_pose(element, model.version)
        if pose.element is None:
            return edits + (insert_child(document, element, self._pose(row)) if element.tag == "frame" else ())
        edits += set_attribute(document, pose.element, "relative_to", self._relative_to(row))
        if row in model.scope.placement_frames:  # what is written is the pose of another frame
            edits += write_pose_text(document, pose, numbers_of(model.raw_poses[row], notation_of(pose)))
        return edits

    def _passed_on(self, row: int, element: Element) -> Replacements:
        """Return the edit that writes the pose of a model in the link that has none of its own."""
        link, pose, document = self.plain[row], element.find("pose"), self.model.document
        if link is None or pose is None:
            return ()
        named = self._relative_to(row) if self.model.relative_to_written[row] is not None else None
        changes = () if named is None else set_attribute(document, pose, "relative_to", named)
        source, element = element_source(document, pose, changes), self.model.elements[link]
        if element.end_length == 0:
            return prepend_child(document, element, source)
        first, last = document.content_offsets(element)
        inner = indentation(document, element.children[0]) if element.children else ""
        inner = inner or indentation(document, element) + indentation_step(document)
        rest = document.text[first:last]
        if "\n" in rest[: len(rest) - len(rest.lstrip())]:
            source = document.newline + inner + reindented(source, "", inner, document.newline)
        return (Replacement(first, first, source),)

    def _flattened_frame(self, row: int) -> str:
        return f"{self._frame_tag(row)}\n  {self._pose(row)}\n</frame>"

    def _defaults(self, row: int, element: Element) -> Replacements:
        """Return the edit that writes what the model around decided: the frame that represents it is named."""
        model, document = self.model, self.model.document
        kind, owner = model.kinds[row], int(model.owners[row])
        frame = self.name_in(self.holder(owner), owner)
        if kind is Kind.FRAME:
            return () if model.attached_to_written[row] else set_attribute(document, element, "attached_to", frame)
        edits: Replacements = ()
        lines = list(self._inherited.get(row, ()))
        pose = element.find("pose")
        if owner not in self.plain and kind in (Kind.LINK, Kind.MODEL) and model.relative_to_written[row] is None:
            if pose is not None:
                edits += set_attribute(document, pose, "relative_to", frame)
            else:  # an include without one keeps the pose that is written in the included file
                numbers = written_numbers(model, row) if element.tag == "include" else []
                lines.insert(0, _pose_tag(frame, numbers))
        if lines:
            edits += prepend_child(document, element, "\n".join(lines))
        return edits

    # --- references --------------------------------------------------------------------------------------------

    def _target(self, reference: Reference) -> int | None:
        return self.lookup(reference.scope, reference.name)

    def _references(self) -> Replacements:
        edits: Replacements = ()
        for reference in all_references(self.model):
            own = self.model.elements[reference.row]
            if reference.row in self.frames and reference.element in (own, own.find("pose")):
                continue  # goes with the model
            target, scope = self._target(reference), reference.scope
            if target is None or (target in self.frames and reference.element.tag in ("model", "model_state")):
                continue
            name = self.name_in(self.holder(scope), target)
            if name != self.model.name_in(scope, target) or (target in self.frames and "::" in reference.name):
                edits += reference.write(self.model.document, name)
        return edits

    def _namespaces(self, document: Document) -> Replacements:
        """Return the edit that declares at the root the prefixes that a model has declared for what is in it."""
        edits: Replacements = ()
        if document.root is None:
            return edits
        declared = dict(document.root.attributes)
        for element, _ in self._models():
            for name, value in element.attributes.items():
                if name.startswith("xmlns:") and name not in declared:
                    declared[name] = value
                    edits += set_attribute(document, document.root, name, value)
        return edits


def _pose_tag(relative_to: str, numbers: Sequence[float]) -> str:
    return format_pose(numbers if any(numbers) else (), relative_to)


def _parent(document: Document, element: Element) -> Element:
    parent = document.parent(element)
    assert parent is not None
    return parent


def plain_frame(model: Model, row: int) -> dict[int, int | None]:
    """Return a nested model as :class:`Dissolution` takes those without a frame of their own; nothing where it has one.

    It has none where nothing rides on it, and where it is where the model around it is, or gives its pose to one link.
    """
    element = model.elements[row]
    measured = [each for each in model.rows_in(row) if int(model.relative_to[each]) == row]
    riding = model.rows_in(row, Kind.FRAME)
    if element.tag != "model" or row in model.scope.placement_frames:
        return {}
    if any(model.attached_to_written[each] is None for each in riding):
        return {}
    named = []
    for reference in all_references(model):
        steps = reference.steps(model)
        target = reference.scope if reference.name == "__model__" else steps[-1] if steps else None
        if target == row and reference.element.tag not in ("model", "model_state"):
            named.append(reference)
    if any(each.attribute != "relative_to" for each in named):
        return {}
    pose = element.find("pose")
    if model.relative_to_written[row] is None and not np.any(model.raw_poses[row] - np.eye(4)):
        return {row: None}
    links = [each for each in measured if model.relative_to_written[each] is None]
    if pose is None or named or len(measured) != 1 or len(links) != 1:
        return {}
    link = links[0]
    is_bare = model.kinds[link] is Kind.LINK and model.elements[link].find("pose") is None
    return {row: link} if is_bare else {}


def all_references(model: Model) -> Iterator[Reference]:
    """Yield every place in the file that names something in a model or world.

    What a plugin names is left to whoever moves the plugin, as it may look names up elsewhere then.
    """
    known = set()
    for reference in chain(find_references(model), find_mentions(model)):
        known.add(id(reference.element))
        if model.kinds[reference.scope] in _SCOPES and not reference.plugin:
            yield reference
    for scope, element in walk(model, "pose", "custom_rpy"):
        if id(element) in known:
            continue
        if element.tag == "pose" and element.attributes.get("relative_to"):
            yield Reference(scope, scope, element, "@relative_to", element.word("relative_to"))
        elif element.tag == "custom_rpy" and element.attributes.get("parent_frame"):
            yield Reference(scope, scope, element, "@parent_frame", element.word("parent_frame"))


def walk(model: Model, *tags: str) -> Iterator[tuple[int, Element]]:
    """Yield the elements of the file called one of ``tags``, each with the row of the model or world it is in.

    What is in plugins and states is left out.
    """
    root = model.document.root
    stack = [(root, 0)] if root is not None else []
    while stack:
        element, scope = stack.pop()
        if element.tag in tags:
            yield scope, element
        if not element.children or element.tag in ("plugin", "state", "population"):
            continue
        row = model.rows_by_element.get(id(element))
        inner = row if row is not None and model.kinds[row] in _SCOPES else scope
        stack += zip(reversed(element.children), repeat(inner))


_LINE = re.compile(r"\n([ \t]*)")


@dataclass(frozen=True, slots=True)
class Shell:
    """An element whose tags go.

    Attributes
    ----------
    element
        The element.
    instead
        Lines that take the place of its start tag, further ones indented relative to the first; none where nothing
        does.
    removed
        Those of its children that go too.
    """

    element: Element
    instead: tuple[str, ...]
    removed: tuple[Element, ...]


def _unwrap(document: Document, shells: Sequence[Shell]) -> Replacements:
    """Return the edit that unwraps elements, which may stand in each other."""
    removals: Replacements = ()
    steps: list[tuple[int, int, int]] = []  # from where to where lines move left, and by how many characters
    for shell in shells:
        start, end = document.offsets(shell.element, "element")
        for child in shell.removed:
            removals += remove_element(document, child)
        if shell.element.end_length:
            removals += _remove_line(document, end - shell.element.end_length, end)
        steps.append((start + shell.element.start_length, end, _step(document, shell.element)))
    edits = removals
    margin = _margin(steps)
    for shell in shells:
        start = document.offset(shell.element)
        if not shell.instead:
            edits += _remove_line(document, start, start + shell.element.start_length)
        else:
            own = indentation(document, shell.element)
            text = (document.newline + own[min(len(own), margin(start)) :]).join(shell.instead)
            edits += (Replacement(start, start + shell.element.start_length, text),)
    return edits + _dedent(document, margin, edits)


def _margin(steps: Sequence[tuple[int, int, int]]) -> Callable[[int], int]:
    """Return the function that maps an offset to the number of characters by which its line moves left."""
    turns = sorted([(first, by) for first, _, by in steps] + [(last, -by) for _, last, by in steps])
    places, sums = [place for place, _ in turns], list(accumulate((by for _, by in turns), initial=0))
    return lambda offset: sums[bisect_right(places, offset)]


def _step(document: Document, element: Element) -> int:
    """Return by how many characters the content of an element is indented."""
    own = indentation(document, element)
    for child in element.children:
        inner = indentation(document, child)
        if inner.startswith(own) and inner != own:
            return len(inner) - len(own)
    return 0


def _remove_line(document: Document, start: int, end: int) -> Replacements:
    """Return the edit that takes a tag out, with its line if nothing else is on it."""
    text = document.text
    line_start, line_end = text.rfind("\n", 0, start) + 1, text.find("\n", end)
    alone = line_end >= 0 and not text[line_start:start].strip() and not text[end:line_end].strip()
    return (Replacement(line_start, line_end + 1, "") if alone else Replacement(start, end, ""),)


def _dedent(document: Document, margin: Callable[[int], int], edits: Replacements) -> Replacements:
    """Return the edit that moves lines left, other edits and what is written as it is left alone."""
    raw = [match.span() for match in CDATA.finditer(document.text)]
    changed = sorted([*((each.start, each.end) for each in edits), *raw])
    starts, reach = [start for start, _ in changed], list(accumulate((end for _, end in changed), max))
    result: list[Replacement] = []
    for line in _LINE.finditer(document.text):
        at = line.start(1)
        taken = min(margin(at), line.end(1) - at)
        before = bisect_right(starts, at) - 1
        if taken > 0 and (before < 0 or reach[before] <= at):
            result.append(Replacement(at, at + taken, ""))
    return tuple(result)
