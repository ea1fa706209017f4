import { existsSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { UserError } from "../kernel/errors.ts";
import { BackupFile } from "./backup-file.ts";
import { Collector } from "./collector.ts";
import type { Secret } from "./envelope.ts";
import type { Head, Manifest } from "./manifest.ts";
import type { Schema } from "./snapshot.ts";
import type { ChainTaker, Proof } from "./taker.ts";

/**
 * Reads a backup and the earlier ones that it leans on, and proves all of it: every part and every file is there exactly
 * once, has the hash and the number of rows that the newest manifest says, and nothing else is taken.
 * @param older files of the chain; those that are not named are looked for beside `path`
 * @throws UserError that names the file and the place
 */
export async function readChain(
  path: string,
  older: readonly string[],
  secrets: readonly Secret[],
  taker: ChainTaker,
): Promise<Proof> {
  const newest = await BackupFile.open(path, secrets);
  const { chain } = await newest.head();
  const { progress } = taker;
  if (chain.length === 0) {
    const all = new Collector(path, taker);
    const manifest = await newest.read({ ...all.reader(0), ...(progress ? { progress } : {}) });
    return { ...all.prove(manifest), manifest, read: [path] };
  }
  const files = [...(await findChain(path, older, secrets, chain)), path];
  let schema: Schema | null = null;
  const manifest = await newest.read({
    ...(taker.keys ? { keys: taker.keys } : {}),
    schema: async (found) => {
      schema = found;
      await taker.schema?.(found);
    },
  });
  const { part, file } = taker;
  const wanted = new Collector(path, { ...(part ? { part } : {}), ...(file ? { file } : {}) }, { manifest, schema });
  const sizes = files.map((name) => statSync(name).size);
  const total = sizes.reduce((sum, size) => sum + size, 0);
  let before = 0;
  for (const [index, name] of files.entries()) {
    const done = before;
    const step = (bytes: number) => progress?.(done + bytes, total);
    await (await BackupFile.open(name, secrets)).read({ ...wanted.reader(index), progress: step });
    before += sizes[index]!;
  }
  return { ...wanted.prove(manifest), manifest, read: files };
}

/** What a backup holds; all of it is read on the way. */
export async function readManifest(path: string, secrets: readonly Secret[]): Promise<Manifest> {
  return (await BackupFile.open(path, secrets)).read({});
}

async function findChain(
  path: string,
  older: readonly string[],
  secrets: readonly Secret[],
  chain: Head["chain"],
): Promise<string[]> {
  const folder = dirname(path);
  const found: string[] = [];
  for (const { id, file } of chain) {
    const name = basename(file);
    const candidates = [...older, ...(existsSync(join(folder, name)) ? [join(folder, name)] : [])];
    const match = await firstWith(id, candidates, secrets);
    if (match === null) {
      throw new UserError(
        `${path} is an incremental backup and needs ${name}. Put that file in the same folder, or name it in the command as well.`,
      );
    }
    found.push(match);
  }
  return found;
}

async function firstWith(
  id: string,
  candidates: readonly string[],
  secrets: readonly Secret[],
): Promise<string | null> {
  for (const candidate of candidates) {
    if ((await (await BackupFile.open(candidate, secrets)).head()).id === id) return candidate;
  }
  return null;
}
