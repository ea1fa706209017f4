import { effect, signal } from "@preact/signals";
import { ended } from "./session-ended.ts";

/** Ends the question: whether the person has proved who they are. */
type Done = (proved: boolean) => void;

/** Set while somebody waits for a proof: the dialog of `pages/door/proof.tsx` is open. */
export const pendingReAuthentication = signal<Done | null>(null);

let asking: Promise<boolean> | null = null;

/** Asks the person to prove who they are; several that want to know at once wait for the same answer. */
export function reauthenticate(): Promise<boolean> {
  asking ??= new Promise<boolean>((resolve) => {
    pendingReAuthentication.value = (proved) => {
      pendingReAuthentication.value = null;
      asking = null;
      resolve(proved);
    };
  });
  return asking;
}

// Nobody is signed in any more: there is nothing left to prove.
effect(() => {
  if (ended.value > 0) pendingReAuthentication.peek()?.(false);
});
