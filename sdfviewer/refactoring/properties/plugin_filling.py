"""What a new plugin gets from the model that it is added to: names of joints and links, sizes of wheels."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from sdfviewer.document.xml.parse import escape
from sdfviewer.formats.contents import read_plugins, read_shape
from sdfviewer.model.joints import Joint
from sdfviewer.model.kinds import Kind
from sdfviewer.model.model import Model
from sdfviewer.model.plugin_catalogue import KnownPlugin, PluginParameter, known_plugin
from sdfviewer.transforms import Array

_WORD = re.compile(r"[A-Z]?[a-z0-9]+|[A-Z]+")
#: Words of a tag that do not say which joint or link is meant.
_ANY = frozenset({"joint", "joints", "link", "links", "name", "names"})
_SAME = {"back": "rear"}
_DIRECTIONS = ("ccw", "cw")
_TURNING = frozenset({"revolute", "continuous"})
_MOVING = _TURNING | {"prismatic", "screw"}
_DIGITS = 6


@dataclass
class Filled:
    """What is written in a new plugin.

    Attributes
    ----------
    texts
        The texts of the parameters by their paths, several for one that is repeated, in the order of the catalogue.
    missing
        The paths of parameters that it does nothing without, and that the model does not give.
    """

    texts: dict[str, tuple[str, ...]] = field(default_factory=dict)
    missing: tuple[str, ...] = ()

    @property
    def notes(self) -> tuple[str, ...]:
        """Sentences about both."""
        found = ", ".join(f"{path} {' '.join(texts)}" for path, texts in self.texts.items())
        missing = f"still to be written: {', '.join(self.missing)}" if self.missing else ""
        return tuple(filter(None, (found and f"from the model: {found}", missing)))


def fill_plugins(model: Model, owner: int, known: KnownPlugin, selected: Sequence[int]) -> list[Filled]:
    """Return what each of the plugins gets that are added to a model.

    A parameter whose tag has words of its own, ``left_joint``, gets the joints whose names have them. Any other one,
    ``jointName``, gets the selected joint or link: where several are selected, each gets a plugin of its own.

    Parameters
    ----------
    owner
        Row of the model, world, sensor or visual that holds it.
    selected
        Rows of joints and links that it is about: a link also means the joint that carries it, a joint what it moves.
    """
    filling = _Filling(model, owner, known)
    return filling.each(filling.chosen(selected))


class _Filling:
    def __init__(self, model: Model, owner: int, known: KnownPlugin) -> None:
        self._model, self._owner, self._known = model, owner, known
        joints = (each for each in model.joints_by_row.values() if int(model.owners[each.row]) == owner)
        self._joints = [each for each in joints if each.type in _MOVING]

    def chosen(self, selected: Sequence[int]) -> list[tuple[Joint | None, int]]:
        """Return the joints and the links that are meant, in pairs: what is not known is None or -1."""
        model, pairs = self._model, {}
        for row in selected:
            joint = model.joints_by_row.get(row)
            if joint is None and model.kinds[row] is Kind.LINK:
                joint = next((each for each in self._joints if each.child >= 0 and self._body(each) == row), None)
            if int(model.owners[row]) == self._owner and (joint is not None or model.kinds[row] is Kind.LINK):
                pairs[row if joint is None else joint.row] = (joint, row if joint is None else self._body(joint))
        return list(pairs.values())

    def each(self, chosen: list[tuple[Joint | None, int]]) -> list[Filled]:
        """Return what each plugin gets: one for each choice where some parameter takes whichever is chosen."""
        takes_any = any(each.kind in ("joint", "link") and each.is_required and not _words(each) for each in self._own)
        if not takes_any or not chosen:
            chosen = chosen[-1:]
        written = self._written
        directions = self._directions([joint for joint, _ in chosen])
        filled = []
        for number, (joint, link) in enumerate(chosen or [(None, -1)]):
            texts: dict[str, tuple[str, ...]] = {}
            for parameter in self._own:
                if found := self._texts(parameter, joint, link, texts):
                    texts[parameter.path] = found
                elif parameter.values == _DIRECTIONS and directions:
                    texts[parameter.path] = (directions[number],)
                elif parameter.tag == "actuator_number" and "use_actuator_msg" not in self._known.parameters:
                    texts[parameter.path] = (str(written + number),)
            missing = (each.path for each in self._own if each.is_required and each.path not in texts)
            filled.append(Filled(texts, tuple(missing)))
        return filled

    @property
    def _own(self) -> list[PluginParameter]:
        return list(self._known.children(""))

    @property
    def _written(self) -> int:
        """How many plugins of the same library there are: each motor has a number of its own."""
        plugins = read_plugins(self._model, self._owner)
        return sum(known_plugin(each.filename) is self._known for each in plugins)

    def _body(self, joint: Joint) -> int:
        return int(self._model.bodies[joint.child])

    def _name(self, row: int) -> str:
        return self._model.names[row][len(self._model.member_prefix(self._owner)) :]

    def _texts(
        self, parameter: PluginParameter, joint: Joint | None, link: int, before: Mapping[str, Sequence[str]]
    ) -> tuple[str, ...]:
        """Return what a parameter gets, nothing where the model does not give it."""
        if parameter.tag in _MEASURES:
            size = _MEASURES[parameter.tag](self, self._named(before))
            return () if size is None else (f"{round(size, _DIGITS):g}",)
        if not parameter.is_required:
            return ()
        if parameter.kind == "joint":
            if words := _words(parameter):
                turning = (each for each in self._joints if each.type in _TURNING)
                found = [each for each in turning if words <= _words_of(each.name)]
                found = [each for each in found if "wheel" in _words_of(each.name)] or found
                return tuple(self._name(each.row) for each in found[: None if parameter.is_repeated else 1])
            if joint is None and len(self._joints) == 1:
                joint = self._joints[0]
            return () if joint is None else (self._name(joint.row),)
        if parameter.kind == "link":
            row = link if link >= 0 else self._model.canonical_links.get(self._owner, -1)
            return () if row < 0 else (self._name(row),)
        return (self._model.local_names[self._owner],) if parameter.tag == "robotNamespace" else ()

    # --- numbers -----------------------------------------------------------------------------------------------------

    def _named(self, texts: Mapping[str, Sequence[str]]) -> dict[str, list[Joint]]:
        """Return the joints that parameters name, by the words of their tags."""
        by_name = {self._name(each.row): each for each in self._joints}
        found: dict[str, list[Joint]] = {}
        for path, names in texts.items():
            for word in _words_of(path):
                found.setdefault(word, []).extend(by_name[name] for name in names if name in by_name)
        return found

    def _between(self, named: Mapping[str, list[Joint]], one: str, other: str) -> Array | None:
        """Return the horizontal vector (2,) in the model between the middles of two groups of joints, in metres."""
        if not named.get(one) or not named.get(other):
            return None
        X_RootF = self._model.X_RootF
        a, b = (X_RootF[[each.row for each in named[word]], :3, 3].mean(axis=0) for word in (one, other))
        v: Array = X_RootF[self._owner, :3, :3].T @ (a - b)
        return v[:2] if np.isfinite(v).all() else None

    def separation(self, named: Mapping[str, list[Joint]]) -> float | None:
        """Return how far the left wheels are from the right ones."""
        v = self._between(named, "left", "right")
        return None if v is None else abs(float(v[1]))

    def base(self, named: Mapping[str, list[Joint]]) -> float | None:
        """Return how far the front wheels are from the rear ones."""
        v = self._between(named, "front", "rear")
        return None if v is None else abs(float(v[0]))

    def radius(self, named: Mapping[str, list[Joint]]) -> float | None:
        """Return the radius of the first wheel."""
        for joint in named.get("left", ()):
            for row in self._model.rows_in(self._body(joint)):
                if self._model.kinds[row] in (Kind.COLLISION, Kind.VISUAL):
                    radius = getattr(read_shape(self._model, row), "radius", None)
                    if radius:
                        return float(radius)
        return None

    def _directions(self, joints: Sequence[Joint | None]) -> list[str]:
        """Return in which directions several rotors turn: neighbours in opposite ones, so that their torques cancel."""
        rows = [joint.row for joint in joints if joint is not None]
        if len(rows) < len(joints) or len(rows) < len(_DIRECTIONS):
            return []
        at = self._model.X_RootF[rows, :3, 3] @ self._model.X_RootF[self._owner, :3, :3]
        x, y = (at - at.mean(axis=0))[:, :2].T
        places = np.argsort(np.argsort(np.arctan2(y, x)))
        return [_DIRECTIONS[(place - places[0]) % len(_DIRECTIONS)] for place in places.tolist()]


_MEASURES = {
    "wheel_separation": _Filling.separation,
    "wheel_base": _Filling.base,
    "wheelbase": _Filling.base,
    "wheel_radius": _Filling.radius,
}


def _words_of(name: str) -> frozenset[str]:
    words = (each.lower() for part in re.split(r"[^A-Za-z0-9]+", name) for each in _WORD.findall(part))
    return frozenset(_SAME.get(each, each) for each in words)


def _words(parameter: PluginParameter) -> frozenset[str]:
    """Return the words of a tag that say which joint or link is meant."""
    return _words_of(parameter.tag) - _ANY


def plugin_lines(filled: Filled) -> Iterator[str]:
    """Yield the lines of the parameters."""
    for path, texts in filled.texts.items():
        yield from (f"<{path}>{escape(text)}</{path}>" for text in texts)
