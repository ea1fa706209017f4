import type { SteadyClock, SteadyReading } from "../../kernel/clock.ts";
import { type PutCondition, StoreFault } from "../../platform/objects/store.ts";
import { type BodySeal, type LeaseBody, openBody, sealBody } from "./body.ts";
import { LeaseFault } from "./faults.ts";
import type { LeasePort } from "./port.ts";

/** A version of the object. */
export interface Version {
  etag: string;
  body: LeaseBody;
}

/** A version that this process wrote, with the moment before it was sent. */
export interface OwnVersion extends Version {
  sent: SteadyReading;
}

/** Of some days. */
const MOST_NONCES = 100_000;

/** The object of the lease, opened. It remembers writes whose answer is unknown, because they may have succeeded. */
export class LeaseObject {
  /** Nonces of this process, newest last. */
  readonly #nonces = new Set<string>();
  readonly #unanswered = new Map<string, SteadyReading>();

  constructor(
    private readonly port: LeasePort,
    private readonly seal: BodySeal,
    private readonly steady: SteadyClock,
  ) {}

  get place(): string {
    return this.port.place;
  }

  /** Returns the newest version; null if there is no object. @throws LeaseFault unavailable, refused, unreadable */
  async read(): Promise<Version | null> {
    const found = await this.port.read().catch((error) => {
      throw faultOf(error);
    });
    if (!found) return null;
    const body = await openBody(found.body, this.seal);
    if (body) return { etag: found.etag, body };
    throw new LeaseFault(
      "unreadable",
      `The object that says which machine acts in ${this.place} is damaged or belongs to another installation. Choose another prefix or folder in backup.to, or delete the object if no other machine uses this place.`,
    );
  }

  /** Writes a version, which has a new nonce, if the condition holds. @throws StoreFault; unless it is "refused", the write may have succeeded */
  async write(body: LeaseBody, condition: PutCondition): Promise<OwnVersion> {
    const sealed = await sealBody(body, this.seal);
    // Before anything is sent: the store may have the version long before its answer arrives.
    const sent = this.steady.read();
    this.#unanswered.set(body.nonce, sent);
    this.#nonces.add(body.nonce);
    if (this.#nonces.size > MOST_NONCES) this.#nonces.delete(this.#nonces.values().next().value!);
    const etag = await this.port.write(sealed, condition);
    // Earlier writes had the tag of an earlier version as a condition, which never holds again.
    this.#unanswered.clear();
    return { etag, body, sent };
  }

  /** Returns the version as one of this process, if it is a write whose answer was lost. */
  own(version: Version): OwnVersion | null {
    const sent = this.#unanswered.get(version.body.nonce);
    return sent ? { ...version, sent } : null;
  }

  /** Returns whether this process wrote a version, at any time. */
  wrote({ body }: Version): boolean {
    return this.#nonces.has(body.nonce);
  }

  /** Forgets writes of a lease that was lost: one that arrives late must not bring it back. */
  forget(): void {
    this.#unanswered.clear();
  }
}

/** Converts a failure of the store. A conflict that stays unexplained is like no answer. */
export function faultOf(error: unknown): unknown {
  if (!(error instanceof StoreFault)) return error;
  const needsPerson = error.reason === "refused" || error.reason === "unsupported";
  return new LeaseFault(needsPerson ? "refused" : "unavailable", error.message, null, error);
}

/** Returns whether a write may have succeeded although it failed. */
export function isOpen(error: unknown): boolean {
  return error instanceof StoreFault && error.reason !== "refused" && error.reason !== "unsupported";
}
