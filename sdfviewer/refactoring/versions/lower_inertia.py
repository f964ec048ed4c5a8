"""Automatic inertia written as numbers for SDFormat 1.10 and earlier."""

from __future__ import annotations

from sdfviewer.document.edits import Replacements, indentation_step, remove_element, replace_element
from sdfviewer.formats.inertia import resolve_inertial
from sdfviewer.model.contents import Inertial
from sdfviewer.model.kinds import Kind
from sdfviewer.model.values import IDENTITY, format_number, format_pose, parse_bool
from sdfviewer.refactoring.versions.lowering import Lowering


def lower_inertia(lowering: Lowering) -> Replacements:
    """Return the edit that writes inertia as numbers where it is to be computed."""
    model = lowering.model
    edits: Replacements = ()
    for row, element in enumerate(model.elements):
        inertial = element.find("inertial") if model.kinds[row] is Kind.LINK and model.sources[row] is None else None
        if inertial is None or element.tag != "link" or not parse_bool(inertial.attributes.get("auto", "")):
            continue
        computed = resolve_inertial(model, row)
        if computed is None:
            lowering.lose(
                inertial, f"the inertia of '{model.names[row]}' is computed from a mesh; write its numbers first"
            )
            continue
        for collision in element.findall("collision"):
            for child in collision.findall("density", "auto_inertia_params"):
                edits += remove_element(lowering.document, child)
        edits += replace_element(lowering.document, inertial, _inertial(indentation_step(lowering.document), computed))
    return edits


def _inertial(step: str, inertial: Inertial) -> str:
    """Return an ``<inertial>`` in numbers, each level indented by ``step``."""
    pose = format_pose([*inertial.center_of_mass.tolist(), 0.0, 0.0, 0.0])
    lines = [] if pose == format_pose(IDENTITY) else [f"{step}{pose}"]
    lines += [f"{step}<mass>{format_number(inertial.mass)}</mass>", f"{step}<inertia>"]
    for i, j in ((0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2)):
        tag = "i" + "xyz"[i] + "xyz"[j]
        lines.append(f"{step}{step}<{tag}>{format_number(float(inertial.inertia[i, j]))}</{tag}>")
    lines.append(f"{step}</inertia>")
    return "\n".join(["<inertial>", *lines, "</inertial>"])
