// The 3D view: camera, lights, ground, the figures, and what is selected.

import {
  BufferAttribute,
  BufferGeometry,
  Color,
  ConeGeometry,
  DirectionalLight,
  GridHelper,
  HemisphereLight,
  InstancedMesh,
  Line,
  LineBasicMaterial,
  LineSegments,
  Mesh,
  MeshBasicMaterial,
  Object3D,
  PerspectiveCamera,
  Raycaster,
  Scene,
  Vector2,
  Vector3,
  WebGLRenderer,
} from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";
import { make } from "./dom.js";
import { setRows, triadGeometry } from "./figure.js";

const VIEWS = { iso: [1, -1, 0.7], front: [1, 0, 0.001], left: [0, 1, 0.001], top: [0.001, 0, 1] };
const CLICK = 4;
const SOFTWARE = /swiftshader|llvmpipe|softpipe|software|basic render/i;
const REST = 300; // milliseconds without a change
const MOVED = "#D55E00";
const HEAD = 0.035; // of an arrow, as a part of the radius of the model
const FRAME_SIZE = 0.0285; // of axes, as a part of the distance of the camera

export class View3D {
  constructor(container, onPick) {
    this.container = container;
    this.onPick = onPick;
    this.renderer = makeRenderer(container);
    this.renderer.domElement.tabIndex = 0;
    this.renderer.domElement.setAttribute("role", "application"); // its keys are its own
    const keys = "3D view. Arrow keys turn it, plus and minus zoom. The tree selects.";
    this.renderer.domElement.setAttribute("aria-label", keys);
    container.append(this.renderer.domElement);
    this.labels = document.createElement("div");
    this.labels.className = "labels";
    container.append(this.labels);
    this.scene = new Scene();
    this.camera = new PerspectiveCamera(40, 1, 0.01, 1000);
    this.camera.up.set(0, 0, 1);
    this.controls = new OrbitControls(this.camera, this.renderer.domElement);
    this.controls.addEventListener("change", () => this.repaint());
    this.lamp = new DirectionalLight(0xffffff, 1.6);
    this.scene.add(new HemisphereLight(0xffffff, 0x777788, 1.6), this.lamp);
    this.figures = [];
    this.names = [];
    this.wantsLabels = false;
    this.chosen = new Mesh(triadGeometry(), new MeshBasicMaterial({ vertexColors: true, depthTest: false }));
    this.chosen.renderOrder = 2;
    this.chosen.visible = false;
    this.chain = new Line(new BufferGeometry(), new LineBasicMaterial({ color: "#D97A00", depthTest: false }));
    this.chain.renderOrder = 1;
    this.moves = new LineSegments(new BufferGeometry(), new LineBasicMaterial({ color: MOVED, depthTest: false }));
    this.moves.renderOrder = 1;
    this.moved = []; // the places where arrows end, with what is written there
    for (const line of [this.chain, this.moves]) line.frustumCulled = false;
    this.scene.add(this.chosen, this.chain, this.moves);
    this.connect();
  }

  connect() {
    const canvas = this.renderer.domElement;
    let pressed = null;
    canvas.addEventListener("pointerdown", (event) => (pressed = [event.clientX, event.clientY]));
    canvas.addEventListener("pointerup", (event) => {
      if (!pressed || Math.hypot(event.clientX - pressed[0], event.clientY - pressed[1]) > CLICK) return;
      this.onPick(this.pick(event));
    });
    canvas.addEventListener("keydown", (event) => {
      const turn = { ArrowLeft: [-0.1, 0], ArrowRight: [0.1, 0], ArrowUp: [0, -0.1], ArrowDown: [0, 0.1] }[event.key];
      if (turn) {
        this.orbit(...turn);
        event.preventDefault();
      }
      if (event.key === "+" || event.key === "-") this.zoom(event.key === "+" ? 0.8 : 1.25);
    });
    new ResizeObserver(() => this.resize()).observe(this.container);
  }

  orbit(yaw, pitch) {
    const offset = this.camera.position.clone().sub(this.controls.target);
    offset.applyAxisAngle(this.camera.up, yaw);
    const side = offset.clone().cross(this.camera.up).normalize();
    const turned = offset.clone().applyAxisAngle(side, -pitch);
    if (turned.clone().normalize().cross(this.camera.up).length() > 0.05) offset.copy(turned);
    this.camera.position.copy(this.controls.target).add(offset);
    this.controls.update();
    this.repaint();
  }

  zoom(factor) {
    this.camera.position.sub(this.controls.target).multiplyScalar(factor).add(this.controls.target);
    this.controls.update();
    this.repaint();
  }

  resize() {
    const { clientWidth: width, clientHeight: height } = this.container;
    if (!width || !height) return;
    this.renderer.setSize(width, height, false);
    this.camera.aspect = width / height;
    this.camera.updateProjectionMatrix();
    this.repaint();
  }

  /** Has the graphics card compile what figures need, without waiting for it. */
  prepare(figures) {
    const shown = figures.flatMap(({ group }) => group.children.filter((each) => each.visible));
    for (const each of [...shown, this.grid]) this.renderer.compile(each, this.camera, this.scene);
  }

