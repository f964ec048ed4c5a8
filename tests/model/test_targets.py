"""Which frames a reference may name: one answer, with the reason, for everything that asks."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import sdfviewer
from sdfviewer.document.document import parse_document
from sdfviewer.formats.load import Loader
from sdfviewer.language.completion import complete, open_elements
from sdfviewer.model.graph import ROOT
from sdfviewer.model.kinds import Kind
from sdfviewer.model.model import Model
from sdfviewer.model.references import find_references
from sdfviewer.model.targets import Attribute, ReferenceTargets, common_targets
from sdfviewer.refactoring.adding import insert_member
from sdfviewer.refactoring.editable import RefactoringError
from sdfviewer.refactoring.pose_writing import refusal, set_attached_to, set_relative_to
from sdfviewer.refactoring.removal import find_dependents

CYCLE = """<sdf version="1.11"><model name="m">
  <link name="a"/><link name="b"/>
  <frame name="f"><pose relative_to="g"/></frame>
  <frame name="g"/>
  <frame name="held" attached_to="a"/>
  <joint name="j" type="revolute"><parent>a</parent><child>b</child><axis><xyz>0 0 1</xyz></axis></joint>
  <joint name="k" type="fixed"><parent>b</parent><child>c</child></joint>
  <frame name="rides" attached_to="j"/>
  <frame name="by_j" attached_to="c"><pose relative_to="j"/></frame>
  <model name="inner"><link name="l"/><frame name="tip"/></model>
  <link name="c"/>
