import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { eventually } from "../../../test/support/eventually.ts";
import { createHarness, type Harness } from "../../../test/support/http-harness.ts";
import { openPlatform } from "../../platform/platform.ts";
import { eventRoutes } from "./routes.ts";

let h: Harness;
beforeEach(() => {
  h = createHarness({ routes: eventRoutes });
});
afterEach(() => h.close());

const emit = (thread_id: string, user_id = h.user.id) =>
  h.platform.events.emit(user_id, "thread.updated", { thread_id, changed: ["read"] });
const emitDraft = (draft_id: string) =>
  h.platform.events.emit(h.user.id, "draft.created", { draft_id, thread_id: null });
const threads = (list: { data: { thread_id: string } }[]) => list.map(({ data }) => data.thread_id);

describe("GET /events", () => {
  test("returns each event with the body that webhooks receive, oldest first", async () => {
    emit("thr_1");
    emitDraft("drf_1");
    const { json } = await h.call("GET", "/events");
    expect(json).toEqual({
      data: [
        {
          id: expect.stringMatching(/^ntf_/),
          event: "thread.updated",
          created_at: "2026-03-02T09:00:00.000Z",
          data: { thread_id: "thr_1", changed: ["read"] },
        },
        {
          id: expect.stringMatching(/^ntf_/),
          event: "draft.created",
          created_at: "2026-03-02T09:00:00.000Z",
          data: { draft_id: "drf_1", thread_id: null },
        },
      ],
      has_more: false,
      cursor: expect.any(String),
    });
  });

  test("a poller that resumes from each cursor sees every event once, in order, including later ones", async () => {
    const seen: string[] = [];
    let after = "";
    for (let round = 0; round < 6; round++) {
      for (let i = 0; i < round * 3; i++) emit(`thr_${round}_${i}`);
      let more = true;
      while (more) {
        const { json } = await h.call("GET", `/events?limit=2${after && `&after=${after}`}`);
        seen.push(...threads(json.data));
        expect(json.next_cursor).toBe(json.has_more ? json.cursor : undefined);
        after = json.cursor;
        more = json.has_more;
      }
    }
    expect(seen.length).toBe(45);
    expect(new Set(seen).size).toBe(45);
    const { json } = await h.call("GET", `/events?after=${after}`);
    expect([json.data, json.has_more]).toEqual([[], false]);
  });

  test("filters by event type", async () => {
    emit("thr_1");
    emitDraft("drf_1");
    emit("thr_2");
    const { json } = await h.call("GET", "/events?types=draft.created,send.failed");
    expect(json.data.map(({ event }: { event: string }) => event)).toEqual(["draft.created"]);
    // The cursor is after all events that were read, including those filtered out.
    emitDraft("drf_2");
    const next = await h.call("GET", `/events?types=draft.created,send.failed&after=${json.cursor}`);
    expect(next.json.data.length).toBe(1);
    const others = await h.call("GET", `/events?types=draft.created&after=${json.cursor}`);
    expect([others.status, others.json.error.param]).toEqual([400, "after"]);
  });

  test("`latest` skips existing events", async () => {
    emit("thr_1");
    const { json } = await h.call("GET", "/events?after=latest");
    expect(json.data).toEqual([]);
    emit("thr_2");
    expect(threads((await h.call("GET", `/events?after=${json.cursor}`)).json.data)).toEqual(["thr_2"]);
  });

  test("a cursor of deleted events resumes at the oldest remaining one", async () => {
    emit("thr_1");
    const { cursor } = (await h.call("GET", "/events")).json;
    emit("thr_2");
    h.clock.advance(31 * 86_400_000);
    h.platform.events.prune(h.clock.now() - 30 * 86_400_000);
    emit("thr_3");
    expect(threads((await h.call("GET", `/events?after=${cursor}`)).json.data)).toEqual(["thr_3"]);
  });

  test("a cursor from before a restored backup resumes with new events", async () => {
    for (const id of ["thr_1", "thr_2", "thr_3"]) emit(id);
    const lost = (await h.call("GET", "/events")).json.cursor;
    // The backup contained one event.
    h.platform.db.sql.run("DELETE FROM events WHERE position > 1");
    h.platform.db.sql.run("UPDATE sqlite_sequence SET seq = 1 WHERE name = 'events'");
    const { json } = await h.call("GET", `/events?after=${lost}`);
    expect(json.data).toEqual([]);
    emit("thr_new");
    expect(threads((await h.call("GET", `/events?after=${json.cursor}`)).json.data)).toEqual(["thr_new"]);
  });

  test.each([
    ["types=nope", "types"],
    ["types=", "types"],
    ["types=webhook.test", "types"],
    ["after=nonsense", "after"],
    ["limit=0", "limit"],
    ["limit=101", "limit"],
  ])("%s is refused", async (query, param) => {
    const { status, json } = await h.call("GET", `/events?${query}`);
    expect([status, json.error.code, json.error.param]).toEqual([400, "invalid_params", param]);
  });

  test("another user's events and cursors are not accessible", async () => {
    emit("thr_mine");
    const bob = h.newUser("bob@example.org");
    const key = h.newKey({ user_id: bob.id }).secret;
    emit("thr_bob", bob.id);
    expect(threads((await h.call("GET", "/events", { key })).json.data)).toEqual(["thr_bob"]);
    expect((await h.call("GET", "/events", { key: h.newKey({ test: true }).secret })).json.data).toEqual([]);
    const { cursor } = (await h.call("GET", "/events")).json;
    expect((await h.call("GET", `/events?after=${cursor}`, { key })).status).toBe(400);
  });
});

