import { afterEach, beforeEach, expect, test } from "bun:test";
import { ACCEPTED, acceptsAll, createSendFixture, type SendFixture } from "../../../test/support/send-fixture.ts";
import { createMailbox } from "../../mailbox/mailbox.ts";
import { createOutbound } from "../../outbound/outbound.ts";
import type { SubmitResult } from "../../wire/smtp/result.ts";

let fixture: SendFixture;
beforeEach(() => {
  fixture = createSendFixture();
});
afterEach(() => fixture.h.close());

const MAIL = { to: ["maria@acme.example"], subject: "Mittagessen", body: "Um eins?" };
const create = async () => (await fixture.h.call("POST", "/drafts", { body: MAIL })).json;
const send = async (id: string, options: object = {}): Promise<string> =>
  (await fixture.send(`/drafts/${id}/send`, { confirm: true, ...options })).json.send_id;

/** Returns the status fields of a draft from its own endpoint and from the list, which must agree. */
async function shown(id: string): Promise<{ status: string; send_id: string | null }> {
  const { json } = await fixture.h.call("GET", `/drafts/${id}`);
  const { data } = (await fixture.h.call("GET", "/drafts")).json;
  const item = data.find((draft: { id: string }) => draft.id === id);
  expect([item.status, item.send_id]).toEqual([json.status, json.send_id]);
  return { status: json.status, send_id: json.send_id };
}

test("a draft without a send has status draft and no send_id", async () => {
  const draft = await create();
  expect([draft.status, draft.send_id]).toEqual(["draft", null]);
  expect(await shown(draft.id)).toEqual({ status: "draft", send_id: null });
});

test("a draft keeps status draft and has the send_id of its scheduled or running send", async () => {
  const { id } = await create();
  let during: unknown;
  fixture.dispatch(async (_account, _login, message) => {
    await message.beforeEnd?.();
    during = { draft: await shown(id), send: (await fixture.view(send_id)).status };
    return ACCEPTED;
  });
  const send_id = await send(id);
  expect(await shown(id)).toEqual({ status: "draft", send_id });
  expect((await fixture.view(send_id)).status).toBe("scheduled");
  await fixture.advance(10_000);
  expect(during).toEqual({ draft: { status: "draft", send_id }, send: "sending" });
  expect((await fixture.h.call("GET", `/drafts/${id}`)).status).toBe(404);
});

test("a draft that waits for a retry keeps its send_id; one whose send failed has none", async () => {
  const { id } = await create();
  const answers: SubmitResult[] = [
    { outcome: "not_sent", reason: "connect", detail: "busy" },
    { outcome: "refused", stage: "content", code: 554, enhanced: null, response: "554 no", rejected: [] },
  ];
  fixture.dispatch(async () => answers.shift()!);
  const send_id = await send(id, { undo_window_s: 0 });
  await fixture.advance(10);
  expect([await shown(id), (await fixture.view(send_id)).status]).toEqual([{ status: "draft", send_id }, "sending"]);
  await fixture.advance(60_000);
  expect([await shown(id), (await fixture.view(send_id)).status]).toEqual([
    { status: "draft", send_id: null },
    "failed",
  ]);
});

test("a canceled send clears the draft's send_id, and the next send sets it again", async () => {
  const { id } = await create();
  const first = await send(id);
  await fixture.h.call("POST", `/sends/${first}/cancel`);
  expect(await shown(id)).toEqual({ status: "draft", send_id: null });
  const edited = await fixture.h.call("PATCH", `/drafts/${id}`, { body: { subject: "Abendessen" } });
  expect(edited.json).toMatchObject({ id, status: "draft", send_id: null });
  const second = await send(id, { scheduled_at: "2026-04-01T09:00:00Z" });
  expect(second).not.toBe(first);
  expect(await shown(id)).toEqual({ status: "draft", send_id: second });
});

test("two drafts that are sent one after the other have their own send_ids", async () => {
  const [one, two] = [await create(), await create()];
  const sends = [await send(one.id), await send(two.id)];
  expect([(await shown(one.id)).send_id, (await shown(two.id)).send_id]).toEqual(sends);
});

test("a canceled compose-and-send becomes a draft without a send", async () => {
  const { send_id } = (await fixture.send("/messages/send", MAIL)).json;
  const { draft_id } = (await fixture.h.call("POST", `/sends/${send_id}/cancel`)).json;
  expect(await shown(draft_id)).toEqual({ status: "draft", send_id: null });
});

test("a restart during the undo window keeps the draft's send_id until the message is sent", async () => {
  const { id } = await create();
  const send_id = await send(id, { scheduled_at: "2026-03-02T12:00:00Z" });
  // The state that a new process reads: only the database.
  const { platform, user } = fixture.h;
  const reopened = createOutbound(platform, createMailbox(platform));
  expect(reopened.drafts.get({ user_id: user.id, account_id: null }, id).send_id).toBe(send_id);
  fixture.dispatch(acceptsAll());
  expect(await shown(id)).toEqual({ status: "draft", send_id });
  await fixture.advance(3 * 3_600_000);
  expect((await fixture.view(send_id)).status).toBe("sent");
  expect((await fixture.h.call("GET", "/drafts")).json.data).toEqual([]);
});
