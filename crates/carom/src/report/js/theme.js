// Light or dark: what the system prefers, until the button says otherwise. Paper is light, and everything on it is open.
const page = document.documentElement;
const theme = {
  kept() { try { return localStorage.getItem("carom-theme"); } catch { return null; } },
  keep(name) { try { localStorage.setItem("carom-theme", name); } catch { /* a private window keeps nothing */ } },
  show(name) {
    page.dataset.theme = name;
    const button = document.getElementById("theme");
    if (button) {
      button.setAttribute("aria-pressed", String(name === "dark"));
      button.textContent = name === "dark" ? "Light" : "Dark";
      button.setAttribute("aria-label", name === "dark" ? "use light colours" : "use dark colours");
    }
    document.dispatchEvent(new CustomEvent("themechange"));
  },
};
const prefersDark = matchMedia("(prefers-color-scheme: dark)");
const preferred = () => theme.kept() || (prefersDark.matches ? "dark" : "light");
theme.show(preferred());
prefersDark.addEventListener("change", () => theme.show(preferred()));
document.getElementById("theme").addEventListener("click", () => {
  const other = page.dataset.theme === "dark" ? "light" : "dark";
  theme.keep(other);
  theme.show(other);
});
let beforePaper = null;
function toPaper() {
  if (beforePaper) return;
  const closed = [...document.querySelectorAll("details:not([open])")];
  beforePaper = { closed };
  closed.forEach((part) => { part.open = true; });
  page.dataset.paper = "yes";
  theme.show("light");
  document.dispatchEvent(new CustomEvent("paperchange"));
}
function fromPaper() {
  if (!beforePaper) return;
  beforePaper.closed.forEach((part) => { part.open = false; });
  beforePaper = null;
  delete page.dataset.paper;
  theme.show(preferred());
  document.dispatchEvent(new CustomEvent("paperchange"));
}
addEventListener("beforeprint", toPaper);
addEventListener("afterprint", fromPaper);
matchMedia("print").addEventListener("change", (paper) => (paper.matches ? toPaper() : fromPaper()));
