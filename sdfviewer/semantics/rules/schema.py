"""Phase 1: roots, versions, element tables."""

from __future__ import annotations

from sdfviewer.diagnostics import Severity, rule


@rule("no-root", 110, severity=Severity.WARNING)
def no_root(tag: str) -> str:
    """A file without a model, world, light or actor.

    There is nothing in it to look at; libsdformat accepts it, but not where it is included.

    Bad: ``<sdf version="1.9"/>``

    Use instead: ``<sdf version="1.9"><model name="m"><link name="base"/></model></sdf>``

    Source: libsdformat, ``Root::Load``
    """
    return f"<{tag}> holds no model, world, light or actor"


@rule("not-sdformat", 111, libsdformat="PARSING_ERROR")
def not_sdformat(tag: str, hint: str) -> str:
    """A file whose first element is neither ``<sdf>`` (``<gazebo>`` in old files) nor a URDF ``<robot>``.

    Bad: ``<launch>...</launch>``

    Use instead: ``<sdf version="1.9">...</sdf>``

    Source: libsdformat, ``readFileInternal``
    """
    return f"the first element is <{tag}>; an SDFormat file starts with <sdf>, a URDF with <robot>{hint}"


@rule("version-missing", 112, libsdformat="ATTRIBUTE_MISSING")
def version_missing() -> str:
    """An ``<sdf>`` element without a version.

    Bad: ``<sdf>``

    Use instead: ``<sdf version="1.9">``

    Source: libsdformat, ``readDoc``
    """
    return "<sdf> needs the attribute 'version'"


@rule("version-unsupported", 113, libsdformat="CONVERSION_ERROR")
def version_unsupported(version: str) -> str:
    """A version of SDFormat that does not exist or is newer than this program knows.

    The file is read as the newest version that is known.

    Bad: ``<sdf version="2.0">``

    Use instead: one of 1.0, 1.2 to 1.12.

    Source: https://sdformat.org/spec
    """
    return f"SDFormat has no version '{version}'; known are 1.0 and 1.2 to 1.12"


@rule("several-roots", 114, libsdformat="ELEMENT_INCORRECT_TYPE")
def several_roots(tag: str) -> str:
    """More than one model, light or actor at the top of a file.

    Only the first is read. A file may hold several worlds, of different names; the first is shown.

    Bad: ``<sdf version="1.9"><model name="a">...</model><model name="b">...</model></sdf>``

    Use instead: a world around them, or a file for each.

    Source: libsdformat, ``Root::Load``
    """
    return f"a file holds one model, light or actor at its top; this <{tag}> is not read"


@rule("gazebo-root", 115, libsdformat="PARSING_ERROR")
def gazebo_root() -> str:
    """A file of SDFormat 1.0 to 1.2, whose first element was called ``<gazebo>``.

    libsdformat gave up reading such files. Here what means the same today is shown.

    Bad: ``<gazebo version="1.2">``

    Use instead: ``<sdf version="1.3">``, the next version, which changed little else.

    Source: libsdformat, ``readFileInternal``
    """
    return "a file that starts with <gazebo> is of SDFormat 1.2 or older, which libsdformat no longer reads; use <sdf>"


@rule("unknown-element", 120, severity=Severity.WARNING)
def unknown_element(tag: str, parent: str, version: str, hint: str) -> str:
    """An element that the specification does not know at this place.

    It is kept and ignored. Elements with a namespace prefix of their own (``drake:``, ``gz:``) never give a warning.

    Bad: ``<link name="a"><gravty>0</gravty></link>``

    Use instead: ``<gravity>``, or ``<my:gravty xmlns:my="...">`` for an element of your own.

    Source: element tables of the specification, https://sdformat.org/spec
    """
    return f"<{tag}> is not known inside <{parent}> in SDFormat {version}{hint}"


@rule("unknown-attribute", 121, severity=Severity.WARNING)
def unknown_attribute(name: str, tag: str, version: str, hint: str) -> str:
    """An attribute that the specification does not know at this element. It is kept and ignored.

    Bad: ``<pose relativ_to="base">``

    Use instead: ``<pose relative_to="base">``

    Source: element tables of the specification, https://sdformat.org/spec
    """
    return f"<{tag}> has no attribute '{name}' in SDFormat {version}{hint}"


@rule("missing-element", 122, libsdformat="ELEMENT_MISSING")
def missing_element(tag: str, parent: str) -> str:
    """A required element is not there.

    Bad: ``<joint name="j" type="fixed"><parent>a</parent></joint>``

    Use instead: ``<joint name="j" type="fixed"><parent>a</parent><child>b</child></joint>``

    Source: element tables of the specification, https://sdformat.org/spec
    """
    return f"<{parent}> needs an element <{tag}>"


@rule("missing-attribute", 123, libsdformat="ATTRIBUTE_MISSING")
def missing_attribute(name: str, tag: str) -> str:
    """A required attribute is not there.

    Bad: ``<link/>``

    Use instead: ``<link name="base"/>``

    Source: element tables of the specification, https://sdformat.org/spec
    """
    return f"<{tag}> needs the attribute '{name}'"


@rule("repeated-element", 124, severity=Severity.WARNING)
def repeated_element(tag: str, parent: str) -> str:
    """An element that may stand only once stands again; the first one counts.

    Bad: ``<link name="a"><pose>1 0 0 0 0 0</pose><pose>0 0 0 0 0 0</pose></link>``

    Use instead: one ``<pose>``.

    Source: element tables of the specification, https://sdformat.org/spec
    """
    return f"<{parent}> holds more than one <{tag}>; only the first counts"


@rule("bad-value", 125, libsdformat="ELEMENT_INVALID")
def bad_value(tag: str, why: str) -> str:
    """The text of an element is not of the type that the specification asks for.

    Bad: ``<mass>heavy</mass>``, ``<pose>0 0 1</pose>``

    Use instead: ``<mass>1.5</mass>``, ``<pose>0 0 1 0 0 0</pose>``

    Source: element tables of the specification; libsdformat, ``Param::SetFromString``
    """
    return f"<{tag}>: {why}"


@rule("bad-attribute-value", 126, libsdformat="ATTRIBUTE_INVALID")
def bad_attribute_value(name: str, tag: str, why: str) -> str:
    """The value of an attribute is not of the type that the specification asks for.

    Bad: ``<pose degrees="yes">``

    Use instead: ``<pose degrees="true">``

    Source: element tables of the specification; libsdformat, ``Param::SetFromString``
    """
    return f"attribute '{name}' of <{tag}>: {why}"


@rule("deprecated", 127, severity=Severity.WARNING)
def deprecated(what: str) -> str:
    """An element or attribute that the specification has given up. It is still read.

    Bad: ``<joint><physics><ode><provide_feedback>...``

    Use instead: what the specification names as its successor.

    Source: element tables of the specification, https://sdformat.org/spec
    """
    return f"{what} is deprecated"


@rule("newer-element", 128, severity=Severity.WARNING)
def newer_element(tag: str, parent: str, version: str) -> str:
    """An element that the file's own version of SDFormat does not know yet.

    It is read as newer versions read it, and as libsdformat does, which converts files to the newest version before
    it looks at them. Other programs may ignore it.

    Bad: ``<sdf version="1.4">`` with ``<model><frame name="tool"/></model>``

    Use instead: the version that knows it, ``<sdf version="1.7">``.

    Source: element tables of the specification, https://sdformat.org/spec
    """
    return f"<{tag}> inside <{parent}> is newer than SDFormat {version}; it is read as in newer versions"
