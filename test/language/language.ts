import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { EXCEPTIONS } from "./exceptions.ts";
import { AVOIDED } from "./words.ts";

const ROOT = join(import.meta.dir, "../..");

export interface Finding {
  file: string;
  line: number;
  word: string;
  write: string;
  text: string;
}

/** What a user or a contributor reads: folders and files, and which files of a folder. */
export const AREAS: Record<string, { paths: string[]; files: RegExp }> = {
  "settings page": { paths: ["web"], files: /\.(?:ts|tsx|css|html|md)$/ },
  "command line": { paths: ["src/cli"], files: /\.ts$/ },
  "API texts": { paths: ["test/golden/openapi.json"], files: /./ },
  docs: { paths: ["README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "docs"], files: /\.md$/ },
};

/** Returns every use of an avoided word in an area, in order of files and lines. */
export function findingsIn(area: string): Finding[] {
  const { paths, files } = AREAS[area]!;
  return paths.flatMap((path) => filesUnder(path, files)).flatMap(findingsOf);
}

function findingsOf(file: string): Finding[] {
  const exceptions = EXCEPTIONS.filter((one) => one.file.test(file));
  return readFileSync(join(ROOT, file), "utf8")
    .split("\n")
    .flatMap((text, i) =>
      AVOIDED.flatMap(({ pattern, write }) => {
        const found = pattern.exec(text);
        if (!found || exceptions.some((one) => one.text.test(text))) return [];
        return [{ file, line: i + 1, word: found[0], write, text: text.trim().slice(0, 160) }];
      }),
    );
}

function filesUnder(path: string, files: RegExp): string[] {
  const full = join(ROOT, path);
  try {
    return readdirSync(full, { withFileTypes: true, recursive: true })
      .filter((entry) => entry.isFile() && files.test(entry.name))
      .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)))
      .sort();
  } catch (error) {
    const { code } = error as { code?: string };
    if (code === "ENOTDIR") return [path];
    if (code === "ENOENT") return [];
    throw error;
  }
}

if (import.meta.main) {
  const [only] = process.argv.slice(2);
  for (const area of Object.keys(AREAS)) {
    const found = findingsIn(area);
    console.info(`${area}: ${found.length}`);
    if (only && !area.includes(only)) continue;
    if (only) for (const { file, line, word, text } of found) console.info(`  ${file}:${line} ${word}: ${text}`);
  }
}
