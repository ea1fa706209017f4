import { effect, signal } from "@preact/signals";
import { ended } from "./session-ended.ts";

/** Closes the dialog. `confirmed` is true after a successful re-authentication. */
type Done = (confirmed: boolean) => void;

/** Set while the dialog of `pages/sign-in/re-authentication.tsx` is open. */
export const pendingReAuthentication = signal<Done | null>(null);

let asking: Promise<boolean> | null = null;

/** Asks the user to authenticate again. Concurrent callers share one dialog. Resolves to false if it was canceled. */
export function reauthenticate(): Promise<boolean> {
  asking ??= new Promise<boolean>((resolve) => {
    pendingReAuthentication.value = (confirmed) => {
      pendingReAuthentication.value = null;
      asking = null;
      resolve(confirmed);
    };
  });
  return asking;
}

// The session has ended, so that re-authentication is no longer possible.
effect(() => {
  if (ended.value > 0) pendingReAuthentication.peek()?.(false);
});
