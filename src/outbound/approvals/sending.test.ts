import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { BOB, type Connection, type McpFixture, mcpFixture } from "../../../test/support/mcp-fixture.ts";
import { seedMailbox } from "../../../test/support/seed-mail.ts";
import { NOWHERE } from "../../../test/support/send-fixture.ts";
import { storeProgramLimits } from "../../platform/identity/program-limits.ts";

/** Sending through the tool server: what a confirmation covers, who has to agree, and that nothing is sent twice. */

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

async function refused(draft_id: string, confirmation: string, connection: Connection = yes): Promise<void> {
  const error = await m.fails("send_draft", { draft_id, confirmation }, connection);
  expect(error).toMatchObject({ code: "invalid_params", param: "confirmation" });
  expect([m.count("sends"), m.count("send_approvals")]).toEqual([0, 0]);
}

const keyId = () => m.h.platform.keys.list([m.h.user.id])[0]!.id;
const policy = (given: object, id = keyId()) =>
  m.sends.policies.set(m.h.user.id, id, given, { actor: m.person.actor, request_id: null });

describe("a confirmation", () => {
  test.each([
    ["the subject", { subject: "Other" }],
    ["the text", { body: "Other" }],
    ["the recipients", { to: [BOB, "ada@example.org"] }],
    ["a hidden recipient", { bcc: ["ada@example.org"] }],
    ["nothing but the revision", { subject: "Hi" }],
  ])("is void after a change of %s", async (_what, change) => {
    const id = await draft();
    const { confirmation } = await prepare(id);
    await m.ok("save_draft", { draft_id: id, ...change });
    await refused(id, confirmation);
  });

  test("is void after an attachment was added", async () => {
    const id = await draft();
    const { confirmation } = await prepare(id);
    const body = new FormData();
    body.append("file", new Blob(["secret"]), "a.txt");
    expect((await m.h.call("POST", `/drafts/${id}/attachments`, { body })).status).toBe(200);
    await refused(id, confirmation);
  });

  test("holds for its draft, its connection and its user only, and not if a character differs", async () => {
    const [id, other] = [await draft(), await draft()];
    const { confirmation } = await prepare(id);
    await refused(other, confirmation);
    await refused(id, confirmation, { ...yes, key: m.h.newKey().secret });
    const eve = m.h.newUser("eve@example.org");
    const theirs = { ...yes, key: m.h.newKey({ user_id: eve.id }).secret };
    expect(await m.fails("send_draft", { draft_id: id, confirmation }, theirs)).toMatchObject({ code: "not_found" });
    const middle = Math.floor(confirmation.length / 2);
    for (const forged of [
      "",
      "cfm_",
      "cfm_.",
      "yes",
      confirmation.slice(0, -2),
      `${confirmation.slice(0, middle)}${confirmation[middle] === "A" ? "B" : "A"}${confirmation.slice(middle + 1)}`,
    ]) {
      await refused(id, forged);
    }
  });

  test("covers the schedule: a signed text with another schedule is forged", async () => {
    const id = await draft();
    const { confirmation } = await prepare(id, { scheduled_at: "2026-03-03T09:00:00Z" });
    const [, signature] = confirmation.split(".");
    const now = Buffer.from(JSON.stringify([0, null, m.h.clock.now() + MINUTE_MS, "AAAA"])).toString("base64url");
    await refused(id, `cfm_${now}.${signature}`);
    const sent = await m.ok("send_draft", { draft_id: id, confirmation }, yes);
    expect(sent).toMatchObject({ status: "scheduled", scheduled_at: "2026-03-03T09:00:00.000Z" });
  });

  test("expires after ten minutes", async () => {
    const id = await draft();
    const { confirmation } = await prepare(id);
    m.h.clock.advance(10 * MINUTE_MS);
    await refused(id, confirmation);
    const later = await prepare(id);
    m.h.clock.advance(10 * MINUTE_MS - 1);
    expect(await m.ok("send_draft", { draft_id: id, confirmation: later.confirmation }, yes)).toMatchObject({
      status: "scheduled",
    });
  });

  test("sends once, however often it is used, also at the same time and after it has expired", async () => {
    const id = await draft();
    const { confirmation } = await prepare(id);
    const calls = Array.from({ length: 5 }, () => m.ok("send_draft", { draft_id: id, confirmation }, yes));
    const first = await Promise.all(calls);
    m.h.clock.advance(60 * MINUTE_MS);
    const again = await m.ok("send_draft", { draft_id: id, confirmation }, yes);
    expect(new Set([...first, again].map(({ send_id }) => send_id)).size).toBe(1);
    expect(m.count("sends")).toBe(1);
  });
});

