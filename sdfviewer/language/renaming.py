"""Rename a frame, or a material of a URDF, in its file and in the files that include it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from sdfviewer.document.document import Document
from sdfviewer.document.edits import Edit
from sdfviewer.files.finder import Finder
from sdfviewer.formats.load import Loader
from sdfviewer.formats.written_rows import expansion_of
from sdfviewer.formats.xacro.expansion import Expander, XacroExpansion
from sdfviewer.language.actions import edits_of
from sdfviewer.language.names import Name, home_of, name_at
from sdfviewer.model.kinds import Kind
from sdfviewer.model.model import Model
from sdfviewer.operations import frames
from sdfviewer.operations.declaration import EditContext
from sdfviewer.refactoring.editable import RefactoringError, require_renamable
from sdfviewer.refactoring.renaming import DependentFiles, material_names, rename, rename_material

#: Attributes of xacro files in which links, joints and materials are named.
_NAMING = ("name", "link", "joint", "reference")


@dataclass(frozen=True, slots=True)
class FileEdit:
    """An edit of one document, and what would be wrong in it afterwards that is not wrong now."""

    document: Document
    edit: Edit
    faults: tuple[str, ...] = ()


def renamable_at(model: Model, offset: int, loader: Loader | None = None) -> Name | None:
    """Return the name at an offset that can be renamed, None if there is none; a material's name has no row.

    Parameters
    ----------
    loader
        Reads the file in which the name is given, so that it can be renamed there; without one that is refused.

    Raises
    ------
    RefactoringError
        If it is the name of something that cannot be renamed in this file, or of several things.
    """
    if (expanded := expansion_of(model)) is not None:
        return _written_name_at(model, expanded, offset)
    name = name_at(model, offset)
    if name is None:
        return material_at(model, offset)
    if name.row is None or name.text in ("__model__", "world"):
        return None
    home = None if loader is None else home_of(model, name.row, loader)
    require_renamable(*(home or (model, name.row)))
    return name


def material_at(model: Model, offset: int) -> Name | None:
    """Return the name of the material of a URDF at an offset, None if there is none."""
    for text, elements in material_names(model).items():
        for element in elements:
            start, end = model.document.value_offsets(element, "name") or (0, -1)
            if start <= offset <= end:
                return Name(text, start, end, None)
    return None


def _written_name_at(model: Model, expanded: XacroExpansion, offset: int) -> Name | None:
    """Return what a xacro file names at an offset, by what its expressions have become there.

    Raises
    ------
    RefactoringError
        If macro calls write several names there.
    """
    element = model.document.element_at(offset)
    if element is None:
        return None
    for attribute in _NAMING:
        span = model.document.value_offsets(element, attribute)
        if span is None or not span[0] <= offset <= span[1]:
            continue
        written = expanded.sources[0].element(model.document.address(element))
        names = {
            each.attributes[attribute]: each
            for each in expanded.written_by(written)
            if each.tag == element.tag and attribute in each.attributes
        }
        if len(names) > 1:
            listed = ", ".join(names)
            raise RefactoringError(f"macro calls write several names here: {listed}; rename one where it is selected")
        for text, each in names.items():
            kind = Kind.JOINT if attribute == "joint" or (each.tag == "joint" and attribute == "name") else Kind.LINK
            row = model.rows_by_element.get(id(each)) if attribute == "name" else None
            known = (row for row, name in enumerate(model.local_names) if name == text and model.kinds[row] is kind)
            row = next(known, None) if row is None else row
            return None if row is None else Name(text, *span, row)
    return None


def rename_in_file(model: Model, old: Name, name: str) -> Edit:
    """Return the edit that renames a frame or a material in its own file.

    Raises
    ------
    RefactoringError
        If the name cannot be given.
    """
    return rename_material(model, old.text, name) if old.row is None else rename(model, old.row, name)


def _rename_written(model: Model, row: int, name: str, loader: Loader) -> list[FileEdit]:
    """Return the edits that rename what a xacro file writes, in the files in which its name is put together."""
    done = frames.rename.perform(EditContext(model, loader), {"old": row, "new": name})
    return [FileEdit(each.document, each) for each in edits_of(done)]


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
    row = old.row
    if row is not None and expansion_of(model) is not None:
        return _rename_written(model, row, name, Loader(finder, expander=expander or Expander()))
    edits = [FileEdit(model.document, rename_in_file(model, old, name))]
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
