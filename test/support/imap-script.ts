import { createServer, type Socket } from "node:net";
import {
  fetchAnswer,
  highest,
  inSet,
  listLine,
  pathOf,
  quote,
  readLines,
  type ScriptFolder,
  type ScriptMessage,
  splitUid,
  statusItems,
  wordsOf,
} from "./imap-wire.ts";

/** A command as it arrived: "UID FETCH", and its arguments. */
export interface ScriptCommand {
  tag: string;
  name: string;
  args: string;
  /** The selected folder. */
  folder: ScriptFolder | null;
}

/**
 * An IMAP server whose every answer a test can script; implements enough of RFC 3501, RFC 7162 and Gmail's extension
 * for a client.
 */
export interface ScriptServer {
  port: number;
  folders: ScriptFolder[];
  capabilities: string[];
  /** Every command so far, such as "EXAMINE INBOX", without tags. */
  readonly commands: string[];
  /** Called after every change of a folder, by any client. */
  changed: () => void;
  /** Answers in place of the server: the text to send (including the tagged line), or null for the usual answer. */
  answer: (command: ScriptCommand) => string | null;
  folder(path: string): ScriptFolder;
  /** Returns a folder; creates it if necessary. */
  addFolder(path: string, attributes?: string[], delimiter?: string | null): ScriptFolder;
  /** Adds a message and notifies idle clients. */
  add(path: string, message: Partial<ScriptMessage> & { raw: string }): ScriptMessage;
  /** Changes a message and notifies idle clients. */
  change(path: string, uid: number, edit: (message: ScriptMessage) => void): void;
  remove(path: string, uid: number): void;
  /** Does what UID COPY, UID MOVE and UID EXPUNGE do and returns the server's answer. */
  copy(from: ScriptFolder, uids: readonly number[], to: ScriptFolder): string;
  move(from: ScriptFolder, uids: readonly number[], to: ScriptFolder): string;
  expunge(folder: ScriptFolder, set: string): string;
  close(): Promise<void>;
}

interface Session {
  socket: Socket;
  folder: ScriptFolder | null;
  idleTag: string | null;
}

const LOGIN_COMMANDS = new Set(["LOGIN", "AUTHENTICATE"]);

export async function startScript(options: { capabilities?: string[] } = {}): Promise<ScriptServer> {
  const sessions = new Set<Session>();
  const commands: string[] = [];
  let modseq = 1;
  const server = createServer((socket) => {
    const session: Session = { socket, folder: null, idleTag: null };
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
    if (session.idleTag !== null) {
      if (line.toUpperCase() !== "DONE") return "";
      const tag = session.idleTag;
      session.idleTag = null;
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
          ? `${openAnswer(session.folder)}${tag} OK [READ-${name === "SELECT" ? "WRITE" : "ONLY"}] open\r\n`
          : `${tag} NO [NONEXISTENT] none\r\n`;
      case "STATUS": {
        const found = list.find(({ path }) => path === pathOf(args));
        return found ? `* STATUS ${quote(found.path)} (${statusItems(found, args)})\r\n${done}` : `${tag} NO none\r\n`;
      }
      case "IDLE":
        session.idleTag = tag;
        return "+ idling\r\n";
      case "UID FETCH":
        return fetchAnswer(folder!, args) + done;
      case "UID SEARCH": {
        const set = /^UID (\S+)/.exec(args)?.[1] ?? "1:*";
        const id = /HEADER "?message-id"? "?([^"]+)"?/i.exec(args)?.[1] ?? "";
        return `* SEARCH ${inSet(folder!, set)
          .filter(({ raw }) => raw.includes(id))
          .map(({ uid }) => uid)
          .join(" ")}\r\n${done}`;
      }
      case "UID STORE":
        return storeAnswer(folder!, args) + done;
      case "UID COPY":
      case "UID MOVE": {
        const [, set = "", target = ""] = /^(\S+) (.*)$/s.exec(args) ?? [];
        const to = list.find(({ path }) => path === pathOf(target));
        const uids = inSet(folder!, set).map(({ uid }) => uid);
        if (!to) return `${tag} NO [TRYCREATE] none\r\n`;
        return (name === "UID MOVE" ? script.move : script.copy)(folder!, uids, to) + done;
      }
      case "UID EXPUNGE":
        return script.expunge(folder!, args) + done;
      case "CREATE":
        script.addFolder(pathOf(args));
        return done;
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
    script.changed();
    return what.endsWith(".SILENT") ? "" : fetchAnswer(folder, `${set} (UID FLAGS X-GM-LABELS)`);
  };

  const notifyIdlers = (folder: ScriptFolder, line: string) => {
    for (const session of sessions)
      if (session.idleTag !== null && session.folder === folder) session.socket.write(line);
  };

  const expunge = (folder: ScriptFolder, isExpunged: (uid: number) => boolean): string =>
    folder.messages
      .filter(({ uid }) => isExpunged(uid))
      .map(({ uid }) => {
        const seq = folder.messages.findIndex((message) => message.uid === uid) + 1;
        script.remove(folder.path, uid);
        return `* ${seq} EXPUNGE\r\n`;
      })
      .join("");

  const script: ScriptServer = {
    port: (server.address() as { port: number }).port,
    folders: [],
    capabilities: options.capabilities ?? ["IMAP4rev1", "AUTH=PLAIN"],
    commands,
    changed: () => {},
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
      notifyIdlers(folder, `* ${folder.messages.length} EXISTS\r\n`);
      script.changed();
      return message;
    },
    change(path, uid, edit) {
      const folder = script.folder(path);
      const at = folder.messages.findIndex((message) => message.uid === uid);
      edit(folder.messages[at]!);
      folder.messages[at]!.modseq = ++modseq;
      notifyIdlers(folder, `* ${at + 1} FETCH (UID ${uid} FLAGS (${[...folder.messages[at]!.flags].join(" ")}))\r\n`);
      script.changed();
    },
    remove(path, uid) {
      const folder = script.folder(path);
      const at = folder.messages.findIndex((message) => message.uid === uid);
      folder.messages.splice(at, 1);
      notifyIdlers(folder, `* ${at + 1} EXPUNGE\r\n`);
      script.changed();
    },
    copy(from, uids, to) {
      const copied = from.messages.filter(({ uid }) => uids.includes(uid));
      const fresh = copied.map(({ raw, flags, labels, thread, date }) =>
        script.add(to.path, { raw, flags: new Set(flags), labels: new Set(labels), thread, date }),
      );
      const sets = [copied, fresh].map((messages) => messages.map(({ uid }) => uid).join(",")).join(" ");
      return copied.length === 0 ? "" : `* OK [COPYUID ${to.uidvalidity} ${sets}] copied\r\n`;
    },
    move: (from, uids, to) => script.copy(from, uids, to) + expunge(from, (uid) => uids.includes(uid)),
    expunge(folder, set) {
      const named = inSet(folder, set).filter(({ flags }) => flags.has("\\Deleted"));
      return expunge(folder, (uid) => named.some((message) => message.uid === uid));
    },
    async close() {
      for (const { socket } of sessions) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return script;
}
