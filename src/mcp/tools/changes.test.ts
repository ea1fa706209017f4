import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import fc from "fast-check";
import { type McpFixture, mcpFixture } from "../../../test/support/mcp-fixture.ts";

/** Changes through the tool server, and what their results say about undoing them. */

let m: McpFixture;
beforeAll(() => {
  m = mcpFixture();
});
afterAll(() => m.h.close());

const get = async (path: string) => (await m.h.call("GET", path)).json;

async function thread(id: string): Promise<object> {
  const { state, labels, unread, starred, snooze_until } = await get(`/threads/${id}`);
  // A thread with only sent mail counts as archived. After a move, the API shows it so.
  return { state: state === "sent" ? "archived" : state, labels: labels.toSorted(), unread, starred, snooze_until };
}

const only = (...scopes: string[]) => ({ key: m.h.newKey({ scopes: scopes as never }).secret });

test("without a brief, an assistant is told how to get one", async () => {
  const { code, message } = await m.fails("get_brief");
  expect([code, message]).toEqual([
    "not_found",
    "There is no brief yet. Call get_brief with generate: true (3 credits).",
  ]);
});

describe("threads", () => {
  const change = fc.record(
    {
      read: fc.boolean(),
      starred: fc.boolean(),
      state: fc.constantFrom("inbox", "archived"),
      add_labels: fc.subarray(["One", "Two", "Drei ü"], { minLength: 1 }),
      remove_labels: fc.subarray(["One", "Vier"], { minLength: 1 }),
    },
    { requiredKeys: [] },
  );
  const snooze = fc.record(
    { snooze_until: fc.constantFrom("2026-03-05T09:00:00Z", null), read: fc.boolean() },
    { requiredKeys: ["snooze_until"] },
  );
  const trash = fc.record({ to: fc.constantFrom("trash", "spam") }, { requiredKeys: [] });
  const step = fc.oneof(
    change.map((args) => ["update_threads", args] as const),
    snooze.map((args) => ["update_threads", args] as const),
    trash.map((args) => ["trash_threads", args] as const),
  );

  test("undo restores what any change replaced, for several threads at once", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 3 }), step, async (before, [name, args]) => {
        const ids = [m.fromBob("a").thread_id, m.fromBob("b", { flags: { seen: true } }).thread_id];
        const sent = m.arrive(m.seeded, { role: "sent", text: "c", from: { name: "", email: "ada@example.org" } });
        ids.push(sent.thread_id);
        // The threads differ when the change comes.
        for (const [i, [earlier, given]] of before.entries()) {
          if (Object.keys(given).length > 0 || earlier === "trash_threads")
            await m.tool(earlier, { ids: ids.slice(i % 2), ...given });
        }
        if (Object.keys(args).length === 0 && name === "update_threads") return;
        const was = await Promise.all(ids.map(thread));
        const result = await m.tool(name, { ids, ...args });
        if (result.error) return;
        await m.undo(result.value);
        expect(await Promise.all(ids.map(thread))).toEqual(was);
      }),
      { numRuns: 60 },
    );
  }, 60_000);

  test("an unknown id among 25 fails alone, and the others are changed", async () => {
    const ids = Array.from({ length: 24 }, (_, i) => m.fromBob(`bulk ${i}`).thread_id);
    const bad = m.h.platform.newId("thread");
    const result = await m.ok("update_threads", { ids: [...ids.slice(0, 12), bad, ...ids.slice(12)], starred: true });
    expect(result.results).toHaveLength(25);
    for (const { id, ok, error } of result.results) {
      expect(ok).toBe(id !== bad);
      if (id === bad) expect(error).toMatchObject({ code: "not_found" });
    }
    expect(await m.undo(result)).toBe(1);
    for (const id of ids) expect(await thread(id)).toMatchObject({ starred: false });
  });

  test("26 ids or none are refused, and a repeated id counts once", async () => {
    const ids = Array.from({ length: 26 }, () => m.h.platform.newId("thread"));
    for (const tool of ["update_threads", "trash_threads"]) {
      expect(await m.fails(tool, { ids })).toMatchObject({ code: "invalid_params", param: "ids" });
      expect(await m.fails(tool, { ids: [] })).toMatchObject({ code: "invalid_params", param: "ids" });
      expect(await m.fails(tool, {})).toMatchObject({ code: "invalid_params", param: "ids" });
    }
    const { thread_id } = m.fromBob("x");
    expect((await m.ok("trash_threads", { ids: [thread_id, thread_id] })).results).toHaveLength(1);
  });

  test("invalid values are refused with the name of the argument", async () => {
    const ids = [m.fromBob("x").thread_id];
    for (const [name, value] of Object.entries({ state: "trash", read: "yes", snooze_until: "soon", nope: 1 })) {
      const error = await m.fails("update_threads", { ids, [name]: value });
      expect([name, error.code, error.param]).toEqual([name, "invalid_params", name]);
    }
    expect(await m.fails("trash_threads", { ids, to: "nowhere" })).toMatchObject({ param: "to" });
    const { results } = await m.ok("update_threads", { ids, snooze_until: "2020-01-01T00:00:00Z" });
    expect(results[0]).toMatchObject({ ok: false, error: { code: "invalid_params", param: "snooze_until" } });
  });

  test("without mail:read, the undo names the missing scope", async () => {
    const { thread_id } = m.fromBob("x");
    const result = await m.ok("update_threads", { ids: [thread_id], starred: true }, only("mail:write"));
    expect(result.undo).toContain("mail:read");
  });
});

