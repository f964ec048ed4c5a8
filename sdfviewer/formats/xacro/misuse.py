"""What a xacro file that cannot be evaluated, or does less than it seems to, may have meant.

The package ``xacro`` reports the consequence: a prefix that is not bound, a name that is not defined, a file that is
not found. The cause is often one of a few words, which are explained here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial

from sdfviewer.diagnostics import Message
from sdfviewer.document.document import Document
from sdfviewer.document.edits import Replacements, set_attribute, set_tag
from sdfviewer.document.element import Element
from sdfviewer.model.findings import ElementPart, Finding, Source
from sdfviewer.validation.format_rules import xacro_failed, xacro_warning

NAMESPACE = "http://www.ros.org/wiki/xacro"
"""The namespace of xacro, which a file binds to the prefix ``xacro``."""

#: Elements that xacro read without a prefix before ROS Jade, with the attribute by which they are known.
_ONCE_WITHOUT_PREFIX = {"property": "value", "macro": "params", "include": "filename"}
_INSIDE_MACROS = frozenset({"if", "unless", "insert_block"})
#: A substitution in the braces of an expression: ``${find package}``.
_IN_BRACES = re.compile(r"\$\{\s*(find|arg|env|optenv)\s([^{}]*)\}")


def explain_failure(failed: Finding, sources: Sequence[Document], *, unbound_prefix: bool) -> Finding:
    """Return a failure with what was probably meant, where that is one of a few mistakes.

    Parameters
    ----------
    failed
        What xacro says, at the element where it stopped.
    sources
        The files that it has read, in their order.
    unbound_prefix
        Whether it has stopped since the last of them uses a prefix that it does not declare.
    """
    location = failed.location
    element = location.element
    if unbound_prefix and sources:
        document = sources[-1]
        return _without_namespace(failed, document, location.source if document is sources[0] else document)
    uri = element.attributes.get("filename", "") if element.tag == "xacro:include" else ""
    scheme, separator, rest = uri.partition("://")
    if separator and scheme in ("package", "model"):
        package, _, path = rest.partition("/")
        instead = f"$(find {package})/{path}"
        fix = (f"write {instead}", partial(_with_value, element, "filename", instead))
        message = failed.message + Message("", f"xacro includes files by their paths, not by URIs: write {instead}")
        return replace(failed, message=message, fixes=(fix,), location=replace(location, part="@filename"))
    for name, value in element.attributes.items():
        if found := _IN_BRACES.search(value):
            instead = f"$({found[1]} {found[2].strip()})"
            corrected = value[: found.start()] + instead + value[found.end() :]
            fix = (f"write {instead}", partial(_with_value, element, name, corrected))
            message = failed.message + Message("", f"{found[1]} is not part of an expression: write {instead}")
            return replace(failed, message=message, fixes=(fix,), location=replace(location, part=f"@{name}"))
    if unprefixed := next((each for source in sources for each in _unprefixed(source)), None):
        why = f"xacro reads <xacro:{unprefixed.tag}>, and here it is <{unprefixed.tag}>"
        message = failed.message + Message("", why)
        return replace(failed, message=message, fixes=(_PREFIX_ALL,))
    return failed


def find_unprefixed(sources: Sequence[Document], source: Source) -> Iterator[Finding]:
    """Yield what xacro once read without its prefix and copies today; ``source`` is that of the first file."""
    for number, document in enumerate(sources):
        for element in _unprefixed(document):
            message = xacro_warning.format(f"<{element.tag}> is copied as it is: write <xacro:{element.tag}>")
            location = ElementPart(document if number else source, element)
            yield Finding(xacro_warning, location, message, fixes=(_PREFIX_ALL,))


def _unprefixed(document: Document) -> Iterator[Element]:
    for element in () if document.root is None else document.root.children:
        if _ONCE_WITHOUT_PREFIX.get(element.tag, "") in element.attributes:
            yield element


def _prefixed(document: Document) -> Replacements:
    """Return the edit that gives all of them their prefix, and what calls the macros too."""
    root = document.root
    assert root is not None
    elements = list(_unprefixed(document))
    macros = {element.attributes.get("name", "") for element in elements if element.tag == "macro"}
    calls = [each for each in root.descendants() if each.tag in macros or each.tag in _INSIDE_MACROS]
    edits = [edit for each in (*elements, *calls) for edit in set_tag(document, each, f"xacro:{each.tag}")]
    if "xmlns:xacro" not in root.attributes:
        edits += set_attribute(document, root, "xmlns:xacro", NAMESPACE)
    return tuple(edits)


_PREFIX_ALL = ("write the prefix xacro: of all that is xacro's", _prefixed)


def _without_namespace(failed: Finding, document: Document, source: Source) -> Finding:
    """Return the failure of a file that uses a prefix without saying what it is."""
    root = document.root
    if root is None:
        return failed
    for element in root.descendants():
        prefix, separator, _ = element.tag.partition(":")
        if separator and f"xmlns:{prefix}" not in root.attributes:
            message = xacro_failed.format(Message(f"the prefix of <{element.tag}> is not declared"))
            if prefix != "xacro":
                return replace(failed, location=ElementPart(source, element), message=message)
            declared = f'xmlns:xacro="{NAMESPACE}"'
            message += f": write <{root.tag} {declared}>"
            fix = (f"write {declared}", partial(_with_value, root, "xmlns:xacro", NAMESPACE))
            return replace(failed, location=ElementPart(source, element), message=message, fixes=(fix,))
    return failed


def _with_value(element: Element, name: str, value: str, document: Document) -> Replacements:
    return set_attribute(document, element, name, value)
