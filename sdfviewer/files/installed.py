"""What is installed: models of the server Fuel in the caches of Gazebo's tools, and ROS packages."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote, unquote, urlsplit

from sdfviewer.document.document import UnreadableFileError
from sdfviewer.files.opening import open_document
from sdfviewer.files.paths import folders_in, is_file, is_folder, is_name

# The same server under its three successive names, each of which is a folder of the cache.
_FUEL_SERVERS = ("fuel.gazebosim.org", "fuel.ignitionrobotics.org", "api.ignitionfuel.org")
_FUEL_PAGES = ("app.gazebosim.org", "app.ignitionrobotics.org")
_LONGEST_NAME = 200
#: Names of this machine: servers of tests are on it.
LOOPBACK = ("127.0.0.1", "localhost", "::1")


@dataclass(frozen=True, slots=True)
class FuelModel:
    """A model or world on a Fuel server; ``version`` is None for the newest."""

    base: str
    owner: str
    kind: str
    name: str
    version: int | None = None

    @property
    def server(self) -> str:
        """The server by its name, as in the cache."""
        return urlsplit(self.base).hostname or ""

    @property
    def address(self) -> str:
        """Where it is described."""
        return f"{self.base}/1.0/{quote(self.owner)}/{self.kind}/{quote(self.name)}"

    def __str__(self) -> str:
        return f"{self.owner}/{self.name}"


def parse_fuel_uri(uri: str) -> FuelModel | None:
    """Return the model that an address on Fuel names, None where it names none.

    Former servers and web pages stand for today's server. Only ``https`` is asked, and ``http`` on this machine.
    """
    try:
        address = urlsplit(uri.strip())
        host, port = (address.hostname or "").lower(), address.port
    except ValueError:
        return None
    is_local = host in LOOPBACK
    if not host or (address.scheme != "https" and not (address.scheme == "http" and is_local)):
        return None
    parts = [unquote(part) for part in address.path.split("/") if part]
    if len(parts) > 1 and parts[1] == "fuel":
        del parts[1]
    elif parts and re.fullmatch(r"[0-9]+\.[0-9]+", parts[0]):
        del parts[0]
    if len(parts) < 3 or parts[1] not in ("models", "worlds"):
        return None
    owner, kind, name, *more = parts
    if not all(len(part) <= _LONGEST_NAME and is_name(part) for part in (host, owner, name)):
        return None
    version = int(more[0]) if more and more[0].isascii() and more[0].isdigit() and len(more[0]) < 9 else None
    if host in _FUEL_SERVERS or host in _FUEL_PAGES:
        host = _FUEL_SERVERS[0]
    where = f"[{host}]" if ":" in host else host
    base = f"{address.scheme}://{where}" + (f":{port}" if port else "")
    return FuelModel(base, owner, kind, name, version)


def fuel_places(path: str, server: str, caches: Iterable[Path], folders: Iterable[Path] = ()) -> Iterator[Path]:
    """Yield the places of a model, or of a file in it, in the caches, then in folders of models.

    A cache is laid out as ``server/owner/models/name/version``, owner and name in small letters. In a folder of models
    it has its name.

    Parameters
    ----------
    path, server
        Of the address of the model.
    caches, folders
        The folders of the caches, and those of models that the user has named.
    """
    parts = [unquote(part) for part in path.split("/") if part]
    if server in _FUEL_PAGES and len(parts) > 1 and parts[1] == "fuel":
        del parts[1]
    elif parts and re.fullmatch(r"[0-9]+\.[0-9]+", parts[0]):  # the version of the server's interface
        del parts[0]
    if len(parts) < 3 or parts[1] not in ("models", "worlds") or not all(map(is_name, (server, *parts))):
        return
    owner, kind, name, *more = parts
    wanted = more.pop(0) if more and (_is_number(more[0]) or more[0] == "tip") else "tip"
    inside = more[1:] if more[:1] == ["files"] else more
    known = server in _FUEL_SERVERS or server in _FUEL_PAGES
    servers = dict.fromkeys((server, *_FUEL_SERVERS)) if known else (server,)
    for cache in caches:
        for host in servers:
            resource = resource_folder(cache, host, owner, kind, name)
            versions = [wanted] if wanted != "tip" else _versions_in(resource)
            for version in versions or ["1"]:
                yield resource.joinpath(version, *inside)
    for folder in folders:
        yield from dict.fromkeys(folder.joinpath(each, *inside) for each in (name, name.lower()))


def resource_folder(cache: Path, server: str, owner: str, kind: str, name: str) -> Path:
    """Return the folder of a cache that holds the versions of a model or world."""
    return cache / server / owner.lower() / kind / name.lower()


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit()  # "²" is a digit too, but not of a number


def _versions_in(resource: Path) -> list[str]:
    """Return the versions of a model in a cache, the newest first."""
    names = [folder.name for folder in folders_in(resource) if _is_number(folder.name)]
    return sorted(names, key=int, reverse=True)


#: Folders below an entry of ROS_PACKAGE_PATH are searched for packages this deep.
_DEPTH = 4


class RosPackages:
    """Finds ROS packages by name. Answers are remembered.

    Parameters
    ----------
    entries
        Returns the folders that an environment variable lists. Packages lie in those of ``ROS_PACKAGE_PATH``, at any of
        the first levels, and are installed below the ``share`` of those of ``AMENT_PREFIX_PATH``.
    """

    def __init__(self, entries: Callable[[str], Iterable[Path]]) -> None:
        self._entries = entries
        self._packages: dict[Path, dict[str, Path]] = {}
        self._names: dict[Path, str | None] = {}

    def places(self, rest: str, folder: Path | None) -> Iterator[Path]:
        """Yield the places of ``name/inside`` in the ROS package of that name; the including file is in ``folder``."""
        name, _, inside = rest.replace("\\", "/").partition("/")
        for entry in self._entries("ROS_PACKAGE_PATH"):
            yield entry / name / inside
            if package := self.below(entry).get(name):
                yield package / inside
        for entry in self._entries("AMENT_PREFIX_PATH"):
            yield entry / "share" / name / inside
        for above in (folder, *folder.parents) if folder is not None else ():
            if is_file(above / "package.xml") and name in (self.name_of(above), above.name):
                yield above / inside

    def sibling_places(self, rest: str, folder: Path) -> Iterator[Path]:
        """Yield the place of ``name/inside`` in a package of that name beside the one around the including file."""
        name, _, inside = rest.replace("\\", "/").partition("/")
        for above in (folder, *folder.parents):
            if is_file(above / "package.xml") and (package := self.below(above.parent).get(name)):
                yield package / inside

    def find(self, name: str, beside: Path, paths: Sequence[Path] = ()) -> Path | None:
        """Return the folder of a ROS package, None if there is none.

        It may also be beside the package of the file ``beside``, or in one of the folders ``paths``. What is no name of
        a folder, such as ``..`` or ``a/b``, would lead out of these.
        """
        if not is_name(name):
            return None
        folder = beside.absolute().parent
        for place in (*self.places(name, folder), *(path / name for path in paths)):
            if is_folder(place):
                return place
        above_all = [above for above in (folder, *folder.parents) if above != above.parent]
        if (named := next((above for above in above_all if above.name == name), None)) is not None:
            return named  # a clone without its package.xml
        places = (*paths, *(above.parent for above in above_all if is_file(above / "package.xml")))
        return next((found for place in places if (found := self.below(place).get(name)) is not None), None)

    def name_of(self, folder: Path) -> str | None:
        """Return the name that a folder's ``package.xml`` gives, None where it gives none."""
        if folder not in self._names:
            name = None
            manifest = folder / "package.xml"
            if is_file(manifest):
                try:
                    root = open_document(manifest).root
                except UnreadableFileError:
                    root = None
                name = root.text_of("name") or None if root is not None else None
            self._names[folder] = name
        return self._names[folder]

    def below(self, entry: Path) -> dict[str, Path]:
        """Return the packages in a folder and some levels below it, by name; there are none inside a package."""
        if entry not in self._packages:
            found: dict[str, Path] = {}
            level = [entry]
            for _ in range(_DEPTH):
                below: list[Path] = []
                for folder in level:
                    if is_file(folder / "package.xml"):
                        for name in (folder.name, self.name_of(folder)):
                            if name:
                                found.setdefault(name, folder)
                    else:
                        below.extend(folders_in(folder))
                level = below
            self._packages[entry] = found
        return self._packages[entry]


def enclosing_package(folder: Path) -> Path | None:
    """Return the nearest folder of a ROS package or a model that a folder is in, or is; None where it is in none."""
    return next(
        (
            above
            for above in (folder, *folder.parents)
            if is_file(above / "package.xml") or is_file(above / "model.config")
        ),
        None,
    )
