"""Copied text that is read: any elements as a file, in the format and version of the file that they are pasted into."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from sdfviewer.diagnostics import PlacedSentence
from sdfviewer.document.document import Document, parse_document
from sdfviewer.document.edits import Replacements, add_attributes, set_attribute
from sdfviewer.document.element import Element
from sdfviewer.formats.load import Loader, why_not_loaded
from sdfviewer.formats.registry import describe_format
from sdfviewer.formats.writing import CHILDREN_OF
from sdfviewer.model.kinds import Kind
from sdfviewer.model.model import Model
from sdfviewer.refactoring.adding import is_robot
from sdfviewer.refactoring.composition.copying import HOLDER, NAMESPACE, OUTSIDE, PREFIX
from sdfviewer.refactoring.editable import RefactoringError
from sdfviewer.refactoring.versions.changing import change_version
from sdfviewer.versions import format_version

#: Returns what a copied file is in the format of another one, and what is lost by that, in sentences.
Convert = Callable[[Model, Loader, Model], "tuple[Document, tuple[str, ...]]"]
_OF_LINKS = frozenset(CHILDREN_OF[Kind.LINK])
_OF_MODELS = frozenset({*CHILDREN_OF[Kind.MODEL], *CHILDREN_OF[Kind.WORLD], "gripper"})
_OF_ROBOTS = frozenset({"link", "joint", "gazebo", "transmission", "material"})


def read_copied(
    model: Model, text: str, loader: Loader, source: Path | None, convert: Convert | None
) -> tuple[Model, tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
    """Return what copied text means, in the format and version of a file: what it names outside, notes and losses."""
    whole = _as_file(model, text.strip())
    is_urdf = "<robot" in whole[:4096].partition("<sdf")[0]
    beside = source if source is not None else model.document.path
    path = None if beside is None else beside.absolute().with_name("copied.urdf" if is_urdf else "copied.sdf")
    document = parse_document(whole, path)
    if document.root is None:
        raise RefactoringError("the text is no XML that could be pasted")
    marked = [each for each in document.root.descendants() if OUTSIDE in each.attributes]
    outside = tuple(name for each in marked for name in _stub_names(each))
    other = _loaded(document, loader)
    losses: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    if is_robot(other, 0) != is_robot(model, 0):
        from_, to = describe_format(other), describe_format(model)
        if convert is None:
            raise RefactoringError("what is copied is in another format, which cannot be converted here")
        plain = _loaded(document.edited(_unmarked(document)), loader)
        document, losses = convert(plain, loader, model)
        losses = tuple(map(_words, losses))
        document = parse_document(document.text, path and path.with_suffix(".sdf" if is_urdf else ".urdf"))
        document = document.edited(_marked(document))
        other, notes = _loaded(document, loader), (f"what is pasted was {from_} and is {to} here",)
    if not is_robot(model, 0) and other.version != model.version:
        change = change_version(other.document, loader, model.version)
        losses += tuple(map(_words, change.losses))
        notes += (
            f"what is pasted was SDFormat {format_version(other.version)} and is {format_version(model.version)} here",
            *map(_words, change.notes),
        )
        other = _loaded(other.document.edited(change.replacements), loader)
    return other, outside, notes, losses


def _stub_names(stub: Element) -> Iterator[str]:
    """Yield how elements call what a stub represents: it, or what is in it."""
    if stub.tag != "model":
        yield stub.given_name
        return
    for inner in stub.findall("link", "model"):
        yield from (f"{stub.given_name}::{name}" for name in _stub_names(inner))


def _words(sentence: str) -> str:
    """Return a sentence about what is pasted without its place: the text with that is no file."""
    return f"in what is pasted: {sentence.words}" if isinstance(sentence, PlacedSentence) else sentence


def _unmarked(document: Document) -> Replacements:
    """Return the edit that takes the marks of copied elements out."""
    assert document.root is not None
    return tuple(
        edit
        for element in document.root.descendants()
        for name in (f"xmlns:{PREFIX}", HOLDER, OUTSIDE)
        for edit in set_attribute(document, element, name, None)
    )


def _marked(document: Document) -> Replacements:
    """Return the edit that marks the model of a converted file as what holds the elements."""
    root = document.root
    element = root if root is None or root.tag != "sdf" else root.find("model")
    if root is None or element is None:
        raise RefactoringError("the conversion gives no model")
    declared = {f"xmlns:{PREFIX}": NAMESPACE}
    if element is root:
        return add_attributes(document, element, {**declared, HOLDER: "true"})
    return add_attributes(document, root, declared) + add_attributes(document, element, {HOLDER: "true"})


def _loaded(document: Document, loader: Loader) -> Model:
    other, diagnostics = loader.load_with_diagnostics(document)
    if other is None:
        raise RefactoringError(f"what is copied cannot be read: {why_not_loaded(diagnostics)}")
    return other


def _as_file(model: Model, text: str) -> str:
    """Return copied text as a file: as it is, or some elements in what could hold them."""
    if text.startswith(("<?xml", "<sdf", "<robot")):
        return text
    parsed = parse_document(f"<all>{text}</all>")
    tags = [] if parsed.root is None else [each.tag for each in parsed.root.children]
    if not tags:
        raise RefactoringError("the text holds no elements that could be pasted")
    mark = f"{HOLDER}='true'"
    declared = f"xmlns:{PREFIX}='{NAMESPACE}'"
    has_origin, has_pose = (any(each.tag == tag for each in parsed.root.descendants()) for tag in ("origin", "pose"))  # type: ignore[union-attr]  # it has children
    is_urdf = has_origin or (is_robot(model, 0) and not has_pose)
    in_link = _OF_LINKS.issuperset(tags)
    unknown = next(
        (tag for tag in tags if tag not in (_OF_ROBOTS | _OF_LINKS if is_urdf else _OF_MODELS | _OF_LINKS)), None
    )
    if unknown is not None or (not in_link and not (_OF_ROBOTS if is_urdf else _OF_MODELS).issuperset(tags)):
        raise RefactoringError(f"<{unknown or tags[0]}> cannot be pasted")
    if in_link:
        text = f"<link name='{PREFIX}' {mark}>{text}</link>"
        mark = ""
    if is_urdf:
        return f"<robot name='{PREFIX}' {declared} {mark}>{text}</robot>"
    return (
        f"<sdf version='{format_version(model.version)}' {declared}><model name='{PREFIX}' {mark}>{text}</model></sdf>"
    )
