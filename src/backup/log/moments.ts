import type { Clock } from "../../kernel/clock.ts";
import type { PageMap } from "../../platform/pages/page-map.ts";
import type { PageSet } from "../../platform/pages/page-set.ts";
import type { PageTracker } from "../../platform/pages/page-tracker.ts";
import type { DataFile } from "../data-files.ts";
import { type CutPages, cutPages, type Spool } from "./content.ts";
import type { FileChanges } from "./file-records.ts";
import type { CutState, SegmentQueue } from "./segment-queue.ts";
import { remaining, type Shipment } from "./shipment.ts";
import type { WrittenLog } from "./writer-state.ts";

const STEP_MS = 3_600_000;
const STEP_CHANGES = 64;

/** A base while it is sent. */
export interface Base {
  shipment: Shipment;
  map: PageMap;
  key: string;
}

export interface MomentParts {
  tracker: PageTracker;
  spool: Spool;
  /** Of the lease. */
  token: number;
  clock: Clock;
}

/** Reads what segments need at the current snapshot of the tracker, and adds them to the queue. */
export class Moments {
  constructor(
    private readonly parts: MomentParts,
    private readonly log: WrittenLog,
    private readonly queue: SegmentQueue,
  ) {}

  /**
   * Adds a change, if there is one, and the base and the step that are due.
   * @param pages that changed; those that are added are removed from it
   * @param change the first parts, if the change is large @param base the first parts of a base that is ready
   * @returns false if the base differs from what the changes lead to
   * @throws LostSnapshotError; nothing was added then
   */
  add(
    pages: PageSet,
    listed: readonly DataFile[],
    changes: FileChanges,
    change: Shipment | null,
    base: Base | null,
  ): boolean {
    const { tracker, spool, token, clock } = this.parts;
    const { log, queue } = this;
    const position = log.position!;
    const map = log.map!;
    const now = clock.now();
    const isStepDue = !base && log.step.changes >= STEP_CHANGES && now - log.step.since >= STEP_MS;
    const cut = cutPages(tracker, pages, map, spool);
    const baseCut = base && cutPages(tracker, base.shipment.rest, null, spool);
    const stepCut = isStepDue ? cutPages(tracker, log.step.pages, null, spool) : null;
    pages.clear();
    note(map, tracker.pageCount, cut);
    const files = change ? remaining(listed, changes, change.files) : changes;
    const isChanged =
      map.state !== position.state ||
      change !== null ||
      files.put.length > 0 ||
      files.deleted.length > 0 ||
      // A base or a step has the token of its change.
      ((base !== null || isStepDue) && position.token !== token);
    const state = this.#state(isChanged ? position.seq + 1 : position.seq, map, position.at);
    if (isChanged) queue.addChange(state, cut.contents, files, change);
    if (stepCut) queue.addStep(state, stepCut.contents, listed);
    if (!base || !baseCut) return true;
    note(base.map, tracker.pageCount, baseCut);
    if (base.map.state !== map.state) return false;
    queue.addBase(state, baseCut.contents, base.shipment, base.key, listed);
    return true;
  }

  /** Adds a base to which no change leads. @throws LostSnapshotError; nothing was added then */
  addFreshBase({ shipment, map, key }: Base, listed: readonly DataFile[]): void {
    const { tracker, spool } = this.parts;
    const { head } = this.log.part;
    const cut = cutPages(tracker, shipment.rest, null, spool);
    note(map, tracker.pageCount, cut);
    const state = this.#state((head?.seq ?? 0) + 1, map, head?.at ?? 0);
    this.queue.addFreshBase(state, cut.contents, shipment, key, listed);
  }

  /** Times never go backwards in a log, even if the clock does. */
  #state(seq: number, map: PageMap, earliest: number): CutState {
    const { tracker, clock } = this.parts;
    const at = Math.max(clock.now(), earliest);
    return { seq, at, state: map.state, pageCount: tracker.pageCount, pageSize: tracker.pageSize };
  }
}

function note(map: PageMap, pageCount: number, { hashes }: CutPages): void {
  map.resize(pageCount);
  for (const [page, hash] of hashes) map.set(page, hash);
}
