"""A field for a reference, with a picker of legal targets."""

from __future__ import annotations

from typing import cast

from sdfviewer.document.edits import Edit
from sdfviewer.gui.context.performing import edit_by
from sdfviewer.gui.kit.fields.frame_picker import FrameChoice, FramePicker
from sdfviewer.gui.properties.fields import MIXED, FieldEntry, ValueField
from sdfviewer.gui.properties.keep_choice import WhatStays
from sdfviewer.gui.properties.reference_section import build_choices, choice_of
from sdfviewer.gui.properties.section import PropertySection
from sdfviewer.model.graph import UNRESOLVED
from sdfviewer.model.targets import Attribute, ReferenceTargets
from sdfviewer.operations import joints
from sdfviewer.refactoring.properties.catalogue import PropertySpec
from sdfviewer.refactoring.retargeting import Keep

#: References that must be given.
_ENDS = ("parent", "child")


class ReferenceField(ValueField):
    """A frame of the scope, picked from a searchable list."""

    def __init__(self, section: PropertySection, spec: PropertySpec) -> None:
        super().__init__(spec.label)
        self._section = section
        self._spec = spec
        self.picker = FramePicker(spec.label)
        self.put(self.picker)
        self.picker.opening.connect(self._offer)
        self.picker.picked.connect(lambda choice: self.committed.emit(FieldEntry(choice.name)))
        self._stays: WhatStays | None = None
        # The pose of a joint is measured from its child by default, in URDF from its parent.
        if spec.reference == ("parent" if section.model.scope.joins_links_only else "child"):
            self._stays = WhatStays(self.picker, section.context, section.settings, self.set_end)

    @property
    def is_joint_end(self) -> bool:
        """Whether it holds the parent or the child of a joint."""
        return self._spec.reference in _ENDS

    @property
    def keep(self) -> Keep:
        """What stays when the frame picked is written."""
        return "pose" if self._stays is None else self._stays.keep

    def set_end(self, name: str | None, keep: Keep) -> Edit:
        """Return the edit that gives the joint another parent or child."""
        section = self._section
        session, joint = section.context.session, section.row
        if self._spec.path == "parent":
            return edit_by(session, section.model, joints.set_parent, joint=joint, parent=name or "", keep=keep)
        return edit_by(session, section.model, joints.set_child, joint=joint, child=name or "", keep=keep)

    def show_value(self, value: str | None, default: str, editable: bool) -> None:
        self.show_fault("")
        self.picker.setEnabled(editable)
        if value == MIXED:
            self.picker.show_choice(MIXED, None, "The selected elements have different values")
        elif not value:
            self.picker.show_choice(self._default(), None, "not set")
        else:
            target = self._targets().named(value)
            if target.row == UNRESOLVED:
                self.picker.show_choice(value, None, target.reason or value, faulty=True)
            else:
                shown = choice_of(self._section.model, target)
                self.picker.show_choice(shown.label, shown.kind, value)

    def _default(self) -> str:
        model, row = self._section.model, self._section.row
        if self._spec.reference == "canonical_link":
            link = model.canonical_links.get(row)
            return f"default: {model.local_names[link]}" if link is not None else "default: the first link"
        return {"expressed_in": "default: the joint itself", "placement_frame": "default: the model frame"}.get(
            self._spec.reference, "not set"
        )

    def _targets(self) -> ReferenceTargets:
        return ReferenceTargets(self._section.model, self._section.row, cast("Attribute", self._spec.reference))

    def _offer(self) -> None:
        model, row = self._section.model, self._section.row
        default = None
        if not self.is_joint_end:
            default = FrameChoice(None, self._default(), model.kinds[row].value)
        self.picker.set_choices(build_choices(model, row, cast("Attribute", self._spec.reference), default))