describe("GET /events as server-sent events", () => {
  /** Reads a stream as a browser's EventSource does. */
  async function open(query = "", headers: Record<string, string> = {}, key?: string) {
    const response = await h.fetch("GET", `/events${query}`, {
      headers: { Accept: "text/event-stream", ...headers },
      key,
    });
    const blocks: { id: string; event: string; data: { data: { thread_id: string } } }[] = [];
    const raw: string[] = [];
    let text = "";
    let ended = false;
    const reader = response.body!.getReader();
    void (async () => {
      for (;;) {
        const { value, done } = await reader.read();
        if (done) break;
        text += Buffer.from(value).toString();
        for (let end = text.indexOf("\n\n"); end >= 0; end = text.indexOf("\n\n")) {
          const lines = text.slice(0, end).split("\n");
          text = text.slice(end + 2);
          const field = (name: string) => lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2);
          raw.push(lines.join("|"));
          if (field("data"))
            blocks.push({ id: field("id")!, event: field("event")!, data: JSON.parse(field("data")!) });
        }
      }
      ended = true;
    })();
    return { response, blocks, raw, close: () => reader.cancel(), ended: () => ended };
  }

  test("sends existing events, then new ones immediately", async () => {
    emit("thr_1");
    const stream = await open();
    expect(stream.response.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
    await eventually(() => stream.blocks.length === 1);
    emit("thr_2");
    emitDraft("drf_1");
    await eventually(() => stream.blocks.length === 3);
    expect(stream.blocks.map(({ event }) => event)).toEqual(["thread.updated", "thread.updated", "draft.created"]);
    const { json } = await h.call("GET", "/events");
    expect(stream.blocks.map(({ data }) => data)).toEqual(json.data);
    await stream.close();
  });

  test("resumes after Last-Event-ID, which overrides `after`, and its ids are valid cursors for polling", async () => {
    for (let i = 0; i < 120; i++) emit(`thr_${i}`);
    const first = await open("?after=latest");
    for (let i = 120; i < 125; i++) emit(`thr_${i}`);
    await eventually(() => first.blocks.length === 5);
    await first.close();
    emit("thr_missed");
    const second = await open("?after=latest", { "Last-Event-ID": first.blocks[2]!.id });
    await eventually(() => second.blocks.length === 3);
    expect(threads(second.blocks.map(({ data }) => data))).toEqual(["thr_123", "thr_124", "thr_missed"]);
    await second.close();
    const { json } = await h.call("GET", `/events?after=${first.blocks[4]!.id}`);
    expect(threads(json.data)).toEqual(["thr_missed"]);
    const whole = await open();
    await eventually(() => whole.blocks.length === 126);
    await whole.close();
  });

  test("a Last-Event-ID from before a restored backup resumes with new events", async () => {
    for (const id of ["thr_1", "thr_2", "thr_3"]) emit(id);
    const lost = (await h.call("GET", "/events")).json.cursor;
    h.platform.db.sql.run("DELETE FROM events WHERE position > 1");
    h.platform.db.sql.run("UPDATE sqlite_sequence SET seq = 1 WHERE name = 'events'");
    const stream = await open("", { "Last-Event-ID": lost });
    await eventually(() => stream.raw.length === 1);
    emit("thr_new");
    await eventually(() => stream.blocks.length === 1);
    expect(stream.blocks[0]!.data.data.thread_id).toBe("thr_new");
    await stream.close();
  });

  test("the Accept header is case-insensitive, as media types are", async () => {
    const stream = await open("", { Accept: "Text/Event-Stream" });
    expect(stream.response.headers.get("content-type")).toStartWith("text/event-stream");
    await stream.close();
  });

  test("filters by event type", async () => {
    const stream = await open("?types=draft.created");
    emit("thr_1");
    emitDraft("drf_1");
    await eventually(() => stream.blocks.length === 1);
    expect(stream.blocks[0]!.event).toBe("draft.created");
    await stream.close();
  });

  test("events that another process wrote arrive within a second", async () => {
    const stream = await open();
    await eventually(() => stream.raw.length === 1);
    const { config, log } = h.platform;
    const other = openPlatform({ config, log, clock: h.clock });
    other.events.emit(h.user.id, "thread.updated", { thread_id: "thr_other", changed: ["read"] });
    other.close();
    h.clock.advance(1_000);
    await eventually(() => stream.blocks.length === 1);
    await stream.close();
  });

  test("sends heartbeats while there are no events", async () => {
    const stream = await open();
    await eventually(() => stream.raw.length === 1);
    expect(stream.raw).toEqual(["retry: 2000"]);
    for (let s = 0; s < 16; s++) {
      h.clock.advance(1_000);
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(stream.raw).toEqual(["retry: 2000", ":"]);
    await stream.close();
  });

  test("an invalid Last-Event-ID is refused", async () => {
    const { status, json } = await h.call("GET", "/events", {
      headers: { Accept: "text/event-stream", "Last-Event-ID": "nonsense" },
    });
    expect([status, json.error.param]).toEqual([400, "Last-Event-ID"]);
  });

  test("ends when the key is revoked", async () => {
    const key = h.newKey();
    const stream = await open("", {}, key.secret);
    await eventually(() => stream.raw.length === 1);
    h.platform.keys.revoke(key.id);
    h.clock.advance(1_000);
    await eventually(() => stream.ended());
  });

  test("at most twenty streams are open at a time, and closed ones do not count", async () => {
    const streams = [];
    for (let i = 0; i < 20; i++) streams.push(await open());
    const headers = { Accept: "text/event-stream" };
    const refused = await h.call("GET", "/events", { headers });
    expect([refused.status, refused.json.error.code, refused.headers.get("retry-after")]).toEqual([
      429,
      "rate_limited",
      "10",
    ]);
    await streams[0]!.close();
    const again = await open();
    expect(again.response.status).toBe(200);
    for (const stream of [...streams, again]) await stream.close();
  });
});
