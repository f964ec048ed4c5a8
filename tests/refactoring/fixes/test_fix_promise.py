"""Every quick fix removes its problem, adds no other, and moves no frame that it does not name."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sdfviewer.diagnostics import Diagnostic, Fix
from sdfviewer.document.document import Document, parse_document
from sdfviewer.files.opening import open_document
from sdfviewer.formats.load import Loader
from sdfviewer.model.kinematics.forward import Kinematics
from sdfviewer.model.model import Model
from sdfviewer.refactoring.fix_offers import offer_fixes
from tests.corpus import corpus_files, some_or_all

TESTS = Path(__file__).parents[2]
#: Of a file with many problems so many are looked at.
MOST_PROBLEMS = 6


def load(document: Document, instead: dict[Path, Document] | None = None) -> tuple[Model | None, Counter[str]]:
    model, problems = Loader(instead=instead or {}, offer_fixes=offer_fixes).load_with_diagnostics(document)
    return model, Counter(problem.rule.name for problem in problems)


def assert_promise(
    document: Document, model: Model | None, before: Counter[str], problem: Diagnostic, fix: Fix
) -> None:
    """Assert by loading the fixed file that a fix does what every fix promises."""
    if fix.path == document.name:
        after, count = load(document.edited(fix.replacements))
    else:
        included = open_document(fix.path)
        after, count = load(document, {Path(fix.path).resolve(): included.edited(fix.replacements)})
    assert count[problem.rule.name] < before[problem.rule.name], fix.label
    assert not count - before, fix.label
    if model is None or after is None:
        return
    same = model.names == after.names
    for row, name in enumerate(model.names):
        is_named = any(name == frame or name.startswith(f"{frame}::") for frame in (fix.frame, *fix.moves) if frame)
        if not is_named and np.isfinite(model.X_RootF[row]).all() and model.names.count(name) == 1:
            there = row if same or len(model) == len(after) else after.row(name)  # else it is renamed
            np.testing.assert_allclose(
                after.X_RootF[there], model.X_RootF[row], atol=1e-9, err_msg=f"{fix.label}: {name}"
            )


def check_file(document: Document) -> None:
    model, problems = Loader(offer_fixes=offer_fixes).load_with_diagnostics(document)
    before = Counter(problem.rule.name for problem in problems)
    fixable = [problem for problem in problems if problem.may_have_fixes and problem.rule.number // 10 != 10]
    for problem in fixable[:MOST_PROBLEMS]:
        for fix in problem.fixes:
            assert_promise(document, model, before, problem, fix)


@pytest.mark.parametrize("path", sorted(TESTS.glob("rules/*/bad.sdf")), ids=lambda path: path.parent.name)
def test_fixes_of_each_rule(path: Path) -> None:
    check_file(open_document(path))


@some_or_all
@pytest.mark.corpus
def test_fixes_of_every_file_of_the_corpus(every: int) -> None:
    """Those of each rule are tried above."""
    for path in [path for path in corpus_files(".sdf", ".world") if "rules" not in path.parts][::every]:
        check_file(open_document(path))


NAMES = ("a", "b", "c", "ab", "n", "world", "__model__", "n::a", "m::a", "")
VERSIONS = ("1.4", "1.5", "1.6", "1.7", "1.8", "1.11")


@st.composite
def faulty_files(draw: st.DrawFn) -> str:
    """Return a file in which any name may be named anywhere, the wrong ones too.

    In a world of an old version ``n::a`` is also a name of a member: that of a model that was flattened.
    """
    version = draw(st.sampled_from(VERSIONS))
    in_world = draw(st.booleans())
    flattened = ("n::a", "q::b") if in_world else ()
    number = st.sampled_from(("0", "1", "-2", "0.5"))

    def pose() -> str:
        target = draw(st.sampled_from((None, *NAMES)))
        attribute = "frame" if VERSIONS.index(version) < VERSIONS.index("1.7") else "relative_to"
        named = "" if target is None else f' {attribute}="{target}"'
        return f"<pose{named}>{' '.join(draw(number) for _ in range(6))}</pose>" if draw(st.booleans()) else ""

    parts = ["<model name='n'><link name='a'/><link name='b'/></model>" if version != "1.4" else ""]
    for name in draw(st.lists(st.sampled_from(("a", "b", "c", "ab", *flattened)), min_size=1, max_size=4)):
        parts.append(f'<link name="{name}">{pose()}</link>')
    for name in draw(st.lists(st.sampled_from(("c", "f", "g", *flattened)), max_size=2)):
        parts.append(f'<frame name="{name}" attached_to="{draw(st.sampled_from(NAMES))}">{pose()}</frame>')
    for name in draw(st.lists(st.sampled_from(("j", "k", "a", *flattened)), max_size=2)):
        parent, child = draw(st.sampled_from(NAMES[:-1])), draw(st.sampled_from(NAMES[:-1]))
        parts.append(
            f'<joint name="{name}" type="revolute">{pose()}<parent>{parent}</parent><child>{child}</child>'
            f"<axis><xyz>0 {draw(number)} 1</xyz><limit><lower>{draw(number)}</lower><upper>{draw(number)}</upper>"
            "</limit></axis></joint>"
        )
    gap = draw(st.sampled_from(("", "\n  ")))  # an element alone on its line is removed with the line
    model = f'<model name="m">{pose()}{gap}{gap.join(parts)}{gap}</model>'
    content = f'<world name="w">{model}</world>' if in_world else model
    return f'<sdf version="{version}">{content}</sdf>'


@given(faulty_files())
def test_fixes_of_generated_faults(text: str) -> None:
    check_file(parse_document(text))


def test_the_joint_of_a_flattened_model_is_not_moved_into_the_element_it_is_in() -> None:
    text = """<sdf version="1.5"><world name="w"><model name="m">
      <link name="link"/>
      <joint name="a::b" type="fixed"><parent>world</parent><child>link</child></joint>
    </model></world></sdf>"""
    for rule in ("model-without-link", "joint-child-invalid"):
        (problem,) = problems(text, rule)
        assert not any("move joint" in fix.label for fix in problem.fixes)
    check_file(parse_document(text))


LEGACY = """<sdf version="{version}"><model name="m"><pose>0 0 2 0 0 0.3</pose>
<link name="link"><pose>1 0 0 0 0 0.5</pose></link>
<joint name="j" type="revolute"><pose>0 0 1 0 0 0</pose><parent>link</parent><child>world</child>
<axis><xyz>0 1 0</xyz><limit><lower>-1</lower><upper>2</upper></limit></axis></joint></model></sdf>"""


@pytest.mark.parametrize("version", ["1.4", "1.6", "1.11"])
def test_a_joint_whose_child_is_the_world_keeps_place_and_direction(version: str) -> None:
    document = parse_document(LEGACY.format(version=version))
    before = Loader(offer_fixes=offer_fixes).load(document)
    assert before is not None
    (problem,) = (problem for problem in before.diagnostics if problem.rule.name == "joint-child-invalid")
    fix = problem.fixes[0]
    assert fix.label == "Make the world the parent and 'link' the child of 'j' and reverse its axis"
    after = Loader(offer_fixes=offer_fixes).load(document.edited(fix.replacements))
    assert after is not None
    joint = after.row("m::j")
    X_WM = before.raw_poses[0]
    np.testing.assert_allclose(X_WM @ after.X_RootF[joint], before.raw_poses[joint], atol=1e-9)  # X_WJ as written
    # The world turned about 0 1 0 seen from the link: the link turns about 0 -1 0 seen from the world.
    R_RootJ = after.X_RootF[joint, :3, :3]
    axis = R_RootJ @ after.joints[0].axes[0].xyz
    expected = np.array([0.0, -1.0, 0.0])
    if version != "1.4":  # where the axis is written in the joint frame, which has the orientation of the world
        expected = X_WM[:3, :3].T @ expected
    np.testing.assert_allclose(axis, expected, atol=1e-9)
    kinematics = Kinematics(after)
    assert [(dof.lower, dof.upper) for dof in kinematics.dofs] == [(-1, 2)]


def problems(text: str, rule: str) -> list[Diagnostic]:
    found = Loader(offer_fixes=offer_fixes).load_with_diagnostics(parse_document(text))[1]
    return [problem for problem in found if problem.rule.name == rule]


def test_the_other_end_of_a_joint_is_neither_suggested_nor_replaced_by_the_world() -> None:
    (problem,) = problems(
        '<sdf version="1.9"><model name="m"><link name="link"/>'
        '<joint name="j" type="fixed"><parent>link0</parent><child>link</child></joint></model></sdf>',
        "joint-parent-invalid",
    )
    assert "did you mean" not in problem.message
    assert list(problem.fixes) == []


def test_a_weld_that_leaves_its_file_says_in_which_model_it_belongs(tmp_path: Path) -> None:
    (tmp_path / "arm.sdf").write_text('<sdf version="1.9"><model name="arm"><link name="l"/></model></sdf>')
    weld = '<joint name="weld" type="fixed"><parent>arm::l</parent><child>l</child></joint>'
    (tmp_path / "grip.sdf").write_text(f'<sdf version="1.9"><model name="grip"><link name="l"/>{weld}</model></sdf>')
    path = tmp_path / "both.sdf"
    includes = "<include><uri>arm.sdf</uri></include><include><uri>grip.sdf</uri></include>"
    path.write_text(f'<sdf version="1.9"><model name="both">{includes}</model></sdf>')
    found = Loader(offer_fixes=offer_fixes).load_with_diagnostics(open_document(path))[1]
    (problem,) = (each for each in found if each.rule.name == "joint-parent-invalid")
    assert problem.is_error
    assert problem.message.endswith("write the joint in 'both'")


def test_a_frame_is_not_suggested_in_its_own_references() -> None:
    link, joint = '<link name="a"/>', '<joint name="handle-joint" type="fixed"><parent>a</parent>{}</joint>'
    text = f'<sdf version="1.9"><model name="m">{link}{joint.format("<child>handle_joint</child>")}</model></sdf>'
    assert "did you mean" not in problems(text, "joint-child-invalid")[0].message
    text = f'<sdf version="1.9"><model name="m">{link}<frame name="tool" attached_to="tool1"/></model></sdf>'
    assert "did you mean" not in problems(text, "attached-to-invalid")[0].message


def test_an_unnamed_include_is_renamed_after_its_model(tmp_path: Path) -> None:
    (tmp_path / "mug.sdf").write_text('<sdf version="1.9"><model name="mug"><link name="l"/></model></sdf>')
    include = f"<include><uri>{(tmp_path / 'mug.sdf').as_uri()}</uri></include>"
    text = f'<sdf version="1.9"><model name="m"><link name="l"/>{include}{include}</model></sdf>'
    (problem,) = problems(text, "duplicate-name")
    assert problem.message == "two includes are called 'mug'; give one a <name>"
    assert "<name>mug_2</name>" in parse_document(text).edited(problem.fixes[0].replacements).text


def test_the_fix_of_one_body_leaves_the_joint_in_place() -> None:
    text = (
        '<sdf version="1.9"><model name="m"><link name="a"><pose>1 0 0 0 0 0</pose></link><link name="b"/>'
        '<joint name="j" type="fixed"><parent>a</parent><child>a</child></joint></model></sdf>'
    )
    (problem,) = problems(text, "joint-parent-is-child")
    for fix in problem.fixes:
        model = Loader(offer_fixes=offer_fixes).load(parse_document(text).edited(fix.replacements))
        assert model is not None
        np.testing.assert_allclose(model.X_RootF[model.row("m::j"), :3, 3], [1, 0, 0], atol=1e-12)
