import io
from dataclasses import replace
from functools import partial

import numpy as np
import pytest
from PIL import Image

from sdfviewer.model.shapes.box import Box
from sdfviewer.model.shapes.plane import Plane
from sdfviewer.model.shapes.sphere import Sphere
from sdfviewer.palette import AXIS_Y, DARK, TOKENS, colour_table, parse_hex
from sdfviewer.render.surface_batches import Batch
from sdfviewer.render.surfaces import Surfaces
from sdfviewer.render.view import Depth, Look, View
from sdfviewer.scene.camera import Camera
from sdfviewer.scene.geometry import own_mesh, placeholder
from sdfviewer.scene.marks import Centres
from sdfviewer.scene.mesh import MeshMaterial, MeshPart, TriangleMesh
from sdfviewer.scene.nodes import JointGlyphs, JointShape, Layer, Lines, MeshInstance, Triads
from sdfviewer.scene.scene import Scene
from sdfviewer.scene.solid import with_coarse
from sdfviewer.scene.tools.section import CuttingPlane
from sdfviewer.transforms import pose_to_matrix
from tests.render.conftest import FRONT, PLAIN, SIZE, at
from tests.scene.scenes import BLUE, GREEN, RED, ball, boxes_in_a_row, many, one_line

LEFT, MIDDLE, RIGHT = (0.5, -3.0, 0.0), (0.5, 0.0, 0.0), (0.5, 3.0, 0.0)


def around(picture: np.ndarray, point: tuple[float, float, float], reach: int, camera: Camera = FRONT) -> np.ndarray:
    """Return the square of a picture within some pixels of a point of the world."""
    (x, y), _ = camera.project(point, *SIZE)
    return picture[int(y) - reach : int(y) + reach, int(x) - reach : int(x) + reach]


def test_a_framebuffer_without_a_picture_looks_like_the_background(renderer, paint) -> None:
    from sdfviewer.render.gl import GL
    from sdfviewer.render.gl_objects import Framebuffer

    target = Framebuffer()
    target.bind(*SIZE, 0)
    assert not renderer.fill(int(GL.glGetIntegerv(GL.GL_FRAMEBUFFER_BINDING)), *SIZE)
    pixels = GL.glReadPixels(0, 0, *SIZE, GL.GL_RGBA, GL.GL_UNSIGNED_BYTE)
    cleared = np.frombuffer(pixels, np.uint8).reshape(SIZE[1], SIZE[0], 4)[::-1]
    target.release()
    picture = paint(Scene(np.eye(4)[None], np.array([-1], np.int32)))
    assert np.abs(cleared.astype(int) - picture.astype(int)).max() <= 3
    assert np.ptp(cleared[:, 0, 0].astype(int)) > 20


def test_each_surface_has_its_colour_and_place(paint) -> None:
    picture = paint(boxes_in_a_row(3))
    for point, channel in ((LEFT, 0), (MIDDLE, 1), (RIGHT, 2)):
        colour = at(picture, point)[:3]
        assert colour[channel] > 120
        assert np.delete(colour, channel).max() < 60
    np.testing.assert_array_less(at(picture, (0, 1.5, 0))[:3], 80)  # between them: background


def test_poses_move_surfaces_without_a_new_scene(renderer, paint) -> None:
    scene = boxes_in_a_row(3)
    paint(scene)
    X = scene.X_RootF.copy()
    X[1:3, 2, 3] += 2.0
    renderer.set_poses(X)
    picture = paint()
    assert at(picture, LEFT)[0] < 80
    assert at(picture, (0.5, -3.0, 2.0))[0] > 120


@pytest.mark.parametrize("frames", [2, 40])
def test_a_scene_that_comes_between_the_parts_of_a_picture_is_seen_in_the_next_one(renderer, frames: int) -> None:
    renderer.set_look(replace(PLAIN, frames=True, joints=True))
    renderer.set_scene(many(0, 8))
    view = View(FRONT, *SIZE)
    for _ in renderer.draw(view):
        renderer.set_scene(many(0, frames))
    for _ in renderer.draw(view):
        pass


def test_what_is_in_front_hides_what_is_behind(paint) -> None:
    box = own_mesh(Box())
    X = np.array([pose_to_matrix((0, 0, 0, 0, 0, 0)), pose_to_matrix((2, 0, 0, 0, 0, 0))])
    surfaces = [MeshInstance(0, box, material=MeshMaterial(RED)), MeshInstance(1, box, material=MeshMaterial(BLUE))]
    for order in (surfaces, surfaces[::-1]):
        picture = paint(Scene(X, np.array([-1, -1], np.int32), surfaces=tuple(order)))
        assert at(picture, (2.5, 0, 0))[2] > 120


def test_transparent_surfaces_are_mixed_from_far_to_near(paint) -> None:
    box = own_mesh(Box((0.1, 1.0, 1.0)))
    X = np.array([pose_to_matrix((x, 0, 0, 0, 0, 0)) for x in (0.0, 1.0)])
    glass = [MeshInstance(k, box, material=MeshMaterial((*c[:3], 0.5))) for k, c in enumerate((RED, BLUE))]
    seen = [paint(Scene(X, np.array([-1, -1], np.int32), surfaces=tuple(o))) for o in (glass, glass[::-1])]
    np.testing.assert_array_equal(seen[0], seen[1])
    red, _, blue, _ = at(seen[0], (1.05, 0, 0))
    assert 20 < red < blue  # the blue one is nearer


@pytest.mark.parametrize("turned_round", [False, True])
def test_crowds_of_transparent_surfaces_look_like_surfaces_of_their_own(paint, turned_round: bool) -> None:
    n = 80
    X = np.array([pose_to_matrix((0.2 * k, 0.05 * k - 2.0, 0, 0, 0, 0)) for k in range(n)])
    shades = np.linspace(0, 1, n)[:: -1 if turned_round else 1]
    glass = [MeshMaterial((float(shade), 0.2, 1 - float(shade), 0.4)) for shade in shades]
    shapes = own_mesh(Box((0.1, 1.0, 1.0))), own_mesh(Sphere(0.5))
    frames = np.full(n, -1, np.int32)

    def picture(copied: bool) -> np.ndarray:
        meshes = [replace(shapes[k % 2]) if copied else shapes[k % 2] for k in range(n)]
        surfaces = tuple(MeshInstance(k, meshes[k], material=glass[k]) for k in range(n))
        return np.asarray(paint(Scene(X, frames, surfaces=surfaces)), int)

    together, apart = picture(copied=False), picture(copied=True)
    assert np.abs(together - apart).mean() < 1


def test_unresolved_frames_are_not_drawn(paint) -> None:
    scene = boxes_in_a_row(3)
    X = scene.X_RootF.copy()
    X[3:5] = np.nan
    picture = paint(replace(scene, X_RootF=X))
    assert at(picture, MIDDLE)[:3].max() < 80
    assert at(picture, LEFT)[0] > 120


def test_a_clear_background_on_request(renderer, paint) -> None:
    renderer.set_look(replace(PLAIN, transparent_background=True))
    picture = paint(boxes_in_a_row(3))
    assert picture[0, 0, 3] == 0
    assert at(picture, MIDDLE)[3] == 255


def test_a_texture_lies_upright_on_the_sides_of_a_box(paint) -> None:
    file = io.BytesIO()
    rows = np.zeros((8, 8, 3), np.uint8)
    rows[:4], rows[4:] = (255, 0, 0), (0, 0, 255)  # red above blue
    Image.fromarray(rows).save(file, "PNG")
    material = MeshMaterial((1.0, 1.0, 1.0, 1.0), albedo_map=file.getvalue())
    surface = MeshInstance(0, own_mesh(Box((2, 2, 2))), material=material)
    picture = paint(Scene(np.eye(4)[None], np.array([-1], np.int32), surfaces=(surface,)))
    assert at(picture, (1, 0, 0.5))[0] > at(picture, (1, 0, 0.5))[2] + 50
    assert at(picture, (1, 0, -0.5))[2] > at(picture, (1, 0, -0.5))[0] + 50


