"""Nested models become links, joints and frames of the model around them; nothing moves, nothing loses its meaning."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sdfviewer.document.document import Document, parse_document
from sdfviewer.document.edits import Edit
from sdfviewer.files.finder import Finder
from sdfviewer.files.opening import open_document
from sdfviewer.formats.load import Loader
from sdfviewer.model.kinds import Kind
from sdfviewer.model.model import Model
from sdfviewer.refactoring.composition.flatten import flatten
from sdfviewer.refactoring.editable import RefactoringError
from tests.corpus import at_least, corpus_files, model_folders, some_or_all
from tests.frames import frame_in
from tests.refactoring.rewritten import assert_same, is_certain, load, written

RIG = """<?xml version="1.0"?>
<sdf version="1.9">
  <model name="rig">
    <model name="hand" placement_frame="wrist" canonical_link="finger::tip">
      <!-- the hand -->
      <pose relative_to="arm" degrees="true">
        0 0 0.5  0 0 90
      </pose>
      <self_collide>true</self_collide>
      <allow_auto_disable>false</allow_auto_disable>
      <frame name="wrist">
        <pose>0 0 -0.1 0 0 0</pose>
      </frame>
      <link name="palm"/>
      <link name="thumb">
        <pose relative_to="thumb_joint"/>
      </link>
      <joint name="thumb_joint" type="revolute">
        <pose relative_to="palm">0 0.1 0 0 0 0.3</pose>
        <parent>palm</parent>
        <child>thumb</child>
        <axis>
          <xyz expressed_in="__model__">1 0 0</xyz>
        </axis>
      </joint>
      <model name="finger">
        <pose>0 -0.1 0 0.2 0 0</pose>
        <link name="tip"/>
        <plugin name="p" filename="libp.so">
          <joint_name>thumb_joint</joint_name>
          <link_name>tip</link_name>
          <note><![CDATA[
            keep
          ]]></note>
        </plugin>
      </model>
      <joint name="bend" type="revolute">
        <parent>palm</parent>
        <child>finger</child>
        <axis>
          <xyz>0 1 0</xyz>
        </axis>
      </joint>
      <gripper name="g">
        <gripper_link>finger::tip</gripper_link>
        <palm_link>palm</palm_link>
      </gripper>
    </model>
    <link name="arm"/>
    <frame name="hand_palm" attached_to="hand::finger::tip"/>
    <joint name="j" type="continuous">
      <parent>arm</parent>
      <child>hand::__model__</child>
      <axis>
        <xyz expressed_in="hand::finger">0 0 1</xyz>
      </axis>
    </joint>
    <plugin name="q" filename="libq.so">
      <link>hand::finger::tip</link>
    </plugin>
  </model>
</sdf>
"""


def run(document: Document, loader: Loader | None = None) -> tuple[Edit, Model, Model]:
    loader = loader or Loader()
    edit = flatten(document, loader)
    return edit, load(document, loader), load(written(document, edit), loader)


def flat_text(text: str) -> str:
    document = parse_document(text)
    return document.edited(flatten(document, Loader()).replacements).text


def test_a_rig_is_flattened() -> None:
    edit, before, after = run(parse_document(RIG))
    assert_same(before, after, edit.renamed)
    assert [after.names[row] for row, kind in enumerate(after.kinds) if kind is Kind.MODEL] == ["rig"]
    names = dict(edit.renamed)
    assert names["rig::hand"] == "rig::hand"  # a frame now
    assert names["rig::hand::palm"] == "rig::hand_palm_2"  # the other name is taken
    assert names["rig::hand::finger::tip"] == "rig::hand_finger_tip"
    assert after.kinds[after.row("rig::hand")] is Kind.FRAME
    body = frame_in(after, "rig::hand").body
    assert body is not None
    assert body.name == "rig::hand_finger_tip"


def test_the_text_is_indented_and_keeps_what_is_no_frame() -> None:
    text = flat_text(RIG)
    assert (
        '    <frame name="hand" attached_to="hand_finger_tip">\n      <pose relative_to="arm" degrees="true">' in text
    )
    assert "    <!-- the hand -->\n" in text
    assert "<![CDATA[\n            keep\n          ]]>" in text  # to the blank
    assert '    <link name="hand_palm_2">\n      <pose relative_to="hand"/>\n      <self_collide>true<' in text
    assert "<link_name>hand_finger_tip</link_name>" in text
    assert "<link>hand_finger_tip</link>" in text
    assert "<gripper_link>hand_finger_tip</gripper_link>" in text
    assert '<gripper name="hand_g">' in text
    assert '<model name="rig" canonical_link="arm">' in text  # no longer the first link in the file


def test_what_is_lost_is_reported_with_its_place() -> None:
    edit = run(parse_document(RIG))[0]
    notes = "\n".join(edit.notes)
    assert "-:4: model 'rig::hand': its <allow_auto_disable> is left out" in "\n".join(edit.losses)
    assert "its plugin 'p' now belongs to model 'rig'" in notes
    assert "its plugin 'q' uses 1 changed name" in notes


def test_line_ends_are_kept() -> None:
    text = flat_text(RIG.replace("\n", "\r\n"))
    assert text.replace("\r\n", "\n") == flat_text(RIG)
    assert "\n" not in text.replace("\r\n", "")


def test_a_static_model_in_one_that_moves_stays() -> None:
    document = parse_document(
        '<sdf version="1.9"><model name="m"><link name="a"/><model name="rock"><static>true</static><link name="l"/>'
        '<model name="pebble"><link name="l"/></model></model></model></sdf>'
    )
    edit, before, after = run(document)
    assert_same(before, after, edit.renamed)
    assert "it is static inside a model that is not" in edit.losses[0]
    assert "m::rock::pebble_l" in after.rows_by_name


def test_static_models_in_static_ones_go() -> None:
    document = parse_document(
        '<sdf version="1.9"><world name="w"><model name="m"><static>true</static><link name="a"/><model name="n">'
        '<static>true</static><pose>1 0 0 0 0 0</pose><link name="b"/><frame name="f"/></model></model></world></sdf>'
    )
    edit, before, after = run(document)
    assert_same(before, after, edit.renamed)
    assert "m::n_f" in after.rows_by_name


def test_models_of_a_world_stay_and_its_states_follow() -> None:
    document = parse_document(
        """<sdf version="1.12"><world name="w">
  <model name="m"><link name="a"/><model name="n"><link name="b"/></model></model>
  <frame name="f" attached_to="m::n::b"/>
  <joint name="j" type="fixed"><parent>world</parent><child>m::n</child></joint>
  <plugin name="p" filename="p.so"><target>m::n::b</target></plugin>
  <state world_name="w">
    <model_state name="m">
      <link_state name="a"/>
      <model_state name="n">
        <pose>0 0 1 0 0 0</pose>
        <link_state name="b"/>
      </model_state>
    </model_state>
  </state>
