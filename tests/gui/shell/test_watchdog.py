"""What holds the window's thread is written down, once, with its stack."""

from __future__ import annotations

import logging
import threading

import pytest
from PySide6.QtWidgets import QPlainTextEdit
from pytestqt.qtbot import QtBot

from sdfviewer.gui.shell.crash import RecentLog, keep_recent_log, report_problem
from sdfviewer.gui.shell.performance import Watchdog
from sdfviewer.gui.shell.window import MainWindow
from tests.patience import PATIENCE_SECONDS


@pytest.fixture
def log() -> RecentLog:
    return keep_recent_log()


def hold_the_window(log: RecentLog) -> None:
    """Do not come back before it has been noticed."""
    noticed = threading.Event()

    class Notice(logging.Handler):
        def emit(self, _record: logging.LogRecord) -> None:
            noticed.set()

    logger, handler = logging.getLogger("sdfviewer.gui.shell.performance"), Notice()
    logger.addHandler(handler)
    try:
        assert noticed.wait(PATIENCE_SECONDS)
    finally:
        logger.removeHandler(handler)


def test_what_holds_the_window_is_in_the_report(qtbot: QtBot, window: MainWindow, log: RecentLog) -> None:
    watchdog = Watchdog(limit=0.2)
    try:
        hold_the_window(log)
        qtbot.waitUntil(lambda: "responds again" in log.text())
    finally:
        watchdog.stop()
    assert log.text().count("has not responded") == 1
    assert "in hold_the_window" in log.text()
    dialog = report_problem(window)
    report = dialog.findChild(QPlainTextEdit)
    assert report is not None
    assert "in hold_the_window" in report.toPlainText()
    assert "Python" in report.toPlainText()
    dialog.close()


def test_who_asks_hears_for_how_long_and_where_the_window_was_held(qtbot: QtBot) -> None:
    watchdog = Watchdog(limit=0.1, logs=False)
    try:
        with qtbot.waitSignal(watchdog.held) as held:
            noticed = threading.Event()
            watchdog.noticed = noticed.set
            assert noticed.wait(PATIENCE_SECONDS)
    finally:
        watchdog.stop()
    seconds, where = held.args
    assert seconds > 0.1
    assert where == "Qt", "the test is no part of the program"
