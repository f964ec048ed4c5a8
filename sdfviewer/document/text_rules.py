"""Rules about the text of a file: bytes, XML, size; see :func:`sdfviewer.diagnostics.rule`."""

from __future__ import annotations

from sdfviewer.diagnostics import Message, Severity, rule

FAULTS_OF_THE_PROGRAM = frozenset({"internal-error", "plugin-failed"})
"""Rules that no file breaks: this program does, or a plugin."""


@rule("xml-syntax", 101, libsdformat="XML_ERROR")
def xml_syntax(what: str) -> str:
    """The text is not well-formed XML.

    Nothing can be reported about the content of a file that no XML parser can read. While you type, the last readable
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
    return what + Message("", "libsdformat reads it, but strict XML tools reject it")


@rule("too-deep", 103, libsdformat="XML_ERROR")
def too_deep(limit: str) -> str:
    """Elements are nested deeper than any robot needs.

    libsdformat's XML reader stops at the same depth; the bound keeps hostile files from exhausting the program.

    Bad: a file of 500 elements each inside the one before.

    Use instead: fewer levels.

    Source: tinyxml2, ``TINYXML2_MAX_ELEMENT_DEPTH``
    """
    return Message(f"elements are nested more than {limit} deep", "remove levels")


@rule("text-too-large", 105)
def text_too_large(what: str) -> str:
    """More elements, or a longer tag or text, than any robot needs.

    The limits are 800,000 elements and attributes together, and ten million characters in one tag, text or comment.
    They keep hostile files from exhausting time and memory. libsdformat has none.

    Bad: a file of a million elements; a name of a hundred million characters.

    Use instead: several files that one world includes.

    Source: a bound of this program
    """
    return what + Message("", "such a file is not read")


@rule("misplaced-instruction", 107, libsdformat="FILE_READ")
def misplaced_instruction() -> str:
    """A processing instruction that is not at the beginning of the file.

    XML allows ``<?...?>`` anywhere between elements. TinyXML2, with which libsdformat and urdfdom read, takes them for
    declarations, which come before everything else, and refuses the file. xacro reads them.

    Bad: ``<sdf version="1.9">...</sdf> <?xml-model href="sdf.rng"?>``

    Use instead: ``<?xml version="1.0"?> <?xml-model href="sdf.rng"?> <sdf version="1.9">...</sdf>``

    Source: tinyxml2, ``XMLNode::ParseDeep``
    """
    return Message("a processing instruction may only come before everything else", "move it there, or remove it")


@rule("internal-error", 199)
def internal_error(what: str, where: str, doing: str = "read") -> str:
    """A fault of this program, not of the file.

    The program failed unexpectedly while it read or drew the file. The text is safe: it can be edited, undone
    and saved. Please report it, with the file and this message, which names the exception and the place in the program;
    the log has the whole trace.

    Bad: any text that makes this program fail.

    Use instead: go back to the last text that could be read, and report the other one.

    Source: a fault of this program
    """
    return Message(
        f"the file could not be {doing} because of an internal error ({what}, in {where})",
        "you can still edit, undo and save the text; please report it, with the file",
    )


@rule("bad-encoding", 104, severity=Severity.WARNING)
def bad_encoding(encoding: str) -> str:
    """Invalid bytes for the file's encoding.

    The bytes are kept as they are and saved unchanged; they are shown as replacement characters.

    Bad: a Latin-1 ``é`` in a file that is declared, or assumed, to be UTF-8.

    Use instead: ``<?xml version="1.0" encoding="ISO-8859-1"?>``, or save the file as UTF-8.

    Source: https://www.w3.org/TR/xml/#charencoding
    """
    return Message(
        f"these bytes are not {encoding} text and are kept as they are", "convert the file, or declare its encoding"
    )


@rule("unknown-encoding", 106, severity=Severity.WARNING)
def unknown_encoding(name: str, encoding: str) -> str:
    """An XML declaration that names no known encoding.

    libsdformat ignores the declaration and reads UTF-8, as this program does. Other XML readers refuse the file.

    Bad: ``<?xml version="1.0" encoding="utf8-bom"?>``

    Use instead: ``<?xml version="1.0" encoding="UTF-8"?>``, or no encoding, which means the same.

    Source: https://www.w3.org/TR/xml/#charencoding
    """
    return Message(
        f"'{name}' is not a known encoding", f"the file is read as {encoding}, but most XML readers refuse it"
    )
