import { once } from "node:events";
import { createServer, type Socket } from "node:net";

/** More than any client should load into memory for one command. */
export interface Flood {
  /** The command that triggers it. */
  answers: "CAPABILITY" | "LIST" | "SELECT" | "FETCH" | "SEARCH" | "STATUS";
  text: () => Iterable<string>;
}

const PIECE = 64 * 1024;
const MB = 1_000_000;

/** Repeats `each` with 1, 2, 3 …, until this many bytes are sent. */
function* upTo(bytes: number, each: (n: number) => string): Generator<string> {
  let sent = 0;
  for (let n = 1; sent < bytes; ) {
    let piece = "";
    while (piece.length < PIECE) piece += each(n++);
    sent += piece.length;
    yield piece;
  }
}

function* line(begin: string, bytes: number, each: (n: number) => string, end = ""): Generator<string> {
  yield begin;
  yield* upTo(bytes, each);
  yield `${end}\r\n`;
}

/** Returns a response with a long literal in it. */
function* literal(begin: string, bytes: number, end: string): Generator<string> {
  const pieces = Math.ceil(bytes / PIECE);
  yield `${begin} {${pieces * PIECE}}\r\n`;
  for (let n = 0; n < pieces; n++) yield "x".repeat(PIECE);
  yield `${end}\r\n`;
}

/** Unrequested header sections. */
function* unasked(count: number): Generator<string> {
  for (let n = 1; n <= count; n++) yield* literal(`* ${n} FETCH (UID ${n} BODY[HEADER]`, MB, ")");
}

const keywords = (count: number, n: number) => Array.from({ length: count }, (_, k) => `k${n}x${k}`).join(" ");
const PART = '("TEXT" "PLAIN" ("CHARSET" "UTF-8") NIL NIL "7BIT" 10 1 NIL NIL NIL NIL)';
const ADDRESS = '("A Name" NIL "somebody" "example.org")';

