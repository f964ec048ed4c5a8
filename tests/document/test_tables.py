"""The element tables of the specification."""

from __future__ import annotations

import json

import pytest

from sdfviewer.document.tables import ElementDefinition, UnknownVersionError, check_value, table
from sdfviewer.resources import resource
from sdfviewer.versions import NEWEST, VERSIONS, WRITTEN_VERSIONS, Version, format_version


def everything(version: Version) -> list[ElementDefinition]:
    """Return all definitions that can be reached from the root of a version."""
    reached: dict[int, ElementDefinition] = {}
    stack = [table(version).root]
    while stack:
        definition = stack.pop()
        if id(definition) not in reached:
            reached[id(definition)] = definition
            stack.extend(definition.children.values())
    return list(reached.values())


def test_every_version_has_a_table_and_the_other_way_round() -> None:
    names = {path.stem for path in resource("spec").glob("*.json")}
    assert names == set(WRITTEN_VERSIONS)
    assert VERSIONS[-1] == NEWEST


@pytest.mark.parametrize("version", VERSIONS)
def test_root(version: Version) -> None:
    root = table(version).root
    assert root.tag == ("gazebo" if version in ((1, 0), (1, 2)) else "sdf")
    assert list(root.children) == ["world", "model", "actor", "light"]
    assert root.attributes["version"].is_required
    assert table(version) is table(version)


@pytest.mark.parametrize("version", VERSIONS)
def test_defaults_are_of_their_type(version: Version) -> None:
    for definition in everything(version):
        if definition.type is not None and definition.default.strip():
            fault = check_value(definition.type, definition.default)
            assert fault is None or fault.accepted, definition
        for attribute in definition.attributes.values():
            if attribute.default.strip():
                fault = attribute.check(attribute.default)
                assert fault is None or fault.accepted, (definition, attribute)


@pytest.mark.parametrize("version", VERSIONS)
def test_nothing_of_the_files_is_lost(version: Version) -> None:
    files = json.loads(resource("spec", f"{format_version(version)}.json").read_text(encoding="utf-8"))
    by_tag: dict[str, list[ElementDefinition]] = {}
    for definition in everything(version):
        by_tag.setdefault(definition.tag, []).append(definition)
    for written in files.values():
        for definition in by_tag.get(written["name"], ()):
            if len(by_tag[written["name"]]) == 1:
                assert {attribute["name"] for attribute in written.get("attributes", ())} == set(definition.attributes)
                tags = {child["name"] for child in written.get("children", ())}
                tags |= {files[include["filename"]]["name"] for include in written.get("includes", ())}
                assert tags == set(definition.children)


def test_lookup_by_path() -> None:
    newest = table((1, 12))
    mass = newest.element("world/model/link/inertial/mass")
    assert mass is not None
    assert (mass.type, mass.default, mass.cardinality) == ("double", "1.0", "0")
    assert newest.element("") is newest.root
    assert newest.element("model/wheel/rim") is None


def test_models_nest_without_end() -> None:
    model = table((1, 12)).element("model")
    assert model is not None
    assert model.children["model"] is model
    old = table((1, 4)).element("model")
    assert old is not None
    assert "model" not in old.children


def test_plugin_may_hold_anything() -> None:
    plugin = table((1, 12)).element("model/plugin")
    assert plugin is not None
    assert plugin.allows_any_child
    assert plugin.attributes["filename"].is_required
    assert not plugin.attributes["name"].is_required


def test_cardinality() -> None:
    newest = table((1, 12))
    link, deprecated, child = (
        newest.element(f"model/{path}") for path in ("link", "joint/thread_pitch", "joint/child")
    )
    assert link is not None
    assert deprecated is not None
    assert child is not None
    assert (link.is_required, link.is_repeatable, link.is_deprecated) == (False, True, False)
    assert (deprecated.is_required, deprecated.is_repeatable, deprecated.is_deprecated) == (False, False, True)
    assert (child.is_required, child.is_repeatable, child.is_deprecated) == (True, False, False)


def test_bounds_of_the_newest_version_hold_for_all() -> None:
    for version, path in (
        ((1, 3), "model/link/collision/surface/friction/ode/mu"),
        ((1, 12), "model/link/sensor/camera"),
    ):
        assert table(version).element(path) is not None
    friction = table((1, 3)).element("model/link/collision/surface/friction/ode/mu")
    assert friction is not None
    assert friction.check("100", {}) is None
    assert friction.check("-1", {}) is not None
    angle = table((1, 6)).element("model/link/sensor/camera/horizontal_fov")
    assert angle is not None
    assert angle.check("7", {}) is not None


def test_check_of_texts_and_attributes() -> None:
    pose = table((1, 12)).element("model/pose")
    assert pose is not None
    assert pose.check("0 0 0 0 0 0", {"relative_to": "base"}) is None
    assert pose.check("  \n", {}) is None
    assert pose.check("", {"rotation_format": "rpy"}) is not None
    assert pose.check("", {"rotation_format": "quat_xyzw"}) is None
    assert pose.check("", {"rotation_format": "quat_xyzw", "degrees": "1"}) is not None
    assert pose.check("0 0 0 0 0 0 1", {"rotation_format": "quat_xyzw"}) is None
    assert pose.check("0 0 0 0 0 0 1", {}) is not None
    assert pose.attributes["relative_to"].check("") is None
    assert pose.attributes["degrees"].check("yes") is not None
    name = table((1, 12)).root.children["model"].attributes["name"]
    assert name.check("arm") is None
    fault = name.check(" ")
    assert fault is not None
    assert not fault.accepted


@pytest.mark.parametrize("version", [(1, 1), (NEWEST[0], NEWEST[1] + 1), (2, 0)])
def test_unknown_version(version: Version) -> None:
    with pytest.raises(UnknownVersionError):
        table(version)
