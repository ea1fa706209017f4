import { type Column, getTableColumns, getTableName, is } from "drizzle-orm";
import { getTableConfig, SQLiteTable } from "drizzle-orm/sqlite-core";
import * as backup from "../../src/backup/tables.ts";
import * as agent from "../../src/features/agent/tables.ts";
import * as ai from "../../src/features/ai/tables.ts";
import * as brief from "../../src/features/brief/tables.ts";
import * as calendar from "../../src/features/calendar/tables.ts";
import * as contacts from "../../src/features/contacts/tables.ts";
import * as context from "../../src/features/context/tables.ts";
import * as notifications from "../../src/features/notifications/tables.ts";
import * as rules from "../../src/features/rules/tables.ts";
import * as webhooks from "../../src/features/webhooks/tables.ts";
import * as inboundMessage from "../../src/inbound/message/tables.ts";
import * as mailboxAccounts from "../../src/mailbox/accounts/tables.ts";
import * as mailboxChanges from "../../src/mailbox/changes/tables.ts";
import * as mailboxImports from "../../src/mailbox/imports/tables.ts";
import * as mailboxSearch from "../../src/mailbox/search/tables.ts";
import * as mailboxStore from "../../src/mailbox/store/tables.ts";
import * as mailboxThreading from "../../src/mailbox/threading/tables.ts";
import * as mlVectors from "../../src/ml/vectors/tables.ts";
import * as outboundApprovals from "../../src/outbound/approvals/tables.ts";
import * as outboundBounces from "../../src/outbound/bounces/tables.ts";
import * as outboundDrafts from "../../src/outbound/drafts/tables.ts";
import * as outboundMirror from "../../src/outbound/mirror/tables.ts";
import * as outboundSends from "../../src/outbound/sends/tables.ts";
import { type BlobContent, blobContent } from "../../src/platform/db/columns.ts";
import * as grants from "../../src/platform/grants/tables.ts";
import * as identity from "../../src/platform/identity/tables.ts";
import * as jobs from "../../src/platform/jobs/tables.ts";
import * as ledger from "../../src/platform/ledger/tables.ts";
import * as sealing from "../../src/platform/sealing/tables.ts";

export interface DeclaredColumn {
  name: string;
  /** SQLite's name of the type. */
  type: string;
  required: boolean;
  /** For BLOB columns. */
  blob: BlobContent | undefined;
}

export interface DeclaredTable {
  name: string;
  /** The folder of its `tables.ts`. */
  folder: string;
  columns: DeclaredColumn[];
  primaryKey: string[];
  unique: string[][];
}

/** Every table that a `tables.ts` declares, by name. */
export const TABLES: readonly DeclaredTable[] = [
  ...tablesIn("src/backup", backup),
  ...tablesIn("src/features/agent", agent),
  ...tablesIn("src/features/ai", ai),
  ...tablesIn("src/features/brief", brief),
  ...tablesIn("src/features/calendar", calendar),
  ...tablesIn("src/features/contacts", contacts),
  ...tablesIn("src/features/context", context),
  ...tablesIn("src/features/notifications", notifications),
  ...tablesIn("src/features/rules", rules),
  ...tablesIn("src/features/webhooks", webhooks),
  ...tablesIn("src/inbound/message", inboundMessage),
  ...tablesIn("src/mailbox/accounts", mailboxAccounts),
  ...tablesIn("src/mailbox/changes", mailboxChanges),
  ...tablesIn("src/mailbox/imports", mailboxImports),
  ...tablesIn("src/mailbox/search", mailboxSearch),
  ...tablesIn("src/mailbox/store", mailboxStore),
  ...tablesIn("src/mailbox/threading", mailboxThreading),
  ...tablesIn("src/ml/vectors", mlVectors),
  ...tablesIn("src/outbound/approvals", outboundApprovals),
  ...tablesIn("src/outbound/bounces", outboundBounces),
  ...tablesIn("src/outbound/drafts", outboundDrafts),
  ...tablesIn("src/outbound/mirror", outboundMirror),
  ...tablesIn("src/outbound/sends", outboundSends),
  ...tablesIn("src/platform/grants", grants),
  ...tablesIn("src/platform/identity", identity),
  ...tablesIn("src/platform/jobs", jobs),
  ...tablesIn("src/platform/ledger", ledger),
  ...tablesIn("src/platform/sealing", sealing),
].toSorted((a, b) => (a.name < b.name ? -1 : 1));

function tablesIn(folder: string, declared: object): DeclaredTable[] {
  return Object.values(declared).flatMap((value) => (is(value, SQLiteTable) ? [describeTable(value, folder)] : []));
}

function describeTable(table: SQLiteTable, folder: string): DeclaredTable {
  const columns: Column[] = Object.values(getTableColumns(table));
  const { primaryKeys, uniqueConstraints } = getTableConfig(table);
  const namesOf = (some: readonly { name: string }[]) => some.map(({ name }) => name);
  const [composite] = primaryKeys;
  return {
    name: getTableName(table),
    folder,
    columns: columns.map((column) => ({
      name: column.name,
      type: column.getSQLType().toUpperCase(),
      required: column.notNull,
      blob: blobContent(column),
    })),
    primaryKey: namesOf(composite ? composite.columns : columns.filter(({ primary }) => primary)),
    unique: [
      ...columns.filter(({ isUnique }) => isUnique).map(({ name }) => [name]),
      ...uniqueConstraints.map((constraint) => namesOf(constraint.columns)),
    ],
  };
}

const list = (names: readonly string[]) => names.map((name) => `\`${name}\``).join(", ") || "–";

/** Returns docs/schema.md: which columns are sealed, hashed and clear. */
export function schemaPage(): string {
  const rows = TABLES.map(({ name, folder, columns }) => {
    const sealed = (key: "user" | "system") =>
      columns.filter(({ blob }) => blob?.kind === "sealed" && blob.key === key).map((column) => column.name);
    const hashes = columns.flatMap((column) =>
      column.blob?.kind === "hmac" ? [`\`${column.name}\` (${column.blob.bits})`] : [],
    );
    const clear = columns
      .filter(({ blob }) => blob === undefined || blob.kind === "bytes")
      .map((column) => column.name);
    const system = sealed("system").map((column) => `\`${column}\` (system)`);
    const sealedNames = [...sealed("user").map((column) => `\`${column}\``), ...system].join(", ") || "–";
    return `| \`${name}\` | \`${folder}\` | ${sealedNames} | ${hashes.join(", ") || "–"} | ${list(clear)} |`;
  });
  return `# Database schema

This page is generated from the \`tables.ts\` files by \`./dev generate\`. A test compares the
declarations with the migrated database. [security.md](security.md#sealed-and-clear-columns) describes
what each kind of column reveals.

- **Sealed**: AES-256-GCM with the key of the row's user, or with the key of the system where marked.
  \`jobs\` without a user use the key of the system, too. One row of \`settings\` is clear: the id of the
  master key.
- **Keyed hash**: HMAC with a key of the user or of the system, and its width in bits.
- **Clear**: everything else. \`data_keys.wrapped\` is encrypted with the master key.

| Table | Declared in | Sealed | Keyed hash | Clear |
|---|---|---|---|---|
${rows.join("\n")}
`;
}
