"""Pictures of the whole window, as ``sdfviewer screenshot --window`` takes them."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtGui import QImage

from sdfviewer.diagnostics import SdfViewerError
from sdfviewer.gui.shell.application import render_window
from sdfviewer.scene import loader
from sdfviewer.scene.meshes import read_mesh_file

SIZE = (1280, 800)


def taken(examples: Path, out: Path, *actions: str) -> QImage:
    render_window([examples / "nested_gripper.sdf"], SIZE, out, theme="light", actions=actions)
    return QImage(str(out))


def test_a_dialog_that_an_action_opens_is_in_the_picture(qapp: object, examples: Path, tmp_path: Path) -> None:
    plain = taken(examples, tmp_path / "plain.png")
    flattened = taken(examples, tmp_path / "flattened.png", "refactor.flatten")
    assert plain.width() * SIZE[1] == plain.height() * SIZE[0]
    middle, corner = plain.rect().center(), plain.rect().topLeft()
    assert flattened.pixelColor(corner) == plain.pixelColor(corner)
    assert flattened.copy(middle.x() - 50, middle.y() - 50, 100, 100) != plain.copy(
        middle.x() - 50, middle.y() - 50, 100, 100
    )


def test_an_action_that_is_none_is_refused(qapp: object, examples: Path, tmp_path: Path) -> None:
    with pytest.raises(SdfViewerError, match=r"did you mean 'refactor\.flatten'"):
        taken(examples, tmp_path / "none.png", "refactor.flaten")


def test_the_view_shows_what_is_asked_for(qapp: object, examples: Path, tmp_path: Path) -> None:
    def seen(name: str, **options: object) -> QImage:
        out = tmp_path / name
        render_window([examples / "nested_gripper.sdf"], SIZE, out, theme="light", **options)  # type: ignore[arg-type]
        picture = QImage(str(out))
        scale = picture.width() / SIZE[0]
        return picture.copy(int(350 * scale), int(60 * scale), int(450 * scale), int(280 * scale))  # of the 3D view

    pictures = [
        seen("all.png"),
        seen("top.png", view="top"),
        seen("few.png", layers=frozenset({"visuals"})),
        seen("near.png", focus="nested_gripper::gripper"),
    ]
    assert all(one != other for number, one in enumerate(pictures) for other in pictures[:number])


@pytest.mark.parametrize("options", [{"select": ["nope"]}, {"focus": "nope"}, {"positions": {"nope": (1.0,)}}])
def test_a_frame_that_does_not_exist_is_refused(
    qapp: object, examples: Path, tmp_path: Path, options: dict[str, object]
) -> None:
    with pytest.raises(SdfViewerError, match="nope"):
        render_window([examples / "arm.sdf"], SIZE, tmp_path / "x.png", **options)  # type: ignore[arg-type]


def test_a_picture_waits_for_meshes(qapp: object, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "part.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 0 1\nf 1 2 3\n", encoding="utf-8")
    path = tmp_path / "part.sdf"
    mesh = "<geometry><mesh><uri>part.obj</uri></mesh></geometry>"
    link = f'<link name="l"><visual name="v">{mesh}</visual></link>'
    path.write_text(f'<sdf version="1.11"><model name="m">{link}</model></sdf>', encoding="utf-8")

    def slow(*arguments: Any) -> Any:
        time.sleep(1.5)  # the disk
        return read_mesh_file(*arguments)

    with monkeypatch.context() as patch:
        patch.setattr(loader, "read_mesh_file", slow)
        render_window([path], SIZE, tmp_path / "slow.png", theme="light")
    render_window([path], SIZE, tmp_path / "fast.png", theme="light")
    assert QImage(str(tmp_path / "slow.png")) == QImage(str(tmp_path / "fast.png"))
