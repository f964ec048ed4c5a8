// One model as three.js draws it: each mesh with each material once, at the places of all its surfaces.

import {
  Box3,
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
  InterleavedBuffer,
  InterleavedBufferAttribute,
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
const BLANK = [200, 200, 200, 255]; // of textures that are not there yet
const SELECTED = new Color(1.5, 1.15, 0.35);
const PLAIN = new Color(1, 1, 1);
const AXES = ["#F2545B", "#5BBF4A", "#4C8DFF"];

/** Makes geometries, materials and textures of a glTF file, each once, and shares them among figures. */
export class Stock {
  constructor(gltf) {
    this.gltf = gltf;
    this.meshes = new Map();
    this.materials = new Map();
    this.looks = new Map();
    this.textures = new Map();
    this.placed = []; // textures that share a picture with one of those
  }

  /** Returns the primitives of a node: each with its geometry and the number of its material. */
  mesh(node) {
    return once(this.meshes, node, () => this.gltf.primitives(node).map(makePrimitive));
  }

  material(number, ghost, hasColours, isWhite = false) {
    const record = this.gltf.json.materials[number];
    const key = `${number} ${ghost} ${hasColours} ${isWhite}`;
    return once(this.materials, key, () => {
      const material = this.makeMaterial(record, ghost, hasColours);
      if (isWhite) material.color.copy(PLAIN);
      return material;
    });
  }

  /** Returns a text that materials share that differ in their colour only. */
  look(number) {
    return once(this.looks, number, () => {
      if (number < 0) return "own";
      const { pbrMetallicRoughness, name, ...others } = this.gltf.json.materials[number];
      const { baseColorFactor, ...surface } = pbrMetallicRoughness;
      return JSON.stringify([surface, baseColorFactor[3], others]);
    });
  }

  colour(number) {
    return new Color(...this.gltf.json.materials[number].pbrMetallicRoughness.baseColorFactor.slice(0, 3));
  }

  makeMaterial({ pbrMetallicRoughness: surface, emissiveFactor, doubleSided, alphaMode }, ghost, hasColours) {
    const [red, green, blue, opacity] = surface.baseColorFactor;
    const shown = ghost ? Math.min(opacity, 0.3) : opacity;
    const material = new MeshStandardMaterial({
      color: new Color(red, green, blue),
      emissive: new Color(...emissiveFactor),
      roughness: Math.max(surface.roughnessFactor, 0.3),
      metalness: Math.min(surface.metallicFactor, 0.6),
      opacity: shown,
      transparent: shown < 1,
      depthWrite: shown >= 1,
      side: doubleSided || shown < 1 ? DoubleSide : FrontSide,
      alphaTest: alphaMode === "MASK" ? 0.5 : 0,
      vertexColors: hasColours,
    });
    if (ghost) material.color.lerp(new Color("#E69F00"), 0.6);
    if (surface.baseColorTexture) {
      const { index, extensions } = surface.baseColorTexture;
      material.map = once(this.textures, index, () => this.makeTexture(index));
      if (extensions) {
        const { scale, offset } = extensions.KHR_texture_transform;
        material.map = material.map.clone();
        material.map.repeat.set(...scale);
        material.map.offset.set(...offset);
        this.placed.push(material.map);
      }
    }
    return material;
  }

  makeTexture(index) {
    const texture = new Texture(new ImageData(Uint8ClampedArray.of(...BLANK), 1, 1));
    texture.colorSpace = SRGBColorSpace;
    texture.wrapS = texture.wrapT = RepeatWrapping;
    texture.flipY = false;
    texture.needsUpdate = true;
    return texture;
  }

  /** Puts the pictures in all textures, and calls a function for each texture that can be shown. */
  loadTextures(show) {
    for (const [index, texture] of this.textures) {
      createImageBitmap(this.gltf.picture(index), { colorSpaceConversion: "none", premultiplyAlpha: "none" })
        .then((picture) => {
          texture.image = picture;
          for (const each of [texture, ...this.placed].filter(({ source }) => source === texture.source)) {
            each.dispose(); // what was there has another size
            each.needsUpdate = true;
            show(each);
          }
        })
        .catch((error) => console.warn("A texture cannot be shown:", error.message));
    }
  }
}

/** Returns the value of a key, which is made where it is asked for first. */
function once(map, key, make) {
  if (!map.has(key)) map.set(key, make());
  return map.get(key);
}

const ATTRIBUTES = { NORMAL: "normal", TEXCOORD_0: "uv", COLOR_0: "color" };

function makePrimitive({ positions, others, indices, material }) {
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(positions, 3));
  geometry.setIndex(new BufferAttribute(indices, 1));
  for (const [name, { array, width, stride, normalized }] of Object.entries(others)) {
    const buffer = new InterleavedBuffer(array, stride);
    geometry.setAttribute(ATTRIBUTES[name], new InterleavedBufferAttribute(buffer, width, 0, normalized));
  }
  const hasColours = Boolean(others.COLOR_0);
  if (others.NORMAL) return { geometry, material, hasColours };
  const flat = geometry.toNonIndexed();
  flat.computeVertexNormals();
  return { geometry: flat, material, hasColours };
}

