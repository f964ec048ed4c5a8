"""The naming report: names that newer versions of SDFormat do not allow."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QHeaderView,
    QLabel,
    QTreeWidget,
    QTreeWidgetItem,
    QWidget,
)

from sdfviewer.diagnostics import Diagnostic
from sdfviewer.document.element import Element
from sdfviewer.formats.registry import describe_format
from sdfviewer.gui.context.requests import Requests
from sdfviewer.gui.kit.icons import severity_icon
from sdfviewer.gui.kit.layouts import column_of
from sdfviewer.gui.kit.theme import tokens
from sdfviewer.gui.kit.widget_properties import named
from sdfviewer.model.findings import Finding
from sdfviewer.model.model import Model
from sdfviewer.session.session import Session
from sdfviewer.validation.name_register import check_portable_names
from sdfviewer.versions import NEWEST, format_version

#: The hundreds of a rule's code are its phase: 2xx are names.
_NAMES = "2"


def naming_problems(diagnostics: Sequence[Diagnostic]) -> list[Diagnostic]:
    """Return the diagnostics about names, of any severity, in the order of the file."""
    return [each for each in diagnostics if each.rule.code[1:2] == _NAMES]


def portable_name_problems(model: Model) -> list[Diagnostic]:
    """Return the names that the version of the file allows and a later one does not."""
    found = check_portable_names(model)
    return [
        Diagnostic(each.rule, each.rule.severity, each.message, model.document_of(each.rows[0]).span(*_place(each)),
                   frames=tuple(model.names[row] for row in each.rows))
        for each in found
    ]  # fmt: skip


def _place(finding: Finding) -> tuple[Element, str | None]:
    return finding.location.element, finding.location.part


class NamingReport(QDialog):
    """All diagnostics about names, whatever the version of the file requires."""

    def __init__(self, session: Session, requests: Requests, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("Naming Report")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.resize(760, 420)
        self._session, self._requests = session, requests
        model = session.model
        own = "" if model is None else f"This file is {describe_format(model)}. "
        column = column_of(parent=self, margins=16, spacing=8)
        newest = format_version(NEWEST)
        heading = QLabel(
            "Since SDFormat 1.7 siblings must have different names, regardless of their kind, and some names are "
            f"reserved. {own}The report applies the rules of {newest}.",
            wordWrap=True,
        )
        column.addWidget(heading)
        self.problems = naming_problems(session.diagnostics)
        if model is not None:
            self.problems += portable_name_problems(model)
        self.table = named(QTreeWidget(), "Naming problems")
        self.table.setHeaderLabels(["Line", "Rule", "Problem"])
        self.table.setRootIsDecorated(False)
        self.table.setAlternatingRowColors(True)
        self.table.header().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        colours = tokens(self.palette())
        for problem in self.problems:
            line = str(problem.span.line) if problem.span is not None else ""
            item = QTreeWidgetItem([line, problem.rule.name, problem.message])
            item.setIcon(0, severity_icon(problem.severity, colours))
            item.setToolTip(2, problem.message)
            self.table.addTopLevelItem(item)
        self.table.itemSelectionChanged.connect(self._show_place)
        column.addWidget(self.table, 1)
        if not self.problems:
            self.table.hide()
            fine = QLabel(f"All names are valid in SDFormat {newest}.", alignment=Qt.AlignmentFlag.AlignCenter)
            fine.setProperty("role", "muted")
            column.addWidget(fine, 1)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.rejected.connect(self.reject)
        column.addWidget(buttons)

    def _show_place(self) -> None:
        for item in self.table.selectedItems():
            problem = self.problems[self.table.indexOfTopLevelItem(item)]
            self._requests.show_place(problem.span)
            self._session.select(problem.frames, None)
