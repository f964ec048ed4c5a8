"""Resolve a URI to a file without using the network.

libsdformat's own order comes first, then the places that Gazebo and ROS users expect.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import islice
from pathlib import Path
from urllib.parse import unquote, urlsplit

from sdfviewer.diagnostics import Message
from sdfviewer.document.document import Document, UnreadableFileError
from sdfviewer.files.installed import RosPackages, fuel_places, parse_fuel_uri
from sdfviewer.files.opening import current_folder, open_document
from sdfviewer.files.paths import (
    DRIVE,
    Stamp,
    folders_in,
    home_folder,
    is_absolute,
    is_file,
    is_folder,
    leaves,
    leaves_its_name,
    names_a_server,
    stamp_of,
)
from sdfviewer.logs import RoomLog
from sdfviewer.versions import NEWEST

#: How many folders above a file are tried, and below the one around its package.
_LEVELS_ABOVE, _LEVELS_BELOW = 4, 2
#: Maximum number of folders that are tried for one file.
_MOST = 400
#: A folder has more parts than this: more than ``/`` and ``home``.
_LEAST_PARTS = 2
_PACKAGE_MARKS = ("package.xml", "model.config")


def folders_to_offer(folder: Path, home: Path) -> tuple[Path, ...]:
    """Return folders in which a model or package may lie that a file in `folder` names, the nearest first.

    These are the folders above, the ``models`` folder of each, and what is beside the package or model that the file is
    in, such as the other packages of a repository with their ``models``.
    """
    return tuple(islice(dict.fromkeys(_places(folder, home)), _MOST))


def _places(folder: Path, home: Path) -> Iterator[Path]:
    above_all = [above for above in (folder, *folder.parents)[:_LEVELS_ABOVE] if len(above.parts) > _LEAST_PARTS]
    if home in above_all:
        above_all = above_all[: above_all.index(home)]
    for above in above_all:
        yield above
        yield above / "models"
    packages = [above for above in above_all if any(is_file(above / mark) for mark in _PACKAGE_MARKS)]
    if not packages or packages[-1].parent not in above_all:
        return
    level = [packages[-1].parent]
    for _ in range(_LEVELS_BELOW):
        level = [below for each in level for below in folders_in(each)][:_MOST]
        for below in level:
            yield below
            yield below / "models"


def shown_from(folder: Path, start: Path) -> str:
    """Return the path of a folder as a person in another one writes it: relative where that is near, with its name."""
    try:
        relative = os.path.relpath(folder, start)
        if set(relative.split(os.sep)) <= {os.curdir, os.pardir}:  # which would say nothing of the folder
            relative = os.path.join(os.path.relpath(folder.parent, start), folder.name)
    except ValueError:  # on another drive
        return str(folder)
    return relative if relative.split(os.sep).count(os.pardir) <= _LEVELS_ABOVE else str(folder)


_LOG = RoomLog("files")

_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]+)://")
#: Folders that hold models, in the order in which they are looked at.
_MODEL_VARIABLES = (
    "SDF_PATH",
    "GZ_SIM_RESOURCE_PATH",
    "IGN_GAZEBO_RESOURCE_PATH",
    "GAZEBO_MODEL_PATH",
    "GAZEBO_RESOURCE_PATH",
)
#: URIs with these schemes are looked for in the folders of models.
_SCHEMES_OF_FOLDERS = ("model", "package")
_NOT_DOWNLOADED = "it is not downloaded"
_ON_A_SERVER = Message(
    "it is on a server, which is not asked for files", "copy it to this computer, and write where the copy is"
)


@dataclass(frozen=True, slots=True)
class Found:
    """The answer to a look-up.

    Attributes
    ----------
    path
        The file or folder, None where nothing was found.
    tried
        The paths at which nothing was found, in order.
    problem
        Why nothing was even looked for, or why what was there is of no use; empty where ``tried`` says it all.
    config
        The ``model.config`` or ``manifest.xml`` that was read, None where there was none.
    is_remote
        Whether the file is on a server, from which it was not downloaded.
    lacks_version
        Whether that names a file without the version of SDFormat that it is of.
    working_directory
        The working directory where the file is found by that alone, so that a program that is started elsewhere does
        not find it; else None.
    """

    path: Path | None
    tried: tuple[Path, ...] = ()
    problem: str = ""
    config: Path | None = None
    lacks_version: bool = False
    is_remote: bool = False
    working_directory: Path | None = field(default=None, compare=False)


class Finder:
    """Finds the files that URIs name. Answers are remembered until :meth:`forget`.

    Several threads may ask at once.

    Parameters
    ----------
    paths
        Folders given by the user: the first place for a URI with a scheme (``model://arm``). A path without a scheme
        is looked for beside the file that names it first, as libsdformat does.
    environ
        Environment variables: ``SDF_PATH``, ``GZ_SIM_RESOURCE_PATH``, ``IGN_GAZEBO_RESOURCE_PATH``,
        ``GAZEBO_MODEL_PATH``, ``GAZEBO_RESOURCE_PATH``, ``ROS_PACKAGE_PATH``, ``AMENT_PREFIX_PATH``,
        ``GZ_FUEL_CACHE_PATH``; ``HOME`` or ``USERPROFILE``; of other variables see :meth:`folders_in`.
    cwd
        The working directory; the process's own by default.
    replaces_fuel
        Whether a model on Fuel that is not downloaded is taken from the user's folders, by its name. The window does
        that to show it. libsdformat does not, so that a file is no more valid by it.
    """

    def __init__(
        self,
        paths: Iterable[str | os.PathLike[str]] = (),
        environ: Mapping[str, str] = os.environ,
        cwd: Path | None = None,
        *,
        replaces_fuel: bool = False,
    ) -> None:
        self.replaces_fuel = replaces_fuel
        self._cwd = (cwd or current_folder()).absolute()
        self._paths: tuple[Path, ...] = ()
        self._expected: Mapping[str, Path] = {}
        self._environ = environ
        self._home = home_folder(environ)
        self._configs: dict[Path, tuple[Stamp | None, Document]] = {}
        self.look_in(paths)

    def __reduce__(self) -> tuple[Callable[..., Finder], tuple[tuple[Path, ...], dict[str, str], Path]]:
        make = partial(Finder, replaces_fuel=self.replaces_fuel)
        return make, (self._paths, dict(self._environ), self._cwd)

    def look_in(self, paths: Iterable[str | os.PathLike[str]]) -> None:
        """Look in other folders of the user from now on."""
        self._paths = tuple(self._cwd / path for path in paths)
        self.forget()

    @property
    def model_folders(self) -> tuple[Path, ...]:
        """The folders of models: the user's, and those in the environment."""
        named = (entry for variable in _MODEL_VARIABLES for entry in self.folders_in(variable))
        folders = (*self._paths, *named, self._home / ".gazebo" / "models")
        return tuple(folder for folder in dict.fromkeys(folders) if is_folder(folder))

    def fresh(self) -> Finder:
        """Return a finder that looks in the same places and remembers nothing yet: for another thread."""
        finder = Finder(self._paths, self._environ, self._cwd, replaces_fuel=self.replaces_fuel)
        finder._expected = self._expected
        return finder

    def expecting(self, files: Iterable[Path]) -> Finder:
        """Return a finder that also finds some files that are not written yet."""
        finder = self.fresh()
        finder._expected = {**self._expected, **{os.path.normpath(file): file for file in files}}
        return finder

    def expect_copies(self, sources: Mapping[Path, Path]) -> None:
        """Find from now on, in place of files that are copied later, those that they are copies of."""
        self._expected = {os.path.normpath(target): source for target, source in sources.items()}
        self.forget()

    def forget(self) -> None:
        """Forget all answers: files may have come or gone."""
        self._found: dict[tuple[str, Path | None, bool], Found] = {}
        self._offered: dict[Path, tuple[Path, ...]] = {}
        self._packages = RosPackages(partial(_folders_in, self._environ, self._cwd))  # no circle of references

    def find(self, uri: str, including_file: Path | None = None, *, nearby: bool = False) -> Found:
        """Return the file or folder that a URI names.

        A URI with a scheme and a name, such as ``model://arm/meshes/hand.dae``, is refused where it leads out of what
        it names (``model://arm/../../secret``). A path without a scheme may: it says itself where it goes.

        Parameters
        ----------
        uri
            ``model://``, ``package://``, ``file://`` or another scheme, the ``https://`` address of a model on Fuel,
            which is looked for in the local caches only, or a path.
        including_file
            The file in which the URI is written.
        nearby
            Search last beside the model or package of the including file. libsdformat does not: right for
            meshes and textures, which it never looks up, not for includes.

        Notes
        -----
        Source: libsdformat, ``sdf::findFile`` in src/SDF.cc: a registered path, the scheme stripped, next to the
        including file, the working directory, the path itself, ``SDF_PATH``.
        """
        folder = including_file.absolute().parent if including_file is not None else None
        key = (uri, folder, nearby)
        remembered = self._found  # another thread may forget it meanwhile
        found = remembered.get(key)
        if found is None:
            found = remembered[key] = self._find(uri.strip(), folder, nearby)
            if found.path is not None:
                _LOG.debug("%s is %s", uri, found.path)
            else:
                _LOG.debug("%s is not found: %s; tried %s", uri, found.problem, ", ".join(map(str, found.tried)))
        return found

    def folder_to_add(self, uri: str, including_file: Path | None) -> Path | None:
        """Return a folder around a file in which there is what a URI names; None if there is none.

        :meth:`find` does not look there until the user adds it to the folders of models.
        """
        match = _SCHEME.match(uri)
        rest = uri[match.end() :] if match else uri
        if including_file is None or "\0" in uri or not rest or leaves_its_name(rest) or is_absolute(rest):
            return None
        if match and match[1].lower() not in _SCHEMES_OF_FOLDERS:
            return None
        folder = including_file.absolute().parent
        offered = self._offered.get(folder)
        if offered is None:
            offered = self._offered[folder] = folders_to_offer(folder, self._home)
        return next((place for place in offered if os.path.exists(place / rest)), None)

    def find_package(self, name: str, beside: Path) -> Path | None:
        """Return the folder of a ROS package, also one beside the package of a file; None if there is none."""
        return self._packages.find(name, beside, self._paths)

    def package_name(self, folder: Path) -> str | None:
        """Return the name of the ROS package in a folder, None if there is none."""
        return self._packages.name_of(folder)

    def configured_places(self, scheme: str, rest: str) -> Iterator[Path]:
        """Yield the places of what follows a scheme in model folders, and in packages that the environment names."""
        yield from (folder / rest for folder in self.model_folders)
        if scheme == "package":
            yield from self._packages.places(rest, None)

    def _find(self, uri: str, folder: Path | None, nearby: bool) -> Found:
        if not uri or "\0" in uri:
            return Found(None, problem="the URI is empty" if not uri else "the URI contains a zero byte")
        match = _SCHEME.match(uri)
        scheme = match[1].lower() if match else ""
        rest = uri[match.end() :] if match else uri
        if scheme in ("http", "https"):
            return self._find_on_fuel(uri)
        if names_a_server(rest):
            return Found(None, problem=_ON_A_SERVER, is_remote=True)
        if scheme == "file":
            rest = DRIVE.sub(r"\1", rest, count=1)
        elif scheme and leaves_its_name(rest):
            return Found(None, problem="the URI leads outside the folder that it names")
        found = self._find_in(scheme, rest, folder, nearby)
        if found.path is None and scheme and "%" in rest:
            plain = unquote(rest)
            if not names_a_server(plain) and (scheme == "file" or not leaves_its_name(plain)):
                second = self._find_in(scheme, plain, folder, nearby)
                return replace(second, tried=(*found.tried, *second.tried))
        return found

    def _find_in(self, scheme: str, rest: str, folder: Path | None, nearby: bool) -> Found:
        """Return the first place of what follows a scheme, and whether only the working directory leads there."""
        found = self._first(self._places(scheme, rest, folder, nearby))
        place = self._cwd / rest
        if found.path is None or is_absolute(rest) or not os.path.exists(place) or found.path != _tidy(place):
            return found
        elsewhere = self._first(self._places(scheme, rest, folder, nearby, everywhere=False))
        return found if elsewhere.path == found.path else replace(found, working_directory=self._cwd)

    def _find_on_fuel(self, uri: str) -> Found:
        try:
            address = urlsplit(uri)
            server = (address.hostname or "").lower()
        except ValueError:  # of ``http://[``
            return Found(None, problem="the URI is not a valid address")
        caches = (
            *self.folders_in("GZ_FUEL_CACHE_PATH"),
            self._home / ".gz" / "fuel",
            self._home / ".ignition" / "fuel",
        )
        folders = self._paths if self.replaces_fuel else ()
        found = self._first(fuel_places(address.path, server, caches, folders))
        if found.path is not None:
            return found
        return replace(found, problem=self._how_to_get(uri) if found.tried else _ON_A_SERVER, is_remote=True)

    def _how_to_get(self, uri: str) -> str:
        """Return why what an address names is not found, with what helps where this finder is asked."""
        if parse_fuel_uri(uri) is None:
            return _ON_A_SERVER
        if self.replaces_fuel:
            return Message(_NOT_DOWNLOADED, "download it, or add its folder to the model folders")
        return Message(_NOT_DOWNLOADED, "download it with `sdfviewer fetch`")

    def _first(self, places: Iterator[Path], problem: str = "") -> Found:
        tried: dict[Path, None] = {}
        for place in places:
            if place in tried or "\0" in str(place):  # which no path has in it
                continue
            # Unlike Path.exists, os.path.exists never raises an error: too long a name is no place either.
            if os.path.exists(place):
                return Found(_tidy(place), tuple(tried))
            if self._expected and (expected := self._expected.get(os.path.normpath(place))) is not None:
                return Found(_tidy(expected), tuple(tried))
            tried[place] = None
        return Found(None, tuple(tried), problem)

    def _places(
        self, scheme: str, rest: str, folder: Path | None, nearby: bool, *, everywhere: bool = True
    ) -> Iterator[Path]:
        """Yield the places where what follows a scheme may be; those in the working directory only if `everywhere`."""
        if is_absolute(rest):
            yield Path(rest)
            # Gazebo removes the scheme and appends the rest to each folder even if it begins with a slash.
            rest = rest.lstrip("/\\")
            if not scheme or scheme == "file" or DRIVE.match(rest):
                return
        if scheme:
            yield from (path / rest for path in self._paths)
        if folder is not None:
            yield folder / rest
        if everywhere:
            yield self._cwd / rest
        if scheme == "package":
            yield from self._packages.places(rest, folder)
            if nearby and folder is not None:
                yield from self._packages.sibling_places(rest, folder)
        if not leaves_its_name(rest):
            if not scheme:
                yield from (path / rest for path in self._paths)
            for variable in _MODEL_VARIABLES:
                yield from (entry / rest for entry in self.folders_in(variable))
            yield self._home / ".gazebo" / "models" / rest
            if nearby and folder is not None:
                yield from self._nearby_places(scheme, rest, folder)

    def folders_in(self, variable: str) -> Iterator[Path]:
        """Yield the folders that an environment variable lists."""
        return _folders_in(self._environ, self._cwd, variable)

    # --- models ------------------------------------------------------------------------------------------------

    def _nearby_places(self, scheme: str, rest: str, folder: Path) -> Iterator[Path]:
        """Yield places in the model folder or package around the including file, beside it, and above it."""
        name, _, inside = rest.replace("\\", "/").partition("/")
        above_all = [above for above in (folder, *folder.parents) if above != above.parent]
        for above in above_all:
            if is_file(above / "model.config") or is_file(above / "package.xml"):
                if name in (above.name, self._packages.name_of(above)):
                    yield above / inside
                yield above.parent / rest
        # A clone or an unpacked archive seldom has the name of its package; a bare path may start at the package.
        below = inside if scheme else rest
        yield from (above / below for above in above_all if below)

    def model_file(self, directory: Path) -> Found:
        """Return the file that holds the model of a folder, by its ``model.config`` or else ``manifest.xml``.

        The ``<sdf>`` with the highest version that is supported counts, else the first one.

        Notes
        -----
        Source: libsdformat, ``getModelFilePath`` and ``getBestSupportedModelVersion`` in src/parser.cc.
        """
        configs = (directory / "model.config", directory / "manifest.xml")
        config = next((path for path in configs if is_file(path)), None)
        if config is None:
            return Found(None, configs)
        try:
            document = self._read_config(config)
        except UnreadableFileError as error:
            return Found(None, problem=str(error))
        root = document.root
        if root is None or root.tag != "model":
            return Found(None, problem=_why_no_config(document))
        best, best_version = next(iter(root.findall("sdf")), None), (0, 0)
        for candidate in root.findall("sdf"):
            version = _version(candidate.attributes.get("version", ""))
            if best_version < version <= NEWEST:
                best, best_version = candidate, version
        name = best.text.strip() if best is not None else ""
        if not name:
            return Found(None, problem=f"{config} references no SDFormat file: it has no <sdf> with a file name")
        if is_absolute(name) or leaves("/".join(("folder", name))):
            return Found(None, problem=f"{config} references a file outside its folder: {name}")
        file = directory / name
        lacks_version = any("version" not in candidate.attributes for candidate in root.findall("sdf"))
        is_there = os.path.exists(file)
        return Found(file if is_there else None, () if is_there else (file,), "", config, lacks_version)

    def _read_config(self, config: Path) -> Document:
        """Return a ``model.config``, read again only when it has changed: a world asks for it at each include."""
        stamp, known = stamp_of(config), self._configs.get(config)
        if known is None or stamp is None or known[0] != stamp:
            known = self._configs[config] = stamp, open_document(config)
        return known[1]


def _tidy(place: Path) -> Path:
    """Return a place without dots in its path where that is the same place: behind a link it need not be."""
    plain = Path(os.path.normpath(place))
    return plain if plain == place or (os.path.exists(plain) and plain.samefile(place)) else place


def _why_no_config(document: Document) -> str:
    """Return the fault of a ``model.config`` that is not XML or does not describe a model."""
    if document.root is not None:
        return f"{document.name}: the first element is <{document.root.tag}>, not <model>"
    fault = document.diagnostics[0]
    line = f":{fault.span.line}" if fault.span is not None else ""
    return f"{document.name}{line}: {fault.message}"


def _version(text: str) -> tuple[int, int]:
    """Return major and minor number of a version, zeros where it is none."""
    match = re.match(r"\s*([0-9]{1,6})(?:\.([0-9]{1,6}))?", text)
    return (int(match[1]), int(match[2] or 0)) if match else (0, 0)


def _folders_in(environ: Mapping[str, str], cwd: Path, variable: str) -> Iterator[Path]:
    for entry in environ.get(variable, "").split(os.pathsep):
        if entry:
            yield cwd / entry
