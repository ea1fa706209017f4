import type { LeasePort } from "../../src/backup/lease/port.ts";
import { type PutCondition, StoreFault } from "../../src/platform/objects/store.ts";

/** What the store needs from the simulation. */
interface SimulatedWorld {
  readonly now: number;
  readonly isDisturbed: boolean;
  between(low: number, high: number): number;
  chance(probability: number): boolean;
  after(ms: number, run: () => void): void;
}

const CLIENT_TIMEOUT_MS = 4_000;

/** Returns the number of the newest segment that the object names. */
export function segmentOf(log: unknown): number {
  return (log as { segment: number } | null)?.segment ?? 0;
}

/** A store whose requests and answers are late, lost or repeated, and which is away at times. */
export class SimulatedStore {
  takeovers = 0;
  renewals = 0;
  segment = 0;
  #object: { etag: string; body: Uint8Array } | null = null;
  #versions = 0;
  #token = 0;
  #awayUntil = 0;

  constructor(private readonly world: SimulatedWorld) {}

  portOf(post: (run: () => void) => void): LeasePort {
    return {
      place: "simulated",
      read: () => this.#request(post, () => this.#object),
      write: (body, condition) => this.#request(post, () => this.#put(body, condition)),
    };
  }

  #request<T>(post: (run: () => void) => void, serve: () => T): Promise<T> {
    const { world } = this;
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    let isSettled = false;
    const settle = (outcome: () => void) =>
      post(() => {
        if (!isSettled) outcome();
        isSettled = true;
      });
    if (world.isDisturbed && world.chance(0.01)) this.#awayUntil = world.now + world.between(1_000, 45_000);
    const giveUp = () => reject(new StoreFault("unavailable", "no answer"));
    world.after(CLIENT_TIMEOUT_MS, () => isSettled || settle(giveUp));
    const arrive = (isAnswered: boolean) => {
      if (world.now < this.#awayUntil && world.isDisturbed) return;
      let outcome: () => void;
      try {
        const answer = serve();
        outcome = () => resolve(answer);
      } catch (error) {
        outcome = () => reject(error);
      }
      if (isAnswered) world.after(this.#delay(), () => settle(outcome));
    };
    const isLost = world.isDisturbed && world.chance(0.06);
    const isRepeated = world.isDisturbed && world.chance(0.06);
    const isAnswered = !(world.isDisturbed && world.chance(0.06));
    if (!isLost) world.after(this.#delay(), () => arrive(isAnswered && !(isRepeated && world.chance(0.5))));
    if (isRepeated) world.after(this.#delay() + world.between(0, 30_000), () => arrive(isAnswered));
    return promise;
  }

  #delay(): number {
    const { world } = this;
    if (!world.isDisturbed || world.chance(0.8)) return world.between(2, 150);
    return world.chance(0.7) ? world.between(100, 6_000) : world.between(1_000, 40_000);
  }

  #put(body: Uint8Array, condition: PutCondition): string {
    const now = this.#object?.etag;
    const holds = "absent" in condition ? now === undefined : now === condition.etag;
    const isBlind = "blind" in condition;
    if (!holds && !isBlind) throw new StoreFault("conflict", "changed");
    const { token, log } = JSON.parse(Buffer.from(body).toString()) as { token: number; log: unknown };
    if (token < this.#token) throw new Error(`the token ${token} follows ${this.#token}`);
    if (token > this.#token) this.takeovers++;
    else this.renewals++;
    if (segmentOf(log) < this.segment) throw new Error("a segment was overwritten");
    this.segment = segmentOf(log);
    this.#token = token;
    this.#object = { etag: `v${++this.#versions}`, body };
    return this.#object.etag;
  }
}
