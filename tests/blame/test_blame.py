"""``sdfviewer blame`` and ``bisect``: which commit moved a frame, across renames of files and frames."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import weakref
from collections.abc import Iterable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from sdfviewer.blame.states import ModelHistory
from sdfviewer.cli import main
from sdfviewer.files import git
from sdfviewer.files.finder import Finder
from sdfviewer.files.git import GitHistory
from sdfviewer.formats.load import Loader
from tests.hostile import GIT_PROGRAMS

ARM = """<sdf version="1.9">
  <model name="arm">
    <link name="base"/>
    <frame name="mast" attached_to="base">
      <pose relative_to="base">0 0 1 0 0 0</pose>
    </frame>
    <frame name="tool" attached_to="base">
      <pose relative_to="mast">0.5 0 0 0 0 0</pose>
    </frame>
    <include><uri>../hand/hand.sdf</uri><pose relative_to="tool">0 0 0.1 0 0 0</pose></include>
  </model>
</sdf>
"""
HAND = '<sdf version="1.9"><model name="hand"><link name="palm"><pose>{} 0 0 0 0 0</pose></link></model></sdf>'


class Repository:
    """A repository whose commits have an author each: A0, A1 and so on."""

    def __init__(self, folder: Path) -> None:
        if shutil.which("git") is None:
            pytest.skip("git is not installed")
        self.folder, self.count = folder, 0
        folder.mkdir()
        self.git("init", "-q", "-b", "main")

    def git(self, *words: str) -> str:
        identity = ["-c", f"user.name=A{self.count}", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"]
        command = ["git", "-C", str(self.folder), *identity, *words]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout

    def write(self, name: str, text: str) -> Path:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path

    def commit(self, **files: str) -> str:
        for name, text in files.items():
            self.write(name, text)
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", f"Change {self.count}")
        self.count += 1
        return self.git("rev-parse", "HEAD").strip()


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    return Repository(tmp_path / "robots")


@pytest.fixture
def moved(made: tuple[Path, list[str]], tmp_path: Path) -> tuple[Path, list[str]]:
    """Return a file, and the commits that it has been through."""
    shutil.copytree(made[0], tmp_path / "robots")
    return tmp_path / "robots" / "arm" / "robot.sdf", made[1]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[str]]:
    """Return the folder of a repository, and its commits: they take 20 processes, so each test has a copy."""
    repository = Repository(tmp_path_factory.mktemp("made") / "robots")
    arm, hand = "arm/arm.sdf", "hand/hand.sdf"
    commits = [repository.commit(**{arm: ARM, hand: HAND.format(0)})]  # 0: made
    second = ARM.replace("0 0 1 0 0 0", "0 0 1.2 0 0 0")
    commits.append(repository.commit(**{arm: second}))  # 1: the mast, 200 mm
    commits.append(repository.commit(**{"README.md": "x"}))
    repository.git("mv", arm, "arm/robot.sdf")
    commits.append(repository.commit())  # 3: the file is renamed
    renamed = second.replace('"mast"', '"column"')
    commits.append(repository.commit(**{"arm/robot.sdf": renamed}))  # 4: the frame is renamed
    commits.append(repository.commit(**{hand: HAND.format(0.03)}))  # 5: in the included file, 30 mm
    turned = renamed.replace("0.5 0 0 0 0 0", "0.5 0 0 0 0 0.1")
    commits.append(repository.commit(**{"arm/robot.sdf": turned}))  # 6: the tool, 5.7 degrees
    other = turned.replace('relative_to="tool">0 0 0.1', 'relative_to="column">0.5 0 0.1')
    commits.append(repository.commit(**{"arm/robot.sdf": other}))  # 7: the hand is measured from the column
    return repository.folder, commits


def blame(capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, Any]:
    assert main(["blame", "--json", *words]) == 0
    answer: dict[str, Any] = json.loads(capsys.readouterr().out)
    return answer


def test_each_step_names_its_last_commit(moved: tuple[Path, list[str]], capsys: pytest.CaptureFixture[str]) -> None:
    path, commits = moved
    answer = blame(capsys, "arm::tool", str(path))
    steps = {step["frame"]: step["last"] for step in answer["chain"]}
    assert list(steps) == ["arm", "arm::base", "arm::column", "arm::tool"]
    assert [commits.index(last["commit"]) for last in steps.values()] == [0, 0, 1, 6]
    assert steps["arm::column"]["metres"] == pytest.approx(0.2)
    assert steps["arm::column"]["frame"] == "arm::mast"
    assert steps["arm::column"]["file"] == "arm/arm.sdf"
    assert steps["arm::column"]["author"] == "A1"
    assert steps["arm::tool"]["metres"] == pytest.approx(0.0)
    assert steps["arm::tool"]["radians"] == pytest.approx(0.1)
    assert steps["arm::base"]["is_new"]
    assert [commits.index(each["commit"]) for each in answer["way"]] == [6, 1, 0]
    assert answer["chain"][3]["line"] == 8
    assert Path(answer["chain"][3]["file"]) == path


def test_what_an_included_file_moves_is_found(
    moved: tuple[Path, list[str]], capsys: pytest.CaptureFixture[str]
) -> None:
    path, commits = moved
    answer = blame(capsys, "arm::hand::palm", str(path), "--relative-to", "arm::hand")
    assert [commits.index(each["commit"]) for each in answer["way"]] == [5, 0]
    assert answer["way"][0]["metres"] == pytest.approx(0.03)
    hand = next(step for step in answer["chain"] if step["frame"] == "arm::hand")
    assert commits.index(hand["last"]["commit"]) == 7
    assert hand["last"]["measured_from_before"] == "arm::tool"


def test_the_text_names_commits_and_millimetres(
    moved: tuple[Path, list[str]], capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path, commits = moved
    assert main(["blame", "arm::tool", str(path), "--plot", str(tmp_path / "way.svg")]) == 0
    text = capsys.readouterr().out
    assert f"{commits[1][:10]}  " in text
    assert "A1  Change 1" in text
    assert "200 mm, 0° (then arm::mast)" in text
    picture = ElementTree.fromstring((tmp_path / "way.svg").read_text(encoding="utf-8"))
    lines = picture.findall("{*}polyline")
    assert len(lines) == 6
    assert {len(line.attrib["points"].split()) for line in lines} == {3}
    assert main(["blame", "arm::tool", str(path), "--plot", str(tmp_path / "way.bmp")]) == 2


def test_what_is_not_committed_counts_as_the_last_commit(
    moved: tuple[Path, list[str]], capsys: pytest.CaptureFixture[str]
) -> None:
    path, _ = moved
    path.write_text(path.read_text(encoding="utf-8").replace("0 0 1.2", "0 0 1.5"), encoding="utf-8")
    answer = blame(capsys, "arm::column", str(path))
    assert answer["way"][0]["commit"] is None
    assert answer["way"][0]["subject"] == "not committed yet"
    assert answer["way"][0]["metres"] == pytest.approx(0.3)


def test_a_merge_is_no_culprit(repository: Repository, capsys: pytest.CaptureFixture[str]) -> None:
    repository.commit(
        **{"a.sdf": ARM.replace("    <include", "    <!-- <include").replace("</include>", "</include> -->")}
    )
    repository.git("checkout", "-q", "-b", "side")
    text = (repository.folder / "a.sdf").read_text(encoding="utf-8")
    side = repository.commit(**{"a.sdf": text.replace("0 0 1 0 0 0", "0 0 1.1 0 0 0")})
    repository.git("checkout", "-q", "main")
    own = repository.commit(**{"a.sdf": text.replace("0.5 0 0 0 0 0", "0.6 0 0 0 0 0")})
    repository.git("merge", "-q", "--no-ff", "-m", "Merge", "side")
    answer = blame(capsys, "arm::tool", str(repository.folder / "a.sdf"))
    steps = {step["frame"]: step["last"]["commit"] for step in answer["chain"]}
    assert (steps["arm::mast"], steps["arm::tool"]) == (side, own)


def test_versions_that_cannot_be_read_are_skipped(repository: Repository, capsys: pytest.CaptureFixture[str]) -> None:
    text = '<sdf version="1.9"><model name="m"><link name="a"><pose>{} 0 0 0 0 0</pose></link></model></sdf>'
    commits = [repository.commit(**{"a.sdf": text.format(1)}), repository.commit(**{"a.sdf": "no model"})]
    commits.append(repository.commit(**{"a.sdf": text.format(1)}))
    answer = blame(capsys, "a", str(repository.folder / "a.sdf"))
    assert [each["commit"] for each in answer["way"]] == [commits[0]]
    assert "1 version cannot be read" in answer["unread"]
    assert answer["way"][0]["is_new"]


def test_a_history_that_begins_with_what_cannot_be_read_is_cut(
    repository: Repository, capsys: pytest.CaptureFixture[str]
) -> None:
    repository.commit(**{"a.sdf": "no model"})
    text = '<sdf version="1.9"><model name="m"><link name="a"/></model></sdf>'
    first = repository.commit(**{"a.sdf": text})
    (only,) = blame(capsys, "a", str(repository.folder / "a.sdf"))["way"]
    assert (only["commit"], only["is_new"]) == (first, False)
    assert main(["blame", "a", str(repository.folder / "a.sdf")]) == 0
    assert "in the first version that can be read" in capsys.readouterr().out


def test_bisect_finds_when_a_frame_left_its_place(
    moved: tuple[Path, list[str]], capsys: pytest.CaptureFixture[str]
) -> None:
    path, commits = moved
    was = ["--pose", "0 0 1 0 0 0", "--json"]
    assert main(["bisect", "arm::column", str(path), *was]) == 1
    answer = json.loads(capsys.readouterr().out)
    assert (answer["commit"], answer["file"]) == (commits[1], "arm/arm.sdf")
    assert "200 mm away" in answer["message"]
    assert main(["bisect", "arm::column", str(path), *was, "--tolerance", "0.3"]) == 0
    assert json.loads(capsys.readouterr().out)["holds"]
    assert main(["bisect", "arm::column", str(path), "--pose", "1 2"]) == 2
    assert main(["bisect", str(path)]) == 2


def test_bisect_finds_when_a_contract_broke(moved: tuple[Path, list[str]], capsys: pytest.CaptureFixture[str]) -> None:
    path, commits = moved
    path.with_name("robot.contracts.toml").write_text(
        '[[contract]]\ndistance = { between = ["arm::base", "arm::column"], max = 1.1 }\nwhy = "the ceiling"\n'
        '[[contract]]\nvalue = "arm::tool/pose/yaw"\nmax = 0.05\n'
        '[[contract]]\nnames = ["arm::tool"]\n',
        encoding="utf-8",
    )
    assert main(["bisect", "--json", str(path), "--contract"]) == 1
    answers = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [answer["commit"] for answer in answers] == [commits[1], commits[6], None]
    assert main(["bisect", str(path), "--contract", "ceiling"]) == 1
    output = capsys.readouterr().out
    assert f"broken since {commits[1][:10]}" in output
    assert "arm/arm.sdf" in output
    assert main(["bisect", str(path), "--contract", "8"]) == 0
    assert main(["bisect", str(path), "--contract", "floor"]) == 2
    assert "has no contract with 'floor'" in capsys.readouterr().err


def test_a_file_outside_of_git_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    path = tmp_path / "a.sdf"
    path.write_text(ARM, encoding="utf-8")
    assert main(["blame", "arm::tool", str(path)]) == 2
    assert main(["blame", "arm::tool", str(tmp_path / "none.sdf")]) == 2
    assert "there is no file" in capsys.readouterr().err


def test_the_history_holds_every_file_of_every_commit(moved: tuple[Path, list[str]]) -> None:
    path, commits = moved
    history = GitHistory(path)
    for commit in history.commits.values():
        listed = subprocess.run(
            ["git", "-C", str(path.parent.parent), "ls-tree", "-r", commit.id],
            check=True,
            capture_output=True,
            text=True,
        ).stdout.splitlines()
        files = {line.split("\t")[1]: line.split()[2] for line in listed if line.endswith(".sdf")}
        assert dict(commit.files) == files
    assert set(history.commits) == set(commits) - {commits[2]}
    blob = history.commits[commits[0]].files["arm/arm.sdf"]
    assert history.read([blob, "0" * 40]) == {blob: ARM.encode()}


@pytest.mark.skipif(sys.platform == "win32", reason="the program that must not start is one of POSIX")
def test_no_program_of_a_repository_is_started(
    moved: tuple[Path, list[str]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path, _ = moved
    program, started = tmp_path / "program", tmp_path / "started"
    program.write_text(f"#!/bin/sh\necho \"$0 $*\" >> '{started}'\n", encoding="utf-8")
    program.chmod(0o755)
    (path.parent.parent / ".gitattributes").write_text("* filter=x diff=x merge=x\n", encoding="utf-8")
    settings = {"log.showSignature": "true", "diff.renames": "copies", "log.showRoot": "false", "pager.log": "true"}
    for key, value in {**dict.fromkeys(GIT_PROGRAMS, str(program)), "alias.log": f"!{program}", **settings}.items():
        subprocess.run(["git", "-C", str(path.parent), "config", key, value], check=True, capture_output=True)
    for variable in ("GIT_EXTERNAL_DIFF", "GIT_PAGER"):
        monkeypatch.setenv(variable, str(program))
    assert len(blame(capsys, "arm::tool", str(path))["way"]) == 3
    assert not started.exists()


@pytest.mark.skipif(sys.platform == "win32", reason="makes a link")
def test_links_and_paths_that_lead_out_are_not_written(repository: Repository, tmp_path: Path) -> None:
    (repository.folder / "out.sdf").symlink_to(tmp_path / "secret.sdf")
    repository.commit(**{"a.sdf": ARM})
    history = GitHistory(repository.folder / "a.sdf")
    assert set(history.commits[history.head].files) == {"a.sdf"}


def test_a_git_that_hangs_is_left(
    moved: tuple[Path, list[str]], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def hang(words: list[str], *_: object) -> Any:
        raise subprocess.TimeoutExpired(words, 1)

    monkeypatch.setattr(git, "run_program", hang)
    assert main(["blame", "arm::tool", str(moved[0])]) == 2
    assert "git did not respond in time" in capsys.readouterr().err


def test_a_long_history_keeps_the_models_that_were_asked_for_last(repository: Repository) -> None:
    """Found: the models of all versions stayed, however many there were."""
    text = '<sdf version="1.9"><model name="m"><link name="l"><pose>{} 0 0 0 0 0</pose></link></model></sdf>'
    commits = [repository.commit(**{"m.sdf": text.format(number)}) for number in range(6)]

    def loader(_path: Path, paths: Iterable[Path]) -> Loader:
        return Loader(Finder(paths))

    def x_of(history: ModelHistory, commit: str) -> float:
        model = history.model(history.commit(commit), "m.sdf")
        assert model is not None
        return float(model.X_RootF[model.row("m::l"), 0, 3])

    with ModelHistory(repository.folder / "m.sdf", loader, most_rows=5) as history:
        models = []
        for commit in commits:
            model = history.model(history.commit(commit), "m.sdf")
            assert model is not None
            models.append(weakref.ref(model))
        del model
        assert [model() is None for model in models] == [True, True, True, True, False, False]
        assert [x_of(history, commit) for commit in commits] == list(range(6)), "they are read again"
