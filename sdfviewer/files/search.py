"""Search folders: for the files that depend on a file, and for the models that a file can include.

Dependent are those that include a file, and the SRDF files of a robot.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from html import unescape
from itertools import islice
from pathlib import Path, PurePosixPath

from sdfviewer.document.document import Document, UnreadableFileError
from sdfviewer.document.xml.encoding import EncodingError, decode
from sdfviewer.files.finder import Finder
from sdfviewer.files.opening import open_document, read_bytes
from sdfviewer.files.paths import folders_in, home_folder, is_file, real_path, walk_files
from sdfviewer.files.uris import relative_uri

_SUFFIXES = (".sdf", ".urdf", ".mjcf")
_PICTURES = (".png", ".jpg", ".jpeg")
MOST = 5000
"""The most models that are listed."""


@dataclass(frozen=True)
class KnownModel:
    """A model that can be included.

    Attributes
    ----------
    name
        Of its folder or file.
    uri
        How the file includes it.
    file
        The file that is read.
    picture
        The picture in its folder, None if there is none.
    """

    name: str
    uri: str
    file: Path
    picture: Path | None


def search_models(
    finder: Finder, document: Path | None, cancelled: Callable[[], bool] = lambda: False
) -> list[KnownModel]:
    """Return the models in the model folders, and the models and files in the folders around a file, by name.

    Parameters
    ----------
    finder
        Knows the model folders. It is asked in this thread alone.
    document
        The file that is to include one; it is not listed itself.
    cancelled
        Polled during the search; once it is true, what has been found so far is returned.
    """
    found: dict[Path, KnownModel] = {}
    for model in _candidates(finder, document):
        if cancelled() or len(found) >= MOST:
            break
        found.setdefault(model.file, model)
    return sorted(found.values(), key=lambda model: (model.name.lower(), model.uri))


def _candidates(finder: Finder, document: Path | None) -> Iterator[KnownModel]:
    for folder in finder.model_folders:
        for child in _folders_in(folder):
            yield from _model_in(child, f"model://{child.name}", finder)
    if document is None:
        return
    own = document.absolute()
    for file in _files_in(own.parent):
        if file.suffix.lower() in _SUFFIXES and file != own:
            yield KnownModel(file.stem, file.name, file, None)
    # Model folders refer to the folders beside them with model://.
    for around in (own.parent, own.parent.parent):
        for child in _folders_in(around):
            if child != own.parent:
                uri = f"model://{child.name}"
                leads_there = finder.find(uri, own, nearby=True).path == child
                yield from _model_in(child, uri if leads_there else relative_uri(child, own.parent), finder)


def _model_in(folder: Path, uri: str, finder: Finder) -> Iterator[KnownModel]:
    if not is_file(folder / "model.config"):
        return
    file = finder.model_file(folder).path
    if file is not None:
        pictures = [each for each in _files_in(folder / "thumbnails") if each.suffix.lower() in _PICTURES]
        yield KnownModel(folder.name, uri, file, pictures[0] if pictures else None)


def _folders_in(folder: Path) -> list[Path]:
    return [each for each in _entries(folder) if each.is_dir() and not each.name.startswith(".")]


def _files_in(folder: Path) -> list[Path]:
    return [each for each in _entries(folder) if each.is_file()]


def _entries(folder: Path) -> list[Path]:
    try:
        return sorted(folder.iterdir())
    except OSError:  # gone meanwhile, or not for us
        return []


#: Files with these suffixes are searched.
SUFFIXES = (".sdf", ".world", ".model", ".xml")
#: The most folders and files of a search, and the largest file that it reads.
MOST_FOLDERS, MOST_FILES, MOST_BYTES = 50_000, 20_000, 16 * 2**20
#: Files that mark a folder as the output of a build.
_NO_SOURCES = frozenset({"COLCON_IGNORE", "CATKIN_IGNORE", "AMENT_IGNORE"})
#: What marks the root folder of a project.
_PROJECTS = (".git", ".hg", ".svn")

_INCLUDE = re.compile(r"<include\b.*?</include\s*>", re.DOTALL)
_URI = re.compile(r"<uri>\s*([^<]+?)\s*</uri>")


@dataclass(frozen=True, slots=True)
class Search:
    """The result of a search for files.

    Attributes
    ----------
    documents
        Files that include the requested one, at once or through others, judged by their URIs.
    looked_at
        How many files were looked into.
    is_complete
        Whether all files in the folders were searched.
    elsewhere
        Files that include it, too, but to which only links in the folders lead: whoever made a folder chose where these
        lead, so such files change only where they are named.
    """

    documents: tuple[Document, ...]
    looked_at: int
    is_complete: bool
    elsewhere: tuple[Path, ...] = ()


def project_folder(file: Path) -> Path:
    """Return the folder of the project that a file belongs to.

    This is the closest folder around the file with a marker of a working copy, else the closest one with a
    ``package.xml``, else:

    - the folder of the file, where it has no ``model.config``;
    - the folder that contains the model's folder, where the file is beside a ``model.config``; if that one is called
      ``models``, the folder around it.

    A marker in the home folder, or in a folder around it, does not count. Where the last rule leads to one of these
    folders, the folder of the file is returned.
    """
    folder = real_path(file).parent
    for markers in (_PROJECTS, ("package.xml",)):
        for above in (folder, *folder.parents):
            if above in _home():
                break
            if any((above / marker).exists() for marker in markers):
                return above
    models = folder.parent if (folder / "model.config").is_file() else folder
    near = models.parent if models != folder and models.name == "models" else models
    return folder if near in _home() else near


def search_places(file: Path) -> tuple[Path, ...]:
    """Return where to search for the files that include one: its project, or what is beside it in a folder of all."""
    folder = project_folder(file)
    if folder not in (*_home(), Path(tempfile.gettempdir()).resolve()):
        return (folder,)
    return tuple(path for path in sorted(folder.iterdir()) if path.name.lower().endswith(SUFFIXES) and path.is_file())


def _home() -> tuple[Path, ...]:
    return home_folder(), *home_folder().parents


def find_including(
    file: Path,
    places: Iterable[Path],
    finder: Finder,
    opened: Iterable[Document] = (),
    stopped: Callable[[], bool] = lambda: False,
    uris_of: Callable[[Path], Sequence[str]] | None = None,
) -> Search:
    """Return the files that include a file, at once or through others.

    Parameters
    ----------
    file
        The file.
    places
        Folders to search with all that is in them, and files.
    finder
        Finds what URIs name.
    opened
        Documents, which may be unsaved, that are searched in place of their files.
    stopped
        Whether to give up.
    uris_of
        Returns the URIs of the ``<include>`` elements of a file, by default by reading it.
    """
    uris_of = uris_of or included_uris
    documents = {real_path(document.path): document for document in opened if document.path is not None}
    uris = {path: uris_in(document.text) for path, document in documents.items()}
    is_complete, places = True, tuple(places)
    for number, paths in enumerate(source_files(places)):
        if number >= MOST_FOLDERS or len(uris) >= MOST_FILES or stopped():
            is_complete = False
            break
        for path in paths:
            if path not in uris:
                uris[path] = uris_of(path)
    uris.pop(real_path(file), None)
    # Only a URI with the name of a file or of its folder can lead there: nothing else is looked for on the disk.
    by_part: dict[str, list[tuple[str, Path]]] = {}
    for path, said in uris.items():
        for uri in said:
            for part in set(_parts(uri)):
                by_part.setdefault(part, []).append((uri, path))
    found: dict[Path, None] = {}
    if file.name.lower().endswith((".urdf", ".xacro")):  # an SRDF does not say where its robot is
        found = dict.fromkeys(map(real_path, semantic_files_near(file)))
    targets = [file]
    while targets and not stopped():
        target = targets.pop()
        resolved = real_path(target)
        names = dict.fromkeys((target.name, target.parent.name, resolved.name, resolved.parent.name))
        for uri, path in dict.fromkeys(each for name in names for each in by_part.get(name, ())):
            if path not in found and _leads_to(uri, path, resolved, finder):
                found[path] = None
                targets.append(path)
    inside = tuple(map(real_path, places))
    elsewhere = tuple(
        path for path in found if path not in documents and not any(path.is_relative_to(place) for place in inside)
    )
    read = (documents[path] if path in documents else _opened(path) for path in found if path not in elsewhere)
    return Search(tuple(document for document in read if document is not None), len(uris), is_complete, elsewhere)


def _opened(path: Path) -> Document | None:
    try:
        return open_document(path)
    except UnreadableFileError:
        return None  # it has gone since


def source_files(places: Iterable[Path], suffixes: tuple[str, ...] = SUFFIXES) -> Iterator[list[Path]]:
    """Yield the files to search, folder by folder, without hidden files, links and build output."""
    seen: set[Path] = set()
    for place in places:
        if is_file(place):
            yield [real_path(place)]
            continue
        for _, files in walk_files(place, suffixes, partial(_holds_sources, place, seen)):
            yield [real_path(file) for file in files]


def _holds_sources(place: Path, seen: set[Path], folder: Path, names: list[str]) -> bool:
    """Return whether a folder below a place is searched: not hidden, no build output, and not seen yet."""
    here = real_path(folder)
    if here in seen or not _NO_SOURCES.isdisjoint(names) or (folder != place and folder.name.startswith(".")):
        return False
    seen.add(here)
    return True


def included_uris(path: Path) -> Sequence[str]:
    """Return the URIs of the ``<include>`` elements of a file, none where it cannot be read."""
    try:
        if path.stat().st_size > MOST_BYTES:
            return ()
        data = read_bytes(path)
        # UTF-16 has a zero byte beside every ASCII character.
        return uris_in(decode(data).text) if b"<include" in data.replace(b"\0", b"") else ()
    except (OSError, UnreadableFileError, EncodingError):
        return ()  # it includes nothing that could be shown


def uris_in(text: str) -> Sequence[str]:
    """Return the URIs of the ``<include>`` elements of a text, XML or not."""
    if "<include" not in text:
        return ()
    said = (_URI.search(include) for include in dict.fromkeys(_INCLUDE.findall(text)))
    return tuple(dict.fromkeys(unescape(uri[1]) for uri in said if uri is not None))


def _parts(uri: str) -> tuple[str, ...]:
    return PurePosixPath(uri.replace("\\", "/").rstrip("/")).parts


def _leads_to(uri: str, including: Path, target: Path, finder: Finder) -> bool:
    """Return whether a URI names a file or its model folder; true also where it finds nothing, because it may."""
    place = finder.find(uri, including).path
    if place is None:
        return True
    return real_path(place) in (target, *target.parents)


# --- SRDF files ---------------------------------------------------------------------------------------------------


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
