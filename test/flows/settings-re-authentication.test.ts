import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { faultsInBoth } from "../support/axe.ts";
import { noBrowser } from "../support/browser.ts";
import { type OidcServer, startOidcServer } from "../support/oidc-server.ts";
import { OWNER, type SettingsFixture, startSettings } from "../support/settings-fixture.ts";
import { backdateSessions } from "../support/stale-sessions.ts";

/**
 * Re-authentication in a browser that was left open: actions that grant lasting access ask for it, and then continue.
 */

const SLOW_MS = 120_000;
const skipped = noBrowser("re-authentication on the settings page");

describe.skipIf(skipped)("a session that started a while ago", () => {
  let provider: OidcServer;
  let fixture: SettingsFixture;
  let home: string;
  let page: Page;

  beforeAll(async () => {
    provider = startOidcServer();
    const { issuer, client_id, client_secret } = provider;
    fixture = await startSettings({
      "oidc.issuer": issuer,
      "oidc.client_id": client_id,
      "oidc.client_secret": client_secret,
      "oidc.name": "Home",
    });
    home = fixture.origin;
    page = (await fixture.profile()).page;
  }, SLOW_MS);
  afterAll(async () => {
    await fixture?.close();
    provider?.stop();
  }, SLOW_MS);

  const dialog = () => page.getByRole("dialog", { name: "Confirm your identity" });
  const leaveItOpen = () => backdateSessions(fixture.live.app.platform);
  const keyNames = () => page.locator(".rows .row-title").allTextContents();

  async function askForKey(name: string): Promise<void> {
    await page.goto(`${home}/app/#/keys`);
    await page.getByRole("button", { name: "Create key" }).click();
    await page.getByRole("textbox", { name: "Name" }).fill(name);
    await page.getByRole("radio", { name: /^Read only/ }).check();
    await page.getByRole("dialog").getByRole("button", { name: "Create key" }).click();
  }

  test(
    "the recovery key page, sign-in and its errors have no accessibility violations, in light and dark",
    async () => {
      await page.goto(fixture.live.app.setupUrl!);
      await page.getByLabel("Email address").fill(OWNER.email);
      await page.getByLabel("Password").fill(OWNER.password);
      await page.getByRole("button", { name: "Continue" }).click();
      await page.getByRole("button", { name: "Create account" }).waitFor();
      const found = await faultsInBoth(page);
      await page.getByRole("button", { name: "Create account" }).click();
      await page.getByRole("heading", { name: "Your recovery key" }).waitFor();
      found.push(...(await faultsInBoth(page)));
      await page.context().clearCookies();
      await page.goto(`${home}/app/`);
      await page.getByRole("heading", { name: "Sign in" }).waitFor();
      found.push(...(await faultsInBoth(page)));
      await page.getByLabel("Email address").fill(OWNER.email);
      await page.getByLabel("Password").fill("not the password");
      await page.getByRole("button", { name: "Sign in", exact: true }).click();
      await page.getByRole("alert").waitFor();
      found.push(...(await faultsInBoth(page)));
      await page.getByLabel("Password").fill(OWNER.password);
      await page.getByRole("button", { name: "Sign in", exact: true }).click();
      await page.getByRole("heading", { name: "Today", level: 1 }).waitFor();
      expect(found).toEqual([]);
    },
    SLOW_MS,
  );

  test(
    "a key is created after the password is entered, and not without it",
    async () => {
      leaveItOpen();
      await askForKey("Not mine");
      await dialog().waitFor();
      // The password field has the focus.
      expect(
        await dialog()
          .getByLabel("Password")
          .evaluate((field) => field === document.activeElement),
      ).toBe(true);
      expect(await faultsInBoth(page)).toEqual([]);
      await page.keyboard.press("Escape");
      await dialog().waitFor({ state: "detached" });
      // The form keeps its values.
      await page.getByRole("alert").getByText("Confirm your identity").waitFor();
      expect(await page.getByRole("textbox", { name: "Name" }).inputValue()).toBe("Not mine");
      await page.keyboard.press("Escape");

      await askForKey("Mine");
      await dialog().getByLabel("Password").fill("not the password");
      await dialog().getByRole("button", { name: "Continue" }).click();
      await dialog().getByText("The password is wrong.").waitFor();
      await dialog().getByLabel("Password").fill(OWNER.password);
      await dialog().getByRole("button", { name: "Continue" }).click();
      await page.getByText("API key “Mine” created").waitFor();
      expect(await keyNames()).toEqual(expect.arrayContaining([expect.stringContaining("Mine")]));
      expect((await keyNames()).join()).not.toContain("Not mine");
      // No further re-authentication is required for 15 minutes.
      await askForKey("Mine, too");
      await page.getByText("API key “Mine, too” created").waitFor();
    },
    SLOW_MS,
  );

  test(
    "an export is downloaded after re-authentication",
    async () => {
      leaveItOpen();
      await page.goto(`${home}/app/#/security`);
      await page.getByRole("button", { name: "Export data", exact: true }).click();
      await dialog().getByLabel("Password").fill(OWNER.password);
      const coming = page.waitForEvent("download");
      await dialog().getByRole("button", { name: "Continue" }).click();
      expect((await coming).suggestedFilename()).toEndWith(".zip");
    },
    SLOW_MS,
  );

  test(
    "a passkey can be used for re-authentication",
    async () => {
      const devtools = await page.context().newCDPSession(page);
      await devtools.send("WebAuthn.enable");
      const kind = {
        protocol: "ctap2",
        transport: "internal",
        hasResidentKey: true,
        hasUserVerification: true,
      } as const;
      const options = { ...kind, isUserVerified: true, automaticPresenceSimulation: true };
      await devtools.send("WebAuthn.addVirtualAuthenticator", { options });
      await page.goto(`${home}/app/#/security`);
      await page.getByLabel("Device name").fill("Laptop");
      await page.getByRole("button", { name: "Add passkey" }).click();
      await page.locator(".row", { hasText: "Laptop" }).waitFor();
      leaveItOpen();
      await askForKey("By passkey");
      await dialog().getByRole("button", { name: "Use passkey" }).click();
      await page.getByText("API key “By passkey” created").waitFor();
    },
    SLOW_MS,
  );

  test(
    "so does signing in again at the provider in a second window, and unsaved input is kept",
    async () => {
      provider.claims = { auth_time: Math.floor(Date.now() / 1000) };
      leaveItOpen();
      await askForKey("By the provider");
      const opening = page.context().waitForEvent("page");
      await dialog().getByRole("link", { name: "Sign in again with Home" }).click();
      const beside = await opening;
      await beside.getByRole("heading", { name: "Today", level: 1 }).waitFor();
      await beside.close();
      await dialog().getByRole("button", { name: "I signed in again" }).click();
      await page.getByText("API key “By the provider” created").waitFor();
    },
    SLOW_MS,
  );

  test("no page broke its own policy", () => {
    expect(fixture.complaints).toEqual([]);
  });
});
