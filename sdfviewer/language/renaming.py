"""Rename a frame in its file and in the files that include it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from sdfviewer.document.document import Document
from sdfviewer.document.edits import Edit
from sdfviewer.files.finder import Finder
from sdfviewer.language.names import Name, name_at
from sdfviewer.model.model import Model
from sdfviewer.refactoring.editable import RefactoringError
from sdfviewer.refactoring.renaming.dependent_files import DependentFiles
from sdfviewer.refactoring.renaming.rename import rename


@dataclass(frozen=True, slots=True)
class FileEdit:
    """An edit of one document, and what would be wrong in it afterwards that is not wrong now."""

    document: Document
    edit: Edit
    faults: tuple[str, ...] = ()


def renamable_at(model: Model, offset: int) -> Name | None:
    """Return the name at an offset that can be renamed, None where there is none.

    Raises
    ------
    RefactoringError
        If the name belongs to an included file: it is renamed there.
    """
    name = name_at(model, offset)
    if name is None or name.row is None or name.text in ("__model__", "world"):
        return None
    if model.sources[name.row] is not None:
        path = model.document_of(name.row).name
        raise RefactoringError(f"'{model.names[name.row]}' is defined in {path}; rename it there")
    return name


def rename_everywhere(
    model: Model,
    row: int,
    name: str,
    candidates: Iterable[Document],
    finder: Finder,
    stopped: Callable[[], bool] = lambda: False,
) -> list[FileEdit]:
    """Return the edits that rename a row, of its own file first, then of each file that refers to it.

    Parameters
    ----------
    candidates
        Documents that may include the file, with their unsaved text.
    stopped
        Whether to give up: then edits may be missing.

    Raises
    ------
    RefactoringError
        If the name cannot be given, or a dependent file would be wrong afterwards.
    """
    edits = [FileEdit(model.document, rename(model, row, name))]
    names = (model.local_names[row], name)

    def concerns(document: Document) -> bool:
        """Return whether a file names the frame, could name it, or takes all names of what it includes."""
        text = document.text
        return document.root is None or any(each in text for each in (*names, "merge=", "&"))

    for follower in DependentFiles(model, candidates, finder, stopped, concerns).follow(row, name):
        if follower.faults:
            raise RefactoringError(f"{follower.document.name} cannot be updated: {follower.faults[0]}")
        edits.append(FileEdit(follower.document, follower.edit))
    return edits
