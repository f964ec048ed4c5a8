"""Tests of web pages in Chromium and Firefox, where they are installed.

Firefox without a screen has no WebGL: there the pages say so, and the rest works.
"""

from __future__ import annotations

import base64
import gzip
import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

import sdfviewer
from sdfviewer.files.finder import Finder
from sdfviewer.library.model import page_frame
from sdfviewer.resources import resource
from sdfviewer.scene.meshes.gltf import srgb
from sdfviewer.scene.scene_build import SceneOptions, load_scene
from tests.export.page.browsers import BROWSERS, drive, in_script
from tests.large import world_of_shapes

_OPEN = """
  const frame = document.createElement("iframe");
  frame.srcdoc = page;
  frame.style.cssText = "width: 100%; height: 700px";
  document.body.append(frame);
  const find = (selector) => frame.contentDocument?.querySelector(selector);
  const all = (selector) => [...frame.contentDocument.querySelectorAll(selector)];
  await until(() => find(".graph svg")); // comes last
"""


def _bare(page: str) -> str:
    """Return a script that shows the data of a page without its policy, which would refuse the script of a test."""
    data = re.search(r'id="data">([^<]*)<', page)
    assert data is not None
    program = gzip.decompress(resource("page", "page.js.gz").read_bytes()).decode("utf-8")
    block = base64.b64encode(gzip.decompress(base64.b64decode(data[1]))).decode("ascii")
    return f"""
      document.body.insertAdjacentHTML("beforeend", '<main id="page"></main>');
      const program = document.createElement("script");
      program.textContent = {in_script(program)};
      document.head.append(program);
      await showModel(Uint8Array.from(atob("{block}"), (letter) => letter.charCodeAt(0)).buffer);
    """


pytestmark = pytest.mark.parametrize("browser", BROWSERS)


@pytest.mark.parametrize("name", ["arm.sdf", "parity_legacy_numbers.sdf"])
def test_the_page_has_the_poses_of_the_library(browser: str, name: str, tmp_path: Path) -> None:
    """At random positions of the joints, in each convention."""
    document = sdfviewer.load(resource("examples", name))
    kinematics = document._state.kinematics
    rng = np.random.default_rng(3)
    q = kinematics.follow(rng.uniform(-1, 1, (4, len(kinematics.dofs))))
    script = f"""
      {_bare(document.to_html())}
      return {json.dumps(q.tolist())}.map((q) => {{
        sdfviewerPage.q = Float64Array.from(q);
        return [...sdfviewerPage.states[0].poses()];
      }});
    """
    found = np.array(drive(browser, "", script, tmp_path / "profile"), float).reshape(4, -1, 4, 4)
    np.testing.assert_allclose(found, kinematics.poses(q), atol=1e-9)


def test_a_page_opens_under_its_own_policy(browser: str, tmp_path: Path) -> None:
    """The tree, the sliders, the graph and the problems are there, and hostile names are text."""
    path = tmp_path / "robot.sdf"
    name = "&lt;img src=x onerror=document.title=1&gt;"
    path.write_text(
        f'<sdf version="1.10"><model name="m"><link name="{name}"/><link name="b"/>'
        '<frame name="f" attached_to="nothing"/>'
        f'<joint name="j" type="revolute"><parent>{name}</parent><child>b</child><axis><xyz>0 0 1</xyz></axis></joint>'
        "</model></sdf>",
        encoding="utf-8",
    )
    script = _OPEN + "return frame.contentDocument.documentElement.outerHTML;"
    document = drive(browser, sdfviewer.load(path).to_html(), script, tmp_path / "profile")
    assert 'id="loading"' not in document
    assert "&lt;img src=x onerror" in document
    assert "<img" not in document
    assert "<title>robot.sdf</title>" in document
    assert 'aria-label="m::j"' in document
    assert "Problems (" in document
    assert "<svg" in document


def test_the_picture_comes_before_the_graphs(browser: str, tmp_path: Path) -> None:
    """What takes long to lay out waits until the model is on the screen."""
    page = sdfviewer.load(resource("examples", "arm.sdf")).to_html()
    script = f"""
      {_bare(page).replace("await showModel", "const end = showModel")}
      const has = (selector) => document.querySelector(selector) !== null;
      const seen = () => [".view canvas", '[role="treeitem"]', ".graph svg"].map(has);
      const before = seen();
      await end;
      return [before, seen()];
    """
    before, after = drive(browser, "", script, tmp_path / "profile")
    assert before[1:] == [True, False]
    assert after[1:] == [True, True]


