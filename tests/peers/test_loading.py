"""The comparison of packages counts what it says, on files of this repository."""

from __future__ import annotations

from pathlib import Path

import pytest

import sdfviewer
from tests.peers.loading import PACKAGES, Counts, Reader, are_right, format_table, replace_section


@pytest.fixture
def frames(examples: Path) -> list[dict]:
    model = sdfviewer.load(examples / "arm.sdf")
    return [
        {"name": link.scoped_name, "kind": "link", "pose": [*link.pose.xyz, *link.pose.quaternion]}
        for link in model.links
    ]


def test_a_package_answers_in_a_process_of_its_own(examples: Path, frames: list[dict]) -> None:
    reader = Reader(PACKAGES[0])
    try:
        assert are_right(frames, reader.ask(examples / "arm.sdf")["poses"])
        assert ":53:" in reader.ask(examples / "relative_to_cycle.sdf")["error"]
    finally:
        reader.close()


def test_a_link_that_is_elsewhere_or_missing_is_not_right(examples: Path, frames: list[dict]) -> None:
    poses = {link.scoped_name: link.pose for link in sdfviewer.load(examples / "arm.sdf").links}
    assert not are_right(frames, {name: X for name, X in poses.items() if name != "arm::palm"})
    poses["arm::palm"][0, 3] += 1e-5
    assert not are_right(frames, poses)


def test_the_table_replaces_the_former_one(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("# Title\n\n<!-- peers -->\nold\n<!-- /peers -->\n\nMore\n", encoding="utf-8")
    table = format_table({"sdfviewer": Counts(valid=3, loaded=2, right=1, invalid=5, noticed=4, placed=4)})
    assert "| sdfviewer | 2 of 3 | 1 of 3 | 4 of 5 | 4 of 5 |" in table
    replace_section(page, "peers", table)
    text = page.read_text(encoding="utf-8")
    assert (table in text, "old" in text, text.endswith("More\n")) == (True, False, True)
