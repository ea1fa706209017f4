import { makeZip } from "client-zip";
import { fileName } from "../../http/disposition.ts";
import { isoTime, withIsoTimes } from "../../kernel/clock.ts";

/** A file of the archive: rows that become one JSON array, or bytes. */
export type ExportEntry =
  | { name: string; rows: Iterable<unknown> | AsyncIterable<unknown> }
  | { name: string; bytes: () => Promise<ReadableStream<Uint8Array>> };

/**
 * Yields all data of one user, file by file. Entries are produced as they are read, so no mailbox has to fit into
 * memory.
 */
export type ExportSource = (user_id: string) => Iterable<ExportEntry> | AsyncIterable<ExportEntry>;

/** Rows are emitted in pieces of about this many characters; other requests are answered in between. */
const PIECE_CHARS = 256 * 1024;
const README = "README.txt";
const PROBLEMS = "PROBLEMS.txt";

/**
 * Returns a zip archive of all data of one user, as a stream. An unreadable item is listed in PROBLEMS.txt and does not
 * stop the export.
 */
export function exportArchive(
  user_id: string,
  source: ExportSource,
  about: { email: string; at: number },
): ReadableStream<Uint8Array> {
  return makeZip(entries(user_id, source, about));
}

async function* entries(user_id: string, source: ExportSource, { email, at }: { email: string; at: number }) {
  const problems: string[] = [];
  const lastModified = new Date(at);
  yield { name: README, lastModified, input: readme(email, at) };
  for await (const entry of source(user_id)) {
    if ("rows" in entry) {
      const input = jsonArray(entry.rows, (reason) => problems.push(`${entry.name}: ${reason}`));
      yield { name: entry.name, lastModified, input };
      continue;
    }
    try {
      yield { name: entry.name, lastModified, input: await entry.bytes() };
    } catch (error) {
      problems.push(`${entry.name}: ${reasonOf(error)}`);
    }
  }
  if (problems.length > 0) yield { name: PROBLEMS, lastModified, input: `${problems.join("\n")}\n` };
}

/** Yields a JSON array with one row per line. An unreadable row ends the array, which stays valid JSON. */
async function* jsonArray(
  rows: Iterable<unknown> | AsyncIterable<unknown>,
  failed: (reason: string) => void,
): AsyncGenerator<string> {
  let piece = "[";
  let first = true;
  try {
    for await (const row of rows) {
      piece += `${first ? "" : ","}\n${JSON.stringify(withIsoTimes(row))}`;
      first = false;
      if (piece.length < PIECE_CHARS) continue;
      yield piece;
      piece = "";
      await new Promise<void>((resolve) => setImmediate(resolve));
    }
  } catch (error) {
    failed(`not complete: ${reasonOf(error)}`);
  }
  yield `${piece}\n]\n`;
}

/** Returns only the type of the error, because its message might quote undecryptable data. */
function reasonOf(error: unknown): string {
  return error instanceof Error ? error.name : "unknown";
}

/** Returns the name of a file inside the archive, which cannot point to another folder when the archive is unpacked. */
export function entryName(folder: string, id: string, name: string): string {
  return `${folder}/${id} ${fileName(name)}`;
}

function readme(email: string, at: number): string {
  return `Everything that Postroom stores about ${email}, as of ${isoTime(at)}.

*.json       one array per file, times in UTC
mail/        messages.json has every message with its text and HTML; threads.json their states and labels
mail/source/ complete messages (.eml) stored on this machine; the source of all others is on the mail server
files/       attachments stored on this machine, files of drafts and of the personal context

Not included: secrets (API keys, passwords, webhook secrets, credentials of notification targets) and the sandbox with its sample mail.
`;
}
