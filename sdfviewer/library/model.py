"""Models: what a file means, by name."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from sdfviewer.document.element import Element
from sdfviewer.extras import required_extras
from sdfviewer.formats.registry import describe_format, format_of
from sdfviewer.library.base import ModelBase
from sdfviewer.library.conversion import ConvertedText, convert, save_bundle, to_mjcf, to_sdformat, to_urdf
from sdfviewer.library.dofs import DegreeOfFreedom, Poses
from sdfviewer.library.elements import Joint, Link
from sdfviewer.library.handle import ChainStep, ElementHandle
from sdfviewer.library.handles import Handles
from sdfviewer.library.members import Members, handle_of
from sdfviewer.library.motion import LinkPair, Sweep, colliding_links, make_sweep
from sdfviewer.library.pose import Pose
from sdfviewer.library.resources import Resource, find_meshes, find_resources
from sdfviewer.library.state import Positions, dof_name
from sdfviewer.library.views.frame_graphs import GraphName, build_graph
from sdfviewer.model.kinds import Kind
from sdfviewer.model.kinematics.forward import relative_jacobian
from sdfviewer.number_text import counted
from sdfviewer.transforms import Array, invert
from sdfviewer.versions import format_version

if TYPE_CHECKING:
    import networkx

    from sdfviewer.model.comparison.difference import PropertyDifference
    from sdfviewer.model.comparison.frames import FrameDifference


class Model(Members, ModelBase):
    """The model of a file, or one of its kind: a light or an actor by itself.

    Immutable, unless it is the model of a document: that one follows the document's edits.
    """

    # --- plumbing ----------------------------------------------------------------------------------------------

    @property
    def _owner(self) -> Model:
        return self

    @property
    def _top(self) -> int:
        return 0

    def _thing(self, row: int) -> ElementHandle:
        return handle_of(self, row)

    def _row_of(self, thing: str | ElementHandle) -> int:
        """Return the row of a frame by its name or handle."""
        return self._state.index.row(thing)

    # --- the file ----------------------------------------------------------------------------------------------

    @property
    def name(self) -> str:
        """The name of the model or world, as written."""
        return self._state.table.name

    @property
    def path(self) -> Path | None:
        """The file; None for a text without one."""
        return self._state.table.document.path

    @property
    def text(self) -> str:
        """The text of the file."""
        return self._state.table.document.text

    @property
    def format(self) -> str:
        """The format of the file: ``sdformat`` or ``urdf``."""
        known = format_of(self._state.table.document)
        return "" if known is None else known.name

    @property
    def version(self) -> str:
        """The version of SDFormat in which the file is understood, ``1.9``."""
        return format_version(self._state.table.version)

    @property
    def element(self) -> Element:
        """The XML element of the model or world."""
        return self._state.table.elements[0]

    @property
    def is_world(self) -> bool:
        """Whether this is a world."""
        return self._state.table.is_world

    @property
    def is_static(self) -> bool:
        """Whether it is a static model."""
        return bool(self._state.table.static[0])

    @property
    def is_valid(self) -> bool:
        """Whether the file has no errors; it may have warnings."""
        return not any(each.is_error for each in self.diagnostics)

    @property
    def canonical_link(self) -> Link | None:
        """The link that carries the model frame; None for a world or a static model."""
        row = int(self._state.table.attached_to[0])
        is_link = row >= 0 and self._state.table.kinds[row] is Kind.LINK
        return Link(self, row) if is_link else None

    @property
    def root_links(self) -> tuple[Link, ...]:
        """The links that no joint carries."""
        carried = self._state.kinematics.forest.carriers
        return tuple(link for link in self.links if link._row not in carried)

    @property
    def things(self) -> tuple[ElementHandle, ...]:
        """Everything that has a pose, in document order, the model or world itself first."""
        return tuple(self._thing(row) for row in range(len(self._state.table)))

    def __repr__(self) -> str:
        counts = {"link": len(self.links), "joint": len(self.joints), "frame": len(self.frames)}
        if self.is_world:
            counts = {"model": len(self.models), **counts}
        what = ", ".join(map(counted, counts.values(), counts))
        errors = sum(each.is_error for each in self.diagnostics)
        problems = f"; {counted(errors, 'error')}" if errors else ""
        return f"<{type(self).__name__} '{self.name}': {describe_format(self._state.table)}, {what}{problems}>"

    def __copy__(self) -> Model:
        copied = type(self)(self._state.table, self._state.finder, self._state.parsers)
        return copied

    def __deepcopy__(self, memo: dict[int, object]) -> Model:
        return self.__copy__()  # what it is made of never changes

    # --- motion ------------------------------------------------------------------------------------------------

    @property
    def dofs(self) -> Handles[DegreeOfFreedom]:
        """The degrees of freedom, in the order of the columns of q."""
        table = self._state.table
        names = {dof.name: dof_name(table, dof) for dof in self._state.kinematics.dofs}
        return Handles(
            DegreeOfFreedom(
                dof_name(table, dof),
                Joint(self, dof.joint.row),
                dof.axis,
                dof.unit,
                dof.lower,
                dof.upper,
                None if dof.leader is None else names[dof.leader],
            )
            for dof in self._state.kinematics.dofs
        )

    @property
    def dof_names(self) -> tuple[str, ...]:
        """The names of the degrees of freedom, in the order of the columns of q."""
        return tuple(dof.name for dof in self.dofs)

    @property
    def q0(self) -> Array:
        """The initial joint positions (m,): zero, and what follows where its leader puts it."""
        return self._state.positions(None)

    def poses(self, q: Positions = None, relative_to: str | ElementHandle | None = None) -> Poses:
        """Return the poses of all frames at joint positions, by name or handle.

        Parameters
        ----------
        q
            Numbers for each joint by name or handle, in radians and metres, ``{"lift": 0.1, "wrist": (0.2, 0.3)}``,
            joints that are not named staying at zero; or an array (..., m) over :attr:`dofs`. A batch of
            configurations, as an array or as arrays for each joint, gives poses (..., 4, 4). What follows by a mimic
            constraint or a gearbox is put where its leader puts it.
        relative_to
            The frame in which they are given; by default the initial place of the top model, or the world. Where a
            joint moves the canonical link, the top model's own frame moves with it.

        Raises
        ------
        UnknownNameError
            If there is no such joint, or it does not move.
        InvalidValueError
            If the number of values is wrong, or one is not finite.

        Examples
        --------
        >>> model.poses({"joint_2": 0.5})["palm"]  # doctest: +SKIP
        """
        state = self._state
        X = state.poses(q, np.arange(len(state.table)))
        if relative_to is not None:
            X = invert(X[..., [self._row_of(relative_to)], :, :]) @ X
        return Poses(state, X)

    def resolve_pose(
        self, frame: str | ElementHandle, relative_to: str | ElementHandle | None = None, q: Positions = None
    ) -> Pose:
        """Return the pose X_GF (..., 4, 4) of a frame F in another frame G at joint positions.

        See :meth:`ElementHandle.resolve_pose`.
        """
        return self._thing(self._row_of(frame)).resolve_pose(relative_to, q)

    def jacobian(
        self, frame: str | ElementHandle, q: Positions = None, relative_to: str | ElementHandle | None = None
    ) -> Array:
        """Return the Jacobian (..., 6, m) of a frame F at joint positions.

        ``J @ q̇`` is the velocity of F in a frame G: angular velocity in rad/s, then the velocity of F's origin in m/s,
        both in the axes of G. Columns are those of :attr:`dofs`; the column of a leader includes its followers.

        Parameters
        ----------
        frame
            F.
        q
            Joint positions, see :meth:`poses`.
        relative_to
            G, which may move as well; by default the initial place of the top model, or the world.
        """
        kinematics, positions, row = self._state.kinematics, self._state.positions(q), self._row_of(frame)
        J_F = kinematics.jacobian(positions, row)
        if relative_to is None:
            return J_F
        other = self._row_of(relative_to)
        X = kinematics.poses(positions, [other, row])
        return relative_jacobian(kinematics.jacobian(positions, other), J_F, X[..., 0, :, :], X[..., 1, :, :])

    def sweep(
        self,
        joint: str | Joint,
        frame: str | ElementHandle | None = None,
        *,
        start: float | None = None,
        end: float | None = None,
        samples: int = 121,
        q: Positions = None,
    ) -> Sweep:
        """Return the motion of one joint through a range, with the path of a frame.

        Parameters
        ----------
        joint
            The joint, or the name of a degree of freedom, ``wrist[1]``.
        frame
            The frame whose path is requested.
        start, end
            The range in radians or metres; by default from limit to limit, half a turn or a metre where there is none.
        samples
            How many configurations.
        q
            Where the other joints are, see :meth:`poses`.

        Raises
        ------
        UnknownNameError
            If there is no such joint or frame.
        InvalidValueError
            If the joint does not move by itself, or a number is not finite.

        Examples
        --------
        >>> model.sweep("joint_2", "palm").path.shape  # doctest: +SKIP
        (121, 3)
        """
        row = None if frame is None else self._row_of(frame)
        name = joint.scoped_name if isinstance(joint, ElementHandle) and self._row_of(joint) else joint
        return make_sweep(self._state, str(name), row, self._state.positions(q), start, end, samples)

    def colliding_links(
        self, q: Positions = None, *, hulls: bool = False, neighbours: bool = False, skip_missing: bool = False
    ) -> tuple[LinkPair, ...]:
        """Return the pairs of links whose collisions overlap at joint positions.

        Links that cannot move relative to each other do not count. What only touches does not collide.

        Parameters
        ----------
        q
            One configuration, see :meth:`poses`.
        hulls
            Whether meshes count as their convex hulls, as in Drake and MuJoCo, rather than by their triangles.
        neighbours
            Whether links that a joint connects count too.
        skip_missing
            Whether collisions whose meshes are missing or cannot be read are left out.

        Raises
        ------
        SdfViewerError
            If the mesh of a collision is missing or cannot be read.
        MissingExtraError
            If the packages that read meshes are not installed.

        Examples
        --------
        >>> model.colliding_links({"joint_2": 2.0})  # doctest: +SKIP
        (LinkPair(first='base', second='palm'),)
        """
        q = self._state.positions(q)
        return colliding_links(self._state, q, hulls=hulls, neighbours=neighbours, skip_missing=skip_missing)

    # --- questions ---------------------------------------------------------------------------------------------

    def explain(self, frame: str | ElementHandle) -> tuple[ChainStep, ...]:
        """Return why a frame is where it is: the chain of frames from the root to it, each with its file and line."""
        return self._thing(self._row_of(frame)).explain()

    def graph(self, kind: GraphName = "relative_to") -> networkx.DiGraph[str]:
        """Return a frame graph, or the kinematic graph.

        Vertices are names, with ``kind`` and ``scoped_name``. Edges of the frame graphs lead from a frame to what it
        names, with ``written``: whether the file says so, or it is the default. Edges of the kinematic graph lead from
        the parent link to the child link, with ``joint`` and ``type``; ``world`` is the world outside.

        Raises
        ------
        InvalidValueError
            If there is no such graph.
        """
        return build_graph(self._state.table, kind)

    @property
    def meshes(self) -> tuple[Resource, ...]:
        """The mesh files that visuals and collisions name, each once."""
        return find_meshes(self._state.table, self._state.finder)

    @property
    def resources(self) -> tuple[Resource, ...]:
        """Every file that the model names: includes, meshes, textures, terrain, scripts, plugins; found or not."""
        return find_resources(self._state.table, self._state.finder)

    def read_resources(self) -> tuple[Resource, ...]:
        """Return :attr:`resources` with meshes read: how many triangles, which textures they name, what is wrong.

        Raises
        ------
        MissingExtraError
            If the packages that read meshes are not installed.
        """
        with required_extras():
            return find_resources(self._state.table, self._state.finder, read=True)

    def diff(self, other: Model) -> list[FrameDifference | PropertyDifference]:
        """Return what differs in another model: its frames first, then joints, masses, shapes, appearance, and so on.

        Both kinds of difference have ``kind``, ``name``, ``before``, ``after`` and ``changes``; a frame adds by how
        much it moved, a property its two values.
        """
        from sdfviewer.formats.comparison import compare  # noqa: PLC0415  # few need it

        comparison = compare(self._state.table, other._state.table)
        return [*comparison.differences(), *comparison.properties()]

    # --- other forms -------------------------------------------------------------------------------------------

    def to_urdf(self, version: str = "1.0") -> ConvertedText:
        """Return the model as URDF; see :class:`ConvertedText` for what cannot be carried over.

        Raises
        ------
        SdfViewerError
            If it is a world, or a pose in it is undefined.
        """
        return to_urdf(self._state.table, version)

    def to_sdformat(self, version: str | None = None, *, merge_fixed: bool = False) -> ConvertedText:
        """Return the file in a version of SDFormat, the newest by default.

        Parameters
        ----------
        version
            For example ``1.9``.
        merge_fixed
            Whether links of a URDF that fixed joints join become one, as in Gazebo.
        """
        return to_sdformat(self._state.table, self._state.loader, version, merge_fixed)

    def to_mjcf(self) -> ConvertedText:
        """Return the model in MuJoCo's format.

        Mesh files are named where they are. :meth:`save_bundle` converts those that MuJoCo does not read.

        Raises
        ------
        SdfViewerError
            If it has no link, or the pose of one is undefined.
        MissingExtraError
            If the packages that read meshes are not installed.
        """
        return to_mjcf(self._state.table, self._state.loader)

    def save_bundle(
        self, folder: str | Path, target: str = "sdformat", *, uris: str = "relative", meshes: str = "keep"
    ) -> tuple[str, ...]:
        """Write a new folder with the model and all of its files, which loads elsewhere as it is.

        Parameters
        ----------
        folder
            New or empty.
        target
            ``sdformat``, a version of SDFormat, ``urdf`` or ``mjcf``.
        uris
            How files are named: ``relative``, ``absolute`` or ``package``.
        meshes
            How meshes are written: ``keep``, ``obj``, ``stl`` or ``glb``.

        Returns
        -------
        tuple of str
            What could not be carried over, in sentences that begin with file and line.
        """
        return save_bundle(self._state.table, self._state.loader, Path(folder), target, uris, meshes)

    def convert(self, target: str) -> ConvertedText:
        """Return the file in another form, as ``sdfviewer convert --to`` does.

        Parameters
        ----------
        target
            ``urdf``, ``mjcf``, a version of SDFormat, ``standalone``, ``flat``, ``element-relative`` or
            ``model-absolute``.
        """
        return convert(self._state.table, self._state.loader, target)

    def screenshot(
        self,
        path: str | Path | None = None,
        *,
        size: tuple[int, int] = (1280, 800),
        view: str = "iso",
        q: Positions = None,
        show: Sequence[str] = ("visuals", "sensors", "lights", "grid", "shadows"),
        focus: str | ElementHandle | None = None,
        dark: bool = False,
        transparent: bool = False,
    ) -> bytes:
        """Return a picture of the model as PNG, and write it where a path is given.

        Parameters
        ----------
        path
            Where it is written too; the suffix decides the format.
        size
            Width and height in pixels.
        view
            ``iso``, ``front``, ``back``, ``left``, ``right``, ``top`` or ``bottom``.
        q
            Joint positions, see :meth:`poses`.
        show
            What is drawn: the layers of ``sdfviewer screenshot --show``.
        focus
            The frame that the camera looks at, with what is on it.
        dark, transparent
            The theme, and whether the background is clear.

        Raises
        ------
        MissingExtraError
            If the packages that draw are not installed.
        """
        from sdfviewer.library.views.picture import take_picture  # noqa: PLC0415  # needs an extra

        row = None if focus is None else self._row_of(focus)
        X = None if q is None else self.poses(q).array
        return take_picture(
            self._state.table, self._state.finder, path, size, view, X, show, row, dark=dark, transparent=transparent
        )

    def to_html(self, path: str | Path | None = None, *, max_size: float = 8.0, before: Model | None = None) -> str:
        """Return a web page of the model in one file, and write it where a path is given.

        The page asks no network for anything: it has the 3D view, the tree, the sliders of the joints, why each frame
        is where it is, the graphs and the problems. It names files without the folders that they are in.

        Parameters
        ----------
        path
            Where it is written too.
        max_size
            Megabytes that the page may have. Where it would be larger, meshes are drawn with fewer triangles.
        before
            The model as it was: the page shows what has changed, frames that moved drawn between before and after.

        Raises
        ------
        MissingExtraError
            If the packages that read meshes and pictures are not installed.
        SdfViewerError
            If the page would be larger with the coarsest meshes, too, or cannot be written.
        """
        with required_extras():
            from sdfviewer.export.page.page import PageModel  # noqa: PLC0415  # needs an extra
            from sdfviewer.library.views.page import make_page  # noqa: PLC0415

            subject = PageModel(self._state.table, self.diagnostics)
            earlier = None if before is None else PageModel(before._state.table, before.diagnostics)
            return make_page(subject, self._state.finder, path, max_size, earlier)

    def _repr_html_(self) -> str:
        from sdfviewer.library.views.notebook_frame import page_frame  # noqa: PLC0415  # only notebooks ask

        return page_frame(repr(self)[1:-1], self.to_html)
