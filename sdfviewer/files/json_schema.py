"""Check a value against a JSON Schema, as far as the schemas of this program need it, with messages in plain words."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple, TypeAlias

Schema: TypeAlias = Mapping[str, Any]
#: The keys and numbers that lead to a value, as in ``("contract", 0, "pose", 2)``.
KeyPath: TypeAlias = tuple[str | int, ...]

_TYPES: dict[str, tuple[type, ...]] = {
    **{"string": (str,), "integer": (int,), "number": (int, float), "boolean": (bool,)},
    **{"object": (dict,), "array": (list,), "null": (type(None),)},
}
_ONE = {"string": "a string", "integer": "a whole number", "number": "a number", "boolean": "true or false"}
_ONE |= {"object": "a table", "array": "a list", "null": "null"}
_MANY = {"string": "strings", "integer": "whole numbers", "number": "numbers", "object": "tables", "array": "lists"}


class Violation(NamedTuple):
    """What is wrong with a value, and the keys and numbers that lead to it."""

    path: KeyPath
    message: str


def first_violation(value: object, schema: Schema) -> Violation | None:
    """Return what is wrong with a value of dictionaries, lists, strings, numbers and booleans; None where it fits."""
    return next(_violations(value, schema, (), schema), None)


def _violations(value: object, schema: Schema, path: KeyPath, root: Schema) -> Iterator[Violation]:
    schema = _resolved(schema, root)
    if "anyOf" in schema:
        choices = [each for each in schema["anyOf"] if _has_kind(value, _resolved(each, root))]
        found = [next(_violations(value, each, path, root), None) for each in choices]
        if not choices:
            yield Violation(path, f"{_dotted(path)} must be {_described(schema, root)}")
        elif None not in found:
            yield from filter(None, found)
    elif not _has_kind(value, schema):
        yield Violation(path, f"{_dotted(path)} must be {_described(schema, root)}")
    elif isinstance(value, dict):
        yield from _in_table(value, schema, path, root)
    elif isinstance(value, list):
        yield from _in_list(value, schema, path, root)
    elif isinstance(value, str) and len(value) > schema.get("maxLength", math.inf):
        what = "has a pattern of" if isinstance(path[-1], int) else "has"
        yield Violation(path, f"{_dotted(path)} {what} more than {schema['maxLength']:,} characters; shorten it")
    elif isinstance(value, (int, float)) and value < schema.get("minimum", -math.inf):
        yield Violation(path, f"{_dotted(path)} must be {schema['minimum']} or more")
    elif isinstance(value, (int, float)) and value > schema.get("maximum", math.inf):
        yield Violation(path, f"{_dotted(path)} must be {schema['maximum']} or less")


def _resolved(schema: Schema, root: Schema) -> Schema:
    return root["$defs"][schema["$ref"].rpartition("/")[2]] if "$ref" in schema else schema


def _has_kind(value: object, schema: Schema) -> bool:
    """Return whether a value has the type of a schema, or is what it must be."""
    if "const" in schema and value != schema["const"]:
        return False
    if "enum" in schema and value not in schema["enum"]:
        return False
    is_number = not isinstance(value, bool) and (not isinstance(value, float) or math.isfinite(value))
    return "type" not in schema or any(
        isinstance(value, _TYPES[name]) and (is_number or name not in ("number", "integer"))
        for name in _type_names(schema)
    )


def _type_names(schema: Schema) -> list[str]:
    written = schema.get("type", [])
    return [written] if isinstance(written, str) else list(written)


def _in_list(value: list[Any], schema: Schema, path: KeyPath, root: Schema) -> Iterator[Violation]:
    fewest, most = schema.get("minItems", 0), schema.get("maxItems", math.inf)
    items = _resolved(schema.get("items", {}), root)
    if fewest == most != len(value):
        yield Violation(path, f"{_dotted(path)} must be {_described(schema, root)}")
    elif len(value) > most:
        what = "patterns" if "maxLength" in items else "entries"
        yield Violation(path, f"{_dotted(path)} has more than {most:,} {what}; use fewer")
    elif len(value) < fewest:
        yield Violation(path, f"{_dotted(path)} is empty; write at least {fewest}")
    for number, each in enumerate(value):
        if not _has_kind(each, items):
            yield Violation((*path, number), f"{_dotted(path)} must be {_described(schema, root)}")
        else:
            yield from _violations(each, items, (*path, number), root)


def _in_table(value: dict[str, Any], schema: Schema, path: KeyPath, root: Schema) -> Iterator[Violation]:
    properties, others = schema.get("properties", {}), schema.get("additionalProperties", True)
    if len(value) > schema.get("maxProperties", math.inf):
        yield Violation(path, f"{_dotted(path)} has more than {schema['maxProperties']:,} patterns; use fewer")
    for name, inner in value.items():
        most = schema.get("propertyNames", {}).get("maxLength", math.inf)
        if name not in properties and others is False:
            where = f" in {_dotted(path)}" if path else ""
            yield Violation((*path, name), f"unknown setting {name[:60]!r}{where}; use {', '.join(properties)}")
        elif len(name) > most:
            yield Violation(path, f"{_dotted(path)} has a pattern of more than {most} characters; shorten it")
        else:
            yield from _violations(inner, properties.get(name, {} if others is True else others), (*path, name), root)
    for name, others in schema.get("dependentRequired", {}).items():
        if name in value and (lacking := [each for each in others if each not in value]):
            yield Violation((*path, name), f"{_dotted(path)}.{name} needs {_dotted(path)}.{lacking[0]}")
    for name in schema.get("required", ()):
        if name not in value:
            yield Violation(path, f"{_dotted(path)} lacks '{name}'")


def _described(schema: Schema, root: Schema) -> str:
    """Return in words what a value must be."""
    schema = _resolved(schema, root)
    names = _type_names(schema)
    if "anyOf" in schema:
        words = " or ".join(_described(each, root) for each in schema["anyOf"])
    elif "const" in schema:
        words = json.dumps(schema["const"])
    elif "enum" in schema:
        words = f"one of {', '.join(map(json.dumps, schema['enum']))}"
    elif names == ["array"]:
        count = (
            f"{schema['minItems']} " if "minItems" in schema and schema["minItems"] == schema.get("maxItems") else ""
        )
        inner = _type_names(_resolved(schema.get("items", {}), root))
        words = f"a list of {count}{_MANY[inner[0]] if len(inner) == 1 else 'values'}"
    else:
        words = " or ".join(_ONE[name] for name in names)
    return words


def _dotted(path: KeyPath) -> str:
    """Return a path as it is shown: ``contract.pose``; which entry of a list it is, its line says."""
    return ".".join(str(key) for key in path if isinstance(key, str))
