"""Evaluate expressions of xacro by what is allowed.

An expression is parsed by Python's ``ast`` and evaluated node by node. Nothing is compiled, and no attribute of an
object is read by its name: behind a dot there is a name of a namespace, a key of a YAML dictionary or a method that
:mod:`.methods` lists. A node that is not in :data:`NODES` is an error before anything is evaluated.
"""

from __future__ import annotations

import ast
import operator
import re
import warnings
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache, partial
from typing import Any, cast

from sdfviewer.formats.xacro.functions import READING_METHODS, make_methods
from sdfviewer.formats.xacro.reads import Recorder
from sdfviewer.formats.xacro.values import (
    DICTS,
    OPERATORS,
    YAML_COLLECTIONS,
    Bounds,
    ExpressionError,
    Function,
    YamlDict,
    YamlList,
    admitted,
    describe,
)

#: Characters of the longest expression: each one may be a level of the tree that Python makes of it.
MOST_CHARACTERS = 20_000
#: So many expressions of so many characters at most are remembered: a macro evaluates the same ones each time that it
#: is called. Longer ones would hold memory for the next file.
_REMEMBERED, _MOST_REMEMBERED_CHARACTERS = 2048, 120

#: The nodes that an expression may have; each has a method below, or is a part of one that has.
NODES: frozenset[type[ast.AST]] = frozenset(
    {
        *(ast.Expression, ast.Constant, ast.Name, ast.Attribute, ast.Subscript, ast.Slice, ast.Call, ast.keyword),
        *(ast.Starred, ast.UnaryOp, ast.BinOp, ast.BoolOp, ast.Compare, ast.IfExp, ast.Lambda, ast.arguments, ast.arg),
        *(ast.List, ast.Tuple, ast.Set, ast.Dict, ast.JoinedStr, ast.FormattedValue),
        *(ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp, ast.comprehension, ast.Load, ast.Store),
        *(ast.UAdd, ast.USub, ast.Not, ast.Invert, ast.And, ast.Or),
        *OPERATORS,
        *(ast.Eq, ast.NotEq, ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.Is, ast.IsNot, ast.In, ast.NotIn),
    }
)
#: What the others are called.
_UNSUPPORTED: dict[type[ast.AST], str] = {
    ast.NamedExpr: "an assignment with :=",
    ast.Await: "await",
    ast.Yield: "yield",
    ast.YieldFrom: "yield",
    ast.MatMult: "the operator @",
}
#: The types of constants.
CONSTANTS = frozenset({bool, int, float, str, type(None)})

_UNARY: dict[type[ast.unaryop], Callable[[Any], Any]] = {
    ast.UAdd: operator.pos,
    ast.USub: operator.neg,
    ast.Not: operator.not_,
    ast.Invert: operator.invert,
}
_COMPARISONS: dict[type[ast.cmpop], Callable[[Any, Any], Any]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Is: operator.is_,
    ast.IsNot: operator.is_not,
}
_CONVERSIONS: dict[int, Callable[[object], str]] = {ord("s"): str, ord("r"): repr, ord("a"): ascii}

#: How Python says that a function has other parameters, with a name and a count of its own.
_WRONG_ARGUMENTS = re.compile(r"[\w.<>]+\(\) (?:takes|missing|got)\b")

#: The names of an expression: raises KeyError for those that are missing.
Names = Mapping[str, Any]


class _Local(dict[str, Any]):
    """The variables of a comprehension or of a lambda expression, before those around it."""

    def __init__(self, around: Names) -> None:
        super().__init__()
        self._around = around

    def __missing__(self, name: str) -> Any:
        return self._around[name]


def parse(expression: str) -> ast.expr:
    """Return the tree of an expression.

    Raises
    ------
    ExpressionError
        If it has what is not supported.
    SyntaxError
        If it is no expression of Python.
    """
    if len(expression) > MOST_CHARACTERS:
        raise ExpressionError(f"an expression is longer than {MOST_CHARACTERS} characters")
    return (_parse_once if len(expression) <= _MOST_REMEMBERED_CHARACTERS else _parse)(expression)


