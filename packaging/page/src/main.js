// The page: unpacks the data, makes the parts, and shares the selection and the joint positions among them.

import { choice, make, tick } from "./dom.js";
import { unpack } from "./data.js";
import { Figure, Stock } from "./figure.js";
import { Gltf } from "./gltf.js";
import { Graphs } from "./graphs.js";
import { follow, onPath, poses } from "./kinematics.js";
import { Sliders, chainOf, changeList, distanceText, problemList, whyHere } from "./panels.js";
import { Tree } from "./tree.js";
import { View3D, originOf } from "./view3d.js";

const GROUNDS = { light: "#E6EBF0", dark: "#23272E" };
/** More frames than this would hide the model: they are shown on request. */
const CROWD = 200;
/** Milliseconds after which a frame is not waited for. */
const LONG_FRAME = 2000;
const CONVENTIONS = { "model-absolute": "As SDFormat reads it", "element-relative": "As URDF reads it" };

class Page {
  constructor(data) {
    [this.model, this.before] = data.models;
    this.data = data;
    this.q = new Float64Array(this.model.dofs.length);
    /** Scoped name of what is selected: rows differ between versions. */
    this.selected = null;
    /** Called when the user has moved or selected something. */
    this.report = () => {};
    const isCrowd = this.model.triads.length > CROWD;
    this.layers = new Set(isCrowd ? ["visual"] : ["visual", "frames", "joints"]);
    const holder = make("div", { class: "view" });
    this.view = new View3D(holder, (row) => this.select(row < 0 ? null : this.front.model.names[row]));
    this.view.measure(this.model.outline);
    this.stock = new Stock(new Gltf(data.gltf));
    this.states = this.before ? this.versions() : this.conventions();
    const figures = this.states.slice(0, this.before ? 2 : 1).map(({ figure }) => figure);
    figures.forEach((figure) => figure.show(this.layers));
    this.view.prepare(figures); // the graphics card compiles while the rest is made
    this.parts = data.models.map((model) => this.makeParts(model));
    [this.front] = this.parts;
    const { names } = this.model;
    const select = (row) => this.select(names[row]);
    this.sliders = new Sliders(this.model, (column, value) => this.move(column, value), select);
    this.why = make("div", { class: "card", hidden: true });
    const count = this.model.problems.length;
    const panels = [
      ["tree", "Tree", this.parts.map(({ tree }) => tree.element)],
      ["joints", "Joints", [this.sliders.element]],
      ["problems", count ? `Problems (${count})` : "Problems", this.parts.map(({ problems }) => problems)],
    ];
    if (this.before) {
      panels.unshift(["changes", `Changes (${data.changes.length})`, [changeList(data.changes, select)]]);
    }
    const holders = panels.map(([, , elements]) => make("div", { class: "panel" }, ...elements));
    const show = (name) => panels.forEach(([each], at) => (holders[at].hidden = each !== name));
    const tabs = choice("Panel", panels.map(([name, text]) => [name, text]), panels[0][0], show);
    show(panels[0][0]);
    const main = document.getElementById("page");
    main.replaceChildren(
      this.header(),
      make("aside", {}, tabs, ...holders),
      make("div", { class: "middle" }, holder, this.why),
      make("div", { class: "graphs" }, ...this.parts.map(({ graphs }) => graphs.element)),
    );
    this.shown = this.before ? "both" : "0";
    this.setDark(matchMedia("(prefers-color-scheme: dark)").matches);
    this.view.resize();
    this.view.look("iso");
    this.update();
  }

  /** Adds the graphs and the textures, which take as long as the first picture, and joins the notebook around the page. */
  complete() {
    this.parts.forEach(({ graphs }) => graphs.open());
    this.stock.loadTextures((texture) => this.view.upload(texture));
    if (window.parent !== window) this.joinNotebook();
  }

