"""A script over the whole public surface that pyright checks strictly, see test_user_types.py; it is not run."""

from __future__ import annotations

from pathlib import Path
from typing import BinaryIO

import numpy as np
from numpy.typing import NDArray

import sdfviewer
from sdfviewer import (
    Box,
    DocumentEdit,
    EditableDocument,
    ElementHandle,
    Frame,
    Inertial,
    Joint,
    Link,
    Mesh,
    Model,
    NestedModel,
    Pose,
    Reach,
    Triangles,
    World,
)

Array = NDArray[np.float64]


def read(path: Path, file: BinaryIO) -> Model:
    for source in (path, str(path), "<sdf/>", b"<sdf/>"):
        sdfviewer.load(source, paths=[path.parent, "models"], arguments={"prefix": "a"})
    for problem in sdfviewer.check(file):
        if problem.span is not None:
            line: int = problem.span.line
            print(problem.span.path, line, problem.span.column)
        rule: str = problem.rule.name
        print(problem, rule, problem.severity.value, problem.message, problem.is_error)
        print([related.message for related in problem.related], [fix.label for fix in problem.fixes])
    for change in sdfviewer.diff(path, path):
        print(change.name, [str(each) for each in change.changes])
        if isinstance(change, sdfviewer.FrameDifference):
            print(change.metres, change.radians)
    try:
        return sdfviewer.load(path)
    except (sdfviewer.UnreadableFileError, sdfviewer.MissingExtraError, sdfviewer.SdfViewerError) as error:
        print(error)
        raise


def members(model: Model) -> None:
    names: tuple[str, ...] = (*model.link_names, *model.joint_names, *model.frame_names, *model.model_names)
    first: Link = model.links[0]
    named: Link = model.links["base"]
    some: tuple[Link, ...] = model.links[:2]
    print(names, first, named, some, "base" in model.links, model["base"], "base" in model)
    for thing in model.things:
        describe(thing)
    for nested in model.models:
        inner: NestedModel = nested
        print(inner.links, inner.placement_frame, inner.source, inner.canonical_link, inner.mass)
    print(model.name, model.path, model.text, model.format, model.version, model.is_world, model.is_static)
    print(model.is_valid, model.canonical_link, model.root_link, model.root_links, model.diagnostics, model.plugins)
    print(model.link("a"), model.joint("a"), model.frame("a"), model.model("a"), model.visual("a"), model.light("a"))
    found: ElementHandle = model["a"]
    print(found, "a" in model, model.element.tag, model.jacobian("a", relative_to="b"))
    print(model.collision("a"), model.sensor("a"), model.visuals, model.collisions, model.sensors, model.lights)


def describe(thing: ElementHandle) -> None:
    print(thing.name, thing.scoped_name, thing.local_name, thing.kind, thing.owner, thing.xml, thing.is_static)
    print(thing.location.path, thing.location.line, thing.element.tag, thing.element.attributes, thing.diagnostics)
    value: str | None = thing.get_property("@name")
    print(value)
    target: ElementHandle | None = thing.relative_to
    pose: Pose = thing.pose
    product: Pose = pose @ thing.raw_pose.inverse()
    xyz: Array = product.xyz
    print(target, thing.body, xyz, pose.rpy, pose.quaternion, pose.rotation, pose.matrix, pose.apply((0, 0, 1)))
    print(thing.resolve_pose("base", {"j": 0.1}).xyz, pose[:3, 3], np.linalg.norm(pose.xyz), pose + 1.0)
    for step in thing.explain():
        print(step.frame, step.relative_to, step.is_written, step.X_RF.xyz, step.X_RootF, step.span.line, step.problem)


def parts(link: Link) -> None:
    inertial: Inertial = link.inertial
    print(inertial.mass, inertial.center_of_mass, inertial.inertia, inertial.inertia_in_link, inertial.moments)
    print(link.mass, link.parent_joint, link.child_joints["a"], link.frames, link.plugins, link.attached_to)
    for visual in link.visuals:
        geometry = visual.geometry
        if isinstance(geometry, Box):
            size: tuple[float, float, float] = geometry.size
            print(size, geometry.volume)
        elif isinstance(geometry, Mesh):
            print(geometry.uri, geometry.path, geometry.scale, geometry.submesh)
        material = visual.material
        if material is not None:
            print(material.diffuse, material.texture, material.pbr, material.script)
        triangles: Triangles = visual.triangles()
        print(visual.to_trimesh())
        print(triangles.vertices, triangles.faces, triangles.bounds, triangles.area, triangles.volume)
        print(visual.transparency, visual.pose_in_owner, visual.link, visual.contents.cast_shadows)
    for collision in link.collisions:
        print(collision.geometry.kind, collision.surface.mu, collision.contents.density, collision.triangles().corners)
    for sensor in link.sensors:
        print(sensor.type, sensor.update_rate, sensor.topic, sensor.plugins, sensor.contents.camera)
    for light in link.lights:
        print(light.type, light.contents.intensity, light.contents.range)


