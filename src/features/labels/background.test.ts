import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { createHarness, type Harness } from "../../../test/support/http-harness.ts";
import { runDueJobs } from "../../../test/support/run-jobs.ts";
import { type SeededMailbox, seedMailbox } from "../../../test/support/seed-mail.ts";
import { LABEL_JOB } from "../../mailbox/changes/label-changes.ts";
import { createMailbox, type Mailbox } from "../../mailbox/mailbox.ts";
import { threadRoutes } from "../threads/routes.ts";
import { labelRoutes } from "./routes.ts";

let h: Harness;
let mailbox: Mailbox;
let seed: SeededMailbox;

beforeEach(() => {
  h = createHarness({
    routes: (platform) => {
      mailbox = createMailbox(platform);
      return [...labelRoutes(mailbox.labelQueries, mailbox.labelChanges, () => {}), ...threadRoutes(mailbox)];
    },
  });
  seed = seedMailbox(h.platform, h.user.id, { mailbox });
});
afterEach(() => h.close());

const list = async () => (await h.call("GET", "/labels")).json.data;
const named = async (name: string) => (await list()).find((label: { name: string }) => label.name === name);
const idOf = async (name: string): Promise<string> => (await named(name)).id;
const labelsOf = (thread_id: string) => mailbox.labels.ofThread(thread_id);
const events = () => h.platform.events.after(h.user.id, 0, 1_000).map(({ event, data }) => ({ event, data }));
const audit = (action: string) => h.platform.audit.list(h.user.id, { limit: 1_000, action });
const runJobs = () => runDueJobs(h.platform, { [LABEL_JOB]: mailbox.labelChanges.handler });
/** Gives this many threads a label. @returns their ids */
const many = (count: number, label: string, mails = seed) =>
  h.platform.db.write(() => Array.from({ length: count }, () => mails.deliver({ labels: [label] }).thread_id));

describe("a label with many threads", () => {
  const MANY = 130;

  test("is renamed in the background, with one event for each thread", async () => {
    const ids = many(MANY, "Work");
    const id = await idOf("Work");
    const answer = await h.call("PATCH", `/labels/${id}`, { body: { name: "Job" } });
    expect(answer.json).toMatchObject({ id, name: "Job", thread_count: MANY, changing: true });
    expect([await list(), events()]).toEqual([[answer.json], []]);
    const arrived = seed.deliver({ labels: ["Work"] });
    await runJobs();
    expect(await list()).toMatchObject([
      { id, name: "Job", thread_count: MANY, changing: false },
      { name: "Work", thread_count: 1 },
    ]);
    expect(labelsOf(arrived.thread_id)).toEqual(["Work"]);
    expect(events().map(({ data }) => (data as { thread_id: string }).thread_id)).toEqual(ids.toReversed());
    const [entry] = audit("thread.update");
    expect(entry).toMatchObject({ actor: { kind: "key" }, request_id: answer.headers.get("x-request-id") });
  });

  test("is deleted in the background and not listed from the start", async () => {
    const ids = many(MANY, "Work");
    const id = await idOf("Work");
    expect((await h.call("DELETE", `/labels/${id}`)).json).toEqual({ id, deleted: true });
    expect([await list(), (await h.call("DELETE", `/labels/${id}`)).status]).toEqual([[], 404]);
    await runJobs();
    expect([ids.flatMap(labelsOf), events().length]).toEqual([[], MANY]);
  });

  test("continues after a stop in the middle, and changes no thread twice", async () => {
    many(MANY, "Work");
    await h.call("PATCH", `/labels/${await idOf("Work")}`, { body: { name: "Job" } });
    const { db, jobs } = h.platform;
    const job = jobs.claim(LABEL_JOB)!;
    const write = db.write;
    let batches = 0;
    db.write = (fn) => {
      if (++batches > 3) throw new Error("the process ends");
      return write(fn);
    };
    await expect(mailbox.labelChanges.handler.run(job)).rejects.toThrow("the process ends");
    db.write = write;
    const done = events().length;
    expect(done).toBeGreaterThan(0);
    expect(done).toBeLessThan(MANY);
    jobs.finish(job, { outcome: "retry", run_at: h.clock.now() });
    await runJobs();
    expect(new Set(events().map(({ data }) => (data as { thread_id: string }).thread_id)).size).toBe(MANY);
    expect(events()).toHaveLength(MANY);
  });

  test("cannot be changed again or added to a thread meanwhile: 409, which a repeat does not replay", async () => {
    const [thread_id] = many(MANY, "Work");
    const id = await idOf("Work");
    await h.call("PATCH", `/labels/${id}`, { body: { name: "Job" } });
    const headers = { "Idempotency-Key": "repeated" };
    const asks = [
      ["PATCH", `/threads/${thread_id}`, { add_labels: ["Work"] }, "add_labels"],
      ["POST", "/labels", { name: "Work" }, undefined],
      ["PATCH", `/labels/${id}`, { name: "Third" }, undefined],
      ["DELETE", `/labels/${id}`, undefined, undefined],
    ] as const;
    for (const [method, path, body, param] of asks) {
      const { status, json, headers: sent } = await h.call(method, path, { body, headers });
      expect([status, json.error.code, json.error.param]).toEqual([409, "label_busy", param]);
      expect(Number(sent.get("retry-after"))).toBeGreaterThan(0);
    }
    for (const [method, path, body] of asks) {
      await runJobs();
      expect([method, path, (await h.call(method, path, { body, headers })).status]).toEqual([method, path, 200]);
    }
  });

  test("threads that are merged meanwhile get the new name", async () => {
    const first = seed.deliver({ labels: ["Work"], messageId: "<first@x>" });
    const last = many(MANY, "Work").at(-1)!;
    seed.deliver({ labels: ["Work"], messageId: "<second@x>" });
    await h.call("PATCH", `/labels/${await idOf("Work")}`, { body: { name: "Job" } });
    seed.deliver({ references: ["<first@x>", "<second@x>"] });
    await runJobs();
    expect([labelsOf(first.thread_id), labelsOf(last)]).toEqual([["Job"], ["Job"]]);
    expect(await named("Work")).toBeUndefined();
  });

  test("is no longer changed once its mailbox is removed", async () => {
    const other = seedMailbox(h.platform, h.user.id, { mailbox, email: "ada@home.example" });
    many(MANY, "Work", other);
    await h.call("DELETE", `/labels/${await idOf("Work")}`);
    mailbox.accounts.remove(other.account);
    await runJobs();
    expect(h.platform.db.sql.query("SELECT 1 FROM label_changes").all()).toEqual([]);
  });
});
