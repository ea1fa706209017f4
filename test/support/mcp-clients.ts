import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { Client as ClientV2, StreamableHTTPClientTransport as HttpV2 } from "@modelcontextprotocol/client";
import { StdioClientTransport as StdioV2 } from "@modelcontextprotocol/client/stdio";
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as StdioV1 } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport as HttpV1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js";

const MAIN = resolve(import.meta.dir, "../../src/main.ts");

/** The address at which a client reaches the program. */
export interface Target {
  /** "http://127.0.0.1:40123" */
  url: string;
  data_dir: string;
  key: string;
}

export interface ToolReply {
  isError?: boolean;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads results of every shape
  structuredContent?: any;
  content: { type: string; text?: string }[];
}

/** What the SDKs of both generations can do. */
export interface McpClient {
  tools(): Promise<string[]>;
  call(name: string, input?: Record<string, unknown>): Promise<ToolReply>;
  resources(): Promise<string[]>;
  read(uri: string): Promise<string>;
  prompts(): Promise<string[]>;
  prompt(name: string): Promise<string>;
  /** "2026-07-28" */
  revision(): string | undefined;
  close(): Promise<void>;
}

/** How a client reaches the program, and with which SDK. */
export interface Way {
  sdk: "v1" | "v2";
  transport: "http" | "stdio";
}

export const WAYS: Way[] = [
  { sdk: "v1", transport: "http" },
  { sdk: "v1", transport: "stdio" },
  { sdk: "v2", transport: "http" },
  { sdk: "v2", transport: "stdio" },
];

/** The command line that an assistant starts, and its environment. */
export function stdioCommand({ data_dir, key }: Omit<Target, "url">) {
  return {
    command: process.execPath,
    args: ["run", MAIN, "mcp", "--data", data_dir],
    env: { PATH: process.env.PATH ?? "", HOME: data_dir, POSTROOM_API_KEY: key },
  };
}

/** Connects a client. @param answer how the person answers questions; absent: the client cannot ask */
export async function connectClient(
  { sdk, transport }: Way,
  target: Target,
  answer?: (question: string) => boolean,
): Promise<McpClient> {
  const about = { name: "test-client", version: "1.0.0" };
  const capabilities = answer ? { elicitation: {} } : {};
  const url = new URL(`${target.url}/mcp`);
  const requestInit = { headers: { Authorization: `Bearer ${target.key}` } };
  const reply = (question: string) => ({ action: "accept" as const, content: { confirm: answer!(question) } });
  let client: ClientV1 | ClientV2;
  let revision: () => string | undefined;
  if (sdk === "v1") {
    const v1 = new ClientV1(about, { capabilities });
    if (answer) v1.setRequestHandler(ElicitRequestSchema, ({ params }) => reply(params.message));
    const http = new HttpV1(url, { requestInit });
    const line = transport === "http" ? http : new StdioV1({ ...stdioCommand(target), stderr: "ignore" });
    await v1.connect(line as Parameters<ClientV1["connect"]>[0]);
    revision = () => http.protocolVersion;
    client = v1;
  } else {
    const v2 = new ClientV2(about, { capabilities, versionNegotiation: { mode: "auto" } });
    if (answer) v2.setRequestHandler("elicitation/create", ({ params }) => reply(params.message));
    await v2.connect(
      transport === "http"
        ? new HttpV2(url, { requestInit })
        : new StdioV2({ ...stdioCommand(target), stderr: "ignore" }),
    );
    revision = () => v2.getNegotiatedProtocolVersion();
    client = v2;
  }
  return {
    tools: async () => (await client.listTools()).tools.map(({ name }) => name),
    call: async (name, input = {}) => (await client.callTool({ name, arguments: input })) as ToolReply,
    resources: async () => (await client.listResources()).resources.map(({ uri }) => uri),
    async read(uri) {
      const [first] = (await client.readResource({ uri })).contents;
      return (first as { text: string }).text;
    },
    prompts: async () => (await client.listPrompts()).prompts.map(({ name }) => name),
    async prompt(name) {
      const [first] = (await client.getPrompt({ name })).messages;
      return (first!.content as { text: string }).text;
    },
    revision,
    close: () => client.close(),
  };
}

/**
 * The command-line client of the official inspector; null when it is not installed. The project does not install it, because
 * it brings 110 MB of packages. MCP_INSPECTOR names a folder in which it was installed.
 */
export function inspectorCli(): string | null {
  const folder = process.env.MCP_INSPECTOR ?? resolve(import.meta.dir, "../..");
  const file = join(folder, "node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js");
  return existsSync(file) ? file : null;
}
