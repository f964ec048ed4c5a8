"""Resolve the path to open, such as a model folder, to a file."""

from __future__ import annotations

from pathlib import Path

from sdfviewer.document.document import UnreadableFileError
from sdfviewer.files.finder import Finder


def model_file_of(folder: Path) -> Path:
    """Return the file of a model's folder.

    Raises
    ------
    UnreadableFileError
        If it is not the folder of a model.
    """
    found = Finder().model_file(folder)
    if found.path is None:
        raise UnreadableFileError(
            found.problem or f"{folder} is a folder without a model.config; open a file inside it"
        )
    return found.path
