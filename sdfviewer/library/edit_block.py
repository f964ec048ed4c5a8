"""A block of edits by script: the draft, its names, the one undo step that it becomes, and its edits of poses."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Literal, TypeVar

from numpy.typing import ArrayLike

from sdfviewer.diagnostics import Diagnostic, InvalidValueError, new_problems
from sdfviewer.document.document import Document
from sdfviewer.document.edits import Edit as TextEdit
from sdfviewer.document.line_difference import unified_diff
from sdfviewer.extras import required_extras
from sdfviewer.files.finder import Finder
from sdfviewer.formats.load import Loader, why_not_loaded
from sdfviewer.library.base import ModelBase, Walled
from sdfviewer.library.handle import ElementHandle
from sdfviewer.library.names import AnyHandle, RowFinder, short_name
from sdfviewer.library.pose import Pose
from sdfviewer.model.comparison.frames import FrameComparison
from sdfviewer.model.kinds import Kind
from sdfviewer.model.model import Model as FrameTable
from sdfviewer.model.near_names import Hinted
from sdfviewer.model.shapes.kind import Geometry
from sdfviewer.model.solids import Body
from sdfviewer.model.targets import ReferenceTargets
from sdfviewer.operations import frames as frame_operations
from sdfviewer.operations import properties
from sdfviewer.operations.declaration import EditContext, Operation, Outcome
from sdfviewer.operations.table import find_operation
from sdfviewer.refactoring.draft import ModelDraft
from sdfviewer.refactoring.editable import EditError
from sdfviewer.refactoring.inertia import MeshBody, MeshTriangles
from sdfviewer.scene.mesh_body import mesh_bodies, mesh_triangles, mirrored_meshes
from sdfviewer.session.other_files import OtherEdits, expect_copies
from sdfviewer.transforms import Array

_Block = TypeVar("_Block", bound="EditBlock")


@dataclass(frozen=True, slots=True)
class MovedFrame:
    """A frame that an edit moves, by metres and radians in the root frame; NaN where it is new or gone.

    ``changes`` says in words what becomes of it: ``moved``, ``appeared``, ``disappeared`` ...
    """

    name: str
    changes: tuple[str, ...]
    metres: float
    radians: float


class EditBlock(Walled, Hinted):
    """A block of edits: the draft, its names, and the one edit that it becomes."""

    def __init__(
        self,
        model: ModelBase,
        before: Document,
        loader: Loader,
        label: str | None,
        apply: Callable[[TextEdit, OtherEdits], None] | None,
        others: OtherEdits,
    ) -> None:
        self._model = model
        self._apply = apply
        self._before = before
        self._loader = loader
        self._others = others
        self._faults: tuple[str, ...] = ()
        self._is_open = False
        self.label = label
        self.where: str | Sequence[str] = ()
        first, diagnostics = loader.load_with_diagnostics(before)
        if first is None:
            raise EditError(why_not_loaded(diagnostics))
        self._first = first
        self._draft = ModelDraft(first, loader)

    # --- the block ---------------------------------------------------------------------------------------------

    def __enter__(self: _Block) -> _Block:
        self._is_open = True
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._is_open = False
        if kind is None and self._apply is not None:
            self._apply(self._as_edit(), self._others)

    def _as_edit(self) -> TextEdit:
        """Return all edits so far as one of the document.

        Raises
        ------
        EditError
            If the file would have errors that it does not have now.
        """
        self._refuse_new_errors()
        labels = self._draft.labels
        return self._draft.edit(self.label or (labels[0] if len(labels) == 1 else f"{len(labels)} edits"))

    def _refuse_new_errors(self) -> None:
        before, after = ([each for each in model.diagnostics if each.is_error] for model in (self._first, self._table))
        known = {(each.rule, each.message) for each in before}
        # A copy of what was wrong before, such as an include that is not found, may be made.
        new = [each for each in new_problems(after, before, renames=True) if (each.rule, each.message) not in known]
        if new and len(after) > len(before):
            raise EditError(f"the edit would add an error: {new[0].message}")

    @property
    def text(self) -> str:
        """The text as the edits so far leave it."""
        return self._draft.document.text

    @property
    def other_texts(self) -> dict[Path, str]:
        """The texts of other files that the edits so far change or add; :meth:`EditableDocument.save` writes them."""
        return {path: self._others.documents[path].text for path in self._others.touched}

    @property
    def diff(self) -> str:
        """The difference that the edits so far make, in the unified format, that of other files after it."""
        others = (
            unified_diff(str(path), before.text if before is not None else None, self._others.documents[path].text)
            for path, before in self._others.touched.items()
        )
        return "".join((unified_diff(self._before.name, self._before.text, self.text), *others))

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """What is wrong with the file after the edits so far."""
        return self._table.diagnostics

    @property
    def moved(self) -> tuple[MovedFrame, ...]:
        """The frames that the edits so far move, add or remove."""
        found = FrameComparison(self._first, self._table, tuple(self._draft.renamed.items())).moved()
        return tuple(
            MovedFrame(each.name, tuple(change.value for change in each.changes), each.metres, each.radians)
            for each in found
        )

    @property
    def notes(self) -> tuple[str, ...]:
        """What the edits could not carry over or mean otherwise, in sentences; errors of sdfviewer say so."""
        return (*self._draft.notes, *self._faults)

    @property
    def _table(self) -> FrameTable:
        """What the file means after the edits so far."""
        return self._draft.model

    def _make(self, edit: TextEdit) -> None:
        if not self._is_open:
            raise EditError("this edit has ended; start another with document.edit()")
        self._draft.make(edit)

    def perform(self, operation: str, /, **arguments: object) -> None:
        """Perform the operation of a name, with the arguments of the method that is called so.

        What a method takes in any number, such as the frames of ``align``, is a list here.

        Raises
        ------
        InvalidValueError
            If there is no such operation, or it has no such parameter.
        EditError
            If it cannot be done; the message says why.
        """
        self._do(find_operation(operation), **arguments)

    def _do(self, operation: Operation, **arguments: object) -> Outcome:
        """Perform an operation on the draft."""
        from sdfviewer.export.conversion import convert_copied  # noqa: PLC0415  # needed only for edits

        opened = tuple(self._others.documents.values())
        on = EditContext(
            self._table,
            self._loader,
            lambda _model, thing, kinds: self._row(thing, *kinds),
            self._refer,
            opened,
            read_mesh_bodies(self._loader.finder),
            read_mesh_triangles(self._loader.finder),
            (self.where,) if isinstance(self.where, str) else self.where,
            mirrored_meshes(self._loader.finder),
            convert=convert_copied,
        )
        done = operation.perform(on, arguments)
        self._faults += operation.faults(on, arguments, done)
        self._others.add(done)
        if done.copies:
            expect_copies(self._loader.finder, self._others.copies)
        self._make(done.edit)
        return done

    def _added(self, operation: Operation, **arguments: object) -> list[str]:
        """Perform an operation on the draft and return the names of what it has added."""
        done = self._do(operation, **arguments)
        return [short_name(self._table, self._table.rows_by_name[name]) for name in done.edit.added]

    @contextmanager
    def _named(self, label: str | None = None) -> Iterator[None]:
        """Give the edits of a block one label, by default that of the last one."""
        labels = self._draft.labels
        first = len(labels)
        yield
        labels[first:] = labels[first:][-1:] if label is None else [label]

    def _row(self, thing: object, *kinds: Kind) -> int:
        """Return the row of a thing by its name, or by this document's model or a handle of it."""
        if thing is self._model:
            thing = self._table.names[0]
        if isinstance(thing, ElementHandle):
            if thing._model is not self._model:
                raise InvalidValueError(f"{thing!r} belongs to another model; pass its name")
            name = self._draft.renamed.get(thing.scoped_name, thing.scoped_name)
            return RowFinder(self._table).row(name, kinds or None)
        return RowFinder(self._table).row(thing, kinds or None)  # type: ignore[arg-type]  # what is no name is refused

    def _refer(self, targets: ReferenceTargets, target: object) -> str:
        """Return how a frame is written in a reference: a name is taken as it is written there, or from the root."""
        if isinstance(target, str) and (target == "world" or targets.row_of(target) is not None):
            return target
        wanted = self._row(target)
        name = targets.name_of(wanted)
        if name is None:
            own = short_name(self._table, targets.scope if targets.row is None else targets.row)
            other = short_name(self._table, wanted)
            raise EditError(
                f"'{other}' cannot be referenced from '{own}': names lead into nested models, never out of them"
            )
        return name


