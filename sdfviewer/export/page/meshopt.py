"""Compress the arrays of a mesh as glTF's EXT_meshopt_compression has it.

The extension's text, with both bitstreams, is in the registry of glTF. Triangles are put in an order in which most
share an edge with one just before, and vertices in the order in which they are first used: then a triangle takes a
byte.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

_GROUP: Final = 16
#: Bits of each delta in a group by its mode; of two and four bits the highest value means that a byte follows.
_BITS: Final = (0, 2, 4, 8)
#: Bytes of the longest group: four bits each, and a byte each.
_LONGEST: Final = 24
_LEAST_TAIL: Final = 32
#: Edges that may be referred to, of those written last; vertices next to an edge, and elsewhere.
_EDGES: Final = 15
_VERTICES_AT_EDGE: Final = 13
_VERTICES: Final = 14
#: A reference to a vertex by the difference of its number; those to the neighbours of the last such vertex.
_EXPLICIT: Final = 15
_NEXT_TO_LAST: Final = {-1: 13, 1: 14}
#: Pairs of references to vertices that take no byte of their own; an index stream ends with them.
_PAIRS: Final = bytes.fromhex("00768756 6778a986 65896898 01690000")


def encode_attributes(values: NDArray[Any]) -> bytes:
    """Return the attributes (n, k) of n vertices in the mode ATTRIBUTES; a vertex has a multiple of four bytes.

    Each byte of a vertex is a difference from that of the vertex before; sixteen differences are a group.
    """
    rows = np.ascontiguousarray(values).view(np.uint8).reshape(len(values), -1)
    count, stride = rows.shape
    block = min(0x2000 // stride // _GROUP * _GROUP, 256)
    differences = np.diff(rows, axis=0, prepend=rows[:1]).view(np.int8)
    zigzag = ((differences << 1) ^ (differences >> 7)).view(np.uint8)
    parts = [b"\xa0"]
    for first in range(0, count, block):
        some = zigzag[first : first + block]
        padded = np.zeros((len(some) + (-len(some)) % _GROUP, stride), np.uint8)
        padded[: len(some)] = some
        parts.append(_encode_groups(padded.T.reshape(stride, -1, _GROUP)))
    return b"".join([*parts, bytes(max(_LEAST_TAIL - stride, 0)), rows[0].tobytes()])


def _encode_groups(groups: NDArray[np.uint8]) -> bytes:
    """Return groups (k, g, 16) of each of k bytes: first the modes of its groups, then the groups."""
    sizes = np.stack(
        [
            np.where((groups > 0).any(axis=-1), _LONGEST + 1, 0),
            4 + (groups >= 3).sum(axis=-1),
            8 + (groups >= 15).sum(axis=-1),
            np.full(groups.shape[:-1], _GROUP),
        ]
    )
    modes = np.argmin(sizes, axis=0)
    taken = np.min(sizes, axis=0)
    content = np.zeros((*groups.shape[:-1], _LONGEST), np.uint8)
    for mode, bits in enumerate(_BITS):
        chosen = modes == mode
        if not chosen.any() or not bits:
            continue
        some = groups[chosen]
        if mode == len(_BITS) - 1:
            content[chosen, :_GROUP] = some
            continue
        highest = 2**bits - 1
        short = np.minimum(some, highest).reshape(len(some), -1, 8 // bits)
        shifts = np.arange(8 - bits, -1, -bits)
        start = 2 * bits
        packed = np.zeros((len(some), _LONGEST), np.uint8)
        packed[:, :start] = (short << shifts).sum(axis=-1)
        more = some >= highest
        at = start + np.cumsum(more, axis=1) - 1
        packed[np.nonzero(more)[0], at[more]] = some[more]
        content[chosen] = packed
    padded = np.zeros((len(groups), modes.shape[1] + (-modes.shape[1]) % 4), np.uint8)
    padded[:, : modes.shape[1]] = modes
    headers = (padded.reshape(len(groups), -1, 4) << np.array([0, 2, 4, 6])).sum(axis=-1).astype(np.uint8)
    # Row by row: the modes of a byte's groups, and what each group takes of its place.
    flat = content.reshape(len(groups), -1)
    used = (np.arange(_LONGEST) < taken[..., np.newaxis]).reshape(len(groups), -1)
    whole = np.concatenate([headers, flat], axis=1)
    taken_bytes: NDArray[np.uint8] = whole[np.concatenate([np.ones(headers.shape, bool), used], axis=1)]
    return taken_bytes.tobytes()


def encode_triangles(triangles: NDArray[Any]) -> tuple[bytes, NDArray[np.int64]]:
    """Return triangles (m, 3) in the mode TRIANGLES, and the vertices that they use in the order that they count them.

    Parameters
    ----------
    triangles
        Numbers of vertices. All triangles keep their vertices and their sides; their order changes.
    """
    stream = _TriangleStream(triangles)
    stream.write()
    data = b"\xe1" + bytes(stream.codes) + bytes(stream.data) + _PAIRS
    return data, np.array(list(stream.numbers), np.int64)


class _TriangleStream:
    """Writes triangles from one to the next, and keeps what the reader keeps.

    Attributes
    ----------
    codes, data
        A byte for each triangle, and what the bytes leave open.
    numbers
        The number of each vertex, in the order of their first use.
    """

    def __init__(self, triangles: NDArray[Any]) -> None:
        self.codes, self.data = bytearray(), bytearray()
        self.numbers: dict[int, int] = {}
        self._corners: list[int] = triangles.ravel().tolist()
        self._twins: list[int] = _twins(triangles).tolist()
        self._edges: list[int] = []  # the corner of the triangle across each edge, the last edge last
        self._pushed: dict[int, int] = {}  # when each vertex was last pushed
        self._pushes = 0
        self._last = 0

    def write(self) -> None:
        """Write all triangles."""
        done = bytearray(len(self._corners) // 3)
        first = 0
        for _ in done:
            for ago, corner in enumerate(reversed(self._edges)):
                if corner >= 0 and not done[corner // 3]:
                    done[corner // 3] = True
                    self._write_at_edge(ago, corner)
                    break
            else:
                first = done.index(0, first)
                done[first] = True
                self._write_alone(first)
            del self._edges[:-_EDGES]

    def _write_at_edge(self, ago: int, corner: int) -> None:
        """Write a triangle that begins with an edge that was written before."""
        start, turn = corner - corner % 3, corner % 3
        across, behind = start + (turn + 1) % 3, start + (turn + 2) % 3
        vertex = self._corners[behind]
        if vertex in self.numbers:
            code = self._refer(vertex, _VERTICES_AT_EDGE) or _EXPLICIT
            if code == _EXPLICIT:
                step = self.numbers[vertex] - self._last
                code = _NEXT_TO_LAST.get(step, _EXPLICIT)
                if code == _EXPLICIT:
                    _append_difference(self.data, step)
                self._last += step
                self._push(vertex)
        else:
            code = self._number(vertex)
            self._push(vertex)
        self.codes.append(ago << 4 | code)
        self._edges += (self._twins[across], self._twins[behind])

    def _write_alone(self, triangle: int) -> None:
        start = 3 * triangle
        # The first may be new, and only after a new one others may.
        turn = next((n for n in range(3) if self._corners[start + n] not in self.numbers), 0)
        corners = [start + (turn + n) % 3 for n in range(3)]
        references: list[int] = []
        differences = bytearray()
        pushed: list[int] = []
        for place, corner in enumerate(corners):
            vertex = self._corners[corner]
            if vertex in self.numbers:
                ago = self._refer(vertex, _VERTICES) if place else None
                reference = _EXPLICIT if ago is None else ago + 1
                if reference == _EXPLICIT:
                    _append_difference(differences, self.numbers[vertex] - self._last)
                    self._last = self.numbers[vertex]
                    pushed.append(vertex)
            else:
                reference = self._number(vertex)
                pushed.append(vertex)
            references.append(reference)
        for vertex in pushed:
            self._push(vertex)
        begin, *others = references
        pair = others[0] << 4 | others[1]
        known = _PAIRS.find(pair, 0, _VERTICES)
        if begin == 0 and known >= 0:
            self.codes.append(0xF0 | known)
        else:
            self.codes.append(0xFE if begin == 0 else 0xFF)
            self.data.append(pair)
            self.data += differences
        self._edges += [self._twins[corner] for corner in corners]

    def _number(self, vertex: int) -> int:
        """Give a new vertex the next number, and return the reference that says so."""
        self.numbers[vertex] = len(self.numbers)
        return 0

    def _push(self, vertex: int) -> None:
        self._pushed[vertex] = self._pushes
        self._pushes += 1

    def _refer(self, vertex: int, count: int) -> int | None:
        """Return how long ago a vertex was pushed, None where it may not be referred to."""
        ago = self._pushes - self._pushed[vertex] - 1 if vertex in self._pushed else count
        return ago if ago < count else None


def _twins(triangles: NDArray[Any]) -> NDArray[np.int64]:
    """Return for each corner (3 m,) that of the triangle across the edge to the next corner, -1 where there is none."""
    start = triangles.astype(np.int64)
    end = np.roll(start, -1, axis=1)
    count = int(start.max(initial=0)) + 1
    keys, wanted = (start * count + end).ravel(), (end * count + start).ravel()
    order = np.argsort(keys, kind="stable")
    at = np.minimum(np.searchsorted(keys, wanted, sorter=order), len(keys) - 1)
    found = order[at]
    return np.where(keys[found] == wanted, found, -1)


def _append_difference(data: bytearray, difference: int) -> None:
    """Append a whole number, its sign in the lowest bit, seven bits a byte."""
    value = 2 * difference if difference >= 0 else -2 * difference - 1
    while value > 127:
        data.append(value & 127 | 128)
        value >>= 7
    data.append(value)
