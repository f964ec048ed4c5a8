"""Keep pictures small, and as they are while they show the same.

usage: pictures.py keep KEPT.webp NEW.png...    replace KEPT if NEW shows something else; say which
       pictures.py differs KEPT.webp NEW.png... exit with 1 if NEW shows something else
       pictures.py sizes FOLDER                 exit with 1 if a picture is too large

Several new pictures are one that moves.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from PIL import Image, ImageSequence

#: The largest picture that is committed, and the largest that moves.
MOST_BYTES, MOST_BYTES_MOVING = 150_000, 1_500_000
#: How long each picture of a moving one stays, in ms.
STAYS = 2200
#: A pixel differs if a channel does by more than this of 255: more than what compression and another driver change.
NOISE = 64
#: The share of pixels that may differ. A letter in a picture of the whole window is about 1e-4 of it.
MOST_DIFFERENT = 5e-5


def frames(file: Path) -> list[Image.Image]:
    """Return the pictures of a file: one, or those of one that moves."""
    with Image.open(file) as picture:
        return [each.convert("RGB") for each in ImageSequence.Iterator(picture)]


def is_same(first: Image.Image, second: Image.Image) -> bool:
    """Return whether two pictures differ by no more than noise; pixels are averaged two by two."""
    if first.size != second.size:
        return False
    before, after = (np.asarray(each.reduce(2), np.int16) for each in (first, second))
    return bool(np.mean(np.abs(before - after).max(axis=2) > NOISE) <= MOST_DIFFERENT)


def shows_the_same(kept: Path, new: Sequence[Path]) -> bool:
    """Return whether a file shows what new pictures show."""
    if not kept.exists():
        return False
    before, after = frames(kept), [frame for each in new for frame in frames(each)]
    return len(before) == len(after) and all(map(is_same, before, after))


def write_small(kept: Path, new: Sequence[Path]) -> None:
    """Write pictures as WebP, as good as fits."""
    first, *others = [frame for each in new for frame in frames(each)]
    moving = {"save_all": True, "append_images": others, "duration": STAYS, "loop": 0} if others else {}
    for quality in range(92, 30, -4):
        first.save(kept, quality=quality, method=6, **moving)
        if kept.stat().st_size < (MOST_BYTES_MOVING if others else MOST_BYTES):
            return


def is_too_large(file: Path) -> bool:
    """Return whether a picture has more bytes than its kind may have."""
    size = file.stat().st_size
    return size > MOST_BYTES and (size > MOST_BYTES_MOVING or len(frames(file)) == 1)


def main() -> int:
    """Run one of the commands."""
    match sys.argv[1:]:
        case ["keep", kept, *new] if new:
            if not shows_the_same(Path(kept), [*map(Path, new)]):
                write_small(Path(kept), [*map(Path, new)])
                print(f"{kept} is new", file=sys.stderr)
            return 0
        case ["differs", kept, *new] if new:
            same = shows_the_same(Path(kept), [*map(Path, new)])
            print(f"{kept} {'is up to date' if same else 'shows something else now'}", file=sys.stderr)
            return int(not same)
        case ["sizes", folder]:
            large = [file for file in Path(folder).iterdir() if is_too_large(file)]
            for file in large:
                print(f"{file} is too large", file=sys.stderr)
            return int(bool(large))
    print(__doc__, file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main())
