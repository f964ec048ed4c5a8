"""``<experimental:params>``: changes of an include to the included model.

The changes are made as edits of the included text, on a copy of the document that only the include sees. Removed text
leaves its line ends behind and new text is written on one line, so that line numbers stay those of the file.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple, TypeAlias

from sdfviewer.diagnostics import Replacement, Rule
from sdfviewer.document.document import Document
from sdfviewer.document.edits import set_attribute, set_text
from sdfviewer.document.element import Element
from sdfviewer.document.tables import ElementDefinition, table
from sdfviewer.model.findings import ElementPart, Finding, Source
from sdfviewer.model.values import parse_bool
from sdfviewer.validation import file_rules as rules
from sdfviewer.versions import NEWEST

_ACTIONS = ("add", "modify", "remove", "replace")
#: What a change says of itself.
OWN_ATTRIBUTES = ("element_id", "action")
#: Returns the document that an ``<include>`` of a document names, None if there is none.
OpenIncluded: TypeAlias = Callable[[Document, Element], "Document | None"]


class ParameterChange(NamedTuple):
    """One child of ``<experimental:params>``.

    Attributes
    ----------
    element
        The child.
    path
        Names that lead to its target from the included model; None where it gives none.
    including, source
        The document it is in, and how findings name that document.
    is_placed
        Whether the pose of the model that it changes is that of an include, which is changed there.
    """

    element: Element
    path: tuple[str, ...] | None
    including: Document
    source: Source
    is_placed: bool = False


class ChangedDocument(Document):
    """An included document with the changes that an include makes.

    Attributes
    ----------
    original
        It without them.
    """

    original: Document


def read_changes(include: Element, including: Document, source: Source) -> list[ParameterChange]:
    """Return the changes that an ``<include>`` asks for."""
    params = next((child for child in include.children if child.tag == "experimental:params"), None)
    changes = []
    for element in params.children if params is not None else ():
        written = element.attributes.get("element_id")
        path = None if written is None else tuple(written.split("::")) if written else ()
        changes.append(ParameterChange(element, path, including, source))
    return changes


def apply_params(
    document: Document, changes: Iterable[ParameterChange], opened: OpenIncluded
) -> tuple[Document, list[Finding], dict[int, list[ParameterChange]]]:
    """Return an included document with changes made, what is wrong with them, and those that go further down.

    Parameters
    ----------
    document
        The included file; its first model is changed.
    changes
        The changes, in order.
    opened
        Opens what the included file includes.

    Returns
    -------
    tuple
        The changed document; findings; for includes in that document, by the element's identity, the changes of what
        they include.

    Notes
    -----
    Source: libsdformat, src/ParamPassing.cc.
    """
    editor = _Editor(document, opened)
    for change in changes:
        editor.change(change)
    model = included_model(editor.document)
    further: dict[int, list[ParameterChange]] = {}
    for path, change in editor.further:
        found = find_include(editor.document, model, path, opened)
        if found is not None:
            further.setdefault(id(found[0]), []).append(change)
    changed = object.__new__(ChangedDocument)
    changed.__dict__.update(editor.document.__dict__, original=document)
    return changed, editor.findings, further


def included_model(document: Document) -> Element | None:
    """Return the element that an include of a document adds."""
    return next(iter(models_to_include(document)), None)


def models_to_include(document: Document) -> list[Element]:
    """Return the models of a document, then its actors, then its lights: an include adds the first of them."""
    root = document.root
    return [] if root is None else [child for tag in ("model", "actor", "light") for child in root.findall(tag)]


def find_include(
    document: Document, model: Element | None, path: Sequence[str], opened: OpenIncluded
) -> tuple[Element, int] | None:
    """Return the ``<include>`` of a model that brings what names lead to, and how many of them name its model.

    A model has the name that its include gives it, or its own; what is merged is named without it.
    """
    for include in model.findall("include") if model is not None else ():
        is_merged = parse_bool(include.attributes.get("merge", ""))
        name = include.text_of("name")
        inner = None
        if is_merged or not name:
            found = opened(document, include)
            inner = None if found is None else included_model(found)
        if is_merged:
            children = inner.children if inner is not None else ()
            if any(each.attributes.get("name") == path[0] for each in children):
                return include, 0
        elif (name or (inner.attributes.get("name") if inner is not None else "")) == path[0]:
            return include, 1
    return None


class _Editor:
    """Makes changes one after the other; each looks its target up again."""

    def __init__(self, document: Document, opened: OpenIncluded) -> None:
        self.document = document
        self.findings: list[Finding] = []
        #: What goes further down, with the names that lead there from this model.
        self.further: list[tuple[list[str], ParameterChange]] = []
        self._opened = opened
        self._including = document
        self._source: Source = None
        self._is_placed = False

    def change(self, request: ParameterChange) -> None:
        """Make one change."""
        self._including, self._source, self._is_placed = request.including, request.source, request.is_placed
        change = request.element
        if request.path is None:
            self._report(rules.param_attribute_missing, change, "element_id", change.tag)
            return
        path = list(request.path)
        if path and not path[-1]:
            self._report(rules.param_attribute_invalid, change, f"the element_id '{'::'.join(path)}' ends with '::'")
            return
        action = change.attributes.get("action")
        model = included_model(self.document)
        found = None
        if path and self._child_named(model, path[0]) is None:
            found = find_include(self.document, model, path, self._opened)
        if found is not None and self._pass_on(request, path, *found):
            return
        if action is not None and action not in _ACTIONS:
            self._report(rules.param_attribute_invalid, change, f"there is no action '{action}'")
            return
        if action == "add":
            self._add(change, path)
            return
        target = self._find(path, change.tag)
        if target is None:
            self._report(rules.param_not_found, change, f"<{change.tag}> '{'::'.join(path)}'")
        elif action is None:
            if self._is_defined(change, change.tag):
                self._change_children(change, path)
        else:
            self._act(action, change, target)

    def _pass_on(self, request: ParameterChange, path: list[str], include: Element, steps: int) -> bool:
        """Let an include make a change of what it brings; return whether there is nothing to do here."""
        change, rest = request.element, tuple(path[steps:])
        action = change.attributes.get("action")
        if rest or action == "add":
            self.further.append((path, request._replace(path=rest)))
            return True
        if change.tag != "model" or action not in (None, "modify", "remove", "replace"):
            return False
        if action in ("remove", "replace"):
            self._act(action, change, include)
            return True
        placed = include.find("pose")
        if placed is not None:  # it counts in place of that of the model
            for inner in change.findall("pose"):
                done = action or inner.attributes.get("action")
                if done in ("modify", "replace"):
                    self._act(done, inner, placed)
        self.further.append((path, request._replace(path=(), is_placed=placed is not None)))
        return True

    def _act(self, action: str, change: Element, target: Element) -> None:
        if action == "modify":
            self._modify(change, target)
        elif action == "remove":
            self._remove(change, target)
        elif self._is_defined(change, change.tag):
            self._replace(change, target)

    def _add(self, change: Element, path: list[str]) -> None:
        name = change.attributes.get("name")
        if name is None:
            self._report(rules.param_attribute_missing, change, "name", change.tag)
        elif not name:
            self._report(rules.param_attribute_invalid, change, "the name is empty")
        elif change.tag != "plugin" and self._find([*path, name], change.tag) is not None:
            self._report(rules.param_exists, change, "::".join((*path, name)))
        else:
            parent = self._find(path, "")
            if parent is None:
                self._report(rules.param_not_found, change, f"the parent '{'::'.join(path)}'")
            elif self._is_defined(change, change.tag):
                self._insert(change, parent)

    def _change_children(self, change: Element, path: list[str]) -> None:
        """Make changes that each say by themselves what they do."""
        for inner in self._inner(change):
            target = self._find(path, change.tag)
            action = inner.attributes.get("action")
            if action is None:
                self._report(rules.param_attribute_missing, inner, "action", inner.tag)
            elif action not in _ACTIONS:
                self._report(rules.param_attribute_invalid, inner, f"there is no action '{action}'")
            elif target is None:
                self._report(rules.param_not_found, inner, f"<{change.tag}> '{'::'.join(path)}'")
            elif action == "add":
                if self._is_defined(inner, inner.tag, change.tag):
                    self._insert(inner, target)
            else:
                child = self._child(target, inner, any_name=action == "modify")
                if child is None:
                    self._report(rules.param_not_found, inner, f"<{inner.tag}> inside <{change.tag}>")
                elif action == "replace" and "name" in child.attributes and "name" not in inner.attributes:
                    self._report(rules.param_attribute_missing, inner, "name", inner.tag)
                else:
                    self._act(action, inner, child)

    def _inner(self, change: Element) -> Sequence[Element]:
        """Return what a change says of the children of its target, without what has been done at an include."""
        is_done = self._is_placed and "element_id" in change.attributes
        return [each for each in change.children if each.tag != "pose"] if is_done else change.children

    def _modify(self, change: Element, target: Element) -> None:
        """Take attributes, text and children over from ``change``."""
        address = self.document.address(target)
        definition = self._definition(target)
        for name, value in change.attributes.items():
            if name in OWN_ATTRIBUTES:
                continue
            if definition is not None and name not in definition.attributes and ":" not in name:
                self._report(rules.param_attribute_invalid, change, f"<{change.tag}> has no attribute '{name}'")
            else:
                self._edit(set_attribute(self.document, self.document.element(address), name, value))
        if change.text.strip():
            self._set_text(change, address, definition)
            return
        for inner in self._inner(change):
            target = self.document.element(address)
            child = self._child(target, inner, any_name=True)
            if child is None:
                self._report(rules.param_not_found, inner, f"<{inner.tag}> inside <{change.tag}>")
                continue
            inner_definition = self._definition(child)
            if not inner.text.strip() and not inner.children:  # back to the default
                if inner_definition is None or inner_definition.type is None:
                    continue
                inside = self.document.address(child)
                self._edit(set_text(self.document, child, inner_definition.default))
                child = self.document.element(inside)
            self._modify(inner, child)

    def _set_text(self, change: Element, address: tuple[int, ...], definition: ElementDefinition | None) -> None:
        fault = definition.check(change.text, change.attributes) if definition is not None else None
        if fault is not None and not fault.accepted:
            self._report(rules.param_value_invalid, change, f"<{change.tag}>: " + fault.message)
        else:
            self._edit(set_text(self.document, self.document.element(address), change.text.strip()))

    def _remove(self, change: Element, target: Element) -> None:
        if not change.children:
            self._edit((self._blank(target),))
            return
        address = self.document.address(target)
        for inner in change.children:
            child = self._child(self.document.element(address), inner)
            if child is None:
                self._report(rules.param_not_found, inner, f"<{inner.tag}> inside <{change.tag}>")
            else:
                self._edit((self._blank(child),))

    def _replace(self, change: Element, target: Element) -> None:
        blank = self._blank(target)
        self._edit((Replacement(blank.start, blank.end, self._source_of(change) + blank.text),))

    def _insert(self, change: Element, parent: Element) -> None:
        xml = self._source_of(change)
        if parent.end_length:
            _, at = self.document.content_offsets(parent)
            self._edit((Replacement(at, at, xml),))
            return
        start, end = self.document.offsets(parent, "element")
        slash = self.document.text.rindex("/", start, end)
        self._edit((Replacement(slash, end, f">{xml}</{parent.tag}>"),))

    def _edit(self, replacements: tuple[Replacement, ...]) -> None:
        self.document = self.document.edited(replacements)

    def _blank(self, element: Element) -> Replacement:
        """Return the edit that takes an element out and leaves its line ends."""
        start, end = self.document.offsets(element, "element")
        return Replacement(start, end, re.sub(r"[^\r\n]", "", self.document.text[start:end]))

    def _source_of(self, change: Element) -> str:
        """Return an element of the including file as one line of XML, without the attributes that say what to do."""
        start, end = self._including.offsets(change, "element")
        text = self._including.text[start:end]
        tag = re.sub(rf"""\s({"|".join(OWN_ATTRIBUTES)})\s*=\s*("[^"]*"|'[^']*')""", "", text[: change.start_length])
        return re.sub(r"\s*[\r\n]\s*", " ", tag + text[change.start_length :])

    def _find(self, path: list[str], tag: str) -> Element | None:
        """Return the element that names lead to from the model; the last one is a ``tag`` if that is not empty."""
        element = included_model(self.document)
        for number, name in enumerate(path):
            last = number == len(path) - 1
            element = next(
                (
                    child
                    for child in (element.children if element is not None else ())
                    if child.attributes.get("name") == name and (not last or not tag or child.tag == tag)
                ),
                None,
            )
        return element

    @staticmethod
    def _child_named(parent: Element | None, name: str) -> Element | None:
        children = parent.children if parent is not None else ()
        return next((child for child in children if child.attributes.get("name") == name), None)

    @staticmethod
    def _child(parent: Element, change: Element, any_name: bool = False) -> Element | None:
        """Return the child that a change means: by tag, and by name where it gives one."""
        children = parent.findall(change.tag)
        name = change.attributes.get("name")
        named = next((child for child in children if child.attributes.get("name") == name), None) if name else None
        if name and (named is not None or not any_name):
            return named
        return children[0] if children else None

    def _definition(self, element: Element) -> ElementDefinition | None:
        tags: list[str] = []
        walk: Element | None = element
        while walk is not None and walk is not self.document.root:
            tags.append(walk.tag)
            walk = self.document.parent(walk)
        return table(NEWEST).element("/".join(reversed(tags)))

    def _is_defined(self, change: Element, tag: str, parent: str = "") -> bool:
        known = _children_of(parent) if parent else _all_tags()
        if tag not in known:
            self._report(rules.param_value_invalid, change, f"SDFormat has no <{tag}> here")
        return tag in known

    def _report(self, rule: Rule, change: Element, *what: str) -> None:
        self.findings.append(Finding(rule, ElementPart(self._source, change), rule.format(*what)))


@lru_cache(maxsize=1)
def _definitions() -> dict[str, set[str]]:
    """Return the tags of all elements and, for each, those of the elements allowed in it."""
    found: dict[str, set[str]] = {}
    seen: set[int] = set()
    stack = [table(NEWEST).root]
    while stack:
        definition = stack.pop()
        if id(definition) in seen:
            continue
        seen.add(id(definition))
        found.setdefault(definition.tag, set()).update(definition.children)
        stack.extend(definition.children.values())
    return found


def _all_tags() -> set[str]:
    return set(_definitions())


def _children_of(tag: str) -> set[str]:
    return _definitions().get(tag, set())
