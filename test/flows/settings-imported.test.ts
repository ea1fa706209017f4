import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { faultsInBoth } from "../support/axe.ts";
import { noBrowser } from "../support/browser.ts";
import { importMbox } from "../support/imported-mail.ts";
import { OWNER, type SettingsFixture, startSettings } from "../support/settings-fixture.ts";

const SLOW_MS = 240_000;
const NAME = "ada@old.example";
const skipped = noBrowser("the page of an imported mailbox");

describe.skipIf(skipped)("the page of an imported mailbox", () => {
  let fixture: SettingsFixture;
  let page: Page;
  let id: string;

  beforeAll(async () => {
    fixture = await startSettings();
    page = (await fixture.profile()).page;
    await fixture.setUp(page);
    const owner = fixture.live.app.platform.users.findByEmail(OWNER.email)!;
    ({ id } = await importMbox(fixture.live, owner.id, NAME));
  }, SLOW_MS);
  afterAll(() => fixture?.close(), SLOW_MS);

  const show = async (on: Page) => {
    await fixture.open(on, "#/mailboxes");
    await on.getByRole("link", { name: NAME }).click();
    await on.getByRole("heading", { name: /only copy/ }).waitFor();
  };

  test(
    "offers no action that needs a server, and does not mention one",
    async () => {
      await show(page);
      const buttons = await page.locator("main").getByRole("button").allTextContents();
      expect(
        buttons
          .map((text) => text.trim())
          .filter((text) => /look|sync|compare|verify|pause|resume|go on|password|primary|read.only|allow/i.test(text)),
      ).toEqual([]);
      const text = await page.locator("main").textContent();
      expect(text).toContain("25 messages");
      expect(text).toContain("Imported files");
      for (const wrong of [
        /stays|is kept/i,
        /not reach|unreachable/i,
        /verified|verification/i,
        /password/i,
        /signs in|authentication/i,
        /last looked|last sync/i,
      ]) {
        expect(text).not.toMatch(wrong);
      }
    },
    SLOW_MS,
  );

  test(
    "leads to its mail on the Read page",
    async () => {
      await show(page);
      await page.getByRole("link", { name: "Read mail" }).click();
      await page.getByRole("heading", { name: "Read", level: 1 }).waitFor();
      await page.locator(".thread").first().waitFor();
      expect(await page.getByLabel("Mailbox", { exact: true }).inputValue()).toBe(id);
    },
    SLOW_MS,
  );

  test(
    "in the list it is marked as imported, not live, without sync progress",
    async () => {
      await fixture.open(page, "#/mailboxes");
      const tile = page.getByRole("listitem").filter({ hasText: NAME });
      expect(await tile.textContent()).toMatch(/Imported[\s\S]*only copy/);
      expect(await tile.getByRole("progressbar").count()).toBe(0);
    },
    SLOW_MS,
  );

  test(
    "has no accessibility violations in light and dark, and fits a narrow phone, with and without its dialog",
    async () => {
      await show(page);
      expect(await faultsInBoth(page)).toEqual([]);
      const phone = (await fixture.profile({ width: 320 })).page;
      await fixture.signIn(phone);
      await show(phone);
      const fits = () => phone.evaluate(() => document.documentElement.scrollWidth <= innerWidth);
      expect(await fits()).toBe(true);
      await phone.getByRole("button", { name: "Delete mailbox" }).click();
      expect(await fits()).toBe(true);
      expect(await faultsInBoth(phone)).toEqual([]);
    },
    SLOW_MS,
  );

  test(
    "the dialog warns about the only copy, exports it, and deletes it only after its name is typed",
    async () => {
      await show(page);
      await page.getByRole("button", { name: "Delete mailbox" }).click();
      const dialog = page.getByRole("dialog", { name: /only copy/ });
      const text = await dialog.textContent();
      expect(text).toContain("only copy of its mail");
      expect(text).not.toMatch(/server keeps|server stays|server.*kept/);
      const confirm = dialog.getByRole("button", { name: "Delete the only copy" });
      expect(await confirm.isDisabled()).toBe(true);
      const [file] = await Promise.all([
        page.waitForEvent("download"),
        dialog.getByRole("button", { name: "Export as mbox" }).click(),
      ]);
      expect(file.suggestedFilename()).toMatch(/^ada@old\.example.*\.mbox$/);
      expect(readFileSync(await file.path(), "utf8").match(/^Subject: Old letter/gm)).toHaveLength(25);
      await dialog.getByText("Exported 25 messages, all as imported.").waitFor();
      await dialog.getByRole("textbox").fill("yes");
      expect(await confirm.isDisabled()).toBe(true);
      expect(fixture.live.app.mailbox.accounts.get(id)).not.toBeNull();
      await dialog.getByRole("textbox").fill(NAME);
      await confirm.click();
      await page.getByRole("heading", { name: "Mailboxes" }).waitFor();
      expect(fixture.live.app.mailbox.accounts.get(id)).toBeNull();
      expect(fixture.complaints).toEqual([]);
    },
    SLOW_MS,
  );
});
