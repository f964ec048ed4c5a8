"""The examples of "Model composition: Proposed behavior" (SDFormat 1.8), in the order of the document.

An example that shows several forms of one element is a test for each of them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from sdfviewer.formats.load import load_model
from sdfviewer.model.model import Model
from tests.frames import frame_in
from tests.specification.seeds import Example, check, load

EXAMPLES = (
    Example(
        "top_link relative to top_frame",
        """
<model name="top_model">
  <frame name="top_frame"/>

  <link name="top_link">
    <pose relative_to="top_frame"/>  <!-- VALID -->
  </link>

  <model name="mid_model">
    <pose relative_to="top_link"/>

    <link name="mid_link">

    </link>

    <model name="bottom_model">
      <pose relative_to="mid_link"/>  <!-- VALID -->

      <link name="bottom_link">

      </link>

    </model>

    <!-- Because shadowing is disallowed, the reference to `mid_model` within
    `bottom_model_2` is explicit and can only ever refer to one thing. -->
    <model name="bottom_model_2">
      <model name="mid_model">
        <link name="mid_link"/>
      </model>

      <link name="bottom_link">
        <pose relative_to="mid_model::mid_link"/>  <!-- VALID -->
      </link>
    </model>

  </model>
</model>
""",
        version="1.8",
    ),
    Example(
        "top_link relative to an unknown frame",
        """
<model name="top_model">
  <frame name="top_frame"/>

  <link name="top_link">
    <pose relative_to="some_unknown_frame"/> <!-- INVALID relative-to-invalid: Violates encapsulation. -->
  </link>

  <model name="mid_model">
    <pose relative_to="top_link"/>

    <link name="mid_link">

    </link>

    <model name="bottom_model">
      <pose relative_to="mid_link"/>  <!-- VALID -->

      <link name="bottom_link">

      </link>

    </model>

    <!-- Because shadowing is disallowed, the reference to `mid_model` within
    `bottom_model_2` is explicit and can only ever refer to one thing. -->
    <model name="bottom_model_2">
      <model name="mid_model">
        <link name="mid_link"/>
      </model>

      <link name="bottom_link">
        <pose relative_to="mid_model::mid_link"/>  <!-- VALID -->
      </link>
    </model>

  </model>
</model>
""",
        version="1.8",
    ),
    Example(
        "top_link relative to its own model by name",
        """
<model name="top_model">
  <frame name="top_frame"/>

  <link name="top_link">
    <pose relative_to="top_model::top_frame"/> <!-- INVALID relative-to-invalid: Shadowing. Defined in outer scope. -->
  </link>

  <model name="mid_model">
    <pose relative_to="top_link"/>

    <link name="mid_link">

    </link>

    <model name="bottom_model">
      <pose relative_to="mid_link"/>  <!-- VALID -->

      <link name="bottom_link">

      </link>

    </model>

    <!-- Because shadowing is disallowed, the reference to `mid_model` within
    `bottom_model_2` is explicit and can only ever refer to one thing. -->
    <model name="bottom_model_2">
      <model name="mid_model">
        <link name="mid_link"/>
      </model>

      <link name="bottom_link">
        <pose relative_to="mid_model::mid_link"/>  <!-- VALID -->
      </link>
    </model>

  </model>
</model>
""",
        version="1.8",
    ),
    Example(
        "mid_link relative to its model",
        """
<model name="top_model">
  <frame name="top_frame"/>

  <link name="top_link">

  </link>

  <model name="mid_model">
    <pose relative_to="top_link"/>

    <link name="mid_link">
      <pose/>  <!-- VALID: Same as relative_to="__model__" -->
    </link>

    <model name="bottom_model">
      <pose relative_to="mid_link"/>  <!-- VALID -->

      <link name="bottom_link">

      </link>

    </model>

    <!-- Because shadowing is disallowed, the reference to `mid_model` within
    `bottom_model_2` is explicit and can only ever refer to one thing. -->
    <model name="bottom_model_2">
      <model name="mid_model">
        <link name="mid_link"/>
      </model>

      <link name="bottom_link">
        <pose relative_to="mid_model::mid_link"/>  <!-- VALID -->
      </link>
    </model>

  </model>
