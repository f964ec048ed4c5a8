"""Tests of the GitHub action's comparison, run as a step of a workflow runs it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import sdfviewer

_ACTION = Path(__file__).parents[2] / "packaging" / "action"
_GIT = {
    "GIT_AUTHOR_NAME": "A", "GIT_AUTHOR_EMAIL": "a@example.org", "GIT_COMMITTER_NAME": "A",
    "GIT_COMMITTER_EMAIL": "a@example.org", "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1",
}  # fmt: skip
_MODEL = """<sdf version="1.10">
  <model name="{name}">
    <link name="base"/>
    <frame name="tip"><pose>0 0 {height} 0 0 0</pose></frame>
  </model>
</sdf>
"""

pytestmark = pytest.mark.skipif(
    shutil.which("bash") is None or shutil.which("git") is None, reason="needs bash and git"
)


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A repository with five models, of which later commits change, rename, reformat, add and remove one each."""
    folder = tmp_path / "models of a robot"
    folder.mkdir()

    def git(*words: str) -> None:
        subprocess.run(["git", *words], cwd=folder, check=True, env={**os.environ, **_GIT}, capture_output=True)

    def write(name: str, height: float, end: str = "") -> None:
        (folder / name).write_text(_MODEL.format(name=Path(name).stem, height=height) + end, encoding="utf-8")

    git("init", "--quiet", "--initial-branch", "main")
    for number, name in enumerate(("moved.sdf", "same.sdf", "old.sdf", "gone.sdf", "kept.sdf")):
        write(name, 0.1 * number)
    git("add", "-A")
    git("commit", "--quiet", "-m", "Before")
    git("checkout", "--quiet", "-b", "work")
    write("moved.sdf", 0.5)
    write("same.sdf", 0.1, "<!-- a comment -->\n")
    git("mv", "old.sdf", "new `name`.sdf")
    git("rm", "--quiet", "gone.sdf")
    write("added.sdf", 1)
    git("add", "-A")
    git("commit", "--quiet", "-m", "After")
    return folder


def compare(repository: Path, pictures: str = "false") -> tuple[str, Path]:
    """Run the step; return its report and the folder of its pictures."""
    output = repository.parent / "output"
    environment = {
        **os.environ, **_GIT, "BASE": "main", "PICTURES": pictures, "GITHUB_OUTPUT": str(output),
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "GITHUB_STEP_SUMMARY": str(repository.parent / "summary"),
    }  # fmt: skip
    script = str(_ACTION / "compare.sh")
    done = subprocess.run(
        ["bash", script], check=False, cwd=repository, env=environment, capture_output=True, encoding="utf-8"
    )
    assert done.returncode == 0, done.stderr
    values = dict(line.split("=", 1) for line in output.read_text(encoding="utf-8").splitlines())
    return Path(values["report"]).read_text(encoding="utf-8"), Path(values["pictures"])


def test_the_report_has_changed_renamed_and_new_files_and_counts_those_of_xacro(repository: Path) -> None:
    (repository / "robot.urdf.xacro").write_text("<robot name='r'/>", encoding="utf-8")
    subprocess.run(["git", "add", "-A"], cwd=repository, check=True, env={**os.environ, **_GIT})
    report, _ = compare(repository)
    report, _, end = report.partition("\n\nNot compared: ")
    assert end.startswith("1 xacro files")
    parts = dict(part.split("**\n", 1) for part in report.split("\n\n**")[1:])
    assert set(parts) == {"moved.sdf", "same.sdf", "new ?name?.sdf", "added.sdf"}
    assert "| moved: frame `moved::tip` | 500 mm, 0° |" in parts["moved.sdf"]
    assert "nothing moves" in parts["same.sdf"]
    assert "Renamed from old.sdf." in parts["new ?name?.sdf"]
    assert "nothing moves" in parts["new ?name?.sdf"]
    assert "New." in parts["added.sdf"]
    assert str(repository.parent) not in report
    listed = subprocess.run(["git", "worktree", "list"], cwd=repository, check=True, capture_output=True)
    assert len(listed.stdout.splitlines()) == 1  # nothing stays behind


