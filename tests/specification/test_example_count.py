"""Every line that the documents call VALID, INVALID or an ERROR is in an example or in a test of its own."""

from __future__ import annotations

import pytest

from tests.specification import (
    test_seed_composition,
    test_seed_kinematics,
    test_seed_pose_frame_legacy,
    test_seed_pose_frame_semantics,
)
from tests.specification.marked_lines import MARKED, plain
from tests.specification.seeds import INVALID
from tests.specification.statements import COMPOSITION, FRAMES, FRAMES_LEGACY, KINEMATICS

#: The documents, their examples, how many lines each calls valid and how many not.
DOCUMENTS = {
    KINEMATICS: (test_seed_kinematics, 0, 1),
    FRAMES_LEGACY: (test_seed_pose_frame_legacy, 6, 5),
    FRAMES: (test_seed_pose_frame_semantics, 17, 17),
    COMPOSITION: (test_seed_composition, 17, 17),
}
#: Lines that need files beside their own: each is in this test.
WITH_FILES = {
    '<frame name="top_to_mid" attached_to="my_custom_name::mid_link"/>': "the_name_of_an_include_makes_the_scope",
    '<frame name="top_to_mid" attached_to="mid_model::mid_link"/>': "the_name_of_an_include_makes_the_scope",
    '<pose relative_to="super_frame">': "the_pose_of_an_include_is_of_the_scope_around_it",
    '<pose relative_to="mug::super_frame">': "the_pose_of_an_include_is_of_the_scope_around_it",
    "<parent>arm::body</parent>": "a_weld_cannot_reach_out_of_its_file",
}


@pytest.mark.parametrize("name", DOCUMENTS)
def test_every_marked_line_is_in_an_example(name: str) -> None:
    module, valid, invalid = DOCUMENTS[name]
    lines = MARKED[name]
    assert (sum(is_valid for _, is_valid in lines), sum(not is_valid for _, is_valid in lines)) == (valid, invalid)
    written = {plain(line.partition("<!--")[0]) for example in module.EXAMPLES for line in example.xml.splitlines()}
    refused = {
        plain(line.partition("<!--")[0])
        for example in module.EXAMPLES
        for line in example.xml.splitlines()
        if INVALID.search(line)
    }
    missing = [
        xml for xml, is_valid in lines if xml not in (written if is_valid else refused) and xml not in WITH_FILES
    ]
    assert missing == []


def test_the_tests_with_files_exist() -> None:
    for test in WITH_FILES.values():
        assert hasattr(test_seed_composition, f"test_{test}")
