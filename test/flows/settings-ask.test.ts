import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { noBrowser } from "../support/browser.ts";
import { eventually } from "../support/eventually.ts";
import { type ReadPage, readPage } from "../support/read-page.ts";
import { type SettingsFixture, startSettings } from "../support/settings-fixture.ts";

/** Questions to the mail, and replies that are drafted from a thread, in the sandbox. */

const SLOW_MS = 240_000;
const skipped = noBrowser("the Ask page, and drafting a reply");

describe.skipIf(skipped)("asking and drafting on the settings page", () => {
  let fixture: SettingsFixture;
  let page: Page;
  let key: string;
  let r: ReadPage;

  beforeAll(async () => {
    fixture = await startSettings();
    page = (await fixture.profile()).page;
    await fixture.setUp(page);
    key = fixture.live.newKey({ test: true });
    r = readPage(fixture, page, key);
    await page.getByRole("switch", { name: "Sandbox" }).check();
  }, SLOW_MS);
  afterAll(() => fixture?.close(), SLOW_MS);

  const ask = async (question: string) => {
    await page.getByLabel("Question").fill(question);
    await r.button("Ask").click();
  };

  test(
    "an answer quotes its message and opens its thread",
    async () => {
      const question = "When does the hazard log close?";
      const { json } = await fixture.live.call("POST", "/ai/ask", { key, body: { question } });
      expect(json.answered).toBe(true);
      await r.fresh("#/ask");
      await page.getByRole("heading", { name: "Ask", level: 1 }).waitFor();
      await r.expectGoodPage();
      await ask(question);
      await page.getByRole("heading", { name: "Answer" }).waitFor();
      expect(await page.locator(".answer").textContent()).toBe(json.answer);
      const source = page.getByRole("list", { name: "Sources" }).getByRole("listitem").first();
      expect(await source.locator("blockquote").textContent()).toBe(json.citations[0].quote);
      await r.expectGoodPage();
      await source.getByRole("link").click();
      await page.waitForURL(`**/#/read/${json.citations[0].thread_id}`);
      await page.locator(".message").first().waitFor();
    },
    SLOW_MS,
  );

  test(
    "the mail of the sandbox answers every example",
    async () => {
      await r.fresh("#/ask");
      const examples = await page.locator(".chips button").allTextContents();
      expect(examples).toHaveLength(3);
      for (const question of examples) {
        const { json } = await fixture.live.call("POST", "/ai/ask", { key, body: { question } });
        expect([question, json.answered]).toEqual([question, true]);
      }
    },
    SLOW_MS,
  );

  test(
    "without an answer it shows the messages that a search finds, and offers the whole search",
    async () => {
      await r.fresh("#/ask");
      await r.button("Ask").click();
      await page.getByText("Enter a question.").waitFor();
      const question = "What is the wifi password of the hotel?";
      const body = { query: question, mode: "hybrid", limit: 3 };
      // Until all sample mail is embedded, results still change.
      const json = await eventually(async () => {
        const { json: found } = await fixture.live.call("POST", "/search", { key, body });
        if (found.partial) throw new Error("mail is still being embedded");
        return found;
      }, SLOW_MS);
      await ask(question);
      await page.getByRole("heading", { name: "No answer found" }).waitFor();
      const related = page.getByRole("list", { name: "Related messages" }).getByRole("link");
      await related.first().waitFor();
      const found = json.data as { subject: string; thread_id: string }[];
      expect(await related.allTextContents()).toEqual(found.map(({ subject }) => subject));
      expect(await related.first().getAttribute("href")).toBe(`#/read/${found[0]!.thread_id}`);
      await r.expectGoodPage();
      await page.getByRole("link", { name: "Search all mail" }).click();
      await page.getByRole("heading", { name: "Search", level: 1 }).waitFor();
      await eventually(async () => (await page.getByRole("searchbox").inputValue()) === question);
      await page.getByRole("button", { name: found[0]!.subject }).waitFor();
    },
    SLOW_MS,
  );

  test(
    "when no message is about the question, it says that as well",
    async () => {
      await r.fresh("#/ask");
      await ask("When is the picnic?");
      await page.getByRole("heading", { name: "No answer found" }).waitFor();
      await page.getByText("No message is about this.").waitFor();
      expect(await page.getByRole("list", { name: "Related messages" }).count()).toBe(0);
    },
    SLOW_MS,
  );

  test(
    "an answer about the sample mail disappears when the sandbox is left",
    async () => {
      await r.fresh("#/ask");
      await ask("When does the hazard log close?");
      await page.locator(".answer").waitFor();
      await page.getByRole("switch", { name: "Sandbox" }).uncheck();
      await page.locator(".answer").waitFor({ state: "detached" });
      await page.getByRole("switch", { name: "Sandbox" }).check();
    },
    SLOW_MS,
  );

  test(
    "a reply is drafted from a thread with instructions, and waits there to be edited",
    async () => {
      const { id } = await r.thread("Re: Coming to see you!");
      await r.fresh(`#/read/${id}`);
      await r.button("Draft a reply").click();
      const dialog = page.getByRole("dialog", { name: "Draft a reply" });
      await r.expectGoodPage();
      await dialog.getByLabel("What should it say? (optional)").fill("Say that Saturday is fine");
      await dialog.getByRole("button", { name: "Write draft" }).click();
      await page.waitForURL("**/#/read/drafts/drf_*");
      await page.getByText("Written by Postroom without a language model").waitFor();
      expect(await page.getByLabel("Message", { exact: true }).inputValue()).toMatch(/Saturday/);
      const { json } = await fixture.live.call("GET", "/drafts", { key });
      expect(json.data.filter(({ thread_id }: { thread_id: string }) => thread_id === id)).toHaveLength(1);
      const sends = await fixture.live.call("GET", "/sends", { key });
      expect(sends.json.data).toEqual([]);
      await page.getByRole("link", { name: "Open thread" }).click();
      await page.getByText("A reply is waiting as a draft").waitFor();
    },
    SLOW_MS,
  );

  test("no request left the origin, and no page broke its own policy", () => {
    expect(fixture.strays).toEqual([]);
    expect(fixture.complaints).toEqual([]);
  });
});
