import { isoTime } from "../../kernel/clock.ts";
import type { ExportRow } from "../../mailbox/queries/export.ts";
import type { StoredMessage } from "../../mailbox/store/stored-message.ts";

const LONGEST_TITLE = 60;

/**
 * Returns "Archive/2026/2026-02-03 Invoice 12 msg_01….eml": sorted by day, unique by its id, and valid on every file
 * system.
 */
export function entryPath(row: ExportRow, { head }: Pick<StoredMessage, "head">): string {
  const { folder } = row;
  const path = folder === null ? ["No folder"] : folder.delimiter ? folder.path.split(folder.delimiter) : [folder.path];
  const parts = path.map((part) => plain(part)).filter((part) => part !== "");
  const title = plain(head.subject).slice(0, LONGEST_TITLE).trim() || "No subject";
  return [...parts, `${isoTime(row.internal_date).slice(0, 10)} ${title} ${row.id}.eml`].join("/");
}

/** Removes characters that are special on this or other file systems. */
function plain(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\p{Cc}\p{Cf}<>:"/\\|?*]+/gu, " ")
    .replace(/\s+/g, " ")
    .replace(/^[. ]+|[. ]+$/g, "");
}
