import { signal } from "@preact/signals";
import type { ApprovalCounted } from "../api/assistants.ts";
import { app } from "../api/client.ts";

/** Number of sends of assistants that wait for the signed-in person. */
export const waitingApprovals = signal(0);

/** Loads the number. An error keeps the last one, because the page itself reports that the server is unreachable. */
export async function refreshWaitingApprovals(): Promise<void> {
  try {
    waitingApprovals.value = (await app<ApprovalCounted>("GET", "/approvals/count")).waiting;
  } catch {}
}