def joints(joint: Joint) -> None:
    print(joint.type, joint.parent, joint.child, joint.parent_name, joint.child_name, joint.dof_count, joint.is_fixed)
    parent: Link | None = joint.parent_link
    print(parent, joint.child_link, joint.screw_pitch, joint.closes_loop, joint.sensors, joint.plugins)
    if joint.axis is not None:
        print(joint.axis.xyz, joint.axis.limits.lower, joint.axis.dynamics.damping, joint.axis.mimic)
    if joint.limits is not None and joint.mimic is not None and joint.dynamics is not None:
        print(joint.limits.upper, joint.mimic.multiplier, joint.dynamics.friction, [axis.xyz for axis in joint.axes])


def motion(model: Model) -> None:
    q = np.zeros((5, len(model.dofs)))
    for poses in (
        model.poses(),
        model.poses({"j": 0.5, "ball": (0, 0, 1)}),
        model.poses(q),
        model.poses(relative_to="a"),
    ):
        palm: Pose = poses["palm"]
        print(palm.xyz, poses.array, poses.names, dict(poses))
    print(model.dof_count, model.independent_dofs["j"], model.independent_joints, model.independent_joint_names)
    print(model.lower_limits, model.upper_limits, model.random_q(10, seed=1).shape, model.bounding_box(q[0]))
    torques: Array = model.gravity_torques(q, payload={"palm": 1.0}, gravity=(0, 0, -1.62))
    print(torques, model.payload("palm", q))
    reach: Reach = model.reach("palm", "base", dofs=["j"])
    print(reach.nearest, reach.farthest, reach.bounds, reach.q_nearest, reach.q_farthest)
    print(model.to_trimesh(q[0], collisions=True), model.to_pinocchio(mimic=True), model.to_mujoco(), model.to_drake())
    J: Array = model.jacobian("palm", q)
    center: Array = model.center_of_mass({"j": 0.5}, relative_to="base")
    print(J, center, model.inertia(), model.mass, model.q0, model.dof_names, model.resolve_pose("a", "b").rpy)
    for dof in model.dofs:
        print(dof.name, dof.joint.name, dof.axis, dof.unit, dof.lower, dof.upper, dof.leader)
    for pair in model.colliding_links({"j": 0.5}, hulls=True, neighbours=True, skip_missing=True):
        first, second = pair
        print(first, second, pair.first)
    sweep = model.sweep("j", "palm", start=0, end=1, samples=10, q=None)
    print(
        sweep.joint,
        sweep.unit,
        sweep.frame,
        sweep.positions,
        sweep.q,
        sweep.path,
        sweep.poses["palm"],
        sweep.frame_poses,
    )
    print([limit.position for limit in sweep.limits_reached], sweep.loops_open_at)
    print([contact.intervals for contact in sweep.colliding_links()])


def files(model: Model, path: Path) -> None:
    for resource in (*model.meshes, *model.resources, *model.read_resources()):
        print(
            resource.kind, resource.uri, resource.path, resource.is_found, resource.tried, resource.users, resource.near
        )
        print(resource.problem, resource.location.line, resource.triangles, resource.used_by)
    graph = model.graph("kinematic")
    nodes: list[str] = list(graph.nodes)
    print(nodes, graph.edges)
    urdf = model.to_urdf()
    text: str = urdf
    urdf.save(path)
    print(text, urdf.losses, urdf.notes, model.to_sdformat("1.9"), model.to_mjcf(), model.convert("flat"))
    picture: bytes = model.screenshot(path, size=(640, 480), view="front", q={"j": 1.0}, show=("visuals",), dark=True)
    page: str = model.to_html(path, max_size=4.0, before=model)
    losses: tuple[str, ...] = model.export("a.urdf")
    print(losses)
    notes: tuple[str, ...] = model.save_bundle(path, "urdf", uris="relative", meshes="obj")
    print(picture, page, notes, model.diff(model))


def worlds(world: World) -> None:
    print(world.physics.max_step_size, world.gravity, world.scene.ambient, world.environment.wind, world.actors)
    print(world.actor("a").contents.animations, world.physics_profiles)


def edits(path: Path) -> None:
    document: EditableDocument = sdfviewer.open_document(path)
    with document.edit("Change much") as edit:
        change(edit, document.model)
    with document.preview() as preview:
        preview.set_pose("a", xyz=(0, 0, 1), rpy=(0, 0, 90), degrees=True)
    for frame in preview.moved:
        print(frame.name, frame.changes, frame.metres, frame.radians)
    print(preview.diff, preview.text, preview.diagnostics, preview.notes, preview.label)
    label: str | None = document.undo()
    print(
        label,
        document.redo(),
        document.history,
        document.is_modified,
        document.unsaved_files,
        document.path,
        document.text,
    )
    kept: sdfviewer.Recovery | None = document.recoverable
    if kept is not None:
        print(kept.path, kept.text, kept.time, kept.is_abandoned)
        document.recover()
    try:
        document.save()
    except (sdfviewer.ChangedOnDiskError, sdfviewer.SaveError):
        document.save(path, overwrite=True)
    document.reload()
    copied: Path = document.duplicate_package("elsewhere")
    print(copied.name)
    print(sdfviewer.new("model", name="m").diagnostics, sdfviewer.__version__)


