"""Flatten: inline all includes and dissolve all nested models. Nothing moves.

A world keeps its models; in each of them only links, joints and frames are left. What was ``arm::gripper::finger`` is
``arm::gripper_finger`` then.
"""

from __future__ import annotations

import re
from dataclasses import replace

from sdfviewer.document.document import Document
from sdfviewer.document.edits import Edit, Replacements, set_attribute
from sdfviewer.document.element import Element
from sdfviewer.document.topics import LEFT_OUT, Announced, Aspect, Topic
from sdfviewer.formats.load import Loader
from sdfviewer.model.kinds import Kind
from sdfviewer.model.model import Model
from sdfviewer.model.names import free_name_among
from sdfviewer.model.values import parse_bool
from sdfviewer.refactoring.composition.dissolving import MEMBERS, OF_STATE, Dissolution, all_references, plain_frame
from sdfviewer.refactoring.composition.grouping import note_in, order_back
from sdfviewer.refactoring.composition.inlining import Standalone
from sdfviewer.refactoring.composition.relocating import plugin_edits
from sdfviewer.refactoring.draft import Draft, note
from sdfviewer.refactoring.editable import (
    RefactoringError,
    require_editable,
    require_not_flattened,
    require_sdformat,
)
from sdfviewer.refactoring.versions.raising import raise_version
from sdfviewer.validation import joint_rules, kinematics_rules
from sdfviewer.versions import FRAME_SEMANTICS, SCOPED_REFERENCES, format_version

_LABEL = "Flatten"
#: Between the name of a nested model and those of its members; ``::`` would mean a nested model.
_SEPARATOR = "_"
#: What a model sets for its links unless they say something else.
_INHERITED = ("self_collide", "enable_wind")
#: What libsdformat checks of the joints of top models, and of those in nested models does not.
_FOR_TOP_MODELS = (
    joint_rules.joint_child_is_world,
    joint_rules.joint_parent_is_child,
    kinematics_rules.mimic_invalid,
)


def flatten(document: Document, loader: Loader, *, keep_scopes: bool = False) -> Edit:
    """Return the file with includes put in and nested models dissolved.

    Parameters
    ----------
    document, loader
        The file, and what finds and loads what it includes.
    keep_scopes
        Whether members are named ``model::member``, as libsdformat named them before SDFormat 1.8, rather than
        ``model_member``. Only a model in a file of 1.7 or older may have such names.

    Raises
    ------
    SdfViewerError
        If the file, or one that it includes, cannot be read or raised to the version that this needs, or if something
        in a nested model names nothing.
    """
    draft, writer = Draft(document), Standalone(loader)
    before = writer.load(document)
    require_sdformat(before)
    writer.write(draft)
    model = writer.load(draft.document)
    if not _nested(model):
        return Edit(_LABEL, document, draft.replacements(), notes=tuple(writer.notes), losses=tuple(writer.losses))
    # The frame of a nested model becomes a <frame> that is attached to a link.
    if model.version < FRAME_SEMANTICS:
        writer.notes.append(_raised(document))
        draft.edit(raise_version(model, FRAME_SEMANTICS).replacements)
        model = writer.load(draft.document)
    if keep_scopes and (model.version >= SCOPED_REFERENCES or model.is_world):
        where = "a world" if model.is_world else f"SDFormat {format_version(model.version)}"
        raise RefactoringError(f"names with '::' would refer to nested models in {where}")
    flattening = _Flattening(model, before, "::" if keep_scopes else _SEPARATOR)
    flattening.write(draft)
    edit = flattening.edit(_LABEL, document, draft)
    return replace(edit, notes=(*writer.notes, *edit.notes), losses=(*writer.losses, *edit.losses))


def _raised(document: Document) -> str:
    why = "the first version in which a frame can represent a model"
    return f"{document.name}:1: converted to SDFormat {format_version(FRAME_SEMANTICS)}, {why}"