</model>
""",
        version="1.8",
    ),
    Example(
        "mid_link relative to top_link",
        """
<model name="top_model">
  <frame name="top_frame"/>

  <link name="top_link">

  </link>

  <model name="mid_model">
    <pose relative_to="top_link"/>

    <link name="mid_link">
      <pose relative_to="top_link"/> <!-- INVALID relative-to-invalid: Shadowing. Defined in outer scope. -->
    </link>

    <model name="bottom_model">
      <pose relative_to="mid_link"/>  <!-- VALID -->

      <link name="bottom_link">

      </link>

    </model>

    <!-- Because shadowing is disallowed, the reference to `mid_model` within
    `bottom_model_2` is explicit and can only ever refer to one thing. -->
    <model name="bottom_model_2">
      <model name="mid_model">
        <link name="mid_link"/>
      </model>

      <link name="bottom_link">
        <pose relative_to="mid_model::mid_link"/>  <!-- VALID -->
      </link>
    </model>

  </model>
</model>
""",
        version="1.8",
    ),
    Example(
        "bottom_link relative to its model",
        """
<model name="top_model">
  <frame name="top_frame"/>

  <link name="top_link">

  </link>

  <model name="mid_model">
    <pose relative_to="top_link"/>

    <link name="mid_link">

    </link>

    <model name="bottom_model">
      <pose relative_to="mid_link"/>  <!-- VALID -->

      <link name="bottom_link">
        <pose/>  <!-- VALID -->
      </link>

    </model>

    <!-- Because shadowing is disallowed, the reference to `mid_model` within
    `bottom_model_2` is explicit and can only ever refer to one thing. -->
    <model name="bottom_model_2">
      <model name="mid_model">
        <link name="mid_link"/>
      </model>

      <link name="bottom_link">
        <pose relative_to="mid_model::mid_link"/>  <!-- VALID -->
      </link>
    </model>

  </model>
</model>
""",
        version="1.8",
    ),
    Example(
        "bottom_link relative to mid_link",
        """
<model name="top_model">
  <frame name="top_frame"/>

  <link name="top_link">

  </link>

  <model name="mid_model">
    <pose relative_to="top_link"/>

    <link name="mid_link">

    </link>

    <model name="bottom_model">
      <pose relative_to="mid_link"/>  <!-- VALID -->

      <link name="bottom_link">
        <pose relative_to="mid_link"/> <!-- INVALID relative-to-invalid: Shadowing. Defined in outer scope. -->
      </link>

    </model>

    <!-- Because shadowing is disallowed, the reference to `mid_model` within
    `bottom_model_2` is explicit and can only ever refer to one thing. -->
    <model name="bottom_model_2">
      <model name="mid_model">
        <link name="mid_link"/>
      </model>

      <link name="bottom_link">
        <pose relative_to="mid_model::mid_link"/>  <!-- VALID -->
      </link>
    </model>

  </model>
</model>
""",
        version="1.8",
    ),
    Example(
        "bottom_link relative to mid_model::mid_link",
        """
<model name="top_model">
  <frame name="top_frame"/>

  <link name="top_link">

  </link>

  <model name="mid_model">
    <pose relative_to="top_link"/>

    <link name="mid_link">

    </link>

    <model name="bottom_model">
      <pose relative_to="mid_link"/>  <!-- VALID -->

      <link name="bottom_link">
        <pose relative_to="mid_model::mid_link"/> <!-- INVALID relative-to-invalid -->
      </link>

    </model>

    <!-- Because shadowing is disallowed, the reference to `mid_model` within
    `bottom_model_2` is explicit and can only ever refer to one thing. -->
    <model name="bottom_model_2">
      <model name="mid_model">
        <link name="mid_link"/>
      </model>

      <link name="bottom_link">
        <pose relative_to="mid_model::mid_link"/>  <!-- VALID -->
      </link>
    </model>

  </model>
