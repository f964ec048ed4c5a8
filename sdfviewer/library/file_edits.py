"""Edits by script that concern other files too: rename in dependent files, split off a nested model."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from sdfviewer.document.document import parse_document
from sdfviewer.files.dependents import find_including
from sdfviewer.files.paths import real_path
from sdfviewer.library.edit_block import EditBlock
from sdfviewer.library.handle import Thing
from sdfviewer.model.kinds import Kind
from sdfviewer.refactoring.composition.split_off import split_off
from sdfviewer.refactoring.editable import EditError
from sdfviewer.refactoring.renaming.dependent_files import DependentEdit, DependentFiles
from sdfviewer.refactoring.renaming.rename import material_names, rename, rename_material


class FileEdits(EditBlock):
    """The edits that write other files."""

    def rename(self, old: str | Thing, new: str, *, also: str | Path | Iterable[str | Path] = ()) -> None:
        """Rename anything, with every reference to it; also a material of a URDF.

        Parameters
        ----------
        old, new
            What it is called, and what it will be called.
        also
            Dependent files, which include this one, and folders with such files: the references in them follow, and
            :meth:`EditableDocument.save` writes them too.

        Raises
        ------
        EditError
            If it cannot have that name, or something would be wrong in a dependent file.
        """
        materials = material_names(self._table)
        if isinstance(old, str) and old in materials and old not in self._table.local_names:
            self._make(rename_material(self._table, old, new))
            return
        row = self._row(old)
        edit = rename(self._table, row, new)
        for dependent in self._dependent_edits(row, new, [also] if isinstance(also, (str, Path)) else also):
            document = dependent.document
            assert document.path is not None
            self._others.write(real_path(document.path), document, document.edited(dependent.edit.replacements))
        self._make(edit)

    def _dependent_edits(self, row: int, name: str, also: Iterable[str | Path]) -> list[DependentEdit]:
        """Return what becomes of the dependent files in some places."""
        places = [Path(each) for each in also]
        if not places:
            return []
        if missing := next((place for place in places if not place.exists()), None):
            raise EditError(f"{missing} does not exist")
        finder, opened = self._loader.finder, tuple(self._others.documents.values())
        search = find_including(self._path, places, finder, opened)
        if not search.is_complete:
            raise EditError("too many files to search for dependent files; name a smaller folder")
        dependents = DependentFiles(
            self._table, search.documents, finder, expander=self._loader.expander.fork()
        ).edits_for(row, name)
        if wrong := next((each for each in dependents if each.faults), None):
            raise EditError(f"{wrong.document.name} cannot follow: {wrong.faults[0]}")
        return dependents

    def split_off(self, model: str | Thing, file: str | Path) -> None:
        """Move a nested model to its own file, and include that; no pose changes.

        Parameters
        ----------
        model
            The nested model.
        file
            The new file, in the folder of this one unless it says otherwise; :meth:`EditableDocument.save` writes it.

        Raises
        ------
        EditError
            If the file exists, or the model is not written in this document.
        """
        path = self._path.parent / file
        if path.exists() or real_path(path) in self._others.documents:
            raise EditError(f"{path} exists; choose another name")
        if not path.parent.is_dir():
            raise EditError(f"there is no folder {path.parent}")
        edit, text = split_off(self._table, self._row(model, Kind.MODEL), path)
        self._others.write(real_path(path), None, parse_document(text, path))
        self._make(edit)

    @property
    def _path(self) -> Path:
        """The file of the document."""
        if self._before.path is None:
            raise EditError("save the document first: other files are found from the folder of its file")
        return self._before.path
