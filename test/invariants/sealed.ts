import type { BlobContent } from "../../src/platform/db/columns.ts";
import { SYSTEM } from "../../src/platform/sealing/keyring.ts";
import { TABLES } from "../../tools/docs/schema.ts";
import { type Fixture, rows } from "./finding.ts";

/** How the values of one column were sealed. */
interface SealedColumn {
  /** SQL for the context that the value is bound to; `t` is the table. */
  context?: string;
  /** SQL for the id of the user whose key sealed it; null stands for the system's. */
  owner?: string;
}

/** The owner of a row, for tables without user_id: the column that refers to it. */
const OWNERS: readonly (readonly [column: string, sql: string])[] = [
  ["user_id", "t.user_id"],
  ["account_id", "(SELECT user_id FROM accounts WHERE id = t.account_id)"],
  ["message_id", "(SELECT user_id FROM messages WHERE id = t.message_id)"],
  ["draft_id", "(SELECT user_id FROM drafts WHERE id = t.draft_id)"],
  ["send_id", "(SELECT user_id FROM sends WHERE id = t.send_id)"],
  ["endpoint_id", "(SELECT user_id FROM webhook_endpoints WHERE id = t.endpoint_id)"],
  ["target_id", "(SELECT user_id FROM notification_targets WHERE id = t.target_id)"],
  ["job_id", "(SELECT user_id FROM jobs WHERE id = t.job_id)"],
];

const SYSTEMS = `'${SYSTEM}'`;
const MESSAGE_OF_BODY = "(SELECT id FROM messages WHERE n = t.n)";

/** Columns that are not bound to `table.column:id`, or whose owner is not in the row. */
const EXCEPTIONS: Record<string, SealedColumn> = {
  "passwords.hash": { context: "'passwords.hash:' || t.user_id" },
  "totp.secret": { context: "'totp.secret:' || t.user_id" },
  "assistant_clients.metadata": { context: "'assistant_clients.metadata:' || lower(hex(t.id_hmac))" },
  "assistant_tokens.payload": { context: "'assistant_tokens.payload:' || t.kind || ' ' || lower(hex(t.hash))" },
  "oauth_clients.client": { context: "'oauth_clients.client:' || t.provider" },
  "oauth_flows.flow": { context: "'oauth_flows.flow:' || lower(hex(t.state_hash))" },
  "grants.register": { context: "'grants.register:' || lower(hex(t.stamp))" },
  "oauth_grants.tokens": { context: "'oauth_grants.tokens:' || t.account_id" },
  "failed_steps.arrival": { context: "'failed_steps.arrival:' || t.message_id || ':' || t.step" },
  "account_checks.error": { context: "'account_checks.error:' || t.account_id" },
  "settings.value": { context: "'settings.value:' || t.key" },
  "idempotency.reply": {
    context: "'idempotency.reply:' || t.user_id || ' ' || t.method || ' ' || t.path || ' ' || lower(hex(t.key_hash))",
  },
  "rule_runs.body": { context: "'rule_runs.body:' || t.rule_id" },
  "job_attempts.detail": { context: "'job_attempts.detail:' || t.job_id" },
  "bodies.text": {
    owner: "(SELECT user_id FROM messages WHERE n = t.n)",
    context: `'bodies.text:' || ${MESSAGE_OF_BODY}`,
  },
  "bodies.html": {
    owner: "(SELECT user_id FROM messages WHERE n = t.n)",
    context: `'bodies.html:' || ${MESSAGE_OF_BODY}`,
  },
  "file_texts.texts": { context: "'file_texts.texts:' || (SELECT id FROM messages WHERE n = t.message_n)" },
  "bounces.detail": { context: "'bounces.detail:' || t.send_id" },
  "webhook_secrets.secret": { context: "'webhook_secrets.secret:' || t.endpoint_id" },
  "webhook_attempts.detail": {
    owner: `(SELECT e.user_id FROM webhook_deliveries d JOIN webhook_endpoints e ON e.id = d.endpoint_id
             WHERE d.id = t.delivery_id)`,
    context: "'webhook_attempts.detail:' || t.delivery_id",
  },
  "vectors.vector": { context: "'vectors.vector:' || t.message_n || ':' || t.model" },
  "contact_addresses.profile": { context: "'contact_addresses.profile:' || lower(hex(t.address_hmac))" },
  "context_variables.body": { context: "'context_variables.body:' || lower(hex(t.key_hmac))" },
  "calendar_feeds.token": { context: "'calendar_feeds.token:' || t.user_id" },
  "ai_drafts.notes": { context: "'ai_drafts.notes:' || t.draft_id" },
  "ai_voice.learned": { context: "'ai_voice.learned:' || t.user_id" },
  "briefs.content": { context: "'briefs.content:' || t.user_id || ':' || t.day" },
  "notification_items.content": { context: "'notification_items.content:' || t.target_id || ':' || t.source" },
  "notification_settings.senders": { context: "'notification_settings.senders:' || t.user_id" },
  "notification_findings.findings": { context: "'notification_findings.findings:' || t.user_id" },
  "folders.name": { owner: "(SELECT user_id FROM accounts WHERE id = t.account_id)" },
};

