"""Rename a frame, or a material of a URDF, in its file and in the files that include it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from sdfviewer.document.document import Document
from sdfviewer.document.edits import Edit
from sdfviewer.files.finder import Finder
from sdfviewer.formats.expansion import ExpandedDocument
from sdfviewer.formats.xacro.expansion import Expander
from sdfviewer.language.names import Name, name_at
from sdfviewer.model.model import Model
from sdfviewer.refactoring.editable import RefactoringError, require_renamable
from sdfviewer.refactoring.renaming.dependent_files import DependentFiles
from sdfviewer.refactoring.renaming.rename import material_names, rename, rename_material

#: Attributes of xacro files in which links, joints and materials are named.
_NAMING = ("name", "link", "joint", "reference")


@dataclass(frozen=True, slots=True)
class FileEdit:
    """An edit of one document, and what would be wrong in it afterwards that is not wrong now."""

    document: Document
    edit: Edit
    faults: tuple[str, ...] = ()


def renamable_at(model: Model, offset: int) -> Name | None:
    """Return the name at an offset that can be renamed, None if there is none; a material's name has no row.

    Raises
    ------
    RefactoringError
        If it is a name in a file that is expanded, or of something that cannot be renamed in this file.
    """
    if isinstance(expanded := model.document_of(0), ExpandedDocument):
        _refuse_in_expanded(model, expanded, offset)
    name = name_at(model, offset)
    if name is None:
        return material_at(model, offset)
    if name.row is None or name.text in ("__model__", "world"):
        return None
    require_renamable(model, name.row)
    return name


def material_at(model: Model, offset: int) -> Name | None:
    """Return the name of the material of a URDF at an offset, None if there is none."""
    for text, elements in material_names(model).items():
        for element in elements:
            start, end = model.document.value_offsets(element, "name") or (0, -1)
            if start <= offset <= end:
                return Name(text, start, end, None)
    return None


def _refuse_in_expanded(model: Model, expanded: ExpandedDocument, offset: int) -> None:
    element = model.document.element_at(offset)
    if element is None:
        return
    for name in _NAMING:
        written = model.document.value_offsets(element, name)
        if written is not None and written[0] <= offset <= written[1]:
            text = model.document.text[slice(*written)]
            raise RefactoringError(
                f"'{text}' is in a {expanded.language} file, from which names are made: rename it in the text"
            )


def rename_in_file(model: Model, old: Name, name: str) -> Edit:
    """Return the edit that renames a frame or a material in its own file.

    Raises
    ------
    RefactoringError
        If the name cannot be given.
    """
    return rename_material(model, old.text, name) if old.row is None else rename(model, old.row, name)


def rename_everywhere(
    model: Model,
    old: Name,
    name: str,
    candidates: Iterable[Document],
    finder: Finder,
    stopped: Callable[[], bool] = lambda: False,
    expander: Expander | None = None,
) -> list[FileEdit]:
    """Return the edits that rename a frame or a material, of its own file first, then of each file that refers to it.

    Parameters
    ----------
    old
        What is renamed, see :func:`renamable_at`.
    candidates
        Documents that may include the file, with their unsaved text.
    stopped
        Whether to give up: then edits may be missing.
    expander
        Evaluates xacro files; without one, none is.

    Raises
    ------
    RefactoringError
        If the name cannot be given, or a dependent file would be wrong afterwards.
    """
    edits = [FileEdit(model.document, rename_in_file(model, old, name))]
    row = old.row
    if row is None:
        return edits
    names = (model.local_names[row], name)

    def concerns(document: Document) -> bool:
        """Return whether a file names the frame, could name it, or takes all names of what it includes."""
        text = document.text
        return document.root is None or any(each in text for each in (*names, "merge=", "&"))

    dependents = DependentFiles(model, candidates, finder, stopped, concerns, expander=expander)
    for dependent in dependents.edits_for(row, name):
        if dependent.faults:
            raise RefactoringError(f"{dependent.document.name} cannot be updated: {dependent.faults[0]}")
        edits.append(FileEdit(dependent.document, dependent.edit))
    return edits
