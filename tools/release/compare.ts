import { readdirSync } from "node:fs";
import { join } from "node:path";
import { fingerprint } from "../build/bom.ts";

/** Compares the files of two folders. @throws Error that names the files that differ or that only one folder has */
export function expectEqual(first: string, second: string): void {
  const [sums, others] = [hashes(first), hashes(second)];
  const names = new Set([...sums.keys(), ...others.keys()]);
  const different = [...names].filter((name) => sums.get(name) !== others.get(name)).sort();
  if (different.length > 0) {
    throw new Error(
      `two builds of the same commit differ: ${different.join(", ")}. Compare the files in ${first} and ${second}`,
    );
  }
}

function hashes(folder: string): Map<string, string> {
  return new Map(
    readdirSync(folder).map((name) => {
      const { sha256 } = fingerprint(join(folder, name));
      return [name, sha256];
    }),
  );
}
