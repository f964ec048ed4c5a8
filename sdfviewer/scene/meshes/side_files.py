"""The files that a mesh file references: textures, MTL libraries, glTF buffers; and what of it was left out.

Nothing outside what the model's author can mean is opened: absolute paths, drives, network shares and URLs in mesh
files come from the machine that exported them, so only their base name is looked for. Nothing hidden is opened either.
"""

from __future__ import annotations

import base64
import os
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from urllib.parse import unquote

from sdfviewer.files.paths import NotRegularError, home_folder, read_regular, regular_status
from sdfviewer.scene.meshes.piece import MAX_FILE_BYTES, MeshFileError

#: A folder in which a mesh file may name others has more parts than this: more than ``/`` and ``home``.
_LEAST_PARTS = 2

#: Schemes that are resolved by the model paths; the finder knows them.
_MODEL_SCHEMES = ("model", "package", "fuel")

#: Maximum number of broken parts that are named for one mesh file.
_MOST_LEFT_OUT = 8


@dataclass
class SideFiles:
    """Finds the files that one mesh file names, and keeps which were used, which are missing, and what was left out.

    Attributes
    ----------
    mesh
        The mesh file.
    find
        Returns the path that a ``model://`` URI means, or None.
    used
        Files that what was read depends on, beside the mesh file itself.
    missing
        Textures that the mesh file names and that are not there, in order.
    absent
        Where they were looked for: once something is there, the mesh is worth reading again.
    left_out
        What is broken in the mesh file and was left out, each in words for the person who wrote the model.
    up_axis
        What a COLLADA file says is up, where that is not the z axis: nothing is turned by it.
    """

    mesh: Path
    find: Callable[[str], Path | None] = field(default=lambda uri: None)
    used: list[Path] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)
    absent: list[Path] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)
    up_axis: str = ""

    def leave_out(self, error: MeshFileError, part: str = "") -> None:
        """Remember that a part of the mesh file is broken, and that the rest is drawn without it."""
        message = f"{part}: {error}" if part else str(error)
        if message not in self.left_out and len(self.left_out) < _MOST_LEFT_OUT:
            self.left_out.append(message)

    def texture(self, name: str) -> Path | None:
        """Return the file of a texture, or None (and remember the name) where there is none.

        It is looked for where the mesh file says, relative to it, and then by its base name beside the mesh and in
        the ``materials/textures`` folders of the model, where Gazebo's models keep them.
        """
        found = self._located(name, textures=True)
        if found is None:
            if name not in self.missing:
                self.missing.append(name)
            return None
        self.used.append(found)
        return found

    def read(self, name: str) -> bytes:
        """Return the contents of a file named relative to the mesh.

        Raises
        ------
        MeshFileError
            Where it is missing or too large.
        """
        found = self._located(name, textures=False)
        if found is None:
            raise MeshFileError(f"needs the file {name!r}, which is missing")
        self.used.append(found)
        return read_bytes(found)

    def _located(self, name: str, textures: bool) -> Path | None:
        scheme, _, rest = name.partition(":")
        if scheme in _MODEL_SCHEMES:
            return self.find(name)
        has_scheme = scheme == "file" or rest.startswith("//")
        plain = PurePosixPath(name.replace("\\", "/"))
        folder = Path(os.path.abspath(self.mesh.parent))
        root = _root_of(folder)
        candidates: list[Path] = []
        for spelled in dict.fromkeys((plain, PurePosixPath(unquote(str(plain))))):
            has_drive = bool(spelled.parts) and spelled.parts[0].endswith(":")
            if not has_scheme and not has_drive and not spelled.is_absolute():
                candidates.append(folder / spelled)
            if spelled.name not in ("", ".."):
                candidates.append(folder / spelled.name)
                if textures:
                    parents = list(folder.parents)[:2]
                    candidates += [parent / "materials" / "textures" / spelled.name for parent in parents]
        places = [Path(os.path.normpath(path)) for path in dict.fromkeys(candidates)]
        places = [place for place in places if place.is_relative_to(root) and not _is_hidden(place, folder)]
        found = next((place for place in places if os.path.isfile(place)), None)  # also of impossible names
        if found is None:
            self.absent += places
        return found


def _root_of(folder: Path) -> Path:
    """Return the folder that a mesh file must not lead out of: its model or package, else two folders up."""
    folder = Path(os.path.normpath(folder.absolute()))
    ways = (folder, *folder.parents)
    for above in ways:
        if (above / "model.config").is_file() or (above / "package.xml").is_file():
            return above
    # But not up to /tmp, /home or a drive, which hold the files of others, nor to the user's home folder.
    home = home_folder()
    allowed = (above for above in reversed(ways[:3]) if len(above.parts) > _LEAST_PARTS)
    return next((above for above in allowed if not home.is_relative_to(above)), folder)


def _is_hidden(place: Path, folder: Path) -> bool:
    """Return whether the way from the folder of a mesh to a place leads into something hidden, such as ``.ssh``."""
    common = os.path.commonpath((place, folder))
    return any(part.startswith(".") for part in place.relative_to(common).parts)


def read_bytes(path: Path) -> bytes:
    """Return the contents of a mesh file or of one that it names.

    Raises
    ------
    MeshFileError
        Where it cannot be read or is larger than `MAX_FILE_BYTES`.
    """
    try:
        size = regular_status(path).st_size
        if size > MAX_FILE_BYTES:
            raise MeshFileError(f"{path.name} has {size >> 20:,} MB; at most {MAX_FILE_BYTES >> 20:,} MB are read")
        return read_regular(path)
    except NotRegularError as error:
        raise MeshFileError(f"{path.name} is {error.strerror}") from error
    except OSError as error:
        raise MeshFileError(f"{path.name} cannot be read: {error.strerror or error}") from error


def data_of(uri: str) -> bytes | None:
    """Return the bytes of a ``data:`` URI, or None where it is not one."""
    if not uri.startswith("data:"):
        return None
    header, _, body = uri.partition(",")
    if not header.endswith(";base64"):
        raise MeshFileError("has a data URI that is not base64")
    try:
        return base64.b64decode(body, validate=True)
    except ValueError as error:  # broken base64, or characters outside of ASCII
        raise MeshFileError(f"has a broken data URI: {error}") from error
