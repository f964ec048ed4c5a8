"""What the switches and sizes of the window mean for the scene and for its picture."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from sdfviewer.render.view import Depth, Look
from sdfviewer.scene.glyphs import Edges
from sdfviewer.scene.scene_build import FRAME_KINDS, SceneOptions

_DEPTHS = {"depth.top": Depth.ON_TOP, "depth.xray": Depth.X_RAY, "depth.tested": Depth.TESTED}
_EDGES = {"edges.relative_to": Edges.RELATIVE_TO, "edges.attached_to": Edges.ATTACHED_TO}


@dataclass(frozen=True)
class Display:
    """What has more values than on and off: which frames are shown, how large, how see-through things are.

    Attributes
    ----------
    kinds, name, within
        Which frames are shown: their kinds, a part of their scoped name, scoped names of their models.
    pixels, metres, in_metres
        Length of an axis on screen or in space, and which of the two counts.
    frame_opacity, surface_opacity
        Of triads, and of surfaces while they are transparent.
    """

    kinds: frozenset[str] = FRAME_KINDS
    name: str = ""
    within: frozenset[str] = frozenset()
    pixels: float = 36.0
    metres: float = 0.2
    in_metres: bool = False
    frame_opacity: float = 1.0
    surface_opacity: float = 0.35

    @property
    def hides_frames(self) -> bool:
        """Whether frames are left out."""
        return self.kinds != FRAME_KINDS or bool(self.name or self.within)

    def scene_options(self, switches: Mapping[str, bool]) -> SceneOptions:
        """Return the contents of the scene."""
        return SceneOptions(
            visuals=switches["show.visuals"],
            collisions=switches["show.collisions"],
            inertia=switches["show.inertia"],
            centres_of_mass=switches["show.centres"],
            sensors=switches["show.sensors"],
            lights=switches["show.lights"],
            parent_sides=switches["show.parent_sides"],
            canonical_links=switches["show.canonical"],
            edges=next((edges for id, edges in _EDGES.items() if switches[id]), None),
            frames=self.kinds,
            frame_name=self.name,
            within=self.within,
        )

    def look(self, switches: Mapping[str, bool], *, dark: bool) -> Look:
        """Return how the scene is drawn."""
        return Look(
            dark=dark,
            frames=switches["show.frames"],
            joints=switches["show.joints"],
            labels=switches["show.labels"],
            grid=switches["show.grid"],
            shadows=switches["show.shadows"],
            wireframe=switches["show.wireframe"],
            surface_opacity=self.surface_opacity if switches["show.transparent"] else 1.0,
            frame_size=self.pixels,
            frame_size_metres=self.metres if self.in_metres else None,
            frame_opacity=self.frame_opacity,
            declutter=not switches["show.everything"],
            frame_depth=next((depth for id, depth in _DEPTHS.items() if switches[id]), Depth.ON_TOP),
        )
