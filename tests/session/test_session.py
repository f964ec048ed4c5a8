"""A session: edits, history, selection and joints, told on as one kind of event."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

from sdfviewer.diagnostics import Replacement, SdfViewerError
from sdfviewer.document.document import parse_document
from sdfviewer.document.edits import Edit
from sdfviewer.files.saving import ChangedOnDiskError, SaveError
from sdfviewer.refactoring.pose_writing import set_relative_to
from sdfviewer.refactoring.renaming import rename
from sdfviewer.session.read_only import why_read_only
from sdfviewer.session.session import Session, StaleEditError
from sdfviewer.session.session_change import SessionChange
from tests.frames import frame_in

TEXT = """<sdf version="1.9">
  <model name="m">
    <link name="a"/>
    <link name="b"><pose>1 0 0 0 0 0</pose></link>
    <joint name="j" type="revolute"><parent>a</parent><child>b</child><axis><xyz>0 0 1</xyz></axis></joint>
  </model>
</sdf>
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    file = tmp_path / "m.sdf"
    file.write_bytes(TEXT.encode())
    return file


@pytest.fixture
def session(path: Path) -> Session:
    return Session.open(path)


def replace(session: Session, old: str, new: str) -> Edit:
    start = session.document.text.index(old)
    return Edit("Type", session.document, (Replacement(start, start + len(old), new),))


def test_an_edit_is_one_undo_step_and_one_event(session: Session) -> None:
    changes: list[SessionChange] = []
    end = session.subscribe(changes.append)
    session.apply(replace(session, "1 0 0", "2 0 0"), origin="panel")
    assert [(change.document, change.origin) for change in changes] == [(True, "panel")]
    assert session.model is not None
    assert frame_in(session.model, "m::b").pose[0, 3] == 2
    assert session.dirty
    session.undo()
    assert session.document.text == TEXT
    assert frame_in(session.model, "m::b").pose[0, 3] == 1
    assert not session.dirty
    session.redo()
    assert frame_in(session.model, "m::b").pose[0, 3] == 2
    end()
    session.undo()
    assert len(changes) == 3


def test_what_is_selected_by_an_edit_is_in_the_same_event(session: Session) -> None:
    changes: list[SessionChange] = []
    session.apply(replace(session, "1 0 0", "2 0 0"))
    session.subscribe(changes.append)
    session.apply(replace(session, "2 0 0", "3 0 0"), select=["m::b"])
    assert session.selection == ("m::b",)
    session.undo(choose=lambda: ["m"])
    assert session.selection == ("m",)
    session.redo()
    assert session.selection == ("m::b",)
    assert [(change.document, change.selection) for change in changes] == [(True, True)] * 3


def test_undo_and_redo_select_what_was_selected_then(session: Session) -> None:
    assert session.model is not None
    session.select(["m::b"])
    session.apply(replace(session, "1 0 0", "2 0 0"), select=["m::a"])
    session.apply(rename(session.model, session.model.row("m::a"), "base"))
    assert session.selection == ("m::base",)
    session.select(["m::j"])
    session.undo(choose=lambda: ["m", "m::j"])
    assert session.selection == ("m::a",)
    session.undo()
    assert session.selection == ("m::b",)
    session.redo()
    assert session.selection == ("m::a",)
    session.go_to(2)
    assert session.selection == ("m::base",)
    session.go_to(0)
    assert session.selection == ("m::b",)


def test_typing_on_keeps_what_was_selected_before_the_word(session: Session) -> None:
    session.select(["m::b"])
    session.apply(replace(session, "1 0 0", "2 0 0"))
    session.select(["m::a"])
    session.apply(replace(session, "2 0 0", "2.5 0 0"), merge=True)
    session.undo()
    assert session.selection == ("m::b",)


def test_an_edit_without_effect_is_no_step(session: Session) -> None:
    changes: list[SessionChange] = []
    session.subscribe(changes.append)
    session.apply(replace(session, "1 0 0", "1 0 0"))
    assert not changes
    assert not session.can_undo


def test_typing_folds_into_one_step_and_keeps_the_last_good_model(session: Session) -> None:
    session.apply(replace(session, 'name="b"', 'name="bc'), merge=False)
    assert session.document.root is None
    assert session.diagnostics[0].rule.name == "xml-syntax"
    assert session.model is not None
    assert "m::b" in session.model.rows_by_name
    assert not session.is_current
    session.apply(replace(session, 'name="bc', 'name="bc"'), merge=True)
    assert session.is_current
    assert session.model is not None
    assert "m::bc" in session.model.rows_by_name
    session.undo()
    assert session.document.text == TEXT


