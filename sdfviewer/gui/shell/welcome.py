"""The welcome page, shown while no file is open, with pictures of recent files."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from PySide6.QtCore import QRect, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QIcon, QImage, QPixmap, QShowEvent
from PySide6.QtWidgets import (
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from sdfviewer.files.paths import short_name
from sdfviewer.gui.context.settings import Settings, key_of
from sdfviewer.gui.kit.commands import NEW_MODEL, OPEN, tooltip
from sdfviewer.gui.kit.icons import icon
from sdfviewer.gui.kit.safe_text import markup, set_rich_text
from sdfviewer.gui.kit.widgets import column_of, named, styled
from sdfviewer.gui.view3d.view3d import View3D
from sdfviewer.resources import resource

SHOWN = 8
"""Examples on the page; the menu has all of them."""
RECENT_SHOWN, COLUMNS = 8, 4
"""Recent files on the page, and in a row of it."""


@dataclass(frozen=True)
class Example:
    """A model that ships with the program."""

    path: Path
    title: str
    description: str


@cache
def examples() -> tuple[Example, ...]:
    """Return the models that ship with the program, in the order in which they are worth looking at."""
    folder = resource("examples")
    index = json.loads((folder / "index.json").read_text(encoding="utf-8"))
    return tuple(Example(folder / entry["file"], entry["title"], entry["description"]) for entry in index)


class Welcome(QScrollArea):
    """Open a file, one of the recent ones, or an example, or begin a new one."""

    open_requested = Signal()
    new_requested = Signal()
    file_chosen = Signal(Path)

    def __init__(self, settings: Settings, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._settings = settings
        self._shown: dict[Path, int | None] | None = None
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setAccessibleName("Welcome")

    def showEvent(self, event: QShowEvent) -> None:
        if self.widget() is None:
            self.refresh()
        elif not event.spontaneous():
            # The page as it was is there at once: a file is being closed in this pass of the event loop.
            QTimer.singleShot(0, self, self.follow_files)
        super().showEvent(event)

    def refresh(self) -> None:
        """Show the page with the present recent files."""
        self._shown = recent = self._recent()
        page = QWidget()
        outer = QHBoxLayout(page)
        outer.setContentsMargins(24, 24, 24, 24)
        column = QVBoxLayout()
        column.setSpacing(8)
        body = QWidget(maximumWidth=720)
        body.setLayout(column)
        outer.addStretch(1)
        outer.addWidget(body, 100)
        outer.addStretch(1)
        column.addStretch(1)
        title = styled(QLabel("sdfviewer"), "title")
        font = title.font()
        font.setPointSizeF(font.pointSizeF() * 1.8)
        title.setFont(font)
        column.addWidget(title)
        column.addWidget(
            styled(
                QLabel(
                    "See where every frame of a robot model is, why it is there, and what moves with it.", wordWrap=True
                ),
                "muted",
            )
        )
        column.addSpacing(8)
        column.addLayout(self._buttons())
        if recent:
            column.addSpacing(12)
            column.addWidget(styled(QLabel("Recent"), "heading"))
            column.addLayout(self._cards(list(recent)))
        column.addSpacing(12)
        column.addWidget(styled(QLabel("Examples"), "heading"))
        grid = QGridLayout()
        grid.setHorizontalSpacing(16)
        grid.setVerticalSpacing(4)
        for number, example in enumerate(examples()[:SHOWN]):
            link = self._link(example.path, example.title, example.description)
            grid.addWidget(link, number // 2, number % 2)
        grid.setColumnStretch(0, 1)
        grid.setColumnStretch(1, 1)
        column.addLayout(grid)
        column.addWidget(styled(QLabel("All examples are in Help › Examples.", wordWrap=True), "muted"))
        column.addStretch(2)
        self.setWidget(page)

    def _recent(self) -> dict[Path, int | None]:
        """Return the recent files that are shown, with the time of the picture of each."""
        return {path: thumbnail_time(path, self._settings) for path in self._settings.recent_files[:RECENT_SHOWN]}

    def follow_files(self) -> None:
        """Show the recent files as they are now, where the page is in sight and shows others."""
        if self.isVisible() and self._recent() != self._shown:
            self.refresh()

    def _buttons(self) -> QHBoxLayout:
        """Return the buttons that open a file and begin a new one."""
        row = QHBoxLayout()
        opener = styled(QPushButton(icon("mdi6.folder-open-outline", "accent_text"), "Open File…"), "primary")
        opener.setToolTip(tooltip("Open SDFormat files", OPEN.keys))
        opener.clicked.connect(self.open_requested)
        row.addWidget(opener)
        beginner = QPushButton(icon("mdi6.file-plus-outline"), "New Model")
        beginner.setObjectName("new_model")
        beginner.setToolTip(
            f"{tooltip('Open a new file that starts with a model', NEW_MODEL.keys)}; File › New has more"
        )
        beginner.clicked.connect(self.new_requested)
        row.addWidget(beginner)
        row.addWidget(
            styled(
                QLabel("or drop an SDFormat, URDF or xacro file, or a folder, on this window", wordWrap=True), "muted"
            ),
            1,
        )
        return row

    def _cards(self, recent: list[Path]) -> QGridLayout:
        cards = QGridLayout()
        cards.setHorizontalSpacing(12)
        cards.setVerticalSpacing(12)
        for number, path in enumerate(recent):
            cards.addWidget(self._card(path), number // COLUMNS, number % COLUMNS)
        for number in range(COLUMNS):
            cards.setColumnStretch(number, 1)
        return cards

    def _card(self, path: Path) -> QToolButton:
        """Return a button with the picture and the name of a recent file."""
        card = named(QToolButton(), f"Open {path.name}", str(path))
        card.setObjectName("recent")
        card.setAutoRaise(True)
        card.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextUnderIcon)
        card.setIconSize(QSize(WIDTH, HEIGHT))
        card.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        picture = load_thumbnail(path, self._settings)
        card.setIcon(QIcon(picture) if picture is not None else icon("mdi6.robot-industrial-outline", "disabled"))
        card.setText(card.fontMetrics().elidedText(short_name(path), Qt.TextElideMode.ElideMiddle, WIDTH))
        card.clicked.connect(lambda: self.file_chosen.emit(path))
        return card

    def _link(self, path: Path, text: str, detail: str) -> QWidget:
        label = QLabel()
        set_rich_text(label, markup('<a href="open">{text}</a>', text=text))
        label.setTextInteractionFlags(
            Qt.TextInteractionFlag.LinksAccessibleByMouse | Qt.TextInteractionFlag.LinksAccessibleByKeyboard
        )
        label.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        label.linkActivated.connect(lambda _link: self.file_chosen.emit(path))
        label.setToolTip(str(path))
        label.setAccessibleName(f"Open {path.name}")
        box = QWidget()
        column = column_of(label, parent=box, margins=0, spacing=0)
        if detail:
            column.addWidget(styled(QLabel(detail, wordWrap=True), "muted"))
        column.addStretch(1)
        return box


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
