"""Files and folders that may not be read or written, for a user to whom that means something."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.fuel_server import BOX, fuel_server
from tests.other_user import readable_folder, run_command, run_python

MODEL = '<sdf version="1.9">\n  <model name="m">\n    <link name="a"/>\n  </model>\n</sdf>\n'
DENIED = os.strerror(errno.EACCES)


@pytest.fixture
def folder() -> Iterator[Path]:
    with readable_folder() as made:
        (made / "a.sdf").write_text(MODEL, encoding="utf-8")
        yield made


def locked(folder: Path, name: str, mode: int) -> Path:
    """Return a folder with a file in it that has some permissions."""
    made = folder / name
    made.mkdir()
    (made / "b.sdf").write_text(MODEL, encoding="utf-8")
    (made / "b.sdf").chmod(0o666)
    made.chmod(mode)
    return made


def test_a_folder_that_may_not_be_read_is_named(folder: Path) -> None:
    locked(folder, "closed", 0)
    locked(folder, "listed", 0o444)
    done = run_command(["check", str(folder)], folder)
    assert done.err.splitlines() == [
        f"sdfviewer: cannot read {folder / 'closed'}: {DENIED}",
        f"sdfviewer: cannot read {folder / 'listed' / 'b.sdf'}: {DENIED}",
        "1 file: no problems found; 2 files cannot be read",
    ]
    assert done.code == 2


def test_a_file_that_may_not_be_read_is_named(folder: Path) -> None:
    (folder / "a.sdf").chmod(0)
    done = run_command(["check", str(folder / "a.sdf")], folder)
    assert f"cannot read {folder / 'a.sdf'}: {DENIED}" in done.err
    assert done.code == 2


def test_what_a_file_includes_and_nobody_may_read_is_a_problem_of_it(folder: Path) -> None:
    closed = locked(folder, "closed", 0)
    include = f"<include><uri>{closed / 'b.sdf'}</uri></include>"
    (folder / "a.sdf").write_text(MODEL.replace("<link", f"{include}\n    <link"), encoding="utf-8")
    done = run_command(["check", "a.sdf"], folder)
    assert "a.sdf:3:" in done.out
    assert done.code == 1
    assert "Traceback" not in done.err


def test_a_folder_that_may_not_be_written_keeps_its_file(folder: Path) -> None:
    """The file itself may be written; a save puts another one in its place, which the folder forbids."""
    path = locked(folder, "fixed", 0o555) / "b.sdf"
    done = run_command(["edit", "--rename", "m::a=b", "--in-place", str(path)], folder)
    assert done.code == 2
    assert str(path) in done.err
    assert DENIED in done.err
    assert path.read_text(encoding="utf-8") == MODEL
    assert [each.name for each in path.parent.iterdir()] == ["b.sdf"]


def test_a_save_that_is_refused_keeps_the_text(folder: Path) -> None:
    path = locked(folder, "fixed", 0o555) / "b.sdf"
    code = f"""
import sdfviewer
document = sdfviewer.open_document({str(path)!r})
with document.edit() as edit:
    edit.rename("m::a", "b")
try:
    document.save()
except sdfviewer.SdfViewerError as error:
    print(error)
