"""``sdfviewer screenshot``: write an image or a motion of the 3D view, or an image of the window."""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from sdfviewer.cli.frames import configuration, resolved
from sdfviewer.cli.inputs import (
    CLEAN,
    add_joint_option,
    add_path_option,
    load_model,
    make_finder,
    make_loader,
    parse_positions,
    read,
)
from sdfviewer.cli.inputs.motions import add_motion_options, has_motion, note_sweep, read_motion
from sdfviewer.cli.outputs import print_note
from sdfviewer.diagnostics import SdfViewerError
from sdfviewer.export.animation import DEFAULT_FPS, animation_kind, write_animation
from sdfviewer.files.finder import Finder
from sdfviewer.library.drawing import LAYERS as OF_MODELS
from sdfviewer.model.kinematics.conventions import PoseConvention
from sdfviewer.model.kinematics.forward import Kinematics
from sdfviewer.model.model import Model
from sdfviewer.scene.camera import VIEWS
from sdfviewer.transforms import Array

if TYPE_CHECKING:
    from PIL.Image import Image as Picture

    from sdfviewer.render.screenshot import MotionStep
    from sdfviewer.scene.camera import Camera
    from sdfviewer.scene.nodes import Lines
    from sdfviewer.scene.scene import Scene
    from sdfviewer.scene.scene_build import SceneOptions

