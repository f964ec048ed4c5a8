"""What the model tree says of joints: where they are, and which are outside of their limits."""

from __future__ import annotations

import numpy as np

from sdfviewer.gui.context.settings import Settings
from sdfviewer.gui.kit.fields.units import LENGTH, from_radians
from sdfviewer.model.kinematics.forward import Kinematics
from sdfviewer.number_text import format_shown
from sdfviewer.session.session import Session
from sdfviewer.transforms import Array

_DIGITS = 4


class JointNotes:
    """The positions of the joints of a session, as they were when `follow` was called last.

    Attributes
    ----------
    have_changed
        Whether they were others at the call before.
    """

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._kinematics: Kinematics | None = None
        self._places: dict[int, list[int]] = {}
        self._q: Array = np.zeros(0)
        self.have_changed = False

    def follow(self, session: Session) -> frozenset[int]:
        """Take note of the positions, and return the rows of the joints that are outside of their limits."""
        kinematics = session.kinematics
        if kinematics is not self._kinematics:
            self._kinematics, self._places = kinematics, {}
            for place, dof in enumerate(() if kinematics is None else kinematics.dofs):
                self._places.setdefault(dof.joint.row, []).append(place)
        if kinematics is None:
            return frozenset()
        before, self._q = self._q, kinematics.positions(session.positions)
        self.have_changed = not np.array_equal(before, self._q)
        return frozenset(kinematics.dofs[place].joint.row for place in kinematics.outside_limits(self._q))

    def position_of(self, row: int) -> str:
        """Return the position of the joint of a row, empty where it has not moved."""
        places = self._places.get(row, [])
        if self._kinematics is None or not any(self._q[place] for place in places):
            return ""
        unit, is_angle = self._settings.angle_unit, self._kinematics.dofs[places[0]].unit == "rad"
        values = [float(self._q[place]) for place in places]
        shown = [format_shown(from_radians(each, unit) if is_angle else each, _DIGITS) for each in values]
        return f"{', '.join(shown)} {unit.value if is_angle else LENGTH}"
