import type { ImapFlow, ImapResponse, MailboxObject } from "imapflow";
import { encodePath, getStatusCode, packMessageRange } from "imapflow/lib/tools.js";

/**
 * The server answered a command with NO or BAD. Lost connections are not refusals; they reject with imapflow's own
 * errors.
 */
export class Refusal extends Error {
  override readonly name = "Refusal";
  constructor(
    /** RFC 5530 response code, e.g. "NOPERM"; null without one. */
    readonly code: string | null,
    /** The server's reply. */
    readonly words: string,
  ) {
    super(`The mail server refused: ${words || code || "no reason given"}`);
  }

  /** Whether the command may succeed later. */
  get temporary(): boolean {
    return this.code !== null && TEMPORARY.has(this.code);
  }

  /** Whether the folder does not exist. */
  get missing(): boolean {
    return this.code === "NONEXISTENT" || this.code === "TRYCREATE";
  }
}

const TEMPORARY = new Set(["UNAVAILABLE", "INUSE", "LIMIT", "SERVERBUG", "THROTTLED", "EXPUNGEISSUED"]);

/** imapflow's method for custom commands, which its published types leave out. */
interface CommandRunner {
  exec(
    command: string,
    attributes: unknown[],
    options?: { untagged: Record<string, (untagged: ImapResponse) => Promise<void>> },
  ): Promise<{ response: ImapResponse; next: () => void }>;
}

interface CommandFault {
  responseStatus?: unknown;
  responseText?: unknown;
  response?: ImapResponse;
  code?: unknown;
  mailboxMissing?: unknown;
}

export const atom = (value: string) => ({ type: "ATOM", value });
export const sequence = (uids: readonly number[]) => ({ type: "SEQUENCE", value: packMessageRange([...uids]) });

/** Turns the server's NO and BAD into a Refusal. */
async function guarded<T>(command: () => Promise<T>): Promise<T> {
  try {
    return await command();
  } catch (error) {
    const fault = error as CommandFault;
    if (fault.responseStatus !== "NO" && fault.responseStatus !== "BAD") throw error;
    const code = getStatusCode(fault.response) || (fault.mailboxMissing === true ? "NONEXISTENT" : null);
    const words = typeof fault.responseText === "string" ? fault.responseText : "";
    throw new Refusal(fault.code === "ETHROTTLE" ? "THROTTLED" : code, words);
  }
}

/**
 * Sends one command. The library's own wrappers return `false` for every refusal, but here the reason decides how to
 * continue.
 * @returns the server's report of the copies that it made
 * @throws Refusal
 */
export async function run(client: ImapFlow, command: string, attributes: unknown[]): Promise<CopyUid | null> {
  return guarded(async () => {
    let copied: CopyUid | null = null;
    const note = (response: ImapResponse) => {
      copied ??= copyUid(response);
    };
    const untagged = { OK: async (response: ImapResponse) => note(response) };
    const { response, next } = await (client as unknown as CommandRunner).exec(command, attributes, { untagged });
    note(response);
    next();
    return copied;
  });
}

/** Opens a folder for writing. `readOnly` of the result is the server's report. @throws Refusal */
export function openForWriting(client: ImapFlow, path: string): Promise<MailboxObject> {
  return guarded(() => client.mailboxOpen(path, { readOnly: false }));
}

/** Adds or removes flags or keywords. UIDs that are gone are skipped (RFC 9051 §6.4.9). @throws Refusal */
export async function storeFlags(
  client: ImapFlow,
  uids: readonly number[],
  add: boolean,
  flags: readonly string[],
): Promise<void> {
  await run(client, "UID STORE", [sequence(uids), atom(`${add ? "+" : "-"}FLAGS.SILENT`), flags.map(atom)]);
}

/**
 * Adds or removes a label of Gmail (X-GM-EXT-1). Labels are written like folder names, in modified UTF-7; its system
 * labels, such as \Inbox, like flags. @throws Refusal
 */
export async function storeGmailLabel(
  client: ImapFlow,
  uids: readonly number[],
  add: boolean,
  label: string,
): Promise<void> {
  const value = label.startsWith("\\") ? atom(label) : { type: "STRING", value: encodePath(client, label) };
  await run(client, "UID STORE", [sequence(uids), atom(`${add ? "+" : "-"}X-GM-LABELS`), [value]]);
}

/** Returns the current flags of messages. Messages that are gone are missing from the result. */
export async function flagsOf(client: ImapFlow, uids: readonly number[]): Promise<Map<number, Set<string>>> {
  const found = await client.fetchAll(packMessageRange([...uids]), { uid: true, flags: true }, { uid: true });
  const wanted = new Set(uids);
  return new Map(found.filter(({ uid }) => wanted.has(uid)).map(({ uid, flags }) => [uid, flags ?? new Set<string>()]));
}

/** Where copies were stored: UIDVALIDITY of the target, and the new UID of each old one (RFC 4315 §3). */
export interface CopyUid {
  uidvalidity: number;
  uids: Map<number, number>;
}

/** Creates a folder; an existing one is fine. @throws Refusal */
export async function createFolder(client: ImapFlow, path: string): Promise<void> {
  await guarded(() => client.mailboxCreate(path));
}

/** Parses `[COPYUID 38505 304,319:320 3956:3958]` (RFC 4315 §3). */
function copyUid(response: ImapResponse): CopyUid | null {
  const first = response.attributes?.[0];
  const section = first && !Array.isArray(first) ? first.section : undefined;
  const words = section?.map((word) => (word && !Array.isArray(word) ? String(word.value) : "")) ?? [];
  if (words[0]?.toUpperCase() !== "COPYUID") return null;
  const [from, to] = [expand(words[2]), expand(words[3])];
  const uidvalidity = Number(words[1]);
  if (!uidvalidity || from.length !== to.length) return null;
  return { uidvalidity, uids: new Map(from.map((uid, i) => [uid, to[i]!])) };
}

function expand(set: string | undefined): number[] {
  const uids: number[] = [];
  for (const item of set?.split(",") ?? []) {
    const match = /^(\d+)(?::(\d+))?$/.exec(item);
    if (!match) return [];
    const [from, to] = [Number(match[1]), Number(match[2] ?? match[1])];
    const step = from <= to ? 1 : -1;
    // A server's mistake must not exhaust memory.
    if (Math.abs(to - from) > MAX_UIDS) return [];
    for (let uid = from; uid !== to + step; uid += step) uids.push(uid);
  }
  return uids;
}

const MAX_UIDS = 10_000;
