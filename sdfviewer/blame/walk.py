"""Walk back through a history: to the commit that moved a frame, along all that did, and to the one that broke it.

What was found is also described in words and as a diagram.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from xml.sax.saxutils import escape

import numpy as np

from sdfviewer.blame.states import ModelHistory
from sdfviewer.diagnostics import Span
from sdfviewer.display_text import visible
from sdfviewer.files.git import Commit
from sdfviewer.model.explanation import explain_pose
from sdfviewer.model.model import Model
from sdfviewer.number_text import format_shown, in_degrees, in_millimetres
from sdfviewer.transforms import Array, invert, matrix_to_pose, pose_error

#: Metres and radians within which a frame is where it was.
SAME_PLACE = 1e-9


@dataclass(frozen=True, slots=True)
class _Place:
    """A file in a commit, and the rows of its model that are followed."""

    commit: Commit
    path: str
    rows: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class FrameMove:
    """One commit that moved a frame, or made it.

    Attributes
    ----------
    commit
        The commit.
    path
        The file, as it was called then.
    frame
        The scoped name that the frame got or had then.
    pose
        ``x y z roll pitch yaw`` after it, in metres and radians; None where it is undefined.
    metres, radians
        How far it moved; None where it was not there before, or is undefined.
    before
        The scoped name of what it was measured from before, where that is another frame now; else empty.
    is_cut
        Whether nothing is known of the time before, since no earlier version of the file can be read.
    """

    commit: Commit
    path: str
    frame: str
    pose: tuple[float, ...] | None
    metres: float | None
    radians: float | None
    before: str = ""
    is_cut: bool = False

    @property
    def is_new(self) -> bool:
        """Whether the frame was not there before."""
        return self.metres is None and not self.before


@dataclass(frozen=True, slots=True)
class BlamedStep:
    """A step of the chain behind a pose, and what changed it last.

    Attributes
    ----------
    frame, relative_to
        Scoped names of the frame and of what its pose is measured from, empty at the root.
    kind
        What it is.
    span
        Where that is written now.
    last
        The last change of its pose in that frame.
    """

    frame: str
    relative_to: str
    kind: str
    span: Span
    last: FrameMove


@dataclass(frozen=True, slots=True)
class Blame:
    """Who has moved a frame.

    Attributes
    ----------
    frame, base
        Scoped names of the frame and of that in which it is followed.
    steps
        The chain from the root to the frame.
    way
        The commits that moved it in ``base``, the last one first; the last of these is the one that made it.
    unread
        What is not known since earlier versions cannot be read; empty where all can.
    """

    frame: str
    base: str
    steps: tuple[BlamedStep, ...]
    way: tuple[FrameMove, ...]
    unread: str = ""


#: Returns the pose (4, 4) of the first of some rows, in the frame in which it is followed; NaN where it has none.
_Measure = Callable[[Model, Sequence[int]], Array]


def blame_frame(history: ModelHistory, frame: str, base: str = "") -> Blame:
    """Return who has moved a frame.

    Parameters
    ----------
    history
        The history of its file.
    frame
        Its scoped name in the last commit, or in the file on disk.
    base
        The frame in which its way is followed; the root by default.

    Raises
    ------
    UnknownFrameError
        If there is no such frame.
    SdfViewerError
        If the file cannot be read.
    """
    commit = history.commit(history.git.head)
    model = history.last_model()
    row = model.row(frame)
    base_row = model.row(base) if base else 0
    steps = []
    for step in explain_pose(model, row):
        rows = (step.row,) if step.relative_to < 0 else (step.row, step.relative_to)
        last = next(_moves(history, _Place(commit, history.git.path, rows), _in_own_frame))
        relative_to = model.shown_name(step.relative_to) if step.relative_to >= 0 else ""
        name, kind = model.shown_name(step.row), str(model.kinds[step.row])
        steps.append(BlamedStep(name, relative_to, kind, history.on_disk(step.span), last))
    start = _Place(commit, history.git.path, (row, base_row))
    way = tuple(_moves(history, start, _in_base))
    return Blame(model.shown_name(row), model.shown_name(base_row), tuple(steps), way, history.unread)


@dataclass(frozen=True, slots=True)
class BrokenSince:
    """The commit since which something does not hold, with the file and the names of then."""

    commit: Commit
    path: str
    names: tuple[str, ...]


def first_broken(
    history: ModelHistory, names: Sequence[str], is_broken: Callable[[Commit, str, Sequence[str]], bool]
) -> BrokenSince | None:
    """Return the commit that broke what does not hold now; None where it holds.

    Parameters
    ----------
    history
        The history of the file.
    names
        Scoped names in the last commit.
    is_broken
        Returns whether it does not hold in a file of a commit, with the names that they had then.
    """
    commit = history.commit(history.git.head)
    model = history.last_model()
    place = _Place(commit, history.git.path, tuple(model.row(name) for name in names))

    def names_at(at: _Place) -> tuple[str, ...]:
        of_then = history.model(at.commit, at.path)
        assert of_then is not None
        return tuple(of_then.names[row] for row in at.rows)

    def broken(at: _Place) -> bool:
        return is_broken(at.commit, at.path, names_at(at))

    if not broken(place):
        return None
    while (before := next(filter(broken, _before(history, place, len(names))), None)) is not None:
        place = before
    return BrokenSince(place.commit, place.path, names_at(place))


def _in_own_frame(model: Model, rows: Sequence[int]) -> Array:
    X_RF: Array = model.raw_poses[rows[0]]
    return X_RF


def _in_base(model: Model, rows: Sequence[int]) -> Array:
    if rows[1] < 0:  # there was no such frame
        return np.full((4, 4), np.nan)
    X_BF: Array = invert(model.X_RootF[rows[1]]) @ model.X_RootF[rows[0]]
    return X_BF


def _moves(history: ModelHistory, place: _Place, measure: _Measure) -> Iterator[FrameMove]:
    """Yield the commits that changed a pose, the last one first, ending with the one that made the frame."""
    while True:
        now = _value(history, place, measure)
        before = list(_before(history, place))
        values = [_value(history, each, measure) for each in before]
        same = next((each for each, value in zip(before, values, strict=True) if _is_same(value, now)), None)
        if same is not None:
            place = same
            continue
        model = history.model(place.commit, place.path)
        assert model is not None
        X, _ = now
        pose = tuple(matrix_to_pose(X).tolist()) if np.isfinite(X).all() else None
        name = model.shown_name(place.rows[0])
        if not before:
            is_cut = _has_unreadable(history, place)
            yield FrameMove(place.commit, place.path, name, pose, None, None, is_cut=is_cut)
            return
        X_before, reference = values[0]
        if reference:  # how far it moved is known in the root only
            of_then = history.model(before[0].commit, before[0].path)
            assert of_then is not None
            X_before, X = of_then.X_RootF[before[0].rows[0]], model.X_RootF[place.rows[0]]
        moved = [None if np.isnan(each) else float(each) for each in pose_error(X_before, X)]
        yield FrameMove(place.commit, place.path, name, pose, moved[0], moved[1], reference)
        place = before[0]


def _value(history: ModelHistory, place: _Place, measure: _Measure) -> tuple[Array, str]:
    """Return a pose, and the scoped name of what it is measured from where that is not the row that is followed."""
    model = history.model(place.commit, place.path)
    assert model is not None
    X = measure(model, place.rows)
    target = int(model.relative_to[place.rows[0]])
    followed = place.rows[1] if len(place.rows) > 1 else target
    is_other = measure is _in_own_frame and target != followed and target >= 0
    return X, model.shown_name(target) if is_other else ""


def _is_same(a: tuple[Array, str], b: tuple[Array, str]) -> bool:
    if a[1] or b[1]:
        return False
    if not (np.isfinite(a[0]).all() and np.isfinite(b[0]).all()):
        return bool(np.array_equal(a[0], b[0], equal_nan=True))
    return all(float(each) <= SAME_PLACE for each in pose_error(a[0], b[0]))


def _before(history: ModelHistory, place: _Place, needed: int = 1) -> Iterator[_Place]:
    """Yield the same rows in the commits before one; those without the file or the first rows are left out."""
    for commit, path in _readable_before(history, place.commit, place.path):
        rows = [history.row_before(place.commit, place.path, row, commit, path) for row in place.rows]
        if None not in rows[:needed]:
            # What it is measured from may be new: then it was measured from something else.
            yield _Place(commit, path, tuple(-1 if row is None else row for row in rows))


def _has_unreadable(history: ModelHistory, place: _Place) -> bool:
    """Return whether there are earlier versions of a file, none of which can be read."""
    parents = [history.commit(parent) for parent in place.commit.parents]
    paths = {place.path, place.commit.renamed.get(place.path, "")}
    is_there = any(not paths.isdisjoint(parent.files) for parent in parents)
    return is_there and next(_readable_before(history, place.commit, place.path), None) is None


def _readable_before(history: ModelHistory, commit: Commit, path: str) -> Iterator[tuple[Commit, str]]:
    """Yield the commits before one in which the file has a model, with the path that it had; others are skipped."""
    waiting, seen = [(commit, path)], set[str]()
    while waiting:
        after, path_after = waiting.pop(0)
        for parent in after.parents:
            before = history.commit(parent)
            path = path_after if path_after in before.files else after.renamed.get(path_after, "")
            if parent in seen or path not in before.files:
                continue
            seen.add(parent)
            if history.model(before, path) is None:
                waiting.append((before, path))
            else:
                yield before, path


#: Width and height of a panel and the space around it, in pixels.
_WIDTH, _HEIGHT, _LEFT, _TOP, _BETWEEN = 720, 110, 90, 40, 34
#: Lines of x, y, z and of the angles; Okabe and Ito's colours, which colour-blind people can tell apart.
_COLOURS = ("#d55e00", "#009e73", "#0072b2")
_PANELS = ((("x", "y", "z"), "m"), (("roll", "pitch", "yaw"), "rad"))


def plot_way(blame: Blame) -> str:
    """Return an SVG picture of position and orientation over the commits that changed them, the first one left."""
    way = [moved for moved in reversed(blame.way) if moved.pose is not None]
    title = f"{visible(blame.frame)} in {visible(blame.base)}"
    height = _TOP + 2 * (_HEIGHT + _BETWEEN) + 60
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_LEFT + _WIDTH + 70} {height}" '
        'font-family="sans-serif" font-size="12">',
        f"<title>{escape(title)}</title>",
        '<rect width="100%" height="100%" fill="white"/>',
        f'<text x="{_LEFT}" y="20" font-size="14" font-weight="bold">{escape(title)}</text>',
    ]
    for number, (names, unit) in enumerate(_PANELS):
        top = _TOP + number * (_HEIGHT + _BETWEEN)
        values = [(moved.pose or ())[3 * number : 3 * number + 3] for moved in way]
        parts += _panel(values, names, unit, top, way)
    bottom = _TOP + 2 * (_HEIGHT + _BETWEEN) - _BETWEEN
    shown = {0, len(way) - 1} if len(way) > 8 else set(range(len(way)))
    for number, moved in enumerate(way):
        if number in shown:
            x = _x(number, len(way))
            parts.append(
                f'<text x="{x:.1f}" y="{bottom + 18}" text-anchor="middle">{escape(moved.commit.name[:7])}</text>'
                f'<text x="{x:.1f}" y="{bottom + 33}" text-anchor="middle" fill="#555">{moved.commit.date[:10]}</text>'
            )
    return "\n".join([*parts, "</svg>\n"])


def _x(number: int, count: int) -> float:
    return _LEFT + _WIDTH * ((number + 0.5) / count)


def _panel(
    values: Sequence[Sequence[float]], names: Sequence[str], unit: str, top: float, way: Sequence[FrameMove]
) -> list[str]:
    numbers = [value for each in values for value in each]
    low, high = min(numbers, default=0.0), max(numbers, default=0.0)
    span = high - low or 1.0
    parts = [
        f'<rect x="{_LEFT}" y="{top}" width="{_WIDTH}" height="{_HEIGHT}" fill="none" stroke="#999"/>',
        f'<text x="{_LEFT - 8}" y="{top + 12}" text-anchor="end">{format_shown(high)} {unit}</text>',
        f'<text x="{_LEFT - 8}" y="{top + _HEIGHT}" text-anchor="end">{format_shown(low)} {unit}</text>',
    ]
    for axis, name in enumerate(names):
        places = [
            (_x(number, len(values)), top + 8 + (_HEIGHT - 16) * (high - each[axis]) / span)
            for number, each in enumerate(values)
        ]
        colour = _COLOURS[axis]
        line = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
        parts.append(f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-width="1.5"/>')
        for (x, y), each, moved in zip(places, values, way, strict=True):
            commit = moved.commit
            hint = (
                f"{name} = {format_shown(each[axis])} {unit}, {commit.name} {commit.date[:10]} {visible(commit.author)}"
            )
            parts.append(
                f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}">'
                f"<title>{escape(hint)}: {escape(visible(commit.subject))}</title></circle>"
            )
        parts.append(f'<text x="{_LEFT + _WIDTH + 8}" y="{top + 20 + 18 * axis}" fill="{colour}">{name}</text>')
    return parts


def describe_move(move: FrameMove) -> str:
    """Return how far a commit moved a frame, in millimetres and degrees."""
    if move.is_cut:
        return "in the first version that can be read"
    if move.is_new:
        return "made here"
    if move.before:
        where = f"measured from {move.before} before"
        return where if move.metres is None else f"{where}; {_distance(move)}"
    return _distance(move)


def _distance(move: FrameMove) -> str:
    if move.metres is None or move.radians is None:
        return "its pose was or is undefined"
    return f"{in_millimetres(move.metres)}, {in_degrees(move.radians)}"


def describe_commit(commit: Commit) -> str:
    """Return a commit in a line: its hash, date, author and subject."""
    return "  ".join(filter(None, (commit.name, commit.date[:10], commit.author, commit.subject)))
