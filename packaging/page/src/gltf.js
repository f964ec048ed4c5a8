// Reads the binary glTF that sdfviewer/export/gltf.py writes: meshes compressed with meshopt, materials, textures.

// The decoder in JavaScript: a page that compiles WebAssembly needs a policy that allows it.
import { MeshoptDecoder } from "../node_modules/meshoptimizer/meshopt_decoder_reference.js";

const HEADER = 12;
const CHUNK = 8;
const COMPONENTS = { 5120: Int8Array, 5121: Uint8Array, 5123: Uint16Array, 5125: Uint32Array, 5126: Float32Array };
const WIDTHS = { SCALAR: 1, VEC2: 2, VEC3: 3 };
const MESHOPT = "EXT_meshopt_compression";

/** A file in a Uint8Array. */
export class Gltf {
  constructor(file) {
    const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
    const length = view.getUint32(HEADER, true);
    const start = HEADER + CHUNK;
    this.json = JSON.parse(new TextDecoder().decode(file.subarray(start, start + length)));
    this.bytes = file.subarray(start + length + CHUNK);
  }

  /** Returns the primitives of a node: geometry in metres, and the number of the material. */
  primitives(node) {
    const { mesh, translation, scale } = this.json.nodes[node];
    return this.json.meshes[mesh].primitives.map(({ attributes, indices, material }) => {
      const { POSITION, ...others } = Object.fromEntries(
        Object.entries(attributes).map(([name, number]) => [name, this.accessor(number)]),
      );
      const positions = new Float32Array(POSITION.count * 3);
      for (let vertex = 0; vertex < POSITION.count; vertex++) {
        for (let axis = 0; axis < 3; axis++) {
          const value = POSITION.array[vertex * POSITION.stride + axis] / 65535;
          positions[3 * vertex + axis] = translation[axis] + scale[axis] * value;
        }
      }
      return { positions, others, indices: this.accessor(indices).array, material };
    });
  }

  /** Returns the numbers of an accessor, with how many of them there are from one element to the next. */
  accessor(number) {
    const { bufferView, componentType, count, type, normalized = false } = this.json.accessors[number];
    const { buffer, byteOffset = 0, byteLength, byteStride, count: rows, mode } = this.json.bufferViews[bufferView].extensions[MESHOPT];
    const decoded = new Uint8Array(rows * byteStride);
    MeshoptDecoder.decodeGltfBuffer(decoded, rows, byteStride, this.bytes.slice(byteOffset, byteOffset + byteLength), mode);
    const array = new COMPONENTS[componentType](decoded.buffer);
    return { array, count, width: WIDTHS[type], stride: array.length / rows, normalized };
  }

  /** Returns the picture of a texture as a file of its own. */
  picture(texture) {
    const { bufferView, mimeType } = this.json.images[this.json.textures[texture].source];
    const { byteOffset = 0, byteLength } = this.json.bufferViews[bufferView];
    return new Blob([this.bytes.subarray(byteOffset, byteOffset + byteLength)], { type: mimeType });
  }
}
