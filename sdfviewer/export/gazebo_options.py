"""What the ``<gazebo>`` of a URDF means in SDFormat, and what SDFormat says and URDF cannot as such elements.

libsdformat reads it from there. What it says of visuals or collisions is that of all visuals or collisions of a link.
Other programs ignore it.

Source: libsdformat, ``ParseSDFExtension`` and ``InsertSDFExtension...`` in src/parser_urdf.cc.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from sdfviewer.document.document import Document
from sdfviewer.document.element import Element
from sdfviewer.document.topics import LEFT_OUT, Aspect, Topic
from sdfviewer.export.urdf_parts import Tell, copies, dedented
from sdfviewer.export.writing import element
from sdfviewer.formats.comparison import GAZEBO_MATERIALS
from sdfviewer.formats.sdformat.settings import read_settings
from sdfviewer.formats.urdf.contents import materials_of, option_settings
from sdfviewer.formats.urdf.robot import IN_COLLISIONS, OF_JOINTS, OF_LINKS, copied_into, option_text, options_of
from sdfviewer.model.comparison.difference import topics_of
from sdfviewer.model.joints import Joint
from sdfviewer.model.kinds import Kind
from sdfviewer.model.model import Model
from sdfviewer.model.values import parse_bool
from sdfviewer.versions import NEWEST

#: The elements of SDFormat by the options that become them: of axes and limits.
_DYNAMICS = {"springReference": "spring_reference", "springStiffness": "spring_stiffness"}
_LIMIT = {"stopCfm": "cfm", "stopErp": "erp"}
#: Options that have no effect without merged links, or that other code reads.
_NOT_WRITTEN = frozenset({"static", "preserveFixedJoint", "disableFixedJointLumping"})


class GazeboOptions:
    """The options of a robot's ``<gazebo>`` elements as lines of SDFormat."""

    def __init__(self, robot: Element, document: Document) -> None:
        self._document, self._robot = document, robot
        self._given = options_of(robot)

    @staticmethod
    def is_written(option: Element, *, is_joint: bool) -> bool:
        """Return whether an option about a link or a joint has a counterpart, or needs none."""
        return option.tag in _NOT_WRITTEN or option.tag in (OF_JOINTS if is_joint else OF_LINKS)

    def link(self, name: str) -> list[str]:
        """Return the lines of a link itself."""
        return self._with((), option_settings(self._of(name), Kind.LINK))

    def visual(self, link: str | None, colour: list[str]) -> list[str]:
        """Return the lines of a visual other than its shape; ``link`` has its options.

        ``colour`` holds the lines of the visual's own material. Gazebo Classic shows a material by its name; others,
        which do not know its scripts, show the colour.
        """
        written, name, _ = materials_of(self._robot).given(link) if link is not None else (None, None, 0.0)
        tags = {each.tag for each in written.children} if written is not None else set()
        lines: list[str] = []
        if name is not None and "script" not in tags:
            words = " ".join(option_text(name).split())
            lines += element("script", None, [*element("uri", None, GAZEBO_MATERIALS), *element("name", None, words)])
        if written is None or (name is None and not tags & {"ambient", "diffuse"}):
            lines += colour
        for child in written.children if written is not None else ():
            lines += self._source(child)
        materials = {"material": element("material", None, lines)} if lines or written is not None else {}
        return [line for each in {**self._copied(link, "visual"), **materials}.values() for line in each]

    def collision(self, link: str | None) -> list[str]:
        """Return the lines of a collision other than its shape; ``link`` has its options."""
        texts = {path: text for option, path in IN_COLLISIONS.items() if (text := self._text(link, option))}
        return self._with(() if link is None else copied_into(self._robot, link, "collision").values(), texts)

    def _with(self, copied: Collection[Element], given: Mapping[str, str]) -> list[str]:
        """Return the lines of elements as they are written, with texts at some paths in place of what they say."""
        lines: list[str] = []
        tags = dict.fromkeys([*(each.tag for each in copied), *(path.partition("/")[0] for path in given)])
        for tag in tags:
            child = next((each for each in copied if each.tag == tag), None)
            below = {path.partition("/")[2]: text for path, text in given.items() if path.partition("/")[0] == tag}
            if "" in below:
                lines += element(tag, None, below[""])
            elif below:
                lines += element(tag, None, self._with(() if child is None else child.children, below))
            elif child is not None:
                lines += self._source(child)
        return lines

    def dynamics(self, joint: str) -> list[str]:
        """Return the lines in the ``<dynamics>`` of the axis of a joint."""
        return [line for lines in self._named(joint, _DYNAMICS).values() for line in lines]

    def joint(self, joint: str) -> list[str]:
        """Return the lines of the ``<physics>`` of a joint."""
        return self._with((), option_settings(self._of(joint), Kind.JOINT))

    def _of(self, reference: str | None) -> Mapping[str, Element]:
        return self._given.get(reference, {}) if reference is not None else {}

    def _text(self, reference: str | None, tag: str) -> str:
        option = self._of(reference).get(tag)
        return "" if option is None else " ".join(option_text(option).split())

    def _named(self, reference: str | None, names: Mapping[str, str]) -> dict[str, list[str]]:
        texts = {tag: self._text(reference, option) for option, tag in names.items()}
        return {tag: element(tag, None, text) for tag, text in texts.items() if text}

    def _copied(self, reference: str | None, tag: str) -> dict[str, list[str]]:
        """Return what a ``<visual>`` or ``<collision>`` in ``<gazebo>`` holds, as it is written."""
        lines: dict[str, list[str]] = {}
        for child in copied_into(self._robot, reference, tag).values() if reference is not None else ():
            lines[child.tag] = self._source(child)
        return lines

    def _source(self, written: Element) -> list[str]:
        first, last = self._document.offsets(written, "element")
        return dedented(self._document.text[first:last])


