import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type BackupFixture, createBackupFixture, deliverWithText } from "../../../test/support/backup-fixture.ts";
import { type S3Server, startS3 } from "../../../test/support/s3-server.ts";
import { type SftpServer, SSHD, startSftp } from "../../../test/support/sftp-server.ts";
import { systemClock } from "../../platform/clock.ts";
import type { ConfigValues } from "../../platform/config/table.ts";
import { MIGRATION_NAMES } from "../../platform/db/migrate.ts";
import { FolderStore } from "../../platform/objects/folder-store.ts";
import { S3Store } from "../../platform/objects/s3-store.ts";
import { SftpStore } from "../../platform/objects/sftp-store.ts";
import type { ObjectStore } from "../../platform/objects/store.ts";
import type { Platform } from "../../platform/platform.ts";
import { moveMasterKey } from "../../platform/sealing/move-key.ts";
import { readChain } from "../chain.ts";
import { BackupLedger } from "../ledger.ts";
import { restoreBackup } from "../restore.ts";
import { nextBackup, removeOld } from "../retention.ts";
import { runBackup } from "../run.ts";
import { backupSettings } from "../settings.ts";
import { backupTarget } from "../target.ts";
import { type Copy, INDEX_KEY, openIndex } from "./copy-index.ts";
import { sendCopies } from "./send.ts";
import { readCopyState } from "./state.ts";
import { copyStatus } from "./status.ts";
import { findStored, listStored, requireObjects } from "./stored-backups.ts";

setDefaultTimeout(60_000);

let s3: S3Server;
let sftp: SftpServer | null = null;
let fixture: BackupFixture;
let place: string;
let store: ObjectStore;
let platform: Platform;
let number = 0;
beforeAll(async () => {
  s3 = await startS3();
  if (SSHD) sftp = await startSftp();
});
afterAll(async () => {
  await s3.close();
  await sftp?.close();
});
beforeEach(async () => {
  fixture = await createBackupFixture(3);
  s3.disturb = () => null;
  if (sftp) sftp.cut = () => null;
});
afterEach(() => {
  store.close();
  fixture.close();
});

type Kind = "a bucket" | "a folder" | "a folder over SSH";
const NETWORK_KINDS: Kind[] = SSHD ? ["a bucket", "a folder over SSH"] : ["a bucket"];
const KINDS: Kind[] = ["a folder", ...NETWORK_KINDS];

/** Opens a place of this kind, and the data folder with the settings for it. */
function begin(kind: Kind, config: Partial<ConfigValues> = {}) {
  const prefix = `p${number++}`;
  const more = { clock: systemClock, calls: null };
  if (kind === "a folder") {
    place = fixture.path(prefix);
    mkdirSync(place);
    store = new FolderStore(place, systemClock);
  } else if (kind === "a bucket") {
    place = `s3://postroom-test/${prefix}`;
    store = new S3Store({ ...s3.options(prefix), ...more, partBytes: 5 * 1024 * 1024 });
  } else {
    place = sftp!.place(prefix);
    store = new SftpStore({ ...sftp!.options(prefix), ...more });
  }
  const settings = { "backup.incrementals": 2, "backup.keep": 2, "backup.to": place, ...config };
  platform = fixture.scratch.another(settings);
}

/** Makes the next backup of the schedule. */
async function back(): Promise<string> {
  deliverWithText(fixture.scratch, fixture.mailbox, fixture.seeded, number++);
  fixture.scratch.clock.advance(60_000);
  const ledger = new BackupLedger(platform);
  const settings = backupSettings(platform);
  const next = nextBackup(
    settings,
    ledger.present().filter(({ kept }) => kept),
    platform.clock.now(),
  );
  const since = next.since === null ? {} : { since: next.since };
  const { backup_id } = await runBackup({ platform, version: "0.0.0", file: next.file, ...since, kept: true });
  removeOld(settings, ledger);
  return backup_id!;
}
const send = () => sendCopies({ platform, store });
const state = () => readCopyState(platform, backupTarget(platform)!.id);
const secrets = () => [{ kind: "master key" as const, key: platform.keyring.master }];
const listed = () => listStored(store, secrets());
const objects = async () => (await Array.fromAsync(store.list("objects/"))).map(({ key }) => key).sort();

