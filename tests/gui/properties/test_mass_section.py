"""What the selection weighs, shown and computed in the properties."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from sdfviewer.diagnostics import Replacement
from sdfviewer.document.document import parse_document
from sdfviewer.document.edits import Edit
from sdfviewer.gui.context.document_context import DocumentContext
from sdfviewer.gui.context.settings import Settings
from sdfviewer.gui.properties.panel import PropertiesPanel
from sdfviewer.gui.properties.robot import MANY_LINKS, MassSection
from sdfviewer.session.session import Session
from tests.gui.properties.properties_desk import PropertiesDesk

TEXT = """<sdf version="1.9"><model name="m">
  <link name="base"><inertial><mass>2</mass>
    <inertia><ixx>1</ixx><iyy>1</iyy><izz>1</izz></inertia></inertial></link>
  <link name="arm"><pose>1 0 0 0 0 0</pose>
    <inertial><pose>1 0 0 0 0 0</pose><mass>1</mass>
    <inertia><ixx>100</ixx><iyy>100</iyy><izz>100</izz></inertia></inertial>
    <collision name="c"><geometry><box><size>0.1 0.1 0.1</size></box></geometry></collision></link>
  <joint name="j" type="revolute"><parent>base</parent><child>arm</child><axis><xyz>0 0 1</xyz></axis></joint>
</model></sdf>"""


@pytest.fixture
def session() -> Session:
    return Session(parse_document(TEXT))


@pytest.fixture
def section(qtbot: QtBot, settings: Settings, session: Session) -> Iterator[MassSection]:
    panel = PropertiesPanel(DocumentContext(session), settings)
    qtbot.addWidget(panel)
    panel.resize(360, 900)
    with qtbot.waitExposed(panel):
        panel.show()
    session.select(["m"])
    panel.mass.heading.setChecked(True)
    yield panel.mass
    panel.close()  # it lives until here


def test_the_numbers_follow_selection_and_joints(section: MassSection, session: Session) -> None:
    assert section.mass.text() == "3 kg"
    assert section.centre.text() == "0.66667   0   0 m"
    session.move_joints({"m::j": (math.pi / 2,)})
    assert section.centre.text() == "0.33333   0.33333   0 m"
    assert re.fullmatch(r"ixx \S+   iyy \S+   izz \S+\nixy \S+   ixz \S+   iyz \S+  kg m²", section.inertia.text())
    session.select(["m::j"])
    assert section.mass.text() == "1 kg"
    session.select(["m::base", "m::arm"])
    assert section.mass.text() == "3 kg"


def test_an_implausible_inertia_is_explained_and_fixed(section: MassSection, session: Session) -> None:
    session.select(["m::base"])
    assert not section.note.isVisible()
    session.select(["m::arm"])
    assert "times those of its solid shapes" in section.note.text()
    section.note.linkActivated.emit("fix")
    assert "<ixx>0.001666667</ixx>" in session.document.text
    assert not section.note.isVisible()
    assert session.history.undo_label == "Compute inertia of arm"


def test_a_mass_that_is_typed_is_for_one_selection(section: MassSection, session: Session) -> None:
    """A wheel got the mass of the body that was selected before it."""
    session.select(["m::base"])
    suggested = section.density.text()
    section.total.setText("5")
    section.density.setText("7850")
    session.move_joints({"m::j": (0.5,)})
    assert (section.total.text(), section.density.text()) == ("5", "7850")
    session.select(["m::arm"])
    assert section.total.text() == ""
    assert section.density.text() != "7850"
    session.select(["m::base"])
    assert section.density.text() == suggested


def test_moments_of_zero_are_explained(section: MassSection, session: Session) -> None:
    text = session.document.text
    start = text.index("<ixx>100")
    zeros = Replacement(start, text.index("</inertia>", start), "<ixx>0</ixx><iyy>0</iyy><izz>0</izz>")
    session.apply(Edit("Type", session.document, (zeros,)))
    session.select(["m::arm"])
    assert section.mass.text() == "1 kg"
    assert "are 0, as of a point" in section.note.text()


def test_inertials_are_computed_beside_the_window(qtbot: QtBot, section: MassSection, session: Session) -> None:
    session.select(["m::arm"])
    section.total.setText("500g")
    section.compute.click()
    qtbot.waitUntil(lambda: "<mass>0.5</mass>" in session.document.text)
    session.select(["m::base"])
    section.compute.click()
    qtbot.waitUntil(lambda: "has no shape with a volume" in section.note.text())
    section.density.setText("heavy")
    section.compute.click()
    assert "not a number" in section.note.text()


def test_a_fault_in_the_background_is_a_message_and_the_next_attempt_works(
    qtbot: QtBot, section: MassSection, session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> object:
        raise ZeroDivisionError("injected")

    session.select(["m::arm"])
    with monkeypatch.context() as patch:
        patch.setattr("sdfviewer.refactoring.inertia.computed_body", fail)
        section.compute.click()
        qtbot.waitUntil(section.compute.isEnabled)
    assert any("ZeroDivisionError: injected" in each.text() for each in section.findChildren(QLabel))
    before = session.document
    section.compute.click()
    qtbot.waitUntil(lambda: session.document is not before)


def test_a_large_world_is_weighed_when_somebody_asks(qtbot: QtBot, settings: Settings) -> None:
    links = "".join(f'<link name="l{n}"><inertial><mass>1</mass></inertial></link>' for n in range(MANY_LINKS + 1))
    session = Session(parse_document(f'<sdf version="1.9"><model name="m">{links}</model></sdf>'))
    panel = PropertiesPanel(DocumentContext(session), settings)
    qtbot.addWidget(panel)
    with qtbot.waitExposed(panel):
        panel.show()
    session.select(["m"])
    panel.mass.heading.setChecked(True)
    assert panel.mass.mass.text() == ""
    panel.mass.note.linkActivated.emit("weigh")
    assert panel.mass.mass.text() == f"{MANY_LINKS + 1} kg"
    panel.context.close()  # or it makes fields in the panel, which goes with this test


def test_notes_keep_all_their_lines(qtbot: QtBot, tmp_path: Path) -> None:
    """A form gives a label that wraps the height that it needed at another width."""
    inertial = "<inertial><mass>2</mass><inertia><ixx>5</ixx><iyy>0.1</iyy><izz>0.1</izz></inertia></inertial>"
    text = f'<sdf version="1.9"><model name="m"><link name="a">{inertial}</link><link name="b"/></model></sdf>'
    desk = PropertiesDesk(qtbot, tmp_path, text)
    desk.panel.mass.heading.setChecked(True)

    def are_whole() -> bool:
        labels = [label for label in desk.panel.findChildren(QLabel) if label.isVisible() and label.wordWrap()]
        return bool(labels) and all(label.height() >= label.heightForWidth(label.width()) for label in labels)

    for width in (360, 247, 300):
        desk.panel.resize(width, 900)
        for name in ("m::b", "m::a"):
            desk.context.session.select((name,))
            desk.panel.details.complete()
            qtbot.waitUntil(are_whole)
    desk.context.close()
