// What the page shows, and where the reader is in it.
const data = JSON.parse(document.getElementById("data").textContent);
const app = {
  runs: data.runs || [],
  run: 0,
  t: 0,
  /** The impact whose numbers are shown. */
  impact: -1,
  hooks: [],
  on(hook) { this.hooks.push(hook); },
  tell(what) { this.hooks.forEach((hook) => hook(what)); },
  now() { return this.runs[this.run]; },
  seek(t) {
    const run = this.now();
    this.t = Math.min(Math.max(t, run.t[0]), run.end);
    const k = impactAt(run, this.t);
    const other = k !== this.impact;
    this.impact = k;
    this.tell(other ? "impact" : "time");
  },
  /** Goes to an impact: to its greatest force, or to its impulse. */
  select(run, k) {
    if (!this.runs[run] || !this.runs[run].impacts[k]) return;
    const moved = run !== this.run;
    this.run = run;
    if (moved) this.tell("run");
    const impact = this.now().impacts[k];
    this.t = impact.impulse === null ? impact.peak_at : impact.onset;
    this.impact = k;
    this.tell("impact");
    this.tell("select");
  },
};

/** The largest of a list that may be long; at least 0. */
function largest(list) {
  return list.reduce((most, x) => Math.max(most, x || 0), 0);
}

/** The greatest force of a run. */
function strongest(run) {
  return Math.max(largest(run.impacts.map((i) => i.peak)), largest(run.stays.map((i) => i.peak)));
}

/** When an impact is over. */
function endOf(run, impact) {
  return impact.parting === null ? run.end : impact.parting;
}

/** The impact at a time, else the last one before it, else the first. */
function impactAt(run, t) {
  let last = -1;
  for (let k = 0; k < run.impacts.length; k += 1) {
    const impact = run.impacts[k];
    if (impact.onset > t) break;
    // Several may begin at one instant: the one shown stays.
    if (k === app.impact && endOf(run, impact) >= t) return k;
    if (last < 0 || endOf(run, impact) >= t || endOf(run, run.impacts[last]) < t) last = k;
  }
  return last < 0 && run.impacts.length ? 0 : last;
}

/** Whether an impact lasts at a time; an impulse for the instant only. */
function lasts(run, impact, t) {
  return t >= impact.onset && t <= endOf(run, impact);
}

/** The last position whose value is not above x, at least 0. */
function below(list, x) {
  let low = 0;
  let high = list.length;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (list[middle] <= x) low = middle;
    else high = middle;
  }
  return low;
}

/** The impact that hits hardest. */
function hardest(run) {
  let best = -1;
  run.impacts.forEach((impact, k) => {
    const size = (i) => (i.peak === null ? i.impulse : i.peak);
    if (best < 0 || size(impact) > size(run.impacts[best])) best = k;
  });
  return best;
}

/** What a contact is measured in: a stop that turns bears moments. */
function forceUnit(spot) { return spot && spot.angular ? "N m" : "N"; }
function lengthUnit(spot) { return spot && spot.angular ? "rad" : "m"; }

/** Indentation, its rate and force of a contact point at a time; nothing where it does not touch, and of an impulse. */
function touchAt(run, s, t) {
  const spot = run.spots[s];
  const open = !run.touches.some((i) => i.spot === s && i.impulse === null && lasts(run, i, t))
    && !run.stays.some((i) => i.spot === s && t >= i.from && t <= (i.to === null ? run.end : i.to));
  if (open || !spot.t.length) return null;
  const k = below(spot.t, t);
  const n = Math.min(k + 1, spot.t.length - 1);
  const span = spot.t[n] - spot.t[k];
  const part = span > 0 ? Math.min(Math.max((t - spot.t[k]) / span, 0), 1) : 0;
  const between = (list) => list[k] + (list[n] - list[k]) * part;
  return { delta: between(spot.delta), rate: between(spot.rate), force: between(spot.force) };
}

/** Where a contact point touches at a time, and its normal. */
function placeAt(run, s, t) {
  const { t: times, at, normal } = run.spots[s].places;
  if (!times.length) return null;
  const k = below(times, t);
  const n = Math.min(k + 1, times.length - 1);
  const near = Math.abs(times[n] - t) < Math.abs(times[k] - t) ? n : k;
  const span = times[n] - times[k];
  const part = span > 0 ? Math.min(Math.max((t - times[k]) / span, 0), 1) : 0;
  const joined = run.touches.some((i) => i.spot === s && i.onset <= times[k] && endOf(run, i) >= times[n])
    || run.stays.some((i) => i.spot === s && i.from <= times[k] && (i.to === null ? run.end : i.to) >= times[n]);
  const p = joined ? at[k].map((x, c) => x + (at[n][c] - x) * part) : at[near];
  return { at: p, normal: normal[near] };
}
