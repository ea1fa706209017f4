import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { generateSync } from "otplib";
import type { Page } from "playwright-core";
import { faultsInBoth } from "../support/axe.ts";
import { noBrowser } from "../support/browser.ts";
import { OWNER, type SettingsFixture, startSettings } from "../support/settings-fixture.ts";

/** Sign-in by invitation, by passkey and with an authenticator app. */

const SLOW_MS = 120_000;
const skipped = noBrowser("invitations, passkeys and codes on the settings page");

describe.skipIf(skipped)("other sign-in methods of the settings page", () => {
  let fixture: SettingsFixture;
  let page: Page;

  beforeAll(async () => {
    fixture = await startSettings();
    page = (await fixture.profile()).page;
    await fixture.setUp(page);
  }, SLOW_MS);
  afterAll(() => fixture?.close(), SLOW_MS);

  async function signIn(on: Page): Promise<void> {
    await on.getByLabel("Email address").fill(OWNER.email);
    await on.getByLabel("Password").fill(OWNER.password);
    await on.getByRole("button", { name: "Sign in", exact: true }).click();
  }

  async function signOut(): Promise<void> {
    await page.getByRole("button", { name: "Sign out", exact: true }).first().click();
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
  }

  test(
    "a new member gets a link, chooses a password and sees only their own pages",
    async () => {
      await page.goto(`${fixture.origin}/app/#/people`);
      await page.getByRole("button", { name: "Add member" }).click();
      await page.getByLabel("Email address").fill("bo@home.example");
      await page.getByRole("dialog").getByRole("button", { name: "Add member" }).click();
      const link = (await page.getByRole("dialog").locator(".copy-box code").textContent()) ?? "";
      const { page: guest } = await fixture.profile();
      await guest.goto(link);
      await guest.getByLabel("Password", { exact: true }).fill("a long walk by the sea");
      await guest.getByLabel("Confirm password").fill("a long walk by the sea");
      await guest.getByRole("button", { name: "Accept invitation" }).click();
      await guest.getByRole("heading", { name: "Today", level: 1 }).waitFor();
      await guest.getByText("No mailboxes yet").waitFor();
      // Pages for the owner are hidden.
      expect(await guest.getByRole("link", { name: "Backup" }).count()).toBe(0);
      // The link works only once.
      const { page: late } = await fixture.profile();
      await late.goto(link);
      await late.getByLabel("Password", { exact: true }).fill("a long walk by the sea");
      await late.getByLabel("Confirm password").fill("a long walk by the sea");
      await late.getByRole("button", { name: "Accept invitation" }).click();
      await late.getByRole("alert").waitFor();
    },
    SLOW_MS,
  );

  test(
    "a passkey is created and signs in",
    async () => {
      const devtools = await page.context().newCDPSession(page);
      await devtools.send("WebAuthn.enable");
      const options = {
        protocol: "ctap2",
        transport: "internal",
        hasResidentKey: true,
        hasUserVerification: true,
      } as const;
      await devtools.send("WebAuthn.addVirtualAuthenticator", {
        options: { ...options, isUserVerified: true, automaticPresenceSimulation: true },
      });
      await page.goto(`${fixture.origin}/app/#/security`);
      await page.getByLabel("Device name").fill("My phone");
      await page.getByRole("button", { name: "Add passkey" }).click();
      await page.locator(".row", { hasText: "My phone" }).waitFor();
      await signOut();
      await page.getByText("Forgot your password?").click();
      await page.getByText("postroom user passwd EMAIL --data FOLDER").waitFor();
      expect(await faultsInBoth(page)).toEqual([]);
      await page.getByRole("button", { name: "Sign in with passkey" }).click();
      await page.getByRole("heading", { name: "Security" }).waitFor();
    },
    SLOW_MS,
  );

  test(
    "an authenticator code is required with the password after it is turned on",
    async () => {
      await page.getByRole("button", { name: "Turn on" }).click();
      const dialog = page.getByRole("dialog");
      // The image loads although the policy allows only local data.
      const code = dialog.getByAltText("QR code for the authenticator app");
      await code.waitFor();
      expect(await code.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);
      await dialog.getByText("Enter the secret manually").click();
      const secret = (await dialog.locator(".copy-box code").textContent()) ?? "";
      await dialog.getByLabel("Authenticator code").fill(generateSync({ secret }));
      await dialog.getByRole("button", { name: "Turn on" }).click();
      await dialog.getByRole("heading", { name: "Your backup codes" }).waitFor();
      const backup = (await dialog.locator(".codes li").first().textContent()) ?? "";
      await dialog.getByRole("button", { name: "I saved the codes" }).click();
      await signOut();
      await signIn(page);
      await page.getByLabel("Authenticator code").fill(backup);
      await page.getByRole("button", { name: "Sign in", exact: true }).click();
      await page.getByText("9 backup codes left").waitFor();
    },
    SLOW_MS,
  );

  test("no request left the origin, and no page broke its own policy", () => {
    expect(fixture.strays).toEqual([]);
    expect(fixture.complaints).toEqual([]);
  });
});