describe("drafts", () => {
  const view = async (id: string) => {
    const { to, cc, bcc, subject, body, thread_id, account_id } = await get(`/drafts/${id}`);
    return { to, cc, bcc, subject, body, thread_id, account_id };
  };
  const draft = { to: ["bob@example.net"], cc: ["Cid <cid@example.net>"], subject: "Hi", body: "One\ntwo\n" };

  test("undo restores a changed draft and a deleted one", async () => {
    const { id, undo } = await m.ok("save_draft", draft);
    const was = await view(id);
    expect(was).toMatchObject(draft);
    const changed = await m.ok("save_draft", { draft_id: id, subject: "Other", body: "x", bcc: ["dan@example.net"] });
    expect(await view(id)).toMatchObject({ subject: "Other", body: "x", bcc: ["dan@example.net"] });
    await m.undo(changed);
    expect(await view(id)).toEqual(was);
    const deleted = await m.ok("delete_draft", { draft_id: id });
    expect(await m.fails("fetch", { id })).toMatchObject({ code: "not_found" });
    const count = m.count("drafts");
    await m.undo(deleted);
    expect(m.count("drafts")).toBe(count + 1);
    const again = (await m.ok("list_drafts", { limit: 1 })).drafts[0].id;
    expect(await view(again)).toEqual(was);
    expect(undo).toBe(`delete_draft {"draft_id":"${id}"}`);
  });

  test("undo restores a deleted reply as a reply to its thread", async () => {
    const { thread_id } = m.fromBob("Shall we?");
    const { id } = await m.ok("save_draft", { reply_to_thread_id: thread_id, body: "Yes." });
    const was = await view(id);
    expect(was).toMatchObject({ thread_id, to: ["bob@example.net"] });
    await m.undo(await m.ok("delete_draft", { draft_id: id }));
    expect(await view((await m.ok("list_drafts", { limit: 1 })).drafts[0].id)).toEqual(was);
  });

  test("undo restores any text exactly", async () => {
    const text = fc.string({ unit: "grapheme", maxLength: 60 });
    await fc.assert(
      fc.asyncProperty(fc.array(text, { maxLength: 4 }), async (lines) => {
        const { id } = await m.ok("save_draft", { ...draft, body: lines.join("\n") });
        const was = await view(id);
        await m.undo(await m.ok("save_draft", { draft_id: id, body: "other" }));
        expect(await view(id)).toEqual(was);
      }),
      { numRuns: 30 },
    );
  });

  test("with use_ai, the AI writes the body and the result shows it", async () => {
    const { thread_id } = m.fromBob("Can you send the report by Friday?");
    const written = await m.ok("save_draft", { reply_to_thread_id: thread_id, use_ai: true, instructions: "Say yes." });
    expect(written.body).toMatch(/^[0-9a-f]{6}\| /);
    const read = await m.ok("fetch", { id: written.id });
    expect(read.metadata.ai).toMatchObject({ engine: "extractive" });
  });

  test("a draft with invalid fields is refused, and without drafts:read the undo says what it cannot restore", async () => {
    const { id } = await m.ok("save_draft", draft);
    expect(await m.fails("save_draft", { draft_id: id, use_ai: true })).toMatchObject({ param: "draft_id" });
    expect(await m.fails("save_draft", { to: ["no address"] })).toMatchObject({ code: "invalid_params" });
    expect(await m.fails("save_draft", { to: "bob@example.net" })).toMatchObject({ param: "to" });
    expect(await m.fails("save_draft", { send: true })).toMatchObject({ param: "send" });
    for (const tool of ["save_draft", "delete_draft"]) {
      const error = await m.fails(tool, { draft_id: m.h.platform.newId("draft") });
      expect(error).toMatchObject({ code: "not_found" });
    }
    const key = only("drafts:write");
    expect((await m.ok("save_draft", { draft_id: id, subject: "x" }, key)).undo).toContain("drafts:read");
    expect((await m.ok("delete_draft", { draft_id: id }, key)).undo).toContain("cannot be restored");
  });
});

