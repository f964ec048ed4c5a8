"""Captions: names beside frames, and metre marks on the grid."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from sdfviewer.computed import Last, first_difference
from sdfviewer.palette import TOKENS
from sdfviewer.render.overlays import crossed, metre_marks, partly_hidden
from sdfviewer.render.texts import PlacedText, Targets, TextLayout, TextPass, rgb
from sdfviewer.render.view import Highlight, Look, View
from sdfviewer.scene.camera import Camera
from sdfviewer.scene.glyph_sizes import mask_of
from sdfviewer.scene.labels import (
    ALWAYS,
    Stacks,
    beside_line,
    beside_points,
    close_holes,
    declutter,
    is_cut,
    leader_lines,
    make_way,
    name_parts,
    stack,
    step_aside,
)
from sdfviewer.scene.marks import label_totals
from sdfviewer.scene.nodes import Labels
from sdfviewer.scene.scene import Scene, names_rows
from sdfviewer.scene.shapes2d import Shapes
from sdfviewer.scene.view_cube import cube_rectangle

#: Texts of tools, and the lines (2, 3) in root coordinates, from end to end, to which they belong.
Notes: TypeAlias = tuple[tuple[str, NDArray[np.float64]], ...]

_ROOM = (1.4, 5.0)
"""Width and height that a label takes in a dense picture, unless its frame matters now, as multiples of its own."""
_STACK_GAP, _MOST_STACKED = 5.0, 3
"""Pixels between the labels of frames in one place, and how many of more than one more are named."""

_STAYS = 15.0
"""How much more a name matters that is shown also without the mouse than one that is shown because it is near."""
_BY_PLACE = 1e-4
"""How much of its priority a label loses from a place in its stack to the next."""

_MOST_BESIDE, _MOST_OUTLINED = 40, 500
"""So many names go beside a robot that they would cover, and so many surfaces it may have."""
_DRAWN = 15.0
"""How much sooner those of a chain are named that have axes."""
_AWAY = 14.0
"""Pixels from a frame to a name that has moved, from which on a line joins them."""
_AWAY_AT_LEFT = 4.0
"""The same for a name that ends before its frame."""
_FAR = 80.0
"""Pixels from a frame to its name beyond which one looks for the frame: such a name is over the robot or left out."""

_MARKER = 4.0
"""Margin in pixels around the selection that names keep clear of; the selection's own name begins beyond it."""
_MOST_MARKED = 12
"""Maximum number of selected frames with such a margin."""

_JOINT = TOKENS.index("joint")

_NOBODY = Labels()

_MARK_SHIFT = 12.0
"""Pixels by which metre marks stand farther left and lower than names."""