def test_every_state_can_be_gone_to_after_edits_of_all_kinds(session: Session) -> None:
    """States far back are kept as what the next edit has replaced: in several places, merged, or saved between."""
    texts = [session.document.text]
    for number in range(40):
        text = session.document.text
        at, end = text.index("<model"), text.index("</sdf>")
        places = {
            0: (Replacement(at, at, f"<!-- {number} -->"), Replacement(end, end, "\n")),
            1: (Replacement(0, 0, " "),),
            2: (Replacement(end, len(text), "</sdf>"),),
            3: (Replacement(at, at + 6, "<model "),),
        }[number % 4]
        if text == session.document.spliced(places):
            continue
        merge = number % 7 == 6
        passed = [("typed", text[:at] + "<" + text[at:])] if number % 5 == 4 else []
        session.apply(Edit("Edit", session.document, places), merge=merge, passed=passed)
        if merge:
            texts.pop()
        texts += [*(text for _, text in passed), session.document.text]
        if number == 20:
            session.save()
    history = session.history
    assert [step.text for step in history.steps] == texts
    for index in (0, len(texts) - 1, 7):
        session.go_to(index)
        assert session.document.text == texts[index]


def test_selection_and_positions_follow_a_rename(session: Session) -> None:
    assert session.model is not None
    session.select(["m::a", "m::j"])
    session.move_joints({"m::j": (0.5,)})
    session.apply(rename(session.model, session.model.row("m::j"), "hinge"))
    assert session.selection == ("m::a", "m::hinge")
    assert session.positions == {"m::hinge": (0.5,)}
    assert session.selected_row == session.model.row("m::hinge")


def test_joint_positions_are_not_undone(session: Session) -> None:
    assert session.model is not None
    row = session.model.row("m::b")
    session.move_joints({"m::j": (np.pi / 2,)})
    np.testing.assert_allclose(session.X_RootF[row, :3, 3], [1, 0, 0], atol=1e-12)
    np.testing.assert_allclose(session.X_RootF[row, :3, 0], [0, 1, 0], atol=1e-12)
    session.apply(replace(session, "1 0 0", "2 0 0"))
    session.undo()
    assert session.positions == {"m::j": (np.pi / 2,)}
    session.reset_joints()
    np.testing.assert_array_equal(session.X_RootF, session.model.X_RootF)


def test_the_file_differs_in_what_was_edited_only(session: Session, path: Path) -> None:
    assert session.model is not None
    session.apply(set_relative_to(session.model, session.model.row("m::b"), "a", keep="numbers"))
    session.save()
    assert path.read_bytes().decode() == TEXT.replace("<pose>", '<pose relative_to="a">')
    assert not session.dirty
    session.undo()
    assert session.dirty


def test_a_file_that_changed_meanwhile_is_not_overwritten(session: Session, path: Path) -> None:
    session.apply(replace(session, "1 0 0", "2 0 0"))
    path.write_text("<sdf/>", encoding="utf-8")
    with pytest.raises(ChangedOnDiskError):
        session.save()
    assert path.read_text(encoding="utf-8") == "<sdf/>"
    session.save(overwrite=True)
    assert "2 0 0" in path.read_text(encoding="utf-8")
    session.save()


@pytest.mark.skipif(sys.platform == "win32", reason="not every user makes links there")
def test_what_a_file_has_become_a_link_to_is_written_only_if_the_path_is_given(session: Session, path: Path) -> None:
    """Found: saving with overwrite wrote to wherever the link led."""
    session.apply(replace(session, "1 0 0", "2 0 0"))
    other = path.with_name("other.sdf")
    path.rename(other)
    path.symlink_to(other)  # even the same text there is another file
    for overwrite in (False, True):
        with pytest.raises(ChangedOnDiskError, match=r"leads to .*other\.sdf now"):
            session.save(overwrite=overwrite)
    assert other.read_text(encoding="utf-8") == TEXT
    assert session.dirty
    session.save(path, overwrite=True)
    assert "2 0 0" in other.read_text(encoding="utf-8")
    assert path.is_symlink()
    session.apply(replace(session, "2 0 0", "3 0 0"))
    session.save()
    assert "3 0 0" in other.read_text(encoding="utf-8")


def test_reload_keeps_selection_joints_and_history(session: Session, path: Path) -> None:
    session.select(["m::b"])
    session.move_joints({"m::j": (1.0,)})
    path.write_text(TEXT.replace("1 0 0", "3 0 0"), encoding="utf-8")
    session.reload()
    assert session.model is not None
    assert frame_in(session.model, "m::b").pose[0, 3] == 3
    assert session.selection == ("m::b",)
    assert session.positions == {"m::j": (1.0,)}
    assert not session.dirty
    session.undo()
    assert session.document.text == TEXT
    assert session.dirty


