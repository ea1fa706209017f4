import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { mailPipeline } from "../../src/app/mail.ts";
import { sweepFiles } from "../../src/app/sweep.ts";
import { deliverLocally } from "../../src/inbound/import/local-delivery.ts";
import { SCOPES } from "../../src/kernel/scopes.ts";
import type { Account } from "../../src/mailbox/accounts/accounts.ts";
import { FullTextIndex, INDEX_SIZES } from "../../src/mailbox/search/fulltext-index.ts";
import type { Folder as MailFolder } from "../../src/mailbox/store/folders.ts";
import { createOutbound } from "../../src/outbound/outbound.ts";
import { PartCache } from "../../src/platform/blobs/cache.ts";
import { BlobFiles } from "../../src/platform/blobs/files.ts";
import { asLines, checkInvariants } from "../invariants/check.ts";
import { EMPTY_BLOCK_DAMAGED } from "../invariants/fulltext.ts";
import { eventually } from "../support/eventually.ts";
import { mailText } from "../support/mail-text.ts";
import { manyWords } from "../support/naive-index.ts";
import { between, type CampaignOptions, pick } from "./campaign.ts";
import { emptySandbox } from "./installation.ts";
import { createFolder, type Folder, type Served, serve } from "./served.ts";

const MESSAGES = 60;
/** More than exist, so that one too many is detected. */
const LIMIT = 100;
/** Documents of a segment: with the last ones pending, there are six segments. */
const SEGMENT = 9;
const REPAIRED_MS = 60_000;
/** While the server runs, its caches hide damage, so it is restarted this often. */
const RESTART_SHARE = 0.5;
/** How often a message is deleted, and another one delivered, right before or after the damage. */
const CHANGE_SHARE = 0.4;

/**
 * The full-text index, damaged row by row and byte by byte, beside a running server and before a start of it, while
 * mail is deleted and delivered. No search fails or loses anything except what was in the damaged part; it then reports
 * that it is partial, and finds everything again a moment later. No search finds deleted mail, or anything twice.
 */
export async function damageIndex({ short, random, say }: CampaignOptions) {
  const data_dir = mkdtempSync(join(tmpdir(), "postroom-index-"));
  const folder = createFolder(data_dir);
  const { platform } = folder;
  const user_id = platform.users.sandboxOf(folder.owner_id).id;
  const key = platform.keys.create({ user_id, name: "campaign", scopes: [...SCOPES], test: true }).secret;
  const mail = new Mail(folder, user_id);
  await mail.fill();
  const misses: string[] = [];
  const met = { partial: 0, changed: 0 };
  const begin = () => serve({ data_dir, key }, { smallIndex: true });
  let served = await begin();
  const change = async () => {
    if (random() > CHANGE_SHARE) return;
    met.changed++;
    mail.delete(pick(random, [...mail.ids]));
    await mail.deliver();
  };
  const turns = short ? 6 : 120;
  try {
    await whole(served, mail);
    for (let turn = 0; turn < turns && served.exit_code === null; turn++) {
      const isStopped = random() < RESTART_SHARE;
      if (isStopped) await served.stop();
      await change();
      const how = isStopped && random() < 0.5 ? damageFile(folder, random) : damageRow(folder, random);
      if (isStopped) served = await begin();
      try {
        await change();
        for (const query of ["harbour", '"harbour at"', "harb*"]) {
          const { found, partial } = await search(served, query);
          misses.push(...wrongIn(found, mail).map((what) => `${how}: ${query} finds ${what}`));
          if (found.length < mail.ids.size && !partial)
            misses.push(`${how}: ${found.length} found by ${query}, and not said to be partial`);
          if (partial) met.partial++;
        }
        await whole(served, mail);
      } catch (error) {
        misses.push(`${how}: ${(error as Error).message}`);
      }
      if (served.exit_code !== null) misses.push(`${how}: the server ended with ${served.exit_code}`);
    }
    // A new process meets the damage that caches have hidden until now.
    await served.stop();
    served = await begin();
    await whole(served, mail).catch((error: Error) => misses.push(`at last: ${error.message}`));
    await served.stop();
    // The sources of deleted mail, which every start removes.
    const { mailbox } = folder;
    await sweepFiles(platform, mailbox, createOutbound(platform, mailbox), new PartCache(platform));
    // No search reads an empty block, so its damage is not detected: the block is deleted when its segment is merged.
    const isRead = (line: string) => !line.includes(EMPTY_BLOCK_DAMAGED);
    misses.push(...asLines((await checkInvariants(platform)).findings).filter(isRead));
    if (misses.length > 0) say(served.log().slice(-1_500));
    return {
      figures: { index_damages: turns, partial_answers: met.partial, deleted_meanwhile: met.changed },
      misses,
    };
  } finally {
    await served.stop();
    folder.close();
    rmSync(data_dir, { recursive: true, force: true });
  }
}

