"""Comparisons in one 3D view, of the two conventions or of two versions: ghosts, colors, marks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from enum import Enum

import numpy as np
from numpy.typing import NDArray

from sdfviewer.gui.context.previews import AddedVersion, EditPreview, OtherVersion
from sdfviewer.gui.view3d.notes import ColourKey, TopLabel
from sdfviewer.gui.view3d.scene_feed import OtherConvention
from sdfviewer.gui.view3d.surface import SceneWidget
from sdfviewer.model.kinds import VERTICES
from sdfviewer.model.kinematics.conventions import TOLERANCE
from sdfviewer.model.model import Model
from sdfviewer.render.renderer import GHOST_OPACITY
from sdfviewer.scene.glyphs import build_labels_at, choose_rows, row_tokens, shown_lines
from sdfviewer.scene.marks import (
    ChangedPlaces,
    most_different,
    paint_changes,
    paint_differences,
    paint_lines,
    tints,
)
from sdfviewer.scene.mesh import MeshMaterial
from sdfviewer.scene.nodes import Floats, Lines, MeshInstance, Triads
from sdfviewer.scene.scene import Scene, update_poses
from sdfviewer.scene.shapes2d import Shapes

#: Ghosts of another version have no texture: they are shades, and their pictures may not be at hand.
_SHADE = MeshMaterial(diffuse=(0.8, 0.8, 0.8, 1.0), roughness=0.9)

_ADDED_OPACITY = 0.8
"""Of what a form would add: it is what one looks at, and has nothing to be compared with."""

_SEEN = 0.5
"""Part of the width and height of a preview that is enough to see what it is."""


class Ghost(str, Enum):
    """What is overlaid."""

    NONE = "none"
    ZERO = "zero positions"
    CONVENTION = "URDF convention"


class Compared:
    """The comparison as one view shows it.

    Attributes
    ----------
    colour_key, title
        What colours mean, and what the ghost is.
    ghost
        What is overlaid on the model.
    """

    def __init__(self, canvas: SceneWidget) -> None:
        self._canvas = canvas
        self.colour_key = ColourKey(canvas, canvas.settings)
        self.title = TopLabel("", canvas, "text")
        self.ghost = Ghost.NONE
        self._previewed: Floats | None = None
        self._elsewhere: tuple[Floats, Floats, Floats | None] | None = None
        self._version: OtherVersion | None = None
        self._shaded: tuple[Scene, OtherVersion, Scene] | None = None
        self._lost: tuple[tuple[MeshInstance, ...], Model, Scene | None] | None = None
        self._joined: tuple[Scene, Floats, Triads, Scene] | None = None
        self._coloured = False
        self._tinted = False
        self._has_key = True
        canvas.document_context.previews.edit_changed.connect(self._preview_edit)
        canvas.document_context.previews.version_changed.connect(self.show_version)

    def choose(self, switches: dict[str, bool]) -> None:
        """Follow the switches of the window."""
        convention = switches["compare.convention"]
        if not switches["compare.ghost"] or isinstance(self._canvas.feed, OtherConvention):
            self.ghost = Ghost.NONE
        else:
            self.ghost = Ghost.CONVENTION if convention else Ghost.ZERO
        compares = switches["compare.side"] or self.ghost is Ghost.CONVENTION
        self._coloured = switches["compare.colours"] and compares
        # One key says it for both views, and leaves the lower edge of the other to the notices.
        self._has_key = not switches["compare.side"] or isinstance(self._canvas.feed, OtherConvention)
        self.show()

    def _preview_edit(self, preview: EditPreview | None) -> None:
        self.preview(None if preview is None else preview.X_ghost)

    def preview(self, X_RootF: Floats | None) -> None:
        """Overlay other poses (n, 4, 4) in place of the chosen ghost; rows of NaN are left out. None ends it."""
        self._previewed = X_RootF
        self.show()
        self._canvas.update()

    def show_version(self, version: OtherVersion | None) -> None:
        """Overlay what another version of the file has elsewhere, in place of the chosen ghost. None ends it."""
        feed = self._canvas.feed
        if isinstance(feed, OtherConvention):
            return
        self._version = version
        added = version.added if isinstance(version, AddedVersion) else ()
        feed.show_beside(version.model if version is not None and np.isfinite(version.X_ghost).any() else None, added)
        self.show()
        self._canvas.update()

    def show(self) -> None:
        """Hand the renderer what it shows of the comparison."""
        canvas, session = self._canvas, self._canvas.document_context.session
        known = session.model is not None and len(session.model) == len(canvas.feed.scene.X_RootF)
        shades = self.shades() if known else None
        ghost = self.ghost_poses() if known and shades is None else None
        if known and shades is None:
            lost = self._last_known()
            shades = lost if lost is None or ghost is None else self._with_ghost(lost, ghost)
        if shades is not None:
            is_addition = isinstance(self._version, AddedVersion) and self._previewed is None
            canvas.renderer.set_ghost(shades.X_RootF, _ADDED_OPACITY if is_addition else GHOST_OPACITY, shades)
        else:
            canvas.renderer.set_ghost(ghost)
        if known or self.ghost is Ghost.NONE:  # else the scene is still that before an edit
            self._name_ghost(is_drawn=canvas.renderer.ghost_poses is not None)
        if self._coloured and known:
            differences = session.differences
            canvas.renderer.set_tints(tints(differences, dark=canvas.look.dark))
            canvas.renderer.set_foremost(
                most_different(
                    differences, session.X_RootF, session.element_relative_poses, canvas.feed.scene.labels.owners
                )
            )
            self.colour_key.show_largest(*(differences.largest if self._has_key else (0.0, 0.0)))
            self._tinted = True
        elif self._tinted:
            canvas.renderer.set_tints(None)
            canvas.renderer.set_foremost(frozenset())
            self.colour_key.hide()
            self._tinted = False

    def _name_ghost(self, *, is_drawn: bool) -> None:
        """Say what a chosen ghost is; that of a preview or of another version is explained where one asks for it."""
        is_chosen = self.ghost is not Ghost.NONE and self._previewed is None and self._version is None
        text = f"Ghost: {self.ghost.value}{'' if is_drawn else ' (no difference)'}" if is_chosen else ""
        if text != self.title.full_text:
            self.title.say(text)

    def ghost_poses(self) -> Floats | None:
        """Return the poses (n, 4, 4) of what the ghost has elsewhere, NaN for all other rows; None for no ghost."""
        session = self._canvas.document_context.session
        model = session.model
        if self._previewed is not None and model is not None and len(self._previewed) == len(model):
            return self._previewed
        if self.ghost is Ghost.NONE or model is None:
            return None
        here, there = session.X_RootF, model.X_RootF if self.ghost is Ghost.ZERO else session.element_relative_poses
        known = self._elsewhere
        if known is None or known[0] is not here or known[1] is not there:
            ghost = _elsewhere(here, there)
            # While a joint turns, mostly the same rows are away from zero: the renderer keeps what it has uploaded.
            if known is not None and known[1] is there and _is_same(known[2], ghost):
                ghost = known[2]
            self._elsewhere = known = (here, there, ghost)
        return known[2]

    def _last_known(self) -> Scene | None:
        """Return a scene of the rows that the text cannot place now, at their last poses; None where there are none."""
        session, scene = self._canvas.document_context.session, self._canvas.feed.scene
        model = session.model
        if model is None or (self._lost is not None and self._lost[0] is scene.surfaces and self._lost[1] is model):
            return self._lost[2] if self._lost is not None else None
        X_last = session.X_last
        lost: NDArray[np.bool_] = np.asarray(np.isfinite(X_last).all(axis=(1, 2)))
        shades = None
        if lost.any():
            rows = np.flatnonzero(lost & choose_rows(model, VERTICES)).astype(np.int32)
            surfaces = tuple(each for each in scene.surfaces if lost[each.row])
            triads = Triads(rows, row_tokens(model)[rows])
            labels = build_labels_at(model, triads, X_last)
            shades = Scene(X_last, scene.owners, surfaces=surfaces, triads=triads, labels=labels)
        self._lost = (scene.surfaces, model, shades)
        return shades

    def _with_ghost(self, lost: Scene, ghost: Floats) -> Scene:
        """Return a scene of a ghost (n, 4, 4) and of what the text cannot place: as in the ghost, or at its last pose.

        Without it a frame would be gone while one looks at what would bring it back.
        """
        scene, known = self._canvas.feed.scene, self._joined
        model = self._canvas.document_context.session.model
        assert model is not None
        if known is None or known[0] is not lost or known[1] is not ghost or known[2] is not scene.triads:
            X = np.where(np.isfinite(ghost).all(axis=(1, 2), keepdims=True), ghost, lost.X_RootF)
            shown: NDArray[np.bool_] = np.asarray(np.isfinite(X).all(axis=(1, 2)))
            rows = np.union1d(scene.triads.rows[shown[scene.triads.rows]], lost.triads.rows).astype(np.int32)
            surfaces = tuple(each for each in scene.surfaces if shown[each.row])
            labels = build_labels_at(model, lost.triads, X)
            triads = Triads(rows, row_tokens(model)[rows])
            joined = Scene(X, scene.owners, surfaces=surfaces, triads=triads, labels=labels)
            self._joined = known = (lost, ghost, scene.triads, joined)
        return known[3]

    def shades(self) -> Scene | None:
        """Return a scene of the rows that the other version places differently, None where there are none."""
        feed, version = self._canvas.feed, self._version
        if isinstance(feed, OtherConvention) or version is None or self._previewed is not None or feed.beside is None:
            return None
        if len(feed.beside.X_RootF) != len(version.X_ghost):
            return None
        known = self._shaded
        if known is None or known[0] is not feed.beside or known[1] is not version:
            shown: NDArray[np.bool_] = np.asarray(np.isfinite(version.X_ghost).all(axis=(1, 2)))
            scene = feed.beside
            surfaces = tuple(replace(each, material=_SHADE) for each in scene.surfaces if shown[each.row])
            kept = shown[scene.triads.rows]
            triads = Triads(scene.triads.rows[kept], scene.triads.tokens[kept])
            lines = _added_lines(scene, version) if isinstance(version, AddedVersion) else Lines()
            shades = Scene(version.X_ghost, scene.owners, surfaces=surfaces, triads=triads, lines=lines)
            self._shaded = known = (feed.beside, version, shades)
        return known[2]

    def outline_of(self, names: Sequence[str]) -> Floats:
        """Return points (k, 3) around frames by their scoped names, with their ghosts where a version is compared.

        A frame that vanished has only that; there are no points where no frame is called so.
        """
        model, scene, shades = self._canvas.document_context.session.model, self._canvas.feed.scene, self.shades()
        rows = [model.rows_by_name[name] for name in names if name in model.rows_by_name] if model else []
        points = [scene.outline(rows)] if rows else []
        if shades is not None and self._version is not None:
            before = self._version.rows_before(names)
            points += [shades.outline(before)] if before else []
        return np.concatenate(points) if points else np.empty((0, 3))

    def shown(self) -> tuple[Scene, Scene | None, Scene | None, Floats | None]:
        """Return what `outline` is around: the same objects as long as nothing has changed."""
        return self._canvas.feed.scene, self.shades(), self._last_known(), self.ghost_poses()

    def outline(self) -> Floats:
        """Return points (k, 3) around all that the camera should show.

        What is previewed is among it only where the camera would otherwise show little of it, or nothing else: a form
        that is filled in moves the camera no more than it has to.
        """
        scene, shades, lost, ghost = self.shown()
        points = np.concatenate([each.outline() for each in (scene, lost) if each is not None])
        other = np.empty((0, 3))
        if shades is not None:
            other = _outline(shades)
        elif ghost is not None and ghost.shape == scene.X_RootF.shape:
            other = _outline(update_poses(scene, ghost))
        is_preview = self._previewed is not None or isinstance(self._version, AddedVersion)
        return (
            points
            if is_preview and scene.surfaces and self._would_show(points, other)
            else np.concatenate([points, other])
        )

    def _would_show(self, points: Floats, other: Floats) -> bool:
        """Return whether a camera that shows some points (k, 3) shows others (m, 3), too."""
        size = np.array([self._canvas.width(), max(self._canvas.height(), 1)], np.float64)
        pixels, depth = self._canvas.camera.fit(points, size[0] / size[1]).project(other, *size)
        if not (depth > 0).any():
            return len(other) == 0
        low, high = pixels[depth > 0].min(axis=0), pixels[depth > 0].max(axis=0)
        inside = np.minimum(high, size) - np.maximum(low, 0.0)
        return bool((inside >= _SEEN * (high - low)).all())

    def shapes(self) -> Shapes:
        """Return the marks on frames that differ."""
        canvas, session = self._canvas, self._canvas.document_context.session
        scene = canvas.feed.scene
        if session.model is None or len(session.model) != len(scene.X_RootF):
            return Shapes()
        size = (canvas.width(), canvas.height())
        dark = canvas.look.dark
        version = self._version
        if version is not None and version.comparison.b is session.model:
            marks = paint_changes(_places(version, scene.X_RootF), canvas.camera, size, dark=dark)
            shades = self.shades()
            if shades is None or not len(shades.lines.rows):
                return marks
            lines = paint_lines(shades.lines, shades.X_RootF, canvas.camera, size, dark=dark)
            return Shapes.concatenate([marks, lines])
        if not self._coloured:
            return Shapes()
        other = session.element_relative_poses if self.ghost is Ghost.CONVENTION else None
        poses = (scene.X_RootF, other)
        return paint_differences(session.model, session.differences, poses, canvas.camera, size, dark=dark)


def _elsewhere(here: Floats, there: Floats) -> Floats | None:
    """Return poses (n, 4, 4) with NaN for what is in the same place here; None where that is everything."""
    if here is there:
        return None
    apart = ~(np.abs(here - there).max(axis=(1, 2)) <= TOLERANCE)
    ghost = np.where(apart[:, None, None], there, np.nan)
    return ghost if np.isfinite(ghost[:, 0, 3]).any() else None


def _added_lines(scene: Scene, version: AddedVersion) -> Lines:
    """Return the symbols of the sensors and lights that an edit adds."""
    added = np.zeros(len(scene.X_RootF), bool)
    added[version.added] = True
    lines = shown_lines(scene.lines, added, declutter=False)
    return lines.chosen(
        (lines.owners >= 0) & added[lines.owners] & np.isfinite(version.X_ghost[lines.rows]).all(axis=(1, 2, 3))
    )


def _is_same(a: Floats | None, b: Floats | None) -> bool:
    return a is not None and b is not None and np.array_equal(a[:, 0, 3], b[:, 0, 3], equal_nan=True)


def _outline(scene: Scene) -> Floats:
    """Return points (k, 3) around what a scene draws; around its rows where nothing of it is a frame or a surface."""
    placed: NDArray[np.bool_] = np.asarray(np.isfinite(scene.X_RootF).all(axis=(1, 2)))
    is_drawn = placed[scene.triads.rows].any() or placed[scene.surface_arrays.rows].any()
    return scene.outline(None if is_drawn else np.flatnonzero(placed).tolist())


def _places(version: OtherVersion, X_RootF: Floats) -> ChangedPlaces:
    """Return the points between which frames moved, and where they came and went."""
    p_before, p_after = version.X_before[:, :3, 3], X_RootF[:, :3, 3]
    moved = np.stack([p_before[version.moved[:, 0]], p_after[version.moved[:, 1]]], axis=1)
    gone = np.concatenate([p_before[version.vanished], p_after[version.going]])
    return ChangedPlaces(moved, p_after[version.appeared], gone)
