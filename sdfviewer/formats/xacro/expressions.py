"""Bound the expressions of xacro: what they may reach, and how large and how long what they make may be."""

from __future__ import annotations

import ast
import operator
import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any

#: The longest text, list or whole number (in bits) that an expression may make, and the most values of a YAML file.
_LARGEST = 1_000_000
#: The largest exponent that an expression may write: ``10**10**10`` would take forever.
_MOST_EXPONENT = 64
#: Loops in the comprehensions of one expression.
_MOST_LOOPS = 2
#: How an expression calls what its operators are replaced by, and what its loops run over.
_BOUNDED, _COUNTED = "_bounded", "_counted"
_OPERATORS: dict[str, Callable[[Any, Any], Any]] = {
    "Mult": operator.mul,
    "Pow": operator.pow,
    "LShift": operator.lshift,
    "Mod": operator.mod,
    "Add": operator.add,
}


def bound_expressions(engine: Any, count: Callable[[int], None]) -> None:
    """Bound what expressions may reach, and how large what they make may be.

    Parameters
    ----------
    engine
        The module ``xacro``, which has no types.
    count
        Counts steps of loops, and raises where there are too many.
    """
    safe_eval, eval_text, wrap_list = engine.safe_eval, engine.eval_text, engine.YamlListWrapper.wrap

    def counted(values: Iterable[object]) -> Iterator[object]:
        for value in values:
            count(1)
            yield value

    def evaluate_safely(expression: str, symbols: Any, local: object = None) -> object:
        _check_expression(engine, expression)
        try:
            tree = ast.parse(expression.strip(), mode="eval")
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return safe_eval(expression, symbols, local)  # which reports it
        # Nested scopes, of a lambda for example, see the global names only.
        dict.__setitem__(symbols, _BOUNDED, lambda name, a, b: _apply(engine, name, a, b))
        dict.__setitem__(symbols, _COUNTED, counted)
        bounded = ast.unparse(ast.fix_missing_locations(_Bounded().visit(tree)))
        return _checked(engine, safe_eval(bounded, symbols, local))

    def evaluate_text(text: str, symbols: object) -> object:
        return _checked(engine, eval_text(text, symbols))

    def wrap_yaml(value: object) -> object:
        _check_yaml(engine, value)
        return wrap_list(value)

    engine.safe_eval, engine.eval_text = evaluate_safely, evaluate_text
    for names in (engine._global_symbols, engine._global_symbols["python"]):
        names["range"] = _counted_range(names["range"], count)
    engine.YamlListWrapper.wrap = staticmethod(wrap_yaml)


def _check_expression(engine: Any, expression: str) -> None:
    """Refuse an expression that reaches into Python, or that would take forever.

    xacro checks the names of the outermost code only; names in a lambda or a comprehension count here too.
    """
    try:
        tree = ast.parse(expression.strip(), mode="eval")
    except (SyntaxError, ValueError):
        return  # which xacro reports
    loops = sum(len(getattr(node, "generators", ())) for node in ast.walk(tree))
    if loops > _MOST_LOOPS:
        raise engine.XacroException("an expression has too many nested loops")
    for node in ast.walk(tree):
        name = node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""
        if name.startswith("__"):
            raise engine.XacroException(f"use of invalid name {name}")
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Pow):
            numbers = [each.value for each in ast.walk(node.right) if isinstance(each, ast.Constant)]
            is_nested = any(isinstance(each, ast.Pow) for each in ast.walk(node.right))
            if is_nested or any(isinstance(number, int) and number > _MOST_EXPONENT for number in numbers):
                raise engine.XacroException("an exponent is too large")


class _Bounded(ast.NodeTransformer):
    """Replaces the operators that can make something large by calls that count first, and counts the steps of loops."""

    def visit_comprehension(self, node: ast.comprehension) -> ast.AST:
        self.generic_visit(node)
        node.iter = ast.Call(ast.Name(_COUNTED, ast.Load()), [node.iter], [])
        return node

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        self.generic_visit(node)
        name = type(node.op).__name__
        if name not in _OPERATORS:
            return node
        function = ast.Name(_BOUNDED, ast.Load())
        return ast.Call(function, [ast.Constant(name), node.left, node.right], [])


def _counted_range(make: Callable[..., range], count: Callable[[int], None]) -> Callable[..., range]:
    """Return ``range`` with its elements counted: ``list`` or ``sum`` may run over all of them."""

    def counted(*bounds: int) -> range:
        count(len(range(*bounds)))
        return make(*bounds)

    return counted


def _apply(engine: Any, name: str, a: Any, b: Any) -> object:
    sizes = [len(each) for each in (a, b) if isinstance(each, (str, bytes, list, tuple))]
    counts = [each for each in (a, b) if isinstance(each, int)]
    if name == "Mult" and sizes and counts:
        too_large = sizes[0] * counts[0] > _LARGEST
    elif name == "Pow" and len(counts) == 2:
        too_large = a.bit_length() * max(b, 0) > _LARGEST
    elif name == "LShift" and len(counts) == 2:
        too_large = b > _LARGEST
    elif name == "Mod" and isinstance(a, str):
        too_large = any(int(digits) > _LARGEST for digits in re.findall("[0-9]{1,18}", a)) or "*" in a
    else:
        too_large = sum(sizes) > 2 * _LARGEST
    if too_large:
        raise engine.XacroException("an expression creates a value that is too large")
    return _checked(engine, _OPERATORS[name](a, b))


def _checked(engine: Any, value: object) -> object:
    """Return a value that an expression has made, if it is no larger than any robot needs."""
    size = len(value) if isinstance(value, (str, bytes, list, tuple)) else 0
    if isinstance(value, int):
        size = value.bit_length()
    if size > _LARGEST:
        raise engine.XacroException("an expression creates a value that is too large")
    return value


def _check_yaml(engine: Any, value: object) -> None:
    """Refuse a YAML file whose aliases expand to more values than any robot needs."""
    stack, seen = [value], 0
    while stack:
        each = stack.pop()
        seen += 1
        if seen + len(stack) > _LARGEST:
            raise engine.XacroException("a YAML file expands to too many values")
        if isinstance(each, dict):
            stack += each.values()
        elif isinstance(each, list):
            stack += each
