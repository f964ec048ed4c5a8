"""The elements of an MJCF file with those of the files that it includes, and what is wrong with them.

The table ``resources/mjcf.json`` is made from MuJoCo's own by ``packaging/mjcf_table.py``, which describes it.

Source: https://mujoco.readthedocs.io/en/stable/XMLreference.html
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from sdfviewer.diagnostics import Message, Rule, Severity, message_of
from sdfviewer.document.document import Document, UnreadableFileError
from sdfviewer.document.element import Element
from sdfviewer.document.tables import AttributeDefinition, ElementDefinition
from sdfviewer.document.xml.parse import MAX_ELEMENTS
from sdfviewer.files.paths import is_absolute, names_a_server, real_path
from sdfviewer.formats.expansion import Written
from sdfviewer.model.findings import MOST_WITH_HINTS, ElementPart, Finding, Findings, Source
from sdfviewer.model.near_names import nearest, offer_names
from sdfviewer.resources import resource
from sdfviewer.validation import format_rules as rules
from sdfviewer.validation.file_rules import too_large


@dataclass(slots=True, eq=False)
class Node:
    """An element, with the children that its includes bring in their places.

    Attributes
    ----------
    element, document
        What is written, and where.
    callers
        The ``<include>`` and ``<attach>`` elements that lead to it, the outermost first.
    """

    element: Element
    document: Document
    callers: tuple[Written, ...] = ()
    children: list[Node] = field(default_factory=list)

    @property
    def tag(self) -> str:
        """The tag of the element."""
        return self.element.tag

    @property
    def attributes(self) -> dict[str, str]:
        """The attributes of the element."""
        return self.element.attributes


class Reporter:
    """Collects findings.

    Parameters
    ----------
    document, source
        The main file, and how findings call it: None where it is the file being loaded.
    """

    def __init__(self, document: Document, source: Source) -> None:
        self.findings = Findings()
        self._document = document
        self._source = source
        self._known: set[tuple[str, int, str | None, str]] = set()

    def __call__(
        self,
        rule: Rule,
        node: Node,
        part: str | None,
        *words: object,
        meant: Sequence[str] = (),
        severity: Severity | None = None,
    ) -> None:
        """Report a fault of an element, or of a part of it such as ``@name``."""
        source = self._source if node.document is self._document else node.document
        location = ElementPart(source, node.element, part)
        related = tuple(
            (f"by the <{caller.tag}> here", ElementPart(self._source if at is self._document else at, caller))
            for at, caller in reversed(node.callers)
        )
        message = rule.format(*words)
        key = rule.name, id(node.element), part, message
        if key in self._known:  # what is asked for twice, or replicated
            return
        self._known.add(key)
        self.findings.append(Finding(rule, location, message, related=related, meant=tuple(meant), severity=severity))

    def nearest(self, name: str, choices: Collection[str]) -> list[str]:
        """Return what a wrong name may have meant, for the first findings only."""
        return nearest(name, choices) if len(self.findings) < MOST_WITH_HINTS else []

    def refuse(self, node: Node, what: str, part: str | None = None) -> None:
        """Report what MuJoCo's compiler refuses."""
        self(rules.mjcf_refused, node, part, what)


