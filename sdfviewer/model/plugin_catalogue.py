"""The plugins that are known, with their parameters: what they mean, hold and name.

The data is in ``resources/plugins``, one file for each place where plugins are written, with the revision that it was
read at: the systems and windows of Gazebo (``gz-sim``, ``gz-sim-gui``, ``gz-gui``), PX4 and ArduPilot, and of Gazebo
Classic those parameters that hold names. A path below the plugin is written as in :mod:`sdfviewer.document.tables`:
``rotorConfiguration/rotor/jointName``, ``wheel/@link_name``.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any, Literal, TypeAlias

from sdfviewer.document.tables import check_value
from sdfviewer.model.kinds import Kind
from sdfviewer.resources import resource

#: What a parameter names: in the model that its plugin is written in, or another model of the world.
Named: TypeAlias = Literal["joint", "link", "model"]
#: What a parameter holds; ``group`` other parameters, ``any`` whatever its plugin reads.
ParameterKind: TypeAlias = Literal[
    "number", "integer", "boolean", "vector", "numbers", "pose", "color", "choice", "text", "file", "topic",
    "model", "joint", "link", "group", "any",
]  # fmt: skip

_FILES = ("gz-sim", "gz-sim-gui", "gz-gui", "px4", "px4-gz", "ardupilot", "gazebo-classic")
#: What a library is called without the part that says of which version it is: ``libgz-sim8-diff-drive-system.so``.
_FILE = re.compile(r"(?:lib)?(?:(?:gz-sim|ignition-gazebo)\d*-)?(.*?)(?:\.so|\.dylib|\.dll)?")
#: What the releases of Gazebo are called, by the major version of ``gz-sim``.
RELEASES: Mapping[int, str] = {
    2: "Blueprint", 3: "Citadel", 4: "Dome", 5: "Edifice", 6: "Fortress", 7: "Garden", 8: "Harmonic", 9: "Ionic",
    10: "Jetty", 11: "Rotary",
}  # fmt: skip


_EXPECTED: Mapping[str, str] = {
    "number": "a number",
    "integer": "a whole number",
    "boolean": "true or false",
    "vector": "three numbers",
    "numbers": "numbers",
    "pose": "six numbers x y z roll pitch yaw",
    "color": "three or four numbers",
}
#: What a parameter that the catalogue does not have names where its tag has one of these words.
_WORDS: Mapping[str, tuple[Kind, ...]] = {
    "joint": (Kind.JOINT,),
    "link": (Kind.LINK,),
    "body": (Kind.LINK,),
    "frame": (Kind.FRAME, Kind.LINK, Kind.MODEL),
}
_NAMED: Mapping[Named, tuple[Kind, ...]] = {"joint": (Kind.JOINT,), "link": (Kind.LINK,)}
#: The types of the specification that parameters hold.
_TYPES = {
    "number": "double", "numbers": "double", "integer": "int", "boolean": "bool", "vector": "vector3", "pose": "pose",
    "color": "color",
}  # fmt: skip
#: What places any plugin of the window.
_OF_WINDOWS = frozenset({"gz-gui", "ignition-gui"})
_TEMPLATE = re.compile(r"[${@%]")


@dataclass(frozen=True, slots=True)
class PluginParameter:
    """A parameter of a plugin.

    Attributes
    ----------
    path
        Tags below the plugin, ``@name`` at the end for an attribute.
    kind
        What it holds.
    help
        One sentence.
    unit
        Of a number or of several; empty where it has none.
    default
        What holds where it is not written, as it would be written; ``{model}`` in it is a name. None where nothing is.
    values
        What a choice may be.
    is_open
        Whether a choice may be something else.
    is_repeated
        Whether there may be several.
    is_required
        Whether the plugin does nothing without it.
    since
        First major version of ``gz-sim`` that knows it, 0 where that is not known or the plugin is as old.
    of
        Tag of the parameter beside it that names the model whose link it names; empty where that is its own.
    """

    path: str
    kind: ParameterKind
    help: str
    unit: str = ""
    default: str | None = None
    values: tuple[str, ...] = ()
    is_open: bool = False
    is_repeated: bool = False
    is_required: bool = False
    since: int = 0
    of: str = ""

    @property
    def tag(self) -> str:
        """The last part of its path, ``@name`` of an attribute."""
        return self.path.rpartition("/")[2]

    @property
    def expects(self) -> str:
        """What it holds, in words, with what would pass; empty where any text does."""
        if self.kind in _EXPECTED:
            return _EXPECTED[self.kind]
        return f"one of {', '.join(self.values)}" if self.kind == "choice" and not self.is_open else ""

    def accepts(self, text: str) -> bool:
        """Return whether a text is what it holds; names are not looked up. Templates that are filled in later are."""
        words = text.split()
        if not words or _TEMPLATE.search(text) or not self.expects:
            return True
        if self.kind == "choice":
            return text.strip() in self.values
        parts = words if self.kind == "numbers" else [text]
        return all(check_value(_TYPES[self.kind], part) is None for part in parts)


@dataclass(frozen=True)
class KnownPlugin:
    """A plugin of the catalogue.

    Attributes
    ----------
    filename
        The library, as a new plugin would name it.
    names
        The classes in it, ``gz::sim::systems::DiffDrive``; empty where any name is right.
    holders
        Tags of the elements that hold it.
    help
        One sentence.
    parameters
        By their paths, in the order of a form.
    is_complete
        Whether there are no other parameters.
    pattern
        Further parameters, as a regular expression of their tags; empty where there are none.
    since
        First major version of ``gz-sim`` that has it, 0 for what is not a system of Gazebo.
    source
        The repository, revision and path that it was read from.
    """

    filename: str
    names: tuple[str, ...]
    holders: tuple[str, ...]
    help: str
    parameters: Mapping[str, PluginParameter]
    is_complete: bool
    pattern: str
    since: int
    source: str

    def knows(self, path: str) -> bool:
        """Return whether a parameter may be there: elements of extensions, and what is in one of kind ``any``, may."""
        if path in self.parameters or not self.is_complete or re.fullmatch(self.pattern or "$", path):
            return True
        parts = path.split("/")
        if parts[0] in _OF_WINDOWS and "gui" in self.holders:
            return True
        around = (self.parameters.get("/".join(parts[:end])) for end in range(1, len(parts)))
        return ":" in path or any(each is not None and each.kind == "any" for each in around)

    def children(self, path: str = "") -> list[PluginParameter]:
        """Return the parameters directly below a path, attributes first."""
        depth, start = path.count("/") + 1 if path else 0, f"{path}/" if path else ""
        found = [each for each in self.parameters.values() if each.path.startswith(start)]
        return sorted((each for each in found if each.path.count("/") == depth), key=lambda each: each.tag[0] != "@")

    @cached_property
    def named(self) -> Mapping[str, Named]:
        """What its parameters name, by their tags; of an attribute by ``@`` and its name."""
        return {each.tag: each.kind for each in self.parameters.values() if each.kind in ("joint", "link", "model")}

    @cached_property
    def named_elsewhere(self) -> Mapping[str, str]:
        """The tags of the parameters that name a link of another model, with those of the parameters that name that."""
        return {each.tag: each.of for each in self.parameters.values() if each.of}


@cache
def known_plugins() -> Mapping[str, KnownPlugin]:
    """Return all plugins of the catalogue, by their libraries without version and ending."""
    return {library: plugin for library in _written() if (plugin := _known(library)) is not None}


@cache
def _known(library: str) -> KnownPlugin | None:
    written = _written().get(library)
    return None if written is None else _plugin(*written)


@cache
def _written() -> Mapping[str, tuple[str, Mapping[str, Any], str]]:
    """Return of each library its file name, what the catalogue has of its plugin, and the source of that."""
    plugins: dict[str, tuple[str, Mapping[str, Any], str]] = {}
    for file in _FILES:
        written: dict[str, Any] = json.loads(resource("plugins", f"{file}.json").read_text(encoding="utf-8"))
        source = written["source"]
        read = "@".join(filter(None, (source["repository"], source.get("revision", ""))))
        for library, given in written["plugins"].items():
            where = f"{source['read'].split(',')[0]}/{given['source']}" if "source" in given else source["read"]
            plugins[library] = source["filename"].format(library), given, f"{read}: {where}"
    return plugins


def known_plugin(filename: str) -> KnownPlugin | None:
    """Return the plugin that a library holds, None for one that is not known.

    Parameters
    ----------
    filename
        As it is written, with or without ``lib``, version and ending.
    """
    match = _FILE.fullmatch(filename.strip())
    return None if match is None else _known(match[1])


@cache
def _topic() -> re.Pattern[str]:
    tags = {
        each.tag for plugin in known_plugins().values() for each in plugin.parameters.values() if each.kind == "topic"
    }
    # Blanks are left to `strip`: in a pattern a long run of them takes its length to the third power.
    return re.compile(rf"<({'|'.join(sorted(tag for tag in {*tags, 'topic'} if tag[0] != '@'))})>([^<>]*)</\1>")


def topics_in(text: str) -> tuple[str, ...]:
    """Return the topics that sensors and plugins write in a file, in the order of its text."""
    return tuple(dict.fromkeys(filter(None, (match[2].strip() for match in _topic().finditer(text)))))


def plugin_parameters(filename: str) -> Mapping[str, Named]:
    """Return what the parameters of a plugin name, by their tags; of an attribute in it by ``@`` and its name."""
    plugin = known_plugin(filename)
    return {} if plugin is None else plugin.named


def named_kinds(filename: str, tag: str) -> tuple[Kind, ...]:
    """Return the kinds of what a parameter of a plugin names: the catalogue knows, else the words of its tag tell."""
    if (named := plugin_parameters(filename).get(tag)) is not None:
        return _NAMED[named]
    return tuple(kind for word, kinds in _WORDS.items() if word in tag.lower() for kind in kinds)


def _plugin(filename: str, given: Mapping[str, Any], source: str) -> KnownPlugin:
    parameters = [_parameter(each) for each in given.get("parameters", ())]
    return KnownPlugin(
        filename,
        tuple(given.get("names", ())),
        tuple(given["in"]),
        given["help"],
        {each.path: each for each in parameters},
        not given.get("open", False),
        given.get("pattern", ""),
        given.get("since", 0),
        source,
    )


def _parameter(given: Mapping[str, Any]) -> PluginParameter:
    return PluginParameter(
        given["path"],
        given["type"],
        given["help"],
        given.get("unit", ""),
        given.get("default"),
        tuple(given.get("values", ())),
        given.get("open", False),
        given.get("many", False),
        given.get("required", False),
        given.get("since", 0),
        given.get("of", ""),
    )