_SENSOR_LIKE = (Kind.SENSOR, Kind.LIGHT, Kind.PROJECTOR, Kind.PARTICLE_EMITTER)
#: What libsdformat copies from a ``<gazebo>`` into the link or the model.
_LINK = ("kinematic", "enable_wind", "must_be_base_link", "battery", "audio_sink", "audio_source")
_MODEL = ("self_collide", "allow_auto_disable", "enable_wind", "gripper")
_COLLISION = ("surface", "laser_retro", "max_contacts")
_VISUAL = ("material", "transparency", "cast_shadows", "laser_retro", "visibility_flags", "meta", "plugin")
_COLOURS = ("diffuse", "ambient")
_OTHER_COLOURS = ("specular", "emissive")


#: The options that become a path in a collision.
_OPTIONS = {path: option for option, path in IN_COLLISIONS.items()}
_PHYSICS = {
    **{f"ode/limit/{tag}": option for option, tag in _LIMIT.items()},
    "ode/fudge_factor": "fudgeFactor",
    "ode/implicit_spring_damper": "implicitSpringDamper",
    "ode/cfm_damping": "implicitSpringDamper",
    "ode/provide_feedback": "provideFeedback",
    "provide_feedback": "provideFeedback",
}


def model_extension(model: Model, tell: Tell) -> list[str]:
    """Return the lines of what a model of SDFormat says of itself; what models in it say is lost."""
    for row, kind in enumerate(model.kinds):
        if kind is Kind.MODEL and row:
            for each in model.elements[row].findall(*_MODEL, "plugin"):
                why = f"a URDF has <{each.tag}> only for the whole robot; that of this model is left out"
                tell(row, why, *topics_of(kind, [each.tag]))
    _lose_attributes(model, 0, tell)
    return copies(model, 0, _copied(model.elements[0], _MODEL))


def plugins_of(model: Model) -> list[str]:
    """Return the lines of the plugins of a model."""
    return copies(model, 0, model.elements[0].findall("plugin"))


