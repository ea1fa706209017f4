import { Database } from "bun:sqlite";
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { cpSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { mailPipeline } from "../../src/app/mail.ts";
import { readContents } from "../../src/inbound/message/parsed-message.ts";
import { toIncoming } from "../../src/inbound/message/pipeline.ts";
import { createMailbox, type Mailbox } from "../../src/mailbox/mailbox.ts";
import { removeLegacyIndex } from "../../src/mailbox/search/legacy.ts";
import { systemClock } from "../../src/platform/clock.ts";
import { loadConfig } from "../../src/platform/config/load.ts";
import { openPlatform, type Platform } from "../../src/platform/platform.ts";
import { attack, recovered } from "../attack/attack.ts";
import { tableValues } from "../attack/folder.ts";
import { chosenMails, countedWords, type Mail, victimMails } from "../attack/mails.ts";
import { readDelivered, type StoredMail, writeOldFolder } from "../attack/old-index.ts";
import { repeatedStrings } from "../attack/repeated-strings.ts";
import { eventually } from "../support/eventually.ts";
import { mailText } from "../support/mail-text.ts";
import { serve } from "../support/served-program.ts";

/**
 * Someone had two mails delivered, steals the disk and has no key. From the index of version 0.1 they read most words
 * of all other mail (docs/security.md); from this version's index they must not learn a single one.
 */
setDefaultTimeout(300_000);

const root = mkdtempSync(join(tmpdir(), "postroom-stolen-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** Words of the list from which the fixture's mails were made, and of the list for this version. */
const OLD_WORDS = 3_600;
const WORDS = 10_000;

describe("a stolen disk of version 0.1", () => {
  const { chosen, victims } = readDelivered();
  const run = (folder: string) =>
    recovered(attack(folder, { mails: chosen, counted: countedWords(OLD_WORDS) }), victims);

  test("reveals most words to someone who had sent two mails, in the index and in its raw pages", async () => {
    const folder = join(root, "old");
    await writeOldFolder(folder);
    const { pairs, of, where } = run(folder);
    expect(pairs / of).toBeGreaterThan(0.7);
    expect(where).toEqual([expect.stringMatching(/^words_usr_/), "postroom.db (raw pages)"]);
  });

  test("reveals none once the old index has been removed", async () => {
    const folder = join(root, "removed");
    await writeOldFolder(folder);
    const sql = new Database(join(folder, "postroom.db"));
    const platform = { config: { data_dir: folder }, db: { sql } } as unknown as Platform;
    while ((await removeLegacyIndex(platform)) !== "done");
    sql.close();
    expect(run(folder)).toMatchObject({ pairs: 0, where: [] });
  });
});

describe("a stolen disk of this version reveals no word to someone who had sent two mails with 10,000 words", () => {
  const data = join(root, "data");
  let stored: { victims: StoredMail[]; chosen: StoredMail[] };
  const copies = { pending: join(root, "pending"), segments: join(root, "segments"), merged: join(root, "merged") };
  /** @param platform where a server runs: nothing may write while its files are copied */
  const steal = (folder: string, platform?: Platform) => {
    const isCopied = (path: string) => path !== join(data, "keys") && !path.endsWith(".sock");
    const copy = () => cpSync(data, folder, { recursive: true, filter: isCopied });
    if (platform) platform.db.write(copy);
    else copy();
  };

  beforeAll(async () => {
    const server = await serve(data);
    try {
      await eventually(() => server.log().includes("sandbox mailbox ready"), 60_000);
      const platform = openPlatform({ config: loadConfig({ data_dir: data, env: {} }), clock: systemClock });
      try {
        const mailbox = createMailbox(platform);
        const user_id = platform.users.sandboxOf(platform.users.list()[0]!.id).id;
        // The server may be doing the same: only one of the two makes a segment.
        const flush = async () => {
          while (mailbox.fullText.pendingCount(user_id) > 0)
            await mailbox.fullText.maintain(user_id, { rest: async () => {}, flush: true });
        };
        stored = await deliverAll(platform, mailbox, user_id);
        // While the server runs, most data is in the write-ahead log.
        steal(copies.pending, platform);
        await flush();
        steal(copies.segments, platform);
        // Eight segments merge into one.
        for (let i = 0; i < 8; i++) {
          await deliver(
            platform,
            mailbox,
            user_id,
            { subject: `Number ${i}`, text: "One more." },
            "Bea <bea@example.net>",
          );
          await flush();
        }
      } finally {
        platform.close();
      }
    } finally {
      await server.stop();
    }
    steal(copies.merged);
  });

  /** What the attacker learns from a folder, and how much index data it has. */
  function examine(folder: string) {
    const sql = new Database(join(folder, "postroom.db"));
    const values = tableValues(sql).filter(({ where }) => where.startsWith("search_"));
    sql.close();
    const { pairs, where } = recovered(
      attack(folder, { mails: stored.chosen, counted: countedWords(WORDS) }),
      stored.victims,
    );
    const repeated = repeatedStrings(values.filter(({ isText }) => !isText));
    const rows = (column: string) => values.filter((value) => value.where === column).length;
    return {
      attack: { pairs, where, repeated },
      pending: rows("search_pending.data"),
      blocks: rows("search_blocks.data"),
    };
  }
  const NOTHING = { pairs: 0, where: [], repeated: 0 };

  test("as soon as they have arrived", () => {
    expect(statSync(join(copies.pending, "postroom.db-wal")).size).toBeGreaterThan(1_000_000);
    const found = examine(copies.pending);
    expect(found.attack).toEqual(NOTHING);
    expect(found.pending).toBeGreaterThan(60);
  });

  test("when they are in a segment", () => {
    const found = examine(copies.segments);
    expect(found.attack).toEqual(NOTHING);
    expect(found.pending).toBe(0);
    expect(found.blocks).toBeGreaterThan(5);
  });

  test("when segments have been merged", () => {
    const found = examine(copies.merged);
    expect(found.attack).toEqual(NOTHING);
    const sql = new Database(join(copies.merged, "postroom.db"));
    // The first eight were merged into a later one.
    const oldest = sql
      .query<{ id: number }, []>("SELECT min(id) AS id FROM search_segments WHERE state = 'live'")
      .get()!;
    sql.close();
    expect(oldest.id).toBeGreaterThan(8);
  });
});

/** Delivers to the sandbox while the server runs: other mail, the attacker's two messages, other mail. */
async function deliverAll(
  platform: Platform,
  mailbox: Mailbox,
  user_id: string,
): Promise<{ victims: StoredMail[]; chosen: StoredMail[] }> {
  const put = async (mails: readonly Mail[], from: string) => {
    const all: StoredMail[] = [];
    for (const mail of mails) all.push({ ...mail, ...(await deliver(platform, mailbox, user_id, mail, from)) });
    return all;
  };
  const mails = victimMails(60);
  const before = await put(mails.slice(0, 40), "Bea <bea@example.net>");
  const chosen = await put(chosenMails(WORDS), "Eve <eve@attacker.example>");
  const after = await put(mails.slice(40), "Bea <bea@example.net>");
  return { victims: [...before, ...after], chosen };
}

let uid = 90_000;

async function deliver(platform: Platform, mailbox: Mailbox, user_id: string, { subject, text }: Mail, from: string) {
  const [account] = mailbox.accounts.list(user_id);
  const folder = mailbox.folders.list(account!).find(({ role }) => role === "inbox")!;
  uid++;
  const source = Buffer.from(
    mailText({ id: `stolen-${uid}`, subject, from, to: account!.email, text: text.replaceAll("\n", "\r\n") }),
  );
  const { contents } = await readContents({ source });
  const flags = { seen: false, flagged: false, answered: false, draft: false, important: false };
  const at = { folderId: folder.id, uid, internalDate: platform.clock.now(), size: source.length };
  const incoming = toIncoming(contents, { ...at, flags, labels: [], flagsHash: 0, serverThreadId: null });
  return platform.db.write(() => {
    mailPipeline(platform, mailbox).take(account!, folder, [incoming]);
    return platform.db.sql
      .query<{ n: number; id: string }, [string]>(
        "SELECT n, id FROM messages WHERE user_id = ? ORDER BY n DESC LIMIT 1",
      )
      .get(user_id)!;
  });
}
