"""Includes are replaced by what they include; nothing moves and nothing is called otherwise."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from sdfviewer.document.edits import Edit
from sdfviewer.files.finder import Finder
from sdfviewer.files.opening import open_document
from sdfviewer.formats.load import Loader
from sdfviewer.model.model import Model
from sdfviewer.refactoring.composition.inlining import inline_includes
from sdfviewer.refactoring.editable import RefactoringError
from tests.corpus import at_least, corpus_files, model_folders
from tests.frames import frame_in
from tests.refactoring.rewritten import assert_same, is_certain, load, written


def run(file: Path, loader: Loader | None = None) -> tuple[Edit, Model, Model]:
    document, loader = open_document(file), loader or Loader()
    edit = inline_includes(document, loader)
    return edit, load(document, loader), load(written(document, edit), loader)


def write(folder: Path, **files: str) -> Path:
    """Write files and return the first one."""
    for name, text in files.items():
        (folder / f"{name}.sdf").write_text(text, encoding="utf-8")
    return folder / f"{next(iter(files))}.sdf"


def test_a_merged_model_brings_its_members(tmp_path: Path) -> None:
    file = write(
        tmp_path,
        top='<sdf version="1.9">\n  <model name="top">\n    <link name="base"/>\n    <include merge="true">\n'
        '      <name>part</name>\n      <uri>part.sdf</uri>\n      <pose relative_to="base">0 0 1 0 0 0.5</pose>\n'
        "    </include>\n"
        '    <joint name="mount" type="fixed"><parent>base</parent><child>_merged__part__model__</child></joint>\n'
        "  </model>\n</sdf>\n",
        part='<sdf version="1.9">\n<model name="x">\n  <static>true</static>\n  <link name="l">\n'
        '    <pose>1 0 0 0 0 0</pose>\n  </link>\n  <frame name="f"/>\n  <joint name="j" type="revolute">\n'
        "    <parent>__model__</parent>\n    <child>n::l</child>\n    <axis>\n      <xyz>0 1 0</xyz>\n    </axis>\n"
        '  </joint>\n  <model name="n">\n    <link name="l"/>\n  </model>\n</model>\n</sdf>\n',
    )
    edit, before, after = run(file)
    assert_same(before, after)
    assert edit.notes == ()
    assert after.names == before.names
    text = after.document.text
    assert '    <frame name="_merged__part__model__" attached_to="l">\n' in text
    assert '      <pose relative_to="_merged__part__model__">1 0 0 0 0 0</pose>' in text
    assert "<parent>_merged__part__model__</parent>" in text
    assert "static" not in text  # merging passes it by


def test_models_merged_into_a_world(tmp_path: Path) -> None:
    file = write(
        tmp_path,
        top='<sdf version="1.10"><world name="w">\n  <include merge="true">\n    <uri>part.sdf</uri>\n  </include>\n'
        "</world></sdf>",
        part='<sdf version="1.10"><model name="part" placement_frame="f"><pose>1 2 3 0 0 1</pose>'
        '<frame name="f"><pose>0 1 0 0 0 0</pose></frame>'
        '<model name="n"><pose>0 0 1 0 0 0</pose><link name="l"/></model></model></sdf>',
    )
    _, before, after = run(file)
    assert_same(before, after)
    assert '<frame name="_merged__part__model__" attached_to="n::l">' in after.document.text


def test_changes_by_params_are_made_also_in_what_is_included_further_down(collection: Path) -> None:
    folder = collection / "dolly"
    edit, before, after = run(folder / "worlds" / "warehouse.sdf", Loader(Finder([folder / "models"])))
    assert_same(before, after)
    assert edit.notes == ()
    assert "<include" not in after.document.text
    assert "<update_rate>30</update_rate>" in after.document.text, "of a sensor that is included two files down"
    assert after.document.text.count('name="rays"') == 1, "the other one is removed"


def test_files_of_several_versions_are_put_together_in_the_newest_of_theirs(tmp_path: Path) -> None:
    file = write(
        tmp_path,
        top='<sdf version="1.6"><model name="top"><link name="a"/><include><uri>part.sdf</uri></include></model></sdf>',
        part='<sdf version="1.8"><model name="part"><link name="b"/></model></sdf>',
    )
    edit, before, after = run(file)
    assert_same(before, after)
    assert after.version == (1, 8)
    assert "converted from SDFormat 1.6 to 1.8" in edit.notes[0]
    alike = tmp_path / "part.sdf"
    alike.write_text(alike.read_text().replace("1.8", "1.6"), encoding="utf-8")
    assert run(file)[2].version == (1, 6)


def test_what_cannot_be_inlined_is_reported_and_stays(tmp_path: Path) -> None:
    (tmp_path / "arm.urdf").write_text('<robot name="arm"><link name="l"/></robot>', encoding="utf-8")
    file = write(
        tmp_path,
        top='<sdf version="1.9"><model name="top"><link name="a"/>\n<include><uri>nowhere.sdf</uri></include>\n'
        "<include><uri>arm.urdf</uri></include>\n<include><uri>part.sdf</uri><colour>red</colour></include>\n"
        "</model></sdf>",
        part='<sdf version="1.9"><model name="part"><link name="b"/></model></sdf>',
    )
    edit, before, after = run(file)
    assert_same(before, after)
    assert [note.removeprefix(f"{file}:") for note in edit.losses] == [
        "2: 'nowhere.sdf' is not found; it remains an include",
        "3: 'arm.urdf' is not an SDFormat file, so it cannot be inlined; it remains an include",
        "4: <colour> of an include is not allowed in a model; left out",
    ]
    assert after.document.text.count("<include>") == 2


def test_the_placement_frame_of_an_included_model_holds_for_the_pose_of_its_include(tmp_path: Path) -> None:
    file = write(
        tmp_path,
        top='<sdf version="1.9"><model name="top"><link name="a"/><include><uri>part.sdf</uri>'
        "<pose>1 0 0 0 0 0</pose></include></model></sdf>",
        part='<sdf version="1.9"><model name="part" placement_frame="f"><link name="b"/>'
        '<frame name="f"><pose>0 0 1 0 0 0</pose></frame></model></sdf>',
    )
    _, before, after = run(file)
    assert_same(before, after)
    assert frame_in(after, "top::part").pose[2, 3] == -1


def test_lights_and_actors_are_put_in(tmp_path: Path) -> None:
    file = write(
        tmp_path,
        top='<sdf version="1.9"><world name="w">\n  <include><uri>sun.sdf</uri><name>sol</name>'
        "<pose>0 0 9 0 0 0</pose></include>\n</world></sdf>",
        sun='<sdf version="1.9"><light name="sun" type="point"><pose>0 0 5 0 0 0</pose></light></sdf>',
    )
    edit, before, after = run(file)
    assert_same(before, after)
    assert edit.notes == ()
    assert '<light name="sol" type="point">' in after.document.text


def test_a_file_is_found_beside_another_one_that_led_to_it(tmp_path: Path) -> None:
    (tmp_path / "deep").mkdir()
    file = write(
        tmp_path,
        top='<sdf version="1.9"><model name="t"><include><uri>deep/mid.sdf</uri></include></model></sdf>',
        leaf='<sdf version="1.9"><model name="leaf"><link name="l"/></model></sdf>',
    )
    write(
        tmp_path / "deep",
        mid='<sdf version="1.9"><model name="mid"><include><uri>leaf.sdf</uri></include></model></sdf>',
    )
    _, before, after = run(file)
    assert_same(before, after)
    assert "<include" not in after.document.text


def test_an_axis_keeps_its_direction_where_a_file_of_1_4_is_raised(tmp_path: Path) -> None:
    joint = (
        '<joint name="j" type="revolute"><parent>base</parent><child>cam::l</child>'
        "<axis><xyz>0 0 1</xyz>{}</axis></joint>"
    )
    joints = joint.format("") + joint.format("<use_parent_model_frame>0</use_parent_model_frame>").replace('"j"', '"k"')
    file = write(
        tmp_path,
        top='<sdf version="1.4"><model name="t"><link name="base"/><include><uri>cam.sdf</uri>'
        f"<pose>0 0 1 0 0.3 0</pose></include>{joints}</model></sdf>",
        cam='<sdf version="1.5"><model name="cam"><link name="l"/></model></sdf>',
    )
    _, before, after = run(file)
    assert_same(before, after)
    for name, xyz in (("t::j", (-math.sin(0.3), 0, math.cos(0.3))), ("t::k", (0, 0, 1))):
        for model in (before, after):
            np.testing.assert_allclose(model.joints_by_row[model.row(name)].axes[0].xyz, xyz, atol=1e-12)


@pytest.mark.corpus
def test_every_file_of_the_corpus_keeps_its_frames() -> None:
    count = 0
    for file in corpus_files(".sdf", ".world"):
        document = open_document(file)
        if "<include" not in document.text:
            continue
        loader = Loader(Finder(model_folders(file)))
        before = loader.load(document)
        if before is None or not is_certain(before):
            continue
        try:
            edit = inline_includes(document, loader)
        except RefactoringError:
            continue
        if edit.replacements:
            assert_same(before, load(written(document, edit), loader))
            count += 1
    assert count > at_least(25)
