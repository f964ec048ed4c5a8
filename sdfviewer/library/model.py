"""Models: what a file means, by name."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from sdfviewer.diagnostics import InvalidValueError, SdfViewerError
from sdfviewer.document.element import Element
from sdfviewer.extras import required_extras
from sdfviewer.files import saving
from sdfviewer.formats.registry import describe_format, format_of
from sdfviewer.library.base import Positions
from sdfviewer.library.elements import Link
from sdfviewer.library.handle import ChainStep, ElementHandle
from sdfviewer.library.mechanics import Mechanics
from sdfviewer.library.members import handle_of
from sdfviewer.library.other_programs import (
    ConvertedText,
    GraphName,
    Resource,
    bounding_box,
    build_graph,
    convert,
    find_meshes,
    find_resources,
    save_bundle,
    to_drake,
    to_mjcf,
    to_mujoco,
    to_pinocchio,
    to_scene,
    to_sdformat,
    to_urdf,
)
from sdfviewer.model.kinds import Kind
from sdfviewer.model.kinematics.tree import GROUND
from sdfviewer.number_text import counted
from sdfviewer.transforms import Array
from sdfviewer.versions import format_version

if TYPE_CHECKING:
    import networkx

    from sdfviewer.model.comparison.difference import PropertyDifference
    from sdfviewer.model.comparison.frames import FrameDifference

#: Height in pixels of a page in a notebook.
FRAME_HEIGHT: Final = 560


class Model(Mechanics):
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
    def root_link(self) -> Link:
        """The link that the others hang on: the first one that nothing carries, or that a joint fixes to the world.

        Raises
        ------
        SdfViewerError
            If there is no such link.
        """
        carriers = self._state.kinematics.forest.carriers
        for link in self.links:
            carrier = carriers.get(link._row)
            if carrier is None or carrier.body == GROUND:
                return link
        raise SdfViewerError(f"{self!r} has no link that the others hang on")

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
        return to_urdf(self._state.table, version, self._state.finder)

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
        self,
        folder: str | Path,
        target: str = "sdformat",
        *,
        uris: str = "relative",
        meshes: str = "keep",
        skip_missing: bool = False,
        **options: bool | float | str,
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
        skip_missing
            Whether meshes that are not found are left out.
        **options
            See :meth:`convert`.

        Returns
        -------
        tuple of str
            What could not be carried over, in sentences that begin with file and line.

        Raises
        ------
        SdfViewerError
            If a mesh is not found, or the folder is not empty; nothing is written then.
        MissingExtraError
            If the packages that read meshes are not installed.
        """
        state = self._state
        return save_bundle(state.table, state.loader, Path(folder), target, uris, meshes, skip_missing, **options)

    def export(self, path: str | Path) -> tuple[str, ...]:
        """Write the model to one file, in the format that its suffix names.

        ``.sdf`` and ``.world`` are SDFormat, ``.urdf`` is URDF, ``.xml`` and ``.mjcf`` are MuJoCo's format, ``.html``
        is a web page. Mesh files are named where they are; :meth:`save_bundle` takes them along.

        Returns
        -------
        tuple of str
            What could not be carried over, in sentences that begin with file and line.

        Raises
        ------
        InvalidValueError
            If the suffix is another one.
        SaveError
            If the file cannot be written.
        """
        target = Path(path)
        write = _WRITERS.get(target.suffix.lower())
        if target.suffix.lower() == ".html":
            self.to_html(target)
            return ()
        if write is None:
            known = ", ".join((*_WRITERS, ".html"))
            raise InvalidValueError(f"there is no format for '{target.name}': use one of {known}")
        text = write(self)
        text.save(target)
        return text.losses

    def convert(self, target: str, **options: bool | float | str) -> ConvertedText:
        """Return the file in another form, as ``sdfviewer convert --to`` does.

        Parameters
        ----------
        target
            ``urdf``, ``mjcf``, a version of SDFormat, ``standalone``, ``flat``, ``element-relative`` or
            ``model-absolute``.
        **options
            The options of that command, with underscores: ``keep_scopes=True``, ``urdf_version="1.1"``.

        Raises
        ------
        InvalidValueError
            If there is no such option, or it has no such value.
        SdfViewerError
            If the model cannot be written that way.
        """
        return convert(self._state.table, self._state.loader, target, **options)

    # --- other programs ----------------------------------------------------------------------------------------

    def bounding_box(self, q: Positions = None) -> Array:
        """Return the smallest and largest x, y and z (2, 3) of all visuals, in the top model or the world, in metres.

        Links without visuals count by their collisions; planes do not.

        Raises
        ------
        SdfViewerError
            If there are no shapes, or a mesh is missing or cannot be read.
        MissingExtraError
            If the packages that read meshes are not installed.
        """
        return bounding_box(self.links, self._link_poses(q))

    def _link_poses(self, q: Positions) -> Array:
        if self._state.positions(q).ndim != 1:
            raise InvalidValueError("give one configuration, not a batch")
        return self._state.poses(q, [link._row for link in self.links])

    def to_trimesh(self, q: Positions = None, *, collisions: bool = False) -> Any:
        """Return a ``trimesh.Scene`` of the model at joint positions, with a node for each link.

        ``scene.graph.update(link.name, matrix=model.poses(q)[link])`` moves a link. Surfaces have the diffuse colours
        of their materials, no textures.

        Parameters
        ----------
        q
            Joint positions, see :meth:`poses`.
        collisions
            Whether the collisions are taken in place of the visuals.

        Raises
        ------
        SdfViewerError
            If a mesh is missing or cannot be read.
        MissingExtraError
            If trimesh is not installed: the extra ``trimesh`` brings it.
        """
        return to_scene(self.links, self._link_poses(q), self._state.table.root_frame, collisions=collisions)

    def to_pinocchio(self, **options: Any) -> Any:
        """Return a ``pinocchio.Model`` of the model, by way of :meth:`to_urdf`, which is read back and compared.

        What URDF cannot express is a warning. Its joints and frames have the names that :meth:`to_urdf` writes.

        Parameters
        ----------
        options
            For ``pinocchio.buildModelFromXML``: ``root_joint=pinocchio.JointModelFreeFlyer()``, ``mimic=True``.

        Raises
        ------
        SdfViewerError
            If it is a world, or a pose in it is undefined.
        MissingExtraError
            If Pinocchio is not installed: the extra ``pinocchio`` brings it.
        """
        return to_pinocchio(self._state.table, options)

    def to_mujoco(self, *, skip_missing: bool = False) -> Any:
        """Return a ``mujoco.MjModel`` of the model, by way of :meth:`save_bundle`, which is read back and compared.

        What MuJoCo's format cannot express is a warning.

        Parameters
        ----------
        skip_missing
            Whether meshes that are not found are left out, with a warning; by default they are an error.

        Raises
        ------
        SdfViewerError
            If it has no link, a mesh is missing, or MuJoCo refuses it.
        MissingExtraError
            If MuJoCo is not installed: the extra ``mujoco`` brings it.
        """
        return to_mujoco(self._state.table, self._state.loader, skip_missing)

    def to_drake(self, plant: Any = None, *, skip_missing: bool = False) -> Any:
        """Return a ``pydrake`` ``MultibodyPlant`` with the model, by way of :meth:`save_bundle` as SDFormat.

        Parameters
        ----------
        plant
            The plant that the model is added to, which stays open; by default a new one without geometry, finalized.
        skip_missing
            Whether meshes that are not found are left out, with a warning; by default they are an error.

        Raises
        ------
        SdfViewerError
            If a mesh is missing, or Drake refuses the model.
        MissingExtraError
            If Drake is not installed: the extra ``drake`` brings it.
        """
        return to_drake(self._state.table, self._state.loader, plant, skip_missing)

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
        from sdfviewer.library.drawing import take_picture  # noqa: PLC0415  # needs an extra

        row = None if focus is None else self._row_of(focus)
        X = None if q is None else self.poses(q).array
        return take_picture(
            self._state.table, self._state.finder, path, size, view, X, show, row, dark=dark, transparent=transparent
        )

    def to_html(self, path: str | Path | None = None, *, max_size: float = 8.0, before: Model | None = None) -> str:
        """Return a web page of the model in one file, and write it where a path is given.

        The page loads nothing from the network: it has the 3D view, the tree, the sliders of the joints, why each frame
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
            from sdfviewer.export.page import PageModel, write_page  # noqa: PLC0415  # needs an extra

            subject = PageModel(self._state.table, self.diagnostics)
            earlier = None if before is None else PageModel(before._state.table, before.diagnostics)
            text = write_page(subject, self._state.finder, max_size, earlier).text
        if path is not None:
            saving.save(Path(path), text.encode("utf-8"))
        return text

    def _repr_html_(self) -> str:
        return page_frame(repr(self)[1:-1], self.to_html)


#: What writes the formats of one file, by suffix.
_WRITERS: dict[str, Callable[[Model], ConvertedText]] = {
    ".sdf": Model.to_sdformat,
    ".world": Model.to_sdformat,
    ".urdf": Model.to_urdf,
    ".xml": Model.to_mjcf,
    ".mjcf": Model.to_mjcf,
}


def page_frame(title: str, make: Callable[[], str], height: int = FRAME_HEIGHT, key: str = "") -> str:
    """Return HTML that shows a page in a frame without access to what is around it, or says why there is none.

    The script of a widget finds the frame by its key.
    """
    title = escape(title)
    try:
        page = escape(make())
    except SdfViewerError as error:
        return f"<div><b>{title}</b></div><div><small>{escape(str(error))}</small></div>"
    style = f"display: block; width: 100%; height: {height}px; border: 0"
    key = f' data-sdfviewer="{escape(key)}"' if key else ""
    return f'<iframe title="{title}"{key} sandbox="allow-scripts" style="{style}" srcdoc="{page}"></iframe>'
