"""URDF readiness: the requirements of URDF, and what keeps the model from being copied into one."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QHeaderView,
    QLabel,
    QTreeWidget,
    QTreeWidgetItem,
    QWidget,
)

from sdfviewer.diagnostics import SdfViewerError
from sdfviewer.display_text import as_sentence, with_capital
from sdfviewer.export.urdf_readiness import Readiness, UrdfObstacle, check_urdf_readiness
from sdfviewer.gui.context.requests import Requests
from sdfviewer.gui.kit.icons import icon
from sdfviewer.gui.kit.jobs import Background
from sdfviewer.gui.kit.layouts import column_of
from sdfviewer.gui.kit.theme import tokens
from sdfviewer.gui.kit.widget_properties import named
from sdfviewer.session.session import Session

_OBSTACLE = Qt.ItemDataRole.UserRole


class UrdfReadiness(QDialog):
    """The requirements with what does not meet them; a click selects the frame and shows its place in the source."""

    #: The model has been judged.
    judged = Signal()

    def __init__(self, session: Session, requests: Requests, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("URDF Readiness")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.resize(760, 480)
        self._session, self._requests = session, requests
        self.readiness: Readiness | None = None
        column = column_of(parent=self, margins=16, spacing=8)
        self.verdict = named(QLabel("Checking the model…", wordWrap=True), "Verdict")
        column.addWidget(self.verdict)
        self.tree = named(QTreeWidget(), "Requirements")
        self.tree.setHeaderLabels(["Requirement", "Line"])
        header = self.tree.header()
        header.setStretchLastSection(False)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        header.setSectionResizeMode(1, QHeaderView.ResizeMode.ResizeToContents)
        self.tree.itemSelectionChanged.connect(self._show_place)
        column.addWidget(self.tree, 1)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.rejected.connect(self.reject)
        column.addWidget(buttons)
        # An export of a large robot takes longer than a window may wait.
        self._background = Background()
        self.finished.connect(self._background.stop)
        self._background.run(partial(check_urdf_readiness, session.model), self._fill, self._refuse)

    def _refuse(self, error: SdfViewerError) -> None:
        self.verdict.setText(as_sentence(str(error)))

    def _fill(self, readiness: Readiness) -> None:
        self.readiness = readiness
        colours = tokens(self.palette())
        self.verdict.setText(f"{with_capital(readiness.verdict)}.")
        self.tree.setVisible(not readiness.refusal)
        met = icon("mdi6.check-circle-outline", colours.success)
        unmet = icon("mdi6.alert-outline", colours.warning)
        for requirement, obstacles in readiness.requirements.items():
            count = f" ({len(obstacles)})" if obstacles else ""
            item = QTreeWidgetItem(self.tree, [f"{with_capital(requirement)}{count}"])
            item.setIcon(0, unmet if obstacles else met)
            for obstacle in obstacles:
                text = f"'{obstacle.frame}': {obstacle.message}"
                line = QTreeWidgetItem(item, [text, str(obstacle.span.line)])
                line.setToolTip(0, f"{text}\n{obstacle.span.path}:{obstacle.span.line}")
                line.setData(0, _OBSTACLE, obstacle)
            item.setExpanded(True)
        self.judged.emit()

    def _show_place(self) -> None:
        for item in self.tree.selectedItems():
            obstacle = item.data(0, _OBSTACLE)
            if isinstance(obstacle, UrdfObstacle):
                self._requests.show_place(obstacle.span)
                self._session.select((obstacle.frame,), None)
