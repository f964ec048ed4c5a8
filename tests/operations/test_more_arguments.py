"""Arguments that the forms of the window give to operations, and scripts and command lines can give as well."""

from __future__ import annotations

from pathlib import Path

import pytest

from sdfviewer import Box
from sdfviewer.diagnostics import SdfViewerError
from sdfviewer.document.document import parse_document
from sdfviewer.formats.load import Loader
from sdfviewer.model.model import Model
from sdfviewer.operations.declaration import EditContext
from sdfviewer.operations.table import find_operation

ARM = """<sdf version="1.9"><model name="m">
  <link name="a"><pose degrees="true">1 2 3 0 90 0</pose></link>
  <link name="b"/>
  <frame name="hand" attached_to="a"/>
  <frame name="palm" attached_to="a"/>
  <frame name="tool" attached_to="hand"><pose relative_to="hand">0 0 1 0 0 0</pose></frame>
  <model name="inner"><link name="l"/></model>
</model></sdf>"""


@pytest.fixture
def model() -> Model:
    model = Loader().load(parse_document(ARM))
    assert model is not None
    return model


def done(model: Model, operation: str, **arguments: object) -> str:
    edit = find_operation(operation).perform(EditContext(model, Loader()), arguments).edit
    return model.document.edited(edit.replacements).text


def test_one_number_of_several_poses_is_set_and_the_others_stay_as_they_are_written(model: Model) -> None:
    text = done(model, "set_coordinate", frames=["m::a", "m::tool"], coordinate="z", value="12mm")
    assert '<pose degrees="true">1 2 0.012 0 90 0</pose>' in text
    assert '<pose relative_to="hand">0 0 0.012 0 0 0</pose>' in text
    assert '<pose degrees="true">1 2 3 0 45 0</pose>' in done(
        model, "set_coordinate", frames="m::a", coordinate="pitch", value="45deg"
    )
    with pytest.raises(SdfViewerError, match=r"^value: "):
        done(model, "set_coordinate", frames="m::a", coordinate="x", value="")


def test_references_to_what_is_removed_name_something_else(model: Model) -> None:
    text = done(model, "remove", things=["m::hand"], instead={"hand": "palm"})
    assert '<frame name="hand"' not in text
    assert '<frame name="tool" attached_to="palm"><pose relative_to="palm">' in text
    with pytest.raises(SdfViewerError, match="no reference to what is removed names 'hnd'; did you mean 'hand'"):
        done(model, "remove", things=["m::hand"], instead={"hnd": "palm"})


@pytest.mark.parametrize("geometry", ["box", Box((1.0, 2.0, 3.0))])
def test_a_visual_is_added_with_its_collision(model: Model, geometry: str | Box) -> None:
    text = done(model, "add_visual", link="m::b", name="lid_visual", geometry=geometry, with_collision=True)
    assert '<visual name="lid_visual">' in text
    assert '<collision name="lid_collision">' in text
    assert text.count("<size>1 2 3</size>") == (0 if geometry == "box" else 2)


def test_a_property_of_several_elements_is_set_at_once(model: Model) -> None:
    text = done(model, "set_property", thing=["m::a", "m::b"], path="self_collide", value=True)
    assert text.count("<self_collide>true</self_collide>") == 2


def test_a_model_is_split_off_into_a_file_named_by_a_path(model: Model, tmp_path: Path) -> None:
    operation = find_operation("split_off")
    arguments = {"model": "m::inner", "file": tmp_path / "inner.sdf"}
    outcome = operation.perform(EditContext(model, Loader()), arguments)
    assert outcome.files[0].after.path == tmp_path / "inner.sdf"
    with pytest.raises(SdfViewerError, match="save the document first"):
        operation.perform(EditContext(model, Loader()), {**arguments, "file": "inner.sdf"})


def test_a_row_names_what_is_one_of_two_of_one_name() -> None:
    twice = Loader().load(
        parse_document('<sdf version="1.9"><model name="m"><link name="a"/><link name="a"/></model></sdf>')
    )
    assert twice is not None
    assert done(twice, "remove", things=[2]).count("<link") == 1
