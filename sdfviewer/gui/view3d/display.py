"""What the 3D view shows besides its scene: by switches and sizes, by their menu, and what is marked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDoubleSpinBox,
    QFormLayout,
    QGridLayout,
    QLineEdit,
    QMenu,
    QPushButton,
    QSlider,
    QWidget,
    QWidgetAction,
)

from sdfviewer.display_text import visible
from sdfviewer.gui.context.document_context import DocumentContext
from sdfviewer.gui.kit.widgets import named, row_of
from sdfviewer.gui.view3d.surface import SceneWidget
from sdfviewer.model import graph
from sdfviewer.model.kinds import VERTICES
from sdfviewer.model.model import Model
from sdfviewer.render.renderer import Renderer
from sdfviewer.render.view import Depth, Look
from sdfviewer.scene.glyphs import Edges
from sdfviewer.scene.marks import collision_tints, path_lines
from sdfviewer.scene.nodes import Lines
from sdfviewer.scene.scene_build import SceneOptions

_DEPTHS = {"depth.top": Depth.ON_TOP, "depth.xray": Depth.X_RAY, "depth.tested": Depth.TESTED}
_EDGES = {"edges.relative_to": Edges.RELATIVE_TO, "edges.attached_to": Edges.ATTACHED_TO}


@dataclass(frozen=True)
class Display:
    """What has more values than on and off: which frames are shown, how large, how see-through things are.

    Attributes
    ----------
    kinds, name, within
        Which frames are shown: their kinds, a part of their scoped name, scoped names of their models.
    pixels, metres, in_metres
        Length of an axis on screen or in space, and which of the two counts.
    frame_opacity, surface_opacity
        Of triads, and of surfaces while they are transparent.
    """

    kinds: frozenset[str] = VERTICES
    name: str = ""
    within: frozenset[str] = frozenset()
    pixels: float = 36.0
    metres: float = 0.2
    in_metres: bool = False
    frame_opacity: float = 1.0
    surface_opacity: float = 0.35

    @property
    def hides_frames(self) -> bool:
        """Whether frames are left out."""
        return self.kinds != VERTICES or bool(self.name or self.within)

    def scene_options(self, switches: Mapping[str, bool]) -> SceneOptions:
        """Return the contents of the scene."""
        return SceneOptions(
            visuals=switches["show.visuals"],
            collisions=switches["show.collisions"],
            inertia=switches["show.inertia"],
            centres_of_mass=switches["show.centres"],
            sensors=switches["show.sensors"],
            lights=switches["show.lights"],
            parent_sides=switches["show.parent_sides"],
            canonical_links=switches["show.canonical"],
            edges=next((edges for id, edges in _EDGES.items() if switches[id]), None),
            frames=self.kinds,
            frame_name=self.name,
            within=self.within,
        )

    def look(self, switches: Mapping[str, bool], *, dark: bool) -> Look:
        """Return how the scene is drawn."""
        return Look(
            dark=dark,
            frames=switches["show.frames"],
            joints=switches["show.joints"],
            labels=switches["show.labels"],
            grid=switches["show.grid"],
            shadows=switches["show.shadows"],
            wireframe=switches["show.wireframe"],
            surface_opacity=self.surface_opacity if switches["show.transparent"] else 1.0,
            frame_size=self.pixels,
            frame_size_metres=self.metres if self.in_metres else None,
            frame_opacity=self.frame_opacity,
            declutter=not switches["show.everything"],
            frame_depth=next((depth for id, depth in _DEPTHS.items() if switches[id]), Depth.ON_TOP),
        )


_KINDS = ("world", "model", "link", "joint", "frame")
_ALL_MODELS = "All models"


class DisplayMenu(QMenu):
    """Controls for a `Display`."""

    #: The `Display` as it is now.
    changed = Signal(Display)

    def __init__(self, parent: QWidget) -> None:
        super().__init__("Display Options", parent)
        self.display = Display()
        self.kinds = {kind: QCheckBox(f"{kind.capitalize()}s") for kind in _KINDS}
        kinds = QGridLayout()
        for number, box in enumerate(self.kinds.values()):
            box.toggled.connect(self._take)
            kinds.addWidget(box, number // 3, number % 3)
        self.name = named(QLineEdit(placeholderText="part of a name", clearButtonEnabled=True), "Frames by name")
        self.name.textChanged.connect(self._take)
        self.model = named(QComboBox(), "Frames by model")
        self.model.currentIndexChanged.connect(self._take)
        self.length = named(QDoubleSpinBox(), "Length of axes")
        self.length.valueChanged.connect(self._take)
        self.unit = named(QComboBox(), "Unit of the length of axes", "On screen, or in the world")
        self.unit.addItems(["px", "m"])
        self.unit.currentIndexChanged.connect(self._change_unit)
        length = row_of((self.length, 1), self.unit)
        self.frame_opacity = _slider("Opacity of frames")
        self.surface_opacity = _slider("Opacity of transparent surfaces")
        for slider in (self.frame_opacity, self.surface_opacity):
            slider.valueChanged.connect(self._take)
        self.reset = QPushButton("Show All Frames")
        self.reset.clicked.connect(self._show_all)
        page = QWidget()
        form = QFormLayout(page)
        form.setContentsMargins(12, 12, 12, 12)
        form.setSpacing(8)
        form.addRow("Frames of", kinds)
        form.addRow("Named", self.name)
        form.addRow("In", self.model)
        form.addRow("Axes", length)
        form.addRow("Opacity", self.frame_opacity)
        form.addRow("Transparent", self.surface_opacity)
        form.addRow("", self.reset)
        action = QWidgetAction(self)
        action.setDefaultWidget(page)
        self.addAction(action)
        self._show()

    def show_models(self, model: Model | None) -> None:
        """Offer the models of a file to narrow the frames down to."""
        names = [] if model is None else [n for n, k in zip(model.names, model.kinds, strict=True) if k == "model"]
        if [self.model.itemData(k) for k in range(1, self.model.count())] == names and self.model.count():
            return
        chosen = self.model.currentData()
        with QSignalBlocker(self.model):
            self.model.clear()
            self.model.addItem(_ALL_MODELS)
            for name in names:
                self.model.addItem(visible(name), name)
            self.model.setCurrentIndex(max(self.model.findData(chosen), 0) if chosen else 0)
        self._take()

    def _show(self) -> None:
        """Set the controls to the display."""
        display = self.display
        controls: list[QWidget] = [*self.kinds.values(), self.name, self.model, self.length, self.unit]
        blockers = [QSignalBlocker(each) for each in (*controls, self.frame_opacity, self.surface_opacity)]
        for kind, box in self.kinds.items():
            box.setChecked(kind in display.kinds)
        self.name.setText(display.name)
        self.model.setCurrentIndex(max(self.model.findData(next(iter(display.within))), 0) if display.within else 0)
        self.unit.setCurrentIndex(int(display.in_metres))
        low, high, step, digits = (0.005, 50.0, 0.05, 3) if display.in_metres else (4.0, 200.0, 4.0, 0)
        self.length.setDecimals(digits)
        self.length.setRange(low, high)
        self.length.setSingleStep(step)
        self.length.setValue(display.metres if display.in_metres else display.pixels)
        self.frame_opacity.setValue(round(display.frame_opacity * 100))
        self.surface_opacity.setValue(round(display.surface_opacity * 100))
        self.reset.setEnabled(display.hides_frames)
        del blockers

    def _take(self) -> None:
        """Read the controls."""
        metres = self.display.in_metres
        display = replace(
            self.display,
            kinds=frozenset(kind for kind, box in self.kinds.items() if box.isChecked()),
            name=self.name.text().strip(),
            within=frozenset({self.model.currentData()} if self.model.currentIndex() > 0 else ()),
            metres=self.length.value() if metres else self.display.metres,
            pixels=self.display.pixels if metres else self.length.value(),
            frame_opacity=self.frame_opacity.value() / 100,
            surface_opacity=self.surface_opacity.value() / 100,
        )
        self.reset.setEnabled(display.hides_frames)
        if display != self.display:
            self.display = display
            self.changed.emit(display)

    def _change_unit(self, index: int) -> None:
        self.display = replace(self.display, in_metres=index == 1)
        self._show()
        self.changed.emit(self.display)

    def _show_all(self) -> None:
        every = Display()
        self.display = replace(self.display, kinds=every.kinds, name="", within=every.within)
        self._show()
        self.changed.emit(self.display)


def _slider(name: str) -> QSlider:
    slider = named(QSlider(Qt.Orientation.Horizontal), name)
    slider.setRange(5, 100)
    return slider


def mark(
    renderer: Renderer, context: DocumentContext, followers: Sequence[int], near: Sequence[int], *, only_chain: bool
) -> None:
    """Mark rows by what they are to the user.

    Parameters
    ----------
    followers
        Rows that follow what is dragged.
    near
        Rows near the mouse, which are drawn in full where there are many.
    only_chain
        Whether only the selection and its chain are labelled; always while the steps of a chain are shown.
    """
    session = context.session
    model = session.model
    if model is None:
        return
    rows = model.rows_by_name
    selected = [rows[name] for name in session.selection if name in rows]
    chain = graph.chain(model.relative_to, selected[-1])[1:] if selected else []
    errors = {rows[name] for each in session.diagnostics if each.is_error for name in each.frames if name in rows}
    hovered = None if context.highlights.hovered is None else rows.get(context.highlights.hovered)
    steps = [rows[name] for name in context.highlights.chain_steps if name in rows]
    kinematics = session.kinematics
    joints = kinematics.joints_above(selected[-1]) if selected and kinematics is not None else ()
    carriers = [joint.row for joint in joints]
    if kinematics is not None:  # what should not be so is in sight, also where there are many joints
        outside = kinematics.outside_limits(kinematics.positions(session.positions))
        carriers += [kinematics.dofs[place].joint.row for place in outside]
    only_chain = only_chain or bool(steps)
    lit = [rows[name] for name in context.highlights.selected if name in rows]
    along = followers or steps or chain
    renderer.set_highlight(lit, hovered, along, errors, only_chain=only_chain, detailed=near, carriers=carriers)


class MotionView:
    """What one 3D view shows of a motion: the way of a frame, and the links that collide."""

    def __init__(self, canvas: SceneWidget) -> None:
        self._canvas = canvas
        canvas.document_context.motion.marks_changed.connect(lambda _marks: self.show())

    def show(self) -> None:
        """Show the marks as they are now."""
        canvas, marks = self._canvas, self._canvas.document_context.motion.marks
        model = canvas.document_context.session.model
        canvas.renderer.set_paths(Lines() if marks.path is None else path_lines(marks.path))
        known = model is not None and len(model) == len(canvas.feed.scene.X_RootF)
        lit = collision_tints(model, marks.lit) if known and model is not None and marks.lit else None
        canvas.renderer.set_lit(lit)
        canvas.update()
