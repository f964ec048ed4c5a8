"""What SDFormat says of models, links, joints, visuals, collisions and lights beside what typed records hold."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

import numpy as np

from sdfviewer.computed import common_ends
from sdfviewer.document.element import Element
from sdfviewer.document.tables import ElementDefinition, table
from sdfviewer.model import graph
from sdfviewer.model.findings import ElementPart, FaultyEdge, Finding
from sdfviewer.model.graph import ROOT, Rows
from sdfviewer.model.joints import LIMITS
from sdfviewer.model.kinds import Kind
from sdfviewer.model.names import reference_hint
from sdfviewer.model.scope import Scope
from sdfviewer.model.values import parse_numbers
from sdfviewer.transforms import Array, invert, pose_to_matrix
from sdfviewer.validation import frame_rules
from sdfviewer.versions import NEWEST, Version


def raw_pose_matrices(scope: Scope) -> Array:
    """Return the raw poses of all rows as matrices (n, 4, 4)."""
    X = pose_to_matrix(np.array(scope.raw_poses, dtype=np.float64).reshape(-1, 6))
    for row, exact in scope.exact_poses.items():
        X[row] = exact
    return X


class RawPoses:
    """The raw poses of one load as matrices, computed from those of the load before at the cost of what has changed."""

    def __init__(self) -> None:
        self._written: list[tuple[float, ...]] = []
        self._matrices: Array = np.zeros((0, 4, 4))

    def matrices(self, scope: Scope) -> Array:
        """Return the raw poses of all rows as matrices (n, 4, 4): the same array where nothing has changed."""
        before, now = self._written, scope.raw_poses
        start, end = common_ends(before, now)  # what is written in the same element is the same tuple
        if not start + end == len(before) == len(now):
            middle = pose_to_matrix(np.array(now[start : len(now) - end], dtype=np.float64).reshape(-1, 6))
            parts = [self._matrices[:start], middle, self._matrices[len(before) - end :]]
            self._written, self._matrices = now, np.concatenate(parts)
        if not scope.exact_poses:
            return self._matrices
        X = self._matrices.copy()
        for row, exact in scope.exact_poses.items():
            X[row] = exact
        return X

    def copy(self) -> RawPoses:
        """Return the same, for another load that starts from the same one."""
        other = RawPoses()
        other._written, other._matrices = self._written, self._matrices
        return other


def place_by_frame(scope: Scope, location: ElementPart) -> None:
    """Turn the pose of a model's placement frame P into that of the model M: X_RM = X_RP · X_PM."""
    name = scope.placement_frame
    if name is None:
        return
    frame = scope.lookup(name)
    if frame is None:
        if not scope.leans_on_missing(name):
            rule = frame_rules.placement_frame_invalid
            message = rule.format(name, reference_hint(scope, rule, name))
            what = "placement_frame"
            edges = (FaultyEdge(0, what),)
            scope.findings.append(Finding(rule, location, message, (0,), reference=name, attribute=what, edges=edges))
        return
    parents: Rows = np.array(scope.relative_to, dtype=np.int64)
    parents[0] = ROOT
    X_RP = raw_pose_matrices(scope)
    X_MP = graph.resolve(parents, X_RP)[frame]
    if np.isfinite(X_MP).all():
        scope.exact_poses[0] = X_RP[0] @ invert(X_MP)
        scope.placement_frames[0] = frame


def set_static(scope: Scope) -> None:
    """Fix a model, and all in it, in the world: a model inside a static one is static too."""
    scope.static = [True] * len(scope)
    scope.attached_to[0] = ROOT


