import { expect } from "bun:test";
import { type AiServices, createAi } from "../../src/app/ai.ts";
import { mailPipeline } from "../../src/app/mail.ts";
import { type Mcp, openMcp } from "../../src/app/mcp.ts";
import { createPeople, type PeopleServices } from "../../src/app/people.ts";
import { apiRoutes } from "../../src/app/routes.ts";
import { ApiGuard } from "../../src/http/guard/api-guard.ts";
import type { Route } from "../../src/http/route.ts";
import { createMailbox, type Mailbox } from "../../src/mailbox/mailbox.ts";
import type { ConfirmedSends } from "../../src/outbound/approvals/service.ts";
import { createOutbound, type Outbound } from "../../src/outbound/outbound.ts";
import type { Sender } from "../../src/outbound/sends/schedule.ts";
import { idleWebhooks } from "./all-routes.ts";
import { createHarness, type Harness, type HarnessOptions } from "./http-harness.ts";
import { MemoryContent } from "./memory-content.ts";
import { type SeededMailbox, type SeedMessage, seedMailbox } from "./seed-mail.ts";
import { NOWHERE } from "./send-fixture.ts";

/** How the person answers a question in the assistant's program. */
export type Dialog = "accept" | "refuse" | "decline" | "cancel" | "unavailable";

/** The error of a tool call. */
export interface ToolFailure {
  code: string;
  message: string;
  param?: string;
  retry_after_s?: number;
}

/** The answer of a tool call. */
export interface ToolAnswer {
  /** Null if the call succeeded. */
  error: ToolFailure | null;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads answers of every shape
  value: any;
  /** The text that the model reads. */
  text: string;
  /** The questions that the person was asked during the call. */
  asked: string[];
}

export interface Connection {
  /** Secret of the API key; the fixture's own, with all scopes, when absent. */
  key?: string;
  dialog?: Dialog;
}

/** A mailbox with all features behind the tool server, and a client of it. */
export interface McpFixture {
  h: Harness;
  mailbox: Mailbox;
  outbound: Outbound;
  people: PeopleServices;
  ai: AiServices;
  routes: Route[];
  content: MemoryContent;
  seeded: SeededMailbox;
  sends: ConfirmedSends;
  /** Prepares the connection of a local program. */
  connect: Mcp["connect"];
  /** The person, as the settings page acts for them. */
  person: Sender;
  /** Calls a tool. */
  tool(name: string, args?: object, connection?: Connection): Promise<ToolAnswer>;
  /** Calls a tool that must succeed. @returns its structured content */
  ok(name: string, args?: object, connection?: Connection): Promise<ToolAnswer["value"]>;
  /** Calls a tool that must fail. */
  fails(name: string, args?: object, connection?: Connection): Promise<ToolFailure>;
  /** Calls what a result says under `undo`. @returns the number of calls */
  undo(result: { undo: string }, connection?: Connection): Promise<number>;
  /** Sends any request of the protocol; fields of its `_meta` replace those of the fixture. @returns the whole JSON-RPC message */
  // biome-ignore lint/suspicious/noExplicitAny: a test reads answers of every shape
  rpc(method: string, params?: object, connection?: Connection): Promise<any>;
  /** Reads a resource. @returns its text; null if the server refuses */
  resource(uri: string, connection?: Connection): Promise<{ text: string | null; error: string }>;
  audit(action?: string): ReturnType<Harness["platform"]["audit"]["list"]>;
  events(name: string): unknown[];
  /** Number of rows of a table. */
  count(table: string): number;
  /** Receives new mail in the user's mailbox. */
  fromBob(text: string, more?: SeedMessage): { thread_id: string; message_id: string };
  /** Receives new mail, which passes through every step: search, contacts, rules. */
  arrive(to: SeededMailbox, message: SeedMessage & { text: string }): { thread_id: string; message_id: string };
  /** Makes someone known to whom the user has written. */
  writtenTo(email: string): void;
}

/** A recipient of a draft that the user has written to. */
export const BOB = "bob@example.net";

const NO_FLAGS = { seen: false, flagged: false, answered: false, draft: false, important: false };
/** Above those of seeded messages. */
const FIRST_UID = 1_000_000;

const VERSION = "2026-07-28";

