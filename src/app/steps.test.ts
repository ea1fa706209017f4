import { afterEach, beforeEach, expect, test } from "bun:test";
import { type PeopleFixture, peopleFixture } from "../../test/support/people-fixture.ts";
import { stepsFinding } from "../features/diagnostics/steps.ts";
import { ruleRoutes } from "../features/rules/routes.ts";
import { storedMetrics } from "../features/system/stored-metrics.ts";
import { threadRoutes } from "../features/threads/routes.ts";
import { RETRY_STEPS_JOB } from "../inbound/message/steps.ts";
import { JobRunner } from "../platform/jobs/runner.ts";

/** Tests the program's steps of arriving mail while a dependency of one of them is temporarily unavailable. */
let s: PeopleFixture;
let runner: JobRunner;

beforeEach(() => {
  s = peopleFixture((people, _platform, mailbox) => [...ruleRoutes(people.rules), ...threadRoutes(mailbox)]);
  const { platform, clock } = s.h;
  runner = new JobRunner(platform.jobs, clock, platform.log, { [RETRY_STEPS_JOB]: s.pipeline.steps.handler });
  runner.start();
});
afterEach(async () => {
  await runner.stop();
  s.h.close();
});

const without = <T>(table: string, fn: () => T): T => {
  const { sql } = s.h.platform.db;
  sql.run("PRAGMA legacy_alter_table = ON");
  sql.run(`ALTER TABLE ${table} RENAME TO away`);
  try {
    return fn();
  } finally {
    sql.run(`ALTER TABLE away RENAME TO ${table}`);
  }
};
const pass = async (ms: number) => {
  s.h.clock.advance(ms);
  await runner.idle();
};
const events = () => s.h.platform.events.after(s.h.user.id, 0, 100).map(({ event, data }) => ({ event, data }));
const measure = () =>
  storedMetrics(s.h.platform)()
    .find(({ name }) => name === "postroom_failed_steps")!
    .values.map(({ labels, value }) => [labels?.step, labels?.state, value]);

test("failing rules do not prevent the announcement of a message, and are applied later, with an event", async () => {
  const conditions = [{ field: "subject", op: "contains", value: "invoice" }];
  const actions = [{ type: "addLabel", value: "Bills" }];
  const made = await s.h.call("POST", "/rules", { body: { kind: "inbox", conditions, actions } });
  expect(made.status).toBe(200);
  const mail = { subject: "Your invoice 12", text: "Zwölf Äpfel" };
  const { thread_id } = without("rules", () => s.arrive(mail));
  const labels = async () => (await s.h.call("GET", `/threads/${thread_id}`)).json.labels;
  expect(events()).toMatchObject([{ event: "message.received", data: { thread_id, tags: ["primary"] } }]);
  expect(await labels()).toEqual([]);
  expect(stepsFinding(s.h.platform)).toMatchObject({
    result: "advice",
    detail: expect.stringContaining("apply rules (1)"),
  });
  expect(measure()).toEqual([["apply rules", "waiting", 1]]);
  await pass(61_000);
  expect(await labels()).toEqual(["Bills"]);
  expect(events().slice(1)).toEqual([{ event: "thread.updated", data: { thread_id, changed: ["labels"] } }]);
  expect([stepsFinding(s.h.platform).result, measure()]).toEqual(["ok", []]);
  await pass(86_400_000);
  expect(events()).toHaveLength(2);
});

test("a failed announcement is retried and made once; later mail is announced immediately", async () => {
  const { thread_id } = without("events", () => s.arrive({ subject: "Early" }));
  s.arrive({ subject: "Late" });
  expect(events().map(({ data }) => (data as { subject: string }).subject)).toEqual(["Late"]);
  await pass(61_000);
  expect(events().at(-1)).toMatchObject({ event: "message.received", data: { thread_id, subject: "Early" } });
  await pass(86_400_000);
  expect(events()).toHaveLength(2);
});

test("retrying the wake step does not wake a thread that was snoozed again", async () => {
  const { thread_id } = s.arrive({ messageId: "<first@x>" });
  const snooze = () => {
    const snooze_until = new Date(s.h.clock.now() + 3_600_000).toISOString();
    return s.h.call("PATCH", `/threads/${thread_id}`, { body: { snooze_until } });
  };
  await snooze();
  without("audit", () => s.arrive({ references: ["<first@x>"] }));
  expect(measure()).toEqual([["wake a snoozed thread", "waiting", 1]]);
  await snooze();
  await pass(61_000);
  expect((await s.h.call("GET", `/threads/${thread_id}`)).json.state).toBe("snoozed");
  expect(measure()).toEqual([]);
});

test("failed contact and embedding steps are retried later", async () => {
  const { sql } = s.h.platform.db;
  const count = (table: string) => sql.query<{ n: number }, []>(`SELECT count(*) AS n FROM ${table}`).get()!.n;
  without("embed_queue", () => s.arrive({ subject: "One" }));
  without("contact_addresses", () => s.arrive({ subject: "Two" }));
  expect(measure().map(([step]) => step)).toEqual(["queue the embedding", "touch contacts"]);
  expect(count("messages")).toBe(2);
  await pass(61_000);
  expect(measure()).toEqual([]);
  expect(count("embed_queue")).toBe(2);
  expect(count("contact_addresses")).toBe(1);
});

test("a step that is no longer retried is reported as a fault", async () => {
  without("embed_queue", () => s.arrive());
  s.h.platform.db.sql.run("UPDATE failed_steps SET next_at = NULL");
  expect(stepsFinding(s.h.platform)).toMatchObject({
    result: "FAULT",
    detail: expect.stringContaining("queue the embedding (1)"),
  });
  expect(measure()).toEqual([["queue the embedding", "given_up", 1]]);
});
