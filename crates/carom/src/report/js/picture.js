// The moving picture: play, scrub, speed, and the numbers of the impact that is shown.

/** How long an impact is looked at when time is slowed for it [s]. */
const DWELL = 1.6;
/** All impacts together are not looked at for longer than that [s]. */
const PATIENCE = 24;

/** From time at the reader's to time of the run: straight, and nearly still at impacts. */
class Clock {
  constructor(run, speed, slow) {
    this.knots = [{ s: 0, t: run.t[0] }];
    const dwell = Math.min(DWELL, PATIENCE / Math.max(run.impacts.length, 1));
    let [s, t] = [0, run.t[0]];
    const go = (to, seconds) => {
      s += seconds;
      t = to;
      this.knots.push({ s, t });
    };
    if (slow) {
      run.impacts.forEach((impact) => {
        const end = endOf(run, impact);
        const room = 0.3 * (end - impact.onset);
        const [from, to] = [Math.max(impact.onset - room, t), Math.min(end + room, run.end)];
        // What is slow enough is not slowed.
        if (to < from || (to - from) / speed > dwell) return;
        if (from > t) go(from, (from - t) / speed);
        go(to, impact.impulse === null ? dwell : 0.4 * dwell);
      });
    }
    go(run.end, (run.end - t) / speed);
    this.length = s;
  }

  map(x, from, to) {
    const { knots } = this;
    let k = 1;
    while (k < knots.length - 1 && knots[k][from] < x) k += 1;
    const [a, b] = [knots[k - 1], knots[k]];
    const span = b[from] - a[from];
    return a[to] + (span > 0 ? Math.min(Math.max((x - a[from]) / span, 0), 1) : 0) * (b[to] - a[to]);
  }

  time(s) { return this.map(s, "s", "t"); }

  place(t) { return this.map(t, "t", "s"); }
}

/** A speed at which the run takes about ten seconds, as a power of ten or real time. */
function usualSpeed(run) {
  const speed = (run.end - run.t[0]) / 10;
  if (speed > 0.3 && speed < 3) return 1;
  return 10 ** Math.round(Math.log10(Math.max(speed, 1e-9)));
}

class Picture {
  constructor(host) {
    this.host = host;
    this.still = !app.runs.length;
    const tracks = this.still ? [data.pose] : app.runs;
    this.canvas = element("canvas", { role: "img", tabindex: "0" });
    this.camera = new Camera(data.scene, tracks);
    this.painter = new Painter(this.canvas, data.scene, this.camera);
    this.view = element("div", { class: "view" }, this.canvas);
    const stage = element("div", { class: this.still ? "stage alone" : "stage" }, this.view);
    if (app.runs.length > 1) host.append(this.chooser());
    host.append(stage);
    if (!data.scene.planar) this.turnable();
    if (!this.still) {
      this.strongest = Math.max(...app.runs.flatMap((run) => [...run.impacts.map((i) => i.peak || 0), ...run.stays.map((i) => i.peak)]), 0);
      this.controls();
      this.panel = new Panel();
      stage.append(this.panel.root);
      app.on((what) => this.hear(what));
    } else {
      this.view.append(this.options());
    }
    new ResizeObserver(() => this.fit()).observe(this.view);
    document.addEventListener("themechange", () => { this.painter.palette(); this.draw(); });
    document.addEventListener("paperchange", () => this.fit());
    this.fit();
  }

  /** One run of several. */
  chooser() {
    const group = element("fieldset", {}, element("legend", { text: "Law" }));
    app.runs.forEach((run, k) => {
      const input = element("input", { type: "radio", name: "run", value: String(k) });
      input.checked = k === app.run;
      input.addEventListener("change", () => { app.run = k; app.tell("run"); app.seek(app.t); });
      group.append(element("label", {}, input, run.name));
    });
    this.choice = group;
    return group;
  }

  fit() {
    const width = this.view.clientWidth;
    if (!width) return;
    this.painter.resize(width, Math.round(Math.min(Math.max(0.66 * width, 240), 520)));
    if (this.strip) this.marks();
    this.draw();
  }

