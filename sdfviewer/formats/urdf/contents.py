"""Read the contents of links and joints from URDF into typed records.

What ``<gazebo>`` extensions put into the model is written in SDFormat, and read as that.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

from sdfviewer.document.document import Document
from sdfviewer.document.element import Element
from sdfviewer.formats.sdformat.contents import (
    SdformatContents,
    read_flag,
    read_material,
    read_plugins,
    read_surface,
    read_transparency,
    read_visibility_flags,
)
from sdfviewer.formats.sdformat.settings import is_default, settings_of
from sdfviewer.formats.urdf.reading import read_inertial
from sdfviewer.formats.urdf.robot import (
    IN_COLLISIONS,
    OPTIONS,
    copied_into,
    extensions_of,
    is_on,
    option_text,
    options_of,
    takes_options,
)
from sdfviewer.formats.urdf.values import later_limits_of, parse_numbers, urdf_version_of
from sdfviewer.model.contents import (
    CollisionContents,
    Dynamics,
    Inertial,
    Limits,
    Material,
    MaterialScript,
    Plugin,
    Rgba,
    Surface,
    VisualContents,
)
from sdfviewer.model.joints import Axis
from sdfviewer.model.kinds import SHAPED, Kind
from sdfviewer.model.model import Model
from sdfviewer.model.shapes import URDF_SHAPES
from sdfviewer.model.shapes.kind import Empty, Geometry
from sdfviewer.model.values import IDENTITY, read_number
from sdfviewer.transforms import pose_to_matrix
from sdfviewer.versions import NEWEST


class UrdfContents(SdformatContents):
    """Reads what the rows of a URDF hold."""

    def robot(self, document: Document) -> Element:
        """Return the ``<robot>`` that the rows of a document are of."""
        assert document.root is not None
        return document.root

    def visual(self, model: Model, row: int) -> VisualContents:
        """Return the visual of a row, with what ``<gazebo reference="link">`` says of the link's visuals over it.

        A material by its name, and an SDFormat ``<material>`` and ``<transparency>`` in ``<visual>``, come first;
        URDF's own colour replaces the colours that these leave open.

        Notes
        -----
        Source: libsdformat, ``InsertSDFExtensionVisual`` and ``CreateVisual`` in src/parser_urdf.cc.
        """
        document, element, link = model.document_of(row), model.elements[row], int(model.owners[row])
        if not self._is_own(model, link):
            return super().visual(model, row)
        name, geometry = element.attributes.get("name", ""), read_geometry(element, document.path)
        reference = model.local_names[link]
        materials, takes = materials_of(self.robot(document)), takes_options(name, reference)
        material, transparency = materials.of(element, reference if takes else None)
        copied = tuple(copied_into(self.robot(document), reference, "visual").values()) if takes else ()
        given = Element("visual", {}, "", copied, (0,) * len(copied), 0, 0, 0)
        return VisualContents(
            name,
            geometry,
            material,
            transparency,
            read_flag(given, "cast_shadows", True),
            read_number(given, "laser_retro", 0.0),
            read_visibility_flags(given),
            element,
        )

    def collision(self, model: Model, row: int) -> CollisionContents:
        """Return the collision of a row, with the friction and contact that ``<gazebo reference="link">`` gives it.

        Notes
        -----
        Source: libsdformat, ``InsertSDFExtensionCollision`` in src/parser_urdf.cc.
        """
        document, element, link = model.document_of(row), model.elements[row], int(model.owners[row])
        if not self._is_own(model, link):
            return super().collision(model, row)
        name, reference = element.attributes.get("name", ""), model.local_names[link]
        takes = takes_options(name, reference)
        given = options_of(self.robot(document)).get(reference, {}) if takes else {}
        copied = copied_into(self.robot(document), reference, "collision") if takes else {}
        return CollisionContents(
            name,
            read_geometry(element, document.path),
            _surface(given, copied.get("surface")),
            max_contacts=int(_option(given, "maxContacts", _value_in(copied, "max_contacts", 10.0))),
            laser_retro=_option(given, "laserRetro", _value_in(copied, "laser_retro", 0.0)),
            element=element,
        )

    def inertial(self, model: Model, row: int) -> Inertial:
        """Return the inertial of the link of a row; a link that writes none has no mass."""
        if not self._is_own(model, row):
            return super().inertial(model, row)
        written = read_inertial(model.elements[row], urdf_version_of(self.robot(model.document_of(row))))
        if written is None:
            return Inertial(0.0, pose_to_matrix(IDENTITY), (0.0,) * 6, is_written=False, raw=IDENTITY)
        origin = written.origin
        raw = origin.raw if origin.exact is None else None
        return Inertial(written.mass, origin.X, written.moments, raw=raw, element=written.element)

    def limits(self, model: Model, row: int, axis: Axis) -> Limits:
        """Return the limits of an axis of the joint in a row."""
        limits = super().limits(model, row, axis)
        if not self._is_own(model, row):
            return limits
        version = urdf_version_of(self.robot(model.document_of(row)))
        acceleration, deceleration, jerk = later_limits_of(model.elements[row], version)
        return replace(limits, acceleration=acceleration, deceleration=deceleration, jerk=jerk)

    def dynamics(self, model: Model, row: int, axis: Axis) -> Dynamics:
        """Return the dynamics of an axis of the joint in a row, with the spring that ``<gazebo>`` gives it."""
        if not self._is_own(model, row):
            return super().dynamics(model, row, axis)
        given = options_of(self.robot(model.document_of(row))).get(model.local_names[row], {})
        dynamics = model.elements[row].find("dynamics")
        return Dynamics(
            _number(dynamics, "damping", 0.0),
            _number(dynamics, "friction", 0.0),
            _option(given, "springReference", 0.0),
            _option(given, "springStiffness", 0.0),
            element=dynamics,
        )

    def plugins(self, model: Model, row: int) -> tuple[Plugin, ...]:
        """Return the plugins in the ``<gazebo>`` elements about the thing in a row."""
        document = model.document_of(row)
        if model.kinds[row] is Kind.VISUAL and self._is_own(model, link := int(model.owners[row])):
            name, reference = model.elements[row].attributes.get("name", ""), model.local_names[link]
            given = options_of(self.robot(document)).get(reference, {}) if takes_options(name, reference) else {}
            return read_plugins(given["visual"].findall("plugin"), document) if "visual" in given else ()
        if row != 0 and not self._is_own(model, row):
            return super().plugins(model, row)
        reference = "" if model.kinds[row] is Kind.MODEL else model.elements[row].attributes.get("name", "")
        return read_plugins(
            [
                plugin
                for extension in extensions_of(self.robot(document)).get(reference, ())
                for plugin in extension.findall("plugin")
            ],
            document,
        )

    def settings(self, model: Model, row: int) -> Mapping[str, str]:
        """Return what ``<gazebo>`` says of the thing in a row beside what the records hold, by its path in SDFormat.

        Notes
        -----
        Source: libsdformat, ``InsertSDFExtension...`` in src/parser_urdf.cc.
        """
        kind = model.kinds[row]
        is_part = kind in SHAPED
        holder = int(model.owners[row]) if is_part else row
        if holder != 0 and not self._is_own(model, holder):
            return super().settings(model, row)
        reference = "" if holder == 0 else model.local_names[holder]
        if is_part and not takes_options(model.elements[row].attributes.get("name", ""), reference):
            return {}
        given = options_of(self.robot(model.document_of(row))).get(reference, {})
        said = option_settings(given, kind)
        found = {path: text for path, text in said.items() if not is_default(kind, path, text)}
        if is_part:
            robot = self.robot(model.document_of(row))
            copied = [_around(each) for each in copied_into(robot, reference, kind.value).values()]
        else:
            copied = [_around(each) for tag, each in given.items() if tag not in OPTIONS]
        return {**settings_of(copied, kind, NEWEST), **found} if kind in _SETTINGS else {}

    def _is_own(self, model: Model, row: int) -> bool:
        """Return whether a link or joint is written in URDF, rather than in a ``<gazebo>`` extension."""
        return id(model.elements[row]) in children_of(self.robot(model.document_of(row)))


def _flag(option: Element) -> str:
    return "true" if is_on(option) else "false"


def _not_off(option: Element) -> str:
    """Return whether ``<turnGravityOff>`` leaves gravity on, as three words do."""
    return "true" if option_text(option).lower() in ("false", "no", "0") else "false"


#: What an option of a link or joint means: its path in SDFormat, and what reads its value.
_SETTINGS: Mapping[Kind, Mapping[str, tuple[str, Callable[[Element], str]]]] = {
    Kind.MODEL: {},
    Kind.LINK: {
        "turnGravityOff": ("gravity", _not_off),
        "selfCollide": ("self_collide", _flag),
        "dampingFactor": ("velocity_decay/linear", option_text),
    },
    Kind.JOINT: {
        "implicitSpringDamper": ("physics/ode/implicit_spring_damper", _flag),
        "cfmDamping": ("physics/ode/implicit_spring_damper", _flag),
        "fudgeFactor": ("physics/ode/fudge_factor", option_text),
        "stopCfm": ("physics/ode/limit/cfm", option_text),
        "stopErp": ("physics/ode/limit/erp", option_text),
        "provideFeedback": ("physics/provide_feedback", _flag),
    },
    Kind.VISUAL: {},
    Kind.COLLISION: {option: (IN_COLLISIONS[option], option_text) for option in ("maxVel", "minDepth")},
}


def option_settings(given: Mapping[str, Element], kind: Kind) -> dict[str, str]:
    """Return what the options about something of a kind say, by its path in SDFormat; ``given`` has them by tag."""
    options = _SETTINGS.get(kind, {})
    found = {path: " ".join(read(given[tag]).split()) for tag, (path, read) in options.items() if tag in given}
    if "velocity_decay/linear" in found:
        found["velocity_decay/angular"] = found["velocity_decay/linear"]
    return {path: text for path, text in found.items() if text}


def _around(child: Element) -> Element:
    """Return an element that holds another one."""
    return Element("gazebo", {}, "", (child,), (0,), 0, 0, 0)


def _option(given: Mapping[str, Element], tag: str, default: float) -> float:
    """Return the number of an option in ``<gazebo>``, the default where none is given."""
    numbers = parse_numbers(option_text(given[tag])) if tag in given else None
    return numbers[0] if numbers and math.isfinite(numbers[0]) else default


def _value_in(copied: Mapping[str, Element], tag: str, default: float) -> float:
    numbers = parse_numbers(copied[tag].text) if tag in copied else None
    return numbers[0] if numbers and math.isfinite(numbers[0]) else default


def _surface(given: Mapping[str, Element], copied: Element | None) -> Surface:
    """Return the surface of the collisions of a link: what is copied into them, with the options about the link."""
    base = Surface() if copied is None else read_surface(copied)
    fdir1 = parse_numbers(option_text(given["fdir1"])) if "fdir1" in given else None
    return replace(
        base,
        mu=_option(given, "mu1", base.mu),
        mu2=_option(given, "mu2", base.mu2),
        fdir1=(fdir1[0], fdir1[1], fdir1[2]) if fdir1 is not None and len(fdir1) == 3 else base.fdir1,
        stiffness=_option(given, "kp", base.stiffness),
        damping=_option(given, "kd", base.damping),
    )


# Elements are immutable, so what was read from one stays true.
@lru_cache(maxsize=16)
def children_of(robot: Element) -> frozenset[int]:
    """Return the identities of the children of a ``<robot>``."""
    return frozenset(map(id, robot.children))


def read_geometry(part: Element, file: Path | None = None) -> Geometry:
    """Return the shape in the ``<geometry>`` of a visual or collision; empty where it has none that URDF knows.

    Numbers that are missing or broken are those of SDFormat's defaults, so that something can be drawn.
    """
    geometry = part.find("geometry")
    shape = geometry.children[0] if geometry is not None and geometry.children else None
    if shape is None:
        return Empty(element=geometry or part)
    kind = URDF_SHAPES.get(shape.tag)
    return Empty(element=shape) if kind is None else kind.from_urdf(shape, file, parse_numbers)


class _Materials:
    """The materials of one robot that are written outside of its visuals."""

    def __init__(self, robot: Element) -> None:
        self._named: dict[str, Element] = {}
        for material in _defined(robot):
            self._named.setdefault(material.attributes.get("name", ""), material)
        self._extensions = extensions_of(robot)

    def of(self, visual: Element, link: str | None) -> tuple[Material | None, float]:
        """Return the material and the transparency of a visual, with what Gazebo gives to the visuals of a link."""
        own = self._own(visual)
        written, name, transparency = self.given(link) if link is not None else (None, None, 0.0)
        named = None
        if name is not None:
            named = Material(script=MaterialScript(_value(name), (), name), element=name)
        if written is None:
            return named.over(own) if named is not None else own, transparency
        material = read_material(written)
        coloured = material.diffuse is not None or material.ambient is not None
        return material.over(named if coloured else named or own), transparency

    def _own(self, visual: Element) -> Material | None:
        """Return the material that a visual writes or names; None where it has none."""
        material = visual.find("material")
        if material is None:
            return None
        meant = self.meant(material)
        if meant is None:
            return None
        texture = meant.find("texture")
        uri = texture.attributes.get("filename", "") if texture is not None else ""
        return Material(material.attributes.get("name", ""), _colour(meant.find("color")), texture=uri, element=meant)

    def meant(self, material: Element) -> Element | None:
        """Return what defines a material: itself where it has a colour or texture, else the first of its name."""
        return material if _is_defined(material) else self._named.get(material.attributes.get("name", ""))

    def given(self, link: str) -> tuple[Element | None, Element | None, float]:
        """Return the SDFormat ``<material>``, the one by name, and the transparency that Gazebo gives to a link."""
        written: Element | None = None
        name: Element | None = None
        transparency = 0.0
        for extension in self._extensions.get(link, ()):
            for visual in extension.findall("visual"):
                if visual.find("material") is not None:
                    # It replaces what an earlier element has put together.
                    written, name = visual.find("material"), None
                transparency = read_transparency(visual) or transparency
            for each in extension.findall("material"):
                name = each if _value(each) else name
        return written, name, transparency


materials_of = lru_cache(maxsize=16)(_Materials)


def _defined(robot: Element) -> Iterator[Element]:
    """Yield the materials at the top of the file, then those in visuals, which may be referred to as well."""
    visuals = (visual for link in robot.findall("link") for visual in link.findall("visual"))
    for parent in (robot, *visuals):
        yield from filter(_is_defined, parent.findall("material"))


def _is_defined(material: Element) -> bool:
    return material.find("color") is not None or material.find("texture") is not None


def _value(element: Element) -> str:
    return (element.attributes.get("value") or element.text).strip()


def _colour(color: Element | None) -> Rgba | None:
    numbers = parse_numbers(color.attributes.get("rgba", "")) if color is not None else None
    if numbers is None or len(numbers) != 4 or not all(map(math.isfinite, numbers)):
        return None
    red, green, blue, alpha = (min(max(value, 0.0), 1.0) for value in numbers)
    return red, green, blue, alpha


def _number(element: Element | None, name: str, default: float) -> float:
    numbers = parse_numbers(element.attributes.get(name, "")) if element is not None else None
    return numbers[0] if numbers is not None and len(numbers) == 1 and math.isfinite(numbers[0]) else default
