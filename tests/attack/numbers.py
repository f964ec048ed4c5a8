"""Every number of every element with values that arithmetic does not survive, through everything that reads one.

The places come from the element tables of the specification and of URDF: an element that is added there is attacked.
"""

from __future__ import annotations

import contextlib
import inspect
import io
import json
import math
import random
import tempfile
import warnings
import xml.etree.ElementTree as ET
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path

import sdfviewer
from sdfviewer.cli import main
from sdfviewer.diagnostics import SdfViewerError
from sdfviewer.document.document import Document, parse_document
from sdfviewer.document.tables import AttributeDefinition, ElementDefinition, table
from sdfviewer.files.finder import Finder
from sdfviewer.formats.load import Loader
from sdfviewer.formats.urdf.elements import definition_of_robot
from sdfviewer.formats.urdf.values import URDF_VERSIONS
from sdfviewer.graphs.graph_build import build_graph
from sdfviewer.graphs.graph_view import GraphKind
from sdfviewer.graphs.picture import draw_graph
from sdfviewer.model.kinematics.forward import Kinematics
from sdfviewer.model.model import Model
from sdfviewer.refactoring.fix_offers import offer_fixes
from sdfviewer.scene.camera import Camera
from sdfviewer.scene.glyphs import Edges
from sdfviewer.scene.scene import update_poses
from sdfviewer.scene.scene_build import SceneOptions
from sdfviewer.session.session import Session
from sdfviewer.versions import NEWEST, TARGETS, format_version
from tests.scenes import build_scene

VALUES = ("nan", "inf", "-inf", "1e308", "-1e308", "1e-320", "0", "1e120", "-1", "1e-200", "1e39")
#: How many numbers the text of a type holds; of a quaternion SDFormat writes the angles.
_NUMBERS = {
    "double": 1, "float": 1, "int": 1, "unsigned int": 1, "vector2d": 2, "vector2i": 2, "vector3": 3, "pose": 6,
    "quaternion": 4, "color": 4, "angle": 1, "time": 2,
}  # fmt: skip
_JOINT_TYPES = (
    *("fixed", "revolute", "continuous", "prismatic", "revolute2", "universal", "ball", "screw", "gearbox"),
    *("floating", "planar"),
)
_SENSOR_TYPES = ("camera", "depth_camera", "wideanglecamera", "ray", "gpu_lidar", "sonar", "imu", "contact", "rfid")
_LIGHT_TYPES = ("point", "spot", "directional")
#: Elements of which a file says the type in an attribute; the joint types without an axis are as likely as the others.
_TYPES = {"joint": _JOINT_TYPES, "sensor": _SENSOR_TYPES, "light": _LIGHT_TYPES}
_SDF = """<sdf version="{version}"><world name="w"><model name="m">
<link name="a"><inertial{auto}><mass>1</mass><inertia><ixx>1</ixx><iyy>1</iyy><izz>1</izz></inertia></inertial>
<collision name="c"><geometry><box><size>1 1 1</size></box></geometry></collision>
<visual name="v"><geometry><box><size>1 1 1</size></box></geometry></visual></link>
<link name="b"><pose>1 0 0 0 0 0</pose></link>
<joint name="j" type="revolute"><parent>a</parent><child>b</child>
<axis><xyz>0 0 1</xyz></axis><axis2><xyz>0 1 0</xyz></axis2></joint>
</model></world></sdf>"""
_URDF = """<robot name="m"><link name="a"><inertial><mass value="1"/>
<inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>
<visual><geometry><box size="1 1 1"/></geometry></visual>
<collision><geometry><box size="1 1 1"/></geometry></collision></link><link name="b"/><link name="c"/>
<joint name="j" type="revolute"><parent link="a"/><child link="b"/><limit effort="1" velocity="1"/></joint>
<joint name="k" type="fixed"><parent link="b"/><child link="c"/></joint></robot>"""


