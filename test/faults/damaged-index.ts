import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { mailPipeline } from "../../src/app-mail.ts";
import { deliverHere } from "../../src/inbound/sandbox.ts";
import { SCOPES } from "../../src/kernel/scopes.ts";
import { FullTextIndex, INDEX_SIZES } from "../../src/mailbox/search/fulltext-index.ts";
import { BlobFiles } from "../../src/platform/blobs/files.ts";
import { eventually } from "../eventually.ts";
import { asLines, checkInvariants } from "../invariants/check.ts";
import { mailText } from "../mail-text.ts";
import { manyWords } from "../naive-index.ts";
import { between, type CampaignOptions, pick } from "./campaign.ts";
import { emptySandbox } from "./house.ts";
import { createFolder, type Folder, type Served, serve } from "./served.ts";

const MESSAGES = 60;
/** Documents of a segment: with the last ones pending, there are six. */
const SEGMENT = 9;
const REPAIRED_MS = 60_000;
/** While the server runs its caches hide damage: it begins anew so often. */
const RESTART_SHARE = 0.5;

/**
 * The full-text index, harmed row by row and byte by byte, beside a running server and under a start of it. No search fails or
 * loses anything but what was in the damaged part, says then that it is partial, and finds everything again a moment later.
 */
export async function damageIndex({ short, random, say }: CampaignOptions) {
  const data_dir = mkdtempSync(join(tmpdir(), "postroom-index-"));
  const folder = createFolder(data_dir);
  const { platform } = folder;
  const user_id = platform.users.sandboxOf(folder.owner_id).id;
  const key = platform.keys.create({ user_id, name: "campaign", scopes: [...SCOPES], test: true }).secret;
  await deliver(folder, user_id);
  const misses: string[] = [];
  const met = { partial: 0 };
  const begin = () => serve({ data_dir, key }, { smallIndex: true });
  let served = await begin();
  const turns = short ? 6 : 120;
  try {
    await eventually(async () => (await search(served, "harbour")).found === MESSAGES, REPAIRED_MS);
    for (let turn = 0; turn < turns && served.exit_code === null; turn++) {
      const isStopped = random() < RESTART_SHARE;
      if (isStopped) await served.stop();
      const how = isStopped && random() < 0.5 ? damageFile(folder, random) : damageRow(folder, random);
      if (isStopped) served = await begin();
      try {
        for (const query of ["harbour", '"harbour at"', "harb*"]) {
          const { found, partial } = await search(served, query);
          if (found < MESSAGES && !partial)
            misses.push(`${how}: ${found} found by ${query}, and not said to be partial`);
          if (partial) met.partial++;
        }
        await whole(served);
      } catch (error) {
        misses.push(`${how}: ${(error as Error).message}`);
      }
      if (served.exit_code !== null) misses.push(`${how}: the server ended with ${served.exit_code}`);
    }
    // What caches have hidden until now is met by a new process.
    await served.stop();
    served = await begin();
    await whole(served).catch((error: Error) => misses.push(`at last: ${error.message}`));
    await served.stop();
    misses.push(...asLines((await checkInvariants(platform)).findings));
    if (misses.length > 0) say(served.log().slice(-1_500));
    return { figures: { index_damages: turns, partial_answers: met.partial }, misses };
  } finally {
    await served.stop();
    folder.close();
    rmSync(data_dir, { recursive: true, force: true });
  }
}

/** Waits until everything is found. A phrase reads blocks of every stream. */
async function whole(served: Served): Promise<void> {
  await eventually(async () => {
    const { found, partial } = await search(served, '"harbour at"');
    if (found !== MESSAGES || partial)
      throw new Error(`${found} of ${MESSAGES} are found${partial ? ", partial" : ""}`);
    return true;
  }, REPAIRED_MS);
}

async function search(served: Served, query: string): Promise<{ found: number; partial: boolean }> {
  const { status, text, json } = await served.call("POST", "/search", { query, mode: "keyword", limit: MESSAGES });
  if (status !== 200) throw new Error(`the search for ${query} answered ${status} ${text}`);
  return { found: json.data.length, partial: json.partial };
}

/** Mail in segments, and a little of it pending. */
async function deliver(folder: Folder, user_id: string): Promise<void> {
  const { platform, mailbox } = folder;
  const { accounts, folders, places } = mailbox;
  const account = emptySandbox(folder);
  const files = new BlobFiles(platform);
  const keepRaw: BlobFiles["storeRaw"] = (...given) => files.storeRaw(...given);
  const parts = { platform, accounts, folders, places, pipeline: mailPipeline(platform, mailbox), keepRaw };
  const inbox = folders.upsert(account, "INBOX", "/", "inbox");
  const index = new FullTextIndex(platform, { ...INDEX_SIZES, fan: MESSAGES });
  for (let i = 0; i < MESSAGES; i++) {
    const text = `The harbour at dawn ${manyWords(40, i * 40)}`;
    const message = {
      raw: Buffer.from(mailText({ id: `mail-${i}`, subject: `Mail ${manyWords(1, i)}`, text })),
      internalDate: new Date("2026-01-05T10:00:00Z"),
      flags: { seen: false, flagged: false, answered: false },
      labels: [],
    };
    await deliverHere(parts, account, inbox, i + 1, message);
    if (i % SEGMENT === SEGMENT - 1) await index.maintain(user_id, { rest: async () => {}, flush: true });
  }
}

/** Where sealed values of the index are. */
const COLUMNS = [
  ["search_blocks", "data"],
  ["search_blocks", "data"],
  ["search_blocks", "data"],
  ["search_pending", "data"],
  ["search_segments", "head"],
] as const;

/** Bytes of a value that lie together, on the page of its row: the rest may be on others. */
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

/** Harms a row beside whatever serves it. @returns how, in words */
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
      // That other rows were there nobody can know.
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

/** Harms bytes of a value where they lie in the database, which nobody has open but the campaign. @returns how, in words */
function damageFile(folder: Folder, random: () => number): string {
  const found = victim(folder, random);
  // One that was cut before is too short to be told from anything else in the file.
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
