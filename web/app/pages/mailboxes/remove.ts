import { app } from "../../api/client.ts";
import type { Mailbox } from "../../api/connect.ts";
import { navigate } from "../../state/route.ts";
import { showToast } from "../../state/toasts.ts";

/** Removes a mailbox and its copy on this machine, then returns to the list. */
export async function removeMailbox({ id, email }: Mailbox): Promise<void> {
  await app("DELETE", `/mailboxes/${encodeURIComponent(id)}`);
  showToast(`${email} removed.`);
  navigate("#/mailboxes");
}