#: Where an element of a kind is in the tables of the specification.
_PATHS = {
    Kind.WORLD: "world",
    Kind.MODEL: "model",
    Kind.LINK: "model/link",
    Kind.JOINT: "model/joint",
    Kind.VISUAL: "model/link/visual",
    Kind.COLLISION: "model/link/collision",
    Kind.LIGHT: "light",
}
_MEMBERS = frozenset(
    {"@name", "@type", "pose", "plugin", "link", "joint", "frame", "model", "include", "light", "actor", "sensor"}
)
_OF_AXES = frozenset(
    {"@xyz", "xyz", "use_parent_model_frame", "mimic", "initial_position"}
    | {f"limit/{tag}" for tag in LIMITS}
    | {f"dynamics/{tag}" for tag in ("damping", "friction", "spring_reference", "spring_stiffness")}
)
#: What is compared elsewhere: as frames, by what they resolve to, or as fields of records.
_READ: Mapping[Kind, frozenset[str]] = {
    Kind.WORLD: _MEMBERS
    | {"gravity", "magnetic_field", "wind/linear_velocity", "scene", "physics", "state", "population"},
    Kind.MODEL: _MEMBERS | {"@canonical_link", "@placement_frame", "static"},
    Kind.LINK: _MEMBERS
    | {"visual", "collision", "projector", "particle_emitter", "inertial/pose", "inertial/mass", "inertial/inertia"}
    | {"inertial/@auto", "inertial/density", "inertial/auto_inertia_params", "inertial/frame"},
    Kind.JOINT: _MEMBERS
    | {"parent", "child", "thread_pitch", "screw_thread_pitch", "gearbox_ratio", "gearbox_reference_body"}
    | {f"{axis}/{path}" for axis in ("axis", "axis2") for path in _OF_AXES},
    Kind.VISUAL: _MEMBERS | {"geometry", "material", "transparency", "cast_shadows", "laser_retro", "visibility_flags"},
    Kind.COLLISION: _MEMBERS
    | {"geometry", "laser_retro", "max_contacts", "density", "auto_inertia_params"}
    | {f"surface/friction/ode/{tag}" for tag in ("mu", "mu2", "fdir1", "slip1", "slip2")}
    | {f"surface/friction/bullet/{tag}" for tag in ("friction", "friction2", "fdir1")}
    | {"surface/friction/torsional/coefficient", "surface/contact/collide_bitmask"}
    | {"surface/bounce/restitution_coefficient", "surface/bounce/threshold"}
    | {f"surface/contact/{engine}/{tag}" for engine in ("ode", "bullet") for tag in ("kp", "kd")},
    Kind.LIGHT: _MEMBERS
    | {"diffuse", "specular", "intensity", "direction", "attenuation", "spot", "cast_shadows", "light_on"},
}
#: Other places of the same value, by where it is read.
_SAME = {
    "physics/ode/provide_feedback": "physics/provide_feedback",
    "physics/ode/cfm_damping": "physics/ode/implicit_spring_damper",
}


def read_settings(element: Element, kind: Kind, version: Version) -> dict[str, str]:
    """Return the values of an element of a kind that no record holds, by path; those that say the default are left out.

    Words of truth are ``true`` and ``false``, however they are written.
    Of several elements of one name the second has ``[2]`` after its tag.
    """
    return settings_of((element,), kind, version) if kind in _PATHS else {}


def settings_of(elements: Iterable[Element], kind: Kind, version: Version) -> dict[str, str]:
    """Return the values in some elements as one, as `read_settings` does."""
    found: dict[str, str] = {}
    definitions = tuple(table(each).element(_PATHS[kind]) for each in dict.fromkeys((version, NEWEST)))
    known = tuple(each for each in definitions if each is not None)
    for each in elements:
        for path, text in _leaves(each, known, _READ[kind], ""):
            found[_SAME.get(path, path)] = text
    return found


def is_default(kind: Kind, path: str, text: str) -> bool:
    """Return whether a text at a path in an element of a kind says the default of the newest version."""
    definition = table(NEWEST).element(f"{_PATHS[kind]}/{path}")
    return definition is not None and _is_same(text, definition.default)


def _leaves(
    element: Element, definitions: Sequence[ElementDefinition], leave_out: frozenset[str], path: str
) -> Iterator[tuple[str, str]]:
    """Yield path and text of each attribute and element below one.

    `definitions` are those of its own version and of the newest, in which libsdformat reads it; none of what SDFormat
    does not know.
    """
    for name, value in element.attributes.items():
        known = next((each.attributes[name] for each in definitions if name in each.attributes), None)
        is_default = known is not None and _is_same(value, known.default)
        if f"{path}@{name}" not in leave_out and not is_default and not name.startswith("xmlns"):
            yield f"{path}@{name}", value.strip()
    numbers: dict[str, int] = {}
    is_open = not definitions or any(each.allows_any_child for each in definitions)
    for child in element.children:
        inner = f"{path}{child.tag}"
        below = tuple(each.children[child.tag] for each in definitions if child.tag in each.children)
        if inner in leave_out or not (below or is_open or ":" in child.tag):
            continue  # compared elsewhere, or ignored
        number = numbers.get(child.tag, 0) + 1
        if below and not below[0].is_repeatable and number > 1:
            continue  # the first counts
        numbers[child.tag] = number
        suffix = f"[{number}]" if number > 1 else ""
        leaves = tuple(_leaves(child, below, leave_out, f"{inner}/"))
        yield from ((inner + suffix + each[len(inner) :], value) for each, value in leaves)
        text = " ".join(child.text.split())
        if text and not (below and _is_same(text, below[0].default)):
            yield inner + suffix, _TRUTHS.get(text, text) if below and below[0].type == "bool" else text
        elif not text and not leaves and not below and not child.children:
            yield inner + suffix, f"<{child.tag}>"


#: Words of truth in other words.
_TRUTHS = {"1": "true", "0": "false", "True": "true", "False": "false"}


def _is_same(text: str, default: str) -> bool:
    """Return whether a text says a default: as a number, or as a word of truth."""
    text, default = text.strip(), default.strip()
    if _TRUTHS.get(text, text) == _TRUTHS.get(default, default):
        return True
    numbers = parse_numbers(text), parse_numbers(default)
    return bool(numbers[0]) and numbers[0] == numbers[1]