class Captions:
    """Places texts from picture to picture; remembers what it showed, so that nothing flickers.

    Attributes
    ----------
    targets
        The names that the mouse can point at.
    leaders
        Lines from names to the frames from which they had to move away.
    """

    def __init__(self) -> None:
        self.targets = Targets()
        self.leaders = Shapes()
        self._outline, self._stacked, self._lifted = Last[NDArray[np.float64]](), Last[Stacks](), Last[Stacks]()
        self._joined, self._named = Last[Labels](), Last[Labels]()
        self._hidden_marks = Last[NDArray[np.bool_]]()
        self._shown = np.zeros(0, bool)
        self._seen_from: tuple[Camera, NDArray[np.float64]] | None = None
        self._moves = False
        self._scene: Scene | None = None
        self._placed_for: tuple[object, ...] = ()
        self._placed: tuple[list[PlacedText], list[PlacedText]] = ([], [])
        self._on_ground_for: tuple[object, ...] = (None,) * 6
        self._on_ground: list[PlacedText] = []
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
        ghost: Scene | None = None,
    ) -> tuple[list[PlacedText], list[PlacedText]]:
        """Return the metre marks of a picture, which surfaces hide, and the names, as many as there is room for.

        A `ghost` of the same model names what the scene has no place for.
        The same picture again gives the same lists.
        """
        # Arrays have no truth value: lines are compared as bytes.
        key = (look, highlight, view, dense, ghost, tuple((text, line.tobytes()) for text, line in notes))
        if key != self._placed_for or self._scene is not scene or self._moves:
            self._placed_for, self._scene = key, scene
            seen_from = (view.camera, scene.X_RootF)
            before, self._seen_from = self._seen_from, seen_from
            # Once nothing moves, names are where they would be had nothing ever moved.
            self._moves = before is not None and (
                view.draft or before[0] != seen_from[0] or before[1] is not seen_from[1]
            )
            said = _place_notes(notes, view, text_pass, colours)
            taken = tuple((each.x, each.y, *text_pass.size(each.text, view.ratio)) for each in said)
            view = replace(view, covered=(*view.covered, *taken))  # names leave them free
            on_ground, names = self._place(scene, look, highlight, view, text_pass, colours, eye_to_clip, dense, ghost)
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
        ghost: Scene | None,
    ) -> tuple[list[PlacedText], list[PlacedText]]:
        labels, kept = self._labels(scene, ghost, highlight.selected), self._shown if self._moves else None
        resting = None
        without_mouse = replace(highlight, hovered=None, detailed=frozenset())
        if highlight != without_mouse and not self._moves:
            # What is shown anyway stays under the mouse, so that one can point at it.
            resting = self._arrange(scene, labels, look, without_mouse, view, text_pass, dense)
        arranged = self._arrange(scene, labels, look, highlight, view, text_pass, dense, kept, resting)
        self._shown = arranged.is_shown
        self.targets = arranged.targets(labels, resting)
        self.leaders = arranged.leader_shapes(labels, colours, view.ratio)
        on_ground, names = arranged.written(labels, colours, view, eye_to_clip)
        # The surfaces are kept with the marks among them: another mark under the mouse would draw all of them again.
        on_ground_for = (scene, ghost, look, without_mouse, replace(view, covered=()), dense)
        if resting is None or on_ground_for != self._on_ground_for:
            if resting is not None:
                on_ground = resting.written(labels, colours, view, eye_to_clip)[0]
            self._on_ground_for, self._on_ground = on_ground_for, on_ground
        return self._on_ground, names

    def _arrange(
        self,
        scene: Scene,
        labels: Labels,
        look: Look,
        highlight: Highlight,
        view: View,
        text_pass: TextPass,
        dense: bool,
        kept: NDArray[np.bool_] | None = None,
        resting: TextLayout | None = None,
    ) -> TextLayout:
        """Choose and place the texts of a picture.

        Of equal ones those that are `kept` win; those that are shown at rest win over all but what matters now.
        """
        camera, ratio, (width, height) = view.camera, view.ratio, view.size
        rows = labels.rows if look.labels else labels.rows[:0]
        X_all = scene.X_RootF
        X = X_all[rows]
        anchors = np.einsum("kij,kj->ki", X[:, :3, :3], labels.offsets[: len(rows)]) + X[:, :3, 3]
        marks, points = metre_marks(scene, camera, height, ratio) if look.grid else ((), np.zeros((0, 3)))
        names = labels.texts[: len(rows)]
        if not names + marks:
            return TextLayout()
        owners = labels.owners[: len(rows)]
        selected, chain, hovered, foremost = (
            np.isin(owners, list(each)) for each in (*highlight.marked, highlight.named_first)
        )
        matters = selected | chain | hovered
        stacks = self._stack(scene, anchors, labels, selected | chain | foremost, hovered)
        places, counts = stacks.places, stacks.counts
        is_left_out = (counts > _MOST_STACKED + 1) & (places >= _MOST_STACKED) & ~(matters | foremost)
        is_count = is_left_out & (places == _MOST_STACKED)
        # How wide a count is; how many it counts is known once it is known what is shown.
        names = _with_counts(names, {k: counts[k] - _MOST_STACKED for k in np.flatnonzero(is_count).tolist()})
        pixels, depth = camera.project(np.concatenate([anchors, points]), width, height)
        # The names stay the same from picture to picture; the metre marks, which are few, change with the camera.
        sizes = np.concatenate([self._sizes(text_pass, names, ratio), text_pass.sizes(marks, ratio)])
        corners = beside_points(pixels, sizes, width, ratio, view.covered)
        corners[~(depth > 0)] = np.nan
        on_ground = corners[len(rows) :]
        on_ground += np.array([-_MARK_SHIFT, _MARK_SHIFT]) * ratio
        on_ground[self._unreadable(scene, look, highlight, view, points, on_ground, sizes[len(rows) :], dense)] = np.nan
        is_unnamed = _is_left_out(scene, labels.tokens[: len(rows)], look, highlight, selected | chain)
        is_hidden = (_cut_away(scene, anchors) & ~(selected | hovered)) | (is_unnamed & ~matters)
        corners[: len(rows)][is_hidden | (is_left_out & (places > _MOST_STACKED))] = np.nan
        corners[: len(rows), 1] += places * (sizes[0, 1] + _STACK_GAP)
        if highlight.named is not None:
            corners[: len(rows)][~(np.isin(owners, list(highlight.named)) | selected | hovered)] = np.nan
        attended = foremost | mask_of(highlight.attended if dense else highlight.errors, len(X_all))[owners]
        own = labels.priorities[: len(rows)] + 50 * (hovered | foremost) + 100 * selected + 20 * chain
        own += 10 * (attended & ~matters) + _DRAWN * np.isin(owners, list(highlight.drawn or ())) - _BY_PLACE * places
        # Names take precedence over metre marks.
        priorities = np.concatenate([own, np.full(len(marks), -1.0)])
        # Of equal names the nearer one is shown. How near is not counted from the others: two views of two models name
        # the same frames.
        away = np.maximum(depth, 0.0)
        priorities -= 0.4 * away / (away + camera.distance)
        claimed = sizes.copy()
        if dense and look.declutter:
            # Keep the captions of other frames apart.
            claimed[: len(rows)][~attended] *= _ROOM
            corners[: len(rows)][~attended & (places > 0)] = np.nan
        corners[is_cut(pixels, corners, sizes, (width, height), len(rows)) & (priorities < ALWAYS)] = np.nan
        if resting is not None:
            priorities += np.where(resting.is_shown & (priorities < ALWAYS), _STAYS, 0.0)
        before = corners.copy()
        free = (*_covered(look, view), *_markers(pixels[: len(rows)][selected | foremost], ratio))
        shown = self._choose(corners, sizes, claimed, pixels, priorities, stacks, is_count, free, view, kept)
        shown, is_beside = self._step_aside(
            scene, corners, sizes, shown, pixels, priorities, stacks, is_count, look, view, resting
        )
        leaders = _leaders(pixels, before, corners, sizes, shown[shown < len(rows)], stacks, ratio, all_moved=is_beside)
        names = _with_counts(names, missing := _count_missing(shown, stacks, is_count, is_hidden))
        sizes[[*missing]] = text_pass.sizes([names[label] for label in missing], ratio)
        return TextLayout(names + marks, corners, sizes, shown, selected, hovered, is_count, points, leaders)

    def _unreadable(
        self,
        scene: Scene,
        look: Look,
        highlight: Highlight,
        view: View,
        points: NDArray[np.float64],
        corners: NDArray[np.float64],
        sizes: NDArray[np.float64],
        dense: bool,
    ) -> NDArray[np.bool_]:
        """Return which metre marks (k,) something covers in part, as `partly_hidden` and `crossed` describe them."""
        # Neither the mouse nor the selection changes what surfaces hide.
        inputs = (scene, view.camera, *view.size, corners.tobytes(), sizes.tobytes())
        hidden = self._hidden_marks.of(
            inputs, lambda: partly_hidden(scene, view.camera, points, corners, sizes, view.size)
        )
        return hidden | crossed(scene, look, view, corners, sizes, highlight.with_axes(scene, dense=dense))

    def _step_aside(
        self,
        scene: Scene,
        corners: NDArray[np.float64],
        sizes: NDArray[np.float64],
        shown: NDArray[np.intp],
        pixels: NDArray[np.float64],
        priorities: NDArray[np.float64],
        stacks: Stacks,
        is_count: NDArray[np.bool_],
        look: Look,
        view: View,
        resting: TextLayout | None,
    ) -> tuple[NDArray[np.intp], bool]:
        """Move names beside a robot much of which they would cover; return which texts are shown, and if they moved."""
        names = shown[shown < len(is_count)]
        if not 0 < len(names) <= _MOST_BESIDE or len(scene.surfaces) > _MOST_OUTLINED:
            return shown, False
        # What is at rest too chooses first, so that nothing moves under the mouse; what is in the middle of the robot
        # chooses last, so that lines seldom cross.
        is_new = np.zeros(len(names), bool) if resting is None else ~resting.is_shown[names]
        left, top, *room = body = self._body(scene, view)
        from_edge = np.abs(np.abs(pixels[names] - (left, top) - np.array(room) / 2) - np.array(room) / 2).min(axis=1)
        order = np.lexsort((corners[names, 1], from_edge, is_new))
        blocks: dict[tuple[int, bool], list[int]] = {}
        for label, new in zip(names[order].tolist(), is_new[order].tolist(), strict=True):
            blocks.setdefault((int(stacks.heads[label]), new), []).append(label)
        chosen = [sorted(block, key=stacks.places.__getitem__) for block in blocks.values()]
        covered, step = _covered(look, view), float(sizes[0, 1]) + _STACK_GAP
        important, farthest = priorities >= ALWAYS, _FAR * view.ratio
        if not step_aside(corners, sizes, chosen, pixels, body, covered, view.size, step, important, farthest):
            return shown, False
        corners[np.setdiff1d(np.arange(len(corners)), shown)] = np.nan
        return declutter(corners, sizes, priorities, view.width, view.height, None, covered), True

    def _body(self, scene: Scene, view: View) -> tuple[float, float, float, float]:
        """Return left, top, width and height of the rectangle around what a scene shows."""
        pixels, depth = view.camera.project(self._outline.of((scene,), scene.outline), *view.size)
        pixels = np.clip(pixels[depth > 0], 0.0, view.size)
        if not len(pixels):
            return 0.0, 0.0, 0.0, 0.0
        (left, top), (right, bottom) = pixels.min(axis=0).tolist(), pixels.max(axis=0).tolist()
        return left, top, right - left, bottom - top

    def _choose(
        self,
        corners: NDArray[np.float64],
        sizes: NDArray[np.float64],
        claimed: NDArray[np.float64],
        pixels: NDArray[np.float64],
        priorities: NDArray[np.float64],
        stacks: Stacks,
        is_count: NDArray[np.bool_],
        reserved: tuple[tuple[float, float, float, float], ...],
        view: View,
        kept: NDArray[np.bool_] | None,
    ) -> NDArray[np.intp]:
        """Return which texts are shown, the most important first, and move them to where they cover no other."""
        names, before = len(is_count), corners[: len(is_count)].copy()
        make_way(corners[:names], sizes, pixels, priorities[:names], reserved, view.size)
        has_moved = np.asarray((corners[:names] != before).any(axis=1))
        kept = kept if kept is not None and len(kept) == len(corners) else None
        choose = partial(declutter, corners, claimed, priorities, view.width, view.height, kept, reserved)
        shown = _below_names(chosen := choose(), pixels, stacks.places, is_count)
        if len(shown) < len(chosen):
            # What the counts that are left out have covered has room now.
            corners[np.setdiff1d(chosen, shown)] = np.nan
            shown = _below_names(choose(), pixels, stacks.places, is_count)
        close_holes(corners, sizes, shown, stacks, sizes[0, 1] + _STACK_GAP, has_moved, reserved)
        return shown

    def _labels(self, scene: Scene, ghost: Scene | None, selected: frozenset[int]) -> Labels:
        """Return the labels of a scene and of a ghost, of selected parts, and of the centres of mass of models."""
        parts = self._parts(scene, selected)
        if not len(scene.centres.rows) and not names_rows(ghost) and not len(parts.rows):
            return scene.labels

        def joined() -> Labels:
            labels = scene.labels if ghost is None else scene.labels.joined(ghost.labels)
            labels = labels.joined(parts)
            if len(scene.centres.rows):
                labels = labels.joined(label_totals(scene.centres.totals(scene.X_RootF), scene.names))
            return labels

        return self._joined.of((scene.labels, parts, scene.centres, scene.X_RootF, ghost), joined)

    def _parts(self, scene: Scene, selected: frozenset[int]) -> Labels:
        """Return the names of what is selected and is not a frame, where frames have names."""
        if not selected or not len(scene.labels.rows):
            return _NOBODY
        inputs = (scene.labels, scene.surfaces, scene.lines, selected)
        return self._named.of(inputs, lambda: name_parts(scene, selected))

    def _stack(
        self,
        scene: Scene,
        anchors: NDArray[np.float64],
        labels: Labels,
        matters: NDArray[np.bool_],
        hovered: NDArray[np.bool_],
    ) -> Stacks:
        """Return the stacks of frames in one place.

        What matters now comes first where it would be left out; what is hovered only if it would still be, so that a
        stack does not change under the mouse.
        """
        priorities = labels.priorities[: len(anchors)]
        resting = self._stacked.of((scene.X_RootF, labels, len(anchors)), lambda: stack(anchors, priorities))
        stacks = resting
        for lifted in (matters, matters | hovered):
            if (lifted & (stacks.places >= _MOST_STACKED)).any():
                first = partial(stack, anchors, priorities + 1000.0 * lifted)
                stacks = self._lifted.of((resting, lifted.tobytes()), first)
        return stacks

    def _sizes(self, text_pass: TextPass, names: tuple[str, ...], ratio: float) -> NDArray[np.float64]:
        known = self._measured
        if known is None or known[0] != ratio:
            known = self._measured = (ratio, names, text_pass.sizes(names, ratio))
        if known[1] != names:  # what is selected now may have a name at the end
            same = first_difference(known[1], names)
            sizes = np.concatenate([known[2][:same], text_pass.sizes(names[same:], ratio)])
            known = self._measured = (ratio, names, sizes)
        return known[2]


