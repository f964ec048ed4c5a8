"""Source views on texts."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from PySide6.QtCore import QEvent, QObject, qInstallMessageHandler
from pytestqt.qtbot import QtBot

from sdfviewer.document.document import Document
from tests.gui.source.source_window import TEXT, Window


class _Unpainted(QObject):
    """Lets a window paint nothing after it has come into sight."""

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        return event.type() is QEvent.Type.UpdateRequest


@pytest.fixture
def open_text(request: pytest.FixtureRequest, qtbot: QtBot) -> Iterator[Callable[[str | Document], Window]]:
    """Return what opens a text."""
    opened: list[Window] = []

    def open_one(text: str | Document) -> Window:
        opened.append(Window(qtbot, text))
        if request.node.get_closest_marker("pictures") is None:
            opened[-1].window.installEventFilter(_Unpainted(opened[-1].window))
        return opened[-1]

    yield open_one
    for window in opened:
        window.view.editor.completer.popup.hide()
        window.context.close()


@pytest.fixture
def window(open_text: Callable[[str | Document], Window]) -> Window:
    return open_text(TEXT)


@pytest.fixture
def qt_messages() -> Iterator[list[str]]:
    """Return what Qt says meanwhile."""
    messages: list[str] = []
    before = qInstallMessageHandler(lambda _kind, _where, text: messages.append(text))
    yield messages
    qInstallMessageHandler(before)
