import type { Pause } from "../../platform/acting.ts";

/** The messages are for everyone who can send a request, so they name no machine. */
const WAITING =
  "This server is paused, because it does not hold the lease that permits it to act. Nothing was changed. Try again later.";
const STARTING =
  "This server is starting, and asks its place for copies whether another machine has taken over. Nothing was changed. Try again in a few seconds.";
const TAKEN_OVER =
  "Another machine is the primary now. Nothing was changed. Use the address of that machine. To use this one instead, turn that machine off and run 'postroom promote' here.";

/** Returns the pause of a server that does not hold the lease. @param since ms */
export function waitingPause(since: number): Pause {
  return { reason: "waiting", since, message: WAITING };
}

/** Returns the pause of a server that does not know yet whether another machine has taken over. @param since ms */
export function startingPause(since: number): Pause {
  return { reason: "waiting", since, message: STARTING };
}

/** Returns the pause of a server in whose place another machine acts. @param since ms */
export function takenOverPause(since: number): Pause {
  return { reason: "taken_over", since, message: TAKEN_OVER };
}
