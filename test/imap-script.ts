import { createServer, type Socket } from "node:net";

/** A message on the scripted server. */
export interface ScriptMessage {
  uid: number;
  raw: string;
  flags: Set<string>;
  /** Gmail's labels, as they stand on the wire: "\\Inbox", "Trips/Rome". */
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

/** A command as it arrived: "UID FETCH", and what follows it. */
export interface ScriptCommand {
  tag: string;
  name: string;
  args: string;
  /** The folder that is selected. */
  folder: ScriptFolder | null;
}

/** An IMAP server whose every answer a test can decide; enough of RFC 3501, RFC 7162 and Gmail's extension for a client. */
export interface ScriptServer {
  port: number;
  folders: ScriptFolder[];
  capabilities: string[];
  /** Every command so far, "EXAMINE INBOX"; without tags. */
  readonly commands: string[];
  /** Answers in the server's place: the text that is sent (the tagged line too), or null for the usual answer. */
  answer: (command: ScriptCommand) => string | null;
  folder(path: string): ScriptFolder;
  /** Makes a folder, or finds it. */
  addFolder(path: string, attributes?: string[], delimiter?: string | null): ScriptFolder;
  /** Puts a message there, and tells those who idle. */
  add(path: string, message: Partial<ScriptMessage> & { raw: string }): ScriptMessage;
  /** Changes a message, and tells those who idle. */
  change(path: string, uid: number, edit: (message: ScriptMessage) => void): void;
  remove(path: string, uid: number): void;
  close(): Promise<void>;
}

interface Session {
  socket: Socket;
  folder: ScriptFolder | null;
  idle_tag: string | null;
}

const LOGIN_COMMANDS = new Set(["LOGIN", "AUTHENTICATE"]);

export async function startScript(options: { capabilities?: string[] } = {}): Promise<ScriptServer> {
  const sessions = new Set<Session>();
  const commands: string[] = [];
  let modseq = 1;
  const server = createServer((socket) => {
    const session: Session = { socket, folder: null, idle_tag: null };
    sessions.add(session);
    socket.on("error", () => {});
    socket.on("close", () => sessions.delete(session));
    readLines(socket, (line) => {
      const reply = answerLine(session, line);
      if (reply !== "") socket.write(reply, "latin1");
    });
    socket.write(`* OK [CAPABILITY ${script.capabilities.join(" ")}] ready\r\n`);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));

  const answerLine = (session: Session, line: string): string => {
    if (session.idle_tag !== null) {
      if (line.toUpperCase() !== "DONE") return "";
      const tag = session.idle_tag;
      session.idle_tag = null;
      return `${tag} OK idled\r\n`;
    }
    const [, tag = "*", word = "", rest = ""] = /^(\S+) (\S+) ?(.*)$/s.exec(line) ?? [];
    const upper = word.toUpperCase();
    const [name, args] = upper === "UID" ? splitUid(rest) : [upper, rest];
    commands.push(LOGIN_COMMANDS.has(name) ? name : `${name} ${args}`.trim());
    const command: ScriptCommand = { tag, name, args, folder: session.folder };
    return script.answer(command) ?? usualAnswer(session, command);
  };

  const usualAnswer = (session: Session, { tag, name, args, folder }: ScriptCommand): string => {
    const done = `${tag} OK done\r\n`;
    const list = script.folders;
    switch (name) {
      case "CAPABILITY":
        return `* CAPABILITY ${script.capabilities.join(" ")}\r\n${done}`;
      case "ENABLE":
        return `* ENABLED ${args
          .split(" ")
          .filter((wish) => script.capabilities.includes(wish))
          .join(" ")}\r\n${done}`;
      case "NAMESPACE":
        return `* NAMESPACE (("" "/")) NIL NIL\r\n${done}`;
      case "LIST":
      case "LSUB":
        if (args.startsWith('"" ""')) return `* ${name} (\\Noselect) "/" ""\r\n${done}`;
        return list.map((entry) => listLine(name, entry)).join("") + done;
      case "SELECT":
      case "EXAMINE":
        session.folder = list.find(({ path }) => path === pathOf(args)) ?? null;
        return session.folder
          ? `${openAnswer(session.folder)}${tag} OK [READ-ONLY] open\r\n`
          : `${tag} NO [NONEXISTENT] none\r\n`;
      case "STATUS": {
        const found = list.find(({ path }) => path === pathOf(args));
        return found ? `* STATUS ${quote(found.path)} (${statusItems(found, args)})\r\n${done}` : `${tag} NO none\r\n`;
      }
      case "IDLE":
        session.idle_tag = tag;
        return "+ idling\r\n";
      case "UID FETCH":
        return fetchAnswer(folder!, args) + done;
      case "UID SEARCH": {
        const set = /UID (\S+)/.exec(args)?.[1] ?? "1:*";
        return `* SEARCH ${inSet(folder!, set)
          .map(({ uid }) => uid)
          .join(" ")}\r\n${done}`;
      }
      case "UID STORE":
        return storeAnswer(folder!, args) + done;
      case "LOGOUT":
        session.socket.end(`* BYE\r\n${done}`);
        return "";
      default:
        return done;
    }
  };

  const openAnswer = (folder: ScriptFolder): string =>
    [
      `* ${folder.messages.length} EXISTS`,
      "* 0 RECENT",
      "* FLAGS (\\Seen \\Answered \\Flagged \\Deleted \\Draft)",
      "* OK [PERMANENTFLAGS (\\Seen \\Answered \\Flagged \\Deleted \\Draft \\*)] ok",
      `* OK [UIDVALIDITY ${folder.uidvalidity}] ok`,
      `* OK [UIDNEXT ${folder.uidnext}] ok`,
      ...(script.capabilities.includes("CONDSTORE") ? [`* OK [HIGHESTMODSEQ ${highest(folder)}] ok`] : []),
      "",
    ].join("\r\n");

  const storeAnswer = (folder: ScriptFolder, args: string): string => {
    const [, set = "", sign = "", what = "", words = ""] = /^(\S+) ([+-]?)(\S+) (.*)$/s.exec(args) ?? [];
    for (const message of inSet(folder, set)) {
      const target = what.startsWith("X-GM-LABELS") ? message.labels : message.flags;
      if (sign === "") target.clear();
      for (const word of wordsOf(words)) {
        if (sign === "-") target.delete(word);
        else target.add(word);
      }
      message.modseq = ++modseq;
    }
    return what.endsWith(".SILENT") ? "" : fetchAnswer(folder, `${set} (UID FLAGS X-GM-LABELS)`);
  };

  const tellIdlers = (folder: ScriptFolder, line: string) => {
    for (const session of sessions)
      if (session.idle_tag !== null && session.folder === folder) session.socket.write(line);
  };

  const script: ScriptServer = {
    port: (server.address() as { port: number }).port,
    folders: [],
    capabilities: options.capabilities ?? ["IMAP4rev1", "AUTH=PLAIN"],
    commands,
    answer: () => null,
    folder(path) {
      const found = script.folders.find((folder) => folder.path === path);
      if (!found) throw new Error(`No folder ${path}.`);
      return found;
    },
    addFolder(path, attributes = [], delimiter = "/") {
      const known = script.folders.find((folder) => folder.path === path);
      if (known) return known;
      const uidvalidity = 1_000 + script.folders.length;
      const folder: ScriptFolder = { path, delimiter, attributes, uidvalidity, uidnext: 1, messages: [] };
      script.folders.push(folder);
      return folder;
    },
    add(path, given) {
      const folder = script.addFolder(path);
      const uid = given.uid ?? folder.uidnext;
      const message: ScriptMessage = {
        flags: new Set(),
        labels: new Set(),
        thread: String(1_000_000_000_000 + folder.messages.length),
        date: new Date("2026-01-05T10:00:00Z"),
        ...given,
        uid,
        modseq: ++modseq,
      };
      folder.messages.push(message);
      folder.uidnext = Math.max(folder.uidnext, uid + 1);
      tellIdlers(folder, `* ${folder.messages.length} EXISTS\r\n`);
      return message;
    },
    change(path, uid, edit) {
      const folder = script.folder(path);
      const at = folder.messages.findIndex((message) => message.uid === uid);
      edit(folder.messages[at]!);
      folder.messages[at]!.modseq = ++modseq;
      tellIdlers(folder, `* ${at + 1} FETCH (UID ${uid} FLAGS (${[...folder.messages[at]!.flags].join(" ")}))\r\n`);
    },
    remove(path, uid) {
      const folder = script.folder(path);
      const at = folder.messages.findIndex((message) => message.uid === uid);
      folder.messages.splice(at, 1);
      tellIdlers(folder, `* ${at + 1} EXPUNGE\r\n`);
    },
    async close() {
      for (const { socket } of sessions) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return script;
}

/** Calls back with each command, literals put in where they stand. */
function readLines(socket: Socket, onLine: (line: string) => void): void {
  let text = "";
  let line = "";
  let literal = 0;
  let plain_auth = false;
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
      // The password comes as a line of its own.
      if (/^\S+ AUTHENTICATE PLAIN$/i.test(line)) {
        plain_auth = true;
        socket.write("+ \r\n");
      } else if (plain_auth && !/ /.test(part)) {
        plain_auth = false;
        onLine(line);
      } else onLine(line);
      if (!plain_auth) line = "";
    }
  });
}

