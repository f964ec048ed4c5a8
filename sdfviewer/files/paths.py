"""Questions about paths and folders that have the same answer on every system, and reading of regular files only.

Whoever reads a pipe may wait for ever, and a device may never end. A file can be replaced by either at any time.
"""

from __future__ import annotations

import errno
import os
import re
import stat
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import BinaryIO, TypeAlias

#: When a file was written, in nanoseconds, and its size.
Stamp: TypeAlias = tuple[int, int]
#: A drive of Windows at the beginning of a path, with its colon and slash as the first group.
DRIVE = re.compile(r"/*([A-Za-z]:[\\/])")
ON_WINDOWS = sys.platform == "win32"
#: What no name of a file may have in it: anywhere, and on Windows.
_NOT_IN_NEW_NAMES = re.compile(r'[\\/:*?"<>|\x00-\x1f]')
_NOT_IN_NAMES, _NOT_IN_NAMES_ON_WINDOWS = re.compile(r"[/\\\0]"), re.compile(r'[<>:"|?*\x01-\x1f]|[. ]\Z')
#: Names of devices on Windows, which lead to the device from every folder and with every suffix.
_DEVICE = re.compile(r"(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9¹²³]) *(?:\..*)?", re.IGNORECASE)


def home_folder(environ: Mapping[str, str] = os.environ) -> Path:
    """Return the user's own folder; the root, as Qt does, for a user without one, as in many containers."""
    given = environ.get("HOME") or environ.get("USERPROFILE")
    if given:
        return Path(given)
    try:
        return Path.home()
    except RuntimeError:
        return Path(os.path.abspath(os.sep))


def is_file(path: Path) -> bool:
    """Return whether a file is there, and in a folder that may be looked into."""
    return os.path.isfile(path)  # where pathlib raises


def is_folder(path: Path) -> bool:
    """Return whether a folder is there, and in one that may be looked into."""
    return os.path.isdir(path)  # where pathlib raises


def real_path(path: Path) -> Path:
    """Return an absolute path without links; of a link that leads to itself, as far as it leads."""
    return Path(os.path.realpath(path))  # where pathlib raises before Python 3.13


def is_same_file(one: Path, other: Path) -> bool:
    """Return whether two paths name the same file, which need not exist."""
    if one.absolute() == other.absolute():
        return True
    try:
        return one.samefile(other)
    except OSError:  # one of them is not there
        return False


def stamp_of(path: Path) -> Stamp | None:
    """Return what changes when a file is written again, None where there is none.

    Whoever keeps what a file holds keeps this with it, and reads the file again where it is another one.
    """
    try:
        status = os.stat(path)
    except (OSError, ValueError):  # ValueError: no path has a null character
        return None
    return status.st_mtime_ns, status.st_size


def is_absolute(path: str) -> bool:
    """Return whether a path says itself where it begins."""
    return path.startswith("/") or (ON_WINDOWS and path.startswith("\\")) or names_a_drive(path)


def names_a_drive(path: str) -> bool:
    """Return whether a path begins with a drive; ``C:name`` is a path of its own on Windows only."""
    return DRIVE.match(path) is not None or (ON_WINDOWS and path[1:2] == ":")


def names_a_server(path: str) -> bool:
    """Return whether Windows would contact a server for a path: ``\\\\server\\share\\file``."""
    return ON_WINDOWS and path[:2].replace("\\", "/") == "//"


def is_name(part: str) -> bool:
    """Return whether a part of an address can be the name of a file or folder, so that it leads to nowhere else.

    Windows takes away dots and blanks at the end, and knows names of devices, drives and streams.
    """
    if part in ("", ".", "..") or _NOT_IN_NAMES.search(part):
        return False
    return not ON_WINDOWS or not (_NOT_IN_NAMES_ON_WINDOWS.search(part) or _DEVICE.fullmatch(part))


def as_name(text: str, default: str) -> str:
    """Return a text of a file as the name of a file or folder on any system, which leads to nowhere else."""
    return _NOT_IN_NEW_NAMES.sub("_", text).strip(". ") or default


def leaves(path: str) -> bool:
    """Return whether a relative path leads out of its first folder."""
    depth = 0
    for part in re.split(r"[/\\]", path):
        if part == "..":
            depth -= 1
            if depth < 1:
                return True
        elif part not in ("", "."):
            depth += 1
    return False


def leaves_its_name(rest: str) -> bool:
    """Return whether what follows a scheme leads out of the model or package it begins with."""
    inside = rest.lstrip("/\\")
    return leaves(inside) or (ON_WINDOWS and names_a_drive(inside))


def folders_in(folder: Path) -> list[Path]:
    """Return the subfolders of a folder by name, without hidden ones and links; none if it cannot be read."""
    try:
        with os.scandir(folder) as entries:
            return sorted(
                Path(entry.path)
                for entry in entries
                if not entry.name.startswith(".") and entry.is_dir(follow_symlinks=False)
            )
    except (OSError, ValueError):  # ValueError: no path has a NUL character in it
        return []


def short_name(path: Path) -> str:
    """Return the name of a file for titles: with its folder where it is one of the many called ``model.sdf``."""
    return f"{path.parent.name}/{path.name}" if path.stem.startswith("model") else path.name


def state_folder(environ: Mapping[str, str] = os.environ, platform: str = sys.platform) -> Path:
    """Return the folder for the state of the program, by the custom of the platform; it need not exist."""
    home = home_folder(environ)
    if platform == "win32":
        state = Path(environ.get("LOCALAPPDATA") or home / "AppData" / "Local")
    elif platform == "darwin":
        state = home / "Library" / "Application Support"
    else:
        # A relative path there is invalid and to be ignored (XDG base directory specification).
        written = Path(environ.get("XDG_STATE_HOME") or ".")
        state = written if written.is_absolute() else home / ".local" / "state"
    return state / "sdfviewer"


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
