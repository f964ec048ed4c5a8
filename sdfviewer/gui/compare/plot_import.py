"""The import of pyqtgraph in many passes of the event loop."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from importlib import import_module
from importlib.abc import InspectLoader
from importlib.util import find_spec, module_from_spec
from types import ModuleType

from PySide6 import QtCore, QtGui, QtWidgets

_CLASSES = 32
"""So many classes of Qt are made in one turn, some 5 ms."""


def import_on() -> bool:
    """Do the next part of the import; return whether all of it is done.

    pyqtgraph takes more than a tenth of a second to import, in the window's thread: imported in another one, it has
    stopped the program, because it makes objects of Qt. All open files share one import.
    """
    return next(_steps, True)


def _import() -> Iterator[bool]:
    for module in (QtCore, QtGui, QtWidgets):
        yield from _make_classes(module)
    yield from _run_statements("pyqtgraph")


def _make_classes(module: ModuleType) -> Iterator[bool]:
    """Make all classes of a module of Qt: PySide makes each when it is first requested, and pyqtgraph asks for all."""
    for number, name in enumerate(dir(module), 1):
        getattr(module, name)
        if number % _CLASSES == 0:
            yield False


def _run_statements(name: str) -> Iterator[bool]:
    """Import a package as Python does, but statement by statement; yield after each that has imported others."""
    spec = find_spec(name)
    loader = spec.loader if spec is not None else None
    source = loader.get_source(name) if isinstance(loader, InspectLoader) else None
    if spec is None or source is None or name in sys.modules:
        import_module(name)
        return
    package = sys.modules[name] = module_from_spec(spec)
    try:
        for statement in ast.parse(source).body:
            known = len(sys.modules)
            part = ast.Module([statement], [])
            exec(compile(part, spec.origin or name, "exec", dont_inherit=True), package.__dict__)
            if len(sys.modules) > known:
                yield False
    except BaseException:
        del sys.modules[name]  # as Python does: what is half there must not be found
        raise


_steps = _import()