/** Restores from the place to a new folder. @returns rows of all tables and files */
async function restore(at: number | null = null) {
  const { newest, older } = await findStored(store, await listed(), at);
  const data_dir = fixture.path(`restored-${number++}`);
  const options = { file: newest, older, secrets: secrets(), data_dir, migrations: MIGRATION_NAMES };
  return { data_dir, ...(await restoreBackup(options)) };
}

async function verify(): Promise<void> {
  const copies = await listed();
  await requireObjects(store, copies);
  const { newest, older } = await findStored(store, copies, null);
  await readChain(newest, older, secrets(), {});
}
const complaint = (work: Promise<unknown>) => work.then(() => null).catch((error: Error) => error.message);

describe.each(KINDS)("%s", (kind) => {
  test("receives each backup, and a restore from there equals the source", async () => {
    begin(kind);
    const ids = [await back(), await back()];
    expect(await send()).toBe(2);
    expect(await send()).toBe(0);
    expect((await listed()).map(({ id, kind: of }) => [id, of])).toEqual([
      [ids[0]!, "full"],
      [ids[1]!, "incremental"],
    ]);
    const { manifest, rows } = await restore();
    expect(manifest.head.id).toBe(ids[1]!);
    const local = new BackupLedger(platform).present()[0]!;
    expect(rows).toBe(local.rows);
    expect(await complaint(verify())).toBeNull();
    expect(copyStatus(platform)).toMatchObject({ place, copies: 2, pending: 0, lagMs: 0, error: null, warning: null });
  });

  test("tells nothing by its names, and nothing in clear", async () => {
    begin(kind);
    await back();
    await send();
    expect(await objects()).toEqual([expect.stringMatching(/^objects\/[0-9a-f]{32}$/)]);
    const { bytes } = (await store.get(INDEX_KEY, 100_000))!;
    const text = Buffer.from(bytes).toString("latin1");
    expect(text).toStartWith("age-encryption.org/v1\n");
    expect(text).not.toContain("incremental");
  });

  test("keeps what retention keeps, and never drops the base of a kept backup", async () => {
    begin(kind);
    for (let i = 0; i < 5; i++) {
      await back();
      await send();
      const copies = await listed();
      expect((await objects()).length).toBe(copies.length);
      expect(await complaint(verify())).toBeNull();
    }
    expect((await listed()).map(({ kind: of }) => of)).toEqual(["full", "incremental"]);
  });

  test("the newest backup not after a time is restored", async () => {
    begin(kind, { "backup.keep": 9 });
    const first = await back();
    const at = platform.clock.now();
    await back();
    await send();
    expect((await restore(at)).manifest.head.id).toBe(first);
    expect(await complaint(restore(at - 3_600_000))).toContain("no backup from that time or before");
  });

  test("damage is named, and nothing is restored", async () => {
    begin(kind);
    await back();
    await back();
    await send();
    const [full, incremental] = (await listed()) as [Copy, Copy];
    const read = async ({ object, bytes }: Copy) => Buffer.from(await store.read(object, 0, bytes));
    const refused = async () => {
      const found = [await complaint(restore()), await complaint(verify())];
      expect(readdirSync(fixture.path(".")).filter((name) => name.startsWith("restored-"))).toEqual([]);
      expect(found[0]).not.toBeNull();
      return found.join("\n");
    };
    const original = await read(full);
    const flipped = Buffer.from(original);
    flipped[3_000]! ^= 4;
    await store.put(full.object, flipped);
    expect(await refused()).toMatch(/objects\/.*full backup of .* is damaged between bytes/s);
    await store.put(full.object, original.subarray(0, -100));
    expect(await refused()).toContain(`has ${full.bytes - 100} bytes instead of ${full.bytes}`);
    await store.delete(full.object);
    expect(await refused()).toContain(`${full.object} (full backup of`);
    expect(await refused()).toContain("is missing");
    await store.put(full.object, original);
    expect(await complaint(verify())).toBeNull();
    // An object of the right size from elsewhere.
    await store.put(incremental.object, (await read(full)).subarray(0, incremental.bytes));
    expect(await refused()).toMatch(/was replaced|is damaged|bytes instead/);
  });

  test("an older backup in the place of a newer one is named", async () => {
    begin(kind, { "backup.incrementals": 0 });
    await back();
    await back();
    await send();
    const [old, newer] = (await listed()) as [Copy, Copy];
    const bytes = await store.read(old.object, 0, old.bytes);
    const padded = Buffer.concat([bytes, Buffer.alloc(Math.max(0, newer.bytes - old.bytes))]).subarray(0, newer.bytes);
    await store.put(newer.object, padded);
    expect(await complaint(restore())).toMatch(/objects\/.* was replaced/);
  });

  test("backups of another installation are refused, in both directions", async () => {
    begin(kind);
    await back();
    await send();
    const other = await createBackupFixture(1);
    try {
      const stranger = other.scratch.another({ "backup.to": place });
      const opened = await complaint(sendCopies({ platform: stranger, store }));
      expect(opened).toContain("has backups of another installation");
      expect(copyStatus(stranger)).toMatchObject({ failures: 1, error: opened });
      const key = [{ kind: "master key" as const, key: stranger.keyring.master }];
      expect(await complaint(listStored(store, key))).toContain("does not open");
      expect((await listed()).length).toBe(1);
    } finally {
      other.close();
    }
  });

  test("an index that is missing, damaged or old is written again, and this is said", async () => {
    begin(kind);
    await back();
    await send();
    const old = (await store.get(INDEX_KEY, 100_000))!.bytes;
    await back();
    await send();
    for (const spoil of ["missing", "damaged", "old"]) {
      if (spoil === "missing") await store.delete(INDEX_KEY);
      if (spoil === "old") await store.put(INDEX_KEY, old);
      if (spoil === "damaged") {
        const bytes = Buffer.from((await store.get(INDEX_KEY, 100_000))!.bytes);
        bytes[bytes.length - 5]! ^= 1;
        await store.put(INDEX_KEY, bytes);
      }
      await send();
      expect({ spoil, listed: (await listed()).length }).toEqual({ spoil, listed: 2 });
      expect(copyStatus(platform)?.warning).toContain(spoil === "old" ? "older than the one" : spoil);
      expect(await complaint(verify())).toBeNull();
    }
  });

  test("a missing object is sent again within a day, with what is based on it", async () => {
    begin(kind);
    await back();
    await back();
    await send();
    await store.delete((await listed())[0]!.object);
    fixture.scratch.clock.advance(86_400_000);
    expect(await send()).toBe(2);
    expect(await complaint(verify())).toBeNull();
    expect(copyStatus(platform)?.warning).toContain("2 backups were missing or incomplete");
  });
});

