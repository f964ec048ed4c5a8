"""The little of OGRE's material scripts that decides how a surface looks: colours and the first picture.

Gazebo classic names its materials in such scripts; shaders, passes beyond the first and texture animation are left
out.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from pathlib import Path

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
    cutout: bool = False
    double_sided: bool = False


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
                materials[name] = materials.get((match[2] or "").strip('"'), OgreMaterial())
        elif name:
            materials[name] = _with_statement(materials[name], line.split())
    if not materials and depth:
        raise MeshFileError("is no material script")
    return materials


def _statements(text: str) -> list[str]:
    braced = _COMMENT.sub("", text).replace("{", "\n{\n").replace("}", "\n}\n")
    return [line.strip() for line in braced.splitlines() if line.strip()]


def _with_statement(material: OgreMaterial, words: list[str]) -> OgreMaterial:
    keyword, *values = words
    if keyword in _COLOURS and values:
        colour = _colour(values)
        changed: dict[str, Rgba] = {} if colour is None else {keyword: colour}
        return replace(material, **changed)  # type: ignore[arg-type]
    if keyword == "texture" and values and material.texture is None:
        return replace(material, texture=values[0].strip('"'))
    if keyword == "alpha_rejection":
        return replace(material, cutout=True)
    if keyword == "cull_hardware":
        return replace(material, double_sided=values == ["none"])
    return material


def _colour(words: list[str]) -> Rgba | None:
    """Return three numbers as a colour, a fourth as its alpha; OGRE's specular has its shininess behind them."""
    try:
        values = [min(max(float(word), 0.0), 1.0) for word in words[:4]]
    except ValueError:
        return None  # "vertexcolour"
    if len(values) < 3:
        return None
    return values[0], values[1], values[2], values[3] if len(values) == 4 else 1.0
