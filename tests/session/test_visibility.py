"""What is hidden follows what it is written in, and comes back piece by piece."""

from __future__ import annotations

import pytest

from sdfviewer.diagnostics import Replacement
from sdfviewer.document.document import parse_document
from sdfviewer.document.edits import Edit
from sdfviewer.model.model import Model
from sdfviewer.session.session import Session
from sdfviewer.session.session_change import SessionChange
from sdfviewer.session.visibility import Visibility

TEXT = """<sdf version="1.11"><model name="m">
<link name="a"><visual name="v1"><geometry><box/></geometry></visual>
<visual name="v2"><geometry><box/></geometry></visual></link>
<link name="b"><visual name="v"><geometry><box/></geometry></visual></link>
<model name="inner"><link name="c"/><link name="d"/></model>
</model></sdf>
"""


@pytest.fixture
def model() -> Model:
    return Session(parse_document(TEXT)).model or pytest.fail("no model")


def hidden(model: Model, visibility: Visibility) -> set[str]:
    mask = visibility.hidden_rows(model)
    return {name.removeprefix("m::") for name, each in zip(model.names, mask.tolist(), strict=True) if each}


def test_what_is_written_in_a_hidden_thing_is_hidden(model: Model) -> None:
    assert hidden(model, Visibility().hide(["m::a"])) == {"a", "a::v1", "a::v2"}
    assert hidden(model, Visibility().hide(["m::inner"])) == {"inner", "inner::c", "inner::d"}


def test_isolating_keeps_the_way_to_it_and_what_is_in_it(model: Model) -> None:
    visibility = Visibility().isolate(model, ["m::inner::c"])
    assert hidden(model, visibility) == {"a", "a::v1", "a::v2", "b", "b::v", "inner::d"}
    assert hidden(model, visibility.show_all()) == set()


def test_what_is_isolated_is_written_in_rows_without_frames(model: Model) -> None:
    def frameless(visibility: Visibility) -> set[str]:
        mask = visibility.frameless_rows(model)
        return {name for name, each in zip(model.names, mask.tolist(), strict=True) if each}

    visibility = Visibility().isolate(model, ["m::inner::c"])
    assert frameless(visibility) == {"m", "m::inner"}
    assert frameless(Visibility().isolate(model, ["m::inner", "m::inner::c"])) == {"m"}
    assert frameless(visibility.show(model, ["m::a"])) == frameless(visibility.show_all()) == set()


def test_isolating_shows_what_was_hidden(model: Model) -> None:
    assert "b" not in hidden(model, Visibility().hide(["m::b"]).isolate(model, ["m::b"]))


def test_a_part_of_a_hidden_thing_comes_back_alone(model: Model) -> None:
    visibility = Visibility().hide(["m"]).show(model, ["m::inner::c"])
    assert "inner::c" not in hidden(model, visibility)
    assert hidden(model, visibility) == {"a", "a::v1", "a::v2", "b", "b::v", "inner::d"}


def test_an_eye_toggles_what_is_seen_of_its_thing(model: Model) -> None:
    visibility = Visibility().toggle(model, "m::a")
    assert hidden(model, visibility) == {"a", "a::v1", "a::v2"}
    assert hidden(model, visibility.toggle(model, "m::a::v1")) == {"a::v2"}
    assert visibility.toggle(model, "m::a").is_default


def test_opacities_are_inherited_and_multiply(model: Model) -> None:
    visibility = Visibility().with_opacity(["m::a"], 0.5).with_opacity(["m::a::v1"], 0.5)
    opacities = dict(zip(model.names, visibility.row_opacities(model).tolist(), strict=True))
    assert (opacities["m::a"], opacities["m::a::v1"], opacities["m::a::v2"], opacities["m::b"]) == (0.5, 0.25, 0.5, 1)
    assert visibility.with_opacity(["m::a", "m::a::v1"], 1.0).is_default


def test_a_session_reports_it_and_keeps_it_through_a_rename() -> None:
    session = Session(parse_document(TEXT))
    changes: list[SessionChange] = []
    session.subscribe(changes.append)
    session.set_visibility(session.visibility.hide(["m::b"]))
    session.set_visibility(session.visibility.hide(["m::b"]))
    assert [change.visibility for change in changes] == [True]
    at = TEXT.index('"b"') + 1
    session.apply(Edit("Rename", session.document, (Replacement(at, at + 1, "body"),), renamed=(("m::b", "m::body"),)))
    assert session.visibility.hidden == {"m::body"}
    assert session.model is not None
    assert hidden(session.model, session.visibility) == {"body", "body::v"}