@dataclass(frozen=True)
class Place:
    """Where a number is written.

    Attributes
    ----------
    path
        Definitions from the root to the element.
    attribute
        The name of the attribute, empty for the text.
    count
        How many numbers are there.
    """

    path: tuple[ElementDefinition, ...]
    attribute: str
    count: int

    @property
    def is_urdf(self) -> bool:
        """Whether it is one of a URDF."""
        return self.path[0].tag == "robot"


@cache
def places() -> tuple[Place, ...]:
    """Return every number that the newest version of each format has, each once: in the model where it can be there."""
    found: dict[tuple[int, str], Place] = {}
    for root in (table(NEWEST).root, definition_of_robot(max(URDF_VERSIONS))):
        for place in sorted(_places_below(root, ()), key=_remoteness):
            found.setdefault((id(place.path[-1]), place.attribute), place)
    return tuple(found.values())


def _remoteness(place: Place) -> tuple[bool, int, bool]:
    tags = [definition.tag for definition in place.path]
    return tags[:3] != ["sdf", "world", "model"], len(tags), "link" not in tags


def _places_below(definition: ElementDefinition, above: tuple[ElementDefinition, ...]) -> Iterator[Place]:
    path = (*above, definition)
    if definition.type in _NUMBERS:
        yield Place(path, "", _NUMBERS[definition.type])
    for attribute in definition.attributes.values():
        if attribute.type in _NUMBERS:
            yield Place(path, attribute.name, _NUMBERS[attribute.type])
    for child in definition.children.values():
        if child not in path and not (definition.tag == "actor" and child.tag in ("link", "joint")):
            yield from _places_below(child, path)


