import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { CancelTimer, SteadyClock } from "../../kernel/clock.ts";
import { UserError } from "../../kernel/errors.ts";
import type { Pause } from "../../platform/acting.ts";
import { DeferredStoreCalls } from "../../platform/ledger/deferred-calls.ts";
import { errorFields } from "../../platform/log.ts";
import { openPlace } from "../../platform/objects/open.ts";
import { type ObjectStore, StoreFault } from "../../platform/objects/store.ts";
import { PageTracker } from "../../platform/pages/page-tracker.ts";
import type { Platform } from "../../platform/platform.ts";
import { changeCopyState, readCopyState } from "../copies/state.ts";
import { requireCopyFolder } from "../folder.ts";
import { LeaseFault, type Loss } from "../lease/faults.ts";
import { HeldView } from "../lease/held.ts";
import { type Holder, readHolder } from "../lease/holder.ts";
import { keepLease } from "../lease/keep.ts";
import { Lease } from "../lease/lease.ts";
import { pause } from "../lease/pause.ts";
import { LEASE_PATIENCE, type LeasePort, StoreLeasePort } from "../lease/port.ts";
import { RENEW_MS } from "../lease/timing.ts";
import { LOCAL_FOLDER } from "../log/local-files.ts";
import type { LeaseView, LogPart } from "../log/log-part.ts";
import { OwnKeys } from "../log/own-keys.ts";
import { LogWriter } from "../log/writer.ts";
import type { BackupTarget } from "../target.ts";
import type { FromLogWorker } from "./messages.ts";
import { takenOverPause, waitingPause } from "./pauses.ts";
import { stateOf } from "./report.ts";
import { copyingTarget, type LeaseHolder, writeCopyingState } from "./state.ts";

export interface RunnerParts {
  /** With its own connection to the database. */
  platform: Platform;
  steady: SteadyClock;
  /** Id of this process as a holder of the lease. */
  session: string;
  /** The memory of the view of the lease. */
  held: SharedArrayBuffer;
  post(message: FromLogWorker): void;
}

const TICK_MS = 1_000;
/** The state is written at least this often, so that commands see that the server runs. */
const REPORT_EVERY_MS = 30_000;
/** Pause before the place is opened again. */
const OPEN_AGAIN_MS = 5_000;
/** Without standbys, no one waits for the acknowledgement of each segment, and the lease is renewed for people only. */
const ALONE_MS = 60_000;
/** How long a stop tries to send what is left. */
const LAST_FLUSH_MS = 2_000;

/** What is open while the lease is held. */
interface Writing {
  writer: LogWriter;
  tracker: PageTracker;
}

/**
 * Keeps the lease, and sends changes while it is held: the content of the log worker. Failures are noted and repeated,
 * until it is stopped.
 */
export class LogRunner {
  readonly #target: BackupTarget;
  readonly #standby: boolean;
  readonly #view: HeldView;
  readonly #holder: Holder;
  readonly #calls: DeferredStoreCalls;
  readonly #end = new AbortController();
  /** Since when no one has looked for changes, while there is no writer. */
  #unwatchedSince: number;
  #store: ObjectStore | null = null;
  #leaseStore: ObjectStore | null = null;
  #lease: Lease | null = null;
  #writing: Writing | null = null;
  /** Begins to send changes, if the lease is held and this is not done yet. */
  #beginWriting: () => void = () => {};
  #closing: Promise<void> = Promise.resolve();
  #running: Promise<void> = Promise.resolve();
  #pause: Pause | null = null;
  #replacedBy: LeaseHolder | null = null;
  #fault: { since: number; count: number; message: string } | null = null;
  #ticking: Promise<void> | null = null;
  #stopTicks: CancelTimer = () => {};
  #stopping = false;
  #reported = "";
  #reportedAt = 0;

  /** @throws Error if there is no place for copies */
  constructor(private readonly parts: RunnerParts) {
    const { platform, steady, session, held } = parts;
    const target = copyingTarget(platform);
    if (!target) throw new Error("There is no place for copies.");
    this.#target = target;
    const { config, clock, db } = platform;
    const { data_dir } = config;
    this.#standby = config.get("backup.standby");
    this.#view = new HeldView(steady, held);
    this.#unwatchedSince = clock.now();
    mkdirSync(join(data_dir, LOCAL_FOLDER), { recursive: true, mode: 0o700 });
    mkdirSync(join(data_dir, "run"), { recursive: true, mode: 0o700 });
    this.#holder = readHolder(data_dir, session);
    this.#calls = new DeferredStoreCalls(join(data_dir, LOCAL_FOLDER, "calls"), db, clock);
  }