test("a place in the data folder, or one that does not exist, is refused", async () => {
  begin("a folder", { "backup.to": fixture.path("nowhere") });
  expect(await complaint(sendCopies({ platform }))).toContain("does not exist");
  begin("a folder", { "backup.to": join(fixture.scratch.data_dir, "inside") });
  mkdirSync(join(fixture.scratch.data_dir, "inside"));
  expect(await complaint(sendCopies({ platform }))).toContain("is in the data folder");
});

test("failures are counted until the first success, and the lag grows meanwhile", async () => {
  begin("a bucket");
  await back();
  s3.disturb = () => ({ status: 503, code: "SlowDown" });
  await complaint(send());
  fixture.scratch.clock.advance(3_600_000);
  expect(await complaint(send())).toContain("SlowDown");
  const failed = copyStatus(platform)!;
  expect(failed).toMatchObject({ failures: 2, pending: 1, lagMs: 3_600_000 });
  expect(platform.clock.now() - failed.failing_since!).toBe(3_600_000);
  s3.disturb = () => null;
  await send();
  expect(copyStatus(platform)).toMatchObject({ failures: 0, failing_since: null, error: null, pending: 0, lagMs: 0 });
});

test("a lock that refuses a delete is counted, and does not stop the next backup", async () => {
  begin("a bucket", { "backup.incrementals": 0, "backup.keep": 1 });
  await back();
  await send();
  await back();
  s3.disturb = ({ method }) => (method === "DELETE" ? { status: 403, code: "AccessDenied" } : null);
  expect(await send()).toBe(1);
  expect(await listed()).toHaveLength(1);
  expect(copyStatus(platform)).toMatchObject({ failures: 0, kept_objects: 1 });
});

