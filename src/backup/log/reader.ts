import { type Static, Type } from "@sinclair/typebox";
import { isoTime } from "../../kernel/clock.ts";
import type { ObjectStore } from "../../platform/objects/store.ts";
import { SealBroken } from "../../platform/sealing/box.ts";
import type { Secret } from "../envelope.ts";
import { shaped } from "../shapes.ts";
import { explained, LogFault } from "./faults.ts";
import { LogHistory, type LogPosition, type OpenedSegment, type Until } from "./history.ts";
import { KEYS_KEY, LONGEST_KEYS_BYTES, type LogKeys, openKeys } from "./log-keys.ts";
import { type LogPart, LogPartShape } from "./log-part.ts";

/** Key of the object that names the primary and the acknowledged state. `src/backup/lease` writes it. */
export const PRIMARY_KEY = "primary";
const LONGEST_PRIMARY_BYTES = 1024 * 1024;
/** How often a log that changes while it is read is begun again without a segment between. */
const MOST_ROUNDS = 10;

/** The fields of the lease that readers of the log use. */
const PrimaryShape = Type.Object({
  token: Type.Integer({ minimum: 0 }),
  writtenAt: Type.Integer({ minimum: 0 }),
  log: Type.Union([LogPartShape, Type.Null()]),
});
type Primary = Static<typeof PrimaryShape>;

/** Reads a log, on any machine that has one of the secrets of its backups. */
export class LogReader {
  #primary: Primary;
  #keys: LogKeys;
  #history: LogHistory;

  private constructor(
    readonly store: ObjectStore,
    private readonly secrets: readonly Secret[],
    /** The secret that opened the keys. */
    readonly secret: Secret,
    keys: LogKeys,
    primary: Primary,
  ) {
    this.#keys = keys;
    this.#primary = primary;
    this.#history = historyOf(store, keys, primary);
  }

  /**
   * Opens the log of a place.
   * @returns null if there is none @throws UserError, LogFault, also "incomplete"
   */
  static async open(store: ObjectStore, secrets: readonly Secret[]): Promise<LogReader | null> {
    const found = await load(store, secrets);
    return found && new LogReader(store, secrets, found.secret, found.keys, found.primary);
  }

  get keys(): LogKeys {
    return this.#keys;
  }

  get history(): LogHistory {
    return this.#history;
  }

  /** When the newest acknowledged state was read by the primary, ms. */
  get newestAt(): number {
    return this.#history.part.head!.at;
  }

  /** When the primary last wrote to the place, by its clock, ms. */
  get writtenAt(): number {
    return this.#primary.writtenAt;
  }

  get token(): number {
    return this.#primary.token;
  }

