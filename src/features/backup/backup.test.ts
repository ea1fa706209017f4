import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createHarness, type Harness } from "../../../test/support/http-harness.ts";
import type { CopyService } from "../../backup/copies/service.ts";
import { BackupLedger, type BackupRun } from "../../backup/ledger.ts";
import type { BackupState } from "../../backup/service.ts";
import { NEW_S3 } from "../../backup/target.ts";
import { TargetService } from "../../backup/target-service.ts";
import { createMailbox } from "../../mailbox/mailbox.ts";
import { adoptRecoveryKey, newRecoveryKey } from "../../platform/sealing/recovery-key.ts";
import { backupAppRoutes } from "./app-routes.ts";

let h: Harness;
let state: BackupState;
let present: BackupRun[];
let copies: ReturnType<CopyService["status"]>;
let free: boolean;
let rescheduled: number;
beforeEach(() => {
  state = { running: null, next_at: null, runs: [] };
  present = [];
  copies = null;
  free = true;
  rescheduled = 0;
  const reschedule = () => void rescheduled++;
  const backups = { state: () => state, present: () => present, request: () => free, reschedule };
  h = createHarness({
    appRoutes: (platform) =>
      backupAppRoutes({ platform, backups, copies: { status: () => copies }, targets: new TargetService(platform) }),
  });
});
afterEach(() => h.close());

function chooseBucket() {
  const by = { user_id: h.user.id, actor: { kind: "system", id: null } } as const;
  const access = { access_key_id: "AK", secret_access_key: "SECRET" };
  new TargetService(h.platform).choose(
    { kind: "s3", bucket: "bucket", prefix: "home", ...NEW_S3, ...access, ca: "" },
    by,
  );
}

const owner = () => h.session("owner@example.org", "owner");

test("a new installation has no backups and no recovery key", async () => {
  const { status, json } = await owner().call("GET", "/backup");
  expect(status).toBe(200);
  expect(json).toEqual({
    last: null,
    running: null,
    settings: {
      schedule: { every: "off", hours: 6, time: "02:30", weekday: 0, cron: "", timezone: "UTC" },
      folder: `${h.platform.config.data_dir}/backups`,
      default_folder: true,
      keep: 7,
      incrementals: 6,
    },
    configured: { schedule: false, folder: false, keep: false, incrementals: false },
    next_at: null,
    free_bytes: expect.any(Number),
    folder_fault: null,
    recovery_key: false,
    imported_mailboxes: 0,
    files: [],
    elsewhere: null,
    target: expect.objectContaining({ kind: "off", has_secret: false, configured: [] }),
  });
});

test("copies elsewhere are shown with what is behind, failing and locked", async () => {
  chooseBucket();
  const at = h.clock.now();
  copies = {
    place: "s3://bucket/home",
    sending: { done: 1, total: 9 },
    copies: 3,
    pending: 1,
    lagMs: 90_000,
    last: { at, made_at: at - 60_000, bytes: 500 },
    failing_since: at,
    failures: 2,
    error: "There is no bucket bucket. Create it, or correct its name (backup.to).",
    warning: null,
    kept_objects: 1,
    requests: { calls: 12, bytes_out: 500, bytes_in: 20 },
  };
  const { json } = await owner().call("GET", "/backup");
  const iso = new Date(at).toISOString();
  expect(json.elsewhere).toMatchObject({
    place: "s3://bucket/home",
    lag_seconds: 90,
    last: { sent_at: iso, made_at: new Date(at - 60_000).toISOString(), bytes: 500 },
    failing_since: iso,
    error: expect.stringContaining("no bucket"),
    kept_objects: 1,
  });
});

test("imported mailboxes of all people are counted, because their mail is nowhere else", async () => {
  const { accounts } = createMailbox(h.platform);
  const actor = { kind: "system", id: null } as const;
  for (const email of ["ada@example.org", "bo@example.org"]) {
    const { id } = h.newUser(email);
    accounts.add({ user_id: id, provider: "imported", email: `old-${email}`, connection: null, actor });
  }
  expect((await owner().call("GET", "/backup")).json).toMatchObject({ last: null, imported_mailboxes: 2 });
});

test("shows the last run with its error, and for each backup whether its file exists", async () => {
  const ledger = new BackupLedger(h.platform);
  const done = ledger.begin({ kind: "full", file: "/mnt/usb/a.age", kept: false });
  const head = {
    format: 1 as const,
    id: "x",
    kind: "full" as const,
    made_at: "",
    version: "",
    migrations: [],
    chain: [],
  };
  ledger.done(done, { head, rows: 5, files: 1, bytes: 900, sha256: "00", reused_bytes: 0 });
  h.clock.advance(1000);
  ledger.failed(ledger.begin({ kind: "full", file: "/mnt/usb/b.age", kept: true }), "The disk is full.");
  state = { ...state, runs: ledger.list(), running: { done: 1, total: 4 } };
  present = [ledger.get(done)!];
  const { recipient } = await newRecoveryKey();
  await adoptRecoveryKey(h.platform, recipient);
  const { json } = await owner().call("GET", "/backup");
  expect(json.last).toMatchObject({ state: "failed", error: "The disk is full.", present: false });
  expect(json.files).toMatchObject([{ id: done, state: "done", rows: 5, bytes: 900, present: true }]);
  expect(json).toMatchObject({ running: { done: 1, total: 4 }, recovery_key: true });
});

test("a requested backup is audited, and refused while one is running", async () => {
  const session = owner();
  expect((await session.call("POST", "/backup")).status).toBe(202);
  expect(h.platform.audit.list(session.user.id, { limit: 5 }).map(({ action }) => action)).toContain("backup.create");
  free = false;
  const { status, json } = await session.call("POST", "/backup");
  expect([status, json.error.code]).toEqual([409, "backup_running"]);
});

