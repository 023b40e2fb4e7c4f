"use strict";
const objects = JSON.parse(document.getElementById("data").textContent);
const svg = document.querySelector("svg.graph");
const nodes = new Map([...svg.querySelectorAll(".object")].map((node) => [Number(node.dataset.object), node]));
const edges = [...svg.querySelectorAll(".edge")].map((path) => ({
  path, from: Number(path.dataset.from), to: Number(path.dataset.to), whole: path.classList.contains("whole"),
}));
const search = document.getElementById("search");
const kinds = document.getElementById("kinds");
const details = document.getElementById("details");
document.getElementById("fit").addEventListener("click", fit);

// Zoom and move: the view box is the visible part of the picture.
const whole = (({ x, y, width, height }) => ({ x, y, width, height }))(svg.viewBox.baseVal);
const smallestLegible = 0.6;
let view = { ...whole };
svg.removeAttribute("width");
svg.removeAttribute("height");
function fit() {
  view = { ...whole };
  show();
}
// The number of pixels for a unit of the picture.
function scale() { return Math.min(svg.clientWidth / view.width, svg.clientHeight / view.height); }
// Moves to an object at a legible scale.
function center(id) {
  const box = nodes.get(id).getBBox(), at = nodes.get(id).transform.baseVal.consolidate().matrix;
  if (scale() < smallestLegible) [view.width, view.height] = [svg.clientWidth, svg.clientHeight];
  view.x = inside(at.e + box.x + (box.width - view.width) / 2, view.width, whole.x, whole.width);
  view.y = inside(at.f + box.y + (box.height - view.height) / 2, view.height, whole.y, whole.height);
  show();
}
// Moves the start of the view so that it shows no more than the picture, or the whole picture in its middle.
function inside(start, length, first, all) {
  return length >= all ? first + (all - length) / 2 : Math.min(Math.max(start, first), first + all - length);
}
function show() { svg.setAttribute("viewBox", `${view.x} ${view.y} ${view.width} ${view.height}`); }
function point(event) {
  return new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
}
svg.addEventListener("wheel", (event) => {
  event.preventDefault();
  const at = point(event), factor = Math.exp(event.deltaY * 0.0015);
  view = { x: at.x + (view.x - at.x) * factor, y: at.y + (view.y - at.y) * factor,
    width: view.width * factor, height: view.height * factor };
  show();
}, { passive: false });
let grip = null;
svg.addEventListener("pointerdown", (event) => { grip = point(event); });
svg.addEventListener("pointermove", (event) => {
  if (!grip || !(event.buttons & 1)) { grip = null; return; }
  const at = point(event);
  view.x += grip.x - at.x;
  view.y += grip.y - at.y;
  show();
});

// Filter: by kind, and by a part of the address or of a value.
for (const kind of [...new Set(objects.map((object) => object.kind))].sort()) {
  const label = document.createElement("label"), box = document.createElement("input");
  box.type = "checkbox";
  box.checked = true;
  box.value = kind;
  box.addEventListener("change", filter);
  label.append(box, ` ${kind}`);
  kinds.append(label);
}
function filter() {
  const text = search.value.toLowerCase();
  const shown = new Set([...kinds.querySelectorAll("input:checked")].map((box) => box.value));
  objects.forEach((object, id) => {
    const texts = [object.address, ...object.values.map((value) => value.text)];
    nodes.get(id).classList.toggle("hidden", !shown.has(object.kind));
    nodes.get(id).classList.toggle("faint", text !== "" && !texts.some((one) => one.toLowerCase().includes(text)));
  });
  for (const edge of edges) {
    const ends = [nodes.get(edge.from), nodes.get(edge.to)];
    for (const name of ["hidden", "faint"]) {
      edge.path.classList.toggle(name, ends.some((node) => node.classList.contains(name)));
    }
  }
}
search.addEventListener("input", filter);

// Details of the chosen object.
function element(name, text) {
  const made = document.createElement(name);
  made.textContent = text;
  return made;
}
function list(title, ids) {
  if (ids.length === 0) return;
  const all = document.createElement("ul");
  for (const id of ids) {
    const item = document.createElement("li"), link = element("button", objects[id].address);
    link.addEventListener("click", () => { choose(id); center(id); });
    item.append(link);
    all.append(item);
  }
  details.append(element("h2", title), all);
}
// An edge for a whole module leads to all objects in it, too.
function leadsTo(edge, id) {
  return edge.to === id || (edge.whole && objects[id].address.startsWith(`${objects[edge.to].address}.`));
}
function choose(id) {
  const object = objects[id];
  nodes.forEach((node, other) => node.classList.toggle("chosen", other === id));
  edges.forEach((edge) => edge.path.classList.toggle("lit", edge.from === id || leadsTo(edge, id)));
  details.replaceChildren(element("h1", object.address), element("div", object.source ?? ""));
  for (const value of object.values) details.append(element("h2", value.address), element("pre", value.text));
  list("Depends on", edges.filter((edge) => edge.from === id).map((edge) => edge.to));
  list("Used by", edges.filter((edge) => leadsTo(edge, id)).map((edge) => edge.from));
  location.hash = object.address;
}
nodes.forEach((node, id) => node.addEventListener("click", () => choose(id)));
const named = objects.findIndex((object) => object.address === decodeURIComponent(location.hash.slice(1)));
const asked = named >= 0 ? named : objects.findIndex((object) => object.focused);
if (asked >= 0) choose(asked);
// A picture that is not legible as a whole opens at the object that was asked for, or at a root: the first object that depends on
// others and that nothing depends on.
if (scale() < smallestLegible && objects.length > 0) {
  const users = new Set(edges.map((edge) => edge.to)), owners = new Set(edges.map((edge) => edge.from));
  const root = objects.findIndex((object, id) => owners.has(id) && !users.has(id));
  center(asked >= 0 ? asked : Math.max(root, 0));
}
document.body.dataset.ready = String(nodes.size);
