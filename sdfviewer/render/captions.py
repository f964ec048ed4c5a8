"""Captions: names beside frames, and metre marks on the grid."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from sdfviewer.palette import TOKENS
from sdfviewer.render.highlight import Highlight
from sdfviewer.render.look import Look
from sdfviewer.render.texts import PlacedText, TextPass
from sdfviewer.render.view import View
from sdfviewer.scene.camera import Camera
from sdfviewer.scene.centres import label_totals
from sdfviewer.scene.glyph_sizes import mask_of
from sdfviewer.scene.grid import grid_for
from sdfviewer.scene.labels import GAP, beside_line, clear_of, declutter, stack
from sdfviewer.scene.nodes import Labels
from sdfviewer.scene.scene import Scene
from sdfviewer.scene.view_cube import cube_rectangle

#: Red, green, blue from 0 to 1.
_Colour: TypeAlias = tuple[float, float, float]

#: Texts of tools, and the lines (2, 3) in root coordinates, from end to end, to which they belong.
Notes: TypeAlias = tuple[tuple[str, NDArray[np.float64]], ...]

_ROOM = (1.4, 5.0)
"""Width and height that a label takes in a dense picture, unless its frame matters now, as multiples of its own."""
_STACK_GAP, _MOST_STACKED = 5.0, 3
"""Pixels between the labels of frames in one place, and how many of more than one more are named."""

_ALWAYS = 50.0
"""From this priority on, that of what is selected or hovered, a label is shown also where an edge cuts it."""
_MOST_MOVED = 12
"""So many labels of what is selected or hovered move out of the way of what covers the picture, and of each other."""

_COLOURS = ("plate", "selection", "hover", "text", "grid_major")
"""The colours that names and metre marks are drawn in."""
_MARK_SHIFT = 12.0
"""Pixels by which metre marks stand farther left and lower than names."""


class Captions:
    """Places texts from picture to picture; remembers what it showed, so that nothing flickers."""

    def __init__(self) -> None:
        self._shown = np.zeros(0, bool)
        self._scene: Scene | None = None
        self._placed_for: tuple[object, ...] = ()
        self._placed: tuple[list[PlacedText], list[PlacedText]] = ([], [])
        self._stacked: tuple[NDArray[np.float64], Labels, NDArray[np.intp], NDArray[np.intp]] | None = None
        # The same with what matters first, for as long as that is the same.
        self._lifted: tuple[NDArray[np.bool_], NDArray[np.intp], NDArray[np.intp]] | None = None
        self._weighed: tuple[tuple[object, ...], Labels] | None = None
        self._measured: tuple[float, tuple[str, ...], NDArray[np.float64]] | None = None

    def place(
        self,
        scene: Scene,
        look: Look,
        highlight: Highlight,
        view: View,
        text_pass: TextPass,
        colours: NDArray[np.float32],
        eye_to_clip: NDArray[np.float64],
        *,
        dense: bool = False,
        notes: Notes = (),
    ) -> tuple[list[PlacedText], list[PlacedText]]:
        """Return the metre marks of a picture, which surfaces hide, and the names, as many as there is room for.

        The same picture again gives the same lists.
        """
        # Arrays have no truth value: lines are compared as bytes.
        key = (look, highlight, view, dense, tuple((text, line.tobytes()) for text, line in notes))
        if key != self._placed_for or self._scene is not scene:
            self._placed_for, self._scene = key, scene
            said = _place_notes(notes, view, text_pass, colours)
            taken = tuple((each.x, each.y, *text_pass.size(each.text, view.ratio)) for each in said)
            view = replace(view, covered=(*view.covered, *taken))  # names leave them free
            on_ground, names = self._place(scene, look, highlight, view, text_pass, colours, eye_to_clip, dense)
            self._placed = (on_ground, names + said)
        return self._placed

    def _place(
        self,
        scene: Scene,
        look: Look,
        highlight: Highlight,
        view: View,
        text_pass: TextPass,
        colours: NDArray[np.float32],
        eye_to_clip: NDArray[np.float64],
        dense: bool,
    ) -> tuple[list[PlacedText], list[PlacedText]]:
        labels, camera, ratio, (width, height) = self._labels(scene), view.camera, view.ratio, view.size
        rows = labels.rows if look.labels else labels.rows[:0]
        X_all = scene.X_RootF
        X = X_all[rows]
        anchors = np.einsum("kij,kj->ki", X[:, :3, :3], labels.offsets[: len(rows)]) + X[:, :3, 3]
        marks, points = _metre_marks(camera, height, ratio) if look.grid else ((), np.zeros((0, 3)))
        texts = labels.texts[: len(rows)] + marks
        if not texts:
            return [], []
        owners = labels.owners[: len(rows)]
        selected, chain = np.isin(owners, list(highlight.selected)), np.isin(owners, list(highlight.chain))
        hovered = owners == (-1 if highlight.hovered is None else highlight.hovered)
        matters = selected | chain | hovered
        places, counts = self._stack(scene, anchors, labels, matters)
        is_left_out = (counts > _MOST_STACKED + 1) & (places >= _MOST_STACKED) & ~matters
        is_count = is_left_out & (places == _MOST_STACKED)
        texts = _with_counts(texts, is_count, counts)
        pixels, depth = camera.project(np.concatenate([anchors, points]), width, height)
        sizes = self._sizes(text_pass, texts, ratio)
        corners = _corners(pixels, sizes, width, ratio, view.covered)
        shift = np.array([-_MARK_SHIFT, _MARK_SHIFT]) * ratio
        corners[len(rows) :] += shift
        corners[~(depth > 0)] = np.nan
        corners[: len(rows)][
            (_cut_away(scene, anchors) & ~(selected | hovered)) | (is_left_out & (places > _MOST_STACKED))
        ] = np.nan
        corners[: len(rows), 1] += places * (sizes[: len(rows), 1] + _STACK_GAP)
        if highlight.only_chain and (selected.any() or chain.any()):
            corners[: len(rows)][~matters] = np.nan
        # Names take precedence over metre marks; of equal names the nearer one is shown.
        priorities = np.full(len(texts), -1.0)
        priorities[: len(rows)] = labels.priorities[: len(rows)] + 50 * hovered + 100 * selected + 20 * chain
        attended = mask_of(highlight.attended, len(X_all))[owners]
        priorities[: len(rows)] += 10 * (attended & ~matters)
        claimed = sizes.copy()
        if dense and look.declutter:
            # Keep the captions of other frames apart.
            claimed[: len(rows)][~attended] *= _ROOM
            corners[: len(rows)][~attended & (places > 0)] = np.nan
        corners[_is_cut(pixels, corners, sizes, (width, height), len(rows)) & (priorities < _ALWAYS)] = np.nan
        priorities -= 0.4 * np.argsort(np.argsort(depth)) / len(texts)
        before = self._shown if len(self._shown) == len(texts) else None
        left, top, side = cube_rectangle(width, ratio)
        reserved = (*view.covered, (left, top, side, side)) if look.view_cube else view.covered
        _make_way(corners[: len(rows)], sizes, pixels, priorities[: len(rows)], reserved, (width, height))
        shown = declutter(corners, claimed, priorities, width, height, before, reserved)
        shown = _below_names(shown, pixels, places, is_count)
        self._shown = np.zeros(len(texts), bool)
        self._shown[shown] = True

        table = {name: _rgb(colours[TOKENS.index(name)]) for name in _COLOURS}
        lower_edges = corners[len(rows) :] + sizes[len(rows) :] * (0.5, 1.0)
        depths = _ground_depths(camera, points, lower_edges, (width, height), eye_to_clip).tolist()
        # Paint the most important ones last, above the others.
        order = shown[::-1].tolist()
        on_ground = [_mark(texts[k], corners[k], depths[k - len(rows)], table) for k in order if k >= len(rows)]
        placed = [
            _name(texts[k], corners[k], _rgb(colours[labels.tokens[k]]), bool(selected[k]), bool(hovered[k]), table)
            for k in order
            if k < len(rows)
        ]
        return on_ground, placed

    def _labels(self, scene: Scene) -> Labels:
        """Return the labels of a scene, with those of the centres of mass of whole models at its poses."""
        if not len(scene.centres.rows):
            return scene.labels
        key = (scene.labels, scene.centres, scene.X_RootF)
        if self._weighed is None or any(a is not b for a, b in zip(self._weighed[0], key, strict=True)):
            totals = scene.centres.totals(scene.X_RootF)
            self._weighed = (key, scene.labels.joined(label_totals(totals, scene.names)))
        return self._weighed[1]

    def _stack(
        self, scene: Scene, anchors: NDArray[np.float64], labels: Labels, matters: NDArray[np.bool_]
    ) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """Return at which place in a stack each label is, and how many are in it: all of frames in one place.

        What matters now comes first where it would be left out.
        """
        known, priorities = self._stacked, labels.priorities[: len(anchors)]
        if known is None or known[0] is not scene.X_RootF or known[1] is not labels or len(known[2]) != len(anchors):
            known = self._stacked = (scene.X_RootF, labels, *stack(anchors, priorities))
            self._lifted = None
        if not (matters & (known[2] >= _MOST_STACKED)).any():
            return known[2:]
        if self._lifted is None or not np.array_equal(self._lifted[0], matters):
            self._lifted = (matters, *stack(anchors, priorities + 1000.0 * matters))
        return self._lifted[1:]

    def _sizes(self, text_pass: TextPass, texts: tuple[str, ...], ratio: float) -> NDArray[np.float64]:
        if self._measured is None or self._measured[:2] != (ratio, texts):
            self._measured = (ratio, texts, text_pass.sizes(texts, ratio))
        return self._measured[2]


def _cut_away(scene: Scene, anchors: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Return of which frames (k,) a section leaves nothing; the totals of models, which come last, stay."""
    is_frame = np.arange(len(anchors)) < len(scene.labels.rows)
    return np.asarray(is_frame & ~scene.keeps(anchors))


