"""The scene of one session: rebuilt, moved, completed as meshes load; and as the other convention places it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace

import numpy as np
from PySide6.QtCore import QObject, Signal

from sdfviewer.document.document import internal_error
from sdfviewer.faults import log_fault
from sdfviewer.files.finder import Finder
from sdfviewer.gui.context.document_context import DocumentContext
from sdfviewer.gui.kit.jobs import Background, delayed
from sdfviewer.model.kinematics.conventions import Comparison
from sdfviewer.model.model import Model
from sdfviewer.model.shapes.kind import Geometry
from sdfviewer.scene.geometry import Shape
from sdfviewer.scene.glyphs import axes_at, values_of
from sdfviewer.scene.loader import LoadedMesh, Loading, MeshLoader, diagnose
from sdfviewer.scene.nodes import Floats, JointGlyphs
from sdfviewer.scene.scene import Scene, update_poses, with_section
from sdfviewer.scene.scene_build import SceneBuilder, SceneOptions, rows_to_read
from sdfviewer.scene.scene_contents import SceneContents
from sdfviewer.scene.sight import visible_part
from sdfviewer.scene.tools.resizing import with_shapes
from sdfviewer.session.session import Session
from sdfviewer.session.session_change import SessionChange
from sdfviewer.session.visibility import Visibility

ARRIVAL_MILLISECONDS = 60
"""Meshes that arrive within this time are shown together."""
MOST_AT_ONCE = 400
"""Scenes of so many elements are built in the window's thread when a layer is shown: in a hundredth of a second."""


class PreparedScene:
    """The first scene of a model, which needs no window: for a large file it is built in another thread.

    Attributes
    ----------
    model
        Whose scene it is.
    loaded
        The meshes that have been loaded, by their shapes: none yet.
    builder
        Has read the contents of the model.
    shapes
        The meshes to load.
    scene
        The scene without them.
    """

    def __init__(self, model: Model, finder: Finder) -> None:
        self.model = model
        self.loaded: dict[Shape, LoadedMesh] = {}
        self.builder = SceneBuilder(finder, self.loaded.get)
        self.shapes = self.builder.shapes(model, SceneOptions())
        self.scene = self.builder.build(model, SceneOptions())
        self.scene.surface_arrays  # noqa: B018  # the scene remembers them


