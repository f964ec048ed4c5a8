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


def test_the_report_has_changed_renamed_and_new_files(repository: Path) -> None:
    report, _ = compare(repository)
    parts = dict(part.split("**\n", 1) for part in report.split("\n\n**")[1:])
    assert set(parts) == {"moved.sdf", "same.sdf", "new ?name?.sdf", "added.sdf"}
    assert "moved: frame moved::tip" in parts["moved.sdf"]
    assert "0.5 m" in parts["moved.sdf"]
    assert "nothing moves" in parts["same.sdf"]
    assert "Renamed from old.sdf." in parts["new ?name?.sdf"]
    assert "nothing moves" in parts["new ?name?.sdf"]
    assert "New." in parts["added.sdf"]
    assert str(repository.parent) not in report
    listed = subprocess.run(["git", "worktree", "list"], cwd=repository, check=True, capture_output=True)
    assert len(listed.stdout.splitlines()) == 1  # nothing stays behind


def test_each_changed_file_has_a_page(repository: Path) -> None:
    pytest.importorskip("PIL")
    report, pictures = compare(repository, "true")
    pages = sorted(path.name.partition("-")[2] for path in pictures.glob("*.html"))
    assert pages == ["added.html", "moved.html", "new ?name?.html", "same.html"]
    assert report.count("in the artifact") == 4
    moved = next(pictures.glob("*moved.html")).read_text(encoding="utf-8")
    before = sdfviewer.load(_MODEL.format(name="moved", height=0))
    assert moved.startswith(before.to_html(before=before)[:40])
