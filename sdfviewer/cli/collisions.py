"""``sdfviewer collisions``: list the links that collide at joint positions or during a motion."""

from __future__ import annotations

import argparse
from pathlib import Path
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
from sdfviewer.cli.inputs.motions import Motion, add_motion_options, has_motion, note_sweep, read_motion
from sdfviewer.cli.outputs import print_line, print_note
from sdfviewer.diagnostics import SdfViewerError
from sdfviewer.display_text import json_text
from sdfviewer.model.kinematics.forward import Kinematics
from sdfviewer.model.kinematics.motion import DEFAULT_CONFIGURATIONS, DEFAULT_SAMPLES, MOST_SAMPLES

if TYPE_CHECKING:
    from sdfviewer.scene.contacts import LinkContact


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
    parser.add_argument(
        "--srdf",
        metavar="FILE",
        type=Path,
        help="write the pairs of links that never collide into this SRDF of MoveIt as <disable_collisions>, with "
        f"reasons; --samples configurations are tested, sweeps and random ones (default: {DEFAULT_CONFIGURATIONS})",
    )
    parser.add_argument("--diff", action="store_true", help="with --srdf, print what would change and write nothing")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("file", metavar="FILE", help="a file, or - for standard input")


def run(options: argparse.Namespace) -> int:
    """Run the command and return its exit code."""
    from sdfviewer.scene.collisions import CollisionChecker
    from sdfviewer.scene.contacts import contacts_along
    from sdfviewer.scene.loader import MeshLoader

    if options.samples is not None and not 2 <= options.samples <= MOST_SAMPLES:
        raise SdfViewerError(f"--samples {options.samples}: expected a number from 2 to {MOST_SAMPLES}")
    if options.srdf is not None and (has_motion(options) or options.joint or options.json or options.neighbours):
        raise SdfViewerError("--srdf tests configurations of its own: it takes --samples, --hulls and --diff only")
    model, _ = load_model(make_loader(options), read(options.file))
    kinematics = Kinematics(model)
    if options.srdf is not None:
        return _write_pairs(options, kinematics)
    if options.diff:
        raise SdfViewerError("--diff needs --srdf")
    q = configuration(kinematics, parse_positions(options.joint))
    motion: Motion | None = None
    if has_motion(options):
        samples = options.samples or (DEFAULT_SAMPLES if options.motion is None else None)
        motion = read_motion(options, kinematics, q, samples)
        if motion.sweep is not None:
            note_sweep(motion.sweep)
    elif options.samples is not None:
        raise SdfViewerError("--samples needs --sweep, --motion or --srdf")
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


def _write_pairs(options: argparse.Namespace, kinematics: Kinematics) -> int:
    """Write the pairs of links that need no test into an SRDF."""
    from sdfviewer.document.line_difference import unified_diff
    from sdfviewer.files import saving
    from sdfviewer.files.opening import open_document
    from sdfviewer.formats.srdf import read_semantics
    from sdfviewer.refactoring.new_elements import disable_collisions, new_semantics, wrongly_disabled
    from sdfviewer.scene.contacts import find_pairs
    from sdfviewer.scene.loader import MeshLoader

    path: Path = options.srdf
    document = open_document(path) if path.exists() else new_semantics(kinematics.model.local_names[0])
    found = find_pairs(
        kinematics,
        MeshLoader(make_finder(options)),
        options.samples or DEFAULT_CONFIGURATIONS,
        hulls=options.hulls,
    )
    if found.problems:
        raise SdfViewerError(f"{found.problems[0]}; without all meshes it is not known what never collides")
    edit = disable_collisions(document, found.pairs)
    text = document.edited(edit.replacements).text
    if options.diff:
        print(unified_diff(str(path), document.text if path.exists() else "", text), end="")
    else:
        after = document.edited(edit.replacements)
        saving.save(path, after.to_bytes(), document.fingerprint, tell=print_note)
    wrong = wrongly_disabled(read_semantics(document), found.colliding)
    for pair in wrong:
        place = document.span(pair.element)
        print_line(f"{path}:{place.line}: {pair.first} and {pair.second} are disabled as 'Never', and collide")
    print_note(f"sdfviewer: {path}: {edit.label}; {found.configurations} configurations tested")
    return FINDINGS if wrong else CLEAN


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
