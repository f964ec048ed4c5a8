// Unpacks what sdfviewer/export/page.py has packed.

const TYPES = {
  f8: Float64Array,
  f4: Float32Array,
  i4: Int32Array,
  u4: Uint32Array,
  u2: Uint16Array,
  i1: Int8Array,
  u1: Uint8Array,
};

/** Returns the record in an ArrayBuffer; its arrays are flat typed arrays that share the buffer. */
export function unpack(buffer) {
  const length = new DataView(buffer).getUint32(0, true);
  const header = new TextDecoder().decode(new Uint8Array(buffer, 4, length));
  const start = 4 + length;
  return JSON.parse(header, (_, value) => {
    if (value === null || typeof value !== "object" || !Array.isArray(value.$)) return value;
    const [type, offset, shape] = value.$;
    return new TYPES[type](
      buffer,
      start + offset,
      shape.reduce((product, each) => product * each, 1),
    );
  });
}
