"""Documents: the text is the truth, elements are found in it, edits touch only what they change."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from sdfviewer.diagnostics import Replacement
from sdfviewer.document import text_rules
from sdfviewer.document.document import Document, UnreadableFileError, parse_document
from sdfviewer.document.element import Element
from sdfviewer.document.xml import incremental, parse, wellformed
from sdfviewer.document.xml import repair as repair_module
from sdfviewer.document.xml.parse import MAX_DEPTH
from sdfviewer.files.opening import open_document
from tests.corpus import at_least, corpus_files

MODEL = """<?xml version="1.0"?>
<!-- a > b -->
<sdf version='1.9' xmlns:drake="drake.mit.edu">\r
  <model name="two &amp; three">
    <link name='a"b'><pose relative_to = "base">1 2 3 0 0 0</pose></link>
    <link name="c"/><drake:joint k="v > w"><![CDATA[ <raw> ]]></drake:joint>
    <joint name="j" type="fixed"><!-- why --> <parent>a</parent><child>  c </child></joint>
  </model>
</sdf>
"""


def outline(document: Document, element: Element | None = None) -> object:
    """Return everything that is known about a tree, places included."""
    element = element if element is not None else document.root
    if element is None:
        return None
    return (
        element.tag,
        element.attributes,
        element.text,
        document.offset(element),
        element.length,
        [outline(document, child) for child in element.children],
    )


def test_elements_say_what_is_written() -> None:
    document = parse_document(MODEL)
    root = document.root
    assert root is not None
    model = root.children[0]
    assert model.attributes == {"name": "two & three"}
    assert [child.tag for child in model.children] == ["link", "link", "drake:joint", "joint"]
    assert model.children[0].attributes["name"] == 'a"b'
    assert model.children[2].text == " <raw> "
    assert model.children[2].attributes == {"k": "v > w"}
    assert model.children[3].text_of("child") == "c"


@pytest.mark.parametrize(
    ("content", "text"),
    [
        ("1 0 0<x/>", "1 0 0"),
        ("<!-- a -->1 &lt; 2<x/>3", "1 < 2"),
        ("<![CDATA[a<b]]><x/>", "a<b"),
        ("\n  <x/>1 0 0", ""),
        ("<x/>1", ""),
        ("\n <!-- a --> <x/>", ""),
    ],
)
def test_the_text_before_the_first_child_counts(content: str, text: str) -> None:
    root = parse_document(f"<pose>{content}</pose>").root
    assert root is not None
    assert (root.text, [child.tag for child in root.children]) == (text, ["x"])


def test_a_first_child_that_comes_or_goes_leaves_the_text_that_counts() -> None:
    document = parse_document("<a><b>1<x/>2<y/>3</b></a>")
    for start, end, new in ((7, 11, ""), (7, 7, "<z/>"), (6, 7, "")):
        document = document.edited([Replacement(start, end, new)])
        assert document.root is not None
        again = parse_document(document.text).root
        assert again is not None
        assert [each.text for each in document.root.descendants()] == [each.text for each in again.descendants()]


@pytest.mark.parametrize(
    ("part", "expected"),
    [
        (None, '<pose relative_to = "base">'),
        ("@relative_to", 'relative_to = "base"'),
        ("@missing", '<pose relative_to = "base">'),
        ("text", "1 2 3 0 0 0"),
        ("element", '<pose relative_to = "base">1 2 3 0 0 0</pose>'),
    ],
)
def test_spans_cut_out_what_they_name(part: str | None, expected: str) -> None:
    document = parse_document(MODEL)
    pose = document.element((0, 0, 0))
    span = document.span(pose, part)
    assert document.text[span.start : span.end] == expected
    assert document.line(span.line)[span.column - 1 :].startswith(expected)


def test_addresses_lead_to_their_element() -> None:
    document = parse_document(MODEL)
    assert document.root is not None
    for element in document.root.descendants():
        assert document.element(document.address(element)) is element
        assert document.element_at(document.offset(element)) is element
    with pytest.raises(LookupError):
        document.element((0, 9))


def test_nothing_is_outside_the_root() -> None:
    document = parse_document(MODEL)
    assert document.element_at(0) is None
    assert document.element_at(len(MODEL) - 1) is None


def test_syntax_error_gives_one_diagnostic_at_its_line_and_keeps_the_text() -> None:
    text = '<sdf version="1.9">\n  <model name="m">\n    <link name="a">\n  </model>\n</sdf>\n'
    document = parse_document(text)
    assert document.root is None
    assert document.text == text
    (diagnostic,) = document.diagnostics
    assert diagnostic.is_error
    assert diagnostic.span is not None
    assert diagnostic.span.line in (3, 4)


def test_text_that_is_not_strictly_xml_opens_with_a_warning() -> None:
    document = parse_document('<sdf version="1.9"><!-- a -- b --><model name="m"/></sdf>')
    assert document.root is not None
    assert document.root.children[0].tag == "model"
    assert [d.rule.name for d in document.diagnostics] == ["xml-not-strict"]
    assert not document.diagnostics[0].is_error


def test_depth_is_bounded() -> None:
    document = parse_document("<a>" * (MAX_DEPTH + 1) + "</a>" * (MAX_DEPTH + 1))
    assert document.root is None
    assert document.diagnostics[0].rule.name == "too-deep"
    assert parse_document("<a>" * MAX_DEPTH + "</a>" * MAX_DEPTH).root is not None


def test_size_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parse, "MAX_ELEMENTS", 3)
    assert parse_document("<a><b/><b/></a>").root is not None
    document = parse_document("<a><b/><b/><b/></a>")
    assert document.root is None
    assert [each.rule.name for each in document.diagnostics] == ["text-too-large"]
    assert parse_document('<a b="1" c="2"/>').root is not None
    assert parse_document('<a b="1" c="2" d="3"/>').root is None


@pytest.mark.parametrize("around", ['<a b="{}"/>', "<a>{}</a>", "<a><!--{}--></a>", '<a b="{}'])
def test_a_piece_without_another_tag_is_bounded(around: str) -> None:
    document = parse_document(around.format("x" * parse.MAX_RUN))
    assert document.root is None
    assert [each.rule.name for each in document.diagnostics] == ["text-too-large"]
    assert parse_document("<a>" + "x" * (parse.MAX_RUN - 10) + "</a>").root is not None


def test_an_edit_that_makes_a_text_too_large_is_an_edit() -> None:
    document = parse_document("<a><b>x</b></a>")
    edited = document.edited((Replacement(6, 7, "x" * (parse.MAX_RUN + 10)),))
    assert edited.root is None
    assert edited.edited((Replacement(6, 7 + parse.MAX_RUN + 9, "x"),)).root is not None


def test_entities_are_not_expanded() -> None:
    bomb = '<!DOCTYPE a [<!ENTITY x "xxxxxxxxxx"><!ENTITY y "&x;&x;&x;">]><a>&y;</a>'
    document = parse_document(bomb)
    assert document.root is None or "xxx" not in document.root.text
    assert document.diagnostics


def test_unreadable_files_are_distinguished(tmp_path: Path) -> None:
    with pytest.raises(UnreadableFileError, match="No such file"):
        open_document(tmp_path / "missing.sdf")
    with pytest.raises(UnreadableFileError, match="folder"):
        open_document(tmp_path)
    (tmp_path / "odd.sdf").write_bytes(b"\xff\xfe<")
    with pytest.raises(UnreadableFileError, match=r"odd\.sdf"):
        open_document(tmp_path / "odd.sdf")


def test_edit_shares_what_it_does_not_touch() -> None:
    document = parse_document(MODEL)
    start = MODEL.index("1 2 3")
    after = document.edited([Replacement(start, start + 1, "100")])
    assert document.root is not None
    assert after.root is not None
    assert after.element((0, 0, 0)).text == "100 2 3 0 0 0"
    for number in (1, 2, 3):
        assert after.element((0, number)) is document.element((0, number))
    assert outline(after) == outline(parse_document(after.text))
    assert document.element((0, 0, 0)).text == "1 2 3 0 0 0"


@pytest.mark.parametrize(
    ("old", "new", "is_shared"),
    [
        (" version='1.10'", "  version='1.10'", True),
        ("version='1.10'>", "version='1.10' a='>'>", True),
        ("name='shop'", "name='a longer name'", True),
        ("version='1.10'", "version='1.7'", False),  # what is in it may mean something else
        ("'1.10'>", "'1.10'/>", False),
        ("'1.10'>", "'1.10'> >", False),
        ("<world name", "<model name", False),
    ],
)
def test_an_edit_in_the_tag_of_a_large_element_shares_what_is_in_it(old: str, new: str, is_shared: bool) -> None:
    models = "".join(f"<model name='m{n}'><link name='l'/></model>" for n in range(50))
    before = parse_document(f"<sdf version='1.10'><world name='shop'>{models}</world></sdf>")
    model = before.element((0, 3))
    at = before.text.index(old)
    after = before.edited((Replacement(at, at + len(old), new),))
    whole = parse_document(after.text)
    assert outline(after) == outline(whole)
    assert [each.message for each in after.diagnostics] == [each.message for each in whole.diagnostics]
    if is_shared:
        assert after.element((0, 3)) is model
        assert after.span(model).start == after.text.index("<model name='m3'")
    else:
        assert after.root is None or all(each is not model for each in after.root.descendants())


@pytest.mark.parametrize("place", [MODEL.index("a > b"), MODEL.index("<sdf"), MODEL.index("</sdf>") + 6, len(MODEL)])
@pytest.mark.parametrize("typed", [" ", "\n", "<!-- new -->"])
def test_an_edit_outside_the_root_shares_the_root(place: int, typed: str) -> None:
    if place < MODEL.index("<sdf") and typed.startswith("<!--"):
        typed = "--><!-- new "
    document = parse_document(MODEL)
    after = document.edited([Replacement(place, place, typed)])
    assert after.root is document.root
    assert outline(after) == outline(parse_document(after.text))


@pytest.mark.parametrize(
    ("name", "removed", "inserted"),
    [
        ("before", "", '<link name="new"/>'),
        ("behind", "", '<link name="new"/>'),
        ("gone", "b", ""),
        ("both", "b", "<b/>"),
    ],
)
def test_an_element_that_comes_or_goes_leaves_its_siblings(name: str, removed: str, inserted: str) -> None:
    document = parse_document('<sdf><model><a/>text<b name="b"/><!-- c --><c><d/></c></model></sdf>')
    assert document.root is not None
    a, b, c = document.root.children[0].children
    start, end = document.offsets(b, "element")
    at = {"before": (start, start), "behind": (end, end)}.get(name, (start, end))
    edited = document.edited([Replacement(*at, inserted)])
    assert edited.root is not None
    children = edited.root.children[0].children
    assert children[0] is a
    assert children[-1] is c
    assert len(children) == 3 + bool(inserted) - bool(removed)
    assert outline(edited) == outline(parse_document(edited.text))


def test_places_stay_right_over_many_edits_and_for_earlier_snapshots() -> None:
    document = first = parse_document(MODEL)
    old_pose = first.element((0, 0, 0))
    for number in range(5):
        before = document
        start = document.offsets(document.element((0, 0, 0)), "text")[0]
        document = document.edited([Replacement(start, start + 1, f"{number}<!-- {number} -->")])
        assert outline(document) == outline(parse_document(document.text))
        assert outline(before) == outline(parse_document(before.text))
    assert old_pose in first
    assert old_pose not in document
    with pytest.raises(LookupError):
        document.span(old_pose)


class CountedChildren(tuple[Element, ...]):
    """Children that count how often somebody goes through them."""

    visits = 0

    def __iter__(self) -> Iterator[Element]:
        self.visits += 1
        return super().__iter__()


def test_locations_that_are_taken_over_are_those_that_are_looked_for() -> None:
    links = "".join(f'<link name="l{n}"><pose>{n} 0 0</pose><visual name="v"/></link>' for n in range(20))
    documents = [parse_document(f'<sdf version="1.11"><model name="m">{links}</model><light name="s"/></sdf>')]
    shared = documents[0].element((0, 12))
    shared.children = children = CountedChildren(shared.children)
    for old, new in (("l7", "seven"), ("<pose>7 0 0</pose>", ""), ('<light name="s"/>', ""), ("l3", "three")):
        last = documents[-1]
        at = last.text.index(old)
        documents.append(last.edited([Replacement(at, at + len(old), new)]))
    way = [2, 0, 1, 4, 3, 0, 4]
    assert outline(documents[way[0]])
    for before, after in pairwise(way):
        documents[after].forget_locations()
        children.visits = 0
        documents[after].take_locations(documents[before])
        taken = documents[after].address(shared.children[0])
        assert children.visits == 0, "what both share is not looked at"
        assert taken == (0, 12, 0)
        assert outline(documents[after]) == outline(parse_document(documents[after].text))


def test_a_text_that_is_all_new_is_looked_through_once_for_its_locations() -> None:
    links = "".join(f'<link name="l{n}"><pose>1</pose></link>' for n in range(200))
    before, after = parse_document(f"<model>{links}</model>"), parse_document(f"<model>{links} </model>")
    each = after.element((0,))
    each.children = children = CountedChildren(each.children)
    assert before.address(before.element((7, 0))) == (7, 0)
    after.take_locations(before)
    assert children.visits == 1
    assert after.address(after.element((7, 0))) == (7, 0)


def test_edits_must_not_overlap() -> None:
    document = parse_document(MODEL)
    with pytest.raises(ValueError, match="overlaps"):
        document.edited([Replacement(5, 9, ""), Replacement(8, 10, "")])
    with pytest.raises(ValueError, match="outside"):
        document.edited([Replacement(0, len(MODEL) + 1, "")])


FRAGMENTS = st.sampled_from(
    ["", " ", "x", "<", ">", "/>", "<a/>", "<b>", "</b>", "</link>", '"', "'", "<!--", "-->", "&", "&amp;", "]]>", "é"]
) | st.sampled_from(["\n", "é\n", "x\r\n\ny"])


@given(st.integers(0, len(MODEL)), st.integers(0, 12), FRAGMENTS)
def test_any_edit_gives_what_reading_the_whole_text_gives(start: int, length: int, inserted: str) -> None:
    document = parse_document(MODEL)
    end = min(start + length, len(MODEL))
    assert document.position(start) == (MODEL.count("\n", 0, start) + 1, start - MODEL.rfind("\n", 0, start))
    edited = document.edited([Replacement(start, end, inserted)])
    whole = parse_document(MODEL[:start] + inserted + MODEL[end:])
    assert edited.text == whole.text
    assert outline(edited) == outline(whole)
    offsets = range(len(whole.text) + 1)
    assert [edited.position(offset) for offset in offsets] == [whole.position(offset) for offset in offsets]
    assert [d.message for d in edited.diagnostics] == [d.message for d in whole.diagnostics]


WORLD = """<?xml version="1.0"?>
<sdf version="1.9"><!-- one -->
  <world name="w"> text
    <model name="a"><pose>1 0 0 0 0 0</pose><link name="l"/><!-- two --><link name="m">&lt;</link></model>
    <model name="b"><link name="l"><visual name='v'><![CDATA[x]]></visual></link></model>
    <light name="s"/>
    <model name="c"/>\r
    <!-- three --> é
    <model name="d"><frame name="f"/></model>
  </world><world name="v"/>
