import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { noBrowser } from "../support/browser.ts";
import { type Authority, createAuthority, OPENSSL } from "../support/certificates.ts";
import { DOVECOT } from "../support/dovecot.ts";
import { type HttpsReceiver, startReceiver } from "../support/https-receiver.ts";
import { mailText } from "../support/mail-text.ts";
import {
  connectAlice,
  type MailServers,
  type SettingsFixture,
  startMailServers,
  startSettings,
} from "../support/settings-fixture.ts";

/** First use in a real browser: from the setup link in the log to a program that receives webhooks. */

const SLOW_MS = 120_000;
const MESSAGES = 40;
const skipped = noBrowser("the first run of the settings page") || !DOVECOT || !OPENSSL;

describe.skipIf(skipped)("first run", () => {
  let authority: Authority;
  let receiver: HttpsReceiver;
  let servers: MailServers;
  let fixture: SettingsFixture;
  let page: Page;
  let secret = "";

  beforeAll(async () => {
    authority = createAuthority();
    receiver = await startReceiver(authority.issue(["127.0.0.1"]));
    receiver.behave = () => ({ status: 202, body: "thank you" });
    servers = await startMailServers();
    const mails = Array.from({ length: MESSAGES }, (_, i) => ({
      raw: mailText({ id: `letter-${i + 1}`, subject: `Letter ${i + 1}` }),
    }));
    servers.dovecot.loadMaildir("alice", "INBOX", mails);
    fixture = await startSettings({ "webhooks.allow": "127.0.0.1", "webhooks.ca_file": authority.ca_file });
    page = (await fixture.profile()).page;
  }, SLOW_MS);
  afterAll(async () => {
    await fixture?.close();
    await servers?.stop();
    await receiver?.stop();
    authority?.remove();
  }, SLOW_MS);

  test(
    "the setup link creates an account after the recovery key is saved",
    async () => {
      expect(await fixture.setUp(page)).toMatch(/^AGE-SECRET-KEY-1[A-Z0-9]{58}$/);
      expect(page.url()).toEndWith("#/mailboxes/connect");
      expect(fixture.live.app.platform.users.findByEmail("ada@home.example")?.role).toBe("owner");
    },
    SLOW_MS,
  );

  test(
    "a wrong mailbox password is reported, and nothing is stored",
    async () => {
      await connectAlice(page, servers, "wrong");
      const report = page.getByRole("alert");
      await report.getByText("Incoming mail (IMAP): sign-in failed").waitFor();
      await report.getByText("Nothing was saved.").waitFor();
      expect(fixture.live.app.mailbox.accounts.list().filter(({ provider }) => provider !== "sandbox")).toEqual([]);
    },
    SLOW_MS,
  );

  test(
    "with the right password the mailbox is connected, and its page shows progress until it is live and complete",
    async () => {
      await page.getByLabel("Mailbox password").fill(servers.dovecot.logins.alice.password);
      await page.getByRole("button", { name: "Test and connect" }).click();
      await page.getByRole("heading", { name: "alice@mail.test" }).waitFor();
      await page.getByText("Live", { exact: true }).first().waitFor();
      const inbox = page.locator(".row", { hasText: "INBOX" });
      await inbox.getByText(`${MESSAGES} of ${MESSAGES}`).waitFor();
      // The page polls, so it needs no reload.
      await page.getByRole("button", { name: "Verify" }).click();
      await page.getByRole("heading", { name: `${MESSAGES} of ${MESSAGES} messages are here, verified` }).waitFor();
    },
    SLOW_MS,
  );

  test(
    "a key is created from permission groups, is shown once, and works",
    async () => {
      await fixture.open(page, "#/keys");
      await page
        .getByRole("button", { name: "Create first key" })
        .or(page.getByRole("button", { name: "Create key" }))
        .first()
        .click();
      await page.getByRole("radio", { name: /^Choose permissions/ }).check();
      await page.getByRole("dialog").getByRole("button", { name: "Create key" }).click();
      // Both errors appear at their fields, and the first invalid field has the focus.
      await page.getByText("Enter a name, such as the program").waitFor();
      await page.getByText("Select at least one permission").waitFor();
      expect(await page.getByLabel("Name", { exact: true }).getAttribute("aria-invalid")).toBe("true");
      await page.getByLabel("Name", { exact: true }).fill("laptop");
      await page.getByLabel(/^Read mail/).check();
      await page.getByRole("dialog").getByRole("button", { name: "Create key" }).click();
      await page.getByRole("heading", { name: "API key “laptop” created" }).waitFor();
      secret = (await page.locator(".copy-box code").first().textContent()) ?? "";
      expect(secret).toStartWith("service_live_");

      const curl = (await page.locator(".copy-box code").nth(1).textContent()) ?? "";
      // In a separate process, because this one is the server.
      const shell = Bun.spawn(["sh", "-c", `${curl} --silent --noproxy '*'`], { stdout: "pipe" });
      const { data } = (await new Response(shell.stdout).json()) as { data: { subject: string }[] };
      expect(data.map(({ subject }) => subject)).toContain(`Letter ${MESSAGES}`);

      await page.getByRole("button", { name: "I saved the key" }).click();
      expect(await page.content()).not.toContain(secret);
    },
    SLOW_MS,
  );

  test(
    "a new webhook shows its secret once, and a test shows the receiver's response",
    async () => {
      await fixture.open(page, "#/webhooks");
      await page.getByRole("button", { name: "Add endpoint" }).click();
      await page.getByLabel("URL").fill("http://insecure.example");
      await page.getByRole("dialog").getByRole("button", { name: "Add endpoint" }).click();
      await page.getByText("Not encrypted").waitFor();
      await page.getByText("http:// works only for this machine").waitFor();
      await page.getByLabel("URL").fill(`${receiver.origin}/hook`);
      await page.getByRole("dialog").getByRole("button", { name: "Add endpoint" }).click();
      expect(await page.locator(".copy-box code").textContent()).toStartWith("whsec_");
      await page.getByRole("link", { name: "Test endpoint" }).click();
      await page.getByRole("button", { name: "Send test event" }).click();
      await page
        .getByText(/responded with 202 in [\d,]+ ms/i)
        .first()
        .waitFor();
      await page.getByRole("region", { name: "Receiver response" }).getByText("thank you").waitFor();
      expect(receiver.received.map(({ path }) => path)).toEqual(["/hook"]);
      expect(JSON.parse(receiver.received[0]!.body).event).toBe("webhook.test");
      // The delivery is also in the history.
      await page.locator("summary", { hasText: "webhook.test" }).waitFor();
    },
    SLOW_MS,
  );

  test(
    "a key is revoked after a confirmation that states the effect, and is then refused",
    async () => {
      await fixture.open(page, "#/keys");
      const line = page.locator(".row", { hasText: "laptop" });
      await line.getByText(/used/).waitFor();
      await line.getByRole("button", { name: "Revoke key laptop" }).click();
      const question = page.getByRole("dialog");
      await question.getByText("Your mail, drafts, rules and webhook endpoints are kept.").waitFor();
      await question.getByRole("button", { name: "Revoke key" }).click();
      await line.getByText("Revoked", { exact: true }).waitFor();
      const { status } = await fixture.live.call("GET", "/threads", { key: secret });
      expect(status).toBe(401);
    },
    SLOW_MS,
  );

  test(
    "sign-out ends the session, and sign-in returns to the same page",
    async () => {
      await fixture.open(page, "#/webhooks");
      await page.getByRole("button", { name: "Sign out" }).click();
      await page.getByRole("heading", { name: "Sign in" }).waitFor();
      await page.getByLabel("Email address").fill("ada@home.example");
      await page.getByLabel("Password").fill("not the password");
      await page.getByRole("button", { name: "Sign in", exact: true }).click();
      await page.getByRole("alert").waitFor();
      await page.getByLabel("Password").fill("a quiet morning in May");
      await page.getByRole("button", { name: "Sign in", exact: true }).click();
      await page.getByRole("heading", { name: "Webhooks" }).waitFor();
    },
    SLOW_MS,
  );

  test("no request left the origin, and no page broke its own policy", () => {
    expect(fixture.strays).toEqual([]);
    expect(fixture.complaints).toEqual([]);
  });
});
