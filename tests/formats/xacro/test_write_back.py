"""A new value of an expansion goes where the value comes from, and nothing else of the files changes."""

from __future__ import annotations

import tempfile
from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sdfviewer.document.element import Element
from sdfviewer.files.paths import real_path
from sdfviewer.formats.load import Loader, load_model
from sdfviewer.formats.xacro.decisions import NamedFiles
from sdfviewer.formats.xacro.expansion import Expander, XacroExpansion
from sdfviewer.formats.xacro.write_back import (
    WriteBack,
    WriteBackError,
    WriteChoice,
    changed_words,
    describe_value,
    write_back,
)
from tests.formats.xacro.reference import expand_as_xacro

pytest.importorskip("xacro")

HEAD = 'xmlns:xacro="http://www.ros.org/wiki/xacro"'
YAML = "# sizes\nwheel:\n  radius: 0.125  # of the tyre\n  tilt: !degrees 90\n  name: 'front'\njoints: [1.5, 2.5]\n"


def expand(folder: Path, body: str, arguments: dict[str, str] | None = None, **files: str) -> XacroExpansion:
    for name, text in files.items():
        (folder / name.replace("_", ".", 1)).write_text(text, encoding="utf-8", newline="")
    file = folder / "robot.xacro"
    file.write_text(f'<robot name="r" {HEAD}>\n{body}\n</robot>\n', encoding="utf-8", newline="")
    expanded = load_model(file, arguments=arguments or {}).document_of(0)
    assert isinstance(expanded, XacroExpansion)
    return expanded


def place(expanded: XacroExpansion, tag: str, number: int = 0) -> Element:
    assert expanded.root is not None
    return [each for each in expanded.root.descendants() if each.tag == tag][number]


def plan(expanded: XacroExpansion, value: str, tag: str = "link", part: str = "@name", number: int = 0) -> WriteBack:
    return write_back(expanded, place(expanded, tag, number), part, value)


def labels(found: WriteBack) -> list[str]:
    return [each.label for each in found.choices]


def written(choice: WriteChoice) -> list[tuple[str, str]]:
    """Return the old and the new text of each change."""
    return [(change.before, change.text) for change in choice.changes]


def save(choice: WriteChoice, main: Path) -> None:
    """Write what a choice changes."""
    for each in {change.document.name: change.document for change in choice.changes}.values():
        assert each.path is not None
        after = each.spliced(choice.replacements_in(each))
        each.path.write_text(after, encoding="utf-8", newline="")


def as_package_expands(main: Path, tag: str, name: str, number: int = 0, **arguments: str) -> str:
    """Return an attribute of what the package xacro itself makes of a file."""
    text = expand_as_xacro(main, arguments, lambda _: None)
    assert not text.startswith("error"), text
    return [each for each in ElementTree.fromstring(text).iter() if each.tag == tag][number].attrib[name]


def test_a_literal_changes_at_its_place_and_only_the_number_that_differs(tmp_path: Path) -> None:
    expanded = expand(tmp_path, """<link name="l"><origin  xyz='0 0.50   1'  rpy="0 0 0"/></link>""")
    found = plan(expanded, "0 0.25 1.0", "origin", "@xyz")
    assert [(each.label, written(each)) for each in found.choices] == [("literal", [("0.50", "0.25")])]
    save(found.chosen(), tmp_path)
    text = (tmp_path / "robot.xacro").read_text(encoding="utf-8")
    assert """<origin  xyz='0 0.25   1'  rpy="0 0 0"/>""" in text


def test_a_property_is_solved_through_its_expressions(tmp_path: Path) -> None:
    expanded = expand(
        tmp_path,
        """<xacro:property name="base" value="0.4"/>
<xacro:property name="half" value="${base / 2}"/>
<link name="l"><sphere radius="${-half}"/><box size="${half} 1 ${base}"/></link>""",
    )
    found = plan(expanded, "-0.3", "sphere", "@radius")
    assert labels(found) == ["property base", "expression", "expression"]
    assert written(found.chosen()) == [("0.4", "0.6")]
    values = [describe_value(expanded, *each) for each in found.chosen().values]
    assert values == ["link l: sphere/radius", "link l: box/size"]
    assert written(found.choices[1]) == [("${base / 2}", "0.3")]
    assert written(found.choices[2]) == [("${-half}", "-0.3")]
    assert [describe_value(expanded, *each) for each in found.choices[2].values] == ["link l: sphere/radius"]


