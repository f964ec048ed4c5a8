"""Models in other formats, read by registered parsers.

A package registers a parser in the entry-point group ``sdfviewer.model_parsers``, or hands it to
:func:`sdfviewer.load`. It is asked about every included file that is not SDFormat, and answers with the frames that
the including file may refer to. Whatever a parser does wrong is a diagnostic at the include.

Source: model composition proposal, "1.5 Minimal libsdformat Interface Types for Non-SDFormat Models"
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import TypeAlias, TypeVar

import numpy as np

from sdfviewer.diagnostics import Rule
from sdfviewer.document.element import Element
from sdfviewer.faults import FOREIGN_ERRORS, describe_error
from sdfviewer.model.findings import ElementPart, Finding
from sdfviewer.model.graph import ROOT, UNRESOLVED
from sdfviewer.model.kinds import JOINT_TYPES, Kind
from sdfviewer.model.names import did_you_mean, reference_hint
from sdfviewer.model.scope import Origin, Reposture, Scope, WrittenJoint
from sdfviewer.transforms import Array
from sdfviewer.validation import frame_rules, joint_rules, name_rules
from sdfviewer.validation.name_rules import NameRegister
from sdfviewer.versions import NEWEST

GROUP = "sdfviewer.model_parsers"
#: What a model is made of.
_Item = TypeVar("_Item")
#: By how much a rotation matrix may differ from an orthogonal one.
_ROUNDING = 1e-6


class InvalidInterfaceError(ValueError):
    """A parser has answered with something that is no interface model."""


@dataclass(frozen=True, slots=True)
class NestedInclude:
    """The request to a parser, one for each ``<include>``.

    Attributes
    ----------
    uri, path
        As written in the ``<include>``, and the file that it leads to.
    name, absolute_model_name
        The name that the include gives the model, and the same from the top model of the file down:
        ``top_model::middle_model::my_new_model``.
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
    absolute_model_name: str = ""


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
        Called once the poses are known.
    """

    name: str
    canonical_link: str
    links: tuple[InterfaceLink, ...] = ()
    frames: tuple[InterfaceFrame, ...] = ()
    joints: tuple[InterfaceJoint, ...] = ()
    nested_models: tuple[InterfaceModel, ...] = ()
    X_PM: Array = field(default_factory=lambda: np.eye(4))
    static: bool = False
    reposture: Reposture | None = None


#: Returns a model, or None for a file that is not the parser's business; exceptions become diagnostics.
ModelParser: TypeAlias = Callable[[NestedInclude], "InterfaceModel | None"]


@dataclass(frozen=True, slots=True)
class RegisteredParsers:
    """The parsers of installed packages, the last one registered first, and why others could not be imported."""

    parsers: tuple[ModelParser, ...] = ()
    failures: tuple[str, ...] = ()


@lru_cache(maxsize=1)
def load_parsers() -> RegisteredParsers:
    """Return the parsers of installed packages."""
    from importlib.metadata import entry_points  # noqa: PLC0415  # takes tens of milliseconds

    parsers, failures = [], []
    for point in reversed(list(entry_points(group=GROUP))):
        try:
            parser = point.load()
            if not callable(parser):
                raise TypeError(f"{point.value} is not a function")
            parsers.append(parser)
        except FOREIGN_ERRORS as error:  # reported at the includes that it could be for
            failures.append(f"{point.name} ({describe_error(error)})")
    return RegisteredParsers(tuple(parsers), tuple(failures))


def name_of_parser(parser: ModelParser) -> str:
    """Return how a parser is called in messages."""
    return getattr(parser, "__qualname__", "") or type(parser).__qualname__


def to_scope(model: object, element: Element, origin: Origin) -> Scope:
    """Return the scope of an interface model; all its rows stand for the ``<include>``.

    Raises
    ------
    InvalidInterfaceError
        If something in it is not of the type or shape that it must be. Wrong names and references are findings.
    """
    if not isinstance(model, InterfaceModel):
        raise InvalidInterfaceError(f"it returned {type(model).__name__}, not an InterfaceModel or None")
    scope = Scope()
    register = NameRegister(scope, origin.source, NEWEST)
    _add_row(scope, Kind.MODEL, model.name, element, origin, model.X_PM)
    _check_name(scope, ElementPart(origin.source, element), model.name)
    for link in _each(model.links, InterfaceLink):
        _add_member(scope, register, Kind.LINK, link.name, element, origin, link.X_ML)
    joints = {
        _add_member(scope, register, Kind.JOINT, joint.name, element, origin, joint.X_CJ): joint
        for joint in _each(model.joints, InterfaceJoint)
    }
    frames = {
        _add_member(scope, register, Kind.FRAME, frame.name, element, origin, frame.X_AF): frame
        for frame in _each(model.frames, InterfaceFrame)
    }
    for nested in _each(model.nested_models, InterfaceModel):
        inner = to_scope(nested, element, origin)
        register.claim(element, nested.name, "model")
        row = scope.add_scope(inner, nested.name)
        scope.relative_to[row] = 0
        scope.settled.add(row)
        scope.nested.setdefault(nested.name, (inner, row))
        scope.members.setdefault(nested.name, row)
    _resolve(scope, model, joints, frames, ElementPart(origin.source, element))
    if model.reposture is not None:
        scope.repostures.append((0, model.reposture))
    return scope


def _each(items: object, kind: type[_Item]) -> tuple[_Item, ...]:
    if not isinstance(items, (tuple, list)) or not all(isinstance(item, kind) for item in items):
        raise InvalidInterfaceError(f"a model needs a tuple of {kind.__name__}, not {items!r}")
    return tuple(items)


def _pose(X: object, name: str) -> Array:
    """Return a pose as a rigid transform (4, 4)."""
    matrix = np.asarray(X, dtype=np.float64)
    if matrix.shape != (4, 4) or not np.isfinite(matrix).all():
        raise InvalidInterfaceError(f"the pose of '{name}' is not a 4x4 matrix of numbers")
    R = matrix[:3, :3]
    is_rotation = np.allclose(R.T @ R, np.eye(3), atol=_ROUNDING) and np.linalg.det(R) > 0
    if not is_rotation or not np.allclose(matrix[3], (0, 0, 0, 1)):
        raise InvalidInterfaceError(f"the pose of '{name}' is not a rotation and a translation")
    return matrix


def _check_name(scope: Scope, location: ElementPart, name: object) -> None:
    """Report a name that a model may not have; those of members are checked as they are claimed."""
    if not isinstance(name, str) or not name:
        raise InvalidInterfaceError("a model needs a name")
    if "::" in name:
        rule = name_rules.separator_in_name
        scope.findings.append(Finding(rule, location, rule.format("model", name), (0,)))


def _add_row(scope: Scope, kind: Kind, name: str, element: Element, origin: Origin, X: object) -> int:
    owner = 0 if scope.kinds else -1
    row = scope.add_row(kind, name, element, origin.source, owner, (0.0,) * 6, None)
    scope.exact_poses[row] = _pose(X, name)
    return row


def _add_member(
    scope: Scope, register: NameRegister, kind: Kind, name: str, element: Element, origin: Origin, X: object
) -> int:
    if not isinstance(name, str) or not name:
        raise InvalidInterfaceError(f"a {kind} needs a name")
    row = _add_row(scope, kind, register.claim(element, name, str(kind)), element, origin, X)
    scope.members.setdefault(name, row)
    scope.relative_to[row] = 0
    return row


def _resolve(
    scope: Scope,
    model: InterfaceModel,
    joints: dict[int, InterfaceJoint],
    frames: dict[int, InterfaceFrame],
    location: ElementPart,
) -> None:
    """Look up every name that the model refers to, as those of SDFormat are."""

    def find(row: int, name: str, rule: Rule, excluded: str = "") -> int:
        target = scope.lookup(name)
        if target is not None:
            return target
        hint = reference_hint(scope, rule, name, excluded, scope.names[row])
        scope.findings.append(Finding(rule, location, rule.format(name, hint), (row,)))
        return UNRESOLVED

    for row, joint in joints.items():
        if joint.type not in JOINT_TYPES:
            rule = joint_rules.joint_type_invalid
            message = rule.format(joint.type, did_you_mean(joint.type, JOINT_TYPES))
            scope.findings.append(Finding(rule, location, message, (row,)))
        child = find(row, joint.child, joint_rules.joint_child_invalid, joint.parent)
        is_world = joint.parent == "world"
        parent = ROOT if is_world else find(row, joint.parent, joint_rules.joint_parent_invalid, joint.child)
        scope.relative_to[row] = scope.attached_to[row] = child
        scope.joints.append(WrittenJoint(row, joint.type, parent, child, ()))
    for row, frame in frames.items():
        target = find(row, frame.attached_to, frame_rules.attached_to_invalid)
        scope.relative_to[row] = scope.attached_to[row] = target
    canonical = scope.lookup(model.canonical_link) if model.canonical_link else None
    if canonical is not None and scope.kinds[canonical] is not Kind.LINK:
        canonical = None
    if canonical is None and not model.static:
        rule = joint_rules.canonical_link_invalid
        message = rule.format(model.canonical_link, reference_hint(scope, rule, model.canonical_link))
        scope.findings.append(Finding(rule, location, message, (0,)))
    scope.canonical_link = UNRESOLVED if canonical is None else canonical
    scope.attached_to[0] = scope.canonical_link
    if model.static:
        scope.static = [True] * len(scope)
        scope.attached_to[0] = ROOT
