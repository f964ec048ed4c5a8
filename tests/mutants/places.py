"""The places of a source text where one thing can be made wrong, and the text with it."""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator
from dataclasses import dataclass

_SWAPPED: dict[type[ast.AST], type[ast.AST]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In, ast.And: ast.Or, ast.Or: ast.And,
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult, ast.FloorDiv: ast.Mult,
    ast.Mod: ast.Mult, ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd, ast.LShift: ast.RShift, ast.RShift: ast.LShift,
}  # fmt: skip


@dataclass(frozen=True)
class Place:
    """A replacement in a source text.

    Attributes
    ----------
    start, end
        What is replaced, in bytes of the text as UTF-8.
    text
        What takes its place.
    lines
        The lines of the statement that it is in, without those of statements within: whoever runs one of them runs it.
        All lines of the module where it runs with the import: whichever test imports it first, others use the value.
    """

    start: int
    end: int
    text: str
    lines: range

    def applied(self, source: bytes) -> bytes:
        """Return the source with this one thing wrong."""
        return source[: self.start] + self.text.encode() + source[self.end :]


def find_places(source: bytes) -> list[Place]:
    """Return all places of a module, in the order of the text."""
    return sorted(_Finder(source).places(), key=lambda place: (place.start, place.end, place.text))


class _Finder:
    def __init__(self, source: bytes) -> None:
        self._tree = ast.parse(source)
        lines = source.splitlines(keepends=True)
        self._starts = [sum(map(len, lines[:number])) for number in range(len(lines) + 1)]

    def places(self) -> Iterator[Place]:
        yield from self._in_statements(self._tree.body, range(1, len(self._starts)))

    def _in_statements(self, statements: list[ast.stmt], module: range | None) -> Iterator[Place]:
        """Yield the places of statements; those of functions run after the `module`, and have lines of their own."""
        for statement in statements:
            if _is_no_code(statement):
                continue
            bodies = [
                each
                for name in ("body", "orelse", "finalbody", "handlers", "cases")
                for each in getattr(statement, name, [])
            ]
            first = min((_first_line(each) for each in bodies), default=(statement.end_lineno or 0) + 1)
            lines = module or range(statement.lineno, max(first, statement.lineno + 1))
            yield from self._of_statement(statement, lines)
            for expression in _expressions(statement):
                yield from self._in_expression(expression, lines)
            within = None if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef) else module
            for part in bodies:
                if isinstance(part, ast.stmt):
                    yield from self._in_statements([part], within)
                elif isinstance(part, ast.ExceptHandler | ast.match_case):
                    yield from self._in_statements(part.body, within)

    def _of_statement(self, statement: ast.stmt, lines: range) -> Iterator[Place]:
        match statement:
            case ast.Return(value=ast.expr()) if not _is_none(statement.value):
                yield self._place(statement, "return None", lines)
            case ast.Expr(value=ast.Call()):
                yield self._place(statement, "pass", lines)
            case ast.Continue():
                yield self._place(statement, "break", lines)
            case ast.If(test=test) | ast.While(test=test) if not isinstance(
                test, ast.Compare | ast.BoolOp | ast.UnaryOp
            ):
                yield self._place(test, f"(not ({ast.unparse(test)}))", lines)
            case _:
                pass

    def _in_expression(self, node: ast.AST, lines: range) -> Iterator[Place]:
        if isinstance(node, ast.JoinedStr):
            return  # before Python 3.12 what is in it has no place
        if isinstance(node, ast.keyword) and node.arg == "strict":
            return  # a check of `zip`, as `assert` is one
        if isinstance(node, ast.expr):
            for changed in _changed(node):
                yield self._place(node, f"({ast.unparse(changed)})", lines)
        for child in ast.iter_child_nodes(node):
            yield from self._in_expression(child, lines)

    def _place(self, node: ast.expr | ast.stmt, text: str, lines: range) -> Place:
        end_line, end_column = node.end_lineno or node.lineno, node.end_col_offset or 0
        start = self._starts[node.lineno - 1] + node.col_offset
        return Place(start, self._starts[end_line - 1] + end_column, text, lines)


def _is_no_code(statement: ast.stmt) -> bool:
    """Return whether nothing of a statement is tried: docstrings, imports, errors, code for type checkers."""
    match statement:
        case ast.Expr(value=ast.Constant()) | ast.Import() | ast.ImportFrom() | ast.Raise() | ast.Assert():
            return True
        case ast.If(test=ast.Name(id="TYPE_CHECKING")):
            return True
        case ast.Assign(targets=[ast.Name(id="__all__")]):
            return True
        case _:
            return False


def _first_line(part: ast.AST) -> int:
    if isinstance(part, ast.match_case):
        return part.pattern.lineno
    decorators = getattr(part, "decorator_list", [])
    return int(min([part.lineno, *(each.lineno for each in decorators)]))  # type: ignore[attr-defined]


def _expressions(statement: ast.stmt) -> Iterator[ast.AST]:
    """Yield what a statement computes by itself: no annotations, no decorators, no statements within."""
    match statement:
        case ast.FunctionDef(args=arguments) | ast.AsyncFunctionDef(args=arguments):
            yield from arguments.defaults
            yield from (each for each in arguments.kw_defaults if each is not None)
        case ast.ClassDef():
            pass
        case ast.AnnAssign(value=value):
            if value is not None:
                yield value
        case ast.Match(subject=subject):
            yield subject
        case _:
            for child in ast.iter_child_nodes(statement):
                if isinstance(child, ast.expr | ast.withitem):
                    yield child


def _is_none(value: ast.expr | None) -> bool:
    return isinstance(value, ast.Constant) and value.value is None


def _changed(node: ast.expr) -> Iterator[ast.expr]:
    """Yield an expression with one thing of its own wrong."""
    match node:
        case ast.Compare():
            for at, operator in enumerate(node.ops):
                changed = copy.deepcopy(node)
                changed.ops[at] = _SWAPPED[type(operator)]()  # type: ignore[call-overload]
                yield changed
        case ast.BoolOp() | ast.BinOp() if type(node.op) in _SWAPPED:
            other = copy.deepcopy(node)
            other.op = _SWAPPED[type(node.op)]()  # type: ignore[assignment]
            yield other
        case ast.BinOp(op=ast.MatMult()):
            yield ast.BinOp(node.right, node.op, node.left)
        case ast.UnaryOp(op=ast.Not() | ast.USub()):
            yield node.operand
        case ast.Constant(value=bool()):
            yield ast.Constant(not node.value)
        case ast.Constant(value=int() | float() as number):
            yield ast.Constant(number + 1)
        case _:
            pass
