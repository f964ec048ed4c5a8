"""What a text names its files by once it is written in another folder."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from sdfviewer.document.document import Document
from sdfviewer.document.edits import Replacements
from sdfviewer.document.element import Element
from sdfviewer.files.finder import Finder
from sdfviewer.files.paths import is_same_file
from sdfviewer.files.uris import (
    AssetKind,
    NamedFile,
    UriError,
    UriForm,
    named_files,
    relative_uri,
    uri_of,
    why_only_here,
)
from sdfviewer.refactoring.draft import note

#: Where a copy goes that cannot be where it is beside its text now.
_FOLDERS = {AssetKind.MESH: "meshes", AssetKind.INCLUDE: "models"}
_OTHERS = "materials"


@dataclass(frozen=True)
class FileCopy:
    """A file, or the folder of a model, that is to be copied beside a text that names it.

    Attributes
    ----------
    kind
        What it is for.
    naming_file
        The text that has named it until now, None for one without a file.
    source, target
        From where, and to where.
    folder
        The folder of the text that names it from now on.
    """

    kind: AssetKind
    naming_file: Path | None
    source: Path
    target: Path
    folder: Path

    @property
    def uri(self) -> str:
        """How the text names it from now on."""
        return relative_uri(self.target, self.folder)


@dataclass(frozen=True)
class MovedUri:
    """How a text names one file once it is written in another folder.

    Attributes
    ----------
    replacements
        The edit that writes its URI, nothing where that stays.
    note
        What should be known of it, with its line; empty where it is only written otherwise.
    copy
        What must be copied for it.
    """

    replacements: Replacements = ()
    note: str = ""
    copy: FileCopy | None = None


def moved_uris(
    document: Document,
    target: Path | None,
    finder: Finder,
    form: UriForm | None = None,
    within: Element | None = None,
) -> list[MovedUri]:
    """Return how a text names its files once it is written to another file; those that stay as they are left out.

    Parameters
    ----------
    document
        The text, with the file that it is read from.
    target
        The file that it is written to, None for none.
    finder
        Finds files by URI.
    form
        A word of `URI_FORMS` for all files that are found. By default only what does not lead to its file from there is
        written otherwise, as a relative path.
    within
        The element that is written there; the root by default.
    """
    moved: list[MovedUri] = []
    copies: dict[Path, Path] = {}
    for named in names_moved(document, within):
        nearby = named.kind is not AssetKind.INCLUDE
        before = finder.find(named.uri, document.path, nearby=nearby)
        found = before.path
        if found is None or named.uri.startswith(("http://", "https://")):
            continue
        is_usual = not why_only_here(named.uri, before, document.path, finder)
        if form is None and _still_leads(named.uri, found, target, finder, nearby=nearby, is_usual=is_usual):
            continue
        copy = None
        if form == "copied" and target is not None:
            copy = copied(named.kind, found, document.path, target.absolute().parent, copies)
            copies[copy.target], uri = found, copy.uri
        else:
            try:
                uri = uri_of(found, target, finder, form=form or "relative", is_model=not nearby)
            except UriError as error:
                moved.append(MovedUri((), note(document, named.element, f"'{named.uri}' stays as it is: {error}")))
                continue
        edits = named.renamed(document, uri) if uri != named.uri else ()
        says = ""
        if edits and form is None and "://" in named.uri:
            where = "a text without a file" if target is None else target.parent
            says = note(document, named.element, f"'{named.uri}' is not found from {where}, so it is '{uri}' there")
        if edits or copy:
            moved.append(MovedUri(edits, says, copy))
    return moved


def names_moved(document: Document, within: Element | None = None) -> Iterator[NamedFile]:
    """Yield the files that a text names by themselves and that matter where it goes: no plugins, nothing computed."""
    for named in named_files(document, within):
        if named.kind is not AssetKind.PLUGIN and "$" not in named.uri:
            yield named
    root = within or document.root
    for element in () if root is None else root.descendants():
        uri = element.attributes.get("filename", "")
        if element.tag == "xacro:include" and uri and "$" not in uri:
            yield NamedFile(AssetKind.INCLUDE, uri, element, "@filename")


def _still_leads(uri: str, file: Path, target: Path | None, finder: Finder, *, nearby: bool, is_usual: bool) -> bool:
    """Return whether a URI leads to a file from another text, for other programs too if it `is_usual` until now."""
    found = finder.find(uri, target, nearby=nearby)
    if found.path is None or found.working_directory is not None or not is_same_file(found.path, file):
        return False
    return not (is_usual and why_only_here(uri, found, target, finder))


def copied(
    kind: AssetKind,
    file: Path,
    naming_file: Path | None,
    folder: Path,
    others: Mapping[Path, Path] = MappingProxyType({}),
) -> FileCopy:
    """Return a copy of a file beside a text: as far from it as now where that is below its folder.

    Parameters
    ----------
    naming_file, folder
        The text that names the file now, and the folder of the one that is to name it.
    others
        What is copied besides, by where it goes.
    """
    beside = None if naming_file is None else Path(relative_uri(file, naming_file.absolute().parent))
    if beside is None or beside.is_absolute() or beside.parts[:1] == ("..",):
        beside = Path(_FOLDERS.get(kind, _OTHERS), file.name)
    place, number = folder / beside, 2
    while place in others and not is_same_file(others[place], file):
        place = folder / beside.with_name(f"{beside.stem}_{number}{beside.suffix}")
        number += 1
    return FileCopy(kind, naming_file, file, place, folder)
