// Makes elements. Texts of files become text, never markup.

/** Returns an element with properties and children; texts are children as text. */
export function make(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "class") element.className = value;
    else if (name in element && !name.startsWith("aria")) element[name] = value;
    else element.setAttribute(name, value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

/** Returns buttons of which one is pressed. */
export function choice(label, options, chosen, onChoose) {
  const group = make("div", { class: "choice", role: "group", "aria-label": label });
  const press = (name) => {
    for (const button of group.children) button.setAttribute("aria-pressed", String(button.dataset.name === name));
  };
  for (const [name, text] of options) {
    const button = make("button", { type: "button", onclick: () => (press(name), onChoose(name)) }, text);
    button.dataset.name = name;
    group.append(button);
  }
  press(chosen);
  return group;
}

/** Returns a box that can be ticked. */
export function tick(text, checked, onChange) {
  const box = make("input", { type: "checkbox", checked });
  box.addEventListener("change", () => onChange(box.checked));
  return make("label", { class: "tick" }, box, text);
}

/** Returns a number as a person reads it. */
export function numberText(value, digits = 5) {
  if (!Number.isFinite(value)) return "?";
  const text = Number(value.toPrecision(digits)).toString();
  return Math.abs(value) < 1e-9 ? "0" : text.replace("-", "−");
}
