"""Short texts over a 3D view, clear of the tools and of each other: notes that a click closes, and a colour key."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QEvent, QObject, QRect, QRectF, Qt, Signal
from PySide6.QtGui import (
    QAction,
    QColor,
    QKeySequence,
    QLinearGradient,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QShowEvent,
)
from PySide6.QtWidgets import QLabel, QWidget

from sdfviewer.display_text import visible
from sdfviewer.formats.registry import can_edit_structure
from sdfviewer.gui.context.settings import Settings
from sdfviewer.gui.kit.commands import REMOVE_SECTION, SHOW_ALL, tooltip
from sdfviewer.gui.kit.fields import LENGTH, from_radians
from sdfviewer.gui.kit.safe_text import markup, set_rich_text
from sdfviewer.gui.kit.theme import tokens
from sdfviewer.gui.view3d.tools.tool_strip import MARGIN, ShapePalette, ToolStrip
from sdfviewer.model.kinds import Kind
from sdfviewer.model.kinematics.conventions import TOLERANCE
from sdfviewer.model.model import Model
from sdfviewer.number_text import format_shown
from sdfviewer.palette import difference_ramp
from sdfviewer.scene.tools.section import Section
from sdfviewer.scene.view_cube import cube_rectangle

_MARGIN, _SIDE, _RAMP_HEIGHT = 8, 8, 10
_LEAST_RAMP, _MOST_RAMP = 40, 96
"""Widths of the ramp: in a narrow view the words need the room."""
_SHARE = 1 / 3
"""The part of the width of a view beyond which it is shortened: names of frames are pushed away from below it."""
_DIGITS = 3
EQUAL = "equal"


class ColourKey(QWidget):
    """The ramp from what is in one place to what is farthest apart, in metres or as an angle.

    Attributes
    ----------
    text
        The text at the end of the ramp, in a narrow view without its last word.
    """

    def __init__(self, canvas: QWidget, settings: Settings) -> None:
        super().__init__(canvas)
        self.setObjectName("colour_key")
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._canvas, self._settings = canvas, settings
        self.text = self._shown = self._short = ""
        self._ramp_width = _MOST_RAMP
        canvas.installEventFilter(self)
        self.hide()

    def show_largest(self, metres: float, radians: float) -> None:
        """Show the ramp up to the largest distance and the largest rotation, each in its unit; two zeros hide it.

        The ramp is for both: a frame has the colour of its distance or of its rotation, whichever is farther along it.
        """
        largest = [
            (metres, LENGTH),
            (from_radians(radians, self._settings.angle_unit), self._settings.angle_unit.value),
        ]
        parts = [f"{format_shown(size, _DIGITS)} {unit}" for size, unit in largest if size > TOLERANCE]
        self.setVisible(bool(parts))
        short = " or ".join(parts)
        text = f"{short} apart"
        if parts and text != self.text:
            self.text, self._short = text, short
            self.setAccessibleName(f"Colours: from equal to {text}")
            self._place()
            self.update()

    def _place(self) -> None:
        metrics = self.fontMetrics()
        room, around = self._canvas.width() * _SHARE, 4 * _SIDE + metrics.horizontalAdvance(EQUAL)
        is_wide = around + metrics.horizontalAdvance(self.text) + _MOST_RAMP <= room
        self._shown = self.text if is_wide else self._short
        words = around + metrics.horizontalAdvance(self._shown)
        self._ramp_width = min(max(round(room) - words, _LEAST_RAMP), _MOST_RAMP)
        width = words + self._ramp_width
        height = metrics.height() + _SIDE
        self.setGeometry(
            self._canvas.width() - width - _MARGIN, self._canvas.height() - height - _MARGIN, width, height
        )

    def paintEvent(self, event: QPaintEvent) -> None:
        colours = tokens(self._canvas.palette())
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QPen(QColor(colours.border_strong), 1))
            painter.setBrush(QColor(colours.raised))
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 4, 4)
            equal = self.fontMetrics().horizontalAdvance(EQUAL)
            middle = Qt.AlignmentFlag.AlignVCenter
            painter.setPen(QColor(colours.text))
            painter.drawText(QRectF(_SIDE, 0, equal, self.height()), middle, EQUAL)
            ramp = QRectF(2 * _SIDE + equal, (self.height() - _RAMP_HEIGHT) / 2, self._ramp_width, _RAMP_HEIGHT)
            painter.drawText(QRectF(ramp.right() + _SIDE, 0, self.width(), self.height()), middle, self._shown)
            gradient = QLinearGradient(ramp.topLeft(), ramp.topRight())
            stops = difference_ramp(colours.dark)
            for number, colour in enumerate(stops):
                gradient.setColorAt(number / (len(stops) - 1), QColor(colour))
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(gradient)
            painter.drawRoundedRect(ramp, 2, 2)

    def eventFilter(self, watched: object, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize:
            self._place()
        elif event.type() == QEvent.Type.PaletteChange:
            self.update()
        return False


_PADDING = (22, 8)
"""Logical pixels that the style sheet adds to the width and the height of the text."""
_LEAST_WIDTH, _LEAST_OF_TITLE, _LEAST_SHORT = 240, 120, 64
"""Logical pixels between the tools and the view cube for a text, a title of two words, and a short title."""
_MOST_DOWN = 0.25
"""The part of the height of a view from above that a text may reach into."""
_MOVES = (QEvent.Type.Resize, QEvent.Type.Move, QEvent.Type.Show, QEvent.Type.Hide)


class TopLabel(QLabel):
    """A text right of the tools and below the shapes and the labels made before; in a narrow view it takes two lines.

    Parameters
    ----------
    text
        What it says first.
    canvas
        The view.
    token
        The name of its colour among the `Tokens`.
    bold
        Whether it is a title.
    yields
        Whether it is at the lower edge of a view so low that it would cover the middle of what is shown.
    short
        What it says instead where that, but not all, has room beside the view cube.

    Attributes
    ----------
    full_text
        What it says, as plain text.
    """

    def __init__(
        self, text: str, canvas: QWidget, token: str, *, bold: bool = False, yields: bool = False, short: str = ""
    ) -> None:
        super().__init__(text, canvas, wordWrap=True, alignment=Qt.AlignmentFlag.AlignCenter)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._canvas, self._token, self._bold, self._yields = canvas, token, bold, yields
        self.full_text, self._shown, self._link, self._short = text, text, "", short
        direct = Qt.FindChildOption.FindDirectChildrenOnly
        self._earlier = [each for each in canvas.findChildren(TopLabel, options=direct) if each is not self]
        canvas.installEventFilter(self)
        for each in self._earlier:
            each.installEventFilter(self)
        self.hide()
        self._paint()

    def say(self, text: str, link: str = "", *, short: str = "") -> None:
        """Show another text, and words behind it that look as if they can be clicked; an empty one hides the label."""
        self.full_text, self._link, self._short = " ".join(filter(None, (text, link))), link, short
        self._shown = self.full_text
        self._show_text()
        self.setVisible(bool(text))
        self.place()

    def _fitted(self, text: str, width: int) -> str:
        """Return a text with words that are broader than a line shortened in the middle."""
        metrics, middle = self.fontMetrics(), Qt.TextElideMode.ElideMiddle
        return " ".join(metrics.elidedText(word, middle, width) for word in text.split(" "))

    def _text_for(self, room: int) -> str:
        """Return the text in some width: the short text where some of its letters have room, and not the whole one."""
        whole, short = (
            self.fontMetrics().horizontalAdvance(text) + _PADDING[0] for text in (self.full_text, self._short)
        )
        return self._short if self._short and min(short, _LEAST_SHORT) <= room < whole else self.full_text

    def _show_text(self) -> None:
        if not self._link:
            self.setText(self._shown)
            return
        tone = tokens(self._canvas.palette()).link
        linked = markup(
            '<span style="color: {tone}; text-decoration: underline">{link}</span>', tone=tone, link=self._link
        )
        set_rich_text(self, markup("{text}{linked}", text=self._shown.removesuffix(self._link), linked=linked))

    def place(self) -> None:
        """Take the free room."""
        direct = Qt.FindChildOption.FindDirectChildrenOnly
        strip = self._canvas.findChild(ToolStrip, options=direct)
        shapes = self._canvas.findChild(ShapePalette, options=direct)
        for each in (strip, shapes):
            if each is not None:
                each.installEventFilter(self)  # once, however often it is called
        left = strip.geometry().right() + MARGIN if strip is not None and not strip.isHidden() else MARGIN
        right = self._canvas.width() - MARGIN
        self.ensurePolished()
        cube, cube_top, cube_side = cube_rectangle(self._canvas.width())
        beside = round(cube) - MARGIN
        # Beside the view cube, unless that leaves too little room, or less than a word needs.
        text = self._text_for(beside - left)
        broadest = max(map(self.fontMetrics().horizontalAdvance, text.split(" "))) + _PADDING[0]
        least = _LEAST_OF_TITLE if self._bold else _LEAST_WIDTH
        is_short = text != self.full_text
        right = beside if is_short or beside - left >= max(least, min(broadest, right - left)) else right
        self._fit(text, right - left)
        x = max(min((self._canvas.width() - self.width()) // 2, right - self.width()), left)
        y = MARGIN if x + self.width() <= beside else round(cube_top + cube_side) + MARGIN
        for above in (shapes, *self._earlier):
            if above is not None and not above.isHidden() and above.geometry().right() >= x:
                y = max(y, above.geometry().bottom() + MARGIN)
        if self._yields and y + self.height() > _MOST_DOWN * self._canvas.height():
            self._place_below(left)
        else:
            self.move(x, y)

    def _fit(self, text: str, room: int) -> None:
        """Take the size that a text needs in some width."""
        room = max(room, 1)
        shown = self._fitted(text, room - _PADDING[0])
        if shown != self._shown:
            self._shown = shown
            self._show_text()
        lines = self.fontMetrics().boundingRect(
            QRect(0, 0, room - _PADDING[0], 1000), int(Qt.TextFlag.TextWordWrap), shown
        )
        self.setFixedSize(lines.width() + _PADDING[0], lines.height() + _PADDING[1])

    def _place_below(self, left: int) -> None:
        """Take the lower right corner, where there is hardly more than the ground; the left one names what is hovered.

        Parameters
        ----------
        left
            The first free column beside the tools.
        """
        self._fit(self.full_text, self._canvas.width() - MARGIN - left)
        y = self._canvas.height() - MARGIN - self.height()
        key = self._canvas.findChild(ColourKey, options=Qt.FindChildOption.FindDirectChildrenOnly)
        for below in (key, *self._earlier):
            if below is not None and not below.isHidden() and below.y() > self._canvas.height() // 2:
                y = min(y, below.y() - MARGIN - self.height())
        self.move(max(self._canvas.width() - MARGIN - self.width(), left), y)

    def _paint(self) -> None:
        colours = tokens(self._canvas.palette())
        self.setStyleSheet(
            f"background: {colours.raised}; color: {getattr(colours, self._token)};"
            f"border: 1px solid {colours.border_strong}; border-radius: 4px; padding: 2px 8px;"
            + ("font-weight: 600;" if self._bold else "")
        )
        if self._link:
            self._show_text()
        self.place()

    def showEvent(self, event: QShowEvent) -> None:
        self.place()
        super().showEvent(event)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in _MOVES:
            if not self.isHidden():  # else it is placed when it is shown
                self.place()
        elif event.type() == QEvent.Type.PaletteChange and watched is self._canvas:
            self._paint()
        return False


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
