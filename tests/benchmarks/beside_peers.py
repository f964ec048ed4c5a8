"""Poses beside yourdfpy and Pinocchio, as the Markdown table of docs/benchmarks.md.

usage: python -m tests.benchmarks.beside_peers [FILE...]

Processor time, the best of several rounds. Both other programs get the URDF that is written from each file. Pinocchio
computes one configuration a call; its figure is for the joints and frames alone, *read* adds the poses of all links as
arrays, which is what the library returns.
"""

from __future__ import annotations

import os
import platform
import sys
import tempfile
import time
from collections.abc import Callable
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

import sdfviewer
from tests.benchmarks.__main__ import format_seconds
from tests.benchmarks.conftest import ROBOT

ARM = Path(sdfviewer.__file__).parents[1] / "resources" / "examples" / "arm.sdf"
CONFIGURATIONS = 10_000


def measure(run: Callable[[], object], calls: int = 1, rounds: int = 5) -> float:
    """Return the processor time of one call in seconds."""
    best = np.inf
    for _ in range(rounds):
        start = time.process_time()
        for _ in range(calls):
            run()
        best = min(best, (time.process_time() - start) / calls)
    return best


def one_configuration(model: sdfviewer.Model, urdf: str) -> tuple[float, float]:
    """Return the time for the poses of all links at one configuration, here and in yourdfpy."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "robot.urdf"
        file.write_text(urdf, encoding="utf-8")
        robot: Any = import_module("yourdfpy").URDF.load(str(file), load_meshes=False, build_scene_graph=True)
    names = [name for name in robot.actuated_joint_names if name in model.independent_joint_names]
    links = [name for name in model.link_names if name in robot.link_map]
    positions = iter(np.linspace(0.0, 0.01, 100_000))

    def ours() -> object:
        poses = model.poses(dict.fromkeys(names, next(positions)))
        return [poses[name] for name in links]

    def theirs() -> object:
        robot.update_cfg(dict.fromkeys(names, next(positions)))
        return [robot.get_transform(name) for name in links]

    return measure(ours, 20), measure(theirs, 20)


def many_configurations(model: sdfviewer.Model, urdf: str) -> tuple[float, float, float, float]:
    """Return the times for 10 000 configurations: all links and one here, Pinocchio alone, Pinocchio read."""
    pin: Any = import_module("pinocchio")
    other = pin.buildModelFromXML(urdf)
    data = other.createData()
    q = model.random_q(CONFIGURATIONS, seed=0)
    columns = {name: column for column, name in enumerate(model.dof_names)}
    full = np.tile(pin.neutral(other), (CONFIGURATIONS, 1))
    for number in range(1, other.njoints):
        joint, values = other.joints[number], q[:, columns[other.names[number]]]
        at = joint.idx_q
        if joint.nq == 1:
            full[:, at] = values
        else:
            full[:, at : at + 2] = np.stack([np.cos(values), np.sin(values)], axis=1)
    links = [model.link(name)._row for name in model.link_names]
    frames = [other.getFrameId(name) for name in model.link_names]

    def alone() -> None:
        for each in full:
            pin.framesForwardKinematics(other, data, each)

    def read() -> Any:
        X = np.empty((CONFIGURATIONS, len(frames), 4, 4))
        for number, each in enumerate(full):
            pin.framesForwardKinematics(other, data, each)
            for place, frame in enumerate(frames):
                X[number, place] = data.oMf[frame].homogeneous
        return X

    X = model._state.poses(q, links)
    expected = read()
    assert np.allclose(np.linalg.inv(X[:, :1]) @ X, np.linalg.inv(expected[:, :1]) @ expected, atol=1e-9)
    last = model.link_names[-1]
    return (
        measure(lambda: model._state.poses(q, links), rounds=3),
        measure(lambda: model.resolve_pose(last, q=q), rounds=3),
        measure(alone, rounds=3),
        measure(read, rounds=2),
    )


def main() -> None:
    """Print the table."""
    columns = ("robot", "links", "one configuration", "yourdfpy", "10 000, all links", "10 000, one link")
    print(f"| {' | '.join((*columns, 'Pinocchio', 'Pinocchio, read'))} |")
    print("|---|" + "---:|" * 7)
    for file in [Path(name) for name in sys.argv[1:]] or [ARM, ROBOT]:
        model = sdfviewer.load(file)
        urdf = str(model.to_urdf())
        times = [*one_configuration(model, urdf), *many_configurations(model, urdf)]
        print(f"| {model.name} | {len(model.links)} | " + " | ".join(map(format_seconds, times)) + " |")
    versions = ", ".join(f"{name} {version(name)}" for name in ("numpy", "yourdfpy", "pin"))
    print(f"\n{versions}; {os.cpu_count()} cores, {platform.system()}, Python {platform.python_version()}.")


if __name__ == "__main__":
    main()
