"""Tags in a text that may not be well-formed while you type."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator

from sdfviewer.document.xml.parse import Tag, comment_end, find_tags

WORD = re.compile(r"[\w.:+-]+")
_ATTRIBUTE = re.compile(r"[^\s=<>/\"']+\s*=\s*(\"[^\"<]*\"|'[^'<]*')")


#: Characters before an offset that are read first.
_NEAR = 4096


def open_tags(text: str, start: int = 0) -> list[Tag]:
    """Return the start tags of the elements that are open at the end of a text, outermost first."""
    stack: list[Tag] = []
    for tag in find_tags(text, start):
        if not tag.is_whole or tag.is_empty:
            continue
        if tag.is_end:
            while stack and stack.pop().name != tag.name:
                pass
        else:
            stack.append(tag)
    return stack


def _openings_around(text: str, end: int) -> Iterator[list[Tag]]:
    """Yield the start tags of the elements that are open at an offset: of the innermost first, of all at last.

    A large text is read backwards in steps: most questions are about what is near.
    """
    size = _NEAR
    while size < end:
        start = text.find("<", end - size, end)
        if start < 0:
            start = end
        elif comment := comment_at(text, start):
            start = comment[0]
        elif (data := text.rfind("<![CDATA[", 0, start + 1)) >= 0 and text.find("]]>", data) > start:
            start = data
        yield open_tags(text[:end], start)
        size *= 16
    yield open_tags(text[:end])


def innermost_open(text: str, offset: int) -> Tag | None:
    """Return the start tag of the innermost element that is open at an offset, None where none is."""
    return next((tags[-1] for tags in _openings_around(text, offset) if tags), None)


def comment_at(text: str, offset: int) -> tuple[int, int] | None:
    """Return start and end of the comment that an offset is in."""
    start = text.rfind("<!--", 0, offset)
    if start < 0:
        return None
    end = comment_end(text, start)
    is_closed = text.endswith("-->", start + 4, end)
    return (start, end) if offset < end + (not is_closed) else None


def tag_at(text: str, offset: int) -> Tag | None:
    """Return the tag that an offset is in, or at either end of."""
    if comment_at(text, offset) is not None:
        return None
    for at in (offset, offset - 1):
        start = text.rfind("<", 0, at + 1)
        tag = next(find_tags(text, start), None) if start >= 0 else None
        if tag is not None and tag.start == start and offset <= tag.end:
            return tag
    return None


def _comments(text: str, end: int) -> Iterator[tuple[int, int]]:
    """Yield start and end of the comments before an offset."""
    at = 0
    while (start := text.find("<!--", at, end)) >= 0:
        at = min(comment_end(text, start), end)
        yield start, at


def _tags_named(text: str, name: str, start: int = 0, end: int | None = None) -> Iterator[Tag]:
    """Yield the whole tags of a name that are no elements of their own: much faster than looking at all tags."""
    end = len(text) if end is None else end
    comments = list(_comments(text, end))
    # A pattern that begins with the name itself is found twenty times as fast as one that begins with "<".
    word = re.escape(name)
    pattern = re.compile(
        rf"{word}(?:(?<=<{word})|(?<=</{word}))((?:\s[^<>\"']*(?:(?:\"[^\"<]*\"|'[^'<]*')[^<>\"']*)*)?)(?<!/)>"
    )
    for match in pattern.finditer(text, start, end):
        is_end = text[match.start() - 1] == "/"
        begin = match.start() - (2 if is_end else 1)
        number = bisect_right(comments, (begin, end)) - 1
        if number < 0 or begin >= comments[number][1]:
            yield Tag(begin, match.end(), name, match[1].rstrip(), is_end, is_whole=True)


def partner_of(text: str, tag: Tag) -> Tag | None:
    """Return the end tag of a start tag, or the reverse; None if there is none."""
    if tag.is_empty or not tag.is_whole:
        return None
    if tag.is_end:
        opened: list[Tag] = []
        for other in _tags_named(text, tag.name, 0, tag.start):
            if not other.is_end:
                opened.append(other)
            elif opened:
                opened.pop()
        return opened[-1] if opened else None
    depth = 0
    for other in _tags_named(text, tag.name, tag.end):
        depth += -1 if other.is_end else 1
        if depth < 0:
            return other
    return None


def is_missing_an_end(text: str, name: str) -> bool:
    """Return whether a text has more start than end tags of a name."""
    return sum(-1 if tag.is_end else 1 for tag in _tags_named(text, name)) > 0


def widened(text: str, start: int, end: int) -> tuple[int, int]:
    """Return the next larger piece around a selection that means something: a word, a value, a tag, an element."""
    pieces: list[tuple[int, int]] = []
    line_start, line_end = text.rfind("\n", 0, start) + 1, text.find("\n", end)
    line_end = len(text) if line_end < 0 else line_end
    pieces += [match.span() for match in WORD.finditer(text, line_start, line_end)]
    if comment := comment_at(text, start):
        pieces.append(comment)
    tag = tag_at(text, start)
    if tag is not None and tag.is_whole:
        pieces.append((tag.start, tag.end))
        for match in _ATTRIBUTE.finditer(text, tag.name_start, tag.end):
            pieces += [match.span(), (match.start(1) + 1, match.end(1) - 1)]
    larger = _larger(pieces, start, end)
    larger += _pieces_around(text, start if tag is None or tag.is_end else tag.end, start, end)
    return min(larger, key=lambda piece: piece[1] - piece[0], default=(0, len(text)))


def _pieces_around(text: str, at: int, start: int, end: int) -> list[tuple[int, int]]:
    """Return the pieces of the innermost element around an offset that hold a range and more."""
    unclosed: set[str] = set()
    for openings in _openings_around(text, at):
        for opening in reversed(openings):
            # Where an element has no end, those of its name around it have none either.
            if opening.name in unclosed:
                continue
            pieces = _pieces_of(text, opening)
            if not pieces:
                unclosed.add(opening.name)
            elif larger := _larger(pieces, start, end):
                return larger
    return []


def _pieces_of(text: str, opening: Tag) -> list[tuple[int, int]]:
    """Return an element, what is between its tags, and that without the blanks at its ends."""
    closing = partner_of(text, opening)
    if closing is None:
        return []
    content = text[opening.end : closing.start]
    first = opening.end + len(content) - len(content.lstrip())
    last = max(first, opening.end + len(content.rstrip()))
    return [(first, last), (opening.end, closing.start), (opening.start, closing.end)]


def _larger(pieces: Iterable[tuple[int, int]], start: int, end: int) -> list[tuple[int, int]]:
    """Return the pieces that hold a range and more."""
    return [
        each for each in pieces if each[0] <= start and end <= each[1] and each[0] < each[1] and each != (start, end)
    ]