def dissolve(model: Model, row: int, loader: Loader) -> Edit:
    """Return the edit that writes the members of a nested model in the model around it, and takes the model out.

    Names stay where they are free, else they begin with that of the model. A frame represents the model where anything
    needs it. What :func:`~sdfviewer.refactoring.composition.grouping.group` has put together goes where it was.

    Raises
    ------
    SdfViewerError
        If the row is no nested model of the file, if it cannot be dissolved, or if something in it names nothing.
    """
    require_sdformat(model)
    require_editable(model, row)
    require_not_flattened(model, row)
    document, label = model.document, f"Ungroup {model.distinct_name(row)}"
    if row not in _nested(model):
        raise RefactoringError(f"'{model.names[row]}' is not a nested model of this file")
    draft, before = Draft(document), model
    flattening = _Flattening(model, model, _SEPARATOR, row)
    if model.version < FRAME_SEMANTICS and not flattening.dissolution.plain:
        draft.edit(raise_version(model, FRAME_SEMANTICS).replacements)
        model = Standalone(loader).load(draft.document)
        flattening = _Flattening(model, before, _SEPARATOR, row)
        flattening.notes.append(_raised(document))
    element = model.elements[row]
    frames = int(row not in flattening.dissolution.plain)
    blocks = [(element, frames, sum(child.tag in MEMBERS or ":" in child.tag for child in element.children))]
    blocks += [(each, 0, len(each.children) - len(each.findall(*OF_STATE))) for each in flattening.dissolution.states()]
    notes = [note_in(model.document, each) for each, _, _ in blocks]
    flattening.write(draft, tuple(edit for outside, _ in notes for edit in outside))
    *around, _ = model.document.address(element)
    for (each, frames, count), (_, places) in zip(blocks, notes, strict=True):
        if not places:
            continue
        *within, number = model.document.address(each)
        parent, first = draft.document.element(tuple(within)), number + frames
        draft.edit(order_back(draft.document, parent, parent.children[first : first + count], places))
    parent = draft.document.element(tuple(around))
    canonical = model.elements[int(model.owners[row])].word("canonical_link")
    link = next((child.word("name") for child in parent.children if child.tag == "link"), None)
    if canonical.startswith(f"{model.local_names[row]}::") and parent.word("canonical_link") == link:
        draft.edit(set_attribute(draft.document, parent, "canonical_link", None))  # it is the first one again
    return flattening.edit(label, document, draft)


def _nested(model: Model) -> list[int]:
    """Return the rows of the models in models that are written in the file."""
    return [
        row
        for row in range(1, len(model))
        if model.kinds[row] is Kind.MODEL
        and model.kinds[int(model.owners[row])] is Kind.MODEL
        and model.sources[row] is None
        and model.elements[row].tag != "include"
    ]


