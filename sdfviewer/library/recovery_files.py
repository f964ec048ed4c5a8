"""The recovery files of a document: its unsaved work, and that of earlier runs of any program."""

from __future__ import annotations

import secrets
import warnings
from collections.abc import Iterable
from pathlib import Path

from sdfviewer.diagnostics import SdfViewerError
from sdfviewer.document.document import Document
from sdfviewer.files.paths import real_path
from sdfviewer.files.recovery import Recovery, discard_recovery, recoveries
from sdfviewer.session.unsaved_work import UnsavedText, write_unsaved


class RecoveryFiles:
    """Keeps the unsaved work of a document where the window looks for it too.

    Unlike those of the window, the files stay when the program ends as it should: a script cannot be asked whether to
    save.

    Parameters
    ----------
    writes
        Whether unsaved work is written; else it is only read.
    """

    def __init__(self, writes: bool) -> None:
        self._writes = writes
        self._nameless = secrets.token_hex(8)
        self._kept: list[Path] = []
        self._recovered: list[Path] = []

    def keep(self, unsaved: Iterable[Document]) -> None:
        """Write unsaved documents down, and forget what was written of others.

        Parameters
        ----------
        unsaved
            The document and other files that it writes, as far as they are unsaved.
        """
        if not self._writes:
            return
        texts = [UnsavedText(each.path, each.text, each.encoding, each.fingerprint) for each in unsaved]
        try:
            former, self._kept = self._kept, [write_unsaved(each, self._nameless) for each in texts]
            for source in former:
                if source not in self._kept:
                    discard_recovery(source)
        except SdfViewerError as error:  # the edit itself is made
            warnings.warn(f"unsaved work cannot be recovered after a crash: {error}", stacklevel=4)

    @staticmethod
    def find(document: Document) -> Recovery | None:
        """Return the newest unsaved work that a run which has ended left behind for a file."""
        path = None if document.path is None else real_path(document.path)
        for each in recoveries():
            is_same = each.path == path or (each.path is not None and path is not None and real_path(each.path) == path)
            if is_same and each.is_abandoned and each.text != document.text:
                return each
        return None

    def take(self, recovery: Recovery) -> None:
        """Take note that unsaved work of an earlier run is part of the document now."""
        self._recovered.append(recovery.source)

    def forget_recovered(self) -> None:
        """Remove the recovery files of what was taken up: the document is saved."""
        while self._recovered:
            discard_recovery(self._recovered.pop())
