"""What ``<gazebo>`` extensions of a URDF name and include is found as libsdformat finds it."""

from __future__ import annotations

import pytest

from sdfviewer.document.document import parse_document
from sdfviewer.formats.load import Loader
from sdfviewer.model.model import Model
from sdfviewer.refactoring.fix_offers import offer_fixes

INERTIAL = '<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>'


def robot(extensions: str) -> Model:
    text = f"""<robot name="r">
  <link name="base">{INERTIAL}</link>
  <link name="tip">{INERTIAL}</link>
  <link name="ghost"/>
  <joint name="j" type="fixed"><parent link="base"/><child link="tip"/><origin xyz="0 0 1"/></joint>
  <joint name="k" type="continuous"><parent link="base"/><child link="ghost"/></joint>
  {extensions}
</robot>"""
    model = Loader(offer_fixes=offer_fixes).load(parse_document(text))
    assert model is not None
    return model


def said(model: Model) -> list[tuple[str, str]]:
    """Return the severity and rule of all that is said about frames and files."""
    rules = ("attached-to-invalid", "attached-to-cycle", "relative-to-invalid", "relative-to-cycle", "uri-not-found")
    return [(each.severity.value, each.rule.name) for each in model.diagnostics if each.rule.name in rules]


@pytest.mark.parametrize(
    ("extensions", "expected"),
    [
        ('<gazebo><frame name="f" attached_to="nolink"/></gazebo>', [("error", "attached-to-invalid")]),
        ('<gazebo><frame name="f" attached_to="ghost"/></gazebo>', [("error", "attached-to-invalid")]),
        ('<gazebo><frame name="f" attached_to="f"/></gazebo>', [("error", "attached-to-cycle")]),
        (
            '<gazebo><frame name="f" attached_to="g"/><frame name="g" attached_to="f"/></gazebo>',
            [("error", "attached-to-cycle")],
        ),
        (
            '<gazebo><frame name="f"><pose relative_to="nolink"/></frame></gazebo>',
            [("error", "relative-to-invalid")],
        ),
        ("<gazebo><include><uri>model://nope</uri></include></gazebo>", [("error", "uri-not-found")]),
        (
            '<gazebo reference="base"><sensor name="s" type="imu"><pose relative_to="nolink"/></sensor></gazebo>',
            [("warning", "relative-to-invalid")],
        ),
        ('<gazebo><frame name="f" attached_to="tip"/></gazebo>', []),
    ],
)
def test_names_in_extensions_are_checked_as_in_sdformat(extensions: str, expected: list[tuple[str, str]]) -> None:
    assert said(robot(extensions)) == expected


def test_a_frame_may_name_one_that_comes_later() -> None:
    model = robot(
        """<gazebo reference="base"><sensor name="s" type="imu"><pose relative_to="g"/></sensor></gazebo>
  <gazebo><frame name="f" attached_to="g"/></gazebo>
  <gazebo><joint name="l" type="fixed"><parent>base</parent><child>g</child></joint></gazebo>
  <gazebo><frame name="g" attached_to="tip"/></gazebo>"""
    )
    assert said(model) == []
    for name in ("r::f", "r::l", "r::base::s"):
        assert model.X_RootF[model.row(name), :3, 3].tolist() == [0, 0, 1]


def test_a_misspelt_frame_has_a_quick_fix() -> None:
    model = robot('<gazebo><frame name="f" attached_to="bas"/></gazebo>')
    found = next(each for each in model.diagnostics if each.rule.name == "attached-to-invalid")
    assert "did you mean 'base'" in found.message
    assert any("base" in fix.label for fix in found.fixes)