@pytest.mark.parametrize("size", [(1366, 768), (390, 844)], ids=["desktop", "phone"])
def test_a_person_finds_a_frame_and_moves_a_joint(browser: str, size: tuple[int, int], tmp_path: Path) -> None:
    """With clicks in the tree, the tabs and the slider; nothing is wider than the window."""
    script = (
        _OPEN
        + """
      const press = (text) => all("button").find((each) => each.textContent === text).click();
      const label = (text) => all('[role="treeitem"]').find((each) => each.querySelector(".name").textContent === text);
      label("grasp").querySelector(".line").click();
      const why = find(".why").textContent;
      const before = why.match(/At (.*?) in/)[1];
      press("Joints");
      const slider = find('input[type="range"]');
      slider.value = 0.5;
      slider.dispatchEvent(new Event("input", { bubbles: true }));
      const after = find(".why").textContent.match(/At (.*?) in/)[1];
      press("Light or dark");
      const root = frame.contentDocument.documentElement;
      const sizes = [root.scrollWidth, root.clientWidth];
      return { why, before, after, sizes, vertices: all(".vertex.selected").length };
    """
    )
    page = sdfviewer.load(resource("examples", "arm.sdf")).to_html()
    found = drive(browser, page, script, tmp_path / "profile", size)
    assert "arm.sdf:" in found["why"]
    assert found["before"] != found["after"]
    assert found["vertices"]
    assert found["sizes"][0] <= found["sizes"][1]


def _five_moved(tmp_path: Path) -> str:
    """Return the page of the arm before and after five of its frames were moved."""
    before = sdfviewer.load(resource("examples", "arm.sdf"))
    names = ["arm::inspection", "arm::grasp", "arm::joint_1", "arm::joint_4", "arm::joint_6"]
    after = tmp_path / "arm.sdf"
    shutil.copy(resource("examples", "arm.sdf"), after)
    document = sdfviewer.open_document(after)
    with document.edit() as edit:
        for number, name in enumerate(names, start=1):
            edit.set_coordinate(name, coordinate="x", value=0.01 * number)
    return document.model.to_html(before=before)


_PAGES: dict[str, Callable[[Path, Path], str]] = {
    "arm": lambda collection, tmp_path: sdfviewer.load(resource("examples", "arm.sdf")).to_html(),
    "loops": lambda collection, tmp_path: sdfviewer.load(
        collection / "porter" / "models" / "porter" / "model.sdf"
    ).to_html(),
    "merged": lambda collection, tmp_path: sdfviewer.load(
        collection / "hoverfly" / "worlds" / "runway.sdf", paths=[collection / "hoverfly" / "models"]
    ).to_html(),
    "shapes": lambda collection, tmp_path: sdfviewer.load(world_of_shapes(3000)).to_html(),
    "moved": lambda collection, tmp_path: _five_moved(tmp_path),
}


