import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import type { Brief } from "../../src/features/brief/model.ts";
import { approvalFixture } from "../support/approval-fixture.ts";
import { noBrowser } from "../support/browser.ts";
import { type Authority, createAuthority } from "../support/certificates.ts";
import { eventually } from "../support/eventually.ts";
import { type HttpsReceiver, startReceiver } from "../support/https-receiver.ts";
import { type ReadPage, readPage } from "../support/read-page.ts";
import { seedMailbox } from "../support/seed-mail.ts";
import { NOWHERE } from "../support/send-fixture.ts";
import { OWNER, type SettingsFixture, startSettings } from "../support/settings-fixture.ts";
import { type ScriptedSmtp, startScriptedSmtp } from "../support/smtp-server.ts";

/** The Today page in a real browser: what needs the person, and the brief with its quotes. */

const SLOW_MS = 240_000;
const skipped = noBrowser("the Today page");

describe.skipIf(skipped)("the Today page", () => {
  let fixture: SettingsFixture;
  let smtp: ScriptedSmtp;
  let authority: Authority;
  let receiver: HttpsReceiver;
  let page: Page;
  let key: string;
  let r: ReadPage;

  beforeAll(async () => {
    smtp = await startScriptedSmtp();
    authority = createAuthority();
    receiver = await startReceiver(authority.issue(["127.0.0.1"]));
    receiver.behave = () => ({ status: 410 });
    fixture = await startSettings({ "webhooks.allow": "127.0.0.1", "webhooks.ca_file": authority.ca_file });
    page = (await fixture.profile()).page;
    await fixture.setUp(page);
    key = fixture.live.newKey({ test: true });
    r = readPage(fixture, page, key);
  }, SLOW_MS);
  afterAll(async () => {
    await fixture?.close();
    await smtp?.stop();
    await receiver?.stop();
    authority?.remove();
  }, SLOW_MS);

  const card = (title: string) =>
    page.locator(".card").filter({ has: page.getByRole("heading", { name: title, level: 2, exact: true }) });
  const section = (title: string) =>
    page.locator(".brief-section").filter({ has: page.getByRole("heading", { name: title, level: 3 }) });
  const latest = async () => (await fixture.live.call("GET", "/brief/latest", { key })).json as Brief;

  test(
    "says what will appear when there is nothing yet",
    async () => {
      await r.fresh("#/");
      await page.getByRole("heading", { name: "Today", level: 1 }).waitFor();
      expect(await page.getByRole("link", { name: "Today", exact: true }).getAttribute("aria-current")).toBe("page");
      await card("Needs you").getByText("Nothing needs you now").waitFor();
      await card("Brief").getByText("No brief yet").waitFor();
      await card("Mailboxes").getByText("No mailboxes yet").waitFor();
      expect(await card("Usage").textContent()).not.toMatch(/plan|limit/i);
      expect(await card("Next steps").count()).toBe(1);
      await r.expectGoodPage();
    },
    SLOW_MS,
  );

  test(
    "advice of the diagnostics is folded up, and leads to the page that fixes it",
    async () => {
      await card("Needs you")
        .getByText(/recommendations? for this installation/)
        .click();
      await r.expectGoodPage();
      await card("Needs you").getByRole("link", { name: "Open backups: Backup" }).click();
      await page.getByRole("heading", { name: "Backup", level: 1 }).waitFor();
    },
    SLOW_MS,
  );

  test(
    "a brief without items says so",
    async () => {
      await r.fresh("#/");
      await r.button("Generate now").click();
      await r.toast("Today's brief is ready.").waitFor();
      await card("Brief").getByText("No one waits for your reply").waitFor();
      await card("Brief").getByText("Generated just now").waitFor();
      // Credits matter only where they are limited.
      expect(await card("Brief").textContent()).not.toContain("credits");
    },
    SLOW_MS,
  );

  test(
    "a brief of the sandbox is generated and shown with its quotes, and an item opens its thread",
    async () => {
      await page.getByRole("switch", { name: "Sandbox" }).check();
      await card("Brief").getByText("No brief yet").waitFor();
      await r.button("Generate now").click();
      await section("Waiting for your reply").locator(".row").first().waitFor();
      const brief = await latest();
      expect(brief.needs_reply.length).toBeGreaterThan(0);
      for (const [title, items] of [
        ["Waiting for your reply", brief.needs_reply],
        ["Promises", brief.commitments],
        ["Promises without a date", brief.undated],
      ] as const) {
        if (items.length === 0) continue;
        const part = page.locator(".brief-section").filter({ hasText: `${title} ${items.length}` });
        const more = part.getByRole("button", { name: /^Show \d+ more/ });
        if (items.length > 5) {
          await more.click();
          // The focus is on the first item that was revealed.
          await page.waitForFunction(
            (href) => document.activeElement?.getAttribute("href") === href,
            `#/read/${items[5]!.thread_id}`,
          );
        }
        expect(await part.locator("blockquote").allTextContents()).toEqual(items.map(({ quote }) => quote));
        const links = await part.locator("a").evaluateAll((all) => all.map((one) => one.getAttribute("href")));
        expect(links).toEqual(items.map(({ thread_id }) => `#/read/${thread_id}`));
      }
      await card("Brief").getByText("without a language model").waitFor();
      await r.expectGoodPage();

      const first = brief.needs_reply[0]!;
      await section("Waiting for your reply").getByRole("link").first().click();
      await page.getByRole("heading", { name: first.subject, level: 1 }).waitFor();
      expect(page.url()).toEndWith(`#/read/${first.thread_id}`);
    },
    SLOW_MS,
  );

  test(
    "an event in the calendar opens the thread with its invitation, and any other shows its details",
    async () => {
      const start = new Date(Date.now() + 3_600_000).toISOString();
      const end = new Date(Date.now() + 7_200_000).toISOString();
      const body = { title: "Call the boatyard", start, end, location: "Pier 4", description: "Ask for the invoice." };
      const create = async (more: object) =>
        (await fixture.live.call("POST", "/calendar/events", { key, body: { ...body, ...more } })).json.id as string;
      const id = await create({});
      // As if mail had brought this one: the invitations of the sample mail are for other days.
      const invitation = await r.thread("Updated invitation: Checkout copy review");
      const { json } = await fixture.live.call("GET", `/threads/${invitation.id}/messages`, { key });
      const { db } = fixture.live.app.platform;
      const link = db.sql.query("UPDATE calendar_events SET message_id = ? WHERE id = ?");
      const invited = await create({ title: "Copy review" });
      db.write(() => link.run(json.data[0].id, invited));
      await r.fresh("#/");
      await r.button("Generate now").click();
      const event = section("Calendar").getByRole("button", { name: "Call the boatyard" });
      await event.click();
      const dialog = page.getByRole("dialog", { name: "Call the boatyard" });
      await dialog.getByText("Pier 4").waitFor();
      await dialog.getByText("Ask for the invoice.").waitFor();
      await r.expectGoodPage();
      await page.keyboard.press("Escape");
      const titled = (title: string, calendar: Brief["calendar"]) => calendar.find((one) => one.title === title);
      const { calendar } = await latest();
      expect(titled("Call the boatyard", calendar)).toMatchObject({ event_id: id, thread_id: null });
      expect(titled("Copy review", calendar)).toMatchObject({ event_id: invited, thread_id: invitation.id });
      for (const one of [id, invited]) await fixture.live.call("DELETE", `/calendar/events/${one}`, { key });
      await event.click();
      await dialog.getByText("This event was deleted or moved").waitFor();
      await page.keyboard.press("Escape");
      await section("Calendar").getByRole("link", { name: "Copy review" }).click();
      await page.waitForURL(`**#/read/${invitation.id}`);
    },
    SLOW_MS,
  );

  test(
    "a brief that cannot be generated says why and keeps the last one",
    async () => {
      await r.fresh("#/");
      await page.route("**/v1/brief/generate", (route) => route.abort());
      await r.button("Generate now").click();
      await card("Brief").getByRole("alert").getByText("The server did not respond").waitFor();
      expect(await section("Waiting for your reply").count()).toBe(1);
      await page.unroute("**/v1/brief/generate");
      await page.getByRole("switch", { name: "Sandbox" }).uncheck();
      await card("Brief").getByRole("alert").waitFor({ state: "detached" });
    },
    SLOW_MS,
  );

  test(
    "a failed send, an approval, a disabled webhook and an unreachable mailbox need the person until each is settled",
    async () => {
      const { app, call } = fixture.live;
      const owner = app.platform.users.findByEmail(OWNER.email)!;
      smtp.refuses.set("gone@acme.example", "550 5.1.1 No such user here");
      const { host, port, security, username, password } = smtp.login;
      const connection = { ...NOWHERE, smtp: { host, port, security }, username, password };
      seedMailbox(app.platform, owner.id, { mailbox: app.mailbox, email: username, connection });
      const url = `${receiver.origin}/postroom`;
      const webhook = await call("POST", "/webhooks", { body: { url, events: ["send.failed"] } });
      expect([webhook.status, webhook.json.error]).toEqual([200, undefined]);
      const draft = await call("POST", "/drafts", {
        body: { to: ["gone@acme.example"], subject: "Returned", body: "x" },
      });
      const claude = app.platform.keys.create({
        user_id: owner.id,
        name: "Claude",
        scopes: ["mail:send"],
        test: false,
      });
      approvalFixture(app.platform, owner.id, { id: claude.key.id, name: "Claude" }).ask({ subject: "Offer for you" });
      const send = await call("POST", `/drafts/${draft.json.id}/send`, {
        body: { confirm: true, undo_window_s: 0 },
        headers: { "Idempotency-Key": "today-1" },
      });
      expect([send.status, send.json.error]).toEqual([200, undefined]);

      await r.fresh("#/");
      const row = (title: string) => card("Needs you").locator(".row").filter({ hasText: title });
      await row("Returned").getByText("No such user here").waitFor({ timeout: 60_000 });
      await row("Offer for you").getByText("Claude wants to send this to zoe@new.example").waitFor();
      await row(username)
        .getByRole("link", { name: `Check mailbox: ${username}` })
        .waitFor();
      await eventually(async () => {
        const { json } = await call("GET", "/webhooks");
        return json.data[0].status === "disabled";
      });
      await r.fresh("#/");
      await row(url)
        .getByRole("link", { name: `Open webhook: ${url}` })
        .waitFor();
      expect(await card("Needs you").getByText("Nothing needs you now").count()).toBe(0);
      await r.expectGoodPage();

      await row(username).getByRole("link", { name: "Check mailbox" }).click();
      await page.getByRole("heading", { name: username, level: 1 }).waitFor();
      await page.goBack();
      await row("Offer for you").getByRole("link", { name: "Review" }).click();
      await r.button("Reject").click();
      await page.getByText("Rejected").first().waitFor();
      await page.getByRole("link", { name: "Today", exact: true }).click();
      await row("Returned").getByRole("link", { name: "Open draft" }).click();
      await page.getByText("This message could not be sent").waitFor();
      expect((await call("DELETE", `/drafts/${draft.json.id}`)).status).toBeLessThan(300);
      await r.fresh("#/");
      await row(username).waitFor();
      expect(await row("Returned").count()).toBe(0);
      expect(await row("Offer for you").count()).toBe(0);
    },
    SLOW_MS,
  );

  test(
    "a part that cannot be loaded is reported and does not hide the others",
    async () => {
      await page.route("**/v1/webhooks?*", (route) => route.abort());
      await r.fresh("#/");
      await card("Needs you").getByRole("alert").getByText("The server did not respond").waitFor();
      expect(await card("Needs you").getByText("Check mailbox").count()).toBe(1);
      await page.unroute("**/v1/webhooks?*");
      await r.button("Try again").click();
      await card("Needs you").getByRole("alert").waitFor({ state: "detached" });
    },
    SLOW_MS,
  );

  test("no request left the origin, and no page broke its own policy", () => {
    expect(fixture.strays).toEqual([]);
    expect(fixture.complaints).toEqual([]);
  });
});
