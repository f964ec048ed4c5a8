"""``sdfviewer screenshot``: pictures without a display."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image, ImageSequence

from sdfviewer.cli import main
from sdfviewer.render.offscreen import OffscreenError, offscreen_context


@pytest.fixture(scope="module", autouse=True)
def graphics() -> None:
    try:
        with offscreen_context():
            pass
    except OffscreenError as error:
        pytest.skip(str(error))


def pixels(path: Path) -> NDArray[np.uint8]:
    with Image.open(path) as picture:
        return np.asarray(picture)


def shoot(examples: Path, out: Path, *options: str) -> NDArray[np.uint8]:
    assert main(["screenshot", "--size", "160x120", "-o", str(out), *options, str(examples / "arm.sdf")]) == 0
    return pixels(out)


def test_a_picture_of_the_size_asked_for(examples: Path, tmp_path: Path) -> None:
    picture = shoot(examples, tmp_path / "arm.png")
    assert picture.shape[:2] == (120, 160)
    assert len(np.unique(picture.reshape(-1, picture.shape[2]), axis=0)) > 50


def test_as_large_as_four_thousand_pixels(examples: Path, tmp_path: Path) -> None:
    assert shoot(examples, tmp_path / "arm.png", "--size", "4096x16").shape[:2] == (16, 4096)
    assert main(["screenshot", "--size", "5000x16", "-o", str(tmp_path / "a.png"), str(examples / "arm.sdf")]) == 2


def test_a_clear_background_on_request(examples: Path, tmp_path: Path) -> None:
    alpha = shoot(examples, tmp_path / "arm.png", "--transparent", "--show", "visuals")[..., 3]
    assert alpha.min() == 0
    assert alpha.max() == 255


def test_a_turntable_is_a_picture_for_each_step(examples: Path, tmp_path: Path) -> None:
    assert (
        main(
            [
                "screenshot",
                "--size",
                "64x48",
                "--turntable",
                "3",
                "-o",
                str(tmp_path / "t.png"),
                str(examples / "arm.sdf"),
            ]
        )
        == 0
    )
    pictures = [pixels(tmp_path / f"t_00{number}.png") for number in range(3)]
    assert (pictures[0] != pictures[1]).any()
    assert not (tmp_path / "t_003.png").exists()


def test_joints_and_layers_show(examples: Path, tmp_path: Path) -> None:
    plain = shoot(examples, tmp_path / "a.png", "--show", "visuals")
    bent = shoot(examples, tmp_path / "b.png", "--show", "visuals", "--joint", "arm::joint_2=0.6")
    frames = shoot(examples, tmp_path / "c.png", "--show", "visuals,frames")
    assert (plain != bent).any()
    assert (plain != frames).any()


def test_an_unknown_layer_is_refused_by_name(
    examples: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = str(tmp_path / "a.png")
    assert main(["screenshot", "--show", "visuls", "-o", out, str(examples / "arm.sdf")]) == 2
    assert "visuls" in capsys.readouterr().err


@pytest.mark.parametrize(
    "options", [["--select", "arm::grasp"], ["--window", "--transparent"], ["--window", "--turntable", "3"]]
)
def test_options_that_would_have_no_effect_are_refused(examples: Path, tmp_path: Path, options: list[str]) -> None:
    assert main(["screenshot", *options, "-o", str(tmp_path / "a.png"), str(examples / "arm.sdf")]) == 2


def test_a_sweep_is_written_as_a_gif(examples: Path, tmp_path: Path) -> None:
    options = ["--sweep", "joint_2=0:1", "--frames", "3", "--trace", "arm::grasp", "--light-collisions"]
    shoot_motion(examples, tmp_path / "arm.gif", *options)
    with Image.open(tmp_path / "arm.gif") as image:
        assert (frames_in(image), image.size) == (3, (160, 120))


def test_joint_states_and_turntables_are_motions(examples: Path, tmp_path: Path) -> None:
    (tmp_path / "states.csv").write_text("time,joint_2\n0,0\n2,1\n", encoding="utf-8")
    shoot_motion(examples, tmp_path / "a.png", "--motion", str(tmp_path / "states.csv"), "--frames", "2")
    shoot_motion(examples, tmp_path / "b.png", "--sweep", "joint_2=0:1", "--frames", "2")
    assert (pixels(tmp_path / "a_001.png") == pixels(tmp_path / "b_001.png")).all()
    shoot_motion(examples, tmp_path / "turn.gif", "--turntable", "2")
    with Image.open(tmp_path / "turn.gif") as image:
        assert frames_in(image) == 2


def test_links_that_collide_are_lit(examples: Path, tmp_path: Path) -> None:
    bent = ["--joint", "arm::joint_2=2", "--show", "visuals"]
    plain = shoot(examples, tmp_path / "a.png", *bent)
    lit = shoot(examples, tmp_path / "b.png", *bent, "--light-collisions")
    assert (plain != lit).any()


@pytest.mark.parametrize(
    "options",
    [
        ["--frames", "3"],
        ["--trace", "arm::grasp"],
        ["--sweep", "joint_2", "--turntable", "3"],
        ["--sweep", "joint_2", "--frames", "1"],
        ["--sweep", "joint_2", "--fps", "0"],
        ["--window", "--sweep", "joint_2"],
    ],
)
def test_options_of_motions_that_would_have_no_effect_are_refused(
    examples: Path, tmp_path: Path, options: list[str]
) -> None:
    assert main(["screenshot", *options, "-o", str(tmp_path / "a.gif"), str(examples / "arm.sdf")]) == 2


def shoot_motion(examples: Path, out: Path, *options: str) -> None:
    assert main(["screenshot", "--size", "160x120", "-o", str(out), *options, str(examples / "arm.sdf")]) == 0


def frames_in(image: Image.Image) -> int:
    return sum(1 for _ in ImageSequence.Iterator(image))
