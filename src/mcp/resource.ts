import type { RequestContext } from "../http/request-context.ts";
import { TOOL_SCOPES } from "../kernel/scopes.ts";

/** Path of the tool server, under the base path. */
export const MCP_PATH = "/mcp";
/** Path of the tool server's metadata (RFC 9728 §3.1). */
export const RESOURCE_METADATA_PATH = `/.well-known/oauth-protected-resource${MCP_PATH}`;

type Addressed = Pick<RequestContext, "base_url">;

export function metadataUrl({ base_url }: Addressed): string {
  return base_url + RESOURCE_METADATA_PATH;
}

/** Describes the tool server as a protected resource (RFC 9728 §2). */
export function resourceMetadata({ base_url }: Addressed): object {
  return {
    resource: base_url + MCP_PATH,
    resource_name: "Postroom",
    authorization_servers: [base_url],
    scopes_supported: TOOL_SCOPES,
    bearer_methods_supported: ["header"],
  };
}

/**
 * Returns the value of WWW-Authenticate for a request without a valid token (RFC 9728 §5.1, RFC 6750 §3). It names every
 * scope that a tool needs: the person chooses among them, and tools without their scope are not listed.
 */
export function bearerChallenge(context: Pick<RequestContext, "base_url" | "request">): string {
  const invalid = context.request.headers.has("authorization") ? 'error="invalid_token", ' : "";
  return `Bearer ${invalid}resource_metadata="${metadataUrl(context)}", scope="${TOOL_SCOPES.join(" ")}"`;
}
