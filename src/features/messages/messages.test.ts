import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { createHarness, type Harness } from "../../../test/support/http-harness.ts";
import { MemoryContent } from "../../../test/support/memory-content.ts";
import { type SeededMailbox, seedMailbox } from "../../../test/support/seed-mail.ts";
import type { Authentication } from "../../kernel/authentication.ts";
import { Unsubscribes } from "../../mailbox/changes/unsubscribes.ts";
import { createMailbox, type Mailbox } from "../../mailbox/mailbox.ts";
import { messageRoutes } from "./routes.ts";

let h: Harness;
let mailbox: Mailbox;
let seed: SeededMailbox;
const content = new MemoryContent();
const PNG = Uint8Array.from(
  atob("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="),
  (c) => c.charCodeAt(0),
);

beforeAll(() => {
  h = createHarness({
    routes: (platform) => {
      mailbox = createMailbox(platform);
      return messageRoutes(mailbox.messageQueries, {
        content,
        clock: platform.clock,
        log: platform.log,
        unsubscribes: new Unsubscribes(platform),
      });
    },
  });
  seed = seedMailbox(h.platform, h.user.id, { mailbox });
});
beforeEach(() => {
  content.down = false;
  content.asked.length = 0;
});
afterAll(() => h.close());

const picture = (index: number, contentId: string | null, size = PNG.length) => {
  const kind = { mime: "image/png", name: "logo.png", disposition: "inline" as const };
  return { index, part: "2", encoding: "base64", size, contentId, ...kind };
};

describe("the sender's authentication", () => {
  const authentication: Authentication = {
    result: "pass",
    from_domain: "example.net",
    dmarc: "pass",
    spf: null,
    dkim: "fail",
  };
  const unknown = { result: "unknown", from_domain: null, dmarc: null, spf: null, dkim: null };
  const shown = async (id: string) => (await h.call("GET", `/messages/${id}`)).json.authentication;

  test("is stored at arrival and shown", async () => {
    expect(await shown(seed.deliver({ authentication }).message_id)).toEqual(authentication);
  });

  test("is unknown for mail stored without it, such as sent mail", async () => {
    expect(await shown(seed.deliver().message_id)).toEqual(unknown);
    expect(await shown(seed.deliver({ role: "sent" }).message_id)).toEqual(unknown);
  });

  test("is unknown for drafts, whatever their headers say", async () => {
    const draft = seed.deliver({ role: "drafts", flags: { draft: true }, authentication });
    expect(await shown(draft.message_id)).toEqual(unknown);
  });
});

