import { afterEach, beforeEach, expect, test } from "bun:test";
import { createHarness, type Harness } from "../../../test/support/http-harness.ts";
import { BackupLedger, type BackupRun } from "../../backup/ledger.ts";
import type { BackupState } from "../../backup/service.ts";
import { createMailbox } from "../../mailbox/mailbox.ts";
import { adoptRecoveryKey, newRecoveryKey } from "../../platform/sealing/recovery-key.ts";
import { backupAppRoutes } from "./app-routes.ts";

let h: Harness;
let state: BackupState;
let present: BackupRun[];
let free: boolean;
beforeEach(() => {
  state = { running: null, next_at: null, runs: [] };
  present = [];
  free = true;
  const backups = { state: () => state, present: () => present, request: () => free };
  h = createHarness({
    appRoutes: (platform) => backupAppRoutes({ platform, backups }),
    config: { "backup.schedule": "30 2 * * *" },
  });
});
afterEach(() => h.close());

const owner = () => h.session("owner@example.org", "owner");

test("a new installation has no backups and no recovery key", async () => {
  const { status, json } = await owner().call("GET", "/backup");
  expect(status).toBe(200);
  expect(json).toEqual({
    last: null,
    running: null,
    schedule: "30 2 * * *",
    next_at: null,
    keep: 7,
    incrementals: 6,
    target: `${h.platform.config.data_dir}/backups`,
    recovery_key: false,
    imported_mailboxes: 0,
    files: [],
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
  for (const method of ["GET", "POST"]) {
    const { status, json } = await h.session("bo@example.org").call(method, "/backup");
    expect([status, json.error.code]).toEqual([403, "owner_required"]);
  }
});