  upload(texture) {
    this.renderer.initTexture(texture);
    this.repaint();
  }

  setFigures(figures) {
    for (const figure of this.figures) this.scene.remove(figure.group);
    this.figures = figures;
    for (const figure of figures) this.scene.add(figure.group);
    this.repaint();
  }

  /** Lays the ground below points, and takes their size for the camera. */
  measure(points) {
    this.points = [];
    for (let i = 0; i + 2 < points.length; i += 3) this.points.push(new Vector3(points[i], points[i + 1], points[i + 2]));
    this.centre = new Vector3();
    const low = new Vector3(Infinity, Infinity, Infinity);
    const high = new Vector3(-Infinity, -Infinity, -Infinity);
    for (const point of this.points) {
      low.min(point);
      high.max(point);
    }
    this.centre.addVectors(low, high).multiplyScalar(0.5);
    this.radius = Math.max(...this.points.map((point) => point.distanceTo(this.centre)), 0.05);
    const cell = 10 ** Math.round(Math.log10(this.radius / 4));
    const count = Math.min(2 * Math.ceil((2.5 * this.radius) / cell), 200);
    this.grid = new GridHelper(count * cell, count, 0x8a94a4, 0x8a94a4);
    this.grid.rotateX(Math.PI / 2);
    this.grid.position.set(this.centre.x, this.centre.y, Math.min(low.z, 0));
    this.grid.material.transparent = true;
    this.grid.material.opacity = 0.35;
    this.scene.add(this.grid);
    return this.radius;
  }

  /** Turns the camera to a side, of the model or of a box. */
  look(name, box = null) {
    const isPart = box !== null && !box.isEmpty();
    const centre = isPart ? box.getCenter(new Vector3()) : this.centre;
    const radius = isPart ? Math.max(box.getSize(new Vector3()).length() / 2, this.radius / 1000) : this.radius;
    const direction = new Vector3(...VIEWS[name]).normalize();
    const half = ((this.camera.fov / 2) * Math.PI) / 180;
    const widest = Math.atan(Math.tan(half) * Math.min(this.camera.aspect, 1));
    const distance = (1.08 * radius) / Math.sin(widest);
    this.controls.target.copy(centre);
    this.camera.position.copy(centre).addScaledVector(direction, distance);
    this.camera.near = distance / 500;
    this.camera.far = Math.max(distance, this.radius) * 50;
    this.camera.updateProjectionMatrix();
    this.controls.update();
    this.repaint();
  }

  setGround(colour) {
    this.scene.background = new Color(colour);
    this.repaint();
  }

  pick(event) {
    const box = this.renderer.domElement.getBoundingClientRect();
    const at = new Vector2(
      ((event.clientX - box.left) / box.width) * 2 - 1,
      1 - ((event.clientY - box.top) / box.height) * 2,
    );
    const ray = new Raycaster();
    ray.setFromCamera(at, this.camera);
    const [figure] = this.figures;
    const hits = ray.intersectObjects(figure.batches.filter((mesh) => mesh.visible));
    if (!hits.length) return -1;
    const { object, instanceId } = hits[0];
    return figure.model.surfaces.rows[object.userData.numbers[instanceId]];
  }

  /** Marks a row with large axes, and the chain of frames to it. */
  mark(X, chain) {
    const row = chain[0];
    this.chosen.visible = row !== undefined && Number.isFinite(X[16 * row + 3]);
    if (this.chosen.visible) {
      this.place = { X, row };
      this.sizeMarks();
    }
    setPoints(this.chain, chain.filter((each) => Number.isFinite(X[16 * each + 3])).map((each) => originOf(X, each)));
    this.repaint();
  }

  /** Draws axes in a size that follows the distance of the camera. */
  sizeMarks() {
    const size = FRAME_SIZE * this.camera.position.distanceTo(this.controls.target);
    for (const figure of this.figures) if (Math.abs(figure.size - size) > 0.02 * size) figure.resize(size);
    if (!this.chosen.visible) return;
    this.chosen.matrixAutoUpdate = false;
    setRows(this.chosen.matrix, this.place.X, 16 * this.place.row).scale({ x: 2 * size, y: 2 * size, z: 2 * size });
  }

  /** Draws arrows from where frames were to where they are: each has `from`, `to`, and what is written at its end. */
  markMoves(moves) {
    setPoints(this.moves, moves.flatMap(({ from, to }) => [from, to]));
    if (this.heads) {
      this.scene.remove(this.heads);
      this.heads.dispose();
    }
    const cone = new ConeGeometry(0.35, 1, 12).translate(0, -0.5, 0).rotateX(Math.PI / 2);
    this.heads = new InstancedMesh(cone, new MeshBasicMaterial({ color: MOVED, depthTest: false }), moves.length);
    this.heads.renderOrder = 1;
    this.heads.frustumCulled = false;
    const place = new Object3D();
    moves.forEach(({ from, to }, at) => {
      const [start, end] = [new Vector3(...from), new Vector3(...to)];
      place.position.copy(end);
      place.up.set(...(Math.abs(end.z - start.z) > 0.9 * end.distanceTo(start) ? [1, 0, 0] : [0, 0, 1]));
      place.lookAt(end.clone().multiplyScalar(2).sub(start));
      place.scale.setScalar(Math.min(HEAD * this.radius, 0.6 * end.distanceTo(start)));
      place.updateMatrix();
      this.heads.setMatrixAt(at, place.matrix);
    });
    this.scene.add(this.heads);
    this.moved = moves.filter(({ text }) => text);
    this.repaint();
  }

