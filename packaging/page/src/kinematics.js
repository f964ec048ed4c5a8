// Multiplies the tables of sdfviewer.model.kinematics.forward.MotionTables. No rule of a format is here.
// Matrices are 4 × 4 in Float64Arrays, row by row.

const IDENTITY = Float64Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1);

/** Writes the product of two poses, a[i..] and b[j..], to out[k..]. */
export function multiply(a, i, b, j, out, k) {
  for (let row = 0; row < 3; row++) {
    const x = a[i + 4 * row];
    const y = a[i + 4 * row + 1];
    const z = a[i + 4 * row + 2];
    for (let column = 0; column < 4; column++) {
      out[k + 4 * row + column] = x * b[j + column] + y * b[j + 4 + column] + z * b[j + 8 + column];
    }
    out[k + 4 * row + 3] += a[i + 4 * row + 3];
  }
  out[k + 12] = out[k + 13] = out[k + 14] = 0;
  out[k + 15] = 1;
}

/** Returns x, y, z, roll, pitch, yaw of a pose, as a file writes them. */
export function poseNumbers(X) {
  const pitch = Math.atan2(-X[8], Math.hypot(X[0], X[4]));
  const isLevel = Math.abs(Math.cos(pitch)) > 1e-9;
  const roll = isLevel ? Math.atan2(X[9], X[10]) : 0;
  const yaw = isLevel ? Math.atan2(X[4], X[0]) : Math.atan2(-X[1], X[5]);
  return [X[3], X[7], X[11], roll, pitch, yaw];
}

/** Returns positions with all followers where their leaders put them. */
export function follow(model, q) {
  return Float64Array.from(q, (_, column) => q[model.sources[column]] * model.gains[column] + model.offsets[column]);
}

/** Returns X_RootF(q) of all rows of a convention, 16 numbers each. */
export function poses(convention, q) {
  const { bases, columns, parents, nodes, X0 } = convention;
  const D = new Float64Array(16 * columns.length);
  const E = new Float64Array(16);
  for (let node = 0; node < columns.length; node++) {
    const angle = columns[node] < 0 ? 0 : q[columns[node]];
    const sine = Math.sin(angle);
    const versine = 2 * Math.sin(angle / 2) ** 2;
    for (let entry = 0; entry < 16; entry++) {
      const at = 64 * node + entry;
      E[entry] = bases[at] + sine * bases[at + 16] + versine * bases[at + 32] + angle * bases[at + 48];
    }
    const parent = parents[node];
    multiply(parent < 0 ? IDENTITY : D, parent < 0 ? 0 : 16 * parent, E, 0, D, 16 * node);
  }
  const X = new Float64Array(X0.length);
  for (let row = 0; row < nodes.length; row++) {
    const node = nodes[row];
    if (node < 0) X.set(X0.subarray(16 * row, 16 * row + 16), 16 * row);
    else multiply(D, 16 * node, X0, 16 * row, X, 16 * row);
  }
  return X;
}

/** Returns positions on a solved path of a mechanism with loops, between its two nearest samples. */
export function onPath(path, value, width) {
  const { values, q } = path;
  const last = values.length - 1;
  const part = Math.min(Math.max(((value - values[0]) / (values[last] - values[0])) * last, 0), last);
  const at = Math.min(Math.floor(part), last - 1);
  const share = part - at;
  return Float64Array.from(
    { length: width },
    (_, column) => (1 - share) * q[at * width + column] + share * q[(at + 1) * width + column],
  );
}
