"""The recipes for other package managers say what pyproject.toml says, and what they need is prepared."""

from __future__ import annotations

import re
import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
import yaml

import sdfviewer

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

REPOSITORY = Path(__file__).parents[2]
RECIPES = REPOSITORY / "packaging" / "recipes"
PROJECT = tomllib.loads((REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))["project"]
#: Names of conda-forge that are not those of PyPI.
CONDA = {"mapbox-earcut": "mapbox_earcut", "pyside6-essentials": "pyside6"}


def test_the_package_of_conda_needs_what_the_window_needs() -> None:
    recipe = yaml.safe_load((RECIPES / "recipe.yaml").read_text(encoding="utf-8"))
    assert recipe["context"]["version"] == sdfviewer.__version__
    extras = PROJECT["optional-dependencies"]
    wanted = {}
    for requirement in [
        *PROJECT["dependencies"],
        *(line for extra in ("render", "gui", "lsp", "fuel", "xacro") for line in extras[extra]),
    ]:
        name, version = re.fullmatch(r"([\w-]+)>=([\d.]+).*", requirement).groups() if ">=" in requirement else ("", "")
        wanted[CONDA.get(name.lower(), name.lower())] = version
    for missing in ("", "shiboken6", "xacro"):  # another extra of this package, a part of pyside6, no package there
        wanted.pop(missing, None)
    given = dict(line.split(" >=") for line in recipe["requirements"]["run"])
    assert given.pop("python") == PROJECT["requires-python"].removeprefix(">=")
    assert given == wanted
    scripts = {**PROJECT["scripts"], **PROJECT["gui-scripts"]}
    assert dict(entry.split(" = ") for entry in recipe["build"]["python"]["entry_points"]) == scripts


def test_the_package_of_ros_has_the_version_and_the_description() -> None:
    package = ET.parse(RECIPES / "ros" / "package.xml").getroot()
    assert package.findtext("version") == sdfviewer.__version__
    assert package.findtext("license") == PROJECT["license"]


def test_the_flatpak_installs_what_the_bundle_brings() -> None:
    manifest = yaml.safe_load((RECIPES / "io.github.sdfviewer.yml").read_text(encoding="utf-8"))
    metainfo = ET.parse(REPOSITORY / "packaging" / "linux" / "sdfviewer.metainfo.xml").getroot()
    assert manifest["id"] == metainfo.findtext("id")
    (module,) = manifest["modules"]
    named = re.findall(r"desktop/([\w.]+)", " ".join(module["build-commands"]))
    assert named
    assert all((REPOSITORY / "packaging" / "linux" / name).is_file() for name in named)


def test_the_image_takes_the_extras_that_are_there() -> None:
    text = (RECIPES / "Dockerfile").read_text(encoding="utf-8")
    (extras,) = re.findall(r"\.whl\)\[([\w,]+)\]", text)
    assert set(extras.split(",")) <= set(PROJECT["optional-dependencies"])
    for command in re.findall(r"^RUN (.*?)(?<!\\)\n", text, re.DOTALL | re.MULTILINE):
        subprocess.run(["bash", "-n", "-c", command], check=True)


@pytest.mark.skipif(sys.platform == "win32", reason="these packages are not built on Windows")
def test_a_recipe_that_is_not_there_is_refused_at_once() -> None:
    done = subprocess.run(
        [REPOSITORY / "packaging" / "recipes.sh", "snap"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert "no recipe 'snap'" in done.stderr
