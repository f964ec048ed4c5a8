"""Expressions of xacro that a grammar makes, most of them hostile, at each place of a file where one can stand.

None may touch a file, run code of Python or reach a frame, take long or much memory, or end otherwise than with a value
or a diagnostic. What is harmless must give what Python gives. ``packaging/attack.sh --only expressions 600`` goes on
for ten minutes.
"""

from __future__ import annotations

import ast
import math
import random
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Any
from unittest.mock import patch
from xml.sax.saxutils import quoteattr

from sdfviewer.formats.xacro import engine
from sdfviewer.formats.xacro.functions import (
    DICT_METHODS,
    KEY_METHODS,
    LIST_METHODS,
    SET_METHODS,
    TEXT_METHODS,
    Builtins,
    math_symbols,
)
from sdfviewer.formats.xacro.interpreter import Interpreter
from sdfviewer.formats.xacro.reads import Recorder
from sdfviewer.formats.xacro.values import Bounds, ExpressionError
from tests.formats.xacro.payloads import EXPENSIVE, FILES, REACHING

#: Expressions of one input.
_EXPRESSIONS = 10
#: Seconds of the processor for one file; a single step may take a second more.
_MOST_SECONDS = 2.0
#: What Python says where code is run, a file is opened or an inner attribute is read.
_FORBIDDEN = (
    "exec", "os.", "subprocess.", "socket.", "shutil.", "ctypes.", "pickle.", "marshal.", "builtins.", "object.__",
    "code.", "function.", "sys.", "signal.", "urllib.", "webbrowser.", "tempfile.", "pty.", "posix.", "winreg.", "pdb.",
)  # fmt: skip
#: What is told of the evaluation's own work: folders are searched, and Qt's import looks at its caller.
_ALLOWED = ("builtins.id", "os.listdir", "os.scandir", "sys.unraisablehook", "sys._getframe")

_ATTRIBUTES = sorted(
    {
        *(name for kind in (str, list, dict, tuple, set, int, float, range, type, object) for name in dir(kind)),
        *("gi_frame", "gi_code", "gi_yieldfrom", "send", "throw", "close", "__next__", "__globals__", "__code__"),
        *("__closure__", "__self__", "__func__", "__wrapped__", "__dict__", "__module__", "__kwdefaults__"),
        *(
            "f_back",
            "f_builtins",
            "f_globals",
            "f_locals",
            "f_code",
            "tb_frame",
            "tb_next",
            "func_globals",
            "co_consts",
        ),
        *("a", "b", "x", "call", "kind", "name", "values", "parent", "root", "top", "depth", "pi", "sin", "load_yaml"),
    }
)
_NAMES = (
    "n", "t", "l", "d", "y", "s", "u", "x", "f", "sin", "pi", "len", "str", "int", "list", "dict", "map", "max", "min",
    "round", "sorted", "range", "factorial", "comb", "python.set", "python.zip", "python.type", "python.filter",
    "python.sum", "python.tuple", "python.frozenset", "python.reversed", "python.enumerate", "python.isinstance",
    "math.prod", "math.dist", "math.lcm", "math.floor", "xacro.dotify", "xacro.load_yaml", "xacro.tokenize",
    "xacro.arg", "xacro.warning", "xacro.fatal", "xacro.abs_filename", "python.repr", "python.divmod", "python.any",
    "python.vars", "python.hash", "ns.a", "l", "d", "y", "t",
)  # fmt: skip
_LITERALS = (
    "0", "1", "2", "-1", "3.5", "1e308", "10**9", "2**9999", "999999", "True", "None", "''", "'a'", "'%s%d'", "'{0.x}'",
    "'MARK'", "'y.yaml'", "'ab' * 9", "'%9999d'", "'%(a)s'", "[]", "()", "[0] * 9", "f'{1}'", "'\\x00'", "nan", "-0.0",
    "'os'", "' '", "[1, 2]", "(1, 2)", "'a b'", "range(9)", "list(range(999))", "'ab' * 99999", "[[1]] * 99",
)  # fmt: skip
_HOSTILE = (
    "b''", "1j", "...", "'__class__'", "f'{x!r:>{9}}'", "'\\ud800'", "'</a>'", "'${1}'", "'$(arg a)'", "__import__",
    "__builtins__", "open", "eval", "exec", "_counted", "_bounded", "self", "globals", "getattr", "vars", "object",
    "symbols", "nothing", "true", "env", "python", "math", "xacro", "ns",
)  # fmt: skip
_METHODS = (
    *TEXT_METHODS,
    *LIST_METHODS,
    *DICT_METHODS,
    *KEY_METHODS,
    *SET_METHODS,
    "append",
    "extend",
    "insert",
    "sort",
    "update",
    "add",
    "join",
    "replace",
    "center",
    "zfill",
    "format",
    "a",
    "b",
    "c",
)
_BINARY = ("+", "-", "*", "/", "//", "%", "**", "<<", ">>", "|", "&", "^", "@")
_COMPARED = ("==", "!=", "<", "<=", ">", ">=", "in", "not in", "is", "is not")
_YAML = "a: 1\nb: [1, {c: two}]\nc: {d: !degrees %s}\nkeys: 3\n__class__: 4\n"


