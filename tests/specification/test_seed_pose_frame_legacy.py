"""The examples of "Pose Frame Semantics: Legacy behavior" (SDFormat 1.4 and 1.5), in the order of the document.

Where libsdformat is stricter than the document, which describes files of their time, its answer counts: siblings of
different types that share a name are read under a new one, but the file is not valid.
"""

from __future__ import annotations

import pytest

from tests.specification.seeds import Example, check

EXAMPLES = (
    Example(
        "links with one name",
        """
<model name="model">
  <link name="link"/>
  <link name="link"/> <!-- INVALID duplicate-name: Same name as sibling "link"! -->
</model>
""",
        version="1.4",
    ),
    Example(
        "joints with one name",
        """
<model name="model">
  <link name="link1"/>
  <link name="link2"/>
  <link name="link3"/>
  <joint name="joint" type="fixed">
    <parent>link1</parent>
    <child>link2</child>
  </joint>
  <joint name="joint" type="fixed"> <!-- INVALID duplicate-name: Same name as sibling "joint"! -->
    <parent>link2</parent>
    <child>link3</child>
  </joint>
</model>
""",
        version="1.4",
    ),
    Example(
        "collisions with one name",
        """
<model name="model">
  <link name="link">
    <collision name="collision">
      ...
    </collision>
    <collision name="collision"> <!-- INVALID duplicate-name: Same name as sibling "collision"! -->
      ...
    </collision>
  </link>
</model>
""",
        version="1.4",
    ),
    Example(
        "collisions of different links",
        """
<model name="model">
  <link name="link1">
    <collision name="collision">
      ...
    </collision>
  </link>
  <link name="link2">
    <collision name="collision"> <!-- VALID: not a sibling -->
      ...
    </collision>
  </link>
</model>
""",
        version="1.4",
    ),
    Example(
        "siblings of different types, recommended against",
        """
<model name="model">
  <link name="base"/>
  <link name="attachment"/>
  <joint name="attachment" type="fixed"> <!-- INVALID renamed-clash: the document allows it, libsdformat does not -->
    <parent>base</parent>
    <child>attachment</child>
  </joint>
</model>
""",
        version="1.4",
    ),
    Example(
        "a link called world, recommended against",
        """
<model name="model">
  <link name="world"/> <!-- INVALID reserved-name: the document allows it, libsdformat does not -->
  <link name="world_link"/> <!-- VALID, better -->
</model>
""",
        version="1.4",
    ),
    Example(
        "parent frames in 1.4",
        """
<model name="model">
  <pose>...</pose>
  <link name="link"> <!-- VALID relative_to=model: the frame of the parent element -->
    <pose>...</pose>
    <inertial>
      <pose>...</pose>
    </inertial>
    <collision name="link_collision">
      <pose>...</pose>
    </collision>
    <visual name="visual">
      <pose>...</pose>
    </visual>
  </link>
</model>
""",
        version="1.4",
    ),
    Example(
        "parent frame of a joint in 1.4",
        """
<model name="model">
  <pose>...</pose>
  <link name="link1">
    <pose>...</pose>
  </link>
  <link name="link2">
    <pose>...</pose>
  </link>
  <joint name="joint" type="fixed"> <!-- VALID relative_to=link2 body=link2: the child link -->
    <pose>...</pose>
    <parent>link1</parent>
    <child>link2</child>
  </joint>
</model>
""",
        version="1.4",
    ),
    Example(
        "empty pose frame in 1.5",
        """
<model name="model">
  <pose frame=''>...</pose>
  <link name="link"> <!-- VALID relative_to=model: the same as without the attribute -->
    <pose frame=''>...</pose>
    <visual name="visual">
      <pose frame=''>...</pose>
    </visual>
  </link>
</model>
""",
        version="1.5",
    ),
    Example(
        "empty pose frame of a joint in 1.5",
        """
<model name="model">
  <pose frame=''>...</pose>
  <link name="link1">
    <pose frame=''>...</pose>
  </link>
  <link name="link2">
    <pose frame=''>...</pose>
  </link>
  <joint name="joint" type="fixed"> <!-- VALID relative_to=link2: the child link -->
    <pose frame=''>...</pose>
    <parent>link1</parent>
    <child>link2</child>
  </joint>
</model>
""",
        version="1.5",
    ),
    Example(
        "parent frames in URDF: its SDFormat look-alike",
        """
<model name="model">
  <link name="link1"/>
  <link name="link2"/>
  <joint name="joint" type="fixed"> <!-- VALID relative_to=link2: so it is not equivalent to the URDF -->
    <pose>{xyz} {rpy}</pose>
    <parent>link1</parent>
    <child>link2</child>
  </joint>
</model>
""",
        version="1.4",
    ),
    Example(
        "parent frames in URDF: the model of the image",
        """
<model name="model">
  <link name="link1"> <!-- VALID relative_to=model -->
    <pose>{xyz_ML1} {rpy_ML1}</pose>
  </link>
  <link name="link2"> <!-- VALID relative_to=model -->
    <pose>{xyz_ML2} {rpy_ML2}</pose>
  </link>
  <link name="link3"> <!-- VALID relative_to=model -->
    <pose>{xyz_ML3} {rpy_ML3}</pose>
  </link>
  <link name="link4"> <!-- VALID relative_to=model -->
    <pose>{xyz_ML4} {rpy_ML4}</pose>
  </link>
  <joint name="joint1" type="revolute"> <!-- VALID relative_to=link2 -->
    <pose>0 0 0 0 0 0</pose>
    <parent>link1</parent>
    <child>link2</child>
  </joint>
  <joint name="joint2" type="revolute"> <!-- VALID relative_to=link3 -->
    <pose>0 0 0 0 0 0</pose>
    <parent>link1</parent>
    <child>link3</child>
  </joint>
  <joint name="joint3" type="revolute"> <!-- VALID relative_to=link4 -->
    <pose>0 0 0 0 0 0</pose>
    <parent>link3</parent>
    <child>link4</child>
  </joint>
</model>
""",
        version="1.4",
    ),
    Example(
        "sibling links",
        """
<model name="model">
  <link name="link1"/>
  <link name="link2"/>
  <joint name="joint" type="fixed"> <!-- VALID body=link2 -->
    <parent>link1</parent>
    <child>link2</child>
  </joint>
</model>
""",
        version="1.4",
    ),
    Example(
        "world as parent",
        """
<model name="model">
  <link name="link"/>
  <joint name="joint" type="fixed"> <!-- VALID body=link -->
    <parent>world</parent>
    <child>link</child>
  </joint>
</model>
""",
        version="1.4",
    ),
    Example(
        "world as child",
        """
<model name="model">
  <link name="link"/>
  <joint name="joint" type="fixed">
    <parent>link</parent>
    <child>world</child> <!-- INVALID joint-child-invalid: the document allows it, libsdformat does not -->
  </joint>
</model>
""",
        version="1.4",
    ),
    Example(
        "a link called world as parent",
        """
<model name="model">
  <link name="link"/>
  <link name="world"/> <!-- INVALID reserved-name: the document allows it, libsdformat does not -->
  <joint name="joint" type="fixed"> <!-- VALID body=link -->
    <parent>world</parent>
    <child>link</child>
  </joint>
</model>
""",
        version="1.4",
    ),
    Example(
        "a parent that does not exist",
        """
<model name="model">
  <link name="link"/>
  <joint name="joint" type="fixed">
    <parent>fake_link</parent> <!-- INVALID joint-parent-invalid: link with this name not found in this model -->
    <child>link</child>
  </joint>
</model>
""",
        version="1.4",
    ),
    Example(
        "a parent in another model",
        """
<world name="world_with_invalid_joint">
  <model name="model1">
    <link name="link1"/>
  </model>
  <model name="model2">
    <link name="link2"/>
    <joint name="joint" type="fixed">
      <parent>link1</parent> <!-- INVALID joint-parent-invalid: link1 is not a sibling of joint -->
      <child>link2</child>
    </joint>
  </model>
</world>
""",
        version="1.4",
    ),
    Example(
        "nested models in 1.5",
        """
<model name="model">
  <model name="model1">
    <link name="link"/>
  </model>
  <model name="model2">
    <link name="link"/> <!-- VALID: not a sibling -->
  </model>
</model>
""",
        version="1.5",
    ),
    Example(
        "a joint between nested models",
        """
<model name="model">
  <model name="model1">
    <link name="link"/>
  </model>
  <model name="model2">
    <link name="link"/>
  </model>
  <joint name="joint" type="fixed"> <!-- VALID body=model2::link -->
    <parent>model1::link</parent>
    <child>model2::link</child>
  </joint>
</model>
""",
        version="1.5",
    ),
    Example(
        "a joint between a nested model and a sibling",
        """
<model name="model">
  <model name="nested_model">
    <link name="link"/>
  </model>
  <link name="link"/>
  <joint name="joint" type="fixed"> <!-- VALID body=model::link -->
    <parent>nested_model::link</parent>
    <child>link</child>
  </joint>
</model>
""",
        version="1.5",
    ),
)


@pytest.mark.parametrize("example", EXAMPLES, ids=str)
def test_example(example: Example) -> None:
    check(example)
