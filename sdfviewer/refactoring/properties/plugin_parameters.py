"""Read and write the parameters of plugins by their paths below the plugin.

A path is a tag, or several: ``wheel_radius``, ``rotorConfiguration/rotor[2]/jointName``, ``wheel/@link_name``. Of
several elements with one tag a number from 1 says which; one more than there are is a new one. What a plugin is not
known to read is a parameter too, with its text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from sdfviewer.document.document import Document
from sdfviewer.document.edits import Edit, Replacements, insert_child, remove_element, set_attribute, set_text
from sdfviewer.document.element import Element
from sdfviewer.document.xml.parse import escape
from sdfviewer.formats.contents import read_plugins, read_shape
from sdfviewer.model.joints import Joint
from sdfviewer.model.kinds import SHAPED, Kind
from sdfviewer.model.model import Model
from sdfviewer.model.names import did_you_mean
from sdfviewer.model.plugin_catalogue import KnownPlugin, PluginParameter, known_plugin
from sdfviewer.model.references import Reference
from sdfviewer.model.targets import ReferenceTargets
from sdfviewer.number_expression import evaluate_words
from sdfviewer.refactoring.editable import RefactoringError, require_editable
from sdfviewer.transforms import Array
from sdfviewer.validation.frame_rules import may_be_named

_NUMBERS = frozenset({"number", "integer", "vector", "numbers", "pose"})
_STEP = re.compile(r"(@?[^\s\[\]/@]+)(?:\[([1-9]\d*)\])?")


@dataclass(frozen=True, slots=True)
class PluginValue:
    """A parameter of a plugin as it is written, or as it could be.

    Attributes
    ----------
    path
        With the numbers of elements that are repeated: ``rotor[2]/jointName``.
    parameter
        What it means, None where that is not known.
    text
        What is written, None where nothing is.
    is_numbered
        Whether it is one of several, by its number in the path.
    """

    path: str
    parameter: PluginParameter | None
    text: str | None
    is_numbered: bool = False

    @property
    def label(self) -> str:
        """The last part of the path."""
        return self.path.rpartition("/")[2]


def plugins_of(model: Model, row: int) -> list[Element]:
    """Return the plugins of the thing in a row that are written in the file itself."""
    if model.sources[row] is not None:
        return []
    element = model.elements[row]
    if element.tag == "include":  # the others are in the file that it includes
        return element.findall("plugin")
    return [plugin.element for plugin in read_plugins(model, row) if plugin.element is not None]


def find_plugin(model: Model, row: int, named: str) -> Element:
    """Return a plugin of a thing by its name, class, library or number.

    Parameters
    ----------
    named
        ``gz::sim::systems::DiffDrive`` or ``DiffDrive``, the library, or ``2`` for the second; empty for the only one.

    Raises
    ------
    RefactoringError
        If there is none, or several.
    """
    plugins = plugins_of(model, row)
    if named.isdecimal() and 1 <= int(named) <= len(plugins):
        return plugins[int(named) - 1]
    found = [plugin for plugin in plugins if not named or named in _called(plugin)]
    if len(found) == 1:
        return found[0]
    what = model.local_names[row]
    if found:
        raise RefactoringError(f"'{what}' has {len(found)} such plugins; name one by its number, 1 to {len(plugins)}")
    if not plugins:
        raise RefactoringError(f"'{what}' has no plugin in this file")
    raise RefactoringError(f"'{what}' has no plugin '{named}'{did_you_mean(named, map(title_of, plugins))}")


def title_of(plugin: Element) -> str:
    """Return how a plugin is called in a form: its class without namespaces, else its library."""
    name = plugin.attributes.get("name", "").rpartition("::")[2]
    return name or plugin.attributes.get("filename", "") or "plugin"


def _called(plugin: Element) -> tuple[str, ...]:
    filename = plugin.attributes.get("filename", "")
    known = known_plugin(filename)
    return plugin.attributes.get("name", ""), title_of(plugin), filename, "" if known is None else known.filename


def values_of(plugin: Element) -> list[PluginValue]:
    """Return what is written in a plugin and what could be, in the order of a form.

    Each known parameter is there once, or as often as it is written; behind one that may be repeated is a new one. What
    the catalogue does not know comes last.
    """
    known = known_plugin(plugin.attributes.get("filename", ""))
    found = [] if known is None else list(_known_values(known, plugin, "", ""))
    paths = {each.path for each in found}
    found += [each for each in _written_values(plugin, "") if each.path not in paths]
    return found


def _known_values(known: KnownPlugin, holder: Element | None, path: str, at: str) -> Iterator[PluginValue]:
    """Yield the known parameters in an element, None for one that is not written."""
    for parameter in known.children(path):
        tag = parameter.tag
        if tag.startswith("@"):
            yield PluginValue(f"{at}{tag}", parameter, None if holder is None else holder.attributes.get(tag[1:]))
            continue
        written = [] if holder is None else holder.findall(tag)
        elements: list[Element | None] = [*written]
        if not written or (parameter.is_repeated and parameter.kind != "group"):
            elements.append(None)
        for number, element in enumerate(elements, 1):
            is_numbered = len(written) > 1 or number > 1
            here = f"{at}{tag}[{number}]" if is_numbered else f"{at}{tag}"
            if parameter.kind != "group" and not (element is not None and element.children):
                yield PluginValue(here, parameter, None if element is None else element.text.strip(), is_numbered)
            yield from _known_values(known, element, parameter.path, f"{here}/")


def _written_values(holder: Element, at: str) -> Iterator[PluginValue]:
    """Yield what is written in an element, each text by itself."""
    counts: dict[str, int] = {}
    for child in holder.children:
        counts[child.tag] = counts.get(child.tag, 0) + 1
        several = len(holder.findall(child.tag)) > 1
        here = f"{at}{child.tag}[{counts[child.tag]}]" if several else f"{at}{child.tag}"
        for name, value in child.attributes.items():
            yield PluginValue(f"{here}/@{name}", None, value)
        if child.children:
            yield from _written_values(child, f"{here}/")
        else:
            yield PluginValue(here, None, child.text.strip())


def parameter_at(plugin: Element, path: str) -> PluginParameter | None:
    """Return what a path means, None where that is not known."""
    known = known_plugin(plugin.attributes.get("filename", ""))
    return None if known is None else known.parameters.get(re.sub(r"\[\d+\]", "", path))


def evaluated(parameter: PluginParameter | None, text: str) -> str:
    """Return what is typed as it is written: expressions and units, ``12cm``, as numbers."""
    is_number = parameter is not None and parameter.kind in _NUMBERS
    return evaluate_words(text, parameter.unit) if parameter is not None and is_number else text


def value_fault(model: Model, row: int, parameter: PluginParameter | None, text: str) -> str | None:
    """Return why a plugin would not take a text, None where it would or that is not known."""
    if parameter is None:
        return None
    if not parameter.accepts(text):
        return f"{parameter.tag} is '{text}', but must be {parameter.expects}"
    if parameter.kind in ("joint", "link", "model") and "::" not in text:
        if parameter.kind == "model" and (not model.is_world or text == "__model__"):
            return None
        targets, is_joint = ReferenceTargets(model, row, parameter.kind), parameter.kind == "joint"
        written = Reference(row, targets.scope, model.elements[row], "text", text, is_joint, parameter.kind)
        if not may_be_named(model, written, targets.kinds):
            names = [name for name, _ in targets.names]
            return f"there is no {parameter.kind} '{text}'{did_you_mean(text, names)}"
    return None


def set_plugin_parameter(model: Model, row: int, plugin: Element, path: str, text: str | None) -> Edit:
    """Return the edit that writes a parameter; all other bytes of the file stay.

    Parameters
    ----------
    text
        What is written; None takes the element or attribute out, so that the default holds.

    Raises
    ------
    RefactoringError
        If the row is read-only, the path is none, or the plugin would not take the text.
    """
    require_editable(model, row)
    steps = [_step(step) for step in path.split("/")]
    known = known_plugin(plugin.attributes.get("filename", ""))
    plain = "/".join(tag for tag, _number in steps)
    if known is not None and not known.knows(plain) and text is not None and _find(plugin, steps)[1]:
        raise RefactoringError(f"{title_of(plugin)} has no parameter '{plain}'{did_you_mean(plain, known.parameters)}")
    if text is not None and (fault := value_fault(model, row, parameter_at(plugin, path), text)) is not None:
        raise RefactoringError(fault)
    label = f"Set {steps[-1][0].lstrip('@')} of {title_of(plugin)}"
    return Edit(label, model.document, _written(model.document, plugin, steps, text))


def _step(step: str) -> tuple[str, int]:
    match = _STEP.fullmatch(step)
    if match is None:
        raise RefactoringError(f"'{step}' is no part of a path; write tags, as in wheel[2]/@link_name")
    return match[1], int(match[2] or 1)


def _find(plugin: Element, steps: list[tuple[str, int]]) -> tuple[Element, list[tuple[str, int]]]:
    """Return the innermost element on a path that is written, and the steps that are not."""
    element = plugin
    for place, (tag, number) in enumerate(steps):
        if tag.startswith("@"):
            return element, [] if tag[1:] in element.attributes else steps[place:]
        written = element.findall(tag)
        if number > len(written):
            return element, steps[place:]
        element = written[number - 1]
    return element, []


def _written(document: Document, plugin: Element, steps: list[tuple[str, int]], text: str | None) -> Replacements:
    element, missing = _find(plugin, steps)
    last = steps[-1][0]
    if text is None and missing:
        return ()
    if last.startswith("@") and len(missing) <= 1:
        return set_attribute(document, element, last[1:], text)
    if not missing:
        if text is None:
            return remove_element(document, element)
        if element.children:
            raise RefactoringError(f"<{element.tag}> has elements in it; edit these")
        return set_text(document, element, text)
    before = element.findall(missing[0][0])
    if missing[0][1] > len(before) + 1:
        raise RefactoringError(f"there are {len(before)} <{missing[0][0]}>; the next one is number {len(before) + 1}")
    assert text is not None
    xml = escape(text)
    for tag, _number in reversed(missing):
        xml = f' {tag[1:]}="{escape(text, chr(34))}"' if tag.startswith("@") else _wrapped(tag, xml)
    behind = element.children.index(before[-1]) + 1 if before else len(element.children)
    return insert_child(document, element, xml, next(iter(element.children[behind:]), None))


def _wrapped(tag: str, content: str) -> str:
    """Return an element around a text, around another one, or with the attribute that is given."""
    if content.startswith(" "):
        return f"<{tag}{content}/>"
    return (
        f"<{tag}>\n  {content.replace(chr(10), chr(10) + '  ')}\n</{tag}>"
        if content[:1] == "<"
        else f"<{tag}>{content}</{tag}>"
    )


# --- new plugins --------------------------------------------------------------------------------------------------


_WORD = re.compile(r"[A-Z]?[a-z0-9]+|[A-Z]+")
#: Words of a tag that do not say which joint or link is meant.
_ANY = frozenset({"joint", "joints", "link", "links", "name", "names"})
_SAME = {"back": "rear"}
_DIRECTIONS = ("ccw", "cw")
_TURNING = frozenset({"revolute", "continuous"})
_MOVING = _TURNING | {"prismatic", "screw"}
_DIGITS = 6


@dataclass
class Filled:
    """What is written in a new plugin.

    Attributes
    ----------
    texts
        The texts of the parameters by their paths, several for one that is repeated, in the order of the catalogue.
    missing
        The paths of parameters that it does nothing without, and that the model does not give.
    """

    texts: dict[str, tuple[str, ...]] = field(default_factory=dict)
    missing: tuple[str, ...] = ()

    @property
    def notes(self) -> tuple[str, ...]:
        """Sentences about both."""
        found = ", ".join(f"{path} {' '.join(texts)}" for path, texts in self.texts.items())
        missing = f"still to be written: {', '.join(self.missing)}" if self.missing else ""
        return tuple(filter(None, (found and f"from the model: {found}", missing)))


def fill_plugins(model: Model, owner: int, known: KnownPlugin, selected: Sequence[int]) -> list[Filled]:
    """Return what each of the plugins gets that are added to a model.

    A parameter whose tag has words of its own, ``left_joint``, gets the joints whose names have them. Any other one,
    ``jointName``, gets the selected joint or link: where several are selected, each gets a plugin of its own.

    Parameters
    ----------
    owner
        Row of the model, world, sensor or visual that holds it.
    selected
        Rows of joints and links that it is about: a link also means the joint that carries it, a joint what it moves.
    """
    filling = _Filling(model, owner, known)
    return filling.each(filling.chosen(selected))


class _Filling:
    def __init__(self, model: Model, owner: int, known: KnownPlugin) -> None:
        self._model, self._owner, self._known = model, owner, known
        joints = (each for each in model.joints_by_row.values() if int(model.owners[each.row]) == owner)
        self._joints = [each for each in joints if each.type in _MOVING]

    def chosen(self, selected: Sequence[int]) -> list[tuple[Joint | None, int]]:
        """Return the joints and the links that are meant, in pairs: what is not known is None or -1."""
        model, pairs = self._model, {}
        for row in selected:
            joint = model.joints_by_row.get(row)
            if joint is None and model.kinds[row] is Kind.LINK:
                joint = next((each for each in self._joints if each.child >= 0 and self._body(each) == row), None)
            if int(model.owners[row]) == self._owner and (joint is not None or model.kinds[row] is Kind.LINK):
                pairs[row if joint is None else joint.row] = (joint, row if joint is None else self._body(joint))
        return list(pairs.values())

    def each(self, chosen: list[tuple[Joint | None, int]]) -> list[Filled]:
        """Return what each plugin gets: one for each choice where some parameter takes whichever is chosen."""
        takes_any = any(each.kind in ("joint", "link") and each.is_required and not _words(each) for each in self._own)
        if not takes_any or not chosen:
            chosen = chosen[-1:]
        written = self._written
        directions = self._directions([joint for joint, _ in chosen])
        filled = []
        for number, (joint, link) in enumerate(chosen or [(None, -1)]):
            texts: dict[str, tuple[str, ...]] = {}
            for parameter in self._own:
                if found := self._texts(parameter, joint, link, texts):
                    texts[parameter.path] = found
                elif parameter.values == _DIRECTIONS and directions:
                    texts[parameter.path] = (directions[number],)
                elif parameter.tag == "actuator_number" and "use_actuator_msg" not in self._known.parameters:
                    texts[parameter.path] = (str(written + number),)
            missing = (each.path for each in self._own if each.is_required and each.path not in texts)
            filled.append(Filled(texts, tuple(missing)))
        return filled

    @property
    def _own(self) -> list[PluginParameter]:
        return list(self._known.children(""))

    @property
    def _written(self) -> int:
        """How many plugins of the same library there are: each motor has a number of its own."""
        plugins = read_plugins(self._model, self._owner)
        return sum(known_plugin(each.filename) is self._known for each in plugins)

    def _body(self, joint: Joint) -> int:
        return int(self._model.bodies[joint.child])

    def _name(self, row: int) -> str:
        return self._model.names[row][len(self._model.member_prefix(self._owner)) :]

    def _texts(
        self, parameter: PluginParameter, joint: Joint | None, link: int, before: Mapping[str, Sequence[str]]
    ) -> tuple[str, ...]:
        """Return what a parameter gets, nothing where the model does not give it."""
        if parameter.tag in _MEASURES:
            size = _MEASURES[parameter.tag](self, self._named(before))
            return () if size is None else (f"{round(size, _DIGITS):g}",)
        if not parameter.is_required:
            return ()
        if parameter.kind == "joint":
            if words := _words(parameter):
                turning = (each for each in self._joints if each.type in _TURNING)
                found = [each for each in turning if words <= _words_of(each.name)]
                found = [each for each in found if "wheel" in _words_of(each.name)] or found
                return tuple(self._name(each.row) for each in found[: None if parameter.is_repeated else 1])
            if joint is None and len(self._joints) == 1:
                joint = self._joints[0]
            return () if joint is None else (self._name(joint.row),)
        if parameter.kind == "link":
            row = link if link >= 0 else self._model.canonical_links.get(self._owner, -1)
            return () if row < 0 else (self._name(row),)
        return (self._model.local_names[self._owner],) if parameter.tag == "robotNamespace" else ()

    # --- numbers -----------------------------------------------------------------------------------------------------

    def _named(self, texts: Mapping[str, Sequence[str]]) -> dict[str, list[Joint]]:
        """Return the joints that parameters name, by the words of their tags."""
        by_name = {self._name(each.row): each for each in self._joints}
        found: dict[str, list[Joint]] = {}
        for path, names in texts.items():
            for word in _words_of(path):
                found.setdefault(word, []).extend(by_name[name] for name in names if name in by_name)
        return found

    def _between(self, named: Mapping[str, list[Joint]], one: str, other: str) -> Array | None:
        """Return the horizontal vector (2,) in the model between the middles of two groups of joints, in metres."""
        if not named.get(one) or not named.get(other):
            return None
        X_RootF = self._model.X_RootF
        a, b = (X_RootF[[each.row for each in named[word]], :3, 3].mean(axis=0) for word in (one, other))
        v: Array = X_RootF[self._owner, :3, :3].T @ (a - b)
        return v[:2] if np.isfinite(v).all() else None

    def separation(self, named: Mapping[str, list[Joint]]) -> float | None:
        """Return how far the left wheels are from the right ones."""
        v = self._between(named, "left", "right")
        return None if v is None else abs(float(v[1]))

    def base(self, named: Mapping[str, list[Joint]]) -> float | None:
        """Return how far the front wheels are from the rear ones."""
        v = self._between(named, "front", "rear")
        return None if v is None else abs(float(v[0]))

    def radius(self, named: Mapping[str, list[Joint]]) -> float | None:
        """Return the radius of the first wheel."""
        for joint in named.get("left", ()):
            for row in self._model.rows_in(self._body(joint), *SHAPED):
                radius = getattr(read_shape(self._model, row), "radius", None)
                if radius:
                    return float(radius)
        return None

    def _directions(self, joints: Sequence[Joint | None]) -> list[str]:
        """Return in which directions several rotors turn: neighbours in opposite ones, so that their torques cancel."""
        rows = [joint.row for joint in joints if joint is not None]
        if len(rows) < len(joints) or len(rows) < len(_DIRECTIONS):
            return []
        at = self._model.X_RootF[rows, :3, 3] @ self._model.X_RootF[self._owner, :3, :3]
        x, y = (at - at.mean(axis=0))[:, :2].T
        places = np.argsort(np.argsort(np.arctan2(y, x)))
        return [_DIRECTIONS[(place - places[0]) % len(_DIRECTIONS)] for place in places.tolist()]


_MEASURES = {
    "wheel_separation": _Filling.separation,
    "wheel_base": _Filling.base,
    "wheelbase": _Filling.base,
    "wheel_radius": _Filling.radius,
}


def _words_of(name: str) -> frozenset[str]:
    words = (each.lower() for part in re.split(r"[^A-Za-z0-9]+", name) for each in _WORD.findall(part))
    return frozenset(_SAME.get(each, each) for each in words)


def _words(parameter: PluginParameter) -> frozenset[str]:
    """Return the words of a tag that say which joint or link is meant."""
    return _words_of(parameter.tag) - _ANY


def plugin_lines(filled: Filled) -> Iterator[str]:
    """Yield the lines of the parameters."""
    for path, texts in filled.texts.items():
        yield from (f"<{path}>{escape(text)}</{path}>" for text in texts)
