import { ApprovalEndings } from "../outbound/approvals/endings.ts";
import type { Platform } from "../platform/platform.ts";

/**
 * Revokes a key in a process that does not send: the sends that it prepared are withdrawn, as in the server.
 * @returns false if there is no such unrevoked key
 */
export function revokeKey(platform: Platform, id: string): boolean {
  new ApprovalEndings(platform).followRevocations();
  return platform.keys.revoke(id);
}
