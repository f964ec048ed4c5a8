"""Pages that are made from the program: rules, operations, command line; and copies of two files of the repository."""

from __future__ import annotations

import argparse
import inspect
from contextlib import suppress
from dataclasses import is_dataclass
from enum import Enum
from pathlib import Path

from command_line import command_line_page

import sdfviewer
from sdfviewer.cli.explain import PHASES, format_markdown, format_page, sorted_rules
from sdfviewer.operations.page import operations_page

REPOSITORY = Path(__file__).parent.parent

#: The pages of the API reference: title, what the page is about, and the names on it, in this order.
API_PAGES = {
    "functions": (
        "Functions",
        "Where everything starts.",
        "load check open_document new diff leave_garbage_collector_alone",
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
        "Pose Poses DegreeOfFreedom Sweep LimitReached Contact LinkPair",
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


def write_pages(docs: Path) -> None:
    """Write the generated pages below a folder; a page that is already right is left alone."""
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
        _write(docs / f"{name.lower()}.md", text)


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
                parts += ["", f"## {title}", "", "```xml", file.read_text(encoding="utf-8").rstrip(), "```"]
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
