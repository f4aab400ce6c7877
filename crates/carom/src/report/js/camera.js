// From the world to the canvas. A planar machine is looked at along z; one in space can be turned.
const HOME = [0.65, 0.42];

class Camera {
  constructor(scene, tracks) {
    this.planar = scene.planar;
    const g = scene.gravity;
    const size = Math.hypot(...g);
    // Up is against gravity; without gravity it is z.
    this.up = size > 0 ? g.map((x) => -x / size) : [0, 0, 1];
    this.home();
    this.fit(scene, tracks);
  }

  home() {
    [this.yaw, this.pitch] = HOME;
    this.zoom = 1;
    if (this.start) this.center = this.start;
  }

  /** All that is ever drawn has to be in view. */
  fit(scene, tracks) {
    const points = [];
    const take = (outline, pose) => {
      outline.lines.forEach((line) => line.p.forEach((p) => points.push(placed(pose, p))));
      const surface = surfaceOf(outline);
      // Every tenth corner of a surface tells its extent well enough.
      for (let k = 0; surface && k < surface.corners.length; k += 30) points.push(placed(pose, [...surface.corners.slice(k, k + 3)]));
      outline.rods.forEach((rod) => points.push(placed(pose, rod.a), placed(pose, rod.b)));
      outline.balls.forEach((ball) => {
        const c = placed(pose, ball.c);
        [0, 1, 2].forEach((k) => [-1, 1].forEach((sign) => {
          points.push(c.map((x, i) => (i === k ? x + sign * ball.r : x)));
        }));
      });
      [outline.joints, outline.tips, outline.blocks].forEach((list) => list.forEach((p) => points.push(placed(pose, p))));
      if (outline.center) points.push(placed(pose, outline.center));
    };
    take(scene.ground, AT_REST);
    tracks.forEach((track) => {
      const count = Math.min(track.t.length, 80);
      for (let k = 0; k < count; k += 1) {
        const t = track.t[Math.round((k * (track.t.length - 1)) / Math.max(count - 1, 1))];
        posesAt(track, this.planar, t).forEach((pose, b) => take(scene.bodies[b], pose));
      }
    });
    (data.pose ? data.pose.marks : []).forEach((mark) => points.push(mark.at));
    const least = [0, 1, 2].map((k) => points.reduce((m, p) => Math.min(m, p[k]), Infinity));
    const most = [0, 1, 2].map((k) => points.reduce((m, p) => Math.max(m, p[k]), -Infinity));
    this.center = least.map((x, k) => (Number.isFinite(x) ? (x + most[k]) / 2 : 0));
    this.extent = least.map((x, k) => (Number.isFinite(x) ? most[k] - x : 0));
    this.radius = Math.hypot(...this.extent) / 2;
    // Of a single point there is nothing to measure.
    if (!(this.radius > 1e-9)) [this.radius, this.extent] = [0.5, [1, 1, 1]];
    this.points = this.planar ? [] : points;
    if (!this.planar) this.middle();
    this.start = this.center;
  }

  /** The middle of what is seen at first, which need not be the middle of the box around it. */
  middle() {
    this.axes(...HOME);
    if (!this.points.length) return;
    [this.right, this.upward].forEach((axis) => {
      const along = this.points.map((p) => dot3(plus(p, this.center, -1), axis));
      const shift = (along.reduce((m, x) => Math.min(m, x), Infinity) + along.reduce((m, x) => Math.max(m, x), -Infinity)) / 2;
      this.center = plus(this.center, axis, shift);
    });
  }

  /** Moves the picture by so many dots. */
  pan(across, down) {
    this.center = plus(plus(this.center, this.right, -across / this.scale), this.upward, down / this.scale);
  }

  /** For a canvas of that size. */
  look(width, height) {
    [this.width, this.height] = [width, height];
    if (this.planar) {
      const [ex, ey] = this.extent;
      const least = 0.25 * Math.max(ex, ey, 1e-9);
      this.scale = this.zoom * Math.min((0.8 * width) / Math.max(ex, least), (0.76 * height) / Math.max(ey, least));
      this.right = [1, 0, 0];
      this.upward = [0, 1, 0];
      this.toward = [0, 0, 1];
      return;
    }
    this.scale = this.zoom * this.fill(width, height);
    this.axes(this.yaw, this.pitch);
  }

  /** Dots of a metre: everything fills the frame as it is seen at first, with room for names, ruler and axes. */
  fill(width, height) {
    const whole = (0.86 * Math.min(width, height)) / (2 * this.radius);
    if (!this.points.length) return whole;
    this.axes(...HOME);
    const far = (axis) => this.points.reduce((most, p) => Math.max(most, Math.abs(dot3(plus(p, this.start, -1), axis))), 1e-9 * this.radius);
    return Math.max(whole, 0.42 * Math.min(width / far(this.right), height / far(this.upward)));
  }

  /** The directions right, up and towards the reader. */
  axes(yaw, pitch) {
    const start = Math.abs(this.up[0]) < 0.9 ? [1, 0, 0] : [0, 1, 0];
    const x = unit(plus(start, this.up, -dot3(start, this.up)));
    const y = cross(this.up, x);
    const level = plus(x.map((c) => c * Math.cos(yaw)), y, Math.sin(yaw));
    this.toward = plus(level.map((c) => c * Math.cos(pitch)), this.up, Math.sin(pitch));
    this.right = unit(cross(this.up, level));
    this.upward = cross(this.toward, this.right);
  }

  /** Across, down and towards the reader. */
  project(p) {
    const d = plus(p, this.center, -1);
    return [
      this.width / 2 + this.scale * dot3(d, this.right),
      this.height / 2 - this.scale * dot3(d, this.upward),
      dot3(d, this.toward),
    ];
  }
}

const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const unit = (a) => { const size = Math.hypot(...a) || 1; return a.map((x) => x / size); };
