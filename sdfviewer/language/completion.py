"""Completion at a position: elements, attributes, values, names of frames."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from sdfviewer.document.document import Document
from sdfviewer.document.tables import OTHER_ROOTS, ElementDefinition, UnknownVersionError, table
from sdfviewer.document.xml.parse import find_tags, resolve_references
from sdfviewer.formats.urdf.elements import JOINT_TYPES as URDF_JOINT_TYPES
from sdfviewer.formats.urdf.elements import definition_of_robot
from sdfviewer.formats.urdf.values import OLDEST, urdf_version_of
from sdfviewer.language.markup import comment_at
from sdfviewer.language.text_map import TextMap, common_start
from sdfviewer.model.kinds import JOINT_TYPES, Kind
from sdfviewer.model.model import Model
from sdfviewer.model.outside import LOOKED_UP_INSIDE
from sdfviewer.model.plugin_catalogue import KnownPlugin, PluginParameter, known_plugin, known_plugins, topics_in
from sdfviewer.model.references import attribute_of
from sdfviewer.model.targets import Attribute, ReferenceTargets
from sdfviewer.validation.content_rules import IMAGE_FORMATS, LIGHT_TYPES, SENSOR_TYPES
from sdfviewer.versions import NEWEST, WRITTEN_VERSIONS, format_version

_NAME = re.compile(r"\bname\s*=\s*(?:\"([^\"]*)\"|'([^']*)')")
_FILENAME = re.compile(r"\bfilename\s*=\s*(?:\"([^\"]*)\"|'([^']*)')")
_PARTIAL_TAG = re.compile(r"<(/?)([^\s<>/\"']*)$")
# A start tag with any number of complete attributes, up to the next attribute.
_BEGUN = r"<([^\s<>/\"'!?]+)(?:\s+[^\s=<>/\"']+\s*=\s*(?:\"[^\"]*\"|'[^']*'))*\s+"
_PARTIAL_ATTRIBUTE = re.compile(_BEGUN + r"([^\s=<>/\"']*)$")
_PARTIAL_VALUE = re.compile(_BEGUN + r"([^\s=<>/\"']+)\s*=\s*(?:\"([^\"<>]*)|'([^'<>]*))$")
_PARTIAL_TEXT = re.compile(r">\s*([^<>]*)$")
_ROBOT = "robot"
#: Elements that a row may stand for.
_HOLDERS = frozenset({*(kind.value for kind in Kind), _ROBOT, "include"})
#: Values that the element tables give as a plain string.
_CHOICES = {
    ("joint", "type"): tuple(JOINT_TYPES),
    ("sensor", "type"): tuple(sorted(SENSOR_TYPES)),
    ("light", "type"): LIGHT_TYPES,
    ("pose", "rotation_format"): ("euler_rpy", "quat_xyzw"),
    ("sdf", "version"): tuple(reversed(WRITTEN_VERSIONS)),
    ("physics", "type"): ("ode", "bullet", "dart", "simbody"),
}
_WORDS = {"format": IMAGE_FORMATS}
#: What authors of models write most often, the most frequent first; the order is a judgement, not a count.
_LIKELY = (
    *("link", "joint", "model", "include", "frame", "pose", "origin", "inertial", "visual", "collision", "geometry"),
    *("mesh", "box", "cylinder", "sphere", "uri", "parent", "child", "axis", "xyz", "limit", "lower", "upper"),
    *("mass", "inertia", "material", "sensor", "plugin", "light"),
)


@dataclass(frozen=True, slots=True)
class Ending:
    """What is typed along with a choice.

    Attributes
    ----------
    text
        Inserted behind the choice.
    stops
        What of it is selected one after the other: at once, and whenever Tab is pressed. Without any the caret is
        behind it.
    """

    text: str
    stops: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Completions:
    """What may be written at the caret.

    Attributes
    ----------
    typed
        The part before the caret that a choice replaces.
    choices
        What to offer: elements by likelihood, else in the order of the specification or of the file.
    endings
        What is typed along with a choice.
    """

    typed: str
    choices: tuple[str, ...]
    endings: Mapping[str, Ending] = field(default_factory=dict)


_VALUE = Ending('=""', ((2, 2), (3, 3)))


@dataclass(frozen=True, slots=True)
class Open:
    """An element that is open at the caret: its tag, its name, and the file of a plugin or an include."""

    tag: str
    name: str | None
    filename: str = ""


def complete(text: str, model: Model | None, open_at: Callable[[int], list[Open]], behind: str = "") -> Completions:
    """Return the completions at the end of ``text``, the text before the caret.

    Parameters
    ----------
    text
        Need not be well-formed.
    model
        The last good model, for names.
    open_at
        Returns the elements that are open at an offset of the text, outermost first.
    behind
        The text behind the caret: it tells where a comment ends.
    """
    # Only text behind the last tag can be unfinished.
    cut = max(text.rfind("<"), 0)
    tail = text[cut:]
    if tail.startswith(("<!", "<?")) or comment_at(text + behind, len(text)) is not None:
        return Completions("", ())
    found = Completions("", ())
    if match := _PARTIAL_TAG.search(tail):
        found = _tags(open_at(cut), match[2], closing=bool(match[1]), model=model)
    elif match := _PARTIAL_VALUE.search(tail):
        around = [*open_at(cut), Open(match[1], _name_in(tail), _filename_in(tail))]
        typed = match[3] or match[4] or ""
        found = Completions(typed, _in_scope(typed, _values(around, match[2], model)))
    elif match := _PARTIAL_ATTRIBUTE.search(tail):
        around = [*open_at(cut), Open(match[1], None)]
        definition = definition_of(around, model)
        known = definition.attributes if definition else _attributes_in_plugin(around)
        written = set(re.findall(r"([^\s=<>/\"']+)\s*=", tail))
        names = tuple(name for name in known if name not in written)
        found = Completions(match[2], names, dict.fromkeys(names, _VALUE))
    elif match := _PARTIAL_TEXT.search(tail):
        found = Completions(match[1], _in_scope(match[1], _texts(open_at(len(text)), model)))
    return found


def _in_scope(typed: str, choices: tuple[str, ...]) -> tuple[str, ...]:
    """Return the choices behind the scope that is typed; all of them where it is misspelt or none is typed."""
    scope = typed[: typed.rfind("::") + 2] if "::" in typed else ""
    return tuple(each for each in choices if each.startswith(scope)) or choices


def _tags(around: list[Open], typed: str, *, closing: bool, model: Model | None) -> Completions:
    if closing:
        names = tuple(element.tag for element in around[-1:])
        return Completions(typed, names, dict.fromkeys(names, Ending(">")))
    if (plugin := _in_plugin(around)) is not None:
        parameters = [each for each in plugin[0].children(plugin[1]) if each.tag[0] != "@"]
        tags = tuple(each.tag for each in parameters)
        return Completions(typed, tags, {each.tag: Ending(f"></{each.tag}>", ((1, 1),)) for each in parameters})
    definition = definition_of(around, model)
    children = definition.children if definition is not None else {}
    current = tuple(sorted((tag for tag, child in children.items() if not child.is_deprecated), key=_likelihood))
    return Completions(typed, current, {tag: _skeleton(children[tag]) for tag in current})


def _likelihood(tag: str) -> int:
    """Return a rank by which what is written most often comes first; all others keep the order of the specification."""
    return _LIKELY.index(tag) if tag in _LIKELY else len(_LIKELY)


def _skeleton(definition: ElementDefinition) -> Ending:
    """Return the text that completes an element after its name: required attributes, default value, end tag."""
    text, stops = "", []
    for attribute in definition.attributes.values():
        if attribute.is_required:
            value = format_version(NEWEST) if (definition.tag, attribute.name) == ("sdf", "version") else ""
            text += f' {attribute.name}="{value}"'
            stops.append((len(text) - 1 - len(value), len(text) - 1))
    if not definition.children and definition.type is None and not definition.allows_any_child:
        text += "/>"
        return Ending(text, (*stops, (len(text), len(text))))
    has_default = definition.type not in (None, "string") and not definition.children
    value = definition.default if has_default else ""
    text += f">{value}"
    stops.append((len(text) - len(value), len(text)))
    return Ending(f"{text}</{definition.tag}>", tuple(stops))


def _name_in(attributes: str) -> str | None:
    match = _NAME.search(attributes)
    return None if match is None else resolve_references(match[1] if match[1] is not None else match[2])


def _filename_in(attributes: str) -> str:
    match = _FILENAME.search(attributes)
    return "" if match is None else resolve_references(match[1] if match[1] is not None else match[2])


def definition_of(around: list[Open], model: Model | None) -> ElementDefinition | None:
    """Return the definition of the innermost of some open elements, None if there is none."""
    version = model.version if model is not None else NEWEST
    try:
        known = table(version)
    except UnknownVersionError:
        known = table(NEWEST)
    root = model.document.root if model is not None else None
    robot = definition_of_robot(urdf_version_of(root) if root is not None and root.tag == _ROBOT else OLDEST)
    if not around:
        others = {tag: make() for tag, make in OTHER_ROOTS.items() if tag != _ROBOT}
        return ElementDefinition("", None, "", "1", children={known.root.tag: known.root, _ROBOT: robot, **others})
    if around[0].tag in OTHER_ROOTS:
        definition: ElementDefinition | None = robot if around[0].tag == _ROBOT else OTHER_ROOTS[around[0].tag]()
        for element in around[1:]:
            definition = definition.children.get(element.tag) if definition is not None else None
        return definition
    return known.element("/".join(element.tag for element in around[1:]))


def _values(around: list[Open], attribute: str, model: Model | None) -> tuple[str, ...]:
    tag = around[-1].tag
    if tag == "plugin" and attribute in ("filename", "name"):
        return _plugins(around, attribute)
    definition = definition_of(around, model)
    written = definition.attributes.get(attribute) if definition is not None else None
    if written is not None and written.choices:
        return written.choices
    if reference := _reference(around, f"@{attribute}"):
        return _names(around, reference, model)
    if parameter := _parameter(around, f"@{attribute}"):
        return parameter.values
    if (tag, attribute) in _CHOICES:
        is_robot_joint = (tag, attribute) == ("joint", "type") and around[0].tag == _ROBOT
        return URDF_JOINT_TYPES if is_robot_joint else _CHOICES[tag, attribute]
    return ("true", "false") if written is not None and written.type == "bool" else ()


def _texts(around: list[Open], model: Model | None) -> tuple[str, ...]:
    if not around:
        return ()
    tag = around[-1].tag
    if reference := _reference(around, "text"):
        return _names(around, reference, model)
    if parameter := _parameter(around):
        topics = () if model is None or parameter.kind != "topic" else topics_in(model.document.text)
        return ("true", "false") if parameter.kind == "boolean" else parameter.values or topics
    if tag in _WORDS and len(around) > 1 and around[-2].tag == "image":
        return _WORDS[tag]
    definition = definition_of(around, model)
    return ("true", "false") if definition is not None and definition.type == "bool" else ()


def _in_plugin(around: list[Open]) -> tuple[KnownPlugin, str] | None:
    """Return the known plugin that is open, with the path below it of the innermost element; None outside of one."""
    place = next((number for number, element in enumerate(around) if element.tag == "plugin"), None)
    known = None if place is None else known_plugin(around[place].filename)
    return None if known is None or place is None else (known, "/".join(each.tag for each in around[place + 1 :]))


def _parameter(around: list[Open], attribute: str = "") -> PluginParameter | None:
    """Return the parameter of a known plugin that the innermost element, or an attribute of it, is."""
    if (plugin := _in_plugin(around)) is None:
        return None
    return plugin[0].parameters.get("/".join(filter(None, (plugin[1], attribute))))


def _attributes_in_plugin(around: list[Open]) -> tuple[str, ...]:
    plugin = _in_plugin(around)
    below = plugin[0].children(plugin[1]) if plugin is not None and plugin[1] else ()
    return tuple(each.tag[1:] for each in below if each.tag[0] == "@")


def _plugins(around: list[Open], attribute: str) -> tuple[str, ...]:
    """Return the libraries of the plugins that an element may hold, or their classes; of one library its own."""
    holder = around[-2].tag if len(around) > 1 else ""
    here = [each for each in known_plugins().values() if holder in each.holders or holder == "gazebo"]
    if attribute == "filename":
        return tuple(each.filename for each in here)
    written = known_plugin(around[-1].filename)
    return tuple(name for each in ([written] if written else here) for name in each.names)


def _reference(around: list[Open], part: str) -> Attribute | None:
    plugin = next((element.filename for element in around if element.tag == "plugin"), "")
    return attribute_of(around[-1].tag, part, {element.tag for element in around[:-1]}, plugin)


def _names(around: list[Open], attribute: Attribute, model: Model | None) -> tuple[str, ...]:
    """Return the names that a reference in the innermost of some open elements may hold."""
    if model is None:
        return ()
    row, is_there = _innermost(around, model)
    if is_there:
        targets = ReferenceTargets(model, row, attribute)
    elif attribute in LOOKED_UP_INSIDE:
        return ()  # the model that it would look into is not read yet
    else:
        targets = ReferenceTargets(model, None, attribute, owner=row)
    return tuple(target.name or "" for target in targets if target.reason is None)


def _innermost(around: list[Open], model: Model) -> tuple[int, bool]:
    """Return the row of the innermost of some open elements that the model has, and whether none is in it that has one.

    Elements are found by their tags and their names as they are written: a joint of a URDF may be known by another one.
    """
    row, held = -1, [element for element in around if element.tag in _HOLDERS]
    is_extension = any(element.tag == "gazebo" for element in around)  # whose contents belong to a link or joint
    for element in held:
        rows = model.inside(row) if is_extension and row >= 0 else _rows_below(model, row)
        found = next((each for each in rows if _is_written(model, each, element)), None)
        if found is None:
            return max(row, 0), False
        row = found
    return max(row, 0), bool(held)


def _rows_below(model: Model, row: int) -> Iterable[int]:
    """Return the rows whose elements are written in that of a row: of flattened models it holds the members, too."""
    if row < 0:
        return (0,)
    return (each for each in model.inside(row) if _written_in(model, each) == row)


def _written_in(model: Model, row: int) -> int:
    owner = int(model.owners[row])
    while owner in model.written_prefixes:
        owner = int(model.owners[owner])
    return owner


def _is_written(model: Model, row: int, element: Open) -> bool:
    """Return whether a row is that of an open element: of an include by its name, or else by what it includes."""
    written = model.elements[row]
    if written.tag != element.tag or model.sources[row] is not None:
        return False
    if element.tag == "include":
        name = written.text_of("name")
        return name == element.name if name else not element.name and written.text_of("uri") == element.filename
    return row == 0 or written.attributes.get("name", "") == (element.name or "")


# --- the elements around a position -------------------------------------------------------------------------------


class Outline:
    """The elements of a document, beside what has been typed since.

    Parameters
    ----------
    document
        The document; of a text that is not XML, the elements that it has all the same are taken.
    places
        Between its text and what an editor shows of it.
    """

    def __init__(self, document: Document, places: TextMap) -> None:
        self._document = document.recovered
        self._places = places

    def open_at(self, text: str, at: int) -> list[Open]:
        """Return the elements that are open at an offset of a text, outermost first."""
        known = common_start(self._places.shown, text, at)
        offset = self._places.offset_of_shown(known)
        around: list[Open] = []
        begin = 0
        root = self._document.root
        if root is not None and (end := self._document.offset(root) + root.length) <= offset:
            begin = end  # behind the document nothing of it is open
        for element, start, _ in self._document.path_to(offset, offset):
            content_end = start + element.length - element.end_length
            if not start + element.start_length <= offset <= content_end or not element.end_length:
                break
            if element.tag == "include":
                around.append(Open(element.tag, element.text_of("name"), element.text_of("uri")))
            else:
                around.append(Open(element.tag, element.attributes.get("name"), element.attributes.get("filename", "")))
            begin = start + element.start_length
            before = bisect_right(element.offsets, offset - start) - 1
            if before >= 0:
                child, child_start = element.children[before], start + element.offsets[before]
                begin = child_start + child.length if child_start + child.length <= offset else child_start
        # Only what comes after the last element that is known to be closed is read.
        begin = self._places.shown_of_offset(begin)
        return open_elements(text[begin:at], around)


def open_elements(text: str, around: Sequence[Open] = ()) -> list[Open]:
    """Return the elements that are open at the end of a text, outermost first; ``around`` are open at its beginning.

    An end tag ends what is open inside its element; one whose element is not open ends nothing.
    """
    stack = list(around)
    for tag in find_tags(text):
        if not tag.is_whole or tag.is_empty:
            continue
        if tag.is_end:
            opened = next((at for at in reversed(range(len(stack))) if stack[at].tag == tag.name), len(stack))
            del stack[opened:]
        else:
            stack.append(Open(tag.name, tag.name_attribute, tag.filename_attribute))
    return stack
