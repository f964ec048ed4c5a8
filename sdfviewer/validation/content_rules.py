"""Allowed values and required contents, beyond the element tables.

The element tables know types, not which words are meant: a sensor's type, an image's format, a light's kind. The checks
here are run by the walk of :mod:`sdfviewer.validation.element_check` on the elements they are registered for.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, TypeAlias

from sdfviewer.diagnostics import Message, Severity, rule
from sdfviewer.document.element import Element
from sdfviewer.model.findings import ElementPart, Finding
from sdfviewer.model.near_names import nearest, offer_names
from sdfviewer.model.scope import Origin
from sdfviewer.validation import element_rules as schema_rules
from sdfviewer.validation.kinematics_rules import check_inertia

if TYPE_CHECKING:
    from sdfviewer.model.plugin_catalogue import KnownPlugin, PluginParameter


@rule("unknown-type", 140, libsdformat="ATTRIBUTE_INVALID")
def unknown_type(what: str, word: str, words: Sequence[str], hint: str) -> str:
    """A sensor, light or particle emitter whose type does not exist.

    Bad: ``<light name="sun" type="sunlight">``

    Use instead: ``<light name="sun" type="directional">``

    Source: libsdformat, ``Sensor::Load``, ``Light::Load``, ``ParticleEmitter::Load``
    """
    return f"{what} is '{word}'" + (hint or Message("", f"it must be one of {', '.join(words)}"))


@rule("unknown-word", 141, libsdformat="ELEMENT_INVALID")
def unknown_word(what: str, word: str, words: Sequence[str], hint: str) -> str:
    """A value that is not one of the words allowed there, for example an image format or a type of shader.

    Bad: ``<image><format>rgb</format></image>``

    Use instead: ``<image><format>R8G8B8</format></image>``

    Source: libsdformat, ``Camera::Load``, ``Material::Load``, ``ForceTorque::Load``, ``Atmosphere::Load``
    """
    return f"{what} is '{word}'" + (hint or Message("", f"it must be one of {', '.join(words)}"))


@rule("unknown-noise", 142, libsdformat="ELEMENT_MISSING")
def unknown_noise(word: str) -> str:
    """A noise whose type does not exist. It is read as ``none``.

    Bad: ``<noise type="normal">``

    Use instead: ``<noise type="gaussian">``

    Source: libsdformat, ``Noise::Load``
    """
    return Message(f"noise type is '{word}'", "it must be one of none, gaussian, gaussian_quantized")


@rule("script-without-uri", 143, libsdformat="ELEMENT_INVALID")
def script_without_uri() -> str:
    """A material script without the URI of its file.

    Bad: ``<material><script><name>Gazebo/Red</name></script></material>``

    Use instead: ``<script><uri>file://media/materials/scripts/gazebo.material</uri><name>Gazebo/Red</name></script>``

    Source: libsdformat, ``Material::Load``
    """
    return Message("this material <script> has no <uri>", "add the URI of its file")


@rule("script-without-name", 144, libsdformat="ELEMENT_MISSING")
def script_without_name() -> str:
    """A material script without the name of the material.

    Bad: ``<script><uri>file://media/materials/scripts/gazebo.material</uri></script>``

    Use instead: ``<script><uri>file://media/materials/scripts/gazebo.material</uri><name>Gazebo/Red</name></script>``

    Source: libsdformat, ``Material::Load``
    """
    return Message("this material <script> has no <name>", "add the name of the material in its file")


@rule("shader-without-normal-map", 145, libsdformat="ELEMENT_MISSING")
def shader_without_normal_map(kind: str) -> str:
    """A normal map shader without a normal map.

    Bad: ``<shader type="normal_map_tangent_space"/>``

    Use instead: ``<shader type="normal_map_tangent_space"><normal_map>bricks.png</normal_map></shader>``

    Source: libsdformat, ``Material::Load``
    """
    return Message(f"this shader of type {kind} has no <normal_map>", "add one")


@rule("unknown-workflow", 146, libsdformat="ELEMENT_INCORRECT_TYPE")
def unknown_workflow(tag: str) -> str:
    """A physically based material that is neither ``<metal>`` nor ``<specular>``.

    Bad: ``<pbr><metalness>0.5</metalness></pbr>``

    Use instead: ``<pbr><metal><metalness>0.5</metalness></metal></pbr>``

    Source: libsdformat, ``PbrWorkflow::Load``
    """
    return Message(f"<pbr> has <metal> or <specular> in it, not <{tag}>", f"put <{tag}> into one of them")


@rule("unknown-parameter", 147, severity=Severity.WARNING)
def unknown_parameter(path: str, plugin: str, hint: str) -> str:
    """A parameter that a plugin of Gazebo, PX4 or ArduPilot does not read.

    Where no parameter has a name like it, this is only an information: files carry parameters along that once were
    read. Elements with a namespace prefix are never reported, nor are those of plugins that are not in the catalogue.

    Bad: ``<plugin filename="gz-sim-diff-drive-system" ...><wheel_seperation>0.4</wheel_seperation></plugin>``

    Use instead: ``<wheel_separation>0.4</wheel_separation>``

    Source: what the plugins read, at the revisions in ``resources/plugins``
    """
    return Message(f"{plugin} does not read <{path}>, so that it is ignored") + hint


@rule("wrong-parameter", 148, severity=Severity.WARNING)
def wrong_parameter(tag: str, value: str, expected: str, hint: str) -> str:
    """The value of a plugin's parameter is of another kind than the plugin reads: a word where it needs a number.

    The plugin then takes 0, its default, or the first part of the value.

    Bad: ``<plugin filename="gz-sim-diff-drive-system" ...><wheel_radius>0,1</wheel_radius></plugin>``

    Use instead: ``<wheel_radius>0.1</wheel_radius>``

    Source: what the plugins read, at the revisions in ``resources/plugins``
    """
    return Message(f"{tag} is '{value}', but must be {expected}") + hint


@rule("namespace-placeholder", 149, severity=Severity.WARNING)
def namespace_placeholder(placeholder: str, namespace: str) -> str:
    """A placeholder in the namespace of a model that libsdformat does not replace.

    From libsdformat 17 on, ``{name}`` in a namespace stands for the name of the model, that of its ``<include>`` where
    it has one. Everything else in braces stays as it is, and no topic may have braces.

    Bad: ``<model name="r1" namespace="{model}/sensors">``

    Use instead: ``<model name="r1" namespace="{name}/sensors">``, which is ``r1/sensors``

    Source: libsdformat, ``Model::ResolveNamespace``
    """
    return Message(f"'{placeholder}' in the namespace '{namespace}' is not replaced", "only {name} is")


Check: TypeAlias = Callable[[Element, Origin], Iterable[Finding]]

_CAMERAS = frozenset(
    (
        *("camera", "depth", "depth_camera", "rgbd", "rgbd_camera", "thermal", "thermal_camera", "segmentation"),
        *("segmentation_camera", "boundingbox", "boundingbox_camera", "wideanglecamera", "wide_angle_camera"),
    )
)
LIGHT_TYPES = ("point", "spot", "directional")
SENSOR_TYPES = _CAMERAS | frozenset(
    (
        *("air_pressure", "air_speed", "altimeter", "contact", "custom", "force_torque", "gps", "gpu_lidar", "gpu_ray"),
        *("imu", "lidar", "logical_camera", "magnetometer", "multicamera", "navsat", "ray", "rfid", "rfidtag", "sonar"),
        *("wireless_receiver", "wireless_transmitter"),
    )
)
IMAGE_FORMATS = (
    *("L8", "L16", "R8G8B8", "B8G8R8", "L_INT8", "L_INT16", "RGB_INT8", "RGBA_INT8", "BGRA_INT8", "RGB_INT16"),
    *("RGB_INT32", "BGR_INT8", "BGR_INT16", "BGR_INT32", "R_FLOAT16", "RGB_FLOAT16", "R_FLOAT32", "RGB_FLOAT32"),
    *("BAYER_RGGB8", "BAYER_BGGR8", "BAYER_GBRG8", "BAYER_GRBG8"),
)
#: Elements of a sensor for each of its axes.
_AXES = ("x", "y", "z")
_NORMAL_MAPS = (
    *("normal_map_objectspace", "normal_map_object_space"),
    *("normal_map_tangentspace", "normal_map_tangent_space"),
)


def _wrong_word(element: Element, origin: Origin, part: str, word: str, words: Iterable[str]) -> Finding:
    """Return the finding about a value that is none of the words allowed."""
    rule = unknown_type if part.startswith("@") else unknown_word
    what = f"{part[1:]} of <{element.tag}>" if part.startswith("@") else f"<{element.tag}>"
    choices = sorted(words)
    meant = nearest(word, choices)
    message = rule.format(what, word, choices, offer_names(meant))
    return Finding(rule, ElementPart(origin.source, element, part), message, meant=tuple(meant))


def _check_word(parent: Element, tag: str, words: Iterable[str], origin: Origin) -> Iterator[Finding]:
    """Yield a finding if the text of a child is none of the words allowed."""
    child = parent.find(tag)
    if child is not None and (word := child.text.strip()) and word not in words:
        yield _wrong_word(child, origin, "text", word, words)


def _check_sensor(element: Element, origin: Origin) -> Iterator[Finding]:
    """Source: libsdformat, ``Sensor::Load``, ``Camera::Load``, ``ForceTorque::Load``."""
    written = element.word("type")
    if not written:
        return
    if written not in SENSOR_TYPES:
        yield _wrong_word(element, origin, "@type", written, SENSOR_TYPES)
    elif written in _CAMERAS:
        camera = element.find("camera")
        image = camera.find("image") if camera is not None else None
        if image is not None:
            yield from _check_word(image, "format", IMAGE_FORMATS, origin)
    elif written == "force_torque" and (force_torque := element.find("force_torque")) is not None:
        yield from _check_word(force_torque, "frame", ("child", "parent", "sensor"), origin)
        directions = ("child_to_parent", "parent_to_child")
        yield from _check_word(force_torque, "measure_direction", directions, origin)


def _check_noise(element: Element, origin: Origin) -> Iterator[Finding]:
    """Source: libsdformat, ``Noise::Load``."""
    if "type" in element.attributes:
        yield from _check_kind_of_noise(element, "@type", element.word("type"), origin)
    else:
        yield from _check_noise_of_camera(element, origin)


def _check_noise_of_camera(element: Element, origin: Origin) -> Iterator[Finding]:
    """Check the noise of a camera, whose kind is an element; an attribute is unknown there and ignored."""
    child = element.find("type")
    if child is not None:
        yield from _check_kind_of_noise(child, "text", child.text.strip(), origin)


def _check_kind_of_noise(holder: Element, part: str, written: str, origin: Origin) -> Iterator[Finding]:
    """Check a kind of noise, in letters of either size."""
    words = ("none", "gaussian", "gaussian_quantized")
    if written and written.lower() not in words:
        what = _wrong_word(holder, origin, part, written, words)
        rule = unknown_noise
        yield Finding(rule, what.location, rule.format(written))


def _check_lenient_noise(element: Element, origin: Origin) -> Iterator[Finding]:
    """Source: libsdformat, ``Lidar::Load``, ``AirPressure::Load`` and others, which drop the error of the noise."""
    for finding in _check_noise(element, origin):
        yield replace(finding, severity=Severity.WARNING)


def _check_axis_noise(element: Element, origin: Origin) -> Iterator[Finding]:
    """Check the noise along each axis of a sensor; that of a magnetometer is read without its errors."""
    check = _check_lenient_noise if element.tag == "magnetometer" else _check_noise
    for axis in element.descendants():
        if axis.tag in _AXES:
            for noise in axis.findall("noise"):
                yield from check(noise, origin)


def _check_later(_element: Element, _origin: Origin) -> Iterator[Finding]:
    """Yield nothing: it is checked with the sensor around it."""
    return iter(())


def _check_light(element: Element, origin: Origin) -> Iterator[Finding]:
    """Source: libsdformat, ``Light::Load``."""
    written = element.word("type", "point")
    if written and written not in LIGHT_TYPES:
        yield _wrong_word(element, origin, "@type", written, LIGHT_TYPES)


def _check_material(element: Element, origin: Origin) -> Iterator[Finding]:
    """Source: libsdformat, ``Material::Load``."""
    script = element.find("script")
    if script is not None:
        for tag, rule in (("uri", script_without_uri), ("name", script_without_name)):
            if script.text_of(tag) in ("", "__default__"):
                yield Finding(rule, ElementPart(origin.source, script.find(tag) or script), rule.format())
    shader = element.find("shader")
    if shader is not None:
        kind = shader.word("type", "pixel")
        words = ("pixel", "vertex", *_NORMAL_MAPS)
        if kind and kind not in words:
            wrong = _wrong_word(shader, origin, "@type", kind, words)
            yield Finding(unknown_word, wrong.location, wrong.message)
        elif kind in _NORMAL_MAPS and shader.text_of("normal_map") in ("", "__default__"):
            rule = shader_without_normal_map
            yield Finding(rule, ElementPart(origin.source, shader), rule.format(kind))


def _check_submesh(element: Element, origin: Origin) -> Iterator[Finding]:
    """Source: libsdformat, ``Mesh::Load``."""
    if element.find("name") is None:
        message = schema_rules.missing_element.format("name", element.tag)
        yield Finding(schema_rules.missing_element, ElementPart(origin.source, element), message)


def _check_pbr(element: Element, origin: Origin) -> Iterator[Finding]:
    """Source: libsdformat, ``PbrWorkflow::Load``."""
    for child in element.children:
        if child.tag not in ("metal", "specular"):
            rule = unknown_workflow
            yield Finding(rule, ElementPart(origin.source, child), rule.format(child.tag))


def _check_atmosphere(element: Element, origin: Origin) -> Iterator[Finding]:
    """Source: libsdformat, ``Atmosphere::Load``."""
    kind = element.word("type", "adiabatic")
    if kind and kind != "adiabatic":
        wrong = _wrong_word(element, origin, "@type", kind, ("adiabatic",))
        yield Finding(unknown_word, wrong.location, wrong.message)


def _check_spherical_coordinates(element: Element, origin: Origin) -> Iterator[Finding]:
    """Source: libsdformat, ``World::Implementation::LoadSphericalCoordinates``."""
    yield from _check_word(element, "surface_model", ("EARTH_WGS84", "MOON_SCS", "CUSTOM_SURFACE"), origin)


def _check_particle_emitter(element: Element, origin: Origin) -> Iterator[Finding]:
    """Source: libsdformat, ``ParticleEmitter::Load``."""
    words = ("point", "box", "cylinder", "ellipsoid")
    kind = element.word("type", "point")
    if kind and kind not in words:
        yield _wrong_word(element, origin, "@type", kind, words)


def _check_plugin(element: Element, origin: Origin) -> Iterator[Finding]:
    """Source: the catalogue of plugins."""
    from sdfviewer.model.plugin_catalogue import known_plugin  # noqa: PLC0415  # many models have no plugins

    known = known_plugin(element.attributes.get("filename", ""))
    if known is None:
        return
    stack = [(child, child.tag) for child in reversed(element.children)]
    while stack:
        child, path = stack.pop()
        if not known.knows(path):
            yield _unknown_parameter(known, element, child, path, origin)
            continue
        for name, value in child.attributes.items():
            yield from _wrong_parameter(known.parameters.get(f"{path}/@{name}"), child, f"@{name}", value, origin)
        if child.children:
            stack += [(inner, f"{path}/{inner.tag}") for inner in reversed(child.children)]
        else:
            yield from _wrong_parameter(known.parameters.get(path), child, "text", child.text, origin)


def _unknown_parameter(known: KnownPlugin, plugin: Element, element: Element, path: str, origin: Origin) -> Finding:
    rule, called = unknown_parameter, plugin.attributes.get("name", "").rpartition("::")[2]
    meant = nearest(element.tag, [each.tag for each in known.children(path.rpartition("/")[0])])
    message = rule.format(path, called or known.filename, offer_names(meant))
    severity = None if meant else Severity.INFO
    return Finding(rule, ElementPart(origin.source, element), message, meant=tuple(meant), severity=severity)


def _wrong_parameter(
    parameter: PluginParameter | None, element: Element, part: str, value: str, origin: Origin
) -> Iterator[Finding]:
    if parameter is not None and not parameter.accepts(value):
        rule, text = wrong_parameter, value.strip()
        what = f"<{element.tag}>" if part == "text" else f"{part[1:]} of <{element.tag}>"
        meant = nearest(text, parameter.values)
        message = rule.format(what, text, parameter.expects, offer_names(meant))
        yield Finding(rule, ElementPart(origin.source, element, part), message, meant=tuple(meant))


_PLACEHOLDER = re.compile(r"\{[^{}]*\}")


def _check_namespace(element: Element, origin: Origin) -> Iterable[Finding]:
    """Return findings on what is not replaced in the namespace of a model, or of one that is included."""
    if element.tag == "model":
        part, namespace = "@namespace", element.attributes.get("namespace", "")
    else:
        part, namespace = "text", element.value
    if "{" not in namespace:  # a world has thousands of models without any
        return ()
    location, rule = ElementPart(origin.source, element, part), namespace_placeholder
    unknown = (each for each in _PLACEHOLDER.findall(namespace) if each != "{name}")
    return [Finding(rule, location, rule.format(placeholder, namespace)) for placeholder in dict.fromkeys(unknown)]


#: Checks by tags of parent and element; the parent's is empty where it may be anything.
CONTENTS: dict[tuple[str, str], Check] = {
    ("link", "sensor"): _check_sensor,
    ("joint", "sensor"): _check_sensor,
    ("", "noise"): _check_noise,
    ("camera", "noise"): _check_noise_of_camera,
    **dict.fromkeys(
        (("lidar", "noise"), ("ray", "noise"), ("pressure", "noise"), ("horizontal", "noise"), ("vertical", "noise")),
        _check_lenient_noise,
    ),
    **{(axis, "noise"): _check_later for axis in _AXES},
    **{("", sensor): _check_axis_noise for sensor in ("imu", "force_torque", "magnetometer")},
    ("", "light"): _check_light,
    ("visual", "material"): _check_material,
    ("particle_emitter", "material"): _check_material,
    ("mesh", "submesh"): _check_submesh,
    ("material", "pbr"): _check_pbr,
    ("world", "atmosphere"): _check_atmosphere,
    ("world", "spherical_coordinates"): _check_spherical_coordinates,
    ("link", "particle_emitter"): _check_particle_emitter,
    ("model", "link"): check_inertia,
    ("actor", "link"): check_inertia,
    ("", "plugin"): _check_plugin,
    ("", "model"): _check_namespace,
    ("include", "namespace"): _check_namespace,
}
