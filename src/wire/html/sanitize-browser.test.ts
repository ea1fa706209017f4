import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Browser } from "playwright-core";
import { noBrowser, type Observer, openBrowser, openObserver } from "../../../test/support/browser.ts";
import { HOSTILE_MAILS, hostileCases } from "../../../test/support/hostile-mails.ts";
import { bodyHeaders, type ImageMode, renderBody } from "./sanitize.ts";

const INLINE: Record<string, { mime: string; content: Uint8Array }> = {
  svg: {
    mime: "image/svg+xml",
    content: new TextEncoder().encode("<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>"),
  },
  html: { mime: "text/html", content: new TextEncoder().encode("<script>alert(1)</script>") },
  broken: { mime: "image/png", content: new TextEncoder().encode("<script>alert(1)</script>") },
};

function render(html: string, images: ImageMode): string {
  return renderBody({ html, text: "", images, senderDomain: "a.test", inline: (id) => INLINE[id] ?? null });
}

/** Removes the policy, so that only the sanitizer protects the reader. */
function withoutPolicy(page: string): string {
  const bare = page.replace(/<meta http-equiv="Content-Security-Policy"[^>]*>/, "");
  if (bare === page) throw new Error("the page's own policy was not found");
  return bare;
}

const skip = noBrowser("the behavior of sanitized mail in a real browser");

describe.skipIf(skip)("in Chromium", () => {
  let browser: Browser;
  let observer: Observer;
  beforeAll(async () => {
    browser = await openBrowser();
    observer = await openObserver(browser);
  }, 60_000);
  afterAll(async () => await browser?.close());

  /** Runs each mail with and without the policy; returns the mails that ran or loaded something. */
  async function misbehaving(mails: readonly string[]): Promise<string[]> {
    const pages = mails.map((mail) => render(mail, "none"));
    const bare = await observer.watchAll(pages.map((page) => ({ html: withoutPolicy(page) })));
    const full = await observer.watchAll(pages.map((html) => ({ html, headers: bodyHeaders("none") })));
    return mails.flatMap((mail, i) => {
      const did = [bare[i], full[i]].flatMap((conduct) => [...(conduct?.requests ?? []), ...(conduct?.actions ?? [])]);
      return did.length > 0 ? [`${mail} → ${did.join(", ")}`] : [];
    });
  }

  test("the observer notices a mail that is not sanitized", async () => {
    const raw = '<img src=//x.test/1 onerror=alert(1)><script>print()</script><p style="background:url(//x.test/2)">x';
    const { requests, actions } = await observer.watch(raw);
    expect(requests.sort()).toEqual(["http://x.test/1", "http://x.test/2"]);
    expect(actions).toContain("print");
    const refresh = "<meta http-equiv=refresh content='0;url=//x.test/r'>";
    const together = await observer.watchAll([{ html: raw }, { html: "<p>quiet" }, { html: refresh }]);
    expect(together.map((conduct) => conduct.requests.length)).toEqual([2, 0, 1]);
    expect(together.map((conduct) => conduct.actions.length > 0)).toEqual([true, false, false]);
  });

  test("our own attacks have no effect", async () => {
    expect(await misbehaving(HOSTILE_MAILS)).toEqual([]);
  }, 60_000);

  test("remote mode requests only pictures", async () => {
    const pages = HOSTILE_MAILS.map((mail) => ({ html: withoutPolicy(render(mail, "remote")) }));
    const conduct = await observer.watchAll(pages);
    expect(conduct.flatMap((one) => one.actions)).toEqual([]);
    const asked = new Set(conduct.flatMap((one) => one.requests));
    expect([...asked].sort()).toEqual(["https://x.test/1", "https://x.test/2", "https://x.test/6", "https://x.test/7"]);
  }, 60_000);

  const cases = hostileCases();
  test.skipIf(cases.length === 0)(
    "the attacks of another sanitizer's suite have no effect",
    async () => {
      expect(await misbehaving(cases)).toEqual([]);
      console.info(`${cases.length} cases of another sanitizer had no effect`);
    },
    120_000,
  );

  test("a link opens in a new window without an opener", async () => {
    const page = render('<a href="https://a.test/x">go</a>', "none");
    const { actions, requests } = await observer.watch(page, bodyHeaders("none"));
    const { x, y } = await observer.page.evaluate(() => document.querySelector("a")!.getBoundingClientRect().toJSON());
    await Promise.all([observer.page.context().waitForEvent("page"), observer.page.mouse.click(x + 4, y + 4)]);
    expect(actions).toEqual(["new window"]);
    expect(requests.every((url) => url === "https://a.test/x")).toBe(true);
  });
});
