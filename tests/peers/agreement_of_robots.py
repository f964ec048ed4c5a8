"""Writes a table of docs/interoperability.md: what other programs find in real robots that are written for them.

Run it where mujoco, drake, pin and yourdfpy are installed, with ``SDFVIEWER_CORPUS=FOLDER`` for the robots of a folder:
``python -m tests.peers.agreement_of_robots``. Each robot is written as a bundle and loaded by each program, which
compares poses at 20 random configurations, mass, centre of mass, inertia and shapes with the source.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from sdfviewer.diagnostics import SdfViewerError
from sdfviewer.export.bundle import make_bundle
from sdfviewer.export.verification import Verification, verify_steps
from sdfviewer.files.finder import Finder
from sdfviewer.files.opening import open_document
from sdfviewer.formats.load import Loader
from tests.corpus import corpus_folder, model_folders
from tests.peers.loading import replace_section

PAGE = Path(__file__).parents[2] / "docs" / "interoperability.md"
#: The ends of the paths of ten robots of different makers.
ROBOTS = (
    "anymal_c_simple_description/urdf/anymal.urdf",
    "cassie_description/robots/cassie_v2.sdf",
    "robots/panda_description/urdf/panda.urdf",
    "sdf/iiwa14_no_collision.sdf",
    "urdf/dual_iiwa14_polytope_collision.urdf",
    "models/standard_vtol/model.sdf",
    "fanuc_description/urdf/fanuc.urdf",
    "osrf+gazebo_models/pr2/model.sdf",
    "laikago_description/urdf/laikago.urdf",
    "iiwa_description/urdf/iiwa14_spheres_dense_elbow_collision.urdf",
)
COLUMNS = (("mjcf", "mujoco"), ("urdf", "mujoco"), ("urdf", "drake"), ("urdf", "pinocchio"), ("urdf", "yourdfpy"))


def verified(file: Path, target: str, program: str) -> Verification:
    """Return what a program makes of a robot that is written for it."""
    loader = Loader(Finder(model_folders(file)))
    model = loader.load(open_document(file))
    assert model is not None
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary) / "robot"
        try:
            bundle = make_bundle(model, loader, target, folder, "relative", "obj")
        except SdfViewerError as error:
            return Verification(program, message=str(error))
        bundle.write(folder)
        return verify_steps(program, folder / bundle.name, model, bundle.steps)


def cell(found: Verification) -> str:
    """Return what a program finds, in a few words."""
    if found.message:
        return found.message[:90].replace("|", "\\|")
    far = f"{max(found.metres, found.radians):.0e}"
    return "; ".join(found.differences) if found.differences else f"agrees ({far}; {found.mass:.0e} kg)"


def main() -> int:
    """Write the section."""
    versions: dict[str, str] = {}
    rows = []
    for end in ROBOTS:
        file = next(path for path in corpus_folder().rglob(Path(end).name) if path.as_posix().endswith(end))
        found = [verified(file, target, program) for target, program in COLUMNS]
        versions |= {each.program: each.version for each in found}
        rows.append(f"| `{file.relative_to(corpus_folder()).as_posix()}` | {' | '.join(map(cell, found))} |")
        print(rows[-1], flush=True)
    heads = [f"{program} {versions[program]} ({target.upper()})" for target, program in COLUMNS]
    lines = [f"| robot | {' | '.join(heads)} |", f"|---|{'---|' * len(COLUMNS)}", *rows]
    replace_section(PAGE, "agreement", "\n".join(lines))
    return 0


if __name__ == "__main__":
    sys.exit(main())