class _Grammar:
    """Makes expressions; each is a tree of a limited depth."""

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng
        self._makers: tuple[Callable[[int], str], ...] = (
            *(self._binary, self._attribute, self._attribute, self._method, self._method, self._call, self._call),
            *(self._subscript, self._compared, self._conditional, self._collection, self._comprehension, self._lambda),
            *(self._unary, self._text, self._payload),
        )

    def make(self, depth: int = 4) -> str:
        """Return an expression."""
        if depth == 0 or self._rng.random() < 0.15:
            return self._leaf()
        if self._rng.random() < 0.01:
            return self._odd(depth - 1)
        return self._rng.choice(self._makers)(depth - 1)

    def _leaf(self) -> str:
        if self._rng.random() < 0.05:
            return self._rng.choice(_HOSTILE)
        return self._rng.choice(_NAMES if self._rng.random() < 0.6 else _LITERALS)

    def _binary(self, depth: int) -> str:
        return f"({self.make(depth)} {self._rng.choice(_BINARY)} {self.make(depth)})"

    def _compared(self, depth: int) -> str:
        return f"({self.make(depth)} {self._rng.choice((*_COMPARED, 'and', 'or'))} {self.make(depth)})"

    def _unary(self, depth: int) -> str:
        return f"({self._rng.choice(('-', '+', '~', 'not '))}{self.make(depth)})"

    def _attribute(self, depth: int) -> str:
        names = _ATTRIBUTES if self._rng.random() < 0.3 else _METHODS
        return f"({self.make(depth)}).{self._rng.choice(names)}"

    def _method(self, depth: int) -> str:
        return f"{self._attribute(depth)}({self._arguments(depth)})"

    def _call(self, depth: int) -> str:
        return f"{self._rng.choice((*_NAMES, '(' + self.make(depth) + ')'))}({self._arguments(depth)})"

    def _arguments(self, depth: int) -> str:
        arguments = [self.make(depth) for _ in range(self._rng.choice((0, 1, 1, 2, 3)))]
        extra = (f"key={self.make(depth)}", f"*{self.make(depth)}", f"**{self.make(depth)}", f"self={self.make(0)}")
        if self._rng.random() < 0.2:
            arguments.append(self._rng.choice(extra))
        return ", ".join(arguments)

    def _subscript(self, depth: int) -> str:
        inner = self._rng.choice((self.make(depth), f"{self.make(0)}:{self.make(0)}", "::-1", "'__class__'"))
        return f"({self.make(depth)})[{inner}]"

    def _conditional(self, depth: int) -> str:
        return f"({self.make(depth)} if {self.make(depth)} else {self.make(depth)})"

    def _collection(self, depth: int) -> str:
        values = ", ".join(self.make(depth) for _ in range(self._rng.randrange(4)))
        keys = f"{{{self.make(depth)}: {self.make(depth)}}}"
        return self._rng.choice(
            (f"[{values}]", f"({values},)" if values else "()", keys, f"dict(a={self.make(depth)})")
        )

    def _comprehension(self, depth: int) -> str:
        target = self._rng.choice(("x", "x", "x", "x", "(x, f)", "t", "x.a", "*x"))
        loop = f"{self.make(depth)} for {target} in {self.make(depth)}"
        if self._rng.random() < 0.3:
            loop += self._rng.choice((f" if {self.make(depth)}", f" for f in {self.make(depth)}"))
        return self._rng.choice((f"[{loop}]", f"({loop})", f"list({loop})", f"python.set({loop})"))

    def _lambda(self, depth: int) -> str:
        parameters = self._rng.choice(("x", "x", "", "x, f=1", "*x", "f"))
        made = f"(lambda {parameters}: {self.make(depth)})"
        return self._rng.choice((made, f"{made}({self._arguments(depth)})", f"{made}({made})"))

    def _text(self, depth: int) -> str:
        template = self._rng.choice(("{}", "{0.a}", "{x:>9999}", "{0[a]}", "%s%s", "%999d", "%(a)*d", "%c"))
        return self._rng.choice(
            (f"'{template}'.format({self._arguments(depth)})", f"'{template}' % {self.make(depth)}", f"f'{template}'")
        )

    def _odd(self, depth: int) -> str:
        odd = ("(x := {})", "(yield {})", "(await {})", "*{}", "{} for x in {}", "({}", "{};{}", "print {}", "{}\n{}")
        return self._rng.choice(odd).replace("{}", self.make(depth))

    def _payload(self, _depth: int) -> str:
        return f"({self._rng.choice((*REACHING, *EXPENSIVE[:40]))})"


