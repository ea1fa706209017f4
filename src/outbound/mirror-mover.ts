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
   * Where the answer to a COPY was lost, looks for the copies in the target by Message-ID, then opens the folder again that was
   * open. @throws Refusal
   */
  async #findCopies(client: ImapFlow, from: Folder, uids: readonly number[], to: Folder): Promise<void> {
    const unsure = [...this.begun.of(from.id, to.id, uids)].filter(([, copy]) => copy === null).map(([uid]) => uid);
    if (unsure.length === 0) return;
    const query = { uid: true, headers: ["message-id"] };
    const messages = await client.fetchAll(packMessageRange(unsure), query, { uid: true });
    await guarded(() => client.mailboxOpen(to.path, { readOnly: true }));
    for (const { uid, headers } of messages) {
      const id = /^message-id:\s*(\S+)\s*$/im.exec(String(headers ?? ""))?.[1];
      const found = id ? await client.search({ header: { "message-id": id } }, { uid: true }) : false;
      if (found && found.length > 0) this.begun.copied(from.id, to.id, new Map([[uid, found.at(-1)!]]));
      else this.begun.forget(from.id, to.id, [uid]);
    }
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
