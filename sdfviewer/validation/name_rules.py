"""Names: the rules, the index of names in a scope, and reserved names."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import repeat

from sdfviewer.diagnostics import Message, Rule, Severity, rule
from sdfviewer.document.element import Element
from sdfviewer.model.findings import ElementPart, Finding, Source
from sdfviewer.model.model import Model
from sdfviewer.model.names import is_merged_frame, is_reserved, merged_model
from sdfviewer.model.scope import Scope
from sdfviewer.versions import FRAME_SEMANTICS, SCOPED_REFERENCES, Version, format_version


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


class NameRegister:
    """Gives out the names of one scope's members, in document order, and reports those that cannot be given."""

    def __init__(self, scope: Scope, source: Source, version: Version) -> None:
        self._scope = scope
        self._source = source
        self._version = version
        self._holders: dict[str, tuple[Element, str]] = {}
        self._merged: dict[str, ElementPart] = {}  # where what a merged model brings is written, by its name
        self._rows: dict[str, int] = {}
        self._numbers: dict[str, int] = {}  # the next number to try behind a name that is taken

    def claim_merged(self, include: Element, included: Scope, frame: str, row: int) -> None:
        """Give out the names of what a merged model brings.

        Parameters
        ----------
        include
            Where the model is merged.
        included
            Its scope.
        frame
            The name of the frame that represents it.
        row
            The row that this frame gets.
        """
        self.claim(include, frame, "frame", row)
        for name, inner in included.members.items():
            written = ElementPart(included.sources[inner], included.elements[inner], "@name")
            if name in self._holders:
                self._clash(include, name, str(included.kinds[inner]), written)
            else:
                self.claim(include, name, str(included.kinds[inner]), row + inner)
                self._merged[name] = written

    def claim(self, element: Element, name: str, tag: str = "", row: int | None = None) -> str:
        """Return the name under which a member is known: its own, or a new one where an old file allows a clash.

        Parameters
        ----------
        element
            Where the name is written: the member, or the ``<include>`` that brings it.
        name
            The name it wants.
        tag
            What it is; the element's own tag by default.
        row
            The row that it gets; the next one by default.
        """
        tag = tag or element.tag
        if not name:
            if "name" in element.attributes:  # a missing attribute is the element tables' business
                self._report(empty_name, element, name, empty_name.format(tag))
            return name
        if name in self._holders:
            return self._clash(element, name, tag)
        self._holders[name] = element, tag
        self._rows[name] = len(self._scope) if row is None else row
        if is_reserved(name):
            self._report(reserved_name, element, name, reserved_name.format(tag, name))
        elif "::" in name and self._version >= SCOPED_REFERENCES:
            self._report(separator_in_name, element, name, separator_in_name.format(tag, name))
        return name

    def count_free(self, names: Sequence[str]) -> int:
        """Return how many names come before the first one that is taken."""
        if self._holders.keys().isdisjoint(names):
            return len(names)
        return next(number for number, name in enumerate(names) if name in self._holders)

    def claim_models(self, elements: Sequence[Element], names: Sequence[str], rows: Sequence[int]) -> None:
        """Give out the names of models, all of them free and allowed, to their elements and rows."""
        self._holders.update(zip(names, zip(elements, repeat("model")), strict=True))
        self._rows.update(zip(names, rows, strict=True))

    def note(self, element: Element, name: str) -> str:
        """Return the name of what is no frame, a light for example, and report it if a sibling has it already."""
        holder = self._holders.get(name)
        if holder is None:
            self._holders[name] = element, element.tag
        elif name:
            rule = duplicate_name if holder[1] == element.tag else shared_name
            self._report(rule, element, name, rule.format(element.tag, name, holder[1]), holder[0])
        return name

    def _clash(self, element: Element, name: str, tag: str, merged: ElementPart | None = None) -> str:
        """Report a name that is taken, and return it, or another where an old file allows a clash.

        ``merged`` is where it is written in a merged model; ``element`` is then the ``<include>`` that merges it.
        """
        holder, holder_tag = self._holders[name]
        if holder_tag not in ("model", "link", "joint", "frame"):
            self._report(shared_name, element, name, shared_name.format(tag, name, holder_tag), holder)
            return name
        if merged is not None or name in self._merged:
            both = merged is not None and name in self._merged
            message = duplicate_name.format(tag, name, holder_tag, merged="both" if both else "one")
            self._report(duplicate_name, element, name, message, holder, merged)
            return name
        if self._version >= FRAME_SEMANTICS or tag in (holder_tag, "model"):
            of_includes = element.tag == holder.tag == "include" and element is not holder
            tags = ("include", "include") if of_includes else (tag, holder_tag)
            can_be_named = of_includes and (element.find("name") is None or holder.find("name") is None)
            shown = merged_model(name) if of_includes and is_merged_frame(name) else name
            message = duplicate_name.format(tags[0], shown, tags[1], can_be_named)
            self._report(duplicate_name, element, name, message, holder)
            return name
        renamed = candidate = f"{name}_{tag}"
        number = self._numbers.get(candidate, 0)
        while renamed in self._holders:
            renamed = f"{candidate}{number}"
            number += 1
        self._numbers[candidate] = number
        self._holders[renamed] = element, tag
        message = renamed_clash.format(tag, name, renamed, format_version(self._version))
        self._report(renamed_clash, element, name, message, holder)
        return renamed

    def _report(
        self,
        rule: Rule,
        element: Element,
        name: str,
        message: str,
        holder: Element | None = None,
        merged: ElementPart | None = None,
    ) -> None:
        related: tuple[tuple[str, ElementPart], ...] = ()
        if holder is not None:
            related = (("the name is first used here", ElementPart(self._source, holder, "@name")),)
        if name in self._merged:
            related += (("it is in the model that is merged there", self._merged[name]),)
        if merged is not None:
            related += ((f"'{name}' of the model that is merged here", merged),)
        rows = (self._rows[name],) if name in self._rows else ()  # that of the first holder, which references mean
        location = ElementPart(self._source, element, "@name")
        self._scope.findings.append(Finding(rule, location, message, rows, related))


def check_portable_names(model: Model) -> Iterator[Finding]:
    """Yield names in the file that its own version allows and a later one does not; ``check --portable-names``."""
    if model.version >= SCOPED_REFERENCES:
        return
    seen: set[int] = set()
    for row, element in enumerate(model.elements):
        name = element.attributes.get("name", "")
        if "::" not in name or id(element) in seen or not model.kinds[row].is_vertex:
            continue
        seen.add(id(element))
        since = format_version(SCOPED_REFERENCES)
        message = name_not_portable.format(element.tag, name, since)
        yield Finding(name_not_portable, ElementPart(model.sources[row], element, "@name"), message, (row,))