@pytest.mark.parametrize("kind", _PAGES)
def test_every_kind_of_page_is_worked_with(browser: str, kind: str, collection: Path, tmp_path: Path) -> None:
    """Tabs, sliders, the tree and the graphs do what they do on a small robot, and share the selection."""
    page = _PAGES[kind](collection, tmp_path)
    script = (
        _OPEN
        + """
      const press = (text) => all("button").find((each) => each.textContent.startsWith(text)).click();
      const tabs = all("aside .choice button").map((each) => each.textContent);
      for (const tab of tabs) press(tab);
      const moved = all(".moved").map((each) => each.textContent);
      const amounts = all(".amount").map((each) => each.textContent);
      press("Joints");
      const slider = all('input[type="range"]').find((each) => !each.disabled);
      if (slider) {
        slider.value = Number(slider.min) + 0.3 * (slider.max - slider.min);
        slider.dispatchEvent(new Event("input", { bubbles: true }));
      }
      const spoken = slider?.getAttribute("aria-valuetext") ?? null;
      press("Tree");
      [...all('[role="treeitem"]')].at(-1).querySelector(".line").click();
      const fromTree = find(".why h2").textContent;
      press("Fit");
      const vertex = all(".graph:not([hidden]) .vertex:not(.selected)").at(-1);
      vertex.dispatchEvent(new MouseEvent("click", { bubbles: true }));
      const fromGraph = find(".why h2").textContent;
      const inTree = all('aside [aria-selected="true"]').map((each) => each.querySelector(".name").textContent);
      const selected = all(".graph:not([hidden]) .vertex.selected").length;
      const canvas = find(".view canvas");
      canvas.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowLeft", bubbles: true }));
      const graph = find(".graph:not([hidden]) .drawing");
      const box = () => graph.querySelector("svg").getAttribute("viewBox");
      const before = box();
      graph.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true }));
      const unnamed = all("button, input, canvas, [tabindex]").filter((each) =>
        !each.textContent.trim() && !each.getAttribute("aria-label") && !each.closest("label")).length;
      const isMoved = before !== box();
      return { tabs, moved, amounts, spoken, fromTree, fromGraph, inTree, selected, isMoved, unnamed };
    """
    )
    found = drive(browser, page, script, tmp_path / "profile")
    assert found["fromTree"] != found["fromGraph"]
    assert found["selected"] == 1
    assert any(name in found["fromGraph"] for name in found["inTree"])
    assert found["isMoved"]
    assert found["unnamed"] == 0
    assert (found["spoken"] is None) == (kind == "shapes")
    if kind == "moved":
        assert found["tabs"][0] == "Changes (5)"
        distances = [float(each.split(" mm")[0]) for each in found["amounts"]]
        assert distances == sorted(distances, reverse=True)
        assert sorted(found["moved"]) == sorted(found["amounts"])  # labels move aside where they would cover each other


def test_shapes_of_many_colours_are_drawn_at_once(browser: str, tmp_path: Path) -> None:
    """Each has its colour, selected or not: a world of 3000 models needs no 3000 draw calls."""
    visual = (
        '<visual name="v"><geometry><box><size>1 1 1</size></box></geometry>'
        "<material><diffuse>{} 0.25 0.5 1</diffuse></material></visual>"
    )
    reds = [0.0, 0.5, 1.0]
    links = "".join(f'<link name="l{n}">{visual.format(red)}</link>' for n, red in enumerate(reds))
    text = f'<sdf version="1.9"><model name="m">{links}</model></sdf>'
    script = f"""
      {_bare(sdfviewer.load(text).to_html())}
      const {{ batches }} = sdfviewerPage.states[0].figure;
      const colours = () => batches.map(({{ material: {{ color: {{ r, g, b }} }}, instanceColor }}) =>
        [...instanceColor.array].map((value, at) => value * [r, g, b][at % 3]));
      const before = colours();
      sdfviewerPage.select("m::l1");
      return [before, colours()];
    """
    before, after = drive(browser, "", script, tmp_path / "profile")
    assert len(before) == 1
    shown = np.reshape(before[0], (3, 3))
    np.testing.assert_allclose(srgb(shown), [[red, 0.25, 0.5] for red in reds], atol=1e-6)
    lit = np.reshape(after[0], (3, 3))
    np.testing.assert_array_equal((lit != shown).any(axis=1), [False, True, False])


def test_fit_shows_what_is_selected(browser: str, collection: Path, tmp_path: Path) -> None:
    """In a world as large as a runway an aircraft is a few pixels; axes are drawn as large as before."""
    page = _PAGES["merged"](collection, tmp_path)
    script = f"""
      {_bare(page)}
      const view = sdfviewerPage.view;
      const distance = () => view.camera.position.distanceTo(view.controls.target);
      const seen = () => [distance(), sdfviewerPage.states[0].figure.size];
      const press = () => [...document.querySelectorAll("button")].find((each) => each.textContent === "Fit").click();
      view.sizeMarks();
      const all = seen();
      sdfviewerPage.select("hoverfly_1");
      press();
      view.sizeMarks();
      const one = seen();
      sdfviewerPage.select(null);
      press();
      return [all, one, seen()];
    """
    (all_far, all_size), (one_far, one_size), (again, _) = drive(browser, "", script, tmp_path / "profile")
    assert one_far < all_far / 5
    assert one_size / one_far == pytest.approx(all_size / all_far, rel=0.03)
    assert again == pytest.approx(all_far)


