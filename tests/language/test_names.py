"""Which rows an edit has changed, as undo selects them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from sdfviewer.document.document import parse_document
from sdfviewer.document.element import Element
from sdfviewer.files.opening import open_document
from sdfviewer.formats.load import Loader, load_model
from sdfviewer.formats.written_rows import rows_written_at
from sdfviewer.language.names import place_in_file, row_at, rows_changed, value_origins_at
from sdfviewer.refactoring.removal import remove
from sdfviewer.session.session import Session

J = """    <joint name='j' type='revolute'>
      <parent>a</parent>
      <child>b</child>
    </joint>
"""
WITHOUT = """<sdf version='1.9'>
  <model name='m'>
    <link name='a'/>
    <link name='b'/>
    <joint name='k' type='fixed'>
      <parent>a</parent>
      <child>b</child>
    </joint>
  </model>
</sdf>
"""
WITH = WITHOUT.replace("    <joint name='k'", J + "    <joint name='k'")


@pytest.mark.parametrize(
    ("before", "after", "names"),
    [
        (WITHOUT, WITH, ["m::j"]),  # both joints begin alike
        (WITH, WITHOUT, []),
        (WITH, WITH.replace("'revolute'", "'prismatic'"), ["m::j"]),
        (WITH, WITH.replace("'a'/>", "'a'><pose>1 0 0 0 0 0</pose></link>").replace("'k'", "'l'"), ["m::a", "m::l"]),
        (WITH, WITH, []),
    ],
)
def test_only_what_is_different_has_changed(before: str, after: str, names: list[str]) -> None:
    model = Session(parse_document(after)).model
    assert model is not None
    assert [model.names[row] for row in rows_changed(model, before)] == names


def test_rows_of_many_offsets_are_those_of_each() -> None:
    text = WITH.replace("'a'/>", "'a'><visual name='v'><geometry><box/></geometry></visual></link>")
    model = Session(parse_document(f"<!-- before -->\n{text}")).model
    assert model is not None
    offsets = range(len(model.document.text))
    rows = {offset: row for offset in offsets if (row := row_at(model, offset)) is not None}
    assert rows_written_at(model, reversed(offsets)) == rows
    assert {model.names[row] for row in rows.values()} == {"m", "m::a", "m::a::v", "m::b", "m::j", "m::k"}


def test_what_is_included_is_in_the_file_at_its_include(tmp_path: Path) -> None:
    (tmp_path / "in.sdf").write_text("<sdf version='1.9'><model name='in'><link name='a'/></model></sdf>", "utf-8")
    (tmp_path / "mid.sdf").write_text(
        "<sdf version='1.9'><model name='mid'><include><uri>in.sdf</uri></include></model></sdf>", "utf-8"
    )
    path = tmp_path / "out.sdf"
    path.write_text(
        """<sdf version='1.9'><model name='out'>
  <link name='own'/>
  <include><uri>mid.sdf</uri></include>
  <include merge='true'><uri>in.sdf</uri></include>
  <link name='last'/>
