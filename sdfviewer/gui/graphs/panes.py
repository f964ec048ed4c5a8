"""The graph panes with their toolbar: search, focus, orientation, linked viewports, export."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QActionGroup, QGuiApplication, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QFileDialog, QLabel, QLineEdit, QMenu, QSplitter, QToolButton, QWidget

from sdfviewer.diagnostics import SdfViewerError
from sdfviewer.graphs.graph_view import GraphKind
from sdfviewer.graphs.layout import Orientation
from sdfviewer.gui.context.document_context import DocumentContext
from sdfviewer.gui.context.settings import Settings
from sdfviewer.gui.graphs.describing import FoldMenu
from sdfviewer.gui.graphs.drawing import Viewport
from sdfviewer.gui.graphs.graph_canvas import GraphCanvas
from sdfviewer.gui.graphs.pane import GraphPane
from sdfviewer.gui.kit.icons import icon
from sdfviewer.gui.kit.theme import tokens
from sdfviewer.gui.kit.widgets import column_of, line_of, named, set_menu, styled
from sdfviewer.session.session_change import SessionChange

_GAPS = 14, 6
"""Pixels before the number of what the search has found, and between it and the search."""
_ORIENTATIONS = {
    "Automatic Layout": None,
    "Root Left": Orientation.LEFT_RIGHT,
    "Root on Top": Orientation.TOP_DOWN,
    "Compact": Orientation.COMPACT,
}


class GraphPanes(QWidget):
    """Both frame graphs side by side, and the kinematic graph on request.

    Parameters
    ----------
    context
        The session's context.
    settings
    """

    def __init__(self, context: DocumentContext, settings: Settings, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._context, self._settings = context, settings
        self.panes = {kind: GraphPane(context, kind, self) for kind in GraphKind}
        self._linked = self._wants_next = False
        self._searched_from: GraphCanvas | None = None

        splitter = QSplitter(Qt.Orientation.Horizontal, self, childrenCollapsible=False)
        for kind, pane in self.panes.items():
            splitter.addWidget(pane)
            pane.canvas.viewport_changed.connect(partial(self._follow_viewport, kind))
            pane.searched.connect(self._show_count)
            pane.canvas.search_wanted.connect(partial(self._start_search, pane.canvas))
            pane.canvas.escaped.connect(self._clear_search)
            pane.focus_wanted.connect(self._start_focus)
            pane.canvas.focus_wanted.connect(lambda: context.requests.focus.emit(context.session.selection))
        self.panes[GraphKind.KINEMATIC].hide()

        self.search_field = QLineEdit(self, placeholderText="Find a frame")
        self.search_field.setAccessibleName("Find in the graphs")
        self.search_field.setToolTip(
            "Find frames (Ctrl+F in a graph), also by kind:joint, model:arm or is:default; Enter goes to the next one, "
            "Esc back to the graph"
        )
        self.search_field.setClearButtonEnabled(True)
        # Qt would widen it for the button that clears it as soon as it has a text.
        self.search_field.setMaximumWidth(self.search_field.sizeHint().width())
        self.search_field.setMinimumWidth(90)
        self.search_field.textChanged.connect(self._find)
        self.search_field.returnPressed.connect(self._select_next)
        self.search_field.installEventFilter(self)
        self.count = styled(QLabel(self), "muted")
        self.count.setContentsMargins(_GAPS[0], 0, _GAPS[1], 0)
        self.count.hide()
        context.changed.connect(self._follow)

        self._finding = line_of(self._build_shown(), self.search_field, parent=self, spacing=2)
        self.focus_button = self._switch(
            "mdi6.image-filter-center-focus", "Chain", "only the selection, its chain to the root and its neighbours"
        )
        self.focus_button.toggled.connect(self._set_focused)
        self.link_button = self._switch("mdi6.link-variant", "Link", "all graphs pan and zoom together")
        self.link_button.toggled.connect(self._set_linked)
        self.bodies_button = self._switch("mdi6.palette-outline", "Bodies", "colour frames by body")
        self.bodies_button.toggled.connect(self._set_bodies)
        fit = self._button("mdi6.fit-to-page-outline", "Fit", "show each graph in full (Home)")
        fit.clicked.connect(self.fit)
        self._switches = line_of(
            self.focus_button, self.link_button, self.bodies_button, fit, self._build_more(), parent=self, spacing=2
        )
        column_of(splitter, parent=self, margins=0, spacing=0)
        self._place_tools()
        splitter.setSizes([10_000] * len(self.panes))  # equally wide, whatever is in the bars above them

    # --- the bar -----------------------------------------------------------------------------------------------

    def _button(self, sign: str, name: str, tip: str) -> QToolButton:
        button = named(QToolButton(self, autoRaise=True), name, f"{name}: {tip}")
        button.setIcon(icon(sign))
        return button

    def _switch(self, sign: str, name: str, tip: str) -> QToolButton:
        button = self._button(sign, name, tip)
        button.setCheckable(True)
        return button

    def _build_shown(self) -> QToolButton:
        button = self._button("mdi6.graph-outline", "Graphs", "choose the visible graphs")
        menu = QMenu(button)
        for kind, pane in self.panes.items():
            action = menu.addAction(f"{kind.value} graph")
            action.setCheckable(True)
            action.setChecked(not pane.isHidden())
            action.toggled.connect(partial(self.show_graph, kind))
        set_menu(button, menu)
        button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self._shown_menu = menu
        return button

    def _build_more(self) -> QToolButton:
        button = self._button("mdi6.dots-vertical", "More", "layout, folding, export")
        menu = FoldMenu(button)
        layouts = QActionGroup(menu)
        for text, orientation in _ORIENTATIONS.items():
            action = menu.addAction(text)
            action.setCheckable(True)
            action.setChecked(orientation is None)
            action.triggered.connect(lambda _=False, chosen=orientation: self.set_orientation(chosen))
            layouts.addAction(action)
        menu.addSeparator()
        menu.add_folding(self._fold_all, lambda folded: any(pane.can_fold_all(folded) for pane in self.shown))
        menu.addSeparator()
        for kind in GraphKind:
            menu.addAction(f"Save {kind.value} Graph As…", partial(self._save_as, kind))
        for kind in GraphKind:
            menu.addAction(f"Copy {kind.value} Graph as Image", partial(self._copy, kind))
        set_menu(button, menu)
        button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        return button

    # --- what it does ------------------------------------------------------------------------------------------

    @property
    def shown(self) -> list[GraphPane]:
        """The panes that are not hidden."""
        return [pane for pane in self.panes.values() if not pane.isHidden()]

    def show_graph(self, kind: GraphKind, shown: bool = True) -> None:
        """Show or hide one of the graphs; the last one stays."""
        pane = self.panes[kind]
        shown = shown or self.shown == [pane]
        pane.setVisible(shown)
        action = self._shown_menu.actions()[list(GraphKind).index(kind)]
        action.setChecked(shown)
        self._place_tools()

    def _place_tools(self) -> None:
        """Put the search beside the title of the first graph, the switches beside that of the last one."""
        # The number takes its room from the counts of the graph before it: the field stays where it is.
        self.shown[0].add_tools(self.count)
        self.shown[0].add_tools(self._finding)
        self.setFocusProxy(self.shown[0].canvas)
        self.shown[-1].add_tools(self._switches)

    def fit(self) -> None:
        """Fit each graph into its pane."""
        for pane in self.shown:
            pane.canvas.fit()

    def set_orientation(self, orientation: Orientation | None) -> None:
        """Lay all graphs out with the root on one side; None: as it fits best."""
        for pane in self.panes.values():
            pane.set_orientation(orientation)

    def _start_focus(self) -> None:
        self.focus_button.setChecked(True)

    def _set_focused(self, focused: bool) -> None:
        for pane in self.panes.values():
            pane.set_focused(focused)

    def _set_bodies(self, shown: bool) -> None:
        for pane in self.panes.values():
            pane.set_bodies(shown)

    def _fold_all(self, folded: bool) -> None:
        for pane in self.panes.values():
            pane.fold_all(folded)

    def _set_linked(self, linked: bool) -> None:
        self._linked = linked
        if linked:
            # Linked graphs start from the same frame, where there is one.
            for pane in self.shown:
                pane.canvas.reveal(sorted(pane.canvas.marks.selected), centre=True)

    def _follow_viewport(self, kind: GraphKind, before: Viewport, after: Viewport) -> None:
        if not self._linked:
            return
        factor = after.zoom / before.zoom
        for other, pane in self.panes.items():
            if other is not kind and not pane.isHidden():
                seen = pane.canvas.viewport
                pane.canvas.set_viewport(
                    Viewport(seen.zoom * factor, after.offset + (seen.offset - before.offset) * factor)
                )

    # --- search ------------------------------------------------------------------------------------------------

    def _start_search(self, canvas: GraphCanvas) -> None:
        self._searched_from = canvas
        self.search_field.setFocus()
        self.search_field.selectAll()

    def _clear_search(self) -> None:
        self.search_field.clear()

    def _end_search(self) -> None:
        """Empty the search, and go back to the graph that it was started in."""
        self.search_field.clear()
        canvas = self._searched_from
        (self.shown[0].canvas if canvas is None or not canvas.isVisible() else canvas).setFocus()

    def _find(self, query: str) -> None:
        for pane in self.panes.values():
            pane.search(query)
        self._show_count()

    def _follow(self, change: SessionChange) -> None:
        if change.selection:
            self._number_selected()

    def _number_selected(self) -> None:
        """Say which of the frames found is selected."""
        self.count.setText(self._number() if self.search_field.text().strip() else "")
        self.count.setVisible(bool(self.count.text()))

    def _number(self) -> str:
        """Return how many frames are found, and the place of the selected one among them, in words."""
        names = self._found()
        at = self._selected_of(names)
        found = f"{len(names)} found" if at < 0 else f"{at + 1} of {len(names)}"
        return found if names else "No match"

    def _selected_of(self, names: Sequence[str]) -> int:
        """Return which of some frames is the one selected last, -1 if none is."""
        selection = self._context.session.selection
        return names.index(selection[-1]) if selection and selection[-1] in names else -1

    def _show_count(self) -> None:
        self._number_selected()
        if self._wants_next:
            self._select_next()

    def _found(self) -> list[str]:
        return list(dict.fromkeys(name for pane in self.shown for name in pane.found if not name.startswith("?")))

    def _select_next(self) -> None:
        # In a large world Enter may come before the search is done.
        self._wants_next = any(pane.is_searching for pane in self.shown)
        if self._wants_next:
            return
        names = self._found()
        if names:
            self._context.session.select((names[(self._selected_of(names) + 1) % len(names)],), origin=None)

    def eventFilter(self, watched: object, event: QEvent) -> bool:
        """End the search by Esc, and leave undo and redo to the document."""
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and _is_history_key(event):
            event.ignore()
            return True
        if watched is self.search_field and isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Escape:
            if event.type() == QEvent.Type.ShortcutOverride:
                event.accept()
            elif event.type() == QEvent.Type.KeyPress:
                self._end_search()
            return True
        return super().eventFilter(watched, event)  # type: ignore[arg-type]

    # --- export ------------------------------------------------------------------------------------------------

    def _save_as(self, kind: GraphKind) -> None:
        from sdfviewer.gui.graphs.saving import FILTERS

        self.show_graph(kind)
        path = self._context.session.path
        stem = path.with_suffix("") if path else Path("graph")
        name, _ = QFileDialog.getSaveFileName(
            self, f"Save {kind.value} Graph", f"{stem}-{kind.value}.svg", ";;".join(FILTERS)
        )
        if name:
            self.save(kind, Path(name))

    def save(self, kind: GraphKind, path: Path) -> None:
        """Write a graph as it is shown, in the format of the file's suffix, and say so."""
        from sdfviewer.gui.graphs.saving import save_graph

        picture = self.panes[kind].picture
        if picture is None:
            self._context.messages.refuse("there is no graph to save")
            return
        try:
            save_graph(path, picture, tokens(self.palette()).dark)
        except SdfViewerError as error:
            self._context.messages.refuse(str(error))
        else:
            self._context.messages.show_written(f"Saved {path.name}", path)

    def _copy(self, kind: GraphKind) -> None:
        from sdfviewer.gui.graphs.saving import draw_image

        self.show_graph(kind)
        picture = self.panes[kind].picture
        if picture is not None:
            QGuiApplication.clipboard().setImage(draw_image(picture, tokens(self.palette()).dark))


def _is_history_key(event: QKeyEvent) -> bool:
    """Return whether a key undoes or redoes on any platform."""
    keys = (QKeySequence.StandardKey.Undo, QKeySequence.StandardKey.Redo)
    pressed = QKeySequence(event.keyCombination())
    return any(event.matches(key) for key in keys) or pressed in (QKeySequence("Ctrl+Shift+Z"), QKeySequence("Ctrl+Y"))
