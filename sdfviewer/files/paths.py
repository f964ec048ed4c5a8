"""Questions about paths and folders that have the same answer on every system and raise nothing."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Mapping
from pathlib import Path

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
