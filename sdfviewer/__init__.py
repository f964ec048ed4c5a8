"""sdfviewer: read, check, view and edit robot models in SDFormat and URDF, and their frame graphs.

Everything that is named here is the public library; see docs/library.md. Importing it costs nothing: each part is
imported when it is used first.

Examples
--------
>>> import sdfviewer
>>> model = sdfviewer.load("arm.sdf")  # doctest: +SKIP
>>> model.frame("grasp").resolve_pose(relative_to="base")  # doctest: +SKIP
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sdfviewer.diagnostics import Diagnostic as Diagnostic
    from sdfviewer.diagnostics import Edge as Edge
    from sdfviewer.diagnostics import Fix as Fix
    from sdfviewer.diagnostics import InvalidValueError as InvalidValueError
    from sdfviewer.diagnostics import Related as Related
    from sdfviewer.diagnostics import Replacement as Replacement
    from sdfviewer.diagnostics import Rule as Rule
    from sdfviewer.diagnostics import SdfViewerError as SdfViewerError
    from sdfviewer.diagnostics import Severity as Severity
    from sdfviewer.diagnostics import Span as Span
    from sdfviewer.document.document import UnreadableFileError as UnreadableFileError
    from sdfviewer.document.element import Element as Element
    from sdfviewer.document.topics import Aspect as Aspect
    from sdfviewer.extras import MissingExtraError as MissingExtraError
    from sdfviewer.faults import InternalError as InternalError
    from sdfviewer.files.recovery import Recovery as Recovery
    from sdfviewer.files.saving import ChangedOnDiskError as ChangedOnDiskError
    from sdfviewer.files.saving import SaveError as SaveError
    from sdfviewer.garbage_collection import leave_garbage_collector_alone as leave_garbage_collector_alone
    from sdfviewer.library.document import EditableDocument as EditableDocument
    from sdfviewer.library.document import new as new
    from sdfviewer.library.document import open_document as open_document
    from sdfviewer.library.drawing import Triangles as Triangles
    from sdfviewer.library.edit_block import MovedFrame as MovedFrame
    from sdfviewer.library.editing import DocumentEdit as DocumentEdit
    from sdfviewer.library.elements import Actor as Actor
    from sdfviewer.library.elements import Collision as Collision
    from sdfviewer.library.elements import Joint as Joint
    from sdfviewer.library.elements import JointAxis as JointAxis
    from sdfviewer.library.elements import Light as Light
    from sdfviewer.library.elements import Link as Link
    from sdfviewer.library.elements import Sensor as Sensor
    from sdfviewer.library.elements import UnknownInertiaError as UnknownInertiaError
    from sdfviewer.library.elements import Visual as Visual
    from sdfviewer.library.handle import ChainStep as ChainStep
    from sdfviewer.library.handle import ElementHandle as ElementHandle
    from sdfviewer.library.handle import Frame as Frame
    from sdfviewer.library.mechanics import Reach as Reach
    from sdfviewer.library.members import NestedModel as NestedModel
    from sdfviewer.library.model import Model as Model
    from sdfviewer.library.motion import Contact as Contact
    from sdfviewer.library.motion import DegreeOfFreedom as DegreeOfFreedom
    from sdfviewer.library.motion import LimitReached as LimitReached
    from sdfviewer.library.motion import LinkPair as LinkPair
    from sdfviewer.library.motion import Poses as Poses
    from sdfviewer.library.motion import Sweep as Sweep
    from sdfviewer.library.names import AmbiguousNameError as AmbiguousNameError
    from sdfviewer.library.names import GoneError as GoneError
    from sdfviewer.library.names import Handles as Handles
    from sdfviewer.library.names import UnknownNameError as UnknownNameError
    from sdfviewer.library.opening import check as check
    from sdfviewer.library.opening import diff as diff
    from sdfviewer.library.opening import load as load
    from sdfviewer.library.other_programs import ConvertedText as ConvertedText
    from sdfviewer.library.other_programs import Resource as Resource
    from sdfviewer.library.pose import Pose as Pose
    from sdfviewer.library.show import show as show
    from sdfviewer.library.world import World as World
    from sdfviewer.model.comparison.difference import PropertyChange as PropertyChange
    from sdfviewer.model.comparison.difference import PropertyDifference as PropertyDifference
    from sdfviewer.model.comparison.frames import Change as Change
    from sdfviewer.model.comparison.frames import FrameDifference as FrameDifference
    from sdfviewer.model.contents import ActorContents as ActorContents
    from sdfviewer.model.contents import Animation as Animation
    from sdfviewer.model.contents import Camera as Camera
    from sdfviewer.model.contents import CollisionContents as CollisionContents
    from sdfviewer.model.contents import Dynamics as Dynamics
    from sdfviewer.model.contents import Environment as Environment
    from sdfviewer.model.contents import Inertial as Inertial
    from sdfviewer.model.contents import Lidar as Lidar
    from sdfviewer.model.contents import LightContents as LightContents
    from sdfviewer.model.contents import Limits as Limits
    from sdfviewer.model.contents import Material as Material
    from sdfviewer.model.contents import MaterialScript as MaterialScript
    from sdfviewer.model.contents import Pbr as Pbr
    from sdfviewer.model.contents import Physics as Physics
    from sdfviewer.model.contents import Plugin as Plugin
    from sdfviewer.model.contents import Scan as Scan
    from sdfviewer.model.contents import SceneSettings as SceneSettings
    from sdfviewer.model.contents import SensorContents as SensorContents
    from sdfviewer.model.contents import Surface as Surface
    from sdfviewer.model.contents import VisualContents as VisualContents
    from sdfviewer.model.contents import Waypoint as Waypoint
    from sdfviewer.model.model import UnresolvedPoseError as UnresolvedPoseError
    from sdfviewer.model.scope import Mimic as Mimic
    from sdfviewer.model.shapes.box import Box as Box
    from sdfviewer.model.shapes.capsule import Capsule as Capsule
    from sdfviewer.model.shapes.cone import Cone as Cone
    from sdfviewer.model.shapes.cylinder import Cylinder as Cylinder
    from sdfviewer.model.shapes.ellipsoid import Ellipsoid as Ellipsoid
    from sdfviewer.model.shapes.heightmap import Heightmap as Heightmap
    from sdfviewer.model.shapes.heightmap import HeightmapTexture as HeightmapTexture
    from sdfviewer.model.shapes.image import Image as Image
    from sdfviewer.model.shapes.kind import Empty as Empty
    from sdfviewer.model.shapes.kind import FileGeometry as FileGeometry
    from sdfviewer.model.shapes.kind import Geometry as Geometry
    from sdfviewer.model.shapes.mesh import Mesh as Mesh
    from sdfviewer.model.shapes.plane import Plane as Plane
    from sdfviewer.model.shapes.polyline import Polyline as Polyline
    from sdfviewer.model.shapes.sphere import Sphere as Sphere
    from sdfviewer.refactoring.editable import EditError as EditError

#: The public names, by their module.
_HOMES = {
    "diagnostics": (
        "Diagnostic",
        "Edge",
        "Fix",
        "InvalidValueError",
        "Related",
        "Replacement",
        "Rule",
        "SdfViewerError",
        "Severity",
        "Span",
    ),
    "document.document": ("UnreadableFileError",),
    "document.element": ("Element",),
    "extras": ("MissingExtraError",),
    "faults": ("InternalError",),
    "files.recovery": ("Recovery",),
    "files.saving": ("ChangedOnDiskError", "SaveError"),
    "garbage_collection": ("leave_garbage_collector_alone",),
    "library.other_programs": ("ConvertedText", "Resource"),
    "library.document": ("EditableDocument", "new", "open_document"),
    "library.edit_block": ("MovedFrame",),
    "library.editing": ("DocumentEdit",),
    "library.elements": (
        "Actor", "Collision", "Joint", "JointAxis", "Light", "Link", "Sensor", "UnknownInertiaError", "Visual",
    ),
    "library.handle": ("ChainStep", "ElementHandle", "Frame"),
    "library.mechanics": ("Reach",),
    "library.members": ("NestedModel",),
    "library.model": ("Model",),
    "library.motion": ("Contact", "DegreeOfFreedom", "LimitReached", "LinkPair", "Poses", "Sweep"),
    "library.names": ("AmbiguousNameError", "GoneError", "Handles", "UnknownNameError"),
    "library.opening": ("check", "diff", "load"),
    "library.pose": ("Pose",),
    "library.show": ("show",),
    "library.drawing": ("Triangles",),
    "library.world": ("World",),
    "model.contents": (
        "ActorContents", "Animation", "Camera", "CollisionContents", "Dynamics", "Environment", "Inertial", "Lidar",
        "LightContents", "Limits", "Material", "MaterialScript", "Pbr", "Physics", "Plugin", "Scan", "SceneSettings",
        "SensorContents", "Surface", "VisualContents", "Waypoint",
    ),
    "document.topics": ("Aspect",),
    "model.comparison.difference": ("PropertyChange", "PropertyDifference"),
    "model.comparison.frames": ("Change", "FrameDifference"),
    "model.model": ("UnresolvedPoseError",),
    "model.scope": ("Mimic",),
    "model.shapes.box": ("Box",),
    "model.shapes.capsule": ("Capsule",),
    "model.shapes.cone": ("Cone",),
    "model.shapes.cylinder": ("Cylinder",),
    "model.shapes.ellipsoid": ("Ellipsoid",),
    "model.shapes.heightmap": ("Heightmap", "HeightmapTexture"),
    "model.shapes.image": ("Image",),
    "model.shapes.kind": ("Empty", "FileGeometry", "Geometry"),
    "model.shapes.mesh": ("Mesh",),
    "model.shapes.plane": ("Plane",),
    "model.shapes.polyline": ("Polyline",),
    "model.shapes.sphere": ("Sphere",),
    "refactoring.editable": ("EditError",),
}  # fmt: skip
_MODULES = {name: module for module, names in _HOMES.items() for name in names}
_RENAMED = {"Thing": "ElementHandle"}
"""Former names, which scripts may still use."""
#: What other libraries call functions that do the same, in small letters without underscores: these work.
_SAME = dict.fromkeys(("parse", "fromstring", "fromxmlpath", "fromxmlstring", "loadmodel", "loadfile"), "load")
#: What other libraries call these functions and types, in small letters without underscores.
_ELSEWHERE = {
    **dict.fromkeys(
        ("parse", "loads", "read", "fromstring", "fromfile", "fromxml", "urdf", "sdf", "root", "robot"), "load(...)"
    ),
    **dict.fromkeys(("model", "urdf", "sdf", "sdformat", "file", "string", "xml", "world", "text"), "load(...)"),
    **dict.fromkeys(("open", "edit", "document", "readdocument"), "open_document(path)"),
    **dict.fromkeys(("validate", "lint", "diagnostics"), "check(path)"),
    **dict.fromkeys(("compare", "difference"), "diff(before, after)"),
    **dict.fromkeys(("create", "template"), "new(template)"),
    **dict.fromkeys(("transform", "rigidtransform", "pose3d", "se3", "rotation"), "Pose"),
    **dict.fromkeys(("save", "dump", "dumps", "write"), "open_document(path).save(path)"),
    **dict.fromkeys(("convert", "tourdf", "tosdf", "tosdformat", "tomjcf"), "load(path).convert(form)"),
    **dict.fromkeys(("screenshot", "render", "picture"), "load(path).screenshot(path)"),
    **dict.fromkeys(("view", "viewer", "viz", "visualize", "display", "plot", "animate"), "show(model)"),
    "graph": "load(path).graph(kind)",
    "version": "__version__",
    "versioninfo": "__version__",
}

__all__ = [*sorted(_MODULES), "__version__"]  # noqa: PLE0604  # all of them are texts
__version__ = "0.3.0"


def _import(name: str) -> Any:
    if (now := _RENAMED.get(name)) is not None:
        import warnings  # noqa: PLC0415 - few scripts need it

        warnings.warn(f"sdfviewer.{name} is now sdfviewer.{now}", DeprecationWarning, stacklevel=2)
        return _import(now)
    module = _MODULES.get(name)
    if module is None:
        from os.path import isdir, join  # noqa: PLC0415

        if isdir(join(__path__[0], name)):  # `from sdfviewer import gui` asks here before it imports it
            raise AttributeError(f"module 'sdfviewer' has no attribute '{name}'; import sdfviewer.{name}", name=name)
        from sdfviewer.model.near_names import did_you_mean  # noqa: PLC0415

        known = name.replace("_", "").lower()
        if known in _SAME:
            return _import(_SAME[known])
        right = _ELSEWHERE.get(known) or _ELSEWHERE.get(known.removeprefix("load").removeprefix("parse"))
        right = right or _ELSEWHERE.get(known.removeprefix("read").removeprefix("from"))
        hint = f"; use sdfviewer.{right}" if right else did_you_mean(name, _MODULES)
        raise AttributeError(f"module 'sdfviewer' has no attribute '{name}'{hint}", name=name)
    found = getattr(import_module(f"sdfviewer.{module}"), name)
    globals()[name] = found
    return found


if not TYPE_CHECKING:  # type checkers know the names above, and are to find wrong ones
    __getattr__ = _import


def __dir__() -> list[str]:
    return sorted(__all__)
