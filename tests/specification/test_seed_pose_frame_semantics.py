"""The examples of "Pose Frame Semantics Proposal" (SDFormat 1.7), in the order of the document."""

from __future__ import annotations

import numpy as np
import pytest

from tests.frames import frame_in
from tests.specification.seeds import Example, check, load

EXAMPLES = (
    Example(
        "canonical link written",
        """
<model name="test_model" canonical_link="link1"> <!-- VALID body=link1 -->
  <link name="link1"/>
  <link name="link2"/>
</model>
""",
    ),
    Example(
        "canonical link by default",
        """
<model name="test_model"> <!-- VALID body=link1 -->
  <link name="link1"/>
  <link name="link2"/>
</model>
""",
    ),
    Example(
        "a frame for the model frame",
        """
<model name="test_model">
  <link name="base"/>
  <frame name="model_frame"/> <!-- VALID body=base relative_to=test_model -->
</model>
""",
    ),
    Example(
        "unique names in 1.4",
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
        "unique names in 1.7",
        """
<model name="model">
  <link name="base"/>
  <link name="attachment"/>
  <joint name="attachment" type="fixed"> <!-- INVALID duplicate-name: sibling link has same name. -->
    <parent>base</parent>
    <child>attachment</child>
  </joint>
</model>
""",
    ),
    Example(
        "frame naming",
        """
<model name="frame_naming">
  <link name="link"/>
  <frame/>          <!-- INVALID missing-attribute: name attribute is missing. -->
  <frame name=''/>  <!-- INVALID empty-name: name attribute is empty. -->
  <frame name='A'/> <!-- VALID. -->
  <frame name='B'/> <!-- VALID. -->
</model>
""",
    ),
    Example(
        "sibling frames with one name",
        """
<model name="nonunique_sibling_frame_names">
  <link name="link"/>
  <frame name='F'/>
  <frame name='F'/> <!-- INVALID duplicate-name: sibling names are not unique. -->
</model>
""",
    ),
    Example(
        "link and frame with one name",
        """
<model name="nonunique_sibling_names">
  <link name='L'/>
  <frame name='L'/> <!-- INVALID duplicate-name: sibling names are not unique. -->
</model>
""",
    ),
    Example(
        "attached_to links and frames",
        """
<model name="frame_attaching">
  <link name="L"/>
  <frame name="F00"/>                 <!-- VALID body=L -->
  <frame name="F0" attached_to=""/>    <!-- VALID body=L -->
  <frame name="F1" attached_to="L"/>   <!-- VALID body=L: Directly attached_to link L. -->
  <frame name="F2" attached_to="F1"/>  <!-- VALID body=L: Indirectly attached_to link L via frame F1. -->
  <frame name="F3" attached_to="A"/>   <!-- INVALID attached-to-invalid: no sibling frame named A. -->
</model>
""",
    ),
    Example(
        "attached_to joints",
        """
<model name="joint_attaching">
  <link name="P"/>
  <link name="C"/>
  <joint name="J" type="fixed">
    <parent>P</parent>
    <child>C</child>
  </joint>
  <frame name="F1" attached_to="P"/>   <!-- VALID body=P: Directly attached_to link P. -->
  <frame name="F2" attached_to="C"/>   <!-- VALID body=C: Directly attached_to link C. -->
  <frame name="F3" attached_to="J"/>   <!-- VALID body=C: Indirectly attached_to link C via joint J. -->
  <frame name="F4" attached_to="F3"/>  <!-- VALID body=C: Indirectly attached_to link C via frame F3. -->
</model>
""",
    ),
    Example(
        "attached_to cycle",
        """
<model name="frame_attaching_cycle">
  <link name="L"/>
  <frame name="F1" attached_to="F2"/>
  <frame name="F2" attached_to="F1"/>  <!-- INVALID attached-to-cycle -->
</model>
""",
    ),
    Example(
        "attached_to in a world",
        """
<world name="frame_attaching">
  <frame name="F0"/>                   <!-- VALID body=world: Indirectly attached_to the implicit world frame. -->
  <frame name="F1" attached_to=""/>    <!-- VALID body=world: Indirectly attached_to the implicit world frame. -->
  <frame name="F2" attached_to="F1"/>  <!-- VALID body=world -->
  <frame name="F3" attached_to="A"/>   <!-- INVALID attached-to-invalid: no sibling frame named A. -->

  <model name="M0">
    <link name="L"/>                   <!-- Canonical link. -->
  </model>
  <frame name="F4" attached_to="M0"/>  <!-- VALID body=M0::L -->
</world>
""",
    ),
    Example(
        "attached_to cycle in a world",
        """
<world name="frame_attaching_cycle">
  <frame name="F1" attached_to="F2"/>
  <frame name="F2" attached_to="F1"/>  <!-- INVALID attached-to-cycle -->
</world>
""",
    ),
    Example(
        "relative_to of links",
        """
<model name="link_pose_relative_to">
  <link name="L1"> <!-- VALID relative_to=link_pose_relative_to: Pose relative_to model frame (M) by default. -->
    <pose>{X_ML1}</pose>
  </link>
  <link name="L2"> <!-- VALID relative_to=link_pose_relative_to: Pose relative_to model frame (M) by default. -->
    <pose relative_to="">{X_ML2}</pose>
  </link>
  <link name="L3"> <!-- VALID relative_to=L1: Pose relative_to link frame (L1 -> M). -->
    <pose relative_to="L1">{X_L1L3}</pose>
  </link>

  <link name="cycle1">
    <pose relative_to="cycle2">{X_C1C2}</pose>
  </link>
  <link name="cycle2">
    <pose relative_to="cycle1">{X_C2C1}</pose>  <!-- INVALID relative-to-cycle: does not lead to model frame. -->
  </link>
</model>
""",
    ),
    Example(
        "relative_to of joints",
        """
<model name="joint_pose_relative_to">
  <link name="P1"/>                         <!-- VALID relative_to=joint_pose_relative_to: by default. -->
  <link name="C1"/>                         <!-- VALID relative_to=joint_pose_relative_to: by default. -->
  <joint name="J1" type="fixed"> <!-- VALID relative_to=C1: relative to child link frame (C1 -> M) by default. -->
    <pose>{X_C1J1}</pose>
    <parent>P1</parent>
    <child>C1</child>
  </joint>

  <link name="P2"/>                         <!-- VALID relative_to=joint_pose_relative_to: by default. -->
  <joint name="J2" type="fixed"> <!-- VALID relative_to=P2: Joint pose relative to link frame P2 -> M. -->
    <pose relative_to="P2">{X_P2J2}</pose>
    <parent>P2</parent>
    <child>C2</child>
  </joint>
  <link name="C2"> <!-- VALID relative_to=J2: Link pose relative to joint frame J2 -> P2 -> M. -->
    <pose relative_to="J2">{X_J2C2}</pose>
  </link>

  <link name="P3"/>
  <link name="C3">
    <pose relative_to="J3">{X_J3C3}</pose>
  </link>
  <joint name="J3" type="fixed">
    <pose relative_to="C3">{X_C3J3}</pose>  <!-- INVALID relative-to-cycle: does not lead to model frame. -->
    <parent>P3</parent>
    <child>C3</child>
  </joint>
</model>
""",
    ),
    Example(
        "relative_to of frames",
        """
<model name="frame_pose_relative_to">
  <link name="L"> <!-- VALID relative_to=frame_pose_relative_to -->
    <pose>{X_ML}</pose>
  </link>

  <frame name="F0"> <!-- VALID relative_to=frame_pose_relative_to body=L: the attached_to frame (M) by default. -->
    <pose>{X_MF0}</pose>
  </frame>

  <frame name="F1" attached_to="L"> <!-- VALID relative_to=L body=L: the attached_to frame (L -> M) by default. -->
    <pose>{X_LF1}</pose>
  </frame>
  <frame name="F2" attached_to="L"> <!-- VALID relative_to=L body=L: the attached_to frame (L -> M) by default. -->
    <pose relative_to="">{X_LF2}</pose>
  </frame>
  <frame name="F3"> <!-- VALID relative_to=L body=L: Pose relative_to link frame L -> M. -->
    <pose relative_to="L">{X_LF3}</pose>
  </frame>

  <frame name="cycle1">
    <pose relative_to="cycle2">{X_C1C2}</pose>
  </frame>
  <frame name="cycle2">
    <pose relative_to="cycle1">{X_C2C1}</pose>  <!-- INVALID relative-to-cycle: does not lead to model frame. -->
  </frame>
</model>
""",
    ),
    Example(
        "relative_to of frames in a world",
        """
<world name="world_frame_pose_relative_to"> <!-- Implicit world frame. Referred to as (W) -->
  <frame name="F0"> <!-- VALID relative_to=world body=world: the attached_to frame (W) by default. -->
    <pose>{X_WF0}</pose>
  </frame>

  <frame name="F1" attached_to="F0"> <!-- VALID relative_to=F0 body=world: the attached_to frame by default. -->
    <pose>{X_F0F1}</pose>
  </frame>
  <frame name="F2" attached_to="F0"> <!-- VALID relative_to=F0 body=world: the attached_to frame by default. -->
    <pose relative_to="">{X_F0F2}</pose>
  </frame>
  <frame name="F3"> <!-- VALID relative_to=F0 body=world: Pose relative_to frame (F0 -> W). -->
    <pose relative_to="F0">{X_F0F3}</pose>
  </frame>

  <frame name="cycle1">
    <pose relative_to="cycle2">{X_C1C2}</pose>
  </frame>
  <frame name="cycle2">
    <pose relative_to="cycle1">{X_C2C1}</pose>  <!-- INVALID relative-to-cycle: does not lead to world frame. -->
  </frame>
</world>
""",
    ),
    Example(
        "not a cycle",
        """
<model name="not_a_cycle">
  <link name="L1"> <!-- VALID relative_to=not_a_cycle: Pose relative to model frame (M) by default. -->
    <pose>{X_ML1}</pose>
  </link>

  <frame name="F1" attached_to="L2"> <!-- VALID relative_to=L1 body=L2 -->
    <pose relative_to="L1">{X_L1F1}</pose>
  </frame>

  <link name="L2"> <!-- VALID relative_to=F1: Pose relative to frame F1 -> L1 -> M. -->
    <pose relative_to="F1">{X_F1L2}</pose>
  </link>
</model>
""",
    ),
    Example(
        "example using relative_to",
        """
<model name="M">

  <frame name="model_frame" /> <!-- VALID relative_to=M body=P -->

  <link name="P"> <!-- VALID relative_to=model_frame -->
    <pose relative_to="model_frame">{X_MP}</pose>
  </link>

  <link name="C"> <!-- VALID relative_to=P: Recursive pose definition. -->
    <pose relative_to="P">{X_PC}</pose>
  </link>

  <joint name="J" type="fixed"> <!-- VALID relative_to=P body=C -->
    <pose relative_to="P">{X_PJ}</pose>
    <parent>P</parent>
    <child>C</child>
  </joint>

  <frame name="Jp" attached_to="P"> <!-- VALID relative_to=J body=P -->
    <pose relative_to="J" />
  </frame>

  <frame name="Jc" attached_to="C"> <!-- VALID relative_to=J body=C -->
    <pose relative_to="J" />
  </frame>

  <frame name="Jc1" attached_to="J">   <!-- VALID relative_to=J body=C: Jc1 == Jc, since J is attached to C -->
    <pose relative_to="J" />
  </frame>

  <frame name="Jc2" attached_to="J" /> <!-- VALID relative_to=J body=C: relative_to defaults to J. -->

</model>
""",
    ),
    Example(
        "parity with URDF",
        """
<model name="model">

  <link name="link1"/>

  <joint name="joint1" type="revolute"> <!-- VALID relative_to=link1 body=link2 -->
    <pose relative_to="link1">{xyz_L1L2} {rpy_L1L2}</pose>
    <parent>link1</parent>
    <child>link2</child>
  </joint>
  <link name="link2"> <!-- VALID relative_to=joint1 -->
    <pose relative_to="joint1" />
  </link>

  <joint name="joint2" type="revolute"> <!-- VALID relative_to=link1 body=link3 -->
    <pose relative_to="link1">{xyz_L1L3} {rpy_L1L3}</pose>
    <parent>link1</parent>
    <child>link3</child>
  </joint>
  <link name="link3"> <!-- VALID relative_to=joint2 -->
    <pose relative_to="joint2" />
  </link>

  <joint name="joint3" type="revolute"> <!-- VALID relative_to=link3 body=link4 -->
    <pose relative_to="link3">{xyz_L3L4} {rpy_L3L4}</pose>
    <parent>link3</parent>
    <child>link4</child>
  </joint>
  <link name="link4"> <!-- VALID relative_to=joint3 -->
    <pose relative_to="joint3" />
  </link>

</model>
""",
    ),
    Example(
        "parity with URDF using frames",
        """
<model name="model">

  <frame name="joint1_frame" attached_to="link1"> <!-- VALID body=link1 -->
    <pose>{xyz_L1L2} {rpy_L1L2}</pose>
  </frame>
  <frame name="joint2_frame" attached_to="link1"> <!-- VALID body=link1 -->
    <pose>{xyz_L1L3} {rpy_L1L3}</pose>
  </frame>
  <frame name="joint3_frame" attached_to="link3"> <!-- VALID body=link3 -->
    <pose>{xyz_L3L4} {rpy_L3L4}</pose>
  </frame>

  <frame name="link2_frame" attached_to="joint1"/> <!-- VALID body=link2 -->
  <frame name="link3_frame" attached_to="joint2"/> <!-- VALID body=link3 -->
  <frame name="link4_frame" attached_to="joint3"/> <!-- VALID body=link4 -->

  <link name="link1"/>

  <joint name="joint1" type="revolute"> <!-- VALID relative_to=joint1_frame -->
    <pose relative_to="joint1_frame" />
    <parent>link1</parent>
    <child>link2</child>
  </joint>
  <link name="link2"> <!-- VALID relative_to=link2_frame -->
    <pose relative_to="link2_frame" />
  </link>

  <joint name="joint2" type="revolute">
    <pose relative_to="joint2_frame" />
    <parent>link1</parent>
    <child>link3</child>
  </joint>
  <link name="link3">
    <pose relative_to="link3_frame" />
  </link>

  <joint name="joint3" type="revolute">
    <pose relative_to="joint3_frame" />
    <parent>link3</parent>
    <child>link4</child>
  </joint>
  <link name="link4">
    <pose relative_to="link4_frame" />
  </link>

</model>
""",
    ),
    Example(
        "reserved names: a model called world",
        """
<model name="world"><!-- INVALID reserved-name: world is a reserved name. -->
  <link name="link"/>
</model>
""",
    ),
    Example(
        "a name that only resembles a reserved one",
        """
<model name="world_model"><!-- VALID -->
  <link name="link"/>
</model>
""",
    ),
    Example(
        "reserved names: a link called world",
        """
<model name="model">
  <link name="world"/><!-- INVALID reserved-name: world is a reserved name. -->
  <link name="world_link"/><!-- VALID -->
</model>
""",
    ),
    Example(
        "reserved names: a model with double underscores",
        """
<model name="__model__"><!-- INVALID reserved-name: name starts and ends with __. -->
  <link name="link"/>
</model>
""",
    ),
    Example(
        "reserved names: a link with double underscores",
        """
<model name="model">
  <link name="__link__"/><!-- INVALID reserved-name: name starts and ends with __. -->
</model>
""",
    ),
)


