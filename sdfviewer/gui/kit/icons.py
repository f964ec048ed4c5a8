"""Icons by meaning, drawn from the Material Design icon font: one for each kind of frame, severity and action."""

from __future__ import annotations

from functools import lru_cache

from PySide6.QtGui import QIcon

from sdfviewer.diagnostics import Severity
from sdfviewer.gui.kit.icon_font import glyph_icon
from sdfviewer.gui.kit.theme import Tokens

#: One icon for each kind, distinguished by shape as well as by colour.
KINDS = {
    "world": "mdi6.earth",
    "model": "mdi6.hexagon-outline",
    "link": "mdi6.cube-outline",
    "joint": "mdi6.rotate-3d-variant",
    "frame": "mdi6.axis-arrow",
    "visual": "mdi6.eye-outline",
    "collision": "mdi6.shield-outline",
    "sensor": "mdi6.access-point",
    "light": "mdi6.lightbulb-outline",
    "actor": "mdi6.walk",
    "projector": "mdi6.projector",
    "particle_emitter": "mdi6.smoke",
}
SEVERITIES = {
    Severity.ERROR: "mdi6.close-octagon",
    Severity.WARNING: "mdi6.alert",
    Severity.INFO: "mdi6.information-outline",
}
#: What is marked for what is hidden in it; information is too little for that.
_INSIDE = {Severity.ERROR: "mdi6.close-octagon-outline", Severity.WARNING: "mdi6.alert-outline"}


@lru_cache(maxsize=512)
def icon(name: str, colour: str, disabled: str = "") -> QIcon:
    """Return an icon of the font in a colour."""
    return glyph_icon(name, colour, disabled or colour)


def action_icon(name: str, colours: Tokens) -> QIcon:
    """Return the icon of an action."""
    return icon(name, colours.text, colours.disabled)


def kind_icon(kind: str, colours: Tokens, *, resolved: bool = True) -> QIcon:
    """Return the icon of a kind of frame, greyed where its pose cannot be resolved."""
    return icon(KINDS[kind], colours.kind(kind) if resolved else colours.disabled)


def severity_icon(severity: Severity, colours: Tokens) -> QIcon:
    """Return the icon of a severity."""
    return icon(SEVERITIES[severity], colours.severity(severity))


def inside_icon(severity: Severity, colours: Tokens) -> QIcon:
    """Return the icon of something with a problem of a severity in what it hides, an error or a warning."""
    return icon(_INSIDE[severity], colours.severity(severity))
