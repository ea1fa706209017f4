import { signal } from "@preact/signals";

/** Goes up by one each time the server says that nobody is signed in (any more). */
export const ended = signal(0);

export function sessionEnded(): void {
  ended.value++;
}