def _place(rng: random.Random, expression: str) -> tuple[str, str]:
    """Return what is within ``<robot>`` with an expression somewhere, and a YAML file."""
    braced = expression.replace("{", "\\x7b").replace("}", "\\x7d")  # a brace ends an expression, also within a text
    value = quoteattr(f"${{{braced}}}")
    places = (
        f"<a b={value}/>",
        f"<a b={value}/><a>{value[1:-1]}</a>",
        f'<xacro:property name="p" value={value}/><a b="${{p}}" c="${{[p, p]}}"/>',
        f'<xacro:macro name="m" params="p"><a b="${{p}}"/></xacro:macro><xacro:m p={value}/>',
        f"<xacro:macro name='m' params={quoteattr(f'p:=${{{braced}}}')}><a b='${{p}}'/></xacro:macro><xacro:m/>",
        f"<xacro:if value={value}><a/></xacro:if>",
        f'<xacro:arg name="p" default={value}/><a b="$(arg p)"/>',
        f"<xacro:element xacro:name={value}/>",
        f'<a><xacro:attribute name={value} value={value}/></a>',
        f"<xacro:include filename={value} optional=\"true\"/>",
        f"<xacro:call macro={value}/>",
        f"<!-- xacro:eval-comments --><!-- {value[1:-1].replace('--', '- -')} --><a/>",
        f"<a b={quoteattr(f'$(eval {expression})')}/>",
        f'<xacro:property name="e" value={quoteattr(expression)}/><a b="$(eval ${{e}})"/>',
        '<a b="${xacro.load_yaml(\'y.yaml\').c.d}"/>',
        value[1:-1],
    )  # fmt: skip
    return rng.choice(places), _YAML % _quoted(expression)


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''").replace("\n", " ") + "'"


