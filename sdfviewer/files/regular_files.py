"""Read regular files only, and walk folders for them.

Whoever reads a pipe may wait for ever, and a device may never end. A file can be replaced by either at any time.
"""

from __future__ import annotations

import errno
import os
import stat
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import BinaryIO

#: So many bytes are read at once where a file is only copied.
_PART = 1 << 20


class NotRegularError(OSError):
    """A path leads to a folder, a pipe, a socket or a device."""


def regular_status(path: Path, *, allow_pipe: bool = False) -> os.stat_result:
    """Return the status of a regular file, of a pipe where that is allowed too.

    Raises
    ------
    NotRegularError
        If there is something else.
    OSError
        If there is nothing, a link leads nowhere, or the folder may not be looked into.
    """
    try:
        return _regular(os.stat(path), path, allow_pipe=allow_pipe)
    except FileNotFoundError as error:
        if os.path.islink(path):
            raise FileNotFoundError(error.errno, "the link leads to nothing", str(path)) from None
        raise


@cache
def _kernel_devices() -> frozenset[int]:
    """Return the devices of the file systems in which the kernel tells of processes: their environment, their memory.

    A link in the folder of a stranger may lead there.
    """
    devices = set()
    for name in ("/proc", "/sys"):
        with suppress(OSError):
            devices.add(os.stat(name).st_dev)
    return frozenset(devices - {os.stat(os.sep).st_dev})


def _regular(status: os.stat_result, path: Path, *, allow_pipe: bool) -> os.stat_result:
    mode = status.st_mode
    if sys.platform == "linux" and status.st_dev in _kernel_devices():
        raise NotRegularError(errno.EINVAL, "not a regular file", str(path))
    if stat.S_ISDIR(mode):
        raise NotRegularError(errno.EISDIR, "not a regular file", str(path))
    if not stat.S_ISREG(mode) and not (allow_pipe and stat.S_ISFIFO(mode)):
        raise NotRegularError(errno.EINVAL, "not a regular file", str(path))
    return status


def read_regular(path: Path, most: int = -1, *, allow_pipe: bool = False) -> bytes:
    """Return the content of a regular file.

    Parameters
    ----------
    path
        The file.
    most
        So many bytes are read at most; negative reads all.
    allow_pipe
        Whether a pipe is read to its end.

    Raises
    ------
    OSError
        See :func:`regular_status`; also if it cannot be read.
    """
    with _open_regular(path, allow_pipe=allow_pipe) as file:
        return file.read(most)


def parts_of_regular(path: Path) -> Iterator[bytes]:
    """Yield the content of a regular file in parts, so that a file of any size takes little memory.

    Raises
    ------
    OSError
        See :func:`regular_status`; also if it cannot be read.
    """
    with _open_regular(path, allow_pipe=False) as file:
        while part := file.read(_PART):
            yield part


@contextmanager
def _open_regular(path: Path, *, allow_pipe: bool) -> Iterator[BinaryIO]:
    waits = stat.S_ISFIFO(regular_status(path, allow_pipe=allow_pipe).st_mode)
    with open(path, "rb", opener=None if waits else _open_at_once) as file:
        _regular(os.fstat(file.fileno()), path, allow_pipe=allow_pipe)  # it may have been replaced meanwhile
        yield file


def _open_at_once(path: str, flags: int) -> int:
    """Open a file without waiting for the other end, should it be a pipe by now."""
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


def why_unreadable(path: Path, error: OSError) -> str:
    """Return in a sentence why a path is not read."""
    if isinstance(error, NotRegularError):
        return f"{path} is {'a folder' if error.errno == errno.EISDIR else error.strerror}"
    return f"cannot read {path}: {error.strerror or error}"


def walk_files(
    folder: Path,
    suffixes: tuple[str, ...],
    enters: Callable[[Path, list[str]], bool] = lambda here, names: True,
    refused: Callable[[Path, str], object] = lambda path, why: None,
) -> Iterator[tuple[Path, list[Path]]]:
    """Yield a folder and each one below it with its regular files, sorted by name; links to folders are not followed.

    Parameters
    ----------
    folder
        Where to begin.
    suffixes
        What the names of the files end in, in small letters.
    enters
        Says of a folder and the names of its files whether to look into it; may be asked of each folder once.
    refused
        Is called with what may not be read, folder or file, and why.
    """

    def refuse(error: OSError) -> None:
        place = Path(error.filename or folder)
        refused(place, why_unreadable(place, error))

    for place, folders, names in os.walk(folder, onerror=refuse):
        here, files = Path(place), []
        if not enters(here, names):
            folders.clear()
            continue
        folders.sort()
        for file in (here / name for name in sorted(names)):
            if file.suffix.lower() in suffixes:
                try:
                    regular_status(file)
                except OSError as error:
                    refused(file, why_unreadable(file, error))
                else:
                    files.append(file)
        yield here, files
