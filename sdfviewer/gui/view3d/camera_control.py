"""What moves the camera of a view: fitting, flying to another place, following another view."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import partial

import numpy as np
from PySide6.QtCore import QElapsedTimer, QObject, QRect, QRectF, QSize, QTimer, Signal

from sdfviewer.gui.view3d.compared import Compared
from sdfviewer.gui.view3d.surface import SceneWidget
from sdfviewer.scene.camera import Camera
from sdfviewer.scene.glyph_sizes import fit_with_glyphs
from sdfviewer.scene.nodes import Floats

FLIGHT_MILLISECONDS = 180
"""How long the camera takes to its next place."""
_STEP_MILLISECONDS = 12
_ASPECTS = (0.3, 1.0, 2.0, 4.0)
"""Widths of views by their heights for which the outermost points are remembered."""
_WIDE = 1.3
"""The width of a view by its height from which on only the height says what is in sight."""


class CameraControl(QObject):
    """Moves the camera of one view.

    It fits everything into the view while a document is loaded, and at the user's request. From then on it stays:
    another size of the view shows what was in the view before, a notice moves nothing, and until the user moves the
    camera an edit, a joint or a preview moves it only where something would leave the picture.

    Attributes
    ----------
    is_led
        Whether the view beside this one moves it: it follows no size and no request itself.
    is_held
        Whether neither the scene nor the size of the view moves it, while pictures are taken one after the other.
    """

    #: The camera shows frames by their scoped names, or everything without any, or is on its way there.
    aimed = Signal(tuple)

    def __init__(self, view: SceneWidget, compared: Compared) -> None:
        super().__init__(view)
        self._view = view
        self._compared = compared
        self._fits = True
        self._fits_at_goal = self._has_arrived = self.is_held = self.is_led = False
        self._fitted_to: tuple[object, ...] = ()
        self._fitted_room = QRect()
        self._size = QSize()
        self._fitted_outline: Floats = np.empty((0, 3))
        # The camera that was fitted last, the size of the view, and the points that decide how near it may come.
        self._fit_made = Camera(), QSize(), np.empty((0, 3))
        self._origin = self._goal = Camera()
        self._clock = QElapsedTimer()
        self._flight = QTimer(self, interval=_STEP_MILLISECONDS)
        self._flight.timeout.connect(self._fly_on)
        view.document_context.requests.focus.connect(self.focus_on)
        view.document_context.requests.reveal.connect(self.bring_into_sight)
        # Whoever picks a place aims at it.
        view.document_context.requests.pick_changed.connect(self.keep)

    # --- at once ---------------------------------------------------------------------------------------------------

    def keep(self) -> None:
        """Keep the camera where it is from now on, whatever comes into the scene."""
        self._fits = self._fits_at_goal = False

    def move_to(self, camera: Camera) -> None:
        """Move the camera at once."""
        if camera != self._view.camera:
            self.keep()
            self._view.camera = camera
            self._view.draw_soon()

    def follow_size(self, now: QSize) -> None:
        """Keep what is in the view in a narrower one; in a wider one it is as before."""
        if now.isEmpty():
            return
        # Qt names no former size for a view that was hidden meanwhile: one step back would be missing.
        before, self._size = self._size, now
        is_fitted_later = self._fits and not self._has_arrived
        if is_fitted_later or self.is_held or self.is_led or before.isEmpty():
            return
        factor = _share_in_sight(before) / _share_in_sight(now)
        if factor == 1.0 and not self._is_as_fitted:
            return
        self._origin, self._goal = _farther(self._origin, factor), _farther(self._goal, factor)
        if self._is_as_fitted:
            self._view.camera = self._as_fitted_in(now)
            self._fitted_to = (*self._fitted_to[:-1], self._view.camera)
        else:
            self._view.camera = _farther(self._view.camera, factor)
        self._view.draw_soon()

    def _as_fitted_in(self, now: QSize) -> Camera:
        """Return the camera that was fitted, for another size of the view: farther away where something would be cut.

        It depends on no size between, so that a view that becomes as it was shows what it showed.
        """
        camera, size, extremes = self._fit_made
        scaled = _farther(camera, _share_in_sight(size) / _share_in_sight(now))
        covered = () if size.boundedTo(now) == size else (self._view.covered_by_tools, self._view.covered_by_notices)
        is_clear = self._shows(extremes, scaled) and not any(self._is_in(scaled, each, extremes) for each in covered)
        return scaled if is_clear else self._fit(camera, extremes)

    def camera_for(self, size: QSize) -> Camera:
        """Return the camera of a picture of a size in which all is that is in the view."""
        return _farther(self._view.camera, _share_in_sight(self._view.size()) / _share_in_sight(size))

    def fit_again(self) -> None:
        """Fit everything into the view at its next picture, as when it was opened, unless the user has navigated."""
        self._has_arrived = False

    @property
    def goes_on_fitting(self) -> bool:
        """Whether it goes on to show everything, as the user has not navigated since."""
        return self._fits or (self.is_flying and self._fits_at_goal)

    @property
    def is_behind(self) -> bool:
        """Whether there is something new to fit into the view, and the user has not moved the camera."""
        if self.is_held or not self._fits:
            return False
        is_in_other_room = not self._has_arrived and self._view.room != self._fitted_room
        return is_in_other_room or self._arrives or not all(self._as_fitted(self._shown))

    @property
    def _arrives(self) -> bool:
        """Whether all of the document is in the scene, as it was not when the camera was fitted last."""
        feed = self._view.feed
        return not (self._has_arrived or feed.is_loading or feed.is_building)

    def _as_fitted(self, shown: tuple[object, ...]) -> list[bool]:
        """Return which parts of what is drawn are those that were fitted into the view."""
        is_known = len(shown) == len(self._fitted_to)
        return [a is b for a, b in zip(shown, self._fitted_to, strict=True)] if is_known else [False] * len(shown)

    @property
    def _shown(self) -> tuple[object, ...]:
        """What decides whether everything is in sight: what is drawn, and from where."""
        return (*self._compared.shown(), self._view.look, self._view.camera)

    def keep_in_sight(self) -> None:
        """Fit everything into the view if there is something new and the user has not moved the camera."""
        if not self.is_behind:
            return
        view, shown = self._view, self._shown
        everything = self._compared.outline()
        aspect = view.room.width() / max(view.room.height(), 1)
        outline = self._in_room(view.camera, view.room).decisive(everything, aspect)
        # After most edits of a large world the outermost points are where they were.
        stays = np.array_equal(outline, self._fitted_outline)
        if not self._has_arrived:
            stays = stays and all(self._as_fitted(shown)[-2:]) and view.room == self._fitted_room
        elif _ghosts(shown) == _ghosts(self._fitted_to):
            # One should see by how much an edit or a joint moves something.
            stays = stays or self._shows(outline, view.camera)
        if not stays:
            view.camera = self._fit(view.camera, everything)
        if not self._is_as_fitted:
            decisive = (self._in_room(view.camera, view.room).decisive(everything, each) for each in _ASPECTS)
            self._fit_made = view.camera, view.size(), np.concatenate([*decisive])
        self._has_arrived = self._has_arrived or self._arrives
        self._fitted_to, self._fitted_room = (*shown[:-1], view.camera), view.room
        self._fitted_outline = outline
        if not stays:
            self.aimed.emit(())

    @property
    def _is_as_fitted(self) -> bool:
        """Whether the camera is still where everything was fitted into the view."""
        return bool(self._fitted_to) and self._fitted_to[-1] is self._view.camera

    def _shows(self, outline: Floats, camera: Camera) -> bool:
        """Return whether all of some points (k, 3) are in the picture of a camera."""
        view, room = self._view, self._view.room
        pixels, depth = camera.project(outline, view.width(), max(view.height(), 1))
        low, high = (room.left(), room.top()), (room.right() + 1, room.bottom() + 1)
        return bool(((pixels >= low) & (pixels <= high)).all() and (depth > 0).all())

    # --- smoothly --------------------------------------------------------------------------------------------------

    @property
    def is_flying(self) -> bool:
        """Whether the camera is on its way to another place."""
        return self._flight.isActive()

    @property
    def goal(self) -> Camera:
        """Where the camera is, or is on its way to."""
        return self._goal if self.is_flying else self._view.camera

    def fly_to(self, camera: Camera, fits: bool = False) -> None:
        """Move the camera smoothly; at once while the view is not shown.

        `fits` says that it shows everything from there, and goes on to do so.
        """
        self.keep()
        if not self._view.isVisible():
            self._view.camera, self._fits = camera, fits
            return
        self._fits_at_goal = fits
        self._origin, self._goal = self._view.camera, camera
        self._clock.start()
        self._flight.start()

    def stop(self) -> None:
        """Leave the camera where it is on its way."""
        self._flight.stop()

    def _fly_on(self) -> None:
        t = self._clock.elapsed() / FLIGHT_MILLISECONDS
        if t >= 1.0:
            self.stop()
            self._fits = self._fits_at_goal
        self._view.camera = self._origin.blend(self._goal, t) if t < 1.0 else self._goal
        self._view.draw_soon()

    def fit(self) -> None:
        """Fit everything into the view."""
        self.fly_to(self._fitted(self.goal), fits=True)
        self.aimed.emit(())

    def fit_far(self) -> None:
        """Fit everything into the view, with what is so far away that it is left out otherwise."""
        view = self._view
        points = view.feed.scene.outline(range(len(view.feed.scene.owners)))
        self.fly_to(self.goal.fit(points, view.width() / max(view.height(), 1)))

    def shows(self, names: tuple[str, ...], camera: Camera) -> Camera | None:
        """Return a camera that shows frames, or everything without names, from where another looks, or None."""
        if not names:
            return self._fitted(camera)
        points = self._compared.outline_of(names)
        if not len(points) or not np.isfinite(points).all():
            return None
        return camera.fit(points, self._view.width() / max(self._view.height(), 1), margin=2.0)

    def focus_on(self, names: object) -> None:
        """Centre frames given by scoped names; everything if there are none."""
        if self.is_led:
            return
        view, names = self._view, tuple(names) if isinstance(names, (tuple, list)) else ()
        points = self._compared.outline_of(names)
        if not len(points):
            self.fit()
        elif np.isfinite(points).all():
            aspect = view.width() / max(view.height(), 1)

            def fit(camera: Camera) -> Camera:
                return camera.fit(points, aspect, margin=2.0)

            aimed, scene = fit(self.goal), view.feed.scene
            self.fly_to(aimed)
            self.aimed.emit(names)
            # A part may be hidden behind others from here. To find that out takes a while.
            from sdfviewer.scene.sight import in_clear_sight  # noqa: PLC0415  # needed only here

            model = view.document_context.session.model
            rows = [] if model is None else [model.rows_by_name[name] for name in names if name in model.rows_by_name]
            find = partial(in_clear_sight, scene, aimed, rows, fit)
            view.document_context.run_in_background(find, partial(self._step_aside, aimed))

    def _step_aside(self, aimed: Camera, clear: Camera) -> None:
        """Go to where what one has aimed at can be seen, unless one looks at something else by now."""
        if clear != aimed and self.goal == aimed:
            self.fly_to(clear)

    def bring_into_sight(self, names: object) -> None:
        """Centre frames given by scoped names if they are out of sight, from no nearer than the camera is."""
        session = self._view.document_context.session
        rows = session.model.rows_by_name if session.model is not None else {}
        wanted = tuple(names) if isinstance(names, (tuple, list)) else ()
        placed = [name for name in wanted if name in rows and np.isfinite(session.X_RootF[rows[name]]).all()]
        points = self._compared.outline_of(tuple(placed))
        is_seen = not len(points) or not np.isfinite(points).all() or self._shows(points, self.goal)
        if is_seen or self.is_led:
            return
        camera = self.goal.fit(points, self._view.width() / max(self._view.height(), 1), margin=2.0)
        # Nearer, a frame in a body would be in front of one grey wall.
        self.fly_to(replace(camera, distance=max(camera.distance, self.goal.distance)))

    def look_from(self, side: str) -> None:
        """Look from one of the preset sides and fit everything into the view."""
        self.fly_to(self._fitted(self.goal.seen_from(side)), fits=True)
        self.aimed.emit(())

    def _fitted(self, camera: Camera) -> Camera:
        """Return a camera that shows everything from where one looks."""
        return self._fit(camera, self._compared.outline())

    def _fit(self, camera: Camera, everything: Floats) -> Camera:
        """Return a camera that shows points (n, 3), with the frames and joints of the scene, from where one looks."""
        view, room, notices = self._view, self._view.room, self._view.covered_by_notices
        is_below = notices.top() > room.top() + room.height() / 2
        if is_below and self._is_in(self._fit_into(room, camera, everything), notices, everything):
            room.setBottom(min(room.bottom(), notices.top() - 1))
        fitted, cube = self._fit_beside_tools(room, camera, everything), view.covered_by_cube
        if self._is_over(fitted, cube, everything):
            below, beside = QRect(room), QRect(room)
            below.setTop(max(room.top(), cube.bottom() + 1))
            beside.setRight(min(room.right(), cube.left() - 1))
            rooms = [each for each in (below, beside) if each.width() > each.height() / 4 > each.width() / 16]
            fits = (self._fit_beside_tools(each, camera, everything) for each in rooms)
            return min(fits, key=_distance, default=fitted)
        return fitted

    def _fit_beside_tools(self, room: QRect, camera: Camera, everything: Floats) -> Camera:
        """Return a camera that shows points (n, 3) in a part of the picture, but not under the tools."""
        fitted, tools = self._fit_into(room, camera, everything), self._view.covered_by_tools
        if not self._is_over(fitted, tools, everything):
            return fitted
        return self._fit_into(room.adjusted(tools.right() + 1 - room.left(), 0, 0, 0), camera, everything)

    def _is_over(self, camera: Camera, covered: QRect, everything: Floats) -> bool:
        """Return whether a camera shows any of points (n, 3) where something covers a corner of the picture."""
        if covered.isEmpty() or covered.width() > self._view.width() / 3:
            return False
        size = (self._view.width(), max(self._view.height(), 1))
        is_at_left = covered.center().x() < self._view.width() / 2
        beside = camera.is_left_of(covered.right() if is_at_left else covered.left(), everything, *size)
        on_this_side = everything[beside if is_at_left else ~beside]  # of thousands a few
        rows = camera.project(on_this_side, *size)[0][:, 1]
        return bool(len(rows) and rows.min() <= covered.bottom() and rows.max() >= covered.top())

    def _is_in(self, camera: Camera, covered: QRect, everything: Floats) -> bool:
        """Return whether a camera shows any of points (n, 3) in a rectangle of the picture."""
        if covered.isEmpty():
            return False
        pixels, depth = camera.project(everything, self._view.width(), max(self._view.height(), 1))
        low, high = (covered.left(), covered.top()), (covered.right(), covered.bottom())
        return bool((((pixels >= low) & (pixels <= high)).all(axis=1) & (depth > 0)).any())

    def _fit_into(self, room: QRect, camera: Camera, everything: Floats) -> Camera:
        """Return a camera that shows points (n, 3), with the frames and joints of the scene, in a part of it."""
        view, look = self._view, self._view.look
        triad = look.frame_size if look.frames and look.frame_size_metres is None else 0.0
        joint = look.joint_size if look.joints else 0.0
        size = (room.width(), max(room.height(), 1))
        fitted = fit_with_glyphs(self._in_room(camera, room), [view.feed.scene], everything, size, triad, joint)
        away = (QRectF(room).center() - QRectF(view.rect()).center()) / (max(view.height(), 1) / 2)
        return replace(fitted, fov=camera.fov, shift=(away.x(), -away.y()))

    def _in_room(self, camera: Camera, room: QRect) -> Camera:
        """Return the camera that takes of the picture what the texts at its edges leave free."""
        share = room.height() / max(self._view.height(), 1)
        return camera if share == 1.0 else replace(camera, fov=2 * math.atan(math.tan(camera.fov / 2) * share))


def _farther(camera: Camera, factor: float) -> Camera:
    """Return a camera that shows a multiple of what another one does."""
    return replace(camera, distance=camera.distance * factor)


def _ghosts(shown: tuple[object, ...]) -> list[bool]:
    """Return which kinds of ghosts are among what is drawn."""
    return [each is not None for each in shown[1:-2]]


def _distance(camera: Camera) -> float:
    return camera.distance


def _share_in_sight(size: QSize) -> float:
    """Return which part of what is in sight in a wide view is in sight across a narrower one."""
    return min(size.width() / size.height() / _WIDE, 1.0)


class CameraFollowing:
    """Moves the camera by as much as the frame selected last moves; it does not rotate.

    Attributes
    ----------
    on
        Whether it does so.
    """

    def __init__(self, canvas: SceneWidget) -> None:
        self._canvas = canvas
        self.on = False
        self._name = ""
        self._origin: Floats | None = None

    def follow(self) -> None:
        """Take note of where the frame is now, and move the camera if it was elsewhere."""
        session = self._canvas.document_context.session
        name = session.selection[-1] if session.selection else ""
        model, scene = session.model, self._canvas.feed.scene
        row = -1 if model is None else model.rows_by_name.get(name, -1)
        origin = scene.X_RootF[row, :3, 3] if 0 <= row < len(scene.X_RootF) else None
        if origin is not None and not np.isfinite(origin).all():
            origin = None
        # During a drag the picture must not run away from the mouse.
        follows = self.on and not self._canvas.tools.is_dragging
        if follows and name == self._name and origin is not None and self._origin is not None:
            step = origin - self._origin
            if step.any():
                camera = self._canvas.camera
                self._canvas.camera = camera.looking_at(np.asarray(camera.focus) + step)
        self._name, self._origin = name, origin
