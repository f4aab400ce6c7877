// The moving picture: play, scrub, speed.

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
      this.strongest = largest(app.runs.map(strongest));
      this.controls();
      this.panel = new Panel();
      stage.append(this.panel.root);
      app.on((what) => this.hear(what));
    } else {
      this.view.append(this.options());
      if (data.skin) this.view.append(this.legend());
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
      const button = (text, label, does) => {
        const made = element("button", { type: "button", text, "aria-label": label });
        made.addEventListener("click", () => { does(); this.draw(); });
        return made;
      };
      bar.append(
        button("+", "zoom in", () => this.zoom(1.25)),
        button("−", "zoom out", () => this.zoom(0.8)),
        button("Turn back", "turn the view back", () => this.camera.home()),
        element("span", { class: "quiet", text: "drag or arrow keys turn the view; shift and drag, or two fingers, move it; + and −, or the wheel with ctrl, zoom" }),
      );
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
    if (!this.moving) this.s = this.clock.place(app.t);
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
    const { t } = app;
    // Where an impulse is looked at time stands: a step leads beyond.
    for (let k = 0; k < 100 && app.t === t; k += 1) this.goto(this.s + part * this.clock.length);
  }

  zoom(factor) {
    this.camera.zoom = Math.min(Math.max(this.camera.zoom * factor, 0.3), 20);
  }

  /** The quantity of a skin: which one, and its colours. */
  legend() {
    const { quantities } = data.skin;
    const group = element("fieldset", { class: "skin" }, element("legend", { text: "Colour" }));
    const low = element("span", {});
    const high = element("span", {});
    const strip = element("span", { class: "ramp", "aria-hidden": "true" });
    const colours = [0, 0.25, 0.5, 0.75, 1].map((x) => `rgb(${ramp(x).map(Math.round).join(" ")})`);
    strip.style.background = `linear-gradient(to right, ${colours.join(", ")})`;
    const show = (k) => {
      this.painter.quantity = k;
      low.textContent = `${quantities[k].below ? "≤ " : ""}${digits(quantities[k].low, 3)} ${quantities[k].unit}`;
      high.textContent = `${quantities[k].above ? "≥ " : ""}${digits(quantities[k].high, 3)} ${quantities[k].unit}`;
    };
    quantities.forEach((quantity, k) => {
      const input = element("input", { type: "radio", name: "quantity", value: String(k) });
      input.checked = k === 0;
      input.addEventListener("change", () => { show(k); this.draw(); });
      group.append(element("label", {}, input, quantity.name));
    });
    show(0);
    group.append(element("span", { class: "scale" }, low, strip, high));
    return group;
  }

  turn(yaw, pitch) {
    this.camera.yaw += yaw;
    this.camera.pitch = Math.min(Math.max(this.camera.pitch + pitch, -1.5), 1.5);
    this.draw();
  }

  turnable() {
    this.canvas.classList.add("turns");
    // Fingers or a mouse that are down, by their ids.
    const down = new Map();
    const spread = () => {
      const [a, b] = [...down.values()];
      return { at: [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2], size: Math.hypot(a[0] - b[0], a[1] - b[1]) };
    };
    this.canvas.addEventListener("pointerdown", (p) => { down.set(p.pointerId, [p.clientX, p.clientY]); this.canvas.setPointerCapture(p.pointerId); });
    this.canvas.addEventListener("pointermove", (p) => {
      const last = down.get(p.pointerId);
      if (!last) return;
      this.painter.moving = true;
      const [dx, dy] = [p.clientX - last[0], p.clientY - last[1]];
      const before = down.size === 2 ? spread() : null;
      down.set(p.pointerId, [p.clientX, p.clientY]);
      if (before) {
        const after = spread();
        this.camera.pan(after.at[0] - before.at[0], after.at[1] - before.at[1]);
        if (before.size > 0) this.zoom(after.size / before.size);
        this.draw();
      } else if (p.shiftKey || p.buttons > 1) {
        this.camera.pan(dx, dy);
        this.draw();
      } else this.turn(-0.01 * dx, 0.01 * dy);
    });
    ["pointerup", "pointercancel"].forEach((name) => this.canvas.addEventListener(name, (p) => {
      down.delete(p.pointerId);
      this.painter.moving = down.size > 0;
      this.draw();
    }));
    this.canvas.addEventListener("contextmenu", (menu) => menu.preventDefault());
    // The wheel alone scrolls the page.
    this.canvas.addEventListener("wheel", (wheel) => {
      if (!wheel.ctrlKey && !wheel.metaKey && document.activeElement !== this.canvas) return;
      wheel.preventDefault();
      this.zoom(Math.exp(-0.0015 * wheel.deltaY));
      this.draw();
    }, { passive: false });
    this.canvas.addEventListener("keydown", (key) => {
      const factor = { "+": 1.25, "=": 1.25, "-": 0.8 }[key.key];
      if (factor && !key.ctrlKey && !key.metaKey) { key.preventDefault(); this.zoom(factor); this.draw(); }
    });
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
      const instant = run.touches.find((i) => i.spot === s && i.impulse !== null && i.onset === t);
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
