"""The scene of a session as the element-relative reading places it."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QObject, Signal

from sdfviewer.gui.bridge import Bridge
from sdfviewer.gui.view3d.scene_feed import SceneFeed
from sdfviewer.scene.build import SceneOptions
from sdfviewer.scene.nodes import Floats
from sdfviewer.scene.scene import Scene, update_poses


class OtherReading(QObject):
    """Stands in for the feed of a second view: the first one's scene, at other poses.

    Attributes
    ----------
    scene
        What is shown.
    """

    rebuilt = Signal()
    moved = Signal()

    def __init__(self, bridge: Bridge, feed: SceneFeed, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._bridge = bridge
        self._feed = feed
        self.scene = Scene(np.empty((0, 4, 4)), np.empty(0, np.int32))
        feed.rebuilt.connect(self._rebuild)
        feed.moved.connect(self._move)
        self._place()

    def _place(self) -> None:
        scene, X = self._feed.scene, self._bridge.session.element_relative_poses
        # While the feed still shows the model before an edit, its rows are not those of the poses.
        if X.shape == scene.X_RootF.shape:
            self.scene = update_poses(scene, X)

    def _rebuild(self) -> None:
        self._place()
        self.rebuilt.emit()

    def _move(self) -> None:
        self._place()
        self.moved.emit()

    def set_options(self, options: SceneOptions) -> None:
        """Do nothing: what the first view shows, this one shows."""

    def preview(self, X_RootF: Floats | None) -> None:
        """Do nothing: there are no tools in the other reading."""

    def close(self) -> None:
        """Stop following."""
        self._feed.rebuilt.disconnect(self._rebuild)
        self._feed.moved.disconnect(self._move)
