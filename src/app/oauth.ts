import { ASSISTANT_SCOPE_GROUPS } from "../features/keys/scope-groups.ts";
import { oauthPages } from "../features/oauth-server/pages.ts";
import type { AssistantRouteParts } from "../features/oauth-server/routes.ts";
import { OAuthServer } from "../features/oauth-server/server.ts";
import { AppGuard } from "../http/guard/app-guard.ts";
import type { Page } from "../http/page.ts";
import { lazy } from "../kernel/lazy.ts";
import type { Mailbox } from "../mailbox/mailbox.ts";
import { MCP_PATH, RESOURCE_METADATA_PATH, resourceMetadata } from "../mcp/resource.ts";
import { SendingPolicies } from "../outbound/approvals/policies.ts";
import { EgressClient } from "../platform/egress/client.ts";
import { EgressGuard } from "../platform/egress/guard.ts";
import type { Platform } from "../platform/platform.ts";
import { requireMcp } from "./mcp.ts";

/** Replacements for tests. */
export interface OAuthOutside {
  egress?: Pick<EgressClient, "request">;
}

/** Returns the paths of the authorization server, and the metadata that leads clients to it. */
export function openOAuth(platform: Platform, outside: OAuthOutside = {}): Page[] {
  const { config, clock, sessions } = platform;
  const base_path = config.get("http.base_path");
  const guard = new AppGuard(config, sessions);
  const egress = lazy(() => outside.egress ?? new EgressClient({ guard: new EgressGuard([]), clock, ca: null }));
  const signedIn = (request: Request) => guard.session(request)?.user_id ?? null;
  const server = new OAuthServer({ platform, egress, resourcePath: MCP_PATH, signedIn });
  const check = (request: Request) => {
    requireMcp(platform);
    guard.checkProgram(request);
  };
  return [...oauthPages({ server, check, base_path }), ...resourcePages(check, base_path)];
}

/** The metadata of the tool server is found at its own address, and at that of the whole host (RFC 9728 §3.1). */
function resourcePages(check: (request: Request) => void, base_path: string): Page[] {
  const root = RESOURCE_METADATA_PATH.slice(0, -MCP_PATH.length);
  const paths = [root, RESOURCE_METADATA_PATH, ...(base_path === "" ? [] : [`${root}${base_path}${MCP_PATH}`])];
  return paths.map((path) => ({
    method: "GET",
    path,
    limited: true,
    knownHost: true,
    crossOrigin: true,
    handle: ({ request, context }) => {
      check(request);
      return Response.json(resourceMetadata(context));
    },
  }));
}

/** The dependencies of the routes of the settings page "Assistants". */
export function assistantParts(platform: Platform, { accounts }: Pick<Mailbox, "accounts">): AssistantRouteParts {
  const policies = new SendingPolicies(platform);
  return { platform, accounts, permissionGroups: ASSISTANT_SCOPE_GROUPS, policies, resourcePath: MCP_PATH };
}
