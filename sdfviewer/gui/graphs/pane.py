"""A pane with one graph, which follows the session and turns user input into edits."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial

from PySide6.QtCore import QPoint, QSizeF, Qt, QTimer, Signal
from PySide6.QtGui import QResizeEvent, QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QToolButton, QWidget

from sdfviewer.graphs.folding import MOST_OPEN, ShownPart, fold_joints
from sdfviewer.graphs.graph_build import build_graph
from sdfviewer.graphs.graph_view import EdgeChanges, Graph, GraphKind
from sdfviewer.graphs.layout import Orientation
from sdfviewer.graphs.picture import GraphPicture, label_texts, redraw_edges
from sdfviewer.gui.context.document_context import DocumentContext
from sdfviewer.gui.graphs.describing import FoldMenu, VertexMenu, describe_graph, describe_vertex
from sdfviewer.gui.graphs.drawing import text_measure
from sdfviewer.gui.graphs.graph_canvas import GraphCanvas
from sdfviewer.gui.graphs.graph_editing import GraphEditing, PreviewedEdges
from sdfviewer.gui.graphs.graph_marks import GraphSearch, VertexMatches, compute_marks
from sdfviewer.gui.graphs.graph_widget import Framing
from sdfviewer.gui.graphs.pane_layout import PaneLayout, choose_layout, is_readable_whole
from sdfviewer.gui.kit.commands import FIT_ALL, add_command
from sdfviewer.gui.kit.jobs import Background, Latest, delayed
from sdfviewer.gui.kit.labels import PartsLabel
from sdfviewer.gui.kit.widgets import column_of, styled
from sdfviewer.model.model import Model
from sdfviewer.number_text import counted
from sdfviewer.session.read_only import why_not_current
from sdfviewer.session.session_change import SessionChange

#: The layout follows the size of the pane when it has been the same for so many milliseconds.
RESIZED_MILLISECONDS = 120
#: With more rows than this a graph is drawn after the other views have followed an edit.
SOON = 100
#: With more rows than this a graph is built and folded in the background, so many milliseconds after an edit.
MANY, LATER_MILLISECONDS, STAGGER_MILLISECONDS = 2000, 5, 5
#: With more vertices than this a graph is laid out in the background, and with many more the pane says so.
MOST_AT_ONCE, MOST_WITHOUT_A_WORD = 40, 800
#: By how much the shape or the size of the pane must change for the graph to be laid out again.
SIZE_CHANGE = 0.15

#: Pixels that a vertex takes with what is between it and the next ones.
_COLUMN, _ROW = 150, 36
#: The models of a graph with as many vertices, or fewer, are open in any pane.
LEAST_OPEN = 20
#: The least width of a pane that says how many joints are folded, in pixels.
LEAST_FOR_JOINTS = 440

_TITLES = {
    GraphKind.ATTACHED_TO: "The frame that each frame is attached to: follow the edges to the body that it moves with",
    GraphKind.RELATIVE_TO: "The frame that each pose is relative to: follow the edges to the root",
    GraphKind.KINEMATIC: "The joint that moves each body; loops are numbered",
}


class GraphPane(QWidget):
    """One of the three graphs, live.

    Parameters
    ----------
    context
        The session's context.
    kind
        Which graph.
    """

    #: The search has found something, or nothing.
    searched = Signal()
    #: Only the chain and the neighbors of the selection are to be shown, in all graphs.
    focus_wanted = Signal()

    def __init__(self, context: DocumentContext, kind: GraphKind, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._context, self.kind = context, kind
        self._full: Graph | None = None
        self._part = ShownPart()
        self._layout: PaneLayout | None = None
        self._chosen: Orientation | None = None
        #: The size of the canvas that the layout was chosen for.
        self._size_then = QSizeF(1.0, 1.0)
        self._bodies = False
        self._found = VertexMatches()
        self._search = GraphSearch(self)
        self._search.found.connect(self._show_found)
        self._reveals_found, self._query = False, ""
        self._stale = True
        #: The models of the whole graph and of the picture, which may be drawn later.
        self._model: Model | None = None
        self._drawn: Model | None = None
        self._chooses = self._reveals_selection = self._had_selection = False
        background = Background(self)
        self._readings = Latest(background)
        self._layouts = Latest(background)
        self._folded: Graph | None = None
        self._previewed = PreviewedEdges(context.session, context.previews, kind, background, self)
        # One graph at a time, so that the window stays responsive.
        later = LATER_MILLISECONDS + STAGGER_MILLISECONDS * list(GraphKind).index(kind)
        self._soon = self._timer(later, self._read, in_turn=True)
        self._settle = self._timer(RESIZED_MILLISECONDS, self._follow_size, in_turn=True)
        self._regroup = self._timer(later, self._take_apart, in_turn=True)
        self._mark_soon = self._timer(later, self._mark)
        self._search_soon = self._timer(later, self._search_now)
        self._editing = GraphEditing(context.session, context.edits, kind)

        self.canvas = GraphCanvas(self)
        self.canvas.setAccessibleName(f"{kind.value} graph")
        self.canvas.legal = self._editing.legal
        self.canvas.refusal = self._editing.refusal
        self.canvas.offer = self._offer
        self.canvas.tip = self._tip
        self.canvas.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self._counts = styled(PartsLabel(parent=self), "muted")
        self.joints_button = QToolButton(self)
        self._head = QHBoxLayout()
        self._arrange_widgets()
        self._connect()

    def _arrange_widgets(self) -> None:
        title = styled(QLabel(self.kind.value, self), "title")
        title.setToolTip(_TITLES[self.kind])
        self._head.setContentsMargins(8, 0, 4, 0)
        self._head.setSpacing(2)
        self._head.addWidget(title)
        self._head.addSpacing(8)
        self.joints_button.setCheckable(True)
        self.joints_button.setAutoRaise(True)
        self.joints_button.setToolTip("Joints: show those, too, that are only attached to their child link")
        self.joints_button.setAccessibleName("Joints")
        self.joints_button.hide()
        self._head.addWidget(self.joints_button)
        self._head.addWidget(self._counts, 1)
        column_of(self._head, (self.canvas, 1), parent=self, margins=0, spacing=0)

    def add_tools(self, tools: QWidget) -> None:
        """Show tools beside the title, where they take no height from the graph."""
        self._head.addWidget(tools)

    def _timer(self, milliseconds: int, slot: Callable[[], None], *, in_turn: bool = False) -> QTimer:
        """Return a timer for a step, perhaps in a pass of its own: the timers of both graphs may end in one."""
        return delayed(self, partial(self._context.later.do, slot) if in_turn else slot, milliseconds)

    def _connect(self) -> None:
        context = self._context
        context.changed.connect(self._follow)
        context.highlights.hover_changed.connect(self.canvas.point_out)
        context.requests.reveal.connect(self._reveal)
        context.previews.edit_changed.connect(self._follow_preview)
        self._previewed.found.connect(self._mark)
        context.highlights.flash_changed.connect(self._mark_soon.start)
        context.highlights.chain_steps_changed.connect(self._follow_chain_steps)
        self.canvas.hovered.connect(lambda name: context.highlights.hover(name or None))
        self.canvas.picked.connect(self._pick)
        self.canvas.fold_toggled.connect(self.toggle_fold)
        self.canvas.opened.connect(lambda name: context.requests.show_frame(context.session.model, name))
        self.canvas.resized.connect(self._settle.start)
        self.canvas.fit_wanted.connect(self._lay_out_whole)
        self.joints_button.clicked.connect(self._show_joints)
        self.canvas.retargeted.connect(self._retarget)
        self.canvas.offer_ended.connect(self._withdraw_offer)
        self.canvas.customContextMenuRequested.connect(self._show_menu)

    # --- what is shown -----------------------------------------------------------------------------------------

    @property
    def picture(self) -> GraphPicture | None:
        """The picture as shown."""
        return self.canvas.picture

    @property
    def is_laid_out(self) -> bool:
        """Whether the picture is the last one that was requested; meanwhile the one before is shown."""
        return self._folded is None and not self._layouts.is_running

    def set_orientation(self, orientation: Orientation | None) -> None:
        """Lay the graph out in one way; None: in the way that shows the most of it in the pane."""
        self._chosen = orientation
        self._rebuild(choose=True)

    def set_focused(self, focused: bool) -> None:
        """Show only what concerns the selection, or everything."""
        self._part.focused = focused
        # A part of the graph that was panned or zoomed to says nothing about the new picture.
        self.canvas.start()
        self._reveals_selection = True
        self._rebuild(choose=True)

    def set_bodies(self, shown: bool) -> None:
        """Show by colour which body each frame ends in, or not."""
        self._bodies = shown
        self._mark()

    def search(self, query: str) -> None:
        """Highlight the matching vertices, and scroll to the best one."""
        self._reveals_found, self._query = bool(query.strip()), query
        if self._full is not None and len(self._full) > MANY:
            self._search_soon.start()
        else:
            self._search_now()

    def _search_now(self) -> None:
        self._search_soon.stop()
        if self.isVisible() or not self._query.strip():
            self._search.search(self._query)

    def _show_found(self, found: VertexMatches) -> None:
        self._found = found
        self._mark()
        picture = self.canvas.picture
        if self._reveals_found and found.letters and picture is not None:
            best = picture.graph.vertex(next(iter(found.letters)))
            self.canvas.reveal([best] if best >= 0 else [], readable=True)
        self._reveals_found = False
        self.searched.emit()

    @property
    def is_searching(self) -> bool:
        """Whether the last search has not come to its end."""
        return self._search_soon.isActive() or self._search.is_running

    @property
    def found(self) -> tuple[str, ...]:
        """Scoped names of what the search has found, folded or not, the best match first."""
        return tuple(self._found.letters)

    def toggle_fold(self, name: str) -> None:
        """Fold the box of a model or a family, or open it."""
        if self.canvas.picture is not None:
            self._part.toggle(self.canvas.picture.graph, name)
            self._rebuild(choose=True)

    def _show_joints(self, shown: bool) -> None:
        self._part.show_joints(shown)
        self._rebuild(choose=True)

    def fold_all(self, folded: bool) -> None:
        """Fold all boxes and families, or open them."""
        if self._full is not None and folded:
            self._part.fold_all(self._full)
        else:
            self._part.open_all()
        self._rebuild(choose=True)

    def can_fold_all(self, folded: bool) -> bool:
        """Return whether there is anything to fold, or to unfold, in the graph as it is shown."""
        picture = self.canvas.picture
        if picture is None:
            return False
        if folded:
            return self._part.can_fold(picture.graph, self._context.session.selection)
        return self._part.can_open(picture.graph)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Leave the number of joints out of a narrow title: faults are counted there."""
        super().resizeEvent(event)
        self._show_joints_button()

    def _show_joints_button(self) -> None:
        self.joints_button.setVisible(bool(self.joints_button.text()) and self.width() >= LEAST_FOR_JOINTS)

    def showEvent(self, event: QShowEvent) -> None:
        """Catch up with what has happened while the pane was hidden."""
        super().showEvent(event)
        if self._stale:
            self._read()
        self._search_now()

    def _follow(self, change: SessionChange) -> None:
        if change.document:
            self._stale = True
            model = self._context.session.model
            if self.isVisible() and model is not None and len(model) > SOON:
                # Show the edited element first; large graphs follow one pane at a time.
                self._soon.start()
            elif self.isVisible():
                self._read()
        if change.selection:
            if self._part.focused:
                self._rebuild(choose=True)
            else:
                self._mark()
                self._regroup.start()
            if change.origin is not self:
                if self._drawn is self._context.session.model:
                    self._reveal_selection()
                else:  # what an edit has made is not drawn yet
                    self._reveals_selection = True

    def _take_apart(self) -> None:
        """Draw the selected members of folded families for themselves."""
        picture = self.canvas.picture
        if picture is None:
            return
        wanted = self._part.wanted_apart(picture.graph, self._context.session.selection)
        if wanted == self._part.apart:
            return
        self._part.apart = wanted
        if len(picture.graph) > MANY and not picture.graph.hidden:
            return  # where all of the families are open nothing is folded again
        self._reveals_selection = True
        self._rebuild()

    def _follow_size(self) -> None:
        """Lay the graph out for the pane as large as it is now, unless the user has panned or zoomed it."""
        picture = self.canvas.picture
        if picture is None or self.canvas.framing is Framing.FREE:
            return
        if self._is_other_size and len(picture.graph) <= MANY:
            if self.canvas.framing is Framing.SELECTION:
                self.canvas.start()
                self._reveals_selection = True
            self._rebuild(choose=True)
        elif self.canvas.framing is not Framing.ALL:
            self._reveal_selection()

    def _reveal_selection(self) -> None:
        self.canvas.reveal(self._drawn_of(self._context.session.selection))

    def _reveal(self, names: Sequence[str]) -> None:
        """Bring frames into sight, those of a large graph as soon as they are drawn."""
        if self._drawn is self._context.session.model:
            self.canvas.reveal(self._drawn_of(names))

    def _drawn_of(self, names: Iterable[str]) -> list[int]:
        """Return the vertices of frames in the picture; not by their marks, of which one that flashes has none."""
        picture = self.canvas.picture
        return [] if picture is None else sorted({v for v in map(picture.graph.vertex, names) if v >= 0})

    @property
    def _is_other_size(self) -> bool:
        """Whether the canvas is so different from when the layout was chosen that another one may show more."""
        size = self._size()
        wider, higher = size.width() / self._size_then.width(), size.height() / self._size_then.height()
        return max(abs(wider - 1.0), abs(wider / higher - 1.0)) > SIZE_CHANGE

    def _size(self) -> QSizeF:
        return QSizeF(self.canvas.size()).expandedTo(QSizeF(1.0, 1.0))

    def _shape(self) -> float:
        size = self._size()
        return size.width() / size.height()

    def _most_open(self) -> int:
        """Return with how many vertices the models of a graph are open at first: in a low pane few are in sight."""
        if not self.canvas.isVisible():
            return MOST_OPEN
        fitting = (self.canvas.width() // _COLUMN) * (self.canvas.height() // _ROW)
        return min(max(2 * fitting, LEAST_OPEN), MOST_OPEN)

    def _read(self) -> None:
        """Show the present model."""
        self._stale = False
        model, kind, before = self._context.session.model, self.kind, self._full
        if model is None:
            self._readings.cancel()
            self._layouts.cancel()
            self._full = self._model = self._folded = None
            self._set_drawn(None, None)
            self._search.show_graph(None)
            self._counts.set_full_text("")
            reason = why_not_current(self._context.session)
            self.canvas.clear("" if reason is None else reason.sentence)
            return

        def build() -> Graph:
            graph = build_graph(model, kind)
            # After most edits it is the same, which takes a while to find out.
            return before if before is not None and graph.is_drawn_like(before) else graph

        self._readings.run(build, partial(self._take, model), at_once=len(model) <= MANY)

    def _take(self, model: Model, graph: Graph) -> None:
        """Show the graph of a model."""
        before, self._full = self._full, graph
        was_drawn, last, self._model = self._drawn is self._model, self._model, model
        if before is not None and was_drawn and (graph is before or graph.is_drawn_like(before)):
            picture = self.canvas.picture
            self._set_drawn(None if picture is None else picture.graph, model)
            self._mark()
            if self._reveals_selection:
                self._reveals_selection = False
                self._reveal_selection()
            return
        self._search.show_graph(graph)
        # Models whose files have been found are seen for the first time.
        is_found = last is not None and len(model.failed_includes) < len(last.failed_includes)
        self._part.update(graph, None if is_found else before, self._most_open())
        self._rebuild()

    def _rebuild(self, *, choose: bool = False) -> None:
        """Show what of the graph is not folded; choose how it is laid out again, if it is for the pane to choose."""
        full, selection = self._full, self._context.session.selection
        if full is None or self._stale:
            return
        # While things are selected one after the other, the graph keeps its layout. After the last one it is as before.
        is_left, self._had_selection = self._had_selection and not selection, bool(selection)
        is_free = self.canvas.framing is Framing.FREE
        self._chooses = self._chooses or choose or (is_left and not is_free)
        self._folded, part = None, replace(self._part)
        is_small = len(full) <= MANY
        take = self._arrange if is_small else self._arrange_soon
        self._layouts.run(lambda: part.of(full, selection), take, at_once=is_small)

    def _arrange_soon(self, graph: Graph) -> None:
        """Lay out the shown part in a pass of its own: both graphs may be ready at once."""
        self._folded = graph
        self._context.later.do(self._arrange_folded)

    def _arrange_folded(self) -> None:
        if self._folded is not None:  # else it has changed since
            self._arrange(self._folded)

    def _arrange(self, graph: Graph) -> None:
        """Lay out the shown part."""
        self._folded = None
        layout = None if self._chooses else self._layout
        if layout is None:
            self._size_then = self._size()
        choose, pane, before = self._chooser(), QSizeF(self.canvas.size()), self.canvas.picture
        is_whole = before is not None and self.canvas.framing is not Framing.FREE and is_readable_whole(before, pane)
        text_width = text_measure()
        widths = {text: text_width(text) for text in label_texts(graph)}  # fonts belong to the window's thread

        def lay_out() -> tuple[PaneLayout, GraphPicture]:
            measure = widths.__getitem__
            if layout is not None and before is not None and before.graph.cycles != graph.cycles:
                # The tree around a cycle is another one without it: who has just fixed one would look for it again.
                kept = redraw_edges(graph, before)
                if kept is not None:
                    return layout, kept
            taken = layout or choose(graph, measure)
            picture = taken.draw(graph, measure)
            if layout is not None and is_whole and not is_readable_whole(picture, pane):
                # What has come in does not fit: another layout may show all of it again.
                taken = choose(graph, measure)
                picture = taken.draw(graph, measure)
            return taken, picture

        if len(graph) > MOST_WITHOUT_A_WORD:
            self._counts.set_full_text(f"Laying out {len(graph)} vertices…")
        self._layouts.run(lay_out, self._show, at_once=len(graph) <= MOST_AT_ONCE)

    def _chooser(self) -> Callable[[Graph, Callable[[str], float]], PaneLayout]:
        """Return what chooses the layout for the pane as it is now, in any thread."""
        if self._chosen is not None:
            layout = PaneLayout(self._chosen, self._shape())
            return lambda graph, measure: layout
        pane, whole = QSizeF(self.canvas.size()), self.canvas.framing is Framing.ALL
        return lambda graph, measure: choose_layout(graph, pane, measure, whole=whole)

    def _lay_out_whole(self) -> None:
        """Lay the graph out so that its vertices are as large as they can be where all of them are shown."""
        picture = self.canvas.picture
        if picture is not None and len(picture.graph) <= MOST_WITHOUT_A_WORD:
            self._rebuild(choose=True)

    def _show(self, drawn: tuple[PaneLayout, GraphPicture]) -> None:
        """Show a picture."""
        assert self._full is not None
        self._layout, picture = drawn
        self._chooses = False
        shown, whole = len(picture.graph), len(self._full)
        self._counts.set_parts(describe_graph(self._full, picture.graph))
        folded = "\nThe others are folded into boxes and families." if shown < whole and not self._part.focused else ""
        self._counts.setToolTip(self._counts.full_text + folded)
        joints = whole - len(fold_joints(self._full))
        self.joints_button.setText(counted(joints, "joint") if joints else "")
        self._show_joints_button()
        self.joints_button.setChecked(not self._part.folds_joints)
        self._set_drawn(picture.graph, self._model)
        was_in_sight = self.canvas.sees(self._drawn_of(self._context.session.selection))
        self.canvas.show_picture(picture, "The selection is not in this graph: select another frame")
        self._mark()
        # Unless the user has moved the view, start at the root, or at what was selected while the view was hidden.
        # What is selected stays in sight, also where it is elsewhere in this picture.
        if self._reveals_selection or was_in_sight or self.canvas.framing is Framing.START:
            self._reveals_selection = False
            self._reveal_selection()
        # What was selected while the pane was hidden is still folded into its family.
        self._regroup.start()

    def _set_drawn(self, graph: Graph | None, model: Model | None) -> None:
        self._drawn = model
        self._editing.show(graph, model)

    def _mark(self) -> None:
        picture, model = self.canvas.picture, self._drawn
        if picture is None or model is None or self._stale:
            return
        self.canvas.mark(
            compute_marks(
                picture.graph,
                model,
                selection=self._context.highlights.selected,
                matches=self._found.letters,
                is_searching=bool(self._found.query),
                chain=self._context.highlights.chain_steps,
                shows_bodies=self._bodies,
                preview=self._preview(picture.graph),
            )
        )

    def _follow_preview(self) -> None:
        if self._full is not None and len(self._full) > MANY:
            self._mark_soon.start()
        else:
            self._mark()

    def _follow_chain_steps(self, names: tuple[str, ...]) -> None:
        """Highlight the steps of a chain, and scroll to the last one."""
        self._mark()
        picture = self.canvas.picture
        if names and picture is not None:
            self.canvas.reveal([vertex for vertex in [picture.graph.vertex(names[-1])] if vertex >= 0])

    def _preview(self, graph: Graph) -> EdgeChanges | None:
        """Return the changes of the previewed edit in this graph, None also while those of a large one are found."""
        if self._full is None or not self.isVisible():
            self._previewed.forget()
            return None
        return self._previewed.changes(graph, in_background=len(self._full) > MANY)

    # --- what the user does ------------------------------------------------------------------------------------

    def _pick(self, names: tuple[str, ...], adding: bool) -> None:
        session = self._context.session
        if adding:
            kept = tuple(name for name in session.selection if name not in names)
            names = kept if len(kept) < len(session.selection) else (*session.selection, *names)
        session.select(names, origin=self)

    def _tip(self, vertex: int) -> str:
        model, picture = self._drawn, self.canvas.picture
        return describe_vertex(model, picture.graph, vertex) if model and picture else ""

    def _retarget(self, source: int, target: int, other: bool) -> None:
        self._editing.retarget(source, target, "numbers" if other else "pose", self)

    def _offer(self, source: int, target: int, other: bool) -> str:
        """Show in all views what a drop would do; return in words what it keeps."""
        edit, keeps = self._editing.offer(source, target, "numbers" if other else "pose")
        self._context.previews.show(edit)
        return keeps

    def _withdraw_offer(self) -> None:
        self._context.previews.show(None)

    def _focus_on(self, name: str) -> None:
        self._context.session.select((name,), origin=self)
        self.focus_wanted.emit()

    def _show_menu(self, position: QPoint) -> None:
        picture = self.canvas.picture
        if picture is None:
            return
        vertex = self.canvas.vertex_at(position)
        menu = FoldMenu(self)
        if vertex >= 0:
            menu = VertexMenu(self._context, self._part, picture.graph, vertex, self)
            menu.fold_toggled.connect(self.toggle_fold)
            menu.focus_wanted.connect(self._focus_on)
            menu.addSeparator()
        add_command(menu, FIT_ALL, self.canvas.fit, f"{FIT_ALL.text}\tHome")
        menu.add_folding(self.fold_all, self.can_fold_all)
        menu.exec(self.canvas.mapToGlobal(position))
        menu.deleteLater()
