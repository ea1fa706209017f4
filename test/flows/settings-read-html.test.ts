import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { BrowserContext, Page, Route } from "playwright-core";
import { faultsInBoth } from "../support/axe.ts";
import { noBrowser } from "../support/browser.ts";
import { HOSTILE_HOST, HOSTILE_MAILS, hostileCases } from "../support/hostile-mails.ts";
import { type SeededMailbox, seedMailbox } from "../support/seed-mail.ts";
import { OWNER, type SettingsFixture, startSettings } from "../support/settings-fixture.ts";

/** HTML mail on the Read page: hostile mail in the frame with and without the sanitizer, remote images, links, height. */

const SLOW_MS = 300_000;
const skipped = noBrowser("HTML mail on the Read page");
const PIXEL = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);
/** Paths that the settings page requests. */
const OUR_PATHS = /^\/(app\/($|assets\/|api\/|message-frame$)|v1\/)/;
/** A page that no sanitizer has seen, in the form of GET /messages/{id}/body. */
const unsanitized = (mail: string, i: number) =>
  `<html><head><title></title></head><body><p>case ${i}</p>${mail}</body></html>`;

/** What a page did besides showing mail. */
interface Effects {
  requests: string[];
  actions: string[];
}

describe.skipIf(skipped)("HTML mail on the Read page", () => {
  let fixture: SettingsFixture;
  let page: Page;
  let seeded: SeededMailbox;

  beforeAll(async () => {
    // Each of several hundred mails is opened once, within a minute or two.
    fixture = await startSettings({ "limits.requests_per_minute_session": "1000000" });
    page = (await fixture.profile()).page;
    await fixture.setUp(page);
    const { app } = fixture.live;
    const owner = app.platform.users.findByEmail(OWNER.email)!;
    seeded = seedMailbox(app.platform, owner.id, { mailbox: app.mailbox, email: "ada@example.org" });
  }, SLOW_MS);
  afterAll(() => fixture?.close(), SLOW_MS);

  /** A signed-in page that records effects. Requests that a policy refuses are not sent, so they are not recorded. */
  async function watched(): Promise<{ context: BrowserContext; on: Page; did: Effects }> {
    const { context, page: on } = await fixture.profile();
    await fixture.signIn(on);
    const did: Effects = { requests: [], actions: [] };
    await context.route("**/*", async (route: Route) => {
      const url = new URL(route.request().url());
      if (url.origin === fixture.origin && OUR_PATHS.test(url.pathname)) return await route.fallback();
      did.requests.push(url.href);
      await route.abort();
    });
    context.on("page", (opened) => {
      did.actions.push("new window");
      void opened.close();
    });
    on.on("dialog", (dialog) => {
      did.actions.push(`dialog ${dialog.type()}`);
      void dialog.dismiss();
    });
    on.on("console", (message) => {
      // A script would run into the sandbox, which ignores its dialogs.
      if (/Ignored call to/.test(message.text())) did.actions.push(message.text());
    });
    on.on("framenavigated", (frame) => {
      const url = new URL(frame.url(), fixture.origin);
      if (frame !== on.mainFrame() && frame.parentFrame() !== on.mainFrame()) return;
      if (url.origin !== fixture.origin || !OUR_PATHS.test(url.pathname)) did.actions.push(`navigated to ${url}`);
    });
    return { context, on, did };
  }

  async function show(on: Page, threadId: string, text: string): Promise<void> {
    await on.evaluate((hash) => {
      location.hash = hash;
    }, `#/read/${threadId}`);
    await on.frameLocator("iframe").getByText(text, { exact: true }).first().waitFor({ state: "attached" });
    await on.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  }

  test(
    "the watcher notices mail that is neither sanitized nor in a sandbox",
    async () => {
      const { context, on, did } = await watched();
      await context.addInitScript(() => {
        Object.defineProperty(HTMLIFrameElement.prototype, "sandbox", { get: () => "", set: () => {} });
      });
      await context.route("**/app/message-frame*", (route) =>
        route.fulfill({ contentType: "text/html", body: '<!doctype html><html data-images="none"></html>' }),
      );
      const body = unsanitized(`<img src=https://${HOSTILE_HOST}/1><img src=data:x onerror=alert(1)>`, 0);
      await context.route("**/v1/messages/*/body*", (route) => route.fulfill({ contentType: "text/html", body }));
      await on.reload();
      const { thread_id } = seeded.deliver({ subject: "Unprotected", html: "<p>x</p>", text: "" });
      await show(on, thread_id, "case 0");
      await on.waitForFunction(() => document.querySelector("iframe")?.contentDocument?.images[0]?.complete);
      expect(did).toEqual({ requests: [`https://${HOSTILE_HOST}/1`], actions: ["dialog alert"] });
      await context.close();
      fixture.strays.length = 0;
    },
    SLOW_MS,
  );

  const mails = [...HOSTILE_MAILS, ...hostileCases()];

  test(
    "hostile mail runs nothing and requests nothing",
    async () => {
      const { context, on, did } = await watched();
      const found: string[] = [];
      for (const [i, mail] of mails.entries()) {
        const { thread_id } = seeded.deliver({ subject: `Hostile ${i}`, html: `<p>case ${i}</p>${mail}`, text: "" });
        await show(on, thread_id, `case ${i}`);
        const effects = [...did.requests.splice(0), ...did.actions.splice(0)];
        if (effects.length > 0) found.push(`${mail} → ${effects.join(", ")}`);
      }
      expect(found).toEqual([]);
      expect(fixture.complaints).toEqual([]);
      console.info(`${mails.length} hostile mails had no effect on the page`);
      await context.close();
    },
    SLOW_MS,
  );

  test(
    "even mail that no sanitizer has seen runs nothing and requests nothing, because of the frame",
    async () => {
      const { context, on, did } = await watched();
      // Two threads take turns, so that each payload is shown in a new frame.
      const threads = [0, 1].map((i) => seeded.deliver({ subject: `Raw ${i}`, html: "<p>x</p>", text: "" }).thread_id);
      let raw = "";
      await context.route("**/v1/messages/*/body*", (route) =>
        route.fulfill({ contentType: "text/html; charset=utf-8", body: raw }),
      );
      const found: string[] = [];
      for (const [i, mail] of mails.entries()) {
        raw = unsanitized(mail, i);
        await show(on, threads[i % 2]!, `case ${i}`);
        const effects = [...did.requests.splice(0), ...did.actions.splice(0)];
        if (effects.length > 0) found.push(`${mail} → ${effects.join(", ")}`);
      }
      expect(found).toEqual([]);
      // The settings page itself is untouched.
      expect(await on.locator("h1").textContent()).toStartWith("Raw ");
      expect(await on.locator("main script, main img").count()).toBe(0);
      await context.close();
      // The policy of the frame has reported what it refused.
      expect(fixture.complaints.length).toBeGreaterThan(10);
      fixture.complaints.length = 0;
      fixture.strays.length = 0;
    },
    SLOW_MS,
  );

  test(
    "a frame that was loaded without its policy does not get the mail",
    async () => {
      const { context, page: on } = await fixture.profile();
      await fixture.signIn(on);
      const { thread_id } = seeded.deliver({ subject: "Behind a proxy", html: "<p>secret text</p>", text: "" });
      await context.route("**/app/message-frame*", (route) =>
        route.fulfill({ contentType: "text/html", body: "<p>Sign in at the proxy</p>" }),
      );
      await fixture.open(on, `#/read/${thread_id}`);
      await on.frameLocator("iframe").getByText("Sign in at the proxy").waitFor();
      expect(await on.frameLocator("iframe").getByText("secret text").count()).toBe(0);
      await context.close();
    },
    SLOW_MS,
  );

  test(
    "remote images are loaded only on request, for one message, without cookies or a referrer",
    async () => {
      const { context, page: on } = await fixture.profile();
      await fixture.signIn(on);
      const asked: { url: string; headers: Record<string, string> }[] = [];
      await context.route(`https://images.${HOSTILE_HOST}/**`, async (route) => {
        asked.push({ url: route.request().url(), headers: await route.request().allHeaders() });
        await route.fulfill({ contentType: "image/png", body: PIXEL });
      });
      const image = (name: string) =>
        `<p>Look</p><img alt="${name}" width=80 height=40 src="https://images.${HOSTILE_HOST}/${name}.png">`;
      const flags = { seen: false };
      const { thread_id } = seeded.converse(
        { html: image("one"), text: "", flags },
        { html: image("two"), text: "", flags },
      );
      await fixture.open(on, `#/read/${thread_id}`);
      const load = on.getByRole("button", { name: "Load remote images" });
      await load.last().waitFor();
      expect(await load.count()).toBe(2);
      expect(await faultsInBoth(on)).toEqual([]);
      expect(asked).toEqual([]);
      await load.last().click();
      const picture = on.frameLocator("iframe >> nth=1").getByRole("img", { name: "two" });
      await on.waitForFunction(() => {
        const shown = document.querySelectorAll("iframe")[1]?.contentDocument?.querySelector("img");
        return shown?.complete && shown.naturalWidth > 0;
      });
      expect(await picture.getAttribute("referrerpolicy")).toBe("no-referrer");
      expect(asked.map(({ url }) => url)).toEqual([`https://images.${HOSTILE_HOST}/two.png`]);
      expect(asked[0]!.headers.referer).toBeUndefined();
      expect(asked[0]!.headers.cookie).toBeUndefined();
      // The other message still waits, and so does this one when it is opened again.
      expect(await load.count()).toBe(1);
      await fixture.open(on, "#/read");
      await fixture.open(on, `#/read/${thread_id}`);
      await load.first().waitFor();
      expect(asked).toHaveLength(1);
      await context.close();
      fixture.strays.length = 0;
    },
    SLOW_MS,
  );

  test(
    "a link opens a new tab that has no handle on the settings page",
    async () => {
      const { context, page: on } = await fixture.profile();
      await fixture.signIn(on);
      await context.route("https://shop.example/**", (route) =>
        route.fulfill({
          contentType: "text/html",
          body: "<title>Shop</title><script>document.title = String(opener)</script>",
        }),
      );
      const html = '<p>See <a href="https://shop.example/offer">our offer</a></p>';
      const { thread_id } = seeded.deliver({ subject: "Offer", html, text: "" });
      await fixture.open(on, `#/read/${thread_id}`);
      const [opened] = await Promise.all([
        context.waitForEvent("page"),
        on.frameLocator("iframe").getByRole("link", { name: "our offer" }).click(),
      ]);
      // Scripts run there, because it is an ordinary page.
      await opened.waitForFunction(() => document.title === "null");
      expect(await opened.evaluate(() => document.referrer)).toBe("");
      const plain = seeded.deliver({ subject: "Plain", text: "Our offer: https://shop.example/text. Bye", html: null });
      await fixture.open(on, `#/read/${plain.thread_id}`);
      const link = on.locator(".mail-text").getByRole("link", { name: "https://shop.example/text", exact: true });
      expect(await link.getAttribute("rel")).toBe("noopener noreferrer");
      await context.close();
      fixture.strays.length = 0;
    },
    SLOW_MS,
  );

  test(
    "the frame is as high as the mail, folds its quotes, passes keys on, and does not grow without end",
    async () => {
      const long = "<p style='color:#1a1a2e;background:#eee'>A line of text</p>".repeat(80);
      const frame = () =>
        page.evaluate(() => {
          const shown = [...document.querySelectorAll("iframe")].at(-1)!;
          const { documentElement: root } = shown.contentDocument!;
          return { height: shown.clientHeight, fits: root.scrollHeight <= root.clientHeight };
        });
      const opened = async (id: string, text: string) => {
        await show(page, id, text);
        await page.waitForFunction(() => [...document.querySelectorAll("iframe")].at(-1)!.height !== "120");
      };
      const { thread_id } = seeded.deliver({ subject: "Long", html: `<p>long</p>${long}`, text: "" });
      await opened(thread_id, "long");
      const full = await frame();
      expect(full.fits).toBe(true);
      expect(full.height).toBeGreaterThan(2_000);
      // Styles of the mail apply, although the settings page permits none.
      const color = page.frameLocator("iframe").getByText("A line of text").first();
      expect(await color.evaluate((element) => getComputedStyle(element).color)).toBe("rgb(26, 26, 46)");

      const growing = seeded.deliver({
        subject: "Growing",
        html: `<p>growing</p><div style="min-height:100vh;padding:40px;border:1px solid">x</div>`,
        text: "",
      });
      await opened(growing.thread_id, "growing");
      await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
      expect((await frame()).height).toBeLessThan(2_000);

      const quote = `<blockquote>${"<p>What was said before</p>".repeat(30)}</blockquote>`;
      const talk = seeded.converse(
        { html: "<p>What was said before</p>", text: "" },
        {
          html: `<p>answer</p><p>Yes, with pleasure. See you on Thursday at the boathouse, at two.</p>${quote}`,
          text: "",
        },
      );
      await opened(talk.thread_id, "answer");
      const folded = await frame();
      expect(folded.height).toBeLessThan(300);
      await page.frameLocator("iframe").last().getByText("Quoted text").click();
      await page.waitForFunction(
        (before) => [...document.querySelectorAll("iframe")].at(-1)!.clientHeight > before + 500,
        folded.height,
      );
      expect((await frame()).fits).toBe(true);
      // The focus is in the frame now.
      expect(await page.evaluate(() => document.activeElement?.tagName)).toBe("IFRAME");
      await page.keyboard.press("u");
      await page.getByRole("heading", { name: "Read", level: 1 }).waitFor();
    },
    SLOW_MS,
  );

  test("no request left the origin, and no page broke its own policy", () => {
    expect(fixture.strays).toEqual([]);
    expect(fixture.complaints).toEqual([]);
  });
});
