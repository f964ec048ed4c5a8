"""The open elements at a position, found without parsing the text from its start."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

from sdfviewer.document.document import Document
from sdfviewer.document.xml.tags import find_tags
from sdfviewer.language.completion import Open
from sdfviewer.language.text_map import TextMap, common_start


class Outline:
    """The elements of a document, beside what has been typed since.

    Parameters
    ----------
    document
        The document; of a text that is not XML, the elements that it has all the same are taken.
    places
        Between its text and what an editor shows of it.
    """

    def __init__(self, document: Document, places: TextMap) -> None:
        self._document = document.recovered
        self._places = places

    def open_at(self, text: str, at: int) -> list[Open]:
        """Return the elements that are open at an offset of a text, outermost first."""
        known = common_start(self._places.shown, text, at)
        offset = self._places.offset_of_shown(known)
        around: list[Open] = []
        begin = 0
        root = self._document.root
        if root is not None and (end := self._document.offset(root) + root.length) <= offset:
            begin = end  # behind the document nothing of it is open
        for element, start, _ in self._document.path_to(offset, offset):
            content_end = start + element.length - element.end_length
            if not start + element.start_length <= offset <= content_end or not element.end_length:
                break
            if element.tag == "include":
                around.append(Open(element.tag, element.text_of("name"), element.text_of("uri")))
            else:
                around.append(Open(element.tag, element.attributes.get("name"), element.attributes.get("filename", "")))
            begin = start + element.start_length
            before = bisect_right(element.offsets, offset - start) - 1
            if before >= 0:
                child, child_start = element.children[before], start + element.offsets[before]
                begin = child_start + child.length if child_start + child.length <= offset else child_start
        # Only what comes after the last element that is known to be closed is read.
        begin = self._places.shown_of_offset(begin)
        return open_elements(text[begin:at], around)


def open_elements(text: str, around: Sequence[Open] = ()) -> list[Open]:
    """Return the elements that are open at the end of a text, outermost first; ``around`` are open at its beginning.

    An end tag ends what is open inside its element; one whose element is not open ends nothing.
    """
    stack = list(around)
    for tag in find_tags(text):
        if not tag.is_whole or tag.is_empty:
            continue
        if tag.is_end:
            opened = next((at for at in reversed(range(len(stack))) if stack[at].tag == tag.name), len(stack))
            del stack[opened:]
        else:
            stack.append(Open(tag.name, tag.name_attribute, tag.filename_attribute))
    return stack
