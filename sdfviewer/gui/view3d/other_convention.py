"""The scene of a session as the element-relative convention places it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
from PySide6.QtCore import QObject, Signal

from sdfviewer.gui.view3d.scene_feed import SceneFeed
from sdfviewer.model.kinematics.conventions import Comparison
from sdfviewer.model.shapes.kind import Geometry
from sdfviewer.scene.glyphs import axes_at
from sdfviewer.scene.nodes import Floats, JointGlyphs
from sdfviewer.scene.scene import Scene, update_poses
from sdfviewer.scene.scene_build import SceneOptions
from sdfviewer.session.session import Session


class OtherConvention(QObject):
    """The feed of a second view: the scene of the first one, at other poses."""

    rebuilt = Signal()
    moved = Signal()

    def __init__(self, session: Session, feed: SceneFeed, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._feed = feed
        self._axes: tuple[Comparison, Floats] | None = None
        self._scene = Scene(np.empty((0, 4, 4)), np.empty(0, np.int32))
        self._follows = False
        self.follow(True)

    @property
    def scene(self) -> Scene:
        """What is shown."""
        self._feed.catch_up()
        return self._scene

    @property
    def is_loading(self) -> bool:
        """Whether the first view's meshes are being loaded, or are loaded and not shown yet."""
        return self._feed.is_loading

    @property
    def is_building(self) -> bool:
        """Whether the first view's scene of other layers is still being built."""
        return self._feed.is_building

    def follow(self, follows: bool) -> None:
        """Show what the first view shows, now and from now on, or be left behind while the second view is hidden."""
        if follows is self._follows:
            return
        self._follows = follows
        if follows:
            self._feed.catch_up()
            self._feed.rebuilt.connect(self._rebuild)
            self._feed.moved.connect(self._move)
            self._rebuild()
        else:
            self._feed.rebuilt.disconnect(self._rebuild)
            self._feed.moved.disconnect(self._move)

    def _place(self) -> None:
        scene, X = self._feed.scene, self._session.element_relative_poses
        # While the feed still shows the model before an edit, its rows do not match the poses.
        if X.shape == scene.X_RootF.shape:
            self._scene = update_poses(replace(scene, joints=self._joints(scene)), X)

    def _joints(self, scene: Scene) -> JointGlyphs:
        """Return the joint glyphs with their axes as this convention turns them."""
        comparison = self._session.comparison
        if comparison is None:
            return scene.joints
        if self._axes is None or self._axes[0] is not comparison or len(self._axes[1]) != len(scene.joints.axes):
            self._axes = (comparison, axes_at(scene.joints, comparison.model, comparison.relative.X_RootF))
        return replace(scene.joints, axes=self._axes[1])

    def _rebuild(self) -> None:
        self._place()
        self.rebuilt.emit()

    def _move(self) -> None:
        self._place()
        self.moved.emit()

    def set_options(self, options: SceneOptions) -> None:
        """Do nothing: what the first view shows, this one shows."""

    def preview(self, X_RootF: Floats | None) -> None:
        """Do nothing: there are no tools in the other convention."""

    def preview_shapes(self, shapes: Mapping[int, Geometry] | None, X_RootF: Floats | None = None) -> None:
        """Do nothing: there are no tools in the other convention."""

    def close(self) -> None:
        """Stop following."""
        self.follow(False)
