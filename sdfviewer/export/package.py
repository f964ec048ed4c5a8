"""A copy of a package under another name: the folder of a model, or a ROS package, with all that names it."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from sdfviewer.diagnostics import SdfViewerError
from sdfviewer.document.document import Document, parse_document
from sdfviewer.document.edits import Replacements
from sdfviewer.document.xml.encoding import EncodingError, decode, encode
from sdfviewer.files.finder import Finder
from sdfviewer.files.opening import open_document
from sdfviewer.files.paths import is_absolute, is_file, is_name, read_regular, real_path
from sdfviewer.files.uris import relative_uri
from sdfviewer.formats.comparison import compare, read_back
from sdfviewer.formats.load import Loader, why_not_loaded
from sdfviewer.formats.xacro.decisions import NamedFiles
from sdfviewer.model.model import Model
from sdfviewer.number_text import counted
from sdfviewer.refactoring.composition.moved_uris import names_moved
from sdfviewer.refactoring.unmoved import FilesInFolders

#: Files in which the package may be named.
_MODELS = frozenset({".sdf", ".world", ".model", ".urdf", ".xacro", ".srdf"})
_TEXTS = _MODELS | {
    ".xml",
    ".config",
    ".yaml",
    ".yml",
    ".launch",
    ".py",
    ".rviz",
    ".material",
    ".txt",
    ".cmake",
    ".cfg",
}
#: What a version control system or a build leaves beside the sources.
_LEFT_OUT = frozenset({"__pycache__", "node_modules"})
#: What a package may hold: files and bytes.
MOST_FILES, MOST_BYTES = 5_000, 2 << 30
#: So many robots of a package are read back.
_MOST_READ = 20
_PACKAGE_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]*")


@dataclass(frozen=True)
class PackageCopy:
    """A package that was copied.

    Attributes
    ----------
    folder
        The new folder.
    file
        The copy of the file that it was asked for.
    files
        How many files it has.
    rewritten
        Files, from the folder, that name the package and name the new one now.
    notes
        What was left out or is not found from there, in sentences.
    faults
        What the copies of its models mean otherwise: errors of this program.
    """

    folder: Path
    file: Path
    files: int
    rewritten: tuple[str, ...]
    notes: tuple[str, ...]
    faults: tuple[str, ...]

    @property
    def summary(self) -> str:
        """What was written, in a sentence."""
        return f"{counted(self.files, 'file')} in {self.folder}, {len(self.rewritten)} of them with the new name"


def package_around(file: Path) -> Path:
    """Return the folder of the package that a file is in: the nearest with a manifest.

    Raises
    ------
    SdfViewerError
        If it is in none.
    """
    for folder in file.absolute().parents:
        if is_file(folder / "package.xml") or is_file(folder / "model.config"):
            return folder
    raise SdfViewerError(f"{file} is in no folder with a model.config or package.xml: use Save As")


def duplicate_package(document: Document, loader: Loader, folder: Path) -> PackageCopy:
    """Copy the package of a file to a new folder, whose name it gets, and read the copy back.

    Everything in it that names the package by ``model://``, ``package://`` or ``$(find …)`` names the new one, also in
    its manifest and in the parameters of xacro files. Nothing else is written, and nothing is replaced.

    Parameters
    ----------
    document, loader
        A file in the package, as it is at the moment, and what reads it.
    folder
        The new folder, which does not exist yet.

    Raises
    ------
    SdfViewerError
        If the file is in no package, the folder exists or could be no package, or it cannot be written.
    """
    path = document.path
    if path is None:
        raise SdfViewerError("save the file first: a text without a file is in no package")
    root, folder = package_around(path), Path(os.path.abspath(folder))
    _require_new(root, folder)
    names = frozenset(filter(None, (root.name, loader.finder.package_name(root))))
    present = {real_path(each.path): each for each in (*loader.instead.values(), document) if each.path}
    notes: list[str] = []
    files = list(_files(root, notes))
    rewritten: list[str] = []
    folder.mkdir()
    try:
        for file in files:
            inside = file.relative_to(root)
            target = folder / inside
            target.parent.mkdir(parents=True, exist_ok=True)
            if file.suffix.lower() not in _TEXTS or not _rewrite(file, target, root, names, loader.finder, present):
                shutil.copyfile(file, target)
            else:
                rewritten.append(inside.as_posix())
            shutil.copymode(file, target)
    except OSError as error:
        shutil.rmtree(folder)  # which did not exist before
        raise SdfViewerError(f"{folder} cannot be written: {error}") from error
    copy = folder / path.absolute().relative_to(root)
    known = loader.finder.model_folders
    if root.parent in known and folder.parent not in known:
        notes.append(
            f"add {folder.parent} to the model folders, so that model://{folder.name} is found as the original"
        )
    finder = loader.finder.fresh()
    finder.look_in((*known, root.parent, folder.parent))
    reader = Loader(finder, loader.instead, loader.expander.fork())
    faults: tuple[str, ...] = ()
    robots = [each for each in files if each.suffix.lower() in _MODELS and each != path.absolute()]
    for file in (path.absolute(), *robots[:_MOST_READ]):
        read = present.get(real_path(file)) or open_document(file)
        model = reader.load(read)
        if model is not None:
            arguments = loader.expander.arguments_of(read)
            faults += _read_back(model, reader, arguments, folder / file.relative_to(root), names, folder.name)
        elif file == path.absolute():
            notes.append(f"{path.name} has no model, so that its copy was not compared with it")
    return PackageCopy(folder, copy, len(files), tuple(rewritten), tuple(dict.fromkeys(notes)), faults)


def _require_new(root: Path, folder: Path) -> None:
    if os.path.lexists(folder):
        raise SdfViewerError(f"{folder} exists; choose another name")
    if not folder.parent.is_dir():
        raise SdfViewerError(f"there is no folder {folder.parent}")
    if real_path(folder).is_relative_to(real_path(root)):
        raise SdfViewerError(f"{folder} is in the package itself; choose a place beside it")
    if not is_name(folder.name) or not re.fullmatch(r"[\w.+-]+", folder.name):
        raise SdfViewerError(f"'{folder.name}' cannot be the name of a package: use letters, digits and underscores")
    if is_file(root / "package.xml") and not _PACKAGE_NAME.fullmatch(folder.name):
        raise SdfViewerError(f"'{folder.name}' is no name of a ROS package: begin with a letter, without dots")


def _files(root: Path, notes: list[str]) -> Iterator[Path]:
    """Yield the files of a package, without links, hidden folders and what builds leave.

    Raises
    ------
    SdfViewerError
        If there are too many.
    """
    count = size = 0
    for place, folders, names in os.walk(root):
        here = Path(place)
        for name in [each for each in folders if Path(here, each).is_symlink()]:
            notes.append(f"{Path(here, name)} is a link and is left out")
        folders[:] = sorted(each for each in folders if not each.startswith(".") and each not in _LEFT_OUT)
        for name in sorted(names):
            file = here / name
            if file.is_symlink() or not file.is_file():
                notes.append(f"{file} is a link and is left out" if file.is_symlink() else f"{file} is no file")
                continue
            count, size = count + 1, size + file.stat().st_size
            if count > MOST_FILES or size > MOST_BYTES:
                raise SdfViewerError(f"{root} holds more than a package does: {count} files and {size >> 20} MB so far")
            yield file


def _rewrite(
    file: Path, target: Path, root: Path, names: frozenset[str], finder: Finder, present: Mapping[Path, Document]
) -> bool:
    """Write a text with the new name of its package; return False where it is to be copied as it is."""
    document = present.get(real_path(file))
    data = read_regular(file) if document is None else document.to_bytes()
    try:
        text = decode(data)
    except EncodingError:
        return False
    new = renamed_text(text.text, file.relative_to(root).as_posix(), names, target_name(target, file, root))
    if file.suffix.lower() in _MODELS:
        new = _relative_outside(new, file, target, root, finder)
    if new == text.text and document is None:
        return False
    target.write_bytes(encode(new, text.encoding))
    return new != text.text


def target_name(target: Path, file: Path, root: Path) -> str:
    """Return the name of the folder that the copy of a package is in, from one of its files."""
    return target.parents[len(file.relative_to(root).parts) - 1].name


def renamed_text(text: str, inside: str, names: frozenset[str], new: str) -> str:
    """Return the text of a file of a package once that is called otherwise.

    Parameters
    ----------
    inside
        The file, from the folder of the package.
    names
        What the package is called: its folder, and its manifest.
    new
        Its new name.
    """
    old = "|".join(map(re.escape, sorted(names, key=len, reverse=True)))
    places = [
        rf"((?:model|package)://)(?:{old})(?=[/\"'<\s)]|$)",
        rf"(\$\((?:find|find-pkg-share|find-pkg-prefix) )(?:{old})(?=\))",
    ]
    suffix = Path(inside).suffix.lower()
    if suffix in (".yaml", ".yml"):
        places.append(rf"(\bpackage: ?[\"']?)(?:{old})(?=[\"']?\s|[\"']?$)")
    if suffix == ".py":
        places.append(rf"([\"'])(?:{old})(?=[\"'])")
    if inside == "package.xml":
        places.append(rf"(<name>\s?)(?:{old})(?=\s?</name>)")
    if inside == "CMakeLists.txt":
        places.append(rf"(\bproject\( ?)(?:{old})(?=[ )])")
    for place in places:
        text = re.sub(place, rf"\g<1>{new}", text)
    if inside == "model.config":
        text = re.sub(r"(<name>)[^<]*(</name>)", rf"\g<1>{new}\g<2>", text, count=1)
    return text


def _relative_outside(text: str, file: Path, target: Path, root: Path, finder: Finder) -> str:
    """Return a text whose relative paths out of the package lead to the same files from its new place."""
    document = parse_document(text, file)
    edits: Replacements = ()
    for named in names_moved(document):
        if "://" in named.uri or is_absolute(named.uri):
            continue
        found = Path(os.path.normpath(file.parent / named.uri))
        if found.exists() and not found.is_relative_to(root):
            uri = relative_uri(found, target.parent)
            edits += named.renamed(document, uri) if uri != named.uri else ()
    return document.edited(edits).text if edits else text


class _RenamedFiles(FilesInFolders):
    """Compares URIs, of which those that lead nowhere may name the package by its new name."""

    def __init__(self, finder: Finder, names: frozenset[str], new: str) -> None:
        super().__init__(finder)
        self._names, self._new = names, new

    def same_file(self, a: str, b: str, folder_a: Path | None, folder_b: Path | None) -> bool:
        """Return whether both lead to the same content, or nowhere and are called the same but for the new name."""
        if super().same_file(a, b, folder_a, folder_b):
            return True
        ways = ((a, folder_a), (b, folder_b))
        found = [self._finder.find(uri, folder and folder / "file", nearby=True).path for uri, folder in ways]
        return found == [None, None] and renamed_text(a, "", self._names, self._new) == b


def _read_back(
    model: Model, reader: Loader, arguments: Mapping[str, str], copy: Path, names: frozenset[str], new: str
) -> tuple[str, ...]:
    """Return what the copy of a file means otherwise.

    Parameters
    ----------
    arguments
        Those of the file that was copied. Whoever lets that be evaluated lets its copy be evaluated.
    """
    permission = NamedFiles([copy], reader.expander.permission.advice)
    expander = replace(reader.expander.fork(), arguments_of=lambda _document: arguments, permission=permission)
    after, diagnostics = Loader(reader.finder, expander=expander).load_with_diagnostics(open_document(copy))
    if after is None:
        return (f"{copy}:1: error of sdfviewer: the copy cannot be read: {why_not_loaded(diagnostics)}",)
    return read_back(compare(model, after, contents=_RenamedFiles(reader.finder, names, new)), ()).faults
