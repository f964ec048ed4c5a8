"""Materials as written: colours, materials by name, textures."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TypeAlias

from sdfviewer.document.element import Element
from sdfviewer.model.near_names import Hinted

#: Red, green, blue and alpha, each from 0 to 1.
Rgba: TypeAlias = tuple[float, float, float, float]


@dataclass(frozen=True, slots=True)
class MaterialScript:
    """A material by its name in an OGRE script, or one of those that Gazebo knows.

    Attributes
    ----------
    name
        The name.
    uris
        Scripts and folders of scripts in which it is looked for.
    element
        Where the name is written.
    """

    name: str
    uris: tuple[str, ...] = ()
    element: Element | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Pbr:
    """Physically based rendering: textures by their URI, empty where none is written, and factors from 0 to 1.

    Attributes
    ----------
    workflow
        ``metal`` or ``specular``.
    normal_map_type
        ``tangent`` or ``object``: the space of the normal map.
    """

    workflow: str = "metal"
    albedo_map: str = ""
    normal_map: str = ""
    normal_map_type: str = "tangent"
    roughness: float = 0.5
    roughness_map: str = ""
    metalness: float = 0.5
    metalness_map: str = ""
    glossiness: float = 0.0
    glossiness_map: str = ""
    specular_map: str = ""
    emissive_map: str = ""
    light_map: str = ""
    ambient_occlusion_map: str = ""
    environment_map: str = ""
    element: Element | None = field(default=None, compare=False, repr=False)

    @property
    def maps(self) -> dict[str, str]:
        """The textures that are written, by the name of the element."""
        names = [name for name in self.__dataclass_fields__ if name.endswith("_map")]
        return {name: uri for name in names if (uri := getattr(self, name))}


@dataclass(frozen=True, slots=True)
class Material(Hinted):
    """The surface of a visual.

    Attributes
    ----------
    name
        Of a URDF's material.
    diffuse, ambient, specular, emissive
        Colours; None where none is written.
    shininess
        Exponent of the highlight, None where none is written.
    script
        The material by name.
    pbr
        Textures and factors.
    texture
        URI of the texture of a URDF's material.
    normal_map, normal_map_type
        Of ``<shader>``.
    double_sided, lighting
        Whether both sides are drawn, and whether light counts.
    base
        What holds where the script is not found.
    """

    name: str = ""
    diffuse: Rgba | None = None
    ambient: Rgba | None = None
    specular: Rgba | None = None
    emissive: Rgba | None = None
    shininess: float | None = None
    script: MaterialScript | None = None
    pbr: Pbr | None = None
    texture: str = ""
    normal_map: str = ""
    normal_map_type: str = ""
    double_sided: bool = False
    lighting: bool = True
    base: Material | None = None
    element: Element | None = field(default=None, compare=False, repr=False)

    def over(self, base: Material | None) -> Material:
        """Return this material with another one's colours, script and texture where it writes none."""
        if base is None:
            return self
        if self.script is not None:
            return replace(self, base=base)
        return replace(
            self,
            name=self.name or base.name,
            diffuse=self.diffuse or base.diffuse,
            ambient=self.ambient or base.ambient,
            specular=self.specular or base.specular,
            emissive=self.emissive or base.emissive,
            script=base.script,
            texture=base.texture,
            base=base.base,
        )