_HEAD = (
    '<robot name="r" xmlns:xacro="http://www.ros.org/wiki/xacro"><xacro:property name="n" value="3"/>'
    '<xacro:property name="t" value="text {} %s"/><xacro:property name="l" value="${[1, [2], \'a\']}"/>'
    '<xacro:property name="d" value="${dict(a=1, b=dict(c=2))}"/><xacro:property name="s" value="${python.set([1])}"/>'
    '<xacro:property name="y" value="${xacro.dotify(dict(a=1, b=[dict(c=2)]))}"/><xacro:arg name="a" default="1"/>'
    '<xacro:property name="u" value="${(1, 2)}"/><xacro:include filename="n.xacro" ns="ns"/>'
)
_INCLUDED = '<robot xmlns:xacro="http://www.ros.org/wiki/xacro"><xacro:property name="a" value="1"/></robot>'

_watched: list[list[str]] = []


def _watch(event: str, arguments: tuple[Any, ...]) -> None:
    if _watched and event.startswith(_FORBIDDEN) and not event.startswith(_ALLOWED):
        _watched[-1].append(f"{event} {arguments!r}"[:200])


@cache
def _install() -> None:
    sys.addaudithook(_watch)


@contextmanager
def nothing_runs() -> Iterator[None]:
    """Fail where Python reports that code was run, a program started, or an inner attribute read."""
    _install()
    _watched.append([])
    try:
        yield
    finally:
        seen = _watched.pop()
    assert not seen, f"Python did {seen[:3]}"


def expand(content: str, yaml: str, folder: Path) -> str:
    """Return what a file is expanded to, or its diagnostic; fail where it does more than that, or takes long."""
    mark = folder / "marker"
    text = _HEAD + content.replace("MARK", mark.as_posix()) + "</robot>"
    if "y.yaml" in text:
        (folder / "y.yaml").write_text(yaml.replace("MARK", mark.as_posix()), encoding="utf-8", errors="replace")

    def read(path: str) -> str:
        if Path(path).name == "n.xacro":
            return _INCLUDED
        raise engine.UnreadableSourceError(f"{path[:100]} cannot be read")

    start = time.process_time()
    with patch.object(engine, "MOST_SECONDS", _MOST_SECONDS), nothing_runs():
        try:
            result = engine.evaluate(text, str(folder / "a.xacro"), {}, read, lambda name: None, 10_000).text
        except engine.EvaluationError as error:
            result = f"error: {error}"
    assert result != "error: "
    assert not mark.exists(), "a file was touched"
    assert time.process_time() - start < _MOST_SECONDS + 1, "it took too long"
    assert "object at 0x" not in result, "an object of Python was reached"
    return result


@cache
def _import_all(folder: Path) -> None:
    """Import what the evaluation needs, which runs code."""
    yaml = folder / "y.yaml"
    yaml.write_text(_YAML % 1, encoding="utf-8")
    text = "<a b=\"${xacro.load_yaml('y.yaml')} ${[}\"/>"
    with suppress(engine.EvaluationError):
        engine.evaluate(f"{_HEAD}{text}</robot>", str(folder / "a.xacro"), {}, lambda _: _INCLUDED, lambda _: None)


def attack(seed: int) -> None:
    """Ten expressions and files: hostile ones, and harmless ones that Python evaluates, too."""
    rng = random.Random(seed)
    grammar = _Grammar(rng)
    with tempfile.TemporaryDirectory(prefix="sdfviewer-expressions-") as name:
        folder = Path(name)
        _import_all(folder)
        for _ in range(_EXPRESSIONS):
            content, yaml = rng.choice(FILES) if rng.random() < 0.01 else _place(rng, grammar.make())
            try:
                expand(content, yaml, folder)
            except (Exception, SystemExit) as error:
                raise AssertionError(f"{content}\n{yaml}") from error
    for _ in range(_EXPRESSIONS):
        _compare(harmless(rng, rng.choice((1, 2, 2, 3))))


