"""Read YAML files for expressions of xacro: plain values, and numbers with units such as ``!degrees 90``.

Each collection knows where its values are written.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, TypeAlias

from sdfviewer.formats.xacro.values import (
    DICTS,
    LISTS,
    MOST_DEPTH,
    Bounds,
    ExpressionError,
    YamlDict,
    YamlList,
    YamlPlaces,
)

#: Characters of the largest YAML file.
MOST_CHARACTERS = 4_000_000
#: What a number behind each tag is multiplied by, in metres or radians.
UNITS = {
    "!radians": 1.0,
    "!degrees": math.pi / 180.0,
    "!meters": 1.0,
    "!millimeters": 0.001,
    "!foot": 0.3048,
    "!inches": 0.0254,
}

#: The collections that a file holds, by their identity, each with where its values begin and end, by key.
_Spans: TypeAlias = dict[int, tuple[Any, dict[Any, tuple[int, int]]]]


def read_yaml(path: str, bounds: Bounds, evaluate: Callable[[str], Any]) -> Any:
    """Return what is in a YAML file.

    Parameters
    ----------
    path
        The file.
    bounds
        Bounds what it holds.
    evaluate
        Returns the value of an expression behind a unit.

    Raises
    ------
    ExpressionError
        If it is no YAML, holds what is no value of an expression, or too much.
    OSError
        If it cannot be read.
    """
    text = _read(path)
    import yaml  # noqa: PLC0415  # of the extra xacro

    spans: _Spans = {}

    def note(made: Any, nodes: Any) -> None:
        spans[id(made)] = (
            made,
            {
                key: (node.start_mark.index, node.end_mark.index)
                for key, node in nodes
                if isinstance(node, yaml.ScalarNode)
            },
        )

    class Loader(yaml.SafeLoader):  # type: ignore[misc]
        """Makes plain values only; a tag that names an object of Python is an error."""

        depth = 0

        def compose_node(self, parent: Any, index: Any) -> Any:
            self.depth += 1
            if self.depth > MOST_DEPTH:
                raise ExpressionError(f"{path} is nested too deeply")
            node = super().compose_node(parent, index)
            self.depth -= 1
            return node

        def flatten_mapping(self, node: Any) -> None:
            super().flatten_mapping(node)
            bounds.allow(len(node.value))  # <<: [*a, *a] in each of many levels
            bounds.count(0)

        def construct_yaml_map(self, node: Any) -> Any:
            made: dict[Any, Any] = {}
            yield made
            made.update(self.construct_mapping(node))
            note(made, ((self.construct_object(key), value) for key, value in node.value))

        def construct_yaml_seq(self, node: Any) -> Any:
            made: list[Any] = []
            yield made
            made.extend(self.construct_sequence(node))
            note(made, enumerate(node.value))

    def construct(factor: float) -> Callable[[Any, Any], float]:
        return lambda loader, node: _number(evaluate, loader.construct_scalar(node)) * factor

    for tag, factor in UNITS.items():
        Loader.add_constructor(tag, construct(factor))
    Loader.add_constructor("tag:yaml.org,2002:map", Loader.construct_yaml_map)
    Loader.add_constructor("tag:yaml.org,2002:seq", Loader.construct_yaml_seq)
    try:
        value = yaml.load(text, Loader)
    except yaml.YAMLError as error:
        problem, mark = getattr(error, "problem", None), getattr(error, "problem_mark", None)
        place = "" if mark is None else f" at {path}:{mark.line + 1}:{mark.column + 1}"
        raise ExpressionError(f"{problem or error}{place}") from error
    bounds.measure(value)
    return _with_dots(value, {}, path, spans, ())


def _read(path: str) -> str:
    with open(path, encoding="utf-8") as file:
        text = file.read(MOST_CHARACTERS + 1)
    if len(text) > MOST_CHARACTERS:
        raise ExpressionError(f"{path} has more than {MOST_CHARACTERS} characters")
    return text


def _number(evaluate: Callable[[str], Any], expression: str) -> float:
    try:
        value = evaluate(expression)
    except SyntaxError as error:
        raise ExpressionError(f"invalid expression: {expression}") from error
    return float(value)


def with_dots(value: Any, bounds: Bounds) -> Any:
    """Return a value whose dictionaries, on all levels, are read with a dot.

    Raises
    ------
    ExpressionError
        If it holds what is no value of an expression.
    """
    bounds.measure(value)
    return _with_dots(value, {}, "", {}, ())


def _with_dots(value: Any, known: dict[int, Any], file: str, spans: _Spans, keys: tuple[Any, ...]) -> Any:
    if id(value) in known:  # an alias
        return known[id(value)]
    if type(value) in DICTS:
        made: Any = YamlDict({key: _with_dots(each, known, file, spans, (*keys, key)) for key, each in value.items()})
    elif type(value) in LISTS:
        made = YamlList(_with_dots(each, known, file, spans, (*keys, number)) for number, each in enumerate(value))
    else:
        return value
    if (found := spans.get(id(value))) is not None:
        made.places = YamlPlaces(file, keys, found[1], range(len(made)) if type(made) is YamlList else None)
    known[id(value)] = made
    return made
