/** A value as SQLite stores it. */
export type Value = string | number | Uint8Array | null;
export type Row = Record<string, unknown>;

interface GrantTable {
  /** The primary key. Its first column is the user id if rows are looked up by user. */
  key: readonly string[];
  /** Every column that determines what the row grants, to whom, and until when. */
  columns: readonly string[];
  /**
   * Columns that a later version has added, with the value 0 in the rows of that time. Entries of rows with 0 are as
   * before, so that the register of the earlier version still matches.
   */
  added?: readonly string[];
}

/**
 * Tables whose rows grant access, and the columns that the register covers. Columns that grant nothing, such as the
 * last use of a key or the state of a mailbox, are left out and can be written without the register.
 */
export const GRANT_TABLES = {
  users: {
    key: ["id"],
    columns: ["profile", "email_hmac", "plan", "role", "sandbox_of", "removing_at", "created_at"],
  },
  api_keys: {
    key: ["id"],
    columns: [
      "user_id",
      "hash",
      "label",
      "hint",
      "scopes",
      "account_id",
      "team_id",
      "created_at",
      "expires_at",
      "revoked_at",
    ],
    added: ["tools_only"],
  },
  assistant_connections: {
    key: ["id"],
    columns: ["user_id", "client_hmac", "client", "scopes", "account_id", "created_at", "revoked_at"],
  },
  sessions: {
    key: ["id"],
    columns: ["user_id", "hash", "method", "about", "created_at", "proved_at", "used_day", "expires_at"],
  },
  invitations: {
    key: ["hash"],
    columns: ["user_id", "created_at", "expires_at"],
  },
  passwords: { key: ["user_id"], columns: ["hash", "changed_at"] },
  totp: { key: ["user_id"], columns: ["secret", "last_step", "confirmed_at"] },
  passkeys: {
    key: ["user_id", "id"],
    columns: ["credential_hmac", "credential", "counter", "created_at"],
  },
  teams: { key: ["id"], columns: ["profile", "created_at"] },
  team_members: {
    key: ["team_id", "user_id"],
    columns: ["invited_at", "joined_at"],
  },
  settings: { key: ["key"], columns: ["value"] },
  calendar_feeds: {
    key: ["user_id"],
    columns: ["token_hash", "token", "created_at"],
  },
  accounts: {
    key: ["id"],
    columns: ["user_id", "provider", "profile", "connection", "email_hmac", "read_only", "on_server_delete"],
  },
  calendars: { key: ["id"], columns: ["user_id", "url_hmac", "settings"] },
  oauth_flows: {
    key: ["state_hash"],
    columns: ["user_id", "flow", "expires_at"],
  },
  sending_policies: {
    key: ["credential_id"],
    columns: ["user_id", "confirm", "recipients", "sends_per_day"],
  },
  webhook_endpoints: {
    key: ["id"],
    columns: ["user_id", "target", "events", "status"],
  },
  notification_targets: {
    key: ["id"],
    columns: ["user_id", "target", "kinds", "detail", "status"],
  },
} as const satisfies Record<string, GrantTable>;

/** Returns the covered columns of a table that a later version has added. */
export function addedColumns(table: GrantTableName): readonly string[] {
  return (GRANT_TABLES[table] as GrantTable).added ?? [];
}

export type GrantTableName = keyof typeof GRANT_TABLES;
export const GRANT_TABLE_NAMES = Object.keys(GRANT_TABLES) as GrantTableName[];

const DAY_MS = 86_400_000;
/** Covered values that are computed from a column, in SQL and from a row. */
const DERIVED: Record<string, { sql: string; of: (row: Row) => Value }> = {
  // The register covers the day of a session's last use, so that it is not written every few seconds.
  used_day: {
    sql: `last_used_at / ${DAY_MS} AS used_day`,
    of: ({ last_used_at }) => Math.floor(Number(last_used_at) / DAY_MS),
  },
};

/** Rows of `settings` that the register does not cover, because they are needed before the key is known. */
const SETTINGS_LEFT_OUT = ["master_key_id"];

/** Returns the columns that a SELECT needs so that its rows can be checked. @param alias of the table in the query */
export function grantColumns(table: GrantTableName, alias = ""): string {
  const prefix = alias && `${alias}.`;
  return [...GRANT_TABLES[table].key, ...GRANT_TABLES[table].columns, ...addedColumns(table)]
    .map((column) => DERIVED[column]?.sql ?? prefix + column)
    .join(", ");
}

/** Returns an SQL condition for the rows of a table that the register covers. */
export function coveredRows(table: GrantTableName): string {
  return table === "settings" ? `key NOT IN ('${SETTINGS_LEFT_OUT.join("', '")}')` : "true";
}

/** Returns a row's name in the register. */
export function rowName(table: GrantTableName, row: Row): string {
  return [table, ...GRANT_TABLES[table].key.map((column) => keyText(columnOf(row, column)))].join(" ");
}

/** Returns the prefix of the names of all rows whose key begins with `first`, such as a user id. */
export function namePrefix(table: GrantTableName, first: string): string {
  return `${table} ${first} `;
}

/** Returns the covered values of a row as a text. Equal texts mean the same table, key, values and types. */
export function canonical(table: GrantTableName, row: Row): string {
  const { key, columns } = GRANT_TABLES[table];
  const added = addedColumns(table)
    .map((column) => ({ column, value: encoded(columnOf(row, column)) }))
    .filter(({ value }) => value !== 0);
  return JSON.stringify([table, ...[...key, ...columns].map((column) => encoded(columnOf(row, column))), ...added]);
}

function columnOf(row: Row, column: string): Value {
  const value = column in row ? row[column] : DERIVED[column]?.of(row);
  if (value === undefined) throw new Error(`A row to check lacks the column ${column}.`);
  return value as Value;
}

/** Encodes bytes as an array with one text, because JSON distinguishes only texts, numbers and null. */
function encoded(value: Value): unknown {
  return value instanceof Uint8Array ? [Buffer.from(value).toString("base64")] : value;
}

function keyText(value: Value): string {
  return value instanceof Uint8Array ? Buffer.from(value).toString("hex") : String(value);
}
