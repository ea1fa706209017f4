import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { BackupLedger } from "../../src/backup/ledger.ts";
import { faultsInBoth } from "../support/axe.ts";
import { noBrowser } from "../support/browser.ts";
import { eventually } from "../support/eventually.ts";
import { type SettingsFixture, startSettings } from "../support/settings-fixture.ts";
import { SSHD, startSftp } from "../support/sftp-server.ts";

const SLOW_MS = 240_000;
const skipped = noBrowser("the settings of backups");

describe.skipIf(skipped)("the settings of backups", () => {
  let fixture: SettingsFixture;
  let page: Page;
  let folder: string;

  beforeAll(async () => {
    fixture = await startSettings({ "backup.keep": "9" });
    page = (await fixture.profile()).page;
    await fixture.setUp(page);
    folder = mkdtempSync(join(tmpdir(), "postroom-backup-page-"));
  }, SLOW_MS);
  afterAll(async () => {
    if (folder) rmSync(folder, { recursive: true });
    await fixture?.close();
  }, SLOW_MS);

  const shot = async (on: Page, name: string) => {
    if (process.env.SHOTS) await on.screenshot({ path: join(process.env.SHOTS, `${name}.png`), fullPage: true });
  };

  test.each(["folder", ...(SSHD ? ["server with SSH"] : [])])(
    "the copy in a %s shows where it is, and the commands to restore it",
    async (kind) => {
      const server = kind === "folder" ? null : await startSftp();
      const path = server ? join(server.root, "copies") : mkdtempSync(join(tmpdir(), "postroom-backup-place-"));
      const place = server ? server.place("copies") : path;
      const key_file = join(folder, "id");
      if (server) {
        server.options("copies");
        writeFileSync(key_file, server.key, { mode: 0o600 });
      }
      const confirmed = {
        "backup.sftp.key_file": key_file,
        "backup.sftp.host_key": server?.fingerprints.ed25519 ?? "",
      };
      const other = await startSettings({ "backup.to": place, ...(server ? confirmed : {}) });
      try {
        for (const look of [{}, { width: 390, dark: true }]) {
          const { page: fresh } = await other.profile(look);
          if (look.width) await other.signIn(fresh);
          else await other.setUp(fresh);
          await other.open(fresh, "#/backup");
          await fresh.getByRole("heading", { name: "Copy off this machine" }).waitFor();
          if (!look.width) await fresh.getByRole("button", { name: "Back up now" }).click();
          await fresh.getByText(/the backup of/).waitFor({ timeout: 60_000 });
          expect(readdirSync(path).sort()).toEqual(["index", "objects"]);
          await fresh.getByText(`postroom restore ${place} --verify`).waitFor();
          expect(await faultsInBoth(fresh)).toEqual([]);
          await shot(fresh, `copy-${kind}${look.width ? "-narrow" : ""}`);
        }
      } finally {
        await other.close();
        await server?.close();
        rmSync(path, { recursive: true, force: true });
      }
    },
    SLOW_MS,
  );

  test(
    "schedule and folder are chosen, previewed and saved; a backup is written there",
    async () => {
      await fixture.open(page, "#/backup");
      await page.getByText("Set by backup.keep in the configuration").waitFor();
      await page.getByLabel("Schedule").selectOption("week");
      await page.getByLabel("Day").selectOption("Wednesday");
      await page.getByLabel("Time").fill("04:15");
      await page.getByText(/Next backups: Wednesday .*; Wednesday .*; Wednesday .*\./).waitFor();
      await page.getByLabel("Another folder of this machine").check();
      const path = page.getByLabel("Path of the folder");
      await path.fill("/nonexistent/usb/backups");
      await page.getByRole("button", { name: "Save settings" }).click();
      await page.getByText("The folder /nonexistent/usb does not exist.").waitFor();
      expect(await faultsInBoth(page)).toEqual([]);
      await path.fill(folder);
      await page.getByRole("button", { name: "Save settings" }).click();
      await page.getByText("Backup settings saved.").waitFor();
      await page.getByRole("definition").filter({ hasText: folder }).waitFor();
      await page.getByRole("button", { name: "Back up now" }).click();
      await page.getByText(/took \d+ second/).waitFor({ timeout: 60_000 });
      expect(readdirSync(folder)).toHaveLength(1);
      expect(await faultsInBoth(page)).toEqual([]);
      await shot(page, "backup");
      await page.reload();
      await page.getByLabel("Day").waitFor();
      expect(await page.getByLabel("Time").inputValue()).toBe("04:15");
      expect(fixture.complaints).toEqual([]);
    },
    SLOW_MS,
  );

  test(
    "a failed backup is listed on Today under what needs the owner",
    async () => {
      const { platform } = fixture.live.app;
      const ledger = new BackupLedger(platform);
      await eventually(() => ledger.list().every(({ state }) => state !== "running"));
      ledger.failed(ledger.begin({ kind: "full", file: join(folder, "x.age"), kept: true }), "The drive is full.");
      await fixture.open(page, "#/");
      const need = page.getByRole("listitem").filter({ hasText: "The drive is full." });
      await need.waitFor();
      expect(await need.textContent()).toContain("Check failed");
      await need.getByRole("link", { name: /Open backups/ }).click();
      await page.getByText("The last backup failed").waitFor();
    },
    SLOW_MS,
  );

  test(
    "the page fits a narrow phone in dark colors",
    async () => {
      const phone = (await fixture.profile({ width: 390, dark: true })).page;
      await fixture.signIn(phone);
      await fixture.open(phone, "#/backup");
      await phone.getByLabel("Schedule").selectOption("custom");
      await phone.getByLabel("Cron expression").fill("* * * * *");
      await phone.getByText("Leave at least 15 minutes between two backups.").waitFor();
      expect(await phone.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
      await shot(phone, "backup-phone");
    },
    SLOW_MS,
  );
});