def test_a_broken_texture_leaves_the_plain_colour_and_says_why(renderer, paint) -> None:
    surface = MeshInstance(0, own_mesh(Box()), material=MeshMaterial(RED, albedo_map=b"no picture"))
    picture = paint(Scene(np.eye(4)[None], np.array([-1], np.int32), surfaces=(surface,)))
    assert at(picture, (0.5, 0, 0))[0] > 120
    assert list(renderer.failures) == ["embedded texture"]


def test_the_selection_has_an_outline_that_shines_through(renderer, paint) -> None:
    scene = boxes_in_a_row(3)
    paint(scene)
    renderer.set_highlight(selected=[1])  # the link; its visual is marked along
    picture = paint().astype(int)
    (x, y), _ = FRONT.project((0.5, -3.5, 0.0), *SIZE)
    near_edge = picture[int(y), int(x) - 3 : int(x) + 2, :3]
    assert np.abs(near_edge - parse_hex(DARK.selection)).sum(axis=1).min() < 30
    renderer.set_highlight()
    assert (
        np.abs(paint()[int(y), int(x) - 3 : int(x) + 2, :3].astype(int) - parse_hex(DARK.selection)).sum(axis=1).min()
        > 90
    )


@pytest.mark.parametrize("colour", [(1.0, 1.0, 1.0, 1.0), (0.0, 0.0, 0.0, 1.0)])
def test_the_outline_of_what_is_hovered_is_seen_on_any_colour(
    renderer, paint, colour: tuple[float, float, float, float]
) -> None:
    """A white line alone is lost between the white parts of a white robot."""
    X = np.stack([pose_to_matrix((x, 0, 0, 0, 0, 0)) for x in (-1.0, 0.0)])
    surfaces = (
        MeshInstance(0, own_mesh(Box((0.1, 9.0, 9.0))), material=MeshMaterial(colour)),
        MeshInstance(1, own_mesh(Box()), material=MeshMaterial(colour)),
    )
    paint(Scene(X, np.array([-1, -1], np.int32), surfaces=surfaces))
    renderer.set_highlight(hovered=1)
    picture = paint().astype(int)
    (x, y), _ = FRONT.project((0.5, -0.5, 0.0), *SIZE)
    across = picture[int(y), int(x) - 5 : int(x) + 6, :3]
    assert np.abs(across - parse_hex(DARK.hover)).sum(axis=1).min() < 120
    assert np.abs(across - parse_hex(DARK.plate)).sum(axis=1).min() < 120


@pytest.mark.parametrize("samples", [0, 4])
def test_what_is_in_front_hides_the_tint_of_the_selection(renderer, paint, samples: int) -> None:
    """Where the surfaces are drawn for the picture, and where they are kept from the last one."""
    X = np.stack([pose_to_matrix((x, 0, 0, 0, 0, 0)) for x in (0.0, 2.0)])
    surfaces = (
        MeshInstance(0, own_mesh(Box((0.1, 6.0, 6.0))), material=MeshMaterial(GREEN)),
        MeshInstance(1, own_mesh(Box()), material=MeshMaterial(BLUE)),
    )
    scene = Scene(X, np.array([-1, -1], np.int32), surfaces=surfaces)
    wall, box = (0.05, 1.5, 1.5), (2.5, 0.0, 0.0)
    plain = paint(scene, samples=samples)
    renderer.set_highlight(selected=[0])
    for _ in range(3):
        tinted = paint(samples=samples)
        np.testing.assert_array_equal(at(tinted, box), at(plain, box))
        change = (at(tinted, wall) - at(plain, wall))[:3]
        assert np.abs(change).max() > 8
        # Once, though both the near and the far side are drawn.
        assert np.abs(change).max() < 30


def test_a_ghost_is_drawn_a_second_time_and_see_through(renderer, paint) -> None:
    scene = boxes_in_a_row(1)
    before = paint(scene)
    X = scene.X_RootF.copy()
    X[1:, 1, 3] = 3.0
    renderer.set_ghost(X)
    picture = paint()
    assert at(picture, MIDDLE)[0] == at(before, MIDDLE)[0]
    ghost, ground = at(picture, RIGHT)[:3], at(before, RIGHT)[:3]
    assert (ghost > ground + 15).any()
    renderer.set_ghost(None)
    np.testing.assert_array_equal(paint(), before)


def test_a_ghost_of_a_mirrored_solid_looks_like_that_of_the_solid(renderer, paint) -> None:
    """Only front faces of solids are drawn, and mirrored ones turn theirs inwards."""
    scene = boxes_in_a_row(1)
    X = scene.X_RootF.copy()
    X[1:, 1, 3] = 3.0
    paint(scene)
    renderer.set_ghost(X)
    picture = paint()
    mirrored = replace(
        scene, surfaces=tuple(replace(each, scale=(-each.scale[0], *each.scale[1:])) for each in scene.surfaces)
    )
    renderer.set_ghost(X, scene=mirrored)
    assert np.abs(paint().astype(int) - picture).max() <= 2


def test_a_ghost_may_be_of_another_scene(renderer, paint) -> None:
    scene, other = boxes_in_a_row(1), boxes_in_a_row(3)
    before = paint(scene)
    X = np.full_like(other.X_RootF, np.nan)
    X[4] = other.X_RootF[4]  # the visual of the one in the middle
    X[4, 1, 3] = 3.0
    renderer.set_ghost(X, scene=other)
    ghost, ground = at(paint(), RIGHT)[:3], at(before, RIGHT)[:3]
    assert (ghost > ground + 15).any()
    # It stays while the scene becomes another one.
    paint(boxes_in_a_row(2))
    assert (at(paint(scene), RIGHT)[:3] == ghost).all()
    renderer.set_ghost(scene.X_RootF)
    paint()
    renderer.set_ghost(None)
    np.testing.assert_array_equal(paint(), before)


def test_tints_colour_rows(renderer, paint) -> None:
    scene = boxes_in_a_row(3)
    paint(scene)
    tints = np.zeros((len(scene.X_RootF), 4))
    tints[2] = (0.0, 1.0, 0.0, 1.0)
    renderer.set_tints(tints)
    red, green, *_ = at(paint(), LEFT)
    assert green > red


def test_triads_point_along_the_axes_of_their_frame(renderer, paint) -> None:
    renderer.set_look(replace(PLAIN, frames=True, frame_size=60.0, frame_width=5.0))
    scene = Scene(
        np.array([pose_to_matrix((0, 0, 0, np.pi / 2, 0, 0))]),
        np.array([-1], np.int32),
        triads=Triads(np.array([0], np.int32), np.array([TOKENS.index("frame")], np.int32)),
    )
    picture = paint(scene).astype(int)
    middle_x, middle_y = SIZE[0] // 2, SIZE[1] // 2
    # Rolled by 90°, the frame's y points up.
    np.testing.assert_allclose(picture[middle_y - 30, middle_x, :3], parse_hex(AXIS_Y), atol=12)


