"""What the problems panel says of one problem."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication, QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from sdfviewer.diagnostics import DeferredFixes, Diagnostic, Replacement
from sdfviewer.document.document import parse_document
from sdfviewer.document.edits import Edit
from sdfviewer.files.finder import Finder
from sdfviewer.gui.context.document_context import DocumentContext
from sdfviewer.gui.context.previews import Previews
from sdfviewer.gui.kit.labels import BREAK, BreakingLabel, LinkLabel
from sdfviewer.gui.problems.panel import ROW_HEIGHT, ProblemsPanel
from sdfviewer.gui.problems.problem_detail import FixAllMenu, PlacesTried, rules_with_fixes
from sdfviewer.gui.shell.window import MainWindow
from sdfviewer.session.session import Session

FUEL = "https://fuel.gazebosim.org/1.0/OpenRobotics/models/Depot"
TEXT = f'<sdf version="1.9"><world name="w"><include><uri>{FUEL}</uri></include></world></sdf>'
MISSPELT = (
    '<sdf version="1.9"><model name="m"><link name="forearm"/><frame name="tip" attached_to="foreram"/></model></sdf>'
)


@pytest.mark.panels("problems")
def test_a_missing_model_takes_two_lines_and_the_places_tried_unfold(qtbot: QtBot) -> None:
    panel = ProblemsPanel(DocumentContext(Session(parse_document(TEXT), Finder(replaces_fuel=True))))
    qtbot.addWidget(panel)
    panel.resize(700, 300)
    with qtbot.waitExposed(panel):
        panel.show()
    said = [label.text() for label in panel.detail.findChildren(QLabel) if label.isVisible()]
    assert said == [
        f"Cannot find '{FUEL}': it is not downloaded<br>Download it, or add its folder to the model folders",
    ]
    tried = panel.detail.findChild(PlacesTried)
    assert tried is not None
    assert tried.heading.text().endswith("tried")
    tried.heading.click()
    assert tried.list.isVisible()
    assert len(tried.list.text().splitlines()) == len(panel.table.problems[0].tried)


def test_a_panel_without_problems_gives_the_keyboard_to_what_is_in_sight(qtbot: QtBot) -> None:
    """A click on *no problems* gave it to the list, which is not shown then."""
    link = '<sdf version="1.9"><model name="m"><link name="l"/></model></sdf>'
    panel = ProblemsPanel(DocumentContext(Session(parse_document(link))))
    qtbot.addWidget(panel)
    with qtbot.waitExposed(panel):
        panel.show()
    assert not panel.table.groups
    panel.setFocus()
    focused = panel.focusWidget()
    assert focused is not None
    assert focused.isVisible()


def test_where_the_panel_is_low_the_details_are_beside_the_list(qtbot: QtBot) -> None:
    panel = ProblemsPanel(DocumentContext(Session(parse_document(CLASSIC))))
    qtbot.addWidget(panel)
    panel.resize(600, 150)
    with qtbot.waitExposed(panel):
        panel.show()
    assert len(panel.table.groups) > 1
    assert panel.detail.x() > panel.view.width() / 2
    assert panel.view.height() >= 4 * ROW_HEIGHT
    panel.resize(600, 400)
    qtbot.waitUntil(lambda: panel.detail.x() == 0)


def test_below_a_single_problem_the_details_have_the_width_of_a_low_panel(qtbot: QtBot, examples: Path) -> None:
    """Beside it, a third of the panel showed two of six fixes, and the rest was empty."""
    text = (examples / "relative_to_cycle.sdf").read_text(encoding="utf-8")
    panel = ProblemsPanel(DocumentContext(Session(parse_document(text))))
    qtbot.addWidget(panel)
    panel.resize(550, 165)
    with qtbot.waitExposed(panel):
        panel.show()
    assert panel.detail.width() == panel.width()
    assert panel.detail.height() > 0.75 * panel.height()

    def plain(label: QLabel) -> str:
        return label.text().replace(BREAK, "")

    edge = next(each for each in panel.detail.findChildren(QLabel) if ">slide → carriage_mount<" in plain(each))
    assert edge.height() < 2 * edge.fontMetrics().height(), "it is in one line"


def test_a_name_with_a_colon_is_not_taken_for_the_end_of_what_is_wrong(qtbot: QtBot) -> None:
    link = '<link name="l"/><frame name="a: b"><pose relative_to="a: b"/></frame>'
    panel = ProblemsPanel(
        DocumentContext(Session(parse_document(f'<sdf version="1.9"><model name="m">{link}</model></sdf>')))
    )
    qtbot.addWidget(panel)
    with qtbot.waitExposed(panel):
        panel.show()
    texts = [label.text().replace(BREAK, "") for label in panel.detail.findChildren(QLabel)]
    assert "The pose of 'a: b' is relative to itself" in texts


def test_a_narrow_page_of_details_is_no_wider_than_its_room(qtbot: QtBot) -> None:
    panel = ProblemsPanel(DocumentContext(Session(parse_document(MISSPELT))))
    qtbot.addWidget(panel)
    panel.resize(190, 300)
    with qtbot.waitExposed(panel):
        panel.show()
    assert panel.detail.pickers
    assert panel.detail.widget().width() <= panel.detail.viewport().width()


def test_a_panel_that_was_hidden_shows_its_rows(qtbot: QtBot) -> None:
    frames = "".join(f'<frame name="F{n}" attached_to="no{n}"/>' for n in range(6))
    text = f'<sdf version="1.9"><model name="m"><link name="L"/>{frames}</model></sdf>'
    panel = ProblemsPanel(DocumentContext(Session(parse_document(text))))
    qtbot.addWidget(panel)
    panel.resize(640, 700)
    panel.show_problems()
    panel.resize(640, 330)
    with qtbot.waitExposed(panel):
        panel.show()
    assert panel.view.height() >= 5 * ROW_HEIGHT


def test_in_a_narrow_panel_the_fixes_can_be_read(qtbot: QtBot) -> None:
    panel = ProblemsPanel(DocumentContext(Session(parse_document(MISSPELT))))
    qtbot.addWidget(panel)
    panel.resize(640, 180)
    with qtbot.waitExposed(panel):
        panel.show()
    shown = [button for button in panel.detail.buttons if button.isVisible()]
    assert shown
    assert all("…" not in button.text() for button in shown)
    header = panel.view.horizontalHeader()
    assert header.sectionSize(1) > header.sectionSize(0)


def test_fixes_can_be_read_also_once_the_panel_is_narrower(qtbot: QtBot, examples: Path) -> None:
    text = (examples / "relative_to_cycle.sdf").read_text(encoding="utf-8")
    panel = ProblemsPanel(DocumentContext(Session(parse_document(text))))
    qtbot.addWidget(panel)
    panel.resize(1200, 300)
    with qtbot.waitExposed(panel):
        panel.show()
    panel.resize(420, 600)

    def is_cut() -> bool:
        shown = [*panel.detail.buttons, *panel.detail.pickers]
        return any(each.mapTo(panel.detail, each.rect().topRight()).x() > panel.detail.width() for each in shown)

    def all_in_full() -> bool:
        return all("…" not in button.text() for button in panel.detail.buttons) and not is_cut()

    qtbot.waitUntil(all_in_full)


@pytest.mark.panels("problems")
def test_a_hidden_panel_describes_its_problem_when_it_is_shown(qtbot: QtBot) -> None:
    context = DocumentContext(Session(parse_document(TEXT)))
    panel = ProblemsPanel(context)
    qtbot.addWidget(panel)
    assert len(panel.table.problems) == 1
    assert panel.detail.findChild(PlacesTried) is None
    with qtbot.waitExposed(panel):
        panel.show()
    assert panel.detail.findChild(PlacesTried) is not None


CLASSIC = """<sdf version="1.9">
  <model name="m">
    <link name="a"><pose>0 0 0 0 0</pose></link>
    <link name="b"/>
    <plugin name="p" filename="ignition-gazebo-joint-state-publisher-system"/>
    <plugin name="q" filename="ignition-gazebo-pose-publisher-system"/>
  </model>
