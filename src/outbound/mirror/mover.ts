import type { ImapFlow } from "imapflow";
import { encodePath, packMessageRange } from "imapflow/lib/tools.js";
import type { Folder } from "../../mailbox/store/folders.ts";
import { atom, type CopyUid, flagsOf, openForWriting, Refusal, run, sequence, storeFlags } from "./commands.ts";
import type { MoveJournal } from "./move-journal.ts";

export interface Moved {
  /** Null if the server does not report it. */
  to: CopyUid | null;
  /**
   * Copied, but still in the source folder and marked \Deleted. Without UIDPLUS only an EXPUNGE by another program
   * removes them.
   */
  left: number[];
}

/** Moves messages of the open folder. Without MOVE (RFC 6851), copies them and then removes the originals. */
export class Mover {
  constructor(private readonly begun: MoveJournal) {}

  /** Moves messages. @param from the open folder. @throws Refusal */
  async move(client: ImapFlow, from: Folder, uids: readonly number[], to: Folder): Promise<Moved> {
    const path = atom(encodePath(client, to.path));
    const has = (name: string) => client.capabilities.has(name) || client.capabilities.has("IMAP4rev2");
    if (has("MOVE")) return { to: await run(client, "UID MOVE", [sequence(uids), path]), left: [] };
    await this.#findCopies(client, from, uids, to);
    const earlier = this.begun.of(from.id, to.id, uids);
    const copied = await this.#copy(client, from, await notYetCopied(client, uids, earlier), to);
    if (copied) for (const [uid, copy] of earlier) if (copy) copied.uids.set(uid, copy);
    // Only messages that were copied are removed.
    const safe = [...this.begun.of(from.id, to.id, uids)].filter(([, copy]) => copy !== null).map(([uid]) => uid);
    if (safe.length === 0) return { to: copied, left: [] };
    await storeFlags(client, safe, true, ["\\Deleted"]);
    return { to: copied, left: (await this.#expunge(client, safe, has("UIDPLUS"))) ? [] : safe };
  }

  /** Returns whether an earlier attempt may have copied this message without removing it. */
  isHalfDone(from: Folder, uid: number, to: Folder): boolean {
    return this.begun.of(from.id, to.id, [uid]).size > 0;
  }

  /** Returns whether a move of this message, to any folder, is incomplete. */
  isIncomplete(from: Folder, uid: number): boolean {
    return this.begun.isLeaving(from.id, uid);
  }

  /**
   * Keeps messages in place whose move had begun, and removes the \Deleted mark that the move may have set. @throws
   * Refusal
   */
  async stay(client: ImapFlow, folder: Folder, uids: readonly number[]): Promise<void> {
    await openForWriting(client, folder.path);
    await storeFlags(client, uids, false, ["\\Deleted"]);
    this.begun.cancel(folder.id, uids);
  }

  async #copy(client: ImapFlow, from: Folder, uids: number[], to: Folder): Promise<CopyUid | null> {
    if (uids.length === 0) return null;
    this.begun.begin(from.id, to.id, uids);
    const target = atom(encodePath(client, to.path));
    const copied = await run(client, "UID COPY", [sequence(uids), target]).catch((error: unknown) => {
      if (error instanceof Refusal) this.begun.forget(from.id, to.id, uids);
      throw error;
    });
    // A server that reports copies reports each of them.
    const made = uids.filter((uid) => copied === null || copied.uids.has(uid));
    this.begun.copied(from.id, to.id, new Map(made.map((uid) => [uid, copied?.uids.get(uid) ?? 0])));
    this.begun.forget(
      from.id,
      to.id,
      uids.filter((uid) => !made.includes(uid)),
    );
    return copied;
  }

  /**
   * Finds possible copies of an earlier attempt in the target, by Message-ID and size; applies flags that were set
   * since to the copies; then reopens the folder that was open. A journal entry alone is not enough: the response to
   * the COPY may have been lost, and if someone has deleted the copy since, removing the original would lose the
   * message. @throws Refusal
   */
  async #findCopies(client: ImapFlow, from: Folder, uids: readonly number[], to: Folder): Promise<void> {
    const noted = [...this.begun.of(from.id, to.id, uids).keys()];
    if (noted.length === 0) return;
    const query = { uid: true, size: true, flags: true, headers: ["message-id"] };
    const messages = await client.fetchAll(packMessageRange(noted), query, { uid: true });
    await openForWriting(client, to.path);
    const copies = new Map<number, number>();
    for (const { uid, size, headers, flags } of messages) {
      const id = /^message-id:\s*(\S+)\s*$/im.exec(String(headers ?? ""))?.[1];
      const alike = (id && (await client.search({ header: { "message-id": id } }, { uid: true }))) || [];
      if (alike.length === 0) continue;
      const found = await client.fetchAll(
        packMessageRange(alike),
        { uid: true, size: true, flags: true },
        { uid: true },
      );
      const copy = found.findLast((other) => other.size === size && !other.flags?.has("\\Deleted"));
      if (!copy) continue;
      await copyMarks(client, copy.uid, flags, copy.flags);
      copies.set(uid, copy.uid);
    }
    this.begun.copied(from.id, to.id, copies);
    this.begun.forget(
      from.id,
      to.id,
      noted.filter((uid) => !copies.has(uid)),
    );
    await openForWriting(client, from.path);
  }

  /** Removes exactly these messages. @returns false when that is not possible */
  async #expunge(client: ImapFlow, uids: readonly number[], uidplus: boolean): Promise<boolean> {
    if (uidplus) {
      await run(client, "UID EXPUNGE", [sequence(uids)]);
      return true;
    }
    const deleted = await client.search({ deleted: true }, { uid: true });
    const ours = new Set(uids);
    if (!deleted || deleted.some((uid) => !ours.has(uid))) return false;
    await run(client, "EXPUNGE", []);
    return true;
  }
}

/**
 * Returns the messages that exist and have not been copied. A copy carries the flags of its message, so a \Deleted mark
 * (from another program, or from an earlier move of ours) is removed first: a user who moves the message wants to keep
 * it.
 */
async function notYetCopied(
  client: ImapFlow,
  uids: readonly number[],
  earlier: ReadonlyMap<number, unknown>,
): Promise<number[]> {
  const wanted = uids.filter((uid) => !earlier.has(uid));
  if (wanted.length === 0) return [];
  const flags = await flagsOf(client, wanted);
  const marked = [...flags].filter(([, set]) => set.has("\\Deleted")).map(([uid]) => uid);
  if (marked.length > 0) await storeFlags(client, marked, false, ["\\Deleted"]);
  return wanted.filter((uid) => flags.has(uid));
}

/** Applies changes of read, starred and labels made after copying to the copy, which is in the open folder. */
async function copyMarks(
  client: ImapFlow,
  copy: number,
  from: ReadonlySet<string> = new Set(),
  to: ReadonlySet<string> = new Set(),
): Promise<void> {
  const beside = (one: ReadonlySet<string>, other: ReadonlySet<string>) =>
    [...one].filter((flag) => !other.has(flag) && flag !== "\\Deleted" && flag !== "\\Recent");
  const [more, less] = [beside(from, to), beside(to, from)];
  if (more.length > 0) await storeFlags(client, [copy], true, more);
  if (less.length > 0) await storeFlags(client, [copy], false, less);
}
