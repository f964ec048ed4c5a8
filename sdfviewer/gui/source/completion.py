"""What may be typed at a place: elements, attributes, values, names of frames."""

from __future__ import annotations

import re
from dataclasses import dataclass

from sdfviewer.document.tables import NEWEST, ElementDefinition, UnknownVersionError, table
from sdfviewer.gui.source.highlighter import REFERENCES
from sdfviewer.semantics.kinds import Kind
from sdfviewer.semantics.model import Model

_MARKUP = re.compile(
    r"<!--.*?(?:-->|$)|<!\[CDATA\[.*?(?:\]\]>|$)|<\?.*?(?:\?>|$)|<(/?)([^\s<>/\"']*)([^<>]*)(>?)", re.DOTALL
)
_NAME = re.compile(r"\bname\s*=\s*(?:\"([^\"]*)\"|'([^']*)')")
_PARTIAL_TAG = re.compile(r"<(/?)([^\s<>/\"']*)$")
# A start tag with any number of whole attributes, up to where the next one begins.
_BEGUN = r"<([^\s<>/\"'!?]+)(?:\s+[^\s=<>/\"']+\s*=\s*(?:\"[^\"]*\"|'[^']*'))*\s+"
_PARTIAL_ATTRIBUTE = re.compile(_BEGUN + r"([^\s=<>/\"']*)$")
_PARTIAL_VALUE = re.compile(_BEGUN + r"([^\s=<>/\"']+)\s*=\s*(?:\"([^\"<>]*)|'([^'<>]*))$")
_PARTIAL_TEXT = re.compile(r">\s*([^<>]*)$")
#: Values that the element tables give as a plain string.
_JOINTS = ("revolute", "continuous", "prismatic", "fixed", "ball", "universal", "screw", "gearbox", "revolute2")
_SENSORS = ("camera", "depth_camera", "gpu_lidar", "imu", "contact", "force_torque", "altimeter", "navsat")
_CHOICES = {
    ("joint", "type"): _JOINTS,
    ("sensor", "type"): _SENSORS,
    ("light", "type"): ("point", "directional", "spot"),
    ("pose", "rotation_format"): ("euler_rpy", "quat_xyzw"),
}


@dataclass(frozen=True, slots=True)
class Completions:
    """What may stand at the caret.

    Attributes
    ----------
    typed
        The part before the caret that a choice replaces.
    choices
        What to offer, in the order of the specification or of the file.
    ending
        What is typed along with a choice, the caret being set where ``|`` stands.
    """

    typed: str
    choices: tuple[str, ...]
    ending: str = ""


@dataclass(frozen=True, slots=True)
class Open:
    """An element that is open at the caret: its tag and the value of its ``name``."""

    tag: str
    name: str | None


def complete(text: str, model: Model | None) -> Completions:
    """Return what may be typed at the end of ``text``, the text before the caret.

    Parameters
    ----------
    text
        Need not be well-formed.
    model
        The last good model, for names.
    """
    # Only what is behind the last tag can be unfinished.
    cut = max(text.rfind("<"), 0)
    tail = text[cut:]
    found = Completions("", ())
    if tail.startswith(("<!", "<?")):
        return found
    if match := _PARTIAL_TAG.search(tail):
        found = _tags(open_elements(text[:cut]), match[2], closing=bool(match[1]), model=model)
    elif match := _PARTIAL_VALUE.search(tail):
        around = [*open_elements(text[:cut]), Open(match[1], _name_in(tail))]
        found = Completions(match[3] or match[4] or "", _values(around, match[2], model))
    elif match := _PARTIAL_ATTRIBUTE.search(tail):
        definition = _definition([*open_elements(text[:cut]), Open(match[1], None)], model)
        written = set(re.findall(r"([^\s=<>/\"']+)\s*=", tail))
        names = [name for name in (definition.attributes if definition else ()) if name not in written]
        found = Completions(match[2], tuple(names), '="|"')
    elif match := _PARTIAL_TEXT.search(tail):
        found = Completions(match[1], _texts(open_elements(text), model))
    return found


def _tags(around: list[Open], typed: str, *, closing: bool, model: Model | None) -> Completions:
    if closing:
        return Completions(typed, tuple(element.tag for element in around[-1:]), ">")
    definition = _definition(around, model)
    return Completions(typed, tuple(definition.children) if definition is not None else ())


def open_elements(text: str) -> list[Open]:
    """Return the elements that are open at the end of a text, outermost first."""
    stack: list[Open] = []
    for match in _MARKUP.finditer(text):
        tag = match[2]
        if not tag or not match[4]:
            continue
        if match[1]:
            while stack and stack.pop().tag != tag:
                pass
        elif not match[3].rstrip().endswith("/"):
            stack.append(Open(tag, _name_in(match[3])))
    return stack


def _name_in(attributes: str) -> str | None:
    match = _NAME.search(attributes)
    return None if match is None else match[1] if match[1] is not None else match[2]


def _definition(around: list[Open], model: Model | None) -> ElementDefinition | None:
    version = ".".join(map(str, model.version)) if model is not None else NEWEST
    try:
        known = table(version)
    except UnknownVersionError:
        known = table(NEWEST)
    if not around:
        return ElementDefinition("", None, "", "1", children={known.root.tag: known.root})
    return known.element("/".join(element.tag for element in around[1:]))


def _values(around: list[Open], attribute: str, model: Model | None) -> tuple[str, ...]:
    if attribute in REFERENCES:
        kinds = {"canonical_link": (Kind.LINK,), "joint": (Kind.JOINT,)}.get(attribute)
        return _names(around, model, kinds)
    tag = around[-1].tag
    if (tag, attribute) in _CHOICES:
        return _CHOICES[tag, attribute]
    if (tag, attribute) == ("sdf", "version"):
        return ("1.12", "1.11", "1.10", "1.9", "1.8", "1.7")
    definition = _definition(around, model)
    written = definition.attributes.get(attribute) if definition is not None else None
    return ("true", "false") if written is not None and written.type == "bool" else ()


def _texts(around: list[Open], model: Model | None) -> tuple[str, ...]:
    if not around:
        return ()
    tag = around[-1].tag
    if tag in ("parent", "child", "placement_frame"):
        names = _names(around[:-1], model, None)
        return ("world", *names) if tag == "parent" and "world" not in names else names
    definition = _definition(around, model)
    return ("true", "false") if definition is not None and definition.type == "bool" else ()


def _names(around: list[Open], model: Model | None, kinds: tuple[Kind, ...] | None) -> tuple[str, ...]:
    """Return the names that can be referred to from inside the open elements, the element itself left out."""
    if model is None:
        return ()
    path = [element.name for element in around if element.tag in ("model", "link", "joint", "frame") and element.name]
    inside_itself = around[-1].tag in ("model", "world") if around else False
    while True:
        row = model.rows_by_name.get("::".join(path)) if path else 0
        if row is not None:
            break
        path.pop()
    is_scope = model.kinds[row] in (Kind.MODEL, Kind.WORLD)
    member = next((each for each in range(row + 1, len(model)) if model.scopes[each] == row), -1) if is_scope else row
    if is_scope and not inside_itself and row > 0 and around[-1].tag == "pose" and around[-2].tag == "model":
        member = row  # the pose of a model sees the names around the model
    if member < 0:
        return ()
    return tuple(
        name
        for name, target in model.legal_targets(member)
        if (target != row or is_scope) and (kinds is None or model.kinds[target] in kinds)
    )
