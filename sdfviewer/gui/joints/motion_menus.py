"""The menus of the motion strip: of a keyframe, and of the whole timeline."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu

from sdfviewer.model.kinematics.motion import Easing, Keyframe, Timeline


def fill_keyframe_menu(
    menu: QMenu,
    timeline: Timeline,
    number: int,
    positions: Mapping[str, tuple[float, ...]],
    change: Callable[[Timeline], None],
) -> None:
    """Add the commands of a keyframe to a menu.

    Parameters
    ----------
    menu
        The menu.
    timeline, number
        The keyframes, and which of them it is.
    positions
        The joint positions now, to which it can be updated.
    change
        What takes the keyframes that a command makes.
    """
    keyframe = timeline.keyframes[number]
    easings = menu.addMenu("Easing to the Next Keyframe")

    def ease(easing: Easing, _checked: bool = False) -> None:
        change(timeline.eased(number, easing))

    for easing in Easing:
        action = easings.addAction(easing.value.capitalize())
        action.setCheckable(True)
        action.setChecked(keyframe.easing is easing)
        action.triggered.connect(partial(ease, easing))
    present = Keyframe(keyframe.time, dict(positions), keyframe.name, keyframe.easing)
    update = menu.addAction("Update to Current Positions")
    update.triggered.connect(lambda: change(timeline.with_keyframe(present)))
    menu.addAction("Remove Keyframe").triggered.connect(lambda: change(timeline.without(number)))
    menu.addSeparator()


def fill_motion_menu(
    menu: QMenu,
    *,
    repeats: bool,
    set_repeats: Callable[[bool], None],
    add_saved_poses: Callable[[], None] | None,
    remove_all: Callable[[], None] | None,
    actions: Iterable[QAction],
) -> None:
    """Fill the menu of the whole motion; a command that is None is disabled."""
    menu.clear()
    repeat = menu.addAction("Repeat")
    repeat.setCheckable(True)
    repeat.setChecked(repeats)
    repeat.toggled.connect(set_repeats)
    menu.addSeparator()
    for text, command in (("Add Saved Poses", add_saved_poses), ("Remove All Keyframes", remove_all)):
        action = menu.addAction(text)
        action.setEnabled(command is not None)
        if command is not None:
            action.triggered.connect(partial(_call, command))
    menu.addSeparator()
    menu.addActions(list(actions))


def _call(command: Callable[[], None], _checked: bool = False) -> None:
    command()
