"""Models that are not SDFormat, told by whoever can read them.

A package registers a parser in the entry-point group ``sdfviewer.model_parsers``. It is asked about every included file
that is not SDFormat, and answers with the frames that the including file may refer to.

Source: model composition proposal, "1.5 Minimal libsdformat Interface Types for Non-SDFormat Models"
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import TypeAlias

import numpy as np

from sdfviewer.document.element import Element
from sdfviewer.semantics.graph import ROOT, UNRESOLVED
from sdfviewer.semantics.kinds import Kind
from sdfviewer.semantics.members import Origin
from sdfviewer.semantics.names import reference_hint
from sdfviewer.semantics.rules import attached_to as attached_to_rules
from sdfviewer.semantics.rules import joints as joint_rules
from sdfviewer.semantics.scope import Finding, Place, Scope, WrittenJoint
from sdfviewer.transforms import Array

GROUP = "sdfviewer.model_parsers"


@dataclass(frozen=True, slots=True)
class NestedInclude:
    """What a parser is asked.

    Attributes
    ----------
    uri, path
        As written in the ``<include>``, and the file that it leads to.
    name
        The name that the include gives the model.
    element
        The ``<include>`` itself, for elements of the parser's own.
    static, is_merged
        What the include says; ``static`` is None if it says nothing.
    """

    uri: str
    path: Path
    name: str
    element: Element
    static: bool | None = None
    is_merged: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class InterfaceLink:
    """A link L of a model M: its name and X_ML (4, 4)."""

    name: str
    X_ML: Array = field(default_factory=lambda: np.eye(4))


@dataclass(frozen=True, slots=True, eq=False)
class InterfaceFrame:
    """A frame F attached to A, ``__model__`` by default: X_AF (4, 4)."""

    name: str
    attached_to: str = "__model__"
    X_AF: Array = field(default_factory=lambda: np.eye(4))


@dataclass(frozen=True, slots=True, eq=False)
class InterfaceJoint:
    """The frame J of a joint with child C: X_CJ (4, 4)."""

    name: str
    child: str
    parent: str = "world"
    type: str = "fixed"
    X_CJ: Array = field(default_factory=lambda: np.eye(4))


@dataclass(frozen=True, slots=True, eq=False)
class InterfaceModel:
    """The answer of a parser: what may be referred to from outside.

    Attributes
    ----------
    name
        Its own name, used where the include gives none.
    canonical_link
        The link that carries the model frame, ``nested::link`` if it is in a nested model.
    X_PM
        Pose (4, 4) of the model in what is around it, unless the include gives one.
    reposture
        Called once the poses are known with a function that returns X_RootF of a frame by its name in the model.
    """

    name: str
    canonical_link: str
    links: tuple[InterfaceLink, ...] = ()
    frames: tuple[InterfaceFrame, ...] = ()
    joints: tuple[InterfaceJoint, ...] = ()
    nested_models: tuple[InterfaceModel, ...] = ()
    X_PM: Array = field(default_factory=lambda: np.eye(4))
    static: bool = False
    reposture: Callable[[Callable[[str], Array]], None] | None = None


#: Returns a model, or None for a file that is not the parser's business; exceptions become diagnostics.
ModelParser: TypeAlias = Callable[[NestedInclude], "InterfaceModel | None"]


@lru_cache(maxsize=1)
def load_parsers() -> tuple[ModelParser, ...]:
    """Return the registered parsers; the last one registered is asked first."""
    from importlib.metadata import entry_points  # noqa: PLC0415  # takes tens of milliseconds

    return tuple(point.load() for point in reversed(list(entry_points(group=GROUP))))


def to_scope(model: InterfaceModel, element: Element, origin: Origin) -> Scope:
    """Return the scope of an interface model; all its rows stand for the ``<include>``."""
    scope = Scope()
    _add_row(scope, Kind.MODEL, model.name, element, origin, model.X_PM)
    for link in model.links:
        _add_member(scope, Kind.LINK, link.name, element, origin, link.X_ML)
    for joint in model.joints:
        _add_member(scope, Kind.JOINT, joint.name, element, origin, joint.X_CJ)
    for frame in model.frames:
        row = _add_member(scope, Kind.FRAME, frame.name, element, origin, frame.X_AF)
        scope.attached_to_written[row] = frame.attached_to
    for nested in model.nested_models:
        inner = to_scope(nested, element, origin)
        row = scope.add_scope(inner, nested.name)
        scope.relative_to[row] = 0
        scope.settled.add(row)
        scope.nested.setdefault(nested.name, (inner, row))
        scope.members.setdefault(nested.name, row)
    _resolve(scope, model, element, origin)
    if model.reposture is not None:
        scope.repostures.append((0, model.reposture))
    return scope


def _add_row(scope: Scope, kind: Kind, name: str, element: Element, origin: Origin, X: Array) -> int:
    owner = 0 if scope.kinds else -1
    row = scope.add_row(kind, name, element, origin.source, owner, (0.0,) * 6, None)
    scope.exact_poses[row] = np.asarray(X, dtype=np.float64)
    return row


def _add_member(scope: Scope, kind: Kind, name: str, element: Element, origin: Origin, X: Array) -> int:
    row = _add_row(scope, kind, name, element, origin, X)
    scope.members.setdefault(name, row)
    scope.relative_to[row] = 0
    return row


def _resolve(scope: Scope, model: InterfaceModel, element: Element, origin: Origin) -> None:
    place = Place(origin.source, element)
    for joint in model.joints:
        row = scope.members[joint.name]
        child = scope.lookup(joint.child)
        parent = ROOT if joint.parent == "world" else scope.lookup(joint.parent)
        if child is None:
            rule = joint_rules.joint_child_invalid
            message = rule.format(joint.child, reference_hint(scope, joint.child))
            scope.findings.append(Finding(rule, place, message, (row,)))
        child = UNRESOLVED if child is None else child
        scope.relative_to[row] = scope.attached_to[row] = child
        scope.joints.append(WrittenJoint(row, joint.type, UNRESOLVED if parent is None else parent, child, ()))
    for frame in model.frames:
        row, target = scope.members[frame.name], scope.lookup(frame.attached_to)
        if target is None:
            rule = attached_to_rules.attached_to_invalid
            message = rule.format(frame.attached_to, reference_hint(scope, frame.attached_to))
            scope.findings.append(Finding(rule, place, message, (row,)))
        scope.relative_to[row] = scope.attached_to[row] = UNRESOLVED if target is None else target
    canonical = scope.lookup(model.canonical_link) if model.canonical_link else None
    if canonical is None and not model.static:
        rule = joint_rules.canonical_link_invalid
        message = rule.format(model.canonical_link, reference_hint(scope, model.canonical_link))
        scope.findings.append(Finding(rule, place, message, (0,)))
    scope.canonical_link = UNRESOLVED if canonical is None else canonical
    scope.attached_to[0] = scope.canonical_link
    if model.static:
        scope.static = [True] * len(scope)
        scope.attached_to[0] = ROOT
