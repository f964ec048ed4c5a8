"""A difference is announced by what names the same element and the same kind, in one vocabulary."""

from __future__ import annotations

import pytest

from sdfviewer.document.topics import Aspect
from sdfviewer.model.comparison.difference import topics_of
from sdfviewer.model.kinds import Kind


@pytest.mark.parametrize(
    ("kind", "path", "aspect", "quantity"),
    [
        (Kind.JOINT, ("axis", "mimic"), Aspect.JOINT, "axis.mimic.multiplier"),
        (Kind.JOINT, ("axis2", "limit", "effort"), Aspect.JOINT, "axis2.limits.effort"),
        (Kind.JOINT, ("axis", "limit"), Aspect.JOINT, "axis.limits.upper"),
        (Kind.JOINT, ("axis", "xyz"), Aspect.JOINT, "axis"),
        (Kind.JOINT, ("axis", "dynamics"), Aspect.JOINT, "axis.dynamics.damping"),
        (Kind.JOINT, ("screw_thread_pitch",), Aspect.JOINT, "screw_pitch"),
        (Kind.JOINT, ("physics", "ode"), Aspect.SETTING, "physics/ode/cfm_damping"),
        (Kind.LINK, ("inertial", "mass"), Aspect.MASS, "mass"),
        (Kind.LINK, ("gravity",), Aspect.SETTING, "gravity"),
        (Kind.LINK, ("audio_source",), Aspect.SETTING, "audio_source[2]/pitch"),
        (Kind.VISUAL, ("geometry", "box"), Aspect.SHAPE, "geometry.size"),
        (Kind.VISUAL, ("material", "pbr"), Aspect.APPEARANCE, "material.pbr"),
        (Kind.COLLISION, ("surface", "friction"), Aspect.CONTACT, "surface.mu"),
        (Kind.SENSOR, ("camera", "optical_frame_id"), Aspect.SENSOR, "camera/optical_frame_id"),
        (Kind.LIGHT, ("@type",), Aspect.LIGHT, "@type"),
        (Kind.WORLD, ("scene", "origin_visual"), Aspect.PHYSICS, "origin_visual"),
        (Kind.WORLD, ("scene", "sky", "time"), Aspect.PHYSICS, "has_sky"),
        (Kind.WORLD, ("scene",), Aspect.PHYSICS, "grid"),
        (Kind.WORLD, ("physics", "max_step_size"), Aspect.PHYSICS, "max_step_size"),
        (Kind.WORLD, ("physics", "@name"), Aspect.PHYSICS, "name"),
        (Kind.WORLD, ("wind", "linear_velocity"), Aspect.PHYSICS, "wind"),
        (Kind.MODEL, ("plugin",), Aspect.PLUGIN, "plugin drive"),
        (Kind.MODEL, ("pose",), Aspect.MODEL, "pose"),
        (Kind.LINK, ("pose",), None, "moved, other body"),
        (Kind.LINK, (), None, "vanished"),
    ],
)
def test_an_element_that_is_lost_announces_what_the_comparison_calls_it(
    kind: Kind, path: tuple[str, ...], aspect: Aspect | None, quantity: str
) -> None:
    assert any(each.covers(aspect, quantity) for each in topics_of(kind, path))


@pytest.mark.parametrize(
    ("kind", "path", "aspect", "quantity"),
    [
        (Kind.JOINT, ("axis", "mimic"), Aspect.JOINT, "axis.limits.upper"),
        (Kind.JOINT, ("axis", "limit", "effort"), Aspect.JOINT, "axis.limits.velocity"),
        (Kind.JOINT, ("axis",), Aspect.JOINT, "axis2.limits.effort"),
        (Kind.JOINT, ("axis", "limit"), None, "moved"),
        (Kind.LINK, ("gravity",), Aspect.MASS, "mass"),
        (Kind.LINK, ("inertial",), Aspect.SETTING, "gravity"),
        (Kind.VISUAL, ("material",), Aspect.SHAPE, "geometry.size"),
        (Kind.VISUAL, ("geometry",), None, "vanished"),
        (Kind.COLLISION, ("laser_retro",), Aspect.CONTACT, "surface.mu"),
        (Kind.LINK, ("pose",), None, "vanished"),
        (Kind.WORLD, ("scene", "origin_visual"), Aspect.PHYSICS, "grid"),
        (Kind.WORLD, ("scene",), Aspect.PHYSICS, "gravity"),
    ],
)
def test_it_announces_nothing_else(kind: Kind, path: tuple[str, ...], aspect: Aspect | None, quantity: str) -> None:
    assert not any(each.covers(aspect, quantity) for each in topics_of(kind, path))
