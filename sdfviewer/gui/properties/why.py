"""*Why here?*: the chain of frames from the root to the selection."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from pathlib import Path

import numpy as np
from PySide6.QtCore import QAbstractListModel, QModelIndex, QPersistentModelIndex, QPoint, QRect, QSize, Qt
from PySide6.QtGui import QColor, QFocusEvent, QFont, QFontMetrics, QGuiApplication, QPainter, QResizeEvent
from PySide6.QtWidgets import QApplication, QListView, QMenu, QStyle, QStyledItemDelegate, QStyleOptionViewItem

from sdfviewer.diagnostics import Span
from sdfviewer.display_text import NO_NAME, visible
from sdfviewer.formats.registry import writing_of
from sdfviewer.gui.context.document_context import DocumentContext
from sdfviewer.gui.context.settings import Settings
from sdfviewer.gui.kit.commands import SHOW_IN_SOURCE, add_command
from sdfviewer.gui.kit.fields import WIDE_NUMBER, fitting_text, from_radians
from sdfviewer.gui.kit.icons import icon, kind_icon
from sdfviewer.gui.kit.theme import Tokens, tokens
from sdfviewer.model import graph
from sdfviewer.model.explanation import ExplanationStep, explain_pose
from sdfviewer.model.model import Model
from sdfviewer.refactoring.pose_moving import Move
from sdfviewer.refactoring.pose_notation import FORMS, as_xyz_rpy
from sdfviewer.session.session_change import SessionChange
from sdfviewer.transforms import Array, invert, matrix_to_pose

Index = QModelIndex | QPersistentModelIndex

STEP = Qt.ItemDataRole.UserRole + 1
PADDING = 8
#: Metres and radians by which a frame must have moved to be shown as moved.
_MOVED = 1e-9
INDENT = 22
"""Width of the icon before a step and the gap behind it."""
CAPTION = 32
"""Width of the captions before the numbers."""
_SIGN = 18
"""Width of the sign before what is wrong with a step, and the gap behind it."""
_GAP = 10
"""Least pixels between two numbers."""
_LEAST_FAULT = 64
"""Pixels of the shortest line about what is wrong."""
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


@dataclass(frozen=True)
class WhyStep:
    """One frame of the chain in words.

    `edge_parts`, words and names in turn, say what it names and whether that is written; `fault` why the chain ends
    here, or is empty; `raw` holds x y z roll pitch yaw as written, under `caption`.
    """

    row: int
    name: str
    kind: str
    edge_parts: tuple[str, ...]
    written: bool
    raw: tuple[float, ...]
    X_RF: Array
    X_RootF: Array
    span: Span
    fault: str = ""
    caption: str = "raw"

    @cached_property
    def running(self) -> list[float]:
        """The running pose, x y z roll pitch yaw."""
        return list(map(float, matrix_to_pose(self.X_RootF)))

    @property
    def edge(self) -> str:
        """What it names, in words."""
        return "".join(self.edge_parts)


def _in_words(model: Model, step: ExplanationStep) -> WhyStep:
    target = step.relative_to
    edge: tuple[str, ...]
    if target == graph.ROOT and not step.fault:
        edge = ("the root",)
    else:
        written = model.relative_to_written[step.row]
        if written:
            name = model.reference_label(written, target)
        else:
            name = model.local_names[target] if target >= 0 else "nothing"
        edge = ("in ", name, "" if step.is_written else " by default")
    if step.placement is not None:
        edge = (*edge[:-1], f"{edge[-1]}, placed by ", model.local_names[step.placement.row])
    name, kind = model.local_names[step.row] or NO_NAME, model.kinds[step.row].value
    return WhyStep(
        step.row, name, kind, edge, step.is_written, step.raw, step.X_RF, step.X_RootF, step.span, step.fault
    )


def _dragged(step: WhyStep, model: Model, move: Move) -> WhyStep:
    """Return a step where the mouse has dragged its frame to."""
    X_RootF = move.X_zero[step.row]
    X_RF = step.X_RF if step.row == 0 else move.raw_poses([step.row])[0]
    if step.row == 0 or np.allclose(X_RF, model.raw_poses[step.row], atol=_MOVED, equal_nan=True):
        return replace(step, X_RootF=X_RootF)
    return replace(step, raw=tuple(matrix_to_pose(X_RF).tolist()), X_RF=X_RF, X_RootF=X_RootF)


def _after_motion(model: Model, row: int, X_RootF: Array, reference: int, last: WhyStep) -> list[WhyStep]:
    """Return the lines after the initial pose: where the joints have moved a row, and the two frames of a joint.

    They are measured from a reference G, which the joints may have moved, too, as the pose of the last step is.
    """
    steps = []
    X_GRoot = invert(X_RootF[reference])
    X_GF = X_GRoot @ X_RootF[row]
    X_FF = invert(last.X_RootF) @ X_GF
    if np.isfinite(X_FF).all() and not np.allclose(X_FF, np.eye(4), atol=_MOVED):
        raw = tuple(matrix_to_pose(X_FF).tolist())
        step = replace(last, edge_parts=("moved by the joints",), written=True, raw=raw, X_RF=X_FF, X_RootF=X_GF)
        steps.append(replace(step, caption="by"))
    from sdfviewer.model.kinematics.conventions import resolve_joint_frames  # noqa: PLC0415  # not needed for the first picture

    joint = model.joints_by_row.get(row)
    frames = None if joint is None else resolve_joint_frames(model, joint, X_RootF)
    if frames is None:
        return steps
    parent = model.local_names[frames.parent] if frames.parent >= 0 else "world"
    X_GJp = X_GF @ invert(frames.X_JpJc)
    for name, edge, X, X_GJ in (
        ("Jp", ("in parent ", parent, ": X_PJp"), frames.X_PJp, X_GJp),
        ("Jc", ("in child ", model.local_names[frames.child], ": X_CJc"), frames.X_CJc, X_GF),
        ("Jc", ("in Jp: X_JpJc(q)",), frames.X_JpJc, X_GF),
    ):
        raw = tuple(matrix_to_pose(X).tolist())
        step = replace(last, name=name, edge_parts=edge, written=False, raw=raw, X_RF=X, X_RootF=X_GJ, fault="")
        steps.append(replace(step, caption="pose"))
    return steps


def _are_zeros(step: WhyStep) -> tuple[bool, bool]:
    """Return whether the written and the running pose of a step are six zeros, which take one line anywhere."""
    return not any(step.raw), not any(step.running)


def _what_takes_room(step: WhyStep) -> tuple[object, ...]:
    return step.edge_parts, step.fault, _are_zeros(step)


class _Chain(QAbstractListModel):
    def __init__(self, view: WhyView) -> None:
        super().__init__(view)
        self._view = view
        self.steps: list[WhyStep] = []

    def show_steps(self, steps: list[WhyStep]) -> bool:
        """Show other steps, and return whether they may be higher or lower: not so in each turn of a drag."""
        before = self.steps
        if [(step.row, step.name) for step in steps] == [(step.row, step.name) for step in before]:
            self.steps = steps
            self.dataChanged.emit(self.index(0, 0), self.index(len(steps) - 1, 0))
            return list(map(_what_takes_room, steps)) != list(map(_what_takes_room, before))
        self.beginResetModel()
        self.steps = steps
        self.endResetModel()
        return True

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self.steps)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        step = self.steps[index.row()]
        if role == STEP:
            return step
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return f"{step.kind} {step.name}, {step.edge}{', ' + step.fault if step.fault else ''}"
        if role == Qt.ItemDataRole.ToolTipRole:
            lines = [f"{step.kind} {step.name}: {step.fault or step.edge}", self._view.place_of(step)]
            lines.append(f"raw pose  {as_xyz_rpy(step.X_RF)}")
            if np.isfinite(step.X_RootF).all():
                lines.append(f"in the root  {as_xyz_rpy(step.X_RootF)}")
            return "\n".join(lines)
        return None


class WhyView(QListView):
    """The chain; a click selects a step's frame, a double click shows its place in the source."""

    def __init__(self, context: DocumentContext, settings: Settings) -> None:
        super().__init__()
        self.context = context
        self.settings = settings
        self.setAccessibleName("Why here: the chain of frames behind the pose")
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setResizeMode(QListView.ResizeMode.Adjust)
        self.setMouseTracking(True)
        self.reference = "root"
        self.follows_joints = False
        self._chain = _Chain(self)
        self.setModel(self._chain)
        self.setItemDelegate(_StepDelegate(self))
        self.activated.connect(lambda index: self._open_place(index.data(STEP)))
        self.doubleClicked.connect(lambda index: self._open_place(index.data(STEP)))
        self.entered.connect(lambda index: context.highlights.hover(self._scoped(index)))
        self.selectionModel().currentChanged.connect(lambda current, _: self._show_step(current.row()))
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.customContextMenuRequested.connect(self._open_menu)
        settings.changed.connect(self.viewport().update)
        context.changed.connect(self._end_steps)

    @property
    def steps(self) -> list[WhyStep]:
        """The steps shown, the root first."""
        return self._chain.steps

    @property
    def written_step(self) -> WhyStep:
        """The step whose numbers say where the frame is before the joints move it: in a URDF that of its joint."""
        return self._written

    def show_row(
        self, model: Model, row: int, reference: int = 0, X_RootF: Array | None = None, move: Move | None = None
    ) -> None:
        """Show the chain behind a row of the frame table, its running poses measured from ``reference``.

        ``X_RootF`` are the poses (n, 4, 4) of all rows at the current joint positions: the chain leads to the initial
        pose, and the last step from there to where the joints have moved the row. During a ``move`` all is where the
        mouse has dragged it to.
        """
        steps = [_in_words(model, step) for step in explain_pose(model, row)]
        if move is not None:
            steps = [_dragged(step, model, move) for step in steps]
        writer = writing_of(model, row).rows_at(model, row)[0]
        self._written = next((step for step in steps if step.row == writer), steps[-1])
        self.reference = "root" if reference == 0 else model.local_names[reference]
        self.follows_joints = row in model.joints_by_row
        if reference != 0:
            X_GRoot = invert(model.X_RootF[reference] if move is None else move.X_zero[reference])
            steps = [replace(step, X_RootF=X_GRoot @ step.X_RootF) for step in steps]
        if X_RootF is not None:
            moved = _after_motion(model, row, X_RootF, reference, steps[-1])
            self.follows_joints |= bool(moved)
            steps += moved
        if self._chain.show_steps(steps):
            self._fit()

    def _fit(self) -> None:
        """Take the height of all steps: the panel around the list scrolls, not the list."""
        self.setFixedHeight(sum(map(self.sizeHintForRow, range(len(self.steps)))) + 4 if self.steps else 0)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.scheduleDelayedItemsLayout()
            self._fit()

    def step_to(self, number: int) -> None:
        """Walk from the root to one of the steps: the 3D view and the graphs point out the way so far."""
        index = self._chain.index(number, 0)
        self.setCurrentIndex(index)
        self.scrollTo(index)
        self._show_step(number)

    def _show_step(self, number: int) -> None:
        model = self.context.session.model
        if model is None or number < 0:
            return
        names = tuple(model.names[step.row] for step in self.steps[: number + 1])
        self.context.highlights.show_chain(names)
        self.context.highlights.hover(names[-1])

    def _end_steps(self, change: SessionChange) -> None:
        """Show no step of what was selected before; a chain that is shown again begins again."""
        if change.document or change.selection:
            self.selectionModel().clear()
            self.context.highlights.show_chain(())

    def focusOutEvent(self, event: QFocusEvent) -> None:
        if event.reason() != Qt.FocusReason.PopupFocusReason:
            self.context.highlights.show_chain(())
        super().focusOutEvent(event)

    def _open_menu(self, at: QPoint) -> None:
        """Offer the poses of a step in every form, and its frame."""
        index = self.indexAt(at)
        if not index.isValid():
            return
        step: WhyStep = index.data(STEP)
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addAction("Select", lambda: self.context.session.select((self._scoped(index) or "",), None))
        add_command(menu, SHOW_IN_SOURCE, lambda: self._open_place(step))
        for caption, X in (("Copy Raw Pose", step.X_RF), (f"Copy Pose in {self.reference}", step.X_RootF)):
            forms = menu.addMenu(caption)
            forms.setEnabled(bool(np.isfinite(X).all()))
            for name, form in FORMS.items():
                forms.addAction(name, partial(_copy, form, X))
        menu.popup(self.viewport().mapToGlobal(at))

    def _scoped(self, index: Index) -> str | None:
        model = self.context.session.model
        return None if model is None else model.names[index.data(STEP).row]

    def _open_place(self, step: WhyStep) -> None:
        self.context.requests.open_place(step.span, self.context.session.document)

    def place_of(self, step: WhyStep) -> str:
        """Return the line that writes a step, behind the name of its file where that is not the open one."""
        line, path = step.span.line, step.span.path
        return f"line {line}" if path == self.context.session.document.name else f"{Path(path).name}:{line}"

    def leaveEvent(self, event: object) -> None:
        self.context.highlights.hover(None)
        super().leaveEvent(event)  # type: ignore[arg-type]


