import { lstatSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";

/*
 * Maildir as qmail made it (cur, new, tmp), with folders as in Maildir++ (".Archive.2019" beside cur) or as in a tree of
 * folders ("Archive/2019/cur"), and flags behind ":2," or, where colons are not allowed, "!2," or ";2,".
 */

export interface MaildirFolder {
  /** "INBOX", or its names from the top with slashes. */
  path: string;
  dir: string;
}

export interface MaildirFile {
  file: string;
  /** Letters behind "2,": D draft, F flagged, P passed on, R replied, S seen, T trashed. */
  flags: string;
  /** When it was delivered, ms: what its name begins with, or the time of the file. */
  received_at: number;
}

/** The folders of a Maildir, the top one first. @returns none where the folder is no Maildir */
export function maildirFolders(root: string): MaildirFolder[] {
  const found: MaildirFolder[] = [];
  const walk = (dir: string, path: string[]) => {
    if (isMaildir(dir)) found.push({ path: path.length === 0 ? "INBOX" : path.join("/"), dir });
    for (const name of readdirSync(dir).sort()) {
      if (name === "cur" || name === "new" || name === "tmp") continue;
      const child = join(dir, name);
      // Links may lead anywhere, also back.
      if (!lstatSync(child, { throwIfNoEntry: false })?.isDirectory()) continue;
      if (name.startsWith(".")) {
        if (isMaildir(child)) found.push({ path: name.slice(1).split(".").join("/"), dir: child });
      } else walk(child, [...path, name]);
    }
  };
  walk(root, []);
  return found;
}

/** The messages of a folder, oldest first. */
export function maildirFiles({ dir }: MaildirFolder): MaildirFile[] {
  return ["cur", "new"]
    .flatMap((part) => {
      const folder = join(dir, part);
      if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return [];
      return readdirSync(folder)
        .filter((name) => !name.startsWith("."))
        .map((name) => join(folder, name))
        .filter((file) => lstatSync(file).isFile())
        .map((file) => ({ file, flags: flagsOf(file), received_at: receivedAt(file) }));
    })
    .sort((a, b) => a.received_at - b.received_at || (a.file < b.file ? -1 : 1));
}

function isMaildir(dir: string): boolean {
  return statSync(join(dir, "cur"), { throwIfNoEntry: false })?.isDirectory() === true;
}

function flagsOf(file: string): string {
  return /[:!;]2,([A-Za-z]*)$/.exec(file)?.[1] ?? "";
}

function receivedAt(file: string): number {
  const seconds = Number(/^(\d{9,11})\./.exec(file.slice(file.lastIndexOf("/") + 1))?.[1]);
  return Number.isNaN(seconds) ? statSync(file).mtimeMs : seconds * 1000;
}
