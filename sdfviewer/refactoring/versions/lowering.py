"""The conversion to an older version of SDFormat: notes, obstacles, and poses and references; nothing moves.

Before 1.9 angles are in radians, before 1.8 only what is in the same model can be named, and there is no placement
frame. What a pose is relative to and cannot be named any more gives way to the frame of the model. Before 1.7 nothing
is named: every pose is measured from its default, and a ``<frame>`` is left out, which is a loss.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from sdfviewer import transforms
from sdfviewer.document.document import Document
from sdfviewer.document.edits import (
    Replacements,
    element_source,
    insert_child,
    prepend_child,
    remove_element,
    set_attribute,
)
from sdfviewer.document.element import Element
from sdfviewer.document.topics import Announced, Topic
from sdfviewer.formats.writing import write_pose_text
from sdfviewer.model.comparison.difference import row_and_path, topics_of
from sdfviewer.model.kinds import Kind
from sdfviewer.model.model import Model
from sdfviewer.model.targets import would_close
from sdfviewer.model.values import IDENTITY, format_pose, parse_numbers, read_pose
from sdfviewer.refactoring.draft import Draft
from sdfviewer.refactoring.editable import RefactoringError
from sdfviewer.refactoring.pose_notation import (
    Notation,
    convert,
    nearest,
    notation_of,
    numbers_of,
    written_numbers,
)
from sdfviewer.transforms import Array
from sdfviewer.versions import FRAME_SEMANTICS, ROTATION_FORMAT, SCOPED_REFERENCES, Version, format_version

#: Maximum number of reported reasons why a file cannot be lowered.
_MOST_TOLD = 5


class Lowering:
    """A file that becomes one of an older version, part by part.

    Parameters
    ----------
    draft
        The file.
    target
        The older version.
    load
        Says what the text means after each part.
    allow_loss
        Whether motion that the older version cannot express may be left out.

    Attributes
    ----------
    model
        What the present text means.
    losses, remarks
        What is left out, and what else is to be said, in sentences with their place.
    renamed
        Old and new scoped names.
    about
        What losses and remarks are about, and what may differ there.
    """

    def __init__(
        self, draft: Draft, target: Version, load: Callable[[Document], Model], *, allow_loss: bool = False
    ) -> None:
        self.draft = draft
        self.target = target
        self.allow_loss = allow_loss
        self._load = load
        self.model = load(draft.document)
        self.losses: list[str] = []
        self.remarks: list[str] = []
        self.renamed: list[tuple[str, str]] = []
        self.about: list[Announced] = []
        self._obstacles: list[str] = []

    @property
    def document(self) -> Document:
        """The present text."""
        return self.draft.document

    @property
    def version(self) -> str:
        """The older version as it is written."""
        return format_version(self.target)

    def lose(self, element: Element, message: str, attribute: str = "") -> None:
        """Note that an element is left out, or an attribute of it."""
        self.losses.append(self.draft.note(element, message))
        self._announce(element, attribute, self.losses[-1])

    def remark(self, element: Element, message: str, attribute: str = "", *more: Topic) -> None:
        """Note that an element or an attribute of it is written otherwise, and what else may differ of its row."""
        self.remarks.append(self.draft.note(element, message))
        self._announce(element, attribute, self.remarks[-1], *more)

    def _announce(self, element: Element, attribute: str, sentence: str, *more: Topic) -> None:
        row, path = row_and_path(self.model, element)
        if row >= 0:
            path += (f"@{attribute}",) if attribute else ()
            self.about.append(
                Announced(self.model.names[row], sentence, (*topics_of(self.model.kinds[row], path), *more))
            )

    def refuse(self, element: Element, message: str) -> None:
        """Say what keeps the file from being lowered: frames or joints hang on it."""
        self._obstacles.append(self.draft.note(element, message))

    def make(self, *parts: Callable[[Lowering], Replacements]) -> None:
        """Make the edits of some parts, which do not touch the same elements.

        Raises
        ------
        RefactoringError
            If one of them has refused the file, with the reasons.
        """
        edits: Replacements = ()
        for part in parts:
            edits += part(self)
        if self._obstacles:
            more = len(self._obstacles) - _MOST_TOLD
            shown = [*self._obstacles[:_MOST_TOLD], *([f"and {more} more"] if more > 0 else [])]
            raise RefactoringError(*shown)
        if edits:
            self.draft.edit(edits)
            self.model = self._load(self.draft.document)

    def name_in(self, scope: int, row: int) -> str | None:
        """Return how the members of a model or world can call a row in the older version, None where they cannot.

        Until 1.7 there were no paths with ``::``, and a model in a model had no frame that could be named.
        """
        model = self.model
        if self.target < SCOPED_REFERENCES and row != scope:
            is_hidden = model.kinds[row] is Kind.MODEL and model.kinds[scope] is not Kind.WORLD
            if int(model.owners[row]) != scope or is_hidden:
                return None
        return model.name_in(scope, row)


def lower_frames(lowering: Lowering) -> Replacements:
    """Return the edit of all poses and of all references but those of joints."""
    return _FrameLowering(lowering).edits()


def leave_frames_out(lowering: Lowering) -> Replacements:
    """Return the edit that takes out the frames when nothing is measured from them any more."""
    model, document = lowering.model, lowering.document
    edits: Replacements = ()
    for row, element in enumerate(model.elements):
        if model.sources[row] is not None or model.rows_by_element.get(id(element)) != row:
            continue
        if model.kinds[row] is Kind.FRAME and element.tag == "frame":
            lowering.lose(element, f"frame '{model.names[row]}' is new in SDFormat 1.7; left out")
            edits += remove_element(document, element)
    return edits


def models_with_canonical_links(model: Model) -> list[str]:
    """Return the scoped names of the models in the file that name their canonical link."""
    return [
        model.names[row]
        for row, element in enumerate(model.elements)
        if element.tag == "model" and element.attributes.get("canonical_link") and model.sources[row] is None
        if model.kinds[row] is Kind.MODEL and row in model.canonical_links
    ]


def write_canonical_link_first(name: str, lowering: Lowering) -> Replacements:
    """Return the edit that moves the canonical link of a model before its other links, the first of which is it."""
    model, document = lowering.model, lowering.document
    row = model.rows_by_name[name]
    element = model.elements[row]
    link, written = model.canonical_links[row], element.attributes["canonical_link"]
    edits = set_attribute(document, element, "canonical_link", None)
    links = [each for each in element.children if each.tag == "link"]
    if int(model.owners[link]) == row:
        first = model.elements[link]
        if links[0] is not first:
            edits += remove_element(document, first)
            edits += insert_child(document, element, element_source(document, first), links[0])
    elif links or link != _first_nested(model, row):
        why = f"and in SDFormat {lowering.version} it is the first link; flatten the file first"
        lowering.refuse(element, f"the canonical link of '{model.names[row]}' is '{written}', {why}")
    return edits


def _first_nested(model: Model, row: int) -> int | None:
    """Return the canonical link of a model without links of its own."""
    return next(
        (
            model.canonical_links[each]
            for each in range(row + 1, len(model))
            if int(model.owners[each]) == row and model.kinds[each] is Kind.MODEL and each in model.canonical_links
        ),
        None,
    )


class _FrameLowering:
    def __init__(self, lowering: Lowering) -> None:
        self._lowering = lowering
        self._model = lowering.model
        self._document = lowering.document
        #: New raw pose and ``relative_to`` of rows, the pose None where it stays.
        self._poses: dict[int, tuple[Array | None, str | None]] = {}

    def edits(self) -> Replacements:
        """Return the edit."""
        edits: Replacements = ()
        if self._lowering.target < SCOPED_REFERENCES:
            for row, element in enumerate(self._model.elements):
                if self._model.sources[row] is None and self._model.rows_by_element.get(id(element)) == row:
                    names_frames = self._lowering.target >= FRAME_SEMANTICS
                    edits += self._references(row, element) if names_frames else self._by_default(row, element)
        root = self._document.root
        stack = [root] if root is not None else []
        while stack:
            element = stack.pop()
            if element.tag != "plugin" and ":" not in element.tag:
                edits += self._pose(element)
                stack.extend(element.children)
        return edits

    # --- what is named -----------------------------------------------------------------------------------------

    def _references(self, row: int, element: Element) -> Replacements:
        """Return the edit of what a row names, and note its new pose where that is measured from elsewhere."""
        model = self._model
        kind, scope = model.kinds[row], int(model.scopes[row])
        edits: Replacements = ()
        if kind is Kind.MODEL:
            edits += self._placement(row, element) + self._canonical_link(row, element)
        name = model.relative_to_written[row]
        if kind is Kind.JOINT and name is None:
            self._follow_child(row, model.joints_by_row[row].child)
        is_lost = name is not None and model.relative_to[row] >= 0
        is_lost = is_lost and self._lowering.name_in(scope, int(model.relative_to[row])) is None
        if kind is Kind.FRAME and element.attributes.get("attached_to") and model.attached_to[row] >= 0:
            attached = int(model.attached_to[row])
            if self._lowering.name_in(scope, attached) is None:
                edits += self._attached_to(row, element)
                is_lost = is_lost or name is None
        if is_lost:
            # The enclosing frame depends on nothing inside it, so that no cycle is possible.
            target = int(model.owners[row]) if not kind.is_vertex else scope
            by_default = kind is not Kind.JOINT and kind is not Kind.FRAME
            self._measure(row, target, None if by_default else self._lowering.name_in(scope, target))
        return edits

    def _by_default(self, row: int, element: Element) -> Replacements:
        """Return the edit of what a row names where nothing can be named, and note its pose from its default frame."""
        model = self._model
        kind, name = model.kinds[row], model.relative_to_written[row]
        edits: Replacements = ()
        if kind is Kind.FRAME:
            return edits  # it goes when nothing is measured from it any more
        if kind is Kind.MODEL:
            edits = self._placement(row, element)
        if row == 0 or (name is None and row not in self._poses and kind is not Kind.JOINT):
            return edits
        default = int(model.scopes[row]) if kind.is_vertex else int(model.owners[row])
        if kind is Kind.JOINT:
            child = model.joints_by_row[row].child
            default = int(model.bodies[child]) if child >= 0 else child
            if default < 0 or (name is None and default == child):
                return edits  # as it is measured anyway, or what its child is will be refused
        if default == int(model.relative_to[row]) and row not in self._poses:
            self._poses[row] = None, None
        else:
            self._measure(row, default, None)
        return edits

    def _follow_child(self, row: int, child: int) -> None:
        """Measure a joint from its child link where it was measured from a frame that can no longer be its child."""
        model = self._model
        if child < 0 or model.kinds[child] is Kind.LINK or int(model.bodies[child]) < 0:
            return
        link, scope = int(model.bodies[child]), int(model.scopes[row])
        if would_close(model, row, link):
            self._measure(row, scope, self._lowering.name_in(scope, scope))
        else:
            self._measure(row, link, None)

    def _measure(self, row: int, target: int, name: str | None) -> None:
        """Measure a row from another frame and keep it where it is."""
        X = transforms.invert(self._model.X_RootF[target]) @ self._model.X_RootF[row]
        if np.isfinite(X).all():
            self._poses[row] = X, name
        else:
            self._lowering.refuse(self._model.elements[row], f"the pose of '{self._model.names[row]}' is undefined")

    def _attached_to(self, row: int, element: Element) -> Replacements:
        """Return the edit that attaches a frame to something of the same body that can be named."""
        model, scope = self._model, int(self._model.scopes[row])
        body = int(model.bodies[row])
        for other in [scope, *range(scope + 1, len(model))]:
            name = self._lowering.name_in(scope, other) if model.kinds[other].is_vertex else None
            if name is None or int(model.bodies[other]) != body or body < 0:
                continue
            if model.kinds[other] in (Kind.MODEL, Kind.WORLD, Kind.LINK):
                return set_attribute(self._document, element, "attached_to", name)
        written = element.attributes["attached_to"]
        self._lowering.refuse(
            element,
            f"frame '{model.names[row]}' is attached to '{written}', to which SDFormat {self._lowering.version} "
            "cannot refer; flatten the file first",
        )
        return ()

    def _canonical_link(self, row: int, element: Element) -> Replacements:
        """Return the edit that leaves a canonical link to the default where it cannot be named."""
        model = self._model
        link = model.canonical_links.get(row)
        written = element.attributes.get("canonical_link")
        if not written or link is None or int(model.owners[link]) == row:
            return ()
        links = [each for each in range(row + 1, len(model)) if model.kinds[each] is Kind.LINK]
        own = next((each for each in links if int(model.owners[each]) == row), None)
        if link == (_first_nested(model, row) if own is None else own):
            return set_attribute(self._document, element, "canonical_link", None)
        self._lowering.refuse(
            element,
            f"the canonical link '{written}' of '{model.names[row]}' is in a nested model, to which SDFormat "
            f"{self._lowering.version} cannot refer; flatten the file first",
        )
        return ()

    def _placement(self, row: int, element: Element) -> Replacements:
        """Return the edit that writes where a model itself is instead of its placement frame."""
        model, document = self._model, self._document
        if row not in model.scope.placement_frames:
            return ()
        name = model.relative_to_written[row]
        self._poses[row] = model.raw_poses[row], name
        if element.tag != "include":
            return set_attribute(document, element, "placement_frame", None)
        written = element.find("placement_frame")
        if written is None:  # the included file says so itself, and goes on saying so
            del self._poses[row]
            return ()
        return remove_element(document, written)

    # --- numbers -----------------------------------------------------------------------------------------------

    def _pose(self, element: Element) -> Replacements:
        """Return the edit of an element's ``<pose>``."""
        model, document = self._model, self._document
        row = model.rows_by_element.get(id(element))
        pose = read_pose(element, model.version)
        own = notation_of(pose)
        new = Notation.RADIANS if self._lowering.target < ROTATION_FORMAT else own
        X, name = self._poses.get(row, (None, None)) if row is not None else (None, None)
        if pose.element is None:
            return () if X is None else _new_pose(self._lowering, element, X, name)
        edits: Replacements = ()
        gone: tuple[str, ...] = ("degrees", "rotation_format") if self._lowering.target < ROTATION_FORMAT else ()
        if row in self._poses:
            gone += ("frame", "relative_to") if self._lowering.target < FRAME_SEMANTICS else ()
        for attribute in gone:
            edits += set_attribute(document, pose.element, attribute, None)
        numbers = parse_numbers(pose.element.text)
        if X is not None and row is not None:
            values = numbers_of(X, new)
            if "relative_to" not in gone:
                edits += set_attribute(document, pose.element, "relative_to", name)
            if row not in model.scope.placement_frames:
                values = nearest(values, written_numbers(model, row, new), new)
            edits += write_pose_text(document, pose, values)
        elif own is not new and numbers is not None and len(numbers) == own.size:
            edits += write_pose_text(document, pose, convert(numbers, own, new))
        return edits


def _new_pose(lowering: Lowering, element: Element, X: Array, name: str | None) -> Replacements:
    numbers = numbers_of(X, Notation.RADIANS)
    if name is None and tuple(numbers) == IDENTITY:
        return ()
    return prepend_child(lowering.document, element, format_pose(numbers, name))
