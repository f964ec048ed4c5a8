"""Edits of a document by script: the refactorings of the window, combined into one undo step."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Literal

from sdfviewer.diagnostics import Diagnostic, Fix
from sdfviewer.display_text import with_capital
from sdfviewer.document.edits import Edit as TextEdit
from sdfviewer.files.uris import UriForm
from sdfviewer.library.edits.content_edits import ContentEdits
from sdfviewer.library.edits.edit_block import EditBlock
from sdfviewer.library.edits.pose_edits import PoseEdits
from sdfviewer.library.names import AnyHandle, short_name
from sdfviewer.model.names import did_you_mean
from sdfviewer.operations import arranging, contracts, frames, semantics, whole
from sdfviewer.refactoring.editable import EditError
from sdfviewer.refactoring.fix_all import fix_all


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
        self._do(semantics.disable_collisions, links=links, reason=reason)


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
        done = self._do(arranging.mirror, link=link, names=names, axis=axis, frame=frame)
        return [short_name(self._table, self._table.row(name)) for name in done.edit.added]


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
