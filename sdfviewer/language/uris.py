"""Completion of URIs: models in the model folders, and files beside the document."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from sdfviewer.files.finder import Finder
from sdfviewer.files.paths import names_a_server
from sdfviewer.formats.registry import model_suffixes
from sdfviewer.language.completion import Open
from sdfviewer.language.links import URI_ATTRIBUTES, URI_ELEMENTS

#: The most entries of a folder that are offered.
_MOST = 500
_RESOURCES = (".dae", ".stl", ".obj", ".glb", ".gltf", ".png", ".jpg", ".jpeg", ".tif")


_TEXT = re.compile(rf"<({'|'.join(sorted(URI_ELEMENTS))})(?:\s[^<>]*)?>\s*([^<>]*)$")
_VALUE = r"\s(?:[^<>]*\s)?{}\s*=\s*(?:\"[^\"<>]*|'[^'<>]*)$"
_ATTRIBUTE = re.compile("|".join(f"<{tag}{_VALUE.format(name)}" for tag, name in URI_ATTRIBUTES.items()))


@dataclass(frozen=True, slots=True)
class UriChoice:
    """A URI that may be typed: its text, the file or folder that it names, and whether that is a folder."""

    uri: str
    path: Path
    is_folder: bool


def uris_at(
    text: str, open_at: Callable[[int], list[Open]], file: Path | None, finder: Finder
) -> tuple[str, list[UriChoice]] | None:
    """Return what is typed of a URI at the end of a text, and the URIs that it may be; None where no URI is typed.

    Parameters
    ----------
    text
        The text before the caret.
    open_at
        Returns the elements that are open at an offset; it is asked only where a URI is typed.
    file, finder
        As of `complete_uri`.
    """
    tail = text[max(text.rfind("<"), 0) :]
    if match := _TEXT.match(tail):
        opened = open_at(len(text))
        typed, is_include = match[2], len(opened) > 1 and opened[-2].tag == "include"
    elif _ATTRIBUTE.match(tail):
        typed, is_include = re.split("[\"']", tail)[-1], False
    else:
        return None
    return typed, complete_uri(typed, file, finder, is_include=is_include)


def complete_uri(typed: str, file: Path | None, finder: Finder, *, is_include: bool) -> list[UriChoice]:
    """Return the URIs that may be typed, those that begin with ``typed`` first in the order of the folders.

    Parameters
    ----------
    typed
        The part before the caret.
    file
        The file in which it is typed; relative URIs start beside it.
    is_include
        Whether a model is named, rather than a mesh or a picture.
    """
    scheme, separator, rest = typed.partition("://")
    folder_part = rest.rpartition("/")[0] if separator else typed.rpartition("/")[0]
    choices: dict[str, UriChoice] = {}
    if names_a_server(folder_part):  # to look what is there would be to log in
        return []
    if separator and scheme in ("model", "package", "file"):
        roots = [Path("/")] if scheme == "file" else [*finder.model_folders, *_beside(file)]
        for root in roots:
            for choice in _entries(root / folder_part, f"{scheme}://{folder_part + '/' if folder_part else ''}"):
                choices.setdefault(choice.uri, choice)
    elif not separator:
        for folder in _beside(file):
            prefix = f"{folder_part}/" if folder_part else ""
            for choice in _entries(folder / folder_part, prefix):
                choices.setdefault(choice.uri, choice)
        if not folder_part:
            for root in finder.model_folders:
                for choice in _entries(root, "model://"):
                    choices.setdefault(choice.uri, choice)
    wanted = [choice for choice in choices.values() if _fits(choice, is_include=is_include)]
    return wanted[:_MOST]


def _beside(file: Path | None) -> list[Path]:
    return [] if file is None else [file.absolute().parent]


def _entries(folder: Path, prefix: str) -> Iterator[UriChoice]:
    """Yield what is in a folder; nothing where it cannot be read."""
    try:
        with os.scandir(folder) as entries:
            listed = sorted(entries, key=lambda entry: entry.name)[:_MOST]
    except (OSError, ValueError):  # ValueError: no path has a NUL character in it
        return
    for entry in listed:
        if not entry.name.startswith("."):
            # An entry raises where a link leads to itself.
            yield UriChoice(prefix + entry.name, Path(entry.path), os.path.isdir(entry.path))


def _fits(choice: UriChoice, *, is_include: bool) -> bool:
    if choice.is_folder:
        return True
    suffix = choice.path.suffix.lower()
    return suffix in (model_suffixes() if is_include else _RESOURCES)
