"""Who moved a frame, in which commit and how far; and which commit broke what was true.

Walks back from the present state of a file through the history of its repository, across renames of files and frames.
Knows commits and models; must not know who asks.
"""

from sdfviewer.blame.states import ModelHistory
from sdfviewer.blame.walk import Blame, BlamedStep, BrokenSince, FrameMove, blame_frame, first_broken

__all__ = ["Blame", "BlamedStep", "BrokenSince", "FrameMove", "ModelHistory", "blame_frame", "first_broken"]
