// Where the bodies are: between two moments along the cubic that has their places and velocities.
function cubic(a, va, b, vb, h, s) {
  const s2 = s * s;
  const s3 = s2 * s;
  return (2 * s3 - 3 * s2 + 1) * a + (s3 - 2 * s2 + s) * h * va + (3 * s2 - 2 * s3) * b + (s3 - s2) * h * vb;
}

/** The pose of every body: a turn (matrix of three rows) and a place. */
function posesAt(track, planar, t) {
  const k = below(track.t, t);
  const n = Math.min(k + 1, track.t.length - 1);
  const h = track.t[n] - track.t[k];
  const s = h > 0 ? Math.min(Math.max((t - track.t[k]) / h, 0), 1) : 0;
  return track.poses.map((c) => (planar ? flat(c, k, n, h, s) : deep(c, k, n, h, s)));
}

function flat(c, k, n, h, s) {
  const [x, y, angle] = [0, 1, 2].map((i) => cubic(c[i][k], c[i + 3][k], c[i][n], c[i + 3][n], h, s));
  const [sin, cos] = [Math.sin(angle), Math.cos(angle)];
  return { R: [[cos, -sin, 0], [sin, cos, 0], [0, 0, 1]], p: [x, y, 0] };
}

function deep(c, k, n, h, s) {
  const p = [0, 1, 2].map((i) => cubic(c[i][k], c[i + 7][k], c[i][n], c[i + 7][n], h, s));
  const q = slerp([3, 4, 5, 6].map((i) => c[i][k]), [3, 4, 5, 6].map((i) => c[i][n]), s);
  return { R: matrix(q), p };
}

function slerp(a, b, s) {
  const dot = Math.min(1, a.reduce((sum, x, i) => sum + x * b[i], 0));
  const angle = Math.acos(dot);
  const [f, g] = angle > 1e-6 ? [Math.sin((1 - s) * angle), Math.sin(s * angle)] : [1 - s, s];
  const q = a.map((x, i) => f * x + g * b[i]);
  const size = Math.hypot(...q);
  return q.map((x) => x / size);
}

function matrix([w, x, y, z]) {
  return [
    [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
    [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
    [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
  ];
}

const AT_REST = { R: [[1, 0, 0], [0, 1, 0], [0, 0, 1]], p: [0, 0, 0] };
const dot3 = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const turned = (pose, v) => pose.R.map((row) => dot3(row, v));
const placed = (pose, v) => pose.R.map((row, i) => dot3(row, v) + pose.p[i]);
const plus = (a, b, f = 1) => a.map((x, i) => x + f * b[i]);
