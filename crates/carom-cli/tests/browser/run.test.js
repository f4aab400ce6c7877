// The page of a run: the picture moves, and what is shown is what was computed.
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { Reports, csv, launch, open, panel, picture, value } from "./page.js";

const reports = new Reports();
let browser;
before(async () => { browser = await launch(); });
after(async () => { await browser.close(); reports.remove(); });

/** The panel shows five or six digits. */
const SHOWN = 2e-5;
const near = (shown, exact, what) => {
  assert.ok(Math.abs(value(shown) - Number(exact)) <= SHOWN * Math.abs(Number(exact)) + 1e-12, `${what}: ${shown}, computed ${exact}`);
};

/** Scrubs through the run and gives a place of the slider within each impact. */
async function places(page, impacts) {
  const seen = await page.evaluate(() => {
    const slider = document.querySelector(".time input");
    const out = [];
    for (let x = 0; x <= 10000; x += 10) {
      slider.value = String(x);
      slider.dispatchEvent(new Event("input"));
      out.push([x, Number(document.querySelector(".view canvas").dataset.time)]);
    }
    return out;
  });
  return impacts.map((i) => {
    const [from, to] = [Number(i["onset [s]"]), Number(i["parting [s]"] || Infinity)];
    // Times of the page are rounded to eleven digits.
    const found = seen.find(([, t]) => t >= from - 1e-9 && t <= to + 1e-9);
    return found && found[0];
  });
}

async function scrub(page, x) {
  await page.evaluate((to) => {
    const slider = document.querySelector(".time input");
    slider.value = String(to);
    slider.dispatchEvent(new Event("input"));
  }, x);
}

function agrees(told, computed) {
  near(told.onset, computed["onset [s]"], "onset");
  near(told["effective mass"], computed["m_eff [kg]"], "m_eff");
  near(told.approach, computed["approach speed [m/s]"], "approach");
  near(told["impact energy T_c"], computed["T_c [J]"], "T_c");
  if (computed["peak force [N]"]) near(told["peak force"], computed["peak force [N]"], "peak force");
  if (computed["impulse [N s]"]) near(told.impulse, computed["impulse [N s]"], "impulse");
  if (computed["duration [s]"] && !computed["impulse [N s]"]) near(told.duration, computed["duration [s]"], "duration");
}

const RUNS = [
  ["by force law", "run", "models/000/two-pendulums.toml"],
  ["by impulse", "run", "models/004/bar.toml"],
  ["in space", "run", "models/impacts/sphere.toml", "--method", "piecewise", "--until", "1"],
];

for (const [kind, ...words] of RUNS) {
  describe(kind, () => {
    const folder = () => reports.make(kind.replaceAll(" ", "-"), ...words);
    const page = (options) => open(browser, join(folder(), "report.html"), options);

    test("the picture moves when it is played and stands when it is stopped", async () => {
      const { page: p, wrong, close } = await page();
      const first = await picture(p);
      await p.click(".controls .main");
      await p.waitForTimeout(700);
      await p.click(".controls .main");
      const second = await picture(p);
      assert.notEqual(second.time, first.time);
      assert.notEqual(second.image, first.image);
      await p.waitForTimeout(200);
      assert.equal((await picture(p)).time, second.time);
      assert.deepEqual(wrong, []);
      await close();
    });

    test("bodies move also where nothing touches and no force is drawn", async () => {
      const { page: p, close } = await page();
      const images = [];
      for (let x = 0; x <= 10000; x += 250) {
        await scrub(p, x);
        if (await p.textContent("#impact > p") === "nothing touches") images.push((await picture(p)).image);
      }
      assert.ok(images.length > 3);
      assert.equal(new Set(images).size, images.length, "no two times look the same");
      await close();
    });

    test("scrubbing to an impact shows its numbers", async () => {
      const { page: p, close } = await page();
      const computed = csv(join(folder(), "impacts.csv"));
      assert.ok(computed.length > 0);
      const at = await places(p, computed);
      for (const [k, x] of at.entries()) {
        assert.notEqual(x, undefined, `impact ${k + 1} cannot be reached with the slider`);
        await scrub(p, x);
        const told = await panel(p);
        assert.equal(told.impact, String(k));
        agrees(told, computed[k]);
      }
      await close();
    });

    test("a row of the table leads to its impact, by mouse and by keyboard", async () => {
      const { page: p, close } = await page();
      const computed = csv(join(folder(), "impacts.csv"));
      const last = computed.length - 1;
      const row = p.locator(`tr[data-impact="${last}"]`).first();
      // The rows that follow the first ones are folded.
      const fold = p.locator("details", { has: row }).first();
      if (await fold.count() > 0) await fold.locator("summary").first().click();
      await row.click();
      agrees(await panel(p), computed[last]);
      assert.equal(await p.getAttribute(`[data-zoom="${last}"]`, "aria-pressed").catch(() => "true"), "true");
      await p.locator("tr[data-impact=\"0\"]").first().focus();
      await p.keyboard.press("Enter");
      agrees(await panel(p), computed[0]);
      assert.equal(await p.locator("tr[data-impact=\"0\"]").first().getAttribute("aria-current"), "true");
      await close();
    });

    test("keys play, step and go from impact to impact", async () => {
      const { page: p, close } = await page();
      await p.keyboard.press("Space");
      assert.equal(await p.textContent(".controls .main"), "Pause");
      await p.keyboard.press("Space");
      assert.equal(await p.textContent(".controls .main"), "Play");
      const { time } = await picture(p);
      await p.keyboard.press("ArrowRight");
      await p.keyboard.press("ArrowRight");
      assert.ok((await picture(p)).time > time);
      await p.locator("tr[data-impact=\"0\"]").first().click();
      await p.locator("h1").click();
      const count = csv(join(folder(), "impacts.csv")).length;
      if (count > 1) {
        await p.keyboard.press("n");
        assert.equal((await panel(p)).impact, "1");
        await p.keyboard.press("p");
        assert.equal((await panel(p)).impact, "0");
      }
      await close();
    });

    test("nothing moves by itself", async () => {
      const { page: p, close } = await page({ reducedMotion: "reduce" });
      const first = await picture(p);
      await p.waitForTimeout(400);
      assert.deepEqual(await picture(p), first);
      assert.equal(await p.evaluate(() => getComputedStyle(document.documentElement).scrollBehavior), "auto");
      await close();
    });
  });
}

