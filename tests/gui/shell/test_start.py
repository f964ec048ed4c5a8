"""What the window does before its first picture, counted in work."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

import sdfviewer
from sdfviewer.gui.shell.window import MainWindow
from tests.gui.kept_window import ALL_PANELS

pytestmark = [pytest.mark.panels(*ALL_PANELS), pytest.mark.pictures]

#: Nobody sees or uses these rooms before the first picture.
NOT_YET = (
    "sdfviewer.gui.source",
    "sdfviewer.gui.compare.panel",
    "sdfviewer.gui.compare.history",
    "sdfviewer.gui.problems",
    "sdfviewer.gui.operations.add_link",
    "sdfviewer.gui.shell.files.export_bundle",
    "sdfviewer.gui.operations.preview_dialog",
    "sdfviewer.gui.compare.compare_dialog",
    "sdfviewer.gui.shell.command_palette",
    "sdfviewer.gui.shell.recording",
    "sdfviewer.export.urdf",
    "sdfviewer.files.fuel",
    "sdfviewer.gui.properties.group_form",
    "sdfviewer.language.completion",
    "sdfviewer.language.names",
    "sdfviewer.model.kinematics.joint_states",
    "sdfviewer.refactoring.composition",
    "sdfviewer.refactoring.versions",
    "sdfviewer.scene.assets",
    "sdfviewer.library",
    "sdfviewer.lsp",
    "pyqtgraph",
)
#: Each module costs half a millisecond.
MOST_MODULES = 500
#: PySide6 reads the sources of some modules of other packages that are imported after it.
MOST_SOURCES_READ = 15


def test_the_start_imports_only_what_the_first_picture_needs_and_hardly_any_source_is_read() -> None:
    code = "import linecache, sys, sdfviewer.gui; print(*sys.modules); print(*linecache.cache, sep='\\n')"
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    names, *read = done.stdout.splitlines()
    loaded = names.split()
    assert [name for name in loaded if name in NOT_YET] == []
    assert len([name for name in loaded if name.startswith("sdfviewer")]) <= MOST_MODULES
    own = Path(sdfviewer.__file__).parent
    assert {path.name for path in map(Path, read) if own in path.parents} <= {"pyside.py"}
    assert len(read) <= MOST_SOURCES_READ


def test_methods_of_qt_that_a_script_has_renamed_keep_their_names_in_the_window() -> None:
    code = (
        "from PySide6.QtWidgets import QApplication, QLabel\n"
        "from __feature__ import snake_case\n"
        "import sdfviewer.gui\n"
        "from sdfviewer.gui.kit.labels import ElidedLabel\n"
        "application = QApplication([])\n"
        "ElidedLabel().set_full_text('own')\n"
        "label = QLabel(); label.set_text('renamed'); print(label.text())"
    )
    command = [sys.executable, "-c", code]
    assert "renamed" in subprocess.run(command, check=True, capture_output=True, text=True).stdout


def test_a_folded_panel_is_made_after_the_file_is_shown(
    qtbot: QtBot, window: MainWindow, example: Callable[[str], Path]
) -> None:
    for id in ("problems", "source"):
        window.docks.docks[id].hide()
    window.files.open_soon([example("arm")])
    qtbot.waitUntil(lambda: window.current is not None)
    file = window.current
    assert file is not None
    assert set(window.docks.in_sight) <= set(file.panels)
    qtbot.waitUntil(lambda: set(file.panels) == set(window.docks.docks))


def test_a_folded_panel_is_there_as_soon_as_it_is_asked_for(window: MainWindow, example: Callable[[str], Path]) -> None:
    window.docks.docks["source"].hide()
    window.files.open([example("arm")])
    file = window.current
    assert file is not None
    assert "source" not in file.panels
    model = file.session.model
    assert model is not None
    file.context.requests.show_place(model.document.span(model.elements[model.row("arm::forearm")]))
    assert window.docks.docks["source"].isVisible()
    assert file.source.isVisible()
    assert 'name="forearm"' in file.source.editor.textCursor().block().text()


class _Changes(QObject):
    def __init__(self) -> None:
        super().__init__()
        self.count = 0

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        self.count += event.type() == QEvent.Type.ActionChanged
        return False


def test_actions_are_prepared_before_anything_follows_them(window: MainWindow) -> None:
    application = QApplication.instance()
    assert application is not None
    changes = _Changes()
    application.installEventFilter(changes)
    second = MainWindow(window.settings)
    application.removeEventFilter(changes)
    # Seven properties each are set; the second receiver of each change would double this.
    assert changes.count < 8 * len(second.actions_by_id)
    second.close()
