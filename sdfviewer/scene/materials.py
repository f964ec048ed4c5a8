"""The drawn material of a visual: colours, textures, transparency, materials by name."""

from __future__ import annotations

import json
import math
import re
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from pathlib import Path
from typing import Any
from weakref import WeakKeyDictionary

from sdfviewer.diagnostics import Message
from sdfviewer.document.element import Element
from sdfviewer.files.finder import Finder
from sdfviewer.files.paths import Stamp, stamp_of
from sdfviewer.garbage_collection import remembered
from sdfviewer.model.contents import Material as MaterialText
from sdfviewer.model.contents import MaterialScript, Pbr, VisualContents
from sdfviewer.resources import resource
from sdfviewer.scene.loader import MeshProblem, problem_of_place
from sdfviewer.scene.mesh import MeshMaterial, MeshPart, Rgba, TriangleMesh
from sdfviewer.scene.meshes.piece import MeshFileError, read_bytes

_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
_COLOURS = ("ambient", "diffuse", "specular", "emissive")
#: So many scripts of a folder are looked at for changes; each visual that names one asks.
_MOST_SCRIPTS = 100
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
    materials: dict[str, OgreMaterial] = {}
    for file in _scripts_at(path, stamp_of(path)):
        materials |= parse_ogre_script(read_bytes(file).decode("utf-8", "replace"))
    return materials


@lru_cache(maxsize=256)  # each visual asks, and which files a folder has is in its stamp
def _scripts_at(path: Path, _stamp: Stamp | None) -> list[Path]:
    return sorted(path.glob("*.material")) if path.is_dir() else [path]


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


_WHITE: Rgba = (1.0, 1.0, 1.0, 1.0)


@dataclass(frozen=True)
class SceneSurface:
    """The surface of one visual.

    Attributes
    ----------
    material
        Replaces the materials of the mesh; None keeps them.
    transparency
        The visual's own, over any material.
    problems
        Pictures and scripts that are not there.
    """

    material: MeshMaterial | None = None
    transparency: float = 0.0
    problems: tuple[MeshProblem, ...] = ()

    def applied(self, mesh: TriangleMesh) -> tuple[TriangleMesh, MeshMaterial | None]:
        """Return a mesh and the material that replaces its own, both with this surface's transparency."""
        return faded(mesh, self.material, self.transparency)


def surface_of(visual: VisualContents, file: Path | None, finder: Finder) -> SceneSurface:
    """Return the surface of a visual.

    A material by its name comes first, then the colours that are written, then the texture of ``<pbr>``.

    Parameters
    ----------
    visual
        What is written.
    file
        The file that it is written in; URIs may be relative to it.
    finder
        Resolves URIs.
    """
    if visual.material is None:
        return SceneSurface(None, visual.transparency)
    problems: list[MeshProblem] = []
    material = _material(visual.material, file, finder, problems)
    same = None if material is None else shared_material(material)
    return SceneSurface(same, visual.transparency, tuple(problems))


@remembered(4096)
def shared_material(material: MeshMaterial) -> MeshMaterial:
    """Return the same object for equal materials, so that surfaces that look alike are recognised at a glance."""
    return material


