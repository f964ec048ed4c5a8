"""Operations that place frames by other frames: mate, align, distribute, mirror."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from sdfviewer.document.edits import Edit
from sdfviewer.model.kinds import Kind
from sdfviewer.model.model import Model
from sdfviewer.number_text import counted
from sdfviewer.operations.declaration import EditContext, EditOption, MenuEntry, Outcome, Parameter, operation
from sdfviewer.operations.frames import SELECT_FIRST
from sdfviewer.operations.parameters import (
    AxesType,
    ChoiceType,
    FramesType,
    FrameType,
    NumbersType,
    NumberType,
    PairType,
    WholeType,
)

if TYPE_CHECKING:
    from sdfviewer.refactoring.limb import Mirror

_ARRANGE = "Edit/Arrange"
_MOST_NAMES = 4
"""Maximum number of new elements that are listed."""


@operation(
    "Mate frames",
    Parameter("a", FrameType(), "the frame that stays"),
    Parameter("b", FrameType(), "the frame that is moved to it, with what carries it"),
    Parameter(
        "align",
        ChoiceType(("all", "origin", "axis")),
        "what to align: all (default), origin or axis (z)",
        default="all",
    ),
    Parameter("offset", NumbersType(("m", "m", "m")), "x y z of B in A", default=(0.0, 0.0, 0.0)),
    Parameter("angle", NumberType("rad"), "of B about the z axis of A", default=0.0),
    Parameter(
        "written_as",
        ChoiceType(("relative_to", "placement_frame", "joint")),
        "relative_to, placement_frame or joint; by default whichever the scopes allow",
        default=None,
        option="as",
    ),
    verb="Mate",
    menu=MenuEntry(
        "edit.mate", _ARRANGE, "Mate Frames…", "Ctrl+K, 3", "mdi6.arrow-collapse-horizontal", words="snap align attach"
    ),
    command=EditOption("mate", "A=B", ("a", "b"), "move the part that carries B so that B coincides with A"),
)
def mate(
    on: EditContext, a: int, b: int, align: str, offset: Sequence[float], angle: float, written_as: str | None
) -> Edit:
    """Move one of two selected frames, with what carries it, so that they meet.

    The origin and all axes coincide, or the origin, or the origin and the z axis; then the offset and the angle count.
    """
    from sdfviewer.refactoring.arranging import Align, Mate, MateForm, write_mate

    x, y, z = offset
    wanted = Mate(a, b, Align(align), (x, y, z), angle)
    return write_mate(on.model, wanted, None if written_as is None else MateForm(written_as))


def _along(first: str) -> tuple[Parameter, Parameter]:
    """Return the axes along which frames move; a form starts with one of them."""
    return (
        Parameter(
            "axes",
            AxesType(),
            "the axes along which they move, such as xz (xyz)",
            default="xyz",
            label="along",
            suggest=lambda _model, _rows: first,
        ),
        Parameter(
            "of",
            FrameType(),
            "the frame whose axes these are (the root)",
            default=None,
            label="axes of",
            suggest=lambda model, _rows: model.names[0],
        ),
    )


def too_few_to_align(_model: Model, rows: Sequence[int]) -> str | None:
    """Return why a selection cannot be aligned."""
    return None if len(rows) >= 2 else "select at least 2 frames first"  # one is aligned with another


def too_few_to_distribute(_model: Model, rows: Sequence[int]) -> str | None:
    """Return why a selection cannot be distributed."""
    return None if len(rows) >= 3 else "select at least 3 frames first"  # one is between two others


@operation(
    "Align frames",
    Parameter("frames", FramesType(), "the frames; the last one stays"),
    *_along("z"),
    refusal=too_few_to_align,
    note="The frame selected last stays. The others get its coordinates at the initial pose.",
    verb="Align",
    menu=MenuEntry("edit.align", _ARRANGE, "Align Frames…", "Ctrl+K, Ctrl+X", "mdi6.align-horizontal-left"),
    command=EditOption("align-frames", "F,G,...", ("frames",), "give frames the coordinates of the last one"),
)
def align(on: EditContext, frames: Sequence[int], axes: Sequence[int], of: int | None) -> Edit:
    """Give the selected frames the same coordinate as the one selected last."""
    from sdfviewer.refactoring.arranging import Arrangement, arrange

    return arrange(on.model, frames, Arrangement.ALIGN, axes, frame=of or 0)


@operation(
    "Distribute frames",
    Parameter("frames", FramesType(), "the frames; the outermost two stay"),
    *_along("x"),
    refusal=too_few_to_distribute,
    note="The outermost two stay. The others get equal distances at the initial pose.",
    verb="Distribute",
    menu=MenuEntry(
        "edit.distribute", _ARRANGE, "Distribute Frames…", "Ctrl+K, Ctrl+U", "mdi6.distribute-horizontal-center"
    ),
    command=EditOption("distribute-frames", "F,G,H,...", ("frames",), "space frames evenly"),
)
def distribute(on: EditContext, frames: Sequence[int], axes: Sequence[int], of: int | None) -> Edit:
    """Space the selected frames evenly between the outermost two."""
    from sdfviewer.refactoring.arranging import Arrangement, arrange

    return arrange(on.model, frames, Arrangement.DISTRIBUTE, axes, frame=of or 0)


def link_of(model: Model, rows: Sequence[int]) -> int | None:
    """Return the link that is selected, or that the selected frame moves with; None where there is none."""
    if not rows:
        return None
    link = rows[-1] if model.kinds[rows[-1]] is Kind.LINK else int(model.bodies[rows[-1]])
    return link if link >= 0 and model.kinds[link] is Kind.LINK else None


def no_limb(model: Model, rows: Sequence[int]) -> str | None:
    """Return why a selection begins no limb."""
    if not rows:
        return SELECT_FIRST
    return None if link_of(model, rows) is not None else "select the link that the limb begins with"


def _limb_name(model: Model, rows: Sequence[int]) -> str | None:
    link = link_of(model, rows)
    return None if link is None else model.names[link]


def _sides(model: Model, rows: Sequence[int]) -> tuple[str, str] | None:
    from sdfviewer.refactoring.limb import guess_sides

    link = link_of(model, rows)
    return None if link is None else guess_sides(model.local_names[link])


def _around(model: Model, rows: Sequence[int]) -> str | None:
    link = link_of(model, rows)
    return None if link is None else model.names[int(model.owners[link])]


_AXIS_OF = Parameter(
    "frame",
    FrameType(),
    "the frame whose axis it is (the model)",
    default=None,
    option="about",
    label="of frame",
    suggest=_around,
)
"""The frame about whose axis, or along it, a limb is copied."""


def _is_mirrored(on: EditContext, values: Mapping[str, Any], done: Outcome) -> tuple[str, ...]:
    from sdfviewer.refactoring.limb import reflection_faults

    return reflection_faults(on.model, _mirror_of(on.model, **values), done.edit, on.loader)


def _mirror_of(model: Model, link: int, names: tuple[str, str] | None, axis: int, frame: int | None) -> Mirror:
    from sdfviewer.refactoring.limb import Mirror, guess_sides

    find, replace = names if names is not None else guess_sides(model.local_names[link])
    return Mirror(link, -1 if frame is None else frame, axis, find, replace)


@operation(
    "Mirror limb",
    Parameter("link", FrameType((Kind.LINK,)), "the link that the limb begins with", suggest=_limb_name),
    Parameter(
        "names",
        PairType(),
        "OLD=NEW in the names, such as left=right; by default guessed from the name of the link",
        default=None,
        suggest=_sides,
    ),
    Parameter(
        "axis",
        AxesType(is_one=True, meanings=("front to back", "left to right", "top to bottom")),
        "the axis that is reversed: x, y (default) or z",
        default="y",
        option="across",
        label="mirrored axis",
    ),
    _AXIS_OF,
    refusal=no_limb,
    reads_back=_is_mirrored,
    note="The same joint positions give the mirrored configuration. A name without the text before the arrow gets the "
    "text behind it at its end.",
    verb="Mirror",
    menu=MenuEntry(
        "edit.mirror",
        _ARRANGE,
        "Mirror Limb…",
        "Ctrl+K, Ctrl+O",
        "mdi6.flip-horizontal",
        words="symmetry flip left right",
    ),
    command=EditOption("mirror", "LINK", ("link",), "copy a link and everything below it to the other side"),
)
def mirror(on: EditContext, link: int, names: tuple[str, str] | None, axis: int, frame: int | None) -> Outcome:
    """Write the selected link, and everything that joints carry below it, again on the other side.

    The same joint positions give the mirrored configuration. A mesh whose mirror image is a file in the same folder is
    replaced by that file.
    """
    from sdfviewer.refactoring.mirroring import mirror_limb

    edit = mirror_limb(on.model, _mirror_of(on.model, link, names, axis, frame), on.mirrored_mesh)
    return Outcome(edit, remarks=_new_names(edit))


def _new_names(edit: Edit) -> tuple[str, ...]:
    """Return what an edit adds, in a sentence."""
    new = [name.rpartition("::")[2] for name in edit.added]
    more = f" and {len(new) - _MOST_NAMES} more" if len(new) > _MOST_NAMES else ""
    return (f"{counted(len(new), 'new element')}: {', '.join(new[:_MOST_NAMES])}{more}.",)


@operation(
    "Repeat limb",
    Parameter("link", FrameType((Kind.LINK,)), "the link that the limb begins with", suggest=_limb_name),
    Parameter("count", WholeType(2, 1000), "how many of it there are then", default=4),
    Parameter(
        "axis",
        AxesType(is_one=True),
        "the axis that they are around or along: x, y or z (default)",
        default="z",
        option="around",
    ),
    _AXIS_OF,
    Parameter("angle", NumberType("rad"), "from each to the next; by default they share a full circle", default=None),
    Parameter("distance", NumberType("m"), "along the axis from each to the next; then they are in a row", default=0.0),
    refusal=no_limb,
    note="Numbers in the names count up: rotor_0, rotor_1. Without an angle and a distance they share a full circle.",
    verb="Repeat",
    menu=MenuEntry(
        "edit.repeat",
        _ARRANGE,
        "Repeat Limb…",
        "Ctrl+K, Shift+R",
        "mdi6.rotate-3d",
        words="pattern array circular duplicate around rotors wheels fingers row",
    ),
    command=EditOption("repeat", "LINK", ("link",), "copy a link and everything below it around or along an axis"),
)
def repeat(
    on: EditContext, link: int, count: int, axis: int, frame: int | None, angle: float | None, distance: float
) -> Outcome:
    """Write the selected link, and everything that joints carry below it, several times around an axis or along it.

    What is in the limb refers to what is in its copy, as a joint to its link; everything else is referred to as it was.
    """
    from sdfviewer.refactoring.limb import repetitions
    from sdfviewer.refactoring.mirroring import repeat_limb

    if angle is None:
        angle = 0.0 if distance else 2 * math.pi / count
    copies = repetitions(on.model, link, count, -1 if frame is None else frame, axis, angle, distance)
    edit = repeat_limb(on.model, copies)
    return Outcome(edit, remarks=_new_names(edit))
