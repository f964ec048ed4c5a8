// One model as three.js draws it: each mesh with each material once, at the places of all its surfaces.

import {
  BoxGeometry,
  BufferAttribute,
  BufferGeometry,
  Color,
  ConeGeometry,
  CylinderGeometry,
  DoubleSide,
  FrontSide,
  Group,
  InstancedMesh,
  Matrix4,
  MeshBasicMaterial,
  MeshStandardMaterial,
  RepeatWrapping,
  SRGBColorSpace,
  Texture,
} from "three";
import { mergeGeometries } from "three/addons/utils/BufferGeometryUtils.js";
import { multiply } from "./kinematics.js";

const LAYERS = ["visual", "collision", "inertia", "placeholder"];
const SELECTED = new Color(1.5, 1.15, 0.35);
const PLAIN = new Color(1, 1, 1);
const AXES = ["#F2545B", "#5BBF4A", "#4C8DFF"];

/** Makes geometries, materials and textures, each once, and shares them among figures. */
export class Stock {
  constructor(data, repaint) {
    this.data = data;
    this.geometries = new Map();
    this.materials = new Map();
    this.textures = data.textures.map(({ type, data: bytes }) => {
      const texture = new Texture();
      texture.colorSpace = SRGBColorSpace;
      texture.wrapS = texture.wrapT = RepeatWrapping;
      createImageBitmap(new Blob([bytes], { type }), { imageOrientation: "flipY" })
        .then((picture) => {
          texture.image = picture;
          texture.flipY = false;
          texture.needsUpdate = true;
          repaint();
        })
        .catch((error) => console.warn("A texture cannot be shown:", error.message));
      return texture;
    });
  }

  geometry(number) {
    if (!this.geometries.has(number)) this.geometries.set(number, makeGeometry(this.data.meshes[number]));
    return this.geometries.get(number);
  }

  material(number, ghost, hasColours) {
    const key = `${number} ${ghost} ${hasColours}`;
    if (!this.materials.has(key)) this.materials.set(key, this.makeMaterial(this.data.materials[number], ghost, hasColours));
    return this.materials.get(key);
  }

  makeMaterial(record, ghost, hasColours) {
    const [red, green, blue, opacity] = record.diffuse;
    const shown = ghost ? Math.min(opacity, 0.3) : opacity;
    const material = new MeshStandardMaterial({
      color: new Color().setRGB(red, green, blue, SRGBColorSpace),
      emissive: new Color().setRGB(...record.emissive, SRGBColorSpace),
      roughness: Math.max(record.roughness, 0.3),
      metalness: Math.min(record.metalness, 0.6),
      opacity: shown,
      transparent: shown < 1,
      depthWrite: shown >= 1,
      side: record.double || shown < 1 ? DoubleSide : FrontSide,
      alphaTest: record.cutout ? 0.5 : 0,
      vertexColors: hasColours,
    });
    if (ghost) material.color.lerp(new Color("#E69F00"), 0.6);
    if (record.map >= 0) {
      const [u, v, s, t] = record.repeat;
      material.map = this.textures[record.map];
      if (u !== 1 || v !== 1 || s !== 0 || t !== 0) {
        material.map = material.map.clone();
        material.map.repeat.set(u, v);
        material.map.offset.set(s, t);
      }
    }
    return material;
  }
}

function makeGeometry(mesh) {
  const geometry = new BufferGeometry();
  const count = mesh.positions.length / 3;
  const positions = new Float32Array(3 * count);
  for (let i = 0; i < 3 * count; i++) positions[i] = mesh.low[i % 3] + (mesh.positions[i] / 65535) * mesh.size[i % 3];
  geometry.setAttribute("position", new BufferAttribute(positions, 3));
  geometry.setIndex(new BufferAttribute(mesh.indices, 1));
  if (mesh.uvs) geometry.setAttribute("uv", new BufferAttribute(mesh.uvs, 2));
  if (mesh.colours) geometry.setAttribute("color", new BufferAttribute(mesh.colours, 3, true));
  if (mesh.normals) geometry.setAttribute("normal", new BufferAttribute(mesh.normals, 3, true));
  if (mesh.parts.length > 1) mesh.parts.forEach(([start, length], part) => geometry.addGroup(3 * start, 3 * length, part));
  if (mesh.normals) return geometry;
  const flat = geometry.toNonIndexed();
  flat.computeVertexNormals();
  if (mesh.parts.length > 1) mesh.parts.forEach(([start, length], part) => flat.addGroup(3 * start, 3 * length, part));
  return flat;
}

/** A model in one convention; a ghost is drawn pale beside another figure. */
export class Figure {
  constructor(stock, model, { ghost = false, size }) {
    this.model = model;
    this.group = new Group();
    this.batches = [];
    const surfaces = model.surfaces;
    const offsets = new Map([...surfaces.offset].map((surface, at) => [surface, 16 * at]));
    const batches = new Map();
    for (let surface = 0; surface < surfaces.rows.length; surface++) {
      const key = `${surfaces.meshes[surface]} ${surfaces.materials[surface]} ${surfaces.layers[surface]}`;
      if (!batches.has(key)) batches.set(key, []);
      batches.get(key).push(surface);
    }
    for (const numbers of batches.values()) {
      const first = numbers[0];
      const record = stock.data.meshes[surfaces.meshes[first]];
      const override = surfaces.materials[first];
      const used = override >= 0 ? record.parts.map(() => override) : record.parts.map((part) => part[2]);
      const materials = used.map((each) => stock.material(each, ghost, Boolean(record.colours)));
      const mesh = new InstancedMesh(
        stock.geometry(surfaces.meshes[first]),
        materials.length > 1 ? materials : materials[0],
        numbers.length,
      );
      mesh.frustumCulled = false;
      mesh.userData = { numbers, layer: LAYERS[surfaces.layers[first]] };
      this.batches.push(mesh);
      this.group.add(mesh);
    }
    this.offsets = offsets;
    this.marks = ghost ? [] : [this.makeTriads(size), this.makeAxes(size)].filter(Boolean);
    for (const mark of this.marks) this.group.add(mark);
  }

