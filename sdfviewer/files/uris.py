"""How a document names a file: the other way round from :mod:`sdfviewer.files.finder`."""

from __future__ import annotations

import os
from pathlib import Path

from sdfviewer.files.finder import Finder
from sdfviewer.files.paths import is_file

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