  /** Begins. It ends with `stop`. */
  start(): void {
    const { supersededBy } = this.#holder.memory;
    // Known without asking the store.
    if (supersededBy) this.#takenOver({ name: supersededBy.name, since: supersededBy.takenAt });
    // The main thread waits a moment before it believes this.
    else if (this.#standby) this.#pause = waitingPause(this.parts.platform.clock.now());
    this.#running = this.#run().catch((error: unknown) => {
      if (!this.#end.signal.aborted) this.#failed(error);
    });
    this.#tickSoon();
  }

  /** Sends everything that was committed before. @returns why that failed, as a sentence; null if it did not */
  async flush(): Promise<string | null> {
    if (!this.#writing) return this.#fault?.message ?? "The lease is not held.";
    try {
      await this.#writing.writer.flush();
      return null;
    } catch (error) {
      return sentenceOf(error);
    }
  }

  /** Ends. @param release also sends what is left, and gives up the lease */
  async stop(release: boolean): Promise<void> {
    this.#stopping = true;
    this.#stopTicks();
    if (release && this.#writing) {
      const late = pause(this.parts.platform.clock, LAST_FLUSH_MS, this.#end.signal).catch(() => {});
      await Promise.race([this.#writing.writer.flush().catch(() => {}), late]);
    }
    // Ends requests to the store that run: a store that does not answer must not delay this. The lease has its own.
    this.#end.abort();
    await this.#stopWriting();
    await this.#running;
    if (release) await this.#lease?.release().catch(() => false);
    this.#report(true);
    this.#store?.close();
    this.#leaseStore?.close();
  }

  async #run(): Promise<void> {
    const { platform, steady } = this.parts;
    const { clock } = platform;
    const { signal } = this.#end;
    const own = await this.#open();
    if (!own) return;
    const lease = new Lease({
      port: this.#port(this.#leaseStore!),
      // Not the object itself: the lease takes its functions out of it.
      seal: { seal: (plain) => own.keys.seal(plain), open: (sealed) => own.keys.open(sealed) },
      holder: this.#holder,
      mode: this.#standby ? "standby" : "alone",
      clock,
      steady,
      view: this.#view,
    });
    this.#lease = lease;
    lease.onLost((loss) => this.#lost(loss));
    try {
      await keepLease(
        {
          lease,
          clock,
          renewMs: this.#standby ? RENEW_MS : ALONE_MS,
          gained: () => this.#gained(lease, own),
          failed: (error) => this.#failed(error),
        },
        signal,
      );
    } catch (error) {
      if (!(error instanceof LeaseFault) || error.reason !== "superseded") throw error;
      const by = error.by ?? this.#holder.memory.supersededBy;
      this.#takenOver(by && { name: by.name, since: by.takenAt });
    }
  }

  /** Opens the place and its keys, and tries again until that works. @returns null when this ends before */
  async #open(): Promise<OwnKeys | null> {
    const { platform } = this.parts;
    const { config, clock } = platform;
    const { signal } = this.#end;
    for (;;) {
      try {
        const { place, id } = this.#target;
        if (place.kind === "folder") {
          const known = readCopyState(platform, id).mount;
          const { mount } = requireCopyFolder(config.data_dir, place.path, known ?? this.#target.mount);
          if (mount !== known) changeCopyState(platform, id, { mount });
        }
        const options = { clock, calls: this.#calls };
        this.#store ??= openPlace(place, this.#target, { ...options, signal });
        this.#leaseStore ??= openPlace(place, this.#target, { ...options, patience: LEASE_PATIENCE });
        const own = await OwnKeys.open(platform, this.#store);
        this.#fault = null;
        return own;
      } catch (error) {
        if (signal.aborted) return null;
        this.#failed(error);
      }
      try {
        await pause(clock, OPEN_AGAIN_MS, signal);
      } catch {
        return null;
      }
    }
  }

  /** The object of the lease. While it cannot be reached, the lease waits without a word, so the reason is noted here. */
  #port(store: ObjectStore): LeasePort {
    const port = new StoreLeasePort(store, this.#standby);
    const noted = async <T>(request: () => Promise<T>): Promise<T> => {
      try {
        const answer = await request();
        this.#fault = null;
        return answer;
      } catch (error) {
        if (!(error instanceof StoreFault) || error.reason !== "conflict") this.#failed(error);
        throw error;
      }
    };
    return {
      place: port.place,
      read: () => noted(() => port.read()),
      write: (body, condition) => noted(() => port.write(body, condition)),
    };
  }

  #gained(lease: Lease, own: OwnKeys): void {
    this.#fault = null;
    this.#replacedBy = null;
    this.#set(null);
    this.#beginWriting = () => {
      this.#closing = this.#closing
        .then(() => {
          if (lease.held && !this.#writing && !this.#end.signal.aborted) this.#writing = this.#write(lease, own);
        })
        .catch((error: unknown) => this.#failed(error));
    };
    this.#beginWriting();
  }

  #write(lease: Lease, own: OwnKeys): Writing {
    const { platform } = this.parts;
    const { config } = platform;
    const tracker = PageTracker.open(join(config.data_dir, "postroom.db"));
    try {
      const writer = new LogWriter({
        platform,
        store: this.#store!,
        tracker,
        lease: viewOf(lease),
        own,
        calls: this.#calls,
        acknowledgeMs: this.#standby ? 0 : ALONE_MS,
        historyDays: config.get("backup.history_days"),
      });
      return { writer, tracker };
    } catch (error) {
      tracker.close();
      throw error;
    }
  }

  #lost({ reason, by }: Loss): void {
    void this.#stopWriting();
    if (reason === "taken") this.#takenOver(by && { name: by.name, since: by.takenAt });
    else if (this.#standby) this.#set(waitingPause(this.parts.platform.clock.now()));
  }

  #takenOver(by: LeaseHolder | null): void {
    this.#view.revoke();
    this.#replacedBy = by;
    this.#set(takenOverPause(this.parts.platform.clock.now()));
  }

  #set(why: Pause | null): void {
    this.#pause = why;
    this.parts.post({ type: "acting", pause: why });
    this.#report(true);
  }

  /** Ends the writer. What it has not sent, the next one sends. */
  #stopWriting(): Promise<void> {
    const writing = this.#writing;
    this.#writing = null;
    if (writing) this.#unwatchedSince = this.parts.platform.clock.now() - writing.writer.status().lagMs;
    this.#closing = this.#closing
      .then(async () => {
        await this.#ticking;
        await writing?.writer.close();
      })
      .catch((error: unknown) => this.#failed(error))
      .then(() => writing?.tracker.close());
    return this.#closing;
  }

  #tickSoon(): void {
    this.#stopTicks = this.parts.platform.clock.after(TICK_MS, () => {
      this.#ticking = this.#tick().finally(() => {
        this.#ticking = null;
        if (!this.#stopping) this.#tickSoon();
      });
    });
  }

  async #tick(): Promise<void> {
    const writing = this.#writing;
    // The last attempt may have failed.
    if (!writing) this.#beginWriting();
    try {
      await writing?.writer.tick();
    } catch (error) {
      if (this.#end.signal.aborted) return;
      // The writer notes it, too.
      const known = error instanceof StoreFault || error instanceof UserError || error instanceof LeaseFault;
      if (!known) this.parts.platform.log.error("the continuous copy failed unexpectedly", errorFields(error));
    }
    this.#report(false);
  }

  #failed(error: unknown): void {
    const { clock, log } = this.parts.platform;
    const message = sentenceOf(error);
    const { since = clock.now(), count = 0, message: before = "" } = this.#fault ?? {};
    this.#fault = { since, count: count + 1, message };
    const known = error instanceof StoreFault || error instanceof UserError || error instanceof LeaseFault;
    if (message !== before) {
      log.warn("the continuous copy waits", { reason: message, ...(known ? {} : errorFields(error)) });
    }
    // A store that does not answer must not keep a server without standbys from acting.
    if (!this.#standby && this.#pause === null) this.#set(null);
    else this.#report(true);
  }

  /** Writes the state for doctor, metrics and the settings page, if it changed. */
  #report(now: boolean): void {
    const { config, clock, log } = this.parts.platform;
    const at = clock.now();
    const state = stateOf({
      at,
      target: this.#target,
      standby: this.#standby,
      pause: this.#pause,
      lease: this.#lease,
      replacedBy: this.#replacedBy,
      fault: this.#fault,
      unwatchedSince: this.#unwatchedSince,
      writer: this.#writing?.writer.status() ?? null,
    });
    const text = JSON.stringify({ ...state, at: 0 });
    if (!now && text === this.#reported && at - this.#reportedAt < REPORT_EVERY_MS) return;
    this.#reported = text;
    this.#reportedAt = at;
    try {
      writeCopyingState(config.data_dir, state);
    } catch (error) {
      log.warn("the state of the continuous copy could not be written", errorFields(error));
    }
  }
}

/** The lease as the log uses it. */
function viewOf(lease: Lease): LeaseView {
  return {
    get token() {
      return lease.token;
    },
    get log() {
      return (lease.body?.log ?? null) as LogPart | null;
    },
    renew: (part) => lease.renew(part),
  };
}

function sentenceOf(error: unknown): string {
  const known = error instanceof StoreFault || error instanceof UserError || error instanceof LeaseFault;
  return known ? error.message : "An internal error occurred. See the log.";
}