</model>
""",
        version="1.8",
    ),
    Example(
        "bottom_link relative to top_frame",
        """
<model name="top_model">
  <frame name="top_frame"/>

  <link name="top_link">

  </link>

  <model name="mid_model">
    <pose relative_to="top_link"/>

    <link name="mid_link">

    </link>

    <model name="bottom_model">
      <pose relative_to="mid_link"/>  <!-- VALID -->

      <link name="bottom_link">
        <pose relative_to="top_frame"/> <!-- INVALID relative-to-invalid: Shadowing. Defined in outer scope. -->
      </link>

    </model>

    <!-- Because shadowing is disallowed, the reference to `mid_model` within
    `bottom_model_2` is explicit and can only ever refer to one thing. -->
    <model name="bottom_model_2">
      <model name="mid_model">
        <link name="mid_link"/>
      </model>

      <link name="bottom_link">
        <pose relative_to="mid_model::mid_link"/>  <!-- VALID -->
      </link>
    </model>

  </model>
</model>
""",
        version="1.8",
    ),
    Example(
        "bottom_frame attached to bottom_link",
        """
<model name="top_model">
  <frame name="top_frame"/>

  <link name="top_link">

  </link>

  <model name="mid_model">
    <pose relative_to="top_link"/>

    <link name="mid_link">

    </link>

    <model name="bottom_model">
      <pose relative_to="mid_link"/>  <!-- VALID -->

      <link name="bottom_link">

      </link>
      <frame name="bottom_frame" attached_to="bottom_link"/>  <!-- VALID -->
    </model>

    <!-- Because shadowing is disallowed, the reference to `mid_model` within
    `bottom_model_2` is explicit and can only ever refer to one thing. -->
    <model name="bottom_model_2">
      <model name="mid_model">
        <link name="mid_link"/>
      </model>

      <link name="bottom_link">
        <pose relative_to="mid_model::mid_link"/>  <!-- VALID -->
      </link>
    </model>

  </model>
</model>
""",
        version="1.8",
    ),
    Example(
        "bottom_frame attached to bottom_model::bottom_link",
        """
<model name="top_model">
  <frame name="top_frame"/>

  <link name="top_link">

  </link>

  <model name="mid_model">
    <pose relative_to="top_link"/>

    <link name="mid_link">

    </link>

    <model name="bottom_model">
      <pose relative_to="mid_link"/>  <!-- VALID -->

      <link name="bottom_link">

      </link>
      <frame name="bottom_frame" attached_to="bottom_model::bottom_link"/> <!-- INVALID attached-to-invalid -->
    </model>

    <!-- Because shadowing is disallowed, the reference to `mid_model` within
    `bottom_model_2` is explicit and can only ever refer to one thing. -->
    <model name="bottom_model_2">
      <model name="mid_model">
        <link name="mid_link"/>
      </model>

      <link name="bottom_link">
        <pose relative_to="mid_model::mid_link"/>  <!-- VALID -->
      </link>
    </model>

  </model>
</model>
""",
        version="1.8",
    ),
    Example(
        "mid_to_top attached to top_frame",
        """
<model name="top_model">
  <frame name="top_frame"/>

  <link name="top_link">

  </link>

  <model name="mid_model">
    <pose relative_to="top_link"/>

    <link name="mid_link">

    </link>

    <model name="bottom_model">
      <pose relative_to="mid_link"/>  <!-- VALID -->

      <link name="bottom_link">

      </link>

    </model>

    <!-- Because shadowing is disallowed, the reference to `mid_model` within
    `bottom_model_2` is explicit and can only ever refer to one thing. -->
    <model name="bottom_model_2">
      <model name="mid_model">
        <link name="mid_link"/>
      </model>

      <link name="bottom_link">
        <pose relative_to="mid_model::mid_link"/>  <!-- VALID -->
      </link>
    </model>
    <frame name="mid_to_top" attached_to="top_frame"/> <!-- INVALID attached-to-invalid -->
  </model>
</model>
""",
        version="1.8",
    ),
    Example(
        "mid_to_bottom attached to bottom_model::bottom_link",
        """
