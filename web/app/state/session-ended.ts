import { signal } from "@preact/signals";

/** Counts the responses that reported an ended session. */
export const ended = signal(0);

export function sessionEnded(): void {
  ended.value++;
}
