"""Names."""

from __future__ import annotations

from sdfviewer.diagnostics import Message, Severity, rule


@rule("empty-name", 201, libsdformat="ATTRIBUTE_INVALID")
def empty_name(tag: str) -> str:
    """An empty name.

    Nothing can refer to an element without a name.

    Bad: ``<frame name=""/>``

    Use instead: ``<frame name="tool"/>``

    Source: pose frame semantics proposal, "The //model/frame[@name] attribute"
    """
    return Message(f"this <{tag}> has an empty name", "give it one that no sibling has")


@rule("reserved-name", 202, libsdformat="RESERVED_NAME")
def reserved_name(tag: str, name: str) -> str:
    """A reserved name: ``world``, or a name with two underscores at both ends.

    ``world`` means the fixed world frame where a joint names its parent. Names such as ``__model__`` are for frames
    that exist without being written.

    The document on the legacy behavior allows a link called ``world`` and advises against it. libsdformat has refused
    such names since version 9, whatever the version of the file: rename the element.

    Bad: ``<link name="world"/>``

    Use instead: ``<link name="world_link"/>``

    Source: pose frame semantics proposal, "Element naming rule: reserved names"
    """
    return Message(f"'{name}' is a reserved name", f"give this <{tag}> another")


@rule("separator-in-name", 203, libsdformat="RESERVED_NAME")
def separator_in_name(tag: str, name: str) -> str:
    """A name with ``::``, which since SDFormat 1.8 separates a nested model from what is in it.

    Bad: ``<link name="gripper::finger"/>``

    Use instead: ``<model name="gripper"><link name="finger"/></model>``, or ``gripper_finger``.

    Source: model composition proposal, "1.3.1 Reserved Delimiter Token ::"
    """
    return f"'{name}' may not be the name of a <{tag}>: '::' separates a nested model from what is in it"


@rule("duplicate-name", 204, libsdformat="DUPLICATE_NAME")
def duplicate_name(tag: str, name: str, other_tag: str, can_be_named: bool = False, merged: str = "") -> str:
    """Two siblings with the same name.

    Links, joints, frames and nested models are frames that others refer to by name, so a name that two of them share
    is ambiguous. libsdformat often reports such a clash as a graph cycle or as a missing frame.

    What ``<include merge="true">`` merges gets no prefix: two models with equal names in them cannot both be merged.

    Bad: ``<link name="base"/> <frame name="base"/>``

    Use instead: ``<link name="base"/> <frame name="base_frame"/>``

    Source: pose frame semantics proposal, "Element naming rule: unique names for all sibling elements"
    """
    if can_be_named:
        return Message(f"two includes are called '{name}'", "give one a <name>")
    if merged == "both":
        both = f"both have a <{tag}>" if tag == other_tag else f"have a <{other_tag}> and a <{tag}>"
        return Message(
            f"two models that are merged here {both} called '{name}', and what is merged gets no prefix",
            "rename one, or include one without merge",
        )
    if merged:
        return Message(
            f"a <{other_tag}> and a <{tag}> are both called '{name}', one of them in the model that is merged, which "
            "gets no prefix",
            "rename one",
        )
    if tag == other_tag:
        return Message(f"two <{tag}> elements are called '{name}'", "rename one")
    return Message(
        f"a <{other_tag}> and a <{tag}> are both called '{name}'", "rename one: names of siblings must differ"
    )


@rule("renamed-clash", 205, libsdformat="PARSING_ERROR")
def renamed_clash(tag: str, name: str, renamed: str, version: str) -> str:
    """Siblings of different types with the same name in a file older than SDFormat 1.7.

    The document on the legacy behavior allows it. Such a file loads: the later element is read with a suffix to its
    name, as in libsdformat. Since libsdformat 9 the check (``gz sdf --check``) refuses the file whatever its version:
    rename one of the two.

    Bad: ``<sdf version="1.6">`` with ``<link name="arm"/> <joint name="arm" .../>``

    Use instead: names that differ; then the version can be raised.

    Source: libsdformat, ``Model::Load`` and ``recursiveSiblingUniqueNames``; pose frame semantics, legacy behavior,
    "Phases of parsing kinematics of an SDFormat 1.4 model", phase 2
    """
    return Message(
        f"a sibling is called '{name}' too, which SDFormat {version} allows and newer versions do not",
        f"this <{tag}> is read as '{renamed}': rename one",
    )


