/** Determines the role of a folder: from the server's own attributes (RFC 6154, RFC 8457), else from its name. */
import { FOLDER_NAMES, GMAIL_FOLDER_NAMES, normalizeFolderName } from "./special-use-names.ts";

export type FolderRole =
  | "inbox"
  | "sent"
  | "drafts"
  | "trash"
  | "spam"
  | "archive"
  | "snoozed"
  | "all"
  | "flagged"
  | "important"
  | "other";

/** One row of a LIST answer. */
export interface ListedFolder {
  /** Decoded path (modified UTF-7 undone), as the server spells it. */
  path: string;
  /** Null when the server answered NIL: the path is one flat name. */
  delimiter: string | null;
  /** The attribute that the server or a library singled out, e.g. "\\Sent"; null without one. */
  specialUse: string | null;
  /** All attributes of the answer, e.g. "\\HasNoChildren", including special-use attributes. Case is ignored. */
  flags: ReadonlySet<string>;
}

const ATTRIBUTES: ReadonlyMap<string, FolderRole> = new Map([
  ["\\inbox", "inbox"],
  ["\\sent", "sent"],
  ["\\drafts", "drafts"],
  ["\\trash", "trash"],
  ["\\junk", "spam"],
  // Gmail's XLIST, the predecessor of RFC 6154, uses this name.
  ["\\spam", "spam"],
  ["\\archive", "archive"],
  ["\\snoozed", "snoozed"],
  ["\\all", "all"],
  ["\\allmail", "all"],
  ["\\flagged", "flagged"],
  ["\\starred", "flagged"],
  ["\\important", "important"],
]);

const CONTAINERS = new Set(["inbox", "[gmail]", "[google mail]"]);

const isInbox = (folder: ListedFolder) => folder.path.toLowerCase() === "inbox";

function hasFlag(folder: ListedFolder, ...names: string[]): boolean {
  return [...folder.flags].some((flag) => names.includes(flag.toLowerCase()));
}

function roleByAttribute(folder: ListedFolder): FolderRole | undefined {
  for (const attribute of [folder.specialUse ?? "", ...folder.flags]) {
    const role = ATTRIBUTES.get(attribute.toLowerCase());
    if (role) return role;
  }
  return undefined;
}

/**
 * Returns the role of a name. Only names at the top, or directly beneath INBOX or [Gmail], count: "Projects/Drafts" is
 * a folder about projects.
 */
function roleByName(folder: ListedFolder): FolderRole | undefined {
  // A server that reports no delimiter may still use one beneath INBOX.
  const delimiter = folder.delimiter || /^inbox([./])/i.exec(folder.path)?.[1];
  const parts = delimiter ? folder.path.split(delimiter).filter(Boolean) : [folder.path];
  const container = parts.length > 1 ? parts[0]!.toLowerCase() : "";
  if (CONTAINERS.has(container)) parts.shift();
  if (parts.length !== 1) return undefined;
  const name = normalizeFolderName(parts[0]!);
  return FOLDER_NAMES.get(name) ?? (container.startsWith("[g") ? GMAIL_FOLDER_NAMES.get(name) : undefined);
}

/** True when the folder can hold messages (RFC 9051 §7.3.1). A folder that cannot has no role. */
export function isSelectable(folder: ListedFolder): boolean {
  return !hasFlag(folder, "\\noselect", "\\nonexistent");
}

/**
 * Returns the role of one folder, regardless of the others: INBOX by its reserved name, then the server's attributes,
 * then names that mail programs use in some forty languages. Everything else, and every folder that cannot hold
 * messages, is "other".
 */
export function folderRole(folder: ListedFolder): FolderRole {
  if (!isSelectable(folder)) return "other";
  if (isInbox(folder)) return "inbox";
  return roleByAttribute(folder) ?? roleByName(folder) ?? "other";
}

/**
 * Returns the role of every selectable folder by path, each role except "other" at most once. Where several folders
 * claim one role, the server's attribute wins over a name, then the shorter path, then the path that sorts first. The
 * losing folders become "other".
 */
export function assignRoles(folders: Iterable<ListedFolder>): Map<string, FolderRole> {
  const claims = [...folders].filter(isSelectable).map((folder) => {
    // `specialUse` may hold a library's guess by name; the reserved name INBOX outranks any attribute.
    const strength = isInbox(folder) ? 2 : roleByAttribute(folder) ? 1 : 0;
    return { path: folder.path, role: folderRole(folder), strength };
  });
  claims.sort((a, b) => b.strength - a.strength || a.path.length - b.path.length || (a.path < b.path ? -1 : 1));
  const taken = new Set<FolderRole>();
  const roles = new Map<string, FolderRole>();
  for (const { path, role } of claims) {
    if (roles.has(path)) continue;
    roles.set(path, taken.has(role) ? "other" : role);
    if (role !== "other") taken.add(role);
  }
  return roles;
}
