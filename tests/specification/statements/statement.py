"""What a statement is, and the pieces that the files of statements are written with."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

KINEMATICS = "Specifying model kinematics in SDFormat"
FRAMES = "Pose Frame Semantics Proposal"
FRAMES_LEGACY = "Pose Frame Semantics: legacy behavior"
COMPOSITION = "Model Composition: proposed behavior"
COMPOSITION_LEGACY = "Composition: legacy behavior"
DOCUMENTS = (KINEMATICS, FRAMES_LEGACY, FRAMES, COMPOSITION_LEGACY, COMPOSITION)

AGREES, DIFFERS, NOT_COVERED = "agrees", "libsdformat differs", "not covered"

Vector: TypeAlias = tuple[float, float, float]


@dataclass(frozen=True)
class Statement:
    """One statement.

    Attributes
    ----------
    document, section
        Where it is made; the section is a heading of the document.
    text
        What it says.
    xml, version
        The file that shows it. Without a ``<model>`` or ``<world>`` around it,
        it is put into model ``m``; a ``<robot>``
        or ``<sdf>`` is the whole file.
    files
        Files that it includes, by name, each a ``<model>`` or a whole file.
    errors, warnings
        The rules that the file breaks, in the order of the file; warnings are compared where they are given.
    q
        Joint positions by joint, at which ``at`` and ``turned`` hold; the initial ones by default.
    at, turned
        Position and roll, pitch, yaw in the root frame, by frame.
    bodies, relative_to, attached_to
        The body that carries a frame, and the frames that it is measured from and attached to; ``world`` is the root.
    axes
        Direction of the first axis of a joint in the root frame, by joint.
    dofs
        How many degrees of freedom the file has.
    state, why
        Whether this program agrees with the document, and why not.
    test
        Another test that shows it, in place of a file.
    """

    document: str
    section: str
    text: str
    xml: str = ""
    version: str = "1.11"
    files: Mapping[str, str] = field(default_factory=dict)
    errors: Sequence[str] = ()
    warnings: Sequence[str] | None = None
    q: Mapping[str, float] = field(default_factory=dict)
    at: Mapping[str, Vector] = field(default_factory=dict)
    turned: Mapping[str, Vector] = field(default_factory=dict)
    bodies: Mapping[str, str] = field(default_factory=dict)
    relative_to: Mapping[str, str] = field(default_factory=dict)
    attached_to: Mapping[str, str] = field(default_factory=dict)
    axes: Mapping[str, Vector] = field(default_factory=dict)
    dofs: int | None = None
    state: str = AGREES
    why: str = ""
    test: str = ""

    def __str__(self) -> str:
        return f"{self.section}: {self.text}".replace("::", "..").replace("[", "(").replace("]", ")")


def about(document: str, version: str) -> Callable[..., Statement]:
    """Return what makes the statements of one document; its files are of ``version`` unless they say another.

    ``differs`` and ``uncovered`` say why libsdformat differs, and why nothing shows the statement.
    """

    def make(
        section: str, text: str, xml: str = "", *, differs: str = "", uncovered: str = "", **more: Any
    ) -> Statement:
        state = DIFFERS if differs else NOT_COVERED if uncovered else AGREES
        return Statement(
            document, section, text, xml, **{"version": version, **more}, state=state, why=differs or uncovered
        )

    return make


def pose(numbers: str = "", target: str | None = None, attribute: str = "relative_to") -> str:
    """Return a pose; ``target`` is what it is measured from."""
    named = "" if target is None else f' {attribute}="{target}"'
    return f"<pose{named}>{numbers}</pose>" if numbers else f"<pose{named}/>"


def link(name: str, inside: str = "") -> str:
    """Return a link."""
    return f'<link name="{name}">{inside}</link>'


def frame(name: str, attached_to: str | None = None, inside: str = "") -> str:
    """Return a frame."""
    attached = "" if attached_to is None else f' attached_to="{attached_to}"'
    return f'<frame name="{name}"{attached}>{inside}</frame>'


def model(name: str, inside: str, more: str = "") -> str:
    """Return a model; ``more`` are attributes."""
    return f'<model name="{name}"{more}>{inside}</model>'


def world(inside: str) -> str:
    """Return a world."""
    return f'<world name="w">{inside}</world>'


def include(uri: str, inside: str = "") -> str:
    """Return an include."""
    return f"<include><uri>{uri}</uri>{inside}</include>"


def joint(parent: str, child: str, inside: str = "", name: str = "j", type: str = "fixed", axis: str = "") -> str:
    """Return a joint."""
    return f'<joint name="{name}" type="{type}">{inside}<parent>{parent}</parent><child>{child}</child>{axis}</joint>'


def axis(xyz: str = "0 0 1", more: str = "", tag: str = "axis", attribute: str = "") -> str:
    """Return an axis with limits; ``more`` is inside of it, ``attribute`` on its ``<xyz>``."""
    limits = "<limit><lower>-2</lower><upper>2</upper></limit>"
    return f"<{tag}><xyz{attribute}>{xyz}</xyz>{more}{limits}</{tag}>"


def shape(tag: str, name: str = "", inside: str = "") -> str:
    """Return a visual or collision of a box."""
    return f'<{tag} name="{name or tag}">{inside}<geometry><box><size>1 1 1</size></box></geometry></{tag}>'


#: The inertial of a link of URDF: without a mass it could not be a link.
MASS = '<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>'
#: Links: L and A at the model, B one metre along x.
L, A, B = link("L"), link("A"), link("B", pose("1 0 0 0 0 0"))
#: Why files of old versions are judged by a newer rule.
REFUSED = "libsdformat 9 and later refuse it in files of every version, and so does this program"