  controls() {
    this.play = element("button", { type: "button", class: "main", "aria-keyshortcuts": "Space", text: "Play" });
    const before = element("button", { type: "button", "aria-label": "previous impact", "aria-keyshortcuts": "P", text: "‹ Impact" });
    const after = element("button", { type: "button", "aria-label": "next impact", "aria-keyshortcuts": "N", text: "Impact ›" });
    this.slider = element("input", { type: "range", min: "0", max: "10000", step: "1", value: "0", "aria-label": "time" });
    this.strip = element("canvas", { "aria-hidden": "true" });
    this.clockText = element("output", { class: "clock" });
    this.speed = element("select", { "aria-label": "speed" });
    this.slow = element("input", { type: "checkbox" });
    this.slow.checked = true;
    const slow = element("label", {}, this.slow, "slow at impacts");
    const line = element("div", { class: "time" }, this.slider, this.strip);
    const bar = element("div", { class: "controls", role: "group", "aria-label": "playback" }, this.play);
    if (app.runs.some((run) => run.impacts.length)) bar.append(before, after);
    bar.append(this.clockText, this.speed);
    if (app.runs.some((run) => run.impacts.length)) bar.append(slow);
    bar.append(...this.options().childNodes);
    this.view.append(line, bar);
    this.fillSpeeds();
    this.play.addEventListener("click", () => this.toggle());
    before.addEventListener("click", () => this.step(-1));
    after.addEventListener("click", () => this.step(1));
    this.slider.addEventListener("input", () => { this.stop(); this.goto((this.slider.value / 10000) * this.clock.length); });
    this.speed.addEventListener("change", () => this.wind());
    this.slow.addEventListener("change", () => this.wind());
    document.addEventListener("keydown", (key) => this.key(key));
    this.wind();
  }

  options() {
    const bar = element("div", { class: "controls" });
    const names = element("input", { type: "checkbox" });
    names.checked = this.painter.names;
    names.addEventListener("change", () => { this.painter.names = names.checked; this.draw(); });
    bar.append(element("label", {}, names, "names"));
    if (!data.scene.planar) {
      const home = element("button", { type: "button", text: "Turn back" });
      home.addEventListener("click", () => { this.camera.home(); this.draw(); });
      bar.append(home, element("span", { class: "quiet", text: "drag or arrow keys turn the view" }));
    }
    return bar;
  }

  fillSpeeds() {
    const usual = usualSpeed(app.now());
    [0.1, 0.25, 0.5, 1, 2, 5].forEach((factor) => {
      const speed = usual * factor;
      const text = Math.abs(speed - 1) < 1e-9 ? "real time" : `${digits(speed, 2)} × real time`;
      const option = element("option", { value: String(speed), text });
      option.selected = factor === 1;
      this.speed.append(option);
    });
  }

  /** The clock anew, at the same time. */
  wind() {
    this.clock = new Clock(app.now(), Number(this.speed.value), this.slow.checked);
    this.s = this.clock.place(app.t);
    this.marks();
    this.draw();
  }

  hear(what) {
    if (what === "run") this.wind();
    if (what !== "time" || !this.moving) this.s = this.clock.place(app.t);
    if (what === "select") this.stop();
    if (this.choice) this.choice.querySelectorAll("input")[app.run].checked = true;
    this.draw();
  }

  goto(s) {
    this.s = Math.min(Math.max(s, 0), this.clock.length);
    this.moving = true;
    app.seek(this.clock.time(this.s));
    this.moving = false;
  }

  toggle() {
    if (this.timer) { this.stop(); return; }
    // The first time from the beginning: what is shown at first is the hardest impact.
    if (!this.begun || this.s >= this.clock.length) this.goto(0);
    this.begun = true;
    this.play.textContent = "Pause";
    let last = performance.now();
    const frame = (now) => {
      this.goto(this.s + Math.min(now - last, 100) / 1000);
      last = now;
      if (this.s >= this.clock.length) this.stop();
      else this.timer = requestAnimationFrame(frame);
    };
    this.timer = requestAnimationFrame(frame);
  }

  stop() {
    cancelAnimationFrame(this.timer);
    this.timer = 0;
    this.play.textContent = "Play";
  }

  /** To the next impact in a direction. */
  step(way) {
    const run = app.now();
    if (!run.impacts.length) return;
    const at = app.impact < 0 ? 0 : app.impact;
    const on = lasts(run, run.impacts[at], app.t) || app.t > run.impacts[at].onset;
    const next = on || way < 0 ? at + way : at;
    app.select(app.run, Math.min(Math.max(next, 0), run.impacts.length - 1));
  }

