import { effect, signal } from "@preact/signals";
import type { AppState } from "../api/auth.ts";
import { app } from "../api/client.ts";
import { ended } from "./session-ended.ts";

/** What the server says of itself and of who is signed in; null until it has answered. */
export const session = signal<AppState | null>(null);
/** Why there is no answer. */
export const unreachable = signal<unknown>(null);

export async function refreshSession(): Promise<void> {
  try {
    session.value = await app<AppState>("GET", "/state");
    unreachable.value = null;
  } catch (error) {
    unreachable.value = error;
  }
}

export function isOwner(): boolean {
  return session.value?.user?.role === "owner";
}

// A session that ended while the page was open: the sign-in page comes, and the address stays.
effect(() => {
  if (ended.value > 0 && session.peek()?.user) session.value = { ...session.peek()!, user: null };
});