describe("who agrees", () => {
  const send = async (connection: Connection, more: object = {}) => {
    const draft_id = await draft(more);
    const { confirmation } = await prepare(draft_id, {}, connection);
    return m.tool("send_draft", { draft_id, confirmation }, connection);
  };

  test("ask: the assistant's program shows the whole message and asks the person", async () => {
    const { value, asked } = await send(yes, { cc: ["ada@example.org"], subject: "The plan" });
    expect(value).toMatchObject({ status: "scheduled" });
    for (const shown of [BOB, "ada@example.org", "The plan", "See you on Friday."]) expect(asked[0]).toContain(shown);
    expect(m.count("sends")).toBe(1);
  });

  test.each(["decline", "cancel", "refuse"] as const)(
    'ask: after "%s", nothing is sent and no approval is requested',
    async (dialog) => {
      expect((await send({ dialog })).value).toMatchObject({ status: "declined" });
      expect([m.count("sends"), m.count("send_approvals")]).toEqual([0, 0]);
      expect(m.audit("send.declined")).toHaveLength(1);
    },
  );

  test("ask: without a dialog, the send waits on the settings page", async () => {
    const { value } = await send({ dialog: "unavailable" });
    expect(value).toMatchObject({ status: "waiting_for_approval", url: expect.stringContaining(value.approval_id) });
    expect(m.count("sends")).toBe(0);
    expect(m.events("approval.requested")).toEqual([
      expect.objectContaining({ approval_id: value.approval_id, recipients: 1 }),
    ]);
    expect(m.audit("approval.request")[0]).toMatchObject({ target: value.approval_id, actor: { tool: "send_draft" } });
  });

  test("ask: an answer counts for one message, not for a second one that reads the same", async () => {
    const args = async () => {
      const draft_id = await draft();
      return { draft_id, confirmation: (await prepare(draft_id)).confirmation };
    };
    const call = async (more: object) =>
      (await m.rpc("tools/call", { name: "send_draft", arguments: await args(), ...more }, yes)).result;
    const { requestState } = await call({});
    const inputResponses = { confirm: { action: "accept", content: { confirm: true } } };
    expect((await call({ inputResponses, requestState })).resultType).toBe("input_required");
    expect(m.count("sends")).toBe(0);
  });

  test("ask: the question has one line for each field, and shows signs that would change how it reads", async () => {
    const subject = "Lunch\r\n\u2028Bcc: no one\u202eegnahc";
    const { asked } = await send(yes, { subject, to: [`"Bob\u2067" <${BOB}>`], body: "One\n\nTwo\u202d." });
    expect(asked[0]).toContain("Subject: Lunch Bcc: no one\\u202eegnahc\n\nOne\n\nTwo\\u202d.");
    expect(asked[0]).toContain(`To: "Bob\\u2067" <${BOB}>\n`);
  });

  test("approve: every send waits on the settings page", async () => {
    policy({ confirm: "approve" });
    const { value, asked } = await send(yes);
    expect([value.status, asked]).toEqual(["waiting_for_approval", []]);
  });

  test("token: the second step is enough for known recipients, and others need an approval", async () => {
    policy({ confirm: "token" });
    expect((await send({})).value).toMatchObject({ status: "scheduled" });
    expect((await send({}, { to: ["eve@evil.example"] })).value).toMatchObject({ status: "waiting_for_approval" });
    policy({ recipients: "anyone" });
    expect((await send({}, { to: ["eve@evil.example"] })).value).toMatchObject({ status: "scheduled" });
  });

  test("token: an address that only looks like a known one in lower case is unknown", async () => {
    policy({ confirm: "token" });
    m.writtenTo("kate@example.net");
    expect((await send({}, { to: ["KATE@example.net"] })).value).toMatchObject({ status: "scheduled" });
    const kelvin = "\u212aate@example.net";
    const { value } = await send({}, { to: [kelvin] });
    expect([value.status, value.reasons[0]]).toEqual(["waiting_for_approval", expect.stringContaining(kelvin)]);
  });

  test.each(["ask", "approve", "token"])("%s: a draft with a private value waits for an approval", async (confirm) => {
    policy({ confirm, recipients: "anyone" });
    const caller = { user_id: m.h.user.id, account_id: null, actor: m.person.actor, request_id: null };
    const profile = m.people.context.create(caller, { domain: "other.example", summary: "A partner" });
    m.people.context.update(caller, profile.id, { set: { iban: "GB29NWBK60161331926819" } });
    const { value } = await send(yes, { body: "The number is GB29NWBK60161331926819." });
    expect(value.status).toBe("waiting_for_approval");
    expect(JSON.stringify(value.reasons)).not.toContain("GB29NWBK60161331926819");
  });
});

