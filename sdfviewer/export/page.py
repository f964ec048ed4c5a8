"""Write a model as a web page in one file, which loads nothing from the network.

Knows what a page needs of a model: frames, motions, references, problems and graphs, as tables; must not know how the
page draws it. The program of the page, in ``packaging/page``, multiplies poses and draws: no rule of SDFormat is in it.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
import math
import os
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from itertools import chain
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from sdfviewer.diagnostics import Diagnostic, SdfViewerError, Span
from sdfviewer.display_text import visible, visible_message
from sdfviewer.export.gltf import GltfPacker, TexturePacker
from sdfviewer.export.graph_files import format_svg
from sdfviewer.files.finder import Finder
from sdfviewer.formats.comparison import compare
from sdfviewer.graphs.folding import ShownPart
from sdfviewer.graphs.graph_build import build_graph
from sdfviewer.graphs.graph_view import GraphKind
from sdfviewer.graphs.picture import draw_graph
from sdfviewer.model.comparison.difference import PropertyDifference
from sdfviewer.model.comparison.frames import FrameDifference, farthest_first
from sdfviewer.model.comparison.models import ModelComparison
from sdfviewer.model.explanation import edge_span, raw_numbers
from sdfviewer.model.graph import Rows
from sdfviewer.model.kinematics.conventions import Comparison, PoseConvention
from sdfviewer.model.kinematics.forward import Kinematics
from sdfviewer.model.kinematics.loops import loops_around
from sdfviewer.model.kinematics.motion import SweepPath
from sdfviewer.model.model import Model
from sdfviewer.resources import resource
from sdfviewer.scene.copied_files import NearFinder
from sdfviewer.scene.loader import MeshProblem
from sdfviewer.scene.mesh import TriangleMesh
from sdfviewer.scene.nodes import Layer, MeshInstance
from sdfviewer.scene.scene import Scene
from sdfviewer.scene.scene_build import SceneOptions, load_scene

#: Solved configurations of a slider that moves a mechanism with loops.
LOOP_SAMPLES: Final = 50
#: A graph of more frames is left out: a browser would take seconds to draw it, and no page could show it whole.
_MOST_VERTICES: Final = 4000
#: Larger graphs are folded as the window opens them: alike vertices are one box, and models are closed.
_MANY_VERTICES: Final = 500
_MOST_PROBLEMS: Final = 500


def model_tables(
    model: Model, diagnostics: Sequence[Diagnostic], scene: Scene, tell: Callable[[int, int], object]
) -> dict[str, Any]:
    """Return the record of a model for a page; its surfaces are still to be packed.

    Parameters
    ----------
    model
        The model.
    diagnostics
        All that is wrong with its files.
    scene
        The picture of it, with joints and triads.
    tell
        Is called with how many of how many sliders of closed loops have been solved.
    """
    comparison = Comparison(model)
    kinematics = comparison.absolute.kinematics
    files = _FileNames(model)
    return {
        "file": files.name(model.document.path) or model.document.name,
        "root": visible(model.root_frame),
        "names": [visible(name) for name in model.names],
        "labels": [visible(name) for name in model.local_names],
        "kinds": [kind.value for kind in model.kinds],
        "vertices": model.is_vertex,
        "owners": model.owners.astype(np.int32),
        "relativeTo": model.relative_to.astype(np.int32),
        "attachedTo": model.attached_to.astype(np.int32),
        "written": np.array([each is not None for each in model.relative_to_written], np.uint8),
        "raw": np.array([raw_numbers(model, row) for row in range(len(model))], np.float64).reshape(-1, 6),
        "places": _places(model, files),
        "files": files.names,
        "conventions": _conventions(comparison),
        "dofs": [
            {
                "name": visible(dof.name),
                "row": dof.joint.row,
                "unit": dof.unit,
                "lower": dof.lower,
                "upper": dof.upper,
                "range": dof.range,
                "leader": None if dof.leader is None else visible(dof.leader),
            }
            for dof in kinematics.dofs
        ],
        "sources": kinematics.followers.sources.astype(np.int32),
        "gains": kinematics.followers.gains,
        "offsets": kinematics.followers.offsets,
        "loops": _loops(kinematics, tell),
        "joints": {"rows": scene.joints.rows, "axes": scene.joints.axes, "shapes": scene.joints.shapes},
        "triads": scene.triads.rows,
        "outline": scene.outline(),
        "problems": _problems(model, diagnostics, files),
        "graphs": _graphs(model),
    }


def change_list(comparison: ModelComparison) -> list[dict[str, Any]]:
    """Return all that differs between the models of a page, frames first, those that moved farthest at the top."""
    frames = farthest_first(comparison.differences())
    before, after = _FileNames(comparison.a), _FileNames(comparison.b)
    changes = []
    differences: list[FrameDifference | PropertyDifference] = [*frames, *comparison.properties()]
    for each in differences:
        place_before, place_after = comparison.spans(each)
        distance = (each.metres, each.radians) if isinstance(each, FrameDifference) else (None, None)
        changes.append(
            {
                "text": visible(str(each)),
                "metres": distance[0],
                "radians": distance[1],
                "rowBefore": each.row_before,
                "rowAfter": each.row_after,
                "before": before.place(place_before),
                "after": after.place(place_after),
            }
        )
    return changes


class _FileNames:
    """The files of a model by number, called without the folders of the disk that they are on."""

    def __init__(self, model: Model) -> None:
        path = model.document.path
        self._folder = None if path is None else path.parent
        self._numbers: dict[str, int] = {}

    @property
    def names(self) -> list[str]:
        return list(self._numbers)

    def name(self, path: str | Path | None) -> str:
        """Return a path as seen from the file's folder where it is in it, else the file's name."""
        if path is None:
            return ""
        path = Path(path)
        is_inside = self._folder is not None and path.is_relative_to(self._folder)
        shown = path.relative_to(self._folder).as_posix() if is_inside and self._folder is not None else path.name
        return visible(shown)

    def place(self, span: Span | None) -> str:
        """Return a place, ``file:line``, with the name of its file here."""
        return "" if span is None else f"{self.name(span.path)}:{span.line}"

    def number(self, path: str | Path | None) -> int:
        return self._numbers.setdefault(self.name(path), len(self._numbers))


def _places(model: Model, files: _FileNames) -> np.ndarray[Any, Any]:
    """Return where each row's place is written (n, 2): the number of the file, and the line."""
    places = np.zeros((len(model), 2), np.int32)
    for row in range(len(model)):
        span = edge_span(model, row) if model.is_vertex[row] else model.document_of(row).span(model.elements[row])
        places[row] = files.number(span.path), span.line
    return places