class FileReader:
    """Reads the files that one MJCF file is made of.

    Parameters
    ----------
    read
        Returns the document of a file; raises :class:`UnreadableFileError`.
    report
        Takes what is wrong with includes.
    """

    def __init__(self, read: Callable[[Path], Document], report: Reporter) -> None:
        self._read = read
        self.report = report
        self.documents: list[Document] = []
        self._left = MAX_ELEMENTS

    def tree(self, document: Document, callers: tuple[Written, ...] = ()) -> Node:
        """Return the root of a file that has one, with everything that it includes.

        Notes
        -----
        Source: MuJoCo's XML reference, "include": a file is looked for in the folder of the main file, then in that of
        the file that includes it, and included once.
        """
        self.documents.append(document)
        assert document.root is not None
        root = Node(document.root, document, callers)
        folder = None if document.path is None else document.path.absolute().parent
        included = {real_path(document.path)} if document.path is not None else set()
        pending = [root]
        while pending:
            node = pending.pop()
            waiting = [Node(child, node.document, node.callers) for child in reversed(node.element.children)]
            while waiting:
                child = waiting.pop()
                if child.tag != "include":
                    node.children.append(child)
                    pending.append(child)
                    self._left -= 1
                elif (found := self._included(child, folder, included)) is not None:
                    inner = (*child.callers, (child.document, child.element))
                    assert found.root is not None
                    waiting += [Node(each, found, inner) for each in reversed(found.root.children)]
                if self._left <= 0:
                    self.report(too_large, child, None, child.tag, "", f"{MAX_ELEMENTS:,} elements")
                    return root
        return root

    def _included(self, node: Node, folder: Path | None, included: set[Path]) -> Document | None:
        file = node.attributes.get("file", "").strip()
        if not file or node.element.children:
            what = Message("needs the attribute 'file'", "add it") if not file else "cannot have children"
            self.report(rules.mjcf_attributes, node, None, "<include>", what)
            return None
        own = node.document.path
        places = [folder, None if own is None else own.absolute().parent]
        document = self.open(node, file, [place for place in dict.fromkeys(places) if place is not None])
        if document is not None and document.path is not None:
            path = real_path(document.path)
            if path in included:
                self.report(rules.mjcf_include, node, "@file", file, "it is included already, and may be only once")
                return None
            included.add(path)
            self.documents.append(document)
        return document

    def open(self, node: Node, file: str, folders: Sequence[Path]) -> Document | None:
        """Return the document of a file in the first folder that has it, None where there is none; says why not."""
        why = "it can be found only from a file that is saved" if not folders and not is_absolute(file) else ""
        if names_a_server(file) or "\0" in file:
            why = "it is on another computer, or no file name"
        document: Document | None = None
        for path in (folder / file for folder in folders) if not why else ():
            try:
                document = self._read(path)
                break
            except UnreadableFileError as error:
                why = why or message_of(error)
        if document is not None and document.root is None:
            fault = document.diagnostics[0]
            line = f", line {fault.span.line}" if fault.span is not None else ""
            why, document = fault.message + line, None
        if document is None:
            self.report(rules.mjcf_include, node, "@file", file, why)
        return document


#: Types that elements of a class of defaults have, though the class itself does not name or choose them.
_NOT_IN_DEFAULTS = ("name", "class")
#: Characters of a value that a message repeats.
_MOST_SHOWN = 60
_INTEGER = re.compile(r"[+-]?\d+")
#: What is checked to be there; where elements are replicated or attached, only what never gets other names by that.
_NEVER_MADE = ("default", "mesh", "material", "texture", "hfield")
_CHECKED = (*_NEVER_MADE, "body", "joint", "geom", "site", "camera", "light", "tendon", "actuator", "sensor", "frame")
#: What can be named without being an element with a name.
_IMPLIED = {"default": {"main"}, "body": {"world"}}


@cache
def table() -> Mapping[str, Any]:
    """Return the elements of MJCF by the names of their declarations; ``mujoco`` is the root."""
    made: dict[str, Any] = json.loads(resource("mjcf.json").read_text(encoding="utf-8"))
    return made


def numbers_in(text: str) -> tuple[float, ...] | None:
    """Return the numbers in a text, None where something else is in it or one is not finite."""
    try:
        found = tuple(map(float, text.split()))
    except ValueError:
        return None
    return found if all(map(math.isfinite, found)) and "_" not in text else None


