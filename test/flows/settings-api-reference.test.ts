import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { faultsInBoth } from "../support/axe.ts";
import { noBrowser } from "../support/browser.ts";
import { type SettingsFixture, startSettings } from "../support/settings-fixture.ts";

/** The API reference in a real browser, with the whole program behind it. */

const SLOW_MS = 120_000;
let fixture: SettingsFixture;
/** Requests of the pages of this file: what was asked for, and with which headers. */
const asked: { by: Page; url: string; headers: Promise<Record<string, string>> }[] = [];
let page: Page;

const url = (more = "") => `${fixture.origin}/v1/docs${more}`;

async function profile(options: { width?: number } = {}): Promise<Page> {
  const { context, page: opened } = await fixture.profile(options);
  context.setDefaultTimeout(10_000);
  context.on("request", (request) => {
    const headers = request.allHeaders();
    // A request of a page that is closed at once has no headers any more.
    headers.catch(() => {});
    asked.push({ by: opened, url: request.url(), headers });
  });
  return opened;
}

/** Requests of one page: pages of other tests may still be open and ask for something at any time. */
const askedBy = (own: Page) => asked.filter(({ by }) => by === own);

/** Opens the page and waits for its script. */
async function open(at: Page, more = ""): Promise<void> {
  await at.goto(url(more));
  await at.getByLabel("Search operations").waitFor();
}

/** Opens the form of an operation. */
async function tryIt(at: Page, summary: string) {
  await at.getByRole("button", { name: `Try it: ${summary}`, exact: true }).click();
  return at.getByRole("form", { name: `Try it: ${summary}`, exact: true });
}

