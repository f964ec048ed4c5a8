"""Help: manual, shortcuts, preferences, tour."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from threading import current_thread, main_thread
from typing import Any

import pytest
from PySide6.QtCore import QPoint, QRect, Qt, QUrl
from PySide6.QtGui import QImage, QKeySequence, QTextCursor, QTextDocument, QTextFormat
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFrame, QPushButton
from pytestqt.qtbot import QtBot

from sdfviewer.diagnostics import RULES
from sdfviewer.formats.load import load_model
from sdfviewer.gui.context.settings import Settings
from sdfviewer.gui.help import manual as manual_module
from sdfviewer.gui.help.manual import Manual
from sdfviewer.gui.help.manual_pages import Page, find_pages, manual_pages
from sdfviewer.gui.help.preferences import Preferences
from sdfviewer.gui.help.shortcuts import ShortcutSheet
from sdfviewer.gui.help.tour import Tour
from sdfviewer.gui.kit.fields import AngleUnit
from sdfviewer.gui.kit.theme import DARK, LIGHT, Choice, is_dark
from sdfviewer.gui.operations.preview_dialog import PreviewDialog
from sdfviewer.gui.shell.actions.help_actions import read_example_link
from sdfviewer.gui.shell.application import offer_tour
from sdfviewer.gui.shell.files.open_file import OpenFile
from sdfviewer.gui.shell.window import MainWindow
from sdfviewer.gui.shell.workspaces import WORKSPACES
from sdfviewer.model.kinds import Kind
from sdfviewer.resources import documentation, resource
from tests.frames import frame_in
from tests.gui.kept_window import ALL_PANELS


@pytest.fixture
def manual(window: MainWindow) -> Manual:
    window.actions_by_id["help.manual"].trigger()
    manual = window.app.dialog
    assert isinstance(manual, Manual)
    return manual


@pytest.fixture
def sheet(qtbot: QtBot, window: MainWindow) -> ShortcutSheet:
    window.actions_by_id["help.shortcuts"].trigger()
    sheet = window.app.dialog
    assert isinstance(sheet, ShortcutSheet)
    qtbot.waitUntil(lambda: sheet.table.topLevelItemCount() > 0)
    return sheet


# --- manual --------------------------------------------------------------------------------------------------------


def test_f1_opens_the_manual(window: MainWindow) -> None:
    assert window.actions_by_id["help.manual"].shortcut().toString() == "F1"


def test_the_manual_has_the_pages_of_the_documentation_and_one_for_each_rule() -> None:
    pages = {page.id: page for page in manual_pages()}
    assert {"start", "window", "concepts/frames", "concepts/conventions"} <= set(pages)
    assert {f"rules/{name}" for name in RULES} <= set(pages)
    assert not any("```{" in page.markdown for page in pages.values())


def test_enter_opens_the_first_match_and_the_list_marks_the_page(qtbot: QtBot, manual: Manual) -> None:
    current = manual.pages.currentItem()
    assert current is not None
    assert current.text(0) == "The window"
    QTest.keyClicks(manual.search, "inertia")
    QTest.keyClick(manual.search, Qt.Key.Key_Return)
    current = manual.pages.currentItem()
    assert current is manual.pages.topLevelItem(0)
    assert manual.page == find_pages("inertia")[0][0].id


def test_the_manual_marks_every_word_that_is_searched_for(manual: Manual) -> None:
    QTest.keyClicks(manual.search, "limits joint")
    manual.open_page("window")
    marked = {each.cursor.selectedText().lower() for each in manual.text.extraSelections()}
    assert marked == {"limits", "joint"}
    line = manual.text.textCursor().block().text().lower()
    assert "limits" in line
    assert "joint" in line


def test_a_match_shows_the_line_in_which_it_is() -> None:
    lines = {page.id: line for page, line in find_pages("canonical")}
    assert lines["glossary"] == "canonical_link · the link that the implicit frame of a model is attached to"
    for line in lines.values():
        assert "canonical" in line[:40].lower(), line
        assert "`" not in line


def test_a_match_shows_no_marks_of_markdown() -> None:
    def line_of(words: str) -> str:
        return next(line for page, line in find_pages(words) if page.id == "window")

    assert line_of("mirror limb").startswith("…→ Arrange → Mirror Limb writes the selected link")
    assert line_of("remove lists").startswith("Remove lists the dependents")
    assert "+=0.1, -=, *= and /= change" in line_of("45deg"), "these stars are code"


def test_where_a_picture_or_link_leads_is_no_match() -> None:
    """Pictures are in a folder called ``screenshots``: every page with one had the word and showed no line."""
    for page, line in find_pages("screenshot"):
        assert "screenshot" in line, page.id


def test_the_list_has_room_for_the_line_of_a_match(manual: Manual) -> None:
    one = manual.pages.sizeHintForIndex(manual.pages.currentIndex()).height()
    QTest.keyClicks(manual.search, "canonical")
    QTest.keyClick(manual.search, Qt.Key.Key_Return)
    assert manual.pages.sizeHintForIndex(manual.pages.currentIndex()).height() > 1.5 * one


def picture_of(qtbot: QtBot, manual: Manual, name: str) -> QImage:
    """Return a picture of the page when it has been read; until then there is room for it."""
    kind, url = QTextDocument.ResourceType.ImageResource.value, QUrl(name)
    room = manual.text.loadResource(kind, url)
    assert isinstance(room, QImage)

    def shown() -> QImage:
        picture = manual.text.document().resource(kind, url)
        assert isinstance(picture, QImage)
        return picture

    qtbot.waitUntil(lambda: shown().format() != room.format())
    size, expected = shown().deviceIndependentSize(), room.size()
    assert size.width() == pytest.approx(expected.width(), abs=1)
    assert size.height() == pytest.approx(expected.height(), abs=1)
    return shown()


def test_pictures_of_the_manual_are_there_and_fit(qtbot: QtBot, manual: Manual) -> None:
    manual.open_page("window")
    picture = picture_of(qtbot, manual, "../screenshots/window-compare.webp")
    assert 0 < picture.width() <= manual.text.viewport().width()


def test_pictures_of_the_manual_are_read_beside_the_window(
    qtbot: QtBot, window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[bool] = []
    original = manual_module._read_picture

    def counted(*args: Any) -> QImage:
        read.append(current_thread() is main_thread())
        return original(*args)

    monkeypatch.setattr(manual_module, "_read_picture", counted)
    window.actions_by_id["help.manual"].trigger()
    qtbot.waitUntil(lambda: bool(read))
    assert not any(read)


def test_pictures_of_the_manual_are_sharp_on_a_dense_screen(
    qtbot: QtBot, manual: Manual, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(manual.text, "devicePixelRatioF", lambda: 2.0)
    manual.open_page("start")
    room = manual.text.viewport().width()
    picture = picture_of(qtbot, manual, "../screenshots/window-cycle.webp")
    assert picture.deviceIndependentSize().width() <= room
    assert picture.width() > room


def test_a_page_fits_and_its_headings_have_one_size(manual: Manual) -> None:
    manual.open_page("concepts/frames")
    assert manual.text.horizontalScrollBar().maximum() == 0
    heading = manual.text.document().firstBlock()
    cursor = QTextCursor(heading)
    sizes = set()
    for place in range(1, heading.length()):
        cursor.setPosition(heading.position() + place)
        sizes.add(cursor.charFormat().intProperty(QTextFormat.Property.FontSizeAdjustment))
    assert "attached_to" in heading.text()
    assert sizes == {3}
    manual.open_page("start")
    assert manual.text.horizontalScrollBar().maximum() == 0


def test_links_lead_to_other_pages_and_back(manual: Manual) -> None:
    manual.open_page("window")
    manual.text.anchorClicked.emit(QUrl("concepts/conventions.md"))
    assert manual.page == "concepts/conventions"
    assert "convention" in manual.text.toPlainText()
    manual.back_button.click()
    assert manual.page == "window"


def test_what_was_searched_is_in_the_middle_of_the_page(qtbot: QtBot, manual: Manual) -> None:
    manual.search.setText("half typed")
    QTest.keyClick(manual.search, Qt.Key.Key_Return)
    assert manual.text.textCursor().selectedText() == "half typed"
    at, height = manual.text.cursorRect().top(), manual.text.viewport().height()
    assert height / 4 < at < height / 2


def test_the_search_finds_pages_by_all_words_the_titles_first(qtbot: QtBot, manual: Manual) -> None:
    assert find_pages("relative-to-cycle")[0][0].id == "rules/relative-to-cycle"
    assert find_pages("no_such_word_anywhere") == []
    manual.search.setText("canonical placement")
    QTest.keyClick(manual.search, Qt.Key.Key_Return)
    assert "placement" in manual.text.toPlainText()
    manual.search.setText("no_such_word_anywhere")
    qtbot.waitUntil(lambda: manual.pages.topLevelItem(0).text(0) == "No match")


def test_the_search_shows_a_heading_rather_than_a_table(manual: Manual) -> None:
    page, line = find_pages("compare")[0]
    assert (page.id, line) == ("window", "Compare and refactor"), "the table of the panels is above it"
    manual.open_page("window")
    manual.search.setText("compare")
    QTest.keyClick(manual.search, Qt.Key.Key_Return)
    assert manual.text.textCursor().block().text() == "Compare and refactor"


def words_of_source(page: Page) -> list[str]:
    """Return the words in the source of a page that a reader should see, in their order."""
    # The pages of operations and rules are made from the code; building the documentation writes others of their names.
    is_made = page.id == "operations" or page.id.startswith("rules/")
    text = page.markdown if is_made else (documentation() / f"{page.id}.md").read_text(encoding="utf-8")
    text = re.sub(r"^<!-- window: (.*?) -->", r"\1", text, flags=re.DOTALL | re.MULTILINE)
    marks = (r"^<!-- /?\w+ -->$", r"^\[[^]]+\]: .*$", r"^```\w*$", r"!\[[^]]*\]\([^)]*\)", r"(?<=\])\([^)]*\)", "`")
    for unseen in marks:
        text = re.sub(unseen, "", text, flags=re.MULTILINE)
    return re.findall(r"\w+", text)


def words_in_sight(manual: Manual) -> list[str]:
    """Return the words of the page that are laid out, in their order."""
    words, block = [], manual.text.document().firstBlock()
    while block.isValid():
        if block.layout().lineCount():
            words += re.findall(r"\w+", block.text())
        block = block.next()
    return words


def test_the_manual_shows_every_word_of_every_page(manual: Manual) -> None:
    """Qt laid out no text behind the middle of long pages, and took what looks like a tag for one."""
    for page in manual_pages():
        manual.open_page(page.id)
        assert words_in_sight(manual) == words_of_source(page), page.id


# --- shortcuts -----------------------------------------------------------------------------------------------------


def test_every_action_is_in_the_sheet(sheet: ShortcutSheet, window: MainWindow) -> None:
    for id in window.actions_by_id:
        sheet.choose(id)
        assert sheet.current == id


def test_a_shortcut_is_changed_saved_and_reset(
    sheet: ShortcutSheet, window: MainWindow, settings: Settings, make_window: Callable[[], MainWindow]
) -> None:
    action = window.actions_by_id["show.wireframe"]
    default = action.shortcut()
    sheet.choose("show.wireframe")
    sheet.change(QKeySequence("Ctrl+Alt+Shift+W"))
    assert action.shortcut() == QKeySequence("Ctrl+Alt+Shift+W")
    assert "Ctrl+Alt+Shift+W" in action.toolTip()
    assert make_window().actions_by_id["show.wireframe"].shortcut() == QKeySequence("Ctrl+Alt+Shift+W")
    sheet.reset_button.click()
    assert action.shortcut() == default
    assert settings.shortcuts == {}


def test_the_sheet_finds_a_command_by_what_people_call_it(sheet: ShortcutSheet) -> None:
    sheet.search.setText("ruler")
    sheet.choose("tool.measure")
    found = sheet.table.currentItem()
    assert found is not None
    assert not found.isHidden()
    assert sheet.nothing.isHidden()


def test_enter_resets_no_shortcut(sheet: ShortcutSheet, window: MainWindow) -> None:
    sheet.choose("show.wireframe")
    sheet.change(QKeySequence("Ctrl+Alt+Shift+W"))
    sheet.search.setFocus()
    QTest.keyClick(sheet.search, Qt.Key.Key_Return)
    assert window.actions_by_id["show.wireframe"].shortcut() == QKeySequence("Ctrl+Alt+Shift+W")
    pressed_by_enter = [each.text() for each in sheet.findChildren(QPushButton) if each.isDefault()]
    assert [text.replace("&", "") for text in pressed_by_enter] == ["Close"]


def test_keys_of_another_command_are_not_taken(sheet: ShortcutSheet, window: MainWindow) -> None:
    sheet.choose("show.wireframe")
    sheet.change(QKeySequence("Ctrl+O"))
    assert "Open" in sheet.problem.text()
    assert window.actions_by_id["show.wireframe"].shortcut() != QKeySequence("Ctrl+O")
    # The source has keys of its own.
    sheet.choose("source.comment")
    sheet.change(QKeySequence("Ctrl+O"))
    assert window.actions_by_id["source.comment"].shortcut() == QKeySequence("Ctrl+O")
    sheet.reset_all_button.click()
    assert window.actions_by_id["source.comment"].shortcut() == QKeySequence("Ctrl+/")


def test_the_sheet_finds_by_name_and_by_keys(sheet: ShortcutSheet) -> None:
    def found() -> set[str]:
        menus = (sheet.table.topLevelItem(number) for number in range(sheet.table.topLevelItemCount()))
        rows = (menu.child(place) for menu in menus for place in range(menu.childCount()))
        return {row.text(0) for row in rows if not row.isHidden()}

    sheet.search.setText("wirefr")
    assert found() == {"Wireframe"}
    assert not sheet.nothing.isVisible()
    sheet.search.setText("ctrl+shift+p")
    assert "Command Palette…" in found()
    sheet.search.setText("cmpal")
    assert found() == {"Command Palette…"}, "the beginnings of its words"
    sheet.search.setText("wireframe of nothing")
    assert not found()
    assert sheet.nothing.isVisible()
    sheet.search.clear()
    assert "Wireframe" in found()
    assert not sheet.nothing.isVisible()


def test_the_sheet_marks_what_matches(sheet: ShortcutSheet) -> None:
    sheet.choose("show.wireframe")
    item = sheet.table.currentItem()
    assert item is not None
    sheet.choose("go.palette")

    def picture() -> QImage:
        sheet.table.scrollToItem(item)
        return sheet.table.viewport().grab(sheet.table.visualItemRect(item)).toImage()

    sheet.search.setText("Wireframe ")
    every_letter = picture()
    sheet.search.setText("wire")
    some = picture()
    sheet.search.clear()
    assert picture() != some != every_letter


# --- preferences ---------------------------------------------------------------------------------------------------


def test_preferences_take_effect_at_once(qtbot: QtBot, window: MainWindow, settings: Settings) -> None:
    window.actions_by_id["edit.preferences"].trigger()
    dialog = window.app.dialog
    assert isinstance(dialog, Preferences)
    pressed_by_enter = [each.text() for each in dialog.findChildren(QPushButton) if each.isDefault()]
    assert [text.replace("&", "") for text in pressed_by_enter] == ["Close"]
    for box, text in ((dialog.theme, "Light"), (dialog.unit, "Degrees"), (dialog.navigation, "Gazebo")):
        box.setCurrentText(text)
        box.activated.emit(box.currentIndex())
    assert settings.theme is Choice.LIGHT
    qtbot.waitUntil(lambda: not is_dark(window.palette()))
    assert settings.angle_unit is AngleUnit.DEGREES
    assert window.actions_by_id["unit.degrees"].isChecked()
    assert window.actions_by_id["navigation.gazebo"].isChecked()
    dialog.snap_length.setValue(0.25)
    assert settings.snap_length == pytest.approx(0.25)
    assert dialog.snap_angle.text() == "5.0°"
    dialog.unit.setCurrentText("Radians")
    dialog.unit.activated.emit(dialog.unit.currentIndex())
    assert dialog.snap_angle.text() == "0.0873 rad", "in the unit that the user has chosen"
    dialog.snap_angle.setValue(0.1)
    assert settings.snap_angle == pytest.approx(0.1)
    window.actions_by_id["theme.dark"].trigger()
    qtbot.waitUntil(lambda: is_dark(window.palette()))


# --- tour and "What is this?" --------------------------------------------------------------------------------------


@pytest.mark.panels(*ALL_PANELS)
def test_the_tour_follows_the_window_and_the_file(window: MainWindow, arm: OpenFile, qtbot: QtBot) -> None:
    window.actions_by_id["help.tour"].trigger()
    (tour,) = (each for each in window.findChildren(Tour) if each.isVisible())
    window.resize(window.width() - 90, window.height() - 60)
    qtbot.waitUntil(lambda: tour.size() == window.size())
    assert tour.rect().contains(tour.card.geometry())
    before = tour.card.pos()
    arm.view.hide()
    tour.follow()
    assert tour.card.geometry().center() != before
    tour.end()


@pytest.mark.panels(*ALL_PANELS)
def test_the_tour_has_five_steps_and_can_be_skipped(window: MainWindow, arm: OpenFile, settings: Settings) -> None:
    window.actions_by_id["help.tour"].trigger()
    tour = window.findChild(Tour)
    for number in range(1, 6):
        assert tour.count.text() == f"{number} of 5"
        assert tour.rect().contains(tour.card.geometry())
        assert not tour.lit.isEmpty()
        assert not tour.lit.intersects(tour.card.geometry())
        assert tour.skip_button.isVisible() is (number < 5), "at the end there is nothing to skip"
        QTest.keyClick(tour.next_button if number % 2 else tour, Qt.Key.Key_Return)
    assert not tour.isVisible()
    window.actions_by_id["help.tour"].trigger()
    (again,) = (each for each in window.findChildren(Tour) if each.isVisible())
    QTest.keyClick(again, Qt.Key.Key_Escape)
    assert not again.isVisible()
    assert settings.flag("tour.seen", False)


def test_the_first_start_offers_the_tour_in_a_notice_and_does_not_start_it(
    window: MainWindow, arm: OpenFile, settings: Settings
) -> None:
    """Its own box lay over the graphs, and in other workspaces below other notices."""
    focus = window.focusWidget()
    offer_tour(window)
    assert "tour" in window.notices.topics
    assert not window.findChildren(Tour)
    assert window.focusWidget() is focus
    assert settings.flag("tour.seen", False), "it is offered once"
    notice = window.notices.findChild(QFrame, "notice_tour")
    (button,) = notice.findChildren(QPushButton)
    button.click()
    assert "tour" not in window.notices.topics
    (tour,) = (each for each in window.findChildren(Tour) if each.isVisible())
    tour.end()


@pytest.mark.panels("properties", "joints")
def test_after_the_tour_the_panel_in_front_is_the_one_before(window: MainWindow, arm: OpenFile, qtbot: QtBot) -> None:
    """The joints stayed in front of the properties."""
    properties, joints = window.docks.docks["properties"], window.docks.docks["joints"]
    joints.show()
    if joints not in window.tabifiedDockWidgets(properties):
        window.tabifyDockWidget(properties, joints)
    properties.raise_()
    qtbot.waitUntil(lambda: not properties.visibleRegion().isEmpty())
    window.actions_by_id["help.tour"].trigger()
    tour = window.findChild(Tour)
    for _ in range(3):
        tour.go_on()
    qtbot.waitUntil(lambda: not joints.visibleRegion().isEmpty())
    tour.end()
    qtbot.waitUntil(lambda: not properties.visibleRegion().isEmpty())


def test_the_tour_shows_the_properties_of_a_link_and_takes_the_selection_back(
    window: MainWindow, arm: OpenFile
) -> None:
    """It explained an empty panel."""
    session = arm.session
    assert session.model is not None
    selections: list[tuple[str, ...]] = [(), ("arm::forearm",)]
    for chosen in selections:
        session.select(chosen)
        window.actions_by_id["help.tour"].trigger()
        (tour,) = (each for each in window.findChildren(Tour) if each.isVisible())
        tour.go_on()
        assert session.selection == chosen
        tour.go_on()
        (name,) = session.selection
        assert session.model.kinds[session.model.row(name)] is Kind.LINK
        assert chosen in ((), (name,))
        if chosen:
            tour.go_on()
        else:
            tour.end()
        assert session.selection == chosen
        tour.end()


def test_what_is_selected_during_the_tour_stays_selected(window: MainWindow, arm: OpenFile) -> None:
    arm.session.select(())
    window.actions_by_id["help.tour"].trigger()
    tour = window.findChild(Tour)
    tour.go_on()
    tour.go_on()
    arm.session.select(("arm::forearm",))
    tour.go_on()
    assert arm.session.selection == ("arm::forearm",)
    tour.end()


def test_the_tour_lights_the_buttons_of_the_workspaces_and_stands_below_them(window: MainWindow, arm: OpenFile) -> None:
    """It lit the whole toolbar, and stood in its middle."""
    window.resize(1366, 768)
    window.actions_by_id["help.tour"].trigger()
    tour = window.findChild(Tour)
    for _ in range(4):
        tour.go_on()
    bar = window.toolbar

    def lit(id: str) -> bool:
        button = bar.widgetForAction(window.actions_by_id[id])
        return tour.lit.contains(QRect(button.mapTo(window, QPoint()), button.size()))

    assert all(lit(f"workspace.{each.id}") for each in WORKSPACES)
    assert not lit("go.palette")
    assert not lit("file.open")
    card = tour.card.geometry()
    assert card.top() > tour.lit.bottom()
    assert card.left() <= tour.lit.center().x() <= card.right()
    tour.end()


def test_a_click_beside_the_lit_part_ends_the_tour(window: MainWindow, arm: OpenFile) -> None:
    window.actions_by_id["help.tour"].trigger()
    tour = window.findChild(Tour)
    assert not tour.mask().contains(tour.lit.center()), "what is lit takes its clicks"
    QTest.mouseClick(tour, Qt.MouseButton.LeftButton, pos=tour.rect().bottomLeft())
    assert not tour.isVisible()
    assert "Help › Tour" in window.status.message


def test_every_panel_says_what_it_is(window: MainWindow) -> None:
    for dock in (*window.docks.docks.values(), window.views):
        assert len(dock.whatsThis()) > 80


def test_a_report_can_be_copied(window: MainWindow, arm: OpenFile) -> None:
    window.actions_by_id["help.report"].trigger()
    copy = next(button for button in window.findChildren(QPushButton) if button.text() == "Copy Report")
    assert copy.isVisible()
    copy.window().close()


# --- examples that the manual opens --------------------------------------------------------------------------------


def example_links() -> list[str]:
    """Return the links to examples in all pages."""
    return [link for page in manual_pages() for link in re.findall(r"\]\((sdfviewer:[^)]+)\)", page.markdown)]


def test_every_link_to_an_example_names_a_file_joints_and_actions_that_exist(window: MainWindow) -> None:
    links = example_links()
    assert len(links) >= 3
    for link in links:
        view = read_example_link(QUrl(link))
        assert set(view.actions) <= set(window.actions_by_id)
        model = load_model(resource("examples") / view.file)
        assert {frame_in(model, name).kind for name in view.positions} <= {"joint"}


def test_a_link_opens_the_figure_of_the_kinematics_page(
    qtbot: QtBot, window: MainWindow, manual: Manual, settings: Settings
) -> None:
    manual.open_page("concepts/kinematics")
    (link,) = (link for link in example_links() if "joint12=0.78" in link)
    manual.text.anchorClicked.emit(QUrl(link))
    qtbot.waitUntil(window.actions_by_id["show.parent_sides"].isChecked)
    file = window.current
    assert file is not None
    assert file.name == "two_links_orthogonal.sdf"
    assert file.session.positions["pair_2::joint12"] == (0.78,)
    assert window.actions_by_id["camera.orthographic"].isChecked()


def test_a_link_to_an_example_that_is_open_shows_it_in_compare(
    qtbot: QtBot, window: MainWindow, manual: Manual
) -> None:
    window.files.open([resource("examples") / "joint_frames.sdf", resource("examples") / "arm.sdf"])
    (link,) = (link for link in example_links() if "compare.side" in link)
    manual.text.anchorClicked.emit(QUrl(link))
    qtbot.waitUntil(window.actions_by_id["compare.side"].isChecked)
    file = window.current
    assert file is not None
    assert file.name == "joint_frames.sdf"


def test_a_preview_fits_on_a_small_screen(window: MainWindow, arm: OpenFile) -> None:
    window.actions_by_id["refactor.element_relative"].trigger()
    dialog = window.app.dialog
    assert isinstance(dialog, PreviewDialog)
    room = dialog.screen().availableGeometry()
    assert dialog.width() < room.width()
    assert dialog.height() < room.height()
    dialog.reject()


def test_a_search_marks_its_words_without_a_key(qtbot: QtBot, manual: Manual) -> None:
    manual.open_page("start")
    word = next(word for word in manual.text.toPlainText().split() if word.isalpha() and len(word) > 6)
    manual.search.setText(word)
    qtbot.waitUntil(lambda: bool(manual.text.extraSelections()))
    assert manual.page == "start", "which has the word"
    manual.search.setText("canonical placement")
    qtbot.waitUntil(lambda: manual.page != "start")
    assert manual.text.extraSelections()
    shown = manual.page
    manual.search.setText("no_such_word_anywhere")
    qtbot.waitUntil(lambda: not manual.text.extraSelections())
    assert manual.page == shown


def test_a_search_shows_its_first_page_until_somebody_has_opened_one(qtbot: QtBot, manual: Manual) -> None:
    manual.search.setText("export")
    qtbot.waitUntil(lambda: manual.page == "robots")
    manual.search.setText("mujoco")
    first = find_pages("mujoco")[0][0].id
    qtbot.waitUntil(lambda: manual.page == first)


def test_the_dark_theme_dims_the_light_pictures(tmp_path: Path) -> None:
    file = str(tmp_path / "white.png")
    white = QImage(8, 8, QImage.Format.Format_RGB32)
    white.fill(Qt.GlobalColor.white)
    white.save(file)
    light, dark = (
        manual_module._read_picture(file, 8, 1.0, colours).pixelColor(4, 4).lightness() for colours in (LIGHT, DARK)
    )
    assert (light, dark < 220) == (255, True)