@cache
def root_definition() -> ElementDefinition:
    """Return the definition of ``<mujoco>`` with everything in it, for completion and hover."""
    made: dict[str, ElementDefinition] = {}
    pending = ["mujoco"]
    while pending:
        name = pending.pop()
        if name in made:
            continue
        written = table()[name]
        attributes = {
            each: AttributeDefinition(each, _type_in_words(kind), "", "!" in kind.split(), _choices(kind))
            for each, kind in written.get("attributes", {}).items()
        }
        made[name] = ElementDefinition(written["tag"], None, "", "*", attributes=attributes)
        pending += [each.split()[0] for each in written.get("children", {}).values()]
    for name, definition in made.items():
        for tag, child in table()[name].get("children", {}).items():
            definition.children[tag] = made[child.split()[0]]
    return made["mujoco"]


def _choices(kind: str) -> tuple[str, ...]:
    first, *rest = kind.split()
    return tuple(each for each in rest if each not in ("!", "-")) if first in ("enum", "flags") else ()


def _type_in_words(kind: str) -> str:
    first, *rest = kind.split()
    numbers = {"1": first, "3": "vector3", "4": "color" if first == "double" else first}
    if first in ("double", "int"):
        return numbers.get(rest[1], "string")
    return {"enum": "string", "bool": "bool"}.get(first, "string")


def check_tree(root: Node, report: Reporter) -> None:
    """Report what MuJoCo's reader refuses: unknown words, values of the wrong type, names that find nothing."""
    names: dict[str, dict[str, Node]] = {}
    references: list[tuple[Node, str, str]] = []
    pending = [(root, "mujoco", False)]
    makes_names = False
    while pending:
        node, declared, in_default = pending.pop()
        definition = table()[declared]
        makes_names |= node.tag in ("replicate", "attach", "composite", "flexcomp")
        known = definition.get("attributes", {})
        if in_default:
            known = {
                name: kind for name, kind in known.items() if name not in _NOT_IN_DEFAULTS and "-" not in kind.split()
            }
        _check_attributes(node, known, report, in_default=in_default)
        if not in_default:
            for rule in definition.get("rules", ()):
                _check_rule(node, rule, report)
        for name, kind in known.items():
            value = node.attributes.get(name)
            first, *rest = kind.split()
            if value and first == "id":
                _take_name(names, rest[0], value, node, report)
            elif value and first == "ref" and node.tag != "mujoco" and not in_default:
                references.append((node, name, rest[0]))
        _take_file_name(names, node)
        pending += reversed([*_children(node, declared, definition, report)])
    for node, name, kind in references:
        value = node.attributes[name]
        is_known = value in _IMPLIED.get(kind, ()) or value in names.get(kind, {})
        if not is_known and kind in (_NEVER_MADE if makes_names else _CHECKED):
            meant = report.nearest(value, names.get(kind, {}))
            report(rules.mjcf_name_unknown, node, f"@{name}", kind, value, offer_names(meant), meant=meant)


def _children(
    node: Node, declared: str, definition: Mapping[str, Any], report: Reporter
) -> Iterator[tuple[Node, str, bool]]:
    known = definition.get("children", {})
    seen: set[str] = set()
    for child in node.children:
        found = known.get(child.tag)
        if found is None:
            meant = report.nearest(child.tag, known)
            report(rules.mjcf_unknown, child, None, f"<{child.tag}>", node.tag, offer_names(meant), meant=meant)
            continue
        name, cardinality = found.split()
        if cardinality == "?" and child.tag in seen and declared != "default":
            report(rules.mjcf_attributes, child, None, f"<{child.tag}>", f"may be only once in <{node.tag}>")
        seen.add(child.tag)
        yield child, name, declared == "default" and name != "default"


def _check_attributes(node: Node, known: Mapping[str, str], report: Reporter, *, in_default: bool) -> None:
    for name, value in node.attributes.items():
        kind = known.get(name)
        if kind is None:
            meant, what = report.nearest(name, known), f"attribute '{name}'"
            # MuJoCo does not look at attributes of these that it does not know.
            severity = Severity.WARNING if node.tag in ("frame", "replicate") else None
            hint = offer_names(meant)
            report(rules.mjcf_unknown, node, f"@{name}", what, node.tag, hint, meant=meant, severity=severity)
        elif (fault := _fault_of(value, kind)) is not None:
            wanted, meant = fault
            hint, shown = offer_names(meant), value if len(value) <= _MOST_SHOWN else f"{value[:_MOST_SHOWN]}…"
            report(rules.mjcf_bad_value, node, f"@{name}", shown, f"<{node.tag} {name}>", wanted, hint, meant=meant)
    for name, kind in known.items():
        if not in_default and "!" in kind.split() and name not in node.attributes:
            report(
                rules.mjcf_attributes, node, None, f"<{node.tag}>", Message(f"needs the attribute '{name}'", "add it")
            )