print("b" in [each.name for each in document.model.links], document.is_modified)
"""
    done = run_python(code, folder)
    assert done.err == ""
    assert str(path) in done.out
    assert done.out.splitlines()[-1] == "True True"


def test_an_output_folder_that_may_not_be_written_is_named(folder: Path) -> None:
    fixed = locked(folder, "fixed", 0o555)
    for words in (["-o", str(fixed / "out.urdf")], ["--bundle", str(fixed / "out")]):
        done = run_command(["convert", "--to", "urdf", *words, "a.sdf"], folder)
        assert done.code == 2, done
        assert str(fixed) in done.err
        assert "Traceback" not in done.err


def test_a_cache_that_may_not_be_written_is_named(folder: Path) -> None:
    pytest.importorskip("httpx", reason="the extra fuel is not installed")
    cache = locked(folder, "cache", 0o555)
    with fuel_server() as server:
        server.offer()
        uri = f"<include><uri>{server.base}{BOX}</uri></include>"
        (folder / "w.sdf").write_text(f'<sdf version="1.9"><world name="w">{uri}</world></sdf>', encoding="utf-8")
        code = "from sdfviewer.cli import main; sys.exit(main(['fetch', '--yes', 'w.sdf']))"
        environment = {"GZ_FUEL_CACHE_PATH": str(cache)}
        done = run_python(code, folder, modules=["httpx", "httpcore", "encodings.idna"], environment=environment)
    assert f"cannot write into {cache}: {DENIED}" in done.err
    assert done.code in (1, 2)
    assert "Traceback" not in done.err
    assert [each.name for each in cache.iterdir()] == ["b.sdf"]


def homeless(folder: Path, mode: int) -> dict[str, str]:
    """Return variables of a user whose home has some permissions, and who has no other folders."""
    home = folder / "home"
    home.mkdir()
    home.chmod(mode)
    return {
        "HOME": str(home),
        "XDG_RUNTIME_DIR": "",
        **{name: str(home / name) for name in ("XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_DATA_HOME")},
    }


@pytest.mark.parametrize("mode", [0o555, 0])
def test_folders_of_the_program_that_may_not_be_written(folder: Path, mode: int) -> None:
    """A home that may not be written, or not even looked into, keeps nobody from working with files elsewhere."""
    code = """
from sdfviewer.cli import main
codes = [main(words) for words in (["check", "a.sdf"], ["frames", "a.sdf"], ["convert", "--to", "urdf", "a.sdf"])]
sys.exit(max(codes))
"""
    done = run_python(code, folder, environment=homeless(folder, mode))
    assert done.code == 0, done
    assert "Traceback" not in done.err


def test_unsaved_work_that_cannot_be_kept_is_said(folder: Path) -> None:
    code = f"""
import sdfviewer
document = sdfviewer.open_document({str(folder / "a.sdf")!r}, recovery=True)
with document.edit() as edit:
    edit.rename("m::a", "b")
print([each.name for each in document.model.links])
"""
    done = run_python(code, folder, environment=homeless(folder, 0o555))
    assert f"unsaved work cannot be recovered after a crash: cannot create {folder / 'home'}" in done.err
    assert done.out.splitlines() == ["['b']"]


def test_decisions_about_xacro_that_cannot_be_kept_last_as_long_as_the_program(folder: Path) -> None:
    pytest.importorskip("xacro", reason="the extra xacro is not installed")
    (folder / "a.xacro").write_text('<robot name="r" xmlns:xacro="http://www.ros.org/wiki/xacro"/>', encoding="utf-8")
    code = f"""
from sdfviewer.files.opening import open_document
from sdfviewer.formats.xacro.decisions import Answer, Decisions
document = open_document({str(folder / "a.xacro")!r})
decided = Decisions("")
decided.decide([document], Answer.FILE)
print(decided.may_evaluate(document), Decisions("").may_evaluate(document))
"""
    done = run_python(code, folder, environment=homeless(folder, 0o555))
    assert (done.out.strip(), done.err) == ("True False", "")


def test_folders_of_the_environment_that_may_not_be_looked_into_hold_nothing(folder: Path) -> None:
    closed = locked(folder, "closed", 0) / "inside"
    include = "<include><uri>package://p/b.sdf</uri></include>"
    (folder / "a.sdf").write_text(MODEL.replace("<link", f"{include}\n    <link"), encoding="utf-8")
    environment = dict.fromkeys(("AMENT_PREFIX_PATH", "ROS_PACKAGE_PATH", "SDF_PATH"), str(closed)) | {
        "HOME": str(folder)
    }
    done = run_command(["assets", "a.sdf"], folder, environment=environment)
    assert "package://p/b.sdf" in done.out, done.err
    assert "internal error" not in done.err
    code = "from sdfviewer.files.finder import Finder; print(Finder().model_folders)"
    assert run_python(code, folder, environment=environment).out == "()\n"
