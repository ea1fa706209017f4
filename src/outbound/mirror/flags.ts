import type { ImapFlow, MailboxObject } from "imapflow";
import { labelId, type PendingChange } from "../../mailbox/changes/pending-changes.ts";
import type { Folder } from "../../mailbox/store/folders.ts";
import type { Labels } from "../../mailbox/store/labels.ts";
import { isGmail } from "../../wire/imap/gmail.ts";
import { labelToKeyword } from "../../wire/imap/keywords.ts";
import { flagsOf, openForWriting, Refusal, storeFlags, storeGmailLabel } from "./commands.ts";
import type { CopyLocation, MirrorLedger, PendingMessage } from "./ledger.ts";
import type { Results } from "./results.ts";

/** One STORE command: several messages of a folder, one flag. */
interface StoreOp {
  field: string;
  add: boolean;
  entries: { uid: number; change: PendingChange }[];
}

const SYSTEM_FLAGS: Record<string, string> = { seen: "\\Seen", flagged: "\\Flagged" };

/** Replays changes of read, starred and labels. */
export class FlagReplay {
  readonly #gmail: boolean;

  constructor(
    private readonly client: ImapFlow,
    private readonly ledger: MirrorLedger,
    private readonly labels: Labels,
    private readonly results: Results,
  ) {
    this.#gmail = isGmail(client);
  }

  /** Applies the changes to every copy of a message, with one command per folder and flag. */
  async run(messages: readonly PendingMessage[]): Promise<void> {
    const folders = new Map<string, { folder: Folder; ops: Map<string, StoreOp> }>();
    for (const { changes, copies, missing } of messages) {
      const real = copies.filter(({ folder }) => folder.view_of === null);
      // On Gmail every folder shows the same message.
      const locations = this.#gmail ? real.slice(0, 1) : real;
      for (const change of changes) {
        if (change.field === "folder") continue;
        if (locations.length === 0 || missing) this.results.wait([change], "missing");
        for (const location of locations) addOp(folders, location, change);
      }
    }
    for (const { folder, ops } of folders.values()) await this.#inFolder(folder, [...ops.values()]);
  }

  async #inFolder(folder: Folder, ops: StoreOp[]): Promise<void> {
    const all = ops.flatMap(changesOf);
    let box: MailboxObject;
    try {
      box = await openForWriting(this.client, folder.path);
    } catch (error) {
      this.#judge(error, all);
      return;
    }
    if (Number(box.uidValidity) !== folder.uidvalidity) {
      this.results.wait(all, "missing");
      return;
    }
    const stored: StoreOp[] = [];
    // Removals first: to a server that ignores case, "work" and "Work" are one label, and a rename from one to the other
    // must not end with its removal.
    const ordered = ops.toSorted((a, b) => Number(a.add) - Number(b.add));
    for (const op of ordered) if (await this.#store(folder, box, op)) stored.push(op);
    if (stored.length > 0) await this.#verify(folder, stored);
  }

