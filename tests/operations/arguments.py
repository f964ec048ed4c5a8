"""Arguments for the parameters of operations: values that a test can apply them with to any file."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from random import Random
from typing import Any

from sdfviewer import Box, Sphere
from sdfviewer.model.kinds import Kind
from sdfviewer.operations.adding import LimitType
from sdfviewer.operations.declaration import EditContext, Operation, Parameter
from sdfviewer.operations.frames import CoordinateType, InsteadType, NamedType
from sdfviewer.operations.parameters import (
    AxesType,
    ChoiceType,
    ColourType,
    FramesType,
    FrameType,
    GeometryType,
    InertiaType,
    NumbersType,
    NumberType,
    PairType,
    PlacesType,
    PoseType,
    SwitchType,
    TargetType,
    TextType,
    WholeType,
)
from sdfviewer.operations.properties import ValueType
from sdfviewer.refactoring.composition.overrides import overridden_rows
from sdfviewer.refactoring.composition.overriding import why_not_overridden
from sdfviewer.refactoring.properties.plugin_parameters import plugins_of, values_of
from sdfviewer.refactoring.properties.property_values import specs_of

COLLECTION = Path(__file__).parents[1] / "collection"
#: Texts by the operation and the parameter, where any text would be refused.
_TEXTS = {
    ("add_joint", "type"): ("revolute", "fixed", "prismatic", "ball"),
    ("add_link", "joint_type"): ("revolute", "fixed", "prismatic"),
    ("add_sensor", "type"): ("camera", "imu"),
    ("add_light", "type"): ("point", "spot"),
    ("change_version", "version"): ("1.6", "1.7", "1.9", "1.11"),
    ("split_off", "file"): ("split_off_part.sdf",),
    ("keep_true", "number"): ("pose/x", "pose/yaw"),
    ("join_robot", "file"): (str(COLLECTION / "partial" / "snapshot-main" / "urdf" / "sled.urdf"),),
    ("copy_from", "file"): (str(COLLECTION / "partial" / "snapshot-main" / "urdf" / "sled.urdf"),),
    ("copy_from", "things"): ("deck", "left_runner", "missing"),
    ("paste", "source"): ("parts/robot.sdf",),
    ("paste", "xml"): ('<link name="pasted"/>', '<visual name="v"><geometry><sphere/></geometry></visual>', "x"),
    ("join_robot", "prefix"): ("other_", "left/"),
}


class NoArgumentError(Exception):
    """A file has nothing that a parameter could name."""


def _names(on: EditContext, kinds: tuple[Kind, ...]) -> list[str]:
    model = on.model
    names = [name for name, kind in zip(model.names[1:], model.kinds[1:], strict=True) if not kinds or kind in kinds]
    if not names:
        raise NoArgumentError
    return names


def _target(random: Random, on: EditContext, type: Any, before: Mapping[str, Any]) -> str | None:
    named = [key for key in (type.of, type.owner) if key and before.get(key) is not None]
    row_of = {key: on.model.row(str(before[key])) for key in named}
    return random.choice([None, *(each.name for each in type.targets(on.model, row_of) if each.reason is None)])


_VALUES: dict[type, Callable[[Random, EditContext, Any, Mapping[str, Any]], object]] = {
    FrameType: lambda random, on, type, _: random.choice(_names(on, type.kinds)),
    FramesType: lambda random, on, type, _: random.sample(
        _names(on, type.kinds), k=min(3, len(_names(on, type.kinds)))
    ),
    NamedType: lambda random, on, _type, _: random.choice(_names(on, ())),
    TargetType: _target,
    NumbersType: lambda random, _on, type, _: [random.uniform(-1, 1) for _ in type.units],
    NumberType: lambda random, *_: random.uniform(0.1, 2),
    WholeType: lambda random, _on, type, _: random.randint(type.least, min(type.most, 30)),
    ChoiceType: lambda random, _on, type, _: random.choice(type.words),
    AxesType: lambda random, _on, type, _: random.choice("xyz") if type.is_one else random.choice(("x", "yz", "xyz")),
    SwitchType: lambda random, *_: random.random() < 0.5,
    PoseType: lambda random, *_: [round(random.uniform(-1, 1), 3) for _ in range(6)],
    ValueType: lambda random, *_: random.choice((0.5, "1", (0, 0, 1))),
    LimitType: lambda random, *_: random.uniform(-1, 1),
    CoordinateType: lambda random, *_: random.choice((random.uniform(-1, 1), "0.25")),
    InsteadType: lambda *_: {},
    GeometryType: lambda random, *_: random.choice(("box", "cylinder", Sphere(0.1), Box((0.1, 0.2, 0.3)))),
    InertiaType: lambda random, *_: [random.uniform(1, 2) for _ in "xyz"] + [0.0] * 3,
    PairType: lambda *_: ("left", "right"),
    ColourType: lambda random, *_: random.choice(("grey", "#336699", (0.1, 0.2, 0.3))),
    PlacesType: lambda *_: (),
    TextType: lambda random, *_: random.choice(("brand_new", "x y")),
}


def arguments_for(random: Random, on: EditContext, operation: Operation) -> dict[str, object]:
    """Return values for the parameters of an operation that fit a file.

    Raises
    ------
    NoArgumentError
        If the file has nothing that one of them could name.
    """
    values: dict[str, object] = {}
    for parameter in sorted(operation.parameters, key=lambda each: each.type.is_late):
        if parameter.is_required or random.random() < 0.6:
            values[parameter.name] = _value(random, on, operation, parameter, values)
    return values


def _value(
    random: Random, on: EditContext, operation: Operation, parameter: Parameter, before: Mapping[str, object]
) -> object:
    if (operation.name, parameter.name) == ("set_property", "path"):
        named: Any = before["thing"]
        paths = [spec.path for spec in specs_of(on.model, on.model.row(named[0]))]
        if not paths:
            raise NoArgumentError
        return random.choice(paths)
    if (operation.name, parameter.name) == ("override_pose", "frame"):
        included = [row for row in range(1, len(on.model)) if why_not_overridden(on.model, row) is None]
        if not included:
            raise NoArgumentError
        return on.model.names[random.choice(included)]
    if operation.name in _OWN_ARGUMENTS and parameter.name != "value":
        return _OWN_ARGUMENTS[operation.name](random, on, parameter, before)
    texts = _TEXTS.get((operation.name, parameter.name))
    if texts is not None:
        return random.choice(texts)
    return _VALUES[type(parameter.type)](random, on, parameter.type, before)


def _plugin_argument(random: Random, on: EditContext, parameter: Parameter, before: Mapping[str, Any]) -> str:
    """Return the name of something with a plugin, a path in the first one of it, or that plugin."""
    if parameter.name == "plugin":
        return "1"
    rows = range(len(on.model)) if parameter.name == "thing" else [on.model.row(before["thing"])]
    holders = [row for row in rows if plugins_of(on.model, row)]
    paths = [each.path for row in holders for each in values_of(plugins_of(on.model, row)[0])]
    if not paths:
        raise NoArgumentError
    return on.model.names[random.choice(holders)] if parameter.name == "thing" else random.choice(paths)


def _override_argument(random: Random, on: EditContext, parameter: Parameter, before: Mapping[str, object]) -> str:
    """Return the name of an include that changes a value, or what one changes."""
    overrides = [each for found in overridden_rows(on.model).values() for each in found if each.is_value]
    if not overrides:
        raise NoArgumentError
    if parameter.name == "include":
        return on.model.names[random.choice(overrides).include]
    return random.choice([each.name for each in overrides if on.model.names[each.include] == before["include"]])


#: Operations whose arguments, all but the value, depend on each other.
_OWN_ARGUMENTS: Mapping[str, Callable[[Random, EditContext, Parameter, Mapping[str, Any]], str]] = {
    "set_override": _override_argument,
    "set_plugin_parameter": _plugin_argument,
}
