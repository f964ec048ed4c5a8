"""What the options in the ``<gazebo>`` of a URDF mean in SDFormat.

Source: libsdformat, ``ParseSDFExtension`` and ``InsertSDFExtension...`` in src/parser_urdf.cc.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from sdfviewer.document.document import Document
from sdfviewer.document.element import Element
from sdfviewer.export.urdf_parts import dedented
from sdfviewer.export.writing import element
from sdfviewer.formats.read_back import GAZEBO_MATERIALS
from sdfviewer.formats.urdf.contents import materials_of, option_settings
from sdfviewer.formats.urdf.robot import IN_COLLISIONS, OF_JOINTS, OF_LINKS, copied_into, option_text, options_of
from sdfviewer.model.kinds import Kind

#: The elements of SDFormat by the options that become them: of axes and limits.
DYNAMICS = {"springReference": "spring_reference", "springStiffness": "spring_stiffness"}
LIMIT = {"stopCfm": "cfm", "stopErp": "erp"}
#: Options that have no effect without merged links, or that other code reads.
_NOT_WRITTEN = frozenset({"static", "preserveFixedJoint", "disableFixedJointLumping"})


class GazeboOptions:
    """The options of a robot's ``<gazebo>`` elements as lines of SDFormat."""

    def __init__(self, robot: Element, document: Document) -> None:
        self._document, self._robot = document, robot
        self._given = options_of(robot)

    @staticmethod
    def is_written(option: Element, *, is_joint: bool) -> bool:
        """Return whether an option about a link or a joint has a counterpart, or needs none."""
        return option.tag in _NOT_WRITTEN or option.tag in (OF_JOINTS if is_joint else OF_LINKS)

    def link(self, name: str) -> list[str]:
        """Return the lines of a link itself."""
        return self._with((), option_settings(self._of(name), Kind.LINK))

    def visual(self, link: str | None, colour: list[str]) -> list[str]:
        """Return the lines of a visual other than its shape; ``link`` has its options.

        ``colour`` holds the lines of the visual's own material. Gazebo Classic shows a material by its name; others,
        which do not know its scripts, show the colour.
        """
        written, name, _ = materials_of(self._robot).given(link) if link is not None else (None, None, 0.0)
        tags = {each.tag for each in written.children} if written is not None else set()
        lines: list[str] = []
        if name is not None and "script" not in tags:
            words = " ".join(option_text(name).split())
            lines += element("script", None, [*element("uri", None, GAZEBO_MATERIALS), *element("name", None, words)])
        if written is None or (name is None and not tags & {"ambient", "diffuse"}):
            lines += colour
        for child in written.children if written is not None else ():
            lines += self._source(child)
        materials = {"material": element("material", None, lines)} if lines or written is not None else {}
        return [line for each in {**self._copied(link, "visual"), **materials}.values() for line in each]

    def collision(self, link: str | None) -> list[str]:
        """Return the lines of a collision other than its shape; ``link`` has its options."""
        texts = {path: text for option, path in IN_COLLISIONS.items() if (text := self._text(link, option))}
        return self._with(() if link is None else copied_into(self._robot, link, "collision").values(), texts)

    def _with(self, copied: Collection[Element], given: Mapping[str, str]) -> list[str]:
        """Return the lines of elements as they are written, with texts at some paths in place of what they say."""
        lines: list[str] = []
        tags = dict.fromkeys([*(each.tag for each in copied), *(path.partition("/")[0] for path in given)])
        for tag in tags:
            child = next((each for each in copied if each.tag == tag), None)
            below = {path.partition("/")[2]: text for path, text in given.items() if path.partition("/")[0] == tag}
            if "" in below:
                lines += element(tag, None, below[""])
            elif below:
                lines += element(tag, None, self._with(() if child is None else child.children, below))
            elif child is not None:
                lines += self._source(child)
        return lines

    def dynamics(self, joint: str) -> list[str]:
        """Return the lines in the ``<dynamics>`` of the axis of a joint."""
        return [line for lines in self._named(joint, DYNAMICS).values() for line in lines]

    def joint(self, joint: str) -> list[str]:
        """Return the lines of the ``<physics>`` of a joint."""
        return self._with((), option_settings(self._of(joint), Kind.JOINT))

    def _of(self, reference: str | None) -> Mapping[str, Element]:
        return self._given.get(reference, {}) if reference is not None else {}

    def _text(self, reference: str | None, tag: str) -> str:
        option = self._of(reference).get(tag)
        return "" if option is None else " ".join(option_text(option).split())

    def _named(self, reference: str | None, names: Mapping[str, str]) -> dict[str, list[str]]:
        texts = {tag: self._text(reference, option) for option, tag in names.items()}
        return {tag: element(tag, None, text) for tag, text in texts.items() if text}

    def _copied(self, reference: str | None, tag: str) -> dict[str, list[str]]:
        """Return what a ``<visual>`` or ``<collision>`` in ``<gazebo>`` holds, as it is written."""
        lines: dict[str, list[str]] = {}
        for child in copied_into(self._robot, reference, tag).values() if reference is not None else ():
            lines[child.tag] = self._source(child)
        return lines

    def _source(self, written: Element) -> list[str]:
        first, last = self._document.offsets(written, "element")
        return dedented(self._document.text[first:last])
