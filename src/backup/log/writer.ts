import type { DeferredStoreCalls } from "../../platform/ledger/deferred-calls.ts";
import { errorFields } from "../../platform/log.ts";
import { type ObjectStore, StoreFault } from "../../platform/objects/store.ts";
import { PageMap } from "../../platform/pages/page-map.ts";
import { PageSet } from "../../platform/pages/page-set.ts";
import { LostSnapshotError, type PageTracker } from "../../platform/pages/page-tracker.ts";
import type { Platform } from "../../platform/platform.ts";
import type { DataFile } from "../data-files.ts";
import { BackupLedger } from "../ledger.ts";
import { backupSettings } from "../settings.ts";
import { catchUp } from "./catch-up.ts";
import { dropCheckpoint, writeCheckpoint } from "./checkpoint.ts";
import { Spool } from "./content.ts";
import { Failures } from "./failures.ts";
import { type FileChanges, fileChanges } from "./file-records.ts";
import { FileWatch } from "./file-watch.ts";
import { LogHistory } from "./history.ts";
import { EMPTY_LOG, type LeaseView } from "./log-part.ts";
import { type Base, Moments } from "./moments.ts";
import type { OwnKeys } from "./own-keys.ts";
import { PACK_BYTES, PackUploader } from "./pack-uploader.ts";
import { Passes } from "./passes.ts";
import { deleteOld, retained } from "./retain.ts";
import { SegmentQueue } from "./segment-queue.ts";
import { Shipment } from "./shipment.ts";
import { emptyLog, type LogStatus, needsBase, statusOf, stepAfter, type WrittenLog } from "./writer-state.ts";

export interface LogWriterParts {
  platform: Platform;
  store: ObjectStore;
  /** Of the database of the platform. Only the writer advances it; the caller closes it. */
  tracker: PageTracker;
  lease: LeaseView;
  own: OwnKeys;
  /** Records the requests of `store`; they are written to the database when something else changed as well. */
  calls?: DeferredStoreCalls;
  /** Longest time in which segments are not acknowledged in `primary`, ms. 0: each is, as a standby needs. */
  acknowledgeMs: number;
  /** Days to which a restore can go back. */
  historyDays: number;
}

/** How long a change waits for others, ms. */
const GATHER_MS = 4_000;
const FILES_EVERY_MS = 60_000;
const DAY_MS = 86_400_000;
/** The checkpoint may cost so many bytes a second on the disk. */
const CHECKPOINT_BYTES_PER_MS = 32;
const CHECKPOINT_EVERY_MS = 10_000;

const breathe = () => new Promise<void>((resolve) => setImmediate(resolve));

/**
 * Sends the changes of a data folder to a store, continuously. It has no timers: call `tick` about every second. All of
 * its state can be lost at any moment: the next writer continues from the checkpoint in the data folder and from what
 * the store has.
 */
export class LogWriter {
  /** Of the lease when this writer began. It never writes under another one. */
  readonly #token: number;
  readonly #data: string;
  readonly #watch: FileWatch;
  readonly #spool: Spool;
  readonly #log: WrittenLog;
  readonly #queue: SegmentQueue;
  readonly #moments: Moments;
  readonly #failures: Failures;
  /** Of bases and large changes, and how far they were then. */
  readonly #shipmentFailures: Failures;
  #failedAtBytes = 0;
  /** Pages that changed since the newest segment, except those of a large change that is being sent. */
  readonly #dirty = new PageSet();
  #begun = false;
  #base: Base | null = null;
  /** A change that is too large for one moment, while it is sent. */
  #change: Shipment | null = null;
  #wantsBase = false;
  #dirtySince: number | null = null;
  #comparing: Promise<unknown> = Promise.resolve();
  #filesAt = 0;
  #acknowledgedAt = 0;
  #retainedAt = 0;
  #checkpointAt = 0;
  #checkpointSeq = -1;
  readonly #passes: Passes;
  #flushing: Promise<void> | null = null;
  #deleting: Promise<void> | null = null;
  #kept = 0;
  #warning: string | null = null;

