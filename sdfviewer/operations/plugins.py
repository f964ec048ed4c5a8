"""Operations on plugins: their parameters."""

from __future__ import annotations

from sdfviewer.document.edits import Edit
from sdfviewer.operations.declaration import EditContext, EditOption, Parameter, operation
from sdfviewer.operations.parameters import FrameType, TextType
from sdfviewer.operations.properties import TypedValue, ValueType
from sdfviewer.refactoring.properties import plugin_parameters


@operation(
    "Set plugin parameter",
    Parameter("thing", FrameType(), "the model, world, sensor or visual that has the plugin"),
    Parameter("path", TextType("a path"), "tags from the plugin downwards, wheel[2]/@link_name"),
    Parameter("value", ValueType(), "what is written; None takes it out, so that the default holds"),
    Parameter("plugin", TextType(), "its name, class, library or number; where it has one, that", default=""),
    command=EditOption(
        "set-plugin-parameter",
        "FRAME/PATH=VALUE",
        ("thing", "path", "value"),
        "set a parameter of a plugin, such as robot/wheel_radius=12cm",
    ),
)
def set_plugin_parameter(on: EditContext, thing: int, path: str, value: str | TypedValue | None, plugin: str) -> Edit:
    """Write a parameter of a plugin, checked against the catalogue of plugins; an unknown plugin takes any text."""
    element = plugin_parameters.find_plugin(on.model, thing, plugin)
    text = value if not isinstance(value, TypedValue) else None
    if isinstance(value, TypedValue):
        text = plugin_parameters.evaluated(plugin_parameters.parameter_at(element, path), value.text)
    return plugin_parameters.set_plugin_parameter(on.model, thing, element, path, text)