@pytest.mark.parametrize("there", ["b", "renamed"])
def test_reload_keeps_what_was_renamed_here(session: Session, path: Path, there: str) -> None:
    """The selection was lost: the file knows only the name before, or another program has given it the new one too."""
    session.select(["m::b"])
    session.move_joints({"m::j": (1.0,)})
    for row, name in (("m::b", "renamed"), ("m::j", "hinge")):
        session.apply(rename(session.model, session.model.row(row), name))
    assert session.selection == ("m::renamed",)
    path.write_text(TEXT.replace('"b"', f'"{there}"').replace(">b<", f">{there}<"), encoding="utf-8")
    session.reload()
    assert session.selection == (f"m::{there}",)
    assert session.positions == {"m::j": (1.0,)}
    session.undo()
    assert session.selection == ("m::renamed",)
    assert session.positions == {"m::hinge": (1.0,)}


def test_saving_elsewhere_moves_the_session(session: Session, path: Path) -> None:
    other = path.with_name("other.sdf")
    session.save(other)
    assert session.path == other
    assert other.read_bytes() == TEXT.encode()


def test_text_without_a_file_must_be_given_one(tmp_path: Path) -> None:
    session = Session(parse_document(TEXT))
    with pytest.raises(SaveError):
        session.save()
    session.save(tmp_path / "new.sdf")
    assert session.path == tmp_path / "new.sdf"


def test_unsaved_work_can_be_taken_up(session: Session) -> None:
    session.recover(TEXT.replace("1 0 0", "4 0 0"))
    assert session.dirty
    assert session.can_undo
    assert session.model is not None
    assert frame_in(session.model, "m::b").pose[0, 3] == 4


def test_what_is_no_model_where_one_is_missing_is_read_once(tmp_path: Path) -> None:
    """A folder of that name, for example: it is still missing after that."""
    main = tmp_path / "main.sdf"
    main.write_text(
        '<sdf version="1.9"><model name="m"><include><uri>model://part</uri></include></model></sdf>', encoding="utf-8"
    )
    (tmp_path / "part").mkdir()
    session = Session.open(main)
    assert session.missing_files
    for path in session.missing_files:
        if path.is_relative_to(tmp_path):
            path.mkdir(parents=True, exist_ok=True)
    assert not session.includes_are_current
    session.refresh()
    assert session.includes_are_current


def test_included_files_are_looked_at_again(tmp_path: Path) -> None:
    part = tmp_path / "part.sdf"
    main = tmp_path / "main.sdf"
    main.write_text(
        '<sdf version="1.9"><model name="m"><include><uri>part.sdf</uri></include></model></sdf>', encoding="utf-8"
    )
    session = Session.open(main)
    assert "uri-not-found" in [diagnostic.rule.name for diagnostic in session.diagnostics]
    assert part in session.missing_files
    assert session.includes_are_current
    part.write_text('<sdf version="1.9"><model name="p"><link name="l"/></model></sdf>', encoding="utf-8")
    assert session.missing_files_appeared
    assert not session.includes_are_current
    session.refresh()
    assert not session.diagnostics
    assert session.missing_files == ()
    assert session.included_files == (part,)
    assert session.model is not None
    assert "m::p::l" in session.model.rows_by_name
    assert session.includes_are_current
    part.write_text('<sdf version="1.9"><model name="p"><link name="other"/></model></sdf>', encoding="utf-8")
    assert not session.includes_are_current
    part.unlink()
    assert not session.includes_are_current


def test_an_edit_of_another_text_is_refused(session: Session) -> None:
    edit = replace(session, "1 0 0", "2 0 0")
    session.apply(replace(session, '"a"', '"long_name"'))
    before = session.document.text
    with pytest.raises(StaleEditError):
        session.apply(edit)
    assert session.document.text == before


def test_an_edit_of_a_model_that_is_not_that_of_the_text_is_refused(session: Session) -> None:
    model = session.model
    assert model is not None
    session.apply(replace(session, "</model>", "</mod"))
    with pytest.raises(StaleEditError):
        session.apply(set_relative_to(model, model.row("m::b"), "a"))


def test_a_text_that_is_no_xml_is_shown_with_its_elements_and_edited_as_text_only(session: Session) -> None:
    before = session.model
    assert before is not None
    edit = replace(session, "1 0 0", "<")
    session.apply(edit)
    model = session.model
    assert model is not None
    assert not session.is_current
    assert session.is_located
    assert model.names == before.names
    place = session.document.text.index('name="b"')
    assert model.document.span(model.elements[model.row("m::b")]).start == session.document.text.rindex("<", 0, place)
    assert why_read_only(session, model.row("m::b")) is not None
    with pytest.raises(SdfViewerError):
        session.apply(set_relative_to(model, model.row("m::b"), "a"))
    session.apply(replace(session, '"a"/>', '"other"/>'))
    assert session.model is not None
    assert "m::other" in session.model.names
    session.undo()
    session.undo()
    assert session.is_current
    assert session.model is not None
    assert session.model.names == before.names


