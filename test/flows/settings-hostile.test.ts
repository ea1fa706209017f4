import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import type { IncomingAttachment } from "../../src/mailbox/store/incoming.ts";
import { noBrowser } from "../support/browser.ts";
import { type Authority, createAuthority, OPENSSL } from "../support/certificates.ts";
import { type HttpsReceiver, startReceiver } from "../support/https-receiver.ts";
import { indexMessage } from "../support/index-message.ts";
import { seedMailbox } from "../support/seed-mail.ts";
import { OWNER, type SettingsFixture, startSettings } from "../support/settings-fixture.ts";

/** What strangers can write into a mailbox, and what a hostile page can try on somebody who is signed in. */

const SLOW_MS = 120_000;
/** Each would run in a page that takes the text for HTML. It stays in one piece in subjects and names. */
const ATTACK = `<img src=x onerror="globalThis.hacked=1"><script>globalThis.hacked=1</script>`;
const QUOTED = `"><svg onload="globalThis.hacked=1">`;
const skipped = noBrowser("hostile texts and pages against the settings page") || !OPENSSL;

describe.skipIf(skipped)("the settings page under attack", () => {
  let authority: Authority;
  let receiver: HttpsReceiver;
  let evil: Bun.Server<undefined>;
  let scene: SettingsFixture;
  let page: Page;

  beforeAll(async () => {
    authority = createAuthority();
    receiver = await startReceiver(authority.issue(["127.0.0.1"]));
    const headers = { "Content-Type": "text/html", "X-Attack": ATTACK };
    receiver.behave = () => ({ status: 500, headers, body: `<html>${ATTACK}${QUOTED}</html>` });
    scene = await startSettings({ "webhooks.allow": "127.0.0.1", "webhooks.ca_file": authority.ca_file });
    page = (await scene.profile()).page;
    await scene.setUp(page);
  }, SLOW_MS);
  afterAll(async () => {
    await evil?.stop(true);
    await scene?.close();
    await receiver?.stop();
    authority?.remove();
  }, SLOW_MS);

  /** A page of another origin; a port apart is the same site, so that cookies are sent along. */
  function evilPage(html: string): string {
    evil?.stop(true);
    const options = { headers: { "Content-Type": "text/html" } };
    evil = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response(html, options) });
    return `http://127.0.0.1:${evil.port}/`;
  }

  async function harmless(on: Page): Promise<void> {
    expect(await on.evaluate(() => Reflect.get(globalThis, "hacked"))).toBeUndefined();
    expect(await on.locator("img[src=x], svg[onload], main script").count()).toBe(0);
    expect(scene.complaints).toEqual([]);
  }

  test(
    "stored texts of strangers are shown as text: subject, name, file name, label, and what a webhook answered",
    async () => {
      const { app, call } = scene.live;
      const owner = app.platform.users.findByEmail(OWNER.email)!;
      const seeded = seedMailbox(app.platform, owner.id, { mailbox: app.mailbox, email: "ada@example.org" });
      const from = { name: `Mallory ${ATTACK}`, email: "mallory@example.net" };
      const subject = `Holiday ${ATTACK}`;
      const text = `Holiday plans ${ATTACK} ${QUOTED} <mark>not a match</mark>`;
      const attachments = [attachment(`plan${ATTACK}.pdf`)];
      const { thread_id, message_id } = seeded.deliver({ subject, from, text, attachments });
      indexMessage(app.platform.db, app.mailbox, message_id, { subject, from, attachments, text });
      const labelled = await call("PATCH", `/threads/${thread_id}`, { body: { add_labels: [`L${QUOTED}`] } });
      expect(labelled.status).toBe(200);

      await scene.open(page, "#/search");
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

      const hook = await call("POST", "/webhooks", { body: { url: `${receiver.origin}/x`, events: ["brief.ready"] } });
      await scene.open(page, `#/webhooks/${hook.json.data.id}`);
      await page.getByRole("button", { name: "Send test event" }).click();
      await page.getByRole("region", { name: "Receiver response" }).first().getByText(ATTACK).waitFor();
      await harmless(page);
    },
    SLOW_MS,
  );

  test(
    "and so are texts of programs with a key: names of rules' labels and of keys, before and after in the audit log",
    async () => {
      const { app, call } = scene.live;
      const owner = app.platform.users.findByEmail(OWNER.email)!;
      app.platform.keys.create({ name: `k${ATTACK}`, user_id: owner.id, scopes: ["mail:read"], test: false });
      const rule = {
        conditions: [{ field: "subject", op: "contains", value: ATTACK }],
        actions: [{ type: "addLabel", value: `R${QUOTED}` }],
      };
      expect((await call("POST", "/rules", { body: rule })).status).toBe(200);
      await scene.open(page, "#/rules");
      await page.getByText(`R${QUOTED}`).waitFor();
      await harmless(page);
      await scene.open(page, "#/keys");
      await page.getByText(`k${ATTACK}`).waitFor();
      await harmless(page);
      await scene.open(page, "#/audit");
      await page.locator("summary", { hasText: "rule.create" }).first().click();
      await page.getByRole("region", { name: "After" }).getByText("onload").waitFor();
      await harmless(page);
    },
    SLOW_MS,
  );

  test(
    "the address of the page cannot bring script along",
    async () => {
      for (const hash of [
        `#/${ATTACK}`,
        `#/webhooks/${encodeURIComponent(ATTACK)}`,
        "#/../../evil",
        "#invitation=%zz",
      ]) {
        await page.goto(`${scene.origin}/app/${hash}`);
        await page.locator("h1").first().waitFor();
        await harmless(page);
      }
    },
    SLOW_MS,
  );

  test(
    "no other page can show it in a frame",
    async () => {
      const { page: other } = await scene.profile();
      await other.goto(evilPage(`<iframe id="f" src="${scene.origin}/app/"></iframe>`));
      const frame = await (await other.waitForSelector("#f")).contentFrame();
      await other.waitForFunction(() => document.readyState === "complete");
      expect(frame?.url() ?? "").not.toStartWith(scene.origin);
      expect(await frame?.locator("#app").count()).toBe(0);
      const { headers } = await fetch(`${scene.origin}/app/`);
      expect(headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
      expect(headers.get("x-frame-options")).toBe("DENY");
    },
    SLOW_MS,
  );

  test(
    "another page cannot act for somebody who is signed in, whatever it sends",
    async () => {
      const { app } = scene.live;
      const owner = app.platform.users.findByEmail(OWNER.email)!;
      const keys = () => app.platform.keys.list([owner.id]).length;
      const before = keys();
      const target = `${scene.origin}/app/api/keys`;
      const body = JSON.stringify({ name: "stolen", scopes: ["mail:read"] });
      const { page: other } = await scene.profile();
      // Signed in, in the same browser profile.
      await scene.signIn(other);
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
      // What is opaque was sent, and the server has refused it.
      expect(attempts).toEqual(["opaque 0", "refused", "refused"]);
      await other.evaluate(() => (document.getElementById("form") as HTMLFormElement).submit());
      await other.waitForURL(target);
      expect(keys()).toBe(before);
    },
    SLOW_MS,
  );

  test(
    "a session that somebody planted before the sign-in is worth nothing after it",
    async () => {
      const { context, page: victim } = await scene.profile();
      await scene.open(victim, "");
      const planted = "a".repeat(43);
      await context.addCookies([{ name: "postroom_session", value: planted, url: scene.origin }]);
      await scene.signIn(victim);
      const cookies = (await context.cookies()).filter(({ name }) => name.includes("session"));
      expect(cookies).toHaveLength(1);
      expect(cookies[0]).toMatchObject({ httpOnly: true, sameSite: "Strict" });
      expect(cookies[0]!.value).not.toBe(planted);
      const asAttacker = await fetch(`${scene.origin}/app/api/state`, {
        headers: { Cookie: `postroom_session=${planted}`, "X-Postroom-App": "1" },
      });
      expect((await asAttacker.json()).user).toBeNull();
      // Nothing that opens anything is where a script could read it.
      const readable = await victim.evaluate(
        () => document.cookie + JSON.stringify({ ...localStorage, ...sessionStorage }),
      );
      expect(readable).not.toContain(cookies[0]!.value);
    },
    SLOW_MS,
  );

  test("a name that only a stranger's DNS leads here is refused", async () => {
    const { port } = new URL(scene.origin);
    const response = await fetch(`http://127.0.0.1:${port}/app/`, { headers: { Host: "evil.example" } });
    expect(response.status).toBe(421);
  });
});

function attachment(name: string): IncomingAttachment {
  const where = { index: 0, part: null, encoding: null, contentId: null, disposition: "attachment" } as const;
  return { ...where, name, mime: "application/pdf", size: 1_234 };
}
