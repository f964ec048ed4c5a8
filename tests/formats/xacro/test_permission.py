"""Which xacro files are evaluated: those that are named; others where somebody has decided so."""

from __future__ import annotations

import json
import os
import pickle
import sys
from pathlib import Path

import pytest

import sdfviewer
from sdfviewer.cli import main
from sdfviewer.document.document import Document
from sdfviewer.files.finder import Finder
from sdfviewer.files.opening import open_document
from sdfviewer.formats.load import Loader
from sdfviewer.formats.xacro import evaluation
from sdfviewer.formats.xacro.decisions import Answer, Decisions, DecisionStore, Permission, folder_of
from sdfviewer.formats.xacro.expansion import Expander

pytestmark = pytest.mark.skipif(not evaluation.has_evaluator(), reason="xacro is not installed")

HEAD = 'xmlns:xacro="http://www.ros.org/wiki/xacro"'
ROBOT = f'<robot name="r" {HEAD}><xacro:include filename="part.xacro"/><xacro:part name="a"/></robot>\n'
PART = f'<robot {HEAD}><xacro:macro name="part" params="name"><link name="${{name}}{{}}"/></xacro:macro></robot>\n'


def part(suffix: str = "") -> str:
    return PART.replace("{}", suffix)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A robot, a world that includes it, and a model folder that is it."""
    folder = tmp_path / "robots"
    folder.mkdir()
    (folder / "part.xacro").write_text(part(), encoding="utf-8")
    (folder / "robot.xacro").write_text(ROBOT, encoding="utf-8")
    (folder / "world.sdf").write_text(
        '<sdf version="1.9"><world name="w">\n<include>\n<uri>robot.xacro</uri></include></world></sdf>',
        encoding="utf-8",
    )
    model = tmp_path / "model"
    model.mkdir()
    (model / "model.config").write_text(
        '<model><name>m</name><sdf version="1.9">r.xacro</sdf></model>', encoding="utf-8"
    )
    (model / "r.xacro").write_text(f'<robot name="r" {HEAD}><link name="a"/></robot>', encoding="utf-8")
    return folder


# --- what is named -----------------------------------------------------------------------------------------


def test_a_file_that_is_named_is_evaluated(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert [each.name for each in sdfviewer.load(folder / "robot.xacro").links] == ["a"]
    main(["frames", str(folder / "robot.xacro")])
    assert "r::a" in capsys.readouterr().out


@pytest.mark.parametrize("command", ["frames", "graph", "assets", "check"])
def test_a_file_that_is_included_is_evaluated_on_demand_only(
    folder: Path, capsys: pytest.CaptureFixture[str], command: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    runs: list[object] = []
    run = evaluation.Evaluation.run

    def remember(self: evaluation.Evaluation, *arguments: object) -> evaluation.Evaluated:
        runs.append(arguments)
        return run(self, *arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(evaluation.Evaluation, "run", remember)
    main([command, str(folder / "world.sdf")])
    assert not runs
    main([command, str(folder)])
    assert not runs
    main([command, "--xacro", str(folder / "world.sdf")])
    assert runs


def test_the_line_of_the_include_says_what_to_do(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["check", str(folder / "world.sdf")])
    out = capsys.readouterr().out
    assert "world.sdf:3:6: warning: robot.xacro is a xacro program and has not been evaluated" in out
    assert "to evaluate it, name it on the command line, or add --xacro" in out
    (found,) = sdfviewer.check(folder / "world.sdf")
    assert found.rule.name == "xacro-not-evaluated"
    assert "pass xacro=True" in found.message
    assert sdfviewer.check(folder / "world.sdf", xacro=True) != (found,)


def test_a_file_that_a_model_folder_names_is_not_named(folder: Path) -> None:
    model = folder.parent / "model"
    with pytest.raises(sdfviewer.SdfViewerError, match="has not been evaluated"):
        sdfviewer.load(model)
    assert [each.name for each in sdfviewer.load(model, xacro=True).links] == ["a"]
    assert [each.name for each in sdfviewer.load(model / "r.xacro").links] == ["a"]


def test_a_model_knows_what_it_may_evaluate_after_it_was_pickled(folder: Path) -> None:
    model = pickle.loads(pickle.dumps(sdfviewer.load(folder / "world.sdf", xacro=True)))
    assert not model.convert("element-relative").losses


def test_by_default_nothing_is_evaluated(folder: Path) -> None:
    model, found = Loader(Finder()).load_with_diagnostics(open_document(folder / "robot.xacro"))
    assert model is None
    assert [each.rule.name for each in found] == ["xacro-not-evaluated"]


# --- what was decided --------------------------------------------------------------------------------------


def document(folder: Path) -> Document:
    return open_document(folder / "robot.xacro")


def names(decisions: Permission, document: Document) -> list[str] | None:
    """Return the links of a robot, None where it is not evaluated."""
    model, found = Loader(Finder(), expander=Expander(permission=decisions)).load_with_diagnostics(document)
    rules = [each.rule.name for each in found]
    assert (model is None) == ("xacro-not-evaluated" in rules)
    return None if model is None else [name for name in model.names if name != "r"]


def test_a_decision_holds_for_a_content_wherever_it_is_and_in_every_program(folder: Path, tmp_path: Path) -> None:
    assert names(Decisions(""), document(folder)) is None
    first = Decisions("")
    first.decide([document(folder)], Answer.FILE)
    assert names(first, document(folder)) == ["r::a"]
    copy = tmp_path / "copy"
    copy.mkdir()
    for name in ("robot.xacro", "part.xacro"):
        (copy / name).write_text((folder / name).read_text("utf-8"), encoding="utf-8")
    assert names(Decisions(""), document(copy)) == ["r::a"]


def test_another_content_is_another_question(folder: Path) -> None:
    Decisions("").decide([document(folder)], Answer.FILE)
    decided = Decisions("")
    decided.decide([document(folder)], Answer.FILE)
    assert names(decided, document(folder)) == ["r::a"]
    (folder / "part.xacro").write_text(part("_new"), encoding="utf-8")
    assert names(Decisions(""), document(folder)) is None
    assert names(decided, document(folder)) is None
    decided.decide([document(folder)], Answer.FILE)
    assert names(decided, document(folder)) == ["r::a_new"]
    (folder / "robot.xacro").write_text(ROBOT.replace('name="a"', 'name="b"'), encoding="utf-8")
    assert names(decided, document(folder)) is None


def test_another_file_that_is_read_is_another_question(folder: Path) -> None:
    (folder / "size.yaml").write_text("n: 7\n", encoding="utf-8")
    computed = ROBOT.replace('name="a"', "name=\"a${xacro.load_yaml('size.yaml')['n']}\"")
    (folder / "robot.xacro").write_text(computed, encoding="utf-8")
    decided = Decisions("")
    decided.decide([document(folder)], Answer.FILE)
    assert names(decided, document(folder)) == ["r::a7"]
    (folder / "size.yaml").write_text("n: 8\n", encoding="utf-8")
    loader = Loader(Finder(), expander=Expander(permission=Decisions("")))
    (found,) = loader.load_with_diagnostics(document(folder))[1]
    assert "robot.xacro now reads" in found.message
    assert "size.yaml" in found.message
    assert [each.name for each in loader.expander.refused] == [str(folder / "robot.xacro")]


def test_what_is_typed_into_an_allowed_file_is_allowed(folder: Path) -> None:
    decided = Decisions("")
    decided.decide([document(folder)], Answer.FILE)
    assert names(decided, document(folder)) == ["r::a"]
    typed = document(folder)
    start = typed.text.index('"a"')
    typed = typed.edited([sdfviewer.Replacement(start, start + 3, '"typed"')])
    assert names(decided, typed) == ["r::typed"]
    assert names(Decisions(""), typed) is None, "another program has not seen the user type"
    (folder / "robot.xacro").write_text(typed.text, encoding="utf-8")
    decided.note_saved(typed)
    assert names(Decisions(""), document(folder)) == ["r::typed"]


def edited(document: Document, name: str) -> Document:
    start = document.text.index('name="a"')
    return document.edited([sdfviewer.Replacement(start, start + 8, f'name="{name}"')])


def test_what_was_found_elsewhere_is_not_what_was_typed(folder: Path) -> None:
    """The version in git of an allowed file is another content, which nobody has looked at."""
    decided = Decisions("")
    decided.decide([document(folder)], Answer.FILE)
    assert names(decided, document(folder)) == ["r::a"]
    committed, typed = edited(document(folder), "committed"), edited(document(folder), "typed")
    found = decided.for_found_texts()
    assert names(found, document(folder)) == ["r::a"]
    assert names(found, committed) is None
    assert names(decided, committed) is None, "showing it again is not typing it"
    assert names(decided, typed) == ["r::typed"]
    assert names(found, typed) == ["r::typed"], "what is open may be met elsewhere"
    decided.decide([committed], Answer.FILE)
    assert names(found, committed) == ["r::committed"]
    decided.decide([committed], Answer.NEVER)
    assert names(found, committed) is None


def test_a_found_text_may_be_evaluated_in_a_folder_that_is_allowed(folder: Path) -> None:
    decided = Decisions("")
    decided.decide([document(folder)], Answer.FOLDER)
    assert names(decided.for_found_texts(), edited(document(folder), "committed")) == ["r::committed"]


def test_going_back_to_a_content_that_was_refused_is_not_typing(folder: Path) -> None:
    decided = Decisions("")
    refused = document(folder)
    assert names(decided, refused) is None
    (folder / "robot.xacro").write_text(ROBOT.replace('name="a"', 'name="b"'), encoding="utf-8")
    decided.decide([document(folder)], Answer.FILE)
    assert names(decided, document(folder)) == ["r::b"]
    assert names(decided, refused) is None


def test_a_file_that_nobody_has_allowed_is_not_allowed_by_saving_it(folder: Path) -> None:
    decided = Decisions("")
    assert names(decided, document(folder)) is None
    decided.note_saved(document(folder))
    assert names(decided, document(folder)) is None


def test_a_folder_is_decided_about_for_all_that_it_will_hold(folder: Path) -> None:
    Decisions("").decide([document(folder)], Answer.FOLDER)
    (folder / "part.xacro").write_text(part("_new"), encoding="utf-8")
    assert names(Decisions(""), document(folder)) == ["r::a_new"]
    assert names(Decisions(""), open_document(folder.parent / "model" / "r.xacro")) is None


def test_the_folder_of_a_file_is_its_package_but_never_the_home(folder: Path) -> None:
    assert folder_of(folder / "robot.xacro") == folder.resolve()
    assert folder_of(Path.home() / "robot.xacro") is None
    assert folder_of(Path.home().parent / "robot.xacro") is None
    (folder.parent / "package.xml").write_text("<package/>", encoding="utf-8")
    assert folder_of(folder / "robot.xacro") == folder.parent.resolve()


def test_never_is_never_until_another_answer(folder: Path) -> None:
    decided = Decisions("")
    decided.decide([document(folder)], Answer.FOLDER)
    decided.decide([document(folder)], Answer.NEVER)
    assert names(Decisions(""), document(folder)) is None
    assert Decisions("").is_never(document(folder))
    decided.decide([document(folder)], Answer.FILE)
    assert names(Decisions(""), document(folder)) == ["r::a"]
    assert not Decisions("").is_never(document(folder))


@pytest.mark.parametrize("content", ["", "[]", "{", '{"allowed": 7, "folders": [3], "never": null}', "[" * 100_000])
def test_a_broken_store_is_an_empty_one(folder: Path, tmp_path: Path, content: str) -> None:
    file = tmp_path / "xacro.json"
    file.write_text(content, encoding="utf-8")
    decided = Decisions("", DecisionStore(file))
    assert names(decided, document(folder)) is None
    decided.decide([document(folder)], Answer.FILE)
    assert names(decided, document(folder)) == ["r::a"]
    assert set(json.loads(file.read_text("utf-8"))) == {"allowed", "folders", "never"}


@pytest.mark.skipif(sys.platform == "win32", reason="files have no owner of this kind there")
def test_decisions_of_another_user_are_not_read(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "xacro.json"
    decided = Decisions("", DecisionStore(file))
    decided.decide([document(folder)], Answer.FILE)
    assert names(decided, document(folder)) == ["r::a"]
    assert names(Decisions("", DecisionStore(file)), document(folder)) == ["r::a"]
    monkeypatch.setattr(os, "geteuid", lambda: file.stat().st_uid + 1)
    assert names(Decisions("", DecisionStore(file)), document(folder)) is None


def test_pictures_for_the_window_follow_its_decisions(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """They are drawn by a command of its own, which names the file."""
    words = ["frames", "--xacro-as-decided", str(folder / "robot.xacro")]
    assert main(words) == 2
    assert "has not been evaluated" in capsys.readouterr().err
    Decisions("").decide([document(folder)], Answer.FOLDER)
    main(words)
    assert "r::a" in capsys.readouterr().out