def test_each_changed_file_has_a_page(repository: Path) -> None:
    pytest.importorskip("PIL")
    for words in (["checkout", "main", "--", "moved.sdf", "same.sdf"], ["commit", "--quiet", "-m", "Back"]):
        subprocess.run(["git", *words], cwd=repository, check=True, env={**os.environ, **_GIT}, capture_output=True)
    report, pictures = compare(repository, "true")
    made = sorted(path.name.partition("-")[2] for path in pictures.iterdir())
    assert made == [
        "added-after.png",
        "added.html",
        *(f"new ?name?{end}" for end in ("-after.png", "-before.png", ".html")),
    ]
    assert report.count("in the artifact") == 2
    assert "xacro" not in report
    assert [f"<!-- pictures {number:02} -->" in report for number in range(1, 4)] == [True, True, False]
    page = next(pictures.glob("*name?.html")).read_text(encoding="utf-8")
    before = sdfviewer.load(_MODEL.format(name="old", height=0))
    assert page.startswith(before.to_html(before=before)[:40])


def publish(folder: Path, branch: str, request: int, *pictures: str) -> tuple[str, str]:
    """Run the step of a pull request with pictures; return its report and what it prints."""
    made = folder / f"pictures-{request}"
    shutil.rmtree(made, ignore_errors=True)
    made.mkdir()
    for name in pictures:
        (made / name).write_bytes(name.encode())
    report = folder / "report.md"
    report.write_text("**a.sdf**\n\n<!-- pictures 01 -->\n\nMore.\n", encoding="utf-8")
    environment = {
        **os.environ, **_GIT, "REPORT": str(report), "PICTURES": str(made), "BRANCH": branch, "REQUEST": str(request),
        "GITHUB_SERVER_URL": folder.as_uri(), "GITHUB_REPOSITORY": "team/robots", "GITHUB_SHA": "0123abc",
    }  # fmt: skip
    script = str(_ACTION / "publish.sh")
    done = subprocess.run(["bash", script], check=False, env=environment, capture_output=True, encoding="utf-8")
    assert done.returncode == 0, done.stderr
    return report.read_text(encoding="utf-8"), done.stdout


@pytest.fixture
def hosted(tmp_path: Path) -> Path:
    """A folder that serves an empty repository."""
    subprocess.run(["git", "init", "--quiet", "--bare", str(tmp_path / "team" / "robots.git")], check=True)
    return tmp_path


def files_of(hosted: Path, branch: str) -> list[str]:
    words = ["git", "-C", str(hosted / "team" / "robots.git"), "ls-tree", "-r", "--name-only", branch]
    return subprocess.run(words, check=True, capture_output=True, encoding="utf-8").stdout.splitlines()


def test_pictures_are_shown_from_a_branch_of_one_commit(hosted: Path) -> None:
    """Each pull request has a folder, which its next run replaces; names of files do not become part of an address."""
    report, _ = publish(hosted, "pictures", 7, "01-a b?-before.png", "01-a b?-after.png", "01-a b?.html")
    address = f"{hosted.as_uri()}/team/robots/raw/pictures/pull-7/0123abc"
    shown = f"![before]({address}/01-before.png)\n![after]({address}/01-after.png)\n"
    assert report == f"**a.sdf**\n\n{shown}\nMore.\n"
    publish(hosted, "pictures", 8, "01-new-after.png")
    report, _ = publish(hosted, "pictures", 7, "01-a-after.png")
    assert "![before]" not in report
    assert files_of(hosted, "pictures") == [
        ".pictures-of-sdfviewer",
        "pull-7/0123abc/01-after.png",
        "pull-8/0123abc/01-after.png",
    ]
    words = ["git", "-C", str(hosted / "team" / "robots.git"), "rev-list", "--count", "pictures"]
    assert subprocess.run(words, check=True, capture_output=True).stdout.strip() == b"1"


def test_a_branch_with_other_files_is_left_alone(hosted: Path, repository: Path) -> None:
    """The report is written all the same, without pictures."""
    words = ["git", "push", "--quiet", str(hosted / "team" / "robots.git"), "main"]
    subprocess.run(words, cwd=repository, check=True, env={**os.environ, **_GIT})
    before = files_of(hosted, "main")
    report, printed = publish(hosted, "main", 7, "01-a-after.png")
    assert "::warning" in printed
    assert "holds other files" in printed
    assert "<!-- pictures 01 -->" in report
    assert files_of(hosted, "main") == before
    _, printed = publish(hosted, "--force", 7, "01-a-after.png")
    assert "no name of a branch" in printed


def test_pictures_that_cannot_be_pushed_leave_the_report(tmp_path: Path) -> None:
    """As in a pull request from a fork, whose token may only read."""
    report, printed = publish(tmp_path, "pictures", 7, "01-a-after.png")
    assert "contents: write" in printed
    assert report.startswith("**a.sdf**")
