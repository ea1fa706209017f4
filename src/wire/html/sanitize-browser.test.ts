import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { Browser } from "playwright-core";
import { noBrowser, type Observer, openBrowser, openObserver } from "../../../test/support/browser.ts";
import { HOSTILE_MAILS, hostileCases } from "../../../test/support/hostile-mails.ts";
import { bodyHeaders, type ImageMode, renderBody } from "./sanitize.ts";

const OLD_DOCTYPES = [
  ...["HTML 4.01//EN", "HTML 4.01 Transitional//EN", "HTML 4.0 Transitional//EN", "HTML 4.0//EN", "HTML 3.2 Final//EN"],
  ...["XHTML 1.0 Strict//EN", "XHTML 1.1//EN", "XHTML 1.0 Transitional //EN", "W3 HTML//EN"],
].flatMap((id) => [`<!DOCTYPE HTML PUBLIC "-//W3C//DTD ${id}">`, `<!DOCTYPE HTML PUBLIC "-//W3C//DTD ${id}" "x.dtd">`]);

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
    const pictures = ["1", "2", "6", "7"];
    const backgrounds = ["3", "4", "b", "b.png", "s1", "s3", "s4", "s5", "s6", "s7"];
    expect([...asked].sort()).toEqual([...pictures, ...backgrounds].map((name) => `https://x.test/${name}`).sort());
  }, 60_000);

  test("random style sheets have no effect", async () => {
    const css =
      "p{ } ; : ( ) , ' \" \\ /* */ <!-- --> ! @media @import { background: url( url(//x.test/1) image-set( red content:";
    const more =
      "\\75rl(//x.test/2) url('//x.test/3') @import'//x.test/4' src('//x.test/5') expression(alert(1)) screen \n";
    const html = ["<p style='", "'>", "<img src=x onerror=alert(1)>", "<svg>", "</svg>", "</style>", "<style>"];
    const part = fc.constantFrom(...css.split(" "), ...more.split(" "), ...html);
    const mails = fc
      .sample(fc.array(part, { maxLength: 25 }), 400)
      .map((parts) => `<style>p{color:red}${parts.join("")}</style><p>x`);
    expect(await misbehaving(mails)).toEqual([]);
  }, 120_000);

  test("a mail is laid out as its document type asks", async () => {
    const names = [
      "",
      "<!doctype html>",
      '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN" "x">',
      ...OLD_DOCTYPES,
    ];
    const layoutsOf = async (htmls: string[]) => {
      const layouts: string[] = [];
      for (const html of htmls) {
        await observer.watch(html);
        // A picture alone in a cell leaves a gap below it in standards mode only.
        layouts.push(
          await observer.page.evaluate(
            () => `${document.compatMode} ${document.querySelector("td")!.offsetHeight > 22}`,
          ),
        );
      }
      return layouts;
    };
    const mail =
      '<body><table cellspacing=0 cellpadding=0><tr><td><img width=20 height=20 src="data:image/gif;base64,R0lGODlhAQABAAAAACw="></table>';
    const sent = await layoutsOf(names.map((doctype) => doctype + mail));
    expect(await layoutsOf(names.map((doctype) => render(doctype + mail, "none")))).toEqual(sent);
    expect(new Set(sent).size).toBe(3);
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
