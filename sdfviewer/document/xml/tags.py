"""The tags of a text that may not be well-formed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from sdfviewer.document.xml.parse import resolve_references

# The only token with a name (group 2) is a tag; the last group tells whether it has an end.
TOKEN = re.compile(
    r"<!--.*?(?:-->|\Z)|<!\[CDATA\[.*?(?:\]\]>|\Z)|<\?.*?(?:\?>|\Z)"
    r"|<(/?)([^\s<>/\"']*)([^<>\"']*(?:(?:\"[^\"<]*\"|'[^'<]*')[^<>\"']*)*)(>?)",
    re.DOTALL,
)
_NAME = re.compile(r"\bname\s*=\s*(?:\"([^\"]*)\"|'([^']*)')")


@dataclass(frozen=True, slots=True)
class Tag:
    """A start or end tag: where it is, and what it says."""

    start: int
    end: int
    name: str
    attributes: str
    is_end: bool
    is_whole: bool

    @property
    def is_empty(self) -> bool:
        """Whether it is a whole element: ``<a/>``."""
        return not self.is_end and self.attributes.endswith("/")

    @property
    def name_start(self) -> int:
        """Where its name begins."""
        return self.start + (2 if self.is_end else 1)

    @property
    def name_attribute(self) -> str | None:
        """The value of its ``name``, as a reader gets it; None where it has none."""
        match = _NAME.search(self.attributes)
        return None if match is None else resolve_references(match[1] if match[1] is not None else match[2])


def find_tags(text: str, start: int = 0) -> Iterator[Tag]:
    """Yield the tags of a text from an offset on that is inside of none."""
    for match in TOKEN.finditer(text, start):
        if match[2]:
            yield Tag(match.start(), match.end(), match[2], match[3].rstrip(), bool(match[1]), bool(match[4]))