const FREE_OF_LIMITS = {
  "mcp.enabled": true,
  "limits.requests_per_minute_key": 1_000_000_000,
  "limits.requests_per_minute_user": 1_000_000_000,
  "limits.requests_per_minute_ip": 1_000_000_000,
  "limits.autopilot.requests_per_day": 1_000_000_000,
  "limits.autopilot.sends_per_day": 1_000_000_000,
  "limits.new_key_sends_per_day": 1_000_000_000,
};

export function mcpFixture(options: Pick<HarnessOptions, "config" | "plan" | "data_dir"> = {}): McpFixture {
  const content = new MemoryContent();
  let parts!: Pick<McpFixture, "mailbox" | "outbound" | "people" | "ai" | "routes">;
  let mcp!: Mcp;
  const h = createHarness({
    ...options,
    config: { ...FREE_OF_LIMITS, ...options.config },
    routes: (platform) => {
      const mailbox = createMailbox(platform);
      const outbound = createOutbound(platform, mailbox);
      const people = createPeople(platform, mailbox);
      const ai = createAi({ platform, mailbox, outbound, people });
      const routes = apiRoutes(platform, mailbox, outbound, content, idleWebhooks(platform), people, ai);
      parts = { mailbox, outbound, people, ai, routes };
      return routes;
    },
    assistants: (platform) => {
      const guard = new ApiGuard(platform);
      mcp = openMcp({ platform, guard, draftReview: parts.ai.draftReview, ...parts });
      return { guard, bearerPages: mcp.pages };
    },
  });
  const { platform, user } = h;
  const known = parts.mailbox.accounts.list(user.id)[0];
  const seeded = known
    ? (null as never)
    : seedMailbox(platform, user.id, { mailbox: parts.mailbox, connection: NOWHERE });
  const rpc = client(h);
  const pipeline = mailPipeline(platform, parts.mailbox);
  let uid = FIRST_UID;
  const arrive: McpFixture["arrive"] = (to, { role = "inbox", at = h.clock.now() + ++uid, flags, ...message }) => {
    const { account } = to;
    const folder = to.folder(role);
    const incoming = {
      folderId: folder.id,
      uid: ++uid,
      internalDate: at,
      size: 1_000,
      labels: [],
      flagsHash: 0,
      serverThreadId: null,
      messageId: `<${uid}.${account.id}@fixture.example>`,
      inReplyTo: [],
      references: [],
      subject: `Subject ${uid}`,
      from: { name: "Bob Stone", email: BOB },
      replyTo: [],
      to: [{ name: "Ada", email: account.email }],
      cc: [],
      bcc: [],
      date: at,
      headers: new Map(),
      bodyText: message.text,
      newText: message.text,
      html: null,
      attachments: [],
      ...message,
      flags: { ...NO_FLAGS, ...flags },
    };
    platform.db.write(() => pipeline.take(account, folder, [incoming]));
    return platform.db.sql
      .query<{ message_id: string; thread_id: string }, [string, number]>(
        `SELECT m.id AS message_id, m.thread_id FROM locations l JOIN messages m ON m.id = l.message_id
         WHERE l.folder_id = ? AND l.uid = ?`,
      )
      .get(folder.id, incoming.uid)!;
  };
  const tool: McpFixture["tool"] = (name, args, connection) => callTool(rpc, name, args ?? {}, connection ?? {});
  const ok: McpFixture["ok"] = async (name, args, connection) => {
    const { error, value } = await tool(name, args, connection);
    expect(error).toBeNull();
    return value;
  };
  return {
    h,
    ...parts,
    content,
    seeded,
    sends: mcp.sends,
    connect: mcp.connect,
    person: {
      user_id: user.id,
      account_id: null,
      actor: { kind: "user", id: user.id },
      request_id: null,
      key: { id: "ses_test", created_at: 0 },
      user,
    },
    tool,
    ok,
    async fails(name, args, connection) {
      const { error, text } = await tool(name, args, connection);
      if (!error) throw new Error(`${name} did not fail: ${text}`);
      return error;
    },
    async undo({ undo }, connection) {
      const calls = undoCalls(undo);
      for (const { name, args } of calls) await ok(name, args, connection);
      return calls.length;
    },
    rpc,
    async resource(uri, connection) {
      const { result, error } = await rpc("resources/read", { uri }, connection);
      return { text: result?.contents[0].text ?? null, error: error?.message ?? "" };
    },
    audit: (action) => platform.audit.list(user.id, { limit: 10_000, ...(action && { action }) }),
    events: (name) =>
      platform.events
        .after(user.id, 0, 10_000)
        .filter(({ event }) => event === name)
        .map(({ data }) => data),
    count: (table) => platform.db.sql.query<{ n: number }, []>(`SELECT count(*) AS n FROM ${table}`).get()!.n,
    fromBob: (text, more = {}) => arrive(seeded, { text, ...more }),
    arrive,
    /** Makes someone known to whom the user has written. */
    writtenTo(email) {
      const owner = { id: seeded.account.id, user_id: user.id, self: new Set<string>() };
      const to = [{ name: "", email }];
      platform.db.write(() => parts.mailbox.importer.noteCorrespondents(owner, { to, cc: [], bcc: [] }, false));
    },
  };
}

