"""The editor's messages as bytes: headers that no editor sends end the input instead of the memory."""

from __future__ import annotations

from typing import BinaryIO

from sdfviewer.document.document import MAX_FILE_BYTES

#: No message is longer: the text of the largest file that is read, with an escape for each of its characters.
MOST_BYTES = 6 * MAX_FILE_BYTES
_LONGEST_HEADER = 4096
_LENGTH = b"content-length:"


class MessageInput:
    """The stream of the editor's messages, which ends where a header is wrong: what follows cannot be separated.

    pygls takes every length for right, reserves memory for it, and ends with an exception at one of 5000 digits.

    Attributes
    ----------
    fault
        Why it has ended, empty where the editor has ended it.
    """

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self.fault = ""

    def readline(self) -> bytes:
        """Return the next header, nothing at the end."""
        if self.fault:
            return b""
        try:
            line = self._stream.readline(_LONGEST_HEADER)
        except ConnectionError:  # the editor has gone
            return b""
        if len(line) == _LONGEST_HEADER:
            self.fault = f"the editor has sent a header of more than {_LONGEST_HEADER} bytes"
        elif line.lower().startswith(_LENGTH):
            self.fault = _why_wrong(line[len(_LENGTH) :].strip())
        return b"" if self.fault else line

    def read(self, size: int) -> bytes:
        """Return the next bytes, those of a message; nothing where the editor goes before it has sent them all."""
        try:
            body = self._stream.read(size)
        except ConnectionError:
            body = b""
        if len(body) < size:
            self.fault = f"the editor has announced a message of {size} bytes, and has sent {len(body)}"
            return b""
        return body


def _why_wrong(length: bytes) -> str:
    """Return what is wrong with the length of a message, empty where nothing is."""
    shown = length[:20].decode("ascii", "backslashreplace")
    if not length.isdigit():
        return f"the editor has sent 'Content-Length: {shown}', which is no number of bytes"
    if len(length) > len(str(MOST_BYTES)) or int(length) > MOST_BYTES:
        return f"the editor has announced a message of {shown} bytes; more than {MOST_BYTES} are not read"
    return ""
