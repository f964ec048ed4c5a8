"""Which cut faces are drawn together."""

from __future__ import annotations

import numpy as np

from sdfviewer.scene.tools import section as module
from sdfviewer.scene.tools.section import cut_layers

RED, BLUE = (1.0, 0.0, 0.0), (0.0, 0.0, 1.0)


def layers_of(*faces: tuple[float, float, float, tuple[float, float, float]]) -> list[int]:
    """The layers of squares, each given as x, half its side, the size of its solid, and its colour."""
    middles = np.array([(x, 0.0) for x, *_ in faces])
    reaches = np.array([(half, half) for _, half, *_ in faces])
    sizes = np.array([size for _, _, size, _ in faces])
    return cut_layers(middles, reaches, sizes, np.array([tone for *_, tone in faces], np.float32)).tolist()


def test_faces_that_do_not_overlap_share_a_layer() -> None:
    assert layers_of((0, 0.5, 1, RED), (1, 0.5, 1, BLUE), (2, 0.5, 1, RED)) == [0, 0, 0]


def test_faces_of_one_colour_share_a_layer() -> None:
    assert layers_of((0, 0.5, 1, RED), (0.2, 0.5, 2, RED)) == [0, 0]


def test_the_smaller_of_two_solids_is_in_the_later_layer() -> None:
    assert layers_of((0, 0.2, 1, RED), (0, 0.5, 3, RED), (0, 0.3, 2, BLUE)) == [2, 0, 1]
    assert layers_of((0, 0.5, 1, RED), (0, 0.5, 1, BLUE)) == [0, 1]


def test_no_two_colours_overlap_in_a_layer() -> None:
    random = np.random.default_rng(7)
    count = 300
    middles, reaches = random.uniform(0, 10, (count, 2)), random.uniform(0.05, 0.8, (count, 2))
    sizes, tones = random.uniform(0, 1, count), random.integers(0, 3, (count, 3)).astype(np.float32)
    layers = cut_layers(middles, reaches, sizes, tones)
    assert set(layers) == set(range(layers.max() + 1))
    for a in range(count):
        near = (np.abs(middles - middles[a]) < (reaches + reaches[a]) * 0.999).all(axis=1)
        for b in np.flatnonzero(near & (tones != tones[a]).any(axis=1)):
            assert (layers[a] < layers[b]) == (sizes[a] > sizes[b])


def test_where_too_many_lie_beside_each_other_each_has_a_layer_of_its_own(monkeypatch) -> None:
    monkeypatch.setattr(module, "_MOST_PAIRS", 1)
    assert layers_of((0, 0.5, 1, RED), (0, 0.4, 2, BLUE), (0, 0.3, 3, RED)) == [2, 1, 0]