</sdf>
<!-- four -->
"""


def told(document: Document) -> list[object]:
    return [(d.rule.name, d.message, d.span, d.fixes) for d in document.diagnostics]


@given(st.lists(st.tuples(st.integers(0, len(WORLD)), st.sampled_from([0, 0, 0, 1, 2, 5, 20]), FRAGMENTS), max_size=4))
def test_texts_with_problems_are_read_around_the_edits_as_if_they_were_read_whole(
    edits: list[tuple[int, int, str]],
) -> None:
    document = parse_document(WORLD)
    for place, length, inserted in edits:
        start = min(place, len(document.text))
        document = document.edited([Replacement(start, min(start + length, len(document.text)), inserted)])
        whole = parse_document(document.text)
        assert told(document) == told(whole)
        assert outline(document) == outline(whole)
        assert document.position(len(document.text)) == whole.position(len(document.text))


BOX = '<link name="l"><visual name="v"/></link>'


@pytest.mark.parametrize("typed", ["<oops", "<oops>", "</oops>", '<pose a="', "&", "<!-- a -- b -->", "<!--"])
def test_a_fault_in_a_large_text_is_found_in_what_is_around_it(typed: str, monkeypatch: pytest.MonkeyPatch) -> None:
    models = "".join(f'<model name="m{n}">{BOX}</model>\n' for n in range(200))
    document = parse_document(f'<sdf version="1.9"><world name="w">{models}</world></sdf>')
    neighbour = document.element((0, 7))
    read: list[str] = []
    judge = repair_module._Scan._start_tag
    monkeypatch.setattr(
        repair_module._Scan, "_start_tag", lambda scan, at: read.append(scan.text[at : at + 30]) or judge(scan, at)
    )
    at = document.text.index("<visual", document.text.index('"m100"'))
    faulty = document.edited([Replacement(at, at, typed)])
    assert faulty.diagnostics
    faulty = faulty.edited([Replacement(at + len(typed), at + len(typed), " ")])
    assert len(read) < 20, "tags that are known are not read again"

    corrected = faulty.edited([Replacement(at, at + len(typed) + 1, "")])
    assert not corrected.diagnostics
    assert corrected.element((0, 7)) is neighbour
    assert told(faulty) == told(parse_document(faulty.text))


LINES = """<sdf version="1.9"><world name="w">
<model name="a"><link name="l"/></model>
{models}
<model name="z"><link name="l"/></model><frame name="f"/></world></sdf>
"""
NESTED = LINES.replace("><world", ">\n<world").replace("</world>", "\n</world>\n")


def moved_up(text: str, number: int) -> Replacement:
    """Return the edit that moves a line one further up."""
    lines = text.split("\n")
    start = sum(len(line) + 1 for line in lines[: number - 1])
    above, line = lines[number - 1], lines[number]
    return Replacement(start, start + len(above) + 1 + len(line), f"{line}\n{above}")


def commented(text: str, number: int) -> Replacement:
    """Return the edit that makes a comment of a line."""
    lines = text.split("\n")
    start = sum(len(line) + 1 for line in lines[:number])
    return Replacement(start, start + len(lines[number]), f"<!-- {lines[number]} -->")


def removed(text: str, number: int) -> Replacement:
    """Return the edit that takes out what is in a line."""
    change = commented(text, number)
    return Replacement(change.start, change.end, "")


@pytest.mark.parametrize("change", [moved_up, commented, removed])
@pytest.mark.parametrize(("template", "number"), [(LINES, 0), (LINES, -2), (NESTED, 1), (NESTED, -3), (NESTED, -2)])
def test_a_tag_of_the_root_that_moves_or_goes_leaves_what_is_known(
    change: Callable[[str, int], Replacement], template: str, number: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = template.format(models="\n".join(f'<model name="m{n}">{BOX}</model>' for n in range(400)))
    number = number if number > 0 else len(text.split("\n")) + number if number else 1 if change is moved_up else 0
    document = parse_document(text)
    known = set(map(id, document.element((0,)).children))
    assert document.address(document.element((0, 7))) == (0, 7)
    read: list[str] = []
    monkeypatch.setattr(
        "sdfviewer.document.xml.read.parse_element", lambda part: read.append(part) or parse.parse_element(part)
    )
    judge = repair_module._Scan._start_tag
    monkeypatch.setattr(repair_module._Scan, "_start_tag", lambda scan, at: read.append("<") or judge(scan, at))
    edited = document.edited([change(text, number)])
    assert sum(part.count("<") for part in read) < 200, "what is known is not read again"
    monkeypatch.undo()

    whole = parse_document(edited.text)
    assert told(edited) == told(whole)
    assert outline(edited) == outline(whole)
    if edited.root is not None and edited.root.tag == "sdf":
        assert sum(id(each) in known for each in edited.root.descendants()) > 390, "known elements are shared"


@given(
    st.lists(st.tuples(st.sampled_from([moved_up, commented, removed]), st.integers(1, 9)), min_size=1, max_size=3),
    st.sampled_from([WORLD, WORLD.replace("><", ">\n<"), WORLD[: WORLD.index("<!-- four")]]),
)
def test_lines_that_move_or_go_give_what_reading_the_whole_text_gives(
    changes: list[tuple[Callable[[str, int], Replacement], int]], text: str
) -> None:
    document = parse_document(text)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(incremental, "_MOST_READ", 30)
        for change, place in changes:
            number = 1 + place * (document.text.count("\n") - 1) // 9
            document = document.edited([change(document.text, number)])
            whole = parse_document(document.text)
            assert told(document) == told(whole)
            assert outline(document) == outline(whole)


DOCUMENTS = (".sdf", ".world", ".urdf", ".xacro", ".config")


@pytest.mark.corpus
def test_every_corpus_file_survives_a_round_trip() -> None:
    files = corpus_files(*DOCUMENTS)
    for path in files:
        assert open_document(path).to_bytes() == path.read_bytes(), path
    assert len(files) > at_least(400)


@pytest.mark.corpus
def test_elements_match_those_of_lxml_one_to_one() -> None:
    compared = 0
    for path in corpus_files(*DOCUMENTS):
        document = open_document(path)
        if document.root is None or document.diagnostics:
            continue
        try:
            reference = etree.fromstring(path.read_bytes(), etree.XMLParser(resolve_entities=False))
        except etree.XMLSyntaxError:
            continue
        theirs = [node for node in reference.iter() if isinstance(node.tag, str)]
        ours = list(document.root.descendants())
        assert [element.tag.rpartition(":")[2] for element in ours] == [etree.QName(node).localname for node in theirs]
        for element, node in zip(ours, theirs, strict=True):
            plain = {name: value for name, value in element.attributes.items() if ":" not in name and name != "xmlns"}
            normalised = {
                name: value.replace("\r\n", " ").replace("\n", " ").replace("\t", " ") for name, value in plain.items()
            }
            assert normalised == {name: value for name, value in node.attrib.items() if "{" not in name}, path
        compared += 1
    assert compared > at_least(300)


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "iso-8859-1"])
def test_encodings_and_line_ends_survive_an_edit(tmp_path: Path, encoding: str, newline: str) -> None:
    declared = "ISO-8859-1" if encoding == "iso-8859-1" else encoding.removesuffix("-sig").upper()
    text = f'<?xml version="1.0" encoding="{declared}"?>\n<sdf version="1.9">\n<!-- é -->\n<model name="m"/>\n</sdf>\n'
    data = text.replace("\n", newline).encode(encoding)
    path = tmp_path / "m.sdf"
    path.write_bytes(data)
    document = open_document(path)
    assert document.to_bytes() == data
    at = document.text.index('"m"')
    edited = document.edited([Replacement(at, at + 3, '"n"')])
    assert edited.to_bytes() == text.replace('"m"', '"n"').replace("\n", newline).encode(encoding)
    assert document.newline == newline


def test_a_fault_in_a_large_text_is_found_without_reading_it_again_and_again(monkeypatch: pytest.MonkeyPatch) -> None:
    models = "".join(f'<model name="m{number}"><link name="l"/></model>\n' for number in range(2000))
    document = parse_document(f'<sdf version="1.11"><world name="w">\n{models}</world></sdf>')
    read, judge = [0], wellformed._fault

    def counted(data: bytes) -> tuple[int, int] | None:
        read[0] += len(data)
        return judge(data)

    monkeypatch.setattr(wellformed, "_fault", counted)
    at = document.text.index('<model name="m1000"')
    broken = document.edited([Replacement(at, at, "<")])
    assert [each.rule for each in broken.diagnostics] == [text_rules.xml_syntax]
    assert read[0] < 2.1 * len(document.text), "once for what is wrong, and once for the fix"
    assert broken.diagnostics == parse_document(broken.text).diagnostics


def test_every_attribute_of_an_element_is_read_without_a_call() -> None:
    """Of a class with ``__getattr__`` Python calls a function for each: a check of 3000 models took a tenth longer."""
    assert not any("__getattr__" in vars(each) or "__getattribute__" in vars(each) for each in Element.__mro__[:-1])
