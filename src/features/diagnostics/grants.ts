import { isoTime } from "../../kernel/clock.ts";
import { foreignSchema } from "../../platform/db/foreign-schema.ts";
import { NOTED_CONFIG } from "../../platform/grants/config-file.ts";
import type { Difference } from "../../platform/grants/differences.ts";
import type { Platform } from "../../platform/platform.ts";
import { masterKeyId } from "../../platform/sealing/master-key.ts";
import { advice, type Finding, fault, ok } from "./finding.ts";

/** No list in a sentence gets longer; 'postroom trust' shows all. */
const MOST_NAMED = 5;
const NEXT = "'postroom trust' lists them; it can accept them if the change was yours";

/** Whether keys, sessions, members and servers in the database are as Postroom wrote them. */
export function grantFindings({ config, db, grants, keyring, master_key_source }: Platform): Finding[] {
  const check = "credentials";
  if (grants.isLost) {
    return [
      fault(
        check,
        `the register of keys, sessions, members and servers is missing or damaged, so none of them works. Restore a backup, or accept what is there: ${NEXT}`,
      ),
    ];
  }
  const found = grants.differences();
  const findings = (["added", "changed", "missing"] as const).flatMap((what) => {
    const rows = found.filter((difference) => difference.what === what);
    return rows.length === 0 ? [] : [fault(check, sentence(what, rows))];
  });
  const planted = foreignSchema(db.sql);
  if (planted.length > 0) {
    findings.push(
      fault(
        check,
        `the database has triggers or views that Postroom did not make, and they can change what it stores: ${planted.slice(0, MOST_NAMED).join(", ")}. Restore a backup, or drop them with another SQLite program`,
      ),
    );
  }
  const { beside } = config;
  if (beside !== undefined && !grants.holdsFile(NOTED_CONFIG, beside.text)) {
    findings.push(
      fault(
        check,
        `postroom.toml in the data folder was changed since it was accepted, and settings in it that grant access are ignored. Read it, then run 'postroom trust --accept', or keep it outside the data folder (--config)`,
      ),
    );
  }
  const { adopted } = grants.notes;
  const is_outside = master_key_source === "given" || master_key_source === "passphrase";
  if (is_outside && adopted?.master_key_id === masterKeyId(keyring.master)) {
    findings.push(
      advice(
        check,
        `they were taken over from an older version on ${isoTime(adopted.at)}. If that was not your upgrade, restore a backup. Run 'postroom key-rotate' once, with another passphrase if you use one: until then a copy of the database from before the upgrade can be put back and changed`,
      ),
    );
  }
  return findings.length > 0 ? findings : [ok(check, "keys, sessions, members and servers are as Postroom wrote them")];
}

const SAID: Record<Difference["what"], string> = {
  added: "were added outside Postroom and do not work",
  changed: "were changed outside Postroom and do not work",
  missing: "were deleted outside Postroom",
};

function sentence(what: Difference["what"], rows: readonly Difference[]): string {
  const named = rows.slice(0, MOST_NAMED).map(({ table, row }) => `${table} ${row}`);
  const more = rows.length > MOST_NAMED ? ` and ${rows.length - MOST_NAMED} more` : "";
  return `rows of the database ${SAID[what]}: ${named.join(", ")}${more}. ${NEXT}`;
}
