"""Values that declare what they depend on: computed once, taken over and forgotten by that alone."""

from __future__ import annotations

import inspect
import pickle
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import sdfviewer
from sdfviewer.computed import (
    Computed,
    Last,
    computed_from,
    dependencies,
    equal_at_end,
    first_difference,
    forget,
    reuse_caches,
    state_of,
    with_attributes,
)
from sdfviewer.document.document import parse_document
from sdfviewer.files.finder import Finder
from sdfviewer.formats.load import Loader
from sdfviewer.scene.scene_build import SceneBuilder
from sdfviewer.session.session_reader import SessionPoses

ARM = """<sdf version="1.9"><world name="w"><model name="arm">
  <link name="base"/><link name="hand"><pose relative_to="elbow">0 0 1 0 0 0</pose>
    <visual name="v"><geometry><box><size>1 1 1</size></box></geometry></visual></link>
  <joint name="elbow" type="revolute"><parent>base</parent><child>hand</child><axis><xyz>0 0 1</xyz></axis></joint>
  <frame name="tip" attached_to="hand"/></model>
  <include><uri>nowhere.sdf</uri></include></world></sdf>"""


class Shape:
    """A rectangle, which counts what it computes."""

    def __init__(self, width: float, height: float) -> None:
        self.width, self.height = width, height
        self.computed: list[str] = []

    @computed_from("width", "height")
    def area(self) -> float:
        """The area."""
        self.computed.append("area")
        return self.width * self.height

    @computed_from("area")
    def price(self) -> float:
        """What it costs."""
        self.computed.append("price")
        return 2 * self.area

    @computed_from("height")
    def rows(self) -> list[int]:
        """The rows."""
        self.computed.append("rows")
        return list(range(int(self.height)))

    def __getstate__(self) -> dict[str, object]:
        return state_of(self)


def test_a_value_is_computed_when_it_is_asked_for_and_once() -> None:
    shape = Shape(2, 3)
    assert Shape.area.known(shape) is None
    assert (shape.price, shape.price, shape.area) == (12, 12, 6)
    assert shape.computed == ["price", "area"]
    assert Shape.area.known(shape) == 6
    assert Shape.area.__doc__ == "The area."


def test_the_next_state_takes_over_what_depends_on_nothing_that_differs() -> None:
    before = Shape(2, 3)
    rows, _ = before.rows, before.price
    after = Shape(5, before.height)
    reuse_caches(after, before)
    assert after.rows is rows
    assert after.price == 30
    assert after.computed == ["price", "area"]


def test_a_change_forgets_what_depends_on_it_also_by_other_values() -> None:
    shape = Shape(2, 3)
    rows, _ = shape.rows, shape.price
    shape.width = 4
    forget(shape, "width")
    assert shape.price == 24
    assert shape.rows is rows
    assert dependencies(Shape)["price"] == {"width", "height"}


def test_a_copy_with_other_attributes_shares_what_stays_right() -> None:
    shape = Shape(2, 3)
    rows, _ = shape.rows, shape.area
    other = with_attributes(shape, width=7)
    assert (other.area, shape.area) == (21, 6)
    assert other.rows is rows


def test_what_is_computed_is_not_stored() -> None:
    shape = Shape(2, 3)
    assert shape.area == 6
    assert Shape.area.known(pickle.loads(pickle.dumps(shape))) is None


def test_the_last_value_is_kept_for_equal_numbers_and_for_the_same_objects() -> None:
    last, computed = Last[int](), list[int]()

    def value(*inputs: object) -> int:
        return last.of(inputs, lambda: computed.append(len(computed)) or len(computed))

    table, names = np.zeros(3), frozenset({"a"})
    assert [value(table, 2, names), value(table, 2, frozenset({"a"}))] == [1, 1]
    assert value(table.copy(), 2, names) == 2, "another table, though it is equal"
    assert value(table, 3, names) == 3
    assert value(table, 3, frozenset()) == 4
    assert computed == [0, 1, 2, 3]


@pytest.mark.parametrize(
    ("before", "now", "start", "end"),
    [
        ("", "", 0, 0),
        ("same", "same", 4, 4),
        ("a long text", "a longer text", 6, 5),
        ("aaa", "aa", 2, 2),  # they overlap: who cuts both off takes care of that
        ("xbc", "ybc", 0, 2),
        ("abx", "aby", 2, 0),
        ("", "abc", 0, 0),
        (("a", "b", "c"), ("b", "c"), 0, 2),
    ],
)
def test_what_two_sequences_have_in_common(before: Any, now: Any, start: int, end: int) -> None:
    assert (first_difference(before, now), first_difference(now, before)) == (start, start)
    assert (equal_at_end(before, now), equal_at_end(now, before)) == (end, end)


class Recorder:
    """Stands for an object and notes which of its attributes are read, also by its methods."""

    def __init__(self, recorded: object) -> None:
        self.recorded, self.read = recorded, set[str]()

    def __getattr__(self, name: str) -> Any:
        member = getattr(type(self.recorded), name, None)
        if isinstance(member, Computed):
            self.read.add(name)
            return member.compute(Recorder(self.recorded))
        if isinstance(member, property):
            return member.fget(self)  # type: ignore[misc]
        if callable(member) and not isinstance(member, type):
            return member.__get__(self)
        self.read.add(name)
        return getattr(self.recorded, name)

    def __len__(self) -> int:
        return int(type(self.recorded).__len__(self))  # type: ignore[attr-defined]


def examples() -> Iterator[tuple[object, str]]:
    """Yield an object of each class that keeps computed values, and their names."""
    document = parse_document(ARM)
    model = Loader(Finder()).load(document)
    assert model is not None
    poses = SessionPoses()
    poses.set_model(model)
    poses.set_positions({"arm::elbow": (0.5,)})
    scene = SceneBuilder(Finder(), lambda _shape: None).build(model)
    for each in (document, model, poses, scene):
        yield from ((each, name) for name in dependencies(type(each)))


@pytest.mark.parametrize(
    ("example", "name"), [pytest.param(*each, id=f"{type(each[0]).__name__}.{each[1]}") for each in examples()]
)
def test_a_value_reads_nothing_that_it_does_not_declare(example: object, name: str) -> None:
    value = vars(type(example))[name]
    recorder = Recorder(example)
    again = value.compute(recorder)
    assert recorder.read <= set(value.inputs)
    known = getattr(example, name)
    assert type(again) is type(known)
    if isinstance(known, np.ndarray):
        np.testing.assert_array_equal(again, known)


def test_each_class_that_keeps_values_is_compared_with_what_it_declares() -> None:
    package = Path(sdfviewer.__file__).parent
    using = {path for path in package.rglob("*.py") if "@computed_from(" in path.read_text(encoding="utf-8")}
    assert using == {Path(inspect.getfile(type(example))) for example, _ in examples()}