test("only the owner has access", async () => {
  for (const [method, path] of [
    ["GET", "/backup"],
    ["POST", "/backup"],
    ["PATCH", "/backup/settings"],
    ["PUT", "/backup/target"],
    ["POST", "/backup/target/test"],
    ["POST", "/backup/preview"],
  ] as const) {
    const { status, json } = await h
      .session("bo@example.org")
      .call(method, path, { body: { every: "off", kind: "off" } });
    expect([path, status, json.error.code]).toEqual([path, 403, "owner_required"]);
  }
});

describe("settings", () => {
  const patch = (body: object, by = owner()) => by.call("PATCH", "/backup/settings", { body });
  let outside: string;
  beforeEach(() => {
    outside = mkdtempSync(join(tmpdir(), "postroom-backups-"));
  });
  afterEach(() => rmSync(outside, { recursive: true, force: true }));

  test("are stored, applied at once, and audited with the values before and after", async () => {
    const by = owner();
    const schedule = { every: "week", time: "04:15", weekday: 3 };
    const { status, json } = await patch({ schedule, keep: 3, incrementals: 0, folder: outside }, by);
    expect([status, rescheduled]).toEqual([200, 1]);
    expect(json.settings).toMatchObject({ schedule, keep: 3, incrementals: 0, folder: outside, default_folder: false });
    expect(readdirSync(outside)).toEqual([]);
    expect((await by.call("GET", "/backup")).json.settings).toEqual(json.settings);
    const [row] = h.platform.audit.list(by.user.id, { limit: 5, action: "backup.settings" });
    expect(row).toMatchObject({ before: { keep: 7 }, after: { keep: 3, folder: outside, schedule } });
    // The same settings again change nothing.
    await patch({ keep: 3, folder: outside }, by);
    expect(h.platform.audit.list(by.user.id, { limit: 5, action: "backup.settings" })).toHaveLength(1);
    expect((await patch({ folder: null }, by)).json.settings.default_folder).toBe(true);
  });

  test("are in the time zone of the owner", async () => {
    const by = owner();
    h.platform.users.change(by.user.id, { timezone: "Europe/Berlin" });
    const schedule = { every: "day", time: "12:00" };
    expect((await patch({ schedule }, by)).json.settings.schedule).toMatchObject({ timezone: "Europe/Berlin" });
    const { json } = await by.call("POST", "/backup/preview", { body: schedule });
    expect(json.next).toHaveLength(3);
    expect(json.next[0]).toMatch(/T1[01]:00:00/);
  });

  test("another folder requires re-authentication, other settings do not", async () => {
    const by = owner();
    h.clock.advance(16 * 60_000);
    const refused = await patch({ folder: outside }, by);
    expect([refused.status, refused.json.error.code]).toEqual([401, "proof_required"]);
    expect((await patch({ keep: 5, folder: null }, by)).status).toBe(200);
  });

  test.each<[object, string, RegExp]>([
    [{ folder: "backups" }, "folder", /begins with a slash/],
    [{ folder: "/nonexistent/usb/backups" }, "folder", /connect the drive/],
    [{ keep: 0 }, "keep", /./],
    [{ incrementals: 101 }, "incrementals", /./],
    [{ schedule: { every: "day", time: "25:00" } }, "schedule.time", /./],
    [{ schedule: { every: "hours", hours: 5 } }, "schedule.hours", /./],
    [{ schedule: { every: "custom", cron: "* * * * *" } }, "schedule.cron", /15 minutes/],
    [{ schedule: { every: "custom" } }, "schedule.cron", /five fields/],
  ])("%j is refused", async (body, param, reason) => {
    const { status, json } = await patch(body);
    expect([status, json.error.param]).toEqual([400, param]);
    expect(json.error.message).toMatch(reason);
    expect(rescheduled).toBe(0);
  });

  test("a folder in the data folder is refused", async () => {
    const { status, json } = await patch({ folder: join(h.platform.config.data_dir, "blobs") });
    expect([status, json.error.param]).toEqual([400, "folder"]);
  });

  test("a missing folder is shown with the reason, before a backup fails", async () => {
    await patch({ folder: outside });
    rmSync(outside, { recursive: true });
    const { json } = await owner().call("GET", "/backup");
    expect(json).toMatchObject({ free_bytes: null, folder_fault: expect.stringContaining(outside) });
  });

  test("of the configuration win, are shown, and cannot be changed", async () => {
    await patch({ keep: 3 });
    h.close();
    h = createHarness({
      appRoutes: (platform) =>
        backupAppRoutes({
          platform,
          backups: { state: () => state, present: () => [], request: () => true, reschedule: () => {} },
          copies: { status: () => null },
          targets: new TargetService(platform),
        }),
      config: { "backup.schedule": "30 2 * * *", "backup.keep": 9 },
    });
    const { json } = await owner().call("GET", "/backup");
    expect(json.settings).toMatchObject({
      keep: 9,
      schedule: { every: "custom", cron: "30 2 * * *", timezone: "UTC" },
    });
    expect(json.configured).toEqual({ schedule: true, folder: false, keep: true, incrementals: false });
    const refused = await patch({ keep: 3 });
    expect([refused.status, refused.json.error.param]).toEqual([400, "keep"]);
    expect(refused.json.error.message).toContain("The configuration sets backup.keep");
    expect((await patch({ incrementals: 1 })).json.settings.incrementals).toBe(1);
  });

  test("that were changed in the database, not by Postroom, do not apply", async () => {
    await patch({ folder: outside });
    h.platform.db.sql.query("UPDATE settings SET value = zeroblob(40) WHERE key = 'backup'").run();
    expect((await owner().call("GET", "/backup")).json.settings.default_folder).toBe(true);
  });
});