def _conventions(comparison: Comparison) -> list[dict[str, Any]]:
    """Return the tables of both conventions, of one where they are the same."""

    def tables(convention: PoseConvention, columns: Rows) -> dict[str, Any]:
        motion = convention.kinematics.tables
        return {
            "name": convention.name,
            "X0": convention.kinematics.initial_poses,
            "bases": motion.bases,
            "columns": columns[motion.columns],
            "parents": motion.parents,
            "nodes": motion.nodes,
        }

    found = [tables(comparison.absolute, np.arange(len(comparison.absolute.kinematics.dofs)))]
    if not comparison.equal:
        found.append(tables(comparison.relative, comparison.columns_of_relative))
    return found


def _loops(kinematics: Kinematics, tell: Callable[[int, int], object]) -> list[dict[str, Any]]:
    """Return the solved configurations of each slider that moves joints of a loop."""
    loops: list[dict[str, Any]] = []
    columns = [
        column
        for column, dof in enumerate(kinematics.dofs)
        if dof.leader is None and dof.range[0] < dof.range[1] and loops_around(kinematics, [column])
    ]
    for column in columns:
        tell(len(loops), len(columns))
        sweep = SweepPath(kinematics, kinematics.q0, column, *kinematics.dofs[column].range, LOOP_SAMPLES)
        loops.append({"column": column, "values": sweep.values, "q": sweep.configurations})
    return loops


def _problems(model: Model, diagnostics: Sequence[Diagnostic], files: _FileNames) -> list[dict[str, Any]]:
    def place(span: Span | None) -> tuple[str, int]:
        return ("", 0) if span is None else (files.name(span.path), span.line)

    folder = "" if model.document.path is None else os.fspath(model.document.path.parent) + os.sep
    problems = []
    for each in diagnostics[:_MOST_PROBLEMS]:
        file, line = place(each.span)
        rows = [model.rows_by_name[name] for name in each.frames if name in model.rows_by_name]
        message = visible_message(each.message.replace(folder, "") if folder else each.message)
        record = {"severity": each.severity.value, "rule": each.rule.name, "message": message, "rows": rows}
        problems.append(record | {"file": file, "line": line})
    return problems


