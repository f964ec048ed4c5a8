"""Equality constraints: those of joints are mimics, those of bodies are joints that close loops.

Source: https://mujoco.readthedocs.io/en/stable/XMLreference.html#equality
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from sdfviewer.formats.mjcf.bodies import MjcfBody
from sdfviewer.formats.mjcf.nodes import Node, Reporter
from sdfviewer.formats.mjcf.spec import MjcfValues, Spec
from sdfviewer.transforms import Array
from sdfviewer.validation import mjcf_rules as rules

#: A file with the affixes of the names from it.
Affixed = tuple[Spec, str, str]
_Lose = Callable[[Node, str], None]


@dataclass(frozen=True, slots=True)
class MjcfMimic:
    """A joint follows another one: position = multiplier · position of the leader + offset."""

    node: Node
    leader: str
    multiplier: float
    offset: float


@dataclass(frozen=True, slots=True, eq=False)
class Loop:
    """A joint J that closes a loop: ``X_FJ`` (4, 4) is its pose in the frame ``relative_to``."""

    node: Node
    name: str
    type: str
    parent: str
    child: str
    relative_to: str
    X_FJ: Array


def _constraints(specs: Sequence[Affixed]) -> Iterator[tuple[MjcfValues, Callable[[str], str]]]:
    """Yield the constraints that act, with what completes the names in them."""
    for spec, prefix, suffix in specs:

        def full(name: str, prefix: str = prefix, suffix: str = suffix) -> str:
            return f"{prefix}{name}{suffix}" if name and name != "world" else name

        for section in spec.sections("equality"):
            for node in section.children:
                values = spec.values(node, "main")
                defaults = spec.classes.get(node.attributes.get("class", "main"), {}).get("equality", {})
                if MjcfValues(node, {**defaults, **node.attributes}).is_true("active", default=True):
                    yield values, full


def mimics_of(
    specs: Sequence[Affixed], bodies: Sequence[MjcfBody], joints: Sequence[str], lose: _Lose, report: Reporter
) -> Mapping[str, MjcfMimic]:
    """Return by the name of a joint how it follows another one.

    Parameters
    ----------
    joints
        The names that the joints of all bodies have, in their order.
    """
    parts = [part for body in bodies for part in body.joints]
    numbers = {part.name: number for number, part in enumerate(parts) if part.name}
    found: dict[str, MjcfMimic] = {}
    for values, full in _constraints(specs):
        if values.node.tag != "joint":
            continue
        follower, leader = (numbers.get(full(values.word(name))) for name in ("joint1", "joint2"))
        offset, multiplier, *rest = values.numbers("polycoef", (0.0, 1.0, 0.0, 0.0, 0.0))
        if follower is None or (leader is None and "joint2" in values):
            continue  # which is reported as a name that is unknown
        if any(parts[each].values.word("type") in ("free", "ball") for each in (follower, leader) if each is not None):
            report.refuse(values.node, "only hinges and slides can follow each other")
        elif leader is None or any(rest) or joints[follower] in found or leader == follower:
            lose(values.node, "an equality of joints that is not linear, or holds one joint")
        else:
            found[joints[follower]] = MjcfMimic(values.node, joints[leader], multiplier, offset)
    return found


def loops_of(
    specs: Sequence[Affixed],
    bodies: Sequence[MjcfBody],
    links: Sequence[str],
    sites: Sequence[str],
    lose: _Lose,
    report: Reporter,
) -> Iterator[Loop]:
    """Yield the joints that close loops.

    Parameters
    ----------
    links, sites
        The names that the bodies and all sites have, in their order.
    """
    numbers = {body.name: number for number, body in enumerate(bodies) if body.name}
    owners = [(part.name, number) for number, body in enumerate(bodies) for part in body.sites]
    places = {name: (at, number) for at, (name, number) in enumerate(owners) if name}
    for values, full in _constraints(specs):
        node = values.node
        if node.tag not in ("connect", "weld"):
            if node.tag != "joint":
                lose(node, f"an equality of the kind {node.tag}")
            continue
        X_FJ = np.eye(4)
        if "site1" in values:
            ends = [places.get(full(values.word(name))) for name in ("site1", "site2")]
            if ends[0] is None or ends[1] is None:
                continue
            first, second = ends[0][1], ends[1][1]
            relative_to = sites[ends[0][0]]
            lose(node, "the way between two sites that a constraint holds together, if they are apart at first,")
        else:
            one, two = numbers.get(full(values.word("body1"))), numbers.get(full(values.word("body2", "world")))
            if one is None or two is None:
                continue
            first, second = one, two
            relative_to = links[first] or "__model__"
            X_FJ[:3, 3] = values.numbers("anchor", (0.0, 0.0, 0.0))
            if any(values.numbers("relpose", (0.0,) * 7)[3:]):
                lose(node, "the relative pose of a weld, if it is not that at first,")
        if first == second:
            report(rules.mjcf_refused, node, None, "a body cannot be connected to itself")
            continue
        if second == 0:
            first, second = second, first
        name = full(node.attributes.get("name", "")) or f"{links[second]}_{node.tag}"
        kind = "ball" if node.tag == "connect" else "fixed"
        yield Loop(node, name, kind, links[first] if first else "world", links[second], relative_to, X_FJ)
