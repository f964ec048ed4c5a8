"""Run the package ``xacro`` and record the source location of every element and value.

xacro itself forgets that: it keeps no lines, and reports an error by the name of a file. It has no hooks either, so a
copy of its module of our own is loaded here, in which parsing, macro calls, names and evaluation are wrapped; the
module that a host program may use stays as it is. This module runs in the process of :mod:`.worker` and imports little,
so that the process starts fast; :func:`.evaluation.evaluate` calls it from outside.
"""

from __future__ import annotations

import importlib.util
import io
import re
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import redirect_stderr
from dataclasses import dataclass, field
from functools import cache
from itertools import zip_longest
from types import ModuleType
from typing import Any, NamedTuple
from xml.dom import DOMException, expatbuilder, minidom
from xml.parsers import expat

from sdfviewer.diagnostics import Message, SdfViewerError
from sdfviewer.extras import MissingExtraError
from sdfviewer.formats.xacro.expressions import replace_evaluation
from sdfviewer.formats.xacro.reads import (
    Arguments,
    DefinitionKind,
    DefinitionRow,
    ElementPlace,
    Recorder,
    TextRow,
    number_definitions,
    record_names,
)

#: So many elements may be evaluated, for so many seconds of the processor: macros that call each other can write
#: without end.
MOST_ELEMENTS, MOST_SECONDS = 100_000, 10.0
#: Elements of the ranges and steps of the loops that one file may make.
_MOST_STEPS = 1_000_000

#: Elements and steps of loops from one look at the clock to the next.
_WORK_BETWEEN_LOOKS = 256
#: Calls of functions within each other. Macros that call themselves for each element of a list come with xacro to 250
#: elements; here there is more between one and the next.
_MOST_FRAMES = 3_000

