"""The files that a model references, found or missing."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from sdfviewer.diagnostics import Span
from sdfviewer.document.document import Document
from sdfviewer.document.element import Element
from sdfviewer.files.finder import Finder
from sdfviewer.library.base import Walled
from sdfviewer.library.names import short_name
from sdfviewer.model.model import Model as FrameTable
from sdfviewer.model.near_names import Hinted


@dataclass(frozen=True, slots=True)
class Resource(Walled, Hinted):
    """A file that a model names.

    Attributes
    ----------
    kind
        ``include``, ``mesh``, ``heightmap``, ``texture``, ``material script`` or ``plugin``.
    uri
        As written.
    path
        The file or folder; None where it is not found.
    tried
        Where it was not found; nowhere for what comes with Gazebo itself.
    problem
        Why it is missing, empty where it is not.
    near
        A URI that may have been meant, empty where nothing is near.
    users
        Names of what uses it.
    location
        Where it is named first.
    used_by
        The mesh file that names it, None where the model does.
    triangles
        Of a mesh, None where it was not read.
    only_here
        Why other programs do not find a file that was found near the model, empty where they do.
    found_in
        A folder to load the model with (``paths=``), in which the file would be found; empty where none is known.
    """

    kind: str
    uri: str
    path: Path | None
    tried: tuple[Path, ...]
    problem: str
    near: str
    users: tuple[str, ...]
    location: Span
    used_by: Path | None = None
    triangles: int | None = None
    only_here: str = ""
    found_in: str = ""

    @property
    def is_found(self) -> bool:
        """Whether the file is there."""
        return self.path is not None


def find_meshes(table: FrameTable, finder: Finder) -> tuple[Resource, ...]:
    """Return the mesh files of a model, each once."""
    return tuple(each for each in find_resources(table, finder) if each.kind == "mesh")


def find_resources(table: FrameTable, finder: Finder, *, read: bool = False) -> tuple[Resource, ...]:
    """Return all files that a model names, each once for each file that names it, in document order.

    Parameters
    ----------
    table, finder
        The model, and what finds its files.
    read
        Whether meshes are read, for what is wrong with them and for the textures that they name.
    """
    from sdfviewer.scene.assets import documents_of, find_assets, named_in  # noqa: PLC0415  # only some ask

    rows = {id(element): row for row, element in enumerate(table.elements)}
    users: dict[tuple[str, str, Path | None], list[str]] = {}
    for document in documents_of(table):
        for use in named_in(document):
            row = _row_around(document, use.element, rows)
            if row is not None:
                users.setdefault((use.kind.value, use.uri, document.path), []).append(short_name(table, row))
    found: dict[tuple[str, str, Path | None], Resource] = {}
    for asset in find_assets(table, finder, read=read):
        key = asset.kind.value, asset.uri, asset.document.path
        found.setdefault(
            key,
            Resource(
                asset.kind.value,
                asset.uri,
                asset.path,
                asset.tried,
                asset.problem,
                asset.near,
                tuple(dict.fromkeys(users.get(key, ()))),
                asset.document.span(asset.element, asset.part),
                asset.used_by,
                asset.triangles,
                asset.only_here,
                asset.found_in,
            ),
        )
    return tuple(found.values())


def _row_around(document: Document, element: Element, rows: dict[int, int]) -> int | None:
    """Return the row of the innermost thing that holds an element."""
    around: Element | None = element
    while around is not None and id(around) not in rows:
        around = document.parent(around)
    return None if around is None else rows[id(around)]
