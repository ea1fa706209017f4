import type { Page } from "playwright-core";
import type { SettingsFixture } from "./support/settings-fixture.ts";
import { backdateSessions } from "./support/stale-sessions.ts";

/** The only mailbox of the pictures whose mail was imported. */
export const IMPORTED = "ada@old.example";

/** A picture of the settings page. */
export interface Shot {
  name: string;
  hash: string;
  /** Shows the sample mail. */
  sandbox?: true;
  /** Steps before the screenshot. */
  prepare?: (page: Page, fixture: SettingsFixture) => Promise<void>;
}

/** Every page, in the order in which they are taken. */
export const SHOTS: Shot[] = [
  { name: "today", hash: "#/" },
  { name: "today-sandbox", hash: "#/", sandbox: true },
  { name: "read", hash: "#/read", sandbox: true, prepare: (page) => page.locator(".thread").first().waitFor() },
  {
    name: "read-thread",
    hash: "#/read",
    sandbox: true,
    prepare: (page) => openThread(page, "Re: Vehicle step"),
  },
  {
    name: "read-html",
    hash: "#/read",
    sandbox: true,
    prepare: (page) => openThread(page, "48 hours"),
  },
  {
    name: "read-snooze",
    hash: "#/read",
    sandbox: true,
    prepare: async (page) => {
      await openThread(page, "48 hours");
      await page.getByRole("button", { name: "Snooze", exact: true }).click();
    },
  },
  { name: "drafts", hash: "#/read/drafts", sandbox: true },
  {
    name: "draft",
    hash: "#/read/drafts",
    sandbox: true,
    prepare: async (page) => {
      await page.locator(".drafts a").first().click();
      await page.locator("summary").click();
    },
  },
  {
    name: "ask",
    hash: "#/ask",
    sandbox: true,
    prepare: async (page) => {
      await page.getByLabel("Question").fill("When does the hazard log close?");
      await page.getByRole("button", { name: "Ask", exact: true }).click();
      await page.locator(".answer").waitFor();
    },
  },
  { name: "mailboxes", hash: "#/mailboxes" },
  {
    name: "mailbox",
    hash: "#/mailboxes",
    prepare: (page) => page.getByRole("link", { name: "alice@mail.test" }).click(),
  },
  {
    name: "mailbox-imported",
    hash: "#/mailboxes",
    prepare: (page) => page.getByRole("link", { name: IMPORTED }).click(),
  },
  {
    name: "mailbox-imported-delete",
    hash: "#/mailboxes",
    prepare: async (page) => {
      await page.getByRole("link", { name: IMPORTED }).click();
      await page.getByRole("button", { name: "Delete mailbox" }).click();
    },
  },
  { name: "connect", hash: "#/mailboxes/connect" },
  { name: "import", hash: "#/mailboxes/import" },
  { name: "keys", hash: "#/keys" },
  {
    name: "key-new",
    hash: "#/keys",
    prepare: async (page) => {
      await page.getByRole("button", { name: "Create key" }).click();
      await page.getByLabel("Name", { exact: true }).fill("Shortcuts on my phone");
    },
  },
  { name: "webhooks", hash: "#/webhooks" },
  {
    name: "webhook",
    hash: "#/webhooks",
    prepare: async (page) => {
      await page.locator(".row a").last().click();
      await page.getByRole("button", { name: "Send test event" }).click();
      await page
        .getByText(/responded with \d+ in/i)
        .first()
        .waitFor();
    },
  },
  {
    name: "search",
    hash: "#/search",
    sandbox: true,
    prepare: async (page) => {
      await page.getByLabel("Search your mail").fill("invoice");
      await page.getByRole("radio", { name: "Keyword", exact: true }).check();
      await page.getByRole("button", { name: "Search", exact: true }).click();
      await page.locator(".result").first().waitFor();
    },
  },
  { name: "rules", hash: "#/rules", sandbox: true },
  {
    name: "rule-new",
    hash: "#/rules/new",
    sandbox: true,
    prepare: async (page) => {
      await page.getByRole("group", { name: "Condition 1" }).getByLabel("Value").fill("harbourline");
      await page.getByRole("group", { name: "Action 1" }).getByLabel("Label").fill("Harbourline");
      await page.getByRole("list", { name: "Examples" }).waitFor();
    },
  },
  {
    name: "rule-edit",
    hash: "#/rules",
    sandbox: true,
    prepare: async (page) => {
      await page.getByRole("link", { name: "Edit: Mail from Harbourline" }).click();
      await page.getByRole("list", { name: "Examples" }).waitFor();
    },
  },
  { name: "assistants", hash: "#/assistants" },
  {
    name: "key-for-assistant",
    hash: "#/keys?new=assistant",
    prepare: (page) => page.getByRole("radio", { name: /^Assistant/ }).waitFor(),
  },
  { name: "approvals", hash: "#/approvals" },
  {
    name: "approval",
    hash: "#/approvals",
    prepare: async (page) => {
      await page.getByRole("link", { name: "Offer for the boathouse" }).click();
      await page.getByRole("button", { name: "Reject" }).waitFor();
    },
  },
  { name: "agent", hash: "#/agent", sandbox: true },
  { name: "agent-new", hash: "#/agent/new", sandbox: true },
  { name: "ai", hash: "#/ai" },
  { name: "usage", hash: "#/usage" },
  { name: "audit", hash: "#/audit", prepare: (page) => page.locator("summary").first().click() },
  {
    name: "notifications",
    hash: "#/notifications",
    prepare: async (page) => {
      await page.getByRole("button", { name: "Test My phone" }).click();
      await page.getByText("Test: the server answered 200").waitFor();
    },
  },
  {
    name: "notification-new",
    hash: "#/notifications",
    prepare: async (page) => {
      await page.getByRole("button", { name: "Add target" }).click();
      await page.getByLabel("Name", { exact: true }).fill("My phone");
      await page.getByLabel("Topic", { exact: true }).fill("postroom-3q9x7m2k");
    },
  },
  { name: "security", hash: "#/security" },
  { name: "people", hash: "#/people" },
  { name: "backup", hash: "#/backup" },
  { name: "system", hash: "#/system" },
  {
    name: "confirm",
    hash: "#/keys",
    prepare: (page) => page.getByRole("button", { name: "Revoke key laptop" }).click(),
  },
  {
    name: "re-authentication",
    hash: "#/keys",
    prepare: async (page, fixture) => {
      backdateSessions(fixture.live.app.platform);
      await page.getByRole("button", { name: "Create key" }).click();
      await page.getByLabel("Name", { exact: true }).fill("Shortcuts on my phone");
      await page.getByRole("dialog").getByRole("button", { name: "Create key" }).click();
      await page.getByRole("dialog", { name: "Confirm your identity" }).waitFor();
    },
  },
];

/** Opens a thread of the list and waits until its newest message fits its frame. */
async function openThread(page: Page, subject: string): Promise<void> {
  await page.locator(".thread", { hasText: subject }).getByRole("link").click();
  await page.locator(".message").first().waitFor();
  await page.waitForFunction(() => {
    const frames = [...document.querySelectorAll("iframe")];
    return document.querySelector("main .skeleton") === null && frames.every(({ height }) => height !== "120");
  });
}
