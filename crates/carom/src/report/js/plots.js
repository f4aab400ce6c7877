// Energies, speeds and forces over time. Drag to zoom, double click for the whole run, click to go there.
const DASHES = [[], [8, 4], [2, 3], [10, 3, 2, 3], [5, 5], [14, 4]];

/** Values along an axis, all with the prefix of the largest. */
function sizes(splits, unit) {
  const [factor, letter] = prefix(largest(splits.map(Math.abs)));
  return splits.map((x) => `${digits(x / factor, 4)} ${letter}${unit}`);
}

class Plots {
  constructor(host) {
    this.host = host;
    this.zooms = element("div", { class: "zooms", role: "group", "aria-label": "zoom" });
    this.area = element("div");
    this.note = element("p", { class: "quiet" });
    host.append(this.zooms, this.area, this.note);
    this.window = null;
    this.make();
    app.on((what) => this.hear(what));
    document.addEventListener("themechange", () => this.make());
    document.addEventListener("paperchange", () => this.make());
    let width = host.clientWidth;
    new ResizeObserver(() => {
      if (host.clientWidth === width) return;
      width = host.clientWidth;
      this.plots.forEach((plot) => plot.setSize({ width: this.width(), height: this.height() }));
    }).observe(host);
  }

  hear(what) {
    if (what === "run") { this.window = null; this.make(); }
    if (what === "select") this.toImpact(app.impact);
    this.plots.forEach((plot) => plot.redraw(false, false));
  }

  /** On paper what fits on A4 between its margins. */
  width() { return page.dataset.paper ? 650 : Math.max(this.host.clientWidth - 30, 200); }

  height() { return this.host.clientWidth < 560 ? 200 : 240; }

  make() {
    (this.plots || []).forEach((plot) => plot.destroy());
    this.area.replaceChildren();
    this.plots = [];
    this.axes = [];
    const run = app.now();
    this.add("Energy", "J", [run.t, ...run.energies.map((e) => e.values)], run.energies.map((e) => e.name));
    [["Joint speeds, turning", "rad/s", true], ["Joint speeds, sliding", "m/s", false]].forEach(([title, unit, angular]) => {
      const speeds = run.speeds.filter((s) => s.angular === angular);
      if (speeds.length) this.add(title, unit, [run.t, ...speeds.map((s) => s.values)], speeds.map((s) => s.name));
    });
    this.forces(run);
    this.buttons(run);
    const [k, n] = run.shown.moments;
    const [kc, nc] = run.shown.contacts;
    const parts = [k < n ? `${k} of ${n} moments of the trajectory are shown` : `all ${n} moments of the trajectory are shown`];
    if (nc) parts.push(kc < nc ? `${kc} of ${nc} samples of contacts, peaks included` : `all ${nc} samples of contacts`);
    this.note.textContent = `${parts.join(", ")}; events are always among them.`;
    if (this.window) this.zoom(...this.window);
  }

  /** Forces of all contact points, zero where nothing touches. */
  forces(run) {
    const tables = [];
    const names = [];
    run.spots.forEach((spot, s) => {
      const points = new Map([[run.t[0], 0], [run.end, 0]]);
      const touches = [...run.touches.filter((i) => i.spot === s && i.impulse === null).map((i) => [i.onset, i.parting]),
        ...run.stays.filter((i) => i.spot === s).map((i) => [i.from, i.to])];
      if (!touches.length) return;
      const least = 1e-12 * Math.max(run.end, 1e-9);
      touches.forEach(([from, to]) => { points.set(from - least, 0); if (to !== null) points.set(to + least, 0); else points.delete(run.end); });
      spot.t.forEach((t, k) => points.set(t, spot.force[k]));
      const sorted = [...points.entries()].filter(([t]) => t >= run.t[0]).sort((a, b) => a[0] - b[0]);
      tables.push([sorted.map((p) => p[0]), sorted.map((p) => p[1])]);
      names.push(spot.name);
    });
    if (!tables.length) return;
    const joined = uPlot.join(tables, tables.map(() => [0, 2]));
    this.add("Contact force", run.spots.every((s) => s.angular) ? "N m" : "N", joined, names, true);
  }

  add(title, unit, columns, names, linear = false) {
    const place = element("div", { class: "plot" }, element("h3", { text: `${title} [${unit}]` }));
    const axis = element("p", { class: "axis", text: "time [s]" });
    const canvasHost = element("div", { role: "img", "aria-label": `${title} over time` });
    place.append(canvasHost, axis);
    this.area.append(place);
    this.axes.push(axis);
    const [ink, grid] = [colour("soft"), colour("grid")];
    const font = `12px ${getComputedStyle(document.body).fontFamily}`;
    const series = names.map((name, k) => ({
      label: name,
      stroke: colour(`b${k % 8}`),
      width: 2,
      pxAlign: 0,
      dash: DASHES[k % DASHES.length],
      spanGaps: linear,
      points: { show: false },
      value: (_, x) => (x === null || x === undefined ? "–" : prefixed(x, unit, 5)),
    }));
    const plot = new uPlot({
      width: this.width(),
      height: this.height(),
      scales: { x: { time: false } },
      cursor: { sync: { key: "time" }, drag: { x: true, y: false, dist: 6 } },
      legend: { live: true },
      series: [{ label: "t", value: (_, x) => (x === null || x === undefined ? "–" : `${digits(x, 9)} s`) }, ...series],
      axes: [
        { stroke: ink, grid: { stroke: grid, width: 1 }, ticks: { stroke: grid, width: 1 }, font, splits: (u, _, min, max, step) => this.splits(u, min, max, step), values: (u, splits) => this.times(u, splits) },
        { stroke: ink, grid: { stroke: grid, width: 1 }, ticks: { stroke: grid, width: 1 }, font, size: 84, values: (_, splits) => sizes(splits, unit) },
      ],
      hooks: {
        drawAxes: [(u) => this.shade(u)],
        draw: [(u) => this.line(u)],
        setScale: [(u, key) => { if (key === "x") this.follow(u); }],
      },
    }, columns, canvasHost);
    this.goHere(plot);
    this.plots.push(plot);
  }