/** Waits until searches find exactly the existing mail. A phrase reads blocks of every stream. */
async function whole(served: Served, mail: Mail): Promise<void> {
  await eventually(async () => {
    const { found, partial } = await search(served, '"harbour at"');
    const [wrong] = wrongIn(found, mail);
    if (wrong) throw new Error(`${wrong} is found`);
    if (found.length !== mail.ids.size || partial)
      throw new Error(`${found.length} of ${mail.ids.size} found${partial ? ", partial" : ""}`);
    return true;
  }, REPAIRED_MS);
}

/** Returns wrong results: mail that was deleted, and messages that are found twice. */
function wrongIn(found: readonly string[], mail: Mail): string[] {
  const twice = found.filter((id, i) => found.indexOf(id) !== i).map((id) => `${id} twice`);
  return [...twice, ...found.filter((id) => !mail.ids.has(id)).map((id) => `${id}, which was deleted`)];
}

/** Returns the messages that a search finds. */
async function search(served: Served, query: string): Promise<{ found: string[]; partial: boolean }> {
  const { status, text, json } = await served.call("POST", "/search", { query, mode: "keyword", limit: LIMIT });
  if (status !== 200) throw new Error(`the search for ${query} answered ${status} ${text}`);
  const rows = json.data as { message_id: string; other_matches: number }[];
  // Each message is a separate conversation, so another match of one is the message itself.
  const found = rows.flatMap(({ message_id, other_matches }) => Array<string>(1 + other_matches).fill(message_id));
  return { found, partial: json.partial };
}

/** The mail of the campaign. */
class Mail {
  readonly ids = new Set<string>();
  readonly #account: Account;
  readonly #inbox: MailFolder;
  #delivered = 0;

  constructor(
    private readonly folder: Folder,
    private readonly user_id: string,
  ) {
    this.#account = emptySandbox(folder);
    this.#inbox = folder.mailbox.folders.upsert(this.#account, "INBOX", "/", "inbox");
  }

  /** Creates mail in segments, and some pending mail. */
  async fill(): Promise<void> {
    const index = new FullTextIndex(this.folder.platform, { ...INDEX_SIZES, fan: MESSAGES });
    for (let i = 0; i < MESSAGES; i++) {
      await this.deliver();
      if (i % SEGMENT === SEGMENT - 1) await index.maintain(this.user_id, { rest: async () => {}, flush: true });
    }
  }

