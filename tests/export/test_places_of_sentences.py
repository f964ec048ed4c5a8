"""What a conversion says knows its place: nothing reads file and line out of a sentence."""

from __future__ import annotations

import pickle
import re
from pathlib import Path

import pytest

from sdfviewer.diagnostics import PlacedSentence
from sdfviewer.document.document import parse_document
from sdfviewer.export.certificate import certificate_lines
from sdfviewer.export.conversion import ConversionOptions, convert
from sdfviewer.files.opening import open_document
from sdfviewer.formats.load import Loader
from sdfviewer.refactoring.editable import RefactoringError
from tests.writers.targets import MODELS

PLACE = re.compile(r"(.*):(\d+): (.*)", re.DOTALL)


@pytest.mark.parametrize(
    ("name", "target"), [("everything.sdf", "urdf"), ("everything.sdf", "1.7"), ("everything.urdf", "1.7")]
)
def test_each_sentence_about_a_line_knows_it(name: str, target: str) -> None:
    loader = Loader()
    model = loader.load(open_document(MODELS / name))
    assert model is not None
    conversion = convert(model, loader, target, ConversionOptions(allow_loss=True))
    said = [each for step in conversion.steps for each in (*step.losses, *step.notes, *step.sentences)]
    said += [line.sentence for line in certificate_lines(conversion.steps)]
    placed = [(each, PLACE.fullmatch(each)) for each in said]
    assert sum(place is not None for _, place in placed) > 1
    for sentence, place in placed:
        if place is not None:
            assert isinstance(sentence, PlacedSentence)
            assert (sentence.path, str(sentence.line), sentence.words) == place.groups()
            assert Path(sentence.path) == MODELS / name


def test_each_reason_of_a_refusal_knows_its_line() -> None:
    document = parse_document(
        '<sdf version="1.9"><model name="m"><link name="a"/><model name="n"><link name="b"/></model>\n'
        '<frame name="f" attached_to="n::b"/>\n<frame name="g" attached_to="n::b"/></model></sdf>'
    )
    loader = Loader()
    model = loader.load(document)
    assert model is not None
    with pytest.raises(RefactoringError) as refused:
        convert(model, loader, "1.7")
    assert [each.line for each in refused.value.sentences if isinstance(each, PlacedSentence)] == [2, 3]
    assert str(refused.value).split("\n") == list(refused.value.sentences)


def test_a_sentence_keeps_its_place_in_another_process() -> None:
    sentence = pickle.loads(pickle.dumps(PlacedSentence("C:\\a: 1.sdf", 3, "lost: all")))
    assert (sentence, sentence.path, sentence.line, sentence.words) == (
        "C:\\a: 1.sdf:3: lost: all",
        "C:\\a: 1.sdf",
        3,
        "lost: all",
    )
