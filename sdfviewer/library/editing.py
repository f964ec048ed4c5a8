"""Edits of a document by script: the refactorings of the window, combined into one undo step."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Literal

from numpy.typing import ArrayLike

from sdfviewer.diagnostics import Diagnostic, Fix
from sdfviewer.display_text import with_capital
from sdfviewer.document.edits import Edit as TextEdit
from sdfviewer.files.uris import UriForm
from sdfviewer.library.edit_block import EditBlock, PoseEdits
from sdfviewer.library.member_edits import MemberEdits
from sdfviewer.library.names import AnyHandle
from sdfviewer.library.pose import Pose
from sdfviewer.model.kinds import Kind
from sdfviewer.model.names import did_you_mean
from sdfviewer.model.shapes.kind import Geometry
from sdfviewer.operations import adding, arranging, collisions, contracts, frames, properties, whole
from sdfviewer.refactoring.editable import EditError
from sdfviewer.refactoring.fix_check import fix_all
from sdfviewer.refactoring.inertia import WATER
from sdfviewer.refactoring.new_elements import SENSOR_TYPES
from sdfviewer.validation.content_rules import LIGHT_TYPES


class ContentEdits(MemberEdits):
    """Edits of what is in links and joints."""

    # --- properties --------------------------------------------------------------------------------------------

    def set_property(
        self, thing: str | AnyHandle | Sequence[str | AnyHandle], path: str, value: object, *, together: bool = False
    ) -> None:
        """Write a property of the property panel.

        Parameters
        ----------
        thing
            What has it.
        path
            Tags from the thing's element downwards, ``axis/limit/lower``; ``@type`` for an attribute.
        value
            A text, number, truth value or sequence of numbers; None takes it out, so that the default holds.
        together
            Whether the size of a visual also changes what is one part with it, see :meth:`set_geometry`.

        Raises
        ------
        EditError
            If there is no such property, or it cannot have that value.
        """
        self._do(properties.set_property, thing=thing, path=path, value=value, together=together)

    def set_limits(
        self,
        joint: str | AnyHandle,
        lower: float | None = None,
        upper: float | None = None,
        *,
        effort: float | None = None,
        velocity: float | None = None,
    ) -> None:
        """Set limits of the first axis of a joint; those that are not given stay."""
        self._do(properties.set_limits, joint=joint, lower=lower, upper=upper, effort=effort, velocity=velocity)

    def set_geometry(
        self, part: str | AnyHandle | Sequence[str | AnyHandle], geometry: str | Geometry, *, together: bool = False
    ) -> None:
        """Give a visual or collision another geometry: ``sdfviewer.Box((1, 1, 1))``, or a name for a usual size.

        Parameters
        ----------
        part
            The visual or collision, or several.
        geometry
            Its geometry.
        together
            Whether the visuals and collisions of the link that have the same geometry and pose change with it. The
            inertial follows with the density that it implies, where it is that of the shapes.

        Raises
        ------
        EditError
            If the file's version of SDFormat does not have the shape, or a size cannot be written.
        """
        self._do(properties.set_geometry, part=part, geometry=geometry, together=together)

    def align_collisions(self, *links: str | AnyHandle) -> None:
        """Give each collision of links the geometry and the pose of the visual at its place in order.

        Without links all that have a visual. A visual without a collision gets one, and collisions beyond the visuals
        stay. The inertial keeps its density where it was that of the shapes.
        """
        self._do(collisions.align_collisions, links=links)

    def fit_collisions(
        self, *parts: str | AnyHandle, shape: Literal["box", "cylinder", "capsule", "sphere", "hull"] = "box"
    ) -> None:
        """Put the smallest box, cylinder, capsule, sphere or convex hull around meshes.

        A collision becomes that shape. For a visual the collision at its place in order becomes it, or one is added.
        A hull is written in a new mesh file with the document.
        """
        self._do(collisions.fit_collisions, parts=parts, shape=shape)

    def decompose_collisions(self, *parts: str | AnyHandle, pieces: int = 16) -> None:
        """Put convex pieces that are nearly the mesh in place of collisions, at most so many for each.

        CoACD cuts the meshes, which may take some minutes. The pieces are written in new mesh files with the document.

        Raises
        ------
        MissingExtraError
            If the package ``coacd`` is not installed.
        """
        self._do(collisions.decompose_collisions, parts=parts, pieces=pieces)

    # --- inertials ---------------------------------------------------------------------------------------------

    def set_inertial(
        self,
        link: str | AnyHandle,
        *,
        mass: float | None = None,
        center_of_mass: ArrayLike | None = None,
        inertia: ArrayLike | None = None,
    ) -> None:
        """Write mass, centre of mass and inertia of a link; what is not given stays.

        Parameters
        ----------
        link
            The link.
        mass
            In kg.
        center_of_mass
            p_LB (3,) in the link, in metres.
        inertia
            The matrix (3, 3) about the centre of mass in the axes of the link, or ``ixx iyy izz ixy ixz iyz`` (6,), in
            kg m².

        Raises
        ------
        InvalidValueError
            If a shape is wrong, a number is not finite, or the matrix is not symmetric.
        """
        self._do(properties.set_inertial, link=link, mass=mass, center_of_mass=center_of_mass, inertia=inertia)

    def compute_inertials(
        self, *links: str | AnyHandle, density: float = WATER, total_mass: float | None = None
    ) -> None:
        """Compute the inertials of links, all by default, from their collisions, or their visuals where there is none.

        Parameters
        ----------
        links
            The links; those without a shape that has a volume are left alone.
        density
            In kg/m³.
        total_mass
            The mass of all of them together in kg, in place of the density.

        Raises
        ------
        EditError
            If none of them has a shape with a volume, or a number is not positive.
        MissingExtraError
            If the packages that read meshes are not installed.
        """
        self._do(properties.compute_inertials, links=links, density=density, total_mass=total_mass)

    def add_inertial(self, link: str | AnyHandle, *, density: float = WATER, mass: float | None = None) -> None:
        """Add mass and inertia to a link that has none, computed from its shapes with a density or for a mass."""
        self._do(adding.add_inertial, link=link, density=density, mass=mass)

    # --- sensors, lights, plugins ------------------------------------------------------------------------------

    def add_sensor(
        self, parent: str | AnyHandle, type: str, name: str | None = None, *, pose: ArrayLike | Pose | None = None
    ) -> None:
        """Add a sensor to a link or joint, ``camera``, ``gpu_lidar``, ``imu``, ``force_torque`` ..."""
        row = self._row(parent, Kind.LINK, Kind.JOINT)
        known = SENSOR_TYPES[self._table.kinds[row]]
        if type not in known:
            what = self._table.kinds[row]
            raise EditError(f"a {what} has no sensor '{type}': use {', '.join(known)}")
        self._do(adding.add_sensor, parent=self._table.names[row], type=type, name=name, pose=pose)

    def add_light(
        self,
        parent: str | AnyHandle,
        type: str = "point",
        name: str | None = None,
        *,
        pose: ArrayLike | Pose | None = None,
    ) -> None:
        """Add a light, ``point``, ``spot`` or ``directional``, to a link or a world."""
        if type not in LIGHT_TYPES:
            raise EditError(f"there is no light '{type}': use {', '.join(LIGHT_TYPES)}")
        row = self._row(parent, Kind.LINK, Kind.WORLD)
        self._do(adding.add_light, parent=self._table.names[row], type=type, name=name, pose=pose)

    def add_plugin(
        self, parent: str | AnyHandle, filename: str, name: str, *, of: Sequence[str | AnyHandle] = ()
    ) -> None:
        """Add a plugin to a model, world, sensor or visual, with what it needs and the model gives.

        Parameters
        ----------
        parent
            What holds it.
        filename, name
            Its library, and its class, such as ``gz::sim::systems::DiffDrive``.
        of
            The joints or links that it is about, whose names it gets; with several a plugin for each.
        """
        self._do(adding.add_plugin, parent=parent, filename=filename, name=name, of=of)

    def set_plugin_parameter(self, thing: str | AnyHandle, path: str, value: object, *, plugin: str = "") -> None:
        """Write a parameter of a plugin.

        Parameters
        ----------
        thing
            The model, world, sensor or visual that has the plugin.
        path
            Tags from the plugin downwards, ``wheel[2]/@link_name``; one more than there are is a new element.
        value
            A text, number, truth value or sequence of numbers; None takes it out, so that the default holds.
        plugin
            Its name, class, library or number; where the thing has one plugin, that.

        Raises
        ------
        EditError
            If there is no such plugin or parameter, or it cannot have that value.
        """
        self._do(properties.set_plugin_parameter, thing=thing, path=path, value=value, plugin=plugin)


class FileEdits(EditBlock):
    """The edits that write other files."""

    def rename(
        self,
        old: str | AnyHandle,
        new: str,
        *,
        also: str | Path | Iterable[str | Path] = (),
        in_plugins: bool = False,
    ) -> None:
        """Rename anything, with every reference to it; also a material of a URDF.

        Parameters
        ----------
        old, new
            What it is called, and what it will be called.
        also
            Dependent files, which include this one, and folders with such files: the references in them follow, and
            :meth:`EditableDocument.save` writes them too.
        in_plugins
            Whether it is also changed where a plugin mentions it in a parameter that may mean something else.

        Raises
        ------
        EditError
            If it cannot have that name, or something would be wrong in a dependent file.
        """
        self._do(frames.rename, old=old, new=new, also=also, in_plugins=in_plugins)

    def split_off(self, model: str | AnyHandle, file: str | Path, *, uris: UriForm | None = None) -> None:
        """Move a nested model to its own file, and include that; no pose changes.

        Parameters
        ----------
        model
            The nested model.
        file
            The new file, in the folder of this one unless it says otherwise; :meth:`EditableDocument.save` writes it.
        uris
            How it is included, and how it names its files: by relative paths, ``model://``, ``package://`` or whole
            paths; or copied beside it. By default as Gazebo and Drake find them where that is possible.

        Raises
        ------
        EditError
            If the file exists, or the model is not written in this document.
        """
        self._do(whole.split_off, model=model, file=file, uris=uris)

    def keep_true(
        self,
        frame: str | AnyHandle,
        *,
        what: Literal["pose", "number", "mass"] = "pose",
        relative_to: str | AnyHandle | None = None,
        number: str = "pose/x",
        tolerance: float | None = None,
        why: str = "",
    ) -> None:
        """Write into `sdfviewer.toml` that a pose, a number or a mass must stay as it is.

        Parameters
        ----------
        frame
            The frame, link, joint or model.
        what
            What must stay as it is.
        relative_to
            The frame in which its pose stays; the root by default.
        number
            The number that stays, such as ``pose/x`` or ``axis/limit/upper``.
        tolerance
            How much it may change, in metres, radians or kilograms.
        why
            Why; a broken contract says so.

        Raises
        ------
        EditError
            If the document has no file, or what must stay true is not known.
        """
        self._do(
            contracts.keep_true,
            frame=frame,
            what=what,
            relative_to=relative_to,
            number=number,
            tolerance=tolerance,
            why=why,
        )

    def disable_collisions(
        self,
        links: Iterable[str | AnyHandle],
        *,
        reason: Literal["User", "Adjacent", "Never", "Default", "Always"] = "User",
    ) -> None:
        """Write into the SRDF of a robot that MoveIt need not test some links for collisions with each other.

        Parameters
        ----------
        links
            The links; each two of them are not tested.
        reason
            Why they need no test.

        Raises
        ------
        EditError
            If the document has no file, or several SRDF files are about the robot.
        """
        self._do(collisions.disable_collisions, links=links, reason=reason)


AxisName = Literal["x", "y", "z"]


class ArrangeEdits(EditBlock):
    """The edits that place frames by other frames."""

    def mate(
        self,
        a: str | AnyHandle,
        b: str | AnyHandle,
        *,
        align: Literal["all", "origin", "axis"] = "all",
        offset: Sequence[float] = (0.0, 0.0, 0.0),
        angle: float = 0.0,
        written_as: Literal["relative_to", "placement_frame", "joint"] | None = None,
    ) -> None:
        """Move the part that carries frame B so that B coincides with frame A.

        Parameters
        ----------
        a, b
            The frames.
        align
            What coincides: the origin and all axes, the origin, or the origin and the z axis.
        offset, angle
            Position (3,) of B in A in metres, and rotation about the z axis of A in radians, then.
        written_as
            By default whichever the scopes allow.
        """
        self._do(arranging.mate, a=a, b=b, align=align, offset=offset, angle=angle, written_as=written_as)

    def align(self, *frames: str | AnyHandle, axes: str = "xyz", of: str | AnyHandle | None = None) -> None:
        """Give frames the coordinates of the last one, along some axes of the frame `of` (the root by default)."""
        self._do(arranging.align, frames=frames, axes=axes, of=of)

    def distribute(self, *frames: str | AnyHandle, axes: str = "xyz", of: str | AnyHandle | None = None) -> None:
        """Give frames equal distances between the outermost two, along some axes of the frame `of`."""
        self._do(arranging.distribute, frames=frames, axes=axes, of=of)

    def mirror(
        self,
        link: str | AnyHandle,
        names: tuple[str, str] | None = None,
        *,
        axis: AxisName = "y",
        frame: str | AnyHandle | None = None,
    ) -> list[str]:
        """Write a link, and what joints carry below it, again on the other side; return the names of the copies.

        The same joint positions give the mirrored configuration.

        Parameters
        ----------
        link
            The link that the limb begins with.
        names
            What is replaced in the names, and with what: ``("left", "right")``. By default guessed from the link's.
        axis, frame
            The axis that is reversed, of `frame`: the model that the link is in by default.
        """
        return self._added(arranging.mirror, link=link, names=names, axis=axis, frame=frame)

    def repeat(
        self,
        link: str | AnyHandle,
        count: int = 4,
        *,
        axis: AxisName = "z",
        frame: str | AnyHandle | None = None,
        angle: float | None = None,
        distance: float = 0.0,
    ) -> list[str]:
        """Write a link, and what joints carry below it, several times; return the names of the copies.

        Numbers in the names count up: ``rotor_0``, ``rotor_1``.

        Parameters
        ----------
        link
            The link that the limb begins with.
        count
            How many of it there are then.
        axis, frame
            The axis that they are around or along, of `frame`: the model that the link is in by default.
        angle, distance
            From each to the next, in radians about the axis and in metres along it. Without both they share a full
            circle.
        """
        given = {"axis": axis, "frame": frame, "angle": angle, "distance": distance}
        return self._added(arranging.repeat, link=link, count=count, **given)


class DocumentEdit(PoseEdits, ContentEdits, ArrangeEdits, FileEdits):
    """Edits that become one undo step when the ``with`` block ends; an exception in it leaves the document as it was.

    Names are those of the file as the edits before have left it. A target, such as that of `set_relative_to`, is
    written as its scope sees it, whichever way it is named here.

    Attributes
    ----------
    label
        Name of the undo step; by default that of the only edit.
    where
        Where values of a xacro file are written that several places can give: a kind, a name, both, or file and line,
        such as ``"property track"``; or several of these, of which the first that is possible counts.
    """

    # --- the whole file ----------------------------------------------------------------------------------------

    def to_element_relative_form(self) -> None:
        """Write joints relative to their parent and links relative to the joint that drives them; nothing moves."""
        self._do(whole.to_element_relative_form)

    def to_model_absolute_form(self) -> None:
        """Write links relative to their model and joints relative to their child, the defaults; nothing moves."""
        self._do(whole.to_model_absolute_form)

    def write_defaults(self) -> None:
        """Write every ``relative_to`` and ``attached_to`` that the file leaves to its default."""
        self._do(whole.write_defaults)

    def remove_redundant(self) -> None:
        """Remove every ``relative_to``, ``attached_to`` and pose that says only the default."""
        self._do(whole.remove_redundant)

    def shorten_poses(self) -> None:
        """Write each number of each pose as short as it can be within a picometre and a picoradian."""
        self._do(whole.shorten_poses)

    def round_poses(self, *frames: str | AnyHandle, decimals: int = 6) -> None:
        """Round the numbers of poses, all by default, to a number of decimals, as they are written.

        What moves by it, and how far, is in :attr:`moved`.
        """
        self._do(whole.round_poses, frames=frames, decimals=decimals)

    def inline_includes(self) -> None:
        """Write every included model where its include is."""
        self._do(whole.inline_includes)

    def flatten(self, *, keep_scopes: bool = False) -> None:
        """Inline includes and dissolve nested models; nothing moves.

        With `keep_scopes` members have names such as ``model::member``, which SDFormat allows up to version 1.7.
        """
        self._do(whole.flatten, keep_scopes=keep_scopes)

    def change_version(self, version: str, *, allow_loss: bool = False) -> None:
        """Convert the file to another version of SDFormat; nothing moves.

        With `allow_loss` joints that mimic others become independent where the version cannot say it.
        """
        self._do(whole.change_version, version=version, allow_loss=allow_loss)

    def fix_all(self, *rules: str, unsafe: bool = False) -> int:
        """Apply the quick fixes of all problems, or of those of some rules, and return how many were applied.

        Parameters
        ----------
        rules
            Names of rules; all by default.
        unsafe
            Whether to apply the first fix of each problem. By default only safe fixes are applied: the only fix of its
            problem, after which every frame means what it meant before.
        """
        fixed = fix_all(self._loader, self._draft.document, rules or None, unsafe=unsafe)
        with self._named("Apply quick fixes"):
            for fix in fixed.applied:
                self._make(TextEdit(fix.label, self._draft.document, fix.replacements))
        return len(fixed.applied)

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
        self._make(TextEdit(with_capital(fix.label), self._draft.document, fix.replacements))
