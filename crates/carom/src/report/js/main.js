// Everything is put in its place.
const WIDGETS = { picture: Picture, plots: Plots, loops: Loops, parallel: Parallel };
document.querySelectorAll("[data-widget]").forEach((host) => new WIDGETS[host.dataset.widget](host));

function goTo(row) {
  app.select(Number(row.dataset.run), Number(row.dataset.impact));
  const picture = document.getElementById("picture");
  if (picture) picture.scrollIntoView({ block: "start" });
}
const rows = [...document.querySelectorAll("tr[data-impact]")];
rows.forEach((row) => {
  row.addEventListener("click", () => goTo(row));
  row.addEventListener("keydown", (key) => {
    if (key.key !== "Enter" && key.key !== " ") return;
    key.preventDefault();
    goTo(row);
  });
});
if (app.runs.length) {
  app.on(() => rows.forEach((row) => {
    row.setAttribute("aria-current", String(Number(row.dataset.impact) === app.impact && Number(row.dataset.run) === app.run));
  }));
  const k = hardest(app.now());
  const impact = app.now().impacts[k];
  if (impact) {
    app.impact = k;
    app.seek(impact.impulse === null ? impact.peak_at : impact.onset);
  } else app.seek(app.now().t[0]);
  app.tell("impact");
}
