import { Database } from "bun:sqlite";
import { afterEach, beforeEach, expect, setDefaultTimeout, test } from "bun:test";
import { createHash, randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { complaint, LogFixture } from "../../../test/support/log-fixture.ts";
import { MIGRATION_NAMES } from "../../platform/db/migrate.ts";
import { hashPage, PageMap } from "../../platform/pages/page-map.ts";
import { newRecoveryKey, type RecoveryKey } from "../../platform/sealing/recovery-key.ts";
import { LogCrypt, type Segment } from "./crypt.ts";
import { LogFollower } from "./follower.ts";
import { sealKeys } from "./log-keys.ts";
import type { LogPart } from "./log-part.ts";
import { compress, encodeManifest, type LogManifest } from "./manifest.ts";
import { LogReader } from "./reader.ts";
import { encodeRecord, type LogRecord } from "./records.ts";
import { restoreLog } from "./restore-log.ts";

setDefaultTimeout(60_000);

/*
 * A key that opens a log does not prove its origin: anyone with the public half of a recovery key can create one.
 */

let fixture: LogFixture;
let recovery: RecoveryKey;
beforeEach(async () => {
  fixture = await LogFixture.open(null, 1);
  recovery = await newRecoveryKey();
});
afterEach(() => fixture.close());

const PAGE = 4_096;
const secrets = () => [{ kind: "recovery key" as const, secret: recovery.secret }];
const master = randomBytes(32);
const newLog = () => ({
  logId: randomBytes(16).toString("hex"),
  id: randomBytes(8).toString("hex"),
  key: randomBytes(32),
});
const LOG = newLog();

interface Forged {
  content?: Uint8Array;
  records?: LogRecord[];
  pageCount?: number;
  state?: string;
  pageSize?: number;
}

/** Writes a log with one base, as someone can who knows only the public half of the recovery key. */
async function forge(forged: Forged, token = 1, { logId, id, key } = LOG): Promise<void> {
  const crypt = new LogCrypt(logId, key);
  const { records = [], pageCount = 0, pageSize = PAGE, state = new PageMap(PAGE).state } = forged;
  const keys = {
    master_key: master.toString("hex"),
    source: "file" as const,
    passphrase_json: null,
    recovery_json: null,
  };
  const content = {
    format: 1,
    logId,
    generation: 1,
    readers: "",
    primary: id,
    keys: [{ id, key: key.toString("hex"), backupKeys: keys }],
  };
  await fixture.store.put("keys", await sealKeys(content, { master, salt: null, recovery: recovery.recipient }));
  const of: Segment = { level: "base", token, seq: 1 };
  const manifest: LogManifest = {
    ...{ format: 1, ...of, at: 1, previous: null, after: null, pageSize, pageCount, state },
    ...{ attempt: "0".repeat(16), packs: [], from: null, steps: [] },
  };
  const json = encodeManifest(manifest, forged.content ?? Buffer.concat(records.map(encodeRecord)));
  const sealed = crypt.seal(of, json);
  const sha256 = createHash("sha256").update(sealed).digest("hex");
  await fixture.store.put(crypt.name(of), sealed);
  const part: LogPart = {
    head: { token, seq: 1, at: 1, state, chain: sha256 },
    bases: [
      { token, seq: 1, at: 1, bytes: sealed.length, key: id, sha256, fresh: true, first: crypt.name(of), firstAt: 0 },
    ],
    step: null,
    ancestors: [],
  };
  const primary = Buffer.from(JSON.stringify({ token, writtenAt: 1, log: part }));
  await fixture.store.put("primary", crypt.sealOther("primary", primary));
}

async function refused(): Promise<string> {
  const reader = (await LogReader.open(fixture.store, secrets()))!;
  const data_dir = fixture.backup.path("restored");
  const message = await complaint(restoreLog({ reader, until: "newest", data_dir, migrations: MIGRATION_NAMES }));
  expect(existsSync(data_dir)).toBe(false);
  return message ?? "";
}

/** Returns a database as a log has it. */
function pagesOf(bytes: Uint8Array): Forged {
  const map = new PageMap(PAGE);
  map.resize(bytes.length / PAGE);
  const numbers = Array.from({ length: map.pageCount }, (_, i) => i + 1);
  for (const page of numbers) map.set(page, hashPage(bytes.subarray((page - 1) * PAGE, page * PAGE)));
  return { records: [{ kind: "pages", numbers, pages: bytes }], pageCount: map.pageCount, state: map.state };
}

function database(change: (sql: Database) => void): Uint8Array {
  const path = fixture.backup.path("forged.db");
  const source = new Database(join(fixture.backup.scratch.data_dir, "postroom.db"));
  source.run(`VACUUM INTO '${path}'`);
  source.close();
  const sql = new Database(path);
  change(sql);
  sql.close();
  const bytes = readFileSync(path);
  rmSync(path);
  return bytes;
}

test.each([2 ** 32 - 1, 1_000_000, 0])("page %d is not written", async (number) => {
  await forge({ records: [{ kind: "pages", numbers: [number], pages: Buffer.alloc(PAGE) }], pageCount: 1 });
  expect(await refused()).toContain("lacks pages");
});

test("a database of terabytes without content is not created", async () => {
  await forge({ pageCount: 2 ** 40 });
  expect(await refused()).toContain("lacks pages");
});

test("content that is much longer when it is decompressed is refused", async () => {
  const bomb = compress(new Uint8Array(512 * 1024 * 1024));
  expect(bomb.length).toBeLessThan(100_000);
  await forge({ content: new Uint8Array(64 * 1024 * 1024) });
  expect(await refused()).toContain("is not complete");
});

test.each([
  ...["../outside", "/outside", "a/../../outside", "a//b", "postroom.db", "Postroom.DB-wal", "keys/master.key"],
  ...["KEYS/master.key", "run/lock", "postroom-lease.json", "Cache/log/state", "a\0b"],
])("the file %j is not written", async (path) => {
  const sha256 = createHash("sha256").update("x").digest("hex");
  const records: LogRecord[] = [
    { kind: "piece", path, offset: 0, bytes: Buffer.from("x") },
    { kind: "file", file: { path, size: 1, sha256 } },
  ];
  await forge({ records });
  expect(await refused()).toContain("does not belong in a data folder");
  await forge({ records: [{ kind: "deleted", path }] });
  expect(await refused()).toContain("does not belong in a data folder");
});

test("a file that is said to be elsewhere in itself is not written", async () => {
  await forge({ records: [{ kind: "piece", path: "blobs/a", offset: 2 ** 50, bytes: Buffer.from("x") }] });
  expect(await refused()).toContain("is not complete");
});

test("a database that runs code of someone else is refused before anything uses it", async () => {
  const hostile = [
    "CREATE TRIGGER grab AFTER UPDATE ON sends BEGIN DELETE FROM audit; END",
    "CREATE VIEW own AS SELECT 1",
  ];
  for (const text of hostile) {
    await forge(pagesOf(database((sql) => sql.run(text))));
    expect(await refused()).toMatch(/a (trigger|view) that Postroom did not make \((grab|own)\)/);
  }
});

test("a file that is no database, or a damaged one, is refused", async () => {
  await forge(pagesOf(Buffer.alloc(8 * PAGE, 7)));
  expect(await refused()).not.toBe("");
  const bytes = database(() => {});
  bytes.fill(0xff, 3 * PAGE, 4 * PAGE);
  await forge(pagesOf(bytes));
  expect(await refused()).not.toBe("");
});

test("an older primary, or the keys of another log, do not lead a standby back", async () => {
  const folder = fixture.backup.path("followed");
  mkdirSync(folder);
  await forge(pagesOf(database(() => {})), 5);
  const follow = async () => LogFollower.open({ folder, reader: (await LogReader.open(fixture.store, secrets()))! });
  const follower = await follow();
  const { position } = await follower.advance();
  const before = readFileSync(join(folder, "pages"));
  await forge(pagesOf(database((sql) => sql.run("DELETE FROM sends"))), 4);
  expect(await complaint(follower.advance())).toContain("primary is older than what was read before");
  follower.close();
  // Nor after a restart.
  const again = await follow();
  expect(await complaint(again.advance())).toContain("primary is older than what was read before");
  expect(again.position).toEqual(position);
  again.close();
  await forge(pagesOf(database((sql) => sql.run("DELETE FROM sends"))), 6, newLog());
  expect(await complaint(follow())).toContain("follows a continuous copy that has been replaced");
  expect(readFileSync(join(folder, "pages")).equals(before)).toBe(true);
});