def _with_counts(texts: tuple[str, ...], counted: NDArray[np.bool_], counts: NDArray[np.intp]) -> tuple[str, ...]:
    """Return the texts with a count of the names that are left out in place of some labels (k,)."""
    if not counted.any():
        return texts
    changed = list(texts)
    for label in np.flatnonzero(counted).tolist():
        changed[label] = f"+{counts[label] - _MOST_STACKED} more"
    return tuple(changed)


def _below_names(
    shown: NDArray[np.intp], pixels: NDArray[np.float64], places: NDArray[np.intp], is_count: NDArray[np.bool_]
) -> NDArray[np.intp]:
    """Return which labels to draw without the counts above which the last name of their stack is not drawn."""
    counts = [label for label in shown.tolist() if label < len(is_count) and is_count[label]]
    last = [label for label in shown.tolist() if label < len(places) and places[label] == _MOST_STACKED - 1]
    lost = [label for label in counts if not (np.abs(pixels[last] - pixels[label]).max(axis=1, initial=0) < 1).any()]
    return shown[~np.isin(shown, lost)]


def _place_notes(notes: Notes, view: View, text_pass: TextPass, colours: NDArray[np.float32]) -> list[PlacedText]:
    """Return the texts of tools, each on the middle of its line, or beside a line that it would hide."""
    if not notes:
        return []
    pixels, depth = view.camera.project(np.array([[*ends, ends.mean(axis=0)] for _, ends in notes]), *view.size)
    tone, plate = (_rgb(colours[TOKENS.index(name)]) for name in ("measure", "plate"))
    placed = []
    for (text, _), (a, b, middle), away in zip(notes, pixels, depth, strict=True):
        width, height = text_pass.size(text, view.ratio)
        if away[2] > 0:
            x, y = middle + (beside_line(a, b, (width, height), view.ratio) if (away > 0).all() else 0.0)
            placed.append(PlacedText(text, float(x) - width / 2, float(y) - height / 2, tone, (*plate, 0.92)))
    return placed