def build(edit: DocumentEdit, link: Link) -> None:
    edit.add_link("l", pose=np.eye(4), geometry=Box((1, 1, 1)), joined_to=link, joint_type="revolute", axis=(0, 0, 1))
    edit.add_inertial("l", density=500, mass=None)
    edit.reverse_joint("j")
    edit.perform("reverse_joint", joint="j")
    edit.keep_true("hand", what="pose", relative_to=link, number="pose/x", tolerance=0.1, why="the cell")
    edit.disable_collisions(["base", link], reason="Never")
    edit.override_pose("y::l", (0, 0, 1, 0, 0, 0))
    edit.set_override("y", "l/pose", "0 0 1 0 0 0")
    edit.set_plugin_parameter("m", "topic", "/cmd", plugin="x")
    edit.join_robot(Path("gripper.urdf"), link, prefix="left_", pose=(0, 0, 0.1, 0, 0, 0))
    grouped: str = edit.group(link, "b", name="hand", alone=True)
    edit.ungroup(grouped)


def change_collisions(edit: DocumentEdit) -> None:
    edit.align_collisions("a")
    edit.fit_collisions("a::v", shape="capsule")
    edit.decompose_collisions("a::v", pieces=4)


def copy(edit: DocumentEdit) -> None:
    copied: str = edit.duplicate(["a", "b"], below=True, names=("left", "right"))
    pasted: list[str] = edit.paste("<link name='l'/>", into="m", source="other.sdf", uris="copied")
    pasted = edit.copy_from(Path("other.sdf"), copied, below=True, into="a")
    edit.remove(*pasted)


def change(edit: DocumentEdit, model: Model) -> None:
    link, frame = model.link("a"), Frame
    edit.set_pose("f", (0, 0, 1, 0, 0, 0))
    edit.set_pose("f", Pose(xyz=(0, 0, 1)))
    edit.move(link, np.eye(4), relative_to="b", alone=True)
    edit.set_relative_to("f", None, keep="numbers")
    edit.set_attached_to("f", link)
    edit.set_notation("f", "g", notation="degrees")
    edit.set_coordinate("f", "g", coordinate="z", value=0.5)
    edit.mate("a", "b", align="axis", offset=(0, 0, 1), angle=0.5, written_as="relative_to")
    edit.align("a", link, axes="xz", of="f")
    edit.distribute("a", "b", link)
    sides: list[str] = edit.mirror(link, ("left", "right"), axis="y", frame="f")
    edit.remove(*sides, *edit.repeat(link, 4, axis="z", frame="f", angle=0.5, distance=0.1))
    edit.rename(link, "b")
    edit.rename("b", "c", also=["cells", Path("b.sdf")])
    edit.split_off("hand", "hand.sdf")
    others: dict[Path, str] = edit.other_texts
    print(others)
    build(edit, link)
    edit.add_joint("j", "revolute", "a", "b", model="m", pose=(0, 0, 1, 0, 0, 0))
    edit.add_frame("t", attached_to="a", relative_to="b", pose=Pose(), parent="m")
    edit.add_visual("a", "v", geometry=Box((1, 1, 1)), pose=(0, 0, 1, 0, 0, 0))
    edit.add_collision("a", geometry="sphere")
    edit.add_sensor("a", "imu", "imu")
    edit.add_light("a", "spot")
    edit.add_plugin("m", "libx.so", "x")
    edit.add_model("n")
    edit.add_include("model://x", "y", parent="m")
    copied: str = edit.duplicate("a")
    edit.remove(copied, with_dependents=True)
    edit.move_to_model("f", "n")
    edit.set_parent("j", "a")
    edit.set_child("j", "b", keep="pose")
    edit.set_property("j", "axis/xyz", (0, 0, 1))
    edit.set_limits("j", -1, 1, effort=2, velocity=3)
    edit.set_geometry("a::v", Mesh(uri="a.dae"))
    edit.set_inertial("a", mass=1.0, center_of_mass=(0, 0, 0), inertia=np.eye(3))
    edit.compute_inertials("a", density=2700, total_mass=None)
    edit.to_element_relative_form()
    edit.to_model_absolute_form()
    edit.write_defaults()
    edit.remove_redundant()
    edit.shorten_poses()
    edit.round_poses("f", decimals=4)
    edit.inline_includes()
    edit.flatten()
    edit.change_version("1.9")
    edit.fix("relative-to-cycle")
    count: int = edit.fix_all("relative-to-cycle", unsafe=True)
    print(count, frame)
