"""Format XML as indented lines."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from sdfviewer.display_text import visible
from sdfviewer.document.xml.parse import escape
from sdfviewer.model.model import Model

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


def declared_prefixes(model: Model, lines: Sequence[str]) -> dict[str, str]:
    """Return the attributes ``xmlns:…`` that the files of a model hold, of those prefixes that lines use.

    Readers of strict XML refuse an element or attribute with a prefix that nothing declares. Of several declarations of
    a prefix the first counts.
    """
    declared: dict[str, str] = {}
    for document in {id(each): each for each in map(model.document_of, range(len(model)))}.values():
        for each in document.root.descendants() if document.root is not None else ():
            for name, uri in each.attributes.items():
                if name.startswith("xmlns:"):
                    declared.setdefault(name, uri)
    if not declared:
        return {}
    text = "\n".join(lines)
    return {name: uri for name, uri in declared.items() if re.search(rf"[<\s]{re.escape(name[6:])}:", text)}