@pytest.mark.parametrize(
    ("expression", "wanted", "expected"),
    [
        ("${length/2}", "0.6", [("0.3", "1.2")]),
        ("${2*length + 1}", "2", [("0.3", "0.5")]),
        ("${radians(90)}", "1.2", [("90", "68.75493541569878")]),
        ("${3*cm2m}", "0.4", [("3", "40")]),
        ("${-90*pi/180}", "0", [("90", "0")]),
        ("$(eval 2 * length)", "6", [("2", "3")]),
        ("${sqrt(length)}", "2", [("0.3", "4")]),
        ("${length*length}", "2", None),
        ("${length if length else 1}", "2", None),
    ],
)
def test_an_expression_is_solved_where_that_is_exact(
    tmp_path: Path, expression: str, wanted: str, expected: list[tuple[str, str]] | None
) -> None:
    expanded = expand(
        tmp_path,
        f"""<xacro:property name="length" value="0.3"/><xacro:property name="cm2m" value="0.01"/>
<xacro:arg name="length" default="2"/><link name="l"><sphere radius="{expression}"/></link>""",
    )
    found = plan(expanded, wanted, "sphere", "@radius")
    if expected is None:
        assert [written(each) for each in found.choices] == [[(expression, wanted)]]
        return
    assert written(found.choices[0]) == expected
    save(found.choices[0], tmp_path)
    assert float(as_package_expands(tmp_path / "robot.xacro", "sphere", "radius")) == pytest.approx(float(wanted))


def test_a_sum_offers_its_terms(tmp_path: Path) -> None:
    expanded = expand(
        tmp_path,
        """<xacro:property name="a" value="1"/><xacro:property name="b" value="2"/>
<link name="l"><sphere radius="${a + b}"/></link>""",
    )
    found = plan(expanded, "10", "sphere", "@radius")
    assert labels(found) == ["property a", "property b", "expression"]
    with pytest.raises(WriteBackError, match=r"several places.*\n  property a \(robot.xacro:2\): 1 → 8\n  property b"):
        found.chosen()
    assert written(found.chosen(["property b"])) == [("2", "9")]
    assert written(found.chosen(["a"])) == [("1", "8")]
    assert written(found.chosen(["expression"])) == [("${a + b}", "10")]
    assert written(found.chosen(["c", "b"])) == [("2", "9")]


def test_a_parameter_changes_at_the_call_or_in_the_macro_for_all(tmp_path: Path) -> None:
    expanded = expand(
        tmp_path,
        """<xacro:macro name="wheel" params="side radius:=0.1">
  <link name="${side}_wheel"><sphere radius="${radius}"/></link>
</xacro:macro>
<xacro:wheel side="left"/><xacro:wheel side="right" radius="0.2"/><xacro:wheel side="rear"/>""",
    )
    given = plan(expanded, "0.5", "sphere", "@radius", 1)
    assert [(each.label, written(each)) for each in given.choices] == [
        ("parameter radius", [("0.2", "0.5")]),
        ("expression", [("${radius}", "0.5")]),
    ]
    assert len(given.choices[0].values) == 1
    assert len(given.choices[1].values) == 3
    default = plan(expanded, "0.5", "sphere", "@radius")
    assert [(each.label, written(each)) for each in default.choices] == [
        ("default radius", [("0.1", "0.5")]),
        ("call radius", [("", ' radius="0.5"')]),
        ("expression", [("${radius}", "0.5")]),
    ]
    assert [len(each.values) for each in default.choices] == [2, 1, 3]
    for choice, expected in zip(
        default.choices, (["0.5", "0.2", "0.5"], ["0.5", "0.2", "0.1"], ["0.5"] * 3), strict=True
    ):
        main = tmp_path / "robot.xacro"
        before = main.read_bytes()
        save(choice, tmp_path)
        assert [as_package_expands(main, "sphere", "radius", each) for each in range(3)] == expected
        main.write_bytes(before)


