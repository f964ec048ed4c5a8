// The tree of everything that has a place. Its rows are made when they are opened: a world may have thousands.

import { make } from "./dom.js";

const OPEN_AT_FIRST = 60;

export class Tree {
  constructor(model, onSelect) {
    this.model = model;
    this.onSelect = onSelect;
    this.items = new Map();
    this.children = new Map();
    model.owners.forEach((owner, row) => {
      if (!this.children.has(owner)) this.children.set(owner, []);
      this.children.get(owner).push(row);
    });
    this.filter = make("input", { type: "search", placeholder: "Find a name", "aria-label": "Find a name" });
    this.filter.addEventListener("input", () => this.search(this.filter.value.trim().toLowerCase()));
    this.list = make("ul", { role: "tree", "aria-label": "Model" });
    this.found = make("ul", { class: "found", hidden: true });
    this.element = make("section", { class: "tree" }, this.filter, this.found, this.list);
    this.list.addEventListener("keydown", (event) => this.key(event));
    this.list.append(this.item(0));
    this.open(0);
    if (model.names.length <= OPEN_AT_FIRST) this.children.get(0)?.forEach((row) => this.open(row));
  }

  item(row) {
    const hasChildren = this.children.has(row);
    const label = make("span", { class: `name ${this.model.kinds[row]}` }, this.model.labels[row] || this.model.kinds[row]);
    const arrow = make("span", { class: "arrow", "aria-hidden": "true" }, hasChildren ? "▸" : "");
    const line = make("div", { class: "line" }, arrow, label, make("span", { class: "kind" }, this.model.kinds[row]));
    const item = make("li", { role: "treeitem", tabIndex: row === 0 ? 0 : -1 }, line);
    if (hasChildren) item.setAttribute("aria-expanded", "false");
    item.dataset.row = row;
    arrow.addEventListener("click", (event) => {
      this.toggle(row);
      event.stopPropagation();
    });
    line.addEventListener("click", () => this.onSelect(row));
    this.items.set(row, item);
    return item;
  }

  open(row) {
    const item = this.items.get(row);
    if (!this.children.has(row) || item.getAttribute("aria-expanded") === "true") return;
    item.setAttribute("aria-expanded", "true");
    item.querySelector(".arrow").textContent = "▾";
    const group = item.querySelector("ul");
    if (group) group.hidden = false;
    else item.append(make("ul", { role: "group" }, ...this.children.get(row).map((child) => this.item(child))));
  }

  toggle(row) {
    const item = this.items.get(row);
    if (item.getAttribute("aria-expanded") !== "true") return this.open(row);
    item.setAttribute("aria-expanded", "false");
    item.querySelector(".arrow").textContent = "▸";
    item.querySelector("ul").hidden = true;
  }

  select(row) {
    this.list.querySelector("[aria-selected=true]")?.setAttribute("aria-selected", "false");
    if (row < 0) return;
    const above = [];
    for (let owner = this.model.owners[row]; owner >= 0; owner = this.model.owners[owner]) above.unshift(owner);
    above.forEach((owner) => this.open(owner));
    const item = this.items.get(row);
    item.setAttribute("aria-selected", "true");
    item.querySelector(".line").scrollIntoView({ block: "nearest" });
  }

  search(words) {
    this.found.hidden = !words;
    this.list.hidden = Boolean(words);
    if (!words) return;
    const rows = [];
    for (let row = 0; row < this.model.names.length && rows.length < 100; row++) {
      if (this.model.names[row].toLowerCase().includes(words)) rows.push(row);
    }
    const line = (row) =>
      make("button", { type: "button", class: "line", onclick: () => this.onSelect(row) }, this.model.names[row]);
    this.found.replaceChildren(...rows.map((row) => make("li", {}, line(row))));
    if (!rows.length) this.found.append(make("li", {}, "No name has this text."));
  }

  key(event) {
    const item = event.target.closest("[role=treeitem]");
    if (!item) return;
    const shown = [...this.list.querySelectorAll("[role=treeitem]")].filter((each) => each.offsetParent);
    const at = shown.indexOf(item);
    const row = Number(item.dataset.row);
    const to = { ArrowDown: shown[at + 1], ArrowUp: shown[at - 1], Home: shown[0], End: shown.at(-1) }[event.key];
    if (to) {
      item.tabIndex = -1;
      to.tabIndex = 0;
      to.focus();
    } else if (event.key === "ArrowRight") this.open(row);
    else if (event.key === "ArrowLeft") {
      if (item.getAttribute("aria-expanded") === "true") this.toggle(row);
    } else if (event.key === "Enter" || event.key === " ") this.onSelect(row);
    else return;
    event.preventDefault();
  }
}
