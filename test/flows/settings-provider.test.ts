import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { faultsInBoth } from "../support/axe.ts";
import { noBrowser } from "../support/browser.ts";
import { type Authority, createAuthority, OPENSSL } from "../support/certificates.ts";
import { DOVECOT, type Dovecot, startDovecot } from "../support/dovecot.ts";
import { eventually } from "../support/eventually.ts";
import { type HttpsReceiver, startReceiver } from "../support/https-receiver.ts";
import { dovecotOAuth, dovecotOAuthSettings, type OAuthServer, startOAuth } from "../support/oauth-server.ts";
import { type SettingsFixture, startSettings } from "../support/settings-fixture.ts";

/** Actions on the settings page that involve another server: sign-in at a mail provider, export, and unsubscribing. */

const SLOW_MS = 120_000;
const skipped = noBrowser("signing in at a provider, unsubscribing") || !DOVECOT || !OPENSSL;

describe.skipIf(skipped)("with another server", () => {
  const dir = mkdtempSync(join(tmpdir(), "postroom-provider-"));
  let authority: Authority;
  let oauth: OAuthServer;
  let dovecot: Dovecot;
  let mailing: HttpsReceiver;
  let fixture: SettingsFixture;
  let page: Page;

  beforeAll(async () => {
    authority = createAuthority();
    oauth = await startOAuth(authority.issue(["127.0.0.1"]));
    mailing = await startReceiver(authority.issue(["127.0.0.1"]));
    const settings = join(dir, "oauth2.conf");
    writeFileSync(settings, dovecotOAuthSettings(oauth));
    dovecot = await startDovecot({ extraConfig: dovecotOAuth(settings) });
    const ca_file = join(dir, "ca.pem");
    writeFileSync(ca_file, `${dovecot.ca}\n${authority.ca}`);
    fixture = await startSettings({
      "mail.ca_file": ca_file,
      "mail.allow": "127.0.0.1",
      "oauth.google_authorize_url": oauth.authorize_url,
      "oauth.google_token_url": oauth.token_url,
    });
    page = (await fixture.profile({ trusting: true })).page;
    await fixture.setUp(page);
    await dovecot.deliver("alice", letter());
  }, SLOW_MS);
  afterAll(async () => {
    await fixture?.close();
    await dovecot?.stop();
    await oauth?.stop();
    await mailing?.stop();
    authority?.remove();
    rmSync(dir, { recursive: true, force: true });
  }, SLOW_MS);

  /** A newsletter whose one-click unsubscribe URL is in the local network. */
  const letter = () =>
    [
      "From: News <news@mailing.test>",
      "To: alice@mail.test",
      "Subject: Quarterly herring",
      "Message-ID: <1@mailing.test>",
      `List-Unsubscribe: <${mailing.origin}/leave>`,
      "List-Unsubscribe-Post: List-Unsubscribe=One-Click",
      "",
      "Herring, every quarter.",
    ].join("\r\n");

  /** Connects an address whose discovery returns a provider with OAuth sign-in, and the local mail server. */
  async function beginConnecting(): Promise<void> {
    const imap = { host: "127.0.0.1", port: dovecot.imapsPort, security: "tls" };
    const found = { name: "Herring Mail", source: "provider", imap, smtp: null, username: "alice@mail.test" };
    await page.route("**/app/api/mailboxes/discover", (route) =>
      route.fulfill({ json: { ...found, methods: ["oauth2"], oauth: "google", advice: null } }),
    );
    await fixture.open(page, "#/mailboxes/connect");
    await page.getByLabel("Email address").fill("alice@mail.test");
    await page.getByRole("button", { name: "Find servers" }).click();
    await page.getByRole("button", { name: "Sign in with Google" }).click();
  }

  test(
    "the owner's client is required first, then the provider's page opens, and a refusal there changes nothing",
    async () => {
      await beginConnecting();
      await page.getByText("Set up the sign-in under Mailboxes.").click();
      const google = page.locator(".box, .row, section", { hasText: "Google" }).last();
      await google.waitFor();
      const { platform } = fixture.live.app;
      const put = { method: "PUT", headers: { "X-Postroom-App": "1", "Content-Type": "application/json" } };
      const status = await page.evaluate(
        async ({ put, body }) =>
          (await fetch("api/oauth-clients/google", { ...put, body: JSON.stringify(body) })).status,
        { put, body: oauth.client },
      );
      expect(status).toBeLessThan(300);
      oauth.person = null;
      await beginConnecting();
      await page.getByText("Nothing was changed.").waitFor();
      expect(await faultsInBoth(page)).toEqual([]);
      expect(platform.db.sql.query("SELECT count(*) AS n FROM accounts WHERE provider = 'imap'").get()).toEqual({
        n: 0,
      });
      // The parameters of the redirect are neither in the address bar nor in the history.
      expect(page.url()).not.toContain("state=");
    },
    SLOW_MS,
  );

  test(
    "after consent the session is still signed in, and the mailbox is connected and synced",
    async () => {
      oauth.person = "alice@mail.test";
      await beginConnecting();
      await page.waitForURL(`${fixture.origin}/app/#/mailboxes`);
      await page.getByText("alice@mail.test").first().waitFor();
      expect(oauth.asked.at(-1)).toMatchObject({ redirect_uri: `${fixture.origin}/app/oauth/callback` });
      const codes = oauth.asked.map(({ code }) => code).filter((code) => code !== undefined);
      await page.goBack();
      expect(page.url()).not.toContain("code=");
      expect(codes).toHaveLength(1);
      await eventually(async () => (await fixture.live.call("GET", "/threads")).json.data.length === 1, 20_000);
    },
    SLOW_MS,
  );

  test(
    "a redirect that this browser did not start connects nothing",
    async () => {
      for (const query of ["", "?state=made-up&code=made-up"]) {
        await page.goto(`${fixture.origin}/app/oauth/callback${query}`);
        await page.getByRole("alert").waitFor();
      }
      const { page: stranger } = await fixture.profile();
      await stranger.goto(`${fixture.origin}/app/oauth/callback?state=made-up&code=made-up`);
      await stranger.getByRole("heading", { name: "Sign in" }).waitFor();
    },
    SLOW_MS,
  );

  test(
    "an export reports whether all messages are as on the mail server",
    async () => {
      await fixture.open(page, "#/mailboxes");
      await page.getByText("alice@mail.test").first().click();
      const take = async () => {
        const coming = page.waitForEvent("download");
        await page.getByRole("button", { name: "Export as mbox" }).click();
        return readFileSync(await (await coming).path(), "utf8");
      };
      expect(await take()).toContain("Herring, every quarter.");
      await page.getByText("Exported 1 message, all as on the mail server.").waitFor();
      // The source of the next message is not stored here when the mail server stops.
      await dovecot.deliver("alice", letter().replace("<1@", "<2@").replace("Quarterly herring", "Another"));
      await eventually(async () => (await fixture.live.call("GET", "/threads")).json.data.length === 2, 20_000);
      await dovecot.stop();
      expect(await take()).toContain("X-Postroom-Rebuilt");
      await page.getByText("1 of 2 messages could not be fetched from the mail server.").waitFor();
      expect(await faultsInBoth(page)).toEqual([]);
    },
    SLOW_MS,
  );

  test(
    "unsubscribing asks for confirmation with the server's name, and never calls a local address",
    async () => {
      await fixture.open(page, "#/search");
      await page.getByText("Keyword", { exact: true }).click();
      await page.getByRole("searchbox").fill("subject:quarterly");
      await page.keyboard.press("Enter");
      await page.getByText("Quarterly herring").first().click();
      const message = page.getByRole("dialog", { name: "Quarterly herring" });
      await message.getByRole("button", { name: "Unsubscribe from this sender" }).click();
      const question = page.getByRole("dialog", { name: "Unsubscribe from News?" });
      await question.getByText("127.0.0.1").waitFor();
      expect(await faultsInBoth(page)).toEqual([]);
      await question.getByRole("button", { name: "Cancel" }).click();
      await message.getByRole("button", { name: "Unsubscribe from this sender" }).click();
      await question.getByRole("button", { name: "Unsubscribe", exact: true }).click();
      await question.getByRole("alert").waitFor();
      expect(await question.getByRole("alert").textContent()).toContain("The sender's server could not be reached");
      expect(mailing.connections).toBe(0);
    },
    SLOW_MS,
  );

  test(
    "unsubscribing in the sandbox succeeds, and the message shows it",
    async () => {
      await fixture.open(page, "#/");
      await page.getByRole("switch", { name: "Sandbox" }).check();
      const subject = await sandboxMailing();
      await fixture.open(page, "#/search");
      await page.getByRole("searchbox").fill(`"${subject}"`);
      await page.keyboard.press("Enter");
      await page.getByText(subject).first().click();
      await page.getByRole("button", { name: "Unsubscribe from this sender" }).click();
      await page.getByRole("button", { name: "Unsubscribe", exact: true }).click();
      await page.getByText("Postroom asked the sender to unsubscribe you.").waitFor();
    },
    SLOW_MS,
  );

  /** Returns the subject of a sample message with one-click unsubscribe. */
  async function sandboxMailing(): Promise<string> {
    const key = fixture.live.newKey({ test: true });
    const { json } = await fixture.live.call("GET", "/threads?limit=100", { key });
    for (const { id, subject } of json.data) {
      const { json: messages } = await fixture.live.call("GET", `/threads/${id}/messages`, { key });
      for (const message of messages.data) {
        const { json: whole } = await fixture.live.call("GET", `/messages/${message.id}`, { key });
        if (whole.unsubscribe && !whole.unsubscribe.unsubscribed_at) return subject;
      }
    }
    throw new Error("no sample message has a one-click unsubscribe URL");
  }
});
