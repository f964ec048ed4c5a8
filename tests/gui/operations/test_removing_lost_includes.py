"""What an include names whose model is not found is asked about on removal, in the window and in the library."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtWidgets import QPushButton

import sdfviewer
from sdfviewer.gui.operations.remove import RemoveDialog, remove_rows
from sdfviewer.gui.shell.window import MainWindow

TEXT = """<sdf version="1.9"><model name="m"><link name="top"/><link name="base"/>
<include><uri>model://nowhere</uri><name>lost</name><pose relative_to="base">0 0 1 0 0 0</pose></include>
</model></sdf>
"""


def test_the_window_asks_what_the_pose_of_a_lost_include_names_instead(window: MainWindow, tmp_path: Path) -> None:
    file = tmp_path / "m.sdf"
    file.write_text(TEXT)
    window.files.open([file])
    assert window.current is not None
    context, model = window.current.context, window.current.session.model
    assert model is not None
    dialog = remove_rows(context, [model.row("m::base")], window)
    assert isinstance(dialog, RemoveDialog)
    assert [item.text(0) for item in dialog.items()] == ["m::lost"]
    assert [reference.name for reference in dialog.references] == ["base"]
    assert context.session.document.text == TEXT
    assert isinstance(dialog.accept_button, QPushButton)
    dialog.everything.click()
    dialog.accept_button.click()
    assert "lost" not in context.session.document.text


def test_the_library_asks_too(tmp_path: Path) -> None:
    file = tmp_path / "m.sdf"
    file.write_text(TEXT)
    document = sdfviewer.open_document(file)
    with pytest.raises(sdfviewer.EditError, match="'lost' would refer to removed elements"), document.edit() as edit:
        edit.remove("base")
    with document.edit() as edit:
        edit.remove("base", instead={"base": "top"})
    assert '<pose relative_to="top">' in document.text
