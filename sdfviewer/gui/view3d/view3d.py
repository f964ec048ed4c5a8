"""The 3D view of one file: canvas, name under the pointer, context menu; or why there is no view."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from itertools import takewhile

import numpy as np
from OpenGL.error import Error as OpenGLError
from PySide6.QtCore import QEvent, QObject, QPoint, QPointF, Qt, Signal
from PySide6.QtGui import QAction, QGuiApplication, QKeySequence
from PySide6.QtWidgets import QLabel, QMenu, QStackedLayout, QVBoxLayout, QWidget

from sdfviewer.display_text import as_sentence, visible
from sdfviewer.document.text_rules import xml_syntax
from sdfviewer.faults import describe_fault
from sdfviewer.files.finder import Finder
from sdfviewer.formats.registry import writing_of
from sdfviewer.gui.context.document_context import DocumentContext
from sdfviewer.gui.context.settings import Settings
from sdfviewer.gui.kit.commands import FIT_ALL, FOCUS, HIDE, ISOLATE, SELECT_NONE, SHOW_ALL, SHOW_IN_SOURCE, add_command
from sdfviewer.gui.kit.icons import kind_icon
from sdfviewer.gui.kit.widgets import styled
from sdfviewer.gui.view3d.canvas import Canvas
from sdfviewer.gui.view3d.display import DisplayMenu
from sdfviewer.gui.view3d.notes import EmptyNote, FarNote, IsolationNote, SectionNote, TopLabel
from sdfviewer.gui.view3d.opengl import probe
from sdfviewer.gui.view3d.pointing import names_of_hits
from sdfviewer.gui.view3d.scene_feed import PreparedScene, SceneFeed
from sdfviewer.gui.view3d.side_by_side import SideBySide
from sdfviewer.gui.view3d.tools.tool_strip import MARGIN, SHAPES, ShapePalette, ToolStrip
from sdfviewer.model.graph import UNRESOLVED
from sdfviewer.model.model import Model
from sdfviewer.model.shapes import PRIMITIVES
from sdfviewer.refactoring.editable import why_edited_as_text
from sdfviewer.render.gl import RenderError
from sdfviewer.scene.marks import mass_of
from sdfviewer.scene.textures import MAX_EDGE, TEXTURES
from sdfviewer.scene.tools.picking import Hit
from sdfviewer.session.read_only import describe_absence, why_not_current
from sdfviewer.session.session import Session
from sdfviewer.session.session_change import SessionChange

ADVICE = (
    "Update the graphics driver, or start sdfviewer with LIBGL_ALWAYS_SOFTWARE=1 for software rendering. Everything "
    "except "
    "the 3D view works."
)


_EDGE = 8
"""Logical pixels between the edges of the view and what lies over it."""
_HINT_PADDING = 22
"""Logical pixels that the style sheet and rounding add to the width of the description of the frame under the mouse."""
_PLACED = (QEvent.Type.Move, QEvent.Type.Resize, QEvent.Type.Show, QEvent.Type.Hide)
_LEAST_NAME = 100
"""Logical pixels of a name that is shortened."""


class View3D(QWidget):
    """The central view of one file."""

    #: The renderer failed; the exception.
    failed = Signal(Exception)

    def __init__(
        self,
        context: DocumentContext,
        settings: Settings,
        finder: Finder,
        parent: QWidget | None = None,
        prepared: PreparedScene | None = None,
    ) -> None:
        super().__init__(parent)
        self.context = context
        self.canvas: Canvas | None = None
        self._wants_shapes = False
        self._is_empty = context.session.model is None
        self._message = QLabel(alignment=Qt.AlignmentFlag.AlignCenter, wordWrap=True)
        self._message.setContentsMargins(32, 32, 32, 32)
        self._pages = QStackedLayout(self)
        self._pages.addWidget(self._message)
        problem = probe().problem
        if problem:
            self.show_message(f"{problem}\n\n{ADVICE}")
            return
        if probe().is_software:
            TEXTURES.edge = MAX_EDGE // 2
        feed = SceneFeed(context, finder, self, prepared)
        self.canvas = Canvas(context, settings, feed)
        self.sides = SideBySide(self.canvas, feed, context, settings)
        self.strip = self.canvas.strip = ToolStrip(settings, self.canvas)
        self.strip.move(MARGIN, MARGIN)
        self.shapes = ShapePalette(self.canvas)
        self.shapes.chosen.connect(self.canvas.tools.drop.choose)
        # The tools take more columns where the view is low, which moves the shapes.
        self.canvas.installEventFilter(self)
        self.strip.installEventFilter(self)
        self.canvas.menu_requested.connect(self._open_menu)
        self.canvas.failed.connect(self._give_up)
        self.canvas.recovered.connect(lambda: self._pages.setCurrentWidget(self.sides))
        self._pages.addWidget(self.sides)
        self._pages.setCurrentWidget(self.sides)
        self.setFocusProxy(self.canvas)
        # In a strip without a layout: a label in a layout lays the whole window out, and so paints it, at each hover.
        self._foot = QWidget(self.canvas)
        self._foot.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._hint = styled(QLabel(self._foot), "overlay")
        self._hint.setObjectName("hover_name")
        self._hint.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._hint.hide()
        self._nothing = styled(QLabel(self.canvas, alignment=Qt.AlignmentFlag.AlignCenter, wordWrap=True), "absence")
        self._nothing.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._box = box = QVBoxLayout(self.canvas)
        box.setContentsMargins(_EDGE, _EDGE, _EDGE, _EDGE)
        self._add_notes(self.canvas)
        box.addStretch(1)
        box.addWidget(self._foot)
        context.highlights.hover_changed.connect(self._name)
        context.changed.connect(self._follow)
        self._foot.setFixedHeight(self._hint.sizeHint().height())
        self._show_emptiness()

    def _add_notes(self, canvas: Canvas) -> None:
        """Add what says at the top that something is not shown as the text has it."""
        session = self.context.session
        self._stale = TopLabel("", canvas, "warning", yields=True)
        self._stale.setObjectName("last_known")
        self.section_note = SectionNote(canvas)
        self.isolation_note = IsolationNote(canvas)
        self.empty_note = EmptyNote(canvas)
        self.far_note = FarNote(canvas)
        self.far_note.closed.connect(canvas.camera_control.fit_far)
        canvas.pictured.connect(self._show_what_is_far)
        self.isolation_note.closed.connect(lambda: session.set_visibility(session.visibility.show_all()))
        self._show_isolation()  # restored with the file
        notes = self._stale, self.section_note, self.isolation_note, self.empty_note, self.far_note
        canvas.lay_over(self.strip, self.shapes, *notes, self._hint)

    @property
    def hint(self) -> str:
        """The description of the frame under the mouse."""
        return self._hint.text()

    @property
    def staleness(self) -> str:
        """What the view says is older than the text."""
        return self._stale.full_text

    def set_actions(self, actions: Mapping[str, QAction]) -> None:
        """Show the actions of the tools as buttons, and choose them by keys."""
        if self.canvas is not None:
            self.strip.set_actions(actions)
            self.section_note.closed.connect(actions["section.off"].trigger)
            self.empty_note.set_actions(actions)
            self._show_how_to_begin()
            self.context.previews.edit_changed.connect(self._show_how_to_begin)
            keys = QKeySequence.SequenceFormat.NativeText
            self.canvas.cube.shortcuts = {
                id.removeprefix("camera."): action.shortcut().toString(keys)
                for id, action in actions.items()
                if id.startswith("camera.")
            }
            self.canvas.tools.requested.connect(lambda id: actions[id].trigger())

    def fit_again(self, *, at_once: bool = False) -> None:
        """Fit all that is shown into the view, unless the user has navigated, at its next picture or `at_once`."""
        if self.canvas is not None:
            self.canvas.camera_control.fit_again()
            if at_once and self.canvas.isVisible():
                self.canvas.camera_control.keep_in_sight()

    def keep_clear_of(self, notices: QWidget) -> None:
        """Keep names, and what the camera is fitted to, clear of the notices that float over the view."""
        if self.canvas is not None:
            self.canvas.notices = notices
            notices.installEventFilter(self)

    def set_switches(self, switches: dict[str, bool]) -> None:
        """Follow the switches of the window."""
        if self.canvas is not None:
            self.sides.set_switches(switches)
            self._wants_shapes = switches.get(SHAPES, False)
            self._show_editing()

    def _show_editing(self) -> None:
        """Offer what edits the model where it can be edited; while the text is broken, as before."""
        session = self.context.session
        document = session.document if session.model is None else session.model.document
        reason = why_edited_as_text(document)
        self.strip.refuse_edits("" if reason is None else reason.sentence)
        tags = None if session.model is None else writing_of(session.model, 0).shape_tags(session.model)
        self.shapes.offer(PRIMITIVES if tags is None else tags)
        self.shapes.setVisible(self._wants_shapes and reason is None)
        self._place_shapes()

    def _place_shapes(self) -> None:
        """Put the shapes beside the tools, in the width that these and the view cube leave."""
        assert self.canvas is not None
        left = self.strip.geometry().right() + MARGIN
        cube = self.canvas.cube.rectangle
        right = cube.left() if cube.isValid() else self.canvas.width()
        self.shapes.fit(right - left - MARGIN)
        self.shapes.move(left, MARGIN)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        canvas = self.canvas
        if canvas is not None and watched is canvas.notices:
            if event.type() in _PLACED and canvas.isVisible():
                self._place_hint()
                self._place_emptiness()
                canvas.tools.measure.place()
                for each in filter(None, (canvas, self.sides.second)):
                    each.update()  # names keep clear of them
        elif event.type() == QEvent.Type.Resize:
            self._place_shapes()
            self._place_emptiness()
        return super().eventFilter(watched, event)

    @cached_property
    def display_menu(self) -> DisplayMenu:
        """What is drawn, and how; no file has to wait for it."""
        menu = DisplayMenu(self)
        menu.changed.connect(self.sides.set_display)
        return menu

    def open_display_menu(self) -> None:
        """Open the menu of sizes and filters beside its button."""
        if self.canvas is not None:
            self.display_menu.show_models(self.context.session.model)
            button = self.strip.display_button
            self.display_menu.popup(button.mapToGlobal(button.rect().topRight()))

    def show_message(self, text: str) -> None:
        """Show a sentence instead of the view."""
        self._message.setText(text)
        self._pages.setCurrentWidget(self._message)

    def _give_up(self, error: Exception) -> None:
        """Show what failed until the next change; only OpenGL's own errors are the driver's."""
        what, where = describe_fault(error)
        advice = ADVICE if isinstance(error, (OpenGLError, RenderError)) else "Everything except the 3D view works."
        self.show_message(f"The 3D view failed ({what}, in {where}). It tries again after the next change.\n\n{advice}")
        self.failed.emit(error)

    def _follow(self, change: SessionChange) -> None:
        if change.document:
            was_empty, self._is_empty = self._is_empty, self.context.session.model is None
            if was_empty and not self._is_empty:
                self.fit_again()  # the first robot there is, such as that of a xacro file that was evaluated
            self._show_emptiness()
            self._show_staleness()
        if (change.visibility or change.document) and self.canvas is not None:
            session = self.context.session
            if change.document:
                self._show_editing()
                self._show_how_to_begin()
            self._show_isolation()
            self.section_note.show_section(session.section, "" if session.model is None else session.model.names[0])

    def _show_how_to_begin(self) -> None:
        """Say how to begin in an empty model, unless a form is open that adds something."""
        self.empty_note.show_for(None if self.context.previews.edit is not None else self.context.session.model)

    def _show_what_is_far(self) -> None:
        """Say what the camera leaves out as it is far away."""
        assert self.canvas is not None
        scene, model = self.canvas.feed.scene, self.context.session.model
        prefix = "" if model is None else model.member_prefix(0)
        self.far_note.show_far([scene.names[row].removeprefix(prefix) for row in scene.far_away.tolist()])

    def _show_isolation(self) -> None:
        session = self.context.session
        root = "" if session.model is None else session.model.member_prefix(0)
        self.isolation_note.show_isolated([name.removeprefix(root) for name in session.visibility.only])

    def _show_staleness(self) -> None:
        """Say what of the picture is older than the text."""
        self._stale.say(describe_staleness(self.context.session))

    def _show_emptiness(self) -> None:
        empty = self.context.session.model is None
        self._nothing.setVisible(empty)
        if empty:
            self._nothing.setText(describe_absence(self.context.session))
            self._place_emptiness()

    def _place_emptiness(self) -> None:
        """Put what is said of an empty view into the middle of what the tools leave free."""
        assert self.canvas is not None
        room = self.canvas.rect().adjusted(_EDGE, 0, -_EDGE, 0)
        if not self.strip.isHidden():
            room.setLeft(self.strip.geometry().right() + MARGIN)
        if not (notices := self.canvas.covered_by_notices).isEmpty():
            room.setBottom(notices.top())
        broadest = self._nothing.fontMetrics().horizontalAdvance(self._nothing.text()) + _HINT_PADDING
        width = max(min(broadest, room.width()), 1)
        self._nothing.resize(width, self._nothing.heightForWidth(width))
        self._nothing.move(room.center() - self._nothing.rect().center())

    def _name(self, name: str) -> None:
        model = self.context.session.model
        # The measure panel says itself what is under the mouse, and may need the room.
        is_measuring = self.canvas is not None and self.canvas.tools.measure.on
        self._hint.setVisible(bool(name) and not is_measuring)
        if model is None or name not in model.rows_by_name:
            return
        row = model.rows_by_name[name]
        body = int(model.bodies[row])
        mass = mass_of(model, body) if body > 0 else None
        weight = "" if mass is None else f"{mass:.6g} kg"
        if body >= 0 and body != row:  # the mass is that of the body, not of a model that moves with it
            facts = f"moves with {model.shown_name(body)}" + (f" ({weight})" if weight else "")
        else:
            facts = weight
        stand_in = "" if self.canvas is None else self.canvas.feed.scene.stand_ins.get(row, "")
        facts = "  ·  ".join(filter(None, (stand_in, facts)))
        kind = model.kinds[row].value.replace("_", " ")
        self._hint.setText(self._fitting_hint(kind, model.shown_name(row), f"  ·  {facts}" if facts else ""))
        self._hint.adjustSize()
        self._place_hint()

    def _fitting_hint(self, kind: str, name: str, facts: str) -> str:
        """Return the description of the frame under the mouse; in a narrow view its name is shortened first."""
        width = (self.canvas or self).width()
        metrics, room = self._hint.fontMetrics(), width - 2 * _EDGE - _HINT_PADDING
        around = metrics.horizontalAdvance(f"{kind}  {facts}")
        name = metrics.elidedText(name, Qt.TextElideMode.ElideMiddle, max(room - around, _LEAST_NAME))
        return metrics.elidedText(f"{kind}  {name}{facts}", Qt.TextElideMode.ElideRight, room)

    def _place_hint(self) -> None:
        """Put the description of the frame under the mouse into the corner, above colour key and notices near it."""
        below = _EDGE
        if self.canvas is not None:
            key, end = self.canvas.compared.colour_key, self._hint.sizeHint().width() + 2 * _EDGE
            if key.isVisible() and end > key.x():
                below += self.canvas.height() - key.y()
            notices = self.canvas.covered_by_notices
            if not notices.isEmpty() and end > notices.x():
                below = max(below, self.canvas.height() - notices.y() + _EDGE)
        self._box.setContentsMargins(_EDGE, _EDGE, _EDGE, below)

    def _open_menu(self, at: QPoint, hits: tuple[Hit, ...]) -> None:
        """Offer what is under the pointer."""
        assert self.canvas is not None
        menu = PointMenu(self.canvas, hits, self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(self.canvas.mapToGlobal(QPointF(at)).toPoint())

    def copy_picture(self) -> bool:
        """Copy what the view shows as a picture."""
        if self.canvas is None:
            return False
        QGuiApplication.clipboard().setImage(self.canvas.picture_at_rest())
        return True

    def stop(self) -> None:
        """End what runs in the background."""
        if self.canvas is not None:
            self.sides.close_feeds()


def describe_staleness(session: Session) -> str:
    """Return in words which parts of an earlier text the views still show; empty where there are none."""
    model = session.model
    if model is None or session.is_reading:  # most files are evaluated faster than that could be read
        return ""
    reason = why_not_current(session)
    if reason is not None:
        faults = (each.span for each in session.diagnostics if each.rule is xml_syntax and each.span is not None)
        line = next((span.line for span in faults), 0)
        place = f" See line {line}." if line else ""
        return f"{as_sentence(reason.cause)}{place} This is the last valid state."
    lost = np.isfinite(session.X_last).all(axis=(1, 2))
    count = sum(1 for row in np.flatnonzero(lost).tolist() if model.kinds[row].is_vertex)
    if not count:
        return _describe_lost_children(model)
    frames = "1 frame" if count == 1 else f"{count} frames"
    return f"{frames} cannot be placed: shown at {'its' if count == 1 else 'their'} last pose."


def _describe_lost_children(model: Model) -> str:
    """Return which joints of a URDF name no link: what hung on them is at the root, as in ROS."""
    lost = [
        joint.row for joint in model.joints if joint.child == UNRESOLVED and np.isfinite(model.X_RootF[joint.row]).all()
    ]
    if not lost:
        return ""
    names = f"Joint {visible(model.local_names[lost[0]])} names" if len(lost) == 1 else f"{len(lost)} joints name"
    return f"{names} an unknown child: what hangs on it is shown at the root."


_MOST = 12
"""How many things the menu offers at most."""


class PointMenu(QMenu):
    """Acts on what a left click would select; all else under the pointer has a menu in this one.

    Parameters
    ----------
    canvas
        The view that was clicked, or the first of two.
    hits
        What is under the pointer; first what a left click would select.
    """

    def __init__(self, canvas: Canvas, hits: Sequence[Hit], parent: QWidget) -> None:
        super().__init__(parent)
        self._canvas = canvas
        self._session = session = canvas.document_context.session
        model = session.model
        names = names_of_hits(model, hits)[:_MOST]
        if model is not None and names:
            titles = _titles(names)
            kinds = [kind_icon(model.kinds[model.rows_by_name[name]].value) for name in names]
            self._offer(self, names[0], f"Select {titles[0]}", model)
            self.actions()[0].setIcon(kinds[0])
            self.setDefaultAction(self.actions()[0])
            self.addSeparator()
            for name, title, kind in list(zip(names, titles, kinds, strict=True))[1:]:
                self._offer(self.addMenu(kind, title), name, "Select", model)
            self.addSeparator()
        add_command(self, FIT_ALL, canvas.camera_control.fit)
        if session.visibility.hidden:
            add_command(self, SHOW_ALL, lambda: session.set_visibility(session.visibility.show_all()))
        add_command(self, SELECT_NONE, lambda: session.select((), None))

    def _offer(self, menu: QMenu, name: str, select: str, model: Model) -> None:
        """Add what can be done with one thing."""
        session, canvas = self._session, self._canvas
        menu.addAction(select).triggered.connect(lambda: session.select((name,), None))
        add_command(menu, FOCUS, lambda: canvas.camera_control.focus_on((name,)), "Focus")
        add_command(menu, HIDE, lambda: session.set_visibility(session.visibility.hide((name,))))
        add_command(menu, ISOLATE, lambda: session.set_visibility(session.visibility.isolate(model, (name,))))
        add_command(menu, SHOW_IN_SOURCE, lambda: self._show_in_source(name))

    def _show_in_source(self, name: str) -> None:
        model = self._session.model
        if model is not None and name in model.rows_by_name:
            self._session.select((name,), None)
            self._canvas.document_context.requests.show_frame(model, name)


def _titles(names: Sequence[str]) -> list[str]:
    """Return scoped names for a menu, without the scope that they have in common."""
    paths = [name.split("::") for name in names]
    scopes = zip(*(path[:-1] for path in paths), strict=False)
    common = sum(1 for _ in takewhile(lambda parts: len(set(parts)) == 1, scopes))
    return [visible("::".join(path[common:])).replace("&", "&&") for path in paths]