  key(key) {
    const busy = key.target.closest("button, input, select, summary, a, tr[data-impact], .scroll");
    if (busy || key.altKey || key.ctrlKey || key.metaKey) return;
    const turns = key.target === this.canvas && !data.scene.planar;
    const does = {
      " ": () => this.toggle(),
      ArrowLeft: () => (turns ? this.turn(-0.12, 0) : this.nudge(-0.01)),
      ArrowRight: () => (turns ? this.turn(0.12, 0) : this.nudge(0.01)),
      ArrowUp: turns && (() => this.turn(0, 0.1)),
      ArrowDown: turns && (() => this.turn(0, -0.1)),
      Home: key.target === this.canvas && (() => this.goto(0)),
      End: key.target === this.canvas && (() => this.goto(this.clock.length)),
      n: () => this.step(1),
      p: () => this.step(-1),
    }[key.key];
    if (!does) return;
    key.preventDefault();
    does();
  }

  nudge(part) {
    this.stop();
    this.goto(this.s + part * this.clock.length);
  }

  turn(yaw, pitch) {
    this.camera.yaw += yaw;
    this.camera.pitch = Math.min(Math.max(this.camera.pitch + pitch, -1.5), 1.5);
    this.draw();
  }

  turnable() {
    this.canvas.classList.add("turns");
    let last = null;
    this.canvas.addEventListener("pointerdown", (p) => { last = [p.clientX, p.clientY]; this.canvas.setPointerCapture(p.pointerId); });
    this.canvas.addEventListener("pointermove", (p) => {
      if (!last) return;
      this.turn(-0.01 * (p.clientX - last[0]), 0.01 * (p.clientY - last[1]));
      last = [p.clientX, p.clientY];
    });
    ["pointerup", "pointercancel"].forEach((name) => this.canvas.addEventListener(name, () => { last = null; }));
    if (this.still) {
      this.canvas.addEventListener("keydown", (key) => {
        const turn = { ArrowLeft: [-0.12, 0], ArrowRight: [0.12, 0], ArrowUp: [0, 0.1], ArrowDown: [0, -0.1] }[key.key];
        if (turn) { key.preventDefault(); this.turn(...turn); }
      });
    }
  }

  /** Impacts, stays and the reader's events along the slider. */
  marks() {
    const run = app.now();
    const width = this.slider.clientWidth || 1;
    const ratio = Math.min(window.devicePixelRatio || 1, 3);
    this.strip.style.width = `${width}px`;
    [this.strip.width, this.strip.height] = [Math.round(width * ratio), Math.round(16 * ratio)];
    const c = this.strip.getContext("2d");
    c.setTransform(ratio, 0, 0, ratio, 0, 0);
    // The slider's knob keeps clear of the ends.
    const x = (t) => 8 + (width - 16) * (this.clock.place(t) / this.clock.length);
    c.clearRect(0, 0, width, 16);
    c.fillStyle = this.painter.line;
    c.fillRect(8, 7, width - 16, 2);
    c.fillStyle = this.painter.soft;
    run.stays.forEach((stay) => c.fillRect(x(stay.from), 5, Math.max(x(stay.to === null ? run.end : stay.to) - x(stay.from), 2), 6));
    c.fillStyle = this.painter.force;
    run.impacts.forEach((impact) => {
      const [a, b] = [x(impact.onset), x(endOf(run, impact))];
      c.fillRect(a - 1, 1, Math.max(b - a, 2.5), 14);
    });
    c.fillStyle = this.painter.ink;
    run.events.filter((e) => e.spot === -1).forEach((e) => c.fillRect(x(e.t) - 1, 0, 2, 16));
  }

  /** What touches now. */
  contacts() {
    if (this.still) {
      return data.pose.marks.map((m) => ({ at: m.at, normal: m.normal, moves: m.moves, part: m.closing ? 0.35 : 0, name: this.painter.names ? m.name : "" }));
    }
    const run = app.now();
    const { t } = app;
    const shown = [];
    run.spots.forEach((spot, s) => {
      const touch = touchAt(run, s, t);
      const instant = run.impacts.find((i) => i.spot === s && i.impulse !== null && i.onset === t);
      if (!touch && !instant) return;
      const place = placeAt(run, s, t);
      if (!place) return;
      const force = touch ? touch.force : 0;
      const part = instant ? 1 : this.strongest > 0 ? Math.max(force, 0) / this.strongest : 0;
      shown.push({ ...place, part, moves: spot.moves, name: "" });
    });
    return shown;
  }

