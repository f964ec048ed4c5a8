"""``sdfviewer assets``: list every file that a model references, found or missing."""

from __future__ import annotations

import argparse
import shutil
from pathlib import Path
from typing import Any

from sdfviewer.cli.inputs import CLEAN, FINDINGS, add_path_option, load_model, make_loader, read
from sdfviewer.cli.outputs import print_note, print_text
from sdfviewer.cli.outputs.report import path_advice
from sdfviewer.diagnostics import SdfViewerError
from sdfviewer.display_text import json_text, visible
from sdfviewer.files.finder import Finder
from sdfviewer.files.uris import AssetKind
from sdfviewer.scene.assets import Asset, find_assets
from sdfviewer.scene.copied_files import copied_files


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of this command."""
    add_path_option(parser)
    parser.add_argument("--json", action="store_true", help="print one JSON object per line for each referenced file")
    parser.add_argument("--copy", metavar="DIR", type=Path, help="copy the files and folders found into a new folder")
    parser.add_argument("file", metavar="FILE", help="a file, or - for standard input")


def run(options: argparse.Namespace) -> int:
    """Run the command and return its exit code: 1 where something is not found or cannot be read."""
    loader = make_loader(options)
    model, _ = load_model(loader, read(options.file))
    assets = find_assets(model, loader.finder)
    for asset in assets:
        print_text(json_text(_as_json(asset)) if options.json else "\n".join(map(visible, _lines(asset))))
    if options.copy is not None:
        count = _copy(assets, options.copy, loader.finder)
        print_note(f"{count} file{'' if count == 1 else 's'} copied into {options.copy}")
    return FINDINGS if any(asset.problem for asset in assets) else CLEAN


def _as_json(asset: Asset) -> dict[str, Any]:
    span = asset.document.span(asset.element, asset.part)
    return {
        "kind": asset.kind.value,
        "uri": asset.uri,
        "file": span.path,
        "line": span.line,
        "path": None if asset.path is None else str(asset.path),
        "size": asset.size,
        "triangles": asset.triangles,
        "submesh": asset.submesh or None,
        "used_by": None if asset.used_by is None else str(asset.used_by),
        "problem": asset.problem or None,
        "near": asset.near or None,
        "found_in": asset.found_in or None,
        "only_here": asset.only_here or None,
        "tried": [str(path) for path in asset.tried],
    }


def _lines(asset: Asset) -> list[str]:
    span = asset.document.span(asset.element, asset.part)
    line = f"{span.path}:{span.line}: {asset.kind} {asset.uri}"
    if asset.path is None:
        if not asset.problem:
            return [f"{line} (not checked)"]
        near = f"; did you mean {asset.near}?" if asset.near else ""
        lines = [f"{line}: {asset.problem}{near}", *(f"    tried {place}" for place in asset.tried)]
        return [*lines, f"    {path_advice(asset.found_in)}"] if asset.found_in else lines
    size = "" if asset.size is None else f", {asset.size:,} bytes"
    triangles = "" if asset.triangles is None else f", {asset.triangles:,} triangles"
    problem = f": {asset.problem}" if asset.problem else ""
    only_here = f": other programs do not find it: {asset.only_here}" if asset.only_here else ""
    return [f"{line} → {asset.path}{size}{triangles}{problem}{only_here}"]


def _is_copied(asset: Asset) -> bool:
    """Return whether an asset is a file, or the folder that a material script names."""
    return asset.path is not None and (asset.path.is_file() or asset.kind is AssetKind.SCRIPT)


def _copy(assets: list[Asset], folder: Path, finder: Finder) -> int:
    """Copy files and folders into a new folder, each below the name of the folder it is in; return how many files.

    Raises
    ------
    SdfViewerError
        If the folder is not empty, or a file cannot be copied.
    """
    if folder.exists() and any(folder.iterdir()):
        raise SdfViewerError(f"{folder} is not empty")
    taken: set[str] = set()
    count = 0
    try:
        for source, asset in {asset.path: asset for asset in assets if _is_copied(asset)}.items():
            assert source is not None
            try:
                # The files of a folder are listed first: the copy may be inside it.
                inside = copied_files(asset, finder)
            except SdfViewerError as error:
                print_note(f"sdfviewer: {error}")
                continue
            target = folder / source.parent.name / source.name
            number = 2
            while str(target).casefold() in taken:  # on some systems Mesh.stl and mesh.stl are one file
                target = folder / f"{source.parent.name}_{number}" / source.name
                number += 1
            taken.add(str(target).casefold())
            for file in inside:
                copy = target / file.relative_to(source)
                copy.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(file, copy)
            count += len(inside)
    except OSError as error:
        raise SdfViewerError(f"cannot copy into {folder}: {error.strerror or error}") from error
    return count
