/**
 * Limits on a server's answers, checked before the library parses them. Its parser turns one byte of a line into more
 * than a hundred bytes of memory, so a line within the library's own limit (1 GB) fills the memory of any machine.
 */
import type { ImapFlow, ImapResponse } from "imapflow";
import { problem } from "../problems.ts";
import { ExplainedFailure } from "./failures.ts";

/** Bytes of one response without its literals (RFC 9051 §4.3). No answer to Postroom's own requests comes close. */
export const LARGEST_LINE_BYTES = 4 * 1024 * 1024;
/** Postroom asks for a fraction of this size. A server that announces more is cut off before it fills the memory. */
export const LARGEST_LITERAL_BYTES = 128 * 1024 * 1024;
/** Words, numbers and lists of one response. Messages with thousands of parts stay within this limit. */
const MAX_TOKENS = 50_000;
/** Bytes between two separators or quotes. A list of 10,000 single UIDs stays within this limit. */
const LONGEST_TOKEN_BYTES = 128 * 1024;
/**
 * The parser's time for a list of UIDs grows with the square of its length, so a long one counts as this many tokens.
 */
const weightOf = (bytes: number) => Math.floor((bytes / 1024) ** 2);
/** UIDs that the lists in the answers to one command may expand to. The library expands each list. */
const MAX_LISTED = 200_000;
const MAX_LITERALS = 5_000;
/** Flags and keywords, or labels, of one message. */
const MAX_KEYWORDS = 300;
/** Tokens of all answers to one command. A window of messages, or a list of 25,000 folders, stays within this limit. */
const MAX_TOKENS_OF_COMMAND = 400_000;
/** Reports during IDLE are not kept, so a mass change of flags may be longer. */
const MAX_TOKENS_OF_IDLE = 10_000_000;
/**
 * A mail literal that was requested whole. A draft with 25 MiB of attachments fits. The parser takes four times as much
 * memory.
 */
const LARGEST_WHOLE_BYTES = 38_000_000;
/**
 * A mail literal may exceed the requested range by this much, because some servers ignore ranges and send the whole
 * part.
 */
const RANGE_SLACK_BYTES = 16 * 1024 * 1024;
/** A literal that is not mail: a name, an address, a subject. */
const LARGEST_TEXT_LITERAL_BYTES = 1024 * 1024;
/** Bytes of all literals in the answers to one command: mail here, other values below. */
const MAX_LITERAL_BYTES_OF_COMMAND = 48 * 1024 * 1024;
const MAX_TEXT_LITERAL_BYTES_OF_COMMAND = 8 * 1024 * 1024;
/** A literal after one of these is the text of a message: "BODY[1.2]<0> {", "RFC822.HEADER {". */
const MAIL_LITERAL = /(?:\]|\]<\d{1,20}>|\bRFC822(?:\.HEADER|\.TEXT)?) ~?$/i;
/** The library's memory for a response also grows with its bytes: this many count as one token. */
const BYTES_OF_TOKEN = 64;
/** "<0.1048576>" is shorter. The parser's time for a range grows with the square of its length. */
const LONGEST_RANGE_BYTES = 44;
/** Garbage is collected after this many tokens. Otherwise the heap grows to several times the size of the kept data. */
const SWEEP_TOKENS = 50_000;

/** The server sent more than an answer may hold. The connection has ended, and no part of the answer is used. */
export class ResponseTooLarge extends ExplainedFailure {
  constructor(what: string) {
    super(problem("answer_too_large", what), false);
  }
}

/** One whole response, as the library's splitter passes it on. */
interface Response {
  payload: Buffer;
  literals: Buffer[];
  next?: () => void;
}

/** The library internals that this file uses; `bounds.test.ts` fails when a new version lacks one. */
interface Internals {
  streamer: {
    push(response: Response | null): boolean;
    checkResponseSize(bytes: number, peek?: boolean): boolean;
    checkLiteralMarker(line: Buffer): boolean;
    failStream(error: Error): boolean;
    literalWaiting: number;
    responseBytes: number;
  };
  exec(command: string, ...rest: unknown[]): Promise<unknown>;
  untaggedVanished(untagged: ImapResponse): Promise<void>;
}

