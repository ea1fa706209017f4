import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { mailPipeline } from "../../src/app/mail.ts";
import { deliverLocally } from "../../src/inbound/import/local-delivery.ts";
import { SCOPES } from "../../src/kernel/scopes.ts";
import { BUILT_IN_ID } from "../../src/ml/embedding/model.ts";
import { BinaryCodes, wordsOf } from "../../src/ml/vectors/binary-codes.ts";
import { type Snapshot, Snapshots } from "../../src/ml/vectors/snapshot.ts";
import { VectorStore } from "../../src/ml/vectors/store.ts";
import { BlobFiles } from "../../src/platform/blobs/files.ts";
import { FRAME_BYTES } from "../../src/platform/blobs/sealed-file.ts";
import { systemClock } from "../../src/platform/clock.ts";
import { loadConfig } from "../../src/platform/config/load.ts";
import { openPlatform } from "../../src/platform/platform.ts";
import { eventually } from "../support/eventually.ts";
import { mailText } from "../support/mail-text.ts";
import { between, type CampaignOptions } from "./campaign.ts";
import { damage } from "./damage.ts";
import { emptySandbox } from "./installation.ts";
import { createFolder, type Folder, serve } from "./served.ts";

const MODEL = "test-model";
/** Enough for several frames of a sealed file, because damage in the middle of one must be detected as well. */
const SIZE = { dimensions: 64, count: 18_000 };
const MIN_FRAMES = 3;
const INDEXED_MS = 90_000;

const snapshotPath = (data_dir: string, user_id: string) => join(data_dir, "vectors", `${user_id}.bin`);

function anySnapshot(random: () => number, dimensions: number, count: number, last = count): Snapshot {
  const codes = Int32Array.from({ length: wordsOf(dimensions) * count }, () => between(random, -(2 ** 31), 2 ** 31));
  const numbers = Int32Array.from({ length: count }, (_, i) => i + 1);
  return { codes: BinaryCodes.from(dimensions, numbers, codes), last, losses: 0, looked_at: count };
}

/** Snapshots of vectors, read right after they were damaged. */
export function damageSnapshots({ short, random }: CampaignOptions) {
  const data_dir = mkdtempSync(join(tmpdir(), "postroom-snapshot-"));
  const config = loadConfig({ data_dir, env: {}, flags: { "log.level": "error" } });
  const platform = openPlatform({ config, clock: systemClock });
  const { id } = platform.users.add({ email: "a@b.example", plan: "autopilot", role: "owner", timezone: "UTC" });
  const snapshots = new Snapshots(platform);
  const snapshot = anySnapshot(random, SIZE.dimensions, SIZE.count);
  const misses: string[] = [];
  const turns = short ? 150 : 3_000;
  let refused = 0;
  const path = snapshotPath(data_dir, id);
  for (let i = 0; i < turns; i++) {
    snapshots.save(id, MODEL, snapshot);
    const how = damage(path, random);
    try {
      const found = snapshots.load(id, MODEL);
      if (found === null) refused++;
      else misses.push(`a snapshot with ${how} was believed`);
    } catch (error) {
      misses.push(`a snapshot with ${how}: ${(error as Error).message}`);
    }
  }
  snapshots.save(id, MODEL, snapshot);
  if (snapshots.load(id, MODEL) === null) misses.push("a snapshot that was made again is not read");
  const frames = Math.floor(statSync(path).size / FRAME_BYTES) + 1;
  if (frames < MIN_FRAMES) misses.push(`a snapshot of ${frames} frames proves too little`);
  platform.close();
  rmSync(data_dir, { recursive: true, force: true });
  return { figures: { snapshots_refused: refused, snapshot_frames: frames }, misses };
}

/** The whole program, started on a damaged snapshot: semantic searches find what they found before. */
export async function searchOnDamagedSnapshots({ short, random, say }: CampaignOptions) {
  const data_dir = mkdtempSync(join(tmpdir(), "postroom-snapshot-served-"));
  const folder = createFolder(data_dir);
  const { platform } = folder;
  // The program has a model, and no mail server is needed.
  const user_id = platform.users.sandboxOf(folder.owner_id).id;
  const key = platform.keys.create({ user_id, name: "campaign", scopes: [...SCOPES], test: true }).secret;
  await deliverSentences(folder);
  const misses: string[] = [];
  let served = await serve({ data_dir, key });
  /** Returns the results in both modes, once the model has answered. */
  const search = async () => {
    const found: string[] = [];
    for (const mode of ["hybrid", "semantic"]) {
      const { status, text, json } = await served.call("POST", "/search", { query: "when do we meet", mode });
      if (status !== 200) throw new Error(`the ${mode} search answered ${status} ${text}`);
      const { partial, indexed, waiting, data } = json;
      if (partial || data.length === 0) throw new Error(`${mode}: ${data.length} of ${indexed}, ${waiting} waiting`);
      found.push(...(data as { thread_id: string }[]).map(({ thread_id }) => thread_id));
    }
    return found.join();
  };
  try {
    const before = await eventually(search, INDEXED_MS);
    const turns = short ? 1 : 12;
    for (let turn = 0; turn < turns; turn++) {
      const code = await served.stop();
      if (code !== 0) misses.push(`the server ended with ${code}`);
      const { last } = new VectorStore(platform).state(user_id, BUILT_IN_ID);
      new Snapshots(platform).save(user_id, BUILT_IN_ID, anySnapshot(random, 512, 500, last));
      const how = damage(snapshotPath(data_dir, user_id), random);
      served = await serve({ data_dir, key });
      // While the model loads, only full-text search answers.
      const after = await eventually(search, INDEXED_MS).catch((error: Error) => error.message);
      if (after !== before) misses.push(`a search on a snapshot with ${how}: ${after}; before: ${before}`);
      if (served.exit_code !== null) misses.push(`a snapshot with ${how}: the server ended with ${served.exit_code}`);
    }
    if (misses.length > 0) say(served.log().slice(-1_500));
    return { figures: { starts_on_damaged_snapshots: turns }, misses };
  } finally {
    await served.stop();
    folder.close();
    rmSync(data_dir, { recursive: true, force: true });
  }
}

const SENTENCES = [
  "We meet on Friday at noon in the small room upstairs.",
  "Can we move our meeting to next Tuesday afternoon?",
  "The invoice for March is attached, payable within two weeks.",
  "Your train to the coast leaves at seven in the morning.",
  "Thank you for dinner, the soup was wonderful.",
  "See you tomorrow at ten, I will bring the drawings.",
];

/** Creates a little mail in place of the sample mail, so that the model has soon embedded it. */
async function deliverSentences(folder: Folder): Promise<void> {
  const { platform, mailbox } = folder;
  const { accounts, folders, locations } = mailbox;
  const account = emptySandbox(folder);
  const files = new BlobFiles(platform);
  const keepRaw: BlobFiles["storeRaw"] = (...given) => files.storeRaw(...given);
  const parts = { platform, accounts, folders, locations, pipeline: mailPipeline(platform, mailbox), keepRaw };
  const inbox = folders.upsert(account, "INBOX", "/", "inbox");
  for (const [i, text] of SENTENCES.entries()) {
    const message = {
      raw: Buffer.from(mailText({ id: `sentence-${i}`, text })),
      internalDate: new Date("2026-01-05T10:00:00Z"),
      flags: { seen: false, flagged: false, answered: false },
      labels: [],
    };
    await deliverLocally(parts, account, inbox, i + 1, message);
  }
}
