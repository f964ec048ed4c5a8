"""Edits of URDF and xacro files with all that their bytes may hold: what is not meant stays, undo gives every byte.

Files have CRLF, a DOCTYPE, comments, both quotes, tabs and attributes in any order; the robot is written in literals,
by properties, macros, arguments and a YAML file. Random operations of the library edit it, each saved.
"""

from __future__ import annotations

import random
import re
import tempfile
import warnings
from collections import Counter
from importlib.util import find_spec
from pathlib import Path

import sdfviewer

_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_WHERE: tuple[tuple[str, ...], ...] = ((), ("property",), ("expression",), ("literal",), ("parameter",), ("YAML key",))


def robot_files(rng: random.Random, *, is_xacro: bool) -> dict[str, str]:
    """Return the files of a robot, by name; the first is opened."""
    quote = rng.choice("'\"")
    gap = rng.choice((" ", "\t", "  ", "\n      "))

    def tag(name: str, **values: str) -> str:
        written = [f"{key}={quote}{value}{quote}" for key, value in values.items()]
        rng.shuffle(written)
        return f"<{name}{gap}{gap.join(written)}{rng.choice(('', ' '))}/>"

    def joint(name: str, child: str, parent: str, xyz: str) -> str:
        parts = [tag("parent", link=parent), tag("child", link=child), tag("origin", xyz=xyz, rpy="0  0 -.5")]
        parts += [tag("axis", xyz="0 0 1"), tag("limit", lower="-1", upper="1.0", effort="1", velocity="1")]
        rng.shuffle(parts)
        comment = rng.choice(("", f"<!-- {name} & more -->"))
        inner = "".join(f"\n    {part}" for part in (comment, *parts) if part)
        return f"  <joint type={quote}revolute{quote} name={quote}{name}{quote}>{inner}\n  </joint>\n"

    def link(name: str) -> str:
        inner = rng.choice(("", "<!-- empty -->", "\n  "))
        return f"  <link name={quote}{name}{quote}>{inner}</link>\n"

    if is_xacro:
        xyz = rng.choice(("${length} 0 ${2*height}", "0 ${side*length/2} 0", "${sizes.reach} 0 1e-1", "1 $(arg up) 0"))
        macro_link, base = link("${name}_arm"), link("base")
        macro_joint = joint("${name}_joint", "${name}_arm", "base", xyz)
        body = (
            f"  <xacro:property name={quote}length{quote} value={quote}0.5{quote}/> <!-- metres -->\n"
            "  <xacro:property value='0.25' name='height'/>\n  <xacro:arg default='0.75' name='up'/>\n"
            "  <xacro:property name='sizes' value=\"${xacro.load_yaml('sizes.yaml')}\"/>\n"
            f"  <xacro:macro name='arm' params='name side'>\n{macro_link}"
            f"{macro_joint}  </xacro:macro>\n"
            f"{base}  <xacro:arm side='1' name='left'/>\n  <xacro:arm name='right' side='-1'/>\n"
        )
    else:
        body = "".join(map(link, ("base", "left_arm", "right_arm")))
        body += joint("left_joint", "left_arm", "base", "0.1  0.2 3e-1") + joint(
            "right_joint", "right_arm", "base", "1 2 3"
        )
    head = rng.choice(("", '<?xml version="1.0"?>\n')) + rng.choice(("", "<!DOCTYPE robot>\n", "<!-- first -->\n"))
    space = ' xmlns:xacro="http://www.ros.org/wiki/xacro"' if is_xacro else ""
    body += link("tip") + joint("last", "tip", "base", "0 0 1")
    text = f"{head}<robot name={quote}r{quote}{space}>\n{body}</robot>"
    text += rng.choice(("", "\n", "\n<!-- last -->\n"))
    files = {"r.urdf.xacro" if is_xacro else "r.urdf": text}
    if is_xacro:
        files["sizes.yaml"] = "# sizes\nreach: 1.5  # metres\n"
    newline = rng.choice(("\n", "\r\n"))
    return {name: each.replace("\n", newline) for name, each in files.items()}


def _edit_once(edit: sdfviewer.DocumentEdit, names: list[str], rng: random.Random) -> bool:
    """Make one edit; return whether it removes anything."""
    joint = rng.choice([name for name in names if name.endswith(("joint", "last"))] or ["last"])
    link = rng.choice([name for name in names if name.endswith(("arm", "tip"))] or ["tip"])
    kind = rng.randrange(6)
    if kind == 0:
        edit.set_pose(joint, xyz=[round(rng.uniform(-1, 1), 2) for _ in range(3)])
    elif kind == 1:
        edit.set_property(joint, "axis/limit/upper", rng.choice((2.0, 1.5708, 0.5)))
    elif kind == 2:
        edit.rename(link, f"{link}_new")
    elif kind == 3:
        edit.add_link("new", parent="base", pose=(0, 0, 0.5, 0, 0, 0))
    elif kind == 4:
        edit.add_frame("tool", attached_to=link)
    else:
        edit.remove(joint, with_dependents=True)
        return True
    return False


def attack(seed: int) -> None:
    """Edit a robot some times, save each edit, and undo them all."""
    rng = random.Random(seed)
    is_xacro = rng.random() < 0.6 and find_spec("xacro") is not None
    with tempfile.TemporaryDirectory() as name, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        folder = Path(name)
        files = robot_files(rng, is_xacro=is_xacro)
        for each, text in files.items():
            (folder / each).write_bytes(text.encode())
        document = sdfviewer.open_document(folder / next(iter(files)))
        comments = Counter(_COMMENT.findall(document.text))
        heads = document.text.partition("<robot")[0]
        has_crlf = "\r\n" in document.text
        for _ in range(rng.randrange(1, 5)):
            before = {each: (folder / each).read_bytes() for each in files}
            names = [each.name for each in (*document.model.joints, *document.model.links)]
            try:
                with document.edit() as edit:
                    edit.where = rng.choice(_WHERE)
                    removes = _edit_once(edit, names, rng)
            except sdfviewer.SdfViewerError:
                assert {each: (folder / each).read_bytes() for each in files} == before, "what is refused has written"
                continue
            document.save()
            text = (folder / next(iter(files))).read_bytes().decode()
            assert text == document.text
            assert text.partition("<robot")[0] == heads, "what is before the robot has changed"
            assert not has_crlf or "\n" not in text.replace("\r\n", ""), "a line ends otherwise"
            if not removes:
                missing = comments - Counter(_COMMENT.findall(text))
                assert not missing, f"comments are lost: {missing}"
            comments = Counter(_COMMENT.findall(text))
            assert not any(each.rule.name == "internal-error" for each in document.diagnostics)
        while document.undo() is not None:
            pass
        document.save()
        after = {each: (folder / each).read_bytes() for each in files}
        assert after == {each: text.encode() for each, text in files.items()}, "undo does not give every byte"
