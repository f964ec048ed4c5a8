"""What a visual says about its surface: colours, pictures, transparency, materials by name."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from pathlib import Path

from sdfviewer.document.element import Element
from sdfviewer.document.finder import Finder
from sdfviewer.resources import resource
from sdfviewer.scene.loader import MeshProblem
from sdfviewer.scene.mesh import Material, MeshPart, Rgba, TriangleMesh
from sdfviewer.scene.meshes.piece import MeshFileError
from sdfviewer.scene.ogre_scripts import OgreMaterial, read_ogre_scripts

_WHITE: Rgba = (1.0, 1.0, 1.0, 1.0)


@dataclass(frozen=True)
class Surface:
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

    material: Material | None = None
    transparency: float = 0.0
    problems: tuple[MeshProblem, ...] = ()

    def applied(self, mesh: TriangleMesh) -> tuple[TriangleMesh, Material | None]:
        """Return a mesh and the material that replaces its own, both with this surface's transparency."""
        if self.transparency <= 0:
            return mesh, self.material
        if self.material is not None or not mesh.parts:
            return mesh, _faded(self.material or Material(), self.transparency)
        return _faded_mesh(mesh, self.transparency), None


def read_surface(visual: Element, file: Path | None, finder: Finder) -> Surface:
    """Return the surface of a ``<visual>``.

    A name in ``<script>`` comes first, then the colours that are written, then the picture of ``<pbr>``; the metal
    workflow where there are both.

    Parameters
    ----------
    visual
        The element.
    file
        The file that it is written in; URIs may be relative to it.
    finder
        Resolves URIs.
    """
    transparency = read_transparency(visual)
    written = visual.find("material")
    if written is None:
        return Surface(None, transparency)
    problems: list[MeshProblem] = []
    return Surface(read_material(written, None, file, finder, problems), transparency, tuple(problems))


def read_transparency(visual: Element) -> float:
    """Return what ``<transparency>`` says, 0 where it is missing."""
    return min(max(_number(visual, "transparency", 0.0), 0.0), 1.0)


def read_material(
    written: Element, material: Material | None, file: Path | None, finder: Finder, problems: list[MeshProblem]
) -> Material | None:
    """Return a material with what a ``<material>`` says over it; None keeps that of the mesh."""
    script = written.find("script")
    if script is not None:
        material = _scripted(script, file, finder, problems) or material
    colours = {
        tag: colour for tag in ("diffuse", "ambient", "specular", "emissive") if (colour := _colour(written, tag))
    }
    workflow = _workflow(written)
    normal_map = _normal_map(written, workflow, file, finder, problems)
    if not colours and workflow is None and normal_map is None:
        return material
    base = material or Material()
    texture = _picture(workflow.find("albedo_map"), file, finder, problems) if workflow is not None else None
    if "diffuse" not in colours and material is None:
        # By the letter a missing diffuse colour is black. A picture would vanish under it, so it counts as white;
        # otherwise the ambient colour, which most files write alike, stands in.
        colours["diffuse"] = _WHITE if texture is not None else colours.get("ambient", Material.diffuse)
    return Material(
        diffuse=colours.get("diffuse", base.diffuse),
        ambient=colours.get("ambient", base.ambient),
        specular=colours.get("specular", base.specular),
        emissive=colours.get("emissive", base.emissive),
        shininess=_number(written, "shininess", base.shininess),
        metalness=_number(workflow, "metalness", 0.5) if workflow is not None else base.metalness,
        roughness=_roughness(workflow, base.roughness),
        albedo_map=texture or base.albedo_map,
        normal_map=normal_map or base.normal_map,
        texture_scale=base.texture_scale if texture is None else Material.texture_scale,
        texture_offset=base.texture_offset if texture is None else Material.texture_offset,
        double_sided=_flag(written, "double_sided") or base.double_sided,
        # Gazebo takes holes from the alpha of every albedo map.
        alpha_cutout=texture is not None or base.alpha_cutout,
    )


@cache
def gazebo_materials() -> dict[str, Material]:
    """Return the materials that Gazebo classic knows by name, as plain colours of our own choice."""
    table: dict[str, dict[str, list[float]]] = json.loads(
        resource("materials", "gazebo.json").read_text(encoding="utf-8")
    )
    return {
        name: Material(
            diffuse=_rgba(entry["diffuse"]),
            ambient=_rgba(entry["ambient"]),
            specular=_rgba(entry["specular"]),
            emissive=_rgba(entry["emissive"]) if "emissive" in entry else Material.emissive,
        )
        for name, entry in table.items()
    }


def _rgba(values: list[float]) -> Rgba:
    red, green, blue, alpha = values
    return red, green, blue, alpha


def _scripted(script: Element, file: Path | None, finder: Finder, problems: list[MeshProblem]) -> Material | None:
    """Return the material that a ``<script>`` names, or None where it is not found and the mesh keeps its own."""
    name = script.text_of("name")
    places: list[Path] = []
    for uri in script.findall("uri"):
        found = finder.find(uri.text.strip(), file, nearby=True).path
        if found is not None:
            places.append(found)
    for place in places:
        try:
            scripted = _scripts(place, _changed(place)).get(name)
        except MeshFileError as error:
            problems.append(_problem(script.find("name") or script, name, place, str(error), file))
            continue
        if scripted is not None:
            return _from_script(scripted, places, script, file, problems)
    return gazebo_material(name, script.find("name") or script, file, problems)


