import type { ObjectStore } from "../../platform/objects/store.ts";
import type { DataFile } from "../data-files.ts";
import type { KnownFile } from "./checkpoint.ts";
import type { Content } from "./content.ts";
import type { Segment } from "./crypt.ts";
import type { FileChanges } from "./file-records.ts";
import type { LogPart } from "./log-part.ts";
import { Outgoing, type OutgoingParts, type SentSegment } from "./outgoing.ts";
import type { OwnKeys } from "./own-keys.ts";
import { PackUploader } from "./pack-uploader.ts";
import { remaining, type Shipment } from "./shipment.ts";
import { stepAfter, type WrittenLog } from "./writer-state.ts";

export interface QueueParts {
  store: ObjectStore;
  /** Of the lease. */
  token: number;
  own: OwnKeys;
  data_dir: string;
}

/** A state of the database that was read. */
export interface CutState {
  seq: number;
  at: number;
  state: string;
  pageCount: number;
  pageSize: number;
}

interface Pending {
  outgoing: Outgoing;
  done(sent: SentSegment): void;
}

/**
 * Segments whose content was read and that must be in the store before anything else is read, in this order. What is in
 * the store is noted in the log.
 */
export class SegmentQueue {
  readonly #pending: Pending[] = [];

  constructor(
    private readonly parts: QueueParts,
    private readonly log: WrittenLog,
  ) {}

  get isEmpty(): boolean {
    return this.#pending.length === 0;
  }

  /** Id of the key for changes and steps: that of the newest base. */
  get key(): string {
    return this.log.part.bases.at(-1)?.key ?? this.parts.own.keys.newest;
  }

  /** Sends what waits. @throws StoreFault; call it again later then */
  async send(): Promise<void> {
    for (let next = this.#pending[0]; next; next = this.#pending[0]) {
      const sent = await next.outgoing.send();
      this.log.segments++;
      this.log.bytes += sent.bytes;
      this.log.bytesSince += sent.bytes;
      next.done(sent);
      this.#pending.shift();
    }
  }

