"""What libsdformat refuses of old files."""

from __future__ import annotations

import pytest

from sdfviewer.formats.load import load_model

VISUAL = (
    '<visual name="v"><pose frame="{}">0 0 0 0 0 0</pose><geometry><box><size>1 1 1</size></box></geometry></visual>'
)


def errors(version: str, content: str = "") -> list[tuple[str, str | None]]:
    model = load_model(f'<sdf version="{version}"><model name="m"><link name="l">{content}</link></model></sdf>')
    return [(each.rule.name, each.libsdformat) for each in model.diagnostics if each.is_error]


@pytest.mark.parametrize(("version", "expected"), [("1.0", ["version-unsupported"]), ("1.2", []), ("1.4", [])])
def test_files_older_than_1_2_cannot_be_converted(version: str, expected: list[str]) -> None:
    assert [rule for rule, _ in errors(version)] == expected


def test_the_frame_of_a_pose_cannot_be_the_root() -> None:
    assert errors("1.6", VISUAL.format("__root__")) == [("bad-attribute-value", "ATTRIBUTE_INVALID")]
    assert errors("1.6", VISUAL.format("l")) == []
