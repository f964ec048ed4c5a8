"""Thumbnails of recent files, stored with the settings."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QImage, QPixmap

from sdfviewer.gui.context.settings import Settings, key_of
from sdfviewer.gui.view3d.view3d import View3D

WIDTH, HEIGHT = 160, 100
"""In logical pixels; files hold twice as many."""


def save_thumbnail(path: Path, view: View3D, settings: Settings) -> None:
    """Save the picture of a 3D view as the thumbnail of its file, if the view is visible."""
    canvas = view.canvas
    if canvas is None or not canvas.isVisible() or not canvas.isValid():
        return
    picture = canvas.grabFramebuffer()
    # The middle of the view, cropped to the shape of the picture, shows the robot.
    width = min(picture.width(), picture.height() * WIDTH // HEIGHT)
    cut = QRect(0, 0, width, width * HEIGHT // WIDTH)
    cut.moveCenter(picture.rect().center())
    small = picture.copy(cut).scaled(
        2 * WIDTH, 2 * HEIGHT, Qt.AspectRatioMode.IgnoreAspectRatio, Qt.TransformationMode.SmoothTransformation
    )
    file = _file_of(path, settings)
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
    except OSError:
        return  # a picture less: nothing else depends on it
    # Without the alpha of a window, which is the same everywhere, it takes half of the time to write.
    small.convertToFormat(QImage.Format.Format_RGB888).save(str(file))


def load_thumbnail(path: Path, settings: Settings) -> QPixmap | None:
    """Return the picture of a file, None if there is none."""
    picture = QImage(str(_file_of(path, settings)))
    if picture.isNull():
        return None
    pixmap = QPixmap.fromImage(picture)
    pixmap.setDevicePixelRatio(2.0)
    return pixmap


def thumbnail_time(path: Path, settings: Settings) -> int | None:
    """Return when the picture of a file was saved, in nanoseconds, None if there is none."""
    try:
        return _file_of(path, settings).stat().st_mtime_ns
    except OSError:
        return None


def _file_of(path: Path, settings: Settings) -> Path:
    return settings.thumbnails / f"{key_of(path)}.png"


def remove_stale_thumbnails(settings: Settings) -> None:
    """Remove the pictures of files that are no longer among the recent ones."""
    known = {_file_of(path, settings) for path in settings.recent_files}
    for picture in settings.thumbnails.glob("*.png"):
        if picture not in known:
            picture.unlink(missing_ok=True)
