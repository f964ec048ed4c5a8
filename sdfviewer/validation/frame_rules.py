"""``attached_to`` and ``relative_to`` values and graphs, placement frames."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from itertools import pairwise

import numpy as np

from sdfviewer.diagnostics import Message, Severity, rule
from sdfviewer.model import graph
from sdfviewer.model.findings import ElementPart, FaultyEdge, Finding
from sdfviewer.model.graph import Rows
from sdfviewer.model.kinds import Kind
from sdfviewer.model.kinematics.tree import mimic_cycles
from sdfviewer.model.model import Model
from sdfviewer.model.names import is_merged_frame
from sdfviewer.model.near_names import NearNames, offer_names
from sdfviewer.model.references import Reference, edge_location, find_loose_references, find_references
from sdfviewer.model.targets import Attribute, ReferenceTargets
from sdfviewer.validation import joint_rules, kinematics_rules, name_rules
from sdfviewer.validation.name_rules import name_not_found


@rule("attached-to-invalid", 401, libsdformat="FRAME_ATTACHED_TO_INVALID")
def attached_to_invalid(name: str, hint: str) -> str:
    """A frame attached to a name that is not a frame in its scope.

    ``attached_to`` names a link, joint, frame or model beside the frame, or one inside such a model
    (``nested::link``). A model refers only to what is in it.

    libsdformat adds errors of the frame graph, and ELEMENT_INVALID for a world that did not load.

    Bad: ``<frame name="tool" attached_to="wrist"/>`` where no sibling is called ``wrist``.

    Use instead: the name of a sibling, or no ``attached_to``: the model frame.

    Source: pose frame semantics proposal, "Phases of parsing kinematics of an sdf 1.7 model", phase 4
    """
    return f"attached_to '{name}' is not a frame in this scope" + hint


@rule("attached-to-cycle", 402, libsdformat="FRAME_ATTACHED_TO_CYCLE")
def attached_to_cycle(names: Sequence[str]) -> str:
    """Frames whose ``attached_to`` attributes form a cycle.

    Following ``attached_to`` must end at a link or at the world: the body that carries the frame. Nothing carries the
    frames of a cycle.

    A frame without ``relative_to`` is measured from what it is attached to, so the same cycle is in the graph of poses.
    libsdformat reports it there too, POSE_RELATIVE_TO_CYCLE, once for each frame, and adds ELEMENT_INVALID for a world
    that did not load. Here one cause is one problem; a cycle of ``relative_to`` that is written is another one.

    Bad: ``<frame name="F1" attached_to="F2"/> <frame name="F2" attached_to="F1"/>``

    Use instead: one of them attached to a link.

    Source: pose frame semantics proposal, "Phases of parsing kinematics of an sdf 1.7 model", phase 5
    """
    if len(names) == 1:
        return f"frame '{names[0]}' is attached to itself"
    return f"attached_to cycle: {' → '.join([*names, names[0]])}"


@rule("relative-to-invalid", 501, libsdformat="POSE_RELATIVE_TO_INVALID")
def relative_to_invalid(name: str, hint: str, attribute: str = "relative_to") -> str:
    """A pose relative to a name that is not a frame in its scope.

    ``relative_to`` names a link, joint, frame or model beside the element with the pose, or one inside such a model
    (``nested::link``). A model refers only to what is in it. Files of 1.5 and 1.6 call the attribute ``frame``.

    For visuals, collisions, sensors and other things on a link it is a warning: libsdformat resolves their poses only
    when a program asks for them.

    libsdformat adds errors of the pose graph, and ELEMENT_INVALID for a world that did not load.

    Bad: ``<pose relative_to="wrist">`` where no sibling is called ``wrist``.

    Use instead: the name of a sibling, or no ``relative_to``: the default of that element.

    Source: pose frame semantics proposal, "Phases of parsing kinematics of an sdf 1.7 model", phase 6
    """
    return f"{attribute} '{name}' is not a frame in this scope" + hint


@rule("relative-to-cycle", 502, libsdformat="POSE_RELATIVE_TO_CYCLE")
def relative_to_cycle(names: Sequence[str]) -> str:
    """Poses whose ``relative_to`` attributes form a cycle.

    Following ``relative_to`` must end at the model frame, or at the world in a world; otherwise no pose of the cycle
    is defined. The defaults count too: a joint without ``relative_to`` is measured from its child, so a child that is
    measured from that joint closes a cycle.

    libsdformat reports a cycle once for each of its frames and once for each frame that leads into it, and adds
    ELEMENT_INVALID for a world that did not load. Here each cycle is one problem. Of a URDF, libsdformat drops links
    that form a cycle apart from the rest without a word; here that is an error, too: they would not be there.

    Bad: ``<link name="A"><pose relative_to="B"/></link> <link name="B"><pose relative_to="A"/></link>``

    Use instead: measure one of them from a frame outside the cycle.

    Source: pose frame semantics proposal, "Phases of parsing kinematics of an sdf 1.7 model", phase 7
    """
    if len(names) == 1:
        return f"the pose of '{names[0]}' is relative to itself"
    return f"relative_to cycle: {' → '.join([*names, names[0]])}"


@rule("placement-frame-invalid", 503, libsdformat="POSE_RELATIVE_TO_INVALID")
def placement_frame_invalid(name: str, hint: str) -> str:
    """A ``placement_frame`` that is not a frame of the model that is placed.

    The pose of a model with a placement frame is the pose of that frame; it is named as seen from inside the model.

    Bad: ``<model name="m" placement_frame="bottom">`` without a frame ``bottom`` in ``m``.

    Use instead: a frame of the model.

    Source: model composition proposal, "1.4.4 Placement frame: //include/placement_frame"
    """
    return f"placement_frame '{name}' is not a frame of this model" + hint


@rule("placement-frame-without-pose", 504, libsdformat="MODEL_PLACEMENT_FRAME_INVALID")
def placement_frame_without_pose() -> str:
    """An include with a ``placement_frame`` and no ``<pose>``: it says which frame to place, and not where.

    Bad: ``<include><uri>mug</uri><placement_frame>bottom</placement_frame></include>``

    Use instead: a ``<pose>`` beside it, ``<pose/>`` for no offset.

    Source: model composition proposal, "1.4.4 Placement frame: //include/placement_frame"
    """
    return Message("<placement_frame> needs a <pose> beside it", "write <pose/> for no offset")


@rule("root-pose-relative", 505, libsdformat="ATTRIBUTE_INVALID")
def root_pose_relative(name: str) -> str:
    """The pose of a file's top model relative to a frame.

    Nothing is around the top model of a file, and the frames inside it move with it.

    Bad: ``<sdf version="1.9"><model name="m"><pose relative_to="base">...``

    Use instead: ``<pose>``, or ``placement_frame`` for the frame that the pose is meant for.

    Source: libsdformat, ``checkXmlFromRoot``
    """
    return Message(
        f"the pose of a file's top model cannot be relative to '{name}': nothing is around it", "remove the attribute"
    )


def check_mimics(model: Model) -> Iterator[Finding]:
    """Yield a finding for each circle of joints that mimic each other."""
    for cycle in mimic_cycles(model):
        places, edges = [], []
        for (row, number), (leader, _) in zip(cycle, [*cycle[1:], cycle[0]], strict=True):
            axis = model.joints_by_row[row].axes[number].element
            places.append(ElementPart(model.sources[row], axis.find("mimic") or axis))
            edges.append(FaultyEdge(row, "mimic", leader, axis.tag))
        called = names_on_cycle(model, [row for row, _ in cycle])
        names = [called[row] for row, _ in cycle]
        followed = [*names[1:], names[0]]
        sentences = [f"'{name}' mimics '{leader}'" for name, leader in zip(names, followed, strict=True)]
        rows = tuple(row for row, _ in cycle)
        related = tuple(zip(sentences, places, strict=True))
        yield Finding(
            kinematics_rules.mimic_cycle,
            places[0],
            kinematics_rules.mimic_cycle.format(names),
            rows,
            related,
            edges=tuple(edges),
        )


def check_graphs(model: Model) -> Iterator[Finding]:
    """Yield a finding for each cycle of each frame graph and for each joint inside one body."""
    attached_cycles = _cycles(model, model.attached_to_cycles)
    for cycle in attached_cycles:
        yield _cycle(model, cycle, "attached_to")
    seen = {tuple(cycle) for cycle in attached_cycles}
    for cycle in _cycles(model, model.relative_to_cycles):
        # Frames without a <pose> lean on attached_to in both graphs: one cause, one finding.
        if tuple(cycle) in seen and all(model.relative_to_written[row] is None for row in cycle):
            continue
        yield _cycle(model, cycle, "relative_to")
    yield from _check_joint_bodies(model)


def _cycles(model: Model, cycles: list[list[int]]) -> list[list[int]]:
    """Return the cycles that no name clash explains: what its names mean is open until they differ."""
    if not cycles:
        return cycles
    uses = Counter(name for name, kind in zip(model.names, model.kinds, strict=True) if kind.is_vertex)
    return [cycle for cycle in cycles if all(uses[model.names[row]] == 1 for row in cycle)]


def _edge_sentence(model: Model, row: int, attribute: str, names: dict[int, str]) -> str:
    target = int((model.attached_to if attribute == "attached_to" else model.relative_to)[row])
    written = (model.attached_to_written if attribute == "attached_to" else model.relative_to_written)[row]
    verb = "attached to" if attribute == "attached_to" else "relative to"
    reason = "" if written is not None else " (by default)"
    return f"'{names[row]}' is {verb} '{names[target]}'{reason}"


def names_on_cycle(model: Model, cycle: list[int]) -> dict[int, str]:
    """Return how the frames of a cycle are called in a message: by their local names where all stand in one scope."""
    names = model.names if len({int(model.scopes[row]) for row in cycle}) > 1 else model.local_names
    return {row: names[row] for row in cycle}


def _cycle(model: Model, cycle: list[int], attribute: str) -> Finding:
    rule = attached_to_cycle if attribute == "attached_to" else relative_to_cycle
    names = names_on_cycle(model, cycle)
    related = tuple(
        (_edge_sentence(model, row, attribute, names), edge_location(model, row, attribute)) for row in cycle
    )
    location = edge_location(model, cycle[0], attribute)
    edges = tuple(
        FaultyEdge(row, _holder(model, row, attribute), target)
        for row, target in zip(cycle, [*cycle[1:], cycle[0]], strict=True)
    )
    return Finding(rule, location, rule.format([names[row] for row in cycle]), tuple(cycle), related, edges=edges)


def _holder(model: Model, row: int, attribute: str) -> str:
    """Return what holds the name of an edge: a joint is attached to its child."""
    return "child" if attribute == "attached_to" and model.kinds[row] is Kind.JOINT else attribute


def _check_joint_bodies(model: Model) -> Iterator[Finding]:
    """Yield a finding for each joint whose ends, though named differently, belong to one body, or that moves the world.

    Notes
    -----
    Source: libsdformat, ``checkScopedJointParentChildNames``, which looks at the joints of worlds, of the models in
    them and of top models; deeper ones give a warning here. A model that says itself that it is static counts as a body
    of its own; one that is only in such a model has its canonical link.
    """
    if not model.joints:
        return
    says_static = (
        model.static & model.kinds_are(Kind.MODEL) & (model.attached_to <= 0)
    )  # attached to nothing, or the world
    parents = np.where(says_static, graph.ROOT, model.attached_to)
    bodies: Rows = graph.sinks(parents)
    ends = np.array([(joint.parent, joint.child) for joint in model.joints])
    parent_body, child_body = np.where(ends >= 0, bodies[ends], graph.UNRESOLVED).T
    moves_world = (child_body >= 0) & model.kinds_are(Kind.WORLD)[child_body]
    joins_nothing = moves_world | ((child_body >= 0) & (child_body == parent_body))
    for index in np.flatnonzero(joins_nothing & (ends[:, 0] != ends[:, 1])):
        joint = model.joints[index]
        element, source = model.elements[joint.row], model.sources[joint.row]
        scope = int(model.scopes[joint.row])
        is_deep = scope != 0 and not (model.is_world and model.scopes[scope] == 0)
        severity = Severity.WARNING if is_deep else None
        location = ElementPart(source, element.find("child") or element, "text")
        if moves_world[index]:
            if element.text_of("child") != "world":  # which is reported where the name is
                rule = joint_rules.joint_child_is_world
                message = rule.format(element.text_of("child"))
                yield Finding(rule, location, message, (joint.row,), severity=severity)
        else:
            rule = joint_rules.joint_parent_is_child
            message = rule.format(element.text_of("parent"), element.text_of("child"), model.names[child_body[index]])
            edges = tuple(FaultyEdge(joint.row, tag) for tag in ("child", "parent"))
            yield Finding(rule, location, message, (joint.row,), severity=severity, edges=edges)


def check_private_names(model: Model) -> Iterator[Finding]:
    """Yield a finding for each reference in the file that leads through or to a private name of a nested model."""
    if not model.document.contains("::_"):
        return
    for reference in find_references(model):
        components = reference.name.split("::")
        for holder, name in pairwise(components):
            if name.startswith("_") and not (name.startswith("__") or is_merged_frame(name)):
                rule = name_rules.private_name
                location = ElementPart(None, reference.element, reference.part)
                yield Finding(rule, location, rule.format(name, holder), (reference.row,))


#: Between the names of links that libsdformat merges, in those of their collisions.
LUMP = "_fixed_joint_lump__"


def check_references(model: Model) -> Iterator[Finding]:
    """Yield a finding for each name in an extension, gearbox, gripper, contact sensor or plugin that nothing has."""
    known: dict[tuple[int, Attribute], NearNames] = {}
    for reference in find_loose_references(model):
        attribute = reference.attribute
        assert attribute is not None, "what is in no state has a kind of name"
        targets = ReferenceTargets(model, reference.row, attribute)
        if targets.scope != reference.scope:  # of another model
            targets = ReferenceTargets(model, None, attribute, owner=reference.scope)
        if LUMP in reference.name or may_be_named(model, reference, targets.kinds):
            continue
        names = known.setdefault((targets.scope, attribute), NearNames(name for name, _ in targets.names))
        near = names.nearest(reference.name)
        what = " or ".join(kind.value for kind in targets.kinds)
        message = name_not_found.format(_where(reference), what, reference.name, offer_names(near))
        location = ElementPart(model.sources[reference.row], reference.element, reference.part)
        yield Finding(name_not_found, location, message, (reference.row,), meant=tuple(near))


def may_be_named(model: Model, reference: Reference, kinds: Collection[Kind]) -> bool:
    """Return whether a name that nobody resolves while reading is right, or may be: what it names may be missing."""
    return _is_found(model, reference, kinds) or _may_be_missing(model, reference)


def _is_found(model: Model, reference: Reference, kinds: Collection[Kind]) -> bool:
    """Return whether a name is one of the right kind; where a model is asked for a member, also in nested models."""
    steps, name = reference.steps(model), reference.name
    if len(steps) == len(name.split("::")) and model.kinds[steps[-1]] in kinds:
        return True
    inside = model.inside(reference.scope)
    return any(model.local_names[row] == name and model.kinds[row] in kinds for row in inside)


def _may_be_missing(model: Model, reference: Reference) -> bool:
    """Return whether a name may be that of something in a model that is not found, or of another model of a world."""
    if "::" in reference.name and reference.plugin:
        return True
    return bool(model.failed_includes) and any(row in model.inside(reference.scope) for row in model.failed_includes)


def _where(reference: Reference) -> str:
    """Return how a message calls the place of a reference."""
    tag, part = reference.element.tag, reference.part
    return f"<{tag}>" if part in ("text", "@name") else f"the {part[1:]} of <{tag}>"
