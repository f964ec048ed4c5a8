"""Find the models that a file can include: in the model folders, and beside it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from sdfviewer.files.finder import Finder
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
    if not (folder / "model.config").is_file():
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
