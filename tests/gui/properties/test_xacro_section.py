"""The property panel says where the values of a xacro file come from, and changes them there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtGui import QTextDocumentFragment
from pytestqt.qtbot import QtBot

from sdfviewer.files.opening import open_document
from sdfviewer.formats.xacro.decisions import Answer, Decisions
from sdfviewer.gui.operations.place_cards import PlaceCard, ValueDialog
from sdfviewer.gui.properties.origins import XacroSection
from sdfviewer.gui.shell.files.open_file import OpenFile
from sdfviewer.gui.shell.window import MainWindow

pytestmark = pytest.mark.panels("properties")

pytest.importorskip("xacro")

TEXT = """<?xml version="1.0"?>
<robot name="r" xmlns:xacro="http://ros.org/wiki/xacro">
  <xacro:property name="track" value="0.4"/>
  <xacro:macro name="wheel" params="side reflect">
    <link name="${side}_wheel"/>
    <joint name="${side}_axle" type="continuous">
      <origin xyz="0.1 ${reflect*track/2} 0" rpy="0 0 0"/>
      <parent link="base"/><child link="${side}_wheel"/><axis xyz="0 0 1"/>
    </joint>
  </xacro:macro>
  <link name="base"/>
  <xacro:wheel side="left" reflect="1"/>
  <xacro:wheel side="right" reflect="-1"/>
</robot>
"""


@pytest.fixture
def file(window: MainWindow, tmp_path: Path, qtbot: QtBot) -> OpenFile:
    return opened(window, tmp_path / "r.urdf.xacro", TEXT, qtbot)


def opened(window: MainWindow, path: Path, text: str, qtbot: QtBot) -> OpenFile:
    path.write_text(text, encoding="utf-8")
    Decisions("").decide([open_document(path)], Answer.FILE)
    window.files.open([path])
    found = window.files.current
    assert found is not None
    qtbot.waitUntil(lambda: not found.session.is_reading and found.session.model is not None)
    return found


def section(file: OpenFile, name: str) -> XacroSection:
    file.session.select([name])
    found = next(each for each in file.properties.sections if isinstance(each, XacroSection))
    found.heading.setChecked(True)
    return found


def dialog(window: MainWindow, of: XacroSection, path: str) -> ValueDialog:
    number = next(number for number, each in enumerate(of.values) if each[2] == path)
    of.lines.linkActivated.emit(f"edit:{number}")
    return window.findChildren(ValueDialog)[-1]


def test_each_value_says_what_gives_it(window: MainWindow, file: OpenFile) -> None:
    shown = section(file, "r::left_axle")
    assert shown.isVisibleTo(file.properties)
    text = shown.lines.text()
    assert "origin/xyz <b>0.1 0.2 0</b>" in text
    plain = QTextDocumentFragment.fromHtml(text).toPlainText()
    assert "from parameter reflect, r.urdf.xacro:12 and property track, r.urdf.xacro:3" in plain
    assert "written in r.urdf.xacro:8" in plain
    shown_lines: list[int] = []
    file.context.requests.place.connect(lambda span: shown_lines.append(span.line))
    for link in re.findall(r'href="(show:\d+)"', text.partition("origin/xyz")[2])[:2]:
        shown.lines.linkActivated.emit(link)
    assert shown_lines == [12, 3], "each place is a link of its own"


def test_the_values_are_folded_below_the_chain_until_somebody_opens_them(window: MainWindow, file: OpenFile) -> None:
    panel = file.properties
    file.session.select(["r::left_axle"])
    shown = panel.xacro
    assert shown.heading.text().endswith(" values, and where they come from")
    assert not shown.lines.isVisibleTo(panel)
    assert shown.mapTo(panel, QPoint()).y() > panel.why.mapTo(panel, QPoint()).y()
    shown.heading.click()
    assert shown.lines.isVisibleTo(panel)
    assert "from parameter reflect" in shown.lines.text()


def test_all_values_have_room_in_a_narrow_panel(window: MainWindow, tmp_path: Path, qtbot: QtBot) -> None:
    """Of the nine values of a link of the UR5e five were painted, and nothing below them."""
    window.resize(1366, 768)
    long = TEXT.replace("reflect", "inertia_parameters_of_the_forearm").replace(
        "track", "physical_parameters_of_the_arm"
    )
    inertia = '<inertial><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="${T}"/></inertial>'
    inertia = inertia.replace('"1"', '"${T}"').replace('"0"', '"${T/2}"').replace("T", "physical_parameters_of_the_arm")
    long = long.replace('<link name="${side}_wheel"/>', f'<link name="${{side}}_wheel">{inertia}</link>')
    file = opened(window, tmp_path / "r.urdf.xacro", long, qtbot)
    window.docks.reveal("properties")
    shown = section(file, "r::left_wheel")
    qtbot.waitUntil(lambda: len(shown.values) == 7 and shown.lines.isVisible())
    qtbot.waitUntil(lambda: shown.lines.height() >= shown.lines.heightForWidth(shown.lines.width()) > 200)


def test_a_value_is_changed_where_the_user_chooses(window: MainWindow, file: OpenFile, qtbot: QtBot) -> None:
    form = dialog(window, section(file, "r::left_axle"), "origin/xyz")
    assert not form.accept_button.isEnabled()
    qtbot.waitUntil(lambda: form.focusWidget() is form.value)
    assert form.value.selectedText() == "0.1 0.2 0", "what is typed replaces it"
    form.value.setText("0.1 0.25 0")
    form.accept_button.click()
    card = window.findChildren(PlaceCard)[-1]
    (group,) = card.choices
    assert [each.text().split(" (")[0] for each in group] == ["parameter reflect", "property track", "expression"]
    assert group[0].isChecked(), "it changes least"
    assert card.along.text() == "Nothing else changes."
    group[1].click()
    assert card.along.text() == (
        "Changes along with it: joint right_axle: origin/xyz\nMoves along with it: right_wheel, right_axle"
    )
    card.accept_button.click()
    qtbot.waitUntil(lambda: file.session.document.text == TEXT.replace('"0.4"', '"0.5"'))
    qtbot.waitUntil(lambda: file.session.is_current)
    file.session.undo()
    assert file.session.document.text == TEXT


def test_what_cannot_be_written_says_why(window: MainWindow, file: OpenFile) -> None:
    form = dialog(window, section(file, "r::left_axle"), "origin/xyz")
    form.value.setText("0.1 ${track} 0")
    form.accept_button.click()
    assert "An expression is written in the source itself" in (form.fault.text() or window.status.message)
    assert file.session.document.text == TEXT
