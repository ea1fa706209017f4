import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Locator, Page } from "playwright-core";
import { takenOverPause } from "../../src/backup/continuous/pauses.ts";
import { BackupLedger } from "../../src/backup/ledger.ts";
import { systemClock } from "../../src/platform/clock.ts";
import { faultsInBoth } from "../support/axe.ts";
import { noBrowser } from "../support/browser.ts";
import { eventually } from "../support/eventually.ts";
import { BUCKET, startS3 } from "../support/s3-server.ts";
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

  const shot = async (on: Page | Locator, name: string) => {
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
          expect(readdirSync(path)).toEqual(expect.arrayContaining(["index", "keys", "log", "objects", "primary"]));
          await fresh.getByText(`postroom restore ${place} --data EMPTY-FOLDER`).waitFor();
          await fresh.getByText("postroom promote --data EMPTY-FOLDER --primary-is-off").waitFor();
          await fresh.getByRole("heading", { name: "Continuous copy" }).waitFor();
          await fresh.getByText(/last sent/).waitFor();
          await fresh.getByText("Set by backup.to in the configuration").waitFor();
          expect(await faultsInBoth(fresh)).toEqual([]);
          await shot(fresh, `copy-${kind}${look.width ? "-narrow" : ""}`);
          other.live.app.platform.acting.set(takenOverPause(systemClock.now()));
          await fresh.reload();
          const notice = fresh.getByText("Another machine is the primary", { exact: true });
          await notice.waitFor();
          expect(await faultsInBoth(fresh)).toEqual([]);
          await shot(fresh, `paused-${kind}${look.width ? "-narrow" : ""}`);
          await fresh.getByRole("button", { name: "Back up now" }).click();
          await fresh.getByText("Use the address of that machine.").waitFor();
          other.live.app.platform.acting.set(null);
          await notice.waitFor({ state: "detached", timeout: 30_000 });
        }
      } finally {
        await other.close();
        await server?.close();
        rmSync(key_file, { force: true });
        rmSync(path, { recursive: true, force: true });
      }
    },
    SLOW_MS,
  );

  test.skipIf(!SSHD)(
    "a server whose host key is not confirmed is shown with its fingerprint",
    async () => {
      const server = await startSftp();
      const key_file = join(folder, "id");
      server.options("copies");
      writeFileSync(key_file, server.key, { mode: 0o600 });
      const other = await startSettings({ "backup.to": server.place("copies"), "backup.sftp.key_file": key_file });
      try {
        const { page: fresh } = await other.profile();
        await other.setUp(fresh);
        await other.open(fresh, "#/backup");
        await fresh.getByText(/Nothing has been sent yet\. The host key .* SHA256:/).waitFor({ timeout: 30_000 });
        expect(await faultsInBoth(fresh)).toEqual([]);
      } finally {
        await other.close();
        await server.close();
        rmSync(key_file, { force: true });
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
    "a bucket is chosen with a preset, tested, saved and used at once; its secret is not shown again",
    async () => {
      const s3 = await startS3();
      try {
        await fixture.open(page, "#/backup");
        await page.getByRole("button", { name: "Back up now" }).click();
        await page.getByText(/took \d+ second/).waitFor({ timeout: 60_000 });
        const card = page.getByRole("region", { name: "Copy to another machine" });
        const field = (name: string) => card.getByLabel(name, { exact: true });
        const button = (name: string) => card.getByRole("button", { name, exact: true });
        await card.getByLabel("S3-compatible store").check();
        await card.getByLabel("Store", { exact: true }).selectOption("Backblaze B2");
        expect(await field("Endpoint").inputValue()).toBe("https://s3.REGION.backblazeb2.com");
        await field("Endpoint").fill("https://s3.us-west-004.backblazeb2.com");
        expect(await field("Region").inputValue()).toBe("us-west-004");
        await card.getByLabel("Store", { exact: true }).selectOption("Amazon S3");
        expect(await field("Endpoint").count()).toBe(0);
        await card.getByLabel("Store", { exact: true }).selectOption("MinIO");
        await button("Test").click();
        await card.getByText("Enter the name of the bucket.").waitFor();
        await card.locator("input[aria-invalid=true]:focus").waitFor();
        expect(await faultsInBoth(page)).toEqual([]);

        await field("Endpoint").fill(s3.endpoint);
        await field("Bucket").fill("no-such-bucket");
        await field("Prefix (optional)").fill("mine");
        await field("Access key ID").fill("S3RVER");
        await field("Secret access key").fill("S3RVER");
        await button("Test").click();
        await card.getByText("There is no bucket no-such-bucket. Create it, or correct its name.").waitFor();
        await button("Save without a test").waitFor();
        await shot(card, "target-fault");
        await field("Bucket").fill(BUCKET);
        expect(await button("Save without a test").count()).toBe(0);
        await button("Test").click();
        await card.getByText("supports conditional writes").waitFor();
        expect(await faultsInBoth(page)).toEqual([]);
        await shot(card, "target-tested");
        expect(await page.getByRole("heading", { name: "Copy off this machine" }).count()).toBe(0);

        await button("Test and save").click();
        await page.getByText("Place of the copies saved.").waitFor();
        const status = page.getByRole("region", { name: "Copy off this machine" });
        await status.getByText(/the backup of/).waitFor({ timeout: 60_000 });
        await status.getByText(`postroom restore s3://${BUCKET}/mine --data EMPTY-FOLDER`).waitFor();
        expect(await status.locator(".copy-box").textContent()).toContain(
          `export POSTROOM_BACKUP_S3_ENDPOINT=${s3.endpoint} POSTROOM_BACKUP_S3_ACCESS_KEY_ID=S3RVER POSTROOM_BACKUP_S3_SECRET_ACCESS_KEY=YOUR-SECRET`,
        );
        expect(s3.passed.some(({ path }) => path === `/${BUCKET}/mine/index`)).toBe(true);

        await page.reload();
        await card.getByText("Saved, not shown again").waitFor();
        expect(await page.content()).not.toContain('value="S3RVER" type="password"');
        expect(await faultsInBoth(page)).toEqual([]);
        await shot(card, "target-saved");
        await shot(status, "target-status");
        await card.getByRole("button", { name: "Replace the secret access key" }).click();
        await card.locator("input[type=password]:focus").waitFor();
        await field("Secret access key").fill("S3RVER");
        await card.getByText("More settings").click();
        await card.getByLabel("Certificate of your own authority").fill("nothing");
        await button("Test and save").click();
        await card.getByText("Paste the certificate as PEM text").waitFor();
        await card.getByLabel("Certificate of your own authority").fill("");
        await button("Test and save").click();
        await page.getByText("Place of the copies saved.").first().waitFor();
        await card.getByText("is already there").or(card.getByText("are already there")).waitFor();

        await card.getByRole("radio", { name: /^Off/ }).check();
        await card.getByText(`The copies in s3://${BUCKET}/mine stay there until you delete them.`).waitFor();
        await button("Save").click();
        await page.getByText("Copies are off.").waitFor();
        await status.waitFor({ state: "detached" });
        expect(fixture.complaints).toEqual([]);
        expect(fixture.strays).toEqual([]);
      } finally {
        await s3.close();
      }
    },
    SLOW_MS,
  );

  test.skipIf(!SSHD)(
    "a server with SSH is chosen after its fingerprint is confirmed",
    async () => {
      const server = await startSftp();
      try {
        const { place, login } = server.options("copies");
        await fixture.open(page, "#/backup");
        await page.getByRole("button", { name: "Back up now" }).click();
        await page.getByText(/took \d+ second/).waitFor({ timeout: 60_000 });
        const card = page.getByRole("region", { name: "Copy to another machine" });
        const field = (name: string) => card.getByLabel(name, { exact: true });
        await card.getByRole("radio", { name: /^Server with SSH/ }).check();
        await field("Server").fill(place.host);
        await field("Port").fill(String(place.port));
        await field("User").fill(place.user);
        await field("Path of the folder on the server").fill(place.path);
        await card.getByRole("button", { name: "Test", exact: true }).click();
        await card.getByText("Paste the private key.").waitFor();
        await card.getByRole("textbox", { name: "Private key", exact: true }).fill(login.key!);
        await card.getByRole("button", { name: "Test", exact: true }).click();
        await card.getByText(`Its fingerprint is ${server.fingerprints.ed25519}.`).waitFor();
        expect(await faultsInBoth(page)).toEqual([]);
        await shot(card, "target-fingerprint");
        await card.getByRole("button", { name: "Use this fingerprint" }).click();
        await card.getByRole("button", { name: "Test and save" }).click();
        await card.getByText("The server supports conditional writes").waitFor();
        const status = page.getByRole("region", { name: "Copy off this machine" });
        await status.getByText(/the backup of/).waitFor({ timeout: 60_000 });
        expect(readdirSync(place.path)).toEqual(expect.arrayContaining(["index", "objects"]));
        await page.reload();
        await card.getByText("Saved, not shown again").waitFor();
        expect(await page.content()).not.toContain("PRIVATE KEY");
        expect(await faultsInBoth(page)).toEqual([]);
        await shot(card, "target-server");
        await shot(status, "target-server-status");
        await card.getByRole("radio", { name: /^Off/ }).check();
        await card.getByRole("button", { name: "Save", exact: true }).click();
        await status.waitFor({ state: "detached" });
        expect(fixture.complaints).toEqual([]);
      } finally {
        await server.close();
      }
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
      const card = phone.getByRole("region", { name: "Copy to another machine" });
      await card.getByLabel("S3-compatible store").check();
      await card.getByLabel("Store", { exact: true }).selectOption("Garage");
      await card.getByText("More settings").click();
      expect(await phone.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
      expect(await faultsInBoth(phone)).toEqual([]);
      await phone.emulateMedia({ colorScheme: "dark" });
      await shot(phone, "backup-phone");
    },
    SLOW_MS,
  );
});
