// Reports made by the command, and pages of a browser that looks at them.
import { execFileSync } from "node:child_process";
import { accessSync, constants, existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

const NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
export const ROOT = join(dirname(fileURLToPath(import.meta.url)), "../../../..");

/** The browser: named by CHROMIUM, or found on the path. */
function browserPath() {
  const named = process.env.CHROMIUM;
  if (named) return named;
  const places = process.env.PATH.split(delimiter).flatMap((folder) => NAMES.map((name) => join(folder, name)));
  const found = places.find((place) => {
    try { accessSync(place, constants.X_OK); return true; } catch { return false; }
  });
  if (!found) throw new Error(`no browser: install one of ${NAMES.join(", ")}, or name it in CHROMIUM`);
  return found;
}

/** A folder of reports; gone when the tests are over. */
export class Reports {
  constructor() { this.folder = mkdtempSync(join(tmpdir(), "carom-report-")); }

  /** Runs the command with `-o` and gives the folder it wrote. */
  make(name, ...words) {
    const out = join(this.folder, name);
    if (!existsSync(out)) execFileSync(process.env.CAROM, [...words, "-o", out], { cwd: ROOT, stdio: ["ignore", "ignore", "pipe"] });
    return out;
  }

  remove() { rmSync(this.folder, { recursive: true, force: true }); }
}

export async function launch() {
  // Without the sandbox, since tests may run as root in a container.
  return chromium.launch({ executablePath: browserPath(), args: ["--no-sandbox"] });
}

/** A page at a file, with everything that went wrong in it. */
export async function open(browser, file, { width = 1400, height = 900, ...rest } = {}) {
  const context = await browser.newContext({ viewport: { width, height }, ...rest });
  const page = await context.newPage();
  const wrong = [];
  page.on("console", (message) => { if (["error", "warning"].includes(message.type())) wrong.push(message.text()); });
  page.on("pageerror", (error) => wrong.push(error.message));
  page.on("request", (request) => { if (!/^(file|data|blob):/.test(request.url())) wrong.push(`asks for ${request.url()}`); });
  page.on("requestfailed", (request) => wrong.push(`did not get ${request.url()}`));
  await page.goto(pathToFileURL(file).href);
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  return { page, wrong, close: () => context.close() };
}

/** A table of CSV without quoted commas in its numbers, as one object a row. */
export function csv(file) {
  const [head, ...lines] = readFileSync(file, "utf8").trim().split("\n").map((line) => line.split(","));
  return lines.map((cells) => Object.fromEntries(head.map((name, k) => [name, cells[k]])));
}

/** "4.8977 kN" in SI units. */
export function value(text) {
  const [, number, unit] = text.match(/^(-?[\d.]+(?:e-?\d+)?)\s*(\S*)/);
  const factor = unit.length > 1 ? { k: 1e3, M: 1e6, G: 1e9, m: 1e-3, "µ": 1e-6, n: 1e-9, p: 1e-12 }[unit[0]] : 1;
  const bare = ["kg", "m/s", "rad/s", "mm"].includes(unit) && unit !== "mm";
  return Number(number) * (bare || factor === undefined ? 1 : factor);
}

/** What the panel says, line by line. */
export function panel(page) {
  return page.evaluate(() => {
    const lines = [...document.querySelectorAll("#impact dl > div")];
    const told = Object.fromEntries(lines.map((line) => [line.querySelector("dt").textContent, line.querySelector("dd").textContent]));
    return { impact: document.getElementById("impact").dataset.impact, title: document.querySelector("#impact h3").textContent, ...told };
  });
}

/** The picture as bytes, and the time it shows. */
export function picture(page) {
  return page.evaluate(() => {
    const canvas = document.querySelector(".view canvas");
    return { image: canvas.toDataURL(), time: Number(canvas.dataset.time) };
  });
}