/** The library's own error codes, in our words. */
const LIBRARY_CODES: Readonly<Record<string, string>> = {
  LineTooLarge: "a line of more than 4 MB",
  ResponseTooLarge: "a response that is too large",
  LiteralTooLarge: "an announcement of more than 128 MB",
};

const TOO_MUCH = "more in answer to one command than it asked for";

/** Commands for which the library may turn a failure into an empty answer. */
const COMMANDS = [
  ...["connect", "list", "status", "mailboxOpen", "mailboxCreate", "search", "fetchAll", "fetchOne", "exec", "idle"],
  ...["append", "messageDelete", "messageMove", "messageCopy", "messageFlagsAdd", "messageFlagsRemove", "getQuota"],
] as const;

/**
 * Puts the limits between the socket and the parser of a client that is not connected yet. An answer that exceeds them
 * ends the connection. The pending command and every later one reject with AnswerTooLarge.
 */
export function boundResponses(client: ImapFlow): void {
  const { streamer } = client as unknown as Internals;
  const internals = client as unknown as Internals;
  let violation: ResponseTooLarge | null = null;
  let tokens = 0;
  let literalBytes = 0;
  let textLiteralBytes = 0;
  /** The longest mail literal that the running command may return. */
  let maxMailBytes = 0;
  let listed = 0;
  let unswept = 0;
  let lineBytes = 0;
  let lines = 0;

  client.on("error", (error: { code?: string }) => {
    const reason = LIBRARY_CODES[error.code ?? ""];
    if (reason) violation ??= new ResponseTooLarge(reason);
  });
  const refuse = (what: string): boolean => {
    violation ??= new ResponseTooLarge(what);
    return streamer.failStream(violation);
  };

  const checkResponseSize = streamer.checkResponseSize.bind(streamer);
  streamer.checkResponseSize = (bytes, peek = false) => {
    // The library counts lines and literals together. A response of many lines with empty literals in between must not
    // reach the limit meant for literals.
    if (streamer.responseBytes === 0) lineBytes = lines = 0;
    const now = lineBytes + bytes - (peek ? 0 : streamer.literalWaiting);
    if (!peek) {
      lineBytes = now;
      lines++;
      // Empty lines are never passed on to `push`.
      if (bytes <= 2 && ++tokens > MAX_TOKENS_OF_IDLE) return refuse(TOO_MUCH);
    }
    if (now > LARGEST_LINE_BYTES) return refuse(LIBRARY_CODES.LineTooLarge!);
    if (lines > MAX_LITERALS) return refuse(`more than ${MAX_LITERALS} literals in one response`);
    return checkResponseSize(bytes, peek);
  };

  // Runs when a literal is announced, before its bytes arrive.
  const checkLiteralMarker = streamer.checkLiteralMarker.bind(streamer);
  streamer.checkLiteralMarker = (line) => {
    if (!checkLiteralMarker(line)) return false;
    const bytes = streamer.literalWaiting;
    const announced = line.lastIndexOf("{");
    const before = line.toString("latin1", Math.max(0, announced - 40), announced);
    if (MAIL_LITERAL.test(before) && maxMailBytes > 0) {
      if (bytes > maxMailBytes) return refuse("more of a message than was asked for");
      literalBytes += bytes;
      if (literalBytes > MAX_LITERAL_BYTES_OF_COMMAND) return refuse("more than 48 MB in answer to one command");
      return true;
    }
    textLiteralBytes += bytes;
    if (bytes > LARGEST_TEXT_LITERAL_BYTES) return refuse("a value of more than 1 MB");
    if (textLiteralBytes > MAX_TEXT_LITERAL_BYTES_OF_COMMAND) return refuse(TOO_MUCH);
    return true;
  };

  const push = streamer.push.bind(streamer);
  streamer.push = (response) => {
    if (!response) return push(response);
    const { payload } = response;
    const found = measure(payload);
    if (found.tokens > MAX_TOKENS && isStructure(payload)) {
      // Anyone can send mail with this many parts. The message is then read from its beginning, without the structure.
      // One command asks for one structure, so a server that sends many is cut off.
      tokens += MAX_TOKENS;
      if (tokens > MAX_TOKENS_OF_COMMAND) return refuse(TOO_MUCH);
      response.next?.();
      return true;
    }
    tokens += found.tokens + Math.floor(payload.length / BYTES_OF_TOKEN) + levelsOf(payload);
    const fault = faultOf(payload, found);
    if (fault) return refuse(fault);
    if (ESEARCH.test(payload.toString("latin1", 0, 16))) listed += countOf(payload.toString("latin1"));
    if (isBrokenSearch(payload)) return refuse("a list of messages with something else in it");
    if (listed > MAX_LISTED) return refuse(`a list of more than ${MAX_LISTED} messages`);
    if (tokens > (client.idling ? MAX_TOKENS_OF_IDLE : MAX_TOKENS_OF_COMMAND)) {
      return refuse(TOO_MUCH);
    }
    unswept += found.tokens;
    if (unswept >= SWEEP_TOKENS) {
      unswept = 0;
      Bun.gc(true);
    }
    return push(response);
  };

  const exec = internals.exec.bind(client);
  internals.exec = (command, ...rest) => {
    tokens = literalBytes = textLiteralBytes = listed = 0;
    maxMailBytes = requestedMailBytes(rest[0]);
    return exec(command, ...rest);
  };
  const methods = client as unknown as Record<string, (...given: unknown[]) => Promise<unknown>>;
  for (const name of COMMANDS) {
    const original = methods[name]!.bind(client);
    methods[name] = async (...given) => {
      try {
        const result = await original(...given);
        if (violation) throw violation;
        return result;
      } catch (error) {
        throw violation ?? tooLarge(error) ?? error;
      }
    };
  }

  // The library expands the ranges, up to 16 million UIDs, and reports each UID: a line of 30 bytes would take a
  // gigabyte.
  internals.untaggedVanished = async ({ attributes = [] }) => {
    const { mailbox } = client;
    const set = attributes.at(-1);
    const count = set && !Array.isArray(set) ? countOf(String(set.value ?? "")) : 0;
    if (!mailbox || count === 0) return;
    const earlier = Array.isArray(attributes[0]);
    client.emit("expunge", {
      path: mailbox.path,
      vanished: true,
      earlier,
      count: Math.min(count, mailbox.exists),
    });
  };
}

