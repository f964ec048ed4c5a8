"""Operations on properties: the values of an element, by the path of the property panel."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from sdfviewer.diagnostics import InvalidValueError
from sdfviewer.document.edits import Edit
from sdfviewer.model.kinds import Kind
from sdfviewer.model.names import did_you_mean
from sdfviewer.model.values import format_number, format_numbers
from sdfviewer.number_expression import evaluate_words
from sdfviewer.operations.declaration import EditContext, EditOption, Parameter, ParameterType, operation
from sdfviewer.operations.parameters import FrameType, NumberType, TextType
from sdfviewer.refactoring.editable import EditError
from sdfviewer.refactoring.properties import property_values


@dataclass(frozen=True)
class TypedValue:
    """The value of a property as somebody types it: it may hold expressions and units."""

    text: str


@dataclass(frozen=True)
class ValueType(ParameterType):
    """The value of a property: a text, number, truth value or numbers. The function gets what is written."""

    @property
    def expects(self) -> str:
        return "a text, a number or numbers"

    def read(self, text: str) -> TypedValue | None:
        return TypedValue(text) if text else None

    def take(self, on: EditContext, name: str, value: object, before: Mapping[str, Any]) -> str | TypedValue:
        if isinstance(value, (str, TypedValue)):
            return value
        if isinstance(value, bool):
            return "true" if value else "false"
        given: Any = value
        try:
            numbers = np.asarray(given, dtype=np.float64)
        except (TypeError, ValueError) as error:
            raise InvalidValueError(f"a property must be {self.expects}, not {value!r}") from error
        if np.isnan(numbers).any():
            raise InvalidValueError("a property cannot be NaN")
        return format_number(float(numbers)) if numbers.ndim == 0 else format_numbers(numbers.ravel().tolist())


@operation(
    "Set property",
    Parameter("thing", FrameType(), "what has it"),
    Parameter("path", TextType("a path"), "tags from the element downwards, axis/limit/lower; @type for an attribute"),
    Parameter("value", ValueType(), "what is written; None takes it out, so that the default holds"),
    command=EditOption(
        "set",
        "FRAME/PATH=VALUE",
        ("thing", "path", "value"),
        "set a property, such as m::j/axis/limit/upper=pi/2",
    ),
)
def set_property(on: EditContext, thing: int, path: str, value: str | TypedValue | None) -> Edit:
    """Write a property of the property panel."""
    model = on.model
    specs = {spec.path: spec for spec in property_values.specs_of(model, thing)}
    spec = specs.get(path)
    if spec is None:
        raise EditError(f"a {model.kinds[thing]} has no property '{path}'{did_you_mean(path, specs)}")
    text = evaluate_words(value.text, spec.unit) if isinstance(value, TypedValue) else value
    return property_values.set_property(model, [thing], spec, text)


@operation(
    "Set limits",
    Parameter("joint", FrameType((Kind.JOINT,)), "the joint"),
    Parameter("lower", NumberType(), "the lower limit in metres or radians", default=None),
    Parameter("upper", NumberType(), "the upper limit", default=None),
    Parameter("effort", NumberType(), "the limit in N or N m", default=None),
    Parameter("velocity", NumberType(), "the limit in m/s or rad/s", default=None),
)
def set_limits(
    on: EditContext,
    joint: int,
    lower: float | None,
    upper: float | None,
    effort: float | None,
    velocity: float | None,
) -> Edit:
    """Set limits of the first axis of a joint; those that are not given stay."""
    from sdfviewer.refactoring.draft import ModelDraft

    given = {"lower": lower, "upper": upper, "effort": effort, "velocity": velocity}
    if all(value is None for value in given.values()):
        raise InvalidValueError("give a limit: lower, upper, effort or velocity")
    model = on.model
    axes = model.joints_by_row[joint].axes
    low = lower if lower is not None or not axes else axes[0].lower
    high = upper if upper is not None or not axes else axes[0].upper
    if low is not None and high is not None and low > high and (lower is not None or upper is not None):
        raise InvalidValueError(f"the lower limit {low:g} is above the upper limit {high:g}")
    draft = ModelDraft(model, on.loader)
    for word, value in given.items():
        if value is not None:
            now = EditContext(draft.model, on.loader)
            arguments = {"thing": draft.model.names[joint], "path": f"axis/limit/{word}", "value": value}
            draft.make(set_property.perform(now, arguments).edit)
    return draft.edit(f"Set limits of {model.local_names[joint]}")
