"""Notes at the top of a 3D view that not everything, or nothing, is shown; a click on a note changes that."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction, QKeySequence, QMouseEvent
from PySide6.QtWidgets import QWidget

from sdfviewer.display_text import visible
from sdfviewer.formats.registry import can_edit_structure
from sdfviewer.gui.kit.commands import REMOVE_SECTION, SHOW_ALL, tooltip
from sdfviewer.gui.view3d.overlays.top_label import TopLabel
from sdfviewer.model.kinds import Kind
from sdfviewer.model.model import Model
from sdfviewer.scene.tools.section import Section


class ClosableNote(TopLabel):
    """A text that says what a click on it does.

    Parameters
    ----------
    canvas
        The view.
    name
        Its object name.
    tip
        What a click does.
    """

    #: The note was clicked.
    closed = Signal()

    def __init__(self, canvas: QWidget, name: str, tip: str) -> None:
        super().__init__("", canvas, "text", yields=True)
        self.setObjectName(name)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents, on=False)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setToolTip(tip)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        event.accept()  # the view below begins no drag

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton and self.rect().contains(event.position().toPoint()):
            self.closed.emit()


class IsolationNote(ClosableNote):
    """Says at the top of a view what is isolated."""

    def __init__(self, canvas: QWidget) -> None:
        super().__init__(canvas, "isolation_note", tooltip("Show everything again", SHOW_ALL.keys))

    def show_isolated(self, names: Sequence[str]) -> None:
        """Say which things, by their names below the root, are isolated; none hides the note."""
        if len(names) == 1:
            self.say(f"Only {visible(names[0])} is shown.", "Show All")
        else:
            self.say(f"Only the {len(names)} isolated things are shown." if names else "", "Show All" if names else "")


class FarNote(ClosableNote):
    """Says at the top of a view what is so far away that the camera leaves it out, until it was clicked."""

    def __init__(self, canvas: QWidget) -> None:
        super().__init__(canvas, "far_note", "Move the camera away until everything is in the picture")
        self._names: Sequence[str] = ()
        self.closed.connect(self.hide)

    def show_far(self, names: Sequence[str]) -> None:
        """Say which things, by their names below the root, are left out; none hides the note."""
        if names == self._names:
            return
        self._names = names
        if len(names) == 1:
            self.say(f"{visible(names[0])} is too far away for the picture.", "Show All")
        else:
            self.say(
                f"{len(names)} things are too far away for the picture." if names else "", "Show All" if names else ""
            )


class SectionNote(ClosableNote):
    """Says at the top of a view what is cut, with a cross to remove the section plane."""

    def __init__(self, canvas: QWidget) -> None:
        super().__init__(
            canvas, "section_note", tooltip("Remove the section plane and show the model whole", REMOVE_SECTION.keys)
        )

    def show_section(self, section: Section | None, root: str) -> None:
        """Say what the section of a model with a root frame cuts; None hides the note."""
        self.say("" if section is None else f"{describe_section(section, root)}   ✕")


def describe_section(section: Section, root: str) -> str:
    """Return in words how a section cuts: across an axis of the root, in the x-y plane of a frame, or along a face."""
    axes = [axis for axis, part in zip("xyz", section.normal, strict=True) if abs(part) == 1.0]
    if axes and section.frame == root:
        return f"Section across {axes[0]}"
    name = visible(section.frame.rpartition("::")[2])
    return f"Section in x-y of {name}" if axes == ["z"] and section.offset == 0.0 else f"Section on {name}"


class EmptyNote(ClosableNote):
    """Says where there is nothing to see how to begin."""

    def __init__(self, canvas: QWidget) -> None:
        super().__init__(canvas, "empty_note", "Open a form")
        self._actions: dict[Kind, QAction] = {}
        self._kind = Kind.MODEL

    def set_actions(self, actions: Mapping[str, QAction]) -> None:
        """Begin a model with a link, and a world with a model."""
        self._actions = {Kind.MODEL: actions["edit.add_link"], Kind.WORLD: actions["edit.add_include"]}
        self.closed.connect(self._begin)

    def _begin(self) -> None:
        self._actions[self._kind].trigger()

    def show_for(self, model: Model | None) -> None:
        """Follow another model: with more than one link in it the note is hidden."""
        is_empty = model is not None and _is_empty(model)
        self._kind = model.kinds[0] if model is not None else Kind.MODEL
        action = self._actions.get(self._kind)
        if not is_empty or action is None:
            self.say("")
            return
        what = "Include a Model" if self._kind is Kind.WORLD else "Add a Link"
        keys = action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
        self.say(f"This {self._kind} has no shapes yet.", f"{what} ({keys})" if keys else what)


def _is_empty(model: Model) -> bool:
    """Return whether a model that can be edited has nothing but perhaps its first link, and includes nothing."""
    kinds, root = list(model.kinds[1:3]), model.elements[0]
    return kinds in ([], [Kind.LINK]) and root.find("include") is None and can_edit_structure(model.document)