def test_points_that_are_close_together_leave_what_they_stand_on_in_sight(renderer, paint) -> None:
    # 30 x 30 frames on a wall, three pixels apart.
    side = 30
    y, z = np.meshgrid(np.arange(side), np.arange(side))
    apart = 3 * float(FRONT.metres_per_pixel(np.zeros((1, 3)), SIZE[1])[0])
    X = np.tile(np.eye(4), (side * side, 1, 1))
    X[:, 1, 3], X[:, 2, 3] = ((each.ravel() - side / 2) * apart for each in (y, z))
    rows = np.arange(side * side, dtype=np.int32)
    triads = Triads(rows, np.full(len(rows), TOKENS.index("link"), np.int32))
    scene = Scene(X, np.full(len(rows), -1, np.int32), triads=triads)
    empty = paint(scene)
    covered = []
    for declutter in (True, False):
        renderer.set_look(replace(PLAIN, frames=True, declutter=declutter))
        wall = slice(SIZE[1] // 2 - 40, SIZE[1] // 2 + 40), slice(SIZE[0] // 2 - 40, SIZE[0] // 2 + 40)
        covered.append((paint() != empty).any(axis=2)[wall].mean())
    assert 0.05 < covered[0] < 0.6
    assert covered[1] > 0.9


@pytest.mark.parametrize("is_other_scene", [False, True])
def test_a_ghost_of_many_frames_is_points(renderer, paint, is_other_scene: bool) -> None:
    """Ghosts had their triads in full beside the points of the model."""
    apart = 30 * float(FRONT.metres_per_pixel(np.zeros((1, 3)), SIZE[1])[0])
    X = np.tile(np.eye(4), (36, 1, 1))
    X[:, 1:3, 3] = (np.stack(np.divmod(np.arange(36), 6), axis=1) - 3) * apart
    rows = np.arange(36, dtype=np.int32)
    scene = Scene(X, np.full(36, -1, np.int32), triads=Triads(rows, np.full(36, TOKENS.index("link"), np.int32)))
    X_ghost = X + pose_to_matrix((0, 0, 0.5 * apart, 0, 0, 0)) - np.eye(4)
    changed = []
    for declutter in (True, False):
        renderer.set_look(replace(PLAIN, frames=True, declutter=declutter))
        renderer.set_ghost(None)
        without = paint(scene)
        renderer.set_ghost(X_ghost, scene=replace(scene) if is_other_scene else None)
        changed.append((paint() != without).any(axis=2).sum())
    assert 0 < changed[0] < changed[1] / 3


def test_nothing_is_left_of_an_outline(renderer, paint) -> None:
    scene = boxes_in_a_row(3)
    wall = MeshInstance(0, own_mesh(Box((0.1, 30.0, 30.0))), material=MeshMaterial(BLUE))
    paint(replace(scene, surfaces=(*scene.surfaces, wall)))
    renderer.set_highlight(selected=[3])
    expected = paint()
    renderer.set_highlight(selected=[3], hovered=0)
    assert (paint() != expected).any()
    renderer.set_highlight(selected=[3])
    np.testing.assert_array_equal(paint(), expected)


@pytest.mark.parametrize(("depth", "seen"), [(Depth.ON_TOP, True), (Depth.TESTED, False), (Depth.X_RAY, True)])
def test_frames_on_top_or_behind_surfaces(renderer, paint, depth: Depth, seen: bool) -> None:
    scene = boxes_in_a_row(1)
    renderer.set_look(replace(PLAIN, frame_depth=depth))
    close = replace(FRONT, distance=4.0)
    without = paint(scene, close)
    renderer.set_look(replace(PLAIN, frames=True, frame_depth=depth, frame_size=2.0))
    assert (paint(None, close) != without).any() == seen


def test_measured_lines_are_drawn_over_everything(renderer, paint) -> None:
    paint(boxes_in_a_row(3))
    renderer.set_measure(one_line((-5.0, -4.0, 0.0), (-5.0, 4.0, 0.0)))
    (x, y), _ = FRONT.project((-5.0, 0.0, 0.0), *SIZE)
    column = paint()[int(y) - 2 : int(y) + 3, int(x), :3].astype(int)
    assert np.abs(column - parse_hex(DARK.measure)).sum(axis=1).min() < 80


def test_everything_at_once_in_both_themes(renderer, paint) -> None:
    scene = replace(many(60, triads=40, joints=10), lines=one_line((0, 0, 0), (1, 1, 1)))
    pictures = []
    for dark in (True, False):
        renderer.set_look(Look(dark=dark))
        renderer.set_highlight(selected=[3], hovered=5, chain=[1], errors=[70], only_chain=not dark)
        pictures.append(paint(scene, samples=4))
    assert pictures[0][5, 5, :3].max() < 120 < pictures[1][5, 5, :3].min()


def test_crowds_look_the_same_sorted_or_not(renderer, paint, monkeypatch: pytest.MonkeyPatch) -> None:
    scene = many(200)
    camera = FRONT.seen_from("iso").fit(scene.outline(), 4 / 3)
    monkeypatch.setattr("sdfviewer.render.surface_batches.CROWD", 10**9)
    plain = paint(scene, camera)
    monkeypatch.undo()
    crowd = paint(many(200), camera)
    assert np.mean(np.abs(plain.astype(int) - crowd) > 8) < 0.01
    # Close by, most of them are beside the picture.
    close = replace(camera, distance=camera.distance / 8)
    assert paint(None, close).std() > 5


def balls_along_a_line(count: int) -> Scene:
    """Balls that lie one behind the other to the left of the eye in `FRONT`, in one crowd."""
    ball = own_mesh(Sphere(1.5))
    X = np.array([pose_to_matrix((2.0 - 9.0 * k, 0.6 * k, 0.5 * (k % 7), 0, 0, 0)) for k in range(count)])
    surfaces = tuple(MeshInstance(k, ball, material=MeshMaterial(RED)) for k in range(count))
    return Scene(X, np.full(count, -1, np.int32), surfaces=surfaces)


def test_specks_of_a_crowd_are_drawn_with_few_triangles(paint, monkeypatch: pytest.MonkeyPatch) -> None:
    from sdfviewer.render import gl

    drawn: list[tuple[int, int]] = []

    def draw(mode: int, indices: int, kind: int, start: object, instances: int) -> None:
        drawn.append((indices // 3, instances))
        gl.glDrawElementsInstanced(mode, indices, kind, start, instances)

    scene = balls_along_a_line(600)
    paint(scene)  # compiles, and casts shadows
    monkeypatch.setattr("sdfviewer.render.surfaces.glDrawElementsInstanced", draw)
    paint(None, samples=0)
    by_level = sorted(drawn)
    assert [triangles for triangles, _ in by_level] == [8, 120, 2208]
    assert by_level[0][1] > by_level[1][1] > by_level[2][1]


def test_a_crowd_looks_the_same_in_three_levels_of_detail(paint, monkeypatch: pytest.MonkeyPatch) -> None:
    scene = balls_along_a_line(600)
    levels = paint(scene)
    monkeypatch.setattr("sdfviewer.render.surface_batches.CROWD", 10**9)
    in_full = paint(balls_along_a_line(600))
    assert (levels != in_full).any()
    assert np.mean(np.abs(levels.astype(int) - in_full) > 60) < 0.002


def test_a_lost_context_is_rebuilt_from_the_arrays(renderer, paint) -> None:
    before = paint(boxes_in_a_row(3))
    renderer.initialize()
    np.testing.assert_array_equal(paint(), before)
    renderer.release()
    np.testing.assert_array_equal(paint(), before)


def test_a_hundred_scenes_leave_nothing_behind(renderer, paint) -> None:
    from sdfviewer.render.gl import GL

    def alive() -> int:
        return sum(GL.glIsBuffer(k) + GL.glIsTexture(k) + GL.glIsVertexArray(k) for k in range(1, 4000))

    paint(many(20, triads=10))
    before = alive()
    for k in range(100):
        renderer.set_scene(boxes_in_a_row(1 + k % 5) if k % 2 else many(20 + k, triads=k, joints=k // 2))
        paint()
    paint(many(20, triads=10))
    assert alive() == before


def test_a_scene_without_surfaces_may_follow_one_with_some(renderer, paint) -> None:
    scene = boxes_in_a_row(3)
    paint(scene)
    picture = paint(replace(scene, surfaces=()))
    assert at(picture, LEFT)[:3].max() < 80
    assert not renderer.failures


def test_size_may_change_from_picture_to_picture(renderer) -> None:
    from sdfviewer.render.screenshot import paint_image

    renderer.set_scene(boxes_in_a_row(3))
    for size in ((64, 48), (1, 1), (300, 20)):
        assert paint_image(renderer, FRONT, size, 4).shape == (size[1], size[0], 4)


def test_a_collision_with_the_faces_of_its_visual_is_seen_over_it(paint) -> None:
    box = own_mesh(Box((2, 2, 2)))
    visual = MeshInstance(0, box, material=MeshMaterial(BLUE))
    collision = MeshInstance(0, box, material=MeshMaterial((1.0, 0.6, 0.0, 0.5)), layer=Layer.COLLISION)
    X, owners = pose_to_matrix((0, 0, 0, 0.1, 0.2, 0.3))[None], np.array([-1], np.int32)
    alone = paint(Scene(X, owners, surfaces=(visual,)))
    both = paint(Scene(X, owners, surfaces=(visual, collision)))
    middle = (slice(65, 85), slice(90, 110))
    assert (both[middle][..., 0].astype(int) > alone[middle][..., 0].astype(int) + 40).all()


def test_a_floor_does_not_cut_the_metre_marks(renderer, paint) -> None:
    floor = MeshInstance(0, own_mesh(Plane(size=(100, 100))), material=MeshMaterial(GREEN))
    camera = Camera(distance=20.0)
    scene = Scene(np.eye(4)[None], np.array([-1], np.int32))
    renderer.set_look(replace(PLAIN, grid=True))
    free, covered = paint(scene, camera), paint(replace(scene, surfaces=(floor,)), camera)
    plate = np.array(parse_hex(DARK.grid_major))

    def letters(picture) -> int:
        return int((np.abs(picture[..., :3].astype(int) - plate).max(axis=2) < 24).sum())

    assert letters(free) > 30
    assert letters(covered) > 0.6 * letters(free)


@pytest.mark.parametrize("distance", [1.0, 2.5, 4.0])
@pytest.mark.parametrize("yaw", [0.3, 0.9])
def test_the_grid_lies_over_a_large_floor(renderer, paint, distance: float, yaw: float) -> None:
    floor = MeshInstance(0, own_mesh(Plane(size=(500, 500))), material=MeshMaterial((0.8, 0.8, 0.8, 1.0)))
    scene = Scene(np.eye(4)[None], np.array([-1], np.int32), surfaces=(floor,))
    camera = Camera(focus=(0.0, 0.0, 0.2), distance=distance, yaw=yaw, pitch=0.35)
    bare = paint(scene, camera).astype(int)
    renderer.set_look(replace(PLAIN, grid=True))
    differs = np.abs(paint(scene, camera) - bare).max(axis=2) > 8
    assert differs[SIZE[1] // 2 :].mean() > 0.02


@pytest.mark.parametrize(("value", "is_outside"), [(0.5, False), (2.5, True)])
def test_a_joint_outside_of_its_limits_has_the_colour_of_what_is_wrong(
    renderer, paint, value: float, is_outside: bool
) -> None:
    arc = np.array([JointShape.ARC.value], np.int32)
    glyphs = JointGlyphs(
        np.zeros(1, np.int32),
        arc,
        np.array([[1.0, 0.0, 0.0]]),
        np.array([[-1.0, 2.0]]),
        np.zeros(1),
        np.full(1, -1, np.int32),
        ("joint",),
        np.array([value]),
    )
    renderer.set_look(replace(PLAIN, joints=True, dark=False))
    picture = paint(Scene(np.eye(4)[None], np.array([-1], np.int32), joints=glyphs)).astype(int)
    wrong = (255 * colour_table(False)[TOKENS.index("error")]).astype(int)
    is_wrong = (np.abs(picture[:, :, :3] - wrong).max(axis=2) < 24).any()
    assert is_wrong == is_outside


@pytest.mark.parametrize(("view", "axis", "channel"), [("left", (4, 0, 0), 0), ("front", (0, 4, 0), 1)])
def test_an_axis_across_the_view_keeps_its_colour(renderer, paint, view: str, axis, channel: int) -> None:
    """Seen from just above the ground, the axis that leads to the horizon coloured all of it."""
    camera = replace(Camera(distance=20.0).seen_from(view), pitch=0.002)
    renderer.set_look(replace(PLAIN, grid=True))
    picture = paint(Scene(np.eye(4)[None], np.array([-1], np.int32)), camera)
    (x, y), _ = camera.project(axis, *SIZE)
    column = picture[int(y) - 2 : int(y) + 3, int(x), :2].astype(int)
    assert (column[:, channel] - column[:, 1 - channel]).max() > 40


def test_no_name_lies_below_what_covers_the_picture(renderer, paint, monkeypatch: pytest.MonkeyPatch) -> None:
    bare = paint(replace(boxes_in_a_row(1), surfaces=()))
    renderer.set_look(replace(PLAIN, labels=True))
    assert (paint() != bare).any()
    monkeypatch.setattr(renderer, "paint", partial(renderer.paint, covered=((0.0, 0.0, *SIZE),)))
    np.testing.assert_array_equal(paint(), bare)


def test_a_name_of_a_frame_beside_the_picture_is_left_out(renderer, paint) -> None:
    scene = replace(boxes_in_a_row(1), surfaces=())
    aside = replace(FRONT, focus=(0.0, 11.0, 0.0), distance=20.0)
    (x, _), _ = aside.project((0.0, 0.0, 0.0), *SIZE)
    assert -60 < x < 0 or SIZE[0] < x < SIZE[0] + 60
    renderer.set_look(replace(PLAIN, labels=True))
    named = paint(scene, aside)
    renderer.set_look(PLAIN)
    np.testing.assert_array_equal(named, paint(None, aside))


def test_names_at_the_right_edge_are_left_of_their_frames(renderer, paint) -> None:
    scene = boxes_in_a_row(1)
    renderer.set_look(replace(PLAIN, labels=True))
    aside = replace(FRONT, focus=(0.0, -6.2, 0.0), distance=20.0)
    with_names = paint(replace(scene, surfaces=()), aside)
    renderer.set_look(PLAIN)
    changed = np.nonzero((with_names != paint(None, aside)).any(axis=(0, 2)))[0]
    (x, _), _ = aside.project((0.0, 0.0, 0.0), *SIZE)
    assert x < SIZE[0]
    assert len(changed)
    assert changed.max() < x


def test_where_the_left_is_covered_a_name_goes_to_the_right_edge(
    renderer, paint, monkeypatch: pytest.MonkeyPatch
) -> None:
    scene = replace(boxes_in_a_row(1), surfaces=())
    aside = replace(FRONT, focus=(0.0, -6.2, 0.0), distance=20.0)
    bare = paint(scene, aside)
    renderer.set_look(replace(PLAIN, labels=True))
    monkeypatch.setattr(renderer, "paint", partial(renderer.paint, covered=((0.0, 0.0, 110.0, SIZE[1]),)))
    changed = np.nonzero((paint(None, aside) != bare).any(axis=(0, 2)))[0]
    assert len(changed)
    assert changed.min() >= 110


def two_triangles(colours=None, uvs=None, material: MeshMaterial | None = None) -> TriangleMesh:
    """Return a square of 4 m at x = 0, seen from the front; its colours and texture coordinates go from -y to +y."""
    positions = np.array([(0, -2, -2), (0, 2, -2), (0, 2, 2), (0, -2, 2)], np.float32)
    normals = np.tile(np.array((1, 0, 0), np.float32), (4, 1))
    indices = np.array([(0, 1, 2), (0, 2, 3)], np.uint32)
    parts = () if material is None else (MeshPart(0, 2, material),)
    return TriangleMesh(positions, normals, uvs, indices, parts, colours=colours)


UVS = np.array([(0, 0), (1, 0), (1, 1), (0, 1)], np.float32)
WHITE = (1.0, 1.0, 1.0, 1.0)


def alone(mesh: TriangleMesh, material: MeshMaterial | None = None) -> Scene:
    return Scene(np.eye(4)[None], np.array([-1], np.int32), surfaces=(MeshInstance(0, mesh, material=material),))


@pytest.mark.parametrize("samples", [0, 4], ids=["draft", "still"])
def test_vertices_have_colours_unless_another_material_replaces_them(paint, samples: int) -> None:
    red, blue = (255, 0, 0), (0, 0, 255)
    mesh = two_triangles(np.array([red, blue, blue, red], np.uint8), material=MeshMaterial(WHITE))
    picture = paint(alone(mesh), samples=samples)
    left, right = at(picture, (0, -1.8, 0)), at(picture, (0, 1.8, 0))
    assert left[0] > left[2] + 60
    assert right[2] > right[0] + 60
    plain = paint(alone(mesh, MeshMaterial(GREEN)), samples=samples)
    for point in ((0, -1.8, 0), (0, 1.8, 0)):
        assert at(plain, point)[:3].argmax() == 1
        assert at(plain, point)[0] < 60


def png(pixels: np.ndarray) -> bytes:
    file = io.BytesIO()
    Image.fromarray(pixels.astype(np.uint8)).save(file, "PNG")
    return file.getvalue()


def test_a_map_of_normals_leans_the_surface(paint) -> None:
    grey = MeshMaterial((0.6, 0.6, 0.6, 1.0))

    def brightness(material: MeshMaterial) -> int:
        mesh = two_triangles(uvs=UVS, material=material)
        return int(at(paint(alone(mesh), samples=4), (0, 0, 0))[:3].sum())

    def seen(normal: tuple[float, float, float]) -> int:
        coded = np.round((np.array(normal) / np.linalg.norm(normal) + 1) * 127.5)
        return brightness(replace(grey, normal_map=png(np.tile(coded, (4, 4, 1)))))

    flat = brightness(grey)
    assert abs(seen((0, 0, 1)) - flat) <= 6
    # The light comes from above, and from a robot's right, which is where u is 0.
    assert seen((0, 1, 1)) > flat + 15
    assert seen((0, -1, 1)) < flat - 15
    assert seen((-1, 0, 1)) > seen((1, 0, 1)) + 15


def test_a_texture_lies_where_its_material_says(paint) -> None:
    stripes = np.zeros((2, 8, 3))
    stripes[:, :4, 0], stripes[:, 4:, 2] = 255, 255  # red on the left, blue on the right
    once = MeshMaterial(WHITE, albedo_map=png(stripes))
    twice = replace(once, texture_scale=(2.0, 1.0), texture_offset=(0.0, 0.0))
    moved = replace(once, texture_offset=(0.5, 0.0))
    points = [(0, y, 0) for y in (-1.5, -0.5, 0.5, 1.5)]

    def colours(material: MeshMaterial, samples: int) -> str:
        picture = paint(alone(two_triangles(uvs=UVS, material=material)), samples=samples)
        return "".join("RGB"[at(picture, point)[:3].argmax()] for point in points)

    for samples in (0, 4):
        assert [colours(material, samples) for material in (once, twice, moved)] == ["RRBB", "RBRB", "BBRR"]


def test_the_rim_of_a_dark_surface_mirrors_the_sky(renderer, paint) -> None:
    renderer.set_look(replace(PLAIN, dark=False))
    black = MeshInstance(0, own_mesh(Sphere(3.0)), material=MeshMaterial((0.05, 0.05, 0.05, 1.0)))
    scene = Scene(np.eye(4)[None], np.array([-1], np.int32), surfaces=(black,))
    picture = paint(scene, Camera(distance=20.0), samples=4).astype(int)
    column = picture[:, SIZE[0] // 2, :3].sum(axis=1)
    inside = np.abs(np.arange(SIZE[1]) - SIZE[1] / 2) < 29
    # Its upper half mirrors the sky, so that there its rim is brighter than its middle.
    assert column[inside][:4].max() > column[inside][29] + 25


@pytest.mark.parametrize("samples", [0, 4])
@pytest.mark.parametrize("grey", [0.0, 0.1, 0.2])
def test_what_is_dark_can_be_told_from_dark_ground(paint, samples: int, grey: float) -> None:
    material = MeshMaterial((grey, grey, grey, 1.0))
    ball = MeshInstance(0, own_mesh(Sphere(3.0)), material=material)
    scene = Scene(np.eye(4)[None], np.array([-1], np.int32), surfaces=(ball,))
    picture = paint(scene, Camera(distance=20.0), samples=samples)[..., :3] / 255
    light = np.where(picture <= 0.04045, picture / 12.92, ((picture + 0.055) / 1.055) ** 2.4) @ [0.2126, 0.7152, 0.0722]
    rows = slice(SIZE[1] // 2 - 10, SIZE[1] // 2 + 10)
    on_it, beside = np.median(light[rows, SIZE[0] // 2 - 10 : SIZE[0] // 2 + 10]), np.median(light[rows, :10])
    assert (on_it + 0.05) / (beside + 0.05) >= 1.25


@pytest.mark.parametrize("samples", [0, 4])
def test_what_is_dark_does_not_fade_into_dark_ground_at_its_rim(paint, samples: int) -> None:
    """The lower rim of a black robot, which mirrors no sky, was darker than its middle."""
    ball = MeshInstance(0, own_mesh(Sphere(3.0)), material=MeshMaterial((0.0, 0.0, 0.0, 1.0)))
    scene = Scene(np.eye(4)[None], np.array([-1], np.int32), surfaces=(ball,))
    picture = paint(scene, Camera(distance=20.0), samples=samples).astype(int)
    column = picture[:, SIZE[0] // 2, :3].sum(axis=1)
    lower = column[SIZE[1] // 2 : SIZE[1] // 2 + 31]
    assert lower[-4:].max() > lower[0] + 15


@pytest.mark.parametrize(("dark", "grey"), [(False, 0.0), (True, 1.0)])
def test_lines_have_a_halo_on_surfaces_that_are_as_dark_or_as_light(renderer, paint, dark: bool, grey: float) -> None:
    """The symbol of a sensor was hard to see on a black robot in the light theme."""
    renderer.set_look(replace(PLAIN, dark=dark))
    box = MeshInstance(0, own_mesh(Box()), (0.1, 8.0, 8.0), MeshMaterial((grey, grey, grey, 1.0)))
    upright = Lines.in_frame(0, np.array([[[0.5, 0.0, -3.0], [0.5, 0.0, 3.0]]]), "sensor")
    scene = Scene(np.eye(4)[None], np.array([-1], np.int32), surfaces=(box,), lines=upright)
    across = around(paint(scene), (0.0, 0.0, 1.0), 8)[0, :, :3].astype(int).mean(axis=1)
    beside = across[[6, 9]] - across[0]
    assert (beside < -30).all() if dark else (beside > 30).all()


def test_a_heavy_mesh_is_coarse_in_drafts_and_whole_at_rest(renderer, paint) -> None:
    def picture_of(mesh: TriangleMesh, samples: int) -> np.ndarray:
        return paint(alone(mesh, MeshMaterial(RED)), close, samples=samples)

    close = replace(FRONT, distance=4.0)
    mesh = ball(230)
    heavy = with_coarse(mesh)
    renderer.set_look(replace(PLAIN, shadows=True))
    still, draft = picture_of(mesh, 4), picture_of(mesh, 0)
    np.testing.assert_array_equal(picture_of(heavy, 4), still)
    coarse = picture_of(heavy, 0)
    assert (coarse != draft).any()
    assert np.mean(np.abs(coarse.astype(int) - draft) > 24) < 0.02
    # At rest again its shadow is that of the whole mesh again.
    np.testing.assert_array_equal(paint(None, close, samples=4), still)


def test_a_heavy_mesh_keeps_the_materials_of_its_parts_in_drafts(paint) -> None:
    mesh = ball(230)
    half = len(mesh.indices) // 2
    parts = (MeshPart(0, half, MeshMaterial(RED)), MeshPart(half, len(mesh.indices) - half, MeshMaterial(BLUE)))
    picture = paint(alone(with_coarse(replace(mesh, parts=parts))), replace(FRONT, distance=4.0))
    assert at(picture, (0.8, 0, 0.6), replace(FRONT, distance=4.0))[:3].argmax() == 0
    assert at(picture, (0.8, 0, -0.6), replace(FRONT, distance=4.0))[:3].argmax() == 2


def test_what_lies_beside_the_picture_throws_its_shadow_later(renderer, paint) -> None:
    scene = many(100)
    camera = FRONT.seen_from("iso").fit(scene.outline(), 4 / 3)
    renderer.set_look(replace(PLAIN, grid=True, shadows=True))
    whole = paint(scene, camera, samples=4)
    close = replace(camera, distance=camera.distance / 12)
    for _ in range(2):
        renderer.set_poses(scene.X_RootF)
        paint(None, close, samples=4)
    np.testing.assert_allclose(paint(None, camera, samples=4).astype(int), whole, atol=16)


@pytest.mark.parametrize("samples", [0, 4])
def test_a_solid_that_is_cut_open_is_closed_in_its_colour(paint, samples: int) -> None:
    box = replace(own_mesh(Box()), solid=True)
    front_half = CuttingPlane((1.0, 0.0, 0.0), 0.0)
    whole = Scene(
        np.eye(4)[None], np.array([-1], np.int32), surfaces=(MeshInstance(0, box, material=MeshMaterial(GREEN)),)
    )
    behind = MeshInstance(0, box, (0.2, 0.2, 0.2), MeshMaterial(RED), X_RowG=pose_to_matrix((-0.2, 0, 0, 0, 0, 0)))
    scene = replace(whole, surfaces=(*whole.surfaces, behind), section=front_half)
    picture = paint(scene, samples=samples).astype(int)
    # What is inside lies behind the cap.
    for point in ((0.0, 0.0, 0.0), (0.0, 0.4, 0.4)):
        red, green, *_ = at(picture, point)
        assert green > red + 60
    # Without a solid around it there is nothing to close: one sees the back wall, and what is in between.
    open_box = replace(whole.surfaces[0], mesh=replace(box, solid=False))
    picture = paint(replace(scene, surfaces=(open_box, behind)), samples=samples).astype(int)
    red, green, *_ = at(picture, (-0.1, 0.0, 0.0))
    assert red > green + 60


def test_solids_in_solids_are_closed_each_in_its_colour(paint) -> None:
    """Nested solids, and beside them two of one colour that overlap."""
    box = replace(own_mesh(Box()), solid=True)

    def cube(side: float, colour: tuple[float, float, float, float], y: float, z: float = 0.0) -> MeshInstance:
        X_RowG = pose_to_matrix((0, y, z, 0, 0, 0))
        return MeshInstance(0, box, (side, side, side), MeshMaterial(colour), X_RowG=X_RowG)

    cubes = (cube(0.5, RED, -2), cube(2.0, RED, -2), cube(1.0, BLUE, -2), cube(1.0, GREEN, 2), cube(1.0, GREEN, 2, 0.5))
    scene = Scene(np.eye(4)[None], np.array([-1], np.int32), surfaces=cubes, section=CuttingPlane((1.0, 0.0, 0.0), 0.0))
    close = replace(FRONT, distance=6.0)
    picture = paint(scene, close)
    for y, z, channel in ((-2, 0, 0), (-2, 0.4, 2), (-2, 0.8, 0), (2, -0.3, 1), (2, 0.25, 1), (2, 0.8, 1)):
        colour = np.median(
            around(picture, (0.0, y, z), 3, close)[..., :3], axis=(0, 1)
        )  # between the lines of the hatch
        assert colour.argmax() == channel, (y, z, colour)
        assert colour.max() > np.sort(colour)[1] + 60, (y, z, colour)


@pytest.mark.parametrize("dark", [True, False])
@pytest.mark.parametrize("grey", [0.0, 1.0])
def test_the_face_of_a_cut_is_hatched(renderer, paint, dark: bool, grey: float) -> None:
    """The white face of a cut through a white robot looked like its surface."""
    renderer.set_look(replace(PLAIN, dark=dark))
    box = replace(own_mesh(Box()), solid=True)
    solid = MeshInstance(0, box, material=MeshMaterial((grey, grey, grey, 1.0)))
    scene = Scene(np.eye(4)[None], np.array([-1], np.int32), surfaces=(solid,))
    plain = around(paint(scene), (0.5, 0.0, 0.0), 5)[..., :3].astype(int)
    scene = replace(scene, section=CuttingPlane((1.0, 0.0, 0.0), 0.0))
    cut = around(paint(scene), (0.0, 0.0, 0.0), 5)[..., :3].astype(int)
    assert np.ptp(plain, axis=(0, 1)).max() <= 4
    assert np.ptp(cut, axis=(0, 1)).max() > 60
    assert (np.ptp(cut, axis=2) > 60).any(), "the lines have a colour"


def test_many_solids_are_closed_together(paint, monkeypatch: pytest.MonkeyPatch) -> None:
    """As many draw calls as there are meshes and colours above each other, however many solids are cut."""
    from sdfviewer.render import gl

    calls: list[int] = []

    def draw(mode: int, count: int, kind: int, start: object, instances: int) -> None:
        calls.append(instances)
        gl.glDrawElementsInstanced(mode, count, kind, start, instances)

    monkeypatch.setattr("sdfviewer.render.caps.glDrawElementsInstanced", draw)
    box = replace(own_mesh(Box()), solid=True)
    places = [(0.0, 0.3 * (number % 20 - 10), 0.3 * (number // 20 - 10)) for number in range(400)]
    boxes = tuple(
        MeshInstance(
            0,
            box,
            (0.2, 0.2, 0.2),
            MeshMaterial((RED, GREEN, BLUE)[number % 3]),
            X_RowG=pose_to_matrix((*place, 0, 0, 0)),
        )
        for number, place in enumerate(places)
    )
    cut = Scene(np.eye(4)[None], np.array([-1], np.int32), surfaces=boxes, section=CuttingPlane((1.0, 0.0, 0.0), 0.0))
    picture = paint(cut)
    assert calls == [400]
    for number in (0, 45, 137, 399):
        assert at(picture, places[number])[:3].argmax() == number % 3
    calls.clear()
    paint(replace(cut, section=CuttingPlane((1.0, 0.0, 0.0), 0.15)))
    assert calls == []  # in their spheres, beside their boxes


def test_what_is_in_front_of_a_section_is_not_drawn(paint) -> None:
    scene = replace(boxes_in_a_row(3), section=CuttingPlane((0.0, 1.0, 0.0), -1.5))
    picture = paint(scene)
    assert at(picture, LEFT)[0] > 120
    assert at(picture, MIDDLE)[:3].max() < 80


@pytest.mark.parametrize("camera", [FRONT, replace(FRONT, orthographic=True), replace(FRONT, distance=1.0)])
def test_an_outline_is_drawn_only_where_something_is_marked(
    renderer, paint, camera: Camera, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The rectangle around what is marked cuts no part of the outline off."""
    scene = boxes_in_a_row(3)
    paint(scene, camera)
    renderer.set_highlight(selected=[1, 3])
    picture = paint(None, camera)
    monkeypatch.setattr("sdfviewer.render.surfaces.Surfaces.marked_rectangle", lambda _surfaces, _view: None)
    np.testing.assert_array_equal(paint(None, camera), picture)


def names_in(renderer, paint, monkeypatch: pytest.MonkeyPatch, scene: Scene, *covered: tuple[float, ...]):
    """Return the pixels (h, w) where names are while rectangles are covered."""
    renderer.set_look(PLAIN)
    bare = paint(scene)
    renderer.set_look(replace(PLAIN, labels=True))
    monkeypatch.setattr(renderer, "paint", partial(type(renderer).paint, renderer, covered=covered))
    return (paint() != bare).any(axis=2)


def test_the_name_of_the_selection_moves_out_of_what_covers_it(
    renderer, paint, monkeypatch: pytest.MonkeyPatch
) -> None:
    scene = replace(boxes_in_a_row(1), surfaces=())
    below = (0.0, 70.0, 200.0, 80.0)
    assert not names_in(renderer, paint, monkeypatch, scene, below).any()
    renderer.set_highlight(selected=[1])
    named = names_in(renderer, paint, monkeypatch, scene, below)
    assert named[:70].any()
    assert not named[70:].any()


def test_a_hovered_name_leaves_that_of_the_selection_in_its_place(
    renderer, paint, monkeypatch: pytest.MonkeyPatch
) -> None:
    scene = replace(boxes_in_a_row(2), surfaces=())
    near = scene.X_RootF.copy()
    near[:, 1, 3] = [0, 0, 0, 0.05, 0.05]
    renderer.set_scene(scene)
    renderer.set_poses(near)
    together = renderer.scene
    renderer.set_highlight(selected=[1])
    alone = names_in(renderer, paint, monkeypatch, together)
    renderer.set_highlight(selected=[1], hovered=3)
    both = names_in(renderer, paint, monkeypatch, together)
    assert both[alone].all()
    assert both.sum() > alone.sum() * 1.5


def test_a_shadow_that_is_drawn_in_portions_is_the_same(renderer, paint, monkeypatch: pytest.MonkeyPatch) -> None:
    """That of iCub held the window for 90 ms."""
    meshes = (own_mesh(Box((0.4, 0.4, 0.4))), ball(20), ball(30))
    poses = np.tile(np.eye(4), (3, 1, 1))
    poses[:, 0, 3], poses[:, 2, 3] = (-0.6, 0.0, 0.6), 1.0
    surfaces = tuple(MeshInstance(row, mesh, material=MeshMaterial(RED)) for row, mesh in enumerate(meshes))
    portions: list[int] = []
    draw_casters = Surfaces.draw_casters

    def count(self: Surfaces, portion: list[Batch]) -> None:
        portions.append(len(portion))
        draw_casters(self, portion)

    monkeypatch.setattr(Surfaces, "draw_casters", count)
    renderer.set_look(replace(PLAIN, grid=True, shadows=True))
    at_once = paint(Scene(poses, np.full(3, -1, np.int32), surfaces=surfaces), samples=4)
    monkeypatch.setattr("sdfviewer.render.surfaces._CASTERS", 1)
    np.testing.assert_array_equal(paint(Scene(poses, np.full(3, -1, np.int32), surfaces=surfaces), samples=4), at_once)
    assert portions == [3, 1, 1, 1]
    renderer.set_look(replace(PLAIN, grid=True, shadows=False))
    assert (paint(None, samples=4) != at_once).any(), "there is a shadow in the picture"


def test_what_is_missing_throws_no_shadow(renderer, paint) -> None:
    box = alone(own_mesh(Box()))
    camera = FRONT.seen_from("iso").fit(box.outline(), 4 / 3)

    def shadow_of(mesh: TriangleMesh) -> bool:
        scene = alone(replace(mesh, positions=mesh.positions * 8 + np.array([0, 0, 1.5], np.float32)))
        renderer.set_look(replace(PLAIN, grid=True, shadows=True))
        dark = paint(scene, camera, samples=4)
        renderer.set_look(replace(PLAIN, grid=True))
        return bool((dark != paint(scene, camera, samples=4)).any())

    assert shadow_of(own_mesh(Box((0.1, 0.1, 0.1))))
    assert not shadow_of(placeholder())


def test_a_frame_far_away_takes_no_detail_from_a_shadow(renderer, paint) -> None:
    """The frame of a world stood 750 m from the only model that was shown, whose shadow became streaks."""
    renderer.set_look(replace(PLAIN, grid=True, shadows=True))
    mesh = own_mesh(Box())
    scene = alone(replace(mesh, positions=mesh.positions + np.array([0, 0, 0.7], np.float32)))
    far = np.concatenate([scene.X_RootF, scene.X_RootF])
    far[len(scene.X_RootF) :, 0, 3] = -750.0
    owners = np.concatenate([scene.owners, np.zeros_like(scene.owners)])
    row = np.array([len(scene.X_RootF)], np.int32)
    with_far = replace(scene, X_RootF=far, owners=owners, triads=Triads(row, np.zeros(1, np.int32)))
    camera = FRONT.seen_from("iso").fit(scene.outline(), 4 / 3)
    near, other = (paint(each, camera, samples=4).astype(int) for each in (scene, with_far))
    assert (np.abs(near - other).max(axis=2) > 4).mean() < 0.001


def test_centres_of_mass_are_over_the_shapes_around_them(paint) -> None:
    boxes = boxes_in_a_row(3)
    rows, whole = np.array([1, 5], np.int32), np.zeros(2, np.int32)
    scene = replace(boxes, triads=Triads(), centres=Centres(rows, np.zeros((2, 3)), np.ones(2), whole))
    bare = np.asarray(paint(replace(scene, centres=Centres())), int)

    def changed(picture: np.ndarray, point: tuple[float, float, float]) -> int:
        """Return how many pixels around a point show a symbol."""
        return int((around(picture, point, 13) != around(bare, point, 13)).any(axis=2).sum())

    shown = np.asarray(paint(scene), int)
    left, total, right = (changed(shown, (0, y, 0)) for y in (-3.0, 0.0, 3.0))
    assert left > 60, "the symbol of a link lies in the middle of its box"
    assert right > 60
    assert total > 2 * left, "that of the model is between them, and larger"
    scene = replace(scene, section=CuttingPlane((0.0, -1.0, 0.0), 2.0))
    bare = np.asarray(paint(replace(scene, centres=Centres())), int)
    cut = np.asarray(paint(scene), int)
    assert changed(cut, (0, -3.0, 0)) == 0, "nor is that of what is cut away shown"
    assert changed(cut, (0, 3.0, 0)) == right


def test_thousands_of_centres_of_mass_are_points_that_are_no_black_bar(renderer, paint) -> None:
    apart = 6 * float(FRONT.metres_per_pixel(np.zeros((1, 3)), SIZE[1])[0])
    X = np.tile(np.eye(4), (1200, 1, 1))
    X[:, 1:3, 3] = (np.stack(np.divmod(np.arange(1200), 35), axis=1) - 17) * apart
    rows = np.arange(1200, dtype=np.int32)
    nothing = Scene(X, np.full(1200, -1, np.int32))
    centres = Centres(rows, np.zeros((1200, 3)), np.full(1200, 0.001), np.full(1200, -1, np.int32))
    renderer.set_look(PLAIN)
    bare, many = paint(nothing), paint(replace(nothing, centres=centres))
    symbols = (many != bare).any(axis=2)
    assert 0.01 < symbols[SIZE[1] // 2 - 60 : SIZE[1] // 2 + 60, SIZE[0] // 2 - 60 : SIZE[0] // 2 + 60].mean() < 0.1
    yellow = (many[symbols][:, 0] > many[symbols][:, 2].astype(int) + 40).mean()
    assert yellow > 0.6
    renderer.set_highlight(selected=[17 * 35 + 17])
    assert (paint() != many).any(axis=2).sum() > 60, "the selected one has its whole symbol"


def test_a_section_leaves_out_the_marks_of_what_it_cuts_away(paint, renderer) -> None:
    boxes = boxes_in_a_row(3)
    renderer.set_look(replace(PLAIN, frames=True, joints=True))
    plane = CuttingPlane((0.0, -1.0, 0.0), 0.0)  # keeps y >= 0
    scene = replace(boxes, surfaces=(), section=plane)

    def drawn(picture: np.ndarray, point: tuple[float, float, float]) -> int:
        return int((around(picture, point, 8) != around(bare, point, 8)).any(axis=2).sum())

    bare = paint(replace(scene, triads=Triads()))
    picture = paint(scene)
    assert drawn(picture, (0, -3.0, 0)) == 0
    assert drawn(picture, (0, 0.0, 0)) > 0, "what is on the plane stays"
    assert drawn(picture, (0, 3.0, 0)) > 0
    renderer.set_highlight(selected=[1])
    assert drawn(paint(), (0, -3.0, 0)) > 0, "what is selected is always shown"


def floor_and_box(side: float = 40.0) -> Scene:
    """Return a grey floor (row 0) with a box (row 1) that stands on it before the horizon."""
    X = np.stack([np.eye(4), pose_to_matrix((0, 0, 0.5, 0, 0, 0))])
    floor = MeshInstance(0, own_mesh(Plane(size=(side, side))))
    return Scene(X, np.array([-1, -1], np.int32), surfaces=(floor, MeshInstance(1, own_mesh(Box()))))


LOW = Camera(focus=(0.0, 0.0, 0.5), distance=4.0, pitch=0.02)


def test_the_ground_is_darker_in_the_dark_theme_and_the_grid_stands_out_on_it(renderer, paint) -> None:
    camera = Camera(distance=8.0, pitch=0.6)
    medians, contrasts = [], []
    for dark in (True, False):
        renderer.set_look(replace(PLAIN, dark=dark))
        bare = paint(floor_and_box(), camera)[..., :3].astype(int)
        renderer.set_look(replace(PLAIN, dark=dark, grid=True))
        lines = np.abs(paint(None, camera)[..., :3].astype(int) - bare).max(axis=2)
        medians.append(np.median(bare[-20:]))
        contrasts.append(np.quantile(lines[-40:], 0.98))
    assert medians[0] < 128 < medians[1]
    assert min(contrasts) > 20


def test_a_tint_covers_that_of_the_ground_and_a_theme_changes_it_back(renderer, paint) -> None:
    camera = Camera(distance=8.0, pitch=0.6)
    renderer.set_look(replace(PLAIN, dark=False))
    light = paint(floor_and_box(), camera)
    renderer.set_look(replace(PLAIN, dark=True))
    renderer.set_tints([(1.0, 0.0, 0.0, 1.0), (0.0, 0.0, 0.0, 0.0)])
    red, green, *_ = paint(None, camera)[-10, SIZE[0] // 2].astype(int)
    assert red > green + 80
    renderer.set_tints(None)
    renderer.set_look(replace(PLAIN, dark=False))
    np.testing.assert_array_equal(paint(None, camera), light)


@pytest.mark.parametrize("mark", [{"hovered": 0}, {"selected": [0]}])
def test_ground_around_the_eye_has_no_outline_before_what_stands_on_it(renderer, paint, mark) -> None:
    plain = paint(floor_and_box(), LOW)
    renderer.set_highlight(**mark)
    marked = paint(None, LOW)
    (x, y), _ = LOW.project((0.0, 0.0, 0.6), *SIZE)
    box = slice(int(y) - 18, int(y) + 12), slice(int(x) - 12, int(x) + 12)
    np.testing.assert_array_equal(marked[box], plain[box])
    assert (marked[-20:] != plain[-20:]).any()  # the tint says what is meant


def test_ground_that_is_seen_from_afar_has_an_outline(renderer, paint) -> None:
    camera = Camera(distance=60.0, pitch=0.6)
    paint(floor_and_box(), camera)
    renderer.set_highlight(selected=[0])
    apart = np.abs(paint(None, camera)[..., :3].astype(int) - parse_hex(DARK.selection)).sum(axis=2)
    assert (apart < 40).sum() > 50


def test_several_floors_of_one_shape_leave_out_only_the_one_around_the_eye(renderer, paint) -> None:
    """They are drawn together, so that those before and after it must be drawn apart."""
    camera = Camera(focus=(0.0, 0.0, 0.0), distance=12.0, pitch=0.4)
    tile = own_mesh(Plane(size=(5.0, 5.0)))
    places = [(x, y, 0.5 * (x == y == 0)) for x in (-6.0, 0.0, 6.0) for y in (-6.0, 0.0, 6.0)]
    X = np.stack([pose_to_matrix((*place, 0, 0, 0)) for place in places])
    wide = [
        MeshInstance(k, tile, scale=(6.0, 6.0, 1.0) if place[2] else (1.0, 1.0, 1.0)) for k, place in enumerate(places)
    ]
    scene = Scene(X, np.full(len(X), -1, np.int32), surfaces=tuple(wide))

    def outlines(*rows: int) -> np.ndarray:
        renderer.set_highlight(selected=rows)
        apart = np.abs(paint(None, camera)[..., :3].astype(int) - parse_hex(DARK.selection)).sum(axis=2)
        return apart < 40

    paint(scene, camera)
    renderer.set_highlight()
    assert not outlines(4).any()
    others = [k for k in range(len(places)) if k != 4]
    assert outlines(*others).sum() > 50
    np.testing.assert_array_equal(outlines(*others), outlines(*range(len(places))))


@pytest.mark.parametrize("yaw", [0.2, 0.9])
def test_a_floor_does_not_fight_with_its_ghost(renderer, paint, yaw: float) -> None:
    camera = Camera(focus=(10.0, 0.0, 0.0), distance=90.0, yaw=yaw, pitch=0.4)
    scene = floor_and_box(100.0)
    floor = replace(scene, surfaces=scene.surfaces[:1])
    plain = paint(floor, camera)
    X = scene.X_RootF.copy()
    X[:, 0, 3] += 0.5
    renderer.set_ghost(X)
    changed = (paint(None, camera) != plain).any(axis=2)
    # Only where the ghost reaches out from below the floor.
    assert changed.mean() < 0.02
