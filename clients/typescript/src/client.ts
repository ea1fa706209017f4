/** Client of the Postroom API: the typed paths of `api.ts` over openapi-fetch, with retries and typed errors. */
import createClient, { type Client } from "openapi-fetch";
import type { paths } from "./api.ts";
import { baseUrl } from "./base-url.ts";
import { errorOf, UNKNOWN_PARAMS } from "./errors.ts";
import { type RetryOptions, retryingFetch } from "./retry.ts";

export type { components, operations, paths } from "./api.ts";
export { type ErrorCode, PostroomError } from "./errors.ts";
export { verifyWebhook } from "./webhooks.ts";

export interface PostroomOptions extends RetryOptions {
  /** Address of the server, with or without the version: "https://mail.example.org", "http://127.0.0.1:8025/v1". */
  url: string;
  /** API key: "service_live_…" or "service_test_…". */
  key: string;
  /**
   * Asks the server to refuse unknown fields and parameters, such as misspelled ones, with 400 `invalid_params`
   * (`Prefer: handling=strict`, RFC 7240 section 4.4); true by default. With false the server ignores them.
   */
  strict?: boolean;
  /** Receives the header `X-Unknown-Params` of every answer that has one: the unknown fields and parameters. */
  onUnknownParams?: (params: string, request: Request) => void;
}

export type Postroom = Client<paths, "application/json">;

/**
 * Creates the API: `api.GET("/threads", …)`, with every path, parameter and answer typed. Errors are thrown as
 * PostroomError.
 */
export function postroom({ url, key, strict = true, onUnknownParams, ...retry }: PostroomOptions): Postroom {
  const client = createClient<paths, "application/json">({
    baseUrl: baseUrl(url),
    headers: { Authorization: `Bearer ${key}`, ...(strict ? { Prefer: "handling=strict" } : {}) },
    fetch: retryingFetch(retry),
    // Lists as the API expects them: ?types=a&types=b
    querySerializer: { array: { style: "form", explode: true } },
  });
  client.use({
    async onResponse({ request, response }) {
      const unknown = response.headers.get(UNKNOWN_PARAMS);
      if (unknown !== null) onUnknownParams?.(unknown, request);
      if (response.ok) return undefined;
      const text = await response.text();
      throw errorOf(response, parsed(text));
    },
  });
  return client;
}

/** Returns the data of an answer; errors were thrown before. */
export async function take<T>(answer: Promise<{ data?: T }>): Promise<T> {
  const { data } = await answer;
  return data as T;
}

interface Page<Item> {
  data: Item[];
  next_cursor?: string | null;
}

/** Returns every row of a list, page by page: `for await (const thread of all((cursor) => …))`. */
export async function* all<Item>(
  page: (cursor: string | undefined) => Promise<{ data?: Page<Item> }>,
): AsyncGenerator<Item, void, undefined> {
  let cursor: string | undefined;
  do {
    const { data, next_cursor } = await take(page(cursor));
    yield* data;
    cursor = next_cursor ?? undefined;
  } while (cursor !== undefined);
}

/**
 * Returns a key for a request that must not be executed twice. Store it with the request if your program may be
 * restarted.
 */
export function idempotencyKey(): string {
  return crypto.randomUUID();
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
