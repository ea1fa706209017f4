import type { Platform } from "../../platform/platform.ts";
import type { MailOwner } from "../accounts/owner.ts";
import { messageWithId } from "../threading/identity.ts";
import { type FolderRole, isWrittenByUser } from "./state.ts";

/** The properties of a message that show who wrote it. */
export interface Written {
  from: { email: string };
  /**
   * The Message-ID header, if a message in Sent with the same one shows that the user wrote it: mailing lists return
   * changed copies. Null if not: recipients of that message can forge such a copy.
   */
  messageId: string | null;
  /** Returns the roles of the folders that contain it. Called only for mail from the user's addresses. */
  roles: () => readonly FolderRole[];
  /** Its id, unless it is just arriving. */
  stored?: string;
}

/**
 * Returns whether the user wrote a message. The From must be one of their addresses, which anyone can forge. So the
 * message must also be in a folder that only they put mail into, or have a copy in their Sent folder, or have been sent
 * from here.
 */
export function isOwnMail(
  platform: Pick<Platform, "db" | "keyring">,
  owner: MailOwner,
  { from, messageId, roles: rolesOf, stored }: Written,
): boolean {
  if (!owner.self.has(from.email.toLowerCase())) return false;
  const { sql } = platform.db;
  const roles = rolesOf();
  const hasSent = () =>
    sql.query("SELECT 1 FROM folders WHERE account_id = ? AND role = 'sent' AND replaced_by IS NULL").get(owner.id) !==
    null;
  if (isWrittenByUser(roles, roles.includes("all") && hasSent())) return true;
  if (messageId !== null && messageWithId(platform, owner, messageId, "sent") !== null) return true;
  // Sent from here to oneself, and the copy in Sent was deleted.
  return stored !== undefined && sql.query("SELECT 1 FROM sends WHERE message_id = ?").get(stored) !== null;
}
