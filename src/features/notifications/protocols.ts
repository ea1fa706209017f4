import type { Kind } from "./kinds.ts";
import type { Credentials, TargetAddress } from "./tables.ts";
import type { Message } from "./text.ts";

/** A request that publishes one message. */
export interface Publication {
  url: string;
  headers: Record<string, string>;
  body: Buffer;
}

/** Kinds that a phone should announce even if it is silent. */
const PRESSING: readonly Kind[] = ["approval", "send", "health"];
const NTFY_HIGH = 4;
const NTFY_DEFAULT = 3;
/** Emoji names of https://docs.ntfy.sh/emojis/. */
const NTFY_TAGS: Record<Kind, string> = {
  mail: "envelope",
  approval: "raised_hand",
  send: "x",
  brief: "newspaper",
  health: "warning",
};

/** Returns the request for a message: ntfy's "Publish as JSON", or POST /notify of the Apprise API. */
export function publication(address: TargetAddress, message: Message): Publication {
  const { url, payload } = address.service === "ntfy" ? ntfy(address, message) : apprise(address, message);
  const headers = { "Content-Type": "application/json", Accept: "application/json", ...authorization(address) };
  return { url, headers, body: Buffer.from(JSON.stringify(payload)) };
}

/** https://docs.ntfy.sh/publish/#publish-as-json */
function ntfy({ url, topic }: TargetAddress, { title, text, kinds, link }: Message) {
  const pressing = PRESSING.some((kind) => kinds.has(kind));
  const payload = {
    topic,
    title,
    message: text,
    priority: pressing ? NTFY_HIGH : NTFY_DEFAULT,
    tags: [...kinds].map((kind) => NTFY_TAGS[kind]),
    ...(link && { click: link }),
  };
  return { url: `${baseOf(url)}/`, payload };
}

/** https://github.com/caronc/apprise-api#api-details */
function apprise({ url, topic, urls, tag }: TargetAddress, { title, text, kinds, link }: Message) {
  const payload = {
    ...(topic === "" && { urls }),
    title,
    body: link === null ? text : `${text}\n${link}`,
    type: kinds.has("health") ? "warning" : kinds.has("send") ? "failure" : "info",
    format: "text",
    ...(tag !== "" && { tag }),
  };
  return { url: `${baseOf(url)}/notify${topic === "" ? "" : `/${encodeURIComponent(topic)}`}`, payload };
}

function authorization({ credentials }: TargetAddress): Record<string, string> {
  const value = credentialsHeader(credentials);
  return value === null ? {} : { Authorization: value };
}

function credentialsHeader(credentials: Credentials): string | null {
  if (credentials.auth === "none") return null;
  if (credentials.auth === "token") return `Bearer ${credentials.token}`;
  return `Basic ${Buffer.from(`${credentials.username}:${credentials.password}`).toString("base64")}`;
}

function baseOf(url: string): string {
  return url.replace(/\/+$/, "");
}

/** What an answer of a server means. */
export interface Judgment {
  /** The reason of a failure, as the end of a sentence; null on success. */
  error: string | null;
  /** Whether repeating cannot help until someone changes something. */
  refused: boolean;
}

const REFUSALS = new Set([401, 403, 404, 410]);
const REASON_CHARS = 200;

/** Judges an answer. The Apprise API answers 204 if it notified no one. @param body "" if it must not be shown */
export function judge({ service }: TargetAddress, status: number, body: string): Judgment {
  if (service === "apprise" && status === 204) {
    return {
      error: "the server notified no one: the key has no configuration, or no service has the tag",
      refused: true,
    };
  }
  if (status >= 200 && status < 300) return { error: null, refused: false };
  if (status >= 300 && status < 400) {
    return { error: `the server answered ${status}, a redirect. Enter the final address of the server`, refused: true };
  }
  const reason = reasonIn(body);
  return { error: `the server answered ${status}${reason && `: ${reason}`}`, refused: REFUSALS.has(status) };
}

/** Returns the field `error` of a JSON answer, which both servers have. */
function reasonIn(body: string): string {
  try {
    const { error } = JSON.parse(body) as { error?: unknown };
    return typeof error === "string"
      ? error.replace(/\s+/g, " ").trim().replace(/\.+$/, "").slice(0, REASON_CHARS)
      : "";
  } catch {
    return "";
  }
}
