"""What a history says of a frame, in words and as a diagram."""

from __future__ import annotations

from collections.abc import Sequence
from xml.sax.saxutils import escape

from sdfviewer.blame.walk import Blame, FrameMove
from sdfviewer.display_text import visible
from sdfviewer.files.git import Commit
from sdfviewer.number_text import format_shown, in_degrees, in_millimetres

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
