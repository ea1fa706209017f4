import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import type { IncomingAttachment } from "../../src/mailbox/store/incoming.ts";
import { noBrowser } from "../support/browser.ts";
import { type Authority, createAuthority, OPENSSL } from "../support/certificates.ts";
import { type HttpsReceiver, startReceiver } from "../support/https-receiver.ts";
import { indexMessage } from "../support/index-message.ts";
import { seedMailbox } from "../support/seed-mail.ts";
import { OWNER, type SettingsFixture, startSettings } from "../support/settings-fixture.ts";

/** Hostile content in a mailbox, and hostile pages that attack a signed-in user. */

const SLOW_MS = 120_000;
/**
 * Each would run in a page that treats the text as HTML. It contains no line break, so subjects and names can hold it.
 */
const ATTACK = `<img src=x onerror="globalThis.hacked=1"><script>globalThis.hacked=1</script>`;
const QUOTED = `"><svg onload="globalThis.hacked=1">`;
const skipped = noBrowser("hostile texts and pages against the settings page") || !OPENSSL;

describe.skipIf(skipped)("the settings page under attack", () => {
  let authority: Authority;
  let receiver: HttpsReceiver;
  let evil: Bun.Server<undefined>;
  let fixture: SettingsFixture;
  let page: Page;

  beforeAll(async () => {
    authority = createAuthority();
    receiver = await startReceiver(authority.issue(["127.0.0.1"]));
    const headers = { "Content-Type": "text/html", "X-Attack": ATTACK };
    receiver.behave = () => ({ status: 500, headers, body: `<html>${ATTACK}${QUOTED}</html>` });
    fixture = await startSettings({ "webhooks.allow": "127.0.0.1", "webhooks.ca_file": authority.ca_file });
    page = (await fixture.profile()).page;
    await fixture.setUp(page);
  }, SLOW_MS);
  afterAll(async () => {
    await evil?.stop(true);
    await fixture?.close();
    await receiver?.stop();
    authority?.remove();
  }, SLOW_MS);

  /** Serves a page of another origin. Another port is the same site, so browsers send cookies along. */
  function evilPage(html: string): string {
    evil?.stop(true);
    const options = { headers: { "Content-Type": "text/html" } };
    evil = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response(html, options) });
    return `http://127.0.0.1:${evil.port}/`;
  }

  async function harmless(on: Page): Promise<void> {
    expect(await on.evaluate(() => Reflect.get(globalThis, "hacked"))).toBeUndefined();
    expect(await on.locator("img[src=x], svg[onload], main script").count()).toBe(0);
    expect(fixture.complaints).toEqual([]);
  }

  test(
    "texts from other people are shown as text: subject, name, file name, label, and the response to a webhook",
    async () => {
      const { app, call } = fixture.live;
      const owner = app.platform.users.findByEmail(OWNER.email)!;
      const seeded = seedMailbox(app.platform, owner.id, { mailbox: app.mailbox, email: "ada@example.org" });
      const from = { name: `Mallory ${ATTACK}`, email: "mallory@example.net" };
      const subject = `Holiday ${ATTACK}`;
      const text = `Holiday plans ${ATTACK} ${QUOTED} <mark>not a match</mark>`;
      const attachments = [attachment(`plan${ATTACK}.pdf`)];
      const { thread_id, message_id } = seeded.deliver({ subject, from, text, attachments });
      indexMessage(app.platform.db, app.mailbox, message_id, { subject, from, attachments, text });
      const labeled = await call("PATCH", `/threads/${thread_id}`, { body: { add_labels: [`L${QUOTED}`] } });
      expect(labeled.status).toBe(200);

      await fixture.open(page, "#/search");
      await page.getByLabel("Search your mail").fill("holiday");
      await page.getByRole("radio", { name: "Keyword", exact: true }).check();
      await page.getByRole("button", { name: "Search", exact: true }).click();
      await page.getByText(`Mallory ${ATTACK}`).waitFor();
      expect(await page.locator("mark").allInnerTexts()).toEqual(expect.arrayContaining(["Holiday"]));
      expect(await page.locator("mark").allInnerTexts()).not.toContain("not a match");
      await page.getByRole("button", { name: `Holiday ${ATTACK}` }).click();
      const letter = page.getByRole("dialog");
      await letter.getByText(`plan${ATTACK}.pdf`).waitFor();
      await letter.getByText(`L${QUOTED}`).waitFor();
      await harmless(page);

      await fixture.open(page, "#/read");
      await page.locator(".thread-snippet", { hasText: QUOTED }).waitFor();
      await harmless(page);
      await fixture.open(page, `#/read/${thread_id}`);
      await page.getByRole("heading", { name: subject, level: 1 }).waitFor();
      await page.getByText(`plan${ATTACK}.pdf`).waitFor();
      await page.locator(".thread-facts").getByText(`L${QUOTED}`).waitFor();
      await harmless(page);

      const hook = await call("POST", "/webhooks", { body: { url: `${receiver.origin}/x`, events: ["brief.ready"] } });
      await fixture.open(page, `#/webhooks/${hook.json.data.id}`);
      await page.getByRole("button", { name: "Send test event" }).click();
      await page.getByRole("region", { name: "Receiver response" }).first().getByText(ATTACK).waitFor();
      await harmless(page);
    },
    SLOW_MS,
  );

  test(
    "quotes of hostile mail are shown as text, in answers and in the brief",
    async () => {
      const { app } = fixture.live;
      const owner = app.platform.users.findByEmail(OWNER.email)!;
      const seeded = seedMailbox(app.platform, owner.id, { mailbox: app.mailbox, email: "ada@quotes.example" });
      const subject = `Party ${ATTACK}`;
      const from = { name: `Mallory ${ATTACK}`, email: "mallory@example.net" };
      const to = [{ name: "", email: "ada@quotes.example" }];
      const text = `Hi Ada,\n\nThe garden party ${QUOTED} starts on 11 December at 7 pm.\n\nCould you tell me by tomorrow whether you come ${QUOTED}?`;
      const { message_id } = seeded.deliver({ subject, from, to, text, at: Date.now() - 60_000 });
      indexMessage(app.platform.db, app.mailbox, message_id, { subject, from, text });
      await fixture.open(page, "#/ask");
      await page.getByLabel("Question").fill("When does the garden party start?");
      await page.getByRole("button", { name: "Ask", exact: true }).click();
      await page.locator(".answer", { hasText: QUOTED }).waitFor();
      await page.getByRole("list", { name: "Sources" }).getByRole("link", { name: subject }).waitFor();
      await harmless(page);
      await fixture.open(page, "#/");
      await page.getByRole("button", { name: "Generate now" }).click();
      await page.locator(".brief-section blockquote", { hasText: QUOTED }).waitFor();
      await harmless(page);
    },
    SLOW_MS,
  );

  test(
    "texts from programs with a key are shown as text: labels of rules, names of keys, and values in the audit log",
    async () => {
      const { app, call } = fixture.live;
      const owner = app.platform.users.findByEmail(OWNER.email)!;
      app.platform.keys.create({ name: `k${ATTACK}`, user_id: owner.id, scopes: ["mail:read"], test: false });
      const rule = {
        conditions: [{ field: "subject", op: "contains", value: ATTACK }],
        actions: [{ type: "addLabel", value: `R${QUOTED}` }],
      };
      expect((await call("POST", "/rules", { body: rule })).status).toBe(200);
      await fixture.open(page, "#/rules");
      await page.getByText(`R${QUOTED}`).waitFor();
      await harmless(page);
      await fixture.open(page, "#/keys");
      await page.getByText(`k${ATTACK}`).waitFor();
      await harmless(page);
      await fixture.open(page, "#/audit");
      await page.locator("summary", { hasText: "created the rule" }).first().click();
      await page.getByRole("region", { name: "After" }).getByText("onload").waitFor();
      await harmless(page);
    },
    SLOW_MS,
  );

  test(
    "the address of the page cannot inject a script",
    async () => {
      for (const hash of [
        `#/${ATTACK}`,
        `#/webhooks/${encodeURIComponent(ATTACK)}`,
        "#/../../evil",
        "#invitation=%zz",
      ]) {
        await page.goto(`${fixture.origin}/app/${hash}`);
        await page.locator("h1").first().waitFor();
        await harmless(page);
      }
    },
    SLOW_MS,
  );

  test(
    "no other page can show the settings page in a frame",
    async () => {
      const { page: other } = await fixture.profile();
      for (const path of ["/app/message-frame", "/app/"]) {
        await other.goto(evilPage(`<iframe id="f" src="${fixture.origin}${path}"></iframe>`));
        const frame = await (await other.waitForSelector("#f")).contentFrame();
        await other.waitForFunction(() => document.readyState === "complete");
        expect(frame?.url() ?? "").not.toStartWith(fixture.origin);
      }
      const frame = await (await other.waitForSelector("#f")).contentFrame();
      expect(await frame?.locator("#app").count()).toBe(0);
      const { headers } = await fetch(`${fixture.origin}/app/`);
      expect(headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
      expect(headers.get("x-frame-options")).toBe("DENY");
    },
    SLOW_MS,
  );

  test(
    "another page cannot act for a signed-in user with any kind of request",
    async () => {
      const { app } = fixture.live;
      const owner = app.platform.users.findByEmail(OWNER.email)!;
      const keys = () => app.platform.keys.list([owner.id]).length;
      const before = keys();
      const target = `${fixture.origin}/app/api/keys`;
      const body = JSON.stringify({ name: "stolen", scopes: ["mail:read"] });
      const { page: other } = await fixture.profile();
      // The user is signed in in the same browser profile.
      await fixture.signIn(other);
      await other.goto(
        evilPage(
          `<form id="form" method="post" enctype="text/plain" action="${target}"><input name='{"name":"stolen","scopes":["mail:read"],"x":"' value='"}'></form>`,
        ),
      );
      const attempts = await other.evaluate(
        async ({ target, body }) => {
          const tries: RequestInit[] = [
            { mode: "no-cors", headers: { "Content-Type": "text/plain" } },
            { mode: "cors", headers: { "Content-Type": "application/json" } },
            { mode: "cors", headers: { "Content-Type": "application/json", "X-Postroom-App": "1" } },
          ];
          const outcome: string[] = [];
          for (const more of tries) {
            try {
              const { type, status } = await fetch(target, { method: "POST", credentials: "include", body, ...more });
              outcome.push(`${type} ${status}`);
            } catch {
              outcome.push("refused");
            }
          }
          return outcome;
        },
        { target, body },
      );
      // The opaque request was sent, and the server refused it.
      expect(attempts).toEqual(["opaque 0", "refused", "refused"]);
      await other.evaluate(() => (document.getElementById("form") as HTMLFormElement).submit());
      await other.waitForURL(target);
      expect(keys()).toBe(before);
    },
    SLOW_MS,
  );

  test(
    "a session cookie that was planted before sign-in is worthless afterwards",
    async () => {
      const { context, page: victim } = await fixture.profile();
      await fixture.open(victim, "");
      const planted = "a".repeat(43);
      await context.addCookies([{ name: "postroom_session", value: planted, url: fixture.origin }]);
      await fixture.signIn(victim);
      const cookies = (await context.cookies()).filter(({ name }) => name.includes("session"));
      expect(cookies).toHaveLength(1);
      expect(cookies[0]).toMatchObject({ httpOnly: true, sameSite: "Strict" });
      expect(cookies[0]!.value).not.toBe(planted);
      const asAttacker = await fetch(`${fixture.origin}/app/api/state`, {
        headers: { Cookie: `postroom_session=${planted}`, "X-Postroom-App": "1" },
      });
      expect((await asAttacker.json()).user).toBeNull();
      // No credential is readable by scripts.
      const readable = await victim.evaluate(
        () => document.cookie + JSON.stringify({ ...localStorage, ...sessionStorage }),
      );
      expect(readable).not.toContain(cookies[0]!.value);
    },
    SLOW_MS,
  );

  test("a name that only a stranger's DNS leads here is refused", async () => {
    const { port } = new URL(fixture.origin);
    const response = await fetch(`http://127.0.0.1:${port}/app/`, { headers: { Host: "evil.example" } });
    expect(response.status).toBe(421);
  });
});

function attachment(name: string): IncomingAttachment {
  const where = { index: 0, part: null, encoding: null, contentId: null, disposition: "attachment" } as const;
  return { ...where, name, mime: "application/pdf", size: 1_234 };
}
