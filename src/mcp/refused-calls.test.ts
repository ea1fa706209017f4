import { afterEach, beforeEach, expect, test } from "bun:test";
import { type McpFixture, mcpFixture } from "../../test/support/mcp-fixture.ts";

/** Changes that were refused to an assistant, in the audit log. */

let m: McpFixture;
beforeEach(() => {
  m = mcpFixture();
});
afterEach(() => m.h.close());

const rows = () => m.audit("assistant.refused").reverse();

test("a refused change is in the audit log, with the tool, the code and the ids, and without words", async () => {
  const id = m.h.platform.newId("draft");
  await m.fails("save_draft", { draft_id: id, subject: "SECRET", body: "SECRET", to: ["secret@example.org"] });
  const [row] = rows();
  expect(row).toMatchObject({ target: id, actor: { kind: "key", tool: "save_draft" } });
  expect(row!.after).toEqual({ code: "not_found", ids: [id] });
  expect(JSON.stringify(row)).not.toMatch(/secret/i);
});

test("an attendee whom no one knows is recorded as refused", async () => {
  const times = { start: "2026-03-05T09:00:00Z", end: "2026-03-05T10:00:00Z" };
  await m.fails("change_event", { action: "create", title: "x", attendees: ["eve@evil.example"], ...times });
  expect(rows()[0]!.after).toEqual({ code: "approval_required", ids: [] });
});

test("a list of which some threads are unknown records these", async () => {
  const { thread_id } = m.fromBob("Hello");
  const unknown = [m.h.platform.newId("thread"), m.h.platform.newId("thread")];
  await m.ok("update_threads", { ids: [thread_id, ...unknown], starred: true });
  expect(rows()[0]!.after).toEqual({ code: "not_found", ids: unknown });
});

test("refused reads are not recorded, and a refused send has its own row", async () => {
  await m.fails("fetch", { id: m.h.platform.newId("thread") });
  await m.fails("send_draft", { draft_id: m.h.platform.newId("draft"), confirmation: "x" });
  expect(rows()).toEqual([]);
  expect(m.audit("send.refused")).toHaveLength(1);
});

test("a credential makes at most one row a second, and the next row counts those that are missing", async () => {
  const refuse = (key?: string) => m.fails("delete_draft", { draft_id: "drf_1" }, key === undefined ? {} : { key });
  for (let i = 0; i < 5; i++) await refuse();
  await refuse(m.h.newKey().secret);
  expect(rows()).toHaveLength(2);
  m.h.clock.advance(1_000);
  await refuse();
  await refuse();
  expect(rows().map(({ after }) => after)).toEqual([
    { code: "not_found", ids: [] },
    { code: "not_found", ids: [] },
    { code: "not_found", ids: [], unrecorded: 4 },
  ]);
});