/** The calls that an `undo` names: `tool {arguments}`, separated by semicolons. */
function undoCalls(undo: string): { name: string; args: object }[] {
  const calls: { name: string; args: object }[] = [];
  for (let rest = undo; ; ) {
    const start = /(?:^|; )([a-z_]+) (?=\{)/.exec(rest);
    if (!start) return calls;
    rest = rest.slice(start.index + start[0].length);
    const [json, end] = firstJson(rest);
    calls.push({ name: start[1]!, args: json });
    rest = rest.slice(end);
  }
}

/** Parses the JSON object at the start of a text. @returns it, and where it ends */
function firstJson(text: string): [object, number] {
  for (let end = text.indexOf("}"); end !== -1; end = text.indexOf("}", end + 1)) {
    try {
      return [JSON.parse(text.slice(0, end + 1)) as object, end + 1];
    } catch {
      // The brace was inside the object.
    }
  }
  throw new Error(`no JSON: ${text}`);
}

/** A client that makes one stateless request at a time, as revision 2026-07-28 describes. */
function client(h: Harness): McpFixture["rpc"] {
  let id = 0;
  return async (method, params = {}, { key, dialog = "unavailable" } = {}) => {
    const capabilities = dialog === "unavailable" ? {} : { elicitation: { form: {} } };
    const _meta = {
      "io.modelcontextprotocol/protocolVersion": VERSION,
      "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
      "io.modelcontextprotocol/clientCapabilities": capabilities,
    };
    const { _meta: given } = params as { _meta?: object };
    const name = (params as { name?: unknown; uri?: unknown }).name ?? (params as { uri?: unknown }).uri;
    const headers: Record<string, string> = {
      Accept: "application/json, text/event-stream",
      "Content-Type": "application/json",
      "MCP-Protocol-Version": VERSION,
      "Mcp-Method": method,
      ...(typeof name === "string" && { "Mcp-Name": headerOf(name) }),
    };
    const body = JSON.stringify({
      jsonrpc: "2.0",
      id: ++id,
      method,
      params: { ...params, _meta: { ..._meta, ...given } },
    });
    const answer = await h.call("POST", "//mcp", { headers, body, ...(key !== undefined && { key }) });
    return answer.json ?? { status: answer.status, text: answer.text };
  };
}

/** A name as the header carries it: in Base64 unless it is plain ASCII (MCP, "Streamable HTTP"). */
function headerOf(name: string): string {
  return /^[\x21-\x7e]+$/.test(name) ? name : `=?base64?${Buffer.from(name).toString("base64")}?=`;
}

async function callTool(
  rpc: McpFixture["rpc"],
  name: string,
  args: object,
  connection: Connection,
): Promise<ToolAnswer> {
  const { dialog = "unavailable" } = connection;
  const asked: string[] = [];
  let more = {};
  for (let round = 0; ; round++) {
    const { result, error } = await rpc("tools/call", { name, arguments: args, ...more }, connection);
    if (result?.resultType === "input_required" && round < 3) {
      asked.push(result.inputRequests.confirm.params.message);
      const action = dialog === "refuse" ? "accept" : dialog;
      const response = { action, ...(action === "accept" && { content: { confirm: dialog === "accept" } }) };
      more = { inputResponses: { confirm: response }, requestState: result.requestState };
      continue;
    }
    if (!result) return { error: { code: "protocol", message: error.message }, value: null, text: "", asked };
    const { text } = result.content[0];
    if (result.isError) return { error: asError(text), value: null, text, asked };
    expect(JSON.parse(text)).toEqual(result.structuredContent);
    return { error: null, value: result.structuredContent, text, asked };
  }
}

function asError(text: string): ToolFailure {
  try {
    return JSON.parse(text).error;
  } catch {
    return { code: "not_json", message: text };
  }
}
