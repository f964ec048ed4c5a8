"""Unsaved work on the disk: the last text, and nothing once there is none."""

from __future__ import annotations

from pathlib import Path

import pytest

from sdfviewer.document.xml.encoding import Encoding, decode
from sdfviewer.files import recovery
from sdfviewer.files.recovery import recoveries
from sdfviewer.files.saving import SaveError
from sdfviewer.session.unsaved_work import UnsavedText, UnsavedWork


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(recovery, "recovery_folder", lambda: tmp_path / "recovery")
    return tmp_path / "recovery"


def text(words: str, encoding: Encoding | None = None) -> UnsavedText:
    return UnsavedText(Path("/robot.sdf"), words, encoding or Encoding(), None)


def test_the_last_text_is_kept_and_then_forgotten() -> None:
    work = UnsavedWork()
    jobs = [work.keep(text(f"<sdf>{number}</sdf>")) for number in range(50)]
    jobs[-1].result()
    assert [lost.data for lost in recoveries()] == [b"<sdf>49</sdf>"]
    work.keep(None).result()
    assert recoveries() == []
    work.keep(text("<sdf/>"))
    work.close()
    assert recoveries() == []


def test_text_that_cannot_be_written_is_kept_all_the_same() -> None:
    work = UnsavedWork()
    work.keep(text("<sdf>half a pair: \ud83d</sdf>")).result()
    (lost,) = recoveries()
    assert decode(lost.data).text == "<sdf>half a pair: \ufffd</sdf>"
    work.close()


def test_a_full_disk_is_reported_to_the_one_who_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **_more: object) -> None:
        raise SaveError("no space left")

    work = UnsavedWork()
    monkeypatch.setattr("sdfviewer.session.unsaved_work.write_recovery", refuse)
    with pytest.raises(SaveError):
        work.keep(text("<sdf/>")).result()
    work.close()


def test_files_without_a_name_are_kept_apart() -> None:
    one, other = UnsavedWork(), UnsavedWork()
    for work, words in ((one, "<sdf>1</sdf>"), (other, "<sdf>2</sdf>")):
        work.keep(UnsavedText(None, words, Encoding(), None)).result()
    assert {lost.data for lost in recoveries()} == {b"<sdf>1</sdf>", b"<sdf>2</sdf>"}
    one.close()
    assert [lost.data for lost in recoveries()] == [b"<sdf>2</sdf>"]
    other.close()
