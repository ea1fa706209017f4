import type { RequestContext } from "../../http/request-context.ts";
import { change, type Route, read } from "../../http/route.ts";
import { ApiError } from "../../kernel/errors.ts";
import { mcpEnabled, mcpStored, storeMcpEnabled } from "../../platform/identity/tool-server.ts";
import type { Platform } from "../../platform/platform.ts";
import { ConnectionService } from "./connections.ts";
import { type ConsentParts, ConsentService } from "./consent.ts";
import {
  AssistantSettings,
  AssistantSettingsPatch,
  ConnectionList,
  ConsentBody,
  ConsentDone,
  ConsentView,
} from "./model.ts";

export interface AssistantRouteParts extends ConsentParts {
  /** Path of the tool server. */
  resourcePath: string;
}

/** Defines the routes of the settings page "Assistants". */
export function assistantAppRoutes(parts: AssistantRouteParts): Route[] {
  const { platform } = parts;
  const consents = new ConsentService(parts);
  const connections = new ConnectionService(platform);
  const settings = (context: RequestContext) => settingsOf(platform, context.base_url + parts.resourcePath);
  const open = () => {
    if (!mcpEnabled(platform)) throw new ApiError("not_found", "The tool server is off.");
    return consents;
  };
  return [
    read({
      method: "GET",
      path: "/assistants/consents/:uid",
      audience: "session",
      params: { uid: "text" },
      response: ConsentView,
      handle: ({ caller, params, context }) => open().show(caller, params.uid, context),
    }),
    change({
      method: "POST",
      path: "/assistants/consents/:uid/approve",
      audience: "session",
      recentAuth: true,
      params: { uid: "text" },
      body: ConsentBody,
      response: ConsentDone,
      handle: ({ caller, params, body, context }) => ({
        redirect_to: open().approve(caller, params.uid, body, context),
      }),
    }),
    change({
      method: "POST",
      path: "/assistants/consents/:uid/deny",
      audience: "session",
      params: { uid: "text" },
      response: ConsentDone,
      handle: ({ caller, params, context }) => ({ redirect_to: open().deny(caller, params.uid, context) }),
    }),
    read({
      method: "GET",
      path: "/assistants/connections",
      audience: "session",
      response: ConnectionList,
      handle: ({ caller }) => ({ data: connections.list(caller) }),
    }),
    change({
      method: "DELETE",
      path: "/assistants/connections/:id",
      audience: "session",
      params: { id: "connection" },
      handle: ({ caller, params }) => connections.revoke(caller, params.id),
    }),
    read({
      method: "GET",
      path: "/assistants/settings",
      audience: "session",
      response: AssistantSettings,
      handle: ({ context }) => settings(context),
    }),
    change({
      method: "PATCH",
      path: "/assistants/settings",
      audience: "session",
      role: "owner",
      recentAuth: true,
      body: AssistantSettingsPatch,
      response: AssistantSettings,
      handle: ({ caller, body, context }) => {
        const { user_id, actor, request_id } = caller;
        storeMcpEnabled(platform, body.enabled, { user_id, actor, request_id });
        return settings(context);
      },
    }),
  ];
}

function settingsOf(platform: Platform, url: string) {
  const configured = platform.config.get("mcp.enabled");
  const from = configured ? ("configuration" as const) : mcpStored(platform) ? ("settings" as const) : null;
  return { enabled: from !== null, from, url };
}
