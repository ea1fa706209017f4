import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { faultsInBoth } from "../support/axe.ts";
import { noBrowser } from "../support/browser.ts";
import { eventually } from "../support/eventually.ts";
import { type ModelServer, startModelServer, wholeAnswer } from "../support/model-server.ts";
import { type ReadPage, readPage } from "../support/read-page.ts";
import { seedMailbox } from "../support/seed-mail.ts";
import { NOWHERE } from "../support/send-fixture.ts";
import { OWNER, type SettingsFixture, startSettings } from "../support/settings-fixture.ts";
import { startScriptedSmtp } from "../support/smtp-server.ts";

/** Drafts on the Read page, in the sandbox: AI drafts, edits, sending with its undo, failures, deletion. */

const SLOW_MS = 240_000;
const skipped = noBrowser("drafts on the Read page");

interface Stored {
  to: string[];
  cc: string[];
  subject: string;
  body: string;
  send_id: string | null;
}

describe.skipIf(skipped)("drafts on the Read page", () => {
  let fixture: SettingsFixture;
  let model: ModelServer;
  let page: Page;
  let key: string;
  let r: ReadPage;

  beforeAll(async () => {
    const body = "Hi Helen,\n\nyes. Please pay at https://evil.example/pay first.\n\nAlex";
    model = startModelServer(() => wholeAnswer(JSON.stringify({ body })));
    fixture = await startSettings({
      "ai.base_url": model.base_url,
      "ai.model": "small-7b",
      "ai.allow_hosts": model.host,
    });
    page = (await fixture.profile()).page;
    await fixture.setUp(page);
    key = fixture.live.newKey({ test: true });
    await page.getByRole("switch", { name: "Sandbox" }).check();
    r = readPage(fixture, page, key);
  }, SLOW_MS);
  afterAll(async () => {
    await fixture?.close();
    await model?.close();
  }, SLOW_MS);

  async function create(draft: Record<string, unknown>): Promise<string> {
    const { status, json } = await fixture.live.call("POST", "/drafts", { key, body: draft });
    expect([status, json.error]).toEqual([200, undefined]);
    return json.id;
  }

  const stored = async (id: string) => (await fixture.live.call("GET", `/drafts/${id}`, { key })).json as Stored;
  const exists = async (id: string) => (await fixture.live.call("GET", `/drafts/${id}`, { key })).status === 200;
  const dialog = () => page.getByRole("dialog");
  const field = (name: string) => page.getByLabel(name, { exact: true });

  async function threadId(subject: string): Promise<string> {
    const { json } = await fixture.live.call("GET", "/threads?limit=100", { key });
    return (json.data as { id: string; subject: string }[]).find((one) => one.subject === subject)!.id;
  }

  test(
    "an AI draft says in words how it was written, and why it must be reviewed",
    async () => {
      const thread = await threadId("Re: Coming to see you!");
      await create({ reply_to_thread_id: thread, use_ai: true, instructions: "say yes" });
      await r.fresh(`#/read/${thread}`);
      await page.getByText("A reply is waiting as a draft").waitFor();
      await page.getByRole("link", { name: "Open draft" }).click();
      await page.getByText("Review this draft before you send it").waitFor();
      await page
        .getByText(/evil\.example/)
        .first()
        .waitFor();
      await page.getByText("Written by the language model small-7b on this machine").click();
      await page.getByText("The language model's own words").first().waitFor();
      await r.expectGoodPage();
      await page.getByRole("link", { name: "Open thread" }).click();
      await page.getByText("A reply is waiting as a draft").waitFor();
      await page.goBack();
      // The warning is repeated where it matters.
      await r.button("Send").click();
      await dialog().getByText("Review this draft before you send it").waitFor();
      expect(await faultsInBoth(page)).toEqual([]);
      await dialog().getByRole("button", { name: "Cancel" }).click();
    },
    SLOW_MS,
  );

  test(
    "a draft is edited and saved, and wrong recipients are reported at their field",
    async () => {
      const id = await create({ to: ["bob@acme.example"], subject: "Lunch", body: "At one?" });
      await r.fresh("#/read/drafts");
      await r.expectGoodPage();
      await page.keyboard.press("j");
      expect(await page.evaluate(() => document.activeElement?.textContent)).toBe("Lunch");
      await page.keyboard.press("o");
      await field("To").fill("bob@acme.example, not an address");
      await r.button("Save").click();
      await page.locator(".fault").first().waitFor();
      expect(await field("To").getAttribute("aria-invalid")).toBe("true");
      await field("To").fill('"Miller, Bob" <bob@acme.example>; zoe@acme.example');
      await field("Cc").fill("team@acme.example");
      await field("Subject").fill("Lunch on Friday");
      await field("Message").fill("At two?\n\nAlex");
      await r.button("Save").click();
      await r.toast("Draft saved.").waitFor();
      await r.button("Saved").waitFor();
      expect(await stored(id)).toMatchObject({
        to: ['"Miller, Bob" <bob@acme.example>', "zoe@acme.example"],
        cc: ["team@acme.example"],
        subject: "Lunch on Friday",
        body: "At two?\n\nAlex",
      });
      // Edits are saved on leaving the page, too.
      await field("Message").fill("At three?");
      await page.getByRole("link", { name: "Today", exact: true }).click();
      await r.toast("Draft saved.").first().waitFor();
      await eventually(async () => (await stored(id)).body === "At three?");
    },
    SLOW_MS,
  );

  test(
    "a send asks first, shows the time left, can be undone, and then sends the edited text once",
    async () => {
      const id = await create({ to: ["bob@acme.example"], subject: "Contract", body: "Draft one" });
      await r.fresh(`#/read/drafts/${id}`);
      await field("Message").fill("Draft two");
      await r.button("Send").click();
      await dialog().getByText("bob@acme.example").waitFor();
      await dialog().getByRole("button", { name: "Send", exact: true }).click();
      const bar = r.toast("“Contract” is about to be sent.");
      await bar.getByText(/\d+ s/).waitFor();
      expect(await bar.locator("[aria-hidden]").filter({ hasText: /\d+ s/ }).count()).toBe(1);
      await page.getByRole("heading", { name: "Drafts", level: 1 }).waitFor();
      await page.getByText("Being sent").waitFor();
      expect((await stored(id)).send_id).not.toBeNull();
      await r.expectGoodPage();
      // While it waits, the draft can be read but not changed.
      await page.getByRole("link", { name: "Contract" }).click();
      await page.getByText("Waiting to be sent").waitFor();
      expect(await page.locator("textarea").count()).toBe(0);
      await bar.getByRole("button", { name: "Undo send" }).click();
      await r.toast("Send undone.").waitFor();
      expect(await field("Message").inputValue()).toBe("Draft two");
      expect(await stored(id)).toMatchObject({ send_id: null, body: "Draft two" });

      // The same draft again: not the answer to the first request.
      await r.button("Send").click();
      await dialog().getByRole("button", { name: "Send", exact: true }).click();
      await r.toast("“Contract” is about to be sent.").waitFor();
      await r.toast("“Contract” was sent.").waitFor({ timeout: 40_000 });
      expect(await exists(id)).toBe(false);
      const { json } = await fixture.live.call("GET", "/sends?status=sent", { key });
      expect((json.data as { subject: string }[]).filter(({ subject }) => subject === "Contract")).toHaveLength(1);
      await r.fresh(`#/read/drafts/${id}`);
      await page.getByText("This draft does not exist").waitFor();
    },
    SLOW_MS,
  );

  test(
    "a send whose response was lost is repeated with the same key, and sends once",
    async () => {
      const id = await create({ to: ["bob@acme.example"], subject: "Once", body: "Only once" });
      await r.fresh(`#/read/drafts/${id}`);
      const keys: (string | undefined)[] = [];
      await page.route(`**/v1/drafts/${id}/send`, async (route) => {
        keys.push((await route.request().allHeaders())["idempotency-key"]);
        if (keys.length > 1) return await route.fallback();
        await route.fetch();
        await route.abort();
      });
      await r.button("Send").click();
      await dialog().getByRole("button", { name: "Send", exact: true }).click();
      await dialog().getByText("The server did not respond.").waitFor();
      await dialog().getByRole("button", { name: "Send", exact: true }).click();
      await r.toast("“Once” is about to be sent.").waitFor();
      expect(keys).toHaveLength(2);
      expect(keys[0]).toBe(keys[1]!);
      await r.toast("“Once” is about to be sent.").getByRole("button", { name: "Undo send" }).click();
      await r.toast("Send undone.").waitFor();
      const { json } = await fixture.live.call("GET", "/sends", { key });
      expect((json.data as { subject: string }[]).filter(({ subject }) => subject === "Once")).toHaveLength(1);
    },
    SLOW_MS,
  );

  test(
    "a send that the server refuses says why and keeps the draft",
    async () => {
      const id = await create({ subject: "To no one", body: "Hello" });
      await r.fresh(`#/read/drafts/${id}`);
      await r.button("Send").click();
      await dialog().getByRole("button", { name: "Send", exact: true }).click();
      await dialog().getByText("At least one recipient is required.").waitFor();
      await dialog().getByRole("button", { name: "Cancel" }).click();
      expect(await stored(id)).toMatchObject({ subject: "To no one", send_id: null });
    },
    SLOW_MS,
  );

  test(
    "a message that the mail server refuses is reported on any page, and its draft says why",
    async () => {
      const smtp = await startScriptedSmtp();
      smtp.refuses.set("gone@acme.example", "550 5.1.1 No such user here");
      const { app, call } = fixture.live;
      const { host, port, security, username, password } = smtp.login;
      const owner = app.platform.users.findByEmail(OWNER.email)!;
      const connection = { ...NOWHERE, smtp: { host, port, security }, username, password };
      seedMailbox(app.platform, owner.id, { mailbox: app.mailbox, email: username, connection });
      const { json } = await call("POST", "/drafts", {
        body: { to: ["gone@acme.example"], subject: "Returned", body: "x" },
      });
      await page.getByRole("switch", { name: "Sandbox" }).uncheck();
      await r.fresh(`#/read/drafts/${json.id}`);
      await r.button("Send").click();
      await dialog().getByRole("button", { name: "Send", exact: true }).click();
      await r.toast("“Returned” is about to be sent.").waitFor();
      await page.getByRole("link", { name: "Rules" }).click();
      const failed = r.toast("“Returned” could not be sent.");
      await failed.getByText("The draft is kept.").waitFor({ timeout: 60_000 });
      await failed.getByRole("button", { name: "Open draft" }).click();
      await page.getByText("This message could not be sent").waitFor();
      await page
        .getByText(/No such user here/)
        .first()
        .waitFor();
      expect(await field("To").inputValue()).toBe("gone@acme.example");
      expect(await faultsInBoth(page)).toEqual([]);
      await page.getByRole("switch", { name: "Sandbox" }).check();
      await smtp.stop();
    },
    SLOW_MS,
  );

  test(
    "a draft is deleted after a question, and unsaved edits do not bring it back",
    async () => {
      const id = await create({ to: ["bob@acme.example"], subject: "Not needed", body: "x" });
      await r.fresh(`#/read/drafts/${id}`);
      await field("Message").fill("edited");
      await r.button("Delete").click();
      await dialog().getByRole("button", { name: "Cancel" }).click();
      expect(await exists(id)).toBe(true);
      await r.button("Delete").click();
      await dialog().getByRole("button", { name: "Delete draft" }).click();
      await r.toast("Draft deleted.").waitFor();
      await page.getByRole("heading", { name: "Drafts", level: 1 }).waitFor();
      expect(await exists(id)).toBe(false);
      expect(await r.toast("not saved").count()).toBe(0);
    },
    SLOW_MS,
  );

  test("no request left the origin, and no page broke its own policy", () => {
    expect(fixture.strays).toEqual([]);
    expect(fixture.complaints).toEqual([]);
  });
});