/** Floods by name; an audit found the first two. */
export const FLOODS: Readonly<Record<string, Flood>> = {
  search_line: { answers: "SEARCH", text: () => line("* SEARCH", 39 * MB, (n) => ` ${n}`) },
  keywords: {
    answers: "FETCH",
    text: () => upTo(12 * MB, (n) => `* ${n} FETCH (UID ${n} FLAGS (${keywords(500, n)}))\r\n`),
  },
  fewer_keywords: {
    answers: "FETCH",
    text: () => upTo(60 * MB, (n) => `* ${n} FETCH (UID ${n} FLAGS (${keywords(250, n)}))\r\n`),
  },
  messages: { answers: "FETCH", text: () => upTo(60 * MB, (n) => `* ${n} FETCH (UID ${n} FLAGS (\\Seen))\r\n`) },
  line_within_bounds: { answers: "SEARCH", text: () => line("* SEARCH", 3.9 * MB, (n) => ` ${n}`) },
  many_short_lines: { answers: "SEARCH", text: () => upTo(60 * MB, (n) => `* SEARCH ${n} ${n + 1} ${n + 2}\r\n`) },
  line_without_end: { answers: "SEARCH", text: () => upTo(400 * MB, () => "x".repeat(PIECE)) },
  one_word: { answers: "SEARCH", text: () => line("* SEARCH ", 3.9 * MB, () => "a") },
  one_number: { answers: "SEARCH", text: () => line("* SEARCH ", 3.9 * MB, () => "7") },
  one_string: { answers: "LIST", text: () => line('* LIST () "/" "', 3.9 * MB, () => "a", '"') },
  empty_strings: { answers: "LIST", text: () => line("* LIST (", 3.9 * MB, () => '""', ")") },
  empty_lists: { answers: "LIST", text: () => line("* LIST ", 3.9 * MB, () => "()") },
  nesting: { answers: "FETCH", text: () => line("* 1 FETCH ", 3.9 * MB, () => "(") },
  sections: { answers: "FETCH", text: () => line("* 1 FETCH (BODY", 3.9 * MB, () => "[]", ")") },
  empty_literals: { answers: "FETCH", text: () => line("* 1 FETCH (", 60 * MB, (n) => `BODY[${n}] {0}\r\n `, ")") },
  lines_between_literals: {
    answers: "FETCH",
    text: () => line("* 1 FETCH (", 60 * MB, () => `BODY[${"1".repeat(1_000_000)}] {0}\r\n `, ")"),
  },
  terabyte: { answers: "FETCH", text: () => ["* 1 FETCH (UID 1 BODY[] {1099511627776}\r\n", "x".repeat(PIECE)] },
  more_digits_than_a_number: { answers: "FETCH", text: () => [`* 1 FETCH (UID 1 BODY[] {${"9".repeat(400)}}\r\n`] },
  folders: { answers: "LIST", text: () => upTo(60 * MB, (n) => `* LIST (\\HasNoChildren) "/" folder${n}\r\n`) },
  folder_attributes: { answers: "LIST", text: () => line("* LIST (", 3.9 * MB, (n) => `\\A${n} `, '\\Z) "/" INBOX') },
  capabilities: { answers: "CAPABILITY", text: () => line("* CAPABILITY IMAP4rev1", 3.9 * MB, (n) => ` X${n}`) },
  permanent_flags: {
    answers: "SELECT",
    text: () => line("* OK [PERMANENTFLAGS (", 3.9 * MB, (n) => `k${n} `, "\\*)] ok"),
  },
  vanished: { answers: "STATUS", text: () => upTo(1 * MB, () => "* VANISHED 1:4294967295\r\n") },
  vanished_ranges: { answers: "STATUS", text: () => line("* VANISHED 1:4294967295", 0.12 * MB, () => ",1:4294967295") },
  search_range: { answers: "SEARCH", text: () => ['* ESEARCH (TAG "A") UID ALL 1:4294967295 COUNT 4294967295\r\n'] },
  search_ranges: { answers: "SEARCH", text: () => line('* ESEARCH (TAG "A") UID ALL 1', 3.9 * MB, (n) => `,${n * 2}`) },
  parts: { answers: "FETCH", text: () => line("* 1 FETCH (UID 1 BODYSTRUCTURE (", 3.9 * MB, () => PART, ' "MIXED"))') },
  addresses: {
    answers: "FETCH",
    text: () => line('* 1 FETCH (UID 1 ENVELOPE (NIL "" (', 3.9 * MB, () => ADDRESS, ")))"),
  },
  literal_folder: { answers: "LIST", text: () => literal('* LIST () "/"', 120 * MB, "") },
  literal_status: { answers: "STATUS", text: () => literal("* STATUS", 120 * MB, " (MESSAGES 1)") },
  literal_capability: { answers: "CAPABILITY", text: () => literal("* CAPABILITY", 120 * MB, "") },
  literal_flag: { answers: "FETCH", text: () => literal("* 1 FETCH (UID 1 FLAGS (", 120 * MB, "))") },
  literal_subject: { answers: "FETCH", text: () => literal("* 1 FETCH (UID 1 ENVELOPE (NIL", 120 * MB, "))") },
  literal_mail: { answers: "FETCH", text: () => literal("* 1 FETCH (UID 1 BODY[]", 120 * MB, ")") },
  literals_of_mail: { answers: "FETCH", text: () => unasked(250) },
  deep_folders: { answers: "LIST", text: () => upTo(30 * MB, (n) => `* LIST () "/" "${n}${"/f".repeat(2000)}"\r\n`) },
  long_folders: { answers: "LIST", text: () => upTo(100 * MB, (n) => `* LIST () "/" "${n}${"f".repeat(1000)}"\r\n`) },
  long_ranges: {
    answers: "FETCH",
    text: () => upTo(30 * MB, (n) => `* ${n} FETCH (UID ${n} BODY[]<${"9".repeat(3000)}> "x")\r\n`),
  },
  continuations: { answers: "SEARCH", text: () => upTo(30 * MB, () => "+ go on\r\n") },
  alerts: { answers: "SEARCH", text: () => upTo(60 * MB, (n) => `* OK [ALERT] ${n} ${"hear this ".repeat(40)}\r\n`) },
  foreign_tags: { answers: "SEARCH", text: () => upTo(30 * MB, (n) => `X${n} OK done\r\n`) },
  counts: { answers: "SEARCH", text: () => upTo(30 * MB, (n) => `* ${n} EXISTS\r\n`) },
  empty_lines: { answers: "SEARCH", text: () => upTo(30 * MB, () => "\r\n") },
};

/** A server that accepts every login and answers one command with a flood. */
export async function startFlood(flood: Flood): Promise<{ port: number; close(): Promise<void> }> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.setMaxListeners(0);
    socket.on("error", () => {});
    socket.on("close", () => sockets.delete(socket));
    socket.write("* OK [CAPABILITY IMAP4rev1 ENABLE CONDSTORE QRESYNC ESEARCH] hello\r\n");
    let text = "";
    let turn = Promise.resolve();
    socket.on("data", (chunk) => {
      text += chunk.toString("latin1");
      for (let end = text.indexOf("\r\n"); end >= 0; end = text.indexOf("\r\n")) {
        const commandLine = text.slice(0, end);
        text = text.slice(end + 2);
        turn = turn.then(() => answer(socket, commandLine));
      }
    });
  });
  const answer = async (socket: Socket, commandLine: string) => {
    const [tag, first = "", second = ""] = commandLine.toUpperCase().split(" ");
    const word = first === "UID" ? second : first;
    const command = word === "EXAMINE" ? "SELECT" : word === "LOGIN" ? "CAPABILITY" : word;
    const usual: Record<string, string> = {
      LIST: '* LIST () "/" INBOX\r\n',
      SELECT: "* 5000000 EXISTS\r\n* OK [UIDVALIDITY 1] ok\r\n* OK [UIDNEXT 5000001] ok\r\n",
    };
    socket.write(usual[command] ?? "");
    if (command === flood.answers) {
      for (const piece of flood.text()) {
        if (socket.destroyed) return;
        if (!socket.write(piece)) await Promise.race([once(socket, "drain"), once(socket, "close")]).catch(() => {});
      }
    }
    if (!socket.destroyed) socket.write(`${tag} OK done\r\n`);
  };
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as { port: number }).port,
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
