import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { faultsInBoth } from "../support/axe.ts";
import { noBrowser } from "../support/browser.ts";
import { eventually } from "../support/eventually.ts";
import { mailText } from "../support/mail-text.ts";
import { type SettingsFixture, startSettings } from "../support/settings-fixture.ts";
import { zipFile } from "../support/zip-file.ts";

const SLOW_MS = 240_000;
const skipped = noBrowser("the import of mail on the settings page");

const mbox = (texts: readonly string[]) =>
  texts.map((text) => `From x Mon Mar  2 09:00:00 2020\n${text.replaceAll("\r", "")}\n`).join("");

describe.skipIf(skipped)("importing mail on the settings page", () => {
  let fixture: SettingsFixture;
  let page: Page;
  let folder: string;

  beforeAll(async () => {
    fixture = await startSettings();
    page = (await fixture.profile()).page;
    await fixture.setUp(page);
    folder = mkdtempSync(join(tmpdir(), "postroom-upload-"));
    const letters = Array.from({ length: 12 }, (_, i) =>
      mailText({ id: `letter-${i}`, subject: `Letter from Lisbon ${i}` }).replace(
        "Subject:",
        "X-Gmail-Labels: Inbox,Travel\r\nSubject:",
      ),
    );
    const takeout = zipFile([
      { name: "Takeout/archive_browser.html", content: "<html></html>" },
      { name: "Takeout/Mail/All mail Including Spam and Trash.mbox", content: mbox(letters) },
    ]);
    writeFileSync(join(folder, "takeout.zip"), takeout);
    // About 21 MB in six parts.
    const long = Array.from({ length: 210 }, (_, i) =>
      mailText({ id: `long-${i}`, subject: `Long letter ${i}`, text: `${"word ".repeat(20_000)}` }),
    );
    writeFileSync(join(folder, "Long letters.mbox"), mbox(long));
  }, SLOW_MS);
  afterAll(async () => {
    if (folder) rmSync(folder, { recursive: true });
    await fixture?.close();
  }, SLOW_MS);

  const shot = async (name: string) => {
    if (process.env.SHOTS) await page.screenshot({ path: join(process.env.SHOTS, `${name}.png`), fullPage: true });
  };
  const choose = async (on: Page, file: string, name: string) => {
    await on.getByLabel("Mail file", { exact: true }).setInputFiles(join(folder, file));
    await on.getByLabel(/Name of the( new)? mailbox/).fill(name);
    await on.getByRole("button", { name: "Start import" }).click();
  };
  const uploads = () => {
    const root = join(fixture.live.app.platform.config.data_dir, "cache", "uploads");
    return existsSync(root) ? readdirSync(root) : [];
  };

  test(
    "a Takeout archive is imported with the keyboard alone, and its messages are found",
    async () => {
      // Early, because the browser takes a moment until it reports dialogs instead of opening them.
      const chooser = page.waitForEvent("filechooser", { timeout: 60_000 });
      await fixture.open(page, "#/mailboxes");
      await page.getByRole("link", { name: "Import mail" }).focus();
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { name: "Import mail", level: 1 }).waitFor();
      expect(await faultsInBoth(page)).toEqual([]);
      await shot("import-new");
      await page.getByRole("button", { name: "Start import" }).focus();
      await page.keyboard.press("Enter");
      await page.getByText("Choose a file.").waitFor();
      const input = page.getByLabel("Mail file", { exact: true });
      await eventually(async () => await input.evaluate((field) => field === document.activeElement));
      await page.keyboard.press("Enter");
      await (await chooser).setFiles(join(folder, "takeout.zip"));
      await page.keyboard.press("Tab");
      await page.keyboard.type("lisbon");
      await page.keyboard.press("Enter");
      await page.getByText("12 messages imported").waitFor();
      await shot("import-done");
      expect(await faultsInBoth(page)).toEqual([]);
      await eventually(() => uploads().length === 0);
      await fixture.open(page, "#/search");
      await page.getByLabel("Search your mail").fill("letter from Lisbon label:Travel");
      await page.keyboard.press("Enter");
      await page.getByText("Letter from Lisbon 3").first().waitFor();
      expect(fixture.complaints).toEqual([]);
      expect(fixture.strays).toEqual([]);
    },
    SLOW_MS,
  );

  test(
    "a file that is dropped on the page and is not mail is reported with the reason",
    async () => {
      await fixture.open(page, "#/mailboxes/import");
      const dropped = await page.evaluateHandle(() => {
        const transfer = new DataTransfer();
        transfer.items.add(new File(["\u0089PNG not mail"], "photo.mbox"));
        return transfer;
      });
      await page.locator(".file-drop").dispatchEvent("drop", { dataTransfer: dropped });
      await page.locator(".file-drop").getByText("photo.mbox").waitFor();
      await page.getByLabel(/Name of the( new)? mailbox/).fill("photos");
      await page.getByRole("button", { name: "Start import" }).click();
      await page.getByText(/photo\.mbox is not a mail file/).waitFor();
      await shot("import-failed");
    },
    SLOW_MS,
  );

  test(
    "an upload survives a break of the connection and a reload, and continues with the same file",
    async () => {
      await fixture.open(page, "#/mailboxes/import");
      let parts = 0;
      await page.route("**/data?offset=*", async (route) => {
        parts++;
        // The second part is cut off, and nothing arrives after the third.
        if (parts === 2) return await route.abort("connectionreset");
        if (parts > 3) return await new Promise(() => {});
        await route.continue();
      });
      await choose(page, "Long letters.mbox", "long letters");
      await page.getByText(/did not respond.*continues automatically/s).waitFor();
      expect(await faultsInBoth(page)).toEqual([]);
      await eventually(() => parts > 3, 20_000);
      await page.getByText(/8\.4 MB of 2\d MB/).waitFor();
      await shot("import-uploading");
      await page.reload();
      // Before the reload, this would let the held part continue.
      await page.unroute("**/data?offset=*");
      await page.getByText("This tab is not uploading the file.").waitFor();
      await page.getByText(/8\.4 MB of 2\d MB \((39|40) %\)/).waitFor();
      expect(await faultsInBoth(page)).toEqual([]);
      await shot("import-continue");
      const again = page.getByLabel("Choose Long letters.mbox again", { exact: true });
      await again.setInputFiles(join(folder, "takeout.zip"));
      await page.getByText("This is another file").waitFor();
      expect(await page.getByRole("button", { name: "Continue upload" }).isDisabled()).toBe(true);
      await again.setInputFiles(join(folder, "Long letters.mbox"));
      await page.getByRole("button", { name: "Continue upload" }).click();
      await page
        .getByText(/Uploaded/)
        .first()
        .waitFor();
      await page.getByText("210 messages imported").waitFor({ timeout: 120_000 });
    },
    SLOW_MS,
  );

  test(
    "an import is canceled, and the form fits a narrow phone in dark colors",
    async () => {
      const phone = (await fixture.profile({ width: 390, dark: true })).page;
      await fixture.signIn(phone);
      await fixture.open(phone, "#/mailboxes/import");
      const fits = () => phone.evaluate(() => document.documentElement.scrollWidth <= innerWidth);
      expect(await fits()).toBe(true);
      await phone.route("**/data?offset=*", () => new Promise(() => {}));
      await choose(phone, "Long letters.mbox", "again");
      await phone.getByRole("heading", { name: "Importing Long letters.mbox" }).waitFor();
      expect(await fits()).toBe(true);
      if (process.env.SHOTS)
        await phone.screenshot({ path: join(process.env.SHOTS, "import-phone.png"), fullPage: true });
      await phone.getByRole("button", { name: "Cancel", exact: true }).click();
      await phone.getByRole("button", { name: "Cancel import" }).click();
      await phone.getByText("Canceled").first().waitFor();
      await phone.getByRole("heading", { name: "New import" }).waitFor();
      expect(uploads()).toEqual([]);
    },
    SLOW_MS,
  );
});
