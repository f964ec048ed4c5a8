"""Models that are not SDFormat: a parser of a small YAML format, and everything that a parser can do wrong.

Source: model composition proposal, "1.5 Minimal libsdformat Interface Types for Non-SDFormat Models"
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import sdfviewer
from sdfviewer.diagnostics import Diagnostic
from sdfviewer.formats import interface
from sdfviewer.formats.interface import (
    InterfaceFrame,
    InterfaceJoint,
    InterfaceLink,
    InterfaceModel,
    NestedInclude,
    RegisteredParsers,
)
from sdfviewer.formats.load import load_model
from sdfviewer.model.scope import FramePoses
from sdfviewer.transforms import Array, pose_to_matrix
from tests.frames import frame_in

PALLET = """\
# A pallet: links in the model frame, frames on links; x y z roll pitch yaw.
canonical_link: deck
links:
  deck: 0 0 0.1 0 0 0
  foot: 0.5 0 0 0 0 0
frames:
  load_point: deck 0 0 0.05 0 0 0
  corner: load_point 0.6 0.4 0 0 0 0
"""


def read_yaml(text: str) -> dict[str, Any]:
    """Return the mappings, two levels deep, of the part of YAML that pallets are written in."""
    result: dict[str, Any] = {}
    section: dict[str, str] = {}
    for line in text.splitlines():
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        key, _, value = line.strip().partition(":")
        if line.startswith(" "):
            section[key] = value.strip()
        elif value.strip():
            result[key] = value.strip()
        else:
            section = result[key] = {}
    return result


class PalletParser:
    """Reads ``.yaml`` files of pallets."""

    def __init__(self) -> None:
        self.asked: list[NestedInclude] = []
        self.poses: list[FramePoses] = []

    def __call__(self, request: NestedInclude) -> InterfaceModel | None:
        self.asked.append(request)
        if request.path.suffix != ".yaml":
            return None
        content = read_yaml(request.path.read_text(encoding="utf-8"))
        links = tuple(InterfaceLink(name, self._pose(words)) for name, words in content["links"].items())
        frames = tuple(
            InterfaceFrame(name, words.split()[0], self._pose(words.partition(" ")[2]))
            for name, words in content["frames"].items()
        )
        return InterfaceModel("pallet", content["canonical_link"], links, frames, reposture=self.poses.append)

    @staticmethod
    def _pose(words: str) -> Array:
        X: Array = pose_to_matrix(np.array([float(word) for word in words.split()]))
        return X


def write(folder: Path, body: str, version: str = "1.10", **files: str) -> Path:
    (folder / "pallet.yaml").write_text(PALLET, encoding="utf-8")
    for name, text in files.items():
        (folder / name.replace("_", ".")).write_text(f'<sdf version="1.10">{text}</sdf>', encoding="utf-8")
    path = folder / "top.sdf"
    path.write_text(f'<sdf version="{version}">{body}</sdf>', encoding="utf-8")
    return path


INCLUDE = "<include><uri>pallet.yaml</uri><name>p</name>{}</include>"


def test_its_frames_can_be_referred_to(tmp_path: Path) -> None:
    parser = PalletParser()
    path = write(
        tmp_path,
        '<model name="m"><link name="l"><pose relative_to="p::corner"/></link>'
        + INCLUDE.format(
            '<placement_frame>load_point</placement_frame><pose relative_to="__model__">1 0 1 0 0 0</pose>'
        )
        + "</model>",
    )
    model = load_model(path, parsers=[parser])
    assert model.diagnostics == ()
    np.testing.assert_allclose(frame_in(model, "m::p::load_point").pose[:3, 3], [1, 0, 1], atol=1e-12)
    np.testing.assert_allclose(frame_in(model, "m::l").pose[:3, 3], [1.6, 0.4, 1], atol=1e-12)
    assert frame_in(model, "m::p::corner").body.name == "m::p::deck"  # type: ignore[union-attr]


def test_each_include_is_one_request_with_its_absolute_name(tmp_path: Path) -> None:
    parser = PalletParser()
    path = write(
        tmp_path,
        '<world name="w"><include><uri>rig.sdf</uri><name>a</name></include>'
        "<include><uri>rig.sdf</uri><name>b</name></include></world>",
        rig_sdf='<model name="rig"><link name="l"/><model name="bay"><link name="k"/>'
        f"{INCLUDE.format('')}</model></model>",
    )
    load_model(path, parsers=[parser])
    assert [each.absolute_model_name for each in parser.asked] == ["a::bay::p", "b::bay::p"]
    assert {each.name for each in parser.asked} == {"p"}


def test_it_gets_the_poses_of_its_frames(tmp_path: Path) -> None:
    parser = PalletParser()
    path = write(tmp_path, f'<world name="w">{INCLUDE.format("<pose>0 0 2 0 0 0</pose>")}</world>')
    load_model(path, parsers=[parser])
    (pose,) = parser.poses
    np.testing.assert_allclose(pose("deck")[:3, 3], [0, 0, 2.1], atol=1e-12)
    np.testing.assert_allclose(pose("corner", relative_to="deck")[:3, 3], [0.6, 0.4, 0.05], atol=1e-12)
    np.testing.assert_allclose(pose("__model__", "world")[:3, 3], [0, 0, 2], atol=1e-12)
    np.testing.assert_allclose(pose("world"), np.eye(4))
    with pytest.raises(KeyError):
        pose("top")


@pytest.mark.parametrize(("written", "told"), [("true", True), ("false", False), ("maybe", None), ("", None)])
def test_static_has_three_states(tmp_path: Path, written: str, told: bool | None) -> None:
    parser = PalletParser()
    path = write(tmp_path, f'<world name="w">{INCLUDE.format(f"<static>{written}</static>")}</world>')
    load_model(path, parsers=[parser])
    assert parser.asked[0].static is told


def test_the_last_parser_is_asked_first(tmp_path: Path) -> None:
    first, last = PalletParser(), PalletParser()
    load_model(write(tmp_path, f'<world name="w">{INCLUDE.format("")}</world>'), parsers=[first, last])
    assert (len(first.asked), len(last.asked)) == (0, 1)


LINK = InterfaceLink("a")


def model(**changes: Any) -> InterfaceModel:
    return InterfaceModel(**{"name": "p", "canonical_link": "a", "links": (LINK,), **changes})


def failing(answer: Callable[[], object], tmp_path: Path) -> list[Diagnostic]:
    """Return what is said where a parser answers an include in some way."""

    def parse(_: NestedInclude) -> Any:
        return answer()

    path = write(tmp_path, f'<world name="w">{INCLUDE.format("")}</world>')
    return list(sdfviewer.check(path, parsers=[parse]))


def explode(*_: object) -> Any:
    raise RuntimeError("no")


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (lambda: 42, "it returned int, not an InterfaceModel or None"),
        (explode, "RuntimeError: no"),
        (lambda: model(reposture=explode), "plugin explode fails: RuntimeError: no"),
        (lambda: model(links=(InterfaceLink("a", np.eye(3)),)), "the pose of 'a' is not a 4x4 matrix"),
        (lambda: model(links=(InterfaceLink("a", np.diag([2.0, 1, 1, 1])),)), "is not a rotation and a translation"),
        (lambda: model(X_PM=np.full((4, 4), np.nan)), "the pose of 'p' is not a 4x4 matrix"),
        (lambda: model(links=("a",)), "a model needs a tuple of InterfaceLink"),
        (lambda: model(frames=(InterfaceFrame(""),)), "a frame needs a name"),
    ],
)
def test_whatever_it_does_wrong_is_a_diagnostic_of_the_include(
    tmp_path: Path, answer: Callable[[], object], message: str
) -> None:
    (problem,) = failing(answer, tmp_path)
    assert problem.rule.name == "plugin-failed"
    assert message in problem.message
    assert problem.span is not None
    assert problem.span.line == 1


@pytest.mark.parametrize(
    ("answer", "rules"),
    [
        (lambda: model(frames=(InterfaceFrame("a"),)), ["duplicate-name"]),
        (lambda: model(frames=(InterfaceFrame("world"),)), ["reserved-name"]),
        (lambda: model(frames=(InterfaceFrame("x::y"),)), ["separator-in-name"]),
        (lambda: model(name="x::y"), ["separator-in-name"]),
        (lambda: model(frames=(InterfaceFrame("f", "b"),)), ["attached-to-invalid"]),
        (lambda: model(frames=(InterfaceFrame("f", "g"), InterfaceFrame("g", "f"))), ["attached-to-cycle"]),
        (lambda: model(canonical_link="b"), ["canonical-link-invalid"]),
        (lambda: model(joints=(InterfaceJoint("j", "b"),)), ["joint-child-invalid"]),
        (lambda: model(joints=(InterfaceJoint("j", "a", "b"),)), ["joint-parent-invalid"]),
        (lambda: model(joints=(InterfaceJoint("j", "a", type="hinge"),)), ["joint-type-invalid"]),
    ],
)
def test_names_and_references_are_checked_like_those_of_sdformat(
    tmp_path: Path, answer: Callable[[], object], rules: list[str]
) -> None:
    assert [problem.rule.name for problem in failing(answer, tmp_path)] == rules


def test_a_file_that_no_parser_takes_names_those_that_were_asked(tmp_path: Path) -> None:
    def read_crates(_: NestedInclude) -> None:
        return None

    path = write(tmp_path, f'<world name="w">{INCLUDE.format("")}</world>')
    (problem,) = sdfviewer.check(path, parsers=[read_crates])
    assert "no registered parser accepted it (tried: " in problem.message
    assert "read_crates)" in problem.message


def test_a_parser_that_cannot_be_imported_is_reported_at_the_include(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Broken:
        name, value = "pallets", "pallet_reader:read"

        def load(self) -> object:
            raise ModuleNotFoundError("No module named 'pallet_reader'")

    monkeypatch.setattr("importlib.metadata.entry_points", lambda **_: [Broken()])
    interface.load_parsers.cache_clear()
    try:
        found = sdfviewer.check(write(tmp_path, f'<world name="w">{INCLUDE.format("")}</world>'))
    finally:
        monkeypatch.undo()
        interface.load_parsers.cache_clear()
    assert [problem.rule.name for problem in found] == ["plugin-failed", "include-unreadable"]
    assert "plugin pallets (ModuleNotFoundError: No module named 'pallet_reader') cannot be loaded" in found[0].message
    assert interface.load_parsers() == RegisteredParsers()


@pytest.mark.parametrize("name", ["rig.sdf", "rig.world"])
def test_parsers_are_not_asked_about_sdformat(tmp_path: Path, name: str) -> None:
    parser = PalletParser()
    path = write(tmp_path, f'<world name="w"><include><uri>{name}</uri></include></world>')
    (tmp_path / name).write_text(
        '<sdf version="1.9"><model name="rig"><link name="l"/></model></sdf>', encoding="utf-8"
    )
    sdfviewer.load(path, parsers=[parser])
    assert parser.asked == []


def test_a_request_holds_the_file_and_the_elements_of_the_parser(tmp_path: Path) -> None:
    parser = PalletParser()
    load_model(
        write(tmp_path, f'<world name="w">{INCLUDE.format("<pallet:load>12</pallet:load>")}</world>'), parsers=[parser]
    )
    (request,) = parser.asked
    assert (request.uri, request.path, request.name) == ("pallet.yaml", tmp_path / "pallet.yaml", "p")
    assert request.element.text_of("pallet:load") == "12"


def test_a_parser_that_answers_nothing_lets_others_be_asked(tmp_path: Path) -> None:
    asked = []

    def decline(request: NestedInclude) -> None:
        asked.append(request.name)

    found = load_model(
        write(tmp_path, f'<world name="w">{INCLUDE.format("")}</world>'), parsers=[PalletParser(), decline]
    )
    assert asked == ["p"]
    assert frame_in(found, "p::deck").kind == "link"


@pytest.mark.parametrize("takes", [True, False])
def test_a_urdf_is_offered_to_the_parsers_first(tmp_path: Path, takes: bool) -> None:
    def parse(_: NestedInclude) -> InterfaceModel | None:
        return model() if takes else None

    mass = '<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>'
    (tmp_path / "r.urdf").write_text(f'<robot name="r"><link name="own">{mass}</link></robot>', encoding="utf-8")
    path = write(tmp_path, '<world name="w"><include><uri>r.urdf</uri></include></world>')
    found = load_model(path, parsers=[parse])
    assert ("p::a" in found.rows_by_name, "r::own" in found.rows_by_name) == (takes, not takes)


def test_nested_interface_models_are_incorporated(tmp_path: Path) -> None:
    inner = model(name="inner", X_PM=pose_to_matrix(np.array([0.0, 0, 1, 0, 0, 0])))
    body = f'<frame name="f" attached_to="p::inner::a"/>{INCLUDE.format("")}'
    path = write(tmp_path, f'<world name="w">{body}</world>')
    found = load_model(path, parsers=[lambda _: model(nested_models=(inner,))])
    assert found.diagnostics == ()
    np.testing.assert_allclose(frame_in(found, "f").pose[:3, 3], [0, 0, 1], atol=1e-12)
    assert frame_in(found, "f").body.name == "p::inner::a"  # type: ignore[union-attr]


def test_an_include_that_a_parser_reads_cannot_be_inlined_and_says_why(tmp_path: Path) -> None:
    path = write(tmp_path, f'<model name="m"><link name="l"/>{INCLUDE.format("")}</model>')
    document = sdfviewer.load(path, parsers=[PalletParser()]).convert("standalone")
    (loss,) = document.losses
    assert "not found" not in loss
    assert "it remains an include" in loss
