import { openHead } from "../../src/mailbox/search/segments/store.ts";
import type { Platform } from "../../src/platform/platform.ts";
import { SYSTEM } from "../../src/platform/sealing/keyring.ts";
import { rows } from "../invariants/finding.ts";
import { CLEAR_SETTINGS, sealedColumns, sealingOf } from "../invariants/sealed.ts";

/** Columns that store values of several kinds, and SQL for the kind of a row. */
const KINDS: Record<string, string> = {
  "audit.payload": "t.action",
  "events.payload": "t.type",
  "failed_steps.arrival": "t.step",
  "jobs.payload": "t.kind",
  "settings.value": "t.key",
};

/** Objects whose names are data, such as the variables of a profile; "*" stands for these names. */
const MAPS = new Set([
  "ai_voice.learned",
  "context_profiles.body variables",
  "grants.register files",
  "grants.register rows",
  "webhook_attempts.detail headers",
]);

/** Replies of the API; the golden OpenAPI document has their names. */
const PUBLISHED = new Set(["idempotency.reply"]);

/** The names in the stored JSON of a data folder, by column, as paths: "conditions[].field". */
export type StoredNames = Map<string, Set<string>>;

/** Opens every sealed value and every JSON text of a data folder and collects the names in them. */
export function storedNames(platform: Platform): StoredNames {
  const names: StoredNames = new Map();
  for (const { table, column } of sealedColumns({ platform })) readSealed(platform, names, table, column);
  readTexts(platform, names);
  readSegmentHeads(platform, names);
  return names;
}

function readSealed(platform: Platform, names: StoredNames, table: string, column: string): void {
  const name = `${table}.${column}`;
  const sealing = sealingOf(platform, table, column);
  if (!sealing || PUBLISHED.has(name)) return;
  const kind = KINDS[name] ?? "NULL";
  const stored = rows<{ owner: string | null; context: string; value: Uint8Array; kind: string | null }>(
    platform,
    `SELECT ${sealing.owner} AS owner, ${sealing.context} AS context, t.${column} AS value, ${kind} AS kind
     FROM ${table} t WHERE t.${column} IS NOT NULL`,
  );
  for (const row of stored) {
    if (table === "settings" && CLEAR_SETTINGS.has(row.kind!)) continue;
    const sealer =
      row.owner === null || row.owner === SYSTEM ? platform.keyring.system() : platform.keyring.forUser(row.owner);
    const text = Buffer.from(sealer.openRaw(row.context, row.value)).toString();
    collect(names, row.kind === null ? name : `${name} (${row.kind})`, name, text);
  }
}

/** Reads the JSON in columns that are not sealed. */
function readTexts(platform: Platform, names: StoredNames): void {
  const columns = rows<{ table: string; column: string }>(
    platform,
    `SELECT s.name AS "table", c.name AS "column" FROM sqlite_schema s JOIN pragma_table_info(s.name) c
     WHERE s.type = 'table' AND c.type = 'TEXT' AND s.name NOT LIKE 'words\\_usr\\_%' ESCAPE '\\'`,
  );
  for (const { table, column } of columns) {
    const texts = rows<{ text: string }>(
      platform,
      `SELECT "${column}" AS text FROM "${table}" WHERE json_valid("${column}") AND substr("${column}", 1, 1) IN ('{', '[')`,
    );
    for (const { text } of texts) collect(names, `${table}.${column}`, `${table}.${column}`, text);
  }
}

function readSegmentHeads(platform: Platform, names: StoredNames): void {
  const column = "search_segments.head";
  if (!platform.db.sql.query("SELECT 1 FROM sqlite_schema WHERE name = 'search_segments'").get()) return;
  const heads = rows<{ id: number; user_id: string; head: Uint8Array }>(
    platform,
    "SELECT id, user_id, head FROM search_segments WHERE head IS NOT NULL",
  );
  for (const { id, user_id, head } of heads) {
    const opened = openHead(platform.keyring.forUser(user_id), user_id, id, head);
    collect(names, column, column, JSON.stringify(opened));
  }
}

function collect(names: StoredNames, group: string, column: string, text: string): void {
  if (!/^\s*[[{]/.test(text)) return;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // Text of a person may begin with a bracket.
    return;
  }
  const paths = names.get(group) ?? new Set();
  names.set(group, paths);
  walk(value, column, "", paths);
}

function walk(value: unknown, column: string, at: string, paths: Set<string>): void {
  if (Array.isArray(value)) for (const item of value) walk(item, column, `${at}[]`, paths);
  else if (typeof value === "object" && value !== null) {
    const isMap = MAPS.has(at === "" ? column : `${column} ${at}`);
    for (const [name, child] of Object.entries(value)) {
      const path = `${at}${at === "" ? "" : "."}${isMap ? "*" : name}`;
      paths.add(path);
      walk(child, column, path, paths);
    }
  }
}

/** One line for each name, in order. */
export function asText(names: StoredNames): string {
  const lines = [...names].flatMap(([group, paths]) => [...paths].map((path) => `${group}  ${path}`));
  return `${lines.sort().join("\n")}\n`;
}

export function fromText(text: string): StoredNames {
  const names: StoredNames = new Map();
  for (const line of text.split("\n").filter(Boolean)) {
    const [group, path] = line.split("  ") as [string, string];
    names.set(group, (names.get(group) ?? new Set()).add(path));
  }
  return names;
}

/** Returns the names of `earlier` that `now` lacks. Columns and kinds of which `now` has no value are not compared. */
export function changedNames(earlier: StoredNames, now: StoredNames): string[] {
  return [...earlier].flatMap(([group, paths]) => {
    const written = now.get(group);
    if (!written) return [];
    const added = [...written].filter((path) => !paths.has(path));
    const instead = added.length > 0 ? ` This version writes ${added.join(", ")}.` : "";
    const lost = [...paths].filter((path) => !written.has(path));
    return lost.map(
      (path) =>
        `The stored name ${path} of ${group} changed. Earlier versions wrote ${path}; read both or keep the name.${instead}`,
    );
  });
}

/** Returns the names of `now` that `earlier` lacks. */
export function addedNames(earlier: StoredNames, now: StoredNames): string[] {
  return [...now].flatMap(([group, paths]) =>
    [...paths]
      .filter((path) => !earlier.get(group)?.has(path))
      .map((path) => `The name ${path} of ${group} is not in test/golden/stored-names.txt.`),
  );
}
