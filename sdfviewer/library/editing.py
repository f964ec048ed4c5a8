"""Edits of a document by script: the refactorings of the window, combined into one undo step."""

from __future__ import annotations

import numpy as np

from sdfviewer.diagnostics import Diagnostic, Fix
from sdfviewer.document.edits import Edit as TextEdit
from sdfviewer.library.edit_block import EditError
from sdfviewer.library.handle import Thing
from sdfviewer.library.member_edits import MemberEdits
from sdfviewer.library.pose import InvalidValueError
from sdfviewer.library.pose_edits import PoseEdits
from sdfviewer.model.kinds import Kind
from sdfviewer.model.names import did_you_mean
from sdfviewer.model.values import format_number, format_numbers
from sdfviewer.refactoring.composition.flatten import flatten
from sdfviewer.refactoring.composition.inlining import inline_includes
from sdfviewer.refactoring.forms import to_element_relative_form, to_model_absolute_form
from sdfviewer.refactoring.properties.property_values import set_property, set_shape, specs_of
from sdfviewer.refactoring.tidy import remove_redundant, shorten_poses, write_defaults
from sdfviewer.refactoring.versions.changing import TARGETS, change_version
from sdfviewer.versions import format_version, parse_version


class DocumentEdit(PoseEdits, MemberEdits):
    """Edits that become one undo step when the ``with`` block ends; an exception in it leaves the document as it was.

    Names are those of the file as the edits before have left it. A target, such as that of `set_relative_to`, is
    written as its scope sees it, whichever way it is named here.

    Attributes
    ----------
    label
        Name of the undo step; by default that of the only edit.
    notes
        What the edits could not carry over or mean otherwise, in sentences.
    """

    # --- properties --------------------------------------------------------------------------------------------

    def set_property(self, thing: str | Thing, path: str, value: object) -> None:
        """Write a property of the property panel.

        Parameters
        ----------
        thing
            What has it.
        path
            Tags from the thing's element downwards, ``axis/limit/lower``; ``@type`` for an attribute.
        value
            A text, number, truth value or sequence of numbers; None takes it out, so that the default holds.

        Raises
        ------
        EditError
            If there is no such property, or it cannot have that value.
        """
        row = self._row(thing)
        specs = {spec.path: spec for spec in specs_of(self._table, row)}
        spec = specs.get(path)
        if spec is None:
            kind = self._table.kinds[row]
            raise EditError(f"a {kind} has no property '{path}'{did_you_mean(path, specs)}")
        self._make(set_property(self._table, [row], spec, None if value is None else _text(value)))

    def set_limits(
        self,
        joint: str | Thing,
        lower: float | None = None,
        upper: float | None = None,
        *,
        effort: float | None = None,
        velocity: float | None = None,
    ) -> None:
        """Set limits of the first axis of a joint; those that are not given stay."""
        row = self._row(joint, Kind.JOINT)
        name = self._table.names[row]
        given = {"lower": lower, "upper": upper, "effort": effort, "velocity": velocity}
        for word, value in given.items():
            if value is not None:
                self.set_property(name, f"axis/limit/{word}", value)

    def set_shape(self, part: str | Thing, shape: str) -> None:
        """Give a visual or collision another shape of a usual size."""
        self._make(set_shape(self._table, self._row(part, Kind.VISUAL, Kind.COLLISION), shape))

    # --- the whole file ----------------------------------------------------------------------------------------

    def to_element_relative_form(self) -> None:
        """Write joints relative to their parent and links relative to the joint that drives them; nothing moves."""
        self._make(to_element_relative_form(self._table))

    def to_model_absolute_form(self) -> None:
        """Write links relative to their model and joints relative to their child, the defaults; nothing moves."""
        self._make(to_model_absolute_form(self._table))

    def write_defaults(self) -> None:
        """Write every ``relative_to`` and ``attached_to`` that the file leaves to its default."""
        self._make(write_defaults(self._table))

    def remove_redundant(self) -> None:
        """Remove every ``relative_to``, ``attached_to`` and pose that says only the default."""
        self._make(remove_redundant(self._table))

    def shorten_poses(self) -> None:
        """Write each number of each pose as short as it can be within a picometre and a picoradian."""
        self._make(shorten_poses(self._table))

    def inline_includes(self) -> None:
        """Write every included model where its include is."""
        self._make(inline_includes(self._draft.document, self._loader))

    def flatten(self) -> None:
        """Inline includes and dissolve nested models; nothing moves."""
        self._make(flatten(self._draft.document, self._loader))

    def change_version(self, version: str) -> None:
        """Convert the file to another version of SDFormat; nothing moves."""
        target = parse_version(version)
        if target is None or target not in TARGETS:
            known = ", ".join(map(format_version, TARGETS))
            raise EditError(f"a file cannot be converted to SDFormat {version}: use {known}")
        self._make(change_version(self._draft.document, self._loader, target))

    def fix(self, problem: Diagnostic | Fix | str) -> None:
        """Apply a quick fix: a fix, the first one of a diagnostic, or the first one of the first problem of a rule."""
        if isinstance(problem, str):
            found = next((each for each in self._table.diagnostics if each.rule.name == problem and each.fixes), None)
            if found is None:
                rules = [each.rule.name for each in self._table.diagnostics]
                raise EditError(f"no problem of rule '{problem}' has a quick fix{did_you_mean(problem, rules)}")
            problem = found
        fixes = [problem] if isinstance(problem, Fix) else list(problem.fixes)
        fix = next((each for each in fixes if each.path == self._before.name), None)
        if fix is None:
            raise EditError("the document itself has no quick fix for this")
        self._make(TextEdit(fix.label[:1].upper() + fix.label[1:], self._draft.document, fix.replacements))


def _text(value: object) -> str:
    """Return a value as it is written."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    try:
        numbers = np.asarray(value, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise InvalidValueError(f"a property must be a text, a number or numbers, not {value!r}") from error
    if np.isnan(numbers).any():
        raise InvalidValueError("a property cannot be NaN")
    return format_number(float(numbers)) if numbers.ndim == 0 else format_numbers(numbers.ravel().tolist())
