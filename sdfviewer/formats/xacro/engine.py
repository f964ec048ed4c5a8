"""Run the package ``xacro`` and record the source location of every element.

xacro itself forgets that: it keeps no lines, and reports an error by the name of a file. It has no hooks either, so a
copy of its module of our own is loaded here, in which parsing, macro calls and evaluation are wrapped; the module that
a host program may use stays as it is. This module runs in the process of :mod:`.worker` and imports little, so that the
process starts fast; :func:`.evaluation.evaluate` calls it from outside.
"""

from __future__ import annotations

import ast
import importlib.util
import io
import operator
import re
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import redirect_stderr
from dataclasses import dataclass, field
from functools import cache
from types import ModuleType
from typing import Any, NamedTuple
from xml.dom import expatbuilder, minidom
from xml.parsers import expat

from sdfviewer.diagnostics import SdfViewerError
from sdfviewer.extras import MissingExtraError

#: So many elements may be evaluated, for so many seconds of the processor: macros that call each other can write
#: without end.
MOST_ELEMENTS, MOST_SECONDS = 100_000, 10.0
#: The longest text, list or whole number (in bits) that an expression may make, and the most values of a YAML file.
_LARGEST = 1_000_000
#: The largest exponent that an expression may write: ``10**10**10`` would take forever.
_MOST_EXPONENT = 64
#: Elements of the ranges and steps of the loops that one file may make.
_MOST_STEPS = 1_000_000
#: Loops in the comprehensions of one expression.
_MOST_LOOPS = 2

#: How xacro says that an argument has neither value nor default.
_UNDEFINED = "Undefined substitution argument"
_ENDLESS = "the macros, includes or functions never end"
_TOO_MUCH_MEMORY = "the file needs too much memory"
_ORIGIN, _CALLS = "sdfviewer-origin", "sdfviewer-calls"
#: The evaluation that goes on: xacro keeps its state in its module, so there is one at a time.
_current: list[_Run] = []


class SourceOrigin(NamedTuple):
    """Where an element is written: which of the files, counted as they are read, and which of its elements."""

    source: int
    number: int


@dataclass(frozen=True, slots=True)
class Output:
    """The output of xacro.

    Attributes
    ----------
    text
        The XML.
    origins, calls
        Of each element of it in document order: where it is written, None where an expression made it, and the macro
        calls that lead there, the outermost first.
    warnings
        What xacro says on the way, each with the place that it was at.
    """

    text: str
    origins: tuple[SourceOrigin | None, ...]
    calls: tuple[tuple[SourceOrigin, ...], ...]
    warnings: tuple[tuple[str, SourceOrigin | None], ...]


class UnreadableSourceError(SdfViewerError):
    """An included file cannot be read."""


class EvaluationError(SdfViewerError):
    """A file cannot be evaluated; ``origin`` and ``calls`` name the element where that shows."""

    def __init__(self, message: str, origin: SourceOrigin | None = None, calls: tuple[SourceOrigin, ...] = ()) -> None:
        super().__init__(message)
        self.origin = origin
        self.calls = calls


def evaluate(
    text: str,
    path: str,
    arguments: Mapping[str, str],
    read: Callable[[str], str],
    find_package: Callable[[str], str | None],
    most_elements: int = MOST_ELEMENTS,
) -> Output:
    """Return the output of xacro for a file.

    Parameters
    ----------
    text, path
        The file.
    arguments
        Values of ``<xacro:arg>`` by name.
    read
        Returns the text of an included file; raises UnreadableSourceError.
    find_package
        Returns the folder of a ROS package, for ``$(find name)``.
    most_elements
        The most elements to evaluate.

    Raises
    ------
    EvaluationError
        If it cannot be evaluated.
    MissingExtraError
        If the package ``xacro`` is not installed.
    """
    run = _Run(_engine(), read, find_package, most_elements)
    _current.append(run)
    try:
        with redirect_stderr(io.StringIO()):
            return run.evaluate(text, path, arguments)
    finally:
        _current.pop()


