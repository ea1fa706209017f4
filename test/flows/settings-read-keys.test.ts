import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { faultsInBoth } from "../support/axe.ts";
import { noBrowser } from "../support/browser.ts";
import { type ReadPage, readPage } from "../support/read-page.ts";
import { type SettingsFixture, startSettings } from "../support/settings-fixture.ts";

/** The Read page with the keyboard alone. */

const SLOW_MS = 240_000;
const skipped = noBrowser("the Read page with the keyboard");

describe.skipIf(skipped)("the Read page with the keyboard", () => {
  let fixture: SettingsFixture;
  let page: Page;
  let r: ReadPage;

  beforeAll(async () => {
    fixture = await startSettings();
    page = (await fixture.profile()).page;
    await fixture.setUp(page);
    await page.getByRole("switch", { name: "Sandbox" }).check();
    r = readPage(fixture, page, fixture.live.newKey({ test: true }));
  }, SLOW_MS);
  afterAll(() => fixture?.close(), SLOW_MS);

  const focusedText = () => page.evaluate(() => document.activeElement?.closest("li")?.textContent ?? "");
  /** Waits until the row of a thread has the focus. */
  const focusedRow = (subject: string) =>
    page.waitForFunction((text) => document.activeElement?.closest("li")?.textContent?.includes(text), subject);

  test(
    "everything works with the keyboard alone",
    async () => {
      await r.fresh("#/read");
      const subjects = await page.locator(".thread-subject").allTextContents();
      await page.keyboard.press("j");
      expect(await focusedText()).toContain(subjects[0]!);
      await page.keyboard.press("j");
      await page.keyboard.press("j");
      await page.keyboard.press("k");
      expect(await focusedText()).toContain(subjects[1]!);
      await page.keyboard.press("s");
      await r.toast("Star").first().waitFor();
      // The second thread is starred in the sample mail.
      expect((await r.thread(subjects[1]!)).starred).toBe(false);
      await page.keyboard.press("z");
      await r.toast("Undone: star removed").waitFor();
      expect((await r.thread(subjects[1]!)).starred).toBe(true);

      await page.keyboard.press("e");
      await r.toast(`Archived: “${subjects[1]}”`).waitFor();
      expect(await focusedText()).toContain(subjects[2]!);
      await page.keyboard.press("z");
      await r.row(subjects[1]!).waitFor();

      await page.keyboard.press("o");
      await page.getByRole("heading", { name: subjects[2]!, level: 1 }).waitFor();
      await page.waitForFunction(() => document.activeElement?.tagName === "H1");
      await page.keyboard.press("j");
      await page.getByRole("heading", { name: subjects[3]!, level: 1 }).waitFor();
      await page.keyboard.press("k");
      await page.getByRole("heading", { name: subjects[2]!, level: 1 }).waitFor();
      await page.keyboard.press("u");
      await r.row(subjects[2]!).waitFor();
      await focusedRow(subjects[2]!);
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { name: subjects[2]!, level: 1 }).waitFor();
      await page.locator(".message").first().waitFor();
      await page.keyboard.press("#");
      await r.toast("Moved to trash").waitFor();
      await r.row(subjects[3]!).waitFor();
      await focusedRow(subjects[3]!);
      await page.keyboard.press("z");
      await r.toast("Undone: moved to trash").waitFor();

      await page.keyboard.press("/");
      await page.keyboard.type("size");
      // Letters that are typed into a field are text.
      expect(await page.getByRole("searchbox").inputValue()).toBe("size");
      await page.locator("h1").focus();
      await page.keyboard.press("?");
      const help = page.getByRole("dialog", { name: "Keyboard shortcuts" });
      await help.waitFor();
      expect(await faultsInBoth(page)).toEqual([]);
      await page.keyboard.press("e");
      await help.getByLabel("Use these keys").uncheck();
      await page.keyboard.press("Escape");
      await help.waitFor({ state: "detached" });
      await page.locator(".thread-link").first().focus();
      await page.keyboard.press("j");
      expect(await focusedText()).toContain(subjects[0]!);
      await page.keyboard.press("?");
      await help.getByLabel("Use these keys").check();
      await page.keyboard.press("Escape");
    },
    SLOW_MS,
  );

  test("no page broke its own policy", () => expect(fixture.complaints).toEqual([]));
});
