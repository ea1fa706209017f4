import { createHash } from "node:crypto";
import { isoTime } from "../../kernel/clock.ts";
import { UserError } from "../../kernel/errors.ts";
import { type ObjectStore, StoreFault } from "../../platform/objects/store.ts";
import { SealBroken } from "../../platform/sealing/box.ts";
import { type Coordinates, type LogCrypt, OtherObject, type Pack, type Segment } from "./crypt.ts";
import { explained, LogFault } from "./faults.ts";
import type { LogKeys } from "./log-keys.ts";
import type { LogBase, LogHead, LogPart } from "./log-part.ts";
import { decodeManifest, decompress, type LogManifest, type LogStep } from "./manifest.ts";
import { PACK_BYTES } from "./pack-uploader.ts";
import { decodeRecords, type LogRecord } from "./records.ts";

/** A pack has 8 MiB of content and at most one more record; zstd adds little to what it cannot compress. */
const LONGEST_BYTES = 4 * PACK_BYTES;
const LONGEST_CONTENT_BYTES = 2 * PACK_BYTES;
/** Objects that are requested ahead: packs of 8 MiB, and changes, which are small. */
const PACKS_AHEAD = 4;
const CHANGES_AHEAD = 8;
/** Fewer changes than this are read one by one, without looking for a step. */
const LEAST_SKIPPED = 16;

/** A state in the log: after this segment. `chain` is what the next change names as the previous hash. */
export type LogPosition = LogHead;

/** A segment whose manifest was verified. */
export interface OpenedSegment {
  manifest: LogManifest;
  /** For messages. */
  name: string;
  sha256: string;
  position: LogPosition;
  /** Bytes that reading all of it needs. */
  bytes: number;
  records(): AsyncIterable<LogRecord>;
}

/** Where to stop: the newest state, or the last one that is not after a time. */
export type Until = "newest" | { at: number };

/**
 * Reads the segments of a log in the order of their states, and verifies that none is missing, damaged, from elsewhere
 * or from another time.
 */
export class LogHistory {
  #steps: LogStep[] | null = null;

  constructor(
    private readonly store: ObjectStore,
    private readonly keys: LogKeys,
    readonly part: LogPart,
    /** Token of the lease; that of the newest segment, or a later one that has not acknowledged a segment yet. */
    private readonly token: number,
  ) {}

  /** Returns whether a state is in this log, and what follows it can still be read. */
  reaches({ token, seq }: Pick<LogPosition, "token" | "seq">): boolean {
    const { bases, head } = this.part;
    return head !== null && bases.length > 0 && seq >= bases[0]!.seq && this.#tokenOf(seq) === token;
  }

  /**
   * Returns whether a state that `reaches` is really the one in the store, and not one that was taken back there.
   * @throws LogFault
   */
  async confirms({ token, seq, chain }: LogPosition): Promise<boolean> {
    const { head, bases } = this.part;
    if (seq === head?.seq) return chain === head.chain;
    // The next change names its hash.
    if (head && seq < head.seq) return true;
    const isBase = bases.some((base) => base.seq === seq && base.token === token);
    return isBase || (await this.#find({ level: "change", token, seq }))?.position.chain === chain;
  }

  /** Returns all steps since the oldest base, oldest first. */
  async steps(): Promise<LogStep[]> {
    const { step } = this.part;
    if (this.#steps || !step) return this.#steps ?? [];
    const { token, seq, sha256 } = step;
    const { manifest } = await this.#require({ level: "step", token, seq }, sha256);
    this.#steps = [...manifest.steps, { from: manifest.from ?? seq, token, seq, at: manifest.at, sha256 }];
    return this.#steps;
  }

  /**
   * Yields segments that lead from a state to another one. Each is to be read before the next one is requested.
   * @param from null: from a base @throws LogFault, UserError
   */
  async *segments(from: LogPosition | null, until: Until): AsyncGenerator<OpenedSegment> {
    let at = from && this.reaches(from) ? from : null;
    if (!at) {
      const base = await this.#base(this.#newestBase(until));
      yield base;
      at = base.position;
    }
    for (let step = await this.#stepFrom(at, until); step; step = await this.#stepFrom(at, until)) {
      yield step;
      at = step.position;
    }
    yield* this.#changes(at, until);
  }

  async *#changes(from: LogPosition, until: Until): AsyncGenerator<OpenedSegment> {
    const { head, bases } = this.part;
    const requested = new Map<number, Promise<OpenedSegment | null>>();
    let at = from;
    for (let seq = from.seq + 1; ; seq++) {
      const fresh = bases.find((base) => base.fresh && base.seq === seq);
      if (fresh) {
        if (until !== "newest" && fresh.at > until.at) return;
        const base = await this.#base(fresh);
        yield base;
        at = base.position;
        continue;
      }
      for (let ahead = seq; ahead <= Math.min(head!.seq, seq + CHANGES_AHEAD); ahead++) {
        if (requested.has(ahead) || bases.some((base) => base.fresh && base.seq === ahead)) continue;
        const request = this.#find(this.#change(ahead));
        request.catch(() => {});
        requested.set(ahead, request);
      }
      // After the acknowledged state, there may be segments whose acknowledgement is still to be written.
      const change = await (requested.get(seq) ?? this.#find(this.#change(seq)));
      requested.delete(seq);
      if (!change) {
        if (seq <= head!.seq) throw this.#missing(this.#change(seq));
        return this.#requireNoLater(at);
      }
      const { manifest, name } = change;
      if (manifest.previous !== at.chain) {
        // What a process wrote after another one had taken over is not part of the log.
        if (seq > head!.seq) return;
        throw new LogFault("replaced", `${name} does not follow the segment before it: it is of another history.`);
      }
      if (until !== "newest" && manifest.at > until.at) return;
      yield change;
      at = change.position;
    }
  }

  /** Returns the base to begin with. @throws UserError if there is none */
  #newestBase(until: Until): LogBase {
    const { bases } = this.part;
    const found = bases.findLast(({ at }) => until === "newest" || at <= until.at);
    if (found) return found;
    const oldest = bases[0];
    const since = oldest ? ` The oldest is of ${isoTime(oldest.at)}.` : "";
    throw new UserError(`The continuous copy in ${this.store.place} has no state from that time or before.${since}`);
  }

  async #base({ token, seq, sha256 }: LogBase): Promise<OpenedSegment> {
    return this.#require({ level: "base", token, seq }, sha256);
  }

