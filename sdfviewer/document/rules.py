"""Rules about the text of a file: bytes, XML, size; see :func:`sdfviewer.diagnostics.rule`."""

from __future__ import annotations

from sdfviewer.diagnostics import Severity, rule


@rule("xml-syntax", 101, libsdformat="XML_ERROR")
def xml_syntax(what: str) -> str:
    """The text is not well-formed XML.

    Nothing can be said about the content of a file that no XML parser can read. While you type, the last readable
    version of the model stays on screen.

    Bad: ``<link name="a"><pose>0 0 0 0 0 0</link>``

    Use instead: ``<link name="a"><pose>0 0 0 0 0 0</pose></link>``

    Source: https://www.w3.org/TR/xml/#sec-well-formed; libsdformat reports it as a failure to read the file.
    """
    return what


@rule("xml-not-strict", 102, severity=Severity.WARNING)
def xml_not_strict(what: str) -> str:
    """The text is not strictly XML, though libsdformat reads it.

    Gazebo's reader accepts some texts that other XML tools refuse, for example ``--`` inside a comment or a
    declaration that is not first. The file opens; other tools may stop at this place.

    Bad: ``<!-- wheels -- both -->``

    Use instead: ``<!-- wheels: both -->``

    Source: https://www.w3.org/TR/xml/#sec-comments
    """
    return f"{what}; libsdformat reads it, strict XML tools will not"


@rule("too-deep", 103, libsdformat="XML_ERROR")
def too_deep(limit: int) -> str:
    """Elements are nested deeper than any robot needs.

    libsdformat's XML reader stops at the same depth; the bound keeps hostile files from exhausting the program.

    Bad: a file of 500 elements each inside the one before.

    Use instead: fewer levels.

    Source: tinyxml2, ``TINYXML2_MAX_ELEMENT_DEPTH``
    """
    return f"elements are nested more than {limit} deep"


@rule("bad-encoding", 104, severity=Severity.WARNING)
def bad_encoding(encoding: str) -> str:
    """Bytes that are no text in the encoding of the file.

    The bytes are kept as they are and saved unchanged; they are shown as replacement characters.

    Bad: a Latin-1 ``é`` in a file that is declared, or assumed, to be UTF-8.

    Use instead: ``<?xml version="1.0" encoding="ISO-8859-1"?>``, or save the file as UTF-8.

    Source: https://www.w3.org/TR/xml/#charencoding
    """
    return f"bytes that are not {encoding}; they are kept unchanged"
