"""An hour of work in Neovim and in VS Code's client: type, rename, fix and go to, across files.

After every key, each answer about what is outside the element at the caret is as it was, in the file and in those that
include it; after every rename, fix and return, all texts are as they were, byte for byte.
"""

from __future__ import annotations

import random
import shutil
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("pygls", reason="the extra lsp is not installed")

from sdfviewer.document.document import parse_document
from tests.lsp.asked_file import Fact
from tests.lsp.driven_editor import DrivenEditor, DrivenFile, plain
from tests.lsp.test_while_typing import NAME, Place, facts_around, outside, places

NEOVIM, NODE = shutil.which("nvim"), shutil.which("node")
REPOSITORY = Path(__file__).parents[2]
_EXTENSION = REPOSITORY / "packaging" / "vscode"
FILES = {
    "gripper.sdf": """<sdf version="1.10">
  <model name="gripper">  <!-- Größe 🤖 -->
    <link name="palm"><inertial><mass>0.2</mass></inertial></link>
    <link name="finger"><pose relative_to="palm">0 0.02 0.05 0 0 0</pose></link>
    <joint name="slide" type="prismatic"><parent>palm</parent><child>finger</child>
      <axis><xyz expressed_in="palm">0 1 0</xyz><limit><lower>0</lower><upper>0.03</upper></limit></axis></joint>
    <frame name="grip" attached_to="palm"><pose relative_to="finger">0 0 0.1 0 0 0</pose></frame>
  </model>
</sdf>
""",
    "arm.sdf": """<?xml version='1.0'?>\r
<sdf version="1.10">\r
\t<model name='arm'>\r
    <link name="base"><visual name="🦾 shell"><geometry><box><size>1 1 1</size></box></geometry></visual></link>\r
    <link name="upper"><pose relative_to="base">0 0 0.4 0 0 0</pose><inertial><mass>2</mass></inertial></link>\r
    <joint name="shoulder" type="revolute"><parent>base</parent><child>upper</child>\r
      <axis><xyz>0 1 0</xyz><limit><lower>-1</lower><upper>1</upper></limit></axis></joint>\r
    <frame name="flange" attached_to="upper"><pose>0 0 0.3 0 0 0</pose></frame>\r
    <include><uri>gripper.sdf</uri><name>hand</name><pose relative_to="flange">0 0 0 0 0 0</pose></include>\r
    <joint name="mount" type="fixed"><parent>upper</parent><child>hand::palm</child></joint>\r
    <frame name="tool" attached_to="hand::grip"/>\r
  </model>\r
</sdf>\r
""",
    "cell.sdf": """<sdf version="1.10">
  <world name="cell">
    <frame name="bench"><pose>1 0 0.8 0 0 0</pose></frame>
    <include><uri>arm.sdf</uri><name>left</name><pose relative_to="bench">0 0.5 0 0 0 0</pose></include>
    <include><uri>arm.sdf</uri><name>right</name><pose relative_to="bench">0 -0.5 0 0 0 0</pose></include>
    <model name="crate"><link name="box"><inertial><mass>3</mass></inertial></link>
      <frame name="lid" attached_to="box"/></model>
    <frame name="drop" attached_to="left::tool"><pose relative_to="right::hand::grip">0 0 0 0 0 0</pose></frame>
    <joint name="held" type="fixed"><parent>crate::lid</parent><child>left::hand::palm</child></joint>
  </world>
</sdf>
""",
}
#: How a reference is written, and a name.
_REFERENCES = ('relative_to="', 'attached_to="', "<parent>", "<child>")


def open_all(editor: DrivenEditor, folder: Path) -> dict[str, DrivenFile]:
    return {name: editor.open(folder / name) for name in FILES}


def _elements(text: str) -> Iterator[Place]:
    """Yield what may be typed; no comment before other text of its line, which is in the comment until that ends."""
    for place in places(parse_document(text)):
        if not place.keys.startswith("<!--") or not text[place.at :].partition("\n")[0].strip():
            yield place


def problems(files: dict[str, DrivenFile]) -> list[str]:
    """Return what is wrong with all files."""
    return [
        f"{name}: {each.message}" for name, file in files.items() for each in file.ask("textDocument/diagnostic").items
    ]


