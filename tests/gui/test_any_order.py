"""Whatever somebody does, in whatever order: nothing fails, all panels show one text, and undoing brings it all back.

One window, many short lives of a file in it; every example is the same at each run.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)
from PySide6.QtGui import QTextCursor
from PySide6.QtWidgets import QApplication, QDialog
from pytestqt.qtbot import QtBot

from sdfviewer.diagnostics import SdfViewerError
from sdfviewer.document.edits import Edit
from sdfviewer.gui.shell.actions.table import ACTIONS
from sdfviewer.gui.shell.files.open_file import OpenFile
from sdfviewer.gui.shell.window import MainWindow
from sdfviewer.model.model import Model
from sdfviewer.refactoring.pose_writing import Keep, set_attached_to, set_relative_to
from tests.gui.kept_window import ALL_PANELS

pytestmark = pytest.mark.panels(*ALL_PANELS)

EXAMPLES = ("nested_gripper", "world_frames", "relative_to_cycle", "name_clash")
NAMES = ("tool", "a b", "ünï", "a::b", "", "__model__", "world", '<&">', "base")
TYPED = ("<", ">", '"', "x", "</link>", '<link name="n"/>', "\n", '<frame name="q" attached_to="q"/>', "&", "<!--")
#: Switches that change what is shown; the others ask for files, or end the program.
SWITCHES = [spec.id for spec in ACTIONS if spec.checkable and not spec.id.startswith(("theme.", "joints.sweep"))]
EDITS = ("edit.duplicate", "edit.remove", "edit.add_frame", "edit.add_joint", "edit.add_link", "edit.rename_preview")
STEPS = 20

indices, switches = st.integers(0, 10_000), st.sampled_from(SWITCHES)


class Editing(RuleBasedStateMachine):
    """Somebody at work on one file."""

    window: MainWindow
    qtbot: QtBot
    folder: Path
    examples: Path

    @initialize(name=st.sampled_from(EXAMPLES))
    def open_a_file(self, name: str) -> None:
        path = Path(shutil.copy(self.examples / f"{name}.sdf", self.folder))
        self.original = path.read_bytes()
        self.window.files.open([path])
        assert self.window.current is not None
        self.workspace: OpenFile = self.window.current

    @property
    def model(self) -> Model | None:
        session = self.workspace.session
        return session.model if session.is_current else None

    def do(self, what: Callable[[], object]) -> None:
        """Do something; a refusal is an answer, any other exception is a fault."""
        with self.qtbot.capture_exceptions() as exceptions:
            with suppress(SdfViewerError):
                what()
            QApplication.processEvents()
        assert not exceptions

    def trigger(self, id: str) -> None:
        self.do(self.window.actions_by_id[id].trigger)

    def row(self, index: int) -> int:
        assert self.model is not None
        return index % len(self.model)

    # --- what can be done ------------------------------------------------------------------------------------------

    @rule(indices=st.lists(indices, max_size=3))
    def select(self, indices: list[int]) -> None:
        if self.model is not None:
            names = [self.model.names[self.row(index)] for index in indices]
            self.do(lambda: self.workspace.session.select(names))

    @rule(switch=switches)
    def switch(self, switch: str) -> None:
        self.trigger(switch)

    @rule(index=indices, value=st.floats(-4, 4))
    def move_joint(self, index: int, value: float) -> None:
        kinematics = self.workspace.session.kinematics
        if kinematics is not None and kinematics.dofs:
            joint = kinematics.dofs[index % len(kinematics.dofs)].joint
            self.do(lambda: self.workspace.session.move_joints({joint.name: (value,)}))

    @precondition(lambda self: self.model is not None)
    @rule(index=indices, to=indices, keep=st.sampled_from(["pose", "numbers"]), is_attached=st.booleans())
    def point_elsewhere(self, index: int, to: int, keep: Keep, is_attached: bool) -> None:
        model = self.model
        assert model is not None
        row, name = self.row(index), model.local_names[self.row(to)]
        change = set_attached_to if is_attached else set_relative_to
        self.do(lambda: self.workspace.session.apply(change(model, row, name, keep=keep)))

    @precondition(lambda self: self.model is not None)
    @rule(index=indices, name=st.sampled_from(NAMES))
    def rename(self, index: int, name: str) -> None:
        row = self.row(index)
        self.do(lambda: self.workspace.context.edits.rename(row, name))

    @rule(id=st.sampled_from(EDITS), is_accepted=st.booleans())
    def edit(self, id: str, is_accepted: bool) -> None:
        self.trigger(id)
        # What cannot be accepted stays open.
        for answer in ("accept", "reject") if is_accepted else ("reject",):
            for dialog in QApplication.topLevelWidgets():
                if isinstance(dialog, QDialog) and dialog.isVisible():
                    self.do(getattr(dialog, answer))

    @rule(index=indices, is_taken_back=st.booleans())
    def fix(self, index: int, is_taken_back: bool) -> None:
        session = self.workspace.session
        name = session.document.name
        fixes = [fix for problem in session.diagnostics for fix in problem.fixes if fix.path == name]
        if fixes and session.is_current:
            chosen = fixes[index % len(fixes)]
            self.do(lambda: session.apply(Edit(chosen.label, session.document, chosen.replacements)))
            if is_taken_back:
                self.trigger("edit.undo")

    @rule(at=indices, text=st.sampled_from(TYPED), removed=st.integers(0, 20))
    def type_text(self, at: int, text: str, removed: int) -> None:
        editor = self.workspace.source.editor
        cursor = editor.textCursor()
        cursor.setPosition(at % editor.document().characterCount())
        cursor.movePosition(QTextCursor.MoveOperation.Right, QTextCursor.MoveMode.KeepAnchor, removed)
        self.do(lambda: cursor.insertText(text))

    @rule(id=st.sampled_from(["edit.undo", "edit.redo", "go.next_problem", "go.source", "joints.random", "go.parent"]))
    def go(self, id: str) -> None:
        self.trigger(id)

    @rule()
    def save(self) -> None:
        self.do(lambda: self.workspace.session.save(overwrite=True))

    # --- what holds ------------------------------------------------------------------------------------------------

    @invariant()
    def all_panels_show_the_same(self) -> None:
        self.do(self.workspace.source.flush)
        session = self.workspace.session
        assert self.workspace.source.editor.toPlainText() == session.document.text
        if session.model is not None:
            assert len(session.X_RootF) == len(session.model)
            assert self.workspace.tree.source.rowCount() == 1

    def teardown(self) -> None:
        if not hasattr(self, "workspace"):
            return
        session = self.workspace.session
        while session.can_undo:
            self.do(session.undo)
        assert session.document.to_bytes() == self.original
        self.window.files.drop(self.workspace)


@pytest.fixture
def machine(window: MainWindow, qtbot: QtBot, tmp_path: Path, examples: Path) -> type[Editing]:
    return type("EditingIt", (Editing,), {"window": window, "qtbot": qtbot, "folder": tmp_path, "examples": examples})


@pytest.mark.parametrize(
    "lives", [2, pytest.param(12, id="with pictures", marks=[pytest.mark.pictures, pytest.mark.nightly])]
)
def test_nothing_fails_in_any_order(machine: type[Editing], lives: int) -> None:
    """Each run lives two lives and draws none of them, the nightly run six times as many, which it draws."""
    run_state_machine_as_test(
        machine,
        settings=settings(
            max_examples=lives,
            stateful_step_count=STEPS,
            derandomize=True,
            database=None,
            deadline=None,
            phases=(Phase.explicit, Phase.generate),
            suppress_health_check=list(HealthCheck),
        ),
    )
