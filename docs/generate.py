"""Pages that are made from the program: rules, operations, command line; and copies of two files of the repository."""

from __future__ import annotations

import argparse
import inspect
import json
import re
from contextlib import suppress
from dataclasses import is_dataclass
from enum import Enum
from html import escape
from pathlib import Path

from command_line import command_line_page

import sdfviewer
from sdfviewer.cli.explain import PHASES, format_markdown, format_page, sorted_rules
from sdfviewer.operations.table import operations_page

REPOSITORY = Path(__file__).parent.parent
EXAMPLES = REPOSITORY / "resources" / "examples"

#: The pages of the API reference: title, what the page is about, and the names on it, in this order.
API_PAGES = {
    "functions": (
        "Functions",
        "Where everything starts.",
        "load check open_document new diff show leave_garbage_collector_alone",
    ),
    "models": (
        "Models and worlds",
        "What a file means. A model never changes, unless it is that of a document.",
        "Model World NestedModel Handles ConvertedText",
    ),
    "things": (
        "Links, joints, frames",
        "Handles of what is in a model. Each has everything of `ElementHandle`.",
        "ElementHandle Frame Link Joint JointAxis Mimic Visual Collision Sensor Light Actor ChainStep",
    ),
    "motion": (
        "Poses and motion",
        "Poses as arrays, joint positions, sweeps and collisions.",
        "Pose Poses DegreeOfFreedom Sweep LimitReached Reach Contact LinkPair",
    ),
    "geometry": (
        "Shapes and materials",
        "What visuals and collisions consist of, in metres.",
        "Geometry Box Sphere Cylinder Capsule Ellipsoid Cone Plane Polyline FileGeometry Mesh Heightmap "
        "HeightmapTexture Image Empty Triangles Material MaterialScript Pbr",
    ),
    "contents": (
        "Contents",
        "Records of what is written, in metres, radians and kilograms.",
        "Inertial Limits Dynamics Surface VisualContents CollisionContents SensorContents Camera Lidar Scan "
        "LightContents ActorContents Animation Waypoint Plugin Physics SceneSettings Environment",
    ),
    "editing": (
        "Documents and edits",
        "A file with its history, and the edits of one undo step.",
        "EditableDocument DocumentEdit MovedFrame Recovery",
    ),
    "problems": (
        "Problems, places and files",
        "What is wrong with a file, where, and how to fix it; differences of two models; files that a model names.",
        "Diagnostic Severity Rule Related Edge Fix Replacement Span Element FrameDifference Change PropertyDifference "
        "PropertyChange Aspect Resource",
    ),
    "errors": (
        "Errors",
        "Exceptions are for files that cannot be read, and for misuse. All are `SdfViewerError`s.",
        "SdfViewerError UnreadableFileError UnknownNameError AmbiguousNameError GoneError InvalidValueError "
        "UnresolvedPoseError UnknownInertiaError EditError SaveError ChangedOnDiskError MissingExtraError "
        "InternalError",
    ),
}
#: Classes whose members are on their own page, or belong to Python or NumPy.
_FOREIGN = {
    **dict.fromkeys(("Link", "Joint"), "Frame"),
    **dict.fromkeys(("Frame", "Visual", "Collision", "Sensor", "Light", "Actor"), "ElementHandle"),
    **dict.fromkeys(("Handles", "LinkPair"), "tuple"),
    "World": "Model",
    "NestedModel": "Members",
    "Pose": "ndarray",
    "ConvertedText": "str",
    "Poses": "Mapping",
}


#: The models of the gallery, by file of the examples, with what to try.
_GALLERY = {
    "arm.sdf": "Drag the sliders under *Joints*, click a part, and read why it is where it is.",
    "parity_legacy_numbers.sdf": "The same numbers in both conventions: choose *As URDF reads it*, then *Both*.",
    "parity_relative_to.sdf": "The same arm with `relative_to` written: both conventions agree.",
    "double_pendulum.sdf": "Two joints without limits.",
    "nested_gripper.sdf": "A model in a model: scoped names and a placement frame.",
    "world_frames.sdf": "A world that is laid out with frames.",
}
_CYCLE = "relative_to_cycle.sdf"


#: What a test of the rule expects at a line.
_EXPECTED = re.compile(r"^[ \t]*<!-- expect: .*? -->\n|[ \t]*<!-- expect: .*? -->", re.MULTILINE)


