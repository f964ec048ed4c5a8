"""The examples of "Specifying model kinematics in SDFormat" (SDFormat 1.4 to 1.6), in the order of the document."""

from __future__ import annotations

import pytest

from tests.specification.seeds import Example, check

EXAMPLES = (
    Example(
        "an empty model",
        """
<model name="empty" /> <!-- INVALID model-without-link: the document has such a model, libsdformat asks for a link -->
""",
        version="1.4",
    ),
    Example(
        "model with pose",
        """
<model name="model_with_pose"> <!-- INVALID model-without-link: as above -->
  <pose>{xyz_WM} {rpy_WM}</pose>
</model>
""",
        version="1.4",
    ),
    Example(
        "one link",
        """
<model name="one_link"> <!-- VALID body=link -->
  <link name="link"/>
</model>
""",
        version="1.4",
    ),
    Example(
        "two links",
        """
<model name="two_links">
  <link name="link1"/>
  <link name="link2"/>
</model>
""",
        version="1.4",
    ),
    Example(
        "two links with one name",
        """
<model name="invalid_two_links_same_name">
  <link name="link"/>
  <link name="link"/> <!-- INVALID duplicate-name: Same name as sibling "link"! -->
</model>
""",
        version="1.4",
    ),
    Example(
        "model and link pose",
        """
<model name="model_and_link_pose">
  <pose>{xyz_WM} {rpy_WM}</pose>
  <link name="link"> <!-- VALID relative_to=model_and_link_pose -->
    <pose>{xyz_ML} {rpy_ML}</pose>
  </link>
</model>
""",
        version="1.4",
    ),
    Example(
        "equivalent link pose",
        """
<model name="equivalent_link_pose">
  <link name="link"> <!-- VALID relative_to=equivalent_link_pose -->
    <pose>{xyz_WL} {rpy_WL}</pose>
  </link>
</model>
""",
        version="1.4",
    ),
    Example(
        "a fixed joint",
        """
<model name="two_links_fixed">
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
        "a joint called as a link",
        """
<model name="sibling_link_joint_namesake_not_recommended">
  <link name="base"/>
  <link name="attachment"/>
  <joint name="attachment" type="fixed"> <!-- INVALID renamed-clash: not recommended; libsdformat does not allow it -->
    <parent>base</parent>
    <child>attachment</child>
  </joint>
</model>
""",
        version="1.4",
    ),
    Example(
        "joint axis",
        """
<model name="joint_axis">
  <link name="A"/>
  <link name="B"/>
  <link name="C"/>
  <joint name="J1" type="revolute"> <!-- VALID body=B -->
    <pose>0 0 0 1.57 0 0</pose>
    <parent>A</parent>
    <child>B</child>
    <axis>
      <xyz>0 0 1</xyz> <!-- The xyz unit vector is expressed in the joint frame -->
    </axis>
  </joint>
  <joint name="J2" type="revolute"> <!-- VALID body=C -->
    <parent>B</parent>
    <child>C</child>
    <axis>
      <xyz>0 0 1</xyz> <!-- The xyz unit vector is expressed in the parent link's model frame. -->
      <use_parent_model_frame>true</use_parent_model_frame>
    </axis>
  </joint>
</model>
""",
        version="1.5",
    ),
    Example(
        "a revolute joint",
        """
<model name="two_links_revolute">
  <link name="Parent">
    <pose>{xyz_MP} {rpy_MP}</pose>
  </link>
  <link name="Child">
    <pose>{xyz_MC} {rpy_MC}</pose>
  </link>
  <joint name="joint" type="revolute"> <!-- VALID relative_to=Child body=Child -->
    <pose>{xyz_CJc} {rpy_CJc}</pose>
    <parent>Parent</parent>
    <child>Child</child>
    <axis>
      <xyz>{xyz_axis_Jc}</xyz>
    </axis>
  </joint>
</model>
""",
        version="1.5",
    ),
    Example(
        "two links orthogonal 1",
        """
<model name="two_links_orthogonal_1">
  <link name="linkA">
    <pose>0 0 0 0 0 0</pose>
  </link>
  <link name="linkB">
    <pose>0.1 0 0.1 0 0 0</pose>
  </link>
  <joint name="jointAB" type="revolute"> <!-- VALID relative_to=linkB -->
    <pose>0 0 -0.1 0 0 0</pose>
    <parent>linkA</parent>
    <child>linkB</child>
    <axis>
      <xyz>0 1 0</xyz>
    </axis>
  </joint>
  <joint name="joint_world" type="fixed"> <!-- VALID body=linkA -->
    <parent>world</parent>
    <child>linkA</child>
  </joint>
</model>
""",
        version="1.5",
    ),
    Example(
        "two links orthogonal 2",
        """
<model name="two_links_orthogonal_2">
  <link name="link1">
    <pose>0 0 0 0 0 0</pose>
  </link>
  <link name="link2">
    <pose>0.1 0 0.1 0 0 0</pose>
  </link>
  <joint name="joint12" type="revolute"> <!-- VALID relative_to=link2 -->
    <pose>-0.1 0 0.0 0 0 0</pose>
    <parent>link1</parent>
    <child>link2</child>
    <axis>
      <xyz>0 1 0</xyz>
    </axis>
  </joint>
  <joint name="joint_world" type="fixed"> <!-- VALID body=link1 -->
    <parent>world</parent>
    <child>link1</child>
  </joint>
</model>
""",
        version="1.5",
    ),
)


@pytest.mark.parametrize("example", EXAMPLES, ids=str)
def test_example(example: Example) -> None:
    check(example)
