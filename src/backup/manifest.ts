import { UserError } from "../kernel/errors.ts";
import { TableHash } from "./parts.ts";
import { LineShape, shaped } from "./shapes.ts";

/** The first entry of a backup. */
export interface Head {
  format: 1;
  id: string;
  kind: "full" | "incremental";
  made_at: string;
  /** Version of Postroom that created it. */
  version: string;
  /** Migrations of its database. */
  migrations: string[];
  /** Earlier files that it is based on, oldest first. Empty for a full backup. */
  chain: { id: string; file: string }[];
}

/** A part of a table, and which file has it: a position in `chain`, or `chain.length` for the file itself. */
export interface PartEntry {
  hash: string;
  rows: number;
  bytes: number;
  in: number;
}

export interface TableEntry {
  name: string;
  rows: number;
  /** SHA-256 of the hashes of all parts (TableHash). */
  hash: string;
  parts: PartEntry[];
}

export interface FileEntry {
  path: string;
  size: number;
  sha256: string;
  in: number;
}

/** Everything that a restored data folder must contain, with hashes to verify it. */
export interface Manifest {
  head: Head;
  tables: TableEntry[];
  files: FileEntry[];
}

type Line =
  | { head: Head }
  | { table: [string, number, string, [string, number, number, number][]] }
  | { file: [string, number, string, number] };

/** Formats a manifest: one line of JSON for the head, one for each table, and one for each file. */
export function formatManifest({ head, tables, files }: Manifest): Uint8Array {
  const lines: Line[] = [
    { head },
    ...tables.map(
      ({ name, rows, hash, parts }): Line => ({
        table: [name, rows, hash, parts.map((part) => [part.hash, part.rows, part.bytes, part.in])],
      }),
    ),
    ...files.map((file): Line => ({ file: [file.path, file.size, file.sha256, file.in] })),
  ];
  return Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
}

/** Parses a manifest. @throws UserError if it is invalid or its hashes and counts contradict each other */
export function parseManifest(path: string, bytes: Uint8Array): Manifest {
  const wrong = (what: string) => new UserError(`The manifest of the backup is invalid: ${what}.`);
  let head: Head | null = null;
  const tables: TableEntry[] = [];
  const files: FileEntry[] = [];
  for (const text of Buffer.from(bytes).toString().split("\n")) {
    if (text === "") continue;
    const line = shaped(LineShape, path, "manifest", Buffer.from(text));
    if ("head" in line) head = line.head as Head;
    else if ("table" in line) {
      const [name, rows, hash, parts] = line.table;
      tables.push({ name, rows, hash, parts: parts.map(([h, r, b, i]) => ({ hash: h, rows: r, bytes: b, in: i })) });
    } else {
      const [name, size, sha256, from] = line.file;
      files.push({ path: name, size, sha256, in: from });
    }
  }
  if (!head) throw wrong("it has no head");
  for (const { name, rows, hash, parts } of tables) {
    const sum = new TableHash();
    for (const part of parts) sum.add(part);
    if (sum.rows !== rows) throw wrong(`the parts of table ${name} have ${sum.rows} rows instead of ${rows}`);
    if (sum.digest() !== hash) throw wrong(`the parts of table ${name} do not match its hash`);
  }
  return { head, tables, files };
}
