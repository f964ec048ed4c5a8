"""Recovery files for unsaved work after a crash or power cut.

Every run of the program has files of its own, so that none overwrites what another one left behind, and holds a lock
while it lives: the system lets go of it however the program ends. The number of a process says nothing after a restart
of the system, nor between containers.
"""

from __future__ import annotations

import atexit
import contextlib
import errno
import hashlib
import json
import os
import secrets
import stat
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path

from sdfviewer.diagnostics import SdfViewerError
from sdfviewer.document.document import Fingerprint
from sdfviewer.document.xml.encoding import decode
from sdfviewer.files.opening import read_bytes
from sdfviewer.files.paths import state_folder
from sdfviewer.files.saving import SaveError, remove_temporaries, save

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

#: The description of a recovery file is one line, and holds little more than a path.
_LONGEST_HEADER = 100_000
_SUFFIX, _LOCK_SUFFIX = ".recovery", ".alive"
#: Of one file alone, and of one with other files that its edits have changed, which earlier versions do not know.
_MAGIC, _MAGIC_OF_SEVERAL = b"sdfviewer recovery 1\n", b"sdfviewer recovery 2\n"
#: More other files than any edit changes are no unsaved work.
_MOST_OTHERS = 1000
#: Names this run of the program.
_RUN = secrets.token_hex(6)
#: The lock of this run in each folder, held until the process ends.
_locks: dict[Path, int] = {}


@dataclass(frozen=True, slots=True)
class KeptFile:
    """The unsaved content of another file that the edits of a file have changed.

    Attributes
    ----------
    path
        The file.
    data
        Its unsaved content, as saving would have written it.
    base
        The file on disk when it was last read or saved, None for a new one.
    """

    path: Path
    data: bytes
    base: Fingerprint | None

    @property
    def text(self) -> str:
        """The unsaved text."""
        return decode(self.data).text


@dataclass(frozen=True, slots=True)
class Recovery:
    """Unsaved work found on disk.

    Attributes
    ----------
    path
        The file that was being edited, None for one without a name.
    data
        Its unsaved content, as saving would have written it.
    base
        The file on disk when it was last read or saved: if that differs now, both have changed.
    time
        When this was written, in seconds since 1970.
    source
        The recovery file itself.
    others
        Other files that edits of this one have changed: included xacro files, YAML files, dependent files.
    """

    path: Path | None
    data: bytes
    base: Fingerprint | None
    time: float
    source: Path
    others: tuple[KeptFile, ...] = ()

    @property
    def text(self) -> str:
        """The unsaved text."""
        return decode(self.data).text

    @property
    def is_abandoned(self) -> bool:
        """Whether the program that wrote it has ended, so that it cannot save this work itself."""
        return not _is_held(_lock_of(self.source))


def recovery_folder(environ: Mapping[str, str] = os.environ, platform: str = sys.platform) -> Path:
    """Return the folder of the recovery files, by the custom of the platform; it need not exist."""
    return state_folder(environ, platform) / "recovery"


def write_recovery(
    path: Path | None,
    data: bytes,
    base: Fingerprint | None,
    folder: Path | None = None,
    *,
    nameless: str = "",
    others: Sequence[KeptFile] = (),
) -> Path:
    """Keep unsaved work and return the recovery file; one that this run of the program wrote before is replaced.

    Parameters
    ----------
    path
        The file being edited, None where it has no name yet.
    data
        What saving would write now.
    base
        The fingerprint the file had when it was last read or saved.
    folder
        Where to keep it, :func:`recovery_folder` by default; made where it is missing, for the user's eyes only.
    nameless
        What tells this text from others of this run that have no name yet either.
    others
        Other files that edits of this one have changed.

    Raises
    ------
    SaveError
        If it cannot be written.
    """
    folder = folder or recovery_folder()
    key = nameless if path is None else os.path.normcase(os.path.realpath(path))
    digest = hashlib.sha256(key.encode("utf-8", "surrogatepass")).hexdigest()[:32]
    source = folder / f"{digest}-{_RUN}{_SUFFIX}"
    others = others[:_MOST_OTHERS]
    body = b"".join((data, *(each.data for each in others)))
    header: dict[str, object] = {
        "path": None if path is None else os.path.realpath(path),
        "base": None if base is None else asdict(base),
        "time": time.time(),
        "digest": hashlib.sha256(body).hexdigest(),
    }
    if others:
        header["others"] = [
            {
                "path": os.path.realpath(each.path),
                "base": None if each.base is None else asdict(each.base),
                "size": len(each.data),
            }
            for each in others
        ]
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        _make_private(folder)
        _hold_lock(folder)
    except OSError as error:
        raise SaveError(f"cannot create {folder}: {error.strerror or error}") from error
    magic = _MAGIC_OF_SEVERAL if others else _MAGIC
    save(source, b"".join((magic, json.dumps(header).encode("ascii"), b"\n", body)), mode=0o600)
    return source