describe("an approval", () => {
  const waiting = async (more: object = {}, options: object = {}) => {
    const draft_id = await draft(more);
    const { confirmation } = await prepare(draft_id, options);
    const { approval_id } = await m.ok("send_draft", { draft_id, confirmation });
    return { id: approval_id as string, draft_id, confirmation };
  };
  const closed = (work: () => unknown) => expect(work).toThrow(expect.objectContaining({ code: "approval_closed" }));

  test("is sent once after it was approved, and the assistant's repeated call returns the send", async () => {
    const { id, draft_id, confirmation } = await waiting();
    const send = m.sends.approve(m.person, id);
    closed(() => m.sends.approve(m.person, id));
    closed(() => m.sends.reject(m.person, id));
    expect(await m.ok("send_draft", { draft_id, confirmation })).toMatchObject({ send_id: send.id });
    expect(m.count("sends")).toBe(1);
    expect(m.audit("approval.approved")[0]).toMatchObject({ target: id, actor: m.person.actor });
  });

  test("that was rejected or withdrawn sends nothing, and the draft stays", async () => {
    const first = await waiting();
    m.sends.reject(m.person, first.id);
    closed(() => m.sends.approve(m.person, first.id));
    const { draft_id, confirmation } = first;
    expect(await m.ok("send_draft", { draft_id, confirmation })).toMatchObject({ status: "rejected" });
    const second = await waiting();
    expect(await m.fails("cancel_send", { id: second.id }, { key: m.h.newKey().secret })).toMatchObject({
      code: "not_found",
    });
    expect(await m.ok("cancel_send", { id: second.id })).toMatchObject({ status: "withdrawn" });
    closed(() => m.sends.approve(m.person, second.id));
    expect([m.count("sends"), m.count("drafts")]).toEqual([0, 2]);
  });

  test("expires after a day, and is void after a change of the draft", async () => {
    const first = await waiting();
    m.h.clock.advance(24 * 60 * MINUTE_MS);
    closed(() => m.sends.approve(m.person, first.id));
    const second = await waiting();
    await m.ok("save_draft", { draft_id: second.draft_id, body: "Other" });
    closed(() => m.sends.approve(m.person, second.id));
    expect(m.sends.owned(m.h.user.id, second.id).state).toBe("void");
    const third = await waiting();
    await m.ok("delete_draft", { draft_id: third.draft_id });
    closed(() => m.sends.approve(m.person, third.id));
    expect(m.count("sends")).toBe(0);
  });

  test("is withdrawn after the key or the connection was revoked", async () => {
    const { id } = await waiting();
    m.h.platform.keys.revoke(keyId());
    closed(() => m.sends.approve(m.person, id));
    expect([m.sends.owned(m.h.user.id, id).state, m.count("sends")]).toEqual(["withdrawn", 0]);
  });

  test("keeps its schedule", async () => {
    const { id } = await waiting({}, { scheduled_at: "2026-03-04T09:00:00Z" });
    expect(m.sends.approve(m.person, id)).toMatchObject({ scheduled_at: Date.parse("2026-03-04T09:00:00Z") });
  });

  test("belongs to one user", async () => {
    const { id } = await waiting();
    const eve = m.h.newUser("eve@example.org");
    const person = { ...m.person, user_id: eve.id, user: eve };
    for (const act of [() => m.sends.approve(person, id), () => m.sends.reject(person, id)]) {
      expect(act).toThrow(expect.objectContaining({ code: "not_found" }));
    }
  });

  test("counts against the daily limit of the assistant, even while the limits for programs are lifted", async () => {
    const { platform, user } = m.h;
    storeProgramLimits(platform, "none", { user_id: user.id, actor: { kind: "user", id: user.id } });
    policy({ sends_per_day: 1 });
    const [first, second] = [await waiting(), await waiting()];
    m.sends.approve(m.person, first.id);
    expect(m.sends.approve(m.person, second.id)).toMatchObject({ status: "scheduled" });
    const error = await m.fails("prepare_send", { draft_id: await draft() });
    expect(error).toMatchObject({ code: "quota_exceeded", retry_after_s: expect.any(Number) });
  });
});

