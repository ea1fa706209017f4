import { startLiveApp } from "./live-app.ts";
import { conformanceFixtures } from "./mcp-fixtures.ts";

/** The whole program with the fixtures of the conformance suite. */
export interface ConformanceServer {
  /** Address without a key, as the suite cannot send one: each request gets one on its way. */
  url: string;
  /** Address of the program itself. */
  direct: string;
  close(): Promise<void>;
}

/**
 * Starts the whole program, with its workers and its HTTP server, and the fixtures beside its own tools. The executable
 * runs the same function without them (src/cli/serve.ts): no setting can add tools to it.
 */
export async function startConformanceServer(): Promise<ConformanceServer> {
  const live = await startLiveApp({ "mcp.enabled": "true" }, { extend: conformanceFixtures });
  // The suite reads the first resource, which is the latest brief.
  const generated = await live.call("POST", "/brief/generate");
  if (generated.status >= 300) throw new Error(generated.text);
  const direct = live.app.server.url;
  const front = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request) {
      const headers = new Headers(request.headers);
      headers.set("Authorization", `Bearer ${live.key}`);
      const { pathname, search } = new URL(request.url);
      const body = request.method === "GET" ? null : await request.arrayBuffer();
      return fetch(direct + pathname + search, { method: request.method, headers, body, decompress: false });
    },
  });
  return {
    url: `http://127.0.0.1:${front.port}`,
    direct,
    async close() {
      await front.stop(true);
      await live.close();
    },
  };
}
