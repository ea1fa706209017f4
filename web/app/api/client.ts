import { reauthenticate } from "../state/re-authentication.ts";
import { sandbox } from "../state/sandbox.ts";
import { serverPaused, sessionEnded } from "../state/session-ended.ts";

/** `{base}/app/`. The bundle is served from `app/assets/`, so this works under every base path. */
const APP = new URL("../", import.meta.url);
const APP_API = new URL("api/", APP);
const PUBLIC_API = new URL("../v1/", APP);
const JSON_TYPE = "application/json";

/** A failed request. `message` is the server's text and can be shown to users. */
export class Fault extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    /** The invalid field: "add_labels[0]". */
    readonly param: string | null = null,
    readonly details: unknown = null,
    readonly requestId: string | null = null,
  ) {
    super(message);
  }
}

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
type Query = Record<string, string | number | boolean | null | undefined>;

interface Sent {
  body?: unknown;
  query?: Query;
  signal?: AbortSignal;
  /** For what belongs to the sandbox, or not, whichever of the two the page shows. */
  inSandbox?: boolean;
  /** The server answers a repeated request with the same key as the first one, and does nothing twice. */
  idempotencyKey?: string;
}

/** Sends a request to the settings page's own API, `app/api/…`. @throws Fault */
export function app<T>(method: Method, path: string, sent: Sent = {}): Promise<T> {
  return send<T>(method, new URL(path.slice(1), APP_API), sent);
}

/** Sends a request to the public API, `v1/…`, authenticated by the session instead of an API key. @throws Fault */
export function v1<T>(method: Method, path: string, sent: Sent = {}): Promise<T> {
  return send<T>(method, new URL(path.slice(1), PUBLIC_API), sent);
}

/** Returns a text of the public API: the HTML of a message. @throws Fault */
export async function v1Text(path: string, sent: Sent = {}): Promise<string> {
  const response = await answered("GET", new URL(path.slice(1), PUBLIC_API), sent);
  return await response.text();
}

/** Downloads a file from the public API. @throws Fault */
export async function v1Download(path: string, fallbackName: string): Promise<void> {
  const response = await answered("GET", new URL(path.slice(1), PUBLIC_API), {});
  // Without its type, a browser cannot display the file, only save it.
  save(new Blob([await response.arrayBuffer()], { type: "application/octet-stream" }), nameOf(response, fallbackName));
}

/** Returns a new key for `idempotencyKey`. `crypto.randomUUID` is missing on pages without HTTPS. */
export function newIdempotencyKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Returns the public API URL for other programs: "https://mail.example.org/v1". */
export function publicApiUrl(): string {
  return PUBLIC_API.href.replace(/\/$/, "");
}

/** Returns the URL of a path on this server: `link("v1/docs")`. */
export function link(path: string): string {
  return new URL(`../${path}`, APP).href;
}

/** Returns the URL of a route of this page: `pageUrl("#/keys")`. */
export function pageUrl(hash: string): string {
  return new URL(hash, APP).href;
}

/** Downloads a file from the settings page's own API. @throws Fault */
export async function download(method: Method, path: string, sent: Sent, fallbackName: string): Promise<void> {
  const response = await answered(method, new URL(path.slice(1), APP_API), sent);
  save(await response.blob(), nameOf(response, fallbackName));
}

/** Returns the file name of a download (RFC 6266). The server has removed paths and invisible characters from it. */
function nameOf(response: Response, fallback: string): string {
  const disposition = response.headers.get("content-disposition") ?? "";
  const extended = /filename\*=UTF-8''([^;]+)/.exec(disposition)?.[1];
  if (extended) return decodeURIComponent(extended);
  return /filename="?([^";]+)"?/.exec(disposition)?.[1] ?? fallback;
}

/** Offers bytes as a download with a file name. */
export function save(content: Blob, name: string): void {
  const url = URL.createObjectURL(content);
  const anchor = document.createElement("a");
  anchor.href = url;
  anchor.download = name;
  anchor.click();
  // The browser holds its own reference once click() returns, so the URL can be revoked in the next task.
  setTimeout(() => URL.revokeObjectURL(url), 0);
}

async function send<T>(method: Method, url: URL, sent: Sent): Promise<T> {
  const response = await answered(method, url, sent);
  if (response.status === 204) return undefined as T;
  return (await response.json()) as T;
}

/** Returns a successful response. If the server requires re-authentication, asks for it and retries once. */
async function answered(method: Method, url: URL, sent: Sent): Promise<Response> {
  const first = await reach(method, url, sent);
  if (first.ok) return first;
  const fault = await faultOf(first);
  if (fault.code !== "proof_required" || !(await reauthenticate())) throw fault;
  const second = await reach(method, url, sent);
  if (!second.ok) throw await faultOf(second);
  return second;
}

async function reach(method: Method, url: URL, sent: Sent): Promise<Response> {
  const { body, query = {}, signal, inSandbox, idempotencyKey } = sent;
  for (const [name, value] of Object.entries(query)) {
    if (value !== null && value !== undefined && value !== "") url.searchParams.set(name, String(value));
  }
  // Protects against cross-site requests: another origin cannot set a custom header without a CORS preflight.
  const headers: Record<string, string> = { "X-Postroom-App": "1", Accept: JSON_TYPE };
  if (inSandbox ?? sandbox.value) headers["X-Postroom-Sandbox"] = "1";
  if (idempotencyKey !== undefined) headers["Idempotency-Key"] = idempotencyKey;
  const raw = body instanceof FormData || body instanceof Blob;
  if (body instanceof Blob) headers["Content-Type"] = "application/octet-stream";
  else if (body !== undefined && !raw) headers["Content-Type"] = JSON_TYPE;
  const payload = body === undefined || raw ? body : JSON.stringify(body);
  try {
    return await fetch(url, { method, headers, body: payload, signal, credentials: "same-origin", cache: "no-store" });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new Fault(0, "offline", "The server did not respond. Check that Postroom is running, then try again.");
  }
}

interface Envelope {
  error?: { code?: string; message?: string; param?: string; details?: unknown; request_id?: string };
}

async function faultOf(response: Response): Promise<Fault> {
  const { error } = (await response.json().catch(() => ({}))) as Envelope;
  const code = error?.code ?? "internal_error";
  if (response.status === 401 && code === "unauthorized") sessionEnded();
  if (code === "server_paused") serverPaused();
  const message = error?.message ?? `The server responded with status ${response.status}. Try again.`;
  return new Fault(response.status, code, message, error?.param ?? null, error?.details, error?.request_id ?? null);
}

/** Returns the message to show for any thrown value. */
export function messageOf(error: unknown): string {
  if (error instanceof Fault) return error.message;
  return error instanceof Error ? error.message : "Something went wrong. Reload the page and try again.";
}
