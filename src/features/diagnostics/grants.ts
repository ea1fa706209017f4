import { isoTime } from "../../kernel/clock.ts";
import { foreignSchema } from "../../platform/db/foreign-schema.ts";
import { NOTED_CONFIG } from "../../platform/grants/config-file.ts";
import type { Difference } from "../../platform/grants/differences.ts";
import type { Platform } from "../../platform/platform.ts";
import { masterKeyId } from "../../platform/sealing/master-key.ts";
import { advice, type Finding, fault, ok } from "./finding.ts";

/** Most rows that a sentence lists; 'postroom trust' lists all of them. */
const MAX_NAMED = 5;
const NEXT = "Run 'postroom trust' to list these rows, and to accept them if you made the changes.";

/** Reports keys, sessions, members and servers in the database that Postroom did not write. */
export function grantFindings({ config, db, grants, keyring, master_key_source }: Platform): Finding[] {
  const check = "credentials";
  if (grants.isLost) {
    return [
      fault(
        check,
        "The register of keys, sessions, members and servers is missing or damaged, so none of them works. Restore a backup, or run 'postroom trust' to list what the database contains and to accept it.",
      ),
    ];
  }
  const found = grants.differences();
  const findings = (["added", "changed", "missing"] as const).flatMap((what) => {
    const rows = found.filter((difference) => difference.what === what);
    return rows.length === 0 ? [] : [fault(check, sentence(what, rows))];
  });
  const foreign = foreignSchema(db.sql);
  if (foreign.length > 0) {
    findings.push(
      fault(
        check,
        `The database has triggers or views that Postroom did not create and that can change what it stores: ${foreign.slice(0, MAX_NAMED).join(", ")}. Restore a backup, or drop them with another SQLite program.`,
      ),
    );
  }
  const { beside } = config;
  if (beside !== undefined && !grants.holdsFile(NOTED_CONFIG, beside.text)) {
    findings.push(
      fault(
        check,
        "postroom.toml in the data folder changed after it was accepted, so its settings that grant access are ignored. Review the file and run 'postroom trust --accept', or keep the file outside the data folder (--config).",
      ),
    );
  }
  const { adopted } = grants.notes;
  const isOutside = master_key_source === "given" || master_key_source === "passphrase";
  if (isOutside && adopted?.master_key_id === masterKeyId(keyring.master)) {
    findings.push(
      advice(
        check,
        `Credentials were adopted from an older version on ${isoTime(adopted.at)}. If that was not your upgrade, restore a backup. Otherwise run 'postroom key-rotate' once, with another passphrase if you use one. Until then, someone could put back a copy of the database from before the upgrade and change it.`,
      ),
    );
  }
  return findings.length > 0
    ? findings
    : [ok(check, "Keys, sessions, members and servers are as Postroom wrote them.")];
}

const DESCRIPTIONS: Record<Difference["what"], string> = {
  added: "were added outside Postroom and do not work",
  changed: "were changed outside Postroom and do not work",
  missing: "were deleted outside Postroom",
};

function sentence(what: Difference["what"], rows: readonly Difference[]): string {
  const named = rows.slice(0, MAX_NAMED).map(({ table, row }) => `${table} ${row}`);
  const more = rows.length > MAX_NAMED ? ` and ${rows.length - MAX_NAMED} more` : "";
  return `Rows of the database ${DESCRIPTIONS[what]}: ${named.join(", ")}${more}. ${NEXT}`;
}