def _covered(look: Look, view: View) -> tuple[tuple[float, float, float, float], ...]:
    """Return left, top, width and height of all that lies over the picture."""
    left, top, side = cube_rectangle(view.width, view.ratio)
    return (*view.covered, (left, top, side, side)) if look.view_cube else view.covered


def _markers(pixels: NDArray[np.float64], ratio: float) -> tuple[tuple[float, float, float, float], ...]:
    """Return the squares of the marks on what is selected or comes first, at pixels (k, 2), where that is not much."""
    inside, side = pixels[np.isfinite(pixels).all(axis=1)], 2 * _MARKER * ratio
    corners = inside[:_MOST_MARKED] - side / 2
    return tuple((x, y, side, side) for x, y in corners.tolist())


def _cut_away(scene: Scene, anchors: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Return which frames (k,) a section hides; the totals of models, which come last, stay."""
    is_frame = np.arange(len(anchors)) < len(scene.labels.rows)
    return np.asarray(is_frame & ~scene.keeps(anchors))


def _is_left_out(
    scene: Scene, tokens: NDArray[np.int32], look: Look, highlight: Highlight, chain: NDArray[np.bool_]
) -> NDArray[np.bool_]:
    """Return which frames (k,) the switches of the view name only where they matter."""
    if highlight.only_chain and chain.any():
        return np.ones(len(tokens), bool)
    is_drawn = look.joints or len(scene.parent_sides.joints) > 0  # only what is drawn is named
    return np.zeros(len(tokens), bool) if is_drawn else np.asarray(tokens == _JOINT)


def _leaders(
    pixels: NDArray[np.float64],
    before: NDArray[np.float64],
    corners: NDArray[np.float64],
    sizes: NDArray[np.float64],
    names: NDArray[np.intp],
    stacks: Stacks,
    ratio: float,
    *,
    all_moved: bool,
) -> dict[int, NDArray[np.float64]]:
    """Return lines (2, 2) from frames to names that are shown away from them, to the nearest of those below each other.

    Unless all have moved away, a name may move up in its stack.
    """
    across, down = (corners[names] != before[names]).T
    moved = names[across | (down & (all_moved | (stacks.places[names] == 0)))]
    lines = leader_lines(pixels[moved], corners[moved], sizes[moved])
    lengths = np.hypot(*(lines[:, 1] - lines[:, 0]).T)
    nearest: dict[tuple[int, float], int] = {}
    for k in np.argsort(lengths, kind="stable").tolist():
        nearest.setdefault((int(stacks.heads[moved[k]]), float(corners[moved[k], 0])), k)
    # A name at the left has its coloured edge away from its frame.
    is_left = corners[moved, 0] + sizes[moved, 0] / 2 < pixels[moved, 0]
    near = np.where(is_left, _AWAY_AT_LEFT, _AWAY) * ratio
    return {int(moved[k]): lines[k] for k in nearest.values() if lengths[k] > near[k]}


def _with_counts(texts: tuple[str, ...], missing: Mapping[int, int]) -> tuple[str, ...]:
    """Return the texts with the numbers of names that are left out in place of some of them."""
    if not missing:
        return texts
    changed = list(texts)
    for label, count in missing.items():
        changed[label] = f"+{count} more"
    return tuple(changed)


def _count_missing(
    shown: NDArray[np.intp], stacks: Stacks, is_count: NDArray[np.bool_], is_hidden: NDArray[np.bool_]
) -> dict[int, int]:
    """Return for the counts that are drawn how many names of their places are not, of frames that are in sight."""
    names = shown[shown < len(is_count)]
    written = stacks.heads[names[~is_count[names]]]
    in_sight = stacks.heads[~is_hidden]
    return {
        label: int((in_sight == stacks.heads[label]).sum() - (written == stacks.heads[label]).sum())
        for label in names[is_count[names]].tolist()
    }


def _below_names(
    shown: NDArray[np.intp], pixels: NDArray[np.float64], places: NDArray[np.intp], is_count: NDArray[np.bool_]
) -> NDArray[np.intp]:
    """Return which labels to draw without the counts above which the last name of their stack is not drawn."""
    counts = [label for label in shown.tolist() if label < len(is_count) and is_count[label]]
    last = [label for label in shown.tolist() if label < len(places) and places[label] == _MOST_STACKED - 1]
    lost = [label for label in counts if not (np.abs(pixels[last] - pixels[label]).max(axis=1, initial=0) < 1).any()]
    return shown[~np.isin(shown, lost)]


def _place_notes(notes: Notes, view: View, text_pass: TextPass, colours: NDArray[np.float32]) -> list[PlacedText]:
    """Return the texts of tools, each beside the middle of its line."""
    if not notes:
        return []
    pixels, depth = view.camera.project(np.array([[*ends, ends.mean(axis=0)] for _, ends in notes]), *view.size)
    tone, plate = (rgb(colours[TOKENS.index(name)]) for name in ("measure", "plate"))
    placed = []
    for (text, _), (a, b, middle), away in zip(notes, pixels, depth, strict=True):
        width, height = text_pass.size(text, view.ratio)
        if away[2] > 0:
            x, y = middle + (beside_line(a, b, (width, height), view.ratio) if (away > 0).all() else 0.0)
            placed.append(PlacedText(text, float(x) - width / 2, float(y) - height / 2, tone, (*plate, 0.92)))
    return placed
