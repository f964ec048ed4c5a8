"""Find the SRDF files of a robot and the robot of an SRDF: none of them says where the other one is."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path

from sdfviewer.document.document import UnreadableFileError
from sdfviewer.document.xml.encoding import EncodingError, decode
from sdfviewer.files.opening import read_bytes
from sdfviewer.files.paths import folders_in, is_file, real_path

SRDF = ".srdf"
#: Where packages hold their robots, and MoveIt's configurations their SRDF.
_ROBOT_FOLDERS = ("urdf", "robots", "robot", "config", "description", "")
_CONFIGURATION = "_moveit_config"
_CONFIGURATION_FOLDERS = ("config", "srdf", "")
#: The most files of a search that are looked into, and the most bytes of each.
_MOST_FILES, _MOST_BYTES = 200, 16 * 2**20
_ROBOT = re.compile(r"<robot\b[^>]*?\bname\s*=\s*([\"'])(.*?)\1", re.DOTALL)


def semantic_files_near(robot: Path) -> list[Path]:
    """Return the SRDF files that may be about the robot in a file: beside it, and in MoveIt's configurations.

    These are packages whose names end with ``_moveit_config``, beside the package of the robot.
    """
    folder = real_path(robot).parent
    package = _package(folder)
    places = [folder, folder / "srdf", folder / "config", package / "config", package / "srdf"]
    for other in _siblings(package):
        if other.name.endswith(_CONFIGURATION):
            places += [other / inside for inside in _CONFIGURATION_FOLDERS]
    return list(islice(_files(places, (SRDF,)), _MOST_FILES))


def robots_near(srdf: Path, name: str) -> list[Path]:
    """Return the files of robots of a name that an SRDF may be about, the likeliest first.

    Robots that are written down come before those that xacro writes, and those whose file is called as the SRDF before
    others.
    """
    folder = real_path(srdf).parent
    package = _package(folder)
    places = [folder, *(around / inside for around in (folder.parent, package) for inside in _ROBOT_FOLDERS)]
    places += [other / inside for other in _siblings(package) for inside in _ROBOT_FOLDERS]
    candidates = list(islice(_files(places, (".urdf", ".urdf.xacro")), _MOST_FILES))
    stem = srdf.name.partition(".")[0]
    candidates.sort(key=lambda path: (path.name.endswith(".xacro"), path.name.partition(".")[0] != stem))
    return [path for path in candidates if _robot_name(path) in (name, "" if path.suffix == ".xacro" else name)]


def _package(folder: Path) -> Path:
    return next((above for above in (folder, *folder.parents) if is_file(above / "package.xml")), folder)


def _siblings(package: Path) -> list[Path]:
    """Return the folders beside a package, none where the folder is no package: that might be anywhere."""
    return (
        [] if not is_file(package / "package.xml") else [each for each in folders_in(package.parent) if each != package]
    )


def _files(folders: Iterable[Path], suffixes: tuple[str, ...]) -> Iterator[Path]:
    for folder in dict.fromkeys(folders):
        try:
            names = sorted(path.name for path in folder.iterdir())
        except OSError:
            continue
        yield from (folder / name for name in names if name.lower().endswith(suffixes) and is_file(folder / name))


def _robot_name(path: Path) -> str:
    """Return the name of the robot in a file; empty where it has none, or the file cannot be read."""
    try:
        data = b"" if path.stat().st_size > _MOST_BYTES else read_bytes(path)
        found = _ROBOT.search(decode(data).text)
    except (OSError, UnreadableFileError, EncodingError):
        return ""
    return "" if found is None else found[2]
