"""Let the tables of xacro remember where each name got its value, and note each time that it is read."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from xml.dom import minidom

from sdfviewer.formats.xacro.reads import Definition, DefinitionKind, ElementPlace, Recorder, TextReading

#: The attribute of a table that holds where its names got their values.
_DEFINITIONS = "sdfviewer_definitions"


def record_names(
    engine: Any, recorder: Recorder, origin_of: Callable[[minidom.Element], tuple[int, int] | None]
) -> None:
    """Wrap what sets and reads names.

    Parameters
    ----------
    engine
        The module ``xacro``, which has no types.
    recorder
        Notes what is read, and knows which macro is called.
    origin_of
        Returns the file and the number of an element.
    """
    grab, default_of = engine.grab_property, engine.eval_default_arg
    set_item, resolve = engine.Table._setitem, engine.Table._resolve_

    def grab_property(element: minidom.Element, table: Any) -> None:
        before = recorder.definer
        attribute = "default" if element.hasAttribute("default") else "value"
        recorder.definer = (DefinitionKind.PROPERTY, origin_of(element), attribute)
        try:
            grab(element, table)
        finally:
            recorder.definer = before

    def evaluate_default(forwarded: str | None, default: str | None, symbols: Any, macro: Any) -> Any:
        recorder.begin()  # a property of the caller that is forwarded is read without an expression
        try:
            value = default_of(forwarded, default, symbols, macro)
            evaluated = recorder.last
        finally:
            recorder.end("")
        if not recorder.last.definitions:
            recorder.last = evaluated
        recorder.definer = (DefinitionKind.DEFAULT, origin_of(macro.body), "params")
        return value

    def define(table: Any, name: str, value: Any, unevaluated: bool) -> None:
        set_item(table, name, value, unevaluated)
        if name.startswith("*") or isinstance(value, engine.NameSpace):  # a block, a namespace
            return
        kind, origin, attribute = recorder.definer
        place = None if origin is None else ElementPlace(*origin, attribute or name)
        reading = TextReading() if unevaluated else recorder.last
        call = recorder.call if kind == DefinitionKind.DEFAULT else None
        table.__dict__.setdefault(_DEFINITIONS, {})[name] = Definition(kind, name, place, reading, call)

    def read(table: Any, name: str) -> Any:
        definition = table.__dict__.get(_DEFINITIONS, {}).get(name)
        if definition is None:
            return resolve(table, name)
        is_new = name in table.unevaluated
        value = resolve(table, name)
        if is_new:  # its text has been evaluated just now
            definition.reading = recorder.last
        recorder.read(definition)
        return value

    engine.grab_property, engine.eval_default_arg = grab_property, evaluate_default
    engine.Table._setitem, engine.Table._resolve_ = define, read
