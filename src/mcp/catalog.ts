import type { TObject, TSchema } from "@sinclair/typebox";
import { bodyCheck, type Check } from "../http/check.ts";
import type { Scope } from "../kernel/scopes.ts";
import type { Tool } from "./tool.ts";
import { askMail, getBrief } from "./tools/answers.ts";
import { changeEvent, listEvents } from "./tools/calendar.ts";
import { listContacts, updateContact } from "./tools/contacts.ts";
import { getContext, updateContext } from "./tools/context.ts";
import { deleteDraft, listDrafts, saveDraft } from "./tools/drafts.ts";
import { fetchText } from "./tools/fetch.ts";
import { getOverview } from "./tools/overview.ts";
import { changeRule } from "./tools/rules.ts";
import { search } from "./tools/search.ts";
import { cancelSend, prepareSend, sendDraft } from "./tools/sending.ts";
import { listThreads, trashThreads, updateThreads } from "./tools/threads.ts";

/** All tools, in the order in which they are listed. Names, shapes and scopes are stable: a golden file holds them. */
export const TOOLS: readonly Tool[] = [
  getOverview,
  search,
  fetchText,
  listThreads,
  updateThreads,
  trashThreads,
  listDrafts,
  saveDraft,
  deleteDraft,
  prepareSend,
  sendDraft,
  cancelSend,
  listContacts,
  updateContact,
  getContext,
  updateContext,
  getBrief,
  askMail,
  listEvents,
  changeEvent,
  changeRule,
];

/** Hints for the client. Absent hints have the defaults of MCP: not read-only, destructive, not idempotent, open world. */
interface ToolAnnotations {
  readOnlyHint?: true;
  destructiveHint?: false;
  idempotentHint?: true;
  openWorldHint?: false;
}

/** A tool as the list of tools describes it (MCP, "Tools"). */
export interface ListedTool {
  name: string;
  title: string;
  description: string;
  inputSchema: { type: "object" };
  outputSchema: { type: "object" };
  annotations: ToolAnnotations;
}

export interface CatalogEntry {
  tool: Tool;
  listed: ListedTool;
  /** @throws ApiError invalid_params naming the argument */
  check: Check<unknown>;
}

/** Keywords that are left out: the error of a refused call states the same limits. */
const LEFT_OUT = new Set(["examples", "$id", "additionalProperties", "minLength", "maxLength", "pattern"]);

/** The tools with their compiled checks, by name. Made once for all requests: compiling takes far longer than a call. */
export const CATALOG: ReadonlyMap<string, CatalogEntry> = new Map(
  TOOLS.map((tool) => [tool.name, { tool, listed: list(tool), check: bodyCheck(tool.input) }]),
);

/** Returns the tools that a connection with these scopes sees. */
export function toolsFor(scopes: readonly Scope[]): ListedTool[] {
  return [...CATALOG.values()].filter(({ tool }) => scopes.includes(tool.scope)).map(({ listed }) => listed);
}

function list({ name, title, description, kind, reachesOthers, input, output }: Tool): ListedTool {
  return {
    name,
    title,
    description,
    inputSchema: compact(input) as { type: "object" },
    outputSchema: outline(output) as { type: "object" },
    annotations: {
      ...(kind === "read" && { readOnlyHint: true }),
      ...(kind === "write" && { destructiveHint: false }),
      ...(kind === "destructive" && { idempotentHint: true }),
      ...(!reachesOthers && { openWorldHint: false }),
    },
  };
}

/**
 * Returns the JSON Schema of a TypeBox schema in its shortest form, because the list is part of every conversation: choices
 * as `enum`, without examples. Unknown arguments are refused, but the schema need not say so.
 */
function compact(schema: TSchema): unknown {
  return JSON.parse(JSON.stringify(schema), (key, value) => {
    if (LEFT_OUT.has(key)) return undefined;
    if (value === null || typeof value !== "object") return value;
    if (Array.isArray(value.required)) return withoutDefaults(value);
    if (!Array.isArray(value.anyOf)) return value;
    const { anyOf, ...rest } = value as { anyOf: { const?: unknown; type?: string }[] };
    if (anyOf.every((choice) => typeof choice.const === "string")) {
      return { enum: anyOf.map((choice) => choice.const), ...rest };
    }
    const [first, second] = anyOf;
    if (anyOf.length === 2 && second?.type === "null") return { ...first, type: [first!.type, "null"], ...rest };
    return value;
  });
}

/** Returns an object schema in which fields with a default are optional, as they are for clients. */
function withoutDefaults({
  required,
  ...schema
}: {
  required: string[];
  properties: Record<string, TSchema>;
}): unknown {
  const needed = required.filter((name) => schema.properties[name]!.default === undefined);
  return needed.length > 0 ? { ...schema, required: needed } : schema;
}

/** Returns an output schema with the types of its fields only. The text of a result names the fields that it lacks. */
function outline({ properties }: TObject): unknown {
  const types = Object.entries(properties).map(([name, field]) => [name, typed(field)]);
  return { type: "object", properties: Object.fromEntries(types) };
}

function typed({ type, items }: TSchema): unknown {
  if (items === undefined || (items as TSchema).properties === undefined) return type === undefined ? {} : { type };
  return { type, items: outline(items as TObject) };
}
