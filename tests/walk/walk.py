"""What the stories work with: the window, its file, and where things are on the screen."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QPoint, QPointF, QRect, Qt
from PySide6.QtWidgets import QAbstractItemView, QApplication, QDialog, QMenu, QScrollArea, QWidget
from shiboken6 import isValid

from sdfviewer.graphs.graph_view import GraphKind
from sdfviewer.gui.graphs.graph_canvas import GraphCanvas
from sdfviewer.gui.graphs.pane import GraphPane
from sdfviewer.gui.shell.files.open_file import OpenFile
from sdfviewer.gui.shell.window import MainWindow
from sdfviewer.gui.view3d.canvas import Canvas
from sdfviewer.gui.view3d.pointing import name_of_hit, pointed_at
from sdfviewer.model.kinds import Kind
from sdfviewer.model.model import Model
from sdfviewer.scene.tools.picking import Target
from sdfviewer.session.read_only import why_read_only
from sdfviewer.session.session import Session
from tests.walk.actions import Action, Place, click_at, drag_between, hover_at, wheel_at
from tests.walk.story import NotHere, Outcome

_GRID = 24
"""The 3D view is searched for a link at so many places across and down."""


class Walk:
    """The window of a walk.

    Attributes
    ----------
    window
        The window.
    outcome
        What the present story leads to.
    presses
        How often keys and buttons of the mouse were pressed since :meth:`begin_counting`, each letter by itself.
    """

    def __init__(self, window: MainWindow) -> None:
        self.window = window
        self.outcome: Outcome
        self._acts = 0
        self.presses = 0

    # --- what is there -------------------------------------------------------------------------------------------

    @property
    def file(self) -> OpenFile:
        """The file that is shown."""
        assert self.window.current is not None
        return self.window.current

    @property
    def session(self) -> Session:
        """The session of the file."""
        return self.file.session

    @property
    def model(self) -> Model:
        """What the text means."""
        model = self.session.model
        if model is None:
            raise NotHere("the file has no model")
        return model

    @property
    def text(self) -> str:
        """The text, with what is being typed."""
        return self.file.source.text() if "source" in self.file.panels else self.session.document.text

    @property
    def canvas(self) -> Canvas:
        """The 3D view."""
        canvas = self.file.view.canvas
        if canvas is None:
            raise NotHere("there is no OpenGL")
        return canvas

    @property
    def popup(self) -> QWidget | None:
        """The menu or list that is open."""
        return QApplication.activePopupWidget()

    @property
    def dialog(self) -> QDialog | None:
        """The dialog that is in front."""
        shown = [each for each in QApplication.topLevelWidgets() if isinstance(each, QDialog) and each.isVisible()]
        modal = QApplication.activeModalWidget()
        if isinstance(modal, QDialog):
            return modal
        active = QApplication.activeWindow()
        return active if isinstance(active, QDialog) else shown[-1] if shown else None

    @staticmethod
    def is_open(widget: QWidget | None) -> bool:
        """Return whether a list, a menu or a dialog is in sight; Qt may have deleted it."""
        return widget is not None and isValid(widget) and widget.isVisible()

    def action(self, id: str) -> bool:
        """Return whether a switch of the menus is on."""
        return self.window.actions_by_id[id].isChecked()

    def rows(self, *kinds: Kind, editable: bool = False, own: bool = False) -> list[int]:
        """Return the rows of some kinds, the first ones of a large file; `own` ones are written in this file."""
        found = [row for row, kind in enumerate(self.model.kinds[:4000]) if kind in kinds]
        if own:
            found = [row for row in found if self.model.sources[row] is None]
        if editable:
            found = [row for row in found[:400] if why_read_only(self.session, row) is None]
        return found

    def a_row(self, *kinds: Kind, editable: bool = False, own: bool = False) -> int:
        """Return a row of some kinds, from the middle of those there are."""
        found = self.rows(*kinds, editable=editable, own=own)
        if not found:
            names = " or ".join(kind.value for kind in kinds)
            raise NotHere(f"the file has no {names}" + " that can be edited" * editable + " of its own" * own)
        return found[len(found) // 2]

    def a_name(self, *kinds: Kind, editable: bool = False, own: bool = False) -> str:
        """Return the scoped name of such a row."""
        return self.model.names[self.a_row(*kinds, editable=editable, own=own)]

    def a_thing(self, *, editable: bool = False, own: bool = False) -> str:
        """Return the scoped name of a link."""
        return self.a_name(Kind.LINK, editable=editable, own=own)

    @property
    def selected(self) -> str:
        """The scoped name of what was selected last, empty where nothing is."""
        return self.session.selection[-1] if self.session.selection else ""

    # --- what must be so -----------------------------------------------------------------------------------------

    def count(self, action: Action) -> None:
        """Count what the hand does: clicks, keys, drags; not what is hovered, and no letters of a word."""
        self.presses += action.presses
        if action.arguments and action.label.partition(" ")[0] in ("click", "double", "right", "press", "drag", "type"):
            self._acts += 1

    def begin_counting(self) -> None:
        """Count from here."""
        self._acts = self.presses = 0

    def expect_few(self, condition: object, sentence: str, most: int = 3) -> None:
        """Note whether something is so, after no more clicks and keys than these since `begin_counting`."""
        self.expect(condition, sentence)
        self.expect(self._acts <= most, f"{sentence}: in {self._acts} of at most {most} clicks or keys")

    def expect(self, condition: object, sentence: str) -> bool:
        """Note whether something is so."""
        (self.outcome.passed if condition else self.outcome.failed).append(sentence)
        return bool(condition)

    def note(self, sentence: str) -> None:
        """Note something for who reads the report."""
        self.outcome.notes.append(sentence)

    def need(self, condition: object, reason: str) -> None:
        """Leave the story out where the file does not support it."""
        if not condition:
            raise NotHere(reason)

    # --- where it is ---------------------------------------------------------------------------------------------

    def on_screen(self, widget: QWidget, at: QPointF | QPoint | None = None) -> Place:
        """Return where a point of a widget, by default its middle, is in pixels of the screen."""
        local = QPointF(widget.rect().center()) if at is None else QPointF(at)
        point, ratio = widget.mapToGlobal(local), widget.devicePixelRatioF()
        return round(point.x() * ratio), round(point.y() * ratio)

    def _reach(self, widget: QWidget, at: QPointF | QPoint | None) -> Place:
        """Return where a point is, and note where the mouse would hit something else there."""
        local = QPointF(widget.rect().center()) if at is None else QPointF(at)
        hit = QApplication.widgetAt(widget.mapToGlobal(local).toPoint())
        is_tip = hit is not None and hit.window().windowType() is Qt.WindowType.ToolTip  # gone as the mouse comes
        if not is_tip and (hit is None or not (hit is widget or widget.isAncestorOf(hit) or hit.isAncestorOf(widget))):
            what = "nothing" if hit is None else f"{type(hit).__name__} of {type(hit.window()).__name__}"
            self.expect(False, f"the mouse reaches {type(widget).__name__} ({what} is there)")
        return self.on_screen(widget, local)

    def bring(self, widget: QWidget) -> QWidget:
        """Scroll a widget into sight."""
        area = widget.parentWidget()
        while area is not None:
            if isinstance(area, QScrollArea):
                area.ensureWidgetVisible(widget)
            area = area.parentWidget()
        return widget

    def click(
        self,
        widget: QWidget,
        at: QPointF | QPoint | None = None,
        what: str = "",
        button: int = 1,
        modifiers: str = "",
        times: int = 1,
        limit: float = 8.0,
    ) -> Action:
        """Click a widget."""
        return click_at(what or _called(widget), self._reach(widget, at), button, modifiers, times, limit)

    def hover(self, widget: QWidget, at: QPointF | QPoint | None = None, what: str = "") -> Action:
        """Move the mouse to a widget."""
        return hover_at(what or _called(widget), self._reach(widget, at))

    def wheel(self, widget: QWidget, notches: int, at: QPointF | QPoint | None = None) -> Action:
        """Turn the wheel over a widget."""
        return wheel_at(_called(widget), self._reach(widget, at), notches)

    def drag(
        self,
        widget: QWidget,
        start: QPointF | QPoint,
        end: QPointF | QPoint,
        button: int = 1,
        modifiers: str = "",
        *,
        drops: bool = True,
        limit: float = 8.0,
    ) -> Action:
        """Drag from one point of a widget to another."""
        places = self._reach(widget, start), self.on_screen(widget, end)
        return drag_between(f"on {_called(widget)}", *places, button, modifiers, drops=drops, limit=limit)

    # --- parts of the panels -------------------------------------------------------------------------------------

    def reveal(self, id: str) -> None:
        """Bring a panel to the front, as its button or its tab does."""
        self.window.docks.reveal(id)

    def is_shown(self, id: str) -> bool:
        """Return whether a panel is in sight."""
        dock = self.window.docks.docks[id]
        return dock.isVisible() and not dock.visibleRegion().isEmpty()

    def tree_point(self, name: str) -> QPoint:
        """Return where a name is in the tree, scrolled into sight."""
        tree = self.file.tree
        index = tree.source.index_of(self.model.row(name))
        tree.view.scrollTo(index, QAbstractItemView.ScrollHint.PositionAtCenter)
        rect = tree.view.visualRect(index)
        return QPoint(rect.left() + min(rect.width() // 2, 50), rect.center().y())

    def list_point(self, view: QAbstractItemView, row: int, column: int = 0) -> QPoint:
        """Return where a row of a list is."""
        model = view.model()
        index = model.index(row, column)
        view.scrollTo(index)
        return view.visualRect(index).center()

    def graph(self, kind: GraphKind = GraphKind.RELATIVE_TO) -> GraphPane:
        """Return one of the frame graphs, in sight."""
        self.reveal("graphs")
        return self.file.graphs.panes[kind]

    def vertex(self, canvas: GraphCanvas, name: str) -> int:
        """Return the vertex of a name, -1 where the graph does not show it."""
        return -1 if canvas.picture is None else canvas.picture.graph.vertex_of(name)

    def vertices_in_sight(self, canvas: GraphCanvas) -> list[int]:
        """Return the vertices whose middle is in sight."""
        picture = canvas.picture
        if picture is None:
            return []
        room = QRect(QPoint(4, 4), canvas.size()).adjusted(0, 0, -8, -8)
        free = []
        for vertex in range(min(len(picture.graph), 5000)):
            point = canvas.screen_rect(vertex).center().toPoint()
            is_covered = canvas.childAt(point) is not None
            if room.contains(point) and not is_covered and picture.graph.rows[vertex] >= 0:
                free.append(vertex)
        return free

    def vertex_point(self, canvas: GraphCanvas, vertex: int) -> QPoint:
        """Return where a vertex is."""
        return canvas.screen_rect(vertex).center().toPoint()

    def frame_point(self, name: str) -> QPointF:
        """Return where a frame is in the 3D view."""
        X = self.session.X_RootF[self.model.row(name)]
        (x, y), _ = self.canvas.camera.project(X[:3, 3], self.canvas.width(), self.canvas.height())
        return QPointF(float(x), float(y))

    def find_in_3d(self, wanted: Callable[[str], bool], *, surface: bool = False) -> tuple[QPointF, str]:
        """Return a point of the 3D view near its middle where a click selects what is wanted, and its name.

        With `surface` it is on a surface, not on the sign of a frame.
        """
        canvas = self.canvas
        width, height = canvas.width(), canvas.height()
        steps = [(number + 0.5) / _GRID for number in range(_GRID)]
        places = sorted(((x, y) for x in steps for y in steps), key=lambda at: abs(at[0] - 0.5) + abs(at[1] - 0.5))
        for x, y in places:
            at = QPointF(round(x * width), round(y * height))
            if canvas.childAt(at.toPoint()) is not None:
                continue
            hit = pointed_at(canvas, at)
            name = name_of_hit(self.model, hit)
            if hit is None or (surface and hit.target is not Target.SURFACE):
                continue
            if name is not None and wanted(name):
                return at, name
        raise NotHere("nothing of that kind is in sight in the 3D view")

    def empty_in_3d(self) -> QPointF:
        """Return a point of the 3D view where nothing is."""
        canvas = self.canvas
        for x in (0.1, 0.2, 0.9, 0.8, 0.5):
            for y in (0.5, 0.3, 0.7, 0.15, 0.9):
                at = QPointF(round(x * canvas.width()), round(y * canvas.height()))
                if canvas.childAt(at.toPoint()) is None and pointed_at(canvas, at) is None:
                    return at
        raise NotHere("the 3D view is full")

    def menu_entry(self, text: str) -> Action:
        """Click an entry of the menu that is open, by the beginning of its text."""
        menu = self.popup
        if isinstance(menu, QMenu):
            for entry in menu.actions():
                if entry.text().replace("&", "").startswith(text) and entry.isEnabled():
                    return self.click(menu, menu.actionGeometry(entry).center(), f"“{text}” in the menu")
        self.expect(False, f"a menu with “{text}” is open")
        return Action("nothing to click")

    @property
    def menu_texts(self) -> list[str]:
        """What the entries of the open menu are called."""
        menu = self.popup
        return [each.text() for each in menu.actions() if not each.isSeparator()] if isinstance(menu, QMenu) else []


def _called(widget: QWidget) -> str:
    return widget.accessibleName() or widget.objectName() or type(widget).__name__
