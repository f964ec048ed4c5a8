// The frame graphs, as sdfviewer draws them, with the wheel and the pointer to move in them.

import { choice, make } from "./dom.js";

/** Pixels of a unit of a graph at first: names can be read then. */
const READABLE = 0.8;
const STEP = 40;
const TITLES = { attached_to: "attached_to", relative_to: "relative_to", kinematic: "Joints" };

export class Graphs {
  constructor(model, rows, onSelect) {
    this.model = model;
    this.rows = rows;
    this.onSelect = onSelect;
    const label = "Graph. Arrow keys move it, plus and minus zoom, Home shows all. The tree lists the same frames.";
    this.canvas = make("div", { class: "drawing", tabIndex: 0, role: "application", "aria-label": label });
    this.shown = model.graphs.some((graph) => graph.kind === "relative_to") ? "relative_to" : model.graphs[0]?.kind;
    this.dark = false;
    this.isOpen = false;
    const options = model.graphs.map((graph) => [graph.kind, TITLES[graph.kind]]);
    const tabs = choice("Graph", options, this.shown, (kind) => {
      this.shown = kind;
      this.draw();
    });
    this.element = make("section", { class: "graph" }, tabs, this.canvas);
    this.selected = -1;
    this.connect();
  }

  setDark(dark) {
    this.dark = dark;
    this.draw();
  }

  /** Draws from now on. */
  open() {
    this.isOpen = true;
    this.draw();
  }

  draw() {
    if (!this.isOpen) return;
    const graph = this.model.graphs.find((each) => each.kind === this.shown);
    if (!graph) return void this.canvas.replaceChildren(make("p", {}, "The graphs of this file are too large for a page."));
    const parsed = new DOMParser().parseFromString(this.dark ? graph.dark : graph.light, "image/svg+xml");
    this.svg = document.importNode(parsed.documentElement, true);
    this.vertices = new Map();
    for (const vertex of this.svg.querySelectorAll("g[id]")) {
      const row = this.rows.get(vertex.getAttribute("id"));
      vertex.removeAttribute("id"); // names of a file are no names of this page
      if (row === undefined) continue;
      this.vertices.set(row, vertex);
      vertex.classList.add("vertex");
      vertex.addEventListener("click", () => this.moved || this.onSelect(row));
    }
    this.whole = this.svg.getAttribute("viewBox").split(" ").map(Number);
    this.svg.removeAttribute("width");
    this.svg.removeAttribute("height");
    this.canvas.replaceChildren(this.svg);
    this.lookAtRoot();
    this.select(this.selected);
  }

  /** Shows all where names can be read then, else where the graph begins. */
  lookAtRoot() {
    const { clientWidth, clientHeight } = this.canvas;
    const [left, top, width, height] = this.whole;
    if (!clientWidth || Math.min(clientWidth / width, clientHeight / height) >= READABLE) return this.look(this.whole);
    const [wide, high] = [clientWidth / READABLE, clientHeight / READABLE];
    this.look([left + Math.min((width - wide) / 2, 0), top + Math.min((height - high) / 2, 0), wide, high]);
  }

  look(box) {
    this.box = box;
    this.svg.setAttribute("viewBox", box.join(" "));
  }

  connect() {
    let from = null;
    const keys = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    const unit = () => Math.max(this.box[2] / this.canvas.clientWidth, this.box[3] / this.canvas.clientHeight);
    this.canvas.addEventListener("keydown", (event) => {
      const { key } = event;
      const [left, top, width, height] = this.box;
      if (keys[key]) this.look([left + keys[key][0] * STEP * unit(), top + keys[key][1] * STEP * unit(), width, height]);
      else if (key === "+" || key === "-") this.zoom(key === "+" ? 1 / 1.2 : 1.2, 0.5, 0.5);
      else if (key === "Home") this.look(this.whole);
      else return;
      event.preventDefault();
    });
    this.canvas.addEventListener("pointerdown", (event) => {
      from = [event.clientX, event.clientY, ...this.box];
      this.moved = false;
    });
    this.canvas.addEventListener("pointermove", (event) => {
      if (!from || !event.buttons) return;
      const [dx, dy] = [event.clientX - from[0], event.clientY - from[1]];
      if (Math.hypot(dx, dy) > 3) this.moved = true;
      this.look([from[2] - dx * unit(), from[3] - dy * unit(), from[4], from[5]]);
    });
    this.canvas.addEventListener("pointerup", () => (from = null));
    this.canvas.addEventListener("dblclick", () => this.look(this.whole));
    this.canvas.addEventListener(
      "wheel",
      (event) => {
        event.preventDefault();
        this.zoom(event.deltaY > 0 ? 1.2 : 1 / 1.2, event.offsetX / this.canvas.clientWidth, event.offsetY / this.canvas.clientHeight);
      },
      { passive: false },
    );
  }

  zoom(factor, x, y) {
    const [left, top, width, height] = this.box;
    const [wide, high] = [width * factor, height * factor];
    this.look([left + (width - wide) * x, top + (height - high) * y, wide, high]);
  }

  select(row) {
    this.selected = row;
    if (!this.vertices) return;
    this.svg.querySelector(".selected")?.classList.remove("selected");
    const vertex = this.vertices.get(row);
    if (!vertex) return;
    vertex.classList.add("selected");
    const { x, y, width, height } = vertex.getBBox();
    const [left, top, wide, high] = this.box;
    const isSeen = x > left && y > top && x + width < left + wide && y + height < top + high;
    const isReadable = (width / wide) * this.canvas.clientWidth > 40;
    if (isSeen && isReadable) return;
    const scale = Math.min(1, 700 / wide);
    const [w, h] = isReadable ? [wide, high] : [wide * scale, high * scale];
    this.look([x + width / 2 - w / 2, y + height / 2 - h / 2, w, h]);
  }
}