  /**
   * Reads the newest state again, and the keys if they changed.
   * @throws LogFault "behind" if `primary` is older than the one that was read before; nothing changes then
   */
  async refresh(): Promise<void> {
    const { store } = this;
    const found = await explained(() => store.get(PRIMARY_KEY, LONGEST_PRIMARY_BYTES));
    let primary = found && openPrimary(store, this.#keys, found.bytes);
    const { content, newest } = this.#keys;
    // The keys may have been read just before the earlier ones lost their right to seal `primary`.
    const isSettled = content.primary === newest;
    if (!isSettled || !primary?.log?.bases.every(({ key }) => this.#keys.crypt(key))) {
      const loaded = await load(store, this.secrets);
      if (!loaded) throw new LogFault("missing", `${store.place}/${KEYS_KEY} is missing.`);
      if (loaded.keys.logId !== this.#keys.logId) {
        throw new LogFault("replaced", `${store.place}/${KEYS_KEY} is of another continuous copy.`);
      }
      ({ primary } = loaded);
      this.#requireNoOlder(primary);
      this.#keys = loaded.keys;
    }
    this.#requireNoOlder(primary);
    const named = ({ token, log }: Primary) => JSON.stringify([token, log]);
    if (named(primary) !== named(this.#primary)) this.#history = historyOf(store, this.#keys, primary);
    this.#primary = primary;
  }

  /**
   * Returns when the newest state was read that is not after a time, ms, or an earlier time if that is not known without
   * reading the log; null if there is no such state. @param at ms; null: now
   */
  reached(at: number | null): number | null {
    const { bases } = this.#history.part;
    if (at === null || this.newestAt <= at) return this.newestAt;
    const base = bases.findLast((one) => one.at <= at);
    if (!base) return null;
    // What was before a fresh base may have ended long before it.
    return bases.find((one) => one.at > at)?.fresh ? base.at : at;
  }

  /**
   * Yields segments that lead from a state to another one, verified. Read each before the next one is requested.
   * @param from null: from the beginning @throws LogFault, UserError
   */
  async *segments(from: LogPosition | null, until: Until): AsyncGenerator<OpenedSegment> {
    let at = from;
    for (let rounds = 1; ; rounds++) {
      try {
        for await (const segment of this.#history.segments(at, until)) {
          yield segment;
          at = segment.position;
          rounds = 1;
        }
        return;
      } catch (error) {
        if (!(error instanceof LogFault) || error.kind === "damaged" || rounds === MOST_ROUNDS) throw error;
        // Another machine took over, or old segments were deleted, after `primary` was read.
        const before = this.#history;
        await this.refresh();
        if (this.#history === before) throw error;
      }
    }
  }

  #requireNoOlder({ token, log }: Primary): void {
    const known = this.#primary;
    const seqOf = (part: LogPart | null) => part?.head?.seq ?? 0;
    if (token > known.token || (token === known.token && seqOf(log) >= seqOf(known.log))) return;
    throw olderPrimary(this.store);
  }

  /** Says how old the newest state is: someone who can write to the place can put back an earlier one as a whole. */
  describe(): string {
    const { bases } = this.#history.part;
    return `The continuous copy in ${this.store.place} reaches at least ${isoTime(this.newestAt)} (last sign of the server: ${isoTime(this.writtenAt)}) and goes back to ${isoTime(bases[0]!.at)}.`;
  }
}

/** Returns the fault of a place whose `primary` is not the newest one that was there. */
export function olderPrimary({ place }: ObjectStore): LogFault {
  return new LogFault(
    "behind",
    `${place}/${PRIMARY_KEY} is older than what was read before. If you did not put back an earlier version, someone else may have access to this place.`,
  );
}

function historyOf(store: ObjectStore, keys: LogKeys, { token, log }: Primary): LogHistory {
  if (!log?.head || log.bases.length === 0) {
    throw new LogFault(
      "incomplete",
      `The continuous copy in ${store.place} is not complete yet: its first base is still being sent.`,
    );
  }
  return new LogHistory(store, keys, log, token);
}

async function load(
  store: ObjectStore,
  secrets: readonly Secret[],
): Promise<{ keys: LogKeys; secret: Secret; primary: Primary } | null> {
  const found = await explained(() => store.get(KEYS_KEY, LONGEST_KEYS_BYTES));
  if (!found) {
    if (await explained(() => store.head(PRIMARY_KEY)))
      throw new LogFault("missing", `${store.place}/${KEYS_KEY} is missing.`);
    return null;
  }
  const { keys, secret } = await openKeys(store.place, found.bytes, secrets);
  const bytes = (await explained(() => store.get(PRIMARY_KEY, LONGEST_PRIMARY_BYTES)))?.bytes;
  const name = `${store.place}/${PRIMARY_KEY}`;
  if (!bytes) throw new LogFault("missing", `${name} is missing.`);
  const primary = openPrimary(store, keys, bytes);
  if (!primary) throw new LogFault("damaged", `${name} is damaged, or belongs to another installation.`);
  return { keys, secret, primary };
}

/** @returns null if it is damaged, or sealed with another key */
function openPrimary(store: ObjectStore, keys: LogKeys, bytes: Uint8Array): Primary | null {
  try {
    return shaped(PrimaryShape, `${store.place}/${PRIMARY_KEY}`, "state", keys.open(bytes));
  } catch (error) {
    if (error instanceof SealBroken) return null;
    throw error;
  }
}
