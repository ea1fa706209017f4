import { join } from "node:path";

/** Builds the executable as `./dev build` does, separate from the one in dist/. @returns its path */
export async function buildExecutable(): Promise<string> {
  const root = join(import.meta.dir, "../..");
  const outfile = join(root, ".cache/bench/postroom");
  const child = Bun.spawn([process.execPath, join(root, "tools/build/build.ts"), "--outfile", outfile], {
    stdout: "ignore",
    stderr: "inherit",
  });
  if ((await child.exited) !== 0) throw new Error("the executable could not be built; --source measures without it");
  return outfile;
}
