// Force over indentation, one panel an impact; runs under several laws beside each other.
const MOST_LOOPS = 24;
/** A long series of bounces looks alike: those beyond are folded. */
const OPEN_LOOPS = 8;
const [LOOP_WIDTH, LOOP_HEIGHT] = [260, 180];
const LOOP_ROOM = { left: 44, right: 10, top: 10, bottom: 34 };

function svg(name, attributes = {}, text = "") {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  Object.entries(attributes).forEach(([key, value]) => made.setAttribute(key, String(value)));
  if (text) made.textContent = text;
  return made;
}

/** The samples of an impact. */
function loopOf(run, impact) {
  const spot = run.spots[impact.spot];
  const end = endOf(run, impact);
  const points = [];
  for (let k = below(spot.t, impact.onset); k < spot.t.length && spot.t[k] <= end; k += 1) {
    if (spot.t[k] >= impact.onset) points.push([spot.delta[k], spot.force[k]]);
  }
  return points;
}

/** About three round numbers up to a size. */
function rounds(size) {
  const raw = size / 3;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].map((f) => f * power).find((x) => x >= raw * 0.85) || 10 * power;
  return Array.from({ length: Math.floor(size / step + 1e-9) + 1 }, (_, k) => k * step);
}

class Loops {
  constructor(host) {
    this.grid = element("div", { class: "loops" });
    this.marks = [];
    if (app.runs.length > 1) host.append(this.key());
    host.append(this.grid);
    const most = Math.max(...app.runs.map((run) => run.impacts.length));
    if (most > MOST_LOOPS) host.append(element("p", { class: "quiet", text: `The first ${MOST_LOOPS} of ${most} impacts are drawn.` }));
    for (let k = 0; k < Math.min(most, MOST_LOOPS); k += 1) {
      const panel = this.panel(k);
      if (panel) (k < OPEN_LOOPS ? this.grid : this.rest()).append(panel);
    }
    this.host = host;
    app.on(() => this.mark());
    this.mark();
  }

  /** Where the impacts beyond the first go. */
  rest() {
    if (!this.more) {
      this.more = element("div", { class: "loops" });
      this.grid.after(element("details", {}, element("summary", { text: "The impacts that follow" }), this.more));
    }
    return this.more;
  }

  key() {
    const line = element("p", {});
    app.runs.forEach((run, r) => {
      const mark = element("span", { class: "key-line", style: `border-color: var(--b${r % 8})` });
      line.append(element("span", { style: "margin-right: 1.4em" }, mark, run.name));
    });
    return line;
  }

  panel(k) {
    const curves = app.runs.map((run, r) => ({ r, run, impact: run.impacts[k] })).filter((c) => c.impact && c.impact.impulse === null);
    if (!curves.length) return null;
    const [{ r, run, impact }] = curves;
    const spot = run.spots[impact.spot];
    const which = impact.points > 1 ? `${spot.name}, one of ${impact.points} points` : `${spot.name}: ${prefixed(impact.peak, forceUnit(spot), 4)}`;
    const title = `Impact ${k + 1}, ${which}`;
    const button = element("button", { type: "button", "data-loop": String(k) }, element("span", { text: title }), this.draw(curves, spot));
    button.addEventListener("click", () => app.select(curves.some((c) => c.r === app.run) ? app.run : r, k));
    return button;
  }

  draw(curves, spot) {
    const loops = curves.map((c) => loopOf(c.run, c.impact));
    const all = loops.flat();
    const most = (i) => Math.max(largest(all.map((p) => p[i])), 1e-300);
    const low = -largest(all.map((p) => -p[1]));
    const [dx, dy] = [most(0) * 1.05, most(1) * 1.08];
    const { left, right, top, bottom } = LOOP_ROOM;
    const x = (d) => left + ((LOOP_WIDTH - left - right) * d) / dx;
    const y = (f) => LOOP_HEIGHT - bottom - ((LOOP_HEIGHT - top - bottom) * (f - low)) / (dy - low);
    const drawing = svg("svg", { viewBox: `0 0 ${LOOP_WIDTH} ${LOOP_HEIGHT}`, role: "img", "aria-label": "force over indentation" });
    const [fx, px] = prefix(dx);
    const [fy, py] = prefix(dy);
    rounds(dx / fx).forEach((v) => {
      drawing.append(svg("line", { x1: x(v * fx), x2: x(v * fx), y1: y(dy), y2: y(low), stroke: "var(--grid)" }));
      drawing.append(svg("text", { x: x(v * fx), y: y(low) + 13, "text-anchor": "middle" }, digits(v, 3)));
    });
    rounds(dy / fy).forEach((v) => {
      drawing.append(svg("line", { x1: x(0), x2: x(dx), y1: y(v * fy), y2: y(v * fy), stroke: "var(--grid)" }));
      drawing.append(svg("text", { x: left - 5, y: y(v * fy) + 4, "text-anchor": "end" }, digits(v, 3)));
    });
    drawing.append(svg("text", { x: (left + LOOP_WIDTH - right) / 2, y: LOOP_HEIGHT - 4, "text-anchor": "middle" }, `indentation δ [${px}${lengthUnit(spot)}]`));
    drawing.append(svg("text", { x: 11, y: (top + LOOP_HEIGHT - bottom) / 2, "text-anchor": "middle", transform: `rotate(-90 11 ${(top + LOOP_HEIGHT - bottom) / 2})` }, `force F [${py}${forceUnit(spot)}]`));
    loops.forEach((points, k) => {
      const line = points.map((p) => `${x(p[0]).toFixed(1)},${y(p[1]).toFixed(1)}`).join(" ");
      drawing.append(svg("polyline", { points: line, fill: "none", stroke: `var(--b${curves[k].r % 8})`, "stroke-width": 2, "stroke-linejoin": "round" }));
    });
    const now = svg("circle", { r: 4, fill: "var(--force)", visibility: "hidden" });
    drawing.append(now);
    this.marks.push((touch) => {
      now.setAttribute("visibility", touch ? "visible" : "hidden");
      if (touch) {
        now.setAttribute("cx", x(touch.delta).toFixed(1));
        now.setAttribute("cy", y(touch.force).toFixed(1));
      }
    });
    return drawing;
  }

  /** The impact that is shown, and where on its loop it is now. */
  mark() {
    const run = app.now();
    const impact = run.impacts[app.impact];
    const touch = impact && lasts(run, impact, app.t) ? touchAt(run, impact.spot, app.t) : null;
    this.host.querySelectorAll("button").forEach((button, k) => {
      const current = Number(button.dataset.loop) === app.impact;
      button.setAttribute("aria-current", String(current));
      this.marks[k](current ? touch : null);
    });
  }
}