def make_file(seed: int) -> tuple[str, str]:
    """Return the text of a file with one number or several that nobody would write, and its suffix."""
    rng = random.Random(seed)
    known = places()
    place = known[seed * 7919 % len(known)]
    value = VALUES[(seed + seed // len(known)) % len(VALUES)]
    auto = rng.choice(("", "", ' auto="true"'))
    root = ET.fromstring(_URDF if place.is_urdf else _SDF.format(version=format_version(NEWEST), auto=auto))
    if place.is_urdf:
        root.set("version", ".".join(map(str, rng.choice(URDF_VERSIONS))))
    element = _reach(root, place, rng)
    _write(element, place, value, rng)
    others = [other for other in known if other.is_urdf == place.is_urdf and other.path[:-2] == place.path[:-2]]
    for _ in range(rng.choice((0, 0, 1, 3))):
        other = rng.choice(others)
        _write(_reach(root, other, rng), other, rng.choice(VALUES), rng)
    return ET.tostring(root, encoding="unicode"), ".urdf" if place.is_urdf else ".sdf"


def _reach(root: ET.Element, place: Place, rng: random.Random) -> ET.Element:
    """Return the element of a place in a file, which is made with what must be in it and around it."""
    at = root
    for parent, definition in zip(place.path, place.path[1:], strict=False):
        child = at.find(definition.tag)
        if child is None:
            child = _made(definition, rng)
            if parent.tag == "geometry":
                at[:] = [child]  # of several shapes the first counts
            else:
                at.append(child)
        if definition.tag in _TYPES:
            child.set("type", rng.choice(_TYPES[definition.tag]))
        if rng.random() < 0.3:
            for sibling in definition.children.values():
                if sibling.type in _NUMBERS and child.find(sibling.tag) is None:
                    child.append(_made(sibling, rng))
        at = child
    return at


def _made(definition: ElementDefinition, rng: random.Random) -> ET.Element:
    element = ET.Element(definition.tag)
    for attribute in definition.attributes.values():
        if attribute.is_required:
            element.set(attribute.name, _default(attribute) or attribute.name)
    if definition.type is not None:
        element.text = _default(definition)
    if definition.tag in ("link", "model", "world", "include", "state"):
        return element
    element.extend(_made(child, rng) for child in definition.children.values() if child.is_required)
    return element


def _default(definition: ElementDefinition | AttributeDefinition) -> str:
    known = definition.default if definition.default != "__default__" else ""
    return known or " ".join(["1"] * _NUMBERS.get(definition.type or "", 0))


def _write(element: ET.Element, place: Place, value: str, rng: random.Random) -> None:
    numbers = [value] * place.count
    if rng.random() < 0.5 and place.count > 1:
        numbers = ["1"] * place.count
        numbers[rng.randrange(place.count)] = value
    if place.attribute:
        element.set(place.attribute, " ".join(numbers))
    else:
        element.text = " ".join(numbers)


_CONVERSIONS = (
    ("urdf",),
    ("urdf", "--urdf-version", "1.2"),
    ("mjcf",),
    *((format_version(version),) for version in TARGETS),
    *(("flat",), ("standalone",), ("element-relative",), ("model-absolute",)),
)


#: An input goes through so many of the commands; each number comes again with others.
_COMMANDS_OF_AN_INPUT = 12


def attack(seed: int) -> None:
    """Use a file of such numbers everywhere; what is written is read back."""
    with warnings.catch_warnings():
        # NumPy's, about numbers that are not finite; the command line does not print them.
        warnings.filterwarnings("ignore", r".* encountered in ", RuntimeWarning)
        _attack(seed)


def _attack(seed: int) -> None:
    text, suffix = make_file(seed)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        path, other = folder / f"a{suffix}", folder / f"b{suffix}"
        path.write_text(text, encoding="utf-8")
        other.write_text(_URDF if suffix == ".urdf" else _SDF.format(version="1.12", auto=""), encoding="utf-8")
        document = parse_document(text, path)
        model, diagnostics = Loader(Finder(environ={}, cwd=folder), offer_fixes=offer_fixes).load_with_diagnostics(
            document
        )
        for diagnostic in diagnostics:
            assert str(diagnostic)
            list(diagnostic.fixes)
        if model is not None:
            _use(model, folder)
        _ask_session(document, folder)
        _run_commands(path, other, folder, random.Random(seed))
        _ask_library(path)


def _use(model: Model, folder: Path) -> None:
    finder = Finder(environ={}, cwd=folder)
    for kind in GraphKind:
        draw_graph(build_graph(model, kind))
    kinematics = Kinematics(model)
    for q in (kinematics.positions({}), kinematics.positions({}) + 0.3):
        X = kinematics.poses(q)
        assert X.shape == (len(model), 4, 4)
    layers = frozenset(
        (
            "visuals",
            "collisions",
            "inertia",
            "com",
            "sensors",
            "lights",
            "frames",
            "joints",
            "labels",
            "jp",
            "canonical",
        )
    )
    scene = build_scene(model, SceneOptions.of_layers(layers, Edges.RELATIVE_TO), finder=finder)
    outline = update_poses(scene, X).outline()
    assert math.isfinite(Camera().fit(outline, 1.5).distance)


def _ask_session(document: Document, folder: Path) -> None:
    session = Session(document, Finder(environ={}, cwd=folder))
    if session.model is not None:
        session.move_joints({"w::m::j": (0.2,)})
        assert len(session.X_RootF) == len(session.model)


def _run_commands(path: Path, other: Path, folder: Path, rng: random.Random) -> None:
    """Run some of the commands that read a file, each with the check of what it prints or writes."""
    here, there = str(path), str(other)
    frame, joint = ("m::b", "m::j") if path.suffix == ".sdf" else ("b", "j")
    checks = ("--kinematics", "--urdf-ready", "--portable-names", "--resources")
    commands: list[tuple[tuple[str, ...], Callable[[str], None]]] = [
        *((("check", "--output-format", form, *checks, here), _ignore) for form in ("text", "json", "sarif", "junit")),
        (("frames", here), _ignore),
        (("frames", "--convention", "element-relative", here), _ignore),
        (("frames", "--csv", "--joint", f"{joint}=0.5", here), _ignore),
        (("frames", "--csv", "--sweep", joint, "--samples", "3", here), _ignore),
        (("frames", "--json", "--relative-to", frame, here), _read_json),
        (("frames", "--mass", here), _ignore),
        (("frames", "--mass", "--json", "--relative-to", frame, here), _read_json),
        (("why", here, frame), _ignore),
        (("assets", "--json", here), _read_json),
        (("collisions", "--json", "--neighbours", here), _read_json),
        (("collisions", "--sweep", joint, "--samples", "3", here), _ignore),
        (("diff", here, there), _ignore),
        (("diff", "--json", there, here), _read_json),
    ]
    for kind in ("relative_to", "attached_to", "kinematic"):
        commands += [(("graph", "--kind", kind, "--format", form, here), _ignore) for form in ("dot", "svg")]
        commands.append((("graph", "--kind", kind, "--format", "json", here), _read_json))
    for target in ("urdf", "mjcf", "1.12"):
        commands.append((("convert", "--to", target, "--bundle", str(folder / target), here), _ignore))
    for number, words in enumerate(_CONVERSIONS):
        out = folder / f"{number}.xml"
        commands.append((("convert", "--to", *words, "-o", str(out), here), partial(_read_back, out)))
    for words, look in rng.sample(commands, _COMMANDS_OF_AN_INPUT):
        look(_run(*words))


def _ignore(_text: str) -> None:
    """Ask for nothing but an exit code."""


def _run(*words: str) -> str:
    """Run a command and return what it prints; it ends with an exit code, and not because of a fault of its own."""
    printed = io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True)
    said = io.StringIO()
    with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(said):
        try:
            code = main(words)
        except SystemExit as error:
            raise AssertionError(f"{words}: {said.getvalue()}") from error
    assert code in (0, 1, 2), words
    printed.seek(0)
    text = printed.read()
    for each in (text, said.getvalue()):
        assert "internal error" not in each, f"{words[:-1]}: {each}"
        assert "Warning:" not in each, f"{words[:-1]}: {each}"
    return text


def _read_json(text: str) -> None:
    """Read the values that a command prints, one behind the other."""
    decoder, text = json.JSONDecoder(parse_constant=_refuse), text.strip()
    while text:
        text = text[decoder.raw_decode(text)[1] :].strip()


def _refuse(word: str) -> None:
    raise AssertionError(f"{word} is not JSON")


def _read_back(out: Path, _printed: str) -> None:
    """Read what was written; in MJCF there is no word for what is not a number."""
    if not out.exists():
        return
    root = ET.fromstring(out.read_bytes())
    if root.tag == "mujoco":
        for element in root.iter():
            for name, value in element.attrib.items():
                if name not in ("name", "file"):
                    assert not {"nan", "inf", "-inf"} & set(value.split()), f"<{element.tag} {name}='{value}'>"
    else:
        Loader().load_with_diagnostics(parse_document(out.read_text(encoding="utf-8")))


def _ask_library(path: Path) -> None:
    """Ask every handle of a file for everything that it can be asked without arguments."""
    try:
        model = sdfviewer.load(path)
    except SdfViewerError:
        return
    for thing in (model, *model.things):
        _ask(thing)
    if isinstance(model, sdfviewer.Model):
        for form in ("urdf", "mjcf"):
            _attempt(partial(model.convert, form))
        _attempt(lambda: model.diff(model))
        for joint in (each for each in model.things if isinstance(each, sdfviewer.Joint)):
            _attempt(partial(model.sweep, joint))
            _attempt(partial(model.jacobian, joint))


_LEFT_OUT = {"screenshot", "save_bundle", "read_resources"}


def _ask(thing: object) -> None:
    for name in dir(thing):
        if name.startswith("_") or name in _LEFT_OUT:
            continue
        _attempt(partial(_value, thing, name))


def _value(thing: object, name: str) -> object:
    found = getattr(thing, name)
    if callable(found) and inspect.ismethod(found):
        needed = [each for each in inspect.signature(found).parameters.values() if each.default is each.empty]
        found = found() if not needed else None
    return repr(found)


def _attempt(ask: Callable[[], object]) -> None:
    """Ask; a refusal gives its reason."""
    with contextlib.suppress(SdfViewerError):
        ask()
