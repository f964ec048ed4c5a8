"""The field of a reference, wherever the panel shows one: a picker of its targets, and below its list what stays."""

from __future__ import annotations

from collections.abc import Mapping

from sdfviewer.display_text import as_sentence
from sdfviewer.document.edits import Edit
from sdfviewer.gui.context.frame_choices import choice_of
from sdfviewer.gui.context.performing import as_one, edit_by
from sdfviewer.gui.kit.fields.frame_picker import FrameChoice, FramePicker
from sdfviewer.gui.properties.fields import MIXED, FieldEntry, ValueField
from sdfviewer.gui.properties.keep_choice import WhatStays
from sdfviewer.gui.properties.section import PropertySection
from sdfviewer.model.graph import UNRESOLVED
from sdfviewer.model.model import Model
from sdfviewer.model.targets import Attribute, ReferenceTargets, common_targets
from sdfviewer.operations import frames, joints
from sdfviewer.operations.declaration import Operation
from sdfviewer.refactoring.retargeting import Keep

#: What writes a reference that places something, and how it calls the element and the target.
_OPERATIONS: Mapping[Attribute, tuple[Operation, str, str]] = {
    "relative_to": (frames.set_relative_to, "frame", "target"),
    "attached_to": (frames.set_attached_to, "frame", "target"),
    "parent": (joints.set_parent, "joint", "parent"),
    "child": (joints.set_child, "joint", "child"),
}
#: References that must be given.
_ENDS = ("parent", "child")
#: What counts where nothing is written, if no frame can be named for it.
_DEFAULTS: Mapping[Attribute, str] = {
    "relative_to": "default: not found",
    "attached_to": "default: not found",
    "canonical_link": "default: the first link",
    "expressed_in": "default: the joint itself",
    "placement_frame": "default: the model frame",
}


def build_choices(model: Model, row: int, attribute: Attribute) -> list[FrameChoice]:
    """Return the choices of a reference: the default, then the names of its scope, each with the reason against it."""
    targets = ReferenceTargets(model, row, attribute)
    choices = [choice_of(model, each) for each in targets]
    own = targets.named(None)
    if own.row >= 0 and attribute in ("relative_to", "attached_to"):
        choices.insert(0, choice_of(model, own))
    elif attribute not in (*_ENDS, "relative_to", "attached_to"):
        choices.insert(0, FrameChoice(None, _default_label(model, row, attribute), model.kinds[row].value))
    return choices


def _default_row(model: Model, row: int, attribute: Attribute) -> int:
    """Return the row that counts where nothing is written, negative where the label says it in words."""
    if attribute == "relative_to":
        return int(model.relative_to[row])
    if attribute == "attached_to":
        return int(model.attached_to[row])
    return model.canonical_links.get(row, UNRESOLVED) if attribute == "canonical_link" else UNRESOLVED


def _default_label(model: Model, row: int, attribute: Attribute) -> str:
    target = _default_row(model, row, attribute)
    return f"default: {model.local_names[target]}" if target >= 0 else _DEFAULTS.get(attribute, "not set")


class ReferenceField(ValueField):
    """A frame of the scope, picked from a searchable list.

    Attributes
    ----------
    attribute
        What holds the name.
    """

    def __init__(self, section: PropertySection, attribute: Attribute, label: str) -> None:
        super().__init__(label)
        self._section = section
        self.attribute = attribute
        self.picker = FramePicker(label)
        self.put(self.picker)
        self.picker.opening.connect(lambda: self.picker.set_choices(self._choices()))
        self.picker.picked.connect(lambda choice: self.committed.emit(FieldEntry(choice.name)))
        self._stays: WhatStays | None = None
        # The pose of a joint is measured from its child by default, in URDF from its parent.
        measured = "parent" if attribute in _ENDS and section.model.scope.joins_links_only else "child"
        if attribute in ("relative_to", "attached_to", measured):
            self._stays = WhatStays(self.picker, section.context, section.settings, self.compute)

    @property
    def has_operation(self) -> bool:
        """Whether :meth:`compute` writes it, and keeps what is placed by it in its place."""
        return self.attribute in _OPERATIONS

    def edit(self, name: str | None) -> Edit:
        """Return the edit that writes another target, with what the user has chosen to keep."""
        return self.compute(name, "pose" if self._stays is None else self._stays.keep)

    def compute(self, name: str | None, keep: Keep) -> Edit:
        """Return the edit that writes another target, as the file would spell it, for all rows that are shown."""
        section = self._section
        operation, holder, target = _OPERATIONS[self.attribute]
        written = {target: name or "" if self.attribute in _ENDS else name, "keep": keep}
        session, model = section.context.session, section.model
        edits = [edit_by(session, model, operation, **{holder: row}, **written) for row in section.shown_rows]
        return as_one(f"Make {len(edits)} elements relative to {name or 'their defaults'}", edits)

    def show_value(self, value: str | None, default: str, editable: bool) -> None:
        self.show_fault("")
        self.picker.setEnabled(editable)
        model, rows = self._section.model, self._section.shown_rows
        if value == MIXED:
            self.picker.show_choice(MIXED, None, "The selected elements have different values")
        elif not value:
            self._show_default(model, rows)
        elif len({(targets := ReferenceTargets(model, row, self.attribute)).scope for row in rows}) > 1:
            self.picker.show_choice(value, None, value)  # which is another frame for each
        else:
            target = targets.named(value)
            if target.row == UNRESOLVED:
                self.picker.show_choice(value, None, as_sentence(target.reason or value), faulty=True)
            else:
                shown = choice_of(model, target)
                full = model.shown_name(target.row) if target.row >= 0 else shown.label
                self.picker.show_choice(shown.label, shown.kind, f"{value}: {full}")

    def _show_default(self, model: Model, rows: list[int]) -> None:
        tip = f"{self.accessibleName()} is not set"
        if len(rows) > 1:
            self.picker.show_choice("default", None, tip)
            return
        target, label = _default_row(model, rows[0], self.attribute), _default_label(model, rows[0], self.attribute)
        if target >= 0:
            self.picker.show_choice(label, model.kinds[target].value, f"{tip}: {model.shown_name(target)}")
        else:
            # Of a pose none may be found: the child of a joint is missing.
            missing = ", and its default is not found." if label == "default: not found" else ""
            self.picker.show_choice(label, None, tip + missing)

    def _choices(self) -> list[FrameChoice]:
        model, rows = self._section.model, self._section.shown_rows
        if len(rows) > 1 and self.attribute == "relative_to":
            common = [choice_of(model, target) for target in common_targets(model, rows)]
            return [FrameChoice(None, "their defaults", "model"), *common]
        return build_choices(model, rows[-1], self.attribute)
