"""Read the contents of links, joints and worlds from SDFormat into typed records."""

from __future__ import annotations

import math
from collections.abc import Mapping

from sdfviewer.document.document import Document
from sdfviewer.document.element import Element
from sdfviewer.formats.sdformat.settings import read_settings
from sdfviewer.model.contents import (
    ActorContents,
    Animation,
    Camera,
    CollisionContents,
    Dynamics,
    Environment,
    Inertial,
    Lidar,
    LightContents,
    Limits,
    Material,
    MaterialScript,
    Pbr,
    Physics,
    Plugin,
    Rgba,
    Scan,
    SceneSettings,
    SensorContents,
    Surface,
    VisualContents,
    Waypoint,
)
from sdfviewer.model.joints import Axis
from sdfviewer.model.model import Model
from sdfviewer.model.shapes import read_geometry
from sdfviewer.model.shapes.kind import finite_number, three_numbers
from sdfviewer.model.values import (
    IDENTITY,
    parse_bool,
    parse_number,
    parse_numbers,
    read_mass_properties,
    read_number,
    read_pose,
    read_vector,
)
from sdfviewer.transforms import Array, pose_to_matrix
from sdfviewer.versions import NEWEST, VERSIONS, Version, parse_version


class SdformatContents:
    """Reads what the rows of an SDFormat file hold."""

    def visual(self, model: Model, row: int) -> VisualContents:
        """Return the visual of a row."""
        return read_visual(model.elements[row], model.document_of(row))

    def collision(self, model: Model, row: int) -> CollisionContents:
        """Return the collision of a row."""
        return read_collision(model.elements[row], model.document_of(row))

    def inertial(self, model: Model, row: int) -> Inertial:
        """Return the inertial of the link of a row; SDFormat's default where none is written."""
        return read_inertial(model.elements[row], model.version)

    def sensor(self, model: Model, row: int) -> SensorContents:
        """Return the sensor of a row."""
        return read_sensor(model.elements[row])

    def light(self, model: Model, row: int) -> LightContents:
        """Return the light of a row."""
        return read_light(model.elements[row])

    def actor(self, model: Model, row: int) -> ActorContents:
        """Return the actor of a row."""
        return read_actor(model.elements[row])

    def limits(self, model: Model, row: int, axis: Axis) -> Limits:
        """Return the limits of an axis of the joint in a row."""
        return Limits(axis.lower, axis.upper, axis.effort, axis.velocity)

    def dynamics(self, model: Model, row: int, axis: Axis) -> Dynamics:
        """Return the dynamics of an axis of the joint in a row."""
        return read_dynamics(axis.element)

    def plugins(self, model: Model, row: int) -> tuple[Plugin, ...]:
        """Return the plugins of the thing in a row; of an included model its own, then those of its include."""
        element, document = model.elements[row], model.document_of(row)
        own = read_plugins(element.findall("plugin"), document)
        if element.tag != "include":
            return own
        source = next((model.sources[each] for each in model.rows_in(row)), None)
        included = source.root.find("model") if source is not None and source.root is not None else None
        return own if source is None or included is None else (*read_plugins(included.findall("plugin"), source), *own)

    def settings(self, model: Model, row: int) -> Mapping[str, str]:
        """Return what is written of the thing in a row and no record holds, by path.

        Of an included model that is its own, with the namespace that its include gives it instead.
        """
        element, version = model.elements[row], model.version
        given = element.text_of("namespace") if element.tag == "include" else ""
        if element.tag == "include":
            source = next((model.sources[each] for each in model.rows_in(row)), None)
            included = None if source is None or source.root is None else source.root.find("model")
            if included is None or source is None or source.root is None:
                return {}
            element, version = included, parse_version(source.root.attributes.get("version", "")) or version
        found = read_settings(element, model.kinds[row], version if version in VERSIONS else NEWEST)
        return {**found, "@namespace": given} if given else found


def read_visual(element: Element, document: Document) -> VisualContents:
    """Return the contents of a ``<visual>``."""
    material = element.find("material")
    return VisualContents(
        element.word("name"),
        read_geometry(element, document.path),
        None if material is None else read_material(material),
        read_transparency(element),
        read_flag(element, "cast_shadows", True),
        read_number(element, "laser_retro", 0.0),
        read_visibility_flags(element),
        element,
    )


