"""Compare the copies of headings and marked lines in this folder with the documents of the specification.

usage: python -m tests.specification FOLDER

``FOLDER`` holds the documents of http://sdformat.org/tutorials as text files.
"""

from __future__ import annotations

import sys
from pathlib import Path

from tests.specification.headings import HEADINGS
from tests.specification.marked_lines import MARKED, marked_lines
from tests.specification.statements import COMPOSITION, COMPOSITION_LEGACY, FRAMES, FRAMES_LEGACY, KINEMATICS

FILES = {
    "model-kinematics.md": KINEMATICS,
    "pose-frame-semantics-proposal.md": FRAMES,
    "pose-frame-semantics-legacy.txt": FRAMES_LEGACY,
    "model-composition-proposal.txt": COMPOSITION,
    "model-composition-legacy.txt": COMPOSITION_LEGACY,
}


def differences(name: str, text: str) -> list[str]:
    """Return what the copies have of a document and its text has not, and the other way round."""
    lines = {line.lstrip("#").strip() for line in text.replace("`", "").splitlines()}
    found = [f"no heading: {heading}" for heading in HEADINGS[name] if heading not in lines]
    here, there = MARKED.get(name, ()), marked_lines(text)
    found += [f"not marked so: {xml}" for xml, valid in here if (xml, valid) not in there]
    return found + [f"not copied: {xml}" for xml, valid in there if (xml, valid) not in here]


def main() -> int:
    """Print what differs, and return 0 where nothing does."""
    if len(sys.argv) != 2 or not Path(sys.argv[1]).is_dir():
        print(__doc__, file=sys.stderr)
        return 2
    status = 0
    for file, name in FILES.items():
        for difference in differences(name, (Path(sys.argv[1]) / file).read_text(encoding="utf-8")):
            print(f"{file}: {difference}")
            status = 1
    return status


if __name__ == "__main__":
    sys.exit(main())
