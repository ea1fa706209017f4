import { mock } from "bun:test";
import { join, resolve } from "node:path";

/** Runs the nodes of clients/n8n without n8n: the functions that n8n passes to them, over real HTTP. */

const NODES = resolve(import.meta.dir, "../../clients/n8n/nodes");

/** As n8n-workflow: the message of the options wins, and an error of the API is returned unchanged. */
class NodeApiError extends Error {
  description: string | undefined;
  httpCode: string | null = null;
  context: Record<string, unknown> = {};

  constructor(
    _node: unknown,
    given: unknown,
    options: { message?: string; description?: string; httpCode?: string } = {},
  ) {
    super(options.message ?? "");
    // biome-ignore lint/correctness/noConstructorReturn: as in n8n-workflow
    if (given instanceof NodeApiError) return given;
    this.description = options.description;
    this.httpCode = options.httpCode ?? null;
  }
}

class NodeOperationError extends Error {
  constructor(_node: unknown, given: Error | string) {
    super(typeof given === "string" ? given : given.message);
  }
}

// The package n8n-workflow is not installed: the nodes use only these values of it.
mock.module("n8n-workflow", () => ({ NodeApiError, NodeOperationError, NodeConnectionTypes: { Main: "main" } }));

// biome-ignore lint/suspicious/noExplicitAny: a test reads answers of every shape
export type Json = Record<string, any>;

export interface Context {
  parameters: Json;
  items: Json[];
  /** The data of the workflow that n8n stores. */
  data: Json;
  mode: "manual" | "trigger" | "webhook";
  executionId: string;
  runIndex: number;
  continueOnFail: boolean;
  webhookUrl: string;
  timeZone: string;
}

const DEFAULTS: Context = {
  parameters: {},
  items: [{}],
  data: {},
  mode: "trigger",
  executionId: "1",
  runIndex: 0,
  continueOnFail: false,
  webhookUrl: "",
  timeZone: "Europe/Berlin",
};

interface HttpOptions {
  method: string;
  url: string;
  qs: Record<string, unknown>;
  body?: unknown;
  headers: Record<string, string>;
}

/** A served Postroom, and a key. */
export interface Server {
  url: string;
  key: string;
}

/** Returns the functions that n8n passes to a node as `this`, in each kind of call. */
export function functionsOf({ url, key }: Server, changes: Partial<Context>) {
  const context = { ...DEFAULTS, ...changes };
  const warnings: string[] = [];
  return {
    warnings,
    logger: { warn: (text: string) => void warnings.push(text) },
    getNode: () => ({ id: "node-1", name: "Postroom" }),
    getWorkflow: () => ({ id: "workflow-1" }),
    getInstanceId: () => "instance-1",
    getExecutionId: () => context.executionId,
    getWorkflowDataProxy: () => ({ $runIndex: context.runIndex }),
    getTimezone: () => context.timeZone,
    getMode: () => context.mode,
    getInputData: () => context.items.map((json) => ({ json })),
    continueOnFail: () => context.continueOnFail,
    getWorkflowStaticData: () => context.data,
    getNodeWebhookUrl: () => context.webhookUrl,
    getCredentials: async () => ({ url, apiKey: key }),
    // Hooks and polls pass no item.
    getNodeParameter(name: string, item?: number, fallback?: unknown) {
      const all: Json = { ...context.parameters, ...context.items[item ?? 0]?.parameters };
      const value = name.split(".").reduce<Json | undefined>((found, part) => found?.[part], all) ?? fallback;
      if (value === undefined) throw new Error(`Could not get parameter "${name}"`);
      return value;
    },
    helpers: {
      async httpRequestWithAuthentication(_name: string, { method, url: address, qs, body, headers }: HttpOptions) {
        const target = new URL(address);
        for (const [name, value] of Object.entries(qs)) target.searchParams.set(name, String(value));
        const response = await fetch(target, {
          method,
          headers: { ...headers, Authorization: `Bearer ${key}`, "Content-Type": "application/json" },
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        });
        const text = await response.text();
        const json = response.headers.get("content-type")?.startsWith("application/json");
        return { statusCode: response.status, body: json ? JSON.parse(text) : text };
      },
    },
  };
}

export interface NodeType {
  description: Json;
  execute(this: unknown): Promise<{ json: Json; pairedItem: { item: number } }[][]>;
  poll(this: unknown): Promise<{ json: Json }[][] | null>;
  webhook(this: unknown): Promise<Json>;
  webhookMethods: { default: Record<"checkExists" | "create" | "delete", (this: unknown) => Promise<boolean>> };
  methods: { loadOptions: { getAccounts(this: unknown): Promise<{ name: string; value: string }[]> } };
}

/** Loads a node of the package, "PostroomTrigger". */
export async function nodeOf(name: string): Promise<NodeType> {
  const module = await import(join(NODES, name, `${name}.node.ts`));
  return new module[name]();
}

/** Loads the names of the operations. */
export async function operationNames(): Promise<string[]> {
  return Object.keys((await import(join(NODES, "Postroom/operations.ts"))).OPERATIONS);
}

/** Loads the conversion of times. */
export async function toInstant(value: unknown, timeZone: string): Promise<string> {
  return (await import(join(NODES, "../api/instant.ts"))).toInstant(value, timeZone);
}