def read_visibility_flags(visual: Element) -> int:
    """Return the ``<visibility_flags>``, all of them where it is missing."""
    flags = parse_number(visual.text_of("visibility_flags"))
    return 0xFFFFFFFF if flags is None or not math.isfinite(flags) else int(flags)


def read_transparency(visual: Element) -> float:
    """Return the ``<transparency>`` from 0 to 1; 0 where it is missing."""
    value = read_number(visual, "transparency", 0.0)
    return min(max(value, 0.0), 1.0)


def read_collision(element: Element, document: Document) -> CollisionContents:
    """Return the contents of a ``<collision>``."""
    surface = element.find("surface")
    return CollisionContents(
        element.word("name"),
        read_geometry(element, document.path),
        Surface() if surface is None else read_surface(surface),
        None if element.find("density") is None else read_number(element, "density", 1000.0),
        int(finite_number(element, "max_contacts", 10.0)),
        read_number(element, "laser_retro", 0.0),
        element,
    )


def read_surface(surface: Element) -> Surface:
    """Return the contents of a ``<surface>``: ODE's parameters, else Bullet's."""
    friction, bounce, contact = (surface.find(tag) for tag in ("friction", "bounce", "contact"))
    ode, bullet, torsional = (_child(friction, tag) for tag in ("ode", "bullet", "torsional"))
    forces = _child(contact, "ode") or _child(contact, "bullet")
    mu, mu2 = ("mu", "mu2") if ode is not None or bullet is None else ("friction", "friction2")
    along = ode or bullet
    return Surface(
        mu=read_number(along, mu, 1.0),
        mu2=read_number(along, mu2, 1.0),
        fdir1=three_numbers(along, "fdir1", (0.0, 0.0, 0.0)),
        slip1=read_number(ode, "slip1", 0.0),
        slip2=read_number(ode, "slip2", 0.0),
        torsional_friction=None if torsional is None else read_number(torsional, "coefficient", 1.0),
        restitution=read_number(bounce, "restitution_coefficient", 0.0),
        bounce_threshold=read_number(bounce, "threshold", 100000.0),
        stiffness=read_number(forces, "kp", 1e12),
        damping=read_number(forces, "kd", 1.0),
        collide_bitmask=_bitmask("" if contact is None else contact.text_of("collide_bitmask"), 0xFFFF),
        element=surface,
    )


def read_inertial(link: Element, version: Version) -> Inertial:
    """Return the ``<inertial>`` of a ``<link>``; 1 kg and 1 kg m² about each axis where there is none.

    Numbers are as written, NaN too.
    """
    inertial = link.find("inertial")
    if inertial is None:
        return Inertial(1.0, pose_to_matrix(IDENTITY), (1.0, 1.0, 1.0, 0.0, 0.0, 0.0), is_written=False, raw=IDENTITY)
    mass, moments = read_mass_properties(inertial)
    written = read_pose(inertial, version)
    X_LI: Array = pose_to_matrix(written.raw) if written.exact is None else written.exact
    return Inertial(
        mass,
        X_LI,
        moments,
        parse_bool(inertial.attributes.get("auto", "")),
        None if inertial.find("density") is None else read_number(inertial, "density", 1000.0),
        raw=written.raw if written.exact is None else None,
        element=inertial,
    )


def read_sensor(element: Element) -> SensorContents:
    """Return the contents of a ``<sensor>``."""
    scan = element.find("lidar") or element.find("ray")
    return SensorContents(
        element.word("name"),
        element.word("type"),
        read_number(element, "update_rate", 0.0),
        element.text_of("topic").removeprefix("__default__"),
        element.text_of("frame_id") or element.text_of("gz_frame_id") or element.text_of("ignition_frame_id"),
        read_flag(element, "always_on", False),
        read_flag(element, "visualize", False),
        tuple(_camera(camera) for camera in element.findall("camera")),
        None if scan is None else _lidar(scan),
        element,
    )


def _camera(camera: Element) -> Camera:
    image, clip = camera.find("image"), camera.find("clip")
    return Camera(
        finite_number(camera, "horizontal_fov", 1.047),
        int(finite_number(image, "width", 320.0)),
        int(finite_number(image, "height", 240.0)),
        read_number(clip, "near", 0.1),
        read_number(clip, "far", 100.0),
        camera,
    )


