"""Puts what the extension for VS Code consists of into a folder, as the marketplace wants it.

The project's address is that of ``pyproject.toml``, or ``SDFVIEWER_ADDRESS``. Without one the manifest names none, and
the package has README's pictures.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtGui import QImage, QPainter
from PySide6.QtSvg import QSvgRenderer

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

_EXTENSION = Path(__file__).parent
_ROOT = _EXTENSION.parents[1]
_ICON_PIXELS = 256
#: Where README's pictures are, as it writes it.
_PICTURES = "../../screenshots/"
#: What only building needs.
_DEVELOPMENT = ("private", "scripts", "dependencies", "devDependencies")


def stage(folder: Path) -> None:
    """Fill a folder from which ``vsce package`` makes the extension."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for name in ("dist", "syntaxes"):
        shutil.copytree(_EXTENSION / name, folder / name)
    for source in (_EXTENSION / "language-configuration.json", _ROOT / "LICENSE"):
        shutil.copy(source, folder)
    draw_icon(folder / "icon.png")
    address = project_address()
    published = manifest(address)
    (folder / "package.json").write_text(json.dumps(published, indent=2), encoding="utf-8")
    readme = (_EXTENSION / "README.md").read_text(encoding="utf-8")
    if not address:
        for picture in (_ROOT / "screenshots").glob("editor-vscode-*.png"):
            shutil.copy(picture, folder)
    pictures = f"{address}/raw/v{published['version']}/screenshots/" if address else ""
    (folder / "README.md").write_text(readme.replace(_PICTURES, pictures), encoding="utf-8")


def project_address() -> str:
    """Return the address of the project, which is empty until it is published."""
    written = tomllib.loads((_ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    address = os.environ.get("SDFVIEWER_ADDRESS") or written["tool"]["hatch"]["metadata"]["hooks"]["custom"]["address"]
    return str(address).rstrip("/")


def manifest(address: str) -> dict[str, object]:
    """Return ``package.json`` as it is published."""
    written: dict[str, object] = json.loads((_EXTENSION / "package.json").read_text(encoding="utf-8"))
    written = {name: value for name, value in written.items() if name not in _DEVELOPMENT} | {"files": ["**/*"]}
    if address:
        written |= {
            "repository": {"type": "git", "url": address},
            "bugs": {"url": f"{address}/issues"},
            "homepage": f"{address}#readme",
        }
    return written


def draw_icon(path: Path) -> None:
    """Write the icon as a PNG, since the marketplace takes no SVG."""
    image = QImage(_ICON_PIXELS, _ICON_PIXELS, QImage.Format.Format_ARGB32)
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    QSvgRenderer(str(_ROOT / "resources" / "icons" / "sdfviewer.svg")).render(painter)
    painter.end()
    if not image.save(str(path)):
        raise OSError(f"{path} could not be written")


if __name__ == "__main__":
    stage(Path(sys.argv[1]))