def _parse(expression: str) -> ast.expr:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # '\d', which Python will refuse one day
        try:
            tree = ast.parse(expression.strip(), "<expression>", "eval")
        except MemoryError as error:  # how Python's parser says it
            raise ExpressionError("an expression is nested too deeply") from error
    for node in ast.walk(tree):
        _check(node)
    return tree.body


_parse_once = lru_cache(maxsize=_REMEMBERED)(_parse)


def _check(node: ast.AST) -> None:
    """Raise ExpressionError where a node is not supported."""
    if type(node) not in NODES:
        what = _UNSUPPORTED.get(type(node), type(node).__name__)
        raise ExpressionError(f"{what} is not supported")
    if isinstance(node, ast.Constant) and type(node.value) not in CONSTANTS:
        what = "..." if node.value is ... else type(node.value).__name__
        raise ExpressionError(f"{what} is not supported: write a number or a text")
    if isinstance(node, ast.comprehension) and node.is_async:
        raise ExpressionError("async is not supported")
    if isinstance(node, ast.arguments) and (node.vararg or node.kwarg or node.kwonlyargs):
        raise ExpressionError("a lambda expression has plain parameters only")
    name = node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""
    if name.startswith("__"):
        raise ExpressionError(f"use of invalid name {name}")


class Interpreter:
    """Evaluates expressions.

    Parameters
    ----------
    bounds
        Bounds what they make.
    namespace
        The type of a namespace, whose names are reached with a dot.
    reads
        Notes what is read out of YAML files.
    """

    def __init__(self, bounds: Bounds, namespace: type, reads: Recorder) -> None:
        self._bounds = bounds
        self._namespace = namespace
        self._reads = reads
        self._methods = make_methods(bounds, self.apply)

    def evaluate(self, expression: str, names: Names) -> Any:
        """Return the value of an expression.

        Parameters
        ----------
        expression
            The text.
        names
            The values of names.

        Raises
        ------
        ExpressionError
            If it has what is not supported, or makes something too large.
        SyntaxError
            If it is no expression of Python.
        ArithmeticError, LookupError, NameError, TypeError, ValueError
            As in Python.
        """
        value = self._value(parse(expression), names)
        self._bounds.measure(value)
        return value

    def apply(self, function: Any, /, *arguments: Any, **named: Any) -> Any:
        """Return what a function gives.

        Raises
        ------
        ExpressionError
            If it is none, or has other parameters.
        """
        if type(function) is not Function:
            raise ExpressionError(f"{describe(function)} cannot be called")
        try:
            result = function.call(*arguments, **named)
        except KeyError as error:
            raise ExpressionError(f"there is no {error}") from error
        except TypeError as error:
            if _WRONG_ARGUMENTS.match(str(error)):
                raise ExpressionError(
                    f"{function.name} is called with too few, too many or unknown arguments"
                ) from error
            raise
        return self._bounds.made(result)

    def _value(self, node: ast.expr, names: Names) -> Any:
        evaluate = _EVALUATORS.get(type(node))
        if evaluate is None:  # a slice or a star, where Python refuses it only when it runs
            raise ExpressionError(f"{type(node).__name__} is not supported at this place")
        return evaluate(self, node, names)

    # --- names ---------------------------------------------------------------------------------------------------

    def _constant(self, node: ast.Constant, _names: Names) -> Any:
        return self._bounds.made(node.value)

    def _named(self, node: ast.Name | ast.Attribute, names: Names) -> Any:
        found = self._found(node, names)
        if isinstance(found, self._namespace):
            raise ExpressionError(f"'{ast.unparse(node)}' is a namespace: name what is in it")
        return admitted(found)

    def _found(self, node: ast.expr, names: Names) -> Any:
        """Return what a node names, which may be a namespace."""
        if isinstance(node, ast.Name):
            try:
                return names[node.id]
            except KeyError:
                raise NameError(f"name '{node.id}' is not defined") from None
        if not isinstance(node, ast.Attribute):
            return self._value(node, names)
        value, name = self._found(node.value, names), node.attr
        if isinstance(value, self._namespace):
            return self._in_namespace(value, name)
        if type(value) is not YamlDict:
            if name in self._methods.get(type(value), ()):
                raise ExpressionError(f"'{name}' is a function of {describe(value)}: call it, as in {name}()")
            raise ExpressionError(f"{describe(value)} has no '{name}'")
        if name in vars(dict):  # which xacro finds first
            raise ExpressionError(f"'{name}' is a function of dictionaries: write ['{name}'] for the key")
        if name not in value:
            raise ExpressionError(f"The yaml dictionary has no key '{name}'")
        self._reads.read_key(value, name)
        return value[name]

    def _in_namespace(self, namespace: Any, name: str) -> Any:
        if name in _OWN_OF_TABLES:
            raise ExpressionError(f"'{name}' of a namespace is a name of xacro's own: rename the property")
        try:
            return namespace[name]
        except KeyError:
            raise NameError(f"name '{name}' is not defined") from None

    def _subscript(self, node: ast.Subscript, names: Names) -> Any:
        value = self._found(node.value, names)
        if isinstance(value, self._namespace):
            key = self._value(node.slice, names)
            if type(key) is not str or key.startswith("*"):
                raise ExpressionError("a namespace has names only")
            return admitted(self._in_namespace(value, key))
        admitted(value)
        if isinstance(node.slice, ast.Slice):
            bounds = (node.slice.lower, node.slice.upper, node.slice.step)
            part = slice(*(None if each is None else self._value(each, names) for each in bounds))
            if type(value) in DICTS:
                raise ExpressionError("a dictionary has no slices")
            found = value[part]
            if type(value) is YamlList:
                found = YamlList(found)
                found.places = value.places and value.places.part(part)
            return self._bounds.made(found)
        key = self._value(node.slice, names)
        if type(value) in DICTS:
            self._bounds.measure(key)
            if key not in value:
                what = "yaml dictionary" if type(value) is YamlDict else "dictionary"
                raise ExpressionError(f"The {what} has no key {repr(key)[:100]}")
        elif type(value) is Function:
            raise ExpressionError(f"{describe(value)} has no elements")
        found = value[key]
        if type(value) in YAML_COLLECTIONS:
            self._reads.read_key(value, key)
        return found

    def _call(self, node: ast.Call, names: Names) -> Any:
        function = self._callable(node.func, names)
        arguments = self._sequence(node.args, names)
        named: dict[str, Any] = {}
        for keyword in node.keywords:
            value = self._value(keyword.value, names)
            if keyword.arg is not None:
                named[keyword.arg] = value
            elif type(value) in DICTS:
                named.update(value)
            else:
                raise ExpressionError(f"{describe(value)} behind ** is no dictionary")
        return self.apply(function, *arguments, **named)

    def _callable(self, node: ast.expr, names: Names) -> Any:
        """Return what is called: the value of a node, or a method of one."""
        if not isinstance(node, ast.Attribute):
            return self._value(node, names)
        receiver, name = self._found(node.value, names), node.attr
        if isinstance(receiver, self._namespace):
            return self._in_namespace(receiver, name)
        method = self._methods.get(type(receiver), {}).get(name)
        if method is not None:
            if type(receiver) in YAML_COLLECTIONS and name not in READING_METHODS:
                receiver.places = None  # what is in it is no longer what is in the file
            if name == "get" and type(receiver) is YamlDict:
                return Function(name, partial(self._get, receiver, method))
            return Function(name, partial(method, receiver))
        if type(receiver) is YamlDict and name in receiver:
            return receiver[name]
        raise ExpressionError(f"{describe(receiver)} has no function '{name}' that is supported")

    def _get(self, value: YamlDict, method: Callable[..., Any], key: Any, *default: Any) -> Any:
        found = method(value, key, *default)
        self._reads.read_key(value, key)
        return found

    # --- operators -----------------------------------------------------------------------------------------------

    def _unary(self, node: ast.UnaryOp, names: Names) -> Any:
        return self._bounds.made(_UNARY[type(node.op)](self._value(node.operand, names)))

    def _binary(self, node: ast.BinOp, names: Names) -> Any:
        return self._bounds.binary(type(node.op), self._value(node.left, names), self._value(node.right, names))

    def _boolean(self, node: ast.BoolOp, names: Names) -> Any:
        value = None
        for each in node.values:
            value = self._value(each, names)
            if bool(value) is isinstance(node.op, ast.Or):
                break
        return value

    def _comparison(self, node: ast.Compare, names: Names) -> Any:
        left = self._value(node.left, names)
        result: Any = True
        for kind, right_node in zip(map(type, node.ops), node.comparators, strict=True):
            if kind in (ast.In, ast.NotIn):
                right = self._found(right_node, names)
                if isinstance(right, self._namespace):
                    found = type(left) is str and left in cast("Names", right)
                else:
                    found = self._bounds.contains(right, left)
                result = found is (kind is ast.In)
            else:
                right = self._value(right_node, names)
                result = _COMPARISONS[kind](*self._bounds.compare(left, right))
            if not result:
                break
            left = right
        return result

    def _conditional(self, node: ast.IfExp, names: Names) -> Any:
        return self._value(node.body if self._value(node.test, names) else node.orelse, names)

    def _lambda(self, node: ast.Lambda, names: Names) -> Function:
        parameters = [each.arg for each in (*node.args.posonlyargs, *node.args.args)]
        defaults = [self._value(each, names) for each in node.args.defaults]

        def call(*arguments: Any, **named: Any) -> Any:
            self._bounds.count(1)
            local = _Local(names)
            local.update(zip(parameters[len(parameters) - len(defaults) :], defaults, strict=True))
            local.update(zip(parameters, arguments, strict=False))
            if len(arguments) > len(parameters) or set(named) - set(parameters[len(arguments) :]):
                raise ExpressionError("a lambda expression is called with too many arguments")
            local.update(named)
            missing = [each for each in parameters if not dict.__contains__(local, each)]
            if missing:
                raise ExpressionError(f"a lambda expression is called without '{missing[0]}'")
            return self._value(node.body, local)

        return Function("lambda", call)

    # --- collections and texts -------------------------------------------------------------------------------------

    def _sequence(self, nodes: list[ast.expr], names: Names) -> list[Any]:
        values: list[Any] = []
        for each in nodes:
            if isinstance(each, ast.Starred):
                values.extend(self._bounds.iterate(self._value(each.value, names)))
            else:
                values.append(self._value(each, names))
        self._made(values)
        return values

    def _made(self, value: Any) -> Any:
        """Return a collection that was made of others, if it is not too large with them."""
        self._bounds.measure(value)
        return self._bounds.made(value)

    def _list(self, node: ast.List, names: Names) -> list[Any]:
        return self._sequence(node.elts, names)

    def _tuple(self, node: ast.Tuple, names: Names) -> tuple[Any, ...]:
        return tuple(self._sequence(node.elts, names))

    def _set(self, node: ast.Set, names: Names) -> set[Any]:
        return set(self._sequence(node.elts, names))

    def _dict(self, node: ast.Dict, names: Names) -> dict[Any, Any]:
        made: dict[Any, Any] = {}
        for key, value_node in zip(node.keys, node.values, strict=True):
            value = self._value(value_node, names)
            if key is not None:
                made[self._made(self._value(key, names))] = value
            elif type(value) in DICTS:
                made.update(value)
            else:
                raise ExpressionError(f"{describe(value)} behind ** is no dictionary")
        self._made(made)
        return made

    def _elements(self, node: ast.ListComp | ast.SetComp | ast.GeneratorExp, names: Names) -> list[Any]:
        elements = [self._value(node.elt, local) for local in self._loop(node.generators, names)]
        self._made(elements)
        return elements

    def _set_elements(self, node: ast.SetComp, names: Names) -> set[Any]:
        return set(self._elements(node, names))

    def _items(self, node: ast.DictComp, names: Names) -> dict[Any, Any]:
        made: dict[Any, Any] = {}
        for local in self._loop(node.generators, names):
            made[self._made(self._value(node.key, local))] = self._value(node.value, local)
        self._made(made)
        return made

    def _loop(self, generators: list[ast.comprehension], names: Names, local: Names | None = None) -> Iterator[Names]:
        """Yield the variables of a comprehension at each of its steps."""
        inner = _Local(names) if local is None else local
        for value in self._bounds.iterate(self._value(generators[0].iter, names if local is None else inner)):
            self._bind(generators[0].target, value, inner)  # type: ignore[arg-type]
            if all(self._value(each, inner) for each in generators[0].ifs):
                if len(generators) == 1:
                    yield inner
                else:
                    yield from self._loop(generators[1:], names, inner)

    def _bind(self, target: ast.expr, value: Any, local: dict[str, Any]) -> None:
        if isinstance(target, ast.Name):
            local[target.id] = value
        elif isinstance(target, (ast.Tuple, ast.List)):
            values = self._bounds.elements(value)
            if len(values) != len(target.elts):
                raise ValueError(f"{len(target.elts)} names are given {len(values)} values")
            for each, part in zip(target.elts, values, strict=True):
                self._bind(each, part, local)
        else:
            raise ExpressionError("a comprehension may set names only")

    def _joined(self, node: ast.JoinedStr, names: Names) -> str:
        parts = [self._text(each, names) for each in node.values]
        self._bounds.allow(sum(map(len, parts)))
        return "".join(parts)

    def _text(self, node: ast.expr, names: Names) -> str:
        if not isinstance(node, ast.FormattedValue):
            return str(self._value(node, names))
        value = self._value(node.value, names)
        convert = _CONVERSIONS.get(node.conversion)
        if convert is not None:
            self._bounds.measure(value)
            value = convert(value)
        return self._bounds.format(value, "" if node.format_spec is None else self._text(node.format_spec, names))


_EVALUATORS: dict[type[ast.expr], Callable[[Interpreter, Any, Names], Any]] = {
    ast.Constant: Interpreter._constant,
    ast.Name: Interpreter._named,
    ast.Attribute: Interpreter._named,
    ast.Subscript: Interpreter._subscript,
    ast.Call: Interpreter._call,
    ast.UnaryOp: Interpreter._unary,
    ast.BinOp: Interpreter._binary,
    ast.BoolOp: Interpreter._boolean,
    ast.Compare: Interpreter._comparison,
    ast.IfExp: Interpreter._conditional,
    ast.Lambda: Interpreter._lambda,
    ast.List: Interpreter._list,
    ast.Tuple: Interpreter._tuple,
    ast.Set: Interpreter._set,
    ast.Dict: Interpreter._dict,
    ast.ListComp: Interpreter._elements,
    ast.SetComp: Interpreter._set_elements,
    ast.DictComp: Interpreter._items,
    ast.GeneratorExp: Interpreter._elements,
    ast.JoinedStr: Interpreter._joined,
}

#: What xacro's own tables have for attributes, which it finds before the names that a file gives them.
_OWN_OF_TABLES = frozenset({*vars(dict), "depth", "parent", "recursive", "root", "top", "unevaluated"})
