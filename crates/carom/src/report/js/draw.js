// The machine on a canvas: ground, bodies from far to near, contacts.
const BODY_COLOURS = 8;

/** How far a body reaches from the middle of its own frame; 0 of one without extent. */
function sizeOf(body) {
  const points = [...body.lines.flatMap((line) => line.p), ...body.rods.flatMap((rod) => [rod.a, rod.b])];
  const balls = body.balls.map((ball) => Math.hypot(...ball.c) + ball.r);
  return Math.max(largest(points.map((p) => Math.hypot(...p))), largest(balls));
}

class Painter {
  constructor(canvas, scene, camera) {
    Object.assign(this, { canvas, scene, camera, names: scene.bodies.length <= (scene.planar ? 6 : 3) });
    this.sizes = scene.bodies.map(sizeOf);
    this.context = canvas.getContext("2d");
    this.shader = new Shader();
    this.quantity = data.skin ? 0 : -1;
    this.palette();
  }

  palette() {
    this.ink = colour("ink");
    this.soft = colour("soft");
    this.line = colour("line");
    this.grid = colour("grid");
    this.paper = colour("paper");
    this.force = colour("force");
    this.fill = Number(colour("fill"));
    this.bodies = Array.from({ length: BODY_COLOURS }, (_, k) => colour(`b${k}`));
  }

  resize(width, height) {
    const ratio = Math.min(window.devicePixelRatio || 1, 3);
    this.canvas.width = Math.round(width * ratio);
    this.canvas.height = Math.round(height * ratio);
    this.canvas.style.height = `${height}px`;
    this.context.setTransform(ratio, 0, 0, ratio, 0, 0);
    [this.width, this.height] = [width, height];
  }

  /** Poses of the bodies, and contacts: place, normal, force as a part of the largest, name. */
  paint(poses, contacts) {
    const { context, camera, scene } = this;
    camera.look(this.width, this.height);
    context.clearRect(0, 0, this.width, this.height);
    context.lineJoin = "round";
    context.lineCap = "round";
    this.outline(scene.ground, AT_REST, this.soft, true);
    scene.springs.forEach((spring) => this.spring(poses, spring));
    const far = poses.map((pose, b) => [camera.project(placed(pose, scene.bodies[b].center))[2], b]);
    far.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
    far.forEach(([, b]) => this.outline(scene.bodies[b], poses[b], this.bodies[b % BODY_COLOURS], false));
    // Sticks between surfaces that do not meet stay behind them.
    if ([scene.ground, ...scene.bodies].some((body) => body.solid)) this.surfaces(poses);
    contacts.forEach((contact) => this.contact(contact));
    this.worst();
    if (this.names) this.label(poses);
    this.ruler();
    if (!camera.planar) this.triad();
  }

  /** Bodies with a surface, hidden by what is before them. Twice the dots make smooth edges, when the view is at rest. */
  surfaces(poses) {
    const { scene, camera, shader } = this;
    const ratio = Math.min(window.devicePixelRatio || 1, 2) * (this.moving ? 1 : 2);
    this.ratio = ratio;
    shader.begin(Math.round(ratio * this.width), Math.round(ratio * this.height));
    const draw = (outline, pose, style) => {
      const surface = surfaceOf(outline);
      if (!surface) return;
      shader.add(surface, pose, camera, ratio, channels(style), surface.shades[this.quantity]);
    };
    draw(scene.ground, AT_REST, this.soft);
    scene.bodies.forEach((body, b) => draw(body, poses[b], this.bodies[b % BODY_COLOURS]));
    shader.show(this.context, this.width, this.height);
  }

  /** The worst points of a skin, by their rank. */
  worst() {
    if (!data.skin) return;
    data.skin.worst.forEach(({ at }, k) => {
      const [x, y, z] = this.camera.project(at);
      if (this.shader.hides([x, y, z], this.ratio, 0.01 * this.camera.radius)) return;
      this.disc(at, 3.5, this.paper, this.ink);
      this.text(String(k + 1), x + 6, y - 5, this.ink);
    });
  }

  path(points, closed) {
    this.context.beginPath();
    points.forEach(([x, y], k) => (k ? this.context.lineTo(x, y) : this.context.moveTo(x, y)));
    if (closed) this.context.closePath();
  }

  stroke(style, width, dash = []) {
    this.context.strokeStyle = style;
    this.context.lineWidth = width;
    this.context.setLineDash(dash);
    this.context.stroke();
    this.context.setLineDash([]);
  }

  /** Filled with the colour, thinly. */
  tint(style) {
    this.context.save();
    this.context.globalAlpha = this.fill;
    this.context.fillStyle = style;
    this.context.fill();
    this.context.restore();
  }

  disc(p, radius, fill, edge) {
    const [x, y] = this.camera.project(p);
    this.context.beginPath();
    this.context.arc(x, y, radius, 0, 2 * Math.PI);
    this.context.fillStyle = fill;
    this.context.fill();
    if (edge) this.stroke(edge, 1.5);
  }