  /** Takes positions and the selected row from the notebook that shows the page, and returns what the user changes. */
  joinNotebook() {
    const post = (state) => window.parent.postMessage({ sdfviewer: state }, "*");
    const row = () => this.parts[0].rows.get(this.selected) ?? -1;
    this.report = () => post({ q: [...this.positions()], selected: row() });
    window.addEventListener("message", ({ source, data }) => {
      if (source !== window.parent || !data?.sdfviewer) return;
      const { q, selected } = data.sdfviewer;
      if (q.length === this.q.length && q.some((value, column) => value !== this.positions()[column])) {
        this.q = Float64Array.from(q);
        this.update();
      }
      if (selected !== row()) this.choose(this.model.names[selected] ?? null);
    });
    post({ isReady: true });
  }

  /** Makes what shows one version of the model. */
  makeParts(model) {
    const select = (row) => this.select(model.names[row]);
    const rows = new Map(model.names.map((name, row) => [name, row]));
    const tree = new Tree(model, select);
    return { model, rows, tree, graphs: new Graphs(model, rows, select), problems: problemList(model, select) };
  }

  header() {
    const { model } = this;
    const count = (kind) => model.kinds.filter((each) => each === kind).length;
    const words = ["model", "link", "joint", "frame"].map((kind) => [kind, count(kind)]).filter(([, number]) => number);
    const summary = words.map(([kind, number]) => `${number} ${kind}${number === 1 ? "" : "s"}`).join(", ");
    const layers = [
      ["visual", "Visuals"],
      ["collision", "Collisions"],
      ["frames", "Frames"],
      ["joints", "Joint axes"],
    ].map(([name, text]) =>
      tick(text, this.layers.has(name), (isOn) => {
        if (isOn) this.layers.add(name);
        else this.layers.delete(name);
        this.update();
      }),
    );
    const names = tick("Names", false, (isOn) => {
      this.view.wantsLabels = isOn;
      this.view.repaint();
    });
    const looks = Object.entries({ iso: "Fit", front: "Front", left: "Left", top: "Top" }).map(([name, text]) =>
      make("button", { type: "button", onclick: () => this.look(name) }, text),
    );
    const theme = make("button", { type: "button", onclick: () => this.setDark(!this.dark) }, "Light or dark");
    const title = make("div", { class: "title" }, make("h1", {}, model.file), make("p", {}, summary));
    return make("header", {}, title, this.stateChoice(), make("div", { class: "tools" }, ...layers, names, ...looks, theme));
  }

  /** Returns the model in each convention, with what draws it and its poses. */
  conventions() {
    return this.model.conventions.map((convention, number) => ({
      figure: new Figure(this.stock, this.model, { ghost: number > 0 }),
      alone: number > 0 ? new Figure(this.stock, this.model) : null,
      poses: () => poses(convention, this.positions()),
    }));
  }

  /** Returns the model as it is and as it was; joints of the same names move alike. */
  versions() {
    const columns = new Map(this.model.dofs.map(({ name }, column) => [name, column]));
    const old = this.before;
    const positions = () => follow(old, Float64Array.from(old.dofs, ({ name }) => this.q[columns.get(name)] ?? 0));
    return [
      {
        figure: new Figure(this.stock, this.model),
        poses: () => poses(this.model.conventions[0], this.positions()),
      },
      {
        figure: new Figure(this.stock, old, { ghost: true }),
        alone: new Figure(this.stock, old),
        poses: () => poses(old.conventions[0], positions()),
      },
    ];
  }

  stateChoice() {
    let options = this.model.conventions.map(({ name }, number) => [String(number), CONVENTIONS[name]]);
    if (this.before) options = [["1", "Before"], ["0", "After"]];
    if (options.length < 2) return null;
    const label = this.before ? "Version" : "Convention of poses";
    return choice(label, [...options, ["both", "Both"]], this.before ? "both" : "0", (name) => {
      this.shown = name;
      this.update();
    });
  }

  setDark(dark) {
    this.dark = dark;
    document.documentElement.dataset.theme = dark ? "dark" : "light";
    this.view.setGround(dark ? GROUNDS.dark : GROUNDS.light);
    this.parts.forEach(({ graphs }) => graphs.setDark(dark));
  }

  /** Moves a degree of freedom; -1 moves all to zero. Loops stay closed along their solved paths. */
  move(column, value) {
    const path = this.model.loops.find((each) => each.column === column);
    if (column < 0) this.q = new Float64Array(this.q.length);
    else if (path) this.q = onPath(path, value, this.q.length);
    if (column >= 0) this.q[column] = value;
    this.update();
    this.report();
  }

