"""Save files atomically."""

from __future__ import annotations

import contextlib
import errno
import hashlib
import os
import re
import stat
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from sdfviewer.diagnostics import SdfViewerError
from sdfviewer.document.document import Fingerprint
from sdfviewer.files.paths import parts_of_regular, regular_status

if TYPE_CHECKING:
    from tempfile import TemporaryDirectory

#: Pauses between the attempts to replace a file that another program holds open, which only Windows forbids.
_RETRY_SECONDS = (0.05, 0.1, 0.2, 0.4)
#: No save takes longer; older files were left behind by a killed program.
_LONGEST_SAVE = 3600.0
#: Permissions of which a file that may be written has one. An administrator's programs could write any other, too.
_WRITABLE = stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH
#: Characters of a file's name that are in the name of its temporary.
_LONGEST_NAME = 100


class SaveError(SdfViewerError):
    """A file could not be written; the one on disk is as it was."""


class ReadOnlyFileError(SaveError):
    """A file has no permission to be written."""


class ChangedOnDiskError(SaveError):
    """Another program has changed the file since it was read."""

    def __init__(self, path: Path) -> None:
        super().__init__(f"{path} was changed by another program after it was read")
        self.path = path

    def __reduce__(self) -> tuple[type[ChangedOnDiskError], tuple[Path]]:
        return type(self), (self.path,)


class LeadsElsewhereError(ChangedOnDiskError):
    """The path of a file leads to another file than when it was read: a link was put there, or was changed."""

    def __init__(self, path: Path, now: str, before: str) -> None:
        SaveError.__init__(self, f"{path} leads to {now} now, and led to {before} when it was read")
        self.path, self.now, self.before = path, now, before

    def __reduce__(self) -> tuple[type[LeadsElsewhereError], tuple[Path, str, str]]:  # type: ignore[override]
        return type(self), (self.path, self.now, self.before)


def fingerprint(path: Path, data: bytes | None = None) -> Fingerprint:
    """Return the fingerprint of a file.

    Parameters
    ----------
    path
        The file.
    data
        Its content, where that has just been read.

    Raises
    ------
    OSError
        If the file cannot be read.
    """
    mtime_ns, real_path = path.stat().st_mtime_ns, os.path.realpath(path)
    size, digest = 0, hashlib.sha256()
    for part in parts_of_regular(path) if data is None else (data,):
        size += len(part)
        digest.update(part)
    return Fingerprint(mtime_ns, size, digest.hexdigest(), real_path)


def has_changed(path: Path, known: Fingerprint) -> bool:
    """Return whether a file's content differs from the known one; a missing file has changed, a touched one has not.

    Cheap enough to be called whenever the window gets the focus: the content is read only where time or size differ.
    """
    try:
        status = regular_status(path)
        if (status.st_mtime_ns, status.st_size) == (known.mtime_ns, known.size):
            return False
        return status.st_size != known.size or fingerprint(path).digest != known.digest
    except OSError:
        return True


def require_unchanged(path: Path, known: Fingerprint | None) -> None:
    """Refuse a file that is not what it was.

    Parameters
    ----------
    path
        The file.
    known
        What it was; None where there was nothing.

    Raises
    ------
    ChangedOnDiskError
        If its content has changed, its path leads elsewhere, or there is something where there was nothing.
    """
    if known is None:
        if os.path.lexists(path):  # also a link to nothing: what it leads to would be made
            raise ChangedOnDiskError(path)
        return
    _require_same_place(path, os.path.realpath(path), known)
    if has_changed(path, known):
        raise ChangedOnDiskError(path)


def _require_same_place(path: Path, target: str, known: Fingerprint) -> None:
    if known.real_path and os.path.normcase(target) != os.path.normcase(known.real_path):
        raise LeadsElsewhereError(path, target, known.real_path)


def save(
    path: Path,
    data: bytes,
    expected: Fingerprint | None = None,
    *,
    overwrite: bool = False,
    mode: int = 0o666,
    tell: Callable[[str], object] = lambda _: None,
) -> Fingerprint:
    """Write a file in one step and return its new fingerprint.

    The content goes to a new file in the same folder, is forced to the disk, and takes the old file's name. Whoever
    reads the name meanwhile, or after a crash at any moment, finds the whole old or the whole new content. Permissions
    stay; a symbolic link stays and the file it points to is written.

    Other names of the old file (hard links) keep the old content, and the file of another user becomes the writer's
    unless the writer may give files away: to write into the old file would leave half of the new content after a crash.

    Parameters
    ----------
    path
        The file, which need not exist; its folder must.
    data
        The content.
    expected
        What the file was when it was read: something else there now is not overwritten. None overwrites anything.
    overwrite
        Whether another content is overwritten, but only where the path leads to what was expected.
    mode
        Permissions of a file that is made, less what the umask takes away.
    tell
        Called with a sentence for the user where hard links have parted or the owner has changed.

    Raises
    ------
    LeadsElsewhereError
        If the path leads to another file than was expected.
    ChangedOnDiskError
        If the file does not hold what was expected. A file that has gone is simply made again.
    SaveError
        If the file cannot be written.
    """
    target = Path(os.path.realpath(path))
    if expected is not None:
        _require_same_place(path, str(target), expected)
    try:
        previous = _status(target)
        if previous is not None and not (os.access(target, os.W_OK) and previous.st_mode & _WRITABLE):
            raise ReadOnlyFileError(f"cannot save {path}: the file is read-only")
        # The content is compared even where time and size agree: some file systems count time in seconds.
        wanted = None if expected is None or overwrite else expected.digest
        if wanted is not None and previous is not None and fingerprint(target).digest != wanted:
            raise ChangedOnDiskError(path)
        remove_temporaries(target.parent, re.escape(target.name[:_LONGEST_NAME]))
        temporary = _write_beside(target, data, previous, mode)
        try:
            written = replace(fingerprint(temporary, data), real_path=str(target))
            note = "" if previous is None else _what_parts(path, previous, temporary.stat())
            replace_file(temporary, target)
        except BaseException:
            temporary.unlink(missing_ok=True)
            raise
        _flush_folder(target.parent)
    except OSError as error:
        raise SaveError(f"cannot save {path}: {error.strerror or error}") from error
    if note:
        tell(note)
    return written


