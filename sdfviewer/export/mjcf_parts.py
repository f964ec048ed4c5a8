"""What is on the bodies of MJCF: geoms, lights and cameras, with the meshes and materials that they share."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

import numpy as np

from sdfviewer import transforms
from sdfviewer.document.topics import LEFT_OUT, Aspect, Topic
from sdfviewer.export.writing import AddMesh, WrittenMesh, element, unread_colour, writable
from sdfviewer.files.finder import Finder
from sdfviewer.formats.contents import read_collision, read_light, read_sensor, read_visual
from sdfviewer.model.comparison.difference import topics_of
from sdfviewer.model.kinds import Kind
from sdfviewer.model.model import Model
from sdfviewer.model.names import FreeNames
from sdfviewer.model.shapes import kind_of
from sdfviewer.model.shapes.kind import Geometry
from sdfviewer.model.shapes.plane import Plane
from sdfviewer.scene.materials import surface_of
from sdfviewer.transforms import Array

#: Geoms of the group 2 are visuals, of the group 3 collisions, as in the models of MuJoCo Menagerie.
_VISUAL, _COLLISION = "2", "3"
#: X_CD: MuJoCo's cameras look along -z with +y up, SDFormat's along +x with +z up.
_R_CAMERA = np.array([[0.0, 0.0, -1.0], [-1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])


#: Attributes that hold no number.
_NAMES = ("mesh", "name", "type")
_NOT_FINITE = frozenset({"nan", "inf", "-inf"})


class NoteRow(Protocol):
    """Notes something about a row."""

    def __call__(self, row: int, message: str, /, *topics: Topic) -> None:
        """Note a message; `about` are words that this is called by."""


class MjcfNames:
    """The names in an MJCF file: of each kind of thing every name is used once.

    Attributes
    ----------
    rows
        Row of the model by the tag and the name of the element that it is written as.
    """

    def __init__(self, model: Model) -> None:
        self._model = model
        self._free: dict[str, FreeNames] = {}
        self.rows: dict[tuple[str, str], int] = {}

    def of(self, kind: str, row: int) -> str:
        """Return a unique name for the element that a row is written as."""
        name = self.new(kind, self._model.names[row])
        self.rows[kind, name] = row
        return name

    def new(self, kind: str, scoped: str) -> str:
        """Return a unique name of a kind, without the name of the root and with ``/`` for ``::``."""
        inner = scoped.removeprefix(f"{self._model.names[0]}::") if not self._model.is_world else scoped
        if kind not in self._free:
            self._free[kind] = FreeNames(["world"])
        return self._free[kind].new(writable(inner.replace("::", "/")) or kind)


class MjcfParts:
    """Writes what is on the bodies.

    Parameters
    ----------
    model
        What to write.
    finder
        Finds material scripts and textures by URI.
    add_mesh
        Collects mesh files.
    names
        The names in the file.
    lose, rewrite
        Called with the row of what MJCF cannot say, or says otherwise, and the reason.
    """

    def __init__(
        self,
        model: Model,
        finder: Finder,
        add_mesh: AddMesh,
        names: MjcfNames,
        lose: NoteRow,
        rewrite: NoteRow,
    ) -> None:
        self._model = model
        self._finder = finder
        self._add_mesh = add_mesh
        self._names = names
        self._lose = lose
        self._rewrite = rewrite
        #: The mesh that is written for a geometry.
        self.written: dict[Geometry, WrittenMesh] = {}
        self._meshes: dict[tuple[str, tuple[float, float, float]], str] = {}
        self._hulls: set[tuple[str, tuple[float, float, float]]] = set()
        self._materials: dict[tuple[float, ...], str] = {}

    def assets(self) -> list[str]:
        """Return the materials and meshes that were named so far."""
        lines: list[str] = []
        for rgba, name in self._materials.items():
            lines += element("material", {"name": name, "rgba": number_list(rgba)})
        for (file, scale), name in self._meshes.items():
            scaled = {} if scale == (1.0, 1.0, 1.0) else {"scale": number_list(scale)}
            lines += element("mesh", {"name": name, "file": file, "inertia": "shell", **scaled})
        return lines

    def lines(self, row: int, X_LF: Array, *, moves: bool, massless: bool) -> list[str]:
        """Return the element of a row.

        Parameters
        ----------
        row
            What is on a link.
        X_LF
            Its pose (4, 4) in the link.
        moves, massless
            Whether the link moves in the world, and whether it has no mass.
        """
        kind = self._model.kinds[row]
        if not np.isfinite(X_LF).all():
            self._lose(row, "its pose is undefined; it is left out", *LEFT_OUT)
            return []
        if kind is Kind.VISUAL:
            return self._visual(row, X_LF, moves)
        if kind is Kind.COLLISION:
            collision = read_collision(self._model, row)
            friction = finite_words(
                {"friction": number_list((collision.surface.mu, 0.005, 0.0001))},
                lambda _, why: self._lose(row, why, Topic(Aspect.CONTACT, r"surface\.mu")),
            )
            no_mass = {"mass": "0"} if massless else {}
            return self._geom(row, collision.geometry, X_LF, moves, {"group": _COLLISION, **friction, **no_mass})
        if kind is Kind.LIGHT:
            return self.light(row, X_LF)
        if kind is Kind.SENSOR:
            return self._sensor(row, X_LF)
        return []

    def _visual(self, row: int, X_LF: Array, moves: bool) -> list[str]:
        model = self._model
        visual = read_visual(model, row)
        surface = surface_of(visual, model.document_of(row).path, self._finder)
        material: dict[str, str] = {}
        written = None if visual.material is None or visual.material.diffuse else visual.material.element
        if written is not None and (why := unread_colour(written)):
            self._lose(row, f"{why}; it is left out", *topics_of(Kind.VISUAL, ["material"]))
        if surface.material is not None:
            r, g, b, a = surface.material.diffuse
            rgba = (r, g, b, round(a * (1.0 - surface.transparency), 12))
            material["material"] = self._materials.setdefault(rgba, f"material_{len(self._materials)}")
        no_contact = {"contype": "0", "conaffinity": "0", "group": _VISUAL, "mass": "0"}
        return self._geom(row, visual.geometry, X_LF, moves, {**no_contact, **material})

    def _geom(self, row: int, geometry: Geometry, X_LF: Array, moves: bool, more: dict[str, str]) -> list[str]:
        name = {"name": self._names.of("geom", row)}
        shape = _primitive(geometry)
        if isinstance(geometry, Plane) and moves:
            self._lose(row, "MuJoCo has planes only on bodies that do not move; it is left out", *LEFT_OUT)
            return []
        if shape is None:
            written = self._add_mesh(geometry)
            collides = more["group"] == _COLLISION
            problem = written if isinstance(written, str) else written.why_no_collision() if collides else ""
            if isinstance(written, str) or problem:
                self._lose(row, f"{problem}; it is left out", *LEFT_OUT)
                return []
            self.written[geometry] = written
            key = (written.file, written.scale)
            if collides and key not in self._hulls:  # said once of each mesh; what is written of it is the mesh
                self._hulls.add(key)
                self._rewrite(row, f"MuJoCo collides with the convex hull of {written.file}")
            mesh = self._meshes.get(key) or self._names.new("mesh", written.file.rpartition("/")[2].rpartition(".")[0])
            self._meshes[key] = mesh
            shape = {"type": "mesh", "mesh": mesh}
        if len(finite_words(shape, lambda _, why: None)) < len(shape):
            self._lose(row, "its size is not finite; it is left out", *LEFT_OUT)
            return []
        if any(float(number) == 0.0 for number in shape.get("size", "").split()):
            self._lose(row, f"its {geometry.kind} has a size of 0, which MuJoCo refuses; it is left out", *LEFT_OUT)
            return []
        if isinstance(geometry, Plane):
            X_LF = X_LF @ transforms.pose(_rotation_to(geometry.normal), np.zeros(3))
        return element("geom", {**name, **shape, **pose_attributes(X_LF), **more})

    def light(self, row: int, X_LF: Array) -> list[str]:
        """Return a light at a pose (4, 4) in what carries it."""
        light = read_light(self._model, row)
        towards = np.array(light.direction)
        if not towards.any():
            self._rewrite(
                row,
                "its direction is 0 0 0, which MuJoCo refuses; 0 0 -1 is written, as where none is given",
                Topic(Aspect.LIGHT, "direction"),
            )
            towards = np.array([0.0, 0.0, -1.0])
        if min(light.range, *light.attenuation) < 0.0:
            topic = Topic(Aspect.LIGHT, "range|attenuation")
            self._rewrite(row, "a negative range or attenuation means nothing; 0 is written", topic)
        direction = X_LF[:3, :3] @ towards
        words = {
            "name": self._names.of("light", row),
            "pos": number_list(X_LF[:3, 3].tolist()),
            "dir": number_list(direction.tolist()),
            "diffuse": number_list(light.diffuse[:3]),
            "specular": number_list(light.specular[:3]),
            "castshadow": "true" if light.cast_shadows else "false",
            "range": repr(max(light.range, 0.0)),
            "attenuation": number_list([max(each, 0.0) for each in light.attenuation]),
        }
        if not light.is_on:
            words["active"] = "false"
        if light.type == "directional":
            words["type"] = "directional"
        elif light.type == "spot":
            cutoff = repr(min(math.degrees(light.outer_angle) / 2, 90.0))
            words |= {"type": "spot", "cutoff": cutoff, "exponent": repr(light.falloff)}
        else:
            words["type"] = "point"
        called = {"dir": "direction", "pos": "", "cutoff": "outer_angle", "exponent": "falloff"}
        return element(
            "light",
            finite_words(words, lambda word, why: self._lose(row, why, Topic(Aspect.LIGHT, called.get(word, word)))),
        )

    def _sensor(self, row: int, X_LF: Array) -> list[str]:
        sensor = read_sensor(self._model, row)
        if not sensor.cameras:
            self._lose(row, f"the sensor of type {sensor.type or 'none'} is left out", *LEFT_OUT)
            return []
        camera = sensor.cameras[0]
        X_LD = X_LF @ transforms.pose(_R_CAMERA, np.zeros(3))
        height = camera.height / max(camera.width, 1)
        fovy = math.degrees(2 * math.atan(math.tan(min(camera.horizontal_fov, 3.1) / 2) * height))
        name = self._names.of("camera", row)
        size = {"resolution": f"{max(camera.width, 1)} {max(camera.height, 1)}"}
        return element("camera", {"name": name, **pose_attributes(X_LD), "fovy": repr(fovy), **size})


def _primitive(geometry: Geometry) -> dict[str, str] | None:
    """Return type and size of a shape that MuJoCo has, None where it must be a mesh."""
    kind = kind_of(geometry)
    size = None if kind is None else kind.mujoco_size(geometry)
    return None if size is None else {"type": geometry.kind, "size": number_list(size)}


def _rotation_to(normal: Sequence[float]) -> Array:
    """Return a rotation (3, 3) that turns +z to a direction."""
    n = np.array(normal, np.float64)
    n /= max(float(np.linalg.norm(n)), 1e-12)
    axis = np.cross([0.0, 0.0, 1.0], n)
    sine, cosine = float(np.linalg.norm(axis)), float(n[2])
    if sine < 1e-12:
        return np.eye(3) if cosine > 0 else np.diag([1.0, -1.0, -1.0])
    turned: Array = transforms.axis_angle_to_matrix(axis / sine, math.atan2(sine, cosine))
    return turned


def number_list(values: Sequence[float]) -> str:
    """Return numbers as MJCF writes them."""
    return " ".join(repr(float(value) + 0.0) for value in values)


def finite_words(words: Mapping[str, str], lose: Callable[[str, str], None]) -> dict[str, str]:
    """Return attributes without those that hold a number that is not finite, for which MJCF has no word.

    Parameters
    ----------
    words
        Values by the names of attributes.
    lose
        Called with the name of what is lost, and in words.
    """
    numbers = {name: value.split() for name, value in words.items() if name not in _NAMES}
    infinite = [name for name, written in numbers.items() if not _NOT_FINITE.isdisjoint(written)]
    for name in infinite:
        lose(name, f"its {name} is not finite; MuJoCo's default is taken")
    return {name: value for name, value in words.items() if name not in infinite}


def pose_attributes(X: Array) -> dict[str, str]:
    """Return ``pos`` and ``quat`` of a pose (4, 4), nothing for the identity."""
    words: dict[str, str] = {}
    if X[:3, 3].any():
        words["pos"] = number_list(X[:3, 3].tolist())
    if not np.array_equal(X[:3, :3], np.eye(3)):
        words["quat"] = number_list(transforms.matrix_to_quaternion(X[:3, :3]).tolist())
    return words