def _fault_of(value: str, kind: str) -> tuple[str, list[str]] | None:
    """Return what a value should be, and what it may have meant, None for a valid one."""
    first, *rest = kind.split()
    if first == "bool":
        first, rest = "enum", ["true", "false"]
    if first in ("enum", "flags"):
        choices = _choices(" ".join([first, *rest]))
        words = value.split() if first == "flags" else [value]
        wrong = next((word for word in words if word not in choices), None)
        return None if wrong is None else (f"one of {', '.join(choices)}", nearest(wrong, choices))
    if first not in ("double", "int", "chars"):
        return None
    least, most = rest[0], rest[1]
    if first == "chars":
        is_right = int(least) <= len(value) <= int(most)
        return None if is_right else (f"{least} characters", [])
    words = value.split()
    wanted = "a number" if most == "1" else "numbers" if most == "*" else f"{most} numbers"
    if most not in ("1", "*") and least != most:
        wanted = f"{least} to {most} numbers"
    if first == "int":
        wanted = wanted.replace("a number", "an integer").replace("numbers", "integers")
    is_right = len(words) >= int(least) and (most == "*" or len(words) <= int(most))
    if first == "int" and is_right:
        is_right = all(_INTEGER.fullmatch(word) for word in words)
    return None if is_right and numbers_in(value) is not None else (wanted, [])


def _check_rule(node: Node, rule: str, report: Reporter) -> None:
    """Check which attributes may, or must, be there together."""
    kind, *bundles = rule.split()
    written = node.attributes
    whole = [each for each in bundles if all(name in written for name in each.split("+"))]
    if kind == "exclusive":
        present = [each for each in bundles if any(name in written for name in each.split("+"))]
        if len(present) > 1:
            names = [name for each in present for name in each.split("+") if name in written]
            report(
                rules.mjcf_attributes, node, f"@{names[-1]}", f"<{node.tag}>", f"has {' and '.join(names)}: keep one"
            )
    elif kind == "oneof" and not whole:
        choices = " or ".join(each.replace("+", " and ") for each in bundles)
        report(rules.mjcf_attributes, node, None, f"<{node.tag}>", Message(f"needs {choices}", "add it"))
    elif (kind == "together" and 0 < len(whole) < len(bundles)) or (kind == "requires" and whole == bundles[:1]):
        missing = next(name for name in bundles if name not in written)
        report(
            rules.mjcf_attributes,
            node,
            None,
            f"<{node.tag}>",
            Message(f"needs the attribute '{missing}' too", "add it"),
        )


def _take_name(names: dict[str, dict[str, Node]], kind: str, name: str, node: Node, report: Reporter) -> None:
    other = names.setdefault(kind, {}).setdefault(name, node)
    if other is not node and not (kind == "default" and name == "main"):
        report(rules.mjcf_name_repeated, node, "@name", kind, name)


def _take_file_name(names: dict[str, dict[str, Node]], node: Node) -> None:
    """Note the name of an asset that is called as its file."""
    file = node.attributes.get("file", "")
    if file and "name" not in node.attributes and node.tag in ("mesh", "hfield", "texture", "skin", "model"):
        names.setdefault(node.tag, {}).setdefault(stem_of(file), node)


def stem_of(file: str) -> str:
    """Return the name of a file without folders and suffix, as MuJoCo calls an asset without a name."""
    name = re.split(r"[/\\]", file)[-1]
    return name.rpartition(".")[0] or name
