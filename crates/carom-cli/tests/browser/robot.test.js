// The surfaces of a robot: they fill the picture, turn, zoom, and change their colours.
import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { Reports, launch, open } from "./page.js";

const reports = new Reports();
let browser;
before(async () => { browser = await launch(); });
after(async () => { await browser.close(); reports.remove(); });

const ASKED = ["tip", "models/robots/arm.urdf", "--tip", "tool_tip", "--q", "20,-50,80,-60,15,10 deg"];

/** Dots of the picture that are not paper, and how many colours they have. */
const seen = (page) => page.evaluate(() => {
  const canvas = document.querySelector(".view canvas");
  const { width, height } = canvas;
  const copy = Object.assign(document.createElement("canvas"), { width, height }).getContext("2d", { willReadFrequently: true });
  copy.drawImage(canvas, 0, 0);
  const { data } = copy.getImageData(0, 0, width, height);
  let filled = 0;
  const hues = new Set();
  for (let k = 0; k < data.length; k += 4) {
    if (data[k + 3] > 250) { filled += 1; hues.add((data[k] >> 5) * 64 + (data[k + 1] >> 5) * 8 + (data[k + 2] >> 5)); }
  }
  return { part: filled / (width * height), hues: hues.size, image: canvas.toDataURL() };
});

test("a skin is drawn without gaps in many colours, and can be turned and zoomed", async () => {
  const { page, wrong, close } = await open(browser, join(reports.make("skin", ...ASKED, "--skin"), "report.html"));
  const first = await seen(page);
  assert.ok(first.part > 0.05 && first.part < 0.8, `${first.part}`);
  assert.ok(first.hues > 20, `${first.hues}`);
  await page.getByRole("button", { name: "zoom in" }).click();
  const near = await seen(page);
  assert.ok(near.part > 1.2 * first.part, `${near.part} ${first.part}`);
  await page.getByRole("button", { name: "turn the view back" }).click();
  assert.equal((await seen(page)).image, first.image);
  await page.focus(".view canvas");
  await page.keyboard.press("ArrowLeft");
  assert.notEqual((await seen(page)).image, first.image);
  assert.deepEqual(wrong, []);
  await close();
});

test("the colours show one quantity or the other, with the ends of their scale", async () => {
  const { page, close } = await open(browser, join(reports.make("skin", ...ASKED, "--skin"), "report.html"));
  const first = await seen(page);
  assert.match(await page.textContent(".skin .scale"), /kg/);
  await page.getByRole("radio", { name: "permitted speed" }).check();
  assert.match(await page.textContent(".skin .scale"), /m\/s/);
  assert.notEqual((await seen(page)).image, first.image);
  await close();
});

test("a tip without a skin shows its bodies as solids", async () => {
  const { page, wrong, close } = await open(browser, join(reports.make("tip", ...ASKED), "report.html"));
  const { part, hues } = await seen(page);
  assert.ok(part > 0.05 && hues > 8, `${part} ${hues}`);
  assert.equal(await page.locator(".skin").count(), 0);
  assert.deepEqual(wrong, []);
  await close();
});
