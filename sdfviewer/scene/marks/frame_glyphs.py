"""Frames of a model as triads, labels and edges: which are shown, and what connects them."""

from __future__ import annotations

import math
from dataclasses import replace
from enum import Enum
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from sdfviewer import transforms
from sdfviewer.display_text import visible
from sdfviewer.model.kinds import Kind
from sdfviewer.palette import TOKENS
from sdfviewer.scene.nodes import Floats, Labels, Lines, ParentSides, Stroke, Triads

if TYPE_CHECKING:
    from sdfviewer.model.model import Model

_PRIORITIES = {Kind.MODEL: 4.0, Kind.WORLD: 4.0, Kind.FRAME: 3.0, Kind.LINK: 2.5, Kind.JOINT: 2.0}
_CANONICAL = 3.5
"""Priority of the label of a canonical link."""
_PARENT_SIDE_PRIORITY = 1.5
_PARENT_SIDE = 0.06
"""Length in metres of the axes of a Jp that differs from its Jc."""


_CROWD_CELL = 56.0
_SMALLEST = 0.22
"""Of its full size, what a triad keeps in the densest crowd."""


class Edges(str, Enum):
    """Which graph's edges are drawn in space, from a frame to what it names."""

    RELATIVE_TO = "relative_to"
    ATTACHED_TO = "attached_to"


def choose_rows(
    model: Model, kinds: frozenset[str], name: str = "", within: frozenset[str] = frozenset()
) -> NDArray[np.bool_]:
    """Return the mask (n,) of rows of some kinds whose scoped name holds `name`, inside some models.

    `within` are scoped names of models; empty means all. Upper and lower case are alike.
    """
    mask = model.kinds_are(*(kind for kind in Kind if kind.value in kinds))
    if name:
        wanted = name.lower()
        mask &= np.array([wanted in scoped.lower() for scoped in model.names], bool)
    if within:
        prefixes = tuple(f"{top}::" for top in within)
        mask &= np.array([scoped in within or scoped.startswith(prefixes) for scoped in model.names], bool)
    return mask


def row_tokens(model: Model) -> NDArray[np.int32]:
    """Return the colour of each row (n,) as its place in `palette.TOKENS`."""
    tokens = np.array([TOKENS.index(kind.value) if kind.value in TOKENS else -1 for kind in Kind], np.int32)
    return tokens[model.kind_numbers]


def build_triads(model: Model, rows: NDArray[np.bool_]) -> Triads:
    """Return the triads of the rows in a mask; frames whose pose is unknown have none."""
    chosen = np.nonzero(rows & model.is_resolved)[0]
    return Triads(chosen.astype(np.int32), row_tokens(model)[chosen])


def build_labels(model: Model, triads: Triads, sides: ParentSides) -> Labels:
    """Return a label with the name of each triad, with its model where others are called the same.

    A joint whose Jp is shown too is marked as its Jc.
    """
    rows = triads.rows
    texts = [*map(model.distinct_names.__getitem__, rows.tolist())]
    if not all(texts):
        texts = [text or model.label(row) for text, row in zip(texts, rows.tolist(), strict=True)]
    if not "".join(texts).isprintable():  # asked once: there may be tens of thousands
        texts = [visible(text) for text in texts]
    for glyph in np.flatnonzero(np.isin(rows, sides.joints)).tolist():
        texts[glyph] += " (Jc)"
    priorities = np.array([_PRIORITIES.get(kind, 1.0) for kind in Kind])[model.kind_numbers]
    priorities[list(model.canonical_links.values())] = _CANONICAL
    return Labels(rows, tuple(texts), triads.tokens, priorities[rows], np.zeros((len(rows), 3)))


def build_labels_at(model: Model, triads: Triads, X_RootF: Floats) -> Labels:
    """Return a label for each triad, at other poses (n, 4, 4) than the rows have in the model."""
    labels = build_labels(model, triads, ParentSides())
    root = np.zeros(len(labels.rows), np.int32)
    return replace(labels, rows=root, offsets=X_RootF[labels.rows, :3, 3], owners=labels.rows)


def build_edges(model: Model, triads: Triads, edges: Edges) -> Lines:
    """Return a line with an arrow from each shown frame to what it names; dashed where that is not written."""
    targets, written = (
        (model.relative_to, model.relative_to_written)
        if edges is Edges.RELATIVE_TO
        else (model.attached_to, model.attached_to_written)
    )
    rows = triads.rows[targets[triads.rows] >= 0]
    implied = np.array([written[row] is None for row in rows.tolist()], bool)
    return Lines(
        np.stack([rows, targets[rows]], axis=1).astype(np.int32),
        np.zeros((len(rows), 2, 3)),
        row_tokens(model)[rows],
        np.where(implied, Stroke.DASHED_ARROW.value, Stroke.ARROW.value).astype(np.int32),
        rows.astype(np.int32),
        np.zeros(len(rows), bool),
    )