def test_an_edit_goes_with_the_same_text_after_saving(session: Session) -> None:
    edit = replace(session, "1 0 0", "2 0 0")
    session.apply(replace(session, '"a"', '"c"'))
    session.undo()
    session.save(overwrite=True)
    session.apply(edit)
    assert "2 0 0" in session.document.text


@pytest.mark.parametrize(
    "broken",
    [
        "sdfviewer.document.document.read_again",
        "sdfviewer.document.xml.read.check_well_formed",
        "sdfviewer.formats.load.check_mimics",
        "sdfviewer.formats.load.check_graphs",
    ],
)
def test_whatever_fails_in_reading_the_text_is_kept(
    session: Session, path: Path, monkeypatch: pytest.MonkeyPatch, broken: str
) -> None:
    """Nothing may come between what was typed and its file."""

    def fail(*_: object, **__: object) -> None:
        raise RecursionError("maximum recursion depth exceeded")

    changes: list[SessionChange] = []
    session.subscribe(changes.append)
    edits = [replace(session, "</model>", "<lin</model>")]
    with monkeypatch.context() as patch:
        patch.setattr(broken, fail)
        if broken.endswith("_well_formed"):
            patch.setattr("sdfviewer.document.document.read_again", lambda *_: None)
        session.apply(edits[0])
        assert session.document.text == edits[0].document.spliced(edits[0].replacements)
        assert session.dirty
        assert "<lin</model>" in session.document.to_bytes().decode()
        if "xml-syntax" not in {each.rule.name for each in session.diagnostics}:
            assert "internal-error" in {each.rule.name for each in session.diagnostics}
        session.save()
        assert path.read_text(encoding="utf-8") == session.document.text
    assert len(changes) == 2
    session.undo()
    assert session.document.text == TEXT
    assert not session.diagnostics
    assert session.is_current


@pytest.mark.parametrize(
    "typed",
    [
        "<include><uri>http://[</uri></include>",
        f'<link name="&#{"0" * 5000}65;"/>',
        "<model>" * 400,
        f'<frame name="{"f" * 100_000}"/>',
    ],
)
def test_what_is_typed_is_never_lost(session: Session, path: Path, typed: str) -> None:
    session.apply(replace(session, "  </model>", f"{typed}</model>"))
    assert session.diagnostics or "frame" in typed or "link" in typed
    assert "internal-error" not in {each.rule.name for each in session.diagnostics}
    session.save()
    assert typed in path.read_text(encoding="utf-8")


HALF_TYPED = """<sdf version="1.11"><model name="m">
  <link name="forearm"/>
  <link name="hand"><pose relative_to="forearm">1 0 0 0 0 0</pose></link>
  <frame name="grasp" attached_to="hand"><pose>0 2 0 0 0 0</pose></frame>
</model></sdf>"""


def test_the_last_poses_stay_known_while_a_reference_is_half_typed() -> None:
    session = Session(parse_document(HALF_TYPED))
    assert np.isnan(session.X_last).all()
    at = HALF_TYPED.index('relative_to="forearm"') + len('relative_to="')
    for end in range(len("forearm"), 1, -1):  # letter by letter
        session.apply(Edit("Type", session.document, (Replacement(at + end - 1, at + end, ""),)))
    model = session.model
    assert model is not None
    assert not np.isfinite(session.X_RootF[model.row("m::hand")]).any()
    np.testing.assert_allclose(session.X_last[model.row("m::hand"), :3, 3], [1, 0, 0])
    np.testing.assert_allclose(session.X_last[model.row("m::grasp"), :3, 3], [1, 2, 0])
    assert np.isnan(session.X_last[model.row("m::forearm")]).all(), "it has a pose"
    session.apply(Edit("Type", session.document, (Replacement(at + 1, at + 1, "orearm"),)))
    assert np.isnan(session.X_last).all()


def test_a_problem_says_at_which_frame_it_is_marked(path: Path) -> None:
    path.write_bytes(TEXT.replace('<link name="a"/>', '<link name="a"><nonsense/></link>').encode())
    session = Session.open(path)
    (problem,) = session.diagnostics
    assert (problem.frames, problem.holder, problem.marked) == ((), "m::a", ("m::a",))
    assert session.problems_by_frame() == {"m::a": [problem]}
    session.apply(replace(session, "a</parent>", "nowhere</parent>"))
    (about,) = (each for each in session.diagnostics if each.frames)
    assert (about.holder, about.marked) == ("", about.frames)
    session.apply(replace(session, "</model>", "</mod"))
    assert problem.marked[0] in session.problems_by_frame(), "what is shown keeps its marks"