def _corners(
    pixels: NDArray[np.float64],
    sizes: NDArray[np.float64],
    width: int,
    ratio: float,
    covered: tuple[tuple[float, float, float, float], ...],
) -> NDArray[np.float64]:
    """Return the top left corners (k, 2) of texts beside the points that they belong to."""
    corners: NDArray[np.float64] = pixels + np.array(GAP) * ratio - [0.0, sizes[0, 1] / 2]
    # A caption that would reach beyond the right edge goes to the left of its frame, or where that is covered, to
    # the edge.
    beyond = (corners[:, 0] + sizes[:, 0] > width) & (pixels[:, 0] < width)
    at_left = (pixels - sizes)[:, 0] - GAP[0] * ratio
    is_free = np.ones(len(corners), bool)
    for left, top, wide, tall in covered:
        in_rows = (corners[:, 1] < top + tall) & (corners[:, 1] + sizes[:, 1] > top)
        is_free &= ~(in_rows & (at_left < left + wide) & (at_left + sizes[:, 0] > left))
    corners[beyond, 0] = np.where(is_free, at_left, np.maximum(width - sizes[:, 0], 0))[beyond]
    return corners


def _make_way(
    corners: NDArray[np.float64],
    sizes: NDArray[np.float64],
    pixels: NDArray[np.float64],
    priorities: NDArray[np.float64],
    covered: tuple[tuple[float, float, float, float], ...],
    size: tuple[int, int],
) -> None:
    """Move the names that are always shown to where nothing covers or cuts them; corners (k, 2) change in place."""
    room = np.array(size, np.float64)
    with np.errstate(invalid="ignore"):
        inside = ((pixels >= 0) & (pixels <= room))[: len(corners)].all(axis=1)
        in_part = ((corners + sizes[: len(corners)] > 0) & (corners < room)).all(axis=1)
        inside = np.isfinite(corners).all(axis=1) & (inside | in_part)
    always = np.flatnonzero(inside & (priorities >= _ALWAYS))
    if not len(always) or len(always) > _MOST_MOVED:
        return
    taken = [list(each) for each in covered]
    for label in always[np.argsort(-priorities[always], kind="stable")].tolist():
        corners[label] = np.clip(corners[label], 0.0, np.maximum(room - sizes[label], 0.0))
        if taken:
            corners[label] = clear_of(corners[label], sizes[label], np.array(taken), *size)
        taken.append([*corners[label].tolist(), *sizes[label].tolist()])