def test_an_argument_changes_by_its_default_unless_it_was_given(tmp_path: Path) -> None:
    body = """<xacro:arg name="size" default="2"/><link name="l"><sphere radius="$(arg size)"/></link>"""
    assert written(plan(expand(tmp_path, body), "3", "sphere", "@radius").chosen()) == [("2", "3")]
    given = plan(expand(tmp_path, body, {"size": "9"}), "3", "sphere", "@radius")
    assert labels(given) == ["expression"]
    assert given.refusals == ("the value of the argument 'size' is given with the evaluation: give another",)


@pytest.mark.parametrize(
    ("expression", "wanted", "expected"),
    [
        ("${p.wheel.radius}", "0.2", "radius: 0.2  # of the tyre"),
        ("${p['wheel']['radius'] * 2}", "0.5", "radius: 0.25  # of the tyre"),
        ("${p.wheel.get('radius')}", "1", "radius: 1  # of the tyre"),
        ("${p.joints[1]}", "7", "joints: [1.5, 7]"),
        ("${p.joints[-1]}", "7", "joints: [1.5, 7]"),
        ("${p.wheel.tilt}", "0", "tilt: !degrees 0"),
        ("${p.wheel.name}", "rear end", "name: 'rear end'"),
    ],
)
def test_a_value_of_a_yaml_file_changes_there(tmp_path: Path, expression: str, wanted: str, expected: str) -> None:
    expanded = expand(
        tmp_path,
        f"""<xacro:property name="p" value="${{xacro.load_yaml('p.yaml')}}"/>
<link name="l"><sphere radius="{expression}"/></link>""",
        p_yaml=YAML,
    )
    found = plan(expanded, wanted, "sphere", "@radius")
    choice = found.chosen()
    assert choice.changes[0].kind == "YAML key"
    save(choice, tmp_path)
    after = (tmp_path / "p.yaml").read_text(encoding="utf-8")
    assert expected in after
    assert sum(one != other for one, other in zip(YAML.splitlines(), after.splitlines(), strict=True)) == 1
    assert as_package_expands(tmp_path / "robot.xacro", "sphere", "radius") == wanted or float(wanted) == 0


def test_a_name_of_several_parts_changes_by_one_of_them(tmp_path: Path) -> None:
    expanded = expand(
        tmp_path,
        """<xacro:property name="prefix" value="left_"/><link name="${prefix}wheel"/><link name="${prefix}arm"/>""",
    )
    by_prefix = plan(expanded, "right_wheel")
    assert labels(by_prefix) == ["property prefix", "expression"]
    assert len(by_prefix.chosen().values) == 2
    assert written(by_prefix.choices[1]) == [("${prefix}wheel", "right_wheel")]
    by_word = plan(expanded, "left_tyre")
    assert [(each.label, written(each)) for each in by_word.choices] == [
        ("literal", [("wheel", "tyre")]),
        ("expression", [("${prefix}wheel", "left_tyre")]),
    ]


def test_several_numbers_go_to_several_places(tmp_path: Path) -> None:
    expanded = expand(
        tmp_path,
        """<xacro:property name="x" value="1"/><xacro:property name="v" value="4 5 6"/>
<link name="l"><origin xyz="${x} 2 ${x}"/><origin xyz="${v}"/></link>""",
    )
    found = plan(expanded, "3 9 1", "origin", "@xyz")
    assert (found.choices[0].label, written(found.choices[0])) == ("literal, property x", [("2", "9"), ("1", "3")])
    vector = plan(expanded, "4 7 8", "origin", "@xyz", 1)
    assert written(vector.chosen()) == [("5", "7"), ("6", "8")]


def test_one_place_cannot_have_two_values(tmp_path: Path) -> None:
    expanded = expand(
        tmp_path, """<xacro:property name="x" value="1"/><link name="l"><origin xyz="${x} 2 ${x}"/></link>"""
    )
    with pytest.raises(WriteBackError, match="different texts at one place"):
        plan(expanded, "3 2 4", "origin", "@xyz").chosen()
    assert written(plan(expanded, "3 2 4", "origin", "@xyz").chosen(["expression"])) == [("${x}", "3"), ("${x}", "4")]