def _what_parts(path: Path, previous: os.stat_result, now: os.stat_result) -> str:
    """Return what a user should know of the file that takes the place of the previous one, empty where nothing."""
    if previous.st_nlink > 1:
        return f"{path} had other names (hard links). They keep the old content and no longer follow this file."
    if previous.st_uid != now.st_uid:
        return f"{path} belonged to another user and is yours now."
    return ""


def _status(path: Path) -> os.stat_result | None:
    """Return the status of a regular file, None where there is nothing.

    Raises
    ------
    OSError
        If there is something else, which must not be replaced by a file.
    """
    try:
        return regular_status(path)
    except FileNotFoundError:
        return None


def remove_temporaries(folder: Path, name: str = r".*") -> None:
    """Remove what killed programs have left in a folder while they saved: none that may still be written.

    Parameters
    ----------
    folder
        The folder.
    name
        Pattern of the names of the files that were saved.
    """
    pattern = re.compile(rf"\.{name}\.[0-9a-f]{{12}}\.tmp")
    oldest = time.time() - _LONGEST_SAVE
    with contextlib.suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            if pattern.fullmatch(entry.name) and entry.is_file(follow_symlinks=False):
                with contextlib.suppress(OSError):  # of another user, or gone meanwhile
                    if entry.stat(follow_symlinks=False).st_mtime < oldest:
                        os.unlink(entry.path)


def _write_beside(target: Path, data: bytes, previous: os.stat_result | None, mode: int) -> Path:
    """Write ``data`` to a new file in the folder of ``target``, down to the disk, and return it."""
    import secrets  # noqa: PLC0415  # reading files does not need it

    # A new file gets 0666 less the umask, as from any other program; tempfile would use 0600.
    temporary = target.with_name(f".{target.name[:_LONGEST_NAME]}.{secrets.token_hex(6)}.tmp")
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    descriptor = os.open(temporary, flags, mode)
    try:
        with os.fdopen(descriptor, "wb") as file:
            if previous is not None:
                _copy_permissions(target, previous, temporary)
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
    return temporary


def _copy_permissions(target: Path, previous: os.stat_result, temporary: Path) -> None:
    if hasattr(os, "chown"):
        own = temporary.stat()
        if (own.st_uid, own.st_gid) != (previous.st_uid, previous.st_gid):
            # Only root may change the owner; the permission bits are still set below.
            with contextlib.suppress(PermissionError):
                os.chown(temporary, previous.st_uid, previous.st_gid)
    os.chmod(temporary, stat.S_IMODE(previous.st_mode))
    if sys.platform == "linux":  # access control lists are extended attributes there
        # Some file systems have no attributes, and some labels only the system may set.
        with contextlib.suppress(OSError):
            for name in os.listxattr(target):
                os.setxattr(temporary, name, os.getxattr(target, name))


def replace_file(temporary: Path, target: Path) -> None:
    """Give ``temporary`` the name ``target``; on Windows wait a little for a program that is reading the old file."""
    for pause in _RETRY_SECONDS if os.name == "nt" else ():
        try:
            os.replace(temporary, target)
            return
        except PermissionError:
            time.sleep(pause)
    os.replace(temporary, target)


def _flush_folder(folder: Path) -> None:
    """Force the new name itself to the disk where the system lets a folder be flushed."""
    if os.name == "nt":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    except OSError as error:
        # Some network and FUSE file systems cannot; the content itself has been flushed.
        if error.errno not in (errno.EINVAL, errno.ENOTSUP, errno.EBADF):
            raise
    finally:
        os.close(descriptor)


# --- what is not saved yet -------------------------------------------------------------------------------------------


@cache
def _unsaved_folder() -> TemporaryDirectory[str]:
    from tempfile import TemporaryDirectory  # noqa: PLC0415  # few edits make files

    return TemporaryDirectory(prefix="sdfviewer-")


def unsaved_file(name: str, content: bytes) -> Path:
    """Return a file of this run of the program with a content that is copied elsewhere once a document is saved.

    Raises
    ------
    SaveError
        If it cannot be written.
    """
    # Without links in its path, as only such a file is copied.
    path = Path(os.path.realpath(_unsaved_folder().name), hashlib.sha256(content).hexdigest()[:16], name)
    if not path.exists():
        try:
            path.parent.mkdir(exist_ok=True)
        except OSError as error:
            raise SaveError(f"cannot write {path}: {error.strerror or error}") from error
        save(path, content)
    return path