def link_extension(model: Model, link: int, tell: Tell, *, is_bundle: bool) -> tuple[list[str], list[Kind]]:
    """Return the lines of what a link of SDFormat and its parts say beyond URDF, and the kinds of parts that do.

    Parameters
    ----------
    model, link
        The row of the link.
    tell
        Says what is lost.
    is_bundle
        Whether the URDF leaves its folder, so that files of materials would not be found.
    """
    written = model.elements[link]
    lines: list[str] = []
    _lose_attributes(model, link, tell)
    if gravity := written.text_of("gravity"):
        lines += element("turnGravityOff", None, _word(not parse_bool(gravity)))
    if collides := written.text_of("self_collide"):
        lines += element("selfCollide", None, _word(parse_bool(collides)))
    decay = written.find("velocity_decay")
    if decay is not None and (linear := decay.text_of("linear")) and linear == decay.text_of("angular"):
        lines += element("dampingFactor", None, linear)
    elif decay is not None:
        lines += copies(model, link, [decay])
    lines += copies(model, link, _copied(written, _LINK))
    parts = {
        Kind.COLLISION: _collisions(model, link, tell),
        Kind.VISUAL: _visuals(model, link, tell, is_bundle=is_bundle),
    }
    lines += [line for each in parts.values() for line in each] + _sensors(model, link, tell)
    return lines, [kind for kind, each in parts.items() if each]


def _lose_attributes(model: Model, row: int, tell: Tell) -> None:
    """Say which attributes of a model or link, and what of its inertia, a URDF does not hold."""
    lost = [each for each in read_settings(model.elements[row], model.kinds[row], NEWEST) if each[0] == "@"]
    for path in lost:
        why = f"URDF has nothing for its attribute '{path[1:]}'; it is left out"
        tell(row, why, *topics_of(model.kinds[row], [path]))
    inertial = model.elements[row].find("inertial") if model.kinds[row] is Kind.LINK else None
    if inertial is not None and inertial.find("fluid_added_mass") is not None:
        why = "URDF has nothing for its <fluid_added_mass>; it is left out"
        tell(row, why, *topics_of(Kind.LINK, ["inertial", "fluid_added_mass"]))


def joint_extension(model: Model, joint: Joint, tell: Tell) -> list[str]:
    """Return the lines of what a joint of SDFormat says beyond URDF."""
    written = model.elements[joint.row]
    given: dict[str, str] = {}
    axis = written.find("axis")
    dynamics = axis.find("dynamics") if axis is not None else None
    for option, tag in _DYNAMICS.items():
        if dynamics is not None and (text := dynamics.text_of(tag)):
            given[option] = text
    physics = written.find("physics")
    for path, text in _leaves(physics) if physics is not None else ():
        if path in _PHYSICS:
            given[_PHYSICS[path]] = text
        else:
            why = f"URDF has nothing for its <physics>/{path}; it is left out"
            tell(joint.row, why, Topic(Aspect.SETTING, re.escape(f"physics/{path}")))
    for path in read_settings(written, Kind.JOINT, NEWEST):
        if path.startswith(("axis", "@")):
            why = f"URDF has nothing for its {path}; it is left out"
            tell(joint.row, why, Topic(Aspect.SETTING, re.escape(path)))
    lines = [line for option, text in given.items() for line in element(option, None, text)]
    lines += copies(model, joint.row, _copied(written, ()))
    return lines + _sensors(model, joint.row, tell)


def _copied(element: Element, tags: Collection[str]) -> list[Element]:
    """Return the children that are copied: those of some tags, and elements of other programs, ``gz:options``."""
    return [child for child in element.children if child.tag in tags or ":" in child.tag]


def _word(value: bool) -> str:
    return "true" if value else "false"


def _leaves(element: Element, path: str = "") -> Iterator[tuple[str, str]]:
    """Yield the path and text of everything below an element that holds a text or an attribute."""
    for child in element.children:
        here = f"{path}/{child.tag}" if path else child.tag
        if child.text.strip() or child.attributes:
            yield here + "".join(f"@{name}" for name in child.attributes), " ".join(child.text.split())
        yield from _leaves(child, here)


def _sensors(model: Model, row: int, tell: Tell) -> list[str]:
    """Return the lines of the sensors, lights, projectors and emitters on a link or joint."""
    lines: list[str] = []
    for part in model.rows_in(row, *_SENSOR_LIKE):
        if model.relative_to_written[part] is not None:
            tell(part, "its pose names a frame, which URDF does not support; it is left out", *LEFT_OUT)
            continue
        lines += copies(model, part, [model.elements[part]])
    return lines


