import type { Scope } from "../kernel/scopes.ts";
import type { Once } from "./repeats.ts";
import type { ToolContext } from "./tool.ts";

/** The services that one call of a tool, resource or prompt may use. */
export interface BegunCall extends Pick<ToolContext, "call" | "sending" | "before" | "refused" | "pageUrl"> {
  request_id: string;
  /** Runs the call once for its idempotency key; null without a key. */
  once: Once | null;
}

/**
 * A connection of an assistant while it makes calls. Over HTTP there is one for each request, over standard input and
 * output one for each program.
 */
export interface McpSession {
  scopes: readonly Scope[];
  /**
   * Begins a call: identifies the credential again, counts the call if that was not done before, and returns what the
   * call may use.
   * @param tool for the audit rows of what the call changes @param key idempotency key of the call; null: none
   * @throws ApiError unauthorized, plan_required, rate_limited, quota_exceeded
   */
  begin(tool: string, key: string | null): BegunCall;
}
