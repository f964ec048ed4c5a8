"""Which xacro files may be evaluated: those that somebody has named, or those that the user has decided on."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from sdfviewer.document.document import Document
from sdfviewer.files.paths import real_path


class Permission:
    """Says which xacro files may be evaluated; this one refuses all.

    Attributes
    ----------
    advice
        What lets a refused file be evaluated, as the end of a sentence.
    """

    advice = "open it by itself"

    def may_evaluate(self, document: Document) -> bool:
        """Return whether a file may be evaluated."""
        return False

    def may_evaluate_content(self, document: Document) -> bool:
        """Return whether a file may be evaluated that holds elements of xacro, but is not named as a xacro file."""
        return self.may_evaluate(document)

    def may_read(self, document: Document, path: Path, text: str) -> bool:
        """Return whether another file, with this text, may be a part of the evaluation of a file."""
        return True

    def for_found_texts(self) -> Permission:
        """Return the permission for texts that nobody has typed here, such as the version of a file in git."""
        return self

    def note_evaluated(self, document: Document, texts: Iterable[str]) -> None:
        """Note that a file was evaluated, and the texts of the other files that this has read."""


class NamedFiles(Permission):
    """Lets those files be evaluated that were named themselves, or all of them.

    Parameters
    ----------
    paths
        The files, or None for all.
    advice
        See :class:`Permission`.
    """

    def __init__(self, paths: Iterable[Path] | None, advice: str) -> None:
        self._paths = None if paths is None else frozenset(real_path(path) for path in paths)
        self.advice = advice

    def may_evaluate(self, document: Document) -> bool:
        """Return whether a file was named."""
        return self._paths is None or (document.path is not None and real_path(document.path) in self._paths)

    def may_evaluate_content(self, document: Document) -> bool:
        """Return whether all files may be evaluated: who names a URDF means the file as it is written."""
        return self._paths is None
