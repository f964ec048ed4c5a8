"""The visible part of a scene, with hidden and transparent rows."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from sdfviewer.scene.materials.materials import faded
from sdfviewer.scene.nodes import Floats, Ints, JointGlyphs, MeshInstance, ParentSides, Triads
from sdfviewer.scene.scene import Scene


def visible_part(
    scene: Scene, hidden: NDArray[np.bool_], opacities: Floats, frameless: NDArray[np.bool_] | None = None
) -> Scene:
    """Return a scene without the rows of a mask (n,), the surfaces of the others at opacities (n,).

    Of `frameless` rows (n,) the triads and names are left out. The frame table keeps all rows, so that poses and names
    fit as before.
    """
    if not hidden.any() and (opacities >= 1).all():
        return scene
    shown = ~hidden
    holders = scene.owners[hidden]
    framed = shown if frameless is None else shown & ~frameless
    triads = framed[scene.triads.rows]
    return replace(
        scene,
        surfaces=tuple(_at(each, float(opacities[each.row])) for each in scene.surfaces if shown[each.row]),
        triads=Triads(scene.triads.rows[triads], scene.triads.tokens[triads]),
        joints=_joints(scene.joints, shown[scene.joints.rows]),
        lines=scene.lines.chosen((scene.lines.owners < 0) | shown[scene.lines.owners]),
        labels=scene.labels.chosen(framed[scene.labels.owners]),
        parent_sides=_sides(scene.parent_sides, shown[scene.parent_sides.joints]),
        centres=scene.centres.chosen(shown[scene.centres.rows]),
        partly=np.unique(holders[(holders >= 0) & shown[holders]]),
    )


def _at(surface: MeshInstance, opacity: float) -> MeshInstance:
    if opacity >= 1:
        return surface
    mesh, material = faded(surface.mesh, surface.material, 1.0 - opacity)
    return replace(surface, mesh=mesh, material=material)


def _joints(joints: JointGlyphs, kept: NDArray[np.bool_]) -> JointGlyphs:
    # All axes of a joint belong to one row, so a glyph is kept together with its carrier.
    places = np.append(np.cumsum(kept) - 1, -1)
    carriers: Ints = places[joints.carriers[kept]].astype(np.int32)
    return JointGlyphs(
        joints.rows[kept],
        joints.shapes[kept],
        joints.axes[kept],
        joints.limits[kept],
        joints.pitches[kept],
        carriers,
        tuple(dof for dof, keep in zip(joints.dofs, kept.tolist(), strict=True) if keep),
        joints.values[kept],
    )


def _sides(sides: ParentSides, kept: NDArray[np.bool_]) -> ParentSides:
    return ParentSides(sides.joints[kept], sides.parents[kept], sides.X_PJp[kept])
