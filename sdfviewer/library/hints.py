"""Suggestions for names known from other libraries."""

from __future__ import annotations

import re
from typing import ClassVar, NoReturn

from sdfviewer.model.names import did_you_mean

#: What yourdfpy, rod, Drake, MuJoCo and the Gazebo bindings call something, in small letters without underscores.
_ELSEWHERE = {
    # yourdfpy, urdfpy, urchin
    "gettransform": "model.resolve_pose(frame, relative_to=..., q=...)",
    "updatecfg": "q as an argument: model.poses(q)",
    "cfg": "q as an argument: model.poses(q)",
    "linkfk": "model.poses(q)",
    "forwardkinematics": "model.poses(q)",
    "fk": "model.poses(q)",
    "linkmap": "model.link(name)",
    "jointmap": "model.joint(name)",
    "actuatedjoints": "model.dofs",
    "actuatedjointnames": "model.dof_names",
    "actuateddofindices": "model.dofs",
    "numdofs": "len(model.dofs)",
    "numactuatedjoints": "len(model.dofs)",
    "baselink": "model.canonical_link",
    "root": "model.canonical_link",
    "show": "model.screenshot(...)",
    "origin": "raw_pose",
    "writexmlfile": "document.save(...)",
    "writexmlstring": "model.to_sdformat() or document.text",
    "validate": "model.diagnostics and model.is_valid",
    # rod
    "urdf": "model.to_urdf()",
    "serialize": "model.to_sdformat()",
    "modelcanonicallink": "model.canonical_link",
    # Drake
    "getbodybyname": "model.link(name)",
    "getlinkbyname": "model.link(name)",
    "getjointbyname": "model.joint(name)",
    "getframebyname": "model.frame(name)",
    "numpositions": "len(model.dofs)",
    "numbodies": "len(model.links)",
    "calctotalmass": "model.mass",
    "calccenterofmasspositioninworld": "model.center_of_mass(q)",
    "evalbodyposeinworld": "model.poses(q)[name]",
    "calcrelativetransform": "model.resolve_pose(frame, relative_to=..., q=...)",
    "calcjacobianspatialvelocity": "model.jacobian(frame, q)",
    "getpositionlowerlimits": "[dof.lower for dof in model.dofs]",
    "getpositionupperlimits": "[dof.upper for dof in model.dofs]",
    # MuJoCo
    "nq": "len(model.dofs)",
    "nv": "len(model.dofs)",
    "nbody": "len(model.links)",
    "njnt": "len(model.joints)",
    "bodymass": "link.mass",
    "jntrange": "joint.limits",
    "qpos0": "model.q0",
    # Gazebo's bindings
    "linkbyname": "model.link(name)",
    "jointbyname": "model.joint(name)",
    "framebyname": "model.frame(name)",
    "modelbyname": "model.model(name)",
    "linkcount": "len(model.links)",
    "jointcount": "len(model.joints)",
    "semanticpose": "resolve_pose(relative_to=...)",
    "rawpose": "raw_pose",
    "poserelativeto": "relative_to",
    "resolvedpose": "pose",
    "massmatrix": "link.inertial",
    "totalmass": "model.mass",
    "com": "center_of_mass",
    "inertiamatrix": "link.inertial.inertia",
}


class Hinted:
    """An object whose missing attributes name the right one."""

    _hints: ClassVar[dict[str, str]] = _ELSEWHERE

    def __getattr__(self, name: str) -> NoReturn:
        message = f"'{type(self).__name__}' has no attribute '{name}'"
        if not name.startswith("_"):
            known = re.sub(r"_", "", name).lower()
            right = self._hints.get(known) or self._hints.get(known.removeprefix("get"))
            public = [each for each in dir(type(self)) if not each.startswith("_")]
            message += f"; use {right}" if right else did_you_mean(name, public)
        raise AttributeError(message, name=name, obj=self)
