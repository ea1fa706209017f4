import type { Scope } from "../kernel/scopes.ts";
import type { ToolContext } from "./tool.ts";

/** The services that one call of a tool, resource or prompt may use. */
export interface BegunCall extends Pick<ToolContext, "call" | "sending" | "before" | "pageUrl"> {
  request_id: string;
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
   * @param tool for the audit rows of what the call changes
   * @throws ApiError unauthorized, plan_required, rate_limited, quota_exceeded
   */
  begin(tool: string): BegunCall;
}
