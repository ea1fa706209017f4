import { randomFillSync } from "node:crypto";
import type { Clock } from "../kernel/clock.ts";
import { encodeId, type IdKind } from "../kernel/ids.ts";

export type NewId = (kind: IdKind) => string;

/** Returns a generator of ids that sort by creation, even within a millisecond and if the wall clock steps back. */
export function createIds(clock: Clock): NewId {
  let lastMs = 0;
  const random = new Uint8Array(10);
  return (kind) => {
    const now = clock.now();
    if (now > lastMs) {
      lastMs = now;
      randomFillSync(random);
      random[0] = random[0]! & 0x7f; // leaves space to count up within the millisecond
    } else {
      for (let i = random.length - 1; i >= 0; i--) {
        random[i] = (random[i]! + 1) & 0xff;
        if (random[i] !== 0) break;
      }
    }
    return encodeId(kind, lastMs, random);
  };
}
