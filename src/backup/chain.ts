import { existsSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { UserError } from "../kernel/errors.ts";
import { BackupFile } from "./backup-file.ts";
import type { ChainSummary, ChainVisitor } from "./chain-visitor.ts";
import { Collector } from "./collector.ts";
import type { Secret } from "./envelope.ts";
import type { Head, Manifest } from "./manifest.ts";
import type { Schema } from "./snapshot.ts";

/**
 * Reads a backup and the earlier backups that it is based on, and verifies them: every part and every file exists
 * exactly once, with the hash and the number of rows in the newest manifest. Other content is ignored.
 * @param older files of the chain; the other files of the chain are expected in the folder of `path`
 * @throws UserError that names the file and the place
 */
export async function readChain(
  path: string,
  older: readonly string[],
  secrets: readonly Secret[],
  taker: ChainVisitor,
): Promise<ChainSummary> {
  const newest = await BackupFile.open(path, secrets);
  const { chain } = await newest.head();
  const { progress } = taker;
  if (chain.length === 0) {
    const all = new Collector(path, taker);
    const manifest = await newest.read({ ...all.reader(0), ...(progress ? { progress } : {}) });
    return { ...all.verify(manifest), manifest, read: [path] };
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
  return { ...wanted.verify(manifest), manifest, read: files };
}

/** Reads a whole backup and returns its manifest. @throws UserError if it is damaged or no secret opens it */
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
