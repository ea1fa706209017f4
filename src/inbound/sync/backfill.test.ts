import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { DOVECOT, type Dovecot, startDovecot } from "../../../test/support/dovecot.ts";
import { createMailFixture, type MailFixture } from "../../../test/support/mail-fixture.ts";
import { mailText } from "../../../test/support/mail-text.ts";
import { type ReadAll, readOnThisThread } from "../message/parsed-message.ts";
import { syncFolderList } from "./folders.ts";
import { FolderSync } from "./sync.ts";
import { WRITE_BATCH_MESSAGES } from "./write-batches.ts";

const MESSAGES = 3 * WRITE_BATCH_MESSAGES;
const REST = () => false;

describe.skipIf(!DOVECOT)("new mail during the history of its mailbox", () => {
  let dovecot: Dovecot;
  let f: MailFixture;
  beforeEach(async () => {
    dovecot = await startDovecot();
    const mails = Array.from({ length: MESSAGES }, (_, n) => ({ raw: mailText({ id: `note-${n}` }) }));
    dovecot.loadMaildir("alice", "INBOX", mails);
    f = await createMailFixture({ port: dovecot.imapPort, login: dovecot.logins.alice });
  });
  afterEach(async () => {
    await f?.close();
    await dovecot?.stop();
  });

  /** Opens the inbox. @returns a function that runs one turn of its history, with the number of messages then stored */
  async function history(readAside: ReadAll): Promise<() => Promise<{ complete: boolean; stored: number }>> {
    const { parts } = f.supervisor;
    const client = await dovecot.connect("alice");
    await syncFolderList(parts, client, f.account);
    const sync = new FolderSync({ ...parts, readAside });
    const [inbox] = parts.folders.real(f.account).filter(({ role }) => role === "inbox");
    return async () => {
      const { folder } = await sync.open(client, f.account, parts.folders.get(f.user.id, inbox!.id)!);
      const complete = await sync.backfill(client, f.account, folder, REST);
      return { complete, stored: f.messages().length };
    };
  }

  /** Reads like the parse thread, and announces new mail before the lists that have these numbers. */
  function announcing(before: readonly number[]): ReadAll {
    let lists = 0;
    return async (list, signal) => {
      if (list.length === 0) return [];
      if (before.includes(lists++)) f.supervisor.parts.newMailFirst.announced(f.account.id);
      signal?.throwIfAborted();
      return readOnThisThread(list);
    };
  }

  test("does not wait for messages that are being read on the other thread", async () => {
    const turn = await history(announcing([0]));
    expect(await turn()).toEqual({ complete: false, stored: 0 });
    expect(await turn()).toEqual({ complete: true, stored: MESSAGES });
  });

  test("does not stop history: a turn that stores nothing is followed by one that stores something", async () => {
    // In the first turn, everything that was fetched is no longer wanted.
    const turn = await history(announcing(Array.from({ length: 100 }, (_, n) => n)));
    expect(await turn()).toEqual({ complete: false, stored: 0 });
    const { stored } = await turn();
    expect(stored).toBeGreaterThanOrEqual(WRITE_BATCH_MESSAGES);
  });

  test("of which nothing can be read ends the turn with the error", async () => {
    const turn = await history(async (list) => {
      if (list.length === 0) return [];
      throw new Error("out of memory");
    });
    await expect(turn()).rejects.toThrow("out of memory");
  });
});
