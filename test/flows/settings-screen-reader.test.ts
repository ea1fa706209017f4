import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { SHOTS } from "../screenshot-pages.ts";
import { noBrowser } from "../support/browser.ts";
import { type SettingsFixture, startSettings } from "../support/settings-fixture.ts";

/** What a screen reader is told about each page: the accessibility tree, which axe checks only in part. */

const SLOW_MS = 240_000;
const CONTROL =
  /^\s*- '?(button|link|textbox|searchbox|combobox|checkbox|switch|radio|spinbutton|slider)\b(?: "(.*?)")?/;
const HEADING = /^\s*- '?heading .*\[level=(\d)\]/;
const skipped = noBrowser("the accessibility tree of the settings page");

describe.skipIf(skipped)("the accessibility tree", () => {
  let fixture: SettingsFixture;
  let page: Page;

  beforeAll(async () => {
    fixture = await startSettings();
    page = (await fixture.profile()).page;
    await fixture.setUp(page);
  }, SLOW_MS);
  afterAll(() => fixture?.close(), SLOW_MS);

  /** Returns what is wrong with a page. */
  async function faultsOf(): Promise<string[]> {
    const lines = (await page.locator("body").ariaSnapshot()).split("\n");
    const found: string[] = [];
    for (const landmark of ["banner", "navigation", "main"]) {
      if (lines.filter((line) => line.trim().replace(/ ".*"/, "") === `- ${landmark}:`).length > 1) {
        found.push(`more than one ${landmark}`);
      }
    }
    const levels = lines.flatMap((line) => HEADING.exec(line)?.[1] ?? []).map(Number);
    if (levels.filter((level) => level === 1).length !== 1) found.push("not exactly one heading of level 1");
    levels.forEach((level, i) => {
      if (level > (levels[i - 1] ?? 0) + 1) found.push(`a heading of level ${level} after ${levels[i - 1]}`);
    });
    for (const line of lines) {
      const control = CONTROL.exec(line);
      if (control && !control[2]?.trim()) found.push(`no name: ${line.trim()}`);
    }
    // In a list of buttons, as screen readers offer it, equal names say nothing.
    const rows = page.locator("main li").getByRole("button");
    const names = await rows.evaluateAll((all) => all.map((one) => one.getAttribute("aria-label") ?? one.textContent));
    found.push(...names.filter((name, i) => names.indexOf(name) !== i).map((name) => `several rows have: ${name}`));
    return found;
  }

  test(
    "the check notices a control without a name, a second main heading, a skipped level and equal names in rows",
    async () => {
      await fixture.open(page, "#/usage");
      await page.evaluate(() => {
        const wrong =
          "<h1>x</h1><h4>y</h4><button></button><ul><li><button>z</button></li><li><button>z</button></li></ul>";
        document.querySelector("main")!.insertAdjacentHTML("beforeend", wrong);
      });
      expect(await faultsOf()).toEqual([
        "not exactly one heading of level 1",
        "a heading of level 4 after 1",
        "no name: - button",
        "several rows have: z",
      ]);
      await page.reload();
    },
    SLOW_MS,
  );

  for (const mode of ["real mail", "sandbox"] as const) {
    test(
      `has one main heading, levels in order, and a name for each control, with ${mode}`,
      async () => {
        await fixture.open(page, "#/");
        if (mode === "sandbox") await page.getByRole("switch", { name: "Sandbox" }).check();
        const found: string[] = [];
        for (const hash of new Set(SHOTS.map((shot) => shot.hash))) {
          await fixture.open(page, hash);
          await page.waitForFunction(() => document.querySelector("main .skeleton") === null);
          found.push(...(await faultsOf()).map((fault) => `${hash}: ${fault}`));
        }
        expect(found).toEqual([]);
      },
      SLOW_MS,
    );
  }

  test(
    "a thread has a heading for each message, with its sender, and a named frame",
    async () => {
      await fixture.open(page, "#/read");
      await page.getByRole("link", { name: /48 hours/ }).click();
      await page.locator(".message iframe").first().waitFor();
      expect(await faultsOf()).toEqual([]);
      const headings = await page.getByRole("list", { name: "Messages" }).getByRole("heading").allTextContents();
      expect(headings.length).toBe(await page.locator(".message").count());
      for (const heading of headings) expect(heading).toMatch(/\S/);
      expect(await page.locator(".message iframe").first().getAttribute("title")).toMatch(/\S/);
    },
    SLOW_MS,
  );
});
