import type { CancelTimer } from "../../kernel/clock.ts";
import type { EventName } from "../../kernel/events.ts";
import { errorFields } from "../../platform/log.ts";
import type { Platform } from "../../platform/platform.ts";
import type { Deliverer } from "./deliverer.ts";
import type { ItemStore, NewItem } from "./items-store.ts";
import { EVENTS_OF, KINDS } from "./kinds.ts";
import type { SettingsStore } from "./settings-store.ts";
import { contentOf, type Sources } from "./sources.ts";
import type { KindModes, Listening, TargetStore } from "./targets-store.ts";

/** Other processes write without notifying this one, so the log is checked at least this often. */
const POLL_MS = 2_000;
/** Events that are read in one transaction. */
const BATCH = 100;
/** Positions are saved at least this often, although nothing was found. */
const SAVE_MS = 60_000;

export interface ReaderParts {
  platform: Platform;
  targets: TargetStore;
  items: ItemStore;
  settings: SettingsStore;
  sources: Sources;
  deliverer: Deliverer;
}

/**
 * Reads the event log for each active target, from its position. What the target wants becomes a row, in one transaction
 * with the position and the job that sends it, so that nothing is lost or repeated by a crash.
 */
export class Reader {
  #running = false;
  #timer: CancelTimer = () => {};
  #stopListening = () => {};
  #savedAt = 0;
  #head = -1;
  /** The active targets; null: read them again. */
  #listening: Listening[] | null = null;
  /** Positions that are not saved, because nothing was found. */
  readonly #unsaved = new Map<string, number>();

  constructor(private readonly parts: ReaderParts) {}

  start(): void {
    const { clock, events } = this.parts.platform;
    this.#running = true;
    this.#savedAt = clock.now();
    this.#stopListening = events.listen(() => this.pass());
    this.#poll();
  }

  stop(): void {
    this.#running = false;
    this.#timer();
    this.#stopListening();
    this.#guarded(() => this.#savePositions());
  }

  /** Notes that targets were added, changed or removed. */
  refresh(): void {
    this.#listening = null;
    this.#head = -1;
  }

  /** Takes the new events of all active targets. */
  pass(): void {
    if (!this.#running) return;
    this.#guarded(() => {
      const head = this.parts.platform.events.head();
      if (head === this.#head) return;
      this.#listening ??= this.parts.targets.listening();
      // Later batches follow at the next pass, so that other work is not delayed.
      const whole = this.#listening.map((target) => this.#take(target, head)).every(Boolean);
      if (whole) this.#head = head;
    });
  }

  /** Takes everything that a target wanted so far, before its wishes change. Call it in the transaction of the change. */
  catchUp(id: string): void {
    const target = this.parts.targets.listening().find((one) => one.id === id);
    const head = this.parts.platform.events.head();
    if (target) while (!this.#take(target, head));
    this.#unsaved.delete(id);
    this.parts.targets.advance(id, head);
  }

  /** Takes a batch. @returns whether the target has nothing left up to `head` */
  #take(target: Listening, head: number): boolean {
    const { platform, settings, sources } = this.parts;
    const { id, user_id, kinds } = target;
    const from = this.#unsaved.get(id) ?? target.position;
    if (from >= head) return true;
    const types = wantedEvents(kinds);
    const { events, end, broken } =
      types.length === 0 ? { events: [], end: head, broken: 0 } : platform.events.read(user_id, from, BATCH, types);
    if (broken > 0) platform.log.error("events could not be decrypted", { target: id, events: broken });
    const { senders } = events.length > 0 ? settings.get(user_id) : { senders: [] };
    const found = events.flatMap((event) => {
      const content = contentOf(sources, senders, event);
      return content ? { source: event.id, content } : [];
    });
    if (found.length > 0) this.#store(target, found, end);
    else this.#unsaved.set(id, end);
    return end >= head;
  }

  #store(target: Listening, found: readonly NewItem[], end: number): void {
    const { platform, targets, items, deliverer } = this.parts;
    const stored = platform.db.writeLazily(() => {
      const current = targets.get(target.id);
      if (current?.status !== "active") return false;
      const { added, skipped } = items.add(current, found);
      targets.advance(current.id, end, skipped);
      if (added > 0) deliverer.plan(current);
      return true;
    });
    this.#unsaved.delete(target.id);
    target.position = end;
    if (!stored) this.#listening = null;
  }

  #poll(): void {
    this.pass();
    const { clock } = this.parts.platform;
    const now = clock.now();
    if (now - this.#savedAt >= SAVE_MS || now < this.#savedAt) this.#guarded(() => this.#savePositions());
    this.#timer = clock.after(POLL_MS, () => this.#poll());
  }

  #savePositions(): void {
    const { platform, targets } = this.parts;
    this.#savedAt = platform.clock.now();
    if (this.#unsaved.size === 0) return;
    platform.db.writeLazily(() => {
      for (const [id, position] of this.#unsaved) targets.advance(id, position);
    });
    this.#listening = null;
    this.#unsaved.clear();
  }

  /** Logs an error, such as a full disk or a locked database; the next poll tries again. */
  #guarded(act: () => void): void {
    try {
      act();
    } catch (error) {
      this.parts.platform.log.error("notifications could not be processed", errorFields(error));
    }
  }
}

function wantedEvents(kinds: KindModes): EventName[] {
  return KINDS.filter((kind) => kinds[kind] !== "off").flatMap((kind) => EVENTS_OF[kind]);
}
