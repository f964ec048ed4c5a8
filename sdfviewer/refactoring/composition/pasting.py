"""Copied elements that are written into a file: references, poses and files mean the same there."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from sdfviewer import transforms
from sdfviewer.document.edits import (
    Edit,
    Replacements,
    element_source,
    format_attribute,
    in_steps,
    insert_child,
    reindented,
    set_attribute,
    set_text,
)
from sdfviewer.document.element import Element
from sdfviewer.document.topics import Announced, Aspect, Topic
from sdfviewer.files.uris import UriForm
from sdfviewer.formats.load import Loader
from sdfviewer.formats.registry import writing_of
from sdfviewer.model.kinds import Kind
from sdfviewer.model.model import Model
from sdfviewer.model.names import free_name_among
from sdfviewer.model.references import Reference, find_references, set_name
from sdfviewer.model.values import format_numbers, parse_numbers
from sdfviewer.refactoring.adding import is_robot, nearest_owner, require_place
from sdfviewer.refactoring.composition.copying import HOLDER, Convert, CopyNames, child_around, named_row, read_copied
from sdfviewer.refactoring.composition.joining import clashing_materials, merged_materials
from sdfviewer.refactoring.composition.moved_uris import FileCopy, moved_uris
from sdfviewer.refactoring.editable import RefactoringError, require_editable
from sdfviewer.refactoring.new_elements import element_lines
from sdfviewer.refactoring.pose_writing import write_relative_to
from sdfviewer.refactoring.renaming import rename_references
from sdfviewer.transforms import Array
from sdfviewer.versions import FRAME_SEMANTICS

_SCOPES = (Kind.MODEL, Kind.WORLD)
_STUBS = frozenset({"link", "frame", "model"})
_SAME = 1e-9


@dataclass(frozen=True)
class Pasted:
    """The edit that writes copied elements, and the files that are copied beside the file."""

    edit: Edit
    copies: tuple[FileCopy, ...] = ()


@dataclass
class _Paste:
    """Copied elements on their way into a file."""

    model: Model
    other: Model
    holder: Element
    outside: tuple[str, ...]
    loader: Loader
    form: UriForm | None
    losses: Sequence[str]
    before: Element | None
    items: list[Element] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    edits: Replacements = ()
    #: New names of rows of the other model, and how what they name outside is called here.
    called: dict[int, str] = field(default_factory=dict)
    mounts: dict[int, str] = field(default_factory=dict)

    # --- where -------------------------------------------------------------------------------------------------------

    @property
    def scope(self) -> int:
        """The row of the other model whose members the elements are."""
        return self.other.rows_by_element.get(id(self.holder), 0)

    def place(self, into: int | None) -> tuple[int, int | None, str | None]:
        """Return the owner of the elements here, the link that carries them, and the name of a model made for them."""
        model, tags = self.model, [each.tag for each in self.items]
        if into is not None and into > 0 and model.local_names[into] in {each.given_name for each in self.items}:
            into = int(model.owners[into])  # beside what was copied
        mount = None
        if self.other.kinds[self.scope] in _SCOPES and into is not None and model.kinds[into] not in _SCOPES:
            body = into if model.kinds[into] in (Kind.LINK, Kind.FRAME) else int(model.bodies[into])
            mount = body if body >= 0 else None
        if is_robot(model, 0):
            owner = 0 if self.other.kinds[self.scope] in _SCOPES else nearest_owner(model, into, tags[0])
        elif model.kinds[0] is Kind.WORLD and {"model", "include"}.issuperset(tags):
            owner = 0
        elif model.kinds[0] is Kind.WORLD and not into and self.other.kinds[self.scope] is Kind.MODEL:
            first = next((each.given_name for each in self.items if each.tag == "link"), self.other.local_names[0])
            return 0, None, free_name_among(first, model.rows_by_name, 1)
        else:
            owner = nearest_owner(model, into, tags[0])
        if owner is None:
            raise RefactoringError(f"select what a {tags[0]} can be pasted into: a model or link of this file")
        if mount is not None and model.name_in(owner, mount) is None:
            mount = None
        return owner, mount, None

    # --- what carries them -------------------------------------------------------------------------------------------

    def carry(self, owner: int, mount: int | None, new: str | None) -> None:
        """Let references out of the elements name what is here, and keep poses; drop joints that have no end here."""
        other, model = self.other, self.model
        stubs = {name: other.find(self.scope, name) for name in self.outside}
        named = {
            named_row(other, each) for each in find_references(other) if each.attribute in ("parent", "attached_to")
        }
        carrier = next((row for row in stubs.values() if row in named), None)  # that of the limb itself comes first
        base: tuple[str, Array, Array] | None = None
        lost: set[int] = set()
        for name, row in stubs.items():
            if row is None:
                continue
            here = mount if mount is not None and row == carrier else None if new else model.find(owner, name)
            if here is None and is_robot(model, 0):
                here = _root_link(model)
                self.notes.append(f"'{name}' is not in this file: what it carries is on '{model.local_names[here]}'")
            if here is None:
                lost.add(row)
                continue
            written = model.name_in(owner, here)
            assert written is not None
            self.mounts[row] = written
            X_before = transforms.invert(other.X_RootF[self.scope]) @ other.X_RootF[row]
            X_here = transforms.invert(model.X_RootF[owner]) @ model.X_RootF[here]
            if row == carrier and not np.allclose(X_before, X_here, rtol=0.0, atol=_SAME):
                base = written, X_before, X_here
        if is_robot(model, 0):
            base = None
        if base is not None:
            self._rebase(*base)
        for reference, row, _ in self.naming(self.mounts):
            if reference.name != self.mounts[row]:
                self.edits += reference.write(other.document, self.mounts[row])
        if lost:
            self.leave(lost, base)

    def _rebase(self, name: str, X_before: Array, X_here: Array) -> None:
        """Measure what was measured from the model from what carries it, where that is at another place here."""
        other = self.other
        for item in self.items:
            row = other.rows_by_element.get(id(item))
            if row is None or int(other.relative_to[row]) != self.scope or not self._moves_along(row):
                continue
            self._measure(row, name, X_before, X_here)

    def _measure(self, row: int, name: str, X_before: Array, X_here: Array) -> None:
        """Measure a row from what carries it."""
        other = self.other
        X = transforms.invert(X_before) @ transforms.invert(other.X_RootF[self.scope]) @ other.X_RootF[row]
        if other.version >= FRAME_SEMANTICS:
            self.edits += write_relative_to(other, row, name, X)
        else:
            self.edits += write_relative_to(other, row, None, X_here @ X)

    def _moves_along(self, row: int) -> bool:
        """Return whether a row is on what is copied, and not on the model itself."""
        if self.other.kinds[row] is not Kind.FRAME:
            return self.other.kinds[row] is not Kind.JOINT or self.other.relative_to_written[row] is not None
        return self.other.attached_to_written[row] not in (None, "", "__model__")

    def leave(self, lost: Collection[int], base: tuple[str, Array, Array] | None = None) -> None:
        """Take references to what is not here out: joints and what names them go, poses are measured from elsewhere.

        Parameters
        ----------
        base
            What carries the elements, with its poses in the model there and here, where these differ.
        """
        other, gone = self.other, set(lost)
        for reference, row, item in self.naming(gone):
            if item.tag == "joint" and reference.attribute in ("parent", "child"):
                gone.add(reference.row)
                self.items.remove(item)
                self.notes.append(
                    f"joint '{item.given_name}' is left out: '{other.local_names[row]}' is not here; select the link "
                    "that carries what is pasted"
                )
        for reference, row, item in self.naming(gone):
            name = other.local_names[row]
            if reference.attribute == "relative_to" and base is not None and self._base_of(reference.row) == self.scope:
                self._measure(reference.row, *base)
            elif reference.attribute == "relative_to":
                X = transforms.invert(other.X_RootF[self._base_of(reference.row)]) @ other.X_RootF[reference.row]
                self.edits += write_relative_to(other, reference.row, None, X)
            elif item.tag in ("plugin", "transmission", "gripper") and item in self.items:
                self.items.remove(item)
                self.notes.append(
                    f"<{item.tag}> '{item.given_name}' is left out: '{name}', which it names, is not here"
                )
            elif reference.attribute == "expressed_in":
                self._express(reference, row)
            elif reference.attribute == "attached_to":
                self.edits += set_attribute(other.document, item, "attached_to", None)
                self.notes.append(f"frame '{item.given_name}' is on the model: '{name}' is not here")
            elif item in self.items:
                self.notes.append(f"<{item.tag}> '{item.given_name}' names '{name}', which is not here")

    def _express(self, reference: Reference, row: int) -> None:
        """Write an axis in the frame of its joint."""
        other = self.other
        numbers = parse_numbers(reference.element.text)
        if numbers is None or len(numbers) != len("xyz"):
            return
        R = other.X_RootF[reference.row][:3, :3].T @ other.X_RootF[row][:3, :3]
        text = format_numbers((R @ np.array(numbers)).tolist())
        self.edits += set_attribute(other.document, reference.element, "expressed_in", None)
        self.edits += set_text(other.document, reference.element, text)

    def naming(self, rows: Collection[int]) -> list[tuple[Reference, int, Element]]:
        """Return the references of the elements to some rows, each with the row and the element that holds it."""
        found = []
        for reference in find_references(self.other):
            row, item = named_row(self.other, reference), child_around(self.other, self.holder, reference.element)
            if row is not None and row in rows and item is not None and item in self.items:
                found.append((reference, row, item))
        return found

    def _base_of(self, row: int) -> int:
        """Return what the pose of a row is measured from by default."""
        other = self.other
        if (joint := other.joints_by_row.get(row)) is not None:
            return joint.child
        attached = int(other.attached_to[row]) if other.kinds[row] is Kind.FRAME else -1
        is_here = attached >= 0 and other.local_names[attached] not in self.outside
        return attached if is_here else int(other.owners[row])

    # --- the text ----------------------------------------------------------------------------------------------------

    def write_materials(self) -> None:
        """Leave out materials that this file defines in the same way, and give others that clash another name."""
        if not is_robot(self.model, 0):
            return
        merged = merged_materials(self.model, self.other)
        self.items = [each for each in self.items if each not in merged]
        for name, elements in clashing_materials(self.model, self.other).items():
            new = f"{name}_copied"
            self.notes.append(f"material '{name}' differs from that of this file; it is called '{new}' here")
            for element in elements:
                self.edits += set_attribute(self.other.document, element, "name", new)

    def fix_roots(self, owner: int, mount: int | None) -> list[str]:
        """Return the fixed joints that a URDF needs for links that nothing carries, as XML."""
        model, other = self.model, self.other
        if not is_robot(model, 0) or other.kinds[self.scope] not in _SCOPES:
            return []
        carried = {joint.child for row, joint in other.joints_by_row.items() if other.elements[row] in self.items}
        parent = model.local_names[_root_link(model) if mount is None else mount]
        lines = []
        for item in self.items:
            row = other.rows_by_element.get(id(item))
            if row is not None and item.tag == "link" and row not in carried:
                name = free_name_among(f"{self.called[row]}_joint", {*model.local_names, *self.called.values()}, 1)
                fields = {"name": name, "type": "fixed", "parent": parent, "child": self.called[row]}
                lines.append(in_steps(model.document, element_lines(model, owner, "joint", fields)))
                self.notes.append(f"joint '{name}' fixes '{self.called[row]}' on '{parent}'")
        return lines

    def sources(self) -> Iterator[str]:
        """Yield the text of each element with the edits in it."""
        document = self.other.document
        edits = sorted({(e.start, e.end, e.text): e for e in self.edits}.values(), key=lambda edit: edit.start)
        starts = [edit.start for edit in edits]
        for item in self.items:
            start, end = document.offsets(item, "element")
            near = edits[bisect_left(starts, start) : bisect_right(starts, end)]
            yield element_source(document, item, tuple(edit for edit in near if edit.end <= end))


def paste(
    model: Model,
    text: str,
    loader: Loader,
    *,
    into: int | None = None,
    source: Path | None = None,
    form: UriForm | None = None,
    names: CopyNames | None = None,
    convert: Convert | None = None,
    before: Element | None = None,
) -> Pasted:
    """Return the edit that writes copied elements into a file.

    Names that are taken get a number, and references among the elements follow. What they name outside is what has
    that name here, or else `into`; then they keep their place in what carries them. Otherwise they keep their place in
    the model.

    Parameters
    ----------
    model
        What the file means.
    text
        What :func:`~sdfviewer.refactoring.composition.copying.copy_elements` returns, or any elements.
    loader
        Reads the text.
    into
        Row of the link that carries the elements, or of what they are written in; what fits by default.
    source
        The file that the text is from: relative paths in it are those from its folder.
    form
        How files are named, see :data:`~sdfviewer.files.uris.URI_FORMS`.
    names
        How the copies are called; as they are, where that is free, by default.
    convert
        Converts what is in another format; without it that is refused.
    before
        The element before which the copies go; at the end by default.

    Raises
    ------
    SdfViewerError
        If the text holds no elements, or they cannot be written here.
    """
    other, outside, notes, losses = read_copied(model, text, loader, source, convert)
    holder = next((each for each in other.elements[0].descendants() if HOLDER in each.attributes), other.elements[0])
    is_whole = HOLDER not in holder.attributes and not is_robot(other, 0) and not losses and not outside
    work = _Paste(model, other, holder, outside, loader, form, losses, before, notes=[*notes])
    stubs = {name.partition("::")[0] for name in outside}
    inside = [each for each in holder.children if each.given_name not in stubs or each.tag not in _STUBS]
    work.items = [holder] if is_whole else inside
    if not work.items:
        raise RefactoringError("the text holds no elements that could be pasted")
    if is_whole and other.kinds[0] is Kind.WORLD:
        raise RefactoringError("a world cannot be pasted; copy models of it")
    if is_whole:
        return _whole(work, into)
    owner, mount, new = work.place(into)
    require_editable(model, owner)
    if new is None and other.kinds[work.scope] not in _SCOPES:
        require_place(model, owner, work.items[0].tag)
    prefix = model.member_prefix(owner)
    taken = {name[len(prefix) :] for name in model.names if name.startswith(prefix)} if new is None else ()
    names = names or CopyNames()
    work.called = names.of_rows(work.items, other, taken)
    work.edits += names.of_others(work.items, other, model.elements[owner])
    return _written(work, owner, mount, new)


def _whole(work: _Paste, into: int | None) -> Pasted:
    """Return the edit that writes a whole model."""
    model = work.model
    if is_robot(model, 0):
        raise RefactoringError("a URDF holds one robot: use Join Robot")
    owner = 0 if model.kinds[0] is Kind.WORLD else nearest_owner(model, into, "model")
    if owner is None:
        raise RefactoringError("select a model of this file to paste another one into")
    require_editable(model, owner)
    prefix = model.member_prefix(owner)
    name = free_name_among(prefix + work.other.local_names[0], model.rows_by_name, 1)[len(prefix) :]
    work.edits += set_name(work.other.document, work.holder, name)
    work.called[0] = name
    return _finished(work, owner, [], None, [prefix + name])


def _written(work: _Paste, owner: int, mount: int | None, new: str | None) -> Pasted:
    other, model = work.other, work.model
    items = set(work.items)
    for row, name in work.called.items():
        is_named = other.elements[row] in items or other.elements[row].given_name
        if is_named and name != other.local_names[row]:
            work.edits += set_name(other.document, other.elements[row], name)
    if other.kinds[work.scope] in _SCOPES:
        work.carry(owner, mount, new)
    elif work.outside:
        work.leave({each for name in work.outside if (each := other.rows_by_name.get(name)) is not None})
    work.write_materials()
    renamed = {row: name for row, name in work.called.items() if name != other.local_names[row]}
    work.edits += rename_references(other, renamed)
    prefix = model.member_prefix(owner) + (f"{new}::" if new else "")
    kept = items & set(work.items)  # some materials are here already
    names = (prefix + name for row, name in work.called.items() if other.elements[row] in kept)
    added = [*([model.member_prefix(owner) + new] if new else []), *names]
    if is_robot(model, owner) and other.kinds[work.scope] not in _SCOPES:
        added = []
    return _finished(work, owner, work.fix_roots(owner, mount), new, added)


def _finished(work: _Paste, owner: int, more: Sequence[str], new: str | None, added: Sequence[str]) -> Pasted:
    model, other = work.model, work.other
    copies: list[FileCopy] = []
    if other.document.path is not None:
        for moved in moved_uris(other.document, model.document.path, work.loader.finder, work.form, work.holder):
            work.edits += moved.replacements
            work.notes += [moved.note] if moved.note else []
            copies += [moved.copy] if moved.copy is not None else []
    xml = "\n".join([*more, *work.sources()])
    if new is not None:
        xml = f"<model {format_attribute('name', new)}>\n  {reindented(xml, '', '  ')}\n</model>"
    around = model.elements[owner]
    about = [each for item in work.items for each in _announced(model.names[owner], item)]
    what = [name.rpartition("::")[2] for name in added] or [work.items[0].tag]
    label = f"Paste {what[0]}" + (f" and {len(what) - 1} more" if len(what) > 1 else "")
    edits = insert_child(model.document, around, xml, work.before)
    notes, lost = tuple(dict.fromkeys(work.notes)), tuple(dict.fromkeys(work.losses))
    return Pasted(
        Edit(label, model.document, edits, added=tuple(added), notes=notes, losses=lost, about=tuple(about)),
        tuple(copies),
    )


def _announced(owner: str, item: Element) -> Iterator[Announced]:
    """Yield what may differ of what elements are written in: it has a plugin or gripper more."""
    for plugin in [item] if item.tag == "plugin" else item.findall("plugin") if item.tag == "gazebo" else []:
        name = plugin.word("name") or plugin.word("filename")
        topic = Topic(Aspect.PLUGIN, rf"plugin {re.escape(name)}( .*)?")
        yield Announced(owner, f"plugin '{name}' is on '{owner}'", (topic,))
    if item.tag == "gripper":
        yield Announced(owner, f"gripper '{item.given_name}' is on '{owner}'", (Topic(Aspect.SETTING, "gripper.*"),))


def _root_link(model: Model) -> int:
    """Return the link of a URDF that no joint carries; the first one where the root is the world."""
    links = [row for row, kind in enumerate(model.kinds) if kind is Kind.LINK]
    roots = (row for row in links if writing_of(model, row).why_fixed(model, row) is not None)
    if links:
        return next(roots, links[0])
    raise RefactoringError("add a link first, which carries what is pasted")