  outline(outline, pose, style, isGround) {
    const { camera } = this;
    const size = isGround ? 0 : this.sizes[this.scene.bodies.indexOf(outline)];
    const at = (p) => camera.project(placed(pose, p));
    outline.planes.forEach(([p, n]) => this.plane(placed(pose, p), turned(pose, n), style, isGround, size));
    outline.guides.forEach(([p, along]) => {
      const ends = [-2, 2].map((f) => camera.project(plus(p, along, f * camera.radius)));
      this.path(ends);
      this.stroke(this.line, 1.5, [6, 5]);
    });
    outline.rods.forEach((rod) => {
      this.path([at(rod.a), at(rod.b)]);
      const width = Math.max(2 * rod.r * camera.scale, 2);
      this.stroke(style, width);
      if (width > 6) this.stroke(this.paper, width - 4);
      this.context.save();
      this.context.globalAlpha = this.fill;
      if (width > 6) this.stroke(style, width - 4);
      this.context.restore();
    });
    this.faces(outline.lines, at, style);
    outline.balls.forEach((ball) => {
      const [x, y] = at(ball.c);
      const r = Math.max(ball.r * camera.scale, 3);
      this.context.beginPath();
      this.context.arc(x, y, r, 0, 2 * Math.PI);
      if (ball.kind === "ball") this.tint(style);
      this.stroke(style, 2);
      // A mark that turns with the body.
      if (r > 10 && !isGround) {
        this.path([[x, y], at(plus(ball.c, [ball.r, 0, 0]))]);
        this.stroke(style, 1.2);
      }
    });
    outline.blocks.forEach((p) => {
      const [x, y] = at(p);
      this.context.beginPath();
      this.context.rect(x - 9, y - 9, 18, 18);
      this.tint(style);
      this.stroke(style, 2);
    });
    outline.tips.forEach((p) => this.disc(placed(pose, p), 3.2, style));
    outline.joints.forEach((p) => this.disc(placed(pose, p), 4.2, this.paper, isGround ? this.ink : style));
  }

  faces(lines, at, style) {
    const drawn = lines.map((line) => {
      const points = line.p.map(at);
      return { line, points, depth: points.reduce((sum, p) => sum + p[2], 0) / points.length };
    });
    if (!this.camera.planar) drawn.sort((a, b) => a.depth - b.depth);
    const widths = { face: 1.6, edge: 3, stick: 3.4, link: 2.4, stem: 1.8, wire: 1 };
    const dashes = { link: [7, 5] };
    drawn.forEach(({ line, points }) => {
      this.path(points, line.kind === "face");
      if (line.kind === "face") this.tint(style);
      this.stroke(style, widths[line.kind] || 2, dashes[line.kind]);
    });
  }

  /** In the plane a line with its inner side shaded; in space a square with a grid. */
  plane(p, n, style, isGround, own) {
    const { camera } = this;
    if (camera.planar) {
      const along = [-n[1], n[0], 0];
      const span = isGround ? (this.width + this.height) / camera.scale : own > 0 ? own : 0.4 * camera.radius;
      const from = isGround ? plus(p, along, dot3(plus(camera.center, p, -1), along)) : p;
      const depth = isGround ? 14 / camera.scale : 7 / camera.scale;
      const [a, b] = [plus(from, along, -span), plus(from, along, span)];
      this.path([a, b, plus(b, n, -depth), plus(a, n, -depth)].map((x) => camera.project(x)), true);
      this.tint(style);
      this.path([a, b].map((x) => camera.project(x)));
      this.stroke(style, 2);
      return;
    }
    const start = Math.abs(n[0]) < 0.9 ? [1, 0, 0] : [0, 1, 0];
    const x = unit(cross(n, start));
    const y = cross(n, x);
    const size = isGround ? camera.radius : own > 0 ? own : 0.4 * camera.radius;
    const offset = dot3(plus(camera.center, p, -1), n);
    const c = isGround ? plus(camera.center, n, -offset) : p;
    const corner = (a, b) => camera.project(plus(plus(c, x, a * size), y, b * size));
    this.path([corner(-1, -1), corner(1, -1), corner(1, 1), corner(-1, 1)], true);
    this.context.save();
    this.context.globalAlpha = 0.5;
    this.tint(style);
    this.context.restore();
    for (let k = -4; k <= 4; k += 1) {
      [[corner(k / 4, -1), corner(k / 4, 1)], [corner(-1, k / 4), corner(1, k / 4)]].forEach((ends) => {
        this.path(ends);
        this.stroke(this.line, 1);
      });
    }
  }