def build_canonical_links(model: Model, triads: Triads) -> Lines:
    """Return a dashed line from each shown model's frame to its canonical link, where they stand apart."""
    links = model.canonical_links
    pairs = np.array([(row, links[row]) for row in triads.rows.tolist() if row in links], np.int32).reshape(-1, 2)
    X_RootM, X_RootL = model.X_RootF[pairs[:, 0]], model.X_RootF[pairs[:, 1]]
    pairs = pairs[~np.isclose(X_RootM, X_RootL, atol=1e-9).all(axis=(1, 2))]
    k = len(pairs)
    return Lines(
        pairs,
        np.zeros((k, 2, 3)),
        np.full(k, TOKENS.index("model"), np.int32),
        np.full(k, Stroke.DASHED.value, np.int32),
        pairs[:, 0],
        np.zeros(k, bool),
    )


def find_parent_sides(model: Model, rows: NDArray[np.bool_]) -> ParentSides:
    """Return the parent sides Jp of the joints in a mask (n,), as far as their poses are known."""
    joints, parents, poses = [], [], []
    for joint in model.joints:
        if not rows[joint.row] or joint.child < 0 or joint.parent < 0:
            continue
        X_PJp = transforms.invert(model.X_RootF[joint.parent]) @ model.X_RootF[joint.row]
        if np.isfinite(X_PJp).all():
            joints.append(joint.row)
            parents.append(joint.parent)
            poses.append(X_PJp)
    return ParentSides(np.array(joints, np.int32), np.array(parents, np.int32), np.array(poses).reshape(-1, 4, 4))


def label_parent_sides(model: Model, sides: ParentSides) -> Labels:
    """Return a label for each Jp, which is marked with its joint."""
    k = len(sides.joints)
    return Labels(
        sides.parents,
        tuple(f"{visible(model.distinct_names[row])} (Jp)" for row in sides.joints.tolist()),
        np.full(k, TOKENS.index("joint"), np.int32),
        np.full(k, _PARENT_SIDE_PRIORITY),
        sides.X_PJp[:, :3, 3],
        sides.joints,
    )


def build_parent_sides(sides: ParentSides) -> Lines:
    """Return, for each joint, the triad of Jp riding with the parent and a dashed line from it to Jc.

    At the initial positions, where Jp and Jc are the same, the line has no length; when the joint moves, or closes a
    loop that does not close, it shows how far they are apart.
    """
    parts = []
    colours = [TOKENS.index(axis) for axis in ("axis_x", "axis_y", "axis_z")]
    joint_token = TOKENS.index("joint")
    for joint, parent, X_PJp in zip(sides.joints.tolist(), sides.parents.tolist(), sides.X_PJp, strict=True):
        origin = X_PJp[:3, 3]
        points: Floats = np.zeros((4, 2, 3))
        points[:, 0] = origin
        points[:3, 1] = origin + _PARENT_SIDE * X_PJp[:3, :3].T
        ends = np.full((4, 2), parent, np.int32)
        ends[3, 1] = joint
        strokes = np.array([Stroke.SOLID.value] * 3 + [Stroke.DASHED.value], np.int32)
        tokens = np.array([*colours, joint_token], np.int32)
        parts.append(Lines(ends, points, tokens, strokes, np.full(4, joint, np.int32), np.zeros(4, bool)))
    return Lines.concatenate(parts)


def crowding(pixels: Floats, width: float, height: float, ratio: float = 1.0) -> float:
    """Return by how much triads at some pixels (k, 2) should shrink so that they do not become a heap: 0.22 to 1.

    It is one factor for the whole picture, so that sizes stay comparable. Frames in one place count once.
    """
    # A few thousand are enough to estimate the density.
    stride = 1 + len(pixels) // 4096
    x, y = pixels[::stride, 0], pixels[::stride, 1]
    with np.errstate(invalid="ignore"):
        inside = (x >= 0) & (y >= 0) & (x < width) & (y < height)
    if not inside.any():
        return 1.0
    taken = np.zeros((int(height / (3 * ratio)) + 1, int(width / (3 * ratio)) + 1), bool)
    taken[(y[inside] / (3 * ratio)).astype(np.intp), (x[inside] / (3 * ratio)).astype(np.intp)] = True
    rows, columns = np.nonzero(taken)
    per_cell = _CROWD_CELL / 3
    counts = np.bincount((rows // per_cell).astype(np.intp) * taken.shape[1] + (columns // per_cell).astype(np.intp))
    # How many share the cell of a typical frame.
    typical = stride * float(counts @ counts) / len(rows)
    return min(max(1.25 / math.sqrt(typical), _SMALLEST), 1.0)