  constructor(private readonly parts: LogWriterParts) {
    const { platform, own, store, tracker } = parts;
    const { token } = parts.lease;
    this.#token = token;
    this.#data = platform.config.data_dir;
    const ledger = new BackupLedger(platform);
    const backups = () => [backupSettings(platform).folder, ...ledger.present().map(({ file }) => file)];
    this.#watch = new FileWatch(this.#data, backups, platform.clock);
    this.#spool = new Spool(this.#data, own.keys);
    this.#log = emptyLog(platform.clock.now());
    this.#queue = new SegmentQueue({ store, token, own, data_dir: this.#data }, this.#log);
    this.#moments = new Moments({ tracker, token, spool: this.#spool, clock: platform.clock }, this.#log, this.#queue);
    this.#failures = new Failures(platform.clock);
    this.#passes = new Passes((flush) => this.#pass(flush), this.#failures);
    this.#shipmentFailures = new Failures(platform.clock);
  }

  /**
   * Notes what changed, and sends it if it is time. If a call is running, waits for it instead.
   * @throws StoreFault, UserError, and what the lease throws. Call it again later; nothing is lost
   */
  async tick(): Promise<void> {
    await this.#passes.join();
  }

  /**
   * Resolves when everything that was committed before the call is in the store, and acknowledged under the token of
   * this process. @throws as `tick`, and StoreFault if the first base is not complete
   */
  flush(): Promise<void> {
    // A pass that is running may have begun before the commit.
    this.#flushing ??= this.#passes.ended().then(() => {
      this.#flushing = null;
      return this.#flush();
    });
    return this.#flushing;
  }

  /** Resolves when no base and no large change is being sent at this moment. */
  async idle(): Promise<void> {
    await Promise.all([this.#base?.shipment.running, this.#change?.running, this.#deleting]);
  }

  /** Begins a new base, for example after damage in the store was found. */
  requestBase(): void {
    this.#wantsBase = true;
  }

  status(): LogStatus {
    const failed = this.#failures.count > 0 ? this.#failures : this.#shipmentFailures;
    // If acknowledgements come later, a restore finds what is in the store without them.
    const acknowledges = this.parts.acknowledgeMs === 0;
    const now = this.parts.platform.clock.now();
    return {
      ...statusOf(this.#log, { dirtySince: this.#dirtySince, acknowledges, now }),
      token: this.#token,
      failingSince: failed.since,
      failures: failed.count,
      error: failed.message,
      warning: this.#warning,
      kept: this.#kept,
      base: this.#base?.shipment.progress ?? null,
    };
  }

  /** Ends: notes what the log has, for the next start. What was not sent is sent then. */
  async close(): Promise<void> {
    await this.#passes.ended();
    this.#checkpoint();
  }

  async #flush(): Promise<void> {
    while (!(await this.#passes.run(true))) {
      if (!this.#log.position) {
        throw new StoreFault("unavailable", "The first base of the continuous copy is still being sent.");
      }
      const before = this.#shipmentFailures.count;
      await this.idle();
      if (this.#shipmentFailures.count > before) throw new StoreFault("unavailable", this.#shipmentFailures.message!);
    }
  }

  #warn(warning: string): void {
    this.#warning = warning;
    this.parts.platform.log.warn("the continuous copy was repaired", { warning });
  }

  /** @returns whether everything that was committed before is acknowledged */
  async #pass(flush: boolean): Promise<boolean> {
    const { own, calls, lease } = this.parts;
    if (lease.token !== this.#token) throw new StoreFault("conflict", "The lease of this process has ended.");
    if (!this.#begun) await this.#begin();
    await this.#observe();
    await this.#queue.send();
    // A state under a master key that the store does not have could not be restored.
    if (own.changed) await own.check();
    this.#continueShipments();
    let isClean = false;
    if (this.#isDue(flush)) {
      if (this.#dirtySince !== null && calls?.settle()) await this.#observe();
      isClean = await this.#ship();
    }
    await this.#acknowledge(flush);
    if (this.parts.platform.clock.now() >= this.#checkpointAt) this.#checkpoint();
    await this.#retain();
    return isClean && this.#log.position?.seq === this.#log.part.head?.seq;
  }

  async #begin(): Promise<void> {
    const { store, lease, own, platform } = this.parts;
    const part = lease.log ?? EMPTY_LOG;
    this.#spool.clear();
    const history = part.head && part.bases.length > 0 ? new LogHistory(store, own.keys, part, this.#token) : null;
    const { checkpoint, warning } = await catchUp(this.#data, own.keys, history);
    if (warning) this.#warn(warning);
    this.#log.part = part;
    if (checkpoint) {
      const { position, map, files, bytesSince } = checkpoint;
      const step = stepAfter(position.seq, platform.clock.now(), await history!.steps().catch(() => []));
      const known = new Map(files.map((file) => [file.path, file]));
      Object.assign(this.#log, { position, map, files: known, bytesSince, step });
    } else dropCheckpoint(this.#data);
    this.#retainedAt = this.#acknowledgedAt = platform.clock.now();
    this.#begun = true;
  }

  /** Moves to the newest state, and notes which pages changed. */
  async #observe(): Promise<void> {
    const { tracker, platform } = this.parts;
    const { map } = this.#log;
    if (tracker.advance().gap) {
      if (map) {
        // Shipments read the tracker and change the map: they pause.
        const compared = tracker.compare(map, breathe);
        this.#comparing = compared.catch(() => {});
        await compared;
      } else this.#base = null;
    }
    tracker.settle();
    const { dirty, pageCount } = tracker;
    if (dirty.size > 0) this.#dirtySince ??= platform.clock.now();
    for (const pages of [this.#change?.rest ?? this.#dirty, this.#base?.shipment.rest, this.#log.step.pages]) {
      pages?.union(dirty);
      pages?.deleteAfter(pageCount);
    }
    dirty.clear();
  }

  #continueShipments(): void {
    const { own, platform } = this.parts;
    const isNeeded = this.#wantsBase || needsBase(this.#log, own.keys.newest, platform.clock.now());
    if (!this.#base && isNeeded) this.#base = this.#newBase();
    const shipments = [this.#base?.shipment, this.#change].filter((one) => one != null);
    const done = shipments.reduce((sum, { progress }) => sum + progress.done, 0);
    if (done !== this.#failedAtBytes) this.#shipmentFailures.clear();
    for (const shipment of shipments) {
      shipment.run((error) => {
        this.#failedAtBytes = done;
        this.#shipmentFailures.note(error);
      });
    }
  }

  #newBase(): Base {
    const { tracker, own } = this.parts;
    this.#wantsBase = false;
    const pages = new PageSet();
    pages.addRange(1, tracker.pageCount);
    const key = own.keys.newest;
    const map = new PageMap(tracker.pageSize);
    return { shipment: this.#shipment(key, map, pages, this.#watch.list()), map, key };
  }

  #shipment(key: string, map: PageMap, pages: PageSet, files: DataFile[]): Shipment {
    const { store, tracker, own } = this.parts;
    const uploader = new PackUploader(store, own.keys.crypt(key)!, this.#token);
    const gate = async () => void (await this.#comparing);
    return new Shipment({ tracker, uploader, data_dir: this.#data, map, pages, files, gate });
  }

  #isDue(flush: boolean): boolean {
    const now = this.parts.platform.clock.now();
    if (flush || this.#base?.shipment.ready || this.#change?.ready) return true;
    if (this.#dirtySince !== null && now - this.#dirtySince >= GATHER_MS) return true;
    return now - this.#filesAt >= FILES_EVERY_MS;
  }

  /**
   * Reads what changed at the current state, and sends it.
   * @returns false if more passes are needed, because there is no base yet, or a large change is being sent
   */
  async #ship(): Promise<boolean> {
    this.#filesAt = this.parts.platform.clock.now();
    // Listed after the snapshot: files are written before the rows that refer to them.
    const listed = this.#watch.list();
    if (!this.#log.position) {
      await this.#shipFreshBase(listed);
      return false;
    }
    const changes = await fileChanges(this.#data, listed, this.#log.files);
    const bytes = changes.put.reduce((sum, { size }) => sum + size, this.#dirty.size * this.parts.tracker.pageSize);
    if (!this.#change && bytes > PACK_BYTES) {
      const pages = new PageSet();
      pages.union(this.#dirty);
      this.#dirty.clear();
      this.#change = this.#shipment(this.#queue.key, this.#log.map!, pages, changes.put);
      this.#continueShipments();
    }
    if (this.#change && !this.#change.ready) return false;
    return this.#shipAll(listed, changes);
  }

  async #shipAll(listed: readonly DataFile[], changes: FileChanges): Promise<boolean> {
    const base = this.#base?.shipment.ready ? this.#base : null;
    const change = this.#change;
    const isSame = this.#read(() => this.#moments.add(change?.rest ?? this.#dirty, listed, changes, change, base));
    if (isSame === null) return false;
    this.#dirtySince = null;
    this.#change = null;
    if (base) this.#base = null;
    await this.#queue.send();
    if (isSame) return true;
    this.#warn("The continuous copy differed from the database, and is sent again as a whole.");
    await this.#acknowledge(true);
    // No change leads from here to the current state.
    Object.assign(this.#log, { position: null, map: null });
    return false;
  }

  async #shipFreshBase(listed: readonly DataFile[]): Promise<void> {
    const base = this.#base;
    if (!base?.shipment.ready) return;
    const added = this.#read(() => {
      this.#moments.addFreshBase(base, listed);
      return true;
    });
    if (!added) return;
    this.#base = null;
    this.#dirty.clear();
    this.#dirtySince = null;
    await this.#queue.send();
  }

  /** @returns null if the snapshot was lost. The next pass compares everything */
  #read(add: () => boolean): boolean | null {
    try {
      return add();
    } catch (error) {
      if (error instanceof LostSnapshotError) return null;
      throw error;
    }
  }

  /** Notes in `primary` what is in the store. */
  async #acknowledge(now: boolean): Promise<void> {
    const { lease, own, platform, acknowledgeMs } = this.parts;
    const { position: head, part, changed } = this.#log;
    if (!head || (head.seq === part.head?.seq && head.token === part.head.token && !changed)) return;
    // Readers look for what follows the acknowledged state under its token only.
    const mustNow = now || changed || head.token !== part.head?.token;
    if (!mustNow && platform.clock.now() - this.#acknowledgedAt < acknowledgeMs) return;
    const next = { ...part, head };
    await lease.renew(next);
    Object.assign(this.#log, { part: next, changed: false });
    await own.sealed();
    this.#acknowledgedAt = platform.clock.now();
  }

  #checkpoint(): void {
    const { position, map, files, bytesSince } = this.#log;
    // While something is on its way, the map is ahead of the log.
    if (!position || !map || !this.#queue.isEmpty || this.#change || position.seq === this.#checkpointSeq) return;
    const { own, platform } = this.parts;
    const checkpoint = { position, map, files: [...files.values()], bytesSince };
    const bytes = writeCheckpoint(this.#data, own.keys, checkpoint);
    this.#checkpointSeq = position.seq;
    this.#checkpointAt = platform.clock.now() + Math.max(CHECKPOINT_EVERY_MS, bytes / CHECKPOINT_BYTES_PER_MS);
  }

  /** Once a day, forgets what is older than the history, and then deletes it. */
  async #retain(): Promise<void> {
    const { platform, historyDays, own } = this.parts;
    const now = platform.clock.now();
    if (now - this.#retainedAt < DAY_MS || !this.#log.part.head) return;
    const part = retained(this.#log.part, now - historyDays * DAY_MS);
    if (part !== this.#log.part) {
      Object.assign(this.#log, { part, changed: true });
      await this.#acknowledge(true);
      await own.drop(new Set(part.bases.map(({ key }) => key)));
    }
    // Repairs the keys if someone deleted or changed them.
    await own.check();
    this.#retainedAt = now;
    // A list and deletes can take minutes. What is left over costs space, nothing else.
    this.#deleting = this.#deleteOld()
      .catch((error) => platform.log.warn("old objects of the continuous copy were not deleted", errorFields(error)))
      .finally(() => {
        this.#deleting = null;
      });
  }

  async #deleteOld(): Promise<void> {
    const result = await deleteOld(this.parts.store, this.#log.part);
    if (result) this.#kept = result.kept;
    else {
      this.#warn("A part of the continuous copy was missing in its place. A new base is sent.");
      this.#wantsBase = true;
    }
  }
}