function tooLarge(error: unknown): ResponseTooLarge | null {
  const known = LIBRARY_CODES[String((error as { code?: unknown } | null)?.code)];
  return known ? new ResponseTooLarge(known) : null;
}

/** Returns the maximum number of UIDs in a set: "1:3,9" has 4. */
function countOf(set: string): number {
  let count = 0;
  for (const [, from, to] of set.matchAll(/(\d{1,10})(?::(\d{1,10}))?/g)) {
    count += 1 + Math.abs(Number(to ?? from) - Number(from));
  }
  return count;
}

interface Measured {
  /** Never fewer than the parser creates. */
  tokens: number;
  longestBytes: number;
}

/** Measures a response without its literals. */
function measure(payload: Buffer): Measured {
  let tokens = 0;
  let longestBytes = 0;
  let bytes = 0;
  let separated = true;
  let quoted = false;
  for (let i = 0; i < payload.length; i++) {
    const byte = payload[i]!;
    const quote = byte === QUOTE;
    const opens = byte === OPEN || byte === OPEN_SECTION || (quote && !quoted);
    // Words between quotes count, too, so the result does not depend on where the parser ends a quotation.
    const separates = opens || quote || byte <= SPACE || byte === CLOSE || byte === CLOSE_SECTION;
    if (opens || (separated && !separates)) tokens++;
    separated = separates && !(quote && opens);
    if (quote) quoted = !quoted;
    else if (quoted && byte === BACKSLASH) i++;
    if (quote || (separates && !quoted)) {
      if (bytes > 1024 && !quoted) tokens += weightOf(bytes);
      bytes = 0;
    } else if (++bytes > longestBytes) longestBytes = bytes;
  }
  return { tokens: tokens + weightOf(bytes), longestBytes };
}

