"""What closes a loop is answered by one forest: nothing else makes one, or joins bodies by itself."""

from __future__ import annotations

import inspect
import re
from pathlib import Path

import sdfviewer

#: What asks for the forest of a model: kinematics keep theirs, the others are of all joints, movable or not.
ASKING = {"graphs/graph_build.py", "gui/tree/listing.py", "model/kinematics/forward.py"}


def test_no_other_module_spans_the_joints() -> None:
    root = Path(inspect.getfile(sdfviewer)).parent
    texts = {file.relative_to(root).as_posix(): file.read_text(encoding="utf-8") for file in root.rglob("*.py")}
    made = {name for name, text in texts.items() if re.search(r"\bSpanningForest\(\)", text)}
    asked = {
        name for name, text in texts.items() if re.search(r"kinematics\.tree import (\([^)]*|[^\n]*)\bspan\b", text)
    }
    by_hand = {name for name, text in texts.items() if re.search(r"loop_joints(\.append| *[+:]?=|: list)", text)}
    assert made == {"model/kinematics/tree.py"}
    assert asked == ASKING
    assert by_hand <= {"model/kinematics/tree.py", "model/kinematics/forward.py"}