<model name="top_model">
  <frame name="top_frame"/>

  <link name="top_link">

  </link>

  <model name="mid_model">
    <pose relative_to="top_link"/>

    <link name="mid_link">

    </link>

    <model name="bottom_model">
      <pose relative_to="mid_link"/>  <!-- VALID -->

      <link name="bottom_link">

      </link>

    </model>

    <!-- Because shadowing is disallowed, the reference to `mid_model` within
    `bottom_model_2` is explicit and can only ever refer to one thing. -->
    <model name="bottom_model_2">
      <model name="mid_model">
        <link name="mid_link"/>
      </model>

      <link name="bottom_link">
        <pose relative_to="mid_model::mid_link"/>  <!-- VALID -->
      </link>
    </model>
    <frame name="mid_to_bottom" attached_to="bottom_model::bottom_link"/>  <!-- VALID -->
  </model>
</model>
""",
        version="1.8",
    ),
    Example(
        "mid_to_bottom attached to bottom_link",
        """
<model name="top_model">
  <frame name="top_frame"/>

  <link name="top_link">

  </link>

  <model name="mid_model">
    <pose relative_to="top_link"/>

    <link name="mid_link">

    </link>

    <model name="bottom_model">
      <pose relative_to="mid_link"/>  <!-- VALID -->

      <link name="bottom_link">

      </link>

    </model>

    <!-- Because shadowing is disallowed, the reference to `mid_model` within
    `bottom_model_2` is explicit and can only ever refer to one thing. -->
    <model name="bottom_model_2">
      <model name="mid_model">
        <link name="mid_link"/>
      </model>

      <link name="bottom_link">
        <pose relative_to="mid_model::mid_link"/>  <!-- VALID -->
      </link>
    </model>
    <frame name="mid_to_bottom" attached_to="bottom_link"/> <!-- INVALID attached-to-invalid: Bad scope. -->
  </model>
</model>
""",
        version="1.8",
    ),
    Example(
        "mid_to_bottom attached to mid_model::bottom_model::bottom_link",
        """
<model name="top_model">
  <frame name="top_frame"/>

  <link name="top_link">

  </link>

  <model name="mid_model">
    <pose relative_to="top_link"/>

    <link name="mid_link">

    </link>

    <model name="bottom_model">
      <pose relative_to="mid_link"/>  <!-- VALID -->

      <link name="bottom_link">

      </link>

    </model>

    <!-- Because shadowing is disallowed, the reference to `mid_model` within
    `bottom_model_2` is explicit and can only ever refer to one thing. -->
    <model name="bottom_model_2">
      <model name="mid_model">
        <link name="mid_link"/>
      </model>

      <link name="bottom_link">
        <pose relative_to="mid_model::mid_link"/>  <!-- VALID -->
      </link>
    </model>
    <frame name="mid_to_bottom" attached_to="mid_model::bottom_model::bottom_link"/><!-- INVALID attached-to-invalid -->
  </model>
</model>
""",
        version="1.8",
    ),
    Example(
        "a world file",
        """
<world name="simple_world">

  <frame name="world_frame"/>

  <frame name="world_scope_frame" attached_to="world_frame"/>  <!-- VALID body=world -->

  <model name="top_model">
    <pose relative_to="world_frame"/>  <!-- VALID -->

    <frame name="top_frame"/>  <!-- VALID: Same as relative_to="__model__" -->

    <link name="top_link">
      <pose relative_to="top_frame"/>  <!-- VALID -->
    </link>
  </model>

  <joint name="top_model_weld" type="fixed">

    <parent>world</parent>  <!-- VALID -->
    <child>top_model::top_link</child>  <!-- VALID -->

  </joint>

</world>
""",
        version="1.10",
    ),
    Example(
        "a world frame attached to its own world by name",
        """
