"""The one kind of event of a session."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class SessionChange:
    """What has changed, and who changed it: views read the flags and skip their own echo.

    Attributes
    ----------
    document
        The text, and with it model, kinematics and diagnostics.
    joints
        Joint positions.
    selection
        The selected frames.
    saved
        Path or dirty mark.
    files
        Files that the model names, which may have come, gone or changed.
    problems
        Diagnostics, by what a view has found beside the text: a mesh that is not there.
    visibility
        What is hidden, see-through or cut away in the 3D view.
    measurements
        What is measured.
    renamed
        Old and new scoped names of frames that the edit renamed.
    origin
        The caller that requested the change, None for the session itself.
    """

    document: bool = False
    joints: bool = False
    selection: bool = False
    saved: bool = False
    files: bool = False
    problems: bool = False
    visibility: bool = False
    measurements: bool = False
    renamed: tuple[tuple[str, str], ...] = ()
    origin: object = None
