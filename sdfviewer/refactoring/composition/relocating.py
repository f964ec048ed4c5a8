"""Members of a model that are written in another model of the same file: what goes along, names, poses.

Names lead downwards only. So a joint or a frame is where it can name all that it needs: one that names only what moves
moves too, and one that connects what moves with what stays is left where it is as long as names reach down from there.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property

import numpy as np

from sdfviewer import transforms
from sdfviewer.document.edits import Replacements, set_attribute, set_text
from sdfviewer.document.element import Element
from sdfviewer.document.topics import Announced, Aspect, Topic
from sdfviewer.model import graph
from sdfviewer.model.graph import ROOT
from sdfviewer.model.kinds import Kind
from sdfviewer.model.model import Model
from sdfviewer.model.plugin_catalogue import named_kinds
from sdfviewer.model.references import Reference, find_references, is_state_part
from sdfviewer.refactoring.composition.dissolving import all_references, walk
from sdfviewer.refactoring.draft import note
from sdfviewer.refactoring.editable import RefactoringError, require_editable, require_not_flattened
from sdfviewer.refactoring.pose_writing import write_relative_to
from sdfviewer.versions import FRAME_SEMANTICS, format_version

Path = tuple[str, ...]

#: What is about members of a model, so that it goes along where it names only these.
_COMPANIONS = frozenset({"joint", "frame", "gripper", "plugin"})


class Relocation:
    """Members of a model on their way into another one.

    Parameters
    ----------
    model
        What the file means.
    rows
        Members of one model that move, with or without what names only them.
    owner
        The model or world that they go into, which they are not in.
    new
        The name of a model that is made for them in ``owner``, the model that they are in; None for none.

    Attributes
    ----------
    source
        Row of the model that they are in.
    elements
        The children of its element that move.

    Raises
    ------
    RefactoringError
        If something could not name any more what it needs, or something is written elsewhere.
    """

    def __init__(self, model: Model, rows: Sequence[int], owner: int, new: str | None = None) -> None:
        self._model = model
        self._owner, self._new = owner, new
        self.source = int(model.owners[rows[0]])
        if any(int(model.owners[row]) != self.source for row in rows):
            raise RefactoringError("select members of one model")
        for row in (self.source, owner, *rows):
            require_editable(model, row)
        for row in (self.source, owner):
            require_not_flattened(model, row)
        self._picked = frozenset(rows)
        self._rows: set[int] = set(rows)
        #: The rows that move, with all that is in them.
        self._inside = {each for row in rows for each in model.inside(row)}
        self._moving = {model.elements[row] for row in rows}
        if any(model.document.parent(each) is not model.elements[self.source] for each in self._moving):
            raise RefactoringError("some of these are merged from another file; inline the include first")
        self._follow()
        self.elements = sorted(self._moving, key=model.document.offset)

    # --- names -------------------------------------------------------------------------------------------------------

    @cached_property
    def place(self) -> Path:
        """The names on the way from the root to what the members are in afterwards."""
        return (*self._path(self._owner), *(() if self._new is None else (self._new,)))

    def _path(self, row: int) -> Path:
        if row == 0:
            return ()
        around = self.place if row in self._rows else self._path(int(self._model.owners[row]))
        return (*around, self._model.local_names[row])

    def name(self, scope: Path, row: int) -> str | None:
        """Return how a row is called afterwards by the members of something, None where they cannot name it."""
        path = self._path(row)
        if path == scope:
            return "world" if self._model.kinds[row] is Kind.WORLD else "__model__"
        return "::".join(path[len(scope) :]) if path[: len(scope)] == scope else None

    def scoped_name(self, row: int) -> str:
        """Return the name of a row from the root of the file afterwards."""
        path = self._path(row)
        return "::".join(path if self._model.is_world else (self._model.names[0], *path))

    @property
    def renamed(self) -> tuple[tuple[str, str], ...]:
        """Old and new scoped names of all that moves."""
        names = self._model.names
        return tuple((names[row], self.scoped_name(row)) for row in sorted(self._inside))

    # --- what goes along ---------------------------------------------------------------------------------------------

    @cached_property
    def _references(self) -> list[tuple[Reference, Element | None, int | None]]:
        """Each reference with the child of the source that holds it, if any, and the row that it names, if any."""
        model = self._model
        found = []
        plugins = (each for each in find_references(model) if each.plugin)
        for reference in (*all_references(model), *plugins):
            steps = reference.steps(model)
            is_found = len(steps) == len(reference.name.split("::"))
            target = steps[-1] if is_found else None
            if reference.name == "__model__":
                target = reference.scope
            found.append((reference, self._child_around(reference.element), target))
        return found

    def _child_around(self, element: Element) -> Element | None:
        document, source = self._model.document, self._model.elements[self.source]
        around: Element | None = element
        while around is not None and (parent := document.parent(around)) is not source:
            around = parent
        return around

    def _follow(self) -> None:
        """Add what goes along: what names only what moves, and what could not name it any more from where it is."""
        model, scope = self._model, self._path(self.source)
        named: dict[Element, list[tuple[Reference, int | None]]] = {}
        for reference, child, target in self._references:
            if child is not None and child.tag in _COMPANIONS and child not in self._moving:
                named.setdefault(child, []).append((reference, target))
        has_bodies = any(model.kinds[row] in (Kind.LINK, Kind.MODEL) for row in self._picked)

        def goes_along(references: Sequence[tuple[Reference, int | None]]) -> bool:
            inside = [target for _, target in references if target is not None and target in self._inside]
            if any(self.name(scope, each) is None for each in inside):
                return True
            is_carried = any(each.attribute != "relative_to" for each, _ in references)
            return has_bodies and is_carried and all(self._fits(*each) for each in references)

        count = -1
        while count < len(self._moving):  # what goes along may be named by others
            count = len(self._moving)
            for child in [each for each in named if each not in self._moving]:
                if goes_along(named[child]):
                    self._add(child)

    def _add(self, element: Element) -> None:
        self._moving.add(element)
        if (row := self._model.rows_by_element.get(id(element))) is not None:
            self._rows.add(row)
            self._inside.update(self._model.inside(row))

    def _fits(self, reference: Reference, target: int | None) -> bool:
        """Return whether a companion would name the same, with the same words, among what moves."""
        if target == self.source and reference.attribute == "relative_to":
            return self._new is not None and self._passed() is None
        return target in self._inside

    # --- poses -------------------------------------------------------------------------------------------------------

    @cached_property
    def passed(self) -> int | None:
        """The link whose pose becomes that of the new model: the only one that is measured from what stays."""
        return self._passed()

    def _passed(self) -> int | None:
        """The same while it is not known yet what goes along."""
        model = self._model
        carried = [row for row in self._picked if model.kinds[row] in (Kind.LINK, Kind.MODEL)]
        outside = [row for row in carried if int(model.relative_to[row]) not in self._inside]
        if self._new is None or len(outside) != 1 or int(model.relative_to[outside[0]]) == self.source:
            return None
        row = outside[0]
        is_link = model.kinds[row] is Kind.LINK and model.elements[row].find("pose") is not None
        return row if is_link else None

    def _poses(self) -> Replacements:
        """Return the edit of what poses are measured from, for what moves."""
        model = self._model
        edits: Replacements = ()
        inside = self._inside
        for row in sorted(inside):
            reference, kind = int(model.relative_to[row]), model.kinds[row]
            by_default = model.relative_to_written[row] is None
            if row not in self._rows:  # a visual, which may be measured from anything that its link can name
                if not by_default and reference not in inside and int(model.owners[row]) in self._rows:
                    owner = int(model.owners[row])
                    X = transforms.invert(model.X_RootF[owner]) @ model.X_RootF[row]
                    edits += write_relative_to(model, row, None, self._finite(row, X))
                continue
            if (by_default and kind is Kind.JOINT) or row == self.passed:
                continue
            if by_default and kind is Kind.FRAME and self._carrier(row) == model.attached_to_written[row]:
                continue
            if reference == self.source and self._new is not None and self.passed is None:
                continue  # the new model is where the one around it is
            name = self.name(self.place, reference)
            if name == "__model__":
                name = None
            if name is not None and not by_default and name == model.name_in(self.source, reference):
                continue
            if name is not None and model.version >= FRAME_SEMANTICS:
                edits += write_relative_to(model, row, name)
                continue
            X = self._finite(row, transforms.invert(self._X_place()) @ model.X_RootF[row])
            target = None if kind in (Kind.LINK, Kind.MODEL) or model.version < FRAME_SEMANTICS else "__model__"
            edits += write_relative_to(model, row, target, X)
        return edits

    def _finite(self, row: int, X: transforms.Array) -> transforms.Array:
        if not np.isfinite(X).all():
            raise RefactoringError(f"the pose of '{self._model.names[row]}' is undefined and cannot be kept")
        return X

    def _X_place(self) -> transforms.Array:
        """Return the pose (4, 4) of what the members are in afterwards in the root."""
        passed = self.passed
        X: transforms.Array = self._model.X_RootF[self._owner if passed is None else passed]
        return X

    def _carrier(self, row: int) -> str | None:
        """Return what a frame is attached to afterwards: the first that can be named on its way to its body."""
        model = self._model
        for each in graph.chain(model.attached_to, row)[1:]:
            name = self.name(self.place, each)
            if name is not None and (name != "__model__" or each != self.source):
                return name
        body = int(model.bodies[row])
        if self._new is None and body >= 0 and int(model.bodies[self._owner]) == body:
            return self.name(self.place, self._owner)
        return None

    # --- the edit ----------------------------------------------------------------------------------------------------

    def edits(self) -> Replacements:
        """Return the edit of all names and poses; the elements are still where they were.

        Raises
        ------
        RefactoringError
            If something could not name any more what it needs.
        """
        model, document = self._model, self._model.document
        edits = self._poses() + self._canonical_link()
        for row in sorted(self._rows):
            if model.kinds[row] is Kind.FRAME:
                carrier = self._carrier(row)
                if carrier is None:
                    body = int(model.bodies[row])
                    moves = f"moves with '{model.names[body]}'" if body >= 0 else "is not attached to anything"
                    raise RefactoringError(f"'{model.names[row]}' {moves}, which cannot be referenced from there")
                edits += set_attribute(document, model.elements[row], "attached_to", carrier)
        inside, parts = self._inside, {each for group in self.states.values() for each in group}
        source, lost = self._path(self.source), []
        for reference, child, target in self._references:
            along = child in self._moving
            if reference.plugin or target is None or (target not in inside and not along):
                continue
            if reference.element in parts:
                continue
            if along and self._is_done(reference, inside):
                continue
            scope = self._path(reference.scope) if reference.scope != self.source else self.place if along else source
            name = self.name(scope, target)
            if name is None or (name == "__model__" and along and reference.attribute != "relative_to"):
                lost.append(reference)
                continue
            if reference.name.endswith("::__model__") and name != "__model__":
                name += "::__model__"
            edits += reference.write(document, name)
        if lost:
            names = ", ".join(dict.fromkeys(f"'{model.names[each.row]}'" for each in lost))
            raise RefactoringError(f"{names} could no longer refer to '{lost[0].name}'; re-target it first")
        return edits + self._in_plugins()

    @cached_property
    def states(self) -> dict[Element, list[Element]]:
        """The parts of states that are about members which go into a new model, by what each of them is in.

        Their names lead to members only, so that they get a part around them, too.
        """
        document, inside = self._model.document, self._inside
        found: dict[Element, list[Element]] = {}
        for reference, _, target in self._references if self._new is not None else ():
            if target in inside and reference.scope == self.source and is_state_part(reference):
                parent = document.parent(reference.element)
                assert parent is not None
                found.setdefault(parent, []).append(reference.element)
        return found

    def state_pose(self, around: Element) -> Element | None:
        """Return the pose that a part of a state gives to the new model: that of its link or of the model around."""
        passed = None if self.passed is None else self._model.local_names[self.passed]
        link = next((each for each in self.states[around] if passed and each.word("name") == passed), around)
        return link.find("pose")

    def _is_done(self, reference: Reference, inside: set[int]) -> bool:
        """Return whether a reference of what moves is written with its pose, or with what it is attached to."""
        element = self._model.elements[reference.row]
        is_pose = reference.row in inside and reference.element is element.find("pose")
        return is_pose or (reference.row in self._rows and element.tag == "frame" and reference.part == "@attached_to")

    def _in_plugins(self) -> Replacements:
        def name_after(scope: int, plugin: Element, row: int) -> str | None:
            moves = scope == self.source and self._child_around(plugin) in self._moving
            return self.name(self.place if moves else self._path(scope), row)

        model = self._model
        found = plugin_edits(model, name_after, self.scoped_name)
        return tuple(edit for _, _, edits in found for edit in edits)

    def _canonical_link(self) -> Replacements:
        """Return the edit that names the canonical link of the source where its first link would be another one."""
        model, element = self._model, self._model.elements[self.source]
        link = model.canonical_links.get(self.source)
        if link is None or link not in self._inside or element.word("canonical_link"):
            return ()
        first = next((each for each in element.children if each.tag in ("link", "model", "include")), None)
        links = [each for each in element.children if each.tag == "link" and each not in self._moving]
        if self._new is not None and not links and first in self._moving:
            return ()  # the new model is the first one, and its first link counts
        name = self.name(self._path(self.source), link)
        if name is None:
            raise RefactoringError(f"'{model.names[link]}' is the canonical link of '{model.names[self.source]}'")
        if model.version < FRAME_SEMANTICS:
            since = format_version(FRAME_SEMANTICS)
            raise RefactoringError(f"the canonical link can be named since SDFormat {since}; raise the version first")
        return set_attribute(model.document, element, "canonical_link", name)

    def about(self) -> Iterator[Announced]:
        """Yield what is said about plugins that are on another model then."""
        model = self._model
        for element in self.elements:
            if element.tag == "plugin":
                name = element.word("name") or element.word("filename")
                where = f"'{self.place[-1]}'" if self.place else "the world"
                sentence = note(
                    model.document, element, f"plugin '{name}' is on {where} now; check that it still works"
                )
                topic = Topic(Aspect.PLUGIN, rf"plugin {re.escape(name)}( .*)?")
                for row in (self.source, *([] if self._new is not None else [self._owner])):
                    yield Announced(model.names[row], sentence, (topic,))


#: Returns how a row is called afterwards by a plugin that looks it up in a model or world; None where it cannot.
NameAfter = Callable[[int, Element, int], "str | None"]


def plugin_edits(
    model: Model, name_after: NameAfter, scoped_after: Callable[[int], str]
) -> Iterator[tuple[int, Element, Replacements]]:
    """Yield each plugin with the row of the model or world it is in, and the edit of the names in it.

    Parameters
    ----------
    name_after
        Returns a new name from the row of a scope, the plugin, and the row that is named.
    scoped_after
        Returns the new name of a row from the root of the file.
    """
    for scope, plugin in walk(model, "plugin"):
        edits: Replacements = ()
        for parameter in plugin.descendants():
            text = parameter.text.strip()
            if not text:
                continue
            name = _renamed(model, scope, plugin, parameter.tag, text, name_after, scoped_after)
            if name is not None and name != text:
                edits += set_text(model.document, parameter, name)
        yield scope, plugin, edits


def _renamed(
    model: Model,
    scope: int,
    plugin: Element,
    tag: str,
    text: str,
    name_after: NameAfter,
    scoped_after: Callable[[int], str],
) -> str | None:
    """Return the new text of a parameter; a path may begin in the plugin's own model or in anything around it."""
    if "::" not in text:
        row = model.find(scope, text)
        if (
            row is None
            or row == scope
            or model.kinds[row] not in named_kinds(plugin.attributes.get("filename", ""), tag)
        ):
            return None
        return name_after(scope, plugin, row)
    while scope != ROOT:
        row = model.find(scope, text)
        if row is not None:
            return name_after(scope, plugin, row)
        scope = int(model.owners[scope])
    row = model.rows_by_name.get(text)  # from the root of a model file, its own name first
    return None if row is None else scoped_after(row)
