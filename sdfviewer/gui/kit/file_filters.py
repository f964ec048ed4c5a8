"""The filters of file dialogs."""

from __future__ import annotations

from collections.abc import Iterable

from sdfviewer.formats.registry import model_suffixes
from sdfviewer.scene.meshes.reading import SUFFIXES


def model_filter() -> str:
    """Return the filter of models and worlds: the suffixes of all formats, and XML."""
    return _filter("Robot models", (*model_suffixes(), ".xml"))


def mesh_filter() -> str:
    """Return the filter of meshes."""
    return _filter("Meshes", SUFFIXES)


def _filter(what: str, suffixes: Iterable[str]) -> str:
    return f"{what} ({' '.join(f'*{suffix}' for suffix in suffixes)});;All files (*)"
