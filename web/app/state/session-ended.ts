import { signal } from "@preact/signals";

/** Counts the responses that reported an ended session. */
export const ended = signal(0);

/** Reports that the server ended the session. */
export function sessionEnded(): void {
  ended.value++;
}
