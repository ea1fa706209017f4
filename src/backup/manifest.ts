import { UserError } from "../kernel/errors.ts";
import { TableHash } from "./parts.ts";
import { LineShape, shaped } from "./shapes.ts";

/** The head of a backup, before all other content. */
export interface Head {
  format: 1;
  id: string;
  kind: "full" | "incremental";
  made_at: string;
  /** Of the Postroom that made it. */
  version: string;
  /** Migrations that its database has. */
  migrations: string[];
  /** Earlier files whose parts it leans on, the oldest first. A full one leans on none. */
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

/** Everything that a restored data folder has to have, with the hashes to prove it. */
export interface Manifest {
  head: Head;
  tables: TableEntry[];
  files: FileEntry[];
}

type Line =
  | { head: Head }
  | { table: [string, number, string, [string, number, number, number][]] }
  | { file: [string, number, string, number] };

/** One line of JSON for the head, one for each table, one for each file. */
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

/** @throws UserError when the lines are not a manifest that agrees with itself */
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
    if (sum.rows !== rows) throw wrong(`the parts of table ${name} have ${sum.rows} rows, it says ${rows}`);
    if (sum.digest() !== hash) throw wrong(`the parts of table ${name} do not make its hash`);
  }
  return { head, tables, files };
}
