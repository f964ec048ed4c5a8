"""Find ROS packages."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

from sdfviewer.document.document import UnreadableFileError
from sdfviewer.files.opening import open_document
from sdfviewer.files.paths import folders_in, is_file, is_name

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
            if place.is_dir():
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
            if manifest.is_file():
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
