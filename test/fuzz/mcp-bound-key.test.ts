import { expect, test } from "bun:test";
import { mcpFixture } from "../support/mcp-fixture.ts";
import { seedMailbox } from "../support/seed-mail.ts";

test("through the tool server, a key of one mailbox sees and changes nothing of another", async () => {
  const m = mcpFixture();
  try {
    const { account } = seedMailbox(m.h.platform, m.h.user.id, { mailbox: m.mailbox, email: "second@example.org" });
    const key = m.h.newKey({ account_id: account.id }).secret;
    const { thread_id, message_id } = m.fromBob("firstcanary", { subject: "firstcanary", flags: { seen: false } });
    const draft = await m.ok("save_draft", { to: ["bob@example.net"], subject: "firstcanary" });
    const random = (kind: "thread" | "message" | "draft") => m.h.platform.newId(kind);
    for (const [tool, args] of [
      ["fetch", { id: thread_id }],
      ["fetch", { id: message_id }],
      ["fetch", { id: draft.id }],
      ["save_draft", { draft_id: draft.id, subject: "x" }],
      ["save_draft", { reply_to_thread_id: thread_id }],
      ["save_draft", { account_id: m.seeded.account.id }],
      ["delete_draft", { draft_id: draft.id }],
      ["prepare_send", { draft_id: draft.id }],
      ["send_draft", { draft_id: draft.id, confirmation: "x" }],
    ] as const) {
      expect([tool, (await m.fails(tool, args, { key })).code]).toEqual([tool, "not_found"]);
    }
    for (const tool of ["update_threads", "trash_threads"]) {
      const more = tool === "update_threads" ? { starred: true } : {};
      const { results } = await m.ok(tool, { ids: [thread_id, random("thread")], ...more }, { key });
      expect(results.map(({ error }: { error: { code: string } }) => error.code)).toEqual(["not_found", "not_found"]);
    }
    for (const [tool, args] of [
      ["list_threads", {}],
      ["list_drafts", {}],
      ["search", { query: "firstcanary" }],
      ["get_overview", {}],
      ["ask_mail", { question: "What is firstcanary?" }],
    ] as const) {
      const { text } = await m.tool(tool, args, { key });
      expect(text.replace("What is firstcanary?", "")).not.toMatch(/firstcanary|ada@example\.org/);
    }
    m.writtenTo("known@example.net");
    const { warnings } = await m.ok("save_draft", { to: ["known@example.net"], subject: "x" }, { key });
    expect(warnings).toEqual([expect.stringContaining("never written to known@example.net")]);
    for (const uri of [`threads/${thread_id}`, `messages/${message_id}`]) {
      expect((await m.resource(`postroom://${uri}`, { key })).text).toBeNull();
    }
  } finally {
    m.h.close();
  }
});
