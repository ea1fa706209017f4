import { makeZip } from "client-zip";
import { fileName } from "../../http/disposition.ts";
import { isoTime, withIsoTimes } from "../../kernel/clock.ts";

/** A file of the archive: rows that become one JSON array, or bytes. */
export type ExportEntry =
  | { name: string; rows: Iterable<unknown> | AsyncIterable<unknown> }
  | { name: string; bytes: () => Promise<ReadableStream<Uint8Array>> };

/** Everything of one user, file by file; made as it is read, so that nobody's mailbox has to fit into memory. */
export type ExportSource = (user_id: string) => Iterable<ExportEntry> | AsyncIterable<ExportEntry>;

/** Rows are handed on in pieces of about this many characters; between them other requests are answered. */
const PIECE_CHARS = 256 * 1024;
const README = "README.txt";
const PROBLEMS = "PROBLEMS.txt";

/**
 * A zip archive with everything of one user, as a stream. What cannot be read is named in PROBLEMS.txt instead of ending
 * it: the rest is still theirs.
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

/** An array of JSON, a row a line. A row that cannot be read ends it well. */
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

/** The kind of the fault only: a message might quote what did not open. */
function reasonOf(error: unknown): string {
  return error instanceof Error ? error.name : "unknown";
}

/** The name of a file inside the archive: it leads to no other folder on the disk where the archive is unpacked. */
export function entryName(folder: string, id: string, name: string): string {
  return `${folder}/${id} ${fileName(name)}`;
}

function readme(email: string, at: number): string {
  return `Everything that Postroom stores about ${email}, as of ${isoTime(at)}.

*.json       one array per file, times in UTC
mail/        messages.json has every message with its text and HTML; threads.json their states and labels
mail/source/ complete messages (.eml) stored on this machine; the source of all others is on the mail server
files/       attachments stored on this machine, files of drafts and of the personal context

Not included: secrets (API keys, passwords, webhook secrets) and the sandbox with its sample mail.
`;
}