@pytest.mark.parametrize("is_shown", [True, False], ids=["output-before", "own-frame"])
def test_a_notebook_sets_and_reads_what_its_view_shows(browser: str, is_shown: bool, tmp_path: Path) -> None:
    """The widget's script, with a model as anywidget hands it, and the page of a joint as it is sandboxed there."""
    document = sdfviewer.load(resource("examples", "arm.sdf"))
    widget = base64.b64encode(resource("page", "widget.js").read_bytes()).decode("ascii")
    q = [0.25, *[0.0] * (len(document.dofs) - 1)]
    output = page_frame("arm", document.to_html, key="7")
    script = f"""
      const {{ default: widget }} = await import("data:text/javascript;base64,{widget}");
      const state = {{ page, key: "7", title: "arm", height: 500, positions: {json.dumps(q)}, selected_row: 3 }};
      const listeners = {{}};
      let saves = 0;
      const model = {{
        get: (name) => state[name],
        set(name, value) {{
          const isNew = JSON.stringify(state[name]) !== JSON.stringify(value);
          state[name] = value;
          if (isNew) listeners[`change:${{name}}`]?.();
        }},
        on: (name, listener) => (listeners[name] = listener),
        off: (name) => delete listeners[name],
        save_changes: () => (saves += 1),
      }};
      let frame, sandbox, made = 0;
      const take = (each) => {{
        frame = each;
        sandbox = frame.getAttribute("sandbox");
        frame.setAttribute("sandbox", "allow-scripts allow-same-origin"); // for this test to look into
        document.body.append(frame);
      }};
      const output = document.createElement("template");
      output.innerHTML = {in_script(output)};
      if ({json.dumps(is_shown)}) take(output.content.firstElementChild);
      const el = {{ append: (each) => take(each, (made += 1)) }};
      const end = widget.render({{ model, el }});
      const find = (selector) => frame.contentDocument?.querySelector(selector);
      await until(() => find(".why h2")); // the selection of the notebook has arrived
      const shown = {{ name: find(".why h2").textContent, value: Number(find('input[type="range"]').value) }};
      const slider = find('input[type="range"]');
      slider.value = -0.5;
      slider.dispatchEvent(new Event("input", {{ bubbles: true }}));
      await until(() => state.positions[0] === -0.5);
      const afterSlider = saves;
      find(".close").click();
      await until(() => state.selected_row === -1);
      model.set("positions", {json.dumps(q)});
      await until(() => Number(find('input[type="range"]').value) === 0.25);
      end();
      return {{ shown, made, sandbox, afterSlider, saves, left: Object.keys(listeners) }};
    """
    found = drive(browser, document.to_html(), script, tmp_path / "profile")
    assert found["made"] == int(not is_shown)
    assert found["sandbox"] == "allow-scripts"
    assert found["shown"]["value"] == pytest.approx(0.25)
    assert found["shown"]["name"].startswith(document._state.table.names[3])
    assert (found["afterSlider"], found["saves"]) == (1, 2)  # what the notebook sets does not come back
    assert found["left"] == []


def test_a_model_shows_itself_in_a_sandbox(browser: str, tmp_path: Path) -> None:
    """The page of a notebook's output reaches nothing around it, and works."""
    html = sdfviewer.load(resource("examples", "arm.sdf"))._repr_html_()
    script = """
      document.body.insertAdjacentHTML("beforeend", page);
      const frame = document.querySelector("iframe");
      const heard = await new Promise((done) => {
        addEventListener("message", ({ source, data }) => source === frame.contentWindow && done(data.sdfviewer));
      });
      return { heard, document: frame.contentDocument === null };
    """
    found = drive(browser, html, script, tmp_path / "profile")
    assert found == {"heard": {"isReady": True}, "document": True}


