import { createReadStream, statSync } from "node:fs";
import { basename } from "node:path";
import { UserError } from "../../kernel/errors.ts";
import { folderRole } from "../../wire/imap/special-use.ts";
import { maildirFiles, maildirFolders, readMaildirFile } from "../../wire/maildir/read.ts";
import { envelopeDate, NoMbox, readMbox } from "../../wire/mbox/read.ts";
import { decodeWords } from "../../wire/mime/encoded-words.ts";
import { fieldText, readHeaders } from "../../wire/mime/raw-headers.ts";

/** A message from a file, with the metadata that the file gives. */
export interface FileMessage {
  source: Uint8Array;
  /** Path of its folder, with slashes. */
  folder: string;
  /** When it was received, ms; null if the file does not say. */
  received_at: number | null;
  flags: { seen: boolean; flagged: boolean; answered: boolean; draft: boolean };
  labels: string[];
  /** The message was too long to be read in full; the rest is left out. */
  cut: boolean;
}

/** The messages, and how much of the source has been read. */
export interface ImportSource {
  total_bytes: number;
  messages(progress: (doneBytes: number) => void): AsyncIterable<FileMessage>;
}

/**
 * Opens mbox files, one folder for each. A folder has the name of its file unless `folder` is given. Google Takeout is
 * recognized by its labels.
 */
export function mboxSource(files: readonly string[], folder?: string): ImportSource {
  const sizes = files.map((file) => statSync(file).size);
  return {
    total_bytes: sizes.reduce((sum, size) => sum + size, 0),
    async *messages(progress) {
      let before = 0;
      for (const [index, file] of files.entries()) {
        const named = folder ?? folderOfMbox(file);
        const counted = async function* () {
          let read = before;
          for await (const chunk of createReadStream(file, {
            highWaterMark: 256 * 1024,
          }) as AsyncIterable<Uint8Array>) {
            read += chunk.length;
            progress(read);
            yield chunk;
          }
        };
        try {
          yield* mboxMessages(counted(), named);
        } catch (error) {
          throw error instanceof NoMbox ? new UserError(`${file}: ${error.message}`) : error;
        }
        before += sizes[index]!;
      }
    },
  };
}

/** Opens a Maildir with its folders. */
export function maildirSource(root: string): ImportSource & { folders: number } {
  const folders = maildirFolders(root).map((folder) => ({ folder, files: maildirFiles(folder) }));
  const size = (file: string) => statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  return {
    folders: folders.length,
    total_bytes: folders.flatMap(({ files }) => files).reduce((sum, { file }) => sum + size(file), 0),
    async *messages(progress) {
      let done = 0;
      for (const { folder, files } of folders) {
        for (const { file, flags, received_at } of files) {
          const read = readMaildirFile(file);
          // Another mail program deleted the message after it was listed.
          if (!read) continue;
          done += read.source.length;
          progress(done);
          yield {
            ...read,
            ...fromMaildir(flags, folder.path),
            received_at,
          };
        }
      }
    },
  };
}

/** Yields the messages of an mbox. @param folder for messages without Gmail's labels @throws NoMbox */
export async function* mboxMessages(chunks: AsyncIterable<Uint8Array>, folder: string): AsyncGenerator<FileMessage> {
  for await (const { envelope, source, cut } of readMbox(chunks)) {
    yield { ...fromMbox(source, envelopeDate(envelope), folder), cut };
  }
}

/** Returns what the flags in the name of a Maildir file mean. @param folder of the file */
export function fromMaildir(letters: string, folder: string): Pick<FileMessage, "folder" | "flags" | "labels"> {
  return {
    folder: letters.includes("T") ? "Trash" : folder,
    flags: {
      seen: letters.includes("S"),
      flagged: letters.includes("F"),
      answered: letters.includes("R"),
      draft: letters.includes("D"),
    },
    labels: [],
  };
}

