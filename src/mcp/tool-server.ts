import type { Socket } from "node:net";
import type { ApiGuard } from "../http/guard/api-guard.ts";
import type { Caller } from "../http/guard/caller.ts";
import { callerOf, type Identity } from "../http/guard/identity.ts";
import type { RouteCaller } from "../http/internal-call.ts";
import type { BearerRequest } from "../http/page.ts";
import { ApiError } from "../kernel/errors.ts";
import { type IdKind, isId } from "../kernel/ids.ts";
import { lazyAsync } from "../kernel/lazy.ts";
import type { AssistantSender, ConfirmedSends } from "../outbound/approvals/service.ts";
import type { Platform } from "../platform/platform.ts";
import { RefusedCalls } from "./refused-calls.ts";
import { once, routeKey } from "./repeats.ts";
import { MCP_PATH, metadataUrl } from "./resource.ts";
import type { Sdk } from "./sdk.ts";
import type { Extension } from "./server.ts";
import type { BegunCall, McpSession } from "./session.ts";
import type { Lookups } from "./tool.ts";

export interface ToolServerParts {
  platform: Platform;
  guard: ApiGuard;
  routes: RouteCaller;
  sends: ConfirmedSends;
  lookups(caller: Caller): Lookups;
  isOn(): boolean;
  version: string;
  extend?: Extension | undefined;
}

/** The libraries that are loaded at the first use, so that they cost no start-up time and memory before. */
interface Loaded {
  sdk: Sdk;
  handler: ReturnType<Sdk["createMcpHandler"]>;
  create(session: McpSession): ReturnType<typeof import("./server.ts").createMcpServer>;
}

interface Begin {
  tool: string;
  key: string | null;
  /** Address of the settings page. */
  baseUrl: string;
}

/** Address of this machine, from which a local program connects. */
const LOCAL_ADDRESS = "127.0.0.1";

/**
 * The tool server: `/mcp` (MCP, "Streamable HTTP"), stateless and for every protocol revision that the SDK supports, and
 * connections of local programs (MCP, "stdio").
 */
export class ToolServer {
  readonly #load = lazyAsync(() => this.#import());

  readonly #refused: RefusedCalls;

  constructor(private readonly parts: ToolServerParts) {
    this.#refused = new RefusedCalls(parts.platform);
  }

  /** Answers a request of an identified and counted caller. */
  async fetch(request: BearerRequest): Promise<Response> {
    const { guard } = this.parts;
    const { handler } = await this.#load();
    const { identity, caller, context, address } = request;
    const resource = context.base_url + MCP_PATH;
    // The request has been counted already, and one call with it. Earlier revisions allow several calls in a request.
    let isCounted = true;
    const begin = (tool: string, key: string | null) => {
      const current = isCounted
        ? identity
        : this.#admit(() => guard.identify(request.request, address, resource), address);
      isCounted = false;
      return this.#begin(current, caller, { tool, key, baseUrl: context.base_url });
    };
    const { id, scopes } = identity.credential;
    const session: McpSession = { scopes, begin };
    const resourceMetadataUrl = metadataUrl(context);
    const authInfo = { token: "", clientId: id, scopes: [...scopes], resourceMetadataUrl, extra: { session } };
    return handler.fetch(request.request, { authInfo });
  }

