"""The public surface is exactly what is written down, costs nothing to import, and does nothing to its host."""

from __future__ import annotations

import inspect
import subprocess
import sys
from pathlib import Path

import pytest

import sdfviewer
from sdfviewer.document.element import NameElsewhere

LIST = Path(__file__).with_name("public_surface.txt")


def surface() -> list[str]:
    """Return every public name, with the public members of classes that this package defines."""
    lines = []
    for name in sorted(sdfviewer.__all__):
        thing = getattr(sdfviewer, name)
        lines.append(name)
        if inspect.isclass(thing):
            bases = [base for base in thing.__mro__ if base.__module__.startswith("sdfviewer")]
            held = {each: value for base in bases for each, value in vars(base).items()}
            members = {each for each, value in held.items() if not isinstance(value, NameElsewhere)}
            members |= set(getattr(thing, "__dataclass_fields__", ()))
            lines += [f"{name}.{each}" for each in sorted(members) if not each.startswith("_")]
    return lines


def test_the_public_surface_is_what_the_list_says() -> None:
    """To change it on purpose, write `surface()` to the list: python -m tests.library.test_surface."""
    assert surface() == LIST.read_text(encoding="utf-8").splitlines()


def test_a_former_name_still_works_and_says_what_it_is_called_now() -> None:
    with pytest.warns(DeprecationWarning, match=r"sdfviewer\.Thing is now sdfviewer\.ElementHandle"):
        assert sdfviewer.Thing is sdfviewer.ElementHandle  # type: ignore[attr-defined]


def test_everything_public_has_a_docstring() -> None:
    classes = [thing for name in sdfviewer.__all__ if inspect.isclass(thing := getattr(sdfviewer, name))]
    missing = [
        f"{thing.__name__}.{name}"
        for thing in classes
        for name, member in vars(thing).items()
        if not name.startswith("_")
        and (isinstance(member, property) or inspect.isfunction(member))
        and not inspect.getdoc(member)
    ]
    assert missing == []
    assert all(inspect.getdoc(thing) for thing in classes)


def test_the_declared_types_are_those_that_are_imported() -> None:
    source = Path(sdfviewer.__file__).read_text(encoding="utf-8")
    declared = {line.split(" as ")[-1] for line in source.splitlines() if line.startswith("    from sdfviewer.")}
    assert declared | {"__version__"} == set(sdfviewer.__all__)
    for name, module in sdfviewer._MODULES.items():
        assert f"    from sdfviewer.{module} import {name} as {name}" in source


def test_importing_the_package_imports_nothing_else() -> None:
    code = (
        "import sys; before = set(sys.modules); import sdfviewer; "
        "print(sorted(m for m in set(sys.modules) - before if m.startswith(('sdfviewer', 'numpy', 'lxml', 'PySide'))))"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert result.stdout.strip() == "['sdfviewer']"


def test_a_script_needs_neither_qt_nor_networkx() -> None:
    code = (
        "import sys, sdfviewer; m = sdfviewer.load(sys.argv[1]); m.poses(); m.mass; m.links[0].visuals; "
        "m.resources; m.to_urdf(); "
        "d = sdfviewer.open_document(sys.argv[1]); e = d.edit(); "
        "print([n for n in ('PySide6', 'networkx', 'OpenGL', 'PIL') if n in sys.modules])"
    )
    arm = Path(__file__).parents[2] / "resources" / "examples" / "arm.sdf"
    result = subprocess.run([sys.executable, "-c", code, str(arm)], capture_output=True, text=True, check=True)
    assert result.stdout.strip() == "[]"


@pytest.mark.parametrize(("wrong", "right"), [("lod", "load"), ("loaad", "load"), ("Bx", "Box"), ("validate", "check")])
def test_a_wrong_name_names_the_right_one(wrong: str, right: str) -> None:
    with pytest.raises(AttributeError, match=right):
        getattr(sdfviewer, wrong)


_READ = """
import gc, sys
import sdfviewer
thresholds, calls = gc.get_threshold(), []
for name in ("disable", "enable", "freeze", "unfreeze", "collect", "set_threshold"):
    setattr(gc, name, lambda *_, name=name, real=getattr(gc, name): (calls.append(name), real(*_))[1])
if sys.argv[2] == "alone":
    sdfviewer.leave_garbage_collector_alone()
sdfviewer.load(sys.argv[1])
document = sdfviewer.open_document(sys.argv[1])
with document.edit() as edit:
    edit.rename("base", "foot")
assert sdfviewer.check(sys.argv[1]) == ()
assert gc.isenabled()
assert gc.get_threshold() == thresholds
print(*sorted(set(calls)))
"""


@pytest.mark.parametrize(("how", "calls"), [("paused", ["disable", "enable"]), ("alone", [])])
def test_reading_pauses_the_garbage_collector_unless_told_not_to(examples: Path, how: str, calls: list[str]) -> None:
    command = [sys.executable, "-c", _READ, str(examples / "arm.sdf"), how]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout.split() == calls


if __name__ == "__main__":
    LIST.write_text("\n".join(surface()) + "\n", encoding="utf-8", newline="\n")
