"""Icons: every button shows something."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtWidgets import QAbstractButton

from sdfviewer.gui.shell.files.open_file import OpenFile
from sdfviewer.gui.shell.window import MainWindow
from tests.gui.kept_window import ALL_PANELS


@pytest.mark.panels(*ALL_PANELS)
def test_every_button_in_sight_shows_a_text_or_an_icon(
    window: MainWindow, open_example: Callable[[str], OpenFile]
) -> None:
    file = open_example("relative_to_cycle")
    file.session.select(("relative_to_cycle::carriage",))
    buttons = [each for each in window.findChildren(QAbstractButton) if each.isVisible()]
    names = [each.accessibleName() for each in buttons]
    assert {"Saved poses", "Undo"} <= set(names)
    assert not [name for name, each in zip(names, buttons, strict=True) if each.icon().isNull() and not each.text()]
