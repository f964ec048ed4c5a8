"""Which fields of two typed records, and which parts of two elements, have other values."""

from __future__ import annotations

import math
import posixpath
import re
from collections.abc import Callable, Collection, Iterator
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

from sdfviewer.document.element import Element
from sdfviewer.model.values import format_number, parse_numbers

#: Numbers that differ by less than this part of the larger one, or by less than `ABSOLUTE`, are the same.
RELATIVE = 1e-9
#: In the unit of the number: what is left of zero after a few products.
ABSOLUTE = 1e-12
#: Where a word of the name of a class begins.
_CAPITAL = re.compile(r"(?<=[a-z])(?=[A-Z])")
#: Fields that name a file.
_FILES = frozenset({"uri", "texture", "skin", "filename", "normal_map", "diffuse_map", "uris"})


class Values(NamedTuple):
    """A property with two values in words, None for the one that is not there."""

    name: str
    before: str | None
    after: str | None


#: Whether two texts mean the same: names that are renamed, URIs that lead to one file.
SameText: TypeAlias = Callable[[str, str], bool]


def same_number(a: float, b: float) -> bool:
    """Return whether two numbers are the same within the tolerances; so are two NaN, and two equal infinities."""
    if a == b or (math.isnan(a) and math.isnan(b)):
        return True
    return math.isclose(a, b, rel_tol=RELATIVE, abs_tol=ABSOLUTE)


def same_file(a: str, b: str, folder_a: Path | None, folder_b: Path | None) -> bool:
    """Return whether two URIs name one file: as they are written, or by where they lead from their folders."""
    if a == b:
        return True
    if not a or not b:
        return False
    return _target(a, folder_a) == _target(b, folder_b)


def _target(uri: str, folder: Path | None) -> str:
    for scheme in ("model://", "package://"):
        if uri.startswith(scheme):
            return "model://" + posixpath.normpath(uri[len(scheme) :])
    path = uri.removeprefix("file://")
    if "://" in path or folder is None or path.startswith("/"):
        return path
    return posixpath.normpath(posixpath.join(folder.as_posix(), path))


def record_differences(a: Any, b: Any, same_uri: SameText, name: str = "") -> Iterator[Values]:
    """Yield the fields of two records of contents that differ, those of records in them by ``field.field``.

    Fields that count for nothing when records are compared, such as the element, are left out.
    """
    if type(a) is not type(b) or not is_dataclass(a):
        if not _same(a, b, same_uri, is_file=name.rpartition(".")[2] in _FILES):
            yield Values(name, shown(a), shown(b))
        return
    for each in fields(a):
        if each.compare and each.name != "file":
            path = f"{name}.{each.name}" if name else each.name
            yield from record_differences(getattr(a, each.name), getattr(b, each.name), same_uri, path)


def _same(a: Any, b: Any, same_uri: SameText, *, is_file: bool) -> bool:
    if isinstance(a, (int, float)) and isinstance(b, (int, float)):
        return same_number(a, b)
    if isinstance(a, str) and isinstance(b, str):
        return same_uri(a, b) if is_file else a == b
    if isinstance(a, tuple) and isinstance(b, tuple):
        return len(a) == len(b) and all(_same(*pair, same_uri, is_file=is_file) for pair in zip(a, b, strict=True))
    if is_dataclass(a) and type(a) is type(b):
        return next(record_differences(a, b, same_uri), None) is None
    return bool(a == b)


def shown(value: object) -> str | None:
    """Return a value in words, None for what is not there."""
    if value is None or value in ("", ()):
        return None
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        return format_number(value)
    if isinstance(value, tuple):
        return " ".join(shown(each) or "-" for each in value)
    if is_dataclass(value):
        words = [_CAPITAL.sub(" ", type(value).__name__).lower()]
        for each in fields(value):
            text = shown(getattr(value, each.name)) if each.compare and each.name != "file" else None
            words += [f"{each.name} {text}"] if text is not None else []
        return ", ".join(words)
    return str(value)


def element_differences(
    a: Element, b: Element, same_text: SameText, leave_out: Collection[str] = (), path: str = ""
) -> Iterator[Values]:
    """Yield the parts of two elements that differ, by their paths: ``imu/angular_velocity/x``, ``camera/@name``.

    Parameters
    ----------
    same_text
        Whether two texts that are no equal numbers mean the same.
    leave_out
        Paths that do not count, with all below them.
    """
    for name in dict.fromkeys((*a.attributes, *b.attributes)):
        where = f"{path}@{name}"
        before, after = a.attributes.get(name), b.attributes.get(name)
        if before != after and where not in leave_out and not same_words(before or "", after or "", same_text):
            yield Values(where, before, after)
    if not same_words(a.text, b.text, same_text):
        yield Values(path.rstrip("/"), a.text.strip() or None, b.text.strip() or None)
    children_a, children_b = _by_tag(a), _by_tag(b)
    for tag in dict.fromkeys((*children_a, *children_b)):
        where = f"{path}{tag}"
        if where in leave_out:
            continue
        those_a, those_b = children_a.get(tag, []), children_b.get(tag, [])
        for before_element, after_element in zip(those_a, those_b, strict=False):
            yield from element_differences(before_element, after_element, same_text, leave_out, where + "/")
        for element in those_a[len(those_b) :]:
            yield Values(where, _written(element), None)
        for element in those_b[len(those_a) :]:
            yield Values(where, None, _written(element))


def _by_tag(element: Element) -> dict[str, list[Element]]:
    found: dict[str, list[Element]] = {}
    for child in element.children:
        found.setdefault(child.tag, []).append(child)
    return found


def _written(element: Element) -> str:
    return element.text.strip() or f"<{element.tag}>"


def same_words(a: str, b: str, same_text: SameText) -> bool:
    """Return whether two texts have the same words or numbers, or else mean the same."""
    if a == b or a.split() == b.split():
        return True
    numbers_a, numbers_b = parse_numbers(a), parse_numbers(b)
    if numbers_a and numbers_b and len(numbers_a) == len(numbers_b):
        return all(map(same_number, numbers_a, numbers_b))
    return same_text(a.strip(), b.strip())