  makeTriads(size) {
    const { triads } = this.model;
    if (!triads.length) return null;
    const mesh = new InstancedMesh(triadGeometry(), new MeshBasicMaterial({ vertexColors: true, depthTest: false }), triads.length);
    mesh.renderOrder = 1; // in front of surfaces: most frames are inside of a link
    mesh.userData = { layer: "frames", rows: triads, local: () => new Matrix4().makeScale(size, size, size) };
    mesh.frustumCulled = false;
    return mesh;
  }

  makeAxes(size) {
    const { rows, axes } = this.model.joints;
    if (!rows.length) return null;
    const mesh = new InstancedMesh(arrowGeometry(), new MeshBasicMaterial({ color: "#CC79A7", depthTest: false }), rows.length);
    mesh.renderOrder = 1;
    const local = (at) => alongAxis(axes.subarray(3 * at, 3 * at + 3), 1.6 * size);
    mesh.userData = { layer: "joints", rows, local };
    mesh.frustumCulled = false;
    return mesh;
  }

  /** Puts all surfaces and marks where the poses of the rows say. */
  place(X) {
    const { rows, scales, X_RowG } = this.model.surfaces;
    const matrix = new Matrix4();
    const placed = new Float64Array(16);
    for (const mesh of this.batches) {
      mesh.userData.numbers.forEach((surface, instance) => {
        const offset = this.offsets.get(surface);
        if (offset === undefined) placed.set(X.subarray(16 * rows[surface], 16 * rows[surface] + 16));
        else multiply(X, 16 * rows[surface], X_RowG, offset, placed, 0);
        setRows(matrix, placed, 0);
        matrix.scale({ x: scales[3 * surface], y: scales[3 * surface + 1], z: scales[3 * surface + 2] });
        mesh.setMatrixAt(instance, Number.isFinite(placed[3]) ? matrix : NOWHERE);
      });
      mesh.instanceMatrix.needsUpdate = true;
      mesh.boundingSphere = null;
    }
    for (const mesh of this.marks) {
      mesh.userData.rows.forEach((row, instance) => {
        setRows(matrix, X, 16 * row);
        const isPlaced = Number.isFinite(X[16 * row + 3]);
        mesh.setMatrixAt(instance, isPlaced ? matrix.multiply(mesh.userData.local(instance)) : NOWHERE);
      });
      mesh.instanceMatrix.needsUpdate = true;
    }
  }

  /** Lights up the surfaces of some rows. */
  light(selected) {
    const { rows } = this.model.surfaces;
    for (const mesh of this.batches) {
      mesh.userData.numbers.forEach((surface, instance) => {
        mesh.setColorAt(instance, selected.has(rows[surface]) ? SELECTED : PLAIN);
      });
      if (mesh.instanceColor) mesh.instanceColor.needsUpdate = true;
    }
  }

  show(layers) {
    for (const mesh of [...this.batches, ...this.marks]) {
      const layer = mesh.userData.layer === "placeholder" ? "visual" : mesh.userData.layer;
      mesh.visible = layers.has(layer);
    }
  }
}

const NOWHERE = new Matrix4().makeScale(0, 0, 0);

/** Sets a matrix of three.js from 16 numbers row by row. */
export function setRows(matrix, X, at) {
  const [a, b, c, d, e, f, g, h, i, j, k, l] = X.subarray(at, at + 12);
  return matrix.set(a, b, c, d, e, f, g, h, i, j, k, l, 0, 0, 0, 1);
}

function coloured(geometry, colour) {
  const { r, g, b } = new Color(colour);
  const count = geometry.attributes.position.count;
  const colours = new Float32Array(3 * count);
  for (let i = 0; i < count; i++) colours.set([r, g, b], 3 * i);
  geometry.setAttribute("color", new BufferAttribute(colours, 3));
  return geometry;
}

/** Three arms of length one along x, y and z. */
export function triadGeometry() {
  const arms = AXES.map((colour, axis) => {
    const arm = coloured(new CylinderGeometry(0.025, 0.025, 1, 8).translate(0, 0.5, 0), colour);
    if (axis === 0) arm.rotateZ(-Math.PI / 2);
    if (axis === 2) arm.rotateX(Math.PI / 2);
    return arm;
  });
  return mergeGeometries([...arms, coloured(new BoxGeometry(0.08, 0.08, 0.08), "#888888")]);
}

/** An arrow of length one along z. */
function arrowGeometry() {
  const shaft = new CylinderGeometry(0.018, 0.018, 0.85, 8).translate(0, 0.425, 0);
  return mergeGeometries([shaft, new ConeGeometry(0.05, 0.15, 12).translate(0, 0.925, 0)]).rotateX(Math.PI / 2);
}

function alongAxis([x, y, z], length) {
  const away = Math.abs(z) < 0.9 ? [0, 0, 1] : [1, 0, 0];
  const u = unit(cross(away, [x, y, z]));
  const v = cross([x, y, z], u);
  return new Matrix4()
    .set(u[0], v[0], x, 0, u[1], v[1], y, 0, u[2], v[2], z, 0, 0, 0, 0, 1)
    .multiply(new Matrix4().makeScale(length, length, length));
}

function cross(a, b) {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}

function unit(a) {
  const length = Math.hypot(...a) || 1;
  return a.map((each) => each / length);
}
