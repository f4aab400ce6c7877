// Surfaces with a depth buffer: facets of bodies, shaded by how much they face the reader, coloured by body or by a quantity.
const RAMP = [[68, 1, 84], [59, 82, 139], [33, 145, 140], [94, 201, 98], [253, 231, 37]];

/** A colour of the ramp, from 0 to 1. */
function ramp(part) {
  const x = Math.min(Math.max(part, 0), 1) * (RAMP.length - 1);
  const k = Math.min(Math.floor(x), RAMP.length - 2);
  return RAMP[k].map((c, i) => c + (x - k) * (RAMP[k + 1][i] - c));
}

function bytesOf(text) {
  const raw = atob(text);
  const out = new Uint8Array(raw.length);
  for (let k = 0; k < raw.length; k += 1) out[k] = raw.charCodeAt(k);
  return out;
}

/** The corners of a body's facets in its own frame, and its shades. */
function unpacked(solid) {
  const bytes = bytesOf(solid.facets);
  const corners = new Float32Array(bytes.length / 2);
  for (let k = 0; k < corners.length; k += 1) {
    corners[k] = solid.low[k % 3] + solid.step * (bytes[2 * k] + 256 * bytes[2 * k + 1]);
  }
  return { corners, shades: (solid.shades || []).map(bytesOf) };
}

const surfaces = new Map();
/** The surface of an outline; null if it has none. */
function surfaceOf(outline) {
  if (!outline.solid) return null;
  if (!surfaces.has(outline)) surfaces.set(outline, unpacked(outline.solid));
  return surfaces.get(outline);
}

/** "#rrggbb", or "rgb(…)", as three numbers. */
function channels(text) {
  const hex = text.match(/^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i);
  if (hex) return hex.slice(1).map((x) => parseInt(x, 16));
  return (text.match(/[\d.]+/g) || [128, 128, 128]).slice(0, 3).map(Number);
}

class Shader {
  constructor() {
    this.canvas = document.createElement("canvas");
  }

  /** A clean sheet of so many dots. */
  begin(width, height) {
    if (this.canvas.width !== width || this.canvas.height !== height) {
      [this.canvas.width, this.canvas.height] = [width, height];
      this.depth = new Float32Array(width * height);
      this.image = new ImageData(width, height);
      this.dots = new Uint32Array(this.image.data.buffer);
    }
    this.depth.fill(-Infinity);
    this.dots.fill(0);
  }

  /** Draws a surface at a pose; `shades` chooses the colours of a quantity, else `colour` is that of the body. */
  add(surface, pose, camera, ratio, colour, shades) {
    const { corners } = surface;
    // Screen and depth as one matrix: rows right, down and toward the reader.
    const rows = [[camera.right, ratio * camera.scale], [camera.upward, -ratio * camera.scale], [camera.toward, 1]];
    const middle = [(ratio * camera.width) / 2, (ratio * camera.height) / 2, 0];
    const at = plus(pose.p, camera.center, -1);
    const m = rows.map(([axis, scale]) => [0, 1, 2].map((k) => scale * (axis[0] * pose.R[0][k] + axis[1] * pose.R[1][k] + axis[2] * pose.R[2][k])));
    const o = rows.map(([axis, scale], k) => middle[k] + scale * dot3(axis, at));
    const size = ratio * camera.scale;
    const s = new Float64Array(9);
    for (let f = 0; f < corners.length / 9; f += 1) {
      for (let c = 0; c < 3; c += 1) {
        const [x, y, z] = [corners[9 * f + 3 * c], corners[9 * f + 3 * c + 1], corners[9 * f + 3 * c + 2]];
        for (let k = 0; k < 3; k += 1) s[3 * c + k] = o[k] + m[k][0] * x + m[k][1] * y + m[k][2] * z;
      }
      // The normal in dots: how much of it points to the reader.
      const [ux, uy, uz] = [s[3] - s[0], s[4] - s[1], size * (s[5] - s[2])];
      const [vx, vy, vz] = [s[6] - s[0], s[7] - s[1], size * (s[8] - s[2])];
      const [nx, ny, nz] = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx];
      if (nz === 0) continue;
      const long = Math.hypot(nx, ny, nz);
      const light = 0.42 + (0.5 * Math.abs(nz)) / long + (0.08 * Math.abs(nx - ny)) / long;
      const shade = shades ? shades[f] : 0;
      const base = shades ? (shade ? ramp((shade - 1) / 254) : [150, 150, 150]) : colour;
      const [r, g, b] = base.map((x) => Math.min(255, Math.round(x * light)));
      this.fill(s, nz, (255 << 24) | (b << 16) | (g << 8) | r);
    }
  }

  fill(s, area, colour) {
    const { width, height } = this.canvas;
    const x0 = Math.max(Math.ceil(Math.min(s[0], s[3], s[6]) - 0.5), 0);
    const x1 = Math.min(Math.floor(Math.max(s[0], s[3], s[6]) + 0.5), width - 1);
    const y0 = Math.max(Math.ceil(Math.min(s[1], s[4], s[7]) - 0.5), 0);
    const y1 = Math.min(Math.floor(Math.max(s[1], s[4], s[7]) + 0.5), height - 1);
    for (let y = y0; y <= y1; y += 1) {
      for (let x = x0; x <= x1; x += 1) {
        const [px, py] = [x + 0.5, y + 0.5];
        const b = ((s[6] - s[0]) * (s[1] - py) - (s[0] - px) * (s[7] - s[1])) / area;
        const c = ((px - s[0]) * (s[4] - s[1]) - (s[3] - s[0]) * (py - s[1])) / -area;
        // A hair beyond the edges, so that neighbours leave no gap.
        if (b >= -1e-6 && c >= -1e-6 && b + c <= 1 + 1e-6) {
          const z = s[2] + b * (s[5] - s[2]) + c * (s[8] - s[2]);
          const k = y * width + x;
          if (z > this.depth[k]) {
            this.depth[k] = z;
            this.dots[k] = colour;
          }
        }
      }
    }
  }

  /** Whether something stands nearer to the reader than a point, by more than a length. */
  hides([x, y, z], ratio, room) {
    const [i, j] = [Math.floor(ratio * x), Math.floor(ratio * y)];
    if (!this.depth || i < 0 || j < 0 || i >= this.canvas.width || j >= this.canvas.height) return false;
    return this.depth[j * this.canvas.width + i] > z + room;
  }

  /** The picture onto a canvas of that size. */
  show(context, width, height) {
    this.canvas.getContext("2d").putImageData(this.image, 0, 0);
    context.imageSmoothingQuality = "high";
    context.drawImage(this.canvas, 0, 0, width, height);
  }
}
