import type { Command } from "commander";
import { UserError } from "../kernel/errors.ts";
import { NOTED_CONFIG } from "../platform/grants/config-file.ts";
import { SYSTEM_ACTOR } from "../platform/ledger/audit.ts";
import type { Platform } from "../platform/platform.ts";
import { type CommonOptions, command, explained, withPlatform } from "./context.ts";
import { notifyServer } from "./running.ts";
import { printRows } from "./table.ts";

interface TrustOptions extends CommonOptions {
  accept?: boolean;
}

/** Defines `postroom trust`. */
export function trustCommand(): Command {
  return explained(
    command("trust", "List credentials and settings that were changed outside Postroom, or accept the changes.")
      .option("--accept", "accept all listed changes")
      .option("--json", "print JSON"),
    {
      notes: `Keys, sessions, members, mail servers and other rows that grant access work only as Postroom wrote them. This
command lists such rows that another program added, changed or deleted in the database file. If the master key
is stored outside the data folder, a changed postroom.toml in the data folder is listed, too: its settings
that grant access take effect only after --accept and a restart. Use --accept only if you made the changes
yourself, for example to repair the database. Exit code 1 when something is listed.`,
      examples: ["postroom trust", "postroom trust --accept"],
    },
  ).action((options: TrustOptions) => withPlatform(options, (platform) => trust(platform, options)));
}

async function trust(platform: Platform, { accept, json }: TrustOptions): Promise<void> {
  const { audit, config, grants, users } = platform;
  const found: { table: string; row: string; what: string }[] = grants.differences();
  const { beside } = config;
  const isNewFile = beside !== undefined && !grants.holdsFile(NOTED_CONFIG, beside.text);
  if (isNewFile) found.push({ table: "-", row: NOTED_CONFIG, what: "changed" });
  const rows = found.map(({ table, row, what }) => ({ table, row, what }));
  printRows(rows, json, "Nothing was changed outside Postroom.");
  if (found.length === 0) return;
  if (!accept) {
    process.exitCode = 1;
    return;
  }
  platform.log.warn("rows that were changed outside Postroom were accepted", {
    rows: found.length,
  });
  platform.db.write(() => {
    const now = grants.differences().map(({ table, row, what }) => `${table} ${row} ${what}`);
    const listed = rows.filter(({ table }) => table !== "-").map(({ table, row, what }) => `${table} ${row} ${what}`);
    // Accept only what was listed.
    if (now.join("\n") !== listed.join("\n")) {
      throw new UserError("More rows changed after they were listed, so nothing was accepted. Review the list again.");
    }
    grants.acceptAll();
    if (isNewFile) grants.noteFile(NOTED_CONFIG, beside.text);
    const owner = users.list().find(({ role }) => role === "owner");
    if (owner) {
      audit.record({ user_id: owner.id, actor: SYSTEM_ACTOR, action: "grants.accept", target: null, after: { rows } });
    }
  });
  await notifyServer(platform, "keysChanged", null);
  await notifyServer(platform, "accountsChanged", null);
  console.error(`Accepted ${found.length} ${found.length === 1 ? "row" : "rows"}.`);
}
