// The colours before the first paint: what was chosen, else what the system prefers.
{
  let kept = null;
  try { kept = localStorage.getItem("carom-theme"); } catch { /* a private window keeps nothing */ }
  const dark = matchMedia("(prefers-color-scheme: dark)").matches;
  document.documentElement.dataset.theme = kept || (dark ? "dark" : "light");
}