def _material(
    written: MaterialText, file: Path | None, finder: Finder, problems: list[MeshProblem]
) -> MeshMaterial | None:
    """Return the material that is drawn; None keeps that of the mesh."""
    material = None if written.base is None else _material(written.base, file, finder, problems)
    if written.script is not None:
        material = _scripted(written.script, file, finder, problems) or material
    colours = {
        name: colour
        for name, colour in (
            ("diffuse", written.diffuse),
            ("ambient", written.ambient),
            ("specular", written.specular),
            ("emissive", written.emissive),
        )
        if colour is not None
    }
    pbr = written.pbr
    normal_map = _normal_map(written, file, finder, problems)
    texture = _texture(written, file, finder, problems)
    if not colours and pbr is None and normal_map is None and not written.texture:
        return material
    base = material or MeshMaterial()
    if "diffuse" not in colours and material is None:
        # By the specification a missing diffuse colour is black, which would hide the texture. It counts as white;
        # without a texture the ambient colour is used, which most files set to the same value.
        colours["diffuse"] = _WHITE if texture is not None else colours.get("ambient", MeshMaterial.diffuse)
    return MeshMaterial(
        diffuse=colours.get("diffuse", base.diffuse),
        ambient=colours.get("ambient", base.ambient),
        specular=colours.get("specular", base.specular),
        emissive=colours.get("emissive", base.emissive),
        shininess=base.shininess if written.shininess is None else written.shininess,
        metalness=base.metalness if pbr is None else pbr.metalness,
        roughness=base.roughness if pbr is None else _roughness(pbr),
        albedo_map=texture or base.albedo_map,
        normal_map=normal_map or base.normal_map,
        texture_scale=base.texture_scale if texture is None else MeshMaterial.texture_scale,
        texture_offset=base.texture_offset if texture is None else MeshMaterial.texture_offset,
        double_sided=written.double_sided or base.double_sided,
        # Gazebo uses the alpha of every albedo map as a mask.
        alpha_cutout=(texture is not None and pbr is not None) or base.alpha_cutout,
    )


@cache
def gazebo_materials() -> dict[str, MeshMaterial]:
    """Return the materials that Gazebo classic knows by name, as plain colours of our own choice."""
    table: dict[str, dict[str, list[float]]] = json.loads(
        resource("materials", "gazebo.json").read_text(encoding="utf-8")
    )
    return {
        name: MeshMaterial(
            diffuse=_rgba(entry["diffuse"]),
            ambient=_rgba(entry["ambient"]),
            specular=_rgba(entry["specular"]),
            emissive=_rgba(entry["emissive"]) if "emissive" in entry else MeshMaterial.emissive,
        )
        for name, entry in table.items()
    }


def _rgba(values: list[float]) -> Rgba:
    red, green, blue, alpha = values
    return red, green, blue, alpha


def _scripted(
    script: MaterialScript, file: Path | None, finder: Finder, problems: list[MeshProblem]
) -> MeshMaterial | None:
    """Return the material that a script names, or None where it is not found and the mesh keeps its own."""
    places = [found for uri in script.uris if (found := finder.find(uri, file, nearby=True).path) is not None]
    for place in places:
        try:
            files = _scripts_at(place, folder := stamp_of(place))[:_MOST_SCRIPTS]
            scripted = _scripts(place, (folder, *map(stamp_of, files))).get(script.name)
        except MeshFileError as error:
            problem = MeshProblem(script.name, place, str(error), script.element, file, about=script.name)
            problems.append(problem)
            continue
        if scripted is not None:
            return _from_script(scripted, places, script.element, file, problems)
    return _gazebo_material(script, file, problems)


def _gazebo_material(script: MaterialScript, file: Path | None, problems: list[MeshProblem]) -> MeshMaterial | None:
    """Return the material that Gazebo knows by a name; None, and a problem, where it knows none."""
    known = gazebo_materials().get(script.name)
    if known is None and script.name:
        message = f"the material {script.name!r} is not in any readable script"
        problems.append(MeshProblem(script.name, None, message, script.element, file, missing=True))
    return known


@lru_cache(maxsize=256)
def _scripts(place: Path, _stamps: tuple[Stamp | None, ...]) -> dict[str, OgreMaterial]:
    if place.is_dir() or place.suffix.lower() == ".material":
        return read_ogre_scripts(place)
    return {}


