// What is said of the selection, the sliders of the joints, and the problems.

import { make, numberText } from "./dom.js";
import { poseNumbers } from "./kinematics.js";

const DEGREES = 180 / Math.PI;

function poseText(numbers) {
  const [x, y, z, roll, pitch, yaw] = numbers;
  const turn = [roll, pitch, yaw].map((each) => `${numberText(each * DEGREES, 4)}°`);
  return `${[x, y, z].map((each) => numberText(each)).join(" ")} m, ${turn.join(" ")}`;
}

/** The chain of frames from a row to the root, the row first; it ends where a frame comes again. */
export function chainOf(model, row) {
  const chain = [];
  for (let at = row; at >= 0 && !chain.includes(at); at = model.relativeTo[at]) chain.push(at);
  return chain;
}

/** Returns why a row is where it is, step by step. */
export function whyHere(model, row, X, onSelect) {
  const name = model.names[row];
  const place = (at) => `${model.files[model.places[2 * at]]}:${model.places[2 * at + 1]}`;
  const link = (at) => make("button", { type: "button", class: "link", onclick: () => onSelect(at) }, model.names[at]);
  const heading = make("h2", {}, name, " ", make("small", {}, model.kinds[row]));
  const isPlaced = Number.isFinite(X[16 * row + 3]);
  const where = isPlaced
    ? `At ${poseText(poseNumbers(X.subarray(16 * row, 16 * row + 16)))} in ${model.root}.`
    : "It has no place: its chain of frames leads to no root.";
  const chain = chainOf(model, row);
  const steps = chain.map((at) => {
    const target = model.relativeTo[at];
    const raw = poseText(model.raw.subarray(6 * at, 6 * at + 6));
    const item = make("li", {}, link(at), ": ", raw);
    if (target >= 0) item.append(" in ", link(target), model.written[at] ? "" : " (default)");
    else if (target === -2) item.append(", in a frame that does not exist");
    item.append(make("span", { class: "place" }, place(at)));
    return item;
  });
  const end = model.relativeTo[chain.at(-1)];
  const attached = model.attachedTo[row];
  return make(
    "section",
    { class: "why", "aria-live": "polite" },
    heading,
    make("p", {}, where),
    attached >= 0 ? make("p", {}, "Attached to ", link(attached), ".") : null,
    make("h3", {}, "Why here"),
    make("ol", {}, ...steps),
    end >= 0 ? make("p", {}, "This is a cycle: the chain leads back to ", link(end), ".") : null,
  );
}

export class Sliders {
  constructor(model, onMove, onSelect) {
    this.model = model;
    this.inputs = [];
    const rows = model.dofs.map((dof, column) => this.row(dof, column, onMove, onSelect));
    const home = make("button", { type: "button", onclick: () => onMove(-1, 0) }, "All to zero");
    const none = make("p", {}, "No joint of this file moves.");
    this.element = make("section", { class: "sliders" }, ...(rows.length ? [home, ...rows] : [none]));
  }

  row(dof, column, onMove, onSelect) {
    const [lower, upper] = dof.range;
    const isFree = dof.leader === null && lower < upper;
    const input = make("input", { type: "range", min: lower, max: upper, step: "any", "aria-label": dof.name });
    const value = make("output", {});
    input.value = 0;
    input.disabled = !isFree;
    input.addEventListener("input", () => onMove(column, Number(input.value)));
    this.inputs.push({ input, value, dof });
    const name = make("button", { type: "button", class: "link", onclick: () => onSelect(dof.row) }, dof.name);
    const note = dof.leader === null ? null : make("small", {}, `follows ${dof.leader}`);
    return make("div", { class: "slider" }, make("div", {}, name, value), input, note);
  }

  show(q) {
    this.inputs.forEach(({ input, value, dof }, column) => {
      const isAngle = dof.unit === "rad";
      input.value = q[column];
      const text = isAngle ? `${numberText(q[column] * DEGREES, 4)}°` : `${numberText(q[column], 4)} m`;
      value.textContent = text;
      const isOutside = q[column] < (dof.lower ?? -Infinity) - 1e-9 || q[column] > (dof.upper ?? Infinity) + 1e-9;
      value.className = isOutside ? "outside" : "";
      value.title = isOutside ? "outside its limits" : "";
      input.setAttribute("aria-valuetext", isOutside ? `${text}, outside its limits` : text);
    });
  }
}

/** Returns the list of what is wrong. */
export function problemList(model, onSelect) {
  const items = model.problems.map((problem) => {
    const row = problem.rows[0];
    const text = make(row === undefined ? "span" : "button", { class: row === undefined ? "" : "link" }, problem.message);
    if (row !== undefined) text.addEventListener("click", () => onSelect(row));
    const place = problem.line ? `${problem.file}:${problem.line} ` : "";
    return make("li", { class: problem.severity }, text, make("span", { class: "place" }, `${place}${problem.rule}`));
  });
  const list = items.length ? make("ul", {}, ...items) : make("p", {}, "No problems were found.");
  return make("section", { class: "problems" }, list);
}

/** Returns how far a frame has moved. */
export function distanceText({ metres, radians }) {
  return `${numberText(metres * 1000, 4)} mm, ${numberText(radians * DEGREES, 4)}°`;
}

/** Returns the list of what has changed, with the lines where it is written. */
export function changeList(changes, onSelect) {
  const items = changes.map((change) => {
    const row = change.rowAfter;
    const text = make(row < 0 ? "span" : "button", { class: row < 0 ? "" : "link" }, change.text.replace(/  .*$/, ""));
    if (row >= 0) text.addEventListener("click", () => onSelect(row));
    const isMoved = change.metres > 0 || change.radians > 0;
    const more = isMoved ? distanceText(change) : change.text.split("  ").slice(1).join(" ");
    const places = [change.before, change.after].filter(Boolean).join(" → ");
    return make("li", {}, text, make("span", { class: "amount" }, more), make("span", { class: "place" }, places));
  });
  const list = items.length ? make("ul", {}, ...items) : make("p", {}, "Nothing has changed.");
  return make("section", { class: "problems" }, list);
}
