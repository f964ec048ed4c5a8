"""Writes the table of Python packages that read robot models: files loaded, poses right, errors with a line.

``packaging/peers.sh`` installs them and runs this. Each file that libsdformat has answered is read by each package in a
process of its own: the generated models and the collection of the repository, or what is in the folders that are named.
Link poses at the initial configuration are compared with libsdformat's, relative to the first link: where a package
puts a whole model is up to that package.
"""

from __future__ import annotations

import json
import os
import queue
import re
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import numpy as np

from sdfviewer import transforms
from tests.agreement.recorded import COLLECTION, GENERATED, Recorded, open_recorded

REPOSITORY = Path(__file__).parents[2]
SECONDS = 60
#: Metres and radians.
TOLERANCE = 1e-6

Poses = dict[str, Any]
#: Reads a file that includes models of some folders, and returns what computes the poses of its links by scoped name.
Read = Callable[[str, list[str]], Callable[[], Poses]]


# --- the packages ----------------------------------------------------------------------------------------------------


def read_with_sdfviewer(file: str, paths: list[str]) -> Callable[[], Poses]:
    """Read a file, and raise its first error."""
    import sdfviewer

    model = sdfviewer.load(file, paths=paths)
    for problem in model.diagnostics:
        if problem.is_error:
            raise ValueError(str(problem))
    return lambda: {link.scoped_name: link.pose for link in model.links}


def read_with_drake(file: str, paths: list[str]) -> Callable[[], Poses]:
    """Read a file into a plant; poses are those of its default context."""
    from pydrake.all import ModelInstanceIndex, MultibodyPlant, Parser

    plant: Any = MultibodyPlant(0.0)
    parser: Any = Parser(plant)
    for folder in paths:
        for package in Path(folder).iterdir():
            if package.is_dir() and not parser.package_map().Contains(package.name):
                parser.package_map().Add(package.name, str(package))
    parser.AddModels(file)
    plant.Finalize()

    def poses() -> Poses:
        context = plant.CreateDefaultContext()
        found: Poses = {}
        for number in range(2, plant.num_model_instances()):
            instance = ModelInstanceIndex(number)
            for index in plant.GetBodyIndices(instance):
                body = plant.get_body(index)
                name = f"{plant.GetModelInstanceName(instance)}::{body.name()}"
                found[name] = plant.EvalBodyPoseInWorld(context, body).GetAsMatrix4()
        return found

    return poses


def read_with_rod(file: str, _paths: list[str]) -> Callable[[], Poses]:
    """Read a file; poses are those of the links of top-level models."""
    import rod
    from rod.kinematics.tree_transforms import TreeTransforms

    models = rod.Sdf.load(file).models()

    def poses() -> Poses:
        found: Poses = {}
        for model in models:
            tree = TreeTransforms.build(model=model)
            found |= {f"{model.name}::{link.name}": tree.transform(name=link.name) for link in model.links()}
        return found

    return poses


def read_with_python_sdformat(file: str, _paths: list[str]) -> Callable[[], Poses]:
    """Read the elements; this package resolves no poses."""
    import pysdf

    pysdf.SDF.from_file(file)
    return dict


def read_with_yourdfpy(file: str, _paths: list[str]) -> Callable[[], Poses]:
    """Read a file; poses are those of the scene graph."""
    import yourdfpy

    robot = yourdfpy.URDF.load(file, load_meshes=False, build_scene_graph=True)
    name = robot.robot.name
    return lambda: {f"{name}::{link}": robot.get_transform(link) for link in robot.link_map}


def read_with_urchin(file: str, _paths: list[str]) -> Callable[[], Poses]:
    """Read a file; poses are those of the forward kinematics at zero."""
    from urchin import URDF

    robot = URDF.load(file, lazy_load_meshes=True)
    return lambda: {f"{robot.name}::{link.name}": X for link, X in robot.link_fk().items()}


@dataclass(frozen=True)
class Package:
    """A package that reads robot models.

    Attributes
    ----------
    read
        Reads a file, or raises what is wrong with it.
    suffixes
        Which files it claims to read.
    resolves
        Whether it knows where links are.
    """

    name: str
    read: Read
    suffixes: tuple[str, ...] = (".sdf", ".world", ".urdf")
    resolves: bool = True