@dataclass
class _Run:
    """One evaluation."""

    engine: ModuleType
    read: Callable[[str], str]
    find_package: Callable[[str], str | None]
    most_elements: int
    sources: int = 0
    calls: list[SourceOrigin] = field(default_factory=list)
    last: SourceOrigin | None = None
    failed_in: tuple[SourceOrigin, ...] | None = None
    problem: str = ""
    evaluated: int = 0
    steps: int = 0
    deadline: float = field(default_factory=lambda: time.process_time() + MOST_SECONDS)
    warnings: list[tuple[str, SourceOrigin | None]] = field(default_factory=list)

    def evaluate(self, text: str, path: str, arguments: Mapping[str, str]) -> Output:
        engine = self.engine
        engine.init_stacks(path)
        try:
            dom = self.parse(text)
            engine.process_doc(dom, mappings=dict(arguments), verbosity=0)
        except expat.ExpatError as error:
            raise self._error(f"not well-formed XML: {error}") from error
        except RecursionError as error:
            raise self._error(_ENDLESS) from error
        except MemoryError as error:
            raise self._error(_TOO_MUCH_MEMORY) from error
        except engine.XacroException as error:
            causes = {RecursionError: _ENDLESS, MemoryError: _TOO_MUCH_MEMORY}
            raise self._error(causes.get(type(error.exc), _plain(str(error)))) from error
        except (ArithmeticError, AttributeError, LookupError, OSError, RuntimeError, TypeError, ValueError) as error:
            # xacro lets through what an expression or a wrong attribute raises.
            message = f"there is no {error}" if isinstance(error, KeyError) else str(error) or type(error).__name__
            raise self._error(_plain(message)) from error
        finally:
            engine.substitution_args_context["arg"] = {}
        return self._output(dom)

    def _error(self, message: str) -> EvaluationError:
        message = self.problem or message
        if message.startswith(_UNDEFINED):
            name = message.removeprefix(_UNDEFINED).split()[0]
            message = f"the argument '{name}' has no value: set it with --arg {name}=VALUE"
        calls = self.failed_in if self.failed_in is not None else tuple(self.calls)
        return EvaluationError(message, self.last, calls)

    def parse(self, text: str) -> minidom.Document:
        """Return the DOM of a file, each of its elements with the place where it is written."""
        builder = _Builder(self.sources)
        self.sources += 1
        return builder.parseString(text)

    def count(self, steps: int) -> None:
        """Note steps of a loop, or elements of a range.

        Raises
        ------
        XacroException
            If there are too many, or it takes too long.
        """
        self.steps += steps
        if self.steps > _MOST_STEPS or time.process_time() > self.deadline:
            raise self.engine.XacroException("the expressions have too many steps")

    def visit(self, node: minidom.Element) -> None:
        """Note that an element is being evaluated.

        Raises
        ------
        XacroException
            If there are too many, or it takes too long.
        """
        self.evaluated += 1
        self.last = node.getUserData(_ORIGIN) or self.last
        if self.evaluated > self.most_elements or time.process_time() > self.deadline:
            raise self.engine.XacroException("the file expands to too many elements")

    def _output(self, dom: minidom.Document) -> Output:
        root = dom.documentElement
        assert root is not None
        elements: list[minidom.Element] = []
        stack: list[minidom.Element] = [root]
        while stack:
            element = stack.pop()
            elements.append(element)
            children = list(element.childNodes)
            for child in children:
                if child.nodeType == child.TEXT_NODE and not child.data.strip():
                    element.removeChild(child)
            stack += [child for child in reversed(children) if child.nodeType == child.ELEMENT_NODE]
        return Output(
            '<?xml version="1.0"?>\n' + root.toprettyxml(indent="  "),
            tuple(element.getUserData(_ORIGIN) for element in elements),
            tuple(element.getUserData(_CALLS) or () for element in elements),
            tuple(self.warnings),
        )


#: Names of classes, numbers of errors, and places in a text that is not the file.
_INTERNAL = re.compile(r"<class '[\w.]+'>: |\[Errno \d+\] | \(<(?:expression|string)>, line \d+\)")


def _plain(message: str) -> str:
    """Return a message of xacro in one line, without what only those who know its source understand.

    xacro repeats the cause of a failure, names its class, and adds every expression that it was evaluating.
    """
    first, *expressions = " ".join(_INTERNAL.sub("", message).split()).split(" when evaluating expression ")
    half = len(first) // 2
    if first[:half] == first[half + 1 :] and first[half : half + 1] == " ":
        first = first[:half]
    expressions = list(dict.fromkeys(expressions))
    inner = f" in the expression {expressions[0]}" if expressions else ""
    return first + inner + "".join(f", used in {each}" for each in expressions[1:])


class _Builder(expatbuilder.ExpatBuilderNS):
    """Builds a DOM whose elements know their number in the file."""

    def __init__(self, source: int) -> None:
        super().__init__()
        self._source = source
        self._count = 0

    def start_element_handler(self, name: str, attributes: list[str]) -> None:
        super().start_element_handler(name, attributes)
        self.curNode.setUserData(_ORIGIN, SourceOrigin(self._source, self._count), _HAND_ON)
        self._count += 1


class _HandOn:
    """Gives a copy of an element what the element knows."""

    def handle(self, _operation: int, key: str, data: object, _src: minidom.Node, dst: minidom.Node | None) -> None:
        if dst is not None:
            dst.setUserData(key, data, self)


_HAND_ON: Any = _HandOn()


@cache
def _engine() -> ModuleType:
    """Return a copy of the module ``xacro`` of our own, wrapped."""
    spec = importlib.util.find_spec("xacro")
    if spec is None or spec.origin is None:
        raise MissingExtraError("xacro", "xacro")
    name = "sdfviewer_xacro"  # its submodules are imported by this name
    own = importlib.util.spec_from_file_location(
        name, spec.origin, submodule_search_locations=list(spec.submodule_search_locations or ())
    )
    assert own is not None
    assert own.loader is not None
    engine = importlib.util.module_from_spec(own)
    sys.modules[name] = engine
    own.loader.exec_module(engine)
    _wrap(engine)
    return engine