describe("GET /messages/{id}", () => {
  test("has the documented fields", async () => {
    const { message_id, thread_id } = seed.deliver({
      messageId: "<Ünusual ID@host  x>",
      subject: "Offer",
      labels: ["Work"],
      at: Date.parse("2026-02-01T08:00:00Z"),
      date: Date.parse("2026-02-01T07:59:00Z"),
      cc: [{ name: "Cleo", email: "cleo@example.net" }],
      text: "Fine.\n-- \nBob\n> old",
      bodyText: "Fine.\n-- \nBob",
      newText: "Fine.",
      flags: { seen: false, flagged: true },
      attachments: [picture(0, "logo@x")],
    });
    const { status, json } = await h.call("GET", `/messages/${message_id}`);
    expect(status).toBe(200);
    expect(json).toEqual({
      authentication: { result: "unknown", from_domain: null, dmarc: null, spf: null, dkim: null },
      id: message_id,
      thread_id,
      account_id: seed.account.id,
      from: { name: "Bob", email: "bob@example.net" },
      to: [{ name: "Ada", email: "ada@example.org" }],
      cc: [{ name: "Cleo", email: "cleo@example.net" }],
      subject: "Offer",
      date: "2026-02-01T07:59:00.000Z",
      body_text: "Fine.\n-- \nBob",
      new_text: "Fine.",
      truncated: false,
      headers: { message_id: "<Ünusual ID@host  x>" },
      labels: ["Work"],
      unread: true,
      starred: true,
      draft: false,
      category: "primary",
      category_reason: "test",
      attachments: [
        { id: expect.stringMatching(/^att_/), name: "logo.png", size: PNG.length, mime: "image/png", inline: true },
      ],
      unsubscribe: null,
    });
  });

  test("shows what is missing and which sizes are estimates; for old mail this is unknown", async () => {
    const estimated = { ...picture(0, null, 900), sizeEstimated: true };
    const cut = seed.deliver({ truncated: true, attachments: [estimated, picture(1, null)], html: "<div><p>Begun" });
    const { json } = await h.call("GET", `/messages/${cut.message_id}`);
    expect(json.truncated).toBe(true);
    expect(json.attachments).toMatchObject([{ size: 900, size_estimated: true }, { size: PNG.length }]);
    expect(json.attachments[1]).not.toHaveProperty("size_estimated");
    const body = await h.call("GET", `/messages/${cut.message_id}/body`);
    expect(body.headers.get("x-truncated")).toBe("true");
    expect(body.text).toMatch(
      /<p>Begun<\/p><\/div><p class="notice"[^>]*>This message is longer than Postroom keeps\./,
    );
    const whole = seed.deliver({ html: "<p>All" });
    const page = await h.call("GET", `/messages/${whole.message_id}/body`);
    expect([page.headers.get("x-truncated"), page.text.includes('class="notice"')]).toEqual([null, false]);
    h.platform.db.sql.query("UPDATE messages SET truncated = NULL WHERE id = ?").run(whole.message_id);
    expect((await h.call("GET", `/messages/${whole.message_id}`)).json).not.toHaveProperty("truncated");
  });

  test("a message without Message-ID has an empty one", async () => {
    const { message_id } = seed.deliver({ messageId: null, subject: "no id" });
    expect((await h.call("GET", `/messages/${message_id}`)).json.headers).toEqual({ message_id: "" });
  });

  test.each([
    ["1985-01-01T00:00:00Z", "2026-02-01T08:00:00.000Z"],
    ["1990-01-01T00:00:00Z", "1990-01-01T00:00:00.000Z"],
    ["2026-02-02T08:00:00Z", "2026-02-02T08:00:00.000Z"],
    ["2026-02-02T08:00:01Z", "2026-02-01T08:00:00.000Z"],
    [null, "2026-02-01T08:00:00.000Z"],
  ])("Date: %s shows as %s", async (date, shown) => {
    const at = Date.parse("2026-02-01T08:00:00Z");
    const { message_id } = seed.deliver({ at, date: date === null ? null : Date.parse(date), subject: `date ${date}` });
    expect((await h.call("GET", `/messages/${message_id}`)).json.date).toBe(shown);
  });

  test("unknown messages and those of other users are 404, including the body", async () => {
    const { message_id } = seed.deliver();
    const eve = h.newKey({ user_id: h.newUser("eve@example.org").id }).secret;
    const two = seedMailbox(h.platform, h.user.id, { mailbox, email: "two@example.org" });
    const bound = h.newKey({ account_id: two.account.id }).secret;
    for (const [id, key] of [
      [message_id, eve],
      [message_id, bound],
      ["msg_01jz4t9h2m8q5r7v3w6x0y1z2a", h.key],
      ["msg_x", h.key],
    ] as const) {
      for (const path of [`/messages/${id}`, `/messages/${id}/body`]) {
        const { status, json } = await h.call("GET", path, { key });
        expect([path, status, json.error.code]).toEqual([path, 404, "not_found"]);
      }
    }
  });
});

