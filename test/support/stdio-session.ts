import type { Socket } from "node:net";
import { duplexPair } from "node:stream";
import type { McpFixture, ToolFailure } from "./mcp-fixture.ts";

/** How the client answers a request of the server; null: never. */
export type Reply = (method: string, params: { message: string }) => { result: object } | { error: object } | null;

export interface StdioOptions {
  /** Secret of the API key; the fixture's own when absent. */
  key?: string;
  /** Capabilities that the client declares. */
  capabilities?: object;
  reply?: Reply;
}

/** A local program that has connected as `postroom mcp` does, with a revision before 2026-07-28. */
export interface StdioSession {
  // biome-ignore lint/suspicious/noExplicitAny: a test reads answers of every shape
  rpc(method: string, params?: object): Promise<any>;
  /** Calls a tool. @returns its structured content, or its error */
  // biome-ignore lint/suspicious/noExplicitAny: a test reads answers of every shape
  tool(name: string, args?: object, more?: object): Promise<{ error: ToolFailure | null; value: any }>;
  /** Whether the server has ended the connection. */
  isClosed(): boolean;
  close(): void;
}

export async function stdioSession(
  m: McpFixture,
  { key = m.h.key, capabilities = {}, reply = () => null }: StdioOptions = {},
): Promise<StdioSession> {
  const [client, server] = duplexPair();
  (await m.connect(key, "http://localhost"))(server as Socket);
  let isClosed = false;
  server.once("close", () => {
    isClosed = true;
    for (const { reject } of pending.values()) reject(new Error("the connection has ended"));
  });
  // biome-ignore lint/suspicious/noExplicitAny: a test reads answers of every shape
  const pending = new Map<unknown, { resolve(message: any): void; reject(error: Error): void }>();
  const write = (message: object) => client.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  let text = "";
  client.on("data", (bytes: Buffer) => {
    text += bytes.toString();
    for (let end = text.indexOf("\n"); end !== -1; end = text.indexOf("\n")) {
      const message = JSON.parse(text.slice(0, end));
      text = text.slice(end + 1);
      if (message.method === undefined) pending.get(message.id)?.resolve(message);
      else if (message.id !== undefined) {
        const answer = reply(message.method, message.params);
        if (answer) write({ id: message.id, ...answer });
      }
    }
  });
  let id = 0;
  const rpc: StdioSession["rpc"] = (method, params = {}) =>
    new Promise((resolve, reject) => {
      pending.set(++id, { resolve, reject });
      write({ id, method, params });
    });
  const clientInfo = { name: "test", version: "1" };
  await rpc("initialize", { protocolVersion: "2025-06-18", capabilities, clientInfo });
  write({ method: "notifications/initialized" });
  return {
    rpc,
    async tool(name, args = {}, more = {}) {
      const { result, error } = await rpc("tools/call", { name, arguments: args, ...more });
      if (!result) return { error: { code: "protocol", message: error.message }, value: null };
      if (result.isError) return { error: JSON.parse(result.content[0].text).error, value: null };
      return { error: null, value: result.structuredContent };
    },
    isClosed: () => isClosed,
    close: () => void server.destroy(),
  };
}