def _lidar(lidar: Element) -> Lidar:
    scan, reach = lidar.find("scan"), lidar.find("range")
    horizontal, vertical = _child(scan, "horizontal"), _child(scan, "vertical")
    near, far = read_number(reach, "min", 0.0), read_number(reach, "max", 0.0)
    return Lidar(_scan(horizontal, 640.0), _scan(vertical, 1.0), near, far, lidar)


def _scan(scan: Element | None, samples: float) -> Scan:
    count = int(finite_number(scan, "samples", samples))
    return Scan(count, finite_number(scan, "min_angle", 0.0), finite_number(scan, "max_angle", 0.0))


def read_light(element: Element) -> LightContents:
    """Return the contents of a ``<light>``."""
    spot, attenuation = element.find("spot"), element.find("attenuation")
    default = LightContents()
    constant, linear, quadratic = (
        read_number(attenuation, tag, value)
        for tag, value in zip(("constant", "linear", "quadratic"), default.attenuation, strict=True)
    )
    return LightContents(
        element.word("name"),
        element.word("type", "point"),
        _colour(element, "diffuse", default.diffuse),
        _colour(element, "specular", default.specular),
        read_number(element, "intensity", 1.0),
        three_numbers(element, "direction", default.direction),
        read_number(attenuation, "range", default.range),
        (constant, linear, quadratic),
        finite_number(spot, "inner_angle", default.inner_angle),
        finite_number(spot, "outer_angle", default.outer_angle),
        read_number(spot, "falloff", default.falloff),
        read_flag(element, "cast_shadows", False),
        read_flag(element, "light_on", True),
        element,
    )


def read_dynamics(axis: Element) -> Dynamics:
    """Return the ``<dynamics>`` of an ``<axis>``."""
    dynamics = axis.find("dynamics")
    return Dynamics(
        read_number(dynamics, "damping", 0.0),
        read_number(dynamics, "friction", 0.0),
        read_number(dynamics, "spring_reference", 0.0),
        read_number(dynamics, "spring_stiffness", 0.0),
        dynamics,
    )


def read_plugins(plugins: list[Element], document: Document) -> tuple[Plugin, ...]:
    """Return the contents of ``<plugin>`` elements."""
    found = []
    for plugin in plugins:
        first, last = document.offsets(plugin, "element")
        found.append(Plugin(plugin.word("name"), plugin.word("filename"), document.text[first:last], plugin))
    return tuple(found)


def read_actor(element: Element) -> ActorContents:
    """Return the contents of an ``<actor>``."""
    skin, script = element.find("skin"), element.find("script")
    return ActorContents(
        element.word("name"),
        "" if skin is None else skin.text_of("filename"),
        read_number(skin, "scale", 1.0),
        tuple(
            Animation(
                each.word("name"),
                each.text_of("filename"),
                read_number(each, "scale", 1.0),
                read_flag(each, "interpolate_x", False),
            )
            for each in element.findall("animation")
        ),
        tuple(
            tuple(_waypoint(point) for point in trajectory.findall("waypoint"))
            for trajectory in (() if script is None else script.findall("trajectory"))
        ),
        read_flag(script, "loop", True),
        read_number(script, "delay_start", 0.0),
        read_flag(script, "auto_start", True),
        element,
    )


def _waypoint(point: Element) -> Waypoint:
    return Waypoint(read_number(point, "time", 0.0), read_vector(point, "pose", IDENTITY))


def read_physics(element: Element) -> Physics:
    """Return the contents of a ``<physics>``."""
    return Physics(
        element.word("name") or "default_physics",
        element.word("type") or "ode",
        parse_bool(element.word("default")),
        read_number(element, "max_step_size", 0.001),
        read_number(element, "real_time_factor", 1.0),
        read_number(element, "real_time_update_rate", 1000.0),
        int(finite_number(element, "max_contacts", 20.0)),
        element,
    )


