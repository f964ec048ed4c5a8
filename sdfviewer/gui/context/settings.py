"""Persistent settings with their types and defaults."""

from __future__ import annotations

import hashlib
import json
import math
import os
from collections.abc import Callable, Mapping, Sequence
from enum import Enum
from pathlib import Path
from typing import Any, Generic, TypeVar

from PySide6.QtCore import QByteArray, QObject, QSettings, Signal

from sdfviewer.files.paths import is_file, real_path
from sdfviewer.gui.kit.fields import AngleUnit
from sdfviewer.gui.kit.theme import Choice
from sdfviewer.refactoring.pose_notation import Notation
from sdfviewer.refactoring.templates import SIMULATORS
from sdfviewer.scene.camera import NAVIGATION

RECENT_FILES = 12
QUATERNIONS = "unit.quaternions"
"""The switch that shows rotations as quaternions, by the id of its action."""
DOWNLOADS = "downloads"
"""Whether models may be downloaded when it is requested."""

_Value = TypeVar("_Value")
_Json = TypeVar("_Json")


def key_of(path: Path) -> str:
    """Return a key for a file: its path, made short and free of the signs that mean something in a settings store."""
    return hashlib.sha256(os.fsencode(real_path(path))).hexdigest()[:24]


class _Stored(Generic[_Value]):
    """A value of a store that views follow; its default where the store holds no text that can be read.

    Parameters
    ----------
    key
        Where it is stored.
    default
        Its value at the first start.
    read
        Returns the value that a text means, or raises `ValueError`.
    """

    def __init__(self, key: str, default: _Value, read: Callable[[str], _Value]) -> None:
        self._key, self._default, self._read = key, default, read

    def __get__(self, settings: Settings, _owner: type[Settings] | None = None) -> _Value:
        stored = settings._store.value(self._key)
        try:
            return self._default if stored is None else self._read(str(stored))
        except ValueError:
            return self._default

    def __set__(self, settings: Settings, value: _Value) -> None:
        settings._write(self._key, value.value if isinstance(value, Enum) else value)


def _navigation(name: str) -> str:
    if name not in NAVIGATION:
        raise ValueError(f"'{name}' must be one of: {', '.join(NAVIGATION)}")
    return name


def _simulator(name: str) -> str:
    if name not in SIMULATORS:
        raise ValueError(f"'{name}' must be one of: {', '.join(SIMULATORS)}")
    return name


def _positive(text: str) -> float:
    value = float(text)
    if not (math.isfinite(value) and value > 0):
        raise ValueError(f"'{text}' must be a positive number")
    return value


