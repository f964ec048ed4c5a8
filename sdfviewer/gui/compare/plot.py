"""The difference of some frames over the sweep of one joint, as curves."""

from __future__ import annotations

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from sdfviewer.gui.number_field import format_number
from sdfviewer.gui.settings import Settings
from sdfviewer.gui.theme import tokens
from sdfviewer.gui.units import LENGTH, from_radians
from sdfviewer.semantics.kinematics import Dof
from sdfviewer.semantics.readings import Comparison
from sdfviewer.transforms import Array

SAMPLES = 241
#: Okabe and Ito's, without the pale yellow; dashes tell them apart where colours do not.
CURVES = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#D55E00", "#56B4E9")
_DASHES = (None, [6, 3], [2, 3], [8, 3, 2, 3])


class SweepPlot(QWidget):
    """Two plots over one joint: metres above, angles below."""

    def __init__(self, settings: Settings, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._settings = settings
        self.metres = pg.PlotWidget()
        self.angles = pg.PlotWidget()
        self.metres.addLegend(offset=(8, 4), labelTextSize="8pt")
        self.angles.setXLink(self.metres)
        self.markers = [pg.InfiniteLine(angle=90) for _ in range(2)]
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(2)
        for plot, marker in zip((self.metres, self.angles), self.markers, strict=True):
            plot.setMenuEnabled(False)
            plot.hideButtons()
            plot.showGrid(x=True, y=True, alpha=0.18)
            plot.addItem(marker)
            box.addWidget(plot)
        self.setMinimumHeight(120)
        self._paint()

    def show_sweep(self, comparison: Comparison, q: Array, dof: int, rows: list[int]) -> None:
        """Show how far rows are apart while one degree of freedom goes through its range and the others stay."""
        kinematics = comparison.absolute.kinematics
        freedom = kinematics.dofs[dof]
        values = sweep_range(freedom)
        configurations = np.tile(q, (len(values), 1))
        configurations[:, dof] = values
        differences = comparison.differences(kinematics.follow(configurations))
        unit = self._settings.angle_unit
        turns = freedom.unit == "rad"
        shown = np.array([from_radians(value, unit) for value in values.tolist()]) if turns else values
        for plot in (self.metres, self.angles):
            for curve in list(plot.listDataItems()):
                plot.removeItem(curve)
        per_radian = from_radians(1.0, unit)
        for number, row in enumerate(rows):
            dash = _DASHES[number // len(CURVES) % len(_DASHES)]
            pen = pg.mkPen(CURVES[number % len(CURVES)], width=2, dash=dash)
            name = comparison.model.local_names[row]
            self.metres.plot(shown, differences.metres[:, row], pen=pen, name=name)
            self.angles.plot(shown, differences.radians[:, row] * per_radian, pen=pen)
        sign = unit.value if turns else LENGTH
        local = freedom.name.rpartition("::")[2]
        self.angles.setLabel("bottom", f"{local} [{sign}]")
        self.metres.setLabel("left", f"apart [{LENGTH}]")
        self.angles.setLabel("left", f"turned [{unit.value}]")
        for marker in self.markers:
            marker.setValue(from_radians(float(q[dof]), unit) if turns else float(q[dof]))
        total = float(np.nanmax(np.append(differences.metres[:, rows], 0.0)))
        self.setAccessibleName(f"Difference over a sweep of {local}: at most {format_number(total)} {LENGTH}")

    def _paint(self) -> None:
        colours = tokens(self.palette())
        for plot in (self.metres, self.angles):
            plot.setBackground(colours.base)
            for side in ("left", "bottom"):
                axis = plot.getAxis(side)
                axis.setPen(colours.border_strong)
                axis.setTextPen(colours.muted)
                axis.enableAutoSIPrefix(False)
            plot.getAxis("left").setWidth(64)
        legend = self.metres.plotItem.legend
        legend.setLabelTextColor(colours.text)
        legend.setBrush(pg.mkBrush(colours.panel))
        for marker in self.markers:
            marker.setPen(pg.mkPen(colours.accent, width=1.5))

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.PaletteChange and hasattr(self, "markers"):
            self._paint()
        super().changeEvent(event)


def sweep_range(freedom: Dof) -> Array:
    """Return the positions of a sweep: between the limits, or half a turn or a metre to both sides without one."""
    reach = np.pi if freedom.unit == "rad" else 1.0
    lower = freedom.lower if np.isfinite(freedom.lower) else min(-reach, freedom.upper)
    upper = freedom.upper if np.isfinite(freedom.upper) else max(reach, freedom.lower)
    return np.linspace(lower, upper, SAMPLES)
