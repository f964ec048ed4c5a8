"""Every value of an expansion knows what it was computed with, down to the literals in the files."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from sdfviewer.formats.expansion import expansion_in
from sdfviewer.formats.load import load_model
from sdfviewer.formats.xacro.expansion import XacroExpansion
from sdfviewer.formats.xacro.value_origins import ValueOrigin, ends_of
from sdfviewer.model.model import Model

pytest.importorskip("xacro")

HEAD = 'xmlns:xacro="http://www.ros.org/wiki/xacro"'


def expand(folder: Path, body: str, arguments: Mapping[str, str] | None = None, **files: str) -> XacroExpansion:
    for name, text in files.items():
        (folder / name.replace("_", ".", 1)).write_text(text, encoding="utf-8")
    file = folder / "robot.xacro"
    file.write_text(f'<robot name="r" {HEAD}>\n{body}\n</robot>\n', encoding="utf-8")
    expanded = expansion_of(load_model(file, arguments=arguments or {}))
    assert expanded is not None
    return expanded


def expansion_of(model: Model) -> XacroExpansion | None:
    found = expansion_in([model.document_of(0)])
    return found if isinstance(found, XacroExpansion) else None


def origins(expanded: XacroExpansion, tag: str, part: str, number: int = 0) -> tuple[ValueOrigin, ...]:
    assert expanded.root is not None
    element = [each for each in expanded.root.descendants() if each.tag == tag][number]
    return expanded.value_origins(element, part)


def described(found: tuple[ValueOrigin, ...]) -> list[tuple[str, str, str, int]]:
    """Return kind, name, text and line of origins."""
    return [(each.kind, each.name, each.text, each.span.line if each.span else 0) for each in found]


def test_a_property_leads_to_its_definition_and_on_to_the_literal(tmp_path: Path) -> None:
    expanded = expand(
        tmp_path,
        """<xacro:property name="base" value="0.4"/>
<xacro:property name="half" value="${base / 2}"/>
<link name="l"><visual><geometry><sphere radius="${half}"/></geometry></visual></link>""",
    )
    found = origins(expanded, "sphere", "@radius")
    assert described(found) == [("property", "half", "${base / 2}", 3)]
    assert described(found[0].origins) == [("property", "base", "0.4", 2)]
    assert described(ends_of(found)) == [("property", "base", "0.4", 2)]
    assert found[0].origins[0].origins == ()


def test_a_lazy_property_is_followed_each_time_that_it_is_read(tmp_path: Path) -> None:
    expanded = expand(
        tmp_path,
        """<xacro:property name="a" value="1"/><xacro:property name="b" value="${a}"/>
<link name="${b}"/><link name="x${b}"/>""",
    )
    for number in (0, 1):
        assert described(ends_of(origins(expanded, "link", "@name", number))) == [("property", "a", "1", 2)]


def test_a_literal_has_no_origin(tmp_path: Path) -> None:
    expanded = expand(tmp_path, """<link name="l"/><link name="${1 + 1}"/><link name="$${no}"/>""")
    assert [origins(expanded, "link", "@name", number) for number in range(3)] == [(), (), ()]


def test_an_expression_of_several_names_lists_each_once(tmp_path: Path) -> None:
    expanded = expand(
        tmp_path,
        """<xacro:property name="a" value="1"/><xacro:property name="b" value="2"/>
<link name="l${a + b + a}_${b}"/>""",
    )
    assert [each.name for each in origins(expanded, "link", "@name")] == ["a", "b"]


def test_a_parameter_leads_to_the_call_and_to_what_is_read_there(tmp_path: Path) -> None:
    expanded = expand(
        tmp_path,
        """<xacro:macro name="wheel" params="side radius:=0.1 width:=${w}">
  <link name="${side}_wheel"><visual>
    <geometry><cylinder radius="${radius}" length="${width}"/></geometry></visual></link>
</xacro:macro>
<xacro:property name="w" value="0.05"/>
<xacro:property name="big" value="0.3"/>
<xacro:wheel side="left"/>
<xacro:wheel side="right" radius="${big}"/>""",
    )
    assert described(origins(expanded, "link", "@name")) == [("parameter", "side", "left", 8)]
    assert described(origins(expanded, "link", "@name", 1)) == [("parameter", "side", "right", 9)]
    default = origins(expanded, "cylinder", "@radius")
    assert described(default) == [("default", "radius", "0.1", 2)]
    assert default[0].origins == ()
    assert described(ends_of(origins(expanded, "cylinder", "@length"))) == [("property", "w", "0.05", 6)]
    given = origins(expanded, "cylinder", "@radius", 1)
    assert described(given) == [("parameter", "radius", "${big}", 9)]
    assert described(ends_of(given)) == [("property", "big", "0.3", 7)]


def test_a_parameter_that_forwards_a_property_of_the_caller_leads_there(tmp_path: Path) -> None:
    expanded = expand(
        tmp_path,
        """<xacro:macro name="m" params="r:=^ s:=^|7"><link name="${r}_${s}"/></xacro:macro>
