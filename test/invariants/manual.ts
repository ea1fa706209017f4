import { Database } from "bun:sqlite";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { UserError } from "../../src/kernel/errors.ts";
import { type Account, hasServer } from "../../src/mailbox/accounts/accounts.ts";
import { createMailbox } from "../../src/mailbox/mailbox.ts";
import { MIGRATION_NAMES } from "../../src/platform/db/migrate.ts";
import type { Platform } from "../../src/platform/platform.ts";
import { VERSION } from "../../src/version.ts";
import { connectImap } from "../../src/wire/imap/connect.ts";
import type { Finding } from "./finding.ts";
import { compareWithServer } from "./server.ts";

/**
 * Opening a data folder creates missing files and upgrades old ones; a checker must do neither.
 * @throws UserError for a folder without a database, and for a database of another version, which that version has to
 * check
 */
export function refuseForeign(data_dir: string): void {
  const path = join(data_dir, "postroom.db");
  if (!existsSync(path)) throw new UserError(`${data_dir} is no data folder: there is no postroom.db in it.`);
  const done = migrationsOf(path);
  if (done === null) throw new UserError(`${path} is no database of Postroom.`);
  const newer = done.find((name) => !MIGRATION_NAMES.includes(name));
  if (newer) {
    throw new UserError(
      `${data_dir} was used by a newer Postroom (it has migration ${newer}): check it with that version, this is ${VERSION}.`,
    );
  }
  const missing = MIGRATION_NAMES.find((name) => !done.includes(name));
  if (missing) {
    throw new UserError(
      `${data_dir} was last used by an older Postroom (it ends with migration ${done.at(-1)} and lacks ${missing}): check it with that version, or start Postroom ${VERSION} on it first, which upgrades it.`,
    );
  }
}

/** Returns migration names in order; null for a database that is not ours. */
function migrationsOf(path: string): string[] | null {
  try {
    const sql = new Database(path, { readonly: true });
    try {
      const names = sql.query<{ name: string }, []>("SELECT name FROM migrations ORDER BY name").all();
      return names.length === 0 ? null : names.map(({ name }) => name);
    } finally {
      sql.close();
    }
  } catch (error) {
    const { code } = error as { code?: string };
    if (code === "SQLITE_NOTADB" || code === "SQLITE_ERROR") return null;
    throw error;
  }
}

/**
 * Logs in to every mailbox that a password opens, and compares it. @returns the findings, and what was not compared and
 * why
 */
export async function compareServers(platform: Platform): Promise<{ findings: Finding[]; notCompared: string[] }> {
  const { accounts } = createMailbox(platform);
  const ca_file = platform.config.get("mail.ca_file");
  const ca = ca_file ? readFileSync(ca_file, "utf8") : null;
  const findings: Finding[] = [];
  const notCompared: string[] = [];
  for (const account of accounts.list()) {
    const connection = accounts.connection(account);
    const why = whyNot(account, connection);
    if (why !== null || connection === null) {
      if (why !== null) notCompared.push(`${account.id}: ${why}`);
      continue;
    }
    const { username, password } = connection;
    try {
      const client = await connectImap({ ...connection.imap, username, password }, { ca });
      findings.push(...(await compareWithServer(platform, account, client, { flags: true })).findings);
      client.close();
    } catch (error) {
      findings.push({
        rule: "the server's mail",
        what: `${account.id} cannot be compared: ${(error as Error).message}`,
      });
    }
  }
  return { findings, notCompared };
}

/** Returns why a mailbox with a server is not compared; null when it is, or when there is no server. */
function whyNot(account: Account, connection: ReturnType<ReturnType<typeof createMailbox>["accounts"]["connection"]>) {
  if (!hasServer(account)) return null;
  if (!connection) return "it is not known how to reach its server";
  if (connection.oauth) return `one signs in to it at ${connection.oauth.provider}, not with a password`;
  if (account.provider !== "imap") return `what ${account.provider} shows as folders is not compared`;
  return account.status === "paused" ? "it is paused, so it need not be like its server" : null;
}