def _copy(form: Callable[[Array], str], X: Array) -> None:
    QGuiApplication.clipboard().setText(form(X))


class _StepDelegate(QStyledItemDelegate):
    """Name, edge and place; raw and running pose as columns of numbers."""

    def __init__(self, view: WhyView) -> None:
        super().__init__(view)
        self._view = view

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        metrics, step = option.fontMetrics, index.data(STEP)
        lines = self._heading(index, option.font).lines + sum(
            self._lines_of_pose(metrics, is_zero=is_zero) for is_zero in _are_zeros(step)
        )
        return QSize(0, lines * (metrics.height() + 2) + self._fault_height(step, metrics) + PADDING)

    def _heading(self, index: Index, font: QFont) -> StepHeading:
        """Return what is above the numbers of a step; the name of the last one is bold."""
        step: WhyStep = index.data(STEP)
        # Where it leads nowhere, the lines below say so.
        edge = () if step.fault else tuple(map(visible, step.edge_parts))
        room = self._view.viewport().width() - 2 * PADDING - INDENT
        name_metrics = QFontMetrics(_name_font(index, font))
        return fit_heading(visible(step.name), edge, self._view.place_of(step), room, QFontMetrics(font), name_metrics)

    def _fault_height(self, step: WhyStep, metrics: QFontMetrics) -> int:
        """Return the height of the lines that say why a step leads nowhere, 0 where it leads to a frame."""
        if not step.fault:
            return 0
        room = self._view.viewport().width() - 2 * PADDING - INDENT - _SIGN
        box = QRect(0, 0, max(room, _LEAST_FAULT), 1000)
        return metrics.boundingRect(box, int(Qt.TextFlag.TextWordWrap), visible(step.fault)).height() + 2

    def _lines_of_pose(self, metrics: QFontMetrics, *, is_zero: bool) -> int:
        """Return how many lines the six numbers of a pose take: two where one is too narrow, but not for six zeros."""
        room = self._view.viewport().width() - 2 * PADDING - INDENT - CAPTION
        return 1 if is_zero or room >= 6 * (metrics.horizontalAdvance(WIDE_NUMBER) + _GAP) else 2

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        step: WhyStep = index.data(STEP)
        colours = tokens(option.palette)
        if option.state & QStyle.StateFlag.State_Selected:
            colours = replace(colours, muted=colours.text, link=colours.text)
        style = option.widget.style() if option.widget else QApplication.style()
        style.drawPrimitive(QStyle.PrimitiveElement.PE_PanelItemViewItem, option, painter, option.widget)
        painter.save()
        line = option.fontMetrics.height() + 2
        box = option.rect.adjusted(PADDING, PADDING // 2, -PADDING, -PADDING // 2)
        self._paint_rail(painter, option.rect, index, colours)
        resolved = bool(np.isfinite(step.X_RootF).all())
        kind_icon(step.kind, resolved=resolved).paint(painter, QRect(box.left(), box.top() + 1, 16, 16))
        box.setLeft(box.left() + INDENT)
        first = QRect(box.left(), box.top(), box.width(), line)
        bold, shown = _name_font(index, option.font), self._heading(index, option.font)
        painter.setPen(QColor(colours.muted))
        painter.drawText(first, _RIGHT, shown.place)
        painter.setPen(QColor(colours.link if step.written else colours.muted))
        last = first.translated(0, line * (shown.lines - 1))
        behind = 0 if shown.lines > 1 else QFontMetrics(bold).horizontalAdvance(shown.name) + GAP
        painter.drawText(last.adjusted(behind, 0, 0, 0), _LEFT, shown.edge)
        painter.setFont(bold)
        painter.setPen(QColor(colours.text))
        painter.drawText(first, _LEFT, shown.name)
        painter.setFont(option.font)
        second = last.translated(0, line)
        if step.fault:
            height = self._fault_height(step, option.fontMetrics)
            self._paint_fault(painter, QRect(second.topLeft(), QSize(second.width(), height)), step.fault, colours)
            second.translate(0, height)
        self._paint_numbers(painter, second, step.caption, step.raw, colours, option.fontMetrics)
        second.translate(0, line * self._lines_of_pose(option.fontMetrics, is_zero=not any(step.raw)))
        reference = option.fontMetrics.elidedText(
            visible(self._view.reference), Qt.TextElideMode.ElideRight, CAPTION - 4
        )
        self._paint_numbers(painter, second, reference, step.running, colours, option.fontMetrics)
        painter.restore()

    def _paint_fault(self, painter: QPainter, room: QRect, fault: str, colours: Tokens) -> None:
        """Say below the name why it leads nowhere: of that, no word may be missing."""
        icon("mdi6.close-octagon", "error").paint(painter, QRect(room.left(), room.top() + 1, 14, 14))
        painter.setPen(QColor(colours.error))
        painter.drawText(room.adjusted(_SIGN, 0, 0, 0), int(Qt.TextFlag.TextWordWrap), visible(fault))

    def _paint_rail(self, painter: QPainter, rect: QRect, index: Index, colours: Tokens) -> None:
        """Join the icons of the chain by a line."""
        x = rect.left() + PADDING + 8
        painter.setPen(QColor(colours.border_strong))
        if index.row() > 0:
            painter.drawLine(x, rect.top(), x, rect.top() + PADDING // 2 - 1)
        if index.row() < index.model().rowCount() - 1:
            painter.drawLine(x, rect.top() + PADDING // 2 + 20, x, rect.bottom())

    def _paint_numbers(
        self,
        painter: QPainter,
        box: QRect,
        caption: str,
        xyzrpy: Sequence[float],
        colours: Tokens,
        metrics: QFontMetrics,
    ) -> None:
        """Paint six numbers in columns."""
        painter.setPen(QColor(colours.muted))
        painter.drawText(box, _LEFT, caption)
        unit = self._view.settings.angle_unit
        columns = 6 // self._lines_of_pose(metrics, is_zero=not any(xyzrpy))
        width = (box.width() - CAPTION) / columns
        for number, value in enumerate(xyzrpy):
            shown = from_radians(value, unit) if number >= 3 else value
            text = fitting_text(shown, int(width) - _GAP, metrics)
            painter.setPen(QColor(colours.muted if text in ("0", "–") else colours.text))
            line, column = divmod(number, columns)
            left, top = round(box.left() + CAPTION + column * width), box.top() + line * box.height()
            cell = QRect(left, top, round(width), box.height())
            painter.drawText(cell, _RIGHT, text)


def _name_font(index: Index, font: QFont) -> QFont:
    named = QFont(font)
    named.setBold(index.row() == index.model().rowCount() - 1)
    return named


GAP = 8
"""Pixels between a name, what it names, and the place that writes it."""
_LEAST_LETTERS = 11
"""So much of a place is shown at least: the line and the end of the name of its file."""


@dataclass(frozen=True)
class StepHeading:
    """The texts above the numbers, and in how many lines they are: the edge has a line of its own, or none."""

    name: str
    edge: str
    place: str
    lines: int = 1


def fit_heading(
    name: str, edge: Sequence[str], place: str, room: int, metrics: QFontMetrics, name_metrics: QFontMetrics
) -> StepHeading:
    """Fit a name, the edge to what it names, and the place that writes it into so many pixels.

    In ``edge``, words and names follow each other, words first; it is empty where nothing is named. The file of the
    place is elided first. Where one line does not hold the names whole, the edge has the second line for itself: joints
    such as ``shoulder_pan_joint`` and ``shoulder_lift_joint`` differ in the letters that an ellipsis takes. A word is
    never left out: without *in* the edge says nothing, and without *by default* something else.
    """
    width, words, names = name_metrics.horizontalAdvance(name), edge[::2], edge[1::2]
    least = min(metrics.horizontalAdvance(place), _LEAST_LETTERS * metrics.averageCharWidth())
    beside = GAP + metrics.horizontalAdvance("".join(edge)) if edge else 0
    lines = 1 if not edge or width + beside + GAP + least <= room else 2
    place_room = room - GAP - width - (beside if lines == 1 else 0)
    place = _elided(place, max(place_room, least), metrics, Qt.TextElideMode.ElideLeft)
    if lines == 2 or not edge:
        name = _elided(name, room - GAP - metrics.horizontalAdvance(place), name_metrics)
    spare = room - sum(map(metrics.horizontalAdvance, words))
    shares = _shares(list(map(metrics.horizontalAdvance, names)), spare)
    shown = [_elided(each, share, metrics) for each, share in zip(names, shares, strict=True)]
    pairs = zip(words, [*shown, ""], strict=False)
    return StepHeading(name, "".join(text for pair in pairs for text in pair), place, lines)


def _shares(widths: Sequence[int], room: int) -> list[int]:
    """Share the room equally; what a narrow text leaves is for the wider ones."""
    shares = [0] * len(widths)
    for number, at in enumerate(sorted(range(len(widths)), key=widths.__getitem__)):
        shares[at] = min(widths[at], max(room, 0) // (len(widths) - number))
        room -= shares[at]
    return shares


def _elided(text: str, room: int, metrics: QFontMetrics, mode: Qt.TextElideMode = Qt.TextElideMode.ElideMiddle) -> str:
    if metrics.horizontalAdvance(text) <= room:  # elidedText counts fractions of pixels, too
        return text
    return metrics.elidedText(text, mode, room) or "…"
