import type { ImapFlow, MailboxObject } from "imapflow";
import type { Folder } from "../mailbox/folders.ts";
import type { Labels } from "../mailbox/labels.ts";
import { labelId, type PendingChange } from "../mailbox/pending-changes.ts";
import { isGmail } from "../wire/imap/gmail.ts";
import { labelToKeyword } from "../wire/imap/keywords.ts";
import { flagsOf, openForWriting, Refusal, storeFlags, storeGmailLabel } from "./mirror-commands.ts";
import type { CopyPlace, MirrorLedger, PendingMessage } from "./mirror-ledger.ts";
import type { Results } from "./mirror-results.ts";

/** One STORE: many messages of a folder, one flag. */
interface StoreOp {
  field: string;
  add: boolean;
  entries: { uid: number; change: PendingChange }[];
}

const SYSTEM_FLAGS: Record<string, string> = { seen: "\\Seen", flagged: "\\Flagged" };

/** Replays read, starred and labels. */
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

  /** Every copy of a message gets the change, with one command per folder and flag. */
  async run(messages: readonly PendingMessage[]): Promise<void> {
    const folders = new Map<string, { folder: Folder; ops: Map<string, StoreOp> }>();
    for (const { changes, copies, missing } of messages) {
      const real = copies.filter(({ folder }) => folder.view_of === null);
      // On Gmail every folder shows the one message.
      const places = this.#gmail ? real.slice(0, 1) : real;
      for (const change of changes) {
        if (change.field === "folder") continue;
        if (places.length === 0 || missing) this.results.wait([change], "missing");
        for (const place of places) addOp(folders, place, change);
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
    for (const op of ops) if (await this.#store(folder, box, op)) stored.push(op);
    if (stored.length > 0) await this.#verify(folder, stored);
  }

  /** @returns whether the server took the command; what it made of it is another question */
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
      // Gmail keeps labels: it is this one that it will not have.
      if (label !== null && !this.#gmail && error instanceof Refusal && !error.temporary) this.#keepHere(folder, op);
      else this.#judge(error, changesOf(op));
      return false;
    }
  }

  /** Servers pass over UIDs that are gone and flags that they do not keep, without a word: asks what became of it. */
  async #verify(folder: Folder, ops: StoreOp[]): Promise<void> {
    const now = await flagsOf(this.client, [...new Set(ops.flatMap((op) => op.entries.map(({ uid }) => uid)))]);
    for (const op of ops) {
      const label = op.field.startsWith("label:") ? this.labels.name(labelId(op.field)) : null;
      const there = op.entries.filter(({ uid }) => now.has(uid));
      this.results.wait(
        op.entries.filter(({ uid }) => !now.has(uid)).map(({ change }) => change),
        "missing",
      );
      const flag = (label === null ? SYSTEM_FLAGS[op.field]! : labelToKeyword(label)).toLowerCase();
      const agrees = ({ uid }: { uid: number }) =>
        (label !== null && this.#gmail) || [...now.get(uid)!].some((name) => name.toLowerCase() === flag) === op.add;
      this.results.accept(there.filter(agrees).map(({ change }) => change));
      const ignored = there.filter((entry) => !agrees(entry));
      if (ignored.length === 0) continue;
      if (label !== null) this.#keepHere(folder, { ...op, entries: ignored });
      else
        this.results.refuse(
          ignored.map(({ change }) => change),
          "The server does not store this flag.",
        );
    }
  }

  /** The server stores no labels there: they are kept here alone (decisions, Threads). */
  #keepHere(folder: Folder, op: StoreOp): void {
    this.ledger.noKeywords(folder);
    this.results.accept(changesOf(op));
  }

  #judge(error: unknown, changes: readonly PendingChange[]): void {
    if (!(error instanceof Refusal)) throw error;
    if (error.temporary) this.results.wait(changes, "unavailable");
    // A folder that is gone: the next look at the list of folders tells where its messages are.
    else if (error.missing) this.results.wait(changes, "missing");
    else this.results.refuse(changes, error.words || error.message);
  }
}

function addOp(
  folders: Map<string, { folder: Folder; ops: Map<string, StoreOp> }>,
  { folder, uid }: CopyPlace,
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

/** PERMANENTFLAGS (RFC 9051 §7.1); a server that does not send it permits everything. */
function permits(box: MailboxObject, op: StoreOp, label: string | null, gmail: boolean): boolean {
  if (!box.permanentFlags || (label !== null && gmail)) return true;
  const has = (name: string) => [...box.permanentFlags!].some((flag) => flag.toLowerCase() === name.toLowerCase());
  if (label === null) return has(SYSTEM_FLAGS[op.field]!);
  return !op.add || has("\\*") || has(labelToKeyword(label));
}

/**
 * The keywords that stand for a label. Another program may have written it as it is; that goes, too, when the label goes.
 * Nothing is removed that the folder does not know, for some servers learn a keyword by its removal.
 */
function keywordsFor(box: MailboxObject, label: string, add: boolean): string[] {
  if (add) return [labelToKeyword(label)];
  const names = [labelToKeyword(label), label.toLowerCase()];
  return [...(box.flags ?? [])].filter((flag) => !flag.startsWith("\\") && names.includes(flag.toLowerCase()));
}
