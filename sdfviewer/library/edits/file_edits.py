"""Edits by script that concern other files too: rename in dependent files, split off a nested model."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from sdfviewer.library.edits.edit_block import EditBlock
from sdfviewer.library.handle import Thing
from sdfviewer.operations import frames, whole


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
        self._do(frames.rename, old=old, new=new, also=also)

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
        self._do(whole.split_off, model=model, file=file)