test("another mailbox of the user counts as unknown for a key that is bound to one mailbox", async () => {
  const { platform, user } = m.h;
  const { account } = seedMailbox(platform, user.id, {
    mailbox: m.mailbox,
    connection: NOWHERE,
    email: "work@example.org",
  });
  const outside = (account_id: string | null) => m.sends.outsidePolicy({ ...m.person, account_id }, [account.email]);
  expect([outside(null), outside(account.id), outside(m.seeded.account.id)]).toEqual([[], [], [account.email]]);
});

test("the daily limit does not count cancelled sends", async () => {
  policy({ sends_per_day: 2 });
  const ids: string[] = [];
  for (const left of [2, 1]) {
    const draft_id = await draft();
    const prepared = await prepare(draft_id);
    expect(prepared.sends_left_today).toBe(left);
    ids.push((await m.ok("send_draft", { draft_id, confirmation: prepared.confirmation }, yes)).send_id);
  }
  const more = await draft();
  expect(await m.fails("prepare_send", { draft_id: more })).toMatchObject({ code: "quota_exceeded" });
  expect(await m.ok("cancel_send", { id: ids[1]! })).toMatchObject({ status: "undone" });
  expect((await prepare(more)).sends_left_today).toBe(1);
  m.h.clock.advance(24 * 60 * MINUTE_MS);
  expect((await prepare(more)).sends_left_today).toBe(2);
});

test("the rows of the audit log name the key and the tool", async () => {
  const draft_id = await draft();
  const { confirmation } = await prepare(draft_id);
  await m.ok("send_draft", { draft_id, confirmation }, yes);
  expect(m.audit("send.schedule")[0]!.actor).toEqual({ kind: "key", id: keyId(), tool: "send_draft" });
  expect(m.audit("draft.create")[0]!.actor).toEqual({ kind: "key", id: keyId(), tool: "save_draft" });
});

test("a refused second step leaves a row in the audit log", async () => {
  const draft_id = await draft();
  await m.fails("send_draft", { draft_id, confirmation: "yes" });
  expect(m.audit("send.refused")[0]).toMatchObject({
    target: draft_id,
    actor: { kind: "key", id: keyId(), tool: "send_draft" },
    after: { code: "invalid_params" },
  });
});

describe("a policy that someone changed or hid in the database file", () => {
  const rows = () => m.h.platform.db.sql;
  const STRICTEST = { confirm: "approve", recipients: "known", sends_per_day: 1 };

  test.each([
    ["deleted", () => rows().run("DELETE FROM sending_policies")],
    ["loosened", () => rows().run("UPDATE sending_policies SET confirm = 'token', sends_per_day = 1000")],
    ["replaced", () => rows().run("UPDATE sending_policies SET credential_id = 'key_x'")],
  ])("is the strictest one: %s", async (_what, attack) => {
    policy({ confirm: "approve", sends_per_day: 5 });
    attack();
    expect(m.sends.policies.of(keyId())).toEqual(STRICTEST as never);
    const id = await draft();
    const { confirmation } = await prepare(id);
    expect((await m.ok("send_draft", { draft_id: id, confirmation }, yes)).status).toBe("waiting_for_approval");
  });

  test("counts again when the person has set it again", () => {
    policy({ confirm: "approve" });
    rows().run("DELETE FROM sending_policies");
    policy({ confirm: "token", recipients: "anyone", sends_per_day: 30 });
    expect(m.sends.policies.of(keyId())).toEqual({ confirm: "token", recipients: "anyone", sends_per_day: 30 });
  });

  test("that was added grants nothing", () => {
    rows().run("INSERT INTO sending_policies VALUES (?, ?, 'token', 'anyone', 1000)", [keyId(), m.h.user.id]);
    expect(m.sends.policies.of(keyId())).toEqual({ confirm: "ask", recipients: "known", sends_per_day: 20 });
  });
});

test("a send whose draft has changed is not listed as waiting for an approval any more", async () => {
  policy({ confirm: "approve" });
  const id = await draft();
  const { confirmation } = await prepare(id);
  const { approval_id } = await m.ok("send_draft", { draft_id: id, confirmation });
  const waiting = async () => (await m.ok("list_drafts")).waiting_for_approval;
  expect(await waiting()).toEqual([{ approval_id, draft_id: id }]);
  await m.ok("save_draft", { draft_id: id, body: "Something else." });
  expect(await waiting()).toEqual([]);
});
