import type { Socket } from "node:net";

/** What the scripted server holds, and how it is encoded on the wire. */

/** A message on the scripted server. */
export interface ScriptMessage {
  uid: number;
  raw: string;
  flags: Set<string>;
  /** Gmail's labels in wire form: "\\Inbox", "Trips/Rome". */
  labels: Set<string>;
  /** X-GM-THRID. */
  thread: string;
  /** INTERNALDATE. */
  date: Date;
  modseq: number;
}

export interface ScriptFolder {
  path: string;
  /** Null: the server answers NIL. */
  delimiter: string | null;
  attributes: string[];
  uidvalidity: number;
  uidnext: number;
  messages: ScriptMessage[];
}

/** Calls back with each command, literals inlined. */
export function readLines(socket: Socket, onLine: (line: string) => void): void {
  let text = "";
  let line = "";
  let literal = 0;
  let plainAuth = false;
  socket.on("data", (chunk) => {
    text += chunk.toString("latin1");
    for (;;) {
      if (literal > 0) {
        if (text.length < literal) return;
        line += JSON.stringify(text.slice(0, literal));
        text = text.slice(literal);
        literal = 0;
      }
      const end = text.indexOf("\r\n");
      if (end < 0) return;
      const part = text.slice(0, end);
      text = text.slice(end + 2);
      const size = /\{(\d+)(\+?)\}$/.exec(part);
      if (size) {
        line += part.slice(0, size.index);
        literal = Number(size[1]);
        if (!size[2]) socket.write("+ go on\r\n");
        continue;
      }
      line += part;
      // The password arrives on a separate line.
      if (/^\S+ AUTHENTICATE PLAIN$/i.test(line)) {
        plainAuth = true;
        socket.write("+ \r\n");
      } else if (plainAuth && !/ /.test(part)) {
        plainAuth = false;
        onLine(line);
      } else onLine(line);
      if (!plainAuth) line = "";
    }
  });
}

export function splitUid(rest: string): [string, string] {
  const space = rest.indexOf(" ");
  return [`UID ${rest.slice(0, space).toUpperCase()}`, rest.slice(space + 1)];
}

export const quote = (text: string) => `"${text.replace(/["\\]/g, "\\$&")}"`;
export const highest = (folder: ScriptFolder) => Math.max(1, ...folder.messages.map((message) => message.modseq));

export function listLine(name: string, { path, delimiter, attributes }: ScriptFolder): string {
  return `* ${name} (${attributes.join(" ")}) ${delimiter === null ? "NIL" : quote(delimiter)} ${quote(path)}\r\n`;
}

/** Returns the first argument, a quoted string or an atom. */
export function pathOf(args: string): string {
  const quoted = /^"((?:[^"\\]|\\.)*)"/.exec(args)?.[1];
  return quoted === undefined ? (args.split(" ")[0] ?? "") : quoted.replace(/\\(.)/g, "$1");
}

export function wordsOf(text: string): string[] {
  const inner = text.replace(/^\(|\)$/g, "");
  return [...inner.matchAll(/"((?:[^"\\]|\\.)*)"|(\S+)/g)].map(
    ([, quoted, atom]) => quoted?.replace(/\\(.)/g, "$1") ?? atom!,
  );
}

export function statusItems(folder: ScriptFolder, args: string): string {
  const values: Record<string, number> = {
    MESSAGES: folder.messages.length,
    UIDNEXT: folder.uidnext,
    UIDVALIDITY: folder.uidvalidity,
    HIGHESTMODSEQ: highest(folder),
  };
  return Object.entries(values)
    .filter(([item]) => args.includes(item))
    .map(([item, value]) => `${item} ${value}`)
    .join(" ");
}

export function inSet({ messages }: ScriptFolder, set: string): ScriptMessage[] {
  const last = messages.at(-1)?.uid ?? 0;
  const number = (text: string) => (text === "*" ? last : Number(text));
  return messages.filter(({ uid }) =>
    set.split(",").some((item) => {
      const ends = item.split(":").map(number);
      return uid >= Math.min(...ends) && uid <= Math.max(...ends);
    }),
  );
}

export function fetchAnswer(folder: ScriptFolder, args: string): string {
  const [set = ""] = args.split(" ", 1);
  const since = Number(/CHANGEDSINCE (\d+)/.exec(args)?.[1] ?? 0);
  return inSet(folder, set)
    .filter((message) => message.modseq > since)
    .map((message) => fetchLine(folder.messages.indexOf(message) + 1, message, args))
    .join("");
}

/** Encodes one FETCH answer with the requested items. */
export function fetchLine(seq: number, message: ScriptMessage, args: string): string {
  const items = [`UID ${message.uid}`];
  const wants = (item: string) => args.includes(item);
  const header = message.raw.slice(0, message.raw.indexOf("\r\n\r\n") + 4);
  if (wants("FLAGS")) items.push(`FLAGS (${[...message.flags].join(" ")})`);
  if (wants("INTERNALDATE")) items.push(`INTERNALDATE "${internalDate(message.date)}"`);
  if (wants("RFC822.SIZE")) items.push(`RFC822.SIZE ${message.raw.length}`);
  if (wants("X-GM-THRID")) items.push(`X-GM-THRID ${message.thread}`);
  if (wants("X-GM-MSGID")) items.push(`X-GM-MSGID ${message.thread}${message.uid}`);
  if (wants("X-GM-LABELS")) items.push(`X-GM-LABELS (${[...message.labels].map(quote).join(" ")})`);
  if (/[ (]MODSEQ/.test(args)) items.push(`MODSEQ (${message.modseq})`);
  if (wants("BODY.PEEK[]")) items.push(`BODY[] {${message.raw.length}}\r\n${message.raw}`);
  if (wants("BODY.PEEK[HEADER]")) items.push(`BODY[HEADER] {${header.length}}\r\n${header}`);
  const fields = /BODY\.PEEK\[HEADER\.FIELDS \(([^)]*)\)\]/i.exec(args)?.[1];
  if (fields !== undefined) {
    const wanted = fields.toLowerCase().split(" ");
    const lines = header.split("\r\n").filter((line) => wanted.includes(line.split(":")[0]!.toLowerCase()));
    const text = `${lines.join("\r\n")}\r\n\r\n`;
    items.push(`BODY[HEADER.FIELDS (${fields})] {${text.length}}\r\n${text}`);
  }
  return `* ${seq} FETCH (${items.join(" ")})\r\n`;
}

function internalDate(date: Date): string {
  const [, day, month, year, time] = /^\w+, (\d+) (\w+) (\d+) (\S+)/.exec(date.toUTCString())!;
  return `${day}-${month}-${year} ${time} +0000`;
}