  draw() {
    if (!this.painter.width) return;
    const track = this.still ? data.pose : app.now();
    const t = this.still ? track.t[0] : app.t;
    this.painter.paint(posesAt(track, data.scene.planar, t), this.contacts());
    if (this.still) {
      this.canvas.setAttribute("aria-label", "the machine in the pose of the file");
      return;
    }
    this.slider.value = String(Math.round((10000 * this.s) / Math.max(this.clock.length, 1e-300)));
    this.slider.setAttribute("aria-valuetext", `t = ${t.toFixed(6)} s`);
    this.clockText.textContent = `t = ${t.toFixed(6)} s`;
    this.canvas.setAttribute("aria-label", `the machine at t = ${t.toFixed(4)} s`);
    this.canvas.dataset.time = String(t);
    this.panel.show();
  }
}

/** The numbers of the impact that is shown, and what happens now. */
class Panel {
  constructor() {
    this.title = element("h3", { "aria-live": "polite" });
    this.now = element("p", { class: "quiet" });
    this.list = element("dl");
    this.root = element("div", { class: "panel", id: "impact" }, this.title, this.now, this.list);
    this.shown = null;
  }

  show() {
    const run = app.now();
    const impact = run.impacts[app.impact];
    const touching = run.spots.map((spot, s) => [spot, touchAt(run, s, app.t)]).filter(([, touch]) => touch);
    this.now.textContent = touching.length
      ? touching.slice(0, 4).map(([spot, touch]) => this.touch(run, spot, touch)).join("; ")
      : "nothing touches";
    const key = `${app.run} ${app.impact}`;
    if (key === this.shown) return;
    this.shown = key;
    this.root.dataset.impact = impact ? String(app.impact) : "";
    if (!impact) {
      this.title.textContent = "No impact";
      this.list.replaceChildren();
      return;
    }
    const spot = run.spots[impact.spot];
    this.title.textContent = `Impact ${app.impact + 1} of ${run.impacts.length}: ${spot.name}`;
    this.list.replaceChildren(...this.lines(run, impact, spot).map(([what, value]) => element("div", {}, element("dt", { text: what }), element("dd", { text: value }))));
  }

  touch(run, spot, touch) {
    const least = 1e-9 * Math.max(...run.stays.map((i) => i.peak), ...run.impacts.map((i) => i.peak || 0), 0);
    const size = Math.abs(touch.force) < least ? 0 : touch.force;
    const force = `${spot.name}: F = ${prefixed(size, forceUnit(spot), 4)}`;
    return run.by_impulse ? force : `${force} at δ = ${prefixed(touch.delta, lengthUnit(spot), 4)}`;
  }

  lines(run, impact, spot) {
    const [N, m] = [forceUnit(spot), lengthUnit(spot)];
    const mass = spot.angular ? "kg m²" : "kg";
    const clean = (x, size) => (Math.abs(x) < 1e-9 * Math.abs(size) ? 0 : x);
    const out = [["onset", `${digits(impact.onset, 10)} s`]];
    if (impact.peak !== null) out.push(["peak force", prefixed(impact.peak, N, 6)]);
    if (impact.impulse !== null) out.push(["impulse", `${digits(impact.impulse, 6)} ${N} s`]);
    out.push(["impact energy T_c", prefixed(impact.energy, "J", 6)]);
    out.push(["effective mass", `${digits(impact.mass, 6)} ${mass}`]);
    out.push(["approach", `${digits(impact.speed, 6)} ${m}/s`]);
    out.push(["separation", impact.after === null ? "still touches" : `${digits(clean(impact.after, impact.speed), 6)} ${m}/s`]);
    if (impact.e !== null) out.push(["restitution", impact.asked === null ? digits(clean(impact.e, 1), 4) : `${digits(clean(impact.e, 1), 4)}, asked ${digits(impact.asked, 4)}`]);
    if (impact.impulse === null) {
      out.push(["greatest indentation", prefixed(impact.depth, m, 5)]);
      out.push(["duration", impact.parting === null ? "still touches" : prefixed(impact.parting - impact.onset, "s", 5)]);
    }
    out.push(["energy lost", prefixed(impact.lost, "J", 5)]);
    return out;
  }
}
