"""How much processor time it takes to read n of something, 2n and 4n: a table that shows what does not grow in step.

Some rows run a command instead. The last columns of the others add the quick fixes of all problems, as
``check --json`` does, and an editor that asks for the code actions of a whole file.

``python -m tests.attack.scaling`` prints the table of docs/reliability.md; with names only those rows.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import redirect_stderr, redirect_stdout, suppress
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from sdfviewer.cli import main as run_command
from sdfviewer.document.document import parse_document
from sdfviewer.formats.load import Loader
from sdfviewer.language.actions import quick_fixes
from sdfviewer.refactoring.fix_offers import offer_fixes
from sdfviewer.scene.meshes import MeshFileError, SideFiles, read_mesh_file
from tests.attack.faults import model
from tests.attack.figures import write_table
from tests.large import chain_of_links, world_of_models


@dataclass(frozen=True)
class Growth:
    """Something that a file may hold n of.

    Attributes
    ----------
    name
        In words.
    count
        The smallest n.
    make
        Returns the text of a file with n of it.
    suffix
        Of a mesh file; empty for SDFormat and URDF.
    command
        A command that is given the file, where that is measured instead.
    """

    name: str
    count: int
    make: Callable[[int], str]
    suffix: str = ""
    command: tuple[str, ...] = ()


def _each(count: int, make: Callable[[int], str]) -> str:
    return "".join(map(make, range(count)))


def _frames(attached_to: Callable[[int], str]) -> Callable[[int], str]:
    return lambda count: model(
        '<link name="l"/>' + _each(count, lambda i: f'<frame name="frame_{i}" attached_to="{attached_to(i)}"/>')
    )


def _massless(count: int) -> str:
    links = _each(count + 1, lambda i: f'<link name="l{i}"/>')
    joint = '<joint name="j{0}" type="revolute"><parent link="l{0}"/><child link="l{1}"/><axis xyz="0 0 1"/></joint>'
    return f'<robot name="r">{links}{_each(count, lambda i: joint.format(i, i + 1))}</robot>'


def _unknown_links(count: int) -> str:
    links = _each(count, lambda i: f'<link name="link_{i}"/>')
    joint = '<joint name="j{0}" type="fixed"><parent link="lonk_{0}"/><child link="lunk_{0}"/></joint>'
    return f'<robot name="r">{links}{_each(count, joint.format)}</robot>'


def _links_with_options(count: int) -> str:
    link = (
        '<link name="l{0}"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/>'
        '</inertial><visual><geometry><box size="1 1 1"/></geometry></visual><collision><geometry><box size="1 1 1"/>'
        '</geometry></collision></link><gazebo reference="l{0}"><mu1>0.2</mu1><sensor name="s{0}" type="imu"/></gazebo>'
    )
    joint = '<joint name="j{0}" type="fixed"><parent link="l0"/><child link="l{1}"/></joint>'
    return f'<robot name="r">{_each(count, link.format)}{_each(count - 1, lambda i: joint.format(i, i + 1))}</robot>'


def _links_to_align(count: int) -> str:
    shape = '<{0}><origin xyz="{1} 0 0"/><geometry><box size="{2} 1 1"/></geometry></{0}>'
    shapes = shape.format("visual", 0, 1) + shape.format("collision", 0.5, 2) + shape.format("visual", 3, 1)
    links = _each(count, lambda i: f'<link name="l{i}">{shapes}</link>')
    joints = _each(
        count - 1, lambda i: f'<joint name="j{i}" type="fixed"><parent link="l0"/><child link="l{i + 1}"/></joint>'
    )
    return f'<robot name="r">{links}{joints}</robot>'


def _missing_meshes(count: int) -> str:
    mesh = "<geometry><mesh><uri>meshes/{0}.dae</uri></mesh></geometry>"
    visuals = _each(count, lambda i: f'<visual name="v{i}">{mesh.format(i)}</visual>')
    return model(f'<link name="l">{visuals}</link>')


def _geometry(content: str) -> str:
    return model(f'<link name="l"><visual name="v"><geometry>{content}</geometry></visual></link>')


def _polyline(count: int) -> str:
    angles = np.arange(count) * (2 * np.pi / count)
    radii = 5 + 0.1 * (np.arange(count) % 7)
    points = zip((radii * np.cos(angles)).tolist(), (radii * np.sin(angles)).tolist(), strict=True)
    written = "".join(f"<point>{x:.6f} {y:.6f}</point>" for x, y in points)
    return _geometry(f"<polyline><height>1</height>{written}</polyline>")


def _obj_face(count: int) -> str:
    angles = np.arange(count) * (2 * np.pi / count)
    radii = 5 + 0.1 * (np.arange(count) % 7)
    points = zip((radii * np.cos(angles)).tolist(), (radii * np.sin(angles)).tolist(), strict=True)
    return "".join(f"v {x:.6f} {y:.6f} 0\n" for x, y in points) + "f " + " ".join(map(str, range(1, count + 1))) + "\n"


GROWTHS = (
    Growth("frames in a chain", 10_000, _frames(lambda i: f"frame_{i - 1}" if i else "l")),
    Growth("names that find nothing", 4_000, _frames(lambda i: f"missing_{i}")),
    Growth("names that find nothing, all alike", 4_000, _frames(lambda i: f"frame_x{i}")),
    Growth("cycles of two frames", 4_000, _frames(lambda i: f"frame_{i ^ 1}")),
    Growth("one cycle of all frames", 4_000, lambda n: _frames(lambda i: f"frame_{(i + 1) % n}")(n)),
    Growth("equal names", 4_000, lambda n: model('<link name="l"/>' * n)),
    Growth("equal names of SDFormat 1.6", 4_000, lambda n: model('<link name="l"/><frame name="l"/>' * n, "1.6")),
    Growth("unknown attributes", 5_000, lambda n: model(_each(n, lambda i: f'<link name="l{i}" zap{i}="1"/>'))),
    Growth("unknown attributes of one element", 5_000, lambda n: model(
        "<link " + _each(n, lambda i: f'a{i}="1" ') + 'name="l"/>')),
    Growth("unknown elements", 5_000, lambda n: model(
        '<link name="l">' + _each(n, lambda i: f"<nase{i}/>") + "</link>")),
    Growth("values that are no numbers", 5_000, lambda n: model(
        _each(n, lambda i: f'<link name="l{i}"><pose>a {i} 0 0 0 0</pose></link>'))),
    Growth("numbers in a pose", 500_000, lambda n: model(f'<link name="l"><pose>{"0.5 " * n}</pose></link>')),
    Growth("includes that lead nowhere", 1_000, lambda n: model(
        '<link name="l"/>' + _each(n, lambda i: f"<include><name>i{i}</name><uri>model://missing_{i}</uri></include>"))),
    Growth("joints without ends", 4_000, lambda n: model(
        '<link name="l"/>' + _each(n, lambda i: f'<joint name="j{i}" type="fixed"/>'))),
    Growth("massless links of a URDF", 1_000, _massless),
    Growth("unknown links of a URDF", 2_000, _unknown_links),
    Growth("stray end tags", 20_000, lambda n: "<sdf>" + "</a>" * n),
    Growth("bare ampersands", 20_000, lambda n: model('<link name="l"/>' + "&amp &" * n)),
    Growth("quotes", 20_000, lambda n: "<sdf " + "a='\" " * n),
    Growth("comments", 50_000, lambda n: model('<link name="l"/>' + "<!-- - -->" * n)),
    Growth("corners of a polyline", 5_000, _polyline),
    Growth("corners of a face of an OBJ file", 50_000, _obj_face, ".obj"),
    Growth("`check`: links of a URDF with options", 1_000, _links_with_options, command=("check",)),
    Growth("`convert --to 1.12`: links of a URDF with options", 1_000, _links_with_options,
        command=("convert", "--to", "1.12")),
    Growth("`convert --to mjcf`: links of a URDF with options", 1_000, _links_with_options,
        command=("convert", "--to", "mjcf")),
    Growth("`convert --to urdf`: links in a chain", 1_000, chain_of_links, command=("convert", "--to", "urdf")),
    Growth("`convert --to 1.6`: models of a world", 1_000, world_of_models, command=("convert", "--to", "1.6")),
    Growth("`convert --to mjcf`: models of a world", 1_000, world_of_models, command=("convert", "--to", "mjcf")),
    Growth("`convert --to 1.12`: equal names", 4_000, lambda n: model('<link name="l"/>' * n),
        command=("convert", "--to", "1.12")),
    Growth("`format`: models of a world", 1_000, world_of_models, command=("format",)),
    Growth("`assets`: missing meshes", 1_000, _missing_meshes, command=("assets",)),
    Growth("`edit --duplicate --below`: links of a URDF with options", 1_000, _links_with_options,
        command=("edit", "--duplicate", "r::l0", "--below")),
    Growth("`edit --group`: links in a chain", 1_000, chain_of_links,
        command=("edit", "--group", "chain::link_1=arm")),
    Growth("`edit --align-collisions`: links of a URDF", 1_000, _links_to_align,
        command=("edit", "--align-collisions")),
    Growth("`graph`: links in a chain", 1_000, chain_of_links, command=("graph",)),
)  # fmt: skip


def seconds(growth: Growth, count: int, folder: Path, *, with_fixes: bool = False) -> float:
    """Return how much processor time it takes to read a file with so many of something, and to offer all its fixes."""
    text = growth.make(count)
    if growth.command:
        return _seconds_of_command(growth.command, text, folder)
    if growth.suffix:
        file = folder / f"n{growth.suffix}"
        file.write_text(text, encoding="utf-8")
        began = time.process_time()
        with suppress(MeshFileError):  # to refuse it counts too
            read_mesh_file(file, SideFiles(file))
        return time.process_time() - began
    began = time.process_time()
    document = parse_document(text)
    loader = Loader(offer_fixes=offer_fixes if with_fixes else None)
    _, diagnostics = loader.load_with_diagnostics(document)
    assert all(diagnostic.message for diagnostic in diagnostics)
    if with_fixes:
        assert all(action.title for action in quick_fixes(document, diagnostics))
    elif "<polyline>" in text:
        _draw(document)
    return time.process_time() - began


def _seconds_of_command(command: Sequence[str], text: str, folder: Path) -> float:
    file = folder / ("n.urdf" if text.startswith("<robot") else "n.sdf")
    file.write_text(text, encoding="utf-8")
    with open(os.devnull, "w", encoding="utf-8") as nowhere, redirect_stdout(nowhere), redirect_stderr(nowhere):
        began = time.process_time()
        code = run_command([*command, str(file)])
        took = time.process_time() - began
    assert code < 2, f"{' '.join(command)} cannot read the file"
    return took


def _draw(document: object) -> None:
    from sdfviewer.document.document import Document
    from sdfviewer.files.finder import Finder
    from tests.scenes import build_scene

    assert isinstance(document, Document)
    loaded = Loader().load(document)
    assert loaded is not None
    build_scene(loaded, finder=Finder())


def main(words: Sequence[str]) -> None:
    """Print a row of the table for each growth; with ``--write`` into the documentation too."""
    wanted = [word for word in words if word != "--write"]
    lines = ["| n of | n | n | 2n | 4n | 4n / n | fixes, n | fixes, 4n |", "|---|--:|--:|--:|--:|--:|--:|--:|"]
    print("\n".join(lines))
    with TemporaryDirectory() as name:

        def fixes(growth: Growth) -> str:
            if growth.suffix or growth.command:
                return "|"
            took = [seconds(growth, growth.count * times, Path(name), with_fixes=True) for times in (1, 4)]
            return " | ".join(f"{each:.2f} s" for each in took)

        for growth in GROWTHS:
            if not wanted or any(word in growth.name for word in wanted):
                took = [seconds(growth, growth.count * times, Path(name)) for times in (1, 2, 4)]
                cells = " | ".join(f"{each:.2f} s" for each in took)
                lines.append(
                    f"| {growth.name} | {growth.count:,} | {cells} | {took[2] / took[0]:.1f} | {fixes(growth)} |"
                )
                print(lines[-1], flush=True)
    if "--write" in words:
        write_table("growth", lines)


if __name__ == "__main__":
    main(sys.argv[1:])
