"""What the colours of the themes promise: that text, controls and differences can be seen on their grounds.

The contrasts are those of WCAG 2: 4.5 for text, 3 for what is not text; disabled text, of which WCAG asks nothing, has
3 as well.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QColor, QHoverEvent, QPalette
from PySide6.QtWidgets import (
    QApplication,
    QCheckBox,
    QComboBox,
    QKeySequenceEdit,
    QLineEdit,
    QPushButton,
    QRadioButton,
    QScrollBar,
    QSplitter,
    QToolTip,
    QWhatsThis,
    QWidget,
)
from pytestqt.qtbot import QtBot

from sdfviewer.graphs.picture import graph_colours, mix
from sdfviewer.gui.graphs.painting import DIMMED, FAINTEST_NAME, MATCHED, REFUSED, UNRESOLVED
from sdfviewer.gui.kit.theme import DARK, LIGHT, Tokens, tokens
from sdfviewer.gui.source.text_marks import CARET_LINE, CHOSEN
from sdfviewer.palette import STYLES, theme
from sdfviewer.scene.marks import colours as difference_colours
from tests.gui.contrast import contrast, luminance

THEMES = pytest.mark.parametrize("colours", [DARK, LIGHT], ids=["dark", "light"])


def as_hex(channels: np.ndarray) -> str:
    """Return red, green and blue in 0..1 as ``#RRGGBB``."""
    return "#" + "".join(f"{round(value * 255):02X}" for value in channels.tolist())


def grounds(colours: Tokens) -> dict[str, str]:
    """Return the grounds that controls and texts lie on."""
    return {name: getattr(colours, name) for name in ("window", "panel", "base", "alternate", "raised", "hover")}


NO_TEXT = {
    *("dark", "window", "panel", "base", "alternate", "raised", "hover", "selection", "accent"),  # grounds
    *("border", "border_strong", "outline"),
    *("disabled", "accent_text"),  # have tests of their own
}


@THEMES
@pytest.mark.parametrize("text", [each.name for each in fields(Tokens) if each.name not in NO_TEXT])
def test_text_can_be_read(colours: Tokens, text: str) -> None:
    for name in ("window", "panel", "base", "alternate", "raised"):
        assert contrast(getattr(colours, text), getattr(colours, name)) >= 4.5, name


@THEMES
def test_text_on_coloured_ground_can_be_read(colours: Tokens) -> None:
    assert contrast(colours.text, colours.selection) >= 4.5
    assert contrast(colours.accent_text, colours.accent) >= 4.5


@pytest.mark.parametrize("kind", STYLES)
def test_text_in_the_colour_of_a_kind_can_be_read(kind: str) -> None:
    chosen = mix(LIGHT.selection, LIGHT.base, CHOSEN)
    for name, ground in {**grounds(LIGHT), "lines of the selected frame": chosen}.items():
        assert contrast(LIGHT.kind(kind), ground) >= 4.5, name


@THEMES
@pytest.mark.parametrize("kind", STYLES)
def test_names_on_the_line_of_the_caret_can_be_read(colours: Tokens, kind: str) -> None:
    assert contrast(colours.kind(kind), mix(colours.hover, colours.base, CARET_LINE)) >= 4.5


@THEMES
def test_faint_text_and_symbols_in_a_selected_row_can_be_seen(colours: Tokens) -> None:
    assert contrast(colours.faint(selected=True), colours.selection) >= 4.5
    for ground in (colours.base, colours.hover):
        assert contrast(colours.faint(selected=False), ground) >= 4.5
    assert contrast(colours.muted, colours.selection) >= 3, "an eye"


@THEMES
@pytest.mark.parametrize("token", ["disabled", "outline"])
def test_disabled_text_and_the_edges_of_controls_can_be_seen(colours: Tokens, token: str) -> None:
    for name, ground in grounds(colours).items():
        assert contrast(getattr(colours, token), ground) >= 3, name


@pytest.mark.parametrize("kind", [QCheckBox, QRadioButton, QLineEdit, QComboBox, QPushButton, QScrollBar])
def test_controls_are_drawn_with_the_colour_of_edges(qtbot: QtBot, kind: type[QWidget]) -> None:
    control = kind()
    qtbot.addWidget(control)
    control.resize(120, 24)
    picture = control.grab().toImage()
    seen = {picture.pixelColor(x, y).name() for x in range(picture.width()) for y in range(picture.height())}
    assert tokens().outline.lower() in seen