def _graphs(model: Model) -> list[dict[str, Any]]:
    """Return the three graphs as the program draws them, on light and on dark ground."""
    graphs = []
    for kind in GraphKind:
        graph = build_graph(model, kind)
        if len(graph) > _MANY_VERTICES:
            part = ShownPart()
            part.update(graph, None)
            graph = part.of(graph, ())
        if 0 < len(graph) <= _MOST_VERTICES:
            picture = draw_graph(graph)
            graphs.append({"kind": kind.value, "light": format_svg(picture), "dark": format_svg(picture, dark=True)})
    return graphs


_ALIGNMENT: Final = 8
#: The types that JavaScript has typed arrays for.
_TYPES: Final = {
    np.dtype("<f8"): "f8",
    np.dtype("<f4"): "f4",
    np.dtype("<i4"): "i4",
    np.dtype("<u4"): "u4",
    np.dtype("<u2"): "u2",
    np.dtype("i1"): "i1",
    np.dtype("u1"): "u1",
}
_LEVEL: Final = 9


def pack(record: Mapping[str, Any]) -> bytes:
    """Return a record of texts, numbers, lists and arrays as compressed bytes, the same each time.

    They are a number of four bytes, the length of a header, then the header in JSON, then the arrays, each at a
    multiple of eight bytes and in the byte order of all processors that run browsers. In the header an array is
    ``{"$": [type, start, shape]}``.
    """
    arrays: list[bytes] = []
    end = 0

    def place(data: bytes) -> int:
        nonlocal end
        arrays.append(data + b"\0" * (-len(data) % _ALIGNMENT))
        start, end = end, end + len(arrays[-1])
        return start

    def plain(value: Any) -> Any:
        if isinstance(value, np.ndarray):
            array = _with_known_type(value)
            return {"$": [_TYPES[array.dtype], place(array.tobytes()), list(array.shape)]}
        if isinstance(value, bytes):
            return {"$": ["u1", place(value), [len(value)]]}
        if isinstance(value, Mapping):
            return {str(key): plain(each) for key, each in value.items()}
        if isinstance(value, Sequence) and not isinstance(value, str):
            return [plain(each) for each in value]
        if isinstance(value, float) and not math.isfinite(value):
            return None
        return value

    header = json.dumps(plain(record), ensure_ascii=True, separators=(",", ":")).encode("ascii")
    header += b" " * (-(4 + len(header)) % _ALIGNMENT)
    return gzip.compress(len(header).to_bytes(4, "little") + header + b"".join(arrays), _LEVEL, mtime=0)


def _with_known_type(array: NDArray[Any]) -> NDArray[Any]:
    """Return an array in a type that a page can read."""
    if array.dtype.newbyteorder("<") in _TYPES:
        return np.ascontiguousarray(array, array.dtype.newbyteorder("<"))
    if array.dtype.kind == "b":
        return np.ascontiguousarray(array, np.uint8)
    return np.ascontiguousarray(array, "<i4" if array.dtype.kind in "iu" else "<f8")


#: Megabytes of a page, unless more are allowed: what a forum or a pull request takes.
MAX_SIZE: Final = 8.0
_MEGABYTE: Final = 1e6
_SHOWN: Final = SceneOptions(collisions=True, sensors=False, lights=False, labels=False)
#: Each level of coarser meshes has a quarter of the triangles or less.
_LEVELS: Final = 4
_LAYERS: Final = tuple(Layer)
#: Triangles that all surfaces of one mesh may have, where it has coarser versions: thousands of balls are small.
_TRIANGLES: Final = 200_000


class PageTooLargeError(SdfViewerError):
    """A page would be larger than was allowed, even with the coarsest meshes."""


@dataclass(frozen=True, slots=True)
class PageModel:
    """A model that a page shows, with the diagnostics of its files."""

    model: Model
    diagnostics: Sequence[Diagnostic]


@dataclass(frozen=True, slots=True)
class WebPage:
    """A page.

    Attributes
    ----------
    text
        The HTML.
    coarser
        How many levels coarser than written its meshes are, to keep it small.
    problems
        What the page cannot show as written, such as a mesh that is not found.
    """

    text: str
    coarser: int
    problems: tuple[MeshProblem, ...]


