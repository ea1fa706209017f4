import { existsSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { UserError } from "../kernel/errors.ts";
import { BackupFile } from "./backup-file.ts";
import type { ChainSummary, ChainVisitor } from "./chain-visitor.ts";
import { Collector } from "./collector.ts";
import type { Secret } from "./envelope.ts";
import type { Head, Manifest } from "./manifest.ts";
import type { Schema } from "./snapshot.ts";
import { type BackupSource, sourceOf } from "./source.ts";

/**
 * Reads a backup and the earlier backups that it is based on, and verifies them: every part and every file exists
 * exactly once, with the hash and the number of rows in the newest manifest. Other content is ignored.
 * @param older files of the chain; the other files of the chain are expected in the folder of `path`
 * @throws UserError that names the file and the place
 */
export async function readChain(
  from: string | BackupSource,
  older: readonly (string | BackupSource)[],
  secrets: readonly Secret[],
  taker: ChainVisitor,
): Promise<ChainSummary> {
  const newest = await BackupFile.open(from, secrets);
  const { path } = newest;
  const { chain } = await newest.head();
  const { progress } = taker;
  if (chain.length === 0) {
    const all = new Collector(path, taker);
    const manifest = await newest.read({ ...all.reader(0), ...(progress ? { progress } : {}) });
    return { ...all.verify(manifest), manifest, read: [path] };
  }
  const files = [...(await findChain(from, older, secrets, chain)), sourceOf(from)];
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
  const sizes = files.map(({ bytes }) => bytes);
  const total = sizes.reduce((sum, size) => sum + size, 0);
  let before = 0;
  for (const [index, source] of files.entries()) {
    const done = before;
    const step = (bytes: number) => progress?.(done + bytes, total);
    await (await BackupFile.open(source, secrets)).read({ ...wanted.reader(index), progress: step });
    before += sizes[index]!;
  }
  return { ...wanted.verify(manifest), manifest, read: files.map(({ path: name }) => name) };
}

/** Reads a whole backup and returns its manifest. @throws UserError if it is damaged or no secret opens it */
export async function readManifest(path: string, secrets: readonly Secret[]): Promise<Manifest> {
  return (await BackupFile.open(path, secrets)).read({});
}

async function findChain(
  from: string | BackupSource,
  older: readonly (string | BackupSource)[],
  secrets: readonly Secret[],
  chain: Head["chain"],
): Promise<BackupSource[]> {
  const { path } = sourceOf(from);
  const found: BackupSource[] = [];
  for (const { id, file } of chain) {
    const name = basename(file);
    const beside = join(dirname(path), name);
    const candidates = [...older, ...(typeof from === "string" && existsSync(beside) ? [beside] : [])];
    const match = await firstWith(id, candidates.map(sourceOf), secrets);
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
  candidates: readonly BackupSource[],
  secrets: readonly Secret[],
): Promise<BackupSource | null> {
  for (const candidate of candidates) {
    if (candidate.id !== undefined && candidate.id !== id) continue;
    if ((await (await BackupFile.open(candidate, secrets)).head()).id === id) return candidate;
  }
  return null;
}