</sdf>
"""


def test_all_problems_of_a_rule_are_fixed_as_one_step(qtbot: QtBot) -> None:
    context = DocumentContext(Session(parse_document(CLASSIC)))
    panel = ProblemsPanel(context)
    qtbot.addWidget(panel)
    with qtbot.waitExposed(panel):
        panel.show()
    rules = rules_with_fixes(context.session)
    (rule,) = [name for name, number in rules.items() if number == 2]
    assert panel.fix_all.isVisible()
    menu = panel.fix_all.menu()
    menu.aboutToShow.emit()
    labels = [action.text() for action in menu.actions() if action.text()]
    assert labels == ["All with a Safe Fix", *(f"{name} ({number})" for name, number in rules.items())]
    with qtbot.waitSignal(context.messages.shown) as message:
        next(action for action in menu.actions() if action.text() == f"{rule} (2)").trigger()
    assert message.args == ["Done: fix 2 problems"]
    assert "ignition-gazebo" not in context.session.document.text
    assert rule not in rules_with_fixes(context.session)
    context.session.undo()
    assert context.session.document.text == CLASSIC


def test_no_fix_is_computed_before_it_is_looked_at(qtbot: QtBot) -> None:
    """Each fix is tried out on the whole file, which would hold up every edit of a robot with problems."""
    context = DocumentContext(Session(parse_document(CLASSIC)))
    panel = ProblemsPanel(context)
    qtbot.addWidget(panel)
    context.edits.apply(Edit("Type", context.session.document, (Replacement(0, 0, "\n"),)))
    assert panel.fix_all.isVisibleTo(panel)
    panel.fix_all.menu().aboutToShow.emit()
    deferred = [each.fixes for each in context.session.diagnostics if isinstance(each.fixes, DeferredFixes)]
    assert deferred
    assert not any(fixes.is_computed for fixes in deferred)


def test_an_edit_meanwhile_is_not_overwritten(qtbot: QtBot) -> None:
    context = DocumentContext(Session(parse_document(CLASSIC)))
    panel = ProblemsPanel(context)
    qtbot.addWidget(panel)
    menu = panel.fix_all.menu()
    assert isinstance(menu, FixAllMenu)
    with qtbot.waitSignal(context.messages.refused):
        menu.fix(None)
        context.edits.apply(Edit("Type", context.session.document, (Replacement(0, 0, "\n"),)))
    assert context.session.document.text == "\n" + CLASSIC


def test_an_edit_of_an_earlier_text_is_not_previewed(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    context = DocumentContext(Session(parse_document(CLASSIC)))
    earlier = context.session.document
    late = Edit("Add", earlier, (Replacement(len(CLASSIC), len(CLASSIC), " "),))
    context.edits.apply(Edit("Cut", earlier, (Replacement(0, 60, ""),)))
    prepared: list[Edit] = []
    monkeypatch.setattr(Previews, "prepare", lambda _self, edit, _files: (prepared.append(edit), lambda: None)[1])
    context.previews.show(late)
    assert prepared == []
    context.previews.show(Edit("Add", context.session.document, ()))
    assert len(prepared) == 1


def test_which_place_of_a_repeated_problem_is_gone_to_is_marked(qtbot: QtBot) -> None:
    script = "<material><script><name>n</name></script></material>"
    visuals = "\n".join(f'<visual name="v{n}"><geometry><empty/></geometry>{script}</visual>' for n in range(3))
    text = f'<sdf version="1.9">\n<model name="m"><link name="l">\n{visuals}\n</link></model></sdf>'
    context = DocumentContext(Session(parse_document(text)))
    panel = ProblemsPanel(context)
    qtbot.addWidget(panel)
    panel.resize(700, 400)
    with qtbot.waitExposed(panel):
        panel.show()
    row = next(row for row, group in enumerate(panel.table.groups) if len(group) == 3)
    place = panel.table.index(row, 2)

    def marked() -> list[str]:
        texts = (label.text() for label in panel.detail.findChildren(QLabel) if label.isVisible())
        return [part for text in texts for part in text.split(", ") if part.startswith("<b>")]

    panel.view.setCurrentIndex(place)
    assert place.data().endswith("+2")
    assert marked() == []
    said: list[str] = []
    context.messages.shown.connect(said.append)
    for number in (1, 2, 3):
        panel.step(1)
        assert place.data() == f"line {number + 2} ({number} of 3)"
        (link,) = marked()
        assert f"line {number + 2}<" in link
        assert said[-1].startswith(f"Problem {number} of {len(context.session.diagnostics)}: ")


@pytest.mark.panels("problems")
def test_beside_short_details_the_messages_have_the_room(qtbot: QtBot) -> None:
    panel = ProblemsPanel(DocumentContext(Session(parse_document(CLASSIC))))
    qtbot.addWidget(panel)
    panel.resize(681, 180)
    with qtbot.waitExposed(panel):
        panel.show()
    rows = range(len(panel.table.groups))
    fixed = next(row for row in rows if panel.table.problems[row].fixes)
    short = next(row for row in rows if not panel.table.problems[row].fixes)
    panel.go_to(short)
    assert panel.detail.x() > panel.view.width() / 2
    assert panel.view.width() > 0.65 * panel.width()
    panel.go_to(fixed)
    assert panel.view.width() < 0.62 * panel.width(), "fixes need more"
    panel.go_to(short)
    panel.resize(1800, 180)
    qtbot.waitUntil(lambda: panel.detail.width() > 0.35 * panel.width())


@pytest.mark.panels("problems")
def test_in_a_narrow_list_a_place_is_a_line(qtbot: QtBot) -> None:
    panel = ProblemsPanel(DocumentContext(Session(parse_document(CLASSIC))))
    qtbot.addWidget(panel)
    panel.resize(300, 500)
    with qtbot.waitExposed(panel):
        panel.show()
    place = panel.table.index(0, 2)
    line = panel.table.problems[0].span.line
    assert place.data() == f":{line}"
    assert f"line {line}" in place.data(Qt.ItemDataRole.ToolTipRole)
    panel.resize(900, 500)
    qtbot.waitUntil(lambda: place.data() == f"line {line}")


@pytest.mark.panels("problems")
def test_the_next_problem_after_an_edit_is_the_one_after_that_which_was_shown(qtbot: QtBot) -> None:
    links = "".join(f'<link name="l{n}"><pose relative_to="gone{n}"/></link>\n' for n in range(4))
    context = DocumentContext(Session(parse_document(f'<sdf version="1.9"><model name="m">{links}</model></sdf>')))
    panel = ProblemsPanel(context)
    qtbot.addWidget(panel)

    def shown() -> str:
        assert panel.table.current is not None
        row, place = panel.table.current
        return panel.table.groups[row][place].message

    def replace(old: str, new: str) -> None:
        document = context.session.document
        start = document.text.index(old)
        context.session.apply(Edit("Replace", document, (Replacement(start, start + len(old), new),)))

    panel.step(1)
    panel.step(1)
    assert "gone1" in shown()
    replace('<link name="l3">', '<link name="l3"><self_collide>1</self_collide>')
    assert "gone1" in shown(), "it is still there"
    replace(' relative_to="gone1"', "")
    assert panel.table.current is None
    panel.step(1)
    assert "gone2" in shown()
    replace(' relative_to="gone2"', "")
    panel.step(-1)
    assert "gone0" in shown()


def faulty_model(qtbot: QtBot) -> ProblemsPanel:
    """Return a hidden panel on links of which the odd ones have a problem, each in a line of its own from 2 on."""
    poses = "".join(
        f'<link name="l{n}"><pose{" relative_to=" + chr(34) + "gone" + chr(34) if n % 2 else ""}/></link>\n'
        for n in range(6)
    )
    text = f'<sdf version="1.9"><model name="m">\n{poses}</model></sdf>'
    panel = ProblemsPanel(DocumentContext(Session(parse_document(text))))
    qtbot.addWidget(panel)
    return panel


def show_again(panel: ProblemsPanel, qtbot: QtBot) -> Diagnostic | None:
    """Show a panel, and return the problem that it is at."""
    panel.hide()
    with qtbot.waitExposed(panel):
        panel.show()
    current = panel.table.current
    return None if current is None else panel.table.groups[current[0]][current[1]]


def test_the_panel_opens_at_the_problem_of_the_caret_or_of_the_selected_frame(qtbot: QtBot) -> None:
    """It was always at its first problem, however far that was from where the user worked."""
    panel = faulty_model(qtbot)
    context = panel.context
    context.highlights.caret_line = 5
    problem = show_again(panel, qtbot)
    assert problem is not None
    assert problem.frames == ("m::l3",)
    assert problem in panel.table.groups[panel.view.currentIndex().row()]
    assert context.session.selection == (), "opening the panel selects nothing"
    context.highlights.caret_line = 4
    context.session.select(("m::l5",))
    problem = show_again(panel, qtbot)
    assert problem is not None
    assert problem.frames == ("m::l5",)
    context.session.select(("m::l2",))
    assert show_again(panel, qtbot) is problem, "nothing else is at hand"
    panel.step(1)
    assert context.session.selection == ("m::l1",), "the first F8 goes to the first problem"


@pytest.mark.panels("problems")
def test_where_a_problem_is_fixed_nothing_else_is_selected(qtbot: QtBot) -> None:
    """The next problem was selected, with its fixes where that of the first had been: a double click made both."""
    panel = faulty_model(qtbot)
    session = panel.context.session
    panel.resize(600, 400)
    with qtbot.waitExposed(panel):
        panel.show()
    session.select(("m::l0",))
    panel.view.setCurrentIndex(panel.table.index(1, 0))
    gone_to: list[object] = []
    for signal in (panel.context.requests.place_behind, panel.context.requests.reveal):
        signal.connect(gone_to.append)
    qtbot.mouseClick(panel.detail.buttons[0], Qt.MouseButton.LeftButton)
    assert len(panel.table.problems) == 2
    assert not panel.view.selectionModel().hasSelection()
    assert not panel.detail.buttons
    assert not panel.detail.isVisible()
    assert session.selection == ("m::l0",)
    assert not gone_to
    assert panel.view.currentIndex().row() == 1, "the keyboard goes on from there"
    qtbot.keyClick(panel.view, Qt.Key.Key_Up)
    assert panel.view.selectionModel().selectedRows()[0].row() == 0
    assert panel.detail.buttons
    panel.view.setCurrentIndex(panel.table.index(1, 0))
    problem = panel.table.problems[1]
    qtbot.mouseClick(panel.detail.buttons[0], Qt.MouseButton.LeftButton)
    panel.context.edits.undo()
    (row,) = panel.view.selectionModel().selectedRows()
    assert panel.table.problems[row.row()].frames == problem.frames, "it is back"


def test_going_to_a_problem_inside_a_link_selects_the_link(qtbot: QtBot) -> None:
    """Of a problem that names no frame nothing was selected: behind the Problems nothing said where it was."""
    script = "<material><script><name>n</name></script></material>"
    visual = f'<visual name="v"><geometry><sphere><radius>1</radius></sphere></geometry>\n{script}</visual>'
    text = f'<sdf version="1.9"><model name="m">\n<link name="a"/>\n<link name="b">{visual}</link></model></sdf>'
    context = DocumentContext(Session(parse_document(text)))
    panel = ProblemsPanel(context)
    qtbot.addWidget(panel)
    problem = next(each for each in context.session.diagnostics if "<uri>" in each.message)
    assert not problem.frames
    with qtbot.waitSignals([context.requests.place_behind, context.requests.reveal]):
        panel.go_to(next(row for row, group in enumerate(panel.table.groups) if problem in group))
    (name,) = context.session.selection
    assert name.startswith("m::b")
    with qtbot.waitExposed(panel):
        panel.show()
    context.session.select(("m::b",))
    panel.table.current = None
    assert show_again(panel, qtbot) is problem, "it is inside the selected link"


@pytest.mark.parametrize("width", [300, 420])
def test_fixes_with_long_names_are_read_whole_and_end_before_the_scroll_bar(qtbot: QtBot, width: int) -> None:
    name = "the_quite_long_name_of_a_frame_on_the_{}_forearm"
    frames = "".join(f'<frame name="{name.format(side)}"/>' for side in ("left", "lift"))
    text = (
        f'<sdf version="1.9"><model name="m"><link name="forearm"/>{frames}'
        f'<frame name="tip" attached_to="{name.format("lest")}"/></model></sdf>'
    )
    panel = ProblemsPanel(DocumentContext(Session(parse_document(text))))
    qtbot.addWidget(panel)
    panel.resize(width, 160)
    with qtbot.waitExposed(panel):
        panel.show()
    assert len(panel.detail.buttons) > 1
    qtbot.waitUntil(lambda: len({button.text() for button in panel.detail.buttons}) == len(panel.detail.buttons))
    for button in panel.detail.buttons:
        right = button.mapTo(panel.detail.viewport(), button.rect().topRight()).x()
        assert right < panel.detail.viewport().width()
        metrics = button.fontMetrics()
        assert button.height() >= metrics.lineSpacing() * (button.text().count("\n") + 1) + metrics.descent() + 4
        assert "…" not in button.text()


def test_a_long_name_breaks_in_the_details_and_is_copied_as_it_is(qtbot: QtBot) -> None:
    name = "the_quite_long_name_of_a_frame_on_the_left_forearm_of_the_robot"
    text = f'<sdf version="1.9"><model name="m"><link name="l"/><frame name="f" attached_to="{name}"/></model></sdf>'
    panel = ProblemsPanel(DocumentContext(Session(parse_document(text))))
    qtbot.addWidget(panel)
    panel.resize(260, 400)
    with qtbot.waitExposed(panel):
        panel.show()
    label = panel.detail.findChild(BreakingLabel)
    assert label is not None
    unbroken = LinkLabel(label.text().replace(BREAK, ""))
    qtbot.addWidget(unbroken)
    assert label.heightForWidth(200) > unbroken.heightForWidth(200)
    label.setSelection(0, len(label.text().replace("<br>", "\n")))
    QTest.keyClick(label, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    copied = QGuiApplication.clipboard().text()
    assert name in copied
    assert BREAK not in copied


@pytest.mark.panels("problems", "source")
def test_going_to_a_problem_that_is_being_solved_says_what_it_was(window: MainWindow, tmp_path: Path) -> None:
    """To show a place makes what is being typed an edit."""
    path = tmp_path / "a.sdf"
    path.write_text(
        '<sdf version="1.9"><model name="m"><link name="l"/><frame name="f" attached_to="x"/></model></sdf>',
        encoding="utf-8",
    )
    window.files.open([path])
    file = window.current
    assert file is not None
    problems, editor = file.problems, file.source.editor
    cursor = editor.textCursor()
    cursor.setPosition(file.source.text().index('"x"') + 1)
    cursor.movePosition(QTextCursor.MoveOperation.Right, QTextCursor.MoveMode.KeepAnchor)
    cursor.insertText("l")
    assert problems.table.groups
    problems.step(1)
    assert window.status.message.startswith("Problem 1 of 1: ")
    file.flush()
    assert not problems.table.groups