<world name="simple_world">

  <frame name="world_frame"/>

  <frame name="world_scope_frame" attached_to="simple_world::world_frame"/> <!-- INVALID attached-to-invalid -->

  <model name="top_model">
    <pose relative_to="world_frame"/>  <!-- VALID -->

    <frame name="top_frame"/>  <!-- VALID: Same as relative_to="__model__" -->

    <link name="top_link">
      <pose relative_to="top_frame"/>  <!-- VALID -->
    </link>
  </model>

  <joint name="top_model_weld" type="fixed">

    <parent>world</parent>  <!-- VALID -->
    <child>top_model::top_link</child>  <!-- VALID -->

  </joint>

</world>
""",
        version="1.10",
    ),
    Example(
        "a model frame attached to a world frame",
        """
<world name="simple_world">

  <frame name="world_frame"/>

  <frame name="world_scope_frame" attached_to="world_frame"/>  <!-- VALID body=world -->

  <model name="top_model">
    <pose relative_to="world_frame"/>  <!-- VALID -->

    <frame name="top_frame" attached_to="world_frame"/> <!-- INVALID attached-to-invalid -->

    <link name="top_link">
      <pose relative_to="top_frame"/>  <!-- VALID -->
    </link>
  </model>

  <joint name="top_model_weld" type="fixed">

    <parent>world</parent>  <!-- VALID -->
    <child>top_model::top_link</child>  <!-- VALID -->

  </joint>

</world>
""",
        version="1.10",
    ),
    Example(
        "a link relative to its own model by name",
        """
<world name="simple_world">

  <frame name="world_frame"/>

  <frame name="world_scope_frame" attached_to="world_frame"/>  <!-- VALID body=world -->

  <model name="top_model">
    <pose relative_to="world_frame"/>  <!-- VALID -->

    <frame name="top_frame"/>  <!-- VALID: Same as relative_to="__model__" -->

    <link name="top_link">
      <pose relative_to="top_model::top_frame"/> <!-- INVALID relative-to-invalid: Shadowing -->
    </link>
  </model>

  <joint name="top_model_weld" type="fixed">

    <parent>world</parent>  <!-- VALID -->
    <child>top_model::top_link</child>  <!-- VALID -->

  </joint>

</world>
""",
        version="1.10",
    ),
    Example(
        "a world joint with a world frame as parent",
        """
<world name="simple_world">

  <frame name="world_frame"/>

  <frame name="world_scope_frame" attached_to="world_frame"/>  <!-- VALID body=world -->

  <model name="top_model">
    <pose relative_to="world_frame"/>  <!-- VALID -->

    <frame name="top_frame"/>  <!-- VALID: Same as relative_to="__model__" -->

    <link name="top_link">
      <pose relative_to="top_frame"/>  <!-- VALID -->
    </link>
  </model>

  <joint name="top_model_weld" type="fixed">

    <parent>world_frame</parent>  <!-- VALID -->
    <child>top_model::top_link</child>  <!-- VALID -->

  </joint>

</world>
""",
        version="1.10",
    ),
    Example(
        "a world joint with a link of a model as child",
        """
<world name="simple_world">

  <frame name="world_frame"/>

  <frame name="world_scope_frame" attached_to="world_frame"/>  <!-- VALID body=world -->

  <model name="top_model">
    <pose relative_to="world_frame"/>  <!-- VALID -->

    <frame name="top_frame"/>  <!-- VALID: Same as relative_to="__model__" -->

    <link name="top_link">
      <pose relative_to="top_frame"/>  <!-- VALID -->
    </link>
  </model>

  <joint name="top_model_weld" type="fixed">

    <parent>world</parent>  <!-- VALID -->
    <child>top_link</child> <!-- INVALID joint-child-invalid: INVALID -->

  </joint>