def read_mesh_bodies(finder: Finder) -> MeshBody:
    """Return what reads the meshes of a model and returns their bodies; it needs an extra once there is a mesh."""
    read: list[MeshBody] = []

    def body(model: FrameTable, row: int, geometry: Geometry, density: float) -> Body | None:
        if not read:
            with required_extras():
                read.append(mesh_bodies(finder))
        return read[0](model, row, geometry, density)

    return body


def read_mesh_triangles(finder: Finder) -> MeshTriangles:
    """Return what reads a mesh and returns its triangles; it needs an extra once there is a mesh."""

    def triangles(geometry: Geometry) -> Array | None:
        with required_extras():
            return mesh_triangles(finder)(geometry)

    return triangles


Keep = Literal["pose", "numbers"]


class PoseEdits(EditBlock):
    """The edits of poses."""

    def set_pose(
        self,
        frame: str | AnyHandle,
        pose: ArrayLike | Pose | None = None,
        *,
        xyz: Sequence[float] | Array | None = None,
        rpy: Sequence[float] | Array | None = None,
        quaternion: Sequence[float] | Array | None = None,
        relative_to: str | AnyHandle | None = None,
        degrees: bool = False,
        together: bool = False,
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
        relative_to
            Another frame to measure the pose from, which is written too.
        degrees
            Whether `rpy`, and the angles of a pose of six numbers, are in degrees.
        together
            Whether what is one part with a visual or collision moves with it, see :meth:`set_geometry`.

        Raises
        ------
        InvalidValueError
            If a shape is wrong or a number is not finite.
        EditError
            If the frame is written in another file.
        """
        self._do(
            frame_operations.set_pose,
            frame=frame,
            pose=pose,
            xyz=xyz,
            rpy=rpy,
            quaternion=quaternion,
            relative_to=relative_to,
            degrees=degrees,
            together=together,
        )

    def move(
        self,
        frame: str | AnyHandle,
        to: ArrayLike | Pose,
        relative_to: str | AnyHandle | None = None,
        *,
        alone: bool = False,
        together: bool = False,
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
        together
            Whether what is one part with a visual or collision moves with it, see :meth:`set_geometry`.
        """
        where = {"to": to, "relative_to": relative_to, "alone": alone, "together": together}
        self._do(frame_operations.move, frame=frame, **where)

    def set_relative_to(self, frame: str | AnyHandle, target: str | AnyHandle | None, keep: Keep = "pose") -> None:
        """Measure the pose of a frame from another one, None for the default.

        ``keep="pose"`` keeps it in place and rewrites its numbers; ``keep="numbers"`` moves it.
        """
        self._do(frame_operations.set_relative_to, frame=frame, target=target, keep=keep)

    def set_attached_to(self, frame: str | AnyHandle, target: str | AnyHandle | None, keep: Keep = "pose") -> None:
        """Attach a ``<frame>`` to another one, None for the default; see :meth:`set_relative_to`."""
        self._do(frame_operations.set_attached_to, frame=frame, target=target, keep=keep)

    def set_coordinate(
        self,
        *frames: str | AnyHandle,
        coordinate: Literal["x", "y", "z", "roll", "pitch", "yaw"],
        value: float,
        together: bool = False,
    ) -> None:
        """Give the raw poses of frames the same x, y, z, roll, pitch or yaw, in metres or radians.

        The other five numbers of each pose stay as they are written, and so does its notation. With `together`, what is
        one part with a visual or collision moves with it, see :meth:`set_geometry`.
        """
        where = {"coordinate": coordinate, "value": value, "together": together}
        self._do(frame_operations.set_coordinate, frames=frames, **where)

    def set_notation(self, *frames: str | AnyHandle, notation: Literal["radians", "degrees", "quaternion"]) -> None:
        """Write poses in another notation; nothing moves."""
        self._do(frame_operations.set_notation, frames=frames, notation=notation)

    def override_pose(self, frame: str | AnyHandle, pose: ArrayLike | Pose) -> None:
        """Give something in an included model another pose, by ``<experimental:params>`` of the include.

        Parameters
        ----------
        frame
            What is in an included model.
        pose
            ``x y z roll pitch yaw`` or a matrix (4, 4), measured as the pose in the included file is.

        Raises
        ------
        EditError
            If it is in no included model, or has no pose.
        """
        self._do(properties.override_pose, frame=frame, pose=pose)

    def set_override(self, include: str | AnyHandle, path: str, value: str | float | Sequence[float] | None) -> None:
        """Give what an include changes in its model another value, or (None) take the change out.

        Parameters
        ----------
        include
            The included model.
        path
            What it changes: names of the element, tags in it, ``@name`` of an attribute: ``"left::tool/pose"``.
        value
            What counts in place of the value in the included file.

        Raises
        ------
        EditError
            If the include does not change that.
        """
        self._do(properties.set_override, include=include, path=path, value=value)
