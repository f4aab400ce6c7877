// The time of the reader and the time of the run.

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