<xacro:property name="r" value="5"/>
<xacro:m/>""",
    )
    forwarded, fallback = origins(expanded, "link", "@name")
    assert described(forwarded.origins) == [("property", "r", "5", 3)]
    assert described((fallback,)) == [("default", "s", "7", 2)]
    assert fallback.origins == ()


def test_the_default_of_a_parameter_is_found_among_the_others(tmp_path: Path) -> None:
    expanded = expand(
        tmp_path,
        """<xacro:macro name="m" params="*block prefix a:='x y' b=${1 +
 1}   ab := 3 c:=^|$(arg n) d:=">
<link name="${a}_${b}_${ab}_${c}"/></xacro:macro><xacro:arg name="n" default="q"/>
<xacro:m prefix="p" d=""><origin/></xacro:m>""",
    )
    assert [each.text for each in origins(expanded, "link", "@name")] == ["'x y'", "${1 +\n 1}", "3", "$(arg n)"]


def test_a_value_that_is_handed_through_macros_is_followed_to_the_first_call(tmp_path: Path) -> None:
    expanded = expand(
        tmp_path,
        """<xacro:macro name="inner" params="n"><link name="i${n}"/></xacro:macro>
<xacro:macro name="outer" params="n"><xacro:inner n="${n}"/></xacro:macro>
<xacro:outer n="4"/>
<xacro:outer n="6"/>""",
    )
    assert described(ends_of(origins(expanded, "link", "@name"))) == [("parameter", "n", "4", 4)]
    assert described(ends_of(origins(expanded, "link", "@name", 1))) == [("parameter", "n", "6", 5)]


def test_a_recursive_macro_leads_to_where_it_began(tmp_path: Path) -> None:
    expanded = expand(
        tmp_path,
        """<xacro:macro name="chain" params="n">
<link name="l${n}"/><xacro:if value="${n > 0}"><xacro:chain n="${n - 1}"/></xacro:if></xacro:macro>
<xacro:chain n="40"/>""",
    )
    assert described(ends_of(origins(expanded, "link", "@name", 40))) == [("parameter", "n", "40", 4)]


def test_an_argument_leads_to_its_default_or_was_given(tmp_path: Path) -> None:
    body = """<xacro:property name="d" value="2"/>
<xacro:arg name="size" default="${d}"/>
<link name="a$(arg size)"/><link name="${xacro.arg('size')}"/><link name="$(eval size + 1)"/>"""
    expanded = expand(tmp_path, body)
    for number in range(3):
        found = origins(expanded, "link", "@name", number)
        assert described(found) == [("argument", "size", "${d}", 3)]
        assert described(ends_of(found)) == [("property", "d", "2", 2)]
    given = origins(expand(tmp_path, body, {"size": "9"}), "link", "@name")
    assert described(given) == [("given argument", "size", "${d}", 3)]
    assert given[0].origins == ()


def test_an_argument_that_nobody_declares_is_in_no_file(tmp_path: Path) -> None:
    found = origins(expand(tmp_path, '<link name="$(arg size)"/>', {"size": "9"}), "link", "@name")
    assert described(found) == [("given argument", "size", "", 0)]


def test_a_value_of_a_yaml_file_leads_to_its_key(tmp_path: Path) -> None:
    expanded = expand(
        tmp_path,
        """<xacro:property name="p" value="${xacro.load_yaml('props.yaml')}"/>
