"""Writes docs/interoperability.md: which models load elsewhere with their geometry, from bundles written here.

Run it where mujoco, pydrake and yourdfpy are installed: ``python -m tests.peers.interoperability``, with
``SDFVIEWER_CORPUS=FOLDER`` for the models of a folder. Each model with meshes, all of which are there, is written as a
bundle and loaded by each program in a process of its own.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path

from sdfviewer.diagnostics import SdfViewerError
from sdfviewer.export.bundle import Bundle, bundle_mjcf, bundle_urdf
from sdfviewer.files.finder import Finder
from sdfviewer.files.uris import AssetKind
from sdfviewer.formats.load import load_model
from sdfviewer.model.kinds import Kind
from sdfviewer.model.model import Model
from sdfviewer.scene.assets import find_assets
from tests.corpus import corpus_files, corpus_folder, model_folders
from tests.peers.loading import replace_section

REPOSITORY = Path(__file__).parents[2]
PROGRAMS = ("MuJoCo (MJCF)", "MuJoCo (URDF)", "Drake (URDF)", "yourdfpy (URDF)")
SECONDS = 120


def load_in_mujoco(file: str) -> int:
    """Return how many geometries MuJoCo has read."""
    import mujoco

    return int(mujoco.MjModel.from_xml_path(file).ngeom)


def load_in_drake(file: str) -> int:
    """Return how many geometries Drake has read."""
    from pydrake.all import AddMultibodyPlantSceneGraph, DiagramBuilder, Parser

    builder = DiagramBuilder()
    plant, scene = AddMultibodyPlantSceneGraph(builder, 0.0)
    Parser(plant).AddModels(file)  # type: ignore[arg-type]
    plant.Finalize()
    return int(scene.model_inspector().num_geometries())


def load_in_yourdfpy(file: str) -> int:
    """Return how many geometries yourdfpy has read: the parts of a mesh file count each."""
    import yourdfpy

    robot = yourdfpy.URDF.load(
        file, load_collision_meshes=True, build_collision_scene_graph=True, force_collision_mesh=False
    )
    return sum(len(scene.graph.nodes_geometry) for scene in (robot.scene, robot.collision_scene))


LOADERS = {
    "MuJoCo (MJCF)": load_in_mujoco,
    "MuJoCo (URDF)": load_in_mujoco,
    "Drake (URDF)": load_in_drake,
    "yourdfpy (URDF)": load_in_yourdfpy,
}


def candidates() -> list[tuple[Path, Model, Finder]]:
    """Return the models of the corpus that have meshes, all of which are there."""
    found: list[tuple[Path, Model, Finder]] = []
    for file in corpus_files(".sdf", ".urdf", ".xacro"):
        paths = model_folders(file)
        finder = Finder(paths)
        try:
            model = load_model(file, paths=paths)
        except SdfViewerError:
            continue
        if model.is_world or not any(kind is Kind.LINK for kind in model.kinds):
            continue
        meshes = [asset for asset in find_assets(model, finder, read=False) if asset.kind is AssetKind.MESH]
        if meshes and not any(asset.path is None for asset in meshes):
            found.append((file, model, finder))
    return found


def answer(program: str, file: Path) -> str:
    """Return what a program says to a file: how many geometries, or why not."""
    command = [sys.executable, __file__, program, str(file)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, check=False)
    except subprocess.TimeoutExpired:
        return f"no answer within {SECONDS} s"
    lines = [line for line in done.stdout.splitlines() if line.startswith("{")]
    if not lines:
        return f"it ended with {done.returncode}"
    reply = json.loads(lines[-1])
    return str(reply["count"]) if "count" in reply else str(reply["error"]).splitlines()[0][:110]


def bundles(model: Model, finder: Finder, folder: Path) -> dict[str, Path]:
    """Write the bundles of a model and return their files."""
    made: dict[str, Path] = {}
    for name, write in (("mjcf", bundle_mjcf), ("urdf", bundle_urdf)):
        bundle: Bundle = write(model, finder, folder / name, "relative", "obj")
        bundle.write(folder / name)
        made[name] = folder / name / bundle.name
    return made


def main() -> int:
    """Write the section."""
    rows: list[tuple[str, int, list[str]]] = []
    for file, model, finder in candidates():
        with tempfile.TemporaryDirectory() as folder:
            try:
                made = bundles(model, finder, Path(folder))
                answers = [answer(program, made["mjcf" if "MJCF" in program else "urdf"]) for program in PROGRAMS]
            except SdfViewerError as error:
                answers = [f"not written: {error}"] * len(PROGRAMS)
        shapes = sum(kind in (Kind.VISUAL, Kind.COLLISION) for kind in model.kinds)
        rows.append((file.relative_to(corpus_folder()).as_posix(), shapes, answers))
        print(rows[-1], flush=True)
    replace_section(REPOSITORY / "docs" / "interoperability.md", "bundles", format_page(rows))
    return 0


def format_page(rows: list[tuple[str, int, list[str]]]) -> str:
    """Return the section of the page."""
    loaded = [sum(answers[column].isdigit() for _, _, answers in rows) for column in range(len(PROGRAMS))]
    summary = ", ".join(f"{program}: {count} of {len(rows)}" for program, count in zip(PROGRAMS, loaded, strict=True))
    lines = [
        "Models with all their meshes, written by `convert --bundle DIR --to mjcf|urdf --meshes obj` and loaded",
        "by other programs as they are. *Shapes* are the visuals and collisions of the model. A number says how many",
        "geometries were read, where yourdfpy counts the parts of a mesh file; else it says why not. It is written by",
        "`python -m tests.peers.interoperability`.",
        "",
        f"{summary}.",
        "",
        f"| model | shapes | {' | '.join(PROGRAMS)} |",
        f"|---|---|{'---|' * len(PROGRAMS)}",
    ]
    for name, shapes, answers in rows:
        cells = (text.replace("|", "\\|") for text in answers)
        lines.append(f"| `{name}` | {shapes} | {' | '.join(cells)} |")
    return "\n".join(lines)


def reply(program: str, file: str) -> int:
    """Print what a program says to a file."""
    try:
        print(json.dumps({"count": LOADERS[program](file)}))
    except Exception as error:  # whatever the other program raises is the answer
        print(json.dumps({"error": str(error) or type(error).__name__}))
    return 0


if __name__ == "__main__":
    sys.exit(reply(*sys.argv[1:]) if len(sys.argv) > 2 else main())
