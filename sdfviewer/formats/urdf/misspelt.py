"""Elements and attributes of a URDF that are nearly those that URDF has.

Many programs have elements of their own in URDF files, so that a word which URDF does not know is no fault. One that is
a letter away from a word that would count there is: everybody ignores it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial

from sdfviewer.diagnostics import Message
from sdfviewer.document.document import Document
from sdfviewer.document.edits import Replacements, insert_child, remove_element, replace_element
from sdfviewer.document.element import Element
from sdfviewer.document.tables import ElementDefinition
from sdfviewer.formats.urdf.value_reader import ValueReader
from sdfviewer.model.values import parse_numbers
from sdfviewer.validation import urdf_rules as rules

#: Words of SDFormat, and words that say the same, with those that URDF has for them.
_OTHER_WORDS = {
    **{(tag, "pose"): "origin" for tag in ("joint", "inertial", "visual", "collision")},
    ("limit", "@min"): "lower",
    ("limit", "@max"): "upper",
    **{(tag, word): "length" for tag in ("cylinder", "capsule") for word in ("@height", "@h")},
}
#: Shorter words are compared with others by their letters alone; from the longer ones two may be wrong.
_SHORT, _LONG = 4, 9
#: The first letters that stand for a word, where it can be left out.
_ABBREVIATION = 2
_NUMBERS_OF_POSE = 6
_ORIGIN = "<origin xyz='0 0 0' rpy='0 0 0'/>"


def report_misspelt(element: Element, definition: ElementDefinition, reader: ValueReader) -> None:
    """Report the attributes of an element that are nearly those of its definition.

    Where URDF requires a single attribute, which is missing, and there is a single other one, that is meant; a name is
    not.
    """
    unknown = [name for name in element.attributes if name not in definition.attributes and ":" not in name]
    unknown = [name for name in unknown if name != "xmlns"]
    required = [name for name, each in definition.attributes.items() if each.is_required]
    missing = [name for name in required if name not in element.attributes]
    for name in unknown:
        optional = [each for each in definition.attributes if each not in element.attributes and each not in missing]
        meant = meant_by(name, [*missing, *optional])
        if (other := _OTHER_WORDS.get((element.tag, f"@{name}"))) in (*missing, *optional):
            meant = [str(other)]
        meant = meant or [
            each
            for each in (*missing, *optional)
            if each.startswith(name) and (each in missing or len(name) >= _ABBREVIATION)
        ]
        if not meant and len(required) == len(unknown) == 1 and missing != ["name"]:
            meant = missing
        if meant:
            reader.report(rules.urdf_misspelt, element, f"@{name}", f"'{name}'", element.tag, meant=meant)


def report_pose_of_link(pose: Element, joint: Element | None, reader: ValueReader) -> None:
    """Report the ``<pose>`` of a link; `joint` is the one above it, whose origin places the link in URDF."""
    rule = rules.urdf_misspelt
    written, fixes = _as_origin(pose), [("remove it", partial(_removed, pose))]
    if joint is None:
        effect = Message("", "the root link of a URDF is at the origin of the robot")
    else:
        name = joint.attributes.get("name", "")
        effect = Message("", f"in URDF the <origin> of joint '{name}' places the link")
        if written and joint.find("origin") is None:
            fixes.insert(0, (f"write {written} in joint '{name}'", partial(_moved_into, pose, joint, written)))
    reader.report(rule, pose, None, "<pose>", "link", effect, fixes=tuple(fixes))


def report_misspelt_child(child: Element, parent: Element, definition: ElementDefinition, reader: ValueReader) -> None:
    """Report a child that URDF does not know, if it is nearly one that the definition of its parent has."""
    if ":" in child.tag:
        return
    other = _OTHER_WORDS.get((parent.tag, child.tag))
    if other is not None and parent.find(other) is None and other in definition.children:
        written = _as_origin(child)
        effect = f"URDF has <{other}> with attributes: {written or _ORIGIN}"
        fixes = ((f"write {written}", partial(_replaced, child, written)),) if written else ()
        reader.report(rules.urdf_misspelt, child, None, f"<{child.tag}>", parent.tag, Message("", effect), fixes=fixes)
        return
    meant = meant_by(child.tag, definition.children)
    if meant:
        reader.report(rules.urdf_misspelt, child, None, f"<{child.tag}>", parent.tag, meant=meant)


def _as_origin(pose: Element) -> str:
    """Return the ``<origin>`` that a pose of SDFormat is in URDF, empty where it is not six plain numbers."""
    words = pose.text.split()
    if len(words) != _NUMBERS_OF_POSE or pose.attributes or parse_numbers(pose.text) is None:
        return ""
    return f'<origin xyz="{" ".join(words[:3])}" rpy="{" ".join(words[3:])}"/>'


def _replaced(pose: Element, written: str, document: Document) -> Replacements:
    return replace_element(document, pose, written)


def _removed(pose: Element, document: Document) -> Replacements:
    return remove_element(document, pose)


def _moved_into(pose: Element, joint: Element, written: str, document: Document) -> Replacements:
    return (*remove_element(document, pose), *insert_child(document, joint, written))


def meant_by(word: str, known: Iterable[str]) -> Sequence[str]:
    """Return the words, in their order, of which one is nearly another word: a slip of the keyboard away."""
    most = 2 if len(word) >= _LONG else 1
    return [
        each
        for each in known
        if each != word
        and (
            _letters(each) == _letters(word)
            or (sorted(each) == sorted(word) and _slips(word, each) == 1)
            or (min(len(word), len(each)) >= _SHORT and _slips(word, each) <= most)
        )
    ]


def _letters(word: str) -> str:
    """Return a word without what separates its parts: ``max_vel`` and ``maxVel`` are one word."""
    return word.replace("_", "").replace("-", "").casefold()


def _slips(a: str, b: str) -> int:
    """Return how many letters are missing, too many, wrong, or swapped with the next one."""
    before: list[int] = []
    last: list[int] = []
    row = list(range(len(b) + 1))
    for i, letter in enumerate(a, 1):
        before, last, row = last, row, [i]
        for j, other in enumerate(b, 1):
            cost = min(last[j] + 1, row[j - 1] + 1, last[j - 1] + (letter != other))
            if i > 1 and j > 1 and letter == b[j - 2] and a[i - 2] == other:
                cost = min(cost, before[j - 2] + 1)
            row.append(cost)
    return row[-1]