# --- what all collisions or visuals of a link share ------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Shared:
    """An element that is the same in all visuals or collisions of a link, and the row of the first that has it."""

    row: int
    element: Element


def _shared(model: Model, link: int, kind: Kind, tags: Sequence[str], tell: Tell) -> dict[str, _Shared]:
    """Return the elements that all visuals or collisions of a link share, by tag; those that differ are lost."""
    rows = model.rows_in(link, kind)
    found: dict[str, _Shared] = {}
    foreign = [child.tag for row in rows for child in model.elements[row].children if ":" in child.tag]
    for tag in dict.fromkeys((*tags, *foreign)):
        having = {row: each for row in rows if (each := model.elements[row].find(tag)) is not None}
        having = {row: each for row, each in having.items() if _says_more(each)}
        if not having:
            continue
        first, shared = next(iter(having.items()))
        if len(having) == len(rows) and len({_content(each) for each in having.values()}) == 1:
            found[tag] = _Shared(first, shared)
            continue
        for row, each in having.items():
            if _is_colour(each):
                why = "URDF has one colour for it; the other colours of its material are left out"
                tell(row, why, *topics_of(kind, [tag]))
            else:
                what = f"a URDF has one <{tag}> for all {kind}s of a link, and these differ in theirs"
                tell(row, f"{what}; it is left out", *topics_of(kind, [tag]))
    return found


def _says_more(element: Element) -> bool:
    """Return whether an element says anything, for a material: more than one colour, which URDF has too."""
    if element.tag != "material":
        return bool(element.text.strip() or element.attributes or any(_leaves(element)))
    texts = dict(_leaves(element))
    return bool(texts.keys() - set(_COLOURS)) or len(set(texts.values())) > 1


def _is_colour(element: Element) -> bool:
    """Return whether an element is a material of nothing but colours, of which URDF keeps one."""
    return element.tag == "material" and dict(_leaves(element)).keys() <= {*_COLOURS, *_OTHER_COLOURS}


def _content(element: Element) -> tuple[object, ...]:
    attributes = tuple(sorted(element.attributes.items()))
    return (element.tag, attributes, tuple(element.text.split()), tuple(map(_content, element.children)))


def _collisions(model: Model, link: int, tell: Tell) -> list[str]:
    shared = _shared(model, link, Kind.COLLISION, _COLLISION, tell)
    lines: list[str] = []
    for tag, option in _OPTIONS.items():
        if tag in shared:
            lines += element(option, None, " ".join(shared[tag].element.text.split()))
    surface = shared.pop("surface", None)
    foreign = [line for tag, each in shared.items() if ":" in tag for line in copies(model, each.row, [each.element])]
    if surface is None or foreign:
        copied = [] if surface is None else copies(model, surface.row, [surface.element])
        return lines + (element("collision", None, copied + foreign) if copied or foreign else [])
    texts = dict(_leaves(surface.element, "surface"))
    if texts.keys() <= _OPTIONS.keys():
        return lines + [line for path, text in texts.items() for line in element(_OPTIONS[path], None, text)]
    return lines + element("collision", None, copies(model, surface.row, [surface.element]))


def _visuals(model: Model, link: int, tell: Tell, *, is_bundle: bool) -> list[str]:
    shared = _shared(model, link, Kind.VISUAL, _VISUAL, tell)
    lines: list[str] = []
    material = shared.get("material")
    if material is not None:
        texts = dict(_leaves(material.element))
        colours = {texts.pop(tag, "") for tag in _COLOURS} - {""}
        names_file = any(path.endswith(("uri", "_map", "texture/diffuse", "filename")) for path in texts)
        if texts == {"script/uri": GAZEBO_MATERIALS, "script/name": texts.get("script/name")} and len(colours) < 2:
            lines += element("material", None, texts["script/name"])
            del shared["material"]
        elif is_bundle and names_file:
            for row in model.rows_in(link, Kind.VISUAL):
                why = "URDF has one colour for it; the scripts and textures of its material are left out"
                tell(row, why, *topics_of(Kind.VISUAL, ["material"]))
            del shared["material"]
    written = [line for each in shared.values() for line in copies(model, each.row, [each.element])]
    return lines + (element("visual", None, written) if written else [])
