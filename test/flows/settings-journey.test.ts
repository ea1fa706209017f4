import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { approvalFixture } from "../support/approval-fixture.ts";
import { noBrowser } from "../support/browser.ts";
import { DOVECOT } from "../support/dovecot.ts";
import { eventually } from "../support/eventually.ts";
import { type Hands, keyboard, mouse } from "../support/hands.ts";
import { mailText } from "../support/mail-text.ts";
import {
  type MailServers,
  OWNER,
  type SettingsFixture,
  startMailServers,
  startSettings,
} from "../support/settings-fixture.ts";

/**
 * The whole way of a person with a real mailbox: set-up, first mailbox, Today, reading, snoozing, an AI draft, sending
 * with its undo, a rule, an approval. Once with the mouse, and once with the keyboard alone.
 */

const SLOW_MS = 240_000;
const HOUR_MS = 3_600_000;
const skipped = noBrowser("a person's whole way through the settings page") || !DOVECOT;

for (const [name, handsOf] of [
  ["with a mouse", mouse],
  ["with the keyboard alone", keyboard],
] as const) {
  describe.skipIf(skipped)(`a person ${name}`, () => {
    let servers: MailServers;
    let fixture: SettingsFixture;
    let page: Page;
    let hands: Hands;

    beforeAll(async () => {
      servers = await startMailServers();
      const now = Date.now();
      const mails = [
        {
          id: "plan",
          from: "Bob Miller <bob@acme.example>",
          subject: "Plans for May",
          hours: 50,
          text: "The plans are attached.",
        },
        {
          id: "lunch",
          from: "Bob Miller <bob@acme.example>",
          subject: "Lunch on Friday",
          hours: 3,
          text: "Hi Alice,\r\n\r\ncould you tell me by Friday whether you join us for lunch?\r\n\r\nBob",
        },
      ];
      servers.dovecot.loadMaildir(
        "alice",
        "INBOX",
        mails.map(({ hours, ...mail }) => {
          const date = now - hours * HOUR_MS;
          return { raw: mailText({ ...mail, date }), date: new Date(date) };
        }),
      );
      fixture = await startSettings();
      page = (await fixture.profile()).page;
      hands = handsOf(page);
    }, SLOW_MS);
    afterAll(async () => {
      await fixture?.close();
      await servers?.stop();
    }, SLOW_MS);

    const heading = (text: string | RegExp, level = 1) =>
      page.getByRole("heading", { name: text, level, exact: typeof text === "string" }).waitFor();
    const toast = (text: string) => page.locator(".toast").filter({ hasText: text });

    test(
      "sets Postroom up and connects a mailbox",
      async () => {
        await page.goto(fixture.live.app.setupUrl!);
        await hands.type("Email address", OWNER.email);
        await hands.type("Password", OWNER.password);
        await hands.press("button", "Continue");
        await hands.press("button", "Create account");
        await page.getByRole("heading", { name: "Your recovery key" }).waitFor();
        await hands.press("checkbox", "I saved the recovery key in a safe place");
        await hands.press("button", "Connect first mailbox");
        await heading("Connect a mailbox");
        const { dovecot, smtp } = servers;
        await hands.type("Email address", "alice@mail.test");
        await hands.press("button", "Find servers");
        await page.getByLabel("Mailbox password").waitFor();
        const edit = page.getByRole("button", { name: "Edit servers" });
        if (await edit.isVisible()) await hands.press("button", "Edit servers");
        await hands.type("Username", dovecot.logins.alice.username);
        for (const [group, host, port] of [
          ["Incoming mail (IMAP)", "127.0.0.1", dovecot.imapPort],
          ["Outgoing mail (SMTP)", smtp.login.host, smtp.login.port],
        ] as const) {
          await hands.type("Server", host, group);
          await hands.type("Port", String(port), group);
          await hands.choose("Encryption", "none", group);
        }
        await hands.type("Mailbox password", dovecot.logins.alice.password);
        await hands.press("button", "Test and connect");
        await heading("alice@mail.test");
        await page.getByText("Live", { exact: true }).first().waitFor();
        await page.locator(".row", { hasText: "INBOX" }).getByText("2 of 2").waitFor();
      },
      SLOW_MS,
    );

    test(
      "sees on Today who waits, and opens the thread",
      async () => {
        await hands.press("link", "Today");
        await heading("Today");
        await hands.press("button", "Generate now");
        await toast("Today's brief is ready.").waitFor();
        await hands.press("link", "Lunch on Friday");
        await heading("Lunch on Friday");
        await page.locator(".message").first().waitFor();
      },
      SLOW_MS,
    );

    test(
      "snoozes the thread, finds it again, and takes it back",
      async () => {
        await hands.press("button", "Snooze");
        await hands.press("button", /^Tomorrow/);
        await toast("Snoozed").waitFor();
        await hands.press("link", "Snoozed");
        await hands.press("link", /Lunch on Friday/);
        await page.locator(".notice").getByText("Snoozed until").waitFor();
        await hands.press("button", "Move to inbox");
        await toast("Moved to the inbox").waitFor();
        await hands.press("link", "Inbox");
        await page.locator(".thread").filter({ hasText: "Lunch on Friday" }).waitFor();
      },
      SLOW_MS,
    );

    test(
      "has a reply drafted, edits it, sends it, undoes that, and sends it for good",
      async () => {
        await hands.press("link", /Lunch on Friday/);
        await hands.press("button", "Draft a reply");
        await hands.type("What should it say? (optional)", "Say that Friday is fine");
        await hands.press("button", "Write draft");
        await page.getByText("Written by Postroom").waitFor();
        await hands.type("Message", "Hi Bob,\n\nFriday is fine. I bring the cake.\n\nAlice");
        await hands.press("button", "Send");
        const dialog = page.getByRole("dialog");
        await dialog.getByText("bob@acme.example").waitFor();
        await confirmSend();
        const bar = toast("is about to be sent.");
        await bar.waitFor();
        await hands.press("button", "Undo send");
        await toast("Send undone.").waitFor();
        expect(servers.smtp.accepted).toHaveLength(0);
        await hands.press("link", "Drafts");
        await heading("Drafts");
        await hands.press("link", /Lunch on Friday/);
        await hands.press("button", "Send");
        await dialog.getByText("bob@acme.example").waitFor();
        await confirmSend();
        await toast("was sent.").waitFor({ timeout: 60_000 });
        expect(servers.smtp.accepted.map(({ to }) => to)).toEqual([["bob@acme.example"]]);
        expect(servers.smtp.accepted[0]!.raw).toContain("I bring the cake.");
      },
      SLOW_MS,
    );

    /** Presses Send in the dialog, not the button of the same name behind it. */
    async function confirmSend(): Promise<void> {
      const send = page.getByRole("dialog").getByRole("button", { name: "Send", exact: true });
      if (handsOf === mouse) return await send.click();
      for (let i = 0; i < 20 && !(await send.evaluate((button) => button === document.activeElement)); i++) {
        await page.keyboard.press("Tab");
      }
      await page.keyboard.press("Enter");
    }

    test(
      "approves what an assistant wants to send",
      async () => {
        const { platform } = fixture.live.app;
        const owner = platform.users.findByEmail(OWNER.email)!;
        const { key } = platform.keys.create({ name: "laptop", user_id: owner.id, scopes: ["mail:send"], test: false });
        const { ask } = approvalFixture(platform, owner.id, key);
        ask({ subject: "Offer for Zoe" }, 0);
        await hands.press("link", /^Approvals/);
        await heading("Approvals");
        await hands.press("link", /Offer for Zoe/);
        await hands.press("button", /^Approve/);
        await eventually(() => servers.smtp.accepted.some(({ to }) => to.includes("zoe@new.example")), 60_000);
      },
      SLOW_MS,
    );

    test("no request left the origin, and no page broke its own policy", () => {
      expect(fixture.strays).toEqual([]);
      expect(fixture.complaints).toEqual([]);
    });
  });
}