def _is_cut(
    pixels: NDArray[np.float64],
    corners: NDArray[np.float64],
    sizes: NDArray[np.float64],
    size: tuple[int, int],
    names: int,
) -> NDArray[np.bool_]:
    """Return which texts (k,) an edge of the picture cuts; a name may be too long for its width, if its frame is in."""
    with np.errstate(invalid="ignore"):
        beyond = (corners < 0) | (corners + sizes > size)
        beyond[:names, 0] &= (pixels[:names, 0] < 0) | (pixels[:names, 0] > size[0])
    return np.asarray(beyond.any(axis=1))


def _mark(text: str, corner: NDArray[np.float64], depth: float, table: Mapping[str, _Colour]) -> PlacedText:
    """Return a metre mark, on the ground."""
    return PlacedText(
        text, float(corner[0]), float(corner[1]), table["grid_major"], (*table["plate"], 0.7), depth=depth
    )


def _name(
    text: str,
    corner: NDArray[np.float64],
    stripe: _Colour,
    is_selected: bool,
    is_hovered: bool,
    table: Mapping[str, _Colour],
) -> PlacedText:
    """Return the name of a frame, with a stripe in the colour of its kind."""
    plate, tone = ("selection", "plate") if is_selected else ("plate", "text")
    opacity = 1.0 if is_selected or is_hovered else 0.78
    x, y = corner.tolist()
    rim = table["hover"] if is_hovered and not is_selected else None
    return PlacedText(text, x, y, table[tone], (*table[plate], opacity), stripe, rim)


def _metre_marks(camera: Camera, height: int, ratio: float) -> tuple[tuple[str, ...], NDArray[np.float64]]:
    grid = grid_for(camera)
    texts, points = grid.marks()
    # Leave out marks where the lines are close together.
    wide = grid.spacing * 10 > 70 * ratio * camera.metres_per_pixel(points, height)
    return tuple(text for text, keep in zip(texts, wide.tolist(), strict=True) if keep), points[wide]


def _ground_depths(
    camera: Camera,
    points: NDArray[np.float64],
    lower_edges: NDArray[np.float64],
    size: tuple[int, int],
    eye_to_clip: NDArray[np.float64],
) -> NDArray[np.float64]:
    """Return the depths (k,) of metre marks at points (k, 3), so that a floor at z = 0 does not cut them in half.

    That is the depth of the ground under the middle of their lower edges, pixels (k, 2).
    """
    feet = points.copy()
    for foot, (x, y) in zip(feet, lower_edges.tolist(), strict=True):
        origin, direction = camera.ray(x, y, *size)
        # From below or beyond the horizon, no floor is in front of the mark.
        if origin[2] > 0 > direction[2]:
            foot[:] = origin - direction * (origin[2] / direction[2])
    from_eye = feet - camera.eye
    clip = from_eye @ eye_to_clip[:3, :3].T + eye_to_clip[:3, 3]
    w = np.ones(len(clip)) if camera.orthographic else np.maximum(-from_eye @ camera.axes[2], 1e-6)
    return np.asarray(clip[:, 2] / w - 1e-4)


def _rgb(colour: NDArray[np.float32]) -> _Colour:
    return float(colour[0]), float(colour[1]), float(colour[2])
