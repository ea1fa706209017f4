import { reauthenticate } from "../state/re-authentication.ts";
import { sandbox } from "../state/sandbox.ts";
import { sessionEnded } from "../state/session-ended.ts";

/** `{base}/app/`: this file's bundle lies in `app/assets/`, whatever the base path is. */
const APP = new URL("../", import.meta.url);
const APP_API = new URL("api/", APP);
const PUBLIC_API = new URL("../v1/", APP);
const JSON_TYPE = "application/json";

/** Why a request failed, in the words of the server; `message` can be shown to people. */
export class Fault extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    /** The field that is wrong: "add_labels[0]". */
    readonly param: string | null = null,
    readonly details: unknown = null,
    readonly request_id: string | null = null,
  ) {
    super(message);
  }
}

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
export type Query = Record<string, string | number | boolean | null | undefined>;

interface Sent {
  body?: unknown;
  query?: Query;
  signal?: AbortSignal;
}

/** A request to the settings page's own API, `app/api/…`. @throws Fault */
export function app<T>(method: Method, path: string, sent: Sent = {}): Promise<T> {
  return send<T>(method, new URL(path.slice(1), APP_API), sent);
}

/** A request to the public API, `v1/…`, with the session in place of a key. @throws Fault */
export function v1<T>(method: Method, path: string, sent: Sent = {}): Promise<T> {
  return send<T>(method, new URL(path.slice(1), PUBLIC_API), sent);
}

/** The address of the public API as other programs reach it: "https://mail.example.org/v1". */
export function publicApiUrl(): string {
  return PUBLIC_API.href.replace(/\/$/, "");
}

/** Where a plain link into the server leads: `link("v1/docs")`. */
export function link(path: string): string {
  return new URL(`../${path}`, APP).href;
}

/** Where a route of this page is: `pageUrl("#/keys")`. */
export function pageUrl(hash: string): string {
  return new URL(hash, APP).href;
}

/** Fetches a file through the settings page's own API and hands it to the browser to save. @throws Fault */
export async function download(method: Method, path: string, sent: Sent, fallbackName: string): Promise<void> {
  const response = await answered(method, new URL(path.slice(1), APP_API), sent);
  const named = /filename="?([^";]+)"?/.exec(response.headers.get("content-disposition") ?? "")?.[1];
  save(await response.blob(), named ?? fallbackName);
}

/** Hands bytes to the browser to save under a name. */
export function save(content: Blob, name: string): void {
  const url = URL.createObjectURL(content);
  const anchor = document.createElement("a");
  anchor.href = url;
  anchor.download = name;
  anchor.click();
  // The browser has taken its own reference when the click returns; the next task is early enough to let go.
  setTimeout(() => URL.revokeObjectURL(url), 0);
}

async function send<T>(method: Method, url: URL, sent: Sent): Promise<T> {
  const response = await answered(method, url, sent);
  if (response.status === 204) return undefined as T;
  return (await response.json()) as T;
}

/** A good answer. Where the server wants a proof first, the person is asked for it, and the request is made again. */
async function answered(method: Method, url: URL, sent: Sent): Promise<Response> {
  const first = await reach(method, url, sent);
  if (first.ok) return first;
  const fault = await faultOf(first);
  if (fault.code !== "proof_required" || !(await reauthenticate())) throw fault;
  const second = await reach(method, url, sent);
  if (!second.ok) throw await faultOf(second);
  return second;
}

async function reach(method: Method, url: URL, { body, query = {}, signal }: Sent): Promise<Response> {
  for (const [name, value] of Object.entries(query)) {
    if (value !== null && value !== undefined && value !== "") url.searchParams.set(name, String(value));
  }
  // A page of another origin cannot set a header of its own without being asked first.
  const headers: Record<string, string> = { "X-Postroom-App": "1", Accept: JSON_TYPE };
  if (sandbox.value) headers["X-Postroom-Sandbox"] = "1";
  const form = body instanceof FormData;
  if (body !== undefined && !form) headers["Content-Type"] = JSON_TYPE;
  const payload = body === undefined || form ? (body as FormData | undefined) : JSON.stringify(body);
  try {
    return await fetch(url, { method, headers, body: payload, signal, credentials: "same-origin", cache: "no-store" });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new Fault(0, "offline", "The server does not answer. Check that Postroom is running, then try again.");
  }
}

interface Envelope {
  error?: { code?: string; message?: string; param?: string; details?: unknown; request_id?: string };
}

async function faultOf(response: Response): Promise<Fault> {
  const { error } = (await response.json().catch(() => ({}))) as Envelope;
  const code = error?.code ?? "internal_error";
  if (response.status === 401 && code === "unauthorized") sessionEnded();
  const message = error?.message ?? `The server answered ${response.status}.`;
  return new Fault(response.status, code, message, error?.param ?? null, error?.details, error?.request_id ?? null);
}

/** Any thrown thing as words for people. */
export function messageOf(error: unknown): string {
  if (error instanceof Fault) return error.message;
  return error instanceof Error ? error.message : "Something went wrong.";
}
