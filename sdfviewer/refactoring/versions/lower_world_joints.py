"""Joints of a world for SDFormat 1.7 to 1.9: joints that fix a model move into the model."""

from __future__ import annotations

from sdfviewer import transforms
from sdfviewer.document.edits import Replacements, element_source, insert_child, remove_element, set_attribute, set_text
from sdfviewer.document.element import Element
from sdfviewer.model.joints import Joint
from sdfviewer.model.kinds import Kind
from sdfviewer.model.names import free_name_among
from sdfviewer.model.references import find_references
from sdfviewer.model.values import format_numbers, read_pose
from sdfviewer.refactoring.poses.notation import notation_of, numbers_of, write_numbers
from sdfviewer.refactoring.versions.lowering import Lowering


def move_world_joints(lowering: Lowering) -> Replacements:
    """Return the edit that moves joints of the world into the models they hold."""
    model, renamed = lowering.model, lowering.renamed
    edits: Replacements = ()
    for joint in model.joints:
        element = model.elements[joint.row]
        if model.kinds[int(model.scopes[joint.row])] is not Kind.WORLD or model.sources[joint.row] is not None:
            continue
        owner = _model_of(lowering, joint, element)
        if owner is None:
            continue
        name = _free_name(lowering, owner, model.local_names[joint.row], {new for _, new in renamed})
        scoped = f"{model.names[owner]}::{name}"
        xml = _rewritten(lowering, joint, element, owner, name)
        edits += remove_element(lowering.document, element)
        edits += insert_child(lowering.document, model.elements[owner], xml)
        for reference in find_references(model):
            if reference.steps(model)[-1:] == [joint.row]:
                edits += reference.write(lowering.document, scoped)
        renamed.append((model.names[joint.row], scoped))
    return edits


def _model_of(lowering: Lowering, joint: Joint, element: Element) -> int | None:
    """Return the model that a joint fixes in the world, None where it does something else, which is refused."""
    model = lowering.model
    if int(model.bodies[joint.parent]) == 0 if joint.parent >= 0 else True:
        owner = joint.child
        while owner > 0 and int(model.owners[owner]) != 0:
            owner = int(model.owners[owner])
        if owner > 0 and model.kinds[owner] is Kind.MODEL and model.elements[owner].tag == "model":
            return owner
        why = "its child is in an included model; inline the includes first"
    else:
        why = "it connects two models"
    lowering.refuse(element, f"joint '{joint.name}' of the world is new in SDFormat 1.10, and {why}")
    return None


def _free_name(lowering: Lowering, owner: int, wanted: str, given: set[str]) -> str:
    model = lowering.model
    prefix = model.member_prefix(owner)
    taken = {each.removeprefix(prefix) for each in (*given, *model.rows_by_name) if each.startswith(prefix)}
    taken |= {child.attributes.get("name", "") for child in model.elements[owner].children}
    return free_name_among(wanted, taken)


def _rewritten(lowering: Lowering, joint: Joint, element: Element, owner: int, name: str) -> str:
    """Return the text of a joint as a member of a model."""
    model, document = lowering.model, lowering.document
    edits = set_attribute(document, element, "name", name)
    parent, child = element.find("parent"), element.find("child")
    if parent is not None and child is not None:
        edits += set_text(document, parent, "world")
        edits += set_text(document, child, model.name_in(owner, joint.child) or "")
    pose = read_pose(element, model.version)
    if pose.element is not None and pose.relative_to is not None:
        target = model.name_in(owner, int(model.relative_to[joint.row]))
        edits += set_attribute(document, pose.element, "relative_to", target)
        if target is None:  # then it is measured from its child
            X = transforms.invert(model.X_RootF[joint.child]) @ model.X_RootF[joint.row]
            edits += write_numbers(document, pose, numbers_of(X, notation_of(pose)))
    written = next(each for each in model.scope.joints if each.row == joint.row)
    for axis, where in zip(joint.axes, written.axes, strict=True):
        xyz = axis.element.find("xyz")
        if xyz is not None and xyz.attributes.get("expressed_in"):
            target = model.name_in(owner, where.expressed_in)
            edits += set_attribute(document, xyz, "expressed_in", target)
            if target is None:
                edits += set_text(document, xyz, format_numbers(axis.xyz.tolist()))
    return element_source(document, element, edits)