test("plots zoom by dragging and come back with the button", async () => {
  const { page, close } = await open(browser, join(reports.make("by-force-law", "run", "models/000/two-pendulums.toml"), "report.html"));
  const over = page.locator(".plot .u-over").first();
  await over.scrollIntoViewIfNeeded();
  const box = await over.boundingBox();
  await page.mouse.move(box.x + 100, box.y + 60);
  await page.mouse.down();
  await page.mouse.move(box.x + 300, box.y + 60, { steps: 4 });
  await page.mouse.up();
  assert.equal(await page.getAttribute("[data-zoom=whole]", "aria-pressed"), "false");
  await page.click("[data-zoom=whole]");
  assert.equal(await page.getAttribute("[data-zoom=whole]", "aria-pressed"), "true");
  await page.click("[data-zoom=\"1\"]");
  assert.equal(await page.getAttribute("[data-zoom=\"1\"]", "aria-pressed"), "true");
  assert.match(await page.textContent(".plot .axis"), /after the onset of impact 2/);
  await close();
});

test("a dot goes along the loop of the impact that is shown", async () => {
  const { page, close } = await open(browser, join(reports.make("by-force-law", "run", "models/000/two-pendulums.toml"), "report.html"));
  const dots = () => page.evaluate(() => [...document.querySelectorAll(".loops circle")].map((c) => (c.getAttribute("visibility") === "visible" ? `${c.getAttribute("cx")} ${c.getAttribute("cy")}` : "")));
  await page.click("[data-loop=\"1\"]");
  const first = await dots();
  assert.deepEqual(first.map((d) => d !== ""), [false, true, false]);
  await page.locator("h1").click();
  await page.keyboard.press("ArrowRight");
  const second = await dots();
  assert.notEqual(second[1], first[1]);
  await close();
});

test("a machine in space is turned by keys and by dragging", async () => {
  const { page, close } = await open(browser, join(reports.make("in-space", "run", "models/impacts/sphere.toml", "--method", "piecewise", "--until", "1"), "report.html"));
  const canvas = page.locator(".view canvas").first();
  const first = await picture(page);
  await canvas.focus();
  await page.keyboard.press("ArrowLeft");
  const second = await picture(page);
  assert.notEqual(second.image, first.image);
  assert.equal(second.time, first.time);
  const box = await canvas.boundingBox();
  await page.mouse.move(box.x + 200, box.y + 100);
  await page.mouse.down();
  await page.mouse.move(box.x + 260, box.y + 140, { steps: 3 });
  await page.mouse.up();
  assert.notEqual((await picture(page)).image, second.image);
  await close();
});

test("each law has its own run, and its numbers are shown", async () => {
  const laws = ["flores", "exact", "ye"];
  const folder = reports.make("laws", "run", "models/000/two-pendulums.toml", ...laws.flatMap((law) => ["--law", law]));
  const { page, wrong, close } = await open(browser, join(folder, "report.html"));
  for (const [k, law] of laws.entries()) {
    await page.locator("input[name=run]").nth(k).check();
    await page.evaluate((run) => document.querySelector(`tr[data-run="${run}"][data-impact="0"]`).click(), k);
    agrees(await panel(page), csv(join(folder, law, "impacts.csv"))[0]);
  }
  assert.equal(await page.locator(".loops polyline").count() % laws.length, 0);
  assert.deepEqual(wrong, []);
  await close();
});

test("the still picture of an assessment shows its contacts", async () => {
  const { page, close } = await open(browser, join(reports.make("assess", "assess", "models/000/slider-crank.toml"), "report.html"));
  const first = await picture(page);
  assert.ok(first.image.length > 5000, "something is drawn");
  await page.getByLabel("names").uncheck();
  assert.notEqual((await picture(page)).image, first.image);
  await close();
});

test("a model without contacts, with markup in its title, has a page that moves", async () => {
  const title = "A </script><b>wheel</b>";
  const text = `carom = 1
title = "${title}"
space = "planar"
gravity = [0, 0]
[bodies.wheel]
mass = 1
shape = { disc = 1 }
[joints.axle]
type = "revolute"
connects = ["ground", "wheel"]
velocity = 2
[simulation]
duration = 10
`;
  const file = join(reports.folder, "wheel.toml");
  writeFileSync(file, text);
  const { page, wrong, close } = await open(browser, join(reports.make("wheel", "run", file), "report.html"));
  assert.equal(await page.textContent(".subject"), title);
  assert.equal((await panel(page)).title, "No impact");
  const first = await picture(page);
  await page.click(".controls .main");
  await page.waitForTimeout(300);
  assert.notEqual((await picture(page)).image, first.image);
  assert.deepEqual(wrong, []);
  await close();
});
