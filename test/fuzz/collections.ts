import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { FIXTURES } from "../support/fixtures-path.ts";

/**
 * Seeds from third-party collections, if they are beside the project. Each list is empty when its folder is missing.
 */
export interface Collected {
  mail: Uint8Array[];
  calendars: Uint8Array[];
  vcards: Uint8Array[];
  queries: Uint8Array[];
  /** Missing folders. */
  missing: string[];
}

const FOLDERS = ["mime", "threads", "html", "quotes", "ical", "search"] as const;
type Folder = (typeof FOLDERS)[number];

export function collectSeeds(): Collected {
  return {
    mail: [...files("mime", [".txt", ".eml", ".raw"]), ...mboxes(), ...pages(), ...replies()],
    calendars: files("ical", [".ics"]),
    vcards: files("ical", [".vcf"]),
    queries: files("search", ["queries.jsonl"]).flatMap((file) =>
      textOf(file)
        .split("\n")
        .filter((line) => line !== "")
        .map((line) => bytesOf((JSON.parse(line) as { text: string }).text)),
    ),
    missing: FOLDERS.filter((folder) => !existsSync(join(FIXTURES, folder))),
  };
}

const textOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString();
const bytesOf = (text: string): Uint8Array => new Uint8Array(Buffer.from(text));

/** Returns the files of a folder and its subfolders whose name ends like this, by name. */
function files(folder: Folder, endings: readonly string[]): Uint8Array[] {
  const root = join(FIXTURES, folder);
  if (!existsSync(root)) return [];
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && endings.some((ending) => entry.name.endsWith(ending)))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
    .map((path) => new Uint8Array(readFileSync(path)));
}

/** Returns the messages of mbox files (RFC 4155): each begins after a line that begins with "From ". */
function mboxes(): Uint8Array[] {
  return files("threads", [".mbox"]).flatMap((file) =>
    Buffer.from(file)
      .toString("latin1")
      .split(/^From .*\r?\n/m)
      .filter((message) => message !== "")
      .map((message) => new Uint8Array(Buffer.from(message, "latin1"))),
  );
}

/** HTML with active content, as the only part of a message. */
function pages(): Uint8Array[] {
  return files("html", ["dompurify-cases.json"]).flatMap((file) =>
    (JSON.parse(textOf(file)) as { payload: string }[]).map(({ payload }) => asMail("text/html", payload)),
  );
}

/** Replies written above, below and between quotations. */
function replies(): Uint8Array[] {
  return files("quotes", [".txt"]).map((file) => asMail("text/plain", textOf(file)));
}

const asMail = (type: string, text: string): Uint8Array =>
  bytesOf(`From: a@example.net\r\nSubject: Re: x\r\nContent-Type: ${type}; charset=utf-8\r\n\r\n${text}`);
