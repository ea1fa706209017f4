import type { ImapFlow } from "imapflow";
import { encodePath, packMessageRange } from "imapflow/lib/tools.js";
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

export interface Moved {
  /** Null where the server does not tell. */
  to: CopyUid | null;
  /** Copied, but still in the source folder, marked \Deleted: without UIDPLUS only others' expunging removes them. */
  left: number[];
}

/** Moves messages of the open folder; where MOVE (RFC 6851) is missing, copies and then removes them. */
export class Mover {
  /** Copied already, before a connection broke: they must not be copied twice. */
  readonly #copied = new Map<string, number>();
  /** The connection broke over the COPY itself: whether it was done has to be looked up. */
  readonly #unsure = new Set<string>();

  /** @param folder_id of the open folder. @throws Refusal */
  async move(client: ImapFlow, folder_id: string, uids: readonly number[], target: string): Promise<Moved> {
    const path = atom(encodePath(client, target));
    const has = (name: string) => client.capabilities.has(name) || client.capabilities.has("IMAP4rev2");
    if (has("MOVE")) return { to: await run(client, "UID MOVE", [sequence(uids), path]), left: [] };
    const key = (uid: number) => moveKey(folder_id, uid, target);
    await this.#findCopies(
      client,
      uids.filter((uid) => this.#unsure.has(key(uid))),
      target,
      key,
    );
    const to = await this.#copy(client, await this.#toCopy(client, uids, key, has("UIDPLUS")), path, key);
    for (const uid of uids) {
      const copy = this.#copied.get(key(uid));
      if (to && copy) to.uids.set(uid, copy);
    }
    await storeFlags(client, uids, true, ["\\Deleted"]);
    const left = (await this.#expunge(client, uids, has("UIDPLUS"))) ? [] : [...uids];
    if (left.length === 0) for (const uid of uids) this.#copied.delete(key(uid));
    return { to, left };
  }

  /** Whether an earlier try may have copied this message, and has not removed it. */
  isHalfDone(folder_id: string, uid: number, target: string): boolean {
    const key = moveKey(folder_id, uid, target);
    return this.#copied.has(key) || this.#unsure.has(key);
  }

  async #toCopy(
    client: ImapFlow,
    uids: readonly number[],
    key: (uid: number) => string,
    uidplus: boolean,
  ): Promise<number[]> {
    const fresh = uids.filter((uid) => !this.#copied.has(key(uid)));
    if (uidplus || fresh.length === 0) return fresh;
    // What an earlier run copied and could not remove carries the mark.
    const flags = await flagsOf(client, fresh);
    return fresh.filter((uid) => flags.has(uid) && !flags.get(uid)!.has("\\Deleted"));
  }

  async #copy(client: ImapFlow, uids: number[], path: unknown, key: (uid: number) => string): Promise<CopyUid | null> {
    if (uids.length === 0) return null;
    for (const uid of uids) this.#unsure.add(key(uid));
    const to = await run(client, "UID COPY", [sequence(uids), path]).catch((error: unknown) => {
      if (error instanceof Refusal) for (const uid of uids) this.#unsure.delete(key(uid));
      throw error;
    });
    for (const uid of uids) this.#unsure.delete(key(uid));
    for (const uid of uids) this.#copied.set(key(uid), to?.uids.get(uid) ?? 0);
    return to;
  }

  /** Looks for copies in the target by Message-ID, then opens the folder again that was open. @throws Refusal */
  async #findCopies(
    client: ImapFlow,
    uids: readonly number[],
    target: string,
    key: (uid: number) => string,
  ): Promise<void> {
    const source = client.mailbox;
    if (uids.length === 0 || !source) return;
    const query = { uid: true, headers: ["message-id"] };
    const messages = await client.fetchAll(packMessageRange([...uids]), query, { uid: true });
    await guarded(() => client.mailboxOpen(target, { readOnly: true }));
    for (const { uid, headers } of messages) {
      const id = /^message-id:\s*(\S+)\s*$/im.exec(String(headers ?? ""))?.[1];
      const found = id ? await client.search({ header: { "message-id": id } }, { uid: true }) : false;
      if (found && found.length > 0) this.#copied.set(key(uid), found.at(-1)!);
      this.#unsure.delete(key(uid));
    }
    await openForWriting(client, source.path);
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

const moveKey = (folder_id: string, uid: number, target: string) => `${folder_id} ${uid} ${target}`;
