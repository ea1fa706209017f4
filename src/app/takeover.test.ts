import { afterEach, beforeEach, expect, test } from "bun:test";
import { MINUTE_MS, type NotificationFixture, notificationFixture } from "../../test/support/notification-fixture.ts";
import { readTakeoverNote, writeTakeoverNote } from "../backup/standby/takeover-note.ts";
import { recordTakeover } from "./takeover.ts";

let f: NotificationFixture;
beforeEach(async () => {
  f = await notificationFixture();
});
afterEach(() => f.close());

const audited = () => f.h.platform.audit.list(f.h.user.id, { limit: 5, action: "server.takeover" });

test("after a promotion, the owner is told once who took over from whom, and the audit log has it", async () => {
  await f.target({ detail: "subject" });
  const { config, clock } = f.h.platform;
  const at = clock.now();
  writeTakeoverNote(config.data_dir, { primary: "nuc", machine: "attic", at });
  recordTakeover(f.h.platform);
  expect(readTakeoverNote(config.data_dir)).toBeNull();
  for (let i = 0; i < 5; i++) await f.advance(6 * MINUTE_MS);
  expect(f.sent()).toMatchObject([{ title: "Postroom needs you" }]);
  expect(f.sent()[0].message).toStartWith(
    `another machine took over: attic took over from nuc at ${new Date(at).toISOString()}`,
  );
  expect(audited()).toMatchObject([
    { actor: { kind: "system" }, before: { machine: "nuc" }, after: { machine: "attic" } },
  ]);
});

test("a start that was killed before it forgot the note records nothing twice", () => {
  const note = { primary: null, machine: "attic", at: f.h.platform.clock.now() };
  for (let start = 0; start < 2; start++) {
    writeTakeoverNote(f.h.platform.config.data_dir, note);
    recordTakeover(f.h.platform);
  }
  expect(audited()).toHaveLength(1);
});

test("the note is forgotten only when the audit log is on the disk", () => {
  const { config, db, clock } = f.h.platform;
  writeTakeoverNote(config.data_dir, { primary: null, machine: "attic", at: clock.now() });
  const synced: unknown[] = [];
  const { record } = f.h.platform.audit;
  f.h.platform.audit.record = (...given) => {
    synced.push(Object.values(db.sql.query("PRAGMA synchronous").get()!)[0]);
    return record.apply(f.h.platform.audit, given);
  };
  const durable = Object.values(db.sql.query("PRAGMA synchronous").get()!)[0];
  recordTakeover(f.h.platform);
  expect(synced).toEqual([durable]);
});

test("a start without a promotion records nothing, and so does a damaged note", async () => {
  recordTakeover(f.h.platform);
  writeTakeoverNote(f.h.platform.config.data_dir, { primary: null, machine: "attic", at: "yesterday" as never });
  recordTakeover(f.h.platform);
  expect(audited()).toEqual([]);
});