def _wrap(engine: Any) -> None:  # a module without types
    """Replace the functions of xacro that read files, call macros and evaluate."""
    eval_all, call_macro, check = engine.eval_all, engine.handle_macro_call, engine.check_attrs

    def run() -> _Run:
        return _current[-1]

    def parse(inp: object, filename: str | None = None) -> minidom.Document:
        try:
            return run().parse(run().read(str(filename)))
        except UnreadableSourceError as error:
            engine.filestack.pop()
            raise engine.XacroException(str(error), exc=OSError()) from error
        except expat.ExpatError as error:
            what = f"{expat.ErrorString(error.code)} at {filename}:{error.lineno}:{error.offset + 1}"
            raise engine.XacroException(f"not well-formed XML: {what}") from error

    def evaluate_all(node: minidom.Element, macros: object, symbols: object) -> None:
        run().visit(node)
        if node.getUserData(_CALLS) is None:
            node.setUserData(_CALLS, tuple(run().calls), _HAND_ON)
        eval_all(node, macros, symbols)

    def handle_macro_call(node: minidom.Element, macros: object, symbols: object) -> bool:
        if not node.tagName.startswith("xacro:"):
            return False
        run().visit(node)
        origin = node.getUserData(_ORIGIN)
        if origin is not None:
            run().calls.append(origin)
        try:
            return bool(call_macro(node, macros, symbols))
        except Exception:
            if run().failed_in is None:
                run().failed_in = tuple(run().calls)
            raise
        finally:
            if origin is not None:
                run().calls.pop()

    def check_attributes(tag: minidom.Element, required: list[str], optional: list[str]) -> object:
        run().visit(tag)
        return check(tag, required, optional)

    def warn(*words: object, **_options: object) -> None:
        run().warnings.append((_plain(" ".join(map(str, words))), run().last))

    def find(package: str) -> str:
        found = run().find_package(package)
        if found is None:
            # In xacro's own words an exception of another kind would be named twice.
            run().problem = f"package '{package}' is not found; add its folder to ROS_PACKAGE_PATH or the model paths"
            raise engine.XacroException(run().problem)
        return found

    substitution: Any = importlib.import_module(f"{engine.__name__}.substitution_args")
    substitution._eval_find = find
    substitution._eval_dict["find"] = find
    engine.parse, engine.eval_all, engine.handle_macro_call = parse, evaluate_all, handle_macro_call
    engine.check_attrs, engine.warning = check_attributes, warn
    engine.print_location = lambda: None
    _wrap_expressions(engine)


def _wrap_expressions(engine: Any) -> None:  # a module without types
    """Bound what expressions may reach, and how large what they make may be."""
    safe_eval, eval_text, wrap_list = engine.safe_eval, engine.eval_text, engine.YamlListWrapper.wrap

    def evaluate_safely(expression: str, symbols: Any, local: object = None) -> object:
        _check_expression(engine, expression)
        try:
            tree = ast.parse(expression.strip(), mode="eval")
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return safe_eval(expression, symbols, local)  # which reports it
        # Nested scopes, of a lambda for example, see the global names only.
        dict.__setitem__(symbols, _BOUNDED, lambda name, a, b: _apply(engine, name, a, b))
        dict.__setitem__(symbols, _COUNTED, _counted)
        bounded = ast.unparse(ast.fix_missing_locations(_Bounded().visit(tree)))
        return _checked(engine, safe_eval(bounded, symbols, local))

    def evaluate_text(text: str, symbols: object) -> object:
        return _checked(engine, eval_text(text, symbols))

    def wrap_yaml(value: object) -> object:
        _check_yaml(engine, value)
        return wrap_list(value)

    engine.safe_eval, engine.eval_text = evaluate_safely, evaluate_text
    for names in (engine._global_symbols, engine._global_symbols["python"]):
        names["range"] = _counted_range(names["range"])
    engine.YamlListWrapper.wrap = staticmethod(wrap_yaml)


def _check_expression(engine: Any, expression: str) -> None:  # a module without types
    """Refuse an expression that reaches into Python, or that would take forever.

    xacro looks at the names of the outermost code only; those in a lambda or a comprehension count here too.
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


#: How an expression calls what its operators are replaced by, and what its loops run over.
_BOUNDED, _COUNTED = "_bounded", "_counted"
_OPERATORS: dict[str, Callable[[Any, Any], Any]] = {
    "Mult": operator.mul,
    "Pow": operator.pow,
    "LShift": operator.lshift,
    "Mod": operator.mod,
    "Add": operator.add,
}


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


def _counted(values: Iterable[object]) -> Iterator[object]:
    """Yield the values of a loop, each counted as a step of the evaluation."""
    for value in values:
        _current[-1].count(1)
        yield value


def _counted_range(make: Callable[..., range]) -> Callable[..., range]:
    """Return ``range`` with its elements counted: ``list`` or ``sum`` may run over all of them."""

    def counted(*bounds: int) -> range:
        _current[-1].count(len(range(*bounds)))
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
    """Refuse a YAML file whose aliases stand for more values than any robot needs."""
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
