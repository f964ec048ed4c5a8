"""The 3D view: what a picture costs, drawn in software and with the driver's drawing left out.

``LP_NUM_THREADS`` and the machine decide over the software figures. For the cost on the CPU alone, which is what a
graphics card leaves over, run them again with Mesa's drawing turned off: ``LIBGL_ALWAYS_SOFTWARE=1
GALLIUM_NOOP=1 pytest tests/benchmarks/test_render.py``.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import count
from pathlib import Path

import numpy as np
import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from sdfviewer.files.finder import Finder
from sdfviewer.formats.load import load_model
from sdfviewer.render.offscreen import OffscreenError, offscreen_context
from sdfviewer.render.view import DRAFTS, AdaptiveQuality, Look
from sdfviewer.scene.camera import Camera
from sdfviewer.scene.scene import Scene, update_poses
from sdfviewer.scene.tools.picking import pick
from tests.benchmarks.conftest import NAME, ROBOT
from tests.large import world_of_shapes
from tests.scene.scenes import many

SIZE = (1000, 700)
MODELS = ROBOT.parents[1]

Draw = Callable[..., None]


@pytest.fixture(scope="module")
def context() -> Iterator[str]:
    try:
        with offscreen_context() as platform:
            yield platform
    except OffscreenError as error:
        pytest.skip(str(error))


@pytest.fixture
def show(context: str) -> Iterator[Callable[..., Draw]]:
    """Takes a scene and a look, gives a function that paints one picture to its end."""
    from sdfviewer.render.gl import GL
    from sdfviewer.render.gl_objects import Framebuffer
    from sdfviewer.render.renderer import Renderer

    renderer, target = Renderer(), Framebuffer()
    target.bind(*SIZE, 0)
    framebuffer = int(GL.glGetIntegerv(GL.GL_FRAMEBUFFER_BINDING))

    def start(scene: Scene, look: Look, *, moving: bool = False, zoom: float = 1.0) -> Draw:
        renderer.set_look(look)
        renderer.set_scene(scene)
        camera = Camera().fit(scene.outline(), SIZE[0] / SIZE[1])
        camera = replace(camera, distance=camera.distance * zoom)

        def draw() -> None:
            if moving:
                renderer.set_poses(scene.X_RootF)
            renderer.paint(camera, *SIZE, framebuffer, quality=DRAFTS[0])
            GL.glFinish()

        renderer.finish_loading()
        draw()
        return draw

    yield start
    renderer.release()
    target.release()


def test_update_of_1000_links_and_3000_triads(benchmark: BenchmarkFixture, context: str) -> None:
    """What a slider costs before anything is drawn: poses taken over, packed and uploaded."""
    from sdfviewer.render.gl import GL
    from sdfviewer.render.renderer import Renderer

    scene = many(1000, triads=3000)
    renderer = Renderer()
    renderer.set_scene(scene)
    renderer.paint(Camera(), 16, 16, 0)

    def update() -> None:
        renderer.set_poses(scene.X_RootF)
        renderer.upload()

    benchmark(update)
    GL.glFinish()
    renderer.release()


def test_paint_1000_links_and_3000_triads(benchmark: BenchmarkFixture, show: Callable[..., Draw]) -> None:
    benchmark(show(many(1000, triads=3000), Look(labels=False)))


def test_paint_1000_links_and_3000_triads_while_they_move(
    benchmark: BenchmarkFixture, show: Callable[..., Draw]
) -> None:
    benchmark(show(many(1000, triads=3000), Look(labels=False), moving=True))


def test_paint_1000_links_3000_triads_and_their_labels(benchmark: BenchmarkFixture, show: Callable[..., Draw]) -> None:
    benchmark(show(many(1000, triads=3000), Look()))


def test_paint_1000_joints(benchmark: BenchmarkFixture, show: Callable[..., Draw]) -> None:
    benchmark(show(many(0, triads=1000, joints=1000), Look(labels=False, frames=False)))


def test_paint_50000_triads(benchmark: BenchmarkFixture, show: Callable[..., Draw]) -> None:
    benchmark(show(many(1, triads=50_000), Look(labels=False, grid=False)))


def test_pick_among_10000_surfaces(benchmark: BenchmarkFixture) -> None:
    scene = many(10_000)
    camera = Camera().fit(scene.outline(), SIZE[0] / SIZE[1])
    _ = scene.surface_arrays
    spots = iter(np.random.default_rng(1).uniform((200, 200), (800, 500), (1_000_000, 2)))

    def pick_next() -> object:
        x, y = next(spots)
        return pick(scene, camera, x, y, *SIZE)

    benchmark(pick_next)


def test_pose_update_of_the_scene_for_10000_surfaces(benchmark: BenchmarkFixture) -> None:
    scene = many(10_000)
    _ = scene.surface_arrays
    benchmark(lambda: update_poses(scene, scene.X_RootF))


def _shown_whole(path: Path, show: Callable[..., Draw], builder: object) -> None:
    from sdfviewer.scene.scene_build import SceneBuilder

    assert isinstance(builder, SceneBuilder)
    model = load_model(path, paths=[MODELS])
    show(builder.build(model), Look())


@pytest.mark.parametrize("warm", [False, True], ids=["nothing loaded before", "meshes and textures loaded before"])
def test_robot_from_file_to_picture(
    benchmark: BenchmarkFixture, show: Callable[..., Draw], monkeypatch: pytest.MonkeyPatch, warm: bool
) -> None:
    from sdfviewer.files.finder import Finder
    from sdfviewer.scene.loader import MeshLoader
    from sdfviewer.scene.scene_build import SceneBuilder
    from sdfviewer.scene.textures import TextureCache

    benchmark.extra_info["on"] = f"{NAME}, {'meshes and textures' if warm else 'nothing'} loaded before"
    finder = Finder([MODELS])
    kept = SceneBuilder(finder, MeshLoader(finder).load)

    def run() -> None:
        if warm:
            _shown_whole(ROBOT, show, kept)
            return
        cold = TextureCache()
        monkeypatch.setattr("sdfviewer.render.textures.TEXTURES", cold)
        _shown_whole(ROBOT, show, SceneBuilder(finder, MeshLoader(finder, cold).load))

    benchmark.pedantic(run, rounds=3, warmup_rounds=int(warm))


def test_paint_a_world_of_3000_models(benchmark: BenchmarkFixture, show: Callable[..., Draw]) -> None:
    """A frame of the 3000-model world while the camera moves, labels decluttered; its memory as extra figure."""
    from tests.scenes import build_scene

    start = time.perf_counter()
    draw = show(build_scene(load_model(world_of_shapes(3000))), Look(), zoom=0.1)
    benchmark.extra_info["seconds to first picture"] = round(time.perf_counter() - start, 2)
    benchmark(draw)
    resource = pytest.importorskip("resource", reason="this system does not tell the peak of memory")
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    benchmark.extra_info["peak memory MB"] = round(peak)


@pytest.mark.target(0.04)
@pytest.mark.parametrize("joints", [False, True], ids=["orbit", "orbit while the joints move"])
def test_picture_of_a_robot_in_motion_at_1920x1080(benchmark: BenchmarkFixture, context: str, joints: bool) -> None:
    """One picture of a scripted orbit, with the quality that the view has settled at."""
    from sdfviewer.render.gl import GL
    from sdfviewer.render.gl_objects import Framebuffer
    from sdfviewer.render.renderer import Renderer
    from tests.scenes import build_scene

    finder = Finder([MODELS])
    scene = build_scene(load_model(ROBOT, paths=[MODELS]), finder=finder)
    size = (1920, 1080)
    renderer, target = Renderer(), Framebuffer()
    target.bind(*size, 0)
    framebuffer = int(GL.glGetIntegerv(GL.GL_FRAMEBUFFER_BINDING))
    renderer.set_scene(scene)
    renderer.paint(Camera(), *size, framebuffer, quality=DRAFTS[0])
    renderer.finish_loading()
    camera, adaptive, steps = Camera().fit(scene.outline(), size[0] / size[1]), AdaptiveQuality(), count()

    def turn() -> None:
        start = time.perf_counter()
        if joints:
            renderer.set_poses(scene.X_RootF.copy(), scene.joints.values)
        turned = replace(camera, yaw=camera.yaw + 0.05 * next(steps))
        renderer.paint(turned, *size, framebuffer, quality=adaptive.draft)
        renderer.finish()
        adaptive.report(time.perf_counter() - start)

    for _ in range(20):
        turn()
    benchmark(turn)
    benchmark.extra_info["on"] = f"{NAME}, {'joints too' if joints else 'camera'}, {adaptive.draft}"
    renderer.release()
    target.release()
