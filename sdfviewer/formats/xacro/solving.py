"""Solve an expression of xacro for one of its terms, so that it has another value.

Nothing is evaluated but plain arithmetic of floating-point numbers and the joining of texts: the values of names are
those that the evaluation of the file has recorded.
"""

from __future__ import annotations

import ast
import math
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from sdfviewer.formats.xacro.interpreter import parse
from sdfviewer.formats.xacro.values import ExpressionError

#: Longer expressions are not solved: nobody edits them by one of their terms.
_MOST_CHARACTERS = 300
#: Relative error of a value that still counts as reached: what rounding leaves of a few operations.
CLOSE = 1e-12
#: Digits with which a number is tried, the fewest first.
_DIGITS = (6, 9, 12, 15, 17)
#: A number with so many digits that is within so many steps of floating-point numbers is meant: 1.75 and not
#: 1.7499999999999998, which would only undo the rounding of an operation.
_SHORT_DIGITS, _ROUNDING = 12, 8

#: The names of an expression that lead to a value, in their order: ``p.wheel['radius']``. None for a computed one.
Chain: TypeAlias = tuple["str | None", ...]
_Value: TypeAlias = "float | str | None"

#: The functions of one number that can be solved, with their inverse.
_INVERSES: Mapping[str, tuple[Callable[[float], float], Callable[[float], float]]] = {
    "radians": (math.radians, math.degrees),
    "degrees": (math.degrees, math.radians),
    "float": (float, float),
    "sqrt": (math.sqrt, lambda value: value * value),
}
#: Names that convert units: whoever changes a size does not mean them.
_UNIT = re.compile(
    r"(?:m_)?pi|tau|(?:[a-z]+_?(?:2|to)_?[a-z]+)|mm|cm|inch(?:es)?|feet|foot|deg(?:rees?)?|rad(?:ians?)?|grams?",
    re.IGNORECASE,
)
_CONSTANTS = {"pi": math.pi, "e": math.e, "tau": math.tau}


@dataclass(frozen=True, slots=True)
class Term:
    """A term of an expression, and the value with which the expression has the one that is wanted.

    Attributes
    ----------
    chain
        The names that lead to it; empty for a constant.
    start, end
        Where it is in the expression.
    text
        Its new value.
    is_exact
        Whether the expression has the wanted value exactly, rather than but for rounding.
    """

    chain: Chain
    start: int
    end: int
    text: str
    is_exact: bool


def solve(expression: str, wanted: str, value_of: Callable[[Chain], str | None]) -> list[Term]:
    """Return the terms for which an expression can be solved, names before constants.

    Parameters
    ----------
    expression
        The expression.
    wanted
        The value that it is to have.
    value_of
        Returns the present value of a chain of names, None where it is unknown.
    """
    if len(expression) > _MOST_CHARACTERS or not expression.isascii() or "\n" in expression.strip():
        return []
    try:
        tree = parse(expression)
        return _Solver(expression, tree, value_of).terms(wanted)
    except (SyntaxError, ExpressionError, RecursionError, ArithmeticError, ValueError):
        return []


def number(text: str | None) -> float | None:
    """Return a finite number as xacro reads it, None where the text is none."""
    try:
        value = float(text or "")
    except ValueError:
        return None
    return value if math.isfinite(value) and "_" not in (text or "") else None


def number_text(value: float) -> str:
    """Return a number as it is written: the shortest text that reads back as the same one."""
    text = repr(value + 0.0)
    return text.removesuffix(".0")


