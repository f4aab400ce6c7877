// Parallel coordinates: a line for each design over all variables and the measure; a range of an axis is chosen by dragging along it.
const PARALLEL = { width: 900, height: 320, left: 60, right: 60, top: 34, bottom: 30, reach: 14 };

class Parallel {
  constructor(host) {
    const { axes, rows } = data.parallel;
    Object.assign(this, { axes, rows, ranges: axes.map(() => null) });
    const { width, height } = PARALLEL;
    this.told = element("p", { class: "quiet", role: "status" });
    this.drawing = svg("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": "designs in parallel coordinates" });
    this.lines = svg("g", { fill: "none", "stroke-width": 1 });
    this.drawing.append(this.lines);
    const last = axes.length - 1;
    const order = rows.map((_, k) => k).sort((a, b) => rows[b][last] - rows[a][last]);
    this.drawn = order.map((k) => {
      const points = rows[k].map((x, i) => `${this.x(i)},${this.y(i, x)}`).join(" ");
      const line = svg("polyline", { points, stroke: k === order[order.length - 1] ? "var(--b1)" : "var(--b0)" });
      if (k === order[order.length - 1]) line.setAttribute("stroke-width", "2.5");
      this.lines.append(line);
      return { k, line };
    });
    axes.forEach((axis, i) => this.axis(axis, i));
    const clear = element("button", { type: "button" }, "Show all");
    clear.addEventListener("click", () => { this.ranges.fill(null); this.show(); });
    host.append(element("div", { class: "scroll parallel", tabindex: "0", role: "group", "aria-label": "parallel coordinates" }, this.drawing), this.told, clear);
    this.show();
  }

  x(i) {
    const { width, left, right } = PARALLEL;
    return left + (width - left - right) * i / Math.max(1, this.axes.length - 1);
  }

  y(i, value) {
    const { height, top, bottom } = PARALLEL;
    const { low, high } = this.axes[i];
    return height - bottom - (height - top - bottom) * (high > low ? (value - low) / (high - low) : 0.5);
  }

  value(i, y) {
    const { height, top, bottom } = PARALLEL;
    const { low, high } = this.axes[i];
    return low + (high - low) * Math.min(1, Math.max(0, (height - bottom - y) / (height - top - bottom)));
  }

  axis(axis, i) {
    const { height, top, bottom, reach } = PARALLEL;
    const x = this.x(i);
    const name = svg("text", { x, y: 14, "text-anchor": "middle", fill: "var(--ink)", "font-size": 12 }, axis.name);
    const text = (y, value) => svg("text", { x, y, "text-anchor": "middle", fill: "var(--soft)", "font-size": 11 }, digits(value, 4));
    const line = svg("line", { x1: x, x2: x, y1: top, y2: height - bottom, stroke: "var(--ink)" });
    const brush = svg("rect", { x: x - 6, width: 12, y: top, height: 0, fill: "var(--b1)", opacity: 0.4 });
    const hold = svg("rect", { x: x - reach, width: 2 * reach, y: top, height: height - top - bottom, fill: "transparent", style: "cursor: ns-resize; touch-action: none" });
    this.drawing.append(line, brush, name, text(top - 6, axis.high), text(height - bottom + 16, axis.low), hold);
    axis.brush = brush;
    let from = null;
    const at = (event) => {
      const box = this.drawing.getBoundingClientRect();
      return this.value(i, (event.clientY - box.top) * PARALLEL.height / box.height);
    };
    hold.addEventListener("pointerdown", (event) => { from = at(event); hold.setPointerCapture(event.pointerId); });
    hold.addEventListener("pointermove", (event) => {
      if (from === null) return;
      const to = at(event);
      this.ranges[i] = [Math.min(from, to), Math.max(from, to)];
      this.show();
    });
    const end = (event) => {
      if (from !== null && at(event) === from) this.ranges[i] = null;
      from = null;
      this.show();
    };
    hold.addEventListener("pointerup", end);
    hold.addEventListener("pointercancel", end);
  }

  show() {
    let count = 0;
    this.drawn.forEach(({ k, line }) => {
      const inside = this.ranges.every((range, i) => !range || (this.rows[k][i] >= range[0] && this.rows[k][i] <= range[1]));
      count += inside;
      line.setAttribute("opacity", inside ? "0.6" : "0.05");
    });
    this.axes.forEach((axis, i) => {
      const range = this.ranges[i];
      const [top, bottom] = range ? [this.y(i, range[1]), this.y(i, range[0])] : [0, 0];
      axis.brush.setAttribute("y", String(top));
      axis.brush.setAttribute("height", String(Math.max(0, bottom - top)));
    });
    this.told.textContent = `${count} of ${this.rows.length} designs; the softest stands out. Drag along an axis to choose a range, tap it to let go.`;
  }
}
