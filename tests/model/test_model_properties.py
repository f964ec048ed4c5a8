"""What holds for every model: however its siblings are ordered, wherever it stands."""

from __future__ import annotations

import random

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from sdfviewer.document.document import parse_document
from sdfviewer.document.edits import set_text
from sdfviewer.formats.load import Loader, load_model
from sdfviewer.model import graph
from sdfviewer.model.model import Model
from tests.frames import frame_in

NUMBERS = st.floats(-3, 3).map(lambda value: round(value, 3))


@st.composite
def members(draw: st.DrawFn, depth: int = 0) -> list[str]:
    """The members of a model: links, joints, frames and nested models that lean on each other without cycles."""
    count = draw(st.integers(1, 6))
    names: list[str] = []
    lines: list[str] = []
    for number in range(count):
        pose = " ".join(str(value) for value in draw(st.tuples(*[NUMBERS] * 6)))
        target = draw(st.sampled_from([None, *names]))
        relative_to = "" if target is None else f' relative_to="{target}"'
        kind = draw(st.sampled_from(["link", "frame", "joint", "model"])) if number else "link"
        name = f"{kind}{number}"
        inside = f"<pose{relative_to}>{pose}</pose>"
        if kind == "frame":
            attached_to = draw(st.sampled_from([None, *names]))
            attribute = "" if attached_to is None else f' attached_to="{attached_to}"'
            lines.append(f'<frame name="{name}"{attribute}>{inside}</frame>')
        elif kind == "joint":
            child = draw(st.sampled_from(names))
            lines.append(
                f'<joint name="{name}" type="fixed">{inside}<parent>world</parent><child>{child}</child></joint>'
            )
        elif kind == "model" and depth < 2:
            nested = draw(members(depth + 1))
            lines.append(f'<model name="{name}">{inside}{"".join(nested)}</model>')
            names.append(f"{name}::link0")
        else:
            name = f"link{number}"
            lines.append(f'<link name="{name}">{inside}</link>')
        names.append(name)
    return lines


def load(lines: list[str]) -> Model:
    return load_model(f'<sdf version="1.9"><model name="m" canonical_link="link0">{"".join(lines)}</model></sdf>')


@given(members(), st.integers())
def test_the_order_of_siblings_changes_no_pose(lines: list[str], seed: int) -> None:
    model = load(lines)
    shuffled = list(lines)
    random.Random(seed).shuffle(shuffled)
    other = load(shuffled)
    assert set(model.names) == set(other.names)
    for row, name in enumerate(model.names):
        other_row = other.row(name)
        np.testing.assert_allclose(other.X_RootF[other_row], model.X_RootF[row], atol=1e-9)
        body, other_body = int(model.bodies[row]), int(other.bodies[other_row])
        assert (model.names[body] if body >= 0 else body) == (
            other.names[other_body] if other_body >= 0 else other_body
        )


@given(members(), st.data())
def test_there_and_back_is_the_identity(lines: list[str], data: st.DataObject) -> None:
    model = load(lines)
    a, b = (data.draw(st.sampled_from(model.names)) for _ in range(2))
    X_AB = frame_in(model, b).resolve_pose(relative_to=a)
    X_BA = frame_in(model, a).resolve_pose(relative_to=b)
    np.testing.assert_allclose(X_AB @ X_BA, np.eye(4), atol=1e-9)


@given(members())
def test_a_model_means_the_same_wherever_it_is(lines: list[str]) -> None:
    model = load(lines)
    text = f'<model name="m" canonical_link="link0"><pose>1 2 3 0.4 0.5 0.6</pose>{"".join(lines)}</model>'
    world = load_model(f'<sdf version="1.9"><world name="w">{text}</world></sdf>')
    X_WM = frame_in(world, "m").pose
    for row, name in enumerate(model.names):
        np.testing.assert_allclose(frame_in(world, name).pose, X_WM @ model.X_RootF[row], atol=1e-9)


@given(members())
def test_resolved_poses_are_the_products_along_the_chain(lines: list[str]) -> None:
    model = load(lines)
    for row in range(len(model)):
        X = np.eye(4)
        for each in graph.chain(model.relative_to, row)[:-1]:
            X = model.raw_poses[each] @ X
        np.testing.assert_allclose(model.X_RootF[row], X, atol=1e-9)


@given(members(), st.data())
def test_an_edited_document_means_what_it_means_when_read_again(lines: list[str], data: st.DataObject) -> None:
    document = parse_document(
        f'<sdf version="1.9"><world name="w"><model name="m">{"".join(lines)}</model></world></sdf>'
    )
    loader = Loader()
    loader.load(document)
    assert document.root is not None
    pose = data.draw(st.sampled_from([each for each in document.root.descendants() if each.tag == "pose"]))
    edited = document.edited(set_text(document, pose, "3 2 1 0.3 0.2 0.1"))
    again, anew = loader.load(edited), Loader().load(parse_document(edited.text))
    assert again is not None
    assert anew is not None
    assert again.names == anew.names
    np.testing.assert_array_equal(again.X_RootF, anew.X_RootF)
    np.testing.assert_array_equal(again.bodies, anew.bodies)
    assert [d.message for d in again.diagnostics] == [d.message for d in anew.diagnostics]


@given(members())
def test_what_is_inside_of_a_row_follows_it(lines: list[str]) -> None:
    model = load(lines)
    for row in range(len(model)):
        holders = [each for each in range(len(model)) if row in model.around(each)]
        assert list(model.inside(row)) == holders
        mask = np.zeros(len(model), bool)
        mask[row] = True
        assert np.flatnonzero(graph.with_contents(model.owners, mask)).tolist() == holders
        assert next(iter(model.around(row))) == row


def test_frames_that_add_up_to_more_than_a_number_are_resolved() -> None:
    far = "".join(f'<frame name="{name}"><pose>1e308 0 0 0 0 0</pose></frame>' for name in "abc")
    model = load_model(f'<sdf version="1.9"><model name="m"><link name="l"/>{far}</model></sdf>')
    assert model.is_resolved.all()
