import { extname } from "node:path";
import { folderOfMbox } from "./source.ts";

/** What a file in an archive is, by its name. */
export type ArchivedMail =
  /** `certain`: its name says so, so a file in another format is unreadable. */
  | { kind: "mbox"; folder: string; certain: boolean }
  | { kind: "maildir"; dir: string }
  | { kind: "message"; folder: string };

/** Returns what a file in an archive is, by its name; null if it is not mail. */
export function mailIn(name: string): ArchivedMail | null {
  const path = name.split("/");
  const base = path.at(-1)!;
  if (path[0] === "__MACOSX" || base.startsWith("._") || base === ".DS_Store") return null;
  if (path.at(-2) === "cur" || path.at(-2) === "new") {
    return base.startsWith(".") || path.length < 2 ? null : { kind: "maildir", dir: path.slice(0, -2).join("/") };
  }
  if (path.at(-2) === "tmp" || base.startsWith(".")) return null;
  const extension = extname(base).toLowerCase();
  if (extension === ".eml") return { kind: "message", folder: path.slice(0, -1).join("/") || "Archive" };
  if (extension === ".mbox" || extension === ".mbx" || extension === ".mbs") {
    return { kind: "mbox", folder: folderOfMbox(base), certain: true };
  }
  if (extension !== "") return null;
  // Apple Mail writes "Name.mbox/mbox", and Thunderbird files without an extension.
  const within = base.toLowerCase() === "mbox" ? path.at(-2) : undefined;
  return { kind: "mbox", folder: folderOfMbox(within ?? base), certain: false };
}

/** Finds the folder of an archive in which its Maildirs are: the longest that all of them have in common. */
export class MaildirRoot {
  #root: string[] | null = null;

  /** Considers the folder of a Maildir, such as "backup/Maildir/.Sent". */
  add(dir: string): void {
    const path = dir === "" ? [] : dir.split("/");
    // In Maildir++ the folders are beside the inbox and begin with a dot.
    if (path.at(-1)?.startsWith(".")) path.pop();
    if (this.#root === null) this.#root = path;
    else {
      const different = this.#root.findIndex((name, i) => path[i] !== name);
      if (different >= 0) this.#root.length = different;
    }
  }

  /** Returns the path of a Maildir's folder: "INBOX", or its names joined by slashes. */
  folderOf(dir: string): string {
    const root = this.#root ?? [];
    const path = dir === "" ? [] : dir.split("/");
    const below = root.every((name, i) => path[i] === name) ? path.slice(root.length) : path;
    const names = below.flatMap((name) => (name.startsWith(".") ? name.slice(1).split(".") : [name]));
    return names.filter((name) => name !== "").join("/") || "INBOX";
  }
}
