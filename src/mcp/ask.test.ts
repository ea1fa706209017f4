import { afterEach, beforeEach, describe, expect, spyOn, test } from "bun:test";
import { BOB, type McpFixture, mcpFixture } from "../../test/support/mcp-fixture.ts";
import { type Reply, stdioSession } from "../../test/support/stdio-session.ts";
import { CONFIRMATION_MS } from "../outbound/approvals/confirmation.ts";

/** The question in the assistant's program: programs that cannot ask or do not answer let the send wait for an approval. */

let m: McpFixture;
beforeEach(() => {
  m = mcpFixture();
  m.writtenTo(BOB);
});
afterEach(() => m.h.close());

const FORM = { elicitation: { form: {} } };
const MINUTE_MS = 60_000;

async function prepared(): Promise<{ draft_id: string; confirmation: string }> {
  const { id: draft_id } = await m.ok("save_draft", { to: [BOB], subject: "Hi", body: "See you on Friday." });
  const { confirmation } = await m.ok("prepare_send", { draft_id });
  return { draft_id, confirmation };
}

describe("over an open connection with an earlier revision", () => {
  const send = async (capabilities: object, reply?: Reply, call?: object) => {
    const session = await stdioSession(m, { capabilities, reply });
    return session.tool("send_draft", call ?? (await prepared()));
  };

  test.each([
    ["a form", FORM],
    ["questions, without naming a kind", { elicitation: {} }],
  ])("a program that declares %s asks the person", async (_, capabilities) => {
    const yes = await send(capabilities, () => ({ result: { action: "accept", content: { confirm: true } } }));
    expect(yes.value).toMatchObject({ status: "scheduled" });
    const no = await send(capabilities, () => ({ result: { action: "decline" } }));
    expect(no.value).toMatchObject({ status: "declined" });
  });

  test.each<[string, object, Reply | undefined]>([
    ["declares nothing", {}, undefined],
    ["can only open pages", { elicitation: { url: {} } }, undefined],
    ["answers with an error", FORM, () => ({ error: { code: -32601, message: "Method not found" } })],
    ["answers with another form", FORM, () => ({ result: { action: "accept", content: { confirm: "yes" } } })],
    ["answers with nonsense", FORM, () => ({ result: { action: "perhaps" } })],
  ])("if the program %s, the send waits for an approval", async (_, capabilities, reply) => {
    const { error, value } = await send(capabilities, reply);
    expect([error, value?.status]).toEqual([null, "waiting_for_approval"]);
    expect(m.count("sends")).toBe(0);
  });

  test("a person has as long as the confirmation is valid", async () => {
    const timers = spyOn(globalThis, "setTimeout");
    try {
      const session = await stdioSession(m, { capabilities: FORM });
      const call = await prepared();
      m.h.clock.advance(MINUTE_MS);
      void session.tool("send_draft", call).catch(() => {});
      await session.rpc("ping");
      const waits = timers.mock.calls.map(([, ms]) => ms).filter((ms) => ms !== undefined && ms > MINUTE_MS / 2);
      expect(waits).toEqual([CONFIRMATION_MS - MINUTE_MS - 5_000]);
      session.close();
    } finally {
      timers.mockRestore();
    }
  });

  test("if no one answers while the confirmation is valid, the send waits for an approval", async () => {
    const call = await prepared();
    m.h.clock.advance(CONFIRMATION_MS - 5_001);
    const { error, value } = await send(FORM, () => null, call);
    expect([error, value?.status]).toEqual([null, "waiting_for_approval"]);
  });
});

test("if the connection ends during the question, nothing is sent and no approval is requested", async () => {
  const asked = Promise.withResolvers<void>();
  const session = await stdioSession(m, {
    capabilities: FORM,
    reply: () => {
      asked.resolve();
      return null;
    },
  });
  const sent = session.tool("send_draft", await prepared());
  await asked.promise;
  session.close();
  await expect(sent).rejects.toThrow("ended");
  expect([m.count("sends"), m.count("send_approvals")]).toEqual([0, 0]);
});

describe("with revision 2026-07-28", () => {
  const declared = (elicitation: object) => ({
    "io.modelcontextprotocol/clientCapabilities": { elicitation },
  });

  test("if the program can only open pages, the send waits for an approval", async () => {
    const call = { name: "send_draft", arguments: await prepared(), _meta: declared({ url: {} }) };
    const { result } = await m.rpc("tools/call", call);
    expect(result?.structuredContent).toMatchObject({ status: "waiting_for_approval" });
  });

  test("an answer counts only for the message that was shown, not for another with the same text", async () => {
    const [shown, other] = [await prepared(), await prepared()];
    const _meta = declared({ form: {} });
    const call = (args: object, more: object = {}) =>
      m.rpc("tools/call", { name: "send_draft", arguments: args, _meta, ...more });
    const { result: asked } = await call(shown);
    const answer = {
      inputResponses: { confirm: { action: "accept", content: { confirm: true } } },
      requestState: asked.requestState,
    };
    const { result: again } = await call(other, answer);
    expect(again.resultType).toBe("input_required");
    expect(m.count("sends")).toBe(0);
    const { result: sent } = await call(shown, answer);
    expect(sent.structuredContent).toMatchObject({ status: "scheduled" });
  });
});