class _Solver:
    def __init__(self, expression: str, tree: ast.expr, value_of: Callable[[Chain], str | None]) -> None:
        self._shift = len(expression) - len(expression.lstrip())
        self._tree, self._value_of = tree, value_of
        self._instead: tuple[Chain | ast.expr, _Value] | None = None

    def terms(self, wanted: str) -> list[Term]:
        """Return the terms with which the expression has a value."""
        now, target = self._value(self._tree), number(wanted)
        goal: _Value = wanted if isinstance(now, str) or target is None else target
        names: list[Term] = []
        units: list[Term] = []
        constants: list[Term] = []
        measures = {id(each) for node in ast.walk(self._tree) if (each := _measure(node)) is not None}
        for node, value, is_term in self._solved(self._tree, goal, is_term=True):
            chain = chain_of(node)
            if chain and any(each.chain == chain for each in (*names, *units)):
                continue
            found = self._tried(node, chain, value, goal)
            if found is None:
                continue
            if chain:
                (units if _is_unit(chain) else names).append(found)
            elif is_term or id(node) in measures:  # what another name is multiplied with is no place to write a size
                constants.append(found)
        return names + constants or units

    def _tried(self, node: ast.expr, chain: Chain, value: _Value, goal: _Value) -> Term | None:
        """Return a term with a value with which the expression has the wanted one, None where it has not."""

        def reached(candidate: _Value) -> _Value:
            self._instead = (chain or node, candidate)
            try:
                return self._value(self._tree)
            finally:
                self._instead = None

        found: tuple[str, bool] | None = None
        if isinstance(goal, float) and isinstance(value, float):
            if chain and sum(chain_of(each) == chain for each in ast.walk(self._tree)) > 1:
                found = _nearest(_affine(reached, goal), goal, reached)
            else:
                found = _nearest(value, goal, reached)
        elif isinstance(goal, str) and isinstance(value, str) and reached(value) == goal:
            found = (value if chain else repr(value)), True
        if found is None:
            return None
        return Term(chain, node.col_offset + self._shift, (node.end_col_offset or 0) + self._shift, *found)

    # --- values --------------------------------------------------------------------------------------------------

    def _value(self, node: ast.expr) -> _Value:
        """Return the present value of a node, None where it is unknown."""
        chain = chain_of(node)
        if self._instead is not None and (self._instead[0] is node or (chain and self._instead[0] == chain)):
            return self._instead[1]
        if chain:
            text = self._value_of(chain)
            found = number(text)
            return _CONSTANTS.get(chain[-1] or "") if text is None else text if found is None else found
        if isinstance(node, ast.Constant):
            value = node.value
            return value if isinstance(value, str) else float(value) if type(value) in (int, float) else None  # type: ignore[arg-type]
        return self._computed(node)

    def _computed(self, node: ast.expr) -> _Value:
        if isinstance(node, ast.BinOp):
            return _combined(node.op, self._value(node.left), self._value(node.right))
        sign, function = _sign(node), _function(node)
        inner = self._value(_argument(node)) if sign or function else None
        if not isinstance(inner, float):
            return None
        return _INVERSES[function][0](inner) if function else sign * inner

    # --- solving -------------------------------------------------------------------------------------------------

    def _solved(self, node: ast.expr, goal: _Value, *, is_term: bool) -> Iterator[tuple[ast.expr, _Value, bool]]:
        """Yield the names and constants in a node, each with the value with which that has the wanted one."""
        if goal is None:
            return
        chain = chain_of(node)
        if chain or isinstance(node, ast.Constant):
            if not chain or self._value_of(chain) is not None:
                yield node, goal, is_term
        elif (sign := _sign(node)) and isinstance(goal, float):
            yield from self._solved(_argument(node), sign * goal, is_term=is_term)
        elif isinstance(node, ast.BinOp):
            is_sum = isinstance(node.op, (ast.Add, ast.Sub))
            left, right = self._value(node.left), self._value(node.right)
            yield from self._solved(node.left, _left(node.op, goal, right), is_term=is_sum and is_term)
            yield from self._solved(node.right, _right(node.op, goal, left), is_term=is_sum and is_term)
        elif (
            (function := _function(node)) is not None and isinstance(goal, float) and (function != "sqrt" or goal >= 0)
        ):
            yield from self._solved(_argument(node), _INVERSES[function][1](goal), is_term=True)


def chain_of(node: ast.AST) -> Chain:
    """Return the names with which a node leads to a value; empty where it does more than that."""
    if isinstance(node, ast.Name):
        return (node.id,)
    if isinstance(node, ast.Attribute):
        chain = chain_of(node.value)
        return (*chain, node.attr) if chain else ()
    if isinstance(node, ast.Subscript):
        chain = chain_of(node.value)
        key = str(node.slice.value) if isinstance(node.slice, ast.Constant) else None
        return (*chain, key) if chain and not isinstance(node.slice, ast.Slice) else ()
    if isinstance(node, ast.Call) and node.args and isinstance(node.args[0], ast.Constant) and not node.keywords:
        called = chain_of(node.func)
        if called and called[-1] == "get":
            return (*called[:-1], str(node.args[0].value))
        if called in (("xacro", "arg"), ("arg",)) and len(node.args) == 1:
            return (str(node.args[0].value),)
    return ()


def _function(node: ast.expr) -> str | None:
    """Return the function that a node calls with one number, None where it can not be solved."""
    if not isinstance(node, ast.Call) or len(node.args) != 1 or node.keywords:
        return None
    called = chain_of(node.func)
    name = called[-1] if called and called[:-1] in ((), ("math",), ("python",)) else None
    return name if name in _INVERSES else None


def _sign(node: ast.expr) -> float:
    """Return what a node multiplies its operand with, 0 where it does something else."""
    kind = type(node.op) if isinstance(node, ast.UnaryOp) else None
    return -1.0 if kind is ast.USub else 1.0 if kind is ast.UAdd else 0.0


def _argument(node: ast.expr) -> ast.expr:
    return node.operand if isinstance(node, ast.UnaryOp) else node.args[0]  # type: ignore[attr-defined]


