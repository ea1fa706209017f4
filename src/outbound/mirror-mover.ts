import type { ImapFlow } from "imapflow";
import { encodePath, packMessageRange } from "imapflow/lib/tools.js";
import type { Folder } from "../mailbox/folders.ts";
import {
  atom,
  type CopyUid,
  flagsOf,
  guarded,
  openForWriting,
  Refusal,
  run,
  sequence,
  storeFlags,
} from "./mirror-commands.ts";
import type { MovesBegun } from "./moves-begun.ts";

export interface Moved {
  /** Null where the server does not tell. */
  to: CopyUid | null;
  /** Copied, but still in the source folder, marked \Deleted: without UIDPLUS only others' expunging removes them. */
  left: number[];
}

/** Moves messages of the open folder; where MOVE (RFC 6851) is missing, copies and then removes them. */
export class Mover {
  constructor(private readonly begun: MovesBegun) {}

  /** @param from the open folder. @throws Refusal */
  async move(client: ImapFlow, from: Folder, uids: readonly number[], to: Folder): Promise<Moved> {
    const path = atom(encodePath(client, to.path));
    const has = (name: string) => client.capabilities.has(name) || client.capabilities.has("IMAP4rev2");
    if (has("MOVE")) return { to: await run(client, "UID MOVE", [sequence(uids), path]), left: [] };
    await this.#findCopies(client, from, uids, to);
    const earlier = this.begun.of(from.id, to.id, uids);
    const fresh = uids.filter((uid) => !earlier.has(uid));
    const copied = await this.#copy(client, from, await this.#toCopy(client, fresh, has("UIDPLUS")), to);
    if (copied) for (const [uid, copy] of earlier) if (copy) copied.uids.set(uid, copy);
    await storeFlags(client, uids, true, ["\\Deleted"]);
    return { to: copied, left: (await this.#expunge(client, uids, has("UIDPLUS"))) ? [] : [...uids] };
  }

  /** Whether an earlier try may have copied this message, and has not removed it. */
  isHalfDone(from: Folder, uid: number, to: Folder): boolean {
    return this.begun.of(from.id, to.id, [uid]).size > 0;
  }

  async #toCopy(client: ImapFlow, fresh: number[], uidplus: boolean): Promise<number[]> {
    if (uidplus || fresh.length === 0) return fresh;
    // What was copied and could not be removed before such things were written down carries the mark.
    const flags = await flagsOf(client, fresh);
    return fresh.filter((uid) => flags.has(uid) && !flags.get(uid)!.has("\\Deleted"));
  }

  async #copy(client: ImapFlow, from: Folder, uids: number[], to: Folder): Promise<CopyUid | null> {
    if (uids.length === 0) return null;
    this.begun.begin(from.id, to.id, uids);
    const target = atom(encodePath(client, to.path));
    const copied = await run(client, "UID COPY", [sequence(uids), target]).catch((error: unknown) => {
      if (error instanceof Refusal) this.begun.forget(from.id, to.id, uids);
      throw error;
    });
    this.begun.copied(from.id, to.id, new Map(uids.map((uid) => [uid, copied?.uids.get(uid) ?? 0])));
    return copied;
  }

  /**
   * Looks in the target for what an earlier try may have copied, by Message-ID and size, then opens the folder again that was open. A
   * note alone is not believed: the answer to the COPY may have been lost, and somebody may have deleted the copy since; then
   * removing the message would lose it. @throws Refusal
   */
  async #findCopies(client: ImapFlow, from: Folder, uids: readonly number[], to: Folder): Promise<void> {
    const noted = [...this.begun.of(from.id, to.id, uids).keys()];
    if (noted.length === 0) return;
    const query = { uid: true, size: true, headers: ["message-id"] };
    const messages = await client.fetchAll(packMessageRange(noted), query, { uid: true });
    await guarded(() => client.mailboxOpen(to.path, { readOnly: true }));
    const copies = new Map<number, number>();
    for (const { uid, size, headers } of messages) {
      const id = /^message-id:\s*(\S+)\s*$/im.exec(String(headers ?? ""))?.[1];
      const alike = (id && (await client.search({ header: { "message-id": id } }, { uid: true }))) || [];
      if (alike.length === 0) continue;
      const found = await client.fetchAll(packMessageRange(alike), { uid: true, size: true }, { uid: true });
      const copy = found.findLast((other) => other.size === size);
      if (copy) copies.set(uid, copy.uid);
    }
    this.begun.copied(from.id, to.id, copies);
    this.begun.forget(
      from.id,
      to.id,
      noted.filter((uid) => !copies.has(uid)),
    );
    await openForWriting(client, from.path);
  }

  /** Removes these messages and no others. @returns false when that cannot be done */
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
