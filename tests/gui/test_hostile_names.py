"""Names that look like HTML, or hold what cannot be seen, are shown as they are written.

No widget and no tooltip makes rich text of them, and none shows a control that reverses or hides what is around it.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QAbstractItemModel, QAbstractListModel, QEvent, QLocale, QModelIndex, QPoint, Qt
from PySide6.QtGui import QHelpEvent, QTextDocumentFragment
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QApplication,
    QComboBox,
    QGroupBox,
    QLabel,
    QMenu,
    QMessageBox,
    QStyledItemDelegate,
    QTabBar,
    QToolTip,
    QWidget,
)
from pytestqt.qtbot import QtBot

from sdfviewer.display_text import visible
from sdfviewer.gui.kit.labels import BREAK, BreakingLabel
from sdfviewer.gui.kit.safe_text import joined, markup, rich_tip, safe_tip, wrapped_tip
from sdfviewer.gui.kit.search import MatchList
from sdfviewer.gui.shell.window import MainWindow
from tests.gui.kept_window import ALL_PANELS

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

#: A control that reverses the letters behind it, one that is a line break for some, and one without any width.
UNSEEN = "\u202e\x85\u200b"


def labels() -> Iterator[QLabel]:
    for widget in QApplication.allWidgets():
        if isinstance(widget, QLabel) and not widget.inherits("QTipLabel"):
            widget.ensurePolished()
            yield widget


def assert_no_picture(text: str) -> None:
    shown = QTextDocumentFragment.fromHtml(text).toPlainText()
    assert "\N{OBJECT REPLACEMENT CHARACTER}" not in shown, text


@pytest.mark.panels(*ALL_PANELS)
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


def shown_texts(widget: QWidget) -> Iterator[str]:
    """Yield what a widget shows of texts that are not edited in it."""
    if widget.isWindow():
        yield widget.windowTitle()
    if isinstance(widget, QLabel):
        is_rich = widget.textFormat() == Qt.TextFormat.RichText
        text = QTextDocumentFragment.fromHtml(widget.text()).toPlainText() if is_rich else widget.text()
        yield text.replace(BREAK, "") if isinstance(widget, BreakingLabel) else text
    elif isinstance(widget, QAbstractButton):
        yield widget.text()
    elif isinstance(widget, QGroupBox):
        yield widget.title()
    elif isinstance(widget, QTabBar):
        yield from map(widget.tabText, range(widget.count()))
    elif isinstance(widget, QComboBox):
        yield from map(widget.itemText, range(widget.count()))
    elif isinstance(widget, QMenu):
        yield from (action.text() for action in widget.actions())
    elif isinstance(widget, MatchList):
        yield from items_of(widget.model())
    elif isinstance(widget, QAbstractItemView) and isinstance(delegate := widget.itemDelegate(), QStyledItemDelegate):
        delegate = widget.itemDelegateForColumn(0) or delegate
        assert isinstance(delegate, QStyledItemDelegate)
        if widget.model() is not None:
            yield from (delegate.displayText(text, QLocale.c()) for text in items_of(widget.model()))


def items_of(model: QAbstractItemModel, parent: QModelIndex | None = None) -> Iterator[str]:
    parent = QModelIndex() if parent is None else parent
    for row in range(model.rowCount(parent)):
        for column in range(1 if isinstance(model, QAbstractListModel) else model.columnCount(parent)):
            text = model.index(row, column, parent).data()
            if isinstance(text, str):
                yield text
        if not isinstance(model, QAbstractListModel):
            yield from items_of(model, model.index(row, 0, parent))


def assert_all_is_seen(qtbot: QtBot) -> int:
    """Assert that nothing in sight holds what cannot be seen, and return how often an escape is shown in its place."""
    QApplication.processEvents()
    for window in QApplication.topLevelWidgets():
        if window.isVisible():
            window.repaint()  # with all that is in it
    escapes = 0
    for widget in QApplication.allWidgets():
        if widget.isVisible() and not widget.visibleRegion().isEmpty():
            for text in shown_texts(widget):
                plain = text.replace("\n", "").replace("\t", "")
                assert plain == visible(plain), f"{type(widget).__name__} {widget.accessibleName()}: {text!a}"
                escapes += "u202e" in text
    return escapes


@pytest.mark.panels(*ALL_PANELS)
def test_what_cannot_be_seen_of_a_name_is_shown_as_an_escape(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    path = tmp_path / f"a{UNSEEN}\x1b[31m.sdf"
    path.write_text(FILE.replace(IMAGE, UNSEEN), encoding="utf-8")
    window.files.open([path])
    file = window.current
    assert file is not None
    model = file.session.model
    assert model is not None
    for dock in window.docks.docks.values():
        dock.show()
    least = 3  # the window's title, the tab and the tree
    window.docks.reveal("properties")
    for name in model.names:
        file.session.select([name])
        assert assert_all_is_seen(qtbot) >= least, name
    for dock in window.docks.docks.values():
        dock.raise_()
        assert assert_all_is_seen(qtbot) >= least, dock.objectName()
    assert file.view.canvas is not None
    assert all(text.isprintable() for text in file.view.canvas.feed.scene.labels.texts)
    window.menus.fill_recent()
    for menu in window.menus.menus.values():
        assert all(text.replace("\t", "").isprintable() for text in shown_texts(menu))


def test_dialogs_show_what_cannot_be_seen_as_an_escape(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    path = tmp_path / f"a{UNSEEN}.sdf"
    path.write_text(FILE.replace(IMAGE, UNSEEN), encoding="utf-8")
    window.files.open([path])
    file = window.current
    assert file is not None
    assert file.session.model is not None
    first = file.session.model.names[1]
    edits = ("edit.rename_preview", "edit.remove", "edit.mirror", "edit.mate")
    for id in (*edits, "file.resources", "file.export", "go.palette"):
        file.session.select([first])
        window.actions_by_id[id].trigger()
        assert assert_all_is_seen(qtbot) > 0, id
        for widget in QApplication.topLevelWidgets():
            if widget is not window:
                widget.close()
        while file.session.can_undo:
            file.session.undo()
