"""``sdfviewer page``: write a model as one web page that anybody can open."""

from __future__ import annotations

import argparse
from pathlib import Path

from sdfviewer.cli.inputs import CLEAN, FINDINGS, add_path_option, load_version, make_finder, make_loader
from sdfviewer.cli.outputs import print_note
from sdfviewer.diagnostics import SdfViewerError
from sdfviewer.export.page import MAX_SIZE, PageModel, write_page
from sdfviewer.extras import required_extras
from sdfviewer.files import saving


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of this command."""
    add_path_option(parser)
    parser.add_argument(
        "-o", "--output", metavar="OUT", type=Path, help="output file (default: beside the file, with .html)"
    )
    parser.add_argument(
        "--max-size",
        metavar="MB",
        type=float,
        default=MAX_SIZE,
        help="draw meshes with fewer triangles where the page would be larger (default: %(default)g)",
    )
    parser.add_argument("a", metavar="FILE", help="a file, or - for standard input; of two, the file as it was")
    parser.add_argument("b", metavar="NEW", nargs="?", help="the file as it is now: the page shows what has changed")
    parser.epilog = (
        "The page is one file that loads nothing from the network: the 3D view, the tree, the sliders of the joints, "
        "why each frame is where it is, the graphs and the problems. It names files without the folders of your disk. "
        "`page OLD NEW` shows before and after, the frames that moved drawn between both; either may be REV:FILE, a "
        "committed version, as in `sdfviewer diff`."
    )


def run(options: argparse.Namespace) -> int:
    """Run the command and return its exit code."""
    name: str = options.b or options.a
    if options.output is None and name == "-":
        raise SdfViewerError("standard input has no name: say with -o where the page is written")
    output: Path = options.output or Path(name.rpartition(":")[2] if options.b else name).with_suffix(".html")
    if options.output is None and output.is_symlink():  # of whoever made the folder
        raise SdfViewerError(f"{output} is a link: say with -o where the page is written")
    loader = make_loader(options)
    subjects = [PageModel(*load_version(options, loader, each)) for each in (options.a, options.b) if each]
    with required_extras():
        page = write_page(subjects[-1], make_finder(options), options.max_size, *subjects[:-1])
    saving.save(output, page.text.encode("utf-8"))
    for problem in page.problems:
        print_note(f"sdfviewer: {problem.sentence}")
    if page.coarser:
        print_note(
            f"sdfviewer: meshes have fewer triangles than in their files, so that the page has {_size(page.text)}"
        )
    print_note(f"sdfviewer: wrote {output} ({_size(page.text)})")
    return FINDINGS if any(diagnostic.is_error for diagnostic in subjects[-1].diagnostics) else CLEAN


def _size(text: str) -> str:
    return f"{len(text) / 1e6:.1f} MB"
