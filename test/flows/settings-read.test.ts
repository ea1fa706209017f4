import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { faultsInBoth } from "../support/axe.ts";
import { noBrowser } from "../support/browser.ts";
import { type ListedThread, type ReadPage, readPage } from "../support/read-page.ts";
import { seedMailbox } from "../support/seed-mail.ts";
import { OWNER, type SettingsFixture, startSettings } from "../support/settings-fixture.ts";

/** The Read page in a real browser, on the sample mail: list, threads, and actions with their undo. */

const SLOW_MS = 240_000;
const skipped = noBrowser("the Read page: list, threads, actions");

describe.skipIf(skipped)("the Read page", () => {
  let fixture: SettingsFixture;
  let page: Page;
  let key: string;
  let r: ReadPage;

  beforeAll(async () => {
    fixture = await startSettings();
    page = (await fixture.profile()).page;
    await fixture.setUp(page);
    key = fixture.live.newKey({ test: true });
    await page.getByRole("switch", { name: "Sandbox" }).check();
    r = readPage(fixture, page, key);
  }, SLOW_MS);
  afterAll(() => fixture?.close(), SLOW_MS);

  test(
    "the list shows sender, subject, labels, star and attachments, and its filters are in the address",
    async () => {
      await r.fresh("#/");
      await page.getByRole("link", { name: "Read", exact: true }).click();
      await r.row("Re: Vehicle step").locator(".thread-name", { hasText: "Priya Nair" }).waitFor();
      const first = r.row("Re: Vehicle step");
      await first.getByText("harbourline", { exact: true }).waitFor();
      await first.getByText("Has attachments").waitFor();
      await page.getByRole("link", { name: /^Unread\. Priya Nair: Re: Vehicle step/ }).waitFor();
      await r.expectGoodPage();
      await page.getByLabel("Category").selectOption({ label: "Promotions" });
      await r.row("48 hours").waitFor();
      await r.row("Re: Vehicle step").waitFor({ state: "detached" });
      await page.getByLabel("Unread only").check();
      await r.row("Type Weekly 213").waitFor({ state: "detached" });
      await page.getByRole("link", { name: "Archived", exact: true }).click();
      await page.getByText("No matching threads in Archived").waitFor();
      await r.button("Clear filters").click();
      await r.row("Type Weekly 212").waitFor();
      expect(new URL(page.url()).hash).toBe("#/read?state=archived");
      for (const hash of [
        "?state=archived&tab=promotions&unread=1",
        "?tab=promotions&unread=1",
        "?tab=promotions",
        "",
      ]) {
        await page.goBack();
        await page.waitForURL(`${fixture.origin}/app/#/read${hash}`);
      }
      await r.row("Re: Vehicle step").waitFor();
      await page.getByLabel("Label", { exact: true }).selectOption("travel");
      await r.row("AeroTejo").waitFor();
      await r.row("Priya Nair").first().waitFor({ state: "detached" });
    },
    SLOW_MS,
  );

  test(
    "the search takes operators, says what it did not understand, and is kept when another folder is chosen",
    async () => {
      await r.fresh("#/read");
      const search = page.getByRole("searchbox");
      await search.fill("before:Friday");
      await search.press("Enter");
      await page
        .getByText(/before/)
        .and(page.locator(".fault"))
        .waitFor();
      expect(await search.getAttribute("aria-invalid")).toBe("true");
      await search.fill("from:kestrelbags zip");
      await search.press("Enter");
      await r.row("48 hours").waitFor();
      expect(await page.locator(".thread").count()).toBe(1);
      await page.getByRole("link", { name: "Trash", exact: true }).click();
      await page.getByText("No results in Trash").waitFor();
      expect(await search.inputValue()).toBe("from:kestrelbags zip");
      await page.getByRole("link", { name: "Spam", exact: true }).click();
      await page.getByText("No results in Spam").waitFor();
      await page.goBack();
      await page.getByText("No results in Trash").waitFor();
      await page.getByRole("link", { name: "Search all folders" }).click();
      await page.getByRole("heading", { name: "Search", level: 1 }).waitFor();
      expect(await search.inputValue()).toBe("from:kestrelbags zip");
      await page.getByRole("button", { name: /48 hours/ }).waitFor();
    },
    SLOW_MS,
  );

  test(
    "a text message offers its quoted text only if it has any",
    async () => {
      const plain = await r.thread("Reminder: appointment on ");
      await r.settled(`#/read/${plain.id}`);
      await r.button("Download original").first().waitFor();
      expect(await page.getByRole("button", { name: /quoted text/ }).count()).toBe(0);
      const list = await r.thread("Re: [a11y-talk] Announcing a price that changes while you type");
      await r.settled(`#/read/${list.id}`);
      await r.button("Show quoted text").last().click();
      await r.button("Hide quoted text").waitFor();
    },
    SLOW_MS,
  );

  test(
    "a thread opens with its newest message, is read from then on, and its files can be downloaded",
    async () => {
      await r.fresh("#/read");
      const subject = "RE: Infiltração no teto da cozinha";
      expect((await r.thread(subject)).unread).toBe(true);
      await r.row(subject).getByRole("link").click();
      await page.getByRole("heading", { name: subject, level: 1 }).waitFor();
      const messages = page.locator(".message");
      await messages.first().waitFor();
      // The first, the newest and the one before it; the others are folded.
      expect(await messages.count()).toBe(3);
      await r.button("Show 3 earlier messages").click();
      expect(await messages.count()).toBe(6);
      await page.waitForFunction(
        () => document.activeElement?.closest(".message") === document.querySelectorAll(".message")[1],
      );
      const heads = page.locator(".message-head > button");
      const open = () => heads.evaluateAll((all) => all.map((one) => one.getAttribute("aria-expanded")));
      expect((await open()).at(-1)).toBe("true");
      expect((await open())[0]).toBe("false");
      await heads.first().click();
      expect((await open())[0]).toBe("true");
      const shown = messages.first();
      for (const text of ["From", "To", "Date"]) await shown.getByText(text, { exact: true }).waitFor();
      await shown.locator("iframe, .mail-text").waitFor();
      await page.waitForFunction(() => document.querySelector("main .skeleton") === null);
      expect((await r.thread(subject)).unread).toBe(false);
      await r.expectGoodPage();

      for (const head of await heads.all()) {
        if ((await head.getAttribute("aria-expanded")) === "false") await head.click();
      }
      const [download] = await Promise.all([
        page.waitForEvent("download"),
        page
          .getByRole("button", { name: /^Download .*\.\w+$/ })
          .first()
          .click(),
      ]);
      expect(readFileSync((await download.path())!).length).toBeGreaterThan(100);
      expect(download.suggestedFilename()).toMatch(/\.\w{3,4}$/);
      const [original] = await Promise.all([
        page.waitForEvent("download"),
        r.button("Download original").last().click(),
      ]);
      expect(original.suggestedFilename()).toMatch(/^msg_.*\.eml$/);
      expect(readFileSync((await original.path())!, "utf8")).toContain("Subject:");
    },
    SLOW_MS,
  );

  test(
    "an invitation can be read as text",
    async () => {
      await r.fresh("#/read");
      await r.row("Updated invitation: Checkout copy review").getByRole("link").click();
      await r
        .button("Show as text")
        .or(page.getByRole("button", { name: /\.ics as text$/ }))
        .first()
        .waitFor();
      await page
        .getByRole("button", { name: /^Show .* as text$/ })
        .first()
        .click();
      await page.getByText(/Event: .*Checkout copy review/).waitFor();
    },
    SLOW_MS,
  );

  test(
    "every change of a thread has an undo that restores it",
    async () => {
      const subject = "48 hours: 25 % off everything with a zip";
      const open = async () => {
        const { id } = await r.thread(subject);
        await r.fresh(`#/read/${id}`);
        await page.getByRole("heading", { name: subject, level: 1 }).waitFor();
        return await r.thread(subject);
      };
      const cases: [name: string, done: string, undone: string, Partial<ListedThread>][] = [
        ["Archive", "Archived", "Undone: archived", { state: "archived" }],
        ["Spam", "Moved to spam", "Undone: moved to spam", { state: "spam" }],
        ["Trash", "Moved to trash", "Undone: moved to trash", { state: "trash" }],
        ["Star", "Starred", "Undone: starred", { starred: true }],
        ["Mark unread", "Marked as unread", "Undone: marked as unread", { unread: true }],
      ];
      for (const [name, done, undone, changed] of cases) {
        const before = await open();
        await r.button(name).click();
        await r.toast(done).waitFor();
        expect(await r.thread(subject)).toMatchObject({ ...before, ...changed });
        await r.undo(done, undone);
        expect(await r.thread(subject)).toEqual(before);
      }
    },
    SLOW_MS,
  );

  test(
    "a thread is snoozed until a suggested or a chosen time, and returns by undo or by moving it back",
    async () => {
      const { id, subject } = await r.thread("Your week on Plaza");
      await r.fresh(`#/read/${id}`);
      await r.button("Snooze").click();
      await page.getByRole("dialog", { name: "Snooze until" }).waitFor();
      expect(await faultsInBoth(page)).toEqual([]);
      await page.getByRole("button", { name: /^Tomorrow/ }).click();
      await r.toast("Snoozed until").waitFor();
      expect((await r.thread(subject)).state).toBe("snoozed");
      await r.undo("Snoozed until", "Undone: snoozed until");
      expect((await r.thread(subject)).state).toBe("inbox");

      await r.fresh(`#/read/${id}`);
      await r.button("Snooze").click();
      const dialog = page.getByRole("dialog");
      await dialog.getByLabel("Date and time").fill("2020-01-01T08:00");
      await dialog.getByRole("button", { name: "Snooze", exact: true }).click();
      await dialog.getByText("Enter a time in the future.").waitFor();
      await dialog.getByLabel("Date and time").fill("2031-05-06T07:08");
      await dialog.getByRole("button", { name: "Snooze", exact: true }).click();
      await r.toast("Snoozed until 6 May 2031, 07:08").waitFor();

      await r.fresh(`#/read/${id}?state=snoozed`);
      await page.getByText("Snoozed until 6 May 2031, 07:08").waitFor();
      await r.button("Move to inbox").click();
      await r.toast("Moved to the inbox").waitFor();
      expect((await r.thread(subject)).state).toBe("inbox");
      // The undo restores the time, which the list of threads does not have.
      await r.undo("Moved to the inbox", "Undone: moved to the inbox");
      const { json } = await fixture.live.call("GET", `/threads/${id}`, { key });
      expect([json.state, new Date(json.snooze_until).getFullYear()]).toEqual(["snoozed", 2031]);
    },
    SLOW_MS,
  );

  test(
    "labels are added, created and removed, with an undo",
    async () => {
      const { id, subject, labels } = await r.thread("Your Framewright receipt FW-21960");
      expect(labels.length).toBeGreaterThan(0);
      await r.fresh("#/read");
      await r.settled(`#/read/${id}`);
      // A label that no thread has yet is offered as well.
      await fixture.live.call("POST", "/labels", { key, body: { name: "Empty so far" } });
      await r.button("Labels").click();
      const dialog = page.getByRole("dialog", { name: "Labels" });
      await dialog.getByLabel("Empty so far").waitFor();
      await dialog.getByLabel("travel").check();
      await dialog.getByLabel(labels[0]!).uncheck();
      await dialog.getByLabel("New label").fill("Steuer 2026");
      expect(await faultsInBoth(page)).toEqual([]);
      await dialog.getByRole("button", { name: "Save labels" }).click();
      await page.locator(".thread-facts").getByText("Steuer 2026").waitFor();
      expect((await r.thread(subject)).labels.toSorted()).toEqual(["Steuer 2026", "travel"]);
      await r.undo("Labels changed", "Undone: labels changed");
      expect((await r.thread(subject)).labels).toEqual(labels);
      await page.locator(".thread-facts").getByText(labels[0]!).waitFor();
    },
    SLOW_MS,
  );

  test(
    "unsubscribing asks first, and is done once",
    async () => {
      const { id } = await r.thread("Type Weekly 214: buttons are words");
      await r.fresh(`#/read/${id}`);
      await r.button("Unsubscribe").click();
      const dialog = page.getByRole("dialog", { name: /^Unsubscribe from Type Weekly/ });
      await dialog.getByText("The sender learns that your address is in use.").waitFor();
      await dialog.getByRole("button", { name: "Unsubscribe" }).click();
      await r.toast("Postroom asked the sender to unsubscribe you.").waitFor();
      await r.fresh(`#/read/${id}`);
      await page.getByText("Unsubscribed", { exact: true }).waitFor();
    },
    SLOW_MS,
  );

  test(
    "long lists load more, and the sandbox switch shows other mail",
    async () => {
      const { app } = fixture.live;
      const owner = app.platform.users.findByEmail(OWNER.email)!;
      const seeded = seedMailbox(app.platform, owner.id, { mailbox: app.mailbox, email: "ada@example.org" });
      for (let i = 0; i < 60; i++) seeded.deliver({ subject: `Letter ${i}` });
      await r.fresh("#/read");
      await r.row("Re: Vehicle step").waitFor();
      await page.getByRole("switch", { name: "Sandbox" }).uncheck();
      await r.row("Letter 59").waitFor();
      expect(await page.locator(".thread").count()).toBe(50);
      await r.button("Show more").click();
      await r.row("Letter 0").first().waitFor();
      expect(await page.locator(".thread").count()).toBe(60);
      await r.row("Letter 59").getByRole("link").click();
      await page.locator(".message").waitFor();
      await page.getByRole("switch", { name: "Sandbox" }).check();
      await r.row("Re: Vehicle step").waitFor();
      await r.settled("#/read/thr_01kk8f2v0c5s9w3n7r1m4q6t8x");
      await page.getByText("This thread does not exist").waitFor();
    },
    SLOW_MS,
  );

  test("no request left the origin, and no page broke its own policy", () => {
    expect(fixture.strays).toEqual([]);
    expect(fixture.complaints).toEqual([]);
  });
});
