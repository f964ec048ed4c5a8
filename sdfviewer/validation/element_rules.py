"""Roots, versions, element tables."""

from __future__ import annotations

from sdfviewer.diagnostics import Message, Severity, rule


@rule("no-root", 110, severity=Severity.WARNING)
def no_root(tag: str) -> str:
    """A file without a model, world, light or actor.

    libsdformat accepts it, but not where it is included.

    Bad: ``<sdf version="1.9"/>``

    Use instead: ``<sdf version="1.9"><model name="m"><link name="base"/></model></sdf>``

    Source: libsdformat, ``Root::Load``
    """
    return Message(f"<{tag}> has no model, world, light or actor", "add one")


@rule("not-sdformat", 111, libsdformat="PARSING_ERROR")
def not_sdformat(tag: str, hint: str) -> str:
    """A file whose first element is neither ``<sdf>`` (``<gazebo>`` in old files) nor a URDF ``<robot>``.

    Bad: ``<launch>...</launch>``

    Use instead: ``<sdf version="1.9">...</sdf>``

    Source: libsdformat, ``readFileInternal``
    """
    return (
        Message(f"the first element is <{tag}>", "an SDFormat file starts with <sdf>, a URDF file with <robot>") + hint
    )


@rule("version-missing", 112, libsdformat="ATTRIBUTE_MISSING")
def version_missing() -> str:
    """An ``<sdf>`` element without a version.

    Bad: ``<sdf>``

    Use instead: ``<sdf version="1.9">``

    Source: libsdformat, ``readDoc``
    """
    return Message("<sdf> has no version", "add version='1.12', or the version that the file was written for")


@rule("version-unsupported", 113, libsdformat="CONVERSION_ERROR")
def version_unsupported(version: str) -> str:
    """A version of SDFormat that does not exist, is older than 1.2, or is newer than this program knows.

    The file is read as the newest version that is known; one of version 1.0 as that, which libsdformat cannot convert.

    Bad: ``<sdf version="2.0">``

    Use instead: one of 1.2 to 1.12.

    Source: https://sdformat.org/spec
    """
    if version.strip() == "1.0":
        return Message("libsdformat reads no SDFormat 1.0", "write a version from 1.2 on")
    return Message(f"SDFormat has no version '{version}'", "known are 1.2 to 1.12")


@rule("several-roots", 114, libsdformat="ELEMENT_INCORRECT_TYPE")
def several_roots(tag: str) -> str:
    """More than one model, light or actor at the top of a file.

    Only the first is read. A file may have several worlds with different names; the first is shown.

    Bad: ``<sdf version="1.9"><model name="a">...</model><model name="b">...</model></sdf>``

    Use instead: a world around them, or a file for each.

    Source: libsdformat, ``Root::Load``
    """
    return Message(
        "a file has one model, light or actor at its top", f"this <{tag}> is ignored: put both into a <world>"
    )


@rule("gazebo-root", 115, libsdformat="PARSING_ERROR")
def gazebo_root() -> str:
    """A file of SDFormat 1.0 to 1.2, whose first element was ``<gazebo>``.

    libsdformat no longer reads such files. Everything that still has the same meaning is shown.

    Bad: ``<gazebo version="1.2">``

    Use instead: ``<sdf version="1.3">``, the next version, which changed little else.

    Source: libsdformat, ``readFileInternal``
    """
    return Message(
        "<gazebo> is the first element of SDFormat 1.2 or older, which libsdformat no longer reads", "write <sdf>"
    )


@rule("unknown-element", 120, severity=Severity.WARNING)
def unknown_element(tag: str, parent: str, version: str, hint: str) -> str:
    """An element that the specification does not know in this place.

    It is kept and ignored. Elements with a namespace prefix (``drake:``, ``gz:``) are never reported, nor is
    ``<gz_frame_id>`` in a sensor, which Gazebo reads.

    Bad: ``<link name="a"><gravty>0</gravty></link>``

    Use instead: ``<gravity>``, or ``<my:gravty xmlns:my="...">`` for an element of your own.

    Source: element tables of the specification, https://sdformat.org/spec
    """
    return Message(f"<{tag}> is not an element of <{parent}> in SDFormat {version}", "it is ignored") + hint


@rule("unknown-attribute", 121, severity=Severity.WARNING)
def unknown_attribute(name: str, tag: str, version: str, hint: str) -> str:
    """An attribute that the specification does not know on this element. It is kept and ignored.

    Bad: ``<pose relativ_to="base">``

    Use instead: ``<pose relative_to="base">``

    Source: element tables of the specification, https://sdformat.org/spec
    """
    return Message(f"'{name}' is not an attribute of <{tag}> in SDFormat {version}", "it is ignored") + hint


@rule("missing-element", 122, libsdformat="ELEMENT_MISSING")
def missing_element(tag: str, parent: str) -> str:
    """A required element that is missing.

    Bad: ``<joint name="j" type="fixed"><parent>a</parent></joint>``

    Use instead: ``<joint name="j" type="fixed"><parent>a</parent><child>b</child></joint>``

    Source: element tables of the specification, https://sdformat.org/spec
    """
    return Message(f"<{parent}> needs a <{tag}>", "add it")


@rule("missing-attribute", 123, libsdformat="ATTRIBUTE_MISSING")
def missing_attribute(name: str, tag: str) -> str:
    """A required attribute that is missing.

    libsdformat reads no further where the attribute is the name of a world or of a link of it, and adds
    ELEMENT_INVALID and FILE_READ for the world that did not load. Here the rest is read, and the cause is one problem.

    Bad: ``<link/>``

    Use instead: ``<link name="base"/>``

    Source: element tables of the specification, https://sdformat.org/spec
    """
    return Message(f"<{tag}> needs the attribute '{name}'", "add it")


