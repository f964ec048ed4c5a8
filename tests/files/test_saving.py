"""Atomic saving."""

from __future__ import annotations

import errno
import os
import pickle
import random
import signal
import stat
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from sdfviewer.files import saving
from sdfviewer.files.paths import regular_status
from sdfviewer.files.saving import (
    ChangedOnDiskError,
    LeadsElsewhereError,
    SaveError,
    fingerprint,
    has_changed,
    require_unchanged,
    save,
)

posix = pytest.mark.skipif(os.name == "nt", reason="needs POSIX permissions, links or signals")


def test_new_file(tmp_path: Path) -> None:
    path = tmp_path / "a.sdf"
    written = save(path, b"new\r\n")
    assert path.read_bytes() == b"new\r\n"
    assert written == fingerprint(path)
    assert list(tmp_path.iterdir()) == [path]


@posix
def test_new_file_has_the_permissions_of_the_umask(tmp_path: Path) -> None:
    old = os.umask(0o027)
    try:
        save(tmp_path / "a.sdf", b"")
    finally:
        os.umask(old)
    assert (tmp_path / "a.sdf").stat().st_mode & 0o777 == 0o640


@posix
@pytest.mark.parametrize("mode", [0o600, 0o644, 0o755, 0o666])
def test_permissions_stay(tmp_path: Path, mode: int) -> None:
    path = tmp_path / "a.sdf"
    path.write_bytes(b"old")
    path.chmod(mode)
    save(path, b"new")
    assert path.stat().st_mode & 0o7777 == mode


@posix
def test_link_stays_and_its_target_is_written(tmp_path: Path) -> None:
    target = tmp_path / "folder" / "real.sdf"
    target.parent.mkdir()
    target.write_bytes(b"old")
    link = tmp_path / "link.sdf"
    link.symlink_to(Path("folder", "real.sdf"))
    save(link, b"new")
    assert link.is_symlink()
    assert target.read_bytes() == b"new"


@posix
def test_link_to_nothing_makes_its_target(tmp_path: Path) -> None:
    link = tmp_path / "link.sdf"
    link.symlink_to("later.sdf")
    save(link, b"new")
    assert link.is_symlink()
    assert (tmp_path / "later.sdf").read_bytes() == b"new"


def test_long_name(tmp_path: Path) -> None:
    path = tmp_path / ("n" * 240 + ".sdf")
    save(path, b"new")
    assert path.read_bytes() == b"new"


def test_file_changed_meanwhile_is_not_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "a.sdf"
    path.write_bytes(b"old")
    known = fingerprint(path)
    path.write_bytes(b"OLD")
    os.utime(path, ns=(known.mtime_ns, known.mtime_ns))  # same size, same time: only the content tells
    with pytest.raises(ChangedOnDiskError) as caught:
        save(path, b"new", known)
    assert caught.value.path == path
    assert path.read_bytes() == b"OLD"
    assert list(tmp_path.iterdir()) == [path]
    save(path, b"new")
    assert path.read_bytes() == b"new"


def _into_a_link(path: Path, other: Path) -> None:
    path.unlink()
    path.symlink_to(other)


def _into_a_link_to_nothing(path: Path, other: Path) -> None:
    other.unlink()
    _into_a_link(path, other)


def _folder_into_a_link(path: Path, other: Path) -> None:
    path.parent.rename(path.parent.with_name("away"))
    path.parent.symlink_to(other.parent)


@posix
@pytest.mark.parametrize("overwrite", [False, True])
@pytest.mark.parametrize("change", [_into_a_link, _into_a_link_to_nothing, _folder_into_a_link])
def test_what_a_path_has_come_to_lead_to_is_not_written(
    tmp_path: Path, change: Callable[[Path, Path], None], overwrite: bool
) -> None:
    path, other = tmp_path / "project" / "a.sdf", tmp_path / "home" / "a.sdf"
    for each in (path, other):
        each.parent.mkdir()
        each.write_bytes(b"old")
    known = fingerprint(path)
    change(path, other)
    with pytest.raises(LeadsElsewhereError, match=r"a\.sdf leads to .*home.* now, and led to .*project") as caught:
        save(path, b"new", known, overwrite=overwrite)
    assert pickle.loads(pickle.dumps(caught.value)).args == caught.value.args
    assert not other.exists() or other.read_bytes() == b"old"
    save(path, b"new")  # whoever names the path alone wants what it leads to
    assert other.read_bytes() == b"new"