describe("people", () => {
  test("undo restores the VIP mark and the notes of a contact", async () => {
    m.writtenTo("zed@example.net");
    m.fromBob("x", { from: { name: "Zed", email: "zed@example.net" } });
    const [{ id }] = (await m.ok("list_contacts", { q: "zed" })).contacts;
    const result = await m.ok("update_contact", { id, vip: true, notes: "Likes tea" });
    expect((await m.ok("list_contacts", { vip: true })).contacts).toEqual([
      expect.objectContaining({ id, vip: true, notes: expect.stringMatching(/^[0-9a-f]{6}\| Likes tea$/) }),
    ]);
    await m.undo(result);
    expect((await m.ok("list_contacts", { q: "zed" })).contacts[0]).toMatchObject({ vip: false });
    expect((await m.ok("list_contacts", { q: "zed" })).contacts[0].notes).toBeUndefined();
    const missing = m.h.platform.newId("contact");
    expect(await m.fails("update_contact", { id: missing, vip: true })).toMatchObject({ code: "not_found" });
    expect(await m.fails("update_contact", { id, vip: 1 })).toMatchObject({ param: "vip" });
    expect((await m.ok("update_contact", { id, vip: true }, only("contacts:write"))).undo).toContain("contacts:read");
  });

  test("a profile is found by address, domain and id, and undo restores its variables", async () => {
    const profile = (await m.h.call("POST", "/context/profiles", { body: { domain: "acme.example", summary: "S" } }))
      .json;
    await m.h.call("POST", "/context/profiles", { body: { domain: "eu.acme.example", summary: "EU" } });
    const about = async (text: string) => (await m.ok("get_context", { about: text })).profiles[0]?.domain;
    expect(await about("maria@acme.example")).toBe("acme.example");
    expect(await about("maria@sales.eu.acme.example")).toBe("eu.acme.example");
    expect(await about("acme.example")).toBe("acme.example");
    expect(await about(profile.id)).toBe("acme.example");
    expect(await about("notacme.example")).toBeUndefined();
    expect((await m.ok("get_context")).profiles).toHaveLength(2);
    const set = await m.ok("update_context", { profile_id: profile.id, set: { rate: "100", tier: "gold" } });
    expect(await m.undo(set)).toBe(1);
    const variables = async () => (await m.ok("get_context", { about: profile.id })).profiles[0].variables;
    expect(await variables()).toEqual({});
    await m.ok("update_context", { profile_id: profile.id, set: { rate: "100" } });
    await m.undo(await m.ok("update_context", { profile_id: profile.id, set: { rate: null } }));
    expect(await variables()).toEqual({ rate: expect.stringMatching(/^[0-9a-f]{6}\| 100$/) });
    const noted = await m.ok("update_context", { profile_id: profile.id, append_note: "Prefers calls." });
    expect(noted.undo).toContain("settings page");
    const missing = m.h.platform.newId("contextProfile");
    expect(await m.fails("get_context", { about: missing })).toMatchObject({ code: "not_found" });
    expect(await m.fails("update_context", { profile_id: missing, append_note: "x" })).toMatchObject({
      code: "not_found",
    });
  });
});

describe("calendar", () => {
  const event = { title: "Review", start: "2026-03-04T09:00:00Z", end: "2026-03-04T10:00:00Z" };
  const events = async () =>
    (await m.ok("list_events", { from: "2026-03-04T00:00:00Z", to: "2026-03-05T00:00:00Z" })).events;

  test("undo deletes a created event and restores a deleted one", async () => {
    m.writtenTo("known@example.net");
    const created = await m.ok("change_event", { action: "create", ...event, attendees: ["known@example.net"] });
    expect(await events()).toEqual([expect.objectContaining({ id: created.id, attendees: ["known@example.net"] })]);
    const deleted = await m.ok("change_event", { action: "delete", id: created.id });
    expect(await events()).toEqual([]);
    await m.undo(deleted);
    expect(await events()).toEqual([
      expect.objectContaining({ title: expect.stringContaining("| Review"), attendees: ["known@example.net"] }),
    ]);
    const again = await m.ok("change_event", { action: "create", ...event, title: "Other" });
    expect(await m.undo(again)).toBe(1);
    expect(await events()).toHaveLength(1);
  });

  test("attendees that the user has never written to need an approval", async () => {
    const error = await m.fails("change_event", { action: "create", ...event, attendees: ["eve@evil.example"] });
    expect(error).toMatchObject({ code: "approval_required", param: "attendees" });
  });

  test("an event with invalid arguments is refused", async () => {
    expect(await m.fails("change_event", { action: "delete" })).toMatchObject({ param: "id" });
    expect(await m.fails("change_event", { action: "create" })).toMatchObject({ code: "invalid_params" });
    expect(await m.fails("change_event", { action: "move" })).toMatchObject({ param: "action" });
    const id = m.h.platform.newId("calendarEvent");
    expect(await m.fails("change_event", { action: "delete", id })).toMatchObject({ code: "not_found" });
    expect(await m.fails("change_event", { action: "create", id, ...event })).toMatchObject({ param: "id" });
    expect(await m.fails("list_events", { from: "x", to: "y" })).toMatchObject({ param: "from" });
  });
});