class _Flattening:
    """Decides which models go and what their members are called, and says what else that changes.

    ``before`` is the file before its includes were put in, which gives the locations. If ``only`` one model is meant,
    names stay where they can, and no frame represents it where nothing needs one.
    """

    def __init__(self, model: Model, before: Model, separator: str, only: int | None = None) -> None:
        self._model = model
        self._separator = separator
        self._is_short = only is not None
        self._before = before
        self.notes: list[str] = []
        self.losses: list[str] = []
        self.about: list[Announced] = []
        self._frames: dict[int, str] = {}
        self._names: dict[int, str] = {}
        self._inherited: dict[int, list[str]] = {}
        self._taken: dict[int, set[str]] = {}

        plain = {} if only is None else plain_frame(model, only)
        for row in _nested(model) if only is None else (only,):
            reason = self._reason_to_stay(row)
            if reason and only is not None:
                raise RefactoringError(f"'{model.names[row]}': {reason}")
            if reason:
                self._lose(row, f"{reason}; it stays a nested model")
            else:
                self._frames[row] = ""
        for row in range(1, len(model)):
            if row in self._frames or (int(model.owners[row]) in self._frames and model.kinds[row].is_vertex):
                self._give_name(row)
        self.dissolution = Dissolution(model, self._frames, self._names, self._inherited, plain=plain)
        for row in plain:
            sentence = self._sentence(row, "its frame is left out, as nothing needs it")
            self.notes.append(sentence)
            self.about.append(Announced(model.names[row], sentence, LEFT_OUT))

    def edit(self, label: str, document: Document, draft: Draft) -> Edit:
        """Return the edit of a file that a draft of it has become."""
        renamed, about = self.dissolution.renamed(), tuple(self.about)
        notes, losses = tuple(self.notes), tuple(self.losses)
        return Edit(label, document, draft.replacements(), renamed, (), notes, losses, about)

    def write(self, draft: Draft, edits: Replacements = ()) -> None:
        """Take the nested models out of a draft of the file; ``edits`` are made along the way."""
        dissolution = self.dissolution
        self._require_targets(dissolution)
        for row in self._frames:
            edits += self._carry_over(dissolution, row)
        for scope, plugin, changes in plugin_edits(
            self._model,
            lambda scope, _, row: dissolution.name_in(dissolution.holder(scope), row),
            dissolution.scoped_name,
        ):
            edits += changes
            self._note_plugin(dissolution, scope, plugin, len(changes))
        for row in sorted({dissolution.holder(row) for row in self._frames}):
            edits += self._canonical_link(dissolution, row)
            self._note_collisions(dissolution, row)
        self._lose_joints(dissolution)
        dissolution.apply(draft, edits)

    def _note(self, row: int, message: str) -> None:
        self.notes.append(self._sentence(row, message))

    def _lose(self, row: int, message: str) -> None:
        self.losses.append(self._sentence(row, message))
        self.about.append(Announced(self._model.names[row], self.losses[-1]))

    def _sentence(self, row: int, message: str) -> str:
        """Return a sentence about a row, with its place in the file as it was."""
        name, before = self._model.names[row], self._before
        known = before.rows_by_name.get(name, 0)
        about = f"{self._model.kinds[row]} '{name}'"
        return note(before.document_of(known), before.elements[known], f"{about}: {message}")

    # --- which, and under what names ---------------------------------------------------------------------------

    def _reason_to_stay(self, row: int) -> str:
        """Return why a nested model cannot be dissolved, empty where it can."""
        model, element = self._model, self._model.elements[row]
        if bool(model.static[row]) and not bool(model.static[int(model.owners[row])]):
            return "it is static inside a model that is not, and only whole models can be static"
        if self._is_short:
            around = model.elements[int(model.owners[row])]
            differs = parse_bool(element.text_of("static")) != parse_bool(around.text_of("static"))
            return "only one of it and the model around it says that it is static" if differs else ""
        for include in element.findall("include") if element.tag == "model" else ():
            inner = model.rows_by_element.get(id(include))
            if inner is None or model.kinds[inner] is not Kind.MODEL:
                return "one of its includes could not be inlined"
        return ""

    def _give_name(self, row: int) -> None:
        """Give a model's frame, or a member of a model that goes, a name that is free in what holds it then."""
        model = self._model
        owner = int(model.owners[row])
        name = model.local_names[row]
        if owner in self._frames:
            name = self._name_in_holder(owner, name)
        if row in self._frames:
            self._frames[row] = name
        else:
            self._names[row] = name

    def _name_in_holder(self, owner: int, name: str) -> str:
        """Return what is called by a name in a model that goes as it is called in the holder of that."""
        if not self._is_short or name in self._taken_in(owner):
            name = f"{self._frames[owner]}{self._separator}{name}"
        return self._free_name(owner, name)

    def _free_name(self, owner: int, wanted: str) -> str:
        """Return ``wanted``, or with a number behind it, whichever nothing in the holder of a model is called."""
        taken = self._taken_in(owner)
        name = free_name_among(wanted, taken)
        taken.add(name)
        return name

    def _taken_in(self, owner: int) -> set[str]:
        """Return the names of all that is in the holder of a model afterwards, as far as they are given."""
        model = self._model
        while owner in self._frames:
            owner = int(model.owners[owner])
        taken = self._taken.get(owner)
        if taken is None:
            taken = self._taken[owner] = {child.attributes.get("name", "") for child in model.elements[owner].children}
            taken |= {model.local_names[row] for row in range(len(model)) if int(model.owners[row]) == owner}
            if self._is_short:  # what names nothing must not name a member by chance
                named = (each for each in all_references(model) if each.scope == owner and not each.steps(model))
                taken |= {each.name.partition("::")[0] for each in named}
        return taken

    def _require_targets(self, dissolution: Dissolution) -> None:
        """Refuse to move what names nothing: in its new place the name might mean something by chance."""
        for reference in all_references(self._model):
            if dissolution.lookup(reference.scope, reference.name) is not None:
                continue
            is_world = reference.element.tag == "parent" and reference.name == "world"
            head = dissolution.lookup(reference.scope, reference.name.partition("::")[0])
            if (reference.scope in self._frames or head in self._frames) and not is_world:
                place = note(self._model.document, reference.element, f"'{reference.name}'")
                raise RefactoringError(f"{place} is not a frame; fix that first")

    # --- what a model says of itself ---------------------------------------------------------------------------

    def _carry_over(self, dissolution: Dissolution, row: int) -> Replacements:
        """Give the links of a model what the model decided for them, note what is lost; return the edit of grippers."""
        model, element = self._model, self._model.elements[row]
        if element.tag != "model":
            return ()
        holder = model.elements[dissolution.holder(row)]
        for tag in _INHERITED:
            own = parse_bool(element.text_of(tag))
            if own == parse_bool(holder.text_of(tag)):
                continue
            for link in element.findall("link"):
                if link.find(tag) is None:
                    lines = self._inherited.setdefault(model.rows_by_element[id(link)], [])
                    lines.append(f"<{tag}>{str(own).lower()}</{tag}>")
        tag = "allow_auto_disable"
        if parse_bool(element.text_of(tag), True) != parse_bool(holder.text_of(tag), True):
            self._lose(row, f"its <{tag}> is left out: the enclosing model decides")
        known = {*MEMBERS, *_INHERITED, tag, "pose", "static"}
        for child in element.children:
            if child.tag not in known and ":" not in child.tag:
                self._lose(row, f"its <{child.tag}> is left out: it applies to that model itself")
        for name in element.attributes:
            if name not in ("name", "canonical_link", "placement_frame") and not name.startswith("xmlns"):
                self._lose(row, f"its attribute '{name}' is left out")
        edits: Replacements = ()
        for gripper in element.findall("gripper"):
            name = self._name_in_holder(row, gripper.word("name"))
            edits += set_attribute(model.document, gripper, "name", name)
        return edits + self._foreign_names(row)

    def _foreign_names(self, row: int) -> Replacements:
        """Return the edit that renames elements of other namespaces whose names are taken in the holder of a model."""
        model = self._model
        edits: Replacements = ()
        for element in model.elements[row].children:
            name = element.word("name") if ":" in element.tag else ""
            if not name:
                continue
            is_taken = name in self._taken_in(row)
            free = self._free_name(row, f"{self._frames[row]}{self._separator}{name}" if is_taken else name)
            if is_taken:
                self._note(row, f"its <{element.tag}> '{name}' is called '{free}' now, as that name is taken")
                edits += set_attribute(model.document, element, "name", free)
        return edits

    def _lose_joints(self, dissolution: Dissolution) -> None:
        """Say which joints of nested models are refused where they are joints of a top model."""
        model = self._model
        for each in model.diagnostics:
            row = model.rows_by_name.get(each.frames[0]) if each.frames and each.rule in _FOR_TOP_MODELS else None
            if row is None or each.is_error or int(model.owners[row]) not in self._frames:
                continue
            holder = dissolution.holder(int(model.owners[row]))
            if holder == 0 or (model.is_world and int(model.owners[holder]) == 0):
                self._lose(row, f"{each.message}; in a nested model that is a warning, in a top model it is refused")

    def _note_plugin(self, dissolution: Dissolution, scope: int, plugin: Element, changed: int) -> None:
        name = plugin.word("name") or plugin.word("filename")
        changes = []
        if scope in self._frames and plugin in self._model.elements[scope].children:
            changes.append(f"now belongs to model '{self._model.local_names[dissolution.holder(scope)]}'")
        if changed:
            changes.append("uses 1 changed name" if changed == 1 else f"uses {changed} changed names")
        if changes:
            self._note(scope, f"its plugin '{name}' {' and '.join(changes)}; check that it still works")
            topic = Topic(Aspect.PLUGIN, rf"plugin {re.escape(name)}( .*)?")
            holder = self._model.names[dissolution.holder(scope)]
            self.about.append(Announced(holder, self.notes[-1], (topic,)))

    def _note_collisions(self, dissolution: Dissolution, holder: int) -> None:
        model = self._model
        if bool(model.static[holder]) or parse_bool(model.elements[holder].text_of("self_collide")):
            return
        owners = {
            int(model.owners[int(model.owners[row])]) for row in range(len(model)) if model.kinds[row] is Kind.COLLISION
        }
        if len({owner for owner in owners if dissolution.holder(owner) == holder}) > 1:
            message = "links of several models now belong to this one, and pass through each other unless "
            self._note(holder, f"{message}<self_collide> says otherwise")

    def _canonical_link(self, dissolution: Dissolution, holder: int) -> Replacements:
        """Return the edit that names the canonical link of a model where its first link is another one now."""
        model = self._model
        link = model.canonical_links.get(holder)
        if link is None:  # it is static, but its first link may be the canonical link of a model around it
            links = model.canonical_links.values()
            link = next((each for each in links if dissolution.holder(int(model.owners[each])) == holder), None)
        first = next(
            (
                row
                for row in range(holder + 1, len(model))
                if model.kinds[row] is Kind.LINK and dissolution.holder(int(model.owners[row])) == holder
            ),
            None,
        )
        element = model.elements[holder]
        if link is None or first is None or link == first or element.word("canonical_link"):
            return ()
        return set_attribute(model.document, element, "canonical_link", dissolution.name_in(holder, link))
