"""What a page knows of a model: frames, motions, references, problems and graphs, as tables."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np

from sdfviewer.diagnostics import Diagnostic, Span
from sdfviewer.display_text import visible, visible_message
from sdfviewer.export.svg import format_svg
from sdfviewer.graphs.graph_build import build_graph
from sdfviewer.graphs.graph_view import GraphKind
from sdfviewer.graphs.picture import draw_graph
from sdfviewer.graphs.shown_part import ShownPart
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
from sdfviewer.scene.scene import Scene

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