#: What ``--show`` can name.
LAYERS = (*OF_MODELS[:-1], "relative_to", "attached_to", OF_MODELS[-1])
_DEFAULT_LAYERS = "visuals,sensors,lights,frames,joints,labels,grid,shadows"
_LARGEST = 4096
_SMALL = 1600
_SAMPLES = 8
_FRAMES = 60
_SEEN = 12
"""The camera is fitted to so many configurations of a motion."""
_MOST_FRAMES, _MOST_FPS = 10_000, 240


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of this command."""
    add_path_option(parser)
    parser.add_argument(
        "--window", action="store_true", help="capture the whole window instead of the 3D view (needs a display)"
    )
    parser.add_argument("--size", metavar="WxH", default="1280x800", help="pixels (default: %(default)s)")
    parser.add_argument(
        "--view",
        choices=tuple(VIEWS),
        help="camera direction (default: iso)",
    )
    parser.add_argument("--orthographic", action="store_true", help="use a parallel projection")
    add_joint_option(parser)
    parser.add_argument(
        "--show",
        metavar="LAYERS",
        help=f"comma-separated: {', '.join(LAYERS)} (default: {_DEFAULT_LAYERS})",
    )
    parser.add_argument("--focus", metavar="FRAME", help="fit the view to this frame and everything on it")
    parser.add_argument(
        "--select", metavar="FRAME", action="append", default=[], help="with --window: select this frame (repeatable)"
    )
    parser.add_argument(
        "--action",
        metavar="ID",
        action="append",
        default=[],
        help="with --window: run this action first, for example compare.side or refactor.flatten (repeatable)",
    )
    parser.add_argument("--theme", choices=("light", "dark"), default="light", help="colours (default: %(default)s)")
    parser.add_argument("--transparent", action="store_true", help="make the background transparent")
    parser.add_argument("--turntable", metavar="N", type=int, default=0, help="take N pictures around the model")
    add_motion_options(parser)
    parser.add_argument("--frames", metavar="N", type=int, help=f"number of pictures of a motion (default: {_FRAMES})")
    parser.add_argument(
        "--fps", metavar="N", type=float, default=DEFAULT_FPS, help="frames per second (default: %(default)g)"
    )
    parser.add_argument(
        "--trace", metavar="FRAME", action="append", default=[], help="draw the path of a frame (repeatable)"
    )
    parser.add_argument("--light-collisions", action="store_true", help="highlight the links that collide")
    parser.add_argument(
        "-o",
        "--output",
        metavar="OUT",
        type=Path,
        required=True,
        help="output file: .png, or .gif or .mp4 for a motion or a turntable; several .png files are numbered",
    )
    parser.add_argument("file", metavar="FILE", help="a file, or - for standard input")


def run(options: argparse.Namespace) -> int:
    """Run the command and return its exit code."""
    size = _parse_size(options.size)
    moves = has_motion(options)
    _check_motion_options(options, moves)
    if options.window:
        if options.file == "-":
            raise SdfViewerError("--window needs a file")
        if options.transparent or options.turntable or moves or options.light_collisions:
            raise SdfViewerError(
                "--transparent, --turntable, --light-collisions and motions cannot be used with --window"
            )
        from sdfviewer import gui

        gui.render_window(
            [Path(options.file)],
            size,
            options.output,
            theme=options.theme,
            select=options.select,
            positions=_window_positions(options),
            model_paths=options.path,
            actions=options.action,
            layers=_layers(options) if options.show is not None else None,
            view=options.view,
            orthographic=options.orthographic,
            focus=options.focus,
        )
        return CLEAN
    if options.action or options.select:
        raise SdfViewerError(f"--{'action' if options.action else 'select'} needs --window")
    from sdfviewer.scene.textures import MAX_EDGE, TEXTURES

    # A small picture shows no more of its textures than this.
    TEXTURES.edge = MAX_EDGE if max(size) > _SMALL else MAX_EDGE // 2
    finder = make_finder(options)
    model, _ = load_model(make_loader(options), read(options.file))
    scene = _build_scene(options, model, finder)
    steps: Iterable[MotionStep]
    if moves or options.light_collisions:
        steps, lines = _motion_steps(options, model, scene, finder, size, moves=moves)
    else:
        steps, lines = _turn(_camera(options, scene, size), options.turntable), None
    _render(options, scene, steps, lines, size, several=moves or options.turntable > 0)
    return CLEAN


def _check_motion_options(options: argparse.Namespace, moves: bool) -> None:
    """Refuse options that would have no effect, and numbers that make no motion."""
    if moves and options.turntable:
        raise SdfViewerError("--turntable cannot be used with --sweep or --motion")
    for word, given in (("--frames", options.frames is not None), ("--trace", bool(options.trace))):
        if given and not moves:
            raise SdfViewerError(f"{word} needs --sweep or --motion")
    if options.frames is not None and not 2 <= options.frames <= _MOST_FRAMES:
        raise SdfViewerError(f"--frames {options.frames}: expected a number from 2 to {_MOST_FRAMES}")
    if not 0 < options.fps <= _MOST_FPS:
        raise SdfViewerError(f"--fps {options.fps:g}: expected a number up to {_MOST_FPS}")
    if moves or options.turntable:
        animation_kind(options.output)


def _turn(camera: Camera, turntable: int) -> list[MotionStep]:
    """Return the steps around the model, or one where it is seen from one side only."""
    from sdfviewer.render.screenshot import MotionStep

    count = max(1, turntable)
    return [MotionStep(replace(camera, yaw=camera.yaw + 2 * math.pi * number / count)) for number in range(count)]


def _motion_steps(
    options: argparse.Namespace, model: Model, scene: Scene, finder: Finder, size: tuple[int, int], *, moves: bool
) -> tuple[Iterator[MotionStep], Lines]:
    """Return the steps of a motion, or the one of a model that does not move, and the ways of frames."""
    from sdfviewer.scene.marks import path_lines
    from sdfviewer.scene.nodes import Lines
    from sdfviewer.scene.scene import update_poses

    kinematics = Kinematics(model)
    q = configuration(kinematics, parse_positions(options.joint))
    configurations = q[None]
    if moves:
        motion = read_motion(options, kinematics, q, options.frames or _FRAMES)
        configurations = motion.q
        if motion.sweep is not None:
            note_sweep(motion.sweep)
    rows = [model.row(name) for name in options.trace]
    ways = kinematics.poses(configurations, rows)[..., :3, 3]
    lines = [path_lines(ways[:, number]) for number in range(len(rows))]
    seen = configurations[:: max(1, len(configurations) // _SEEN)]
    outlines = [update_poses(scene, X).outline() for X in kinematics.poses(seen)]
    camera = _camera(options, scene, size, np.concatenate(outlines))
    return _steps(options, kinematics, configurations, scene, camera, finder), Lines.concatenate(lines)


def _steps(
    options: argparse.Namespace,
    kinematics: Kinematics,
    configurations: Array,
    scene: Scene,
    camera: Camera,
    finder: Finder,
) -> Iterator[MotionStep]:
    from sdfviewer.render.screenshot import MotionStep
    from sdfviewer.scene.collisions import CollisionChecker
    from sdfviewer.scene.glyphs import values_of
    from sdfviewer.scene.loader import MeshLoader
    from sdfviewer.scene.marks import collision_tints

    checker = CollisionChecker(kinematics, MeshLoader(finder)) if options.light_collisions else None
    for q in configurations:
        lit = None
        if checker is not None:
            links = {link for pair in checker.colliding(q[None])[0] for link in pair}
            lit = collision_tints(kinematics.model, links)
        positions = dict(zip((dof.name for dof in kinematics.dofs), q.tolist(), strict=True))
        yield MotionStep(camera, kinematics.poses(q), values_of(scene.joints, positions), lit)


def _parse_size(text: str) -> tuple[int, int]:
    width, _, height = text.lower().partition("x")
    if not (width.isdigit() and height.isdigit() and 16 <= int(width) <= _LARGEST and 16 <= int(height) <= _LARGEST):
        raise SdfViewerError(f"--size {text}: expected WIDTHxHEIGHT, each from 16 to {_LARGEST}")
    return int(width), int(height)


def _layers(options: argparse.Namespace) -> frozenset[str]:
    words = _DEFAULT_LAYERS if options.show is None else options.show
    layers = frozenset(word.strip() for word in words.split(",") if word.strip())
    if unknown := sorted(layers - set(LAYERS)):
        raise SdfViewerError(f"--show: no layer {', '.join(map(repr, unknown))}; use one of: {', '.join(LAYERS)}")
    return layers


def _build_scene(options: argparse.Namespace, model: Model, finder: Finder) -> Scene:
    from sdfviewer.scene.scene import update_poses
    from sdfviewer.scene.scene_build import load_scene

    scene, problems = load_scene(model, _scene_options(_layers(options)), finder)
    for problem in problems:
        print_note(f"sdfviewer: {problem.sentence}")
    positions = parse_positions(options.joint)
    return update_poses(scene, resolved(PoseConvention(model), positions, None)) if positions else scene


def _window_positions(options: argparse.Namespace) -> dict[str, tuple[float, ...]]:
    """Return the joint positions of the window by scoped name; only the model knows the units of the joints."""
    if not options.joint:
        return {}
    kinematics = Kinematics(load_model(make_loader(options), read(options.file))[0])
    return kinematics.joint_positions(configuration(kinematics, parse_positions(options.joint)))


def _scene_options(layers: frozenset[str]) -> SceneOptions:
    from sdfviewer.scene.scene_build import SceneOptions

    edges = next((graph for graph in ("relative_to", "attached_to") if graph in layers), None)
    return SceneOptions.of_layers(layers, edges)  # type: ignore[arg-type]


def _camera(options: argparse.Namespace, scene: Scene, size: tuple[int, int], outline: Array | None = None) -> Camera:
    """Return the camera that sees a frame or the whole scene; points (k, 3) are those of a motion in all."""
    from sdfviewer.render.screenshot import camera_of

    rows = None
    if options.focus:
        if options.focus not in scene.names:
            raise SdfViewerError(f"no frame is called '{options.focus}'")
        rows = [scene.names.index(options.focus)]
    return camera_of(scene, options.view or "iso", size, rows, outline, orthographic=options.orthographic)


def _render(
    options: argparse.Namespace,
    scene: Scene,
    steps: Iterable[MotionStep],
    lines: Lines | None,
    size: tuple[int, int],
    *,
    several: bool,
) -> None:
    from PIL import Image

    from sdfviewer.render.offscreen import OffscreenError
    from sdfviewer.render.screenshot import look_of, render_motion

    pictures = render_motion(
        scene,
        steps,
        size,
        samples=_SAMPLES,
        transparent=options.transparent,
        look=look_of(_layers(options), dark=options.theme == "dark"),
        context=_context(),
        lines=lines,
    )
    try:
        if several:
            write_animation(pictures, options.output, options.fps)
        else:
            for picture in pictures:
                _save(Image.fromarray(picture), options.output)
    except OffscreenError as error:
        raise SdfViewerError(str(error)) from error


def _context() -> Callable[[], AbstractContextManager[object]]:
    """Return a factory of OpenGL contexts without a window; on macOS and Windows only the window system has any."""
    if sys.platform in ("darwin", "win32"):
        from sdfviewer import gui

        return gui.hidden_context
    from sdfviewer.render.offscreen import offscreen_context

    return offscreen_context


def _save(picture: Picture, path: Path) -> None:
    try:
        picture.save(path)
    except (OSError, ValueError) as error:
        raise SdfViewerError(f"cannot write {path}: {error}") from error
