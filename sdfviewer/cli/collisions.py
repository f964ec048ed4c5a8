"""``sdfviewer collisions``: list the links that collide at joint positions or during a motion."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

import numpy as np

from sdfviewer.cli.frames import configuration
from sdfviewer.cli.inputs import (
    CLEAN,
    FINDINGS,
    add_joint_option,
    add_path_option,
    load_model,
    make_finder,
    make_loader,
    parse_positions,
    read,
)
from sdfviewer.cli.motions import Motion, add_motion_options, has_motion, note_sweep, read_motion
from sdfviewer.cli.outputs import print_line, print_note
from sdfviewer.diagnostics import SdfViewerError
from sdfviewer.display_text import json_text
from sdfviewer.model.kinematics.forward import Kinematics
from sdfviewer.model.kinematics.sweeps import DEFAULT_SAMPLES, MOST_SAMPLES

if TYPE_CHECKING:
    from sdfviewer.scene.collision.contacts import LinkContact


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of this command."""
    add_path_option(parser)
    add_joint_option(parser)
    add_motion_options(parser)
    parser.add_argument(
        "--samples",
        metavar="N",
        type=int,
        help=f"number of configurations to test; the start of each collision is refined between them "
        f"(default: {DEFAULT_SAMPLES}, or the lines of --motion)",
    )
    parser.add_argument(
        "--hulls",
        action="store_true",
        help="use the convex hulls of meshes, as Drake and MuJoCo do, instead of their triangles",
    )
    parser.add_argument("--neighbours", action="store_true", help="also test links that a joint connects")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("file", metavar="FILE", help="a file, or - for standard input")


def run(options: argparse.Namespace) -> int:
    """Run the command and return its exit code."""
    from sdfviewer.scene.collision.checker import CollisionChecker
    from sdfviewer.scene.collision.contacts import contacts_along
    from sdfviewer.scene.loader import MeshLoader

    if options.samples is not None and not 2 <= options.samples <= MOST_SAMPLES:
        raise SdfViewerError(f"--samples {options.samples}: expected a number from 2 to {MOST_SAMPLES}")
    model, _ = load_model(make_loader(options), read(options.file))
    kinematics = Kinematics(model)
    q = configuration(kinematics, parse_positions(options.joint))
    motion: Motion | None = None
    if has_motion(options):
        samples = options.samples or (DEFAULT_SAMPLES if options.motion is None else None)
        motion = read_motion(options, kinematics, q, samples)
        if motion.sweep is not None:
            note_sweep(motion.sweep)
    elif options.samples is not None:
        raise SdfViewerError("--samples needs --sweep or --motion")
    checker = CollisionChecker(
        kinematics, MeshLoader(make_finder(options)), hulls=options.hulls, neighbours=options.neighbours
    )
    for problem in checker.problems:
        print_note(f"sdfviewer: {problem.sentence}")
    places, configurations = (np.zeros(1), q[None]) if motion is None else (motion.places, motion.q)
    contacts = contacts_along(checker, places, configurations)
    if options.json:
        print(json_text(_as_json(options.file, checker.shape_count, motion, contacts)))
    else:
        for contact in contacts:
            print_line(_as_text(motion, contact))
        links = f"{checker.shape_count} collision{'s' if checker.shape_count != 1 else ''} tested"
        print_note(f"sdfviewer: {len(contacts)} pair{'s' if len(contacts) != 1 else ''} of links collide; {links}")
    return FINDINGS if contacts else CLEAN


def _as_json(file: str, tested: int, motion: Motion | None, contacts: tuple[LinkContact, ...]) -> dict[str, Any]:
    along = None if motion is None else {"name": motion.name, "unit": motion.unit}
    pairs: list[dict[str, Any]] = []
    for contact in contacts:
        pair: dict[str, Any] = {"first": contact.first, "second": contact.second}
        if motion is not None:
            pair |= {"from_start": contact.from_start, "intervals": [list(each) for each in contact.intervals]}
        pairs.append(pair)
    return {"file": file, "collisions_tested": tested, "along": along, "pairs": pairs}


def _as_text(motion: Motion | None, contact: LinkContact) -> str:
    pair = f"{contact.first} and {contact.second} collide"
    if motion is None:
        return pair
    parts = [f"{begin:.6g} to {end:.6g}" for begin, end in contact.intervals]
    where = f"{motion.name} = {', '.join(parts)} {motion.unit}"
    return f"{pair} at {where}" + (" (from the start)" if contact.from_start else "")
