"""The script that PRODUCT.md promises, as it is written there, on the arm of the examples."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

pytest.importorskip("PIL", reason="to_mjcf reads meshes, which needs the extra [render]")

SCRIPT = """
import sdfviewer

model = sdfviewer.load("arm.sdf")                     # path or text; model, world or URDF; faults are model.diagnostics
for link in model.links:                              # also joints, frames, models, lights, sensors, actors
    link.name, link.pose, link.inertial.mass          # X_ModelLink (4, 4), metres and radians
    for visual in link.visuals:                       # collisions, sensors, lights
        visual.geometry, visual.material, visual.pose # Box(size), Cylinder(radius, length), Mesh(uri, path, scale, submesh) ...
joint = model.joint("joint_2")
joint.type, joint.parent, joint.child, joint.axis.xyz, joint.axis.limits
model.frame("grasp").resolve_pose(relative_to="base")
model.poses({"joint_2": 0.5})["palm"]                 # batches too
model.mass, model.center_of_mass({"joint_2": 0.5}), model.meshes, model.resources
model.graph("relative_to")                            # networkx.DiGraph; "attached_to", "kinematic"
model.to_urdf(), model.to_sdformat("1.9"), model.to_mjcf()

document = sdfviewer.open_document("arm.sdf")
with document.edit("Raise the grasp frame") as edit:  # one undo step; refuses what would be wrong, says why
    edit.set_pose("grasp", xyz=(0, 0, 0.2))
    edit.set_relative_to("grasp", "base", keep="pose")
    edit.rename("palm", "hand")
    edit.add_frame("tcp", attached_to="hand", pose=(0, 0, 0.1, 0, 0, 0))
document.save()                                       # byte for byte, apart from that

sdfviewer.check("arm.sdf"); sdfviewer.diff("old.sdf", "new.sdf")
"""  # noqa: E501  # as it is written there


def test_the_first_script_runs(examples: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = (examples / "arm.sdf").read_text(encoding="utf-8")
    text = re.sub(r"\s*<mimic.*?</mimic>", "", text, flags=re.DOTALL)  # which SDFormat 1.9 does not have
    for name in ("arm.sdf", "old.sdf", "new.sdf"):
        (tmp_path / name).write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    exec(SCRIPT, {})
    after = (tmp_path / "arm.sdf").read_text(encoding="utf-8").splitlines()
    before = text.splitlines()
    assert len(set(before) - set(after)) < 12
    assert '    <frame name="tcp" attached_to="hand">' in after
