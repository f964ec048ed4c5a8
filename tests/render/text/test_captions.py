"""Which names are written beside frames in one place."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import cast

import numpy as np
import pytest
from numpy.typing import NDArray

from sdfviewer.model.kinds import Kind
from sdfviewer.model.shapes.box import Box
from sdfviewer.palette import TOKENS
from sdfviewer.render import overlays
from sdfviewer.render.captions import Captions, Notes
from sdfviewer.render.texts import PlacedText, TextPass
from sdfviewer.render.view import Highlight, Look, View
from sdfviewer.scene.camera import Camera
from sdfviewer.scene.geometry import own_mesh
from sdfviewer.scene.nodes import Labels, MeshInstance, Triads
from sdfviewer.scene.scene import Scene
from sdfviewer.transforms import pose

AHEAD = Camera(distance=10.0)


class Measure:
    """Texts of eight pixels to a letter."""

    def __init__(self) -> None:
        self.measured: list[str] = []

    def sizes(self, texts: Sequence[str], ratio: float) -> NDArray[np.float64]:
        self.measured += texts
        return np.array([(8.0 * len(text), 16.0) for text in texts]).reshape(-1, 2)

    def size(self, text: str, ratio: float) -> tuple[float, float]:
        return 8.0 * len(text), 16.0


def texts_of(
    count: int,
    highlight: Highlight | None = None,
    missing: int = 0,
    covered: tuple[tuple[float, float, float, float], ...] = (),
    notes: Notes = (),
    camera: Camera = AHEAD,
) -> list[PlacedText]:
    """Return what is written beside frames in one place from top to bottom, the first being the most important."""
    X = np.tile(np.eye(4), (count + missing, 1, 1))
    X[count:] = np.nan
    rows = np.arange(count + missing, dtype=np.int32)
    labels = Labels(
        rows, tuple(f"frame_{row}" for row in rows), np.zeros_like(rows), -rows.astype(float), np.zeros((len(rows), 3))
    )
    scene = Scene(X, np.full(len(rows), -1, np.int32), labels=labels)
    look = Look(grid=False, view_cube=False)
    colours = np.zeros((len(TOKENS), 4), np.float32)
    view = View(camera, 800, 600, covered=covered)
    texts = cast(TextPass, Measure())
    _, placed = Captions().place(scene, look, highlight or Highlight(), view, texts, colours, np.eye(4), notes=notes)
    return sorted(placed, key=lambda text: text.y)


def names(
    count: int,
    highlight: Highlight | None = None,
    missing: int = 0,
    covered: tuple[tuple[float, float, float, float], ...] = (),
) -> list[str]:
    return [each.text for each in texts_of(count, highlight, missing, covered)]


def test_some_frames_in_one_place_are_all_named() -> None:
    assert names(4) == ["frame_0", "frame_1", "frame_2", "frame_3"]


def test_of_many_frames_in_one_place_the_most_important_are_named_and_the_others_counted() -> None:
    assert names(8) == ["frame_0", "frame_1", "frame_2", "+5 more"]


def test_what_is_selected_is_among_the_named() -> None:
    assert names(8, Highlight(selected=frozenset({6}), chain=frozenset({5}))) == [
        "frame_5",
        "frame_6",
        "frame_0",
        "+5 more",
    ]


def test_frames_without_a_place_are_not_counted() -> None:
    assert names(4, missing=3) == ["frame_0", "frame_1", "frame_2", "frame_3"]


def test_a_count_is_not_written_where_the_names_above_it_are_covered() -> None:
    # The names begin right of the middle, each 21 pixels below the one before.
    assert names(8, covered=((0.0, 320.0, 800.0, 20.0),)) == ["frame_0"]


def test_all_names_that_are_not_written_are_counted() -> None:
    """Where a handle covered the first two of five names, "+2 more" stood below the third."""
    assert names(8, covered=((0.0, 280.0, 800.0, 40.0),)) == ["frame_2", "+7 more"]


def test_a_count_that_is_not_written_leaves_its_room_to_another_name() -> None:
    below = -63.0 * float(AHEAD.metres_per_pixel(np.zeros((1, 3)), 600)[0]) * AHEAD.axes[1]
    X = np.tile(np.eye(4), (9, 1, 1))
    X[8, :3, 3] = below
    rows = np.arange(9, dtype=np.int32)
    names = (*(f"frame_{row}" for row in rows[:8]), "other")
    labels = Labels(rows, names, np.zeros_like(rows), -rows.astype(float), np.zeros((9, 3)))
    scene = Scene(X, np.full(9, -1, np.int32), labels=labels)

    def written(*covered: tuple[float, float, float, float]) -> list[str]:
        colours = np.zeros((len(TOKENS), 4), np.float32)
        view, look = View(AHEAD, 800, 600, covered=covered), Look(grid=False, view_cube=False)
        _, placed = Captions().place(scene, look, Highlight(), view, cast(TextPass, Measure()), colours, np.eye(4))
        return [each.text for each in placed]

    assert "other" not in written()
    assert set(written((0.0, 320.0, 800.0, 20.0))) == {"frame_0", "other"}


def test_the_name_of_the_selection_leaves_the_text_of_a_tool_free() -> None:
    line = np.array([(0.0, 3.0, 0.0), (0.0, -3.0, 0.0)])
    written = texts_of(1, Highlight(selected=frozenset({0})), notes=(("0.123456789 m  1.571 rad", line),))
    (a, b) = sorted(written, key=lambda text: text.x)
    apart_x = a.x + 8.0 * len(a.text) <= b.x
    apart_y = min(a.y, b.y) + 16.0 <= max(a.y, b.y)
    assert apart_x or apart_y


def test_the_name_of_what_is_hovered_has_a_rim() -> None:
    rims = {text.text: text.rim for text in texts_of(3, Highlight(selected=frozenset({0}), hovered=1))}
    assert [rims[f"frame_{row}"] is not None for row in range(3)] == [False, True, False]


@pytest.mark.parametrize(("dx", "dy"), [(-420.0, 0.0), (395.0, 0.0), (0.0, -295.0), (0.0, 305.0)])
def test_no_edge_cuts_the_name_of_the_selection(dx: float, dy: float) -> None:
    """The frame was a little beyond the edge, and of its name the last two letters were left."""
    camera = AHEAD.pan(dx, dy, 600)
    (shown,) = texts_of(1, Highlight(selected=frozenset({0})), camera=camera)
    assert 0 <= shown.x <= 800 - 8 * len(shown.text)
    assert 0 <= shown.y <= 600 - 16


def test_what_is_far_beyond_the_edge_is_not_named() -> None:
    assert texts_of(1, Highlight(selected=frozenset({0})), camera=AHEAD.pan(-900.0, 0.0, 600)) == []


def two_frames() -> Scene:
    """Return a scene of two frames, of which the first hides the second from the front, and the other way round."""
    X = np.tile(np.eye(4), (2, 1, 1))
    X[:, 0, 3] = 0.3, -0.3
    rows = np.arange(2, dtype=np.int32)
    labels = Labels(rows, ("near", "far_"), np.zeros_like(rows), np.zeros(2), np.zeros((2, 3)))
    return Scene(X, np.full(2, -1, np.int32), labels=labels)


def written(
    captions: Captions,
    scene: Scene,
    side: str = "front",
    highlight: Highlight | None = None,
    *,
    dense: bool = False,
    grid: bool = False,
    measure: Measure | None = None,
) -> list[str]:
    view = View(AHEAD.seen_from(side), 800, 600)
    look, colours = Look(grid=grid, view_cube=False), np.zeros((len(TOKENS), 4), np.float32)
    texts = measure or Measure()
    _, placed = captions.place(
        scene, look, highlight or Highlight(), view, cast(TextPass, texts), colours, np.eye(4), dense=dense
    )
    return [each.text for each in placed]


def test_names_stay_while_the_camera_moves_and_then_do_not_depend_on_where_it_was() -> None:
    captions, scene = Captions(), two_frames()
    assert written(captions, scene) == ["near"]
    written(captions, scene, "back")
    assert written(captions, scene, "back") == ["far_"]
    assert written(captions, scene) == ["far_"], "no flicker"
    assert written(captions, scene) == ["near"], "at rest"


def test_names_are_measured_once_and_not_with_the_marks_of_each_picture() -> None:
    captions, scene, measure = Captions(), two_frames(), Measure()
    written(captions, scene, grid=True, measure=measure)
    assert measure.measured[:2] == ["near", "far_"]
    measure.measured.clear()
    written(captions, scene, "iso", grid=True, measure=measure)
    assert measure.measured, "the metre marks"
    assert not set(measure.measured) & {"near", "far_"}


@pytest.mark.parametrize("dense", [False, True])
def test_the_mouse_does_not_drive_names_away(dense: bool) -> None:
    captions, scene = Captions(), two_frames()
    assert written(captions, scene, dense=dense) == ["near"]
    assert written(captions, scene, highlight=Highlight(detailed=frozenset({1})), dense=dense) == ["near"]


@pytest.mark.parametrize("dense", [False, True])
def test_what_comes_first_is_named_whatever_is_near_it_until_something_is_selected(dense: bool) -> None:
    """A view of a dense robot named none of the frames that it was shown for."""
    first = frozenset({1})
    assert "far_" in written(Captions(), two_frames(), highlight=Highlight(foremost=first), dense=dense)
    assert written(Captions(), two_frames(), highlight=Highlight(frozenset({0}), foremost=first), dense=dense) == [
        "near"
    ]


def test_one_can_point_at_names_but_not_at_those_that_the_mouse_has_brought() -> None:
    captions, scene = Captions(), two_frames()
    written(captions, scene)
    (left, top, right, bottom) = captions.targets.rectangles[0].tolist()
    middle = ((left + right) / 2, (top + bottom) / 2)
    found = captions.targets.at(*middle)
    assert found is not None
    assert found.row == 0
    assert captions.targets.at(left - 1, top) is None
    written(captions, scene, highlight=Highlight(hovered=0))
    assert captions.targets.at(*middle) == found
    assert written(captions, scene, highlight=Highlight(hovered=1)) == ["far_"]
    assert captions.targets.at(*middle) is None


def test_a_stack_does_not_change_under_the_mouse() -> None:
    """The selection was left out, and is lifted to the top; what is hovered was put above it."""
    selected = frozenset({6})
    assert names(8, Highlight(selected=selected)) == names(8, Highlight(selected=selected, hovered=1))


@pytest.mark.parametrize(("top", "marked"), [(0.0, True), (0.05, False), (3.0, True)])
def test_a_ground_that_is_a_little_higher_cuts_no_metre_marks(top: float, marked: bool) -> None:
    """It hid the lower halves of the marks, as it hides the whole grid."""
    X = np.eye(4)[None].copy()
    X[0, 2, 3] = top - 0.05
    ground = MeshInstance(0, own_mesh(Box((200.0, 200.0, 0.1))))
    scene = Scene(X, np.full(1, -1, np.int32), surfaces=(ground,))
    view = View(AHEAD.seen_from("iso"), 800, 600)
    look, colours, texts = Look(view_cube=False), np.zeros((len(TOKENS), 4), np.float32), cast(TextPass, Measure())
    marks, _ = Captions().place(scene, look, Highlight(), view, texts, colours, np.eye(4))
    assert bool(marks) == marked


@pytest.mark.parametrize("is_around", [False, True])
def test_a_metre_mark_is_shown_whole_or_not_at_all(is_around: bool) -> None:
    """A box in front of its left half left "50 m" of "-750 m"."""
    camera = Camera(focus=(-750.0, 0.0, 0.5), distance=4.0).seen_from("iso")
    view = View(camera, 800, 600)
    look, colours, texts = Look(view_cube=False), np.zeros((len(TOKENS), 4), np.float32), cast(TextPass, Measure())

    def marks(scene: Scene) -> list[PlacedText]:
        return Captions().place(scene, look, Highlight(), view, texts, colours, np.eye(4))[0]

    bare = marks(Scene(np.eye(4)[None], np.full(1, -1, np.int32)))
    mark = next(each for each in bare if each.text == "-750 m")
    # A slab that stands upright before the left half of the mark, and one around the whole.
    origin, direction = camera.ray(mark.x + (24 if is_around else 4), mark.y + 8, 800, 600)
    X = np.eye(4)[None].copy()
    X[0, :3, 3] = origin + 2.0 * direction
    width = 1.0 if is_around else 0.02
    standing = MeshInstance(0, own_mesh(Box((width, width, width))))
    after = [each.text for each in marks(Scene(X, np.full(1, -1, np.int32), surfaces=(standing,)))]
    assert ("-750 m" in after) == is_around, "a mark that is hidden as a whole is left to the depth of its pixels"


@pytest.mark.parametrize(
    ("drawn", "dense", "selected", "crossed"),
    [(True, False, False, True), (False, False, False, False), (True, True, True, True), (True, True, False, False)],
)
def test_a_metre_mark_is_left_out_where_an_arrow_crosses_it(
    drawn: bool, dense: bool, selected: bool, crossed: bool
) -> None:
    """The axis of a joint hid the sign of "-1 m"; of many frames only those that are chosen have axes."""
    camera = Camera(focus=(-750.0, 0.0, 0.5), distance=4.0).seen_from("iso")
    look = replace(Look(view_cube=False), frames=drawn, joints=drawn)
    colours, texts = np.zeros((len(TOKENS), 4), np.float32), cast(TextPass, Measure())

    def marks(scene: Scene) -> list[PlacedText]:
        highlight, view = Highlight(selected=frozenset({0} if selected else ())), View(camera, 800, 600)
        return Captions().place(scene, look, highlight, view, texts, colours, np.eye(4), dense=dense)[0]

    X, root = np.eye(4)[None].copy(), np.full(1, -1, np.int32)
    mark = next(each for each in marks(Scene(X, root)) if each.text == "-750 m")
    origin, direction = camera.ray(mark.x - 5, mark.y + 8, 800, 600)
    X[0, :3, 3] = origin + 2.0 * direction
    X[0, :3, :3] = np.stack([camera.axes[0], camera.axes[1], camera.axes[2]], axis=1)  # x to the right
    triads = Triads(np.zeros(1, np.int32), np.zeros(1, np.int32))
    assert ("-750 m" in [each.text for each in marks(Scene(X, root, triads=triads))]) != crossed


def test_the_mouse_asks_no_more_which_marks_are_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    """On the PR2 that took half of the time of a picture with something else under the mouse."""
    asked: list[None] = []
    hidden = overlays.partly_hidden
    monkeypatch.setattr("sdfviewer.render.captions.partly_hidden", lambda *each: (asked.append(None), hidden(*each))[1])
    camera = Camera(focus=(-750.0, 0.0, 0.5), distance=4.0).seen_from("iso")
    look, colours, texts = Look(view_cube=False), np.zeros((len(TOKENS), 4), np.float32), cast(TextPass, Measure())
    X = np.repeat(np.eye(4)[None], 3, axis=0)
    scene, places = Scene(X, np.full(3, -1, np.int32)), Captions()

    def place(camera: Camera, highlight: Highlight) -> None:
        places.place(scene, look, highlight, View(camera, 800, 600), texts, colours, np.eye(4))

    place(camera, Highlight())
    place(camera, Highlight())  # at rest
    asked.clear()
    for row in range(3):
        place(camera, Highlight(hovered=row, detailed=frozenset({row})))
        place(camera, Highlight(selected=frozenset({row})))
    assert not asked
    place(camera.seen_from("front"), Highlight())
    assert asked


def test_metre_marks_stay_while_the_mouse_points_at_something() -> None:
    """The picture of the surfaces is kept with them; that of the PR2 was drawn again wherever the mouse went."""
    camera = Camera(focus=(-750.0, 0.0, 0.5), distance=4.0).seen_from("iso")
    look, colours, texts = Look(view_cube=False), np.zeros((len(TOKENS), 4), np.float32), cast(TextPass, Measure())
    captions, scene, view = Captions(), Scene(np.eye(4)[None], np.full(1, -1, np.int32)), View(camera, 800, 600)

    def marks(highlight: Highlight, view: View) -> list[PlacedText]:
        return captions.place(scene, look, highlight, view, texts, colours, np.eye(4))[0]

    before = marks(Highlight(), view)
    mark = next(each for each in before if each.text == "-750 m")
    covered = replace(view, covered=((mark.x, mark.y, 40.0, 16.0),))  # what the window says of the thing
    assert marks(Highlight(hovered=0), covered) == before
    assert marks(Highlight(), covered) != before
    assert marks(Highlight(), view) == before


def test_joints_are_named_while_they_are_drawn_or_matter() -> None:
    """Their names stood beside nothing while joint axes were off."""
    X = np.tile(np.eye(4), (3, 1, 1))
    rows, joint = np.arange(3, dtype=np.int32), TOKENS.index("joint")
    tokens = np.array([TOKENS.index("link"), joint, joint], np.int32)
    labels = Labels(rows, ("link", "elbow", "wrist"), tokens, -rows.astype(float), np.zeros((3, 3)))
    scene = Scene(X, np.full(3, -1, np.int32), labels=labels)

    def named(look: Look) -> set[str]:
        view, colours = View(AHEAD, 800, 600), np.zeros((len(TOKENS), 4), np.float32)
        chosen = Highlight(selected=frozenset({2}))
        _, placed = Captions().place(scene, look, chosen, view, cast(TextPass, Measure()), colours, np.eye(4))
        return {each.text for each in placed}

    look = Look(grid=False, view_cube=False)
    assert named(look) == {"link", "elbow", "wrist"}
    assert named(replace(look, joints=False)) == {"link", "wrist"}


def test_no_name_covers_the_mark_on_what_is_selected() -> None:
    """The name of a frame beside it lay over it, and it could not be seen whose name that was."""
    camera = AHEAD.seen_from("front")
    X = np.tile(np.eye(4), (2, 1, 1))
    # The first frame is near the right edge, so that its name is left of it, and the other one begins right of that.
    X[:, 1, 3] = np.array([150.0, 135.0]) * float(camera.metres_per_pixel(np.zeros((1, 3)), 600)[0])
    rows = np.arange(2, dtype=np.int32)
    labels = Labels(rows, ("selected" * 4, "other"), np.zeros_like(rows), np.ones(2), np.zeros((2, 3)))
    scene = Scene(X, np.full(2, -1, np.int32), labels=labels)
    look, colours = Look(grid=False, view_cube=False), np.zeros((len(TOKENS), 4), np.float32)

    def written(highlight: Highlight) -> list[str]:
        view, texts = View(camera, 800, 600), cast(TextPass, Measure())
        return [each.text for each in Captions().place(scene, look, highlight, view, texts, colours, np.eye(4))[1]]

    assert "other" in written(Highlight())
    assert written(Highlight(selected=frozenset({0}))) == ["selected" * 4]


def test_a_selected_part_has_a_name_in_its_middle() -> None:
    """Only frames had names, also where nothing else showed which of several visuals was selected."""
    X = np.tile(np.eye(4), (3, 1, 1))
    X[1, 0, 3] = 1.5
    rows = np.arange(1, dtype=np.int32)
    labels = Labels(rows, ("link",), np.zeros_like(rows), np.ones(1), np.zeros((1, 3)))
    # The mesh is two metres from its origin.
    shapes = (MeshInstance(1, own_mesh(Box((0.2, 0.2, 0.2))), X_RowG=pose(np.eye(3), (0.0, 2.0, 0.0))),)
    scene = Scene(
        X,
        np.array([-1, 0, 0], np.int32),
        ("arm::link", "arm::link::cover", "arm::link::hidden"),
        (Kind.LINK, Kind.VISUAL, Kind.COLLISION),
        shapes,
        labels=labels,
    )
    camera = AHEAD.seen_from("top")
    look, colours = Look(grid=False, view_cube=False), np.zeros((len(TOKENS), 4), np.float32)

    def placed(*selected: int, look: Look = look) -> dict[str, tuple[float, float]]:
        marked, texts = Highlight(selected=frozenset(selected)), cast(TextPass, Measure())
        _, names = Captions().place(scene, look, marked, View(camera, 800, 600), texts, colours, np.eye(4))
        return {each.text: (each.x, each.y + 8) for each in names}

    assert set(placed()) == {"link"}
    assert set(placed(2)) == {"link"}, "what is not drawn has no name"
    assert set(placed(0, 1, look=replace(look, labels=False))) == set()
    names = placed(1)
    assert set(names) == {"link", "cover"}
    middle, _ = camera.project(np.array([1.5, 2.0, 0.0]), 800, 600)
    assert np.hypot(*(middle - names["cover"])) < 20


def placed_around(
    side: float, covered: tuple[tuple[float, float, float, float], ...] = (), places: int = 5
) -> Captions:
    """Return the captions of five frames in some places of a cube with sides of some metres."""
    X = np.tile(np.eye(4), (5, 1, 1))
    X[:, 1, 3] = X[:, 2, 3] = np.linspace(-0.4, 0.4, 5)[np.arange(5) % places] * side
    rows = np.arange(5, dtype=np.int32)
    priorities = np.linspace(100.0, 90.0, 5, dtype=np.float64)
    labels = Labels(rows, tuple(f"frame_{row}" for row in rows), np.zeros_like(rows), priorities, np.zeros((5, 3)))
    cube = MeshInstance(2, own_mesh(Box((side, side, side))))
    scene = Scene(X, np.full(5, -1, np.int32), surfaces=(cube,), labels=labels)
    captions = Captions()
    colours = np.zeros((len(TOKENS), 4), np.float32)
    view = View(Camera(distance=10.0).seen_from("front"), 800, 600, covered=covered)
    look = Look(grid=False, view_cube=False)
    captions.place(scene, look, Highlight(), view, cast(TextPass, Measure()), colours, np.eye(4))
    return captions


def test_names_stand_beside_a_small_robot_with_lines_to_their_frames() -> None:
    captions = placed_around(1.2)
    assert len(captions.targets.names) == 5
    left, top, right, bottom = captions.targets.rectangles.T
    middle = (left < 400) & (right > 400) & (top < 300) & (bottom > 300)
    assert not middle.any()
    assert len(captions.leaders)


def test_one_line_leads_to_the_names_of_one_place() -> None:
    """The second name had none where it went straight down, and another one where it went aside."""
    assert len(placed_around(1.2, places=1).leaders) * 5 == len(placed_around(1.2).leaders)


def test_names_stay_at_their_frames_in_a_large_robot() -> None:
    captions = placed_around(5.0)
    assert len(captions.targets.names) == 5
    assert not len(captions.leaders)


def test_a_name_that_moves_out_from_under_the_view_cube_has_a_line_to_its_frame() -> None:
    """In a long row it would not be seen which model the name is of."""
    assert len(placed_around(5.0, covered=((0.0, 0.0, 800.0, 290.0),)).leaders)
