"""Plugins that name another model of the world, and a link of it: checked and renamed as any reference."""

from __future__ import annotations

from sdfviewer.document.document import parse_document
from sdfviewer.formats.load import Loader
from sdfviewer.model.model import Model
from sdfviewer.model.references import find_references
from sdfviewer.model.targets import ReferenceTargets
from sdfviewer.refactoring.renaming import rename

WORLD = """<sdf version="1.11"><world name="w">
  <model name="carrier"><link name="hook"/>
    <plugin filename="gz-sim-detachable-joint-system" name="gz::sim::systems::DetachableJoint">
      <parent_link>hook</parent_link><child_model>box</child_model><child_link>body</child_link>
    </plugin>
  </model>
  <model name="box"><link name="body"/></model>
</world></sdf>"""


def load(text: str) -> tuple[Model, list[str]]:
    model, problems = Loader().load_with_diagnostics(parse_document(text))
    assert model is not None
    return model, [each.message for each in problems]


def test_both_names_are_references() -> None:
    model, problems = load(WORLD)
    assert problems == []
    meant = {each.name: [model.names[row] for row in each.steps(model)] for each in find_references(model)}
    assert meant == {"hook": ["carrier::hook"], "box": ["box"], "body": ["box::body"]}
    assert [each.name for each in ReferenceTargets(model, model.row("carrier"), "model")] == ["carrier", "box"]


def test_a_rename_of_either_is_followed() -> None:
    model, _ = load(WORLD)
    for old, new in (("box", "crate"), ("box::body", "shell")):
        after = model.document.edited(rename(model, model.row(old), new).replacements)
        assert after.text.count(new) == 2
        assert load(after.text)[1] == []


def test_wrong_names_are_found_and_without_a_world_nothing_is_asked() -> None:
    assert "'crate', but there is no model" in "".join(load(WORLD.replace(">box<", ">crate<"))[1])
    assert "'shell', but there is no link" in "".join(load(WORLD.replace(">body<", ">shell<"))[1])
    alone = WORLD.replace('<world name="w">', "").replace("</world>", "").partition('  <model name="box"')[0] + "</sdf>"
    assert load(alone)[1] == []
    assert load(WORLD.replace(">box<", ">__model__<").replace(">body<", ">hook<"))[1] == []
