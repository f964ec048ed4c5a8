"""An SDFormat text in the making, and the element of the MJCF that each of its elements comes from."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

import numpy as np

from sdfviewer.document.xml.parse import escape
from sdfviewer.formats.mjcf.nodes import Node
from sdfviewer.number_text import format_exact
from sdfviewer.transforms import Array, matrix_to_quaternion, rpy_to_matrix, written_numbers_of

#: By how much three angles may differ from the rotation that they are written for; else four numbers are written.
_EXACT = 4e-16


@dataclass(slots=True)
class MjcfOutput:
    """An XML text, and the element of the MJCF that each of its elements comes from."""

    pieces: list[str] = field(default_factory=list)
    origins: list[Node] = field(default_factory=list)
    _depth: int = 0

    def open(self, node: Node, tag: str, attributes: Mapping[str, str] | None = None) -> None:
        """Begin an element."""
        self.origins.append(node)
        written = "".join(f' {name}="{escape(value, chr(34))}"' for name, value in (attributes or {}).items())
        self.pieces.append(f"{'  ' * self._depth}<{tag}{written}>\n")
        self._depth += 1

    def close(self, tag: str) -> None:
        """End an element."""
        self._depth -= 1
        self.pieces.append(f"{'  ' * self._depth}</{tag}>\n")

    def leaf(self, node: Node, tag: str, text: str, attributes: Mapping[str, str] | None = None) -> None:
        """Add an element with a text."""
        self.open(node, tag, attributes)
        self._depth -= 1
        self.pieces[-1] = f"{self.pieces[-1][:-1]}{escape(text)}</{tag}>\n"

    def numbers(self, node: Node, tag: str, *values: float, attributes: Mapping[str, str] | None = None) -> None:
        """Add an element with numbers."""
        self.leaf(node, tag, in_words(values), attributes)

    def pose(self, node: Node, X: Array, relative_to: str | None = None) -> None:
        """Add a pose (4, 4): three angles where they say exactly the same, else a quaternion; nothing for none."""
        if relative_to is None and np.array_equal(X, np.eye(4)):
            return
        attributes = {} if relative_to is None else {"relative_to": relative_to}
        numbers = np.array(written_numbers_of(X))
        if np.abs(rpy_to_matrix(numbers[3:]) - X[:3, :3]).max() > _EXACT:
            w, x, y, z = matrix_to_quaternion(X[:3, :3]).tolist()
            numbers = np.array([*X[:3, 3], x, y, z, w])
            attributes = {"rotation_format": "quat_xyzw", **attributes}
        self.leaf(node, "pose", in_words(numbers.tolist()), attributes)


def in_words(values: Iterable[float]) -> str:
    """Return numbers as text that reads back as the same numbers; none is beyond what a number can be."""
    return " ".join(format_exact(value + 0.0) if math.isfinite(value) else "0" for value in values)
