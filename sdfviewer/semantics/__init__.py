"""What a file means: scopes, frame graphs, rules, kinematics, refactorings.

Knows SDFormat; must not know how it is drawn or edited on screen.
"""

from sdfviewer.semantics.kinds import Kind
from sdfviewer.semantics.load import Loader
from sdfviewer.semantics.model import Axis, Frame, Joint, Model, UnknownFrameError, UnresolvedPoseError

__all__ = ["Axis", "Frame", "Joint", "Kind", "Loader", "Model", "UnknownFrameError", "UnresolvedPoseError"]
