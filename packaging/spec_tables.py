"""Make an element table of ``resources/spec`` from the specification's own files.

usage: python packaging/spec_tables.py FOLDER > resources/spec/1.13.json

FOLDER holds the files of one version, such as ``sdf/1.12`` of libsdformat's source. Debian's package sdformat-sdf
installs those of older versions in ``/usr/share/sdformat12``. Only what the program reads is kept: names, types,
defaults, bounds and cardinalities; descriptions are left out.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

#: What is kept of an ``<attribute>``, and of an ``<element>``.
_OF_ATTRIBUTES = ("name", "type", "default", "required")
_OF_ELEMENTS = (*_OF_ATTRIBUTES, "min", "max", "ref")


def read_table(folder: Path) -> dict[str, Any]:
    """Return the definitions of all files of a version, by file name."""
    return {file.name: _definition(ElementTree.parse(file).getroot()) for file in sorted(folder.glob("*.sdf"))}


def _definition(element: ElementTree.Element) -> dict[str, Any]:
    definition: dict[str, Any] = _kept(element, _OF_ELEMENTS)
    attributes = [_kept(attribute, _OF_ATTRIBUTES) for attribute in element.findall("attribute")]
    children = [_definition(child) for child in element.findall("element") if "copy_data" not in child.attrib]
    includes = [
        {"filename": include.attrib["filename"], "required": include.attrib.get("required", "")}
        for include in element.findall("include")
    ]
    if attributes:
        definition["attributes"] = attributes
    if children:
        definition["children"] = children
    if includes:
        definition["includes"] = includes
    if any("copy_data" in child.attrib for child in element.findall("element")):
        definition["any_children"] = True
    return definition


def _kept(element: ElementTree.Element, names: tuple[str, ...]) -> dict[str, str]:
    return {name: element.attrib[name] for name in names if name in element.attrib}


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    json.dump(read_table(Path(sys.argv[1])), sys.stdout, separators=(",", ":"), sort_keys=True)
    print()
