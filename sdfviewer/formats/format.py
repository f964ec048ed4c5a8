"""The interface of a format: recognize, build and read files."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from sdfviewer.document.document import Document
from sdfviewer.document.element import Element
from sdfviewer.model.findings import Finding
from sdfviewer.model.model import Model
from sdfviewer.model.scope import Scope
from sdfviewer.versions import Version

if TYPE_CHECKING:  # loading a file does not need them
    from sdfviewer.formats.sdformat.build import Builder
    from sdfviewer.formats.writing import Writing
    from sdfviewer.model.contents import ContentsReader


@dataclass(frozen=True, slots=True)
class Capabilities:
    """The capabilities of a format.

    Attributes
    ----------
    edits_structure
        Whether frames, poses and names can be edited; otherwise the file is edited as text.
    renames
        Whether names can be edited, even where nothing else can.
    names_materials
        Whether materials have names, by which visuals refer to them.
    names_frames
        Whether a pose can name the frame that it is measured from. Otherwise every pose is measured from its kinematic
        parent.
    is_self_contained
        Whether what a visual looks like is written in its element alone, not elsewhere in the file too.
    has_versions
        Whether the file can be written in another version of SDFormat as it is.
    keeps_parts
        Whether a later text of a file is read at the cost of what has changed, not of all of it.
    """

    is_self_contained: bool = False
    edits_structure: bool = False
    renames: bool = False
    names_materials: bool = False
    names_frames: bool = False
    has_versions: bool = False
    keeps_parts: bool = False


@dataclass(frozen=True, slots=True)
class Format:
    """A kind of file that describes robots.

    To add one, make it in a module of its own and enter it in :mod:`sdfviewer.formats.registry`; another package
    registers it under the entry-point group ``sdfviewer.formats``.

    Attributes
    ----------
    name
        In lower case, ``urdf``.
    title
        As people write it, ``URDF``.
    suffixes
        What names of its files end with; file dialogs and completion list such files.
    recognise
        Returns whether a document, which has a root element, is of this format.
    build
        Returns the scope of what a file is about, None where there is nothing, and the version of SDFormat in which it
        is understood. Takes the findings of everything else.
    build_included
        Returns the scope of what a file brings where it is included, with its findings, None where there is nothing;
        a finding where it says better why not.
        The last argument is what the include says in place of ``<static>``, None where it says nothing.
    describe
        Returns the format and version of a model's file as people write them, ``SDFormat 1.9``.
    contents
        Returns what reads links, joints and the things on them.
    capabilities
        What can be done with its files.
    names_that_follow
        Returns the new names of rows whose names are made from that of another row, when that one gets a name.
    writing
        Returns how a row is written; None where as in SDFormat.
    """

    name: str
    title: str
    suffixes: tuple[str, ...]
    recognise: Callable[[Document], bool]
    build: Callable[[Builder, Document, list[Finding]], tuple[Scope | None, Version]]
    build_included: Callable[[Builder, Document, bool | None], Scope | Finding | None]
    describe: Callable[[Model], str]
    contents: Callable[[], ContentsReader]
    capabilities: Capabilities = field(default_factory=Capabilities)
    names_that_follow: Callable[[Model, int, str], Mapping[int, str]] = lambda model, row, name: {}
    writing: Callable[[Model, int], Writing | None] = lambda model, row: None


def root_of(document: Document) -> Element:
    """Return the root element of a document that has one: only such documents are recognised and built."""
    assert document.root is not None, "the text is not well-formed"
    return document.root
