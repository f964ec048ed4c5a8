"""What a conversion has changed without saying so: what it wrote is read again and compared with its source."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, TypeAlias

import numpy as np

from sdfviewer.formats.contents import read_visual
from sdfviewer.formats.urdf.merge import snapped
from sdfviewer.model.comparison.difference import Aspect, PropertyDifference
from sdfviewer.model.comparison.frames import SAME_POSE, Change, FrameDifference
from sdfviewer.model.comparison.joints import NO_LIMIT
from sdfviewer.model.comparison.models import ModelComparison
from sdfviewer.model.comparison.values import shown
from sdfviewer.model.graph import ROOT
from sdfviewer.model.joints import Joint
from sdfviewer.model.kinds import Kind
from sdfviewer.model.model import Model
from sdfviewer.transforms import invert, pose_error

Difference: TypeAlias = FrameDifference | PropertyDifference

#: What is said about frames, beside the aspects of the rest; and all that can be said.
FRAME: Final = None
ALL: Final = frozenset((FRAME, *Aspect))

_PLACE = re.compile(r"(.*?:\d+):")
#: The script of Gazebo's materials, which a material that is called by its name alone means.
_GAZEBO_MATERIALS = "file://media/materials/scripts/gazebo.material"


@dataclass(frozen=True, slots=True)
class Announced:
    """What a conversion says it could not keep.

    Attributes
    ----------
    rows
        Rows of the source that it says something about, with what may differ of them and of what is written in them:
        frames, aspects, or all.
    sentences
        What it says in words; those that begin with ``file:line:`` are about the element there.
    added
        Rows of what is written that represent one of the source together with another row.
    """

    rows: Mapping[int, Collection[Aspect | None]] = field(default_factory=dict)
    sentences: Sequence[str] = ()
    added: Collection[int] = ()


def silent_differences(comparison: ModelComparison, announced: Announced, count: int = 3) -> list[Difference]:
    """Return what differs between the source of a conversion, A, and what it wrote, B, and is not announced.

    A difference is announced where something is said about its row, about what the row is written in, or about the
    place of an element in it. What the format adds of its own, such as a link for each frame, is no difference here.

    Parameters
    ----------
    count
        How many random configurations are compared, too, if nothing differs at the initial one.
    """
    places = {match[1] for each in announced.sentences if (match := _PLACE.match(each))}

    def is_silent(difference: Difference) -> bool:
        if difference.row_before < 0 and difference.row_after in announced.added:
            return False
        return not _is_of_format(comparison, difference) and not _is_announced(
            comparison.a, difference, announced, places
        )

    differences: list[Difference] = [*comparison.differences(), *comparison.properties()]
    found = [each for each in differences if is_silent(each)]
    return found or [each for each in comparison.moved_at_random(count) if is_silent(each)]


def silent_sentences(comparison: ModelComparison, differences: Sequence[Difference]) -> tuple[str, ...]:
    """Return for each difference that nobody announced a sentence that begins with file and line of the source."""
    start = f"{comparison.a.document.name}:1"
    return tuple(
        f"{comparison.places(each)[0] or start}: error of sdfviewer: {_words(comparison, each)}" for each in differences
    )


def _words(comparison: ModelComparison, difference: Difference) -> str:
    kind = comparison.a.kinds[difference.row_before] if difference.row_before >= 0 else difference.kind
    name = f"{kind} '{difference.before or difference.after}'"
    if isinstance(difference, PropertyDifference):
        values = (
            f"{difference.value_before or 'nothing'} here, {difference.value_after or 'nothing'} in what is written"
        )
        return f"{name}: {difference.quantity} is {values}"
    changes = ", ".join(change.value for change in difference.changes)
    return f"{name}: {changes} in what is written"


def _is_announced(a: Model, difference: Difference, announced: Announced, places: Collection[str]) -> bool:
    aspect = difference.aspect if isinstance(difference, PropertyDifference) else FRAME
    if any(aspect in announced.rows.get(row, ()) for row in a.around(difference.row_before)):
        return True
    return _is_about(a, difference.row_before, places)


def says_something_of(model: Model, row: int, sentences: Sequence[str]) -> bool:
    """Return whether one of some sentences that begin with ``file:line:`` is about a row or what it is written in."""
    return _is_about(model, row, {match[1] for each in sentences if (match := _PLACE.match(each))})


def _is_about(model: Model, row: int, places: Collection[str]) -> bool:
    around = model.around(row)
    return any(place in places for number, each in enumerate(around) for place in _places(model, each, number == 0))


def _places(model: Model, row: int, whole: bool) -> Iterator[str]:
    """Yield the lines of an element, of its start tag alone unless it is wanted whole."""
    span = model.document_of(row).span(model.elements[row], "element" if whole else None)
    for line in range(span.line, (span.end_line if whole else span.line) + 1):
        yield f"{span.path}:{line}"


def _is_of_format(comparison: ModelComparison, difference: Difference) -> bool:
    """Return whether a difference says the same in another way, or is what the other format adds by itself."""
    if isinstance(difference, FrameDifference):
        return difference.is_harmless or _is_frame_of_format(comparison, difference)
    if difference.aspect is Aspect.JOINT and difference.quantity in ("parent", "child"):
        return _same_bodies(comparison, difference)
    if difference.aspect is Aspect.JOINT and difference.quantity == "type":
        return _is_continuous(comparison, difference)
    if difference.quantity == "material.ambient":
        return _is_ambient_of_urdf(comparison, difference)
    if difference.quantity == "material.script.uris":
        return {difference.value_before, difference.value_after} == {_GAZEBO_MATERIALS, None}
    return False


def _is_frame_of_format(comparison: ModelComparison, difference: FrameDifference) -> bool:
    """Return whether a frame differs as it must where the other format has links and joints only."""
    a, b = comparison.a, comparison.b
    if difference.changes == (Change.APPEARED,):
        return b.kinds[difference.row_after] in (Kind.LINK, Kind.JOINT, Kind.FRAME)
    roots = a.document.root, b.document.root
    if roots[0] is not None and roots[1] is not None and roots[0].tag == roots[1].tag:
        return False
    kind = a.kinds[difference.row_before]
    if difference.changes == (Change.VANISHED,):
        return kind is Kind.MODEL or _holds_a_frame(comparison, difference.row_before)
    if kind in (Kind.VISUAL, Kind.COLLISION) and Change.MOVED in difference.changes:
        return _is_snapped(comparison, difference)
    if difference.row_before == 0:  # which rides on the root link
        return comparison.X_AB is not None
    return set(difference.changes) <= {Change.KIND, Change.RENAMED, Change.BODY} and (
        kind in (Kind.FRAME, Kind.JOINT, Kind.LINK) and _rides_along(comparison, difference)
    )


def _same_bodies(comparison: ModelComparison, difference: PropertyDifference) -> bool:
    """Return whether a joint connects what it did, whichever frames of the bodies it names.

    Bodies that nothing moves apart count as one: where a link is not on its axis, a link of its own carries a joint of
    URDF. Of a fixed joint either end may be the parent.
    """
    joints = comparison.a.joints_by_row[difference.row_before], comparison.b.joints_by_row[difference.row_after]
    before = [_motion(comparison, comparison.row_in_b(_body(comparison.a, end))) for end in _ends(joints[0])]
    after = [_motion(comparison, _body(comparison.b, end)) for end in _ends(joints[1])]
    if joints[0].type == joints[1].type == "fixed":
        return set(before) == set(after)
    return before == after


def _ends(joint: Joint) -> tuple[int, int]:
    return joint.parent, joint.child


def _body(model: Model, row: int) -> int:
    body = int(model.bodies[row]) if row >= 0 else row
    return ROOT if body >= 0 and model.kinds[body] is Kind.WORLD else body


def _motion(comparison: ModelComparison, row_b: int) -> int:
    """Return what is the same for all rows of B that never move apart."""
    return int(comparison.kinematics[1].motion_numbers[row_b]) if row_b >= 0 else row_b


def _holds_a_frame(comparison: ModelComparison, row: int) -> bool:
    """Return whether a row is the fixed joint of a link that is a frame in what is written."""
    joint = comparison.a.joints_by_row.get(row)
    child = -1 if joint is None or joint.type != "fixed" else comparison.row_in_b(joint.child)
    return child >= 0 and comparison.b.kinds[child] is Kind.FRAME


def _is_snapped(comparison: ModelComparison, difference: FrameDifference) -> bool:
    """Return whether a shape is almost upright, which urdfdom makes upright when it reads a URDF."""
    poses = [
        invert(model.X_RootF[model.owners[row]]) @ model.X_RootF[row]
        for model, row in ((comparison.a, difference.row_before), (comparison.b, difference.row_after))
    ]
    errors = np.array([pose_error(snapped(one), other) for one, other in (poses, poses[::-1])])
    return bool((errors <= SAME_POSE).all(axis=1).any())


def _rides_along(comparison: ModelComparison, difference: FrameDifference) -> bool:
    """Return whether a frame moves with the body that it moved with, though it is fixed to another link now."""
    body = comparison.row_in_b(_body(comparison.a, difference.row_before))
    return _motion(comparison, body) == _motion(comparison, difference.row_after)


def _is_free_of_limits(joint: Joint) -> bool:
    return all(abs(each) >= NO_LIMIT for axis in joint.axes[:1] for each in (axis.lower, axis.upper))


def _is_continuous(comparison: ModelComparison, difference: PropertyDifference) -> bool:
    """Return whether a joint turns without limits in both models: URDF calls that continuous."""
    joints = comparison.a.joints_by_row[difference.row_before], comparison.b.joints_by_row[difference.row_after]
    return all(each.type == "continuous" or (each.type == "revolute" and _is_free_of_limits(each)) for each in joints)


def _is_ambient_of_urdf(comparison: ModelComparison, difference: PropertyDifference) -> bool:
    """Return whether an ambient colour is that of the visual itself: the single colour of a URDF is both."""
    for model, row, value in (
        (comparison.a, difference.row_before, difference.value_before),
        (comparison.b, difference.row_after, difference.value_after),
    ):
        material = read_visual(model, row).material
        if value is not None and (material is None or value != shown(material.diffuse)):
            return False
    return difference.value_before is None or difference.value_after is None
