"""Override what an included file writes, in ``<experimental:params>`` of the include: that file stays as it is.

What is overridden is found out by comparison: an edit of the included text, as the include sees it, says which elements
differ, and each is written as the change that makes it of what the file has.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from sdfviewer.diagnostics import Replacement
from sdfviewer.document.document import Document
from sdfviewer.document.edits import (
    Edit,
    Replacements,
    element_source,
    format_attribute,
    insert_child,
    remove_element,
    replace_element,
)
from sdfviewer.document.element import Element
from sdfviewer.document.xml.parse import escape
from sdfviewer.formats.registry import has_versions
from sdfviewer.formats.sdformat.params import OWN_ATTRIBUTES, included_model
from sdfviewer.formats.written_rows import IncludedDocument, in_included_file
from sdfviewer.model.kinds import Kind
from sdfviewer.model.model import Model
from sdfviewer.model.values import parse_numbers
from sdfviewer.refactoring.editable import RefactoringError
from sdfviewer.refactoring.pose_notation import Notation
from sdfviewer.refactoring.pose_writing import set_pose_numbers
from sdfviewer.versions import format_version

PARAMS = "experimental:params"
_NAMESPACE = "http://sdformat.org/schemas/experimental"
#: First version of SDFormat whose includes have parameters.
_FIRST = (1, 8)
#: What has a pose that an include can override.
_POSED = frozenset(
    {Kind.LINK, Kind.JOINT, Kind.FRAME, Kind.MODEL, Kind.VISUAL, Kind.COLLISION, Kind.SENSOR, Kind.LIGHT}
)


def why_not_overridden(model: Model, row: int) -> str | None:
    """Return why the pose of a thing cannot be overridden in an include, None where it can."""
    include = model.include_of(row)
    name = model.local_names[row]
    if include is None:
        return f"'{name}' is not in a model that this file includes"
    if model.kinds[row] not in _POSED:
        return f"a {model.kinds[row].value} has no pose that an include could override"
    if model.version < _FIRST:
        return f"includes have parameters from SDFormat {format_version(_FIRST)} on; convert the file first"
    if in_included_file(model, [row]) is None or not has_versions(model.document_of(row)):
        return f"'{name}' is not written in SDFormat; an include can override only that"
    return None


def override_pose(model: Model, row: int, numbers: str) -> Edit:
    """Return the edit by which an include gives something in its model another pose.

    Parameters
    ----------
    numbers
        ``x y z roll pitch yaw`` in metres and radians, measured as the pose in the included file is.

    Raises
    ------
    RefactoringError
        If that is not possible.
    """
    seen = in_included_file(model, [row])
    if (why := why_not_overridden(model, row)) is not None or seen is None:
        raise RefactoringError(why or "")
    return override(set_pose_numbers(seen, row, parse_numbers(numbers) or (), Notation.RADIANS))


@dataclass(frozen=True)
class ChangedElement:
    """An element of an included model that an edit changes, itself without what is in it that has a name.

    Attributes
    ----------
    path
        Names that lead to it from the model.
    before, after
        What it is; None where it is not there.
    """

    path: tuple[str, ...]
    before: Element | None
    after: Element | None

    @property
    def tag(self) -> str:
        """Its tag."""
        element = self.before or self.after
        assert element is not None
        return element.tag


def changed_elements(before: Document, after: Document, names: Mapping[int, str]) -> list[ChangedElement]:
    """Return what an edit changes in the model of an included file, from outside.

    Parameters
    ----------
    names
        How the models are called that includes in it bring, by the identities of these elements before.

    Raises
    ------
    RefactoringError
        If it changes something else.
    """
    a, b = included_model(before), included_model(after)
    if a is None or b is None or a.tag != b.tag:
        raise RefactoringError("the file holds no model then")
    return list(_changed(a, b, (), names))


def _changed(a: Element, b: Element, path: tuple[str, ...], names: Mapping[int, str]) -> Iterator[ChangedElement]:
    if a is b:
        return
    pairs = list(_paired(a, b))
    own = a.attributes != b.attributes or a.text.strip() != b.text.strip()
    inner = list[ChangedElement]()
    for x, y in pairs:
        if x is y or (x is not None and y is not None and _is_equal(x, y)):
            continue
        name = (x or y or a).attributes.get("name")
        if x is not None and y is not None and (brought := names.get(id(x))):
            inner.append(ChangedElement((*path, brought), x, y))
        elif name and x is not None and y is not None:
            inner += _changed(x, y, (*path, name), names)
        elif name and not path:  # of the model, only what has a name can be named
            inner.append(ChangedElement((name,), x, y))
        else:
            own = True
    if own:
        yield ChangedElement(path, a, b)
    yield from inner


def _paired(a: Element, b: Element) -> Iterator[tuple[Element | None, Element | None]]:
    """Yield the children of two elements, those with the same tag and name together, in the order of the second."""
    left = _keyed(a.children)
    for key, child in _keyed(b.children).items():
        yield left.pop(key, None), child
    for child in left.values():
        yield child, None


def _keyed(children: Iterable[Element]) -> dict[tuple[str, str | None, int], Element]:
    counts: Counter[tuple[str, str | None]] = Counter()
    keyed = {}
    for child in children:
        key = child.tag, child.attributes.get("name")
        keyed[(*key, counts[key])] = child
        counts[key] += 1
    return keyed


def _is_equal(a: Element, b: Element) -> bool:
    if a is b:
        return True
    same = a.tag == b.tag and a.attributes == b.attributes and a.text.strip() == b.text.strip()
    return same and len(a.children) == len(b.children) and all(map(_is_equal, a.children, b.children))


def own_changes(a: Element, b: Element) -> Iterator[tuple[Element | None, Element | None]]:
    """Yield what differs in two states of an element, child by child, without what is a :class:`ChangedElement`."""
    for old, new in _paired(a, b):
        is_named = old is not None and new is not None and bool(old.attributes.get("name"))
        if not is_named and not _is_same_child(old, new):
            yield old, new


def find_named(model: Element | None, path: Sequence[str], tag: str = "") -> Element | None:
    """Return the element that names lead to from a model, the model for none; the last one is a ``tag`` if given."""
    for number, name in enumerate(path):
        children = model.children if model is not None else ()
        is_last = number == len(path) - 1
        named = (each for each in children if each.attributes.get("name") == name)
        model = next((each for each in named if not tag or not is_last or each.tag == tag), None)
    return model


# --- as params ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Change:
    """A child of a change in params: what is done to a child of its target."""

    tag: str
    action: str
    attributes: tuple[tuple[str, str], ...] = ()
    content: str = ""

    def xml(self, *, with_action: bool = True) -> str:
        """Return it as XML; its action is left out where the element around it says it."""
        action = (("action", self.action),) if with_action else ()
        start = "".join(f" {format_attribute(*each)}" for each in (*action, *self.attributes))
        if not self.content:
            return f"<{self.tag}{start}/>"
        return f"<{self.tag}{start}>{self.content}</{self.tag}>"


def override(edit: Edit) -> Edit:
    """Return the edit by which an include does what an edit of the included text says.

    Parameters
    ----------
    edit
        Of an :class:`~sdfviewer.formats.written_rows.IncludedDocument`.

    Raises
    ------
    RefactoringError
        If an include cannot say that.
    """
    seen = edit.document
    assert isinstance(seen, IncludedDocument)
    model = seen.including
    include = model.include_of(seen.rows[0])
    if include is None:
        raise RefactoringError("the include is not written in this file")
    if model.version < _FIRST:
        first = format_version(_FIRST)
        raise RefactoringError(f"includes have parameters from SDFormat {first} on; convert the file first")
    if not has_versions(seen):
        raise RefactoringError("an include can override only what is written in SDFormat")
    after = seen.edited(edit.replacements)
    inside = _names_to(model, include, seen.include)
    writer = _ParamsWriter(model.document, model.elements[include])
    includes = {id(model.elements[row]): row for row in seen.rows if model.elements[row].tag == "include"}
    names = {element: model.local_names[row] for element, row in includes.items()}
    for changed in changed_elements(seen, after, names):
        before, path = changed.before, (*inside, *changed.path)
        if before is not None and id(before) in includes:
            brought = model.scope.included_models.get(includes[id(before)])
            writer.place(path, changed, None if brought is None else brought.element)
        else:
            there = find_named(included_model(seen.original), changed.path, changed.tag)
            writer.write(path, after, there, changed)
    one = "::".join(writer.paths[0]) if len(writer.paths) == 1 else model.local_names[include]
    return Edit(f"Override {one} in the include", model.document, writer.replacements())


def _names_to(model: Model, outer: int, inner: int) -> tuple[str, ...]:
    """Return the names that lead from the model of one include to that of another in it."""

    def holder(include: int) -> int:
        return include if model.kinds[include] is Kind.MODEL else int(model.owners[include])

    if outer == inner or holder(outer) == holder(inner):
        return ()
    return tuple(model.names[holder(inner)].removeprefix(model.member_prefix(holder(outer))).split("::"))


class _ParamsWriter:
    """Writes changes into the params of an include."""

    def __init__(self, document: Document, include: Element) -> None:
        self._document, self._include = document, include
        self._params = include.find(PARAMS)
        self._new: list[str] = []
        self._edits: Replacements = ()
        #: The elements that are changed.
        self.paths: list[tuple[str, ...]] = []

    def write(self, path: tuple[str, ...], after: Document, original: Element | None, changed: ChangedElement) -> None:
        """Say what becomes of one element; ``original`` is what it is without params."""
        self.paths.append(path)
        new = changed.after
        target = new or changed.before
        assert target is not None
        named = f"{target.tag} {format_attribute('element_id', '::'.join(path))}"
        existing = self._existing(path, target.tag)
        if new is None:
            for each in existing:
                self._take_out(each)
            if original is not None:
                self._new.append(f'<{named} action="remove"/>')
            return
        if changed.before is None or original is None:
            if existing:
                self._edits += replace_element(self._document, existing[0], self._added(after, new, path))
            else:
                self._new.append(self._added(after, new, path))
            return
        if not path:
            what = ", ".join(dict.fromkeys(_differing(changed.before, new))) or "that"
            raise RefactoringError(f"an include cannot override {what} of the model itself")
        self._modify(path, named, after, original, changed, existing)

    def place(self, path: tuple[str, ...], changed: ChangedElement, included: Element | None) -> None:
        """Say that what an include brings, a model of its own, is placed otherwise."""
        self.paths.append(path)
        before, after = changed.before, changed.after
        assert before is not None
        assert after is not None
        if what := [each for each in _differing(before, after) if each != "<pose>"]:
            raise RefactoringError(f"an include can place what is included in its model, not change its {what[0]}")
        pose, written = after.find("pose"), before.find("pose") or (included and included.find("pose"))
        if pose is None:
            raise RefactoringError("an include can place what is included in its model, not take its <pose> out")
        action = "add" if written is None else "modify"
        change = _Change("pose", action, tuple(pose.attributes.items()), escape(pose.value))
        existing = self._existing(path, "model")
        plain = next((each for each in existing if "action" not in each.attributes), None)
        if plain is None:
            named = f"model {format_attribute('element_id', '::'.join(path))}"
            self._new.append(f"<{named}>\n  {change.xml()}\n</model>")
        elif (old := plain.find("pose")) is not None:
            kept = replace(change, action=old.attributes.get("action", action))
            self._edits += replace_element(self._document, old, kept.xml())
        else:
            self._edits += insert_child(self._document, plain, change.xml())

    def _added(self, after: Document, new: Element, path: tuple[str, ...]) -> str:
        source = element_source(after, new)
        start = source[: new.start_length]
        at = 1 + len(new.tag)
        own = f' {format_attribute("element_id", "::".join(path[:-1]))} action="add"'
        return start[:at] + own + start[at:] + source[new.start_length :]

    def _modify(
        self,
        path: tuple[str, ...],
        named: str,
        after: Document,
        original: Element,
        changed: ChangedElement,
        existing: list[Element],
    ) -> None:
        before, new = changed.before, changed.after
        assert before is not None
        assert new is not None
        if gone := [name for name in original.attributes if name not in new.attributes]:
            raise RefactoringError(f"an include can change the attribute '{gone[0]}', but not take it out")
        if new.attributes != before.attributes:
            self._write_attributes(named, original, new, existing)
        lines: list[str] = []
        for old, child in own_changes(before, new):
            tag = (old or child or new).tag
            name = (old or child or new).attributes.get("name")
            if name is None and child is not None and new.find(tag) is not child:
                raise RefactoringError(f"an include can override only the first <{tag}> of '{'::'.join(path)}'")
            first = next((each for each in original.findall(tag) if each.attributes.get("name") == name), None)
            lines += self._write_child(after, first, child, tag, name, existing)
        if lines:
            plain = next((each for each in existing if "action" not in each.attributes), None)
            if plain is not None:
                for line in lines:
                    self._edits += insert_child(self._document, plain, line)
            else:
                inner = "\n".join("  " + line.replace("\n", "\n  ") for line in lines)
                self._new.append(f"<{named}>\n{inner}\n</{named.partition(' ')[0]}>")

    def _write_attributes(self, named: str, original: Element, new: Element, existing: list[Element]) -> None:
        changes = [(key, value) for key, value in new.attributes.items() if original.attributes.get(key) != value]
        attributes = "".join(f" {format_attribute(*each)}" for each in changes)
        own = next((each for each in existing if each.attributes.get("action") == "modify"), None)
        if own is None:
            self._new += [f'<{named} action="modify"{attributes}/>'] if changes else []
        elif not changes and not own.children:
            self._take_out(own)
        else:
            start, end = self._document.offsets(own)
            tail = "/>" if own.end_length == 0 else ">"
            self._edits += (Replacement(start, end, f'<{named} action="modify"{attributes}{tail}'),)

    def _write_child(
        self,
        after: Document,
        original: Element | None,
        new: Element | None,
        tag: str,
        name: str | None,
        existing: list[Element],
    ) -> list[str]:
        """Write what becomes of a child where the params already change it; else return the lines that say it."""
        change = _change(after, original, new, tag, name)
        for each in existing:
            old = next((inner for inner in each.findall(tag) if inner.attributes.get("name") == name), None)
            action = each.attributes.get("action")
            if action in ("add", "replace"):  # it is the element itself
                full = None if new is None else element_source(after, new)
                if full is None:
                    self._edits += () if old is None else remove_element(self._document, old)
                elif old is None:
                    self._edits += insert_child(self._document, each, full)
                else:
                    self._edits += replace_element(self._document, old, full)
                return []
            if old is None or (action == "modify" and change is not None and change.action != "modify"):
                continue
            if change is None:
                self._take_out(old)
            else:
                xml = change.xml(with_action=action is None)
                self._edits += replace_element(self._document, old, xml)
            return []
        return [] if change is None else [change.xml()]

    def _existing(self, path: tuple[str, ...], tag: str) -> list[Element]:
        """Return the changes that the params already make of an element."""
        name, found = "::".join(path), []
        for each in self._params.findall(tag) if self._params is not None else ():
            own = each.attributes.get("element_id")
            if each.attributes.get("action") == "add":
                own = "::".join(filter(None, (own, each.attributes.get("name"))))
            if own == name:
                found.append(each)
        return found

    def _take_out(self, element: Element) -> None:
        """Take a change out, with what would be empty around it."""
        around = self._document.parent(element)
        while around is not None and around is not self._include and len(around.children) == 1:
            element, around = around, self._document.parent(around)
        self._edits += remove_element(self._document, element)

    def replacements(self) -> Replacements:
        """Return the edit of the file."""
        edits, document = self._edits, self._document
        if not self._new:
            return edits
        xml = "\n".join(self._new)
        if self._params is not None:
            for each in self._new:
                edits += insert_child(document, self._params, each)
            return edits
        is_declared = document.root is not None and "xmlns:experimental" in document.root.attributes
        namespace = "" if is_declared else f" {format_attribute('xmlns:experimental', _NAMESPACE)}"
        inner = xml.replace("\n", "\n  ")
        return insert_child(document, self._include, f"<{PARAMS}{namespace}>\n  {inner}\n</{PARAMS}>")


def _is_same_child(old: Element | None, new: Element | None) -> bool:
    return old is new or (old is not None and new is not None and _is_equal(old, new))


def _differing(a: Element, b: Element) -> Iterator[str]:
    """Yield in words what differs between two elements, without what has a name."""
    for name in (*a.attributes, *b.attributes):
        if a.attributes.get(name) != b.attributes.get(name):
            yield f"'{name}'"
    yield from (f"<{child.tag}>" for old, new in own_changes(a, b) if (child := old or new) is not None)


def _change(
    after: Document, original: Element | None, new: Element | None, tag: str, name: str | None
) -> _Change | None:
    """Return the change that makes an element of what the file has; None where nothing is to be changed."""
    own = () if name is None else (("name", name),)
    if new is None:
        return None if original is None else _Change(tag, "remove", own)
    attributes = tuple((key, value) for key, value in new.attributes.items() if key not in OWN_ATTRIBUTES)
    source = element_source(after, new)
    content = source[new.start_length : len(source) - new.end_length] if new.end_length else ""
    if original is None:
        return _Change(tag, "add", attributes, content)
    if _is_equal(original, new):
        return None
    sparse = _modification(original, new)
    return _Change(tag, "replace", attributes, content) if sparse is None else sparse


def _modification(a: Element, b: Element) -> _Change | None:
    """Return the change that only sets texts and attributes, None where that is not all."""
    if any(name not in b.attributes for name in a.attributes):
        return None
    attributes = tuple((key, value) for key, value in b.attributes.items() if a.attributes.get(key) != value)
    if not a.children and not b.children:
        return _Change(b.tag, "modify", attributes, escape(b.value))  # without its text it would get its default
    inner: list[str] = []
    for old, new in _paired(a, b):
        if old is None or new is None:
            return None
        if _is_equal(old, new):
            continue
        change = _modification(old, new)
        is_first = b.findall(new.tag)[0] is new or "name" in new.attributes
        if change is None or not is_first:
            return None
        inner.append(change.xml(with_action=False))
    return _Change(b.tag, "modify", attributes, "".join(inner))
