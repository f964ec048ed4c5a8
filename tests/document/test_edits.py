"""Edits change their span and nothing else, and keep the file's own style."""

from __future__ import annotations

import pytest

from sdfviewer.document.document import Document, parse_document
from sdfviewer.document.edits import (
    Replacements,
    element_source,
    insert_child,
    prepend_child,
    remove_element,
    replace_element,
    set_attribute,
    set_tag,
    set_text,
)

TEXT = """<sdf version="1.9">
\t<model name='m'>
\t\t<link name="a"  ><pose  relative_to='b' > 1 2 3 0 0 0 </pose></link> <!-- keep -->
\t\t<link name="b"/>
\t</model>
</sdf>
"""


def after(document: Document, replacements: Replacements) -> str:
    return document.edited(replacements).text


@pytest.mark.parametrize(
    ("name", "value", "old", "new"),
    [
        ("relative_to", "c", "relative_to='b'", "relative_to='c'"),
        ("relative_to", "it's", "relative_to='b'", "relative_to='it&apos;s'"),
        ("relative_to", None, "  relative_to='b'", ""),
        ("degrees", "true", "relative_to='b'", "relative_to='b' degrees=\"true\""),
    ],
)
def test_attributes_keep_their_quotes_and_blanks(name: str, value: str | None, old: str, new: str) -> None:
    document = parse_document(TEXT)
    assert after(document, set_attribute(document, document.element((0, 0, 0)), name, value)) == TEXT.replace(old, new)


def test_first_attribute_goes_behind_the_name_of_the_tag() -> None:
    document = parse_document("<a><b/></a>")
    assert after(document, set_attribute(document, document.element(()), "x", "1")) == '<a x="1"><b/></a>'
    assert after(document, set_attribute(document, document.element((0,)), "x", '"')) == '<a><b x="&quot;"/></a>'


def test_setting_what_is_there_changes_nothing() -> None:
    document = parse_document(TEXT)
    pose = document.element((0, 0, 0))
    assert set_attribute(document, pose, "relative_to", "b") == ()
    assert set_attribute(document, pose, "absent", None) == ()
    assert set_text(document, pose, "1 2 3 0 0 0") == ()


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("<p> 1 </p>", "<p> 2 &lt; 3 </p>"),
        ("<p><!-- c -->1<!-- d --></p>", "<p><!-- c -->2 &lt; 3<!-- d --></p>"),
        ("<p/>", "<p>2 &lt; 3</p>"),
        ('<p a="b" />', '<p a="b">2 &lt; 3</p>'),
        ("<p></p>", "<p>2 &lt; 3</p>"),
        ("<p>\n</p>", "<p>2 &lt; 3\n</p>"),
        ("<p><![CDATA[x]]></p>", "<p>2 &lt; 3</p>"),
    ],
)
def test_text_is_replaced_between_blanks_and_comments(source: str, expected: str) -> None:
    document = parse_document(source)
    result = after(document, set_text(document, document.element(()), "2 < 3"))
    assert result == expected
    assert parse_document(result).element(()).text.strip() == "2 < 3"


def test_children_are_indented_as_the_file_indents() -> None:
    document = parse_document(TEXT)
    model = document.element((0,))
    appended = after(document, insert_child(document, model, '<frame name="f"/>'))
    assert appended == TEXT.replace('<link name="b"/>\n', '<link name="b"/>\n\t\t<frame name="f"/>\n')
    first = after(document, insert_child(document, model, '<frame name="f"/>', before=model.children[0]))
    assert first == TEXT.replace('\t\t<link name="a"', '\t\t<frame name="f"/>\n\t\t<link name="a"')
    inner = after(document, insert_child(document, model.children[1], "<pose>\n\t1\n</pose>"))
    assert inner == TEXT.replace(
        '<link name="b"/>', '<link name="b">\n\t\t\t<pose>\n\t\t\t\t1\n\t\t\t</pose>\n\t\t</link>'
    )


def test_a_removed_element_takes_its_own_line_with_it_but_no_comment() -> None:
    document = parse_document(TEXT)
    model = document.element((0,))
    assert after(document, remove_element(document, model.children[1])) == TEXT.replace('\t\t<link name="b"/>\n', "")
    assert "<!-- keep -->" in after(document, remove_element(document, model.children[0]))


def test_the_source_of_an_element_can_be_inserted_elsewhere_and_keeps_what_is_written_as_it_is() -> None:
    document = parse_document(
        '<sdf>\r\n    <a x="1">\r\n      <b/>\r\n      <![CDATA[\r\n    raw]]>\r\n    </a>\r\n'
        "    <c>\r\n    </c>\r\n</sdf>"
    )
    assert document.root is not None
    a, c = document.root.children
    source = element_source(document, a, set_attribute(document, a, "x", "2"))
    assert source == '<a x="2">\n  <b/>\n  <![CDATA[\n    raw]]>\n</a>'
    edited = document.edited(prepend_child(document, c, source) + replace_element(document, a, "<d>\n  <e/>\n</d>"))
    assert edited.text.startswith("<sdf>\r\n    <d>\r\n      <e/>\r\n    </d>\r\n    <c>")
    assert "<![CDATA[\r\n    raw]]>" in edited.text
    assert "\n" not in edited.text.replace("\r\n", "")


def test_a_separator_of_lines_that_is_none_in_xml_stays_in_an_inserted_element() -> None:
    document = parse_document("<a>\n</a>")
    assert document.root is not None
    assert 'x="1\u20282"' in document.edited(insert_child(document, document.root, '<b x="1\u20282"/>')).text


@pytest.mark.parametrize(
    ("source", "expected"), [("<a><b>1</b ></a>", "<a><cd>1</cd ></a>"), ("<a><b x=''/></a>", "<a><cd x=''/></a>")]
)
def test_an_element_is_called_otherwise_in_both_its_tags(source: str, expected: str) -> None:
    document = parse_document(source)
    assert document.root is not None
    assert document.edited(set_tag(document, document.root.children[0], "cd")).text == expected


@pytest.mark.parametrize(
    ("old", "expected"),
    [
        ('<frame name="c" attached_to="a"/>', "<frame name='c' attached_to='a'/>"),
        ('<frame name="it\'s"/>', "<frame name='it&apos;s'/>"),
        ('<!-- x="1" --><a b="c"><![CDATA[d="e"]]></a>', '<!-- x="1" --><a b=\'c\'><![CDATA[d="e"]]></a>'),
        ('<pose>a="b"</pose>', '<pose>a="b"</pose>'),
        ('<a b = "c > d"/>', "<a b = 'c > d'/>"),
    ],
)
def test_new_elements_have_the_quotes_of_the_file(old: str, expected: str) -> None:
    document = parse_document("<sdf version='1.9'><model name='m'/></sdf>")
    assert expected in after(document, insert_child(document, document.element((0,)), old))
    double = parse_document('<sdf version="1.9"><model name="m"/></sdf>')
    assert old in after(double, insert_child(double, double.element((0,)), old))


def test_new_attributes_have_the_quotes_of_the_file() -> None:
    document = parse_document("<sdf version='1.9'><model name='m'/></sdf>")
    assert "name='m' x='it&apos;s'/>" in after(document, set_attribute(document, document.element((0,)), "x", "it's"))
