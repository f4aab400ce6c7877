// What holds of every page, whichever command made it.
import assert from "node:assert/strict";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { ROOT, Reports, launch, open } from "./page.js";

const reports = new Reports();
let browser;
before(async () => { browser = await launch(); });
after(async () => { await browser.close(); reports.remove(); });

/** A page of each kind: its name, its file, the command. */
const KINDS = [
  ["run by impulse", "report.html", "run", "models/004/bar.toml"],
  ["run by force law", "report.html", "run", "models/000/two-pendulums.toml"],
  ["run in space", "report.html", "run", "models/impacts/sphere.toml", "--method", "piecewise", "--until", "1"],
  ["run under several laws", "report.html", "run", "models/000/two-pendulums.toml", "--law", "flores", "--law", "exact", "--law", "ye"],
  ["sweep", "report.html", "sweep", "models/studies/000-fig-10.toml"],
  ["impact", "report.html", "impact", "models/003/rocking-block.toml"],
  ["assess", "report.html", "assess", "models/robot-arm.toml"],
  ["tip", "report.html", "tip", "models/robots/arm.urdf", "--tip", "tool_tip", "--q", "20,-50,80,-60,15,10 deg", "--workspace"],
  ["tip with skin", "report.html", "tip", "models/robots/arm.urdf", "--tip", "tool_tip", "--q", "20,-50,80,-60,15,10 deg", "--skin"],
  ["near", "report.html", "near", "models/robots/arm.urdf", "--tip", "tool_tip", "--q", "20,-50,80,-60,15,10 deg", "--workspace"],
  ["reproduce", "index.html", "reproduce"],
];
const MOST_BYTES = 2_000_000;

for (const [kind, file, ...words] of KINDS) {
  describe(kind, () => {
    const place = () => join(reports.make(kind.replaceAll(" ", "-"), ...words), file);

    for (const width of [400, 1400]) {
      test(`opens from a file without errors and is not wider than ${width} px`, async () => {
        const { page, wrong, close } = await open(browser, place(), { width });
        const across = await page.evaluate(() => [document.documentElement.scrollWidth, document.body.scrollWidth]);
        assert.ok(across.every((w) => w <= width), `${across} > ${width}`);
        assert.deepEqual(wrong, []);
        await close();
      });
    }

    test("has question and answer in the first screen", async () => {
      const { page, close } = await open(browser, place());
      const bottoms = await page.evaluate(() => ["h1", ".answer", ".keys"].map((s) => document.querySelector(s).getBoundingClientRect().bottom));
      assert.ok(bottoms.every((y) => y > 0 && y < 900), `${bottoms}`);
      assert.match(await page.textContent("h1"), /\?$/);
      await close();
    });

    for (const colorScheme of ["light", "dark"]) {
      test(`has enough contrast in ${colorScheme} colours`, async () => {
        const { page, close } = await open(browser, place(), { colorScheme });
        assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), colorScheme);
        const weak = await page.evaluate(weakTexts);
        assert.deepEqual(weak, []);
        await close();
      });
    }

    test("is light, open and without buttons on paper", async () => {
      const { page, wrong, close } = await open(browser, place(), { colorScheme: "dark" });
      await page.emulateMedia({ media: "print", colorScheme: "dark" });
      await page.waitForFunction(() => document.documentElement.dataset.theme === "light");
      const seen = await page.evaluate(() => ({
        ground: getComputedStyle(document.body).backgroundColor,
        closed: document.querySelectorAll("details:not([open])").length,
        controls: [...document.querySelectorAll(".controls, .zooms, .top nav, #theme")].filter((e) => e.getClientRects().length).length,
      }));
      assert.deepEqual(seen, { ground: "rgb(255, 255, 255)", closed: 0, controls: 0 });
      assert.ok((await page.pdf({ format: "A4" })).length > 10_000);
      assert.deepEqual(wrong, []);
      await page.emulateMedia({ media: "screen", colorScheme: "dark" });
      await page.waitForFunction(() => document.documentElement.dataset.theme === "dark");
      await close();
    });

    test("can be walked through with the keyboard, and the focus is seen", async () => {
      const { page, close } = await open(browser, place());
      const focused = [];
      for (let k = 0; k < 14; k += 1) {
        await page.keyboard.press("Tab");
        focused.push(await page.evaluate(() => {
          const e = document.activeElement;
          const box = e.getBoundingClientRect();
          const name = e.getAttribute("aria-label") || e.textContent.trim() || (e.labels && e.labels.length ? e.labels[0].textContent : "");
          return { tag: e.tagName, name, ring: getComputedStyle(e).outlineStyle, there: box.width > 0 && box.height > 0 };
        }));
      }
      assert.match(focused[0].name, /^Skip/);
      for (const e of focused.filter((x) => x.tag !== "BODY")) {
        assert.ok(e.there && e.name && e.ring !== "none", JSON.stringify(e));
      }
      await close();
    });

    test("changes its colours with the button and keeps to it", async () => {
      const { page, close } = await open(browser, place(), { colorScheme: "light" });
      await page.click("#theme");
      assert.equal(await page.getAttribute("html", "data-theme"), "dark");
      await page.reload();
      assert.equal(await page.getAttribute("html", "data-theme"), "dark");
      await close();
    });
  });
}

test("no page of a model here is larger than 2 MB", () => {
  const below = (folder) => readdirSync(join(ROOT, folder), { withFileTypes: true })
    .flatMap((entry) => (entry.isDirectory() ? below(`${folder}/${entry.name}`) : [`${folder}/${entry.name}`]));
  const files = below("models").filter((file) => file.endsWith(".toml"));
  assert.ok(files.length > 20, "the models were not found");
  for (const file of files) {
    const text = readFileSync(join(ROOT, file), "utf8");
    if (!text.includes("[contacts.") && !text.includes("[study")) continue;
    const verb = text.includes("[study") ? "sweep" : text.includes("[simulation]") ? "run" : "assess";
    const folder = reports.make(file.replaceAll(/[/.]/g, "-"), verb, file);
    const { size } = statSync(join(folder, "report.html"));
    assert.ok(size < MOST_BYTES, `${file}: ${size} bytes`);
  }
});

/** Texts whose contrast is below WCAG's AA; runs in the page. Drawings on white have colours of their own. */
function weakTexts() {
  const numbers = (text) => text.match(/[\d.]+/g).map(Number);
  const light = ([r, g, b]) => {
    const [x, y, z] = [r, g, b].map((c) => (c / 255 <= 0.04045 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * x + 0.7152 * y + 0.0722 * z;
  };
  const ground = (e) => {
    for (let at = e; at; at = at.parentElement) {
      const c = numbers(getComputedStyle(at).backgroundColor);
      if (c.length < 4 || c[3] > 0) return c;
    }
    return [255, 255, 255];
  };
  const weak = new Set();
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const e = walker.currentNode.parentElement;
    if (!walker.currentNode.textContent.trim() || e.closest("script, style, .drawing svg, caption, .skip") || !e.getClientRects().length) continue;
    const style = getComputedStyle(e);
    const drawn = e instanceof SVGElement ? style.fill : style.color;
    const [a, b] = [light(numbers(drawn)), light(ground(e))].sort((x, y) => y - x);
    const size = parseFloat(style.fontSize);
    const large = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
    if ((a + 0.05) / (b + 0.05) < (large ? 3 : 4.5)) weak.add(`${e.tagName}.${e.className}: ${drawn} ${((a + 0.05) / (b + 0.05)).toFixed(2)}`);
  }
  return [...weak];
}