  spring(poses, spring) {
    if (spring.rope) {
      this.rope(poses, spring);
      return;
    }
    const end = ([b, p]) => this.camera.project(b < 0 ? p : placed(poses[b], p));
    const [a, b] = [end(spring.a), end(spring.b)];
    const [dx, dy] = [b[0] - a[0], b[1] - a[1]];
    const size = Math.hypot(dx, dy) || 1;
    const points = [a];
    for (let k = 1; k < 16; k += 1) {
      const side = k % 2 ? 5 : -5;
      points.push([a[0] + (dx * k) / 16 - (dy / size) * side, a[1] + (dy * k) / 16 + (dx / size) * side]);
    }
    points.push(b);
    this.path(points);
    this.stroke(this.soft, 1.4);
  }

  /** A rope hangs as a flat parabola: of the span d and the slack s, it sags by √(3 d s/8). */
  rope(poses, { a, b, rope }) {
    const [p, q] = [a, b].map(([body, at]) => (body < 0 ? at : placed(poses[body], at)));
    const span = Math.hypot(...p.map((x, k) => x - q[k]));
    const sag = Math.sqrt(Math.max(0, 0.375 * span * (rope - span)));
    const { gravity, planar } = this.scene;
    const weight = Math.hypot(...gravity);
    const down = weight > 0 ? gravity.map((x) => x / weight) : planar ? [0, -1, 0] : [0, 0, -1];
    const points = Array.from({ length: 17 }, (_, k) => {
      const part = k / 16;
      const low = 4 * part * (1 - part) * sag;
      return this.camera.project(p.map((x, i) => (1 - part) * x + part * q[i] + low * down[i]));
    });
    this.path(points);
    this.stroke(this.soft, 1.6);
  }

  /** The normal as a dashed line, the force on each body that can move as an arrow along it. */
  contact({ at, normal, part, name, moves }) {
    const { camera } = this;
    const reach = 0.11 * Math.min(this.width, this.height);
    const [a, b] = [-1, 1].map((sign) => camera.project(plus(at, normal, (sign * reach) / camera.scale)));
    this.path([a, b]);
    this.stroke(this.soft, 1.2, [4, 4]);
    this.disc(at, 5, this.force);
    if (part > 0) {
      const length = (0.05 + 0.2 * part) * Math.min(this.width, this.height);
      [-1, 1].filter((_, side) => moves[side]).forEach((sign) => {
        this.arrow(camera.project(at), camera.project(plus(at, normal, (sign * length) / camera.scale)));
      });
    }
    if (name) {
      const [x, y] = camera.project(at);
      this.text(name, x + 9, y + 18, this.force);
    }
  }

  arrow(from, to) {
    const [dx, dy] = [to[0] - from[0], to[1] - from[1]];
    const size = Math.hypot(dx, dy);
    if (size < 2) return;
    const [ux, uy] = [dx / size, dy / size];
    const head = Math.min(12, 0.5 * size);
    const base = [to[0] - ux * head, to[1] - uy * head];
    this.path([from, base]);
    this.stroke(this.force, 3);
    this.path([to, [base[0] - uy * head * 0.45, base[1] + ux * head * 0.45], [base[0] + uy * head * 0.45, base[1] - ux * head * 0.45]], true);
    this.context.fillStyle = this.force;
    this.context.fill();
  }

  text(text, x, y, style) {
    const { context } = this;
    context.font = `13px ${getComputedStyle(document.body).fontFamily}`;
    context.lineWidth = 4;
    context.strokeStyle = this.paper;
    context.strokeText(text, x, y);
    context.fillStyle = style;
    context.fillText(text, x, y);
  }

  label(poses) {
    poses.forEach((pose, b) => {
      const body = this.scene.bodies[b];
      const [x, y] = this.camera.project(placed(pose, body.center));
      const width = this.context.measureText(body.name).width;
      this.text(body.name, Math.min(x + 8, this.width - width - 8), Math.max(y - 8, 14), this.bodies[b % BODY_COLOURS]);
    });
  }

  /** The directions of the axes of the world, in the lower right corner. */
  triad() {
    const { camera } = this;
    const [x, y] = [this.width - 52, this.height - 46];
    const axes = [[1, 0, 0], [0, 1, 0], [0, 0, 1]].map((axis, k) => ({ name: "xyz"[k], across: dot3(axis, camera.right), up: dot3(axis, camera.upward), near: dot3(axis, camera.toward) }));
    axes.sort((a, b) => a.near - b.near);
    axes.forEach(({ name, across, up }) => {
      this.path([[x, y], [x + 28 * across, y - 28 * up]]);
      this.stroke(this.soft, 1.6);
      this.text(name, x + 38 * across - 4, y - 38 * up + 4, this.soft);
    });
  }

  /** How long a metre is. */
  ruler() {
    const wanted = 90 / this.camera.scale;
    const power = 10 ** Math.floor(Math.log10(wanted));
    const length = [5, 2, 1].map((f) => f * power).find((x) => x <= wanted) || power;
    const width = length * this.camera.scale;
    const [x, y] = [14, this.height - 14];
    this.path([[x, y - 4], [x, y], [x + width, y], [x + width, y - 4]]);
    this.stroke(this.soft, 1.4);
    this.text(prefixed(length, "m", 2), x + 4, y - 7, this.soft);
  }
}
