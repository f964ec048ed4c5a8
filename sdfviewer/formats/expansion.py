"""Documents that are written from other files, which the places of their elements lead back to.

A xacro file writes a URDF, an MJCF file writes SDFormat: what is read, drawn and converted is the text written, and
what is said about it names the lines of the files it was written from.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import ClassVar, TypeAlias, TypeVar

from sdfviewer.diagnostics import Span
from sdfviewer.document.document import Document, parse_document
from sdfviewer.document.element import Element
from sdfviewer.document.xml.encoding import Encoding

#: An element of a source, with the file that it is in.
Written: TypeAlias = tuple[Document, Element]
_Expanded = TypeVar("_Expanded", bound="ExpandedDocument")
#: A chain of callers longer than this is not reported in full.
_MOST_CALLS = 5


class ExpandedDocument(Document):
    """A text written from other files: a document without a file, whose places are those of the sources.

    Attributes
    ----------
    language
        What the sources are written in, as people call it.
    sources
        The files that were read, the one that was expanded first.
    data
        The files that were read and are no XML, such as those of ``load_yaml``.
    """

    language: ClassVar[str] = ""
    sources: tuple[Document, ...] = ()
    data: tuple[Document, ...] = ()

    @classmethod
    def written(
        cls: type[_Expanded],
        document: Document,
        text: str,
        origins: Iterable[Written | None],
        callers: Iterable[tuple[Written, ...]],
        sources: tuple[Document, ...],
        data: tuple[Document, ...] = (),
    ) -> _Expanded:
        """Return what was written from a document.

        Parameters
        ----------
        document, text
            The file that was expanded, and the XML.
        origins, callers
            Of each element of the text in document order: where it is written, None where nowhere, and the elements
            that lead there, the outermost first.
        sources, data
            See the class.
        """
        read = parse_document(text, document.path)
        expanded = cls(read.text, read.path, read.root, read.root_offset, Encoding(), document.fingerprint)
        expanded.diagnostics = read.diagnostics
        expanded.sources, expanded.data = sources, data
        elements = [*read.root.descendants()] if read.root is not None else []
        expanded._origins = {id(each): at for each, at in zip(elements, origins, strict=True) if at is not None}
        expanded._callers = {id(each): calls for each, calls in zip(elements, callers, strict=True) if calls}
        return expanded

    def source_of(self, element: Element) -> Written | None:
        """Return the file and the element of it that an element of this document was written as."""
        above: Element | None = element
        while above is not None:
            if (found := self._origins.get(id(above))) is not None:
                return found
            above = self.parent(above)
        return None

    def span(self, element: Element, part: str | None = None) -> Span:
        """Return where a part of an element is in the source."""
        found = self.source_of(element)
        if found is None:
            return super().span(element, part)
        document, written = found
        return document.span(written, part if id(element) in self._origins else None)

    def writers(self, element: Element) -> Iterator[Element]:
        """Yield what an element is written as in the source, and what leads there, such as macro calls."""
        if (written := self._origins.get(id(element))) is not None:
            yield written[1]
        for _, call in self.calls_of(element):
            yield call

    def calls_of(self, element: Element) -> tuple[Written, ...]:
        """Return what leads to an element, such as macro calls, each with its file, the outermost first."""
        return self._callers.get(id(element), ())

    def callers(self, element: Element) -> tuple[tuple[str, Span], ...]:
        """Return what leads to an element, in words and with its place, the innermost first."""
        calls = reversed(self.calls_of(element)[-_MOST_CALLS:])
        return tuple((self.words_of(called), document.span(called)) for document, called in calls)

    def words_of(self, caller: Element) -> str:
        """Return in words how an element leads to another one."""
        return f"by the <{caller.tag}> here"

    def written_by(self, element: Element) -> tuple[Element, ...]:
        """Return the elements of this document that an element of a source is written as."""
        if self._written is None:
            self._written = {}
            for each in self.root.descendants() if self.root is not None else ():
                if (found := self._origins.get(id(each))) is not None:
                    self._written.setdefault(id(found[1]), []).append(each)
        return tuple(self._written.get(id(element), ()))

    _origins: dict[int, Written]
    _callers: dict[int, tuple[Written, ...]]
    _written: dict[int, list[Element]] | None = None


def expansion_in(documents: Iterable[Document | None]) -> ExpandedDocument | None:
    """Return the first expansion among the documents that rows of a model are written in."""
    return next((document for document in documents if isinstance(document, ExpandedDocument)), None)