def write_page(
    subject: PageModel,
    finder: Finder,
    max_size: float = MAX_SIZE,
    before: PageModel | None = None,
    *,
    tell: Callable[[int, int], object] = lambda done, total: None,
) -> WebPage:
    """Return the page of a model.

    Parameters
    ----------
    subject
        The model.
    finder
        Where meshes and textures are looked for.
    max_size
        Megabytes that the page may have. Where it would be larger, meshes are drawn with fewer triangles.
    before
        The model as it was, for a page that shows what has changed.
    tell
        Is called with how many of how many sliders of closed loops have been solved; what it raises ends this.

    Raises
    ------
    PageTooLargeError
        If it would be larger all the same.
    MissingExtraError
        If the packages that read meshes and pictures are not installed.
    """
    subjects = (subject,) if before is None else (subject, before)
    # A page is passed on: what links lead to elsewhere is not in it.
    loaded = (load_scene(each.model, _SHOWN, NearFinder(finder)) for each in subjects)
    scenes, problems = zip(*loaded, strict=True)
    models = [
        model_tables(each.model, each.diagnostics, scene, tell) for each, scene in zip(subjects, scenes, strict=True)
    ]
    changes = [] if before is None else change_list(compare(before.model, subject.model))
    text, textures = "", TexturePacker()
    for coarser in range(_LEVELS):
        packer = GltfPacker(textures)
        for tables, scene in zip(models, scenes, strict=True):
            tables["surfaces"] = _surface_columns(scene.surfaces, packer, coarser)
        text = _html(models[0]["file"], pack({"models": models, "changes": changes, "gltf": packer.finish()}))
        if len(text) <= max_size * _MEGABYTE:
            return WebPage(text, coarser, tuple(dict.fromkeys(chain.from_iterable(problems))))
    raise PageTooLargeError(
        f"the page of {subject.model.document.name} has {len(text) / _MEGABYTE:.1f} MB with the coarsest meshes; "
        f"at most {max_size:g} MB are allowed"
    )


def _html(title: str, data: bytes) -> str:
    """Return the page around packed data.

    Texts of the file are in the data only, and in the title as text. The content security policy allows the first
    script by its hash and the blob that it makes of the second, and no request to anywhere.
    """
    style = resource("page", "page.css").read_text(encoding="utf-8")
    start = resource("page", "start.js").read_text(encoding="utf-8")
    program = resource("page", "page.js.gz").read_bytes()
    policy = (
        f"default-src 'none'; script-src '{_hash(start)}' blob:; style-src '{_hash(style)}'; img-src blob: data:; "
        "base-uri 'none'; form-action 'none'"
    )
    parts: list[Any] = [
        "<!DOCTYPE html>",
        '<html lang="en"><head><meta charset="utf-8">',
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{escape(visible(title))}</title><style>{style}</style></head>",
        "<body><noscript>This page needs JavaScript to draw the model.</noscript>",
        '<main id="page"><p id="loading" role="status">Loading…</p></main>',
        f'<script type="text/plain" id="program">{_text(program)}</script>',
        f'<script type="text/plain" id="data">{_text(data)}</script>',
        f"<script>{start}</script></body></html>",
    ]
    return "\n".join(parts) + "\n"


def _text(data: bytes) -> str:
    return base64.b64encode(data).decode("ascii")


def _hash(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode("utf-8")).digest()).decode("ascii")


def _surface_columns(instances: Iterable[MeshInstance], packer: GltfPacker, coarser: int = 0) -> dict[str, Any]:
    """Return the surfaces as columns: which mesh each shows, in which material, and where.

    Parameters
    ----------
    instances
        The surfaces.
    packer
        Takes their meshes and materials.
    coarser
        How many levels coarser than written meshes are, where they have coarser versions.
    """
    shown = [each for each in instances if len(each.mesh.indices)]
    offset = [number for number, each in enumerate(shown) if each.X_RowG is not None]
    counts = Counter((id(each.mesh), each.layer) for each in shown)
    meshes = [_level(each.mesh, counts[id(each.mesh), each.layer], coarser) for each in shown]
    return {
        "rows": np.array([each.row for each in shown], np.int32),
        "scales": np.array([each.scale for each in shown], np.float64).reshape(-1, 3),
        "layers": np.array([_LAYERS.index(each.layer) for each in shown], np.uint8),
        "meshes": np.array([packer.mesh(each) for each in meshes], np.int32),
        "materials": np.array(
            [-1 if each.material is None else packer.material(each.material) for each in shown], np.int32
        ),
        "offset": np.array(offset, np.int32),
        "X_RowG": np.array([shown[number].X_RowG for number in offset], np.float64).reshape(-1, 4, 4),
    }


def _level(mesh: TriangleMesh, count: int, coarser: int) -> TriangleMesh:
    """Return the version of a mesh that a number of surfaces show."""
    levels = mesh.levels[min(coarser, len(mesh.levels) - 1) :]
    return next((each for each in levels if count * len(each.indices) <= _TRIANGLES), levels[-1])