PACKAGES = (
    Package("sdfviewer", read_with_sdfviewer),
    Package("drake", read_with_drake),
    Package("rod", read_with_rod),
    Package("python-sdformat", read_with_python_sdformat, (".sdf", ".world"), resolves=False),
    Package("yourdfpy", read_with_yourdfpy, (".urdf",)),
    Package("urchin", read_with_urchin, (".urdf",)),
)


# --- one process for each package ------------------------------------------------------------------------------------


def work(name: str) -> int:
    """Answer files and folders of models on standard input, one JSON object a line; what a package prints is lost."""
    package = next(each for each in PACKAGES if each.name == name)
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)
    for line in sys.stdin:
        answer: dict[str, Any] = {"poses": {}}
        try:
            poses = package.read(*json.loads(line))
            try:
                answer["poses"] = {key: np.asarray(X).tolist() for key, X in poses().items()}
            except Exception as error:  # it has read the file, but does not know where its links are
                answer["lost"] = str(error)
        except Exception as error:  # whatever a package raises is its answer
            answer["error"] = str(error) or type(error).__name__
        print(json.dumps(answer), file=answers, flush=True)
    return 0


class Reader:
    """A package in a process of its own, which is started again where a file ends it."""

    def __init__(self, package: Package) -> None:
        self._package = package
        self._process: subprocess.Popen[str] | None = None
        self._lines: queue.Queue[str] = queue.Queue()

    def _start(self) -> subprocess.Popen[str]:
        command = [sys.executable, __file__, "--worker", self._package.name]
        process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            encoding="utf-8",
            env={**os.environ, "PYTHONPATH": str(REPOSITORY)},
        )
        lines: queue.Queue[str] = queue.Queue()

        def pump() -> None:
            assert process.stdout is not None
            with process.stdout:
                for line in process.stdout:
                    lines.put(line)
            lines.put("")

        self._pump = threading.Thread(target=pump, daemon=True)
        self._pump.start()
        self._lines = lines
        return process

    def ask(self, file: Path, paths: Sequence[Path] = ()) -> dict[str, Any]:
        """Return the answer to a file that includes models of some folders."""
        process = self._process = self._process or self._start()
        assert process.stdin is not None
        try:
            process.stdin.write(json.dumps([str(file), [str(path) for path in paths]]) + "\n")
            process.stdin.flush()
            line = self._lines.get(timeout=SECONDS)
        except (queue.Empty, BrokenPipeError):
            line = ""
        if not line:
            self.close()
            return {"error": "no answer"}
        answer: dict[str, Any] = json.loads(line)
        return answer

    def close(self) -> None:
        """End the process."""
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.wait()
            assert process.stdin is not None
            with suppress(BrokenPipeError):
                process.stdin.close()
            self._pump.join()


# --- counting --------------------------------------------------------------------------------------------------------


@dataclass
class Counts:
    """What a package makes of the files.

    Attributes
    ----------
    valid, loaded, right
        Files that libsdformat accepts and the package claims to read; those that it loads; those of which all links
        are where libsdformat has them.
    invalid, noticed, placed
        Files that libsdformat rejects; those for which the package reports an error; those with a line in it.
    """

    valid: int = 0
    loaded: int = 0
    right: int = 0
    invalid: int = 0
    noticed: int = 0
    placed: int = 0
    misses: list[str] = field(default_factory=list)


_LINE = re.compile(r":\d+\b|\bline:? \d+|\(\d+, ?\d+\)", re.IGNORECASE)


def count(package: Package, collections: Sequence[Recorded]) -> Counts:
    """Return what a package makes of all files that it claims to read."""
    counts, reader = Counts(), Reader(package)
    asked = (
        (recorded.folder / record["file"], paths, record)
        for recorded in collections
        for paths, records in recorded.batches()
        for record in records
    )
    for file, paths, record in asked:
        if file.suffix.lower() not in package.suffixes:
            continue
        answer = reader.ask(file, paths)
        error = str(answer.get("error", ""))
        if not record["valid"]:
            counts.invalid += 1
            counts.noticed += bool(error)
            counts.placed += bool(_LINE.search(error.replace(str(file), "FILE")))
            continue
        counts.valid += 1
        counts.loaded += not error
        is_right = not error and package.resolves and are_right(record["frames"], answer["poses"])
        counts.right += is_right
        if not is_right:
            why = (error or str(answer.get("lost") or "other poses")).splitlines()[0]
            counts.misses.append(f"{record['file']}: {why}"[:200])
    reader.close()
    return counts


