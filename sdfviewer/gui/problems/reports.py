"""Reports on the whole file: its names, what URDF requires, and the files that it references."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, TypeVar, cast

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QHeaderView,
    QLabel,
    QPushButton,
    QTreeWidget,
    QTreeWidgetItem,
    QWidget,
)

from sdfviewer.diagnostics import Diagnostic
from sdfviewer.display_text import as_sentence, with_capital
from sdfviewer.export.certificate import Readiness, UrdfObstacle, check_urdf_readiness
from sdfviewer.formats.registry import describe_format
from sdfviewer.gui.context.document_context import DocumentContext
from sdfviewer.gui.context.missing import Missing
from sdfviewer.gui.context.topics import Requests
from sdfviewer.gui.kit.icons import icon, severity_icon
from sdfviewer.gui.kit.jobs import Background
from sdfviewer.gui.kit.widgets import STRETCH, column_of, named, row_of, styled
from sdfviewer.model.model import Model
from sdfviewer.scene.assets import Asset, find_assets
from sdfviewer.session.session import Session
from sdfviewer.session.session_change import SessionChange
from sdfviewer.validation.name_rules import check_portable_names
from sdfviewer.versions import NEWEST, format_version

_NAMES = 2
"""The hundreds digit of the rules about names."""
_VALUE = Qt.ItemDataRole.UserRole
"""What a row is about: its `span` and frames are shown when it is selected."""
_Found = TypeVar("_Found")


class FileReport(QDialog):
    """A sentence above a list, which may be worked out in the background.

    Attributes
    ----------
    summary, list
        The sentence and the list.
    """

    def __init__(self, title: str, summary: str, columns: Sequence[str], size: QSize, parent: QWidget | None) -> None:
        super().__init__(parent)
        self.setWindowTitle(title)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.resize(size)
        self.summary = named(QLabel(summary, wordWrap=True), "Summary")
        self.list = named(QTreeWidget(), title)
        self.list.setHeaderLabels(columns)
        self.list.header().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.rejected.connect(self.reject)
        self.column = column_of(self.summary, (self.list, 1), buttons, parent=self, margins=16, spacing=8)
        self._background = Background()
        self.finished.connect(self._background.stop)

    def work_out(self, job: Callable[[], _Found], show: Callable[[_Found], object]) -> None:
        """Show what a job in the background returns; where it fails the summary says why."""
        self._background.run(job, show, lambda error: self.summary.setText(as_sentence(str(error))))

    def lead(self, session: Session, requests: Requests, frames_of: Callable[[Any], Sequence[str]]) -> None:
        """Let a click on a row with a value select its frames and show its place in the source."""

        def show() -> None:
            for value in [value for item in self.list.selectedItems() if (value := item.data(0, _VALUE)) is not None]:
                requests.show_place(value.span)
                session.select(frames_of(value), None)

        self.list.itemSelectionChanged.connect(show)


def naming_problems(diagnostics: Sequence[Diagnostic]) -> list[Diagnostic]:
    """Return the diagnostics about names, of any severity, in the order of the file."""
    return [each for each in diagnostics if each.rule.phase == _NAMES]


def portable_name_problems(model: Model) -> list[Diagnostic]:
    """Return the names that the version of the file allows and a later one does not."""
    problems = []
    for each in check_portable_names(model):
        place = model.document_of(each.rows[0]).span(each.location.element, each.location.part)
        frames = tuple(model.names[row] for row in each.rows)
        problems.append(Diagnostic(each.rule, each.rule.severity, each.message, place, frames=frames))
    return problems


class NamingReport(FileReport):
    """All diagnostics about names, whatever the version of the file requires."""

    def __init__(self, session: Session, requests: Requests, parent: QWidget | None = None) -> None:
        model, newest = session.model, format_version(NEWEST)
        own = "" if model is None else f"This file is {describe_format(model)}. "
        summary = (
            "Since SDFormat 1.7 siblings must have different names, regardless of their kind, and some names are "
            f"reserved. {own}The report applies the rules of {newest}."
        )
        super().__init__("Naming Report", summary, ("Line", "Rule", "Problem"), QSize(760, 420), parent)
        self.list.setRootIsDecorated(False)
        self.list.setAlternatingRowColors(True)
        self.lead(session, requests, lambda problem: problem.frames)
        self.problems = naming_problems(session.diagnostics)
        self.problems += [] if model is None else portable_name_problems(model)
        for problem in self.problems:
            line = str(problem.span.line) if problem.span is not None else ""
            item = QTreeWidgetItem(self.list, [line, problem.rule.name, problem.message])
            item.setIcon(0, severity_icon(problem.severity))
            item.setToolTip(2, problem.message)
            item.setData(0, _VALUE, problem)
        if not self.problems:
            self.list.hide()
            fine = styled(
                QLabel(f"All names are valid in SDFormat {newest}.", alignment=Qt.AlignmentFlag.AlignCenter), "muted"
            )
            self.column.insertWidget(1, fine, 1)


class UrdfReadiness(FileReport):
    """The requirements of URDF with what does not meet them; a click selects the frame and shows its place."""

    #: The model has been judged.
    judged = Signal()

    def __init__(self, session: Session, requests: Requests, parent: QWidget | None = None) -> None:
        super().__init__("URDF Readiness", "Checking the model…", ("Requirement", "Line"), QSize(760, 480), parent)
        self.list.header().setStretchLastSection(False)
        self.list.header().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        self.lead(session, requests, lambda obstacle: (obstacle.frame,))
        self.readiness: Readiness | None = None
        # An export of a large robot takes longer than a window may wait.
        self.work_out(partial(check_urdf_readiness, cast(Model, session.model)), self._fill)

    def _fill(self, readiness: Readiness) -> None:
        self.readiness = readiness
        self.summary.setText(f"{with_capital(readiness.verdict)}.")
        self.list.setVisible(not readiness.refusal)
        met = icon("mdi6.check-circle-outline", "success")
        unmet = icon("mdi6.alert-outline", "warning")
        for requirement, obstacles in readiness.requirements.items():
            count = f" ({len(obstacles)})" if obstacles else ""
            item = QTreeWidgetItem(self.list, [f"{with_capital(requirement)}{count}"])
            item.setIcon(0, unmet if obstacles else met)
            for obstacle in obstacles:
                _add_obstacle(item, obstacle)
            item.setExpanded(True)
        self.judged.emit()


def _add_obstacle(requirement: QTreeWidgetItem, obstacle: UrdfObstacle) -> None:
    text = f"'{obstacle.frame}': {obstacle.message}"
    item = QTreeWidgetItem(requirement, [text, str(obstacle.span.line)])
    item.setToolTip(0, f"{text}\n{obstacle.span.path}:{obstacle.span.line}")
    item.setData(0, _VALUE, obstacle)


class ResourcesDialog(FileReport):
    """Lists the files that a model names; those with a problem come first, and unfold to the paths that were tried.

    Attributes
    ----------
    answers
        The buttons that may find what is missing.
    """

    def __init__(self, context: DocumentContext, parent: QWidget | None = None) -> None:
        columns = ("Kind", "Name", "Line", "Size", "Triangles", "Found")
        super().__init__("Resources", "", columns, QSize(960, 480), parent)
        self._context = context
        self.answers: list[QPushButton] = []
        self._row = row_of(STRETCH, margins=0, spacing=8)
        self.column.insertLayout(1, self._row)
        context.changed.connect(self._follow)
        self._read()

    def _follow(self, change: SessionChange) -> None:
        if change.document:  # also where folders were added, or models have been downloaded
            self._read()

    def _read(self) -> None:
        session = self._context.session
        if session.model is not None:
            self.summary.setText("Reading meshes…")
            self.work_out(partial(find_assets, session.model, session.finder.fresh()), self._fill)

    def _offer(self, missing: Missing) -> None:
        """Show the buttons that may find what is missing."""
        for button in self.answers:
            button.hide()
            button.deleteLater()
        self.answers = []
        for label, act in missing.answers(self._context.requests, self._context.session.path).items():
            button = QPushButton(label, autoDefault=False)
            button.clicked.connect(act)
            self._row.insertWidget(len(self.answers), button)
            self.answers.append(button)

    def _fill(self, found: list[Asset]) -> None:
        bad = sum(bool(asset.problem) for asset in found)
        only_here = sum(bool(asset.only_here) for asset in found)
        triangles = sum(asset.triangles or 0 for asset in found)
        problems = "no problem" if not bad else f"{bad} with a problem"
        if only_here:
            problems += f", {only_here} not found by other programs"
        self.summary.setText(f"{len(found)} files named, {problems}; {triangles:,} triangles in meshes.")
        found = sorted(found, key=lambda asset: (not asset.problem, not asset.only_here))
        self._offer(Missing.of_assets(found))
        self.list.clear()
        self.list.addTopLevelItems([_item_of(asset) for asset in found])


def _item_of(asset: Asset) -> QTreeWidgetItem:
    span = asset.document.span(asset.element, asset.part)
    size = "" if asset.size is None else f"{asset.size:,}"
    triangles = "" if asset.triangles is None else f"{asset.triangles:,}"
    where = asset.problem or ("not checked" if asset.path is None else str(asset.path))
    if asset.only_here:
        where += f"; other programs do not find it: {asset.only_here}"
    if asset.found_in:
        where += f"; it is in {asset.found_in}"
    if asset.near:
        where += f"; did you mean {asset.near}?"
    item = QTreeWidgetItem([asset.kind.value, asset.uri, f"{span.line}", size, triangles, where])
    item.setToolTip(2, f"{span.path}:{span.line}")
    for number in (3, 4):
        item.setTextAlignment(number, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
    if asset.problem or asset.only_here:
        item.setIcon(0, icon("mdi6.alert-outline", "warning"))
    for place in asset.tried if asset.path is None else ():
        item.addChild(QTreeWidgetItem(["", f"searched at {place}"]))
    return item
