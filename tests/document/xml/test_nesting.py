"""Tags that were lost or misspelt: the first fix writes what was there."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

import sdfviewer.formats.registry  # noqa: F401  # with it the elements of URDF are known
from sdfviewer.document.document import Document, parse_document
from sdfviewer.document.element import Element
from sdfviewer.document.xml.parse import Tag, find_tags
from sdfviewer.files.opening import open_document

REPOSITORY = Path(__file__).parents[3]
SMALL = sorted([*(REPOSITORY / "resources/examples").glob("*.*df"), *(REPOSITORY / "tests/rules").glob("*/good.sdf")])
#: Of files as people have them all are tried but the largest, which takes as long as the rest.
LARGEST = 200_000
COLLECTION = sorted(
    path
    for path in (REPOSITORY / "tests/collection").rglob("*")
    if path.suffix in (".sdf", ".world", ".urdf") and path.stat().st_size < LARGEST
)

LINK = """<sdf version="1.11">
  <model name="m">
    <link name="a">
      <pose>0 0 1 0 0 0</pose>
      <inertial><mass>1</mass></inertial>
      <visual name="v"><geometry><box><size>1 1 1</size></box></geometry></visual>
    </link>
    <link name="b"/>
  </model>
</sdf>
"""
ROBOT = """<robot name="r">
  <link name="a">
    <inertial><origin xyz="0 0 1"/><mass value="1"/></inertial>
  </link>
  <link name="b"/>
</robot>
"""


def label_and_fixed(broken: str) -> tuple[str, Document]:
    """Return what the first fix of a text is called, and the document after it."""
    document = parse_document(broken)
    fix = document.diagnostics[0].fixes[0]
    return fix.label, document.edited(fix.replacements)


@pytest.mark.parametrize(
    ("text", "before", "after", "label"),
    [
        (LINK, "</pose>", "", "Insert </pose> before <inertial>"),
        (LINK, "    </link>\n", "", "Insert </link> before <link>"),
        (LINK, "</visual>", "", "Insert </visual> before </link>"),
        (LINK, "</link>", "</lnk>", "Replace </lnk> with </link>"),
        (LINK, "</pose>", "</pos>", "Replace </pos> with </pose>"),
        (LINK, "<inertial>", "<intertial>", "Replace <intertial> with <inertial>"),
        (LINK, '<link name="a">', '<lnk name="a">', "Replace <lnk> with <link>"),
        (LINK, "<sdf ", "<sdff ", "Replace <sdff> with <sdf>"),
        (LINK, "</link>", "</link></joint>", "Remove </joint>"),
        (LINK, '<link name="b"/>', '<link name="b">', "Insert </link> before </model>"),
        (ROBOT, '<origin xyz="0 0 1"/>', '<origin xyz="0 0 1">', "End <origin> with />"),
        (ROBOT, '<link name="b"/>', '<link name="b">', "Insert </link> before </robot>"),
        (ROBOT, "  </link>\n", "", "Insert </link> before <link>"),
        (ROBOT, "<inertial>", "<inertal>", "Replace <inertal> with <inertial>"),
    ],
)
def test_the_first_fix_is_what_was_meant(text: str, before: str, after: str, label: str) -> None:
    assert before in text
    found, fixed = label_and_fixed(text.replace(before, after, 1))
    assert found == label
    assert shape_of(fixed) == shape_of(parse_document(text))


def shape_of(document: Document) -> object:
    """Return the elements of a document with their attributes and words."""

    def shape(element: Element) -> object:
        children = tuple(shape(child) for child in element.children)
        return element.tag, dict(element.attributes), element.text.split(), children

    return None if document.root is None else shape(document.root)


def broken_texts(text: str, chance: random.Random) -> Iterator[str]:
    """Yield a text with one tag lost or misspelt, in three ways."""
    tags = list(find_tags(text))

    def misspelt(tag: Tag) -> str:
        at = tag.name_start + chance.randrange(len(tag.name))
        return text[:at] + chance.choice("xyz") + text[at + 1 :]

    ends, starts = [tag for tag in tags if tag.is_end], [tag for tag in tags if not (tag.is_end or tag.is_empty)]
    if ends:
        lost = chance.choice(ends)
        yield text[: lost.start] + text[lost.end :]
        yield misspelt(chance.choice(ends))
        yield misspelt(chance.choice(starts))
    if empty := [tag for tag in tags if tag.is_empty]:
        at = text.rindex("/", 0, chance.choice(empty).end)
        yield text[:at] + text[at + 1 :]


@pytest.mark.parametrize(
    ("files", "least"),
    [
        pytest.param(SMALL[::2], 150, id="some small"),
        pytest.param(COLLECTION[::3], 70, id="some of the collection"),
        pytest.param(SMALL, 300, id="small", marks=pytest.mark.nightly),
        pytest.param(COLLECTION, 240, id="collection", marks=pytest.mark.nightly),
    ],
)
def test_one_wrong_tag_is_found_in_95_of_100_files(files: list[Path], least: int) -> None:
    chance = random.Random(1)
    right, wrong = 0, []
    for path in files:
        document = open_document(path)
        if document.diagnostics:
            continue
        meant = shape_of(document)
        for text in broken_texts(document.text, chance):
            broken = parse_document(text)
            if not (problems := broken.diagnostics):
                continue
            if (fixes := problems[0].fixes) and shape_of(broken.edited(fixes[0].replacements)) == meant:
                right += 1
            else:
                wrong.append((path.name, problems[0].message))
    assert right > least
    assert len(wrong) / (right + len(wrong)) < 0.05, wrong
