"""Recognize files that are not XML by their first characters."""

from __future__ import annotations

#: How a file begins, undecodable bytes carried through, what it is then, and what to do.
_BEGINNINGS = (
    ("PK\x03\x04", "a ZIP archive: unpack it and open the model in it"),
    ("\x1f\udc8b", "a gzip archive: unpack it and open the model in it"),
    ("7z\udcbc\udcaf", "a 7z archive: unpack it and open the model in it"),
    ("\udc89PNG", "a picture"),
    ("\udcff\udcd8\udcff", "a picture"),
    ("PXR-USDC", "a USD scene: convert it to SDFormat first"),
    ("#usda", "a USD scene: convert it to SDFormat first"),
    ("glTF", "a mesh: reference it from the <uri> of a <mesh> in a model"),
    ("solid ", "a mesh: reference it from the <uri> of a <mesh> in a model"),
    ("mtllib ", "a mesh: reference it from the <uri> of a <mesh> in a model"),
    ("#VRML", "a VRML scene: convert it to a mesh first"),
    ("%YAML", "YAML"),
    ("{", "JSON"),
)
_WEB_PAGES = ("<!doctype html", "<html")
#: So many characters are checked, and so large a part of them may be undecodable.
_LOOKED_AT, _MOST_STRANGE = 1024, 0.1


def recognise(text: str) -> str | None:
    """Return what kind of text it is that is not XML; None for text that may be broken XML.

    Parameters
    ----------
    text
        As :mod:`sdfviewer.document.xml.encoding` decodes it: bytes that are no text are lone surrogates.
    """
    if not text or text.isspace():
        return None
    start = text[:_LOOKED_AT]
    strange = sum(map(_is_strange, start))
    for beginning, what in _BEGINNINGS:
        if start.startswith(beginning) and (strange or "<" not in text):
            return f"this is not XML but {what}"
    if strange > _MOST_STRANGE * len(start):
        return "this is binary data, not text"
    if start.lstrip().lower().startswith(_WEB_PAGES):
        return "this is a web page: download the file itself"
    if "<" not in text:
        return "this is not XML: an SDFormat file starts with <sdf>, a URDF with <robot>"
    return None


def _is_strange(character: str) -> bool:
    """Return whether no text holds such a character."""
    return (character < " " and character not in "\t\r\n\f") or "\udc80" <= character <= "\udcff"
