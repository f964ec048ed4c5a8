"""A picture of a model without a window."""

from __future__ import annotations

import io
import sys
from collections.abc import Sequence
from pathlib import Path

from sdfviewer.diagnostics import InvalidValueError, SdfViewerError
from sdfviewer.extras import required_extras
from sdfviewer.files.finder import Finder
from sdfviewer.model.model import Model as FrameTable
from sdfviewer.model.names import did_you_mean
from sdfviewer.scene.camera import VIEWS
from sdfviewer.transforms import Array

LAYERS = (
    "visuals", "collisions", "inertia", "com", "sensors", "lights", "frames", "joints", "labels", "grid", "shadows",
    "jp", "canonical", "wireframe",
)  # fmt: skip
_SAMPLES = 8


def take_picture(
    table: FrameTable,
    finder: Finder,
    path: str | Path | None,
    size: tuple[int, int],
    view: str,
    X_RootF: Array | None,
    show: Sequence[str],
    focus: int | None,
    *,
    dark: bool,
    transparent: bool,
) -> bytes:
    """Return a picture as PNG; see :meth:`Model.screenshot`."""
    if path is not None and not isinstance(path, (str, Path)):
        raise InvalidValueError(f"the first argument is the path of the picture, not {path!r}; pass positions as q=...")
    if view not in VIEWS:
        raise InvalidValueError(f"there is no view '{view}': use {', '.join(VIEWS)}")
    for layer in show:
        if layer not in LAYERS:
            raise InvalidValueError(f"there is no layer '{layer}'{did_you_mean(layer, LAYERS)}")
    with required_extras():
        from PIL import Image  # noqa: PLC0415

        from sdfviewer.render.offscreen import OffscreenError  # noqa: PLC0415
        from sdfviewer.render.screenshot import MotionStep, camera_of, look_of, render_motion  # noqa: PLC0415
        from sdfviewer.scene.scene import update_poses  # noqa: PLC0415
        from sdfviewer.scene.scene_build import SceneOptions, load_scene  # noqa: PLC0415

        scene, _ = load_scene(table, SceneOptions.of_layers(show), finder)
        if X_RootF is not None:
            if X_RootF.ndim != 3:
                raise InvalidValueError("a picture can show one configuration, not a batch")
            scene = update_poses(scene, X_RootF)
        camera = camera_of(scene, view, size, None if focus is None else [focus])
        look = look_of(show, dark=dark)
        try:
            steps = [MotionStep(camera)]
            (pixels,) = render_motion(scene, steps, size, samples=_SAMPLES, transparent=transparent, look=look)
        except OffscreenError as error:
            where = " (pictures without a window need Linux)" if sys.platform in ("darwin", "win32") else ""
            raise SdfViewerError(f"{error}{where}") from error
        picture = Image.fromarray(pixels)
        stream = io.BytesIO()
        picture.save(stream, "PNG")
        if path is not None:
            try:
                picture.save(path)
            except (OSError, ValueError) as error:
                why = getattr(error, "strerror", None) or error
                raise SdfViewerError(f"cannot write {path}: {why}") from error
        return stream.getvalue()