describe("rules", () => {
  const rule = {
    conditions: [{ field: "from_domain", op: "equals", value: "news.example" }],
    actions: [{ type: "addLabel", value: "News" }],
  };
  const rules = async () =>
    (await get("/rules")).data.map(({ conditions, actions, kind }: never) => ({ conditions, actions, kind }));

  test("a preview stores no rule; undo deletes a created rule and restores a deleted one", async () => {
    m.fromBob("x", { from: { name: "N", email: "a@news.example" } });
    const preview = await m.ok("change_rule", { action: "preview", ...rule });
    expect(preview).toMatchObject({ matched: 1, changed: 1 });
    expect(await rules()).toEqual([]);
    expect(await m.undo(await m.ok("change_rule", { action: "create", ...rule }))).toBe(1);
    expect(await rules()).toEqual([]);
    const { id } = await m.ok("change_rule", { action: "create", ...rule });
    await m.undo(await m.ok("change_rule", { action: "delete", id }));
    expect(await rules()).toEqual([{ ...rule, kind: "inbox" }]);
  });

  test("undoing the deletion of a paused rule says that the restored rule is active", async () => {
    const { id } = (await m.h.call("POST", "/rules", { body: { ...rule, name: "News", enabled: false } })).json;
    const deleted = await m.ok("change_rule", { action: "delete", id });
    expect(deleted.undo).toEndWith("} The rule was paused, but the restored one acts on new mail.");
    const { id: active } = await m.ok("change_rule", { action: "create", ...rule });
    expect((await m.ok("change_rule", { action: "delete", id: active })).undo).toEndWith("}");
  });

  test("an assistant can neither create nor delete rules of the agent", async () => {
    const agent = {
      kind: "agent",
      conditions: [{ field: "from_domain", op: "equals", value: "acme.example" }],
      actions: [{ type: "setMode", value: "off" }],
    };
    const { id } = (await m.h.call("POST", "/rules", { body: agent })).json;
    for (const connection of [{}, only("mail:write"), only("mail:write", "mail:read")]) {
      const error = await m.fails("change_rule", { action: "delete", id }, connection);
      expect(error).toMatchObject({ code: "invalid_params", param: "id" });
    }
    expect(JSON.stringify(await rules())).toContain("setMode");
    expect(await m.fails("change_rule", { action: "create", ...agent, kind: undefined })).toMatchObject({
      code: "invalid_params",
    });
    expect(await m.fails("change_rule", { action: "create", ...agent })).toMatchObject({ param: "kind" });
  });

  test("a rule that forwards mail, or lacks an argument or a scope, is refused", async () => {
    for (const type of ["forward", "send", "redirect", "delete"]) {
      const actions = [{ type, value: "eve@evil.example" }];
      const error = await m.fails("change_rule", { action: "create", ...rule, actions });
      expect(error.code).toBe("invalid_params");
    }
    expect(await m.fails("change_rule", { action: "delete" })).toMatchObject({ param: "id" });
    expect(await m.fails("change_rule", { action: "delete", id: m.h.platform.newId("rule") })).toMatchObject({
      code: "not_found",
    });
    expect(await m.fails("change_rule", { action: "create" })).toMatchObject({ code: "invalid_params" });
    expect(await m.fails("change_rule", { action: "preview", ...rule }, only("mail:write"))).toMatchObject({
      code: "forbidden_scope",
      message: expect.stringContaining("mail:read"),
    });
  });
});

test("an id that is not well-formed Unicode is unknown", async () => {
  expect(await m.fails("delete_draft", { draft_id: "\ud800" })).toMatchObject({ code: "not_found" });
});