@rule("repeated-element", 124, severity=Severity.WARNING)
def repeated_element(tag: str, parent: str) -> str:
    """An element that may occur only once but is repeated. The first one is used.

    Bad: ``<link name="a"><pose>1 0 0 0 0 0</pose><pose>0 0 0 0 0 0</pose></link>``

    Use instead: one ``<pose>``.

    Source: element tables of the specification, https://sdformat.org/spec
    """
    return Message(f"<{parent}> has more than one <{tag}>", "only the first counts: remove this one")


@rule("bad-value", 125, libsdformat="ELEMENT_INVALID")
def bad_value(tag: str, why: str) -> str:
    """An element whose text is not of the type that the specification requires.

    Bad: ``<mass>heavy</mass>``, ``<pose>0 0 1</pose>``

    Use instead: ``<mass>1.5</mass>``, ``<pose>0 0 1 0 0 0</pose>``

    Source: element tables of the specification; libsdformat, ``Param::SetFromString``
    """
    return f"<{tag}>: " + why


@rule("bad-attribute-value", 126, libsdformat="ATTRIBUTE_INVALID")
def bad_attribute_value(name: str, tag: str, why: str) -> str:
    """An attribute whose value is not of the type that the specification requires.

    Bad: ``<pose degrees="yes">``

    Use instead: ``<pose degrees="true">``

    Source: element tables of the specification; libsdformat, ``Param::SetFromString``
    """
    return f"attribute '{name}' of <{tag}>: " + why


@rule("deprecated", 127, severity=Severity.WARNING)
def deprecated(what: str, instead: str = "") -> str:
    """An element that the version of the file has deprecated. It is still read.

    An older version may have no other word for it, so nothing is said there.

    Bad: ``<camera><optical_frame_id>lens</optical_frame_id>``

    Use instead: what the message names, ``<sensor><frame_id>lens</frame_id>``.

    Source: element tables of the specification, https://sdformat.org/spec
    """
    return Message(f"{what} is deprecated and still read", instead or "the specification names no successor")


@rule("newer-element", 128, severity=Severity.WARNING)
def newer_element(tag: str, parent: str, since: str, version: str) -> str:
    """An element that the file's own version of SDFormat does not know yet.

    It is read as in the version that introduced it, as in libsdformat, which converts a file to the newest version
    first. Other programs may ignore it.

    Bad: ``<sdf version="1.4">`` with ``<model><frame name="tool"/></model>``

    Use instead: the version that knows it, ``<sdf version="1.7">``.

    Source: element tables of the specification, https://sdformat.org/spec
    """
    return Message(
        f"<{tag}> in <{parent}> came with SDFormat {since}, and this file says {version}", "raise its version"
    )


@rule("removed", 129, severity=Severity.WARNING)
def removed(what: str, since: str, effect: str, instead: str = "", became: str = "") -> str:
    """An element or attribute that an earlier version of SDFormat had and the version of the file does not.

    It is ignored: the file means what it would mean without it.

    Bad: ``<sdf version="1.7">`` with ``<axis><use_parent_model_frame>true</use_parent_model_frame>``, or with
    ``<pose frame="base">``

    Use instead: ``<xyz expressed_in="__model__">``, ``<pose relative_to="base">``

    Source: libsdformat, the conversion tables ``sdf/1.7/1_6.convert`` and others
    """
    happened = f"became '{became}'" if became else "was removed"
    return Message(f"{what} {happened} in SDFormat {since}", f"{effect}. {instead}" if instead else effect)


@rule("newer-attribute", 130, severity=Severity.WARNING)
def newer_attribute(name: str, tag: str, since: str, version: str) -> str:
    """An attribute that the file's own version of SDFormat does not know yet.

    It is read as in the version that introduced it, as in libsdformat. Other programs may ignore it.

    Bad: ``<sdf version="1.6">`` with ``<pose relative_to="base">``

    Use instead: the version that knows it, ``<sdf version="1.7">``.

    Source: element tables of the specification, https://sdformat.org/spec
    """
    return Message(f"'{name}' of <{tag}> came with SDFormat {since}, and this file says {version}", "raise its version")


@rule("newer-reference", 131, severity=Severity.WARNING)
def newer_reference(what: str, since: str, version: str) -> str:
    """A reference that only later versions of SDFormat allow: ``__model__``, ``a::b``, a frame at an end of a joint.

    It is read as in the version that introduced it, as in libsdformat. Other programs may not find what it names.

    Bad: ``<sdf version="1.7">`` with ``<joint ...><parent>tool_frame</parent>``

    Use instead: the version that allows it, ``<sdf version="1.8">``; or the name of a link.

    Source: model composition proposal, "1.2.2 //joint/parent and //joint/child refer to frames, not just links" and
    "1.3.3 Model Frame References"
    """
    return Message(f"{what} came with SDFormat {since}, and this file says {version}", "raise its version")


@rule("misplaced", 132, severity=Severity.WARNING)
def misplaced(what: str) -> str:
    """An element of SDFormat in a place where it has no meaning.

    Bad: ``<world name="w"><link name="base"/></world>``

    Use instead: ``<world name="w"><model name="m"><link name="base"/></model></world>``

    Source: element tables of the specification, https://sdformat.org/spec
    """
    return what
