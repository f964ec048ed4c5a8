"""Colours and textures from OGRE material scripts.

Gazebo classic names its materials in such scripts; shaders, passes beyond the first and texture animation are left
out.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from sdfviewer.scene.mesh import Rgba
from sdfviewer.scene.meshes.piece import MeshFileError
from sdfviewer.scene.meshes.side_files import read_bytes

_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
_COLOURS = ("ambient", "diffuse", "specular", "emissive")
_MATERIAL = re.compile(r"(?:abstract\s+)?material\s+(\"[^\"]+\"|[^\s:{]+)\s*(?::\s*(\"[^\"]+\"|[^\s{]+))?")


@dataclass(frozen=True)
class OgreMaterial:
    """One material of a script; None where it says nothing."""

    ambient: Rgba | None = None
    diffuse: Rgba | None = None
    specular: Rgba | None = None
    emissive: Rgba | None = None
    texture: str | None = None
    scale: tuple[float, float] = (1.0, 1.0)
    """How many times larger the picture is drawn than the texture coordinates say, about its middle."""
    scroll: tuple[float, float] = (0.0, 0.0)
    """By what part of itself it is moved, to the left and up."""
    normal_map: str | None = None
    cutout: bool = False
    double_sided: bool = False
    units: int = 0
    """Texture units read so far; only the first is drawn."""


def read_ogre_scripts(path: Path) -> dict[str, OgreMaterial]:
    """Return the materials of a script file, or of all ``.material`` files of a folder, by name.

    Raises
    ------
    MeshFileError
        Where a file cannot be read.
    """
    files = sorted(path.glob("*.material")) if path.is_dir() else [path]
    materials: dict[str, OgreMaterial] = {}
    for file in files:
        materials |= parse_ogre_script(read_bytes(file).decode("utf-8", "replace"))
    return materials


def parse_ogre_script(text: str) -> dict[str, OgreMaterial]:
    """Return the materials of a script by name; a material takes over what its parent in the same script says."""
    materials: dict[str, OgreMaterial] = {}
    name = ""
    depth = 0
    for line in _statements(text):
        if line == "{":
            depth += 1
        elif line == "}":
            depth -= 1
        elif depth <= 0:
            match = _MATERIAL.match(line)
            name = match[1].strip('"') if match else ""
            if match:
                parent = materials.get((match[2] or "").strip('"'), OgreMaterial())
                materials[name] = replace(parent, units=0)
        elif name:
            materials[name] = _with_statement(materials[name], line.split())
    if not materials and depth:
        raise MeshFileError("is not a material script")
    return materials


def _statements(text: str) -> list[str]:
    braced = _COMMENT.sub("", text).replace("{", "\n{\n").replace("}", "\n}\n")
    return [line.strip() for line in braced.splitlines() if line.strip()]


def _with_statement(material: OgreMaterial, words: list[str]) -> OgreMaterial:
    keyword, *values = words
    name = values[0].strip('"') if values else None
    said: dict[str, Any] = {}
    if keyword in _COLOURS:
        said[keyword] = _colour(values)
    elif keyword == "texture_unit":
        said["units"] = material.units + 1
    elif keyword in ("texture", "scale", "scroll") and material.units <= 1:
        said[keyword] = name if keyword == "texture" else _pair(values)
    elif keyword == "lighting_stage" and name == "normal_map" and len(values) > 1:
        said["normal_map"] = values[1].strip('"')
    elif keyword == "alpha_rejection":
        said["cutout"] = True
    elif keyword == "cull_hardware":
        said["double_sided"] = name == "none"
    return replace(material, **{key: value for key, value in said.items() if value is not None})


def _colour(words: list[str]) -> Rgba | None:
    """Return three numbers as a colour, a fourth as its alpha; OGRE's specular has its shininess behind them."""
    try:
        values = [min(max(float(word), 0.0), 1.0) for word in words[:4]]
    except ValueError:
        return None  # "vertexcolour"
    if len(values) < 3:
        return None
    return values[0], values[1], values[2], values[3] if len(values) == 4 else 1.0


def _pair(words: list[str]) -> tuple[float, float] | None:
    try:
        values = [float(word) for word in words[:2]]
    except ValueError:
        return None
    return (values[0], values[1]) if len(values) == 2 and all(map(math.isfinite, values)) else None
