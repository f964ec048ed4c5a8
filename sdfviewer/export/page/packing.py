"""Pack records and arrays into one block of bytes that a page reads without a parser of its own.

The block is a number of four bytes, the length of a header, then the header in JSON, then the arrays, each at a
multiple of eight bytes and in the byte order of all processors that run browsers. In the header an array is
``{"$": [type, start, shape]}``.
"""

from __future__ import annotations

import gzip
import json
import math
from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

_ALIGNMENT: Final = 8
#: The types that JavaScript has typed arrays for.
_TYPES: Final = {
    np.dtype("<f8"): "f8",
    np.dtype("<f4"): "f4",
    np.dtype("<i4"): "i4",
    np.dtype("<u4"): "u4",
    np.dtype("<u2"): "u2",
    np.dtype("i1"): "i1",
    np.dtype("u1"): "u1",
}
_LEVEL: Final = 9


def pack(record: Mapping[str, Any]) -> bytes:
    """Return a record of texts, numbers, lists and arrays as compressed bytes, the same each time."""
    arrays: list[bytes] = []
    end = 0

    def place(data: bytes) -> int:
        nonlocal end
        arrays.append(data + b"\0" * (-len(data) % _ALIGNMENT))
        start, end = end, end + len(arrays[-1])
        return start

    def plain(value: Any) -> Any:
        if isinstance(value, np.ndarray):
            array = _with_known_type(value)
            return {"$": [_TYPES[array.dtype], place(array.tobytes()), list(array.shape)]}
        if isinstance(value, bytes):
            return {"$": ["u1", place(value), [len(value)]]}
        if isinstance(value, Mapping):
            return {str(key): plain(each) for key, each in value.items()}
        if isinstance(value, Sequence) and not isinstance(value, str):
            return [plain(each) for each in value]
        if isinstance(value, float) and not math.isfinite(value):
            return None
        return value

    header = json.dumps(plain(record), ensure_ascii=True, separators=(",", ":")).encode("ascii")
    header += b" " * (-(4 + len(header)) % _ALIGNMENT)
    return gzip.compress(len(header).to_bytes(4, "little") + header + b"".join(arrays), _LEVEL, mtime=0)


def _with_known_type(array: NDArray[Any]) -> NDArray[Any]:
    """Return an array in a type that a page can read."""
    if array.dtype.newbyteorder("<") in _TYPES:
        return np.ascontiguousarray(array, array.dtype.newbyteorder("<"))
    if array.dtype.kind == "b":
        return np.ascontiguousarray(array, np.uint8)
    return np.ascontiguousarray(array, "<i4" if array.dtype.kind in "iu" else "<f8")