describe.skipIf(noBrowser("the API reference"))("the API reference", () => {
  beforeAll(async () => {
    // Under a path, as behind a reverse proxy.
    fixture = await startSettings({ "http.base_path": "/mail" });
    page = await profile();
  }, SLOW_MS);
  afterAll(() => fixture.close());

  test("finds operations by their words", async () => {
    await open(page);
    const search = page.getByLabel("Search operations");
    await search.fill("snooze thread");
    const status = page.getByRole("search").getByRole("status");
    expect(await status.textContent()).toMatch(/^[1-9]\d? operations?$/);
    expect(await page.locator("article#updateThread").isVisible()).toBe(true);
    expect(await page.locator("article#listWebhooks").isVisible()).toBe(false);
    expect(
      await page
        .getByRole("navigation")
        .getByRole("link", { name: /Webhooks?/i })
        .count(),
    ).toBe(0);
    await search.press("Enter");
    expect(page.url()).toMatch(/#\w+$/);
    await search.fill("unicorns");
    expect(await status.textContent()).toBe("No operation has all of these words.");
    await search.press("Escape");
    expect(await page.locator("article#listWebhooks").isVisible()).toBe(true);
    expect(await status.textContent()).toBe("");
  });

  test.each([
    ["archive", "updateThread"],
    ["mark as read", "updateThread"],
    ["mark threads as unread", "updateThreads"],
    ["move a thread to the trash", "updateThread"],
    ["send a message", "sendMessage"],
  ])("finds %p as a person says it", async (words, operation) => {
    await open(page);
    await page.getByLabel("Search operations").fill(words);
    expect(await page.locator(`article#${operation}`).isVisible()).toBe(true);
    expect(await page.locator("article#listWebhooks").isVisible()).toBe(false);
  });

  test("a link to an operation that the search hides shows it", async () => {
    await open(page);
    await page.getByLabel("Search operations").fill("snooze");
    await page.evaluate(() => {
      location.hash = "#getUsage";
    });
    await page.locator("article#getUsage").waitFor({ state: "visible" });
    expect(await page.getByLabel("Search operations").inputValue()).toBe("");
  });

  test(
    "a request with a test key gets the sandbox, and the key is kept nowhere",
    async () => {
      await open(page);
      // Fewer operations are checked for faults in a fraction of the time. Another test checks all.
      await page.getByLabel("Search operations").fill("list threads");
      const form = await tryIt(page, "List threads");
      expect(await form.textContent()).toContain("acts on your real mail");
      await form.getByLabel("limit").fill("2");
      const key = fixture.live.newKey({ test: true });
      await form.getByLabel("API key").fill(key);
      expect(await form.textContent()).toContain("Test key: this request acts on the sandbox.");
      await form.getByRole("button", { name: "Send GET /threads" }).click();
      await form.getByText("200 OK").waitFor();
      const answer = JSON.parse((await form.locator(".scrolls code").textContent())!);
      expect(answer.data).toHaveLength(2);
      expect(await faultsInBoth(page)).toEqual([]);
      const kept = () => page.evaluate(() => [localStorage.length, sessionStorage.length, document.cookie]);
      expect(await kept()).toEqual([0, 0, ""]);
      // The key is for all forms of the page, until the page is left.
      await form.getByRole("button", { name: "Close" }).click();
      await page.getByLabel("Search operations").fill("");
      const usage = await tryIt(page, "Get plan and usage");
      expect(await usage.getByLabel("API key").inputValue()).toBe(key);
      await page.reload();
      await page.getByLabel("Search operations").waitFor();
      expect(await (await tryIt(page, "List threads")).getByLabel("API key").inputValue()).toBe("");
      expect(page.url()).not.toContain(key);
    },
    SLOW_MS,
  );

  test("a live key is named as such, and a send with it asks for its inputs", async () => {
    await open(page);
    const form = await tryIt(page, "Compose and send a message in one call");
    expect(await form.textContent()).toContain("what it sends is sent");
    await form.getByLabel("API key").fill(fixture.live.key);
    expect(await form.textContent()).toContain("Live key: this request acts on your real mail.");
    await form.getByLabel("Body").fill("{ not json");
    await form.getByRole("button", { name: /^Send POST/ }).click();
    await form.getByText(/not valid JSON/).waitFor();
    expect(await form.getByLabel("Body").evaluate((field) => field === document.activeElement)).toBe(true);
    await form.getByLabel("Body").fill(JSON.stringify({ to: [] }));
    await form.getByRole("button", { name: /^Send POST/ }).click();
    await form.getByText("400 Bad Request").waitFor();
    expect(await form.locator(".scrolls code").textContent()).toContain("invalid_params");
    // A required idempotency key that was left empty is new for each request.
    const sent = askedBy(page).filter(({ url: to }) => to.endsWith("/v1/messages/send"));
    expect((await sent.at(-1)!.headers)["idempotency-key"]).toMatch(/^[0-9a-f]{32}$/);
  });

  test("without a key, and with empty parameters of the path, nothing is sent", async () => {
    await open(page);
    const form = await tryIt(page, "Get a thread");
    const before = askedBy(page).length;
    await form.getByRole("button", { name: /^Send GET/ }).click();
    await form.getByText("Enter an API key.").waitFor();
    await form.getByLabel("API key").fill(fixture.live.newKey({ test: true }));
    for (const id of ["", ".."]) {
      await form.getByLabel("id").fill(id);
      await form.getByRole("button", { name: /^Send GET/ }).click();
      await form.getByText("Enter a value.").waitFor();
    }
    expect(askedBy(page).slice(before)).toEqual([]);
    await form.getByLabel("id").fill("../../app/api/state");
    await form.getByRole("button", { name: /^Send GET/ }).click();
    await form.getByText("404 Not Found").waitFor();
    expect(askedBy(page).at(-1)!.url).toBe(`${fixture.origin}/v1/threads/..%2F..%2Fapp%2Fapi%2Fstate`);
  });

  test("HTML of a mail is shown as text, and loads nothing", async () => {
    const key = fixture.live.newKey({ test: true });
    const found = await fixture.live.call("GET", "/threads?limit=20", { key });
    const thread = (await fixture.live.call("GET", `/threads/${found.json.data[0].id}/messages`, { key })).json.data[0];
    await open(page);
    const form = await tryIt(page, "Get a message as sanitized HTML");
    await form.getByLabel("API key").fill(key);
    await form.getByLabel("id").fill(thread.id);
    await form.getByRole("button", { name: /^Send GET/ }).click();
    await form.getByText("200 OK").waitFor();
    expect(await form.locator(".scrolls code").textContent()).toContain("<");
    expect(await form.locator(".scrolls code *").count()).toBe(0);
  });

  test("requests never have the session of the settings page", async () => {
    const own = await profile();
    await fixture.setUp(own);
    await open(own);
    const form = await tryIt(own, "Get plan and usage");
    await form.getByLabel("API key").fill("service_live_wrong");
    const before = askedBy(own).length;
    await form.getByRole("button", { name: /^Send GET/ }).click();
    await form.getByText("401 Unauthorized").waitFor();
    const sent = askedBy(own).slice(before);
    expect(sent.map(({ url: to }) => to)).toEqual([`${fixture.origin}/v1/usage`]);
    expect((await sent[0]!.headers).cookie).toBeUndefined();
    expect((await sent[0]!.headers)["x-postroom-app"]).toBeUndefined();
    // The way from the settings page, and back to create a key.
    await fixture.open(own, "#/keys");
    const [reference] = await Promise.all([
      own.context().waitForEvent("page"),
      own.getByRole("link", { name: "API reference" }).click(),
    ]);
    await reference.getByRole("heading", { name: "Postroom API", level: 1 }).waitFor();
    expect(reference.url()).toBe(url());
    const opened = await tryIt(reference, "Get plan and usage");
    await opened.getByRole("link", { name: "Create an API key" }).click();
    await reference.getByRole("heading", { name: "API keys", level: 1 }).waitFor();
    await reference.close();
  });

  test.each([
    "?url=https://evil.example/openapi.json",
    "?spec-url=https://evil.example/x.json&configUrl=https://evil.example/y.json",
    "?url=javascript:alert(1)#/operations/<img src=x onerror=alert(1)>",
    "#<script>alert(1)</script>",
    "?primaryName=x&urls=[{url:'https://evil.example'}]&key=service_live_x&server=https://evil.example",
  ])("an address cannot make the page load or run anything else: %s", async (more) => {
    const actions: string[] = [];
    const own = await profile();
    own.on("dialog", async (dialog) => {
      actions.push(dialog.message());
      await dialog.dismiss();
    });
    await open(own, more);
    const form = await tryIt(own, "Get plan and usage");
    expect(await form.getByLabel("API key").inputValue()).toBe("");
    await form.getByLabel("API key").fill(fixture.live.key);
    const before = askedBy(own).length;
    await form.getByRole("button", { name: /^Send GET/ }).click();
    await form.getByText("200 OK").waitFor();
    expect(
      askedBy(own)
        .slice(before)
        .map(({ url: to }) => to),
    ).toEqual([`${fixture.origin}/v1/usage`]);
    expect(actions).toEqual([]);
    expect(await own.locator("script").count()).toBe(1);
    await own.context().close();
  });

  test("a script that reached the page could not be loaded, run or call out", async () => {
    const own = await profile();
    await open(own);
    const outcome = await own.evaluate(async () => {
      const inline = document.createElement("script");
      inline.textContent = "window.ran = true";
      document.body.append(inline);
      const called = await fetch("https://evil.example/").then(
        () => "called",
        () => "refused",
      );
      return [Reflect.get(window, "ran") ?? "not run", called];
    });
    expect(outcome).toEqual(["not run", "refused"]);
    // These are the refusals that this test has caused.
    expect(fixture.complaints.splice(0).length).toBeGreaterThanOrEqual(2);
    fixture.strays.splice(0);
    await own.context().close();
  });

  test(
    "works at phone width, with the keyboard, and without faults in light and dark",
    async () => {
      const phone = await profile({ width: 390 });
      await open(phone);
      expect(await faultsInBoth(phone)).toEqual([]);
      const wide = () => phone.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      expect(await wide()).toBeLessThanOrEqual(0);
      await phone.getByLabel("Search operations").focus();
      await phone.keyboard.type("list connected mailboxes");
      await phone.keyboard.press("Enter");
      await phone
        .getByRole("button", { name: /^Try it/ })
        .first()
        .focus();
      await phone.keyboard.press("Enter");
      const form = phone.getByRole("form");
      await form.waitFor();
      // The focus moves to the first field.
      await phone.keyboard.type(fixture.live.newKey({ test: true }));
      await phone.keyboard.press("Enter");
      await form.getByText("200 OK").waitFor();
      expect(await wide()).toBeLessThanOrEqual(0);
      expect(await faultsInBoth(phone)).toEqual([]);
      await form.getByRole("button", { name: "Close" }).press("Enter");
      expect(await phone.evaluate(() => document.activeElement?.getAttribute("aria-label"))).toMatch(/^Try it: /);
      await phone.context().close();
    },
    SLOW_MS,
  );

  test("can be read without a script", async () => {
    const context = await fixture.browser.newContext({ javaScriptEnabled: false });
    const plain = await context.newPage();
    await plain.goto(url());
    expect(await plain.locator("article").count()).toBeGreaterThan(50);
    expect(await plain.getByRole("button").count()).toBe(0);
    await context.close();
  });

  test("loads one script, which is small, and the description only for a form", async () => {
    const own = await profile();
    await open(own);
    const names = () => askedBy(own).map(({ url: to }) => to.slice(fixture.origin.length).replace(/-\w+/, ""));
    expect(names().sort()).toEqual(["/app/assets/docs.js", "/v1/docs", "/v1/docs/docs.css"]);
    await tryIt(own, "Get plan and usage");
    expect(names()).toContain("/v1/openapi.json");
    const script = askedBy(own).find(({ url: to }) => to.endsWith(".js"))!.url;
    const { headers } = await fetch(script, { headers: { "Accept-Encoding": "br" }, decompress: false } as RequestInit);
    expect(headers.get("content-encoding")).toBe("br");
    expect(Number(headers.get("content-length"))).toBeLessThan(15_000);
    await own.context().close();
  });

  test("no request left the origin, and the page kept to its policy", () => {
    expect(asked.filter(({ url: to }) => !to.startsWith(fixture.origin) && !to.includes("evil.example"))).toEqual([]);
    expect(fixture.strays).toEqual([]);
    expect(fixture.complaints).toEqual([]);
  });
});