class SceneFeed(QObject):
    """Keeps the scene of a session up to date.

    After an edit the scene is built in a later pass of the event loop, or as soon as it is requested.

    Attributes
    ----------
    beside
        The scene of another model that is shown with it, at its own initial poses, or None.
    """

    #: The scene must be uploaded again.
    rebuilt = Signal()
    #: Only poses have changed.
    moved = Signal()
    #: Meshes loaded so far, and requested.
    progressed = Signal(int, int)
    # Emitted in the loader's threads, received in this object's thread.
    _arrived = Signal(LoadedMesh)

    def __init__(
        self,
        context: DocumentContext,
        finder: Finder,
        parent: QObject | None = None,
        prepared: PreparedScene | None = None,
    ) -> None:
        super().__init__(parent)
        self._context = context
        self._finder = finder
        self._loader = MeshLoader(finder)
        self._loading: Loading | None = None
        self._loaded: dict[Shape, LoadedMesh] = {} if prepared is None else prepared.loaded
        self._builder = SceneBuilder(finder, self._loaded.get) if prepared is None else prepared.builder
        self._options = self._wanted = SceneOptions()
        self._background = Background()
        self._builds_layers = False
        self._collect = delayed(self, self._show_loaded, ARRIVAL_MILLISECONDS)
        self._arrived.connect(self._take)
        self._scene = self._whole = Scene(np.empty((0, 4, 4)), np.empty(0, np.int32))
        self._is_stale = self._reloads = False
        self._shown: Visibility | None = None
        self.beside: Scene | None = None
        self._model_beside: Model | None = None
        self._added_beside: tuple[int, ...] = ()
        # The model beside is mostly a state of the same file: what both hold is read once.
        self._builder_beside = SceneBuilder(finder, self._loaded.get, self._builder.contents)
        self._prepared: tuple[Model, SceneContents] | None = None
        context.session.prepare_in_background(self._prepare)
        context.changed.connect(self._follow)
        if prepared is not None and prepared.model is context.session.model:
            self._load(prepared.shapes)
            self._take_scene(prepared.model, prepared.scene)
        else:
            self.rebuild()

    @property
    def scene(self) -> Scene:
        """The scene of the present text at the present joint positions."""
        self.catch_up()
        return self._scene

    def catch_up(self) -> None:
        """Build the scene now if the text has changed since it was built."""
        if self._is_stale:
            self.rebuild(reload=self._reloads)

    def set_options(self, options: SceneOptions) -> None:
        """Show other layers of the model as soon as their scene is built."""
        if options != self._wanted:
            self._wanted = options
            self._follow_options()

    def _follow_options(self) -> None:
        if self._builds_layers or self._wanted == self._options:
            return  # asked again when that is done
        self.catch_up()
        model = self._context.session.model
        if model is not None and len(rows := rows_to_read(model, self._wanted)) > MOST_AT_ONCE:
            self._build_other_layers(model, rows)
        else:
            self._options = self._wanted
            self.rebuild()

    def _build_other_layers(self, model: Model, rows: list[int]) -> None:
        """Build the scene of other layers in another thread; what is shown stays until then, and follows edits."""
        self._builds_layers = True
        options, before, builder = self._wanted, self._whole, self._builder.fork()

        def build() -> tuple[list[Shape], Scene]:
            builder.contents = builder.contents.fork(model, rows)
            builder.contents.read(model, rows, boxes=options.inertia)
            shapes, scene = builder.shapes(model, options), builder.build(model, options)
            scene.outline()  # the camera needs it, and keeps what it is made of
            return shapes, scene

        def take(built: tuple[list[Shape], Scene]) -> None:
            self._builds_layers = False
            self._builder.take(builder)
            if options == self._wanted:
                self._options = options
                if self._whole is before and self._context.session.model is model:
                    self._load([shape for shape in built[0] if shape not in self._loaded])
                    self._take_scene(model, built[1])
                else:  # it has been edited, or meshes have arrived
                    self.rebuild()
            self._follow_options()

        self._background.run(build, take)

    def _prepare(self, model: Model) -> None:
        """Read the layers of a model in the thread that has read the model."""
        try:
            rows = rows_to_read(model, self._options)
            contents = self._builder.contents.fork(model, rows)
            contents.read(model, rows, boxes=self._options.inertia)
        except Exception as error:  # the text is shown all the same; what fails again is a problem of the file
            log_fault(f"prepare the picture of {model.document.name}", error)
            return
        self._prepared = model, contents

    def _follow(self, change: SessionChange) -> None:
        if change.document:
            # A reload searches all meshes again: they may have changed with the file. The old ones are shown until
            # then.
            self._reloads = change.saved or change.files or (self._is_stale and self._reloads)
            self._is_stale = True
            self._context.later.do(self.catch_up)
        elif self._is_stale:
            return  # the scene will be built as everything is then
        elif change.visibility and self._context.session.visibility is not self._shown:
            self._show()
        elif change.visibility:
            self._scene = self._cut(self._scene)
            self.moved.emit()
        elif change.joints and len(self._scene.X_RootF):
            self._scene = self._cut(update_poses(self._scene, self._context.session.X_RootF, self.values))
            self.moved.emit()

    def show_beside(self, model: Model | None, added: Sequence[int] = ()) -> None:
        """Build the scene of another model, too, from now on; None builds it no more.

        What is `added`, rows of that model, is shown even where it is all in a layer that is hidden.
        """
        if model is not self._model_beside:
            self._model_beside, self._added_beside = model, tuple(added)
            own = self._context.session.model
            if own is not None and model is not None:
                self._load_missing(own)
            self._build_beside()

    def preview(self, X_RootF: Floats | None) -> None:
        """Show other poses (n, 4, 4) until anything changes; None shows those of the session again."""
        if len(self.scene.X_RootF):
            X = self._context.session.X_RootF if X_RootF is None else X_RootF
            self._scene = self._cut(update_poses(self._scene, X))
            self.moved.emit()

    def preview_shapes(self, shapes: Mapping[int, Geometry] | None, X_RootF: Floats | None = None) -> None:
        """Show rows with other shapes at other poses (n, 4, 4) until anything changes; None shows what is written."""
        if shapes is None or X_RootF is None:
            self._show()
        elif len(self.scene.X_RootF):
            self._scene = self._cut(with_shapes(self._scene, shapes, X_RootF))
            self.rebuilt.emit()

    def rebuild(self, *, reload: bool = False) -> None:
        """Build the scene from the model of the session, and load what is missing in the background."""
        self._is_stale = False
        model = self._context.session.model
        if model is None:
            return
        if reload:
            self._finder.forget()
        prepared, self._prepared = self._prepared, None
        if prepared is not None and prepared[0] is model:
            self._builder.contents.take(prepared[1])
        with self._or_nothing(model):
            self._load_missing(model, reload=reload)
            self._take_scene(model, self._builder.build(model, self._options))

    @contextmanager
    def _or_nothing(self, model: Model) -> Iterator[None]:
        """Show nothing of a model where building its scene fails, and say so among the problems, until it changes."""
        try:
            yield
        except Exception as error:
            log_fault(f"draw {model.document.name}", error)
            self._show_nothing(model, error)

    def _show_nothing(self, model: Model, error: Exception) -> None:
        self._builder = SceneBuilder(self._finder, self._loaded.get)  # what it remembers may be incomplete
        n = len(model)
        self._scene = self._whole = Scene(np.full((n, 4, 4), np.nan), model.owners.astype(np.int32), tuple(model.names))
        self._context.session.report((internal_error(model.document, error, "drawn"),), self)
        self.rebuilt.emit()

    def _load_missing(self, model: Model, *, reload: bool = False) -> None:
        """Load what has not been loaded of a model and of the one beside it, or everything again."""
        shapes = self._builder.shapes(model, self._options)
        if self._model_beside is not None:
            more = self._builder_beside.shapes(self._model_beside, self._options_beside(self._model_beside))
            shapes = list(dict.fromkeys([*shapes, *more]))
        self._load(shapes if reload else [shape for shape in shapes if shape not in self._loaded])

    def _load(self, missing: list[Shape]) -> None:
        if missing:
            self.stop_loading()
            self._loading = self._loader.start(missing, self._arrived.emit)
            self.progressed.emit(0, self._loading.total)

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

    @property
    def is_loading(self) -> bool:
        """Whether meshes are being loaded, or are loaded and not shown yet."""
        return self._collect.isActive() or (self._loading is not None and self._loading.done < self._loading.total)

    @property
    def is_building(self) -> bool:
        """Whether the scene of the present text, or of other layers, is still to be built."""
        return self._is_stale or self._builds_layers

    def wait(self) -> None:
        """Wait until all meshes are loaded and show them."""
        if self._loading is not None:
            self._loading.wait()

    def close(self) -> None:
        """End the loading threads."""
        self.stop_loading()
        self._loader.close()
        self._background.stop()

    def _show_loaded(self) -> None:
        """Build the scene with the meshes that have arrived."""
        model = self._context.session.model
        if self._is_stale:
            self.catch_up()
        elif model is not None:
            with self._or_nothing(model):
                self._take_scene(model, self._builder.build(model, self._options))

    def _take_scene(self, model: Model, whole: Scene) -> None:
        self._whole = whole
        self._build_beside()
        self._show()
        self._context.session.report(diagnose(model, self._builder.problems), self)
        if not self.is_loading:  # what is drawn in place of the meshes that are not found
            self._load([shape for shape in self._builder.wanted if shape not in self._loaded])

    def _build_beside(self) -> None:
        beside = self._model_beside
        self.beside = None if beside is None else self._builder_beside.build(beside, self._options_beside(beside))

    def _options_beside(self, beside: Model) -> SceneOptions:
        return self._options.with_one_of(beside, self._added_beside)

    def _show(self) -> None:
        """Take what is not hidden of the scene, at the joint positions as they are."""
        session = self._context.session
        model, visibility, whole = session.model, session.visibility, self._whole
        if model is None or len(model) != len(whole.X_RootF):
            return
        if visibility.is_default:
            self._scene = whole
        else:
            masks = visibility.hidden_rows(model), visibility.row_opacities(model), visibility.frameless_rows(model)
            self._scene = visible_part(whole, *masks)
        if session.positions:
            self._scene = update_poses(self._scene, session.X_RootF, self.values)
        self._scene, self._shown = self._cut(self._scene), visibility
        self.rebuilt.emit()

    def _cut(self, scene: Scene) -> Scene:
        """Return a scene cut open by the section of the session, where that has a place."""
        section, model = self._context.session.section, self._context.session.model
        row = -1 if section is None or model is None else model.rows_by_name.get(section.frame, -1)
        if section is None or not 0 <= row < len(scene.X_RootF) or not np.isfinite(scene.X_RootF[row]).all():
            return with_section(scene, None)
        return with_section(scene, section.placed(scene.X_RootF[row]))

    @property
    def values(self) -> Floats:
        """The value of each joint glyph."""
        session = self._context.session
        kinematics = session.kinematics
        if kinematics is None:
            return np.zeros(len(self._scene.joints.dofs))
        q = kinematics.positions(session.positions)
        names = (dof.name for dof in kinematics.dofs)
        return values_of(self._scene.joints, dict(zip(names, q.tolist(), strict=True)))


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