def _is_unit(chain: Chain) -> bool:
    return _UNIT.fullmatch(chain[-1] or "") is not None


def _measure(node: ast.AST) -> ast.expr | None:
    """Return the number that a product measures in units, ``90`` in ``90*pi/180``; None where there is none."""
    if not isinstance(node, ast.BinOp) or not isinstance(node.op, (ast.Mult, ast.Div)):
        return None
    above: list[ast.expr] = []
    waiting: list[tuple[ast.expr, bool]] = [(node, True)]
    while waiting:
        each, is_above = waiting.pop()
        if isinstance(each, ast.BinOp) and isinstance(each.op, (ast.Mult, ast.Div)):
            waiting += [(each.right, is_above is isinstance(each.op, ast.Mult)), (each.left, is_above)]
        elif _sign(each):
            waiting.append((_argument(each), is_above))
        elif chain := chain_of(each):
            if not _is_unit(chain):
                return None
        elif not isinstance(each, ast.Constant):
            return None
        elif is_above:
            above.append(each)
    has_unit = any(chain_of(each) for each in ast.walk(node))
    return above[0] if above and has_unit else None


def _combined(kind: ast.operator, a: _Value, b: _Value) -> _Value:
    if isinstance(a, str) and isinstance(b, str) and isinstance(kind, ast.Add):
        return a + b
    if not isinstance(a, float) or not isinstance(b, float):
        return None
    if isinstance(kind, ast.Add):
        return a + b
    if isinstance(kind, ast.Sub):
        return a - b
    if isinstance(kind, ast.Mult):
        return a * b
    return a / b if isinstance(kind, ast.Div) and b != 0 else None


def _left(kind: ast.operator, goal: _Value, right: _Value) -> _Value:
    """Return the left operand with which an operation has the wanted result, None where there is none."""
    if isinstance(goal, str) and isinstance(right, str) and isinstance(kind, ast.Add):
        return goal[: len(goal) - len(right)] if goal.endswith(right) else None
    if not isinstance(goal, float) or not isinstance(right, float):
        return None
    if isinstance(kind, ast.Add):
        return goal - right
    if isinstance(kind, ast.Sub):
        return goal + right
    if isinstance(kind, ast.Mult):
        return goal / right if right != 0 else None
    return goal * right if isinstance(kind, ast.Div) and right != 0 else None


def _right(kind: ast.operator, goal: _Value, left: _Value) -> _Value:
    """Return the right operand with which an operation has the wanted result, None where there is none."""
    if isinstance(goal, str) and isinstance(left, str) and isinstance(kind, ast.Add):
        return goal[len(left) :] if goal.startswith(left) else None
    if not isinstance(goal, float) or not isinstance(left, float):
        return None
    if isinstance(kind, ast.Add):
        return goal - left
    if isinstance(kind, ast.Sub):
        return left - goal
    if isinstance(kind, ast.Mult):
        return goal / left if left != 0 else None
    return left / goal if isinstance(kind, ast.Div) and goal != 0 and left != 0 else None


def _affine(reached: Callable[[_Value], _Value], goal: float) -> float | None:
    """Return where a function that grows evenly has a value, None where it does not."""
    zero, one = reached(0.0), reached(1.0)
    if not isinstance(zero, float) or not isinstance(one, float) or one == zero:
        return None
    return (goal - zero) / (one - zero)


def _nearest(value: float | None, goal: float, reached: Callable[[_Value], _Value]) -> tuple[str, bool] | None:
    """Return the number with the fewest digits with which a result is reached, and whether it is that exactly.

    A short number also counts where rounding alone makes the result another one.
    """
    if value is None or not math.isfinite(value):
        return None
    best, rounding = (math.inf, value), _ROUNDING * math.ulp(max(abs(value), abs(goal)))
    for candidate in _candidates(value):
        result = reached(candidate)
        if result == goal:
            return number_text(candidate), True
        if not isinstance(result, float):
            continue
        is_short = float(f"{candidate:.{_SHORT_DIGITS}g}") == candidate
        if is_short and abs(candidate - value) <= rounding and abs(result - goal) <= _near(goal):
            return number_text(candidate), False
        best = min(best, (abs(result - goal), candidate))
    return (number_text(best[1]), False) if best[0] <= _near(goal) else None


def _near(goal: float) -> float:
    """Return by how much rounding may leave a result away from a number."""
    return CLOSE * max(abs(goal), 1.0)


def _candidates(value: float) -> Iterator[float]:
    """Yield zero, a number with few digits first, then as it is, then those next to it."""
    yield 0.0
    for digits in _DIGITS:
        yield float(f"{value:.{digits}g}")
    yield value
    below = above = value
    for _ in range(4):
        below, above = math.nextafter(below, -math.inf), math.nextafter(above, math.inf)
        yield below
        yield above