#: How xacro says that an argument has neither value nor default.
_UNDEFINED = "Undefined substitution argument"
_ENDLESS = "the macros, includes or functions never end"
_UNBOUND_PREFIX = expat.errors.codes[expat.errors.XML_ERROR_UNBOUND_PREFIX]
_TOO_MUCH_MEMORY = "the file needs too much memory"
_ORIGIN, _CALLS, _READS = "sdfviewer-origin", "sdfviewer-calls", "sdfviewer-reads"
#: The evaluation that goes on: xacro keeps its state in its module, so there is one at a time.
_current: list[_Run] = []
_recorder = Recorder()


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
    definitions, reads
        What names got their values from, and of each element the texts that were evaluated.
    """

    text: str
    origins: tuple[SourceOrigin | None, ...]
    calls: tuple[tuple[SourceOrigin, ...], ...]
    warnings: tuple[tuple[str, SourceOrigin | None], ...]
    definitions: Sequence[DefinitionRow] = ()
    reads: Sequence[Sequence[TextRow]] = ()


class UnreadableSourceError(SdfViewerError):
    """An included file cannot be read."""


class EvaluationError(SdfViewerError):
    """A file cannot be evaluated; ``origin`` and ``calls`` name the element where that shows.

    ``unbound_prefix`` says that the last file that was read uses a prefix that it does not declare.
    """

    def __init__(
        self,
        message: str,
        origin: SourceOrigin | None = None,
        calls: tuple[SourceOrigin, ...] = (),
        *,
        unbound_prefix: bool = False,
    ) -> None:
        super().__init__(message)
        self.origin = origin
        self.calls = calls
        self.unbound_prefix = unbound_prefix


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
    _recorder.abandon()
    _current.append(run)
    frames = sys.getrecursionlimit()
    sys.setrecursionlimit(max(frames, _MOST_FRAMES))
    try:
        with redirect_stderr(io.StringIO()):
            return run.evaluate(text, path, arguments)
    finally:
        sys.setrecursionlimit(frames)
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
    unbound_prefix: bool = False
    evaluated: int = 0
    steps: int = 0
    unseen_work: int = 0
    deadline: float = field(default_factory=lambda: time.process_time() + MOST_SECONDS)
    warnings: list[tuple[str, SourceOrigin | None]] = field(default_factory=list)

    def evaluate(self, text: str, path: str, arguments: Mapping[str, str]) -> Output:
        engine = self.engine
        engine.init_stacks(path)
        try:
            dom = self.parse(text)
            engine.process_doc(dom, mappings=Arguments(dict(arguments), _recorder), verbosity=0)
        except expat.ExpatError as error:
            raise self._error(f"not well-formed XML: {error}") from error
        except RecursionError as error:
            raise self._error(_ENDLESS) from error
        except MemoryError as error:
            raise self._error(_TOO_MUCH_MEMORY) from error
        except engine.XacroException as error:
            causes = {RecursionError: _ENDLESS, MemoryError: _TOO_MUCH_MEMORY}
            raise self._error(causes.get(type(_cause(error)), _plain(str(error)))) from error
        except (
            *(ArithmeticError, AssertionError, AttributeError, LookupError, NameError, OSError, RuntimeError),
            *(TypeError, ValueError, DOMException),
        ) as error:
            # xacro lets through what a wrong attribute raises.
            message = f"there is no {error}" if isinstance(error, KeyError) else str(error) or type(error).__name__
            raise self._error(_plain(message)) from error
        finally:
            engine.substitution_args_context["arg"] = {}
        return self._output(dom)

    def _error(self, message: str) -> EvaluationError:
        message = self.problem or message
        if message.startswith(_UNDEFINED):
            name = message.removeprefix(_UNDEFINED).split()[0]
            message = Message(f"the argument '{name}' has no value", f"set it, as with --arg {name}=VALUE")
        calls = self.failed_in if self.failed_in is not None else tuple(self.calls)
        return EvaluationError(message, self.last, calls, unbound_prefix=self.unbound_prefix)

    def parse(self, text: str) -> minidom.Document:
        """Return the DOM of a file, each of its elements with the place where it is written."""
        builder = _Builder(self.sources)
        self.sources += 1
        try:
            return builder.parseString(text)
        except expat.ExpatError as error:
            self.unbound_prefix = error.code == _UNBOUND_PREFIX
            raise

    def count(self, steps: int) -> None:
        """Note steps of a loop, or elements of a range.

        Raises
        ------
        XacroException
            If there are too many, or it takes too long.
        """
        self.steps += steps
        if self.steps > _MOST_STEPS or self._is_late(steps + 1):
            raise self.engine.XacroException("the expressions have too many steps")

    def _is_late(self, work: int) -> bool:
        """Return whether the time is over; the clock, which is slow on some systems, is read now and then."""
        self.unseen_work += work
        if self.unseen_work < _WORK_BETWEEN_LOOKS:
            return False
        self.unseen_work = 0
        return time.process_time() > self.deadline

    def visit(self, node: minidom.Element) -> None:
        """Note that an element is being evaluated.

        Raises
        ------
        XacroException
            If there are too many, or it takes too long.
        """
        self.evaluated += 1
        self.last = node.getUserData(_ORIGIN) or self.last
        if self.evaluated > self.most_elements or self._is_late(1):
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
        definitions, reads = number_definitions([element.getUserData(_READS) for element in elements])
        return Output(
            self._written(root, elements),
            tuple(element.getUserData(_ORIGIN) for element in elements),
            tuple(element.getUserData(_CALLS) or () for element in elements),
            tuple(self.warnings),
            definitions,
            reads,
        )

    def _written(self, root: minidom.Element, elements: list[minidom.Element]) -> str:
        """Return the XML of elements, which expressions may have given names and texts that cannot be written."""
        names: list[str] = []
        parser = expat.ParserCreate()
        parser.StartElementHandler = lambda name, _attributes: names.append(name)
        try:
            text = '<?xml version="1.0"?>\n' + root.toprettyxml(indent="  ")
            parser.Parse(text, True)
        except (AttributeError, TypeError):  # xacro itself fails at them
            raise self._unwritable(elements) from None
        except (ValueError, expat.ExpatError) as error:
            raise self._error(f"what the file expands to is not XML: {error}") from error
        for name, element in zip_longest(names, elements):
            if element is None or name != element.tagName:
                self.last = getattr(element, "getUserData", lambda _: None)(_ORIGIN) or self.last
                raise self._error("what the file expands to is not XML: an element or attribute has no proper name")
        return text

    def _unwritable(self, elements: list[minidom.Element]) -> EvaluationError:
        """Return the error at the first element with a name or value that is no text."""
        for element in elements:
            values = [("the name", element.tagName)]
            values += [(f"the attribute '{name}'", value) for name, value in element.attributes.items()]
            for what, value in values:
                if type(value) is not str:
                    self.last = element.getUserData(_ORIGIN) or self.last
                    return self._error(
                        f"{what} of an element is given {value!r}, which is no text: write ${{str(...)}}"
                    )
        return self._error("what the file expands to cannot be written")


#: Names of classes, numbers of errors, and places in a text that is not the file.
_INTERNAL = re.compile(r"<class '[\w.]+'>: |\[Errno \d+\] | \(<(?:expression|string)>, line \d+\)")


def _plain(message: str) -> str:
    """Return a message of xacro in one line, without internal details.

    xacro repeats the cause of a failure, names its class, and adds every expression that it was evaluating.
    """
    first, *expressions = " ".join(_INTERNAL.sub("", message).split()).split(" when evaluating expression ")
    half = len(first) // 2
    if first[:half] == first[half + 1 :] and first[half : half + 1] == " ":
        first = first[:half]
    expressions = list(dict.fromkeys(expressions))
    inner = f" in the expression {expressions[0]}" if expressions else ""
    return first + inner + "".join(f", used in {each}" for each in expressions[1:])


def _cause(error: Any) -> Any:
    """Return the exception that an exception of xacro was raised for; each expression around it wraps it once more."""
    cause = error
    while getattr(cause, "exc", None) is not None:
        cause = cause.exc
    return cause


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
    check = engine.check_attrs

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

    def check_attributes(tag: minidom.Element, required: list[str], optional: list[str]) -> object:
        run().visit(tag)
        if tag.tagName == "xacro:arg" and (origin := tag.getUserData(_ORIGIN)) is not None:
            engine.substitution_args_context["arg"].declare(
                tag.getAttribute("name"), ElementPlace(origin[0], origin[1], "default")
            )
        return check(tag, required, optional)

    def warn(*words: object, **_options: object) -> None:
        run().warnings.append((_plain(" ".join(map(str, words))), run().last))

    def find(package: str) -> str:
        found = run().find_package(package)
        if found is None:
            # In xacro's own words an exception of another kind would be named twice.
            advice = "add its folder to ROS_PACKAGE_PATH or the model paths"
            run().problem = Message(f"package '{package}' is not found", advice)
            raise engine.XacroException(run().problem)
        return found

    substitution: Any = importlib.import_module(f"{engine.__name__}.substitution_args")
    substitution._eval_find = find
    substitution._eval_dict["find"] = find
    engine.parse = parse
    engine.check_attrs, engine.warning = check_attributes, warn
    engine.print_location = lambda: None
    replace_evaluation(engine, substitution, lambda steps: run().count(steps), _recorder)
    record_names(engine, _recorder, lambda element: element.getUserData(_ORIGIN))
    _wrap_macros(engine)


def _wrap_macros(engine: Any) -> None:
    """Replace the functions of xacro that evaluate elements and call macros."""
    eval_all, call_macro = engine.eval_all, engine.handle_macro_call

    def evaluate_all(node: minidom.Element, macros: object, symbols: object) -> None:
        _current[-1].visit(node)
        if node.getUserData(_CALLS) is None:
            node.setUserData(_CALLS, tuple(_current[-1].calls), _HAND_ON)
        _recorder.begin_element()
        try:
            eval_all(node, macros, symbols)
        finally:
            reads = _recorder.end_element()
        if reads:  # a block of a macro call was evaluated before, with the names that it knew
            node.setUserData(_READS, reads | (node.getUserData(_READS) or {}), _HAND_ON)

    def handle_macro_call(node: minidom.Element, macros: object, symbols: object) -> bool:
        if type(node.tagName) is not str:
            raise engine.XacroException(f"the name of an element is given {node.tagName!r}, which is no text")
        if not node.tagName.startswith("xacro:"):
            return False
        _current[-1].visit(node)
        origin = node.getUserData(_ORIGIN)
        if origin is not None:
            _current[-1].calls.append(origin)
        before = _recorder.definer, _recorder.call
        _recorder.definer, _recorder.call = (DefinitionKind.PARAMETER, origin, ""), origin
        try:
            return bool(call_macro(node, macros, symbols))
        except Exception:
            if _current[-1].failed_in is None:
                _current[-1].failed_in = tuple(_current[-1].calls)
            raise
        finally:
            _recorder.definer, _recorder.call = before
            if origin is not None:
                _current[-1].calls.pop()

    engine.eval_all, engine.handle_macro_call = evaluate_all, handle_macro_call
