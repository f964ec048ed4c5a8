"""Keep pictures small, and as they are while they show the same.

usage: pictures.py keep NEW.png KEPT.webp    replace KEPT if NEW shows something else; say which
       pictures.py differs NEW.png KEPT.webp exit with 1 if NEW shows something else
       pictures.py sizes FOLDER              exit with 1 if a picture has more than 150 kB
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
from PIL import Image

#: The largest picture that is committed.
MOST_BYTES = 150_000
#: A pixel differs if a channel does by more than this of 255: more than what compression and another driver change.
NOISE = 64
#: The share of pixels that may differ. A letter in a picture of the whole window is about 1e-4 of it.
MOST_DIFFERENT = 5e-5


def pixels(file: Path) -> np.ndarray:
    """Return a picture as (height, width, 3) numbers of 0 to 255, averaged over two by two pixels."""
    with Image.open(file) as picture:
        image = picture.convert("RGB")
    return np.asarray(image.reduce(2), np.int16)


def shows_the_same(new: Path, kept: Path) -> bool:
    """Return whether two pictures differ by no more than noise."""
    if not kept.exists():
        return False
    first, second = pixels(new), pixels(kept)
    if first.shape != second.shape:
        return False
    return bool(np.mean(np.abs(first - second).max(axis=2) > NOISE) <= MOST_DIFFERENT)


def write_small(new: Path, kept: Path) -> None:
    """Write a picture as WebP, as good as fits."""
    with Image.open(new) as picture:
        image = picture.convert("RGB")
    for quality in range(92, 30, -4):
        image.save(kept, quality=quality, method=6)
        if kept.stat().st_size < MOST_BYTES:
            return


def main() -> int:
    """Run one of the commands."""
    match sys.argv[1:]:
        case ["keep", new, kept]:
            if not shows_the_same(Path(new), Path(kept)):
                write_small(Path(new), Path(kept))
                print(f"{kept} is new", file=sys.stderr)
            return 0
        case ["differs", new, kept]:
            same = shows_the_same(Path(new), Path(kept))
            print(f"{kept} {'is up to date' if same else 'shows something else now'}", file=sys.stderr)
            return int(not same)
        case ["sizes", folder]:
            large = [file for file in Path(folder).iterdir() if file.stat().st_size > MOST_BYTES]
            for file in large:
                print(
                    f"{file} has {file.stat().st_size / 1000:.0f} kB; at most {MOST_BYTES / 1000:.0f} are kept",
                    file=sys.stderr,
                )
            return int(bool(large))
    print(__doc__, file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main())