</model></sdf>"""


def load(text: str) -> Model:
    model = Loader().load(parse_document(text))
    assert model is not None
    return model


@pytest.fixture
def model() -> Model:
    return load(CYCLE)


@pytest.mark.parametrize(
    ("row", "attribute", "name", "reason"),
    [
        ("m::g", "relative_to", "f", "it would close a cycle: m::g → m::f → m::g"),
        ("m::g", "relative_to", "g", "it would close a cycle: m::g → m::g"),
        ("m::g", "relative_to", "a", None),
        ("m::g", "relative_to", "__model__", None),
        ("m::g", "relative_to", "inner::tip", None),
        ("m::g", "relative_to", "tip", "'tip' is not a frame in this scope"),
        ("m::g", "relative_to", "world", "'world' is not a frame in this scope"),
        ("m::inner::tip", "relative_to", "a", "'m::a' is outside 'm::inner'"),
        ("m", "relative_to", "a", "the model is the root"),
        ("m::g", "attached_to", "f", "its pose is relative to attached_to by default: it would close a cycle"),
        ("m::a", "attached_to", "b", "only a <frame> has"),
        ("m::j", "expressed_in", "j", None),
        ("m::j", "parent", "world", None),
        ("m::j", "parent", "b", "it is already the child"),
        ("m::j", "parent", "rides", "it moves with this joint, so it cannot be its parent"),
        ("m::j", "child", "rides", "it moves with this joint, so it cannot be its child"),
        ("m::j", "child", "held", "it belongs to the same body as the parent: m::a"),
        ("m::j", "child", "by_j", "its pose is relative to child by default: it would close a cycle"),
        ("m::j", "child", "world", "not a frame in this scope"),
        ("m::j", "child", "c", None),
        ("m::j", "mimic", "a", "'a' is a link, not a joint"),
        ("m::j", "mimic", "j", "it is this joint itself"),
        ("m::j", "mimic", "k", "it has no axis to mimic"),
        ("m::j", "gearbox_reference_body", "held", "'held' is a frame, not a link"),
        ("m", "canonical_link", "inner::l", None),
        ("m", "canonical_link", "held", "'held' is a frame, not a link"),
        ("m::inner", "placement_frame", "tip", None),
        ("m::inner", "placement_frame", "a", "is not a frame in this scope"),
    ],
)
def test_a_name_is_allowed_or_has_its_reason(
    model: Model, row: str, attribute: Attribute, name: str, reason: str | None
) -> None:
    found = ReferenceTargets(model, model.row(row), attribute).named(name)
    assert found.reason is None if reason is None else reason in (found.reason or "")


def test_the_reason_of_a_name_is_that_in_the_list(model: Model) -> None:
    asked: list[tuple[int, Attribute]] = []
    for row, kind in enumerate(model.kinds):
        if row and kind.is_vertex:
            asked.append((row, "relative_to"))
        if kind is Kind.FRAME:
            asked.append((row, "attached_to"))
        if kind is Kind.JOINT:
            asked += [(row, "parent"), (row, "child"), (row, "mimic"), (row, "expressed_in")]
        if kind is Kind.MODEL:
            asked += [(row, "canonical_link"), (row, "placement_frame")]
    for row, attribute in asked:
        targets = ReferenceTargets(model, row, attribute)
        for target in targets:
            assert targets.named(target.name) == target
            assert targets.refusal(target.row) == target.reason or target.row == ROOT


def test_nothing_mimics_what_mimics_it() -> None:
    def joint(name: str, child: str, mimic: str = "") -> str:
        axis = f"<axis><xyz>0 0 1</xyz>{mimic}</axis>"
        return f'<joint name="{name}" type="revolute"><parent>a</parent><child>{child}</child>{axis}</joint>'

    follow = "<mimic joint='{}'><multiplier>1</multiplier><offset>0</offset><reference>0</reference></mimic>"
    body = joint("p", "b") + joint("q", "c", follow.format("p")) + joint("r", "d", follow.format("q"))
    links = "".join(f'<link name="{name}"/>' for name in "abcd")
    model = load(f'<sdf version="1.11"><model name="m">{links}{body}</model></sdf>')
    reasons = {target.name: target.reason for target in ReferenceTargets(model, model.row("m::p"), "mimic")}
    assert reasons == {"p": "it is this joint itself", "q": "it mimics this joint", "r": "it mimics this joint"}


def test_a_pose_cannot_name_a_frame_before_the_version_that_has_words_for_it() -> None:
    model = load('<sdf version="1.4"><model name="m"><link name="a"/><link name="b"/></model></sdf>')
    targets = ReferenceTargets(model, model.row("m::a"), "relative_to")
    assert "a pose in SDFormat 1.4 cannot name its frame" in (targets.named("b").reason or "")
    assert targets.named(None).reason is None, "to write nothing is always possible"


def test_an_element_with_an_empty_name_cannot_be_named() -> None:
    model = load(
        '<sdf version="1.9"><model name="m"><link name="">'
        '<pose>1 0 0 0 0 0</pose><visual name="v"/></link></model></sdf>'
    )
    visual = model.kinds.index(Kind.VISUAL)
    targets = ReferenceTargets(model, visual, "relative_to")
    assert [target.name for target in targets] == ["__model__"]
    assert targets.named("").row < 0
    with pytest.raises(RefactoringError):
        set_relative_to(model, visual, "")


def test_in_urdf_the_ends_of_a_joint_are_links() -> None:
    text = "<robot name='r'><link name='a'/><link name='b'/><link name='c'/>{}</robot>"
    joint = "<joint name='j{0}' type='fixed'><parent link='{1}'/><child link='{2}'/></joint>"
    model = load(text.format(joint.format(1, "a", "b") + joint.format(2, "b", "c")))
    names = [target.name for target in ReferenceTargets(model, model.row("r::j2"), "parent")]
    assert names == ["a", "b", "c"]


def test_several_rows_name_what_none_of_them_refuses(model: Model) -> None:
    reasons = {target.name: target.reason for target in common_targets(model, [model.row("m::g"), model.row("m::a")])}
    assert "g" not in reasons
    assert "a" not in reasons
    assert reasons["b"] is None
    assert "m::g → m::f → m::g" in (reasons["f"] or "")
    assert "m::a → m::held → m::a" in (reasons["held"] or "")


def completed(model: Model, text: str) -> set[str]:
    return set(complete(text, model, lambda at: open_elements(text[:at])).choices)


def test_all_that_ask_get_one_answer(model: Model) -> None:
    """Completion, editor, graph and library offer and refuse the same, wherever a frame is named."""
    head = '<sdf version="1.11"><model name="m">'
    document = sdfviewer.open_document(CYCLE)
    for row, kind in enumerate(model.kinds):
        if row == 0 or kind not in (Kind.FRAME, Kind.LINK, Kind.JOINT):
            continue
        attributes: tuple[Attribute, ...] = ("relative_to", "attached_to") if kind is Kind.FRAME else ("relative_to",)
        for attribute in attributes:
            path = model.names[row].split("::")[1:]
            inside = "".join(f'<model name="{name}">' for name in path[:-1])
            opened = f'{head}{inside}<{kind} name="{path[-1]}"'
            opened += ' attached_to="' if attribute == "attached_to" else '><pose relative_to="'
            offered = completed(model, opened)
            targets = list(ReferenceTargets(model, row, attribute))
            assert offered == {target.name for target in targets if target.reason is None}
            change = set_attached_to if attribute == "attached_to" else set_relative_to
            for target in targets:
                assert refusal(model, row, target.name, attribute) == target.reason
                edit_name = model.names[row].removeprefix("m::")
                if target.reason is None:
                    change(model, row, target.name, "numbers")
                    with document.preview() as edit:
                        getattr(edit, f"set_{attribute}")(edit_name, target.name, keep="numbers")
                else:
                    with pytest.raises(RefactoringError):
                        change(model, row, target.name, "numbers")
                    with pytest.raises(sdfviewer.EditError), document.preview() as edit:
                        getattr(edit, f"set_{attribute}")(edit_name, target.name, keep="numbers")


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"attached_to": "nobody"}, "attached_to 'nobody': 'nobody' is not a frame in this scope"),
        ({"attached_to": "helt"}, "did you mean 'held'"),
        ({"relative_to": "tip"}, "relative_to 'tip'"),
    ],
)
def test_a_new_element_names_only_what_is_there(model: Model, fields: dict[str, str], reason: str) -> None:
    with pytest.raises(RefactoringError, match=reason):
        insert_member(model, 0, "frame", "new", **fields)


def test_a_new_joint_does_not_join_a_body_with_itself(model: Model) -> None:
    with pytest.raises(RefactoringError, match="same body"):
        insert_member(model, 0, "joint", "new", type="fixed", parent="a", child="held")


def test_only_this_module_decides_what_may_be_named() -> None:
    """The raw lookups of a scope are asked here only: whoever offers or refuses a name asks `ReferenceTargets`."""
    package = Path(sdfviewer.__file__).parent
    texts = {path.relative_to(package).as_posix(): path.read_text(encoding="utf-8") for path in package.rglob("*.py")}
    asking = {name for name, text in texts.items() if "names_in_scope(" in text or "row_in_scope(" in text}
    assert asking == {"model/model.py", "model/targets.py"}
    lookup = re.compile(r"rows_by_name(\.get\(|\[)\s*(\w+\.)*(member_prefix\(|prefix \+)")
    by_hand = {name for name, text in texts.items() if lookup.search(text)}
    assert by_hand == {"model/model.py"}, "what a path means in a model is what `Model.find` says"


FLATTENED = """<sdf version="1.7"><world name="w"><model name="m">
  <link name="a"/>
  <frame name="n::__model__" attached_to="n::b"><pose relative_to="a"/></frame>
  <link name="n::b"/><link name="n::c"><pose relative_to="n::b"/></link>
  <joint name="n::j" type="fixed"><parent>n::b</parent><child>n::c</child></joint>
  <frame name="n::o::__model__" attached_to="n::o::d"/><link name="n::o::d"/>