  /** Returns the step that leads furthest from a state; null if changes are as good. */
  async #stepFrom(from: LogPosition, until: Until): Promise<OpenedSegment | null> {
    if (this.part.head!.seq - from.seq < LEAST_SKIPPED) return null;
    const step = (await this.steps()).findLast(
      ({ from: begins, seq, token, at }) =>
        begins <= from.seq &&
        seq > from.seq &&
        this.#tokenOf(seq) === token &&
        !this.part.bases.some((base) => base.fresh && base.seq > from.seq && base.seq <= seq) &&
        (until === "newest" || at <= until.at),
    );
    if (!step) return null;
    return this.#require({ level: "step", token: step.token, seq: step.seq }, step.sha256);
  }

  #change(seq: number): Segment {
    return { level: "change", token: this.#tokenOf(seq), seq };
  }

  /** Under which token a state counts. */
  #tokenOf(seq: number): number {
    const { ancestors, head } = this.part;
    return ancestors.find((ancestor) => seq <= ancestor.seq)?.token ?? head!.token;
  }

  /** A base begins the use of its key; the change with the same number is still under the key before. */
  #cryptOf({ level, seq }: Segment): LogCrypt {
    const { bases } = this.part;
    const of = bases.findLast((base) => (level === "base" ? base.seq <= seq : base.seq < seq)) ?? bases[0];
    const crypt = of && this.keys.crypt(of.key);
    if (!crypt) throw new LogFault("replaced", `${this.store.place}/keys lacks a key that the continuous copy needs.`);
    return crypt;
  }

  async #require(of: Segment, sha256: string): Promise<OpenedSegment> {
    const found = await this.#find(of);
    if (!found) throw this.#missing(of);
    if (found.sha256 !== sha256) throw new LogFault("replaced", `${found.name} was replaced by another version of it.`);
    return found;
  }

  async #find(of: Segment): Promise<OpenedSegment | null> {
    const crypt = this.#cryptOf(of);
    const key = crypt.name(of);
    const name = this.#nameOf(key, of);
    const found = await this.#get(key, name);
    if (!found) return null;
    const opened = decodeManifest(of, this.#open(name, crypt, of, found.bytes));
    if (!opened) throw new LogFault("replaced", `${name} was written by a newer version of Postroom, or is damaged.`);
    const { manifest, content } = opened;
    const sha256 = createHash("sha256").update(found.bytes).digest("hex");
    const chain = manifest.level === "change" ? sha256 : (manifest.after ?? sha256);
    const { token, seq, at, state } = manifest;
    this.#requireHead({ token, seq, at, state, chain }, name);
    return {
      manifest,
      name,
      sha256,
      position: { token, seq, at, state, chain },
      bytes: found.bytes.length + manifest.packs.reduce((sum, { bytes }) => sum + bytes, 0),
      records: () => this.#records(of, manifest, content),
    };
  }

  /** @throws LogFault if it is larger than what Postroom writes, UserError if the store fails */
  async #get(key: string, name: string): Promise<{ bytes: Uint8Array } | null> {
    try {
      return await this.store.get(key, LONGEST_BYTES);
    } catch (error) {
      if (!(error instanceof StoreFault)) throw error;
      const info = error.reason === "refused" ? await this.store.head(key).catch(() => null) : null;
      if (info && info.bytes > LONGEST_BYTES) {
        throw new LogFault("replaced", `${name} was replaced: it has ${info.bytes} bytes, more than Postroom writes.`);
      }
      throw new UserError(error.message, { cause: error });
    }
  }

  #open(name: string, crypt: LogCrypt, of: Coordinates, bytes: Uint8Array): Uint8Array {
    try {
      return crypt.open(of, bytes);
    } catch (error) {
      if (error instanceof OtherObject) {
        throw new LogFault("replaced", `${name} was replaced: it has the content of another object (${error.found}).`);
      }
      if (!(error instanceof SealBroken)) throw error;
      throw new LogFault("damaged", `${name} is damaged, or belongs to another installation.`);
    }
  }

  /** The acknowledged state must be the one that `primary` names. */
  #requireHead(position: LogPosition, name: string): void {
    const { head } = this.part;
    if (!head || position.seq !== head.seq || position.token !== head.token) return;
    if (position.chain === head.chain && position.state === head.state) return;
    throw new LogFault("replaced", `${name} is not the version that was acknowledged.`);
  }

  async *#records(of: Segment, manifest: LogManifest, content: Uint8Array): AsyncIterable<LogRecord> {
    const crypt = this.#cryptOf(of);
    const { packs, attempt, pageSize, token } = manifest;
    const requests: Promise<Uint8Array>[] = [];
    const nameOf = (i: number) => {
      const key = crypt.name({ token, attempt, pack: packs[i]!.n });
      return { key, name: `${this.#nameOf(key, of)}, part ${i + 1} of ${packs.length}` };
    };
    const request = (i: number) => {
      const entry = packs[i];
      if (!entry) return;
      requests[i] = this.#pack(crypt, { token, attempt, pack: entry.n }, entry, nameOf(i));
      // Awaited in its turn.
      requests[i].catch(() => {});
    };
    for (let i = 0; i < PACKS_AHEAD; i++) request(i);
    for (let i = 0; i < packs.length; i++) {
      const bytes = await requests[i]!;
      delete requests[i];
      request(i + PACKS_AHEAD);
      yield* decoded(nameOf(i).name, bytes, pageSize);
    }
    yield* decoded(this.#nameOf(crypt.name(of), of), content, pageSize);
  }

  async #pack(
    crypt: LogCrypt,
    of: Pack,
    entry: LogManifest["packs"][number],
    { key, name }: { key: string; name: string },
  ): Promise<Uint8Array> {
    const found = await this.#get(key, name);
    if (!found) throw new LogFault("missing", `${name} is missing.`);
    if (found.bytes.length !== entry.bytes) {
      throw new LogFault("damaged", `${name} has ${found.bytes.length} bytes instead of ${entry.bytes}.`);
    }
    const plain = this.#open(name, crypt, of, found.bytes);
    if (createHash("sha256").update(found.bytes).digest("hex") !== entry.sha256) {
      throw new LogFault("replaced", `${name} was replaced by another version of it.`);
    }
    return plain;
  }

  /**
   * If `primary` is older than the log, a later token has written segments that it does not mention. Only its first one
   * can be looked for by name.
   */
  async #requireNoLater(at: LogPosition): Promise<void> {
    const next = { token: this.token + 1, seq: at.seq + 1 };
    const change = this.#cryptOf({ level: "change", ...next }).name({ level: "change", ...next });
    const base = this.keys.crypt(this.keys.newest)!.name({ level: "base", ...next });
    const found = await explained(async () => (await this.store.head(change)) ?? (await this.store.head(base)));
    if (!found) return;
    const { place } = this.store;
    throw new LogFault(
      "behind",
      `${place}/primary is older than the continuous copy: ${found.key} was written after it. If you did not put back an earlier version, someone else may have access to this place.`,
    );
  }

  #missing(of: Segment): LogFault {
    const { head } = this.part;
    const to = head ? ` The continuous copy should reach ${isoTime(head.at)}.` : "";
    return new LogFault("missing", `${this.#nameOf(this.#cryptOf(of).name(of), of)} is missing.${to}`);
  }

  #nameOf(key: string, { level, seq }: Segment): string {
    return `${this.store.place}/${key} (${level} ${seq})`;
  }
}

function* decoded(name: string, packed: Uint8Array, pageSize: number): Iterable<LogRecord> {
  if (packed.length === 0) return;
  let content: Uint8Array;
  try {
    content = decompress(packed, LONGEST_CONTENT_BYTES);
  } catch {
    throw new LogFault("damaged", `${name} is not complete.`);
  }
  try {
    yield* decodeRecords(content, pageSize);
  } catch (error) {
    if (error instanceof RangeError) throw new LogFault("damaged", `${name} is not complete.`);
    throw error;
  }
}