@posix
def test_a_link_that_leads_where_it_did_is_overwritten(tmp_path: Path) -> None:
    (tmp_path / "a.sdf").write_bytes(b"old")
    link = tmp_path / "link.sdf"
    link.symlink_to("a.sdf")
    known = fingerprint(link)
    again = save(link, b"new", known)
    (tmp_path / "a.sdf").write_bytes(b"other")
    with pytest.raises(ChangedOnDiskError):
        save(link, b"newer", again)
    save(link, b"newer", again, overwrite=True)
    assert (tmp_path / "a.sdf").read_bytes() == b"newer"
    assert link.is_symlink()


@posix
def test_a_file_that_is_to_be_made_is_not_made_through_a_link(tmp_path: Path) -> None:
    path = tmp_path / "new.sdf"
    require_unchanged(path, None)
    path.symlink_to("elsewhere.sdf")
    with pytest.raises(ChangedOnDiskError):
        require_unchanged(path, None)


def test_touched_file_and_missing_file_are_written(tmp_path: Path) -> None:
    path = tmp_path / "a.sdf"
    path.write_bytes(b"old")
    known = fingerprint(path)
    os.utime(path, ns=(1, 1))
    assert not has_changed(path, known)
    again = save(path, b"new", known)
    path.unlink()
    assert has_changed(path, again)
    save(path, b"newer", again)
    assert path.read_bytes() == b"newer"


def test_change_is_seen(tmp_path: Path) -> None:
    path = tmp_path / "a.sdf"
    known = save(path, b"old")
    assert not has_changed(path, known)
    path.write_bytes(b"other")
    assert has_changed(path, known)


def test_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SaveError, match="not a regular file"):
        save(tmp_path, b"new")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes in folders")
@pytest.mark.parametrize("ask", [fingerprint, lambda path: save(path, b"new")])
def test_a_pipe_is_neither_read_nor_replaced(tmp_path: Path, ask: Callable[[Path], object]) -> None:
    """An empty file looks unchanged by its size."""
    known = save(tmp_path / "a.sdf", b"")
    path = tmp_path / "pipe.sdf"
    os.mkfifo(path)
    assert has_changed(path, known)
    with pytest.raises((OSError, SaveError), match="not a regular file"):
        ask(path)
    assert path.is_fifo()


def test_missing_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SaveError, match="No such file"):
        save(tmp_path / "nowhere" / "a.sdf", b"new")


@posix
def test_read_only_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.sdf"
    path.write_bytes(b"old")
    path.chmod(0o444)
    with pytest.raises(SaveError, match="read-only"):
        save(path, b"new")
    assert path.read_bytes() == b"old"


@pytest.mark.parametrize("step", ["fsync", "replace", "chmod"])
def test_failure_leaves_the_old_file_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    path = tmp_path / "a.sdf"
    path.write_bytes(b"old")

    def fail(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, step, fail)
    with pytest.raises(SaveError, match="No space left"):
        save(path, b"new")
    monkeypatch.undo()
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_windows_waits_for_a_program_that_reads_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.sdf"
    path.write_bytes(b"old")
    attempts = []
    replace = os.replace

    def refuse_twice(source: Path, target: Path) -> None:
        attempts.append(target)
        if len(attempts) <= 2:
            raise PermissionError(13, "in use")
        replace(source, target)

    data = path.with_name("b.sdf")
    data.write_bytes(b"new")
    monkeypatch.setattr(os, "name", "nt")
    monkeypatch.setattr(os, "replace", refuse_twice)
    monkeypatch.setattr(time, "sleep", lambda _: None)
    saving.replace_file(data, path)
    monkeypatch.undo()
    assert len(attempts) == 3
    assert path.read_bytes() == b"new"


# --- killed in the middle ----------------------------------------------------------------------------------------

OLD, NEW = b"o" * 3_000_000, b"n" * 5_000_000

# Dies before or after the n-th call of one system function of saving.
DIE_AT = """
import os, signal, sys
from collections.abc import Callable
from pathlib import Path
from sdfviewer.files import saving
from sdfviewer.files.paths import regular_status
name, when, number, path = sys.argv[1], sys.argv[2], int(sys.argv[3]), Path(sys.argv[4])
call, count = getattr(os, name), 0
def dying(*arguments, **named):
    global count
    count += 1
    if count == number and when == "before":
        os.kill(os.getpid(), signal.SIGKILL)
    answer = call(*arguments, **named)
    if count == number:
        os.kill(os.getpid(), signal.SIGKILL)
    return answer
setattr(os, name, dying)
saving.save(path, b"n" * 5_000_000)
"""

