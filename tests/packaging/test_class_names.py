"""No two public classes have one name, but for the handles of the library and the two cameras."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import sdfviewer

SHARED = {"Model", "Joint", "Camera"}


def test_the_name_of_a_class_names_one_class() -> None:
    modules = Path(sdfviewer.__file__).parent.rglob("*.py")
    texts = [module.read_text(encoding="utf-8") for module in modules]
    counts = Counter(name for text in texts for name in re.findall(r"^class ([^\W_]\w*)", text, re.MULTILINE))
    assert {name for name, count in counts.items() if count > 1} == SHARED
