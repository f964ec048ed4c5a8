"""The elements of an MJCF file with those of the files that it includes, and the findings about them.

Source: https://mujoco.readthedocs.io/en/stable/XMLreference.html#include
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from sdfviewer.diagnostics import Message, Rule, Severity, message_of
from sdfviewer.document.document import Document, UnreadableFileError
from sdfviewer.document.element import Element
from sdfviewer.document.xml.parse import MAX_ELEMENTS
from sdfviewer.files.paths import is_absolute, names_a_server, real_path
from sdfviewer.formats.expansion import Written
from sdfviewer.model.findings import MOST_WITH_HINTS, ElementPart, Finding, Findings, Source
from sdfviewer.model.near_names import nearest
from sdfviewer.validation import mjcf_rules as rules
from sdfviewer.validation.file_rules import too_large


@dataclass(slots=True, eq=False)
class Node:
    """An element, with the children that its includes bring in their places.

    Attributes
    ----------
    element, document
        What is written, and where.
    callers
        The ``<include>`` and ``<attach>`` elements that lead to it, the outermost first.
    """

    element: Element
    document: Document
    callers: tuple[Written, ...] = ()
    children: list[Node] = field(default_factory=list)

    @property
    def tag(self) -> str:
        """The tag of the element."""
        return self.element.tag

    @property
    def attributes(self) -> dict[str, str]:
        """The attributes of the element."""
        return self.element.attributes


class Reporter:
    """Collects findings.

    Parameters
    ----------
    document, source
        The main file, and how findings call it: None where it is the file being loaded.
    """

    def __init__(self, document: Document, source: Source) -> None:
        self.findings = Findings()
        self._document = document
        self._source = source
        self._known: set[tuple[str, int, str | None, str]] = set()

    def __call__(
        self,
        rule: Rule,
        node: Node,
        part: str | None,
        *words: object,
        meant: Sequence[str] = (),
        severity: Severity | None = None,
    ) -> None:
        """Report a fault of an element, or of a part of it such as ``@name``."""
        source = self._source if node.document is self._document else node.document
        location = ElementPart(source, node.element, part)
        related = tuple(
            (f"by the <{caller.tag}> here", ElementPart(self._source if at is self._document else at, caller))
            for at, caller in reversed(node.callers)
        )
        message = rule.format(*words)
        key = rule.name, id(node.element), part, message
        if key in self._known:  # what is asked for twice, or replicated
            return
        self._known.add(key)
        self.findings.append(Finding(rule, location, message, related=related, meant=tuple(meant), severity=severity))

    def nearest(self, name: str, choices: Collection[str]) -> list[str]:
        """Return what a wrong name may have meant, for the first findings only."""
        return nearest(name, choices) if len(self.findings) < MOST_WITH_HINTS else []

    def refuse(self, node: Node, what: str, part: str | None = None) -> None:
        """Report what MuJoCo's compiler refuses."""
        self(rules.mjcf_refused, node, part, what)


class FileReader:
    """Reads the files that one MJCF file is made of.

    Parameters
    ----------
    read
        Returns the document of a file; raises :class:`UnreadableFileError`.
    report
        Takes what is wrong with includes.
    """

    def __init__(self, read: Callable[[Path], Document], report: Reporter) -> None:
        self._read = read
        self.report = report
        self.documents: list[Document] = []
        self._left = MAX_ELEMENTS

    def tree(self, document: Document, callers: tuple[Written, ...] = ()) -> Node:
        """Return the root of a file that has one, with everything that it includes.

        Notes
        -----
        Source: MuJoCo's XML reference, "include": a file is looked for in the folder of the main file, then in that of
        the file that includes it, and included once.
        """
        self.documents.append(document)
        assert document.root is not None
        root = Node(document.root, document, callers)
        folder = None if document.path is None else document.path.absolute().parent
        included = {real_path(document.path)} if document.path is not None else set()
        pending = [root]
        while pending:
            node = pending.pop()
            waiting = [Node(child, node.document, node.callers) for child in reversed(node.element.children)]
            while waiting:
                child = waiting.pop()
                if child.tag != "include":
                    node.children.append(child)
                    pending.append(child)
                    self._left -= 1
                elif (found := self._included(child, folder, included)) is not None:
                    inner = (*child.callers, (child.document, child.element))
                    assert found.root is not None
                    waiting += [Node(each, found, inner) for each in reversed(found.root.children)]
                if self._left <= 0:
                    self.report(too_large, child, None, child.tag, "", f"{MAX_ELEMENTS:,} elements")
                    return root
        return root

    def _included(self, node: Node, folder: Path | None, included: set[Path]) -> Document | None:
        file = node.attributes.get("file", "").strip()
        if not file or node.element.children:
            what = Message("needs the attribute 'file'", "add it") if not file else "cannot have children"
            self.report(rules.mjcf_attributes, node, None, "<include>", what)
            return None
        own = node.document.path
        places = [folder, None if own is None else own.absolute().parent]
        document = self.open(node, file, [place for place in dict.fromkeys(places) if place is not None])
        if document is not None and document.path is not None:
            path = real_path(document.path)
            if path in included:
                self.report(rules.mjcf_include, node, "@file", file, "it is included already, and may be only once")
                return None
            included.add(path)
            self.documents.append(document)
        return document

    def open(self, node: Node, file: str, folders: Sequence[Path]) -> Document | None:
        """Return the document of a file in the first folder that has it, None where there is none; says why not."""
        why = "it can be found only from a file that is saved" if not folders and not is_absolute(file) else ""
        if names_a_server(file) or "\0" in file:
            why = "it is on another computer, or no file name"
        document: Document | None = None
        for path in (folder / file for folder in folders) if not why else ():
            try:
                document = self._read(path)
                break
            except UnreadableFileError as error:
                why = why or message_of(error)
        if document is not None and document.root is None:
            fault = document.diagnostics[0]
            line = f", line {fault.span.line}" if fault.span is not None else ""
            why, document = fault.message + line, None
        if document is None:
            self.report(rules.mjcf_include, node, "@file", file, why)
        return document