  /** Sends one STORE. @returns whether the server accepted the command; `#verify` checks the effect */
  async #store(folder: Folder, box: MailboxObject, op: StoreOp): Promise<boolean> {
    const uids = op.entries.map(({ uid }) => uid);
    const label = op.field.startsWith("label:") ? this.labels.name(labelId(op.field)) : null;
    if (box.readOnly || !permits(box, op, label, this.#gmail)) {
      if (label === null || this.#gmail) this.results.refuse(changesOf(op), "The folder is read-only.");
      else this.#keepHere(folder, op);
      return false;
    }
    try {
      if (label !== null && this.#gmail) await storeGmailLabel(this.client, uids, op.add, label);
      else {
        const flags = label === null ? [SYSTEM_FLAGS[op.field]!] : keywordsFor(box, label, op.add);
        if (flags.length > 0) await storeFlags(this.client, uids, op.add, flags);
      }
      return true;
    } catch (error) {
      // Gmail does support labels, so it only rejects this one.
      if (label !== null && !this.#gmail && error instanceof Refusal && !error.temporary) this.#keepHere(folder, op);
      else this.#judge(error, changesOf(op));
      return false;
    }
  }

  /** Checks the result, because servers silently skip UIDs that are gone and flags that they do not store. */
  async #verify(folder: Folder, ops: StoreOp[]): Promise<void> {
    const now = await flagsOf(this.client, [...new Set(ops.flatMap((op) => op.entries.map(({ uid }) => uid)))]);
    for (const op of ops) {
      const label = op.field.startsWith("label:") ? this.labels.name(labelId(op.field)) : null;
      const present = op.entries.filter(({ uid }) => now.has(uid));
      this.results.wait(
        op.entries.filter(({ uid }) => !now.has(uid)).map(({ change }) => change),
        "missing",
      );
      const flag = (label === null ? SYSTEM_FLAGS[op.field]! : labelToKeyword(label)).toLowerCase();
      const agrees = ({ uid }: { uid: number }) =>
        (label !== null && this.#gmail) || [...now.get(uid)!].some((name) => name.toLowerCase() === flag) === op.add;
      this.results.accept(present.filter(agrees).map(({ change }) => change));
      const ignored = present.filter((entry) => !agrees(entry));
      if (ignored.length === 0) continue;
      if (label !== null) this.#keepHere(folder, { ...op, entries: ignored });
      else
        this.results.refuse(
          ignored.map(({ change }) => change),
          "The server does not store this flag.",
        );
    }
  }

  /** Keeps labels local, because the server stores none in this folder (docs/mail.md, "Labels"). */
  #keepHere(folder: Folder, op: StoreOp): void {
    this.ledger.noKeywords(folder);
    this.results.accept(changesOf(op));
  }

  #judge(error: unknown, changes: readonly PendingChange[]): void {
    if (!(error instanceof Refusal)) throw error;
    if (error.temporary) this.results.wait(changes, "unavailable");
    // The folder is gone. The next sync of the folder list finds out where its messages are.
    else if (error.missing) this.results.wait(changes, "missing");
    else this.results.refuse(changes, error.words || error.message);
  }
}

function addOp(
  folders: Map<string, { folder: Folder; ops: Map<string, StoreOp> }>,
  { folder, uid }: CopyLocation,
  change: PendingChange,
): void {
  const entry = folders.get(folder.id) ?? { folder, ops: new Map<string, StoreOp>() };
  folders.set(folder.id, entry);
  const key = `${change.field} ${change.value}`;
  const op = entry.ops.get(key) ?? { field: change.field, add: change.value === "1", entries: [] };
  entry.ops.set(key, op);
  op.entries.push({ uid, change });
}

const changesOf = (op: StoreOp): PendingChange[] => op.entries.map(({ change }) => change);

/** Evaluates PERMANENTFLAGS (RFC 9051 §7.1). A server that does not send it permits everything. */
function permits(box: MailboxObject, op: StoreOp, label: string | null, gmail: boolean): boolean {
  if (!box.permanentFlags || (label !== null && gmail)) return true;
  const has = (name: string) => [...box.permanentFlags!].some((flag) => flag.toLowerCase() === name.toLowerCase());
  if (label === null) return has(SYSTEM_FLAGS[op.field]!);
  return !op.add || has("\\*") || has(labelToKeyword(label));
}

/**
 * Returns the keywords that represent a label. Another program may have written the plain name, which is removed with
 * the label. Keywords that the folder does not have are not removed, because some servers learn a keyword from its
 * removal.
 */
function keywordsFor(box: MailboxObject, label: string, add: boolean): string[] {
  if (add) return [labelToKeyword(label)];
  const names = [labelToKeyword(label), label.toLowerCase()];
  return [...(box.flags ?? [])].filter((flag) => !flag.startsWith("\\") && names.includes(flag.toLowerCase()));
}
