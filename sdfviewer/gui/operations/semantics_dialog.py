"""What the SRDF files of a robot say: groups, states, end effectors and pairs of links; and new pairs for them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QDialogButtonBox, QPushButton, QTreeWidgetItem, QWidget

from sdfviewer.diagnostics import Diagnostic, SdfViewerError
from sdfviewer.files import saving
from sdfviewer.formats.load import Loader
from sdfviewer.formats.srdf import Semantics, find_row
from sdfviewer.gui.context.document_context import DocumentContext, compute_first
from sdfviewer.gui.kit.icons import severity_icon
from sdfviewer.gui.operations.other_files import ProjectFiles
from sdfviewer.gui.problems.reports import FileReport
from sdfviewer.model.kinds import Kind
from sdfviewer.model.model import Model
from sdfviewer.number_text import counted, format_shown
from sdfviewer.refactoring.new_elements import disable_collisions, new_semantics
from sdfviewer.scene.contacts import PairFinding, find_pairs
from sdfviewer.scene.loader import MeshLoader
from sdfviewer.session.semantics import semantics_of

_VALUE = Qt.ItemDataRole.UserRole


@dataclass(frozen=True)
class _About:
    """What a row of the list is about: scoped names of frames, and positions to move to."""

    frames: tuple[str, ...]
    positions: dict[str, tuple[float, ...]] | None = None


class SemanticsDialog(FileReport):
    """Lists what the SRDF files beside a robot say. A click on a row selects its frames; one on a state moves there."""

    def __init__(self, context: DocumentContext, others: ProjectFiles, parent: QWidget | None = None) -> None:
        super().__init__("MoveIt", "", ("Name", "Kind", "What"), QSize(720, 480), parent)
        self._context, self._others = context, others
        self.pairs = QPushButton("Find Pairs That Never Collide")
        self.pairs.setToolTip("Test random configurations, and write pairs of links that never collide into the SRDF")
        self.pairs.clicked.connect(self._find_pairs)
        buttons = self.findChild(QDialogButtonBox)
        assert buttons is not None
        buttons.addButton(self.pairs, QDialogButtonBox.ButtonRole.ActionRole)
        self.list.itemSelectionChanged.connect(self._show_row)
        self.found: list[Semantics] = []
        self.fill()

    def fill(self) -> None:
        """List what the files say now."""
        session = self._context.session
        self.list.clear()
        self.found = semantics_of(session)
        model = session.model
        if not self.found or model is None:
            self.summary.setText(
                "There is no SRDF beside this file, nor in a package beside its own whose name ends with "
                "_moveit_config. The button writes one."
            )
            return
        names = ", ".join(Path(each.document.name).name for each in self.found)
        self.summary.setText(f"{names}: a click selects what a line is about, and moves the joints to a state.")
        for semantics in self.found:
            problems = Loader(session.finder, session.unsaved).load_with_diagnostics(semantics.document)[1]
            self._add_problems(semantics, problems)
            self.list.addTopLevelItems([self._item(*row) for row in self._rows(model, semantics)])
            self._add_pairs(model, semantics)

    def _add_problems(self, semantics: Semantics, problems: tuple[Diagnostic, ...]) -> None:
        for problem in problems:
            place = "" if problem.span is None else f"line {problem.span.line}"
            item = self._item(Path(semantics.document.name).name, place, problem.message, _About(problem.frames))
            item.setIcon(0, severity_icon(problem.severity))
            self.list.addTopLevelItem(item)

    def _rows(self, model: Model, semantics: Semantics) -> Iterator[tuple[str, str, str, _About]]:
        """Yield the name, the kind and the description of each thing of a file but the pairs, and what it is about."""
        for group in semantics.groups:
            rows = semantics.rows_of(model, group)
            joints = sum(model.kinds[row] is Kind.JOINT for row in rows)
            what = f"{counted(joints, 'joint')}, {counted(len(rows) - joints, 'link')}"
            yield group.name, "group", what, _About(tuple(model.names[row] for row in rows))
        kinematics = self._context.session.kinematics
        for state in semantics.states:
            positions = {} if kinematics is None else semantics.positions(kinematics, state)
            numbers = (f"{name} {format_shown(value[0], 4)}" for name, value in state.positions.items() if value)
            yield state.name, f"state of {state.group}", ", ".join(numbers), _About(tuple(positions), positions)
        for effector in semantics.end_effectors:
            about = _About(_names(model, effector.parent_link))
            yield effector.name, "end effector", f"group {effector.group} on link {effector.parent_link}", about
        for joint in semantics.virtual_joints:
            about = _About(_names(model, joint.child_link))
            yield joint.name, f"{joint.type} virtual joint", f"{joint.child_link} in {joint.parent_frame}", about

    def _add_pairs(self, model: Model, semantics: Semantics) -> None:
        by_reason: dict[str, list[QTreeWidgetItem]] = {}
        for pair in semantics.disabled:
            about = _About((*_names(model, pair.first), *_names(model, pair.second)))
            item = self._item(f"{pair.first} – {pair.second}", "disabled pair", pair.reason, about)
            by_reason.setdefault(pair.reason, []).append(item)
        for reason, items in by_reason.items():
            title = self._item(counted(len(items), "disabled pair"), "", reason or "without a reason", _About(()))
            title.addChildren(items)
            self.list.addTopLevelItem(title)

    @staticmethod
    def _item(name: str, kind: str, what: str, about: _About) -> QTreeWidgetItem:
        item = QTreeWidgetItem([name, kind, what])
        item.setToolTip(2, what)
        item.setData(0, _VALUE, about)
        return item

    def _show_row(self) -> None:
        session = self._context.session
        for item in self.list.selectedItems():
            about: _About = item.data(0, _VALUE)
            session.select(about.frames, self)
            if about.positions:
                session.move_joints(about.positions)

    # --- pairs -----------------------------------------------------------------------------------------------------

    def _find_pairs(self) -> None:
        session = self._context.session
        kinematics = session.kinematics
        if kinematics is None or session.path is None:
            self._context.messages.refuse("Save the file first: its SRDF is written beside it.")
            return
        job = partial(find_pairs, kinematics, MeshLoader(session.finder.fresh()))
        compute_first(self._context, "Find Pairs", job, self._write, self, is_slow=True)

    def _write(self, found: PairFinding) -> None:
        """Write pairs into the SRDF, as an edit of its tab; without an SRDF a new file beside the robot is made."""
        try:
            if found.problems:
                raise SdfViewerError(f"{found.problems[0]}; without all meshes it is not known what never collides")
            if not self.found:
                self._make_file(found)
                return
            edit = disable_collisions(self.found[0].document, found.pairs)
            if not edit.replacements:
                self.summary.setText(f"All pairs are there; {found.configurations} configurations tested.")
                return
            [srdf] = self._others.open([edit.document])
            srdf.apply(edit, None)
        except SdfViewerError as error:
            self.summary.setText(str(error))
            return
        self.fill()
        self._others.report_unsaved(f"{edit.label}; {found.configurations} configurations tested")

    def _make_file(self, found: PairFinding) -> None:
        """Write a new SRDF beside the robot."""
        session = self._context.session
        assert session.path is not None
        assert session.model is not None
        path = session.path.with_name(f"{session.path.name.partition('.')[0]}.srdf")
        if path.exists():
            raise SdfViewerError(f"{path} is there already, and is about another robot")
        document = new_semantics(session.model.local_names[0])
        edit = disable_collisions(document, found.pairs)
        saving.save(path, document.edited(edit.replacements).to_bytes())
        self.fill()
        self._context.messages.show(f"Wrote {path.name} with {counted(len(found.pairs), 'pair')} of links")


def _names(model: Model, link: str) -> tuple[str, ...]:
    row = find_row(model, link, Kind.LINK)
    return () if row is None else (model.names[row],)
