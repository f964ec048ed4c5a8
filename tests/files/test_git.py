"""What git has committed, whatever lies on disk."""

from __future__ import annotations

import itertools
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from sdfviewer import programs
from sdfviewer.files import git as git_module
from sdfviewer.files.git import NotInGitError, open_git_head
from tests.hostile import GIT_PROGRAMS

TEXT = '<sdf version="1.9"><model name="m"><link name="a"/></model></sdf>\n'


@pytest.fixture
def repository(tmp_path: Path, commit: Callable[[Path], None]) -> Path:
    (tmp_path / "m.sdf").write_text(TEXT, encoding="utf-8")
    commit(tmp_path / "m.sdf")
    return tmp_path


def test_the_committed_text_is_read(repository: Path) -> None:
    path = repository / "m.sdf"
    path.write_text(TEXT.replace("a", "b"), encoding="utf-8")
    document = open_git_head(path)
    assert document.text == TEXT
    assert document.path == path


def test_an_earlier_commit_is_read(repository: Path, commit: Callable[[Path], None]) -> None:
    path = repository / "m.sdf"
    path.write_text(TEXT.replace("a", "b"), encoding="utf-8")
    commit(path)
    assert open_git_head(path, "HEAD~1").text == TEXT
    with pytest.raises(NotInGitError, match=r"no committed version of m\.sdf in HEAD~7"):
        open_git_head(path, "HEAD~7")


def test_a_file_that_was_never_committed_is_reported(repository: Path) -> None:
    path = repository / "--new.sdf"
    path.write_text(TEXT, encoding="utf-8")
    with pytest.raises(NotInGitError, match=r"no committed version of --new\.sdf"):
        open_git_head(path)


