import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { BOB, type Connection, type McpFixture, mcpFixture } from "../../../test/support/mcp-fixture.ts";

/** Whose drafts are checked for what the user keeps privately about clients. */

let m: McpFixture;
beforeEach(() => {
  m = mcpFixture();
  m.writtenTo(BOB);
});
afterEach(() => m.h.close());

const MINUTE_MS = 60_000;
const yes: Connection = { dialog: "accept" };

async function draft(more: object = {}): Promise<string> {
  return (await m.ok("save_draft", { to: [BOB], subject: "Hi", body: "See you on Friday.", ...more })).id;
}

const prepare = (draft_id: string, more: object = {}, connection?: Connection) =>
  m.ok("prepare_send", { draft_id, ...more }, connection);

describe("a draft with a private value", () => {
  const IBAN = "GB29NWBK60161331926819";
  const BODY = `The number is ${IBAN}.`;
  const WITHOUT = ["mail:read", "mail:send", "drafts:read", "drafts:write"] as const;
  beforeEach(() => {
    const caller = { user_id: m.h.user.id, account_id: null, actor: m.person.actor, request_id: null };
    const profile = m.people.context.create(caller, { domain: "other.example", summary: "A partner" });
    m.people.context.update(caller, profile.id, { set: { iban: IBAN } });
  });
  const narrow = (): Connection => ({ ...yes, key: m.h.newKey({ scopes: [...WITHOUT] }).secret });
  const status = async (draft_id: string, connection: Connection) => {
    const { confirmation } = await prepare(draft_id, {}, connection);
    return (await m.ok("send_draft", { draft_id, confirmation }, connection)).status;
  };

  test("waits for an approval if a key that can read it wrote the draft, whichever key sends it", async () => {
    expect(await status(await draft({ body: BODY }), narrow())).toBe("waiting_for_approval");
  });

  test("waits for an approval after a change of the draft by a key that cannot read it", async () => {
    const id = await draft({ body: "Hello" });
    await m.ok("save_draft", { draft_id: id, body: BODY }, narrow());
    expect(await status(id, narrow())).toBe("waiting_for_approval");
    const other = (await m.ok("save_draft", { to: [BOB], subject: "Hi", body: "Hello" }, narrow())).id;
    await m.ok("save_draft", { draft_id: other, body: BODY });
    expect(await status(other, narrow())).toBe("waiting_for_approval");
  });

  test("waits for an approval if a connection that can read it uses a token with fewer scopes", async () => {
    const { platform, user } = m.h;
    const client = { id: "c", name: "Claude", uri: null, redirect_host: "localhost", verified: false };
    const scopes = [...WITHOUT, "context:read"] as const;
    const { id } = platform.connections.grant(
      { user_id: user.id, client, scopes, asked: scopes, account_id: null },
      { actor: m.person.actor },
    );
    const expires_at = m.h.clock.now() + 60 * MINUTE_MS;
    const payload = { grantId: id, aud: "http://localhost/mcp", scope: WITHOUT.join(" ") };
    platform.assistantTokens.put("AccessToken", "narrow", { connection_id: id, user_id: user.id, payload, expires_at });
    const connection: Connection = { ...yes, key: "narrow" };
    const error = await m.fails("get_context", { profile_id: "prf_1" }, connection);
    expect(error.code).toBe("protocol");
    const saved = await m.ok("save_draft", { to: [BOB], subject: "Hi", body: BODY }, connection);
    expect(await status(saved.id, connection)).toBe("waiting_for_approval");
  });

  test("is not found out by a key that cannot read it: no writer of the draft could", async () => {
    const saved = await m.ok("save_draft", { to: [BOB], subject: "Hi", body: BODY }, narrow());
    expect(await status(saved.id, narrow())).toBe("scheduled");
  });
});
