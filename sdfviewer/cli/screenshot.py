"""``sdfviewer screenshot``: a picture of the 3D view, without a display, or of the whole window."""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from sdfviewer.cli.frames import resolved
from sdfviewer.cli.inputs import CLEAN, add_path_option, make_finder, parse_positions, read
from sdfviewer.diagnostics import SdfViewerError
from sdfviewer.document.finder import Finder
from sdfviewer.semantics import Loader
from sdfviewer.semantics.kinematics.readings import Reading

if TYPE_CHECKING:
    from PIL.Image import Image as Picture

    from sdfviewer.render.look import Look
    from sdfviewer.scene.build import SceneOptions
    from sdfviewer.scene.camera import Camera
    from sdfviewer.scene.scene import Scene

#: What ``--show`` can name.
LAYERS = (
    "visuals", "collisions", "inertia", "com", "sensors", "lights", "frames", "joints", "labels", "grid", "shadows",
    "jp", "canonical", "relative_to", "attached_to", "wireframe",
)  # fmt: skip
_DEFAULT_LAYERS = "visuals,sensors,lights,frames,joints,labels,grid,shadows"
_LARGEST = 4096
_SMALL = 1600
_SAMPLES = 8


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of this command."""
    add_path_option(parser)
    parser.add_argument(
        "--window", action="store_true", help="the whole window rather than the 3D view (needs a display)"
    )
    parser.add_argument("--size", metavar="WxH", default="1280x800", help="pixels (default: %(default)s)")
    parser.add_argument(
        "--view",
        default="iso",
        choices=("iso", "front", "back", "left", "right", "top", "bottom"),
        help="where the camera stands (default: %(default)s)",
    )
    parser.add_argument("--orthographic", action="store_true", help="no perspective")
    parser.add_argument(
        "--joint", metavar="NAME=VALUE", action="append", default=[], help="position of a joint (rad or m; repeatable)"
    )
    parser.add_argument(
        "--show",
        metavar="LAYERS",
        default=_DEFAULT_LAYERS,
        help=f"comma-separated: {', '.join(LAYERS)} (default: {_DEFAULT_LAYERS})",
    )
    parser.add_argument("--focus", metavar="FRAME", help="look at this frame and what is on it")
    parser.add_argument("--select", metavar="FRAME", action="append", default=[], help="show as selected (repeatable)")
    parser.add_argument(
        "--action",
        metavar="ID",
        action="append",
        default=[],
        help="with --window: run this action first, for example compare.side or refactor.flatten (repeatable)",
    )
    parser.add_argument("--theme", choices=("light", "dark"), default="light", help="(default: %(default)s)")
    parser.add_argument("--transparent", action="store_true", help="leave the background clear")
    parser.add_argument("--turntable", metavar="N", type=int, default=0, help="N pictures around the model")
    parser.add_argument("-o", "--output", metavar="OUT.png", type=Path, required=True, help="the picture's file")
    parser.add_argument("file", metavar="FILE", help="a file, or - for standard input")


def run(options: argparse.Namespace) -> int:
    """Run the command and return its exit code."""
    size = _parse_size(options.size)
    if options.window:
        if options.file == "-":
            raise SdfViewerError("--window needs a file")
        from sdfviewer import gui

        gui.render_window(
            [Path(options.file)],
            size,
            options.output,
            theme=options.theme,
            select=options.select,
            positions=parse_positions(options.joint),
            model_paths=options.path,
            actions=options.action,
        )
        return CLEAN
    from sdfviewer.scene.textures import MAX_EDGE, TEXTURES

    # A small picture shows no more of its textures than this.
    TEXTURES.edge = MAX_EDGE if max(size) > _SMALL else MAX_EDGE // 2
    finder = make_finder(options)
    scene = _build_scene(options, finder)
    look = _look(options)
    camera = _camera(options, scene, size)
    count = max(1, options.turntable)
    cameras = [replace(camera, yaw=camera.yaw + 2 * math.pi * number / count) for number in range(count)]
    names = [options.output]
    if options.turntable:
        names = [options.output.with_stem(f"{options.output.stem}_{number:03d}") for number in range(count)]
    _render(scene, cameras, size, look, options.transparent, names)
    return CLEAN


def _parse_size(text: str) -> tuple[int, int]:
    width, _, height = text.lower().partition("x")
    if not (width.isdigit() and height.isdigit() and 16 <= int(width) <= _LARGEST and 16 <= int(height) <= _LARGEST):
        raise SdfViewerError(f"--size {text}: write WIDTHxHEIGHT, each from 16 to {_LARGEST}")
    return int(width), int(height)


def _layers(options: argparse.Namespace) -> frozenset[str]:
    layers = frozenset(word.strip() for word in options.show.split(",") if word.strip())
    if unknown := sorted(layers - set(LAYERS)):
        raise SdfViewerError(f"--show: no layer {', '.join(map(repr, unknown))}; there are {', '.join(LAYERS)}")
    return layers


def _build_scene(options: argparse.Namespace, finder: Finder) -> Scene:
    from sdfviewer.scene.build import SceneBuilder
    from sdfviewer.scene.loader import MeshLoader
    from sdfviewer.scene.scene import update_poses

    model, diagnostics = Loader(finder).load_with_diagnostics(read(options.file))
    if model is None:
        raise SdfViewerError(f"{options.file}: {diagnostics[0].message if diagnostics else 'nothing to show'}")
    loader = MeshLoader(finder)
    builder = SceneBuilder(finder, loader.load)
    scene_options = _scene_options(_layers(options))
    loader.start(builder.shapes(model, scene_options)).wait()
    scene = builder.build(model, scene_options)
    for problem in builder.problems:
        print(f"sdfviewer: {problem.uri}: {problem.message}", file=sys.stderr)
    positions = parse_positions(options.joint)
    return update_poses(scene, resolved(Reading(model), positions, None)) if positions else scene


def _scene_options(layers: frozenset[str]) -> SceneOptions:
    from sdfviewer.scene.build import FRAME_KINDS, SceneOptions

    edges = next((graph for graph in ("relative_to", "attached_to") if graph in layers), None)
    return SceneOptions(
        visuals="visuals" in layers,
        collisions="collisions" in layers,
        inertia="inertia" in layers,
        centres_of_mass="com" in layers,
        sensors="sensors" in layers,
        lights="lights" in layers,
        frames=FRAME_KINDS if "frames" in layers else frozenset(),
        labels="labels" in layers,
        joints="joints" in layers,
        parent_sides="jp" in layers,
        canonical_links="canonical" in layers,
        edges=edges,  # type: ignore[arg-type]
    )


def _look(options: argparse.Namespace) -> Look:
    from sdfviewer.render.look import Look

    layers = _layers(options)
    return Look(
        dark=options.theme == "dark",
        wireframe="wireframe" in layers,
        shadows="shadows" in layers,
        grid="grid" in layers,
        view_cube=False,
        transparent_background=options.transparent,
    )


def _camera(options: argparse.Namespace, scene: Scene, size: tuple[int, int]) -> Camera:
    from sdfviewer.scene.camera import Camera

    rows = None
    if options.focus:
        if options.focus not in scene.names:
            raise SdfViewerError(f"no frame is called '{options.focus}'")
        rows = [scene.names.index(options.focus)]
    camera = replace(Camera(), orthographic=options.orthographic).seen_from(options.view)
    return camera.fit(scene.outline(rows), size[0] / size[1])


def _render(
    scene: Scene, cameras: list[Camera], size: tuple[int, int], look: Look, transparent: bool, paths: list[Path]
) -> None:
    from PIL import Image

    from sdfviewer.render.offscreen import OffscreenError
    from sdfviewer.render.screenshot import render_images

    try:
        pictures = render_images(
            scene, cameras, size, samples=_SAMPLES, transparent=transparent, look=look, context=_context()
        )
        for picture, path in zip(pictures, paths, strict=True):
            _save(Image.fromarray(picture), path)
    except OffscreenError as error:
        raise SdfViewerError(str(error)) from error


def _context() -> Callable[[], AbstractContextManager[object]]:
    """Return what makes an OpenGL context without a window: on macOS and Windows only the window system has any."""
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