  /** A click goes to that time; a drag zooms. */
  goHere(plot) {
    let down = 0;
    plot.over.addEventListener("mousedown", (e) => { down = e.clientX; });
    plot.over.addEventListener("click", (e) => {
      if (Math.abs(e.clientX - down) < 4) app.seek(plot.posToVal(e.offsetX, "x"));
    });
  }

  /** The onset from which times are counted when an impact fills the plot. */
  origin(u) {
    const { min, max } = u.scales.x;
    if (max - min > 0.02 * (app.now().end - app.now().t[0])) return null;
    const inside = app.now().impacts.findIndex((i) => i.onset >= min && i.onset <= max);
    return inside < 0 ? { at: min, text: `time after t = ${digits(min, 9)} s` } : { at: app.now().impacts[inside].onset, text: `time after the onset of impact ${inside + 1}` };
  }

  /** Round times after the origin. */
  splits(u, min, max, step) {
    const origin = this.origin(u);
    const at = origin ? origin.at : 0;
    const out = [];
    for (let k = Math.ceil((min - at) / step - 1e-9); at + k * step <= max + 1e-9 * step && out.length < 50; k += 1) out.push(at + k * step);
    return out;
  }

  times(u, splits) {
    const origin = this.origin(u);
    const size = Math.max(...splits.map((x) => Math.abs(x - (origin ? origin.at : 0))));
    const [factor, letter] = origin ? prefix(size) : [1, ""];
    const axis = this.axes[this.plots.indexOf(u)];
    if (axis) axis.textContent = origin ? `${origin.text} [${letter}s]` : "time [s]";
    const step = splits.length > 1 ? Math.abs(splits[1] - splits[0]) / factor : 1;
    const places = Math.min(Math.max(-Math.floor(Math.log10(step) + 1e-9), 0), 9);
    return splits.map((x) => ((x - (origin ? origin.at : 0)) / factor).toFixed(places));
  }

  shade(u) {
    const run = app.now();
    const { left, top, width, height } = u.bbox;
    u.ctx.save();
    u.ctx.beginPath();
    u.ctx.rect(left, top, width, height);
    u.ctx.clip();
    u.ctx.globalAlpha = 0.14;
    u.ctx.fillStyle = colour("force");
    run.impacts.forEach((impact) => {
      const [a, b] = [impact.onset, endOf(run, impact)].map((t) => u.valToPos(t, "x", true));
      if (b >= left && a <= left + width) u.ctx.fillRect(a, top, Math.max(b - a, 2), height);
    });
    u.ctx.restore();
  }

  line(u) {
    const { left, top, width, height } = u.bbox;
    const x = u.valToPos(app.t, "x", true);
    if (x < left || x > left + width) return;
    u.ctx.save();
    u.ctx.setLineDash([]);
    u.ctx.strokeStyle = colour("ink");
    u.ctx.lineWidth = 1.5;
    u.ctx.beginPath();
    u.ctx.moveTo(x, top);
    u.ctx.lineTo(x, top + height);
    u.ctx.stroke();
    u.ctx.restore();
  }

  /** All plots show the same stretch of time. */
  follow(u) {
    if (!this.plots.includes(u)) return;
    const run = app.now();
    const { min, max } = u.scales.x;
    const [from, to] = this.window || [run.t[0], run.end];
    // What a zoom asked for comes back from every plot.
    if (min === from && max === to) return;
    const whole = min <= run.t[0] && max >= run.end;
    this.window = whole ? null : [min, max];
    this.press(whole ? "whole" : "");
    this.plots.filter((plot) => plot !== u).forEach((plot) => plot.setScale("x", { min, max }));
  }

  zoom(min, max) {
    const run = app.now();
    this.window = min <= run.t[0] && max >= run.end ? null : [min, max];
    this.plots.forEach((plot) => plot.setScale("x", { min, max }));
  }

  toImpact(k) {
    const run = app.now();
    const impact = run.impacts[k];
    if (!impact) return;
    const end = endOf(run, impact);
    const room = impact.impulse === null ? 0.3 * (end - impact.onset) : 0.02 * (run.end - run.t[0]);
    this.zoom(impact.onset - Math.max(room, 1e-9), end + Math.max(room, 1e-9));
    this.press(String(k));
  }

  press(which) {
    this.zooms.querySelectorAll("button").forEach((b) => b.setAttribute("aria-pressed", String(b.dataset.zoom === which)));
  }

  buttons(run) {
    const whole = element("button", { type: "button", "data-zoom": "whole", "aria-pressed": String(!this.window), text: "Whole run" });
    whole.addEventListener("click", () => { this.zoom(run.t[0], run.end); this.press("whole"); });
    this.zooms.replaceChildren(whole);
    const most = 12;
    run.impacts.slice(0, most).forEach((_, k) => {
      const button = element("button", { type: "button", "data-zoom": String(k), "aria-pressed": "false", text: `Impact ${k + 1}` });
      button.addEventListener("click", () => app.select(app.run, k));
      this.zooms.append(button);
    });
    if (run.impacts.length > most) this.zooms.append(element("span", { class: "quiet", text: `and ${run.impacts.length - most} more: choose them in the table` }));
  }
}
