import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { chmodSync, closeSync, mkdirSync, openSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { copyingStateAt } from "../../../test/support/copying-state.ts";
import { type Scratch, scratchPlatform } from "../../../test/support/scratch-platform.ts";
import { writeCopyingState } from "../../backup/continuous/state.ts";
import type { CopyStatus } from "../../backup/copies/status.ts";
import { createMailbox } from "../../mailbox/mailbox.ts";
import { SYSTEM_ACTOR } from "../../platform/ledger/audit.ts";
import { adoptRecoveryKey, newRecoveryKey } from "../../platform/sealing/recovery-key.ts";
import { backupFinding, copyFindings } from "./backups.ts";
import { clockFinding } from "./clock.ts";
import { databaseFinding, sealedFinding } from "./database.ts";
import { exposureFinding, proxyFindings, publicUrlFindings } from "./exposure.ts";
import { diskFinding, folderFindings, keyFindings } from "./folder.ts";
import { grantFindings } from "./grants.ts";

const SERVER = { host: "imap.b.test", port: 993, security: "tls" } as const;

let scratch: Scratch;
let dir: string;
beforeEach(() => {
  scratch = scratchPlatform();
  dir = scratch.data_dir;
});
afterEach(() => scratch.close());

test("a data folder that others can read, and running as root, are advised against", () => {
  expect(folderFindings(dir, 1000).map(({ result }) => result)).toEqual(["ok"]);
  chmodSync(dir, 0o750);
  expect(folderFindings(dir, 1000)).toMatchObject([{ result: "advice", detail: expect.stringContaining("chmod 700") }]);
  expect(folderFindings(dir, 0)).toMatchObject([{}, { check: "user", result: "advice" }]);
});

describe("the master key", () => {
  const results = (source: "file" | "given" | "passphrase") =>
    keyFindings(scratch.platform, source)
      .filter(({ check }) => check === "master key")
      .map(({ result }) => result);

  test("in the data folder is advice, and is a fault when others can read it", () => {
    expect(results("file")).toEqual(["advice"]);
    expect(keyFindings(scratch.platform, "file")[0]?.detail).toContain("a stolen disk can be read");
    chmodSync(join(dir, "keys", "master.key"), 0o644);
    expect(results("file")).toEqual(["advice", "FAULT"]);
  });

  test("from outside the data folder is OK, and a leftover of an earlier key is named", () => {
    expect(results("passphrase")).toEqual(["ok", "advice"]);
    writeFileSync(join(dir, "keys", "passphrase.json"), "{}");
    expect(results("given")).toEqual(["ok", "advice", "advice"]);
  });

  test("an owner whose only key could be lost is reminded to print a recovery key", async () => {
    const reminder = () => keyFindings(scratch.platform, "file").find(({ check }) => check === "key backup");
    expect(reminder()).toMatchObject({ result: "advice", detail: expect.stringContaining("keys/master.key") });
    const { recipient } = await newRecoveryKey();
    await adoptRecoveryKey(scratch.platform, recipient);
    expect(reminder()).toMatchObject({ result: "ok" });
  });
});

test("free disk space is checked", () => {
  expect(diskFinding(dir).detail).toMatch(/^\d+ MiB free/);
});

describe("the clock", () => {
  const finding = () => clockFinding(scratch.platform, false);

  test("is OK while nothing contradicts it", () => {
    expect(finding().result).toBe("ok");
  });

  test("was set back if the local ledger has later entries", () => {
    scratch.platform.audit.record({ user_id: scratch.user.id, actor: SYSTEM_ACTOR, action: "x", target: "x" });
    scratch.clock.set(scratch.clock.now() - 3_600_000);
    expect(finding()).toMatchObject({ result: "FAULT", detail: expect.stringContaining("set back") });
  });
});

describe("the database", () => {
  test("is intact, and a damaged page is named", () => {
    expect(databaseFinding(scratch.platform, false)).toMatchObject({ result: "ok" });
    expect(databaseFinding(scratch.platform, true)).toMatchObject({ result: "ok" });
    const { sql } = scratch.platform.db;
    sql.query("PRAGMA wal_checkpoint(TRUNCATE)").all();
    const { page_size } = sql.query<{ page_size: number }, []>("PRAGMA page_size").get()!;
    const { rootpage } = sql
      .query<{ rootpage: number }, []>("SELECT rootpage FROM sqlite_schema WHERE name = 'audit_age'")
      .get()!;
    const file = openSync(join(dir, "postroom.db"), "r+");
    writeSync(file, new Uint8Array(page_size).fill(0x7f), 0, page_size, (rootpage - 1) * page_size);
    closeSync(file);
    const other = scratch.another();
    expect(databaseFinding(other, true)).toMatchObject({ result: "FAULT", detail: expect.stringContaining("backup") });
  });

  test("decrypts a sample, and a replaced value is a finding", () => {
    const mailbox = createMailbox(scratch.platform);
    const connection = { imap: SERVER, smtp: null, username: "a", password: "b" };
    mailbox.accounts.add({ user_id: scratch.user.id, provider: "imap", email: "a@b.test", connection });
    expect(sealedFinding(scratch.platform, mailbox, false)).toMatchObject({ result: "ok" });
    scratch.platform.db.sql.run("UPDATE accounts SET connection = profile WHERE provider = 'imap'");
    expect(grantFindings(scratch.platform)).toMatchObject([
      { check: "credentials", result: "FAULT", detail: expect.stringContaining("changed outside Postroom") },
    ]);
  });
});

describe("backups", () => {
  const DAY_MS = 86_400_000;
  const made = (id: string, state: "done" | "failed", daysAgo: number) =>
    scratch.platform.db.sql
      .query(
        `INSERT INTO backups (id, state, kind, file, kept, error, started_by, started_at)
         VALUES (?, ?, 'full', '/x', 1, 'the disk is full', 'boot', ?)`,
      )
      .run(id, state, scratch.clock.now() - daysAgo * DAY_MS);

  test("none, a recent one, an old one, and one followed by a failed attempt", () => {
    expect(backupFinding(scratch.platform)).toMatchObject({
      result: "advice",
      detail: expect.stringContaining("no backup"),
    });
    const { accounts } = createMailbox(scratch.platform);
    const actor = { kind: "system", id: null } as const;
    const given = { provider: "imported", email: "old@example.org", connection: null, actor } as const;
    const { id } = accounts.add({ ...given, user_id: scratch.user.id });
    expect(backupFinding(scratch.platform).detail).toBe(
      "There is no backup yet, and 1 imported mailbox exists only here (see 'postroom backup --help').",
    );
    const { config, clock } = scratch.platform;
    mkdirSync(join(config.data_dir, "run"), { recursive: true });
    writeCopyingState(config.data_dir, copyingStateAt(clock.now()));
    const copied = scratch.another({ "backup.to": "s3://bucket/home" });
    expect(backupFinding(copied).detail).toBe("There is no backup yet (see 'postroom backup --help').");
    accounts.remove(accounts.get(id)!, actor);
    made("b1", "done", 20);
    expect(backupFinding(scratch.platform)).toMatchObject({
      result: "advice",
      detail: "The last backup is 20 days old.",
    });
    made("b2", "done", 1);
    expect(backupFinding(scratch.platform)).toMatchObject({ result: "ok", detail: "The last backup is 1 day old." });
    made("b3", "failed", 0);
    expect(backupFinding(scratch.platform)).toMatchObject({
      result: "FAULT",
      detail: "The last backup is 1 day old. The last attempt failed: the disk is full",
    });
  });
});

test("an address that others can reach without TLS is advised against; behind a proxy it is OK", () => {
  expect(exposureFinding(scratch.platform.config).result).toBe("ok");
  const open = scratch.another({ "http.host": "0.0.0.0" }).config;
  expect(exposureFinding(open)).toMatchObject({ result: "advice", detail: expect.stringContaining("plain HTTP") });
  const behind = { "http.host": "0.0.0.0", "http.public_url": "https://a.test", "http.trusted_proxies": ["10.0.0.1"] };
  expect(exposureFinding(scratch.another(behind).config).result).toBe("ok");
});

test("a public address that does not end with the base path is advised against", () => {
  const found = (public_url: string, base_path: string) =>
    publicUrlFindings(scratch.another({ "http.public_url": public_url, "http.base_path": base_path }).config);
  for (const url of ["", "https://a.test/mail", "https://a.test/mail/"]) expect(found(url, "/mail")).toEqual([]);
  expect(found("https://a.test", "")).toEqual([]);
  for (const url of ["https://a.test", "https://a.test/post"]) {
    const [one] = found(url, "/mail");
    expect(one).toMatchObject({ check: "public address", result: "advice" });
    expect(one?.detail).toContain("Set http.public_url to https://a.test/mail.");
  }
});

test("untrusted proxies are named, with the consequences", () => {
  expect(proxyFindings([])).toEqual([]);
  const [one] = proxyFindings(["172.18.0.1"]);
  expect([one!.check, one!.result]).toEqual(["proxy", "advice"]);
  expect(one!.detail).toMatch(/arrive through 172\.18\.0\.1, which http\.trusted_proxies does not list/);
});

describe("copies of backups elsewhere", () => {
  const DAY_MS = 86_400_000;
  const fine: CopyStatus = {
    place: "s3://bucket/home",
    copies: 2,
    pending: 0,
    lagMs: 0,
    last: null,
    failing_since: null,
    failures: 0,
    error: null,
    warning: null,
    kept_objects: 0,
    requests: { calls: 0, bytes_out: 0, bytes_in: 0 },
  };
  const result = (status: Partial<CopyStatus>) => copyFindings({ ...fine, ...status }, 2 * DAY_MS)[0];

  test("are a fault after a day of failures, and advice before", () => {
    expect(copyFindings(null, 0)).toEqual([]);
    expect(result({})).toEqual({ check: "backup copy", result: "ok", detail: "2 backups are in s3://bucket/home." });
    const failing = { failures: 3, pending: 1, error: "s3://bucket/home answers SlowDown." };
    expect(result({ ...failing, failing_since: 1.5 * DAY_MS })?.result).toBe("advice");
    expect(result({ ...failing, failing_since: DAY_MS })).toEqual({
      check: "backup copy",
      result: "FAULT",
      detail:
        "Sending backups to s3://bucket/home fails: s3://bucket/home answers SlowDown. 1 backup is not in s3://bucket/home yet.",
    });
    expect(result({ pending: 2, lagMs: DAY_MS })?.result).toBe("FAULT");
    expect(result({ warning: "Repaired." })).toMatchObject({ result: "advice", detail: "Repaired." });
    expect(result({ copies: 0 })?.result).toBe("advice");
    expect(result({ kept_objects: 4 })?.detail).toContain("does not delete yet: 4.");
  });
});