  async deliver(): Promise<void> {
    const { platform, mailbox } = this.folder;
    const { accounts, folders, locations } = mailbox;
    const files = new BlobFiles(platform);
    const keepRaw: BlobFiles["storeRaw"] = (...given) => files.storeRaw(...given);
    const parts = { platform, accounts, folders, locations, pipeline: mailPipeline(platform, mailbox), keepRaw };
    const i = this.#delivered++;
    const text = `The harbour at dawn ${manyWords(40, i * 40)}`;
    const message = {
      raw: Buffer.from(mailText({ id: `mail-${i}`, subject: `Mail ${manyWords(1, i)}`, text })),
      internalDate: new Date("2026-01-05T10:00:00Z"),
      flags: { seen: false, flagged: false, answered: false },
      labels: [],
    };
    await deliverLocally(parts, this.#account, this.#inbox, i + 1, message);
    this.ids.add(locations.at(this.#inbox.id, i + 1)!.message_id);
  }

  /** Deletes a message as sync does when the server no longer has it. */
  delete(id: string): void {
    const { platform, mailbox } = this.folder;
    platform.db.write(() => {
      platform.db.sql.query("DELETE FROM locations WHERE message_id = ?").run(id);
      const row = platform.db.sql
        .query<{ thread_id: string }, [string]>("DELETE FROM messages WHERE id = ? RETURNING thread_id")
        .get(id)!;
      mailbox.threads.refresh(row.thread_id);
    });
    this.ids.delete(id);
  }
}

/** The columns with sealed values of the index. */
const COLUMNS = [
  ["search_blocks", "data"],
  ["search_blocks", "data"],
  ["search_blocks", "data"],
  ["search_pending", "data"],
  ["search_segments", "head"],
] as const;

/** Bytes of a value that are adjacent, on the page of its row: the rest may be on other pages. */
const BEGINNING = 200;

interface Victim {
  table: string;
  column: string;
  id: number;
  value: Uint8Array;
}

function victim({ platform }: Folder, random: () => number): Victim | null {
  const [table, column] = pick(random, COLUMNS);
  const live = table === "search_segments" ? "state = 'live'" : "1";
  const all = platform.db.sql
    .query<{ id: number; value: Uint8Array }, []>(`SELECT id, ${column} AS value FROM ${table} WHERE ${live}`)
    .all();
  return all.length === 0 ? null : { table, column, ...pick(random, all) };
}

/** Damages a row beside a running server. @returns a description of the damage */
function damageRow(folder: Folder, random: () => number): string {
  const { sql } = folder.platform.db;
  const found = victim(folder, random);
  if (!found) return "nothing";
  const { table, column, id, value } = found;
  const what = `${table} ${id}`;
  const set = (bytes: Uint8Array) => sql.query(`UPDATE ${table} SET ${column} = ? WHERE id = ?`).run(bytes, id);
  switch (pick(random, ["flip", "flip", "cut", "empty", "noise", "foreign", "gone"])) {
    case "cut":
      set(value.subarray(0, between(random, 1, value.length)));
      return `${what} cut`;
    case "empty":
      set(new Uint8Array(0));
      return `${what} empty`;
    case "noise":
      set(Uint8Array.from(value, () => between(random, 0, 256)));
      return `noise in ${what}`;
    case "foreign":
      set(victim(folder, random)?.value ?? value);
      return `${what} with the value of another row`;
    case "gone":
      // The existence of other rows cannot be known.
      if (table !== "search_blocks") return "nothing";
      sql.query("DELETE FROM search_blocks WHERE id = ?").run(id);
      return `${what} deleted`;
    default: {
      const at = between(random, 0, value.length);
      value[at]! ^= 1 << between(random, 0, 8);
      set(value);
      return `a flipped bit at ${at} of ${what}`;
    }
  }
}

/**
 * Damages bytes of a value in the database file, which only the campaign has open. @returns a description of the damage
 */
function damageFile(folder: Folder, random: () => number): string {
  const found = victim(folder, random);
  // A value that was cut before is too short to be identified in the file.
  if (!found || found.value.length < BEGINNING) return "nothing";
  const { sql } = folder.platform.db;
  sql.run("PRAGMA wal_checkpoint(TRUNCATE)");
  const path = join(folder.data_dir, "postroom.db");
  const start = readFileSync(path).indexOf(found.value.subarray(0, BEGINNING));
  if (start < 0) return "nothing";
  const at = start + between(random, 0, BEGINNING);
  const file = openSync(path, "r+");
  const noise = Uint8Array.from({ length: between(random, 1, 40) }, () => between(random, 0, 256));
  writeSync(file, noise, 0, noise.length, at);
  closeSync(file);
  // Its own pages are read again.
  sql.run("PRAGMA shrink_memory");
  return `${noise.length} bytes of the file, in ${found.table} ${found.id}`;
}
