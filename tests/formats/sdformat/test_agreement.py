"""Small files for what libsdformat does and other readers do not."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import sdfviewer
from sdfviewer.cli import main
from sdfviewer.diagnostics import Severity


def errors(text: str) -> list[str]:
    return [each.rule.name for each in sdfviewer.check(text) if each.is_error]


def sensor(kind: str, content: str) -> str:
    return (
        f'<sdf version="1.9"><model name="m"><link name="a"><sensor name="s" type="{kind}">{content}</sensor>'
        "</link></model></sdf>"
    )


NOISE = '<noise type="custom"/>'
TYPED = "<noise><type>custom</type></noise>"


@pytest.mark.parametrize("noise", [NOISE, TYPED])
@pytest.mark.parametrize(
    ("kind", "content", "is_error"),
    [
        ("lidar", "<lidar>{}</lidar>", False),
        ("ray", "<ray>{}</ray>", False),
        ("air_pressure", "<air_pressure><pressure>{}</pressure></air_pressure>", False),
        ("air_speed", "<air_speed><pressure>{}</pressure></air_speed>", False),
        ("magnetometer", "<magnetometer><x>{}</x></magnetometer>", False),
        ("navsat", "<navsat><position_sensing><vertical>{}</vertical></position_sensing></navsat>", False),
        ("imu", "<imu><angular_velocity><x>{}</x></angular_velocity></imu>", True),
        ("altimeter", "<altimeter><vertical_position>{}</vertical_position></altimeter>", True),
        ("force_torque", "<force_torque><force><z>{}</z></force></force_torque>", True),
    ],
)
def test_noise_of_an_unknown_kind_is_an_error_where_its_reader_says_so(
    kind: str, content: str, is_error: bool, noise: str
) -> None:
    found = [each for each in sdfviewer.check(sensor(kind, content.format(noise))) if each.rule.name == "unknown-noise"]
    assert [each.severity for each in found] == [Severity.ERROR if is_error else Severity.WARNING]


@pytest.mark.parametrize(("noise", "expected"), [(NOISE, []), (TYPED, [Severity.ERROR])])
def test_the_noise_of_a_camera_is_an_element(noise: str, expected: list[Severity]) -> None:
    found = sdfviewer.check(sensor("camera", f"<camera>{noise}</camera>"))
    assert [each.severity for each in found if each.rule.name == "unknown-noise"] == expected


def test_a_separator_is_refused_in_names_that_nobody_knows() -> None:
    assert errors(sensor("imu", '<api name="a::b"/>')) == ["separator-in-name"]
    assert errors(sensor("imu", '<plugin name="a::b" filename="f"><x name="c::d"/></plugin>')) == []


def test_a_joint_called_world_does_not_mean_the_world() -> None:
    def model(joint: str, other: str) -> str:
        return (
            f'<sdf version="1.9"><model name="m"><link name="a"/><link name="b"/><joint name="{joint}" type="fixed">'
            f"<parent>world</parent><child>a</child></joint>{other}</model></sdf>"
        )

    assert errors(model("fix", "")) == []
    assert sorted(errors(model("world", ""))) == ["joint-parent-invalid", "reserved-name"]
    more = '<joint name="k" type="fixed"><parent>world</parent><child>b</child></joint>'
    assert sorted(errors(model("world", more))) == ["joint-parent-invalid", "joint-parent-invalid", "reserved-name"]


def test_frames_lists_every_world(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def world(name: str, x: int) -> str:
        return f'<world name="{name}"><model name="m"><pose>{x} 0 0 0 0 0</pose><link name="a"/></model></world>'

    file = tmp_path / "two.sdf"
    file.write_text(f'<sdf version="1.9">{world("one", 1)}{world("two", 2)}</sdf>')
    main(["frames", "--json", str(file)])
    frames = json.loads(capsys.readouterr().out)["frames"]
    links = [(frame["world"], frame["pose"][0]) for frame in frames if frame["name"] == "m::a"]
    assert links == [("one", 1.0), ("two", 2.0)]
    main(["frames", str(file)])
    assert "world 'two'" in capsys.readouterr().out


AXIS = (
    '<model name="{}"><link name="a"/><link name="b"/><joint name="j" type="revolute"><parent>a</parent>'
    '<child>b</child><axis><xyz expressed_in="nobody">0 0 1</xyz></axis></joint></model>'
)


@pytest.mark.parametrize(
    ("content", "severity"),
    [
        (AXIS.format("m"), Severity.ERROR),
        (f'<world name="w">{AXIS.format("m")}</world>', Severity.ERROR),
        (f'<model name="m"><link name="l"/>{AXIS.format("n")}</model>', Severity.WARNING),
    ],
)
def test_axes_are_resolved_in_models_that_are_not_nested(content: str, severity: Severity) -> None:
    found = sdfviewer.check(f'<sdf version="1.12">{content}</sdf>')
    assert [(each.rule.name, each.severity) for each in found] == [("expressed-in-invalid", severity)]


@pytest.mark.parametrize(("own", "is_one_body"), [("", True), ("<static>true</static>", False)])
def test_a_model_in_a_static_one_has_its_canonical_link(own: str, is_one_body: bool) -> None:
    """Only a model that says itself that it is static is a body of its own."""
    nested = f'<model name="n">{own}<link name="a"/><frame name="f"/></model>'
    joint = '<joint name="j" type="fixed"><parent>m::n::a</parent><child>m::n::f</child></joint>'
    model = f'<model name="m"><static>true</static>{nested}</model>'
    found = errors(f'<sdf version="1.12"><world name="w">{model}{joint}</world></sdf>')
    assert ("joint-parent-is-child" in found) is is_one_body
