"""Elements that know their own text but not its location.

An element's offsets are relative to its own first character. It is therefore the same object wherever its text moves
to: an edit re-reads the smallest element around it and shares all others (:mod:`sdfviewer.document.document`), and
whatever is computed from an element alone can be kept by identity for as long as the element lives.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, NoReturn

#: One attribute inside a start tag: name, value with its quotes.
ATTRIBUTE = re.compile(r"""([^\s=/<>"']+)\s*=\s*("[^"]*"|'[^']*')""")

#: What to use for names of other libraries.
_ELSEWHERE = {
    "xpath": "find(path), findall(tag) or iter(tag)",
    "iterfind": "findall(tag) or iter(tag)",
    "getchildren": "children",
    "getparent": "owner of the link, joint or frame: an element does not know where it is",
    "sourceline": "location.line of the link, joint or frame: an element does not know where it is",
    "set": "edit.set_property(thing, path, value): an element never changes",
    "append": "edit.add_link(name), edit.add_joint(...) and others: an element never changes",
    "findtext": "text_of(tag)",
    "keys": "attributes",
    "items": "attributes",
}
_NOTHING: dict[str, str] = {}
_BLANKS = re.compile(r"[ \t\r\n\v\f]+")


class NameElsewhere:
    """A name of another library in a class: to read it says what to use instead.

    A ``__getattr__`` would make every attribute of an element slower to read, and a file has hundreds of thousands.
    """

    def __init__(self, name: str, instead: str) -> None:
        self._name, self._instead = name, instead

    def __get__(self, instance: object, owner: type) -> NoReturn:
        message = f"'{owner.__name__}' has no attribute '{self._name}'; use {self._instead}"
        raise AttributeError(message, name=self._name, obj=instance)


class Element:
    """An XML element, immutable and independent of its position in a file.

    Attributes
    ----------
    tag
        Name as written, with its prefix.
    attributes
        Values by name, references such as ``&amp;`` resolved. Not to be modified.
    text
        The first run of character data, comments skipped, references resolved, blanks kept; empty if there is none, or
        nothing but blanks before the first child.
    children
        Child elements in document order.
    offsets
        Where each child starts, in characters from this element's first character.
    start_length, end_length, length
        Characters of the start tag, of the end tag (0 for ``<a/>``), and of the whole element.
    """

    __slots__ = ("attributes", "children", "end_length", "length", "offsets", "start_length", "tag", "text")

    def __init__(
        self,
        tag: str,
        attributes: dict[str, str] | None,
        text: str,
        children: tuple[Element, ...],
        offsets: tuple[int, ...],
        start_length: int,
        end_length: int,
        length: int,
    ) -> None:
        self.tag = tag
        self.attributes = attributes or _NOTHING
        self.text = text
        self.children = children
        self.offsets = offsets
        self.start_length = start_length
        self.end_length = end_length
        self.length = length

    if not TYPE_CHECKING:

        @property
        def attrib(self) -> dict[str, str]:
            """The attributes, by their name in other libraries."""
            return self.attributes

    def __repr__(self) -> str:
        name = self.attributes.get("name")
        return f"<{self.tag} name={name!r}>" if name is not None else f"<{self.tag}>"

    def find(self, tag: str) -> Element | None:
        """Return the first child called ``tag``, or None; a path leads further down, ``axis/limit/lower``."""
        for child in self.children:
            if child.tag == tag:
                return child
        if "/" not in tag:
            return None
        first, _, rest = tag.partition("/")
        return next((found for child in self.findall(first) if (found := child.find(rest)) is not None), None)

    def get(self, name: str, default: str | None = None) -> str | None:
        """Return an attribute as it is written, or ``default``."""
        return self.attributes.get(name, default)

    def iter(self, *tags: str) -> Iterator[Element]:
        """Yield this element and everything below it that is called one of ``tags``, all by default."""
        wanted, stack = frozenset(tags), [self]
        while stack:
            element = stack.pop()
            if not wanted or element.tag in wanted:
                yield element
            if children := element.children:  # most have none
                stack += children[::-1]

    def findall(self, *tags: str) -> list[Element]:
        """Return the children called one of ``tags``, in document order."""
        return [child for child in self.children if child.tag in tags]

    def word(self, name: str, default: str = "") -> str:
        """Return an attribute without blanks around it, as libsdformat reads them all; ``default`` if it is missing."""
        value = self.attributes.get(name)
        return default if value is None else value.strip()

    @property
    def value(self) -> str:
        """The text without blanks around it, each run of blanks in it as one, as libsdformat reads it."""
        text = self.text
        return text if text.isidentifier() else _BLANKS.sub(" ", text.strip())  # a name, as nearly everywhere, has none

    def text_of(self, tag: str, default: str = "") -> str:
        """Return the value of the first child called ``tag``, or ``default`` where there is no such child."""
        child = self.find(tag)
        return default if child is None else child.value

    @property
    def given_name(self) -> str:
        """The name that it gives what it is, empty where it gives none: of an ``<include>`` that is a child."""
        return self.word("name") or (self.text_of("name") if self.tag == "include" else "")

    @property
    def included_name(self) -> str:
        """The name that an ``<include>`` gives what it adds, or else the one that its ``<uri>`` ends in."""
        return self.text_of("name") or self.text_of("uri").rstrip("/").rpartition("/")[2].removesuffix(".sdf")

    def descendants(self) -> Iterator[Element]:
        """Yield this element and everything below it in document order."""
        return self.iter()

    def with_child(self, index: int, child: Element) -> Element:
        """Return this element with child ``index`` replaced by ``child``, whose text may be longer or shorter."""
        delta = child.length - self.children[index].length
        offsets = self.offsets[: index + 1] + tuple(offset + delta for offset in self.offsets[index + 1 :])
        return with_children(self, (*self.children[:index], child, *self.children[index + 1 :]), offsets, delta)


for _name, _instead in _ELSEWHERE.items():
    setattr(Element, _name, NameElsewhere(_name, _instead))


def with_children(element: Element, children: tuple[Element, ...], offsets: tuple[int, ...], delta: int) -> Element:
    """Return an element with other children at other offsets, and ``delta`` more characters between its tags."""
    lengths = element.start_length, element.end_length, element.length + delta
    return Element(element.tag, element.attributes, element.text, children, offsets, *lengths)
