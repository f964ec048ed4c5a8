"""Elements that are copied: their text, and a document of their own with the frames that they name outside.

The document is a whole file, which reads by itself, in the format and version of the file that the elements are pasted
into: what holds them is marked, and a frame that they name but do not hold is represented by a marked link at the place
that it has.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias

import numpy as np

from sdfviewer import transforms
from sdfviewer.diagnostics import PlacedSentence, Replacement
from sdfviewer.document.document import Document, parse_document
from sdfviewer.document.edits import (
    Replacements,
    add_attributes,
    element_source,
    format_attribute,
    reindented,
    set_attribute,
)
from sdfviewer.document.element import Element
from sdfviewer.document.xml.parse import escape
from sdfviewer.formats.load import Loader, why_not_loaded
from sdfviewer.formats.registry import describe_format, format_of, has_versions
from sdfviewer.formats.sdformat.members import why_invalid_name
from sdfviewer.formats.urdf.elements import NAMED_IN_GAZEBO
from sdfviewer.formats.writing import CHILDREN_OF
from sdfviewer.model.kinds import Kind
from sdfviewer.model.model import Model
from sdfviewer.model.names import free_name_among
from sdfviewer.model.references import Reference, find_references
from sdfviewer.model.values import format_pose
from sdfviewer.refactoring.adding import is_robot
from sdfviewer.refactoring.editable import RefactoringError, outermost
from sdfviewer.refactoring.limb import Mirror, limbs
from sdfviewer.refactoring.pose_notation import Notation, numbers_of
from sdfviewer.refactoring.versions.changing import change_version
from sdfviewer.versions import format_version

PREFIX = "sdfviewer"
NAMESPACE = "urn:sdfviewer:copied"
#: Marks what holds the elements, and what represents a frame that is outside of them.
HOLDER, OUTSIDE = f"{PREFIX}:elements", f"{PREFIX}:outside"
#: What goes along where it names only what is copied.
_COMPANIONS = frozenset({"joint", "frame", "gripper", "plugin", "gazebo", "transmission", "sensor"})
#: With so many members joints connect a bar of a linkage.
_LEAST_OF_BAR = 2
_NAMES_JOINTS = frozenset({"joint", "mimic"})

#: What represents frames outside: a pose, or a model that holds others, by name.
_Stubs: TypeAlias = "dict[str, str | _Stubs]"


@dataclass(frozen=True)
class CopiedElements:
    """What is copied.

    Attributes
    ----------
    xml
        The elements as they are written, for any editor.
    document
        A file with them, and with what they name outside.
    label
        What they are called.
    left_out
        Names of plugins that name what is copied and something else: they stay behind.
    """

    xml: str
    document: str
    label: str
    left_out: tuple[str, ...] = ()


def copy_elements(model: Model, rows: Sequence[int], *, below: bool = False) -> CopiedElements:
    """Return elements with what belongs to them.

    A link takes along the joint that carries it, the frames on it, and the plugins, grippers and extensions that name
    nothing but what is copied.

    Parameters
    ----------
    model
        What the file means; of a xacro file what that writes.
    rows
        What is copied, all of it in one model, world or link.
    below
        Whether links take along all that joints carry below them.

    Raises
    ------
    RefactoringError
        If there is nothing, if something is written in another file, or if they are in different models.
    """
    picked = outermost(model, rows)
    if not picked:
        raise RefactoringError("select what to copy")
    _require_written_here(model, picked)
    if picked == [0]:
        root, element = model.document.root, model.elements[0]
        assert root is not None
        xml = element_source(model.document, element)
        return CopiedElements(xml, xml if element is root else _file(model, xml), model.name)
    owner = int(model.owners[picked[0]])
    if any(int(model.owners[row]) != owner for row in picked):
        raise RefactoringError("select elements of one model or of one link")
    around = model.elements[owner]
    members = _with_members(model, picked, below=below)
    _require_written_here(model, members)
    around_each = [child_around(model, around, model.elements[row]) for row in members]
    elements = [each for each in dict.fromkeys(around_each) if each is not None]
    if None in around_each:
        where = "in a <gazebo>" if is_robot(model, 0) else "by an older tool or a merged include"
        raise RefactoringError(f"'{model.names[picked[0]]}' is written {where}: copy what it is in")
    inside = {each for row in members for each in model.inside(row)}
    left_out: list[str] = []
    if model.kinds[owner] in (Kind.MODEL, Kind.WORLD):
        elements += _companions(model, around, elements, inside, left_out)
    elements.sort(key=model.document.offset)
    xml = "\n".join(element_source(model.document, each) for each in elements)
    stubs = _stubs(model, owner, elements, inside)
    carriers = {joint.parent for joint in model.joints if joint.child in picked}
    stubs = dict(sorted(stubs.items(), key=lambda each: each[1] not in carriers))
    called = model.name_or_count(picked)
    return CopiedElements(xml, _file(model, _holder(model, owner, xml, stubs, elements)), called, tuple(left_out))


def _require_written_here(model: Model, rows: Sequence[int]) -> None:
    other = next((row for row in rows if model.sources[row] is not None), None)
    if other is not None:
        raise RefactoringError(f"'{model.names[other]}' is written in {model.document_of(other).name}: copy it there")


def _with_members(model: Model, picked: Sequence[int], *, below: bool) -> list[int]:
    """Return rows with the joints that carry links among them, the frames on these, and what they carry below."""
    links = []
    for row in picked:
        link = row
        if below and (joint := model.joints_by_row.get(row)) is not None and joint.child >= 0:
            link = int(model.bodies[joint.child])
        if model.kinds[link] is Kind.LINK and model.owners[link] == model.owners[row]:
            links.append(link)
    members = {*picked, *limbs(model, links, alone=not below)}
    if below:
        _close_loops(model, members, picked)
    return sorted(members)


def _close_loops(model: Model, members: set[int], picked: Sequence[int]) -> None:
    """Add the bars of linkages: links that nothing carries, connected with several members and nothing else.

    What carries one of the picked links, by the first of its joints, is no bar.
    """
    ends = [
        (each.row, int(model.bodies[each.parent]), int(model.bodies[each.child]))
        for each in model.joints
        if each.parent >= 0 and each.child >= 0
    ]
    carried = {child for _, _, child in ends}
    carriers = {next((parent for _, parent, child in ends if child == each), -1) for each in picked}
    children: dict[int, list[tuple[int, int]]] = {}
    for row, parent, child in ends:
        children.setdefault(parent, []).append((row, child))
    for link, joints in children.items():
        if (
            link in members
            or link in carried
            or link in carriers
            or len({child for _, child in joints}) < _LEAST_OF_BAR
        ):
            continue
        if model.kinds[link] is Kind.LINK and all(child in members for _, child in joints):
            members.update((link, *(row for row, _ in joints)))


def _companions(
    model: Model, around: Element, elements: Sequence[Element], inside: set[int], left_out: list[str]
) -> Iterator[Element]:
    """Yield what names only what is copied; what also names something else is noted."""
    copied = set(map(id, elements))
    found: dict[int, tuple[Element, list[tuple[Reference, int | None]]]] = {}
    for reference in find_references(model):
        child = child_around(model, around, reference.element)
        if child is not None and child.tag in _COMPANIONS and id(child) not in copied:
            found.setdefault(id(child), (child, []))[1].append((reference, named_row(model, reference)))
    for child, references in found.values():
        named = [row in inside for reference, row in references if reference.attribute != "relative_to"]
        if named and all(named):
            yield child
            if (row := model.rows_by_element.get(id(child))) is not None:
                inside.update(model.inside(row))
        elif any(named) and child.tag == "plugin":
            left_out.append(child.word("name") or child.word("filename"))


def child_around(model: Model, around: Element, element: Element) -> Element | None:
    """Return the child of an element that holds another one, None where it holds it not."""
    child: Element | None = element
    while child is not None and (parent := model.document.parent(child)) is not around:
        child = parent
    return child


def named_row(model: Model, reference: Reference) -> int | None:
    """Return what a reference names, None where that is not found."""
    steps = reference.steps(model)
    return steps[-1] if len(steps) == len(reference.name.split("::")) else None


def _stubs(model: Model, owner: int, elements: Sequence[Element], inside: set[int]) -> dict[str, int]:
    """Return the rows outside that elements name, by the names that they are called."""
    around, copied = model.elements[owner], set(map(id, elements))
    stubs: dict[str, int] = {}
    for reference in find_references(model):
        child, row = child_around(model, around, reference.element), named_row(model, reference)
        if child is None or id(child) not in copied or row is None or row in inside or row == owner:
            continue
        is_named = reference.name not in ("world", "__model__") and reference.attribute not in _NAMES_JOINTS
        if is_named and model.kinds[row].is_vertex:
            stubs[reference.name.removesuffix("::__model__")] = row
    return stubs


def _holder(model: Model, owner: int, xml: str, stubs: dict[str, int], elements: Sequence[Element]) -> str:
    """Return the element that holds copied ones, with what represents those that they name outside."""
    is_urdf, is_world = is_robot(model, 0), model.kinds[owner] is Kind.WORLD
    parts = [*_materials(model, elements), xml] if is_urdf else [xml]
    X_OwnerRoot = transforms.invert(model.X_RootF[owner]) if model.kinds[owner] in (Kind.MODEL, Kind.WORLD) else None
    tree: _Stubs = {}
    for name, row in sorted(stubs.items(), key=lambda each: each[0].count("::"), reverse=True):
        X = np.eye(4) if X_OwnerRoot is None else X_OwnerRoot @ model.X_RootF[row]
        *models, link = name.split("::")
        inside = tree
        for each in models:
            deeper = inside.setdefault(each, {})
            inside = deeper if isinstance(deeper, dict) else {}
        inside.setdefault(
            link, "" if is_urdf or not np.isfinite(X).all() else format_pose(numbers_of(X, Notation.RADIANS))
        )
    order = [name.partition("::")[0] for name in stubs]
    for name in dict.fromkeys(order):
        parts.append(_stub(name, tree[name], f" {OUTSIDE}='true'", "frame" if is_world else "link"))
    mark = f"{format_attribute('name', model.local_names[owner])} {HOLDER}='true'"
    tag = model.kinds[owner].value
    if tag in ("model", "world"):
        return _element("robot" if is_urdf else tag, mark, "\n".join(parts))
    held = _element("link", mark, "\n".join(parts))
    return held if is_urdf else _element("model", format_attribute("name", model.local_names[0]), held)


def _stub(name: str, content: str | _Stubs, mark: str, tag: str) -> str:
    """Return what represents a frame outside, or a model with frames."""
    if isinstance(content, str):
        return f"<{tag} {format_attribute('name', name)}{mark}>{content}</{tag}>"
    inside = "".join(_stub(each, inner, "", "link") for each, inner in content.items())
    return f"<model {format_attribute('name', name)}{mark}>{inside}</model>"


def _materials(model: Model, elements: Sequence[Element]) -> Iterator[str]:
    """Yield the definitions of the materials of a URDF that elements name."""
    named = {
        inner.attributes.get("name")
        for each in elements
        for inner in each.descendants()
        if inner.tag == "material" and not inner.children
    }
    for material in model.elements[0].findall("material"):
        if material.attributes.get("name") in named:
            yield element_source(model.document, material)


def _element(tag: str, attributes: str, content: str) -> str:
    return f"<{tag} {attributes}>\n  {reindented(content, '', '  ')}\n</{tag}>"


def _file(model: Model, xml: str) -> str:
    root = model.document.root
    declared = {} if root is None else {k: v for k, v in root.attributes.items() if k.startswith("xmlns:")}
    declared[f"xmlns:{PREFIX}"] = NAMESPACE
    prefixes = "".join(f' {name}="{escape(uri, chr(34))}"' for name, uri in declared.items())
    if not has_versions(model.document):
        robot = xml if xml.startswith("<robot") else _element("robot", f"name='{PREFIX}'", xml)
        return robot.replace("<robot", f"<robot{prefixes}", 1) + "\n"
    return f'<sdf version="{format_version(model.version)}"{prefixes}>\n  {reindented(xml, "", "  ")}\n</sdf>\n'


# --- names of the copies ------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class CopyNames:
    """How copies are called.

    Attributes
    ----------
    find, replace
        What becomes what in names; empty for nothing.
    suffix
        What is written behind a name that has nothing to replace.
    given
        Names of copies by those of the originals, which go before.
    """

    find: str = ""
    replace: str = ""
    suffix: str = ""
    given: Mapping[str, str] = field(default_factory=dict)

    def wanted(self, name: str) -> str:
        """Return what the copy of something is called if that is free."""
        return self.given.get(name) or self.swapped(name) or name + self.suffix

    def free(self, name: str, taken: Collection[str]) -> str:
        """Return what the copy of something is called: with a number where that is taken."""
        return free_name_among(self.wanted(name), taken, 1)

    def swapped(self, name: str) -> str | None:
        """Return a name with the replacement, None where it has nothing to replace."""
        return Mirror(-1, find=self.find, replace=self.replace).swapped(name)

    def of_rows(self, items: Sequence[Element], other: Model, taken: Collection[str]) -> dict[int, str]:
        """Return the names of elements and of what follows them, by their rows in the model they are copied from.

        Raises
        ------
        RefactoringError
            If a given name is taken or invalid.
        """
        found: dict[int, str] = {}
        taken = set(taken)
        for item in items:
            row = other.rows_by_element.get(id(item))
            if row is None:
                for each in item.children if item.tag == "gazebo" else ():
                    inner = other.rows_by_element.get(id(each))
                    if inner is not None and other.kinds[inner] in (Kind.JOINT, Kind.LINK, Kind.FRAME):
                        found[inner] = self.free(other.local_names[inner], taken)
                        taken.add(found[inner])
                continue
            if item.tag != "include" and "name" not in item.attributes:
                continue  # a visual of a URDF needs none
            old = other.local_names[row]
            name = self.given.get(old) or self.free(old, taken)
            if name in taken:
                raise RefactoringError(f"the name '{name}' is taken")
            if why := why_invalid_name(name):
                raise RefactoringError(f"the name '{name}' {why}")
            taken.add(name)
            found[row] = name
            known = format_of(other.document)
            if known is not None and name != old:
                found.update(known.names_that_follow(other, row, name))
            if self.find:
                inside = ((each, self.swapped(other.local_names[each])) for each in other.inside(row)[1:])
                found.update((each, name) for each, name in inside if name is not None and each not in found)
        return found

    def of_others(self, items: Sequence[Element], other: Model, around: Element) -> Replacements:
        """Return the edits of names that are no rows': of a gripper or transmission, and of what a ``<gazebo>`` holds.

        Parameters
        ----------
        around
            The element that gets the copies.
        """
        edits: list[Replacement] = []
        taken: dict[tuple[str, str], set[str]] = {}
        for item in items:
            if item.tag not in ("gazebo", "gripper", "transmission") or id(item) in other.rows_by_element:
                continue
            is_extension = item.tag == "gazebo"
            for each in item.findall(*NAMED_IN_GAZEBO) if is_extension else [item]:
                if (key := (item.tag, each.tag)) not in taken:
                    beside = around.iter(each.tag) if is_extension else around.findall(each.tag)
                    taken[key] = {inner.given_name for inner in beside}
                if (name := each.given_name) or each is item:
                    edits += set_attribute(other.document, each, "name", self.free(name, taken[key]))
        return tuple(edits)


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
