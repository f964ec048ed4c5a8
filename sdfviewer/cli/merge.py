"""``sdfviewer merge``: two versions of a file that were made of one, three ways; a merge driver for git."""

from __future__ import annotations

import argparse
from pathlib import Path

from sdfviewer.cli.inputs import CLEAN, FINDINGS, add_path_option, make_loader, read
from sdfviewer.cli.outputs import print_bytes, print_note
from sdfviewer.diagnostics import SdfViewerError
from sdfviewer.document.document import Document, parse_document
from sdfviewer.document.merging import Side, line_changes, merge
from sdfviewer.files.saving import save
from sdfviewer.model.comparison.frames import farthest_first
from sdfviewer.number_text import counted
from sdfviewer.refactoring.unmoved import merged_model

_MARKERS = "markers"
_MINE, _THEIRS, _END = "<<<<<<< mine", "=======", ">>>>>>> theirs"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of this command."""
    add_path_option(parser)
    parser.add_argument("base", metavar="BASE", help="the version that both were made of")
    parser.add_argument("mine", metavar="MINE", help="one version")
    parser.add_argument("theirs", metavar="THEIRS", help="the other version")
    parser.add_argument("--in-place", action="store_true", help="write the result to MINE, not to standard output")
    parser.add_argument(
        "--conflicts",
        choices=(_MARKERS, Side.MINE.value, Side.THEIRS.value, Side.BOTH.value),
        default=_MARKERS,
        help="what becomes of what both have changed: markers as git writes them (default), or whose version is taken; "
        "both where one can be behind the other",
    )
    parser.add_argument(
        "--name", metavar="FILE", help="where the file is, for messages and for what it includes (default: MINE)"
    )
    parser.epilog = (
        "Merges element by element; frames that move in MINE by it are listed on standard error. As a merge driver: "
        "git config merge.sdfviewer.driver 'sdfviewer merge --in-place --name %P %O %A %B', and *.sdf merge=sdfviewer "
        "in .gitattributes. Exit code: 0 merged, 1 conflicts, or a merged text with problems that neither version has, "
        "2 wrong usage or unreadable."
    )


def run(options: argparse.Namespace) -> int:
    """Run the command and return its exit code."""
    if options.in_place and options.mine == "-":
        raise SdfViewerError("standard input cannot be written in place: name a file for MINE")
    base, mine, theirs = (_named(read(each), options) for each in (options.base, options.mine, options.theirs))
    merged = merge(base, mine, theirs)
    wanted = None if options.conflicts == _MARKERS else Side(options.conflicts)
    chosen = [None if wanted is Side.BOTH and not each.can_take_both else wanted for each in merged.conflicts]
    text = merged.text(chosen)
    if None in chosen:
        text = _marked(text, merged.text([each or Side.THEIRS for each in chosen]), mine.newline)
    data = parse_document(text, mine.path, encoding=merged.encoding).to_bytes()
    if options.in_place:
        save(Path(options.mine), data)
    else:
        print_bytes(data)
    decided = iter(chosen)
    for part, _, start in merged.places_in_mine():
        if part.side is Side.CONFLICT and next(decided) is None:
            line, column = mine.position(start)
            print_note(f"{mine.name}:{line}:{column}: conflict: both versions have changed this")
    if None in chosen:
        return FINDINGS
    found = merged_model(merged, mine, theirs, make_loader(options), chosen)
    for difference in () if found.comparison is None else farthest_first(found.comparison.differences()):
        print_note(f"{difference}")
    for problem in found.problems:
        print_note(f"{problem}")
    taken = merged.count(Side.THEIRS)
    print_note(f"merged {counted(taken, 'change')} into {mine.name}, {counted(len(found.problems), 'new problem')}")
    return FINDINGS if found.problems else CLEAN


def _marked(mine: str, theirs: str, newline: str) -> str:
    """Return two texts as one in which the lines that differ are between the markers of git."""
    pieces, at = list[str](), 0
    for change in line_changes(mine, theirs):
        pieces.append(mine[at : change.start])
        for marker, lines in ((_MINE, mine[change.start : change.end]), (_THEIRS, change.text)):
            end = newline if lines and not lines.endswith("\n") else ""
            pieces += (marker, newline, lines, end)
        pieces += (_END, newline)
        at = change.end
    return "".join((*pieces, mine[at:]))


def _named(document: Document, options: argparse.Namespace) -> Document:
    """Return a document as one of the place that the user knows: git hands over temporary files."""
    return document.moved_to(Path(options.name or options.mine).absolute(), None)
