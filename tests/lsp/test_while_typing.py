"""While somebody types a tag, everything outside of it is answered as before."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

pytest.importorskip("pygls", reason="the extra lsp is not installed")

from sdfviewer.document.document import Document, parse_document
from sdfviewer.document.element import Element
from tests.corpus import corpus_folder
from tests.lsp.asked_file import Fact
from tests.lsp.typing_editor import TypingEditor

#: Files of all kinds: formats, versions, worlds, includes, line ends, a byte order mark, one long line.
FILES = [
    "joints/four_bar.sdf",
    "classic/worlds/pool.world",
    "urdf/pan_tilt.urdf",
    "hoverfly/worlds/runway.sdf",
    "joints/every_type.sdf",
    "dolly/models/dolly/model.sdf",
    "dolly/worlds/warehouse.sdf",
    "classic/models/rover/model.sdf",
    "versions/models/arm/model-1_5.sdf",
    "versions/models/arm/model-1_12.sdf",
    "hoverfly/models/gimbal/model.sdf",
    "hoverfly/models/hoverfly/model.sdf",
    "joints/gearbox.sdf",
    "meshes/all.sdf",
    "text/crlf.sdf",
    "text/bom.sdf",
    "text/comments.sdf",
    "urdf/scara.urdf",
    "urdf/lumped.urdf",
    "walker/models/walker/simple.sdf",
]
#: So many keys are typed into each file.
KEYS = 500
#: What is typed into elements that hold others, and the elements whose text says nothing of any other.
NAME = "typed_here"
_ELEMENT = f'<frame name="{NAME}"><pose degrees="true">1 2 3 0 0 90</pose></frame>'
_COMMENT = "<!-- of 1 < 2 & more -->"
_LEAVES = ("mass", "radius", "length", "size", "ixx", "izz", "effort", "velocity", "damping", "uri", "mu", "diffuse")


@dataclass(frozen=True)
class Place:
    """Something that is typed: where, what, and start and end of the element that it belongs to.

    Its lines begin at ``line``: what can be folded begins with a line.
    """

    at: int
    keys: str
    start: int
    end: int
    removed: int = 0
    line: int = -1


def places(document: Document) -> Iterator[Place]:
    """Yield what is typed into a file, kind by kind."""
    assert document.root is not None
    above, leaves, ended = [], [], []
    for element in document.root.descendants():
        start = document.offset(element)
        if element.tag in ("model", "robot", "link", "world"):
            above.append((element, start))
        holder = document.parent(element)
        # The URI of an include decides what its name means everywhere else.
        brings_names = holder is not None and holder.tag == "include"
        if element.tag in _LEAVES and element.text.strip() and not brings_names:
            leaves.append((element, start))
        if element.children and element.end_length and element.tag in ("link", "joint", "visual", "frame"):
            ended.append((element, start))
    for element, _ in above:
        content = document.content_offsets(element)
        for at in dict.fromkeys((content[0], *(_behind(document, child) for child in element.children[:3]))):
            yield Place(at, _ELEMENT, at, at)
            yield Place(at, _COMMENT, at, at)
    for element, start in [*leaves, *above]:
        written = [document.attribute_offsets(element, name) for name in element.attributes]
        at = max((span[1] for span in written if span is not None), default=start + 1 + len(element.tag))
        own = (start, start + element.start_length) if element.children else (start, start + element.length)
        yield Place(at, ' typed="here"', *own)
    for element, start in leaves:
        yield Place(document.content_offsets(element)[1], " 1<2 &", start, start + element.length)
    for element, start in ended:
        end_tag = f"</{element.tag}>"
        end = start + element.length
        if document.text.endswith(end_tag, 0, end):
            line = document.text.rfind("\n", 0, start) + 1
            yield Place(end - len(end_tag), end_tag, start, end, removed=len(end_tag), line=line)


def _behind(document: Document, element: Element) -> int:
    return document.offset(element) + element.length


def outside(facts: Iterator[Fact], place: Place, typed: int) -> set[Fact]:
    """Return the answers about what is outside the element that is typed, where they would be without it.

    Parameters
    ----------
    typed
        How many characters there are at the place more than there were.
    """

    def before(offset: int) -> int:
        return offset if offset <= place.at else max(offset - typed, place.at)

    kept = set()
    for request, said, start, end in facts:
        first, last = before(start), before(end)
        if place.start <= first and last <= place.end and (first, last) != (place.start, place.start):
            continue
        if request == "fold" and first == place.line and last <= place.end:
            continue
        if first == last == place.at:  # what is typed
            continue
        kept.add((request, said, first, last))
    return kept


def type_into(path: Path, most: int) -> int:
    """Type into a file, compare after each key, and return how many keys were typed."""
    editor = TypingEditor(path)
    document = parse_document(editor.text, path)
    pointed = editor.pointed()
    before = list(editor.facts(pointed))
    assert {request for request, *_ in before} >= {"symbol", "token"} or not pointed
    kinds = list(places(document))
    # Every kind has its turn, however few keys there are.
    kinds = [each for number in range(5) for each in kinds[number::5]]
    keys = 0
    for place in kinds:
        if keys >= most:
            break
        around = [at for at in pointed if not place.start <= at <= place.end]
        expected = facts_around(iter(before), place, around)
        editor.replace(place.at, place.at + place.removed, "")
        for number, key in enumerate(place.keys):
            editor.replace(place.at + number, place.at + number, key)
            keys += 1
            typed = number + 1 - place.removed
            moved = [at if at < place.at else at + typed for at in around]
            found = facts_around(editor.facts(moved), place, around, typed, moved)
            shown = f"{path.name}, typed {place.keys[: number + 1]!r} at {place.at}"
            assert sorted(expected - found) == [], shown
            assert sorted(found - expected) == [], shown
        editor.replace(place.at, place.at + len(place.keys), document.text[place.at : place.at + place.removed])
        assert editor.text == document.text
    return keys


def facts_around(
    facts: Iterator[Fact], place: Place, around: list[int], typed: int = 0, moved: list[int] | None = None
) -> set[Fact]:
    """Return the answers about what is outside an element, as they are without what is typed into it.

    Parameters
    ----------
    around
        Where the mouse is put: what is answered elsewhere does not count.
    typed
        How many characters there are at the place more than there were.
    moved
        Where the mouse was put for these answers, if that is not ``around``.
    """
    found = outside(facts, place, typed)
    if moved is None:
        return {fact for fact in found if fact[0] not in _POINTED_AT or _is_at(fact, around)}
    return {_where_asked(fact, dict(zip(map(str, moved), map(str, around), strict=True))) for fact in found}


_POINTED_AT = ("hover", "completion", "definition", "highlight")
_ASKED_AT = ("definition", "highlight")


def _is_at(fact: Fact, around: list[int]) -> bool:
    return (int(fact[1]) if fact[0] in _ASKED_AT else fact[2]) in around


def _where_asked(fact: Fact, before: dict[str, str]) -> Fact:
    """Return an answer as it would be without what is typed, with the place at which it was asked for."""
    request, said, start, end = fact
    if request == "completion":  # the name that is typed may be one of the choices
        said = " ".join(word for word in said.split(" ") if word.rpartition("::")[2] != NAME)
    return (request, before[said] if request in _ASKED_AT else said, start, end)


@pytest.mark.parametrize("file", FILES[:2])
def test_what_is_outside_a_tag_stays_while_it_is_typed(file: str) -> None:
    assert type_into(corpus_folder() / file, 40) >= 40


@pytest.mark.nightly
@pytest.mark.parametrize("file", FILES)
def test_what_is_outside_a_tag_stays_over_hundreds_of_keys(file: str) -> None:
    assert type_into(corpus_folder() / file, KEYS) > 100
