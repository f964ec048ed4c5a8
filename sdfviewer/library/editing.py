"""Edits of a document by script: the refactorings of the window, combined into one undo step."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from sdfviewer.diagnostics import Diagnostic, Fix, Severity
from sdfviewer.document.document import Document
from sdfviewer.document.edits import Edit as TextEdit
from sdfviewer.formats.load import Loader, why_not_loaded
from sdfviewer.library.base import ModelBase
from sdfviewer.library.names import NameIndex, short_name
from sdfviewer.library.pose import InvalidValueError, Pose, finite, to_matrix
from sdfviewer.library.things import Thing
from sdfviewer.model.difference import HARMLESS, compare_models
from sdfviewer.model.graph import UNRESOLVED
from sdfviewer.model.kinds import Kind
from sdfviewer.model.kinematics.forward import Kinematics
from sdfviewer.model.model import Model as FrameTable
from sdfviewer.model.names import did_you_mean
from sdfviewer.refactoring.adding import duplicate, insert_member
from sdfviewer.refactoring.composition.flatten import flatten
from sdfviewer.refactoring.composition.inlining import inline_includes
from sdfviewer.refactoring.draft import Draft
from sdfviewer.refactoring.editable import RefactoringError
from sdfviewer.refactoring.forms import to_element_relative_form, to_model_absolute_form
from sdfviewer.refactoring.poses.move_set import MoveSet, require_movable
from sdfviewer.refactoring.poses.moving import Move
from sdfviewer.refactoring.poses.notation import Notation, written_numbers
from sdfviewer.refactoring.poses.writing import set_notation, set_pose_numbers
from sdfviewer.refactoring.properties.property_values import set_joint_end, set_property, set_shape, specs_of
from sdfviewer.refactoring.removal import outermost, references_to, remove, rows_in
from sdfviewer.refactoring.renaming.rename import rename
from sdfviewer.refactoring.retargeting import set_attached_to, set_relative_to
from sdfviewer.refactoring.tidy import remove_redundant, shorten_poses, write_defaults
from sdfviewer.refactoring.transfer import transfer
from sdfviewer.refactoring.versions.changing import TARGETS, change_version
from sdfviewer.transforms import Array, invert, matrix_to_pose
from sdfviewer.versions import format_version, parse_version

Keep = Literal["pose", "numbers"]
_NOTATIONS = {"radians": Notation.RADIANS, "degrees": Notation.DEGREES, "quaternion": Notation.QUATERNION}


class EditError(RefactoringError):
    """An edit would be wrong; nothing is changed, and the message says why."""


@dataclass(frozen=True, slots=True)
class MovedFrame:
    """A frame that an edit moves, by metres and radians in the root frame; NaN where it is new or gone.

    ``changes`` says in words what becomes of it: ``moved``, ``appeared``, ``disappeared`` ...
    """

    name: str
    changes: tuple[str, ...]
    metres: float
    radians: float


class DocumentEdit:
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

    def __init__(
        self,
        model: ModelBase,
        before: Document,
        loader: Loader,
        label: str | None,
        apply: Callable[[TextEdit], None] | None,
    ) -> None:
        self._model = model
        self._apply = apply
        self._before = before
        self._draft = Draft(before)
        self._loader = loader
        self._labels: list[str] = []
        self._renamed: dict[str, str] = {}
        self._added: list[str] = []
        self._is_open = False
        self.label = label
        self.notes: tuple[str, ...] = ()
        self._table = self._load()
        self._first = self._table

    # --- the block ---------------------------------------------------------------------------------------------

    def __enter__(self) -> DocumentEdit:
        self._is_open = True
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._is_open = False
        if kind is None and self._apply is not None:
            self._apply(self.as_edit())

    def as_edit(self) -> TextEdit:
        """Return all edits so far as one of the document.

        Raises
        ------
        EditError
            If the file would have errors that it does not have now.
        """
        self._refuse_new_errors()
        label = self.label or (self._labels[0] if len(self._labels) == 1 else f"{len(self._labels)} edits")
        renamed = tuple((old, new) for old, new in self._renamed.items())
        return TextEdit(label, self._before, self._draft.replacements(), renamed, tuple(self._added), self.notes)

    def _refuse_new_errors(self) -> None:
        before = {_key(each) for each in self._first.diagnostics if each.severity is Severity.ERROR}
        new = [each for each in self._table.diagnostics if each.severity is Severity.ERROR and _key(each) not in before]
        count = sum(each.severity is Severity.ERROR for each in self._first.diagnostics)
        if new and len([each for each in self._table.diagnostics if each.severity is Severity.ERROR]) > count:
            raise EditError(f"this would be wrong: {new[0].message}")

    @property
    def text(self) -> str:
        """The text as the edits so far leave it."""
        return self._draft.document.text

    @property
    def diff(self) -> str:
        """The difference that the edits so far make, in the unified format."""
        name = self._before.name
        before, after = (text.splitlines(keepends=True) for text in (self._before.text, self.text))
        return "".join(difflib.unified_diff(before, after, f"a/{name}", f"b/{name}"))

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """What is wrong with the file after the edits so far."""
        return self._table.diagnostics

    @property
    def moved(self) -> tuple[MovedFrame, ...]:
        """The frames that the edits so far move, add or remove."""
        found = compare_models(self._first, self._table, tuple(self._renamed.items()))
        return tuple(
            MovedFrame(each.name, tuple(change.value for change in each.changes), each.metres, each.radians)
            for each in found
            if not set(each.changes) <= HARMLESS
        )

    def _load(self) -> FrameTable:
        table, diagnostics = self._loader.load_with_diagnostics(self._draft.document)
        if table is None:
            raise EditError(why_not_loaded(diagnostics))
        return table

    def _make(self, edit: TextEdit) -> None:
        if not self._is_open:
            raise EditError("this edit has ended; start another with document.edit()")
        self._draft.edit(edit.replacements)
        self._labels.append(edit.label)
        self.notes += (*edit.losses, *edit.notes)
        new = dict(edit.renamed)
        self._renamed = {old: new.pop(name, name) for old, name in self._renamed.items()} | new
        self._added += edit.added
        self._table = self._load()

    def _row(self, thing: str | Thing, *kinds: Kind) -> int:
        """Return the row of a thing by its name, or by a handle of this document's model."""
        if isinstance(thing, Thing):
            if thing._model is not self._model:
                raise InvalidValueError(f"{thing!r} belongs to another model; pass its name")
            name = self._renamed.get(thing.scoped_name, thing.scoped_name)
            return NameIndex(self._table).row(name, kinds or None)
        return NameIndex(self._table).row(thing, kinds or None)

    def _target(
        self, row: int, target: str | Thing | None, legal: Sequence[tuple[str, int]] | None = None
    ) -> str | None:
        """Return a target as the scope of a row sees it."""
        if target is None:
            return None
        legal = self._table.legal_targets(row) if legal is None else legal
        if isinstance(target, str) and (target in dict(legal) or target == "world"):
            return target
        wanted = self._row(target)
        name = next((name for name, each in legal if each == wanted), None)
        if name is None:
            own, other = short_name(self._table, row), short_name(self._table, wanted)
            raise EditError(
                f"'{other}' cannot be referenced from '{own}': names lead into nested models, never out of them"
            )
        return name

    # --- poses -------------------------------------------------------------------------------------------------

    def set_pose(
        self,
        frame: str | Thing,
        pose: ArrayLike | Pose | None = None,
        *,
        xyz: Sequence[float] | Array | None = None,
        rpy: Sequence[float] | Array | None = None,
        quaternion: Sequence[float] | Array | None = None,
        degrees: bool = False,
    ) -> None:
        """Set the raw pose of a frame: its pose in the frame that its ``relative_to`` names.

        What is measured from it moves with it. The file's notation stays.

        Parameters
        ----------
        frame
            The frame, link, joint, visual ... to move.
        pose
            A matrix (4, 4), a :class:`Pose`, or ``x y z roll pitch yaw``; the present one by default.
        xyz, rpy, quaternion
            In place of the translation or the rotation of `pose`; metres and radians, ``w x y z``.
        degrees
            Whether `rpy`, and the angles of a pose of six numbers, are in degrees.

        Raises
        ------
        InvalidValueError
            If a shape is wrong or a number is not finite.
        EditError
            If the frame is written in another file.
        """
        row = self._row(frame)
        numbers = written_numbers(self._table, row)
        if pose is not None:
            is_numbers = not isinstance(pose, Pose) and np.shape(pose) == (6,)
            if is_numbers:
                values = finite(pose, 6, "a pose")
                numbers = [*values[:3], *(np.radians(values[3:]) if degrees else values[3:])]
            else:
                numbers = matrix_to_pose(to_matrix(pose)).tolist()
        if xyz is not None:
            numbers[:3] = finite(xyz, 3, "xyz").tolist()
        if rpy is not None and quaternion is not None:
            raise InvalidValueError("give the rotation as rpy or as a quaternion, not as both")
        if rpy is not None:
            angles = finite(rpy, 3, "rpy")
            numbers[3:] = (np.radians(angles) if degrees else angles).tolist()
        if quaternion is not None:
            numbers[3:] = Pose(quaternion=quaternion).rpy.tolist()
        if quaternion is None and rpy is None and pose is None and xyz is None:
            raise InvalidValueError("give a target: a pose, xyz, rpy or quaternion")
        self._make(set_pose_numbers(self._table, row, [float(value) for value in numbers], Notation.RADIANS))

    def move(
        self,
        frame: str | Thing,
        to: ArrayLike | Pose,
        relative_to: str | Thing | None = None,
        *,
        alone: bool = False,
    ) -> None:
        """Move a frame F to a pose X_GF in another frame G, written in the frame that F is authored in.

        Parameters
        ----------
        frame
            F.
        to
            X_GF.
        relative_to
            G; the frame of the top model or the world by default.
        alone
            Whether what is measured from F stays where it is.
        """
        table, row = self._table, self._row(frame)
        require_movable(table, row)
        X_RootG = np.eye(4) if relative_to is None else table.X_RootF[self._row(relative_to)]
        if not np.isfinite(X_RootG).all():
            raise EditError("the pose of the new relative_to frame is undefined")
        motion = X_RootG @ to_matrix(to) @ invert(table.X_RootF[row])
        kinematics = Kinematics(table)
        moving = Move(kinematics, kinematics.q0, MoveSet(table, [row], alone=alone))
        moving.by(motion)
        self._make(moving.edit())

    def set_relative_to(self, frame: str | Thing, target: str | Thing | None, keep: Keep = "pose") -> None:
        """Measure the pose of a frame from another one, None for the default.

        ``keep="pose"`` keeps it in place and rewrites its numbers; ``keep="numbers"`` moves it.
        """
        row = self._row(frame)
        self._make(set_relative_to(self._table, row, self._target(row, target), _checked(keep)))

    def set_attached_to(self, frame: str | Thing, target: str | Thing | None, keep: Keep = "pose") -> None:
        """Attach a ``<frame>`` to another one, None for the default; see :meth:`set_relative_to`."""
        row = self._row(frame)
        self._make(set_attached_to(self._table, row, self._target(row, target), _checked(keep)))

    def set_notation(self, *frames: str | Thing, notation: Literal["radians", "degrees", "quaternion"]) -> None:
        """Write poses in another notation; nothing moves."""
        if notation not in _NOTATIONS:
            raise InvalidValueError(f"there is no notation '{notation}': use {', '.join(_NOTATIONS)}")
        self._make(set_notation(self._table, [self._row(frame) for frame in frames], _NOTATIONS[notation]))

    # --- names and structure -----------------------------------------------------------------------------------

    def rename(self, old: str | Thing, new: str) -> None:
        """Rename anything, with every reference to it in the file."""
        self._make(rename(self._table, self._row(old), new))

    def add_link(self, name: str, *, parent: str | Thing | None = None, pose: ArrayLike | Pose | None = None) -> None:
        """Add a link to a model, the top one by default."""
        self._add("link", name, parent, pose)

    def add_joint(
        self,
        name: str,
        joint_type: str,
        parent: str | Thing,
        child: str | Thing,
        *,
        model: str | Thing | None = None,
        pose: ArrayLike | Pose | None = None,
    ) -> None:
        """Add a joint between two frames to a model, the top one by default. ``parent`` may be ``world``."""
        owner = self._owner_row(model, "joint")
        legal = self._targets_in(owner)
        ends = {"parent": str(self._target(owner, parent, legal)), "child": str(self._target(owner, child, legal))}
        self._insert(owner, "joint", name, pose, type=joint_type, **ends)

    def add_frame(
        self,
        name: str,
        *,
        attached_to: str | Thing | None = None,
        relative_to: str | Thing | None = None,
        pose: ArrayLike | Pose | None = None,
        parent: str | Thing | None = None,
    ) -> None:
        """Add a ``<frame>`` to a model or world, the top one by default; its pose is measured from `attached_to`."""
        owner = self._owner_row(parent, "frame")
        fields = {}
        if attached_to is not None:
            fields["attached_to"] = str(self._target(owner, attached_to, self._targets_in(owner)))
        row = self._insert(owner, "frame", name, pose, **fields)
        if relative_to is not None:
            self._make(set_relative_to(self._table, row, self._target(row, relative_to), "numbers"))

    def add_visual(self, link: str | Thing, name: str | None = None, *, shape: str = "box") -> None:
        """Add a visual of a usual size to a link."""
        self._add_shape("visual", link, name, shape)

    def add_collision(self, link: str | Thing, name: str | None = None, *, shape: str = "box") -> None:
        """Add a collision of a usual size to a link."""
        self._add_shape("collision", link, name, shape)

    def add_model(self, name: str, *, parent: str | Thing | None = None, pose: ArrayLike | Pose | None = None) -> None:
        """Add a nested model with one link to a model or world, the top one by default."""
        self._add("model", name, parent, pose)

    def add_include(self, uri: str, name: str | None = None, *, parent: str | Thing | None = None) -> None:
        """Include a model in a model or world, the top one by default."""
        wanted = name or uri.rstrip("/").rpartition("/")[2].partition(".")[0] or "model"
        owner = self._owner_row(parent, "include")
        self._make(insert_member(self._table, owner, "include", wanted, uri=uri))

    def duplicate(self, thing: str | Thing) -> str:
        """Write a copy of an element behind it, and return the copy's name."""
        edit = duplicate(self._table, self._row(thing))
        self._make(edit)
        (added,) = edit.added
        return short_name(self._table, self._table.rows_by_name[added])

    def remove(self, *things: str | Thing, with_dependents: bool = False) -> None:
        """Remove elements.

        Parameters
        ----------
        things
            What goes.
        with_dependents
            Whether joints and frames that name them go too, and what names those.

        Raises
        ------
        EditError
            If something that stays names them.
        """
        rows = [self._row(thing) for thing in things]
        while found := references_to(self._table, rows):
            if not with_dependents:
                kinds, table = self._table.kinds, self._table
                names = dict.fromkeys(f"{kinds[each.row]} '{short_name(table, each.row)}'" for each in found)
                message = f"{', '.join(names)} would refer to removed elements"
                raise EditError(f"{message}; remove these too, or pass with_dependents=True")
            added = {each.row for each in found} - {0}
            if added <= {row for each in rows for row in rows_in(self._table, each)}:
                raise EditError("the top model itself refers to removed elements; change that first")
            rows = outermost(self._table, [*rows, *added])
        self._make(remove(self._table, rows))

    def move_to_model(self, frame: str | Thing, model: str | Thing) -> None:
        """Move a ``<frame>`` into another model or world; it stays in place and goes on moving with the same body."""
        self._make(transfer(self._table, self._row(frame, Kind.FRAME), self._row(model, Kind.MODEL, Kind.WORLD)))

    def set_parent(self, joint: str | Thing, parent: str | Thing) -> None:
        """Give a joint another parent frame."""
        row = self._row(joint, Kind.JOINT)
        self._make(set_joint_end(self._table, row, "parent", str(self._target(row, parent))))

    def set_child(self, joint: str | Thing, child: str | Thing, keep: Keep = "pose") -> None:
        """Give a joint another child frame; see :meth:`set_relative_to`."""
        row = self._row(joint, Kind.JOINT)
        self._make(set_joint_end(self._table, row, "child", str(self._target(row, child)), _checked(keep)))

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

    # --- helpers -----------------------------------------------------------------------------------------------

    def _owner_row(self, owner: str | Thing | None, tag: str) -> int:
        table = self._table
        if owner is not None:
            return self._row(owner)
        if table.is_world and tag in ("link", "joint"):
            models = [short_name(table, row) for row, kind in enumerate(table.kinds) if kind is Kind.MODEL]
            known = ", ".join(models[:8]) or "there is none"
            known = ", ".join(models[:8]) or "there is none"
            raise EditError(f"choose the model of the world to which the {tag} is added: {known}")
        return 0

    def _targets_in(self, owner: int) -> list[tuple[str, int]]:
        """Return what members of a model or world can name."""
        table = self._table
        member = next((row for row in range(owner + 1, len(table)) if int(table.scopes[row]) == owner), UNRESOLVED)
        if member >= 0:
            return table.legal_targets(member)
        return [("world" if table.kinds[owner] is Kind.WORLD else "__model__", owner)]

    def _add(self, tag: str, name: str, owner: str | Thing | None, pose: ArrayLike | Pose | None) -> None:
        self._insert(self._owner_row(owner, tag), tag, name, pose)

    def _add_shape(self, tag: str, link: str | Thing, name: str | None, shape: str) -> None:
        row = self._insert(self._row(link, Kind.LINK), tag, name, None)
        if shape != "box":
            self._make(set_shape(self._table, row, shape))

    def _insert(self, owner: int, tag: str, name: str | None, pose: ArrayLike | Pose | None, **fields: str) -> int:
        """Add an element and return its row."""
        edit = insert_member(self._table, owner, tag, name, **fields)
        self._make(edit)
        (added,) = edit.added
        row = self._table.rows_by_name[added]
        if pose is not None:
            numbers = matrix_to_pose(to_matrix(pose)) if np.shape(pose) != (6,) else finite(pose, 6, "a pose")
            self._make(set_pose_numbers(self._table, row, numbers.tolist(), Notation.RADIANS))
        return self._table.rows_by_name[added]


def _checked(keep: Keep) -> Keep:
    if keep not in ("pose", "numbers"):
        raise InvalidValueError(f"keep must be 'pose' or 'numbers', not {keep!r}")
    return keep


def _text(value: object) -> str:
    """Return a value as it is written."""
    from sdfviewer.model.values import format_number, format_numbers  # noqa: PLC0415

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


def _key(diagnostic: Diagnostic) -> tuple[str, str]:
    return diagnostic.rule.name, diagnostic.message