/** A model in one convention; a ghost is drawn pale beside another figure. */
export class Figure {
  constructor(stock, model, { ghost = false } = {}) {
    this.model = model;
    this.group = new Group();
    this.batches = [];
    const surfaces = model.surfaces;
    const offsets = new Map([...surfaces.offset].map((surface, at) => [surface, 16 * at]));
    const batches = new Map();
    for (let surface = 0; surface < surfaces.rows.length; surface++) {
      const look = ghost ? surfaces.materials[surface] : stock.look(surfaces.materials[surface]);
      const key = `${surfaces.meshes[surface]} ${look} ${surfaces.layers[surface]}`;
      if (!batches.has(key)) batches.set(key, []);
      batches.get(key).push(surface);
    }
    for (const numbers of batches.values()) {
      const first = numbers[0];
      const override = surfaces.materials[first];
      const isTinted = numbers.some((surface) => surfaces.materials[surface] !== override);
      const tints = isTinted ? numbers.map((surface) => stock.colour(surfaces.materials[surface])) : null;
      for (const { geometry, material, hasColours } of stock.mesh(surfaces.meshes[first])) {
        const number = override >= 0 ? override : material;
        const mesh = new InstancedMesh(geometry, stock.material(number, ghost, hasColours, isTinted), numbers.length);
        mesh.frustumCulled = false;
        mesh.userData = { numbers, tints, layer: LAYERS[surfaces.layers[first]] };
        this.batches.push(mesh);
        this.group.add(mesh);
      }
    }
    this.light(new Set()); // a colour for each instance: one program draws all
    this.offsets = offsets;
    this.marks = ghost ? [] : [this.makeTriads(), this.makeAxes()].filter(Boolean);
    this.size = 0;
    for (const mark of this.marks) this.group.add(mark);
  }

  makeTriads() {
    const { triads } = this.model;
    if (!triads.length) return null;
    const mesh = new InstancedMesh(triadGeometry(), new MeshBasicMaterial({ vertexColors: true, depthTest: false }), triads.length);
    mesh.renderOrder = 1; // in front of surfaces: most frames are inside of a link
    mesh.userData = { layer: "frames", rows: triads, local: () => new Matrix4() };
    mesh.frustumCulled = false;
    return mesh;
  }

  makeAxes() {
    const { rows, axes } = this.model.joints;
    if (!rows.length) return null;
    const mesh = new InstancedMesh(arrowGeometry(), new MeshBasicMaterial({ color: "#CC79A7", depthTest: false }), rows.length);
    mesh.renderOrder = 1;
    const local = (at) => alongAxis(axes.subarray(3 * at, 3 * at + 3), 1.6);
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
    this.X = X;
    this.resize(this.size);
  }

  /** Draws frames and axes in a size in metres. */
  resize(size) {
    this.size = size;
    const matrix = new Matrix4();
    const scale = new Matrix4().makeScale(size, size, size);
    for (const mesh of this.marks) {
      mesh.userData.rows.forEach((row, instance) => {
        setRows(matrix, this.X, 16 * row);
        const isPlaced = Number.isFinite(this.X[16 * row + 3]);
        mesh.setMatrixAt(instance, isPlaced ? matrix.multiply(scale).multiply(mesh.userData.local(instance)) : NOWHERE);
      });
      mesh.instanceMatrix.needsUpdate = true;
    }
  }

  /** Returns the box around the surfaces of some rows that are shown, empty where there are none. */
  box(rows) {
    const [box, matrix] = [new Box3(), new Matrix4()];
    for (const mesh of this.batches.filter((each) => each.visible)) {
      if (!mesh.geometry.boundingBox) mesh.geometry.computeBoundingBox();
      mesh.userData.numbers.forEach((surface, instance) => {
        if (!rows.has(this.model.surfaces.rows[surface])) return;
        mesh.getMatrixAt(instance, matrix);
        box.union(mesh.geometry.boundingBox.clone().applyMatrix4(matrix));
      });
    }
    return box;
  }

  /** Lights up the surfaces of some rows. */
  light(selected) {
    const { rows } = this.model.surfaces;
    const colour = new Color();
    for (const mesh of this.batches) {
      const { numbers, tints } = mesh.userData;
      numbers.forEach((surface, instance) => {
        colour.copy(tints ? tints[instance] : PLAIN);
        if (selected.has(rows[surface])) colour.multiply(SELECTED);
        mesh.setColorAt(instance, colour);
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
