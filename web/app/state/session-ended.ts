import { signal } from "@preact/signals";

/** Counts the responses that reported an ended session. */
export const ended = signal(0);
/** Counts the responses that reported a paused server. */
export const pauses = signal(0);

/** Reports that the server ended the session. */
export function sessionEnded(): void {
  ended.value++;
}

/** Reports that the server accepts no changes. */
export function serverPaused(): void {
  pauses.value++;
}
