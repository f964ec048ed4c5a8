"""Agreement with libsdformat on the files of the repository: verdicts, codes and frames."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.agreement.comparison import Agreement, Disagreement, compare, compare_recorded
from tests.agreement.recorded import COLLECTION, GENERATED, Recorded, open_recorded

#: So many runs share the generated files, as they may be in processes of their own; three of them by day.
SHARES = 8


@pytest.fixture(scope="module")
def generated(tmp_path_factory: pytest.TempPathFactory) -> Recorded:
    return open_recorded(GENERATED, tmp_path_factory.mktemp("generated"))


def test_the_generated_files_are_whole(generated: Recorded) -> None:
    assert len(generated.answers) == 1200
    assert sum(answer["valid"] for answer in generated.answers) == 778
    assert sum(len(answer["frames"]) for answer in generated.answers) > 14_000


@pytest.mark.parametrize(
    "share", [*range(3), *(pytest.param(share, marks=pytest.mark.nightly) for share in range(3, SHARES))]
)
def test_libsdformat_agrees_about_the_generated_files(share: int, generated: Recorded) -> None:
    agreement = compare_recorded(replace(generated, answers=generated.answers[share::SHARES]))
    assert agreement.disagreements == []
    assert agreement.counts["verdicts"] == agreement.counts["files"] == 1200 // SHARES
    assert agreement.counts["codes"] == agreement.counts["invalid"] > 0
    assert agreement.counts["frame files"] == agreement.counts["with frames"] > 0


def test_libsdformat_agrees_about_the_collection(tmp_path: Path) -> None:
    agreement = compare_recorded(open_recorded(COLLECTION, tmp_path))
    assert agreement.disagreements == []
    assert agreement.counts["frame files"] == agreement.counts["with frames"] > 50
    assert agreement.counts["codes"] == agreement.counts["invalid"] > 20


def test_every_file_that_libsdformat_has_answered_is_in_the_collection(tmp_path: Path) -> None:
    lines = (COLLECTION / "expected.jsonl").read_text(encoding="utf-8").splitlines()
    assert len(open_recorded(COLLECTION, tmp_path).answers) == len(lines)


def answer(**frame: Any) -> dict[str, Any]:
    """Return what libsdformat says of a valid file with one link, one frame and one joint."""
    pose = [1.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0]
    frames = [
        {"name": "m::l", "kind": "link", "pose": pose},
        {"name": "m::f", "kind": "frame", "pose": pose, "attached_to_body": "m::l"},
        {"name": "m::j", "kind": "joint", "pose": pose, "axis": [0.0, 0.0, 1.0]},
    ]
    changed = [{**each, **frame} if each["kind"] == frame.get("kind") else each for each in frames]
    return {"file": "m.sdf", "valid": True, "codes": {}, "frames": changed}


def found(want: Mapping[str, Any], check: Mapping[str, Any], frames: Mapping[str, Any]) -> list[Disagreement]:
    agreement = Agreement()
    compare(dict(want), check, frames, agreement)
    return agreement.disagreements


VALID = {"valid": True, "diagnostics": []}
HERE = {"frames": [{**each, "body": each.get("attached_to_body")} for each in answer()["frames"]]}


@pytest.mark.parametrize(
    ("frame", "what"),
    [
        ({}, None),
        ({"kind": "link", "pose": [1.0, 0.0, 0.0, -1.0, 0.0, 0.0, 0.0]}, None),
        ({"kind": "link", "pose": [1.00001, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0]}, "pose of link 'm::l'"),
        ({"kind": "link", "pose": [1.0, 0.0, 0.0, 1.0, 0.0, 0.0, 1e-5]}, "pose of link 'm::l'"),
        ({"kind": "link", "name": "m::other"}, "link 'm::other'"),
        ({"kind": "frame", "attached_to_body": "m::other"}, "body of 'm::f'"),
        ({"kind": "joint", "axis": [0.0, 1.0, 0.0]}, "axis of 'm::j'"),
    ],
)
def test_each_difference_of_a_frame_is_found(frame: dict[str, Any], what: str | None) -> None:
    assert [each.what for each in found(answer(**frame), VALID, HERE)] == ([] if what is None else [what])


def test_another_verdict_and_another_cause_are_found() -> None:
    error = {"severity": "error", "line": 3, "message": "no", "libsdformat": "ELEMENT_INVALID"}
    refused = {"valid": False, "diagnostics": [error]}
    assert [each.what for each in found(answer(), refused, HERE)] == ["verdict"]
    want = {**answer(), "valid": False, "codes": {"DUPLICATE_NAME": 1}}
    assert [each.what for each in found(want, VALID, HERE)] == ["verdict"]
    assert [each.what for each in found(want, refused, HERE)] == ["codes"]
    assert found({**want, "codes": {"DUPLICATE_NAME": 1, "ELEMENT_INVALID": 1}}, refused, HERE) == []
    assert found({**want, "codes": {"FILE_READ": 1}}, refused, HERE) == []


def test_a_folder_without_answers_is_named(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match=r"expected\.jsonl"):
        open_recorded(tmp_path, tmp_path)
