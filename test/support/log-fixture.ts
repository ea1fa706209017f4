import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Secret } from "../../src/backup/envelope.ts";
import type { LeaseView, LogPart } from "../../src/backup/log/log-part.ts";
import { OwnKeys } from "../../src/backup/log/own-keys.ts";
import { LogReader, PRIMARY_KEY } from "../../src/backup/log/reader.ts";
import { type RestoredLog, restoreLog } from "../../src/backup/log/restore-log.ts";
import { LogWriter, type LogWriterParts } from "../../src/backup/log/writer.ts";
import { Snapshot } from "../../src/backup/snapshot.ts";
import { systemClock } from "../../src/platform/clock.ts";
import { MIGRATION_NAMES } from "../../src/platform/db/migrate.ts";
import { FolderStore } from "../../src/platform/objects/folder-store.ts";
import { S3Store } from "../../src/platform/objects/s3-store.ts";
import type { ObjectStore } from "../../src/platform/objects/store.ts";
import { PageTracker } from "../../src/platform/pages/page-tracker.ts";
import type { Platform } from "../../src/platform/platform.ts";
import { type BackupFixture, createBackupFixture, deliverWithText } from "./backup-fixture.ts";
import type { S3Server } from "./s3-server.ts";

/** The object `primary` with the fields that the log uses, for one writer at a time. */
export class SimpleLease implements LeaseView {
  readonly #nonces = new Set<string>();

  private constructor(
    private readonly store: ObjectStore,
    private readonly own: OwnKeys,
    readonly token: number,
    public log: LogPart | null,
    private etag: string | null,
  ) {}

  static async acquire(store: ObjectStore, own: OwnKeys): Promise<SimpleLease> {
    const found = await store.get(PRIMARY_KEY, 1_000_000);
    const body = found && JSON.parse(Buffer.from(own.keys.open(found.bytes)).toString());
    const lease = new SimpleLease(store, own, (body?.token ?? 0) + 1, body?.log ?? null, found?.etag ?? null);
    await lease.#write(lease.log);
    return lease;
  }

  async renew(part: LogPart): Promise<void> {
    await this.#write(part);
    this.log = part;
  }

  async #write(log: LogPart | null): Promise<void> {
    const body = { token: this.token, writtenAt: systemClock.now(), log, nonce: crypto.randomUUID() };
    const bytes = this.own.keys.seal(Buffer.from(JSON.stringify(body)));
    this.#nonces.add(body.nonce);
    const put = () => this.store.put(PRIMARY_KEY, bytes, this.etag === null ? { absent: true } : { etag: this.etag });
    this.etag = await put().catch(async (error) => {
      // A write whose answer was lost may have succeeded.
      const found = await this.store.get(PRIMARY_KEY, 1_000_000);
      const nonce = found && JSON.parse(Buffer.from(this.own.keys.open(found.bytes)).toString()).nonce;
      if (!this.#nonces.has(nonce)) throw error;
      this.etag = found!.etag;
      return put();
    });
  }
}

/** A running writer, as one process has it. */
export interface RunningLog {
  writer: LogWriter;
  own: OwnKeys;
  lease: SimpleLease;
  /** Ticks until everything is sent and acknowledged, a base too. */
  settle(): Promise<void>;
  /** Stops as a kill does: nothing is noted. */
  kill(): void;
  stop(): Promise<void>;
}

/** A data folder with mail, and a place for its log. */
export class LogFixture {
  number = 0;

  private constructor(
    readonly backup: BackupFixture,
    readonly store: ObjectStore,
  ) {}

  /** @param s3 null: a folder */
  static async open(s3: S3Server | null, messages = 5): Promise<LogFixture> {
    const backup = await createBackupFixture(messages);
    if (s3) {
      const options = { ...s3.options(`p${crypto.randomUUID()}`), clock: systemClock, calls: null };
      return new LogFixture(backup, new S3Store(options));
    }
    mkdirSync(backup.path("place"));
    return new LogFixture(backup, new FolderStore(backup.path("place"), systemClock));
  }

  get platform(): Platform {
    return this.backup.scratch.platform;
  }

  get secrets(): Secret[] {
    return [{ kind: "master key", key: this.platform.keyring.master }];
  }

  /** Starts a writer. @param more `platform`: as it is after a change of the configuration or the master key */
  async start(more: Partial<LogWriterParts> = {}): Promise<RunningLog> {
    const { platform = this.platform, store = this.store } = more;
    const own = await OwnKeys.open(platform, store);
    const lease = await SimpleLease.acquire(store, own);
    const tracker = PageTracker.open(join(platform.config.data_dir, "postroom.db"));
    const parts = { platform, store, tracker, lease, own, acknowledgeMs: 0, historyDays: 7, ...more };
    const writer = new LogWriter(parts);
    let open = true;
    const kill = () => {
      if (open) tracker.close();
      open = false;
    };
    return {
      writer,
      own,
      lease,
      async settle() {
        for (;;) {
          await writer.tick();
          await writer.idle();
          if (writer.status().copiedAt !== null && writer.status().base === null) break;
        }
        await writer.flush();
      },
      kill,
      async stop() {
        await writer.close();
        kill();
      },
    };
  }

  /** Commits something: a message with words. */
  deliver(): string {
    const { backup } = this;
    return deliverWithText(backup.scratch, backup.mailbox, backup.seeded, this.number++);
  }

  /** Opens the log, as on another machine. */
  async reader(secrets = this.secrets): Promise<LogReader> {
    const reader = await LogReader.open(this.store, secrets);
    if (!reader) throw new Error("There is no log.");
    return reader;
  }

  /** Restores to a new folder. @param at ms; null: the newest state */
  async restore(at: number | null = null, secrets = this.secrets): Promise<RestoredLog & { data_dir: string }> {
    const data_dir = this.backup.path(`restored-${this.number++}`);
    const reader = await this.reader(secrets);
    const until = at === null ? ("newest" as const) : { at };
    return { data_dir, ...(await restoreLog({ reader, until, data_dir, migrations: MIGRATION_NAMES })) };
  }

  close(): void {
    this.store.close();
    this.backup.close();
  }
}

/** Returns a hash of all rows of all tables. */
export function contentOf(data_dir: string): Record<string, string> {
  const snapshot = new Snapshot(join(data_dir, "postroom.db"));
  try {
    return Object.fromEntries(
      snapshot.schema.tables.map((table) => {
        const hasher = new Bun.CryptoHasher("sha256");
        let rows = 0;
        for (const row of snapshot.rows(table)) {
          rows++;
          for (const value of row)
            hasher.update(
              `${typeof value}:${value instanceof Uint8Array ? Buffer.from(value).toString("hex") : String(value)};`,
            );
        }
        return [table.name, `${rows} ${hasher.digest("hex")}`];
      }),
    );
  } finally {
    snapshot.close();
  }
}

/** Returns the message of the error that work throws; null if it throws none. */
export const complaint = (work: Promise<unknown>): Promise<string | null> =>
  work.then(() => null).catch((error: Error) => error.message);