def are_right(frames: list[dict[str, Any]], poses: Poses) -> bool:
    """Return whether all links are where libsdformat has them, relative to the first one."""
    wanted = {each["name"]: _matrix(each["pose"]) for each in frames if each["kind"] == "link" and each["pose"]}
    if not wanted:
        return True
    if not set(wanted) <= set(poses):
        return False
    first = next(iter(wanted))
    for name, X in wanted.items():
        mine = transforms.invert(poses[first]) @ np.asarray(poses[name])
        metres, radians = transforms.pose_error(transforms.invert(wanted[first]) @ X, mine)
        if max(float(metres), float(radians)) > TOLERANCE:
            return False
    return True


def _matrix(pose: list[float]) -> Any:
    return transforms.pose(transforms.quaternion_to_matrix(pose[3:]), pose[:3])


# --- the table -------------------------------------------------------------------------------------------------------


def installed_version(package: Package) -> str:
    """Return the version of a package, empty where it is not installed."""
    try:
        return version(package.name)
    except PackageNotFoundError:
        return "" if package.name != "sdfviewer" else "0"


def format_table(counts: dict[str, Counts], *, short: bool = False) -> str:
    """Return the table in Markdown; the short one leaves out what is in the text of README."""
    titles = ["package", "loaded", "all links in place", "invalid files noticed", "with a line"]
    if short:
        titles.remove("invalid files noticed")
    lines = [f"| {' | '.join(titles)} |", "|---" * len(titles) + "|"]
    for package in PACKAGES:
        if (each := counts.get(package.name)) is None:
            continue
        formats = {(".sdf", ".world"): " (SDFormat)", (".urdf",): " (URDF)"}.get(package.suffixes, "")
        name = package.name if package.name == "sdfviewer" else f"{package.name} {installed_version(package)}"
        cells = {
            "package": name + formats,
            "loaded": f"{each.loaded} of {each.valid}",
            "all links in place": f"{each.right} of {each.valid}" if package.resolves else "no poses",
            "invalid files noticed": f"{each.noticed} of {each.invalid}",
            "with a line": f"{each.placed} of {each.invalid}",
        }
        lines.append(f"| {' | '.join(cells[title] for title in titles)} |")
    return "\n".join(lines)


def replace_section(page: Path, name: str, text: str) -> None:
    """Write a text between the comments ``<!-- name -->`` and ``<!-- /name -->`` of a page."""
    before = page.read_text(encoding="utf-8")
    begin, end = f"<!-- {name} -->\n", f"\n<!-- /{name} -->"
    head, tail = before.index(begin) + len(begin), before.index(end)
    page.write_text(before[:head] + text + before[tail:], encoding="utf-8", newline="\n")


def main(folders: Sequence[str]) -> int:
    """Print the table of the repository's files, or write that of the files in folders into the pages that hold it."""
    counts: dict[str, Counts] = {}
    with tempfile.TemporaryDirectory() as scratch:
        places = [Path(folder) for folder in folders] or [GENERATED, COLLECTION]
        count_all(counts, [open_recorded(place, Path(scratch)) for place in places])
    print(format_table(counts))
    if folders:
        replace_section(REPOSITORY / "docs" / "interoperability.md", "peers", format_table(counts))
        replace_section(REPOSITORY / "README.md", "peers", format_table(counts, short=True))
    return 0


def count_all(counts: dict[str, Counts], collections: Sequence[Recorded]) -> None:
    """Count what each package that is installed makes of the files, and print what it misses."""
    for package in PACKAGES:
        if not installed_version(package):
            print(f"{package.name} is not installed", file=sys.stderr)
            continue
        counts[package.name] = found = count(package, collections)
        for miss in found.misses[:10]:
            print(f"  {package.name}: {miss}", file=sys.stderr)
        print(package.name, found.loaded, found.right, found.valid, found.placed, found.invalid, file=sys.stderr)


if __name__ == "__main__":
    sys.exit(work(sys.argv[2]) if sys.argv[1:2] == ["--worker"] else main(sys.argv[1:]))
