"""The bodies of an MJCF file with what is on them, each in its frame: frames, replicas and attached models resolved.

Source: https://mujoco.readthedocs.io/en/stable/XMLreference.html#world-body-r and .../modeling.html#attachment
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from sdfviewer.diagnostics import Message
from sdfviewer.document.document import Document
from sdfviewer.formats.mjcf.nodes import FileReader, Node, Reporter
from sdfviewer.formats.mjcf.spec import MjcfValues, Spec, unit_vector
from sdfviewer.formats.urdf.reading import MAX_MEMBERS
from sdfviewer.transforms import Array, pose
from sdfviewer.validation import format_rules as rules
from sdfviewer.validation.file_rules import too_large

#: Files attach others, and bodies themselves, no deeper than this.
_DEEPEST_ATTACHMENT = 20
#: What a body has, by tag; ``<freejoint>`` is a joint.
_PARTS = ("geom", "site", "camera", "light")
_WHY_NOT_READ = {
    "composite": Message("it makes many bodies or a soft one", "write them out as bodies, joints and geoms"),
    "flexcomp": "it is soft, and frames, links and joints are rigid",
}


@dataclass(slots=True, eq=False)
class Part:
    """A geom, site, camera, light or joint of a body: its values, its name with affixes, and its pose in the body.

    ``X_BF`` is the pose of the frame around it; that of the part itself is computed by whoever knows its kind.
    """

    spec: Spec
    values: MjcfValues
    name: str
    X_BF: Array

    @property
    def node(self) -> Node:
        """The element."""
        return self.values.node

    def pose(self) -> Array:
        """Return the pose (4, 4) in the body that the element gives."""
        X_BP: Array = self.X_BF @ self.spec.settings.pose(self.values, self.spec.report)
        return X_BP


@dataclass(slots=True, eq=False)
class MjcfBody:
    """A body B with what is on it; the first one of a file is the world.

    Attributes
    ----------
    parent
        Number of the body that it is in.
    X_PB
        Its pose (4, 4) in that body.
    inertial
        Its ``<inertial>``, None where it has none.
    """

    spec: Spec
    node: Node
    name: str
    parent: int
    X_PB: Array
    inertial: Node | None = None
    joints: list[Part] = field(default_factory=list)
    geoms: list[Part] = field(default_factory=list)
    sites: list[Part] = field(default_factory=list)
    cameras: list[Part] = field(default_factory=list)
    lights: list[Part] = field(default_factory=list)

    @property
    def is_mocap(self) -> bool:
        """Whether a program moves it."""
        return MjcfValues(self.node, self.node.attributes).is_true("mocap")


@dataclass(frozen=True, slots=True, eq=False)
class _Place:
    """Where elements are: in a body, in a frame of it, with default class and affixes of names."""

    spec: Spec
    body: int
    X_BF: Array
    default_class: str
    prefix: str = ""
    suffix: str = ""
    attached: int = 0

    def name_of(self, node: Node) -> str:
        """Return the name of an element with its affixes, empty where it has none."""
        name = node.attributes.get("name", "")
        return f"{self.prefix}{name}{self.suffix}" if name else ""


class BodyReader:
    """Reads the bodies of a file.

    Attributes
    ----------
    bodies
        All bodies in the order of MuJoCo's numbers.
    specs
        The file and those that it attaches, each with the affixes of the names from it, once for each attachment.
    """

    def __init__(self, spec: Spec, files: FileReader) -> None:
        self.bodies: list[MjcfBody] = []
        self.specs: list[tuple[Spec, str, str]] = [(spec, "", "")]
        self._files = files
        self._report: Reporter = spec.report
        self._models: dict[str, Spec | None] = {}
        self._left = MAX_MEMBERS
        worlds = spec.sections("worldbody")
        self.bodies.append(MjcfBody(spec, worlds[0] if worlds else spec.root, "world", -1, np.eye(4)))
        self._read(worlds, _Place(spec, 0, np.eye(4), "main"))

    def _read(self, worlds: Sequence[Node], place: _Place) -> None:
        """Read everything below some elements; bodies may be nested as deep as elements."""
        pending: list[tuple[Iterator[Node], _Place]] = [(iter(world.children), place) for world in reversed(worlds)]
        for world in worlds:
            if world.attributes:
                self._report.refuse(world, "the world body has no attributes")
        while pending:
            children, around = pending[-1]
            node = next(children, None)
            if node is None:
                pending.pop()
                continue
            self._left -= 1
            if self._left <= 0:
                limit = f"{MAX_MEMBERS:,} bodies, joints, geoms and sites"
                self._report(too_large, node, None, node.tag, node.attributes.get("name", ""), limit)
                return
            pending += reversed([*self._read_one(node, around)])

    def _read_one(self, node: Node, place: _Place) -> Iterator[tuple[Iterator[Node], _Place]]:
        """Read one element, and yield what is to be read within it."""
        body = self.bodies[place.body]
        if node.tag == "body":
            yield self._body(node, place)
        elif node.tag == "frame":
            X_BF = place.X_BF @ place.spec.settings.pose(MjcfValues(node, node.attributes), self._report)
            yield iter(node.children), replace(place, X_BF=X_BF, default_class=_class_in(node, place))
        elif node.tag == "replicate":
            yield from self._replicas(node, place)
        elif node.tag == "attach":
            yield from self._attached(node, place)
        elif node.tag in ("joint", "freejoint"):
            self._joint(node, place, body)
        elif node.tag == "inertial":
            if place.body == 0:
                self._report.refuse(node, "the world body cannot have an inertial")
            elif body.inertial is None:
                body.inertial = node
        elif node.tag in _PARTS:
            part = Part(place.spec, place.spec.values(node, place.default_class), place.name_of(node), place.X_BF)
            lists = {"geom": body.geoms, "site": body.sites, "camera": body.cameras, "light": body.lights}
            lists[node.tag].append(part)
        elif node.tag in _WHY_NOT_READ:
            self._report(rules.mjcf_not_read, node, None, f"<{node.tag}>", _WHY_NOT_READ[node.tag])

    def _body(self, node: Node, place: _Place) -> tuple[Iterator[Node], _Place]:
        X_PB = place.X_BF @ place.spec.settings.pose(MjcfValues(node, node.attributes), self._report)
        self.bodies.append(MjcfBody(place.spec, node, place.name_of(node), place.body, X_PB))
        default_class = _class_in(node, place)
        return iter(node.children), replace(
            place, body=len(self.bodies) - 1, X_BF=np.eye(4), default_class=default_class
        )

    def _joint(self, node: Node, place: _Place, body: MjcfBody) -> None:
        if place.body == 0:
            self._report.refuse(node, "the world body cannot have joints")
            return
        values = place.spec.values(node, place.default_class)
        if node.tag == "freejoint":
            values = MjcfValues(node, {**node.attributes, "type": "free"})
        if values.word("type") == "free" and (body.parent != 0 or body.joints):
            self._report.refuse(node, "a free joint is the only joint of a body that is directly in the world body")
            return
        body.joints.append(Part(place.spec, values, place.name_of(node), place.X_BF))

    def _replicas(self, node: Node, place: _Place) -> Iterator[tuple[Iterator[Node], _Place]]:
        """Yield the insides of a ``<replicate>``, once for each replica.

        Notes
        -----
        Source: MuJoCo's XML reference, "replicate": each offset is in the frame of the replica before, and the names
        end with a number of as many digits as the last one has.
        """
        values = MjcfValues(node, node.attributes)
        count, offset = int(values.number("count", 0.0)), values.numbers("offset", (0.0, 0.0, 0.0))
        angles = values.numbers("euler", (0.0, 0.0, 0.0))
        if count < 1:
            self._report.refuse(node, "the number of replicas is at least 1", "@count")
        settings, p, R = place.spec.settings, np.zeros(3), np.eye(3)
        digits = len(str(count - 1))
        for number in range(count):
            if self._left <= 0:
                return
            turned = settings.euler((angles[0] * number, angles[1] * number, angles[2] * number))
            suffix = f"{values.word('sep')}{number:0{digits}d}{place.suffix}"
            X_BF = place.X_BF @ pose(turned, p)
            self._left -= 1
            yield iter(node.children), replace(place, X_BF=X_BF, suffix=suffix, default_class=_class_in(node, place))
            p, R = p + R @ np.array(offset), R @ settings.euler(angles)

    def _attached(self, node: Node, place: _Place) -> Iterator[tuple[Iterator[Node], _Place]]:
        """Yield what an ``<attach>`` brings, with a prefix before its names."""
        values = MjcfValues(node, node.attributes)
        spec: Spec | None = place.spec
        model = values.word("model")
        if model:
            spec = self._model(place.spec, model, node)
        if spec is None:
            return
        tag = "frame" if "frame" in values else "body"
        wanted = values.word(tag)
        found = spec.root if model and not wanted else _find(spec, tag, wanted)
        if found is None or place.attached >= _DEEPEST_ATTACHMENT:
            why = "it is attached to itself" if found is not None else f"there is no {tag} '{wanted}' to attach"
            self._report.refuse(node, why, f"@{tag}")
            return
        prefix = place.prefix + values.word("prefix")
        inner = replace(place, spec=spec, prefix=prefix, attached=place.attached + 1)
        if model:
            inner = replace(inner, default_class="main")
            self.specs.append((spec, prefix, place.suffix))
        if found is spec.root:
            for world in spec.sections("worldbody"):
                yield iter(world.children), inner
        else:
            yield iter([found]), inner

    def _open(self, asset: MjcfValues, path: str) -> Document | None:
        main = self._files.documents[0].path
        return self._files.open(asset.node, path, [] if main is None else [main.absolute().parent])

    def _model_called(self, spec: Spec, name: str) -> MjcfValues | None:
        """Return the ``<model>`` without a name whose file gives the model a name."""
        for (tag, _), asset in spec.assets.items():
            if tag == "model" and "name" not in asset:
                document = self._open(asset, Path(spec.folder, asset.word("file")).as_posix())
                if document is not None and document.root is not None and document.root.attributes.get("model") == name:
                    return asset
        return None

    def _model(self, spec: Spec, name: str, node: Node) -> Spec | None:
        """Return the file that a ``<model>`` asset names, None where there is none."""
        asset = spec.assets.get(("model", name)) or self._model_called(spec, name)
        if asset is None:
            self._report(rules.mjcf_name_unknown, node, "@model", "model", name, "")
            return None
        path = Path(spec.folder, asset.word("file"))
        key = path.as_posix()
        if key not in self._models:
            document = self._open(asset, key)
            made: Spec | None = None
            if document is not None and document.root is not None and document.root.tag == "mujoco":
                tree = self._files.tree(document, ((node.document, node.element),))
                made = Spec(tree, self._report, path.parent.as_posix())
            elif document is not None:
                self._report(rules.mjcf_include, asset.node, "@file", key, "it is no MJCF file")
            self._models[key] = made
        return self._models[key]


def _class_in(node: Node, place: _Place) -> str:
    """Return the default class of what is in a body or frame."""
    return node.attributes.get("childclass") or place.default_class


def _find(spec: Spec, tag: str, name: str) -> Node | None:
    pending = spec.sections("worldbody")
    while pending:
        node = pending.pop()
        if node.tag == tag and node.attributes.get("name") == name:
            return node
        pending += reversed(node.children)
    return None


def joint_axis(part: Part) -> Array:
    """Return the axis (3,) of a joint in its body; z where it has no length."""
    axis = unit_vector(part.values.numbers("axis", (0.0, 0.0, 1.0)))
    if axis is None:
        part.spec.report.refuse(part.node, "the axis has no length", "@axis")
        axis = np.array([0.0, 0.0, 1.0])
    turned: Array = part.X_BF[:3, :3] @ axis
    return turned