@pytest.mark.parametrize("way", list(Qt.Orientation))
def test_a_divider_is_a_line_that_is_lit_under_the_mouse(qtbot: QtBot, way: Qt.Orientation) -> None:
    """On light ground it was as good as white, and the same under the mouse."""
    splitter = QSplitter(way)
    qtbot.addWidget(splitter)
    for _ in range(2):
        splitter.addWidget(QWidget())
    splitter.resize(200, 200)
    with qtbot.waitExposed(splitter):
        splitter.show()
    handle = splitter.handle(1)

    def colour() -> str:
        return handle.grab().toImage().pixelColor(handle.rect().center()).name()

    assert colour() == tokens().border_strong.lower()
    inside, outside = QPointF(handle.rect().center()), QPointF(-9, -9)
    enter = QHoverEvent(QEvent.Type.HoverEnter, inside, handle.mapToGlobal(inside), outside)
    QApplication.sendEvent(handle, enter)
    assert colour() == tokens().accent.lower()


def test_a_read_only_field_has_no_frame(qtbot: QtBot) -> None:
    panel = QWidget()
    qtbot.addWidget(panel)
    field = QLineEdit("0.1", panel)
    panel.resize(200, 60)
    field.setGeometry(20, 20, 120, 24)

    def edge_and_ground() -> tuple[QColor, QColor]:
        picture = panel.grab().toImage()
        return picture.pixelColor(20, 32), picture.pixelColor(10, 32)

    edge, ground = edge_and_ground()
    assert edge != ground
    field.setReadOnly(True)
    edge, ground = edge_and_ground()
    assert edge == ground


def test_the_hint_of_a_disabled_field_is_disabled_text(qtbot: QtBot) -> None:
    field = QKeySequenceEdit()
    qtbot.addWidget(field)
    field.setEnabled(False)
    with qtbot.waitExposed(field):
        field.show()
    line = field.findChild(QLineEdit)
    assert line is not None
    shown = line.palette().color(QPalette.ColorGroup.Disabled, QPalette.ColorRole.PlaceholderText)
    assert shown == QColor(tokens().disabled)


@THEMES
def test_a_focused_control_can_be_told_from_others(colours: Tokens) -> None:
    for name, ground in grounds(colours).items():
        assert contrast(colours.accent, ground) >= 3, name


@THEMES
def test_the_edges_of_the_view_cube_can_be_seen(colours: Tokens) -> None:
    view = theme(colours.dark)
    # The cube is at the top.
    for ground in (view.background_top, view.cube_face):
        assert contrast(view.cube_edge, ground) >= 3, ground


@THEMES
@pytest.mark.parametrize("faint", [DIMMED, REFUSED, UNRESOLVED])
def test_names_of_faint_vertices_can_be_read(colours: Tokens, faint: float) -> None:
    shades = graph_colours(colours.dark)
    for kind in STYLES:
        card = mix(shades.fill(kind), shades.ground, faint)
        assert contrast(mix(shades.text, card, max(faint, FAINTEST_NAME)), card) >= 3, kind


@THEMES
def test_what_a_search_has_found_in_a_graph_can_be_told_from_vertices_and_from_the_selection(colours: Tokens) -> None:
    shades = graph_colours(colours.dark)
    assert contrast(shades.match, shades.ground) >= 3
    for other in (shades.selection, *(shades.kind(kind) for kind in ("world", "model", "link", "joint", "frame"))):
        apart = abs(QColor(shades.match).hue() - QColor(other).hue())
        assert min(apart, 360 - apart) >= 45, other
    for kind in STYLES:  # letters on the mark
        assert contrast(shades.text, mix(shades.match, shades.fill(kind), MATCHED)) >= 4.5, kind


@THEMES
def test_a_larger_difference_is_further_from_the_lightness_of_the_ground(colours: Tokens) -> None:
    shades = [as_hex(shade) for shade in difference_colours(np.linspace(0, 1, 65), dark=colours.dark)]
    steps = np.diff([luminance(shade) for shade in shades])
    assert ((steps if colours.dark else -steps) > 0).all()
    view = theme(colours.dark)
    for ground in (colours.base, colours.selection, view.background_top, view.background_bottom):
        assert contrast(shades[-1], ground) >= 4.5, ground


def test_the_smallest_difference_can_be_seen_in_the_dark_table() -> None:
    smallest = as_hex(difference_colours(np.zeros(1), dark=True)[0])
    assert contrast(smallest, DARK.base) >= 3


@pytest.mark.parametrize("show", [QWhatsThis.showText, QToolTip.showText])
def test_a_card_has_a_faint_frame_and_plain_text(qtbot: QtBot, show: Callable[[QPoint, str, QWidget], None]) -> None:
    owner = QWidget()
    qtbot.addWidget(owner)
    with qtbot.waitExposed(owner):
        owner.show()
    before = set(QApplication.topLevelWidgets())
    show(QPoint(40, 40), "<b>MMMM</b><br>What this is.", owner)
    (card,) = set(QApplication.topLevelWidgets()) - before
    with qtbot.waitExposed(card):
        pass
    picture = card.grab().toImage()
    assert picture.pixelColor(0, picture.height() // 2) == QColor(tokens().border_strong)
    texts = {picture.pixelColor(x, y).name() for x in range(picture.width()) for y in range(picture.height())}
    assert tokens().text.lower() in texts
    card.close()
