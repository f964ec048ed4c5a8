"""A difference of two texts on screen: columns, folds, marks, and the way from change to change."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication, QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from sdfviewer.document.line_difference import DiffLine, EqualLines, text_difference
from sdfviewer.gui.compare.text_comparison import DifferenceView, TextComparison
from sdfviewer.gui.compare.text_pane import DifferencePane, blend
from sdfviewer.gui.context.settings import Settings
from sdfviewer.gui.kit.theme import Choice, apply_theme, tokens

BEFORE = "\n".join(
    ["<sdf>", "<!--", *(f"note {n}" for n in range(40)), "-->", *(f"<a{n}/>" for n in range(40)), "</sdf>"]
)
AFTER = BEFORE.replace("note 20", "note twenty").replace("<a5/>", "<a5/>\n<new/>").replace("<a30/>", "<b30/>")


@pytest.fixture
def view(qtbot: QtBot, settings: Settings) -> TextComparison:
    view = TextComparison(settings)
    qtbot.addWidget(view)
    view.resize(1000, 400)
    with qtbot.waitExposed(view):
        view.show()
    view.show_difference(text_difference(BEFORE, AFTER))
    return view


def texts(pane: DifferencePane) -> list[str | None]:
    return [row.text if isinstance(row, DiffLine) else None for row in pane.rows]


def test_both_texts_are_side_by_side(view: TextComparison) -> None:
    left, right = view.panes
    assert left.blockCount() == right.blockCount() == len(left.rows) == len(right.rows)
    place = texts(right).index("<new/>")
    assert left.rows[place] is None
    assert texts(left)[place - 1] == texts(right)[place - 1] == "<a5/>"
    beside = texts(left).index("<a30/>")
    assert texts(right)[beside] == "<b30/>"
    assert view.place.text() == "Change 1 of 3"


def test_one_column_shows_what_is_removed_above_what_is_added(view: TextComparison, settings: Settings) -> None:
    QTest.mouseClick(view.unified, Qt.MouseButton.LeftButton)
    (pane,) = view.panes
    assert [row.text for row in pane.rows if isinstance(row, DiffLine) and row.sign != " "] == [
        "note 20",
        "note twenty",
        "<new/>",
        "<a30/>",
        "<b30/>",
    ]
    assert settings.side_by_side is False
    again = TextComparison(settings)
    assert again.unified.isChecked()
    again.deleteLater()


@pytest.mark.parametrize("side_by_side", [True, False])
def test_a_change_far_to_the_right_is_in_sight(qtbot: QtBot, view: TextComparison, side_by_side: bool) -> None:
    view.side_by_side.setChecked(side_by_side)
    view.unified.setChecked(not side_by_side)
    long = f'<a b="{"x " * 300}"'
    gap = "\n" * 9
    view.show_difference(text_difference(f"{long} c='1'/>{gap}<d/>", f"{long} c='2'/>{gap}<e/>"))
    qtbot.waitUntil(lambda: all(pane.viewport().width() > 100 for pane in view.panes))
    for pane in view.panes:
        end = pane.document().findBlockByNumber(0).layout().lineAt(0).naturalTextWidth()
        assert 0 < end - pane.horizontalScrollBar().value() < pane.viewport().width()
    view.step(1)
    assert [pane.horizontalScrollBar().value() for pane in view.panes] == [0] * len(view.panes)


def test_keys_lead_from_change_to_change(qtbot: QtBot, view: TextComparison) -> None:
    view.activateWindow()
    qtbot.waitUntil(view.isActiveWindow)
    for key, modifier, told in (
        (Qt.Key.Key_F7, Qt.KeyboardModifier.NoModifier, "Change 2 of 3"),
        (Qt.Key.Key_F7, Qt.KeyboardModifier.NoModifier, "Change 3 of 3"),
        (Qt.Key.Key_F7, Qt.KeyboardModifier.NoModifier, "Change 1 of 3"),
        (Qt.Key.Key_F7, Qt.KeyboardModifier.ShiftModifier, "Change 3 of 3"),
    ):
        QTest.keyClick(view, key, modifier)
        assert view.place.text() == told
    row = view.changes[2].start
    for pane in view.panes:
        assert row in [number for number, *_ in pane.rows_in_sight()]


def test_both_columns_scroll_together(view: TextComparison) -> None:
    view.unfold.click()
    left, right = view.panes
    for one, other in ((left, right), (right, left)):
        one.verticalScrollBar().setValue(one.verticalScrollBar().maximum() // 2)
        assert other.verticalScrollBar().value() == one.verticalScrollBar().value() > 0
        one.verticalScrollBar().setValue(0)
        assert other.verticalScrollBar().value() == 0


def test_a_click_opens_what_is_folded(view: TextComparison) -> None:
    left, right = view.panes
    number = next(number for number, row, *_ in left.rows_in_sight() if isinstance(row, EqualLines))
    count = len(left.rows[number].lines)  # type: ignore[union-attr]
    before = len(left.rows)
    rect = next(rect for shown, _, _, rect in left.rows_in_sight() if shown == number)
    QTest.mouseClick(left.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(40, int(rect.center().y())))
    assert len(left.rows) == len(right.rows) == before + count - 1
    view.unfold.click()
    assert texts(left) == [*BEFORE.split("\n")[:49], None, *BEFORE.split("\n")[49:]]
    view.unfold.click()
    assert any(isinstance(row, EqualLines) for row in left.rows)


def test_only_what_is_shown_is_laid_out(view: TextComparison) -> None:
    long = "\n".join(f"<line{n}/>" for n in range(30_000))
    view.show_difference(text_difference(long, long.replace("<line15000/>", "<other/>")))
    assert all(pane.blockCount() == 9 for pane in view.panes)
    assert view.place.text() == "Change 1 of 1"


def test_equal_texts_say_so(view: TextComparison) -> None:
    view.show_difference(text_difference(BEFORE, BEFORE))
    assert view.place.text() == "The texts are identical"
    assert not view.next.isEnabled()
    view.step(1)


def test_a_comment_keeps_its_colour_behind_a_fold(view: TextComparison) -> None:
    left, _ = view.panes
    block = left.document().findBlockByNumber(texts(left).index("note 19"))
    (whole,) = block.layout().formats()
    assert whole.format.fontItalic()
    tag = left.document().findBlockByNumber(texts(left).index("<a5/>"))
    assert not any(part.format.fontItalic() for part in tag.layout().formats())


def test_what_changed_is_reported_by_sign_and_line_and_not_by_colour_alone(
    qapp: QApplication, view: TextComparison
) -> None:
    left, right = view.panes
    for choice in (Choice.LIGHT, Choice.DARK):
        apply_theme(qapp, choice)
        colours = tokens(view.palette())
        for pane, sign in ((left, "-"), (right, "+")):
            picture = pane.grab().toImage()
            ratio = pane.devicePixelRatioF()
            number, row, _, rect = next(
                each for each in pane.rows_in_sight() if isinstance(each[1], DiffLine) and each[1].sign == sign
            )
            assert number == view.changes[0].start
            assert isinstance(row, DiffLine)
            ((start, end),) = row.changed
            assert row.text[start:end] in ("20", "twenty")
            bottom = pane.viewport().geometry().top() + rect.bottom() - 1
            line = {picture.pixelColor(x, int(bottom * ratio)).name() for x in range(picture.width())}
            strong = colours.accent if sign == "+" else colours.error
            assert strong.lower() in line
            assert blend(colours, sign, 0.13).name() in line


def test_copying_leaves_out_what_only_aligns(view: TextComparison) -> None:
    left, _ = view.panes
    place = left.rows.index(None)
    start = left.document().findBlockByNumber(place - 1).position()
    cursor = QTextCursor(left.document())
    cursor.setPosition(start)
    cursor.setPosition(left.document().findBlockByNumber(place + 1).position() + 3, QTextCursor.MoveMode.KeepAnchor)
    left.setTextCursor(cursor)
    left.copy()
    assert QGuiApplication.clipboard().text() == "<a5/>\n<a6"


def test_signs_that_end_lines_for_qt_do_not_break_rows(view: TextComparison) -> None:
    before, after = "a \U0001f600 1\u2029x\r\nb", "a \U0001f600 2\u2029x\nb"
    view.show_difference(text_difference(before, after))
    for pane in view.panes:
        assert pane.blockCount() == len(pane.rows) == 2
        pane.grab()


def test_a_small_view_shows_one_column_without_the_ends(qtbot: QtBot) -> None:
    view = DifferenceView()
    qtbot.addWidget(view)
    view.show_difference(text_difference(BEFORE, AFTER), 1)
    assert not isinstance(view.rows[0], EqualLines)
    assert not isinstance(view.rows[-1], EqualLines)
    number = next(number for number, row in enumerate(view.rows) if isinstance(row, EqualLines))
    count = len(view.rows)
    hidden = len(view.rows[number].lines)  # type: ignore[union-attr]
    view.fold_clicked.emit(number)
    assert len(view.rows) == count + hidden - 1


def test_changes_far_to_the_right_are_all_in_sight_in_a_small_view(qtbot: QtBot) -> None:
    view = DifferenceView()
    qtbot.addWidget(view)
    view.resize(500, 200)
    far = f'  <link name="a">{"<x/>" * 50}<pose relative_to="flange"/></link>'
    near = f'  <frame name="flange"/>{" " * 300}'
    view.show_difference(text_difference(f"{near}\n{far}", f"{near}\n{far}".replace("flange", "f")), 1)
    with qtbot.waitExposed(view):
        view.show()
    for number, row in enumerate(view.rows):
        assert isinstance(row, DiffLine)
        line = view.document().findBlockByNumber(number).layout().lineAt(0)
        x: tuple[float, int] = line.cursorToX(row.changed[0][1])  # type: ignore[assignment]
        assert x[0] < view.viewport().width()
    assert [row.text for row in view.rows if isinstance(row, DiffLine)] == [
        near,
        '  …<pose relative_to="flange"/></link>',
        near.replace("flange", "f"),
        '  …<pose relative_to="f"/></link>',
    ]
    view.selectAll()
    view.copy()
    assert QGuiApplication.clipboard().text().splitlines()[1] == far, "what is left out is copied"
    view.resize(5000, 200)
    qtbot.waitUntil(lambda: far in view.toPlainText())


def test_all_lines_of_a_difference_are_equally_high(qtbot: QtBot) -> None:
    pane = DifferencePane("Difference", ("before", "after"))
    qtbot.addWidget(pane)
    pane.show_rows([DiffLine(" ", f"line {number}", number, number) for number in range(1, 6)])
    pane.resize(400, 200)
    pane.show()
    heights = {rect.height() for _, _, _, rect in pane.rows_in_sight()}
    assert heights == {pane.fontMetrics().lineSpacing()}, "the number of the last line is beside it, not below"


@pytest.mark.parametrize("side_by_side", [True, False])
def test_of_a_line_that_takes_long_to_lay_out_the_change_is_shown(
    qtbot: QtBot, settings: Settings, side_by_side: bool
) -> None:
    line = "".join(f'<link name="l{n}"/>' for n in range(80_000))
    comparison = TextComparison(settings)
    qtbot.addWidget(comparison)
    comparison.side_by_side.setChecked(side_by_side)
    comparison.show_difference(text_difference(f"a\n{line}\nb", f"a\n{line.replace('l70000', 'other')}\nb"))
    shown = "".join(pane.toPlainText() for pane in comparison.panes)
    assert "l70000" in shown
    assert "other" in shown
    assert len(shown) < 1000
    comparison.unfold.setChecked(True)
    assert len("".join(pane.toPlainText() for pane in comparison.panes)) < 1000
