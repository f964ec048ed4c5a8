"""Of the places where a value of a xacro file can be written, the one with which the least else moves comes first."""

from __future__ import annotations

from pathlib import Path

import pytest

import sdfviewer
from sdfviewer.document.edits import Edit, set_attribute
from sdfviewer.files.finder import Finder
from sdfviewer.files.opening import open_document
from sdfviewer.formats.load import Loader
from sdfviewer.formats.xacro.decisions import NamedFiles
from sdfviewer.formats.xacro.expansion import Expander
from sdfviewer.refactoring.xacro_edits import WaysBack, ways_back

pytest.importorskip("xacro")

ROBOT = """<robot name="r" xmlns:xacro="http://ros.org/wiki/xacro">
  <xacro:property name="height" value="0.2"/>
  <xacro:property name="own" value="0.1"/>
  <link name="base"/><link name="column"/><link name="arm"/><link name="tip"/><link name="lamp"/>
  <joint name="lift" type="fixed"><origin xyz="0 0 ${height}"/><parent link="base"/><child link="column"/></joint>
  <joint name="elbow" type="fixed"><origin xyz="ELBOW"/><parent link="column"/><child link="arm"/></joint>
  <joint name="end" type="fixed"><origin xyz="0 0 0.1"/><parent link="arm"/><child link="tip"/></joint>
  <joint name="side" type="fixed"><origin xyz="0.1 0 0"/><parent link="column"/><child link="lamp"/></joint>
</robot>
"""


def ways_of(tmp_path: Path, elbow: str) -> WaysBack:
    """Return the ways to lift the elbow by 0.1."""
    path = tmp_path / "r.urdf.xacro"
    path.write_text(ROBOT.replace("ELBOW", elbow), encoding="utf-8")
    expander = Expander(permission=NamedFiles(None, ""))
    model = Loader(Finder(), expander=expander).load(open_document(path))
    assert model is not None
    expanded = model.document_of(0)
    assert expanded.root is not None
    origin = next(each for each in expanded.root.descendants() if each.attributes.get("name") == "elbow").children[0]
    return ways_back(model, Edit("Move", expanded, tuple(set_attribute(expanded, origin, "xyz", "0 0 0.5"))))


@pytest.mark.parametrize(
    ("elbow", "first", "moved"),
    [
        ("0 0 ${height*2}", "expression", ["lift", "column", "side", "lamp"]),
        ("0 0 ${height + own}", "property own", ["lift", "column", "side", "lamp"]),
        ("0 0 ${2*own}", "property own", None),
    ],
)
def test_what_moves_least_comes_first(tmp_path: Path, elbow: str, first: str, moved: list[str] | None) -> None:
    ways = ways_of(tmp_path, elbow)
    (choice,) = ways.smallest
    assert choice.label == first
    assert ways.moved_along(choice) == ()
    (value,) = ways.values
    named = [each for each in value.possible if each.label == "property height"]
    names = ways.model.local_names
    assert [sorted(names[row] for row in ways.moved_along(each)) for each in named] == (
        [sorted(moved)] if moved else []
    )


TWICE = """<robot name="r" xmlns:xacro="http://ros.org/wiki/xacro">
  <link name="base"/>
  <xacro:macro name="wheel" params="side">
    <link name="${side}_wheel"/>
    <joint name="${side}_axle" type="fixed"><parent link="base"/><child link="${side}_wheel"/></joint>
  </xacro:macro>
  <xacro:wheel side="left"/><xacro:wheel side="right"/>
</robot>
"""


def test_no_two_links_get_one_name(tmp_path: Path) -> None:
    path = tmp_path / "r.urdf.xacro"
    path.write_text(TWICE, encoding="utf-8")
    document = sdfviewer.open_document(path)
    with pytest.raises(sdfviewer.SdfViewerError, match="2 of <link> would get one name"), document.edit() as edit:
        edit.rename("left_wheel", "tyre")
    with document.edit() as edit:
        edit.rename("left_wheel", "port_wheel")
    assert document.text == TWICE.replace('side="left"', 'side="port"')


def test_what_would_get_a_name_that_is_taken_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "r.urdf.xacro"
    path.write_text(
        TWICE.replace('<link name="base"/>', '<link name="base"/><joint name="port_axle"/>'), encoding="utf-8"
    )
    document = sdfviewer.open_document(path)
    with (
        pytest.raises(sdfviewer.SdfViewerError, match="more than one <joint> named 'port_axle'"),
        document.edit() as edit,
    ):
        edit.rename("left_wheel", "port_wheel")
