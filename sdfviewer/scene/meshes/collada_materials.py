"""Effects, images and colours of a COLLADA file, and what its references mean."""

from __future__ import annotations

from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from sdfviewer.scene.mesh import MeshMaterial, Rgba
from sdfviewer.scene.meshes.piece import MeshFileError, SideFiles, numbers

#: Elements that hold what only they refer to, so that one of them may use the same ids as another.
_SCOPES = ("source", "mesh")


def local_name(node: Node) -> str:
    """Return the tag without its namespace, which differs between COLLADA 1.4, 1.5 and exporters."""
    return str(node.tag).rpartition("}")[2]


class ColladaNames:
    """Finds elements by kind and id.

    An id is unique in the whole file by the specification. Real files give a node the id of its scene or geometry, and
    several geometries sources of one id. So a reference means only elements of the kind that belongs there, and the
    nearest of them: those of the same ``<source>`` or ``<mesh>``, then the first in the file, as in Gazebo.
    """

    def __init__(self, root: Node) -> None:
        self._first: dict[tuple[str, str], Node] = {}
        self._inner: dict[tuple[Node, str, str], Node] = {}
        for node in root.iter():
            identifier = node.get("id")
            if not identifier:
                continue
            kind = local_name(node)
            self._first.setdefault((kind, identifier), node)
            for scope in _scopes(node):
                self._inner.setdefault((scope, kind, identifier), node)

    def find(self, identifier: str, kind: str) -> Node | None:
        """Return the first element of a kind with an id, or None."""
        return self._first.get((kind, identifier))

    def target(self, node: Node, *kinds: str, attribute: str = "url") -> Node | None:
        """Return what an attribute of an element refers to: an element of one of some kinds, sooner of the first."""
        identifier = node.get(attribute, "").removeprefix("#")
        for kind in kinds:
            for scope in _scopes(node):
                inner = self._inner.get((scope, kind, identifier))
                if inner is not None:
                    return inner
            found = self.find(identifier, kind)
            if found is not None:
                return found
        return None


def _scopes(node: Node) -> list[Node]:
    """Return the elements around one that may repeat ids of others, the innermost first."""
    return [above for above in node.iterancestors() if local_name(above) in _SCOPES]


Node: TypeAlias = Any  # lxml comes without types

_SHADERS = ("phong", "blinn", "lambert", "constant")


class ColladaMaterials:
    """The materials of one file, each read once, so that pieces that share one share the object."""

    def __init__(self, names: ColladaNames, side_files: SideFiles) -> None:
        self._names = names
        self._side_files = side_files
        self._known: dict[str, MeshMaterial | None] = {}

    def material(self, identifier: str) -> MeshMaterial | None:
        """Return the material with an id, or None if there is none."""
        if identifier not in self._known:
            self._known[identifier] = self._read(identifier)
        return self._known[identifier]

    def _read(self, identifier: str) -> MeshMaterial | None:
        node = self._names.find(identifier, "material")
        instance = node.find("{*}instance_effect") if node is not None else None
        effect = self._names.target(instance, "effect") if instance is not None else None
        if effect is None:
            return None
        technique = effect.find("{*}profile_COMMON/{*}technique")
        shader = None
        if technique is not None:
            shader = next((found for name in _SHADERS if (found := technique.find(f"{{*}}{name}")) is not None), None)
        if shader is None:
            return None
        diffuse = self._colour(shader, "diffuse")
        ambient = self._colour(shader, "ambient")
        texture = self._texture(effect, shader, "diffuse")
        double_sided = effect.find(".//{*}double_sided")
        alpha_texture = shader.find("{*}transparent/{*}texture") is not None
        return MeshMaterial(
            diffuse=diffuse or (1.0, 1.0, 1.0, 1.0) if texture else diffuse or MeshMaterial.diffuse,
            ambient=ambient,
            specular=self._colour(shader, "specular") or MeshMaterial.specular,
            emissive=self._colour(shader, "emission") or MeshMaterial.emissive,
            shininess=self._number(shader, "shininess", 0.0),
            transparency=0.0 if alpha_texture else 1.0 - self._opacity(shader),
            albedo_map=texture,
            double_sided=double_sided is not None and (double_sided.text or "").strip() == "1",
            alpha_cutout=alpha_texture and texture is not None,
        )

    def _texture(self, effect: Node, shader: Node, name: str) -> Path | None:
        """Return the file of a texture: texture → sampler → surface → image → file name, each step optional."""
        texture = shader.find(f"{{*}}{name}/{{*}}texture")
        if texture is None:
            return None
        parameters = {node.get("sid"): node for node in effect.iterfind(".//{*}newparam")}
        reference = texture.get("texture", "")
        for step in ("{*}sampler2D/{*}source", "{*}surface/{*}init_from"):
            parameter = parameters.get(reference)
            found = parameter.find(step) if parameter is not None else None
            if found is not None and found.text:
                reference = found.text.strip()
        parameter = parameters.get(reference)
        instance = parameter.find("{*}sampler2D/{*}instance_image") if parameter is not None else None
        if instance is not None:
            reference = instance.get("url", "").removeprefix("#")
        image = self._names.find(reference, "image")
        start = image.find("{*}init_from") if image is not None else None
        if start is None:
            return None
        nested = start.find("{*}ref")
        file = ((nested if nested is not None else start).text or "").strip()
        return self._side_files.texture(file) if file else None

    def _colour(self, shader: Node, name: str) -> Rgba | None:
        node = shader.find(f"{{*}}{name}/{{*}}color")
        if node is None:
            return None
        values = np.clip(np.nan_to_num(self._values(node, f"the colour {name}")), 0.0, 1.0).tolist()
        if len(values) < 3:
            return None
        red, green, blue = values[:3]
        return red, green, blue, 1.0

    def _number(self, shader: Node, name: str, default: float) -> float:
        node = shader.find(f"{{*}}{name}/{{*}}float")
        values = self._values(node, name)
        return float(values[0]) if values.size == 1 and np.isfinite(values[0]) else default

    def _opacity(self, shader: Node) -> float:
        """Return how opaque a surface is, by the four modes of the specification.

        Exporters disagree on which end of the scale is which; as surfaces are modelled to be seen, one that
        comes out wholly transparent is meant to be opaque.
        """
        transparent = shader.find("{*}transparent")
        if transparent is None:
            return 1.0
        node = transparent.find("{*}color")
        colour = self._values(node, "the colour transparent")
        red, green, blue, alpha = colour.tolist() if colour.size == 4 else (1.0, 1.0, 1.0, 1.0)
        amount = self._number(shader, "transparency", 1.0)
        luminance = 0.212671 * red + 0.715160 * green + 0.072169 * blue
        match transparent.get("opaque", "A_ONE"):
            case "RGB_ZERO":
                opacity = 1.0 - luminance * amount
            case "A_ZERO":
                opacity = 1.0 - alpha * amount
            case "RGB_ONE":
                opacity = luminance * amount
            case _:
                opacity = alpha * amount
        return opacity if 1e-3 < opacity < 1.0 else 1.0

    def _values(self, node: Node | None, what: str) -> NDArray[np.float64]:
        """Return the numbers of an element, none where it is missing or holds something else."""
        try:
            return numbers((node.text or "") if node is not None else "", np.float64, what)
        except MeshFileError as error:
            self._side_files.leave_out(error)
            return np.zeros(0)
