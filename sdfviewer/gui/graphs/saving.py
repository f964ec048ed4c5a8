"""Saves graphs as SVG, PNG, PDF, DOT or JSON."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QMarginsF, QRectF, QSizeF
from PySide6.QtGui import QColor, QImage, QPageLayout, QPageSize, QPainter, QPdfWriter

from sdfviewer.diagnostics import SdfViewerError
from sdfviewer.export.graph_files import format_dot, format_graph_json, format_svg
from sdfviewer.graphs.picture import GraphPicture, graph_colours
from sdfviewer.gui.graphs.drawing import FRAME
from sdfviewer.gui.graphs.graph_marks import GraphMarks
from sdfviewer.gui.graphs.painting import GraphPainter

#: File dialogs offer these, in this order.
FILTERS = ("SVG picture (*.svg)", "PNG picture (*.png)", "PDF page (*.pdf)", "Graphviz DOT (*.dot)", "JSON (*.json)")
#: Pixels of a PNG for each pixel of the drawing, and the most pixels on one side.
DENSITY, LARGEST = 2.0, 16384


class PictureWriteError(SdfViewerError):
    """A picture cannot be written."""


def save_graph(path: Path, picture: GraphPicture, dark: bool) -> None:
    """Write a graph in the format that the file's suffix names.

    Raises
    ------
    PictureError
        If the suffix names no format, or the file cannot be written.
    """
    texts = {
        ".svg": lambda: format_svg(picture, dark),
        ".dot": lambda: format_dot(picture.graph, dark, picture.layout.orientation),
    }
    texts |= {".gv": texts[".dot"], ".json": lambda: format_graph_json(picture.graph)}
    suffix = path.suffix.lower()
    try:
        if suffix in texts:
            path.write_text(texts[suffix](), encoding="utf-8", newline="\n")
        elif suffix == ".png":
            if not draw_image(picture, dark).save(str(path)):
                raise PictureWriteError(f"cannot write {path}")
        elif suffix == ".pdf":
            _write_pdf(path, picture, dark)
        else:
            raise PictureWriteError(f"no picture format has the suffix '{suffix}'; use .svg, .png, .pdf, .dot or .json")
    except OSError as error:
        raise PictureWriteError(f"cannot write {path}: {error.strerror or error}") from error


def draw_image(picture: GraphPicture, dark: bool) -> QImage:
    """Return a picture as pixels, smaller than natural where it would be larger than any program opens."""
    painter_of_graph = GraphPainter(picture, graph_colours(dark))
    bounds = painter_of_graph.bounds().adjusted(-FRAME, -FRAME, FRAME, FRAME)
    density = min(DENSITY, LARGEST / max(bounds.width(), bounds.height()))
    image = QImage((bounds.size() * density).toSize(), QImage.Format.Format_RGB32)
    image.fill(QColor(graph_colours(dark).ground))
    with QPainter(image) as painter:
        _paint(painter, painter_of_graph, bounds, density)
    return image


def _write_pdf(path: Path, picture: GraphPicture, dark: bool) -> None:
    painter_of_graph = GraphPainter(picture, graph_colours(dark))
    bounds = painter_of_graph.bounds().adjusted(-FRAME, -FRAME, FRAME, FRAME)
    writer = QPdfWriter(str(path))
    writer.setTitle(f"{picture.graph.kind.value} graph")
    # A pixel becomes a point, unless the page would exceed the 200 inches that PDF allows.
    scale = min(1.0, 14400 / max(bounds.width(), bounds.height()))
    page = QPageSize(QSizeF(bounds.width(), bounds.height()) * scale, QPageSize.Unit.Point, matchPolicy=_EXACT)
    writer.setPageLayout(QPageLayout(page, QPageLayout.Orientation.Portrait, QMarginsF()))
    painter = QPainter(writer)
    if not painter.isActive():
        raise PictureWriteError(f"cannot write {path}")
    try:
        painter.fillRect(painter.viewport(), QColor(graph_colours(dark).ground))
        _paint(painter, painter_of_graph, bounds, painter.viewport().width() / bounds.width())
    finally:
        painter.end()


_EXACT = QPageSize.SizeMatchPolicy.ExactMatch


def _paint(painter: QPainter, graph: GraphPainter, bounds: QRectF, scale: float) -> None:
    painter.scale(scale, scale)
    painter.translate(-bounds.topLeft())
    graph.paint(painter, bounds, max(scale, 1.0), GraphMarks())
