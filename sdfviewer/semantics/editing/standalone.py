"""A file that stands alone: every include replaced by what it includes, in the newest version of SDFormat."""

from __future__ import annotations

import os
from pathlib import Path

from sdfviewer.diagnostics import Replacement, SdfViewerError
from sdfviewer.document.document import Document, parse_document
from sdfviewer.document.edits import Replacements, indentation, insert_child, set_attribute, set_text
from sdfviewer.document.element import Element
from sdfviewer.semantics.editing.upgrade import raise_version
from sdfviewer.semantics.graph import ROOT
from sdfviewer.semantics.load import Loader
from sdfviewer.semantics.model import Model
from sdfviewer.semantics.values import parse_bool

#: How deep includes may lie in each other; deeper ones are a circle.
_DEEPEST = 32
#: Elements whose text names a file beside the one they stand in.
_FILES = frozenset({"uri", "albedo_map", "normal_map", "roughness_map", "metalness_map", "diffuse", "normal"})


class Standalone:
    """Writes files that stand alone.

    Parameters
    ----------
    loader
        Finds and loads what is included.

    Attributes
    ----------
    notes
        What could not be put into the file, in words with its place.
    """

    def __init__(self, loader: Loader) -> None:
        self._loader = loader
        self.notes: list[str] = []

    def write(self, document: Document) -> Document:
        """Return a document with every include replaced by the model it includes.

        Raises
        ------
        SdfViewerError
            If the file, or one that it includes, cannot be read or raised to the newest version.
        """
        return self._written(document, document.path, 0)

    def _written(self, document: Document, home: Path | None, depth: int) -> Document:
        """Return a document that stands alone where the file ``home`` stands."""
        if depth > _DEEPEST:
            raise SdfViewerError(f"{document.name}: includes lie more than {_DEEPEST} deep in each other")
        raised = document.edited(raise_version(self._load(document)).replacements)
        model = self._load(raised)
        edits: Replacements = () if home == document.path else self._files(raised, home)
        for row, element in enumerate(model.elements):
            if element.tag == "include" and model.sources[row] is None:
                text = self._included(model, row, element, home, depth)
                if text is not None:
                    first, last = raised.offsets(element, "element")
                    blanks = raised.newline + indentation(raised, element)
                    edits += (Replacement(first, last, blanks.join(text.splitlines())),)
        for element in raised.root.descendants() if raised.root is not None else ():
            if element.tag == "include" and element not in model.elements:
                self._note(raised, element, "it is not found, or no model; it stays an include")
        return raised.edited(edits)

    def _load(self, document: Document) -> Model:
        model, diagnostics = self._loader.load_with_diagnostics(document)
        if model is None:
            raise SdfViewerError(f"{document.name}: {diagnostics[0].message if diagnostics else 'nothing in it'}")
        return model

    def _note(self, document: Document, element: Element, message: str) -> None:
        self.notes.append(f"{document.name}:{document.span(element).line}: {message}")

    def _included(self, model: Model, row: int, include: Element, home: Path | None, depth: int) -> str | None:
        """Return the ``<model>`` that stands for an include, None where it must stay one."""
        if parse_bool(include.attributes.get("merge", "")):
            self._note(model.document, include, "it merges a model into this one; it stays an include")
            return None
        member = next((each for each in range(row + 1, len(model)) if model.owners[each] == row), ROOT)
        source = model.sources[member] if member >= 0 else None
        if source is None or source.root is None or source.root.find("model") is None:
            self._note(model.document, include, "only SDFormat models can be put in; it stays an include")
            return None
        if any(child.tag.partition(":")[2] == "params" for child in include.children):
            self._note(model.document, include, "it changes the model by <experimental:params>; it stays an include")
            return None
        document = self._written(source, home, depth + 1)
        top = document.root.find("model") if document.root is not None else None
        if top is None:
            return None
        document = document.edited(_overridden(document, top, include, model.local_names[row], model.document))
        top = document.root.find("model") if document.root is not None else None
        if top is None:
            return None
        start, end = document.offsets(top, "element")
        blanks = indentation(document, top)
        return "\n".join(line.removeprefix(blanks) for line in document.text[start:end].splitlines())

    def _files(self, document: Document, home: Path | None) -> Replacements:
        """Return the edit that makes names of files beside a document ones beside ``home``."""
        if document.path is None or document.root is None:
            return ()
        base = home.parent if home is not None else Path.cwd()
        edits: Replacements = ()
        for element in document.root.descendants():
            uri = element.text.strip() if element.tag in _FILES else ""
            beside = document.path.parent / uri
            if uri and "://" not in uri and not Path(uri).is_absolute() and beside.is_file():
                try:
                    relative = Path(os.path.relpath(beside.resolve(), base.resolve())).as_posix()
                except ValueError:  # another drive
                    relative = beside.resolve().as_posix()
                edits += set_text(document, element, relative)
        return edits


def _overridden(document: Document, top: Element, include: Element, name: str, outer: Document) -> Replacements:
    """Return the edit of a model that makes the changes its include asks for."""
    edits = set_attribute(document, top, "name", name)
    before = top.children[0] if top.children else None
    placement = include.text_of("placement_frame")
    pose = include.find("pose")
    if pose is not None:
        edits += set_attribute(document, top, "placement_frame", placement or None)
        first, last = outer.offsets(pose, "element")
        old = top.find("pose")
        if old is not None:
            edits += (Replacement(*document.offsets(old, "element"), outer.text[first:last]),)
        else:
            edits += insert_child(document, top, outer.text[first:last], before)
    for tag in ("static", "plugin"):
        for child in include.findall(tag):
            first, last = outer.offsets(child, "element")
            old = top.find("static") if tag == "static" else None
            if old is not None:
                edits += set_text(document, old, child.text.strip())
            else:
                edits += insert_child(document, top, outer.text[first:last])
    return edits


def write_standalone(document: Document, loader: Loader) -> tuple[Document, list[str]]:
    """Return a document with its includes put in, and what could not be; see :meth:`Standalone.write`."""
    writer = Standalone(loader)
    written = writer.write(document)
    return parse_document(written.text, document.path, encoding=document.encoding), writer.notes