@pytest.mark.skipif(sys.platform == "win32", reason="makes a git.exe that is a link")
def test_windows_starts_no_git_of_the_current_folder(
    repository: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    git = shutil.which("git")
    assert git is not None
    monkeypatch.setattr(sys, "platform", "win32")
    (repository / "git.exe").symlink_to(git)
    monkeypatch.chdir(repository)
    monkeypatch.setenv("PATH", f".{os.pathsep}{tmp_path_factory.mktemp('empty')}")
    with pytest.raises(NotInGitError, match="not found on the PATH"):
        open_git_head(repository / "m.sdf")
    (tmp_path_factory.mktemp("programs") / "git.exe").symlink_to(git)
    monkeypatch.setenv("PATH", str(tmp_path_factory.getbasetemp() / "programs0"))
    assert open_git_head(repository / "m.sdf").text == TEXT


def test_a_folder_outside_of_git_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    with pytest.raises(NotInGitError, match=r"committed version|not installed"):
        open_git_head(tmp_path / "m.sdf")


def test_a_revision_is_no_option(repository: Path) -> None:
    with pytest.raises(NotInGitError, match="no revision"):
        open_git_head(repository / "m.sdf", "--filters --path=x")


def test_a_large_version_is_refused_before_it_is_read(
    repository: Path, commit: Callable[[Path], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(git_module, "MAX_FILE_BYTES", 1000)
    path = repository / "m.sdf"
    path.write_text("a" * 1001, encoding="utf-8")
    commit(path)
    asked: list[list[str]] = []
    run = programs.run_program

    def remember(words: list[str], *options: Any) -> Any:
        asked.append(words)
        return run(words, *options)

    monkeypatch.setattr(git_module, "run_program", remember)
    with pytest.raises(NotInGitError, match="too large"):
        open_git_head(path)
    assert all("blob" not in words for words in asked)


def test_a_committed_link_is_not_followed(tmp_path: Path, commit: Callable[[Path], None]) -> None:
    secret = tmp_path / "secret.sdf"
    secret.write_text(TEXT, encoding="utf-8")
    path = tmp_path / "m.sdf"
    try:
        path.symlink_to(secret.name)
    except OSError:
        pytest.skip("this system makes no links for this user")
    commit(path)
    assert open_git_head(path).text == secret.name


@pytest.mark.skipif(sys.platform == "win32", reason="the program that must not start is one of POSIX")
@pytest.mark.parametrize("is_old", [False, True])
def test_a_hostile_partial_clone_starts_no_program(
    repository: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, is_old: bool
) -> None:
    started = tmp_path / "started"

    def git(*words: str) -> str:
        return subprocess.run(["git", "-C", str(repository), *words], check=True, capture_output=True, text=True).stdout

    blob = git("rev-parse", "HEAD:m.sdf").strip()
    (repository / ".git" / "objects" / blob[:2] / blob[2:]).unlink()
    for key, value in {
        "core.repositoryformatversion": "1",
        "extensions.partialClone": "origin",
        "remote.origin.promisor": "true",
        "remote.origin.partialclonefilter": "blob:none",
        "remote.origin.url": "ssh://example.invalid/x",
        "core.sshCommand": f"touch '{started}' #",
        "protocol.allow": "always",
    }.items():
        git("config", key, value)
    if is_old:  # versions before 2.45
        monkeypatch.delitem(git_module._WITHOUT_NETWORK, "GIT_NO_LAZY_FETCH")
    with pytest.raises(NotInGitError):
        open_git_head(repository / "m.sdf")
    assert not started.exists()


@pytest.mark.skipif(sys.platform == "win32", reason="the program that must not start is one of POSIX")
@pytest.mark.parametrize(
    "revision", ["HEAD", "HEAD:m.sdf", "HEAD^{tree}", ":0", ":", ":/x", ":/", ":./", ":!", "--all", "x", "HEAD@{0}"]
)
def test_no_program_that_a_repository_names_is_started(
    repository: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch, revision: str
) -> None:
    away = tmp_path_factory.mktemp("away")
    program, started = away / "program", away / "started"
    program.write_text(f"#!/bin/sh\necho \"$0 $*\" >> '{started}'\n", encoding="utf-8")
    program.chmod(0o755)
    (repository / ".gitattributes").write_text("* filter=x diff=x merge=x\n", encoding="utf-8")
    hooks = repository / ".git" / "hooks"
    hooks.mkdir(exist_ok=True)
    for name in ("fsmonitor-watchman", "post-index-change", "reference-transaction", "pre-auto-gc"):
        shutil.copy(program, hooks / name)
    settings = dict.fromkeys(GIT_PROGRAMS, str(program)) | {"core.hooksPath": str(hooks), "protocol.allow": "always"}
    for key, value in settings.items():
        subprocess.run(["git", "-C", str(repository), "config", key, value], check=True, capture_output=True)
    for variable in ("GIT_EXTERNAL_DIFF", "GIT_PAGER", "GIT_EDITOR", "GIT_SSH_COMMAND", "GIT_ASKPASS"):
        monkeypatch.setenv(variable, str(program))
    try:
        assert open_git_head(repository / "m.sdf", revision).text == TEXT
    except NotInGitError:
        assert revision not in ("HEAD", "HEAD@{0}")
    assert not started.exists()
    subprocess.run(["git", "-C", str(repository), "status"], check=False, capture_output=True)
    assert started.exists(), "git itself starts none of them any more: the test proves nothing"


@pytest.mark.parametrize("revision", [":0", ":/x", "-x", ""])
def test_what_names_no_commit_is_no_revision(repository: Path, revision: str) -> None:
    with pytest.raises(NotInGitError, match="no revision: name a commit, a branch or a tag, such as HEAD~3"):
        open_git_head(repository / "m.sdf", revision)


def test_git_is_run_in_one_place() -> None:
    package = Path(git_module.__file__).parents[1]
    asks = [module.name for module in package.rglob("*.py") if 'find_program("git")' in module.read_text("utf-8")]
    assert asks == ["git.py"]
    runs = [module.name for module in package.rglob("*.py") if "subprocess.Popen(" in module.read_text("utf-8")]
    assert sorted(runs) == [
        "evaluation.py",
        "live_link.py",
        "offscreen.py",
        "programs.py",
        "show.py",
        "verification.py",
    ]


def test_all_that_git_is_asked_shares_one_limit_of_time(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A git that hangs held whoever waited for it three times as long."""
    now, given, run = itertools.count(0, 4), list[float](), programs.run_program

    def remember(words: list[str], environment: dict[str, str], seconds: float) -> Any:
        given.append(seconds)
        return run(words, environment, 60)

    monkeypatch.setattr(git_module, "TIMEOUT_SECONDS", 10)
    monkeypatch.setattr(git_module, "run_program", remember)
    monkeypatch.setattr("sdfviewer.files.git.time.monotonic", lambda: next(now))
    open_git_head(repository / "m.sdf")
    assert given == [6, 2, 0]


@pytest.mark.skipif(sys.platform == "win32", reason="the program that hangs is a script of the shell")
def test_a_git_that_hangs_ends_with_the_program(tmp_path: Path) -> None:
    """Quitting waited for it, and for what it had started."""
    git = tmp_path / "bin" / "git"
    git.parent.mkdir()
    git.write_text(f"#!/bin/sh\nsleep 600 &\ntouch '{tmp_path}/started'\nwait\n", encoding="utf-8")
    git.chmod(0o755)
    (tmp_path / "m.sdf").write_text(TEXT, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-c", _QUITTING, str(tmp_path)],
        env={**os.environ, "PATH": f"{git.parent}{os.pathsep}{os.environ['PATH']}"},
        capture_output=True,
        text=True,
        check=True,
        timeout=300,
    )
    assert done.stdout.splitlines() == ["NotInGitError", "NotInGitError"]


#: Ends the programs while git hangs, and asks git once more.
_QUITTING = """
import sys, time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from sdfviewer.files import git
from sdfviewer.programs import end_programs
git.TIMEOUT_SECONDS = 600
folder = Path(sys.argv[1])
pool = ThreadPoolExecutor(1)
first = pool.submit(git.open_git_head, folder / "m.sdf")
while not (folder / "started").exists():
    time.sleep(0.01)
second = pool.submit(git.open_git_head, folder / "m.sdf")
end_programs()
print(type(first.exception()).__name__)
print(type(second.exception()).__name__)
"""
