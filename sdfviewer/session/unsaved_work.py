"""Stores the unsaved text of an open file, so that it survives a crash.

Writing waits for the disk, so it happens in a thread of its own; whoever needs it done waits for it.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

from sdfviewer.document.document import Document, Fingerprint
from sdfviewer.document.xml.encoding import Encoding, EncodingError, encode, storable
from sdfviewer.files.recovery import KeptFile, discard_recovery, write_recovery

#: Halves of surrogate pairs, which no encoding can write; saving says so.
_HALVES = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True)
class UnsavedText:
    """Text that differs from the file on disk.

    Attributes
    ----------
    path
        The file, None where it has no name yet.
    text, encoding
        The text, and how its file is written.
    base
        The file on disk when it was last read or saved.
    others
        The unsaved documents of other files that its edits have changed, by their paths.
    """

    path: Path | None
    text: str
    encoding: Encoding
    base: Fingerprint | None
    others: Mapping[Path, Document] = field(default_factory=dict)


class UnsavedWork:
    """The recovery file of one open file: one job at a time, in the order in which they were requested."""

    def __init__(self) -> None:
        self._executor = ThreadPoolExecutor(1, thread_name_prefix="recovery")
        self._kept: Path | None = None
        self._waiting: UnsavedText | None = None
        self._nameless = secrets.token_hex(8)

    def keep(self, unsaved: UnsavedText | None) -> Future[None]:
        """Write a text down, or forget what was written where there is none; return the job.

        Only the newest waiting text is written. The job raises `SaveError`.
        """
        self._waiting = unsaved
        return self._executor.submit(self._write, unsaved)

    def close(self) -> None:
        """Forget what was written, and end the thread.

        Raises
        ------
        SaveError
            If it cannot be removed.
        """
        job = self.keep(None)
        self._executor.shutdown(wait=True)
        job.result()

    def _write(self, unsaved: UnsavedText | None) -> None:
        if unsaved is not self._waiting:
            return  # a later one is on its way
        former = self._kept
        self._kept = None if unsaved is None else write_unsaved(unsaved, self._nameless)
        if former is not None and former != self._kept:
            discard_recovery(former)


def write_unsaved(unsaved: UnsavedText, nameless: str) -> Path:
    """Write a text where it survives a crash, and return the recovery file.

    ``nameless`` tells a text without a file from others of this run; see :func:`.write_recovery`.

    Raises
    ------
    SaveError
        If it cannot be written.
    """
    others = [
        KeptFile(path, _stored(each.text, each.encoding), each.fingerprint) for path, each in unsaved.others.items()
    ]
    data = _stored(unsaved.text, unsaved.encoding)
    return write_recovery(unsaved.path, data, unsaved.base, nameless=nameless, others=others)


def _stored(text: str, encoding: Encoding) -> bytes:
    """Return a text as saving would write it; what no encoding can write is replaced."""
    try:
        return encode(*storable(text, encoding))
    except EncodingError:
        return encode(*storable(_HALVES.sub("\ufffd", text), encoding))
