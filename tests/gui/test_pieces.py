"""What the window is made of, where no window is needed."""

from __future__ import annotations

import math

import numpy as np
import pytest
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from sdfviewer.gui.kit import icons
from sdfviewer.gui.kit.fields import NumberField
from sdfviewer.gui.kit.icons import KINDS, SEVERITIES, icon
from sdfviewer.gui.kit.theme import DARK, LIGHT
from sdfviewer.gui.shell.actions.table import ACTIONS
from sdfviewer.language.fuzzy import match_score
from sdfviewer.model.kinds import Kind
from sdfviewer.number_expression import parse_number
from sdfviewer.number_text import format_exact, format_shown
from sdfviewer.refactoring.pose_notation import FORMS, as_numpy, as_quaternion, as_xyz_rpy
from sdfviewer.transforms import pose_to_matrix


@pytest.mark.parametrize(
    ("text", "value"),
    [("1.5", 1.5), ("-pi/2", -math.pi / 2), ("2*pi", 2 * math.pi), ("1,5", 1.5), (" 1e-3 ", 1e-3), ("π", math.pi)],
)
def test_numbers_are_read_as_people_type_them(text: str, value: float) -> None:
    assert parse_number(text) == pytest.approx(value, abs=0, rel=1e-15)


@pytest.mark.parametrize("text", ["", "abc", "1/0", "1..2", "inf", "nan", "__import__('os')"])
def test_what_is_no_number_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"number"):
        parse_number(text)


@pytest.mark.parametrize("value", [0.1, 1 / 3, 1e-7, -math.pi, 12345678.9])
def test_exact_text_reads_back(value: float) -> None:
    assert float(format_exact(value)) == value


def test_rounding_noise_reads_as_zero() -> None:
    assert format_shown(6.1e-17) == "0"
    assert format_shown(math.inf) == "∞"
    assert format_shown(3.981634e-05) == "3.982e-05"


def test_a_field_marks_and_drops_what_is_no_number(qtbot: QtBot) -> None:
    field = NumberField("x")
    qtbot.addWidget(field)
    field.set_value(2.0)
    field.selectAll()
    qtbot.keyClicks(field, "2x")
    assert field.property("invalid")
    assert "2x" in field.toolTip()
    with qtbot.assertNotEmitted(field.committed):
        field.editingFinished.emit()
    assert (field.text(), field.value) == ("2", 2.0)
    assert not field.property("invalid")


def test_poses_are_copied_in_all_forms() -> None:
    X = pose_to_matrix([1, 2, 3, 0, 0, math.pi / 2])
    assert as_xyz_rpy(X) == f"1 2 3 0 0 {math.pi / 2}"
    assert [float(word) for word in as_quaternion(X).split()] == pytest.approx([1, 2, 3, 0, 0, 0.5**0.5, 0.5**0.5])
    np.testing.assert_allclose(eval(as_numpy(X), {"np": np}), X, atol=1e-15)
    assert len(FORMS["4×4 matrix"](X).splitlines()) == 4


def test_letters_match_in_their_order() -> None:
    assert match_score("jzero", "Reset Joints") is None
    assert match_score("", "anything") == 0
    best = max(["Save Picture…", "Save", "Save As…", "Reset All"], key=lambda text: match_score("sas", text) or -1)
    assert best == "Save As…"
    words = match_score("all fit", "View/Camera: Fit All")
    assert words is not None
    assert words > 50


def test_every_icon_is_in_the_font_and_draws_something(qapp: QApplication) -> None:
    names = {*KINDS.values(), *SEVERITIES.values(), *(spec.icon for spec in ACTIONS if spec.icon)}
    for name in names:
        image = icon(name, "#ff0000").pixmap(16, 16).toImage()
        assert any(image.pixelColor(x, y).alpha() > 128 for x in range(16) for y in range(16)), name


@pytest.mark.parametrize(("name", "colour"), [("accent", "accent"), ("kind link", "link"), ("#00ff00", "")])
def test_an_icon_is_painted_in_the_theme_of_the_moment(
    qapp: QApplication, monkeypatch: pytest.MonkeyPatch, name: str, colour: str
) -> None:
    sign = icon("mdi6.square", name)
    for theme in (DARK, LIGHT):
        monkeypatch.setattr(icons, "tokens", lambda theme=theme: theme)
        wanted = {"accent": theme.accent, "link": theme.kind("link"), "": name}[colour]
        assert sign.pixmap(16, 16).toImage().pixelColor(8, 8).name() == wanted.lower()
        disabled = sign.pixmap(16, 16, QIcon.Mode.Disabled).toImage().pixelColor(8, 8).name()
        assert disabled == theme.disabled.lower()


def test_a_colour_that_no_theme_has_is_refused_where_the_icon_is_made(qapp: QApplication) -> None:
    with pytest.raises(AttributeError):
        icon("mdi6.square", "no colour")


def test_a_kind_has_its_own_icon() -> None:
    assert len(set(KINDS.values())) == len(KINDS) == len(Kind)
