"""Two models of any formats compared; and what a conversion has changed without saying so, once it is read again."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from pathlib import Path
from typing import TypeAlias

import numpy as np

from sdfviewer.diagnostics import PlacedSentence
from sdfviewer.document.topics import ANYTHING, FRAME, Aspect, Topic, Topics, may_be_gone
from sdfviewer.formats import contents
from sdfviewer.formats.contents import read_visual
from sdfviewer.formats.mass import resolve_inertial
from sdfviewer.formats.registry import format_of
from sdfviewer.formats.urdf.merge import snapped
from sdfviewer.model.comparison.difference import PropertyChange, PropertyDifference
from sdfviewer.model.comparison.frames import SAME_POSE, Change, FrameDifference
from sdfviewer.model.comparison.models import ModelComparison
from sdfviewer.model.comparison.values import NO_LIMIT, same_file, shown
from sdfviewer.model.contents import CollisionContents, ContentsReader, Inertial, VisualContents
from sdfviewer.model.graph import ROOT
from sdfviewer.model.joints import Joint
from sdfviewer.model.kinds import SHAPED, Kind
from sdfviewer.model.model import Model
from sdfviewer.transforms import Array, invert, pose_error


class RowContents:
    """Reads the rows of each model by the format of their file."""

    def reader_of(self, model: Model, row: int) -> ContentsReader:
        """Return the reader of a row."""
        return contents.contents_of(model, row)

    def visual(self, model: Model, row: int) -> VisualContents:
        """Return the visual of a row."""
        return contents.read_visual(model, row)

    def collision(self, model: Model, row: int) -> CollisionContents:
        """Return the collision of a row."""
        return contents.read_collision(model, row)

    def same_file(self, a: str, b: str, folder_a: Path | None, folder_b: Path | None) -> bool:
        """Return whether a URI of A and one of B in their folders name one file."""
        return same_file(a, b, folder_a, folder_b)

    def inertial(self, model: Model, row: int) -> Inertial | None:
        """Return the inertial of a link, automatic inertia computed; None where it cannot be."""
        return resolve_inertial(model, row)

    def of_world(self, model: Model) -> tuple[object, ...]:
        """Return records of gravity, scene and physics; none for a model file."""
        if model.kinds[0] is not Kind.WORLD:
            return ()
        return contents.read_environment(model), contents.read_scene(model), *contents.read_physics(model)

    def is_self_contained(self, model: Model, row: int) -> bool:
        """Return whether all that is read of a row is written in its element."""
        known = format_of(model.document_of(row))
        return known is not None and known.capabilities.is_self_contained


def compare(
    a: Model,
    b: Model,
    renamed: Sequence[tuple[str, str]] = (),
    *,
    rows: Mapping[int, int] | None = None,
    by_row: bool = False,
    X_AB: Array | None = None,
    contents: RowContents | None = None,
) -> ModelComparison:
    """Return the comparison of two models A and B; see `ModelComparison` for the parameters."""
    return ModelComparison(a, b, contents or RowContents(), renamed, rows=rows, by_row=by_row, X_AB=X_AB)


Difference: TypeAlias = FrameDifference | PropertyDifference

#: How many random configurations of the joints are compared.
CONFIGURATIONS = 20

#: The script of Gazebo's materials, which a material that is called by its name alone means.
GAZEBO_MATERIALS = "file://media/materials/scripts/gazebo.material"


class Verdict(str, Enum):
    """What became of something in a conversion, where it is not as it was."""

    CHANGED = "changed"
    LOST = "lost"
    ADDED = "added by the format"


@dataclass(frozen=True, slots=True)
class Announcement:
    """Something that a conversion says it could not keep.

    Attributes
    ----------
    sentence
        In words; it begins with ``file:line:`` where it is about a line.
    row
        The row of the source that it is about.
    topics
        What may differ of that row. Whoever is left out takes along what is in it.
    """

    sentence: str
    row: int
    topics: Topics = ANYTHING

    @property
    def is_of_whole(self) -> bool:
        """Whether all of it may be gone."""
        return may_be_gone(self.topics)

    def covers(self, difference: Difference) -> bool:
        """Return whether a difference of its row is what it says."""
        return any(each.covers(*_kind_of(difference)) for each in self.topics)

    def names(self, difference: Difference) -> bool:
        """Return whether it says that of this difference, rather than of all that is like it."""
        return any(each.covers(*_kind_of(difference)) for each in self.topics if not each.is_whole)


def _kind_of(difference: Difference) -> tuple[Aspect | None, str]:
    """Return what differs: an aspect and what the comparison calls it, of a frame what happened to it."""
    if isinstance(difference, PropertyDifference):
        return difference.aspect, difference.quantity
    return FRAME, ", ".join(change.value for change in difference.changes)


@dataclass(frozen=True, slots=True)
class Gap(Topic):
    """Something that a format has no place for.

    Attributes
    ----------
    words
        What becomes of it, with ``{}`` for what the comparison calls it; empty where the format says something of all
        and the source need not.
    is_loss
        Whether the model does not do the same without it.
    """

    words: str = ""
    is_loss: bool = False

    def explains(self, difference: Difference) -> bool:
        """Return whether a difference is that the format has no place for it."""
        return (
            isinstance(difference, PropertyDifference)
            and self.covers(difference.aspect, difference.quantity)
            and (bool(self.words) or difference.value_before is None)
        )


@dataclass(frozen=True, slots=True)
class FoundDifference:
    """A difference between the source of a conversion and what it wrote.

    Attributes
    ----------
    announced
        The sentence that announces it, empty where nothing does.
    gap
        What the format has no place for, where that is why.
    """

    difference: Difference
    verdict: Verdict
    announced: str = ""
    gap: Gap | None = None

    @property
    def is_fault(self) -> bool:
        """Whether nothing has announced it, though no format adds it: an error of this program."""
        return not self.announced and self.gap is None and self.verdict is not Verdict.ADDED


@dataclass(frozen=True, slots=True)
class ReadBack:
    """What was written, read again and compared with its source.

    Attributes
    ----------
    comparison
        The source, A, and what was written, B.
    found
        What differs. What says the same in another way is left out.
    refused
        Sentences about what the reader refuses in what was written.
    """

    comparison: ModelComparison
    found: tuple[FoundDifference, ...]
    refused: tuple[str, ...] = ()

    @property
    def losses(self) -> tuple[str, ...]:
        """What the format has no place for, in sentences that begin with file and line of the source."""
        return self._of_gaps(is_loss=True)

    @property
    def notes(self) -> tuple[str, ...]:
        """The same of what changes nothing that the model does."""
        return self._of_gaps(is_loss=False)

    def _of_gaps(self, *, is_loss: bool) -> tuple[str, ...]:
        said = (each.announced for each in self.found if each.gap is not None and each.gap.is_loss == is_loss)
        return tuple(dict.fromkeys(said))

    @property
    def faults(self) -> tuple[str, ...]:
        """What nothing has announced, in sentences that begin with file and line of the source."""
        silent = (self.sentence(each) for each in self.found if each.is_fault)
        return (*silent, *self.refused)

    def sentence(self, found: FoundDifference) -> str:
        """Return a difference in words, with its place in the source before it."""
        words = ("error of sdfviewer: " if found.is_fault else "") + self.words(found.difference)
        span = self.comparison.spans(found.difference)[0]
        return (
            PlacedSentence(self.comparison.a.document.name, 1, words)
            if span is None
            else PlacedSentence.at(span, words)
        )

    def words(self, difference: Difference) -> str:
        """Return a difference in words."""
        a = self.comparison.a
        row = difference.row_before
        kind, called = (a.kinds[row], a.shown_name(row)) if row >= 0 else (difference.kind, difference.after)
        name = f"{kind} '{called}'"
        if isinstance(difference, PropertyDifference):
            before, after = difference.value_before or "nothing", difference.value_after or "nothing"
            return f"{name}: {difference.quantity} is {before} here, {after} in what is written"
        return f"{name}: {', '.join(change.value for change in difference.changes)} in what is written"


def read_back(
    comparison: ModelComparison,
    announced: Sequence[Announcement],
    added: Collection[int] = (),
    refused: Sequence[str] = (),
    configurations: int = CONFIGURATIONS,
    *,
    merges: bool = False,
    gaps: Sequence[Gap] = (),
) -> ReadBack:
    """Compare the source of a conversion, A, with what it wrote, B.

    A difference is announced where something is said about its row and its kind; where a row is left out, about all
    that is in it.

    Parameters
    ----------
    announced
        What the conversion says.
    added
        Rows of B that represent one of A together with another row.
    refused
        See `ReadBack`.
    configurations
        How many random configurations are compared, too, if nothing differs at the initial one.
    merges
        Whether links that fixed joints connect are one link in B: what is on them moves to that.
    gaps
        What the format has no place for: what it holds of that is announced where something differs.
    """
    judge = _Judge(comparison, announced, added, gaps, merges=merges)
    found = [*judge.judged(comparison.differences()), *judge.judged(comparison.properties())]
    if not any(each.is_fault for each in found):
        known = {(each.difference.row_before, each.difference.row_after) for each in found}
        moved = judge.judged(comparison.moved_at_random(configurations) if configurations else ())
        found += [each for each in moved if (each.difference.row_before, each.difference.row_after) not in known]
    return ReadBack(comparison, tuple(_with_gaps_named(comparison.a, found)), tuple(refused))


def _with_gaps_named(a: Model, found: Sequence[FoundDifference]) -> Iterator[FoundDifference]:
    """Yield what was found, with a sentence for each gap of a row that names all that it is about."""
    names: dict[tuple[int, Gap], list[str]] = {}
    for each in found:
        if each.gap is not None and isinstance(each.difference, PropertyDifference):
            names.setdefault((each.difference.row_before, each.gap), []).append(each.difference.quantity)
    for each in found:
        if (gap := each.gap) is None:
            yield each
            continue
        row = each.difference.row_before
        span, words = a.document_of(row).span(a.elements[row]), gap.words.format(", ".join(names[row, gap]))
        yield replace(each, announced=PlacedSentence.at(span, f"{a.kinds[row]} '{a.shown_name(row)}': {words}"))


class _Judge:
    """Says what became of each difference, and who has announced it."""

    def __init__(
        self,
        comparison: ModelComparison,
        announced: Sequence[Announcement],
        added: Collection[int],
        gaps: Sequence[Gap],
        *,
        merges: bool,
    ) -> None:
        self._comparison = comparison
        self._gaps = gaps
        self._merges = merges
        self._added = frozenset(added)
        self._announced: dict[int, list[Announcement]] = {}
        for each in announced:
            self._announced.setdefault(each.row, []).append(each)

    def judged(self, differences: Iterable[Difference]) -> Iterator[FoundDifference]:
        """Yield each difference that does not say the same in another way."""
        for each in differences:
            if (each.row_before < 0 and each.row_after in self._added) or self._is_merged(each):
                continue
            if _is_added_by_format(self._comparison, each):
                yield FoundDifference(each, Verdict.ADDED)
            elif not _is_of_format(self._comparison, each):
                is_lost = Change.VANISHED in each.changes or PropertyChange.LOST in each.changes
                announced, gap = self._announcement(each), None
                if not announced:
                    gap = next((gap for gap in self._gaps if gap.explains(each)), None)
                if gap is None or gap.words:
                    yield FoundDifference(each, Verdict.LOST if is_lost else Verdict.CHANGED, announced, gap)

    def _is_merged(self, difference: Difference) -> bool:
        """Return whether something is on the link that its own was merged into."""
        if not self._merges or isinstance(difference, PropertyDifference):
            return False
        stays = set(difference.changes) <= {Change.RENAMED, Change.BODY}
        return stays and difference.row_after >= 0 and _rides_along(self._comparison, difference)

    def _announcement(self, difference: Difference) -> str:
        row = difference.row_before
        covering = [each for each in self._announced.get(row, ()) if each.covers(difference)]
        if covering:
            return next((each for each in covering if each.names(difference)), covering[0]).sentence
        if row in self._comparison.to_b:
            return ""
        owners = (each for each in tuple(self._comparison.a.around(row))[1:] if each not in self._comparison.to_b)
        saying = (each for owner in owners for each in self._announced.get(owner, ()) if each.is_of_whole)
        return next((each.sentence for each in saying), "")


def _is_added_by_format(comparison: ModelComparison, difference: Difference) -> bool:
    """Return whether a difference is something that the other format needs, such as a link for each frame.

    A model that others were dissolved in has their elements of other programs.
    """
    if isinstance(difference, PropertyDifference):
        if difference.change is not PropertyChange.ADDED or difference.aspect is not Aspect.SETTING:
            return False
        a, b, to_b = comparison.a, comparison.b, comparison.to_b
        models = (row for row in a.inside(difference.row_before) if a.kinds[row] is Kind.MODEL)
        return any(row not in to_b or b.kinds[to_b[row]] is not Kind.MODEL for row in models)
    if difference.changes != (Change.APPEARED,):
        return False
    return comparison.b.kinds[difference.row_after] in (Kind.LINK, Kind.JOINT, Kind.FRAME)


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
        return {difference.value_before, difference.value_after} == {GAZEBO_MATERIALS, None}
    return False


def _is_frame_of_format(comparison: ModelComparison, difference: FrameDifference) -> bool:
    """Return whether a frame differs as it must where the other format has links and joints only."""
    a, b = comparison.a, comparison.b
    roots = a.document.root, b.document.root
    if roots[0] is not None and roots[1] is not None and roots[0].tag == roots[1].tag:
        return False
    kind = a.kinds[difference.row_before]
    if difference.changes == (Change.VANISHED,):
        return kind is Kind.MODEL or _holds_a_frame(comparison, difference.row_before)
    if kind in SHAPED and Change.MOVED in difference.changes:
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