  /** @param shipment the first parts of a large change */
  addChange(state: CutState, contents: Content[], files: FileChanges, shipment: Shipment | null): void {
    const { log } = this;
    const { token } = this.parts;
    const { deleted } = files;
    const manifest = () => ({ previous: log.position!.chain, after: null, from: null, steps: [] });
    this.#add("change", state, { contents, files, key: this.key, shipment, manifest }, (sent) => {
      log.part = withAncestor(log.part, log.position, token);
      log.position = { token, seq: state.seq, at: state.at, state: state.state, chain: sent.sha256 };
      const put = [...(shipment?.files.values() ?? []), ...sent.files];
      for (const file of put) log.files.set(file.path, file);
      for (const path of deleted) log.files.delete(path);
      for (const path of [...put.map((file) => file.path), ...deleted]) log.step.files.add(path);
      log.step.changes++;
    });
  }

  /** Adds a base with the state of the newest change, which must be of this token. */
  addBase(state: CutState, contents: Content[], shipment: Shipment, key: string, listed: readonly DataFile[]): void {
    const { log } = this;
    const { token } = this.parts;
    const manifest = () => ({ previous: null, after: log.position!.chain, from: null, steps: [] });
    this.#addWhole(state, { contents, key, shipment, manifest }, listed, (base) => {
      this.#noteBase({ ...base, token, fresh: false }, state);
    });
  }

  /** Adds a base to which no change leads. */
  addFreshBase(
    state: CutState,
    contents: Content[],
    shipment: Shipment,
    key: string,
    listed: readonly DataFile[],
  ): void {
    const { log } = this;
    const { token } = this.parts;
    const manifest = () => ({ previous: null, after: null, from: null, steps: [] });
    this.#addWhole(state, { contents, key, shipment, manifest }, listed, (base, files) => {
      log.part = withAncestor(log.part, log.part.head, token);
      this.#noteBase({ ...base, token, fresh: true }, state);
      log.position = { token, seq: state.seq, at: state.at, state: state.state, chain: base.sha256 };
      log.map = shipment.parts.map;
      log.files = new Map(files.map((file) => [file.path, file]));
    });
  }

  /** Adds a step to the state of the newest change, which must be of this token. */
  addStep(state: CutState, contents: Content[], listed: readonly DataFile[]): void {
    const { log } = this;
    const { from, files: paths, earlier } = log.step;
    const put = listed.filter(({ path }) => paths.has(path));
    const present = new Set(put.map(({ path }) => path));
    const files = { put, deleted: [...paths].filter((path) => !present.has(path)) };
    const steps = earlier.filter(({ seq }) => seq > (log.part.bases[0]?.seq ?? 0));
    const manifest = () => ({ previous: null, after: log.position!.chain, from, steps });
    log.step = stepAfter(state.seq, state.at, earlier);
    this.#add("step", state, { contents, files, key: this.key, shipment: null, manifest }, ({ sha256 }) => {
      const { token } = this.parts;
      log.part = { ...log.part, step: { token, seq: state.seq, sha256 } };
      log.changed = true;
      log.step.earlier = [...steps, { from, token, seq: state.seq, at: state.at, sha256 }];
    });
  }

  #addWhole(
    state: CutState,
    more: Omit<AddParts, "files"> & { shipment: Shipment },
    listed: readonly DataFile[],
    done: (base: Omit<LogPart["bases"][number], "token" | "fresh">, files: KnownFile[]) => void,
  ): void {
    const { seq, at } = state;
    const { key, shipment } = more;
    const files = remaining(listed, { put: [...listed], deleted: [] }, shipment.files);
    this.#add("base", state, { ...more, files }, ({ bytes, sha256, first, firstAt, files: sent }) => {
      const all = new Map([...shipment.files, ...sent.map((file) => [file.path, file] as const)]);
      for (const path of files.deleted) all.delete(path);
      done({ seq, at, bytes, key, sha256, first, firstAt }, [...all.values()]);
    });
  }

  #noteBase(base: LogPart["bases"][number], { seq, at }: CutState): void {
    const { log } = this;
    log.part = { ...log.part, bases: [...log.part.bases, base] };
    log.changed = true;
    log.bytesSince = 0;
    log.step = stepAfter(seq, at, log.step.earlier);
  }

  #add(
    level: Segment["level"],
    { seq, at, state, pageCount, pageSize }: CutState,
    { contents, files, key, shipment, manifest }: AddParts,
    done: Pending["done"],
  ): void {
    const { store, own, token, data_dir } = this.parts;
    const crypt = own.keys.crypt(key);
    if (!crypt) throw new Error("The key of the newest base is missing.");
    const outgoing = new Outgoing({
      store,
      crypt,
      segment: { level, token, seq },
      data_dir,
      uploader: shipment?.parts.uploader ?? new PackUploader(store, crypt, token),
      contents,
      files,
      manifest: () => ({ at, state, pageCount, pageSize, ...manifest() }),
    });
    this.#pending.push({ outgoing, done });
  }
}

interface AddParts {
  contents: Content[];
  files: FileChanges;
  key: string;
  shipment: Shipment | null;
  manifest(): Pick<ReturnType<OutgoingParts["manifest"]>, "previous" | "after" | "from" | "steps">;
}

/** Notes where the log of an earlier token ends, when the first segment of another one follows. */
function withAncestor(part: LogPart, before: { token: number; seq: number } | null, token: number): LogPart {
  if (!before || before.token === token) return part;
  const oldest = part.bases[0]?.seq ?? 0;
  const kept = part.ancestors.filter(({ seq }) => seq >= oldest);
  return { ...part, ancestors: [...kept, { token: before.token, seq: before.seq }] };
}