  /**
   * Prepares the connection of a local program. @param baseUrl address of the settings page, for links
   * @returns a function that serves the connection until it closes
   * @throws ApiError not_found while the tool server is off; unauthorized, plan_required
   */
  async connect(secret: string, baseUrl: string): Promise<(socket: Socket) => void> {
    const { guard, platform, isOn } = this.parts;
    this.#requireOn();
    const headers = { Authorization: `Bearer ${secret}` };
    const identify = () => guard.identify(new Request(baseUrl, { headers }), LOCAL_ADDRESS);
    const first = identify();
    guard.authorizeTools(first);
    const { scopes } = first.credential;
    const begin = (tool: string, key: string | null): BegunCall => {
      const identity = this.#admit(identify, LOCAL_ADDRESS);
      return this.#begin(identity, callerOf(identity, platform.newId("request")), { tool, key, baseUrl });
    };
    const { create } = await this.#load();
    const { serveStdio, StdioServerTransport } = await import("@modelcontextprotocol/server/stdio");
    return (socket) => {
      const onerror = (error: Error) => platform.log.debug("mcp", { error: error.message });
      const transport = new StdioServerTransport(socket, socket);
      serveStdio(() => create({ scopes, begin }), { transport, onerror });
      const stop = platform.keys.listen(() => {
        if (!first.usable() || !isOn()) socket.destroy();
      });
      socket.once("close", stop);
    };
  }

  #requireOn(): void {
    if (!this.parts.isOn()) throw toolServerOff();
  }

  /**
   * Checks and counts a call that no request of the HTTP pipeline was counted for, in the order of the pipeline.
   * @throws ApiError not_found while the tool server is off; unauthorized, plan_required, rate_limited, quota_exceeded
   */
  #admit(identify: () => Identity, address: string): Identity {
    const { guard } = this.parts;
    this.#requireOn();
    const identity = identify();
    const { state, passed } = guard.countRequest(identity, address);
    if (!passed) guard.refuseOverLimit(state);
    guard.usage.used(identity.credential);
    guard.authorizeTools(identity);
    guard.countQuota(identity);
    if (identity.refusal) throw identity.refusal;
    return identity;
  }

  async #import(): Promise<Loaded> {
    const [sdk, { createMcpServer }] = await Promise.all([
      import("@modelcontextprotocol/server"),
      import("./server.ts"),
    ]);
    const { version, platform, extend } = this.parts;
    const key = platform.keyring.system().longHmac("send-confirmation", "question");
    const questions = sdk.createRequestStateCodec({ key, bind: ({ http }) => http?.authInfo?.clientId ?? "" });
    const create = (session: McpSession) =>
      createMcpServer(sdk, session, { version, log: platform.log, clock: platform.clock, questions, extend });
    const handler = sdk.createMcpHandler(({ authInfo }) => create(authInfo!.extra!.session as McpSession), {
      onerror: (error) => platform.log.debug("mcp", { error: error.message }),
    });
    return { sdk, handler, create };
  }

  #begin(identity: Identity, caller: Caller, { tool, key, baseUrl }: Begin): BegunCall {
    const { platform, routes, sends, lookups } = this.parts;
    const { kind, id, name, readsContext } = identity.credential;
    const sender: AssistantSender & Caller = {
      ...caller,
      actor: { ...caller.actor, tool },
      asker: { kind: kind === "connection" ? kind : "key", id, name },
      readsContext,
    };
    const keyOfCall = key === null ? null : routeKey(id, tool, key);
    return {
      call: routes.for(identity, sender, keyOfCall),
      once:
        keyOfCall === null
          ? null
          : once(platform, { user_id: caller.user_id, credential_id: id, key: keyOfCall }, tool),
      sending: { sends, sender },
      before: lookups(caller),
      refused: (code, input) => this.#refused.record(sender, code, input),
      pageUrl: (id) => `${baseUrl}/app/#/${pageOf(id)}/${id}`,
      request_id: caller.request_id,
    };
  }
}

/** Pages of the settings page by kind of id. */
const PAGES: Partial<Record<IdKind, string>> = {
  thread: "threads",
  message: "messages",
  draft: "drafts",
  rule: "rules",
  approval: "approvals",
};

function pageOf(id: string): string {
  const kind = (Object.keys(PAGES) as IdKind[]).find((candidate) => isId(candidate, id));
  return kind === undefined ? "" : PAGES[kind]!;
}

export function toolServerOff(): ApiError {
  return new ApiError("not_found", "The tool server is off. Turn it on under Assistants on the settings page.");
}