/** Bits of X-Mozilla-Status, as Thunderbird writes them. */
const MOZILLA = { read: 0x1, replied: 0x2, starred: 0x4 };

/** Returns a message with the flags and labels that its own header fields state. */
export function fromMbox(source: Uint8Array, received_at: number | null, folder: string): Omit<FileMessage, "cut"> {
  const headers = flagHeaders(source);
  const gmail = headers.get("x-gmail-labels");
  // Takeout encodes the field if a label is not ASCII, and folds it if it is long.
  if (gmail !== undefined) return fromTakeout(source, received_at, decodeWords(gmail).replace(/\s*\n\s*/g, " "));
  const status = `${headers.get("status") ?? ""}${headers.get("x-status") ?? ""}`.toUpperCase();
  const bits = Number.parseInt(headers.get("x-mozilla-status") ?? "0", 16) || 0;
  const keywords = [headers.get("x-keywords"), headers.get("x-mozilla-keys")].join(" ").split(/\s+/);
  // If no header says whether a message was read, it is old mail that its owner has seen.
  const unmarked = !headers.has("status") && !headers.has("x-mozilla-status");
  return {
    source,
    folder,
    received_at,
    flags: {
      seen: unmarked || status.includes("R") || (bits & MOZILLA.read) !== 0,
      flagged: status.includes("F") || (bits & MOZILLA.starred) !== 0,
      answered: status.includes("A") || (bits & MOZILLA.replied) !== 0,
      draft: status.includes("T"),
    },
    labels: keywords.filter((word) => word !== "" && !/^[$\\]/.test(word)),
  };
}

/** Gmail's labels in X-Gmail-Labels (Takeout writes them in English), and the folder for mail with that label. */
const PLACES: readonly (readonly [label: string, folder: string])[] = [
  ["trash", "Trash"],
  ["spam", "Spam"],
  ["drafts", "Drafts"],
  ["sent", "Sent"],
  ["inbox", "INBOX"],
];
const STATES = new Set(["unread", "starred", "opened", "important", "archived", "chat", "sent messages"]);

function fromTakeout(source: Uint8Array, received_at: number | null, list: string): Omit<FileMessage, "cut"> {
  const labels = list.split(",").map((label) => label.trim().replace(/^"|"$/g, ""));
  const lower = new Set(labels.map((label) => label.toLowerCase()));
  const known = new Set(PLACES.map(([label]) => label));
  return {
    source,
    folder: PLACES.find(([label]) => lower.has(label))?.[1] ?? "Archive",
    received_at,
    flags: { seen: !lower.has("unread"), flagged: lower.has("starred"), answered: false, draft: lower.has("drafts") },
    labels: labels.filter((label) => {
      const word = label.toLowerCase();
      return word !== "" && !known.has(word) && !STATES.has(word) && !word.startsWith("category ");
    }),
  };
}

const FLAG_HEADERS = new Set([
  "status",
  "x-status",
  "x-keywords",
  "x-mozilla-status",
  "x-mozilla-keys",
  "x-gmail-labels",
]);

/** Returns the first header field of each name in which mail programs record flags. */
function flagHeaders(source: Uint8Array): Map<string, string> {
  const bytes = Buffer.from(source.buffer, source.byteOffset, source.byteLength);
  const found = new Map<string, string>();
  for (const field of readHeaders(bytes, 0, bytes.length).fields) {
    if (FLAG_HEADERS.has(field.name) && !found.has(field.name)) found.set(field.name, fieldText(field).trim());
  }
  return found;
}

/** Returns the folder name for an mbox file: "Sent.mbox" → "Sent". A file with a generic name becomes the archive. */
export function folderOfMbox(file: string): string {
  const name = basename(file).replace(/\.(mbox|mbx|mbs)$/i, "");
  const role = folderRole({ path: name, delimiter: "/", specialUse: null, flags: new Set() });
  return name === "" || (role === "other" && /^(mbox|mail|all|export)$/i.test(name)) ? "Archive" : name;
}
