"""A plot of the difference of some frames over the sweep of one joint."""

from __future__ import annotations

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QSizePolicy, QWidget

from sdfviewer.gui.context.settings import Settings
from sdfviewer.gui.kit.fields import LENGTH, from_radians
from sdfviewer.gui.kit.safe_text import escaped
from sdfviewer.gui.kit.theme import on_theme_change, tokens
from sdfviewer.gui.kit.widgets import column_of
from sdfviewer.model.kinematics.conventions import Comparison
from sdfviewer.number_text import format_shown
from sdfviewer.transforms import Array

SAMPLES = 241
#: Okabe and Ito's, without the pale yellow; dashes tell them apart where colours do not.
CURVES = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#D55E00", "#56B4E9")
_DASHES = (None, [6, 3], [2, 3], [8, 3, 2, 3])
#: Curves that are the same are drawn in turn, each for so many widths of a line.
_TURN = 5.0
#: What differs by less than this share of the highest is drawn as the same: less than a pixel.
_SAME = 1e-3
#: What differs by less, in any unit, does not differ.
NOTHING = 1e-9
#: What differs by more is no point of a curve: an axis has no end there.
_MOST = 1e100


class SweepPlot(QWidget):
    """Curves over one joint, in metres or as angles."""

    def __init__(self, settings: Settings, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        on_theme_change(self._paint)
        self._settings = settings
        self.plot = pg.PlotWidget()
        # The plot is read-only; what it shows is chosen beside it.
        for widget in (self.plot, self.plot.viewport()):
            widget.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.plot.setMenuEnabled(False)
        self.plot.hideButtons()
        self.plot.showGrid(x=True, y=True, alpha=0.18)
        # In a low plot a legend would cover the curves.
        self.legend = QLabel(textFormat=Qt.TextFormat.RichText, wordWrap=True)
        self.legend.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.marker = pg.InfiniteLine(angle=90)
        self.plot.addItem(self.marker, ignoreBounds=True)
        column_of(self.legend, (self.plot, 1), parent=self, margins=0, spacing=2)
        self.setMinimumHeight(72)
        self._paint()

    def show_sweep(self, comparison: Comparison, q: Array, dof: int, rows: list[int], *, angles: bool) -> None:
        """Show how far rows are apart while one degree of freedom goes through its range and the others stay.

        Parameters
        ----------
        comparison, q
            The two conventions, and the joint positions (m,).
        dof
            The column of q that is swept.
        rows
            The frames, a curve each.
        angles
            Whether the curves are angles between orientations instead of metres between origins.
        """
        kinematics = comparison.absolute.kinematics
        swept = kinematics.dofs[dof]
        values = np.linspace(*swept.range, SAMPLES)
        configurations = np.tile(q, (len(values), 1))
        configurations[:, dof] = values
        differences = comparison.differences(kinematics.follow(configurations), rows)
        unit = self._settings.angle_unit
        per_radian = from_radians(1.0, unit)
        scale = per_radian if swept.unit == "rad" else 1.0
        for curve in list(self.plot.listDataItems()):
            self.plot.removeItem(curve)
        curves = differences.radians * per_radian if angles else differences.metres
        curves = np.where(curves < _MOST, curves, np.nan)
        highest = float(np.nanmax(np.append(curves, 0.0)))
        places = [_place_among_same(curves, number, max(_SAME * highest, NOTHING)) for number in range(len(rows))]
        entries = []
        root = f"{comparison.model.names[0]}::"
        for number, row in enumerate(rows):
            tone = CURVES[number % len(CURVES)]
            pen = pg.mkPen(tone, width=2, dash=_DASHES[number // len(CURVES) % len(_DASHES)])
            place, count = places[number]
            if place:
                pen.setDashPattern((_TURN, _TURN * (count - 1)))
                pen.setDashOffset(-_TURN * place)
            self.plot.plot(values * scale, curves[:, number], pen=pen)
            # As in the table: a name without its model could be that of another robot.
            name = self.fontMetrics().elidedText(
                comparison.model.names[row].removeprefix(root), Qt.TextElideMode.ElideMiddle, max(48, self.width() - 24)
            )
            entries.append(f'<span style="color: {tone};">▬</span>&nbsp;{escaped(name)}')
        self.legend.setText(" &nbsp;".join(entries))
        self.legend.setToolTip("\n".join(comparison.model.names[row] for row in rows))
        local = swept.name.rpartition("::")[2]
        self.plot.setXRange(float(values[0]) * scale, float(values[-1]) * scale, padding=0.02)
        # Always include zero, so that a constant difference is not a flat line at the bottom.
        # A scale for nothing at all would show noise as if it were something.
        self.plot.setYRange(0.0, highest if highest > NOTHING else 1.0, padding=0.06)
        if highest <= NOTHING and np.isfinite(curves).any():
            self.legend.setText(f"No difference over this sweep. {self.legend.text()}")
        self.marker.setValue(float(q[dof]) * scale)
        sign = unit.value if angles else LENGTH
        self.setAccessibleName(f"Difference over a sweep of {local}: at most {format_shown(highest)} {sign}")

    def _paint(self) -> None:
        colours = tokens(self.palette())
        self.plot.setBackground(colours.base)
        for side in ("left", "bottom"):
            axis = self.plot.getAxis(side)
            axis.setPen(colours.border_strong)
            axis.setTextPen(colours.muted)
            axis.enableAutoSIPrefix(False)
        self.plot.getAxis("left").setWidth(44)
        self.marker.setPen(pg.mkPen(colours.muted, width=1.5, dash=[4, 3]))


def _place_among_same(curves: Array, number: int, most: float) -> tuple[int, int]:
    """Return which of the curves (k, n) that are the same as one of them it is, and how many these are.

    Both may have gaps, at the same samples.
    """
    curve = curves[:, number, None]
    apart = np.abs(curves - curve)
    same = np.asarray(((apart <= most) | (np.isnan(curves) & np.isnan(curve))).all(axis=0))
    return int(same[:number].sum()), int(same.sum())
