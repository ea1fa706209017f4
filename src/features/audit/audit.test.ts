import { afterEach, beforeEach, expect, test } from "bun:test";
import { createHarness, type Harness } from "../../../test/support/http-harness.ts";
import { auditRoutes } from "./routes.ts";

let h: Harness;
beforeEach(() => {
  h = createHarness({ routes: (platform) => auditRoutes(platform.audit) });
});
afterEach(() => h.close());

function record(action: string, target: string | null, user_id = h.user.id): string {
  const actor = { kind: "key", id: "key_x" } as const;
  return h.platform.audit.record({
    user_id,
    actor,
    action,
    target,
    before: { a: 1 },
    after: null,
    request_id: "req_x",
  });
}

test("lists the caller's changes in full, newest first", async () => {
  const id = record("thread.update", "thr_1");
  const { json } = await h.call("GET", "/audit?limit=1");
  expect(json.data).toEqual([
    {
      id,
      actor: { kind: "key", id: "key_x" },
      action: "thread.update",
      target: "thr_1",
      before: { a: 1 },
      after: null,
      request_id: "req_x",
      at: "2026-03-02T09:00:00.000Z",
    },
  ]);
  expect(json.has_more).toBe(true); // the user's and the key's own creation
});

test("a key that is bound to one mailbox sees only its own changes", async () => {
  const bound = h.newKey({ account_id: "acc_x" });
  record("thread.update", "thr_of_another_mailbox");
  const actor = { kind: "key", id: bound.id } as const;
  const own = h.platform.audit.record({ user_id: h.user.id, actor, action: "thread.update", target: "thr_1" });
  const { json } = await h.call("GET", "/audit", { key: bound.secret });
  expect(json.data.map((row: { id: string }) => row.id)).toEqual([own]);
});

test("paging returns every row once, even while new ones are added", async () => {
  const ids = Array.from({ length: 7 }, (_, i) => record("note", `thr_${i}`)).reverse();
  const walked: string[] = [];
  let cursor = "";
  do {
    const { json } = await h.call("GET", `/audit?action=note&limit=3${cursor && `&cursor=${cursor}`}`);
    walked.push(...json.data.map((row: { id: string }) => row.id));
    cursor = json.next_cursor ?? "";
    record("note", "thr_new");
  } while (cursor);
  expect(walked).toEqual(ids);
});

test("filters by action and by target", async () => {
  const id = record("label.add", "thr_1");
  record("label.add", "thr_2");
  const { json } = await h.call("GET", "/audit?action=label.add&target=thr_1");
  expect(json.data.map((row: { id: string }) => row.id)).toEqual([id]);
});

test("never shows the rows of another user, including the sandbox", async () => {
  const other = h.newUser("bob@example.org");
  record("secret", null, other.id);
  record("secret", null);
  const sandbox = h.newKey({ test: true });
  const mine = await h.call("GET", "/audit?action=secret");
  expect(mine.json.data.length).toBe(1);
  const theirs = await h.call("GET", "/audit?action=secret", { key: sandbox.secret });
  expect(theirs.json).toEqual({ data: [], has_more: false });
});