</model></world></sdf>"""


def test_what_an_older_tool_has_flattened_is_named_as_the_file_names_it() -> None:
    model = load(FLATTENED)
    link = model.row("m::n::c")
    names = {target.name: target.row for target in ReferenceTargets(model, link, "relative_to")}
    assert list(names) == ["n::__model__", "n::b", "n::c", "n::j", "n::o", "n::o::d"]
    targets = ReferenceTargets(model, link, "relative_to")
    for name, row in names.items():
        assert targets.named(name).row == row
        assert targets.name_of(row) == name
    assert targets.named("b").row == names["n::b"], "libsdformat finds what is written without the prefix, too"
    edit = set_relative_to(model, link, "n::o", "numbers")
    assert '<pose relative_to="n::o"/>' in model.document.edited(edit.replacements).text
    carrier = ReferenceTargets(model, model.row("m::n"), "attached_to")
    assert [target.name for target in carrier] == ["n::b", "n::c", "n::o::d"], "the canonical link of the model"


def test_references_to_what_an_older_tool_has_flattened_are_followed() -> None:
    model = load(FLATTENED)
    named = {reference.name: reference.steps(model) for reference in find_references(model)}
    n, o = model.row("m::n"), model.row("m::n::o")
    assert named["n::b"] == [n, model.row("m::n::b")]
    assert named["n::o::d"] == [n, o, model.row("m::n::o::d")]
    assert named["a"] == [model.row("m::a")]
    joint = model.row("m::n::j")
    assert [each.row for each in find_dependents(model, [model.row("m::n::b")])] == [model.row("m::n::c"), joint]