def test_the_page_has_the_meshes_of_the_library(browser: str, tmp_path: Path) -> None:
    """All triangles with their sides, normals and textures: what Python compresses is what the page reads."""
    rings, sides = 12, 20
    rows = [f"v {0.3 * np.cos(a) * r} {0.3 * np.sin(a) * r} {0.1 * z}" for r, z, a in _vase(rings, sides)]
    rows += [f"vn {np.cos(a)} {np.sin(a)} 0" for _, _, a in _vase(rings, sides)]
    rows += [f"vt {2 * a / np.pi - 1} {z / 4}" for _, z, a in _vase(rings, sides)]
    for number in range((rings - 1) * sides):
        if number % 50 == 0:
            rows.append(f"usemtl {('plain', 'wood')[number // 50 % 2]}")
        row, side = divmod(number, sides)
        corners = [row * sides + side, row * sides + (side + 1) % sides]
        corners += [corners[1] + sides, corners[0] + sides]
        rows.append("f " + " ".join(f"{each + 1}/{each + 1}/{each + 1}" for each in corners))
    (tmp_path / "vase.obj").write_text("\n".join(["mtllib vase.mtl", *rows]), encoding="utf-8")
    (tmp_path / "vase.mtl").write_text(
        "newmtl plain\nKd 0.5 0.2 0.1\nnewmtl wood\nKd 1 1 1\nmap_Kd wood.png\n", encoding="utf-8"
    )
    Image.new("RGB", (8, 8), "brown").save(tmp_path / "wood.png")
    robot = tmp_path / "robot.sdf"
    visual = '<visual name="v"><geometry><mesh><uri>vase.obj</uri></mesh></geometry></visual>'
    robot.write_text(
        f'<sdf version="1.9"><model name="m"><link name="l">{visual}</link></model></sdf>', encoding="utf-8"
    )
    document = sdfviewer.load(robot)
    scene, _ = load_scene(document._state.table, SceneOptions(), Finder())
    mesh = scene.surfaces[0].mesh
    script = f"""
      {_bare(document.to_html())}
      const {{ model, stock }} = sdfviewerPage;
      const numbers = (attribute) => Array.from({{ length: attribute.count }}, (_, at) =>
        Array.from({{ length: attribute.itemSize }}, (_, each) => attribute.getComponent(at, each)));
      return stock.mesh(model.surfaces.meshes[0]).map(({{ geometry, material }}) => {{
        const {{ position, normal, uv }} = geometry.toNonIndexed().attributes;
        const {{ r, g, b }} = stock.material(material, false, false).color;
        return [numbers(position), numbers(normal), uv ? numbers(uv) : null, [r, g, b]];
      }});
    """
    found = drive(browser, "", script, tmp_path / "profile")
    assert len(found) == len(mesh.parts) > 1
    assert mesh.normals is not None
    assert mesh.uvs is not None
    for part, (positions, normals, uvs, colour) in zip(mesh.parts, found, strict=True):
        triangles = mesh.indices[part.start : part.start + part.count]
        expected = np.concatenate([mesh.positions, mesh.normals], axis=1)[triangles]
        shown = np.concatenate([positions, normals], axis=1).reshape(-1, 3, 6)
        assert (uvs is not None) == (part.material.albedo_map is not None)
        if uvs is not None:
            flipped = np.array([0, 1]) + mesh.uvs * np.array([1, -1])
            expected = np.concatenate([expected, flipped[triangles]], axis=2)
            shown = np.concatenate([shown, np.array(uvs).reshape(-1, 3, 2)], axis=2)
        far = np.abs(shown[:, None].mean(axis=2) - expected[None].mean(axis=2)).max(axis=-1)
        nearest = far.argmin(axis=1)
        assert sorted(nearest) == list(range(len(triangles)))  # each once
        turned = np.stack([np.roll(shown, turn, axis=1) for turn in range(3)])
        errors = np.abs(turned - expected[nearest]).max(axis=(2, 3)).min(axis=0)
        assert errors.max() < 1 / 250  # of a normal; a position is far nearer
        np.testing.assert_allclose(shown[..., :3].mean(axis=1), expected[nearest][..., :3].mean(axis=1), atol=1e-5)
        np.testing.assert_allclose(srgb(colour), part.material.diffuse[:3], atol=1e-6)


def _vase(rings: int, sides: int) -> list[tuple[float, int, float]]:
    """Return radius, height and angle of the vertices of a mesh, ring by ring."""
    angles = np.linspace(0, 2 * np.pi, sides, endpoint=False).tolist()
    return [(1 + 0.3 * np.sin(ring), ring, angle) for ring in range(rings) for angle in angles]
