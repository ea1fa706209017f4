import { afterEach, beforeEach, expect, test } from "bun:test";
import { type Scratch, scratchPlatform } from "../../../test/support/scratch-platform.ts";
import { type AuditEntry, SYSTEM_ACTOR } from "./audit.ts";

let scratch: Scratch;
beforeEach(() => {
  scratch = scratchPlatform();
});
afterEach(() => scratch.close());

const record = (more: Partial<AuditEntry> = {}) =>
  scratch.platform.audit.record({ user_id: "usr_a", actor: SYSTEM_ACTOR, action: "a", target: null, ...more });
const list = (more: Partial<Parameters<Scratch["platform"]["audit"]["list"]>[1]> = {}) =>
  scratch.platform.audit.list("usr_a", { limit: 50, ...more });

test("a row records who did what, before and after, and in which request", () => {
  const before = { read: false };
  record({
    actor: { kind: "key", id: "key_1" },
    action: "thread.update",
    target: "thr_1",
    before,
    after: { read: true },
    request_id: "req_1",
  });
  expect(list()).toMatchObject([
    {
      actor: { kind: "key", id: "key_1" },
      action: "thread.update",
      target: "thr_1",
      before,
      after: { read: true },
      request_id: "req_1",
      at: scratch.clock.now(),
    },
  ]);
  record();
  expect(list()[0]).toMatchObject({ before: null, after: null, request_id: null, target: null });
});

test("rows are listed newest first, and pages contain each row once", () => {
  const ids = Array.from({ length: 7 }, () => record()).reverse();
  const first = list({ limit: 3 });
  const second = list({ limit: 3, beforeId: first.at(-1)!.id });
  const third = list({ limit: 3, beforeId: second.at(-1)!.id });
  expect([...first, ...second, ...third].map(({ id }) => id)).toEqual(ids);
});

test("rows can be filtered by action and target, and are never another user's", () => {
  const wanted = record({ action: "b", target: "thr_1" });
  record({ action: "b", target: "thr_2" });
  record({ action: "c", target: "thr_1" });
  record({ user_id: "usr_b", action: "b", target: "thr_1" });
  expect(list({ action: "b", target: "thr_1" }).map(({ id }) => id)).toEqual([wanted]);
});

test("the content of a change is sealed", () => {
  record({ after: { subject: "meet me at noon" } });
  const [row] = scratch.platform.db.sql.query<{ payload: Uint8Array }, []>("SELECT payload FROM audit").all();
  expect(Buffer.from(row!.payload).includes("noon")).toBe(false);
});

test("a row is rolled back with its change", () => {
  const attempt = () =>
    scratch.platform.db.write(() => {
      record();
      throw new Error("no");
    });
  expect(attempt).toThrow("no");
  expect(list()).toEqual([]);
});
