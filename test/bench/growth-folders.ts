import { createHash } from "node:crypto";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { commitOf } from "../support/run-record.ts";
import { runCommand, runScript } from "./measure.ts";
import { OWNER, postroom } from "./postroom.ts";
import type { RawStore } from "./raw-sqlite.ts";

const MIGRATIONS = join(import.meta.dir, "../../migrations");

/** Cost of storing some of the messages. */
export interface FillChunk {
  from: number;
  to: number;
  ms: number;
  cpu_ms: number;
}

/** A data folder of some size, and the cost of storing all of its messages. */
export interface GrownFolder {
  messages: number;
  data: string;
  /** A key with the scopes to read and search. */
  key: string;
  stored: { ms: number; cpu_ms: number; commit: string };
}

/**
 * Creates data folders of growing size, each from a copy of the previous one, with a vector for each message. Reuses
 * finished folders of an earlier run, and resumes an unfinished one.
 * @param sizes ascending
 * @param folder where they are kept
 */
export async function growFolders(
  command: string[],
  folder: string,
  sizes: readonly number[],
  seed: number,
  say: (line: string) => void,
): Promise<GrownFolder[]> {
  const run = (script: string, ...args: string[]) =>
    runCommand([process.execPath, join(import.meta.dir, script), ...args]);
  const grown: GrownFolder[] = [];
  for (const messages of sizes) {
    const place = join(folder, nameOf(seed, messages));
    if (!existsSync(join(place, "ready"))) {
      await begin(command, place, grown.at(-1) ? join(folder, nameOf(seed, grown.at(-1)!.messages)) : null);
      const data = join(place, "data");
      await run("fill-growth.ts", data, String(messages), String(seed), join(place, "fill.jsonl"));
      say(`  ${messages} messages stored`);
      await run("fill-vectors.ts", data);
      writeFileSync(join(place, "ready"), commitOf());
    }
    grown.push({
      messages,
      data: join(place, "data"),
      key: readFileSync(join(place, "key"), "utf8"),
      stored: storing(place, messages),
    });
  }
  return grown;
}

/** Folders made with another schema are not reused. */
function nameOf(seed: number, messages: number): string {
  const hash = createHash("sha256");
  for (const name of readdirSync(MIGRATIONS).sort()) hash.update(readFileSync(join(MIGRATIONS, name)));
  return `${hash.digest("hex").slice(0, 8)}-${seed}-${messages}`;
}

/** Stores the same mail in SQLite alone, at each size. Reuses the figures of an earlier run in the same place. */
export async function growRaw(folder: string, sizes: readonly number[], seed: number): Promise<RawStore[]> {
  const result = join(folder, `raw-${seed}-${sizes.join("-")}.json`);
  if (!existsSync(result)) {
    const file = join(folder, "raw.db");
    const remove = () => {
      for (const end of ["", "-wal", "-shm"]) rmSync(file + end, { force: true });
    };
    remove();
    const found = await runScript<RawStore[]>("raw-sqlite.ts", [file, String(seed), ...sizes.map(String)]);
    remove();
    writeFileSync(result, JSON.stringify(found));
  }
  return JSON.parse(readFileSync(result, "utf8")) as RawStore[];
}

/** Creates the folder completely or not at all. */
async function begin(command: string[], place: string, before: string | null): Promise<void> {
  if (existsSync(place)) return;
  const part = `${place}.part`;
  rmSync(part, { recursive: true, force: true });
  if (before) {
    cpSync(before, part, { recursive: true });
    rmSync(join(part, "ready"));
  } else {
    const data = join(part, "data");
    mkdirSync(data, { recursive: true });
    await postroom(command, data, ["user", "add", OWNER]);
    const scopes = ["--scopes", "mail:read,search:read"];
    const made = await postroom(command, data, ["key", "create", "--user", OWNER, "--name", "bench", ...scopes]);
    writeFileSync(join(part, "key"), made.trim(), { mode: 0o600 });
  }
  renameSync(part, place);
}

/** The total; after an interrupted run, the few unreported messages count as the others did on average. */
function storing(place: string, messages: number): GrownFolder["stored"] {
  const lines = readFileSync(join(place, "fill.jsonl"), "utf8").trim().split("\n");
  const chunks = lines.map((line) => JSON.parse(line) as FillChunk);
  const reported = chunks.reduce((sum, { from, to }) => sum + to - from, 0);
  const all = (of: (chunk: FillChunk) => number) =>
    (chunks.reduce((sum, chunk) => sum + of(chunk), 0) * messages) / reported;
  const commit = readFileSync(join(place, "ready"), "utf8") || "unknown";
  return { ms: all(({ ms }) => ms), cpu_ms: all(({ cpu_ms }) => cpu_ms), commit };
}
