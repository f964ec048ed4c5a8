"""The compare panel: differences between the two pose conventions, and conversions between the two forms."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from PySide6.QtCore import QItemSelection, QItemSelectionModel, QSignalBlocker, Qt, Signal
from PySide6.QtGui import QAction, QResizeEvent, QShowEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QComboBox,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QMenu,
    QPushButton,
    QSplitter,
    QTableView,
    QWidget,
)

from sdfviewer.diagnostics import SdfViewerError
from sdfviewer.display_text import as_sentence, visible
from sdfviewer.export.urdf import export_urdf
from sdfviewer.export.writing import Obstacle
from sdfviewer.files.paths import short_name
from sdfviewer.formats.registry import format_of
from sdfviewer.gui.compare.frame_tables import ANGLE, CAUSE, FRAME, METRES, SORTED, ConventionTable
from sdfviewer.gui.context.document_context import DocumentContext
from sdfviewer.gui.context.settings import Settings
from sdfviewer.gui.kit.fields import LENGTH
from sdfviewer.gui.kit.icons import icon
from sdfviewer.gui.kit.jobs import delayed
from sdfviewer.gui.kit.labels import ArrowDelegate, ElidedBox
from sdfviewer.gui.kit.safe_text import Markup, joined, markup, set_rich_text
from sdfviewer.gui.kit.theme import on_theme_change, tokens
from sdfviewer.gui.kit.widgets import column_of, named, row_of, set_menu, styled
from sdfviewer.model.kinematics.conventions import Comparison
from sdfviewer.model.model import Model
from sdfviewer.number_text import counted
from sdfviewer.session.read_only import describe_absence, why_nothing_moves
from sdfviewer.session.session_change import SessionChange

if TYPE_CHECKING:
    from sdfviewer.gui.compare.plot import SweepPlot

SOON_MILLISECONDS = 30
"""While a slider is dragged the 3D views come first: the table and the plot follow this much later."""
_BESIDE_NAME = 44
"""Pixels of a cell for its icon and margins."""
MOST_CURVES = 8
MOST_NAMES = 4
NARROW = 1000
"""Pixels of width below which the result names one cause, beside one button in place of three."""
LOW = 200
"""Pixels of height below which there is no plot, which could not be read, and the table has all the room."""
EQUAL = "No differences: every frame has the same pose in both conventions, at every joint position."
TO_URDF = "The model can be converted to URDF without changes."
SAME_NUMBERS = "The same numbers, read as SDFormat reads them and as URDF does"
IS_URDF = "No differences: in a URDF every pose is relative to an element, so both conventions agree."


class ComparePanel(QWidget):
    """The differences of one file.

    Attributes
    ----------
    is_empty
        Whether there are no differences to list.
    """

    #: The differences have been shown again.
    refreshed = Signal()

    def __init__(self, context: DocumentContext, settings: Settings, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        on_theme_change(self._later)
        self.context = context
        self.settings = settings
        self.table = ConventionTable(settings, self)
        self.plot: SweepPlot | None = None
        self.is_empty = False
        self._is_narrow = False
        self._sign = QLabel()
        self.verdict = named(
            QLabel(wordWrap=True, textInteractionFlags=Qt.TextInteractionFlag.LinksAccessibleByMouse), "Verdict"
        )
        self.verdict.linkActivated.connect(lambda name: context.session.select((name,), None))
        self.to_relative = QPushButton("To Element-Relative…")
        self.to_absolute = QPushButton("To Model-Absolute…")
        self.to_urdf = QPushButton("URDF Readiness…")
        self._buttons = (self.to_relative, self.to_absolute, self.to_urdf)
        self.convert = QPushButton("Convert")
        self._set_up_menu()
        self.view = named(QTableView(), "Differences")
        self.view.setModel(self.table)
        self._set_up_view()
        self.sweep = named(ElidedBox(), "Joint of the plot", "The joint that the plot moves through its range")
        self.sweep.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.sweep.setMinimumContentsLength(8)
        self.sweep.activated.connect(self._choose_sweep)
        self._sweep_chosen = False
        self._urdf: tuple[Comparison, str] | None = None
        # What the button says where it can be pressed.
        self._tip = ""
        self._ghost: QAction | None = None
        self._zero: QAction | None = None
        self._other: QAction | None = None
        self.quantity = named(ElidedBox(), "Quantity of the plot", "What the curves show")
        self.quantity.addItems(["", ""])
        self.quantity.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.quantity.setMinimumWidth(96)
        self._sweep_unit = styled(QLabel(), "muted")
        self.quantity.currentIndexChanged.connect(lambda _index: self._show_plot())
        self.reason = named(QLabel(wordWrap=True), "Reason")
        self.reason.setContentsMargins(8, 4, 8, 4)
        self.reason.setProperty("role", "muted")
        self._hint = styled(
            QLabel("Select frames to plot.", alignment=Qt.AlignmentFlag.AlignCenter, wordWrap=True), "muted"
        )
        self._lay_out()
        self._soon = delayed(self, self.refresh, SOON_MILLISECONDS)
        context.changed.connect(self._follow)
        settings.changed.connect(self._later)

    def _set_up_view(self) -> None:
        view = self.view
        view.setShowGrid(False)
        view.setWordWrap(False)
        # Scoped names begin alike.
        view.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        view.verticalHeader().hide()
        view.verticalHeader().setDefaultSectionSize(22)
        view.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        view.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        view.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        view.setTabKeyNavigation(False)
        header = view.horizontalHeader()
        header.setHighlightSections(False)
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        header.setMinimumSectionSize(80)
        metrics = header.fontMetrics()
        for column, widest in ((1, f"Distance [{LENGTH}]"), (2, "Rotated [deg]")):
            marked = f"{widest} {SORTED[Qt.SortOrder.DescendingOrder]}"
            header.resizeSection(column, metrics.horizontalAdvance(marked) + 24)
        header.setSectionResizeMode(FRAME, QHeaderView.ResizeMode.Fixed)
        header.setSectionResizeMode(CAUSE, QHeaderView.ResizeMode.Stretch)
        view.setItemDelegateForColumn(CAUSE, ArrowDelegate(view))
        header.setSortIndicator(METRES, Qt.SortOrder.DescendingOrder)
        view.setSortingEnabled(True)
        header.setSortIndicatorShown(False)  # the table says it
        self.table.layoutChanged.connect(self._show_sorted)
        view.selectionModel().selectionChanged.connect(self._select)
        self.setFocusProxy(view)

    def _set_up_menu(self) -> None:
        """Let a button offer what the three do, where these would leave the result no room."""
        menu = QMenu(self.convert, toolTipsVisible=True)
        entries = [(button, menu.addAction(button.text(), button.click)) for button in self._buttons]

        def follow() -> None:
            for button, entry in entries:
                entry.setEnabled(button.isEnabled())
                entry.setToolTip(button.toolTip())

        menu.aboutToShow.connect(follow)
        set_menu(self.convert, menu)
        self.convert.setToolTip("Convert to the other form, or see what is between the model and URDF")
        self.convert.hide()

    def _lay_out(self) -> None:
        top = row_of(margins=(8, 4, 8, 4), spacing=8)
        top.addWidget(self._sign, 0, Qt.AlignmentFlag.AlignTop)
        top.addWidget(self.verdict, 1, Qt.AlignmentFlag.AlignTop)
        for button in (*self._buttons, self.convert):
            top.addWidget(button, 0, Qt.AlignmentFlag.AlignTop)
        for label in (self._sign, self.verdict):  # one line is level with the buttons
            label.setMinimumHeight(self.convert.sizeHint().height())
        self._plotted = QWidget()
        self._right = column_of(parent=self._plotted, margins=(8, 0, 8, 4), spacing=4)
        row = QHBoxLayout()
        label = styled(QLabel("Sweep of"), "muted")
        row.addWidget(label)
        row.addWidget(self.sweep, 1)
        row.addWidget(self._sweep_unit)
        row.addWidget(self.quantity)
        self._right.addLayout(row)
        self._right.addWidget(self._hint, 1)
        self._split = QSplitter(Qt.Orientation.Horizontal, childrenCollapsible=False)
        left = QWidget()
        column_of((self.view, 1), self.reason, parent=left, margins=0, spacing=0)
        self._split.addWidget(left)
        self._split.addWidget(self._plotted)
        self._split.setStretchFactor(0, 7)
        self._split.setStretchFactor(1, 3)
        self._split.splitterMoved.connect(lambda _at, _index: self._share_columns())
        column = column_of(top, (self._split, 1), parent=self, margins=0, spacing=0)
        column.addStretch()  # below the result where there is nothing to list

    def set_actions(self, actions: Mapping[str, QAction]) -> None:
        """Let the buttons do what the menu does: show first what either form changes."""
        for button, id in (
            (self.to_relative, "refactor.element_relative"),
            (self.to_absolute, "refactor.model_absolute"),
            (self.to_urdf, "compare.urdf"),
        ):
            button.setToolTip(actions[id].toolTip())
            button.clicked.connect(actions[id].trigger)
        self._tip = self.to_relative.toolTip()
        self._ghost, self._zero, self._other = (actions[f"compare.{each}"] for each in ("ghost", "zero", "convention"))
        self._ghost.toggled.connect(self._choose_ghost)  # a lambda would keep this panel as long as the action

    @property
    def least_height(self) -> int:
        """The height that the result in words and the buttons need."""
        column = self.layout()
        assert column is not None
        return max(column.heightForWidth(self.width()), column.minimumSize().height())

    def _choose_ghost(self, _on: bool = False) -> None:
        """Let a ghost beside this panel be the other convention, which the panel is about."""
        if self._ghost is None or self._zero is None or self._other is None:
            return
        if self.isVisible() and self._ghost.isChecked() and self._zero.isChecked():
            self._other.trigger()

    # --- following -------------------------------------------------------------------------------------------------

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._plotted.setVisible(self.height() >= LOW)
        self.context.later.do(self._share_columns)  # the table has its width then
        if (self.width() < NARROW) is not self._is_narrow:
            self._is_narrow = not self._is_narrow
            for button in self._buttons:
                button.setVisible(not self._is_narrow)
            self.convert.setVisible(self._is_narrow)
            self._later()

    def _follow(self, change: SessionChange) -> None:
        if change.selection:
            self._mark_selection()
        if change.document or change.joints or change.selection:
            self._later()

    def _later(self) -> None:
        # A hidden panel must cost nothing.
        if self.isVisible() and not self._soon.isActive():
            self._soon.start()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if not event.spontaneous():
            # A switch of the workspace shows panels for a moment that are not part of it.
            self.context.later.do(self._begin)

    def _begin(self) -> None:
        """Show how things are now, where the panel is still in sight."""
        if not self.isVisible():
            return
        self.refresh()
        if not self.view.selectionModel().hasSelection():
            self.view.scrollToTop()  # it may have shown what was selected then
        self._choose_ghost()

    def refresh(self) -> None:
        """Show the differences at the present joint positions."""
        self._soon.stop()
        session = self.context.session
        comparison = session.comparison
        if comparison is None:
            self._show_absence()
            return
        self.table.show_differences(comparison, session.differences)
        self._share_columns()
        self._show_message(comparison)
        self._fill_sweep(comparison)
        self._mark_selection()
        self._show_plot()
        self.refreshed.emit()

    def _show_absence(self) -> None:
        """Say why there is nothing to compare."""
        self.table.show_differences(None, None)
        self._sign.clear()
        set_rich_text(self.verdict, markup("{why}", why=describe_absence(self.context.session)))
        for button in self._buttons:
            button.setEnabled(False)
        self.is_empty = True
        self._split.hide()
        self.refreshed.emit()

    def _share_columns(self) -> None:
        """Give the names of frames what they need, at most half of the room, and their causes all the rest.

        The angles have a column where something is rotated: without one there is more room for the names.
        """
        view, header = self.view, self.view.horizontalHeader()
        view.setColumnHidden(ANGLE, not self.table.has_rotated)
        taken = sum(header.sectionSize(column) for column in (METRES, ANGLE))
        names = self.table.longest_name(view.fontMetrics()) + _BESIDE_NAME
        header.resizeSection(FRAME, min(names, (view.viewport().width() - taken) // 2))

    def _show_message(self, comparison: Comparison) -> None:
        """Show the result in one sentence."""
        colours = tokens(self.palette())
        model = comparison.model
        known = format_of(model.document)
        names_frames = known is not None and known.capabilities.names_frames
        elsewhere = _why_converted_elsewhere(comparison)
        self.to_relative.setEnabled(names_frames and not elsewhere)
        self.to_relative.setToolTip(elsewhere or self._tip)
        self.to_absolute.setEnabled(names_frames)
        self.to_urdf.setEnabled(True)
        # Without differences there is nothing to list or plot.
        self.is_empty = comparison.equal
        self._split.setVisible(not comparison.equal)
        if comparison.equal:
            urdf = self._describe_urdf(comparison) if names_frames else ""
            # The tick is for the comparison: what URDF refuses is on a line of its own.
            lines = [EQUAL, urdf] if names_frames else [IS_URDF]
            set_rich_text(self.verdict, joined("<br>", (markup("{line}", line=line) for line in lines)))
            self._sign.setPixmap(icon("mdi6.check-circle-outline", "success").pixmap(16))
        else:
            parts = [self._cycle_text(comparison, cycle, colours.link) for cycle in comparison.own_cycles]
            causes = [int(cause) for cause in dict.fromkeys(comparison.causes.tolist()) if cause >= 0]
            frames = len(self.table.rows)
            total = int(model.is_vertex.sum())
            most = 1 if self._is_narrow else MOST_NAMES
            names = joined(", ", (self._link(model, row, colours.link) for row in causes[:most]))
            more = f" and {len(causes) - most} more" if len(causes) > most else ""
            apart = f"{SAME_NUMBERS}: {frames} of {total} frames differ"
            because = (
                markup(". Caused by the default frames of: {names}{more}", names=names, more=more) if causes else ""
            )
            parts.append(markup("{apart}{because}.", apart=apart, because=because))
            set_rich_text(self.verdict, joined("<br>", parts))
            circle = bool(comparison.own_cycles)
            sign, tone = ("mdi6.sync-alert", "error") if circle else ("mdi6.not-equal-variant", "warning")
            self._sign.setPixmap(icon(sign, tone).pixmap(16))

    def _describe_urdf(self, comparison: Comparison) -> str:
        """Return whether a model of equal conventions can become URDF, and why not."""
        if self._urdf is None or self._urdf[0] is not comparison:
            try:
                export = export_urdf(comparison.model)
            except SdfViewerError as error:
                text = f"It cannot be converted to URDF. {as_sentence(str(error))}"
            else:
                kinds = {note.obstacle for note in export.notes}
                others = sum(note.obstacle is not Obstacle.RENAMED for note in export.notes)
                noun, them = counted(others, "value"), "them" if others > 1 else "it"
                if Obstacle.LOST in kinds:
                    text = f"As URDF the file changes or loses {noun}; URDF Readiness lists {them}."
                else:
                    rewritten = f"As URDF {noun} must be written differently; URDF Readiness lists {them}."
                    text = rewritten if others else TO_URDF
            self._urdf = comparison, text
        return self._urdf[1]

    def _cycle_text(self, comparison: Comparison, cycle: list[int], tone: str) -> Markup:
        path = joined(" → ", (self._link(comparison.model, row, tone) for row in [*cycle, cycle[0]]))
        return markup("Cycle in the URDF convention: {path}", path=path)

    @staticmethod
    def _link(model: Model, row: int, tone: str) -> Markup:
        name = model.names[row]
        short = name.removeprefix(f"{model.names[0]}::")
        link = '<a href="{name}" style="color: {tone}; text-decoration: none;">{short}</a>'
        return markup(link, name=name, tone=tone, short=short)

    # --- selection -------------------------------------------------------------------------------------------------

    def _select(self, _selected: QItemSelection, _deselected: QItemSelection) -> None:
        model = self.context.session.model
        if model is not None:
            chosen = [self.table.rows[index.row()] for index in self.view.selectionModel().selectedRows()]
            self.context.session.select((model.names[row] for row in chosen), self)
            self._show_plot()

    def _show_sorted(self) -> None:
        self.view.scrollToTop()
        self._mark_selection()

    def _mark_selection(self) -> None:
        """Select in the table what is selected elsewhere."""
        model = self.context.session.model
        if model is None:
            return
        wanted = {model.rows_by_name[name] for name in self.context.session.selection if name in model.rows_by_name}
        selection = QItemSelection()
        numbers = [number for number, row in enumerate(self.table.rows) if row in wanted]
        for number in numbers:
            selection.select(self.table.index(number, 0), self.table.index(number, CAUSE))
        with QSignalBlocker(self.view.selectionModel()):
            self.view.selectionModel().select(selection, QItemSelectionModel.SelectionFlag.ClearAndSelect)
        self.view.viewport().update()
        self.reason.setVisible(bool(numbers))
        if numbers:
            self.reason.setText(self.table.reason(numbers[-1]))
            self.view.scrollTo(self.table.index(numbers[-1], 0))

    # --- plot ------------------------------------------------------------------------------------------------------

    def _fill_sweep(self, comparison: Comparison) -> None:
        names = [dof.name for dof in comparison.absolute.kinematics.dofs if dof.leader is None]
        if names == [self.sweep.itemData(index) for index in range(self.sweep.count())]:
            return
        before = self.sweep.currentData()
        with QSignalBlocker(self.sweep):
            self.sweep.clear()
            for name in names:
                self.sweep.addItem(visible(name.removeprefix(f"{comparison.model.names[0]}::")), name)
            self.sweep.setCurrentIndex(max(self.sweep.findData(before), 0))

    def _choose_sweep(self, _index: int) -> None:
        self._sweep_chosen = True
        self._show_plot()

    def _suggest_sweep(self, comparison: Comparison, row: int) -> None:
        """Sweep the joint right below a frame, until the user chooses one."""
        kinematics = comparison.absolute.kinematics
        free = {dof.joint.row: dof.name for dof in reversed(kinematics.dofs) if dof.leader is None}
        for joint in kinematics.joints_above(row):
            if joint.row in free and not self._sweep_chosen:
                self.sweep.setCurrentIndex(self.sweep.findData(free[joint.row]))
                break

    def _show_plot(self) -> None:
        session = self.context.session
        comparison, kinematics, model = session.comparison, session.kinematics, session.model
        if comparison is None or kinematics is None or model is None:
            return
        rows = [model.rows_by_name[name] for name in session.selection if name in model.rows_by_name]
        # Without a selection, plot the frames that are farthest apart.
        rows = [row for row in rows if model.kinds[row].is_vertex] or self.table.farthest[:3]
        if rows:
            self._suggest_sweep(comparison, rows[0])
        unit = self.settings.angle_unit.value
        for index, text in enumerate((f"distance [{LENGTH}]", f"rotation [{unit}]")):
            self.quantity.setItemText(index, text)
        columns = [column for column, dof in enumerate(kinematics.dofs) if dof.name == self.sweep.currentData()]
        self._sweep_unit.setText(unit if columns and kinematics.dofs[columns[0]].unit == "rad" else LENGTH)
        shown = bool(rows and columns) and not comparison.equal
        self._hint.setText("" if shown else why_nothing_moves(session))
        self._hint.setVisible(not shown or self.plot is None)
        if shown and self.plot is None:
            self.context.later.do(self._make_plot, last=True)  # what it needs would hold up the 3D views beside it
        if self.plot is not None:
            self.plot.setVisible(shown)
            if shown:
                q = kinematics.positions(session.positions)
                angles = self.quantity.currentIndex() == 1
                self.plot.show_sweep(comparison, q, columns[0], rows[:MOST_CURVES], angles=angles)

    def _make_plot(self) -> None:
        from sdfviewer.gui.compare.plot import SweepPlot  # noqa: PLC0415  # most sessions never plot

        self.plot = SweepPlot(self.settings)
        self.plot.hide()
        self._right.addWidget(self.plot, 1)
        self.context.later.do(self._show_plot)  # its curves take a pass of their own


def _why_converted_elsewhere(comparison: Comparison) -> str:
    """Return why converting the file would change no frame that differs: included files hold them all; else nothing."""
    model = comparison.model
    causes = {int(cause) for cause in comparison.causes.tolist() if cause >= 0}
    if not causes or any(model.sources[cause] is None for cause in causes):
        return ""
    paths = {model.document_of(cause).path for cause in causes}
    files = ", ".join(sorted(short_name(path) for path in paths if path is not None))
    return f"All frames that differ are defined in included files: convert {files or 'these'} instead."