def harmless(rng: random.Random, depth: int) -> str:
    """Return an expression that Python evaluates fast and safely: numbers, texts, lists, and functions of them."""
    make = lambda: harmless(rng, depth - 1)  # noqa: E731
    if depth == 0:
        return rng.choice(
            ("0", "1", "2", "-3", "0.5", "1e3", "'ab'", "''", "'1'", "[1, 2]", "(1,)", "True", "None", "x")
        )
    return rng.choice((
        lambda: f"({make()} {rng.choice(('+', '-', '*', '/', '//', '%', '|', '&'))} {make()})",
        lambda: f"({make()} {rng.choice(_COMPARED[:8])} {make()})",
        lambda: f"({make()} {rng.choice(('and', 'or'))} {make()})",
        lambda: f"({rng.choice(('-', 'not ', '~', '+'))}{make()})",
        lambda: f"({make()} if {make()} else {make()})",
        lambda: f"[{make()} for x in {make()}]",
        lambda: f"[{make()} for x in {make()} if {make()}]",
        lambda: f"[{make()}, {make()}]",
        lambda: f"({make()}, *{make()})",
        lambda: f"{make()}[{rng.choice(('0', '-1', '1:', '::-1', make()))}]",
        lambda: f"{rng.choice(('len', 'str', 'int', 'float', 'bool', 'list', 'max', 'min', 'round'))}({make()})",
        lambda: f"{rng.choice(('sorted', 'tuple', 'any', 'all', 'repr', 'sum', 'abs'))}({make()})",
        lambda: f"{rng.choice(('floor', 'sqrt', 'cos'))}({make()})",
        lambda: f"{rng.choice(('max', 'min', 'divmod', 'round', 'pow', 'atan2'))}({make()}, {make()})",
        lambda: f"list(map(lambda x: {make()}, {make()}))",
        lambda: f"dict(a={make()}).get({make()}, {make()})",
        lambda: f"str({make()}).{rng.choice(('upper', 'split', 'strip', 'title', 'isdigit', 'lower'))}()",
        lambda: f"'{rng.choice(('%s', '%d', '%5.1f', '%r', '%%', '%s %s'))}' % {make()}",
        lambda: f"f'{{{make().replace(chr(39), chr(34))}:{rng.choice(('', '.2f', '>5', 'd', '05d'))}}}'",
    ))()  # fmt: skip


def _compare(expression: str) -> None:
    """Fail where a harmless expression gives something else than in Python."""
    try:
        ast.parse(expression, mode="eval")
    except (SyntaxError, ValueError):
        return
    steps = 0

    def count(more: int) -> None:
        nonlocal steps
        steps += more
        if steps > 100_000:
            raise ExpressionError("too many steps")

    bounds = Bounds(count)
    interpreter = Interpreter(bounds, _Table, Recorder())
    symbols = {**Builtins(bounds, interpreter.apply).in_namespace, **math_symbols(bounds), "x": 2}
    try:
        result = repr(interpreter.evaluate(expression, symbols))
    except ExpressionError as error:
        if "large" in str(error) or "many" in str(error) or "exponent" in str(error) or "complex" in str(error):
            return  # which Python may compute
        result = "error"
    except (ArithmeticError, LookupError, NameError, TypeError, ValueError):
        result = "error"
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            expected = repr(eval(expression, {"__builtins__": {}, **_PYTHON, "x": 2}))  # made of harmless words
    except (ArithmeticError, AttributeError, LookupError, NameError, TypeError, ValueError):
        expected = "error"
    assert result == expected, expression


class _Table(dict[str, Any]):
    """No namespace is in a harmless expression."""


_PYTHON: dict[str, Any] = {
    **{name: vars(math)[name] for name in ("floor", "sqrt", "cos", "pow", "atan2")},
    **{each.__name__: each for each in (len, str, int, float, bool, list, max, min, round, sum, abs, sorted, tuple)},
    **{each.__name__: each for each in (any, all, repr, divmod, map, dict)},
}