def read_scene(element: Element | None) -> SceneSettings:
    """Return the ``<scene>`` of a world, the defaults if there is none."""
    default = SceneSettings()
    if element is None:
        return default
    fog = element.find("fog")
    return SceneSettings(
        _colour(element, "ambient", default.ambient),
        _colour(element, "background", default.background),
        read_flag(element, "shadows", True),
        read_flag(element, "grid", True),
        read_flag(element, "origin_visual", True),
        element.find("sky") is not None,
        "none" if fog is None else fog.text_of("type", "none"),
        element,
    )


def read_environment(world: Element) -> Environment:
    """Return the gravity, magnetic field and wind of a ``<world>``.

    Before 1.6 gravity and magnetic field were written in ``<physics>``.
    """
    default = Environment()
    physics = world.find("physics")

    def held(tag: str) -> Element | None:
        return world if world.find(tag) is not None else physics

    return Environment(
        three_numbers(held("gravity"), "gravity", default.gravity),
        three_numbers(held("magnetic_field"), "magnetic_field", default.magnetic_field),
        three_numbers(world.find("wind"), "linear_velocity", default.wind),
    )


def _child(element: Element | None, tag: str) -> Element | None:
    return None if element is None else element.find(tag)


def _colour(element: Element, tag: str, default: Rgba) -> Rgba:
    return read_colour(element, tag) or default


def _bitmask(text: str, default: int) -> int:
    """Return the number in a text, which may be hexadecimal."""
    try:
        return int(text, 0)
    except ValueError:
        numbers = parse_numbers(text)
        return int(numbers[0]) if numbers and math.isfinite(numbers[0]) else default


def read_colour(element: Element, tag: str) -> Rgba | None:
    """Return the colour in a child, each number from 0 to 1; None if there is none."""
    numbers = parse_numbers(element.text_of(tag))
    if numbers is None or len(numbers) not in (3, 4) or not all(map(math.isfinite, numbers)):
        return None
    red, green, blue, alpha = (min(max(value, 0.0), 1.0) for value in (*numbers, 1.0)[:4])
    return red, green, blue, alpha


def read_flag(element: Element | None, tag: str, default: bool) -> bool:
    """Return whether a child says true; the default where it is missing or says neither true nor false."""
    return parse_bool(element.text_of(tag), default) if element is not None else default


def read_material(written: Element) -> Material:
    """Return the contents of a ``<material>``."""
    script, shader, pbr = (written.find(tag) for tag in ("script", "shader", "pbr"))
    workflow = None if pbr is None else pbr.find("metal") or pbr.find("specular")
    shininess = parse_number(written.text_of("shininess"))
    normal_map = "" if shader is None else shader.text_of("normal_map")
    return Material(
        diffuse=read_colour(written, "diffuse"),
        ambient=read_colour(written, "ambient"),
        specular=read_colour(written, "specular"),
        emissive=read_colour(written, "emissive"),
        shininess=shininess if shininess is not None and math.isfinite(shininess) else None,
        script=None if script is None else _script(script),
        pbr=None if workflow is None else _pbr(workflow),
        # By default it is called "__default__", which means none.
        normal_map="" if normal_map == "__default__" else normal_map,
        normal_map_type="" if shader is None else shader.word("type", "pixel"),
        double_sided=read_flag(written, "double_sided", False),
        lighting=read_flag(written, "lighting", True),
        element=written,
    )


def _script(script: Element) -> MaterialScript:
    uris = tuple(uri.text.strip() for uri in script.findall("uri"))
    return MaterialScript(script.text_of("name"), uris, script.find("name") or script)


def _pbr(workflow: Element) -> Pbr:
    normal_map = workflow.find("normal_map")

    def factor(tag: str, default: float) -> float:
        value = read_number(workflow, tag, default)
        return value if math.isfinite(value) else default

    return Pbr(
        workflow=workflow.tag,
        normal_map_type="tangent" if normal_map is None else normal_map.word("type", "tangent"),
        roughness=factor("roughness", 0.5),
        metalness=factor("metalness", 0.5),
        glossiness=factor("glossiness", 0.0),
        element=workflow,
        **{name: workflow.text_of(name) for name in _MAPS},
    )


_MAPS = (
    "albedo_map",
    "normal_map",
    "roughness_map",
    "metalness_map",
    "glossiness_map",
    "specular_map",
    "emissive_map",
    "light_map",
    "ambient_occlusion_map",
    "environment_map",
)
