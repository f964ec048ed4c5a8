"""Cameras, lights and appearance.

Source: https://mujoco.readthedocs.io/en/stable/XMLreference.html#body-camera, #body-light and #asset-material
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from sdfviewer.formats.mjcf.bodies import Part
from sdfviewer.formats.mjcf.nodes import Node
from sdfviewer.formats.mjcf.output import MjcfOutput
from sdfviewer.formats.mjcf.spec import unit_vector
from sdfviewer.model.materials import Rgba

#: Notes that something is not converted.
Lose = Callable[[Node, str], None]
_GREY: Rgba = (0.5, 0.5, 0.5, 1.0)
#: Pixels of a camera that names none, along y.
_PIXELS = 480
#: The axes of SDFormat's camera, which looks along x with z up, in those of MuJoCo's, which looks along -z with y up.
_R_CAMERA = np.array([[0.0, -1.0, 0.0], [0.0, 0.0, 1.0], [-1.0, 0.0, 0.0]])


@dataclass(frozen=True, slots=True)
class GeomLook:
    """The colour, the emission and the texture file of a geom."""

    rgba: Rgba
    emission: float = 0.0
    texture: str = ""


def look_of(part: Part) -> GeomLook:
    """Return the appearance of a geom: its colour counts before that of its material, unless it is the default."""
    red, green, blue, alpha = part.values.numbers("rgba", _GREY)
    own = red, green, blue, alpha
    material = part.spec.assets.get(("material", part.values.word("material")))
    if material is None:
        return GeomLook(_clipped(own))
    red, green, blue, alpha = material.numbers("rgba", (1.0, 1.0, 1.0, 1.0))
    names = [material.word("texture")]
    names += [layer.attributes.get("texture", "") for layer in material.node.children if layer.tag == "layer"]
    texture = next((found for name in names if (found := part.spec.assets.get(("texture", name)))), None)
    file = ""
    if texture is not None and texture.word("file").lower().endswith(".png"):
        file = part.spec.path_of(texture, part.spec.settings.texturedir).as_posix()
    colour = own if own != _GREY else (red, green, blue, alpha)
    return GeomLook(_clipped(colour), max(0.0, material.number("emission", 0.0)), file)


def _clipped(colour: Rgba) -> Rgba:
    red, green, blue, alpha = (min(max(each, 0.0), 1.0) for each in colour)
    return red, green, blue, alpha


def camera_lines(output: MjcfOutput, part: Part, name: str, lose: Lose) -> None:
    """Write a camera as a sensor."""
    node, values = part.node, part.values
    if values.word("mode", "fixed") != "fixed":
        lose(node, "a camera that follows something")
    width, height = (max(int(each), 1) for each in values.numbers("resolution", (1.0, 1.0)))
    if (width, height) == (1, 1):
        width, height = _PIXELS * 4 // 3, _PIXELS
    upright = math.radians(min(max(values.number("fovy", 45.0), 1.0), 179.0))
    size = values.numbers("sensorsize", (0.0, 0.0))
    focal = values.numbers("focal", (0.0, 0.0))
    across = 2 * math.atan(math.tan(upright / 2) * width / height)
    if size[0] > 0 and focal[0] > 0:
        across = 2 * math.atan(size[0] / (2 * focal[0]))
    output.open(node, "sensor", {"name": name, "type": "camera"})
    X_BS = part.pose()
    X_BS[:3, :3] = X_BS[:3, :3] @ _R_CAMERA
    output.pose(node, X_BS)
    output.open(node, "camera")
    output.numbers(node, "horizontal_fov", across)
    output.open(node, "image")
    output.numbers(node, "width", width)
    output.numbers(node, "height", height)
    output.close("image")
    output.close("camera")
    output.close("sensor")


def light_lines(output: MjcfOutput, part: Part, name: str, lose: Lose) -> None:
    """Write a light."""
    node, values = part.node, part.values
    if values.word("mode", "fixed") != "fixed":
        lose(node, "a light that follows something")
    kind = values.word("type", "directional" if values.is_true("directional") else "spot")
    if kind == "image":
        lose(node, "a light from an image")
        return
    direction = unit_vector(part.X_BF[:3, :3] @ np.array(values.numbers("dir", (0.0, 0.0, -1.0))))
    X_BL = np.eye(4)
    X_BL[:3, 3] = (part.X_BF @ [*values.numbers("pos", (0.0, 0.0, 0.0)), 1.0])[:3]
    output.open(node, "light", {"name": name, "type": kind})
    output.pose(node, X_BL)
    output.leaf(node, "cast_shadows", "true" if values.is_true("castshadow", default=True) else "false")
    if not values.is_true("active", default=True):
        output.leaf(node, "light_on", "false")
    for tag, default in (("diffuse", (0.7, 0.7, 0.7)), ("specular", (0.3, 0.3, 0.3))):
        output.numbers(node, tag, *(min(max(each, 0.0), 1.0) for each in values.numbers(tag, default)), 1.0)
    output.open(node, "attenuation")
    output.numbers(node, "range", max(values.number("range", 10.0), 0.0))
    for tag, value in zip(
        ("constant", "linear", "quadratic"), values.numbers("attenuation", (1.0, 0.0, 0.0)), strict=True
    ):
        output.numbers(node, tag, max(value, 0.0))
    output.close("attenuation")
    if kind != "point":
        output.numbers(node, "direction", *((0.0, 0.0, -1.0) if direction is None else direction.tolist()))
    if kind == "spot":
        angle = math.radians(min(max(values.number("cutoff", 45.0), 0.0), 90.0))
        output.open(node, "spot")
        output.numbers(node, "inner_angle", 0.0)
        output.numbers(node, "outer_angle", 2 * angle)
        output.numbers(node, "falloff", max(values.number("exponent", 10.0), 0.0))
        output.close("spot")
    output.close("light")
