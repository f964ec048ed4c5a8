"""Edits of structure by script: add, duplicate, remove, move between models, joint ends."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from numpy.typing import ArrayLike

from sdfviewer.diagnostics import InvalidValueError
from sdfviewer.files.uris import UriForm
from sdfviewer.library.edit_block import EditBlock, Keep
from sdfviewer.library.names import AnyHandle, short_name
from sdfviewer.library.pose import Pose
from sdfviewer.model.shapes.kind import Geometry
from sdfviewer.operations import adding, copying, frames, structure
from sdfviewer.operations.declaration import Operation
from sdfviewer.refactoring.editable import EditError
from sdfviewer.refactoring.inertia import WATER
from sdfviewer.refactoring.removal import references_to


class MemberEdits(EditBlock):
    """The edits of structure."""

    def add_link(
        self,
        name: str,
        *,
        parent: str | AnyHandle | None = None,
        pose: ArrayLike | Pose | None = None,
        relative_to: str | AnyHandle | None = None,
        geometry: str | Geometry | None = None,
        shape_pose: ArrayLike | Pose | None = None,
        density: float = WATER,
        mass: float | None = None,
        color: str | Sequence[float] | None = None,
        joined_to: str | AnyHandle | None = None,
        joint_type: str = "fixed",
        joint_name: str | None = None,
        axis: Sequence[float] | None = None,
        lower: float | None = None,
        upper: float | None = None,
        effort: float | None = None,
        velocity: float | None = None,
    ) -> None:
        """Add a link to a model, the top one by default, with its shape and with the joint that carries it.

        Parameters
        ----------
        name
            Its name.
        parent
            The model that it is written in.
        pose, relative_to
            Its pose, and the frame that it is measured from.
        geometry
            The shape of its visual and its collision, which give its inertial.
        shape_pose
            Where these are in the link; by default the shape rests on its origin, on a continuous joint on the axis.
        density
            In kg/m³.
        mass
            In kg, in place of what the density gives; without a shape the inertia is that of a ball.
        color
            Of its visual: a word such as ``grey``, ``#336699``, or red, green, blue and opacity between 0 and 1.
        joined_to
            What a joint connects it to, ``world`` or a frame; the pose is that of the joint then.
        joint_type, joint_name, axis, lower, upper, effort, velocity
            Of that joint, as in :meth:`add_joint`.
        """
        self._do(
            adding.add_link,
            name=name,
            parent=parent,
            pose=pose,
            relative_to=relative_to,
            geometry=geometry,
            shape_pose=shape_pose,
            density=density,
            mass=mass,
            color=color,
            joined_to=joined_to,
            joint_type=joint_type,
            joint_name=joint_name,
            axis=axis,
            lower=lower,
            upper=upper,
            effort=effort,
            velocity=velocity,
        )

    def add_joint(
        self,
        name: str,
        type: str,
        parent: str | AnyHandle,
        child: str | AnyHandle,
        *,
        model: str | AnyHandle | None = None,
        pose: ArrayLike | Pose | None = None,
        relative_to: str | AnyHandle | None = None,
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
        attached_to: str | AnyHandle | None = None,
        relative_to: str | AnyHandle | None = None,
        pose: ArrayLike | Pose | None = None,
        parent: str | AnyHandle | None = None,
    ) -> None:
        """Add a ``<frame>`` to a model or world, the top one by default; its pose is measured from `attached_to`."""
        self._do(
            adding.add_frame, name=name, attached_to=attached_to, relative_to=relative_to, pose=pose, parent=parent
        )

    def add_visual(
        self,
        link: str | AnyHandle,
        name: str | None = None,
        *,
        geometry: str | Geometry = "box",
        pose: ArrayLike | Pose | None = None,
        uris: UriForm | None = None,
        with_collision: bool = False,
    ) -> None:
        """Add a visual to a link, and where that is asked for a collision of the same shape.

        `geometry` is a shape, ``sdfviewer.Box((1, 1, 1))``, or its name for a usual size. `uris` says how the file of a
        mesh is named, see :meth:`add_include`.
        """
        self._add_shape(adding.add_visual, link, name, geometry, pose, uris=uris, with_collision=with_collision)

    def add_collision(
        self,
        link: str | AnyHandle,
        name: str | None = None,
        *,
        geometry: str | Geometry = "box",
        pose: ArrayLike | Pose | None = None,
        uris: UriForm | None = None,
    ) -> None:
        """Add a collision to a link; see :meth:`add_visual`."""
        self._add_shape(adding.add_collision, link, name, geometry, pose, uris=uris)

    def add_model(
        self,
        name: str,
        *,
        parent: str | AnyHandle | None = None,
        pose: ArrayLike | Pose | None = None,
        relative_to: str | AnyHandle | None = None,
        geometry: str | Geometry | None = None,
    ) -> None:
        """Add a nested model with one link, which may have a shape, to a model or world, the top one by default."""
        self._do(adding.add_model, name=name, parent=parent, pose=pose, relative_to=relative_to, geometry=geometry)

    def add_include(
        self,
        uri: str,
        name: str | None = None,
        *,
        parent: str | AnyHandle | None = None,
        pose: ArrayLike | Pose | None = None,
        relative_to: str | AnyHandle | None = None,
        uris: UriForm | None = None,
    ) -> None:
        """Include a model in a model or world, the top one by default.

        Parameters
        ----------
        uri
            The model, as an include names it.
        name
            Its name; by default that of the file.
        parent
            The model or world that holds it, the top one by default.
        pose, relative_to
            Its pose, and the frame that this is measured from.
        uris
            How it is named instead: by a relative path, ``model://``, ``package://`` or a whole path; or copied beside
            the file when that is saved.
        """
        place = {"parent": parent, "pose": pose, "relative_to": relative_to}
        self._do(adding.add_include, uri=uri, name=name, uris=uris, **place)

    def join_robot(
        self,
        file: str | Path,
        link: str | AnyHandle,
        prefix: str | None = None,
        pose: ArrayLike | Pose | None = None,
    ) -> None:
        """Write another URDF into this one and fix its root on a link."""
        self._do(structure.join_robot, file=str(file), link=link, prefix=prefix, pose=pose)

    def duplicate(
        self,
        things: str | AnyHandle | Sequence[str | AnyHandle],
        name: str | None = None,
        *,
        below: bool = False,
        names: tuple[str, str] | None = None,
    ) -> str:
        """Write copies of elements after them, and return the name of the first copy.

        Parameters
        ----------
        things
            What is copied, one or several.
        name
            The name of the copy; a free one by default.
        below
            Whether links take along everything below: the joint that attaches them, what joints carry, frames and
            sensors on it, and plugins that name nothing else.
        names
            What becomes what in all names, ``("left", "right")``; guessed by default where these names are free.

        Raises
        ------
        EditError
            If something is written in another file, or a name is taken.
        """
        return self._added(copying.duplicate, things=things, name=name, below=below, names=names)[0]

    def paste(
        self,
        xml: str,
        into: str | AnyHandle | None = None,
        *,
        source: str | Path | None = None,
        uris: UriForm | None = None,
    ) -> list[str]:
        """Write copied elements into this file, under names that are free, and return these.

        Parameters
        ----------
        xml
            What :meth:`EditableDocument.copy` returns, or any elements.
        into
            The link that carries them, or the model, world or link that they are written in; by default what fits.
        source
            The file that they are from, from whose folder relative paths lead to meshes.
        uris
            How files are named, see :meth:`EditableDocument.save`.

        Raises
        ------
        EditError
            If they cannot be written here.
        """
        return self._added(copying.paste, xml=xml, into=into, source=source, uris=uris)

    def copy_from(
        self,
        file: str | Path,
        things: str,
        *,
        below: bool = False,
        into: str | AnyHandle | None = None,
        uris: UriForm | None = None,
    ) -> list[str]:
        """Copy elements of another file into this one, with what belongs to them, and return their names.

        Parameters
        ----------
        file
            The other file, from the folder of this one.
        things
            Names of what is copied, with commas between them.
        below
            Whether links take along everything below.
        into, uris
            See :meth:`paste`.

        Raises
        ------
        EditError
            If they cannot be written here.
        """
        return self._added(copying.copy_from, file=file, things=things, below=below, into=into, uris=uris)

    def remove(
        self,
        *things: str | AnyHandle,
        with_dependents: bool = False,
        limb: bool = False,
        instead: Mapping[str, str] | None = None,
    ) -> None:
        """Remove elements.

        Parameters
        ----------
        things
            What to remove.
        with_dependents
            Whether joints and frames that name them go too, and what names those.
        limb
            Whether all that they carry goes too: the links that joints connect below them, with the dependents.
        instead
            What references name instead of what is removed, as both are written: ``{"hand": "palm"}``.

        Raises
        ------
        EditError
            If something that stays names them.
        """
        rows = [self._row(thing) for thing in things]
        if not with_dependents and (
            found := [each for each in references_to(self._table, rows) if each.name not in (instead or ())]
        ):
            kinds, table = self._table.kinds, self._table
            names = dict.fromkeys(f"{kinds[each.row]} '{short_name(table, each.row)}'" for each in found)
            message = f"{', '.join(names)} would refer to removed elements"
            raise EditError(f"{message}; remove these too, pass with_dependents=True, or say what they name instead")
        self._do(frames.remove, things=things, with_dependents=with_dependents, limb=limb, instead=instead)

    def move_to_model(self, frame: str | AnyHandle, model: str | AnyHandle, alone: bool = False) -> None:
        """Move a link with all that it carries, a frame or a nested model into another model; it keeps its place.

        Parameters
        ----------
        frame, model
            What moves, and the model or world that it is written in then.
        alone
            Whether only this link moves, without what joints carry below it.
        """
        self._do(frames.move_to_model, frame=frame, model=model, alone=alone)

    def group(self, *things: str | AnyHandle, name: str | None = None, alone: bool = False) -> str:
        """Move links into a nested model, and return its name; :meth:`ungroup` puts them back where they were.

        Parameters
        ----------
        things
            Links of one model; frames and nested models may be among them.
        name
            That of the nested model; by default what the names of the links begin with, or ``group``.
        alone
            Whether only these move, without what joints carry below them.
        """
        return self._added(structure.group, things=things, name=name, alone=alone)[0]

    def ungroup(self, model: str | AnyHandle) -> None:
        """Move what is in a nested model to the model around it, and take the nested model out; nothing moves."""
        self._do(structure.ungroup, model=model)

    def set_parent(self, joint: str | AnyHandle, parent: str | AnyHandle, keep: Keep = "pose") -> None:
        """Give a joint another parent frame; see :meth:`set_relative_to`."""
        self._do(structure.set_parent, joint=joint, parent=parent, keep=keep)

    def set_child(self, joint: str | AnyHandle, child: str | AnyHandle, keep: Keep = "pose") -> None:
        """Give a joint another child frame; see :meth:`set_relative_to`."""
        self._do(structure.set_child, joint=joint, child=child, keep=keep)

    def reverse_joint(self, joint: str | AnyHandle) -> None:
        """Exchange the parent and the child of a joint; nothing moves, and each joint position keeps its meaning."""
        self._do(structure.reverse_joint, joint=joint)

    def _add_shape(
        self,
        operation: Operation,
        link: str | AnyHandle,
        name: str | None,
        geometry: str | Geometry,
        pose: ArrayLike | Pose | None,
        **more: bool | UriForm | None,
    ) -> None:
        if isinstance(name, Geometry):
            raise InvalidValueError(f"the second argument is the name; pass the shape as geometry={name!r}")
        self._do(operation, link=link, name=name, geometry=geometry, pose=pose, **more)