def test_escapes_line_ends_and_quotes_stay(tmp_path: Path) -> None:
    body = "<xacro:property name='n' value='a &amp; b'/>\r\n<link\r\n\tname='${n}&#33;  ${n}'/><!-- &lt; -->"
    expanded = expand(tmp_path, body)
    found = plan(expanded, "a & b! a & c'")
    save(found.choices[-1], tmp_path)
    text = (tmp_path / "robot.xacro").read_bytes().decode()
    assert "value='a &amp; b'/>\r\n<link\r\n\tname='" in text
    assert as_package_expands(tmp_path / "robot.xacro", "link", "name").split() == ["a", "&", "b!", "a", "&", "c'"]


def test_texts_and_written_attributes_change_at_their_place(tmp_path: Path) -> None:
    expanded = expand(
        tmp_path,
        """<xacro:property name="z" value="3"/><gazebo reference="l"><kp>
  ${z}
</kp><kd> 7 </kd></gazebo><link><xacro:attribute name="name" value="k${z}"/></link>""",
    )
    assert written(plan(expanded, "5", "kp", "text").chosen()) == [("3", "5")]
    assert written(plan(expanded, "5", "kd", "text").chosen()) == [("7", "5")]
    assert written(plan(expanded, "k4").chosen()) == [("3", "4")]


def test_what_cannot_be_written_back_says_why(tmp_path: Path) -> None:
    expanded = expand(
        tmp_path, """<xacro:property name="xs" value="${[1, 2]}"/><link name="l"><sphere radius="${xs[0]}"/></link>"""
    )
    found = plan(expanded, "3", "sphere", "@radius")
    assert labels(found) == ["expression"]
    assert found.refusals == ("robot.xacro:2: ${xs[0]}: 'xs[0]' cannot be solved for a value",)
    with pytest.raises(WriteBackError, match="an expression is written in the source itself"):
        plan(expanded, "${a}", "sphere", "@radius")


def test_the_default_of_a_parameter_is_quoted_where_it_has_blanks(tmp_path: Path) -> None:
    expanded = expand(
        tmp_path,
        """<xacro:macro name="m" params="at:=0"><link name="l"><origin xyz="${at}"/></link></xacro:macro><xacro:m/>""",
    )
    found = plan(expanded, "1 2 3", "origin", "@xyz")
    assert written(found.chosen(["default at"])) == [("0", "'1 2 3'")]
    save(found.chosen(["default at"]), tmp_path)
    assert as_package_expands(tmp_path / "robot.xacro", "origin", "xyz") == "1 2 3"


def test_a_macro_that_calls_itself_names_all_that_changes(tmp_path: Path) -> None:
    expanded = expand(
        tmp_path,
        """<xacro:property name="d" value="0.5"/><xacro:macro name="chain" params="n">
<link name="l${n}"><origin xyz="${d} 0 0.25"/></link>
<xacro:if value="${n > 0}"><xacro:chain n="${n - 1}"/></xacro:if></xacro:macro><xacro:chain n="3"/>""",
    )
    assert len(plan(expanded, "0.7 0 0.25", "origin", "@xyz", 2).chosen().values) == 4
    assert len(plan(expanded, "0.5 0 0.1", "origin", "@xyz", 2).chosen().values) == 4


def test_an_unsaved_yaml_file_is_read(tmp_path: Path) -> None:
    expanded = expand(
        tmp_path,
        """<xacro:property name="p" value="${xacro.load_yaml('p.yaml')}"/><link name="${p.wheel.name}"/>""",
        p_yaml=YAML,
    )
    main = expanded.sources[0]
    choice = plan(expanded, "rear").chosen()
    ((before, after),) = choice.other_files(main)
    assert after.path is not None
    expander = Expander(permission=NamedFiles(None, ""))

    def name(instead: dict[Path, object]) -> str:
        model = Loader(instead=instead, expander=expander).load(main)  # type: ignore[arg-type]
        assert model is not None
        return model.elements[1].attributes["name"]

    assert [name({}), name({real_path(after.path): after}), name({})] == ["front", "rear", "front"]
    assert before.text == YAML