/**
 * Returns the size of the longest mail literal that may answer a command with these `attributes`, as the library builds
 * them: the requested range, or a whole message; 0 when no mail is requested.
 */
function requestedMailBytes(attributes: unknown): number {
  if (Array.isArray(attributes)) return Math.max(0, ...attributes.map(requestedMailBytes));
  const { section, partial } = (attributes ?? {}) as { section?: unknown; partial?: number[] };
  if (!section) return 0;
  return partial?.[1] === undefined ? LARGEST_WHOLE_BYTES : partial[1] + RANGE_SLACK_BYTES;
}

/** Counts the delimiters in a listed folder name: the library splits the name at each one and keeps every piece. */
function levelsOf(payload: Buffer): number {
  const delimiter = LISTED.exec(payload.toString("latin1", 0, 4096))?.[1];
  if (delimiter === undefined) return 0;
  const byte = delimiter.charCodeAt(0);
  let levels = 0;
  for (let at = payload.indexOf(byte); at >= 0; at = payload.indexOf(byte, at + 1)) levels++;
  return levels;
}

function faultOf(payload: Buffer, { tokens, longestBytes }: Measured): string | null {
  if (tokens > MAX_TOKENS) return `more than ${MAX_TOKENS} values in one response`;
  if (longestBytes > LONGEST_TOKEN_BYTES) return "a value of more than 128 KB";
  for (let at = payload.indexOf("]<"); at >= 0; at = payload.indexOf("]<", at + 1)) {
    const end = payload.indexOf(CLOSE_RANGE, at);
    if (end < 0 || end - at > LONGEST_RANGE_BYTES) return "a range that is too long";
  }
  if (tokens > MAX_KEYWORDS && keywordsOf(payload) > MAX_KEYWORDS) {
    return `a message with more than ${MAX_KEYWORDS} keywords`;
  }
  return null;
}

const ESEARCH = /^\* ESEARCH\b/i;
const SEARCH = /^\* SEARCH\b/i;
const FETCH = /^\* \d+ FETCH\b/i;
const QUOTE = 0x22;
const SPACE = 0x20;
const OPEN = 0x28;
const CLOSE = 0x29;
const OPEN_SECTION = 0x5b;
const CLOSE_SECTION = 0x5d;
const BACKSLASH = 0x5c;
const CLOSE_RANGE = 0x3e;
/** Captures the folder delimiter of a LIST answer. */
const LISTED = /^\* (?:LIST|LSUB|XLIST) \([^()]*\) "\\?([^"])"/i;

const isStructure = (payload: Buffer): boolean =>
  FETCH.test(payload.toString("latin1", 0, 64)) && payload.includes("BODYSTRUCTURE");

/**
 * True for a SEARCH answer that the library cannot parse. It would skip the line, and a search with many results would
 * look like one with none.
 */
function isBrokenSearch(payload: Buffer): boolean {
  if (!SEARCH.test(payload.toString("latin1", 0, 16))) return false;
  return !/^\* SEARCH(?:\s+\d+)*\s*(?:\(MODSEQ \d+\)\s*)?$/i.test(payload.toString("latin1"));
}

/** Counts the flags or Gmail labels of one message, taking the longer list. */
function keywordsOf(payload: Buffer): number {
  if (!FETCH.test(payload.toString("latin1", 0, 64))) return 0;
  const lists = payload.toString("latin1").matchAll(/\b(?:FLAGS|X-GM-LABELS) \(([^()]*)/gi);
  return Math.max(0, ...[...lists].map(([, list]) => list!.match(/"(?:[^"\\]|\\.)*"|[^\s"]+/g)?.length ?? 0));
}
