"""Optional dependencies, and the extra of the package that installs each of them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec

from sdfviewer.diagnostics import SdfViewerError

#: The extra that installs each top-level module. The core needs NumPy and networkx only.
EXTRAS = {
    "PySide6": "gui",
    "shiboken6": "gui",
    "pyqtgraph": "gui",
    "qtawesome": "gui",
    "OpenGL": "render",
    "PIL": "render",
    "lxml": "render",
    "mapbox_earcut": "render",
    "pygls": "lsp",
    "lsprotocol": "lsp",
    "xacro": "xacro",
    "yaml": "xacro",
    "imageio_ffmpeg": "video",
    "httpx": "fuel",
    "anywidget": "notebook",
    "traitlets": "notebook",
}


class MissingExtraError(SdfViewerError, ImportError):
    """A feature needs packages that are not installed."""

    def __init__(self, module: str, extra: str) -> None:
        super().__init__(f"this needs the package {module}. Install it with: pip install 'sdfviewer[{extra}]'")
        self.extra = extra
        self._module = module

    def __reduce__(self) -> tuple[type[MissingExtraError], tuple[str, str]]:
        return type(self), (self._module, self.extra)


@contextmanager
def required_extras() -> Iterator[None]:
    """Turn the ImportError of an optional dependency into one that names the extra to install.

    Raises
    ------
    MissingExtraError
        If the body imports a module of an extra that is not installed.
    """
    try:
        yield
    except ModuleNotFoundError as error:
        module = (error.name or "").partition(".")[0]
        if module not in EXTRAS:
            raise
        raise MissingExtraError(module, EXTRAS[module]) from error


def require(extra: str) -> None:
    """Check that the modules of an extra are installed, before a part that needs all of them is imported.

    Raises
    ------
    MissingExtraError
        For the first one that is not.
    """
    for module, brought_by in EXTRAS.items():
        if brought_by == extra and find_spec(module) is None:
            raise MissingExtraError(module, extra)
