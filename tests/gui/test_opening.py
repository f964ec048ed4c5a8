"""Large files are read beside the window, and nobody has to wait for them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from threading import Event

import pytest
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication, QProgressDialog, QPushButton

from sdfviewer.diagnostics import SdfViewerError
from sdfviewer.document.document import UnreadableFileError
from sdfviewer.document.finder import Finder
from sdfviewer.gui import opening
from sdfviewer.gui.opening import model_file_of, open_session
from sdfviewer.gui.window import MainWindow
from sdfviewer.session import Session


@pytest.fixture(autouse=True)
def every_file_is_large(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(opening, "LARGE_BYTES", 0)


def waiting() -> list[QProgressDialog]:
    return [widget for widget in QApplication.topLevelWidgets() if isinstance(widget, QProgressDialog)]


def test_a_large_file_opens_as_any_other(window: MainWindow, example: Callable[[str], Path]) -> None:
    window.files.open([example("arm")])
    assert window.current is not None
    assert window.current.session.model is not None
    assert not any(dialog.isVisible() for dialog in waiting())


def test_waiting_for_a_large_file_can_be_ended(
    window: MainWindow, example: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    go_on = Event()

    def read(*_: object) -> Session:
        go_on.wait(10)
        raise AssertionError("nobody waits for this any more")

    monkeypatch.setattr(Session, "open", read)

    def end() -> None:
        (dialog,) = (each for each in waiting() if each.isVisible())
        (button,) = dialog.findChildren(QPushButton)
        button.click()

    QTimer.singleShot(600, end)
    window.files.open([example("arm")])
    go_on.set()
    assert window.current is None


def test_what_cannot_be_read_is_said(qapp: QApplication, tmp_path: Path) -> None:
    with pytest.raises(SdfViewerError, match="nothing_here"):
        open_session(tmp_path / "nothing_here.sdf", Finder(), {})
    with pytest.raises(UnreadableFileError, match=r"model\.config"):
        model_file_of(tmp_path)