class Hour:
    """Somebody at work, whose choices a number decides.

    Attributes
    ----------
    done
        How often each thing was done.
    """

    def __init__(self, editor: DrivenEditor, files: dict[str, DrivenFile], seed: int) -> None:
        self.editor = editor
        self.files = files
        self.done: Counter[str] = Counter()
        self._random = random.Random(seed)

    def type(self, keys: int) -> None:
        """Type into elements of all files and delete that again, and compare after each key."""
        todo = [(file, list(_elements(file.text))) for file in self.files.values()]
        for _, kinds in todo:
            self._random.shuffle(kinds)
        end = self.done["keys"] + keys
        while self.done["keys"] < end:
            file, kinds = todo[self.done["elements"] % len(todo)]
            self._type_into(file, kinds[self.done["elements"] // len(todo) % len(kinds)])
            self.done["elements"] += 1

    def _type_into(self, file: DrivenFile, place: Place) -> None:
        before = self.editor.texts()
        pointed = file.pointed()
        around = [at for at in pointed if not place.start <= at <= place.end]
        others = {each: each.pointed() for each in self.files.values() if each is not file}
        far = {each: self._far(each, where) for each, where in others.items()}
        expected = facts_around(iter(list(file.facts(pointed))), place, around)
        file.replace(place.at, place.at + place.removed, "")
        for number, key in enumerate(place.keys):
            file.replace(place.at + number, place.at + number, key)
            self.done["keys"] += 1
            typed = number + 1 - place.removed
            moved = [at if at < place.at else at + typed for at in around]
            found = facts_around(file.facts(moved), place, around, typed, moved)
            shown = f"{file.uri}, typed {place.keys[: number + 1]!r} at {place.at}"
            assert sorted(expected ^ found) == [], shown
            self.done["answers"] += len(found)
            if number in (len(place.keys) // 2, len(place.keys) - 1):
                for each, where in others.items():
                    changed = sorted(far[each] ^ self._far(each, where))
                    assert changed == [], f"{each.uri} while {shown}: {changed}"
                    self.done["answers"] += len(far[each])
        file.replace(place.at, place.at + len(place.keys), before[file.uri][place.at : place.at + place.removed])
        assert self.editor.texts() == before

    def _far(self, file: DrivenFile, pointed: list[int]) -> set[Fact]:
        """Return the answers about a file in which nobody types, but for the new name in lists of choices."""
        nowhere = Place(len(file.text) + 1, "", len(file.text) + 1, len(file.text) + 1)
        return {
            (request, " ".join(each for each in said.split(" ") if NAME not in each), start, end)
            if request == "completion"
            else (request, said, start, end)
            for request, said, start, end in outside(file.facts(pointed), nowhere, 0)
            if NAME not in said or request == "completion"
        }

    def names(self) -> list[tuple[DrivenFile, int]]:
        """Return where each name of the files is declared: those of models, links, joints and frames."""
        return [
            (file, start)
            for file in self.files.values()
            for request, said, start, _ in file.facts([])
            if request == "name" and said.count("::") > 1  # not the root element, nor the world
        ]

    def go(self, file: DrivenFile, at: int) -> set[tuple[str, int]]:
        """Go to the definition of a name and to all its uses, and check that each use leads to the same ones."""
        uses = self._uses(file, at)
        for uri, offset in uses:
            other = self.editor.files[uri]
            defined = other.ask("textDocument/definition", position=other.place(offset))
            there = {(each.uri, self.editor.files[each.uri].positions.offset(
                each.range.start.line, each.range.start.character)) for each in defined}  # fmt: skip
            assert there <= uses, (uri, offset)
            assert len(there) == 1, (uri, offset, there)
            assert self._uses(other, offset) == uses, (uri, offset)
            self.done["go to"] += 1
        return uses

    def _uses(self, file: DrivenFile, at: int) -> set[tuple[str, int]]:
        found = file.ask("textDocument/references", position=file.place(at), context={"includeDeclaration": True})
        return {
            (each.uri, self.editor.files[each.uri].positions.offset(each.range.start.line, each.range.start.character))
            for each in found or ()
        }

    def rename(self, file: DrivenFile, at: int) -> None:
        """Rename what is declared at a place, and back from one of its uses, in another file where there is one."""
        before = self.editor.texts()
        uses = self.go(file, at)
        if not uses:  # names of visuals, which nothing refers to
            return
        end = next(number for number in range(at, len(file.text)) if file.text[number] in "\"'<:")
        old = file.text[at:end]
        self._rename(file, at, "typed_new")
        assert problems(self.files) == []
        renamed = self._uses(file, at)
        assert len(renamed) == len(uses)
        assert sum(text.count("typed_new") for text in self.editor.texts().values()) == len(uses)
        uri, offset = max(renamed, key=lambda use: (use[0] != file.uri, self._random.random()))
        self._rename(self.editor.files[uri], offset, old)
        assert self.editor.texts() == before
        self.done["renames"] += 2
        self.done["files renamed in"] += len({uri for uri, _ in uses})

    def _rename(self, file: DrivenFile, at: int, name: str) -> None:
        edit = file.ask("textDocument/rename", position=file.place(at), newName=name)
        assert edit, f"nothing is renamed at {at} of {file.uri}"
        self.editor.apply(edit)

    def fix(self) -> None:
        """Mistype a reference, and take the preferred fix of the problem."""
        file = self._random.choice(list(self.files.values()))
        found = [
            at + len(word) for word in _REFERENCES for at in range(len(file.text)) if file.text.startswith(word, at)
        ]
        at = self._random.choice(found)
        end = next(number for number in range(at, len(file.text)) if file.text[number] in '"<')
        before = self.editor.texts()
        file.replace(end, end, "x")
        (problem,) = file.ask("textDocument/diagnostic").items[:1]
        actions = file.ask(
            "textDocument/codeAction",
            range={"start": file.place(at), "end": file.place(end + 1)},
            context={"diagnostics": [], "only": ["quickfix"]},
        )
        fitting = [each for each in actions if each.isPreferred] or actions[:1]
        assert fitting, f"no fix of {problem.message}"
        fix = fitting[0]
        if not fix.edit:
            fix = self.editor.ask(file.uri, "codeAction/resolve", plain(fix))
        self.editor.apply(fix.edit)
        assert self.editor.texts() == before, f"{fix.title} of {problem.message}"
        self.done["fixes"] += 1


@pytest.fixture(params=["neovim", "vscode"])
def hour(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Hour]:
    """Three files, of which two include the next one, in an editor."""
    if request.param == "neovim":
        if NEOVIM is None:
            pytest.skip("Neovim is not installed")
        script = Path(__file__).with_name("driver.lua")
        command = [NEOVIM, "--headless", "--clean", "-n", "-c", f"luafile {script}", "-c", "cquit!"]
    else:
        if NODE is None:
            pytest.skip("Node.js is not installed")
        if not (_EXTENSION / "node_modules" / "vscode-languageclient").is_dir():
            pytest.skip("packaging/vscode.sh has not installed the packages of the extension")
        command = [NODE, str(_EXTENSION / "test" / "driver.js")]
    folder = tmp_path / "models"
    folder.mkdir()
    for name, text in FILES.items():
        (folder / name).write_bytes(text.encode())
    editor = DrivenEditor(command, folder)
    try:
        files = open_all(editor, folder)
        assert {name: file.text for name, file in files.items()} == FILES
        assert problems(files) == []
        yield Hour(editor, files, 1)
    finally:
        editor.close()


def work(hour: Hour, keys: int, rounds: int) -> None:
    for _ in range(rounds):
        hour.type(keys // rounds)
        for file, at in hour.names():
            hour.rename(file, at)
        for _ in range(8):
            hour.fix()
    hour.done["requests"] = hour.editor.requests
    print(dict(hour.done))


def test_some_work_in_an_editor(hour: Hour) -> None:
    work(hour, 30, 1)
    assert hour.done["renames"] > 20
    assert hour.done["files renamed in"] > hour.done["renames"] // 2


@pytest.mark.nightly
@pytest.mark.timeout(3600)
def test_an_hour_in_an_editor(hour: Hour) -> None:
    """As many keys as somebody types in an hour who looks at each element; after every hundred, renames and fixes."""
    work(hour, 2000, 20)
    assert hour.done["renames"] > 600
    assert hour.done["fixes"] == 160
