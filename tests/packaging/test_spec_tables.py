"""Element tables are made from the files of the specification."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).parents[2]
DEBIAN = Path("/usr/share/sdformat12")
LINK = """<element name="link" required="*">
  <description>A body.</description>
  <attribute name="name" type="string" default="__default__" required="1"></attribute>
  <element name="gravity" type="bool" default="true" required="0"><description>Falls</description></element>
  <element name="mass" type="double" default="1" required="1" min="0"/>
  <include filename="pose.sdf" required="0"/>
</element>"""
PLUGIN = """<element name="plugin" required="*"><element copy_data="true" required="*"/></element>"""


def make_table(folder: Path) -> dict[str, object]:
    command = [sys.executable, str(REPOSITORY / "packaging" / "spec_tables.py"), str(folder)]
    table: dict[str, object] = json.loads(subprocess.run(command, capture_output=True, check=True).stdout)
    return table


def test_a_table_holds_names_types_defaults_bounds_and_cardinalities(tmp_path: Path) -> None:
    (tmp_path / "link.sdf").write_text(LINK, encoding="utf-8")
    (tmp_path / "plugin.sdf").write_text(PLUGIN, encoding="utf-8")
    assert make_table(tmp_path) == {
        "link.sdf": {
            "name": "link",
            "required": "*",
            "attributes": [{"name": "name", "type": "string", "default": "__default__", "required": "1"}],
            "children": [
                {"name": "gravity", "type": "bool", "default": "true", "required": "0"},
                {"name": "mass", "type": "double", "default": "1", "required": "1", "min": "0"},
            ],
            "includes": [{"filename": "pose.sdf", "required": "0"}],
        },
        "plugin.sdf": {"name": "plugin", "required": "*", "any_children": True},
    }


@pytest.mark.skipif(not DEBIAN.is_dir(), reason="Debian's package sdformat-sdf is not installed")
def test_the_table_of_a_version_comes_from_the_files_of_libsdformat() -> None:
    committed = (REPOSITORY / "resources" / "spec" / "1.0.json").read_text(encoding="utf-8")
    assert make_table(DEBIAN / "1.0") == json.loads(committed)
