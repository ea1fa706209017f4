import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ApiGuard } from "../../src/http/guard/api-guard.ts";
import type { RouteCaller } from "../../src/http/internal-call.ts";
import type { BearerPage } from "../../src/http/page.ts";
import { createHttpPipeline } from "../../src/http/pipeline.ts";
import { type HttpServer, startServer } from "../../src/http/server.ts";
import { SCOPES } from "../../src/kernel/scopes.ts";
import { ToolServer, type ToolServerParts } from "../../src/mcp/tool-server.ts";
import { systemClock } from "../../src/platform/clock.ts";
import { loadConfig } from "../../src/platform/config/load.ts";
import { openPlatform } from "../../src/platform/platform.ts";
import { conformanceFixtures } from "./mcp-fixtures.ts";

/** The suite reads the first resource, which is the latest brief. */
const EMPTY_BRIEF = { needs_reply: [], commitments: [], undated: [], calendar: [] };

/**
 * The tool server with the fixtures of the conformance suite, behind the real HTTP pipeline: checks of Host and Origin, key,
 * limits. The suite cannot send a key, so every request gets one before the pipeline reads it.
 */
export function startConformanceServer(): HttpServer & { close(): Promise<void> } {
  const data_dir = mkdtempSync(join(tmpdir(), "postroom-mcp-"));
  const flags = {
    "http.port": "0",
    "log.level": "error",
    "limits.requests_per_minute_key": "1000000",
    "limits.requests_per_minute_user": "1000000",
    "limits.requests_per_minute_ip": "1000000",
  };
  const platform = openPlatform({ config: loadConfig({ data_dir, env: {}, flags }), clock: systemClock });
  const user = platform.users.add({ email: "ada@example.org", plan: "autopilot", role: "owner", timezone: "UTC" });
  const { secret } = platform.keys.create({ name: "suite", user_id: user.id, scopes: [...SCOPES], test: false });
  const guard = new ApiGuard(platform);
  const tools = new ToolServer({
    platform,
    guard,
    routes: { for: () => async () => EMPTY_BRIEF } as unknown as RouteCaller,
    lookups: () => ({}) as ReturnType<ToolServerParts["lookups"]>,
    sends: {} as ToolServerParts["sends"],
    version: "0.0.0-test",
    isOn: () => true,
    extend: conformanceFixtures,
  });
  const page = { path: "/mcp", challenge: () => "Bearer", handle: (request) => tools.fetch(request) } satisfies Omit<
    BearerPage,
    "method"
  >;
  const bearerPages = (["GET", "POST", "DELETE"] as const).map((method) => ({ method, ...page }));
  const pipeline = createHttpPipeline({ platform, guard, routes: [], bearerPages, version: "0.0.0-test" });
  const withKey: typeof pipeline.fetch = (request, connection) => {
    const headers = new Headers(request.headers);
    headers.set("Authorization", `Bearer ${secret}`);
    return pipeline.fetch(new Request(request, { headers }), connection);
  };
  const server = startServer({
    pipeline: { ...pipeline, fetch: withKey, drain: () => pipeline.drain(), close: () => pipeline.close() },
    host: "127.0.0.1",
    port: 0,
    log: platform.log,
  });
  return {
    ...server,
    async close() {
      await server.stop(0);
      platform.close();
      rmSync(data_dir, { recursive: true, force: true });
    },
  };
}
