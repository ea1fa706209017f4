import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { noBrowser } from "../support/browser.ts";
import { OWNER, type SettingsFixture, startSettings } from "../support/settings-fixture.ts";

/** Set-up and sign-in with the keyboard and a screen reader: focus, secrets, and the address that passkeys need. */

const SLOW_MS = 120_000;
const skipped = noBrowser("focus, passwords and addresses on the settings page");

/** Entries of the menu that the owner has. */
const PAGES = [
  "",
  "read",
  "mailboxes",
  "search",
  "rules",
  "assistants",
  "approvals",
  "agent",
  "ai",
  "keys",
  "webhooks",
];

describe.skipIf(skipped)("set-up with the keyboard", () => {
  let fixture: SettingsFixture;
  let page: Page;

  beforeAll(async () => {
    fixture = await startSettings();
    page = (await fixture.profile()).page;
  }, SLOW_MS);
  afterAll(() => fixture?.close(), SLOW_MS);

  /** Waits until the first heading of the page has the focus. @returns its text */
  async function focusedHeading(name: string, on = page): Promise<void> {
    await on.getByRole("heading", { name, level: 1, exact: true }).waitFor();
    await on.waitForFunction(
      (text) => document.activeElement?.matches("h1") && document.activeElement.textContent === text,
      name,
    );
  }

  test(
    "at an IP address, the page says that passkeys need localhost, and its link keeps the setup code",
    async () => {
      const { page: numeric, context } = await fixture.profile();
      await numeric.goto(fixture.live.app.setupUrl!.replace("localhost", "127.0.0.1"));
      await numeric.getByText("Passkeys do not work at 127.0.0.1.").waitFor();
      await numeric.getByRole("link", { name: "Open Postroom at localhost" }).click();
      await numeric.waitForURL(fixture.live.app.setupUrl!);
      await numeric.getByRole("heading", { name: "Welcome to Postroom" }).waitFor();
      expect(await numeric.getByText("Passkeys do not work").count()).toBe(0);
      await context.close();
    },
    SLOW_MS,
  );

  test(
    "the heading of each step takes the focus, and a password can be shown",
    async () => {
      await page.goto(fixture.live.app.setupUrl!);
      await page.getByLabel("Email address").fill(OWNER.email);
      const password = page.getByLabel("Password");
      await password.fill(OWNER.password);
      const show = page.getByRole("button", { name: "Show password" });
      expect([await password.getAttribute("type"), await show.getAttribute("aria-pressed")]).toEqual([
        "password",
        "false",
      ]);
      await show.click();
      expect([await password.getAttribute("type"), await show.getAttribute("aria-pressed")]).toEqual(["text", "true"]);
      // A password manager fills and saves the field by its autocomplete attribute, shown or not.
      expect(await password.getAttribute("autocomplete")).toBe("new-password");
      await page.getByRole("button", { name: "Continue" }).press("Enter");
      await focusedHeading("Choose where to keep your encryption key");
      await page.getByText("If you are not sure, keep the first choice.").waitFor();
      await page.getByRole("radio", { name: /passphrase/ }).check();
      await page.getByRole("button", { name: "Show passphrase", exact: true }).waitFor();
      await page.getByRole("radio", { name: /\(key file\)/ }).check();
      await page.getByRole("button", { name: "Back" }).press("Enter");
      await focusedHeading("Welcome to Postroom");
      // The submission has hidden the password again.
      expect(await password.getAttribute("type")).toBe("password");
      await page.getByRole("button", { name: "Continue" }).press("Enter");
      await page.getByRole("button", { name: "Create account" }).press("Enter");
      await focusedHeading("Your recovery key");
      await page.getByLabel("I saved the recovery key in a safe place").check();
      await page.getByRole("button", { name: "Connect first mailbox" }).press("Enter");
      // The only field of this page takes the focus.
      await page.getByRole("heading", { name: "Connect a mailbox" }).waitFor();
      await page.waitForFunction(() => document.activeElement?.matches("main input"));
    },
    SLOW_MS,
  );

  test(
    "the heading takes the focus after a change of page, on a desktop and from the menu of a phone",
    async () => {
      for (const width of [1280, 390]) {
        await page.setViewportSize({ width, height: 800 });
        for (const name of PAGES) {
          if (width < 600) await page.getByRole("button", { name: /^Menu/ }).click();
          await page.locator(`nav a[href="#/${name}"]`).press("Enter");
          await page.waitForFunction(
            (path) => location.hash === `#/${path}` && document.activeElement?.matches("main h1"),
            name,
          );
        }
      }
      await page.setViewportSize({ width: 1280, height: 860 });
    },
    SLOW_MS,
  );

  test(
    "in the sandbox, pages that do not change with it say so",
    async () => {
      await page.getByRole("switch", { name: "Sandbox" }).check();
      const bar = page.locator(".sandbox-bar");
      await fixture.open(page, "#/rules");
      await bar.getByText("You are in the sandbox.").waitFor();
      for (const name of ["notifications", "security", "people", "backup", "system"]) {
        await fixture.open(page, `#/${name}`);
        await bar.getByText("changes here are real").waitFor();
      }
      for (const name of ["keys", "assistants", "approvals"]) {
        await fixture.open(page, `#/${name}`);
        await bar.getByText("for your mail and for the sandbox").waitFor();
      }
      await page.getByRole("switch", { name: "Sandbox" }).uncheck();
      await bar.waitFor({ state: "detached" });
    },
    SLOW_MS,
  );

  test(
    "sign-out and sign-in move the focus to the new heading",
    async () => {
      await fixture.open(page, "#/security");
      await page.getByRole("button", { name: "Show current password" }).waitFor();
      await page.getByRole("button", { name: "Sign out", exact: true }).first().press("Enter");
      await focusedHeading("Sign in");
      await page.getByLabel("Email address").fill(OWNER.email);
      await page.getByLabel("Password").fill(OWNER.password);
      await page.getByRole("button", { name: "Show password" }).click();
      await page.getByRole("button", { name: "Sign in", exact: true }).press("Enter");
      await focusedHeading("Security");
    },
    SLOW_MS,
  );
});
