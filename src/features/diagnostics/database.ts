import type { Mailbox } from "../../mailbox/mailbox.ts";
import { openTexts } from "../../mailbox/search/texts.ts";
import type { MessageRow } from "../../mailbox/store/tables.ts";
import type { Platform } from "../../platform/platform.ts";
import { SealBroken } from "../../platform/sealing/box.ts";
import { type Finding, fault, ok } from "./finding.ts";

/** Messages of each person that are decrypted: a sample of all ages, not only the newest. */
const SAMPLE = 20;
const DEEP_SAMPLE = 1_000;

/**
 * Checks the integrity of the database. `deep` also compares every index with its table, which reads the whole
 * database.
 */
export function databaseFinding({ db }: Pick<Platform, "db">, deep: boolean): Finding {
  const check = "database";
  const damaged = (what: string) =>
    fault(check, `The database is damaged: ${what}. Restore a backup (docs/operations.md, Backup).`);
  try {
    const pragma = deep ? "integrity_check" : "quick_check";
    const rows = db.sql.query<Record<string, string>, []>(`PRAGMA ${pragma}(3)`).all();
    const report = rows.map((row) => Object.values(row)[0]).join("; ");
    if (report !== "ok") return damaged(report);
    const strays = deep ? db.sql.query("PRAGMA foreign_key_check").all().length : 0;
    if (strays > 0) return damaged(`${strays} rows refer to rows that do not exist`);
  } catch (error) {
    const { code, message } = error as { code?: unknown; message?: unknown };
    if (typeof code !== "string" || !/^SQLITE_(CORRUPT|NOTADB)/.test(code)) throw error;
    return damaged(String(message));
  }
  return ok(
    check,
    deep ? "All pages, indexes and references are intact." : "Intact (--deep also compares every index).",
  );
}

/** Checks that the key decrypts the stored values, with a sample of every user's mail, names and passwords. */
export function sealedFinding(platform: Platform, { accounts }: Pick<Mailbox, "accounts">, deep: boolean): Finding {
  const check = "sealed values";
  const { db, users } = platform;
  const pick = db.sql.query<Pick<MessageRow, "n">, [string, number]>(
    "SELECT n FROM messages WHERE user_id = ? ORDER BY random() LIMIT ?",
  );
  let opened = 0;
  try {
    for (const person of users.list()) {
      for (const user_id of [person.id, users.sandboxOf(person.id).id]) {
        const numbers = pick.all(user_id, deep ? DEEP_SAMPLE : SAMPLE).map(({ n }) => n);
        opened += openTexts(platform, user_id, numbers).length;
        for (const account of accounts.list(user_id)) if (accounts.connection(account)) opened++;
      }
    }
  } catch (error) {
    if (!(error instanceof SealBroken)) throw error;
    return fault(
      check,
      `${error.message} Part of the database was changed outside Postroom, or belongs to another key.`,
    );
  }
  return ok(check, `The master key opens all values in a sample of ${opened}.`);
}