def write_pages(docs: Path) -> None:
    """Write the generated pages below a folder; a page that is already right is left alone."""
    _write_gallery(docs)
    _write(docs / "command-line.md", command_line_page())
    _write(docs / "operations.md", operations_page())
    for page in API_PAGES:
        _write(docs / "api" / f"{page}.md", _api_page(page))
    rules = docs / "rules"
    for rule in sorted_rules():
        _write(rules / f"{rule.name}.md", _rule_page(rule.name, format_page(rule)))
    _write(rules / "index.md", _rule_index())
    for name in ("CONTRIBUTING", "CHANGELOG"):
        text = (REPOSITORY / f"{name}.md").read_text(encoding="utf-8").replace("](docs/", "](")
        text = text.replace("](CHANGELOG.md)", "](changelog.md)")
        _write(docs / f"{name.lower()}.md", text)


def _write_gallery(docs: Path) -> None:
    """Write the web pages of some examples, and the page that shows them."""
    titles = {each["file"]: each["title"] for each in json.loads((EXAMPLES / "index.json").read_text(encoding="utf-8"))}
    parts = [
        "# Gallery",
        "",
        "Each of these is [a page](pages.md) that sdfviewer has written: one file, which needs no server.",
    ]

    def show(name: str, title: str, text: str, html: str) -> None:
        _write(docs / "gallery_pages" / "models" / f"{name}.html", html)
        frame = f'<iframe class="model" title="{escape(title)}" loading="lazy" src="models/{name}.html"></iframe>'
        alone = f'<a href="models/{name}.html">Open it alone</a>'
        parts.extend(["", f"## {title}", "", f"{text} {alone}.", "", frame])

    for file, text in _GALLERY.items():
        show(Path(file).stem, titles[file], text, sdfviewer.load(EXAMPLES / file).to_html())
    document, broken = sdfviewer.open_document(EXAMPLES / _CYCLE), sdfviewer.load(EXAMPLES / _CYCLE)
    with document.edit() as edit:
        edit.fix(broken.diagnostics[0].fixes[0])
    text = "A cycle of `relative_to`, and what its quick fix makes of it: *Before*, *After*, *Both*."
    show("cycle_fixed", "A cycle and its fix", text, document.model.to_html(before=broken))
    _write(docs / "gallery.md", "\n".join([*parts, ""]))


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        path.write_text(text, encoding="utf-8")


def _api_page(page: str) -> str:
    """Return a page of the API reference, which Sphinx fills from the docstrings."""
    title, text, names = API_PAGES[page]
    parts = [f"# {title}", "", text]
    for name in names.split():
        thing = getattr(sdfviewer, name)
        parts += ["", f"## {name}", "", "```{eval-rst}"]
        if not inspect.isclass(thing):
            parts += [f".. autofunction:: sdfviewer.{name}"]
        else:
            is_made_by_users = is_dataclass(thing) or name == "Pose"
            signature = "" if is_made_by_users else "()"  # what sdfviewer itself passes is not for users
            parts += [f".. autoclass:: sdfviewer.{name}{signature}", "   :members:", "   :member-order: bysource"]
            inherited = _FOREIGN.get(name, "Exception" if issubclass(thing, Exception) else "object")
            if not issubclass(thing, (Exception, Enum)):
                parts += [f"   :inherited-members: {inherited}"]
        parts += ["```"]
    return "\n".join([*parts, ""])


def _rule_page(name: str, page: str) -> str:
    """Return a rule's manual page with the files of the tests that break it and keep it."""
    heading, _, text = page.partition("\n\n")
    code = heading.partition("(")[2].removesuffix(")")
    parts = [f"# {name}", "", f"*{code}*", "", text.replace("``", "`").rstrip()]
    folder = REPOSITORY / "tests" / "rules" / name
    for title, stem in (("Breaks the rule", "bad"), ("Keeps the rule", "good")):
        file = next((each for each in sorted(folder.glob(f"{stem}.*")) if each.suffix in (".sdf", ".urdf")), None)
        if file is not None and file.stat().st_size < 3000:
            with suppress(UnicodeDecodeError):
                text = _EXPECTED.sub("", file.read_text(encoding="utf-8"))
                parts += ["", f"## {title}", "", "```xml", text.rstrip(), "```"]
    return "\n".join([*parts, ""])


def _rule_index() -> str:
    table = format_markdown()
    for rule in sorted_rules():
        table = table.replace(f"| `{rule.name}` |", f"| [`{rule.name}`]({rule.name}.md) |")
    toctree = ["```{toctree}", ":hidden:", "", *(rule.name for rule in sorted_rules()), "```"]
    text = (
        f"One problem for each cause, in {len(PHASES)} groups. `sdfviewer explain RULE` prints a page in the terminal."
    )
    return "\n".join(["# Rules", "", text, "", table, "", *toctree, ""])


if __name__ == "__main__":
    argparse.ArgumentParser(description=__doc__).parse_args()
    write_pages(Path(__file__).parent)
