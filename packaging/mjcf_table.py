"""Make the table of MJCF's elements, ``resources/mjcf.json``.

usage: python packaging/mjcf_table.py mjcf.schema [NAMES] > resources/mjcf.json

``mjcf.schema`` is the file of MuJoCo's source, ``src/xml/mjcf.schema``, whose first lines describe its notation. NAMES
is what ``mujoco.mj_printSchema(False, False)`` of a later version prints: elements and attributes that it adds are
taken over without their types. Only what the program reads is kept: names, types, what is required, and what
excludes what.

An attribute is a word for its type and those after it, ``double 3 3`` for exactly three numbers, ``enum hinge slide``,
``ref body``; ``!`` where it is required and ``-`` where a class of defaults cannot set it.
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any

#: Bounds that are constants of MuJoCo; the readers take any number where they end with a star.
_BOUNDS = {"mjNREF": 2, "mjNIMP": 5}
_ATTRIBUTE = re.compile(r"(\w+)\s*:\s*(\w+)(?:<(\w+)>)?(\[[^]]*\])?\s*(?:=\s*(?:\{[^}]*\}|[^\s(]+))?\s*(?:\((.*)\))?")
_RULE = re.compile(r"(exclusive|together|requires|oneof)\s+(.+)")
#: What may be in every body, under the names that MuJoCo gives it elsewhere.
_BODIES = ("worldbody", "frame", "replicate")


def read_schema(text: str) -> dict[str, Any]:
    """Return the elements of a schema by the names of their declarations."""
    enums: dict[str, list[str]] = {}
    groups: dict[str, dict[str, Any]] = {}
    elements: dict[str, dict[str, Any]] = {}
    current: dict[str, Any] | None = None
    words: list[str] | None = None
    for line in (written.partition("#")[0].strip() for written in text.splitlines()):
        head = re.match(r"(enum|group|element)\s+(\w+)\s*(.*)\{$", line)
        if head and head[1] == "enum":
            words = enums[head[2]] = []
        elif head:
            tag = re.search(r"xml=(\w+)", head[3])
            current = {"tag": tag[1] if tag else head[2], "attributes": {}, "children": {}, "rules": []}
            if head[1] == "group":
                groups[head[2]] = current
                if "variant" in head[3]:
                    current["rules"] = ["variant"]
            else:
                elements[head[2]] = current
        elif line == "}":
            current = words = None
        elif words is not None and line:
            words.append(line.split("=")[0].strip().strip('"'))
        elif current is not None and line:
            _read_line(line, current, enums, groups)
    for name in _BODIES:
        elements[name]["children"] = dict(elements["body"]["children"])
    elements["body"]["children"].setdefault("replicate", "replicate *")
    elements["mujoco"]["children"] = {
        "worldbody" if tag == "body" else tag: "worldbody *" if tag == "body" else each
        for tag, each in elements["mujoco"]["children"].items()
    }
    for each in elements.values():
        each["children"] = {elements[names.split()[0]]["tag"]: names for names in each["children"].values()}
    return elements


def _read_line(line: str, current: dict[str, Any], enums: dict[str, list[str]], groups: dict[str, Any]) -> None:
    first, *rest = line.split()
    rule = _RULE.match(line)
    if first == "child":
        current["children"][rest[0]] = " ".join(rest[:2])
    elif first == "use":
        group = groups[rest[0]]
        current["attributes"].update(group["attributes"])
        variant = group["rules"] == ["variant"]
        current["rules"] += [" ".join(["exclusive", *group["attributes"]])] if variant else group["rules"]
    elif rule:
        current["rules"].append(" ".join(rule.groups()))
    elif match := _ATTRIBUTE.match(line):
        name, kind, argument, size, facets = match.groups()
        words = ["double" if kind == "float" else kind]
        if kind in ("enum", "flags"):
            words += enums[argument]
        elif argument:
            words.append(argument)
        elif kind in ("double", "float", "int", "chars"):
            least, _, most = (size or "[1]")[1:-1].partition("..")
            most = most or least
            words += [least, str(_BOUNDS.get(most, "*" if most.startswith("mjN") else most))] if least else ["0", "*"]
        words += ["!"] if facets and "required" in facets else []
        words += ["-"] if facets and "nodefault" in facets else []
        current["attributes"][name] = " ".join(words)


def add_names(elements: dict[str, Any], text: str) -> None:
    """Add the elements and attributes that the schema which MuJoCo prints has beside those of a table."""
    path: list[str] = ["mujoco"]
    for line in text.splitlines():
        match = re.match(r"( *)(\w+) \((.)\) *(.*)", line.replace("(world)body", "worldbody"))
        if match:
            depth, tag = len(match[1]) // 3, match[2]
            path = path[:depth]
            parent = elements[path[-1]] if path else None
            if parent is not None and tag not in parent["children"]:
                new = tag if tag not in elements else f"{path[-1]}_{tag}"
                elements.setdefault(new, {"tag": tag, "attributes": {}, "children": {}, "rules": []})
                parent["children"][tag] = f"{new} {match[3]}"
            path.append("mujoco" if parent is None else parent["children"][tag].split()[0].replace("worldbody", "body"))
        current = elements[path[-1]]
        for name in (match[4] if match else line).split():
            if path[-1] != "default":
                current["attributes"].setdefault(name, "string")


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    made = read_schema(Path(sys.argv[1]).read_text(encoding="utf-8"))
    if len(sys.argv) == 3:
        add_names(made, Path(sys.argv[2]).read_text(encoding="utf-8"))
    for each in made.values():
        for empty in [name for name, value in each.items() if not value]:
            del each[empty]
    json.dump(made, sys.stdout, separators=(",", ":"), sort_keys=True)
    print()