class Settings(QObject):
    """Typed access to a settings store; views connect to `changed` to follow."""

    theme = _Stored("theme", Choice.SYSTEM, Choice)
    """Light, dark, or as the system wants it."""
    navigation = _Stored("navigation", "rviz", _navigation)
    """Name of the mouse preset of the 3D view."""
    simulator = _Stored("simulator", next(iter(SIMULATORS)), _simulator)
    """What new files are for, which chooses their version of SDFormat."""
    angle_unit = _Stored("angle_unit", AngleUnit.RADIANS, AngleUnit)
    """Radians or degrees."""
    snap_length = _Stored("snap_length", 0.01, _positive)
    """Step in metres of a frame that is moved by hand."""
    snap_angle = _Stored("snap_angle", math.radians(5.0), _positive)
    """Step in radians of a frame that is turned by hand."""

    changed = Signal()

    def __init__(self, store: QSettings, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._store = store

    def _write(self, key: str, value: object) -> None:
        if self._remember(key, value):
            self.changed.emit()

    def _remember(self, key: str, value: object) -> bool:
        """Store a value that no view follows; return whether it is another one."""
        is_new = bool(self._store.value(key) != value)
        if is_new:
            self._store.setValue(key, value)
        return is_new

    def _json(self, key: str, kind: type[_Json]) -> _Json | None:
        """Return a value that was stored as JSON, None if there is none of that type: users can edit the store."""
        try:
            value = json.loads(str(self._store.value(key, "null")))
        except (ValueError, RecursionError):
            return None
        return value if isinstance(value, kind) else None

    def _set_json(self, key: str, value: object) -> None:
        """Store a value as JSON; None removes the key."""
        if value is None:
            self._store.remove(key)
        else:
            self._store.setValue(key, json.dumps(value))

    @property
    def notation(self) -> Notation:
        """How poses are shown and typed: with angles in the unit of all others, or as quaternions."""
        if self.flag(QUATERNIONS, False):
            return Notation.QUATERNION
        return Notation.DEGREES if self.angle_unit is AngleUnit.DEGREES else Notation.RADIANS

    @notation.setter
    def notation(self, notation: Notation) -> None:
        if notation is not Notation.QUATERNION:
            self.angle_unit = AngleUnit.DEGREES if notation is Notation.DEGREES else AngleUnit.RADIANS
        self.set_flag(QUATERNIONS, notation is Notation.QUATERNION)

    @property
    def side_by_side(self) -> bool:
        """Whether differences of texts are shown in two columns rather than one."""
        return self.flag("difference.side_by_side", True)

    @side_by_side.setter
    def side_by_side(self, on: bool) -> None:
        self.set_flag("difference.side_by_side", on)

    def _paths(self, key: str) -> list[Path]:
        value = self._store.value(key)
        # A list of one string comes back from an INI file as that string.
        names = [value] if isinstance(value, str) else value if isinstance(value, list) else []
        return [Path(name) for name in names if isinstance(name, str) and "\0" not in name]

    @property
    def model_folders(self) -> list[Path]:
        """Folders in which included models and meshes are looked for, in order."""
        return self._paths("model_folders")

    @model_folders.setter
    def model_folders(self, folders: Sequence[Path]) -> None:
        self._write("model_folders", [str(folder) for folder in dict.fromkeys(folders)])

    def folders_used_for(self, path: Path) -> list[Path]:
        """Return the folders in which models and meshes are looked for that the files beside a path name."""
        names = self._json(f"folders/{key_of(path.parent)}", list) or ()
        return [Path(name) for name in names if isinstance(name, str) and "\0" not in name]

    def use_folders_for(self, path: Path, folders: Sequence[Path]) -> None:
        """Remember these folders in place of those before."""
        self._set_json(f"folders/{key_of(path.parent)}", [str(folder) for folder in dict.fromkeys(folders)] or None)

    @property
    def recent_files(self) -> list[Path]:
        """Recently opened files that still exist, latest first."""
        return [path for path in self._paths("recent_files") if is_file(path)]

    def add_recent_file(self, path: Path) -> None:
        """Put a file on top of the recent ones."""
        names = [str(path), *(str(known) for known in self.recent_files if known != path)]
        self._write("recent_files", names[:RECENT_FILES])

    def xacro_arguments(self, path: Path) -> dict[str, str] | None:
        """Return the arguments that the user has given for a xacro file, None if she has given none."""
        values = self._json(f"xacro/{key_of(path)}", dict)
        return None if values is None else {str(name): str(value) for name, value in values.items()}

    def save_xacro_arguments(self, path: Path, arguments: dict[str, str]) -> None:
        """Remember the arguments with which a xacro file is to be evaluated."""
        self._set_json(f"xacro/{key_of(path)}", arguments)
        self.changed.emit()

    def forget_recent_files(self) -> None:
        """Empty the list of recent files."""
        self._write("recent_files", [])

    def saved(self, topic: str, path: Path) -> Any:
        """Return what was saved of a topic for a file, None where there is nothing; see `.FileMemory`."""
        return self._json(f"{topic}/{key_of(path)}", object)

    def save(self, topic: str, path: Path, record: Mapping[str, Any] | Sequence[Any]) -> None:
        """Save plain values of a topic for a file in place of those before; an empty record removes them."""
        self._set_json(f"{topic}/{key_of(path)}", record or None)

    @property
    def shortcuts(self) -> dict[str, str]:
        """The user's own shortcuts of actions, by id; an empty text means no shortcut."""
        return {str(id): str(keys) for id, keys in (self._json("shortcuts", dict) or {}).items()}

    @shortcuts.setter
    def shortcuts(self, shortcuts: Mapping[str, str]) -> None:
        self._set_json("shortcuts", shortcuts)
        self.changed.emit()

    @property
    def thumbnails(self) -> Path:
        """The folder of the pictures of recent files."""
        return Path(self._store.fileName()).parent / "thumbnails"

    @property
    def workspace(self) -> str:
        """Id of the workspace shown last, empty at the first start."""
        return str(self._store.value("workspace", ""))

    @workspace.setter
    def workspace(self, id: str) -> None:
        self._remember("workspace", id)

    def window_place(self) -> dict[str, object]:
        """Return where the window was, empty at the first start; see `WindowPlace`."""
        return self._json("window/place", dict) or {}

    def save_window_place(self, place: Mapping[str, object]) -> None:
        """Save where the window is."""
        self._set_json("window/place", place)

    def state(self, key: str) -> QByteArray | None:
        """Return how the docks of a window were arranged, None at the first start."""
        value = self._store.value(f"window/{key}")
        return value if isinstance(value, QByteArray) else None

    def set_state(self, key: str, value: QByteArray) -> None:
        """Remember how the docks of a window are arranged."""
        self._store.setValue(f"window/{key}", value)

    def flag(self, key: str, default: bool) -> bool:
        """Return a switch of the views, by the id of its action."""
        return str(self._store.value(f"flags/{key}", default)).lower() == "true"

    def set_flag(self, key: str, value: bool) -> None:
        """Remember a switch of the views. Only the one for quaternions changes what others show."""
        if self._remember(f"flags/{key}", value) and key == QUATERNIONS:
            self.changed.emit()
