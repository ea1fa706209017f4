import type {
  IDataObject,
  IExecuteFunctions,
  IHookFunctions,
  IHttpRequestMethods,
  ILoadOptionsFunctions,
  IPollFunctions,
  JsonObject,
} from "n8n-workflow";
import { NodeApiError } from "n8n-workflow";
import { baseUrl } from "./base-url";

type Functions = IExecuteFunctions | IHookFunctions | ILoadOptionsFunctions | IPollFunctions;

export interface ApiRequest {
  method: IHttpRequestMethods;
  /** Path under /v1: "/threads". */
  path: string;
  /** Empty values are left out. */
  query?: IDataObject;
  body?: IDataObject;
  /** Header Idempotency-Key. */
  idempotencyKey?: string;
}

/** The error of an answer, as in the error envelope of the API. */
export interface ApiFailure {
  status: number;
  code: string;
  message: string;
  param: string | null;
  request_id: string | null;
}

/** Largest page of the API's lists. */
const PAGE = 100;

/**
 * Sends a request and returns the answer.
 * @throws NodeApiError with the message of the API; code, parameter and request id are in its description and context
 */
export async function call(
  functions: Functions,
  { method, path, query, body, idempotencyKey }: ApiRequest,
  itemIndex = 0,
): Promise<IDataObject> {
  const { url } = await functions.getCredentials<{ url: string }>("postroomApi", itemIndex);
  const answer = (await functions.helpers.httpRequestWithAuthentication.call(functions, "postroomApi", {
    method,
    url: `${baseUrl(url)}${path}`,
    qs: withoutEmpty(query ?? {}),
    ...(body === undefined ? {} : { body }),
    headers: { Accept: "application/json", ...(idempotencyKey ? { "Idempotency-Key": idempotencyKey } : {}) },
    json: true,
    returnFullResponse: true,
    ignoreHttpStatusErrors: true,
  })) as { statusCode: number; body: unknown };
  const content = jsonOf(answer.body);
  if (answer.statusCode < 300) return content ?? {};
  throw apiError(functions, failureOf(answer.statusCode, content), itemIndex);
}

/**
 * Returns the items of a list, page by page.
 * @param most number of items, or null for all
 */
export async function list(
  functions: Functions,
  { body, query, ...request }: ApiRequest,
  most: number | null,
  itemIndex = 0,
): Promise<IDataObject[]> {
  const items: IDataObject[] = [];
  let cursor: string | undefined;
  do {
    const page: IDataObject = { limit: Math.min(PAGE, (most ?? Number.POSITIVE_INFINITY) - items.length) };
    if (cursor) page.cursor = cursor;
    const paged = request.method === "GET" ? { query: { ...query, ...page } } : { query, body: { ...body, ...page } };
    const answer = await call(functions, { ...request, ...paged }, itemIndex);
    items.push(...(answer.data as IDataObject[]));
    cursor = answer.has_more ? (answer.next_cursor as string) : undefined;
  } while (cursor && items.length < (most ?? Number.POSITIVE_INFINITY));
  return most === null ? items : items.slice(0, most);
}

/** Returns true if a request failed because the object does not exist, or no longer exists. */
export function isNotFound(error: unknown): boolean {
  return error instanceof NodeApiError && error.httpCode === "404";
}

function apiError(functions: Functions, failure: ApiFailure, itemIndex: number): NodeApiError {
  const facts = [
    `code ${failure.code}`,
    ...(failure.param ? [`parameter ${failure.param}`] : []),
    ...(failure.request_id ? [`request ${failure.request_id}`] : []),
  ];
  const error = new NodeApiError(functions.getNode(), { ...failure } as unknown as JsonObject, {
    message: failure.message,
    description: `Postroom answered ${failure.status} (${facts.join(", ")}).`,
    httpCode: String(failure.status),
    itemIndex,
  });
  // The constructor replaces messages by general ones for some statuses, such as 404.
  error.message = failure.message;
  error.context.postroom = failure;
  return error;
}

/** Answers of a proxy in between have no envelope. */
function failureOf(status: number, content: IDataObject | null): ApiFailure {
  const { code, message, param, request_id } = (content?.error ?? {}) as Partial<ApiFailure>;
  return {
    status,
    code: code ?? "internal_error",
    message: message ?? `The server answered ${status}. Check the server address in the credentials.`,
    param: param ?? null,
    request_id: request_id ?? null,
  };
}

function jsonOf(body: unknown): IDataObject | null {
  if (typeof body === "object" && body !== null) return body as IDataObject;
  try {
    return JSON.parse(String(body)) as IDataObject;
  } catch {
    return null;
  }
}

function withoutEmpty(query: IDataObject): IDataObject {
  return Object.fromEntries(Object.entries(query).filter(([, value]) => value !== undefined && value !== ""));
}
