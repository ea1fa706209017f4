import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { noBrowser } from "../support/browser.ts";
import { type OidcServer, startOidcServer } from "../support/oidc-server.ts";
import { OWNER, type SettingsFixture, startSettings } from "../support/settings-fixture.ts";

/** Sign-in that depends on the behavior of a real browser: passkeys, and cookies on the way back from another site. */

const SLOW_MS = 120_000;
const skipped = noBrowser("passkeys and OpenID Connect in a browser");

describe.skipIf(skipped)("in a real browser", () => {
  let provider: OidcServer;
  let settings: SettingsFixture;
  /** Addressed by name: an IP address has no passkeys, and the provider on 127.0.0.1 is another site. */
  let home: string;

  beforeAll(async () => {
    provider = startOidcServer();
    settings = await startSettings({
      "oidc.issuer": provider.issuer,
      "oidc.client_id": provider.client_id,
      "oidc.client_secret": provider.client_secret,
      "oidc.name": "Home",
    });
    home = settings.origin;
    await settings.setUp((await settings.profile()).page);
  }, SLOW_MS);
  afterAll(async () => {
    await settings?.close();
    provider?.stop();
  }, SLOW_MS);

  async function arrive(page: Page): Promise<void> {
    await page.goto(`${home}/app/`);
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
  }
  const isIn = (page: Page) => page.getByRole("heading", { name: "Today", level: 1 }).waitFor();

  test(
    "a passkey is created and signs in without a password",
    async () => {
      const { context, page } = await settings.profile();
      const devtools = await context.newCDPSession(page);
      await devtools.send("WebAuthn.enable");
      await devtools.send("WebAuthn.addVirtualAuthenticator", {
        options: {
          protocol: "ctap2",
          transport: "internal",
          hasResidentKey: true,
          hasUserVerification: true,
          isUserVerified: true,
          automaticPresenceSimulation: true,
        },
      });
      await arrive(page);
      await page.getByLabel("Email address").fill(OWNER.email);
      await page.getByLabel("Password").fill(OWNER.password);
      await page.getByRole("button", { name: "Sign in", exact: true }).click();
      await isIn(page);
      await page.goto(`${home}/app/#/security`);
      await page.getByLabel("Device name").fill("Test laptop");
      await page.getByRole("button", { name: "Add passkey" }).click();
      await page.getByText("Test laptop").first().waitFor();
      await context.clearCookies();
      await page.goto("about:blank");
      await arrive(page);
      await page.getByRole("button", { name: "Sign in with passkey" }).click();
      await isIn(page);
      const { sessions } = settings.live.app.platform;
      const owner = settings.live.app.platform.users.findByEmail(OWNER.email)!;
      expect(sessions.list(owner.id).map(({ method }) => method)).toContain("passkey");
      await context.close();
    },
    SLOW_MS,
  );

  test(
    "sign-in at a provider on another site completes, with cookies that no other site can send",
    async () => {
      const { context, page } = await settings.profile();
      await arrive(page);
      await page.getByText("Sign in with Home").click();
      await isIn(page);
      expect(page.url()).toStartWith(`${home}/app/`);
      const cookies = (await context.cookies()).map(({ name, httpOnly, sameSite }) => ({ name, httpOnly, sameSite }));
      expect(cookies).toContainEqual({ name: "postroom_session", httpOnly: true, sameSite: "Strict" });
      expect(cookies.map(({ name }) => name)).not.toContain("postroom_oidc");
      await page.reload();
      await isIn(page);
      await context.close();
    },
    SLOW_MS,
  );
});
