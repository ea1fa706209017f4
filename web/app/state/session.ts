import { effect, signal } from "@preact/signals";
import type { AppState } from "../api/auth.ts";
import { app } from "../api/client.ts";
import { ended, pauses } from "./session-ended.ts";

/** The server's state and the signed-in user; null until the first response. */
export const session = signal<AppState | null>(null);
/** The error of the last failed state request. */
export const unreachable = signal<unknown>(null);

/** Loads the server's state and the signed-in user. */
export async function refreshSession(): Promise<void> {
  try {
    session.value = await app<AppState>("GET", "/state");
    unreachable.value = null;
  } catch (error) {
    unreachable.value = error;
  }
}

/** Returns whether the signed-in user is an owner. */
export function isOwner(): boolean {
  return session.value?.user?.role === "owner";
}

/** Returns whether the signed-in owner is the only person here. Plans and credits are then left out of the page. */
export function isAlone(): boolean {
  return session.value?.alone === true;
}

// If the session ends while the page is open, the sign-in page appears and the address is kept.
effect(() => {
  if (ended.value > 0 && session.peek()?.user) session.value = { ...session.peek()!, user: null };
});

// A change was refused, because the server is paused: the notice appears.
effect(() => {
  if (pauses.value > 0) void refreshSession();
});

const PAUSE_CHECK_MS = 10_000;
// The notice disappears when the server acts again.
effect(() => {
  if (!session.value?.paused) return;
  const timer = setInterval(() => void refreshSession(), PAUSE_CHECK_MS);
  return () => clearInterval(timer);
});
