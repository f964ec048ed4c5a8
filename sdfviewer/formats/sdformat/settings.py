"""What SDFormat says of models, links, joints, visuals, collisions and lights beside what typed records hold."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from sdfviewer.document.element import Element
from sdfviewer.document.tables import ElementDefinition, table
from sdfviewer.model.kinds import Kind
from sdfviewer.model.values import parse_numbers
from sdfviewer.versions import NEWEST, Version

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
    | {f"limit/{tag}" for tag in ("lower", "upper", "effort", "velocity")}
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
