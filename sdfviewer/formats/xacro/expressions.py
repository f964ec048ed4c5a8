"""Give the package xacro an evaluation of our own: it calls Python's ``eval``, and a file could run code by it.

YAML files are read as plain values, and numbers with units such as ``!degrees 90``; each collection knows where its
values are written.
"""

from __future__ import annotations

import math
import os
import re
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, TypeAlias

from sdfviewer.formats.xacro.functions import Builtins, math_symbols
from sdfviewer.formats.xacro.interpreter import Interpreter, Names
from sdfviewer.formats.xacro.reads import TEXT_PART, Definition, DefinitionKind, FilePlace, Recorder
from sdfviewer.formats.xacro.values import (
    DICTS,
    LISTS,
    MOST_DEPTH,
    NUMBERS,
    Bounds,
    ExpressionError,
    Function,
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


#: The separators of ``xacro.tokenize`` are the inside of a character class.
_SEPARATORS = re.compile(r"(?:[^\]\[\\^]|\\[sdwtn])+")
#: Characters of the longest value of a part of a text that is recorded.
_LONGEST_NOTED = 1_000
#: The symbols that are in a namespace, and can be used without it for the time being.
_DEPRECATED = {"python": ("range", "sorted"), "xacro": ("abs_filename", "dotify", "load_yaml")}


def replace_evaluation(engine: Any, substitution: Any, count: Callable[[int], None], reads: Recorder) -> None:
    """Replace how xacro evaluates expressions.

    Parameters
    ----------
    engine, substitution
        The modules ``xacro`` and ``xacro.substitution_args``, which have no types.
    count
        Counts steps, and raises where there are too many.
    reads
        Notes what is read.
    """
    evaluation = ExpressionEvaluation(engine, substitution, Bounds(count), reads)
    engine._global_symbols.clear()
    engine._global_symbols.update(evaluation.symbols)
    engine.safe_eval, engine.eval_text = evaluation.evaluate, evaluation.evaluate_text
    engine.load_yaml = evaluation.load_yaml
    substitution._eval = evaluation.evaluate_substitution


class _ArgumentNames(dict[str, Any]):
    """The names of ``$(eval …)``, and the arguments that have no other meaning there."""

    def __init__(self, argument: Callable[[str], Any]) -> None:
        super().__init__()
        self._argument = argument

    def __missing__(self, name: str) -> Any:
        return self._argument(name)


class ExpressionEvaluation:
    """What xacro asks for values.

    Attributes
    ----------
    namespaces
        The names in each namespace that every file has.
    symbols
        All that a file can name: functions, constants and namespaces.
    """

    def __init__(self, engine: Any, substitution: Any, bounds: Bounds, reads: Recorder) -> None:
        self._engine, self._substitution, self._bounds, self._reads = engine, substitution, bounds, reads
        self._interpreter = Interpreter(bounds, engine.NameSpace, reads)
        self._builtins = Builtins(bounds, self._interpreter.apply)
        self._math = math_symbols(bounds)
        self.namespaces: dict[str, Mapping[str, Any]] = {
            "python": self._builtins.in_namespace,
            "math": self._math,
            "xacro": self._own_symbols(),
        }
        self.symbols: dict[str, Any] = {**self._builtins.direct, **self._math}
        for space, symbols in self.namespaces.items():
            self.symbols[space] = engine.NameSpace()
            self.symbols[space].update(symbols)
            for name in _DEPRECATED.get(space, ()):
                self.symbols[name] = self._deprecated(space, symbols[name])

    def _own_symbols(self) -> dict[str, Function]:
        functions: dict[str, Callable[..., Any]] = {
            "abs_filename": self._abs_filename,
            "arg": self._arg,
            "dotify": self._dotify,
            "error": self._message,
            "fatal": self._fatal,
            "load_yaml": self.load_yaml,
            "message": self._message,
            "print_location": self._message,
            "tokenize": self._tokenize,
            "warning": self._message,
        }
        return {name: Function(name, function) for name, function in functions.items()}

    def _deprecated(self, space: str, function: Function) -> Function:
        def call(*arguments: Any, **named: Any) -> Any:
            name = function.name
            self._engine.warning(f"Using {name}() directly is deprecated. Use {space}.{name}() instead.")
            return function.call(*arguments, **named)

        return Function(function.name, call)

    # --- what xacro calls ----------------------------------------------------------------------------------------

    def evaluate(self, expression: str, symbols: Names, _local: object = None) -> Any:
        """Return the value of an expression."""
        return self._interpreter.evaluate(expression, symbols)

    def evaluate_text(self, text: str | None, symbols: Names) -> Any:
        """Return a text with its expressions replaced; the value itself where it is one expression."""
        if not text or "$" not in text:
            self._reads.begin_plain()
            return text or ""
        self._reads.begin()
        parts: list[Any] = []
        try:
            parts = self._parts(text, symbols)
            return self._joined(parts)
        finally:
            self._reads.end(text, tuple(map(_noted, parts)))

    def _value(self, text: str, symbols: Names) -> Any:
        return text if "$" not in text else self._joined(self._parts(text, symbols))

    def _parts(self, text: str, symbols: Names) -> list[Any]:
        parts: list[Any] = []
        at = 0
        while at < len(text):
            part = TEXT_PART.match(text, at)
            if part is None:
                raise self._engine.XacroException("invalid expression: " + text[at:])
            at = part.end()
            escaped, expression, extension, plain = part.groups()
            if expression is not None:
                parts.append(self._expression(expression, symbols))
            elif extension is not None:
                inner = self._bounds.text(self._value(extension, symbols))
                parts.append(self._engine.eval_extension(f"$({inner})"))
            else:
                parts.append(plain if escaped is None else escaped[1:])
        return parts

    def _joined(self, parts: list[Any]) -> Any:
        if len(parts) == 1:
            return parts[0]
        texts = [self._bounds.text(part) for part in parts]
        self._bounds.allow(sum(map(len, texts)))
        return self._bounds.made("".join(texts))

    def _expression(self, expression: str, symbols: Names) -> Any:
        try:
            return self.evaluate(self._bounds.text(self._value(expression, symbols)), symbols)
        except Exception as error:
            suffix = f"{os.linesep}when evaluating expression '{expression}'"
            raise self._engine.XacroException(exc=error, suffix=suffix) from error

    def evaluate_substitution(self, expression: str, context: Mapping[str, Any]) -> str:
        """Return the value of ``$(eval expression)``."""
        if "__" in expression:
            raise self._substitution.SubstitutionException("$(eval ...) may not contain double underscore expressions")
        arguments = context.get("arg", {})
        convert = partial(self._substitution.convert_value, type_="auto")
        names = _ArgumentNames(lambda name: convert(arguments[name]))
        names |= {
            **{name: value for name, value in self._builtins.in_namespace.items() if name not in arguments},
            **self._math,
            "true": True,
            "false": False,
            "arg": Function("arg", lambda name: convert(arguments[name])),
            "env": Function("env", self._substitution._eval_env),
            "optenv": Function("optenv", self._substitution._eval_optenv),
            "find": Function("find", self._substitution._eval_find),
        }
        return self._bounds.text(self._interpreter.evaluate(expression, names))

    # --- the functions of xacro ----------------------------------------------------------------------------------

    def load_yaml(self, filename: str) -> Any:
        """Return what is in a YAML file."""
        engine = self._engine
        path = self._abs_filename(filename)
        engine.filestack.append(path)
        try:
            value = read_yaml(path, self._bounds, lambda text: self.evaluate(text, self.symbols))
            self._reads.read(Definition(DefinitionKind.YAML, "", FilePlace(path, 0, 0)))
            return value
        finally:
            engine.filestack.pop()
            engine.all_includes.append(path)

    def _abs_filename(self, filename: str) -> str:
        if type(filename) is not str:
            raise TypeError("a file is named by a text")
        return str(self._engine.abs_filename_spec(filename))

    def _arg(self, name: str) -> Any:
        return self._engine.substitution_args_context["arg"][name]

    def _dotify(self, dictionary: Any = None, /, **named: Any) -> Any:
        values = {} if dictionary is None else dictionary
        if type(values) not in DICTS:
            values = self._builtins.direct["dict"].call(values)
        return with_dots({**values, **named}, self._bounds)

    def _message(self, *words: Any, print_location: Any = None, file: Any = None) -> str:
        for word in words:
            self._bounds.text(word)
        return ""

    def _fatal(self, *words: Any) -> Any:
        raise self._engine.XacroException(" ".join(self._bounds.text(each) for each in words))

    def _tokenize(self, s: str, sep: str = ",; ", skip_empty: Any = True) -> list[str]:
        if type(s) is not str or type(sep) is not str:
            raise TypeError("xacro.tokenize needs a text")
        if not _SEPARATORS.fullmatch(sep):
            raise ExpressionError(f"the separators '{sep[:20]}' are not supported")
        found = re.split(f"[{sep}]", s)
        return [each for each in found if each] if skip_empty else found


def _noted(part: Any) -> str | None:
    """Return the value of a part of a text as it is recorded, None where it is no short text or number."""
    text = str(part) if type(part) in NUMBERS else part
    return text if type(text) is str and len(text) <= _LONGEST_NOTED else None
