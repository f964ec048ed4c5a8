"""Optional dependencies, the extra of the package that installs each of them, and the command that does it here."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

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
    "mcp": "mcp",
    "xacro": "xacro",
    "yaml": "xacro",
    "coacd": "coacd",
    "imageio_ffmpeg": "video",
    "httpx": "fuel",
    "anywidget": "notebook",
    "traitlets": "notebook",
    "IPython": "notebook",
}

#: The same for other programs that a model is handed over to; ``all`` brings none of them.
OTHER_PROGRAMS = {"trimesh": "trimesh", "pinocchio": "pinocchio", "mujoco": "mujoco", "pydrake": "drake"}


def install_command(extra: str) -> str:
    """Return the command that adds an extra, from where the program was installed: a clone, a wheel, git or an index.

    Nothing else works everywhere: an index may not have the program, or another version. The text can be pasted into
    any shell, that of Windows too.

    Source: https://packaging.python.org/en/latest/specifications/direct-url/
    """
    import json  # noqa: PLC0415
    from importlib.metadata import PackageNotFoundError, distribution  # noqa: PLC0415  # only where something is missing
    from urllib.parse import urlsplit  # noqa: PLC0415
    from urllib.request import url2pathname  # noqa: PLC0415

    if getattr(sys, "frozen", False):
        return f'pip install ".[{extra}]" in a clone; nothing can be added to a bundle'
    try:
        written = distribution("sdfviewer").read_text("direct_url.json")
    except PackageNotFoundError:
        # The source is run as it is.
        return f'pip install "{Path(__file__).resolve().parents[1]}[{extra}]"'
    if written is None:
        return f'pip install "sdfviewer[{extra}]"'
    origin = json.loads(written)
    address = origin["url"]
    if "dir_info" in origin:
        editable = "--editable " if origin["dir_info"].get("editable") else ""
        return f'pip install {editable}"{url2pathname(urlsplit(address).path)}[{extra}]"'
    if "vcs_info" in origin:
        address = f"{origin['vcs_info']['vcs']}+{address}@{origin['vcs_info']['commit_id']}"
    return f'pip install "sdfviewer[{extra}] @ {address}"'


class MissingExtraError(SdfViewerError, ImportError):
    """A feature needs packages that are not installed."""

    def __init__(self, module: str, extra: str) -> None:
        super().__init__(f"this needs the package {module}. Install it with: {install_command(extra)}")
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
        extra = EXTRAS.get(module) or OTHER_PROGRAMS.get(module)
        if extra is None:
            raise
        raise MissingExtraError(module, extra) from error


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