<xacro:macro name="m" params="wheel"><link name="m${wheel.radius}"/></xacro:macro>
<link name="${p.wheel.radius}"/><link name="${p['wheel']['radius']}"/><link name="${p.wheel.get('radius')}"/>
<xacro:m wheel="${p.wheel}"/>
<link name="${p.joints[1:][-1]}"/><link name="${p.angle}"/>
<link name="${xacro.load_yaml('props.yaml').wheel.radius}"/>""",
        props_yaml='wheel:\n  radius: 0.125\njoints: [a, "b c"]\nangle: !degrees 90\n',
    )
    radius = ("YAML key", "wheel.radius", "0.125", 2)
    for number in range(4):
        found = origins(expanded, "link", "@name", number)
        assert radius in described(ends_of(found)), number
    assert described(origins(expanded, "link", "@name"))[1:] == [radius]
    (whole,) = origins(expanded, "link", "@name")[0].origins
    assert (whole.kind, whole.name) == ("YAML key", "")
    assert whole.span is not None
    assert whole.span.path == str((tmp_path / "props.yaml").resolve())
    assert ("YAML key", "joints.1", '"b c"', 3) in described(origins(expanded, "link", "@name", 4))
    assert ("YAML key", "angle", "!degrees 90", 4) in described(origins(expanded, "link", "@name", 5))
    assert radius in described(origins(expanded, "link", "@name", 6))


def test_a_yaml_list_that_is_changed_no_longer_says_where_its_values_are(tmp_path: Path) -> None:
    expanded = expand(
        tmp_path,
        """<xacro:property name="p" value="${xacro.load_yaml('p.yaml')}"/>
<link name="${p.names.pop(0)}"/><link name="${p.names[0]}"/>""",
        p_yaml="names: [a, b]\n",
    )
    assert [(each.kind, each.name) for each in origins(expanded, "link", "@name", 1)] == [("property", "p")]


def test_a_value_in_a_list_keeps_the_origin_of_the_list(tmp_path: Path) -> None:
    expanded = expand(
        tmp_path,
        """<xacro:property name="xs" value="${[1, 2]}"/>
<link name="${xs[0]}"/><link name="${[x * 2 for x in xs][1]}"/>""",
    )
    for number in (0, 1):
        assert described(origins(expanded, "link", "@name", number)) == [("property", "xs", "${[1, 2]}", 2)]


def test_texts_blocks_and_written_attributes_have_origins(tmp_path: Path) -> None:
    expanded = expand(
        tmp_path,
        """<xacro:property name="z" value="3"/>
<xacro:macro name="m" params="*pose"><link name="l"><visual>
<xacro:insert_block name="pose"/></visual></link></xacro:macro>
<xacro:m><origin xyz="0 0 ${z}"/></xacro:m>
<gazebo reference="l"><kp>
  ${z}</kp></gazebo>
<link><xacro:attribute name="name" value="k${z}"/></link>""",
    )
    for tag, part, number in (("origin", "@xyz", 0), ("kp", "text", 0), ("link", "@name", 1)):
        assert described(origins(expanded, tag, part, number)) == [("property", "z", "3", 2)], tag


def test_origins_lead_into_included_files(tmp_path: Path) -> None:
    expanded = expand(
        tmp_path,
        """<xacro:include filename="sizes.xacro" ns="sizes"/>
<link name="${sizes.r}"/>""",
        sizes_xacro=f'<robot {HEAD}>\n\n<xacro:property name="r" value="8"/></robot>',
    )
    (found,) = origins(expanded, "link", "@name")
    assert (found.name, found.text) == ("r", "8")
    assert found.span is not None
    assert (Path(found.span.path).name, found.span.line) == ("sizes.xacro", 3)


def test_a_property_that_is_set_again_leads_to_the_place_that_counted(tmp_path: Path) -> None:
    expanded = expand(
        tmp_path,
        """<xacro:property name="a" value="1"/>
<link name="${a}"/>
<xacro:property name="a" value="2"/>
<xacro:macro name="m" params=""><xacro:property name="a" value="${a + 1}" scope="global"/></xacro:macro>
<link name="${a}"/>
<xacro:m/>
<link name="${a}"/>""",
    )
    assert described(origins(expanded, "link", "@name", 0)) == [("property", "a", "1", 2)]
    assert described(origins(expanded, "link", "@name", 1)) == [("property", "a", "2", 4)]
    (found,) = origins(expanded, "link", "@name", 2)
    assert described((found, *found.origins)) == [("property", "a", "${a + 1}", 5), ("property", "a", "2", 4)]


def test_an_element_of_a_source_knows_all_that_is_written_of_it(tmp_path: Path) -> None:
    expanded = expand(
        tmp_path,
        """<xacro:macro name="m" params="n"><link name="${n}"/></xacro:macro>
<xacro:m n="a"/><xacro:m n="b"/>""",
    )
    root = expanded.sources[0].root
    assert root is not None
    (link,) = [each for each in root.descendants() if each.tag == "link"]
    assert [each.attributes["name"] for each in expanded.written_by(link)] == ["a", "b"]