test("a lost list does not stop sending", async () => {
  begin("a bucket");
  await back();
  s3.disturb = ({ path }) => (path.includes("list-type") ? "lost" : null);
  expect(await send()).toBe(1);
  expect(copyStatus(platform)?.failures).toBe(0);
});

test("after a change of the master key, the place is still that of this installation", async () => {
  const config = { "backup.incrementals": 0 };
  begin("a folder", config);
  await back();
  await send();
  await moveMasterKey(platform, { kind: "file" });
  platform = fixture.scratch.another({ ...config, "backup.keep": 2, "backup.to": place });
  expect(await complaint(listed())).toContain("does not open");
  expect(await send()).toBe(0);
  await back();
  expect(await send()).toBe(1);
  expect(await listed()).toHaveLength(2);
  expect(copyStatus(platform)).toMatchObject({ copies: 2, warning: null, failures: 0 });
});

test("a damaged file is not sent", async () => {
  begin("a folder");
  await back();
  const { file } = new BackupLedger(platform).present()[0]!;
  const bytes = readFileSync(file);
  bytes[bytes.length >> 1]! ^= 1;
  writeFileSync(file, bytes);
  expect(await complaint(send())).toContain("is damaged");
  expect(existsSync(join(place, INDEX_KEY))).toBe(false);
});

/** Breaks the connection at a point of the next pass, for good, as if the process were killed there. */
function breakSomewhere(kind: Kind, random: () => number): void {
  const lost = random() < 0.5;
  if (kind === "a bucket") {
    let left = Math.floor(random() * 7);
    s3.disturb = () => (left-- > 0 ? null : left === -1 && lost ? "lost" : "cut");
    return;
  }
  const from = sftp!.connections;
  const first = lost ? { down: 1_500 + random() * 5_000 } : { up: 1_500 + random() * 40_000 };
  sftp!.cut = (connection) => (connection === from ? first : { up: 0 });
  sftp!.breakAll();
}

function endTrouble(): void {
  s3.disturb = () => null;
  if (sftp) sftp.cut = () => null;
}

test.each(NETWORK_KINDS)(
  "%s: cut anywhere, a reader finds the old backups or the new ones, whole, and the next pass completes them",
  async (kind) => {
    begin(kind, { "backup.keep": 1, "backup.incrementals": 1 });
    await back();
    await send();
    let seed = 7;
    const random = () => {
      seed = (seed * 48_271) % 2_147_483_647;
      return seed / 2_147_483_647;
    };
    for (let round = 0; round < (kind === "a bucket" ? 12 : 8); round++) {
      const before = (await listed()).map(({ id }) => id);
      await back();
      breakSomewhere(kind, random);
      await complaint(send());
      endTrouble();
      const now = await listed();
      expect(await complaint(verify())).toBeNull();
      const all = new Set([...before, ...new BackupLedger(platform).list().map(({ backup_id }) => backup_id)]);
      expect(now.every(({ id }) => all.has(id))).toBe(true);
      await send();
      expect(await complaint(verify())).toBeNull();
      expect((await listed()).at(-1)!.id).toBe(new BackupLedger(platform).present()[0]!.backup_id!);
      expect(state().upload).toBeNull();
    }
    const index = await openIndex(place, (await store.get(INDEX_KEY, 100_000))!.bytes, secrets());
    expect(index.generation).toBe(state().generation);
  },
);
