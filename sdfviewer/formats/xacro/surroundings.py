"""What the files of one evaluation may see of the computer: files around them, ROS packages, and variables.

The process that evaluates them has none of these. It asks, and here is decided what it is told.
"""

from __future__ import annotations

import glob
import os
import re
from itertools import islice
from pathlib import Path
from typing import Any, Protocol

from sdfviewer.document.document import Document, UnreadableFileError
from sdfviewer.files.finder import Finder
from sdfviewer.files.installed import enclosing_package
from sdfviewer.files.opening import read_decoded
from sdfviewer.formats.xacro.decisions import Permission

#: Folders above a file that lies in no package, in which its neighbours may be.
_MOST_ABOVE = 2
#: Matches of one pattern, and parts of it that may have wildcards.
_MOST_MATCHES, _MOST_WILDCARDS = 10_000, 3
_MAGIC = re.compile(r"[*?\[]")
_VARIABLE = re.compile(r"[A-Za-z_]\w*", re.ASCII)
#: Variables whose names say that their values are nobody's business.
_SECRET = re.compile("TOKEN|SECRET|PASS|PWD|KEY|CREDENTIAL|AUTH|COOKIE|SESSION|PRIVATE", re.IGNORECASE)


class EvaluatedFiles(Protocol):
    """Reads the files of an evaluation."""

    def read(self, path: Path) -> Document:
        """Return the document of a file, the unsaved one where there is one.

        Raises
        ------
        UnreadableFileError
            If it cannot be read.
        """
        ...

    def unsaved(self, path: Path) -> Document | None:
        """Return the unsaved document of a file, None where there is none."""
        ...


