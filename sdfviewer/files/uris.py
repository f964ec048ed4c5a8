"""How a document names a file: the other way round from :mod:`sdfviewer.files.finder`; who else finds it by that."""

from __future__ import annotations

import os
from pathlib import Path
from urllib.parse import unquote

from sdfviewer.files.finder import Finder, Found
from sdfviewer.files.paths import is_absolute, is_file, names_a_drive

#: A model:// URI may name one of so many folders above the file.
_MOST_LEVELS = 6


def relative_uri(file: Path, folder: Path) -> str:
    """Return the path of a file relative to ``folder``; the full path if it is on another drive."""
    try:
        return Path(os.path.relpath(file, folder)).as_posix()
    except ValueError:  # another drive of Windows
        return file.as_posix()


def uri_of(file: Path, document: Path | None, finder: Finder, scheme: str = "model") -> str:
    """Return the URI by which a document names a file.

    It is the path from the document where the file is below its folder, else ``model://name/...`` where that leads to
    the file, else the path from the document; the whole path for a document that has none.
    """
    file = file.absolute()
    if document is not None and document.absolute().parent in file.parents:
        return relative_uri(file, document.absolute().parent)
    folders = finder.model_folders
    for folder in list(file.parents)[:_MOST_LEVELS]:
        is_package = any(is_file(folder / name) for name in ("model.config", "package.xml"))
        if not is_package and folder.parent not in folders:
            continue
        uri = f"{scheme}://{folder.name}/{file.relative_to(folder).as_posix()}"
        found = finder.find(uri, document).path
        if found is not None and found.is_file() and found.samefile(file):
            return uri
    return file.as_posix() if document is None else relative_uri(file, document.absolute().parent)


def only_by_working_directory(folder: Path) -> str:
    """Return why other programs do not find what is found in the working directory alone."""
    return f"only the working directory, {folder}, leads to it"


def why_only_here(uri: str, found: Found, including_file: Path | None, finder: Finder) -> str:
    """Return why other programs do not find a file that was found here, empty where they do.

    Gazebo looks for ``model://NAME/inside`` in model folders, where each model has a folder of its name. ROS looks for
    ``package://NAME/inside`` in the package of that name, which has a ``package.xml``. A path is read from the folder
    of the file, and ``file://`` is followed by a whole path.

    Parameters
    ----------
    uri, including_file
        The URI, and the file in which it is written; None for a text without one.
    found
        Where the finder found it.
    finder
        Knows the model folders and packages.
    """
    if found.working_directory is not None:
        return only_by_working_directory(found.working_directory)
    return "" if found.path is None or including_file is None else _why_near(uri, found.path, including_file, finder)


def _why_near(uri: str, path: Path, including_file: Path, finder: Finder) -> str:
    """Return why other programs do not find a file near the one that names it, empty where they do."""
    scheme, separator, rest = uri.partition("://")
    scheme, rest = scheme.lower(), rest.replace("\\", "/")
    if reason := _why_not_read(uri, path, including_file, finder):
        return reason
    if not separator or scheme not in ("model", "package") or rest.startswith("/"):
        return ""
    for text in dict.fromkeys((rest, unquote(rest))):
        if any(os.path.normpath(place) == os.path.normpath(path) for place in finder.configured_places(scheme, text)):
            return ""
    name, _, inside = unquote(rest).partition("/")
    inner = tuple(part for part in inside.split("/") if part not in ("", "."))
    folder = path.parents[len(inner) - 1] if inner else path
    if name not in (folder.name, finder.package_name(folder)):
        kind = "package" if scheme == "package" else "model"
        return f"the {kind} is called '{name}', and the folder {folder} is not"
    return _why_unknown(folder, including_file.absolute().parent, is_package=scheme == "package")


def _why_not_read(uri: str, path: Path, including_file: Path, finder: Finder) -> str:
    """Return why the way in which a URI is written is not understood by other programs, empty where it is."""
    scheme, separator, rest = uri.strip().partition("://")
    scheme = scheme.lower() if separator else ""
    rest = rest if separator else uri.strip()
    if "\\" in rest and not names_a_drive(rest):
        return "its backslashes are read as parts of names; write / instead"
    if scheme == "package" and rest.startswith("/"):
        return "package:// is followed by the name of a package, not by /"
    if scheme not in ("", "file") or is_absolute(rest):
        return ""
    folder = including_file.absolute().parent
    expected = () if scheme else (folder / rest, folder / unquote(rest))
    places = (*expected, *finder.configured_places("", rest))
    if any(os.path.normpath(place) == os.path.normpath(path) for place in places):
        return ""
    if scheme:
        return "file:// is followed by a whole path, which begins with /"
    return f"it is read from {folder}, which has no such file"


def folder_without(uri: str, including_file: Path, finder: Finder) -> Path | None:
    """Return the folder of a package that lacks what a URI names; None where the package itself is not found."""
    scheme, _, rest = uri.partition("://")
    name, _, inside = rest.partition("/")
    package = finder.find_package(name, including_file) if scheme == "package" and inside else None
    if package is None:
        return None
    folder = (package / inside).parent
    return folder if folder.is_dir() else package


def _why_unknown(folder: Path, own_folder: Path, *, is_package: bool) -> str:
    """Return why other programs do not know a folder of the right name."""
    is_described = is_file(folder / "package.xml") or is_file(folder / "model.config")
    if is_package and not is_described:
        return f"{folder} has no package.xml"
    if folder.parent == own_folder and not is_described:
        return f"{folder} is not a model with a model.config"
    return ""
