"""Recovery files."""

from __future__ import annotations

import hashlib
import os
import signal
import stat
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from sdfviewer.document.document import Fingerprint
from sdfviewer.files.recovery import KeptFile, discard_recovery, recoveries, recovery_folder, write_recovery
from sdfviewer.files.saving import SaveError, save

posix = pytest.mark.skipif(os.name == "nt", reason="needs POSIX permissions, paths or signals")

#: Keeps work of a.sdf in a folder, says so, and waits until its input ends.
KEEP = """
import sys
from pathlib import Path
from sdfviewer.files.recovery import write_recovery
write_recovery(Path("a.sdf"), b"work", None, Path(sys.argv[1]))
print("kept", flush=True)
sys.stdin.read()
"""


@contextmanager
def another_run(folder: Path) -> Iterator[subprocess.Popen[bytes]]:
    """Start another run of the program that keeps work."""
    command = [sys.executable, "-c", KEEP, str(folder)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline().strip() == b"kept"
        yield process
        process.kill()


def test_work_is_found_again_and_forgotten(tmp_path: Path) -> None:
    path, folder = tmp_path / "ä b.sdf", tmp_path / "state" / "recovery"
    base = save(path, b"old")
    assert recoveries(folder) == []
    first = write_recovery(path, b"first", base, folder)
    assert write_recovery(path, b"second\n\xff\n", base, folder) == first
    (found,) = recoveries(folder)
    assert found.path is not None
    assert found.path.samefile(path)
    assert (found.data, found.base, found.source) == (b"second\n\xff\n", base, first)
    discard_recovery(first)
    discard_recovery(first)
    assert recoveries(folder) == []


def test_work_without_a_name_is_kept_too(tmp_path: Path) -> None:
    write_recovery(None, b"data", None, tmp_path)
    (found,) = recoveries(tmp_path)
    assert (found.path, found.base, found.data) == (None, None, b"data")


def test_the_newest_comes_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for moment in (1.0, 3.0, 2.0):
        monkeypatch.setattr(time, "time", lambda moment=moment: moment)
        write_recovery(tmp_path / f"{moment}.sdf", b"", None, tmp_path)
    assert [found.time for found in recoveries(tmp_path)] == [3.0, 2.0, 1.0]


@pytest.mark.parametrize(
    "damage", [b"", b"x", b"sdfviewer recovery 1\n{}\n", b"sdfviewer recovery 1\n[]\nabc", b"\n\n\n"]
)
def test_what_is_damaged_is_passed_over(tmp_path: Path, damage: bytes) -> None:
    write_recovery(tmp_path / "a.sdf", b"data", None, tmp_path).write_bytes(damage)
    assert recoveries(tmp_path) == []


def test_what_is_truncated_is_passed_over(tmp_path: Path) -> None:
    source = write_recovery(tmp_path / "a.sdf", b"data", None, tmp_path)
    source.write_bytes(source.read_bytes()[:-1])
    assert recoveries(tmp_path) == []


def test_work_of_this_run_is_not_abandoned(tmp_path: Path) -> None:
    write_recovery(tmp_path / "a.sdf", b"data", None, tmp_path)
    assert [found.is_abandoned for found in recoveries(tmp_path)] == [False]


def test_work_is_abandoned_when_the_run_that_kept_it_is_killed(tmp_path: Path) -> None:
    with another_run(tmp_path) as process:
        assert [found.is_abandoned for found in recoveries(tmp_path)] == [False]
        process.kill()
        process.wait()
        assert [found.is_abandoned for found in recoveries(tmp_path)] == [True]
    (found,) = recoveries(tmp_path)
    discard_recovery(found.source)
    assert list(tmp_path.iterdir()) == [], "nor is its lock left behind"


def test_a_run_that_ends_leaves_no_lock_behind_and_its_work_is_abandoned(tmp_path: Path) -> None:
    with another_run(tmp_path) as process:
        process.communicate()
        assert process.returncode == 0
    assert [found.is_abandoned for found in recoveries(tmp_path)] == [True]
    assert [path.suffix for path in tmp_path.iterdir()] == [".recovery"]


def test_the_same_file_in_another_run_overwrites_nothing(tmp_path: Path) -> None:
    with another_run(tmp_path):
        mine = write_recovery(Path("a.sdf"), b"mine", None, tmp_path)
        assert sorted(found.data for found in recoveries(tmp_path)) == [b"mine", b"work"]
        discard_recovery(mine)
        assert [found.data for found in recoveries(tmp_path)] == [b"work"]


def test_a_folder_that_somebody_has_emptied_is_locked_again(tmp_path: Path) -> None:
    write_recovery(tmp_path / "a.sdf", b"data", None, tmp_path / "r")
    for path in (tmp_path / "r").iterdir():
        path.unlink()
    write_recovery(tmp_path / "a.sdf", b"data", None, tmp_path / "r")
    assert sorted(path.suffix for path in (tmp_path / "r").iterdir()) == [".alive", ".recovery"]


@posix
@pytest.mark.parametrize("step", ["open", "fsync", "replace"])
def test_killed_while_work_is_kept_the_work_before_is_whole(tmp_path: Path, step: str) -> None:
    program = f"""
import os, signal, sys
from pathlib import Path
from sdfviewer.files import recovery, saving
recovery.write_recovery(Path("a.sdf"), b"first", None, Path(sys.argv[1]))
saving.os.{step} = lambda *_, **__: os.kill(os.getpid(), signal.SIGKILL)
recovery.write_recovery(Path("a.sdf"), b"second", None, Path(sys.argv[1]))
"""
    process = subprocess.run([sys.executable, "-c", program, str(tmp_path)], check=False)
    assert process.returncode == -signal.SIGKILL
    assert [(found.data, found.is_abandoned) for found in recoveries(tmp_path)] == [(b"first", True)]


@pytest.mark.parametrize(
    ("platform", "environ", "expected"),
    [
        ("linux", {"HOME": "/h"}, "/h/.local/state/sdfviewer/recovery"),
        ("linux", {"HOME": "/h", "XDG_STATE_HOME": "/s"}, "/s/sdfviewer/recovery"),
        ("linux", {"HOME": "/h", "XDG_STATE_HOME": "s"}, "/h/.local/state/sdfviewer/recovery"),
        ("darwin", {"HOME": "/h"}, "/h/Library/Application Support/sdfviewer/recovery"),
        ("win32", {"USERPROFILE": "/u", "LOCALAPPDATA": "/u/L"}, "/u/L/sdfviewer/recovery"),
        ("win32", {"USERPROFILE": "/u"}, "/u/AppData/Local/sdfviewer/recovery"),
    ],
)
@posix
def test_the_folder_follows_the_platform(platform: str, environ: dict[str, str], expected: str) -> None:
    assert recovery_folder(environ, platform) == Path(expected)


@posix
def test_the_folder_is_private(tmp_path: Path) -> None:
    source = write_recovery(tmp_path / "a.sdf", b"", None, tmp_path / "r")
    assert source.parent.stat().st_mode & 0o077 == 0


@posix
def test_recovery_files_are_for_their_owner_alone(tmp_path: Path) -> None:
    folder = tmp_path / "recovery"
    folder.mkdir(mode=0o755)
    source = write_recovery(Path("/robot.sdf"), b"<sdf/>", None, folder)
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert stat.S_IMODE(source.stat().st_mode) == 0o600


def test_other_files_are_kept_with_a_file(tmp_path: Path) -> None:
    others = (
        KeptFile(tmp_path / "b.xacro", b"\n\xff", None),
        KeptFile(tmp_path / "c.yaml", b"", Fingerprint(1, 2, "digest", "there")),
    )
    source = write_recovery(tmp_path / "a.xacro", b"mine\n", None, tmp_path / "r", others=others)
    (kept,) = recoveries(tmp_path / "r")
    assert (kept.data, kept.others) == (b"mine\n", others)
    data = source.read_bytes()
    for size in (b"-1", b"8", b"1e9", b'"x"', b"null", b"[]"):
        source.write_bytes(data.replace(b'"size": 2', b'"size": ' + size))
        assert recoveries(tmp_path / "r") == []


@posix
def test_a_folder_of_somebody_else_is_not_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "recovery"
    write_recovery(Path("/robot.sdf"), b"<sdf/>", None, folder)
    link = tmp_path / "link"
    link.symlink_to(folder)
    for each in (link, folder):
        if each is folder:
            monkeypatch.setattr(os, "geteuid", lambda: folder.stat().st_uid + 1)
        assert recoveries(each) == []
        with pytest.raises(SaveError, match="belongs to another user"):
            write_recovery(Path("/robot.sdf"), b"<sdf/>", None, each)


@pytest.mark.parametrize(
    "header",
    [
        b"[" * 100_000,
        b'{"a":' * 20_000,
        b'{"path": "\\u0000", "base": null, "time": 1, "digest": "DIGEST"}',
        b'{"path": 3, "base": null, "time": 1, "digest": "DIGEST"}',
        b'{"path": null, "base": {"mtime_ns": 1}, "time": 1, "digest": "DIGEST"}',
        b'{"path": null, "base": null, "time": 1e300, "digest": "DIGEST"}',
        b'{"path": null, "base": null, "time": NaN, "digest": "DIGEST"}',
    ],
    ids=lambda header: header[:20].decode(),
)
def test_a_hostile_recovery_file_is_passed_over(tmp_path: Path, header: bytes) -> None:
    kept = write_recovery(Path("/robot.sdf"), b"<sdf/>", None, tmp_path)
    header = header.replace(b"DIGEST", hashlib.sha256(b"x").hexdigest().encode())
    (tmp_path / "f-0.recovery").write_bytes(b"sdfviewer recovery 1\n" + header + b"\nx")
    assert [lost.source for lost in recoveries(tmp_path)] == [kept]
