"""Inline includes: replace every include by the included model.

What the included files include is put in too. Files of several versions of SDFormat are put together in the newest of
theirs, since a model in a file has no version of its own.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from sdfviewer.diagnostics import Replacement, SdfViewerError
from sdfviewer.document.document import Document
from sdfviewer.document.edits import (
    Edit,
    Replacements,
    element_source,
    indentation,
    indentation_step,
    insert_child,
    reindented,
    remove_element,
    replace_element,
    set_attribute,
)
from sdfviewer.document.element import Element
from sdfviewer.document.xml.parse import escape
from sdfviewer.files.finder import Finder
from sdfviewer.files.uris import UriForm, unread_by_drake, uri_of
from sdfviewer.formats.load import Loader, why_not_loaded
from sdfviewer.formats.sdformat.params import apply_params, read_changes
from sdfviewer.model.kinds import Kind
from sdfviewer.model.model import Model
from sdfviewer.model.values import parse_bool, parse_optional_bool
from sdfviewer.refactoring.composition.dissolving import Dissolution
from sdfviewer.refactoring.composition.moved_uris import FileCopy, moved_uris
from sdfviewer.refactoring.draft import Draft, note
from sdfviewer.refactoring.editable import (
    RefactoringError,
    require_editable,
    require_not_flattened,
    require_sdformat,
)
from sdfviewer.refactoring.versions.raising import OLDEST, raise_version
from sdfviewer.versions import Version, format_version, parse_version

#: What an include may say, apart from ``<experimental:params>``.
_SAID = frozenset({"uri", "name", "pose", "placement_frame", "static", "plugin", "namespace", "model_state"})
#: What a world can include apart from models; it has no frame of its own.
_LONE = ("actor", "light")


def inline_includes(document: Document, loader: Loader) -> Edit:
    """Return the file with every include replaced by the model it includes; see :meth:`Standalone.write`."""
    draft, writer = Draft(document), Standalone(loader)
    writer.write(draft)
    return Edit(
        "Inline includes",
        document,
        draft.replacements(),
        notes=tuple(writer.notes),
        losses=tuple(writer.losses),
    )


class Standalone:
    """Writes files that stand alone.

    Parameters
    ----------
    loader
        Finds and loads what is included.
    only
        Says of an include of the file itself whether it is to be put in; all are by default.

    Attributes
    ----------
    notes, losses
        What is different in the file, and what could not be put into it, in words with their place.
    """

    def __init__(self, loader: Loader, only: Callable[[Document, Element], bool] | None = None) -> None:
        self._loader = loader
        self._only = only
        self.notes: list[str] = []
        self.losses: list[str] = []
        self._version: Version = OLDEST
        self._known: dict[int, tuple[Document, Document]] = {}
        self._prefixes: dict[str, str] = {}
        self._including: list[Document] = []

    def load(self, document: Document) -> Model:
        """Return the model of a document, included by those that are being written.

        Raises
        ------
        SdfViewerError
            If it means nothing.
        """
        model, diagnostics = self._loader.load_with_diagnostics(document, self._including)
        if model is None:
            raise SdfViewerError(f"{document.name}: {why_not_loaded(diagnostics)}")
        return model

    def write(self, draft: Draft) -> None:
        """Replace every include of a file by the model it includes.

        Raises
        ------
        SdfViewerError
            If the file, or one that it includes, cannot be read or raised to the version of the others.
        """
        document = draft.document
        elements = document.root.descendants() if document.root is not None else ()
        if not any(each.tag == "include" and (self._only is None or self._only(document, each)) for each in elements):
            return
        model = self.load(document)
        sources = {id(source): source for source in model.sources if source is not None}
        self._version = max([model.version, *(_version_of(source) for source in sources.values())])
        if model.version < self._version and self._only is None:
            self.notes.append(
                f"{document.name}:1: converted from SDFormat {format_version(model.version)} to "
                f"{format_version(self._version)}, the newest version among what it includes"
            )
        self._write(draft, document.path)
        for name, value in self._prefixes.items():
            assert draft.document.root is not None
            written = draft.document.root.attributes.get(name)
            if written is None:
                draft.edit(set_attribute(draft.document, draft.document.root, name, value))
            elif written != value:
                self.losses.append(f"{document.name}:1: '{name}' is not '{value}' here, as it is in an included file")

    def _write(self, draft: Draft, home: Path | None) -> None:
        """Make a file self-contained in the folder of the file ``home``."""
        model = self.load(draft.document)
        if model.version != self._version:
            draft.edit(raise_version(model, self._version).replacements)
            model = self.load(draft.document)
        document = draft.document
        rows = {id(model.elements[row]): row for row in reversed(range(len(model)))}
        includes: list[Replacement] = []
        self._including.append(document)
        for element in document.root.descendants() if document.root is not None else ():
            if element.tag != "include":
                continue
            try:
                text = self._included(model, element, rows.get(id(element)), home)
            except SdfViewerError as error:
                self.losses.append(note(document, element, f"{error}; it remains an include"))
                continue
            if text:
                includes += replace_element(document, element, text)
        self._including.pop()
        moved = [] if home == document.path else moved_uris(document, home, self._loader.finder)
        inlined = [range(each.start, each.end) for each in includes]
        kept = [each for each in moved if not any(edit.start in part for edit in each.replacements for part in inlined)]
        self.notes += [each.note for each in kept if each.note]
        draft.edit((*includes, *(edit for each in kept for edit in each.replacements)))

    # --- one include -------------------------------------------------------------------------------------------

    def _included(self, model: Model, include: Element, row: int | None, home: Path | None) -> str:
        """Return the text that represents an include, empty where it is not to be put in.

        Raises
        ------
        SdfViewerError
            With the reason why it cannot be.
        """
        if self._only is not None and len(self._including) == 1 and not self._only(model.document, include):
            return ""
        is_read_otherwise = row is not None and row + 1 < len(model) and model.elements[row + 1] is include
        source = None if is_read_otherwise else self._loader.open_included(self._including, include)
        if is_read_otherwise or (source is not None and source.root is not None and source.root.tag != "sdf"):
            raise RefactoringError(f"'{include.text_of('uri')}' is not an SDFormat file, so it cannot be inlined")
        if source is None or source.root is None:
            raise RefactoringError(f"'{include.text_of('uri')}' is not found")
        tag = "model" if row is not None else next((tag for tag in _LONE if source.root.find(tag) is not None), "")
        if source.root.find(tag) is None:
            raise RefactoringError(f"'{include.text_of('uri')}' contains no model, actor or light")
        document = self._changed(model.document, include, source, home)
        name = model.local_names[row] if row is not None else include.text_of("name")
        document = document.edited(self._overridden(document, _top(document, tag), include, name, model.document))
        if row is not None and parse_bool(include.attributes.get("merge", "")):
            return self._merged(document, model, row)
        return element_source(document, _top(document, tag))

    def _changed(self, outer: Document, include: Element, source: Document, home: Path | None) -> Document:
        """Return an included document that is self-contained, with the changes made that the include asks for."""
        assert source.root is not None
        known = self._known.get(id(source))
        if known is None:
            draft = Draft(source)
            self._write(draft, home)
            known = self._known[id(source)] = source, draft.document
        document = known[1]
        self._prefixes |= {name: uri for name, uri in source.root.attributes.items() if name.startswith("xmlns:")}
        # Made last, so that changes of what the included file includes find it in its place.
        document, findings, further = apply_params(document, read_changes(include, outer, None), lambda *_: None)
        lost = [finding.location.element for finding in findings]
        lost += [change.element for inner in further.values() for change in inner]
        for element in lost:
            self.losses.append(note(outer, element, f"<{element.tag}> changes nothing in the included model; left out"))
        return document

    def _overridden(
        self, document: Document, top: Element, include: Element, name: str, outer: Document
    ) -> Replacements:
        """Return the edit of what is included that makes the changes its include asks for."""
        edits = set_attribute(document, top, "name", name) if name else ()
        before = top.children[0] if top.children else None
        if include.find("namespace") is not None:
            edits += set_attribute(document, top, "namespace", include.text_of("namespace"))
        pose, placement = include.find("pose"), include.text_of("placement_frame")
        if pose is not None:
            if placement:
                edits += set_attribute(document, top, "placement_frame", placement)
            edits += _put(document, top, outer, pose, before)
        for child in include.children:
            if child.tag == "static":
                if parse_optional_bool(child.text) is None:
                    continue  # it says neither, so what the model says holds
                edits += _put(document, top, outer, child, None)
            elif child.tag in ("plugin", "model_state"):
                edits += insert_child(document, top, element_source(outer, child))
            elif child.tag not in _SAID and child.tag != "experimental:params":
                self.losses.append(
                    note(outer, child, f"<{child.tag}> of an include is not allowed in a model; left out")
                )
        return edits

    def _merged(self, document: Document, outer: Model, row: int) -> str:
        """Return the members of a model that is merged into what is around its include."""
        model = self.load(document)
        around = "world" if outer.kinds[int(outer.scopes[row])] is Kind.WORLD else "__model__"
        draft = Draft(document)
        Dissolution(model, {0: outer.local_names[row]}, {}, outside=around).apply(draft)
        dissolved = draft.document
        assert dissolved.root is not None
        first, last = dissolved.content_offsets(dissolved.root)
        return reindented(dissolved.text[first:last].strip(), indentation(dissolved, dissolved.root.children[0]), "")


def _version_of(source: Document) -> Version:
    """Return the version of an included file, the oldest that can be raised where it is older or has none."""
    version = parse_version(source.root.attributes.get("version", "")) if source.root is not None else None
    return max(version or OLDEST, OLDEST)


def _top(document: Document, tag: str) -> Element:
    top = document.root.find(tag) if document.root is not None else None
    if top is None:
        raise RefactoringError(f"there is no <{tag}> in {document.name}")
    return top


def _put(document: Document, parent: Element, outer: Document, child: Element, before: Element | None) -> Replacements:
    """Return the edit that writes an element of another document into ``parent``, over the one of that name in it."""
    old, xml = parent.find(child.tag), element_source(outer, child)
    return insert_child(document, parent, xml, before) if old is None else replace_element(document, old, xml)


# --- splitting off ------------------------------------------------------------------------------------------------


class SplitOff(NamedTuple):
    """A nested model in a file of its own: the edit that includes it, the text to write there, and copies for it."""

    edit: Edit
    text: str
    copies: tuple[FileCopy, ...] = ()


def split_off(
    model: Model, row: int, file: Path, finder: Finder | None = None, form: UriForm | None = None
) -> SplitOff:
    """Return the edit that replaces a nested model by an include of ``file``, and the text to write there.

    The include carries the model's name, pose and placement frame; the new file holds the rest unchanged, except for
    URIs that would lead elsewhere from its folder.

    Parameters
    ----------
    finder, form
        What finds files, and how the include and the new file name them, see `URI_FORMS`.

    Raises
    ------
    RefactoringError
        If the row is no model that is written in this file below its root.
    UriError
        If the new file cannot be named in that form.
    """
    finder = finder or Finder()
    require_sdformat(model)
    require_editable(model, row)
    document, element = model.document, model.elements[row]
    if row == 0 or element.tag != "model":
        raise RefactoringError(f"'{model.names[row]}' is not a nested model of this file")
    require_not_flattened(model, row)
    named: UriForm | None = "relative" if form == "copied" else form
    uri = uri_of(file, document.path, finder.expecting([file.absolute()]), form=named, is_model=True)
    include = replace_element(document, element, _include(document, element, model.local_names[row], uri))
    moved = moved_uris(document, file, finder, form, element)
    notes = [unread_by_drake(uri), *(each.note for each in moved)]
    label = f"Split off {model.distinct_name(row)}"
    return SplitOff(
        Edit(label, model.document, include, notes=tuple(filter(None, notes))),
        _new_file(model, element, tuple(edit for each in moved for edit in each.replacements)),
        tuple(each.copy for each in moved if each.copy is not None),
    )


def _include(document: Document, element: Element, name: str, uri: str) -> str:
    """Return the include that takes the place of a model."""
    step, pose = indentation_step(document), element.find("pose")
    lines = [f"<name>{escape(name)}</name>", f"<uri>{escape(uri)}</uri>"]
    if pose is not None:
        lines += element_source(document, pose).split("\n")
        if frame := element.attributes.get("placement_frame"):  # without a pose the model's own holds
            lines.append(f"<placement_frame>{escape(frame)}</placement_frame>")
    return "\n".join(["<include>", *(step + line for line in lines), "</include>"])


def _new_file(model: Model, element: Element, edits: Replacements) -> str:
    """Return the text of a file that holds a nested model alone, with some edits."""
    document, pose = model.document, element.find("pose")
    # The including file says where a model is.
    edits += remove_element(document, pose) if pose is not None else ()
    xml = element_source(document, element, edits)
    root = document.root
    declared = root.attributes.items() if root is not None else ()
    prefixes = "".join(f' {name}="{escape(uri, chr(34))}"' for name, uri in declared if name.startswith("xmlns:"))
    newline, step = document.newline, indentation_step(document)
    body = step + reindented(xml, "", step, newline)
    start = f'<?xml version="1.0"?>{newline}<sdf version="{format_version(model.version)}"{prefixes}>'
    return f"{start}{newline}{body}{newline}</sdf>{newline}"
