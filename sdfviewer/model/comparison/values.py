"""Which fields of two typed records, which parts of two elements, and what two models say of their joints differ."""

from __future__ import annotations

import math
import posixpath
import re
from collections.abc import Callable, Collection, Iterator
from dataclasses import astuple, fields, is_dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from sdfviewer.document.element import Element
from sdfviewer.model.comparison.frames import SAME_POSE, FrameComparison
from sdfviewer.model.contents import ContentsReader, Limits
from sdfviewer.model.graph import ROOT
from sdfviewer.model.joints import Joint
from sdfviewer.model.kinds import JOINT_TYPES
from sdfviewer.model.kinematics.forward import Kinematics
from sdfviewer.model.model import Model
from sdfviewer.model.values import format_number, parse_numbers
from sdfviewer.transforms import Array

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


#: What SDFormat wrote before 1.10, and URDF still does, where there is no limit.
NO_LIMIT = 1e16
#: Reads the rows of a model.
ReaderOf = Callable[[Model, int], ContentsReader]


def joint_differences(
    comparison: FrameComparison, joint_a: Joint, joint_b: Joint, reader_of: ReaderOf, same_uri: SameText
) -> Iterator[Values]:
    """Yield what differs between two joints.

    An axis counts as another one where its direction differs both in the joint's frame and in the root: where only
    the frame was turned, the frame is what differs.
    """
    a, b = comparison.a, comparison.b
    X_b = comparison.poses()[1]
    if joint_a.type != joint_b.type:
        yield Values("type", joint_a.type, joint_b.type)
    for name in ("parent", "child"):
        end_a, end_b = getattr(joint_a, name), getattr(joint_b, name)
        if comparison.row_in_b(end_a) != end_b:
            yield Values(name, _name(a, end_a), _name(b, end_b))
    axes_a, axes_b = (joint.axes[: JOINT_TYPES.get(joint.type, 2)] for joint in (joint_a, joint_b))
    if len(axes_a) != len(axes_b) and joint_a.type == joint_b.type:
        yield Values("axes", str(len(axes_a)), str(len(axes_b)))
    if joint_a.type == joint_b.type == "screw" and not same_number(joint_a.screw_pitch, joint_b.screw_pitch):
        yield Values("screw_pitch", shown(joint_a.screw_pitch), shown(joint_b.screw_pitch))
    for tag in ("gearbox_ratio", "gearbox_reference_body"):
        texts = a.elements[joint_a.row].text_of(tag), b.elements[joint_b.row].text_of(tag)
        if joint_a.type == joint_b.type == "gearbox" and texts[0] != texts[1]:
            yield Values(tag, texts[0] or None, texts[1] or None)
    for number, (axis_a, axis_b) in enumerate(zip(axes_a, axes_b, strict=False)):
        prefix = "axis2" if number else "axis"
        if not _same_direction(axis_a.xyz, axis_b.xyz) and not _same_direction(
            a.X_RootF[joint_a.row, :3, :3] @ axis_a.xyz, X_b[joint_b.row, :3, :3] @ axis_b.xyz
        ):
            yield Values(prefix, _vector(axis_a.xyz), _vector(axis_b.xyz))
        reader_a, reader_b = reader_of(a, joint_a.row), reader_of(b, joint_b.row)
        limits = reader_a.limits(a, joint_a.row, axis_a), reader_b.limits(b, joint_b.row, axis_b)
        limits_a, limits_b = (_effective(each, joint) for each, joint in zip(limits, (joint_a, joint_b), strict=True))
        yield from record_differences(limits_a, limits_b, same_uri, f"{prefix}.limits")
        dynamics = reader_a.dynamics(a, joint_a.row, axis_a), reader_b.dynamics(b, joint_b.row, axis_b)
        yield from record_differences(*dynamics, same_uri, f"{prefix}.dynamics")
        yield from _mimic(comparison, joint_a, joint_b, number, prefix)


def _followed(kinematics: Kinematics, joint: Joint, number: int) -> tuple[int, int, float, float] | None:
    """Return row and axis of the joint that one of a joint follows, with gain and offset; None where it moves freely.

    Chains of mimic constraints and gearboxes are one line over the freedom at their end; constraints that go round in
    circles are none.
    """
    column = next(
        (c for c in kinematics.columns_of_joints.get(joint.row, ()) if kinematics.dofs[c].axis == number), None
    )
    if column is None or kinematics.dofs[column].leader is None:
        return None
    followers = kinematics.followers
    leader = kinematics.dofs[int(followers.sources[column])]
    return leader.joint.row, leader.axis, float(followers.gains[column]), float(followers.offsets[column])


def _mimic(comparison: FrameComparison, joint_a: Joint, joint_b: Joint, number: int, prefix: str) -> Iterator[Values]:
    kinematics_a, kinematics_b = comparison.kinematics
    a, b = _followed(kinematics_a, joint_a, number), _followed(kinematics_b, joint_b, number)
    names = a and comparison.a.local_names[a[0]], b and comparison.b.local_names[b[0]]
    if a is None or b is None:
        if a is not b:
            yield Values(f"{prefix}.mimic", names[0] or None, names[1] or None)
        return
    if comparison.row_in_b(a[0]) != b[0] or a[1] != b[1]:
        yield Values(f"{prefix}.mimic", *(f"{name} axis {each[1]}" for name, each in zip(names, (a, b), strict=True)))
    for name, before, after in (("multiplier", a[2], b[2]), ("offset", a[3], b[3])):
        if not same_number(before, after):
            yield Values(f"{prefix}.mimic.{name}", shown(before), shown(after))


def _effective(limits: Limits, joint: Joint) -> Limits:
    """Return the limits that count: none where a number means that, and none of a continuous joint's angle."""
    infinite = (math.copysign(math.inf, value) if abs(value) >= NO_LIMIT else value for value in astuple(limits))
    found = Limits(*infinite)
    return replace(found, lower=-math.inf, upper=math.inf) if joint.type == "continuous" else found


def _same_direction(u: Array, v: Array) -> bool:
    if not (np.isfinite(u).all() and np.isfinite(v).all()):
        return bool(np.isfinite(u).all() == np.isfinite(v).all())
    return math.dist(u.tolist(), v.tolist()) <= SAME_POSE


def _vector(u: Array) -> str | None:
    return shown(tuple(u.tolist()))


def _name(model: Model, row: int) -> str | None:
    if row == ROOT:
        return "world"
    return model.names[row] if row >= 0 else None