def gazebo_material(name: str, element: Element, file: Path | None, problems: list[MeshProblem]) -> Material | None:
    """Return the material that Gazebo knows by a name; None, and a problem at `element`, where it knows none."""
    known = gazebo_materials().get(name)
    if known is None and name:
        message = f"the material {name!r} is in none of the scripts that can be read"
        problems.append(_problem(element, name, None, message, file, missing=True))
    return known


@lru_cache(maxsize=256)
def _scripts(place: Path, changed: int) -> dict[str, OgreMaterial]:
    if place.is_dir() or place.suffix.lower() == ".material":
        return read_ogre_scripts(place)
    return {}


def _changed(place: Path) -> int:
    try:
        return place.stat().st_mtime_ns
    except OSError:
        return 0


def _from_script(
    scripted: OgreMaterial, places: list[Path], script: Element, file: Path | None, problems: list[MeshProblem]
) -> Material:
    folders = [place if place.is_dir() else place.parent for place in places]
    folders += [folder.parent / "textures" for folder in folders]

    def picture(name: str | None) -> Path | None:
        if not name:
            return None
        base = Path(name.replace("\\", "/")).name
        found = next((folder / base for folder in folders if (folder / base).is_file()), None)
        if found is None:
            message = f"the texture {name!r} of the material is in none of the script's folders"
            problems.append(_problem(script, name, None, message, file, missing=True))
        return found

    texture = picture(scripted.texture)
    across, up = (1.0 / factor if factor > 0 else 1.0 for factor in scripted.scale)
    plain = _WHITE if texture is not None else Material.diffuse
    return Material(
        diffuse=scripted.diffuse or plain,
        ambient=scripted.ambient,
        specular=scripted.specular or Material.specular,
        emissive=scripted.emissive or Material.emissive,
        albedo_map=texture,
        normal_map=picture(scripted.normal_map),
        texture_scale=(across, up),
        # OGRE scales about the middle of the picture, and counts v from the top.
        texture_offset=(0.5 - 0.5 * across + scripted.scroll[0], 0.5 - 0.5 * up - scripted.scroll[1]),
        double_sided=scripted.double_sided,
        alpha_cutout=scripted.cutout,
    )


def _workflow(material: Element) -> Element | None:
    pbr = material.find("pbr")
    if pbr is None:
        return None
    return pbr.find("metal") or pbr.find("specular")


def _normal_map(
    material: Element, workflow: Element | None, file: Path | None, finder: Finder, problems: list[MeshProblem]
) -> Path | None:
    """Return the map of normals in tangent space, of ``<pbr>`` or ``<shader>``; those in object space are left out."""
    if workflow is not None:
        written = workflow.find("normal_map")
        space = written.attributes.get("type", "tangent") if written is not None else ""
        return _picture(written, file, finder, problems) if space == "tangent" else None
    shader = material.find("shader")
    if shader is None or shader.attributes.get("type") != "normal_map_tangent_space":
        return None
    written = shader.find("normal_map")
    # By default it is called "__default__", which means none.
    return _picture(written, file, finder, problems) if shader.text_of("normal_map") != "__default__" else None


def _picture(written: Element | None, file: Path | None, finder: Finder, problems: list[MeshProblem]) -> Path | None:
    uri = written.text.strip() if written is not None else ""
    if not uri:
        return None
    found = finder.find(uri, file, nearby=True)
    if found.path is None or not found.path.is_file():
        message = found.problem or "is not found; correct the URI, or add its folder to the model paths"
        problems.append(_problem(written, uri, None, f"the texture {uri} {message}", file, missing=True))
        return None
    return found.path


def _roughness(workflow: Element | None, default: float) -> float:
    if workflow is None:
        return default
    if workflow.tag == "specular":
        return 1.0 - min(max(_number(workflow, "glossiness", 0.0), 0.0), 1.0)
    return _number(workflow, "roughness", 0.5)


def _problem(
    element: Element | None, uri: str, path: Path | None, message: str, file: Path | None, missing: bool = False
) -> MeshProblem:
    return MeshProblem(uri, path, message, element, file, missing)


def _faded(material: Material, transparency: float) -> Material:
    opaque = 1.0 - material.transparency
    return replace(material, transparency=1.0 - opaque * (1.0 - transparency))


@lru_cache(maxsize=256)
def _faded_mesh(mesh: TriangleMesh, transparency: float) -> TriangleMesh:
    """Return the mesh with faded materials; cached, so that equal visuals go on sharing what is uploaded."""
    parts: tuple[MeshPart, ...] = tuple(
        replace(part, material=_faded(part.material, transparency)) for part in mesh.parts
    )
    return replace(mesh, parts=parts)


def _colour(element: Element, tag: str) -> Rgba | None:
    words = element.text_of(tag).split()
    try:
        values = [float(word) for word in words]
    except ValueError:
        return None
    if len(values) not in (3, 4) or not all(map(math.isfinite, values)):
        return None
    red, green, blue, alpha = (min(max(value, 0.0), 1.0) for value in (*values, 1.0)[:4])
    return red, green, blue, alpha


def _number(element: Element, tag: str, default: float) -> float:
    try:
        value = float(element.text_of(tag) or default)
    except ValueError:
        return default
    return value if math.isfinite(value) else default


def _flag(element: Element, tag: str) -> bool:
    return element.text_of(tag).lower() in ("true", "1")
