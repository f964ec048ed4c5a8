"""The tags of a text that may not be well-formed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from sdfviewer.document.xml.parse import resolve_references

# The only token with a name (group 2) is a tag; the last group tells whether it has an end. Of the others this is the
# beginning: `str.find` reaches the end of a comment of megabytes twenty times as fast as a pattern.
_TOKEN = re.compile(r"<!--|<!\[CDATA\[|<\?|<(/?)([^\s<>/\"']*)([^<>\"']*(?:(?:\"[^\"<]*\"|'[^'<]*')[^<>\"']*)*)(>?)")
_ENDS = {"<!--": "-->", "<![CDATA[": "]]>", "<?": "?>"}
_NAME, _FILENAME = (re.compile(rf"\b{name}\s*=\s*(?:\"([^\"]*)\"|'([^']*)')") for name in ("name", "filename"))


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
        return self._value(_NAME)

    @property
    def filename_attribute(self) -> str:
        """The value of its ``filename``, empty where it has none."""
        return self._value(_FILENAME) or ""

    def _value(self, pattern: re.Pattern[str]) -> str | None:
        match = pattern.search(self.attributes)
        return None if match is None else resolve_references(match[1] if match[1] is not None else match[2])


def comment_end(text: str, start: int) -> int:
    """Return the end of the comment that begins at an offset.

    One that is never closed, or only where another one ends, is being typed: it ends with its line.
    """
    end = text.find("-->", start + 4)
    if end < 0 or text.find("<!--", start + 4, end) >= 0:
        end = text.find("\n", start)
        return len(text) if end < 0 else end
    return end + 3


def find_markup(text: str, start: int = 0) -> Iterator[tuple[int, int, Tag | None]]:
    """Yield start and end of what is between angle brackets, from an offset on that is inside of none, and the tag.

    Comments, CDATA and instructions have no tag, and what has no end goes to the end of the text.
    """
    at = start
    while (match := _TOKEN.search(text, at)) is not None:
        begin, at = match.span()
        if (end := _ENDS.get(match[0])) is not None:
            at = text.find(end, at)
            at = len(text) if at < 0 else at + len(end)
            yield begin, at, None
        elif match[2]:
            yield begin, at, Tag(begin, at, match[2], match[3].rstrip(), bool(match[1]), bool(match[4]))


def find_tags(text: str, start: int = 0) -> Iterator[Tag]:
    """Yield the tags of a text from an offset on that is inside of none."""
    return (tag for _, _, tag in find_markup(text, start) if tag is not None)
