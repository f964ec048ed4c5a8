"""What holds for every edit of every file of the corpus: bytes come back, poses stay where they are to stay."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from sdfviewer import transforms
from sdfviewer.diagnostics import SdfViewerError
from sdfviewer.document.document import Document, parse_document
from sdfviewer.document.edits import Edit
from sdfviewer.document.xml.encoding import encode
from sdfviewer.document.xml.parse import resolve_references
from sdfviewer.files.finder import Finder
from sdfviewer.files.opening import open_document
from sdfviewer.formats.load import Loader
from sdfviewer.formats.writing import CHILDREN_OF
from sdfviewer.model.comparison.frames import Change, compare_models
from sdfviewer.model.kinds import Kind
from sdfviewer.model.model import Model
from sdfviewer.model.targets import ReferenceTargets
from sdfviewer.refactoring.adding import duplicate, insert_member
from sdfviewer.refactoring.composition.grouping import transfer, transfer_targets
from sdfviewer.refactoring.forms import (
    remove_redundant,
    shorten_poses,
    to_element_relative_form,
    to_model_absolute_form,
    write_defaults,
)
from sdfviewer.refactoring.pose_writing import set_attached_to, set_relative_to
from sdfviewer.refactoring.properties.catalogue import define
from sdfviewer.refactoring.properties.property_values import read_property, set_property, specs_of
from sdfviewer.refactoring.removal import remove
from sdfviewer.refactoring.renaming import rename
from sdfviewer.session.session import Session
from tests.corpus import at_least, corpus_files

MOST_BYTES, MOST_ROWS = 40_000, 300
pytestmark = pytest.mark.corpus
#: What a promise of "nothing moves" means, in metres and radians.
STAYS = 1e-9

RELAXED = settings(
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large]
)


@lru_cache(maxsize=1)
def _files() -> tuple[Path, ...]:
    """Return files of a size that a test can edit a thousand times."""
    return tuple(path for path in corpus_files(".sdf") if path.stat().st_size < MOST_BYTES)


@lru_cache(maxsize=64)
def _loaded(path: Path) -> tuple[Document, Model | None]:
    document = open_document(path)
    model = Loader(Finder()).load(document)
    return document, model


@st.composite
def models(draw: st.DrawFn) -> Model:
    """Return a model of a file with something to edit in it."""
    path = draw(st.sampled_from(_files()))
    _, model = _loaded(path)
    assume(model is not None and 1 < len(model) <= MOST_ROWS)
    assert model is not None
    assume(model.document.root is not None and model.document.root.tag != "robot")
    assume(_own(model))
    return model


def _own(model: Model, *kinds: Kind) -> list[int]:
    """Return the rows that are written in the file itself."""
    return [
        row for row in range(1, len(model)) if model.sources[row] is None and (not kinds or model.kinds[row] in kinds)
    ]


def _after(model: Model, edit: Edit) -> Model:
    document = model.document.edited(edit.replacements)
    result = Loader(Finder()).load(document)
    assert result is not None
    return result


def _assert_nothing_moved(before: Model, after: Model) -> None:
    assert before.names == after.names
    defined = np.isfinite(before.X_RootF).all(axis=(1, 2))
    metres, radians = transforms.pose_error(before.X_RootF[defined], after.X_RootF[defined])
    assert max(metres, default=0) <= STAYS
    assert max(radians, default=0) <= STAYS


TOOLS = (write_defaults, remove_redundant, shorten_poses, to_element_relative_form, to_model_absolute_form)


def _another_name(draw: st.DrawFn, model: Model, row: int) -> Edit:
    return rename(model, row, draw(st.sampled_from(["x", "y & z", 'q"<é', model.local_names[row] + "_"])))


def _another_target(draw: st.DrawFn, model: Model, row: int) -> Edit:
    targets = [None, *(target.name for target in ReferenceTargets(model, row, "relative_to") if target.reason is None)]
    return set_relative_to(model, row, draw(st.sampled_from(targets)), draw(st.sampled_from(["pose", "numbers"])))


def _a_new_member(draw: st.DrawFn, model: Model, _row: int) -> Edit:
    owner = draw(st.sampled_from([0, *_own(model, Kind.MODEL, Kind.LINK)]))
    tag = draw(st.sampled_from(CHILDREN_OF.get(model.kinds[owner], ("frame",))))
    return insert_member(model, owner, tag, None, parent="world", child="a", filename="libx.so")


def _another_value(draw: st.DrawFn, model: Model, row: int) -> Edit:
    specs = specs_of(model, row)
    if not specs:
        return Edit("", model.document, ())
    value = draw(st.sampled_from([None, "0.5", "true", "1 2 3", "revolute"]))
    return set_property(model, [row], draw(st.sampled_from(specs)), value)


def _another_model(draw: st.DrawFn, model: Model, row: int) -> Edit:
    return transfer(model, [row], draw(st.sampled_from([owner for owner, _ in transfer_targets(model, row)])))


EDITS: tuple[Callable[[st.DrawFn, Model, int], Edit], ...] = (
    _another_name,
    _another_target,
    _a_new_member,
    _another_value,
    _another_model,
    lambda _draw, model, row: duplicate(model, row),
    lambda _draw, model, row: remove(model, [row]),
    lambda draw, model, _row: draw(st.sampled_from(TOOLS))(model),
)


@st.composite
def edits(draw: st.DrawFn, model: Model) -> Edit | None:
    """Return any edit of a model, None where it is refused, as many random ones are."""
    row = draw(st.sampled_from(_own(model)))
    try:
        return draw(st.sampled_from(EDITS))(draw, model, row)
    except SdfViewerError:
        return None


@RELAXED
@given(data=st.data())
def test_any_edits_and_undos_bring_the_same_bytes_back(data: st.DataObject) -> None:
    model = data.draw(models())
    session = Session(model.document)
    assert model.document.path is not None
    original = model.document.path.read_bytes()
    assert session.document.to_bytes() == original
    states = [session.document.text]
    for _ in range(data.draw(st.integers(1, 6))):
        assert session.model is not None
        if not _own(session.model):
            break
        edit = data.draw(edits(session.model))
        if edit is None:
            continue
        session.apply(edit)
        if session.document.text != states[-1]:
            states.append(session.document.text)
        assert session.document.root is not None, edit.label
    # The shared elements of the last snapshot mean what a fresh reading of its text means.
    fresh = parse_document(session.document.text, session.path)
    assert fresh.root is not None
    assert _shape(session.document) == _shape(fresh)
    for index in data.draw(st.permutations(range(len(states)))):
        session.go_to(index)
        assert session.document.text == states[index]
    session.go_to(0)
    assert session.document.to_bytes() == original
    assert not session.dirty


@RELAXED
@given(data=st.data())
def test_an_edit_changes_the_bytes_of_its_spans_and_no_others(data: st.DataObject) -> None:
    model = data.draw(models())
    edit = data.draw(edits(model))
    assume(edit is not None and edit.replacements)
    assert edit is not None
    document = model.document
    assert document.path is not None
    original, changed = document.path.read_bytes(), document.edited(edit.replacements).to_bytes()
    mark = len(document.encoding.bom)

    def length(text: str) -> int:
        return len(encode(text, document.encoding)) - mark

    before = after = mark
    assert changed[:mark] == original[:mark]
    at = 0
    for replacement in sorted(edit.replacements, key=lambda each: (each.start, each.end)):
        kept = length(document.text[at : replacement.start])
        assert changed[after : after + kept] == original[before : before + kept], edit.label
        before += kept + length(document.text[replacement.start : replacement.end])
        after += kept + length(replacement.text)
        at = replacement.end
    assert changed[after:] == original[before:], edit.label


@RELAXED
@given(data=st.data())
def test_another_relative_to_touches_its_element_and_a_rename_only_names(data: st.DataObject) -> None:
    model = data.draw(models())
    row = data.draw(st.sampled_from(_own(model)))
    text = model.document.text
    try:
        moved = _another_target(data.draw, model, row)  # type: ignore[arg-type]
        renamed = rename(model, row, "brand_new")
    except SdfViewerError:
        assume(False)
    start, end = model.document.offsets(model.elements[row], "element")
    assert all(start <= each.start <= each.end <= end for each in moved.replacements), moved.label
    # In old files a joint may be written with the name of its link, and is read with another one.
    names = {model.local_names[row], model.elements[row].attributes.get("name")}
    for each in renamed.replacements:
        if "<name>" not in each.text:  # which an include without one gets
            written = resolve_references(text[each.start : each.end])
            assert not names.isdisjoint(written.split("::")), written


def _shape(document: Document) -> list[tuple[str, dict[str, str], str, int]]:
    assert document.root is not None
    return [(each.tag, each.attributes, each.text, document.offset(each)) for each in document.root.descendants()]


@RELAXED
@given(data=st.data())
def test_another_relative_to_keeps_every_pose(data: st.DataObject) -> None:
    model = data.draw(models())
    row = data.draw(st.sampled_from(_own(model)))
    targets = [None, *(target.name for target in ReferenceTargets(model, row, "relative_to") if target.reason is None)]
    attached = model.kinds[row] is Kind.FRAME and data.draw(st.booleans())
    try:
        edit = (set_attached_to if attached else set_relative_to)(model, row, data.draw(st.sampled_from(targets)))
    except SdfViewerError:
        assume(False)
    _assert_nothing_moved(model, _after(model, edit))


@RELAXED
@given(data=st.data())
def test_a_rename_moves_nothing_and_leaves_no_dangling_name(data: st.DataObject) -> None:
    model = data.draw(models())
    # A clash that a rename resolves may bring to light what it hid.
    assume(len(set(model.names)) == len(model.names))
    assume(not any(each.rule.name in ("duplicate-name", "renamed-clash") for each in model.diagnostics))
    row = data.draw(st.sampled_from(_own(model, Kind.LINK, Kind.JOINT, Kind.FRAME, Kind.MODEL) or [0]))
    try:
        edit = rename(model, row, "brand_new")
    except SdfViewerError:
        assume(False)
    after = _after(model, edit)
    rules = sorted(each.rule.name for each in model.diagnostics)
    # A name that clashed or was bad may be mended by the way; nothing may get worse.
    left = list(rules)
    for name in sorted(each.rule.name for each in after.diagnostics):
        assert name in left, name
        left.remove(name)
    for difference in compare_models(model, after, edit.renamed):
        assert difference.changes == (Change.RENAMED,), difference


@RELAXED
@given(data=st.data())
def test_a_property_changes_only_its_element(data: st.DataObject) -> None:
    model = data.draw(models())
    row = data.draw(st.sampled_from(_own(model)))
    assume(specs_of(model, row))
    spec = data.draw(st.sampled_from(specs_of(model, row)))
    value = data.draw(st.sampled_from(["0.25", "true", "0 1 0", "abc"]))
    try:
        edit = set_property(model, [row], spec, value)
    except SdfViewerError:
        assume(False)
    start, end = model.document.offsets(model.elements[row], "element")
    assert all(start <= each.start <= each.end <= end for each in edit.replacements)
    document = model.document.edited(edit.replacements)
    element = document.element(model.document.address(model.elements[row]))
    assert read_property(element, spec.path) == value
    assert define(model, row, spec.path) is not None


@RELAXED
@given(data=st.data())
def test_refactorings_of_whole_files_move_nothing(data: st.DataObject) -> None:
    model = data.draw(models())
    try:
        edit = data.draw(st.sampled_from(TOOLS))(model)
    except SdfViewerError:
        assume(False)
    _assert_nothing_moved(model, _after(model, edit))


def test_there_is_something_to_test() -> None:
    assert len(_files()) > at_least(400)
