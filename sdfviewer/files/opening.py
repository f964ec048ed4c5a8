"""Read files from disk into documents."""

from __future__ import annotations

import stat
from pathlib import Path

from sdfviewer.document.document import MAX_FILE_BYTES, Document, UnreadableFileError, parse_document
from sdfviewer.document.xml.encoding import EncodingError, decode
from sdfviewer.files.saving import fingerprint


def read_bytes(path: Path, *, allow_pipe: bool = False) -> bytes:
    """Return the content of a file, which is never larger than :data:`MAX_FILE_BYTES`.

    Parameters
    ----------
    path
        The file.
    allow_pipe
        Whether a pipe is read to its end, as in ``sdfviewer check <(xacro arm.xacro)``. A file that another file names
        must be a regular one: reading a pipe or a device may never end.

    Raises
    ------
    UnreadableFileError
        With a reason in plain words.
    """
    try:
        mode = path.stat().st_mode
        if stat.S_ISDIR(mode):
            raise UnreadableFileError(f"{path} is a folder")
        if not stat.S_ISREG(mode) and not (allow_pipe and stat.S_ISFIFO(mode)):
            raise UnreadableFileError(f"{path} is not a regular file")
        with path.open("rb") as file:
            data = file.read(MAX_FILE_BYTES + 1)  # the size that the file system reports may be wrong, or change
    except OSError as error:
        raise UnreadableFileError(f"cannot read {path}: {error.strerror or error}") from error
    if len(data) > MAX_FILE_BYTES:
        raise UnreadableFileError(f"{path} is larger than {MAX_FILE_BYTES // 2**20} MiB")
    return data


def read_source(path_or_text: str | Path) -> Document:
    """Return the document of a file, or of a text that starts with ``<``.

    Raises
    ------
    UnreadableFileError
        If there is no such file or it cannot be read.
    """
    if isinstance(path_or_text, str) and path_or_text.lstrip("\ufeff \t\r\n").startswith("<"):
        return parse_document(path_or_text)
    return open_document(path_or_text)


def open_document(path: str | Path, *, allow_pipe: bool = False) -> Document:
    """Return the document of a file.

    Parameters
    ----------
    path
        The file.
    allow_pipe
        See :func:`read_bytes`.

    Raises
    ------
    UnreadableFileError
        If there is no such file or it cannot be read.
    """
    path = Path(path)
    data = read_bytes(path, allow_pipe=allow_pipe)
    try:
        decoded = decode(data)
    except EncodingError as error:
        raise UnreadableFileError(f"cannot read {path}: {error}") from error
    return parse_document(decoded.text, path, encoding=decoded.encoding, on_disk=fingerprint(path, data))
