"""Phase 2: names."""

from __future__ import annotations

from sdfviewer.diagnostics import rule


@rule("empty-name", 201, libsdformat="ATTRIBUTE_INVALID")
def empty_name(tag: str) -> str:
    """A name that is empty.

    An element without a name cannot be referred to, and two of them cannot be told apart.

    Bad: ``<frame name=""/>``

    Use instead: ``<frame name="tool"/>``

    Source: pose frame semantics proposal, "The //model/frame[@name] attribute"
    """
    return f"the name of this <{tag}> is empty; give it one that no sibling has"


@rule("reserved-name", 202, libsdformat="RESERVED_NAME")
def reserved_name(tag: str, name: str) -> str:
    """A name that SDFormat keeps for itself: ``world``, and names with two underscores at both ends.

    ``world`` means the fixed world frame wherever a joint names its parent; names such as ``__model__`` are reserved
    for the frames that are there without being written.

    Bad: ``<link name="world"/>``

    Use instead: ``<link name="world_link"/>``

    Source: pose frame semantics proposal, "Element naming rule: reserved names"
    """
    return f"<{tag}> must not be called '{name}': the name is reserved"


@rule("separator-in-name", 203, libsdformat="RESERVED_NAME")
def separator_in_name(tag: str, name: str) -> str:
    """A name that holds ``::``, which separates the names of nested models since SDFormat 1.8.

    Bad: ``<link name="gripper::finger"/>``

    Use instead: ``<model name="gripper"><link name="finger"/></model>``, or ``gripper_finger``.

    Source: model composition proposal, "1.2 Reference syntax"
    """
    return f"<{tag}> must not be called '{name}': '::' separates the names of nested models"


@rule("duplicate-name", 204, libsdformat="DUPLICATE_NAME")
def duplicate_name(tag: str, name: str, other_tag: str) -> str:
    """Two siblings with the same name, of whatever type.

    Links, joints, frames and nested models are all frames that others refer to by name, so a name that two of them
    share is ambiguous. libsdformat often reports such a clash as a graph cycle or as a missing frame.

    Bad: ``<link name="base"/> <frame name="base"/>``

    Use instead: ``<link name="base"/> <frame name="base_frame"/>``

    Source: pose frame semantics proposal, "Element naming rule: unique names for all sibling elements"
    """
    same = "another" if tag == other_tag else f"a <{other_tag}>"
    return f"the name '{name}' of this <{tag}> is taken by {same}; sibling names must differ, whatever their type"


@rule("renamed-clash", 205, libsdformat="PARSING_ERROR")
def renamed_clash(tag: str, name: str, renamed: str, version: str) -> str:
    """Siblings of different types with the same name in a file older than SDFormat 1.7.

    Such a file loads: the later one is renamed by a suffix, here as in libsdformat. It is not valid all the same: the
    old rules allow it, but libsdformat's check (``gz sdf --check``) asks for names that differ in files of any version.

    Bad: ``<sdf version="1.6">`` with ``<link name="arm"/> <joint name="arm" .../>``

    Use instead: names that differ; then the version can be raised.

    Source: libsdformat, ``Model::Load`` and ``recursiveSiblingUniqueNames``; pose frame semantics, legacy behavior,
    "Element naming rules in SDFormat 1.4"
    """
    return (
        f"the name '{name}' is taken by a sibling, which SDFormat {version} allowed and newer versions do not; "
        f"this <{tag}> is read as '{renamed}'"
    )


@rule("shared-name", 206, libsdformat="PARSING_ERROR")
def shared_name(tag: str, name: str, other_tag: str) -> str:
    """Two things on one link, or in one element of any kind, with the same name though they are of different types.

    Nothing can refer to them by name, so no answer changes; but libsdformat's check (``gz sdf --check``) asks for
    names that differ among all siblings but plugins.

    Bad: ``<link name="a"><visual name="box">...</visual><collision name="box">...</collision></link>``

    Use instead: ``<visual name="box_visual">...</visual><collision name="box_collision">...</collision>``

    Source: libsdformat, ``recursiveSiblingUniqueNames``; pose frame semantics proposal, phase 2
    """
    return f"the name '{name}' of this <{tag}> is taken by a <{other_tag}> beside it; sibling names must differ"