class Surroundings:
    """Answers what a xacro file asks for while it is evaluated.

    Files are read in its package, in the packages that it finds, and below the model folders. A link may lead out of
    these, as those of ``colcon build --symlink-install`` do, but not to what is hidden. A variable of the environment
    is told where a file that was read names it, and its name is not that of a secret.

    Parameters
    ----------
    document
        The file, with a path.
    finder
        Knows packages and model folders.
    permission
        Says whether a file that is read belongs to what was decided about this one.
    files
        Reads files, the unsaved documents of which come before those on disk.

    Attributes
    ----------
    texts
        The texts of the other files that were read.
    missing
        The files that could not be read.
    data
        The files that were read and are no XML, such as those of ``load_yaml``, by path: documents without elements.
    lacking
        The package that was not found, which ends an evaluation; empty where there is none.
    refused, refused_source
        The file that does not belong to the decision, None where there is none, and its text where it is XML.
    """

    def __init__(self, document: Document, finder: Finder, permission: Permission, files: EvaluatedFiles) -> None:
        assert document.path is not None
        self._files = files
        self._document, self._path, self._finder = document, document.path, finder
        self._permission = permission
        self._folders = [_package_of(_absolute(document.path).parent), *map(_absolute, finder.model_folders)]
        self.texts: list[str] = []
        self.missing: list[Path] = []
        self.lacking = ""
        self.data: dict[Path, Document] = {}
        self.refused: Path | None = None
        self.refused_source: Document | None = None

    def read(self, path: Path) -> Document:
        """Return an included file.

        Raises
        ------
        UnreadableFileError
            If it cannot or may not be read.
        """
        self._check(path)
        try:
            self.refused_source = document = self._files.read(path)
        except UnreadableFileError:
            self.missing.append(path)
            raise
        self._take(path, document.text)
        self.refused_source = None
        return document

    def answer(self, question: dict[str, Any]) -> dict[str, object] | None:
        """Return the answer to a question of the process, None where it is none."""
        if "package" in question:
            return {"path": self._find_package(question["package"])}
        if "open" in question:
            try:
                return {"text": self._read_data(Path(question["open"]))}
            except UnreadableFileError as error:
                return {"error": str(error)}
        if "glob" in question:
            return {"paths": self._match(question["glob"])}
        if "variable" in question:
            return {"value": self._variable(question["variable"])}
        return None

    def _find_package(self, name: str) -> str | None:
        path = self._finder.find_package(name, self._path)
        if path is None:
            self.lacking = name
            return None
        folder = _absolute(path)
        if not _is_hidden(folder.resolve().parts) or _is_hidden(
            folder.parts
        ):  # a link to something hidden is no package
            self._folders.append(folder)
        return str(path)

    def _read_data(self, path: Path) -> str:
        self._check(path)
        file = path.resolve()
        unsaved = self._files.unsaved(file)
        if unsaved is None:
            try:
                decoded, on_disk = read_decoded(path)
            except UnreadableFileError:
                self.missing.append(path)
                raise
            document = Document(decoded.text, file, None, 0, decoded.encoding, on_disk)
        else:
            document = Document(unsaved.text, file, None, 0, unsaved.encoding, None)
        self.data.setdefault(file, document)
        self._take(path, document.text)
        return document.text

    def _take(self, path: Path, text: str) -> None:
        if not self._permission.may_read(self._document, path, text):
            self.refused = path
            raise UnreadableFileError(f"{path} has not been allowed")
        self.texts.append(text)

    def _match(self, pattern: str) -> list[str]:
        fixed = [part for part in Path(pattern).parts if not _MAGIC.search(part)]
        if len(Path(pattern).parts) - len(fixed) > _MOST_WILDCARDS:
            return []
        found = islice(glob.iglob(pattern), _MOST_MATCHES)
        return [path for path in found if self._is_allowed(Path(path))] if self._is_allowed(_before(pattern)) else []

    def _variable(self, name: str) -> str | None:
        is_named = _VARIABLE.fullmatch(name) and any(
            re.search(rf"\b{name}\b", text) for text in (self._document.text, *self.texts)
        )
        return os.environ.get(name) if is_named and not _SECRET.search(name) else None

    def _check(self, path: Path) -> None:
        if not self._is_allowed(path):
            raise UnreadableFileError(
                f"{path} is outside the package of this file, the packages that it finds, and the model folders: "
                f"add its folder to the model folders"
            )

    def _is_allowed(self, path: Path) -> bool:
        """Return whether a file may be read: as it is named, and where links lead from there."""
        named = _absolute(path)
        if not self._is_inside(named):
            return False
        try:
            target = named.resolve()
        except (OSError, RuntimeError):  # a circle of links
            return False
        if target == named:
            return True
        folders = [folder.resolve() for folder in self._folders]
        return any(_is_below(target, folder) for folder in folders) or not _is_hidden(target.parts)

    def _is_inside(self, path: Path) -> bool:
        return any(_is_below(path, folder) for folder in self._folders)


def _absolute(path: Path) -> Path:
    """Return an absolute path without ``..``; links are not followed."""
    return Path(os.path.abspath(path))


def _is_below(path: Path, folder: Path) -> bool:
    return path.is_relative_to(folder) and not _is_hidden(path.relative_to(folder).parts)


def _is_hidden(parts: tuple[str, ...]) -> bool:
    return any(part.startswith(".") for part in parts)


def _before(pattern: str) -> Path:
    """Return the folder that a pattern begins in."""
    parts = Path(pattern).parts
    first = next((index for index, part in enumerate(parts) if _MAGIC.search(part)), len(parts))
    return Path(*parts[:first])


def _package_of(folder: Path) -> Path:
    """Return the folder of the package that a folder is in; without one, a folder a little above it.

    That is never the root of the disk, nor what holds the homes of users, and the user's home only where the folder is
    that itself: everything would be in it.
    """
    package = enclosing_package(folder)
    if package is not None:
        return package
    home = _absolute(Path(os.path.expanduser("~")))
    found = folder
    for above in folder.parents[:_MOST_ABOVE]:
        if above == above.parent or home.is_relative_to(above):
            break
        found = above
    return found