def _from_script(
    scripted: OgreMaterial, places: list[Path], script: Element | None, file: Path | None, problems: list[MeshProblem]
) -> MeshMaterial:
    folders = [place if place.is_dir() else place.parent for place in places]
    folders += [folder.parent / "textures" for folder in folders]

    def picture(name: str | None) -> Path | None:
        if not name:
            return None
        base = Path(name.replace("\\", "/")).name
        found = next((folder / base for folder in folders if (folder / base).is_file()), None)
        if found is None:
            message = f"the texture {name!r} of the material is not in any folder of the script"
            problems.append(MeshProblem(name, None, message, script, file, missing=True))
        return found

    texture = picture(scripted.texture)
    across, up = (1.0 / factor if factor > 0 else 1.0 for factor in scripted.scale)
    plain = _WHITE if texture is not None else MeshMaterial.diffuse
    return MeshMaterial(
        diffuse=scripted.diffuse or plain,
        ambient=scripted.ambient,
        specular=scripted.specular or MeshMaterial.specular,
        emissive=scripted.emissive or MeshMaterial.emissive,
        albedo_map=texture,
        normal_map=picture(scripted.normal_map),
        texture_scale=(across, up),
        # OGRE scales about the middle of the picture, and counts v from the top.
        texture_offset=(0.5 - 0.5 * across + scripted.scroll[0], 0.5 - 0.5 * up - scripted.scroll[1]),
        double_sided=scripted.double_sided,
        alpha_cutout=scripted.cutout,
    )


def _normal_map(written: MaterialText, file: Path | None, finder: Finder, problems: list[MeshProblem]) -> Path | None:
    """Return the map of normals in tangent space, of ``<pbr>`` or ``<shader>``; those in object space are left out."""
    if written.pbr is not None:
        is_tangent = written.pbr.normal_map_type == "tangent"
        uri, element = written.pbr.normal_map, _child(written.pbr.element, "normal_map")
    else:
        is_tangent = written.normal_map_type == "normal_map_tangent_space"
        uri, element = written.normal_map, _child(_child(written.element, "shader"), "normal_map")
    return _picture(uri, element, file, finder, problems) if is_tangent else None


def _texture(written: MaterialText, file: Path | None, finder: Finder, problems: list[MeshProblem]) -> Path | None:
    """Return the picture of the surface's own colour."""
    if written.pbr is not None:
        element = _child(written.pbr.element, "albedo_map")
        return _picture(written.pbr.albedo_map, element, file, finder, problems)
    return _picture(written.texture, _child(written.element, "texture"), file, finder, problems)


def _child(element: Element | None, tag: str) -> Element | None:
    return None if element is None else element.find(tag)


def _picture(
    uri: str, element: Element | None, file: Path | None, finder: Finder, problems: list[MeshProblem]
) -> Path | None:
    if not uri:
        return None
    found = finder.find(uri, file, nearby=True)
    if found.path is None or not found.path.is_file():
        why = found.problem or Message("is not found", "correct the URI, or add its folder to the model folders")
        message = f"the texture {uri} " + why
        problems.append(
            MeshProblem(uri, None, message, element, file, missing=True, tried=found.tried, is_remote=found.is_remote)
        )
        return None
    problems += problem_of_place(f"the texture {uri}", uri, found, element, file)
    return found.path


def _roughness(pbr: Pbr) -> float:
    return 1.0 - min(max(pbr.glossiness, 0.0), 1.0) if pbr.workflow == "specular" else pbr.roughness


def faded(
    mesh: TriangleMesh, material: MeshMaterial | None, transparency: float
) -> tuple[TriangleMesh, MeshMaterial | None]:
    """Return a mesh and the material that replaces its own, if any, more transparent than they are."""
    if transparency <= 0:
        return mesh, material
    if material is not None or not mesh.parts:
        return mesh, _faded(material or MeshMaterial(), transparency)
    return _faded_mesh(mesh, transparency), None


def _faded(material: MeshMaterial, transparency: float) -> MeshMaterial:
    opaque = 1.0 - material.transparency
    return shared_material(replace(material, transparency=1.0 - opaque * (1.0 - transparency)))


#: Transparent copies of each mesh by their transparency; they live as long as the mesh.
_faded_meshes: WeakKeyDictionary[TriangleMesh, dict[float, TriangleMesh]] = WeakKeyDictionary()


def _faded_mesh(mesh: TriangleMesh, transparency: float) -> TriangleMesh:
    """Return the mesh with faded materials; the same each time, so that equal visuals share what is uploaded."""
    known = _faded_meshes.setdefault(mesh, {})
    if transparency not in known:
        parts: tuple[MeshPart, ...] = tuple(
            replace(part, material=_faded(part.material, transparency)) for part in mesh.parts
        )
        known[transparency] = replace(mesh, parts=parts)
    return known[transparency]
