"""The files that introduce the program to a desktop."""

from __future__ import annotations

import configparser
import shutil
import subprocess
from pathlib import Path

import pytest
from lxml import etree

import sdfviewer

LINUX = Path(__file__).parents[2] / "packaging" / "linux"
MIME = "{http://www.freedesktop.org/standards/shared-mime-info}"


def test_the_menu_entry_opens_the_types_that_are_declared() -> None:
    entry = configparser.ConfigParser(interpolation=None)
    entry.read(LINUX / "sdfviewer.desktop", encoding="utf-8")
    opened = set(entry["Desktop Entry"]["MimeType"].strip(";").split(";"))
    declared = {kind.get("type") for kind in etree.parse(LINUX / "sdfviewer.xml").iter(f"{MIME}mime-type")}
    assert opened == declared


def test_the_menu_entry_starts_a_program_that_is_installed() -> None:
    pyproject = (LINUX.parents[1] / "pyproject.toml").read_text(encoding="utf-8")
    entry = configparser.ConfigParser(interpolation=None)
    entry.read(LINUX / "sdfviewer.desktop", encoding="utf-8")
    program = entry["Desktop Entry"]["Exec"].split()[0]
    assert f"{program} = " in pyproject.split("[project.gui-scripts]")[1]


def test_a_thumbnail_is_made_of_the_types_that_are_declared() -> None:
    entry = configparser.ConfigParser(interpolation=None)
    entry.read(LINUX / "sdfviewer.thumbnailer", encoding="utf-8")
    declared = {kind.get("type") for kind in etree.parse(LINUX / "sdfviewer.xml").iter(f"{MIME}mime-type")}
    assert set(entry["Thumbnailer Entry"]["MimeType"].strip(";").split(";")) == declared


@pytest.mark.skipif(shutil.which("appstreamcli") is None, reason="appstreamcli is not installed")
def test_software_centres_can_read_what_the_program_says_of_itself() -> None:
    command = ["appstreamcli", "validate", "--no-net", str(LINUX / "sdfviewer.metainfo.xml")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
    assert sdfviewer.__version__ in (LINUX / "sdfviewer.metainfo.xml").read_text(encoding="utf-8")