def recoveries(folder: Path | None = None) -> list[Recovery]:
    """Return all unsaved work kept in a folder, the newest first."""
    folder = folder or recovery_folder()
    if not _is_own(folder):
        return []  # what others have put there is no unsaved work
    remove_temporaries(folder)
    found = folder.glob(f"*{_SUFFIX}")
    kept = [recovery for source in found if (recovery := _read(source)) is not None]
    return sorted(kept, key=lambda recovery: -recovery.time)


def discard_recovery(source: Path) -> None:
    """Forget kept work after it was saved or given up.

    Raises
    ------
    SaveError
        If it is there and cannot be removed.
    """
    lock = _lock_of(source)
    try:
        source.unlink(missing_ok=True)
        if not _is_held(lock) and not any(source.parent.glob(f"*-{lock.stem}{_SUFFIX}")):
            lock.unlink(missing_ok=True)
    except OSError as error:
        raise SaveError(f"cannot remove {source}: {error.strerror or error}") from error


def _read(source: Path) -> Recovery | None:
    """Return the content of a recovery file, None where it is missing, damaged or of another version of the program."""
    try:
        magic, header, data = read_bytes(source).split(b"\n", 2)
        if len(header) > _LONGEST_HEADER:
            return None
        fields = json.loads(header)
        if magic + b"\n" not in (_MAGIC, _MAGIC_OF_SEVERAL) or fields["digest"] != hashlib.sha256(data).hexdigest():
            return None
        path, when = fields["path"], float(fields["time"])
        datetime.fromtimestamp(when)  # a time that can be shown
        others: list[KeptFile] = []
        for each in reversed(fields.get("others", [])[:_MOST_OTHERS]):
            start = len(data) - int(each["size"])
            if start < 0 or start > len(data):
                return None
            others.append(KeptFile(_path(each["path"]), data[start:], _fingerprint(each["base"])))
            data = data[:start]
        for text in (data, *(each.data for each in others)):
            decode(text)
        mine = None if path is None else _path(path)
        return Recovery(mine, data, _fingerprint(fields["base"]), when, source, tuple(reversed(others)))
    except (SdfViewerError, OSError, ValueError, KeyError, TypeError, OverflowError, RecursionError):
        return None


def _path(value: object) -> Path:
    """Return a path that a recovery file names.

    Raises
    ------
    ValueError
        If it is none.
    """
    if not isinstance(value, str) or "\0" in value:
        raise ValueError
    return Path(value)


def _fingerprint(base: Mapping[str, object] | None) -> Fingerprint | None:
    """Return a fingerprint that a recovery file holds; raise ValueError, KeyError or TypeError where it is none."""
    if base is None:
        return None
    numbers = int(str(base["mtime_ns"])), int(str(base["size"]))
    return Fingerprint(*numbers, str(base["digest"]), str(base.get("real_path", "")))


def _make_private(folder: Path) -> None:
    """Make a folder private to the user.

    Raises
    ------
    OSError
        If it is not the user's own.
    """
    if os.name == "nt":
        return
    if not _is_own(folder):
        raise PermissionError(errno.EPERM, "the folder belongs to another user, or is a link")
    if stat.S_IMODE(folder.stat().st_mode) & 0o077:
        folder.chmod(0o700)


def _is_own(folder: Path) -> bool:
    """Return whether a folder is the user's own, and is one: not a link to another."""
    try:
        state = folder.lstat()
    except OSError:
        return False
    return stat.S_ISDIR(state.st_mode) and (os.name == "nt" or state.st_uid == os.geteuid())


# --- locks -----------------------------------------------------------------------------------------------------------


def _lock_of(source: Path) -> Path:
    """Return the file that the run which wrote a recovery file keeps locked."""
    return source.with_name(source.stem.rpartition("-")[2] + _LOCK_SUFFIX)


def _hold_lock(folder: Path) -> None:
    """Lock this run's file in a folder until the process ends."""
    lock = folder / f"{_RUN}{_LOCK_SUFFIX}"
    if folder in _locks and lock.exists():
        return
    if folder in _locks:  # it was removed meanwhile
        os.close(_locks.pop(folder))
    else:
        atexit.register(_let_go, folder)
    _locks[folder] = os.open(lock, os.O_RDWR | os.O_CREAT, 0o600)
    _try_to_lock(_locks[folder])


def _let_go(folder: Path) -> None:
    """Take this run's lock away at the end of a run that ends as it should."""
    os.close(_locks.pop(folder))
    # It does not matter if the folder was deleted in the meantime, with the lock in it.
    with contextlib.suppress(OSError):
        (folder / f"{_RUN}{_LOCK_SUFFIX}").unlink(missing_ok=True)


def _is_held(lock: Path) -> bool:
    """Return whether a process holds a lock."""
    if lock.stem == _RUN:
        return True
    try:
        descriptor = os.open(lock, os.O_RDWR)
    except OSError:
        return False
    try:
        return not _try_to_lock(descriptor)
    finally:
        os.close(descriptor)


def _try_to_lock(descriptor: int) -> bool:
    """Lock a file without waiting; return False where another process holds it.

    Where the file system knows no locks nothing is ever held: work of a program that is still open is offered as well.
    """
    try:
        if sys.platform == "win32":
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        else:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (BlockingIOError, PermissionError):
        return False
    except OSError:
        return True
    return True
