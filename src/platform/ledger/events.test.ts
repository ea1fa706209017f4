import { afterEach, beforeEach, expect, test } from "bun:test";
import { type Scratch, scratchPlatform } from "../../../test/support/scratch-platform.ts";
import { publishedEvent } from "./events.ts";

let scratch: Scratch;
beforeEach(() => {
  scratch = scratchPlatform();
});
afterEach(() => scratch.close());

const emit = (user_id = "usr_a", thread_id = "thr_1") =>
  scratch.platform.events.emit(user_id, "thread.updated", { thread_id, changed: ["read"] });

test("an event is read back as written, with its thread", () => {
  const position = emit();
  expect(scratch.platform.events.after("usr_a", 0, 10)).toMatchObject([
    {
      position,
      event: "thread.updated",
      thread_id: "thr_1",
      user_id: "usr_a",
      data: { thread_id: "thr_1", changed: ["read"] },
      created_at: scratch.clock.now(),
    },
  ]);
  scratch.platform.events.emit("usr_a", "brief.ready", { date: "2026-03-02", needs_reply_count: 4 });
  expect(scratch.platform.events.after("usr_a", position, 10)).toMatchObject([{ thread_id: null }]);
});

test("positions only grow, even if the clock steps back, old events are deleted, or the server restarts", () => {
  const positions = [emit(), emit("usr_b")];
  scratch.clock.set(0);
  positions.push(emit());
  scratch.platform.events.prune(Number.MAX_SAFE_INTEGER);
  positions.push(emit());
  positions.push(scratch.another().events.emit("usr_a", "thread.updated", { thread_id: "thr_1", changed: [] }));
  expect(positions).toEqual(positions.toSorted((a, b) => a - b));
  expect(new Set(positions).size).toBe(positions.length);
});

test("a reader that continues from the last position sees each of their events once, in order", () => {
  for (let i = 0; i < 9; i++) emit(i % 3 === 2 ? "usr_b" : "usr_a", `thr_${i}`);
  const seen: (string | null)[] = [];
  for (let from = 0; ; ) {
    const page = scratch.platform.events.after("usr_a", from, 2);
    if (page.length === 0) break;
    seen.push(...page.map((event) => event.thread_id));
    from = page.at(-1)!.position;
  }
  expect(seen).toEqual(["thr_0", "thr_1", "thr_3", "thr_4", "thr_6", "thr_7"]);
});

test("an event is rolled back with its change", () => {
  const attempt = () =>
    scratch.platform.db.write(() => {
      emit();
      throw new Error("no");
    });
  expect(attempt).toThrow("no");
  expect(scratch.platform.events.after("usr_a", 0, 10)).toEqual([]);
});

test("the data of an event is sealed", () => {
  scratch.platform.events.emit("usr_a", "send.failed", {
    send_id: "snd_1",
    reason: "rejected",
    detail: "550 no such noon",
  });
  const [row] = scratch.platform.db.sql.query<{ payload: Uint8Array }, []>("SELECT payload FROM events").all();
  expect(Buffer.from(row!.payload).includes("noon")).toBe(false);
});

test("only events of the chosen kinds are returned", () => {
  emit();
  scratch.platform.events.emit("usr_a", "brief.ready", { date: "2026-03-02", needs_reply_count: 4 });
  emit();
  const kinds = (types?: string[]) =>
    scratch.platform.events.read("usr_a", 0, 10, types).events.map(({ event }) => event);
  expect(kinds(["brief.ready"])).toEqual(["brief.ready"]);
  expect(kinds(["brief.ready", "thread.updated"])).toEqual(["thread.updated", "brief.ready", "thread.updated"]);
  expect(kinds([])).toEqual([]);
});

test("only its owner finds an event by its id", () => {
  emit();
  const [event] = scratch.platform.events.after("usr_a", 0, 1);
  expect(scratch.platform.events.get("usr_a", event!.id)).toEqual(event!);
  expect(scratch.platform.events.get("usr_b", event!.id)).toBeNull();
});

test("the head is the newest position, even after that event is deleted", () => {
  expect(scratch.platform.events.head()).toBe(0);
  const position = emit();
  scratch.platform.events.prune(Number.MAX_SAFE_INTEGER);
  expect(scratch.platform.events.head()).toBe(position);
});

test("listeners are notified after a transaction, and no longer after they unsubscribe", async () => {
  const { db, events } = scratch.platform;
  const heard: number[] = [];
  const leave = events.listen(() => heard.push(events.after("usr_a", 0, 10).length));
  db.write(() => {
    emit();
    emit();
    expect(heard).toEqual([]);
  });
  await Promise.resolve();
  expect(heard).toEqual([2]);
  events.announce();
  await Promise.resolve();
  expect(heard).toEqual([2, 2]);
  leave();
  emit();
  await Promise.resolve();
  expect(heard.length).toBe(2);
});

test("receivers get the id, kind, time and data of an event", () => {
  emit();
  const [event] = scratch.platform.events.after("usr_a", 0, 1);
  expect(publishedEvent(event!)).toEqual({
    id: event!.id,
    event: "thread.updated",
    created_at: "2026-03-02T09:00:00.000Z",
    data: { thread_id: "thr_1", changed: ["read"] },
  });
});

test("a batch ends at its last event if it is full, otherwise at the head of the log", () => {
  const [first, second] = [emit(), emit()];
  const foreign = emit("usr_b");
  const { events } = scratch.platform;
  expect(events.read("usr_a", 0, 1)).toMatchObject({ end: first, broken: 0 });
  expect(events.read("usr_a", first, 1).end).toBe(second);
  expect(events.read("usr_a", 0, 10).end).toBe(foreign);
  expect(events.read("usr_a", foreign, 10)).toEqual({ events: [], end: foreign, broken: 0 });
  expect(events.read("usr_a", 0, 10, ["brief.ready"])).toEqual({ events: [], end: foreign, broken: 0 });
});

test("an event that does not open is left out and counted, and the others are returned", () => {
  const bad = emit("usr_a", "thr_bad");
  emit("usr_a", "thr_good");
  scratch.platform.db.sql.query("UPDATE events SET payload = zeroblob(60) WHERE position = ?").run(bad);
  const batch = scratch.platform.events.read("usr_a", 0, 10);
  expect(batch.events.map(({ thread_id }) => thread_id)).toEqual(["thr_good"]);
  expect(batch.broken).toBe(1);
});
