import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { faultsInBoth } from "../axe.ts";
import { noBrowser } from "../browser.ts";
import { type Authority, createAuthority, OPENSSL } from "../certificates.ts";
import { DOVECOT, type Dovecot, startDovecot } from "../dovecot.ts";
import { eventually } from "../eventually.ts";
import { type HttpsReceiver, startReceiver } from "../https-receiver.ts";
import { dovecotOAuth, dovecotOAuthSettings, type OAuthServer, startOAuth } from "../oauth-server.ts";
import { type SettingsScene, startSettings } from "../settings-scene.ts";

/** What leads a person out of the settings page to somebody else's server: the provider's sign-in, and a mailing's way out. */

const SLOW_MS = 120_000;
const skipped = noBrowser("signing in at a provider, unsubscribing") || !DOVECOT || !OPENSSL;

describe.skipIf(skipped)("with somebody else's server", () => {
  const dir = mkdtempSync(join(tmpdir(), "postroom-provider-"));
  let authority: Authority;
  let oauth: OAuthServer;
  let dovecot: Dovecot;
  let mailing: HttpsReceiver;
  let scene: SettingsScene;
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
    scene = await startSettings({
      "mail.ca_file": ca_file,
      "mail.allow": "127.0.0.1",
      "oauth.google_authorize_url": oauth.authorize_url,
      "oauth.google_token_url": oauth.token_url,
    });
    page = (await scene.profile({ trusting: true })).page;
    await scene.setUp(page);
    await dovecot.deliver("alice", letter());
  }, SLOW_MS);
  afterAll(async () => {
    await scene?.close();
    await dovecot?.stop();
    await oauth?.stop();
    await mailing?.stop();
    authority?.remove();
    rmSync(dir, { recursive: true, force: true });
  }, SLOW_MS);

  /** A mailing whose one-click address is in this network. */
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

  /** What the directory says of the address: a provider that one signs in to, whose server is the one here. */
  async function beginConnecting(): Promise<void> {
    const imap = { host: "127.0.0.1", port: dovecot.imapsPort, security: "tls" };
    const found = { name: "Herring Mail", source: "provider", imap, smtp: null, username: "alice@mail.test" };
    await page.route("**/app/api/mailboxes/discover", (route) =>
      route.fulfill({ json: { ...found, methods: ["oauth2"], oauth: "google", advice: null } }),
    );
    await scene.open(page, "#/mailboxes/connect");
    await page.getByLabel("E-mail address").fill("alice@mail.test");
    await page.getByRole("button", { name: "Find the servers" }).click();
    await page.getByRole("button", { name: "Sign in with Google" }).click();
  }

  test(
    "the owner's client is asked for first, then the provider's own page, and whoever refuses there has changed nothing",
    async () => {
      await beginConnecting();
      await page.getByText("Set it up under Mailboxes.").click();
      const google = page.locator(".box, .row, section", { hasText: "Google" }).last();
      await google.waitFor();
      const { platform } = scene.live.app;
      const put = { method: "PUT", headers: { "X-Postroom-App": "1", "Content-Type": "application/json" } };
      const status = await page.evaluate(
        async ({ put, body }) =>
          (await fetch("api/oauth-clients/google", { ...put, body: JSON.stringify(body) })).status,
        { put, body: oauth.client },
      );
      expect(status).toBeLessThan(300);
      oauth.person = null;
      await beginConnecting();
      await page.getByText("Nothing has been changed.").waitFor();
      expect(await faultsInBoth(page)).toEqual([]);
      expect(platform.db.sql.query("SELECT count(*) AS n FROM accounts WHERE provider = 'imap'").get()).toEqual({
        n: 0,
      });
      // What came back is neither in the address bar nor in the history.
      expect(page.url()).not.toContain("state=");
    },
    SLOW_MS,
  );

  test(
    "whoever agrees comes back signed in still, and the mailbox is connected and read",
    async () => {
      oauth.person = "alice@mail.test";
      await beginConnecting();
      await page.waitForURL(`${scene.origin}/app/#/mailboxes`);
      await page.getByText("alice@mail.test").first().waitFor();
      expect(oauth.asked.at(-1)).toMatchObject({ redirect_uri: `${scene.origin}/app/oauth/callback` });
      const codes = oauth.asked.map(({ code }) => code).filter((code) => code !== undefined);
      await page.goBack();
      expect(page.url()).not.toContain("code=");
      expect(codes).toHaveLength(1);
      await eventually(async () => (await scene.live.call("GET", "/threads")).json.data.length === 1, 20_000);
    },
    SLOW_MS,
  );

  test(
    "an answer that was not begun here, or is opened a second time, connects nothing",
    async () => {
      for (const query of ["", "?state=made-up&code=made-up"]) {
        await page.goto(`${scene.origin}/app/oauth/callback${query}`);
        await page.getByRole("alert").waitFor();
      }
      const { page: stranger } = await scene.profile();
      await stranger.goto(`${scene.origin}/app/oauth/callback?state=made-up&code=made-up`);
      await stranger.getByRole("heading", { name: "Sign in" }).waitFor();
    },
    SLOW_MS,
  );

  test(
    "taken away, it says whether all of it is as the mail server has it",
    async () => {
      await scene.open(page, "#/mailboxes");
      await page.getByText("alice@mail.test").first().click();
      const take = async () => {
        const coming = page.waitForEvent("download");
        await page.getByRole("button", { name: "As mbox" }).click();
        return readFileSync(await (await coming).path(), "utf8");
      };
      expect(await take()).toContain("Herring, every quarter.");
      await page.getByText("1 message, all as the mail server has them.").waitFor();
      // Of the next one there is no source here when the mail server goes.
      await dovecot.deliver("alice", letter().replace("<1@", "<2@").replace("Quarterly herring", "Another"));
      await eventually(async () => (await scene.live.call("GET", "/threads")).json.data.length === 2, 20_000);
      await dovecot.stop();
      expect(await take()).toContain("X-Postroom-Rebuilt");
      await page.getByText("1 of 2 messages could not be had from the mail server.").waitFor();
      expect(await faultsInBoth(page)).toEqual([]);
    },
    SLOW_MS,
  );

  test(
    "a mailing is left only after a question that names whose server is asked; an address at home is never called",
    async () => {
      await scene.open(page, "#/search");
      await page.getByText("Words", { exact: true }).click();
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
    "in the sandbox it succeeds, and the message says so from then on",
    async () => {
      await scene.open(page, "#/");
      await page.getByRole("switch", { name: "Sandbox" }).check();
      const subject = await sandboxMailing();
      await scene.open(page, "#/search");
      await page.getByRole("searchbox").fill(`"${subject}"`);
      await page.keyboard.press("Enter");
      await page.getByText(subject).first().click();
      await page.getByRole("button", { name: "Unsubscribe from this sender" }).click();
      await page.getByRole("button", { name: "Unsubscribe", exact: true }).click();
      await page.getByText("The sender was asked to take you off the list.").waitFor();
    },
    SLOW_MS,
  );

  /** The subject of a sample message that can be left with one click. */
  async function sandboxMailing(): Promise<string> {
    const key = scene.live.newKey({ test: true });
    const { json } = await scene.live.call("GET", "/threads?limit=100", { key });
    for (const { id, subject } of json.data) {
      const { json: messages } = await scene.live.call("GET", `/threads/${id}/messages`, { key });
      for (const message of messages.data) {
        const { json: whole } = await scene.live.call("GET", `/messages/${message.id}`, { key });
        if (whole.unsubscribe && !whole.unsubscribe.unsubscribed_at) return subject;
      }
    }
    throw new Error("no sample message has a one-click address");
  }
});