@pytest.mark.parametrize("example", EXAMPLES, ids=str)
def test_example(example: Example) -> None:
    check(example)


@pytest.mark.parametrize(
    "forms",
    [
        ("<pose/>", "<pose>0 0 0 0 0 0</pose>"),
        ('<pose relative_to="A"/>', '<pose relative_to="A">0 0 0 0 0 0</pose>'),
        ("", "<pose/>", '<pose relative_to="A"/>', '<pose relative_to="A">0 0 0 0 0 0</pose>'),
    ],
    ids=["pose", "pose relative to a frame", "frame"],
)
def test_empty_pose_and_frame_imply_identity(forms: tuple[str, ...]) -> None:
    poses = []
    for form in forms:
        example = Example(
            "empty",
            f'<model name="m"><link name="L"><pose>1 2 3 0.1 0.2 0.3</pose></link><frame name="A" attached_to="L">'
            f'<pose>0 0 1 0 0 0.5</pose></frame><frame name="F" attached_to="A">{form}</frame></model>',
        )
        check(example)
        model, _, _ = load(example)
        assert model is not None
        poses.append(frame_in(model, "F").pose)
    assert all(np.allclose(pose, poses[0], atol=1e-12) for pose in poses)


def test_the_two_ways_to_say_a_urdf_agree() -> None:
    written, by_frames = (load(example)[0] for example in EXAMPLES if str(example).startswith("parity"))
    assert written is not None
    assert by_frames is not None
    for name in (f"{kind}{number}" for kind in ("link", "joint") for number in range(1, 4)):
        np.testing.assert_allclose(frame_in(written, name).pose, frame_in(by_frames, name).pose, atol=1e-12)
