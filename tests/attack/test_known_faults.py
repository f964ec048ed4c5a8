"""Every fault ever found, tried again with a bound of time and of memory."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest

from tests.attack.budget import run_cli
from tests.attack.faults import FAULTS, Fault

LARGE = {
    "links_and_joints_of_a_urdf_60000",
    "equal_names_20000",
    "urdf_of_8000_links_with_shapes",
    "outlines_8000",
    "names_alike_16000",
    "exports_of_90000_links",
    "different_elements_600000",
    "elements_and_attributes_1000000",
    "frames_210000_of_one_model",
    "worlds_30000",
    "mjcf_classes_of_defaults_that_are_copied_thousands_of_times",
    "mjcf_masses_of_huge_meshes_and_of_one_that_is_scaled_3000_times",
    "all_fixes_of_2000_names_that_find_nothing",
    "xacro_macros_that_double_40_times",
    "log_of_50000_problems",
    "chain_of_1000_fixed_joints",
    "renamed_frames_40000",
    "empty_elements_600000",
    "gltf_of_40_nodes_of_one_large_mesh",
    "obj_face_of_2_million_corners",
}
"""Files so large that each takes two and a half seconds of processor and more: at night only."""


@pytest.mark.parametrize(
    "fault",
    [
        pytest.param(fault, id=fault.name, marks=[pytest.mark.nightly] if fault.name in LARGE else [])
        for fault in FAULTS
    ],
)
def test_a_known_fault_stays_fixed(fault: Fault, tmp_path: Path) -> None:
    fault.write(tmp_path)
    said = ""
    for command in fault.commands:
        done = run_cli(shlex.split(command), tmp_path)
        said += done.output
        assert "Traceback" not in done.output, f"{command}:\n{done.output[-2000:]}"
        assert done.code in (0, 1, 2), f"{command} ended with {done.code}:\n{done.output[-2000:]}"
    assert fault.says in said