</model></sdf>""",
        "utf-8",
    )
    model = Loader().load(open_document(path))
    lines = {"own": 2, "mid": 3, "mid::in": 3, "mid::in::a": 3, "a": 4, "last": 5}
    places = {name: place_in_file(model, model.row(name)) for name in lines}
    assert {name: span and span.line for name, span in places.items()} == lines


def elements_below(element: Element) -> Iterator[Element]:
    yield element
    for child in element.children:
        yield from elements_below(child)


def test_the_row_at_a_place_is_that_of_the_innermost_element_that_has_one(examples: Path) -> None:
    for path in [*examples.rglob("*.sdf"), *examples.rglob("*.urdf")]:
        model = Loader().load(open_document(path))
        if model is None or model.document.root is None:
            continue
        document, rows = model.document, model.rows_by_element
        for element in elements_below(document.root):
            around: Element | None = element
            while around is not None and id(around) not in rows:
                around = document.parent(around)
            expected = None if around is None else rows[id(around)]
            assert row_at(model, document.offset(element)) == expected, (path, element)


def test_what_was_changed_in_a_world_is_found_without_a_look_at_all_its_elements() -> None:
    models = "\n".join(f'<model name="m{n}"><link name="l"/></model>' for n in range(1000))
    session = Session(parse_document(f'<sdf version="1.9"><world name="w">\n{models}\n</world></sdf>'))
    assert session.model is not None
    session.apply(remove(session.model, [session.model.row("m500")]))
    before = session.document.text
    session.undo()
    assert [session.model.names[row] for row in rows_changed(session.model, before)] == ["m500"]
    assert "rows_by_element" not in session.model.__dict__


def test_the_origins_of_what_a_macro_call_gives_are_those_of_its_expression(tmp_path: Path) -> None:
    pytest.importorskip("xacro", reason="the extra xacro is not installed")
    file = tmp_path / "r.xacro"
    text = """<robot name="r" xmlns:xacro="http://www.ros.org/wiki/xacro">
  <xacro:arg name="scale" default="1"/>
  <xacro:property name="r" value="0.1"/><xacro:property name="d" value="${2*r}"/>
  <xacro:macro name="ball" params="n radius weight:=${d+1} unused:=1">
    <link name="${n}"><visual><geometry><sphere radius="${radius + weight}"/></geometry></visual></link>
  </xacro:macro>
  <xacro:macro name="pair" params="n size"><xacro:ball n="${n}1" radius="${size/2}"/>
    <xacro:ball n="${n}2" radius="${size}" weight="2" unused="${r-1}"/></xacro:macro>
  <xacro:ball n="a" radius="${r * $(arg scale)}"/>
  <xacro:pair n="b" size="${r+d}"/><xacro:pair n="c" size="${d-r}"/>
</robot>
"""
    file.write_text(text, encoding="utf-8")
    model = load_model(file)

    def found_at(place: str) -> list[tuple[str, str]]:
        offset = text.index(place.replace("|", "")) + place.index("|")
        return [(each.name, each.text) for each in value_origins_at(model, offset)]

    assert found_at('radius="$|{r *') == [("scale", "1"), ("r", "0.1")]
    assert found_at("$(arg sc|ale)") == [("scale", "1")]
    assert found_at("${r+|d}") == [("d", "${2*r}")]
    assert found_at('size="|${d-r}') == [("d", "${2*r}"), ("r", "0.1")]
    # Two calls of the macro around it.
    assert found_at('radius="${si|ze/2}"') == [("size", "${r+d}"), ("size", "${d-r}")]
    assert found_at("${2*|r}") == [("r", "0.1")]
    assert found_at("weight:=${|d+1}") == [("d", "${2*r}")]
    for place in ('n="|a"', 'we|ight="2"', 'params="n rad|ius', "<xacro:ba|ll n", 'name="|r" value', '${|r-1}"'):
        assert found_at(place) == [], place


def test_the_origins_of_a_value_are_those_of_the_name_or_of_the_whole_value(tmp_path: Path) -> None:
    pytest.importorskip("xacro", reason="the extra xacro is not installed")
    file = tmp_path / "r.xacro"
    text = """<robot name="r" xmlns:xacro="http://www.ros.org/wiki/xacro">
  <xacro:property name="a" value="1"/><xacro:property name="b" value="2"/>
  <link name="l${a}${b}"/>
  <gazebo reference="l12"><kp>${b}</kp></gazebo>
  <link name="k"/><joint name="j" type="fixed"><parent link="l12"/><child link="k"/></joint>
</robot>
"""
    file.write_text(text, encoding="utf-8")
    model = load_model(file)

    def names_at(place: str) -> list[str]:
        offset = text.index(place.replace("|", "")) + place.index("|")
        return [each.name for each in value_origins_at(model, offset)]

    assert names_at('"l|${a}') == ["a", "b"]
    assert names_at("${|a}") == ["a"]
    assert names_at("${|b}</kp>") == ["b"]
    for place in ('"|k"', '<li|nk name="k"', 'link="l|12"', 'value="|1"', "|<robot", "</robot>|\n"):
        assert names_at(place) == [], place