describe("GET /messages/{id}/body", () => {
  const html = (body: string) => seed.deliver({ html: body, subject: "html" }).message_id;

  test("is a sanitized page that cannot load or run anything", async () => {
    const id = html('<p onclick="x()">Hi</p><script>x()</script><img src="https://t.example/p.gif" width=1 height=1>');
    const answer = await h.call("GET", `/messages/${id}/body`);
    expect(answer.status).toBe(200);
    expect(answer.headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(answer.headers.get("content-security-policy")).toStartWith("sandbox ");
    expect(answer.text).toContain("<p>Hi</p>");
    expect(answer.text).not.toMatch(/<script|onclick|t\.example/);
  });

  test("shows remote images only when asked for", async () => {
    const id = html('<img src="https://pics.example/photo.jpg" alt="Photo" width=300 height=200>');
    expect((await h.call("GET", `/messages/${id}/body`)).text).not.toContain("pics.example");
    const remote = await h.call("GET", `/messages/${id}/body?images=remote`);
    expect(remote.text).toContain("https://pics.example/photo.jpg");
    expect(remote.headers.get("content-security-policy")).toContain("img-src data: http: https:");
    expect((await h.call("GET", `/messages/${id}/body?images=all`)).json.error.param).toBe("images");
  });

  test("turns plain text into a page", async () => {
    const { message_id } = seed.deliver({ text: "1 < 2 & so on\n> quoted" });
    const { text } = await h.call("GET", `/messages/${message_id}/body`);
    expect(text).toContain("1 &lt; 2 &amp; so on");
    expect(text).toContain("quoted");
  });

  describe("inline images", () => {
    const withPictures = (...sizes: number[]) => {
      const { message_id } = seed.deliver({
        subject: `inline ${sizes}`,
        html: `${sizes.map((_, i) => `<img src="cid:p${i}@x" alt="pic ${i}">`).join("")}<p>text</p>`,
        attachments: [
          ...sizes.map((size, i) => picture(i, `p${i}@x`, size)),
          picture(9, "unused@x"),
          picture(10, null),
        ],
      });
      const view = mailbox.messageQueries.get({ user_id: h.user.id, account_id: null }, message_id);
      for (const { id } of view.attachments) content.files.set(id, PNG);
      return { message_id, ids: view.attachments.map(({ id }) => id) };
    };

    test("are embedded, and only those that the page shows are fetched", async () => {
      const { message_id, ids } = withPictures(PNG.length, PNG.length);
      const { text } = await h.call("GET", `/messages/${message_id}/body`);
      expect(text.match(/src="data:image\/png;base64,/g)).toHaveLength(2);
      expect(content.asked.sort()).toEqual(ids.slice(0, 2).sort());
    });

    test("are left out when the mail server is unreachable", async () => {
      const { message_id } = withPictures(PNG.length);
      content.down = true;
      const { status, text } = await h.call("GET", `/messages/${message_id}/body`);
      expect(status).toBe(200);
      expect(text).toContain("<p>text</p>");
      expect(text).toContain("pic 0");
      expect(text).not.toContain("data:image");
    });

    test("are left out when they are huge, without fetching them", async () => {
      const { message_id } = withPictures(11 * 1024 * 1024);
      expect((await h.call("GET", `/messages/${message_id}/body`)).text).not.toContain("data:image");
      expect(content.asked).toEqual([]);
    });

    test("delay the page only for a limited time", async () => {
      const { message_id } = withPictures(PNG.length, PNG.length);
      const original = content.attachment.bind(content);
      let calls = 0;
      content.attachment = (ref) => (calls++ === 0 ? new Promise(() => {}) : original(ref));
      const pending = h.call("GET", `/messages/${message_id}/body`);
      // Let the request start waiting, then advance the clock.
      for (let i = 0; i < 50; i++) await Promise.resolve();
      await new Promise((resolve) => setImmediate(resolve));
      h.clock.advance(8_000);
      const { status, text } = await pending;
      content.attachment = original;
      expect(status).toBe(200);
      expect(text.match(/data:image/g)).toHaveLength(1);
    });
  });
});