</world>
""",
        version="1.10",
    ),
)


@pytest.mark.parametrize("example", EXAMPLES, ids=str)
def test_example(example: Example) -> None:
    check(example)


def test_a_name_that_goes_up_is_explained() -> None:
    by_section = {example.section: load(example)[1] for example in EXAMPLES}
    assert (
        "'top_model::top_link' is outside 'top_model::mid_model'"
        in by_section["mid_link relative to top_link"][0].message
    )
    shadowed = by_section["top_link relative to its own model by name"][0].message
    assert "names are relative to 'top_model', so write 'top_frame'" in shadowed
    missed = by_section["mid_to_bottom attached to bottom_link"][0].message
    assert "did you mean 'bottom_model::bottom_link'" in missed


# --- files -------------------------------------------------------------------------------------------------------


def model_file(name: str, body: str) -> str:
    return f'<sdf version="1.9"><model name="{name}">{body}</model></sdf>'


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The files that the document's examples include."""
    files = {
        "mid_model.sdf": model_file("mid_model", '<link name="mid_link"/>'),
        "mug.sdf": model_file(
            "mug", '<link name="body"/><frame name="bottom_center"><pose>0 0 -0.1 0 0 0</pose></frame>'
        ),
        "table.sdf": model_file(
            "table",
            '<link name="top"/><frame name="top_center"><pose>0 0 1 0 0 0</pose></frame>'
            '<frame name="bottom_left_leg"><pose>-0.5 -0.5 0 0 0 0</pose></frame>',
        ),
        "arm.sdf": model_file(
            "arm", '<link name="body"/><frame name="gripper_mount"><pose>0 0.5 1 0.1 0.2 0.3</pose></frame>'
        ),
        "gripper.sdf": model_file(
            "gripper", '<link name="body"/><frame name="mount_point"><pose>0.1 0 -0.2 0.3 0 0.1</pose></frame>'
        ),
        "BAD_gripper_with_weld.sdf": model_file(
            "gripper",
            '<link name="gripper"/>'
            '<joint name="weld" type="fixed"><parent>arm::body</parent><child>gripper</child></joint>',
        ),
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


def load_in(folder: Path, xml: str) -> tuple[Model, list[str]]:
    """Return the model of a file in a folder and the rules that it breaks."""
    path = folder / "file.sdf"
    path.write_text(f'<sdf version="1.9">{xml}</sdf>', encoding="utf-8")
    model = load_model(path)
    return model, [diagnostic.rule.name for diagnostic in model.diagnostics if diagnostic.is_error]


def test_the_name_of_an_include_makes_the_scope(folder: Path) -> None:
    include = "<include><uri>file://mid_model.sdf</uri><name>my_custom_name</name></include>"
    link = '<link name="base"/>'
    frame = '<frame name="top_to_mid" attached_to="my_custom_name::mid_link"/>'
    model, errors = load_in(folder, f'<model name="top_model">{link}{include}{frame}</model>')
    assert errors == []
    assert frame_in(model, "top_to_mid").body.name == "top_model::my_custom_name::mid_link"

    frame = '<frame name="top_to_mid" attached_to="mid_model::mid_link"/>'
    _, errors = load_in(folder, f'<model name="top_model">{link}{include}{frame}</model>')
    assert errors == ["attached-to-invalid"]  # Name does not exist in this context.


@pytest.mark.parametrize(
    ("relative_to", "expected"), [("super_frame", []), ("mug::super_frame", ["relative-to-invalid"])]
)
def test_the_pose_of_an_include_is_of_the_scope_around_it(folder: Path, relative_to: str, expected: list[str]) -> None:
    model, errors = load_in(
        folder,
        '<model name="super_model"><frame name="super_frame"><pose>1 2 3 0 0 0</pose></frame>'
        f'<include><uri>file://mug.sdf</uri><pose relative_to="{relative_to}">0 0 1 0 0 0</pose></include></model>',
    )
    assert errors == expected
    if not expected:
        np.testing.assert_allclose(frame_in(model, "mug").pose[:3, 3], [1, 2, 4])


def test_a_placement_frame_is_what_the_pose_places(folder: Path) -> None:
    model, errors = load_in(
        folder,
        '<model name="super_model">'
        "<include><name>table</name><uri>file://table.sdf</uri><placement_frame>bottom_left_leg</placement_frame>"
        "<pose/></include>"
        "<include><name>mug</name><uri>file://mug.sdf</uri><placement_frame>bottom_center</placement_frame>"
        '<pose relative_to="table::top_center"/></include></model>',
    )
    assert errors == []
    np.testing.assert_allclose(frame_in(model, "table::bottom_left_leg").pose, np.eye(4), atol=1e-12)
    np.testing.assert_allclose(
        frame_in(model, "mug::bottom_center").pose, frame_in(model, "table::top_center").pose, atol=1e-12
    )


def test_weld_arm_and_gripper(folder: Path) -> None:
    model, errors = load_in(
        folder,
        '<model name="arm_and_gripper"><include><uri>file://arm.sdf</uri></include>'
        "<include><uri>file://gripper.sdf</uri><placement_frame>mount_point</placement_frame>"
        '<pose relative_to="arm::gripper_mount"/></include>'
        '<joint name="weld" type="fixed"><parent>arm::gripper_mount</parent><child>gripper::mount_point</child></joint>'
        "</model>",
    )
    assert errors == []
    X_MCa, X_MCg = frame_in(model, "arm::gripper_mount").pose, frame_in(model, "gripper::mount_point").pose
    np.testing.assert_allclose(X_MCa, X_MCg, atol=1e-12)
    np.testing.assert_allclose(frame_in(model, "weld").pose, X_MCg, atol=1e-12)  # the joint's origin is X_MCg == X_MCa
    assert frame_in(model, "weld").body.name == "arm_and_gripper::gripper::body"


def test_a_weld_cannot_reach_out_of_its_file(folder: Path) -> None:
    _, errors = load_in(
        folder,
        '<world name="w"><include><uri>file://arm.sdf</uri></include>'
        "<include><uri>file://BAD_gripper_with_weld.sdf</uri></include></world>",
    )
    assert errors == ["joint-parent-invalid"]  # Does not exist in this file


FLANGES = """<model name="super_armio_bros">
  <!-- Arm + Electric Flange + Gripper -->
  <model name="robot_1">
    <pose>1 0 0 0 0 0.5</pose>
    {robot}
  </model>
  <!-- Arm + Pneumatic Flange + Gripper -->
  <model name="robot_2">
    <pose relative_to="robot_1">0 1 0 0 0 0</pose>
    {robot}
  </model>
</model>"""
ROBOT = """<include><name>arm</name><uri>file://arm.sdf</uri></include>
    <include><name>flange</name><uri>file://flange.sdf</uri><placement_frame>mount</placement_frame>
      <pose relative_to="arm::gripper_mount"/></include>
    <joint name="weld1" type="fixed"><parent>arm::gripper_mount</parent><child>flange::mount</child></joint>
    <include><uri>file://gripper.sdf</uri><placement_frame>mount_point</placement_frame>
      <pose relative_to="flange::gripper_mount"/></include>
    <joint name="weld2" type="fixed">
      <parent>flange::gripper_mount</parent><child>gripper::mount_point</child></joint>"""


def test_robot_arm_with_gripper_and_intermediate_flanges(folder: Path) -> None:
    flange = (
        '<link name="body"/><frame name="mount"><pose relative_to="body">0 0 -0.1 0.1 0 0</pose></frame>'
        '<frame name="gripper_mount"><pose relative_to="body">0 0.2 0.3 0 0.4 0</pose></frame>'
    )
    (folder / "flange.sdf").write_text(model_file("flange", flange), encoding="utf-8")
    model, errors = load_in(folder, FLANGES.format(robot=ROBOT))
    assert errors == []
    for robot in ("robot_1", "robot_2"):
        pairs = ("arm::gripper_mount", "flange::mount"), ("flange::gripper_mount", "gripper::mount_point")
        for one, other in pairs:
            X_one, X_other = frame_in(model, f"{robot}::{one}").pose, frame_in(model, f"{robot}::{other}").pose
            np.testing.assert_allclose(X_one, X_other, atol=1e-12)
    X_R1R2 = frame_in(model, "robot_2").resolve_pose(relative_to="super_armio_bros::robot_1")
    np.testing.assert_allclose(X_R1R2[:3, 3], [0, 1, 0], atol=1e-12)
