import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { createHarness, type Harness } from "../../../test/support/http-harness.ts";
import { MemoryContent } from "../../../test/support/memory-content.ts";
import { type SeededMailbox, seedMailbox } from "../../../test/support/seed-mail.ts";
import { startServer } from "../../http/server.ts";
import { createMailbox, type Mailbox } from "../../mailbox/mailbox.ts";
import type { IncomingAttachment } from "../../mailbox/store/incoming.ts";
import { attachmentRoutes } from "./routes.ts";

let h: Harness;
let mailbox: Mailbox;
let seed: SeededMailbox;
let message_id: string;
/** The ids of the attachments, in order. */
let ids: string[];
const content = new MemoryContent();
const PDF = Uint8Array.from({ length: 300_000 }, (_, i) => (i * 31) & 255);

const part = (index: number, name: string, mime: string): IncomingAttachment => ({
  index,
  part: String(index + 2),
  encoding: "base64",
  name,
  mime,
  size: 299_000,
  contentId: null,
  disposition: "attachment",
});

beforeAll(() => {
  h = createHarness({
    routes: (platform) => {
      mailbox = createMailbox(platform);
      return attachmentRoutes(mailbox.messageQueries, content);
    },
  });
  seed = seedMailbox(h.platform, h.user.id, { mailbox });
  ({ message_id } = seed.deliver({
    attachments: [part(0, "Größe.pdf", "application/pdf"), part(1, "x.html", "text/html"), part(2, "odd", "a b;\r\nx")],
  }));
  ids = mailbox.messageQueries
    .get({ user_id: h.user.id, account_id: null }, message_id)
    .attachments.map((attachment) => attachment.id);
  for (const id of [...ids, message_id]) content.files.set(id, PDF);
});
beforeEach(() => {
  content.down = false;
  content.cut = Number.POSITIVE_INFINITY;
  content.asked.length = 0;
});
afterAll(() => h.close());

const path = (n = 0) => `/messages/${message_id}/attachments/${ids[n]}`;
const bytes = async (response: Response) => new Uint8Array(await response.arrayBuffer());

