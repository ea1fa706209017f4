import { closeSync, existsSync, lstatSync, openSync, readdirSync, readFileSync, readSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { LARGEST_MESSAGE_BYTES } from "../mbox/read.ts";

/*
 * Maildir in qmail's format (cur, new, tmp), with folders as in Maildir++ (".Archive.2019" beside cur) or as in a tree of
 * folders ("Archive/2019/cur"), and flags after ":2," or, where colons are not allowed, "!2," or ";2,".
 */

export interface MaildirFolder {
  /** "INBOX", or its names from the top joined by slashes. */
  path: string;
  dir: string;
}

export interface MaildirFile {
  file: string;
  /** Letters after "2,": D draft, F flagged, P passed on, R replied, S seen, T trashed. */
  flags: string;
  /** Delivery time, ms: from the beginning of its name, or the time of the file. */
  received_at: number;
}

/** Returns the folders of a Maildir, the top one first. @returns none when the folder is not a Maildir */
export function maildirFolders(root: string): MaildirFolder[] {
  const found: MaildirFolder[] = [];
  const walk = (dir: string, path: string[]) => {
    if (isMaildir(dir)) found.push({ path: path.length === 0 ? "INBOX" : path.join("/"), dir });
    for (const name of readdirSync(dir).sort()) {
      if (name === "cur" || name === "new" || name === "tmp") continue;
      const child = join(dir, name);
      // Links may point anywhere, even back to this folder.
      if (!lstatSync(child, { throwIfNoEntry: false })?.isDirectory()) continue;
      if (name.startsWith(".")) {
        if (isMaildir(child)) found.push({ path: name.slice(1).split(".").join("/"), dir: child });
      } else walk(child, [...path, name]);
    }
  };
  walk(root, []);
  return found;
}

/** Returns the messages of a folder, oldest first. */
export function maildirFiles({ dir }: MaildirFolder): MaildirFile[] {
  return ["cur", "new"]
    .flatMap((part) => {
      const folder = join(dir, part);
      if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return [];
      return readdirSync(folder)
        .filter((name) => !name.startsWith("."))
        .map((name) => join(folder, name))
        .filter((file) => lstatSync(file, { throwIfNoEntry: false })?.isFile())
        .map((file) => ({ file, flags: maildirFlags(file), received_at: receivedAt(file) }));
    })
    .sort((a, b) => a.received_at - b.received_at || (a.file < b.file ? -1 : 1));
}

/**
 * Reads a message. A running mail program renames files when their flags change; the file is then looked up again.
 * @returns null when it no longer exists. A message above `LARGEST_MESSAGE_BYTES` is cut
 */
export function readMaildirFile(file: string): { source: Uint8Array; cut: boolean } | null {
  const path = existsSync(file) ? file : renamed(file);
  const size = path === null ? undefined : statSync(path, { throwIfNoEntry: false })?.size;
  if (path === null || size === undefined) return null;
  if (size <= LARGEST_MESSAGE_BYTES) return { source: new Uint8Array(readFileSync(path)), cut: false };
  const source = new Uint8Array(LARGEST_MESSAGE_BYTES);
  const handle = openSync(path, "r");
  try {
    return { source: source.subarray(0, readSync(handle, source, 0, source.length, 0)), cut: true };
  } finally {
    closeSync(handle);
  }
}

/** Returns the current path of the file whose name is the same up to the flags. */
function renamed(file: string): string | null {
  const root = dirname(dirname(file));
  const unique = basename(file).replace(FLAGS, "");
  for (const part of ["cur", "new"]) {
    const names = existsSync(join(root, part)) ? readdirSync(join(root, part)) : [];
    const name = names.find((other) => other.replace(FLAGS, "") === unique);
    if (name !== undefined) return join(root, part, name);
  }
  return null;
}

const FLAGS = /[:!;]2,[A-Za-z]*$/;

function isMaildir(dir: string): boolean {
  return statSync(join(dir, "cur"), { throwIfNoEntry: false })?.isDirectory() === true;
}

/** Returns the letters after "2," in the name of a file; "" without any. */
export function maildirFlags(file: string): string {
  return /[:!;]2,([A-Za-z]*)$/.exec(file)?.[1] ?? "";
}

/** Returns the delivery time in the name of a file, ms; null if the name has none. */
export function maildirTime(file: string): number | null {
  const seconds = Number(/^(\d{9,11})\./.exec(file.slice(file.lastIndexOf("/") + 1))?.[1]);
  return Number.isNaN(seconds) ? null : seconds * 1000;
}

function receivedAt(file: string): number {
  return maildirTime(file) ?? statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