function splitUid(rest: string): [string, string] {
  const space = rest.indexOf(" ");
  return [`UID ${rest.slice(0, space).toUpperCase()}`, rest.slice(space + 1)];
}

const quote = (text: string) => `"${text.replace(/["\\]/g, "\\$&")}"`;
const highest = (folder: ScriptFolder) => Math.max(1, ...folder.messages.map((message) => message.modseq));

function listLine(name: string, { path, delimiter, attributes }: ScriptFolder): string {
  return `* ${name} (${attributes.join(" ")}) ${delimiter === null ? "NIL" : quote(delimiter)} ${quote(path)}\r\n`;
}

/** The first argument, a quoted string or an atom. */
function pathOf(args: string): string {
  const quoted = /^"((?:[^"\\]|\\.)*)"/.exec(args)?.[1];
  return quoted === undefined ? (args.split(" ")[0] ?? "") : quoted.replace(/\\(.)/g, "$1");
}

function wordsOf(text: string): string[] {
  const inner = text.replace(/^\(|\)$/g, "");
  return [...inner.matchAll(/"((?:[^"\\]|\\.)*)"|(\S+)/g)].map(
    ([, quoted, atom]) => quoted?.replace(/\\(.)/g, "$1") ?? atom!,
  );
}

function statusItems(folder: ScriptFolder, args: string): string {
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

function inSet({ messages }: ScriptFolder, set: string): ScriptMessage[] {
  const last = messages.at(-1)?.uid ?? 0;
  const number = (text: string) => (text === "*" ? last : Number(text));
  return messages.filter(({ uid }) =>
    set.split(",").some((item) => {
      const ends = item.split(":").map(number);
      return uid >= Math.min(...ends) && uid <= Math.max(...ends);
    }),
  );
}

function fetchAnswer(folder: ScriptFolder, args: string): string {
  const [set = ""] = args.split(" ", 1);
  const since = Number(/CHANGEDSINCE (\d+)/.exec(args)?.[1] ?? 0);
  return inSet(folder, set)
    .filter((message) => message.modseq > since)
    .map((message) => fetchLine(folder.messages.indexOf(message) + 1, message, args))
    .join("");
}

/** One FETCH answer with the items that are asked for. */
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