  /** Returns the positions of all joints, followers included. */
  positions() {
    return follow(this.model, this.q);
  }

  update() {
    this.sliders.show(this.positions());
    const isBoth = this.shown === "both";
    this.front = this.parts[this.before && this.shown === "1" ? 1 : 0];
    for (const part of this.parts) {
      for (const element of [part.tree.element, part.graphs.element, part.problems]) element.hidden = part !== this.front;
    }
    const states = isBoth ? this.states : [this.states[Number(this.shown)]];
    const all = states.map((state) => state.poses());
    this.X = all[0];
    const figures = states.map((state) => (isBoth || !state.alone ? state.figure : state.alone));
    figures.forEach((figure, at) => {
      figure.place(all[at]);
      figure.show(this.layers);
    });
    this.view.setFigures(figures);
    this.view.markMoves(isBoth ? this.moves(...all) : []);
    this.showSelection();
  }

  /** Returns where the frames that differ between two sets of poses are in both, of versions with how far they moved. */
  moves(X, Y) {
    const same = [...this.model.vertices.keys()].filter((row) => this.model.vertices[row]).map((row) => [row, row, ""]);
    const changed = this.data.changes.filter((each) => each.metres !== null && each.rowAfter >= 0 && each.rowBefore >= 0);
    const rows = this.before ? changed.map((each) => [each.rowAfter, each.rowBefore, distanceText(each)]) : same;
    const moves = rows.map(([row, other, text]) => ({ from: originOf(Y, other), to: originOf(X, row), text }));
    return moves.filter(({ from, to }) => Math.hypot(...from.map((each, axis) => each - to[axis])) > 1e-6);
  }

  /** Turns the view to a side, so that it shows the selection, or all where nothing is selected. */
  look(name) {
    const rows = inside(this.front.model, this.front.rows.get(this.selected) ?? -1);
    this.view.look(name, rows.size ? this.view.figures[0].box(rows) : null);
  }

  /** Selects what the user has clicked. */
  select(name) {
    this.choose(name);
    this.report();
  }

  /** Selects what has a scoped name, in all parts; nothing where it is null. */
  choose(name) {
    this.selected = name;
    for (const { rows, tree, graphs } of this.parts) {
      tree.select(rows.get(name) ?? -1);
      graphs.select(rows.get(name) ?? -1);
    }
    for (const { figure, alone } of this.states) {
      for (const each of [figure, alone].filter(Boolean)) each.light(inside(each.model, each.model.names.indexOf(name)));
    }
    this.showSelection();
  }

  showSelection() {
    const { model, rows } = this.front;
    const row = rows.get(this.selected) ?? -1;
    const chain = row < 0 ? [] : chainOf(model, row);
    this.why.hidden = row < 0;
    if (row >= 0) {
      const close = make("button", { type: "button", class: "close", title: "Close", onclick: () => this.select(null) }, "×");
      this.why.replaceChildren(close, whyHere(model, row, this.X, (each) => this.select(model.names[each])));
    }
    const named = (each) => ({ X: this.X, row: each, text: model.labels[each], always: chain.includes(each) });
    const frames = [...model.triads];
    if (row >= 0 && !frames.includes(row)) frames.push(row);
    this.view.names = frames.filter((each) => Number.isFinite(this.X[16 * each + 3])).map(named);
    this.view.mark(this.X, chain);
  }
}

/** Returns a row and all that is written in it; nothing for the root, which is everything. */
function inside(model, row) {
  const rows = new Set();
  if (row <= 0) return rows;
  rows.add(row);
  model.owners.forEach((owner, each) => rows.has(owner) && rows.add(each));
  return rows;
}

/** Resolves when the browser has drawn a frame, or soon: a page in a background tab draws none. */
function aFrame() {
  return new Promise((done) => {
    requestAnimationFrame(() => setTimeout(done));
    setTimeout(done, LONG_FRAME);
  });
}

globalThis.showModel = async (buffer) => {
  globalThis.sdfviewerPage = new Page(unpack(buffer));
  await aFrame();
  globalThis.sdfviewerPage.complete();
};
