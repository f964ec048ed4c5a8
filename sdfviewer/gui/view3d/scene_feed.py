"""The scene of one session: built anew when the text changes, moved when joints move, completed as meshes load."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QObject, QTimer, Signal

from sdfviewer.document.finder import Finder
from sdfviewer.gui.bridge import Bridge
from sdfviewer.scene.build import SceneBuilder, SceneOptions
from sdfviewer.scene.geometry import Shape
from sdfviewer.scene.joints import values_of
from sdfviewer.scene.loader import LoadedMesh, Loading, MeshLoader
from sdfviewer.scene.nodes import Floats
from sdfviewer.scene.problems import diagnose
from sdfviewer.scene.scene import Scene, update_poses
from sdfviewer.semantics import Model
from sdfviewer.session import Change

ARRIVAL_MILLISECONDS = 60
"""Meshes that arrive within this time are shown together."""


class SceneFeed(QObject):
    """Keeps the scene of a session up to date.

    Attributes
    ----------
    scene
        What is shown, at the joint positions as they stand.
    beside
        The scene of another model that is shown with it, at its own initial poses, or None.
    """

    #: Another scene has to be uploaded.
    rebuilt = Signal()
    #: Only poses have changed.
    moved = Signal()
    #: Meshes loaded so far, and asked for.
    progressed = Signal(int, int)
    # Emitted in the loader's threads, received in this object's.
    _arrived = Signal(object)

    def __init__(self, bridge: Bridge, finder: Finder, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._bridge = bridge
        self._finder = finder
        self._loader = MeshLoader(finder)
        self._loading: Loading | None = None
        self._loaded: dict[Shape, LoadedMesh] = {}
        self._builder = SceneBuilder(finder, self._loaded.get)
        self._options = SceneOptions()
        self._collect = QTimer(self, singleShot=True, interval=ARRIVAL_MILLISECONDS)
        self._collect.timeout.connect(self._build)
        self._arrived.connect(self._take)
        self.scene = Scene(np.empty((0, 4, 4)), np.empty(0, np.int32))
        self.beside: Scene | None = None
        self._model_beside: Model | None = None
        self._builder_beside = SceneBuilder(finder, self._loaded.get)
        bridge.changed.connect(self._follow)
        self.rebuild()

    def set_options(self, options: SceneOptions) -> None:
        """Show more or less of the model."""
        if options != self._options:
            self._options = options
            self.rebuild()

    def _follow(self, change: Change) -> None:
        if change.document:
            # A reload looks for all meshes anew: they may have changed with the file. The old ones are shown meanwhile.
            self.rebuild(anew=change.saved)
        elif change.joints and len(self.scene.X_RootF):
            self.scene = update_poses(self.scene, self._bridge.session.X_RootF, self.values)
            self.moved.emit()

    def show_beside(self, model: Model | None) -> None:
        """Build the scene of another model, too, from now on; None builds it no more."""
        if model is not self._model_beside:
            self._model_beside = model
            self.rebuild()

    def preview(self, X_RootF: Floats | None) -> None:
        """Show other poses (n, 4, 4) until anything changes; None shows those of the session again."""
        if len(self.scene.X_RootF):
            self.scene = update_poses(self.scene, self._bridge.session.X_RootF if X_RootF is None else X_RootF)
            self.moved.emit()

    def rebuild(self, *, anew: bool = False) -> None:
        """Build the scene from the model of the session, and load what is missing in the background."""
        model = self._bridge.session.model
        if model is None:
            return
        if anew:
            self._finder.forget()
        shapes = self._builder.shapes(model, self._options)
        if self._model_beside is not None:
            more = self._builder_beside.shapes(self._model_beside, self._options)
            shapes = list(dict.fromkeys([*shapes, *more]))
        missing = shapes if anew else [shape for shape in shapes if shape not in self._loaded]
        if missing:
            self.stop_loading()
            self._loading = self._loader.start(missing, self._arrived.emit)
            self.progressed.emit(0, self._loading.total)
        self._build()

    def _take(self, loaded: LoadedMesh) -> None:
        self._loaded[loaded.shape] = loaded
        if not self._collect.isActive():
            self._collect.start()
        if self._loading is not None:
            self.progressed.emit(self._loading.done, self._loading.total)

    def stop_loading(self) -> None:
        """Load no further meshes."""
        if self._loading is not None:
            self._loading.cancel()
            self._loading = None

    def wait(self) -> None:
        """Wait until all meshes are loaded and show them."""
        if self._loading is not None:
            self._loading.wait()

    def close(self) -> None:
        """End the loading threads."""
        self.stop_loading()
        self._loader.close()

    def _build(self) -> None:
        session = self._bridge.session
        if session.model is None:
            return
        self.scene = self._builder.build(session.model, self._options)
        beside = self._model_beside
        self.beside = None if beside is None else self._builder_beside.build(beside, self._options)
        if session.positions:
            self.scene = update_poses(self.scene, session.X_RootF, self.values)
        self.rebuilt.emit()
        session.report(diagnose(session.model, self._builder.problems), self)

    @property
    def values(self) -> Floats:
        """The value of each joint glyph."""
        session = self._bridge.session
        kinematics = session.kinematics
        if kinematics is None:
            return np.zeros(len(self.scene.joints.dofs))
        q = kinematics.positions(session.positions)
        names = (dof.name for dof in kinematics.dofs)
        return values_of(self.scene.joints, dict(zip(names, q.tolist(), strict=True)))
