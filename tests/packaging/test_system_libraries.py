"""Missing libraries and the packages that hold them."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

SCRIPT = Path(__file__).parents[2] / "packaging" / "system_libraries.py"


@pytest.fixture
def libraries() -> ModuleType:
    spec = importlib.util.spec_from_file_location("system_libraries", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def on_a_bare_machine(libraries: ModuleType, monkeypatch: pytest.MonkeyPatch, *missing: str) -> None:
    monkeypatch.setattr(libraries, "needed_by_qt", lambda: set(missing))
    monkeypatch.setattr(libraries, "loads", lambda name: False)
    monkeypatch.setattr(libraries, "has_a_font", lambda: False)


@pytest.mark.parametrize(
    ("manager", "expected"),
    [
        ("apt-get", {"libegl1", "libgl1", "libopengl0", "libxcb-cursor0", "libgl1-mesa-dri", "fonts-dejavu-core"}),
        ("zypper", {"libEGL1", "libGL1", "libOpenGL0", "libxcb-cursor0", "Mesa-dri", "dejavu-fonts"}),
        ("pacman", {"libglvnd", "xcb-util-cursor", "mesa", "ttf-dejavu"}),
    ],
)
def test_a_bare_machine_gets_all_it_needs(
    libraries: ModuleType, monkeypatch: pytest.MonkeyPatch, manager: str, expected: set[str]
) -> None:
    on_a_bare_machine(libraries, monkeypatch, "libxcb-cursor.so.0")
    assert set(libraries.missing_packages(manager)) == expected


def test_a_library_that_nobody_knows_is_named(
    libraries: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    on_a_bare_machine(libraries, monkeypatch, "libquux.so.7")
    libraries.missing_packages("apt-get")
    assert "libquux.so.7" in capsys.readouterr().err


def test_every_library_has_a_package_for_every_manager(libraries: ModuleType) -> None:
    assert {len(packages) for packages in libraries.PACKAGES.values()} == {len(libraries.MANAGERS)}
