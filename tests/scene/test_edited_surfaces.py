"""The surfaces of an edited world: what looks as before is taken over, at other rows."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from sdfviewer.document.document import parse_document
from sdfviewer.files.finder import Finder
from sdfviewer.refactoring.adding import duplicate
from sdfviewer.refactoring.removal import remove
from sdfviewer.scene import scene as scene_module
from sdfviewer.scene.geometry import Shape
from sdfviewer.scene.loader import LoadedMesh
from sdfviewer.scene.nodes import MeshInstance
from sdfviewer.scene.scene import Scene, SurfaceArrays
from sdfviewer.scene.scene_build import SceneBuilder, SceneOptions
from sdfviewer.session.session import Session
from tests.large import world_of_models

MODELS = 60
RED = "<material><diffuse>1 0 0 1</diffuse></material>"


def nothing_loaded(_shape: Shape) -> LoadedMesh | None:
    return None


class Bench:
    """A session on a world in which one model is red, and what builds its scenes.

    Attributes
    ----------
    made
        Of how many surfaces columns were made.
    """

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        text = world_of_models(MODELS)
        at = text.index("</visual>", text.index('"model_30"'))
        self.session = Session(parse_document(text[:at] + RED + text[at:]))
        self.builder = SceneBuilder(Finder(), nothing_loaded)
        self.made: list[int] = []
        columns = scene_module._columns

        def count(surfaces: Sequence[MeshInstance]) -> SurfaceArrays:
            self.made.append(len(surfaces))
            return columns(surfaces)

        monkeypatch.setattr(scene_module, "_columns", count)

    def remove(self, name: str) -> None:
        assert self.session.model is not None
        self.session.apply(remove(self.session.model, [self.session.model.row(name)]))

    def duplicate(self, name: str) -> None:
        assert self.session.model is not None
        self.session.apply(duplicate(self.session.model, self.session.model.row(name)))

    def build(self, options: SceneOptions | None = None) -> Scene:
        """Return the scene, and check that it is the one that a new builder makes."""
        assert self.session.model is not None
        scene = self.builder.build(self.session.model, options)
        arrays = scene.surface_arrays
        made = self.made.copy()
        fresh = SceneBuilder(Finder(), nothing_loaded).build(self.session.model, options)
        assert [each.row for each in scene.surfaces] == [each.row for each in fresh.surfaces]
        expected = fresh.surface_arrays
        for name in ("rows", "scales", "boxes", "offset", "X_RowG", "inertias"):
            np.testing.assert_array_equal(getattr(arrays, name), getattr(expected, name), err_msg=name)
        looks = [arrays.styles[number][1] for number in arrays.style_numbers.tolist()]
        assert looks == [expected.styles[number][1] for number in expected.style_numbers.tolist()]
        assert set(arrays.style_numbers.tolist()) == set(range(len(arrays.styles))), "no look that nothing has"
        self.made[:] = made
        return scene


@pytest.fixture
def bench(monkeypatch: pytest.MonkeyPatch) -> Bench:
    bench = Bench(monkeypatch)
    bench.build()
    bench.made.clear()
    return bench


def test_only_what_is_new_is_looked_at(bench: Bench) -> None:
    before = bench.build()
    bench.remove("model_10")
    after = bench.build()
    assert all(old is new for old, new in zip(before.surfaces[:10], after.surfaces[:10], strict=True))
    bench.session.undo()
    bench.build()
    bench.duplicate("model_50")
    bench.build()
    bench.session.undo()
    bench.build()
    assert max(bench.made) <= 2, "beside the model that came or went one is read again"


def test_a_look_comes_and_goes_with_its_last_surface(bench: Bench) -> None:
    assert len(bench.build().surface_arrays.styles) == 2
    bench.remove("model_30")
    assert len(bench.build().surface_arrays.styles) == 1
    bench.session.undo()
    assert len(bench.build().surface_arrays.styles) == 2
    bench.duplicate("model_30")
    assert len(bench.build().surface_arrays.styles) >= 2


def test_layers_that_come_and_go_between_edits(bench: Bench) -> None:
    layers = SceneOptions(collisions=True), SceneOptions(inertia=True), SceneOptions(visuals=False), None
    for number, options in enumerate(layers):
        bench.remove(f"model_{number}")
        bench.build(options)
        bench.build()
        bench.session.undo()
        bench.build(options)
