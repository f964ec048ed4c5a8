"""Shortcuts for macOS, where the system reserves some of the default ones."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from sdfviewer.gui.shell.action_spec import ActionSpec

_KEYS = {
    "view.maximize": "Ctrl+Shift+Return",  # F11 shows the desktop
    "file.next": "Meta+Tab",  # ⌘Tab goes to the next program
    "source.complete": "Meta+Space",  # ⌘Space searches the computer
    "source.replace": "Ctrl+Alt+F",  # ⌘H hides the program
    "versions.step": "Ctrl+K, H",
    "edit.write_quaternion": "Ctrl+K, Q",  # ⌘Q quits
    "axes.relative_to": "Ctrl+Shift+0",  # ⌘⇧3 takes a picture of the screen
    "unit.degrees": "Ctrl+Alt+A",  # ⌥⌘D hides the Dock
    "edit.remove": "Ctrl+Backspace",  # most of its keyboards have no Del
}


def for_macos(specs: Iterable[ActionSpec]) -> tuple[ActionSpec, ...]:
    """Return actions with keys that macOS leaves to programs."""
    return tuple(replace(spec, shortcut=_KEYS.get(spec.id, spec.shortcut)) for spec in specs)
