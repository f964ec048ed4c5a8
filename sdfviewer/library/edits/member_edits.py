"""Edits of structure by script: add, duplicate, remove, move between models, joint ends."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence

from numpy.typing import ArrayLike

from sdfviewer.diagnostics import InvalidValueError
from sdfviewer.library.edits.edit_block import EditBlock
from sdfviewer.library.edits.pose_edits import Keep
from sdfviewer.library.handle import Thing
from sdfviewer.library.names import short_name
from sdfviewer.library.pose import Pose
from sdfviewer.model.kinds import Kind
from sdfviewer.model.shapes.kind import Geometry
from sdfviewer.operations import adding, frames
from sdfviewer.operations.parameters import pose_numbers, to_matrix
from sdfviewer.refactoring.adding import adding_label, insert_member
from sdfviewer.refactoring.editable import EditError
from sdfviewer.refactoring.poses.notation import Notation
from sdfviewer.refactoring.poses.writing import set_pose_numbers
from sdfviewer.refactoring.removal import references_to
from sdfviewer.refactoring.retargeting import set_relative_to


class MemberEdits(EditBlock):
    """The edits of structure."""

    def add_link(
        self,
        name: str,
        *,
        parent: str | Thing | None = None,
        pose: ArrayLike | Pose | None = None,
        relative_to: str | Thing | None = None,
    ) -> None:
        """Add a link to a model, the top one by default; its pose is measured from `relative_to`."""
        self._add("link", name, parent, pose, relative_to)

    def add_joint(
        self,
        name: str,
        type: str,
        parent: str | Thing,
        child: str | Thing,
        *,
        model: str | Thing | None = None,
        pose: ArrayLike | Pose | None = None,
        relative_to: str | Thing | None = None,
        axis: Sequence[float] | None = None,
        lower: float | None = None,
        upper: float | None = None,
        effort: float | None = None,
        velocity: float | None = None,
    ) -> None:
        """Add a joint between two frames to a model, the top one by default.

        Parameters
        ----------
        name, type
            The name, and ``revolute``, ``prismatic``, ``fixed`` ...
        parent, child
            The frames that it connects; `parent` may be ``world``.
        model
            The model that it is written in.
        pose
            Its pose in the child, or in `relative_to`.
        relative_to
            The frame that the pose is measured from.
        axis
            The direction (3,) of its axis; z by default.
        lower, upper
            Its limits in metres or radians.
        effort, velocity
            Its limits in N or N m, and in m/s or rad/s.
        """
        self._do(
            adding.add_joint,
            name=name,
            type=type,
            parent=parent,
            child=child,
            model=model,
            pose=pose,
            relative_to=relative_to,
            axis=axis,
            lower=lower,
            upper=upper,
            effort=effort,
            velocity=velocity,
        )

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
        self._do(
            adding.add_frame, name=name, attached_to=attached_to, relative_to=relative_to, pose=pose, parent=parent
        )

    def add_visual(
        self,
        link: str | Thing,
        name: str | None = None,
        *,
        geometry: str | Geometry = "box",
        pose: ArrayLike | Pose | None = None,
    ) -> None:
        """Add a visual to a link; `geometry` is a shape, ``sdfviewer.Box((1, 1, 1))``, or its name for a usual size."""
        self._add_shape("visual", link, name, geometry, pose)

    def add_collision(
        self,
        link: str | Thing,
        name: str | None = None,
        *,
        geometry: str | Geometry = "box",
        pose: ArrayLike | Pose | None = None,
    ) -> None:
        """Add a collision to a link; see :meth:`add_visual`."""
        self._add_shape("collision", link, name, geometry, pose)

    def add_model(
        self,
        name: str,
        *,
        parent: str | Thing | None = None,
        pose: ArrayLike | Pose | None = None,
        relative_to: str | Thing | None = None,
    ) -> None:
        """Add a nested model with one link to a model or world, the top one by default."""
        self._do(adding.add_model, name=name, parent=parent, pose=pose, relative_to=relative_to)

    def add_include(
        self,
        uri: str,
        name: str | None = None,
        *,
        parent: str | Thing | None = None,
        pose: ArrayLike | Pose | None = None,
        relative_to: str | Thing | None = None,
    ) -> None:
        """Include a model in a model or world, the top one by default."""
        self._do(adding.add_include, uri=uri, name=name, parent=parent, pose=pose, relative_to=relative_to)

    def duplicate(self, thing: str | Thing, name: str | None = None) -> str:
        """Write a copy of an element after it, and return the copy's name."""
        done = self._do(frames.duplicate, thing=thing, name=name)
        return short_name(self._table, self._table.rows_by_name[done.edit.added[0]])

    def remove(self, *things: str | Thing, with_dependents: bool = False) -> None:
        """Remove elements.

        Parameters
        ----------
        things
            What to remove.
        with_dependents
            Whether joints and frames that name them go too, and what names those.

        Raises
        ------
        EditError
            If something that stays names them.
        """
        rows = [self._row(thing) for thing in things]
        if not with_dependents and (found := references_to(self._table, rows)):
            kinds, table = self._table.kinds, self._table
            names = dict.fromkeys(f"{kinds[each.row]} '{short_name(table, each.row)}'" for each in found)
            message = f"{', '.join(names)} would refer to removed elements"
            raise EditError(f"{message}; remove these too, or pass with_dependents=True")
        self._do(frames.remove, things=things, with_dependents=with_dependents)

    def move_to_model(self, frame: str | Thing, model: str | Thing) -> None:
        """Move a ``<frame>`` into another model or world; it keeps its place and its body."""
        self._do(frames.move_to_model, frame=frame, model=model)

    def set_parent(self, joint: str | Thing, parent: str | Thing) -> None:
        """Give a joint another parent frame."""
        self._do(frames.set_parent, joint=joint, parent=parent)

    def set_child(self, joint: str | Thing, child: str | Thing, keep: Keep = "pose") -> None:
        """Give a joint another child frame; see :meth:`set_relative_to`."""
        self._do(frames.set_child, joint=joint, child=child, keep=keep)

    # --- helpers -----------------------------------------------------------------------------------------------

    def _owner_row(self, owner: str | Thing | None, tag: str) -> int:
        table = self._table
        if owner is not None:
            return self._row(owner)
        if table.is_world and tag in ("link", "joint"):
            models = [short_name(table, row) for row, kind in enumerate(table.kinds) if kind is Kind.MODEL]
            known = ", ".join(models[:8]) or "there is none"
            raise EditError(f"choose the model of the world to which the {tag} is added: {known}")
        return 0

    def _add(
        self,
        tag: str,
        name: str,
        owner: str | Thing | None,
        pose: ArrayLike | Pose | None,
        relative_to: str | Thing | None,
    ) -> None:
        self._insert(self._owner_row(owner, tag), tag, name, pose, relative_to)

    def _add_shape(
        self, tag: str, link: str | Thing, name: str | None, geometry: str | Geometry, pose: ArrayLike | Pose | None
    ) -> None:
        if isinstance(name, Geometry):
            raise InvalidValueError(f"the second argument is the name; pass the shape as geometry={name!r}")
        owner = self._row(link, Kind.LINK)
        with self._named(adding_label(self._table, owner, tag, name or "")):
            row = self._insert(owner, tag, name, pose)
            if geometry != "box":
                self.set_geometry(self._table.names[row], geometry)

    @abstractmethod
    def set_geometry(self, part: str | Thing, geometry: str | Geometry) -> None:
        """Give a visual or collision another geometry."""

    def _insert(
        self,
        owner: int,
        tag: str,
        name: str | None,
        pose: ArrayLike | Pose | None,
        relative_to: str | Thing | None = None,
        **fields: str,
    ) -> int:
        """Add an element and return its row."""
        if name is not None and not isinstance(name, str):
            raise InvalidValueError(f"the name of a {tag} is a text, not {name!r}")
        edit = insert_member(self._table, owner, tag, name, **fields)
        (added,) = edit.added
        with self._named(edit.label):
            self._make(edit)
            row = self._table.rows_by_name[added]
            if pose is not None:
                self._make(set_pose_numbers(self._table, row, pose_numbers(to_matrix(pose)), Notation.RADIANS))
            if relative_to is not None:
                self._make(
                    set_relative_to(self._table, row, self._named_by(row, "relative_to", relative_to), "numbers")
                )
        return self._table.rows_by_name[added]
