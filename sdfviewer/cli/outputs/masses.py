"""``sdfviewer frames --mass``: masses of links and of groups of links."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from sdfviewer.formats.mass import link_bodies, links_of
from sdfviewer.model.model import Model
from sdfviewer.model.solids import Body
from sdfviewer.refactoring.inertia import explain_inertia
from sdfviewer.transforms import Array


@dataclass(frozen=True)
class Masses:
    """The bodies of some links and all of them together, in one frame.

    Attributes
    ----------
    frame
        The frame that all numbers are given in.
    links
        Names and bodies of the links with a mass.
    total
        All of them.
    unknown
        Names of links whose mass is not known or whose pose is undefined.
    notes
        What is implausible, by the name of the link.
    """

    frame: str
    links: Sequence[tuple[str, Body]]
    total: Body
    unknown: Sequence[str]
    notes: Sequence[tuple[str, str]]

    def as_json(self) -> dict[str, Any]:
        """Return the answer for a program."""
        return {
            "in": self.frame,
            "total": _as_json(self.total),
            "links": [{"name": name, **_as_json(body)} for name, body in self.links],
            "unknown": list(self.unknown),
            "implausible": [{"name": name, "message": message} for name, message in self.notes],
        }

    def lines(self, file: str) -> list[str]:
        """Return the answer for a person."""
        header = ("link", "mass [kg]", "centre x y z [m]", "ixx iyy izz ixy ixz iyz [kg m²]")
        rows = [header, *((name, *_as_words(body)) for name, body in self.links), ("total", *_as_words(self.total))]
        widths = [max(len(row[column]) for row in rows) for column in range(len(header))]
        lines = [f"{file}: in {self.frame}"]
        lines += [
            "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows
        ]
        lines += [f"{name}: mass unknown" for name in self.unknown]
        lines += [f"{name}: {message}" for name, message in self.notes]
        return lines


def describe_masses(model: Model, X_RootF: Array, of: str, relative_to: str | None) -> Masses:
    """Return the masses of a frame's element, of everything for an empty name.

    Parameters
    ----------
    X_RootF
        Poses (n, 4, 4) of all rows.
    relative_to
        The frame that the numbers are given in; None for the root.
    """
    bodies = link_bodies(model, links_of(model, [model.row(of) if of else 0]))
    X_RootG = None if relative_to is None else X_RootF[model.row(relative_to)]
    total, displaced = bodies.total(X_RootF, X_RootG)
    X_GRoot = np.eye(4) if X_RootG is None else np.linalg.inv(X_RootG)
    links = [
        (model.names[row], body.moved(X_GRoot @ X_RootF[row]))
        for row, body in zip(bodies.links, bodies.bodies, strict=True)
        if row not in displaced
    ]
    notes = [
        (model.names[row], problem.message)
        for row in bodies.links
        if (problem := explain_inertia(model, row, with_fix=False)) is not None
    ]
    frame = relative_to or model.root_frame
    return Masses(frame, links, total, [model.names[row] for row in (*bodies.unknown, *displaced)], notes)


def _moments(body: Body) -> list[float]:
    matrix = body.I_B
    pairs = ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))
    return [float(matrix[pair]) for pair in pairs]


def _as_json(body: Body) -> dict[str, Any]:
    return {"mass": body.mass, "center_of_mass": body.p_FB.tolist(), "inertia": _moments(body)}


def _as_words(body: Body) -> tuple[str, str, str]:
    def words(numbers: Sequence[float]) -> str:
        return " ".join(f"{number:.6g}" if abs(number) > 1e-12 else "0" for number in numbers)

    return f"{body.mass:.6g}", words(body.p_FB.tolist()), words(_moments(body))
