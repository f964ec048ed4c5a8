"""Read files from disk into documents."""

from __future__ import annotations

import re
from os import PathLike
from pathlib import Path
from typing import Protocol, TypeAlias

from sdfviewer.document.document import MAX_FILE_BYTES, Document, Fingerprint, UnreadableFileError, parse_document
from sdfviewer.document.xml.encoding import Decoded, EncodingError, decode
from sdfviewer.files.paths import read_regular, why_unreadable
from sdfviewer.files.saving import fingerprint
from sdfviewer.logs import RoomLog

_LOG = RoomLog("files")

#: The suffixes of the files in a folder that are checked.
MODEL_SUFFIXES = (".sdf", ".world", ".urdf", ".mjcf")
#: Those of files that may be checked: an XML file is where :func:`is_model` says so.
POSSIBLE_SUFFIXES = (*MODEL_SUFFIXES, ".xml")
#: The beginning of an MJCF file: its root element, behind declarations and comments.
_MJCF = re.compile(rb"(?:\xef\xbb\xbf)?(?:\s|<\?.*?\?>|<!--.*?-->)*<mujoco[\s>/]", re.DOTALL)
_BEGINNING = 2**14


def is_model(path: Path) -> bool:
    """Return whether a file in a folder is one that is checked: by its suffix, or since it begins as MJCF does."""
    if path.suffix.lower() != ".xml":
        return path.suffix.lower() in MODEL_SUFFIXES
    try:
        return _MJCF.match(read_regular(path, _BEGINNING)) is not None
    except OSError:
        return False  # nothing is known of it


def current_folder() -> Path:
    """Return the folder that relative paths begin at, the root of the disk if it has been deleted."""
    try:
        return Path.cwd()
    except FileNotFoundError:
        return Path("/")


def read_bytes(path: Path, *, allow_pipe: bool = False, most: int = MAX_FILE_BYTES) -> bytes:
    """Return the content of a file.

    Parameters
    ----------
    path
        The file.
    allow_pipe
        Whether a pipe is read to its end, as in ``sdfviewer check <(xacro arm.xacro)``. A file that another file names
        must be a regular one: reading a pipe or a device may never end.
    most
        Bytes that it may have.

    Raises
    ------
    UnreadableFileError
        With a reason in plain words.
    """
    try:
        # The size that the file system reports may be wrong, or change.
        data = read_regular(path, most + 1, allow_pipe=allow_pipe)
    except OSError as error:
        raise UnreadableFileError(why_unreadable(path, error)) from error
    if len(data) > most:
        raise UnreadableFileError(f"{path} is larger than {most // 2**20} MiB")
    return data


class Readable(Protocol):
    """A file object, opened as text or as bytes."""

    def read(self) -> str | bytes:
        """Return everything up to the end."""


#: Where a document comes from: a path, a text that starts with ``<``, bytes, or a file object.
Source: TypeAlias = "str | PathLike[str] | bytes | Readable"


def read_source(source: Source) -> Document:
    """Return the document of a path, of a text that starts with ``<``, of bytes, or of a file object.

    A file object that was opened from a path counts as that path, so that what the file names is found.

    Raises
    ------
    UnreadableFileError
        If there is no such file or it cannot be read.
    """
    if isinstance(source, str) and source.lstrip("\ufeff \t\r\n").startswith("<"):
        return parse_document(source)
    if isinstance(source, (bytes, bytearray)):
        return _parse_bytes(bytes(source), "the bytes")
    if isinstance(source, str) and (not source.strip() or "\n" in source):
        raise UnreadableFileError(f"{source!r:.60} is neither a path nor XML, which starts with '<'")
    if isinstance(source, (str, PathLike)):
        return open_document(Path(source))
    read, name = getattr(source, "read", None), getattr(source, "name", None)
    if read is None:
        raise UnreadableFileError(
            f"a model is read from a path, a text that starts with '<', bytes or a file object, not from {source!r:.60}"
        )
    if isinstance(name, str) and Path(name).is_file():
        return open_document(name)
    try:
        content = read()
    except (OSError, ValueError) as error:  # a closed file, or bytes that are no text
        raise UnreadableFileError(f"cannot read {source!r:.60}: {error}") from error
    return parse_document(content) if isinstance(content, str) else _parse_bytes(content, f"{source!r:.60}")


def _parse_bytes(data: bytes, what: str) -> Document:
    if len(data) > MAX_FILE_BYTES:
        raise UnreadableFileError(f"{what} are more than {MAX_FILE_BYTES // 2**20} MiB")
    try:
        decoded = decode(data)
    except EncodingError as error:
        raise UnreadableFileError(f"cannot read {what}: {error}") from error
    return parse_document(decoded.text, encoding=decoded.encoding)


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
    decoded, on_disk = read_decoded(path, allow_pipe=allow_pipe)
    _LOG.debug("read %s: %s characters in %s", path, len(decoded.text), decoded.encoding.name)
    return parse_document(decoded.text, path, encoding=decoded.encoding, on_disk=on_disk)


def read_decoded(path: Path, *, allow_pipe: bool = False) -> tuple[Decoded, Fingerprint]:
    """Return the text of a file, and what it is on disk.

    Raises
    ------
    UnreadableFileError
        If there is no such file or it cannot be read.
    """
    data = read_bytes(path, allow_pipe=allow_pipe)
    try:
        return decode(data), fingerprint(path, data)
    except EncodingError as error:
        raise UnreadableFileError(f"cannot read {path}: {error}") from error