SAVE_FOR_EVER = """
import sys
from collections.abc import Callable
from pathlib import Path
from sdfviewer.files.saving import save
print("ready", flush=True)
while True:
    save(Path(sys.argv[1]), b"o" * 3_000_000)
    save(Path(sys.argv[1]), b"n" * 5_000_000)
"""


@posix
@pytest.mark.parametrize("has_two_names", [False, True])
@pytest.mark.parametrize(
    ("name", "when", "number", "is_written"),
    [
        ("open", "before", 1, False),
        ("open", "after", 1, False),
        ("fdopen", "after", 1, False),
        ("chmod", "after", 1, False),
        ("fsync", "before", 1, False),
        ("fsync", "after", 1, False),
        ("replace", "before", 1, False),
        ("replace", "after", 1, True),
        ("fsync", "before", 2, True),
        ("fsync", "after", 2, True),
    ],
)
def test_killed_at_a_step_leaves_the_old_or_the_new_file(
    tmp_path: Path, name: str, when: str, number: int, is_written: bool, has_two_names: bool
) -> None:
    path = tmp_path / "a.sdf"
    path.write_bytes(OLD)
    if has_two_names:
        os.link(path, tmp_path / "b.sdf")
    process = subprocess.run([sys.executable, "-c", DIE_AT, name, when, str(number), str(path)], check=False)
    assert process.returncode == -signal.SIGKILL
    assert path.read_bytes() == (NEW if is_written else OLD)


def test_killed_at_any_time_leaves_a_whole_file(tmp_path: Path) -> None:
    path = tmp_path / "a.sdf"
    path.write_bytes(OLD)
    chance = random.Random(1)
    for _ in range(3):
        with subprocess.Popen([sys.executable, "-c", SAVE_FOR_EVER, str(path)], stdout=subprocess.PIPE) as process:
            assert process.stdout is not None
            process.stdout.readline()
            time.sleep(chance.uniform(0, 0.05))
            process.kill()
        assert path.read_bytes() in (OLD, NEW)


@posix
def test_other_names_of_a_file_keep_the_old_content_and_the_user_is_told(tmp_path: Path) -> None:
    path, other = tmp_path / "a.sdf", tmp_path / "b.sdf"
    path.write_bytes(b"a much longer old text")
    os.link(path, other)
    told: list[str] = []
    save(path, b"new", tell=told.append)
    assert (path.read_bytes(), other.read_bytes()) == (b"new", b"a much longer old text")
    assert told == [f"{path} had other names (hard links). They keep the old content and no longer follow this file."]
    save(path, b"newer", tell=told.append)
    assert len(told) == 1
    assert sorted(each.name for each in tmp_path.iterdir()) == ["a.sdf", "b.sdf"]


@posix
def test_the_user_is_told_that_a_file_of_somebody_else_has_a_new_owner(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.sdf"
    path.write_bytes(b"old")
    made_by, status = os.path.realpath(path), regular_status

    def of_somebody_else(asked: Path) -> os.stat_result:
        values = list(status(asked))
        values[stat.ST_UID] += 1000 * (str(asked) == made_by)
        return os.stat_result(values)

    def refuse(*_: object) -> None:
        raise PermissionError(errno.EPERM, "Operation not permitted")

    monkeypatch.setattr(saving, "regular_status", of_somebody_else)
    monkeypatch.setattr(os, "chown", refuse)  # only root may give a file away
    told: list[str] = []
    save(path, b"new", tell=told.append)
    assert path.read_bytes() == b"new"
    assert told == [f"{path} belonged to another user and is yours now."]


def test_what_a_killed_save_has_left_is_removed_once_nobody_can_need_it(tmp_path: Path) -> None:
    path = tmp_path / "a.sdf"
    names = [".a.sdf.0123456789ab.tmp", ".a.sdf.ba9876543210.tmp", ".b.sdf.0123456789ab.tmp", ".a.sdf.mine.tmp"]
    for name in names:
        (tmp_path / name).write_bytes(b"left")
        if name != names[1]:
            os.utime(tmp_path / name, (0, 0))
    save(path, b"new")
    assert sorted(each.name for each in tmp_path.iterdir()) == sorted([*names[1:], "a.sdf"])
