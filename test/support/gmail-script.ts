import { type ScriptServer, startScript } from "./imap-script.ts";
import type { ScriptFolder, ScriptMessage } from "./imap-wire.ts";

export const ALL = "[Gmail]/All Mail";
const CAPABILITIES = "IMAP4rev1 AUTH=PLAIN IDLE NAMESPACE ENABLE CONDSTORE UIDPLUS MOVE X-GM-EXT-1".split(" ");
const FOLDERS = {
  "Sent Mail": "\\Sent",
  Drafts: "\\Drafts",
  Starred: "\\Flagged",
  Important: "\\Important",
  Spam: "\\Junk",
  Trash: "\\Trash",
};
/** Folders that hold their own messages; every other folder shows the messages of All Mail with its label. */
const HOLDERS = [ALL, "[Gmail]/Spam", "[Gmail]/Trash"];
const SYSTEM_LABELS: Record<string, string> = {
  INBOX: "\\Inbox",
  "[Gmail]/Sent Mail": "\\Sent",
  "[Gmail]/Drafts": "\\Draft",
  "[Gmail]/Starred": "\\Starred",
  "[Gmail]/Important": "\\Important",
};

const labelOf = ({ path }: ScriptFolder) => SYSTEM_LABELS[path] ?? path;
const isView = ({ path, attributes }: ScriptFolder) => !HOLDERS.includes(path) && !attributes.includes("\\Noselect");

/**
 * A mailbox as Gmail shows it: every label is a folder, and a message is in All Mail, Spam or Trash. A change of a
 * message's labels changes the contents of the folders, each with separate UIDs; moving a message into a folder adds
 * that folder's label.
 */
export async function startGmail(): Promise<ScriptServer> {
  const server = await startScript({ capabilities: CAPABILITIES });
  server.addFolder("INBOX", ["\\HasNoChildren"]);
  server.addFolder("Trips/Rome", ["\\HasNoChildren"]);
  server.addFolder("[Gmail]", ["\\Noselect", "\\HasChildren"]);
  server.addFolder(ALL, ["\\All"]);
  for (const [name, use] of Object.entries(FOLDERS)) server.addFolder(`[Gmail]/${name}`, [use]);
  const shown = new Map<ScriptFolder, Map<ScriptMessage, number>>();
  let busy = false;
  server.changed = () => {
    const all = server.folders.find(({ path }) => path === ALL);
    if (busy || !all) return;
    busy = true;
    for (const view of server.folders.filter(isView)) show(server, all, view, shown);
    busy = false;
  };
  const move = server.move;
  server.move = (from, uids, to) => {
    const all = server.folders.find(({ path }) => path === ALL);
    if (!all || HOLDERS.includes(to.path)) {
      // A trashed message leaves the inbox and keeps its labels.
      for (const { uid, labels } of from.messages) if (uids.includes(uid) && to.path !== ALL) labels.delete("\\Inbox");
      return move(from, uids, to);
    }
    const messages = from.messages.filter(({ uid }) => uids.includes(uid));
    for (const message of messages) message.labels.add(labelOf(to));
    const moved = move(from, uids, all);
    const fresh = all.messages.slice(-messages.length);
    const views = fresh.map((message) => shown.get(to)!.get(message));
    return moved.replace(/COPYUID \d+ (\S+) \S+\]/, `COPYUID ${to.uidvalidity} $1 ${views.join(",")}]`);
  };
  return server;
}

function show(
  server: ScriptServer,
  all: ScriptFolder,
  view: ScriptFolder,
  shown: Map<ScriptFolder, Map<ScriptMessage, number>>,
): void {
  const uids = shown.get(view) ?? new Map<ScriptMessage, number>();
  shown.set(view, uids);
  const wanted = all.messages.filter(({ labels }) => labels.has(labelOf(view)));
  for (const [message, uid] of uids) {
    if (wanted.includes(message)) continue;
    uids.delete(message);
    server.remove(view.path, uid);
  }
  for (const message of wanted) {
    if (uids.has(message)) continue;
    const { raw, flags, labels, thread, date } = message;
    uids.set(message, server.add(view.path, { raw, flags, labels, thread, date }).uid);
  }
}