def moved_values(before: XacroExpansion, after: XacroExpansion) -> list[tuple[Element, str]]:
    """Return the values of an expansion that another one of the same elements has differently."""
    assert before.root is not None
    assert after.root is not None
    pairs = [*zip(before.root.descendants(), after.root.descendants(), strict=True)]
    assert all(one.tag == other.tag and one.attributes.keys() == other.attributes.keys() for one, other in pairs)
    found = [
        (one, f"@{name}")
        for one, other in pairs
        for name in one.attributes
        if changed_words(one.attributes[name], other.attributes[name])
    ]
    return found + [(one, "text") for one, other in pairs if changed_words(one.text, other.text)]


# --- generated files ---------------------------------------------------------------------------------------------

NUMBERS = st.sampled_from(["0", "0.5", "-1.25", "3", "1e-3", "0.1", "12.75"])
TERMS = st.sampled_from(
    [
        "${a}",
        "${b/2}",
        "${-a}",
        "${a + b}",
        "${2*b - 1}",
        "${radians(a)}",
        "${c}",
        "$(arg n)",
        "${y.k}",
        "${y.l[1]*3}",
        "7",
    ]
)


@settings(suppress_health_check=[HealthCheck.too_slow])
@given(
    values=st.tuples(NUMBERS, NUMBERS, NUMBERS, NUMBERS, NUMBERS),
    terms=st.tuples(TERMS, TERMS, TERMS),
    given_at_call=st.booleans(),
    wanted=NUMBERS,
    changed=st.integers(0, 2),
)
def test_every_choice_expands_to_the_wanted_value(
    values: tuple[str, ...], terms: tuple[str, ...], given_at_call: bool, wanted: str, changed: int
) -> None:
    a, b, p, n, k = values
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        call = f' p="{p}"' if given_at_call else ""
        expanded = expand(
            folder,
            f"""<xacro:arg name="n" default="{n}"/>
<xacro:property name="y" value="${{xacro.load_yaml('y.yaml')}}"/>
<xacro:property name="a" value="{a}"/><xacro:property name="b" value="${{a + 1}}"/>
<xacro:macro name="m" params="p:={b} q:=^|1"><xacro:property name="c" value="${{p * 2}}"/>
<link name="l"><origin xyz="{" ".join(terms)}"/></link></xacro:macro>
<xacro:m{call}/><xacro:m p="1"/>""",
            y_yaml=f"k: {k}\nl: [1, {n}] # two\n",
        )
        main = folder / "robot.xacro"
        before = {path: path.read_bytes() for path in folder.iterdir()}
        value = place(expanded, "origin").attributes["xyz"].split()
        value[changed] = wanted
        found = plan(expanded, " ".join(value), "origin", "@xyz")
        assert found.choices or not found.groups
        for choice in found.choices:
            save(choice, folder)
            result = as_package_expands(main, "origin", "xyz").split()
            assert float(result[changed]) == pytest.approx(float(wanted), rel=1e-11, abs=1e-11), choice.label
            if choice.is_exact:
                assert float(result[changed]) == float(wanted)
            after = load_model(main).document_of(0)
            assert isinstance(after, XacroExpansion)
            moved = moved_values(expanded, after)
            said = {(id(element), part) for element, part in choice.values}
            assert {(id(element), part) for element, part in moved} <= said
            for path, old in before.items():
                assert _without(old, choice, path, new=False) == _without(path.read_bytes(), choice, path, new=True)
                path.write_bytes(old)


def _without(data: bytes, choice: WriteChoice, path: Path, *, new: bool) -> list[str]:
    """Return the text around what a choice replaces, in the file before or after."""
    text, kept, at, shift = data.decode(), [], 0, 0
    changes = [each for each in choice.changes if Path(each.document.name).name == path.name]
    for each in sorted(changes, key=lambda change: change.start):
        kept.append(text[at : each.start + shift])
        at = each.start + shift + (len(each.text) if new else each.end - each.start)
        shift += len(each.text) - (each.end - each.start) if new else 0
    return [*kept, text[at:]]
