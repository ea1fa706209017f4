import { afterEach, beforeEach, expect, test } from "bun:test";
import { eventually } from "../../../test/support/eventually.ts";
import { ACCEPTED, createSendFixture, type SendFixture, type Submit } from "../../../test/support/send-fixture.ts";
import type { SubmitResult } from "../../wire/smtp/result.ts";

let fixture: SendFixture;
beforeEach(() => {
  fixture = createSendFixture();
});
afterEach(() => fixture.h.close());

/** A mail server whose replies the test gives, in the order of the messages. */
class Server {
  /** Messages whose end may be sent. */
  readonly ended: number[] = [];
  readonly #data: PromiseWithResolvers<void>[] = [];
  readonly #replies: PromiseWithResolvers<SubmitResult>[] = [];

  readonly submit: Submit = async (_account, _login, message) => {
    const n = this.#data.push(Promise.withResolvers()) - 1;
    this.#replies.push(Promise.withResolvers());
    await this.#data[n]!.promise;
    await message.beforeEnd!();
    this.ended.push(n);
    return this.#replies[n]!.promise;
  };

  get begun(): number {
    return this.#data.length;
  }

  /** Accepts DATA of a message. */
  takes(n: number): void {
    this.#data[n]!.resolve();
  }

  accepts(n: number): void {
    this.#replies[n]!.resolve(ACCEPTED);
  }
}

/** Schedules messages that are due at once, and waits until two of them are submitted. @returns ids */
async function begin(server: Server, count: number): Promise<string[]> {
  fixture.dispatch(server.submit);
  const body = { to: ["maria@acme.example"], subject: "Lunch", undo_window_s: 0 };
  const ids: string[] = [];
  for (let i = 0; i < count; i++) ids.push((await fixture.send("/messages/send", body)).json.send_id);
  fixture.h.clock.advance(10);
  await eventually(() => server.begun === 2);
  return ids;
}

/** Gives everything that can happen without the clock the time to happen. */
const settled = async () => {
  for (let i = 0; i < 20; i++) await new Promise((resolve) => setImmediate(resolve));
};
const statuses = (ids: string[]) => ids.map((id) => fixture.outbound.sends.get(id)!.status);
const marked = (ids: string[]) => ids.filter((id) => fixture.outbound.sends.get(id)!.handed_over_at !== null).length;

test("messages of both connections are marked in one commit, and none ends before it is marked", async () => {
  const server = new Server();
  const ids = await begin(server, 2);
  server.takes(0);
  await settled();
  expect([marked(ids), server.ended]).toEqual([0, []]);
  server.takes(1);
  await eventually(() => server.ended.length === 2);
  expect(marked(ids)).toBe(2);
});

test("a message waits no longer than a few milliseconds for the one on the other connection", async () => {
  const server = new Server();
  const ids = await begin(server, 2);
  server.takes(0);
  await settled();
  fixture.h.clock.advance(5);
  await eventually(() => server.ended.length === 1);
  expect(marked(ids)).toBe(1);
});

test("an outcome waits for the mark of the next message, and no longer than a few milliseconds", async () => {
  const server = new Server();
  const ids = await begin(server, 3);
  server.takes(0);
  server.takes(1);
  await eventually(() => server.ended.length === 2);
  server.accepts(0);
  await eventually(() => server.begun === 3);
  await settled();
  expect(statuses(ids).filter((status) => status === "sent")).toHaveLength(0);
  server.takes(2);
  await eventually(() => server.ended.length === 3);
  expect(statuses(ids).filter((status) => status === "sent")).toHaveLength(1);
  server.accepts(1);
  await settled();
  expect(statuses(ids).filter((status) => status === "sent")).toHaveLength(1);
  fixture.h.clock.advance(5);
  await eventually(() => statuses(ids).filter((status) => status === "sent").length === 2);
});

test("the outcome of the last message waits for nothing", async () => {
  const server = new Server();
  const ids = await begin(server, 2);
  server.takes(0);
  server.takes(1);
  await eventually(() => server.ended.length === 2);
  server.accepts(0);
  server.accepts(1);
  await eventually(() => statuses(ids).every((status) => status === "sent"));
  expect(fixture.events("send.completed")).toHaveLength(2);
});