@rule("shared-name", 206, libsdformat="PARSING_ERROR")
def shared_name(tag: str, name: str, other_tag: str) -> str:
    """A visual and a collision, or other siblings of different types that are not frames, with the same name.

    The document on the legacy behavior asks only for names that differ among siblings of one type. Nothing refers to
    these elements by name, so the file means the same; but since libsdformat 9 the check (``gz sdf --check``) refuses
    it whatever its version: rename one of the two.

    Bad: ``<link name="a"><visual name="box">...</visual><collision name="box">...</collision></link>``

    Use instead: ``<visual name="box_visual">...</visual><collision name="box_collision">...</collision>``

    Source: libsdformat, ``recursiveSiblingUniqueNames``; pose frame semantics proposal, "Phases of parsing kinematics
    of an sdf 1.7 model", phase 2
    """
    return Message(
        f"a <{other_tag}> and a <{tag}> are both called '{name}'", "rename one: names of siblings must differ"
    )


@rule("name-not-portable", 207, severity=Severity.WARNING)
def name_not_portable(tag: str, name: str, since: str) -> str:
    """A name that the version of the file allows and a later version does not.

    Reported by ``check --portable-names``. Names that clash with those of siblings of another type, and reserved names,
    are reported in files of every version.

    Bad: ``<sdf version="1.7">`` with ``<link name="gripper::finger"/>``

    Use instead: ``<link name="gripper_finger"/>``, or a nested model.

    Source: model composition proposal, "1.3.1 Reserved Delimiter Token ::"
    """
    return Message(
        f"'{name}' may not be the name of a <{tag}> since SDFormat {since}", "rename it before raising the version"
    )


@rule("name-not-found", 209, severity=Severity.WARNING)
def name_not_found(where: str, what: str, name: str, hint: str) -> str:
    """A name in an extension, a transmission, a gearbox, a gripper, a contact sensor or a plugin that nothing has.

    No program refuses the file: what is written there has no effect. A ``<gazebo>`` with an unknown ``reference`` sets
    nothing, a controller does not find its joint, a gearbox holds nothing together.

    Of plugins those parameters are checked that are known to name a link or a joint of the model that the plugin is in:
    those of the systems of Gazebo and of the plugins of Gazebo Classic and gazebo_ros. Names with ``::`` in them may be
    those of other models and are not checked, nor is anything where an included model is missing.

    Names of collisions that libsdformat makes when it merges links, ``base_fixed_joint_lump__tool_collision``, are not
    checked.

    Bad: ``<gazebo reference="Chassis"> ... </gazebo>`` where the link is called ``chassis``.

    Use instead: ``<gazebo reference="chassis"> ... </gazebo>``

    Source: libsdformat, ``InsertSDFExtensionLink`` and ``InsertSDFExtensionJoint`` in src/parser_urdf.cc, which do
    nothing where there is no such name; gz-sim, ``Configure`` of the systems in src/systems
    """
    return f"{where} names '{name}', but there is no {what} of that name" + hint


@rule("private-name", 208, severity=Severity.WARNING)
def private_name(name: str, model: str) -> str:
    """A name that begins with an underscore, used from outside of its model.

    The frames, links and joints of a model are its interface. An underscore marks those that are not meant for others,
    as in Python: they may change.

    Bad: ``<pose relative_to="arm::_helper"/>``

    Use instead: a frame of ``arm`` that is meant for others.

    Source: model composition proposal, "1.2.3 Frame, Link, and Joint Naming Suggestion"
    """
    return Message(f"'{name}' of model '{model}' is private", "refer to a frame that is meant for others")
