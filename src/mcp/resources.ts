import type { McpServer, ReadResourceResult } from "@modelcontextprotocol/server";
import type { Scope } from "../kernel/scopes.ts";
import { CONTENT_BYTES, fitting, withinBudget } from "./budget.ts";
import type { Sdk } from "./sdk.ts";
import type { ToolContext } from "./tool.ts";
import { latestBrief } from "./tools/answers.ts";
import { fetchText } from "./tools/fetch.ts";
import { markedRule, type Rule } from "./tools/rules.ts";

/** Longest text of a resource, in characters. Longer ones say how the tool `fetch` continues. */
const LONGEST_CHARS = 20_000;

/** A resource of the tool server, or a family of them with an id. */
interface Resource {
  name: string;
  title: string;
  uri: string;
  scope: Scope;
  mimeType: "text/plain" | "application/json";
  read(context: ToolContext, id: string): Promise<string>;
}

const RESOURCES: readonly Resource[] = [
  {
    name: "thread",
    title: "Thread",
    uri: "postroom://threads/{id}",
    scope: "mail:read",
    mimeType: "text/plain",
    read: text,
  },
  {
    name: "message",
    title: "Message",
    uri: "postroom://messages/{id}",
    scope: "mail:read",
    mimeType: "text/plain",
    read: text,
  },
  {
    name: "attachment",
    title: "Text of an attachment",
    uri: "postroom://attachments/{id}",
    scope: "mail:read",
    mimeType: "text/plain",
    read: text,
  },
  {
    name: "brief",
    title: "Latest brief",
    uri: "postroom://brief/latest",
    scope: "brief:read",
    mimeType: "application/json",
    read: async (context) => JSON.stringify(withinBudget(await latestBrief(context))),
  },
  {
    name: "rules",
    title: "Rules",
    uri: "postroom://rules",
    scope: "mail:read",
    mimeType: "application/json",
    read: async ({ call, mail }) => {
      const { data } = (await call("listRules")) as { data: Rule[] };
      return listText(data.map((rule) => markedRule(rule, mail)));
    },
  },
  {
    name: "agent-actions",
    title: "Actions of the agent",
    uri: "postroom://agent/actions",
    scope: "agent:read",
    mimeType: "application/json",
    read: async ({ call, mail }) => {
      const { data } = (await call("listAgentActions")) as { data: AgentAction[] };
      return listText(data.map((action) => marked(action, mail)));
    },
  },
];

/** Returns a list as JSON, with as many items as fit. */
function listText(items: readonly object[]): string {
  const data = fitting(items, CONTENT_BYTES);
  const left = items.length - data.length;
  return JSON.stringify(withinBudget({ data, ...(left > 0 && { note: `${left} more are not shown.` }) }));
}

interface AgentAction {
  subject: string | null;
  from: { name: string; email: string } | null;
  reason: string;
  changes: { labels: string[] };
  evidence: { quote: string } | null;
}

/** Returns an action of the agent with the words of mail in it marked. */
function marked(action: AgentAction, mail: ToolContext["mail"]): AgentAction {
  const { subject, from, reason, changes, evidence } = action;
  return {
    ...action,
    subject: subject && mail.line(subject),
    from: from && { name: mail.line(from.name), email: mail.line(from.email) },
    reason: mail.line(reason),
    changes: { ...changes, labels: changes.labels.map((label) => mail.line(label)) },
    evidence: evidence && { ...evidence, quote: mail.lines(evidence.quote) },
  };
}

/** Registers the resources that a connection may read. @param begin begins a counted call; it may throw an ApiError */
export function registerResources(
  sdk: Sdk,
  server: McpServer,
  scopes: readonly Scope[],
  begin: (name: string, read: (context: ToolContext) => Promise<string>) => Promise<string>,
): void {
  const allowed = RESOURCES.filter(({ scope }) => scopes.includes(scope));
  // The SDK would announce notifications about changes of the list, which never changes.
  if (allowed.length > 0) server.server.registerCapabilities({ resources: { listChanged: false } });
  for (const { name, title, uri, scope, mimeType, read } of allowed) {
    const config = { title, mimeType, scopeChallenge: sdk.requireScopes(scope) };
    const answer = async (address: URL, id: string): Promise<ReadResourceResult> => ({
      contents: [{ uri: address.href, mimeType, text: await begin(name, (context) => read(context, id)) }],
    });
    if (uri.includes("{")) {
      const template = new sdk.ResourceTemplate(uri, { list: undefined });
      server.registerResource(name, template, config, (address, { id }) => answer(address, String(id)));
    } else {
      server.registerResource(name, uri, config, (address) => answer(address, ""));
    }
  }
}

async function text(context: ToolContext, id: string): Promise<string> {
  const input = { id, offset: 0, max_chars: LONGEST_CHARS, include_quoted: false };
  const { title, text, next_offset } = (await fetchText.run(input as never, context)) as {
    title: string;
    text: string;
    next_offset?: number;
  };
  const more = next_offset === undefined ? [] : [`More: fetch ${JSON.stringify({ id, offset: next_offset })}`];
  return [title, text, ...more].join("\n");
}
