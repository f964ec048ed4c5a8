"""Allowed values and required contents, beyond the element tables."""

from __future__ import annotations

from collections.abc import Sequence

from sdfviewer.diagnostics import Message, Severity, rule


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
