"""Names that look like HTML are shown as they are written: no widget and no tooltip makes rich text of them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QHelpEvent, QTextDocumentFragment
from PySide6.QtWidgets import QApplication, QLabel, QMessageBox, QToolTip, QWidget
from pytestqt.qtbot import QtBot

from sdfviewer.gui.shell.window import MainWindow
from sdfviewer.gui.widgets.rich_text import joined, markup, rich_tip, safe_tip, wrapped_tip

IMAGE = "&lt;img src='file:///nowhere.png'>&lt;b>"
FILE = f"""<sdf version="1.9"><model name="m{IMAGE}">
  <link name="a{IMAGE}"/><link name="b{IMAGE}"><pose relative_to="none{IMAGE}">1 0 0 0 0 0</pose></link>
  <joint name="j{IMAGE}" type="revolute"><parent>a{IMAGE}</parent><child>b{IMAGE}</child>
    <axis><xyz expressed_in="odd{IMAGE}">0 0 1</xyz></axis></joint>
  <joint name="k{IMAGE}" type="odd{IMAGE}"><parent>a{IMAGE}</parent><child>c{IMAGE}</child></joint>
  <frame name="f1{IMAGE}" attached_to="f2{IMAGE}"/><frame name="f2{IMAGE}" attached_to="f1{IMAGE}"/>
  <include><name>i{IMAGE}</name><uri>model://{IMAGE}</uri></include>
</model></sdf>
"""


def labels() -> Iterator[QLabel]:
    for widget in QApplication.allWidgets():
        if isinstance(widget, QLabel) and not widget.inherits("QTipLabel"):
            widget.ensurePolished()
            yield widget


def assert_no_picture(text: str) -> None:
    shown = QTextDocumentFragment.fromHtml(text).toPlainText()
    assert "\N{OBJECT REPLACEMENT CHARACTER}" not in shown, text


def test_no_widget_shows_a_picture_that_a_name_asks_for(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    path = tmp_path / "<img src='x'>.sdf"
    path.write_text(FILE, encoding="utf-8")
    window.files.open([path])
    workspace = window.current
    assert workspace is not None
    model = workspace.session.model
    assert model is not None
    for name in model.names:
        workspace.session.select([name])
        QApplication.processEvents()
        for label in labels():
            assert label.textFormat() != Qt.TextFormat.AutoText, label.text()
            if label.textFormat() == Qt.TextFormat.RichText:
                assert_no_picture(label.text())
    for widget in QApplication.allWidgets():
        assert_no_picture(safe_tip(widget.toolTip()))


def test_a_message_box_shows_what_is_written(qtbot: QtBot, window: MainWindow) -> None:
    box = QMessageBox(QMessageBox.Icon.Warning, "sdfviewer", "<img src='x'> cannot be opened.", parent=window)
    box.setInformativeText("<b>no</b>")
    qtbot.addWidget(box)
    box.open()
    formats = {label.textFormat() for label in box.findChildren(QLabel) if label.text()}
    assert formats == {Qt.TextFormat.PlainText}


def test_a_tooltip_shows_what_is_written(qtbot: QtBot, window: MainWindow) -> None:
    widget = QWidget(window)
    widget.setToolTip("<img src='x'>")
    widget.show()
    where = widget.mapToGlobal(QPoint(1, 1))
    QApplication.sendEvent(widget, QHelpEvent(QEvent.Type.ToolTip, QPoint(1, 1), where))
    assert_no_picture(QToolTip.text())
    assert "&lt;img" in QToolTip.text()
    QToolTip.hideText()


@pytest.mark.parametrize("name", ["<b>", "&lt;", "<img src='x'>", '"><a href="x">'])
def test_parts_are_escaped(name: str) -> None:
    for text in (markup("<p>{name}</p>", name=name), joined("<br>", [name, name]), wrapped_tip([name])):
        assert name in QTextDocumentFragment.fromHtml(text).toPlainText()
    made = rich_tip(markup("<b>{name}</b>", name=name))
    assert safe_tip(made) == made
    assert safe_tip("<b>x</b>") != "<b>x</b>"


@pytest.mark.parametrize("name", ["a\u202eb", "<b>a\u202eb</b>"])
def test_controls_of_direction_reverse_no_tooltip(name: str) -> None:
    for tip in (safe_tip(name), rich_tip(markup("{name}", name=name)), wrapped_tip([f"one\n{name}"])):
        assert "\u202e" not in tip
        assert "a\\u202eb" in tip