/** BLOB columns as the schema declares them, by `table.column`. */
const DECLARED = new Map<string, BlobContent | undefined>(
  TABLES.flatMap(({ name, columns }) => columns.map((column) => [`${name}.${column.name}`, column.blob] as const)),
);

/** Settings that are stored unsealed. */
export const CLEAR_SETTINGS = new Set(["master_key_id", "owner_claimed_at"]);

interface Column {
  table: string;
  column: string;
}

/**
 * Returns every BLOB column that is not declared as unsealed, also one that is not declared at all; fulltext.ts opens
 * those of the full-text index.
 */
export function sealedColumns({ platform }: Pick<Fixture, "platform">): Column[] {
  return rows<Column>(
    platform,
    `SELECT s.name AS "table", c.name AS "column" FROM sqlite_schema s JOIN pragma_table_info(s.name) c
     WHERE s.type = 'table' AND c.type = 'BLOB' AND s.name NOT LIKE 'words\\_usr\\_%' ESCAPE '\\' AND s.name NOT LIKE 'search\\_%' ESCAPE '\\'
       AND s.name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY s.name, c.cid`,
  ).filter(({ table, column }) => (DECLARED.get(`${table}.${column}`)?.kind ?? "sealed") === "sealed");
}

/** Opens every sealed value of every table. */
export function checkSealed(fixture: Fixture): number {
  let opened = 0;
  for (const { table, column } of sealedColumns(fixture)) opened += checkColumn(fixture, table, column);
  return opened;
}

/** Returns SQL for the owner and the context of a column's values; null when the checker does not support the column. */
export function sealingOf(
  platform: Fixture["platform"],
  table: string,
  column: string,
): { owner: string; context: string } | null {
  const name = `${table}.${column}`;
  const given = EXCEPTIONS[name] ?? {};
  const columns = new Set(
    rows<{ name: string }>(platform, `SELECT name FROM pragma_table_info('${table}')`).map((row) => row.name),
  );
  const content = DECLARED.get(name);
  const ofSystem = content?.kind === "sealed" && content.key === "system";
  const owner = ofSystem ? SYSTEMS : (given.owner ?? OWNERS.find(([by]) => columns.has(by))?.[1]);
  const context = given.context ?? (columns.has("id") ? `'${name}:' || t.id` : undefined);
  return owner && context ? { owner, context } : null;
}

function checkColumn({ platform, miss }: Fixture, table: string, column: string): number {
  const name = `${table}.${column}`;
  const sealing = sealingOf(platform, table, column);
  if (!sealing) {
    miss("sealed values", `the checker has no rule for ${name} (test/invariants/sealed.ts)`);
    return 0;
  }
  const { owner, context } = sealing;
  const sealed = platform.db.sql.query<{ owner: string | null; context: string; value: Uint8Array }, []>(
    `SELECT ${owner} AS owner, ${context} AS context, t.${column} AS value FROM ${table} t WHERE t.${column} IS NOT NULL`,
  );
  const known = new Set(
    rows<{ id: string }>(platform, "SELECT DISTINCT user_id AS id FROM data_keys").map((r) => r.id),
  );
  let opened = 0;
  for (const row of sealed.iterate()) {
    if (table === "settings" && CLEAR_SETTINGS.has(row.context.slice("settings.value:".length))) continue;
    const user_id = row.owner ?? SYSTEM;
    // The keyring would create a missing key.
    if (!known.has(user_id)) miss("sealed values", `${row.context} belongs to ${user_id}, who has no data key`);
    else if (!opens(() => platform.keyring.forUser(user_id).openRaw(row.context, row.value)))
      miss("sealed values", `${row.context} does not open`);
    else opened++;
  }
  return opened;
}

function opens(open: () => unknown): boolean {
  try {
    open();
    return true;
  } catch {
    return false;
  }
}
