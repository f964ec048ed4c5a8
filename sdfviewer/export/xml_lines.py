"""Format XML as indented lines."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from sdfviewer.display_text import visible
from sdfviewer.document.xml.parse import escape

_NOT_IN_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")


def writable(text: str) -> str:
    """Return a text with an escape (``\\x1b``) for each character that XML cannot hold; a file may contain some."""
    return _NOT_IN_XML.sub(lambda match: visible(match[0]), text)


def element(tag: str, attributes: Mapping[str, str] | None = None, content: Iterable[str] | str = ()) -> list[str]:
    """Return the lines of an element.

    Parameters
    ----------
    tag, attributes
        Of its start tag; values are escaped.
    content
        Lines of the elements in it, or its text, which is escaped.
    """
    written = (f' {name}="{escape(writable(value), chr(34))}"' for name, value in (attributes or {}).items())
    start = "".join([f"<{tag}", *written])
    if isinstance(content, str):
        return [f"{start}>{escape(writable(content))}</{tag}>"] if content else [f"{start}/>"]
    inner = [f"  {line}" if line else line for line in content]
    return [f"{start}>", *inner, f"</{tag}>"] if inner else [f"{start}/>"]