</world></sdf>"""
    )
    edit, before, after = run(document)
    assert_same(before, after, edit.renamed)
    text = after.document.text
    assert 'attached_to="m::n_b"' in text
    assert "<target>m::n_b</target>" in text
    assert '      <link_state name="a"/>\n      <link_state name="n_b"/>\n    </model_state>' in text


def test_a_file_of_1_6_is_raised_to_where_frames_can_replace_models(collection: Path) -> None:
    models = collection / "classic" / "models"
    document = open_document(models / "convoy" / "model.sdf")
    edit, before, after = run(document, Loader(Finder([models])))
    assert (before.version, after.version) == ((1, 6), (1, 7))
    assert_same(before, after, edit.renamed)
    assert "converted to SDFormat 1.7" in edit.notes[0]


def test_the_canonical_link_in_a_static_model_stays_that_of_the_model_around_it() -> None:
    document = parse_document(
        '<sdf version="1.12"><model name="top"><frame name="f"/><model name="fixed"><static>true</static>'
        '<model name="inner"><link name="a"/></model><link name="b"/></model></model></sdf>'
    )
    edit, before, after = run(document)
    assert before.names[before.scope.canonical_link] == "top::fixed::b"
    assert_same(before, after, edit.renamed)
    assert '<model name="fixed" canonical_link="b">' in after.document.text


def test_models_that_an_older_tool_flattened_are_flattened_again(collection: Path) -> None:
    document = open_document(collection / "joints" / "partially_flattened.sdf")
    edit, before, after = run(document)
    assert_same(before, after, edit.renamed)
    assert not any("::" in child.attributes.get("name", "") for child in after.elements[1].children)


def test_includes_are_inlined_and_dissolved(tmp_path: Path) -> None:
    (tmp_path / "part.sdf").write_text(
        '<sdf version="1.7" xmlns:x="urn:x"><model name="part"><pose>1 0 0 0 0 0</pose><link name="l"/>'
        '<frame name="f" attached_to="l"/><x:y>1</x:y></model></sdf>',
        encoding="utf-8",
    )
    top = tmp_path / "top.sdf"
    top.write_text(
        '<sdf version="1.9">\n  <model name="top">\n    <link name="l"/>\n    <include>\n      <name>p</name>\n'
        "      <uri>part.sdf</uri>\n      <placement_frame>f</placement_frame>\n"
        '      <pose relative_to="l">0 0 1 0 0 0</pose>\n    </include>\n'
        '    <include merge="true"><uri>part.sdf</uri><name>q</name></include>\n  </model>\n</sdf>\n',
        encoding="utf-8",
    )
    # Merged members keep their names: the link 'l' clashes, and the file says so before and after.
    text = top.read_text(encoding="utf-8").replace('<link name="l"/>', '<link name="base"/>')
    top.write_text(text.replace('relative_to="l"', 'relative_to="base"'), encoding="utf-8")
    edit, before, after = run(open_document(top))
    assert_same(before, after, edit.renamed)
    assert 'xmlns:x="urn:x"' in after.document.text
    assert {"top::p", "top::p_l", "top::p_f", "top::l", "top::f", "top::_merged__q__model__"} <= set(after.names)
    assert "<include" not in after.document.text


def test_what_names_nothing_is_refused() -> None:
    text = (
        '<sdf version="1.9"><model name="m"><link name="a"/><model name="n"><link name="b"/>'
        '<frame name="f" attached_to="a"/></model></model></sdf>'
    )
    with pytest.raises(RefactoringError, match="-:1: 'a' is not a frame"):
        flatten(parse_document(text), Loader())


def test_a_flat_file_is_left_alone() -> None:
    document = parse_document('<sdf version="1.5"><model name="m"><link name="a"/></model></sdf>')
    assert flatten(document, Loader()).replacements == ()


@some_or_all
@pytest.mark.corpus
def test_every_file_of_the_corpus_keeps_its_frames(every: int) -> None:
    count = 0
    for file in corpus_files(".sdf", ".world")[::every]:
        document = open_document(file)
        loader = Loader(Finder(model_folders(file)))
        before = loader.load(document)
        if before is None or before.version < (1, 4) or not is_certain(before):
            continue
        try:
            edit = flatten(document, loader)
        except RefactoringError:
            continue
        if edit.replacements:
            assert_same(before, load(written(document, edit), loader), edit.renamed)
            count += 1
    assert count > at_least(40) / every


numbers = st.floats(-2, 2).map(lambda value: round(value, 3))
poses = st.tuples(*[numbers] * 6).map(lambda values: " ".join(map(str, values)))


@st.composite
def models(draw: st.DrawFn, name: str = "m", depth: int = 0) -> str:
    """Return a model with links, frames, joints and models in it, each pose relative to anything that is no circle."""
    links = ["a", *(["b"] if draw(st.booleans()) else [])]
    parts, targets = [], ["", "__model__"]
    for number in range(draw(st.integers(0, 2 - depth)) if depth < 2 else 0):
        inner = f"n{number}"
        parts.append(draw(models(inner, depth + 1)).replace("<POSE/>", f"<pose>{draw(poses)}</pose>"))
        targets += [inner, f"{inner}::a", f"{inner}::f"]
    for link in links:
        target = draw(st.sampled_from(targets))
        relative = f' relative_to="{target}"' if target else ""
        parts.append(f'<link name="{link}"><pose{relative}>{draw(poses)}</pose></link>')
        targets.append(link)
    attached = draw(st.sampled_from(targets))
    parts.append(
        f'<frame name="f"{f" attached_to={attached!r}" if attached else ""}><pose>{draw(poses)}</pose></frame>'
    )
    ends = [target for target in targets if target not in ("", "__model__", "a") and "f" not in target]
    if ends:
        child = draw(st.sampled_from(ends))
        axis = draw(st.sampled_from(["", ' expressed_in="__model__"', f' expressed_in="{child}"']))
        parts.append(
            f'<joint name="j" type="revolute"><pose>{draw(poses)}</pose><parent>a</parent><child>{child}</child>'
            f"<axis><xyz{axis}>0.6 0 0.8</xyz></axis></joint>"
        )
    if draw(st.booleans()):
        parts = parts[::-1]
    placement = ' placement_frame="f"' if draw(st.booleans()) and depth else ""
    return f'<model name="{name}"{placement}>{"<POSE/>" if depth else ""}{"".join(parts)}</model>'


@given(models())
def test_any_nest_of_models_can_be_flattened(text: str) -> None:
    document = parse_document(f'<sdf version="1.9">{text}</sdf>')
    edit, before, after = run(document)
    assert_same(before, after, edit.renamed)
    assert not any(kind is Kind.MODEL for kind in after.kinds[1:])


def test_scopes_are_kept_where_the_version_allows_it() -> None:
    text = (
        '<sdf version="{}"><model name="m"><link name="a"/><model name="n"><pose>0 1 0 0 0 0</pose><link name="c"/>'
        '<frame name="f" attached_to="c"><pose>0 0 1 0 0 0</pose></frame></model></model></sdf>'
    )
    document = parse_document(text.format("1.7"))
    edit = flatten(document, Loader(), keep_scopes=True)
    before, after = Loader().load(document), Loader().load(document.edited(edit.replacements))
    assert before is not None
    assert after is not None
    assert '<link name="n::c">' in after.document.text
    assert 'attached_to="n::c"' in after.document.text
    np.testing.assert_allclose(after.X_RootF[after.row("m::n::f")], before.X_RootF[before.row("m::n::f")], atol=1e-12)
    with pytest.raises(RefactoringError, match="would refer to nested models in SDFormat"):
        flatten(parse_document(text.format("1.8")), Loader(), keep_scopes=True)
