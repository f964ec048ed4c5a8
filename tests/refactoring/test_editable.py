"""Why something cannot be edited: one reason, with one sentence, for whoever asks."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from sdfviewer.document.document import parse_document
from sdfviewer.files.opening import open_document
from sdfviewer.formats import registry
from sdfviewer.formats.format import Capabilities
from sdfviewer.formats.load import Loader, load_document
from sdfviewer.formats.urdf.format import URDF as URDF_FORMAT
from sdfviewer.formats.xacro.decisions import NamedFiles
from sdfviewer.formats.xacro.expansion import Expander
from sdfviewer.language.renaming import renamable_at
from sdfviewer.model.model import Model
from sdfviewer.refactoring.editable import (
    ReadOnlyKind,
    RefactoringError,
    is_editable,
    require_editable,
    why_not_sdformat,
    why_read_only,
)
from sdfviewer.refactoring.pose_moving import MoveSet

WORLD = """<sdf version="1.9"><world name="w">
  <include><uri>model.sdf</uri><name>hand</name></include>
  <frame name="f" attached_to="hand::thumb"/>
</world></sdf>"""
HAND = '<sdf version="1.9"><model name="hand"><link name="thumb"/></model></sdf>'
URDF = '<robot name="r"><link name="base"/></robot>'


@pytest.fixture
def world(tmp_path: Path) -> Model:
    (tmp_path / "hand").mkdir()
    (tmp_path / "hand" / "model.sdf").write_text(HAND, encoding="utf-8")
    return load_document(parse_document(WORLD.replace("model.sdf", "hand/model.sdf"), tmp_path / "w.sdf"), Loader())


def test_what_is_included_is_edited_in_its_file(world: Model) -> None:
    reason = why_read_only(world, world.row("hand::thumb"))
    assert reason is not None
    assert reason.kind is ReadOnlyKind.INCLUDED
    assert reason.sentence == "'hand::thumb' is defined in hand/model.sdf, which this file includes; edit it there."
    assert not reason.renames
    assert why_read_only(world, world.row("f")) is None


def test_every_refusal_gives_the_same_reason(world: Model) -> None:
    row = world.row("hand::thumb")
    reason = str(why_read_only(world, row))
    with pytest.raises(RefactoringError) as edited:
        require_editable(world, row)
    with pytest.raises(RefactoringError) as moved:
        MoveSet(world, [row])
    with pytest.raises(RefactoringError) as renamed:
        renamable_at(world, world.document.text.index("thumb"))
    assert str(edited.value) == str(renamed.value) == reason
    assert str(moved.value) == f"{reason}, or select 'hand' to move the whole model"


def test_a_urdf_is_edited_like_sdformat_but_has_no_forms() -> None:
    model = load_document(parse_document(URDF, Path("/r.urdf")), Loader())
    assert why_read_only(model, 1) is None
    why = "URDF has neither forms nor versions of SDFormat; convert the file to SDFormat first"
    assert why_not_sdformat(model) == why


def test_a_format_that_only_reads_is_edited_as_text(monkeypatch: pytest.MonkeyPatch) -> None:
    only_names = replace(URDF_FORMAT, capabilities=Capabilities(renames=True))
    monkeypatch.setattr(registry, "BUILT_IN", (only_names,))
    model = load_document(parse_document(URDF, Path("/r.urdf")), Loader())
    reason = why_read_only(model, 1)
    assert reason is not None
    assert reason.kind is ReadOnlyKind.FORMAT
    assert reason.renames
    assert reason.converts
    assert reason.sentence == ("In URDF files only names can be edited; edit the rest as text, or convert to SDFormat.")


def test_what_xacro_writes_is_edited_and_what_a_world_includes_of_it_where_it_is_written(tmp_path: Path) -> None:
    pytest.importorskip("xacro")
    loader = Loader(expander=Expander(permission=NamedFiles(None, "")))
    file = tmp_path / "r.urdf.xacro"
    file.write_text(URDF.replace("><link", ">\n<link"), encoding="utf-8")
    model = load_document(open_document(file), loader)
    assert why_read_only(model, 1) is None
    assert is_editable(model, 1)
    world = '<sdf version="1.9"><world name="w"><include><uri>r.urdf.xacro</uri></include></world></sdf>'
    around = load_document(parse_document(world, tmp_path / "w.sdf"), loader)
    reason = why_read_only(around, around.row("r::base"))
    assert reason is not None
    assert reason.kind is ReadOnlyKind.XACRO
    assert reason.sentence == "'r::base' comes from xacro; edit r.urdf.xacro, line 2."
    assert not reason.converts
