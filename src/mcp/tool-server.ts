import type { Socket } from "node:net";
import type { ApiGuard } from "../http/guard/api-guard.ts";
import type { Caller } from "../http/guard/caller.ts";
import { callerOf, type Identity } from "../http/guard/identity.ts";
import type { RouteCaller } from "../http/internal-call.ts";
import type { BearerRequest } from "../http/page.ts";
import { type IdKind, isId } from "../kernel/ids.ts";
import type { AssistantSender, ConfirmedSends } from "../outbound/approvals/service.ts";
import type { Platform } from "../platform/platform.ts";
import { metadataUrl } from "./resource.ts";
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
  version: string;
  extend?: Extension;
}

/** The libraries that are loaded at the first use, so that they cost no start-up time and memory before. */
interface Loaded {
  sdk: Sdk;
  handler: ReturnType<Sdk["createMcpHandler"]>;
  create(session: McpSession): ReturnType<typeof import("./server.ts").createMcpServer>;
}

/** Address of this machine, from which a local program connects. */
const LOCAL_ADDRESS = "127.0.0.1";

/**
 * The tool server: `/mcp` (MCP, "Streamable HTTP"), stateless and for every protocol revision that the SDK supports, and
 * connections of local programs (MCP, "stdio").
 */
export class ToolServer {
  #loaded: Promise<Loaded> | null = null;

  constructor(private readonly parts: ToolServerParts) {}

  /** Answers a request of an identified and counted caller. */
  async fetch(request: BearerRequest): Promise<Response> {
    const { handler } = await this.#load();
    const { identity, caller, context, address } = request;
    let calls = 0;
    const begin = (tool: string) => {
      // The request has been counted already, and with it the first call. Clients of old revisions can send many calls in
      // one request (JSON-RPC 2.0 §6).
      if (++calls > 1) this.#count(identity, address);
      return this.#begin(identity, caller, tool, context.base_url);
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
   * @throws ApiError unauthorized, plan_required
   */
  async connect(secret: string, baseUrl: string): Promise<(socket: Socket) => void> {
    const { guard, platform } = this.parts;
    const headers = { Authorization: `Bearer ${secret}` };
    const identify = () => guard.identify(new Request(baseUrl, { headers }), LOCAL_ADDRESS);
    const first = identify();
    guard.authorizeTools(first);
    const { scopes } = first.credential;
    const begin = (tool: string): BegunCall => {
      const identity = identify();
      this.#count(identity, LOCAL_ADDRESS);
      if (identity.refusal) throw identity.refusal;
      return this.#begin(identity, callerOf(identity, platform.newId("request")), tool, baseUrl);
    };
    const { create } = await this.#load();
    const { serveStdio, StdioServerTransport } = await import("@modelcontextprotocol/server/stdio");
    return (socket) => {
      const onerror = (error: Error) => platform.log.debug("mcp", { error: error.message });
      const transport = new StdioServerTransport(socket, socket);
      serveStdio(() => create({ scopes, begin }), { transport, onerror });
      const stop = platform.keys.listen(() => void (first.usable() || socket.destroy()));
      socket.once("close", stop);
    };
  }

  #load(): Promise<Loaded> {
    this.#loaded ??= this.#import();
    return this.#loaded;
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
      createMcpServer(sdk, session, { version, log: platform.log, questions, extend });
    const handler = sdk.createMcpHandler(({ authInfo }) => create(authInfo!.extra!.session as McpSession), {
      onerror: (error) => platform.log.debug("mcp", { error: error.message }),
    });
    return { sdk, handler, create };
  }

  /** Counts a call as a request of the API. @throws ApiError rate_limited, plan_required, quota_exceeded */
  #count(identity: Identity, address: string): void {
    const { guard } = this.parts;
    const { state, passed } = guard.countRequest(identity, address);
    if (!passed) guard.refuseOverLimit(state);
    guard.authorizeTools(identity);
    guard.countQuota(identity);
  }

  #begin(identity: Identity, caller: Caller, tool: string, baseUrl: string): BegunCall {
    const { routes, sends, lookups } = this.parts;
    const { kind, id, name, scopes } = identity.credential;
    const sender: AssistantSender & Caller = {
      ...caller,
      actor: { ...caller.actor, tool },
      asker: { kind: kind === "connection" ? kind : "key", id, name },
      readsContext: scopes.includes("context:read"),
    };
    return {
      call: routes.for(identity, sender),
      sending: { sends, sender },
      before: lookups(caller),
      pageUrl: (id) => `${baseUrl}/app/#/${pageOf(id)}/${id}`,
      request_id: caller.request_id,
    };
  }
}

/** Pages of the settings page by kind of id. */
const PAGES: Partial<Record<IdKind, string>> = {
  thread: "threads",
  message: "messages",
  rule: "rules",
  approval: "approvals",
};

function pageOf(id: string): string {
  const kind = (Object.keys(PAGES) as IdKind[]).find((candidate) => isId(candidate, id));
  return kind === undefined ? "" : PAGES[kind]!;
}
