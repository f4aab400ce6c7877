// The numbers of an impact beside the picture.

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
      : this.blow(run) || "nothing touches";
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
    const name = impact.points > 1 ? `${spot.name.replace(/\.\d+$/, "")}, ${impact.points} points` : spot.name;
    this.title.textContent = `Impact ${app.impact + 1} of ${run.impacts.length}: ${name}`;
    this.list.replaceChildren(...this.lines(run, impact, spot).map(([what, value]) => element("div", {}, element("dt", { text: what }), element("dd", { text: value }))));
  }

  /** The impulses of this instant. */
  blow(run) {
    const all = run.touches.filter((i) => i.impulse !== null && i.onset === app.t);
    return all.slice(0, 4).map((i) => `${run.spots[i.spot].name}: velocities jump by an impulse of ${digits(i.impulse, 4)} ${forceUnit(run.spots[i.spot])} s`).join("; ");
  }

  touch(run, spot, touch) {
    const least = 1e-9 * strongest(run);
    const size = Math.abs(touch.force) < least ? 0 : touch.force;
    const force = `${spot.name}: F = ${prefixed(size, forceUnit(spot), 4)}`;
    // What is left of a gap at an onset is round-off beside the deepest indentation.
    const deepest = spot.delta.reduce((most, x) => Math.max(most, Math.abs(x)), 0);
    const delta = Math.abs(touch.delta) < 1e-9 * deepest ? 0 : touch.delta;
    return run.by_impulse ? force : `${force} at δ = ${prefixed(delta, lengthUnit(spot), 4)}`;
  }

  lines(run, impact, spot) {
    const [N, m] = [forceUnit(spot), lengthUnit(spot)];
    const mass = spot.angular ? "kg m²" : "kg";
    const clean = (x, size) => (Math.abs(x) < 1e-9 * Math.abs(size) ? 0 : x);
    const out = [["onset", `${digits(impact.onset, 10)} s`]];
    if (impact.peak !== null) out.push(["peak force", prefixed(impact.peak, N, 6)]);
    if (impact.impulse !== null) out.push(["impulse", `${digits(impact.impulse, 6)} ${N} s`]);
    out.push(["impact energy T_c", prefixed(impact.energy, "J", 6)]);
    if (impact.mass !== null) out.push(["effective mass", `${digits(impact.mass, 6)} ${mass}`]);
    else out.push(["points", String(impact.points)]);
    out.push(["approach", `${digits(impact.speed, 6)} ${m}/s`]);
    if (impact.after !== null || impact.parting === null) out.push(["separation", impact.after === null ? "still touches" : `${digits(clean(impact.after, impact.speed), 6)} ${m}/s`]);
    if (impact.e !== null) out.push(["restitution", impact.asked === null ? digits(clean(impact.e, 1), 4) : `${digits(clean(impact.e, 1), 4)}, asked ${digits(impact.asked, 4)}`]);
    if (impact.impulse === null) {
      out.push(["greatest indentation", prefixed(impact.depth, m, 5)]);
      out.push(["duration", impact.parting === null ? "still touches" : prefixed(impact.parting - impact.onset, "s", 5)]);
    }
    out.push(["energy lost", prefixed(impact.lost, "J", 5)]);
    return out;
  }
}