describe("GET /messages/{id}/attachments/{att_id}", () => {
  test("streams the bytes with type, name and length", async () => {
    const response = await h.fetch("GET", path());
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "content-type": "application/pdf",
      "content-disposition": "attachment; filename=\"Gro_e.pdf\"; filename*=UTF-8''Gr%C3%B6%C3%9Fe.pdf",
      "content-length": "300000",
      "accept-ranges": "bytes",
      etag: `"${ids[0]}"`,
    });
    expect(Bun.deepEquals(await bytes(response), PDF)).toBe(true);
  });

  test("is the same over a real socket, including the length", async () => {
    const server = startServer({ pipeline: h.pipeline, host: "127.0.0.1", port: 0, log: h.platform.log });
    const headers = { Authorization: `Bearer ${h.key}` };
    const whole = await fetch(`${server.url}/v1${path()}`, { headers });
    expect(whole.headers.get("content-length")).toBe("300000");
    expect(Bun.deepEquals(await bytes(whole), PDF)).toBe(true);
    const some = await fetch(`${server.url}/v1${path()}`, { headers: { ...headers, Range: "bytes=100000-" } });
    expect([some.status, some.headers.get("content-length")]).toEqual([206, "200000"]);
    expect(Bun.deepEquals(await bytes(some), PDF.slice(100_000))).toBe(true);
    await server.stop(100);
  });

  test("streams large files, and a transfer that breaks off fails instead of appearing complete", async () => {
    const large = Uint8Array.from({ length: 6_000_000 }, (_, i) => (i * 7) & 255);
    content.files.set(ids[0]!, large);
    const server = startServer({ pipeline: h.pipeline, host: "127.0.0.1", port: 0, log: h.platform.log });
    const url = `${server.url}/v1${path()}`;
    const headers = { Authorization: `Bearer ${h.key}` };
    expect(Bun.deepEquals(await bytes(await fetch(url, { headers })), large)).toBe(true);
    const some = await fetch(url, { headers: { ...headers, Range: "bytes=5-" } });
    expect([some.status, Bun.deepEquals(await bytes(some), large.slice(5))]).toEqual([206, true]);
    content.cut = 5_000_000;
    const broken = await fetch(url, { headers }).then((response) => response.arrayBuffer().catch(() => "cut"));
    expect(broken).toBe("cut");
    content.files.set(ids[0]!, PDF);
    content.cut = 100;
    expect((await h.call("GET", path())).json.error.code).toBe("provider_unavailable");
    await server.stop(100);
  });

  test("browsers save the file and run nothing in it, regardless of the claimed type", async () => {
    const html = await h.fetch("GET", path(1));
    expect(html.headers.get("content-disposition")).toStartWith("attachment;");
    expect(html.headers.get("content-security-policy")).toContain("sandbox;");
    expect(html.headers.get("x-content-type-options")).toBe("nosniff");
    const odd = await h.fetch("GET", path(2));
    expect(odd.headers.get("content-type")).toBe("application/octet-stream");
  });

  test.each([
    ["bytes=0-9", "bytes 0-9/300000", 0, 10],
    ["bytes=299990-400000", "bytes 299990-299999/300000", 299_990, 300_000],
    ["bytes=-5", "bytes 299995-299999/300000", 299_995, 300_000],
  ])("Range: %s", async (range, contentRange, start, end) => {
    const response = await h.fetch("GET", path(), { headers: { Range: range } });
    expect([response.status, response.headers.get("content-range")]).toEqual([206, contentRange]);
    expect(response.headers.get("content-length")).toBe(String(end - start));
    expect(await bytes(response)).toEqual(PDF.slice(start, end));
  });

  test("a range beyond the end is 416 and reports the length of the file", async () => {
    const { status, json, headers } = await h.call("GET", path(), { headers: { Range: "bytes=300000-" } });
    expect([status, json.error.code]).toEqual([416, "range_not_satisfiable"]);
    expect(headers.get("content-range")).toBe("bytes */300000");
  });

  test("HEAD reports the same length as GET", async () => {
    const server = startServer({ pipeline: h.pipeline, host: "127.0.0.1", port: 0, log: h.platform.log });
    const { status, headers } = await fetch(`${server.url}/v1${path()}`, {
      method: "HEAD",
      headers: { Authorization: `Bearer ${h.key}` },
    });
    await server.stop(0);
    expect([status, headers.get("content-length")]).toEqual([200, "300000"]);
  });

  test("a range of another version is answered with the whole file", async () => {
    const same = await h.fetch("GET", path(), { headers: { Range: "bytes=0-9", "If-Range": `"${ids[0]}"` } });
    const other = await h.fetch("GET", path(), { headers: { Range: "bytes=0-9", "If-Range": '"other"' } });
    expect([same.status, other.status]).toEqual([206, 200]);
  });

  test("a file that the client already has is 304, and the mail server is not asked", async () => {
    content.down = true;
    const response = await h.fetch("GET", path(), { headers: { "If-None-Match": `"x", W/"${ids[0]}"` } });
    expect([response.status, await response.text(), content.asked.length]).toEqual([304, "", 0]);
  });

  test("a mail server that is down causes 503", async () => {
    content.down = true;
    const { status, json } = await h.call("GET", path());
    expect([status, json.error.code]).toEqual([503, "provider_unavailable"]);
  });

  test("unknown, foreign and mismatched ids are 404", async () => {
    const eve = h.newKey({ user_id: h.newUser("eve@example.org").id }).secret;
    const second = seedMailbox(h.platform, h.user.id, { mailbox, email: "two@example.org" });
    const bound = h.newKey({ account_id: second.account.id }).secret;
    const unrelated = second.deliver({ attachments: [part(0, "y.txt", "text/plain")] });
    for (const [to, key] of [
      [path(), eve],
      [path(), bound],
      [`/messages/${message_id}/raw`, eve],
      [`/messages/${message_id}/raw`, bound],
      [`/messages/${unrelated.message_id}/attachments/${ids[0]}`, h.key],
      [`/messages/${message_id}/attachments/att_01jz4t9h2m8q5r7v3w6x0y1z2a`, h.key],
      [`/messages/${message_id}/attachments/0`, h.key],
    ] as const) {
      const { status, json } = await h.call("GET", to, { key });
      expect([to, status, json.error.code]).toEqual([to, 404, "not_found"]);
    }
    expect(content.asked).toEqual([]);
  });
});

describe("GET /messages/{id}/raw", () => {
  test("streams the source of the message as a file", async () => {
    const response = await h.fetch("GET", `/messages/${message_id}/raw`);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "content-type": "message/rfc822",
      "content-disposition": `attachment; filename="${message_id}.eml"`,
      etag: `W/"${message_id}"`,
    });
    expect(Bun.deepEquals(await bytes(response), PDF)).toBe(true);
    const some = await h.fetch("GET", `/messages/${message_id}/raw`, { headers: { Range: "bytes=10-19" } });
    expect(await bytes(some)).toEqual(PDF.slice(10, 20));
  });
});
