"""``sdfviewer fetch``: download the missing models on Fuel that a file references."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from sdfviewer.cli.inputs import CLEAN, FINDINGS, add_path_option, load_model, make_loader, read
from sdfviewer.cli.outputs import print_line, print_note
from sdfviewer.extras import MissingExtraError
from sdfviewer.files.fuel import FuelClient, FuelError, FuelOffer
from sdfviewer.files.installed import FuelModel
from sdfviewer.scene.assets import missing_on_fuel

#: A downloaded model may name others, which are downloaded in turn, so many times.
_MOST_ROUNDS = 10


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of this command."""
    add_path_option(parser)
    parser.add_argument("--dry-run", action="store_true", help="list missing models without downloading them")
    parser.add_argument("--yes", action="store_true", help="do not ask before downloading")
    parser.add_argument("file", metavar="FILE", help="a file, or - for standard input")


def run(options: argparse.Namespace) -> int:
    """Run the command and return its exit code: 1 where something is still missing."""
    loader = make_loader(options)
    document = read(options.file)
    client: FuelClient | None = None
    failed: set[FuelModel] = set()
    arrived: set[FuelModel] = set()
    try:
        for _ in range(_MOST_ROUNDS):
            model, _diagnostics = load_model(loader, document)
            missing = [each for each in missing_on_fuel(model, loader.finder) if each not in failed]
            for empty in arrived.intersection(missing):
                failed.add(empty)
                print_note(f"sdfviewer: {empty}: what was downloaded holds no model")
            missing = [each for each in missing if each not in failed]
            if not missing:
                break
            client = client or _client(missing)
            offers = _describe(client, missing, failed)
            if options.dry_run or not offers or not (options.yes or _agreed(offers)):
                return FINDINGS
            for offer in offers:
                _download(client, offer, failed)
                arrived.add(offer.model)
            loader.finder.forget()
    finally:
        if client is not None:
            client.close()
    return FINDINGS if failed else CLEAN


def _client(missing: Sequence[FuelModel]) -> FuelClient:
    """Return the client of Fuel; without its package the missing models are only listed."""
    try:
        return FuelClient()
    except MissingExtraError:
        for model in missing:
            print_line(f"{model} from {model.server}")
        raise


def _describe(client: FuelClient, models: Sequence[FuelModel], failed: set[FuelModel]) -> list[FuelOffer]:
    offers: list[FuelOffer] = []
    for model in models:
        try:
            offer = client.describe(model)
        except FuelError as error:
            failed.add(model)
            print_note(f"sdfviewer: {error}")
            continue
        offers.append(offer)
        size = "size unknown" if offer.size is None else f"{offer.size:,} bytes"
        print_line(f"{model} version {offer.version} from {model.server}: {size}, licence {offer.licence}")
    return offers


def _agreed(offers: Sequence[FuelOffer]) -> bool:
    """Ask at the terminal; return whether the user agrees to the downloads."""
    if not sys.stdin.isatty():
        print_note("sdfviewer: use --yes to download these")
        return False
    size = sum(offer.size or 0 for offer in offers)
    answer = input(f"Download {len(offers)} model{'' if len(offers) == 1 else 's'}, {size:,} bytes? [y/N] ")
    return answer.strip().lower() in ("y", "yes")


def _download(client: FuelClient, offer: FuelOffer, failed: set[FuelModel]) -> None:
    try:
        print_line(f"{offer.model} → {client.download(offer)}")
    except FuelError as error:
        failed.add(offer.model)
        print_note(f"sdfviewer: {error}")
