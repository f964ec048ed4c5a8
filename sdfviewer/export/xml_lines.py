"""Format XML as indented lines."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from sdfviewer.document.xml.parse import escape


def element(tag: str, attributes: Mapping[str, str] | None = None, content: Iterable[str] | str = ()) -> list[str]:
    """Return the lines of an element.

    Parameters
    ----------
    tag, attributes
        Of its start tag; values are escaped.
    content
        Lines of the elements in it, or its text, which is escaped.
    """
    start = "".join([f"<{tag}", *(f' {name}="{escape(value, chr(34))}"' for name, value in (attributes or {}).items())])
    if isinstance(content, str):
        return [f"{start}>{escape(content)}</{tag}>"] if content else [f"{start}/>"]
    inner = [f"  {line}" if line else line for line in content]
    return [f"{start}>", *inner, f"</{tag}>"] if inner else [f"{start}/>"]