  repaint() {
    if (this.requested) return;
    this.requested = requestAnimationFrame(() => {
      this.requested = 0;
      this.draw(this.renderer.isSlow ? Math.min(window.devicePixelRatio, 1) : Math.min(window.devicePixelRatio, 2));
      this.placeLabels();
      if (!this.renderer.isSlow) return;
      clearTimeout(this.rest);
      this.rest = setTimeout(() => this.draw(2), REST); // as sharp as with a graphics card
    });
  }

  /** Draws with some pixels of the canvas to a pixel of the page. */
  draw(ratio) {
    if (this.renderer.getPixelRatio() !== ratio) this.renderer.setPixelRatio(ratio);
    this.lamp.position.copy(this.camera.position);
    this.sizeMarks();
    this.renderer.render(this.scene, this.camera);
  }

  /** Writes names beside frames, nearest first, and distances, farthest first, where they do not cover each other. */
  placeLabels() {
    const { clientWidth: width, clientHeight: height } = this.container;
    const taken = [];
    const shown = [];
    const point = new Vector3();
    const moved = this.moved.map(({ to, text }, at) => ({ origin: to, text, always: true, kind: "moved", rank: 1 + at }));
    const named = this.names.map(({ X, row, text, always }) => {
      return { origin: originOf(X, row), text, always, kind: always ? "chosen" : "", rank: 0 };
    });
    const names = [...named, ...moved].map(({ origin, ...name }) => {
      point.set(...origin).project(this.camera);
      return { ...name, x: ((point.x + 1) / 2) * width, y: ((1 - point.y) / 2) * height, depth: point.z };
    });
    names.sort((a, b) => Number(b.always) - Number(a.always) || a.rank - b.rank || a.depth - b.depth);
    const isFree = (box) => !taken.some((other) => box[0] < other[2] && other[0] < box[2] && box[1] < other[3] && other[1] < box[3]);
    for (const name of names) {
      if (!(name.always || this.wantsLabels) || Math.abs(name.depth) > 1 || shown.length > 80) continue;
      const length = 6 + 7.2 * name.text.length;
      const right = name.x + 8 + length > width ? [] : [name.x + 8];
      const lefts = [...right, name.x - 8 - length];
      const tops = name.kind === "moved" ? [name.y - 9, name.y + 2, name.y - 20] : [name.y - 9];
      const boxes = lefts.slice(0, name.kind === "moved" ? 2 : 1).flatMap((left) => tops.map((top) => [left, top, left + length, top + 18]));
      const box = boxes.find(isFree);
      if (!box) continue;
      [name.left, name.top] = box;
      taken.push(box);
      shown.push(name);
    }
    while (this.labels.children.length < shown.length) this.labels.append(document.createElement("span"));
    [...this.labels.children].forEach((label, at) => {
      const name = shown[at];
      label.hidden = !name;
      if (!name) return;
      label.textContent = name.text;
      label.className = name.kind;
      label.style.transform = `translate(${name.left}px, ${name.top}px)`;
    });
  }
}

/** Returns whether a processor draws, as without a graphics card. */
function isSoftware() {
  const context = document.createElement("canvas").getContext("webgl2");
  const names = context?.getExtension("WEBGL_debug_renderer_info");
  return SOFTWARE.test(context?.getParameter(names ? names.UNMASKED_RENDERER_WEBGL : context.RENDERER));
}

/** Returns a renderer; where the browser has no WebGL one that draws nothing, and a notice, since the rest of the page works. */
function makeRenderer(container) {
  try {
    // Four samples a pixel are free on a graphics card. A processor takes up to five times as long for them.
    const isSlow = isSoftware();
    return Object.assign(new WebGLRenderer({ antialias: !isSlow, preserveDrawingBuffer: true }), { isSlow });
  } catch (error) {
    console.warn("There is no 3D view:", error.message);
    const notice = "This browser does not draw in 3D: WebGL is off. The tree, the joints and the graphs work.";
    container.append(make("p", { class: "notice", role: "status" }, notice));
    return { domElement: document.createElement("canvas"), getPixelRatio() {}, setPixelRatio() {}, setSize() {}, compile() {}, initTexture() {}, render() {} };
  }
}

/** Returns the origin of a row's frame. */
export function originOf(X, row) {
  return [X[16 * row + 3], X[16 * row + 7], X[16 * row + 11]];
}

function setPoints(line, points) {
  line.geometry.dispose();
  line.geometry = new BufferGeometry();
  line.geometry.setAttribute("position", new BufferAttribute(new Float32Array(points.flat()), 3));
  line.visible = points.length > 1;
}
